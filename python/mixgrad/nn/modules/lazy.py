"""Layers that learn from their first input how many channels it has, and are the usual ones from then on."""

from __future__ import annotations

from typing import Any, Optional, Union

from ... import _core
from ... import numpy as np
from ..._hints import kind_name
from ...base import DTypeLike, InvalidArgumentError
from ...ndarray import NDArray
from ..functional.convolution import Ints
from ..module import Module
from ..parameter import Parameter, UninitializedParameter
from .convolution import Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from .linear import Linear
from .normalization import (
    BatchNorm1d,
    BatchNorm2d,
    BatchNorm3d,
    InstanceNorm1d,
    InstanceNorm2d,
    InstanceNorm3d,
)

__all__ = [
    "LazyBatchNorm1d",
    "LazyBatchNorm2d",
    "LazyBatchNorm3d",
    "LazyConv1d",
    "LazyConv2d",
    "LazyConv3d",
    "LazyConvTranspose1d",
    "LazyConvTranspose2d",
    "LazyConvTranspose3d",
    "LazyInstanceNorm1d",
    "LazyInstanceNorm2d",
    "LazyInstanceNorm3d",
    "LazyLinear",
]


class _Lazy(Module):
    """A layer before its first call, in which it becomes one of another class."""

    _lazy = True
    cls_to_become: type[Module]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Look at the input, become the usual layer, and call that."""
        name = type(self).__name__
        if not args or not isinstance(args[0], NDArray):
            given = kind_name(args[0]) if args else "missing"
            raise TypeError(f"[{name}] input 0 is {given}; expected an array, which mx.np.array makes of it")
        if _core.trace_is_active():
            raise InvalidArgumentError(f"[{name}] it has no weights yet; call the network once before mx.jit")
        self._learn(args[0])
        self.__class__ = self.cls_to_become  # type: ignore[assignment]
        return self(*args, **kwargs)

    def _learn(self, input: Any) -> None:
        raise NotImplementedError(f"[{type(self).__name__}] it says nowhere what it learns of an input")

    def _unknown(self) -> bool:
        """Whether there are no values yet, not even of a file."""
        return any(isinstance(one, UninitializedParameter) for one in self.parameters(recurse=False))

    def reset_parameters(self) -> None:
        """Draw parameters anew, where there are any."""
        if not self._unknown():
            super().reset_parameters()  # type: ignore[misc]


class LazyLinear(_Lazy, Linear):
    """A :class:`Linear` whose ``in_features`` is the last extent of its first input.

    Parameters are there from the start, as objects that an optimiser can have; they have no elements before
    the first call or the loading of a state.

    Parameters
    ----------
    out_features : int
        The last extent of the output.
    bias, device, dtype
        As for :class:`Linear`.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> layer = nn.LazyLinear(3)
    >>> layer
    LazyLinear(in_features=0, out_features=3, bias=True)
    >>> layer(np.ones((2, 5))).shape, layer
    ((2, 3), Linear(in_features=5, out_features=3, bias=True))
    """

    cls_to_become = Linear

    def __init__(
        self, out_features: int, bias: bool = True, device: Any = None, dtype: DTypeLike = None
    ) -> None:
        super().__init__(1, out_features, bias, device, dtype)
        self.in_features = 0
        self.weight = UninitializedParameter(device=device, dtype=dtype)

    def _learn(self, input: Any) -> None:
        self.in_features = input.shape[-1]
        if self._unknown():
            self.weight.materialize((self.out_features, self.in_features))  # type: ignore[attr-defined]
            self.reset_parameters()


class _LazyConv(_Lazy):
    """A convolution, or the transpose of one, whose ``in_channels`` are those of its first input.

    Parameters
    ----------
    out_channels : int
        Channels of the output.
    kernel_size, stride, padding, dilation, output_padding, groups, bias, padding_mode, device, dtype
        As for the layer that it becomes.
    """

    _axes: int
    _transposed: bool
    in_channels: int
    out_channels: int
    groups: int
    kernel_size: tuple[int, ...]
    weight: Parameter

    def _forget_inputs(self, device: Any, dtype: DTypeLike) -> None:
        self.in_channels = 0
        self.weight = UninitializedParameter(device=device, dtype=dtype)

    def _learn(self, input: Any) -> None:
        channels = input.shape[-self._axes - 1]
        if channels % self.groups:
            raise InvalidArgumentError(
                f"[{type(self).__name__}] {channels} channels, which {self.groups} groups do not divide"
            )
        self.in_channels = channels
        if self._unknown():
            first, second = self.out_channels, channels
            if self._transposed:
                first, second = second, first
            shape = (first, second // self.groups, *self.kernel_size)
            self.weight.materialize(shape)  # type: ignore[attr-defined]
            self.reset_parameters()


class _LazyForward(_LazyConv):
    __doc__ = _LazyConv.__doc__

    def __init__(
        self,
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
        words = (kernel_size, stride, padding, dilation, groups, bias, padding_mode, device, dtype)
        super().__init__(groups, out_channels, *words)  # type: ignore[call-arg]
        self._forget_inputs(device, dtype)


class LazyConv1d(_LazyForward, Conv1d):
    """A :class:`Conv1d` whose ``in_channels`` are those of its first input."""

    cls_to_become = Conv1d


class LazyConv2d(_LazyForward, Conv2d):
    """A :class:`Conv2d` whose ``in_channels`` are those of its first input.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> net = nn.Sequential(nn.LazyConv2d(8, 3), nn.LazyBatchNorm2d(), nn.ReLU())
    >>> net(np.ones((2, 3, 6, 6))).shape, net[0].weight.shape
    ((2, 8, 4, 4), (8, 3, 3, 3))
    """

    cls_to_become = Conv2d


class LazyConv3d(_LazyForward, Conv3d):
    """A :class:`Conv3d` whose ``in_channels`` are those of its first input."""

    cls_to_become = Conv3d


class _LazyTransposed(_LazyConv):
    __doc__ = _LazyConv.__doc__

    def __init__(
        self,
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
        words = (kernel_size, stride, padding, output_padding, groups, bias, dilation, padding_mode, device)
        super().__init__(groups, out_channels, *words, dtype)  # type: ignore[call-arg]
        self._forget_inputs(device, dtype)


class LazyConvTranspose1d(_LazyTransposed, ConvTranspose1d):
    """A :class:`ConvTranspose1d` whose ``in_channels`` are those of its first input."""

    cls_to_become = ConvTranspose1d


class LazyConvTranspose2d(_LazyTransposed, ConvTranspose2d):
    """A :class:`ConvTranspose2d` whose ``in_channels`` are those of its first input."""

    cls_to_become = ConvTranspose2d


class LazyConvTranspose3d(_LazyTransposed, ConvTranspose3d):
    """A :class:`ConvTranspose3d` whose ``in_channels`` are those of its first input."""

    cls_to_become = ConvTranspose3d


class _LazyNorm(_Lazy):
    """A normalisation whose ``num_features`` are the channels of its first input.

    Parameters
    ----------
    eps, momentum, affine, track_running_stats, device, dtype, bias
        As for the layer that it becomes.
    """

    num_features: int
    _channel_axis = 1

    def __init__(
        self,
        eps: float = 1e-5,
        momentum: Optional[float] = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: DTypeLike = None,
        *,
        bias: bool = True,
    ) -> None:
        words = (eps, momentum, affine, track_running_stats, device, dtype)
        super().__init__(0, *words, bias=bias)  # type: ignore[call-arg]
        for name, parameter in self._parameters.items():
            if parameter is not None:
                setattr(self, name, UninitializedParameter(device=device, dtype=dtype))

    def _unknown(self) -> bool:
        return super()._unknown() or any(one.shape == (0,) for one in self.buffers(recurse=False))

    def _learn(self, input: Any) -> None:
        self.num_features = input.shape[self._channel_axis]
        if self._unknown():
            shape = (self.num_features,)
            for parameter in self.parameters(recurse=False):
                parameter.materialize(shape)  # type: ignore[attr-defined]
            for name, buffer in self.named_buffers(recurse=False):
                if buffer.shape == (0,):
                    setattr(self, name, np.zeros(shape, dtype=buffer.dtype, ctx=buffer.context))
            self.reset_parameters()


class LazyBatchNorm1d(_LazyNorm, BatchNorm1d):
    """A :class:`BatchNorm1d` whose ``num_features`` are the channels of its first input."""

    cls_to_become = BatchNorm1d


class LazyBatchNorm2d(_LazyNorm, BatchNorm2d):
    """A :class:`BatchNorm2d` whose ``num_features`` are the channels of its first input."""

    cls_to_become = BatchNorm2d


class LazyBatchNorm3d(_LazyNorm, BatchNorm3d):
    """A :class:`BatchNorm3d` whose ``num_features`` are the channels of its first input."""

    cls_to_become = BatchNorm3d


class LazyInstanceNorm1d(_LazyNorm, InstanceNorm1d):
    """An :class:`InstanceNorm1d` whose ``num_features`` are the channels of its first input.

    Unlike those of that layer, ``affine`` and ``track_running_stats`` are True unless said otherwise.
    """

    cls_to_become = InstanceNorm1d
    _channel_axis = -2


class LazyInstanceNorm2d(_LazyNorm, InstanceNorm2d):
    """An :class:`InstanceNorm2d` whose ``num_features`` are the channels of its first input.

    Unlike those of that layer, ``affine`` and ``track_running_stats`` are True unless said otherwise.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> layer = nn.LazyInstanceNorm2d()
    >>> layer(np.ones((2, 3, 4, 4))).shape, layer.weight.shape
    ((2, 3, 4, 4), (3,))
    """

    cls_to_become = InstanceNorm2d
    _channel_axis = -3


class LazyInstanceNorm3d(_LazyNorm, InstanceNorm3d):
    """An :class:`InstanceNorm3d` whose ``num_features`` are the channels of its first input.

    Unlike those of that layer, ``affine`` and ``track_running_stats`` are True unless said otherwise.
    """

    cls_to_become = InstanceNorm3d
    _channel_axis = -4
