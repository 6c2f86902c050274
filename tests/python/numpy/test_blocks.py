"""Gluon's blocks on arrays of mx.np: parameters, training, graphs, blocks without a graph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import mixgrad as mx
from mixgrad import gluon, np, npx
from mixgrad.gluon import nn


@pytest.fixture(autouse=True)
def _numpy_arrays() -> Iterator[None]:
    npx.set_np()
    yield
    npx.reset_np()


@pytest.mark.parametrize("hybridize", [False, True])
def test_a_network_trains(hybridize: bool) -> None:
    net = nn.HybridSequential()
    net.add(nn.Dense(16, activation="relu"), nn.BatchNorm(), nn.Dense(2))
    net.initialize()
    if hybridize:
        net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.05})
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    x = np.random.normal(size=(64, 5))
    y = (x[:, 0] > 0).astype("int32")
    losses = []
    for _ in range(40):
        with mx.autograd.record():
            loss = loss_of(net(x), y)
        loss.backward()
        trainer.step(64)
        losses.append(float(loss.mean()))
    assert losses[-1] < 0.3 * losses[0]
    weight = net[0].weight
    assert {type(one) for one in (net(x), loss, weight.data(), weight.grad())} == {np.ndarray}


def test_graphs_and_arrays_agree() -> None:
    mx.test_utils.check_gluon_hybridize_consistency(
        lambda prefix=None: nn.Dense(3, prefix=prefix), [np.ones((2, 4))]
    )


def test_a_block_that_depends_on_elements_runs_without_a_graph() -> None:
    class Positive(gluon.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return F.np.nonzero(x > 0)[0]

    block = Positive()
    block.hybridize()
    for values in ([1, -1, 2], [-1, -1, -1], [1, 1, 1]):
        x = np.array(values)
        assert block(x).asnumpy().tolist() == [i for i, v in enumerate(values) if v > 0]
