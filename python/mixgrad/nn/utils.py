"""What is done with parameters, mostly with all at once (``nn.utils``, PyTorch's name)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Union

from .. import numpy as np
from ..base import InvalidArgumentError, ShapeError
from ..ndarray import NDArray
from .grad_mode import no_grad
from .weight_norm import remove_weight_norm, weight_norm

__all__ = [
    "clip_grad_norm_",
    "clip_grad_value_",
    "parameters_to_vector",
    "remove_weight_norm",
    "vector_to_parameters",
    "weight_norm",
]

Parameters = Union[Any, Iterable[Any]]


def _gradients(parameters: Parameters) -> list[Any]:
    given = [parameters] if isinstance(parameters, NDArray) else list(parameters)
    return [one.grad for one in given if one.grad is not None]


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
    if not max_norm >= 0 or not norm_type > 0:
        raise InvalidArgumentError(
            f"[clip_grad_norm_] max_norm is {max_norm!r} and norm_type {norm_type!r}; expected a norm of at "
            "least 0, of a kind above 0"
        )
    grads = _gradients(parameters)
    with no_grad():
        if not grads:
            return np.array(0.0)
        if norm_type == float("inf"):
            norm = np.stack([np.abs(one).max() for one in grads]).max()
        else:
            total = sum((np.abs(one) ** norm_type).sum() for one in grads)
            norm = total ** (1.0 / norm_type)
        if error_if_nonfinite and not np.isfinite(norm).item():
            raise FloatingPointError(f"[clip_grad_norm_] the norm of the gradients is {norm.item()}")
        scale = np.minimum(max_norm / (norm + 1e-6), 1.0)
        for one in grads:
            one *= scale
    return norm


def clip_grad_value_(parameters: Parameters, clip_value: float) -> None:
    """Limit each element of gradients to the interval from ``-clip_value`` to ``clip_value``."""
    if not clip_value >= 0:
        raise InvalidArgumentError(f"[clip_grad_value_] clip_value is {clip_value!r}; expected at least 0")
    with no_grad():
        for one in _gradients(parameters):
            one[:] = one.clip(-clip_value, clip_value)


def parameters_to_vector(parameters: Iterable[Any]) -> Any:
    """The elements of all parameters on one axis; gradients flow through."""
    return np.concatenate([one.reshape(-1) for one in parameters])


def vector_to_parameters(vec: Any, parameters: Iterable[Any]) -> None:
    """Give parameters the elements of one axis, in their order."""
    given = list(parameters)
    count = sum(one.size for one in given)
    if vec.shape != (count,):
        raise ShapeError(f"[vector_to_parameters] the vector has the shape {vec.shape}; expected ({count},)")
    start = 0
    with no_grad():
        for one in given:
            one[:] = vec[start : start + one.size].reshape(one.shape)
            start += one.size
