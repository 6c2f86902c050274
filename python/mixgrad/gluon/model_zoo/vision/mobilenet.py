"""MobileNet (Howard et al. 2017) and MobileNetV2 (Sandler et al. 2018)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .... import _hints
from ....context import cpu
from ... import nn
from ...block import HybridBlock
from ..model_store import load_weights

__all__ = [
    "MobileNet",
    "MobileNetV2",
    "get_mobilenet",
    "get_mobilenet_v2",
    "mobilenet0_5",
    "mobilenet0_25",
    "mobilenet0_75",
    "mobilenet1_0",
    "mobilenet_v2_0_5",
    "mobilenet_v2_0_25",
    "mobilenet_v2_0_75",
    "mobilenet_v2_1_0",
]

# Channels and stride of each pair of convolutions, channel by channel and across channels.
_PAIRS = [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)]
_PAIRS += [*[(512, 1)] * 5, (1024, 2), (1024, 1)]
# Of MobileNetV2: widening, channels, how many, stride of the first.
_STAGES = [
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
]


class RELU6(HybridBlock):
    """Numbers below 0 become 0, those above 6 become 6."""

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """The array, in its shape."""
        return F.clip(x, 0, 6, name="relu6")


def _convolution(
    to: nn.HybridSequential,
    channels: int = 1,
    kernel: int = 1,
    stride: int = 1,
    padding: int = 0,
    groups: int = 1,
    active: bool = True,
    relu6: bool = False,
) -> None:
    to.add(nn.Conv2D(channels, kernel, stride, padding, groups=groups, use_bias=False))
    to.add(nn.BatchNorm(scale=True))
    if active:
        to.add(RELU6() if relu6 else nn.Activation("relu"))


class LinearBottleneck(HybridBlock):
    """A block of MobileNetV2: wide, channel by channel, narrow; plus its input where shapes are equal.

    Parameters
    ----------
    in_channels, channels : int
        Of input and output.
    t : int
        How much wider the middle is.
    stride : int
        Of the convolution in the middle.
    **kwargs
        ``prefix``, ``params``.
    """

    def __init__(self, in_channels: int, channels: int, t: int, stride: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.use_shortcut = stride == 1 and in_channels == channels
        with self.name_scope():
            self.out = nn.HybridSequential()
            _convolution(self.out, in_channels * t, relu6=True)
            _convolution(self.out, in_channels * t, 3, stride, 1, in_channels * t, relu6=True)
            _convolution(self.out, channels, active=False)

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """The block's output."""
        out = self.out(x)
        return F.elemwise_add(out, x) if self.use_shortcut else out


class MobileNet(HybridBlock):
    """The network for pictures of 224 x 224.

    Parameters
    ----------
    multiplier : float
        By which numbers of channels are multiplied.
    classes : int
        How many.
    **kwargs
        ``prefix``, ``params``.
    """

    def __init__(self, multiplier: float = 1.0, classes: int = 1000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            with self.features.name_scope():
                before = int(32 * multiplier)
                _convolution(self.features, before, 3, 2, 1)
                for channels, stride in _PAIRS:
                    after = int(channels * multiplier)
                    _convolution(self.features, before, 3, stride, 1, before)
                    _convolution(self.features, after)
                    before = after
                self.features.add(nn.GlobalAvgPool2D(), nn.Flatten())
            self.output = nn.Dense(classes)

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Scores of the classes."""
        return self.output(self.features(x))


class MobileNetV2(HybridBlock):
    """The network for pictures of 224 x 224.

    Parameters
    ----------
    multiplier : float
        By which numbers of channels are multiplied.
    classes : int
        How many.
    **kwargs
        ``prefix``, ``params``.
    """

    def __init__(self, multiplier: float = 1.0, classes: int = 1000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="features_")
            with self.features.name_scope():
                before = int(32 * multiplier)
                _convolution(self.features, before, 3, 2, 1, relu6=True)
                for t, channels, count, stride in _STAGES:
                    after = int(channels * multiplier)
                    for i in range(count):
                        self.features.add(LinearBottleneck(before, after, t, 1 if i else stride))
                        before = after
                last = int(1280 * multiplier) if multiplier > 1.0 else 1280
                _convolution(self.features, last, relu6=True)
                self.features.add(nn.GlobalAvgPool2D())
            self.output = nn.HybridSequential(prefix="output_")
            with self.output.name_scope():
                self.output.add(nn.Conv2D(classes, 1, use_bias=False, prefix="pred_"), nn.Flatten())

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Scores of the classes."""
        return self.output(self.features(x))


def _width(multiplier: float) -> str:
    """The number as it stands in names."""
    text = f"{multiplier:.2f}"
    return text[:-1] if text in ("1.00", "0.50") else text


def get_mobilenet(
    multiplier: float,
    pretrained: bool = False,
    ctx: Any = cpu(),  # noqa: B008
    root: Any = None,
    **kwargs: Any,
) -> MobileNet:
    """Make a :class:`MobileNet`.

    Parameters
    ----------
    multiplier : float
        By which numbers of channels are multiplied; there are weights for 1, 0.75, 0.5 and 0.25.
    pretrained : bool
        Whether trained weights are read from ``root``.
    ctx : Context
        Where they go.
    root : str, optional
        A folder or URI; by default ``models`` in ``mx.base.data_dir()``.
    **kwargs
        ``classes``, ``prefix``, ``params``.
    """
    net = MobileNet(multiplier, **kwargs)
    if pretrained:
        load_weights(net, f"mobilenet{_width(multiplier)}", ctx, root)
    return net


def get_mobilenet_v2(
    multiplier: float,
    pretrained: bool = False,
    ctx: Any = cpu(),  # noqa: B008
    root: Any = None,
    **kwargs: Any,
) -> MobileNetV2:
    """Make a :class:`MobileNetV2`.

    Parameters
    ----------
    multiplier : float
        By which numbers of channels are multiplied; there are weights for 1, 0.75, 0.5 and 0.25.
    pretrained : bool
        Whether trained weights are read from ``root``.
    ctx : Context
        Where they go.
    root : str, optional
        A folder or URI; by default ``models`` in ``mx.base.data_dir()``.
    **kwargs
        ``classes``, ``prefix``, ``params``.
    """
    net = MobileNetV2(multiplier, **kwargs)
    if pretrained:
        load_weights(net, f"mobilenetv2_{_width(multiplier)}", ctx, root)
    return net


def mobilenet1_0(**kwargs: Any) -> Any:
    """Make MobileNet of width 1.0; keywords of :func:`get_mobilenet`."""
    return get_mobilenet(1.0, **kwargs)


def mobilenet0_75(**kwargs: Any) -> Any:
    """Make MobileNet of width 0.75; keywords of :func:`get_mobilenet`."""
    return get_mobilenet(0.75, **kwargs)


def mobilenet0_5(**kwargs: Any) -> Any:
    """Make MobileNet of width 0.5; keywords of :func:`get_mobilenet`."""
    return get_mobilenet(0.5, **kwargs)


def mobilenet0_25(**kwargs: Any) -> Any:
    """Make MobileNet of width 0.25; keywords of :func:`get_mobilenet`."""
    return get_mobilenet(0.25, **kwargs)


def mobilenet_v2_1_0(**kwargs: Any) -> Any:
    """Make MobileNetV2 of width 1.0; keywords of :func:`get_mobilenet_v2`."""
    return get_mobilenet_v2(1.0, **kwargs)


def mobilenet_v2_0_75(**kwargs: Any) -> Any:
    """Make MobileNetV2 of width 0.75; keywords of :func:`get_mobilenet_v2`."""
    return get_mobilenet_v2(0.75, **kwargs)


def mobilenet_v2_0_5(**kwargs: Any) -> Any:
    """Make MobileNetV2 of width 0.5; keywords of :func:`get_mobilenet_v2`."""
    return get_mobilenet_v2(0.5, **kwargs)


def mobilenet_v2_0_25(**kwargs: Any) -> Any:
    """Make MobileNetV2 of width 0.25; keywords of :func:`get_mobilenet_v2`."""
    return get_mobilenet_v2(0.25, **kwargs)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
