"""Cases of convolutions, against loops over output positions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from opcase import Array, Case

LOOSE: dict[str, Any] = {"rtol": 1e-4, "atol": 2e-5}
Tuple = Sequence[int]


def first(x: Array, layout: str | None) -> Array:
    return np.moveaxis(x, -1, 1) if layout and layout[1] != "C" else x


def back(x: Array, layout: str | None) -> Array:
    return np.moveaxis(x, 1, -1) if layout and layout[1] != "C" else x


def filled(given: Tuple, axes: int, value: int) -> Tuple:
    return tuple(given) if given else (value,) * axes


def places(kernel: Tuple, out: Tuple, stride: Tuple, dilate: Tuple) -> Any:
    """For every offset of the window, the slices of the padded input that it meets."""
    for offset in product(*(range(k) for k in kernel)):
        yield (
            offset,
            tuple(
                slice(o * d, o * d + s * (n - 1) + 1, s) for o, d, s, n in zip(offset, dilate, stride, out)
            ),
        )


def convolution(
    x: Array,
    w: Array,
    b: Array | None = None,
    kernel: Tuple = (),
    stride: Tuple = (),
    dilate: Tuple = (),
    pad: Tuple = (),
    num_group: int = 1,
    layout: str | None = None,
    **_: Any,
) -> Array:
    axes = len(kernel)
    stride, dilate, pad = filled(stride, axes, 1), filled(dilate, axes, 1), filled(pad, axes, 0)
    x, w = first(x, layout), first(w, layout)
    padded = np.pad(x, [(0, 0), (0, 0)] + [(p, p) for p in pad])
    out = [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(padded.shape[2:], kernel, stride, dilate)]
    result = np.zeros((x.shape[0], w.shape[0], *out))
    channels, filters = x.shape[1] // num_group, w.shape[0] // num_group
    for g in range(num_group):
        mine = slice(g * filters, (g + 1) * filters)
        for offset, window in places(kernel, out, stride, dilate):
            part = padded[(slice(None), slice(g * channels, (g + 1) * channels), *window)]
            result[:, mine] += np.einsum("nc...,fc->nf...", part, w[(mine, slice(None), *offset)])
    if b is not None:
        result += b.reshape(-1, *(1,) * axes)
    return back(result, layout)


def deconvolution(
    x: Array,
    w: Array,
    b: Array | None = None,
    kernel: Tuple = (),
    stride: Tuple = (),
    dilate: Tuple = (),
    pad: Tuple = (),
    adj: Tuple = (),
    target_shape: Tuple = (),
    num_filter: int = 0,
    num_group: int = 1,
    layout: str | None = None,
    **_: Any,
) -> Array:
    axes = len(kernel)
    stride, dilate, pad = filled(stride, axes, 1), filled(dilate, axes, 1), filled(pad, axes, 0)
    adj = filled(adj, axes, 0)
    x, w = first(x, layout), first(w, layout)
    full = [(n - 1) * s + d * (k - 1) + 1 for n, k, s, d in zip(x.shape[2:], kernel, stride, dilate)]
    if target_shape:
        pad = [(f - t + 1) // 2 for f, t in zip(full, target_shape)]
        adj = [(f - t) % 2 for f, t in zip(full, target_shape)]
    result = np.zeros((x.shape[0], num_filter, *(f + a for f, a in zip(full, adj))))
    channels, filters = x.shape[1] // num_group, num_filter // num_group
    for g in range(num_group):
        mine = slice(g * channels, (g + 1) * channels)
        for offset, window in places(kernel, x.shape[2:], stride, dilate):
            place = (slice(None), slice(g * filters, (g + 1) * filters), *window)
            result[place] += np.einsum("nc...,cf->nf...", x[:, mine], w[(mine, slice(None), *offset)])
    cut = tuple(slice(p, n - p) for p, n in zip(pad, result.shape[2:]))
    result = result[(slice(None), slice(None), *cut)]
    if b is not None:
        result = result + b.reshape(-1, *(1,) * axes)
    return back(result, layout)


def conv(inputs: list[Any], name: str, **params: Any) -> Case:
    params.setdefault("num_filter", inputs[1][0])
    if len(inputs) == 2:
        params["no_bias"] = True
    return Case("Convolution", inputs, params, ref=convolution, id=name, **LOOSE)


def deconv(inputs: list[Any], name: str, **params: Any) -> Case:
    params["no_bias"] = len(inputs) == 2
    return Case("Deconvolution", inputs, params, ref=deconvolution, id=name, **LOOSE)


def _convolution() -> list[Case]:
    image, weight, bias = (2, 4, 6, 7), (6, 4, 3, 3), (6,)
    square = {"kernel": (3, 3)}
    return [
        conv([image, weight, bias], "plain", **square),
        conv([image, weight], "no_bias", **square),
        conv([image, weight, bias], "pad", **square, pad=(1, 1)),
        conv([image, weight, bias], "stride", **square, stride=(2, 2)),
        conv([image, weight, bias], "dilate", **square, dilate=(2, 2), pad=(2, 2)),
        conv([image, weight, bias], "uneven", **square, stride=(3, 1), pad=(0, 2), dilate=(1, 2)),
        conv([image, (6, 4, 1, 2), bias], "asymmetric", kernel=(1, 2), stride=(2, 3)),
        conv([image, (6, 4, 1, 1), bias], "1x1", kernel=(1, 1)),
        conv([image, (6, 4, 1, 1), bias], "1x1_stride", kernel=(1, 1), stride=(2, 2)),
        conv([image, (6, 2, 3, 3), bias], "groups", **square, num_group=2, pad=(1, 1)),
        conv([image, (4, 1, 3, 3), (4,)], "depthwise", **square, num_group=4, pad=(1, 1), stride=(2, 2)),
        conv([image, (8, 1, 3, 3)], "depth_multiplier", **square, num_group=4, pad=(1, 1)),
        conv([(2, 18, 6, 7), (20, 9, 3, 3), (20,)], "wide_groups", **square, num_group=2, pad=(1, 1)),
        conv([(2, 32, 7, 6), (36, 16, 3, 3)], "wide_groups_stride", **square, num_group=2, stride=(2, 2)),
        conv([(2, 3, 9), (4, 3, 3), (4,)], "1d", kernel=(3,), pad=(1,)),
        conv([(2, 3, 9), (4, 3, 3)], "1d_stride", kernel=(3,), stride=(2,), dilate=(2,), layout="NCW"),
        conv([(1, 2, 4, 5, 4), (3, 2, 3, 3, 3), (3,)], "3d", kernel=(3, 3, 3), pad=(1, 0, 1)),
        conv(
            [(1, 2, 5, 5, 4), (2, 1, 2, 2, 2)], "3d_groups", kernel=(2, 2, 2), stride=(2, 1, 2), num_group=2
        ),
        conv([(2, 6, 7, 4), (6, 3, 3, 4), bias], "nhwc", **square, pad=(1, 1), layout="NHWC"),
        conv(
            [(2, 6, 7, 4), (6, 3, 3, 2)], "nhwc_groups", **square, stride=(2, 2), num_group=2, layout="NHWC"
        ),
        conv([(1, 3, 4, 4, 2), (3, 2, 2, 2, 2)], "ndhwc", kernel=(2, 2, 2), layout="NDHWC"),
        conv([(1, 2, 2, 3), (2, 2, 1, 2)], "tiny", kernel=(1, 2)),
        conv([(1, 2, 4), (2, 1, 2)], "tiny_groups", kernel=(2,), num_group=2, stride=(2,), pad=(1,)),
        conv([(1, 3, 3, 2), (2, 2, 2, 2)], "tiny_nhwc", kernel=(2, 2), layout="NHWC"),
        conv([(2, 16, 20, 30), (40, 16, 3, 3), (40,)], "larger", **square, pad=(1, 1)),
        conv([(1, 64, 14, 14), (64, 64, 1, 1)], "larger_1x1", kernel=(1, 1)),
        conv([(0, 4, 6, 7), weight, bias], "empty", **square),
        Case(
            "Convolution",
            [(1, 2, 2, 2), (3, 2, 3, 3), (3,)],
            {**square, "num_filter": 3},
            fails="covers 3 elements",
        ),
        Case(
            "Convolution",
            [(1, 3, 4, 4), (4, 3, 3, 3), (4,)],
            {**square, "num_filter": 4, "num_group": 2},
            fails="num_group 2",
        ),
        Case(
            "Convolution",
            [(1, 3, 4, 4), (4, 2, 3, 3), (4,)],
            {**square, "num_filter": 4},
            fails="[Convolution] weight has shape (4, 2, 3, 3)",
        ),
        Case("Convolution", [(1, 3, 4), (4, 3, 3, 3), (4,)], {**square, "num_filter": 4}, fails="4 axes"),
    ]


def _deconvolution() -> list[Case]:
    small, weight = (1, 2, 3, 4), (2, 4, 3, 3)
    up: dict[str, Any] = {"kernel": (3, 3), "num_filter": 4}
    return [
        deconv([small, weight], "plain", **up),
        deconv([small, weight, (4,)], "bias", **up),
        deconv([small, weight], "stride", **up, stride=(2, 2), pad=(1, 1)),
        deconv([small, weight], "adj", **up, stride=(2, 3), pad=(1, 1), adj=(1, 2)),
        deconv([small, weight], "dilate", **up, dilate=(2, 1), pad=(0, 1)),
        deconv([small, weight], "target", **up, stride=(2, 2), target_shape=(6, 8)),
        deconv([small, weight], "target_full", **up, stride=(2, 2), target_shape=(7, 9)),
        deconv([(1, 4, 3, 3), (4, 3, 3, 3)], "groups", kernel=(3, 3), num_filter=6, num_group=2),
        deconv(
            [(2, 3, 4, 4), (3, 1, 4, 4)],
            "depthwise",
            kernel=(4, 4),
            num_filter=3,
            num_group=3,
            stride=(2, 2),
            pad=(1, 1),
        ),
        deconv([(1, 2, 5), (2, 3, 3)], "1d", kernel=(3,), num_filter=3, stride=(2,)),
        deconv([(1, 2, 2, 3, 2), (2, 2, 2, 2, 2)], "3d", kernel=(2, 2, 2), num_filter=2, stride=(2, 1, 2)),
        deconv([(1, 3, 4, 2), (2, 3, 3, 4), (4,)], "nhwc", **up, stride=(2, 2), layout="NHWC"),
        deconv([(1, 2, 3), (2, 2, 2)], "tiny", kernel=(2,), num_filter=2, stride=(2,)),
        deconv(
            [(2, 16, 9, 9), (16, 24, 4, 4), (24,)],
            "larger",
            kernel=(4, 4),
            num_filter=24,
            stride=(2, 2),
            pad=(1, 1),
        ),
        deconv([(0, 2, 3, 4), weight], "empty", **up),
        Case("Deconvolution", [small, weight], {**up, "adj": (1, 1)}, fails="less than stride"),
        Case(
            "Deconvolution", [small, weight], {**up, "target_shape": (50, 50)}, fails="larger than the window"
        ),
    ]


CASES = _convolution() + _deconvolution()
