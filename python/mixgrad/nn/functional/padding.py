"""Padding, and channels spread over pictures."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import numpy as np
from ...base import ShapeError

__all__ = ["channel_shuffle", "pad", "pixel_shuffle", "pixel_unshuffle"]

_MODES = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}


def pad(input: Any, pad: Sequence[int], mode: str = "constant", value: float = 0.0) -> np.ndarray:
    """Add elements on both sides of axes, or with negative numbers take them away.

    Parameters
    ----------
    input : array
        Any shape.
    pad : sequence of int
        Elements before and after, beginning with the last axis: ``(left, right, top, bottom, ...)``.
    mode : {'constant', 'reflect', 'replicate', 'circular'}
        A value, a mirror, the nearest element, or the other end.
    value : float
        That of 'constant'.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.functional.pad(np.array([1.0, 2.0, 3.0]), (1, 2), mode="reflect")
    array([2., 1., 2., 3., 2., 1.])
    """
    if mode not in _MODES:
        raise ValueError(f"[pad] mode is {mode!r}; expected one of {', '.join(_MODES)}")
    if len(pad) % 2 or len(pad) // 2 > input.ndim:
        raise ShapeError(
            f"[pad] pad is {tuple(pad)} for the shape {input.shape}; expected two numbers for each axis"
        )
    sides = [(0, 0)] * input.ndim
    for i in range(len(pad) // 2):
        sides[-1 - i] = (int(pad[2 * i]), int(pad[2 * i + 1]))
    if any(side < 0 for pair in sides for side in pair):
        cuts = [
            slice(max(-before, 0), extent - max(-after, 0))
            for (before, after), extent in zip(sides, input.shape)
        ]
        input = input[tuple(cuts)]
        sides = [(max(before, 0), max(after, 0)) for before, after in sides]
    if mode == "constant":
        return np.pad(input, sides, mode="constant", constant_values=value)
    for axis, (before, after) in enumerate(sides):
        if before or after:
            input = _edges(input, axis, before, after, mode)
    return input


def _edges(x: Any, axis: int, before: int, after: int, mode: str) -> Any:
    """The elements along an axis that the mode takes, picked by their places."""
    extent = x.shape[axis]
    if mode == "reflect":
        limit = extent - 1
        index = [abs(i) if i < extent else 2 * extent - 2 - i for i in range(-before, extent + after)]
    elif mode == "circular":
        limit = extent
        index = [i % extent for i in range(-before, extent + after)]
    else:
        limit = max(before, after)
        index = [min(max(i, 0), extent - 1) for i in range(-before, extent + after)]
    if max(before, after) > limit:
        raise ShapeError(
            f"[pad] {mode} by {(before, after)} on an axis of {extent}; expected at most {limit}"
        )
    return np.take(x, np.array(index, dtype="int32", ctx=x.context), axis=axis)


def channel_shuffle(input: Any, groups: int) -> np.ndarray:
    """Take channels of each group in turn (Zhang et al. 2018, ShuffleNet).

    Parameters
    ----------
    input : array
        ``(N, C, ...)``, any dtype.
    groups : int
        What the channels are divided into.

    Returns
    -------
    array
        The same shape; channel ``i * groups + j`` is the ``i``-th of group ``j``.

    Raises
    ------
    ValueError
        The channels are no multiple of the groups.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.functional.channel_shuffle(np.arange(6).reshape(1, 6, 1), 2).reshape(-1)
    array([0., 3., 1., 4., 2., 5.])
    """
    if input.ndim < 3 or groups < 1 or input.shape[1] % groups:
        raise ShapeError(
            f"[channel_shuffle] got the shape {input.shape}; expected (N, C, ...) with C a multiple of "
            f"{groups}"
        )
    size = input.shape
    parts = input.reshape(size[0], groups, size[1] // groups, *size[2:])
    return parts.swapaxes(1, 2).reshape(size)


def pixel_shuffle(input: Any, upscale_factor: int) -> np.ndarray:
    """``(..., C * r * r, H, W)`` as ``(..., C, H * r, W * r)``."""
    *lead, channels, height, width = input.shape
    r = upscale_factor
    if r < 1 or channels % (r * r):
        raise ShapeError(
            f"[pixel_shuffle] {channels} channels and the factor {r}; expected a factor of at "
            "least 1, and a multiple of its square"
        )
    x = input.reshape(-1, channels // (r * r), r, r, height, width).transpose(0, 1, 4, 2, 5, 3)
    return x.reshape(*lead, channels // (r * r), height * r, width * r)


def pixel_unshuffle(input: Any, downscale_factor: int) -> np.ndarray:
    """The reverse of :func:`pixel_shuffle`."""
    *lead, channels, height, width = input.shape
    r = downscale_factor
    if r < 1 or height % r or width % r:
        raise ShapeError(f"[pixel_unshuffle] the picture is {height} x {width}; expected multiples of {r}")
    x = input.reshape(-1, channels, height // r, r, width // r, r).transpose(0, 1, 3, 5, 2, 4)
    return x.reshape(*lead, channels * r * r, height // r, width // r)
