"""Other sizes, distances and channels spread over pictures, as modules."""

from __future__ import annotations

from typing import Any, Optional

from .. import functional as F
from ..module import Module

__all__ = [
    "ChannelShuffle",
    "CosineSimilarity",
    "PairwiseDistance",
    "PixelShuffle",
    "PixelUnshuffle",
    "Upsample",
    "UpsamplingBilinear2d",
    "UpsamplingNearest2d",
]


class Upsample(Module):
    """Other extents of all axes but the first two; see :func:`mixgrad.nn.functional.interpolate`."""

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: Optional[bool] = None,
        recompute_scale_factor: Optional[bool] = None,
    ) -> None:
        super().__init__()
        self.size, self.scale_factor, self.mode = size, scale_factor, mode
        self.align_corners, self.recompute_scale_factor = align_corners, recompute_scale_factor

    def forward(self, input: Any) -> Any:
        """``(N, C, ...)``."""
        return F.interpolate(
            input, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor
        )

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        if self.scale_factor is not None:
            factor = self.scale_factor
            shown = float(factor) if isinstance(factor, (int, float)) else factor
            return f"scale_factor={shown}, mode={self.mode!r}"
        return f"size={self.size}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """Pictures in another size; each element is its nearest."""

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, "nearest")


class UpsamplingBilinear2d(Upsample):
    """Pictures in another size, whose corners stay where they are."""

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, "bilinear", True)


class ChannelShuffle(Module):
    """Channels of each group in turn (Zhang et al. 2018, ShuffleNet).

    Input and output are ``(N, C, ...)``, where ``C`` is a multiple of the groups.

    Parameters
    ----------
    groups : int
        What the channels are divided into.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.ChannelShuffle(2)(np.arange(4).reshape(1, 4, 1)).reshape(-1)
    array([0., 2., 1., 3.])
    """

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Any) -> Any:
        """``(N, C, ...)``."""
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return f"groups={self.groups}"


class PixelShuffle(Module):
    """``(..., C * r * r, H, W)`` as ``(..., C, H * r, W * r)``."""

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Any) -> Any:
        """Pictures."""
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return f"upscale_factor={self.upscale_factor}"


class PixelUnshuffle(Module):
    """The reverse of :class:`PixelShuffle`."""

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Any) -> Any:
        """Pictures."""
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return f"downscale_factor={self.downscale_factor}"


class CosineSimilarity(Module):
    """The cosine of the angle between vectors along an axis."""

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim, self.eps = dim, eps

    def forward(self, x1: Any, x2: Any) -> Any:
        """Two arrays of one shape."""
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    """The norm of the difference along the last axis."""

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__()
        self.norm, self.eps, self.keepdim = p, eps, keepdim

    def forward(self, x1: Any, x2: Any) -> Any:
        """Two arrays of one shape."""
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)
