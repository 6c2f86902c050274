"""Layers: activation, dense, convolution, pooling, normalisation, dropout."""

from __future__ import annotations

from typing import Any

from ..case import Case, grid, normal, uniform, values

LOOSE: dict[str, Any] = {"rtol": 1e-4, "atol": 1e-5}


def _activation() -> list[Case]:
    source = (values([[-2, -0.5, 0.5, 2], [-9, 9, 0.1, -0.1]]),)
    kinds = ("relu", "sigmoid", "softrelu", "softsign", "tanh")
    cases = grid("Activation", source, *({"act_type": k} for k in kinds), grad=(0,))
    cases += grid(
        "LeakyReLU",
        source,
        {},
        {"slope": 0.1},
        {"act_type": "elu", "slope": 1.0},
        {"act_type": "elu"},
        {"act_type": "selu"},
        {"act_type": "gelu"},
        grad=(0,),
    )
    cases += [
        Case("Activation", (values([100, -100, 30]),), {"act_type": "softrelu"}, tag="large"),
        Case("Activation", (normal(3, dtype="float64"),), {"act_type": "tanh"}, grad=(0,)),
        Case("LeakyReLU", (values([0, -0.0]),), grad=(0,), tag="kink"),
        Case("LeakyReLU", (normal(2, 3, 4), uniform(3)), {"act_type": "prelu"}, grad=(0, 1)),
        Case("LeakyReLU", (normal(2, 3), uniform(1)), {"act_type": "prelu"}, grad=(0, 1)),
        Case("LeakyReLU", (normal(2, 3), uniform(2, 3)), {"act_type": "prelu"}, grad=(0, 1)),
        Case("LeakyReLU", (normal(2, 3), uniform(2, 1)), {"act_type": "prelu"}, grad=(0, 1)),
        Case("LeakyReLU", (normal(2, 3), uniform(1, 3)), {"act_type": "prelu"}, grad=(0, 1)),
        Case("LeakyReLU", (normal(2, 3, 2, 2), uniform(2, 3)), {"act_type": "prelu"}, grad=(0, 1)),
        Case("LeakyReLU", (normal(2, 3), uniform(3, 2)), {"act_type": "prelu"}, error=True),
    ]
    return cases


def _dense() -> list[Case]:
    return [
        Case(
            "FullyConnected",
            (normal(2, 3, 4), normal(5, 12), normal(5)),
            {"num_hidden": 5},
            grad=(0, 1, 2),
            **LOOSE,
        ),
        Case(
            "FullyConnected",
            (normal(2, 3, 4), normal(5, 4), normal(5)),
            {"num_hidden": 5, "flatten": False},
            grad=(0, 1, 2),
            **LOOSE,
        ),
        Case(
            "FullyConnected",
            (normal(2, 3), normal(5, 3)),
            {"num_hidden": 5, "no_bias": True},
            grad=(0, 1),
            **LOOSE,
        ),
        Case(
            "FullyConnected",
            (normal(2, 3, dtype="float64"), normal(4, 3, dtype="float64"), normal(4, dtype="float64")),
            {"num_hidden": 4},
            grad=(0, 1, 2),
        ),
        Case("FullyConnected", (normal(2, 3), normal(4, 3), normal(5)), {"num_hidden": 5}, error=True),
    ]


def _convolution() -> list[Case]:
    image, grads = normal(2, 4, 6, 7), (0, 1, 2)
    square = {"kernel": (3, 3), "num_filter": 6}
    weight, bias = normal(6, 4, 3, 3), normal(6)
    cases = grid(
        "Convolution",
        (image, weight, bias),
        square,
        {**square, "pad": (1, 1)},
        {**square, "stride": (2, 2)},
        {**square, "dilate": (2, 2), "pad": (2, 2)},
        {**square, "stride": (2, 1), "pad": (0, 1)},
        grad=grads,
        **LOOSE,
    )
    cases += [
        Case(
            "Convolution", (image, normal(6, 2, 3, 3), bias), {**square, "num_group": 2}, grad=grads, **LOOSE
        ),
        Case(
            "Convolution",
            (image, normal(4, 1, 3, 3)),
            {"kernel": (3, 3), "num_filter": 4, "num_group": 4, "no_bias": True, "pad": (1, 1)},
            grad=(0, 1),
            **LOOSE,
        ),
        Case(
            "Convolution",
            (image, normal(6, 4, 1, 1), bias),
            {"kernel": (1, 1), "num_filter": 6},
            grad=grads,
            **LOOSE,
        ),
        Case(
            "Convolution",
            (normal(2, 3, 9), normal(4, 3, 3), normal(4)),
            {"kernel": (3,), "num_filter": 4, "pad": (1,)},
            grad=grads,
            **LOOSE,
        ),
        Case(
            "Convolution",
            (normal(1, 2, 4, 5, 4), normal(3, 2, 3, 3, 3), normal(3)),
            {"kernel": (3, 3, 3), "num_filter": 3, "pad": (1, 1, 1)},
            grad=grads,
            **LOOSE,
        ),
        Case(
            "Convolution",
            (normal(1, 2, 2, 2), normal(3, 2, 3, 3), normal(3)),
            {"kernel": (3, 3), "num_filter": 3},
            error=True,
        ),
    ]
    small, kernel = normal(1, 2, 3, 4), normal(2, 4, 3, 3)
    up = {"kernel": (3, 3), "num_filter": 4}
    cases += grid(
        "Deconvolution",
        (small, kernel),
        up,
        {**up, "stride": (2, 2), "pad": (1, 1)},
        {**up, "stride": (2, 2), "pad": (1, 1), "adj": (1, 1)},
        grad=(0, 1),
        **LOOSE,
    )
    cases += [
        # A target_shape that needs padding fails inside MXNet's oneDNN, so this one needs none.
        Case(
            "Deconvolution",
            (small, kernel),
            {**up, "stride": (2, 2), "target_shape": (7, 9)},
            grad=(0, 1),
            **LOOSE,
        ),
        Case("Deconvolution", (small, kernel, normal(4)), {**up, "no_bias": False}, grad=grads, **LOOSE),
        Case(
            "Deconvolution",
            (normal(1, 4, 3, 3), normal(4, 3, 3, 3)),
            {**up, "num_filter": 6, "num_group": 2},
            grad=(0, 1),
            **LOOSE,
        ),
        Case(
            "Deconvolution",
            (normal(1, 2, 5), normal(2, 3, 3)),
            {"kernel": (3,), "num_filter": 3, "stride": (2,)},
            grad=(0, 1),
            **LOOSE,
        ),
    ]
    return cases


def _pooling() -> list[Case]:
    image = (uniform(1, 2, 5, 6, low=0.5, high=3),)
    cases: list[Case] = []
    for kind in ("max", "avg", "sum"):
        base = {"kernel": (2, 2), "pool_type": kind, "stride": (2, 2)}
        cases += grid(
            "Pooling",
            image,
            base,
            {**base, "pooling_convention": "full"},
            {**base, "kernel": (3, 3), "pad": (1, 1)},
            {"pool_type": kind, "global_pool": True},
            {"pool_type": kind, "kernel": (2, 3)},
            grad=(0,),
            **LOOSE,
        )
    window = {"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1), "pool_type": "avg"}
    cases += [
        Case("Pooling", image, {**window, "count_include_pad": False}, grad=(0,), **LOOSE),
        Case("Pooling", image, {**window, "pooling_convention": "full"}, **LOOSE),
        Case("Pooling", (normal(1, 2, 7),), {"kernel": (3,), "stride": (2,)}, grad=(0,)),
        Case("Pooling", (normal(1, 1, 4, 4, 4),), {"kernel": (2, 2, 2), "stride": (2, 2, 2)}, grad=(0,)),
        Case(
            "Pooling", (normal(1, 1, 4, 4, 4),), {"kernel": (2, 2, 2), "pool_type": "avg"}, grad=(0,), **LOOSE
        ),
        Case("Pooling", (values([[[[1, 1], [1, 1]]]]),), {"kernel": (2, 2)}, grad=(0,), tag="tie"),
        Case("Pooling", image, {"kernel": (2, 2), "pool_type": "lp"}, error=True),
    ]
    lp = {"kernel": (2, 2), "stride": (2, 2), "pool_type": "lp"}
    cases += grid(
        "Pooling", image, {**lp, "p_value": 1}, {**lp, "p_value": 2}, {**lp, "p_value": 3}, grad=(0,), **LOOSE
    )
    return cases


def _normalisation() -> list[Case]:
    data, wide = normal(3, 4, 5), uniform(4, low=0.5, high=1.5)
    stats = (normal(4), wide)
    state, grads = (3, 4), (0, 1, 2)
    cases = [
        Case(
            "BatchNorm",
            (data, wide, normal(4), *stats),
            {"fix_gamma": False, **extra},
            tag="predict",
            **LOOSE,
        )
        for extra in ({}, {"eps": 0.1}, {"use_global_stats": True})
    ]
    for extra in (
        {"fix_gamma": False},
        {"fix_gamma": False, "momentum": 0.5, "eps": 1e-5},
        {"fix_gamma": False, "use_global_stats": True},
        {},
    ):
        cases.append(
            Case(
                "BatchNorm",
                (data, wide, normal(4), *stats),
                extra,
                grad=grads,
                state=state,
                rtol=1e-3,
                atol=1e-4,
            )
        )
    rows = normal(3, 4)
    cases += [
        Case(
            "BatchNorm",
            (rows, wide, normal(4), *stats),
            {"fix_gamma": False},
            grad=grads,
            state=state,
            rtol=1e-3,
            atol=1e-4,
        ),
        Case(
            "BatchNorm",
            (normal(3, 5, 4), wide, normal(4), *stats),
            {"fix_gamma": False, "axis": -1},
            grad=grads,
            state=state,
            rtol=1e-3,
            atol=1e-4,
        ),
        Case(
            "BatchNorm",
            (data, wide, normal(4), *stats),
            {"output_mean_var": True, "fix_gamma": False},
            tag="predict",
            **LOOSE,
        ),
        Case("LayerNorm", (normal(3, 4), wide, normal(4)), grad=grads, rtol=1e-3, atol=1e-4),
        Case("LayerNorm", (normal(2, 3, 4), wide, normal(4)), {"eps": 0.1}, grad=grads, rtol=1e-3, atol=1e-4),
        Case("LayerNorm", (normal(4, 3), wide, normal(4)), {"axis": 0}, grad=grads, rtol=1e-3, atol=1e-4),
        Case("LayerNorm", (normal(3, 4), wide, normal(4)), {"output_mean_var": True}, **LOOSE),
        Case("InstanceNorm", (normal(2, 4, 3), wide, normal(4)), grad=grads, rtol=1e-3, atol=1e-4),
    ]
    groups = (normal(2, 6, 3), uniform(2, low=0.5, high=1.5), normal(2))
    cases.append(Case("GroupNorm", groups, {"num_groups": 2}, tag="predict", **LOOSE))
    for mode in ("instance", "channel", "spatial"):
        cases.append(Case("L2Normalization", (normal(2, 3, 4),), {"mode": mode}, grad=(0,), **LOOSE))
    cases.append(Case("L2Normalization", (normal(2, 3),), grad=(0,), **LOOSE))
    return cases


def _dropout() -> list[Case]:
    ones = values([[1.0] * 200] * 100)
    return [
        Case("Dropout", (normal(3, 4),), {"p": 0.5}, tag="predict"),
        Case("Dropout", (normal(3, 4),), {"p": 0.0}, grad=(0,)),
        Case("Dropout", (ones,), {"p": 0.25, "mode": "always"}, moments=True),
        Case("Dropout", (ones,), {"p": 0.5, "mode": "always"}, moments=True),
    ]


def _upsampling() -> list[Case]:
    nearest = {"sample_type": "nearest", "scale": 2}
    cases = [
        Case("UpSampling", (normal(2, 3, 2, 3),), nearest, grad=(0,)),
        Case("UpSampling", (normal(1, 2, 2, 2),), {**nearest, "scale": 3, "num_args": 1}, grad=(0,)),
        Case("UpSampling", (normal(2, 3, 2, 3), normal(2, 1, 4, 6)), {**nearest, "num_args": 2}, grad=(0, 1)),
        Case(
            "UpSampling",
            (normal(2, 3, 2, 3), normal(2, 3, 4, 6)),
            {**nearest, "num_args": 2, "multi_input_mode": "sum"},
            grad=(0, 1),
        ),
        Case("UpSampling", (normal(2, 3, 2, 3), normal(2, 3, 3, 6)), {**nearest, "num_args": 2}, error=True),
        Case("UpSampling", (normal(2, 3),), nearest, error=True),
    ]
    for scale in (1, 2, 3, 4):
        side = 2 * scale - scale % 2
        params = {"sample_type": "bilinear", "scale": scale, "num_filter": 2, "num_args": 2}
        inputs = (normal(1, 2, 3, 4), normal(2, 1, side, side))
        cases.append(Case("UpSampling", inputs, params, grad=(0, 1), **LOOSE))
    return cases


CASES = _activation() + _dense() + _upsampling() + _convolution() + _pooling() + _normalisation() + _dropout()
