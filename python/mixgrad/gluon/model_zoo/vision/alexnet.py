"""AlexNet (Krizhevsky 2014), of one tower."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .... import _hints
from ....context import cpu
from ... import nn
from ...block import HybridBlock
from ..model_store import load_weights

__all__ = ["AlexNet", "alexnet"]


class AlexNet(HybridBlock):
    """The network for pictures of 224 x 224.

    Parameters
    ----------
    classes : int
        How many.
    **kwargs
        ``prefix``, ``params``.
    """

    def __init__(self, classes: int = 1000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            with self.features.name_scope():
                for channels, kernel, stride, padding, pooled in (
                    (64, 11, 4, 2, True),
                    (192, 5, 1, 2, True),
                    (384, 3, 1, 1, False),
                    (256, 3, 1, 1, False),
                    (256, 3, 1, 1, True),
                ):
                    self.features.add(nn.Conv2D(channels, kernel, stride, padding, activation="relu"))
                    if pooled:
                        self.features.add(nn.MaxPool2D(pool_size=3, strides=2))
                self.features.add(nn.Flatten())
                for _ in range(2):
                    self.features.add(nn.Dense(4096, activation="relu"))
                    self.features.add(nn.Dropout(0.5))
            self.output = nn.Dense(classes)

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Scores of the classes."""
        return self.output(self.features(x))


def alexnet(pretrained: bool = False, ctx: Any = cpu(), root: Any = None, **kwargs: Any) -> AlexNet:  # noqa: B008
    """Make an :class:`AlexNet`.

    Parameters
    ----------
    pretrained : bool
        Whether trained weights are read from ``root``.
    ctx : Context
        Where they go.
    root : str, optional
        A folder or URI; by default ``models`` in ``mx.base.data_dir()``.
    **kwargs
        ``classes``, ``prefix``, ``params``.
    """
    net = AlexNet(**kwargs)
    if pretrained:
        load_weights(net, "alexnet", ctx, root)
    return net


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
