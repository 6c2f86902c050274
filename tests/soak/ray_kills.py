"""Kills the actors of a training on Ray with -9 at random moments; it must end as an undisturbed one.

python tests/soak/ray_kills.py [KILLS] [SEED]

The scheduler, three servers and two workers; a training has about ten kills. Prints how long after each kill
the next update of a worker was over that needs what was killed: the longest wait between two updates until
the next kill.
"""

from __future__ import annotations

import os
import random
import signal
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import ray

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))
from distributed import training_worker  # noqa: E402

import mixgrad as mx  # noqa: E402

WORKERS, SERVERS, STEPS = 2, 3, 1500
PAUSE = (3.0, 6.0)  # seconds between kills: an actor that came back has its state again
ACTORS = ("ray::SchedulerActor", "ray::ServerActor", "ray::WorkerActor")


def train(folder: str, tests: str, steps: int) -> dict[str, Any]:
    """A worker; it notes when each of its updates was over."""
    sys.path.insert(0, tests)
    from distributed import training_worker as worker

    store, names = mx.kv.create("dist_sync"), list(worker.SHAPES)
    values = worker.first_values()
    store.init(names, list(values.values()))
    store.set_optimizer(worker.optimizer())
    store.pull(names, out=list(values.values()))
    with open(Path(folder) / f"worker{store.rank}", "a", buffering=1) as times:
        for step in range(store.rounds_done, steps):
            store.push(names, worker.gradients(values, *worker.part(step, store.rank, store.num_workers)))
            store.pull(names, out=list(values.values()))
            values["w1"].wait_to_read()
            times.write(f"{time.monotonic()}\n")
            time.sleep(0.01)
    store.barrier()
    store.pull(names, out=list(values.values()))
    return {name: value.asnumpy() for name, value in values.items()}


def actors(session: int) -> dict[int, str]:
    """Processes of this session's actors that do their work, with their titles."""
    found = {}
    for word in os.listdir("/proc"):
        if not word.isdigit():
            continue
        try:
            title = Path(f"/proc/{word}/cmdline").read_bytes().split(b"\0")[0].decode()
            fields = Path(f"/proc/{word}/stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            continue
        if title.startswith(ACTORS) and int(fields[3]) == session:
            found[int(word)] = title.removeprefix("ray::")
    return found


def updates(folder: Path) -> list[list[float]]:
    """When the updates of each worker were over."""
    files = (folder / f"worker{i}" for i in range(WORKERS))
    return [[float(line) for line in file.read_text().split()] if file.exists() else [] for file in files]


class Killer(threading.Thread):
    """Kills one after the other, until the workers have made their updates."""

    def __init__(self, seed: int, folder: Path) -> None:
        super().__init__(daemon=True)
        self.kills: list[tuple[float, str]] = []
        self.over = threading.Event()
        self._choose = random.Random(seed)
        self._folder = folder
        self._session = os.getsid(0)

    def run(self) -> None:
        while not self.over.wait(self._choose.uniform(*PAUSE)):
            if all(len(times) >= STEPS for times in updates(self._folder)):
                return
            there = actors(self._session)
            kinds = sorted(set(there.values()))
            if not kinds:
                continue
            kind = self._choose.choice(kinds)  # each role as often, however many there are of it
            process = self._choose.choice(sorted(one for one, title in there.items() if title == kind))
            self.kills.append((time.monotonic(), kind))
            os.kill(process, signal.SIGKILL)


def recoveries(folder: Path, kills: list[tuple[float, str]]) -> list[tuple[float, str]]:
    """Of each kill the longest wait between two updates that ends before the next kill."""
    times = sorted(one for several in updates(folder) for one in several)
    found = []
    for number, (begin, kind) in enumerate(kills):
        end = kills[number + 1][0] if number + 1 < len(kills) else times[-1]
        inside = [begin, *(one for one in times if begin < one <= end)]
        if len(inside) > 1:
            found.append((max(b - a for a, b in zip(inside, inside[1:])), kind))
    return found


def main() -> int:
    wanted_kills = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    ray.init(num_cpus=WORKERS + SERVERS, include_dashboard=False, log_to_driver=False, logging_level="error")
    wanted = training_worker.alone(WORKERS, STEPS)
    done: list[tuple[float, str]] = []
    count = 0
    while count < wanted_kills:
        with tempfile.TemporaryDirectory() as folder:
            killer = Killer(seed, Path(folder))
            killer.start()
            begin = time.monotonic()
            results = mx.ray.fit(
                train,
                WORKERS,
                SERVERS,
                args=(folder, str(ROOT / "python"), STEPS),
                restarts=1000,
                environment={"MIXGRAD_TIME_LIMIT": "120"},
            )
            killer.over.set()
            killer.join()
            for values in results:
                for name, value in wanted.items():
                    assert np.array_equal(values[name], value), (
                        f"seed {seed}: {name} differs after {killer.kills}"
                    )
            done += recoveries(Path(folder), killer.kills)
            count += len(killer.kills)
            seconds = time.monotonic() - begin
            kinds = " ".join(kind for _, kind in killer.kills)
            print(
                f"seed {seed}: {len(killer.kills)} kills in {seconds:.0f} s, same values: {kinds}", flush=True
            )
        seed += 1
    for title in sorted({kind for _, kind in done}):
        several = sorted(seconds for seconds, kind in done if kind == title)
        print(
            f"{title}: {len(several)} kills with updates after them; seconds to the next update: median "
            f"{statistics.median(several):.2f}, most {several[-1]:.2f}"
        )
    print(f"{count} kills")
    return 0


if __name__ == "__main__":
    sys.exit(main())
