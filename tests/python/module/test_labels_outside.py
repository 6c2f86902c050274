"""Labels outside of the classes: every class counts as wrong, and one warning names the first such label."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import autograd, nd

pytestmark = pytest.mark.filterwarnings("ignore:.*this is said once")

SCORES = np.array([[1, 2, 3], [0, 1, -1], [2, 2, 0]], np.float32)


def gradient(name: str, labels: list[float], **options: Any) -> np.ndarray:
    scores = nd.array(SCORES)
    scores.attach_grad()
    with autograd.record():
        out = getattr(nd, name)(scores, nd.array(labels), **options)
    out.backward()
    found: np.ndarray = scores.grad.asnumpy()
    return found


def softmax() -> np.ndarray:
    grown = np.exp(SCORES - SCORES.max(axis=1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("label", [3, 7, -1, -2, np.nan, np.inf, -np.inf, 1e30, 2.0**31])
def test_softmax_output_counts_every_class_as_wrong(label: float) -> None:
    want = softmax()
    want[0, 1] -= 1
    want[2, 0] -= 1
    np.testing.assert_allclose(gradient("SoftmaxOutput", [1, label, 0]), want, rtol=1e-5, atol=1e-6)


def test_other_labels_of_the_batch_keep_their_options() -> None:
    smooth = gradient("SoftmaxOutput", [1, 3, 0], smooth_alpha=0.1)
    np.testing.assert_allclose(smooth[1], softmax()[1] - 0.05, rtol=1e-5)
    valid = gradient("SoftmaxOutput", [1, 3, -1], use_ignore=True, normalization="valid")
    np.testing.assert_allclose(valid[1], softmax()[1] / 2, rtol=1e-5)
    assert (valid[2] == 0).all()


@pytest.mark.parametrize(("label", "linear"), [(3, False), (-1, True), (np.nan, True)])
def test_svm_output_counts_every_class_as_wrong(label: float, linear: bool) -> None:
    found = gradient("SVMOutput", [2, label, 0], use_linear=linear)
    missing = np.maximum(1 + SCORES[1], 0)
    np.testing.assert_allclose(found[1], (missing > 0) if linear else 2 * missing)


def test_perplexity_takes_the_nearest_class() -> None:
    metric = mx.metric.Perplexity(ignore_label=None)
    metric.update([nd.array([0, 3, -1])], [nd.array([[0.2, 0.3, 0.5]] * 3)])
    assert metric.get()[1] == pytest.approx((0.2 * 0.5 * 0.2) ** (-1 / 3))


SCRIPT = """
import mixgrad as mx
for labels in ([0, 1], [5, -3], [6, 0]):
    x = mx.nd.zeros((2, 3))
    x.attach_grad()
    with mx.autograd.record():
        y = mx.nd.SoftmaxOutput(x, mx.nd.array(labels))
    y.backward()
    x.grad.wait_to_read()
    for _ in range(100):
        pass
    print(labels, flush=True)
metric = mx.metric.Perplexity(None)
for label in (4, 5):
    metric.update([mx.nd.array([label])], [mx.nd.array([[0.5, 0.5]])])
"""


def test_one_warning_names_the_first() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stderr.count("[SoftmaxOutput]") == 1
    assert "label 5 at position 0; expected a class from 0 to 2 or ignore_label -1" in done.stderr
    assert done.stderr.count("[Perplexity]") == 1
    assert "[Perplexity] label 4; expected a class from 0 to 1" in done.stderr


def test_warnings_that_are_errors_end_no_step() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT.split("metric")[0]],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout.count("[") == 3
    assert "label 5 at position 0" in done.stderr
