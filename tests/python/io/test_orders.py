"""Orders that follow from a seed and an epoch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mixgrad.io.order import ShuffledOrder


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 3000), st.integers(0, 2**64 - 1), st.integers(0, 1000))
def test_each_number_has_one_place(count: int, seed: int, epoch: int) -> None:
    order = ShuffledOrder(count, seed, epoch)(np.arange(count))
    assert np.array_equal(np.sort(order), np.arange(count))


def test_orders_stay_what_they_are() -> None:
    """A checkpoint of today must mean the same order in every later version."""
    assert ShuffledOrder(10, 1, 0)(np.arange(10)).tolist() == [6, 1, 7, 4, 5, 9, 8, 2, 3, 0]
    assert ShuffledOrder(10**12, 7, 3)(np.array([0, 1, 10**12 - 1])).tolist() == [
        166902938763,
        548619645073,
        454938161206,
    ]


def test_numbers_are_spread_evenly() -> None:
    """Mean rank correlation and the counts of (place, number) pairs stay within what chance gives."""
    count, orders = 16, 4000
    table = np.zeros((count, count))
    for seed in range(orders):
        table[np.arange(count), ShuffledOrder(count, seed, 0)(np.arange(count))] += 1
    expected = orders / count
    chi = ((table - expected) ** 2 / expected).sum()
    assert chi < 225 + 6 * np.sqrt(2 * 225)


@pytest.mark.parametrize("count", [2, 3, 1000])
def test_epochs_differ(count: int) -> None:
    orders = {tuple(ShuffledOrder(count, 5, epoch)(np.arange(count)).tolist()) for epoch in range(20)}
    assert len(orders) > 1
