"""Losses as modules; what they compute is said at the functions of :mod:`mixgrad.nn.functional`."""

from __future__ import annotations

from typing import Any, Optional

from .. import functional as F
from ..module import Module

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
    "MultiLabelSoftMarginLoss",
    "MultiMarginLoss",
    "NLLLoss",
    "PoissonNLLLoss",
    "SmoothL1Loss",
    "SoftMarginLoss",
    "TripletMarginLoss",
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
    """The loss of probabilities."""

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
