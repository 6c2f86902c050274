"""docs/first-operator.md: its operators are built, generated, tested and used as the page says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from first_operator import page

import mixgrad as mx

ROOT = page.PAGE.parents[1]
TESTS = ROOT / "tests" / "python"
LIBRARY = ROOT / "build" / "release" / "first_operator" / "libmixgrad.so"

# Writes ops.py of the package in the working folder, and in memory what other languages get.
GENERATE = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import generate_languages, generate_ops
core = generate_ops.load_core("mixgrad")
Path("mixgrad/ops.py").write_text(generate_ops.generate(core))
generate_ops.generate_page(core)
ops = generate_languages.registry.operators(core)
for path, write in generate_languages.WRITERS.items():
    assert "soft_shrink" in write(ops), path
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed package and the page's operators in it, and with their cases."""
    if not LIBRARY.exists():
        pytest.skip(f"{LIBRARY.relative_to(ROOT)} is not built (cmake --build build/release --target tests)")
    folder = tmp_path_factory.mktemp("first")
    shutil.copytree(Path(mx.__file__).parent, folder / "mixgrad", ignore=shutil.ignore_patterns("*.pyc"))
    shutil.copy(LIBRARY, folder / "mixgrad" / "libmixgrad.so")
    for name in ("cases", "operators"):
        (folder / "tests" / name).mkdir(parents=True)
    for name in ("opcase.py", "operators/test_operators.py"):
        shutil.copy(TESTS / name, folder / "tests" / name)
    for name, text in page.files().items():
        if not name.endswith(".cc"):
            (folder / "tests" / "cases" / Path(name).name).write_text(text, encoding="utf-8")
    run(folder, "-c", GENERATE, str(ROOT / "tools"))
    return folder


def run(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{folder / 'tests'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_each_operator_has_a_source_and_a_table_of_cases() -> None:
    names = list(page.files())
    assert [Path(name).suffix for name in names] == [".cc", ".py"] * 3
    for source, cases in zip(names[::2], names[1::2]):
        assert source.startswith("cpp/ops/")
        assert cases == f"tests/python/cases/{Path(source).stem}.py"


def test_cases_pass(place: Path) -> None:
    (place / "pytest.ini").write_text("[pytest]\n")
    plain = (
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-c",
        "pytest.ini",
        "tests",
        "-k",
        "not has_cases and not states_are and not every_second_order",
    )
    said = run(place, *plain)
    found = sum(int(number) for number in re.findall(r"(\d+) (?:passed|skipped)", said))
    rows = sum(len(re.findall(r'\bCase\(\s*"', text)) for text in page.files().values())
    assert "passed" in said and found == 4 * rows, said


@pytest.mark.parametrize("number", range(3))
def test_use_holds(place: Path, number: int) -> None:
    (place / f"use{number}.py").write_text(page.uses()[number])
    run(place, f"use{number}.py")


@pytest.mark.parametrize("name", sorted(page.files()))
def test_layout_is_that_of_the_tree(name: str) -> None:
    program = "clang-format" if name.endswith(".cc") else "ruff"
    if shutil.which(program) is None:
        pytest.skip(f"this machine has no {program}")
    options = (
        [f"--assume-filename={ROOT / name}"]
        if name.endswith(".cc")
        else ["format", "--stdin-filename", str(ROOT / name), "-"]
    )
    done = subprocess.run(
        [program, *options], input=page.files()[name], capture_output=True, text=True, check=True
    )
    assert done.stdout == page.files()[name]
