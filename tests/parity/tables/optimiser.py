"""Updates of weights; states change in place, the new weight is written to the first input."""

from __future__ import annotations

from typing import Any

from ..case import Case, normal, uniform, values

# Momenta before the update; one number per weight.
COMMON: dict[str, Any] = {"lr": 0.1, "wd": 0.01, "rescale_grad": 0.5}
CLIPPED: dict[str, Any] = {**COMMON, "clip_gradient": 0.3}
WEIGHT, GRAD = normal(3, 4), normal(3, 4)
STATE, POSITIVE = normal(3, 4), uniform(3, 4, low=0.5, high=2)

SINGLE: tuple[tuple[str, tuple[Any, ...], tuple[dict[str, Any], ...]], ...] = (
    ("sgd_update", (), ({},)),
    ("sgd_mom_update", (STATE,), ({"momentum": 0.9}, {})),
    ("nag_mom_update", (STATE,), ({"momentum": 0.9},)),
    ("adam_update", (STATE, POSITIVE), ({}, {"beta1": 0.8, "beta2": 0.9, "epsilon": 1e-3})),
    ("rmsprop_update", (POSITIVE,), ({}, {"gamma1": 0.8, "clip_weights": 0.5})),
    ("rmspropalex_update", (uniform(3, 4, low=4, high=6), uniform(3, 4, low=-1, high=1), STATE), ({},)),
    ("ftrl_update", (STATE, POSITIVE), ({}, {"lamda1": 0.2, "beta": 0.5})),
    ("signsgd_update", (), ({},)),
    ("signum_update", (STATE,), ({"momentum": 0.9}, {"momentum": 0.9, "wd_lh": 0.1})),
)


def _single() -> list[Case]:
    cases = []
    for op, states, variants in SINGLE:
        positions = tuple(range(2, 2 + len(states)))
        for variant in variants:
            for common in (COMMON, CLIPPED):
                cases.append(
                    Case(op, (WEIGHT, GRAD, *states), {**common, **variant}, out=0, state=(0, *positions))
                )
    cases.append(Case("sgd_update", (WEIGHT, GRAD), {"lr": 0.1}))
    cases.append(Case("sgd_update", (WEIGHT, GRAD), {"lr": 0.1, "clip_gradient": 0.0}, out=0))
    cases.append(
        Case(
            "ftml_update",
            (WEIGHT, GRAD, STATE, POSITIVE, STATE),
            {"lr": 0.1, "t": 2, "wd": 0.01, "rescale_grad": 0.5, "clip_grad": 0.3},
            out=0,
            state=(0, 2, 3, 4),
            rtol=1e-4,
        )
    )
    return cases


def _mixed_precision() -> list[Case]:
    weight, grad = normal(3, 4, dtype="float16"), normal(3, 4, dtype="float16")
    cases = [Case("mp_sgd_update", (weight, grad, WEIGHT), CLIPPED, out=0, state=(2,))]
    for op in ("mp_sgd_mom_update", "mp_nag_mom_update"):
        cases.append(
            Case(op, (weight, grad, STATE, WEIGHT), {**CLIPPED, "momentum": 0.9}, out=0, state=(2, 3))
        )
    return cases


def _several() -> list[Case]:
    many = {
        "lrs": (0.1, 0.2),
        "wds": (0.01, 0.02),
        "num_weights": 2,
        "rescale_grad": 0.5,
        "clip_gradient": 0.3,
    }
    other, other_grad = normal(5), normal(5)
    half, half_grad = normal(3, 4, dtype="float16"), normal(3, 4, dtype="float16")
    rates, decays = values([0.1, 0.2]), values([0.01, 0.02])
    loaded = {"num_weights": 2, "rescale_grad": 0.5, "clip_gradient": 0.3}
    momentum = {**many, "momentum": 0.9}
    return [
        Case("multi_sgd_update", (WEIGHT, GRAD, other, other_grad), many, outs=(0, 2)),
        Case(
            "multi_sgd_mom_update",
            (WEIGHT, GRAD, STATE, other, other_grad, normal(5)),
            momentum,
            outs=(0, 3),
            state=(2, 5),
        ),
        Case(
            "multi_mp_sgd_update",
            (half, half_grad, WEIGHT, half, half_grad, WEIGHT),
            many,
            outs=(0, 3),
            state=(2, 5),
        ),
        Case(
            "multi_mp_sgd_mom_update",
            (half, half_grad, STATE, WEIGHT, half, half_grad, STATE, WEIGHT),
            momentum,
            outs=(0, 4),
            state=(2, 3, 6, 7),
        ),
        Case(
            "preloaded_multi_sgd_update",
            (WEIGHT, GRAD, other, other_grad, rates, decays),
            loaded,
            outs=(0, 2),
        ),
        Case(
            "preloaded_multi_sgd_mom_update",
            (WEIGHT, GRAD, STATE, other, other_grad, normal(5), rates, decays),
            {**loaded, "momentum": 0.9},
            outs=(0, 3),
            state=(2, 5),
        ),
    ]


def _adamw() -> list[Case]:
    factor, half = values([0.5]), normal(3, 4, dtype="float16")
    options = {"lr": 0.1, "eta": 0.5, "wd": 0.01}
    many = {
        "lrs": (0.1, 0.2),
        "wds": (0.01, 0.02),
        "etas": (1.0, 0.5),
        "num_weights": 2,
        "clip_gradient": 0.3,
    }
    lamb = {"learning_rates": (0.1, 0.2), "wds": (0.01, 0.02), "step_count": (2, 3), "num_tensors": 2}
    weights = (WEIGHT, GRAD, STATE, POSITIVE, normal(5), normal(5), normal(5), uniform(5, low=0.5, high=2))
    mixed = (half, half, STATE, POSITIVE, WEIGHT) * 2
    numbers = [[0.5, -1.25, 2], [0.75, 0.25, -3]]  # the same in both precisions, as they are in training
    same = (
        values(numbers, "float16"),
        normal(2, 3, dtype="float16"),
        normal(2, 3),
        uniform(2, 3),
        values(numbers),
    )
    cases = [
        Case(
            "_adamw_update",
            (WEIGHT, GRAD, STATE, POSITIVE, values([scale])),
            {**options, **more},
            tag=f"rescale_grad {scale}",
            out=0,
            state=(0, 2, 3),
        )
        for scale, more in (
            (0.5, {}),
            (0.5, {"clip_gradient": 0.3, "beta1": 0.8, "beta2": 0.9, "epsilon": 1e-3}),
            (0.5, {"clip_gradient": 0.0}),
            (float("inf"), {}),
            (0.0, {}),
        )
    ]
    for more in (
        {},
        {"rescale_grad": 0.5, "clip_gradient": 0.3, "upper_bound": 1.0},
        {"bias_correction": False},
    ):
        cases.append(
            Case("_multi_lamb_update", weights, {**lamb, **more}, outs=(0, 4), state=(2, 3, 6, 7), rtol=1e-4)
        )
    return [
        *cases,
        Case(
            "_mp_adamw_update", (half, half, STATE, POSITIVE, WEIGHT, factor), options, out=0, state=(2, 3, 4)
        ),
        Case("_multi_adamw_update", (*weights, factor), many, outs=(0, 4), state=(2, 3, 6, 7)),
        Case("_multi_mp_adamw_update", (*mixed, factor), many, outs=(0, 5), state=(2, 3, 4, 7, 8, 9)),
        Case("_multi_mp_lamb_update", same * 2, lamb, outs=(0, 5), state=(2, 3, 4, 7, 8, 9), rtol=1e-4),
    ]


CASES = _single() + _mixed_precision() + _several() + _adamw()
