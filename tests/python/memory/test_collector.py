"""Arrays that only Python's garbage collector can find: it is asked for them before they fill the memory."""

from __future__ import annotations

import gc
import os
import threading
from typing import Callable, Optional

import mixgrad as mx

MIB = 2**20
ROUNDS = 50
AtEnd = Callable[[mx.nd.NDArray], None]
SHAPE = (1024, 8192)  # 32 MiB


class Cycle:
    """Unreachable once nobody else holds it, and yet not freed."""

    def __init__(self, array: mx.nd.NDArray, at_end: Optional[AtEnd] = None) -> None:
        self.array = array
        self.myself = self
        self.at_end = at_end

    def __del__(self) -> None:
        if self.at_end:
            self.at_end(self.array)


def peak_of(ctx: mx.Context, program: Callable[[], None]) -> int:
    mx.nd.waitall()
    mx.reset_peak_memory(ctx)
    program()
    mx.nd.waitall()
    return mx.memory_info(ctx).peak


def test_cycles_stay_in_bounds() -> None:
    ctx = mx.cpu(31)
    x = mx.nd.ones(SHAPE, ctx=ctx)

    def loop() -> None:
        for _ in range(ROUNDS):
            Cycle(x * 2)
        for _ in range(ROUNDS):
            Cycle(mx.nd.empty(SHAPE, ctx=ctx))

    assert peak_of(ctx, loop) < 640 * MIB


def test_finalizers_may_compute_and_wait() -> None:
    ctx = mx.cpu(32)
    x = mx.nd.ones(SHAPE, ctx=ctx)
    seen = []

    def at_end(array: mx.nd.NDArray) -> None:
        seen.append((array[0] + 1).asnumpy()[0])
        Cycle(array * 2)

    def loop() -> None:
        for _ in range(ROUNDS):
            Cycle(x * 2, at_end)

    assert peak_of(ctx, loop) < 1024 * MIB
    assert seen and set(seen) == {3.0}


def test_several_threads() -> None:
    ctx = mx.cpu(33)
    x = mx.nd.ones(SHAPE, ctx=ctx)

    def loop() -> None:
        for _ in range(ROUNDS // 2):
            Cycle(x * 2)

    def threads() -> None:
        running = [threading.Thread(target=loop) for _ in range(3)]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()

    assert peak_of(ctx, threads) < 1024 * MIB


def test_forked_child() -> None:
    ctx = mx.cpu(34)
    x = mx.nd.ones(SHAPE, ctx=ctx)
    Cycle(x * 2)
    child = os.fork()
    if child == 0:
        code = 1
        try:

            def loop() -> None:
                for _ in range(ROUNDS):
                    Cycle(x * 2)

            code = 0 if peak_of(ctx, loop) < 640 * MIB else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_memory_that_python_frees_itself_needs_no_collection() -> None:
    ctx = mx.cpu(35)
    x = mx.nd.ones(SHAPE, ctx=ctx)
    whole = []
    gc.collect()

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start" and info["generation"] == 2:
            whole.append(info)

    gc.callbacks.append(note)
    try:
        for _ in range(20):
            x = x * 1
            x.wait_to_read()
    finally:
        gc.callbacks.remove(note)
    assert not whole
