"""Folders and lists of picture files as data sets."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np

from ..._files import PathLike, read_file
from ...base import FileError, FileFormatError, path_text
from .arrays import Transform

__all__ = ["ImageFolderDataset", "ImageListDataset"]

_ENDS = (".jpg", ".jpeg", ".png")


class _PictureFiles:
    """Picture files with a label each."""

    items: list[tuple[str, Any]]

    def __init__(self, flag: int, transform: Optional[Transform]) -> None:
        self._flag, self._transform = flag, transform

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, idx: int) -> Any:
        from ... import image

        path, label = self.items[idx]
        data = image.imread(path, self._flag)
        return (data, label) if self._transform is None else self._transform(data, label)


class ImageFolderDataset(_PictureFiles):
    """Pictures in one folder per class; follows ``mxnet.gluon.data.vision.ImageFolderDataset``.

    An example is a picture, NDArray of shape (height, width, channels) and type uint8, and the number of its
    class: the place of its folder among all, in order of name. Files whose names do not end in .jpg, .jpeg
    or .png are left out with a warning.

    Parameters
    ----------
    root : path
        The folder of the classes' folders.
    flag : {0, 1}
        0: one channel of grey, 1: three of colours.
    transform : function, optional
        Gets a picture and its label; what it returns is the example.

    Attributes
    ----------
    synsets : list of str
        Names of the classes.
    items : list of tuple
        Path and class of each picture.
    """

    def __init__(self, root: PathLike, flag: int = 1, transform: Optional[Transform] = None) -> None:
        super().__init__(flag, transform)
        self._root = os.path.expanduser(path_text(root, type(self).__name__))
        self.synsets: list[str] = []
        self.items = []
        for folder in self._listed(self._root):
            path = os.path.join(self._root, folder)
            if not os.path.isdir(path):
                warnings.warn(f"[ImageFolderDataset] {path!r} is left out: it is no folder", stacklevel=2)
                continue
            for name in self._listed(path):
                file = os.path.join(path, name)
                if os.path.splitext(name)[1].lower() in _ENDS:
                    self.items.append((file, len(self.synsets)))
                else:
                    ends = ", ".join(_ENDS)
                    warnings.warn(
                        f"[ImageFolderDataset] {file!r} is left out: expected names that end in {ends}",
                        stacklevel=2,
                    )
            self.synsets.append(folder)

    @staticmethod
    def _listed(folder: str) -> list[str]:
        try:
            return sorted(os.listdir(folder))
        except OSError as error:
            raise FileError(
                f"[ImageFolderDataset] cannot read the folder {folder!r}: {error.strerror or error}"
            ) from None


class ImageListDataset(_PictureFiles):
    """Pictures that a list names, with their labels; follows MXNet's ``ImageListDataset``.

    An example is a picture, NDArray of shape (height, width, channels) and type uint8, and its labels, a
    NumPy array of float32.

    Parameters
    ----------
    root : path
        The folder from which the paths of the list start.
    imglist : path or list
        A ``.lst`` file (each line: number, labels and path, parted by tabs), or pairs of labels (a number or
        several) and path.
    flag : {0, 1}
        0: one channel of grey, 1: three of colours.
    transform : function, optional
        Gets a picture and its labels; what it returns is the example.

    Attributes
    ----------
    items : list of tuple
        Path and labels of each picture.
    """

    def __init__(
        self,
        root: PathLike = ".",
        imglist: Union[PathLike, Sequence[Any], None] = None,
        flag: int = 1,
        transform: Optional[Transform] = None,
    ) -> None:
        super().__init__(flag, transform)
        self._root = os.path.expanduser(path_text(root, type(self).__name__))
        if isinstance(imglist, (str, bytes, os.PathLike)):
            self.items = self._from_file(os.path.join(self._root, os.fsdecode(imglist)))
        elif isinstance(imglist, Sequence):
            self.items = [self._item(number, one) for number, one in enumerate(imglist)]
        else:
            raise TypeError(
                f"[ImageListDataset] imglist is {type(imglist).__name__}; expected the path of a list, "
                "or pairs of label and path"
            )

    def _from_file(self, path: str) -> list[tuple[str, Any]]:
        who = "ImageListDataset"
        items = []
        try:
            lines = read_file(path, who).decode("utf-8").splitlines()
        except UnicodeDecodeError as error:
            raise FileFormatError(f"[{who}] {path!r} is no text: {error}") from None
        for number, line in enumerate(lines):
            if not line.strip():
                continue
            fields = line.strip().split("\t")
            try:
                if len(fields) < 3:
                    raise ValueError(f"it has {len(fields)} fields")
                label = np.array([float(field) for field in fields[1:-1]], np.float32)
            except ValueError as error:
                raise FileFormatError(
                    f"[{who}] line {number + 1} of {path!r} is {line!r:.60}; expected number, labels and "
                    f"path parted by tabs: {error}"
                ) from None
            items.append((os.path.join(self._root, fields[-1]), label))
        return items

    def _item(self, number: int, one: Any) -> tuple[str, Any]:
        try:
            labels, path = one
            label = np.array(labels, np.float32).reshape(-1)
            return os.path.join(self._root, os.fsdecode(path)), label
        except (TypeError, ValueError):
            raise TypeError(
                f"[ImageListDataset] entry {number} of imglist is {one!r:.60}; expected a pair of label "
                "and path"
            ) from None
