"""8-bit arrays: rounding, layers and what moves them."""

from __future__ import annotations

from typing import Any

from ..case import Case, Input, integer, normal, uniform, values


def one(value: float) -> Input:
    return values([value])


def ranges(*ends: float) -> tuple[Input, ...]:
    return tuple(one(end) for end in ends)


def bytes_of(*shape: int, dtype: str = "int8") -> Input:
    return integer(*shape, low=0 if dtype == "uint8" else -127, high=128, dtype=dtype)


def signed_and_not(name: str, *params: dict[str, Any], **common: Any) -> list[Case]:
    """Over a two-dimensional array of either type."""
    kinds = ("int8", "uint8")
    return [Case(name, (bytes_of(3, 5, dtype=k), *ranges(-1, 2)), p, **common) for k in kinds for p in params]


CALIB = {"min_calib_range": -1.5, "max_calib_range": 2.0}
POSITIVE = {"min_calib_range": 0.0, "max_calib_range": 2.0}
AB, ABC = ranges(-1, 2, -1, 0.5), ranges(-1, 2, -1, 0.5, -3, 2)


def _rounding() -> list[Case]:
    v2, data = "contrib.quantize_v2", normal(3, 7)
    cases = [
        Case(v2, (data,), {"out_type": kind, **calib})
        for kind in ("int8", "uint8", "auto")
        for calib in ({}, CALIB, POSITIVE)
    ]
    cases += [Case(v2, (bytes_of(3, 4, dtype=kind),)) for kind in ("int8", "uint8")]
    cases += [
        Case(
            v2,
            (values([0.5, 1.5, -0.5, -2.5, 300, -300, 127]),),
            {"min_calib_range": -127, "max_calib_range": 127},
        )
    ]
    cases += [
        Case("contrib.quantize", (data, *ranges(*ends)), {"out_type": kind}, tag=str(ends))
        for kind in ("int8", "uint8")
        for ends in ((-1, 2), (0, 3), (10, 20))
    ]
    asym = "contrib.quantize_asym"  # MXNet takes sequences only; other shapes end its process
    cases += [Case(asym, (normal(2, 3, 4),), p) for p in ({}, CALIB, POSITIVE)]
    cases += [Case(asym, (normal(5, 1, 7),), p) for p in ({}, CALIB)]
    cases += signed_and_not("contrib.dequantize", {})
    sums = integer(4, 5, low=-(10**9), high=10**9, dtype="int32")
    cases += [
        Case("contrib.requantize", (sums, *ranges(-10, 20)), {"out_type": kind, **calib})
        for kind in ("int8", "uint8", "auto")
        for calib in ({}, CALIB, POSITIVE)
    ]
    # Of int32 arrays MXNet asks for 8 bits.
    return [*cases, Case("contrib.dequantize", (sums, *ranges(-1, 1)), error=True)]


def _layers() -> list[Case]:
    conv, window = "contrib.quantized_conv", {"kernel": (3, 3), "num_filter": 3, "no_bias": True}
    image, filters = bytes_of(2, 4, 6, 7, dtype="uint8"), bytes_of(3, 4, 3, 3)
    cases = [
        Case(
            conv,
            (image, filters, *_named(("min_data", "max_data", "min_weight", "max_weight"), AB)),
            {**window, **more},
        )
        for more in ({}, {"stride": (2, 2), "pad": (1, 1)}, {"dilate": (2, 2)}, {"pad": (2, 0)})
    ]
    volume = {"kernel": (2, 2, 2), "num_filter": 3, "no_bias": True}
    names = ("min_data", "max_data", "min_weight", "max_weight")
    cases.append(
        Case(
            conv,
            (bytes_of(1, 2, 3, 4, 5, dtype="uint8"), bytes_of(3, 2, 2, 2, 2), *_named(names, AB)),
            volume,
        )
    )
    dense = "contrib.quantized_fully_connected"
    for kind in ("int8", "uint8"):
        data, weight = bytes_of(4, 6, dtype=kind), bytes_of(5, 6)
        cases.append(Case(dense, (data, weight, *_named(names, AB)), {"num_hidden": 5, "no_bias": True}))
        cases.append(Case(dense, (data, weight, bytes_of(5), *ABC), {"num_hidden": 5}))
        cube = bytes_of(2, 3, 6, dtype=kind)
        for flat in ({"flatten": False}, {}):
            deep = bytes_of(5, 6 if flat else 18)
            cases.append(
                Case(dense, (cube, deep, *_named(names, AB)), {"num_hidden": 5, "no_bias": True, **flat})
            )
    pool = "contrib.quantized_pooling"
    for kind in ("int8", "uint8"):
        for more in (
            {"kernel": (2, 2)},
            {"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1)},
            {"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1), "pool_type": "avg"},
            {"kernel": (3, 3), "pad": (1, 1), "pool_type": "avg", "count_include_pad": False},
            {"kernel": (2, 2), "pool_type": "avg", "global_pool": True},
            {"kernel": (3, 3), "stride": (2, 2), "pooling_convention": "full"},
        ):
            cases.append(Case(pool, (bytes_of(2, 3, 6, 6, dtype=kind), *ranges(-1, 2)), more))
    cases.append(
        Case(pool, (bytes_of(2, 3, 6, 6), *ranges(-1, 2)), {"kernel": (2, 2), "pool_type": "sum"}, error=True)
    )
    return cases


def _named(names: tuple[str, ...], inputs: tuple[Input, ...]) -> tuple[Input, ...]:
    """By name, since a bias that is left out would stand before them."""
    return tuple(Input(i.shape, i.dtype, i.kind, data=i.data, name=n) for n, i in zip(names, inputs))


def _moving() -> list[Case]:
    both = (bytes_of(2, 4), bytes_of(2, 4))
    cases = [Case("contrib.quantized_act", (bytes_of(3, 4), *ranges(-1, 2)), {"act_type": "relu"})]
    cases.append(
        Case("contrib.quantized_act", (bytes_of(3, 4), *ranges(-1, 2)), {"act_type": "tanh"}, error=True)
    )
    cases += [
        Case("contrib.quantized_flatten", (bytes_of(2, 3, 4, dtype=kind), *ranges(-1, 2)))
        for kind in ("int8", "uint8")
    ]
    for kinds in (("int8", "int8"), ("int8", "uint8"), ("uint8", "uint8")):
        arrays = tuple(bytes_of(2, 4, dtype=k) for k in kinds)
        cases += [
            Case("contrib.quantized_concat", (*arrays, *ranges(-1, 2, -3, 1.5)), {"num_args": 2, "dim": d})
            for d in (0, 1)
        ]
    add = "contrib.quantized_elemwise_add"
    cases += [Case(add, (*both, *ranges(-1, 2, -3, 1.5)), p, rtol=1e-5) for p in ({}, CALIB, POSITIVE)]
    unsigned = (bytes_of(2, 4, dtype="uint8"), bytes_of(2, 4, dtype="uint8"))
    cases += [Case(add, (*unsigned, *ranges(0, 2, 0, 1.5)), p, rtol=1e-5) for p in ({}, POSITIVE)]
    norm = (bytes_of(2, 3, 4), normal(3), normal(3), normal(3), uniform(3, low=0.5, high=2), *ranges(-1, 2))
    cases += [Case("contrib.quantized_batch_norm", norm, {**p, "eps": 1e-5}) for p in (CALIB, POSITIVE)]
    cases.append(Case("contrib.quantized_batch_norm", norm, error=True))
    table = (values([[0, 1], [3, 2]]), bytes_of(4, 5), *ranges(-1, 2))
    cases.append(
        Case("contrib.quantized_embedding", table, {"input_dim": 4, "output_dim": 5, "dtype": "int8"})
    )
    return cases


def _few() -> list[Case]:
    """More of the operators that move 8-bit arrays, and their products."""
    act, flat = "contrib.quantized_act", "contrib.quantized_flatten"
    cases = [
        Case(act, (bytes_of(*shape), *ranges(*ends)), {"act_type": "relu"})
        for shape, ends in (
            ((5,), (-3, 0.5)),
            ((1, 1, 2), (0, 2)),
            ((4, 1), (-1, 1)),
            ((2, 3, 2), (-128, 127)),
        )
    ]
    cases += [
        Case(flat, (bytes_of(*shape, dtype=kind), *ranges(-2, 3)))
        for shape, kind in (((3, 2), "int8"), ((1, 1, 1, 5), "uint8"), ((2, 2, 1, 3), "int8"))
    ]
    back = "contrib.dequantize"
    cases += [
        Case(back, (bytes_of(*shape, dtype=kind), *ranges(*ends)))
        for shape, kind, ends in (
            ((5,), "int8", (-0.5, 3)),
            ((5,), "uint8", (0, 0.25)),
            ((1, 2), "int8", (0, 0)),
        )
    ]
    norm = (bytes_of(2, 3, 4), normal(3), normal(3), normal(3), uniform(3, low=0.5, high=2), *ranges(-1, 2))
    name = "contrib.quantized_batch_norm"
    cases += [
        Case(name, norm, {**CALIB, "eps": 1e-5, "fix_gamma": False}),
        Case(name, norm, {"min_calib_range": -9.0, "max_calib_range": 0.5, "eps": 1e-5}),
        Case(
            name, (bytes_of(1, 2), *[uniform(2, low=0.5, high=2)] * 4, *ranges(-3, 3)), {**CALIB, "eps": 1e-5}
        ),
    ]
    table, embed = (bytes_of(4, 5), *ranges(-1, 2)), "contrib.quantized_embedding"
    size = {"input_dim": 4, "output_dim": 5, "dtype": "int8"}
    cases += [
        Case(embed, (place, *table), size)
        for place in (values([3]), values([0, 1, 2], "int32"), values([[[1]], [[9]]]), values([-1, 2]))
    ]
    return cases


CASES = _rounding() + _layers() + _moving() + _few()
