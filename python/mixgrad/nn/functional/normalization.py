"""Normalisation by mean and variance."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Optional, Union

from ... import _core, _guards, autograd, ops
from ... import numpy as np
from ...base import ShapeError

__all__ = ["batch_norm", "group_norm", "instance_norm", "layer_norm", "local_response_norm", "rms_norm"]


def _ones(count: int, like: Any) -> Any:
    return np.ones((count,), dtype=like.dtype, ctx=like.context)


def _zeros(count: int, like: Any) -> Any:
    return np.zeros((count,), dtype=like.dtype, ctx=like.context)


def batch_norm(
    input: Any,
    running_mean: Optional[Any],
    running_var: Optional[Any],
    weight: Optional[Any] = None,
    bias: Optional[Any] = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> np.ndarray:
    """Normalise each channel (axis 1) over a batch, or by means and variances of earlier ones.

    Parameters
    ----------
    input : array
        ``(N, C, ...)``.
    running_mean, running_var : array or None
        ``(C,)``; in training they move towards those of the batch.
    weight, bias : array, optional
        ``(C,)``, applied afterwards.
    training : bool
        Whether the batch decides.
    momentum : float
        The share of the batch in the running values, whose variance is the unbiased one.
    eps : float
        Added to the variance.
    """
    if not 2 <= input.ndim <= 5:
        raise ShapeError(f"[batch_norm] the input has the shape {input.shape}; expected (N, C, ...)")
    channels = input.shape[1]
    gamma = _ones(channels, input) if weight is None else weight
    beta = _zeros(channels, input) if bias is None else bias
    if not training:
        if running_mean is None or running_var is None:
            raise ValueError("[batch_norm] training is False and there are no running values; expected both")
        return ops.BatchNorm(
            input, gamma, beta, running_mean, running_var, eps=eps, fix_gamma=False, use_global_stats=True
        )
    count = input.size // channels
    if count < 2:
        raise ShapeError(
            f"[batch_norm] {input.shape} has one value for each channel; expected more in training"
        )
    if running_mean is not None and running_var is not None and _core.trace_is_active():
        return _traced_batch_norm(input, running_mean, running_var, gamma, beta, momentum, eps)
    scratch = _zeros(channels, input), _ones(channels, input)
    with autograd.train_mode():
        result = ops.BatchNorm(input, gamma, beta, *scratch, eps=eps, momentum=0.0, fix_gamma=False)
    if running_mean is not None and running_var is not None:
        with autograd.no_grad():
            running_mean *= 1 - momentum
            running_mean += scratch[0] * momentum
            running_var *= 1 - momentum
            running_var += scratch[1] * (momentum * count / (count - 1))
    return result


def _traced_batch_norm(
    input: Any, running_mean: Any, running_var: Any, gamma: Any, beta: Any, momentum: Any, eps: float
) -> Any:
    """The same in a graph, where the running values are states that a run moves on."""
    count = input.size // input.shape[1]
    words: dict[str, Any] = {"eps": eps, "momentum": 1.0, "fix_gamma": False, "output_mean_var": True}
    with autograd.train_mode():
        result, mean, inverse = ops.BatchNorm(input, gamma, beta, running_mean, running_var, **words)
    with autograd.no_grad():
        var = np.maximum(1 / (inverse * inverse) - eps, 0)
        for array, found in ((running_mean, mean), (running_var, var * (count / (count - 1)))):
            before = _guards.state(array)
            _guards.move(array, before * (1 - momentum) + found * momentum)
    return result


def layer_norm(
    input: Any,
    normalized_shape: Union[int, Sequence[int]],
    weight: Optional[Any] = None,
    bias: Optional[Any] = None,
    eps: float = 1e-5,
) -> np.ndarray:
    """Normalise over the last axes.

    Parameters
    ----------
    input : array
        ``(..., *normalized_shape)``.
    normalized_shape : int or tuple of int
        The last extents.
    weight, bias : array, optional
        ``normalized_shape``, applied afterwards.
    eps : float
        Added to the variance.
    """
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    if not shape or tuple(input.shape[-len(shape) :]) != shape:
        raise ShapeError(f"[layer_norm] the input has the shape {input.shape}; expected (..., *{shape})")
    count = math.prod(shape)
    gamma = _ones(count, input) if weight is None else weight
    beta = _zeros(count, input) if bias is None else bias
    if len(shape) == 1:
        return ops.LayerNorm(input, gamma, beta, axis=-1, eps=eps)
    flat = input.reshape(*input.shape[: -len(shape)], count)
    return ops.LayerNorm(flat, gamma.reshape(-1), beta.reshape(-1), axis=-1, eps=eps).reshape(input.shape)


def rms_norm(
    input: Any,
    normalized_shape: Union[int, Sequence[int]],
    weight: Optional[Any] = None,
    eps: Optional[float] = None,
) -> np.ndarray:
    """Divide by the root of the mean square over the last axes."""
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    axes = tuple(range(-len(shape), 0))
    small = float(np.finfo(str(input.dtype)).eps) if eps is None else eps
    found = input / np.sqrt((input * input).mean(axis=axes, keepdims=True) + small)
    return found if weight is None else found * weight


def _by_channel(x: Any, weight: Optional[Any], bias: Optional[Any]) -> Any:
    shape = (-1, *(1,) * (x.ndim - 2))
    if weight is not None:
        x = x * weight.reshape(*shape)
    return x if bias is None else x + bias.reshape(*shape)


def group_norm(
    input: Any,
    num_groups: int,
    weight: Optional[Any] = None,
    bias: Optional[Any] = None,
    eps: float = 1e-5,
) -> np.ndarray:
    """Normalise groups of channels of each sample, ``(N, C, ...)``."""
    if input.ndim < 2 or num_groups < 1 or input.shape[1] % num_groups:
        raise ShapeError(
            f"[group_norm] got the shape {input.shape}; expected (N, C, ...) with {num_groups} groups"
        )
    grouped = input.reshape(input.shape[0], num_groups, -1)
    count = grouped.shape[2]
    found = ops.LayerNorm(grouped, _ones(count, input), _zeros(count, input), axis=-1, eps=eps)
    return _by_channel(found.reshape(input.shape), weight, bias)


def instance_norm(
    input: Any,
    running_mean: Optional[Any] = None,
    running_var: Optional[Any] = None,
    weight: Optional[Any] = None,
    bias: Optional[Any] = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> np.ndarray:
    """Normalise each channel of each sample, ``(N, C, ...)``, or by running values."""
    if input.ndim < 3:
        raise ShapeError(f"[instance_norm] the input has the shape {input.shape}; expected (N, C, ...)")
    if not use_input_stats:
        if running_mean is None or running_var is None:
            raise ValueError("[instance_norm] use_input_stats is False and there are no running values")
        return batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    if running_mean is not None and running_var is not None:
        with autograd.no_grad():
            flat = input.reshape(*input.shape[:2], -1)
            found = flat.mean(axis=2).mean(axis=0), flat.var(axis=2, ddof=1).mean(axis=0)
            for array, value in zip((running_mean, running_var), found):
                _guards.move(array, _guards.state(array) * (1 - momentum) + value * momentum)
    return group_norm(input, input.shape[1], weight, bias, eps)


def local_response_norm(
    input: Any, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> np.ndarray:
    """Divide by a power of the sum of squares over neighbouring channels."""
    squares = input * input
    before = size // 2
    sides = [(0, 0)] * input.ndim
    sides[1] = (before, size - 1 - before)
    padded = np.pad(squares, sides, mode="constant")
    channels = input.shape[1]
    total = sum(padded[:, i : i + channels] for i in range(size))
    return input / (k + total * (alpha / size)) ** beta
