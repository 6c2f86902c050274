"""Updates of weights: the new weight and the states that change in place."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from opcase import FLOATS, Array, Case, Spec

HALF = ("float16", "bfloat16")
WEIGHT, GRAD, STATE = (3, 4), (3, 4), (3, 4)
POSITIVE = Spec((3, 4), 0.5, 2.0)
COMMON: dict[str, Any] = {"lr": 0.125, "wd": 0.0625, "rescale_grad": 0.5}
CLIPPED: dict[str, Any] = {**COMMON, "clip_gradient": 0.25}

Params = dict[str, Any]
# (weight, grad, states, params) to the new weight and the new states.
Update = Callable[[Array, Array, list[Array], Params], tuple[Array, list[Array]]]


def clip(x: Array, p: Params, name: str = "clip_gradient") -> Array:
    limit = p.get(name, -1)
    return x if limit < 0 else np.clip(x, -limit, limit)


def apart(w: Array, g: Array, p: Params) -> Array:
    """Decay added to the bounded gradient."""
    return clip(g * p.get("rescale_grad", 1), p) + p.get("wd", 0) * w


def together(w: Array, g: Array, p: Params, name: str = "clip_gradient") -> Array:
    """Decay added before bounding."""
    return clip(g * p.get("rescale_grad", 1) + p.get("wd", 0) * w, p, name)


def sgd(w: Array, g: Array, s: list[Array], p: Params) -> tuple[Array, list[Array]]:
    return w - p["lr"] * apart(w, g, p), []


def sgd_mom(w: Array, g: Array, s: list[Array], p: Params) -> tuple[Array, list[Array]]:
    m = p.get("momentum", 0) * s[0] - p["lr"] * apart(w, g, p)
    return w + m, [m]


def nag_mom(w: Array, g: Array, s: list[Array], p: Params) -> tuple[Array, list[Array]]:
    momentum = p.get("momentum", 0)
    m = momentum * s[0] - p["lr"] * apart(w, g, p)
    return w - momentum * s[0] + (1 + momentum) * m, [m]


def signsgd(w: Array, g: Array, s: list[Array], p: Params) -> tuple[Array, list[Array]]:
    return (1 - p["lr"] * p.get("wd", 0)) * w - p["lr"] * np.sign(g), []


def signum(w: Array, g: Array, s: list[Array], p: Params) -> tuple[Array, list[Array]]:
    momentum = p.get("momentum", 0)
    m = momentum * s[0] - (1 - momentum) * apart(w, g, p)
    return (1 - p["lr"] * p.get("wd_lh", 0)) * w + p["lr"] * np.sign(m), [m]


def moments(g: Array, s: list[Array], p: Params) -> tuple[Array, Array]:
    b1, b2 = p.get("beta1", 0.9), p.get("beta2", 0.999)
    return b1 * s[0] + (1 - b1) * g, b2 * s[1] + (1 - b2) * g * g


def adam(w: Array, g: Array, s: list[Array], p: Params) -> tuple[Array, list[Array]]:
    mean, var = moments(together(w, g, p), s, p)
    return w - p["lr"] * mean / (np.sqrt(var) + p.get("epsilon", 1e-8)), [mean, var]


def ftml(w: Array, g: Array, s: list[Array], p: Params) -> tuple[Array, list[Array]]:
    b1, b2, t = p.get("beta1", 0.6), p.get("beta2", 0.999), p["t"]
    g = together(w, g, p, "clip_grad")
    v = b2 * s[1] + (1 - b2) * g * g
    d = (1 - b1**t) / p["lr"] * (np.sqrt(v / (1 - b2**t)) + p.get("epsilon", 1e-8))
    z = b1 * s[2] + (1 - b1) * g - (d - b1 * s[0]) * w
    return -z / d, [d, v, z]


def lamb_direction(w: Array, g: Array, s: list[Array], p: Params) -> tuple[Array, list[Array]]:
    mean, var = moments(clip(g * p.get("rescale_grad", 1), p), s, p)
    m, v = mean, var
    if p.get("bias_correction", True):
        m, v = mean / (1 - p.get("beta1", 0.9) ** p["t"]), var / (1 - p.get("beta2", 0.999) ** p["t"])
    return m / (np.sqrt(v) + p.get("epsilon", 1e-6)) + p["wd"] * w, [mean, var]


def rmsprop(w: Array, g: Array, s: list[Array], p: Params) -> tuple[Array, list[Array]]:
    gamma, g = p.get("gamma1", 0.95), together(w, g, p)
    n = gamma * s[0] + (1 - gamma) * g * g
    return clip(w - p["lr"] * g / np.sqrt(n + p.get("epsilon", 1e-8)), p, "clip_weights"), [n]


def rmspropalex(w: Array, g: Array, s: list[Array], p: Params) -> tuple[Array, list[Array]]:
    gamma, g = p.get("gamma1", 0.95), together(w, g, p)
    n = gamma * s[0] + (1 - gamma) * g * g
    average = gamma * s[1] + (1 - gamma) * g
    root = np.sqrt(n - average**2 + p.get("epsilon", 1e-8))
    delta = p.get("gamma2", 0.9) * s[2] - p["lr"] * g / root
    return clip(w + delta, p, "clip_weights"), [n, average, delta]


def ftrl(w: Array, g: Array, s: list[Array], p: Params) -> tuple[Array, list[Array]]:
    lr, lamda, g = p["lr"], p.get("lamda1", 0.01), clip(g * p.get("rescale_grad", 1), p)
    n = s[1] + g * g
    z = s[0] + g - (np.sqrt(n) - np.sqrt(s[1])) * w / lr
    new = (np.sign(z) * lamda - z) / ((p.get("beta", 1) + np.sqrt(n)) / lr + p.get("wd", 0))
    return np.where(np.abs(z) > lamda, new, 0), [z, n]


def adagrad(w: Array, g: Array, s: list[Array], p: Params) -> tuple[Array, list[Array]]:
    g = clip(g * p.get("rescale_grad", 1), p)
    history = s[0] + g * g
    return w - p["lr"] * (g / np.sqrt(history + p.get("epsilon", 1e-7)) + p.get("wd", 0) * w), [history]


def plain(op: str, fn: Update, states: list[Any], params: Params, **more: Any) -> Case:
    return Case(
        op,
        [WEIGHT, GRAD, *states],
        params,
        lambda w, g, *s, **p: fn(w, g, list(s), p)[0],
        states=(lambda w, g, *s, **p: tuple(fn(w, g, list(s), p)[1])) if states else None,
        rtol=more.pop("rtol", 1e-4),
        atol=more.pop("atol", 1e-5),
        **more,
    )


def mixed(op: str, fn: Update, states: int, params: Params) -> Case:
    own = [Spec((3, 4), dtype="float32")] * (states + 1)

    def everything(w: Array, g: Array, *rest: Array, **p: Any) -> tuple[Array, ...]:
        new, changed = fn(rest[-1], g, list(rest[:-1]), p)
        return (*changed, new)

    return Case(
        op,
        [WEIGHT, GRAD, *own],
        params,
        lambda *a, **p: everything(*a, **p)[-1],
        states=everything,
        dtypes=HALF,
        rtol=1e-4,
        atol=1e-5,
    )


ALEX = [Spec((3, 4), 4, 6), (3, 4), (3, 4)]
TABLE: list[tuple[str, Update, list[Any], list[Params]]] = [
    ("sgd_update", sgd, [], [{"lazy_update": False}]),
    ("sgd_mom_update", sgd_mom, [STATE], [{}, {"momentum": 0.875}]),
    ("nag_mom_update", nag_mom, [STATE], [{}, {"momentum": 0.875}]),
    ("signsgd_update", signsgd, [], [{}]),
    ("signum_update", signum, [STATE], [{"momentum": 0.875}, {"momentum": 0.5, "wd_lh": 0.25}]),
    ("adam_update", adam, [STATE, POSITIVE], [{}, {"beta1": 0.75, "beta2": 0.5, "epsilon": 0.125}]),
    ("rmsprop_update", rmsprop, [POSITIVE], [{}, {"gamma1": 0.5, "clip_weights": 0.5}]),
    ("rmspropalex_update", rmspropalex, ALEX, [{}, {"gamma2": 0.5, "clip_weights": 0.25}]),
    ("ftrl_update", ftrl, [STATE, POSITIVE], [{}, {"lamda1": 0.5, "beta": 0.5}]),
    ("_sparse_adagrad_update", adagrad, [POSITIVE], [{}, {"epsilon": 0.125}]),
]


def single() -> list[Case]:
    cases = []
    for op, fn, states, variants in TABLE:
        for variant in variants:
            cases += [plain(op, fn, states, {**common, **variant}) for common in (COMMON, CLIPPED)]
        cases.append(plain(op, fn, states, {"lr": 0.125}, id="defaults"))
        empty = Case(op, [(0, 3)] * (2 + len(states)), {"lr": 0.5}, lambda w, *_, **__: w, id="empty")
        cases.append(empty)
    for params in ({"t": 1}, {"t": 5, "wd": 0.0625, "rescale_grad": 0.5, "clip_grad": 0.25}):
        states = [POSITIVE, POSITIVE, STATE]
        cases.append(
            plain("ftml_update", ftml, states, {"lr": 0.125, **params}, dtypes=("float32", "float64"))
        )
    lamb = {"t": 3, "wd": 0.0625, "rescale_grad": 0.5, "clip_gradient": 0.25}
    for params in (lamb, {**lamb, "bias_correction": False}):
        states = [STATE, POSITIVE]
        cases.append(
            plain("lamb_update_phase1", lamb_direction, states, params, dtypes=("float32", "float64"))
        )
    cases.append(
        Case("sgd_update", [(3, 4), (3, 5)], {"lr": 1}, fails="weight (3, 4), grad (3, 5)", id="shapes")
    )
    cases.append(
        Case(
            "sgd_update",
            [(4,), (4,)],
            {"lr": 1},
            dtypes=("int32",),
            fails="[sgd_update] expected weights of a float dtype",
        )
    )
    return cases


def large() -> list[Case]:
    """More than one thread and tile."""
    shape = (70000,)
    ref = plain("adam_update", adam, [STATE, POSITIVE], COMMON)
    inputs = [shape, shape, shape, Spec(shape, 0.5, 2)]
    return [
        Case(ref.op, inputs, COMMON, ref.ref, states=ref.states, rtol=1e-4, atol=1e-5, id="large"),
        Case("mp_sgd_update", [shape, shape, Spec(shape, dtype="float32")], COMMON, rtol=1e-4, atol=1e-5,
             ref=lambda w, g, m, **p: sgd(m, g, [], p)[0], dtypes=HALF, id="large"),
    ]  # fmt: skip


def half_cases() -> list[Case]:
    momentum = {**CLIPPED, "momentum": 0.875}
    own = Spec((3, 4), dtype="float32")
    lamb = {"t": 3, "wd": 0.0625, "rescale_grad": 0.5}

    def direction(w: Array, g: Array, mean: Array, var: Array, w32: Array, **p: Any) -> Any:
        return lamb_direction(w32, g, [mean, var], p)

    return [
        mixed("mp_sgd_update", sgd, 0, CLIPPED),
        mixed("mp_sgd_mom_update", sgd_mom, 1, momentum),
        mixed("mp_nag_mom_update", nag_mom, 1, momentum),
        Case(
            "mp_lamb_update_phase1",
            [WEIGHT, GRAD, own, Spec((3, 4), 0.5, 2, dtype="float32"), own],
            lamb,
            lambda *a, **p: direction(*a, **p)[0],
            states=lambda *a, **p: tuple(direction(*a, **p)[1]),
            dtypes=HALF,
            rtol=1e-4,
            atol=1e-5,
        ),
    ]


def lamb_step(w: Array, g: Array, r1: Array, r2: Array, lr: float, lower_bound: float = -1,
              upper_bound: float = -1) -> Array:  # fmt: skip
    first, second = float(r1.flat[0]), float(r2.flat[0])
    if lower_bound >= 0:
        first = max(first, lower_bound)
    if upper_bound >= 0:
        first = min(first, upper_bound)
    return w - lr * (first / second if first and second else 1) * g


def lamb_steps() -> list[Case]:
    cases = []
    for r1, r2, bounds in [
        (2.0, 4.0, {}),
        (0.0, 4.0, {}),
        (2.0, 0.0, {}),
        (0.0, 4.0, {"lower_bound": 0.5}),
        (9.0, 4.0, {"upper_bound": 2.0}),
    ]:
        params = {"lr": 0.125, **bounds}
        norms = [np.array([r1]), np.array([r2])]
        cases.append(Case("lamb_update_phase2", [WEIGHT, GRAD, *norms], params, lamb_step))
        own = Spec((3, 4), dtype="float32")
        singles = [np.array([r1], np.float32), np.array([r2], np.float32)]
        cases.append(
            Case(
                "mp_lamb_update_phase2",
                [WEIGHT, own, *singles, own],
                params,
                lambda w, g, a, b, w32, **p: lamb_step(w32, g, a, b, **p),
                states=lambda w, g, a, b, w32, **p: lamb_step(w32, g, a, b, **p),
                dtypes=HALF,
            )
        )
    cases.append(
        Case(
            "lamb_update_phase2",
            [WEIGHT, GRAD, (2,), (1,)],
            {"lr": 1},
            fails="[lamb_update_phase2] r1 and r2 must have one element",
            id="norms",
        )
    )
    return cases


def many() -> list[Case]:
    """Two weights of different shapes, of which each gets its own rate and decay."""
    cases = []
    lists = {"lrs": (0.125, 0.25), "wds": (0.0625, 0.5), "num_weights": 2}
    shared: Params = {"rescale_grad": 0.5, "clip_gradient": 0.25}
    rates = [np.array(lists["lrs"], np.float32), np.array(lists["wds"], np.float32)]
    for momentum in (False, True):
        for half in (False, True):
            fn = sgd_mom if momentum else sgd
            own = "float32" if half else None

            def ref(
                *arrays: Array, momentum: Any = momentum, half: bool = half, fn: Any = fn, **p: Any
            ) -> Any:
                size = 2 + (momentum is not False) + half
                new = []
                for i in range(2):
                    group = arrays[i * size : (i + 1) * size]
                    one = {**shared, "lr": lists["lrs"][i], "wd": lists["wds"][i]}
                    one["momentum"] = 0.0 if momentum is False else momentum
                    new.append(
                        fn(group[-1] if half else group[0], group[1], [group[2]] if size > 2 else [], one)[0]
                    )
                return tuple(new)

            inputs: list[Any] = []
            for shape in ((3, 4), (5,)):
                inputs += [Spec(shape), Spec(shape)] + [Spec(shape, dtype=own)] * (momentum + half)
            params = {**shared, "num_weights": 2, **({"momentum": 0.875} if momentum else {})}
            name = f"multi_{'mp_' if half else ''}sgd_{'mom_' if momentum else ''}update"
            dtypes = HALF if half else FLOATS
            tight = {"rtol": 1e-4, "atol": 1e-5}
            cases.append(Case(name, inputs, {**params, **lists}, ref, dtypes=dtypes, grad=False, **tight))
            name = "preloaded_" + name
            cases.append(Case(name, [*inputs, *rates], params, ref, dtypes=dtypes, grad=False, **tight))
    cases.append(
        Case(
            "multi_sgd_update",
            [(2,), (2,)],
            {"lrs": (1, 2), "wds": (0,), "num_weights": 1},
            fails="[multi_sgd_update] got 2 lrs and 1 wds; expected num_weights = 1 of each",
            id="lists",
        )
    )
    return cases


def many_adam() -> list[Case]:
    cases = []
    lrs, wds = (0.125, 0.25), (0.0625, 0.5)
    rest: Params = {"beta1": 0.75, "beta2": 0.5, "epsilon": 0.125, "rescale_grad": 0.5, "clip_gradient": 0.25}
    for half in (False, True):
        own, size = ("float32", 5) if half else (None, 4)

        def ref(*arrays: Array, half: bool = half, size: int = size, **_: Any) -> Any:
            new = []
            for i in range(2):
                group = arrays[i * size : (i + 1) * size]
                weight = group[-1] if half else group[0]
                new.append(adam(weight, group[1], list(group[2:4]), {**rest, "lr": lrs[i], "wd": wds[i]})[0])
            return tuple(new)

        inputs: list[Any] = []
        for shape in ((3, 4), (70000,)):
            inputs += [Spec(shape), Spec(shape), Spec(shape, dtype=own), Spec(shape, 0.5, 2, dtype=own)]
            inputs += [Spec(shape, dtype=own)] * half
        name = "_multi_mp_adam_update" if half else "_multi_adam_update"
        params = {**rest, "lrs": lrs, "wds": wds, "num_weights": 2}
        dtypes = HALF if half else FLOATS
        cases.append(Case(name, inputs, params, ref, dtypes=dtypes, grad=False, rtol=1e-4, atol=1e-5))
    return cases


def lars(
    lrs: Array, ww: Array, gg: Array, wds: Array, eta: float, eps: float, rescale_grad: float = 1
) -> Array:
    w, g = np.sqrt(ww), np.sqrt(gg) * rescale_grad
    return np.where((w > 0) & (g > 0), lrs * eta * w / (g + wds * w + eps), lrs)


def norms() -> list[Case]:
    def squares(*arrays: Array, num_arrays: int) -> Array:
        return np.array([np.sum(a * a) for a in arrays])

    def finite(*arrays: Array, **params: Any) -> Array:
        return np.array([float(all(np.isfinite(a).all() for a in arrays))])

    single = [Spec((4,), 0.5, 2, dtype="float32")] * 4
    infinite, unknown = np.array([1, np.inf]), np.array([[np.nan], [2]])
    cases = [
        Case("multi_sum_sq", [(3, 4), (70000,), (0,), ()], {"num_arrays": 4}, squares, grad=False, rtol=1e-4),
        Case(
            "multi_lars", single, {"eta": 0.5, "eps": 0.125, "rescale_grad": 0.5}, lars, dtypes=("float32",)
        ),
        Case("multi_all_finite", [(3, 4), infinite], {"num_arrays": 2}, finite, grad=False, id="infinite"),
        Case("multi_all_finite", [(3, 4), (2,)], {"num_arrays": 2}, finite),
    ]
    for given, label in [
        ((70000,), "large"),
        (infinite, "inf"),
        (unknown, "nan"),
        ((0, 2), "empty"),
        ((), "0d"),
    ]:
        cases.append(Case("all_finite", [given], {}, finite, grad=False, id=label))
    return cases


CASES = [*single(), *half_cases(), *large(), *lamb_steps(), *many(), *many_adam(), *norms()]
