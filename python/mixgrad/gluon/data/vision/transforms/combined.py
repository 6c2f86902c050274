"""Several transforms as one, and transforms by chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

import numpy as np

from ....block import Block, HybridBlock
from ....nn import HybridSequential, Sequential

__all__ = ["Compose", "HybridCompose", "HybridRandomApply", "RandomApply"]


class Compose(Sequential):
    """Transforms one after another.

    Parameters
    ----------
    transforms : list of Block
        In their order.

    Examples
    --------
    >>> import mixgrad as mx
    >>> T = mx.gluon.data.vision.transforms
    >>> picture = mx.nd.random.uniform(0, 255, shape=(120, 160, 3)).astype("uint8")
    >>> T.Compose([T.Resize(64), T.ToTensor(), T.Normalize(0.5, 0.2)])(picture).shape
    (3, 64, 64)
    """

    def __init__(self, transforms: Sequence[Block]) -> None:
        super().__init__()
        self.add(*transforms)


class HybridCompose(HybridSequential):
    """Transforms one after another, as one graph.

    Parameters
    ----------
    transforms : list of HybridBlock
        In their order.
    """

    def __init__(self, transforms: Sequence[HybridBlock]) -> None:
        super().__init__()
        for one in transforms:
            if not isinstance(one, HybridBlock):
                raise ValueError(
                    f"[HybridCompose] {type(one).__name__} is no HybridBlock; Compose takes others"
                )
        self.add(*transforms)
        self.hybridize()


def _chance(p: float, who: str) -> float:
    if not 0 <= p <= 1:
        raise ValueError(f"[{who}] p is {p}; expected a probability, from 0 to 1")
    return p


class RandomApply(Sequential):
    """A transform with probability ``p``, else nothing.

    Parameters
    ----------
    transforms : Block or list of Block
        What is done.
    p : float
        How likely; the chance is NumPy's.
    """

    def __init__(self, transforms: Union[Block, Sequence[Block]], p: float = 0.5) -> None:
        super().__init__()
        self.transforms: Any = Compose(transforms) if isinstance(transforms, (list, tuple)) else transforms
        self.p = _chance(p, "RandomApply")

    def forward(self, x: Any, *args: Any) -> Any:
        """The picture, changed or as it is."""
        if self.p < np.random.random():  # noqa: NPY002
            return x
        return self.transforms(x)


class HybridRandomApply(HybridSequential):
    """A transform with probability ``p``, else nothing, in a graph; both are computed.

    Parameters
    ----------
    transforms : HybridBlock or list of HybridBlock
        What is done; it keeps shape and dtype.
    p : float
        How likely.
    """

    def __init__(self, transforms: Union[HybridBlock, Sequence[HybridBlock]], p: float = 0.5) -> None:
        super().__init__()
        self.transforms: Any = (
            HybridCompose(transforms) if isinstance(transforms, (list, tuple)) else transforms
        )
        if not isinstance(self.transforms, HybridBlock):
            raise ValueError(
                f"[HybridRandomApply] {type(transforms).__name__} is no HybridBlock; RandomApply takes others"
            )
        self.p = _chance(p, "HybridRandomApply")

    def hybrid_forward(self, F: Any, x: Any, *args: Any) -> Any:
        """The picture, changed or as it is."""
        chosen = F.random.uniform(0, 1, shape=(1,)) < self.p
        whole = F.broadcast_add(F.zeros_like(F.cast(x, "float32")), chosen)
        return F.where(whole, self.transforms(x), x)
