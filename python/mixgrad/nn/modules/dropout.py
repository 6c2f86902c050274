"""Dropout as modules."""

from __future__ import annotations

from typing import Any

from .. import functional as F
from ..module import Module

__all__ = ["AlphaDropout", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "FeatureAlphaDropout"]


class _Dropout(Module):
    """Zeros with probability ``p`` in training; outside it, the input."""

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"[{type(self).__name__}] p is {p}; expected a probability, from 0 to 1")
        self.p, self.inplace = p, inplace

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_Dropout):
    """Elements are zero with probability ``p`` in training, and others multiplied by ``1 / (1 - p)``."""

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(_Dropout):
    """Dropout of whole channels, ``(N, C, L)``."""

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_Dropout):
    """Dropout of whole channels, ``(N, C, H, W)``."""

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_Dropout):
    """Dropout of whole channels, ``(N, C, D, H, W)``."""

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_Dropout):
    """Dropout that keeps mean and variance of what SELU gives."""

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.alpha_dropout(input, self.p, self.training, self.inplace)


class FeatureAlphaDropout(_Dropout):
    """AlphaDropout of whole channels."""

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.feature_alpha_dropout(input, self.p, self.training, self.inplace)
