"""Sentences as numbers, and batches of sentences of like length."""

from __future__ import annotations

import bisect
import logging
import random
from collections.abc import Iterable, Sequence
from typing import Any, Optional

import numpy as np

from .. import ndarray as nd
from .._progress import warn
from ..base import DTypeError, InvalidArgumentError, RefusedValueError
from ..io import DataBatch, DataDesc, DataIter
from ..io.base import checked_batch_size, checked_text, refuse_unknown
from ..io.state import checked_state, order_from, order_text, state_count

__all__ = ["BucketSentenceIter", "encode_sentences"]


def encode_sentences(
    sentences: Iterable[Iterable[str]],
    vocab: Optional[dict[str, int]] = None,
    invalid_label: int = -1,
    invalid_key: str = "\n",
    start_label: int = 0,
    unknown_token: Optional[str] = None,
) -> tuple[list[list[int]], dict[str, int]]:
    """Turn words into numbers.

    Parameters
    ----------
    sentences : iterable of iterables of str
        Words of every sentence.
    vocab : dict of str to int, optional
        Numbers of known words; None makes them.
    invalid_label : int
        Number of ``invalid_key``, which fills sentences up.
    invalid_key : str
        Word for no word, in a new vocabulary.
    start_label : int
        First number of a new vocabulary.
    unknown_token : str, optional
        Stands for words that ``vocab`` lacks; without it they are an error.

    Returns
    -------
    encoded : list of list of int
        The sentences.
    vocab : dict of str to int
        Numbers of all words.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.rnn.encode_sentences([["a", "b"], ["b"]], invalid_label=0, start_label=1)
    ([[1, 2], [2]], {'\\n': 0, 'a': 1, 'b': 2})
    """
    grows = vocab is None
    known = {invalid_key: invalid_label} if vocab is None else vocab
    number = start_label
    encoded = []
    for sentence in sentences:
        line = []
        for word in sentence:
            if word not in known:
                if not grows and not unknown_token:
                    raise RefusedValueError(
                        f"[encode_sentences] the word {word!r} is not in the vocabulary of {len(known)}; "
                        "name an unknown_token for such words"
                    )
                word = unknown_token or word
                if word not in known:
                    number += number == invalid_label
                    known[word] = number
                    number += 1
            line.append(known[word])
        encoded.append(line)
    return encoded, known


def _dtype(dtype: Any) -> Any:
    """A dtype as it was given, once it is one."""
    try:
        np.dtype(dtype)
    except (TypeError, ValueError):
        raise DTypeError(
            f"[BucketSentenceIter] dtype is {dtype!r:.60}; expected the name of a dtype"
        ) from None
    return dtype


def _rows(sentences: Any) -> Sequence[Sequence[int]]:
    """Sentences, each a sequence of numbers."""
    if isinstance(sentences, (str, bytes)) or not hasattr(sentences, "__iter__"):
        raise TypeError(
            f"[BucketSentenceIter] sentences is {type(sentences).__name__}; expected a list of lists of "
            "numbers"
        )
    rows = sentences if hasattr(sentences, "__len__") else list(sentences)
    for number, row in enumerate(rows):
        if isinstance(row, (str, bytes)) or not hasattr(row, "__len__"):
            raise TypeError(
                f"[BucketSentenceIter] sentence {number} is {type(row).__name__}: {row!r:.60}; expected "
                "numbers of words, as encode_sentences gives them"
            )
    return rows


def _lengths(buckets: Any) -> Optional[list[int]]:
    """Lengths of buckets; None and an empty list: those that fill a batch."""
    if buckets is None:
        return None
    if isinstance(buckets, (str, bytes)) or not hasattr(buckets, "__iter__"):
        raise TypeError(f"[BucketSentenceIter] buckets is {buckets!r:.60}; expected a list of lengths")
    lengths = list(buckets)
    for length in lengths:
        if not isinstance(length, (int, np.integer)) or length < 0:
            raise InvalidArgumentError(
                f"[BucketSentenceIter] buckets holds {length!r:.60}; expected lengths of sentences"
            )
    return lengths


class BucketSentenceIter(DataIter):
    """Batches for language models: sentences of like length, and for every word the next one as label.

    A sentence goes into the smallest bucket it fits and is filled up with ``invalid_label``; longer ones than
    the largest bucket, and what fills no batch, are left out. Every pass is in another order (Python's and
    NumPy's generators).

    Parameters
    ----------
    sentences : sequence of sequences of int
        Numbers of words, as :func:`encode_sentences` makes them.
    batch_size : int
        Sentences per batch.
    buckets : sequence of int, optional
        Lengths; by default those that fill a batch.
    invalid_label : int
        Fills sentences up and follows the last word.
    data_name, label_name : str
        Names of the variables.
    dtype : dtype
        Of data and labels.
    layout : {'NT', 'TN'}
        Whether sentences are rows or columns.

    Examples
    --------
    >>> import mixgrad as mx
    >>> batches = mx.rnn.BucketSentenceIter([[1, 2, 3], [4, 5], [6, 7, 8]], batch_size=1, buckets=[2, 3])
    >>> batches.default_bucket_key, sorted(batch.bucket_key for batch in batches)
    (3, [2, 3, 3])
    """

    def __init__(
        self,
        sentences: Sequence[Sequence[int]],
        batch_size: int,
        buckets: Optional[Sequence[int]] = None,
        invalid_label: int = -1,
        data_name: str = "data",
        label_name: str = "softmax_label",
        dtype: Any = "float32",
        layout: str = "NT",
        **unknown: Any,
    ) -> None:
        who = "BucketSentenceIter"
        refuse_unknown(BucketSentenceIter, unknown)
        super().__init__(checked_batch_size(batch_size, 0, who))
        checked_text(layout, who, "layout", ("NT", "TN"))
        for what, text in (("data_name", data_name), ("label_name", label_name)):
            checked_text(text, who, what)
        dtype = _dtype(dtype)
        sentences, buckets = _rows(sentences), _lengths(buckets)
        if not isinstance(invalid_label, (int, float, np.generic)):
            raise TypeError(
                f"[{who}] invalid_label is {type(invalid_label).__name__}: {invalid_label!r:.60}; expected a "
                "number"
            )
        if not buckets:
            lengths = np.bincount([len(sentence) for sentence in sentences])
            buckets = [length for length, count in enumerate(lengths) if count >= batch_size]
        try:
            filling = np.asarray(invalid_label, dtype)
        except (TypeError, ValueError, OverflowError):
            raise TypeError(
                f"[{who}] invalid_label is {invalid_label!r:.60}, which {dtype} does not hold"
            ) from None
        rows: dict[int, list[Any]] = {length: [] for length in sorted(buckets)}
        lengths_known = list(rows)
        left_out = 0
        for sentence in sentences:
            place = bisect.bisect_left(lengths_known, len(sentence))
            if place == len(lengths_known):
                left_out += 1
                continue
            row = np.full((lengths_known[place],), filling, dtype=dtype)
            try:
                row[: len(sentence)] = sentence
            except (TypeError, ValueError, OverflowError):
                raise TypeError(
                    f"[{who}] a sentence is {sentence!r:.60}; expected numbers of words, as encode_sentences "
                    "gives them"
                ) from None
            rows[lengths_known[place]].append(row)
        if left_out:
            warn(logging, "%d sentences are longer than the largest bucket and are left out", left_out)
        self.buckets = [length for length, members in rows.items() if members]
        if not self.buckets:
            raise ValueError(
                f"[BucketSentenceIter] none of {len(sentences)} sentences fits buckets {lengths_known}; "
                f"without buckets a length needs {batch_size} sentences"
            )
        self.data = [np.asarray(members, dtype=dtype) for members in rows.values() if members]
        self.data_name, self.label_name = data_name, label_name
        self.dtype, self.invalid_label, self.layout = dtype, invalid_label, layout
        self.major_axis = layout.index("N")
        self.default_bucket_key = max(self.buckets)
        whole = self._shape(self.default_bucket_key)
        self.provide_data = [self._desc(data_name, whole)]
        self.provide_label = [self._desc(label_name, whole)]
        self.nddata: list[Any] = []
        self.ndlabel: list[Any] = []
        self.idx = [
            (bucket, begin)
            for bucket, members in enumerate(self.data)
            for begin in range(0, len(members) - batch_size + 1, batch_size)
        ]
        self.curr_idx = 0
        self._places = list(self.idx)  # of the batches, in the order of the sentences
        self._orders = [np.arange(len(rows)) for rows in self.data]  # of the sentences of each bucket
        self._texts: Optional[tuple[str, list[str]]] = None  # of both orders, once asked for in this pass
        self.reset()

    def _shape(self, length: int) -> tuple[int, int]:
        return (self.batch_size, length) if self.major_axis == 0 else (length, self.batch_size)

    def _desc(self, name: str, shape: tuple[int, ...]) -> DataDesc:
        return DataDesc(name, shape, self.dtype, layout=self.layout)

    def reset(self) -> None:
        """Start the next pass, in another order."""
        self.curr_idx = 0
        random.shuffle(self.idx)
        orders = []
        for order in self._orders:
            again = order.copy()
            np.random.shuffle(again)  # noqa: NPY002
            orders.append(again)
        self._put_into(orders)

    def _put_into(self, orders: list[Any]) -> None:
        """Puts the sentences of each bucket into another order, and makes the arrays of batches."""
        self.nddata, self.ndlabel = [], []
        for bucket, (old, new) in enumerate(zip(self._orders, orders)):
            places = np.empty_like(old)
            places[old] = np.arange(len(old))
            rows = self.data[bucket] = self.data[bucket][places[new]]
            labels = np.full_like(rows, self.invalid_label)
            labels[:, :-1] = rows[:, 1:]
            self.nddata.append(nd.array(rows, dtype=self.dtype))
            self.ndlabel.append(nd.array(labels, dtype=self.dtype))
        self._orders, self._texts = orders, None

    def state_dict(self) -> dict[str, Any]:
        """Return where the iterator stands, with the order of this pass as text.

        The orders of later passes come from Python's and NumPy's generators, whose states the program keeps.
        """
        if self._texts is None:
            number = {place: i for i, place in enumerate(self._places)}
            batches = np.array([number[place] for place in self.idx], np.int64)
            self._texts = order_text(batches), [order_text(order) for order in self._orders]
        return {
            "iterator": "BucketSentenceIter",
            "batch_size": self.batch_size,
            "buckets": list(self.buckets),
            "sentences": [len(rows) for rows in self.data],
            "curr_idx": self.curr_idx,
            "batches": self._texts[0],
            "orders": self._texts[1],
        }

    def load_state_dict(self, state: Any) -> None:
        """Go to where another iterator over the same sentences stood."""
        who = "BucketSentenceIter"
        same = {
            "batch_size": self.batch_size,
            "buckets": list(self.buckets),
            "sentences": [len(rows) for rows in self.data],
        }
        state = checked_state(state, who, same)
        curr_idx = state_count(state, "curr_idx", who, 0, len(self._places))
        batches = order_from(state, "batches", who, len(self._places))
        texts = state.get("orders")
        listed = dict(enumerate(texts)) if isinstance(texts, list) else {}
        orders = [order_from(listed, i, who, len(rows)) for i, rows in enumerate(self.data)]
        self._put_into(orders)
        self.idx = [self._places[number] for number in batches]
        self.curr_idx = curr_idx

    def next(self) -> DataBatch:
        """Return the next batch; ``bucket_key`` is its length."""
        if self.curr_idx == len(self.idx):
            raise StopIteration
        bucket, begin = self.idx[self.curr_idx]
        self.curr_idx += 1
        data, label = (
            source[bucket][begin : begin + self.batch_size] for source in (self.nddata, self.ndlabel)
        )
        if self.major_axis == 1:
            data, label = data.T, label.T
        return DataBatch(
            [data],
            [label],
            pad=0,
            bucket_key=self.buckets[bucket],
            provide_data=[self._desc(self.data_name, data.shape)],
            provide_label=[self._desc(self.label_name, label.shape)],
        )
