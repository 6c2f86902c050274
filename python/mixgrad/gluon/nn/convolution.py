"""Convolutions over one, two or three axes, and their transposes."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Any, Optional, Union

from ...base import RefusedValueError, whole
from ..block import HybridBlock
from .activations import Activation

__all__ = ["Conv1D", "Conv1DTranspose", "Conv2D", "Conv2DTranspose", "Conv3D", "Conv3DTranspose"]

Extents = Union[int, tuple[int, ...], list[int]]
_LAYOUTS = {1: ("NCW", "NWC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}


def several(value: Any, count: int, who: str, name: str) -> tuple[int, ...]:
    """A number for each axis, where one number stands for all.

    >>> several(2, 3, "Conv3D", "strides")
    (2, 2, 2)
    """
    try:
        return (index(value),) * count
    except TypeError:
        found = tuple(value) if isinstance(value, Iterable) else ()
    if len(found) != count:
        raise RefusedValueError(f"[{who}] {name} is {value!r}; expected a number, or {count} of them")
    return found


def misfit(shape: tuple[int, ...], layout: str, channels: int = 0) -> Optional[str]:
    """What shape images should have, where this one is of another layout or of other channels.

    >>> misfit((1, 4, 8, 8), "NCHW", 3)
    "(N, 3, H, W), as layout='NCHW'"
    """
    place = layout.index("C")
    if len(shape) == len(layout) and channels in (0, shape[place]):
        return None
    names = [str(channels) if name == "C" and channels else name for name in layout]
    return f"({', '.join(names)}), as layout={layout!r}"


class _Conv(HybridBlock):
    """What all convolutions share."""

    _ndim = 0
    _transposed = False

    def __init__(
        self,
        channels: int,
        kernel_size: Extents,
        strides: Extents,
        padding: Extents,
        dilation: Extents,
        groups: int,
        layout: str,
        in_channels: int = 0,
        activation: Optional[str] = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        output_padding: Optional[Extents] = None,
        prefix: Optional[str] = None,
        params: Any = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        who, count = type(self).__name__, self._ndim
        if layout not in _LAYOUTS[count]:
            raise RefusedValueError(
                f"[{who}] layout is {layout!r}; expected {' or '.join(map(repr, _LAYOUTS[count]))}"
            )
        groups = whole(groups, who, "groups", 1, 2**30)
        kernel = several(kernel_size, count, who, "kernel_size")
        self._channels = channels
        self._in_channels = in_channels
        self._op_name = "Deconvolution" if self._transposed else "Convolution"
        self._kwargs: dict[str, Any] = {
            "kernel": kernel,
            "stride": several(strides, count, who, "strides"),
            "dilate": several(dilation, count, who, "dilation"),
            "pad": several(padding, count, who, "padding"),
            "num_filter": channels,
            "num_group": groups,
            "no_bias": not use_bias,
            "layout": layout,
        }
        if output_padding is not None:
            self._kwargs["adj"] = several(output_padding, count, who, "output_padding")
        first, second = (in_channels, channels) if self._transposed else (channels, in_channels)
        second //= groups
        shape = (first, second, *kernel) if layout[1] == "C" else (first, *kernel, second)
        with self.name_scope():
            self.weight = self.params.get(
                "weight", shape=shape, init=weight_initializer, allow_deferred_init=True
            )
            self.bias = (
                self.params.get("bias", shape=(channels,), init=bias_initializer, allow_deferred_init=True)
                if use_bias
                else None
            )
            self.act = None if activation is None else Activation(activation, prefix=activation + "_")

    def hybrid_forward(self, F: Any, x: Any, weight: Any, bias: Any = None) -> Any:
        """Convolve, add, activate.

        Parameters
        ----------
        x : NDArray or Symbol
            Images in the layout.
        weight : NDArray or Symbol
            (channels, in_channels / groups, ...), or with the channels of the input at the end.
        bias : NDArray or Symbol, optional
            (channels,).
        """
        convolve = F.Deconvolution if self._transposed else F.Convolution
        if bias is None:
            out = convolve(x, weight, name="fwd", **self._kwargs)
        else:
            out = convolve(x, weight, bias, name="fwd", **self._kwargs)
        return out if self.act is None else self.act(out)

    def _expects(self, shape: tuple[int, ...]) -> Optional[str]:
        layout = self._kwargs["layout"]
        weight = self.weight.shape
        assert weight is not None
        channels = weight[0] if self._transposed else weight[layout.index("C")] * self._kwargs["num_group"]
        return misfit(shape, layout, channels)

    def _alias(self) -> str:
        return "conv"

    def __repr__(self) -> str:
        options, shape = self._kwargs, self.weight.shape
        assert shape is not None
        texts = [
            f"{shape[1] if shape[1] else None} -> {shape[0]}",
            f"kernel_size={options['kernel']}",
            f"stride={options['stride']}",
        ]
        if any(options["pad"]):
            texts.append(f"padding={options['pad']}")
        if any(one != 1 for one in options["dilate"]):
            texts.append(f"dilation={options['dilate']}")
        if options["num_group"] != 1:
            texts.append(f"groups={options['num_group']}")
        if self.bias is None:
            texts.append("bias=False")
        if self.act is not None:
            texts.append(repr(self.act))
        return f"{type(self).__name__}({', '.join(texts)})"


class Conv1D(_Conv):
    """A convolution over a row of vectors.

    Parameters
    ----------
    channels : int
        Channels that it gives.
    kernel_size : int or tuple of int
        Extent of the kernel.
    strides : int or tuple of int
        Steps of the kernel.
    padding : int or tuple of int
        Zeros that are put at both ends of each axis.
    dilation : int or tuple of int
        Distance between elements of the kernel.
    groups : int
        Groups of channels that do not mix.
    layout : str
        Order of the axes: 'NCW' is (batch, channels, width); the channels may be last.
    activation : str, optional
        Name of an activation function.
    use_bias : bool
        Whether there is a bias.
    weight_initializer, bias_initializer : Initializer or str, optional
        How they start.
    in_channels : int
        Channels of the input; 0: known at the first forward pass.

    Examples
    --------
    >>> import mixgrad as mx
    >>> layer = mx.gluon.nn.Conv1D(4, kernel_size=3, strides=2)
    >>> layer.initialize()
    >>> layer(mx.nd.ones((1, 2, 9))).shape
    (1, 4, 4)
    """

    _ndim = 1

    def __init__(
        self,
        channels: int,
        kernel_size: Extents,
        strides: Extents = 1,
        padding: Extents = 0,
        dilation: Extents = 1,
        groups: int = 1,
        layout: str = "NCW",
        activation: Optional[str] = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            channels,
            kernel_size,
            strides,
            padding,
            dilation,
            groups,
            layout,
            in_channels,
            activation,
            use_bias,
            weight_initializer,
            bias_initializer,
            **kwargs,
        )


class Conv2D(_Conv):
    """A convolution over images.

    Parameters
    ----------
    channels : int
        Channels that it gives.
    kernel_size : int or tuple of int
        Extent of the kernel.
    strides : int or tuple of int
        Steps of the kernel.
    padding : int or tuple of int
        Zeros that are put at both ends of each axis.
    dilation : int or tuple of int
        Distance between elements of the kernel.
    groups : int
        Groups of channels that do not mix.
    layout : str
        Order of the axes: 'NCHW' is (batch, channels, height, width); the channels may be last.
    activation : str, optional
        Name of an activation function.
    use_bias : bool
        Whether there is a bias.
    weight_initializer, bias_initializer : Initializer or str, optional
        How they start.
    in_channels : int
        Channels of the input; 0: known at the first forward pass.

    Examples
    --------
    >>> import mixgrad as mx
    >>> layer = mx.gluon.nn.Conv2D(4, kernel_size=3, strides=2)
    >>> layer.initialize()
    >>> layer(mx.nd.ones((1, 2, 9, 9))).shape
    (1, 4, 4, 4)
    """

    _ndim = 2

    def __init__(
        self,
        channels: int,
        kernel_size: Extents,
        strides: Extents = (1, 1),
        padding: Extents = (0, 0),
        dilation: Extents = (1, 1),
        groups: int = 1,
        layout: str = "NCHW",
        activation: Optional[str] = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            channels,
            kernel_size,
            strides,
            padding,
            dilation,
            groups,
            layout,
            in_channels,
            activation,
            use_bias,
            weight_initializer,
            bias_initializer,
            **kwargs,
        )


class Conv3D(_Conv):
    """A convolution over volumes.

    Parameters
    ----------
    channels : int
        Channels that it gives.
    kernel_size : int or tuple of int
        Extent of the kernel.
    strides : int or tuple of int
        Steps of the kernel.
    padding : int or tuple of int
        Zeros that are put at both ends of each axis.
    dilation : int or tuple of int
        Distance between elements of the kernel.
    groups : int
        Groups of channels that do not mix.
    layout : str
        Order of the axes: 'NCDHW' is (batch, channels, depth, height, width); the channels may be last.
    activation : str, optional
        Name of an activation function.
    use_bias : bool
        Whether there is a bias.
    weight_initializer, bias_initializer : Initializer or str, optional
        How they start.
    in_channels : int
        Channels of the input; 0: known at the first forward pass.

    Examples
    --------
    >>> import mixgrad as mx
    >>> layer = mx.gluon.nn.Conv3D(4, kernel_size=3, strides=2)
    >>> layer.initialize()
    >>> layer(mx.nd.ones((1, 2, 9, 9, 9))).shape
    (1, 4, 4, 4, 4)
    """

    _ndim = 3

    def __init__(
        self,
        channels: int,
        kernel_size: Extents,
        strides: Extents = (1, 1, 1),
        padding: Extents = (0, 0, 0),
        dilation: Extents = (1, 1, 1),
        groups: int = 1,
        layout: str = "NCDHW",
        activation: Optional[str] = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            channels,
            kernel_size,
            strides,
            padding,
            dilation,
            groups,
            layout,
            in_channels,
            activation,
            use_bias,
            weight_initializer,
            bias_initializer,
            **kwargs,
        )


class Conv1DTranspose(_Conv):
    """The transpose of a convolution over a row of vectors.

    Parameters
    ----------
    channels : int
        Channels that it gives.
    kernel_size : int or tuple of int
        Extent of the kernel.
    strides : int or tuple of int
        Distance between kernels in the output.
    padding : int or tuple of int
        What is cut off at both ends of each axis.
    output_padding : int or tuple of int
        What is put at the end of each axis of the output.
    dilation : int or tuple of int
        Distance between elements of the kernel.
    groups : int
        Groups of channels that do not mix.
    layout : str
        Order of the axes: 'NCW' is (batch, channels, width); the channels may be last.
    activation : str, optional
        Name of an activation function.
    use_bias : bool
        Whether there is a bias.
    weight_initializer, bias_initializer : Initializer or str, optional
        How they start.
    in_channels : int
        Channels of the input; 0: known at the first forward pass.

    Examples
    --------
    >>> import mixgrad as mx
    >>> layer = mx.gluon.nn.Conv1DTranspose(4, kernel_size=3, strides=2)
    >>> layer.initialize()
    >>> layer(mx.nd.ones((1, 2, 9))).shape
    (1, 4, 19)
    """

    _ndim = 1
    _transposed = True

    def __init__(
        self,
        channels: int,
        kernel_size: Extents,
        strides: Extents = 1,
        padding: Extents = 0,
        output_padding: Extents = 0,
        dilation: Extents = 1,
        groups: int = 1,
        layout: str = "NCW",
        activation: Optional[str] = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            channels,
            kernel_size,
            strides,
            padding,
            dilation,
            groups,
            layout,
            in_channels,
            activation,
            use_bias,
            weight_initializer,
            bias_initializer,
            output_padding,
            **kwargs,
        )


class Conv2DTranspose(_Conv):
    """The transpose of a convolution over images.

    Parameters
    ----------
    channels : int
        Channels that it gives.
    kernel_size : int or tuple of int
        Extent of the kernel.
    strides : int or tuple of int
        Distance between kernels in the output.
    padding : int or tuple of int
        What is cut off at both ends of each axis.
    output_padding : int or tuple of int
        What is put at the end of each axis of the output.
    dilation : int or tuple of int
        Distance between elements of the kernel.
    groups : int
        Groups of channels that do not mix.
    layout : str
        Order of the axes: 'NCHW' is (batch, channels, height, width); the channels may be last.
    activation : str, optional
        Name of an activation function.
    use_bias : bool
        Whether there is a bias.
    weight_initializer, bias_initializer : Initializer or str, optional
        How they start.
    in_channels : int
        Channels of the input; 0: known at the first forward pass.

    Examples
    --------
    >>> import mixgrad as mx
    >>> layer = mx.gluon.nn.Conv2DTranspose(4, kernel_size=3, strides=2)
    >>> layer.initialize()
    >>> layer(mx.nd.ones((1, 2, 9, 9))).shape
    (1, 4, 19, 19)
    """

    _ndim = 2
    _transposed = True

    def __init__(
        self,
        channels: int,
        kernel_size: Extents,
        strides: Extents = (1, 1),
        padding: Extents = (0, 0),
        output_padding: Extents = (0, 0),
        dilation: Extents = (1, 1),
        groups: int = 1,
        layout: str = "NCHW",
        activation: Optional[str] = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            channels,
            kernel_size,
            strides,
            padding,
            dilation,
            groups,
            layout,
            in_channels,
            activation,
            use_bias,
            weight_initializer,
            bias_initializer,
            output_padding,
            **kwargs,
        )


class Conv3DTranspose(_Conv):
    """The transpose of a convolution over volumes.

    Parameters
    ----------
    channels : int
        Channels that it gives.
    kernel_size : int or tuple of int
        Extent of the kernel.
    strides : int or tuple of int
        Distance between kernels in the output.
    padding : int or tuple of int
        What is cut off at both ends of each axis.
    output_padding : int or tuple of int
        What is put at the end of each axis of the output.
    dilation : int or tuple of int
        Distance between elements of the kernel.
    groups : int
        Groups of channels that do not mix.
    layout : str
        Order of the axes: 'NCDHW' is (batch, channels, depth, height, width); the channels may be last.
    activation : str, optional
        Name of an activation function.
    use_bias : bool
        Whether there is a bias.
    weight_initializer, bias_initializer : Initializer or str, optional
        How they start.
    in_channels : int
        Channels of the input; 0: known at the first forward pass.

    Examples
    --------
    >>> import mixgrad as mx
    >>> layer = mx.gluon.nn.Conv3DTranspose(4, kernel_size=3, strides=2)
    >>> layer.initialize()
    >>> layer(mx.nd.ones((1, 2, 9, 9, 9))).shape
    (1, 4, 19, 19, 19)
    """

    _ndim = 3
    _transposed = True

    def __init__(
        self,
        channels: int,
        kernel_size: Extents,
        strides: Extents = (1, 1, 1),
        padding: Extents = (0, 0, 0),
        output_padding: Extents = (0, 0, 0),
        dilation: Extents = (1, 1, 1),
        groups: int = 1,
        layout: str = "NCDHW",
        activation: Optional[str] = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            channels,
            kernel_size,
            strides,
            padding,
            dilation,
            groups,
            layout,
            in_channels,
            activation,
            use_bias,
            weight_initializer,
            bias_initializer,
            output_padding,
            **kwargs,
        )
