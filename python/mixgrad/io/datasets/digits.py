"""The digits of MNIST, and the clothes of FashionMNIST, from their files."""

from __future__ import annotations

from typing import Optional

import numpy as np
import numpy.typing as npt

from ..._files import PathLike
from ...base import ShapeError
from ..files import idx_array
from .arrays import PixelDataset, Transform, found_file

__all__ = ["MNIST", "FashionMNIST"]


class MNIST(PixelDataset):
    """The MNIST digits from idx files in a folder, packed by gzip or not; nothing is downloaded.

    An example is a picture, NDArray of shape (28, 28, 1) and type uint8, and its label, a NumPy int32.
    Follows ``mxnet.gluon.data.vision.MNIST``.

    Parameters
    ----------
    root : path, optional
        The folder of ``train-images-idx3-ubyte.gz`` and the others; by default ``datasets/mnist`` in
        ``mx.base.data_dir()``.
    train : bool
        The 60,000 digits of ``train-*`` or the 10,000 of ``t10k-*``.
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
    >>> from mixgrad.io.datasets import MNIST
    >>> root = tempfile.mkdtemp()
    >>> images, labels = (os.path.join(root, f"t10k-{kind}-ubyte") for kind in ("images-idx3", "labels-idx1"))
    >>> _ = open(images, "wb").write(bytes([0, 0, 8, 3, *[0, 0, 0, 2] * 3, *range(8)]))
    >>> _ = open(labels, "wb").write(bytes([0, 0, 8, 1, 0, 0, 0, 2, 7, 3]))
    >>> digits = MNIST(root, train=False, transform=lambda data, label: (data.shape, int(label)))
    >>> len(digits), digits[1]
    (2, ((2, 2, 1), 3))
    """

    _folder = "mnist"
    _source = "the MNIST database of handwritten digits"

    def __init__(
        self, root: Optional[PathLike] = None, train: bool = True, transform: Optional[Transform] = None
    ) -> None:
        self._train = train
        super().__init__(self._folder, root, transform)

    def _read(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
        who = type(self).__name__
        begin = "train" if self._train else "t10k"

        def read(kind: str, axes: int, what: str) -> npt.NDArray[np.uint8]:
            name = f"{begin}-{kind}-ubyte"
            return idx_array(found_file(self._root, [name + ".gz", name], who, self._source), axes, what, who)

        data, label = read("images-idx3", 3, "images"), read("labels-idx1", 1, "labels")
        if len(data) != len(label):
            raise ShapeError(f"[{who}] {len(data)} images and {len(label)} labels in {self._root!r}")
        return data[..., np.newaxis], label.astype(np.int32)


class FashionMNIST(MNIST):
    """Pictures of clothes in the files of FashionMNIST, which are named and made as those of :class:`MNIST`.

    Parameters
    ----------
    root : path, optional
        The folder; by default ``datasets/fashion-mnist`` in ``mx.base.data_dir()``.
    train : bool
        The files ``train-*`` or ``t10k-*``.
    transform : function, optional
        Gets a picture and its label; what it returns is the example.
    """

    _folder = "fashion-mnist"
    _source = "FashionMNIST (zalandoresearch/fashion-mnist)"
