"""Data in PyTorch's habits (``mx.nn.data``): names, arguments and results of ``torch.utils.data``.

Worker processes, shared and pinned memory are those of ``mx.gluon.data``; arrays are those of ``mx.np``.

>>> from mixgrad import nn, np
>>> pairs = nn.data.TensorDataset(np.arange(10), np.arange(10) * 2)
>>> train, test = nn.data.random_split(pairs, [0.7, 0.3])
>>> loader = nn.data.DataLoader(train, batch_size=3, shuffle=True, drop_last=True)
>>> len(train), len(test), len(loader), [len(x) for x, y in loader]
(7, 3, 2, [3, 3])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import _hints
from .collate import default_collate, default_convert
from .dataset import ConcatDataset, Dataset, IterableDataset, Subset, TensorDataset, random_split
from .loader import DataLoader
from .sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)
from .worker import WorkerInfo, get_worker_info

__all__ = [
    "BatchSampler",
    "ConcatDataset",
    "DataLoader",
    "Dataset",
    "IterableDataset",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "Subset",
    "SubsetRandomSampler",
    "TensorDataset",
    "WeightedRandomSampler",
    "WorkerInfo",
    "default_collate",
    "default_convert",
    "get_worker_info",
    "random_split",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
