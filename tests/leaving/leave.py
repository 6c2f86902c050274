"""Leaves with a code of its own, in the state that the argument names, while work is queued.

``leave.py states`` prints every state with the code it leaves with.
"""

# ruff: noqa: F841  (what is computed is never looked at)

from __future__ import annotations

import _thread
import atexit
import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

CODE = 7
SIDE = 1000  # oneDNN computes products of this size
STATES: dict[str, tuple[int, Callable[[], Any]]] = {}  # the code, and how
KEPT: list[Any] = []

if len(sys.argv) > 1 and sys.argv[1] == "exit_handler_before_import":

    def compute_at_end() -> None:
        push_and_read()

    atexit.register(compute_at_end)

import mixgrad as mx  # noqa: E402


def state(code: int = CODE) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    def add(run: Callable[[], Any]) -> Callable[[], Any]:
        STATES[run.__name__] = (code, run)
        return run

    return add


def queue(count: int = 12) -> mx.NDArray:
    """Products that wait for each other; none of them has begun, or the first, or a later one."""
    a = mx.nd.ones((SIDE, SIDE))
    b = mx.nd.dot(a, a)
    for _ in range(count - 1):
        b = mx.nd.dot(a, b)
    time.sleep(os.getpid() % 3 * (os.getpid() % 20) / 1000)
    return b


def push_and_read() -> None:
    a = mx.nd.ones((200, 200))
    if mx.nd.dot(a, a).sum().asscalar() != 200.0**3:
        os._exit(90)
    KEPT.append(queue(2))


def in_thread(run: Callable[[], Any], daemon: bool = True) -> None:
    threading.Thread(target=run, daemon=daemon).start()
    time.sleep(0.005 + os.getpid() % 40 / 1000)


def signal_soon(number: int) -> None:
    def send() -> None:
        time.sleep(0.02 + os.getpid() % 30 / 1000)
        os.kill(os.getpid(), number)

    threading.Thread(target=send, daemon=True).start()


def for_ever(run: Callable[[], Any]) -> Callable[[], Any]:
    def again() -> None:
        while True:
            run()

    return again


def child_code(leave: Callable[[], Any]) -> int:
    child = os.fork()
    if child == 0:
        queue()
        leave()
        os._exit(90)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@state(0)
def ends() -> None:
    queue()


@state()
def sys_exit() -> None:
    KEPT.append(queue())
    sys.exit(CODE)


@state()
def system_exit() -> None:
    queue()
    raise SystemExit(CODE)


@state()
def os__exit() -> None:
    queue()
    os._exit(CODE)


@state(1)
def exception() -> None:
    sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    queue()
    raise RuntimeError("on the way")


@state()
def failed_task() -> None:
    a = queue(2)
    mx.memory._core.memory_fail_after(1)
    with contextlib.suppress(mx.MXNetError):
        b = a + a
    sys.exit(CODE)


@state()
def interrupted() -> None:
    values = queue(400)
    signal_soon(signal.SIGINT)
    try:
        values.wait_to_read()
    except KeyboardInterrupt:
        sys.exit(CODE)


@state(-signal.SIGINT)
def interrupt_unhandled() -> None:
    sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    values = queue(400)
    signal_soon(signal.SIGINT)
    values.asnumpy()


@state()
def sigterm_exits() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(CODE))
    queue(400)
    signal_soon(signal.SIGTERM)
    mx.nd.waitall()


@state(-signal.SIGTERM)
def sigterm_kills() -> None:
    queue(400)
    signal_soon(signal.SIGTERM)
    mx.nd.waitall()


@state()
def main_interrupted_by_thread() -> None:
    queue(400)
    try:
        in_thread(_thread.interrupt_main)
        mx.nd.waitall()
    except KeyboardInterrupt:
        sys.exit(CODE)


@state()
def daemon_waits() -> None:
    in_thread(queue(100).wait_to_read)
    sys.exit(CODE)


@state()
def daemon_reads() -> None:
    in_thread(queue(100).asnumpy)
    sys.exit(CODE)


@state()
def daemon_waits_for_all() -> None:
    queue(100)
    in_thread(mx.nd.waitall)
    sys.exit(CODE)


@state()
def daemons_work() -> None:
    """Each right after its last one: the calls work in their threads."""
    a = mx.nd.ones((SIDE, SIDE))
    for _ in range(3):
        in_thread(for_ever(lambda: mx.nd.dot(a, a).wait_to_read()))
    sys.exit(CODE)


@state()
def daemon_pushes() -> None:
    a = mx.nd.ones((SIDE, SIDE))
    in_thread(for_ever(lambda: mx.nd.dot(a, a)))
    sys.exit(CODE)


@state()
def daemon_in_callback() -> None:
    store = mx.kv.create("local")
    a = mx.nd.ones((4,))
    store.init(0, a)
    store._set_updater(lambda *_: [time.sleep(0) for _ in range(1000)])
    in_thread(for_ever(lambda: store.push(0, a)))
    sys.exit(CODE)


@state()
def thread_waits() -> None:
    in_thread(queue(10).wait_to_read, daemon=False)
    sys.exit(CODE)


@state()
def exit_in_thread() -> None:
    def leave() -> None:
        queue()
        os._exit(CODE)

    in_thread(leave)
    queue(100).wait_to_read()


@state()
def fork_exit() -> None:
    queue()

    def leave() -> None:
        sys.exit(3)

    sys.exit(CODE if child_code(leave) == 3 else 90)


@state()
def fork__exit() -> None:
    queue()
    sys.exit(CODE if child_code(lambda: os._exit(3)) == 3 else 90)


@state()
def multiprocess() -> None:
    import multiprocessing

    queue(2)
    child = multiprocessing.get_context("fork").Process(target=queue)
    child.start()
    child.join()
    sys.exit(CODE if child.exitcode == 0 else 90)


@state()
def exit_handler_before_import() -> None:  # registered above
    queue()
    sys.exit(CODE)


@state()
def exit_handler_after_import() -> None:
    atexit.register(push_and_read)
    queue()
    sys.exit(CODE)


@state()
def finalizer_computes() -> None:
    class Last:
        def __del__(self) -> None:
            push_and_read()

    KEPT.append(Last())
    queue()
    sys.exit(CODE)


@state()
def generator() -> None:
    def batches() -> Any:
        try:
            while True:
                yield queue(1)
        finally:
            KEPT.append(mx.nd.ones((3,)) + 1)

    stream = batches()
    KEPT.append((stream, next(stream), next(stream)))
    sys.exit(CODE)


@state()
def data_loader() -> None:
    import numpy as np

    inner = mx.io.NDArrayIter(np.ones((64, 100), "float32"), batch_size=4)
    loader = mx.io.PrefetchingIter(inner)
    for batch in loader:
        KEPT.append(mx.nd.dot(batch.data[0], batch.data[0], transpose_b=True))
        if len(KEPT) > 3:
            break
    sys.exit(CODE)


@state()
def saving() -> None:
    values = queue(20)
    path = os.environ.get("LEAVE_FILE", os.devnull)
    in_thread(lambda: mx.nd.save(path, [values]))
    sys.exit(CODE)


@state()
def profiler() -> None:
    mx.profiler.set_config(profile_all=True, filename=os.environ.get("LEAVE_FILE", os.devnull))
    mx.profiler.set_state("run")
    queue()
    sys.exit(CODE)


@state()
def serial_engine() -> None:
    mx.engine.set_engine_type("NaiveEngine")
    queue(3)
    sys.exit(CODE)


@state()
def backward() -> None:
    x = mx.nd.ones((SIDE, SIDE))
    x.attach_grad()
    with mx.autograd.record():
        y = mx.nd.dot(mx.nd.dot(x, x), x).sum()
    y.backward()
    sys.exit(CODE)


@state()
def custom_function() -> None:
    class Twice(mx.autograd.Function):
        def forward(self, x: mx.NDArray) -> mx.NDArray:
            return mx.nd.dot(x, x)

        def backward(self, dy: mx.NDArray) -> mx.NDArray:
            return mx.nd.dot(dy, dy)

    x = mx.nd.ones((SIDE, SIDE))
    x.attach_grad()
    with mx.autograd.record():
        y = mx.nd.dot(Twice()(x), x)
    KEPT.append(y)
    y.backward()
    sys.exit(CODE)


@state()
def executor() -> None:
    a = mx.sym.Variable("a")
    run = mx.sym.dot(a, a).simple_bind(mx.cpu(), a=(SIDE, SIDE))
    for _ in range(4):
        run.forward(is_train=True)
        run.backward(mx.nd.ones((SIDE, SIDE)))
    KEPT.append(run)
    sys.exit(CODE)


@state()
def training() -> None:
    import numpy as np

    data = mx.sym.Variable("data")
    net = mx.sym.Convolution(data, kernel=(3, 3), num_filter=64, name="c")
    net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.Flatten(net), num_hidden=10), name="softmax")
    module = mx.mod.Module(net)
    batches = mx.io.NDArrayIter(np.ones((32, 3, 28, 28), "float32"), np.zeros(32), batch_size=8)
    module.bind(batches.provide_data, batches.provide_label)
    module.init_params()
    module.init_optimizer()
    for batch in batches:
        module.forward_backward(batch)
        module.update()
    sys.exit(CODE)


@state()
def kvstore() -> None:
    store = mx.kv.create("local")
    values = mx.nd.ones((SIDE, SIDE))
    store.init(0, values)
    store._set_updater(lambda key, got, kept: mx.nd.dot(got, kept, out=kept))
    for _ in range(10):
        store.push(0, queue(1))
        store.pull(0, out=values)
    sys.exit(CODE)


@state()
def deep_queue() -> None:
    b = queue(2)
    for _ in range(3000):
        b = mx.nd.relu(b)
    sys.exit(CODE)


@state()
def numpy_memory() -> None:
    import numpy as np

    array = mx.nd.from_dlpack(np.ones((SIDE, SIDE), "float32"))
    for _ in range(10):
        mx.nd.dot(array, array)
    del array
    sys.exit(CODE)


if __name__ == "__main__":
    if sys.argv[1] == "states":
        for name, (code, _) in STATES.items():
            print(name, int(code))
    else:
        STATES[sys.argv[1]][1]()
