"""Random arrays (``mx.nd.random``).

Parameters of a distribution are numbers, or arrays: then every element of the parameters gives a block of
``shape`` samples, and the result has the shape of the parameters followed by ``shape``. Numbers follow from
the seed given to ``mx.random.seed`` and the order of the calls.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from numbers import Real
from types import MappingProxyType
from typing import Any, NoReturn, Optional, Union

from .. import _hints
from .. import ops as _ops
from .._device import on_device
from .._hints import refuse_arguments
from .._words import RANDOM
from ..base import DTYPE_NAMES, DTypeLike, InvalidArgumentError, RefusedValueError, dtype_number
from ..context import Context
from .ndarray import NDArray
from .ops import _find

__all__ = [
    "exponential",
    "gamma",
    "generalized_negative_binomial",
    "multinomial",
    "negative_binomial",
    "normal",
    "poisson",
    "randint",
    "randn",
    "shuffle",
    "uniform",
]

ShapeLike = Optional[Union[int, Sequence[int]]]
Parameter = Union[float, NDArray]


_NO_WORDS: Mapping[str, Any] = MappingProxyType({})


def _type_name(dtype: DTypeLike) -> Optional[str]:
    return None if dtype is None or dtype == "None" else DTYPE_NAMES[dtype_number(dtype)]


def _draw(
    name: str,
    params: dict[str, Any],
    shape: ShapeLike,
    dtype: DTypeLike,
    ctx: Optional[Context],
    out: Optional[NDArray],
    arrays: Sequence[str] = (),
    words: Mapping[str, Any] = _NO_WORDS,
) -> NDArray:
    """Calls ``_random_<name>`` for numbers and ``_sample_<name>``, with inputs ``arrays``, for arrays."""
    if words:
        known = [word for word in inspect.signature(globals()[name]).parameters if word != "words"]
        refuse_arguments(f"random.{name}", words, known, RANDOM)
    values = list(params.values())
    made: NDArray
    if arrays and all(isinstance(value, NDArray) for value in values):
        extents = () if shape is None else shape
        sample = getattr(_ops, f"_sample_{name}")
        made = sample(**dict(zip(arrays, values)), shape=extents, dtype=_type_name(dtype), out=out)
        return made
    for key, value in params.items():
        if not isinstance(value, Real):
            kinds = ", ".join(f"{k}: {type(v).__name__}" for k, v in params.items())
            wanted = "numbers, or all NDArrays" if arrays else "numbers"
            raise RefusedValueError(
                f"[random.{name}] parameter {key} does not fit the others ({kinds}); expected {wanted}"
            )
    if shape is None and out is None:
        shape = (1,)
    with on_device(ctx):
        made = getattr(_ops, f"_random_{name}")(**params, shape=shape, dtype=_type_name(dtype), out=out)
    return made


def uniform(
    low: Parameter = 0,
    high: Parameter = 1,
    shape: ShapeLike = None,
    dtype: DTypeLike = None,
    ctx: Optional[Context] = None,
    out: Optional[NDArray] = None,
    **words: NoReturn,
) -> NDArray:
    """Samples spread evenly over [low, high).

    Parameters
    ----------
    low, high : float or NDArray
        Ends of the interval.
    shape : int or tuple of int, optional
        Extents of the result, or of each block when the parameters are arrays; (1,) by default.
    dtype : dtype, optional
        'float16', 'float32' (the default), 'float64' or 'bfloat16'.
    ctx : Context, optional
        Device of the result; the current one by default. Ignored when the parameters are arrays.
    out : NDArray, optional
        Array to fill.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.nd.random.uniform(2, 3, shape=(4, 5)).shape
    (4, 5)
    >>> mx.nd.random.uniform(mx.nd.array([0, 10]), mx.nd.array([1, 20]), shape=3).shape
    (2, 3)
    """
    return _draw("uniform", {"low": low, "high": high}, shape, dtype, ctx, out, ("low", "high"), words=words)


def normal(
    loc: Parameter = 0,
    scale: Parameter = 1,
    shape: ShapeLike = None,
    dtype: DTypeLike = None,
    ctx: Optional[Context] = None,
    out: Optional[NDArray] = None,
    **words: NoReturn,
) -> NDArray:
    """Samples of the normal distribution with mean ``loc`` and standard deviation ``scale``.

    Parameters
    ----------
    loc, scale : float or NDArray
        Mean and standard deviation.
    shape, dtype, ctx, out
        As in :func:`uniform`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.nd.random.normal(0, 2, shape=(2, 2), dtype="float64").dtype
    <class 'numpy.float64'>
    """
    return _draw("normal", {"loc": loc, "scale": scale}, shape, dtype, ctx, out, ("mu", "sigma"), words=words)


def randn(
    *shape: int,
    loc: Parameter = 0,
    scale: Parameter = 1,
    dtype: DTypeLike = None,
    ctx: Optional[Context] = None,
    out: Optional[NDArray] = None,
) -> NDArray:
    """Samples of the normal distribution; the extents are the positional arguments.

    >>> import mixgrad as mx
    >>> mx.nd.random.randn(2, 3).shape
    (2, 3)
    """
    return normal(loc, scale, shape, dtype, ctx, out)


def exponential(
    scale: Parameter = 1,
    shape: ShapeLike = None,
    dtype: DTypeLike = None,
    ctx: Optional[Context] = None,
    out: Optional[NDArray] = None,
    **words: NoReturn,
) -> NDArray:
    """Samples of the exponential distribution with mean ``scale``, the inverse of its rate.

    Parameters
    ----------
    scale : float or NDArray
        Mean.
    shape, dtype, ctx, out
        As in :func:`uniform`.
    """
    if isinstance(scale, NDArray):
        return _draw("exponential", {"lam": 1.0 / scale}, shape, dtype, ctx, out, ("lam",), words=words)
    if not isinstance(scale, Real):
        raise TypeError(f"[random.exponential] scale is {scale!r:.60}; expected a number or an NDArray")
    if not scale > 0:
        raise InvalidArgumentError(f"[random.exponential] scale is {scale}; expected a mean above 0")
    return _draw("exponential", {"lam": 1.0 / scale}, shape, dtype, ctx, out, ("lam",), words=words)


def gamma(
    alpha: Parameter = 1,
    beta: Parameter = 1,
    shape: ShapeLike = None,
    dtype: DTypeLike = None,
    ctx: Optional[Context] = None,
    out: Optional[NDArray] = None,
    **words: NoReturn,
) -> NDArray:
    """Samples of the gamma distribution of shape ``alpha`` and scale ``beta``: the mean is alpha * beta.

    Parameters
    ----------
    alpha, beta : float or NDArray
        Shape and scale, above 0.
    shape, dtype, ctx, out
        As in :func:`uniform`.
    """
    return _draw(
        "gamma", {"alpha": alpha, "beta": beta}, shape, dtype, ctx, out, ("alpha", "beta"), words=words
    )


def poisson(
    lam: Parameter = 1,
    shape: ShapeLike = None,
    dtype: DTypeLike = None,
    ctx: Optional[Context] = None,
    out: Optional[NDArray] = None,
    **words: NoReturn,
) -> NDArray:
    """Samples of the Poisson distribution with mean ``lam``, as floats.

    Parameters
    ----------
    lam : float or NDArray
        Mean, at least 0.
    shape, dtype, ctx, out
        As in :func:`uniform`.
    """
    return _draw("poisson", {"lam": lam}, shape, dtype, ctx, out, ("lam",), words=words)


def negative_binomial(
    k: Parameter = 1,
    p: Parameter = 1,
    shape: ShapeLike = None,
    dtype: DTypeLike = None,
    ctx: Optional[Context] = None,
    out: Optional[NDArray] = None,
    **words: NoReturn,
) -> NDArray:
    """How many failures, as floats, come before success ``k`` when a trial succeeds with probability ``p``.

    Parameters
    ----------
    k : int or NDArray
        Successes to wait for.
    p : float or NDArray
        Probability of success.
    shape, dtype, ctx, out
        As in :func:`uniform`.
    """
    return _draw("negative_binomial", {"k": k, "p": p}, shape, dtype, ctx, out, ("k", "p"), words=words)


def generalized_negative_binomial(
    mu: Parameter = 1,
    alpha: Parameter = 1,
    shape: ShapeLike = None,
    dtype: DTypeLike = None,
    ctx: Optional[Context] = None,
    out: Optional[NDArray] = None,
    **words: NoReturn,
) -> NDArray:
    """Counts, as floats, with mean ``mu`` and variance mu + alpha * mu^2; Poisson when ``alpha`` is 0.

    Parameters
    ----------
    mu, alpha : float or NDArray
        Mean and dispersion, at least 0.
    shape, dtype, ctx, out
        As in :func:`uniform`.
    """
    name = "generalized_negative_binomial"
    return _draw(name, {"mu": mu, "alpha": alpha}, shape, dtype, ctx, out, ("mu", "alpha"), words=words)


def randint(
    low: int,
    high: int,
    shape: ShapeLike = None,
    dtype: DTypeLike = None,
    ctx: Optional[Context] = None,
    out: Optional[NDArray] = None,
    **words: NoReturn,
) -> NDArray:
    """Whole numbers spread evenly over [low, high).

    Parameters
    ----------
    low, high : int
        Least number, and the one after the greatest.
    shape : int or tuple of int, optional
        Extents of the result; (1,) by default, unless ``out`` says.
    dtype : dtype, optional
        'int32' (the default) or 'int64'.
    ctx : Context, optional
        Device of the result; the current one by default.
    out : NDArray, optional
        Array to fill.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.nd.random.randint(3, 4, shape=2).asnumpy()
    array([3, 3], dtype=int32)
    """
    return _draw("randint", {"low": low, "high": high}, shape, dtype, ctx, out, words=words)


def multinomial(
    data: NDArray,
    shape: ShapeLike = None,
    get_prob: bool = False,
    out: Any = None,
    dtype: DTypeLike = "int32",
) -> Any:
    """Indices drawn with the probabilities that the last axis of ``data`` holds.

    Parameters
    ----------
    data : NDArray
        Probabilities of shape (..., k); each row sums to 1.
    shape : int or tuple of int, optional
        Extents of the draws of one row; one draw, without an axis of its own, by default.
    get_prob : bool
        Also return the logarithm of each drawn index's probability, through which gradients flow to ``data``.
    out : NDArray or list of NDArray, optional
        Where to write.
    dtype : dtype
        Type of the indices.

    Returns
    -------
    NDArray, or list of two
        Indices of shape ``data.shape[:-1] + shape``, and the logarithms when asked for.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.nd.random.multinomial(mx.nd.array([[0, 1, 0], [0, 0, 1]]), shape=2).asnumpy()
    array([[1, 1],
           [2, 2]], dtype=int32)
    """
    extents = () if shape is None else shape
    return _ops._sample_multinomial(data, shape=extents, get_prob=get_prob, dtype=_type_name(dtype), out=out)


def shuffle(data: NDArray, out: Optional[NDArray] = None) -> NDArray:
    """The parts of ``data`` along its first axis, in random order.

    >>> import mixgrad as mx
    >>> mx.nd.random.shuffle(mx.nd.array([[0, 1], [2, 3]])).sum(axis=1).sum().asscalar()
    np.float32(6.0)
    """
    made: NDArray = _ops._shuffle(data, out=out)
    return made


_operator, __dir__ = _hints.operators(__name__, _find, _ops.NAMES, "_random_", "_sample_", own=__all__)


def __getattr__(name: str) -> Any:
    """The remaining operators of the family: uniform_like, normal_like, pdf_normal, ..."""
    return _operator(name)
