"""ResNet (He et al. 2015) and its second version (He et al. 2016)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .... import _hints
from ....base import InvalidArgumentError
from ....context import cpu
from ... import nn
from ...block import HybridBlock
from ..model_store import load_weights

__all__ = [
    "BasicBlockV1",
    "BasicBlockV2",
    "BottleneckV1",
    "BottleneckV2",
    "ResNetV1",
    "ResNetV2",
    "get_resnet",
    "resnet18_v1",
    "resnet18_v2",
    "resnet34_v1",
    "resnet34_v2",
    "resnet50_v1",
    "resnet50_v2",
    "resnet101_v1",
    "resnet101_v2",
    "resnet152_v1",
    "resnet152_v2",
]

# Kind of block, blocks of each stage, channels, by the number of layers: MXNet's names, which scripts import.
resnet_spec = {
    18: ("basic_block", [2, 2, 2, 2], [64, 64, 128, 256, 512]),
    34: ("basic_block", [3, 4, 6, 3], [64, 64, 128, 256, 512]),
    50: ("bottle_neck", [3, 4, 6, 3], [64, 256, 512, 1024, 2048]),
    101: ("bottle_neck", [3, 4, 23, 3], [64, 256, 512, 1024, 2048]),
    152: ("bottle_neck", [3, 8, 36, 3], [64, 256, 512, 1024, 2048]),
}


def _conv3x3(channels: int, stride: int, in_channels: int) -> nn.Conv2D:
    return nn.Conv2D(
        channels, kernel_size=3, strides=stride, padding=1, use_bias=False, in_channels=in_channels
    )


def _projected(channels: int, stride: int, in_channels: int) -> nn.Conv2D:
    return nn.Conv2D(channels, kernel_size=1, strides=stride, use_bias=False, in_channels=in_channels)


def _shortcut(channels: int, stride: int, in_channels: int) -> nn.HybridSequential:
    made = nn.HybridSequential(prefix="")
    made.add(_projected(channels, stride, in_channels), nn.BatchNorm())
    return made


class BasicBlockV1(HybridBlock):
    """Two convolutions over windows, and the input added before the last activation.

    Parameters
    ----------
    channels : int
        Of the output.
    stride : int
        Of the first convolution (v1) or of the one over windows.
    downsample : bool
        Whether the input goes through a convolution, too, as its shape is another one.
    in_channels : int
        Of the input; 0: the first call tells.
    **kwargs
        ``prefix``, ``params``.
    """

    def __init__(
        self, channels: int, stride: int, downsample: bool = False, in_channels: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.body = nn.HybridSequential(prefix="")
        self.body.add(_conv3x3(channels, stride, in_channels), nn.BatchNorm(), nn.Activation("relu"))
        self.body.add(_conv3x3(channels, 1, channels), nn.BatchNorm())
        self.downsample = _shortcut(channels, stride, in_channels) if downsample else None

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """The block's output."""
        shortcut = x if self.downsample is None else self.downsample(x)
        return F.Activation(shortcut + self.body(x), act_type="relu")


class BottleneckV1(HybridBlock):
    """A convolution over windows between two across channels, and the input added before the last activation.

    Parameters
    ----------
    channels : int
        Of the output.
    stride : int
        Of the first convolution (v1) or of the one over windows.
    downsample : bool
        Whether the input goes through a convolution, too, as its shape is another one.
    in_channels : int
        Of the input; 0: the first call tells.
    **kwargs
        ``prefix``, ``params``.
    """

    def __init__(
        self, channels: int, stride: int, downsample: bool = False, in_channels: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        narrow = channels // 4
        self.body = nn.HybridSequential(prefix="")
        self.body.add(nn.Conv2D(narrow, kernel_size=1, strides=stride), nn.BatchNorm(), nn.Activation("relu"))
        self.body.add(_conv3x3(narrow, 1, narrow), nn.BatchNorm(), nn.Activation("relu"))
        self.body.add(nn.Conv2D(channels, kernel_size=1, strides=1), nn.BatchNorm())
        self.downsample = _shortcut(channels, stride, in_channels) if downsample else None

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """The block's output."""
        shortcut = x if self.downsample is None else self.downsample(x)
        return F.Activation(self.body(x) + shortcut, act_type="relu")


class BasicBlockV2(HybridBlock):
    """Two convolutions over windows, each behind normalisation and activation, and the input added.

    Parameters
    ----------
    channels : int
        Of the output.
    stride : int
        Of the first convolution (v1) or of the one over windows.
    downsample : bool
        Whether the input goes through a convolution, too, as its shape is another one.
    in_channels : int
        Of the input; 0: the first call tells.
    **kwargs
        ``prefix``, ``params``.
    """

    def __init__(
        self, channels: int, stride: int, downsample: bool = False, in_channels: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.bn1 = nn.BatchNorm()
        self.conv1 = _conv3x3(channels, stride, in_channels)
        self.bn2 = nn.BatchNorm()
        self.conv2 = _conv3x3(channels, 1, channels)
        self.downsample = _projected(channels, stride, in_channels) if downsample else None

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """The block's output."""
        shortcut = x
        x = F.Activation(self.bn1(x), act_type="relu")
        if self.downsample is not None:
            shortcut = self.downsample(x)
        x = self.conv1(x)
        x = F.Activation(self.bn2(x), act_type="relu")
        x = self.conv2(x)
        return x + shortcut


class BottleneckV2(HybridBlock):
    """A convolution over windows between two across channels, each behind normalisation and activation, and
    the input added.

    Parameters
    ----------
    channels : int
        Of the output.
    stride : int
        Of the first convolution (v1) or of the one over windows.
    downsample : bool
        Whether the input goes through a convolution, too, as its shape is another one.
    in_channels : int
        Of the input; 0: the first call tells.
    **kwargs
        ``prefix``, ``params``.
    """

    def __init__(
        self, channels: int, stride: int, downsample: bool = False, in_channels: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        narrow = channels // 4
        self.bn1 = nn.BatchNorm()
        self.conv1 = nn.Conv2D(narrow, kernel_size=1, strides=1, use_bias=False)
        self.bn2 = nn.BatchNorm()
        self.conv2 = _conv3x3(narrow, stride, narrow)
        self.bn3 = nn.BatchNorm()
        self.conv3 = nn.Conv2D(channels, kernel_size=1, strides=1, use_bias=False)
        self.downsample = _projected(channels, stride, in_channels) if downsample else None

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """The block's output."""
        shortcut = x
        x = F.Activation(self.bn1(x), act_type="relu")
        if self.downsample is not None:
            shortcut = self.downsample(x)
        x = self.conv1(x)
        x = F.Activation(self.bn2(x), act_type="relu")
        x = self.conv2(x)
        x = F.Activation(self.bn3(x), act_type="relu")
        x = self.conv3(x)
        return x + shortcut


def _check_stages(layers: Sequence[int], channels: Sequence[int], who: str) -> None:
    if len(layers) != len(channels) - 1:
        raise InvalidArgumentError(
            f"[{who}] {len(layers)} layers and {len(channels)} channels; expected one of the latter more"
        )


def _stage(block: Any, count: int, channels: int, stride: int, number: int, in_channels: int) -> Any:
    made = nn.HybridSequential(prefix=f"stage{number}_")
    with made.name_scope():
        made.add(block(channels, stride, channels != in_channels, in_channels=in_channels, prefix=""))
        for _ in range(count - 1):
            made.add(block(channels, 1, False, in_channels=channels, prefix=""))
    return made


def _add_stages(
    features: nn.HybridSequential, block: Any, layers: Sequence[int], channels: Sequence[int]
) -> None:
    for i, count in enumerate(layers):
        features.add(_stage(block, count, channels[i + 1], 1 if i == 0 else 2, i + 1, channels[i]))


def _add_start(features: nn.HybridSequential, channels: int, thumbnail: bool) -> None:
    if thumbnail:
        features.add(_conv3x3(channels, 1, 0))
        return
    features.add(nn.Conv2D(channels, 7, 2, 3, use_bias=False), nn.BatchNorm(), nn.Activation("relu"))
    features.add(nn.MaxPool2D(3, 2, 1))


class ResNetV1(HybridBlock):
    """ResNet as it was first, for pictures of 224 x 224.

    Parameters
    ----------
    block : type
        Of the blocks: :class:`BasicBlockV1`, :class:`BottleneckV1`, or a class with the same arguments.
    layers : list of int
        Blocks of each stage.
    channels : list of int
        After the first convolution, and after each stage.
    classes : int
        How many.
    thumbnail : bool
        Whether pictures are small, such as those of CIFAR: the first convolution keeps their size.
    **kwargs
        ``prefix``, ``params``.
    """

    def __init__(
        self,
        block: Any,
        layers: Sequence[int],
        channels: Sequence[int],
        classes: int = 1000,
        thumbnail: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        _check_stages(layers, channels, type(self).__name__)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            _add_start(self.features, channels[0], thumbnail)
            _add_stages(self.features, block, layers, channels)
            self.features.add(nn.GlobalAvgPool2D())
            self.output = nn.Dense(classes, in_units=channels[-1])

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Scores of the classes."""
        return self.output(self.features(x))


class ResNetV2(HybridBlock):
    """ResNet with normalisation and activation before convolutions, for pictures of 224 x 224.

    Parameters
    ----------
    block : type
        Of the blocks: :class:`BasicBlockV2`, :class:`BottleneckV2`, or a class with the same arguments.
    layers : list of int
        Blocks of each stage.
    channels : list of int
        After the first convolution, and after each stage.
    classes : int
        How many.
    thumbnail : bool
        Whether pictures are small, such as those of CIFAR: the first convolution keeps their size.
    **kwargs
        ``prefix``, ``params``.
    """

    def __init__(
        self,
        block: Any,
        layers: Sequence[int],
        channels: Sequence[int],
        classes: int = 1000,
        thumbnail: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        _check_stages(layers, channels, type(self).__name__)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            self.features.add(nn.BatchNorm(scale=False, center=False))
            _add_start(self.features, channels[0], thumbnail)
            _add_stages(self.features, block, layers, channels)
            self.features.add(nn.BatchNorm(), nn.Activation("relu"))
            self.features.add(nn.GlobalAvgPool2D(), nn.Flatten())
            self.output = nn.Dense(classes, in_units=channels[-1])

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Scores of the classes."""
        return self.output(self.features(x))


resnet_net_versions: list[Any] = [ResNetV1, ResNetV2]
resnet_block_versions: list[dict[str, Any]] = [
    {"basic_block": BasicBlockV1, "bottle_neck": BottleneckV1},
    {"basic_block": BasicBlockV2, "bottle_neck": BottleneckV2},
]


def get_resnet(
    version: int,
    num_layers: int,
    pretrained: bool = False,
    ctx: Any = cpu(),  # noqa: B008
    root: Any = None,
    **kwargs: Any,
) -> Any:
    """Make a :class:`ResNetV1` or a :class:`ResNetV2`.

    Parameters
    ----------
    version : {1, 2}
        Which one.
    num_layers : {18, 34, 50, 101, 152}
        How many layers have weights.
    pretrained : bool
        Whether trained weights are read from ``root``.
    ctx : Context
        Where they go.
    root : str, optional
        A folder or URI; by default ``models`` in ``mx.base.data_dir()``.
    **kwargs
        ``classes``, ``thumbnail``, ``prefix``, ``params``.
    """
    if num_layers not in resnet_spec:
        raise InvalidArgumentError(
            f"[get_resnet] num_layers is {num_layers!r:.40}; "
            f"expected one of {', '.join(map(str, resnet_spec))}"
        )
    if version not in (1, 2):
        raise InvalidArgumentError(f"[get_resnet] version is {version!r:.40}; expected 1 or 2")
    kind, layers, channels = resnet_spec[num_layers]
    net = resnet_net_versions[version - 1](
        resnet_block_versions[version - 1][kind], layers, channels, **kwargs
    )
    if pretrained:
        load_weights(net, f"resnet{num_layers}_v{version}", ctx, root)
    return net


def resnet18_v1(**kwargs: Any) -> Any:
    """Make ResNet 18, version 1; keywords of :func:`get_resnet`."""
    return get_resnet(1, 18, **kwargs)


def resnet34_v1(**kwargs: Any) -> Any:
    """Make ResNet 34, version 1; keywords of :func:`get_resnet`."""
    return get_resnet(1, 34, **kwargs)


def resnet50_v1(**kwargs: Any) -> Any:
    """Make ResNet 50, version 1; keywords of :func:`get_resnet`."""
    return get_resnet(1, 50, **kwargs)


def resnet101_v1(**kwargs: Any) -> Any:
    """Make ResNet 101, version 1; keywords of :func:`get_resnet`."""
    return get_resnet(1, 101, **kwargs)


def resnet152_v1(**kwargs: Any) -> Any:
    """Make ResNet 152, version 1; keywords of :func:`get_resnet`."""
    return get_resnet(1, 152, **kwargs)


def resnet18_v2(**kwargs: Any) -> Any:
    """Make ResNet 18, version 2; keywords of :func:`get_resnet`."""
    return get_resnet(2, 18, **kwargs)


def resnet34_v2(**kwargs: Any) -> Any:
    """Make ResNet 34, version 2; keywords of :func:`get_resnet`."""
    return get_resnet(2, 34, **kwargs)


def resnet50_v2(**kwargs: Any) -> Any:
    """Make ResNet 50, version 2; keywords of :func:`get_resnet`."""
    return get_resnet(2, 50, **kwargs)


def resnet101_v2(**kwargs: Any) -> Any:
    """Make ResNet 101, version 2; keywords of :func:`get_resnet`."""
    return get_resnet(2, 101, **kwargs)


def resnet152_v2(**kwargs: Any) -> Any:
    """Make ResNet 152, version 2; keywords of :func:`get_resnet`."""
    return get_resnet(2, 152, **kwargs)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
