"""Inputs that every library sees alike: NumPy draws them from one seed."""

from __future__ import annotations

from typing import Any


def uniform(*shape: int, seed: int = 0, low: float = -1.0, high: float = 1.0) -> Any:
    """A float32 NumPy array of the shape; the generator gives the same numbers in every version of NumPy."""
    import numpy as np

    return np.random.RandomState(seed).uniform(low, high, shape).astype(np.float32)


def integers(*shape: int, below: int, seed: int = 0) -> Any:
    """An int64 NumPy array with values from 0 to ``below - 1``."""
    import numpy as np

    return np.random.RandomState(seed).randint(0, below, shape).astype(np.int64)
