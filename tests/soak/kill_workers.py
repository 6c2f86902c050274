"""Kills workers of a pool that trains one network without locks, at random moments.

    python tests/soak/kill_workers.py [--times 50] [--seed 0] [--method fork spawn]

A killed worker is an error that names it, within 5 seconds; where the others may go on, a warning names it
and the network is trained. No memory and no descriptors stay, and no workers outlive the pool.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import signal
import sys
import threading
import time
import warnings
from typing import Any

import numpy as np

import mixgrad as mx
from mixgrad.gluon import nn

WORKERS = 3


def network() -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(nn.Dense(64, activation="relu", in_units=20), nn.Dense(1, in_units=64))
    net.initialize()
    return net.share_memory()


def train(number: int, net: nn.HybridSequential, pids: mx.nd.NDArray, seconds: float) -> int:
    pids[number] = os.getpid()
    pids.wait_to_read()
    net.hybridize()
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1e-3}, kvstore=None)
    random = np.random.RandomState(number)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        x = random.randn(32, 20).astype("float32")
        with mx.autograd.record():
            loss = ((net(mx.nd.array(x)) - mx.nd.array(x[:, :1])) ** 2).sum()
        loss.backward()
        trainer.step(32)
        mx.nd.waitall()
    return number


class Killer(threading.Thread):
    """Kills one worker some time after it has begun."""

    def __init__(self, pids: mx.nd.NDArray, number: int, delay: float) -> None:
        super().__init__()
        self._pids, self.number, self._delay = pids, number, delay
        self.pid, self.when = 0, 0.0

    def run(self) -> None:
        while self.pid == 0:
            time.sleep(0.002)
            self.pid = int(self._pids.asnumpy()[self.number])
        time.sleep(self._delay)
        self.when = time.monotonic()
        os.kill(self.pid, signal.SIGKILL)


def lives(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def kill_one(method: str, chance: random.Random) -> float:
    """How long it took until the error came."""
    net, pids = network(), mx.nd.zeros((WORKERS,), dtype="int32").share_memory_()
    killer = Killer(pids, chance.randrange(WORKERS), chance.uniform(0, 0.1))
    killer.start()
    try:
        mx.processes.run(train, (net, pids, 60.0), WORKERS, method=method)
    except mx.processes.WorkerDiedError as error:
        came = time.monotonic()
        name = f"worker {killer.number} (process {killer.pid}) was ended by signal 9 (SIGKILL)"
        assert name in str(error), error
    else:
        raise AssertionError("a worker was killed, and nobody noticed")
    killer.join()
    assert not any(map(lives, pids.asnumpy().tolist())), "workers outlive their pool"
    return came - killer.when


def survive_one(method: str, chance: random.Random) -> None:
    net, pids = network(), mx.nd.zeros((WORKERS,), dtype="int32").share_memory_()
    killer = Killer(pids, chance.randrange(WORKERS), chance.uniform(0, 0.1))
    killer.start()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        results: list[Any] = mx.processes.run(train, (net, pids, 0.3), WORKERS, method=method, survive=True)
    killer.join()
    assert results[killer.number] is None and sum(one is None for one in results) == 1, results
    assert any(f"process {killer.pid}" in str(one.message) for one in told), told
    assert np.isfinite(net(mx.nd.ones((1, 20))).asnumpy()).all()


def shared_memory() -> int:
    with open("/proc/self/maps") as file:
        return sum("memfd:mixgrad" in line for line in file)


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
        chance = random.Random(options.seed)
        opened = len(os.listdir("/proc/self/fd"))
        longest = max(kill_one(method, chance) for _ in range(options.times))
        assert longest < 5, f"an error took {longest:.1f} s"
        for _ in range(max(options.times // 10, 1)):
            survive_one(method, chance)
        mx.nd.waitall()
        gc.collect()
        assert shared_memory() == 0, "shared memory is still mapped"
        left = sorted(set(os.listdir("/dev/shm")) - before)
        assert not left, f"in /dev/shm: {left}"
        more = len(os.listdir("/proc/self/fd")) - opened
        assert more <= 8, f"{more} descriptors are left open"
        print(f"{method}: {options.times} workers killed, errors within {longest:.2f} s; nothing is left")
    return 0


if __name__ == "__main__":
    sys.exit(main())
