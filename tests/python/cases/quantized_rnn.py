"""LSTM layers of 8-bit arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import Array, Case, Spec

OP = "_contrib_quantized_rnn"


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def parts(parameters: Array, inputs: int, units: int, layers: int, directions: int) -> tuple[Any, Array]:
    """Of each layer and direction the weights of the input and of the state; and the sums of biases."""
    weights, rest, gates = [], parameters, 4 * units
    for layer in range(layers):
        width = inputs if layer == 0 else directions * units
        for _ in range(directions):
            by_input, by_state, rest = np.split(rest, np.cumsum([gates * width, gates * units]))
            weights.append((by_input.reshape(gates, width), by_state.reshape(gates, units)))
    return weights, rest.reshape(-1, 2, gates).sum(axis=1)


def quantized_rnn(
    data: Array, parameters: Array, state: Array, cell: Array, scale: Array, shift: Array, **p: Any
) -> Any:
    steps, _, inputs = data.shape
    units, layers, directions = p["state_size"], p["num_layers"], 1 + p.get("bidirectional", False)
    weights, biases = parts(parameters.astype(np.float64), inputs, units, layers, directions)

    def rounded(x: Array) -> Array:
        return np.clip(np.rint(x.astype(np.float32) * scale + shift), 0, 255).astype(np.float64)

    x, states, cells = data.astype(np.float64), [], []
    for layer in range(layers):
        # Layers of equal extents have the scale of the first.
        like = 0 if directions == 1 and inputs == units else layer * directions
        most = np.max(
            [np.abs(w).max(axis=1) for pair in weights[like : like + directions] for w in pair], axis=0
        )
        step = np.where(most > 0, most, 1)[:, None] / 127
        outs = []
        for d in range(directions):
            chain = layer * directions + d
            a, b = (np.clip(np.rint(w / step), -128, 127) for w in weights[chain])
            h, c, out = rounded(state[chain]), cell[chain].astype(np.float64), np.empty((*x.shape[:2], units))
            for t in range(steps)[:: 1 - 2 * d]:
                sums = x[t] @ a.T + h @ b.T - shift * (a.sum(axis=1) + b.sum(axis=1))
                i, f, new, o = np.split(sums * step.T / scale + biases[chain], 4, axis=1)
                c = sigmoid(f) * c + sigmoid(i) * np.tanh(new)
                h = out[t] = rounded(sigmoid(o) * np.tanh(c))
            outs.append(out)
            states.append((h - shift) / scale if steps else state[chain])
            cells.append(c)
        x = np.concatenate(outs, axis=2)
    y = (x - shift) / scale
    return (y, np.stack(states), np.stack(cells)) if p.get("state_outputs") else y


def case(extents: tuple[int, ...], shift: float = 64, **p: Any) -> Case:
    _, batch, inputs = extents
    fails, name = p.pop("fails", ""), p.pop("id")
    params = {"state_size": 4, "num_layers": 1, "mode": "lstm", "state_outputs": True, **p}
    units, layers, directions = params["state_size"], params["num_layers"], 1 + p.get("bidirectional", False)
    count = sum(
        directions * 4 * units * ((inputs if n == 0 else directions * units) + units + 2)
        for n in range(layers)
    )
    random = np.random.RandomState(len(name))
    arrays = [
        random.randint(0, 256, extents).astype(np.uint8),
        Spec((count,), -0.5, 0.5),
        Spec((layers * directions, batch, units), -1, 1),
        Spec((layers * directions, batch, units), -1, 1),
        np.array([60], np.float32),
        np.array([shift], np.float32),
    ]
    ref = None if fails else quantized_rnn
    return Case(OP, arrays, params, ref, False, ("float32",), atol=1e-5, fails=fails, id=name)


CASES = [
    case((3, 2, 5), id="lstm"),
    case((3, 2, 5), id="output", state_outputs=False),
    case((3, 2, 5), bidirectional=True, id="both"),
    case((3, 2, 5), num_layers=3, id="layers"),
    case((3, 2, 4), num_layers=3, id="layers-alike"),
    case((2, 3, 4), num_layers=2, bidirectional=True, state_size=7, id="layers-both"),
    case((3, 2, 5), shift=62.5, id="shift"),
    case((1, 1, 1), state_size=1, id="one"),
    case((0, 2, 5), id="no-steps"),
    case((3, 0, 5), id="no-batch"),
    case((3, 2, 5), mode="gru", fails="expected the mode lstm", id="gru"),
    case((3, 2, 5), projection_size=2, fails="no projection_size", id="projection"),
]
