"""Cases of CTCLoss, against all ways of stretching the labels."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from opcase import Array, Case


def ctc(data: Array, label: Array, *lengths: Array, blank_label: str = "first", **p: Any) -> Array:
    steps, batch, classes = data.shape
    rest = [np.asarray(x).astype(int) for x in lengths]
    ends = rest.pop(0) if p.get("use_data_lengths") else np.full(batch, steps)
    counts = rest.pop(0) if p.get("use_label_lengths") else None
    blank, padding = (0, 0) if blank_label == "first" else (classes - 1, -1)
    shares = np.exp(data) / np.exp(data).sum(2, keepdims=True)
    out = np.zeros(batch)
    for b in range(batch):
        wanted = [int(k) for k in label[b]]
        wanted = wanted[: wanted.index(padding)] if counts is None and padding in wanted else wanted
        wanted = wanted if counts is None else wanted[: counts[b]]
        total = 0.0
        for way in itertools.product(range(classes), repeat=int(ends[b])):
            if [k for k, _ in itertools.groupby(way) if k != blank] == wanted:
                total += float(np.prod([shares[t, b, k] for t, k in enumerate(way)]))
        out[b] = -np.log(total) if total > 0 and ends[b] else 0
    return out


def case(data: tuple[int, ...], label: Any, *lengths: Any, **params: Any) -> Case:
    name = params.pop("id", "")
    given = [data, np.asarray(label, np.int32), *(np.asarray(x, np.int32) for x in lengths)]
    return Case("CTCLoss", given, params, ctc, grad=(0,), second=False, id=name, rtol=1e-4, grad_atol=1e-5)


BOTH = {"use_data_lengths": True, "use_label_lengths": True}
CASES = [
    case((4, 2, 3), [[1, 2], [1, 0]]),
    case((4, 2, 3), [[0, 1], [1, -1]], blank_label="last"),
    case((4, 3, 3), [[1, 1], [2, 2], [0, 0]], id="repeated"),
    case((2, 2, 3), [[1, 1], [1, 2]], id="too short"),
    case((4, 3, 3), [[1, 2], [1, 0], [2, 2]], [3, 4, 0], [2, 1, 1], **BOTH),
    case((4, 2, 3), [[1, 2], [1, 0]], [2, 1], use_label_lengths=True),
    case((3, 2, 4), [[1, 0], [2, 0]], [2, 0], use_label_lengths=True, blank_label="last"),
    case((3, 2, 1), [[0], [0]], id="only blanks"),
    Case("CTCLoss", [(3, 0, 2), (0, 1)], {}, lambda *_: np.zeros(0), grad=False, id="empty"),
    Case(
        "CTCLoss", [(3, 1, 3), np.array([[3.0]])], {}, fails="label 3 at (0, 0); expected a class from 1 to 2"
    ),
    Case("CTCLoss", [(3, 1, 3), np.array([[np.nan]])], {}, fails="expected a class from 1 to 2"),
    Case("CTCLoss", [(3, 1, 3), np.array([[-2.0]])], {"blank_label": "last"}, fails="label -2 at (0, 0)"),
    Case(
        "CTCLoss",
        [(3, 1, 3), np.array([[1.0]]), np.array([4.0])],
        {"use_data_lengths": True},
        fails="data_lengths is 4 at 0; expected 0 to 3",
    ),
    Case("CTCLoss", [(1, 1, 3), (1, 2)], {}, fails="labels of up to 2 classes do not fit 1 steps"),
]
