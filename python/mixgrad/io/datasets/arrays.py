"""Data sets that lie in memory as arrays: what those of files of pixels share."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Callable, Optional

import numpy as np
import numpy.typing as npt

from ... import ndarray as nd
from ..._base_names import data_dir
from ..._files import PathLike
from ...base import MissingFileError, path_text

__all__ = ["PixelDataset", "Transform", "found_file"]

Transform = Callable[[Any, Any], Any]


def found_file(root: str, names: Iterable[str], who: str, source: str) -> str:
    """The first of these files that is in the folder; the error says which one belongs there, and whence."""
    tried = list(names)
    for name in tried:
        path = os.path.join(root, name)
        if os.path.exists(path):
            return path
    raise MissingFileError(
        f"[{who}] {root!r} has no file {tried[0]!r}, and mixgrad downloads nothing; expected the files "
        f"of {source}"
    )


class PixelDataset(ABC):
    """Pictures of one size with a label each, all in memory.

    Parameters
    ----------
    folder : str
        Name of the folder in ``datasets`` of ``mx.base.data_dir()``, for when ``root`` is None.
    root : path, optional
        The folder of the files.
    transform : function, optional
        Gets a picture and its label; what it returns is the example.
    """

    def __init__(self, folder: str, root: Optional[PathLike], transform: Optional[Transform]) -> None:
        if root is None:
            root = os.path.join(data_dir(), "datasets", folder)
        self._root = os.path.expanduser(path_text(root, type(self).__name__))
        self._transform = transform
        data, label = self._read()
        self._data = nd.array(data, dtype="uint8")
        self._label = label

    @abstractmethod
    def _read(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
        """Pictures, shape (count, height, width, channels), and labels."""

    def __len__(self) -> int:
        return len(self._label)

    def __getitem__(self, idx: Any) -> Any:
        data, label = self._data[idx], self._label[idx]
        return (data, label) if self._transform is None else self._transform(data, label)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} pictures of shape {self._data.shape[1:]}>"
