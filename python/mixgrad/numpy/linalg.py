"""Linear algebra (``mx.np.linalg``)."""

from __future__ import annotations

from typing import Any

from .. import _hints
from .fallback_linalg import cond, lstsq, matrix_power, matrix_rank, multi_dot, qr
from .operands import is_number, is_symbol, listed, tensor
from .operators import operators as _ops

__all__ = [
    "cholesky",
    "cond",
    "det",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "lstsq",
    "matrix_power",
    "matrix_rank",
    "multi_dot",
    "norm",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "tensorinv",
    "tensorsolve",
]


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """The norm of vectors or matrices.

    Parameters
    ----------
    x : ndarray
    ord : number, 'fro', 'nuc', inf, -inf, optional
        Which norm; by default the root of the sum of squares.
    axis : int or (int, int), optional
        The axis of vectors, or those of matrices; by default all of an array of one or two axes.
    keepdims : bool
        Keep the axes with extent 1.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.np.linalg.norm(mx.np.array([3, 4]))
    array(5.)
    """
    from .elementwise import abs, power, sqrt
    from .reductions import max, min, sum

    x = tensor(x)
    if axis is None and ord is None:
        flat = _ops._np_reshape(x, -1)
        total = sqrt(sum(flat * flat))
        return _ops._np_reshape(total, (1,) * x.ndim) if keepdims else total
    if axis is None:
        axis = tuple(range(x.ndim)) if not is_symbol(x) else None
        if axis is None or len(axis) not in (1, 2):
            raise ValueError("[norm] ord is given and axis is None; expected an array of one or two axes")
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    if len(axes) not in (1, 2):
        raise ValueError(f"[norm] axis is {axis}; expected one or two axes")
    inf = float("inf")
    if len(axes) == 1:
        if ord is None or ord == 2:
            return sqrt(sum(x * x, axes, keepdims=keepdims))
        if ord in (inf, -inf):
            return (max if ord > 0 else min)(abs(x), axes, keepdims=keepdims)
        if ord == 0:
            return sum((x != 0).astype(x.dtype), axes, keepdims=keepdims)
        if ord == 1:
            return sum(abs(x), axes, keepdims=keepdims)
        if not is_number(ord):
            raise ValueError(f"[norm] ord is {ord!r:.40}; expected a number for vectors")
        return power(sum(power(abs(x), ord), axes, keepdims=keepdims), 1.0 / ord)
    if ord is None or ord == "fro":
        return sqrt(sum(x * x, axes, keepdims=keepdims))
    if ord in (1, -1, inf, -inf):
        rows, columns = (a % x.ndim for a in axes)
        inner, other = (rows, columns) if ord in (1, -1) else (columns, rows)
        sums = sum(abs(x), inner, keepdims=True)
        found = (max if ord > 0 else min)(sums, other, keepdims=True)
        return found if keepdims else _ops._np_squeeze(found, axis=(rows, columns))
    if ord in (2, -2, "nuc"):
        from .manipulation import expand_dims, moveaxis

        singular = svd(moveaxis(x, axes, (-2, -1)))[1]
        reduce: Any = {"nuc": sum, 2: max, -2: min}[ord]
        found = reduce(singular, -1)
        return expand_dims(found, tuple(a % x.ndim for a in axes)) if keepdims else found
    raise ValueError(
        f"[norm] ord is {ord!r:.40}; expected 'fro', 'nuc', 1, -1, 2, -2, inf or -inf for matrices"
    )


def svd(a: Any) -> tuple[Any, Any, Any]:
    """Factors of matrices ``a = (u * s[..., None, :]) @ v``: u, singular values s, descending, and v.

    What NumPy's gives with ``full_matrices=False``: of (..., M, N), with K the smaller of M and N, these
    are (..., M, K), (..., K) and (..., K, N). In symbols M may be at most N, as in MXNet. Gradients of u
    and v: where the singular values differ.

    >>> from mixgrad import np
    >>> u, s, v = np.linalg.svd(np.array([[3.0, 0.0], [0.0, 4.0], [0.0, 0.0]]))
    >>> u.shape, s.tolist(), v.shape
    ((3, 2), [4.0, 3.0], (2, 2))
    """
    from .manipulation import swapaxes

    a = tensor(a)
    if not is_symbol(a) and a.ndim > 1 and a.shape[-2] > a.shape[-1]:
        v, s, u = svd(swapaxes(a, -1, -2))
        return swapaxes(u, -1, -2), s, swapaxes(v, -1, -2)
    u, s, v = listed(_ops._npi_svd(a))
    return u, s, v


def cholesky(a: Any) -> Any:
    """The lower triangular factor L of positive definite matrices ``a = L @ L.T``."""
    return _ops._npi_cholesky(tensor(a))


def inv(a: Any) -> Any:
    """The inverse of matrices."""
    return _ops._npi_inv(tensor(a))


def det(a: Any) -> Any:
    """The determinant of matrices."""
    return _ops._npi_det(tensor(a))


def slogdet(a: Any) -> list[Any]:
    """Sign, and logarithm of the absolute value, of the determinant of matrices."""
    return listed(_ops._npi_slogdet(tensor(a)))


def solve(a: Any, b: Any) -> Any:
    """The solution x of ``a @ x = b``."""
    return _ops._npi_solve(tensor(a), tensor(b))


def tensorinv(a: Any, ind: int = 2) -> Any:
    """The inverse of a tensor whose first ``ind`` axes stand for rows."""
    return _ops._npi_tensorinv(tensor(a), ind=ind)


def tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    """The solution x of ``tensordot(a, x, x.ndim) = b``; ``axes`` of ``a`` go to its end first."""
    return _ops._npi_tensorsolve(tensor(a), tensor(b), () if axes is None else axes)


def pinv(a: Any, rcond: Any = 1e-15, hermitian: bool = False) -> Any:
    """The pseudo-inverse of matrices.

    Parameters
    ----------
    a : ndarray
    rcond : number or ndarray
        Singular values below this share of the largest count as 0.
    hermitian : bool
        Refused unless False.
    """
    if hermitian:
        raise NotImplementedError("[pinv] hermitian is True; expected False")
    if is_number(rcond):
        return _ops._npi_pinv_scalar_rcond(tensor(a), float(rcond), False)
    a = tensor(a)
    return _ops._npi_pinv(a, tensor(rcond, a), False)


def eigvals(a: Any) -> Any:
    """The eigenvalues, which must be real, of matrices."""
    return _ops._npi_eigvals(tensor(a))


def eigvalsh(a: Any, UPLO: str = "L") -> Any:
    """The eigenvalues of symmetric matrices in ascending order, read from one triangle."""
    return _ops._npi_eigvalsh(tensor(a), UPLO=UPLO)


def eig(a: Any) -> tuple[Any, Any]:
    """Eigenvalues, which must be real, and eigenvectors, as columns, of matrices."""
    w, v = listed(_ops._npi_eig(tensor(a)))
    return w, v


def eigh(a: Any, UPLO: str = "L") -> tuple[Any, Any]:
    """Eigenvalues in ascending order and eigenvectors, as columns, of symmetric matrices."""
    w, v = listed(_ops._npi_eigh(tensor(a), UPLO=UPLO))
    return w, v


__getattr__, __dir__ = _hints.public(__name__)
