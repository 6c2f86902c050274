"""Batches of pictures for classification."""

from __future__ import annotations

import logging
import os
import random
from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any, Optional, Union

import numpy as np

from .. import ndarray as nd
from .. import recordio
from .._files import read_file
from .._remote import read_uri
from .._uri import is_uri
from ..base import FileFormatError, InvalidArgumentError, ShapeError
from ..io import DataBatch, DataDesc, DataIter
from ..io.base import checked_batch_size, checked_switch, checked_text
from ..io.state import state_count
from ..ndarray import NDArray
from ..ndarray.pictures import decoded
from . import position
from .creation import CreateAugmenter
from .lists import LABEL_DTYPES, given_list, read_list

__all__ = ["ImageIter"]

Path = Union[str, "os.PathLike[str]"]
_LAST = ("pad", "discard", "roll_over")
_MOST_LABELS = 2**20  # numbers of a label


class ImageIter(DataIter):
    """Batches of pictures from record files, or from files of pictures that a list names.

    Augmenters run one picture after the other in Python; decoding overlaps.
    :class:`mixgrad.io.ImageRecordIter` is faster where its augmenters serve.

    Parameters
    ----------
    batch_size : int
        Pictures per batch.
    data_shape : tuple of int
        (3, height, width).
    label_width : int
        Numbers per label.
    path_imgrec : path or URI, optional
        A record file, as ``im2rec`` writes it.
    path_imglist : path, optional
        A list of pictures, as ``im2rec`` writes it: key, label and file per line, parted by tabs.
    path_root : path or URI, optional
        The folder that files of lists lie in.
    path_imgidx : path or URI, optional
        The record file's index, which parts and shuffling need.
    shuffle : bool
        Whether each pass has another order, drawn from Python's ``random``.
    part_index, num_parts : int
        Read one of several equal parts; pictures left over by the division are in none, as in MXNet.
    aug_list : list of Augmenter, optional
        What is done to each picture; ``CreateAugmenter(data_shape, **kwargs)`` without.
    imglist : list, optional
        ``[label, file]`` per picture, where the label is a number or a list of numbers.
    data_name, label_name : str
        Names of the two arrays.
    dtype : {'float32', 'float64', 'int32', 'int64'}
        What labels of lists are read as. Batches of labels are float32.
    last_batch_handle : {'pad', 'discard', 'roll_over'}
        Whether a last batch that is not full is filled from the start of the pass, left out, or kept for the
        next pass; ``pad`` of the batch counts what was filled in.
    damaged : {'raise', 'skip'}
        What to do with a picture that cannot be decoded: the error names it; or it is left out, counted by
        ``skipped``, and decoding does not overlap.
    kwargs
        For :func:`CreateAugmenter`.

    Attributes
    ----------
    seq : list
        The keys in the order of the pass; None where records are read one after the other.
    skipped : int
        Damaged pictures so far.

    Examples
    --------
    >>> import mixgrad as mx, os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> for i in range(3):
    ...     with open(os.path.join(folder, f"{i}.ppm"), "wb") as file:
    ...         _ = file.write(b"P6 6 5 255 " + bytes([i]) * 90)
    >>> listed = [[i, f"{i}.ppm"] for i in range(3)]
    >>> pictures = mx.image.ImageIter(2, (3, 4, 4), imglist=listed, path_root=folder)
    >>> [(batch.data[0].shape, batch.label[0].asnumpy().tolist(), batch.pad) for batch in pictures]
    [((2, 3, 4, 4), [0.0, 1.0], 0), ((2, 3, 4, 4), [2.0, 0.0], 1)]

    Follows MXNet's ``mx.image.ImageIter``.
    """

    def __init__(
        self,
        batch_size: int,
        data_shape: tuple[int, ...],
        label_width: int = 1,
        path_imgrec: Optional[Path] = None,
        path_imglist: Optional[Path] = None,
        path_root: Optional[Path] = None,
        path_imgidx: Optional[Path] = None,
        shuffle: bool = False,
        part_index: int = 0,
        num_parts: int = 1,
        aug_list: Optional[Sequence[Any]] = None,
        imglist: Optional[Sequence[Any]] = None,
        data_name: str = "data",
        label_name: str = "softmax_label",
        dtype: str = "float32",
        last_batch_handle: str = "pad",
        damaged: str = "raise",
        **kwargs: Any,
    ) -> None:
        who = type(self).__name__
        super().__init__(checked_batch_size(batch_size, 0, who))
        if path_imgrec is None and path_imglist is None and not isinstance(imglist, (list, tuple)):
            raise InvalidArgumentError(
                f"[{who}] no pictures are named; expected path_imgrec, path_imglist, or a list as imglist"
            )
        try:
            name = np.dtype(dtype).name
        except (TypeError, ValueError):
            name = ""
        if name not in LABEL_DTYPES:
            raise InvalidArgumentError(f"[{who}] dtype is {dtype!r:.60}; expected {', '.join(LABEL_DTYPES)}")
        for what, value, known in (
            ("last_batch_handle", last_batch_handle, _LAST),
            ("damaged", damaged, ("raise", "skip")),
        ):
            if not isinstance(value, str) or value not in known:
                raise InvalidArgumentError(f"[{who}] {what} is {value!r:.60}; expected {' or '.join(known)}")
        for what, number, least, most in (
            ("label_width", label_width, 1, _MOST_LABELS),
            ("part_index", part_index, 0, 2**62),
            ("num_parts", num_parts, 1, 2**62),
        ):
            if not isinstance(number, Integral) or not least <= number <= most:
                at_most = f" and at most {most}" if what == "label_width" else ""
                raise InvalidArgumentError(
                    f"[{who}] {what} is {number!r:.60}; expected a whole number of at least {least}{at_most}"
                )
        for what, text in (("data_name", data_name), ("label_name", label_name)):
            checked_text(text, who, what)
        if not isinstance(path_root, (str, os.PathLike, type(None))):
            raise TypeError(f"[{who}] path_root is {path_root!r:.60}; expected a path")
        if aug_list is not None and not (
            isinstance(aug_list, (list, tuple)) and all(callable(one) for one in aug_list)
        ):
            raise TypeError(f"[{who}] aug_list is {aug_list!r:.60}; expected a list of augmenters")
        self.check_data_shape(data_shape)
        data_shape = tuple(data_shape)
        self.path_root = path_root
        self.shuffle = checked_switch(shuffle, who, "shuffle")
        self.imgrec: Any = None
        self.imgidx: Optional[list[Any]] = None
        if path_imgrec is not None:
            if path_imgidx is not None:
                self.imgrec = recordio.MXIndexedRecordIO(path_imgidx, path_imgrec, "r")
                self.imgidx = list(self.imgrec.keys)
            else:
                self.imgrec = recordio.MXRecordIO(path_imgrec, "r")
        self.imglist: Optional[dict[Any, Any]] = None
        keys: Optional[list[Any]] = None
        if path_imglist is not None:
            self.imglist, keys = read_list(path_imglist, dtype, who)
        elif isinstance(imglist, (list, tuple)):
            self.imglist, keys = given_list(imglist, dtype, who)
        self.seq: Optional[list[Any]] = keys if self.imgrec is None else self.imgidx
        if self.seq is None and (shuffle or num_parts > 1):
            raise InvalidArgumentError(f"[{who}] shuffle and num_parts need the index: path_imgidx")
        if not 0 <= part_index < num_parts:
            raise InvalidArgumentError(f"[{who}] part_index={part_index} of num_parts={num_parts}")
        if self.seq is not None and num_parts > 1:
            size = len(self.seq) // num_parts
            self.seq = self.seq[part_index * size : (part_index + 1) * size]
        self.num_image = None if self.seq is None else len(self.seq)
        self.data_shape = data_shape
        self.label_width = label_width
        self.last_batch_handle = last_batch_handle
        self.damaged = damaged
        self.skipped = 0
        label_shape = (self.batch_size, label_width) if label_width > 1 else (self.batch_size,)
        self.provide_data = [DataDesc(data_name, (self.batch_size, *data_shape))]
        self.provide_label = [DataDesc(label_name, label_shape)]
        self.auglist = list(self._usual_augmenters(**kwargs) if aug_list is None else aug_list)
        self._members = position.members(self.auglist)
        self.cur = 0  # samples of this pass that were read
        self._reads = True  # False behind a last batch that was filled
        self._kept: Optional[tuple[NDArray, NDArray, int]] = (
            None  # of the last pass: a batch and how full it is
        )
        self.reset()

    def _usual_augmenters(self, **kwargs: Any) -> Sequence[Any]:
        return CreateAugmenter(self.data_shape, **kwargs)

    def reset(self) -> None:
        """Start the next pass, in another order where ``shuffle`` is set."""
        if self.seq is not None and self.shuffle:
            random.shuffle(self.seq)
        if self.last_batch_handle != "roll_over" or self._kept is None:
            self._rewind()
            self._reads = True

    def hard_reset(self) -> None:
        """Start the next pass without what the last one kept for it."""
        self._kept = None
        self.reset()

    def _rewind(self) -> None:
        if self.imgrec is not None:
            self.imgrec.reset()
        self.cur = 0

    def next_sample(self) -> tuple[Any, Any]:
        """Return label and encoded bytes of the next picture; ``StopIteration`` at the end of the pass."""
        if not self._reads:
            raise StopIteration
        sample = self._sample()
        if sample is None:
            if self.last_batch_handle != "discard":
                self._rewind()
            raise StopIteration
        self.cur += 1
        return sample

    def _sample(self) -> Optional[tuple[Any, Any]]:
        if self.seq is None:
            record = self.imgrec.read()
            if record is None:
                return None
            header, content = recordio.unpack(record)
            return header.label, content
        if self.cur >= len(self.seq):
            return None
        key = self.seq[self.cur]
        if self.imgrec is None:
            label, file = self._listed(key)
            return label, self.read_image(file)
        header, content = recordio.unpack(self.imgrec.read_idx(key))
        if self.imglist is None:
            return header.label, content
        return self._listed(key)[0], content

    def _listed(self, key: Any) -> tuple[Any, str]:
        """Label and file of the list's picture with this key."""
        found: Optional[tuple[Any, str]] = (self.imglist or {}).get(key)
        if found is None:
            raise FileFormatError(f"[{type(self).__name__}] the list has no key {key!r}, which the index has")
        return found

    def _place(self) -> str:
        """What messages call the picture that was read last."""
        if self.seq is None:
            return f"record {self.cur - 1}"
        key = self.seq[self.cur - 1]
        return f"record {key}" if self.imgrec is not None else repr(self._listed(key)[1])

    def next(self) -> DataBatch:
        """Return the next batch; ``StopIteration`` at the end of the pass."""
        if self._kept is not None:
            data, label, kept = self._kept
            self._kept = None
        else:
            data, label, kept = *self._empty_batch(), 0
        full = self._batchify(data, label, kept)
        pad = self.batch_size - kept if kept else 0
        if full < self.batch_size:
            if full == 0 or self.last_batch_handle == "discard":
                raise StopIteration
            if self.last_batch_handle == "roll_over":
                self._kept = data, label, full
                raise StopIteration
            pad = self.batch_size - full
            while full < self.batch_size:
                before, full = full, self._batchify(data, label, full)
                if full == before:
                    raise InvalidArgumentError(
                        f"[{type(self).__name__}] no picture of the second pass can fill the last batch"
                    )
            self._reads = False
        return DataBatch([data], [label], pad=pad)

    def _empty_batch(self) -> tuple[NDArray, NDArray]:
        return nd.zeros(self.provide_data[0].shape), nd.zeros(self.provide_label[0].shape)

    def _batchify(self, batch_data: NDArray, batch_label: NDArray, start: int = 0) -> int:
        """Fill a batch from ``start`` on; return how full it is, not quite at the end of a pass."""
        at = start
        while at < self.batch_size:
            try:
                label, content = self.next_sample()
            except StopIteration:
                break
            picture = self._checked(content)
            if picture is None:
                continue
            self._put(batch_data, at, self.postprocess_data(self.augmentation_transform(picture)))
            self._put_label(batch_label, at, label)
            at += 1
        return at

    def _checked(self, content: Any) -> Optional[NDArray]:
        """The decoded picture, or None for one that is left out."""
        try:
            picture = self.imdecode(content)
            if self.damaged == "skip":
                picture.wait_to_read()
        except FileFormatError as error:
            if self.damaged != "skip":
                raise
            if not self.skipped:
                logging.getLogger(__name__).warning("[%s] skipped: %s", type(self).__name__, error)
            self.skipped += 1
            return None
        try:
            self.check_valid_image([picture])
        except RuntimeError as error:
            logging.getLogger(__name__).debug("[%s] skipped: %s", type(self).__name__, error)
            return None
        return picture

    def _put(self, batch: NDArray, at: int, datum: NDArray) -> None:
        if datum.shape != self.data_shape:
            raise ShapeError(
                f"[{type(self).__name__}] {self._place()} became {datum.shape}; data_shape is "
                f"{self.data_shape}: the augmenters give another size"
            )
        batch[at] = datum

    def _put_label(self, batch: NDArray, at: int, label: Any) -> None:
        numbers = np.asarray(label.asnumpy() if isinstance(label, NDArray) else label, np.float32).reshape(-1)
        if len(numbers) not in (1, self.label_width):
            raise ShapeError(
                f"[{type(self).__name__}] {self._place()} has {len(numbers)} numbers as its label; "
                f"label_width is {self.label_width}"
            )
        batch[at] = numbers if self.label_width > 1 and len(numbers) > 1 else float(numbers[0])

    def check_data_shape(self, data_shape: Sequence[int]) -> None:
        """Refuse shapes that are not (3, height, width)."""
        who = type(self).__name__
        if not isinstance(data_shape, (tuple, list)) or not all(
            isinstance(extent, (int, np.integer)) and extent > 0 for extent in data_shape
        ):
            raise InvalidArgumentError(
                f"[{who}] data_shape is {data_shape!r:.60}; expected (channels, height, width) of at least 1"
            )
        if len(data_shape) != 3:
            raise InvalidArgumentError(
                f"[{who}] data_shape is {tuple(data_shape)}; expected (channels, height, width)"
            )
        if data_shape[0] != 3:
            raise InvalidArgumentError(f"[{who}] data_shape is {tuple(data_shape)}; expected 3 channels")

    def check_valid_image(self, data: Sequence[NDArray]) -> None:
        """Refuse pictures without axes; whatever raises ``RuntimeError`` here leaves the picture out."""
        if len(data[0].shape) == 0:
            raise ShapeError(
                f"[{type(self).__name__}] a picture has shape (); expected (height, width, channels)"
            )

    def imdecode(self, s: Any) -> NDArray:
        """Decode the bytes of a picture; errors name it."""
        return decoded(s, 1, 1, None, type(self).__name__, self._place())

    def read_image(self, fname: str) -> bytes:
        """Return the content of a file of ``path_root``."""
        path = os.path.join(os.fspath(self.path_root or ""), fname)
        return read_uri(path, type(self).__name__) if is_uri(path) else read_file(path, type(self).__name__)

    def augmentation_transform(self, data: NDArray) -> NDArray:
        """Apply the augmenters to a picture (height, width, channels)."""
        for augmenter in self.auglist:
            data = augmenter(data)
        return data

    def postprocess_data(self, datum: NDArray) -> NDArray:
        """Bring the channels of a picture to the front."""
        planes: NDArray = nd.transpose(datum, axes=(2, 0, 1))
        return planes

    def state_dict(self) -> dict[str, Any]:
        """Return where the iterator is, in plain numbers and strings; the next batch follows from it.

        Random numbers of Python and NumPy, which augmenters draw, are part of it.
        """
        kept = self._kept and [*(position.text_of(part) for part in self._kept[:2]), self._kept[2]]
        return {
            **self._same(),
            "cur": self.cur,
            "seq": None if self.seq is None else list(self.seq),
            "reads": self._reads,
            "kept": kept,
            "skipped": self.skipped,
            **position.random_state(self._members),
        }

    def _same(self) -> dict[str, Any]:
        """What a state must have in common with the iterator that takes it, beside its pictures."""
        return {
            "iterator": type(self).__name__,
            "batch_size": self.batch_size,
            "shuffle": self.shuffle,
            "last_batch_handle": self.last_batch_handle,
            "indexed": self.seq is not None,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go to where ``state_dict`` was taken, of an iterator that was made alike."""
        who = type(self).__name__
        names = self.state_dict().keys()
        if not isinstance(state, Mapping) or set(names) - set(state):
            raise InvalidArgumentError(
                f"[{who}] the state is {state!r:.60}; expected what state_dict() gave: {', '.join(names)}"
            )
        for name, value in self._same().items():
            if state[name] != value:
                raise InvalidArgumentError(
                    f"[{who}] the state has {name} {state[name]!r:.60}; this iterator has {value!r:.60}"
                )
        seq = state["seq"]
        try:
            same = seq is None if self.seq is None else sorted(seq) == sorted(self.seq)
        except TypeError:
            same = False
        if not same:
            raise InvalidArgumentError(f"[{who}] the state is of other pictures, or of another part of them")
        cur = state_count(state, "cur", who, most=2**62 if self.seq is None else len(self.seq))
        skipped = state_count(state, "skipped", who)
        try:
            kept = state["kept"]
            if kept is not None:
                data, label, full = kept
                kept = position.array_of(data), position.array_of(label), full
                shapes = tuple(part.shape for part in kept[:2])
                if shapes != (self.provide_data[0].shape, self.provide_label[0].shape):
                    raise ValueError(f"arrays of shapes {shapes} that were kept")
                if not isinstance(full, int) or not 0 < full < self.batch_size:
                    raise ValueError(f"{full} pictures that were kept")
            position.set_random_state(self._members, state)
        except (TypeError, ValueError, KeyError, IndexError, OverflowError) as error:
            raise InvalidArgumentError(f"[{who}] the state is damaged: {error}") from None
        self._rewind()
        if self.seq is None:
            for _ in range(cur):
                if self.imgrec.read() is None:
                    raise InvalidArgumentError(
                        f"[{who}] the state has cur {cur}, more than the file's records"
                    )
        else:
            self.seq[:] = seq
        self.cur, self._reads, self.skipped = cur, bool(state["reads"]), skipped
        self._kept = kept
