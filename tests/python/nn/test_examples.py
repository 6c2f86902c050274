"""The examples of modules run, and say what they should."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def output(name: str, *arguments: str) -> str:
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_linear_layer_three_ways() -> None:
    text = output("linear_function.py")
    assert "the gradient is right: True" in text
    assert "weight [[2.0, -3.0]] bias [1.0]" in text


def test_frozen_modules() -> None:
    text = output("frozen_modules.py", "--steps", "15")
    first, last = (float(line.split()[-1]) for line in text.splitlines()[:2])
    assert last < first / 2 and "frozen layers are as they were: True" in text
