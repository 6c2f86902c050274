"""Images as inputs of networks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .._files import open_file
from ..base import FileError, InvalidArgumentError
from ..model import InputFormat

__all__ = ["read_input"]

_MOST_PIXELS = 1 << 27  # 400 MB in three channels


def read_input(path: Path, format: InputFormat) -> Any:
    """The numbers of a file as one input of shape ``format.shape``.

    A ``.npy`` file holds either the input itself or an image (rows, columns[, channels]) of the right size;
    every other file is decoded by Pillow.
    """
    if path.suffix == ".npy":
        try:
            with open_file(path, "run") as file:
                array = np.lib.format.read_array(file, allow_pickle=False)
        except FileError:
            raise
        except (OSError, ValueError, MemoryError) as error:
            raise FileError(f"[run] cannot read '{path}': {error}") from None
        if array.shape == format.shape or array.shape == format.shape[1:]:
            return np.ascontiguousarray(array.reshape((1, *format.shape[1:])), dtype=np.float32)
        return _normalized(_channels(array, path), format, path)
    if len(format.shape) != 4:
        raise InvalidArgumentError(
            f"[run] the input has shape {format.shape}; expected a .npy file, got '{path}'"
        )
    return _normalized(_decoded(path, format), format, path)


def _channels(array: Any, path: Path) -> Any:
    if array.ndim == 2:
        return array[:, :, None]
    if array.ndim != 3:
        raise InvalidArgumentError(
            f"[run] '{path}' has shape {array.shape}; expected the input's, or rows, columns and channels"
        )
    return array


def _decoded(path: Path, format: InputFormat) -> Any:
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError:
        raise InvalidArgumentError(
            f"[run] decoding '{path}' needs Pillow (pip install pillow); .npy files need nothing"
        ) from None
    try:
        with open_file(path, "run") as file, Image.open(file) as opened:
            image = opened.convert("L" if format.channels == "gray" else "RGB")
    except FileError:
        raise
    except UnidentifiedImageError:
        raise FileError(f"[run] cannot decode '{path}': Pillow knows no such format of images") from None
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise FileError(f"[run] cannot decode '{path}': {error}") from None
    height, width = format.shape[2:]
    bilinear = Image.Resampling.BILINEAR
    if format.resize:
        share = format.resize / min(image.size)
        size = (max(width, round(image.width * share)), max(height, round(image.height * share)))
        if size[0] * size[1] > _MOST_PIXELS:
            raise InvalidArgumentError(
                f"[run] '{path}' of {image.size} pixels becomes {size} by resize={format.resize}; "
                f"expected at most {_MOST_PIXELS:,} pixels"
            )
        image = image.resize(size, bilinear)
        left, top = (image.width - width) // 2, (image.height - height) // 2
        image = image.crop((left, top, left + width, top + height))
    elif image.size != (width, height):
        image = image.resize((width, height), bilinear)
    pixels = np.asarray(image)
    if format.channels == "gray":
        return pixels[:, :, None]
    return pixels[:, :, ::-1] if format.channels == "bgr" else pixels


def _normalized(pixels: Any, format: InputFormat, path: Path) -> Any:
    shape = (1, *format.shape[1:])
    planes = np.transpose(pixels, (2, 0, 1)).astype(np.float32)[None]
    if planes.shape != shape:
        raise InvalidArgumentError(f"[run] '{path}' gives an input of shape {planes.shape}; expected {shape}")
    mean = np.asarray(format.mean, np.float32).reshape(1, -1, 1, 1)
    std = np.asarray(format.std, np.float32).reshape(1, -1, 1, 1)
    return np.ascontiguousarray((planes * np.float32(format.scale) - mean) / std)
