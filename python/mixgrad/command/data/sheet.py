"""Contact sheets: many small pictures with their captions, as a PNG file or in a terminal."""

from __future__ import annotations

import io
import math
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..._files import write_file
from ...base import InvalidArgumentError
from ..console import plain
from .report import Picture
from .thumbnails import SIDE

__all__ = ["terminal_lines", "write_sheet"]

_GAP, _CAPTION, _TITLE = 10, 18, 34  # pixels between pictures, of a line below each, of the line above all
_BACK, _TEXT, _QUIET, _FAULT = (250, 250, 250), (30, 30, 30), (110, 110, 110), (200, 40, 40)
_RAMP = " .:-=+*#%@"  # from dark to bright, where a terminal has no colours
_CELLS = 20  # columns of a picture in a terminal, which are as many pixels; lines are two


def write_sheet(path: Path, pictures: Sequence[Picture], title: str) -> None:
    """Writes a PNG file: pictures in rows with their captions, small ones enlarged by whole factors."""
    try:
        from PIL import Image, ImageDraw
    except ImportError:
        raise InvalidArgumentError("[data] --sheet needs Pillow (pip install pillow)") from None
    columns = max(1, min(len(pictures), math.ceil(math.sqrt(len(pictures) * 1.6))))
    rows = math.ceil(len(pictures) / columns)
    wide, high = SIDE + _GAP, SIDE + _CAPTION + _GAP
    size = (max(columns, 4) * wide + _GAP, rows * high + _TITLE + _GAP)
    sheet = Image.new("RGB", size, _BACK)
    draw = ImageDraw.Draw(sheet)
    draw.text((_GAP, _GAP), _fitting(draw, plain(title), size[0] - 2 * _GAP, _font(15)), _TEXT, _font(15))
    for number, picture in enumerate(pictures):
        row, column = divmod(number, columns)
        left, top = _GAP + column * wide, _TITLE + _GAP + row * high
        _draw(sheet, draw, picture, left, top)
    out = io.BytesIO()
    sheet.save(out, "PNG")
    write_file(path, out.getvalue(), "data")


def _draw(sheet: Any, draw: Any, picture: Picture, left: int, top: int) -> None:
    from PIL import Image

    if picture.pixels is None:
        box = (left, top, left + SIDE - 1, top + SIDE - 1)
        draw.rectangle(box, outline=_FAULT)
        draw.line(box, _FAULT)
        draw.line((box[0], box[3], box[2], box[1]), _FAULT)
    else:
        pixels = _enlarged(picture.pixels)
        image = Image.fromarray(pixels)
        place = (left + (SIDE - image.width) // 2, top + (SIDE - image.height) // 2)
        sheet.paste(image, place)
    color = _FAULT if picture.pixels is None else _QUIET
    caption = _fitting(draw, plain(picture.caption), SIDE, _font(12))
    draw.text((left, top + SIDE + 2), caption, color, _font(12))


def _font(size: int) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(size)


def _fitting(draw: Any, text: str, width: int, font: Any) -> str:
    if draw.textlength(text, font) <= width:
        return text
    while text and draw.textlength(text + "...", font) > width:
        text = text[:-1]
    return text + "..."


def _enlarged(pixels: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    factor = max(1, SIDE // max(pixels.shape[:2]))
    return np.repeat(np.repeat(pixels, factor, 0), factor, 1)


def terminal_lines(pictures: Sequence[Picture], width: int) -> Iterator[str]:
    """The sheet as lines of a terminal of that many columns.

    A character shows two pixels, one above the other, in 24-bit colours; where ``NO_COLOR`` is set or the
    terminal is dumb or has no such character, signs of growing brightness stand for them.
    """
    colored = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and _has_halves()
    columns = max(1, min((width + 1) // (_CELLS + 1), len(pictures)))
    for begin in range(0, len(pictures), columns):
        row = pictures[begin : begin + columns]
        blocks = [_block(picture) for picture in row]
        for line in range(0, max(len(block) for block in blocks), 2):
            yield " ".join(_characters(block, line, colored) for block in blocks).rstrip(" ")
        captions = (plain(picture.caption)[:_CELLS].ljust(_CELLS) for picture in row)
        yield " ".join(captions).rstrip()


def _has_halves() -> bool:
    """Whether the output can show the characters of two pixels."""
    try:
        "\u2580\u2584".encode(sys.stdout.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _block(picture: Picture) -> npt.NDArray[np.int16]:
    """A picture in at most ``_CELLS`` rows, of shape (rows, _CELLS, 3); -1 where there is nothing."""
    if picture.pixels is None:
        block: npt.NDArray[np.int16] = np.full((_CELLS, _CELLS, 3), -1, np.int16)
        line = np.arange(_CELLS)
        block[line, line] = block[line, _CELLS - 1 - line] = _FAULT
        return block
    rows, columns = picture.pixels.shape[:2]
    share = _CELLS / max(rows, columns)
    high, wide = max(1, round(rows * share)), max(1, round(columns * share))
    block = np.full((high + high % 2, _CELLS, 3), -1, np.int16)
    left = (_CELLS - wide) // 2
    block[:high, left : left + wide] = _averaged(picture.pixels, high, wide)
    return block


def _averaged(pixels: npt.NDArray[np.uint8], high: int, wide: int) -> npt.NDArray[np.int16]:
    """The means of boxes of pixels; pixels again where there are fewer of them than asked for."""
    for axis, size in ((0, high), (1, wide)):
        extent = pixels.shape[axis]
        begins = np.arange(size) * extent // size
        counts = np.maximum(np.append(begins[1:], extent) - begins, 1)
        sums = np.add.reduceat(pixels.astype(np.float64), begins, axis)
        counts = counts.reshape((-1, 1, 1) if axis == 0 else (1, -1, 1))
        pixels = sums / counts
    return np.rint(pixels).astype(np.int16)


def _characters(block: npt.NDArray[np.int16], line: int, colored: bool) -> str:
    if line >= len(block):
        return " " * _CELLS
    if not colored:
        return "".join(_sign(above, below) for above, below in zip(block[line], block[line + 1]))
    text, before = [], ""
    for above, below in zip(block[line], block[line + 1]):
        code, sign = _code(above, below)
        text.append(sign if code == before else f"\x1b[0m{code}{sign}")
        before = code
    return "".join(text) + "\x1b[0m"


def _code(above: Any, below: Any) -> tuple[str, str]:
    """The colours of a character and the character: the upper half in one colour, the lower in the other."""
    top, bottom = above[0] >= 0, below[0] >= 0
    upper, lower = (";".join(str(int(one)) for one in pixel) for pixel in (above, below))
    if top and bottom:
        return f"\x1b[38;2;{upper}m\x1b[48;2;{lower}m", "\u2580"
    if top:
        return f"\x1b[38;2;{upper}m", "\u2580"
    if bottom:
        return f"\x1b[38;2;{lower}m", "\u2584"
    return "", " "


def _sign(above: Any, below: Any) -> str:
    shown = [float(pixel.mean()) for pixel in (above, below) if pixel[0] >= 0]
    if not shown:
        return " "
    return _RAMP[min(len(_RAMP) - 1, int(sum(shown) / len(shown) * len(_RAMP) / 256))]
