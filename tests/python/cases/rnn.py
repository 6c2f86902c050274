"""Cases of RNN, against loops over steps and units."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import Array, Case, Spec

GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}


def count(mode: str, inputs: int, h: int, layers: int = 1, directions: int = 1, p: int = 0) -> int:
    total = 0
    for layer in range(layers):
        width = directions * (p or h) if layer else inputs
        total += directions * (GATES[mode] * h * (width + (p or h) + 2) + p * h)
    return total


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def cell(mode: str, x: Array, by: Array, h: Array, c: Array, **p: Any) -> tuple[Array, Array]:
    """One step; x and by are the shares of the input and of the state in the gates."""
    if mode == "rnn_relu":
        return np.maximum(x + by, 0), c
    if mode == "rnn_tanh":
        return np.tanh(x + by), c
    if mode == "lstm":
        i, f, g, o = np.split(x + by, 4, axis=1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        if p.get("lstm_state_clip_min") is not None:
            c = np.clip(c, p["lstm_state_clip_min"], p["lstm_state_clip_max"])
        return sigmoid(o) * np.tanh(c), c
    xs, hs = np.split(x, 3, axis=1), np.split(by, 3, axis=1)
    r, z = sigmoid(xs[0] + hs[0]), sigmoid(xs[1] + hs[1])
    n = np.tanh(xs[2] + r * hs[2])
    return (1 - z) * n + z * h, c


def rnn(data: Array, weights: Array, state: Array, *rest: Array, mode: str, state_size: int, num_layers: int,
        bidirectional: bool = False, state_outputs: bool = False, **p: Any) -> Any:  # fmt: skip
    steps, batch, width = data.shape
    directions, size = 1 + bidirectional, p.get("projection_size") or state_size
    gates, rest_list = GATES[mode] * state_size, list(rest)
    cells = rest_list.pop(0) if mode == "lstm" else np.zeros((len(state), batch, state_size))
    lengths = rest_list.pop(0).astype(int) if p.get("use_sequence_length") else np.full(batch, steps)
    at = 0

    def take(*shape: int) -> Array:
        nonlocal at
        at += int(np.prod(shape))
        return weights[at - int(np.prod(shape)) : at].reshape(shape)

    chains = []
    for layer in range(num_layers):
        for _ in range(directions):
            inputs = directions * size if layer else width
            both = [take(gates, inputs), take(gates, size)]
            chains.append([*both, take(size, state_size) if p.get("projection_size") else None])
    for chain in chains:
        chain += [take(gates), take(gates)]
    last, last_cells = [], []
    x = data
    for layer in range(num_layers):
        outs = []
        for d in range(directions):
            wi, wh, wr, bi, bh = chains[layer * directions + d]
            h, c = state[layer * directions + d], cells[layer * directions + d]
            out = np.zeros((steps, batch, size))
            for t in range(steps)[:: -1 if d else 1]:
                new, new_c = cell(mode, x[t] @ wi.T + bi, h @ wh.T + bh, h, c, **p)
                new = new @ wr.T if wr is not None else new
                valid = (t < lengths)[:, None]
                h, c = np.where(valid, new, h), np.where(valid, new_c, c)
                out[t] = np.where(valid, h, 0)
            outs.append(out)
            last.append(h)
            last_cells.append(c)
        x = np.concatenate(outs, axis=2)
    if not state_outputs:
        return x
    return (x, np.stack(last), np.stack(last_cells)) if mode == "lstm" else (x, np.stack(last))


def case(mode: str, steps: int = 3, batch: int = 2, inputs: int = 3, h: int = 2, layers: int = 1,
         bidirectional: bool = False, lengths: Array | None = None, **params: Any) -> Case:  # fmt: skip
    directions, p = 1 + bidirectional, params.get("projection_size", 0)
    name = params.pop("id", "")
    data = [(steps, batch, inputs), (count(mode, inputs, h, layers, directions, p),)]
    data.append((layers * directions, batch, p or h))
    if mode == "lstm":
        data.append((layers * directions, batch, h))
    given: list[Any] = [Spec(s) for s in data]
    if lengths is not None:
        given.append(lengths)
        params["use_sequence_length"] = True
    params = {"mode": mode, "state_size": h, "num_layers": layers, "bidirectional": bidirectional, **params}
    return Case(
        "RNN",
        given,
        params,
        rnn,
        grad=list(range(len(data))),
        second=False,
        id=f"{mode} {name}".strip(),
        atol=1e-5,
    )


LENGTHS = np.array([1, 4, 0], np.int32)
DROPPED = {"mode": "gru", "state_size": 3, "num_layers": 2, "p": 0.5}


def dropped(outputs: list[Array], inputs: list[Array]) -> None:
    """Dropout changes what the second layer sees."""
    whole = rnn(*inputs, **{k: v for k, v in DROPPED.items() if k != "p"})
    assert outputs[0].shape == whole.shape and np.abs(outputs[0] - whole).max() > 1e-3
    assert np.isfinite(outputs[0]).all()


CASES = [
    *(case(mode) for mode in GATES),
    *(case(mode, state_outputs=True, layers=2, h=3, id="states") for mode in GATES),
    *(case(mode, state_outputs=True, layers=2, bidirectional=True, id="both ways") for mode in GATES),
    *(
        case(mode, 4, 3, state_outputs=True, layers=2, bidirectional=True, lengths=LENGTHS, id="lengths")
        for mode in GATES
    ),
    *(case(mode, 0, 2, state_outputs=True, id="no steps") for mode in GATES),
    *(case(mode, 2, 0, state_outputs=True, id="no batch") for mode in GATES),
    case("lstm", h=3, projection_size=2, layers=2, bidirectional=True, state_outputs=True, id="projection"),
    case("lstm", 4, 3, h=3, projection_size=2, lengths=LENGTHS, state_outputs=True, id="projection lengths"),
    case("lstm", lstm_state_clip_min=-0.11, lstm_state_clip_max=0.13, state_outputs=True, id="clip"),
    *(case(mode, layers=3, id="three layers") for mode in GATES),
    case("gru", 2, 9, 5, 17, id="wide"),
    case("lstm", 2, 9, 5, 17, id="wide"),
    Case(
        "RNN",
        [(3, 2, 4), (count("gru", 4, 3, 2),), (2, 2, 3)],
        DROPPED,
        check=dropped,
        grad=False,
        training=True,
        dtypes=("float32", "float64"),
    ),
    Case(
        "RNN",
        [(3, 2, 4), (count("gru", 4, 3, 2),), (2, 2, 3)],
        DROPPED,
        rnn,
        grad=False,
        id="dropout predicts",
        atol=1e-5,
    ),
    Case(
        "RNN",
        [(3, 2, 4), (5,), (1, 2, 3)],
        {"mode": "gru", "state_size": 3, "num_layers": 1},
        fails="parameters has shape (5,); expected (81,)",
    ),
    Case(
        "RNN",
        [(3, 2, 4), (81,), (1, 3, 3)],
        {"mode": "gru", "state_size": 3, "num_layers": 1},
        fails="state has shape (1, 3, 3); expected (1, 2, 3)",
    ),
    Case(
        "RNN",
        [(2, 4), (81,), (1, 3, 3)],
        {"mode": "gru", "state_size": 3, "num_layers": 1},
        fails="data must be (steps, batch, inputs)",
    ),
    Case(
        "RNN",
        [(3, 2, 4), (81,), (1, 2, 3)],
        {"mode": "gru", "state_size": 3, "num_layers": 1, "projection_size": 2},
        fails="only for lstm",
    ),
    Case(
        "RNN",
        [(3, 2, 4), (108,), (1, 2, 3), (1, 2, 3)],
        {"mode": "lstm", "state_size": 3, "num_layers": 1, "lstm_state_clip_min": 0.5},
        fails="expected both or none",
    ),
]
