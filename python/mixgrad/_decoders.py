"""Pictures that libturbojpeg does not read, by Python packages that do: the library calls these functions.

JPEG files go to simplejpeg where the system has no libturbojpeg and the package is there; all other pictures
to Pillow.
Functions give None for what they do not read. They run in threads of the library.

Everything is imported with this module: a thread that forks holds Python's lock of imports, and waits for
pictures that are being decoded.
"""

from __future__ import annotations

import io
from typing import Any, Optional

import numpy as np

from . import _deep_png

_simplejpeg: Any = None
try:
    import simplejpeg

    _simplejpeg = simplejpeg
except ImportError:
    pass
_Image: Any = None
try:
    from PIL import Image, UnidentifiedImageError

    Image.init()  # imports a module for each format
    _Image = Image
except ImportError:
    pass

__all__ = ["decode", "probe"]

_JPEG = 1
# More pixels are refused by the library, which knows the limit, before it asks.
_MODES = {1: "L", 3: "RGB", 4: "RGBA"}
_GREYS = ("1", "L", "LA", "I", "F")  # also with a colour that is transparent


def probe(data: memoryview) -> Optional[tuple[int, int, int]]:
    """Width, height and channels of a picture of a format that the library does not know."""
    if _Image is None:
        return None
    try:
        with _Image.open(io.BytesIO(data)) as image:
            return (*image.size, _channels(image))
    except UnidentifiedImageError:
        return None


def decode(
    data: memoryview, form: int, width: int, height: int, channels: int, bgr: bool, out: memoryview
) -> Optional[bool]:
    """Write the pixels of a picture into ``out``, height x width x channels bytes."""
    pixels = None
    if form == _JPEG and channels != 4:
        pixels = _by_simplejpeg(data, channels, bgr)
    if pixels is None and _Image is None:
        if form == _JPEG and channels != 4:
            raise RuntimeError(
                "reading JPEG needs one of libturbojpeg (apt install libturbojpeg0), simplejpeg "
                "(pip install simplejpeg) and Pillow (pip install pillow)"
            )
        raise RuntimeError("reading it needs Pillow: pip install pillow")
    if pixels is None:
        pixels = _by_pillow(data, channels, bgr)
    if pixels is None:
        return None
    room = np.frombuffer(out, np.uint8)
    if pixels.size != room.size or pixels.shape[:2] != (height, width):
        raise ValueError(
            f"pixels of shape {pixels.shape}; expected {height} x {width} x {channels}, as the header says"
        )
    room.reshape(pixels.shape)[...] = pixels
    return True


def _by_simplejpeg(data: memoryview, channels: int, bgr: bool) -> Optional[np.ndarray[Any, Any]]:
    if _simplejpeg is None:
        return None
    space = "GRAY" if channels == 1 else "BGR" if bgr else "RGB"
    pixels: np.ndarray[Any, Any] = _simplejpeg.decode_jpeg(data, space, strict=True)
    return pixels


def _by_pillow(data: memoryview, channels: int, bgr: bool) -> Optional[np.ndarray[Any, Any]]:
    try:
        with _Image.open(io.BytesIO(data)) as image:
            if image.mode.startswith("I;16"):  # 16 bits of grey: the upper ones
                grey = (np.asarray(image).astype(np.uint16) >> 8).astype(np.uint8)
                image = _Image.fromarray(grey)
            if channels == 1 and image.format == "PNG" and _channels(image) > 1 and image.mode not in _GREYS:
                return _grey_of_png(data, image)[..., None]
            converted = image if image.mode == _MODES[channels] else image.convert(_MODES[channels])
            pixels = np.asarray(converted)
    except UnidentifiedImageError:
        return None
    if bgr and channels == 3:
        return pixels[..., ::-1]
    if bgr and channels == 4:
        return pixels[..., [2, 1, 0, 3]]
    return pixels if channels > 1 else pixels[..., None]


def _grey_of_png(data: memoryview, image: Any) -> np.ndarray[Any, Any]:
    """As libpng, which OpenCV asks for grey; other formats are as Pillow makes them."""
    content = bytes(data)
    if _deep_png.is_deep_png(content):
        return (_deep_png.grey_of(_deep_png.read(content)) >> 8).astype(np.uint8)
    return _deep_png.grey_of(np.asarray(image.convert("RGB")))


def _channels(image: Any) -> int:
    if image.mode in ("1", "L", "I", "I;16", "I;16B", "F"):
        return 1
    return 4 if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info else 3
