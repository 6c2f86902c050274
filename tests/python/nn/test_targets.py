"""Targets of losses: classes of floats, and shapes that are broadcast."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest

import mixgrad as mx
from mixgrad import nn, np
from mixgrad.base import InvalidArgumentError
from mixgrad.nn.functional import loss

F = nn.functional
SCORES = [[1.0, 2.0, 0.5], [0.0, -1.0, 3.0]]
OF_CLASSES: dict[str, Callable[[Any], Any]] = {
    "cross_entropy": lambda target: F.cross_entropy(np.array(SCORES), target),
    "smoothed": lambda target: F.cross_entropy(np.array(SCORES), target, label_smoothing=0.1),
    "nll_loss": lambda target: F.nll_loss(np.array(SCORES), target),
    "CrossEntropyLoss": lambda target: nn.CrossEntropyLoss(ignore_index=2)(np.array(SCORES), target),
    "multi_margin_loss": lambda target: F.multi_margin_loss(np.array(SCORES), target),
    "embedding": lambda target: F.embedding(target, np.array(SCORES).T),
}


@pytest.mark.parametrize("what", OF_CLASSES)
def test_classes_of_floats(what: str) -> None:
    call = OF_CLASSES[what]
    wanted = call(np.array([0, 2], dtype="int64")).asnumpy()
    for dtype in ("float32", "float64", "float16", "bfloat16", "uint8"):
        assert (call(np.array([0, 2], dtype=dtype)).asnumpy() == wanted).all()
    for wrong in (0.5, float("nan")):
        with pytest.raises(InvalidArgumentError, match=rf"shape \(2,\) has the fraction {wrong}.*int64"):
            call(np.array([0, wrong]))
        with pytest.raises(InvalidArgumentError, match="fraction"):
            call(mx.nd.array([0, wrong]))


def test_classes_of_planned_graphs() -> None:
    class Net(nn.Module):
        def forward(self, x: Any, target: Any) -> Any:
            return F.cross_entropy(x, target)

    x, target = np.array(SCORES), np.array([0, 2])
    assert abs((mx.jit(Net())(x, target) - Net()(x, target)).item()) < 1e-6


COMPARED = {
    "mse_loss": (nn.MSELoss, 4 * 4),
    "l1_loss": (nn.L1Loss, 4 * 4),
    "smooth_l1_loss": (nn.SmoothL1Loss, 4 * 4),
    "huber_loss": (nn.HuberLoss, 4 * 4),
}


@pytest.mark.parametrize("name", COMPARED)
def test_broadcast_targets_are_told_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loss, "_told", set())
    make, count = COMPARED[name]
    input, target = np.zeros((4, 1)), np.ones((4,))
    with pytest.warns(UserWarning, match=rf"\[{name}\] input \(4, 1\) and target \(4,\) .*{count} .*reshape"):
        summed = make(reduction="sum")(input, target)
    assert summed.item() == count * make()(np.zeros((1,)), np.ones((1,))).item()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        make()(input, target)
        make()(input, np.ones((4, 1)))
        make()(input, 1.0)
    with pytest.warns(UserWarning, match=r"\(4, 3\)") as told:
        make()(np.ones((4, 3)), np.ones((3,)))
    assert "reshape" not in str(told[0].message)
    with pytest.raises(ValueError, match="3"):
        make()(np.ones((4, 3)), np.ones((2,)))
