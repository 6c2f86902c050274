"""Trains a small LeNet on the ten digits and packs it as digits.mxg. Needs NumPy, Pillow and mixgrad.

It learns from languages/data/digits.params, pixels of digits that people wrote with pens, turned and bent a
little, and from strokes drawn here, as those of a mouse. A digit fills 8 x 8 pixels.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFilter
from training import HERE, fit, pack, score

import mixgrad as mx

DIGITS = HERE.parents[2] / "data" / "digits.params"
Random = np.random.RandomState
Points = list[tuple[float, float]]
# Ways to write digits: lines between points, or smooth ones (True); x goes right and y down, 0 to 1.
STROKES: tuple[tuple[tuple[bool, Points], ...], ...] = (
    ((True, [(0.5, 0), (0.1, 0.25), (0.1, 0.75), (0.5, 1), (0.9, 0.75), (0.9, 0.25), (0.5, 0)]),),
    ((False, [(0.5, 0), (0.5, 1)]),),
    ((False, [(0.2, 0.25), (0.55, 0), (0.55, 1)]),),
    ((False, [(0.25, 0.2), (0.5, 0), (0.5, 1), (0.2, 1), (0.8, 1)]),),
    ((True, [(0.1, 0.25), (0.45, 0), (0.85, 0.25), (0.6, 0.6), (0.1, 1)]), (False, [(0.1, 1), (0.95, 1)])),
    (
        (True, [(0.15, 0.1), (0.6, 0), (0.85, 0.25), (0.4, 0.47)]),
        (True, [(0.4, 0.47), (0.9, 0.7), (0.6, 1), (0.1, 0.9)]),
    ),
    ((False, [(0.6, 0), (0.1, 0.65), (0.95, 0.65)]), (False, [(0.65, 0.35), (0.65, 1)])),
    ((False, [(0.7, 1), (0.7, 0), (0.05, 0.68), (0.95, 0.68)]),),
    (
        (False, [(0.85, 0), (0.2, 0), (0.15, 0.45)]),
        (True, [(0.15, 0.45), (0.6, 0.4), (0.9, 0.7), (0.6, 1), (0.1, 0.92)]),
    ),
    ((True, [(0.7, 0), (0.25, 0.35), (0.1, 0.75), (0.45, 1), (0.85, 0.78), (0.5, 0.52), (0.12, 0.75)]),),
    ((False, [(0.1, 0), (0.9, 0), (0.4, 1)]),),
    ((False, [(0.1, 0), (0.9, 0), (0.35, 1)]), (False, [(0.35, 0.5), (0.85, 0.5)])),
    (
        (
            True,
            [
                (0.5, 0.47),
                (0.15, 0.22),
                (0.5, 0),
                (0.85, 0.22),
                (0.5, 0.47),
                (0.08, 0.77),
                (0.5, 1),
                (0.92, 0.77),
                (0.5, 0.47),
            ],
        ),
    ),
    (
        (True, [(0.85, 0.25), (0.45, 0), (0.12, 0.27), (0.45, 0.52), (0.85, 0.25)]),
        (False, [(0.85, 0.2), (0.75, 1)]),
    ),
    ((True, [(0.85, 0.25), (0.45, 0), (0.12, 0.27), (0.45, 0.52), (0.85, 0.25), (0.8, 0.75), (0.3, 1)]),),
)
STROKE_DIGITS = (0, 1, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 9)


def network() -> mx.sym.Symbol:
    """A small LeNet: two convolutions with pooling, two dense layers."""
    net = mx.sym.Variable("data")
    for layer, filters in ((1, 16), (2, 32)):
        net = mx.sym.Convolution(net, kernel=(3, 3), pad=(1, 1), num_filter=filters, name=f"conv{layer}")
        net = mx.sym.Activation(net, act_type="relu", name=f"relu{layer}")
        net = mx.sym.Pooling(net, kernel=(2, 2), stride=(2, 2), pool_type="max", name=f"pool{layer}")
    net = mx.sym.FullyConnected(mx.sym.Flatten(net), num_hidden=64, name="fc1")
    net = mx.sym.Dropout(mx.sym.Activation(net, act_type="relu", name="relu3"), p=0.3)
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(net, num_hidden=10, name="fc2"), name="softmax")


def bent(image: Any, random: Random) -> Any:
    """A digit turned, sheared, made thicker or thinner, and fitted into 8 x 8 pixels as the page does it."""
    fine = Image.fromarray((image * 15.9).astype(np.uint8)).resize((64, 64), Image.Resampling.BICUBIC)
    angle, shear = math.radians(random.uniform(-14, 14)), random.uniform(-0.25, 0.25)
    wide, high = random.uniform(0.85, 1.6), random.uniform(0.9, 1.2)
    a, b = math.cos(angle) * wide, (math.sin(angle) + shear) * wide
    d, e = -math.sin(angle) * high, math.cos(angle) * high
    middle = (32 - 32 * (a + b), 32 - 32 * (d + e))
    moved = fine.transform((64, 64), Image.Transform.AFFINE, (a, b, middle[0], d, e, middle[1]))
    thinner = random.randint(3)  # strokes of a mouse are thinner than those of a pen on paper
    for _ in range(thinner):
        moved = moved.filter(ImageFilter.MinFilter(3))
    ink = np.asarray(moved) > (random.uniform(70, 170) if thinner == 0 else random.uniform(40, 110))
    return fitted(ink) if ink.any() else image / np.float32(16)


def fitted(ink: Any) -> Any:
    """Ink as the page makes 8 x 8 pixels of it: as large as fits, in the middle."""
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    cut = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    share = 32 / max(cut.shape)
    size = (max(1, round(cut.shape[1] * share)), max(1, round(cut.shape[0] * share)))
    square = Image.new("L", (32, 32))
    square.paste(Image.fromarray(cut).resize(size), ((32 - size[0]) // 2, (32 - size[1]) // 2))
    blocks = (np.asarray(square) > 0).reshape(8, 4, 8, 4)
    return blocks.mean(axis=(1, 3), dtype=np.float32)


def smooth(points: Points) -> Points:
    """A curve through points (Catmull and Rom's)."""
    p = np.array([points[0], *points, points[-1]])
    found = []
    for i in range(1, len(p) - 2):
        for t in np.linspace(0, 1, 9):
            a, b = p[i + 1] - p[i - 1], p[i + 2] - p[i]
            rest = 3 * (p[i + 1] - p[i])
            found.append(p[i] + t * a / 2 + t**2 * (rest - a - b / 2) + t**3 * (a / 2 + b / 2 - rest * 2 / 3))
    return [(float(x), float(y)) for x, y in found]


def drawn(way: int, random: Random) -> Any:
    """A digit as strokes of a mouse, whose points are a little off."""
    size = 96
    image = Image.new("L", (size, size))
    draw = ImageDraw.Draw(image)
    wide, slant = random.uniform(0.35, 0.62) * size, random.uniform(-0.25, 0.3) * size
    off = {point: random.normal(0, 0.045, 2) for _, points in STROKES[way] for point in points}
    width = int(random.randint(5, 14))
    for curved, points in STROKES[way]:
        moved = [(x + off[x, y][0], y + off[x, y][1]) for x, y in points]
        line = [
            (size * 0.5 + (x - 0.5) * wide + (0.5 - y) * slant, size * (0.15 + 0.7 * y))
            for x, y in (smooth(moved) if curved else moved)
        ]
        draw.line(line, 255, width, joint="curve")
        for x, y in (line[0], line[-1]):
            draw.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), 255)
    return fitted(np.asarray(image) > 0)


def main() -> None:
    mx.random.seed(0)
    arrays = mx.nd.load(str(DIGITS))
    images, labels = arrays["images"].asnumpy()[:, 0], arrays["labels"].asnumpy()
    random = Random(0)
    data = [images[:1500] / np.float32(16)]
    data += [np.stack([bent(image, random) for image in images[:1500]]) for _ in range(12)]
    ways = random.randint(0, len(STROKES), 6000)
    data.append(np.stack([drawn(int(way), random) for way in ways]))
    truth = np.concatenate([np.tile(labels[:1500], 13), np.array(STROKE_DIGITS)[ways]])
    module = fit(network(), np.concatenate(data)[:, None], truth, 20, 0.05)
    held, truth = images[1500:], labels[1500:]
    print("digits held out:", score(module, held[:, None] / np.float32(16), truth))
    print("and bent:", score(module, np.stack([bent(image, random) for image in held])[:, None], truth))
    form = mx.model.InputFormat("data", (1, 1, 8, 8), channels="gray", scale=1 / 255)
    pack("digits", module, form, [str(digit) for digit in range(10)])


if __name__ == "__main__":
    main()
