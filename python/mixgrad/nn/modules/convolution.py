"""Convolutions as modules."""

from __future__ import annotations

import math
from typing import Any, Optional, Union

from ...base import DTypeLike, InvalidArgumentError
from .. import functional as F
from .. import init
from ..diagnosis import refuse_shape
from ..functional.convolution import Ints, many
from ..module import Module
from ..parameter import Parameter
from .linear import made

__all__ = [
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "ConvTranspose1d",
    "ConvTranspose2d",
    "ConvTranspose3d",
    "Fold",
    "Unfold",
]

_MODES = ("zeros", "reflect", "replicate", "circular")


class _Conv(Module):
    """What convolutions and their transposes have in common."""

    _axes: int
    _transposed = False
    weight: Parameter
    bias: Optional[Parameter]

    def _make(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Ints,
        stride: Ints,
        padding: Union[str, Ints],
        dilation: Ints,
        output_padding: Ints,
        groups: int,
        bias: bool,
        padding_mode: str,
        device: Any,
        dtype: DTypeLike,
    ) -> None:
        name = type(self).__name__
        if groups < 1 or in_channels % groups or out_channels % groups:
            raise InvalidArgumentError(
                f"[{name}] {in_channels} to {out_channels} channels; {groups} groups do not divide both"
            )
        if padding_mode not in (_MODES[:1] if self._transposed else _MODES):
            raise ValueError(
                f"[{name}] padding_mode is {padding_mode!r}; expected one of {', '.join(_MODES)}"
            )
        axes = self._axes
        if isinstance(padding, str):
            if self._transposed or padding not in ("same", "valid"):
                words = "numbers" if self._transposed else "'same', 'valid' or numbers"
                raise ValueError(f"[{name}] padding is {padding!r}; expected {words}")
            if padding == "same" and any(step != 1 for step in many(stride, axes)):
                raise ValueError(f"[{name}] padding is 'same' and stride {stride}; expected a stride of 1")
        for what, value in (("kernel_size", kernel_size), ("stride", stride), ("dilation", dilation)):
            if len(many(value, axes)) != axes or not all(one >= 1 for one in many(value, axes)):
                raise ValueError(
                    f"[{name}] {what} is {value!r}; expected {axes} numbers of at least 1, or one"
                )
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride = many(kernel_size, axes), many(stride, axes)
        self.padding = padding if isinstance(padding, str) else many(padding, axes)
        self.dilation, self.output_padding = many(dilation, axes), many(output_padding, axes)
        self.padding_mode = padding_mode
        first, second = (in_channels, out_channels) if self._transposed else (out_channels, in_channels)
        self.weight = made((first, second // groups, *self.kernel_size), device, dtype)
        self.register_parameter("bias", made((out_channels,), device, dtype) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weights and bias anew, between minus and plus the inverse root of the fan-in."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(max(init.fans(self.weight)[0], 1))
            init.uniform_(self.bias, -bound, bound)

    def _check_inputs(self, input: Any, output_size: Any = None) -> None:
        axes = self._axes
        batched = input.ndim == axes + 2
        if not (batched or input.ndim == axes + 1) or input.shape[-axes - 1] != self.in_channels:
            extents = (
                ", ".join((str(self.in_channels), *"DHW"[3 - axes :]))
                if axes > 1
                else f"{self.in_channels}, L"
            )
            refuse_shape(type(self).__name__, "input", input, f"(N, {extents}) or ({extents})")

    def _padded(self, input: Any) -> tuple[Any, Any]:
        """The input and the padding that is still to do, by zeros."""
        if self.padding_mode == "zeros":
            return input, self.padding
        if self.padding == "valid":
            return input, 0
        if self.padding == "same":
            total = [d * (k - 1) for k, d in zip(self.kernel_size, self.dilation)]
            sides = [side for one in reversed(total) for side in (one // 2, one - one // 2)]
        else:
            sides = [side for one in reversed(self.padding) for side in (one, one)]
        return F.pad(input, sides, self.padding_mode), 0

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        text = (
            f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        )
        for name, usual in (("padding", 0), ("dilation", 1), ("output_padding", 0)):
            value = getattr(self, name)
            if value != (usual,) * self._axes:
                text += f", {name}={value}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        return text + ("" if self.padding_mode == "zeros" else f", padding_mode={self.padding_mode}")


class _Forward(_Conv):
    """A convolution; :class:`Conv2d` says what the arguments are."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Ints,
        stride: Ints = 1,
        padding: Union[str, Ints] = 0,
        dilation: Ints = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__()
        self._make(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            0,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )


class Conv1d(_Forward):
    """Convolution of ``(N, C, L)``, or ``(C, L)``; :class:`Conv2d` says what the arguments are.

    ``L`` becomes ``(L + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1``.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> layer = nn.Conv1d(16, 33, 3, stride=2)
    >>> layer(np.ones((20, 16, 50))).shape, layer.weight.shape
    ((20, 33, 24), (33, 16, 3))
    """

    _axes = 1

    def forward(self, input: Any) -> Any:
        """``(N, C, L)`` or ``(C, L)``."""
        x, padding = self._padded(input)
        return F.conv1d(x, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)


class Conv2d(_Forward):
    """Convolution of ``(N, C, H, W)``, or ``(C, H, W)`` (LeCun et al. 1989).

    ``out[n, o] = bias[o] + sum over c of correlation(weight[o, c], input[n, c])``. The output is
    ``(N, out_channels, H', W')`` with ``H' = (H + 2 * padding - dilation * (kernel_size - 1) - 1) // stride
    + 1``, and so for ``W'``. Its dtype is that of the input, which is that of the parameters.

    Parameters
    ----------
    in_channels, out_channels : int
        Channels of the input and of the output; multiples of ``groups``.
    kernel_size, stride, dilation : int or tuple of int
        Extents of a window, steps between windows, and between the elements of one (Yu and Koltun 2016); one
        number for each axis, or one for all, of at least 1.
    padding : int, tuple of int, 'valid' or 'same'
        Elements on each side; 'valid' is none, 'same' as many as keep the extents, for a stride of 1.
    groups : int
        Parts of the channels that are convolved apart (Krizhevsky et al. 2012); ``in_channels`` of them is a
        convolution by depth.
    bias : bool
        Whether there is a bias, ``(out_channels,)``.
    padding_mode : {'zeros', 'reflect', 'replicate', 'circular'}
        What is added.
    device, dtype
        Of the parameters; float32 by default. ``weight`` is
        ``(out_channels, in_channels // groups, KH, KW)``.

    Raises
    ------
    ValueError
        Groups do not divide the channels, a number is none of these, or an input has other channels or axes.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> layer = nn.Conv2d(16, 33, (3, 5), stride=(2, 1), padding=(4, 2))
    >>> layer(np.ones((2, 16, 50, 100))).shape, layer.weight.shape
    ((2, 33, 28, 100), (33, 16, 3, 5))
    """

    _axes = 2

    def forward(self, input: Any) -> Any:
        """``(N, C, H, W)`` or ``(C, H, W)``."""
        x, padding = self._padded(input)
        return F.conv2d(x, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)


class Conv3d(_Forward):
    """Convolution of ``(N, C, D, H, W)``, or ``(C, D, H, W)``; :class:`Conv2d` says what the arguments are.

    Extents become what :class:`Conv2d` says, on three axes.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.Conv3d(3, 8, 3, padding=(0, 1, 1))(np.ones((1, 3, 5, 8, 8))).shape
    (1, 8, 3, 8, 8)
    """

    _axes = 3

    def forward(self, input: Any) -> Any:
        """``(N, C, D, H, W)`` or ``(C, D, H, W)``."""
        x, padding = self._padded(input)
        return F.conv3d(x, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)


class _Transposed(_Conv):
    """The transpose of a convolution; :class:`ConvTranspose2d` says what the arguments are."""

    _transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Ints,
        stride: Ints = 1,
        padding: Ints = 0,
        output_padding: Ints = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Ints = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__()
        self._make(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            output_padding,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def _run(self, function: Any, input: Any, output_size: Any) -> Any:
        adj = self.output_padding
        if output_size is not None:
            extents = input.shape[-self._axes :]
            least = [
                (extent - 1) * s - 2 * p + d * (k - 1) + 1
                for extent, s, p, d, k in zip(
                    extents, self.stride, self.padding, self.dilation, self.kernel_size
                )
            ]
            adj = tuple(int(want) - have for want, have in zip(output_size[-self._axes :], least))
            if any(not 0 <= one < max(s, d) for one, s, d in zip(adj, self.stride, self.dilation)):
                raise ValueError(
                    f"[{type(self).__name__}] output_size is {tuple(output_size)}; expected "
                    f"{tuple(least)} or more, "
                    "and less than a stride above"
                )
        return function(
            input, self.weight, self.bias, self.stride, self.padding, adj, self.groups, self.dilation
        )


class ConvTranspose1d(_Transposed):
    """The transpose of :class:`Conv1d`; :class:`ConvTranspose2d` says what the arguments are.

    ``L`` becomes ``(L - 1) * stride - 2 * padding + dilation * (kernel_size - 1) + output_padding + 1``.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.ConvTranspose1d(16, 8, 4, stride=2, padding=1)(np.ones((1, 16, 25))).shape
    (1, 8, 50)
    """

    _axes = 1

    def forward(self, input: Any, output_size: Any = None) -> Any:
        """``(N, C, L)`` or ``(C, L)``."""
        return self._run(F.conv_transpose1d, input, output_size)


class ConvTranspose2d(_Transposed):
    """The transpose of :class:`Conv2d`, which gives back the extents before it (Zeiler et al. 2010).

    ``(N, in_channels, H, W)``, or without ``N``, gives ``(N, out_channels, H', W')`` with ``H' = (H - 1) *
    stride - 2 * padding + dilation * (kernel_size - 1) + output_padding + 1``, and so for ``W'``. Its dtype
    is that of the input, which is that of the parameters.

    Parameters
    ----------
    in_channels, out_channels : int
        Channels of the input and of the output; multiples of ``groups``.
    kernel_size, stride, padding, dilation, groups
        Those of the convolution whose transpose it is.
    output_padding : int or tuple of int
        Extent that the output has besides, on one side: several extents give one when they are convolved
        with a stride. ``forward(input, output_size)`` finds it.
    bias : bool
        Whether there is a bias, ``(out_channels,)``.
    padding_mode : {'zeros'}
        What is added.
    device, dtype
        Of the parameters; float32 by default. ``weight`` is
        ``(in_channels, out_channels // groups, KH, KW)``.

    Raises
    ------
    ValueError
        Groups do not divide the channels, a number is none of these, an input has other channels or axes, or
        no output has the ``output_size``.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> x = np.ones((1, 16, 12, 12))
    >>> down, up = nn.Conv2d(16, 16, 3, stride=2, padding=1), nn.ConvTranspose2d(16, 16, 3, 2, padding=1)
    >>> up(down(x)).shape, up(down(x), output_size=x.shape).shape
    ((1, 16, 11, 11), (1, 16, 12, 12))
    """

    _axes = 2

    def forward(self, input: Any, output_size: Any = None) -> Any:
        """``(N, C, H, W)`` or ``(C, H, W)``."""
        return self._run(F.conv_transpose2d, input, output_size)


class ConvTranspose3d(_Transposed):
    """The transpose of :class:`Conv3d`; :class:`ConvTranspose2d` says what the arguments are.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.ConvTranspose3d(4, 2, 2, stride=2)(np.ones((1, 4, 3, 2, 3))).shape
    (1, 2, 6, 4, 6)
    """

    _axes = 3

    def forward(self, input: Any, output_size: Any = None) -> Any:
        """``(N, C, D, H, W)`` or ``(C, D, H, W)``."""
        return self._run(F.conv_transpose3d, input, output_size)


class Unfold(Module):
    """Windows of ``(N, C, H, W)`` as columns, ``(N, C * KH * KW, windows)``.

    There are as many windows as :class:`Conv2d` with these arguments has outputs.

    Parameters
    ----------
    kernel_size, dilation, padding, stride : int or tuple of int
        As for :class:`Conv2d`.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.Unfold((2, 3))(np.ones((2, 5, 3, 4))).shape
    (2, 30, 4)
    """

    def __init__(self, kernel_size: Ints, dilation: Ints = 1, padding: Ints = 0, stride: Ints = 1) -> None:
        super().__init__()
        self.kernel_size, self.dilation = kernel_size, dilation
        self.padding, self.stride = padding, stride

    def forward(self, input: Any) -> Any:
        """``(N, C, H, W)`` gives ``(N, C * KH * KW, windows)``."""
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return (
            f"kernel_size={self.kernel_size}, dilation={self.dilation}, padding={self.padding}, "
            f"stride={self.stride}"
        )


class Fold(Module):
    """The sum of windows that :class:`Unfold` spread: ``(N, C * KH * KW, windows)`` gives ``(N, C, H, W)``.

    Parameters
    ----------
    output_size : int or tuple of int
        ``(H, W)``, of which there are that many windows.
    kernel_size, dilation, padding, stride : int or tuple of int
        As for :class:`Unfold`.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.Fold((3, 4), (2, 3))(nn.Unfold((2, 3))(np.ones((1, 1, 3, 4))))
    array([[[[1., 2., 2., 1.],
             [2., 4., 4., 2.],
             [1., 2., 2., 1.]]]])
    """

    def __init__(
        self, output_size: Ints, kernel_size: Ints, dilation: Ints = 1, padding: Ints = 0, stride: Ints = 1
    ) -> None:
        super().__init__()
        self.output_size, self.kernel_size, self.dilation = output_size, kernel_size, dilation
        self.padding, self.stride = padding, stride

    def forward(self, input: Any) -> Any:
        """``(N, C * KH * KW, windows)`` gives ``(N, C, *output_size)``."""
        return F.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return (
            f"output_size={self.output_size}, kernel_size={self.kernel_size}, dilation={self.dilation}, "
            f"padding={self.padding}, stride={self.stride}"
        )
