"""Every reader gives an answer for every kind of path, soon."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).parents[1] / "files" / "odd_paths.py"


def test_readers_answer_on_odd_paths(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(PROGRAM), str(tmp_path)],
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    steps = done.stdout.splitlines()
    assert done.returncode == 0, f"ended by {done.returncode} at {steps[-2:]}: {done.stderr[-2000:]}"
    assert int(steps[-1].split()[0]) >= 17 * 15
