"""mx.sym.np and mx.sym.npx: graphs give what arrays give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as onp
import pytest

import mixgrad as mx
from mixgrad.base import UnknownExtentsError

A = onp.random.default_rng(2).uniform(0.1, 0.9, (3, 4)).astype("float32")
B = onp.random.default_rng(4).uniform(0.1, 0.9, (3, 4)).astype("float32")

# (np, npx, x, y) -> result
CASES: dict[str, Callable[..., Any]] = {
    "operators": lambda np, npx, x, y: (x + 2) * y - x / (1 + y**2) - (-y),
    "comparison": lambda np, npx, x, y: x > y,
    "logic": lambda np, npx, x, y: (x > 0.3) & ~(y > 0.5),
    "numbers": lambda np, npx, x, y: 2 - x / 3 + 1 / y + x**2,
    "sum": lambda np, npx, x, y: np.sum(x, axis=0, keepdims=True) + y,
    "mean": lambda np, npx, x, y: x.mean(axis=1),
    "total": lambda np, npx, x, y: np.sum(x * y),
    "row": lambda np, npx, x, y: x[1] + y[-1],
    "element": lambda np, npx, x, y: x[1, 2] * y,
    "box": lambda np, npx, x, y: x[1:, ::2] + y[:2, 1:3],
    "ellipsis": lambda np, npx, x, y: x[..., 1] + y[..., -1],
    "new axis": lambda np, npx, x, y: x[:, None] + y[None, :, 0:1],
    "reshape": lambda np, npx, x, y: x.reshape(2, -1),
    "transpose": lambda np, npx, x, y: np.dot(x, y.T),
    "matmul": lambda np, npx, x, y: x @ y.transpose(1, 0),
    "concatenate": lambda np, npx, x, y: np.concatenate([x, y], axis=1),
    "concatenate flat": lambda np, npx, x, y: np.concatenate([x, y], axis=None),
    "stack": lambda np, npx, x, y: np.stack([x, y]),
    "split": lambda np, npx, x, y: np.split(x, 2, axis=1)[1],
    "where": lambda np, npx, x, y: np.where(x > y, x, 0),
    "exp": lambda np, npx, x, y: np.exp(x) + np.log(y),
    "ones": lambda np, npx, x, y: np.ones((4,)) + x,
    "arange": lambda np, npx, x, y: np.arange(4) * x,
    "clip": lambda np, npx, x, y: x.clip(0.2, 0.6),
    "expand_dims": lambda np, npx, x, y: np.expand_dims(x, 0).squeeze(),
    "astype": lambda np, npx, x, y: (x * 10).astype("int32"),
    "einsum": lambda np, npx, x, y: np.einsum("ij,ij->i", x, y),
    "norm": lambda np, npx, x, y: np.linalg.norm(x),
    "relu": lambda np, npx, x, y: npx.relu(x - y),
    "softmax": lambda np, npx, x, y: npx.softmax(x, axis=-1),
    "topk": lambda np, npx, x, y: npx.topk(x, k=2, axis=1),
    "npx.reshape": lambda np, npx, x, y: npx.reshape(x, (-5,)),
    "fully connected": lambda np, npx, x, y: npx.fully_connected(x, y, num_hidden=3, no_bias=True),
}


@pytest.mark.parametrize("name", CASES)
def test_graphs_give_what_arrays_give(name: str) -> None:
    function = CASES[name]
    x, y = mx.np.array(A), mx.np.array(B)
    expected = function(mx.np, mx.npx, x, y)
    symbols = [mx.sym.var(one).as_np_ndarray() for one in "xy"]
    graph = function(mx.sym.np, mx.sym.npx, *symbols)
    assert isinstance(graph, mx.sym.np._Symbol)
    given = {one: value for one, value in (("x", x), ("y", y)) if one in graph.list_inputs()}
    got = graph.eval(**given)[0]
    assert got.shape == expected.shape
    assert onp.dtype(got.dtype) == expected.dtype
    onp.testing.assert_allclose(got.asnumpy(), expected.asnumpy(), rtol=1e-5)
    again = mx.sym.load_json(graph.tojson()).eval(**given)[0]
    onp.testing.assert_array_equal(again.asnumpy(), got.asnumpy())


def test_cached_graphs_record_and_give_arrays_of_np() -> None:
    graph = mx.sym.np.sum(mx.sym.var("x").as_np_ndarray() ** 2)
    op = mx.nd.CachedOp(graph)
    for dtype in ("float32", "int32"):
        x = mx.np.array([1, 2, 3], dtype=dtype)
        x.attach_grad()
        with mx.autograd.record():
            y = op(x)
        y.backward()
        assert type(y) is mx.np.ndarray
        assert y.shape == ()
        assert x.grad.asnumpy().tolist() == [2, 4, 6]


def test_what_depends_on_values_has_no_graph() -> None:
    x = mx.sym.var("x").as_np_ndarray()
    for call in (
        lambda: mx.sym.np.nonzero(x),
        lambda: mx.sym.np.unique(x),
        lambda: mx.sym.npx.nonzero(x),
        lambda: x.shape,
    ):
        with pytest.raises(UnknownExtentsError):
            call()
    assert not hasattr(x, "shape")


def test_weights_follow_from_data_in_dot() -> None:
    data, weight = mx.sym.var("data"), mx.sym.var("weight", shape=(0, 5))
    graph = mx.sym.np.dot(data.as_np_ndarray(), weight.as_np_ndarray())
    arguments, outputs, _ = graph.infer_shape(data=(2, 3))
    assert arguments == [(2, 3), (3, 5)]
    assert outputs == [(2, 5)]
