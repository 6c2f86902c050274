"""Inception v3 (Szegedy et al. 2015)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .... import _hints
from ....context import cpu
from ... import nn
from ...block import HybridBlock
from ...contrib.nn.containers import HybridConcurrent
from ..model_store import load_weights

__all__ = ["Inception3", "inception_v3"]

# A convolution: channels, window, stride, border.
_Convolution = tuple[int, Any, int, Any]
_ACROSS_7, _DOWN_7 = ((1, 7), (0, 3)), ((7, 1), (3, 0))


def _one(channels: int, kernel: Any = 1, stride: int = 1, padding: Any = 0) -> _Convolution:
    return channels, kernel, stride, padding


def _seven(channels: int, window: tuple[Any, Any]) -> _Convolution:
    return channels, window[0], 1, window[1]


def _basic(convolution: _Convolution) -> nn.HybridSequential:
    channels, kernel, stride, padding = convolution
    made = nn.HybridSequential(prefix="")
    made.add(nn.Conv2D(channels, kernel, stride, padding, use_bias=False))
    made.add(nn.BatchNorm(epsilon=0.001), nn.Activation("relu"))
    return made


def _branch(convolutions: Sequence[_Convolution], pool: str = "") -> nn.HybridSequential:
    """Convolutions one after another, behind a pooling where one is named."""
    made = nn.HybridSequential(prefix="")
    if pool == "avg":
        made.add(nn.AvgPool2D(pool_size=3, strides=1, padding=1))
    elif pool == "max":
        made.add(nn.MaxPool2D(pool_size=3, strides=2))
    for one in convolutions:
        made.add(_basic(one))
    return made


def _split(before: Sequence[_Convolution]) -> nn.HybridSequential:
    """Convolutions, then one across and one down side by side."""
    made = nn.HybridSequential(prefix="")
    made.add(_branch(before))
    sides = HybridConcurrent(axis=1, prefix="")
    sides.add(_branch([_one(384, (1, 3), 1, (0, 1))]), _branch([_one(384, (3, 1), 1, (1, 0))]))
    made.add(sides)
    return made


def _group(prefix: str, make: Any) -> HybridConcurrent:
    made = HybridConcurrent(axis=1, prefix=prefix)
    with made.name_scope():
        for branch in make():
            made.add(branch)
    return made


def _a(pooled: int, prefix: str) -> HybridConcurrent:
    return _group(
        prefix,
        lambda: (
            _branch([_one(64)]),
            _branch([_one(48), _one(64, 5, 1, 2)]),
            _branch([_one(64), _one(96, 3, 1, 1), _one(96, 3, 1, 1)]),
            _branch([_one(pooled)], "avg"),
        ),
    )


def _b(prefix: str) -> HybridConcurrent:
    return _group(
        prefix,
        lambda: (
            _branch([_one(384, 3, 2)]),
            _branch([_one(64), _one(96, 3, 1, 1), _one(96, 3, 2)]),
            _branch([], "max"),
        ),
    )


def _c(channels: int, prefix: str) -> HybridConcurrent:
    across, down = _seven(channels, _ACROSS_7), _seven(channels, _DOWN_7)
    return _group(
        prefix,
        lambda: (
            _branch([_one(192)]),
            _branch([_one(channels), across, _seven(192, _DOWN_7)]),
            _branch([_one(channels), down, across, down, _seven(192, _ACROSS_7)]),
            _branch([_one(192)], "avg"),
        ),
    )


def _d(prefix: str) -> HybridConcurrent:
    return _group(
        prefix,
        lambda: (
            _branch([_one(192), _one(320, 3, 2)]),
            _branch([_one(192), _seven(192, _ACROSS_7), _seven(192, _DOWN_7), _one(192, 3, 2)]),
            _branch([], "max"),
        ),
    )


def _e(prefix: str) -> HybridConcurrent:
    return _group(
        prefix,
        lambda: (
            _branch([_one(320)]),
            _split([_one(384)]),
            _split([_one(448), _one(384, 3, 1, 1)]),
            _branch([_one(192)], "avg"),
        ),
    )


class Inception3(HybridBlock):
    """The network for pictures of 299 x 299.

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
            for one in (_one(32, 3, 2), _one(32, 3), _one(64, 3, 1, 1)):
                self.features.add(_basic(one))
            self.features.add(nn.MaxPool2D(pool_size=3, strides=2))
            self.features.add(_basic(_one(80)), _basic(_one(192, 3)))
            self.features.add(nn.MaxPool2D(pool_size=3, strides=2))
            self.features.add(_a(32, "A1_"), _a(64, "A2_"), _a(64, "A3_"))
            self.features.add(_b("B_"))
            self.features.add(_c(128, "C1_"), _c(160, "C2_"), _c(160, "C3_"), _c(192, "C4_"))
            self.features.add(_d("D_"))
            self.features.add(_e("E1_"), _e("E2_"))
            self.features.add(nn.AvgPool2D(pool_size=8), nn.Dropout(0.5))
            self.output = nn.Dense(classes)

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Scores of the classes."""
        return self.output(self.features(x))


def inception_v3(
    pretrained: bool = False,
    ctx: Any = cpu(),  # noqa: B008
    root: Any = None,
    **kwargs: Any,
) -> Inception3:
    """Make an :class:`Inception3`.

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
    net = Inception3(**kwargs)
    if pretrained:
        load_weights(net, "inceptionv3", ctx, root)
    return net


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
