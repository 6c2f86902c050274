"""Losses of vectors that should be alike, or not."""

from __future__ import annotations

from typing import Any, Optional

from .classification import KLDivLoss
from .loss import Loss, reshape_like, weighted

__all__ = ["CosineEmbeddingLoss", "SDMLLoss", "TripletLoss"]


class TripletLoss(Loss):
    """How much farther ``positive`` is than ``negative``, plus a margin; at least 0.

    Parameters
    ----------
    margin : float
        By how much the negative should be farther.
    weight : float, optional
        A factor of the loss.
    batch_axis : int
        The axis of the samples.
    """

    def __init__(
        self, margin: float = 1, weight: Optional[float] = None, batch_axis: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin

    def hybrid_forward(self, F: Any, pred: Any, positive: Any, negative: Any) -> Any:
        """The losses of samples.

        Parameters
        ----------
        pred, positive, negative : NDArray or Symbol
            As many numbers each.
        """
        near = F.square(reshape_like(F, positive, pred) - pred)
        far = F.square(reshape_like(F, negative, pred) - pred)
        loss = F.relu(F.sum(near - far, axis=self._batch_axis, exclude=True) + self._margin)
        return weighted(F, loss, self._weight, None)


class CosineEmbeddingLoss(Loss):
    """One minus the cosine of two vectors that are alike; how much it exceeds a margin, if they are not.

    Parameters
    ----------
    weight : float, optional
        A factor of the loss.
    batch_axis : int
        The axis of the samples.
    margin : float
        A cosine that vectors that are not alike may have.
    """

    def __init__(
        self, weight: Optional[float] = None, batch_axis: int = 0, margin: float = 0, **kwargs: Any
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin

    def hybrid_forward(self, F: Any, input1: Any, input2: Any, label: Any, sample_weight: Any = None) -> Any:
        """The losses of samples, (samples, 1).

        Parameters
        ----------
        input1, input2 : NDArray or Symbol
            As many numbers each; vectors lie along the last axis.
        label : NDArray or Symbol
            1 for vectors that are alike, -1 for others; (samples,).
        sample_weight : NDArray or Symbol, optional
            Broadcast to (samples, 1).
        """
        cosine = self._cosine_similarity(F, reshape_like(F, input1, input2), input2)
        label = label.reshape((-1, 1))
        alike = (label == 1) * (1 - cosine)
        others = F.relu((label == -1) * (cosine - self._margin))
        return weighted(F, alike + others, self._weight, sample_weight)

    def _cosine_similarity(self, F: Any, x: Any, y: Any, axis: int = -1) -> Any:
        lengths = F.norm(x, axis=axis).reshape((-1, 1)) * F.norm(y, axis=axis).reshape((-1, 1))
        return F.sum(x * y, axis=axis).reshape((-1, 1)) / F.maximum(lengths, 1e-12)


class SDMLLoss(Loss):
    """Smoothed deep metric learning (Bonadiman and others 2019): row i of ``x1`` should be nearest to row i
    of ``x2``.

    Parameters
    ----------
    smoothing_parameter : float
        Share of the probability that the other rows have together.
    weight : float, optional
        A factor of the loss.
    batch_axis : int
        The axis of the samples.
    """

    def __init__(
        self,
        smoothing_parameter: float = 0.3,
        weight: Optional[float] = 1.0,
        batch_axis: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self.kl_loss = KLDivLoss(from_logits=True)
        self.smoothing_parameter = smoothing_parameter

    def hybrid_forward(self, F: Any, x1: Any, x2: Any) -> Any:
        """The losses of samples.

        Parameters
        ----------
        x1, x2 : NDArray or Symbol
            (samples, numbers).
        """
        differences = F.broadcast_sub(F.expand_dims(x1, 1), F.expand_dims(x2, 0))
        distances = F.sum(F.square(differences), axis=2)
        rows = F.contrib.arange_like(x1, axis=0)
        same = F.broadcast_equal(F.expand_dims(rows, 1), F.expand_dims(rows, 0))
        others = F.broadcast_div((1 - same) * self.smoothing_parameter, F.sum(same) - 1)
        labels = F.BlockGrad(same * (1 - self.smoothing_parameter) + others)
        return self.kl_loss(F.log_softmax(-distances, axis=1), labels)
