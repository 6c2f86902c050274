"""Batches of pictures with the boxes of what they show."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Optional

import numpy as np

from ..base import InvalidArgumentError, ShapeError
from ..io import DataDesc
from ..ndarray import NDArray
from .boxes import draw_boxes, show
from .creation import IMAGENET_MEAN, IMAGENET_STD, per_channel
from .det_augmenter import Label
from .det_creation import CreateDetAugmenter
from .iterator import ImageIter, Path

__all__ = ["ImageDetIter"]

_FIELDS = 5  # class, left, top, right, bottom


class ImageDetIter(ImageIter):
    """Batches of pictures with boxes, from record files or from files that a list names.

    A label is a list of numbers: A, how many of them come before the objects (2 or more); B, how many each
    object has (5 or more); A - 2 numbers that are left out; then B numbers per object: its class, left, top,
    right and bottom as parts of width and height, and B - 5 more. Objects without area are left out.
    Labels of a batch have the shape of the largest of all; rows of -1 fill them.

    Parameters
    ----------
    batch_size : int
        Pictures per batch.
    data_shape : tuple of int
        (3, height, width).
    path_imgrec, path_imglist, path_root, path_imgidx, shuffle, part_index, num_parts, imglist, data_name
        As in :class:`ImageIter`.
    aug_list : list of DetAugmenter, optional
        What is done to each picture and label; ``CreateDetAugmenter(data_shape, **kwargs)`` without.
    label_name : str
        Name of the array of labels.
    last_batch_handle : {'pad', 'discard', 'roll_over'}
        As in :class:`ImageIter`.
    damaged : {'raise', 'skip'}
        As in :class:`ImageIter`.
    kwargs
        For :func:`CreateDetAugmenter`.

    Attributes
    ----------
    label_shape : tuple of int
        (objects, numbers per object) of each label in a batch. All labels are read once to find it.

    Follows MXNet's ``mx.image.ImageDetIter``.
    """

    def __init__(
        self,
        batch_size: int,
        data_shape: tuple[int, ...],
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
        label_name: str = "label",
        last_batch_handle: str = "pad",
        damaged: str = "raise",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            batch_size=batch_size,
            data_shape=data_shape,
            path_imgrec=path_imgrec,
            path_imglist=path_imglist,
            path_root=path_root,
            path_imgidx=path_imgidx,
            shuffle=shuffle,
            part_index=part_index,
            num_parts=num_parts,
            aug_list=CreateDetAugmenter(data_shape, **kwargs) if aug_list is None else aug_list,
            imglist=imglist,
            data_name=data_name,
            label_name=label_name,
            last_batch_handle=last_batch_handle,
            damaged=damaged,
        )
        self.label_shape: tuple[int, int] = self._estimate_label_shape()
        self._describe()
        self.reset()  # once more than is needed: seeds give MXNet's orders

    def _describe(self) -> None:
        data, label = self.provide_data[0], self.provide_label[0]
        self.provide_data = [DataDesc(data.name, (self.batch_size, *self.data_shape))]
        self.provide_label = [DataDesc(label.name, (self.batch_size, *self.label_shape))]

    def _estimate_label_shape(self) -> tuple[int, int]:
        """The largest of all labels; the pass begins anew behind it."""
        objects = numbers = 0
        try:
            while True:
                label = self._parse_label(self.next_sample()[0])
                objects, numbers = max(objects, label.shape[0]), max(numbers, label.shape[1])
        except StopIteration:
            pass
        self.reset()
        return objects, numbers

    def _parse_label(self, label: Any) -> Label:
        """A label's numbers as (objects, numbers per object), without objects that have no area."""
        who = type(self).__name__
        raw = np.asarray(label.asnumpy() if isinstance(label, NDArray) else label).reshape(-1)
        if raw.size < 2 + _FIELDS:
            raise ShapeError(
                f"[{who}] a label has {raw.size} numbers; expected at least {2 + _FIELDS}: A, B, an object"
            )
        header, width = int(raw[0]), int(raw[1])
        if width < _FIELDS or header < 2 or (raw.size - header) % width != 0 or raw.size <= header:
            raise ShapeError(
                f"[{who}] a label of {raw.size} numbers begins with {raw[0]:g} and {raw[1]:g}; expected how "
                f"many come before the objects, 2 or more, and how many each object has, {_FIELDS} or more"
            )
        out = raw[header:].reshape(-1, width)
        full = out[(out[:, 3] > out[:, 1]) & (out[:, 4] > out[:, 2])]
        if not len(full):
            raise InvalidArgumentError(
                f"[{who}] a label's {len(out)} objects all have no area: {out[0].tolist()}"
            )
        return full

    def _check_valid_label(self, label: Label) -> None:
        """Refuse labels without an object of a class and an area."""
        if label.ndim != 2 or label.shape[1] < _FIELDS:
            raise ShapeError(
                f"[{type(self).__name__}] a label has shape {label.shape}; expected (objects, 5 or more)"
            )
        valid = (label[:, 0] >= 0) & (label[:, 3] > label[:, 1]) & (label[:, 4] > label[:, 2])
        if not valid.any():
            raise InvalidArgumentError(
                f"[{type(self).__name__}] no object of a label has a class and an area"
            )

    def check_label_shape(self, label_shape: Sequence[int]) -> None:
        """Refuse shapes of labels that are smaller than the present one, or have other objects."""
        who = type(self).__name__
        if len(label_shape) != 2:
            raise InvalidArgumentError(f"[{who}] label_shape is {tuple(label_shape)}; expected two extents")
        if label_shape[0] < self.label_shape[0]:
            raise InvalidArgumentError(
                f"[{who}] label_shape has {label_shape[0]} rows; expected at least {self.label_shape[0]}"
            )
        if label_shape[1] != self.label_shape[1]:
            raise InvalidArgumentError(
                f"[{who}] rows of label_shape have {label_shape[1]} numbers; expected {self.label_shape[1]}"
            )

    def reshape(
        self, data_shape: Optional[tuple[int, ...]] = None, label_shape: Optional[tuple[int, int]] = None
    ) -> None:
        """Give batches other shapes; augmenters stay, and must give pictures of the new size.

        Parameters
        ----------
        data_shape : tuple of int, optional
            (3, height, width).
        label_shape : tuple of int, optional
            (objects, numbers per object), not smaller than it is.
        """
        if data_shape is not None:
            self.check_data_shape(data_shape)
        if label_shape is not None:
            self.check_label_shape(label_shape)
            self.label_shape = (label_shape[0], label_shape[1])
        if data_shape is not None:
            self.data_shape = tuple(data_shape)
        self._describe()

    def sync_label_shape(self, it: ImageDetIter, verbose: bool = False) -> ImageDetIter:
        """Give this iterator and another one the larger of their shapes of labels.

        Parameters
        ----------
        it : ImageDetIter
            The other one, such as that for validation.
        verbose : bool
            Log the change.

        Returns
        -------
        ImageDetIter
            ``it``.
        """
        if not isinstance(it, ImageDetIter):
            raise TypeError(f"[sync_label_shape] it is {type(it).__name__}; expected an ImageDetIter")
        ours, theirs = self.label_shape, it.label_shape
        if ours[1] != theirs[1]:
            raise InvalidArgumentError(
                f"[sync_label_shape] objects have {ours[1]} numbers here and {theirs[1]} there; not the same"
            )
        common = (max(ours[0], theirs[0]), ours[1])
        for one in (self, it):
            if one.label_shape != common:
                if verbose:
                    logging.info("[sync_label_shape] labels of %s become %s", one.label_shape, common)
                one.reshape(None, common)
        return it

    def _batchify(self, batch_data: NDArray, batch_label: NDArray, start: int = 0) -> int:
        at = start
        while at < self.batch_size:
            try:
                raw, content = self.next_sample()
            except StopIteration:
                break
            picture = self._checked(content)
            if picture is None:
                continue
            try:
                picture, label = self.augmentation_transform(picture, self._parse_label(raw))
                self._check_valid_label(label)
            except RuntimeError as error:
                logging.getLogger(__name__).debug("[%s] skipped: %s", type(self).__name__, error)
                continue
            self._put(batch_data, at, self.postprocess_data(picture))
            self._put_objects(batch_label, at, label)
            at += 1
        return at

    def _put_objects(self, batch: NDArray, at: int, label: Label) -> None:
        if label.shape[0] > self.label_shape[0] or label.shape[1] != self.label_shape[1]:
            raise ShapeError(
                f"[{type(self).__name__}] the label of {self._place()} has shape {label.shape}; labels of "
                f"batches have {self.label_shape}"
            )
        rows = np.full(self.label_shape, -1, np.float32)
        rows[: len(label)] = label
        batch[at] = rows

    def augmentation_transform(self, data: NDArray, label: Label) -> tuple[NDArray, Label]:  # type: ignore[override]
        """Apply the augmenters to a picture (height, width, channels) and its label."""
        for augmenter in self.auglist:
            data, label = augmenter(data, label)
        return data, label

    def draw_next(
        self,
        color: Optional[Sequence[float]] = None,
        thickness: int = 2,
        mean: Any = None,
        std: Any = None,
        clip: bool = True,
        waitKey: Optional[int] = None,
        window_name: str = "draw_next",
        id2labels: Optional[Mapping[int, str]] = None,
    ) -> Iterator[np.ndarray[Any, Any]]:
        """Give the next pictures, as augmented, with their boxes drawn.

        Parameters
        ----------
        color : tuple of float, optional
            (red, green, blue); without, each box has its own by chance.
        thickness : int
            Of lines, in pixels.
        mean, std : numpy.ndarray or True, optional
            What augmenters have subtracted and divided by, to be undone; True: those of ImageNet's pictures.
        clip : bool
            Cut numbers to 0 ... 255 rather than let them wrap around.
        waitKey : int, optional
            Show each picture in a window of OpenCV, and wait for a key so many milliseconds (0: for ever).
        window_name : str
            The window's title.
        id2labels : dict, optional
            Names of classes, drawn by Pillow.

        Yields
        ------
        numpy.ndarray
            uint8 of shape (height, width, 3), blue first.
        """
        mean = per_channel(mean, np.array(IMAGENET_MEAN), "draw_next", "mean")
        std = per_channel(std, np.array(IMAGENET_STD), "draw_next", "std")
        while True:
            try:
                raw, content = self.next_sample()
            except StopIteration:
                return
            picture = self._checked(content)
            if picture is None:
                continue
            picture, label = self.augmentation_transform(picture, self._parse_label(raw))
            pixels = picture.asnumpy()
            if std is not None:
                pixels = pixels * _numbers(std)
            if mean is not None:
                pixels = pixels + _numbers(mean)
            pixels = np.clip(pixels, 0, 255) if clip else pixels
            drawn = np.ascontiguousarray(pixels.astype(np.int64).astype(np.uint8))
            draw_boxes(drawn, label, color, thickness, id2labels)
            drawn = np.ascontiguousarray(drawn[:, :, ::-1])
            if waitKey is not None:
                show(drawn, waitKey, window_name)
            yield drawn


def _numbers(given: Any) -> np.ndarray[Any, Any]:
    return given.asnumpy() if isinstance(given, NDArray) else np.asarray(given)
