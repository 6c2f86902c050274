"""VGG (Simonyan and Zisserman 2014)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .... import _hints
from ....base import UnknownWordError
from ....context import cpu
from ....initializer import Xavier
from ... import nn
from ...block import HybridBlock
from ..model_store import load_weights

__all__ = [
    "VGG",
    "get_vgg",
    "vgg11",
    "vgg11_bn",
    "vgg13",
    "vgg13_bn",
    "vgg16",
    "vgg16_bn",
    "vgg19",
    "vgg19_bn",
]

# Convolutions of each of the five stages, and their channels, by the number of layers: MXNet's name.
vgg_spec = {
    11: ([1, 1, 2, 2, 2], [64, 128, 256, 512, 512]),
    13: ([2, 2, 2, 2, 2], [64, 128, 256, 512, 512]),
    16: ([2, 2, 3, 3, 3], [64, 128, 256, 512, 512]),
    19: ([2, 2, 4, 4, 4], [64, 128, 256, 512, 512]),
}


class VGG(HybridBlock):
    """The network for pictures of 224 x 224.

    Parameters
    ----------
    layers : list of int
        Convolutions of each stage.
    filters : list of int
        Channels of each stage.
    classes : int
        How many.
    batch_norm : bool
        Whether a normalisation follows each convolution.
    **kwargs
        ``prefix``, ``params``.
    """

    def __init__(
        self,
        layers: Sequence[int],
        filters: Sequence[int],
        classes: int = 1000,
        batch_norm: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if len(layers) != len(filters):
            raise ValueError(
                f"[VGG] {len(layers)} layers and {len(filters)} filters; expected one for each stage"
            )

        def start() -> Xavier:
            return Xavier(rnd_type="gaussian", factor_type="out", magnitude=2)

        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            for count, channels in zip(layers, filters):
                for _ in range(count):
                    self.features.add(
                        nn.Conv2D(
                            channels,
                            kernel_size=3,
                            padding=1,
                            weight_initializer=start(),
                            bias_initializer="zeros",
                        )
                    )
                    if batch_norm:
                        self.features.add(nn.BatchNorm())
                    self.features.add(nn.Activation("relu"))
                self.features.add(nn.MaxPool2D(strides=2))
            for _ in range(2):
                self.features.add(
                    nn.Dense(4096, activation="relu", weight_initializer="normal", bias_initializer="zeros")
                )
                self.features.add(nn.Dropout(rate=0.5))
            self.output = nn.Dense(classes, weight_initializer="normal", bias_initializer="zeros")

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Scores of the classes."""
        return self.output(self.features(x))


def get_vgg(
    num_layers: int,
    pretrained: bool = False,
    ctx: Any = cpu(),  # noqa: B008
    root: Any = None,
    **kwargs: Any,
) -> VGG:
    """Make a :class:`VGG`.

    Parameters
    ----------
    num_layers : {11, 13, 16, 19}
        How many layers have weights.
    pretrained : bool
        Whether trained weights are read from ``root``.
    ctx : Context
        Where they go.
    root : str, optional
        A folder or URI; by default ``models`` in ``mx.base.data_dir()``.
    **kwargs
        ``batch_norm``, ``classes``, ``prefix``, ``params``.
    """
    if num_layers not in vgg_spec:
        raise UnknownWordError(
            f"[get_vgg] num_layers is {num_layers!r:.40}; expected one of {list(vgg_spec)}"
        )
    net = VGG(*vgg_spec[num_layers], **kwargs)
    if pretrained:
        load_weights(net, f"vgg{num_layers}{'_bn' if kwargs.get('batch_norm') else ''}", ctx, root)
    return net


def vgg11(**kwargs: Any) -> Any:
    """Make VGG of 11 layers; keywords of :func:`get_vgg`."""
    return get_vgg(11, **kwargs)


def vgg13(**kwargs: Any) -> Any:
    """Make VGG of 13 layers; keywords of :func:`get_vgg`."""
    return get_vgg(13, **kwargs)


def vgg16(**kwargs: Any) -> Any:
    """Make VGG of 16 layers; keywords of :func:`get_vgg`."""
    return get_vgg(16, **kwargs)


def vgg19(**kwargs: Any) -> Any:
    """Make VGG of 19 layers; keywords of :func:`get_vgg`."""
    return get_vgg(19, **kwargs)


def vgg11_bn(**kwargs: Any) -> Any:
    """Make VGG of 11 layers with normalisation; keywords of :func:`get_vgg`."""
    return get_vgg(11, batch_norm=True, **kwargs)


def vgg13_bn(**kwargs: Any) -> Any:
    """Make VGG of 13 layers with normalisation; keywords of :func:`get_vgg`."""
    return get_vgg(13, batch_norm=True, **kwargs)


def vgg16_bn(**kwargs: Any) -> Any:
    """Make VGG of 16 layers with normalisation; keywords of :func:`get_vgg`."""
    return get_vgg(16, batch_norm=True, **kwargs)


def vgg19_bn(**kwargs: Any) -> Any:
    """Make VGG of 19 layers with normalisation; keywords of :func:`get_vgg`."""
    return get_vgg(19, batch_norm=True, **kwargs)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
