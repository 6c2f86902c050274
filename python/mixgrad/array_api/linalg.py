"""Linear algebra on the last two axes, and products of vectors and matrices."""

from __future__ import annotations

from typing import Any, NamedTuple, Union

import numpy as onp

from .. import numpy as mx_np
from ..numpy import linalg as mx_linalg
from ..numpy.ndarray import ndarray
from .manipulation import broadcast_shapes, matrix_transpose
from .operands import Axes, array_of, computed_by_numpy, pair, whole_axis
from .reductions import max, min, sum

__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eigh",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]


class EigenSystem(NamedTuple):
    """What :func:`eigh` gives."""

    eigenvalues: ndarray
    eigenvectors: ndarray


class QR(NamedTuple):
    """What :func:`qr` gives."""

    Q: ndarray
    R: ndarray


class SignedLog(NamedTuple):
    """What :func:`slogdet` gives."""

    sign: ndarray
    logabsdet: ndarray


class SingularValues(NamedTuple):
    """What :func:`svd` gives."""

    U: ndarray
    S: ndarray
    Vh: ndarray


def _matrices(x: Any, who: str, kinds: str = "f", square: bool = False) -> Any:
    if array_of(x, who).ndim < 2 or (square and x.shape[-1] != x.shape[-2]):
        raise ValueError(f"[{who}] shape is {x.shape}; expected {'square ' if square else ''}matrices")
    if x.dtype.kind not in kinds:
        expected = "floating-point numbers" if kinds == "f" else "numbers"
        raise TypeError(f"[{who}] the array is of {x.dtype}; expected {expected}")
    return x


def _numbers(x1: Any, x2: Any, who: str) -> list[Any]:
    a, b = pair(array_of(x1, who), array_of(x2, who), who)
    if a.dtype.kind == "b":
        raise TypeError(f"[{who}] the arrays are of bool; expected numbers")
    return [a, b]


def matmul(x1: Any, x2: Any, /) -> Any:
    """The product of matrices, or of stacks of them whose leading axes broadcast."""
    return mx_np.matmul(*_numbers(x1, x2, "matmul"))


def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Any:
    """The product of two tensors, summed over axes of both: so many, or lists of which."""
    a, b = _numbers(x1, x2, "tensordot")
    if isinstance(axes, int):
        if axes < 0:
            raise ValueError(f"[tensordot] axes is {axes}; expected 0 or more, or lists of axes")
        axes = (tuple(range(a.ndim - axes, a.ndim)), tuple(range(axes)))
    left, right = ([whole_axis(i, x.ndim, "tensordot") for i in one] for one, x in zip(axes, (a, b)))
    return mx_np.tensordot(a, b, (left, right))


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The product of vectors along an axis, counted from the end; the others broadcast."""
    a, b = _numbers(x1, x2, "vecdot")
    if axis >= 0 or axis < -a.ndim or axis < -b.ndim:
        axis = whole_axis(axis, a.ndim, "vecdot") - a.ndim
    if a.shape[axis] != b.shape[axis]:
        raise ValueError(f"[vecdot] shapes {a.shape}, {b.shape}; expected one extent along axis {axis}")
    product = a * b
    return sum(product, axis=axis, dtype=product.dtype)


def outer(x1: Any, x2: Any, /) -> Any:
    """Every element of one vector times every one of another."""
    a, b = _numbers(x1, x2, "outer")
    if a.ndim != 1 or b.ndim != 1:
        raise ValueError(f"[outer] shapes {a.shape}, {b.shape}; expected one axis each")
    return a[:, None] * b[None, :]


def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The vectors perpendicular to pairs of vectors of three numbers along an axis."""
    a, b = _numbers(x1, x2, "cross")
    shape = broadcast_shapes(a.shape, b.shape)
    axis = whole_axis(axis, len(shape), "cross")
    if any(x.ndim < len(shape) - axis or x.shape[axis - len(shape)] != 3 for x in (a, b)):
        raise ValueError(f"[cross] shapes {a.shape}, {b.shape}; expected extent 3 along axis {axis}")
    first, second = (mx_np.moveaxis(mx_np.broadcast_to(x, shape), axis, 0) for x in (a, b))
    rows = [first[i] * second[j] - first[j] * second[i] for i, j in ((1, 2), (2, 0), (0, 1))]
    return mx_np.stack(rows, axis)


def diagonal(x: Any, /, *, offset: int = 0) -> Any:
    """The diagonals of matrices."""
    x = _matrices(x, "diagonal", "biuf")
    rows, columns = x.shape[-2:]
    first = onp.arange(onp.maximum(0, onp.minimum(rows, columns - offset) - onp.maximum(0, -offset)))
    first = first + (-offset if offset < 0 else 0)
    at = [mx_np.array(p, dtype="int64", ctx=x.context) for p in (first, first + offset)]
    places = (..., *at)
    return x[places] if first.size else mx_np.zeros((*x.shape[:-2], 0), x.dtype, ctx=x.context)


def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    """The sum of the diagonals of matrices; of integers as int64 unless a dtype is said."""
    return sum(diagonal(_matrices(x, "trace", "iuf"), offset=offset), axis=-1, dtype=dtype)


def det(x: Any, /) -> Any:
    """The determinant of square matrices."""
    return mx_linalg.det(_matrices(x, "det", square=True))


def slogdet(x: Any, /) -> SignedLog:
    """Sign, and logarithm of the absolute value, of the determinant of square matrices."""
    return SignedLog(*mx_linalg.slogdet(_matrices(x, "slogdet", square=True)))


def inv(x: Any, /) -> Any:
    """The inverse of square matrices."""
    return mx_linalg.inv(_matrices(x, "inv", square=True))


def solve(x1: Any, x2: Any, /) -> Any:
    """The solution of ``x1 @ x = x2``; ``x2`` is a vector if it has one axis, and else matrices.

    Leading axes broadcast.
    """
    a, b = _numbers(x1, x2, "solve")
    a = _matrices(a, "solve", square=True)
    vector = b.ndim == 1
    b = b[:, None] if vector else b
    leading = broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a = mx_np.broadcast_to(a, (*leading, *a.shape[-2:]))
    b = mx_np.broadcast_to(b, (*leading, *b.shape[-2:]))
    result = mx_linalg.solve(a, b)
    return result[..., 0] if vector else result


def cholesky(x: Any, /, *, upper: bool = False) -> Any:
    """The triangular factor of positive definite matrices: lower ``L @ L.T``, or upper ``U.T @ U``."""
    lower = mx_linalg.cholesky(_matrices(x, "cholesky", square=True))
    return matrix_transpose(lower) if upper else lower


def eigh(x: Any, /) -> EigenSystem:
    """Eigenvalues in ascending order and eigenvectors, as columns, of symmetric matrices."""
    return EigenSystem(*mx_linalg.eigh(_matrices(x, "eigh", square=True)))


def eigvalsh(x: Any, /) -> Any:
    """Eigenvalues of symmetric matrices in ascending order."""
    return mx_linalg.eigvalsh(_matrices(x, "eigvalsh", square=True))


def qr(x: Any, /, *, mode: str = "reduced") -> QR:
    """Factors of matrices with orthonormal columns, and upper triangular; computed by NumPy.

    Parameters
    ----------
    x : ndarray
    mode : {'reduced', 'complete'}
        Whether Q has as many columns as the shorter axis, or as rows.
    """
    if mode not in ("reduced", "complete"):
        raise ValueError(f"[qr] mode is {mode!r:.40}; expected 'reduced' or 'complete'")
    return QR(*computed_by_numpy(onp.linalg.qr, _matrices(x, "qr"), mode))


def svd(x: Any, /, *, full_matrices: bool = True) -> SingularValues:
    """Factors of matrices: U, singular values, descending, and Vh; computed by NumPy.

    Parameters
    ----------
    x : ndarray
    full_matrices : bool
        Whether U and Vh are square.
    """
    return SingularValues(*computed_by_numpy(onp.linalg.svd, _matrices(x, "svd"), full_matrices))


def svdvals(x: Any, /) -> Any:
    """Singular values of matrices, descending; computed by NumPy."""
    return computed_by_numpy(onp.linalg.svd, _matrices(x, "svdvals"), compute_uv=False)


def matrix_power(x: Any, n: int, /) -> Any:
    """Square matrices to a power; of one below 0, the inverse."""
    x = _matrices(x, "matrix_power", square=True)
    x, n = (inv(x), -n) if n < 0 else (x, n)
    identity = mx_np.eye(x.shape[-1], dtype=x.dtype, ctx=x.context)
    result = mx_np.broadcast_to(identity, x.shape)
    while n:
        result = matmul(result, x) if n & 1 else result
        n >>= 1
        x = matmul(x, x) if n else x
    return result


def _threshold(x: ndarray, rtol: Any) -> Any:
    longer = x.shape[-1] if x.shape[-1] > x.shape[-2] else x.shape[-2]
    return longer * float(onp.finfo(x.dtype).eps) if rtol is None else rtol


def matrix_rank(x: Any, /, *, rtol: Any = None) -> Any:
    """How many singular values of matrices are above ``rtol`` times the largest, as int64."""
    x = _matrices(x, "matrix_rank")
    values = svdvals(x)
    shape = values.shape[:-1]
    if not values.shape[-1]:
        return mx_np.zeros(shape, "int64", ctx=x.context)
    limit = max(values, axis=-1) * _threshold(x, rtol)
    return sum((values > limit[..., None]).astype("int64"), axis=-1)


def pinv(x: Any, /, *, rtol: Any = None) -> Any:
    """The pseudo-inverse of matrices; singular values up to ``rtol`` times the largest count as 0."""
    x = _matrices(x, "pinv")
    limit = _threshold(x, rtol)
    return computed_by_numpy(onp.linalg.pinv, x, limit)


def vector_norm(x: Any, /, *, axis: Axes = None, keepdims: bool = False, ord: Union[int, float] = 2) -> Any:
    """The norm of vectors along axes, by default of all elements.

    Parameters
    ----------
    x : ndarray
        Of floats.
    axis : int or tuple of int, optional
    keepdims : bool
    ord : number, inf, -inf
        The root of this degree of the sum of such powers; 0 counts elements that are not 0.
    """
    if array_of(x, "vector_norm").dtype.kind != "f":
        raise TypeError(f"[vector_norm] the array is of {x.dtype}; expected floating-point numbers")
    magnitude = mx_np.abs(x)
    if ord == float("inf"):
        return max(magnitude, axis=axis, keepdims=keepdims)
    if ord == -float("inf"):
        return min(magnitude, axis=axis, keepdims=keepdims)
    if ord == 0:
        return sum((x != 0).astype(x.dtype), axis=axis, keepdims=keepdims)
    if ord == 1:
        return sum(magnitude, axis=axis, keepdims=keepdims)
    if ord == 2:
        return mx_np.sqrt(sum(x * x, axis=axis, keepdims=keepdims))
    return sum(magnitude**ord, axis=axis, keepdims=keepdims) ** (1.0 / ord)


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    """The norm of matrices.

    Parameters
    ----------
    x : ndarray
    keepdims : bool
    ord : {'fro', 'nuc', 1, -1, 2, -2, inf, -inf}
    """
    x = _matrices(x, "matrix_norm")
    inf = float("inf")
    if ord == "fro":
        return vector_norm(x, axis=(-2, -1), keepdims=keepdims)
    reduce: Any
    if ord in (1, -1, inf, -inf):
        inner, other = (-2, -1) if ord in (1, -1) else (-1, -2)
        reduce = max if ord > 0 else min
        result = reduce(sum(mx_np.abs(x), axis=inner, keepdims=True), axis=other, keepdims=True)
    elif ord in (2, -2, "nuc"):
        reduce = {"nuc": sum, 2: max, -2: min}[ord]
        result = reduce(svdvals(x), axis=-1, keepdims=True)[..., None]
    else:
        raise ValueError(
            f"[matrix_norm] ord is {ord!r:.40}; expected 'fro', 'nuc', 1, -1, 2, -2, inf or -inf"
        )
    return result if keepdims else result[..., 0, 0]
