"""Functions that multiply matrices and tensors."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from .. import _core
from .elementwise import multiply
from .operands import is_number, is_symbol, tensor, together
from .operators import operators as _ops

if TYPE_CHECKING:
    from .ndarray import ndarray

__all__ = ["dot", "einsum", "inner", "kron", "matmul", "outer", "polyval", "tensordot", "vdot"]


def _pair(a: Any, b: Any) -> list[Any]:
    like = a if isinstance(a, _core.NDArrayBase) else b if isinstance(b, _core.NDArrayBase) else None
    return [tensor(a, like), tensor(b, like)]


def dot(a: Any, b: Any, out: Any = None) -> ndarray:
    """The product of the last axis of ``a`` and the last but one of ``b``, or its only one.

    Parameters
    ----------
    a, b : ndarray or number
    out : ndarray, optional
        Receives the result.
    """
    if is_number(a) or is_number(b):
        return multiply(a, b, out=out)
    return together(_ops._np_dot, _pair(a, b), out=out)


def matmul(a: Any, b: Any, out: Any = None, **kwargs: Any) -> ndarray:
    """The product of matrices, or of stacks of them whose leading axes broadcast.

    Parameters
    ----------
    a, b : ndarray
        Of one axis at least.
    out : ndarray, optional
        Receives the result.
    """
    if kwargs:
        from .elementwise import _options

        if _options("matmul", kwargs):
            raise NotImplementedError("[matmul] where is given; expected True")
    if is_number(a) or is_number(b):
        raise ValueError("[matmul] an operand is a number; expected arrays of one axis at least")
    return together(_ops._npi_matmul, _pair(a, b), out=out)


def inner(a: Any, b: Any) -> ndarray:
    """The product of the last axes of both."""
    if is_number(a) or is_number(b):
        return multiply(a, b)
    a, b = _pair(a, b)
    if not is_symbol(a) and not is_symbol(b) and (a.ndim == 0 or b.ndim == 0):
        return multiply(a, b)
    return tensordot(a, b, [-1, -1])


def outer(a: Any, b: Any) -> ndarray:
    """Every element of ``a``, flattened, times every one of ``b``, flattened."""
    a, b = _pair(a, b)
    return tensordot(_ops._np_reshape(a, -1), _ops._np_reshape(b, -1), 0)


def vdot(a: Any, b: Any) -> ndarray:
    """The sum of products of the elements of both, flattened."""
    a, b = _pair(a, b)
    return tensordot(_ops._np_reshape(a, -1), _ops._np_reshape(b, -1), 1)


def kron(a: Any, b: Any) -> ndarray:
    """Every element of ``a`` times the whole of ``b``, as one array."""
    a, b = _pair(a, b)
    count = a.ndim if a.ndim > b.ndim else b.ndim
    first = (1,) * (count - a.ndim) + a.shape
    second = (1,) * (count - b.ndim) + b.shape
    wide = _ops._np_reshape(a, sum(((x, 1) for x in first), ()))
    product = multiply(wide, _ops._np_reshape(b, sum(((1, x) for x in second), ())))
    return _ops._np_reshape(product, tuple(x * y for x, y in zip(first, second)))


def tensordot(a: Any, b: Any, axes: Any = 2) -> ndarray:
    """The product of two tensors, summed over axes of both.

    Parameters
    ----------
    a, b : ndarray
    axes : int, or two lists of int
        How many of the last axes of ``a`` and the first of ``b``, or which of either.
    """
    pair = _pair(a, b)
    if is_number(axes):
        count = int(axes)
        if count < 0:
            raise ValueError(f"[tensordot] axes is {axes}; expected 0 or more")
        return together(_ops._npi_tensordot_int_axes, pair, count)
    if len(axes) != 2:
        raise ValueError(f"[tensordot] axes has {len(axes)} items; expected two lists of axes")
    left, right = ((one,) if isinstance(one, (int, onp.integer)) else tuple(one) for one in axes)
    if len(left) != len(right):
        raise ValueError(f"[tensordot] {len(left)} axes of a and {len(right)} of b; expected as many")
    return together(_ops._npi_tensordot, pair, left, right)


def einsum(*operands: Any, **kwargs: Any) -> Any:
    """Products and sums of tensors by Einstein's convention.

    Parameters
    ----------
    *operands : str, then ndarray
        Letters of the axes of each operand, and of the result: ``'ij,jk->ik'``.
    optimize : bool
        Whether to look for a cheap order of the products.
    out : ndarray, optional
        Receives the result.

    Examples
    --------
    >>> import mixgrad as mx
    >>> a = mx.np.array([[1, 2], [3, 4]])
    >>> mx.np.einsum("ij,jk->ik", a, a)
    array([[ 7., 10.],
           [15., 22.]])
    """
    optimize, out = kwargs.pop("optimize", False), kwargs.pop("out", None)
    if kwargs:
        raise TypeError(f"[einsum] unexpected arguments {sorted(kwargs)}; it takes optimize and out")
    if not operands or not isinstance(operands[0], str):
        raise ValueError("[einsum] the first argument is no text; expected subscripts such as 'ij,jk->ik'")
    subscripts, *arrays = operands
    like = next((x for x in arrays if isinstance(x, _core.NDArrayBase)), None)
    xs = [tensor(x, like) for x in arrays]
    return together(_ops._npi_einsum, xs, subscripts=subscripts, optimize=int(bool(optimize)), out=out)


def polyval(p: Any, x: Any) -> Any:
    """The value of a polynomial, coefficients of high powers first, at every element of ``x``."""
    if is_number(x) and not hasattr(p, "_dtype_number"):
        return onp.polyval(p, x)
    if isinstance(p, onp.poly1d):
        raise NotImplementedError("[polyval] p is a poly1d; expected an array of coefficients")
    return together(_ops._npi_polyval, _pair(p, x))
