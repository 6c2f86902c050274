"""Cases of matrix products and the fully connected layer."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import Case

Array = np.ndarray
LOOSE: dict[str, Any] = {"rtol": 5e-5, "atol": 1e-5}


def dot(a: Array, b: Array, transpose_a: bool = False, transpose_b: bool = False, **_: Any) -> Array:
    if transpose_a:
        a = np.moveaxis(a, 0, -1)
    if transpose_b:
        b = np.moveaxis(b, -1, 0)
    return np.atleast_1d(np.tensordot(a, b, axes=(-1, 0)))


def batch_dot(
    a: Array, b: Array, transpose_a: bool = False, transpose_b: bool = False, alpha: float = 1, **_: Any
) -> Array:
    a = np.swapaxes(a, -1, -2) if transpose_a else a
    b = np.swapaxes(b, -1, -2) if transpose_b else b
    return alpha * (a @ b)


def fully_connected(
    x: Array, w: Array, b: Array | None = None, num_hidden: int = 0, flatten: bool = True, **_: Any
) -> Array:
    if flatten:
        x = x.reshape(x.shape[0], w.shape[1])
    return x @ w.T + (0 if b is None else b)


def _dot() -> list[Case]:
    flags = {"transpose_a": True, "transpose_b": True}
    return [
        Case("dot", [(3, 4), (4, 5)], ref=dot),
        Case("dot", [(4, 3), (4, 5)], {"transpose_a": True}, ref=dot),
        Case("dot", [(3, 4), (5, 4)], {"transpose_b": True}, ref=dot),
        Case("dot", [(4, 3), (5, 4)], flags, ref=dot),
        Case("dot", [(4,), (4,)], ref=dot, id="vectors"),
        Case("dot", [(4,), (4, 3)], ref=dot, id="vector_matrix"),
        Case("dot", [(3, 4), (4,)], ref=dot, id="matrix_vector"),
        Case("dot", [(3, 4), (4,)], {"transpose_b": True}, ref=dot, id="matrix_vector"),
        Case("dot", [(2, 3, 4), (4, 2, 3)], ref=dot, id="3d"),
        Case("dot", [(4, 2, 3), (4, 2)], {"transpose_a": True}, ref=dot, id="3d"),
        Case("dot", [(2, 3, 4), (5, 2, 4)], {"transpose_b": True}, ref=dot, id="3d"),
        Case("dot", [(3, 2, 2), (2, 2, 3)], flags, ref=dot, id="3d"),
        Case("dot", [(0, 4), (4, 5)], ref=dot, id="empty"),
        Case("dot", [(3, 0), (0, 5)], ref=dot, id="empty_contraction"),
        Case("dot", [(70, 130), (130, 90)], ref=dot, id="large", **LOOSE),
        Case("dot", [(300, 70), (200, 300)], flags, ref=dot, id="large", **LOOSE),
        Case("dot", [(2, 3), (2, 3)], fails="[dot] the last axis of lhs has extent 3"),
        Case("dot", [(2, 3), ()], fails="at least one axis"),
        Case("dot", [(2, 3), (3, 2)], dtypes=("int32",), fails="float dtype", id="int"),
    ]


def _stacks() -> list[Case]:
    cases = []
    for op, extra in (("batch_dot", {}), ("_linalg_gemm2", {"alpha": 0.5})):
        cases += [
            Case(op, [(2, 3, 4), (2, 4, 2)], extra, ref=batch_dot),
            Case(op, [(2, 4, 3), (2, 4, 2)], {"transpose_a": True, **extra}, ref=batch_dot),
            Case(op, [(2, 3, 4), (2, 2, 4)], {"transpose_b": True, **extra}, ref=batch_dot),
            Case(
                op, [(2, 4, 3), (2, 2, 4)], {"transpose_a": True, "transpose_b": True, **extra}, ref=batch_dot
            ),
            Case(op, [(2, 2, 3, 1), (2, 2, 1, 2)], extra, ref=batch_dot, id="4d"),
            Case(op, [(3, 4), (4, 2)], extra, ref=batch_dot, id="2d"),
            Case(op, [(0, 3, 4), (0, 4, 2)], extra, ref=batch_dot, id="empty"),
            Case(op, [(9, 60, 70), (9, 70, 50)], extra, ref=batch_dot, id="large", **LOOSE),
            Case(op, [(1, 3, 4), (2, 4, 5)], fails="stacks do not broadcast"),
            Case(op, [(2, 3, 4), (2, 3, 4)], fails="contracted axes have extents 4 and 3"),
        ]
    return cases


def _fully_connected() -> list[Case]:
    op, ref = "FullyConnected", fully_connected
    return [
        Case(op, [(3, 4), (5, 4), (5,)], {"num_hidden": 5}, ref=ref),
        Case(op, [(3, 4), (5, 4)], {"num_hidden": 5, "no_bias": True}, ref=ref, id="no_bias"),
        Case(op, [(2, 3, 2), (4, 6), (4,)], {"num_hidden": 4}, ref=ref, id="flatten"),
        Case(op, [(2, 3, 4), (5, 4), (5,)], {"num_hidden": 5, "flatten": False}, ref=ref, id="keep_axes"),
        Case(op, [(3,), (2, 1), (2,)], {"num_hidden": 2}, ref=ref, id="vector"),
        Case(op, [(1, 4), (5, 4), (5,)], {"num_hidden": 5}, ref=ref, id="one_row"),
        Case(op, [(0, 4), (5, 4), (5,)], {"num_hidden": 5}, ref=ref, id="empty"),
        Case(op, [(64, 100), (130, 100), (130,)], {"num_hidden": 130}, ref=ref, id="large", **LOOSE),
        Case(op, [(300, 40), (10, 40), (10,)], {"num_hidden": 10}, ref=ref, id="tall", **LOOSE),
        Case(op, [(2, 3), (4, 3), (5,)], {"num_hidden": 5}, fails="[FullyConnected] weight has shape (4, 3)"),
        Case(op, [(2, 3), (4, 3), (4,)], {"num_hidden": 0}, fails="num_hidden"),
    ]


CASES = _dot() + _stacks() + _fully_connected()
