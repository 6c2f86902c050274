"""Operators of ``contrib`` that networks for images and attention use."""

from __future__ import annotations

import numpy as np

from ..case import Case, grid, integer, normal, values

IMAGE = normal(2, 3, 5, 7)


def _resized() -> list[Case]:
    pool = "contrib.AdaptiveAvgPooling2D"
    cases = [
        Case(pool, (IMAGE,), {"output_size": size} if size else {}, grad=(0,))
        for size in ((), (1,), (2, 3), (5, 7), (7, 9), (4,))
    ]
    resize = "contrib.BilinearResize2D"
    cases += [
        Case(resize, (IMAGE,), {"height": height, "width": width, "align_corners": corners}, grad=(0,))
        for height, width in ((3, 4), (5, 7), (9, 14), (1, 1))
        for corners in (True, False)
    ]
    cases += [
        Case(resize, (IMAGE,), {"scale_height": high, "scale_width": wide, "mode": mode}, grad=(0,))
        for mode in ("size", "odd_scale")
        for high, wide in ((2.0, 2.0), (0.5, 1.5), (0.7, 1.7), (1.3, 0.57))
    ]
    cases += [
        Case(resize, (IMAGE,), {"mode": mode}, grad=(0,))
        for mode in ("to_even_down", "to_even_up", "to_odd_down", "to_odd_up")
    ]
    cases.append(Case(resize, (IMAGE, normal(1, 1, 4, 6)), {"mode": "like"}, grad=(0,)))
    cases += [  # in float64, the roundings of places show
        Case(
            resize,
            (normal(1, 1, 37, 5, dtype="float64"),),
            {"height": 53, "width": 9, "align_corners": corners},
            grad=(0,),
        )
        for corners in (True, False)
    ]
    return cases


def _attention() -> list[Case]:
    both, one = normal(4, 2, 3 * 2 * 5), normal(3, 2, 2 * 5)
    pair = normal(6, 2, 2 * 2 * 5)
    heads = {"heads": 2}
    name = "contrib.interleaved_matmul_"
    return [
        Case(f"{name}selfatt_qk", (both,), heads, grad=(0,)),
        Case(f"{name}selfatt_valatt", (both, normal(4, 4, 4)), heads, grad=(0, 1)),
        Case(f"{name}encdec_qk", (one, pair), heads, grad=(0, 1)),
        Case(f"{name}encdec_valatt", (pair, normal(4, 3, 6)), heads, grad=(0, 1)),
    ]


def _attention_shapes() -> list[Case]:
    name, cases = "contrib.interleaved_matmul_", []
    for heads, steps, others, batch, width in ((1, 3, 2, 2, 4), (3, 2, 5, 1, 2), (2, 1, 1, 3, 1)):
        both, pair = normal(steps, batch, 3 * heads * width), normal(others, batch, 2 * heads * width)
        params = {"heads": heads}
        cases += [
            Case(f"{name}selfatt_qk", (both,), params, grad=(0,)),
            Case(f"{name}selfatt_valatt", (both, normal(batch * heads, steps, steps)), params, grad=(0, 1)),
            Case(f"{name}encdec_qk", (normal(steps, batch, heads * width), pair), params, grad=(0, 1)),
            Case(f"{name}encdec_valatt", (pair, normal(batch * heads, steps, others)), params, grad=(0, 1)),
        ]
    odd = {"heads": 2}
    return [
        *cases,
        Case(f"{name}selfatt_qk", (normal(1, 1, 6),), odd, grad=(0,)),
        Case(f"{name}selfatt_qk", (normal(4, 2),), odd, error=True),
        Case(f"{name}selfatt_valatt", (normal(4, 2, 12), normal(4, 3, 4)), odd, error=True),
        Case(f"{name}encdec_qk", (normal(3, 2, 10), normal(6, 1, 20)), odd, error=True),
        Case(f"{name}encdec_valatt", (normal(6, 2, 20), normal(4, 3, 5)), odd, error=True),
    ]


def _places() -> list[Case]:
    like, array, copy, mask = (
        f"contrib.{n}" for n in ("arange_like", "index_array", "index_copy", "boolean_mask")
    )
    box = (normal(2, 3),)
    cases = grid(
        like, box, {}, {"start": 2.0, "step": 0.5}, {"repeat": 2}, {"axis": 1}, {"axis": -2, "step": -1}
    )
    cases += [Case(like, (normal(3, dtype="float64"),)), Case(like, box, {"axis": 2}, error=True)]
    cases += grid(array, (normal(2, 1, 3),), {}, {"axes": (1,)}, {"axes": (2, 0)}, {"axes": (-1, 0)})
    cases += [Case(array, (integer(4, dtype="int32"),)), Case(array, (normal(1),), {"axes": (0, 0)})]
    cases += [
        Case(copy, (normal(4, 2), values([3, 0], "int32"), normal(2, 2)), grad=(0, 2)),
        Case(copy, (normal(4, 2), values([1], "int64"), normal(1, 2)), grad=(0, 2)),
        Case(copy, (normal(3), values([2, 1, 0], "int32"), normal(3)), grad=(0, 2)),
        Case(
            copy, (normal(2, 2, 3, dtype="float64"), values([1], "int32"), normal(1, 2, 3, dtype="float64"))
        ),
        Case(copy, (normal(4, 2), values([3, 0], "int32"), normal(2, 3)), error=True),
        Case(copy, (normal(4, 2), values([3, 0, 1], "int32"), normal(2, 2)), error=True),
        Case(mask, (normal(3, dtype="float64"), values([1, 0, 1], "float64")), grad=(0,)),
        Case(mask, (normal(4, 1, 2), values([0, 1, 1, 1], "int32")), grad=(0,)),
        Case(mask, (integer(3, 2, dtype="int32"), values([0, 0, 5]))),
        Case(mask, (normal(3, 2), values([1, 0])), error=True),
    ]
    return cases


def _entropy() -> list[Case]:
    op, random = "contrib.calibrate_entropy", np.random.RandomState(3)
    cases = []
    for bins, quantized, spread in (
        (301, 25, 0.1),
        (401, 51, 0.3),
        (1001, 255, 0.2),
        (601, 127, 0.02),
        (255, 11, 1.0),
    ):
        counts, edges = np.histogram(random.normal(0, spread, 4000), bins, (-1.0, 1.0))
        given = (values(counts), values(np.round(edges, 6)))
        cases.append(Case(op, given, {"num_quantized_bins": quantized}, rtol=1e-4, tag=f"{spread}"))
    return cases


CASES = _resized() + _attention() + _attention_shapes() + _places() + _entropy()
