"""Arguments that are refused: errors that say who refuses what, and leave things as they were."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import gluon
from mixgrad.gluon import nn

REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: nn.Dense(1, prefix=5), r"^\[Block\] prefix is 5; expected text"),  # type: ignore[arg-type]
    (lambda: nn.Dense(1, params=5), r"^\[Block\] params is int; expected a ParameterDict"),
    (lambda: nn.Conv2D(1, 1.5), r"^\[Conv2D\] kernel_size is 1.5; expected a number, or 2"),  # type: ignore[arg-type]
    (lambda: nn.Dropout(float("nan")), r"^\[Dropout\] rate is nan; expected a share"),
    (lambda: nn.Dropout("x"), r"^\[Dropout\] rate is 'x'"),  # type: ignore[arg-type]
    (lambda: gluon.rnn.ZoneoutCell(5), r"^\[ZoneoutCell\] base_cell is int"),  # type: ignore[arg-type]
    (lambda: gluon.data.RecordFileDataset(5), r"^\[RecordFileDataset\] got int; expected a path"),  # type: ignore[arg-type]
    (lambda: gluon.data.vision.ImageFolderDataset(5), r"^\[ImageFolderDataset\] got int; expected a path"),
    (lambda: gluon.data.vision.MNIST(5), r"^\[MNIST\] got int; expected a path"),
    (lambda: gluon.data.FilterSampler(5, [1]), r"^\[FilterSampler\] fn is 5"),  # type: ignore[arg-type]
    (lambda: gluon.data.ArrayDataset([1], 5), r"^\[ArrayDataset\] array 1 is int"),
    (
        lambda: gluon.data.vision.transforms.RandomRotation((1, 2, 3)),
        r"^\[RandomRotation\] angle_limits are \(1, 2, 3\); expected two angles",
    ),
    (lambda: gluon.utils.check_sha1(5, ""), r"^\[check_sha1\] got int; expected a path"),  # type: ignore[arg-type]
    (lambda: nn.Dense(1).apply(5), r"^\[Block.apply\] fn is 5; expected a function"),  # type: ignore[arg-type]
    (lambda: nn.Dense(1).initialize(ctx="cpu"), r"^\[Parameter\] ctx is 'cpu'; expected a Context"),  # type: ignore[arg-type]
    (lambda: nn.Dense(1).initialize(ctx=[]), r"^\[Parameter\] ctx is \[\]"),
    (lambda: gluon.ParameterDict().get(5), r"^\[ParameterDict.get\] name is 5; expected text"),  # type: ignore[arg-type]
    (lambda: gluon.ParameterDict().update([1]), r"^\[ParameterDict.update\] got list"),  # type: ignore[arg-type]
    (lambda: nn.Conv2D(4, 3, groups=0), r"^\[Conv2D\] groups is 0; expected 1 to"),
    (lambda: mx.np.random.normal(size=5.5), r"^\[random\] size is 5.5; expected a number, or several"),
    (lambda: gluon.Trainer({}, "sgd", 5), r"^\[Trainer\] optimizer_params is int; expected a dict"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_refusals(number: int) -> None:
    call, message = REFUSED[number]
    with pytest.raises((TypeError, ValueError), match=message):
        call()


def test_a_dtype_that_is_none_leaves_a_parameter_as_it_was() -> None:
    net = nn.Dense(2, in_units=3)
    net.initialize()
    for change in (lambda: net.weight.cast("x"), lambda: setattr(net.weight, "dtype", "x")):
        with pytest.raises(mx.base.DTypeError, match="no dtype is called 'x'"):
            change()
        assert np.dtype(net.weight.dtype) == np.float32
    with pytest.raises(TypeError, match=r"\[Parameter.set_data\] got NoneType; expected an array"):
        net.weight.set_data(None)
    net.initialize(force_reinit=True)
    assert net(mx.nd.ones((1, 3))).shape == (1, 2)


def test_a_trainer_that_is_refused_is_nobodys() -> None:
    net = nn.Dense(2, in_units=3)
    net.initialize()
    with pytest.raises(ValueError, match="unknown optimizer 'none_such'"):
        gluon.Trainer(net.collect_params(), "none_such")
    net.weight.set_data(mx.nd.ones((2, 3)))
    assert net.weight._trainer is None
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    assert net.weight._trainer is trainer


@pytest.mark.parametrize("batch_size", [0, -1, float("nan"), None, "x"])
def test_a_batch_size_that_is_none_changes_nothing(batch_size: Any) -> None:
    net = nn.Dense(2, in_units=3)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", update_on_kvstore=False)
    before = net.weight.data().asnumpy()
    with mx.autograd.record():
        loss = net(mx.nd.ones((1, 3))).sum()
    loss.backward()
    for who in ("step", "update"):
        with pytest.raises((TypeError, ValueError), match=rf"^\[Trainer.{who}\] batch_size is"):
            getattr(trainer, who)(batch_size)
    assert np.array_equal(net.weight.data().asnumpy(), before)
    trainer.step(1)
    assert not np.array_equal(net.weight.data().asnumpy(), before)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="errors have no notes before")
@pytest.mark.parametrize(
    "mistake",
    [
        lambda F, x: x.asnumpy(),
        lambda F, x: x[:, 0],
        lambda F, x: np.tanh(x),
        lambda F, x: x.shape,
        lambda F, x: F.array([1.0]) + x,
    ],
)
def test_what_symbols_have_not_is_told_with_the_block(mistake: Any) -> None:
    class Mine(gluon.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return mistake(F, x)

    block = Mine()
    block.hybridize()
    with pytest.raises((TypeError, AttributeError, NotImplementedError)) as caught:
        block(mx.nd.ones((2, 3)))
    assert "Mine is hybridised" in "".join(caught.value.__notes__)  # type: ignore[attr-defined]


def test_a_forgotten_return_names_the_block() -> None:
    class Mine(gluon.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> None:
            x * 2

    block = Mine()
    block.hybridize()
    with pytest.raises(ValueError, match=r"\[Mine\] hybrid_forward gave None"):
        block(mx.nd.ones((2, 3)))
