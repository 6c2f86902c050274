"""Batches of record files: pictures, pictures with boxes, and records of plain numbers."""

from __future__ import annotations

import os
import warnings
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from .. import _core
from .. import ndarray as nd
from .._record_file import _local, _read, file_name
from .._remote import RemoteOptions, open_source
from ..base import (
    DTypeError,
    FileFormatError,
    InvalidArgumentError,
    MissingFileError,
    MXNetError,
    NotFoundError,
    ShapeError,
)
from ..ndarray import NDArray
from .base import DataBatch, DataDesc, DataIter

__all__ = [
    "ImageDetRecordIter",
    "ImageRecordInt8Iter",
    "ImageRecordIter",
    "ImageRecordIter_v1",
    "ImageRecordUInt8Iter",
    "ImageRecordUInt8Iter_v1",
    "RawRecordIter",
]

_PICTURES, _BOXES, _RAW = 0, 1, 2  # MG_BATCHES_*
# What MXNet's iterators take and what has no effect here: where batches lie, what is printed.
_WITHOUT_EFFECT = ("verbose", "ctx", "device_id")
_told_of_damage = False

Path = Union[str, "os.PathLike[str]"]


class _RecordBatches(DataIter):
    """What the iterators over record files share."""

    def __init__(
        self,
        kind: int,
        path_imgrec: Path,
        data_shape: Sequence[int],
        batch_size: int,
        options: dict[str, Any],
        data_layout: str = "NCHW",
    ) -> None:
        who = self._who = type(self).__name__
        if isinstance(batch_size, str):  # as MXNet's command lines have it
            batch_size = self._whole("batch_size", batch_size)
        super().__init__(batch_size)
        for name in _WITHOUT_EFFECT:
            options.pop(name, None)
        self._data_name, self._label_name = (
            options.pop("data_name", "data"),
            options.pop("label_name", "softmax_label"),
        )
        chunk_seed = self._whole("shuffle_chunk_seed", options.pop("shuffle_chunk_seed", 0))
        if chunk_seed:
            options["seed"] = self._whole("seed", options.get("seed", 0)) ^ chunk_seed << 32
        index, labels, mean_path = (
            self._named_file(options, name) for name in ("path_imgidx", "path_imglist", "mean_img")
        )
        remote = options.pop("remote", None)
        if not isinstance(remote, (RemoteOptions, type(None))):
            raise InvalidArgumentError(f"[{who}] remote is {remote!r:.60}; expected RemoteOptions")
        self._dtype = self._checked_dtype(options.pop("dtype", None))
        row_shape = self._batches_shape(data_shape)
        self._options = {
            **options,
            "data_shape": data_shape,
            "batch_size": batch_size,
            "dtype": str(self._dtype),
        }
        self._kind, self._path = kind, file_name(path_imgrec, who)
        if not self._path:
            raise InvalidArgumentError(f"[{who}] path_imgrec is empty; expected the path of a record file")
        self._source = _opened(self._path, who, remote)
        self._offsets = _index_offsets(index, who) if index else None
        self._labels: tuple[Any, Any] = (
            _listed_labels(labels, self._whole("label_width", options.get("label_width", 1)), who)
            if labels
            else (None, None)
        )
        mean = self._mean_image(mean_path) if mean_path else None
        self._batches = self._made(self._options, mean)
        self._batch_size = int(batch_size)  # the attribute without underscore is the program's
        self._batch: Optional[DataBatch] = None
        shape = (batch_size, *row_shape)
        width = self._batches.label_width
        label_shape = (batch_size,) if kind != _BOXES and width == 1 else (batch_size, width)
        self.provide_data = [DataDesc(self._data_name, shape, self._dtype_class(), data_layout)]
        self.provide_label = [DataDesc(self._label_name, label_shape, np.float32)]

    def _made(self, options: dict[str, Any], mean: Optional[npt.NDArray[np.float32]]) -> _core.Batches:
        return _core.Batches(self._kind, self._who, self._source, options, self._offsets, *self._labels, mean)

    def _dtype_class(self) -> Any:
        return self._dtype if isinstance(self._dtype, str) else self._dtype.type

    def _whole(self, name: str, value: Any) -> int:
        try:
            return int(value)
        except (TypeError, ValueError, OverflowError):
            raise InvalidArgumentError(
                f"[{self._who}] {name} is {value!r:.60}; expected a whole number"
            ) from None

    def _named_file(self, options: dict[str, Any], name: str) -> Optional[str]:
        """The file that an option names; None and '' name none."""
        value = options.pop(name, None)
        return (file_name(value, f"{self._who}: {name}") or None) if value is not None else None

    def _checked_dtype(self, dtype: Any) -> Any:
        if str(dtype) == "bfloat16":
            return "bfloat16"
        try:
            return np.dtype(np.float32 if dtype is None else dtype)
        except (TypeError, ValueError):
            raise DTypeError(f"[{self._who}] dtype is {dtype!r:.60}; expected the name of a dtype") from None

    def _batches_shape(self, data_shape: Any) -> tuple[int, ...]:
        try:
            if isinstance(data_shape, str):
                data_shape = [part for part in data_shape.strip("()[] ").split(",") if part.strip()]
            return tuple(int(extent) for extent in data_shape)
        except (TypeError, ValueError, OverflowError):
            raise ShapeError(
                f"[{self._who}] data_shape is {data_shape!r:.60}; expected the shape of one example"
            ) from None

    def _mean_image(self, path: Path) -> npt.NDArray[np.float32]:
        """The mean picture of a file, which is computed from all pictures and written where it is missing."""
        name = file_name(path, self._who)
        if os.path.exists(name):
            loaded = nd.load(name)
            arrays = list(loaded.values()) if isinstance(loaded, dict) else list(loaded)
            if len(arrays) != 1:
                raise FileFormatError(
                    f"[{self._who}] mean_img {name!r} holds {len(arrays)} arrays; expected one"
                )
            return np.ascontiguousarray(arrays[0].asnumpy(), np.float32)
        plain = dict.fromkeys(["mean_r", "mean_g", "mean_b", "mean_a"], 0) | dict.fromkeys(
            ["std_r", "std_g", "std_b", "std_a", "scale"], 1
        )
        batches = self._made({**self._options, **plain, "dtype": "float32", "round_batch": False}, None)
        total, count = np.zeros(self._batches_shape(self._options["data_shape"])), 0
        while True:
            got = batches.next()
            if got is None:
                break
            whole = got[0].shape[0] - got[2]
            total += got[0].asnumpy()[:whole].sum(axis=0, dtype=np.float64)
            count += whole
        if count == 0:
            raise FileFormatError(f"[{self._who}] {self._path!r} has no pictures to take the mean of")
        mean = (total / count).astype(np.float32)
        nd.save(name, {"mean_img": nd.array(mean)})
        return mean

    def reset(self) -> None:
        """Start the next epoch; this one again if no batch was taken of it."""
        self._batches.reset()
        self._batch = None

    def next(self) -> DataBatch:
        """Return the next batch, once it is made.

        Raises
        ------
        FileFormatError
            For each damaged record and picture of the batch; then it follows without these.
        FileError
            For a source that cannot be read, or gives nothing for ``stall_seconds``; then another call tries
            again.
        """
        if not self.iter_next():
            raise StopIteration
        assert self._batch is not None
        return self._batch

    def iter_next(self) -> bool:
        """Go to the next batch; False at the end of the epoch."""
        self._batch = None  # whoever has let go of it gives its memory to a batch that is being made
        got = self._batches.next()
        if self._options.get("damaged") == "skip":
            self._tell_of_damage()
        if got is None:
            return False
        data, label, pad, ids = got
        self._batch = DataBatch([data], [label], pad, np.frombuffer(ids, np.uint64))
        return True

    def _current(self) -> DataBatch:
        if self._batch is None:
            raise MXNetError(
                f"[{self._who}] there is no current batch; expected next() or iter_next() before"
            )
        return self._batch

    def getdata(self) -> NDArray:
        """Return the data of the current batch."""
        data: NDArray = self._current().data[0]
        return data

    def getlabel(self) -> NDArray:
        """Return the labels of the current batch."""
        label: NDArray = self._current().label[0]
        return label

    def getindex(self) -> Any:
        """Return the numbers of the current batch's records (``IRHeader.id``)."""
        return self._current().index

    def getpad(self) -> Optional[int]:
        """Return how many examples of the current batch only fill it."""
        return self._current().pad

    @property
    def skipped(self) -> int:
        """Damaged records and pictures that were left out so far."""
        return self._batches.skipped()[0]

    def _tell_of_damage(self) -> None:
        """One warning in a process, which names the first damaged place."""
        global _told_of_damage
        if _told_of_damage:
            return
        records, _, first = self._batches.skipped()
        if records > 0:
            _told_of_damage = True
            warnings.warn(
                f"[{self._who}] {self._path!r} is damaged and read without that: {first}", stacklevel=4
            )

    def state_dict(self) -> dict[str, Any]:
        """Return the position as plain numbers, for :meth:`load_state_dict`.

        After that the next batch is the one that is next now.

        Returns
        -------
        dict
            For a checkpoint. It belongs to the file and to the options of this iterator.
        """
        options = self._options
        shuffle = self._flag("shuffle", False)
        indexed = self._offsets is not None
        return {
            "place": self._batches.place(),
            "file_bytes": self._source.bytes,
            "batch_size": self._batch_size,
            "seed": int(options.get("seed", 0)),
            "seed_aug": None if options.get("seed_aug") is None else int(options["seed_aug"]),
            "shuffle": shuffle,
            # MB; what cuts no pieces does not matter.
            "shuffle_chunk_size": int(options.get("shuffle_chunk_size", 0)) if shuffle and not indexed else 0,
            "index": _index_name(self._offsets),
            "round_batch": self._flag("round_batch", True),
            "part": [int(options.get("part_index", 0)), int(options.get("num_parts", 1))],
        }

    def _flag(self, name: str, default: bool) -> bool:
        """A switch as the library understands it."""
        value = self._options.get(name, default)
        return value.lower() in ("1", "true") if isinstance(value, str) else bool(value)

    def _checked_place(self, place: Any, here: dict[str, Any]) -> dict[str, Any]:
        """A place of a state: numbers under the names that this one's has."""
        if not isinstance(place, Mapping) or set(place) != set(here):
            raise InvalidArgumentError(
                f"[{self._who}] load_state_dict: place is {place!r:.60}; expected {', '.join(here)}"
            )
        for name, value in place.items():
            if not isinstance(value, int) or not 0 <= value < 2**64:
                raise InvalidArgumentError(
                    f"[{self._who}] load_state_dict: {name} of the place is {value!r:.60}; "
                    "expected a whole number from 0 to 2**64 - 1"
                )
        return dict(place)

    def __reduce__(self) -> Any:
        raise TypeError(
            f"[{self._who}] an iterator over a file cannot be pickled or copied; make one in each process, "
            "and give it the other's state_dict()"
        )

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go to a position of :meth:`state_dict`, of an iterator over the same file with the same options.

        Raises
        ------
        InvalidArgumentError
            For the position of another file, or of other options.
        """
        if not isinstance(state, Mapping):
            raise TypeError(
                f"[{self._who}] load_state_dict got {type(state).__name__}; "
                "expected what state_dict() returned"
            )
        here = self.state_dict()
        for name in [name for name in here if name != "place"]:
            given = state.get(name, "missing")
            if isinstance(given, tuple):  # of programs that keep lists as tuples
                given = list(given)
            if given != here[name]:
                raise InvalidArgumentError(
                    f"[{self._who}] load_state_dict: {name} is {given!r:.60}; "
                    f"expected {here[name]!r}, as here"
                )
        self._batches.set_place(self._checked_place(state.get("place"), here["place"]))
        self._batch = None


class ImageRecordIter(_RecordBatches):
    """Batches of a record file of pictures, decoded and augmented by threads of the library.

    Follows ``mx.io.ImageRecordIter``, whose options it takes. Without random options its batches are those
    of MXNet 1.9.1.
    Random choices follow from ``seed``, the number of the epoch and the number of the example, whatever the
    number of
    threads. docs/pipeline.md describes how batches are made.

    Parameters
    ----------
    path_imgrec : str or PathLike
        The record file, or a URI that fsspec knows.
    data_shape : tuple of int
        (channels, height, width) of a picture; channels 1, 3 or 4.
    batch_size : int
        Pictures per batch.
    path_imgidx : str, optional
        Index file: with it a shuffle goes over all records, and parts have equal numbers of them.
    path_imglist : str, optional
        List file whose labels take the place of those in the records.
    mean_img : str, optional
        File of a mean picture, subtracted from each; made from all pictures where it is not there.
    **options
        ``label_width`` (1), ``dtype`` ('float32'), ``preprocess_threads`` (4), ``prefetch_buffer`` (4),
        ``round_batch`` (True: the last batch is filled from the next epoch), ``shuffle``,
        ``shuffle_chunk_size``
        (MB, without an index), ``seed``, ``seed_aug``, ``num_parts``, ``part_index``, ``mean_r``,
        ``mean_g``, ``mean_b``,
        ``mean_a``, ``std_r``, ``std_g``, ``std_b``, ``std_a``, ``scale``, ``max_random_contrast``,
        ``max_random_illumination``, ``mirror``, ``rand_mirror``, ``resize``, ``rand_crop``,
        ``random_resized_crop``,
        ``max_crop_size``, ``min_crop_size``, ``max_random_area``, ``min_random_area``, ``max_aspect_ratio``,
        ``min_aspect_ratio``, ``max_random_scale``, ``min_random_scale``, ``max_img_size``, ``min_img_size``,
        ``max_rotate_angle``, ``rotate``, ``max_shear_ratio``, ``fill_value``, ``pad``, ``inter_method``,
        ``brightness``,
        ``contrast``, ``saturation``, ``pca_noise``, ``random_h``, ``random_s``, ``random_l``, ``data_name``,
        ``label_name``, as MXNet has them. Of mixgrad alone: ``damaged`` ('raise' or 'skip' for damaged
        records and
        pictures), ``stall_seconds`` (60: how long a read may give nothing; 0 for ever), ``scale_decoding``
        (False;
        True: large JPEG files are decoded at 1/2, 1/4 or 1/8 where that is enough, which is faster and
        smoother) and
        ``remote`` (a :class:`mixgrad.recordio.RemoteOptions`).

    Raises
    ------
    FileFormatError
        By ``next`` for each damaged record and picture, which names file, offset and number; then the batch
        follows without these.
    FileError
        For a file that cannot be read, or whose read gives nothing for ``stall_seconds``.

    Examples
    --------
    >>> import mixgrad as mx, numpy as np, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "grey.rec")
    >>> with mx.recordio.MXRecordIO(path, "w") as record:
    ...     for label in range(3):
    ...         picture = np.full((8, 8, 3), 80 * label, np.uint8)
    ...         header = mx.recordio.IRHeader(0, label, label, 0)
    ...         record.write(mx.recordio.pack_img(header, picture, img_fmt=".png"))
    >>> batches = mx.io.ImageRecordIter(path_imgrec=path, data_shape=(3, 4, 4), batch_size=2)
    >>> [(batch.label[0].asnumpy().tolist(), batch.pad) for batch in batches]
    [([0.0, 1.0], 0), ([2.0, 0.0], 1)]
    """

    def __init__(self, path_imgrec: Path, data_shape: Sequence[int], batch_size: int, **options: Any) -> None:
        _refuse_other_augmenters(options, "aug_default", type(self).__name__)
        super().__init__(_PICTURES, path_imgrec, data_shape, batch_size, options)


class ImageRecordUInt8Iter(ImageRecordIter):
    """As :class:`ImageRecordIter`, in uint8: pictures are cut and mirrored, numbers stay as they are."""

    def __init__(self, path_imgrec: Path, data_shape: Sequence[int], batch_size: int, **options: Any) -> None:
        options["dtype"] = "uint8"
        super().__init__(path_imgrec, data_shape, batch_size, **options)


class ImageRecordInt8Iter(ImageRecordIter):
    """As :class:`ImageRecordIter`, in int8: less the rounded mean, and what does not fit saturates."""

    def __init__(self, path_imgrec: Path, data_shape: Sequence[int], batch_size: int, **options: Any) -> None:
        options["dtype"] = "int8"
        super().__init__(path_imgrec, data_shape, batch_size, **options)


class ImageDetRecordIter(_RecordBatches):
    """Batches of a record file of pictures with boxes around their objects.

    Follows ``mx.io.ImageDetRecordIter``. A record's label is a header (how many numbers it has, how many an
    object has,
    and whatever else), then objects of (class, left, top, right, bottom, ...) in parts of the picture. A
    label of a batch
    is (channels, height, width, numbers that follow), these numbers, and ``label_pad_value`` up to the
    common width.

    Parameters
    ----------
    path_imgrec, data_shape, batch_size, path_imgidx, path_imglist, mean_img
        As of :class:`ImageRecordIter`.
    **options
        ``label_pad_width`` (0: that of the longest label, for which all headers are read),
        ``label_pad_value`` (-1),
        ``label_width`` (-1: any), ``resize``, ``resize_mode`` ('force', 'fit', 'shrink'), ``rand_crop_prob``,
        ``min_crop_scales``, ``max_crop_scales``, ``min_crop_aspect_ratios``, ``max_crop_aspect_ratios``,
        ``min_crop_overlaps``, ``max_crop_overlaps``, ``min_crop_sample_coverages``,
        ``max_crop_sample_coverages``,
        ``min_crop_object_coverages``, ``max_crop_object_coverages``, ``num_crop_sampler``,
        ``crop_emit_mode``,
        ``emit_overlap_thresh``, ``max_crop_trials``, ``rand_pad_prob``, ``max_pad_scale``,
        ``max_random_hue``,
        ``random_hue_prob``, ``max_random_saturation``, ``random_saturation_prob``,
        ``max_random_illumination``,
        ``random_illumination_prob``, ``max_random_contrast``, ``random_contrast_prob``, ``rand_mirror_prob``,
        ``fill_value``, ``inter_method``, the means, deviations and ``scale``, and what
        :class:`ImageRecordIter` has of
        threads, order, parts and damage.
    """

    def __init__(self, path_imgrec: Path, data_shape: Sequence[int], batch_size: int, **options: Any) -> None:
        _refuse_other_augmenters(options, "det_aug_default", type(self).__name__)
        options.setdefault("label_width", -1)
        super().__init__(_BOXES, path_imgrec, data_shape, batch_size, options)


class RawRecordIter(_RecordBatches):
    """Batches of a record file whose records hold the numbers themselves, behind an ``IRHeader``.

    Of mixgrad alone. Records that lie one after another go from the file straight into the batch.

    Parameters
    ----------
    path_imgrec : str or PathLike
        The record file, or a URI that fsspec knows.
    data_shape : tuple of int
        Shape of one example, of any rank: a record has as many bytes as that shape of ``dtype``.
    batch_size : int
        Examples per batch.
    dtype : dtype, optional
        Of the numbers in the file and in the batch; 'uint8' by default.
    **options
        ``path_imgidx``, ``path_imglist``, ``label_width``, ``round_batch``, ``shuffle``,
        ``shuffle_chunk_size``, ``seed``,
        ``num_parts``, ``part_index``, ``prefetch_buffer``, ``damaged``, ``stall_seconds``, ``remote``,
        ``data_name``,
        ``label_name``, as of :class:`ImageRecordIter`.

    Examples
    --------
    >>> import mixgrad as mx, numpy as np, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "numbers.rec")
    >>> with mx.recordio.MXRecordIO(path, "w") as record:
    ...     for i in range(4):
    ...         header = mx.recordio.IRHeader(0, i, i, 0)
    ...         record.write(mx.recordio.pack(header, np.full((2, 3), i, np.uint8).tobytes()))
    >>> batch = next(mx.io.RawRecordIter(path, data_shape=(2, 3), batch_size=4))
    >>> batch.data[0].shape, batch.data[0].asnumpy()[3].tolist(), batch.label[0].asnumpy().tolist()
    ((4, 2, 3), [[3, 3, 3], [3, 3, 3]], [0.0, 1.0, 2.0, 3.0])
    """

    def __init__(
        self,
        path_imgrec: Path,
        data_shape: Sequence[int],
        batch_size: int,
        dtype: Any = "uint8",
        **options: Any,
    ) -> None:
        options["dtype"] = dtype
        self._who = type(self).__name__
        layout = "N" + "?" * len(self._batches_shape(data_shape))
        super().__init__(_RAW, path_imgrec, data_shape, batch_size, options, layout)


ImageRecordIter_v1 = ImageRecordIter
ImageRecordUInt8Iter_v1 = ImageRecordUInt8Iter


def _refuse_other_augmenters(options: dict[str, Any], known: str, who: str) -> None:
    given = options.pop("aug_seq", known)
    if not isinstance(given, str) or given != known:
        raise InvalidArgumentError(f"[{who}] aug_seq is {given!r:.60}; expected {known!r}")


def _opened(name: str, who: str, remote: Optional[RemoteOptions]) -> _core.Source:
    path = _local(name, who)
    if path is None:
        return open_source(name, who, remote)
    try:
        return _core.Source.open(os.fsencode(path), who)
    except NotFoundError as error:
        raise MissingFileError(str(error)) from None


def _index_offsets(path: Path, who: str) -> npt.NDArray[np.uint64]:
    """Offsets of an index file, whose lines are a key, a tab and an offset."""
    name = file_name(path, who)
    lines = _read(name, who).split(b"\n")
    offsets = np.empty(len(lines), np.uint64)
    count = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        _key, _, offset = line.partition(b"\t")
        try:
            offsets[count] = int(offset.split(b"\t")[0])
        except (ValueError, OverflowError):
            raise FileFormatError(
                f"[{who}] {name!r} line {number} is {line[:40].decode(errors='replace')!r}; expected "
                "a key, a tab and an offset"
            ) from None
        count += 1
    if count == 0:
        raise FileFormatError(f"[{who}] path_imgidx {name!r} names no record")
    return offsets[:count]


def _index_name(offsets: Optional[npt.NDArray[np.uint64]]) -> Optional[str]:
    """What tells one index from another: the order of its lines does not matter."""
    if offsets is None:
        return None
    return f"{len(offsets)} records, checksum {zlib.crc32(np.sort(offsets).tobytes()):08x}"


def _record_number(text: str) -> int:
    number = int(text)
    if not 0 <= number < 2**64:
        raise ValueError(number)
    return number


def _listed_labels(
    path: Path, width: int, who: str
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.float32]]:
    """Numbers of records and their labels, of a list file: a number, labels and a path, between tabs."""
    name = file_name(path, who)
    ids, labels = [], []
    for number, line in enumerate(_read(name, who).decode(errors="surrogateescape").splitlines(), 1):
        parts = line.split("\t")
        if len(parts) == 1 and not line.strip():
            continue
        try:
            ids.append(_record_number(parts[0]))
            labels.append([float(part) for part in parts[1 : 1 + width]])
        except ValueError:
            labels.append([])
        if len(labels[-1]) != width:
            raise FileFormatError(
                f"[{who}] path_imglist {name!r} line {number} is {line[:60]!r}; expected "
                f"a number, label_width={width} labels and a path, between tabs"
            )
    if not ids:
        raise FileFormatError(f"[{who}] path_imglist {name!r} has no labels")
    return np.array(ids, np.uint64), np.array(labels, np.float32).reshape(-1)
