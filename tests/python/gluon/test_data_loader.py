"""DataLoader: batches made in the program, in threads and in processes; errors; processes that are killed."""

from __future__ import annotations

import gc
import multiprocessing
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.gluon import data
from mixgrad.gluon.data import batchify

WORKERS: dict[str, dict[str, Any]] = {
    "program": {},
    "threads": {"num_workers": 2, "thread_pool": True},
    "processes": {"num_workers": 2},
}
SPAWNED = Path(__file__).parent / "spawned_loader.py"


class Rows(data.Dataset):
    """Example i is a row of 20,000 numbers i, of the loader's own memory kinds."""

    def __init__(self, kind: str = "numpy", count: int = 11) -> None:
        self.kind, self.count = kind, count

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, i: int) -> Any:
        if i >= self.count:
            raise IndexError
        row = np.full(20000, i, np.float32)
        return (row if self.kind == "numpy" else mx.nd.array(row)), i


class Slow(data.Dataset):
    def __len__(self) -> int:
        return 200

    def __getitem__(self, i: int) -> int:
        time.sleep(0.01)
        return i


class Broken(data.Dataset):
    def __len__(self) -> int:
        return 10

    def __getitem__(self, i: int) -> int:
        if i == 5:
            raise KeyError("the fifth")
        return i


class Noisy(data.Dataset):
    """Numbers from all generators that transforms draw from."""

    def __len__(self) -> int:
        return 12

    def __getitem__(self, i: int) -> Any:
        ours = float(mx.nd.random.uniform(shape=1).asscalar())
        return np.array([np.random.rand(), random.random(), ours])  # noqa: NPY002


@pytest.mark.parametrize("kind", ["numpy", "ours"])
@pytest.mark.parametrize("where", WORKERS)
def test_batches(where: str, kind: str) -> None:
    loader = data.DataLoader(Rows(kind), batch_size=4, **WORKERS[where])
    assert len(loader) == 3
    for _ in range(3):
        batches = list(loader)
        assert [x.shape for x, _ in batches] == [(4, 20000), (4, 20000), (3, 20000)]
        assert np.concatenate([y.asnumpy() for _, y in batches]).tolist() == list(range(11))
        for x, y in batches:
            assert x.dtype == np.float32 and x.context == mx.cpu(0)
            assert (x.asnumpy() == y.asnumpy()[:, None]).all()


@pytest.mark.parametrize("where", WORKERS)
def test_batches_of_structures(where: str) -> None:
    make = batchify.Group(batchify.Stack(use_shared_mem=True), batchify.AsList())
    big = [(np.full((100, 300), i), {"name": str(i), "again": np.full(30000, i)}) for i in range(3)]
    loader = data.DataLoader(big, batch_size=3, batchify_fn=make, **WORKERS[where])
    for _ in range(2):
        ((x, names),) = list(loader)
        assert x.shape == (3, 100, 300) and x.dtype == np.int64
        for i, one in enumerate(names):
            assert one["name"] == str(i) and isinstance(one["again"], np.ndarray)
            assert (one["again"] == i).all() and (x[i].asnumpy() == i).all()


def test_arrays_of_shared_memory_and_sparse_ones() -> None:
    shared = mx.cpu_shared()

    def batchify(rows: Any) -> Any:
        x = np.stack([row for row, _ in rows])
        sparse = mx.nd.array(np.eye(3)).tostype("csr")
        return mx.nd.array(x, ctx=shared), mx.nd.array([i for _, i in rows], ctx=shared), sparse

    for x, y, sparse in data.DataLoader(Rows(), 4, num_workers=1, batchify_fn=batchify):
        assert x.context == y.context == mx.cpu(0)
        assert (x.asnumpy() == y.asnumpy()[:, None]).all()
        assert sparse.stype == "csr" and (sparse.asnumpy() == np.eye(3)).all()


def test_one_array_twice_in_a_batch() -> None:
    loader = data.DataLoader(
        Rows(), batch_size=2, num_workers=1, batchify_fn=lambda rows: [rows[0][0], rows[0][0], rows[1][0]]
    )
    for number, (a, b, c) in enumerate(loader):
        assert a is b and a[0] == 2 * number and c[0] == 2 * number + 1
        if number == 4:
            break


def test_batches_may_be_kept_and_written() -> None:
    """Memory goes back to a worker only when nothing in the program shows it."""
    loader = data.DataLoader(Rows(count=100), batch_size=1, num_workers=1)
    kept = [x for x, _ in loader]
    for i, x in enumerate(kept):
        assert (x.asnumpy() == i).all()
        x[:] = -1
    views = [x[0, 5:9] for x, _ in loader]
    gc.collect()
    assert [float(v[0].asscalar()) for v in views] == list(range(100))
    assert all((x.asnumpy() == -1).all() for x in kept)


def test_segments_are_used_again() -> None:
    """A long pass holds a few segments, and no descriptors are left open."""
    loader = data.DataLoader(Rows(count=300), batch_size=2, num_workers=1)
    for number, (x, _) in enumerate(loader):
        if number == 20:
            open_at_20 = len(os.listdir("/proc/self/fd"))
        del x
    assert len(os.listdir("/proc/self/fd")) <= open_at_20 + 2
    assert loader._pool._workers[0].keeper._segments.keys() <= set(range(20))


def _named_memory(*pids: int) -> set[str]:
    """Names in /dev/shm of memory that these processes have; others on the machine may have some, too."""
    maps = "\n".join(Path(f"/proc/{pid}/maps").read_text() for pid in pids)
    return {name for name in re.findall("/dev/shm/(.*)", maps) if not name.endswith(" (deleted)")}


def test_nothing_lies_in_shared_memory_by_name() -> None:
    before = _named_memory(os.getpid())
    loader = data.DataLoader(Rows(), batch_size=4, num_workers=2)
    first = next(iter(loader))
    workers = [worker.process.pid for worker in loader._pool._workers]
    assert _named_memory(os.getpid(), *workers) <= before
    del first


@pytest.mark.parametrize("where", WORKERS)
def test_errors_of_the_dataset_arrive(where: str) -> None:
    loader = data.DataLoader(Broken(), batch_size=2, **WORKERS[where])
    batches = iter(loader)
    assert [next(batches).asnumpy().tolist() for _ in range(2)] == [[0, 1], [2, 3]]
    with pytest.raises(KeyError, match="the fifth") as caught:
        next(batches)
    if where == "processes":
        assert "__getitem__" in str(caught.value.__cause__)


@pytest.mark.parametrize("where", ["threads", "processes"])
def test_batches_that_take_too_long(where: str) -> None:
    loader = data.DataLoader(Slow(), batch_size=100, timeout=0.05, **WORKERS[where])
    with pytest.raises(multiprocessing.TimeoutError, match="larger timeout"):
        next(iter(loader))


def test_random_transforms_do_not_depend_on_workers() -> None:
    def numbers(workers: int) -> np.ndarray:
        mx.random.seed(11)
        loader = data.DataLoader(Noisy(), batch_size=3, num_workers=workers)
        return np.concatenate([batch.asnumpy() for _ in range(2) for batch in loader])

    one = numbers(1)
    assert (one == numbers(3)).all()
    assert len(np.unique(one)) == one.size  # no two batches, and no two passes, draw the same


def test_passes_side_by_side_and_given_up() -> None:
    loader = data.DataLoader(Rows(), batch_size=2, num_workers=2, prefetch=6)
    a, b = iter(loader), iter(loader)
    assert [next(a)[1].asnumpy()[0], next(b)[1].asnumpy()[0], next(a)[1].asnumpy()[0]] == [0, 0, 2]
    del a
    assert [y.asnumpy()[0] for _, y in b] == [2, 4, 6, 8, 10]
    for _ in range(20):
        next(iter(loader))
    assert not any(worker.tasks for worker in loader._pool._workers)
    assert not loader._pool._replies
    assert len(list(loader)) == 6


def test_auto_reload_asks_ahead() -> None:
    calls: list[int] = []

    def note(x: int) -> int:
        calls.append(x)
        return x

    numbers = data.SimpleDataset([0, 1, 2]).transform(note)
    loader = data.DataLoader(numbers, 1, num_workers=1, thread_pool=True, prefetch=1, auto_reload=True)

    def settle(count: int) -> int:
        end = time.monotonic() + 60
        while len(calls) < count and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.05)
        return len(calls)

    assert settle(1) == 1
    assert len(list(loader)) == 3
    assert settle(4) == 4
    loader.clean()
    assert loader._iter is None
    loader.auto_reload = False
    assert len(list(loader)) == 3 and settle(7) == 7


def test_arguments_that_exclude_each_other() -> None:
    for words in (
        {},
        {"batch_size": 2, "shuffle": True, "sampler": [0]},
        {"batch_size": 2, "batch_sampler": [[0]]},
        {"batch_size": 2, "timeout": 0},
    ):
        with pytest.raises(ValueError, match="DataLoader"):
            data.DataLoader([1, 2], **words)  # type: ignore[arg-type]
    loader = data.DataLoader([5, 6, 7], batch_sampler=[[2, 0], [1]], num_workers=1)
    assert [b.asnumpy().tolist() for b in loader] == [[7, 5], [6]]


def test_last_batch_and_shuffle() -> None:
    loader = data.DataLoader(list(range(10)), 4, shuffle=True, last_batch="rollover", num_workers=2)
    first, second = list(loader), list(loader)
    assert [len(b) for b in first] == [4, 4] and [len(b) for b in second] == [4, 4, 4]
    seen = np.concatenate([b.asnumpy() for b in first + second])
    assert sorted(seen.tolist()) == sorted(list(range(10)) * 2)


def test_pinned_batches() -> None:
    x, y = next(iter(data.DataLoader(Rows(), 4, num_workers=1, pin_memory=True)))
    assert x.context == y.context == mx.context.Context("cpu_pinned", 0)
    assert (x.asnumpy() == y.asnumpy()[:, None]).all()


# ---- processes that end


def test_a_killed_worker_is_an_error_that_names_it() -> None:
    loader = data.DataLoader(Slow(), batch_size=4, num_workers=3)
    chance = random.Random(4)
    for _ in range(8):
        batches = iter(loader)
        for _ in range(chance.randrange(1, 8)):
            next(batches)
        time.sleep(chance.uniform(0, 0.05))
        victim = chance.choice(loader._pool._workers)
        pid = victim.process.pid
        os.kill(pid, signal.SIGKILL)
        start = time.monotonic()
        with pytest.raises(data.WorkerDiedError, match=rf"worker {victim.number} \(process {pid}\).*SIGKILL"):
            list(batches)
        assert time.monotonic() - start < 30
    assert len(list(loader)) == 50


def test_a_worker_that_exits_is_an_error() -> None:
    class Leaves(Slow):
        def __getitem__(self, i: int) -> int:
            os._exit(3)

    loader = data.DataLoader(Leaves(), batch_size=4, num_workers=1)
    with pytest.raises(
        data.WorkerDiedError, match=r"ended with status 3; it was to make batches \[0, 1, 2\]"
    ):
        next(iter(loader))


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_workers_end_with_a_program_that_is_killed(method: str) -> None:
    with subprocess.Popen(
        [sys.executable, str(SPAWNED), method], stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        pids = [int(pid) for pid in program.stdout.readline().split()]
        assert len(pids) == 2 and all(map(_lives, pids))
        assert not _named_memory(program.pid, *pids)
        program.send_signal(signal.SIGKILL)
        program.wait()
    end = time.monotonic() + 60
    while any(map(_lives, pids)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(map(_lives, pids))


def test_a_forked_program_starts_workers_of_its_own() -> None:
    loader = data.DataLoader(Rows(), batch_size=4, num_workers=1)
    parents = loader._pool._workers[0].process.pid
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            own = len(list(loader)) == 3 and loader._pool._workers[0].process.pid != parents
            loader._pool.close()
            status = 0 if own else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert len(list(loader)) == 3 and loader._pool._workers[0].process.pid == parents
