"""DenseNet (Huang et al. 2017)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .... import _hints
from ....base import UnknownWordError
from ....context import cpu
from ... import nn
from ...block import HybridBlock
from ...contrib.nn.containers import HybridConcurrent, Identity
from ..model_store import load_weights

__all__ = ["DenseNet", "densenet121", "densenet161", "densenet169", "densenet201"]

# Channels at first, channels that a layer adds, layers of each stage, by the number of layers: MXNet's name.
densenet_spec = {
    121: (64, 32, [6, 12, 24, 16]),
    161: (96, 48, [6, 12, 36, 24]),
    169: (64, 32, [6, 12, 32, 32]),
    201: (64, 32, [6, 12, 48, 32]),
}


def _normalised(to: nn.HybridSequential, channels: int, kernel: int, padding: int = 0) -> None:
    to.add(nn.BatchNorm(), nn.Activation("relu"))
    to.add(nn.Conv2D(channels, kernel_size=kernel, padding=padding, use_bias=False))


def _layer(growth_rate: int, bn_size: int, dropout: float) -> HybridConcurrent:
    new = nn.HybridSequential(prefix="")
    _normalised(new, bn_size * growth_rate, 1)
    _normalised(new, growth_rate, 3, 1)
    if dropout:
        new.add(nn.Dropout(dropout))
    made = HybridConcurrent(axis=1, prefix="")
    made.add(Identity(), new)
    return made


class DenseNet(HybridBlock):
    """The network for pictures of 224 x 224.

    Parameters
    ----------
    num_init_features : int
        Channels after the first convolution.
    growth_rate : int
        Channels that a layer adds.
    block_config : list of int
        Layers of each stage.
    bn_size : int
        Channels in the middle of a layer, as a multiple of ``growth_rate``.
    dropout : float
        Part of a layer's output that becomes 0 while training.
    classes : int
        How many.
    **kwargs
        ``prefix``, ``params``.
    """

    def __init__(
        self,
        num_init_features: int,
        growth_rate: int,
        block_config: Sequence[int],
        bn_size: int = 4,
        dropout: float = 0,
        classes: int = 1000,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            self.features.add(
                nn.Conv2D(num_init_features, kernel_size=7, strides=2, padding=3, use_bias=False)
            )
            self.features.add(nn.BatchNorm(), nn.Activation("relu"))
            self.features.add(nn.MaxPool2D(pool_size=3, strides=2, padding=1))
            channels = num_init_features
            for i, count in enumerate(block_config):
                stage = nn.HybridSequential(prefix=f"stage{i + 1}_")
                with stage.name_scope():
                    for _ in range(count):
                        stage.add(_layer(growth_rate, bn_size, dropout))
                self.features.add(stage)
                channels += count * growth_rate
                if i != len(block_config) - 1:
                    channels //= 2
                    between = nn.HybridSequential(prefix="")
                    _normalised(between, channels, 1)
                    between.add(nn.AvgPool2D(pool_size=2, strides=2))
                    self.features.add(between)
            self.features.add(nn.BatchNorm(), nn.Activation("relu"))
            self.features.add(nn.AvgPool2D(pool_size=7), nn.Flatten())
            self.output = nn.Dense(classes)

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Scores of the classes."""
        return self.output(self.features(x))


def get_densenet(
    num_layers: int,
    pretrained: bool = False,
    ctx: Any = cpu(),  # noqa: B008
    root: Any = None,
    **kwargs: Any,
) -> DenseNet:
    """Make a :class:`DenseNet`.

    Parameters
    ----------
    num_layers : {121, 161, 169, 201}
        How many layers have weights.
    pretrained : bool
        Whether trained weights are read from ``root``.
    ctx : Context
        Where they go.
    root : str, optional
        A folder or URI; by default ``models`` in ``mx.base.data_dir()``.
    **kwargs
        ``bn_size``, ``dropout``, ``classes``, ``prefix``, ``params``.
    """
    if num_layers not in densenet_spec:
        raise UnknownWordError(
            f"[get_densenet] num_layers is {num_layers!r:.40}; expected one of {list(densenet_spec)}"
        )
    first, growth_rate, stages = densenet_spec[num_layers]
    net = DenseNet(first, growth_rate, stages, **kwargs)
    if pretrained:
        load_weights(net, f"densenet{num_layers}", ctx, root)
    return net


def densenet121(**kwargs: Any) -> Any:
    """Make DenseNet of 121 layers; keywords of :func:`get_densenet`."""
    return get_densenet(121, **kwargs)


def densenet161(**kwargs: Any) -> Any:
    """Make DenseNet of 161 layers; keywords of :func:`get_densenet`."""
    return get_densenet(161, **kwargs)


def densenet169(**kwargs: Any) -> Any:
    """Make DenseNet of 169 layers; keywords of :func:`get_densenet`."""
    return get_densenet(169, **kwargs)


def densenet201(**kwargs: Any) -> Any:
    """Make DenseNet of 201 layers; keywords of :func:`get_densenet`."""
    return get_densenet(201, **kwargs)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
