"""Pictures in files and records as NumPy arrays, in OpenCV's manner: rows, columns, channels in the order
blue, green, red.

Pillow writes them, colours in JPEG with the bytes that OpenCV writes; JPEG is read by simplejpeg where
that is installed, which is faster and gives the same pixels as Pillow and OpenCV.
"""

from __future__ import annotations

import io
from typing import Any, Optional

import numpy as np

from . import _deep_png
from .base import InvalidArgumentError, UnsupportedError

__all__ = ["decode", "encode"]

_JPEG = (".jpg", ".jpeg")
# What OpenCV calls them: as the file is, grey, colour, ...
_UNCHANGED, _GREY, _COLOUR, _ANY_DEPTH, _ANY_COLOUR = -1, 0, 1, 2, 4


def _pillow(who: str) -> Any:
    try:
        import PIL.Image
    except ImportError:
        raise ImportError(f"[{who}] pip install pillow to read and write pictures") from None
    return PIL.Image


def _simplejpeg() -> Any:
    try:
        import simplejpeg
    except ImportError:
        return None
    return simplejpeg


def _checked(image: Any, who: str) -> np.ndarray:
    array: Any = image.asnumpy() if hasattr(image, "asnumpy") else image
    if not isinstance(array, np.ndarray):
        raise InvalidArgumentError(f"[{who}] got {type(image).__name__}; expected a picture as an array")
    if array.ndim == 3 and array.shape[2] == 1:
        array = array[:, :, 0]
    if array.size == 0 or array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] not in (3, 4)):
        raise InvalidArgumentError(
            f"[{who}] a picture of shape {tuple(image.shape)}; expected (height, width) or "
            "(height, width, channels) with 1, 3 or 4 channels"
        )
    if array.dtype.kind not in "biuf" or (array.dtype.kind == "f" and not np.isfinite(array).all()):
        raise InvalidArgumentError(
            f"[{who}] a picture of dtype {array.dtype}"
            f"{' with NaN or infinity' if array.dtype.kind == 'f' else ''}; expected finite numbers"
        )
    if array.dtype != np.uint8 and not (array.dtype == np.uint16 and array.ndim == 2):
        array = np.clip(np.rint(array), 0, 255).astype(np.uint8)
    checked: np.ndarray = array
    return checked


def encode(image: Any, quality: int, extension: str, who: str) -> bytes:
    """Return the picture as a file's content. ``quality``: of JPEG to 100; how hard PNG compresses, to 9."""
    if not isinstance(extension, str):
        raise InvalidArgumentError(
            f"[{who}] img_fmt is {extension!r:.60}; expected '.jpg', '.png' or the like"
        )
    try:
        effort = int(quality)
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgumentError(f"[{who}] quality is {quality!r:.60}; expected a whole number") from None
    array, kind = _checked(image, who), extension.lower()
    if kind in _JPEG:
        return _encode_jpeg(array, min(max(effort, 0), 100), who)
    pillow = _pillow(who)
    pillow.init()
    if kind not in pillow.EXTENSION or pillow.EXTENSION[kind] not in pillow.SAVE:
        raise InvalidArgumentError(
            f"[{who}] no pictures of kind {extension!r} can be written; expected '.jpg', '.png' or another "
            "that Pillow writes"
        )
    options: dict[str, Any] = {}
    if kind == ".png":
        options["compress_level"] = min(max(effort, 0), 9)
    elif kind == ".webp":
        options["lossless"] = True
    return _saved(_picture_of(array, pillow), pillow.EXTENSION[kind], who, **options)


def _saved(picture: Any, kind: str, who: str, **options: Any) -> bytes:
    file = io.BytesIO()
    try:
        picture.save(file, kind, **options)
    except (OSError, ValueError) as error:  # sizes and modes that the format has not
        raise InvalidArgumentError(
            f"[{who}] a picture of {picture.width} x {picture.height} pixels cannot be "
            f"written as {kind}: {error}"
        ) from None
    return file.getvalue()


def _picture_of(array: np.ndarray, pillow: Any) -> Any:
    if array.ndim == 3:
        order = [2, 1, 0, 3][: array.shape[2]]
        array = array[:, :, order]
    return pillow.fromarray(np.ascontiguousarray(array))


def _encode_jpeg(array: np.ndarray, quality: int, who: str) -> bytes:
    if array.dtype != np.uint8:
        array = np.clip(array, 0, 255).astype(np.uint8)
    colours = array if array.ndim == 2 else array[:, :, :3]
    return _saved(_picture_of(colours, _pillow(who)), "JPEG", who, quality=quality, subsampling=2)


def decode(content: Any, flag: int, who: str) -> Optional[np.ndarray]:
    """Return a picture's pixels; None where the bytes hold none.

    ``flag`` as of OpenCV's ``imdecode``: -1 as the file is, 0 grey, 1 colour, 2 and 4 as the file is in
    depth and in number of channels.
    """
    if flag not in (-1, 0, 1, 2, 3, 4, 5, 6):
        raise InvalidArgumentError(f"[{who}] iscolor is {flag!r}; expected -1, 0, 1 or a sum of 1, 2 and 4")
    data = bytes(content)
    if not data:
        raise InvalidArgumentError(f"[{who}] the picture has no bytes")
    simplejpeg = _simplejpeg()
    if simplejpeg is not None and data[:2] == b"\xff\xd8" and not _is_turned(data, flag):
        decoded = _decode_jpeg(data, flag, simplejpeg)
        if decoded is not None:
            return decoded
    pillow = _pillow(who)
    try:
        with pillow.open(io.BytesIO(data)) as picture:
            return _pixels(picture, data, flag, who)
    except pillow.DecompressionBombError as error:
        raise UnsupportedError(f"[{who}] {error}") from None
    except (OSError, SyntaxError, ValueError) as error:
        if isinstance(error, UnsupportedError):
            raise
        return None


def _wants_grey(flag: int, is_grey: bool) -> bool:
    if flag == _UNCHANGED or flag & _ANY_COLOUR:
        return is_grey
    return not flag & _COLOUR


def _is_turned(data: bytes, flag: int) -> bool:
    """Whether the picture may say that it is to be turned, which Pillow sees to."""
    return flag != _UNCHANGED and b"Exif\0\0" in data[:65536]


def _decode_jpeg(data: bytes, flag: int, simplejpeg: Any) -> Optional[np.ndarray]:
    try:
        _, _, colours, _ = simplejpeg.decode_jpeg_header(data, strict=False)
        if colours in ("CMYK", "YCCK"):
            return None
        grey = _wants_grey(flag, colours == "Gray")
        pixels: np.ndarray = simplejpeg.decode_jpeg(
            data, "GRAY" if grey else "BGR", fastdct=False, fastupsample=False, strict=True
        )
    except (ValueError, KeyError):  # KeyError: a header of colours that simplejpeg does not know
        return None
    return pixels[:, :, 0] if grey else pixels


def _deep_pixels(samples: np.ndarray, flag: int) -> np.ndarray:
    """Of a PNG file of 16 bits: its samples, with or without the lower 8."""
    count = samples.shape[2]
    grey = samples[:, :, 0]
    if _wants_grey(flag, count == 1):
        pixels = _deep_png.grey_of(samples)
    else:
        colours = samples[:, :, 2::-1] if count > 2 else np.repeat(grey[:, :, None], 3, 2)
        has_alpha = flag == _UNCHANGED and count % 2 == 0
        pixels = np.concatenate([colours, samples[:, :, -1:]], 2) if has_alpha else colours
    if flag == _UNCHANGED or flag & _ANY_DEPTH:
        return np.ascontiguousarray(pixels)
    return (pixels >> 8).astype(np.uint8)


def _pixels(picture: Any, data: bytes, flag: int, who: str) -> np.ndarray:
    deep = picture.mode.startswith("I")
    if _deep_png.is_deep_png(data):
        return _deep_pixels(_deep_png.read(data), flag)
    kind = picture.format
    if kind == "JPEG" and _wants_grey(flag, picture.mode == "L"):
        picture.draft("L", picture.size)  # decoded as grey, not converted
    if flag != _UNCHANGED:
        import PIL.ImageOps

        picture = PIL.ImageOps.exif_transpose(picture)
    if deep and (flag == _UNCHANGED or flag & _ANY_DEPTH):
        return np.asarray(picture, dtype=np.uint16)
    if deep:
        grey16 = np.asarray(picture, dtype=np.uint32)
        values = (grey16 >> 8).astype(np.uint8)
        return values if _wants_grey(flag, True) else np.repeat(values[:, :, None], 3, 2)
    is_grey = picture.mode in ("1", "L")
    if _wants_grey(flag, is_grey):
        if is_grey:
            return np.asarray(picture.convert("L"))
        colours = np.asarray(picture.convert("RGB"))
        if kind == "PNG":  # by libpng, which OpenCV asks for grey
            return _deep_png.grey_of(colours)
        red, green, blue = (colours[:, :, i].astype(np.uint32) for i in range(3))
        return ((red * 4899 + green * 9617 + blue * 1868 + 8192) >> 14).astype(np.uint8)
    has_alpha = "A" in picture.getbands() or "transparency" in picture.info
    if flag == _UNCHANGED and has_alpha:
        return np.ascontiguousarray(np.asarray(picture.convert("RGBA"))[:, :, [2, 1, 0, 3]])
    return np.ascontiguousarray(np.asarray(picture.convert("RGB"))[:, :, ::-1])
