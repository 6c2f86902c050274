"""Updates of several weights in one call, in two precisions, and of LAMB, LARS and momenta of their own."""

from __future__ import annotations

from typing import Any

from ..case import Case, Input, normal, uniform, values

INF, NAN = float("inf"), float("nan")
WEIGHT, GRAD = normal(3, 4), normal(3, 4)
STATE, POSITIVE = normal(3, 4), uniform(3, 4, low=0.5, high=2)
HALF = normal(3, 4, dtype="float16")
NUMBERS = [[0.5, -1.25, 2], [0.75, 0.25, -3]]  # the same in both precisions, as they are in training
NARROW, WIDE = values(NUMBERS, "float16"), values(NUMBERS)
NARROW_GRAD = normal(2, 3, dtype="float16")
OPTIONS: list[dict[str, Any]] = [
    {},
    {"rescale_grad": 0.5},
    {"clip_gradient": 0.3},
    {"rescale_grad": 2.0, "clip_gradient": 0.1},
    {"clip_gradient": 0.0},
]


def _each(
    name: str, arrays: tuple[Input, ...], count: int, params: dict[str, Any], states: tuple[int, ...]
) -> Case:
    """One update of ``count`` weights, each with the arrays; the weights are the output."""
    step, many = len(arrays), arrays * count
    places = tuple(i * step + k for i in range(count) for k in states)
    rates = {"lrs": (0.1, 0.2, 0.05)[:count], "wds": (0.01, 0.02, 0.0)[:count]}
    params = {**rates, "num_weights": count, **params}
    if name.startswith("preloaded"):
        many += (values(params.pop("lrs")), values(params.pop("wds")))
    return Case(name, many, params, outs=tuple(range(0, step * count, step)), state=places)


def _plain() -> list[Case]:
    cases = []
    for head in ("", "preloaded_"):
        for name, arrays, states in (
            ("multi_sgd_update", (WEIGHT, GRAD), ()),
            ("multi_sgd_mom_update", (WEIGHT, GRAD, STATE), (2,)),
            ("multi_mp_sgd_update", (NARROW, NARROW_GRAD, WIDE), (2,)),
            ("multi_mp_sgd_mom_update", (NARROW, NARROW_GRAD, normal(2, 3), WIDE), (2, 3)),
        ):
            for count, params in zip((1, 2, 3, 2, 1), OPTIONS):
                moving = {"momentum": 0.9} if "mom" in name and count > 1 else {}
                cases.append(_each(head + name, arrays, count, {**params, **moving}, states))
    wrong = {"lrs": (0.1,), "wds": (0.01,), "num_weights": 1}
    return [*cases, Case("multi_sgd_update", (WEIGHT, normal(4)), wrong, error=True)]


PAIR: dict[str, Any] = {"lrs": (0.1, 0.2), "wds": (0.01, 0.02), "etas": (1.0, 0.5), "num_weights": 2}


def _adamw() -> list[Case]:
    factor, cases = values([0.5]), []
    options: list[dict[str, Any]] = [
        {"beta1": 0.8},
        {"beta2": 0.9, "epsilon": 1e-3},
        {"clip_gradient": 0.2},
        {"epsilon": 0.1, "clip_gradient": 1.0},
    ]
    for params in options:
        cases += [
            Case(
                "_mp_adamw_update",
                (NARROW, NARROW_GRAD, normal(2, 3), uniform(2, 3), WIDE, factor),
                {"lr": 0.1, "eta": 0.5, "wd": 0.01, **params},
                out=0,
                state=(2, 3, 4),
            ),
            Case(
                "_multi_adamw_update",
                (WEIGHT, GRAD, STATE, POSITIVE) * 2 + (factor,),
                {**PAIR, **params},
                outs=(0, 4),
                state=(2, 3, 6, 7),
            ),
            Case(
                "_multi_mp_adamw_update",
                (NARROW, NARROW_GRAD, normal(2, 3), uniform(2, 3), WIDE) * 2 + (factor,),
                {**PAIR, **params},
                outs=(0, 5),
                state=(2, 3, 4, 7, 8, 9),
            ),
        ]
    cases += [
        Case(
            "_multi_adamw_update",
            (WEIGHT, GRAD, STATE, POSITIVE) * 2 + (values([scale]),),
            PAIR,
            tag=f"rescale_grad {scale}",
            outs=(0, 4),
            state=(2, 3, 6, 7),
        )
        for scale in (0.0, INF, NAN)
    ]
    return cases


def _lamb() -> list[Case]:
    cases: list[Case] = []
    rates = {"learning_rates": (0.1, 0.2), "wds": (0.01, 0.02), "step_count": (2, 3), "num_tensors": 2}
    options: list[dict[str, Any]] = [
        {"lower_bound": 0.5, "upper_bound": 2.0},
        {"beta1": 0.8, "beta2": 0.9, "epsilon": 1e-3},
        {"rescale_grad": 0.5, "clip_gradient": 0.3},
        {"bias_correction": False, "step_count": (1, 9)},
    ]
    for params in options:
        cases += [
            Case(
                "_multi_lamb_update",
                (WEIGHT, GRAD, STATE, POSITIVE) * 2,
                {**rates, **params},
                outs=(0, 4),
                state=(2, 3, 6, 7),
                rtol=1e-4,
            ),
            Case(
                "_multi_mp_lamb_update",
                (NARROW, NARROW_GRAD, normal(2, 3), uniform(2, 3), WIDE) * 2,
                {**rates, **params},
                outs=(0, 5),
                state=(2, 3, 4, 7, 8, 9),
                rtol=1e-4,
            ),
        ]
    first: list[dict[str, Any]] = [
        {"t": 1, "wd": 0.01},
        {"t": 3, "wd": 0.0, "rescale_grad": 0.5},
        {"t": 2, "wd": 0.1, "clip_gradient": 0.2},
        {"t": 2, "wd": 0.01, "bias_correction": False},
        {"t": 5, "wd": 0.01, "beta1": 0.7, "beta2": 0.8, "epsilon": 1e-2},
    ]
    mixed = (NARROW, NARROW_GRAD, normal(2, 3), uniform(2, 3, low=0.1), WIDE)
    for params in first:
        cases += [
            Case("lamb_update_phase1", (WEIGHT, GRAD, STATE, POSITIVE), params, state=(2, 3), rtol=1e-4),
            Case("mp_lamb_update_phase1", mixed, params, state=(2, 3), rtol=1e-4),
        ]
    second: list[tuple[dict[str, Any], float, float]] = [
        ({"lr": 0.1}, 2.0, 0.5),
        ({"lr": 0.1, "lower_bound": 3.0}, 2.0, 0.5),
        ({"lr": 0.1, "upper_bound": 1.0}, 2.0, 0.5),
        ({"lr": 0.5, "lower_bound": 0.1, "upper_bound": 10.0}, 0.0, 0.5),
        ({"lr": 0.01}, 2.0, 0.0),
    ]
    for params, one, two in second:
        norms = (values([one]), values([two]))
        cases += [
            Case("lamb_update_phase2", (WEIGHT, GRAD, *norms), params, out=0, tag=f"{one},{two}", rtol=1e-4),
            Case(
                "mp_lamb_update_phase2",
                (NARROW, normal(2, 3), *norms, WIDE),
                params,
                out=0,
                tag=f"{one},{two}",
                rtol=2e-3,
            ),
        ]
    return cases


def _rates() -> list[Case]:
    four = (values([0.1, 0.2, 0.3]), values([4, 0, 1]), values([1, 2, 0]), values([0.01, 0, 0.1]))
    cases = [
        Case("multi_lars", four, params, rtol=1e-4)
        for params in (
            {"eta": 0.1, "eps": 1e-6},
            {"eta": 1.0, "eps": 0.5},
            {"eta": 0.1, "eps": 1e-6, "rescale_grad": 0.5},
            {"eta": 0.0, "eps": 0.0},
        )
    ]
    cases += [
        Case(
            "multi_lars", tuple(values([v]) for v in (0.1, 9, 4, 0.5)), {"eta": 0.1, "eps": 1e-8}, rtol=1e-4
        ),
        Case("multi_lars", four, {"eta": 0.1}, error=True),
    ]
    return cases


def _momenta() -> list[Case]:
    """`out` is an array of its own where MXNet's result would otherwise follow what it has just written."""
    cases: list[Case] = []
    options: list[dict[str, Any]] = [
        {"lr": 0.1},
        {"lr": 0.1, "momentum": 0.9},
        {"lr": 0.1, "momentum": 0.9, "wd": 0.1},
        {"lr": 0.5, "momentum": 0.5, "rescale_grad": 0.25, "clip_gradient": 0.2},
        {"lr": 0.0, "momentum": 0.9},
        {"lr": 0.1, "momentum": 0.5, "rescale_grad": 0.5},
        {"lr": 0.1, "momentum": 1.0, "wd": 0.01, "rescale_grad": -1.0},
    ]
    for params in options:
        mixed = (NARROW, NARROW_GRAD, normal(2, 3), WIDE)
        cases += [
            Case("nag_mom_update", (WEIGHT, GRAD, STATE), params, state=(2,), tag="kept"),
            Case("mp_nag_mom_update", mixed, params, state=(2, 3), tag="kept"),
            Case("mp_sgd_mom_update", mixed, params, out=0, state=(2, 3)),
        ]
    centred = (WEIGHT, GRAD, uniform(3, 4, low=4, high=6), uniform(3, 4, low=-1), STATE)
    cases += [
        Case("rmspropalex_update", centred, {"lr": 0.1, **params}, out=0, state=(2, 3, 4))
        for params in (
            {"gamma1": 0.8, "gamma2": 0.5},
            {"epsilon": 0.1, "wd": 0.1},
            {"clip_weights": 0.5, "clip_gradient": 0.2},
            {"rescale_grad": 0.5},
        )
    ]
    return cases


CASES = _plain() + _adamw() + _lamb() + _rates() + _momenta()
