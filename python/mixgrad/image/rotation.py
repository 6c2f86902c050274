"""Pictures turned about their middle."""

# Scripts of MXNet's time seed NumPy's global generator (np.random.seed), so these draw from it.
# ruff: noqa: NPY002
from __future__ import annotations

from collections.abc import Sequence
from numbers import Number
from typing import Any, Union

import numpy as np

from .. import ops
from ..base import DTypeError, InvalidArgumentError, ShapeError
from ..ndarray import NDArray, array

__all__ = ["imrotate", "random_rotate"]


def _check(src: Any, who: str) -> None:
    if not isinstance(src, NDArray) or np.dtype(src.dtype) != np.float32:
        what = f"NDArray of {np.dtype(src.dtype)}" if isinstance(src, NDArray) else type(src).__name__
        raise DTypeError(f"[{who}] src is {what}; expected an NDArray of float32")
    if src.ndim not in (3, 4):
        raise ShapeError(
            f"[{who}] src has shape {src.shape}; expected (channels, height, width) or a batch of them"
        )


def imrotate(
    src: NDArray, rotation_degrees: Union[float, NDArray], zoom_in: bool = False, zoom_out: bool = False
) -> NDArray:
    """Turn a picture, or each of a batch, about its middle; what lies outside of it is 0.

    Parameters
    ----------
    src : NDArray
        (channels, height, width) or (batch, channels, height, width), float32.
    rotation_degrees : float or NDArray
        The angle, anticlockwise; for a batch also an array with one per picture.
    zoom_in : bool
        Enlarge until no place outside of the picture is seen.
    zoom_out : bool
        Shrink until the whole picture is seen.

    Returns
    -------
    NDArray
        Of the shape of ``src``.

    Examples
    --------
    >>> import mixgrad as mx
    >>> picture = mx.nd.array([[[1, 2, 3], [4, 5, 6], [7, 8, 9]]])
    >>> mx.image.imrotate(picture, 90).asnumpy().round(3)[0].tolist()
    [[3.0, 6.0, 9.0], [2.0, 5.0, 8.0], [1.0, 4.0, 7.0]]

    Follows MXNet's ``mx.image.imrotate``.
    """
    if zoom_in and zoom_out:
        raise InvalidArgumentError("[imrotate] zoom_in and zoom_out are both True; expected at most one")
    _check(src, "imrotate")
    single = src.ndim == 3
    if isinstance(rotation_degrees, Number):
        degrees = np.full(1 if single else src.shape[0], rotation_degrees, np.float32)
    elif single:
        raise DTypeError(
            f"[imrotate] rotation_degrees is {type(rotation_degrees).__name__}; one picture takes one number"
        )
    else:
        given = rotation_degrees
        degrees = np.asarray(given.asnumpy() if isinstance(given, NDArray) else given, np.float32).reshape(-1)
        if len(degrees) != src.shape[0]:
            raise ShapeError(f"[imrotate] {len(degrees)} angles for {src.shape[0]} pictures")
    batch = src.expand_dims(axis=0) if single else src
    if not np.isfinite(degrees).all():
        raise InvalidArgumentError(
            f"[imrotate] rotation_degrees is {rotation_degrees!r:.60}; expected finite angles"
        )
    angles = np.deg2rad(degrees.astype(np.float64))
    grid = _grid(angles, batch.shape[2], batch.shape[3], zoom_in, zoom_out)
    turned: NDArray = ops.BilinearSampler(batch, array(grid, ctx=src.context))
    return turned[0] if single else turned


def _grid(
    angles: np.ndarray[Any, Any], height: int, width: int, zoom_in: bool, zoom_out: bool
) -> np.ndarray[Any, Any]:
    """Where each pixel comes from: (batch, 2, height, width), x then y, from -1 to 1 across the picture."""
    half_h, half_w = (height - 1) / 2, (width - 1) / 2
    rows = np.arange(height).reshape(1, -1, 1) - half_h
    columns = np.arange(width).reshape(1, 1, -1) - half_w
    cos, sin = (part.reshape(-1, 1, 1) for part in (np.cos(angles), np.sin(angles)))
    x = columns * cos - rows * sin
    y = columns * sin + rows * cos
    if zoom_in or zoom_out:
        zoom = _zoom(angles, height, width, zoom_in).reshape(-1, 1, 1)
        x, y = x * zoom, y * zoom
    # A picture of one row has its only row at 0.
    return np.stack([x / max(half_w, 0.5), y / max(half_h, 0.5)], 1).astype(np.float32)


def _zoom(angles: np.ndarray[Any, Any], height: int, width: int, zoom_in: bool) -> np.ndarray[Any, Any]:
    """How much farther apart the places lie from which pixels come."""
    cos, sin = np.abs(np.cos(angles)), np.abs(np.sin(angles))
    # Of the turned picture's corners, as parts of the picture.
    reach = np.maximum(cos + sin * (height / width), cos + sin * (width / height))
    return 1 / reach if zoom_in else reach  # type: ignore[no-any-return]


def random_rotate(
    src: NDArray, angle_limits: Sequence[float], zoom_in: bool = False, zoom_out: bool = False
) -> NDArray:
    """Turn a picture, or each of a batch, by an angle drawn from NumPy's ``random``; see :func:`imrotate`.

    Parameters
    ----------
    src : NDArray
        (channels, height, width) or (batch, channels, height, width), float32.
    angle_limits : tuple of float
        The least and the most, in degrees.
    zoom_in, zoom_out : bool
        As in :func:`imrotate`.

    Returns
    -------
    NDArray
        Of the shape of ``src``.

    Follows MXNet's ``mx.image.random_rotate``.
    """
    _check(src, "random_rotate")
    try:
        least, most = (float(limit) for limit in angle_limits)
    except (TypeError, ValueError):
        raise InvalidArgumentError(
            f"[random_rotate] angle_limits is {angle_limits!r:.60}; expected two angles"
        ) from None
    if src.ndim == 3:
        return imrotate(src, float(np.random.uniform(least, most)), zoom_in, zoom_out)
    angles = array(np.random.uniform(least, most, size=src.shape[0]))
    return imrotate(src, angles, zoom_in, zoom_out)
