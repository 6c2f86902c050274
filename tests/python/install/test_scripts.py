"""Whole scripts in MXNet's manner (tests/scripts), run by the alias command; each checks its own results."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((TESTS / "scripts").glob("*.py"))
CHAPTERS = sorted((TESTS / "scripts" / "chapters").glob("[a-z]*.py"))


def test_there_are_scripts() -> None:
    assert len(SCRIPTS) >= 34 and len(CHAPTERS) >= 15


def output_of(script: Path, folder: Path) -> str:
    run = subprocess.run(
        [sys.executable, "-m", "mixgrad.mxnet", str(script)],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-2000:]
    return run.stdout


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_script(script: Path, tmp_path: Path) -> None:
    output_of(script, tmp_path)


@pytest.mark.parametrize("script", CHAPTERS, ids=lambda path: path.stem)
def test_chapter_ends_where_mxnet_does(script: Path, tmp_path: Path) -> None:
    """Losses lie in the range of MXNet's with several seeds, or beside it by its width or a tenth at most."""
    known = json.loads((TESTS / "data" / "chapters" / "losses.json").read_text())[script.stem]
    found = {
        name: float(value)
        for name, value in re.findall(r"^loss (\S+) (\S+)$", output_of(script, tmp_path), re.M)
    }
    assert found.keys() == known.keys() and found
    for name, values in known.items():
        noise = max(max(values) - min(values), 0.1 * max(values))
        assert min(values) - noise <= found[name] <= max(values) + noise, (name, found[name], values)
