"""SqueezeNet (Iandola et al. 2016)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .... import _hints
from ....base import InvalidArgumentError
from ....context import cpu
from ... import nn
from ...block import HybridBlock
from ...contrib.nn.containers import HybridConcurrent
from ..model_store import load_weights

__all__ = ["SqueezeNet", "squeezenet1_0", "squeezenet1_1"]

# Channels of a fire's narrow and wide convolutions; None: a pooling.
_FIRES = {
    "1.0": (16, 16, 32, None, 32, 48, 48, 64, None, 64),
    "1.1": (16, 16, None, 32, 32, None, 48, 48, 64, 64),
}


def _convolution(channels: int, kernel: int, padding: int = 0) -> nn.HybridSequential:
    made = nn.HybridSequential(prefix="")
    made.add(nn.Conv2D(channels, kernel, padding=padding), nn.Activation("relu"))
    return made


def _fire(narrow: int) -> nn.HybridSequential:
    wide = HybridConcurrent(axis=1, prefix="")
    made = nn.HybridSequential(prefix="")
    made.add(_convolution(narrow, 1))
    wide.add(_convolution(4 * narrow, 1), _convolution(4 * narrow, 3, 1))
    made.add(wide)
    return made


class SqueezeNet(HybridBlock):
    """The network for pictures of 224 x 224.

    Parameters
    ----------
    version : {'1.0', '1.1'}
        Of the two, 1.1 takes less than half the time.
    classes : int
        How many.
    **kwargs
        ``prefix``, ``params``.
    """

    def __init__(self, version: str, classes: int = 1000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if version not in _FIRES:
            raise InvalidArgumentError(f"[SqueezeNet] version is {version!r:.40}; expected '1.0' or '1.1'")
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            channels, kernel = (96, 7) if version == "1.0" else (64, 3)
            self.features.add(nn.Conv2D(channels, kernel_size=kernel, strides=2), nn.Activation("relu"))
            self.features.add(nn.MaxPool2D(pool_size=3, strides=2, ceil_mode=True))
            for narrow in _FIRES[version]:
                if narrow is None:
                    self.features.add(nn.MaxPool2D(pool_size=3, strides=2, ceil_mode=True))
                else:
                    self.features.add(_fire(narrow))
            self.features.add(nn.Dropout(0.5))
            self.output = nn.HybridSequential(prefix="")
            self.output.add(nn.Conv2D(classes, kernel_size=1), nn.Activation("relu"))
            self.output.add(nn.AvgPool2D(13), nn.Flatten())

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Scores of the classes."""
        return self.output(self.features(x))


def get_squeezenet(
    version: str,
    pretrained: bool = False,
    ctx: Any = cpu(),  # noqa: B008
    root: Any = None,
    **kwargs: Any,
) -> SqueezeNet:
    """Make a :class:`SqueezeNet`.

    Parameters
    ----------
    version : {'1.0', '1.1'}
        Which one.
    pretrained : bool
        Whether trained weights are read from ``root``.
    ctx : Context
        Where they go.
    root : str, optional
        A folder or URI; by default ``models`` in ``mx.base.data_dir()``.
    **kwargs
        ``classes``, ``prefix``, ``params``.
    """
    net = SqueezeNet(version, **kwargs)
    if pretrained:
        load_weights(net, f"squeezenet{version}", ctx, root)
    return net


def squeezenet1_0(**kwargs: Any) -> Any:
    """Make SqueezeNet 1.0; keywords of :func:`get_squeezenet`."""
    return get_squeezenet("1.0", **kwargs)


def squeezenet1_1(**kwargs: Any) -> Any:
    """Make SqueezeNet 1.1; keywords of :func:`get_squeezenet`."""
    return get_squeezenet("1.1", **kwargs)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
