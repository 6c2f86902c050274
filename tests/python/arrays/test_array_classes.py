"""The class of what operators make: that of their operands, or of the functions' own namespace."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import _core


class Shaped(mx.nd.NDArray):
    """What a second kind of arrays looks like; registered."""


class Plain(mx.nd.NDArray):
    """A subclass that nobody registered."""


_core.add_array_class(Shaped)


def shaped(values: Any, cls: type = Shaped) -> Any:
    out = cls()
    source = mx.nd.array(values)
    made = _core.create(source.shape, 0, (1, 0), out)
    made[:] = source
    if cls is Shaped:
        assert type(made) is Shaped
    return made


def test_operators_keep_a_registered_class() -> None:
    x, y = shaped([[1, 2], [3, 4]]), mx.nd.ones((2, 2))
    z = shaped([[1, 1], [1, 1]])
    for out in (
        *(x + z, x + 1, 2 / x, -x, abs(x), x > z, x == 1, x @ z, x + np.ones((2, 2))),
        *(x + y, y + x),  # beside one of the usual class
        *(
            x[0],
            x[:, 1:],
            x[mx.nd.array([0, 1])],
            x.T,
            x.copy(),
            x.detach(),
            x.reshape((4,)),
            x.astype("float64"),
        ),
        *(mx.nd.exp(x), mx.nd.dot(y, x), mx.nd.concat(y, x, dim=0), x.sum(), x.reshape((1, 4)).squeeze()),
        *mx.nd.split(x, 2),
        *(x.copyto(mx.cpu(0)), x.as_in_context(mx.cpu(1))),
    ):
        assert type(out) is Shaped, out
    for out in (
        y + 1,
        mx.nd.exp(y),
        mx.nd.zeros((2,)),
        y[0],
        mx.nd.concat(y, y),
        mx.nd.random.uniform(shape=(2,)),
    ):
        assert type(out) is mx.nd.NDArray
    before = y
    y += x  # an array stays what it is
    assert y is before and type(mx.nd.exp(x, out=y)) is mx.nd.NDArray
    x.attach_grad()
    with mx.autograd.record():
        total = (x * x).sum()
    total.backward()
    assert type(total) is Shaped and type(x.grad) is Shaped
    np.testing.assert_array_equal(x.grad.asnumpy(), 2 * x.asnumpy())


def test_other_subclasses_give_the_usual_class() -> None:
    x = Plain()
    assert type(x + 1) is mx.nd.NDArray and type(mx.nd.exp(x)) is mx.nd.NDArray


def test_the_garbage_collector_tracks_what_may_refer_to_objects() -> None:
    x = mx.nd.ones((2,))
    assert not gc.is_tracked(x) and not gc.is_tracked(x + 1)
    weak = weakref.ref(x)
    del x
    assert weak() is None
    held = Plain()
    held.itself = held  # type: ignore[attr-defined]
    assert gc.is_tracked(held) and gc.is_tracked(shaped([1.0]))
    with pytest.raises(TypeError, match="__class__ assignment"):  # they are freed in different ways
        mx.nd.ones((2,)).__class__ = Plain
    weak = weakref.ref(held)
    del held
    gc.collect()
    assert weak() is None


def test_functions_with_a_class_of_their_own() -> None:
    ones = _core.Op("_ones", Shaped)
    values = tuple(
        {"shape": (2, 3), "dtype": "float32", "ctx": "cpu(0)"}.get(name) for name in _parameters("_ones")
    )
    assert type(_core.call(ones, (), None, values)) is Shaped
    exp = _core.op_function(_core.Op("exp", Shaped), _exp)
    assert type(exp(mx.nd.ones((2,)))) is Shaped
    assert type(mx.nd.exp(mx.nd.ones((2,)))) is mx.nd.NDArray
    with pytest.raises(TypeError, match="NDArrayBase"):
        _core.Op("exp", int)
    with pytest.raises(TypeError, match="NDArrayBase"):
        _core.add_array_class(3)  # type: ignore[arg-type]


def _exp(data: Any, *, out: Any = None, name: Any = None) -> Any:
    raise AssertionError("not called")


def _parameters(op: str) -> list[str]:
    described = [_core.describe_op(i) for i in range(_core.op_count())]
    return [p["name"] for d in described if d["name"] == op for p in d["params"]]


def test_planned_functions_keep_classes() -> None:
    fn = mx.jit(lambda x, y: (x * 2, y + 1, x))
    x, y = shaped([1, 2]), mx.nd.ones((2,))
    assert [type(out) for out in fn(x, y)] == [Shaped, mx.nd.NDArray, Shaped]
    assert [type(out) for out in fn(y, x)] == [mx.nd.NDArray, Shaped, mx.nd.NDArray]
    assert [type(out) for out in fn(y, y)] == [mx.nd.NDArray] * 3
