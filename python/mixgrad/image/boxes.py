"""Boxes drawn into pictures."""

# Scripts of MXNet's time seed NumPy's global generator (np.random.seed), so these draw from it.
# ruff: noqa: NPY002
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Optional

import numpy as np

__all__ = ["draw_boxes", "show"]

Pixels = np.ndarray[Any, Any]


def draw_boxes(
    pixels: Pixels,
    label: np.ndarray[Any, Any],
    color: Optional[Sequence[float]],
    thickness: int,
    names: Optional[Mapping[int, str]],
) -> None:
    """Draw a frame per row of ``label``, and its class's name, into pixels (height, width, 3) of bytes.

    Without ``color`` each box has one of its own, drawn from NumPy's ``random``.
    """
    height, width = pixels.shape[:2]
    for row in label:
        own = np.random.rand(3) * 255 if color is None else np.asarray(color[:3])
        bounds = row[1:5] * (width, height, width, height)
        left, top, right, bottom = (int(value) for value in bounds)
        _draw_frame(pixels, left, top, right, bottom, own.astype(np.uint8), thickness)
        if names is not None and int(row[0]) in names:
            _write(pixels, left + 5, top + 5, names[int(row[0])], own)


def _draw_frame(
    pixels: Pixels, left: int, top: int, right: int, bottom: int, color: Pixels, thickness: int
) -> None:
    """Lines of ``thickness`` pixels about the box's sides; what lies outside of the picture is left out."""
    before = max(thickness, 1) // 2
    after = max(thickness, 1) - before

    def fill(x0: int, x1: int, y0: int, y1: int) -> None:
        pixels[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)] = color

    for y in (top, bottom):
        fill(left - before, right + after, y - before, y + after)
    for x in (left, right):
        fill(x - before, x + after, top - before, bottom + after)


def _write(pixels: Pixels, x: int, y: int, text: str, color: Pixels) -> None:
    try:
        from PIL import Image, ImageDraw
    except ImportError:
        raise ImportError("[draw_next] names of classes are drawn by Pillow: pip install pillow") from None
    image = Image.fromarray(pixels)
    ImageDraw.Draw(image).text((x, y), text, fill=tuple(int(part) for part in color))
    pixels[...] = np.asarray(image)


def show(pixels: Pixels, milliseconds: int, window: str) -> None:
    """Show pixels (blue first) in a window of OpenCV and wait for a key."""
    try:
        import cv2  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise ImportError(
            "[draw_next] windows are OpenCV's: pip install opencv-python, or leave waitKey=None and "
            "take the pictures that draw_next gives"
        ) from None
    cv2.imshow(window, pixels)
    cv2.waitKey(milliseconds)
