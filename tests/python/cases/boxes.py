"""Cases of operators on boxes: overlaps, suppression, matching, differences from anchors."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import Array, Case, Spec


def corners(b: Array, fmt: str = "corner") -> Array:
    if fmt == "corner":
        return b
    return np.concatenate([b[..., :2] - b[..., 2:] / 2, b[..., :2] + b[..., 2:] / 2], -1)


def centers(b: Array) -> Array:
    return np.concatenate([(b[..., :2] + b[..., 2:]) / 2, b[..., 2:] - b[..., :2]], -1)


def overlaps(a: Array, b: Array, unit: float = 0) -> Array:
    """Intersection over union of boxes (n, 4) and (m, 4); 0 where they share nothing."""
    low, high = np.maximum(a[:, None, :2], b[None, :, :2]), np.minimum(a[:, None, 2:], b[None, :, 2:])
    inner = np.prod(np.maximum(high - low + unit, 0), -1)
    areas = [np.prod(np.maximum(x[:, 2:] - x[:, :2] + unit, 0), -1) for x in (a, b)]
    union = areas[0][:, None] + areas[1][None, :] - inner
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(inner > 0, inner / union, 0)


def survivors(boxes: Array, kinds: Array | None, threshold: float, inclusive: bool = False) -> Array:
    over = overlaps(boxes, boxes)
    bad = over >= threshold if inclusive else over > threshold
    if kinds is not None:
        bad &= kinds[:, None] == kinds[None, :]
    keep = np.ones(len(boxes), bool)
    for i in range(len(boxes)):
        keep[i] = not (bad[i, :i] & keep[:i]).any()
    return keep


def box_nms(x: Array, **p: Any) -> Array:
    if p.get("topk", -1) == 0:
        return x
    rows = x.reshape(int(np.prod(x.shape[:-2])), *x.shape[-2:])
    out = np.full(rows.shape, -1.0)
    start, score, kind = p.get("coord_start", 2), p.get("score_index", 1), p.get("id_index", -1)
    formats = p.get("in_format", "corner"), p.get("out_format", "corner")
    for batch, result in zip(rows, out):
        valid = batch[:, score] > p.get("valid_thresh", 0)
        if kind >= 0:
            valid &= batch[:, kind] != p.get("background_id", -1)
        chosen = batch[valid]
        chosen = chosen[np.argsort(-chosen[:, score], kind="stable")]
        if p.get("topk", -1) > 0:
            chosen = chosen[: p["topk"]]
        boxes = corners(chosen[:, start : start + 4], formats[0])
        kinds = chosen[:, kind] if kind >= 0 and not p.get("force_suppress") else None
        keep = survivors(boxes, kinds, p.get("overlap_thresh", 0.5))
        chosen = chosen.copy()
        if formats[0] != formats[1]:
            chosen[:, start : start + 4] = boxes if formats[1] == "corner" else centers(boxes)
        result[: keep.sum()] = chosen[keep]
    return out.reshape(x.shape)


def box_iou(a: Array, b: Array, format: str = "corner") -> Array:
    flat = overlaps(corners(a, format).reshape(-1, 4), corners(b, format).reshape(-1, 4))
    return flat.reshape(a.shape[:-1] + b.shape[:-1])


def matching(x: Array, threshold: float, is_ascend: bool = False, topk: int = -1) -> tuple[Array, Array]:
    scores = x.reshape(int(np.prod(x.shape[:-2])), *x.shape[-2:])
    rows, columns = np.full(scores.shape[:2], -1.0), np.full((len(scores), scores.shape[2]), -1.0)
    for b, batch in enumerate(scores):
        pairs = 0
        for at in np.argsort(batch if is_ascend else -batch, axis=None, kind="stable"):
            r, c = np.unravel_index(at, batch.shape)
            if rows[b, r] >= 0 or columns[b, c] >= 0:
                continue
            if not (batch[r, c] < threshold if is_ascend else batch[r, c] > threshold):
                break
            rows[b, r], columns[b, c] = c, r
            pairs += 1
            if pairs > topk > 0:
                break
    return rows.reshape(x.shape[:-1]), columns.reshape(*x.shape[:-2], x.shape[-1])


def encode(s: Array, m: Array, anchors: Array, refs: Array, means: Array, stds: Array) -> tuple[Array, Array]:
    a, r = centers(anchors), centers(np.take_along_axis(refs, m.astype(int)[..., None], 1))
    code = np.concatenate([(r[..., :2] - a[..., :2]) / a[..., 2:], np.log(r[..., 2:] / a[..., 2:])], -1)
    mask = np.repeat((s > 0.5)[..., None] * 1.0, 4, -1)
    return np.where(mask, (code - means) / stds, 0), mask


def decode(x: Array, anchors: Array, clip: float = -1, format: str = "center", **std: float) -> Array:
    a = anchors if format == "center" else centers(anchors)
    x = x * [std.get(f"std{i}", 1) for i in range(4)]
    size = np.minimum(x[..., 2:], clip) if clip > 0 else x[..., 2:]
    return corners(
        np.concatenate([x[..., :2] * a[..., 2:] + a[..., :2], np.exp(size) * a[..., 2:]], -1), "center"
    )


def boxes(*shape: int, seed: int = 0, size: float = 0.4) -> Array:
    rng = np.random.default_rng(seed)
    low = rng.uniform(0.05, 1, (*shape, 2))
    return np.concatenate([low, low + rng.uniform(0.05, size, (*shape, 2))], -1)


def table(*shape: int, seed: int = 0, size: float = 0.4, kinds: int = 3, extra: int = 0) -> Array:
    """Rows of class, score, box and more; scores differ in every dtype."""
    rng = np.random.default_rng(seed)
    scores = np.stack([rng.permutation(shape[-1]) for _ in range(int(np.prod(shape[:-1])))])
    kind = rng.integers(0, kinds, (*shape, 1)).astype(float)
    score = (scores.reshape(*shape, 1) + 1) / 2.0 ** np.ceil(np.log2(shape[-1] + 1))
    return np.concatenate([kind, score, boxes(*shape, seed=seed, size=size), rng.random((*shape, extra))], -1)


NMS = "_contrib_box_nms"
ID = {"id_index": 0}
NAN, INF = np.nan, np.inf
ODD = np.array(
    [
        [0, 0.9, 0, 0, 2, 2],
        [0, 0.8, NAN, 0, 2, 2],
        [0, 0.7, 0, 0, INF, 2],
        [0, NAN, 0, 0, 2, 2],
        [NAN, 0.6, 0, 0, 2, 2],
        [0, INF, 5, 5, 6, 6],
        [0, 0.4, 2, 2, 0, 0],
        [0, 0.3, 1, 1, 1, 1],
    ]
)
ODD_KEPT = ODD[[5, 0, 1, 2, 4, 6, 7]]


def odd(x: Array, **p: Any) -> Array:
    return np.concatenate([ODD_KEPT if p else np.delete(ODD_KEPT, 4, 0), np.full((1 if p else 2, 6), -1.0)])


CASES = [
    Case(NMS, [table(2, 12)], ref=box_nms),
    Case("_contrib_box_non_maximum_suppression", [table(9)], ref=box_nms, id="alias"),
    Case(NMS, [table(2, 2, 9, kinds=4)], {**ID, "overlap_thresh": 0.3}, box_nms, id="classes"),
    Case(
        NMS, [table(20, seed=1)], {**ID, "force_suppress": True, "overlap_thresh": 0.2}, box_nms, id="force"
    ),
    Case(NMS, [table(2, 12)], {**ID, "background_id": 1}, box_nms, grad=False, id="background"),
    Case(NMS, [table(2, 12)], {"valid_thresh": 0.4, "topk": 4}, box_nms, id="topk"),
    Case(NMS, [table(2, 5)], {"topk": 0}, box_nms, id="topk-0"),
    Case(NMS, [table(2, 5)], {"topk": 50}, box_nms, id="topk-50"),
    Case(NMS, [table(2, 5)], {"valid_thresh": 2.0}, box_nms, id="none"),
    Case(NMS, [table(8, extra=3)], {"overlap_thresh": 0.1}, box_nms, id="wide-rows"),
    Case(
        NMS,
        [table(9)[:, [2, 3, 4, 5, 1, 0]]],
        {"coord_start": 0, "score_index": 4, "id_index": 5},
        box_nms,
        id="columns",
    ),
    Case(NMS, [table(9, size=0.8)], {"in_format": "center", "out_format": "center"}, box_nms, id="center"),
    Case(NMS, [table(9, size=0.4)], {"out_format": "center"}, box_nms, grad=False, id="to-center"),
    Case(
        NMS,
        [table(9) + 1.0],
        {"in_format": "center"},
        box_nms,
        grad=False,
        dtypes=("float32", "float64"),
        id="to-corner",
    ),
    Case(
        NMS,
        [table(3000, size=0.05)],
        {"overlap_thresh": 0.3},
        box_nms,
        grad=False,
        dtypes=("float32", "float64"),
        id="many",
    ),
    Case(
        NMS,
        [table(2, 700, size=0.5)],
        {**ID, "overlap_thresh": 0.7},
        box_nms,
        grad=False,
        dtypes=("float32",),
        id="many-classes",
    ),
    Case(
        NMS,
        [table(700, size=0.1)],
        {"overlap_thresh": 0.01},
        box_nms,
        grad=False,
        dtypes=("float64",),
        id="low",
    ),
    Case(NMS, [ODD], {**ID, "overlap_thresh": 0.5}, odd, grad=False, id="not-finite"),
    Case(NMS, [(0, 6)], ref=box_nms, id="empty"),
    Case(NMS, [(0, 3, 6)], ref=box_nms, id="no-batches"),
    Case(NMS, [(6,)], fails="boxes, columns", id="1-d"),
    Case(NMS, [(3, 5)], fails="coord_start is 2", id="narrow"),
    Case(NMS, [(3, 6)], {"coord_start": 2147483647}, fails="coord_start", id="far-column"),
    Case(NMS, [(3, 6)], {"score_index": 3}, fails="score_index is 3", id="score-in-box"),
    Case(NMS, [(3, 6)], {"score_index": -1}, fails="score_index is -1", id="no-score"),
    Case(NMS, [(3, 6)], {"id_index": 6}, fails="id_index is 6", id="far-id"),
    Case(NMS, [(3, 6)], {"id_index": 1}, fails="both 1", id="id-is-score"),
    Case(NMS, [Spec((3, 6), dtype="int32")], fails="float", id="integers"),
    Case("_contrib_box_iou", [boxes(3), boxes(4, seed=1)], ref=box_iou),
    Case("_contrib_box_iou", [boxes(2, 3), boxes(1, 4, seed=1)], {"format": "center"}, box_iou, id="center"),
    Case("_contrib_box_iou", [(0, 4), (2, 4)], ref=box_iou, id="empty"),
    Case("_contrib_box_iou", [np.array([[2.0, 2, 1, 1], [1, 1, 1, 1]]), boxes(3)], ref=box_iou, id="no-area"),
    Case("_contrib_box_iou", [(4,), (2, 4)], fails="expected (..., 4)", id="1-d"),
    Case("_contrib_box_iou", [(2, 5), (2, 4)], fails="_contrib_box_iou", id="five"),
    Case("_contrib_bipartite_matching", [Spec((2, 3, 4), 0, 1, "distinct")], {"threshold": 0.2}, matching),
    Case(
        "_contrib_bipartite_matching",
        [Spec((5, 3), 0, 1, "distinct")],
        {"threshold": 0.7, "is_ascend": True},
        matching,
        id="ascend",
    ),
    Case(
        "_contrib_bipartite_matching",
        [Spec((2, 2, 4, 5), 0, 1, "distinct")],
        {"threshold": 0.0, "topk": 2},
        matching,
        id="topk",
    ),
    Case("_contrib_bipartite_matching", [np.ones((3, 3))], {"threshold": 0.5}, matching, id="ties"),
    Case("_contrib_bipartite_matching", [(0, 3)], {"threshold": 0.5}, matching, id="no-rows"),
    Case("_contrib_bipartite_matching", [(3,)], {"threshold": 0.5}, fails="(..., rows, columns)", id="1-d"),
    Case(
        "_contrib_box_encode",
        [
            np.array([[1.0, -1, 1], [0, 1, 1]]),
            np.array([[1.0, 0, 0], [0, 1, 0]]),
            boxes(2, 3),
            boxes(2, 2, seed=1),
            (4,),
            Spec((4,), 0.5, 2),
        ],
        ref=encode,
        rtol=1e-4,
        atol=1e-5,
        dtypes=("float32", "float64"),
    ),
    Case(
        "_contrib_box_encode",
        [np.ones((1, 1)), np.ones((1, 1)), boxes(1, 1), boxes(1, 1), (4,), (4,)],
        fails="sample 0 matches box 1",
        id="far",
    ),
    Case(
        "_contrib_box_encode",
        [(1, 2), (1, 3), (1, 2, 4), (1, 1, 4), (4,), (4,)],
        fails="_contrib_box_encode",
        id="lengths",
    ),
    Case("_contrib_box_decode", [(2, 3, 4), boxes(1, 3)], ref=decode),
    Case(
        "_contrib_box_decode",
        [(2, 3, 4), boxes(1, 3)],
        {"std0": 0.125, "std1": 0.25, "std2": 0.5, "std3": 2.0, "clip": 0.25, "format": "corner"},
        decode,
        dtypes=("float32", "float64"),
        id="corner",
    ),
    Case("_contrib_box_decode", [(2, 0, 4), (1, 0, 4)], ref=decode, id="empty"),
    Case("_contrib_box_decode", [(2, 3, 4), (2, 3, 4)], fails="_contrib_box_decode", id="two-anchors"),
    Case(
        "_contrib_box_encode",
        [np.ones((1, 1)), np.full((1, 1), -0.5), boxes(1, 1), (1, 0, 4), (4,), (4,)],
        fails="expected one of 0",
        id="no-refs",
    ),
]
for case in CASES:  # MXNet defines the gradients of the others as 0, which they are not
    if case.op not in (NMS, "_contrib_box_non_maximum_suppression"):
        case.grad = False
