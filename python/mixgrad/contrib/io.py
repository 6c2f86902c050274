"""Batches of a data loader as an iterator (``mx.contrib.io``)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .. import _hints
from .. import ndarray as nd
from ..io import DataDesc, DataIter
from ..ndarray import NDArray

__all__ = ["DataLoaderIter"]


class DataLoaderIter(DataIter):
    """Gives what a loader gives, pairs of data and labels, as batches for a module.

    Parameters
    ----------
    loader : iterable
        Gives (data, label) for each batch, anew each time it is iterated over.
    data_name, label_name : str
        Names of the two in the network.
    dtype : str
        The dtype of batches.

    Examples
    --------
    >>> import mixgrad as mx
    >>> batches = [(mx.nd.ones((2, 3)), mx.nd.zeros((2,))), (mx.nd.ones((1, 3)), mx.nd.zeros((1,)))]
    >>> [(batch.data[0].shape, batch.pad) for batch in mx.contrib.io.DataLoaderIter(batches)]
    [((2, 3), 0), ((2, 3), 1)]
    """

    def __init__(
        self,
        loader: Iterable[Any],
        data_name: str = "data",
        label_name: str = "softmax_label",
        dtype: Any = "float32",
    ) -> None:
        self._loader = loader
        first = next(iter(loader), None)
        if first is None:
            raise ValueError("[DataLoaderIter] loader gives no batch; expected one at least")
        data, label = first
        super().__init__(data.shape[0])
        self.dtype = dtype
        self.provide_data = [DataDesc(data_name, data.shape, dtype)]
        self.provide_label = [DataDesc(label_name, label.shape, dtype)]
        self._current: Any = None
        self.reset()

    def reset(self) -> None:
        """Begin again."""
        self._batches = iter(self._loader)

    def iter_next(self) -> bool:
        """Take the next batch; False when there is none."""
        self._current = next(self._batches, None)
        return self._current is not None

    def _filled(self, array: Any) -> list[NDArray]:
        array = array.astype(self.dtype)
        if not self.getpad():
            return [array]
        whole = nd.zeros((self.batch_size, *array.shape[1:]), dtype=self.dtype)
        whole[: array.shape[0]] = array
        return [whole]

    def getdata(self) -> list[NDArray]:
        """The data of the batch; rows that it lacks are 0."""
        return self._filled(self._current[0])

    def getlabel(self) -> list[NDArray]:
        """The labels of the batch; those that it lacks are 0."""
        return self._filled(self._current[1])

    def getpad(self) -> int:
        """How many rows the batch lacks."""
        return int(self.batch_size - self._current[0].shape[0])

    def getindex(self) -> None:
        """Places of the examples in the data, which a loader does not say."""
        return


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
