"""Factors of losses that keep gradients of 16 bits in their range."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from ... import autograd
from ... import ndarray as nd

__all__ = ["LossScaler"]


class LossScaler:
    """A factor of losses: halved when gradients overflow, doubled after 2000 steps without.

    Examples
    --------
    >>> import mixgrad as mx
    >>> scaler = mx.contrib.amp.amp.LossScaler()
    >>> scaler.loss_scale
    65536.0
    """

    def __init__(self) -> None:
        self._loss_scale = self._next_loss_scale = 2.0**16
        self._max_loss_scale = 2.0**24
        self._scale_seq_len = 2000
        self._unskipped = 0

    @property
    def loss_scale(self) -> float:
        """The factor."""
        return self._loss_scale

    def has_overflow(self, params: Sequence[Any]) -> bool:
        """Whether a gradient is infinite or NaN; the factor of the next step follows.

        Parameters
        ----------
        params : list of Parameter, or of NDArray with gradients
            Whose gradients.
        """
        gradients = []
        for one in params:
            found = getattr(one, "_grad", None)
            found = found[0] if isinstance(found, (list, tuple)) else getattr(one, "grad", None)
            if found is not None and not callable(found):
                gradients.append(found)
        finite = True
        with autograd.pause():
            for start in range(0, len(gradients), 200):
                part = gradients[start : start + 200]
                finite = finite and bool(nd.multi_all_finite(*part, num_arrays=len(part)).asscalar())
        self._loss_scale = self._next_loss_scale
        if not finite:
            self._next_loss_scale, self._unskipped = self._loss_scale / 2, 0
            logging.info("AMP: the loss scale goes down to %g", self._next_loss_scale)
        else:
            self._unskipped += 1
        if self._unskipped == self._scale_seq_len:
            self._unskipped = 0
            self._next_loss_scale = min(self._max_loss_scale, self._loss_scale * 2)
            logging.info("AMP: the loss scale goes up to %g", self._next_loss_scale)
        return not finite
