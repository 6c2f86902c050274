"""Trainers: stores, several devices, stale gradients, sparse parameters, mixed precision, refusals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import gluon
from mixgrad.contrib import amp
from mixgrad.gluon import nn

X = np.random.RandomState(0).uniform(-1, 1, (8, 4)).astype(np.float32)
Y = X.sum(1, keepdims=True)


def trained(
    contexts: list[Any], steps: int = 5, optimizer: str = "sgd", **options: Any
) -> tuple[np.ndarray, Any]:
    """The weight after some steps over devices, and the trainer."""
    net = nn.Dense(1, in_units=4)
    net.initialize(mx.init.One(), ctx=contexts)
    net.hybridize()
    rates = {"learning_rate": 0.1, **({"momentum": 0.9} if optimizer == "sgd" else {})}
    trainer = gluon.Trainer(net.collect_params(), optimizer, rates, **options)
    loss_of = gluon.loss.L2Loss()
    for _ in range(steps):
        parts, labels = (gluon.utils.split_and_load(one, contexts) for one in (X, Y))
        with mx.autograd.record():
            losses = [loss_of(net(x), y) for x, y in zip(parts, labels)]
        for loss in losses:
            loss.backward()
        trainer.step(len(X))
    weights = [array.asnumpy() for array in net.weight.list_data()]
    for one in weights[1:]:
        np.testing.assert_array_equal(one, weights[0])
    return weights[0], trainer


STORES = [("device", None), ("device", False), ("local", True), ("local", False), (None, None)]


@pytest.mark.parametrize(("kvstore", "update"), STORES)
@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_devices_train_as_one(kvstore: Any, update: Any, optimizer: str) -> None:
    alone, trainer = trained([mx.cpu(0)], optimizer=optimizer, kvstore=kvstore, update_on_kvstore=update)
    assert trainer._kvstore is None and trainer._update_on_kvstore is None
    if kvstore is None:
        return
    several, trainer = trained(
        [mx.cpu(i) for i in range(4)], optimizer=optimizer, kvstore=kvstore, update_on_kvstore=update
    )
    assert trainer._kvstore.type == kvstore and trainer._update_on_kvstore is (update is not False)
    np.testing.assert_allclose(several, alone, rtol=1e-5)


def test_store_of_ones_own() -> None:
    store = mx.kv.create("device")
    weight, trainer = trained([mx.cpu(0)], kvstore=store)
    assert trainer._kvstore is store and trainer._update_on_kvstore
    np.testing.assert_allclose(weight, trained([mx.cpu(0)])[0], rtol=1e-6)


def test_uneven_parts_of_a_batch() -> None:
    contexts = [mx.cpu(i) for i in range(3)]
    net = nn.Dense(1, in_units=4, use_bias=False)
    net.initialize(mx.init.One(), ctx=contexts)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    parts = gluon.utils.split_and_load(X, contexts, even_split=False)
    assert [len(part) for part in parts] == [3, 3, 2]
    with mx.autograd.record():
        losses = [net(x) for x in parts]
    for loss in losses:
        loss.backward()
    trainer.step(len(X))
    np.testing.assert_allclose(
        net.weight.data(mx.cpu(1)).asnumpy(), 1 - 0.1 * X.mean(0, keepdims=True), rtol=1e-5
    )


def pair() -> tuple[Any, Any, Any]:
    used, unused = (gluon.Parameter(name, shape=(2,)) for name in ("used", "unused"))
    for one in (used, unused):
        one.initialize(mx.init.One())
    return used, unused, gluon.Trainer([used, unused], "sgd", {"learning_rate": 1.0})


def test_stale_gradients() -> None:
    used, unused, trainer = pair()
    unused.grad()[:] = 5
    with mx.autograd.record():
        loss = used.data().sum()
    loss.backward()
    with pytest.raises(UserWarning, match="gradient of 'unused' on cpu\\(0\\) has not been updated"):
        trainer.step(1)
    trainer.step(1, ignore_stale_grad=True)
    assert used.data().asnumpy().tolist() == [0, 0] and unused.data().asnumpy().tolist() == [1, 1]
    with pytest.raises(UserWarning, match="'used'"):  # its gradient was used up
        trainer.step(1)
    unused.grad_req = "null"
    with mx.autograd.record():
        loss = used.data().sum()
    loss.backward()
    trainer.step(1)
    assert used.data().asnumpy().tolist() == [-1, -1]


@pytest.mark.parametrize("contexts", [[mx.cpu(0)], [mx.cpu(0), mx.cpu(1)]])
def test_gradients_change_between_sum_and_update(contexts: list[Any]) -> None:
    weight = gluon.Parameter("w", shape=(2,))
    weight.initialize(mx.init.Zero(), ctx=contexts)
    trainer = gluon.Trainer([weight], "sgd", {"learning_rate": 1.0}, update_on_kvstore=False)
    with mx.autograd.record():
        losses = [(array * 3).sum() for array in weight.list_data()]
    for loss in losses:
        loss.backward()
    trainer.allreduce_grads()
    assert all((g == 3 * len(contexts)).asnumpy().all() for g in weight.list_grad())
    for gradient in weight.list_grad():
        gradient[:] = 2
    trainer.update(1)
    assert all((array == -2).asnumpy().all() for array in weight.list_data())
    stored = gluon.Trainer([weight], "sgd", kvstore=mx.kv.create("device"))
    for call in (stored.allreduce_grads, lambda: stored.update(1)):
        with pytest.raises(AssertionError, match="the store updates the parameters"):
            call()


def test_rates() -> None:
    used, _, trainer = pair()
    assert trainer.learning_rate == 1.0
    trainer.set_learning_rate(0.25)
    used.lr_mult = 2.0
    with mx.autograd.record():
        loss = used.data().sum()
    loss.backward()
    trainer.step(1, ignore_stale_grad=True)
    assert used.data().asnumpy().tolist() == [0.5, 0.5] and trainer.optimizer.learning_rate == 0.25
    schedule = mx.lr_scheduler.FactorScheduler(1, 0.5, base_lr=1)
    scheduled = gluon.Trainer([used], "sgd", {"lr_scheduler": schedule})
    with pytest.raises(
        UserWarning, match=r"belongs to the FactorScheduler .* lr_scheduler another .* or None"
    ):
        scheduled.set_learning_rate(0.5)
    scheduled.optimizer.lr_scheduler = None
    scheduled.set_learning_rate(0.5)
    assert scheduled.learning_rate == 0.5


def test_values_that_are_set_reach_the_store() -> None:
    weight = gluon.Parameter("w", shape=(1,))
    weight.initialize(mx.init.One(), ctx=[mx.cpu(0), mx.cpu(1)])
    trainer = gluon.Trainer([weight], "sgd", {"learning_rate": 1.0})

    def step() -> float:
        with mx.autograd.record():
            losses = [array.sum() for array in weight.list_data()]
        for loss in losses:
            loss.backward()
        trainer.step(1)
        return float(weight.data(mx.cpu(1)).asscalar())

    assert trainer._kvstore is None and step() == -1
    assert trainer._update_on_kvstore
    weight.set_data(mx.nd.array([10]))
    assert step() == 8


def test_parameters_that_wait_for_their_shapes() -> None:
    net = nn.HybridSequential()
    net.add(nn.Dense(3), nn.Dense(1))
    net.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    for _ in range(2):
        with mx.autograd.record():
            losses = [net(mx.nd.ones((2, 4), ctx=context)) for context in (mx.cpu(0), mx.cpu(1))]
        for loss in losses:
            loss.backward()
        trainer.step(4)
    assert not trainer._params_to_init


@pytest.mark.parametrize("contexts", [[mx.cpu(0)], [mx.cpu(0), mx.cpu(1)]])
@pytest.mark.parametrize("update", [None, True, False])
def test_sparse_gradients(contexts: list[Any], update: Any) -> None:
    table = nn.Embedding(4, 2, sparse_grad=True)
    table.initialize(mx.init.One(), ctx=contexts)
    trainer = gluon.Trainer(table.collect_params(), "sgd", {"learning_rate": 0.5}, update_on_kvstore=update)
    for context in contexts:
        with mx.autograd.record():
            loss = table(mx.nd.array([1, 3], ctx=context)).sum()
        loss.backward()
    trainer.step(len(contexts))
    for array in table.weight.list_data():
        assert array.asnumpy().tolist() == [[1, 1], [0.5, 0.5], [1, 1], [0.5, 0.5]]


def test_sparse_parameters(tmp_path: Path) -> None:
    table = gluon.contrib.nn.SparseEmbedding(4, 2)
    table.initialize(mx.init.One())
    with pytest.raises(RuntimeError, match="no Trainer was made"):
        table(mx.nd.array([1]))
    trainer = gluon.Trainer(table.collect_params(), "sgd", {"learning_rate": 0.5})
    with mx.autograd.record():
        loss = table(mx.nd.array([1, 3])).sum()
    loss.backward()
    trainer.step(1)
    rows = table.weight.row_sparse_data(mx.nd.array([0, 1]))
    assert rows.stype == "row_sparse" and rows.data.asnumpy().tolist() == [[1, 1], [0.5, 0.5]]
    table.collect_params().save(tmp_path / "table.params")
    (saved,) = mx.nd.load(str(tmp_path / "table.params")).values()
    assert saved.stype == "row_sparse" and saved.asnumpy().sum() == 6
    trainer.save_states(tmp_path / "trainer.states")
    trainer.load_states(tmp_path / "trainer.states")
    table.weight.lr_mult = 2.0
    assert trainer._kvstore._updater.optimizer._get_lr(0) == 1.0
    with pytest.raises(RuntimeError, match="has a trainer already"):
        gluon.Trainer(table.collect_params(), "sgd")


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_mixed_precision(dtype: str) -> None:
    net = nn.Dense(1, in_units=2, use_bias=False, dtype=dtype)
    net.initialize(mx.init.One())
    trainer = gluon.Trainer(
        net.collect_params(), "sgd", {"learning_rate": 2.0**-12, "momentum": 0.0, "multi_precision": True}
    )
    x = mx.nd.ones((1, 2)).astype(dtype)
    for _ in range(64):  # steps that 16 bits would lose
        with mx.autograd.record():
            loss = net(x)
        loss.backward()
        trainer.step(1)
    assert net.weight.data().astype("float32").asnumpy().tolist() == [[1 - 2.0**-6] * 2]


@pytest.fixture
def half() -> Iterator[None]:
    amp.init("float16")
    try:
        yield
    finally:
        amp.amp._wrapped.pop().undo()
        amp.amp._scalers.clear()


def test_trainers_of_amp(half: None) -> None:
    used, _, trainer = pair()
    amp.init_trainer(trainer)
    factor = trainer._amp_loss_scaler.loss_scale
    with mx.autograd.record(), amp.scale_loss(used.data().sum(), trainer) as loss:
        pass
    loss.backward()
    assert used.grad().asnumpy().tolist() == [factor, factor] and factor > 1
    trainer.step(1, ignore_stale_grad=True)
    assert used.data().asnumpy().tolist() == [0, 0]
    used.grad()[:] = np.inf
    trainer.step(1, ignore_stale_grad=True)
    assert used.data().asnumpy().tolist() == [0, 0]


def on(*contexts: Any) -> gluon.Parameter:
    made = gluon.Parameter(f"p{len(contexts)}", shape=(1,))
    made.initialize(ctx=list(contexts))
    return made


REFUSALS: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "no list": (lambda: gluon.Trainer(3, "sgd"), ValueError, "params is int"),  # type: ignore[arg-type]
    "no parameters": (lambda: gluon.Trainer([3], "sgd"), ValueError, "params has int"),  # type: ignore[list-item]
    "not initialised": (
        lambda: gluon.Trainer([gluon.Parameter("p", shape=(1,))], "sgd"),
        RuntimeError,
        "'p' has not been initialized",
    ),
    "devices": (
        lambda: gluon.Trainer([on(mx.cpu(0)), on(mx.cpu(0), mx.cpu(1))], "sgd"),
        AssertionError,
        "expected the same devices",
    ),
    "options": (
        lambda: gluon.Trainer([on(mx.cpu(0))], mx.optimizer.SGD(), {"learning_rate": 1}),
        AssertionError,
        "beside an Optimizer",
    ),
    "unknown rule": (lambda: gluon.Trainer([on(mx.cpu(0))], "sgdd"), ValueError, "unknown optimizer 'sgdd'"),
    "store": (
        lambda: gluon.Trainer([on(mx.cpu(0))], "sgd", kvstore=3).step(1),  # type: ignore[arg-type]
        TypeError,
        "got int",
    ),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refusals(case: str) -> None:
    run, error, message = REFUSALS[case]
    with pytest.raises(error, match=message):
        run()


def test_blocks_in_mixed_precision() -> None:
    net = nn.HybridSequential()
    net.add(nn.Conv2D(2, 3, in_channels=1), nn.BatchNorm(in_channels=2), nn.Dense(3))
    net.initialize()
    x = mx.nd.random.uniform(shape=(2, 1, 5, 5))
    with pytest.raises(RuntimeError, match="first call hybridize"):
        amp.convert_hybrid_block(net)
    net.hybridize()
    expected = net(x)
    half = amp.convert_hybrid_block(net, cast_optional_params=True)
    assert half(x).dtype == np.float32 and half.params[net[0].weight.name].dtype == np.float16
    assert net[0].weight.data().dtype == half.params[net[1].gamma.name].dtype == np.float32
    np.testing.assert_allclose(half(x).asnumpy(), expected.asnumpy(), rtol=2e-2, atol=2e-3)
    with pytest.raises(TypeError, match="block is int"):
        amp.convert_hybrid_block(3)  # type: ignore[arg-type]
