"""Run the project's checks in turn; print what ran, how long it took, and one closing line of counts.

run_tests.py [test]   build, then every check
run_tests.py build    build the wheel and install it
run_tests.py generate build, write what is generated from the operators, install
run_tests.py lint     formatting, types, include order; builds nothing
run_tests.py soak     long random runs

`make` calls it inside .venv. A check whose files the tree does not have is not listed; one whose tool the
machine lacks is counted as skipped; a failing one is counted and the rest still run, unless the build failed.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import shutil
import subprocess
import sys
import time
from collections import deque
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import TextIO

ROOT = Path(__file__).resolve().parent.parent
RELEASE = "build/release"
WHEELS = "build/wheel"
CPP_FOLDERS = ("cpp", "include", "python/src", "tests", "benchmarks", "examples", "languages/cpp")


@dataclass(frozen=True)
class Step:
    name: str
    command: list[str]
    builds: bool = False  # later steps make no sense without it
    tool: str = ""  # a program that is not on PyPI; without it the step is skipped
    variables: Mapping[str, str] = field(default_factory=dict)  # of the environment, beside the runner's own
    with_next: bool = False  # runs at the same time as the step after it, on another core


def found(*patterns: str) -> list[str]:
    """Files of the tree that match, in a fixed order; hidden folders hold what is not the tree's."""
    paths = {path.relative_to(ROOT) for pattern in patterns for path in ROOT.glob(pattern)}
    return sorted(path.as_posix() for path in paths if not any(part.startswith(".") for part in path.parts))


def wheel_steps() -> list[Step]:
    """Build the package's wheel, in the build tree that other targets use, and install it."""
    pip = [sys.executable, "-m", "pip"]
    own = ["--no-deps", "--no-index"]
    return [
        Step(
            "build the wheel",
            [
                *pip,
                "wheel",
                *own,
                "--no-build-isolation",
                "--verbose",
                f"--config-settings=build-dir={RELEASE}",
                f"--wheel-dir={WHEELS}",
                ".",
            ],
            builds=True,
        ),
        Step(
            "install the wheel",
            [*pip, "install", *own, "--force-reinstall", f"--find-links={WHEELS}", "mixgrad"],
            builds=True,
        ),
    ]


def build_steps() -> list[Step]:
    programs = ["cmake", "--build", RELEASE, "--target", "tests"]
    return [*wheel_steps(), Step("build test programs", programs, builds=True)]


def generate_steps() -> list[Step]:
    """After a change of operators: their functions in Python and other languages, and their page."""
    if (ROOT / RELEASE / "build.ninja").exists():
        steps = [Step("build the extension", ["cmake", "--build", RELEASE, "--target", "_core"], builds=True)]
    else:
        steps = wheel_steps()
    steps += [
        Step(f"run {path}", [sys.executable, path, "--build", RELEASE], builds=True)
        for path in found("tools/generate_*.py")
    ]
    return steps + wheel_steps()


def lint_steps() -> list[Step]:
    steps = [Step("floors", [sys.executable, "tools/amalgamate.py", "--check"])]
    sources = found(*(f"{folder}/**/*.{suffix}" for folder in CPP_FOLDERS for suffix in ("h", "cc", "c")))
    steps.append(Step("clang-format", ["clang-format", "--dry-run", "-Werror", *sources]))
    steps.append(Step("ruff", ["ruff", "check", "."]))
    steps.append(Step("ruff format", ["ruff", "format", "--check", "."]))
    if sys.version_info >= (3, 10):
        steps.append(Step("mypy", ["mypy", *found("python/mixgrad", "tools", "benchmarks")]))
    return steps


def sanitizer_steps() -> list[Step]:
    """The floors that manage threads and memory, under both sanitizers."""
    if not found("tests/cpp/*.cc"):
        return []
    presets = ("asan", "tsan")
    steps = []
    for preset in presets:
        target = ["cmake", "--build", f"build/{preset}", "--target", "mixgrad_floor_tests"]
        steps.append(Step(f"{preset}: configure", ["cmake", "--preset", preset]))
        steps.append(Step(f"{preset}: build", target))
    for preset in presets:
        program = f"build/{preset}/mixgrad_floor_tests"
        steps.append(Step(f"{preset}: floors", [program], with_next=preset != presets[-1]))
    return steps


def onednn() -> dict[str, str]:
    """The variable that names oneDNN's library to the C++ tests, where it is installed."""
    try:
        files = metadata.distribution("onednn-cpu-gomp").files or []
    except metadata.PackageNotFoundError:
        return {}
    paths = [str(file.locate()) for file in files if file.name == "libdnnl.so.3"]
    return {"MIXGRAD_ONEDNN": paths[0]} if paths else {}


def test_steps() -> list[Step]:
    steps = build_steps()
    if found("tests/cpp/*.cc"):
        steps.append(Step("C++ tests", [f"{RELEASE}/mixgrad_tests"], variables=onednn()))
    if found("tests/operators/*.cc"):
        calls = [sys.executable, "tests/soak/random_operators.py", "20000"]
        steps.append(Step("random operator calls", [*calls, "--program", f"{RELEASE}/random_calls"]))
    steps += [
        Step(f"C test {Path(path).stem}", [f"{RELEASE}/c/{Path(path).stem}"])
        for path in found("tests/c/*.c", "tests/c/*.cc")
    ]
    if found("tests/abi/symbols.txt"):
        steps.append(Step("exported symbols", [sys.executable, "tools/abi_symbols.py", "--check"]))
    steps.append(Step("library size", [sys.executable, "tools/check_size.py", "--size-only"]))
    steps += [
        Step(f"{Path(path).name} is up to date", [sys.executable, path, "--check"])
        for path in found("tools/generate_*.py")
    ]
    steps += [Step(f"model {path}", ["bash", path], tool="spin") for path in found("tests/model/*.sh")]
    others = ("clang", "aarch64", "armv7", "riscv64", "wasm")  # the C++ tests run x86's instruction sets
    steps.append(Step("other processors", [sys.executable, "tools/targets.py", *others]))
    steps += [Step(f"single file {path}", ["bash", path]) for path in found("tests/amalgam/*.sh")]
    folders = sorted({"/".join(Path(path).parts[:2]) for path in found("tests/*/**/test_*.py")})
    if folders:  # and the examples in the docstrings of the installed package
        doctests = ["--doctest-modules", "--pyargs", "mixgrad"] if found("python/mixgrad/__init__.py") else []
        workers = ["-n", "auto", "--dist", "worksteal", "--durations=40"]
        steps.append(
            Step("Python tests", [sys.executable, "-m", "pytest", "-q", *workers, *folders, *doctests])
        )
    steps += language_steps()
    return steps + lint_steps() + sanitizer_steps()


def language_steps() -> list[Step]:
    """The packages of other languages, with the library just built."""
    tools = {"go": "go", "rust": "cargo", "r": "Rscript", "js": "em++"}
    return [
        Step(f"language {name}", ["bash", path, RELEASE], tool=tools.get(name, ""))
        for path in found("languages/*/test.sh")
        for name in [Path(path).parent.name]
    ]


def soak_steps() -> list[Step]:
    steps = build_steps()
    steps += [Step(f"soak {path}", [sys.executable, path]) for path in found("tests/soak/*.py")]
    return steps + [Step(f"soak {path}", ["bash", path]) for path in found("tests/soak/*.sh")]


def execute(step: Step, out: TextIO) -> tuple[int, list[str]]:
    """Runs a step, passing its output on as it comes. Returns its exit status and its last lines."""
    last: deque[str] = deque(maxlen=20)
    try:
        process = subprocess.Popen(
            step.command,
            cwd=ROOT,
            env={**os.environ, **step.variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    except OSError as error:
        print(error, file=out)
        return 127, []
    assert process.stdout is not None
    for line in process.stdout:
        out.write(line)
        out.flush()
        last.append(line)
    return process.wait(), list(last)


def execute_together(steps: list[Step]) -> list[tuple[int, list[str], float]]:
    """Runs steps at once. The first one's output is passed on as it comes, that of the others afterwards.

    Returns each one's exit status, last lines and seconds.
    """

    def run(step: Step, out: TextIO) -> tuple[int, list[str], float]:
        start = time.monotonic()
        status, last = execute(step, out)
        return status, last, time.monotonic() - start

    later = [io.StringIO() for _ in steps[1:]]
    with ThreadPoolExecutor(len(steps)) as pool:
        results = list(pool.map(run, steps, [sys.stdout, *later]))
    for step, out in zip(steps[1:], later):
        print(f"--- {step.name}\n{out.getvalue()}", end="")
    return results


def counts(status: int, last: list[str]) -> tuple[int, int, int]:
    """Passed, failed, skipped: the runner's own closing line when there is one, otherwise the step itself."""
    text = next((line for line in reversed(last) if re.search(r"\b\d+ (passed|failed)\b", line)), "")
    numbers = {word: int(number) for number, word in re.findall(r"\b(\d+) (passed|failed|skipped)\b", text)}
    passed, failed, skipped = (numbers.get(word, 0) for word in ("passed", "failed", "skipped"))
    if status != 0:
        return passed, max(failed, 1), skipped
    return (passed, failed, skipped) if numbers else (1, 0, 0)


def main() -> int:
    suites = {
        "test": test_steps,
        "build": wheel_steps,
        "generate": generate_steps,
        "lint": lint_steps,
        "soak": soak_steps,
    }
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("suite", nargs="?", choices=sorted(suites), default="test")
    steps = suites[parser.parse_args().suite]()
    totals = [0, 0, 0]
    report: list[str] = []
    began = time.monotonic()
    number = 0
    while number < len(steps):
        group = [steps[number]]
        while group[-1].with_next:
            group.append(steps[number + len(group)])
        number += len(group)
        print(f"\n=== [{number}/{len(steps)}] {', '.join(step.name for step in group)}", flush=True)
        missing = [step for step in group if step.tool and shutil.which(step.tool) is None]
        for step in missing:
            print(f"SKIPPED: this machine has no {step.tool}")
            report.append(f"{'skipped':>8}        {step.name} (no {step.tool})")
            totals[2] += 1
        group = [step for step in group if step not in missing]
        results = execute_together(group) if group else []
        for step, (status, last, seconds) in zip(group, results):
            totals = [total + more for total, more in zip(totals, counts(status, last))]
            report.append(f"{'FAILED' if status else 'ok':>8} {seconds:6.1f} s  {step.name}")
        if any(step.builds and status for step, (status, _, _) in zip(group, results)):
            report.append(f"{'':>8} the build failed: {len(steps) - number} later steps did not run")
            break
    print("\n=== summary\n" + "\n".join(report))
    print(f"total {time.monotonic() - began:.0f} s")
    print(f"{totals[0]} passed, {totals[1]} failed" + (f", {totals[2]} skipped" if totals[2] else ""))
    return 1 if totals[1] else 0


if __name__ == "__main__":
    sys.exit(main())
