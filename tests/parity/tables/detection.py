"""Operators of detectors: boxes, anchors, regions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..case import Case, Input, normal, uniform, values


def _boxes(*shape: int, seed: int = 0, size: float = 0.4, scale: float = 1.0) -> Any:
    random = np.random.RandomState(seed)
    low = random.uniform(0.05, 1, (*shape, 2))
    return np.round(np.concatenate([low, low + random.uniform(0.05, size, (*shape, 2))], -1) * scale, 5)


def _table(*shape: int, seed: int = 0, dtype: str = "float32", extra: int = 0) -> Input:
    random = np.random.RandomState(seed)
    kinds = random.randint(-1, 3, (*shape, 1))
    scores = np.round(random.uniform(0, 1, (*shape, 1)), 2)
    more = np.round(random.uniform(0, 1, (*shape, extra)), 3)
    return values(np.concatenate([kinds, scores, _boxes(*shape, seed=seed), more], -1), dtype)


def _box(*shape: int, seed: int = 0, dtype: str = "float32") -> Input:
    return values(_boxes(*shape, seed=seed), dtype)


def _suppression() -> list[Case]:
    rows, kind = _table(2, 30), {"id_index": 0}
    params: list[dict[str, Any]] = [
        {},
        {"overlap_thresh": 0.2, **kind},
        {"overlap_thresh": 0.2, **kind, "force_suppress": True, "background_id": 1},
        {"valid_thresh": 0.3, "topk": 5},
        {"topk": 0},
        {"topk": 100, "valid_thresh": -1},
        {"valid_thresh": 2},
        {"overlap_thresh": 0},
        {"overlap_thresh": -0.5},
        {"overlap_thresh": 1},
        {"in_format": "center"},
        {"out_format": "center"},
        {"in_format": "center", "out_format": "center", **kind},
    ]
    name = "contrib.box_nms"
    cases = [Case(name, (rows,), p, grad=(0,)) for p in params]
    cases += [
        Case(name, (_table(2, 2, 9, extra=2, dtype="float64"),), kind, grad=(0,)),
        Case(name, (_table(600, seed=3),), {"overlap_thresh": 0.6, **kind}, grad=(0,)),
        Case(name, (values([[0, 0.5, -1, 0, 1, 1], [1, 0.4, 0, 0, 1, 1]]),), {"out_format": "center"}),
        Case(
            name,
            (values([[0, 0.5, np.nan, 0, 1, 1], [0, 0.4, 0, 0, 1, 1], [0, np.nan, 0, 0, 1, 1]]),),
            tag="nan",
        ),
        Case(
            name,
            (values([[0, np.inf, 0, 0, np.inf, 1], [0, 0.4, 0, 0, 1, 1], [0, 0.3, 1, 1, 0, 0]]),),
            tag="inf",
        ),
        Case(name, (values([0, 0.5, 0, 0, 1, 1]),), error=True),
        Case(name, (normal(3, 5),), error=True),
        Case(name, (normal(3, 6),), {"coord_start": 3}, error=True),
        Case(name, (normal(3, 6),), {"score_index": 4}, error=True),
        Case(name, (normal(3, 6),), {"id_index": 1}, error=True),
        Case(name, (normal(3, 6),), {"id_index": 6}, error=True),
        Case(name, (normal(3, 6, dtype="int32"),), error=True),
    ]
    return cases


def _overlaps() -> list[Case]:
    iou, match = "contrib.box_iou", "contrib.bipartite_matching"
    odd = values([[1, 1, 2, 2], [2, 2, 1, 1], [1, 1, 1, 1], [np.nan, 0, 1, 1], [-np.inf, 0, np.inf, 1]])
    cases = [
        Case(iou, (_box(5), _box(4, seed=1)), grad=(0, 1)),
        Case(iou, (_box(2, 3), _box(1, 4, seed=1)), {"format": "center"}, grad=(0, 1)),
        Case(iou, (_box(5, dtype="float64"), _box(4, seed=1, dtype="float64"))),
        Case(iou, (odd, odd)),
        Case(iou, (odd, _box(4)), {"format": "center"}),
        Case(iou, (normal(4), normal(2, 4)), error=True),
        Case(iou, (normal(2, 5), normal(2, 4)), error=True),
        Case(iou, (normal(2, 4, dtype="int32"), normal(2, 4, dtype="int32")), error=True),
        Case(match, (normal(3),), {"threshold": 0.1}, error=True),
        Case(match, (normal(3, 2),), error=True),
    ]
    for p in ({"threshold": 0.1}, {"threshold": 0.7, "is_ascend": True}, {"threshold": 0, "topk": 1}):
        cases.append(Case(match, (uniform(4, 5),), p, grad=(0,), heads=(0, 1)))
        cases.append(Case(match, (uniform(2, 2, 6, 3, dtype="float64"),), p))
    cases.append(Case(match, (values([[0.5, 0.5, 0.5], [0.5, 0.5, 0.5]]),), {"threshold": 0.1}))
    return cases


def _coding() -> list[Case]:
    encode, decode = "contrib.box_encode", "contrib.box_decode"
    samples, matches = values([[1, -1, 1], [0, 1, 0.6]]), values([[1, 0, 0], [0, 1, 1]])
    cases = [
        Case(
            encode,
            (samples, matches, _box(2, 3), _box(2, 2, seed=1), normal(4), uniform(4, low=0.5, high=2)),
            grad=(2,),
            heads=(0, 1),
        ),
        Case(encode, (samples, matches, _box(2, 3), _box(2, 2, seed=1), normal(3), normal(4)), error=True),
        Case(decode, (normal(2, 3), _box(1, 3)), error=True),
    ]
    cases += [
        Case(
            encode,
            (values([[0.6, 0.5, -1]]), values([[0, 2, 1]]), _box(1, 3), _box(1, 3, seed=2), *numbers),
            tag=tag,
        )
        for tag, numbers in (
            ("shifted", (values([0.1, 0, -0.1, 0.2]), values([1, 2, 0.5, 1]))),
            ("none", (values([0, 0, 0, 0]), values([1, 1, 1, 1]))),
        )
    ]
    for dtype in ("float32", "float64"):
        more = [_box(2, 3, dtype=dtype), _box(2, 5, seed=1, dtype=dtype)]
        given = [values([[1, 1, 1], [1, 1, -1]], dtype), values([[4, 3, 0], [0, 1, 2]], dtype), *more]
        given += [values([0, 0, 0, 0], dtype), values([0.1, 0.1, 0.2, 0.2], dtype)]
        cases.append(Case(encode, tuple(given)))
        decoded = (normal(2, 3, 4, dtype=dtype), _box(1, 3, dtype=dtype))
        for p in ({}, {"format": "corner", "clip": 0.3}, {"std0": 0.1, "std1": 0.2, "std2": 0.3, "std3": 2}):
            cases.append(Case(decode, decoded, p, grad=(0, 1)))
    return cases


def _single_shot() -> list[Case]:
    prior, detect, target = (f"contrib.MultiBox{name}" for name in ("Prior", "Detection", "Target"))
    image = normal(1, 2, 3, 2)
    params: list[dict[str, Any]] = [
        {},
        {"sizes": (0.5, 0.25), "ratios": (2, 1, 0.5), "clip": True},
        {"steps": (0.1, 0.2), "offsets": (0.2, 0.3)},
        {"sizes": (0, -1)},
        {"steps": (-0.1, -0.2)},
    ]
    cases = [Case(prior, (image,), p, grad=(0,)) for p in params]
    bad: list[dict[str, Any]] = [{"sizes": ()}, {"ratios": ()}, {"steps": (0.1,)}, {"steps": (0.1, -1)}]
    cases += [Case(prior, (image,), p, error=True) for p in bad]
    cases.append(Case(prior, (normal(3, 1, 1),), error=True))
    scene = (uniform(2, 4, 40), normal(2, 160), _box(1, 40))
    params = [
        {},
        {"threshold": 0.6, "clip": False, "nms_threshold": 0.2},
        {"force_suppress": True, "variances": (0.2, 0.1, 0.1, 0.3)},
        {"nms_topk": 5},
        {"nms_threshold": 0},
        {"background_id": 2, "nms_threshold": 1},
    ]
    cases += [Case(detect, scene, p) for p in params]
    cases.append(Case(detect, (uniform(1, 1, 3), normal(1, 12), _box(1, 3))))
    cases.append(Case(detect, scene, {"variances": (1, 1)}, error=True))
    cases.append(Case(detect, (uniform(1, 2, 3), normal(1, 8), _box(1, 3)), error=True))
    label = np.full((2, 4, 5), -1.0)
    label[0, :3] = np.concatenate([[[1], [0], [2]], _boxes(3, seed=5)], 1)
    label[1, :1] = [[3, 0.2, 0.2, 0.6, 0.6]]
    truth = (_box(1, 30), values(label), normal(2, 5, 30))
    params = [
        {},
        {"overlap_threshold": 0, "ignore_label": -7},
        {"negative_mining_ratio": 3, "minimum_negative_samples": 2},
        {"negative_mining_ratio": 0.4, "overlap_threshold": 0.2, "variances": (0.2, 0.1, 0.1, 0.3)},
    ]
    cases += [Case(target, truth, p, heads=(0, 1, 2)) for p in params]
    cases.append(Case(target, (_box(1, 5), values(np.full((1, 2, 5), -1.0)), normal(1, 3, 5))))
    cases.append(Case(target, truth, {"variances": (1, 1)}, error=True))
    cases.append(Case(target, (_box(1, 5), normal(1, 2, 4), normal(1, 3, 5)), error=True))
    cases.append(Case(target, (_box(1, 5), normal(1, 2, 5), normal(1, 3, 4)), error=True))
    return cases


def _regions(count: int, images: int, scale: float, seed: int = 0) -> Input:
    image = np.arange(count)[:, None] % images
    return values(np.concatenate([image, _boxes(count, seed=seed, size=1.0, scale=scale)], 1))


def _pooled() -> list[Case]:
    align, turned = "contrib.ROIAlign", "contrib.RROIAlign"
    sensitive, moved = "contrib.PSROIPooling", "contrib.DeformablePSROIPooling"
    regions, grid = _regions(5, 2, 6), {"pooled_size": (2, 3), "spatial_scale": 1.0}
    extra: list[dict[str, Any]] = [{}, {"sample_ratio": 2}, {"aligned": True}, {"position_sensitive": True}]
    cases = [Case(align, (normal(2, 12, 6, 5), regions), {**grid, **p}, grad=(0, 1)) for p in extra]
    cases.append(Case(align, (normal(2, 3, 6, 5), regions), {**grid, "spatial_scale": 0.5}, grad=(0, 1)))
    cases.append(Case(align, (normal(2, 3, 6, 5), regions), {**grid, "spatial_scale": 1.5}, error=True))
    cases.append(Case(align, (normal(2, 3, 6, 5), regions), {**grid, "pooled_size": (2,)}, error=True))
    cases.append(Case(align, (normal(2, 7, 6, 5), regions), {**grid, "position_sensitive": True}, error=True))
    cases.append(Case(align, (normal(2, 3, 6, 5), normal(2, 4)), grid, error=True))
    angles = values([[0, 2.5, 2, 4, 3, 30], [1, 3, 2, 2, 0.5, -75], [0, 5, 4, 8, 3, 200], [1, 0, 0, 9, 9, 9]])
    for p in (
        {},
        {"sampling_ratio": 2},
        {"spatial_scale": 0.5},
        {"pooled_size": (3, 1)},
        {"sampling_ratio": 1},
    ):
        cases.append(Case(turned, (normal(2, 3, 6, 5), angles), {**grid, **p}))
    for size, group, scale in ((2, 0, 1.0), (3, 2, 1.0), (2, 2, 0.5), (1, 3, 0.25), (4, 1, 1.0)):
        p = {"spatial_scale": scale, "output_dim": 2, "pooled_size": size, "group_size": group}
        channels = 2 * (group or size) ** 2
        cases.append(Case(sensitive, (normal(2, channels, 6, 5), regions), p, grad=(0, 1)))
    for size, group, part, classes in ((2, 2, 0, 1), (3, 2, 2, 2), (2, 1, 3, 2), (3, 3, 1, 1)):
        p = {"spatial_scale": 1.0, "output_dim": 2, "pooled_size": size, "group_size": group}
        p |= {"part_size": part, "sample_per_part": 2, "trans_std": 0.1}
        given = (normal(2, 2 * group**2, 6, 5), regions, normal(5, 2 * classes, part or size, part or size))
        cases.append(Case(moved, given, p, grad=(0, 1, 2), rtol=1e-4, atol=1e-5))
    p = {"spatial_scale": 0.5, "output_dim": 2, "pooled_size": 2, "group_size": 2, "no_trans": True}
    cases.append(Case(moved, (normal(2, 8, 6, 5), regions), p, grad=(0, 1)))
    return cases


def _proposals() -> list[Case]:
    one, many = "contrib.Proposal", "contrib.MultiProposal"
    small = {"scales": (2, 4), "ratios": (0.5, 1, 2), "rpn_post_nms_top_n": 8}
    params: list[dict[str, Any]] = [
        small,
        {**small, "rpn_pre_nms_top_n": 20, "threshold": 0.3},
        {**small, "iou_loss": True, "output_score": True},
        {**small, "feature_stride": 8, "rpn_min_size": 4},
        {**small, "rpn_min_size": 500, "rpn_pre_nms_top_n": -1},
    ]
    cases = []
    for p in params:
        info = values(np.array([[64, 80, 1], [50, 80, 1.5]]) / (16 // p.get("feature_stride", 16)))
        given = (uniform(2, 12, 4, 5), uniform(2, 24, 4, 5, low=-0.4, high=0.4), info)
        cases.append(Case(many, given, p, rtol=1e-4, atol=1e-3))
        given = (uniform(1, 12, 4, 5), uniform(1, 24, 4, 5, low=-0.4, high=0.4), values([[32, 38, 1]]))
        cases.append(Case(one, given, p, rtol=1e-4, atol=1e-3))
    cases.append(Case(one, (uniform(2, 12, 4, 5), normal(2, 24, 4, 5), info), small, error=True))
    return cases


CASES = _suppression() + _overlaps() + _coding() + _single_shot() + _pooled() + _proposals()
