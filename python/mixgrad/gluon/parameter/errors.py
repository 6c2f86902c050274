"""What is raised of parameters that have no values yet."""

from __future__ import annotations

from ...base import MXNetError

__all__ = ["DeferredInitializationError"]


class DeferredInitializationError(MXNetError):
    """The shape of a parameter is not known before the first forward pass, and its values were asked for."""
