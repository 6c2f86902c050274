"""Errors of layers whose data do not fit: the layer, what arrived and what was expected."""

from __future__ import annotations

import re
from typing import Any

import pytest

import mixgrad as mx
from mixgrad.gluon import nn, rnn

# A layer, the shape of its data, what the message says.
MISFITS: dict[str, tuple[Any, tuple[int, ...], str]] = {
    "dense": (lambda: nn.Dense(3, in_units=4, prefix="a_"), (2, 5), "[Dense 'a'] {}; expected (batch, 4)"),
    "dense of the last axis": (
        lambda: nn.Dense(3, in_units=4, flatten=False, prefix="a_"),
        (2, 4, 5),
        "[Dense 'a'] {}; expected (..., 4)",
    ),
    "dense without a batch": (
        lambda: nn.Dense(3, in_units=4, prefix="a_"),
        (4,),
        "[Dense 'a'] {}; expected (batch, 4)",
    ),
    "convolution": (
        lambda: nn.Conv2D(4, 3, groups=2, in_channels=6, prefix="a_"),
        (1, 3, 8, 8),
        "[Conv2D 'a'] {}; expected (N, 6, H, W), as layout='NCHW'",
    ),
    "convolution that waits": (
        lambda: nn.Conv2D(4, 3, prefix="a_"),
        (3, 8, 8),
        "[Conv2D 'a'] {}; expected (N, C, H, W), as layout='NCHW'",
    ),
    "transposed": (
        lambda: nn.Conv1DTranspose(4, 3, in_channels=3, prefix="a_"),
        (1, 6, 8),
        "[Conv1DTranspose 'a'] {}; expected (N, 3, W), as layout='NCW'",
    ),
    "pooling": (
        lambda: nn.MaxPool2D(2, prefix="a_"),
        (3, 8, 8),
        "[MaxPool2D 'a'] {}; expected (N, C, H, W), as layout='NCHW'",
    ),
    "norm": (lambda: nn.BatchNorm(in_channels=4, prefix="a_"), (2, 3), "{}; expected 4 along axis 1"),
    "layers of steps": (
        lambda: rnn.LSTM(3, layout="NTC", input_size=4, prefix="a_"),
        (2, 6, 5),
        "[LSTM 'a'] {}; expected (N, T, 4), as layout='NTC'",
    ),
}


@pytest.mark.parametrize("hybrid", [False, True])
@pytest.mark.parametrize("case", MISFITS)
def test_the_layer_says_what_it_expects(case: str, hybrid: bool) -> None:
    make, shape, text = MISFITS[case]
    net = nn.HybridSequential(prefix="")
    net.add(nn.Activation("relu"), make())
    net.initialize()
    net.hybridize(hybrid)
    message = text.format(f"the data has the shape {shape}")
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        net(mx.nd.ones(shape))
    assert isinstance(caught.value, mx.MXNetError) and caught.value.__cause__ is not None


@pytest.mark.parametrize("hybrid", [False, True])
def test_the_inner_layer_is_named(hybrid: bool) -> None:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2D(3, 3), nn.Dense(5), nn.Dense(2, in_units=4))
    net.initialize()
    net.hybridize(hybrid)
    with pytest.raises(mx.MXNetError, match=r"\[Dense 'net_dense1'\] the data has the shape \(2, 5\)"):
        net(mx.nd.ones((2, 3, 8, 8)))
    net = nn.HybridSequential()
    net.add(nn.Dense(5, in_units=3))
    net.initialize()
    net.hybridize(hybrid)
    with pytest.raises(TypeError, match=r"the data is int32 .*parameters float32; write x\.astype"):
        net(mx.nd.ones((2, 3), dtype="int32"))


@pytest.mark.parametrize("hybrid", [False, True])
def test_states_are_not_taken_for_data(hybrid: bool) -> None:
    cell = rnn.LSTMCell(3, input_size=4, prefix="a_")
    cell.initialize()
    cell.hybridize(hybrid)
    x, state = mx.nd.ones((2, 4)), mx.nd.ones((2, 3))
    with pytest.raises(mx.MXNetError, match=r"\[LSTMCell 'a'\] the data has the shape \(2, 5\)"):
        cell(mx.nd.ones((2, 5)), [state, state])
    cell.hybridize(hybrid)
    for wrong in (mx.nd.ones((3, 3)), mx.nd.ones((2, 7))):
        with pytest.raises(mx.MXNetError, match=r"(?s)^((?!the data has).)*$"):
            cell(x, [wrong, state])


def test_layers_of_ones_own_keep_their_errors() -> None:
    class Other(nn.Dense):
        def hybrid_forward(self, F: Any, x: Any, weight: Any, bias: Any = None) -> Any:
            return F.FullyConnected(x, F.concat(weight, weight, dim=1), bias, num_hidden=self._units)

    layer = Other(3, in_units=4)
    layer.initialize()
    assert layer(mx.nd.ones((2, 8))).shape == (2, 3)
    with pytest.raises(mx.MXNetError, match=r"\[FullyConnected\] weight has shape \(3, 8\)"):
        layer(mx.nd.ones((2, 5)))
