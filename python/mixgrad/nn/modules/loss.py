"""Losses as modules; what they compute is said at the functions of :mod:`mixgrad.nn.functional`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional

from .. import functional as F
from ..module import Module
from .resizing import PairwiseDistance

__all__ = [
    "BCELoss",
    "BCEWithLogitsLoss",
    "CTCLoss",
    "CosineEmbeddingLoss",
    "CrossEntropyLoss",
    "GaussianNLLLoss",
    "HingeEmbeddingLoss",
    "HuberLoss",
    "KLDivLoss",
    "L1Loss",
    "MSELoss",
    "MarginRankingLoss",
    "MultiLabelMarginLoss",
    "MultiLabelSoftMarginLoss",
    "MultiMarginLoss",
    "NLLLoss",
    "PoissonNLLLoss",
    "SmoothL1Loss",
    "SoftMarginLoss",
    "TripletMarginLoss",
    "TripletMarginWithDistanceLoss",
]


class _Loss(Module):
    """A loss with a reduction: 'mean', 'sum' or 'none'."""

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        if reduction not in ("mean", "sum", "none", "batchmean"):
            raise ValueError(
                f"[{type(self).__name__}] reduction is {reduction!r}; expected 'mean', 'sum' or 'none'"
            )
        self.reduction = reduction


class _WeightedLoss(_Loss):
    """A loss with a weight for each class, which is a buffer."""

    weight: Any

    def __init__(self, weight: Optional[Any] = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.register_buffer("weight", weight)


class L1Loss(_Loss):
    """``abs(input - target)``."""

    def forward(self, input: Any, target: Any) -> Any:
        """The loss."""
        return F.l1_loss(input, target, reduction=self.reduction)


class MSELoss(_Loss):
    """``(input - target) ** 2``."""

    def forward(self, input: Any, target: Any) -> Any:
        """The loss."""
        return F.mse_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(_Loss):
    """Squares below ``beta``, magnitudes above."""

    def __init__(self, reduction: str = "mean", beta: float = 1.0) -> None:
        super().__init__(reduction)
        self.beta = beta

    def forward(self, input: Any, target: Any) -> Any:
        """The loss."""
        return F.smooth_l1_loss(input, target, beta=self.beta, reduction=self.reduction)


class HuberLoss(_Loss):
    """Squares below ``delta``, magnitudes above."""

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction)
        self.delta = delta

    def forward(self, input: Any, target: Any) -> Any:
        """The loss."""
        return F.huber_loss(input, target, delta=self.delta, reduction=self.reduction)


class KLDivLoss(_Loss):
    """``target * (log(target) - input)``."""

    def __init__(self, reduction: str = "mean", log_target: bool = False) -> None:
        super().__init__(reduction)
        self.log_target = log_target

    def forward(self, input: Any, target: Any) -> Any:
        """The loss."""
        return F.kl_div(input, target, log_target=self.log_target, reduction=self.reduction)


class PoissonNLLLoss(_Loss):
    """The loss of a Poisson distribution's rate."""

    def __init__(
        self, log_input: bool = True, full: bool = False, eps: float = 1e-8, reduction: str = "mean"
    ) -> None:
        super().__init__(reduction)
        self.log_input, self.full, self.eps = log_input, full, eps

    def forward(self, input: Any, target: Any) -> Any:
        """The loss."""
        return F.poisson_nll_loss(
            input, target, log_input=self.log_input, full=self.full, eps=self.eps, reduction=self.reduction
        )


class HingeEmbeddingLoss(_Loss):
    """``input`` where the target is 1, ``max(0, margin - input)`` where it is -1."""

    def __init__(self, margin: float = 1.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = margin

    def forward(self, input: Any, target: Any) -> Any:
        """The loss."""
        return F.hinge_embedding_loss(input, target, margin=self.margin, reduction=self.reduction)


class SoftMarginLoss(_Loss):
    """``log(1 + exp(-target * input))``."""

    def forward(self, input: Any, target: Any) -> Any:
        """The loss."""
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class BCELoss(_WeightedLoss):
    """The loss of probabilities; what is not from 0 to 1 is an error where the loss is read.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.BCELoss()(nn.functional.sigmoid(np.zeros((3,))), np.array([1.0, 0.0, 1.0]))
    array(0.6931472)
    """

    def forward(self, input: Any, target: Any) -> Any:
        """The loss."""
        return F.binary_cross_entropy(input, target, self.weight, reduction=self.reduction)


class NLLLoss(_WeightedLoss):
    """Minus the logarithms of probabilities, ``(N, C, ...)``, of the target classes, ``(N, ...)``."""

    def __init__(
        self, weight: Optional[Any] = None, ignore_index: int = -100, reduction: str = "mean"
    ) -> None:
        super().__init__(weight, reduction)
        self.ignore_index = ignore_index

    def forward(self, input: Any, target: Any) -> Any:
        """The loss."""
        return F.nll_loss(
            input, target, self.weight, ignore_index=self.ignore_index, reduction=self.reduction
        )


class CrossEntropyLoss(_WeightedLoss):
    """The loss of scores, ``(N, C, ...)``, for target classes, ``(N, ...)``, or probabilities."""

    def __init__(
        self,
        weight: Optional[Any] = None,
        ignore_index: int = -100,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(weight, reduction)
        self.ignore_index, self.label_smoothing = ignore_index, label_smoothing

    def forward(self, input: Any, target: Any) -> Any:
        """The loss."""
        return F.cross_entropy(
            input,
            target,
            self.weight,
            ignore_index=self.ignore_index,
            label_smoothing=self.label_smoothing,
            reduction=self.reduction,
        )


class MultiLabelMarginLoss(_Loss):
    """By how much scores of other classes come within 1 of those of the target classes, of which are several.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> scores, classes = np.array([[0.1, 0.2, 0.4, 0.8]]), np.array([[3, 0, -1, 1]], dtype="int64")
    >>> nn.MultiLabelMarginLoss()(scores, classes)
    array(0.85)
    """

    def forward(self, input: Any, target: Any) -> Any:
        """``(N, C)`` or ``(C,)``, and classes of the same shape up to one below 0."""
        return F.multilabel_margin_loss(input, target, self.reduction)


class MultiLabelSoftMarginLoss(_WeightedLoss):
    """The mean over classes of the two-class loss of each score."""

    def forward(self, input: Any, target: Any) -> Any:
        """The loss."""
        return F.multilabel_soft_margin_loss(input, target, self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(_WeightedLoss):
    """:class:`BCELoss` of ``sigmoid(input)``, exact also for large values."""

    pos_weight: Any

    def __init__(
        self, weight: Optional[Any] = None, reduction: str = "mean", pos_weight: Optional[Any] = None
    ) -> None:
        super().__init__(weight, reduction)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input: Any, target: Any) -> Any:
        """The loss."""
        return F.binary_cross_entropy_with_logits(input, target, self.weight, self.reduction, self.pos_weight)


class GaussianNLLLoss(_Loss):
    """The loss of a normal distribution's mean and variance."""

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.full, self.eps = full, eps

    def forward(self, input: Any, target: Any, var: Any) -> Any:
        """The loss."""
        return F.gaussian_nll_loss(input, target, var, self.full, self.eps, self.reduction)


class MarginRankingLoss(_Loss):
    """``max(0, -target * (input1 - input2) + margin)``."""

    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = margin

    def forward(self, input1: Any, input2: Any, target: Any) -> Any:
        """The loss."""
        return F.margin_ranking_loss(input1, input2, target, self.margin, self.reduction)


class CosineEmbeddingLoss(_Loss):
    """``1 - cos`` where the target is 1, ``max(0, cos - margin)`` where it is -1."""

    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = margin

    def forward(self, input1: Any, input2: Any, target: Any) -> Any:
        """The loss."""
        return F.cosine_embedding_loss(input1, input2, target, self.margin, self.reduction)


class TripletMarginLoss(_Loss):
    """``max(0, distance(anchor, positive) - distance(anchor, negative) + margin)``."""

    def __init__(
        self,
        margin: float = 1.0,
        p: float = 2.0,
        eps: float = 1e-6,
        swap: bool = False,
        reduction: str = "mean",
    ) -> None:
        super().__init__(reduction)
        self.margin, self.p, self.eps, self.swap = margin, p, eps, swap

    def forward(self, anchor: Any, positive: Any, negative: Any) -> Any:
        """The loss."""
        return F.triplet_margin_loss(
            anchor, positive, negative, self.margin, self.p, self.eps, self.swap, self.reduction
        )


class TripletMarginWithDistanceLoss(_Loss):
    """:class:`TripletMarginLoss` with a distance of one's own.

    Parameters
    ----------
    distance_function : function or Module, optional
        Takes two arrays ``(N, ...)`` and gives ``(N,)``; a module is registered, and its parameters learn.
    margin, swap, reduction
        As for :func:`mixgrad.nn.functional.triplet_margin_with_distance_loss`.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> loss = nn.TripletMarginWithDistanceLoss(distance_function=nn.PairwiseDistance(p=1))
    >>> loss(np.zeros((2, 3)), np.zeros((2, 3)), np.ones((2, 3)))
    array(0.)
    """

    def __init__(
        self,
        *,
        distance_function: Optional[Callable[[Any, Any], Any]] = None,
        margin: float = 1.0,
        swap: bool = False,
        reduction: str = "mean",
    ) -> None:
        super().__init__(reduction)
        if not margin > 0:
            raise ValueError(f"[TripletMarginWithDistanceLoss] margin is {margin}; expected more than 0")
        self.distance_function = distance_function or PairwiseDistance()
        self.margin, self.swap = margin, swap

    def forward(self, anchor: Any, positive: Any, negative: Any) -> Any:
        """The loss."""
        return F.triplet_margin_with_distance_loss(
            anchor,
            positive,
            negative,
            distance_function=self.distance_function,
            margin=self.margin,
            swap=self.swap,
            reduction=self.reduction,
        )


class MultiMarginLoss(_WeightedLoss):
    """By how much other classes come within a margin of the target's score."""

    def __init__(
        self, p: int = 1, margin: float = 1.0, weight: Optional[Any] = None, reduction: str = "mean"
    ) -> None:
        super().__init__(weight, reduction)
        self.p, self.margin = p, margin

    def forward(self, input: Any, target: Any) -> Any:
        """The loss."""
        return F.multi_margin_loss(input, target, self.p, self.margin, self.weight, self.reduction)


class CTCLoss(_Loss):
    """Connectionist temporal classification."""

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__(reduction)
        self.blank, self.zero_infinity = blank, zero_infinity

    def forward(self, log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any) -> Any:
        """The loss."""
        return F.ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity
        )
