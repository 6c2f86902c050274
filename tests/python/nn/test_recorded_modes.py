"""Recording beside code in MXNet's manner, and indices out of range."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

import mixgrad as mx
from mixgrad import nn, np, optim


def test_asking_changes_nothing() -> None:
    assert not mx.autograd.is_recording()
    assert nn.is_grad_enabled()
    assert not mx.autograd.is_recording()


@pytest.mark.parametrize(
    ("scopes", "inside"),
    [
        ([mx.autograd.record], True),
        ([mx.autograd.pause], False),
        ([mx.autograd.record, mx.autograd.pause], False),
        ([mx.autograd.pause, mx.autograd.record], True),
        ([mx.autograd.predict_mode], True),
        ([mx.autograd.record, mx.autograd.train_mode], True),
        ([mx.autograd.predict_mode, mx.autograd.pause], False),
    ],
)
def test_a_first_module_inside_scopes(scopes: list[Callable[[], Any]], inside: bool) -> None:
    with ExitStack() as stack:
        for scope in scopes:
            stack.enter_context(scope())
        layer = nn.Linear(2, 1)
        assert mx.autograd.is_recording() == inside
        nn.Linear(2, 1)
        assert mx.autograd.is_recording() == inside
    assert mx.autograd.is_recording() and not mx.autograd.is_training()
    layer(np.ones((1, 2))).sum().backward()
    assert layer.weight.grad.asnumpy().tolist() == [[1, 1]]
    with mx.autograd.pause():  # scopes put back what was before, as ever
        assert not mx.autograd.is_recording()
    assert mx.autograd.is_recording()


def test_scopes_without_modules_leave_nothing_behind() -> None:
    for scope in (mx.autograd.record, mx.autograd.pause, mx.autograd.train_mode):
        with scope(), scope():
            pass
        assert not mx.autograd.is_recording()
        with pytest.raises(KeyError), scope():
            raise KeyError
        assert not mx.autograd.is_recording()


def test_updaters_work_while_everything_is_recorded() -> None:
    layer = nn.Linear(1, 1)
    assert mx.autograd.is_recording()
    weight, gradient = mx.nd.ones((2,)), mx.nd.ones((2,))
    weight.attach_grad()
    updater = mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=0.5))
    updater(0, gradient, weight)
    assert weight.asnumpy().tolist() == [0.5, 0.5]
    assert mx.autograd.is_recording() and layer.weight.requires_grad


def test_generators_record_nothing_in_their_own_steps() -> None:
    seen = []

    @nn.no_grad()
    def steps() -> Iterator[int]:
        try:
            seen.append(nn.is_grad_enabled())
            yield 1
            seen.append(nn.is_grad_enabled())
            yield 2
        finally:
            seen.append(nn.is_grad_enabled())

    nn.Linear(1, 1)
    for _ in steps():
        assert nn.is_grad_enabled()
    assert seen == [False, False, False]
    cut = steps()
    next(cut)
    cut.close()
    assert seen == [False, False, False, False, False]
    assert nn.is_grad_enabled()


@pytest.mark.parametrize("target", [[0, 3], [-1, 0]])
def test_classes_out_of_range(target: list[int]) -> None:
    scores = np.zeros((2, 3))
    with pytest.raises(IndexError, match="outside an axis of extent 3"):
        nn.functional.cross_entropy(scores, np.array(target, dtype="int64")).item()


def test_ignored_classes_may_be_any_number() -> None:
    scores = np.array([[1.0, 2.0], [3.0, 4.0]])
    alone = nn.functional.cross_entropy(scores[:1], np.array([1], dtype="int64"))
    for ignored in (-100, 7):
        target = np.array([1, ignored], dtype="int64")
        loss = nn.functional.cross_entropy(scores, target, ignore_index=ignored)
        assert loss.item() == alone.item()


@pytest.mark.parametrize("index", [3, -1])
def test_rows_out_of_range(index: int) -> None:
    table = nn.Embedding(3, 2)
    with pytest.raises(IndexError, match=f"index {index} at position 1 is outside"):
        table(np.array([0, index], dtype="int64")).asnumpy()


def test_rows_get_their_gradients() -> None:
    table = nn.Embedding(3, 2)
    optimizer = optim.SGD(table.parameters(), lr=1.0)
    optimizer.zero_grad()
    table(np.array([2, 0, 2], dtype="int64")).sum().backward()
    assert table.weight.grad.asnumpy().tolist() == [[1, 1], [0, 0], [2, 2]]
