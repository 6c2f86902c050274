"""Kills worker processes of a DataLoader, and programs that have one, at random moments.

    python tests/soak/kill_loader.py [--times 50] [--seed 0] [--method fork spawn]

A killed worker is an error that names it, within 5 seconds; the next pass has all batches. Nothing stays in
/dev/shm, no descriptors stay open, and no workers outlive their program.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import signal
import sys
import time
from typing import Any

import numpy as np

import mixgrad as mx
from mixgrad.gluon import data


class Rows(data.Dataset):
    """Rows of numbers that take a moment to make."""

    def __len__(self) -> int:
        return 120

    def __getitem__(self, i: int) -> Any:
        time.sleep(0.001)
        return np.full(100_000, i, np.float32), i


def check(loader: Any) -> None:
    for number, (x, y) in enumerate(loader):
        assert (x.asnumpy() == y.asnumpy()[:, None]).all()
        assert y.asnumpy()[0] == 4 * number


def kill_workers(times: int, chance: random.Random) -> float:
    """The longest time that an error took."""
    loader = data.DataLoader(Rows(), batch_size=4, num_workers=3)
    longest = 0.0
    for _ in range(times):
        batches = iter(loader)
        for _ in range(chance.randrange(1, 20)):
            next(batches)
        time.sleep(chance.uniform(0, 0.03))
        victim = chance.choice(loader._pool._workers)
        name = f"worker {victim.number} (process {victim.process.pid})"
        os.kill(victim.process.pid, signal.SIGKILL)
        start = time.monotonic()
        try:
            for _ in batches:
                pass
        except data.WorkerDiedError as error:
            assert name in str(error), error
        else:
            raise AssertionError(f"{name} was killed, and nobody noticed")
        longest = max(longest, time.monotonic() - start)
    check(loader)
    return longest


def _program(pipe: Any) -> None:
    loader = data.DataLoader(Rows(), batch_size=4, num_workers=3)
    pipe.send([worker.process.pid for worker in loader._pool._workers])
    while True:
        check(loader)


def _lives(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def kill_programs(times: int, chance: random.Random) -> float:
    """The longest time that a worker outlived its program."""
    context = multiprocessing.get_context()
    longest = 0.0
    for _ in range(times):
        ours, theirs = context.Pipe()
        program = context.Process(target=_program, args=(theirs,))  # type: ignore[attr-defined]
        program.start()
        pids = ours.recv()
        time.sleep(chance.uniform(0, 0.3))
        os.kill(program.pid, signal.SIGKILL)
        start = time.monotonic()
        program.join()
        while any(map(_lives, pids)):
            assert time.monotonic() - start < 5, f"workers {pids} outlive their program"
            time.sleep(0.01)
        longest = max(longest, time.monotonic() - start)
    return longest


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--method", nargs="+", default=["fork", "spawn"])
    options = parser.parse_args()
    before = set(os.listdir("/dev/shm"))
    for method in options.method:
        multiprocessing.set_start_method(method, force=True)
        chance = random.Random(options.seed)
        opened = len(os.listdir("/proc/self/fd"))
        error = kill_workers(options.times, chance)
        outlived = kill_programs(max(options.times // 10, 1), chance)
        left = sorted(set(os.listdir("/dev/shm")) - before)
        assert not left, f"in /dev/shm: {left}"
        more = len(os.listdir("/proc/self/fd")) - opened
        assert more <= 8, f"{more} descriptors are left open"
        print(
            f"{method}: errors within {error:.2f} s, workers ended within {outlived:.2f} s; nothing is left"
        )
    mx.nd.waitall()
    return 0


if __name__ == "__main__":
    sys.exit(main())
