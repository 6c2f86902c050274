"""Gradients of operators that stand for a loss: they come from the label, whatever the output is used for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mixgrad as mx

Array = np.ndarray


def gradients(
    op: str, data: Array, label: Array, head: float = 1.0, dtype: str = "float64", **params: Any
) -> Array:
    """Gradient of the data, for an output gradient of `head` everywhere; that of the label must be zero."""
    x = mx.nd.array(data, dtype=dtype)
    y = mx.nd.array(label, dtype=dtype)
    x.attach_grad()
    y.attach_grad()
    with mx.autograd.record():
        out = getattr(mx.nd, op)(x, y, **params)
    out.backward(mx.nd.full(out.shape, head, dtype=dtype))
    assert not y.grad.asnumpy().any()
    return x.grad.asnumpy().astype(np.float64)


def softmax(x: Array, axis: int) -> Array:
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


RNG = np.random.default_rng(7)
SCORES = RNG.standard_normal((4, 5))
LABEL = np.array([2.0, 0.0, 1.0, 4.0])
PLAIN = softmax(SCORES, 1) - np.eye(5)[LABEL.astype(int)]
COUNTS = (LABEL != 0)[:, None]
IMAGE = RNG.standard_normal((2, 3, 4))
POSITIONS = RNG.integers(0, 3, (2, 4)).astype(np.float64)
ON_AXIS_1 = softmax(IMAGE, 1) - np.moveaxis(np.eye(3)[POSITIONS.astype(int)], -1, 1)
KEPT = (POSITIONS != 0)[:, None, :]


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, PLAIN),
        ({"grad_scale": 0.5}, PLAIN * 0.5),
        ({"use_ignore": True, "ignore_label": 0}, PLAIN * COUNTS),
        ({"ignore_label": 0}, PLAIN),
        ({"normalization": "batch"}, PLAIN / 4),
        ({"normalization": "valid"}, PLAIN / 4),
        ({"normalization": "valid", "use_ignore": True, "ignore_label": 0}, PLAIN * COUNTS / 3),
        (
            {"smooth_alpha": 0.1},
            softmax(SCORES, 1) - np.where(np.eye(5)[LABEL.astype(int)] == 1, 0.9, 0.1 / 4),
        ),
    ],
)
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_softmax_output(params: dict[str, Any], expected: Array, dtype: str) -> None:
    tolerance = {"float64": 1e-7, "float32": 1e-6, "float16": 2e-3}[dtype]
    for head in (1.0, -3.0):
        got = gradients("SoftmaxOutput", SCORES, LABEL, head, dtype, **params)
        np.testing.assert_allclose(got, expected, atol=tolerance)
    multiplied = gradients("SoftmaxOutput", SCORES, LABEL, 2.0, dtype, out_grad=True, **params)
    np.testing.assert_allclose(multiplied, expected * 2, atol=2 * tolerance)


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, ON_AXIS_1 / 4),
        ({"normalization": "batch"}, ON_AXIS_1 / 8),
        ({"normalization": "valid"}, ON_AXIS_1 / 8),
        ({"use_ignore": True, "ignore_label": 0}, ON_AXIS_1 * KEPT / 4),
        (
            {"use_ignore": True, "ignore_label": 0, "normalization": "valid"},
            ON_AXIS_1 * KEPT / max(1, KEPT.sum()),
        ),
    ],
)
def test_softmax_output_per_position(params: dict[str, Any], expected: Array) -> None:
    for shape in ((2, 4), (2, 1, 4)):
        label = POSITIONS.reshape(shape)
        got = gradients("SoftmaxOutput", IMAGE, label, 5.0, multi_output=True, **params)
        np.testing.assert_allclose(got, expected, atol=1e-9)


def test_softmax_output_of_last_axis() -> None:
    label = RNG.integers(0, 4, (2, 3))
    plain = softmax(IMAGE, 2) - np.eye(4)[label]
    for normalization, share in (("null", 1), ("batch", 6), ("valid", 6)):
        got = gradients("SoftmaxOutput", IMAGE, label, preserve_shape=True, normalization=normalization)
        np.testing.assert_allclose(got, plain / share, atol=1e-9)


def test_softmax_output_of_probabilities() -> None:
    target = softmax(RNG.standard_normal((4, 5)), 1)
    got = gradients("SoftmaxOutput", SCORES, target, grad_scale=2.0)
    np.testing.assert_allclose(got, 2 * (softmax(SCORES, 1) - target), atol=1e-9)


@pytest.mark.parametrize("ignore_label", [-1.0, 5.0, 1e30])
def test_label_that_is_no_class(ignore_label: float) -> None:
    label = np.array([ignore_label, 0, 4, ignore_label])
    expected = softmax(SCORES, 1) - np.array([np.zeros(5), np.eye(5)[0], np.eye(5)[4], np.zeros(5)])
    got = gradients("SoftmaxOutput", SCORES, label, ignore_label=ignore_label)
    np.testing.assert_allclose(got, expected, atol=1e-9)


@pytest.mark.parametrize(
    ("op", "derivative"),
    [
        ("LinearRegressionOutput", lambda x, y: x - y),
        ("MAERegressionOutput", lambda x, y: np.sign(x - y)),
        ("LogisticRegressionOutput", lambda x, y: 1 / (1 + np.exp(-x)) - y),
    ],
)
def test_regression_outputs(op: str, derivative: Any) -> None:
    target = RNG.standard_normal((4, 5))
    for params, factor in (({}, 1.0), ({"grad_scale": 2.0}, 2.0)):
        got = gradients(op, SCORES, target, 7.0, **params)
        np.testing.assert_allclose(got, factor * derivative(SCORES, target) / 5, atol=1e-9)
    column = gradients(op, SCORES[:, :1], target[:, 0])
    np.testing.assert_allclose(column, derivative(SCORES[:, :1], target[:, :1]), atol=1e-9)


@pytest.mark.parametrize("use_linear", [False, True])
def test_svm_output(use_linear: bool) -> None:
    sign = np.where(np.eye(5)[LABEL.astype(int)] == 1, 1.0, -1.0)
    missing = 0.5 - sign * SCORES
    slope = np.where(missing > 0, 1.0 if use_linear else 2 * missing, 0.0)
    got = gradients(
        "SVMOutput", SCORES, LABEL, 3.0, margin=0.5, regularization_coefficient=2.0, use_linear=use_linear
    )
    np.testing.assert_allclose(got, -2.0 * sign * slope, atol=1e-6)


@pytest.mark.parametrize("classes", [1, 2, 10, 24, 25])
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_softmax_of_many_short_rows(classes: int, dtype: str) -> None:
    tolerance = {"float64": 1e-12, "float32": 1e-6, "float16": 2e-3}[dtype]
    scores = np.random.RandomState(3).randn(300, classes) * 4
    scores[7, 0], scores[8, -1] = -np.inf if classes > 1 else 0, np.nan
    rows = mx.nd.array(scores, dtype=dtype)
    got = mx.nd.softmax(rows).asnumpy()
    want = softmax(scores, 1)
    np.testing.assert_allclose(got, want, atol=tolerance)
    for count in (1, 15, 17, 63, 65):  # a row's result does not depend on those beside it
        np.testing.assert_array_equal(mx.nd.softmax(rows[:count]).asnumpy(), got[:count])


@pytest.mark.parametrize(
    ("values", "largest", "grads"),
    [
        ([5, 1, -np.inf, -np.inf], [5, -np.inf], [1, 0, 10, 0]),
        ([np.nan, 3, 2, np.nan], [3, 2], [0, 1, 10, 0]),
    ],
)
def test_the_gradient_of_max_pooling_stays_in_its_window(
    values: list[float], largest: list[float], grads: list[float]
) -> None:
    x = mx.nd.array([[values]])
    x.attach_grad()
    with mx.autograd.record():
        y = mx.nd.Pooling(x, kernel=(2,), stride=(2,), pool_type="max")
    y.backward(mx.nd.array([[[1, 10]]]))
    assert y.asnumpy().ravel().tolist() == largest
    assert x.grad.asnumpy().ravel().tolist() == grads
