"""Data iterators (``mx.io``): batches of examples from arrays and from files.

An iterator gives a :class:`DataBatch` per call of ``next`` and describes its arrays by ``provide_data`` and
``provide_label``; ``reset`` starts the next pass over the data.
"""

from typing import TYPE_CHECKING

from .. import _hints
from . import datasets
from .array_iter import NDArrayIter
from .base import DataBatch, DataDesc, DataIter
from .files import CSVIter, LibSVMIter, MNISTIter, MXDataIter
from .image_record import (
    ImageDetRecordIter,
    ImageRecordInt8Iter,
    ImageRecordIter,
    ImageRecordIter_v1,
    ImageRecordUInt8Iter,
    ImageRecordUInt8Iter_v1,
    RawRecordIter,
)
from .tables import HDF5Iter, IterableIter, ParquetIter
from .tokens import TokenFile, TokenIter, TokenWriter
from .wrappers import PrefetchingIter, ResizeIter

__all__ = [
    "CSVIter",
    "DataBatch",
    "DataDesc",
    "DataIter",
    "HDF5Iter",
    "ImageDetRecordIter",
    "ImageRecordInt8Iter",
    "ImageRecordIter",
    "ImageRecordIter_v1",
    "ImageRecordUInt8Iter",
    "ImageRecordUInt8Iter_v1",
    "IterableIter",
    "LibSVMIter",
    "MNISTIter",
    "MXDataIter",
    "NDArrayIter",
    "ParquetIter",
    "PrefetchingIter",
    "RawRecordIter",
    "ResizeIter",
    "TokenFile",
    "TokenIter",
    "TokenWriter",
    "datasets",
]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
