"""Likelihoods of Hawkes processes, sparse activations, and classes drawn without repetition."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import Array, Case, Spec


def hawkes(
    lda: Array,
    alpha: Array,
    beta: Array,
    state: Array,
    lags: Array,
    marks: Array,
    valid_length: Array,
    max_time: Array,
) -> tuple[Array, Array]:
    """From the definition: intensities as sums over all earlier events."""
    likelihood, states = np.zeros(len(lda)), np.zeros_like(lda)
    for i in range(len(lda)):
        n = int(valid_length[i])
        times, kinds = np.cumsum(lags[i, :n]), marks[i, :n].astype(int)
        end = max_time[i]

        def left(
            k: int, t: float, before: int, row: int = i, times: Array = times, kinds: Array = kinds
        ) -> float:
            past = times[:before][kinds[:before] == k]
            return float(state[row, k] * np.exp(-beta[k] * t) + np.exp(-beta[k] * (t - past)).sum())

        for j in range(n):
            k = kinds[j]
            likelihood[i] += np.log(lda[i, k] + alpha[k] * beta[k] * left(k, times[j], j))
        for k in range(lda.shape[1]):
            states[i, k] = left(k, end, n)
            count = state[i, k] + (kinds == k).sum()
            likelihood[i] -= lda[i, k] * end + alpha[k] * (count - states[i, k])
    return likelihood, states


MARKS = np.array([[0, 2, 0, 1], [1, 1, 2, 0]], dtype=np.int32)


class SparseReg:
    def __init__(self, **params: float) -> None:
        self.target = params.get("sparseness_target", 0.1)
        self.penalty = params.get("penalty", 0.001)
        self.momentum = params.get("momentum", 0.9)

    def average(self, x: Array, old: Array) -> Array:
        axes = tuple(a for a in range(x.ndim) if a != 1)
        return self.momentum * old + (1 - self.momentum) * x.mean(axes)

    def gradient(self, head: Array, x: Array, old: Array) -> Array:
        mean = self.average(x, old)
        slope = self.penalty * ((1 - self.target) / (1 - mean) - self.target / mean)
        return head + slope.reshape(1, -1, *[1] * (x.ndim - 2))


def same(x: Array, *rest: Array, **params: Any) -> Array:
    return x


def new_average(x: Array, old: Array, **params: float) -> Array:
    return SparseReg(**params).average(x, old)


def old_average(x: Array, old: Array, **params: float) -> Array:
    return old


def reg_gradient(head: Array, x: Array, old: Array, **params: float) -> Array:
    return SparseReg(**params).gradient(head, x, old)


def different(below: int) -> Any:
    def check(outputs: list[Array], inputs: list[Array]) -> None:
        classes, tries = outputs
        for row, count in zip(classes, tries):
            assert len(set(row.tolist())) == len(row) <= count
            assert all(0 <= c < below for c in row)

    return check


def _hawkes() -> list[Case]:
    op = "_contrib_hawkesll"
    inputs: list[Any] = [
        Spec((2, 3), 0.5, 2),
        Spec((3,), 0.1, 0.5),
        Spec((3,), 0.5, 2),
        Spec((2, 3), 0, 1),
        Spec((2, 4), 0.1, 1),
        MARKS,
        np.array([4.0, 2.0]),
        np.array([5.0, 4.0]),
    ]

    def changed(place: int, to: Any) -> list[Any]:
        return [*inputs[:place], to, *inputs[place + 1 :]]

    only: dict[str, Any] = {"dtypes": ("float32", "float64"), "rtol": 1e-4, "atol": 1e-5}
    none = changed(6, np.array([0.0, 0.0]))
    return [
        Case(op, inputs, ref=hawkes, grad=False, **only),
        Case(op, none, ref=hawkes, grad=False, id="no-events", **only),
        Case(op, changed(5, MARKS + 3), fails="mark 3 at (0, 0)", id="marks"),
        Case(op, changed(5, -MARKS), fails="mark -2 at (0, 1)", id="negative"),
        Case(op, changed(6, np.array([5.0, 1.0])), fails="valid_length is 5", id="long"),
        Case(op, changed(6, np.array([np.nan, 1.0])), fails="valid_length is nan", id="nan"),
        Case(op, changed(0, (2, 2)), fails="(2, 2)", id="shape"),
    ]


def _sparse() -> list[Case]:
    op = "IdentityAttachKLSparseReg"
    share, old = Spec((4, 3), 0.1, 0.9), Spec((3,), 0.1, 0.9)
    some = {"sparseness_target": 0.25, "penalty": 0.5, "momentum": 0.75}
    trained: dict[str, Any] = {
        "training": True,
        "states": new_average,
        "grad_ref": reg_gradient,
        "second": False,
    }
    return [
        Case(op, [share, old], some, same, grad=(0,), **trained),
        Case(op, [Spec((2, 3, 2, 2), 0.1, 0.9), old], some, same, grad=(0,), id="images", **trained),
        Case(op, [share, old], some, same, states=old_average, grad=False, id="prediction"),
        Case(op, [(3,), (3,)], fails="expected data", id="vector"),
        Case(op, [share, old], {"sparseness_target": 2.0}, fails="sparseness_target", id="target"),
    ]


def _unique() -> list[Case]:
    op = "_sample_unique_zipfian"
    return [
        Case(op, [], {"range_max": 20, "shape": (3, 10)}, check=different(20), dtypes=("int64",)),
        Case(op, [], {"range_max": 7, "shape": (2, 7)}, check=different(7), dtypes=("int64",), id="all"),
        Case(op, [], {"range_max": 7, "shape": (0, 7)}, check=different(7), dtypes=("int64",), id="none"),
        Case(op, [], {"range_max": 3, "shape": (1, 4)}, fails="cannot draw 4", id="many"),
        Case(op, [], {"range_max": 3, "shape": (4,)}, fails="shape is (4,)", id="vector"),
        Case(op, [], {"range_max": 0, "shape": (1, 0)}, fails="range_max", id="zero"),
    ]


CASES = _hawkes() + _sparse() + _unique()
