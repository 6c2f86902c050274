"""Checkpoints: a graph, its parameters, and which of several is the last."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping
from operator import index
from typing import Any, Callable, NamedTuple, Optional

from .. import ndarray as nd
from .._files import together
from .._progress import note, warn
from ..base import FileFormatError
from ..context import cpu
from ..ndarray import NDArray

__all__ = [
    "checkpoint_files",
    "last_checkpoint",
    "load_checkpoint",
    "load_params",
    "params_from",
    "params_with_kinds",
    "save_checkpoint",
    "write_checkpoint",
]

Params = dict[str, NDArray]


class CheckpointFiles(NamedTuple):
    """The names of a checkpoint's files."""

    symbol: str
    states: str
    params: str


def checkpoint_files(prefix: str, epoch: int, who: str = "load_checkpoint") -> CheckpointFiles:
    """Return the names of a checkpoint's files; all checkpoints of a prefix share the graph's."""
    try:
        numbered = f"{prefix}-{index(epoch):04d}"
    except TypeError:
        kind = type(epoch).__name__
        raise TypeError(f"[{who}] epoch is {kind}: {epoch!r:.60}; expected a whole number") from None
    return CheckpointFiles(f"{prefix}-symbol.json", f"{numbered}.states", f"{numbered}.params")


def params_with_kinds(arg_params: Mapping[str, NDArray], aux_params: Mapping[str, NDArray]) -> Params:
    """Return both in one dict, named ``arg:<name>`` and ``aux:<name>``, on the host."""
    named = {f"arg:{name}": value for name, value in arg_params.items()}
    named.update({f"aux:{name}": value for name, value in aux_params.items()})
    return {name: value.as_in_context(cpu()) for name, value in named.items()}


def params_from(path: str, strict: bool = False) -> tuple[Params, Params]:
    """Read arguments and auxiliary states from a file; others are left out, or refused if ``strict``."""
    loaded = nd.load(path)
    kinds: dict[str, Params] = {"arg": {}, "aux": {}}
    if not loaded:
        warn(logging, "Params file '%s' is empty", path)
        return kinds["arg"], kinds["aux"]
    if not isinstance(loaded, dict):
        raise FileFormatError(f"[load_params] {path!r} holds {len(loaded)} arrays without names")
    for key, value in loaded.items():
        kind, _, name = key.partition(":")
        if kind in kinds and name:
            kinds[kind][name] = value
        elif strict:
            raise FileFormatError(
                f"[load_params] {path!r} has an array {key!r}; expected arg:<name> or aux:<name>"
            )
    if not kinds["arg"] and not kinds["aux"]:
        raise FileFormatError(
            f"[load_params] {path!r} holds {len(loaded)} arrays, such as {next(iter(loaded))!r}; expected "
            "names arg:<name> or aux:<name>"
        )
    return kinds["arg"], kinds["aux"]


def save_checkpoint(
    prefix: str,
    epoch: int,
    symbol: Any,
    arg_params: Mapping[str, NDArray],
    aux_params: Mapping[str, NDArray],
    remove_amp_cast: bool = True,
) -> None:
    """Write ``<prefix>-symbol.json`` and ``<prefix>-<epoch>.params``.

    They appear when both are on the disk, the parameters last: where they are, the checkpoint is whole. When
    something fails, such as a full disk, both old files stay.

    Parameters
    ----------
    prefix : str
        Start of the file names.
    epoch : int
        Number of the checkpoint.
    symbol : Symbol or None
        The graph; None leaves its file alone.
    arg_params, aux_params : dict of str to NDArray
        Arguments and auxiliary states.
    remove_amp_cast : bool
        Whether casts that mixed precision put into the graph are left out of the file.

    Examples
    --------
    >>> import mixgrad as mx, os, tempfile
    >>> prefix = os.path.join(tempfile.mkdtemp(), "net")
    >>> mx.model.save_checkpoint(prefix, 3, None, {"w": mx.nd.ones((2,))}, {})
    >>> arg_params, aux_params = mx.model.load_params(prefix, 3)
    >>> arg_params["w"].shape, mx.model.last_checkpoint(prefix)
    ((2,), 3)
    """
    write_checkpoint(
        prefix,
        epoch,
        symbol,
        lambda path: nd.save(path, params_with_kinds(arg_params, aux_params)),
        remove_amp_cast=remove_amp_cast,
    )


def write_checkpoint(
    prefix: str,
    epoch: int,
    symbol: Any,
    save_params: Callable[[str], None],
    save_states: Optional[Callable[[str], None]] = None,
    remove_amp_cast: bool = True,
) -> None:
    """Have the files of a checkpoint written, which appear together, the parameters last."""
    files = checkpoint_files(prefix, epoch, "save_checkpoint")
    with together():
        if symbol is not None:
            symbol.save(files.symbol, remove_amp_cast=remove_amp_cast)
        if save_states is not None:
            save_states(files.states)
        save_params(files.params)
    if save_states is not None:
        note(logging, 'Saved optimizer state to "%s"', files.states)
    note(logging, 'Saved checkpoint to "%s"', files.params)


def load_params(prefix: str, epoch: int) -> tuple[Params, Params]:
    """Return ``(arg_params, aux_params)`` of a checkpoint."""
    return params_from(checkpoint_files(prefix, epoch, "load_params").params)


def load_checkpoint(prefix: str, epoch: int) -> tuple[Any, Params, Params]:
    """Return ``(symbol, arg_params, aux_params)`` of a checkpoint."""
    from .. import symbol as sym

    return (sym.load(checkpoint_files(prefix, epoch).symbol), *load_params(prefix, epoch))


def last_checkpoint(prefix: str) -> Optional[int]:
    """Return the number of the last checkpoint of that prefix, or None. A killed run goes on from it.

    Examples
    --------
    >>> import mixgrad as mx
    >>> epoch = mx.model.last_checkpoint("no-such-model")
    >>> epoch is None
    True
    """
    folder, base = os.path.split(prefix)
    numbered = re.compile(re.escape(base) + r"-(\d{4,})\.params")
    try:
        names = os.listdir(folder or ".")
    except FileNotFoundError:
        return None
    return max((int(match[1]) for name in names if (match := numbered.fullmatch(name))), default=None)
