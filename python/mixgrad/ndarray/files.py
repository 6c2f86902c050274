"""Storing arrays in files, and reading them back."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

from .. import _core
from .._hints import kind_name
from .._np_semantics import is_np_array
from .._remote import read_uri
from .._uri import is_uri, write_uri
from ..base import InvalidArgumentError, MissingFileError, NotFoundError, RefusedKindError, path_text
from .ndarray import NDArray

__all__ = ["load", "load_frombuffer", "save", "save_tobuffer"]

PathLike = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
Saved = Union[NDArray, Sequence[NDArray], Mapping[str, NDArray]]
Loaded = Union[list[NDArray], dict[str, NDArray]]


def _check_name(name: Any) -> None:
    if not isinstance(name, str):
        raise TypeError(f"[save] names must be text; got {type(name).__name__}")
    try:
        encoded = name.encode()
    except UnicodeEncodeError:
        raise InvalidArgumentError(f"[save] the name {name!r} cannot be written as UTF-8") from None
    if b"\0" in encoded:
        raise InvalidArgumentError(f"[save] the name {name!r} has a zero byte")


def _in_place_of(item: Any) -> str:
    """What to write where a file cannot hold a value."""
    if isinstance(item, (Mapping, list, tuple)):
        return ": a file has one level of names, such as 'model.weight'; pickle writes nested ones"
    if isinstance(item, (int, float)) or hasattr(item, "__array__"):
        return ", which mx.nd.array makes of it"
    return ""


def _named(data: Saved) -> tuple[list[NDArray], Optional[list[str]]]:
    """Arrays and their names, or None for a plain list."""
    if isinstance(data, NDArray):
        return [data], None
    names = None
    if isinstance(data, Mapping):
        names = list(data)
        for name in names:
            _check_name(name)
        arrays = [data[name] for name in names]
    elif isinstance(data, (list, tuple)):
        arrays = list(data)
    else:
        state = "; its state_dict() gives one" if callable(getattr(data, "state_dict", None)) else ""
        raise RefusedKindError(
            f"[save] expected an NDArray, or a list or dict of NDArray; got {type(data).__name__}{state}"
        )
    for place, item in enumerate(arrays):
        if not isinstance(item, NDArray):
            which = f"the value of {names[place]!r}" if names else f"item {place}"
            raise TypeError(f"[save] {which} is {kind_name(item)}; expected NDArray{_in_place_of(item)}")
    return arrays, names


def save(fname: PathLike, data: Saved, format: Optional[str] = None) -> None:
    """Writes arrays to a file: MXNet's .params, or safetensors.

    The file appears complete or not at all, also when the disk is full or the process dies.

    Parameters
    ----------
    fname : str or path
        Local path, or a URI such as ``s3://bucket/key`` or ``hdfs://host/path`` that fsspec understands.
    data : NDArray, list of NDArray, or dict of str to NDArray
        What to store; safetensors needs a dict. Blocks until the values are computed.
    format : {'params', 'safetensors'}, optional
        By default safetensors for names ending in '.safetensors', params for all others.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.nd.save("memory://weights.params", {"w": mx.nd.ones((2,))})
    >>> mx.nd.load("memory://weights.params")["w"].shape
    (2,)
    """
    name = path_text(fname, "save")
    arrays, names = _named(data)
    kind = format or ("safetensors" if name.endswith(".safetensors") else "params")
    _check_format(kind, "save")
    if not is_uri(name):
        _core.save(os.fsencode(name), kind, arrays, names)
        return
    write_uri(name, bytes(_core.save_buffer(kind, arrays, names)))


def _check_format(format: Any, who: str) -> None:
    if not isinstance(format, str):
        raise TypeError(f"[{who}] format is {format!r:.60}; expected 'params' or 'safetensors'")


def save_tobuffer(data: Saved, format: str = "params") -> bytes:
    """The bytes that :func:`save` would write."""
    _check_format(format, "save_tobuffer")
    arrays, names = _named(data)
    return bytes(_core.save_buffer(format, arrays, names))


def _delivered(loaded: tuple[list[NDArray], Optional[list[str]]]) -> Loaded:
    arrays, names = loaded
    if is_np_array():
        arrays = [array if array is None else array.as_np_ndarray() for array in arrays]
    return arrays if names is None else dict(zip(names, arrays))


def load(fname: PathLike) -> Loaded:
    """Reads arrays from a file of any version of MXNet's .params, or from safetensors.

    Parameters
    ----------
    fname : str or path
        Local path or URI, as in :func:`save`.

    Returns
    -------
    list of NDArray, or dict of str to NDArray
        As they were saved; arrays are placed on the current device, and are those of ``mx.np`` where
        ``mx.npx.set_np`` says so. None stands where an old file says that
        there is no value.

    Raises
    ------
    FileFormatError
        When the file is damaged or of another format.
    MissingFileError
        When there is no such file; also a ``FileNotFoundError``.
    """
    name = path_text(fname, "load")
    if not is_uri(name):
        try:
            return _delivered(_core.load(os.fsencode(name)))
        except NotFoundError as error:
            raise MissingFileError(str(error)) from None
    return load_frombuffer(read_uri(name))


def load_frombuffer(buf: Union[bytes, bytearray, memoryview]) -> Loaded:
    """Reads arrays from bytes, as :func:`load` does from a file.

    >>> import mixgrad as mx
    >>> mx.nd.load_frombuffer(mx.nd.save_tobuffer([mx.nd.ones((3,))]))[0].shape
    (3,)
    """
    try:
        content = memoryview(buf)
    except TypeError:
        raise TypeError(f"[load_frombuffer] got {type(buf).__name__}; expected bytes or a buffer") from None
    if not content.c_contiguous:
        raise BufferError("[load_frombuffer] the buffer is not contiguous; pass bytes(buf)")
    return _delivered(_core.load_buffer(content))
