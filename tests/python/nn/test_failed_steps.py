"""A step that cannot be computed is told, and costs the training that step alone."""

from __future__ import annotations

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
    before = {name: value.asnumpy().copy() for name, value in net.state_dict().items()}
    for _ in range(steps):
        loss = step([0, 3])
    with pytest.raises(IndexError, match="3"):
        loss.item()
    for name, value in net.state_dict().items():
        onp.testing.assert_array_equal(value.asnumpy(), before[name])
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
    for change in (change_all, change_part, change_in_place, lambda: missing.copyto(w)):
        change()
        with pytest.raises(IndexError, match="raised again"):
            w.asnumpy()
        assert w.asnumpy().tolist() == [1, 2]
    copy = missing.copy()
    for _ in range(2):
        with pytest.raises(IndexError):
            copy.asnumpy()


def test_gradients_and_outputs_of_what_failed_are_not_those_of_the_batch_before() -> None:
    w = nd.array([1.0, 2.0])
    w.attach_grad()
    for index in (1, 5):
        with autograd.record():
            y = nd.take(w, nd.array([index]), mode="raise")
        y.backward()
    for _ in range(2):
        for value in (w.grad, y):
            with pytest.raises(IndexError):
                value.asnumpy()
    executor = sym.take(sym.var("w"), sym.var("i"), mode="raise").bind(mx.cpu(), {"w": w, "i": nd.array([1])})
    assert executor.forward()[0].asscalar() == 2
    for _ in range(2):
        with pytest.raises(IndexError):
            executor.forward(i=nd.array([7]))[0].asnumpy()
        with pytest.raises(IndexError):
            executor.outputs[0].asnumpy()


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
