"""examples/devices.py: arrays lie where it says, and each device computes what the host does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import mixgrad as mx

EXAMPLE = Path(__file__).parents[3] / "examples" / "devices.py"


def test_arrays_and_batches_on_devices() -> None:
    run = subprocess.run(
        [sys.executable, str(EXAMPLE), "--rows", "32"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    current, moved, *products = run.stdout.splitlines()
    gpus = min(mx.num_gpus(), 2)
    first, last = ("gpu(0)", f"gpu({gpus - 1})") if gpus else ("cpu(0)", "cpu(1)")
    assert current == f"without a block cpu(0), in blocks {first} and {last}, a sum {first}"
    assert moved == f"moved to {last}, copied to {last}: 12"
    assert len(products) == (gpus or 2)
    assert all(line.startswith("4 batches on ") and line.endswith("below 0.01") for line in products)
