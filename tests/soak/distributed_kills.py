"""Kills processes of a distributed training with -9 at random moments; it must end as an undisturbed one.

python tests/soak/distributed_kills.py [KILLS] [SEED]

Two workers, three servers; a training has about ten kills.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))
from distributed import training_worker  # noqa: E402

WORKERS, SERVERS, STEPS = 2, 3, 1500
PAUSE = (2.0, 4.0)  # seconds between kills: a server that came back has its state again


def children(launcher: int) -> dict[str, int]:
    """Name -> process of what the launcher started."""
    found = {}
    with open(f"/proc/{launcher}/task/{launcher}/children") as file:
        numbers = file.read().split()
    for number in numbers:
        try:
            with open(f"/proc/{number}/environ", "rb") as file:
                words = dict(word.split("=", 1) for word in file.read().decode().split("\0") if "=" in word)
        except OSError:
            continue
        if "DMLC_ROLE" in words:
            found[f"{words['DMLC_ROLE']}:{words['MIXGRAD_NUMBER']}"] = int(number)
    return found


def one_training(seed: int, wanted: dict[str, np.ndarray]) -> int:
    """The kills of one training; raises where it does not end as it should."""
    choose = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "result"
        words = [sys.executable, "-m", "mixgrad", "launch", "-n", str(WORKERS), "-s", str(SERVERS)]
        script = str(ROOT / "python" / "distributed" / "training_worker.py")
        # An event that never comes makes the script slow enough to be hit.
        words += [
            "--restarts",
            "1000",
            sys.executable,
            script,
            "dist_sync",
            str(STEPS),
            str(result),
            "-1:none",
        ]
        kills, log = [], Path(folder) / "log"
        with open(log, "w") as output, subprocess.Popen(words, stderr=output) as launcher:
            last = time.monotonic()
            pause = choose.uniform(*PAUSE)
            while launcher.poll() is None:
                time.sleep(0.02)
                assert time.monotonic() - last < 120, f"seed {seed}: stands still after {kills}"
                if time.monotonic() - last < pause:
                    continue
                there = children(launcher.pid)
                name = choose.choice(sorted(there)) if there else ""
                if name and not result.with_suffix(".npz").exists():
                    os.kill(there[name], signal.SIGKILL)
                    kills.append(name)
                    last = time.monotonic()
                pause = choose.uniform(*PAUSE)
        text = log.read_text()
        assert launcher.returncode == 0, f"seed {seed}: code {launcher.returncode} after {kills}\n{text}"
        with np.load(result.with_suffix(".npz")) as values:
            for name, value in wanted.items():
                assert np.array_equal(values[name], value), (
                    f"seed {seed}: {name} differs after {kills}\n{text}"
                )
    print(f"seed {seed}: {len(kills)} kills, same values", flush=True)
    return len(kills)


def main() -> int:
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    wanted = training_worker.alone(WORKERS, STEPS)
    done = 0
    while done < kills:
        done += one_training(seed, wanted)
        seed += 1
    print(f"{done} kills")
    return 0


if __name__ == "__main__":
    sys.exit(main())
