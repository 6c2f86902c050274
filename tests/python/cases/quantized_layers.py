"""Cases of what MXNet's fused layers of 8-bit arrays become: folded weights, and blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
from cases.quantization import (
    AB,
    ABC,
    CALIB,
    I8,
    IMAGE,
    PER,
    STEPS,
    WHOLE,
    WINDOW,
    bytes_of,
    case,
    conv_sums,
    fit,
    most,
    near,
    one,
    ranges,
    span,
)
from opcase import Array, Case, Spec


def fold(gamma: Array, beta: Array, mean: Array, var: Array, *bias: Array, **p: Any) -> tuple[Array, Array]:
    factor = (np.ones_like(gamma) if p.get("fix_gamma", True) else gamma) / np.sqrt(var + p.get("eps", 1e-3))
    return factor, beta + ((bias[0] if bias else 0) - mean) * factor


def rounded(w: Array, each: bool) -> tuple[Array, Array]:
    """Weights in 8 bits, and values per step of each unit."""
    axes = tuple(range(1, w.ndim))
    size = np.abs(w).max(axis=axes) if each else np.full(len(w), np.abs(w).max())
    scale = (127.5 / size).reshape((-1,) + (1,) * len(axes))
    return fit(w * scale, "int8"), 1 / scale.ravel()


def conv_block(x: Array, w: Array, *rest: Array, **p: Any) -> Any:
    given = list(rest)
    w = w * given.pop(0).reshape(-1, 1, 1, 1) if p.get("scaled") else w
    bias = 0 if p.get("no_bias") else given.pop(0)
    extra = given.pop(0) if p.get("with_sum") else None
    w8, step = rounded(w, "min_calib_range" in p)
    step = step * most(*given[:2]) / 127.5
    value = (conv_sums(x, w8, p) + np.rint(bias / step).reshape(-1, 1, 1)) * step.reshape(-1, 1, 1)
    acts = {"relu": lambda v: np.maximum(v, 0), "clip": lambda v: np.clip(v, 0, 6)}
    value = acts.get(p.get("act", ""), lambda v: v)(value)
    if extra is not None:
        value = acts.get(p.get("sum_act", ""), lambda v: v)(value + extra * most(*given[2:]) / 127.5)
    return finished(value, p, step[0], most(*given[:2]) / 127 * np.abs(w).max() / 127)


def finished(value: Array, p: dict[str, Any], step: float, whole: float) -> Any:
    if p.get("enable_float_output"):
        return value
    if "min_calib_range" not in p:
        return np.rint(value / step), one(-whole * WHOLE), one(whole * WHOLE)
    low, high = p["min_calib_range"], p["max_calib_range"]
    last = p.get("sum_act" if p.get("with_sum") else "act", "none")
    kind = "int8" if last == "none" else "uint8"
    out = fit(value * span(kind) / most(low, high), kind)
    return np.minimum(out, 127) if p.get("with_sum") else out, one(low), one(high)


def fc_block(x: Array, w: Array, *rest: Array, **p: Any) -> Any:
    given = list(rest)
    bias = 0 if p.get("no_bias") else given.pop(0)
    data = most(*given[:2])
    if p.get("float_weight"):
        w, step = rounded(w, "min_calib_range" in p or bool(p.get("enable_float_output")))
    else:
        step = np.full(len(w), most(*given[2:4]) / 127.5)
        bias = bias * (most(*given[4:]) / 127.5) if not p.get("no_bias") else 0
    step = step * data / 127.5
    value = (x.reshape(len(x), -1) @ w.T + np.rint(bias / step)) * step
    if p.get("act") == "relu":
        value = np.maximum(value, 0)
    return finished(value, p, step[0], 0)


def block(
    name: str, inputs: list[Any], params: dict[str, Any], ref: Any, steps: float, name_id: str = ""
) -> Case:
    return case(f"_quantized_{name}_block", inputs, params, check=near(ref, steps, **params), id=name_id)


REAL = Spec((3, 4, 3, 3), -1, 1, dtype="float32")
SUM = bytes_of(2, 3, 3, 4)

CASES = [
    case(
        "_fold_batch_norm",
        [*PER],
        {"no_bias": True},
        fold,
        states=lambda gamma, beta, mean, var, **_: (mean, var),
    ),
    case(
        "_fold_batch_norm",
        [*PER, Spec((3,), dtype="float32")],
        {"fix_gamma": False, "eps": 0.1},
        fold,
        id="bias",
    ),
    block(
        "conv",
        [IMAGE, REAL, PER[1], PER[0], *ranges(-1, 2)],
        {**WINDOW, "scaled": True, "act": "relu", **CALIB},
        conv_block,
        3,
        "scaled",
    ),
    block(
        "conv",
        [IMAGE, REAL, *ranges(-1, 2)],
        {**WINDOW, "no_bias": True, "act": "relu", **CALIB},
        conv_block,
        3,
    ),
    block(
        "conv",
        [IMAGE, REAL, PER[0], SUM, *ranges(-1, 2, -2, 1)],
        {**WINDOW, **STEPS, "with_sum": True, "sum_act": "relu", **CALIB},
        conv_block,
        3,
        "sum",
    ),
    block(
        "conv",
        [IMAGE, REAL, PER[0], *ranges(-1, 2)],
        {**WINDOW, "act": "clip", "enable_float_output": True},
        conv_block,
        0.05,
        "float",
    ),
    block("conv", [IMAGE, REAL, *ranges(-1, 2)], {**WINDOW, "no_bias": True}, conv_block, 400, "sums"),
    block(
        "fully_connected",
        [I8, Spec((5, 6), dtype="float32"), Spec((5,), dtype="float32"), *ranges(-1, 2)],
        {"num_hidden": 5, "float_weight": True, "act": "relu", **CALIB},
        fc_block,
        1,
    ),
    block(
        "fully_connected",
        [I8, bytes_of(5, 6), bytes_of(5), *ABC],
        {"num_hidden": 5, **CALIB},
        fc_block,
        1,
        "bytes",
    ),
    block(
        "fully_connected",
        [I8, bytes_of(5, 6), *AB],
        {"num_hidden": 5, "no_bias": True, "enable_float_output": True},
        fc_block,
        1e-4,
        "float",
    ),
]
