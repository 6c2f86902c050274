"""Random arrays beside those of ``mx.np.random`` (``mx.npx.random``)."""

from __future__ import annotations

from typing import Any, Optional, Union

from .. import _hints
from .. import random as _random
from ..base import DTypeLike
from ..context import Context
from ..numpy.operands import dtype_name, is_number, made, tensor
from ..numpy.random import _draw, _size

__all__ = ["bernoulli", "normal_n", "seed", "uniform_n"]


def seed(seed: int, ctx: Union[str, Context] = "all") -> None:
    """Starts the random generators again, as :func:`mixgrad.random.seed` does."""
    _random.seed(seed, ctx)


def bernoulli(
    prob: Any = None,
    logit: Any = None,
    size: Any = None,
    dtype: DTypeLike = None,
    ctx: Optional[Context] = None,
    out: Any = None,
) -> Any:
    """Zeros, and ones with a probability.

    Parameters
    ----------
    prob, logit : number or ndarray
        The probability, or the logarithm of its odds; one of the two.
    size : int or tuple of int, optional
        Shape of the result; by default that of the parameter.
    dtype : dtype, optional
        float32 by default.
    ctx : Context, optional
        Device; the current one by default.
    out : ndarray, optional
        Receives the result.
    """
    if (prob is None) == (logit is None):
        raise ValueError("[bernoulli] expected one of prob and logit")
    name, value = ("prob", prob) if logit is None else ("logit", logit)
    return _draw(
        "_npi_bernoulli", {name: value}, size, ctx, out, dtype=dtype_name(dtype), is_logit=logit is not None
    )


def _blocks(op: str, params: dict[str, Any], batch_shape: Any, dtype: DTypeLike, ctx: Any) -> Any:
    from ..numpy.operators import operators as _ops

    arrays = [tensor(value) for value in params.values() if not is_number(value)]
    numbers = {name: float(value) for name, value in params.items() if is_number(value)}
    words = {"dtype": dtype_name(dtype), "size": _size(batch_shape)}
    if arrays:
        return getattr(_ops, op)(*arrays, **numbers, **words)
    return made(op, **numbers, **{**words, "size": () if batch_shape is None else words["size"]}, ctx=ctx)


def uniform_n(
    low: Any = 0.0,
    high: Any = 1.0,
    batch_shape: Any = None,
    dtype: DTypeLike = None,
    ctx: Optional[Context] = None,
) -> Any:
    """Numbers from ``low`` up to ``high``: ``batch_shape`` of them for each element of the parameters."""
    return _blocks("_npi_uniform_n", {"low": low, "high": high}, batch_shape, dtype, ctx)


def normal_n(
    loc: Any = 0.0,
    scale: Any = 1.0,
    batch_shape: Any = None,
    dtype: DTypeLike = None,
    ctx: Optional[Context] = None,
) -> Any:
    """Normal numbers: ``batch_shape`` of them for each element of the parameters, in front."""
    return _blocks("_npi_normal_n", {"loc": loc, "scale": scale}, batch_shape, dtype, ctx)


__getattr__, __dir__ = _hints.public(__name__)
