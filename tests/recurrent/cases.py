"""Recurrent layers and cells of gluon on parameters that follow from names, in either library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from models.cases import value

STEPS, BATCH, INPUTS = 5, 3, 4
LENGTHS = [5, 2, 4]


def _stack(gluon: Any) -> Any:
    stack = gluon.rnn.SequentialRNNCell()
    stack.add(gluon.rnn.LSTMCell(5))
    stack.add(gluon.rnn.ResidualCell(gluon.rnn.RNNCell(5)))
    stack.add(gluon.rnn.GRUCell(3))
    return stack


# A layer of a library, whether it is a cell, the shape of a step's input, and whether lengths are given.
CASES: dict[str, tuple[Callable[[Any], Any], bool, tuple[int, ...], bool]] = {
    "rnn relu": (lambda g: g.rnn.RNN(6, 2), False, (INPUTS,), False),
    "rnn tanh, NTC": (lambda g: g.rnn.RNN(6, activation="tanh", layout="NTC"), False, (INPUTS,), False),
    "lstm": (lambda g: g.rnn.LSTM(6, 2, bidirectional=True), False, (INPUTS,), False),
    "gru, NTC": (lambda g: g.rnn.GRU(6, 3, layout="NTC", bidirectional=True), False, (INPUTS,), False),
    "rnn cell": (lambda g: g.rnn.RNNCell(6, activation="relu"), True, (INPUTS,), False),
    "lstm cell": (lambda g: g.rnn.LSTMCell(6), True, (INPUTS,), True),
    "lstm cell, hard gates": (
        lambda g: g.rnn.LSTMCell(6, activation="softsign", recurrent_activation="relu"),
        True,
        (INPUTS,),
        False,
    ),
    "gru cell": (lambda g: g.rnn.GRUCell(6), True, (INPUTS,), True),
    "both directions": (
        lambda g: g.rnn.BidirectionalCell(g.rnn.LSTMCell(6), g.rnn.LSTMCell(6)),
        True,
        (INPUTS,),
        True,
    ),
    "residual": (lambda g: g.rnn.ResidualCell(g.rnn.GRUCell(INPUTS)), True, (INPUTS,), True),
    "stack": (_stack, True, (INPUTS,), False),
    "projection": (lambda g: g.contrib.rnn.LSTMPCell(6, 2), True, (INPUTS,), True),
    "images, lstm": (lambda g: g.contrib.rnn.Conv2DLSTMCell((2, 6, 5), 3, 3, 3), True, (2, 6, 5), False),
    "images, gru": (
        lambda g: g.contrib.rnn.Conv1DGRUCell((2, 7), 3, 3, 3, i2h_pad=1, h2h_dilate=2),
        True,
        (2, 7),
        False,
    ),
    "images, plain": (
        lambda g: g.contrib.rnn.Conv2DRNNCell((2, 6, 5), 3, (3, 1), 3, activation="relu"),
        True,
        (2, 6, 5),
        False,
    ),
}


def answer(mx: Any, name: str, hybrid: bool = False) -> dict[str, np.ndarray]:
    """Outputs, states and all gradients."""
    make, is_cell, shape, has_lengths = CASES[name]
    net = make(mx.gluon)
    net.initialize()
    layout = "NTC" if is_cell or "NTC" in name else "TNC"
    axes = (BATCH, STEPS) if layout == "NTC" else (STEPS, BATCH)
    data = mx.nd.array(value("data", (*axes, *shape)))
    lengths = mx.nd.array(LENGTHS) if has_lengths else None

    def run() -> Any:
        if is_cell:
            return net.unroll(STEPS, data, merge_outputs=True, valid_length=lengths)
        return net(data, net.begin_state(BATCH))

    run()
    for key, parameter in net._collect_params_with_prefix().items():
        parameter.set_data(mx.nd.array(value(key.replace(".", "_"), parameter.shape)))
    if hybrid:
        net.hybridize()
    data.attach_grad()
    with mx.autograd.record():
        outputs, states = run()
        parts = [outputs, *states]
        heads = [mx.nd.array(value(f"head{i}", part.shape)) for i, part in enumerate(parts)]
        loss = mx.nd.add_n(*[(part * head).sum() for part, head in zip(parts, heads)])
    loss.backward()
    found = {f"out{i}": part.asnumpy() for i, part in enumerate(parts)}
    found["data"] = data.grad.asnumpy()
    for key, parameter in net._collect_params_with_prefix().items():
        found[key] = parameter.grad().asnumpy()
    return found
