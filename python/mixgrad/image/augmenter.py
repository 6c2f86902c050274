"""Changes of pictures for training: their base, and lists of them."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ndarray import NDArray

__all__ = ["Augmenter", "RandomOrderAug", "SequentialAug"]


def plain(value: Any) -> Any:
    """Arrays as lists, which JSON can hold."""
    if isinstance(value, NDArray):
        value = value.asnumpy()
    return value.tolist() if isinstance(value, np.ndarray) else value


class Augmenter:
    """Base of all changes of pictures: a call gives the changed picture.

    Parameters
    ----------
    kwargs
        What ``dumps`` says of it.

    Examples
    --------
    >>> import mixgrad as mx
    >>> class Darker(mx.image.Augmenter):
    ...     def __init__(self, part):
    ...         super().__init__(part=part)
    ...         self.part = part
    ...     def __call__(self, src):
    ...         return src * self.part
    >>> Darker(0.5).dumps()
    '["darker", {"part": 0.5}]'

    Follows MXNet's ``mx.image.Augmenter``.
    """

    def __init__(self, **kwargs: Any) -> None:
        self._kwargs = {name: plain(value) for name, value in kwargs.items()}

    def dumps(self) -> Any:
        """Return its name and parameters as JSON."""
        return json.dumps([type(self).__name__.lower(), self._kwargs])

    def __call__(self, src: NDArray) -> NDArray:
        """Return the changed picture; ``src`` is (height, width, channels) and may be changed itself."""
        raise NotImplementedError(f"[{type(self).__name__}] __call__ is not overridden")


class SequentialAug(Augmenter):
    """Augmenters one after the other.

    Parameters
    ----------
    ts : list of Augmenter
        They are applied in this order.

    Follows MXNet's ``mx.image.SequentialAug``.
    """

    def __init__(self, ts: Sequence[Augmenter]) -> None:
        super().__init__()
        self.ts = ts

    def dumps(self) -> Any:
        """Return its name and what its members say."""
        return [type(self).__name__.lower(), [member.dumps() for member in self.ts]]

    def __call__(self, src: NDArray) -> NDArray:
        for member in self.ts:
            src = member(src)
        return src


class RandomOrderAug(Augmenter):
    """Augmenters in an order by chance, drawn from Python's ``random`` in each call.

    Parameters
    ----------
    ts : list of Augmenter
        The list itself is brought into the order of the call, as in MXNet.

    Follows MXNet's ``mx.image.RandomOrderAug``.
    """

    def __init__(self, ts: list[Augmenter]) -> None:
        super().__init__()
        self.ts = ts

    def dumps(self) -> Any:
        """Return its name and what its members say."""
        return [type(self).__name__.lower(), [member.dumps() for member in self.ts]]

    def __call__(self, src: NDArray) -> NDArray:
        random.shuffle(self.ts)
        for member in self.ts:
            src = member(src)
        return src
