"""Data sets: examples by number, of record files, picture files and files of pixels.

Each has ``len`` and gives example ``i`` as ``dataset[i]``; :class:`mixgrad.io.IterableIter` makes batches of
them.
"""

from typing import TYPE_CHECKING

from ... import _hints
from .cifar import CIFAR10, CIFAR100
from .digits import MNIST, FashionMNIST
from .folders import ImageFolderDataset, ImageListDataset
from .records import ImageRecordDataset, RecordFileDataset

__all__ = [
    "CIFAR10",
    "CIFAR100",
    "MNIST",
    "FashionMNIST",
    "ImageFolderDataset",
    "ImageListDataset",
    "ImageRecordDataset",
    "RecordFileDataset",
]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
