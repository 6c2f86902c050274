"""Cases of regions from region proposal networks."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import Array, Case, Spec


def base_anchors(stride: int, ratios: Any, scales: Any) -> Array:
    out, middle = [], (stride - 1) / 2
    for ratio in ratios:
        width = np.floor(np.sqrt(np.floor(stride * stride / ratio)) + 0.5)
        height = np.floor(width * ratio + 0.5)
        for scale in scales:
            half = np.array([width * scale - 1, height * scale - 1]) / 2
            out.append([*(middle - half), *(middle + half)])
    return np.array(out)


def one_image(scores: Array, differences: Array, info: Array, **p: Any) -> tuple[Array, Array]:
    scales, ratios = p.get("scales", (4, 8, 16, 32)), p.get("ratios", (0.5, 1, 2))
    stride, post = p.get("feature_stride", 16), p.get("rpn_post_nms_top_n", 300)
    base = base_anchors(stride, ratios, scales)
    n, (height, width) = len(base), scores.shape[1:]
    scores, differences = scores[n:], differences.reshape(n, 4, height, width)
    limit, least = info[1::-1] - 1, p.get("rpn_min_size", 16) * info[2]
    boxes, values = [], []
    for i, j, k in np.ndindex(height, width, n):
        a, d = base[k] + np.array([j, i, j, i]) * stride, differences[k, :, i, j]
        if p.get("iou_loss"):
            box = a + d
        else:
            size = a[2:] - a[:2] + 1
            middle, half = d[:2] * size + a[:2] + (size - 1) / 2, (np.exp(d[2:]) * size - 1) / 2
            box = np.concatenate([middle - half, middle + half])
        box = np.clip(box, 0, np.tile(limit, 2))
        beyond = i >= int(info[0] / stride) or j >= int(info[1] / stride)
        small = (box[2:] - box[:2] + 1 < least).any()
        boxes.append(box + np.array([-1, -1, 1, 1]) * least / 2 * small)
        values.append(-1 if beyond or small else scores[k, i, j])
    order = np.argsort(-np.array(values), kind="stable")
    if p.get("rpn_pre_nms_top_n", 6000) > 0:
        order = order[: p.get("rpn_pre_nms_top_n", 6000)]
    kept: list[int] = []
    for at in order:
        if all(overlap(boxes[at], boxes[other]) <= p.get("threshold", 0.7) for other in kept):
            kept.append(at)
    chosen = np.resize(kept[:post], post)
    return np.array(boxes)[chosen], np.array(values)[chosen, None]


def overlap(a: Array, b: Array) -> float:
    inner = np.prod(np.maximum(np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2]) + 1, 0))
    return float(inner / (np.prod(a[2:] - a[:2] + 1) + np.prod(b[2:] - b[:2] + 1) - inner))


def proposal(scores: Array, differences: Array, info: Array, **p: Any) -> Any:
    found = [one_image(*image, **p) for image in zip(scores, differences, info)]
    post = p.get("rpn_post_nms_top_n", 300)
    images = np.repeat(np.arange(len(scores)), post)[:, None]
    rows = np.concatenate([images, np.concatenate([boxes for boxes, _ in found])], 1)
    values = np.concatenate([value for _, value in found])
    return (rows, values) if p.get("output_score") else rows


ONE, MANY = "_contrib_Proposal", "_contrib_MultiProposal"
SMALL = {"scales": (2, 4), "ratios": (0.5, 1, 2), "rpn_post_nms_top_n": 8}


def network(
    images: int, anchors: int, height: int, width: int, low: float = 0.9, stride: int = 16
) -> list[Any]:
    info = np.array(
        [[stride * height, stride * width - 5, 1.0], [stride * (height - 1), stride * width, 1.5]]
    )
    info = info[:images]
    scores = Spec((images, 2 * anchors, height, width), 0, 1, "distinct")
    return [scores, Spec((images, 4 * anchors, height, width), -low / 2, low / 2), info]


def rows_repeat(outputs: list[Array], inputs: list[Array]) -> None:
    assert (outputs[0] == outputs[0][0]).all()


def no_crash(outputs: list[Array], inputs: list[Array]) -> None:
    assert outputs[0].shape == (300, 5)


CASES = [
    Case(ONE, network(1, 6, 3, 4), SMALL, proposal),
    Case(ONE, network(1, 12, 2, 3), {"output_score": True, "rpn_min_size": 40}, proposal, id="defaults"),
    Case(ONE, network(1, 6, 4, 3), {**SMALL, "rpn_pre_nms_top_n": 20, "threshold": 0.25}, proposal, id="few"),
    Case(ONE, network(1, 6, 3, 4, 8), {**SMALL, "iou_loss": True}, proposal, id="sides"),
    Case(
        ONE,
        network(1, 6, 3, 4),
        {**SMALL, "rpn_min_size": 900, "threshold": 0.1},
        check=rows_repeat,
        id="all-small",
    ),
    Case(
        ONE,
        [np.full((1, 24, 2, 2), np.nan), np.full((1, 48, 2, 2), np.inf), np.full((1, 3), np.nan)],
        check=no_crash,
        id="nan",
    ),
    Case(ONE, network(2, 6, 3, 4), SMALL, fails=ONE, id="two-images"),
    Case(ONE, network(1, 6, 3, 4, stride=32), SMALL, fails="places beyond the 3 by 4", id="large-image"),
    Case(ONE, network(1, 5, 3, 4), SMALL, fails=ONE, id="channels"),
    Case(ONE, network(1, 6, 0, 4), SMALL, fails="one pixel", id="empty"),
    Case(ONE, network(1, 6, 3, 4), {**SMALL, "scales": ()}, fails="at least one scale", id="no-scales"),
    Case(ONE, network(1, 6, 3, 4), {**SMALL, "rpn_post_nms_top_n": 0}, fails="rpn_post_nms_top_n", id="none"),
    Case(MANY, network(2, 6, 3, 4), {**SMALL, "output_score": True}, proposal),
    Case(
        MANY, network(2, 6, 5, 6), {**SMALL, "rpn_pre_nms_top_n": 60, "threshold": 0.5}, proposal, id="large"
    ),
    Case(
        MANY,
        network(2, 6, 3, 4, stride=8),
        {**SMALL, "feature_stride": 8, "rpn_min_size": 4},
        proposal,
        id="stride",
    ),
    Case(MANY, network(0, 6, 3, 4), SMALL, check=lambda outputs, inputs: None, id="no-images"),
]
for case in CASES:  # regions get no gradient, and rounding to half types changes their order
    case.grad = False
    case.dtypes, case.rtol, case.atol = ("float32", "float64"), 1e-4, 1e-4
