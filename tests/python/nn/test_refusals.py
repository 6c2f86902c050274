"""Wrong arguments of layers, losses, optimisers and schedules: errors that say what was expected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as onp
import pytest

import mixgrad as mx
from mixgrad import nn, np, optim

F = nn.functional
LABELS = [1, 0]


def labels() -> Any:
    return np.array(LABELS, dtype="int32")


CALLS: list[tuple[str, Callable[[], Any]]] = [
    ("expected a tuple of state and memory", lambda: nn.LSTMCell(3, 4)(np.ones((2, 3)), np.ones((2, 4)))),
    ("expected a multiple of 0", lambda: nn.GroupNorm(0, 4)),
    ("expected a multiple of 0 heads", lambda: nn.MultiheadAttention(4, 0)),
    ("extents of at least 1", lambda: nn.AdaptiveAvgPool2d(0)(np.ones((1, 1, 4, 4)))),
    ("extents of at least 1", lambda: nn.AdaptiveAvgPool2d(2)(np.ones((1, 1, 0, 4)))),
    ("a factor of at least 1", lambda: nn.PixelShuffle(0)(np.ones((1, 4, 2, 2)))),
    ("expected multiples of 0", lambda: nn.PixelUnshuffle(0)(np.ones((1, 4, 2, 2)))),
    ("expected one that is there", lambda: nn.Flatten(9)(np.ones((2, 3)))),
    ("expected 2 numbers above 0", lambda: F.interpolate(np.ones((1, 1, 4, 4)), scale_factor=-2)),
    ("expected 2 numbers above 0", lambda: F.interpolate(np.ones((1, 1, 4, 4)), scale_factor=float("nan"))),
    ("expected 2 numbers above 0", lambda: F.interpolate(np.ones((1, 1, 4, 4)), scale_factor=(2.0,))),
    ("expected 2 extents of at least 1", lambda: F.interpolate(np.ones((1, 1, 4, 4)), size=(0, 2))),
    ("expected 2 extents of at least 1", lambda: F.interpolate(np.ones((1, 1, 4, 4)), size=(2,))),
    (r"expected \(3,\)", lambda: F.cross_entropy(np.ones((2, 3)), labels(), np.ones((9,)))),
    (r"expected \(3,\)", lambda: F.nll_loss(np.ones((2, 3)), labels(), np.ones((2,)))),
    (r"expected \(3,\)", lambda: F.multi_margin_loss(np.ones((2, 3)), labels(), weight=np.ones((2,)))),
    ("expected a share", lambda: F.cross_entropy(np.ones((2, 3)), labels(), label_smoothing=5)),
    ("expected 1 or 2", lambda: F.multi_margin_loss(np.ones((2, 3)), labels(), p=3)),
    (r"expected \(1,\)", lambda: F.binary_cross_entropy(np.ones((1,)), np.ones((2,)))),
    (r"expected \(2, 1\)", lambda: F.binary_cross_entropy_with_logits(np.ones((2, 1)), np.ones((2,)))),
    ("expected at least 0", lambda: F.smooth_l1_loss(np.ones((2,)), np.ones((2,)), beta=-1)),
    ("expected more than 0", lambda: F.huber_loss(np.ones((2,)), np.ones((2,)), delta=0)),
    ("expected a norm of at least 0", lambda: nn.utils.clip_grad_norm_([], float("nan"))),
    ("of a kind above 0", lambda: nn.utils.clip_grad_norm_([], 1.0, norm_type=0)),
    ("expected at least 0", lambda: nn.utils.clip_grad_value_([], -1)),
]


@pytest.mark.parametrize("place", range(len(CALLS)))
def test_layers_and_losses(place: int) -> None:
    text, call = CALLS[place]
    with pytest.raises((ValueError, TypeError), match=text):
        call()


LAYERS: dict[str, tuple[Any, ...]] = {
    "Linear": (2, 3),
    "Conv2d": (1, 1, 1),
    "BatchNorm1d": (2,),
    "LayerNorm": (2,),
    "Embedding": (3, 2),
    "LSTM": (2, 2),
    "Dropout": (),
    "MaxPool2d": (2,),
    "ReLU": (),
    "Softmax": (1,),
    "GRUCell": (2, 2),
    "TransformerEncoderLayer": (4, 2, 8),
}


@pytest.mark.parametrize("name", LAYERS)
def test_arguments_that_are_no_arrays(name: str) -> None:
    layer = getattr(nn, name)(*LAYERS[name])
    hooked = getattr(nn, name)(*LAYERS[name])
    hooked.register_forward_hook(lambda module, args, output: None)
    for net in (layer, hooked, nn.Sequential(layer)):
        for wrong, kind in (
            ([1, 2], "list"),
            (onp.ones((1, 2, 2), "float32"), r"numpy\.ndarray"),
            (3, "int"),
        ):
            text = rf"^\[{name}\] input 0 is {kind}; expected an array, which mx.np.array makes of it$"
            with pytest.raises(TypeError, match=text) as caught:
                net(wrong)
            assert caught.value.__cause__ is not None
        with pytest.raises(TypeError, match=rf"\[{name}\] input 0 is NoneType; expected an array$"):
            net(None)


def test_errors_of_ones_own_modules_stay() -> None:
    class Net(nn.Module):
        def forward(self, words: list[int]) -> Any:
            return words.absent  # type: ignore[attr-defined]

    with pytest.raises(AttributeError, match="no attribute 'absent'"):
        Net()([1, 2])


def test_targets_that_are_no_arrays() -> None:
    for loss in (nn.CrossEntropyLoss(), nn.BCELoss(), nn.NLLLoss()):
        with pytest.raises(TypeError, match=rf"\[{type(loss).__name__}\] input 1 is list; expected an array"):
            loss(np.ones((2, 2)), [0, 1])
    with pytest.raises(TypeError, match=r"\[loss\] got numpy\.ndarray; expected an array, which mx.np.array"):
        F.mse_loss(onp.ones(2), np.ones((2,)))


WRITES: list[Callable[[Any], Any]] = [
    lambda weight: weight.__isub__(0.1),
    lambda weight: weight.__setitem__(slice(None), 0),
    lambda weight: np.add(weight, 1, out=weight),
    lambda weight: weight.zero_(),
    lambda weight: weight.normal_(),
]


@pytest.mark.parametrize("place", range(len(WRITES)))
def test_writing_into_parameters(place: int) -> None:
    layer = nn.Linear(2, 1)
    with pytest.raises(RuntimeError, match=r"do it inside nn\.no_grad\(\)"):
        WRITES[place](layer.weight)
    with nn.no_grad():
        WRITES[place](layer.weight)


def sgd() -> Any:
    return optim.SGD([nn.Parameter([1.0])], lr=0.1)


def loading(state: Any) -> None:
    sgd().load_state_dict(state)


schedules = optim.lr_scheduler
OPTIMISERS: list[tuple[str, Callable[[], Any]]] = [
    ("expected a number", lambda: optim.SGD([nn.Parameter([1.0])], lr="fast")),  # type: ignore[arg-type]
    ("expected 'params'", lambda: optim.SGD([{"param": nn.Parameter([1.0])}], lr=0.1)),
    ("lr is -3; expected at least 0", lambda: optim.SGD([{"params": nn.Parameter([1.0]), "lr": -3}])),
    ("expected a number", lambda: optim.SGD([{"params": nn.Parameter([1.0]), "weight_decay": None}])),
    ("dictionaries only", lambda: optim.SGD([{"params": nn.Parameter([1.0])}, nn.Parameter([1.0])])),
    ("expected a dictionary with 'state'", lambda: loading({})),
    ("expected a dictionary with 'state'", lambda: loading(None)),
    ("step_size is 0; expected", lambda: schedules.StepLR(sgd(), 0)),
    ("step_size is -1; expected", lambda: schedules.StepLR(sgd(), -1)),
    ("total_iters is 0; expected", lambda: schedules.LinearLR(sgd(), total_iters=0)),
    ("total_iters is 0; expected", lambda: schedules.PolynomialLR(sgd(), total_iters=0)),
    ("T_max is 0; expected", lambda: schedules.CosineAnnealingLR(sgd(), 0)),
    ("T_0 is 0; expected", lambda: schedules.CosineAnnealingWarmRestarts(sgd(), 0)),
    ("T_mult is 0; expected", lambda: schedules.CosineAnnealingWarmRestarts(sgd(), 1, T_mult=0)),
    (
        "expected schedules of the same",
        lambda: schedules.SequentialLR(sgd(), [schedules.StepLR(sgd(), 1)], []),
    ),
    ("expected mx.optim.Optimizer", lambda: schedules.ReduceLROnPlateau(None)),  # type: ignore[arg-type]
    ("expected at least 0 and less than 1", lambda: schedules.ReduceLROnPlateau(sgd(), factor=-1)),
    ("2 min_lr for 1 groups", lambda: schedules.ReduceLROnPlateau(sgd(), min_lr=[0.1, 0.2])),
]


@pytest.mark.parametrize("place", range(len(OPTIMISERS)))
def test_optimisers_and_schedules(place: int) -> None:
    text, call = OPTIMISERS[place]
    with pytest.raises((ValueError, TypeError), match=text):
        call()


def test_late_epochs_of_warm_restarts() -> None:
    schedule = schedules.CosineAnnealingWarmRestarts(sgd(), 4)
    schedule.step(10**15 + 2)
    assert schedule.get_last_lr() == pytest.approx([0.05])


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_gradcheck_of_what_is_not_finite(value: float) -> None:
    x = nn.Parameter(np.array([value], dtype="float64"))
    assert not nn.gradcheck(lambda x: x * 2, x, raise_exception=False)
    y = nn.Parameter(np.array([1.0], dtype="float64"))
    assert not nn.gradcheck(lambda y: y * value, y, raise_exception=False)


def test_arguments_of_gradcheck() -> None:
    x = nn.Parameter(np.array([1.0], dtype="float64"))
    for words in ({"eps": 0.0}, {"eps": float("nan")}, {"atol": float("nan")}, {"rtol": -1.0}):
        with pytest.raises(mx.base.InvalidArgumentError, match="expected"):
            nn.gradcheck(lambda x: x * 2, x, **words)
    with pytest.raises(TypeError, match="expected an NDArray"):
        nn.gradcheck(lambda x: None, x)
