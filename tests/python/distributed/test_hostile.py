"""Strangers at the ports of a store: training goes on with the bits that it would have had."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from distributed import hostile, training_worker
from distributed.test_training import HERE

STEPS = 40


def servers_of(launcher: int) -> list[int]:
    """Processes of the scheduler and servers."""
    found = []
    for number in Path(f"/proc/{launcher}/task/{launcher}/children").read_text().split():
        try:
            environment = Path(f"/proc/{number}/environ").read_bytes()
        except OSError:
            continue
        if b"DMLC_ROLE=s" in environment:
            found.append(int(number))
    return found


def test_training_goes_on_among_strangers(tmp_path: Path) -> None:
    script, result = str(HERE / "training_worker.py"), tmp_path / "result"
    words = [sys.executable, "-m", "mixgrad", "launch", "-n", "1", "-s", "2", sys.executable]
    words += [script, "dist_sync", str(STEPS), str(result)]
    environment = {**os.environ, "MIXGRAD_TIME_LIMIT": "40"}
    with subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True) as launcher:
        ports: list[int] = []
        end = time.monotonic() + 30
        while len(ports) < 3 and launcher.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
            ports = [port for one in servers_of(launcher.pid) for port in hostile.ports_of(one)]
        assert len(ports) >= 3, ports
        done = hostile.attack(2.0, 100, ports)
        _, said = launcher.communicate(timeout=50)
    assert launcher.returncode == 0, said
    assert min(done.values()) > 5, done
    with np.load(f"{result}.npz") as values:
        for name, value in training_worker.alone(1, STEPS).items():
            np.testing.assert_array_equal(values[name], value, err_msg=name)
