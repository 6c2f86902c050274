"""The base of all losses, and what they share."""

from __future__ import annotations

from numbers import Number
from typing import Any, Optional

from ... import ndarray as nd
from ...base import RefusedTypeError
from ..block import HybridBlock

__all__ = ["Loss", "reshape_like", "weighted"]


def weighted(F: Any, loss: Any, weight: Optional[float] = None, sample_weight: Any = None) -> Any:
    """A loss times the weights of samples, which are broadcast to it, and times a number."""
    if sample_weight is not None:
        loss = F.broadcast_mul(loss, sample_weight)
    if weight is not None:
        if not isinstance(weight, Number):
            raise RefusedTypeError(f"[Loss] weight is {type(weight).__name__}; expected a number")
        loss = loss * weight
    return loss


def reshape_like(F: Any, x: Any, y: Any) -> Any:
    """``x`` in the shape of ``y``."""
    if F is not nd:
        return F.reshape_like(x, y)
    if not hasattr(y, "shape"):
        raise RefusedTypeError(f"[Loss] got {type(y).__name__} beside the prediction; expected an array")
    shape = y.shape
    return x if x.shape == shape else x.reshape(shape)


class Loss(HybridBlock):
    """The base of all losses, which are blocks: ``loss(pred, label)``.

    Parameters
    ----------
    weight : float, optional
        A factor of the loss.
    batch_axis : int
        The axis of the samples, each of which has its loss.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.gluon.loss.L1Loss(weight=2)
    L1Loss(batch_axis=0, w=2)
    """

    def __init__(self, weight: Optional[float], batch_axis: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._weight = weight
        self._batch_axis = batch_axis

    def __repr__(self) -> str:
        return f"{type(self).__name__}(batch_axis={self._batch_axis}, w={self._weight})"

    def _mean(self, F: Any, loss: Any) -> Any:
        """One number per sample."""
        return F.mean(loss, axis=self._batch_axis, exclude=True)

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """The losses of samples; subclasses define it."""
        raise NotImplementedError(f"[{type(self).__name__}] hybrid_forward is not defined")
