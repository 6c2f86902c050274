"""Operators of ``contrib`` that networks for images and attention use."""

from __future__ import annotations

from ..case import Case, normal

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


CASES = _resized() + _attention()
