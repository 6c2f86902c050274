"""The pictures of CIFAR-10 and CIFAR-100, from their files."""

from __future__ import annotations

import os
from typing import Optional

import numpy as np
import numpy.typing as npt

from ..._files import PathLike, read_file
from ...base import FileFormatError
from .arrays import PixelDataset, Transform, found_file

__all__ = ["CIFAR10", "CIFAR100"]

_PIXELS = 3 * 32 * 32


class CIFAR10(PixelDataset):
    """The pictures of CIFAR-10 from its binary files in a folder; nothing is downloaded.

    An example is a picture, NDArray of shape (32, 32, 3) and type uint8, and its label, a NumPy int32.
    Follows ``mxnet.gluon.data.vision.CIFAR10``.

    Parameters
    ----------
    root : path, optional
        The folder of ``data_batch_1.bin`` and the others, or of their folder ``cifar-10-batches-bin``; by
        default ``datasets/cifar10`` in ``mx.base.data_dir()``.
    train : bool
        The five files ``data_batch_*`` or ``test_batch.bin``.
    transform : function, optional
        Gets a picture and its label; what it returns is the example.

    Raises
    ------
    MissingFileError
        When a file is not in the folder.
    FileFormatError
        When a file is damaged.

    Examples
    --------
    >>> import os, tempfile
    >>> from mixgrad.io.datasets import CIFAR10
    >>> root = tempfile.mkdtemp()
    >>> _ = open(os.path.join(root, "test_batch.bin"), "wb").write(bytes([7, *[0] * 3072, 3, *[255] * 3072]))
    >>> data, label = CIFAR10(root, train=False)[1]
    >>> data.shape, int(label)
    ((32, 32, 3), 3)
    """

    _folder = "cifar10"
    _unpacked = "cifar-10-batches-bin"
    _archive = "the archive cifar-10-binary.tar.gz"
    _train_files = tuple(f"data_batch_{i}.bin" for i in range(1, 6))
    _test_files: tuple[str, ...] = ("test_batch.bin",)
    _classes: tuple[int, ...] = (10,)  # of each label that stands before the pixels
    _chosen = 0

    def __init__(
        self, root: Optional[PathLike] = None, train: bool = True, transform: Optional[Transform] = None
    ) -> None:
        self._train = train
        super().__init__(self._folder, root, transform)

    def _read(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
        parts = [self._read_file(name) for name in (self._train_files if self._train else self._test_files)]
        rows = np.concatenate(parts)
        pixels = rows[:, len(self._classes) :].reshape((-1, 3, 32, 32)).transpose((0, 2, 3, 1))
        return np.ascontiguousarray(pixels), rows[:, self._chosen].astype(np.int32)

    def _read_file(self, name: str) -> npt.NDArray[np.uint8]:
        who = type(self).__name__
        path = found_file(self._root, [name, os.path.join(self._unpacked, name)], who, self._archive)
        content = np.frombuffer(read_file(path, who), np.uint8)
        width = len(self._classes) + _PIXELS
        if not content.size or content.size % width:
            raise FileFormatError(
                f"[{who}] {path!r} has {content.size} bytes; expected a multiple of {width}"
            )
        rows = content.reshape((-1, width))
        for place, classes in enumerate(self._classes):
            odd = np.flatnonzero(rows[:, place] >= classes)
            if odd.size:
                raise FileFormatError(
                    f"[{who}] {path!r} has the label {rows[odd[0], place]} at picture {odd[0]}; expected "
                    f"0 to {classes - 1}"
                )
        return rows


class CIFAR100(CIFAR10):
    """The pictures of CIFAR-100 from its binary files in a folder; nothing is downloaded.

    Parameters
    ----------
    root : path, optional
        The folder of ``train.bin`` and ``test.bin``, or of their folder ``cifar-100-binary``; by default
        ``datasets/cifar100`` in ``mx.base.data_dir()``.
    fine_label : bool
        Labels of the 100 classes instead of the 20 groups of them.
    train : bool
        The file ``train.bin`` or ``test.bin``.
    transform : function, optional
        Gets a picture and its label; what it returns is the example.
    """

    _folder = "cifar100"
    _unpacked = "cifar-100-binary"
    _archive = "the archive cifar-100-binary.tar.gz"
    _train_files = ("train.bin",)
    _test_files = ("test.bin",)
    _classes = (20, 100)

    def __init__(
        self,
        root: Optional[PathLike] = None,
        fine_label: bool = False,
        train: bool = True,
        transform: Optional[Transform] = None,
    ) -> None:
        self._chosen = int(fine_label)
        super().__init__(root, train, transform)
