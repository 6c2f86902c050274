"""Data iterators (``mx.io``): batches of examples from arrays and from files.

An iterator gives a :class:`DataBatch` per call of ``next`` and describes its arrays by ``provide_data`` and
``provide_label``; ``reset`` starts the next pass over the data.
"""

from typing import TYPE_CHECKING

from .. import _hints
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
from .wrappers import PrefetchingIter, ResizeIter

__all__ = [
    "CSVIter",
    "DataBatch",
    "DataDesc",
    "DataIter",
    "ImageDetRecordIter",
    "ImageRecordInt8Iter",
    "ImageRecordIter",
    "ImageRecordIter_v1",
    "ImageRecordUInt8Iter",
    "ImageRecordUInt8Iter_v1",
    "LibSVMIter",
    "MNISTIter",
    "MXDataIter",
    "NDArrayIter",
    "PrefetchingIter",
    "RawRecordIter",
    "ResizeIter",
]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
