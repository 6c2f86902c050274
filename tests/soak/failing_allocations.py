#!/usr/bin/env python3
"""Programs whose allocations fail: an error each time, the same results afterwards, and no process ends.

failing_allocations.py [points] [seed] [scenario ...]      20,000 random points by default; 0: every one

Half of them fail once, the others for good from there on.
"""

from __future__ import annotations

import random
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from allocation.points import Outcome, build_shim, count_points, try_points
from allocation.scenarios import SCENARIOS


def main() -> int:
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    names = sys.argv[3:] or [*SCENARIOS, "import"]

    build_shim()
    last_of = {name: count_points(name) for name in names}
    most = {name: 200 if name == "import" else 2 * last for name, last in last_of.items()}
    shares = dict.fromkeys(names, 0)
    while (left := (total or sum(most.values())) - sum(shares.values())) > 0:
        open_ = [name for name in names if shares[name] < most[name]]
        if not open_:
            break
        for name in open_:
            shares[name] = min(most[name], shares[name] + -(-left // len(open_)))

    def work(name: str) -> Outcome:
        last, share = last_of[name], shares[name]
        if share >= 2 * last:
            points = [(n, lasting) for lasting in (False, True) for n in range(1, last + 1)]
        else:
            numbers = random.Random(f"{seed} {name}")
            points = [(numbers.randint(1, last), i % 2 == 1) for i in range(share)]
        outcome = try_points(name, points)
        print(f"{name}: {last} allocations, {len(points)} points: {dict(outcome.counts)}", flush=True)
        for failure in outcome.failures[:20]:
            print("   ", failure, flush=True)
        return outcome

    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(work, names))
    failed = sum(len(o.failures) for o in outcomes)
    tried = sum(sum(o.counts.values()) for o in outcomes)
    errors = sum(o.counts["error"] for o in outcomes)
    ended = sum(o.counts["ended"] + o.counts["stuck"] for o in outcomes)
    wrong = sum(o.counts["wrong"] for o in outcomes)
    print(
        f"{tried} points (seed {seed}): {errors} errors, {ended} processes ended or stuck, "
        f"{wrong} wrong afterwards"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
