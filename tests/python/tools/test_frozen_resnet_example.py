"""examples/frozen_resnet.py: the new last layer learns, nothing else changes, and what it writes is there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sklearn")

EXAMPLE = Path(__file__).parents[3] / "examples" / "frozen_resnet.py"


def test_a_new_last_layer(tmp_path: Path) -> None:
    command = [sys.executable, str(EXAMPLE), "--weights", "net.params", "--logdir", "runs"]
    texts = []
    for epochs in ("5", "1"):
        run = subprocess.run(
            [*command, "--epochs", epochs],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert run.returncode == 0, run.stderr
        texts.append(run.stdout)
        assert run.stderr.count("batches/s, accuracy=") == (10 if epochs == "5" else 1)
    first, second = (re.findall(r"digits \d to \d: (\d\.\d+)", text) for text in texts)
    assert float(first[0]) > 0.9 and float(first[1]) > 0.7
    assert second[0] == first[0]  # by the file of weights
    assert all("0 of 41 frozen arrays changed" in text for text in texts)
    names = sorted(path.name for path in (tmp_path / "runs").iterdir())
    assert [name.split(".")[0] for name in names] == ["events", "events", "loss"]
