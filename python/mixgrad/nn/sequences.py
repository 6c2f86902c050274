"""Sequences of several lengths in one array: padded to the longest, or packed step by step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Optional

import numpy as onp

from .. import numpy as np
from ..base import DTypeError, InvalidArgumentError, ShapeError
from ..ndarray import NDArray

__all__ = [
    "PackedSequence",
    "pack_padded_sequence",
    "pack_sequence",
    "pad_packed_sequence",
    "pad_sequence",
    "unpack_sequence",
    "unpad_sequence",
]


class PackedSequence(NamedTuple):
    """Sequences from the longest to the shortest, without padding; recurrent layers take and give it.

    Attributes
    ----------
    data : array
        ``(steps of all, ...)``: the first step of all sequences, then the second of those that have one.
    batch_sizes : array
        ``(steps of the longest,)``: how many sequences have that step; int64, on the CPU.
    sorted_indices : array or None
        ``(N,)``: the place of each sequence in the batch that was packed; None where they were in this order.
    unsorted_indices : array or None
        ``(N,)``: the place here of each sequence of the batch.
    """

    data: Any
    batch_sizes: Any
    sorted_indices: Any = None
    unsorted_indices: Any = None

    def to(self, device: Any) -> PackedSequence:
        """The same on a device, but for ``batch_sizes``, which stay on the CPU."""
        data, order, back = (
            None if one is None else one.as_in_context(device)
            for one in (self.data, self.sorted_indices, self.unsorted_indices)
        )
        return PackedSequence(data, self.batch_sizes, order, back)

    def back(self) -> Any:
        """``unsorted_indices``, or what ``sorted_indices`` say of them where only these were given."""
        if self.unsorted_indices is not None or self.sorted_indices is None:
            return self.unsorted_indices
        places = onp.argsort(_numbers("PackedSequence", "sorted_indices", self.sorted_indices))
        return np.array(places, dtype="int64", ctx=self.data.context)

    def lengths(self) -> onp.ndarray:
        """How long each sequence is, from the longest on."""
        sizes = _numbers("PackedSequence", "batch_sizes", self.batch_sizes)
        counts = onp.arange(sizes[0] if sizes.size else 0)
        if not sizes.size or sizes[-1] < 1 or (onp.diff(sizes) > 0).any() or sizes.sum() != len(self.data):
            raise InvalidArgumentError(
                f"[PackedSequence] batch_sizes are {sizes.tolist()!r:.60} of {len(self.data)} steps; "
                "expected numbers of at least 1 that do not grow, and so many in all"
            )
        return onp.asarray((sizes[:, None] > counts).sum(axis=0))

    def batch(self, padding_value: float = 0.0, steps: Optional[int] = None) -> Any:
        """The sequences in their order here, padded: ``(steps, N, ...)``."""
        lengths = self.lengths()
        count = len(lengths)
        end = len(self.data)
        steps = int(lengths[0]) if steps is None else steps
        there = onp.arange(steps)[:, None] < lengths
        places = onp.full((steps, count), end)
        places[there] = onp.arange(end)
        rest = self.data.shape[1:]
        row = np.full((1, *rest), padding_value, dtype=self.data.dtype, ctx=self.data.context)
        return _rows(np.concatenate([self.data, row]), places.reshape(-1)).reshape((steps, count, *rest))

    def like(self, batch: Any) -> PackedSequence:
        """Others of the same lengths, from ``(steps, N, ...)``, in the order here."""
        return self._replace(data=_packed(batch, self.lengths()))


def _numbers(who: str, name: str, values: Any) -> onp.ndarray:
    """Whole numbers on one axis."""
    found = onp.asarray(values.asnumpy() if isinstance(values, NDArray) else values)
    if found.ndim != 1 or (found.dtype.kind not in "iu" and not (found == onp.floor(found)).all()):
        raise InvalidArgumentError(f"[{who}] {name} is {values!r:.60}; expected whole numbers on one axis")
    return found.astype("int64")


def _rows(array: Any, places: onp.ndarray, axis: int = 0) -> Any:
    return np.take(array, np.array(places, dtype="int64", ctx=array.context), axis=axis)


def _packed(batch: Any, lengths: onp.ndarray) -> Any:
    """The steps that count of ``(steps, N, ...)``."""
    steps, count = batch.shape[:2]
    there = onp.arange(steps)[:, None] < lengths
    return _rows(batch.reshape((steps * count, *batch.shape[2:])), onp.flatnonzero(there))


def _listed(who: str, sequences: Any) -> list[Any]:
    """Arrays that differ in the first extent alone."""
    if not isinstance(sequences, Iterable) or isinstance(sequences, (str, dict)):
        raise TypeError(f"[{who}] got a {type(sequences).__name__}; expected a list of arrays")
    found = list(sequences)
    if not found:
        raise InvalidArgumentError(f"[{who}] got no sequences; expected one at least")
    for one in found:
        if not isinstance(one, NDArray):
            raise TypeError(f"[{who}] got a {type(one).__name__} in the list; expected arrays")
        if one.ndim < 1 or one.shape[1:] != found[0].shape[1:]:
            raise ShapeError(
                f"[{who}] sequences have the shapes {[one.shape for one in found]!r:.80}; expected "
                "shapes that differ in the first extent alone"
            )
        if one.dtype != found[0].dtype:
            raise DTypeError(f"[{who}] got {found[0].dtype} and {one.dtype}; expected one dtype")
    return found


def pad_sequence(
    sequences: Iterable[Any],
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Any:
    """Sequences ``(L, ...)`` of several lengths as one array ``(L of the longest, N, ...)``.

    Parameters
    ----------
    sequences : list of array
        Of one dtype; gradients flow through.
    batch_first : bool
        Give ``(N, L, ...)``.
    padding_value : float
        What is added to the shorter ones.
    padding_side : {'right', 'left'}
        Where.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.utils.rnn.pad_sequence([np.array([1, 2, 3]), np.array([4])], batch_first=True)
    array([[1., 2., 3.],
           [4., 0., 0.]])
    """
    found = _listed("pad_sequence", sequences)
    if padding_side not in ("right", "left"):
        raise InvalidArgumentError(
            f"[pad_sequence] padding_side is {padding_side!r}; expected 'right' or 'left'"
        )
    most = max(len(one) for one in found)
    rows = []
    for one in found:
        shape = (most - len(one), *one.shape[1:])
        more = np.full(shape, padding_value, dtype=one.dtype, ctx=one.context)
        rows.append(np.concatenate([one, more] if padding_side == "right" else [more, one]))
    return np.stack(rows, axis=0 if batch_first else 1)


def unpad_sequence(padded_sequences: Any, lengths: Any, batch_first: bool = False) -> list[Any]:
    """The sequences that :func:`pad_sequence` has padded on the right.

    Parameters
    ----------
    padded_sequences : array
        ``(L, N, ...)``, or ``(N, L, ...)`` with ``batch_first``.
    lengths : array or list of int
        ``(N,)``.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.utils.rnn.unpad_sequence(np.array([[1, 4], [2, 0]]), [2, 1])
    [array([1., 2.]), array([4.])]
    """
    batch = _batch("unpad_sequence", padded_sequences, batch_first)
    found = _lengths("unpad_sequence", lengths, batch, least=0)
    return [batch[:length, place] for place, length in enumerate(found.tolist())]


def _batch(who: str, padded: Any, batch_first: bool) -> Any:
    """``(L, N, ...)``."""
    if not isinstance(padded, NDArray) or padded.ndim < 2:
        what = f"the shape {padded.shape}" if isinstance(padded, NDArray) else f"a {type(padded).__name__}"
        raise ShapeError(f"[{who}] got {what}; expected an array of two axes or more, steps and batch")
    return padded.swapaxes(0, 1) if batch_first else padded


def _lengths(who: str, lengths: Any, batch: Any, least: int) -> onp.ndarray:
    found = _numbers(who, "lengths", lengths)
    steps, count = batch.shape[:2]
    if least and not count:
        raise InvalidArgumentError(f"[{who}] got a batch of no sequences; expected one at least")
    if len(found) != count or (found < least).any() or (found > steps).any():
        raise InvalidArgumentError(
            f"[{who}] lengths are {found.tolist()!r:.60}; expected {count} numbers from {least} to {steps}"
        )
    return found


def pack_padded_sequence(
    input: Any, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Pack sequences that are padded on the right.

    Parameters
    ----------
    input : array
        ``(L, N, ...)``, or ``(N, L, ...)`` with ``batch_first``.
    lengths : array or list of int
        ``(N,)``, of at least 1.
    enforce_sorted : bool
        Whether the longest has to be first, and so on; otherwise they are sorted here.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> x = np.array([[1, 4], [2, 0]])
    >>> packed = nn.utils.rnn.pack_padded_sequence(x, [2, 1])
    >>> packed.data, packed.batch_sizes
    (array([1., 4., 2.]), array([2, 1], dtype=int64))
    """
    who = "pack_padded_sequence"
    batch = _batch(who, input, batch_first)
    found = _lengths(who, lengths, batch, least=1)
    order = back = None
    if not enforce_sorted:
        places = onp.argsort(-found, kind="stable")
        order, back = (
            np.array(one, dtype="int64", ctx=batch.context) for one in (places, onp.argsort(places))
        )
        found, batch = found[places], np.take(batch, order, axis=1)
    elif (onp.diff(found) > 0).any():
        raise InvalidArgumentError(
            f"[{who}] lengths are {found.tolist()!r:.60}; expected the longest first, or enforce_sorted=False"
        )
    sizes = (onp.arange(found[0])[:, None] < found).sum(axis=1)
    return PackedSequence(_packed(batch, found), np.array(sizes, dtype="int64"), order, back)


def pack_sequence(sequences: Sequence[Any], enforce_sorted: bool = True) -> PackedSequence:
    """Pack sequences ``(L, ...)`` of several lengths.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> packed = nn.utils.rnn.pack_sequence([np.ones((3, 2)), np.ones((1, 2))])
    >>> output, h = nn.GRU(2, 4)(packed)
    >>> output.data.shape, h.shape
    ((4, 4), (1, 2, 4))
    """
    found = _listed("pack_sequence", sequences)
    return pack_padded_sequence(
        pad_sequence(found), [len(one) for one in found], enforce_sorted=enforce_sorted
    )


def pad_packed_sequence(
    sequence: PackedSequence,
    batch_first: bool = False,
    padding_value: float = 0.0,
    total_length: Optional[int] = None,
) -> tuple[Any, Any]:
    """Undo :func:`pack_padded_sequence`.

    Parameters
    ----------
    sequence : PackedSequence
    batch_first : bool
        Give ``(N, L, ...)``.
    padding_value : float
        What is added to the shorter ones.
    total_length : int, optional
        How long all become; as the longest, by default.

    Returns
    -------
    tuple
        The sequences in the order in which they were packed, and their lengths, of int64 on the CPU.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> packed = nn.utils.rnn.pack_sequence([np.array([4]), np.array([1, 2])], enforce_sorted=False)
    >>> nn.utils.rnn.pad_packed_sequence(packed, batch_first=True)
    (array([[4., 0.],
           [1., 2.]]), array([1, 2], dtype=int64))
    """
    who = "pad_packed_sequence"
    if not isinstance(sequence, PackedSequence):
        raise TypeError(f"[{who}] got a {type(sequence).__name__}; expected a PackedSequence")
    lengths = sequence.lengths()
    if total_length is not None and total_length < lengths[0]:
        raise InvalidArgumentError(
            f"[{who}] total_length is {total_length} and the longest sequence {lengths[0]}; expected as much"
        )
    batch = sequence.batch(padding_value, total_length)
    back = sequence.back()
    if back is not None:
        batch = np.take(batch, back, axis=1)
        lengths = lengths[back.asnumpy()]
    return batch.swapaxes(0, 1) if batch_first else batch, np.array(lengths, dtype="int64")


def unpack_sequence(packed_sequences: PackedSequence) -> list[Any]:
    """Undo :func:`pack_sequence`.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.utils.rnn.unpack_sequence(nn.utils.rnn.pack_sequence([np.array([1, 2]), np.array([4])]))
    [array([1., 2.]), array([4.])]
    """
    return unpad_sequence(*pad_packed_sequence(packed_sequences))
