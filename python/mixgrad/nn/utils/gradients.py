"""Norms and limits of gradients."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Union

from ... import numpy as np
from ...base import InvalidArgumentError
from ...ndarray import NDArray
from ..grad_mode import no_grad

__all__ = ["clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_", "get_total_norm"]

Parameters = Union[Any, Iterable[Any]]


def _listed(who: str, given: Parameters) -> list[Any]:
    arrays = [given] if isinstance(given, NDArray) else list(given)
    for one in arrays:
        if not isinstance(one, NDArray):
            raise TypeError(f"[{who}] got a {type(one).__name__}; expected arrays")
    return arrays


def _gradients(who: str, parameters: Parameters) -> list[Any]:
    return [one.grad for one in _listed(who, parameters) if one.grad is not None]


def _check_limit(who: str, max_norm: float) -> None:
    if not max_norm >= 0:
        raise InvalidArgumentError(f"[{who}] max_norm is {max_norm!r}; expected a norm of at least 0")


def _norm(who: str, arrays: list[Any], norm_type: float, error_if_nonfinite: bool) -> Any:
    if not norm_type > 0:
        raise InvalidArgumentError(f"[{who}] norm_type is {norm_type!r}; expected a norm of a kind above 0")
    with no_grad():
        if not arrays:
            return np.array(0.0)
        if norm_type == float("inf"):
            norm = np.stack([np.abs(one).max() for one in arrays]).max()
        else:
            norm = sum((np.abs(one) ** norm_type).sum() for one in arrays) ** (1.0 / norm_type)
        if error_if_nonfinite and not np.isfinite(norm).item():
            raise FloatingPointError(f"[{who}] the norm of the arrays is {norm.item()}; expected a number")
    return norm


def get_total_norm(tensors: Parameters, norm_type: float = 2.0, error_if_nonfinite: bool = False) -> Any:
    """The norm of all elements of some arrays together, of shape (); no gradients flow through.

    Parameters
    ----------
    tensors : array or iterable
        Such as gradients.
    norm_type : float
        Which norm; infinity for the largest element.
    error_if_nonfinite : bool
        Whether a norm that is not finite is an error.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.utils.get_total_norm([np.array([3.0]), np.array([[4.0]])])
    array(5.)
    """
    return _norm("get_total_norm", _listed("get_total_norm", tensors), norm_type, error_if_nonfinite)


def clip_grads_with_norm_(parameters: Parameters, max_norm: float, total_norm: Any) -> None:
    """Scale gradients by ``max_norm / total_norm`` where that is below 1.

    Parameters
    ----------
    parameters : parameter or iterable
        Those without gradients do not count.
    max_norm : float
        The limit.
    total_norm : array of shape (), or float
        The norm of the gradients, as :func:`get_total_norm` gives it.

    Examples
    --------
    >>> from mixgrad import nn
    >>> weight = nn.Parameter([3.0, 4.0])
    >>> (weight * weight / 2).sum().backward()
    >>> norm = nn.utils.get_total_norm([weight.grad])
    >>> nn.utils.clip_grads_with_norm_([weight], 1.0, norm)
    >>> weight.grad.asnumpy().round(3)
    array([0.6, 0.8], dtype=float32)
    """
    who = "clip_grads_with_norm_"
    _check_limit(who, max_norm)
    if getattr(total_norm, "shape", ()) != ():
        raise InvalidArgumentError(f"[{who}] total_norm has the shape {total_norm.shape}; expected ()")
    with no_grad():
        scale = np.minimum(max_norm / (total_norm + 1e-6), 1.0)
        for one in _gradients(who, parameters):
            one *= scale


def clip_grad_norm_(
    parameters: Parameters, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False
) -> Any:
    """Scale gradients so that the norm of all elements together is at most ``max_norm``.

    Parameters
    ----------
    parameters : parameter or iterable
        Those without gradients do not count.
    max_norm : float
        The limit.
    norm_type : float
        Which norm; infinity for the largest element.
    error_if_nonfinite : bool
        Whether a norm that is not finite is an error.

    Returns
    -------
    array
        The norm before, of shape ().

    Examples
    --------
    >>> from mixgrad import nn
    >>> weight = nn.Parameter([3.0, 4.0])
    >>> (weight * weight / 2).sum().backward()
    >>> nn.utils.clip_grad_norm_([weight], 1.0)
    array(5.)
    >>> weight.grad.asnumpy().round(3)
    array([0.6, 0.8], dtype=float32)
    """
    _check_limit("clip_grad_norm_", max_norm)
    given = _listed("clip_grad_norm_", parameters)
    grads = _gradients("clip_grad_norm_", given)
    norm = _norm("clip_grad_norm_", grads, norm_type, error_if_nonfinite)
    clip_grads_with_norm_(given, max_norm, norm)
    return norm


def clip_grad_value_(parameters: Parameters, clip_value: float) -> None:
    """Limit each element of gradients to the interval from ``-clip_value`` to ``clip_value``."""
    if not clip_value >= 0:
        raise InvalidArgumentError(f"[clip_grad_value_] clip_value is {clip_value!r}; expected at least 0")
    with no_grad():
        for one in _gradients("clip_grad_value_", parameters):
            one[:] = one.clip(-clip_value, clip_value)
