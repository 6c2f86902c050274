"""Operators of MXNet that decode pictures: their results are as large as the files say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np

from .. import _core
from .._files import PathLike, read_file
from ..base import DTypeError, FileFormatError, InvalidArgumentError, ShapeError
from .creation import array
from .ndarray import NDArray

__all__ = ["NAMES", "cvimdecode", "cvimread", "decoded", "imdecode"]


def _switch(value: Any, who: str, name: str) -> bool:
    if isinstance(value, (bool, int, np.bool_, np.integer)):
        return bool(value)
    if isinstance(value, str) and value.lower() in ("0", "1", "true", "false"):
        return value.lower() in ("1", "true")
    raise InvalidArgumentError(f"[{who}] {name} is {value!r:.60}; expected True or False")


def _channels(flag: Any, who: str) -> int:
    """Of a picture decoded under MXNet's flag."""
    if isinstance(flag, (bool, int, np.integer, str)) and str(int(flag)) in ("0", "1"):
        return 3 if int(flag) else 1
    raise InvalidArgumentError(f"[{who}] flag is {flag!r:.60}; expected 0 (grey) or 1 (colour)")


def decoded(content: Any, flag: Any, to_rgb: Any, out: Optional[NDArray], who: str, name: str) -> NDArray:
    picture: NDArray = _core.image_decode(
        content,
        channels=_channels(flag, who),
        bgr=not _switch(to_rgb, who, "to_rgb"),
        oriented=False,  # as in MXNet
        name=name,
    )
    if out is None:
        return picture
    if not isinstance(out, NDArray):
        raise TypeError(f"[{who}] out is {type(out).__name__}; expected an NDArray")
    if out.shape != picture.shape:
        raise ShapeError(f"[{who}] out has shape {out.shape}; the picture has {picture.shape}")
    return picture.copyto(out)


def cvimdecode(
    buf: Any,
    flag: int = 1,
    to_rgb: Union[bool, int] = True,
    out: Optional[NDArray] = None,
    name: Optional[str] = None,
) -> NDArray:
    """A picture's bytes as pixels; see :func:`mixgrad.image.imdecode`.

    Parameters
    ----------
    buf : NDArray, numpy.ndarray, bytes or bytearray
        The file's content; arrays of bytes.
    flag : int
        1: three colours, 0: grey.
    to_rgb : bool
        Red first.
    out : NDArray, optional
        Receives the pixels.
    name : str, optional
        Accepted for MXNet's sake.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.nd._internal._cvimdecode(b"P5 2 1 255 " + bytes([7, 9])).asnumpy().tolist()
    [[[7, 7, 7], [9, 9, 9]]]
    """
    content = buf
    if isinstance(buf, NDArray):
        if np.dtype(buf.dtype) != np.uint8:
            raise DTypeError(f"[imdecode] buf has dtype {np.dtype(buf.dtype)}; expected uint8")
        content = buf.asnumpy()
    if isinstance(content, np.ndarray):
        content = content.tobytes()
    if len(content) == 0:
        raise FileFormatError("[imdecode] buf has no bytes; expected the content of a picture's file")
    return decoded(content, flag, to_rgb, out, "imdecode", "")


def cvimread(
    filename: PathLike,
    flag: int = 1,
    to_rgb: Union[bool, int] = True,
    out: Optional[NDArray] = None,
    name: Optional[str] = None,
) -> NDArray:
    """A picture's file as pixels; see :func:`mixgrad.image.imread`.

    Parameters
    ----------
    filename : path
        The file.
    flag : int
        1: three colours, 0: grey.
    to_rgb : bool
        Red first.
    out : NDArray, optional
        Receives the pixels.
    name : str, optional
        Accepted for MXNet's sake.
    """
    content = read_file(filename, "imread")
    if not content:
        raise FileFormatError(f"[imread] {filename!r:.300} is empty; expected a picture")
    return decoded(content, flag, to_rgb, out, "imread", f"{filename!r:.300}")


def imdecode(
    str_img: Any,
    clip_rect: Sequence[int] = (0, 0, 0, 0),
    out: Optional[NDArray] = None,
    index: int = 0,
    channels: int = 3,
    mean: Optional[NDArray] = None,
) -> NDArray:
    """Decode a picture as networks take it; :func:`mixgrad.image.imdecode` gives the pixels.

    MXNet 1.9.1 has this name, too, but each call fails there.

    Parameters
    ----------
    str_img : bytes
        The file's content.
    clip_rect : tuple of int
        What to keep: (x0, y0, x1, y1); all zeros keep everything.
    out : NDArray, optional
        Receives the result: (channels, height, width), or (n, channels, height, width).
    index : int
        Which picture of an ``out`` with four axes it becomes.
    channels : int
        3: red, green and blue; 1: grey.
    mean : NDArray, optional
        Subtracted; broadcasts to (channels, height, width).

    Returns
    -------
    NDArray
        float32 of shape (channels, height, width), or ``out``.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.nd.imdecode(b"P5 2 1 255 " + bytes([7, 9]), clip_rect=(1, 0, 2, 1), channels=1).asnumpy()
    array([[[9.]]], dtype=float32)
    """
    if channels not in (1, 3):
        raise InvalidArgumentError(f"[imdecode] channels is {channels!r:.60}; expected 1 or 3")
    pixels = cvimdecode(str_img, flag=int(channels == 3)).asnumpy()
    x0, y0, x1, y1 = clip_rect
    if any(clip_rect):
        height, width = pixels.shape[:2]
        if not (0 <= x0 < x1 <= width and 0 <= y0 < y1 <= height):
            raise InvalidArgumentError(
                f"[imdecode] clip_rect is {tuple(clip_rect)}; expected x0 < x1 <= {width} and "
                f"y0 < y1 <= {height}"
            )
        pixels = pixels[y0:y1, x0:x1]
    planes: NDArray = array(pixels.transpose(2, 0, 1), dtype="float32")
    if mean is not None:
        planes = planes - mean
    if out is None:
        return planes
    if out.ndim == 4:
        if not 0 <= index < out.shape[0]:
            raise InvalidArgumentError(
                f"[imdecode] index is {index}; out has room for {out.shape[0]} pictures"
            )
        out[index] = planes
    else:
        out[:] = planes
    return out


NAMES = {
    "_cvimdecode": cvimdecode,
    "_cvimread": cvimread,
    "_imdecode": imdecode,
    "_npi_cvimdecode": cvimdecode,
    "_npi_cvimread": cvimread,
}
