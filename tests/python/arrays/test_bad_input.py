"""Wrong arguments of functions that make or change arrays: an exception that says why, never a crash."""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Iterator
from typing import Any, Callable

import numpy as np
import pytest

import mixgrad as mx

nan = float("nan")
# Anything that somebody may pass by mistake; made anew for each call.
STRANGE: list[Callable[[], Any]] = [
    *(
        lambda v=v: v
        for v in (None, -1, 0, 2.5, nan, float("inf"), "x", b"y", (1, 2, 3), 2**70, -(2**63), True, 1j)
    ),
    object,
    list,
    dict,
    lambda: [None],
    lambda: [nan],
    lambda: [float("inf")],
    mx.cpu,
    lambda: np.array([1, 2]),
    lambda: mx.nd.ones((2,)),
    lambda: mx.nd.zeros((0,)),
    lambda: [mx.nd.ones((2,))],
]
FUNCTIONS = [
    "add",
    "arange",
    "array",
    "concatenate",
    "empty",
    "eye",
    "from_dlpack",
    "from_numpy",
    "full",
    "linspace",
]
FUNCTIONS += [
    "load",
    "load_frombuffer",
    "maximum",
    "moveaxis",
    "onehot_encode",
    "ones",
    "save_tobuffer",
    "zeros",
]
METHODS = [
    *("__contains__", "__floordiv__", "__getitem__", "__matmul__"),
    *(
        "as_in_context",
        "astype",
        "attach_grad",
        "backward",
        "broadcast_to",
        "clip",
        "copyto",
    ),
    *(
        "expand_dims",
        "one_hot",
        "pad",
        "pick",
        "repeat",
        "reshape",
        "reshape_view",
        "slice",
        "slice_assign_scalar",
    ),
    *(
        "slice_axis",
        "sort",
        "split",
        "squeeze",
        "sum",
        "swapaxes",
        "take",
        "tile",
        "topk",
        "tostype",
        "transpose",
    ),
]
# Messages that Python or NumPy make well, about calls and about truth.
PLAIN = re.compile(
    r"positional argument|expected 1 argument, got|truth value|unsupported operand|could not be broadcast"
)
REFUSALS = (TypeError, ValueError, IndexError, OverflowError, BufferError, MemoryError, mx.MXNetError)


@pytest.fixture(autouse=True)
def drained() -> Iterator[None]:
    """What failed late and was dropped unread is no later test's business."""
    yield
    with contextlib.suppress(mx.MXNetError):
        mx.nd.waitall()


def attempt(call: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    try:
        result = call(*arguments)
        for item in result if isinstance(result, (list, tuple)) else [result]:
            if isinstance(item, mx.nd.NDArray) and item.size < 10**6:
                item.wait_to_read()
    except mx.base.InternalError:
        raise
    except REFUSALS as error:
        assert str(error).startswith("[") or PLAIN.search(str(error)), f"{error!r} for {arguments!r}"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name: str) -> None:
    for count in (0, 1, 2):
        for makers in itertools.product(STRANGE, repeat=count):
            attempt(getattr(mx.nd, name), tuple(make() for make in makers))


# Methods that only this package calls: no crash, whatever the message.
@pytest.mark.parametrize("name", ["_attach_grad", "_copy_into", "_rows", "_shares_memory", "_view"])
def test_inner_methods(name: str) -> None:
    for count in (0, 1, 2):
        for makers in itertools.product(STRANGE, repeat=count):
            with contextlib.suppress(*REFUSALS):
                getattr(mx.nd.ones((2, 3)), name)(*(make() for make in makers))


MODULES = {
    "autograd": ("backward", "grad", "gradcheck", "mark_variables", "pause", "record"),
    "context": ("Context", "cpu", "cpu_pinned", "cpu_shared", "gpu"),
    "engine": ("set_engine_type", "set_num_threads"),
    "memory": ("memory_info", "reset_peak_memory"),
    "random": tuple(mx.random.__all__),
}


@pytest.mark.parametrize(("module", "name"), [(m, n) for m, names in MODULES.items() for n in names])
def test_other_functions(module: str, name: str) -> None:
    threads = mx.engine.num_threads()
    for count in (0, 1, 2):
        for makers in itertools.product(STRANGE, repeat=count):
            attempt(getattr(getattr(mx, module), name), tuple(make() for make in makers))
    mx.engine.set_num_threads(threads)


@pytest.mark.parametrize("name", METHODS)
def test_methods(name: str) -> None:
    for count in (0, 1, 2):
        for makers in itertools.product(STRANGE, repeat=count):
            attempt(getattr(mx.nd.ones((2, 3)), name), tuple(make() for make in makers))


def test_assignment() -> None:
    for key, value in itertools.product(STRANGE, repeat=2):
        attempt(mx.nd.ones((2, 3)).__setitem__, (key(), value()))


@pytest.mark.parametrize("index", [nan, float("inf"), -float("inf"), 1e30, -1e30, 0.5, 2**31, -(2**63)])
@pytest.mark.parametrize("name", ["take", "pick", "one_hot", "gather_nd", "Embedding", "x[i]"])
def test_indices_from_hostile_data(name: str, index: float) -> None:
    x = mx.nd.ones((4, 3))
    indices = mx.nd.array([[index, 0]], dtype="float64")
    calls: dict[str, Callable[[], Any]] = {
        "take": lambda: mx.nd.take(x, indices),
        "pick": lambda: mx.nd.pick(mx.nd.ones((2, 3)), indices.reshape((2,))),
        "one_hot": lambda: mx.nd.one_hot(indices, depth=3),
        "gather_nd": lambda: mx.nd.gather_nd(x, indices.reshape((2, 1))),
        "Embedding": lambda: mx.nd.Embedding(indices, x, input_dim=4, output_dim=3),
        "x[i]": lambda: x[indices],
    }
    attempt(calls[name], ())
    np.testing.assert_array_equal(x.asnumpy(), 1)
