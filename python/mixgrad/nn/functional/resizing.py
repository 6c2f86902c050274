"""Pictures, sequences and volumes in other sizes."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as onp

from ... import numpy as np
from ...base import ShapeError, UnsupportedError

__all__ = ["interpolate"]

_LINEAR = {"linear": 3, "bilinear": 4, "trilinear": 5}


def interpolate(
    input: Any,
    size: Union[int, Sequence[int], None] = None,
    scale_factor: Union[float, Sequence[float], None] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
    recompute_scale_factor: Optional[bool] = None,
    antialias: bool = False,
) -> np.ndarray:
    """Change the extents of all axes but the first two.

    Parameters
    ----------
    input : array
        ``(N, C, ...)`` with one to three further axes.
    size, scale_factor : number or tuple
        The new extents, or what the old ones are multiplied by; one of the two.
    mode : {'nearest', 'nearest-exact', 'linear', 'bilinear', 'trilinear', 'area'}
        How values between elements are found.
    align_corners : bool, optional
        Whether the centres of corner elements stay where they are, instead of their outer edges.
    recompute_scale_factor : bool, optional
        Whether the scale follows from the new extents.
    antialias : bool
        Not supported.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.functional.interpolate(np.array([[[1.0, 3.0]]]), scale_factor=2, mode="linear")
    array([[[1. , 1.5, 2.5, 3. ]]])
    """
    axes = input.ndim - 2
    if not 1 <= axes <= 3:
        raise ShapeError(f"[interpolate] the input has the shape {input.shape}; expected (N, C, ...)")
    if antialias or mode == "bicubic":
        raise UnsupportedError("[interpolate] antialias and mode 'bicubic' are not supported")
    if mode not in ("nearest", "nearest-exact", "area", *_LINEAR):
        raise ValueError(
            f"[interpolate] mode is {mode!r}; expected nearest, nearest-exact, area, {', '.join(_LINEAR)}"
        )
    if mode in _LINEAR and _LINEAR[mode] != input.ndim:
        raise ShapeError(f"[interpolate] {mode} and the shape {input.shape}; expected {_LINEAR[mode]} axes")
    if (size is None) == (scale_factor is None):
        raise ValueError("[interpolate] expected either size or scale_factor")
    extents = input.shape[2:]
    scales: list[Optional[float]] = [None] * axes
    if size is not None:
        sizes = list(size) if isinstance(size, Sequence) else [size] * axes
    else:
        factors = list(scale_factor) if isinstance(scale_factor, Sequence) else [scale_factor] * axes
        if len(factors) != axes or not all(0 < float(f or 0) < math.inf for f in factors):
            raise ValueError(
                f"[interpolate] scale_factor is {scale_factor!r:.60}; expected {axes} numbers above 0"
            )
        sizes = [math.floor(extent * float(f or 0)) for extent, f in zip(extents, factors)]
        if not recompute_scale_factor:
            scales = [float(f or 0) for f in factors]
    if len(sizes) != axes or not all(new >= 1 for new in sizes):
        raise ValueError(
            f"[interpolate] size {size!r:.60}, scale_factor {scale_factor!r:.60} of the shape {input.shape}; "
            f"expected {axes} extents of at least 1"
        )
    if mode == "area":
        from .pooling import _adaptive

        return _adaptive(axes, "avg", input, sizes)
    for axis, (new, scale) in enumerate(zip(sizes, scales), 2):
        old = input.shape[axis]
        if mode in _LINEAR:
            input = _lerp(input, axis, int(new), scale, bool(align_corners))
        elif new != old:
            step = old / new if scale is None else 1 / scale
            shift = 0.5 if mode == "nearest-exact" else 0.0
            places = onp.minimum(onp.floor((onp.arange(new) + shift) * step), old - 1)
            input = np.take(input, np.array(places, dtype="int32", ctx=input.context), axis=axis)
    return input


def _lerp(x: Any, axis: int, new: int, scale: Optional[float], align_corners: bool) -> Any:
    old = x.shape[axis]
    if new == old and scale is None:
        return x
    if align_corners:
        places = onp.arange(new) * ((old - 1) / (new - 1) if new > 1 else 0.0)
    else:
        step = old / new if scale is None else 1 / scale
        places = onp.maximum((onp.arange(new) + 0.5) * step - 0.5, 0)
    low = onp.minimum(onp.floor(places), old - 1)
    high = onp.minimum(low + 1, old - 1)
    weight = (places - low).reshape((-1,) + (1,) * (x.ndim - 1 - axis))
    share = np.array(weight, dtype=x.dtype, ctx=x.context)
    below, above = (np.take(x, np.array(i, dtype="int32", ctx=x.context), axis=axis) for i in (low, high))
    return below + (above - below) * share
