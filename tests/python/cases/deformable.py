"""Convolutions whose windows look where offsets send them."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import Array, Case, Spec


def plain_value(image: Array, y: float, x: float) -> Array:
    """All channels at a place; the last row and column go on for one pixel."""
    height, width = image.shape[1:]
    if not (0 <= y < height and 0 <= x < width):
        return np.zeros(len(image))
    y, x = min(y, height - 1), min(x, width - 1)
    return faded_value(image, y, x)


def faded_value(image: Array, y: float, x: float) -> Array:
    height, width = image.shape[1:]
    total = np.zeros(len(image))
    if not (-1 < y < height and -1 < x < width):
        return total
    top, left = int(np.floor(y)), int(np.floor(x))
    for row in (top, top + 1):
        for column in (left, left + 1):
            if 0 <= row < height and 0 <= column < width:
                total += (1 - abs(y - row)) * (1 - abs(x - column)) * image[:, row, column]
    return total


def convolved(
    x: Array,
    offset: Array,
    mask: Any,
    weight: Array,
    bias: Any = None,
    kernel: Any = (),
    stride: Any = (1, 1),
    dilate: Any = (1, 1),
    pad: Any = (0, 0),
    num_filter: int = 1,
    num_group: int = 1,
    num_deformable_group: int = 1,
    **others: Any,
) -> Array:
    rows, columns = kernel
    value = plain_value if mask is None else faded_value
    out = np.zeros((len(x), num_filter, *offset.shape[2:]))
    share = x.shape[1] // num_deformable_group
    for n, _, h, w in np.ndindex(len(x), 1, *offset.shape[2:]):
        seen = np.zeros((x.shape[1], rows, columns))
        for group, i, j in np.ndindex(num_deformable_group, rows, columns):
            place = (group * rows + i) * columns + j
            down, right = offset[n, 2 * place : 2 * place + 2, h, w]
            y = h * stride[0] - pad[0] + i * dilate[0] + down
            factor = 1 if mask is None else mask[n, place, h, w]
            part = slice(group * share, (group + 1) * share)
            seen[part, i, j] = factor * value(x[n, part], y, w * stride[1] - pad[1] + j * dilate[1] + right)
        depth = x.shape[1] // num_group
        for f in range(num_filter):
            first = f // (num_filter // num_group) * depth
            out[n, f, h, w] = (weight[f] * seen[first : first + depth]).sum()
    return out if bias is None else out + bias.reshape(1, -1, 1, 1)


def plain(x: Array, offset: Array, *rest: Array, **params: Any) -> Array:
    return convolved(x, offset, None, *rest, **params)


BASE: dict[str, Any] = {"kernel": (2, 3), "num_filter": 4}
SETTINGS: dict[str, Any] = {
    "plain": BASE,
    "padded": {**BASE, "pad": (1, 2), "stride": (2, 1)},
    "dilated": {**BASE, "kernel": (2, 2), "dilate": (2, 3), "no_bias": True},
    "groups": {**BASE, "num_group": 2, "num_deformable_group": 2, "pad": (1, 1)},
    "one": {**BASE, "kernel": (1, 1), "stride": (3, 2), "workspace": 10},
}


def inputs(params: dict[str, Any], masked: bool, images: int = 2) -> list[Any]:
    (rows, columns), groups = params["kernel"], params.get("num_group", 1)
    size = []
    for axis, extent in enumerate((5, 6)):
        room = extent + 2 * params.get("pad", (0, 0))[axis]
        span = params.get("dilate", (1, 1))[axis] * (params["kernel"][axis] - 1) + 1
        size.append((room - span) // params.get("stride", (1, 1))[axis] + 1)
    places = rows * columns * params.get("num_deformable_group", 1)
    rng = np.random.RandomState(7)
    # Not where the value has a corner: the middles of pixels.
    whole = rng.randint(-2, 3, (images, 2 * places, *size))
    offset = whole + rng.uniform(0.1, 0.9, whole.shape)
    given: list[Any] = [(images, 4, 5, 6), offset]
    given += [Spec((images, places, *size), 0, 1)] if masked else []
    given.append((4, 4 // groups, rows, columns))
    return given + ([] if params.get("no_bias") else [(4,)])


def _cases() -> list[Case]:
    cases = []
    loose: dict[str, Any] = {"rtol": 1e-4, "atol": 1e-5, "second": False, "dtypes": ("float32", "float64")}
    for masked, op in ((False, "DeformableConvolution"), (True, "ModulatedDeformableConvolution")):
        op = "_contrib_" + op
        ref: Any = convolved if masked else plain
        for name, params in SETTINGS.items():
            cases.append(Case(op, inputs(params, masked), params, ref, id=name, **loose))
        half: dict[str, Any] = {"dtypes": ("float16", "bfloat16"), "grad": False, "rtol": 1e-3, "atol": 1e-3}
        straight = inputs(BASE, masked)
        straight[1] = np.zeros_like(straight[1])
        wild = inputs(BASE, masked)
        wild[1] = np.where(np.arange(wild[1].size).reshape(wild[1].shape) % 3, np.nan, 1e30)
        cases += [
            Case(op, straight, BASE, ref, id="half", **half),
            Case(op, wild, BASE, ref, id="wild", grad=False, rtol=1e-4),
            Case(op, inputs(BASE, masked, 0), BASE, ref, id="no-images", second=False),
            Case(op, inputs(BASE, masked), {**BASE, "kernel": (3,)}, fails="two numbers", id="one-axis"),
            Case(op, inputs(BASE, masked), {**BASE, "num_group": 3}, fails="num_group = 3", id="group"),
            Case(
                op, inputs(BASE, masked), {**BASE, "kernel": (9, 1)}, fails="the window spans 9", id="window"
            ),
            Case(op, inputs(BASE, masked), {**BASE, "stride": (2, 2)}, fails="offset", id="offset"),
            Case(op, inputs(BASE, masked), {**BASE, "layout": "NCW"}, fails="NCHW", id="layout"),
            Case(op, [(2, 4, 5), *inputs(BASE, masked)[1:]], BASE, fails="expected images", id="axes"),
        ]
    return cases


CASES = _cases()
