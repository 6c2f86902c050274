"""Operators on pictures."""

from __future__ import annotations

from ..case import Case, integer, normal, uniform

BYTES = integer(4, 5, 3, high=256, dtype="uint8")
FLOATS = uniform(4, 5, 3, high=255)
HALF = {"min_factor": 0.5, "max_factor": 0.5}
QUARTER = {"min_factor": 0.25, "max_factor": 0.25}
RGB = {"mean": (0.1, 0.2, 0.3), "std": (1.0, 2.0, 4.0)}


def _shapes() -> list[Case]:
    box = {"x": 1, "y": 2, "width": 3, "height": 1}
    cases = [
        Case("image.to_tensor", (integer(4, 5, 3, high=128, dtype=d),)) for d in ("uint8", "int8", "int32")
    ]
    cases += [
        Case("image.to_tensor", (FLOATS,)),
        Case("image.to_tensor", (uniform(2, 3, 4, 1, high=255),)),
        Case("image.to_tensor", (normal(3, 4),), error=True),
        Case("image.normalize", (normal(3, 2, 4),), RGB, grad=(0,)),
        Case("image.normalize", (normal(2, 3, 2, 4),), RGB, grad=(0,)),
        Case("image.normalize", (normal(1, 2, 4),), {"mean": 0.5, "std": 2.0}, grad=(0,)),
        Case("image.normalize", (normal(3, 2, 4, dtype="float64"),), RGB, rtol=1e-6),
        Case("image.normalize", (integer(3, 2, 4, high=200, dtype="uint8"),), {"mean": 0.0, "std": 3.0}),
        Case("image.normalize", (normal(2, 2, 4),), {"mean": 0.5, "std": 2.0}, error=True),
        Case("image.normalize", (normal(3, 2, 4),), {"mean": (1.0, 2.0), "std": 1.0}, error=True),
        Case("image.normalize", (normal(3, 2),), {"mean": 0.5, "std": 2.0}, error=True),
        Case("image.crop", (FLOATS,), box, grad=(0,)),
        Case("image.crop", (BYTES,), box),
        Case("image.crop", (normal(2, 4, 5, 1),), box, grad=(0,)),
        Case("image.crop", (FLOATS,), {**box, "width": 5}, error=True),
        Case("image.crop", (FLOATS,), {**box, "height": 0}, error=True),
    ]
    for flip in ("image.flip_left_right", "image.flip_top_bottom"):
        cases += [Case(flip, (integer(4, 6, 3, high=256, dtype="uint8"),)), Case(flip, (normal(2, 4, 1),))]
        cases += [Case(flip, (normal(4, 4, 3, dtype=d),)) for d in ("float64", "float16")]
        cases += [Case(flip, (normal(2, 2, 3, 1),), error=True), Case(flip, (normal(2, 3, 2),), error=True)]
    return cases


def _resize() -> list[Case]:
    cases = [
        Case("image.resize", (FLOATS,), {"size": size, "interp": interp}, rtol=1e-4, atol=1e-2)
        for interp in range(5)
        for size in ((3, 2), (7, 6), (3, 9))
    ]
    exact = [(3, 2), (7, 6), (11, 3), (4, 4)]
    cases += [Case("image.resize", (BYTES,), {"size": size}) for size in exact]
    cases += [Case("image.resize", (BYTES,), {"size": (4, 3), "interp": 0})]
    cases += [
        Case("image.resize", (integer(4, 6, 3, high=256, dtype="uint8"),), {"size": (3, 2)}),
        Case("image.resize", (integer(6, 3, 3, high=256, dtype="uint8"),), {"size": 2, "keep_ratio": True}),
        Case("image.resize", (integer(3, 8, 3, high=256, dtype="uint8"),), {"size": 2, "keep_ratio": True}),
        Case("image.resize", (integer(2, 3, 8, 3, high=256, dtype="uint8"),), {"size": 5}),
        Case("image.resize", (FLOATS,), {"size": (3, 2), "interp": 9}, error=True),
        Case("image.resize", (FLOATS,), {"size": (3, 2, 1)}, error=True),
    ]
    return cases


def _colours() -> list[Case]:
    cases = []
    for name in ("brightness", "contrast", "hue"):
        op = "image.random_" + name
        cases += [Case(op, (FLOATS,), factors, rtol=1e-4, atol=1e-2) for factors in (HALF, QUARTER)]
        cases += [
            Case(op, (FLOATS,), {"min_factor": -1.0, "max_factor": 1.0}, error=True),
            Case(op, (normal(4, 5, 2),), HALF, error=True),
        ]
    cases += [Case("image.random_" + name, (BYTES,), HALF) for name in ("brightness", "contrast")]
    alpha = {"alpha": (0.1, -0.2, 0.3)}
    cases += [
        Case("image.random_saturation", (FLOATS,), QUARTER, rtol=1e-4, atol=1e-2),
        Case("image.random_saturation", (normal(4, 5, 1),), HALF),
        Case("image.random_saturation", (normal(4, 5, 2),), HALF, error=True),
        Case("image.random_lighting", (FLOATS,), {"alpha_std": 0.0}, grad=(0,)),
        Case("image.adjust_lighting", (FLOATS,), alpha, rtol=1e-5, grad=(0,)),
        Case("image.adjust_lighting", (BYTES,), alpha),
        Case("image.adjust_lighting", (normal(4, 5, 2),), alpha, error=True),
        Case("image.adjust_lighting", (FLOATS,), {"alpha": (0.1, 0.2)}, error=True),
    ]
    return cases


def _few() -> list[Case]:
    """More of flips by chance, which keep sums, and of light."""
    cases = []
    for side in ("left_right", "top_bottom"):
        op = f"image.random_flip_{side}"
        pictures = (
            uniform(4, 6, 3, high=255),
            integer(4, 6, 3, high=256, dtype="uint8"),
            normal(4, 4, 1, dtype="float64"),
            normal(6, 2, 3),
            normal(2, 4, 4, 1),
        )
        cases += [Case(op, (data,), moments=True, error=len(data.shape) == 4) for data in pictures]
        cases.append(Case(op, (normal(3, 4),), error=True))
    still = {"brightness": 0.0, "contrast": 0.0, "saturation": 0.0, "hue": 0.0}
    wide = uniform(40, 50, 3, low=100, high=150)
    jitter = "image.random_color_jitter"
    cases += [
        Case(jitter, (wide,), {**still, kind: 0.002}, moments=True)
        for kind in ("brightness", "contrast", "hue")
    ]
    cases += [
        Case(jitter, (wide,), {**still, "brightness": 0.001, "contrast": 0.001}, moments=True),
        Case(
            jitter,
            (integer(30, 30, 3, low=90, high=160, dtype="uint8"),),
            {**still, "contrast": 0.001},
            moments=True,
        ),
        Case(jitter, (normal(4, 5, 2),), {**still, "brightness": 0.1}, error=True),
    ]
    cases += [
        Case(
            "image.random_hue",
            (uniform(2, 3, 3, high=255),),
            {"min_factor": f, "max_factor": f},
            rtol=1e-3,
            atol=0.05,
        )
        for f in (0.1, 0.75)
    ]
    cases += [
        Case("image.random_saturation", (normal(2, 3, 1),), QUARTER),
        Case("image.random_saturation", (integer(2, 3, 1, high=9, dtype="uint8"),), HALF),
        Case("image.random_saturation", (normal(1, 1, 1),), {"min_factor": 0.0, "max_factor": 0.0}),
        Case("image.random_saturation", (normal(3, 4),), HALF, error=True),
    ]
    cases += [
        Case("image.random_lighting", (data,), {"alpha_std": 0.0})
        for data in (uniform(2, 2, 3, high=255), BYTES, normal(1, 1, 3))
    ]
    cases += [
        Case("image.random_lighting", (wide,), {"alpha_std": 1e-3}, moments=True),
        Case("image.random_lighting", (normal(2, 3),), error=True),
        Case("image.adjust_lighting", (uniform(1, 1, 3, high=255),), {"alpha": (0.0, 0.0, 0.0)}),
    ]
    return cases


def _of_files() -> list[Case]:
    """What is done to pictures that were read."""
    around = {"top": 1, "bot": 2, "left": 7, "right": 4}
    size = {"w": 7, "h": 3}
    cases = [Case("_cvimresize", (BYTES,), {**size, "interp": i}, atol=1) for i in range(5)]
    cases += [Case("_cvimresize", (FLOATS,), {**size, "interp": i}, rtol=1e-4, atol=1e-2) for i in range(5)]
    cases += [
        Case("_cvimresize", (integer(4, 6, 5, high=256, dtype="uint8"),), {"w": 3, "h": 2}),
        Case("_cvimresize", (BYTES,), {"w": 0, "h": 2}, error=True),
        Case("_cvimresize", (normal(4, 5),), size, error=True),
        Case("_cvimresize", (normal(2, 4, 5, 3),), size, error=True),
    ]
    for kind in range(5):
        cases += [Case("_cvcopyMakeBorder", (data,), {**around, "type": kind}) for data in (BYTES, FLOATS)]
    rgba = integer(4, 5, 4, high=256, dtype="uint8")
    cases += [
        Case("_cvcopyMakeBorder", (data,), {**around, **words})
        for data in (BYTES, rgba)
        for words in (
            {"value": 2.5},
            {"value": 300.0},
            {"values": (1.0, 2.0, 3.0, 4.0)},
            {"values": (-4.0, 5.0, 6.0, 7.0)},
        )
    ]
    cases += [
        Case("_cvcopyMakeBorder", (BYTES,), {**around, "top": -1}, error=True),
        Case("_cvcopyMakeBorder", (BYTES,), {**around, "type": 5}, error=True),
        Case("_cvcopyMakeBorder", (normal(4, 5),), around, error=True),
    ]
    return cases


CASES = _shapes() + _resize() + _colours() + _few() + _of_files()
