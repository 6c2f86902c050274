#!/usr/bin/env python3
"""Ten million operations leave resident memory flat: eager, recorded, queued and failing ones."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import mixgrad as mx

LIMIT = 4 << 20  # bytes of growth allowed after warm-up


def resident() -> int:
    """Bytes of memory this process occupies."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


def eager(count: int) -> None:
    a, b = mx.nd.ones((4,)), mx.nd.ones((4,))
    for _ in range(count):
        c = a + b
    c.wait_to_read()


def recorded(count: int) -> None:
    x = mx.nd.ones((4,))
    x.attach_grad()
    for _ in range(count // 1000):
        with mx.autograd.record():
            y = x
            for _ in range(500):
                y = y + x
        y.backward()  # as many operations again
    mx.nd.waitall()


def queued(count: int) -> None:
    a = mx.nd.ones((300, 300))
    for _ in range(count):
        b = a * 2 + 1
    b.wait_to_read()


def failing(count: int) -> None:
    a = mx.nd.ones((2,))
    wrong = mx.nd.ones((3,))
    for _ in range(count):
        try:
            a + wrong
        except mx.MXNetError:
            continue
        sys.exit("flat_memory: an operation on shapes that do not fit succeeded")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--operations", type=int, default=10_000_000)
    total = parser.parse_args().operations
    parts = [(eager, 0.6), (recorded, 0.35), (queued, 0.005), (failing, 0.045)]
    for work, share in parts:
        work(max(1000, int(total * share)))
    before = resident()
    for work, share in parts:
        work(int(total * share))
        grown = (resident() - before) / 1024
        print(f"{work.__name__:9s} {int(total * share):9,d} operations: {grown:+,.0f} KiB", flush=True)
    growth = resident() - before
    print(
        f"{total:,} operations: resident memory grew by {growth / 1024:,.0f} KiB (limit {LIMIT / 1024:,.0f})"
    )
    return 0 if growth <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
