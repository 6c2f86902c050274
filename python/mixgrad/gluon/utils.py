"""Helpers of training loops: batches over devices, clipping of gradients, downloads."""

from __future__ import annotations

import hashlib
import importlib
import math
import os
import uuid
import warnings
import weakref
from collections.abc import Iterable, MutableMapping, Sequence
from types import TracebackType
from typing import Any, Callable, Optional, Union

import numpy as np

from .. import ndarray as nd
from .._data_parallel import DataParallel
from .._np_semantics import is_np_shape
from ..base import RefusedValueError, UnsupportedError, path_text
from ..context import Context
from ..ndarray import NDArray

__all__ = [
    "DataParallel",
    "check_sha1",
    "clip_global_norm",
    "download",
    "replace_file",
    "shape_is_known",
    "split_and_load",
    "split_data",
]

_SHOWN = 7  # names that a message lists


def split_data(data: NDArray, num_slice: int, batch_axis: int = 0, even_split: bool = True) -> list[NDArray]:
    """Cut an array into parts along the axis of the batch.

    Parameters
    ----------
    data : NDArray
        A batch.
    num_slice : int
        Number of parts.
    batch_axis : int
        The axis of the batch.
    even_split : bool
        Whether all parts must have the same number of elements.

    Returns
    -------
    list of NDArray
        A list also of one part.

    Raises
    ------
    ValueError
        The batch has fewer elements than parts, or does not divide evenly.

    Examples
    --------
    >>> import mixgrad as mx
    >>> [part.shape for part in mx.gluon.utils.split_data(mx.nd.zeros((7, 2)), 3, even_split=False)]
    [(3, 2), (2, 2), (2, 2)]
    """
    size = data.shape[batch_axis]
    if even_split and size % num_slice != 0:
        raise ValueError(
            f"[split_data] a batch of shape {data.shape} cannot be evenly split into {num_slice} slices "
            f"along axis {batch_axis}; expected a batch that {num_slice} divides, or even_split=False"
        )
    if size < num_slice:
        raise ValueError(
            f"[split_data] too many slices: {num_slice} for the shape {data.shape} along axis {batch_axis}"
        )
    step = size // num_slice
    # The first parts are one longer where it does not divide, as numpy.array_split has them.
    rest = size % num_slice
    ends = np.cumsum([0] + [step + 1] * rest + [step] * (num_slice - rest)).tolist()
    if batch_axis == 0:
        return [data[begin:end] for begin, end in zip(ends, ends[1:])]
    return [nd.slice_axis(data, axis=batch_axis, begin=b, end=e) for b, e in zip(ends, ends[1:])]


def split_and_load(
    data: Any, ctx_list: Sequence[Context], batch_axis: int = 0, even_split: bool = True
) -> list[NDArray]:
    """Cut a batch into as many parts as there are devices, and copy one to each.

    Parameters
    ----------
    data : NDArray or array_like
        A batch.
    ctx_list : list of Context
        Devices.
    batch_axis : int
        The axis of the batch.
    even_split : bool
        Whether all parts must have the same number of elements.

    Examples
    --------
    >>> import mixgrad as mx
    >>> parts = mx.gluon.utils.split_and_load(mx.nd.zeros((4, 2)), [mx.cpu(0), mx.cpu(1)])
    >>> [(part.shape, part.context) for part in parts]
    [((2, 2), cpu(0)), ((2, 2), cpu(1))]
    """
    if not isinstance(data, NDArray):
        data = nd.array(data, ctx=ctx_list[0])
    if len(ctx_list) == 1:
        return [data.as_in_context(ctx_list[0])]
    parts = split_data(data, len(ctx_list), batch_axis, even_split)
    return [part.as_in_context(context) for part, context in zip(parts, ctx_list)]


def clip_global_norm(
    arrays: Sequence[NDArray], max_norm: float, check_isfinite: bool = True
) -> Union[float, NDArray]:
    """Scale arrays, in place, so that their common 2-norm is at most ``max_norm``.

    Parameters
    ----------
    arrays : list of NDArray
        Such as all gradients; they may lie on several devices.
    max_norm : float
        The largest norm.
    check_isfinite : bool
        Whether to look at the norm, which waits for it, and to warn where it is not finite.

    Returns
    -------
    float or NDArray
        The norm before; an array of one element where it was not looked at.

    Examples
    --------
    >>> import mixgrad as mx
    >>> x = mx.nd.array([3.0, 4.0])
    >>> mx.gluon.utils.clip_global_norm([x], 1.0)
    5.0
    >>> x.asnumpy()
    array([0.6, 0.8], dtype=float32)
    """
    if not arrays:
        raise RefusedValueError("[clip_global_norm] arrays is empty; expected at least one")
    by_device: dict[Context, list[NDArray]] = {}
    for array in arrays:
        by_device.setdefault(array.context, []).append(array)
    place = arrays[0].context
    squares = [_sum_of_squares(group).as_in_context(place) for group in by_device.values()]
    total = nd.sqrt(nd.add_n(*squares))
    if check_isfinite:
        norm = total.asscalar()
        if not math.isfinite(norm):
            warnings.warn(
                UserWarning(
                    f"[clip_global_norm] the norm is {norm}; the clipped arrays have undefined values"
                ),
                stacklevel=2,
            )
    scale = nd.minimum(max_norm / (total + 1e-8), nd.ones(1, ctx=place, dtype=total.dtype))
    for context, group in by_device.items():
        factor = scale.as_in_context(context)
        for array in group:
            if array.stype == "default":
                array *= factor.astype(array.dtype, copy=False)
            else:  # by a number, which leaves it sparse
                array *= float(factor.asscalar())
    return float(norm) if check_isfinite else total


def _sum_of_squares(arrays: Sequence[NDArray]) -> NDArray:
    """Of arrays on one device, as an array of one float32."""
    dense = [array for array in arrays if array.stype == "default"]
    parts = [array.data if hasattr(array, "data") else array for array in arrays if array.stype != "default"]
    total: NDArray = nd.multi_sum_sq(*dense, *parts, num_arrays=len(arrays)).sum()
    return total.reshape((1,))


# Files.


def check_sha1(filename: str, sha1_hash: str) -> bool:
    """Whether a file has a SHA-1 checksum.

    Parameters
    ----------
    filename : str
        The file.
    sha1_hash : str
        40 hexadecimal digits.
    """
    digest = hashlib.sha1()
    with open(path_text(filename, "check_sha1"), "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest() == sha1_hash


def replace_file(src: str, dst: str) -> None:
    """Put a file in the place of another one, which readers see as one change."""
    try:
        os.replace(src, dst)
    except OSError:
        try:
            os.remove(src)
        finally:
            raise OSError(
                f"[replace_file] {src} cannot take the place of {dst}; {src} has been removed"
            ) from None


def download(
    url: str,
    path: Optional[str] = None,
    overwrite: bool = False,
    sha1_hash: Optional[str] = None,
    retries: int = 5,
    verify_ssl: bool = True,
) -> str:
    """Fetch a file, if it is not there.

    Parameters
    ----------
    url : str
        Where it is.
    path : str, optional
        The file, or a folder, in which it has the name at the end of ``url``; the current folder by default.
    overwrite : bool
        Whether a file that is there is fetched again.
    sha1_hash : str, optional
        Its checksum; a file with another one is fetched again, and refused if that does not help.
    retries : int
        How often to try again.
    verify_ssl : bool
        Whether certificates are checked; a warning says if not.

    Returns
    -------
    str
        The file.
    """
    if path is None:
        name = url.split("/")[-1]
        if not name:
            raise RefusedValueError(f"[download] {url!r} does not end in a name of a file; give a path")
    else:
        path = os.path.expanduser(path)
        name = os.path.join(path, url.split("/")[-1]) if os.path.isdir(path) else path
    if retries < 0:
        raise RefusedValueError(f"[download] retries is {retries}; expected at least 0")
    if not verify_ssl:
        warnings.warn(
            "Unverified HTTPS request: certificates are not checked, since verify_ssl is False",
            stacklevel=2,
        )
    there = os.path.exists(name) and (not sha1_hash or check_sha1(name, sha1_hash))
    if there and not overwrite:
        return name
    os.makedirs(os.path.dirname(os.path.abspath(os.path.expanduser(name))), exist_ok=True)
    for left in range(retries, -1, -1):
        try:
            _fetch(url, name, verify_ssl)
            if sha1_hash and not check_sha1(name, sha1_hash):
                raise UserWarning(f"[download] {name} has another checksum than {sha1_hash}")
            return name
        except Exception as error:
            if left == 0:
                raise
            print(f"[download] {url}: {error!r}; {left} {'tries' if left > 1 else 'try'} left")
    raise AssertionError("unreachable")


def _fetch(url: str, name: str, verify_ssl: bool) -> None:
    """Write what is at an address to a file, which appears complete or not at all."""
    try:
        requests: Any = importlib.import_module("requests")
    except ImportError as error:
        raise UnsupportedError(
            f"[download] {url}: downloads need the package requests, which cannot be imported: {error}"
        ) from error
    print(f"Downloading {name} from {url}...")
    answer: Any = requests.get(url, stream=True, verify=verify_ssl, timeout=60)
    if answer.status_code != 200:
        raise RuntimeError(f"[download] {url} answers {answer.status_code}")
    part = f"{name}.{uuid.uuid4()}"
    try:
        with open(part, "wb") as file:
            for piece in answer.iter_content(chunk_size=1 << 16):
                if piece:
                    file.write(piece)
        replace_file(part, name)
    finally:
        if os.path.exists(part):
            os.remove(part)


# Shapes, texts and hooks.


def shape_is_known(shape: Optional[tuple[int, ...]]) -> bool:
    """Whether the number of axes and all extents are known; an extent that is not is 0, or -1 inside
    :func:`mixgrad.np_shape`.

    >>> shape_is_known((2, 3)), shape_is_known((2, 0)), shape_is_known(None)
    (True, False, False)
    """
    if shape is None:
        return False
    if is_np_shape():
        return -1 not in shape
    return len(shape) > 0 and all(extent > 0 for extent in shape)


def _indent(text: str, num_spaces: int) -> str:
    """All lines but the first moved to the right.

    >>> _indent("a(\\nb\\n)", 2)
    'a(\\n  b\\n  )'
    """
    first, *rest = text.split("\n")
    return "\n".join([first, *(" " * num_spaces + line for line in rest)])


def _brief_print_list(names: Iterable[Any], limit: int = _SHOWN) -> str:
    """A few names, for messages.

    >>> _brief_print_list("abcdefghij", 4)
    "'a', 'b', ..., 'i', 'j'"
    """
    listed = list(names)
    if len(listed) > limit:
        return f"{_brief_print_list(listed[: limit // 2])}, ..., {_brief_print_list(listed[-limit // 2 :])}"
    return ", ".join(f"'{name}'" for name in listed)


class HookHandle:
    """What registering a hook gives; :meth:`detach`, or the end of a ``with`` block, takes the hook away."""

    def __init__(self) -> None:
        self._hooks: Optional[Any] = None
        self._id: Optional[int] = None

    def attach(self, hooks_dict: MutableMapping[int, Callable[..., Any]], hook: Callable[..., Any]) -> None:
        """Put a hook among others."""
        if self._hooks is not None:
            raise RefusedValueError("[HookHandle] the handle has a hook already")
        self._id = id(hook)
        hooks_dict[self._id] = hook
        self._hooks = weakref.ref(hooks_dict)

    def detach(self) -> None:
        """Take the hook away; nothing happens the second time."""
        hooks = self._hooks() if self._hooks is not None else None
        if hooks is not None:
            hooks.pop(self._id, None)
        self._hooks = None

    def __enter__(self) -> HookHandle:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.detach()
