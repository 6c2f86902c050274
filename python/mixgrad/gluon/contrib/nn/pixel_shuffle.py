"""Channels spread over larger images."""

from __future__ import annotations

import math
from typing import Any, Union

from ....base import RefusedValueError
from ...block import HybridBlock
from ...nn.convolution import several

__all__ = ["PixelShuffle1D", "PixelShuffle2D", "PixelShuffle3D"]


class _PixelShuffle(HybridBlock):
    """What all of them share."""

    _ndim = 0

    def __init__(self, factor: Any) -> None:
        super().__init__()
        self._factors = several(factor, self._ndim, type(self).__name__, "factor")
        if min(self._factors) < 1:
            raise RefusedValueError(f"[{type(self).__name__}] factor is {factor!r}; expected at least 1")

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """(batch, channels * factors, ...) becomes (batch, channels, ... times factors)."""
        factors, count = self._factors, self._ndim
        kept = (0,) * count
        x = F.reshape(x, shape=(0, -4, -1, math.prod(factors), *kept))
        for i in range(count - 1):  # the factors as axes of their own, after that of the channels
            x = F.reshape(x, shape=(*(0,) * (2 + i), -4, factors[i], math.prod(factors[i + 1 :]), *kept))
        pairs = (axis for i in range(count) for axis in (2 + count + i, 2 + i))
        x = F.transpose(x, axes=(0, 1, *pairs))
        return F.reshape(x, shape=(0, 0, *(-3,) * count))

    def __repr__(self) -> str:
        factors = self._factors if self._ndim > 1 else self._factors[0]
        return f"{type(self).__name__}({factors})"


class PixelShuffle1D(_PixelShuffle):
    """Groups of channels spread along one axis.

    Parameters
    ----------
    factor : int
        How much longer the axis becomes.

    Examples
    --------
    >>> import mixgrad as mx
    >>> layer = mx.gluon.contrib.nn.PixelShuffle1D(2)
    >>> layer(mx.nd.zeros((1, 8, 3))).shape
    (1, 4, 6)
    """

    _ndim = 1

    def __init__(self, factor: int) -> None:
        super().__init__(factor)


class PixelShuffle2D(_PixelShuffle):
    """Groups of channels spread over larger images (Shi and others 2016).

    Parameters
    ----------
    factor : int or tuple of 2 int
        How much larger each axis becomes.

    Examples
    --------
    >>> import mixgrad as mx
    >>> layer = mx.gluon.contrib.nn.PixelShuffle2D((2, 3))
    >>> layer(mx.nd.zeros((1, 12, 3, 5))).shape
    (1, 2, 6, 15)
    """

    _ndim = 2

    def __init__(self, factor: Union[int, tuple[int, int]]) -> None:
        super().__init__(factor)


class PixelShuffle3D(_PixelShuffle):
    """Groups of channels spread over larger volumes.

    Parameters
    ----------
    factor : int or tuple of 3 int
        How much larger each axis becomes.

    Examples
    --------
    >>> import mixgrad as mx
    >>> layer = mx.gluon.contrib.nn.PixelShuffle3D((2, 3, 4))
    >>> layer(mx.nd.zeros((1, 48, 3, 5, 7))).shape
    (1, 2, 6, 15, 28)
    """

    _ndim = 3

    def __init__(self, factor: Union[int, tuple[int, int, int]]) -> None:
        super().__init__(factor)
