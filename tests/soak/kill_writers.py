"""Kills each kind of writer at random times, 50 times each: files are old or new ones, nothing else stays.

python tests/soak/kill_writers.py [KILLS]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from files import kills


def main(wanted: int) -> int:
    rng = np.random.RandomState(0)
    for writer in kills.WRITERS:
        with tempfile.TemporaryDirectory() as folder:
            kills.kill_often(Path(folder), writer, wanted, rng)
        print(f"{writer}: {wanted} kills, whole files and nothing else")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 50))
