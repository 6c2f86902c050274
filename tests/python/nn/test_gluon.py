"""Blocks of Gluon's as modules, and modules as blocks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import autograd, gluon, nn, optim

X = np.random.RandomState(0).uniform(-1, 1, size=(6, 3)).astype(np.float32)
LABEL = np.array([0, 1, 0, 1, 0, 1], dtype=np.int32)


def block() -> Any:
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(4, activation="relu"), gluon.nn.BatchNorm(), gluon.nn.Dense(2))
    net.initialize(mx.init.Xavier())
    net(mx.nd.array(X))
    return net


def twin(net: Any) -> nn.Sequential:
    """A module with the values of a block."""
    made = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.BatchNorm1d(4), nn.Linear(4, 2))
    names = {"0.weight": "0.weight", "0.bias": "0.bias", "1.gamma": "2.weight", "1.beta": "2.bias"}
    names.update({"2.weight": "3.weight", "2.bias": "3.bias"})
    values = {k: p.data() for k, p in net._collect_params_with_prefix().items() if k in names}
    made.load_state_dict(nn.mapped_state(values, names), strict=False)
    return made


@pytest.mark.parametrize("hybrid", [False, True])
def test_a_block_trains_as_a_module(hybrid: bool) -> None:
    net = block()
    same = twin(net)
    net.hybridize(hybrid)
    layer = nn.GluonModule(net)
    names = ["0.weight", "0.bias", "1.gamma", "1.beta", "2.weight", "2.bias"]
    assert [name for name, _ in layer.named_parameters()] == names
    assert [name for name, _ in layer.named_buffers()] == ["1.running_mean", "1.running_var"]
    losses: list[list[float]] = []
    for module in (layer, same):
        sgd = optim.SGD(module.parameters(), lr=0.1, momentum=0.9)
        losses.append([])
        for _ in range(5):
            sgd.zero_grad()
            loss = nn.functional.cross_entropy(module(mx.np.array(X)), mx.np.array(LABEL, dtype="int32"))
            loss.backward()
            sgd.step()
            losses[-1].append(loss.item())
    np.testing.assert_allclose(losses[0], losses[1], rtol=1e-4)
    assert losses[0][-1] < losses[0][0]
    # The arrays are one.
    assert (net[0].weight.data().asnumpy() == layer.get_parameter("0.weight").asnumpy()).all()
    state = layer.state_dict()
    assert len(state) == 8
    layer.eval()
    layer.load_state_dict({k: v * 0 + 1 for k, v in state.items()})
    assert (net[0].weight.data().asnumpy() == 1).all() and layer(mx.np.array(X)).shape == (6, 2)


def test_a_block_that_is_not_ready_is_refused() -> None:
    with pytest.raises(RuntimeError, match="initialize"):
        nn.GluonModule(gluon.nn.Dense(3))
    with pytest.raises(TypeError, match="got a Linear; expected a block"):
        nn.GluonModule(nn.Linear(1, 1))  # type: ignore[arg-type]
    dense = gluon.nn.Dense(3, in_units=2)
    dense.initialize()
    layer = nn.GluonModule(dense)
    with pytest.raises(NotImplementedError, match="cast the block"):
        layer.double()


def test_a_module_trains_as_a_block() -> None:
    net = block()
    module = twin(net)
    mine = nn.GluonBlock(module, prefix="mine_")
    assert "mine_0_weight" in mine.collect_params() and len(list(mine.collect_params())) == 9
    autograd.set_recording(False)  # as in a program of Gluon's
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    losses: list[list[float]] = []
    for one in (mine, net):
        params = one.collect_params()
        trainer = gluon.Trainer(params, "sgd", {"learning_rate": 0.1})
        losses.append([])
        for _ in range(5):
            with autograd.record():
                loss = loss_of(one(mx.nd.array(X)), mx.nd.array(LABEL))
            loss.backward()
            trainer.step(6)
            params.zero_grad()
            losses[-1].append(float(loss.mean().asscalar()))
    np.testing.assert_allclose(losses[0], losses[1], rtol=1e-4)
    assert type(mine(mx.nd.array(X))) is mx.nd.NDArray and not module.training


def test_a_program_of_gluons_runs_while_all_is_recorded(tmp_path: Path) -> None:
    nn.Linear(1, 1)
    assert nn.is_grad_enabled()
    net = block()
    net.collect_params().initialize(force_reinit=True)
    net[0].weight.set_data(mx.nd.ones((4, 3)))
    net.save_parameters(str(tmp_path / "net.params"))
    net.load_parameters(str(tmp_path / "net.params"))
    trainer = gluon.Trainer(net.collect_params(), "adam", update_on_kvstore=False)
    with autograd.record():
        loss = net(mx.nd.array(X)).square().sum()
    loss.backward()
    trainer.step(1)
    loss = net(mx.nd.array(X)).square().sum()
    loss.backward()
    trainer.allreduce_grads()
    trainer.update(1)
    assert (net[0].weight.data().asnumpy() != 1).all() and nn.is_grad_enabled()


def test_a_module_inside_a_network_of_gluons() -> None:
    net = gluon.nn.Sequential()
    net.add(nn.GluonBlock(nn.Linear(3, 4)), gluon.nn.Dense(2))
    with pytest.warns(UserWarning, match="already initialized"):  # the module keeps its values
        net.initialize()
    with autograd.record():
        net(mx.nd.array(X)).sum().backward()
    assert len(list(net.collect_params())) == 4
    assert np.abs(net[0].module.weight.grad.asnumpy()).sum() > 0
    with pytest.raises(TypeError, match=r"expected nn\.Module"):
        nn.GluonBlock(gluon.nn.Dense(1))  # type: ignore[arg-type]
