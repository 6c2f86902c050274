"""Passes over graphs: their switches, and what the graph looks like after them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

import mixgrad as mx


@pytest.fixture(autouse=True)
def single_calls() -> Iterator[None]:
    """All passes but the one that hides calls in groups."""
    with mx.passes.using("all,-pointwise"):
        yield


def last_graph(net: mx.Symbol, **shapes: tuple[int, ...]) -> str:
    """The nodes after the last pass."""
    return net.graph_str(**shapes).rsplit("\n# ", 1)[-1]


def test_switches() -> None:
    assert {"prune", "common", "fold"} <= set(mx.passes.enabled())
    with mx.passes.using("-fold"):
        assert "fold" not in mx.passes.enabled()
        with mx.passes.using("none,fold"):
            assert mx.passes.enabled() == ["fold"]
        assert "prune" in mx.passes.enabled()
    assert "fold" in mx.passes.enabled()
    with pytest.raises(ValueError, match="nearest: fold"):
        mx.passes.switch("-fol")
    with pytest.raises(TypeError):
        mx.passes.switch(3)  # type: ignore[arg-type]


def test_environment_sets_what_is_on_at_start() -> None:
    code = "import mixgrad as mx; print(mx.passes.enabled())"
    environment = {**os.environ, "MIXGRAD_PASSES": "none,common"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['common']"


def test_common_subexpressions_are_computed_once() -> None:
    x = mx.sym.var("x")
    net = mx.sym.tanh(x, name="a") + mx.sym.tanh(x, name="b")
    assert last_graph(net, x=(2,)).count("= tanh") == 1
    with mx.passes.using("-common"):
        assert last_graph(net, x=(2,)).count("= tanh") == 2
    dropped = mx.sym.Dropout(x, name="a") + mx.sym.Dropout(x, name="b")
    assert last_graph(dropped, x=(2,)).count("= Dropout") == 2


def test_constants_are_folded() -> None:
    net = mx.sym.var("x") * (mx.sym.ones((2, 2)) + 2)
    assert last_graph(net).count("= constant") == 1
    with mx.passes.using("-fold"):
        assert "constant" not in last_graph(net)


def test_losses_need_no_gradient_of_their_output() -> None:
    net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=3), name="softmax")
    text = net.graph_str(gradients=True, x=(2, 4))
    assert "head gradient" not in text
    assert "gradient of 'x'" in text
    assert "head gradient" in mx.sym.tanh(mx.sym.var("x")).graph_str(gradients=True, x=(2,))


def test_what_is_computed_again_is_shown() -> None:
    net = mx.sym.sin(mx.sym.tanh(mx.sym.var("x"), force_mirroring="True"))
    stages = [line[2:] for line in net.graph_str(gradients=True, x=(2,)).splitlines() if line[:2] == "# "]
    assert stages[:2] == ["infer", "gradient"] and stages[-2:] == ["prune", "recompute"]
