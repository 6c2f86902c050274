"""TensorBoard's messages: events, summaries of scalars, pictures and histograms, graphs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Optional

import numpy as np

from . import wire

__all__ = ["event", "file_version", "graph", "histogram", "node", "picture", "scalar", "summary"]

_VERSION = "brain.Event:2"
_PRODUCER = 22  # the version of graphs


def event(wall_time: float, step: int, content: bytes) -> bytes:
    """An event: a time in seconds, a step, and one of the other messages."""
    return wire.double(1, wall_time) + wire.number(2, step) + content


def file_version() -> bytes:
    """What the first event of a file says."""
    return wire.text(3, _VERSION)


def summary(tag: str, value: bytes) -> bytes:
    """A value under a name."""
    return wire.chunk(5, wire.chunk(1, wire.text(1, tag) + value))


def scalar(value: float) -> bytes:
    """A number."""
    return wire.single(2, value)


def picture(shape: tuple[int, ...], png: bytes) -> bytes:
    """A picture of shape (height, width, channels) in a file's bytes."""
    height, width, channels = shape
    sizes = wire.number(1, height) + wire.number(2, width) + wire.number(3, channels)
    return wire.chunk(4, sizes + wire.chunk(4, png))


def histogram(values: np.ndarray, bins: int) -> bytes:
    """How many values lie in each of ``bins`` stretches of the same length; ``values`` are finite float64."""
    low, high = (float(values.min()), float(values.max())) if values.size else (0.0, 0.0)
    if low == high:
        limits, counts = np.array([high]), np.array([values.size])
    else:
        # A range that is beyond float64 is counted in halves.
        half = 1.0 if np.isfinite(high - low) else 0.5
        counts, edges = np.histogram(values * half, bins=bins, range=(low * half, high * half))
        limits = edges[1:] / half
    with np.errstate(over="ignore"):
        numbers = (low, high, values.size, float(values.sum()), float(np.square(values).sum()))
    fields = b"".join(wire.double(field, number) for field, number in enumerate(numbers, 1))
    fields += wire.packed_doubles(6, limits.tolist()) + wire.packed_doubles(7, counts.tolist())
    return wire.chunk(5, fields)


def _shape(extents: Sequence[int]) -> bytes:
    return b"".join(wire.chunk(2, wire.number(1, extent)) for extent in extents)


def node(
    name: str,
    op: str,
    inputs: Iterable[str],
    attributes: Mapping[str, str],
    shapes: Sequence[Optional[tuple[int, ...]]],
) -> bytes:
    """A node of a graph; ``inputs`` are names of nodes, with ``:1`` and so on behind for further outputs."""
    fields = wire.text(1, name) + wire.text(2, op)
    fields += b"".join(wire.text(3, one) for one in inputs)
    values = {key: wire.text(2, value) for key, value in attributes.items()}
    if any(shape is not None for shape in shapes):
        unknown = wire.number(3, 1)
        listed = b"".join(wire.chunk(7, unknown if one is None else _shape(one)) for one in shapes)
        values["_output_shapes"] = wire.chunk(1, listed)
    for key, value in values.items():
        fields += wire.chunk(5, wire.text(1, key) + wire.chunk(2, value))
    return wire.chunk(1, fields)


def graph(nodes: Iterable[bytes]) -> bytes:
    """A graph of nodes."""
    return wire.chunk(4, b"".join(nodes) + wire.chunk(4, wire.number(1, _PRODUCER)))
