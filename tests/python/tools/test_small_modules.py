"""mx.log, mx.runtime, names of modules, histograms."""

from __future__ import annotations

import importlib
import logging
from pathlib import Path

import numpy as np
import pytest

import mixgrad as mx


def test_every_module_by_its_names() -> None:
    for name in mx.__all__:
        assert getattr(mx, name) is not None
    assert mx.rnd is mx.random and mx.viz is mx.visualization and mx.init is mx.initializer
    assert mx.registry is importlib.import_module("mixgrad.registry")


def test_loggers(tmp_path: Path) -> None:
    path = tmp_path / "run.log"
    logger = mx.log.get_logger("mixgrad-test", path, "w", mx.log.INFO)
    assert mx.log.getLogger("mixgrad-test", level=mx.log.INFO) is logger and len(logger.handlers) == 1
    logger.info("seen %d", 3)
    logger.debug("not seen")
    text = path.read_text()
    assert text.startswith("I") and text.endswith("] seen 3\n") and "not seen" not in text
    assert mx.log.get_logger() is logging.getLogger()


def test_features() -> None:
    features = mx.runtime.Features()
    assert features.is_enabled("int64_tensor_size") and not features.is_enabled("TVM_OP")
    assert "✔ INT64_TENSOR_SIZE" in repr(features)
    assert {feature.name for feature in mx.runtime.feature_list()} == set(features)
    with pytest.raises(RuntimeError, match="unknown feature 'magic'"):
        features.is_enabled("magic")


@pytest.mark.parametrize("bins", [1, 3, 10])
@pytest.mark.parametrize("limits", [None, (-1.0, 2.0)])
def test_histograms(bins: int, limits: tuple[float, float] | None) -> None:
    values = np.random.RandomState(0).randn(40).astype("float32")
    counts, edges = mx.nd.histogram(mx.nd.array(values), bins, limits)
    wanted, wanted_edges = np.histogram(values, bins, limits)
    np.testing.assert_array_equal(counts.asnumpy(), wanted)
    np.testing.assert_allclose(edges.asnumpy(), wanted_edges, rtol=1e-5)
    assert counts.dtype == np.int64
    again, _ = mx.nd.histogram(mx.nd.array(values), edges)
    np.testing.assert_array_equal(again.asnumpy(), wanted)
    if limits:
        net = mx.sym.histogram(mx.sym.var("x"), bins, limits, name="h")
        exe = net.simple_bind(mx.cpu(), grad_req="null", x=(40,))
        np.testing.assert_array_equal(exe.forward(x=mx.nd.array(values))[0].asnumpy(), wanted)
    flat = mx.nd.histogram(mx.nd.ones((5,)), 3)
    np.testing.assert_array_equal(flat[0].asnumpy(), np.histogram(np.ones(5), 3)[0])


def test_histograms_refused() -> None:
    with pytest.raises(ValueError, match="a symbol needs it"):
        mx.sym.histogram(mx.sym.var("x"))
    for bins in (0, 1.5, "a"):
        with pytest.raises(ValueError, match=r"\[histogram\] bins is"):
            mx.nd.histogram(mx.nd.ones((3,)), bins)  # type: ignore[arg-type]


def test_small_functions_of_arrays() -> None:
    a, b = mx.nd.ones((2,)), mx.nd.full((3,), np.nan)
    assert mx.nd.reset_arrays(a, b, num_arrays=2) == []
    assert a.asnumpy().tolist() == [0, 0] and b.asnumpy().tolist() == [0, 0, 0]
    with pytest.raises(ValueError, match="num_arrays is 3 but there are 2"):
        mx.nd.reset_arrays(a, b, num_arrays=3)
    with pytest.raises(TypeError, match="got int"):
        mx.nd.reset_arrays(3)  # type: ignore[arg-type]
    assert [part.shape for part in mx.nd.zeros((5, 2)).split_v2((1, 3))] == [(1, 2), (2, 2), (2, 2)]
    assert mx.contrib.nd is mx.nd.contrib and mx.contrib.sym is mx.sym.contrib
