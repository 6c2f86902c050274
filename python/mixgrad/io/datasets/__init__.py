"""Data sets: examples by number, of files of pixels.

Each has ``len`` and gives example ``i`` as ``dataset[i]``; :class:`mixgrad.io.IterableIter` makes batches of
them.
"""

from typing import TYPE_CHECKING

from ... import _hints
from .cifar import CIFAR10, CIFAR100
from .digits import MNIST, FashionMNIST

__all__ = [
    "CIFAR10",
    "CIFAR100",
    "MNIST",
    "FashionMNIST",
]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
