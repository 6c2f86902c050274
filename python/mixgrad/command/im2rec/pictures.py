"""From the bytes of a picture to the payload of its record.

Pillow decodes and encodes: with the same libjpeg-turbo its JPEG files are those of OpenCV, byte for byte,
which simplejpeg's are not. The operator ``_image_resize`` changes sizes; one number of some 30,000 differs
from OpenCV's, by 1.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from ... import ndarray as nd
from ... import recordio
from ...base import InvalidArgumentError, MXNetError
from .samples import Damaged, Sample, content_of

__all__ = ["Packing", "encoded", "payload_of", "prepared"]

_COLORED, _GRAY, _AS_IS = 1, 0, -1


@dataclass(frozen=True)
class Packing:
    """What is done to each picture: the options of im2rec."""

    pass_through: bool = False
    verify: bool = False
    resize: int = 0
    center_crop: bool = False
    quality: int = 95
    color: int = _COLORED
    encoding: str = ".jpg"
    pack_label: bool = False
    most_pixels: int = 1 << 28

    def __post_init__(self) -> None:
        least, most = (1, 100) if self.encoding == ".jpg" else (0, 100)
        if not least <= self.quality <= most:
            raise InvalidArgumentError(f"[im2rec] --quality is {self.quality}; expected {least} to {most}")


def payload_of(sample: Sample, packing: Packing) -> bytes:
    """The record of a sample: MXNet's header (flag, label, key, 0) and the picture's file."""
    content = content_of(sample)
    if not packing.pass_through:
        content = encoded(prepared(content, packing), packing)
    elif packing.verify:
        _decoded(content, packing)
    several = packing.pack_label and len(sample.labels) > 1
    label: Any = np.asarray(sample.labels, np.float32) if several else sample.labels[0]
    return recordio.pack(recordio.IRHeader(0, label, sample.key, 0), content)


def prepared(content: bytes, packing: Packing) -> Any:
    """A Pillow image: decoded, upright, of the right channels, its middle cut out, its size changed."""
    image = _decoded(content, packing)
    if packing.center_crop:
        side = min(image.size)
        left, top = (image.width - side) // 2, (image.height - side) // 2
        image = image.crop((left, top, left + side, top + side))
    if packing.resize:
        image = _resized(image, packing)
    return image


def _decoded(content: bytes, packing: Packing) -> Any:
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(content)) as image:
            if image.width * image.height > packing.most_pixels:
                raise Damaged(
                    f"{image.width} x {image.height} pixels; expected at most {packing.most_pixels:,} of them"
                )
            if packing.color == _GRAY and image.format == "JPEG":
                image.draft("L", image.size)  # brightness alone, as OpenCV decodes it
            image.load()
            if packing.color == _AS_IS:
                return _as_is(image)
            return _in_bytes(ImageOps.exif_transpose(image)).convert("L" if packing.color == _GRAY else "RGB")
    except Damaged:
        raise
    except UnidentifiedImageError:
        raise Damaged(f"{len(content):,} bytes that are no picture of a known format") from None
    except Image.DecompressionBombError as error:
        raise Damaged(str(error)) from None
    except (OSError, ValueError, SyntaxError, IndexError, MemoryError, OverflowError) as error:
        raise Damaged(f"cannot decode it: {error}") from None


def _in_bytes(image: Any) -> Any:
    """Pictures of 16 bits in their upper 8, which is what OpenCV reads of them as well."""
    from PIL import Image

    if not image.mode.startswith("I"):
        return image
    return Image.fromarray((np.asarray(image).astype(np.int64) >> 8).clip(0, 255).astype(np.uint8))


def _as_is(image: Any) -> Any:
    image = _in_bytes(image)
    if image.mode in ("L", "RGB", "RGBA"):
        return image
    if "transparency" in image.info or image.mode in ("LA", "PA"):
        return image.convert("RGBA")
    return image.convert("L" if image.mode in ("1", "F") else "RGB")


def _resized(image: Any, packing: Packing) -> Any:
    """The shorter side becomes ``resize``; bilinear."""
    from PIL import Image

    short = packing.resize
    width, height = image.size
    size = (short, height * short // width) if height > width else (width * short // height, short)
    if size[0] * size[1] > packing.most_pixels:
        raise Damaged(f"{width} x {height} becomes {size[0]} x {size[1]} by --resize; expected fewer pixels")
    if size == image.size:
        return image
    pixels: npt.NDArray[Any] = np.asarray(image)
    planes = pixels if pixels.ndim == 3 else pixels[:, :, None]
    try:
        changed = nd._internal._image_resize(nd.array(planes, dtype="uint8"), size).asnumpy()
    except MXNetError as error:
        raise Damaged(f"cannot change its size: {error}") from None
    return Image.fromarray(changed.reshape(changed.shape[:2] if pixels.ndim == 2 else changed.shape))


def encoded(image: Any, packing: Packing) -> bytes:
    """The bytes of a Pillow image as JPEG, or PNG."""
    out = io.BytesIO()
    options: dict[str, Union[int, str]]
    if packing.encoding == ".png":
        options = {"format": "PNG", "compress_level": min(packing.quality, 9)}
    else:
        image = image.convert("RGB") if image.mode == "RGBA" else image
        options = {"format": "JPEG", "quality": packing.quality}
    try:
        image.save(out, **options)
    except (OSError, ValueError) as error:
        raise Damaged(f"cannot encode {image.width} x {image.height} pixels: {error}") from None
    return out.getvalue()
