#!/usr/bin/env python3
"""Draws docs/augmenters.jpg: what augmenters make of one picture.

python tools/draw_augmenters.py            needs Pillow and an installed mixgrad
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

import mixgrad as mx
from mixgrad.image.boxes import draw_boxes

PAGE = Path(__file__).resolve().parent.parent / "docs" / "augmenters.jpg"
TILE = (128, 96)  # width, height
NAMES = 150  # pixels for a row's name
SHOWN = 5
BOAT = np.array([[0.0, 0.2, 0.3, 0.6, 0.86]])

Pixels = np.ndarray[Any, Any]


def scene() -> Pixels:
    """A boat on the sea, with the sun: (height, width, 3) of bytes."""
    width, height = TILE
    rows, columns = np.mgrid[0:height, 0:width]
    picture = np.zeros((height, width, 3))
    sky = (rows / height)[..., None]
    picture[:] = (1 - sky) * (70, 130, 220) + sky * (250, 225, 190)
    sea = rows > 62 + 1.5 * np.sin(columns / 5)
    picture[sea] = (20, 80, 120)
    picture[sea & ((rows * 5 + columns) % 17 < 3)] = (60, 130, 160)
    picture[(rows - 20) ** 2 + (columns - 102) ** 2 < 110] = (255, 230, 80)
    image = Image.fromarray(picture.astype(np.uint8))
    draw = ImageDraw.Draw(image)
    draw.polygon([(26, 66), (76, 66), (66, 82), (36, 82)], fill=(150, 50, 30))
    draw.polygon([(48, 29), (48, 62), (75, 62)], fill=(245, 245, 235))
    draw.polygon([(45, 36), (45, 62), (28, 62)], fill=(215, 90, 60))
    return np.asarray(image)


def rows() -> list[tuple[str, Any]]:
    """Names, and functions from a picture to tiles."""
    image = mx.image
    size = (TILE[0] // 2, TILE[1] // 2)

    def plain(augmenter: Any) -> Any:
        return lambda picture: (augmenter(picture), None)

    def boxed(augmenter: Any) -> Any:
        return lambda picture: augmenter(picture, BOAT.copy())

    return [
        ("RandomCropAug", plain(image.RandomCropAug(size))),
        ("RandomSizedCropAug", plain(image.RandomSizedCropAug(TILE, 0.1, (0.75, 1.33)))),
        ("HorizontalFlipAug", plain(image.HorizontalFlipAug(0.5))),
        ("BrightnessJitterAug", plain(image.BrightnessJitterAug(0.5))),
        ("ContrastJitterAug", plain(image.ContrastJitterAug(0.7))),
        ("SaturationJitterAug", plain(image.SaturationJitterAug(0.9))),
        ("HueJitterAug", plain(image.HueJitterAug(0.5))),
        ("LightingAug", plain(image.CreateAugmenter((3, 1, 1), pca_noise=0.5)[-1])),
        ("DetHorizontalFlipAug", boxed(image.DetHorizontalFlipAug(0.5))),
        ("DetRandomCropAug", boxed(image.DetRandomCropAug(0.5, area_range=(0.1, 0.8)))),
        ("DetRandomPadAug", boxed(image.DetRandomPadAug(area_range=(1.2, 3.0)))),
    ]


def tile(picture: Any, label: Pixels | None) -> Any:
    """A picture, and its boxes, at most of a tile's size."""
    pixels = np.clip(picture.asnumpy(), 0, 255).astype(np.uint8)
    image = Image.fromarray(pixels)
    image.thumbnail((TILE[0] - 4, TILE[1] - 4))
    pixels = np.array(image)
    if label is not None:
        draw_boxes(pixels, label, (255, 255, 0), 1, None)
    return Image.fromarray(pixels)


def main() -> None:
    random.seed(4)
    np.random.seed(4)  # noqa: NPY002
    listed = rows()
    sheet = Image.new("RGB", (NAMES + SHOWN * TILE[0], len(listed) * TILE[1]), "white")
    draw = ImageDraw.Draw(sheet)
    for i, (name, augment) in enumerate(listed):
        draw.text((4, i * TILE[1] + TILE[1] // 2), name, fill="black")
        for j in range(SHOWN):
            picture, label = mx.nd.array(scene()).astype("float32"), None
            if j > 0:
                picture, label = augment(picture)
            elif name.startswith("Det"):
                label = BOAT
            drawn = tile(picture, label)
            left = NAMES + j * TILE[0] + (TILE[0] - drawn.width) // 2
            sheet.paste(drawn, (left, i * TILE[1] + (TILE[1] - drawn.height) // 2))
    sheet.save(PAGE, quality=85, optimize=True)


if __name__ == "__main__":
    main()
