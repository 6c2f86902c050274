"""Random networks under random passes, recompute and placement, for a time.

random_graphs.py [seconds] [first seed]      60 s by default; failures are printed and counted
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from graphs.compare import check


def main() -> int:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
    first, failed, end = seed, 0, time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            check(seed, 1 + seed % 40)
        except Exception as error:
            failed += 1
            print(f"seed {seed}: {type(error).__name__}: {error}", flush=True)
        seed += 1
    print(f"{seed - first} networks from seed {first}: {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
