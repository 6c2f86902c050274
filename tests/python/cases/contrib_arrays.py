"""Sketches, Fourier transforms and comparisons that MXNet keeps under contrib."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import ALL, Array, Case, Spec


def allclose(a: Array, b: Array, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = True) -> Array:
    return np.array(float(np.allclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)))


def fft(x: Array, **params: Any) -> Array:
    out = np.fft.fft(x, axis=-1)
    return np.stack([out.real, out.imag], -1).reshape(*x.shape[:-1], 2 * x.shape[-1])


def ifft(x: Array, **params: Any) -> Array:
    pairs = x.reshape(*x.shape[:-1], -1, 2)
    n = pairs.shape[-2]
    return np.fft.ifft(pairs[..., 0] + 1j * pairs[..., 1], axis=-1).real * n


def count_sketch(x: Array, h: Array, s: Array, out_dim: int, **params: Any) -> Array:
    out = np.zeros((*x.shape[:-1], out_dim))
    for i in range(x.shape[-1]):
        out[..., int(h[0, i])] += s[0, i] * x[..., i]
    return out


NAN = np.array([np.nan, 1.0])
INF = np.array([np.inf, 1.0])
TABLE = np.array([[0.0, 3.0, 0.0, 2.0, 3.0]])
SIGNS = np.array([[1.0, -1.0, -1.0, 1.0, 1.0]])


def _allclose() -> list[Case]:
    op = "_contrib_allclose"
    ones = np.ones((2, 3))
    wide = np.ones((40, 50))
    late = wide.copy()
    late[39, 49] = 1.5
    return [
        Case(op, [ones, ones], ref=allclose, dtypes=ALL),
        Case(op, [ones, ones * 2], ref=allclose, dtypes=ALL, id="other"),
        Case(op, [wide, late], ref=allclose, id="late"),
        Case(op, [ones, ones + 0.25], {"rtol": 0.5}, allclose, id="rtol"),
        Case(op, [ones, ones + 0.25], {"rtol": 0.0, "atol": 0.5}, allclose, id="atol"),
        Case(op, [NAN, NAN], ref=allclose, id="nan"),
        Case(op, [NAN, NAN], {"equal_nan": False}, allclose, id="nan-differs"),
        Case(op, [INF, INF], ref=allclose, id="infinity"),
        Case(op, [INF, -INF], ref=allclose, id="infinities"),
        Case(op, [np.ones(2), INF], {"rtol": 1.0}, allclose, id="infinite"),
        Case(op, [(0, 2), (0, 2)], ref=allclose, id="empty"),
        Case(op, [(3,), (4,)], fails="(4,)", id="shapes"),
    ]


def _fourier() -> list[Case]:
    some: dict[str, Any] = {"rtol": 1e-4, "atol": 1e-5}
    cases = [Case("_contrib_fft", [(3, n)], ref=fft, id=f"{n}", **some) for n in (1, 2, 3, 4, 5, 8, 12, 31)]
    cases += [Case("_contrib_ifft", [(3, 2 * n)], ref=ifft, id=f"{n}", **some) for n in (1, 2, 3, 4, 7, 16)]
    cases += [
        Case("_contrib_fft", [(2, 1, 3, 6)], {"compute_size": 2}, fft, id="four-axes", **some),
        Case("_contrib_fft", [(0, 4)], ref=fft, id="no-rows"),
        Case("_contrib_fft", [(2, 3, 4)], fails="2 or 4 axes", id="three-axes"),
        Case("_contrib_ifft", [(2, 1, 3, 6)], ref=ifft, id="four-axes", **some),
        Case("_contrib_ifft", [(2, 5)], fails="pairs", id="odd"),
    ]
    return cases


def _sketch() -> list[Case]:
    op = "_contrib_count_sketch"
    return [
        Case(op, [(2, 5), TABLE, SIGNS], {"out_dim": 4}, count_sketch, grad=(0,)),
        Case(op, [(2, 1, 3, 5), TABLE, SIGNS], {"out_dim": 6}, count_sketch, grad=(0,), id="four-axes"),
        Case(op, [Spec((0, 5)), TABLE, SIGNS], {"out_dim": 4}, count_sketch, grad=(0,), id="no-rows"),
        Case(op, [(2, 5), TABLE, SIGNS], {"out_dim": 3}, fails="h is 3 at 1", id="outside"),
        Case(op, [(2, 5), TABLE * np.nan, SIGNS], {"out_dim": 3}, fails="h is nan", id="nan"),
        Case(op, [(2, 5), TABLE, SIGNS], {"out_dim": 0}, fails="out_dim", id="zero"),
        Case(op, [(2, 4), TABLE, SIGNS], {"out_dim": 4}, fails="(1, 5)", id="length"),
    ]


CASES = _allclose() + _fourier() + _sketch()
