"""Storing arrays of ``mx.np`` in files, and reading them back."""

from __future__ import annotations

from typing import Any

from ..ndarray import files
from ..numpy.operands import tensor

__all__ = ["load", "save"]


def save(file: Any, arr: Any) -> None:
    """Writes arrays to a file, as :func:`mixgrad.nd.save` does.

    Parameters
    ----------
    file : str or path
    arr : ndarray, list of ndarray, or dict of str to ndarray
    """
    files.save(file, arr)


def load(file: Any) -> Any:
    """Reads arrays from a file, as :func:`mixgrad.nd.load` does, as those of ``mx.np``.

    Returns
    -------
    list of ndarray, or dict of str to ndarray
    """
    loaded = files.load(file)
    if isinstance(loaded, dict):
        return {name: None if x is None else tensor(x) for name, x in loaded.items()}
    return [None if x is None else tensor(x) for x in loaded]
