"""Kills a training run at random times and lets it go on, 50 times; compares with a run left alone.

python tests/soak/kill_training.py [KILLS]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from training import interrupted


def main(wanted: int) -> int:
    done = rounds = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = interrupted.run(folder / "whole", interrupted.EPOCHS)
        rng = np.random.RandomState(0)
        while done < wanted:
            torn = folder / f"torn{rounds}"
            done += interrupted.run_with_kills(torn, rng, most=min(10, wanted - done))
            got = interrupted.parameters(torn)
            rounds += 1
            if sorted(got) != sorted(whole) or any((got[key] != whole[key]).any() for key in whole):
                print(f"round {rounds}: other parameters than without kills")
                return 1
    print(f"{done} kills in {rounds} runs; every run ended with the parameters of one that was left alone")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 50))
