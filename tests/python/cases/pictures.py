"""Operators on pictures, whose channels lie last."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import ALL, INTS, Array, Case, Spec

BYTES = np.random.RandomState(3).randint(0, 256, (4, 5, 3)).astype("uint8")
PICTURE = Spec((4, 5, 3), 0, 255)
GREY = np.array([0.299, 0.587, 0.114])
WHOLE = {"grad": False, "dtypes": INTS}
PLAIN: dict[str, Any] = {"grad": False, "dtypes": ("float32", "float64")}


def to_tensor(x: Array) -> Array:
    return np.moveaxis(x, -1, -3) / 255


def normalize(x: Array, mean: Any = 0, std: Any = 1) -> Array:
    return (x - np.reshape(mean, (-1, 1, 1))) / np.reshape(std, (-1, 1, 1))


def crop(data: Array, **p: int) -> Array:
    return data[..., p["y"] : p["y"] + p["height"], p["x"] : p["x"] + p["width"], :]


def left_right(x: Array) -> Array:
    return x[:, ::-1]


def top_bottom(x: Array) -> Array:
    return x[::-1]


def one_axis(x: Array, axis: int, n: int, method: int, shrinks: bool) -> Array:
    """Resized along one axis, pixel by pixel."""
    count = x.shape[axis]
    step = count / n
    rows = []
    for i in range(n):
        weights = np.zeros(count)
        middle = (i + 0.5) * step - 0.5
        first = int(np.floor(middle))
        part = middle - first
        if method == 0:
            weights[min(int(i * step), count - 1)] = 1
        elif method == 3 and shrinks:
            for j in range(count):
                weights[j] = max(0, min(j + 1, (i + 1) * step) - max(j, i * step)) / step
        else:
            taps = {0: 1 - part, 1: part}
            if method == 2:
                a = -0.75
                near = [(a + 2) * d**3 - (a + 3) * d**2 + 1 for d in (part, 1 - part)]
                far = [a * d**3 - 5 * a * d**2 + 8 * a * d - 4 * a for d in (part + 1, 2 - part)]
                taps = {-1: far[0], 0: near[0], 1: near[1], 2: far[1]}
            elif method == 4:
                window = {t: float(np.sinc(part - t) * np.sinc((part - t) / 4)) for t in range(-3, 5)}
                taps = {t: w / sum(window.values()) for t, w in window.items()}
            elif method == 3:
                first = int(i * step)
                part = max(0.0, i + 1 - (first + 1) / step)
                taps = {0: 1 - part % 1, 1: part % 1}
            for t, weight in taps.items():
                weights[min(max(first + t, 0), count - 1)] += weight
        rows.append(np.tensordot(weights, x, (0, axis)))
    return np.stack(rows, axis)


def resize(x: Array, size: Any = (), interp: int = 1, keep_ratio: bool = False) -> Array:
    height, width = x.shape[-3:-1]
    if np.ndim(size) == 0 and keep_ratio:
        size = (size, height * size // width) if height > width else (width * size // height, size)
    elif np.ndim(size) == 0:
        size = (size, size)
    shrinks = size[0] <= width and size[1] <= height
    x = one_axis(x, x.ndim - 2, size[0], interp, shrinks)
    return one_axis(x, x.ndim - 3, size[1], interp, shrinks)


def rounded(x: Array, **params: Any) -> Array:
    return np.clip(np.rint(resize(x, **params)), -128, 127)


def grey(x: Array) -> Array:
    return (x * GREY).sum(-1, keepdims=True) if x.shape[-1] == 3 else x


def brightness(x: Array, min_factor: float, max_factor: float) -> Array:
    return x * min_factor


def contrast(x: Array, min_factor: float, max_factor: float) -> Array:
    return x * min_factor + (1 - min_factor) * grey(x).mean()


def saturation(x: Array, min_factor: float, max_factor: float) -> Array:
    return x * min_factor + (1 - min_factor) * grey(x)


def hue(x: Array, min_factor: float, max_factor: float) -> Array:
    import colorsys

    out = np.empty_like(x)
    for place in np.ndindex(x.shape[:2]):
        h, light, s = colorsys.rgb_to_hls(*(x[place] / 255))
        out[place] = np.array(colorsys.hls_to_rgb((h + min_factor) % 1, light, s)) * 255
    return out


def lighting(x: Array, alpha: Any) -> Array:
    if x.shape[-1] == 1:
        return x
    directions = [[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]]
    return x + np.array(directions) @ (np.array([55.46, 4.794, 1.148]) * alpha)


def same(x: Array, **params: Any) -> Array:
    return x


def through(head: Array, *inputs: Array, **params: Any) -> Array:
    return head


def one_of(*candidates: Any) -> Any:
    def check(outputs: list[Array], inputs: list[Array]) -> None:
        assert any(np.array_equal(outputs[0], one(inputs[0])) for one in candidates)

    return check


def between(low: float, high: float) -> Any:
    """Every element times one factor of the interval."""

    def check(outputs: list[Array], inputs: list[Array]) -> None:
        factor = outputs[0].sum() / inputs[0].sum()
        assert low <= factor <= high
        np.testing.assert_allclose(outputs[0], inputs[0] * factor, rtol=2e-2)

    return check


def near(distance: float) -> Any:
    def check(outputs: list[Array], inputs: list[Array]) -> None:
        assert np.isfinite(outputs[0]).all()
        assert np.abs(outputs[0] - inputs[0]).max() < distance

    return check


def _shapes() -> list[Case]:
    box = {"x": 1, "y": 2, "width": 3, "height": 1}
    return [
        Case("_image_to_tensor", [PICTURE], ref=to_tensor, dtypes=ALL, grad_rtol=1e-2),
        Case("_image_to_tensor", [Spec((2, 3, 4, 1), 0, 255)], ref=to_tensor, grad_rtol=1e-2, id="batch"),
        Case("_image_to_tensor", [(0, 4, 3)], ref=to_tensor, id="empty"),
        Case("_image_to_tensor", [(3, 4)], fails="expected a picture", id="matrix"),
        Case("_image_normalize", [(3, 2, 4)], {"mean": (0.1, 0.2, 0.3), "std": (1.0, 2.0, 4.0)}, normalize),
        Case("_image_normalize", [(2, 1, 3, 2)], {"mean": 0.5, "std": 2.0}, normalize, id="batch"),
        Case("_image_normalize", [(3, 2, 2)], {"mean": (1, 2, 3)}, normalize, id="mean"),
        Case("_image_normalize", [(3, 2, 2)], ref=normalize, dtypes=ALL, id="default"),
        Case("_image_normalize", [(3, 0, 2)], ref=normalize, id="empty"),
        Case("_image_normalize", [(2, 2, 2)], fails="expected 1 or 3", id="two-channels"),
        Case("_image_normalize", [(3, 2, 2)], {"std": (1, 2)}, fails="std has 2 numbers", id="few"),
        Case("_image_normalize", [(3, 2)], fails="expected (channels", id="matrix"),
        Case("_image_crop", [(4, 5, 3)], box, crop, dtypes=ALL),
        Case("_image_crop", [(2, 4, 5, 1)], box, crop, id="batch"),
        Case("_image_crop", [(4, 5, 3)], {**box, "width": 5}, fails="columns", id="wide"),
        Case("_image_crop", [(4, 5, 3)], {**box, "height": 2**31 - 1}, fails="rows", id="high"),
        Case("_image_crop", [(4, 5, 3)], {**box, "x": -1}, fails="'x'", id="negative"),
        Case("_image_crop", [(4, 5)], box, fails="expected a picture", id="matrix"),
        Case("_image_flip_left_right", [(4, 5, 3)], ref=left_right, dtypes=ALL),
        Case("_image_flip_left_right", [(4, 5, 2)], fails="channels", id="two-channels"),
        Case("_image_flip_left_right", [(0, 5, 3)], ref=left_right, id="empty"),
        Case("_image_flip_top_bottom", [(4, 5, 1)], ref=top_bottom, dtypes=ALL),
        Case("_image_flip_top_bottom", [(2, 4, 5, 1)], fails="expected a picture", id="batch"),
        Case("_image_random_flip_left_right", [(4, 5, 3)], check=one_of(same, left_right)),
        Case("_image_random_flip_top_bottom", [(4, 5, 3)], check=one_of(same, top_bottom)),
        Case("_image_random_flip_top_bottom", [(4, 5)], fails="expected a picture", id="matrix"),
    ]


def _resize() -> list[Case]:
    cases = [
        Case(
            "_image_resize",
            [(4, 5, 2)],
            {"size": size, "interp": interp},
            resize,
            id=f"{interp}-{size[0]}",
            grad_rtol=1e-3,
            second=False,
        )
        for interp in range(5)
        for size in ((3, 2), (7, 6), (3, 9))
    ]
    whole = {"dtypes": ("int8", "int32"), "grad": False}
    small = Spec((6, 4, 1), -60, 60, "int")
    cases += [
        Case("_image_resize", [(2, 3, 4, 3)], {"size": 2}, resize, id="batch", second=False),
        Case("_image_resize", [(6, 3, 1)], {"size": 2, "keep_ratio": True}, resize, id="ratio", second=False),
        Case("_image_resize", [small], {"size": (3, 4), "interp": 2}, rounded, id="whole", **whole),
        Case("_image_resize", [BYTES], {"size": (5, 4)}, resize, id="bytes", grad=False, dtypes=("uint8",)),
        Case("_image_resize", [(0, 2, 3, 3)], {"size": 2}, resize, id="no-pictures", second=False),
        Case("_image_resize", [(4, 5, 3)], fails="size is ()", id="no-size"),
        Case("_image_resize", [(4, 5, 3)], {"size": (2, 0)}, fails="from 1 to", id="zero"),
        Case("_image_resize", [(4, 5, 3)], {"size": 2, "interp": 9}, fails="interp", id="method"),
        Case("_image_resize", [(0, 5, 3)], {"size": 2}, fails="pictures with pixels", id="empty"),
        Case("_image_resize", [(4, 5)], {"size": 2}, fails="expected a picture", id="matrix"),
    ]
    return cases


def resize_one(x: Array, w: int, h: int, interp: int = 1) -> Array:
    return resize(x, (w, h), interp)


def border(x: Array, type: int = 0, value: float = 0, values: Any = (), **margins: int) -> Array:
    around = [(margins["top"], margins["bot"]), (margins["left"], margins["right"])]
    if type % 16:
        mode = ("edge", "symmetric", "wrap", "reflect")[type - 1]
        return np.pad(x, [*around, (0, 0)], mode)  # type: ignore[call-overload]
    channels = x.shape[2]
    usual = [0 if channels == 4 and c == 3 else value for c in range(channels)]
    given = [*np.atleast_1d(values), *[0] * channels] if np.size(values) else usual
    planes = [np.pad(x[:, :, c], around, constant_values=given[c]) for c in range(channels)]
    return np.stack(planes, 2)


def _given_sizes() -> list[Case]:
    cases = [
        Case(
            "_cvimresize",
            [(4, 5, 2)],
            {"w": 7, "h": 3, "interp": interp},
            resize_one,
            id=str(interp),
            grad_rtol=1e-3,
            second=False,
        )
        for interp in range(5)
    ]
    margins = {"top": 1, "bot": 2, "left": 3, "right": 4}
    far = {"top": 9, "bot": 7, "left": 12, "right": 11}
    none = dict.fromkeys(margins, 0)
    bytes_only: dict[str, Any] = {"grad": False, "dtypes": ("uint8",)}
    cases += [
        Case("_cvimresize", [BYTES], {"w": 5, "h": 4}, resize_one, id="bytes", **bytes_only),
        Case("_cvimresize", [(4, 5, 3)], {"w": 0, "h": 4}, fails="w", id="zero"),
        Case("_cvimresize", [(4, 5, 3)], {"w": 4, "h": 4, "interp": 5}, fails="interp", id="method"),
        Case("_cvimresize", [(2, 4, 5, 3)], {"w": 4, "h": 4}, fails="expected a picture", id="batch"),
        Case("_cvimresize", [(4, 0, 3)], {"w": 4, "h": 4}, fails="with pixels", id="empty"),
        Case("_cvcopyMakeBorder", [(4, 5, 3)], margins, border, dtypes=ALL, second=False),
        Case("_cvcopyMakeBorder", [(4, 5, 3)], none, border, id="none", second=False),
        Case("_cvcopyMakeBorder", [(4, 5, 4)], {**margins, "value": 2.5}, border, id="value", second=False),
        Case(
            "_cvcopyMakeBorder", [(2, 1, 3)], {**margins, "values": (1, 2)}, border, id="colour", second=False
        ),
        Case("_cvcopyMakeBorder", [(2, 1, 5)], {**margins, "type": 16}, border, id="isolated", second=False),
        Case("_cvcopyMakeBorder", [(0, 3, 2)], {**margins, "value": 3}, border, id="empty", second=False),
        Case(
            "_cvcopyMakeBorder",
            [BYTES],
            {**margins, "values": (300, -2, 7)},
            saturated,
            id="sat",
            **bytes_only,
        ),
        Case("_cvcopyMakeBorder", [(4, 5, 3)], {**margins, "top": -1}, fails="top", id="negative"),
        Case("_cvcopyMakeBorder", [(4, 5, 3)], {**margins, "type": 5}, fails="type is 5", id="type"),
        Case("_cvcopyMakeBorder", [(4, 5)], margins, fails="expected a picture", id="matrix"),
        Case("_cvcopyMakeBorder", [(0, 5, 3)], {**margins, "type": 1}, fails="none to repeat", id="nothing"),
    ]
    cases += [
        Case(
            "_cvcopyMakeBorder", [shape], {**far, "type": kind}, border, id=f"{kind}-{shape[1]}", second=False
        )
        for kind in (1, 2, 3, 4)
        for shape in ((4, 5, 3), (3, 1, 2))
    ]
    return cases


def saturated(x: Array, **params: Any) -> Array:
    return np.clip(border(x, **params), 0, 255)


def _colours() -> list[Case]:
    half = {"min_factor": 0.5, "max_factor": 0.5}
    cases = []
    for name, ref in (
        ("brightness", brightness),
        ("contrast", contrast),
        ("saturation", saturation),
        ("hue", hue),
    ):
        op = "_image_random_" + name
        turn = {"min_factor": 0.25, "max_factor": 0.25}
        loose = {"rtol": 1e-4, "atol": 1e-2, **PLAIN}
        backwards = {"min_factor": 0.6, "max_factor": 0.5}
        cases += [
            Case(op, [PICTURE], half, ref, **loose),
            Case(op, [PICTURE], turn, ref, id="quarter", **loose),
            Case(op, [PICTURE], half, ref, id="gradient", grad_ref=through, rtol=1, atol=255),
            Case(op, [(0, 4, 3)], half, same, id="empty", grad=False),
            Case(op, [(4, 5, 2)], half, fails="channels", id="two-channels"),
            Case(op, [(4, 5, 3)], {**half, "min_factor": -1}, fails="min_factor", id="negative"),
            Case(op, [(4, 5, 3)], backwards, fails="min_factor <=", id="backwards"),
        ]
    cases += [
        Case(
            "_image_random_brightness",
            [PICTURE],
            {"min_factor": 0.5, "max_factor": 2.0},
            check=between(0.45, 2.1),
            grad=False,
            id="drawn",
        ),
        Case("_image_random_hue", [Spec((3, 4, 1), 0, 255)], half, same, id="grey", grad=False),
        Case("_image_random_saturation", [Spec((3, 4, 1), 0, 255)], half, same, id="one", grad=False),
    ]
    jitter = {"brightness": 0.1, "contrast": 0.1, "saturation": 0.1, "hue": 0.0}
    none = dict.fromkeys(jitter, 0.0)
    alpha = {"alpha": (0.1, -0.2, 0.3)}
    cases += [
        Case("_image_random_color_jitter", [PICTURE], jitter, check=near(100), grad=False),
        Case("_image_random_color_jitter", [PICTURE], none, same, id="none", grad_ref=through),
        Case("_image_random_color_jitter", [PICTURE], {**none, "hue": -1}, fails="hue", id="negative"),
        Case("_image_random_lighting", [PICTURE], {"alpha_std": 0.1}, check=near(60), grad=False),
        Case("_image_random_lighting", [PICTURE], {"alpha_std": 0.0}, same, id="none"),
        Case("_image_random_lighting", [(3, 4)], fails="expected a picture", id="matrix"),
        Case("_image_adjust_lighting", [PICTURE], alpha, lighting, atol=1e-4),
        Case("_image_adjust_lighting", [(3, 4, 1)], alpha, same, id="one"),
        Case("_image_adjust_lighting", [(3, 4, 3)], {"alpha": (1, 2)}, fails="alpha has 2", id="few"),
    ]
    return cases


CASES = _shapes() + _resize() + _given_sizes() + _colours()
