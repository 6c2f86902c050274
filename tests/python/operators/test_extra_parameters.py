"""Keywords that an operator lacks: one without parameters ignores them with a warning, others refuse them."""

from __future__ import annotations

import warnings

import pytest

import mixgrad as mx
from mixgrad import _core, _hints
from mixgrad import ops as _ops
from mixgrad.symbol import functions


@pytest.fixture(autouse=True)
def _not_warned_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_hints, "_ignored", set())


def test_a_keyword_is_ignored_and_named_once() -> None:
    a, b = mx.nd.array([1, 5]), mx.nd.array([3, 4])
    with pytest.warns(UserWarning, match=r"\[broadcast_maximum\] axis is ignored") as caught:
        assert mx.nd.broadcast_maximum(a, b, axis=1).asnumpy().tolist() == [3, 5]
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mx.nd.broadcast_maximum(a, b, axis=1)
    with pytest.warns(UserWarning, match=r"\[broadcast_maximum\] other is ignored"):
        mx.nd.broadcast_maximum(a, b, axis=1, other="x")


def test_symbols_ignore_it_as_well() -> None:
    with pytest.warns(UserWarning, match=r"\[exp\] scale is ignored"):
        y = mx.sym.exp(mx.sym.var("x"), scale=2)
    assert y.list_arguments() == ["x"]
    assert y.attr_dict() == {}


# One parameter is number or text: what has none at all, by the operators' own description.
WITHOUT = [
    name
    for i, name in enumerate(_core.op_names())
    if not _core.describe_op(i)["params"] and hasattr(_ops, name) and _core.describe_op(i)["inputs"]
]


def test_all_operators_without_parameters_do() -> None:
    assert len(WITHOUT) > 100
    for name in WITHOUT:
        operator = functions.describe(name)
        inputs = [mx.sym.var(f"x{i}") for i in range(2 if operator.variadic else len(operator.inputs))]
        with pytest.warns(UserWarning, match="nothing is ignored"):
            functions.call(operator, name.lower(), tuple(inputs), {"nothing": 1})


def test_arrays_and_parameters_of_others_are_refused() -> None:
    x = mx.nd.ones(2)
    with pytest.raises(mx.base.SignatureError, match=r"\[exp\] no parameter is called 'like'"):
        mx.nd.exp(x, like=x)
    with pytest.raises(mx.base.SignatureError, match=r"\[softmax\] no parameter is called 'scale'"):
        mx.nd.softmax(x, scale=1)
