"""The softmax family."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import Array, Case, Spec


def softmax(x: Array, axis: Any = -1) -> Array:
    if x.ndim == 0:
        return np.ones(())
    e = np.exp(x - x.max(axis=axis, keepdims=True, initial=-1e300))
    return np.asarray(e / e.sum(axis=axis, keepdims=True))


def softmax_ref(
    x: Array, *length: Array, axis: int = -1, temperature: float | None = None, **_: Any
) -> Array:
    z = x / (temperature or 1.0)
    if not length:
        return softmax(z, axis)
    place = np.arange(x.shape[axis]).reshape([-1 if a == axis % x.ndim else 1 for a in range(x.ndim)])
    counts = place < np.expand_dims(length[0], axis)
    e = np.where(counts, np.exp(z - z.max(axis=axis, keepdims=True)), 0)
    total = e.sum(axis=axis, keepdims=True)
    return np.asarray(e / np.where(total == 0, 1, total))


def softmin_ref(x: Array, **params: Any) -> Array:
    return softmax_ref(-x, **params)


def log_softmax_ref(x: Array, axis: int = -1, temperature: float | None = None, **_: Any) -> Array:
    z = x / (temperature or 1.0)
    if z.ndim == 0:
        return np.zeros(())
    top = z.max(axis=axis, keepdims=True, initial=-1e300)
    return np.asarray(z - top - np.log(np.exp(z - top).sum(axis=axis, keepdims=True)))


def activation(x: Array, mode: str = "instance") -> Array:
    return softmax(x, 1 if mode == "channel" else -1)


def cross_entropy(x: Array, label: Array) -> Array:
    return -log_softmax_ref(x)[np.arange(len(label)), label].sum(keepdims=True)


WIDE = Spec((3, 5), -4, 4)
LARGE = np.array([[1000.0, 1001.0, 999.0], [-1000.0, 0.0, -1000.0]])
REFS = (("softmax", softmax_ref), ("softmin", softmin_ref), ("log_softmax", log_softmax_ref))

CASES: list[Case] = []
for name, ref in REFS:
    params: dict[str, Any]
    for params in (
        {},
        {"axis": 1},
        {"axis": 0},
        {"axis": -1, "temperature": 2.5},
        {"axis": -2, "temperature": 0.5},
    ):
        CASES.append(Case(name, [Spec((2, 3, 4), -2, 2)], params, ref))
    CASES += [
        Case(name, [WIDE], {}, ref),
        Case(name, [Spec((3, 70), -3, 3)], {}, ref, grad=False, id="tail"),
        Case(name, [Spec((2, 300), -3, 3)], {}, ref, grad=False, id="lanes"),
        Case(name, [Spec((2, 37, 300), -3, 3)], {"axis": 1}, ref, grad=False, id="columns"),
        Case(
            name,
            [Spec((40000,), -3, 3)],
            {},
            ref,
            grad=False,
            dtypes=("float32", "float64"),
            atol=1e-5,
            id="long",
        ),
        Case(name, [()], {}, ref, id="0d"),
        Case(name, [(0, 3)], {}, ref, id="empty"),
        Case(name, [(3, 0)], {}, ref, id="empty_axis"),
        Case(name, [LARGE], {}, ref, grad=False, id="large"),
        Case(name, [Spec((2, 3), dtype="int32", kind="int")], {}, fails="float dtype", id="int"),
        Case(
            name,
            [Spec((2, 3), dtype="float16")],
            {"dtype": "float32"},
            ref,
            grad=False,
            rtol=2e-3,
            atol=1e-3,
            id="dtype",
        ),
    ]
CASES += [
    Case(
        "softmax",
        [(2, 4), np.array([2, 4], np.int32)],
        {"use_length": True},
        softmax_ref,
        grad=(0,),
    ),
    Case(
        "softmax",
        [(2, 3), np.array([1, 0], np.int64)],
        {"use_length": True},
        softmax_ref,
        grad=(0,),
    ),
    Case(
        "softmax",
        [(2, 3), np.array([9, -1], np.int32)],
        {"use_length": True},
        softmax_ref,
        grad=(0,),
    ),
    Case(
        "softmax",
        [(2, 3, 4), np.array([[1, 2, 3, 2], [1, 3, 0, 1]], np.int32)],
        {"use_length": True, "axis": 1},
        softmax_ref,
        grad=(0,),
    ),
    Case("SoftmaxActivation", [(2, 3)], {}, activation),
    *[Case("SoftmaxActivation", [shape], {}, activation) for shape in ((5,), (2, 3, 4), (2, 1, 2, 3))],
    Case("SoftmaxActivation", [(2, 3, 4)], {"mode": "channel"}, activation),
    Case("softmax_cross_entropy", [WIDE, np.array([2, 0, 4])], {}, cross_entropy, grad=(0,)),
    Case("softmax_cross_entropy", [WIDE, np.array([2, 0, 5])], {}, fails="label 5 of row 2", id="label"),
]

# Operators whose gradient is a loss: values here, gradients in test_output_ops.py.
SCORES = (4, 5)
LABEL = np.array([2, 0, 1, 4])
CASES += [
    Case("SoftmaxOutput", [SCORES, LABEL], {}, lambda x, y: softmax(x), grad=False),
    Case("SoftmaxOutput", [SCORES, SCORES], {}, lambda x, y: softmax(x), grad=False, id="probabilities"),
    Case(
        "SoftmaxOutput",
        [(2, 3, 4), np.zeros((2, 4))],
        {"multi_output": True},
        lambda x, y, multi_output: softmax(x, 1),
        grad=False,
    ),
    Case(
        "SoftmaxOutput",
        [(2, 3, 4), np.zeros((2, 3))],
        {"preserve_shape": True},
        lambda x, y, preserve_shape: softmax(x),
        grad=False,
    ),
    Case("SoftmaxOutput", [(2, 3, 4), np.zeros(2)], {}, lambda x, y: softmax(x, (1, 2)), grad=False),
    Case("SoftmaxOutput", [(2, 3, 4), np.zeros((2, 4))], {}, fails="set multi_output", id="hint"),
    Case("SoftmaxOutput", [(2, 3), np.zeros(3)], {}, fails="label has shape (3,)", id="label"),
    Case("Softmax", [SCORES, LABEL], {}, lambda x, y: softmax(x), grad=False),
    Case("LogisticRegressionOutput", [SCORES, SCORES], {}, lambda x, y: 1 / (1 + np.exp(-x)), grad=False),
    Case("SVMOutput", [SCORES, LABEL], {}, lambda x, y: x, grad=False),
]
for name in ("LinearRegressionOutput", "MAERegressionOutput"):
    CASES += [
        Case(name, [SCORES, SCORES], {}, lambda x, y: x, grad=False),
        Case(name, [(4, 1), (4,)], {}, lambda x, y: x, grad=False),
        Case(name, [(4, 2), (4,)], {}, fails=f"[{name}]"),
    ]
