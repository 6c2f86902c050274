"""Matrices and vectors of certain kinds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable

import numpy as np
import numpy.typing as npt

from .. import ndarray as nd
from ..ndarray import NDArray

__all__ = [
    "assign_each",
    "assign_each2",
    "checkShapes",
    "create_2d_tensor",
    "create_vector",
    "get_identity_mat",
    "get_identity_mat_batch",
    "new_matrix_with_real_eigvals_2d",
    "new_matrix_with_real_eigvals_nd",
    "new_orthonormal_matrix_2d",
    "new_sym_matrix_with_real_eigvals_2d",
    "new_sym_matrix_with_real_eigvals_nd",
]

Array = npt.NDArray[Any]


def assign_each(the_input: Any, function: Callable[[Any], Any] | None) -> Array:
    """A function of each element; the elements themselves for None."""
    values = np.array(the_input)
    if function is None:
        return values
    return np.array([function(one) for one in values.ravel()], np.float64).reshape(values.shape)


def assign_each2(input1: Any, input2: Any, function: Callable[[Any, Any], Any] | None) -> Array:
    """A function of each pair of elements; those of the first array for None."""
    first, second = np.array(input1), np.array(input2)
    if function is None:
        return first
    checkShapes(first, second)
    pairs = zip(first.ravel(), second.ravel())
    return np.array([function(a, b) for a, b in pairs], np.float64).reshape(first.shape)


def checkShapes(a: Any, b: Any) -> None:
    """Raises unless two arrays have one shape."""
    if a.shape != b.shape:
        raise AssertionError(f"the shapes {a.shape} and {b.shape} are not equal")


def create_vector(size: int, dtype: Any = np.int64) -> NDArray:
    """The whole numbers below ``size``."""
    return nd.arange(0, size, dtype=dtype)


def create_2d_tensor(rows: int, columns: int, dtype: Any = np.int64) -> NDArray:
    """A matrix whose elements are the numbers of their rows."""
    made: NDArray = nd.broadcast_to(create_vector(rows, dtype).reshape((rows, 1)), shape=(rows, columns))
    return made


def get_identity_mat(size: int) -> NDArray:
    """The identity matrix."""
    return nd.eye(size)


def get_identity_mat_batch(size: int) -> NDArray:
    """Two identity matrices."""
    return nd.array(np.stack([np.eye(size)] * 2))


def new_orthonormal_matrix_2d(n: int) -> Array:
    """A random matrix with orthonormal columns."""
    return np.asarray(np.linalg.qr(np.random.randn(n, n))[0])  # noqa: NPY002


def new_sym_matrix_with_real_eigvals_2d(n: int) -> Array:
    """A random symmetric matrix whose eigenvalues lie between -10 and 10."""
    q = new_orthonormal_matrix_2d(n)
    return np.asarray(q.T @ np.diag(np.random.uniform(-10.0, 10.0, n)) @ q)  # noqa: NPY002


def new_matrix_with_real_eigvals_2d(n: int) -> Array:
    """A random matrix with real eigenvalues between -10 and 10, and eigenvectors far from dependent."""
    base = new_orthonormal_matrix_2d(n) @ np.diag(np.random.uniform(0.5, 1.0, n))  # noqa: NPY002
    return np.asarray(np.linalg.inv(base) @ np.diag(np.random.uniform(-10.0, 10.0, n)) @ base)  # noqa: NPY002


def _stacked(shape: Sequence[int], make: Callable[[int], Array]) -> Array:
    count = int(np.prod(shape[:-2]))
    return np.array([make(shape[-1]) for _ in range(count)]).reshape(tuple(shape))


def new_sym_matrix_with_real_eigvals_nd(shape: Sequence[int]) -> Array:
    """Random symmetric matrices in the last two axes."""
    return _stacked(shape, new_sym_matrix_with_real_eigvals_2d)


def new_matrix_with_real_eigvals_nd(shape: Sequence[int]) -> Array:
    """Random matrices with real eigenvalues in the last two axes."""
    return _stacked(shape, new_matrix_with_real_eigvals_2d)
