"""Losses against their formulas in NumPy."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.gluon import loss as losses

RANDOM = np.random.RandomState(3)
PRED = RANDOM.uniform(-1, 1, (4, 5))
LABEL = RANDOM.uniform(-1, 1, (4, 5))
SHARE = RANDOM.uniform(0.1, 0.9, (4, 5))
CLASSES = np.array([0, 4, 2, 2])
SIGNS = np.sign(LABEL)
WEIGHTS = RANDOM.uniform(0.5, 2, (4, 1))
POSITIVE = RANDOM.uniform(0.5, 2, (1, 5))
EACH = np.array([1.0, -1.0, 1.0, -1.0])


def log_softmax(x: np.ndarray) -> np.ndarray:
    moved = x - x.max(-1, keepdims=True)
    return moved - np.log(np.exp(moved).sum(-1, keepdims=True))


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def entropy(p: np.ndarray, label: np.ndarray, positive: Any = 1) -> np.ndarray:
    return -(label * np.log(p) * positive + (1 - label) * np.log(1 - p)).mean(1)


def huber(rho: float) -> np.ndarray:
    size = np.abs(PRED - LABEL)
    return np.where(size > rho, size - rho / 2, size**2 / (2 * rho)).mean(1)


def cosine(margin: float) -> np.ndarray:
    c = (PRED * LABEL).sum(1) / np.linalg.norm(PRED, axis=1) / np.linalg.norm(LABEL, axis=1)
    return np.where(EACH == 1, 1 - c, np.maximum(0, c - margin))[:, None]


def smoothed(share: float) -> np.ndarray:
    distances = ((PRED[:, None] - LABEL[None]) ** 2).sum(2)
    labels = np.full((4, 4), share / 3)
    np.fill_diagonal(labels, 1 - share)
    return (labels * (np.log(labels) - log_softmax(-distances))).sum(1)


def stirling(counts: np.ndarray) -> np.ndarray:
    safe = np.maximum(counts, 1)
    return np.where(counts > 1, safe * np.log(safe) - safe + 0.5 * np.log(2 * np.pi * safe), 0)


COUNTS = np.floor(SHARE * 6)
NEAR, FAR = (LABEL - PRED) ** 2, (SHARE - PRED) ** 2

CASES: dict[str, tuple[Callable[[], Any], tuple[Any, ...], Any]] = {
    "L2": (losses.L2Loss, (PRED, LABEL), ((PRED - LABEL) ** 2).mean(1) / 2),
    "L2, weighted": (
        lambda: losses.L2Loss(weight=3),
        (PRED, LABEL, WEIGHTS),
        (WEIGHTS * (PRED - LABEL) ** 2).mean(1) * 1.5,
    ),
    "L2 of columns": (lambda: losses.L2Loss(batch_axis=1), (PRED, LABEL), ((PRED - LABEL) ** 2).mean(0) / 2),
    "L2, labels in a row": (losses.L2Loss, (PRED, LABEL.reshape(-1)), ((PRED - LABEL) ** 2).mean(1) / 2),
    "L1": (losses.L1Loss, (PRED, LABEL), np.abs(PRED - LABEL).mean(1)),
    "huber": (lambda: losses.HuberLoss(rho=0.5), (PRED, LABEL), huber(0.5)),
    "sigmoid": (losses.SigmoidBCELoss, (PRED, SHARE), entropy(sigmoid(PRED), SHARE)),
    "sigmoid, positive": (
        losses.SigmoidBCELoss,
        (PRED, SHARE, None, POSITIVE),
        entropy(sigmoid(PRED), SHARE, POSITIVE),
    ),
    "from sigmoid": (
        lambda: losses.SigmoidBCELoss(from_sigmoid=True),
        (sigmoid(PRED), SHARE),
        entropy(sigmoid(PRED), SHARE),
    ),
    "from sigmoid, positive": (
        lambda: losses.SigmoidBCELoss(from_sigmoid=True),
        (sigmoid(PRED), SHARE, None, POSITIVE),
        entropy(sigmoid(PRED), SHARE, POSITIVE),
    ),
    "softmax": (losses.SoftmaxCELoss, (PRED, CLASSES), -log_softmax(PRED)[np.arange(4), CLASSES]),
    "softmax, weighted": (
        losses.SoftmaxCELoss,
        (PRED, CLASSES, WEIGHTS),
        -log_softmax(PRED)[np.arange(4), CLASSES] * WEIGHTS[:, 0],
    ),
    "softmax of shares": (
        lambda: losses.SoftmaxCELoss(sparse_label=False),
        (PRED, SHARE),
        -(log_softmax(PRED) * SHARE).sum(1),
    ),
    "softmax from logits": (
        lambda: losses.SoftmaxCELoss(from_logits=True),
        (PRED, CLASSES),
        -PRED[np.arange(4), CLASSES],
    ),
    "KL": (losses.KLDivLoss, (PRED, SHARE), (SHARE * (np.log(SHARE) - PRED)).sum(1)),
    "KL of scores": (
        lambda: losses.KLDivLoss(from_logits=False),
        (PRED, SHARE),
        (SHARE * (np.log(SHARE) - log_softmax(PRED))).sum(1),
    ),
    "hinge": (lambda: losses.HingeLoss(margin=0.5), (PRED, SIGNS), np.maximum(0, 0.5 - PRED * SIGNS).mean(1)),
    "squared hinge": (losses.SquaredHingeLoss, (PRED, SIGNS), (np.maximum(0, 1 - PRED * SIGNS) ** 2).mean(1)),
    "logistic": (losses.LogisticLoss, (PRED, SIGNS), np.log1p(np.exp(-PRED * SIGNS)).mean(1)),
    "logistic, binary": (
        lambda: losses.LogisticLoss(label_format="binary"),
        (PRED, SIGNS > 0),
        np.log1p(np.exp(-PRED * SIGNS)).mean(1),
    ),
    "triplet": (losses.TripletLoss, (PRED, LABEL, SHARE), np.maximum(0, (NEAR - FAR).sum(1) + 1)),
    "poisson": (losses.PoissonNLLLoss, (PRED, COUNTS), [(np.exp(PRED) - COUNTS * PRED).mean()]),
    "poisson in full": (
        lambda: losses.PoissonNLLLoss(from_logits=False, compute_full=True),
        (SHARE, COUNTS),
        [(SHARE - COUNTS * np.log(SHARE) + stirling(COUNTS)).mean()],
    ),
    "cosine": (lambda: losses.CosineEmbeddingLoss(margin=0.1), (PRED, LABEL, EACH), cosine(0.1)),
    "SDML": (losses.SDMLLoss, (PRED, LABEL), smoothed(0.3)),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("hybrid", [False, True])
def test_formulas(case: str, hybrid: bool) -> None:
    make, values, expected = CASES[case]
    loss = make()
    if hybrid:
        loss.hybridize()
    given = [None if one is None else mx.nd.array(one, dtype="float64") for one in values]
    np.testing.assert_allclose(loss(*given).asnumpy(), expected, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("case", [case for case in CASES if "softmax" not in case or "shares" in case])
def test_gradients(case: str) -> None:
    make, values, _ = CASES[case]
    loss = make()
    pred, *rest = (None if one is None else mx.nd.array(one, dtype="float64") for one in values)
    assert mx.autograd.gradcheck(lambda x: loss(x, *rest), pred)


@pytest.mark.parametrize(
    ("layout", "label_layout"), [("NTC", "NT"), ("TNC", "NT"), ("NTC", "TN"), ("TNC", "TN")]
)
def test_sequences(layout: str, label_layout: str) -> None:
    pred = mx.nd.ones((2, 20, 4))
    label = mx.nd.array([[1, 0, -1, -1], [2, 1, 1, -1]])
    given = (pred if layout == "NTC" else pred.swapaxes(0, 1), label if label_layout == "NT" else label.T)
    loss = losses.CTCLoss(layout, label_layout)
    np.testing.assert_allclose(loss(*given).asnumpy(), [18.82820702, 16.50581741], rtol=1e-5)
    lengths = mx.nd.array([20, 20]), mx.nd.array([2, 3])
    np.testing.assert_allclose(loss(*given, *lengths).asnumpy(), [18.82820702, 16.50581741], rtol=1e-5)
    weight = mx.nd.array([1, 0])
    assert loss(*given, None, None, weight).asnumpy()[1] == 0


REFUSALS: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "layout": (lambda: losses.CTCLoss("CTN"), AssertionError, "layout is 'CTN'"),
    "layout of labels": (lambda: losses.CTCLoss("NTC", "N"), AssertionError, "label_layout is 'N'"),
    "format of labels": (lambda: losses.LogisticLoss(label_format="x"), ValueError, "label_format is 'x'"),
    "weight": (lambda: losses.L1Loss("x")(mx.nd.ones(1), mx.nd.ones(1)), AssertionError, "weight is str"),
    "sizes": (lambda: losses.L1Loss()(mx.nd.ones((2, 3)), mx.nd.ones((2, 2))), ValueError, "4 elements"),
    "no formula": (lambda: losses.Loss(None, 0)(mx.nd.ones(1)), NotImplementedError, "hybrid_forward"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refusals(case: str) -> None:
    run, error, message = REFUSALS[case]
    with pytest.raises(error, match=message):
        run()


def test_reprs() -> None:
    assert repr(losses.SigmoidBCELoss()) == "SigmoidBinaryCrossEntropyLoss(batch_axis=0, w=None)"
    assert repr(losses.L2Loss()) == "L2Loss(batch_axis=0, w=1.0)"
