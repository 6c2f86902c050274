"""Datasets of pictures from local files: those of :mod:`mixgrad.io.datasets`, with a ``Dataset``'s methods.

Nothing is downloaded: a missing file is an error that says which one belongs where.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .... import _hints
from ....io import datasets as _files
from ..dataset import Dataset

__all__ = [
    "CIFAR10",
    "CIFAR100",
    "MNIST",
    "FashionMNIST",
    "ImageFolderDataset",
    "ImageListDataset",
    "ImageRecordDataset",
]


class MNIST(_files.MNIST, Dataset):
    __doc__ = _files.MNIST.__doc__


class FashionMNIST(_files.FashionMNIST, Dataset):
    __doc__ = _files.FashionMNIST.__doc__


class CIFAR10(_files.CIFAR10, Dataset):
    __doc__ = _files.CIFAR10.__doc__


class CIFAR100(_files.CIFAR100, Dataset):
    __doc__ = _files.CIFAR100.__doc__


class ImageRecordDataset(_files.ImageRecordDataset, Dataset):
    __doc__ = _files.ImageRecordDataset.__doc__


class ImageFolderDataset(_files.ImageFolderDataset, Dataset):
    __doc__ = _files.ImageFolderDataset.__doc__


class ImageListDataset(_files.ImageListDataset, Dataset):
    __doc__ = _files.ImageListDataset.__doc__


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
