"""Random shapes and arrays, and NumPy helpers for expected values."""

# Tests seed NumPy's global generator (np.random.seed), so the helpers draw from it.
# ruff: noqa: NPY002

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable, TypeVar

import numpy as np
import numpy.typing as npt

from .. import ndarray as nd
from ..context import Context
from ..ndarray import NDArray
from .environment import default_context
from .sparse_arrays import rand_sparse_ndarray

__all__ = [
    "collapse_sum_like",
    "default_dtype",
    "np_reduce",
    "rand_coord_2d",
    "rand_ndarray",
    "rand_shape_2d",
    "rand_shape_3d",
    "rand_shape_nd",
    "random_arrays",
    "random_sample",
    "random_uniform_arrays",
]

T = TypeVar("T")
Array = npt.NDArray[Any]


def default_dtype() -> type[np.float32]:
    """Return the dtype of arrays made without one."""
    return np.float32


def rand_shape_2d(dim0: int = 10, dim1: int = 10, allow_zero_size: bool = False) -> tuple[int, ...]:
    """Return two random sizes, each from 1 (0 if allowed) to its limit."""
    return _rand_shape((dim0, dim1), allow_zero_size)


def rand_shape_3d(
    dim0: int = 10, dim1: int = 10, dim2: int = 10, allow_zero_size: bool = False
) -> tuple[int, ...]:
    """Return three random sizes, each from 1 (0 if allowed) to its limit."""
    return _rand_shape((dim0, dim1, dim2), allow_zero_size)


def rand_shape_nd(num_dim: int, dim: int = 10, allow_zero_size: bool = False) -> tuple[int, ...]:
    """Return ``num_dim`` random sizes, each from 1 (0 if allowed) to ``dim``.

    Examples
    --------
    >>> from mixgrad import test_utils
    >>> len(test_utils.rand_shape_nd(4))
    4
    """
    return _rand_shape((dim,) * num_dim, allow_zero_size)


def _rand_shape(limits: Sequence[int], allow_zero_size: bool) -> tuple[int, ...]:
    return tuple(int(np.random.randint(0 if allow_zero_size else 1, limit + 1)) for limit in limits)


def rand_coord_2d(x_low: int, x_high: int, y_low: int, y_high: int) -> tuple[int, int]:
    """Return a random point with ``x_low <= x < x_high`` and ``y_low <= y < y_high``."""
    return int(np.random.randint(x_low, x_high)), int(np.random.randint(y_low, y_high))


def random_arrays(*shapes: tuple[int, ...]) -> Any:
    """Return float32 NumPy arrays of standard normal numbers, one per shape (alone if there is one).

    Examples
    --------
    >>> from mixgrad import test_utils
    >>> [a.shape for a in test_utils.random_arrays((2, 3), (4,))]
    [(2, 3), (4,)]
    """
    arrays = [np.asarray(np.random.randn(*shape), dtype=default_dtype()) for shape in shapes]
    return arrays[0] if len(arrays) == 1 else arrays


def random_uniform_arrays(*shapes: tuple[int, ...], low: float = 0.0, high: float = 1.0) -> list[Array]:
    """Return float32 NumPy arrays drawn uniformly from ``[low, high)``, one per shape."""
    return [np.asarray(np.random.uniform(low, high, size=shape), dtype=default_dtype()) for shape in shapes]


def random_sample(population: Sequence[T], k: int) -> list[T]:
    """Return ``k`` members of a sequence, without repetition and in their order."""
    if not 0 <= k <= len(population):
        raise ValueError(f"[random_sample] cannot take {k} of {len(population)}")
    return [population[i] for i in sorted(np.random.permutation(len(population))[:k])]


def rand_ndarray(
    shape: tuple[int, ...],
    stype: str = "default",
    density: float | None = None,
    dtype: Any = None,
    modifier_func: Callable[..., Any] | None = None,
    shuffle_csr_indices: bool = False,
    distribution: str | None = None,
    ctx: Context | None = None,
) -> NDArray:
    """Return an array of random numbers.

    Parameters
    ----------
    shape : tuple of int
        Its shape.
    stype : {'default', 'row_sparse', 'csr'}
        Storage type.
    density, modifier_func, shuffle_csr_indices
        Of sparse arrays, see :func:`rand_sparse_ndarray`.
    dtype : type or str, optional
        float32 by default.
    distribution : {'normal', 'uniform'}, optional
        Standard normal by default; ``'uniform'`` is ``[0, 1)``. Of sparse arrays ``'uniform'`` or
        ``'powerlaw'``.
    ctx : Context, optional
        Device.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.test_utils.rand_ndarray((2, 3), dtype="float64").shape
    (2, 3)
    """
    if stype != "default":
        made: NDArray = rand_sparse_ndarray(
            shape,
            stype,
            density=density,
            dtype=dtype,
            distribution=distribution,
            modifier_func=modifier_func,
            shuffle_csr_indices=shuffle_csr_indices,
            ctx=ctx,
        )[0]
        return made
    if distribution not in (None, "normal", "uniform"):
        raise ValueError(f"[rand_ndarray] distribution must be 'normal' or 'uniform', got {distribution!r}")
    values = np.random.uniform(size=shape) if distribution == "uniform" else np.random.normal(size=shape)
    return nd.array(values, ctx=ctx or default_context(), dtype=dtype or default_dtype())


def np_reduce(
    dat: Array, axis: int | Sequence[int] | None, keepdims: bool, numpy_reduce_func: Callable[..., Any]
) -> Array:
    """Reduce several axes with a NumPy function that reduces one.

    Examples
    --------
    >>> import numpy as np
    >>> from mixgrad import test_utils
    >>> test_utils.np_reduce(np.ones((2, 3, 4)), (0, 2), True, np.sum).shape
    (1, 3, 1)
    """
    axes = range(dat.ndim) if axis is None else [axis] if isinstance(axis, int) else axis
    result: Any = dat
    for one in sorted((a % dat.ndim for a in axes), reverse=True):
        result = numpy_reduce_func(result, axis=one)
        if keepdims:
            result = np.expand_dims(result, one)
    return np.asarray(result)


def collapse_sum_like(a: Array, shape: tuple[int, ...]) -> Array:
    """Sum ``a`` over the axes along which ``shape`` was broadcast to ``a.shape``.

    Examples
    --------
    >>> import numpy as np
    >>> from mixgrad import test_utils
    >>> test_utils.collapse_sum_like(np.ones((4, 2, 3)), (2, 1)).tolist()
    [[12.0], [12.0]]
    """
    extra = a.ndim - len(shape)
    if extra < 0 or any(size not in (1, a.shape[extra + i]) for i, size in enumerate(shape)):
        raise ValueError(f"[collapse_sum_like] {shape} does not broadcast to {a.shape}")
    axes = (*range(extra), *(extra + i for i, size in enumerate(shape) if size == 1))
    return np.asarray(a.sum(axis=axes, keepdims=True)).reshape(shape)
