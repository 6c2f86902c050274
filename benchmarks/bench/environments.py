"""The interpreters that the libraries run in: given ones, or virtual environments under benchmarks/.envs."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

FOLDER = Path(__file__).resolve().parent.parent / ".envs"


class EnvironmentProblem(Exception):
    """An interpreter that cannot be had; the text says what to do."""


@dataclass(frozen=True)
class Recipe:
    """How to make an environment.

    Parameters
    ----------
    module : str
        What must be importable in the end.
    requirements : tuple of str
        For pip.
    pip : tuple of str
        More options for pip.
    newest : (int, int), optional
        The newest Python that has these packages.
    """

    module: str
    requirements: tuple[str, ...]
    pip: tuple[str, ...] = ()
    newest: Optional[tuple[int, int]] = None


RECIPES = {
    # The extra index has the build without CUDA, which pip prefers as the later version; without the index
    # the ordinary build does as well and is larger.
    "torch": Recipe(
        "torch", ("torch==2.13.0", "numpy"), ("--extra-index-url", "https://download.pytorch.org/whl/cpu")
    ),
    "ncnn": Recipe("ncnn", ("ncnn==1.0.20261020", "numpy")),
    "onnxruntime": Recipe("onnxruntime", ("onnxruntime==1.31.1", "onnx", "numpy")),
    # Both in one process, for single_file.py.
    "single_file": Recipe("ncnn", ("ncnn==1.0.20261020", "onnxruntime==1.31.1", "onnx", "numpy")),
    "jax": Recipe("jax", ("jax==0.10.2", "numpy")),
    "mxnet": Recipe("mxnet", ("mxnet==1.9.1", "numpy==1.23.5"), newest=(3, 11)),
}
# What this interpreter brings itself.
OWN = {"mixgrad": "mixgrad", "numpy": "numpy"}
NAMES = (*OWN, *RECIPES)


def check(name: str, python: str) -> str:
    """Import what the environment is for and return its version; raise if that fails."""
    module = OWN.get(name) or RECIPES[name].module
    code = f"import {module}; print({module}.__version__)"
    try:
        done = subprocess.run(
            [python, "-c", code],
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
    except OSError as error:
        raise EnvironmentProblem(f"[{name}] cannot start {python}: {error.strerror}") from None
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        hint = "; run `make build`, or set PYTHONPATH" if name == "mixgrad" else ""
        raise EnvironmentProblem(f"[{name}] {python} cannot import {module}: {lines[-1]}{hint}")
    return done.stdout.strip().splitlines()[-1]


def _base_python(name: str, newest: Optional[tuple[int, int]]) -> str:
    if newest is None or sys.version_info[:2] <= newest:
        return sys.executable
    for minor in range(newest[1], 7, -1):
        found = shutil.which(f"python{newest[0]}.{minor}")
        if found:
            return found
    wanted = ".".join(map(str, newest))
    raise EnvironmentProblem(
        f"[{name}] needs Python {wanted} or older, and this machine has none on its PATH; "
        f"install python{wanted}, or give an interpreter: --env {name}=/path/to/python"
    )


def make(name: str) -> str:
    """The interpreter of an environment under benchmarks/.envs; the first call installs it."""
    recipe = RECIPES[name]
    folder = FOLDER / name
    python = folder / "bin" / "python"
    if python.is_file():
        pinned = recipe.requirements[0].partition("==")[2]
        try:
            if check(name, str(python)).partition("+")[0] == pinned:
                return str(python)
        except EnvironmentProblem:  # an installation that was broken off
            pass
    print(f"making {folder} ({', '.join(recipe.requirements)})", file=sys.stderr, flush=True)
    steps = [
        [_base_python(name, recipe.newest), "-m", "venv", "--clear", str(folder)],
        [str(python), "-m", "pip", "install", "--quiet", *recipe.pip, *recipe.requirements],
    ]
    for step in steps:
        done = subprocess.run(step, check=False, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            lines = (done.stderr or done.stdout).strip().splitlines() or ["no message"]
            raise EnvironmentProblem(
                f"[{name}] `{' '.join(step)}` failed with status {done.returncode}: {lines[-1]}; "
                f"or give an interpreter: --env {name}=/path/to/python"
            )
    check(name, str(python))
    return str(python)


def find(names: set[str], given: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Interpreters by environment, and the reasons why others are missing.

    A given interpreter that does not work, and mixgrad missing, raise :class:`EnvironmentProblem`.
    """
    found: dict[str, str] = {}
    missing: dict[str, str] = {}
    for name in NAMES:
        if name not in names:
            continue
        if name in given:
            check(name, given[name])
            found[name] = given[name]
            continue
        try:
            if name in OWN:
                check(name, sys.executable)
                found[name] = sys.executable
            else:
                found[name] = make(name)
        except EnvironmentProblem as problem:
            if name == "mixgrad":
                raise
            missing[name] = str(problem)
    return found, missing
