"""Pictures decoded by Pillow, small: for reports and sheets."""

from __future__ import annotations

import io
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from ...base import FileFormatError, InvalidArgumentError

__all__ = ["SIDE", "decoded", "from_array", "picture_facts"]

SIDE = 128  # pixels of the longer side
_MOST_PIXELS = 1 << 28


def _opened(content: bytes) -> Any:
    try:
        from PIL import Image
    except ImportError:
        raise InvalidArgumentError("[data] decoding pictures needs Pillow (pip install pillow)") from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(io.BytesIO(content))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        first = content[:8].hex(" ")
        text = f"begins with {first}" if "cannot identify" in str(error) else str(error)
        raise FileFormatError(f"no picture that can be read: {text}") from None
    if image.width * image.height > _MOST_PIXELS:
        raise FileFormatError(f"{image.width} x {image.height} pixels; expected at most {_MOST_PIXELS:,}")
    return image


def _loaded(image: Any) -> None:
    try:
        image.load()
    except (OSError, ValueError, SyntaxError, IndexError, OverflowError, MemoryError) as error:
        raise FileFormatError(f"cannot decode it: {error}") from None


def picture_facts(content: bytes, whole: bool) -> tuple[str, int, int, int]:
    """Format, width, height, channels; ``whole`` decodes it, otherwise its header is read."""
    image = _opened(content)
    if whole:
        _loaded(image)
    return str(image.format), image.width, image.height, len(image.getbands())


def decoded(content: bytes) -> npt.NDArray[np.uint8]:
    """A small copy, of shape (rows, columns, 3); JPEG files are decoded at a fraction of their size."""
    image = _opened(content)
    image.draft("RGB", (SIDE, SIDE))
    _loaded(image)
    if image.mode.startswith("I") or image.mode == "F":
        return from_array(np.asarray(image))
    image = image.convert("RGB")
    image.thumbnail((SIDE, SIDE))
    return np.asarray(image)


def from_array(array: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """An array (rows, columns[, channels]) as bytes of 3 channels; other dtypes from least to greatest."""
    pixels: npt.NDArray[Any] = array[:, :, None] if array.ndim == 2 else array
    if pixels.dtype != np.uint8:
        values = pixels.astype(np.float64)
        finite = values[np.isfinite(values)]
        least, most = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
        share = (values - least) / (most - least if most > least else 1.0)
        pixels = (255 * np.nan_to_num(share, nan=0.0, posinf=1.0, neginf=0.0).clip(0, 1)).astype(np.uint8)
    step = max(1, -(-max(pixels.shape[:2]) // SIDE))
    small = pixels[::step, ::step]
    return np.ascontiguousarray(np.repeat(small, 3, 2) if small.shape[2] != 3 else small)
