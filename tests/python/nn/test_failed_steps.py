"""A step that cannot be computed is told, and costs the training that step alone."""

from __future__ import annotations

import contextlib
import threading
from typing import Any, Callable

import numpy as onp
import pytest

import mixgrad as mx
import mixgrad.nn.functional as F
from mixgrad import autograd, gluon, nd, nn, np, optim, sym

OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "sgd": lambda params: optim.SGD(params, lr=0.1),
    "momentum": lambda params: optim.SGD(params, lr=0.1, momentum=0.9, weight_decay=0.0),
    "adam": optim.Adam,
    "rmsprop": optim.RMSprop,
}


def values(net: nn.Module) -> dict[str, onp.ndarray]:
    return {name: value.asnumpy() for name, value in net.state_dict().items()}


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("steps", [1, 3])
def test_a_class_out_of_range_leaves_the_weights(optimizer: str, steps: int) -> None:
    net = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 3))
    rule = OPTIMIZERS[optimizer](net.parameters())

    def step(classes: list[int]) -> Any:
        rule.zero_grad()
        loss = F.cross_entropy(net(np.ones((2, 4))), np.array(classes, dtype="int64"))
        loss.backward()
        rule.step()
        return loss

    assert step([0, 1]).item() > 0
    before = values(net)
    for _ in range(steps):
        loss = step([0, 3])
    with pytest.raises(IndexError, match="3"):
        loss.item()
    # Each of the batches may be told, none twice.
    for _ in range(steps - 1):
        with contextlib.suppress(IndexError):
            values(net)
    for name, value in values(net).items():
        onp.testing.assert_array_equal(value, before[name])
    first = step([1, 1]).item()
    assert first > 0 and step([1, 1]).item() < first
    # It is told as well where only the weights are read.
    step([0, 3])
    with pytest.raises(IndexError, match="3"):
        net[0].weight.asnumpy()
    assert net[0].weight.asnumpy().shape == (3, 4)


def test_an_array_changed_in_place_by_what_failed() -> None:
    x = np.array([1.0, 2.0])
    missing = np.array([10.0, 20.0])[np.array([0, 5], dtype="int64")]
    x += missing
    with pytest.raises(IndexError):
        x.asnumpy()
    assert x.asnumpy().tolist() == [1, 2]
    with pytest.raises(IndexError):
        missing.asnumpy()
    y = x + missing  # a new array has no value to go back to
    with pytest.raises(IndexError):
        y.asnumpy()
    with pytest.raises(IndexError, match=r"raised again: .* written anew"):
        y.asnumpy()


def test_assignments_of_what_failed() -> None:
    w = nd.array([1.0, 2.0])
    missing = nd.take(nd.array([10.0, 20.0]), nd.array([0, 5]), mode="raise")
    with pytest.raises(IndexError):
        missing.asnumpy()

    def change_all() -> None:
        w[:] = w - missing

    def change_part() -> None:
        w[:1] = missing[:1]

    def change_in_place() -> None:
        nd.elemwise_add(w, missing, out=w)

    # Each is told, although the failure is known by then.
    for change in (change_all, change_part, change_in_place):
        change()
        with pytest.raises(IndexError, match="raised again"):
            w.asnumpy()
        assert w.asnumpy().tolist() == [1, 2]
    # What is no assignment to elements of an array leaves none that were there.
    for made in (
        missing.copy(),
        nd.array(missing),
        mx.np.array(missing.as_np_ndarray()),
        missing.astype("float64"),
        missing.as_in_context(mx.cpu(1)),
        missing.copyto(mx.cpu(1)),
        missing.copyto(w),
        nd.sparse.row_sparse_array((missing.reshape((2, 1)), [0, 1]), shape=(3, 1)),
    ):
        for _ in range(2):
            with pytest.raises(IndexError):
                made.asnumpy()


def test_a_failure_is_told_where_it_was_caught_elsewhere() -> None:
    x = nd.array([1.0, 2.0])
    missing = nd.take(x, nd.array([0, 5]), mode="raise")
    x[:] = missing

    def catch() -> None:
        with pytest.raises(IndexError, match="5"):
            missing.asnumpy()

    thread = threading.Thread(target=catch)
    thread.start()
    thread.join()
    with pytest.raises(IndexError, match="7"):
        nd.take(nd.array([1.0]), nd.array([7]), mode="raise").asnumpy()
    with pytest.raises(IndexError, match="5"):
        x.asnumpy()
    assert x.asnumpy().tolist() == [1, 2]
    x += missing
    with pytest.raises(IndexError, match="raised again"):
        nd.waitall()
    assert x.asnumpy().tolist() == [1, 2]


def test_gradients_and_outputs_of_what_failed_are_not_those_of_the_batch_before() -> None:
    w = nd.array([1.0, 2.0])
    w.attach_grad()
    flat = nd.zeros(4)
    parts = [nd.array([1.0, 2.0]) for _ in range(3)]
    for i, part in enumerate(parts):
        part.attach_grad()
        if i > 0:
            autograd.mark_variables([part], [flat[2 * i - 2 : 2 * i]])
    for index in (1, 5):
        with autograd.record():
            y = nd.take(w + parts[0] + parts[1].reshape((2,)), nd.array([index]), mode="raise") * parts[2]
        y.backward()
    for _ in range(2):
        for value in (w.grad, y, flat, *(part.grad for part in parts)):
            with pytest.raises(IndexError):
                value.asnumpy()
    executor = sym.take(sym.var("w"), sym.var("i"), mode="raise").bind(mx.cpu(), {"w": w, "i": nd.array([1])})
    assert executor.forward()[0].asscalar() == 2
    for _ in range(2):
        with pytest.raises(IndexError):
            executor.forward(i=nd.array([7]))[0].asnumpy()
        with pytest.raises(IndexError):
            executor.outputs[0].asnumpy()


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("bad", [0, 1, 2])
def test_sums_of_gradients_that_lack_a_part_are_missing(bad: int, hybridize: bool) -> None:
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(2, in_units=2, use_bias=False))
    net.initialize(mx.init.One())
    if hybridize:
        net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1.0})
    index = nd.array([5.0]), nd.array([0.0])
    with autograd.record():
        losses = [
            nd.take(net(nd.array([[i + 1.0, 2.0]])), index[i != bad], axis=1, mode="raise") for i in range(3)
        ]
    autograd.backward(losses)
    with pytest.raises(IndexError):
        losses[bad].asnumpy()
    (weight,) = net.collect_params().values()
    for _ in range(2):
        with pytest.raises(IndexError):
            weight.grad().asnumpy()
    trainer.step(1)
    with pytest.raises(IndexError):
        weight.data().asnumpy()
    assert weight.data().asnumpy().tolist() == [[1, 1], [1, 1]]


def test_a_store_brings_no_weights_that_it_never_had() -> None:
    missing = nd.take(nd.array([1.0]), nd.array([3]), mode="raise")
    store = mx.kv.create("local")
    store.set_optimizer(mx.optimizer.SGD())
    store.init(0, missing)
    out = nd.array([7.0])
    store.pull(0, out=out)
    for _ in range(2):
        with pytest.raises(IndexError):
            out.asnumpy()


class Picked(gluon.HybridBlock):
    """Rows of a table, normalised, and a loss: an error for rows and classes that are not there."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.table = self.params.get("table", shape=(5, 4))
            self.scores = gluon.nn.HybridSequential()
            self.scores.add(gluon.nn.BatchNorm(axis=2), gluon.nn.Dense(3))

    def hybrid_forward(self, F: Any, rows: Any, classes: Any, table: Any) -> Any:
        return F.softmax_cross_entropy(self.scores(F.take(table, rows, mode="raise")), classes)


@pytest.mark.parametrize("kvstore", [None, "device"])
@pytest.mark.parametrize("hybridize", [None, {}, {"static_alloc": True, "static_shape": True}])
def test_a_failed_batch_leaves_what_a_block_has(
    hybridize: dict[str, bool] | None, kvstore: str | None
) -> None:
    net = Picked()
    net.initialize()
    if hybridize is not None:
        net.hybridize(**hybridize)
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.1}, kvstore=kvstore)

    def step(rows: list[list[int]]) -> Any:
        with autograd.record():
            loss = net(nd.array(rows), nd.array([0, 1]))
        loss.backward()
        trainer.step(1)
        return loss

    def values() -> dict[str, Any]:
        return {name: value.data().asnumpy() for name, value in net.collect_params().items()}

    first = step([[0, 1], [2, 3]]).asscalar()
    before = values()
    loss = step([[0, 9], [2, 3]])
    with pytest.raises(IndexError, match="9"):
        loss.asscalar()
    for name, value in values().items():
        onp.testing.assert_array_equal(value, before[name])
    assert step([[0, 1], [2, 3]]).asscalar() < first
