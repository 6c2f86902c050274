"""Options of ImageDetRecordIter at the ends of what they may be, and beyond."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx

DATA = Path(__file__).resolve().parents[2] / "data" / "pictures" / "boxes.rec"
NAN, INFINITY = float("nan"), float("inf")
PROBABILITIES = (
    "rand_crop_prob",
    "rand_pad_prob",
    "random_hue_prob",
    "random_saturation_prob",
    "random_illumination_prob",
    "random_contrast_prob",
    "rand_mirror_prob",
)
# Name, values at the ends and inside, values beyond.
BOUNDS: list[tuple[str, list[Any], list[Any]]] = [
    *((name, [0, 0.5, 1], [1.001, 2, NAN, INFINITY]) for name in PROBABILITIES),
    ("resize", [-1, 1, 90], [0, -2]),
    ("fill_value", [0, 255], [-1, 256]),
    ("inter_method", [0, 4, 9, 10], [-1, 5, 8, 11]),
    ("max_random_hue", [0, 180], [-1]),
    ("max_random_saturation", [0, 255], [-1]),
    ("max_random_illumination", [0, 255], [-1]),
    ("max_random_contrast", [0, 1], [-0.1, NAN, INFINITY]),
    ("num_crop_sampler", [0, 1, 1024], [-1, 1025]),
    ("emit_overlap_thresh", [0, 0.3, 1], [-0.1, NAN, INFINITY]),
    ("max_pad_scale", [0, 1, 32], [-0.1, 32.1, NAN, INFINITY]),
    ("max_crop_scales", [(1e-3,), (1,)], [(0,), (-1,), (1.001,), (NAN,)]),
    ("min_crop_scales", [(0,), (1,)], [(-0.1,), (1.1,), (NAN,)]),
    ("min_crop_aspect_ratios", [(0.01,), (1,)], [(0,), (-1,), (1.1,), (NAN,)]),
    ("max_crop_aspect_ratios", [(1,), (100,)], [(0.9,), (INFINITY,), (NAN,)]),
    ("min_crop_overlaps", [(0,), (1,)], [(1.1,), (NAN,), (-INFINITY,)]),
    ("max_crop_overlaps", [(0,), (1,)], [(-0.1,), (NAN,), (INFINITY,)]),
    ("min_crop_sample_coverages", [(0,), (1,)], [(1.1,), (NAN,)]),
    ("max_crop_sample_coverages", [(0,), (1,)], [(-0.1,), (INFINITY,)]),
    ("min_crop_object_coverages", [(0,), (1,)], [(1.1,), (NAN,)]),
    ("max_crop_object_coverages", [(0,), (1,)], [(-0.1,), (INFINITY,)]),
    ("max_crop_trials", [(0,), (1,), (25,)], [(-1,), ((1 << 20) + 1,)]),
    ("crop_emit_mode", ["center", "overlap"], ["middle", ""]),
    ("resize_mode", ["force", "shrink", "fit"], ["stretch", ""]),
    ("label_pad_width", [-1, 0, 60], [1 << 31]),
]


def named(value: Any) -> str:
    return str(value)[:24]


def batches(**options: Any) -> Any:
    return mx.io.ImageDetRecordIter(DATA, (3, 24, 24), 2, seed=3, **options)


def on(name: str) -> dict[str, Any]:
    """Options under which the one of that name is used."""
    return {each: 1 for each in PROBABILITIES if each != name}


@pytest.mark.parametrize(("name", "values"), [(name, good) for name, good, _ in BOUNDS], ids=named)
def test_inside(name: str, values: list[Any]) -> None:
    for value in values:
        for batch in batches(**{**on(name), name: value}):
            assert batch.data[0].shape == (2, 3, 24, 24) and np.isfinite(batch.data[0].asnumpy()).all()
            boxes = batch.label[0].asnumpy()
            assert np.isfinite(boxes).all()


@pytest.mark.parametrize(("name", "values"), [(name, bad) for name, _, bad in BOUNDS], ids=named)
def test_beyond(name: str, values: list[Any]) -> None:
    for value in values:
        with pytest.raises((mx.MXNetError, ValueError), match=rf"\[ImageDetRecordIter\].*{name}"):
            batches(**{name: value})


@pytest.mark.parametrize("name", [name for name, _, _ in BOUNDS if "crop_" in name and name.endswith("s")])
def test_lists_of_another_length(name: str) -> None:
    values = {each: good for each, good, _ in BOUNDS}[name]
    match = rf"\[ImageDetRecordIter\] {name} has 2 items; expected 1 or num_crop_sampler=3"
    with pytest.raises(mx.MXNetError, match=match):
        batches(num_crop_sampler=3, **{name: (*values[-1], *values[-1])})
