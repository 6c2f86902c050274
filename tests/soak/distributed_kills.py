"""Kills processes of a distributed training with -9 at random moments; it must end as an undisturbed one.

python tests/soak/distributed_kills.py [KILLS [SEED [RESULTS]]]

Two workers, three servers that keep snapshots; a training has about ten kills: of workers, servers, the
scheduler, of all servers at once, or of the launcher, which is then started again with the same command.
After each kill it waits until every worker has done two more steps, and says how long that took. RESULTS is
a file that gets a line for each kill.
"""

from __future__ import annotations

import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))
from distributed import training_worker  # noqa: E402

WORKERS, SERVERS, STEPS = 2, 3, 1500
PAUSE = (0.3, 2.0)  # seconds from a recovery to the next kill
PATIENCE = 120.0  # seconds; what takes longer stands still
WANTED = 10.0  # seconds that a recovery may take
ENVIRONMENT = {"TRAINING_MOMENTUM": "0"}  # a command that is given again begins its optimiser anew


def children(launcher: int) -> dict[str, int]:
    """Name -> process of what the launcher started."""
    found = {}
    try:
        with open(f"/proc/{launcher}/task/{launcher}/children") as file:
            numbers = file.read().split()
    except OSError:
        return found
    for number in numbers:
        try:
            with open(f"/proc/{number}/environ", "rb") as file:
                words = dict(word.split("=", 1) for word in file.read().decode().split("\0") if "=" in word)
        except OSError:
            continue
        if "DMLC_ROLE" in words:
            found[f"{words['DMLC_ROLE']}:{words['MIXGRAD_NUMBER']}"] = int(number)
    return found


def is_there(process: int) -> bool:
    """Whether it runs; what was not waited for yet does not."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Training:
    """One training, and the launcher that it has at present."""

    def __init__(self, folder: Path) -> None:
        self.result, self._progress, self._log = folder / "result", folder / "step", folder / "log"
        words = [sys.executable, "-m", "mixgrad", "launch", "-n", str(WORKERS), "-s", str(SERVERS)]
        script = str(ROOT / "python" / "distributed" / "training_worker.py")
        words += ["--restarts", "1000", "--snapshots", str(folder / "kept"), "--snapshot-seconds", "1"]
        # An event that never comes makes the script slow enough to be hit.
        words += [sys.executable, script, "dist_sync", str(STEPS), str(self.result), "-1:none"]
        self._words = words
        self._last_step = -1
        self._environment = {**os.environ, **ENVIRONMENT, "TRAINING_PROGRESS": str(self._progress)}
        self.start()

    def start(self) -> None:
        with open(self._log, "a") as output:
            self.launcher = subprocess.Popen(self._words, stderr=output, env=self._environment)

    def is_over(self) -> bool:
        return self.launcher.poll() is not None or self.result.with_suffix(".npz").exists()

    def step(self) -> int:
        """That every worker has done."""
        steps = []
        for rank in range(WORKERS):
            try:
                text = Path(f"{self._progress}.{rank}").read_text()
            except OSError:
                return self._last_step
            if not text.endswith("\n"):  # it is being written
                return self._last_step
            steps.append(int(text))
        self._last_step = min(steps)
        return self._last_step

    def kill(self, name: str, there: dict[str, int]) -> None:
        if name == "launcher":
            self.launcher.kill()
            self.launcher.wait()
            end = time.monotonic() + PATIENCE
            while any(is_there(one) for one in there.values()):
                assert time.monotonic() < end, "the launcher ended, and its processes did not"
                time.sleep(0.01)
            self.start()
            return
        for one in there if name == "servers" else [name]:
            if name != "servers" or one.startswith("server:"):
                os.kill(there[one], signal.SIGKILL)

    def wait_for(self, step: int) -> float | None:
        """Seconds until every worker has done it; None where the training ended before."""
        begin = time.monotonic()
        while self.step() < step:
            if self.is_over():
                return None
            assert time.monotonic() - begin < PATIENCE, f"stands still\n{self.log()}"
            time.sleep(0.005)
        return time.monotonic() - begin

    def log(self) -> str:
        return self._log.read_text()[-4000:]


def one_training(seed: int, wanted: dict[str, np.ndarray]) -> list[tuple[str, float]]:
    """Whom it killed and how long each recovery took; raises where the training does not end as it should."""
    choose = random.Random(seed)
    kills: list[tuple[str, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        training = Training(Path(folder))
        try:
            training.wait_for(1)
            while not training.is_over():
                time.sleep(choose.uniform(*PAUSE))
                there = children(training.launcher.pid)
                if training.is_over() or len(there) < 1 + SERVERS + WORKERS:
                    continue
                name = choose.choice([*sorted(there), "servers", "launcher"])
                step = training.step()
                begin = time.monotonic()
                training.kill(name, there)
                if training.wait_for(step + 2) is not None:
                    kills.append((name, time.monotonic() - begin))
            training.launcher.wait(PATIENCE)
        finally:
            if training.launcher.poll() is None:
                training.launcher.terminate()
                training.launcher.wait()
        said = f"seed {seed}: after {kills}\n{training.log()}"
        assert training.launcher.returncode == 0, f"code {training.launcher.returncode}, {said}"
        with np.load(training.result.with_suffix(".npz")) as values:
            for name, value in wanted.items():
                assert np.array_equal(values[name], value), f"{name} differs, {said}"
    return kills


def show(kills: list[tuple[str, float]]) -> None:
    by_role = defaultdict(list)
    for name, seconds in kills:
        by_role[name.partition(":")[0]].append(seconds)
    for role, times in (*sorted(by_role.items()), ("all", [seconds for _, seconds in kills])):
        times = sorted(times)
        late = sum(seconds > WANTED for seconds in times)
        print(
            f"{role:10} {len(times):5} kills, seconds to recover: median {statistics.median(times):.2f}, "
            f"90% {times[int(0.9 * (len(times) - 1))]:.2f}, longest {times[-1]:.2f}; {late} over {WANTED:g}",
            flush=True,
        )


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    os.environ.update(ENVIRONMENT)
    wanted = training_worker.alone(WORKERS, STEPS)
    kills: list[tuple[str, float]] = []
    while len(kills) < count:
        more = one_training(seed, wanted)
        print(f"seed {seed}: {len(more)} kills, same values", flush=True)
        kills += more
        seed += 1
        if len(sys.argv) > 3:
            with open(sys.argv[3], "a") as file:
                file.writelines(f"{name} {seconds:.3f}\n" for name, seconds in more)
    show(kills)
    return 0


if __name__ == "__main__":
    sys.exit(main())
