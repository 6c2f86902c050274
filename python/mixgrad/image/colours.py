"""Colours of pictures."""

from __future__ import annotations

from typing import Any, Optional

from ..ndarray import NDArray

__all__ = ["color_normalize"]


def color_normalize(src: NDArray, mean: Any, std: Optional[Any] = None) -> NDArray:
    """Subtract ``mean`` from a picture and divide by ``std``, in place.

    Parameters
    ----------
    src : NDArray
        (height, width, channels), float32; it is changed, as in MXNet.
    mean, std : NDArray or float, optional
        Numbers per channel, or one for all; None leaves that step out.

    Returns
    -------
    NDArray
        ``src``.

    Examples
    --------
    >>> import mixgrad as mx
    >>> picture = mx.nd.ones((1, 2, 3)) * 4
    >>> mx.image.color_normalize(picture, mx.nd.array([1, 2, 3]), mx.nd.array([1, 2, 1]))[0, 0].asnumpy()
    array([3., 1., 1.], dtype=float32)

    Follows MXNet's ``mx.image.color_normalize``.
    """
    if mean is not None:
        src -= mean
    if std is not None:
        src /= std
    return src
