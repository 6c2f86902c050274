"""Normalisation, layers of old files, sequences, windows as columns."""

from __future__ import annotations

from typing import Any

from ..case import Case, Input, grid, normal, uniform, values

LOOSE: dict[str, Any] = {"rtol": 1e-3, "atol": 1e-4}
INF, NAN = float("inf"), float("nan")


def _scaled(channels: int, dtype: str = "float32") -> tuple[Input, Input]:
    return uniform(channels, low=0.5, high=1.5, dtype=dtype), normal(channels, dtype=dtype)


def _norms() -> list[Case]:
    grads, cases = (0, 1, 2), []
    for op, shape, channels, params in (
        ("InstanceNorm", (2, 4, 3), 4, {"eps": 0.1}),
        ("InstanceNorm", (1, 3, 2, 5), 3, {}),
        ("InstanceNorm", (2, 2, 2, 2, 3), 2, {}),
        ("GroupNorm", (2, 6, 3), 1, {}),
        ("GroupNorm", (2, 6, 3), 3, {"num_groups": 3, "eps": 0.1}),
        ("GroupNorm", (1, 4, 2, 3), 4, {"num_groups": 4}),
        ("LayerNorm", (2, 1, 5), 5, {}),
        ("LayerNorm", (2, 3, 4), 3, {"axis": 1}),
        ("LayerNorm", (3, 4), 3, {"axis": -2, "eps": 0.5}),
    ):
        cases.append(Case(op, (normal(*shape), *_scaled(channels)), params, grad=grads, **LOOSE))
    double = {"rtol": 1e-6, "atol": 1e-8}
    cases += [
        Case("InstanceNorm", (normal(2, 3, 4), *_scaled(4)), error=True),
        Case(
            "GroupNorm", (normal(2, 4, 3), *_scaled(2)), {"num_groups": 2, "output_mean_var": True}, **LOOSE
        ),
        Case("GroupNorm", (normal(2, 5, 3), *_scaled(2)), {"num_groups": 2}, error=True),
        Case("LayerNorm", (normal(2, 5, dtype="float64"), *_scaled(5, "float64")), grad=grads, **double),
        Case("LayerNorm", (normal(2, 5), *_scaled(4)), error=True),
        Case("LayerNorm", (normal(2, 5), *_scaled(5)), {"axis": 2}, error=True),
    ]
    for mode in ("instance", "channel", "spatial"):
        cases.append(Case("L2Normalization", (normal(2, 3, 2, 2),), {"mode": mode, "eps": 0.5}, grad=(0,)))
    cases += [
        Case("L2Normalization", (normal(2, 3, dtype="float64"),), grad=(0,)),
        Case("L2Normalization", (values([[0, 0], [3, -4]]),), tag="zero"),
        Case("L2Normalization", (normal(2, 3),), {"mode": "spatial"}, error=True),
    ]
    image = (normal(2, 6, 3, 2),)
    cases += grid(
        "LRN",
        image,
        {"nsize": 3},
        {"nsize": 5, "alpha": 0.5},
        {"nsize": 3, "alpha": 0.2, "beta": 0.5, "knorm": 1.0},
        {"nsize": 1, "alpha": 1.0},
        {"nsize": 11, "alpha": 1.0, "knorm": 3.0},
        grad=(0,),
        **LOOSE,
    )
    cases += [
        Case("LRN", (normal(1, 1, 1, 1),), {"nsize": 3, "alpha": 0.5}, grad=(0,), **LOOSE),
        Case("LRN", image, error=True),
    ]
    return cases


def _moments() -> list[Case]:
    cases = grid(
        "moments",
        (normal(2, 3, 4),),
        {"axes": (1,)},
        {"axes": (0, 2), "keepdims": True},
        {"axes": (-1,)},
        {"axes": (0, 1, 2), "keepdims": True},
        grad=(0,),
        heads=(0, 1),
        rtol=1e-4,
        atol=1e-5,
    )
    return [
        *cases,
        Case("moments", (normal(3, 1, dtype="float64"),), {"axes": (0,)}, grad=(0,), heads=(0, 1)),
        Case("moments", (normal(3, 1),), {"axes": (1,)}, grad=(0,), heads=(0, 1)),
        Case("moments", (values([[1, NAN], [INF, 2]]),), {"axes": (0,)}, tag="special"),
        Case("moments", (normal(3, 2),), {"axes": (2,)}, error=True),
    ]


def _old_layers() -> list[Case]:
    data = normal(2, 3, 5, 6)
    cases: list[Case] = []
    bias, square = normal(4), {"kernel": (3, 3), "num_filter": 4}
    cases += grid(
        "Convolution_v1",
        (data, normal(4, 3, 3, 3), bias),
        square,
        {**square, "pad": (1, 2)},
        {**square, "stride": (2, 1)},
        {**square, "dilate": (2, 2), "pad": (2, 2)},
        grad=(0, 1, 2),
        **LOOSE,
    )
    cases += [
        Case(
            "Convolution_v1",
            (normal(2, 4, 4, 4), normal(4, 2, 1, 2)),
            {"kernel": (1, 2), "num_filter": 4, "num_group": 2, "no_bias": True},
            grad=(0, 1),
            **LOOSE,
        ),
        Case("Convolution_v1", (data, normal(4, 2, 3, 3), bias), square, error=True),
    ]
    image = (uniform(1, 2, 5, 6, low=0.5, high=3),)
    for kind in ("max", "avg", "sum"):
        base = {"kernel": (3, 2), "pool_type": kind}
        cases += grid(
            "Pooling_v1",
            image,
            {**base, "stride": (2, 2)},
            {**base, "stride": (2, 2), "pad": (1, 1), "pooling_convention": "full"},
            {"pool_type": kind, "global_pool": True, "kernel": (2, 2)},
            grad=(0,),
            **LOOSE,
        )
    cases.append(Case("Pooling_v1", image, {"kernel": (9, 9)}, error=True))
    return cases


def _sequences() -> list[Case]:
    data, lengths, given = normal(4, 3, 2), values([1, 4, 2]), {"use_sequence_length": True}
    cases = []
    for op in ("SequenceLast", "SequenceReverse", "SequenceMask"):
        cases += [
            # MXNet's gradient of the last step without lengths reads what is not there.
            Case(op, (data,), grad=() if op == "SequenceLast" else (0,)),
            Case(op, (data, lengths), given, grad=(0,)),
            Case(op, (normal(4, 3, 2, 2), lengths), given, grad=(0,)),
            Case(op, (normal(4, 3, dtype="float64"), values([1, 4, 2], "float64")), given, grad=(0,)),
            Case(op, (normal(1, 1, 1), values([1])), given, grad=(0,)),
            Case(op, (data, values([1, 4])), given, error=True),
        ]
        if op != "SequenceReverse":
            cases.append(Case(op, (normal(3, 4, 2), lengths), {**given, "axis": 1}, grad=(0,)))
    return [
        *cases,
        Case("SequenceMask", (data, lengths), {**given, "value": -1.5}, grad=(0,)),
        Case("SequenceMask", (data, values([0, 4, 0])), given, grad=(0,), tag="none"),
    ]


def _columns() -> list[Case]:
    image, square = normal(2, 3, 4, 5), {"kernel": (2, 3)}
    options: list[dict[str, Any]] = [
        square,
        {**square, "stride": (2, 1)},
        {**square, "pad": (1, 1)},
        {**square, "dilate": (2, 1), "pad": (1, 0), "stride": (1, 2)},
    ]
    cases = grid("im2col", (image,), *options, grad=(0,))
    cases += [
        Case("im2col", (normal(1, 1, 3, 3, dtype="float64"),), {"kernel": (1, 1)}, grad=(0,)),
        Case("im2col", (normal(2, 2, 1, 5),), {"kernel": (1, 3), "pad": (0, 1)}, grad=(0,)),
        Case("im2col", (image,), {"kernel": (5, 6)}, error=True),
    ]
    size = {"output_size": (4, 5)}
    for params, columns in zip(options, (9, 6, 25, 8)):
        cases.append(Case("col2im", (normal(2, 18, columns),), {**params, **size}, grad=(0,)))
    cases += [
        Case(
            "col2im",
            (normal(1, 1, 9, dtype="float64"),),
            {"kernel": (1, 1), "output_size": (3, 3)},
            grad=(0,),
        ),
        Case("col2im", (normal(2, 17, 9),), {**square, **size}, error=True),
        Case("col2im", (normal(2, 18, 8),), {**square, **size}, error=True),
    ]
    return cases


def _dropout() -> list[Case]:
    ones = values([[1.0] * 100] * 100)
    return [
        Case("Dropout", (ones,), {"p": 0.3, "mode": "always", "axes": (0,)}, moments=True, rtol=0.2),
        Case("Dropout", (normal(2, 3, dtype="float64"),), {"p": 0.5}, tag="predict"),
        Case("Dropout", (normal(2, 3),), {"p": 0.5}, grad=(0,), train=False, tag="not training"),
        Case("Dropout", (normal(2, 3),), {"p": 1.5}, error=True),
    ]


CASES = _norms() + _moments() + _old_layers() + _sequences() + _columns() + _dropout()
