"""Locks that a thread of the parent holds at a fork are free in the child; limits of threads."""

from __future__ import annotations

import subprocess
import sys

import pytest

import mixgrad as mx

PROGRAM = """
import os, signal, threading
import mixgrad as mx

entered, leave = threading.Event(), threading.Event()


class Waits(mx.autograd.Function):
    def forward(self, x):
        return x * 1

    def backward(self, dy):
        entered.set()
        leave.wait(60)
        return dy


def differentiate(function):
    x = mx.nd.ones((2,))
    x.attach_grad()
    with mx.autograd.record():
        y = function(x)
    y.backward()
    return x.grad.asnumpy().sum()


thread = threading.Thread(target=differentiate, args=(Waits(),))
thread.start()
entered.wait()
child = os.fork()
if child == 0:
    signal.alarm(30)
    os._exit(0 if differentiate(lambda x: x * 3) == 6 else 1)
_, status = os.waitpid(child, 0)
leave.set()
thread.join()
assert differentiate(lambda x: x * 2) == 4
raise SystemExit(0 if status == 0 else f"the child ended with {status}")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_a_child_differentiates_while_the_parent_does() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("count", [0, -3, 1025, 10**9])
def test_numbers_of_threads_that_make_no_sense(count: int) -> None:
    with pytest.raises(mx.MXNetError, match=f"got {count}; expected 1 to 1024"):
        mx.engine.set_num_threads(count)
