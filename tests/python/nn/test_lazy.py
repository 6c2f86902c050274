"""Layers that learn their extents from the first input: as in PyTorch, and the same layers from then on."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import mixgrad as mx
from mixgrad import nn, np, optim
from mixgrad.base import InvalidArgumentError

OF_NORMS = "eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True"
# The layer, the shape of its input, PyTorch's repr before and after, and the shape of the weight.
CASES: dict[str, tuple[str, tuple[int, ...], str, str, tuple[int, ...]]] = {
    "LazyLinear": (
        "nn.LazyLinear(3, bias=False)",
        (2, 5),
        "LazyLinear(in_features=0, out_features=3, bias=False)",
        "Linear(in_features=5, out_features=3, bias=False)",
        (3, 5),
    ),
    "LazyConv1d": (
        "nn.LazyConv1d(4, 3, padding=1)",
        (2, 6, 5),
        "LazyConv1d(0, 4, kernel_size=(3,), stride=(1,), padding=(1,))",
        "Conv1d(6, 4, kernel_size=(3,), stride=(1,), padding=(1,))",
        (4, 6, 3),
    ),
    "LazyConv2d": (
        "nn.LazyConv2d(4, 3, groups=2)",
        (2, 6, 5, 5),
        "LazyConv2d(0, 4, kernel_size=(3, 3), stride=(1, 1), groups=2)",
        "Conv2d(6, 4, kernel_size=(3, 3), stride=(1, 1), groups=2)",
        (4, 3, 3, 3),
    ),
    "LazyConv3d": (
        "nn.LazyConv3d(4, 2)",
        (1, 3, 4, 4, 4),
        "LazyConv3d(0, 4, kernel_size=(2, 2, 2), stride=(1, 1, 1))",
        "Conv3d(3, 4, kernel_size=(2, 2, 2), stride=(1, 1, 1))",
        (4, 3, 2, 2, 2),
    ),
    "LazyConvTranspose1d": (
        "nn.LazyConvTranspose1d(4, 2)",
        (1, 3, 4),
        "LazyConvTranspose1d(0, 4, kernel_size=(2,), stride=(1,))",
        "ConvTranspose1d(3, 4, kernel_size=(2,), stride=(1,))",
        (3, 4, 2),
    ),
    "LazyConvTranspose2d": (
        "nn.LazyConvTranspose2d(4, 2, groups=2)",
        (1, 6, 4, 4),
        "LazyConvTranspose2d(0, 4, kernel_size=(2, 2), stride=(1, 1), groups=2)",
        "ConvTranspose2d(6, 4, kernel_size=(2, 2), stride=(1, 1), groups=2)",
        (6, 2, 2, 2),
    ),
    "LazyConvTranspose3d": (
        "nn.LazyConvTranspose3d(4, 2)",
        (1, 3, 4, 4, 4),
        "LazyConvTranspose3d(0, 4, kernel_size=(2, 2, 2), stride=(1, 1, 1))",
        "ConvTranspose3d(3, 4, kernel_size=(2, 2, 2), stride=(1, 1, 1))",
        (3, 4, 2, 2, 2),
    ),
    **{
        f"LazyBatchNorm{axes}d": (
            f"nn.LazyBatchNorm{axes}d()",
            (2, 3, *(4,) * axes),
            f"LazyBatchNorm{axes}d(0, {OF_NORMS})",
            f"BatchNorm{axes}d(3, {OF_NORMS})",
            (3,),
        )
        for axes in (1, 2, 3)
    },
    **{
        f"LazyInstanceNorm{axes}d": (
            f"nn.LazyInstanceNorm{axes}d()",
            (2, 3, *(4,) * axes),
            f"LazyInstanceNorm{axes}d(0, {OF_NORMS})",
            f"InstanceNorm{axes}d(3, {OF_NORMS})",
            (3,),
        )
        for axes in (1, 2, 3)
    },
}


@pytest.mark.parametrize("name", CASES)
def test_lazy_layer(name: str) -> None:
    source, shape, before, after, of_weight = CASES[name]
    layer = eval(source, {"nn": nn})
    parameters = list(layer.parameters())
    assert repr(layer) == before and type(layer).__name__ == name
    twin = copy.deepcopy(layer).double()
    seen: list[Any] = []
    layer.register_forward_hook(lambda module, args, output: seen.append(module))
    sgd = optim.SGD(layer.parameters(), lr=0.1)
    x = np.random.normal(size=shape)
    layer(x).sum().backward()
    assert repr(layer) == after and seen == [layer] and layer.weight.shape == of_weight
    assert [id(one) for one in layer.parameters()] == [id(one) for one in parameters]
    assert all(type(one) is nn.Parameter and one.grad is not None for one in parameters)
    start = layer.weight.asnumpy()
    assert "Norm" in name or start.std() > 0.05
    sgd.step()
    assert "Norm" in name or abs(layer.weight.asnumpy() - start).max() > 0
    # Files of the usual layer fit before the first call, which changes nothing of them then.
    twin.load_state_dict(layer.state_dict())
    twin.eval()(x.astype("float64"))
    assert repr(twin) == after and str(twin.weight.dtype) == "float64"
    for key, value in layer.state_dict().items():
        assert (twin.state_dict()[key].asnumpy() == value.asnumpy()).all(), key


def test_lazy_networks_of_layers() -> None:
    net = nn.Sequential(nn.LazyConv2d(4, 3), nn.LazyBatchNorm2d(), nn.ReLU(), nn.Flatten(), nn.LazyLinear(2))
    usual = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(36, 2))
    net.load_state_dict(usual.state_dict(), assign=True)
    x = np.random.normal(size=(3, 1, 5, 5))
    assert abs(net(x) - usual(x)).max().item() < 1e-6
    assert repr(net) == repr(usual)
    assert abs(mx.jit(net.eval())(x) - net(x)).max().item() < 1e-5


def test_values_are_drawn_for_the_extents_of_the_input() -> None:
    layer = nn.LazyLinear(1000)
    layer.reset_parameters()
    layer(np.ones((1, 4)))
    for one in (layer.weight, layer.bias):
        assert 0.45 < abs(one).max().item() <= 0.5  # the inverse root of 4
    assert repr(nn.LazyLinear(2).weight) == "<UninitializedParameter>"


@pytest.mark.parametrize("axes", [1, 2, 3])
def test_lazy_normalisation_of_one_sample(axes: int) -> None:
    layer = getattr(nn, f"LazyInstanceNorm{axes}d")()
    assert layer(np.random.normal(size=(3, *(4,) * axes))).shape == (3, *(4,) * axes)
    assert layer.num_features == 3


def test_lazy_layers_that_cannot_learn() -> None:
    for wrong in ([1, 2], None):
        with pytest.raises(TypeError, match=r"\[LazyLinear\] input 0 is .*; expected an array"):
            nn.LazyLinear(2)(wrong)
    with pytest.raises(InvalidArgumentError, match=r"\[LazyConv1d\] 3 channels, which 2 groups"):
        nn.LazyConv1d(4, 1, groups=2)(np.ones((1, 3, 2)))
    with pytest.raises(InvalidArgumentError, match=r"once before mx\.jit"):
        mx.jit(nn.LazyLinear(2))(np.ones((1, 3)))
    with pytest.raises(ValueError, match="expected 2 or 3 axes"):
        nn.LazyBatchNorm1d()(np.ones((1, 2, 3, 4)))
    with pytest.raises(InvalidArgumentError, match=r"shape \(0,\)"):
        nn.Linear(2, 3).load_state_dict(nn.LazyLinear(3).state_dict())
