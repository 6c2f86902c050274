"""Pictures in files and in memory as arrays."""

from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np

from ..ndarray import NDArray
from ..ndarray.pictures import cvimdecode, cvimread

__all__ = ["imdecode", "imread"]

Encoded = Union[bytes, bytearray, "np.ndarray[Any, Any]", NDArray]


def imdecode(
    buf: Encoded, flag: int = 1, to_rgb: Union[bool, int] = 1, out: Optional[NDArray] = None
) -> NDArray:
    """Decode a picture.

    The header is read at once; the pixels follow in a task of the engine, whose errors reach who reads the
    array.

    Parameters
    ----------
    buf : bytes, bytearray, numpy.ndarray or NDArray
        The file's content: JPEG by itself, other formats through Pillow.
    flag : int
        1: three colours, 0: grey. As in MXNet, pixels lie as they are stored, whatever EXIF says of turning.
    to_rgb : bool or int
        1: red first, 0: blue first.
    out : NDArray, optional
        Receives the pixels.

    Returns
    -------
    NDArray
        uint8 of shape (height, width, channels), on the CPU.

    Raises
    ------
    FileFormatError
        For what is no picture, or a damaged one.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.image.imdecode(b"P5 3 2 255 " + bytes(6), flag=0).shape
    (2, 3, 1)

    Follows MXNet's ``mx.image.imdecode``.
    """
    if not isinstance(buf, (bytes, bytearray, np.ndarray, NDArray)):
        raise TypeError(
            f"[imdecode] buf is {type(buf).__name__}: {buf!r:.60}; expected bytes, bytearray or numpy.ndarray"
        )
    return cvimdecode(buf, flag=flag, to_rgb=to_rgb, out=out)


def imread(
    filename: Any, flag: int = 1, to_rgb: Union[bool, int] = 1, out: Optional[NDArray] = None
) -> NDArray:
    """Read and decode a picture's file; see :func:`imdecode`.

    Parameters
    ----------
    filename : path
        The file.
    flag : int
        1: three colours, 0: grey.
    to_rgb : bool or int
        1: red first, 0: blue first.
    out : NDArray, optional
        Receives the pixels.

    Returns
    -------
    NDArray
        uint8 of shape (height, width, channels), on the CPU.

    Raises
    ------
    MissingFileError
        Where there is no such file.

    Follows MXNet's ``mx.image.imread``.
    """
    return cvimread(filename, flag=flag, to_rgb=to_rgb, out=out)
