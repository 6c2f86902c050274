"""Gradients of functions of mx.np against finite differences, in float64."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as onp
import pytest

import mixgrad as mx

np, npx = mx.np, mx.npx
rng = onp.random.default_rng(3)
A = rng.uniform(0.2, 0.9, (3, 4))
B = rng.uniform(0.2, 0.9, (3, 4))
V = rng.uniform(0.2, 0.9, 4)
T = rng.uniform(0.2, 0.9, (2, 3, 4))
P = B @ B.T + 3 * onp.eye(3)

CASES: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    **{
        name: (getattr(np, name), [A])
        for name in [
            "abs",
            "arccos",
            "arcsin",
            "arcsinh",
            "arctan",
            "arctanh",
            "cbrt",
            "cos",
            "cosh",
            "degrees",
            "exp",
            "expm1",
            "log",
            "log10",
            "log1p",
            "log2",
            "negative",
            "radians",
            "reciprocal",
            "sin",
            "sinh",
            "sqrt",
            "square",
            "tan",
            "tanh",
        ]
    },
    **{
        name: (getattr(np, name), [A, B[0]])
        for name in [
            "add",
            "subtract",
            "multiply",
            "divide",
            "power",
            "maximum",
            "minimum",
            "arctan2",
            "hypot",
            "mod",
            "copysign",
        ]
    },
    "sum": (lambda x: np.sum(x, axis=1), [A]),
    "sum where": (lambda x: np.sum(x, where=x > 0.5), [A]),
    "mean": (lambda x: np.mean(x, axis=(0, 2)), [T]),
    "prod": (lambda x: np.prod(x, axis=0), [A]),
    "std": (lambda x: np.std(x, axis=0), [A]),
    "var": (lambda x: np.var(x, axis=1, ddof=1), [A]),
    "max": (lambda x: np.max(x, axis=1), [A]),
    "average": (lambda x, w: np.average(x, axis=0, weights=w), [A, B]),
    "cumsum": (lambda x: np.cumsum(x, axis=1), [A]),
    "trace": (np.trace, [P]),
    "diff": (lambda x: np.diff(x, axis=0), [A]),
    "where": (lambda x, y: np.where(x > 0.5, x, y), [A, B]),
    "clip": (lambda x: np.clip(x, 0.3, 0.7), [A]),
    "reshape": (lambda x: np.reshape(x, (4, -1)), [A]),
    "transpose": (lambda x: np.transpose(x, (2, 0, 1)), [T]),
    "moveaxis": (lambda x: np.moveaxis(x, 0, -1), [T]),
    "squeeze": (lambda x: np.squeeze(x[None]), [A]),
    "broadcast_to": (lambda x: np.broadcast_to(x, (2, 4)), [V]),
    "concatenate": (lambda x, y: np.concatenate([x, y], axis=1), [A, B]),
    "stack": (lambda x, y: np.stack([x, y], axis=1), [A, B]),
    "vstack": (lambda x, y: np.vstack([x, y]), [V, V]),
    "split": (lambda x: np.split(x, 2, axis=1)[1], [A]),
    "repeat": (lambda x: np.repeat(x, 2, axis=0), [A]),
    "repeat each": (lambda x: np.repeat(x, [1, 0, 2], axis=0), [A]),
    "tile": (lambda x: np.tile(x, (2, 1)), [A]),
    "flip": (lambda x: np.flip(x, 0), [A]),
    "roll": (lambda x: np.roll(x, 1, axis=0), [A]),
    "rot90": (np.rot90, [A]),
    "tril": (np.tril, [P]),
    "triu": (np.triu, [P]),
    "diag": (np.diag, [V]),
    "pad": (lambda x: np.pad(x, ((1, 1), (0, 2)), "edge"), [A]),
    "take": (lambda x: np.take(x, np.array([2, 0, 2]), axis=0), [A]),
    "delete": (lambda x: np.delete(x, 1, axis=0), [A]),
    "insert": (lambda x, y: np.insert(x, 1, y, axis=0), [A, V]),
    "resize": (lambda x: np.resize(x, (5, 3)), [A]),
    "sort": (lambda x: np.sort(x, axis=1), [A]),
    "dot": (lambda x, y: np.dot(x, y.T), [A, B]),
    "matmul": (lambda x, y: np.matmul(x, y.T), [T, A]),
    "tensordot": (lambda x, y: np.tensordot(x, y, [[1, 2], [0, 1]]), [T, A]),
    "einsum": (lambda x, y: np.einsum("bij,ij->bi", x, y), [T, A]),
    "outer": (np.outer, [V, V]),
    "kron": (np.kron, [A, V[None]]),
    "polyval": (np.polyval, [V, A]),
    "norm": (np.linalg.norm, [A]),
    "norm 1": (lambda x: np.linalg.norm(x, ord=1, axis=0), [A]),
    "norm 3": (lambda x: np.linalg.norm(x, ord=3, axis=1), [A]),
    "inv": (np.linalg.inv, [P]),
    "det": (np.linalg.det, [P]),
    "slogdet": (lambda x: np.linalg.slogdet(x)[1], [P]),
    "cholesky": (lambda x: np.linalg.cholesky(x @ x.T + np.eye(3, dtype="float64")), [P]),
    "solve": (np.linalg.solve, [P, A]),
    "svd": (lambda x: np.linalg.svd(x)[1], [A]),
    "svd of a tall matrix": (lambda x: np.linalg.svd(x.T)[1], [A]),
    "eigvalsh": (lambda x: np.linalg.eigvalsh(x + x.T), [P + onp.diag([1.0, 2, 3])]),
    "index": (lambda x: x[1:, [0, 3]] * x[0, 0], [A]),
    "mask": (lambda x: x[x > 0.5], [A]),
    "operators": (lambda x, y: (x + 2) * y - x / (1 + y**2) + 3 % x - (-y), [A, B]),
    "npx.softmax": (npx.softmax, [A]),
    "npx.log_softmax": (npx.log_softmax, [A]),
    "npx.sigmoid": (npx.sigmoid, [A]),
    "npx.relu": (lambda x: npx.relu(x - 0.5), [A]),
    "npx.layer_norm": (npx.layer_norm, [A, V, V]),
    "npx.pick": (lambda x: npx.pick(x, np.array([0, 3, 1])), [A]),
    "npx.reshape": (lambda x: npx.reshape(x, (-5, -2)), [T]),
    "npx.batch_dot": (lambda x, y: npx.batch_dot(x, y, transpose_b=True), [T, T]),
    "npx.fully_connected": (lambda x, w: npx.fully_connected(x, w, num_hidden=3, no_bias=True), [A, B]),
    "npx.erf": (npx.erf, [A]),
    "npx.gammaln": (npx.gammaln, [A]),
}


@pytest.mark.parametrize("name", CASES)
def test_gradients_are_those_of_finite_differences(name: str) -> None:
    function, values = CASES[name]
    inputs = [np.array(value) for value in values]
    for x in inputs:
        x.attach_grad()
    with mx.autograd.record():
        y = function(*inputs)
        weights = np.array(onp.random.default_rng(5).uniform(0.5, 1.5, y.shape))
        total = (y * weights).sum()
    assert isinstance(total, np.ndarray)
    assert total.shape == ()
    total.backward()
    step = 1e-6
    for place, (x, value) in enumerate(zip(inputs, values)):
        expected = onp.zeros_like(value)
        for at in onp.ndindex(*value.shape):
            found = []
            for sign in (1, -1):
                moved = [v.copy() for v in values]
                moved[place][at] += sign * step
                found.append(float((function(*map(np.array, moved)) * weights).sum()))
            expected[at] = (found[0] - found[1]) / (2 * step)
        onp.testing.assert_allclose(x.grad.asnumpy(), expected, rtol=1e-4, atol=1e-6)


def test_gradients_of_gradients() -> None:
    x = np.array([0.5, 2.0], dtype="float64")
    x.attach_grad()
    with mx.autograd.record():
        y = np.exp(x) * x**2
        slope = mx.autograd.grad(y, [x], create_graph=True)[0]
        assert isinstance(slope, np.ndarray)
        total = slope.sum()
    total.backward()
    v = onp.array([0.5, 2.0])
    onp.testing.assert_allclose(x.grad.asnumpy(), onp.exp(v) * (v**2 + 4 * v + 2), rtol=1e-10)


def test_numpys_own_functions_refuse_to_lose_a_gradient() -> None:
    x = np.ones(3)
    x.attach_grad()
    with mx.autograd.record():
        with pytest.raises(ValueError, match="gradient"):
            np.searchsorted(x, np.ones(1))
        assert np.searchsorted(x.detach(), np.ones(1)).shape == (1,)
