"""Percentiles, quantiles and medians: gradients as finite differences have them, in graphs as without."""

from __future__ import annotations

from typing import Any

import numpy as onp
import pytest

import mixgrad as mx
from mixgrad import np

KINDS = ("linear", "lower", "higher", "midpoint", "nearest")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("q", [30, 50, 0, 100, (10.0, 90.0)])
def test_gradient(q: Any, kind: str) -> None:
    rng = onp.random.default_rng(0)
    values = rng.normal(size=(3, 4, 5))
    share = q if isinstance(q, int) else np.array(q, dtype="float64")
    for axis in (None, 0, -1, (0, 2)):
        for keepdims in (False, True):
            words: Any = {"axis": axis, "keepdims": keepdims}
            want = onp.percentile(values, q, method=kind, **words)
            weight, d = rng.normal(size=want.shape), rng.normal(size=values.shape)
            x = np.array(values, dtype="float64")
            x.attach_grad()
            with mx.autograd.record():
                y = np.percentile(x, share, interpolation=kind, **words)
                loss = (y * np.array(weight, dtype="float64")).sum()
            loss.backward()
            assert y.shape == want.shape
            onp.testing.assert_allclose(y.asnumpy(), want, rtol=1e-9)
            near = [onp.percentile(values + h * d, q, method=kind, **words) for h in (1e-7, -1e-7)]
            ends = [(one * weight).sum() for one in near]
            found = (x.grad.asnumpy() * d).sum()
            onp.testing.assert_allclose(found, (ends[0] - ends[1]) / 2e-7, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("values", "gradient"),
    [
        ([1, 2, 2, onp.inf], [0, 0.5, 0.5, 0]),
        ([3, 3, 3], [1 / 3, 1 / 3, 1 / 3]),
        ([1, 2], [0.5, 0.5]),
        ([-onp.inf, 4, 9, onp.inf], [0, 0.5, 0.5, 0]),
    ],
)
def test_gradient_of_equal_and_infinite_elements(values: Any, gradient: Any) -> None:
    x = np.array(values)
    x.attach_grad()
    with mx.autograd.record():
        middle = np.median(x)
    middle.backward()
    assert middle.item() == onp.median(values)
    onp.testing.assert_allclose(x.grad.asnumpy(), gradient, rtol=1e-6)


def test_out_and_not_a_number() -> None:
    x = np.array([1, onp.nan, 2])
    x.attach_grad()
    with mx.autograd.record():
        assert onp.isnan(np.median(x).item())
    out = np.zeros(())
    np.quantile(np.array([1, 5, 9]), 0.75, out=out)
    assert out.item() == 7


def test_whole_numbers_in_graphs() -> None:
    x = mx.sym.var("x").as_np_ndarray()
    with mx.util.np_shape(True):
        found = mx.sym.np.percentile(x, 40, axis=0).eval(x=np.array([[1, 7], [5, 8]], dtype="int32"))[0]
    onp.testing.assert_allclose(found.asnumpy(), onp.percentile([[1, 7], [5, 8]], 40, axis=0), rtol=1e-6)


class Spread(mx.gluon.HybridBlock):
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return F.np.median(x, axis=1) + F.np.quantile(x, 0.25)


def test_gradient_of_a_hybridised_block() -> None:
    values = onp.random.default_rng(1).normal(size=(4, 5))
    found = []
    for hybrid in (False, True):
        block = Spread()
        block.hybridize(hybrid)
        x = np.array(values, dtype="float64")
        x.attach_grad()
        with mx.util.np_shape(True), mx.util.np_array(True), mx.autograd.record():
            y = block(x)
        y.backward()
        found.append(x.grad.asnumpy())
    onp.testing.assert_allclose(*found)
    assert abs(found[0].sum() - 8) < 1e-9
