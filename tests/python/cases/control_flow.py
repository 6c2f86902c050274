"""Loops, branches and gradients of graphs: the nodes that mx.sym.contrib and Symbol.gradient make."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import Array, Case, Spec

import mixgrad as mx


def _text(*outputs: Any) -> str:
    return str(mx.sym.Group(list(outputs)).tojson())


x, s, w = (mx.sym.var(name) for name in "xsw")
BODY = _text(x * w + s, mx.sym.tanh(s + x))  # inputs x, w, s


def foreach(data: Array, state: Array, weight: Array, **_: Any) -> tuple[Array, Array]:
    outputs = np.zeros((len(data), *np.broadcast_shapes(data.shape[1:], weight.shape)))
    for i, row in enumerate(data):
        outputs[i] = row * weight + state
        state = np.tanh(state + row)
    return outputs, state


def while_loop(i: Array, value: Array, weight: Array, **_: Any) -> tuple[Array, Array, Array]:
    outputs = np.zeros((4, *value.shape))
    step = 0
    while step < 4 and i[0] <= 2:
        outputs[step] = value * weight
        value, i, step = np.tanh(value) * weight, i + 1, step + 1
    return outputs, i, value


def cond(pred: Array, a: Array, b: Array, **_: Any) -> Array:
    return np.asarray(a * a * b if pred[0] else a + np.tanh(b))


FOREACH = {
    "subgraph0": BODY,
    "num_args": 4,
    "num_outputs": 2,
    "num_out_data": 1,
    "in_state_locs": (2,),
    "in_data_locs": (0,),
    "remain_locs": (1,),
}
WHILE = {
    "subgraph0": _text(x <= 2),
    "subgraph1": _text(s * w, x + 1, mx.sym.tanh(s) * w),  # inputs s, w, x
    "num_args": 5,
    "num_outputs": 3,
    "num_out_data": 1,
    "max_iterations": 4,
    "cond_input_locs": (0,),
    "func_input_locs": (1, 2, 0),
    "func_var_locs": (2, 0),
}
COND = {
    "subgraph0": _text(x * 1),
    "subgraph1": _text(x * x * s),
    "subgraph2": _text(x + mx.sym.tanh(s)),
    "num_args": 6,
    "num_outputs": 1,
    "cond_input_locs": (0,),
    "then_input_locs": (1, 2),
    "else_input_locs": (1, 2),
}
LOSS = _text(mx.sym.sum(mx.sym.tanh(x) * w))

CASES = [
    Case("_foreach", [(3, 2), (2,), (2,)], FOREACH, ref=foreach, dtypes=("float32", "float64")),
    Case("_foreach", [(0, 2), (2,), (2,)], FOREACH, ref=foreach, dtypes=("float32",), id="no steps"),
    Case(
        "_while_loop",
        [np.array([0.25]), (2, 2), (2, 2)],
        WHILE,
        ref=while_loop,
        grad=[1, 2],
        dtypes=("float32", "float64"),
    ),
    Case(
        "_while_loop",
        [np.array([9.0]), (2,), (2,)],
        WHILE,
        ref=while_loop,
        grad=[1, 2],
        dtypes=("float32",),
        id="no steps",
    ),
    Case(
        "_cond", [np.array([1.0]), (2, 3), (2, 3)], COND, ref=cond, grad=[1, 2], dtypes=("float32", "float64")
    ),
    Case("_cond", [np.array([0.0]), (4,), (4,)], COND, ref=cond, grad=[1, 2], dtypes=("float32",), id="else"),
    Case(
        "_gradient",
        [(2, 3), Spec((2, 3), low=0.5, high=2)],
        {"subgraph0": LOSS, "num_args": 3, "wrt": (0, 1)},
        ref=lambda x, w, **_: (w / np.cosh(x) ** 2, np.tanh(x)),
        grad=False,
        dtypes=("float32", "float64"),
    ),
]
