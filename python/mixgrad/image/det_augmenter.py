"""Changes of pictures together with the boxes of what they show: their base, and the simple ones.

Labels are float arrays of shape (objects, 5 or more): class, then left, top, right and bottom as parts of the
picture's width and height; more columns stay as they are.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any, Union

import numpy as np

from .. import ops
from ..base import InvalidArgumentError
from ..ndarray import NDArray
from .amounts import amount
from .augmenter import Augmenter, plain

__all__ = ["DetAugmenter", "DetBorrowAug", "DetHorizontalFlipAug", "DetRandomSelectAug"]

Label = np.ndarray[Any, Any]


class DetAugmenter:
    """Base of changes of pictures with boxes: a call gives the changed picture and the changed label.

    Parameters
    ----------
    kwargs
        What ``dumps`` says of it.

    Follows MXNet's ``mx.image.DetAugmenter``.
    """

    def __init__(self, **kwargs: Any) -> None:
        self._kwargs = {name: plain(value) for name, value in kwargs.items()}

    def dumps(self) -> Any:
        """Return its name and parameters as JSON."""
        return json.dumps([type(self).__name__.lower(), self._kwargs])

    def __call__(self, src: NDArray, label: Label) -> tuple[NDArray, Label]:
        """Return the changed picture and label; ``src`` is (height, width, channels)."""
        raise NotImplementedError(f"[{type(self).__name__}] __call__ is not overridden")


class DetBorrowAug(DetAugmenter):
    """An augmenter of pictures that leaves boxes, as parts of the picture, where they are.

    Parameters
    ----------
    augmenter : Augmenter
        Such as :class:`ForceResizeAug` or one that changes colours.

    Follows MXNet's ``mx.image.DetBorrowAug``.
    """

    def __init__(self, augmenter: Augmenter) -> None:
        if not isinstance(augmenter, Augmenter):
            raise TypeError(f"[DetBorrowAug] augmenter is {type(augmenter).__name__}; expected an Augmenter")
        super().__init__(augmenter=augmenter.dumps())
        self.augmenter = augmenter

    def dumps(self) -> Any:
        """Return its name and what the augmenter says."""
        return [type(self).__name__.lower(), self.augmenter.dumps()]

    def __call__(self, src: NDArray, label: Label) -> tuple[NDArray, Label]:
        return self.augmenter(src), label


class DetRandomSelectAug(DetAugmenter):
    """One augmenter of several by chance, or none.

    Parameters
    ----------
    aug_list : list of DetAugmenter
        The list itself is shuffled in each call, as in MXNet.
    skip_prob : float
        The probability of none. Python's ``random`` is drawn from.

    Follows MXNet's ``mx.image.DetRandomSelectAug``.
    """

    def __init__(self, aug_list: Union[DetAugmenter, Sequence[DetAugmenter]], skip_prob: float = 0) -> None:
        amount(skip_prob, "DetRandomSelectAug", "skip_prob")
        super().__init__(skip_prob=skip_prob)
        members: list[Any] = list(aug_list) if isinstance(aug_list, (list, tuple)) else [aug_list]
        for member in members:
            if not isinstance(member, DetAugmenter):
                raise InvalidArgumentError(
                    f"[DetRandomSelectAug] aug_list holds {type(member).__name__}; expected DetAugmenters"
                )
        self.aug_list: list[DetAugmenter] = members
        self.skip_prob = skip_prob if members else 1

    def dumps(self) -> Any:
        """Return its name and what its members say."""
        return [type(self).__name__.lower(), [member.dumps() for member in self.aug_list]]

    def __call__(self, src: NDArray, label: Label) -> tuple[NDArray, Label]:
        if random.random() < self.skip_prob:
            return src, label
        random.shuffle(self.aug_list)
        return self.aug_list[0](src, label)


class DetHorizontalFlipAug(DetAugmenter):
    """Exchanges left and right by chance; the label is changed in place.

    Parameters
    ----------
    p : float
        The probability, for which a number of Python's ``random`` is drawn.

    Follows MXNet's ``mx.image.DetHorizontalFlipAug``.
    """

    def __init__(self, p: float) -> None:
        amount(p, "DetHorizontalFlipAug", "p")
        super().__init__(p=p)
        self.p = p

    def __call__(self, src: NDArray, label: Label) -> tuple[NDArray, Label]:
        if random.random() < self.p:
            src = ops.reverse(src, axis=1)
            label[:, [1, 3]] = 1.0 - label[:, [3, 1]]
        return src, label
