"""Inputs, masks and arguments that do not fit: errors that name the layer and what it expects."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import mixgrad as mx
from mixgrad import nn, np, optim
from mixgrad.base import AutogradError, DTypeError, ShapeError

X = (3, 5)
SHAPES: list[tuple[str, Callable[[], Any], tuple[Any, ...]]] = [
    (r"[Linear] the input has the shape (3, 5); expected (..., 4)", lambda: nn.Linear(4, 2), (X,)),
    (r"[Linear] the input has the shape (5,); expected (..., 4)", lambda: nn.Linear(4, 2), ((5,),)),
    (
        "[Conv1d] the input has the shape (1, 4, 8); expected (N, 3, L) or (3, L)",
        lambda: nn.Conv1d(3, 2, 3),
        ((1, 4, 8),),
    ),
    (
        "[Conv2d] the input has the shape (1, 4, 8, 8); expected (N, 3, H, W) or (3, H, W)",
        lambda: nn.Conv2d(3, 2, 3),
        ((1, 4, 8, 8),),
    ),
    ("[Conv2d] the input has the shape (3, 5); expected (N, 3, H", lambda: nn.Conv2d(3, 2, 3), (X,)),
    (
        "[ConvTranspose3d] the input has the shape (4, 3, 3, 3); expected (N, 2, D, H, W) or (2, D, H, W)",
        lambda: nn.ConvTranspose3d(2, 2, 1),
        ((4, 3, 3, 3),),
    ),
    (
        "[RNN] the h0 has the shape (2, 1, 4); expected (1, 2, 4): num_layers * directions, batch",
        lambda: nn.RNN(3, 4, batch_first=True),
        ((2, 5, 3), (2, 1, 4)),
    ),
    (
        "[LSTM] the c0 has the shape (1, 3, 4); expected (1, 2, 4)",
        lambda: nn.LSTM(3, 4),
        ((5, 2, 3), ((1, 2, 4), (1, 3, 4))),
    ),
    (
        "[GRU] the h0 has the shape (1, 4); expected (2, 4): num_layers * directions, features",
        lambda: nn.GRU(3, 4, 2),
        ((5, 3), (1, 4)),
    ),
    ("[GRUCell] the input has the shape (3, 5); expected (..., 4)", lambda: nn.GRUCell(4, 2), (X,)),
    ("[RNNCell] the hx has the shape (1, 2); expected (3, 2)", lambda: nn.RNNCell(5, 2), (X, (1, 2))),
    (
        "[LSTMCell] the cx has the shape (1, 2); expected (3, 2)",
        lambda: nn.LSTMCell(5, 2),
        (X, ((3, 2), (1, 2))),
    ),
    ("[LayerNorm] the input has the shape (3, 5); expected (..., 4)", lambda: nn.LayerNorm(4), (X,)),
    ("[RMSNorm] the input has the shape (3, 5); expected (..., 4)", lambda: nn.RMSNorm(4), (X,)),
    ("[GroupNorm] the input has the shape (3, 5); expected (N, 4", lambda: nn.GroupNorm(2, 4), (X,)),
    ("[PReLU] the input has the shape (3, 5); expected (N, 4", lambda: nn.PReLU(4), (X,)),
    ("[Bilinear] the input2 has the shape (3, 5); expected (..., 4)", lambda: nn.Bilinear(5, 4, 2), (X, X)),
    (
        "[MultiheadAttention] the key has the shape (2, 2, 5); expected (..., 4)",
        lambda: nn.MultiheadAttention(4, 2),
        ((2, 2, 4), (2, 2, 5), (2, 2, 4)),
    ),
    (
        "[TransformerEncoderLayer] the src has the shape (2, 2, 5); expected (..., 4)",
        lambda: nn.TransformerEncoderLayer(4, 2),
        ((2, 2, 5),),
    ),
    (
        "[Linear] the input has the shape (2, 12); expected (..., 10)",
        lambda: nn.Sequential(nn.Flatten(), nn.Linear(10, 2)),
        ((2, 3, 4),),
    ),
]


def ones(shape: Any, dtype: str = "float32") -> Any:
    if isinstance(shape[0], tuple):
        return tuple(ones(one, dtype) for one in shape)
    return np.ones(shape, dtype=dtype)


@pytest.mark.parametrize("place", range(len(SHAPES)))
def test_wrong_shapes(place: int) -> None:
    text, make, shapes = SHAPES[place]
    layer, inputs = make(), [ones(one) for one in shapes]
    nets = [layer] if len(inputs) > 1 else [layer, nn.Sequential(layer), mx.jit(layer)]
    for net in nets:
        with pytest.raises(ShapeError) as caught:
            net(*inputs)
        assert str(caught.value).startswith(text)


def test_first_causes_are_kept() -> None:
    with pytest.raises(ShapeError) as caught:
        nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2), 1)(np.ones((2, 2, 5)))
    assert str(caught.value).startswith("[TransformerEncoder] the src")
    assert str(caught.value.__cause__).startswith("[FullyConnected]")


def test_keywords_and_subclasses() -> None:
    class Own(nn.Linear):
        pass

    with pytest.raises(ShapeError, match=r"^\[Own\] the input has the shape \(3, 5\)"):
        Own(4, 2)(input=np.ones(X))


DTYPES: list[tuple[Callable[[], Any], tuple[int, ...]]] = [
    (lambda: nn.Linear(2, 2), (1, 2)),
    (lambda: nn.Conv2d(1, 1, 1), (1, 1, 2, 2)),
    (lambda: nn.ConvTranspose1d(1, 1, 1), (1, 1, 2)),
    (lambda: nn.BatchNorm2d(1), (1, 1, 2, 2)),
    (lambda: nn.LayerNorm(2), (1, 2)),
    (lambda: nn.LSTM(2, 2), (1, 1, 2)),
    (lambda: nn.GRUCell(2, 2), (1, 2)),
]


@pytest.mark.parametrize("place", range(len(DTYPES)))
def test_wrong_dtypes(place: int) -> None:
    make, shape = DTYPES[place]
    for dtype, other in (("float64", " or module.double()"), ("float16", " or module.half()"), ("int64", "")):
        layer = make()
        with pytest.raises(DTypeError) as caught:
            layer(np.ones(shape, dtype=dtype))
        assert str(caught.value) == (
            f"[{type(layer).__name__}] the input is {dtype} and the module's parameters float32; "
            f"write x.astype('float32'){other}"
        )
    with pytest.raises(DTypeError, match="input is float32 and the module's parameters float64"):
        make().double()(np.ones(shape))


def test_dtypes_in_planned_graphs_and_attention() -> None:
    with pytest.raises(DTypeError, match=r"^\[Linear\] the input is float64"):
        mx.jit(nn.Linear(2, 2))(np.ones((1, 2), dtype="float64"))
    with pytest.raises(DTypeError, match=r"\[MultiheadAttention\] the query is float64"):
        nn.TransformerEncoderLayer(2, 1, 2)(np.ones((1, 1, 2), dtype="float64"))


MASKS: list[tuple[str, dict[str, tuple[int, ...]]]] = [
    (r"src_key_padding_mask has the shape \(5, 2\); expected \(2, 5\)", {"src_key_padding_mask": (5, 2)}),
    (r"src_key_padding_mask has the shape \(10,\); expected \(2, 5\)", {"src_key_padding_mask": (10,)}),
    (r"mask has the shape \(5, 1\); expected \(5, 5\)", {"mask": (5, 1)}),
    (r"mask has the shape \(4, 4\); expected \(5, 5\)", {"mask": (4, 4)}),
    (r"mask has the shape \(2, 5, 5\); expected .* or \(4, 5, 5\)", {"mask": (2, 5, 5)}),
]


@pytest.mark.parametrize("dtype", ["bool", "float32"])
@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("place", range(len(MASKS)))
def test_masks_of_wrong_shapes(place: int, first: bool, dtype: str) -> None:
    text, words = MASKS[place]
    masks = {name: np.zeros(shape, dtype=dtype) for name, shape in words.items()}
    x = np.ones((2, 5, 4) if first else (5, 2, 4))
    layer = nn.TransformerEncoderLayer(4, 2, 8, batch_first=first)
    with pytest.raises(ShapeError, match=rf"^\[TransformerEncoder\] {text}"):
        nn.TransformerEncoder(layer, 1)(x, **masks)
    of_layer = {("src_mask" if name == "mask" else name): one for name, one in masks.items()}
    with pytest.raises(ShapeError, match=r"^\[TransformerEncoderLayer\] src_"):
        layer(x, **of_layer)
    own = {("attn_mask" if name == "mask" else name[4:]): one for name, one in masks.items()}
    with pytest.raises(ShapeError, match=r"^\[MultiheadAttention\] (attn_mask|key_padding_mask) has"):
        layer.self_attn(x, x, x, **own)


def test_masks_that_fit_and_of_integers() -> None:
    attention = nn.MultiheadAttention(4, 2)
    x = np.ones((5, 2, 4))
    for shape in ((5, 5), (4, 5, 5)):
        assert attention(x, x, x, attn_mask=np.zeros(shape, dtype="bool"))[0].shape == (5, 2, 4)
    alone = np.ones((5, 4))
    assert attention(alone, alone, alone, np.zeros((5,), dtype="bool"))[0].shape == (5, 4)
    with pytest.raises(DTypeError, match="key_padding_mask is int64; expected bool"):
        attention(x, x, x, np.zeros((2, 5), dtype="int64"))


def test_backward_without_a_graph() -> None:
    frozen = nn.Linear(2, 2).requires_grad_(False)
    layer = nn.Linear(2, 2)
    with nn.no_grad():
        unrecorded = layer(np.ones((1, 2))).sum()
    for head in (frozen(np.ones((1, 2))).sum(), unrecorded, np.ones((2,))):
        with pytest.raises(AutogradError, match=r"requires_grad=True.*nn\.no_grad\(\)"):
            head.backward()
        with pytest.raises(AutogradError, match=r"requires_grad=True.*nn\.no_grad\(\)"):
            mx.autograd.backward([head])
    with pytest.raises(AutogradError, match=r"under autograd\.record\(\)"):
        mx.nd.ones((2,)).backward()


def test_gradient_is_a_name_of_out_grad() -> None:
    weight = nn.Parameter([1.0, 2.0])
    (weight * weight).backward(gradient=np.array([1.0, 10.0]))
    assert weight.grad is not None and weight.grad.asnumpy().tolist() == [2.0, 40.0]
    with pytest.raises(TypeError, match="gradient and out_grad"):
        weight.sum().backward(np.array(1.0), gradient=np.array(1.0))


def test_sharing_memory() -> None:
    net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    before = [one.asnumpy() for one in net.state_dict().values()]
    assert net.share_memory() is net
    assert all(one.is_shared() for one in [*net.parameters(), *net.buffers()])
    assert all((one.asnumpy() == old).all() for one, old in zip(net.state_dict().values(), before))
    net(np.ones((3, 2))).sum().backward()
    optim.SGD(net.parameters(), lr=0.1).step()
    assert net[0].weight.is_shared()
    with pytest.raises(ValueError, match=r"\[LazyLinear.share_memory\] a layer has no weights yet"):
        nn.LazyLinear(2).share_memory()


def test_emptied_on_a_device() -> None:
    net = nn.Linear(2, 3)
    weight = net.weight
    assert net.to_empty(device="cpu:1") is net
    assert net.weight is weight and weight.context == mx.cpu(1) and weight.shape == (3, 2)


def sgd() -> Any:
    return optim.SGD([nn.Parameter([1.0])], lr=0.1)


CALLS: list[tuple[str, Callable[[], Any]]] = [
    (r"^\[Conv2d\] no argument is called 'kernel'; nearest: kernel_size", lambda: nn.Conv2d(1, 2, kernel=3)),
    (r"^\[Dropout\] no argument is called 'rate': it is p", lambda: nn.Dropout(rate=0.5)),
    (r"^\[Conv2d\] missing a required argument: 'out_channels'", lambda: nn.Conv2d(1)),
    (r"^\[SGD\] no argument is called 'learning_rate': it is lr", lambda: optim.SGD([], learning_rate=1)),
    (
        r"^\[StepLR\] no argument is called 'stepsize'; nearest: step_size",
        lambda: optim.lr_scheduler.StepLR(sgd(), stepsize=1),
    ),
    (
        r"^\[ReduceLROnPlateau\] no argument is called 'patienc'; nearest: patience",
        lambda: optim.lr_scheduler.ReduceLROnPlateau(sgd(), patienc=1),
    ),
]


@pytest.mark.parametrize("place", range(len(CALLS)))
def test_arguments_that_classes_lack(place: int) -> None:
    text, call = CALLS[place]
    with pytest.raises(TypeError, match=text):
        call()


def test_copies_and_pickles_pass_by_the_check() -> None:
    for one in (nn.Conv2d(1, 2, 3), optim.lr_scheduler.StepLR(sgd(), 2)):
        assert type(copy.deepcopy(one)) is type(one) is type(pickle.loads(pickle.dumps(one)))


def test_attributes_name_the_nearest() -> None:
    net = nn.Sequential(nn.Linear(1, 1))
    with pytest.raises(AttributeError, match=r"\[Linear\] there is no 'wieght'; nearest: weight"):
        net[0].wieght  # noqa: B018
    assert not hasattr(net, "weight")


REFUSED: list[tuple[str, Callable[[], Any]]] = [
    (r"\[Conv2d\] padding is 'sam'; expected 'same', 'valid'", lambda: nn.Conv2d(1, 1, 1, padding="sam")),
    (r"\[Conv1d\] padding is 'same' and stride 2", lambda: nn.Conv1d(1, 1, 1, 2, padding="same")),
    (r"\[Conv2d\] kernel_size is \(3,\); expected 2 numbers", lambda: nn.Conv2d(1, 1, (3,))),
    (r"\[AdaptiveMaxPool1d\] return_indices", lambda: nn.AdaptiveMaxPool1d(2, return_indices=True)),
    (r"\[MaxPool1d\] dilation is 2", lambda: nn.MaxPool1d(2, dilation=2)),
    (r"\[DataParallel\] the device is gpu\(1000\)", lambda: nn.DataParallel(nn.Linear(1, 1), [1000])),
    (r"a device is 'tpu:0'; expected", lambda: nn.DataParallel(nn.Linear(1, 1), ["tpu:0"])),
]


@pytest.mark.parametrize("place", range(len(REFUSED)))
def test_arguments_are_checked_when_layers_are_made(place: int) -> None:
    text, call = REFUSED[place]
    with pytest.raises((ValueError, NotImplementedError), match=text):
        call()


def test_devices_as_text() -> None:
    net = nn.DataParallel(nn.Linear(2, 1), ["cpu:0", "cpu:1"], output_device="cpu:1")
    assert net.device_ids == [mx.cpu(0), mx.cpu(1)]
    assert net(np.ones((4, 2))).context == mx.cpu(1)
