"""Shapes that follow from the parameters of recurrent layers."""

from __future__ import annotations

import numpy as np
import pytest

import mixgrad as mx

GATES = {"rnn_relu": 1, "rnn_tanh": 1, "gru": 3, "lstm": 4}


def layers(mode: str, layers: int, directions: int) -> mx.sym.Symbol:
    rows = 5 * GATES[mode]
    weights, biases = [], []
    for layer in range(layers):
        for side in range(directions):
            name = f"{layer}{side}"
            features = 0 if layer == 0 else 5 * directions
            weights.append(mx.sym.var("i2h_weight" + name, shape=(rows, features)))
            weights.append(mx.sym.var("h2h_weight" + name, shape=(rows, 5)))
            biases += [mx.sym.var(f"{what}_bias{name}", shape=(rows,)) for what in ("i2h", "h2h")]
    parameters = mx.sym._internal._rnn_param_concat(*[p.reshape((-1,)) for p in weights + biases], dim=0)
    states = [mx.sym.var("h")] + ([mx.sym.var("c")] if mode == "lstm" else [])
    return mx.sym.RNN(
        mx.sym.var("data"),
        parameters,
        *states,
        state_size=5,
        num_layers=layers,
        bidirectional=directions == 2,
        mode=mode,
    )


@pytest.mark.parametrize("directions", [1, 2])
@pytest.mark.parametrize("mode", GATES)
def test_features_follow_from_data(mode: str, directions: int) -> None:
    net = layers(mode, 2, directions)
    shapes, outputs, _ = net.infer_shape(data=(3, 2, 7))
    known = dict(zip(net.list_arguments(), shapes))
    for side in range(directions):
        assert known[f"i2h_weight0{side}"] == (5 * GATES[mode], 7)
        assert known[f"i2h_weight1{side}"] == (5 * GATES[mode], 5 * directions)
    assert outputs == [(3, 2, 5 * directions)]


def test_layer_runs() -> None:
    net = layers("lstm", 1, 1)
    run = net.simple_bind(mx.cpu(), data=(3, 2, 7))
    for array in run.arg_arrays:
        array[:] = mx.nd.random.uniform(-0.5, 0.5, array.shape)
    run.forward(is_train=True)
    run.backward(mx.nd.ones((3, 2, 5)))
    assert np.abs(run.grad_dict["i2h_weight00"].asnumpy()).min() > 0


def test_features_that_do_not_fit() -> None:
    net = mx.sym.reshape(mx.sym.var("x", shape=(4, 0)), shape=(-1,)) + mx.sym.var("y", shape=(7,))
    with pytest.raises(ValueError, match="multiples of 4"):
        net.infer_shape()
