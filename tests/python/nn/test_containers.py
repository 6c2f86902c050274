"""Containers of modules and of parameters."""

from __future__ import annotations

import pytest

import mixgrad as mx
from mixgrad import nn


def test_sequential() -> None:
    net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
    assert len(net) == 3 and isinstance(net[-1], nn.Linear) and list(net)[1] is net[1]
    assert [name for name, _ in net[1:].named_children()] == ["1", "2"]
    net[1] = nn.Tanh()
    assert isinstance(net[1], nn.Tanh)
    del net[1]
    assert list(net._modules) == ["0", "1"] and net[1] is getattr(net, "1")
    net.append(nn.Sigmoid()).insert(1, nn.ReLU())
    assert [type(one).__name__ for one in net] == ["Linear", "ReLU", "Linear", "Sigmoid"]
    assert isinstance(net.pop(), nn.Sigmoid) and len(net) == 3
    named = nn.Sequential({"a": nn.Linear(2, 3), "b": nn.ReLU()})
    assert named.a is named[0] and named(mx.np.ones((1, 2))).shape == (1, 3)
    with pytest.raises(IndexError, match="index 5; there are 2 modules"):
        named[5]


def test_module_list() -> None:
    layers = nn.ModuleList(nn.Linear(2, 2) for _ in range(3))
    layers += [nn.ReLU()]
    assert len(layers) == 4 and len(list(layers.parameters())) == 6
    assert isinstance(layers[:2], nn.ModuleList) and layers[:2][1] is layers[1]
    assert repr(layers) == (
        "ModuleList(\n  (0-2): 3 x Linear(in_features=2, out_features=2, bias=True)\n  (3): ReLU()\n)"
    )
    assert repr(nn.ModuleList()) == "ModuleList()"
    with pytest.raises(TypeError, match="the module '4' is a int"):
        layers.append(3)  # type: ignore[arg-type]


def test_module_dict() -> None:
    layers = nn.ModuleDict({"a": nn.Linear(2, 2), "b": nn.ReLU()})
    assert list(layers) == ["a", "b"] and "a" in layers and len(layers) == 2
    assert isinstance(layers.pop("b"), nn.ReLU) and list(layers.keys()) == ["a"]
    assert [name for name, _ in layers.named_parameters()] == ["a.weight", "a.bias"]
    assert list(dict(layers.items())) == ["a"] and list(layers.values()) == [layers["a"]]


def test_lists_of_parameters() -> None:
    values = nn.ParameterList([nn.Parameter([1.0]), mx.np.ones((2, 3))])
    values.append([3.0])
    assert len(values) == 3 and all(isinstance(one, nn.Parameter) for one in values)
    values[0] = [5.0]
    assert values[0].item() == 5 and list(values.state_dict()) == ["0", "1", "2"]
    assert "(1): Parameter containing: [float32 of shape (2, 3)]" in repr(values)
    named = nn.ParameterDict({"a": [1.0], "b": nn.Parameter([2.0])})
    assert list(named) == ["a", "b"] and named["b"].item() == 2
    del named["a"]
    assert list(named.state_dict()) == ["b"] and "a" not in named
