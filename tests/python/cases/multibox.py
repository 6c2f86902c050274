"""Cases of the operators of single-shot detectors."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import Array, Case, Spec


def prior(x: Array, **p: Any) -> Array:
    height, width = x.shape[2:4]
    steps, offsets = p.get("steps", (-1, -1)), p.get("offsets", (0.5, 0.5))
    sizes, ratios = p.get("sizes", (1,)), p.get("ratios", (1,))
    pairs = [(s, ratios[0]) for s in sizes] + [(sizes[0], r) for r in ratios[1:]]
    out = np.zeros((height, width, len(pairs), 4))
    for i, j, k in np.ndindex(*out.shape[:3]):
        y = (i + offsets[0]) * (steps[0] if steps[0] > 0 else 1 / height)
        x0 = (j + offsets[1]) * (steps[1] if steps[1] > 0 else 1 / width)
        size, ratio = pairs[k]
        w, h = size * np.sqrt(ratio) * height / width / 2, size / np.sqrt(ratio) / 2
        out[i, j, k] = x0 - w, y - h, x0 + w, y + h
    out = out.reshape(1, -1, 4)
    return np.clip(out, 0, 1) if p.get("clip") else out


def overlap(a: Array, b: Array) -> float:
    inner = np.prod(np.maximum(np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2]), 0))
    union = np.prod(a[2:] - a[:2]) + np.prod(b[2:] - b[:2]) - inner
    return float(inner / union) if union > 0 else 0.0


VARIANCES = (0.125, 0.125, 0.25, 0.25)  # the same in every dtype


def detection(scores: Array, differences: Array, anchors: Array, **p: Any) -> Array:
    v = np.array(p["variances"])
    out = np.full((len(scores), scores.shape[2], 6), -1.0)
    for b, batch in enumerate(scores):
        rows = []
        for i, (d, a) in enumerate(zip(differences[b].reshape(-1, 4), anchors[0])):
            kind = 1 + int(np.argmax(batch[1:, i])) if len(batch) > 1 else 0
            if kind == 0 or batch[kind, i] < p.get("threshold", 0.01):
                continue
            size, center = a[2:] - a[:2], (a[:2] + a[2:]) / 2
            middle, half = d[:2] * v[:2] * size + center, np.exp(d[2:] * v[2:]) * size / 2
            box = np.concatenate([middle - half, middle + half])
            rows.append([kind - 1, batch[kind, i], *(np.clip(box, 0, 1) if p.get("clip", True) else box)])
        if not rows:
            continue
        found = out[b, : len(rows)]
        found[:] = rows
        if not 0 < p.get("nms_threshold", 0.5) <= 1:
            continue
        most = min(p.get("nms_topk", -1), len(rows)) if p.get("nms_topk", -1) > 0 else len(rows)
        found[:most] = np.array(rows)[np.argsort(-np.array(rows)[:, 1], kind="stable")[:most]]
        found[most:, 0] = -1
        for i in range(most):
            for j in range(i):
                same = p.get("force_suppress") or found[i, 0] == found[j, 0]
                if (
                    found[j, 0] >= 0
                    and same
                    and overlap(found[i, 2:], found[j, 2:]) >= p.get("nms_threshold", 0.5)
                ):
                    found[i, 0] = -1
    return out


def target(anchors: Array, labels: Array, scores: Array, **p: Any) -> tuple[Array, Array, Array]:
    a, v = anchors[0], np.array(p["variances"])
    n = len(a)
    location, mask = np.zeros((len(labels), n, 4)), np.zeros((len(labels), n, 4))
    kinds = np.full((len(labels), n), float(p.get("ignore_label", -1)))
    for b, label in enumerate(labels):
        ends = np.flatnonzero(label[:, 0] == -1)
        label = label[: ends[0]] if len(ends) else label
        if not len(label):
            continue
        over = np.array([[overlap(x, y[1:5]) for y in label] for x in a])
        shown = np.full(n, -1)
        free = over.copy()
        while free.max() > 1e-6:
            j, k = np.unravel_index(np.argmax(free), free.shape)
            shown[j] = k
            free[j, :] = free[:, k] = -1
        if p.get("overlap_threshold", 0.5) > 0:
            enough = (shown < 0) & (over.max(1) > p.get("overlap_threshold", 0.5))
            shown[enough] = over.argmax(1)[enough]
        rest = np.flatnonzero(shown < 0)
        if p.get("negative_mining_ratio", -1) > 0:
            wanted = min(int((shown >= 0).sum() * p["negative_mining_ratio"]), len(rest))
            rest = rest[over.max(1)[rest] < p.get("negative_mining_thresh", 0.5)]
            e = np.exp(scores[b] - scores[b].max(0))
            rest = rest[np.argsort((e[0] / e.sum(0))[rest], kind="stable")][:wanted]
        kinds[b, rest] = 0
        for j in np.flatnonzero(shown >= 0):
            g = label[shown[j]]
            size = a[j, 2:] - a[j, :2]
            kinds[b, j], mask[b, j] = g[0] + 1, 1
            middle = (g[1:3] + g[3:5] - a[j, :2] - a[j, 2:]) / 2 / size
            location[b, j] = np.concatenate([middle, np.log((g[3:5] - g[1:3]) / size)]) / v
    return location.reshape(len(labels), -1), mask.reshape(len(labels), -1), kinds


def anchors(n: int, seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    low = rng.uniform(0, 0.7, (1, n, 2))
    return np.concatenate([low, low + rng.uniform(0.1, 0.4, (1, n, 2))], -1)


def labels(*counts: int, seed: int = 1) -> Array:
    out = np.full((len(counts), max(counts) + 1, 6), -1.0)
    rng = np.random.default_rng(seed)
    for b, count in enumerate(counts):
        low = rng.uniform(0, 0.6, (count, 2))
        sizes = rng.uniform(0.1, 0.4, (count, 2))
        out[b, :count] = np.concatenate(
            [rng.integers(0, 4, (count, 1)), low, low + sizes, np.zeros((count, 1))], 1
        )
    return out


PRIOR, DETECT, TARGET = "_contrib_MultiBoxPrior", "_contrib_MultiBoxDetection", "_contrib_MultiBoxTarget"
EXACT = ("float32", "float64")  # where rounding decides nothing
V = {"variances": VARIANCES}
SCENE = [Spec((2, 4, 12), 0, 1, "distinct"), (2, 48), anchors(12)]
MANY = [Spec((1, 3, 900), 0, 1, "distinct"), (1, 3600), anchors(900)]
TRUTH = [anchors(15), labels(3, 0, 2), Spec((3, 4, 15), -2, 2, "distinct")]

CASES = [
    Case(PRIOR, [(1, 2, 2, 3)], ref=prior),
    Case(
        PRIOR, [(2, 1, 3, 2)], {"sizes": (0.5, 0.25), "ratios": (1, 4, 0.25), "clip": True}, prior, id="clip"
    ),
    Case(
        PRIOR,
        [(1, 1, 2, 2)],
        {"sizes": (0.5,), "ratios": (4, 1), "steps": (0.25, 0.5), "offsets": (0, 1)},
        prior,
        id="steps",
    ),
    Case(PRIOR, [(1, 1, 2, 2)], {"sizes": ()}, fails="at least one size", id="no-sizes"),
    Case(PRIOR, [(1, 1, 2, 2)], {"steps": (0.5, -1)}, fails="both or none", id="one-step"),
    Case(PRIOR, [(1, 1, 2, 2)], {"offsets": (0.5,)}, fails="offsets has 1", id="one-offset"),
    Case(PRIOR, [(1, 2, 2)], fails="images", id="3-d"),
    Case(PRIOR, [(1, 1, 0, 2)], fails="one pixel", id="empty"),
    Case(DETECT, SCENE, V, detection, dtypes=EXACT),
    Case(
        DETECT,
        SCENE,
        {**V, "force_suppress": True, "nms_threshold": 0.25, "clip": False},
        detection,
        dtypes=EXACT,
        id="force",
    ),
    Case(DETECT, SCENE, {**V, "threshold": 0.75, "nms_topk": 3}, detection, dtypes=EXACT, id="topk"),
    Case(DETECT, SCENE, {**V, "nms_threshold": 0.0}, detection, dtypes=EXACT, id="all-stay"),
    Case(DETECT, MANY, {**V, "nms_threshold": 0.25}, detection, dtypes=EXACT, id="many"),
    Case(DETECT, [(2, 1, 5), (2, 20), anchors(5)], V, detection, id="only-background"),
    Case(DETECT, [(2, 3, 0), (2, 0), (1, 0, 4)], V, detection, id="empty"),
    Case(DETECT, [(2, 3, 5), (2, 20), (2, 5, 4)], fails=DETECT, id="two-anchors"),
    Case(DETECT, [(2, 3, 5), (2, 19), (1, 5, 4)], fails=DETECT, id="lengths"),
    Case(
        DETECT,
        [(2, 3, 5), (2, 20), (1, 5, 4)],
        {"variances": (1, 1)},
        fails="variances has 2",
        id="variances",
    ),
    Case(TARGET, TRUTH, V, target, dtypes=EXACT, rtol=1e-4, atol=1e-5),
    Case(
        TARGET,
        TRUTH,
        {**V, "overlap_threshold": 0.0, "ignore_label": -7.0},
        target,
        dtypes=EXACT,
        rtol=1e-4,
        atol=1e-5,
        id="best-only",
    ),
    Case(
        TARGET,
        TRUTH,
        {**V, "negative_mining_ratio": 2.0, "overlap_threshold": 0.25},
        target,
        dtypes=EXACT,
        rtol=1e-4,
        atol=1e-5,
        id="mining",
    ),
    Case(
        TARGET,
        [anchors(4), labels(0, 0), (2, 3, 4)],
        {**V, "negative_mining_ratio": 1.0},
        target,
        id="no-objects",
    ),
    Case(TARGET, [(1, 0, 4), (2, 0, 5), (2, 3, 0)], V, target, id="empty"),
    Case(
        TARGET,
        [anchors(4), np.array([[[-1.0, 0, 0, 1, 1]]]), (1, 3, 4)],
        fails="object 0 is of class -1",
        id="bad-end",
    ),
    Case(
        TARGET,
        [np.array([[[0.0, 0, 1, 1]] * 4]), np.array([[[0.0, 0, 0, 1, 1]]]), (1, 3, 4)],
        {"overlap_threshold": 0.0, "negative_mining_ratio": 1.0},
        fails="expected at least 1",
        id="too-few",
    ),
    Case(
        TARGET,
        [anchors(4), labels(2), (1, 3, 4)],
        {"negative_mining_ratio": 1.0, "negative_mining_thresh": -1.0},
        fails="above 0",
        id="bad-threshold",
    ),
    Case(TARGET, [anchors(4), (1, 2, 4), (1, 3, 4)], fails="5 or more", id="narrow"),
    Case(TARGET, [anchors(4), labels(2), (2, 3, 4)], fails=TARGET, id="batches"),
    Case(TARGET, [anchors(4), labels(2), (1, 0, 4)], fails="at least one class", id="no-classes"),
]
for case in CASES:  # boxes get no gradient
    case.grad = False
