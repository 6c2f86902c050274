"""Operators that passes put into graphs for prediction."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import Array, Case, Spec

ONE: dict[str, Any] = {"rtol": 1e-4, "atol": 2e-5, "grad": False, "dtypes": ("float32",)}


def finish(x: Array, activation: str = "none", low: float = 0, high: float = 0) -> Array:
    if activation == "clamp":
        return np.clip(x, low, high)
    if activation == "leaky":
        return np.where(x > 0, x, low * x)
    if activation == "tanh":
        return np.tanh(x)
    return 1 / (1 + np.exp(-x)) if activation == "sigmoid" else x


def to_blocked(x: Array, **_: Any) -> Array:
    padded = np.pad(x, [(0, 0), (0, -x.shape[1] % 16)] + [(0, 0)] * (x.ndim - 2))
    return np.moveaxis(padded.reshape(x.shape[0], padded.shape[1] // 16, 16, *x.shape[2:]), 2, -1)


def to_plain(x: Array, channels: int, **_: Any) -> Array:
    y = np.moveaxis(x, -1, 2)
    return y.reshape(x.shape[0], x.shape[1] * 16, *y.shape[3:])[:, :channels]


def convolve(x: Array, w: Array, kernel: Any, pad: Any, **_: Any) -> Array:
    """One group, steps of one."""
    padded = np.pad(x, [(0, 0), (0, 0)] + [(p, p) for p in pad])
    windows = np.lib.stride_tricks.sliding_window_view(padded, kernel, axis=(2, 3))
    return np.einsum("nchwij,fcij->nfhw", windows, w)


def fused(
    *inputs: Array,
    no_bias: bool = False,
    norm: bool = False,
    residual: bool = False,
    eps: float = 1e-3,
    fix_gamma: bool = True,
    data_layout: str = "plain",
    out_layout: str = "plain",
    activation: str = "none",
    low: float = 0,
    high: float = 0,
    **window: Any,
) -> Array:
    x, w, *rest = inputs
    if data_layout == "blocked":
        x = to_plain(x, w.shape[1])
    y = convolve(x, w, **window)
    spread = (-1, 1, 1)
    if not no_bias:
        y = y + rest.pop(0).reshape(spread)
    if norm:
        gamma, beta, mean, var = (rest.pop(0).reshape(spread) for _ in range(4))
        y = (y - mean) / np.sqrt(var + eps) * (1 if fix_gamma else gamma) + beta
    if out_layout == "blocked":
        y = to_blocked(y)
    return finish(y + rest[0] if residual else y, activation, low, high)


def chain(
    *inputs: Array,
    num_expanded: int,
    num_filter: int,
    kernel: Any,
    stride: Any,
    pad: Any,
    expand_kernel: Any = None,
    expand_stride: Any = (1, 1),
    expand_pad: Any = (0, 0),
    no_bias: bool = False,
    norm: bool = False,
    residual: bool = False,
    data_layout: str = "blocked",
    inner: str = "none",
    inner_low: float = 0,
    inner_high: float = 0,
    **end: Any,
) -> Array:
    """Convolutions one after another; those with steps are computed in steps of one first."""
    x, *rest = inputs
    if data_layout == "blocked":
        x = to_plain(x, rest[0].shape[1] if expand_kernel else num_expanded)
    filters = (num_expanded, num_expanded, num_filter)
    windows = [(expand_kernel, expand_stride, expand_pad), (kernel, stride, pad), ((1, 1), (1, 1), (0, 0))]
    for i, (window, steps, padding) in enumerate(windows):
        if not window:
            continue
        w = rest.pop(0)
        if i == 1:
            w = np.eye(num_expanded, dtype=w.dtype)[:, :, None, None] * w
        x = convolve(x, w, window, padding)[:, :, :: steps[0], :: steps[1]]
        spread = (-1, 1, 1)
        if not no_bias:
            x = x + rest.pop(0).reshape(spread)
        if norm:
            _, beta, mean, var = (rest.pop(0).reshape(spread) for _ in range(4))
            x = (x - mean) / np.sqrt(var + 1e-3) + beta
        if i < 2:
            x = finish(x, inner, inner_low, inner_high)
        assert x.shape[1] == filters[i]
    x = to_blocked(x)
    return finish(x + rest[0] if residual else x, **{k: v for k, v in end.items() if k != "dilate"})


def chained(inputs: list[Any], name: str, fails: str = "", **params: Any) -> Case:
    window = {"kernel": (3, 3), "stride": (1, 1), "dilate": (1, 1), "pad": (1, 1)}
    facts = {**window, "num_expanded": 40, "num_filter": 20, "no_bias": True, **params}
    if fails:
        return Case("_fused_convolution_chain", inputs, facts, fails=fails, **ONE)
    return Case("_fused_convolution_chain", inputs, facts, ref=chain, id=name, **ONE)


def _chains() -> list[Case]:
    depthwise, project, relu6 = (40, 1, 3, 3), (20, 40, 1, 1), {"inner": "clamp", "inner_high": 6.0}
    ones: dict[str, Any] = {"expand_kernel": (1, 1), "expand_stride": (1, 1), "expand_pad": (0, 0)}
    first: dict[str, Any] = {"expand_kernel": (3, 3), "expand_stride": (2, 2), "expand_pad": (1, 1)}
    norms = [[(n,)] * 3 + [Spec((n,), low=0.5, high=2)] for n in (40, 40, 20)]
    big = [(2, 2, 40, 50, 16), (144, 24, 1, 1), (144, 1, 3, 3), (24, 144, 1, 1), (2, 2, 40, 50, 16)]
    return [
        chained([(2, 3, 6, 5, 16), depthwise, project], "two", **relu6),
        chained([(2, 2, 7, 6, 16), (40, 24, 1, 1), depthwise, project], "three", **ones, **relu6),
        chained(
            [(1, 2, 6, 6, 16), (40, 24, 1, 1), (40,), depthwise, (40,), project, (20,), (1, 2, 6, 6, 16)],
            "bias and residual",
            no_bias=False,
            residual=True,
            inner="sigmoid",
            activation="leaky",
            low=0.1,
            **ones,
        ),
        chained([(1, 3, 7, 7, 16), depthwise, (40,), project, (20,)], "steps", no_bias=False, stride=(2, 2)),
        chained(
            [(2, 3, 11, 10), (40, 3, 3, 3), *norms[0], depthwise, *norms[1], project, *norms[2]],
            "few channels",
            norm=True,
            data_layout="plain",
            **first,
            **relu6,
        ),
        # Bands of rows, kept from one to the next.
        chained(big, "bands", num_expanded=144, num_filter=24, residual=True, **ones, **relu6),
        chained(
            [big[0], big[1], (144, 1, 5, 5), big[3]],
            "bands in steps",
            num_expanded=144,
            num_filter=24,
            kernel=(5, 5),
            stride=(2, 2),
            pad=(2, 2),
            **ones,
        ),
        chained(
            [(1, 3, 90, 110), (40, 3, 3, 3), (40, 1, 3, 3), project],
            "bands of few channels",
            data_layout="plain",
            **{**first, "expand_stride": (1, 1)},
        ),
        chained([(0, 3, 6, 5, 16), depthwise, project], "empty"),
        chained([(1, 3, 6, 5, 16), depthwise], "", fails="got 2 inputs; expected 3"),
        chained([(1, 3, 6, 5, 16), depthwise, project], "", fails="expected 2 numbers from 1", stride=(1,)),
        chained([(1, 3, 1, 1, 16), depthwise, project], "", fails="larger than its image", pad=(0, 0)),
        chained(
            [(1, 3, 8, 2), (40, 3, 3, 3), depthwise, project],
            "",
            fails="larger than its image",
            data_layout="plain",
            pad=(1, 2),
            **{**first, "expand_stride": (1, 1), "expand_pad": (0, 0)},
        ),
        chained(
            [(1, 3, 1, 9), (40, 3, 3, 3), depthwise, project],
            "",
            fails="larger than its image",
            data_layout="plain",
            **{**first, "expand_pad": (0, 0)},
        ),
        chained(
            [(1, 0, 8, 8), (40, 0, 3, 3), depthwise, project],
            "",
            fails="expected at least 1 channel",
            data_layout="plain",
            **first,
        ),
    ]


def fully_connected(
    x: Array, w: Array, b: Array | None = None, flatten: bool = True, num_hidden: int = 0, **end: Any
) -> Array:
    y = (x.reshape(x.shape[0], -1) if flatten else x) @ w.T
    return finish(y if b is None else y + b, **{k: v for k, v in end.items() if k != "no_bias"})


def conv(inputs: list[Any], name: str, **params: Any) -> Case:
    window = {"kernel": (3, 3), "stride": (1, 1), "dilate": (1, 1), "pad": (1, 1)}
    return Case("_fused_convolution", inputs, {**window, **params}, ref=fused, id=name, **ONE)


def norm_again(
    x: Array, gamma: Array, beta: Array, mean: Array, inverse: Array, fix_gamma: bool = True, axis: int = 1
) -> Array:
    spread = [1] * x.ndim
    spread[axis] = -1
    scale = inverse if fix_gamma else gamma * inverse
    return (x - mean.reshape(spread)) * scale.reshape(spread) + beta.reshape(spread)


def _cases() -> list[Case]:
    data, weight, per = (2, 3, 6, 5), (4, 3, 3, 3), (4,)
    out, var = (2, 4, 6, 5), Spec((4,), low=0.5, high=2)
    norm = [per, per, per, var]
    return [
        conv([data, weight, per], "bias", num_filter=4),
        conv([data, weight], "relu", num_filter=4, no_bias=True, activation="clamp", high=6.0),
        conv([data, weight, per, *norm], "norm", num_filter=4, norm=True, eps=0.01),
        conv(
            [data, weight, *norm, out],
            "all",
            num_filter=4,
            no_bias=True,
            norm=True,
            fix_gamma=False,
            residual=True,
            activation="leaky",
            low=0.1,
        ),
        conv([(1, 2, 6, 6, 16), (16, 32, 3, 3), (16,)], "blocked", num_filter=16, data_layout="blocked"),
        conv(
            [(1, 16, 6, 6), (20, 16, 3, 3), (1, 2, 6, 6, 16)],
            "residual",
            num_filter=20,
            no_bias=True,
            residual=True,
            out_layout="blocked",
            activation="clamp",
            high=1.0,
        ),
        conv([(0, 3, 6, 5), weight, per], "empty", num_filter=4),
        Case(
            "_fused_convolution",
            [data, weight],
            {"kernel": (3, 3), "stride": (1, 1), "dilate": (1, 1), "pad": (1, 1), "num_filter": 4},
            fails="got 2 inputs; expected 3",
            **ONE,
        ),
        Case(
            "_fused_convolution",
            [data, weight],
            {"kernel": (3, 3), "stride": (1,), "dilate": (1, 1), "pad": (1, 1), "num_filter": 4},
            fails="expected 2 numbers from 1",
            **ONE,
        ),
        Case("_fused_fully_connected", [(3, 2, 4), (5, 8), (5,)], {"num_hidden": 5}, fully_connected, **ONE),
        Case(
            "_fused_fully_connected",
            [(3, 2, 4), (5, 4)],
            {"num_hidden": 5, "no_bias": True, "flatten": False, "activation": "tanh"},
            fully_connected,
            id="rows",
            **ONE,
        ),
        Case(
            "_batch_norm_again", [(2, 3, 5), (3,), (3,), (3,), (3,)], {"fix_gamma": False}, norm_again, **ONE
        ),
        Case(
            "_batch_norm_again",
            [(2, 5, 3), (3,), (3,), (3,), (3,)],
            {"axis": -1},
            norm_again,
            id="last",
            **ONE,
        ),
        Case("_batch_norm_again", [(2, 3), (3,), (3,), (3,), (2,)], {}, fails="inverse", **ONE),
        Case("_to_blocked", [(2, 20, 3)], {}, to_blocked, **ONE),
        Case("_to_blocked", [(1, 16, 2, 3)], {}, to_blocked, id="2d", **ONE),
        Case("_to_blocked", [(1, 16)], {}, fails="batch, channels and positions", **ONE),
        Case("_to_plain", [(2, 2, 3, 16)], {"channels": 20}, to_plain, **ONE),
        Case("_to_plain", [(2, 2, 3, 16)], {"channels": 40}, fails="no image of 40 channels", **ONE),
    ]


CASES = _cases() + _chains()
