"""AdamW for one weight and several, and LAMB for several."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import Array, Case, Spec

HALF = ("float16", "bfloat16")
WIDE = ("float32", "float64")
POSITIVE = Spec((3, 4), 0.5, 2.0)
TIGHT: dict[str, Any] = {"rtol": 1e-4, "atol": 1e-5}
Params = dict[str, Any]


def clip(g: Array, limit: float) -> Array:
    return g if limit < 0 else np.clip(g, -limit, limit)


def moments(g: Array, mean: Array, var: Array, p: Params) -> tuple[Array, Array]:
    b1, b2 = p.get("beta1", 0.9), p.get("beta2", 0.999)
    return b1 * mean + (1 - b1) * g, b2 * var + (1 - b2) * g * g


def adamw(w: Array, g: Array, mean: Array, var: Array, scale: float, **p: Any) -> tuple[Array, Array, Array]:
    if not np.isfinite(scale) or scale == 0:
        return w, mean, var
    mean, var = moments(clip(g * scale, p.get("clip_gradient", -1)), mean, var, p)
    step = p["lr"] * mean / (np.sqrt(var) + p.get("epsilon", 1e-8)) + p.get("wd", 0) * w
    return w - p["eta"] * step, mean, var


def lamb(w: Array, g: Array, mean: Array, var: Array, **p: Any) -> tuple[Array, Array, Array]:
    mean, var = moments(clip(g * p.get("rescale_grad", 1), p.get("clip_gradient", -1)), mean, var, p)
    m, v = mean, var
    if p.get("bias_correction", True):
        m, v = mean / (1 - p.get("beta1", 0.9) ** p["t"]), var / (1 - p.get("beta2", 0.999) ** p["t"])
    step = m / (np.sqrt(v) + p.get("epsilon", 1e-6)) + p["wd"] * w
    first, second = np.linalg.norm(w), np.linalg.norm(step)
    if p.get("lower_bound", -1) >= 0:
        first = max(first, p["lower_bound"])
    if p.get("upper_bound", -1) >= 0:
        first = min(first, p["upper_bound"])
    ratio = first / second if first and second else 1
    return w - p["lr"] * ratio * step, mean, var


def single(scale: float, params: Params, **more: Any) -> list[Case]:
    """_adamw_update and its mixed form, with that factor of the gradient."""
    factor = np.array([scale], np.float32)
    own = Spec((3, 4), dtype="float32")

    def plain(w: Array, g: Array, m: Array, v: Array, s: Array, **p: Any) -> Any:
        return adamw(w, g, m, v, float(s[0]), **p)

    def mixed(w: Array, g: Array, m: Array, v: Array, w32: Array, s: Array, **p: Any) -> Any:
        return adamw(w32 if np.isfinite(s[0]) and s[0] else w, g, m, v, float(s[0]), **p)

    def kept(w: Array, g: Array, m: Array, v: Array, w32: Array, s: Array, **p: Any) -> Any:
        new = adamw(w32, g, m, v, float(s[0]), **p)
        return new[1], new[2], new[0]

    return [
        Case(
            "_adamw_update",
            [(3, 4), (3, 4), (3, 4), POSITIVE, factor],
            params,
            lambda *a, **p: plain(*a, **p)[0],
            states=lambda *a, **p: plain(*a, **p)[1:],
            **TIGHT,
            **more,
        ),
        Case(
            "_mp_adamw_update",
            [(3, 4), (3, 4), own, Spec((3, 4), 0.5, 2, dtype="float32"), own, factor],
            params,
            lambda *a, **p: mixed(*a, **p)[0],
            states=kept,
            dtypes=HALF,
            **TIGHT,
            **more,
        ),
    ]


def several(op: str, fn: Any, lists: Params, params: Params, scale: float | None, mixed: bool) -> Case:
    """Two weights of different shapes, each with its own numbers."""
    size = 5 if mixed else 4
    own = "float32" if mixed else None
    inputs: list[Any] = []
    for shape in ((3, 4), (5,)):
        inputs += [shape, shape, Spec(shape, dtype=own), Spec(shape, 0.5, 2, dtype=own)]
        inputs += [Spec(shape, dtype="float32")] if mixed else []
    if scale is not None:
        inputs.append(np.array([scale], np.float32))

    def ref(*arrays: Array, **_: Any) -> Any:
        new = []
        for i in range(2):
            group = arrays[i * size : i * size + size]
            one = {**params, **{name: values[i] for name, values in lists.items()}}
            extra = [] if scale is None else [scale]
            new.append(fn(group[-1] if mixed else group[0], *group[1:4], *extra, **one)[0])
        return tuple(new)

    names = {
        "lr": "lrs" if scale is not None else "learning_rates",
        "wd": "wds",
        "eta": "etas",
        "t": "step_count",
    }
    count = {"num_weights": 2} if scale is not None else {"num_tensors": 2}
    given = {**params, **{names[name]: values for name, values in lists.items()}, **count}
    dtypes = HALF if mixed else (WIDE if scale is None else ("float32", "float64", "float16"))
    return Case(op, inputs, given, ref, dtypes=dtypes, grad=False, **TIGHT)


ADAMW = {"lr": 0.125, "eta": 0.5, "wd": 0.0625}
RATES = {"lr": (0.125, 0.25), "wd": (0.0625, 0.5), "eta": (0.5, 1.0)}
LAMB = {"lr": (0.125, 0.25), "wd": (0.0625, 0.5), "t": (1, 7)}
CASES = [
    *single(0.5, ADAMW),
    *single(
        1.0, {**ADAMW, "clip_gradient": 0.25, "beta1": 0.5, "beta2": 0.75, "epsilon": 0.125}, id="options"
    ),
    *single(float("inf"), ADAMW, id="infinite"),
    *single(float("nan"), ADAMW, id="nan"),
    *single(0.0, ADAMW, id="zero"),
    Case("_adamw_update", [(2,), (2,), (2,), (2,), (3,)], ADAMW, fails="rescale_grad must have one element"),
    *(
        several(f"_multi_{'mp_' if mixed else ''}adamw_update", adamw, RATES, params, 0.5, mixed)
        for mixed in (False, True)
        for params in ({}, {"clip_gradient": 0.25, "beta1": 0.5})
    ),
    Case(
        "_multi_adamw_update",
        [(2,)] * 4 + [(1,)],
        {"lrs": (1, 2), "wds": (0,), "etas": (1,), "num_weights": 1},
        fails="got 2 lrs, 1 wds and 1 etas; expected num_weights = 1",
    ),
    *(
        several(f"_multi_{'mp_' if mixed else ''}lamb_update", lamb, LAMB, params, None, mixed)
        for mixed in (False, True)
        for params in (
            {},
            {"rescale_grad": 0.5, "clip_gradient": 0.25, "upper_bound": 0.5},
            {"bias_correction": False, "lower_bound": 9.0},
        )
    ),
    Case(
        "_multi_lamb_update",
        [(2,)] * 4,
        {"learning_rates": (1,), "wds": (0,), "step_count": (1, 2)},
        fails="got 1 learning_rates, 1 wds and 2 step counts; expected num_tensors = 1",
    ),
    Case(
        "_multi_lamb_update",
        [(2,)] * 4,
        {"learning_rates": (1,), "wds": (0,), "step_count": (0,)},
        fails="'step_count' got (0,); expected tuple of int >= 1",
    ),
]
