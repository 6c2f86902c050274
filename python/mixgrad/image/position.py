"""Where an iterator of pictures is, as plain numbers and strings that JSON can hold."""

# Scripts of MXNet's time seed NumPy's global generator (np.random.seed), so these draw from it.
# ruff: noqa: NPY002
from __future__ import annotations

import base64
import random
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..ndarray import NDArray, array
from .augmenter import RandomOrderAug, SequentialAug
from .det_augmenter import DetBorrowAug, DetRandomSelectAug

__all__ = ["array_of", "members", "random_state", "set_random_state", "text_of"]

# Lists that calls bring into another order, each with its order at the start.
Members = list[tuple[list[Any], tuple[Any, ...]]]


def members(augmenters: Iterable[Any]) -> Members:
    """The lists inside augmenters whose order is part of where an iterator is."""
    found: Members = []
    for one in augmenters:
        inner: list[Any] = []
        if isinstance(one, (RandomOrderAug, SequentialAug)):
            inner = one.ts  # type: ignore[assignment]
        elif isinstance(one, DetRandomSelectAug):
            inner = one.aug_list
        elif isinstance(one, DetBorrowAug):
            found += members([one.augmenter])
        if isinstance(one, (RandomOrderAug, DetRandomSelectAug)):
            found.append((inner, tuple(inner)))
        found += members(inner)
    return found


def random_state(lists: Members) -> dict[str, Any]:
    """The generators of Python and NumPy, and the orders of lists."""
    version, words, gauss = random.getstate()
    kind, keys, place, has_gauss, cached = np.random.get_state(legacy=True)
    return {
        "orders": [[[m is one for m in start].index(True) for one in now] for now, start in lists],
        "python": [version, list(words), gauss],
        "numpy": [kind, [int(key) for key in keys], int(place), int(has_gauss), float(cached)],
    }


def set_random_state(lists: Members, state: dict[str, Any]) -> None:
    """Bring back what :func:`random_state` gave."""
    orders = [[start[i] for i in order] for (_, start), order in zip(lists, state["orders"])]
    version, words, gauss = state["python"]
    kind, keys, place, has_gauss, cached = state["numpy"]
    before = random.getstate()
    random.setstate((version, tuple(words), gauss))
    try:
        np.random.set_state((kind, np.array(keys, np.uint32), place, has_gauss, cached))
    except (TypeError, ValueError, OverflowError, KeyError):
        random.setstate(before)
        raise
    for (now, _), order in zip(lists, orders):
        now[:] = order


def text_of(value: NDArray) -> list[Any]:
    """An array as shape and text."""
    return [list(value.shape), base64.b64encode(value.asnumpy().tobytes()).decode("ascii")]


def array_of(text: list[Any]) -> NDArray:
    """The array of float32 that :func:`text_of` has written."""
    shape, content = text
    made: NDArray = array(np.frombuffer(base64.b64decode(content), np.float32).reshape(shape))
    return made
