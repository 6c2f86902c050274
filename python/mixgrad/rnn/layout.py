"""Where the weights of the fused operator ``RNN`` lie in its one array."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["GATES", "Part", "num_inputs", "parts"]

GATES = {
    "rnn_relu": ("",),
    "rnn_tanh": ("",),
    "lstm": ("_i", "_f", "_c", "_o"),
    "gru": ("_r", "_z", "_o"),
}


class Part(NamedTuple):
    """One gate's weight or bias: its name without the prefix, its place in the array, its shape."""

    name: str
    begin: int
    shape: tuple[int, ...]

    @property
    def end(self) -> int:
        size = 1
        for extent in self.shape:
            size *= extent
        return self.begin + size


def parts(mode: str, num_layers: int, directions: str, num_input: int, num_hidden: int) -> Iterator[Part]:
    """All weights, then all biases: by layer, direction (a letter each), input before state, gate."""
    at = 0
    for kind in ("weight", "bias"):
        for layer in range(num_layers):
            columns = num_input if layer == 0 else len(directions) * num_hidden
            for direction in directions:
                for group, width in (("i2h", columns), ("h2h", num_hidden)):
                    for gate in GATES[mode]:
                        shape = (num_hidden, width) if kind == "weight" else (num_hidden,)
                        part = Part(f"{direction}{layer}_{group}{gate}_{kind}", at, shape)
                        at = part.end
                        yield part


def num_inputs(size: int, mode: str, num_layers: int, directions: str, num_hidden: int) -> int:
    """Numbers per input of an array of ``size`` elements; negative or wrong sizes come out below 1."""
    rows = len(GATES[mode]) * len(directions) * num_hidden
    later = (num_layers - 1) * (len(directions) * num_hidden + num_hidden + 2)
    return size // rows - later - num_hidden - 2 if size % rows == 0 else 0
