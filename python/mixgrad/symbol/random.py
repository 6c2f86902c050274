"""Random symbols (``mx.sym.random``): those of ``mx.nd.random``, drawn anew in every run of the graph.

Parameters of a distribution are numbers, or symbols: then every element of the parameters gives a block of
``shape`` samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any, Optional, Union

from .. import _hints
from ..base import DTYPE_NAMES, DTypeLike, RefusedValueError, dtype_number
from .functions import NAMES, internal, operator
from .symbol import Symbol

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
Parameter = Union[float, Symbol]


def _draw(
    name: str,
    params: dict[str, Any],
    shape: ShapeLike,
    dtype: Optional[DTypeLike],
    inputs: Sequence[str],
    kwargs: dict[str, Any],
) -> Symbol:
    """Calls ``_random_<name>`` for numbers and ``_sample_<name>``, with these inputs, for symbols.

    Without a shape, samples of numbers have the shape that the rest of the graph wants, as in MXNet.
    """
    values = list(params.values())
    if dtype is not None and dtype != "None":
        kwargs["dtype"] = DTYPE_NAMES[dtype_number(dtype)]
    if shape is not None:
        kwargs["shape"] = shape
    if inputs and all(isinstance(value, Symbol) for value in values):
        return internal(f"_sample_{name}")(**dict(zip(inputs, values)), **kwargs)
    for key, value in params.items():
        if not isinstance(value, Real):
            wanted = "numbers, or all symbols" if inputs else "numbers"
            raise RefusedValueError(f"[random.{name}] {key} is {type(value).__name__}; expected {wanted}")
    return internal(f"_random_{name}")(**params, **kwargs)


def uniform(
    low: Parameter = 0,
    high: Parameter = 1,
    shape: ShapeLike = None,
    dtype: Optional[DTypeLike] = None,
    **kwargs: Any,
) -> Symbol:
    """Samples spread evenly over [low, high).

    >>> import mixgrad as mx
    >>> mx.sym.random.uniform(2, 3, shape=(4, 5)).infer_shape()[1]
    [(4, 5)]
    """
    return _draw("uniform", {"low": low, "high": high}, shape, dtype, ("low", "high"), kwargs)


def normal(
    loc: Parameter = 0,
    scale: Parameter = 1,
    shape: ShapeLike = None,
    dtype: Optional[DTypeLike] = None,
    **kwargs: Any,
) -> Symbol:
    """Samples of the normal distribution with mean ``loc`` and standard deviation ``scale``."""
    return _draw("normal", {"loc": loc, "scale": scale}, shape, dtype, ("mu", "sigma"), kwargs)


def randn(*shape: int, loc: Parameter = 0, scale: Parameter = 1, **kwargs: Any) -> Symbol:
    """Samples of the normal distribution; the extents are the positional arguments."""
    return normal(loc, scale, shape or None, **kwargs)


def exponential(
    scale: Parameter = 1, shape: ShapeLike = None, dtype: Optional[DTypeLike] = None, **kwargs: Any
) -> Symbol:
    """Samples of the exponential distribution with mean ``scale``."""
    rate = 1.0 / scale
    return _draw("exponential", {"lam": rate}, shape, dtype, ("lam",), kwargs)


def gamma(
    alpha: Parameter = 1,
    beta: Parameter = 1,
    shape: ShapeLike = None,
    dtype: Optional[DTypeLike] = None,
    **kwargs: Any,
) -> Symbol:
    """Samples of the gamma distribution with shape ``alpha`` and scale ``beta``."""
    return _draw("gamma", {"alpha": alpha, "beta": beta}, shape, dtype, ("alpha", "beta"), kwargs)


def poisson(
    lam: Parameter = 1, shape: ShapeLike = None, dtype: Optional[DTypeLike] = None, **kwargs: Any
) -> Symbol:
    """Samples of the Poisson distribution with mean ``lam``."""
    return _draw("poisson", {"lam": lam}, shape, dtype, ("lam",), kwargs)


def negative_binomial(
    k: Parameter = 1,
    p: Parameter = 1,
    shape: ShapeLike = None,
    dtype: Optional[DTypeLike] = None,
    **kwargs: Any,
) -> Symbol:
    """Failures before the ``k``-th success of trials that succeed with probability ``p``."""
    return _draw("negative_binomial", {"k": k, "p": p}, shape, dtype, ("k", "p"), kwargs)


def generalized_negative_binomial(
    mu: Parameter = 1,
    alpha: Parameter = 1,
    shape: ShapeLike = None,
    dtype: Optional[DTypeLike] = None,
    **kwargs: Any,
) -> Symbol:
    """Negative binomial samples by mean ``mu`` and dispersion ``alpha``."""
    params = {"mu": mu, "alpha": alpha}
    return _draw("generalized_negative_binomial", params, shape, dtype, ("mu", "alpha"), kwargs)


def randint(
    low: int, high: int, shape: ShapeLike = None, dtype: Optional[DTypeLike] = None, **kwargs: Any
) -> Symbol:
    """Whole numbers spread evenly over [low, high)."""
    return _draw("randint", {"low": low, "high": high}, shape, dtype, (), kwargs)


def multinomial(
    data: Symbol,
    shape: ShapeLike = None,
    get_prob: bool = True,
    dtype: DTypeLike = "int32",
    **kwargs: Any,
) -> Symbol:
    """Indices drawn with the probabilities that the last axis of ``data`` holds."""
    if shape is not None:
        kwargs["shape"] = shape
    name = DTYPE_NAMES[dtype_number(dtype)]
    return internal("_sample_multinomial")(data, get_prob=get_prob, dtype=name, **kwargs)


def shuffle(data: Symbol, **kwargs: Any) -> Symbol:
    """The parts of ``data`` along its first axis, in random order."""
    return internal("_shuffle")(data, **kwargs)


_operator, __dir__ = _hints.operators(__name__, operator, NAMES, "_random_", "_sample_", own=__all__)


def __getattr__(name: str) -> Any:
    """The remaining operators of the family: uniform_like, normal_like, pdf_normal, ..."""
    return _operator(name)
