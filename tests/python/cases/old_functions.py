"""Operators that only older programs and files name."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import ALL, FLOATS, Array, Case, Spec


def zeros(shape: Any = (), **params: Any) -> Array:
    return np.zeros(shape)


def onehot(index: Array, like: Array) -> Array:
    out = np.zeros(like.shape)
    for row, column in enumerate(np.trunc(index).astype(int)):
        if 0 <= column < like.shape[1]:
            out[row, column] = 1
    return out


def fill(data: Array, new: Array, index: Array) -> Array:
    place = onehot(index, data)
    return np.where(place == 1, new[:, None], data)


def square_sum(x: Array, axis: Any = None, keepdims: bool = False, exclude: bool = False) -> Array:
    if exclude:
        axis = tuple(a for a in range(x.ndim) if a != axis)
    out = np.sum(x * x, axis=axis, keepdims=keepdims)
    return out.reshape(1) if out.ndim == 0 and x.ndim > 0 else out


def group_adagrad(
    weight: Array,
    grad: Array,
    history: Array,
    lr: float,
    rescale_grad: float = 1,
    clip_gradient: float = -1,
    epsilon: float = 1e-5,
) -> tuple[Array, Array]:
    g = grad * rescale_grad
    if clip_gradient > 0:
        g = np.clip(g, -clip_gradient, clip_gradient)
    history = history + np.mean(g * g, axis=1, keepdims=True)
    return weight - lr * g / np.sqrt(history + epsilon), history


def new_weight(*arrays: Array, **params: Any) -> Array:
    return group_adagrad(*arrays, **params)[0]


def new_history(*arrays: Array, **params: Any) -> Array:
    return group_adagrad(*arrays, **params)[1]


INDEX = np.array([1.0, 3.9, 0.0])
OUTSIDE = np.array([4.0, -1.0, np.nan])


def _cases() -> list[Case]:
    like = Spec((3, 4))
    adagrad = "_contrib_group_adagrad_update"
    small = {"rtol": 1e-4, "atol": 1e-5}
    step = [(3, 4), (3, 4), Spec((3, 1), 0.1, 1)]
    return [
        Case("_zeros_without_dtype", [], {"shape": (2, 3)}, zeros, dtypes=("float32",)),
        Case("_zeros_without_dtype", [], {"shape": (2,), "dtype": 6}, zeros, dtypes=("int64",), id="int64"),
        Case("_zeros_without_dtype", [], {"shape": (2,), "dtype": 8}, fails="dtype is 8", id="dtype"),
        Case("_set_value", [], {"src": 2.0}, fails="shape (unknown)"),
        Case("_onehot_encode", [INDEX, like], ref=onehot, dtypes=ALL, grad=False),
        Case("_onehot_encode", [OUTSIDE, like], ref=onehot, dtypes=FLOATS, grad=False, id="outside"),
        Case("_onehot_encode", [(3,), (3, 4, 2)], fails="expected a matrix", id="three-axes"),
        Case("fill_element_0index", [like, (3,), INDEX], ref=fill, grad=(0, 1)),
        Case("fill_element_0index", [like, (3,), OUTSIDE], ref=fill, grad=(0, 1), id="outside"),
        Case("fill_element_0index", [(3, 4), (3,), INDEX], ref=fill, dtypes=ALL, grad=False, id="dtypes"),
        Case("fill_element_0index", [(3,), (3,), (3,)], fails="expected a matrix", id="vector"),
        Case("_square_sum", [(2, 3)], {"axis": 1}, square_sum),
        Case("_square_sum", [(2, 3)], ref=square_sum, id="all"),
        Case(
            "_square_sum", [(2, 3, 2)], {"axis": 1, "keepdims": True, "exclude": True}, square_sum, id="but"
        ),
        Case("_square_sum", [(0, 3)], {"axis": 0}, square_sum, id="empty"),
        Case(adagrad, step, {"lr": 0.1}, new_weight, states=new_history, **small),
        Case(
            adagrad,
            step,
            {"lr": 0.1, "rescale_grad": 2.0, "clip_gradient": 0.5, "epsilon": 0.001},
            new_weight,
            states=new_history,
            id="clipped",
            **small,
        ),
        Case(adagrad, [(3,), (3,), (3,)], {"lr": 0.1}, fails="expected a matrix", id="vector"),
    ]


CASES = _cases()
