"""Datasets of pictures, and what is done to pictures on their way into batches (``gluon.data.vision``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .... import _hints
from . import datasets, transforms
from .datasets import (
    CIFAR10,
    CIFAR100,
    MNIST,
    FashionMNIST,
    ImageFolderDataset,
    ImageListDataset,
    ImageRecordDataset,
)

__all__ = [
    "CIFAR10",
    "CIFAR100",
    "MNIST",
    "FashionMNIST",
    "ImageFolderDataset",
    "ImageListDataset",
    "ImageRecordDataset",
    "datasets",
    "transforms",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
