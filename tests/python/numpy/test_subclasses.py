"""Classes derived from ``mx.np.ndarray``: what is made of their arrays follows NumPy's rules."""

from __future__ import annotations

import numpy as np
import pytest

import mixgrad as mx


class Mine(mx.np.ndarray):
    """An array of a class of one's own."""


def mine() -> Mine:
    made: Mine = mx.np.array([[1, 2], [3, 4]])._as(Mine)
    return made


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x + 1,
        lambda x: 1 / x,
        lambda x: x * x,
        lambda x: x[0],
        lambda x: x[0, 0],
        lambda x: -x,
        abs,
        lambda x: x > 2,
        lambda x: x[x > 2],
        lambda x: x.sum(),
        lambda x: x.T,
        lambda x: x.reshape(-1),
        lambda x: x.detach(),
        lambda x: x.copy(),
        mx.np.exp,
        lambda x: x @ x,
        lambda x: x + mx.np.ones((2, 2), dtype="int32"),
        lambda x: mx.nd.FullyConnected(x, x, num_hidden=2, no_bias=True),
    ],
)
def test_results_are_as_of_the_class_itself(call) -> None:  # type: ignore[no-untyped-def]
    found, expected = call(mine()), call(mine().as_np_ndarray()._as(mx.np.ndarray))
    assert type(found) is mx.np.ndarray and found.shape == expected.shape and found.dtype == expected.dtype
    np.testing.assert_array_equal(found.asnumpy(), expected.asnumpy())


def test_in_place_the_class_stays() -> None:
    x = mine()
    x += 1
    x[0] = 7
    assert type(x) is Mine and x.asnumpy().tolist() == [[7, 7], [4, 5]]
