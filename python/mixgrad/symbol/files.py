"""Symbols from files and text."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .. import _core
from .._remote import read_uri
from .._uri import is_uri
from ..base import MissingFileError, NotFoundError, path_text
from .base import symbol_of

if TYPE_CHECKING:
    from .symbol import Symbol

__all__ = ["fromjson", "load", "load_json"]


def load(fname: str) -> Symbol:
    """Reads a ``-symbol.json`` file of MXNet 0.7 to 1.9 or of mixgrad.

    Parameters
    ----------
    fname : str or path
        Local path, or a URI such as ``s3://bucket/key`` that fsspec understands.
    """
    name = path_text(fname, "load")
    try:
        if not is_uri(name):
            return symbol_of(_core.symbol_load(os.fsencode(name)))
        return symbol_of(_core.symbol_from_json(read_uri(name).decode("utf-8", "replace"), name))
    except NotFoundError as error:
        if is_uri(name) or os.path.exists(name):
            raise
        raise MissingFileError(str(error)) from None


def load_json(json_str: str) -> Symbol:
    """Reads what :meth:`Symbol.tojson` gives, or the text of a file.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.sym.load_json(mx.sym.relu(mx.sym.var("x")).tojson()).list_arguments()
    ['x']
    """
    if not isinstance(json_str, str):
        raise TypeError(f"[load_json] json_str is {type(json_str).__name__}; expected str")
    return symbol_of(_core.symbol_from_json(json_str, "the text"))


fromjson = load_json
