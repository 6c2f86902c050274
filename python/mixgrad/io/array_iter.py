"""Batches from arrays in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Optional

import numpy as np

from .. import _words
from .. import ndarray as nd
from .._hints import refuse_arguments
from .._repr import option_names
from ..base import RefusedTypeError, RefusedValueError, UnsupportedError
from ..ndarray import NDArray
from .base import DataBatch, DataDesc, DataIter, checked_batch_size, checked_switch, checked_text
from .order import ShuffledOrder, checked_seed
from .state import Order, checked_state, order_from, order_text, state_count, state_list

__all__ = ["NDArrayIter"]

Named = list[tuple[str, Any]]
_LAST = ("pad", "discard", "roll_over")


def _is_h5py(value: Any) -> bool:
    return type(value).__module__.split(".")[0] == "h5py"


def _is_csr(value: Any) -> bool:
    return isinstance(value, NDArray) and value.stype == "csr"


def _named(data: Any, default_name: str, what: str, allow_empty: bool) -> Named:
    """Arrays in order of their names; anything array-like becomes an NDArray."""
    if data is None and allow_empty:
        return []
    if isinstance(data, Mapping):
        named = dict(data)
    elif isinstance(data, (list, tuple)):
        single = len(data) == 1
        named = {default_name if single else f"_{i}_{default_name}": d for i, d in enumerate(data)}
    elif isinstance(data, (NDArray, np.ndarray)) or _is_h5py(data) or hasattr(data, "tocsr"):
        named = {default_name: data}
    else:
        raise RefusedTypeError(
            f"[NDArrayIter] {what} is {type(data).__name__}; expected an array, or a list or dict of arrays"
        )
    if not named and not allow_empty:
        raise RefusedValueError(f"[NDArrayIter] {what} holds no array")
    out = []
    for name, value in sorted(named.items()):
        if not isinstance(value, NDArray) and not _is_h5py(value):
            try:
                value = nd.array(value)
            except (TypeError, ValueError) as error:
                kind = type(value).__name__
                raise TypeError(f"[NDArrayIter] {what} {name!r} is {kind} and no array: {error}") from None
        out.append((name, value))
    return out


class NDArrayIter(DataIter):
    """Batches from arrays: NDArray, NumPy arrays (which become float32), sparse matrices or h5py datasets.

    Batches of a csr matrix, also of one of SciPy, are csr matrices; ``last_batch_handle`` is then
    ``'discard'``.

    Parameters
    ----------
    data : array, or list or dict of arrays
        The first axis (``N`` of ``layout``) is that of the examples. Several arrays are ordered by name.
    label : array, or list or dict of arrays, optional
        The labels.
    batch_size : int
        Examples per batch.
    shuffle : bool
        Put the examples in a random order at the start of each pass.
    last_batch_handle : {'pad', 'discard', 'roll_over'}
        What becomes of a last batch that is not full: it is filled with examples from the start, whose
        number is the batch's ``pad``; it is left out; or its examples begin the next pass.
    data_name, label_name : str
        Names where none are given; of several arrays the i-th gets ``_<i>_<name>``.
    layout : str
        Letters of the axes.
    seed : int, optional
        Which orders ``shuffle`` gives: each follows from the seed and the number of the pass. Without it they
        come from NumPy's global generator, as in MXNet.

    Examples
    --------
    >>> import mixgrad as mx
    >>> it = mx.io.NDArrayIter(mx.nd.arange(5), mx.nd.arange(5) * 10, batch_size=2)
    >>> [(b.data[0].asnumpy().tolist(), b.label[0].asnumpy().tolist(), b.pad) for b in it]
    [([0.0, 1.0], [0.0, 10.0], 0), ([2.0, 3.0], [20.0, 30.0], 0), ([4.0, 0.0], [40.0, 0.0], 1)]
    >>> it.provide_data
    [DataDesc[data,(2,),<class 'numpy.float32'>,NCHW]]
    """

    def __init__(
        self,
        data: Any,
        label: Any = None,
        batch_size: int = 1,
        shuffle: bool = False,
        last_batch_handle: str = "pad",
        data_name: str = "data",
        label_name: str = "softmax_label",
        layout: str = "NCHW",
        seed: Optional[int] = None,
        **unknown: Any,
    ) -> None:
        if unknown:
            refuse_arguments("NDArrayIter", unknown, option_names(NDArrayIter, NDArrayIter), _words.OPTIONS)
        super().__init__()
        checked_text(last_batch_handle, "NDArrayIter", "last_batch_handle", _LAST)
        for what, text in (("data_name", data_name), ("label_name", label_name), ("layout", layout)):
            checked_text(text, "NDArrayIter", what)
        self._axis = layout.find("N")
        if self._axis < 0:
            raise ValueError(f"[NDArrayIter] layout {layout!r} has no axis N")
        self.data = _named(data, data_name, "data", allow_empty=False)
        self.label = _named(label, label_name, "label", allow_empty=True)
        self.layout = layout
        self.last_batch_handle = last_batch_handle
        self.shuffle = checked_switch(shuffle, "NDArrayIter", "shuffle")
        if last_batch_handle != "discard":
            for name, array in (*self.data, *self.label):
                if _is_csr(array):
                    raise UnsupportedError(
                        f"[NDArrayIter] {name!r} is a csr matrix, and last_batch_handle is "
                        f"{last_batch_handle!r}; expected 'discard'"
                    )
        self.num_data = self._length(*self.data[0])
        self.batch_size = checked_batch_size(batch_size, self.num_data, "NDArrayIter")
        for name, array in (*self.data, *self.label):
            if self._length(name, array) < self.num_data:
                raise ValueError(
                    f"[NDArrayIter] {name!r} has {self._length(name, array)} examples and "
                    f"{self.data[0][0]!r} has {self.num_data}; expected as many"
                )
        self.idx = np.arange(self.num_data)
        self._seed = None if seed is None else checked_seed(seed, "NDArrayIter")
        self._epoch = -1
        # Numbers of the examples in the order of this pass, and the two orders as text, once asked for.
        self._order: Order = np.arange(self.num_data)
        self._texts: Optional[tuple[str, str]] = None
        self.num_source = len(self.data) + len(self.label)
        self.cursor = -self.batch_size
        # Examples kept for the next pass, by 'roll_over'.
        self._kept: Optional[tuple[list[NDArray], list[NDArray]]] = None
        self._kept_numbers: list[int] = []
        self.reset()

    def _length(self, name: str, array: Any) -> int:
        if len(array.shape) <= self._axis:
            raise ValueError(
                f"[NDArrayIter] {name!r} has shape {array.shape}; layout {self.layout!r} needs more axes"
            )
        return int(array.shape[self._axis])

    @property
    def provide_data(self) -> list[DataDesc]:
        """Descriptions of the data."""
        return self._described(self.data)

    @property
    def provide_label(self) -> list[DataDesc]:
        """Descriptions of the labels."""
        return self._described(self.label)

    def _described(self, source: Named) -> list[DataDesc]:
        def batched(shape: Sequence[int]) -> tuple[int, ...]:
            return (*shape[: self._axis], self.batch_size, *shape[self._axis + 1 :])

        return [
            DataDesc(name, batched(array.shape), np.float32 if _is_h5py(array) else array.dtype, self.layout)
            for name, array in source
        ]

    def hard_reset(self) -> None:
        """Start from the first example, forgetting what 'roll_over' kept."""
        self._next_order()
        self.cursor = -self.batch_size
        self._kept, self._kept_numbers = None, []

    def reset(self) -> None:
        """Start the next pass."""
        self._next_order()
        begun = self.num_data - self.batch_size < self.cursor < self.num_data
        if self.last_batch_handle == "roll_over" and begun:
            self.cursor -= self.num_data + self.batch_size
        else:
            self.cursor = -self.batch_size

    def _next_order(self) -> None:
        self._epoch += 1
        if not self.shuffle:
            return
        if self._seed is None:
            np.random.shuffle(self.idx)  # noqa: NPY002  (one seed gives MXNet's order)
            self._put_into(self._order[self.idx])
        else:
            self.idx = self._seeded_order()
            self._put_into(self.idx)

    def _seeded_order(self) -> Order:
        assert self._seed is not None
        return ShuffledOrder(self.num_data, self._seed, self._epoch)(np.arange(self.num_data))

    def _places(self, numbers: Order) -> Order:
        """Where these examples lie in the order of this pass."""
        places = np.empty_like(self._order)
        places[self._order] = np.arange(self.num_data)
        return places[numbers]

    def _put_into(self, order: Order) -> None:
        """Puts the arrays into another order; h5py datasets stay, and are read in that order."""
        places = nd.array(self._places(order), dtype="int64")

        def shuffled(source: Named) -> Named:
            return [
                (name, a)
                if _is_h5py(a)
                else (name, nd.take(a, places.as_in_context(a.context), axis=self._axis))
                for name, a in source
            ]

        self.data, self.label = shuffled(self.data), shuffled(self.label)
        self._order, self._texts = order, None

    def state_dict(self) -> dict[str, Any]:
        """Return where the iterator stands.

        Of ``shuffle`` without a seed, the state has the whole order of the pass as text (6 bytes an
        example); the orders of later passes come from NumPy's global generator, whose state the program
        keeps.
        """
        state = {
            "iterator": "NDArrayIter",
            **self._same(),
            "epoch": self._epoch,
            "cursor": self.cursor,
            "kept": self._kept_numbers,
        }
        if self.shuffle and self._seed is None:
            if self._texts is None:
                self._texts = order_text(self._order), order_text(self.idx)
            state["order"], state["idx"] = self._texts
        return state

    def _same(self) -> dict[str, Any]:
        """What a state must have in common with the iterator that takes it."""
        return {
            "examples": self.num_data,
            "batch_size": self.batch_size,
            "shuffle": self.shuffle,
            "seed": self._seed if self.shuffle else None,
            "last_batch_handle": self.last_batch_handle,
        }

    def load_state_dict(self, state: Any) -> None:
        """Go to where another iterator over the same arrays stood."""
        who = "NDArrayIter"
        state = checked_state(state, who, self._same())
        cursor = state_count(state, "cursor", who, -self.num_data - 2 * self.batch_size)
        kept = state_list(state, "kept", who, self.num_data)
        epoch = state_count(state, "epoch", who)
        order = self._order
        if self.shuffle and self._seed is None:
            order, self.idx = (order_from(state, key, who, self.num_data) for key in ("order", "idx"))
        self._epoch = epoch
        if self.shuffle and self._seed is not None:
            order = self.idx = self._seeded_order()
        if self.shuffle:
            self._put_into(order)
        self.cursor, self._kept, self._kept_numbers = cursor, None, kept
        if kept:
            places = self._places(np.asarray(kept))
            self._kept = self._picked(self.data, places), self._picked(self.label, places)

    def iter_next(self) -> bool:
        """Go to the next batch; False when no example is left."""
        self.cursor += self.batch_size
        return self.cursor < self.num_data

    def next(self) -> DataBatch:
        """Return the next batch."""
        if not self.iter_next():
            raise StopIteration
        if self.last_batch_handle == "discard" and self.cursor + self.batch_size > self.num_data:
            raise StopIteration
        data, label = self.getdata(), self.getlabel()
        if data[0].shape[self._axis] != self.batch_size:
            self._kept_numbers = self._numbers()
            self._kept = data, label
            raise StopIteration
        if self.cursor >= 0:
            self._kept, self._kept_numbers = None, []
        return DataBatch(data, label, self.getpad(), None)

    def getdata(self) -> list[NDArray]:
        """Return the data of the current batch."""
        return self._batch(self.data, 0)

    def getlabel(self) -> list[NDArray]:
        """Return the labels of the current batch."""
        return self._batch(self.label, 1)

    def getpad(self) -> int:
        """Return how many examples of the current batch come from elsewhere than its place."""
        if self.last_batch_handle == "pad":
            return max(0, self.cursor + self.batch_size - self.num_data)
        return -self.cursor if self.last_batch_handle == "roll_over" and self.cursor < 0 else 0

    def _batch(self, source: Named, kind: int) -> list[NDArray]:
        if self.cursor >= self.num_data:
            raise ValueError("[NDArrayIter] the pass is over; call reset")
        begin, end = self.cursor, self.cursor + self.batch_size
        if begin < 0:  # the first batch of a pass begins with what the last one kept
            new = self._rows(source, range(min(end, self.num_data)))
            if self._kept is None:
                raise ValueError("[NDArrayIter] no batch yet; call next or iter_next")
            return self._joined([self._kept[kind], new]) if end > 0 else self._kept[kind]
        pieces = [self._rows(source, range(begin, min(end, self.num_data)))]
        left = max(0, end - self.num_data) if self.last_batch_handle == "pad" else 0
        while left > 0:
            take = min(left, self.num_data)
            pieces.append(self._rows(source, range(take)))
            left -= take
        return self._joined(pieces)

    def _joined(self, pieces: list[list[NDArray]]) -> list[NDArray]:
        if len(pieces) == 1:
            return pieces[0]
        return [nd.concat(*parts, dim=self._axis) for parts in zip(*pieces)]

    def _numbers(self) -> list[int]:
        """Numbers of the examples of a batch that is not full."""
        end = self.cursor + self.batch_size
        new = self._order[max(self.cursor, 0) : max(0, min(end, self.num_data))].tolist()
        return [*self._kept_numbers, *new] if self.cursor < 0 else new

    def _rows(self, source: Named, rows: range) -> list[NDArray]:
        out = []
        for _, array in source:
            if _is_csr(array):
                out.append(array[rows.start : rows.stop])
            elif isinstance(array, NDArray):
                out.append(nd.slice_axis(array, axis=self._axis, begin=rows.start, end=rows.stop))
            elif self.shuffle:
                out.append(self._read_h5py(array, self._order[rows.start : rows.stop]))
            else:
                out.append(nd.array(array[self._at_axis(slice(rows.start, rows.stop))]))
        return out

    def _picked(self, source: Named, places: Order) -> list[NDArray]:
        """The examples at these places of the order."""
        return [
            self._read_h5py(array, self._order[places])
            if _is_h5py(array)
            else nd.take(array, nd.array(places, dtype="int64", ctx=array.context), axis=self._axis)
            for _, array in source
        ]

    def _at_axis(self, rows: Any) -> tuple[Any, ...]:
        return (*(slice(None),) * self._axis, rows)

    def _read_h5py(self, array: Any, numbers: Order) -> NDArray:
        """Examples of an h5py dataset, which reads rising numbers only."""
        rising, back = np.unique(numbers, return_inverse=True)
        return nd.array(np.take(array[self._at_axis(rising)], back, axis=self._axis))
