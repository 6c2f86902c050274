"""Tables as sources of batches: HDF5, Parquet and Arrow files, and anything that gives examples."""

from typing import TYPE_CHECKING

from ... import _hints
from .hdf5 import HDF5Iter
from .iterable import IterableIter
from .parquet import ParquetIter
from .table_iter import TableIter

__all__ = ["HDF5Iter", "IterableIter", "ParquetIter", "TableIter"]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
