"""Arrays in place of iterators: what ``fit`` and ``score`` make of them."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any, Callable, TypeVar, cast

import numpy as np

from ..io import DataBatch, DataIter, NDArrayIter
from ..ndarray import NDArray

__all__ = ["batches_of", "is_array", "labels_second"]

# Examples per batch, as FeedForward has it.
_BATCH = 128


class _AllRows(NDArrayIter):
    """Every example once: the last batch may be shorter."""

    def next(self) -> DataBatch:
        if not self.iter_next():
            raise StopIteration
        return DataBatch(self.getdata(), self.getlabel(), 0, None)


def is_array(value: Any) -> bool:
    """Whether a value is an array, lists of numbers, or arrays by name, rather than an iterator."""
    if isinstance(value, Mapping):
        return bool(value) and all(is_array(one) for one in value.values())
    if isinstance(value, list):
        return _begins_with_a_number(value)
    return hasattr(value, "__array__") and not hasattr(value, "provide_data")


Score = TypeVar("Score", bound=Callable[..., Any])


def labels_second(score: Score) -> Score:
    """Lets ``score(X, y)`` take labels as its second argument, and the metric as its third or by name."""

    @functools.wraps(score)
    def scoring(self: Any, *args: Any, **options: Any) -> Any:
        if len(args) > 1 and is_array(args[0]) and is_array(args[1]):
            examples, labels, *rest = args
            if rest and (rest[0] is None or isinstance(rest[0], (int, np.integer))):  # num_batch
                rest.insert(0, "acc")
            args = ((examples, labels), *rest)
        return score(self, *args, **options)

    return cast(Score, scoring)


def _begins_with_a_number(value: Any) -> bool:
    for _ in range(32):
        if not isinstance(value, (list, tuple)) or not value:
            break
        value = value[0]
    return isinstance(value, (int, float, np.number))


def _plain(who: str, what: str, value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _plain(who, what, one) for name, one in value.items()}
    if isinstance(value, (NDArray, np.ndarray)):
        return value
    try:
        return np.asarray(value)
    except ValueError as error:
        raise ValueError(f"[{who}] {what} is no array: {error}; expected lists of one length each") from None


def batches_of(
    who: str, what: str, data: Any, labels: Any, names: Sequence[Sequence[str]], train: bool
) -> DataIter:
    """An iterator over arrays, in batches of at most 128; in random order for training.

    Parameters
    ----------
    who, what : str
        The function and its argument, for messages.
    data, labels : array, or dict of arrays by name
        Examples and their labels.
    names : two lists of str
        Names of data and labels, where arrays come without.
    train : bool
        Whether a last batch that is not full begins the next pass, instead of being shorter.
    """
    if not is_array(labels):
        raise TypeError(
            f"[{who}] {what} is an array and its labels are {type(labels).__name__}; expected "
            f"{who.split('.')[-1]}(X, y), or an iterator such as mx.io.NDArrayIter"
        )
    examples = _plain(who, what, data)
    first = next(iter(examples.values())) if isinstance(examples, Mapping) else examples
    kind = NDArrayIter if train else _AllRows
    return kind(
        examples,
        _plain(who, f"labels of {what}", labels),
        max(1, min(_BATCH, int(first.shape[0]) if len(first.shape) else 1)),
        shuffle=train,
        last_batch_handle="roll_over" if train else "discard",
        data_name=names[0][0] if names[0] else "data",
        label_name=names[1][0] if names[1] else "softmax_label",
    )
