"""The README's way from a folder of pictures to predictions: commands as printed, on fewer pictures."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("PIL.Image")

ROOT = Path(__file__).parents[3]
SHORTER = {"make": " --each 10", "train": " --epochs 1 --size 32 --batch-size 8"}


def commands() -> list[str]:
    """The lines of the section's block, without comments."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = re.search(r"^## From a folder of pictures.*?^```\n(.*?)^```", readme, re.DOTALL | re.MULTILINE)
    assert section is not None
    return [line.partition("#")[0].strip() for line in section[1].splitlines()]


def test_from_a_folder_to_predictions(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    tools = tmp_path / "bin"
    tools.mkdir()
    for name, words in (("python", ""), ("mixgrad", " -m mixgrad")):
        (tools / name).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)}{words} "$@"\n')
        (tools / name).chmod(0o755)
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
    said = []
    for line in commands():
        shorter = next((more for word, more in SHORTER.items() if f"pictures.py {word} " in line), "")
        run = subprocess.run(
            line + shorter,
            shell=True,
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, f"{line}\n{run.stdout}\n{run.stderr}"
        said.append(run.stdout)
    assert len(said) == 7
    classes = (tmp_path / "classes.txt").read_text().split()
    assert classes == ["circle", "cross", "ring", "square", "star", "triangle"]
    assert "48 records" in said[2] and "12 records" in said[2]
    assert "records                48" in said[3] and "0 circle" in said[3]
    assert (tmp_path / "sheet.png").read_bytes()[:4] == b"\x89PNG"
    assert re.match(r"right on \d+ of 12 held-out pictures; shapes-0001.params$", said[4])
    scores = re.findall(r"^ +(\d\.\d{6})  (\w+)$", said[6], re.MULTILINE)
    assert len(scores) == 5 and {label for _, label in scores} <= set(
        (tmp_path / "classes.txt").read_text().split()
    )
