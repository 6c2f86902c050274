"""What surrounds arrays: waiting, late errors, memory, engines, forks, threads, the profiler."""

from __future__ import annotations

import contextlib
import gc
import json
import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import mixgrad as mx


@pytest.fixture(params=["threaded", "serial"])
def engine(request: Any) -> Iterator[str]:
    before = mx.engine.engine_type()
    mx.engine.set_engine_type(request.param)
    yield request.param
    mx.engine.set_engine_type(before)


def late_failure() -> mx.nd.NDArray:
    """An array whose computing fails because of its data."""
    return mx.nd.take(mx.nd.ones((2, 3)), mx.nd.array([0, 7]), mode="raise")


# Errors that data cause.


def test_late_errors_name_the_operator(engine: str) -> None:
    reads: list[Callable[[Any], Any]] = [
        lambda x: x.asnumpy(),
        lambda x: x.wait_to_read(),
        repr,
        lambda x: (x * 2 + 1).asnumpy(),
        lambda x: x[0].asnumpy(),
        lambda x: x.sum().asscalar(),
    ]
    for read in reads:
        with pytest.raises(mx.MXNetError, match=r"\[take\].*7"):
            read(late_failure())


def test_a_later_write_clears_the_failure() -> None:
    x = mx.nd.ones((2, 3))
    mx.nd.take(mx.nd.ones((2, 3)), mx.nd.array([0, 7]), mode="raise", out=x)
    with pytest.raises(mx.MXNetError):
        x.asnumpy()
    x[:] = 4
    assert x.asnumpy().min() == 4


def test_other_arrays_are_unharmed(engine: str) -> None:
    base = mx.nd.ones((2, 3))
    bad, good = mx.nd.take(base, mx.nd.array([9]), mode="raise"), base * 3
    assert good.asnumpy().min() == 3 and base.asnumpy().max() == 1
    with pytest.raises(mx.MXNetError):
        bad.wait_to_read()
    mx.nd.waitall()


def test_waitall_reports_what_nobody_has_seen() -> None:
    mx.nd.waitall()
    bad = late_failure()
    with pytest.raises(mx.MXNetError, match="take"):
        mx.nd.waitall()
    mx.nd.waitall()
    del bad


# Memory.


def test_memory_info() -> None:
    device = mx.cpu(11)
    before = mx.memory_info(device)
    x = mx.nd.ones((1000, 1000), ctx=device)
    x.wait_to_read()
    during = mx.memory_info(device)
    assert during.in_use - before.in_use >= x.nbytes and during.peak >= during.in_use
    assert during.reserved == during.in_use + during.pooled and during.blocks == before.blocks + 1
    del x
    gc.collect()
    after = mx.memory_info(device)
    assert after.in_use == before.in_use and after.pooled > 0
    device.empty_cache()
    assert mx.memory_info(device).pooled == 0
    mx.reset_peak_memory(device)
    assert mx.memory_info(device).peak == mx.memory_info(device).in_use
    with device:
        assert mx.memory_info().in_use == before.in_use


def small_program() -> float:
    """Creation, operators, views, indexing, gradients, files."""
    x = mx.nd.array(np.arange(6.0).reshape(2, 3))
    x.attach_grad()
    with mx.autograd.record():
        y = (x * x + 1)[0:1] - x[[1]]
        z = (y.reshape((-1,)) * mx.nd.ones((3,))).sum()
    z.backward()
    x[:, 1] = 5
    x += x.grad
    loaded = mx.nd.load_frombuffer(mx.nd.save_tobuffer({"x": x}))
    assert isinstance(loaded, dict)
    half = loaded["x"].astype("float16").copyto(mx.cpu(1))
    return float(mx.nd.dot(half.as_in_context(mx.cpu(0)).astype("float32"), x.T).asnumpy().sum())


def test_every_allocation_may_fail(engine: str) -> None:
    expected = small_program()
    gc.collect()
    gc.freeze()  # each of the collections below looks at what came after
    mx.nd.waitall()
    before = [mx.memory_info(mx.cpu(i)).in_use for i in (0, 1)]
    failed = []  # a failure may be harmless: what was not computed is overwritten
    for n in range(1, 100):
        mx._core.memory_fail_after(n)
        try:
            assert small_program() == expected
        except mx.base.OutOfMemoryError as error:
            assert "fail_after" in str(error)
            failed.append(n)
        finally:
            mx._core.memory_fail_after(0)
        with contextlib.suppress(mx.base.OutOfMemoryError):
            mx.nd.waitall()
        gc.collect()
        assert [mx.memory_info(mx.cpu(i)).in_use for i in (0, 1)] == before, n
        assert not mx.autograd.is_recording()
    assert len(failed) > 10 and failed[-1] < 90, failed
    assert small_program() == expected


# Engines.


def test_switching_engines_keeps_values() -> None:
    before = mx.engine.engine_type()
    x = mx.nd.zeros((300, 300))
    for _ in range(20):
        x = x + 1
    for name in ("serial", "threaded", "NaiveEngine", "ThreadedEnginePerDevice"):
        mx.engine.set_engine_type(name)
        x = x * 1 + 1
    mx.engine.set_engine_type(before)
    assert x.asnumpy().min() == x.asnumpy().max() == 24
    with mx.engine.serial():
        assert mx.engine.engine_type() == "serial"
    assert mx.engine.engine_type() == before
    with pytest.raises(ValueError, match="no engine"):
        mx.engine.set_engine_type("fast")


def test_threads_of_one_operation() -> None:
    before = mx.engine.num_threads()
    mx.engine.set_num_threads(1)
    assert mx.engine.num_threads() == 1
    with pytest.raises(ValueError):
        mx.engine.set_num_threads(0)
    mx.engine.set_num_threads(before)


# Threads and processes.


def test_many_python_threads() -> None:
    shared = mx.nd.array(np.arange(100.0))

    def work(seed: int) -> float:
        rng = np.random.default_rng(seed)
        x = mx.nd.zeros((100,))
        x.attach_grad()
        for _ in range(50):
            with mx.autograd.record():
                y = (x * 2 + shared * float(rng.integers(1, 3))).sum()
            y.backward()
            x -= x.grad * 0.25
            x[int(rng.integers(100))] = 0
            if rng.integers(10) == 0:
                assert repr(x) and pickle_size(x) > 400
        return float(x.asnumpy().sum())

    with ThreadPoolExecutor(8) as pool:
        first = list(pool.map(work, range(16)))
    assert first == [work(seed) for seed in range(16)]
    assert shared.asnumpy().tolist() == list(range(100))


def pickle_size(x: mx.nd.NDArray) -> int:
    import pickle

    return len(pickle.dumps(x))


def test_recording_is_per_thread() -> None:
    seen: list[bool] = []
    with mx.autograd.record():
        thread = threading.Thread(target=lambda: seen.append(mx.autograd.is_recording()))
        thread.start()
        thread.join()
        assert mx.autograd.is_recording()
    assert seen == [False]


def in_child(x: mx.nd.NDArray, queue: Any) -> None:
    y = x
    for _ in range(10):
        y = y * 2 - x
    for _ in range(8):
        big = mx.nd.dot(mx.nd.ones((200, 200)), mx.nd.ones((200, 200)))
        big.wait_to_read()
    queue.put((float(y.asnumpy().sum()), float(big.asnumpy()[0, 0])))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_forked_children_compute(engine: str) -> None:
    context = multiprocessing.get_context("fork")
    x = mx.nd.ones((50,))
    for _ in range(
        8
    ):  # waited for one by one, so that the later ones run in this thread with a team of its own
        mx.nd.dot(mx.nd.ones((300, 300)), mx.nd.ones((300, 300))).wait_to_read()
    queue = context.Queue()
    children = [context.Process(target=in_child, args=(x, queue)) for _ in range(3)]
    for child in children:
        child.start()
    results = [queue.get(timeout=60) for _ in children]
    for child in children:
        child.join(60)
        assert child.exitcode == 0
    assert results == [(50.0, 200.0)] * 3
    assert (x + 1).asnumpy().max() == 2


AWAITED = """
import os, sys, threading, time
import mixgrad as mx
w = mx.nd.ones((600, 600))
stop = False
def awaited():
    while not stop:
        mx.nd.FullyConnected(w, w, no_bias=True, num_hidden=600).wait_to_read()
"""


def program_ends(text: str) -> str:
    """What a program prints; it must end by itself, without an error."""
    done = subprocess.run(
        [sys.executable, "-c", AWAITED + text], capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, (done.returncode, done.stderr)
    return done.stdout


def test_fork_while_another_thread_runs_large_work() -> None:
    """The child finds the arrays of that thread free, and its own loops have all threads."""
    assert "written" in program_ends("""
threading.Thread(target=awaited, daemon=True).start()
time.sleep(0.3)
pid = os.fork()
if pid == 0:
    w[:] = 0
    w.wait_to_read()
    print("written", flush=True)
    os._exit(0)
assert os.waitpid(pid, 0)[1] == 0
stop = True
""")


def test_children_of_children_compute() -> None:
    text = program_ends("""
def six():
    for _ in range(6):
        mx.nd.FullyConnected(w, w, no_bias=True, num_hidden=600).wait_to_read()
six()
for generation in (1, 2):
    pid = os.fork()
    if pid:
        assert os.waitpid(pid, 0)[1] == 0
        break
    six()
    print("generation", generation, flush=True)
os._exit(0)
""")
    assert "generation 1" in text and "generation 2" in text


def test_a_program_ends_while_a_daemon_thread_works() -> None:
    for _ in range(3):
        program_ends("""
threading.Thread(target=awaited, daemon=True).start()
time.sleep(0.2)
""")


def test_other_threads_run_during_large_work() -> None:
    """Work that runs in the pushing thread, or holds it up, lets go of the interpreter."""
    ticks = 0
    stop = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not stop.wait(0.001):
            ticks += 1

    thread = threading.Thread(target=count)
    thread.start()
    a = mx.nd.ones((1500, 1500))
    mx.nd.waitall()
    least = []
    for _ in range(6):
        before = ticks
        mx.nd.dot(a, a).wait_to_read()
        least.append(ticks - before)
    before = ticks
    x = a
    for _ in range(9000):  # more than the engine lets a thread be ahead of the workers
        x = x[:600] + 1 if x.shape[0] > 600 else x + 1
    pushed = ticks - before
    x.wait_to_read()
    stop.set()
    thread.join()
    assert min(least) > 0 and pushed > 0, (least, pushed)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_arrays_reach_other_processes() -> None:
    with multiprocessing.get_context("fork").Pool(2) as pool:
        doubled = pool.map(_double, [mx.nd.full((3,), i) for i in range(4)])
    assert [x.asnumpy().tolist() for x in doubled] == [[2.0 * i] * 3 for i in range(4)]


def _double(x: mx.nd.NDArray) -> mx.nd.NDArray:
    return x * 2


@pytest.mark.parametrize(
    "end",
    [
        "",
        "x.wait_to_read()",
        "import sys; sys.exit(0)",
        "import threading; threading.Thread(target=lambda: x * 2).start()",
    ],
)
def test_a_program_ends_with_work_under_way(end: str) -> None:
    program = f"""
import mixgrad as mx
x = mx.nd.ones((400, 400))
keep = []
for _ in range(50):
    x = mx.nd.dot(x, x) * 0
    keep.append(x[0])
x.attach_grad()
bad = mx.nd.take(x, mx.nd.array([1000]), mode="raise")
{end}
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr


# The profiler.


def test_profile(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    with mx.profiler.profile(path):
        x = mx.nd.ones((500, 500))
        y = mx.nd.dot(x, x) + 1
        y.wait_to_read()
    (mx.nd.ones((3,)) * 2).wait_to_read()
    trace = json.loads(path.read_text())
    events = trace["traceEvents"] if isinstance(trace, dict) else trace
    tasks = [e for e in events if e.get("ph") == "X"]
    names = [e["name"] for e in tasks]
    assert any("dot" in name for name in names) and any("ones" in name for name in names)
    assert not any("mul" in name for name in names)
    for event in tasks:
        assert event["dur"] >= 0 and event["ts"] >= 0 and {"pid", "tid", "name"} <= set(event)
    assert os.listdir(tmp_path) == ["trace.json"]


def test_profile_shows_nodes_of_graphs(tmp_path: Path) -> None:
    net = mx.sym.sum(mx.sym.tanh(mx.sym.var("x"), name="squash"), name="total")
    executor = net.simple_bind(mx.cpu(), x=(3, 4))
    with mx.profiler.profile(tmp_path / "trace.json"):
        executor.forward(is_train=True)
        executor.backward(mx.nd.ones((1,)))
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    nodes = {(e["cat"], e["name"], e["args"]["node"]) for e in events if "node" in e.get("args", {})}
    assert {("node", "tanh", "squash"), ("node", "sum", "total")} <= nodes
    assert any("squash_backward" in node for _, _, node in nodes)


def test_profiler_without_work_and_without_place(tmp_path: Path) -> None:
    mx.profiler.start()
    mx.profiler.stop()
    mx.profiler.dump(filename=tmp_path / "empty.json")
    json.loads((tmp_path / "empty.json").read_text())
    with pytest.raises(OSError):
        mx.profiler.dump(filename=tmp_path / "no" / "folder.json")
    assert os.listdir(tmp_path) == ["empty.json"]


def test_sizes_of_bulks_are_kept_for_each_thread() -> None:
    before = mx.engine.set_bulk_size(5)
    with mx.engine.bulk(3):
        assert mx.engine.set_bulk_size(4) == 3
    assert mx.engine.set_bulk_size(before) == 5
