"""Trains a network on drawings of ten shapes and packs it as shapes.mxg. Needs NumPy, Pillow and mixgrad."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFilter
from training import fit, pack, score

import mixgrad as mx

SIDE = 40  # pixels of a picture of a shape
FINE = 4  # times as fine as they are drawn at first
SHAPES = ("arrow", "circle", "cross", "heart", "house", "moon", "ring", "square", "star", "triangle")
NOTHING = "something else"
Random = np.random.RandomState
Points = list[tuple[float, float]]


def network() -> mx.sym.Symbol:
    """Four convolutions with BatchNorm, the mean over the picture, one dense layer."""
    net = mx.sym.Variable("data")
    for layer, filters in ((1, 16), (2, 32), (3, 48), (4, 64)):
        net = mx.sym.Convolution(
            net, kernel=(3, 3), pad=(1, 1), num_filter=filters, no_bias=True, name=f"conv{layer}"
        )
        net = mx.sym.BatchNorm(net, fix_gamma=False, name=f"bn{layer}")
        net = mx.sym.Activation(net, act_type="relu", name=f"relu{layer}")
        if layer < 4:
            net = mx.sym.Pooling(net, kernel=(2, 2), stride=(2, 2), pool_type="max", name=f"pool{layer}")
    net = mx.sym.Pooling(net, global_pool=True, pool_type="avg", kernel=(1, 1), name="mean")
    net = mx.sym.FullyConnected(mx.sym.Flatten(net), num_hidden=len(SHAPES) + 1, name="fc")
    return mx.sym.SoftmaxOutput(net, name="softmax")


def round_points(count: int, radii: tuple[float, ...] = (1.0,), begin: float = -90.0) -> Points:
    """Points around a centre whose distances take turns."""
    angles = [math.radians(begin + 360 * i / count) for i in range(count)]
    return [
        (radii[i % len(radii)] * math.cos(a), radii[i % len(radii)] * math.sin(a))
        for i, a in enumerate(angles)
    ]


def outline(shape: str, random: Random) -> Points:
    """The outline of a shape within 1 of the origin; y points down."""
    if shape in ("circle", "ring", "moon"):
        return round_points(48)
    if shape == "heart":
        turns = [2 * math.pi * i / 48 for i in range(48)]
        return [
            (
                0.95 * math.sin(t) ** 3,
                -(13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)) / 16,
            )
            for t in turns
        ]
    if shape == "star":
        return round_points(10, (1.0, random.uniform(0.36, 0.52)))
    if shape == "triangle":
        top = random.uniform(-0.3, 0.3)
        return [(top, -0.9), (0.95, 0.75), (-0.95, 0.75)]
    if shape == "square":
        return [(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)]
    if shape == "cross":
        w = random.uniform(0.22, 0.36)
        return [
            (-w, -1),
            (w, -1),
            (w, -w),
            (1, -w),
            (1, w),
            (w, w),
            (w, 1),
            (-w, 1),
            (-w, w),
            (-1, w),
            (-1, -w),
            (-w, -w),
        ]
    if shape == "arrow":
        w, neck = random.uniform(0.15, 0.32), random.uniform(-0.1, 0.3)
        return [(-1, -w), (neck, -w), (neck, -0.75), (1, 0), (neck, 0.75), (neck, w), (-1, w)]
    eaves = random.uniform(-0.25, 0.05)  # a house
    return [(0, -1), (0.95, eaves), (0.7, eaves), (0.7, 0.85), (-0.7, 0.85), (-0.7, eaves), (-0.95, eaves)]


def colours(random: Random) -> list[tuple[int, ...]]:
    """One for the paper, one for the shape that differs from it, one more."""
    while True:
        found = random.randint(0, 256, (3, 3))
        if np.abs(found[0] - found[1]).sum() > 170:
            return [tuple(int(c) for c in colour) for colour in found]


def paper(random: Random, colour: tuple[int, ...], other: tuple[int, ...]) -> Image.Image:
    """Plain, shaded, or with strokes or blots on it."""
    size = SIDE * FINE
    image = Image.new("RGB", (size, size), colour)
    kind = random.randint(4)
    if kind == 1:
        mask = Image.linear_gradient("L").rotate(random.randint(360), expand=False).resize((size, size))
        near = tuple(int(0.75 * c + 0.25 * o) for c, o in zip(colour, other))
        image.paste(Image.new("RGB", (size, size), near), (0, 0), mask)
    draw = ImageDraw.Draw(image)
    if kind == 2:
        for _ in range(random.randint(1, 7)):
            near = tuple(int(0.7 * c + 0.3 * o) for c, o in zip(colour, other))
            draw.line([tuple(random.randint(0, size, 2)) for _ in range(2)], near, int(random.randint(2, 10)))
    return image


def drawing(label: int, random: Random) -> Any:
    """A picture of a shape, or of nothing that has a name."""
    size = SIDE * FINE
    ground, ink, other = colours(random)
    image = paper(random, ground, other)
    draw = ImageDraw.Draw(image)
    middle = size / 2 + random.uniform(-0.12, 0.12, 2) * size
    radius = random.uniform(0.24, 0.44) * size
    if label < len(SHAPES):
        shape = SHAPES[label]
        turn = math.radians(random.uniform(0, 360) if shape == "arrow" else random.uniform(-15, 15))
        stretch = random.uniform(0.88, 1.12)

        def place(points: Points, scale: float = 1.0, aside: float = 0.0) -> Points:
            found = []
            for px, py in points:
                x, y = radius * (px * scale + aside) * stretch, radius * py * scale
                found.append(
                    (
                        middle[0] + x * math.cos(turn) - y * math.sin(turn),
                        middle[1] + x * math.sin(turn) + y * math.cos(turn),
                    )
                )
            return found

        edge = int(random.choice([0, 0, 6, 10]))
        points = place(outline(shape, random))
        draw.polygon(points, ink)
        if shape == "ring":
            draw.polygon(place(round_points(48), random.uniform(0.4, 0.75)), ground)
        elif shape == "moon":
            draw.polygon(
                place(
                    round_points(48),
                    random.uniform(0.75, 0.95),
                    random.choice([-1, 1]) * random.uniform(0.35, 0.5),
                ),
                ground,
            )
        elif edge:
            draw.line([*points, points[0]], other, edge, joint="curve")
    else:
        for _ in range(random.randint(0, 6)):
            points = [tuple(random.uniform(-0.1, 1.1, 2) * size) for _ in range(random.randint(2, 9))]
            colour = tuple(int(c) for c in random.randint(0, 256, 3))
            if random.randint(2):
                draw.line(points, colour, int(random.randint(2, 16)), joint="curve")
            else:
                draw.polygon(points, colour)
        if random.randint(2):
            image = image.filter(ImageFilter.GaussianBlur(random.uniform(4, 24)))
    pixels = np.asarray(image.resize((SIDE, SIDE), Image.Resampling.BOX), np.float32)
    pixels += random.normal(0, random.choice([0, 4, 12]), pixels.shape)
    return pixels.clip(0, 255).transpose(2, 0, 1)


def drawings(count: int, random: Random) -> tuple[Any, Any]:
    labels = random.randint(0, len(SHAPES) + 1, count)
    return np.stack([drawing(int(label), random) for label in labels]).astype(np.float32), labels


def main() -> None:
    mx.random.seed(0)
    data, labels = drawings(16000, Random(1))
    form = mx.model.InputFormat("data", (1, 3, SIDE, SIDE), mean=(127.5,), std=(64.0,))
    module = fit(network(), (data - 127.5) / np.float32(64), labels, 12, 0.1)
    held, truth = drawings(2000, Random(2))
    print("shapes held out:", score(module, (held - 127.5) / np.float32(64), truth))
    pack("shapes", module, form, [*SHAPES, NOTHING])


if __name__ == "__main__":
    main()
