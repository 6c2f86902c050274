"""Gradients of factorisations of symmetric matrices, and large matrices against their definition."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import nd

RNG = np.random.default_rng(2)
BASE = RNG.uniform(-1, 1, (2, 3, 3)) + 2 * np.eye(3)
L = nd.linalg


def positive(x: Any) -> Any:
    return L.syrk(x) + nd.array(np.eye(3)[None], dtype="float64").broadcast_to((2, 3, 3))


def symmetric(x: Any) -> Any:
    return x + nd.swapaxes(x, 1, 2)


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "potrf": lambda x: L.potrf(positive(x)),
    "potrf upper": lambda x: L.potrf(positive(x), lower=False),
    "potri of potrf": lambda x: L.potri(L.potrf(positive(x))),
    "syevd": lambda x: L.syevd(symmetric(x)),
    "eigenvalues": lambda x: L.syevd(symmetric(x))[1],
    "eigh": lambda x: nd._internal._npi_eigh(symmetric(x)),
    "eigvalsh": lambda x: nd._internal._npi_eigvalsh(symmetric(x)),
    "log-likelihood": lambda x: L.sumlogdiag(L.potrf(positive(x))),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients(name: str) -> None:
    x = nd.array(BASE, dtype="float64")
    assert mx.autograd.gradcheck(FUNCTIONS[name], x, atol=1e-6)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_second_order(name: str) -> None:
    def slope(x: Any) -> Any:
        """The gradient of a weighted sum, itself recorded."""
        if not x.requires_grad:
            x.attach_grad()
        with mx.autograd.record():
            made = FUNCTIONS[name](x)
            parts = made if isinstance(made, list) else [made]
            total = sum((part * part).sum() + part.sum() for part in parts)
        return mx.autograd.grad(total, x, create_graph=True)[0]

    x = nd.array(BASE, dtype="float64")
    assert mx.autograd.gradcheck(slope, x, atol=1e-5)


@pytest.mark.parametrize("n", [1, 2, 65, 200])
def test_eigenvectors(n: int) -> None:
    a = RNG.uniform(-1, 1, (n, n))
    a = a + a.T
    u, values = (x.asnumpy() for x in L.syevd(nd.array(a, dtype="float64")))
    np.testing.assert_allclose(u.T @ np.diag(values) @ u, a, atol=1e-12 * n)
    np.testing.assert_allclose(u @ u.T, np.eye(n), atol=1e-13 * n)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(a), atol=1e-12 * n)


def test_eigenvalues_that_are_equal_or_not_finite() -> None:
    a = np.diag([2.0, 1, 2, 1, 5])
    q = np.linalg.qr(RNG.normal(size=(5, 5)))[0]
    x = nd.array(q @ a @ q.T, dtype="float64")
    x.attach_grad()
    with mx.autograd.record():
        values = L.syevd(x)[1]
        total = values.sum()
    np.testing.assert_allclose(values.asnumpy(), [1, 1, 2, 2, 5], atol=1e-12)
    total.backward()
    np.testing.assert_allclose(x.grad.asnumpy(), np.eye(5), atol=1e-12)  # that of the trace
    bad = L.syevd(nd.array([[1, np.nan], [np.nan, 2]]))
    assert np.isnan(bad[0].asnumpy()).all() and np.isnan(bad[1].asnumpy()).all()


def test_rows_without_length() -> None:
    q, l = (x.asnumpy() for x in L.gelqf(nd.zeros((2, 3))))  # noqa: E741
    np.testing.assert_array_equal(q, np.eye(2, 3))
    np.testing.assert_array_equal(l, 0)


def test_many_small_matrices() -> None:
    a = RNG.uniform(-1, 1, (500, 4, 4)) + 3 * np.eye(4)
    x = nd.array(a, dtype="float64")
    np.testing.assert_allclose(L.inverse(x).asnumpy(), np.linalg.inv(a), rtol=1e-9)
    np.testing.assert_allclose(L.det(x).asnumpy(), np.linalg.det(a), rtol=1e-9)
    with pytest.raises(ValueError, match=r"\[_linalg_inverse\] matrix 7 of shape \(4, 4\) is singular"):
        a[7] = 1
        L.inverse(nd.array(a, dtype="float64")).wait_to_read()


def test_aliases() -> None:
    for name in (
        "gemm",
        "gemm2",
        "potrf",
        "potri",
        "trmm",
        "trsm",
        "syrk",
        "gelqf",
        "det",
        "slogdet",
        "inverse",
    ):
        assert getattr(nd, f"linalg_{name}") is getattr(L, name)
    for name in ("sumlogdiag", "extractdiag", "makediag", "extracttrian", "maketrian", "syevd"):
        assert callable(getattr(L, name))


def test_gradient_of_slogdet_is_zero_at_singular_matrices() -> None:
    stack = mx.nd.array([[[1, 2], [2, 4]], [[2, 0], [0, 3]], [[0, 0], [0, 0]]])
    stack.attach_grad()
    with mx.autograd.record():
        size = mx.nd.linalg.slogdet(stack)[1]
    size.backward(mx.nd.array([2, 3, 4]))
    wanted = [[[0, 0], [0, 0]], [[1.5, 0], [0, 1]], [[0, 0], [0, 0]]]
    np.testing.assert_allclose(stack.grad.asnumpy(), wanted, rtol=1e-6)
