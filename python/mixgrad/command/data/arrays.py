"""Files of arrays: idx (MNIST), .npy and .npz, .params and safetensors."""

from __future__ import annotations

import gzip
import math
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ... import ndarray as nd
from ..._files import open_file, read_file
from ...base import FileFormatError
from .report import Histogram, Picture, Report, evenly
from .thumbnails import from_array

__all__ = ["describe_idx", "describe_numpy", "describe_params"]

_IDX_DTYPES = {8: "u1", 9: "i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}
_MOST_AXES = 32
_ARRAYS_SHOWN = 60


def describe_idx(path: Path) -> Report:
    """An idx file, gzipped or not: a vector is labels, three axes are pictures."""
    content = read_file(path, "data")
    if content[:2] == b"\x1f\x8b":
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error) as error:
            raise FileFormatError(f"[data] '{path}' is damaged: {error}") from None
    if len(content) < 4 or content[:2] != b"\0\0" or content[2] not in _IDX_DTYPES or content[3] > _MOST_AXES:
        raise FileFormatError(
            f"[data] '{path}' begins with {content[:4].hex(' ')}; an idx file begins with 00 00, a dtype "
            f"(08 to 0e) and at most {_MOST_AXES} axes"
        )
    dtype, axes = np.dtype(_IDX_DTYPES[content[2]]), content[3]
    start = 4 + 4 * axes
    if len(content) < start:
        raise FileFormatError(
            f"[data] '{path}' has {len(content)} bytes; expected {start} before its elements"
        )
    shape = tuple(int.from_bytes(content[4 + 4 * i : 8 + 4 * i], "big") for i in range(axes))
    report = Report("idx file")
    report.facts.update({"bytes": len(content), "shape": list(shape), "dtype": dtype.name})
    row = math.prod(shape[1:]) * dtype.itemsize
    held = len(content) - start
    if held != row * (shape[0] if shape else 1):
        claimed = row * (shape[0] if shape else 1)
        report.add_damage(f"shape {shape} needs {claimed:,} bytes; the file holds {held:,}")
        whole = min(shape[0], held // row) if row and shape else 0
        report.facts["examples that are whole"] = whole
        shape = (whole, *shape[1:])
    if math.prod(shape):
        array = np.frombuffer(content, dtype, math.prod(shape), offset=start).reshape(shape)
        _look_at(report, array, _labels_beside(path))
    return report


def _labels_beside(path: Path) -> Optional[npt.NDArray[Any]]:
    """The labels of MNIST's pictures, from the file that is named like theirs."""
    beside = path.with_name(path.name.replace("images", "labels").replace("idx3", "idx1"))
    if beside == path or not beside.is_file():
        return None
    content = read_file(beside, "data")
    content = gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
    return np.frombuffer(content, np.uint8, offset=8) if content[:4] == b"\0\0\x08\x01" else None


def _look_at(report: Report, array: npt.NDArray[Any], labels: Optional[npt.NDArray[Any]] = None) -> None:
    """Labels of a vector of whole numbers; pictures of shapes that pictures have."""
    if array.ndim == 1 and array.dtype.kind in "iu" and array.size:
        report.labels = Histogram((float(one) for one in array), "all")
    planes = _as_pictures(array)
    if planes is None:
        return

    def pictures(most: int) -> list[Picture]:
        chosen = evenly(len(planes), most)
        captions = [
            f"{place}: {labels[place]}" if labels is not None and place < len(labels) else f"{place}"
            for place in chosen
        ]
        return [Picture(caption, from_array(planes[place])) for caption, place in zip(captions, chosen)]

    report.pictures = pictures


def _as_pictures(array: npt.NDArray[Any]) -> Optional[npt.NDArray[Any]]:
    """The array as (examples, rows, columns[, channels]), where its shape is that of pictures."""
    if (
        array.dtype.kind not in "uif"
        or array.ndim not in (3, 4)
        or not array.size
        or min(array.shape[1:3]) == 0
    ):
        return None
    if array.ndim == 3:
        return array if min(array.shape[1:]) > 3 else None
    if array.shape[3] in (1, 3):
        return array
    return np.moveaxis(array, 1, 3) if array.shape[1] in (1, 3) else None


def describe_numpy(path: Path) -> Report:
    """A .npy file, or the members of a .npz file."""
    arrays: dict[str, npt.NDArray[Any]] = {}
    report = Report("NumPy arrays")
    report.facts["bytes"] = path.stat().st_size
    with open_file(path, "data") as file:
        if path.suffix == ".npy":
            try:
                arrays["array"] = np.lib.format.read_array(file, allow_pickle=False)
            except Exception as error:  # of many kinds: the header is parsed as Python
                raise FileFormatError(f"[data] cannot read '{path}': {error}") from None
        else:
            _members(path, file, arrays, report)
    _add_arrays(report, arrays)
    for name, array in arrays.items():
        if report.pictures is None or report.labels is None:
            _look_at(report, array, _labels_for(array, arrays) if array.ndim > 1 else None)
        if report.pictures is not None and "pictures" not in report.facts and _as_pictures(array) is not None:
            report.facts["pictures"] = f"array {name!r}"
    return report


def _labels_for(
    array: npt.NDArray[Any], arrays: Mapping[str, npt.NDArray[Any]]
) -> Optional[npt.NDArray[Any]]:
    for other in arrays.values():
        if other.ndim == 1 and len(other) == len(array) and other.dtype.kind in "iu":
            return other
    return None


def _members(path: Path, file: Any, arrays: dict[str, npt.NDArray[Any]], report: Report) -> None:
    try:
        archive = np.load(file, allow_pickle=False)
    except Exception as error:  # of many kinds, as those of its members
        raise FileFormatError(f"[data] cannot read '{path}': {error}") from None
    if not isinstance(archive, np.lib.npyio.NpzFile):
        raise FileFormatError(f"[data] '{path}' is one array; expected an archive of them, as .npz says")
    for name in archive.files:
        try:
            arrays[name] = archive[name]
        except Exception as error:
            report.add_damage(f"array {name!r}: {error}")


def describe_params(path: Path) -> Report:
    """Arrays of a checkpoint (.params) or of a safetensors file."""
    loaded = nd.load(path)
    named = loaded.items() if isinstance(loaded, dict) else enumerate(loaded)
    arrays = {str(name): one.asnumpy() for name, one in named if one is not None}
    report = Report("arrays")
    report.facts["bytes"] = path.stat().st_size
    _add_arrays(report, arrays)
    return report


def _add_arrays(report: Report, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    report.facts["arrays"] = len(arrays)
    report.facts["numbers"] = sum(array.size for array in arrays.values())
    odd = 0
    for number, (name, array) in enumerate(arrays.items()):
        text, bad = _array_text(array)
        odd += bad > 0
        if number < _ARRAYS_SHOWN:
            report.facts[name] = text
    if len(arrays) > _ARRAYS_SHOWN:
        report.facts["..."] = f"{len(arrays) - _ARRAYS_SHOWN:,} more arrays"
    if odd:
        report.facts["arrays with NaN or infinity"] = odd


def _array_text(array: npt.NDArray[Any]) -> tuple[str, int]:
    """Shape, dtype and range, and how many elements are not finite."""
    text = f"{tuple(array.shape)} {array.dtype.name}"
    if not array.size or (array.dtype.kind not in "biuf" and array.dtype.name != "bfloat16"):
        return text, 0
    values = array.astype(np.float32) if array.dtype.itemsize < 4 else array
    finite = np.isfinite(values)
    bad = int(values.size - np.count_nonzero(finite))
    kept = values[finite] if bad else values
    if kept.size:
        mean = float(kept.mean(dtype=np.float64))
        text += f", {float(kept.min()):g} to {float(kept.max()):g}, mean {mean:g}"
    return text + (f", {bad:,} NaN or infinite" if bad else ""), bad
