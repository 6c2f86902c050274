"""Orders of examples that follow from a seed and an epoch, of any count, without a table of them."""

from __future__ import annotations

from operator import index
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ..base import InvalidArgumentError

__all__ = ["ShuffledOrder", "checked_seed"]

_ROUNDS = 7
_Words = npt.NDArray[np.uint64]


def checked_seed(seed: Any, who: str) -> int:
    """A seed as a whole number from 0 to 2**64 - 1."""
    try:
        value = index(seed)
    except TypeError:
        raise TypeError(
            f"[{who}] seed is {type(seed).__name__}: {seed!r:.60}; expected a whole number"
        ) from None
    if not 0 <= value < 2**64:
        raise InvalidArgumentError(f"[{who}] seed is {value}; expected 0 to 2**64 - 1")
    return value


def _mixed(words: Any) -> _Words:
    """Each word changed into one whose bits all depend on all of its own (the finaliser of SplitMix64)."""
    words = np.asarray(words, np.uint64)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: _Words = words ^ (words >> np.uint64(31))
    return mixed


class ShuffledOrder:
    """A random order of ``count`` examples: a function of (seed, epoch, place), the same on every machine.

    The order is a Feistel network over the smallest square of a power of two that holds all numbers. A number
    that it takes out of the range goes through it again until it comes back, so each example has one place.
    Nothing is kept but the keys of the rounds, so the place of a run in an order of any length is a number.

    Parameters
    ----------
    count : int
        How many examples there are.
    seed, epoch : int
        Which order.

    Examples
    --------
    >>> order = ShuffledOrder(5, seed=1, epoch=0)
    >>> sorted(order(np.arange(5)).tolist())
    [0, 1, 2, 3, 4]
    >>> order(np.array([3])).tolist() == [order(np.arange(5)).tolist()[3]]
    True
    """

    def __init__(self, count: int, seed: int, epoch: int) -> None:
        self.count = count
        self._half = max(1, ((max(count, 2) - 1).bit_length() + 1) // 2)
        with np.errstate(over="ignore"):
            key = _mixed(np.uint64(seed)) + np.uint64(0x9E3779B97F4A7C15) * np.uint64(epoch + 1)
            steps = np.arange(1, _ROUNDS + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
            self._keys = _mixed(_mixed(key) + steps)

    def _passed(self, numbers: _Words) -> _Words:
        half, mask = np.uint64(self._half), np.uint64((1 << self._half) - 1)
        left, right = numbers >> half, numbers & mask
        for key in self._keys:
            left, right = right, left ^ (_mixed(right + key) & mask)
        passed: _Words = (left << half) | right
        return passed

    def __call__(self, places: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Numbers of the examples at these places.

        Parameters
        ----------
        places : numpy.ndarray of int
            Places in the order, each from 0 to ``count - 1``.
        """
        numbers = self._passed(np.asarray(places).astype(np.uint64))
        outside: Optional[npt.NDArray[Any]] = np.flatnonzero(numbers >= np.uint64(self.count))
        while outside is not None and outside.size:
            again = self._passed(numbers[outside])
            numbers[outside] = again
            outside = outside[again >= np.uint64(self.count)]
        return numbers.astype(np.int64)
