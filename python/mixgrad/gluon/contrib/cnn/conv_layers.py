"""Convolutions whose windows move with the image (Dai et al. 2017, Zhu et al. 2018)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from .... import _hints
from ....base import InvalidArgumentError
from ...block import HybridBlock
from ...nn import Activation
from ...nn.convolution import Extents, several
from ...parameter import ParameterDict

__all__ = ["DeformableConvolution", "ModulatedDeformableConvolution"]


class DeformableConvolution(HybridBlock):
    """A convolution that looks beside its windows' places, by distances that another convolution of the
    image gives (Dai et al. 2017).

    Parameters
    ----------
    channels : int
        Of the output.
    kernel_size, strides, padding, dilation : int or tuple of int
        As of ``nn.Conv2D``.
    groups : int
        Groups of channels.
    num_deformable_group : int
        Groups of channels that have distances of their own.
    layout : {'NCHW'}
        Axes of the images.
    use_bias : bool
        Whether a number is added to each channel.
    in_channels : int
        Of the input; 0: the first call tells.
    activation : str, optional
        What follows.
    weight_initializer, bias_initializer : Initializer
        For the convolution.
    offset_weight_initializer, offset_bias_initializer : Initializer
        For that of the distances.
    offset_use_bias : bool
        Whether that one has a bias.
    op_name : str
        Taken for MXNet's sake.
    adj : tuple of int, optional
        Taken for MXNet's sake.
    prefix : str, optional
        What the names of its parameters begin with.
    params : ParameterDict, optional
        Parameters that it shares instead of making its own.

    Examples
    --------
    >>> import mixgrad as mx
    >>> layer = mx.gluon.contrib.cnn.DeformableConvolution(4, kernel_size=3, padding=1)
    >>> layer.initialize()
    >>> layer(mx.nd.ones((2, 3, 8, 8))).shape
    (2, 4, 8, 8)
    """

    _numbers = 2  # for each place of a window and group
    _offset_first = True

    def __init__(
        self,
        channels: int,
        kernel_size: Extents = (1, 1),
        strides: Extents = (1, 1),
        padding: Extents = (0, 0),
        dilation: Extents = (1, 1),
        groups: int = 1,
        num_deformable_group: int = 1,
        layout: str = "NCHW",
        use_bias: bool = True,
        in_channels: int = 0,
        activation: Optional[str] = None,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        offset_weight_initializer: Any = "zeros",
        offset_bias_initializer: Any = "zeros",
        offset_use_bias: bool = True,
        op_name: Optional[str] = None,
        adj: Any = None,
        prefix: Optional[str] = None,
        params: Optional[ParameterDict] = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        who = type(self).__name__
        if layout != "NCHW":
            raise InvalidArgumentError(f"[{who}] layout is {layout!r}; expected 'NCHW'")
        kernel = several(kernel_size, 2, who, "kernel_size")
        self._channels, self._in_channels = channels, in_channels
        self._groups = num_deformable_group
        window: dict[str, Any] = {
            "kernel": kernel,
            "stride": several(strides, 2, who, "strides"),
            "dilate": several(dilation, 2, who, "dilation"),
            "pad": several(padding, 2, who, "padding"),
            "num_group": groups,
            "layout": layout,
        }
        offsets = self._numbers * kernel[0] * kernel[1] * num_deformable_group
        self._kwargs_offset = {**window, "num_filter": offsets, "no_bias": not offset_use_bias}
        self._kwargs_deformable_conv = {
            **window,
            "num_filter": channels,
            "no_bias": not use_bias,
            "num_deformable_group": num_deformable_group,
        }
        parts = [
            ("offset", offsets, offset_use_bias, offset_weight_initializer, offset_bias_initializer),
            ("deformable_conv", channels, use_bias, weight_initializer, bias_initializer),
        ]
        with self.name_scope():
            for name, count, biased, weight, bias in parts if self._offset_first else reversed(parts):
                shape = (count, in_channels // groups, *kernel)
                self._make(f"{name}_weight", shape, weight)
                if biased:
                    self._make(f"{name}_bias", (count,), bias)
                else:
                    setattr(self, f"{name}_bias", None)
            self.act = None if activation is None else Activation(activation, prefix=activation + "_")

    def _make(self, name: str, shape: tuple[int, ...], init: Any) -> None:
        setattr(self, name, self.params.get(name, shape=shape, init=init, allow_deferred_init=True))

    def _alias(self) -> str:
        return "deformable_conv"

    def _convolved(self, F: Any, x: Any, offset: Any, weights: Any) -> Any:
        return F.contrib.DeformableConvolution(
            x, offset, *weights, name="fwd", **self._kwargs_deformable_conv
        )

    def hybrid_forward(
        self,
        F: Any,
        x: Any,
        offset_weight: Any,
        deformable_conv_weight: Any,
        offset_bias: Any = None,
        deformable_conv_bias: Any = None,
    ) -> Any:
        """Find the distances, convolve, activate.

        Parameters
        ----------
        x : NDArray or Symbol
            (batch, in_channels, height, width).
        offset_weight, deformable_conv_weight, offset_bias, deformable_conv_bias : NDArray or Symbol
            Of both convolutions.
        """
        biases = [] if offset_bias is None else [offset_bias]
        offset = F.Convolution(x, offset_weight, *biases, **self._kwargs_offset)
        weights = [deformable_conv_weight]
        if deformable_conv_bias is not None:
            weights.append(deformable_conv_bias)
        out = self._convolved(F, x, offset, weights)
        return out if self.act is None else self.act(out)

    def __repr__(self) -> str:
        window = self._kwargs_deformable_conv
        parts = [f"{self._in_channels or None} -> {self._channels}"]
        parts += [f"kernel_size={window['kernel']}", f"stride={window['stride']}"]
        if window["pad"] != (0, 0):
            parts.append(f"padding={window['pad']}")
        if window["dilate"] != (1, 1):
            parts.append(f"dilation={window['dilate']}")
        if window["num_group"] != 1:
            parts.append(f"groups={window['num_group']}")
        if window["no_bias"]:
            parts.append("bias=False")
        if self.act is not None:
            parts.append(repr(self.act))
        return f"{type(self).__name__}({', '.join(parts)})"


class ModulatedDeformableConvolution(DeformableConvolution):
    """A deformable convolution whose places also have weights of their own, from 0 to 2 (Zhu et al. 2018).

    Parameters are those of :class:`DeformableConvolution`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> layer = mx.gluon.contrib.cnn.ModulatedDeformableConvolution(4, kernel_size=3, padding=1)
    >>> layer.initialize()
    >>> layer(mx.nd.ones((2, 3, 8, 8))).shape
    (2, 4, 8, 8)
    """

    _numbers = 3
    _offset_first = False

    def _alias(self) -> str:
        return "modulated_deformable_conv"

    def _convolved(self, F: Any, x: Any, offset: Any, weights: Any) -> Any:
        kernel = self._kwargs_deformable_conv["kernel"]
        count = 2 * kernel[0] * kernel[1] * self._groups
        distances = F.slice_axis(offset, axis=1, begin=0, end=count)
        mask = F.sigmoid(F.slice_axis(offset, axis=1, begin=count, end=None)) * 2
        return F.contrib.ModulatedDeformableConvolution(
            x, distances, mask, *weights, name="fwd", **self._kwargs_deformable_conv
        )


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
