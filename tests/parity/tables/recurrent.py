"""Recurrent layers and the loss of sequences without alignment."""

from __future__ import annotations

from typing import Any

from ..case import Case, normal, values

GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}
LOOSE: dict[str, Any] = {"rtol": 1e-4, "atol": 1e-4}


def _case(
    mode: str, layers: int = 1, bidirectional: bool = False, p: int = 0, dtype: str = "float32", **params: Any
) -> Case:
    steps, batch, inputs, h, directions = 4, 3, 5, 6, 1 + bidirectional
    count = 0
    for layer in range(layers):
        width = directions * (p or h) if layer else inputs
        count += directions * (GATES[mode] * h * (width + (p or h) + 2) + p * h)
    arrays = [normal(steps, batch, inputs, dtype=dtype), normal(count, dtype=dtype)]
    arrays.append(normal(layers * directions, batch, p or h, dtype=dtype))
    if mode == "lstm":
        arrays.append(normal(layers * directions, batch, h, dtype=dtype))
    heads: tuple[int, ...] = (0,)
    if params.get("state_outputs"):
        heads = (0, 1, 2) if mode == "lstm" else (0, 1)
    params = {"mode": mode, "state_size": h, "num_layers": layers, "bidirectional": bidirectional, **params}
    if p:
        params["projection_size"] = p
    return Case(
        "RNN", tuple(arrays), params, grad=tuple(range(len(arrays))) if not p else (), heads=heads, **LOOSE
    )


LABEL = values([[1, 2], [3, 0], [1, 1]])
STEPS, COUNTS = values([5, 3, 4], name="data_lengths"), values([2, 1, 2], name="label_lengths")


def _ctc() -> list[Case]:
    data = normal(5, 3, 4)
    both = {"use_data_lengths": True, "use_label_lengths": True}
    return [
        Case("CTCLoss", (data, LABEL), grad=(0,), **LOOSE),
        Case(
            "CTCLoss", (data, values([[0, 2], [1, -1], [2, 2]])), {"blank_label": "last"}, grad=(0,), **LOOSE
        ),
        Case("CTCLoss", (data, LABEL, STEPS, COUNTS), both, grad=(0,), **LOOSE),
        Case("CTCLoss", (data, LABEL, COUNTS), {"use_label_lengths": True}, grad=(0,), **LOOSE),
        Case("CTCLoss", (normal(1, 3, 4), LABEL), error=True),
    ]


CASES = [
    *_ctc(),
    *(_case(mode) for mode in GATES),
    *(_case(mode, state_outputs=True) for mode in GATES),
    *(_case(mode, layers=2, bidirectional=True, state_outputs=True) for mode in GATES),
    *(_case(mode, layers=3, dtype="float64") for mode in GATES),
    _case("lstm", p=2, state_outputs=True),
    _case("lstm", p=2, layers=2, bidirectional=True, state_outputs=True),
    Case(
        "RNN",
        (normal(4, 3, 5), normal(9), normal(1, 3, 6)),
        {"mode": "gru", "state_size": 6, "num_layers": 1},
        error=True,
    ),
    Case(
        "RNN",
        (normal(3, 5), normal(9), normal(1, 3, 6)),
        {"mode": "gru", "state_size": 6, "num_layers": 1},
        error=True,
    ),
]
