"""Asks real MXNet 1.9.1 for LSTM layers in 8 bits, from tests/: python -m parity.quantized_rnn

with DNNL_MAX_CPU_ISA=AVX2 in the environment: MXNet refuses such layers on processors that have
instructions for products of 8 bits (VNNI). Without these it adds pairs of products in 16 bits, which
saturate: data up to 128 do not.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).with_name("quantized_rnn.npz")
# Steps, batch, inputs, units, layers, directions, scale, shift.
CALLS = (
    *((3, 2, 5, 4, 1, 1, 60.0, 64.0), (4, 3, 16, 16, 1, 1, 62.5, 62.5), (1, 1, 1, 1, 1, 1, 60.0, 64.0)),
    *((3, 2, 5, 7, 1, 2, 60.0, 64.0), (3, 2, 8, 8, 1, 2, 40.0, 50.0)),
    *((3, 2, 16, 16, 2, 1, 60.0, 64.0), (2, 2, 4, 4, 3, 1, 60.0, 64.0)),
)


def answer(mx: Any, call: tuple[Any, ...]) -> list[np.ndarray]:
    steps, batch, inputs, units, layers, directions, scale, shift = call
    random = np.random.RandomState(CALLS.index(call))
    widths = [inputs] + [directions * units] * (layers - 1)
    count = sum(directions * 4 * units * (width + units + 2) for width in widths)
    chains = (layers * directions, batch, units)
    outs = mx.nd.contrib.quantized_rnn(
        mx.nd.array(random.randint(0, 129, (steps, batch, inputs)), dtype="uint8"),
        *(mx.nd.array(random.uniform(-b, b, s)) for b, s in ((0.5, (count,)), (1, chains), (0.7, chains))),
        *(mx.nd.array([number]) for number in (scale, shift)),
        state_size=units,
        num_layers=layers,
        bidirectional=directions == 2,
        mode="lstm",
        state_outputs=True,
    )
    return [out.asnumpy() for out in outs]


if __name__ == "__main__":
    import mxnet  # type: ignore[import-not-found]

    np.savez_compressed(
        FILE, **{f"{i}/{k}": out for i, call in enumerate(CALLS) for k, out in enumerate(answer(mxnet, call))}
    )
