"""Record files as data sets."""

from __future__ import annotations

import os
from typing import Any, Optional

from ..._files import PathLike
from ...base import path_text
from .arrays import Transform

__all__ = ["ImageRecordDataset", "RecordFileDataset"]


class RecordFileDataset:
    """The records of a file, as bytes; follows ``mxnet.gluon.data.RecordFileDataset``.

    Parameters
    ----------
    filename : path
        The record file; its index is the file beside it whose name ends in ``.idx``.

    Examples
    --------
    >>> import mixgrad as mx, os, tempfile
    >>> from mixgrad.io.datasets import RecordFileDataset
    >>> path = os.path.join(tempfile.mkdtemp(), "words")
    >>> with mx.recordio.MXIndexedRecordIO(path + ".idx", path + ".rec", "w") as record:
    ...     for key, word in enumerate([b"one", b"two", b"three"]):
    ...         record.write_idx(key, word)
    >>> words = RecordFileDataset(path + ".rec")
    >>> len(words), words[1], words[-1]
    (3, b'two', b'three')
    """

    def __init__(self, filename: PathLike) -> None:
        from ... import recordio

        self.filename = path_text(filename, type(self).__name__)
        self.idx_file = os.path.splitext(self.filename)[0] + ".idx"
        self._record = recordio.MXIndexedRecordIO(self.idx_file, self.filename, "r")

    def __len__(self) -> int:
        return len(self._record.keys)

    def __getitem__(self, idx: int) -> Any:
        return self._record.read_idx(self._record.keys[idx])


class ImageRecordDataset(RecordFileDataset):
    """Pictures and their labels from a record file; follows ``mxnet.gluon.data.vision.ImageRecordDataset``.

    An example is a picture, NDArray of shape (height, width, channels) and type uint8, and its label: a
    number, or an array of several.

    Parameters
    ----------
    filename : path
        The record file; its index is the file beside it whose name ends in ``.idx``.
    flag : {0, 1}
        0: one channel of grey, 1: three of colours.
    transform : function, optional
        Gets a picture and its label; what it returns is the example.
    """

    def __init__(self, filename: PathLike, flag: int = 1, transform: Optional[Transform] = None) -> None:
        super().__init__(filename)
        self._flag, self._transform = flag, transform

    def __getitem__(self, idx: int) -> Any:
        from ... import image, recordio

        header, content = recordio.unpack(super().__getitem__(idx))
        data = image.imdecode(content, self._flag)
        return (data, header.label) if self._transform is None else self._transform(data, header.label)
