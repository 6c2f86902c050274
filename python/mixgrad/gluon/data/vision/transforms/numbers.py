"""Transforms of the numbers of a picture: dtype, range, mean and deviation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

from .....base import DTypeLike
from ....block import HybridBlock

__all__ = ["Cast", "Normalize", "ToTensor"]


class Cast(HybridBlock):
    """Another dtype.

    Parameters
    ----------
    dtype : str
        Which one.
    """

    def __init__(self, dtype: DTypeLike = "float32") -> None:
        super().__init__()
        self._dtype = dtype

    def hybrid_forward(self, F: Any, x: Any, *args: Any) -> Any:
        """The array in that dtype."""
        return F.cast(x, self._dtype)


class ToTensor(HybridBlock):
    """Pictures (height, width, channels) of 0 to 255 become arrays (channels, height, width) of 0 to 1.

    Examples
    --------
    >>> import mixgrad as mx
    >>> picture = mx.nd.full((2, 4, 3), 255, dtype="uint8")
    >>> array = mx.gluon.data.vision.transforms.ToTensor()(picture)
    >>> array.shape, float(array.max().asscalar())
    ((3, 2, 4), 1.0)
    """

    def hybrid_forward(self, F: Any, x: Any, *args: Any) -> Any:
        """The array, float32."""
        return F.image.to_tensor(x)


class Normalize(HybridBlock):
    """``(x - mean) / std``, channel by channel, of arrays that :class:`ToTensor` made.

    Parameters
    ----------
    mean, std : float or tuple of float
        One for all channels, or one for each.
    """

    def __init__(
        self, mean: Union[float, Sequence[float]] = 0.0, std: Union[float, Sequence[float]] = 1.0
    ) -> None:
        super().__init__()
        self._mean, self._std = mean, std

    def hybrid_forward(self, F: Any, x: Any, *args: Any) -> Any:
        """The array, in its shape."""
        return F.image.normalize(x, self._mean, self._std)
