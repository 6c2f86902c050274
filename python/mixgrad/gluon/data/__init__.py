"""Data for training: datasets, samplers, and loaders that make batches (``gluon.data``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import _hints
from . import batchify, dataloader, dataset, sampler, vision
from .dataloader import DataLoader, LoaderTimeoutError, WorkerDiedError
from .dataset import ArrayDataset, Dataset, RecordFileDataset, SimpleDataset
from .sampler import (
    BatchSampler,
    FilterSampler,
    IntervalSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
)

__all__ = [
    "ArrayDataset",
    "BatchSampler",
    "DataLoader",
    "Dataset",
    "FilterSampler",
    "IntervalSampler",
    "LoaderTimeoutError",
    "RandomSampler",
    "RecordFileDataset",
    "Sampler",
    "SequentialSampler",
    "SimpleDataset",
    "WorkerDiedError",
    "batchify",
    "dataloader",
    "dataset",
    "sampler",
    "vision",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
