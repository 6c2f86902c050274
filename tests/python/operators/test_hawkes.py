"""Gradients of Hawkes processes' likelihoods."""

from __future__ import annotations

import numpy as np
from cases.point_processes import MARKS, hawkes

import mixgrad as mx


def test_gradients_are_differences() -> None:
    rng = np.random.RandomState(5)
    values = [
        rng.uniform(0.5, 2, (2, 3)),
        rng.uniform(0.1, 0.5, 3),
        rng.uniform(0.5, 2, 3),
        rng.uniform(0, 1, (2, 3)),
        rng.uniform(0.1, 1, (2, 4)),
        MARKS,
        np.array([4.0, 2.0]),
        np.array([5.0, 4.0]),
    ]
    head = np.array([1.0, -0.5])
    arrays = [mx.nd.array(v, dtype=v.dtype) for v in values]
    for array in arrays[:3]:
        array.attach_grad()
    with mx.autograd.record():
        likelihood, _ = mx.nd.contrib.hawkesll(*arrays)
    likelihood.backward(mx.nd.array(head, dtype="float64"))
    for i in range(3):
        found = arrays[i].grad.asnumpy()
        for place in np.ndindex(values[i].shape):
            step = np.zeros_like(values[i])
            step[place] = 1e-6
            sides = [
                hawkes(*[v + s if j == i else v for j, v in enumerate(values)])[0] for s in (step, -step)
            ]
            np.testing.assert_allclose(
                found[place], (sides[0] - sides[1]) @ head / 2e-6, rtol=1e-6, atol=1e-7
            )
