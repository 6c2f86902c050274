"""Cases of 8-bit arrays: rounding, layers, and what moves them."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import Array, Case, Spec

WHOLE = 2147483648.0
RNG = np.random.default_rng(7)


def one(value: float) -> Array:
    return np.array([value], np.float32)


def span(kind: str) -> float:
    return 255.5 if kind == "uint8" else 127.5


def fit(x: Any, kind: str) -> Array:
    return np.clip(np.rint(x), 0 if kind == "uint8" else -128, 255 if kind == "uint8" else 127)


def most(low: Any, high: Any) -> float:
    return float(np.maximum(np.abs(low), np.abs(high)).ravel()[0])


def ends(kind: str, low: float, high: float) -> tuple[Array, Array]:
    size = most(low, high)
    return (one(low), one(high)) if kind == "uint8" else (one(-size), one(size))


def bytes_of(*shape: int, kind: str = "int8") -> Array:
    return RNG.integers(0 if kind == "uint8" else -127, 256 if kind == "uint8" else 128, shape).astype(kind)


def quantize(x: Array, low: Array, high: Array, out_type: str = "uint8") -> tuple[Array, ...]:
    levels = 255 if out_type == "uint8" else 127
    return fit(x * levels / most(low, high), out_type), *ends(out_type, low[0], high[0])


def quantize_v2(x: Array, out_type: str = "int8", **calib: float) -> tuple[Array, ...]:
    low, high = calib.get("min_calib_range"), calib.get("max_calib_range")
    if out_type == "auto":
        out_type = "uint8" if low is not None and low >= 0 else "int8"
    if low is None or high is None:
        low, high = x.min(), x.max()
    return fit(x * (span(out_type) / most(low, high)), out_type), *ends(out_type, low, high)


def quantize_asym(x: Array, **calib: float) -> tuple[Array, ...]:
    low, high = calib.get("min_calib_range", x.min()), calib.get("max_calib_range", x.max())
    scale = 255 / (high - low)
    shift = 255 - high * scale
    return fit(x * scale + shift, "uint8"), one(scale), one(shift)


def asis(x: Array, out_type: str = "int8") -> tuple[Array, ...]:
    return x, one(-127.5), one(127.5)


def dequantize(kind: str) -> Any:
    return lambda x, low, high: x * most(low, high) / span(kind)


def requantize(
    x: Array, low: Array, high: Array, out_type: str = "int8", **calib: float
) -> tuple[Array, ...]:
    step = most(low, high) / (WHOLE - 1)
    size = np.abs(x).max() * step
    if calib:
        size = most(calib["min_calib_range"], calib["max_calib_range"])
    levels = 127 if out_type == "int8" else 255
    return fit(x * step * levels / size, out_type), one(-size if out_type == "int8" else 0), one(size)


def windows(x: Array, w: Array, stride: int, pad: int, groups: int = 1) -> Array:
    x = np.pad(x, [(0, 0), (0, 0), (pad, pad), (pad, pad)])
    high = (x.shape[2] - w.shape[2]) // stride + 1
    wide = (x.shape[3] - w.shape[3]) // stride + 1
    out = np.zeros((x.shape[0], w.shape[0], high, wide))
    each, filters = x.shape[1] // groups, w.shape[0] // groups
    for g in range(groups):
        part, mine = x[:, g * each : (g + 1) * each], slice(g * filters, (g + 1) * filters)
        for i in range(high):
            for j in range(wide):
                at = part[:, :, i * stride :, j * stride :][:, :, : w.shape[2], : w.shape[3]]
                out[:, mine, i, j] = np.einsum("nchw,fchw->nf", at, w[mine])
    return out


def conv_sums(x: Array, w: Array, p: dict[str, Any]) -> Array:
    return windows(x, w, p.get("stride", (1, 1))[0], p.get("pad", (0, 0))[0], p.get("num_group", 1))


def conv(x: Array, w: Array, *rest: Array, **p: Any) -> tuple[Array, ...]:
    ranges = rest if p.get("no_bias") else rest[1:]
    step = most(*ranges[:2]) / 127 * most(*ranges[2:4]) / 127
    out = conv_sums(x, w, p)
    if not p.get("no_bias"):
        out += np.rint(rest[0] * (most(*ranges[4:]) / 127 / step))[:, None, None]
    return out, one(-step * WHOLE), one(step * WHOLE)


def dense(kind: str) -> Any:
    def ref(x: Array, w: Array, *rest: Array, no_bias: bool = False, **_: Any) -> tuple[Array, ...]:
        ranges = rest if no_bias else rest[1:]
        step = most(*ranges[:2]) / (255 if kind == "uint8" else 127) * most(*ranges[2:4]) / 127
        out = x.reshape(len(x), -1) @ w.T
        if not no_bias:
            steps = span(kind) / most(*ranges[:2]) * 127.5 / most(*ranges[2:4])
            out = out + np.trunc(rest[0] * most(*ranges[4:]) / 127.5 * steps)
        return out, one(-step * WHOLE), one(step * WHOLE)

    return ref


def pool(x: Array, low: Array, high: Array, pool_type: str = "max", **p: Any) -> tuple[Array, ...]:
    size, stride = p["kernel"][0], p.get("stride", (1, 1))[0]
    outs = [
        [
            getattr(x[:, :, i : i + size, j : j + size], "max" if pool_type == "max" else "mean")(axis=(2, 3))
            for j in range(0, x.shape[3] - size + 1, stride)
        ]
        for i in range(0, x.shape[2] - size + 1, stride)
    ]
    return np.rint(np.moveaxis(np.array(outs), (0, 1), (2, 3))), low, high


def concat(*given: Array, num_args: int, dim: int = 1) -> tuple[Array, ...]:
    arrays, ranges = given[:num_args], given[num_args:]
    low, high = min(r[0] for r in ranges[::2]), max(r[0] for r in ranges[1::2])
    size = most(low, high)
    parts = [fit(x * (most(*ranges[2 * i : 2 * i + 2]) / size), "int8") for i, x in enumerate(arrays)]
    return np.concatenate(parts, dim), one(low), one(high)


def add(a: Array, b: Array, *r: Array, **calib: float) -> tuple[Array, ...]:
    left, right = most(*r[:2]), most(*r[2:])
    value = a * left / 127.5 + b * right / 127.5
    if calib:
        low, high = calib["min_calib_range"], calib["max_calib_range"]
        return fit(value * 127.5 / most(low, high), "int8"), one(low), one(high)
    return value * ((WHOLE - 1) / (left + right)), one(-left - right), one(left + right)


def mul(a: Array, b: Array, *r: Array, enable_float_output: bool = False, **calib: float) -> Any:
    size = most(*r[:2]) * most(*r[2:])
    if enable_float_output:
        return a * b * size / 127.5**2
    if calib:
        low, high = calib["min_calib_range"], calib["max_calib_range"]
        value = a * b * size / 127.5 / most(low, high)
        return np.clip(np.trunc(value), -128, 127), one(low), one(high)
    return a * b, one(-size / 127**2 * WHOLE), one(size / 127**2 * WHOLE)


def norm(
    x: Array, gamma: Array, beta: Array, mean: Array, var: Array, *r: Array, **p: Any
) -> tuple[Array, ...]:
    low, high = p["min_calib_range"], p["max_calib_range"]
    shape = (-1,) + (1,) * (x.ndim - 2)
    real = x * most(*r) / 127.5 - mean.reshape(shape)
    real = real * (gamma / np.sqrt(var + p.get("eps", 1e-3))).reshape(shape) + beta.reshape(shape)
    return fit(real * 127.5 / most(low, high), "int8"), one(low), one(high)


def widest(outputs: list[Array], inputs: list[Array]) -> None:
    assert outputs[0].tolist() == [inputs[1][-1]]  # there is no other threshold
    assert np.isfinite(outputs[1]).all()


def near(ref: Any, steps: float, **params: Any) -> Any:
    """Compares with what rounds at another place: weights, sums or their product."""

    def check(outputs: list[Array], inputs: list[Array]) -> None:
        expected = ref(*inputs, **params)
        expected = expected if isinstance(expected, tuple) else (expected,)
        assert len(outputs) == len(expected)
        for i, (got, want) in enumerate(zip(outputs, expected)):
            np.testing.assert_allclose(got, want, 1e-4, 0 if i else steps)

    return check


def case(op: str, inputs: list[Any], params: dict[str, Any], ref: Any = None, **more: Any) -> Case:
    return Case(op, inputs, params, ref, grad=False, dtypes=("float32",), **more)


def ranges(*values: float) -> list[Array]:
    return [one(v) for v in values]


X = (RNG.integers(-300, 300, (3, 7)) / 100 + 0.003).astype(np.float32)
I8, U8, I8B = bytes_of(2, 6), bytes_of(2, 6, kind="uint8"), bytes_of(2, 6)
I32 = RNG.integers(-(2**30), 2**30, (3, 5)).astype(np.int32)
IMAGE, IMAGE_U, FILTERS = bytes_of(2, 4, 6, 7), bytes_of(2, 4, 6, 7, kind="uint8"), bytes_of(3, 4, 3, 3)
WINDOW = {"kernel": (3, 3), "num_filter": 3}
STEPS = {"stride": (2, 2), "pad": (1, 1)}
AB, ABC = ranges(-1, 2, -0.5, 0.25), ranges(-1, 2, -0.5, 0.25, -0.1, 0.05)
CALIB = {"min_calib_range": -2.0, "max_calib_range": 3.0}
PER = [Spec((3,), 0.5, 2, dtype="float32") for _ in range(4)]
HIST = np.array([1, 5, 9, 2, 4], np.float32)
Q = "_contrib_quantized_"

CASES = [
    case("_contrib_quantize", [X, *ranges(-1, 2.5)], {"out_type": "int8"}, quantize),
    case("_contrib_quantize", [X, *ranges(0, 2.5)], {}, quantize, id="unsigned"),
    case("_contrib_quantize", [X, *ranges(0, 1)], {"out_type": "auto"}, fails="int8 or uint8", id="auto"),
    case("_contrib_quantize_v2", [X], {}, check=near(quantize_v2, 1)),
    case("_contrib_quantize_v2", [X], {"out_type": "uint8", **CALIB}, quantize_v2, id="unsigned"),
    case(
        "_contrib_quantize_v2",
        [X],
        {"out_type": "auto", "min_calib_range": 0.0, "max_calib_range": 2.0},
        quantize_v2,
        id="auto",
    ),
    case("_contrib_quantize_v2", [I8], {}, asis, id="as-it-is"),
    case(
        "_contrib_quantize_v2", [np.zeros((0, 3), np.float32)], {}, lambda x: (x, one(0), one(0)), id="empty"
    ),
    case("_contrib_quantize_v2", [I32], {}, fails="expected float32, int8 or uint8", id="integers"),
    case("_contrib_quantize_asym", [X], {}, check=near(quantize_asym, 1)),
    case("_contrib_quantize_asym", [X], CALIB, check=near(quantize_asym, 1, **CALIB), id="known"),
    case(
        "_contrib_quantize_asym",
        [np.full((3,), 2, np.float32)],
        {},
        lambda x: (np.full(x.shape, 255.0), one(1), one(253 if x.size else 255)),
        id="equal",
    ),
    case("_contrib_quantize_asym", [I8], {}, fails="expected float32", id="bytes"),
    case("_contrib_dequantize", [I8, *ranges(-1, 2)], {}, dequantize("int8")),
    case("_contrib_dequantize", [U8, *ranges(0, 2)], {}, dequantize("uint8"), id="unsigned"),
    case("_contrib_dequantize", [I32, *ranges(0, 2)], {}, fails="int8 or uint8", id="integers"),
    case("_contrib_requantize", [I32, *ranges(-10, 20)], {}, requantize),
    case("_contrib_requantize", [I32, *ranges(-10, 20)], CALIB, requantize, id="known"),
    case(
        "_contrib_requantize",
        [I32, *ranges(-10, 20)],
        {"out_type": "uint8", **CALIB},
        requantize,
        id="unsigned",
    ),
    case(Q + "conv", [IMAGE, FILTERS, *AB], {**WINDOW, "no_bias": True}, conv),
    case(Q + "conv", [IMAGE_U, FILTERS, *AB], {**WINDOW, **STEPS, "no_bias": True}, conv, id="unsigned"),
    case(Q + "conv", [IMAGE, FILTERS, bytes_of(3), *ABC], {**WINDOW, **STEPS}, conv, id="bias"),
    case(
        Q + "conv",
        [IMAGE, bytes_of(4, 1, 3, 3), *AB],
        {"kernel": (3, 3), "num_filter": 4, "num_group": 4, **STEPS, "no_bias": True},
        conv,
        id="depthwise",
    ),
    case(
        Q + "conv",
        [IMAGE, bytes_of(4, 1, 3, 3), *AB],
        {"kernel": (3, 3), "num_filter": 4, "num_group": 4, "pad": (1, 1), "no_bias": True},
        conv,
        id="planes",
    ),
    case(
        Q + "conv",
        [IMAGE, bytes_of(4, 2, 3, 3), *AB],
        {"kernel": (3, 3), "num_filter": 4, "num_group": 2, "no_bias": True},
        conv,
        id="groups",
    ),
    case(
        Q + "conv",
        [bytes_of(1, 37, 9, 11), bytes_of(9, 37, 1, 1), *AB],
        {"kernel": (1, 1), "num_filter": 9, "no_bias": True},
        conv,
        id="points",
    ),
    case(
        Q + "conv",
        [IMAGE, FILTERS, *AB],
        {**WINDOW, "no_bias": True, "layout": "NHWC"},
        fails="channels first",
        id="last",
    ),
    case(Q + "conv", [bytes_of(0, 4, 6, 7), FILTERS, *AB], {**WINDOW, "no_bias": True}, conv, id="empty"),
    case(Q + "fully_connected", [I8, bytes_of(5, 6), *AB], {"num_hidden": 5, "no_bias": True}, dense("int8")),
    case(
        Q + "fully_connected",
        [U8, bytes_of(5, 6), bytes_of(5), *ABC],
        {"num_hidden": 5},
        dense("uint8"),
        id="unsigned",
        atol=1.0,
    ),
    case(
        Q + "fully_connected",
        [bytes_of(70, 133), bytes_of(37, 133), *AB],
        {"num_hidden": 37, "no_bias": True},
        dense("int8"),
        id="large",
    ),
    case(
        Q + "fully_connected",
        [I8, U8, *AB],
        {"num_hidden": 2, "no_bias": True},
        fails="expected int8",
        id="weight",
    ),
    case(Q + "pooling", [IMAGE, *ranges(-1, 2)], {"kernel": (2, 2), "stride": (2, 2)}, pool),
    case(Q + "pooling", [IMAGE_U, *ranges(0, 2)], {"kernel": (3, 3), "pool_type": "avg"}, pool, id="mean"),
    case(
        Q + "pooling",
        [IMAGE, *ranges(0, 2)],
        {"kernel": (3, 3), "pool_type": "sum"},
        fails="expected max or avg",
        id="sum",
    ),
    case(
        Q + "act", [I8, *ranges(-1, 2)], {"act_type": "relu"}, lambda x, a, b, **_: (np.maximum(x, 0), a, b)
    ),
    case(Q + "act", [I8, *ranges(-1, 2)], {"act_type": "tanh"}, fails="relu", id="tanh"),
    case(Q + "flatten", [IMAGE, *ranges(-1, 2)], {}, lambda x, a, b: (x.reshape(len(x), -1), a, b)),
    case(Q + "concat", [I8, I8B, *ranges(-1, 2, -3, 1)], {"num_args": 2, "dim": 0}, concat),
    case(
        Q + "concat",
        [I8, bytes_of(3, 6), *ranges(-1, 2, -3, 1)],
        {"num_args": 2},
        fails="differ only along",
        id="rows",
    ),
    case(Q + "elemwise_add", [I8, I8B, *ranges(-1, 2, -3, 1)], {}, check=near(add, 500)),
    case(Q + "elemwise_add", [I8, I8B, *ranges(-1, 2, -3, 1)], CALIB, add, id="known"),
    case(Q + "elemwise_mul", [I8, I8B, *ranges(-1, 2, -3, 1)], {}, mul),
    case(
        Q + "elemwise_mul", [I8, I8B, *ranges(-1, 2, -3, 1)], CALIB, check=near(mul, 1, **CALIB), id="known"
    ),
    case(
        Q + "elemwise_mul", [I8, I8B, *ranges(-1, 2, -3, 1)], {"enable_float_output": True}, mul, id="float"
    ),
    case(
        Q + "batch_norm",
        [bytes_of(2, 3, 4), *PER, *ranges(-1, 2)],
        CALIB,
        norm,
        states=lambda x, gamma, beta, mean, var, *_, **__: (mean, var),
    ),
    case(
        Q + "batch_norm", [bytes_of(2, 3, 4), *PER, *ranges(-1, 2)], {}, fails="expected both", id="unknown"
    ),
    case(
        Q + "embedding",
        [np.array([0, 3, 9.0, -4]), bytes_of(4, 5), *ranges(-1, 2)],
        {"input_dim": 4, "output_dim": 5},
        lambda i, w, a, b, **_: (w[np.clip(i.astype(int), 0, 3)], a, b),
    ),
    case(
        "_contrib_calibrate_entropy",
        [HIST, np.arange(6, dtype=np.float32) - 2.5],
        {"num_quantized_bins": 5},
        check=widest,
    ),
    case("_contrib_calibrate_entropy", [HIST[:4], X[0, :5]], {}, fails="odd number", id="even"),
    case("_contrib_calibrate_entropy", [HIST, X[0, :6]], {}, fails="at least 255", id="few"),
]
