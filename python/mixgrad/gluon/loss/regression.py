"""Losses of numbers."""

from __future__ import annotations

import math
from typing import Any, Optional

from .loss import Loss, reshape_like, weighted

__all__ = ["HuberLoss", "L1Loss", "L2Loss", "PoissonNLLLoss"]


class L2Loss(Loss):
    """Half of the mean squared difference.

    Parameters
    ----------
    weight : float, optional
        A factor of the loss.
    batch_axis : int
        The axis of the samples.

    Examples
    --------
    >>> import mixgrad as mx
    >>> loss = mx.gluon.loss.L2Loss()
    >>> loss(mx.nd.array([[1, 2], [3, 4]]), mx.nd.array([[1, 4], [3, 4]])).asnumpy()
    array([1., 0.], dtype=float32)
    """

    def __init__(self, weight: Optional[float] = 1.0, batch_axis: int = 0, **kwargs: Any) -> None:
        super().__init__(weight, batch_axis, **kwargs)

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """The losses of samples.

        Parameters
        ----------
        pred, label : NDArray or Symbol
            As many numbers each.
        sample_weight : NDArray or Symbol, optional
            Broadcast to ``pred``.
        """
        loss = F.square(reshape_like(F, label, pred) - pred)
        weight = None if self._weight is None else self._weight / 2
        return self._mean(F, weighted(F, loss, weight, sample_weight))


class L1Loss(Loss):
    """The mean absolute difference.

    Parameters
    ----------
    weight : float, optional
        A factor of the loss.
    batch_axis : int
        The axis of the samples.
    """

    def __init__(self, weight: Optional[float] = None, batch_axis: int = 0, **kwargs: Any) -> None:
        super().__init__(weight, batch_axis, **kwargs)

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """The losses of samples, as of :class:`L2Loss`."""
        loss = F.abs(reshape_like(F, label, pred) - pred)
        return self._mean(F, weighted(F, loss, self._weight, sample_weight))


class HuberLoss(Loss):
    """Like :class:`L2Loss` for differences up to ``rho``, like :class:`L1Loss` for larger ones.

    Parameters
    ----------
    rho : float
        Where the two meet.
    weight : float, optional
        A factor of the loss.
    batch_axis : int
        The axis of the samples.
    """

    def __init__(
        self, rho: float = 1, weight: Optional[float] = None, batch_axis: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._rho = rho

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """The losses of samples, as of :class:`L2Loss`."""
        size = F.abs(reshape_like(F, label, pred) - pred)
        loss = F.where(size > self._rho, size - 0.5 * self._rho, (0.5 / self._rho) * F.square(size))
        return self._mean(F, weighted(F, loss, self._weight, sample_weight))


class PoissonNLLLoss(Loss):
    """The negative log-likelihood of counts under Poisson distributions.

    Parameters
    ----------
    weight : float, optional
        A factor of the loss.
    from_logits : bool
        Whether predictions are logarithms of means.
    batch_axis : int
        The axis of the samples.
    compute_full : bool
        Whether Stirling's formula for the logarithm of the factorial is added, for counts above 1.
    """

    def __init__(
        self,
        weight: Optional[float] = None,
        from_logits: bool = True,
        batch_axis: int = 0,
        compute_full: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._from_logits = from_logits
        self._compute_full = compute_full

    def hybrid_forward(
        self, F: Any, pred: Any, target: Any, sample_weight: Any = None, epsilon: float = 1e-8
    ) -> Any:
        """The mean loss of all samples.

        Parameters
        ----------
        pred, target : NDArray or Symbol
            As many numbers each.
        sample_weight : NDArray or Symbol, optional
            Broadcast to ``pred``.
        epsilon : float
            Keeps logarithms of means finite.
        """
        target = reshape_like(F, target, pred)
        loss = F.exp(pred) - target * pred if self._from_logits else pred - target * F.log(pred + epsilon)
        if self._compute_full:
            counts = F.where(target > 1, target, F.ones_like(target))  # logarithms of others are not used
            stirling = counts * F.log(counts) - counts + 0.5 * F.log(2 * math.pi * counts)
            loss = loss + F.where(target > 1, stirling, F.zeros_like(target))
        return F.mean(weighted(F, loss, self._weight, sample_weight))
