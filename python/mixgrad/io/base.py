"""What an iterator gives, and the base of all iterators."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator, Mapping, Sequence
from operator import index
from typing import Any, Optional

import numpy as np

from .. import _words
from .._hints import refuse_arguments
from .._repr import option_names, shapes_text
from ..base import InvalidArgumentError, RefusedTypeError, UnsupportedError, extents

__all__ = [
    "DataBatch",
    "DataDesc",
    "DataIter",
    "checked_batch_size",
    "checked_switch",
    "checked_text",
    "need_iterator",
    "refuse_unknown",
]

# Batches beyond it must have that many examples: repeated ones would only fill the memory.
_MOST_REPEATED = 2**20


def need_iterator(data: Any, who: str, what: str) -> None:
    """Refuse what cannot give batches; subclasses of :class:`DataIter` are not asked for."""
    if not hasattr(data, "provide_data") or not hasattr(data, "reset"):
        raise TypeError(f"[{who}] {what} is {type(data).__name__}; expected a DataIter")


def refuse_unknown(kind: type, unknown: Mapping[str, Any]) -> None:
    """Refuse keywords that an iterator does not take, by the nearest one that it takes."""
    if unknown:
        refuse_arguments(kind.__name__, unknown, option_names(kind, kind), _words.OPTIONS)


def checked_switch(value: Any, who: str, what: str) -> bool:
    """What Python takes for true or false."""
    try:
        return bool(value)
    except Exception:  # arrays of several elements, and whatever else has no truth, by errors of many kinds
        raise TypeError(f"[{who}] {what} is {value!r:.60}; expected True or False") from None


def checked_text(value: Any, who: str, what: str, known: Sequence[str] = ()) -> str:
    """A text; one of the ``known`` ones if there are some."""
    if not isinstance(value, str) or (known and value not in known):
        expected = " or ".join(map(repr, known)) if known else "text"
        kind = InvalidArgumentError if isinstance(value, str) else TypeError
        raise kind(f"[{who}] {what} is {value!r:.60}; expected {expected}")
    return value


def checked_batch_size(batch_size: Any, examples: int, who: str) -> int:
    """The size of a batch as a whole number that fits so many examples; also of text, as in MXNet."""
    if isinstance(batch_size, str) and batch_size.isdecimal():
        batch_size = int(batch_size)
    try:
        size = index(batch_size)
    except TypeError:
        kind = type(batch_size).__name__
        raise TypeError(
            f"[{who}] batch_size is {kind}: {batch_size!r:.60}; expected a whole number"
        ) from None
    if not 1 <= size <= max(examples, _MOST_REPEATED):
        raise InvalidArgumentError(
            f"[{who}] batch_size={size}; expected at least 1 and, for {examples} examples, at most "
            f"{max(examples, _MOST_REPEATED)}"
        )
    return size


class DataDesc(namedtuple("DataDesc", ["name", "shape"])):
    """Name, shape, dtype and layout of one array of a batch; it unpacks as ``name, shape``.

    Parameters
    ----------
    name : str
        Name of the variable that receives the array.
    shape : tuple of int
        Shape of a batch.
    dtype : dtype
        Element type.
    layout : str
        A letter per axis; ``N`` is the axis of the examples.

    Examples
    --------
    >>> DataDesc("data", (32, 3, 8, 8), layout="NCHW")
    DataDesc[data,(32, 3, 8, 8),<class 'numpy.float32'>,NCHW]
    >>> DataDesc.get_batch_axis("TNC")
    1
    """

    name: str
    shape: tuple[int, ...]
    dtype: Any
    layout: Optional[str]

    def __new__(
        cls, name: str, shape: Sequence[int], dtype: Any = np.float32, layout: Optional[str] = "NCHW"
    ) -> DataDesc:
        if not isinstance(name, str):
            raise TypeError(f"[DataDesc] name is {type(name).__name__}: {name!r:.60}; expected text")
        if isinstance(shape, (int, np.integer)) or getattr(shape, "ndim", 1) == 0:
            raise TypeError(f"[DataDesc] shape is {shape!r:.60}; expected a tuple of whole numbers")
        extents(shape, "DataDesc")
        desc = super().__new__(cls, name, shape)
        desc.dtype = dtype
        desc.layout = layout
        return desc

    def __repr__(self) -> str:
        return f"DataDesc[{self.name},{self.shape},{self.dtype},{self.layout}]"

    def __reduce__(self) -> tuple[Any, ...]:
        return DataDesc, (self.name, self.shape, self.dtype, self.layout)

    @staticmethod
    def get_batch_axis(layout: Optional[str]) -> int:
        """Return the axis of the examples in a layout: 0 for None, -1 for a layout without ``N``."""
        return 0 if layout is None else layout.find("N")

    @staticmethod
    def get_list(shapes: Sequence[Any], types: Optional[Sequence[Any]]) -> list[DataDesc]:
        """Return descriptions from pairs of names and shapes, and pairs of names and dtypes or None."""
        if types is None:
            return [DataDesc(name, shape) for name, shape in shapes]
        dtypes = dict(types)
        return [DataDesc(name, shape, dtypes[name]) for name, shape in shapes]


class DataBatch:
    """One batch: lists of arrays for data and labels.

    Parameters
    ----------
    data, label : list of NDArray
        One array per description in ``provide_data`` and ``provide_label``.
    pad : int, optional
        How many examples at the end only fill the batch.
    index : numpy.ndarray, optional
        Numbers of the examples.
    bucket_key : optional
        Which bucket the batch belongs to, for ``BucketingModule``.
    provide_data, provide_label : list of DataDesc, optional
        Descriptions, where they differ from batch to batch.
    """

    def __init__(
        self,
        data: Optional[Sequence[Any]],
        label: Optional[Sequence[Any]] = None,
        pad: Optional[int] = None,
        index: Any = None,
        bucket_key: Any = None,
        provide_data: Optional[Sequence[Any]] = None,
        provide_label: Optional[Sequence[Any]] = None,
    ) -> None:
        for what, arrays in (("data", data), ("label", label)):
            if arrays is not None and not isinstance(arrays, (list, tuple)):
                raise RefusedTypeError(
                    f"[DataBatch] {what} must be a list of NDArray, got {type(arrays).__name__}"
                )
        self.data: Any = data
        self.label: Any = label
        self.pad = pad
        self.index = index
        self.bucket_key = bucket_key
        self.provide_data = provide_data
        self.provide_label = provide_label

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        data, label = (
            [getattr(x, "shape", type(x).__name__) for x in arrays] if arrays else None
            for arrays in (self.data, self.label)
        )
        return f"{type(self).__name__}: data shapes: {data} label shapes: {label}"


class DataIter:
    """Base of all iterators.

    A subclass gives ``provide_data``, ``provide_label`` and ``reset``, and either ``next`` or ``iter_next``,
    ``getdata``, ``getlabel`` and ``getpad``.

    Parameters
    ----------
    batch_size : int
        Examples per batch.

    Examples
    --------
    >>> import mixgrad as mx
    >>> class Twice(mx.io.DataIter):
    ...     provide_data, provide_label, at = [mx.io.DataDesc("data", (2,))], [], 0
    ...     def iter_next(self):
    ...         self.at += 1
    ...         return self.at <= 2
    ...     def getdata(self):
    ...         return [mx.nd.full((2,), self.at)]
    >>> [batch.data[0].asnumpy().tolist() for batch in Twice(2)]
    [[1.0, 1.0], [2.0, 2.0]]
    """

    # Lists of DataDesc: attributes or properties of the subclasses.
    provide_data: Any
    provide_label: Any

    def __init__(self, batch_size: int = 0) -> None:
        self.batch_size = batch_size

    def __repr__(self) -> str:
        data = shapes_text(getattr(self, "provide_data", None))
        label = shapes_text(getattr(self, "provide_label", None))
        return f"<{type(self).__name__}{': data ' if data else ''}{data}{'; label ' if label else ''}{label}>"

    def __iter__(self) -> Iterator[DataBatch]:
        return self

    def reset(self) -> None:
        """Start the next pass over the data."""

    def next(self) -> DataBatch:
        """Return the next batch; ``StopIteration`` at the end of the pass."""
        if not self.iter_next():
            raise StopIteration
        return DataBatch(self.getdata(), self.getlabel(), self.getpad(), self.getindex())

    def __next__(self) -> DataBatch:
        return self.next()

    def iter_next(self) -> bool:
        """Go to the next batch; False at the end of the pass."""
        return False

    def getdata(self) -> Any:
        """Return the data of the current batch."""
        return None

    def getlabel(self) -> Any:
        """Return the labels of the current batch."""
        return None

    def getindex(self) -> Any:
        """Return the numbers of the examples of the current batch, or None."""
        return None

    def getpad(self) -> Optional[int]:
        """Return how many examples of the current batch only fill it."""
        return None

    def state_dict(self) -> dict[str, Any]:
        """Return where the iterator stands: plain numbers and texts, which JSON keeps.

        After :meth:`load_state_dict` of it, an iterator made of the same data with the same arguments gives
        the batch that would have come next here.

        Raises
        ------
        UnsupportedError
            For iterators that cannot say where they stand.
        """
        raise UnsupportedError(f"[{type(self).__name__}] does not say where it stands: it has no state_dict")

    def load_state_dict(self, state: Any) -> None:
        """Go to where another iterator over the same data stood.

        Parameters
        ----------
        state : dict
            What :meth:`state_dict` returned.

        Raises
        ------
        InvalidArgumentError
            When the state is one of another iterator, of other data, or of another size of batches.
        """
        raise UnsupportedError(f"[{type(self).__name__}] cannot go to a position: it has no load_state_dict")
