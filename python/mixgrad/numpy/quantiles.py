"""Percentiles whose gradients go to the elements that they lie at or between."""

from __future__ import annotations

from typing import Any

from .operands import is_number, is_symbol
from .operators import operators as _ops

__all__ = ["percentile_with_gradient"]


def _shares(a: Any, at: Any, axis: Any) -> Any:
    """1 for the element that equals the percentile, or a share for each of several."""
    from .creation import ones_like, zeros_like
    from .elementwise import equal, true_divide
    from .searching import where

    found = where(equal(a, at), ones_like(a), zeros_like(a))
    count = _ops._np_sum(found, axis, None, True)
    # Where an element is NaN, so is the percentile, and nothing equals it.
    return true_divide(found, where(equal(count, 0), ones_like(count), count))


def percentile_with_gradient(a: Any, q: Any, axis: Any, interpolation: str, keepdims: bool) -> Any:
    """What ``_npi_percentile`` gives, whose own gradient is 0, with a gradient to ``a``.

    Parameters
    ----------
    a : ndarray or symbol
        Of floats.
    q : number or ndarray
        Percentages; a number beside a symbol.
    axis, interpolation, keepdims
        As of :func:`mixgrad.np.percentile`.
    """
    from .creation import zeros_like
    from .elementwise import equal, isfinite, true_divide
    from .searching import where

    if not is_symbol(a):
        axes = range(a.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
        axis = tuple(one % a.ndim - a.ndim for one in axes) if a.ndim else None

    def at(kind: str) -> Any:
        words = {"axis": axis, "interpolation": kind, "keepdims": True}
        if is_number(q):
            return _ops._npi_percentile(a, q_scalar=float(q), **words)
        return _ops._npi_percentile(a, q, **words)

    value = at(interpolation)
    numbers = true_divide(a, 1)  # floats, as percentiles of integers are; graphs do not know their dtypes
    if interpolation in ("lower", "higher", "nearest"):
        shares = _shares(numbers, value, axis)
    else:
        low, high = at("lower"), at("higher")
        apart = high - low
        same = equal(apart, 0)
        upper = where(same, zeros_like(apart), (value - low) / where(same, apart + 1, apart))
        shares = _shares(numbers, low, axis) * (1 - upper) + _shares(numbers, high, axis) * upper
    fixed = _ops.BlockGrad(numbers)
    move = where(isfinite(fixed), numbers - fixed, zeros_like(numbers))
    result = value + _ops._np_sum(_ops.BlockGrad(shares) * move, axis, None, True)
    if keepdims:
        return result
    if axis is None:
        return _ops._np_reshape(result, ())
    return result if axis == () else _ops._np_squeeze(result, axis=axis)
