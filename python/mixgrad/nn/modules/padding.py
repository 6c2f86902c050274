"""Padding as modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

from .. import functional as F
from ..module import Module

__all__ = [
    "CircularPad1d",
    "CircularPad2d",
    "CircularPad3d",
    "ConstantPad1d",
    "ConstantPad2d",
    "ConstantPad3d",
    "ReflectionPad1d",
    "ReflectionPad2d",
    "ReflectionPad3d",
    "ReplicationPad1d",
    "ReplicationPad2d",
    "ReplicationPad3d",
    "ZeroPad1d",
    "ZeroPad2d",
    "ZeroPad3d",
]


class _Pad(Module):
    """Padding of the last axes: one number, or two for each axis, beginning with the last."""

    _axes: int
    _mode: str

    def __init__(self, padding: Union[int, Sequence[int]]) -> None:
        super().__init__()
        self.padding = (padding,) * (2 * self._axes) if isinstance(padding, int) else tuple(padding)

    def forward(self, input: Any) -> Any:
        """``(N, C, ...)`` or ``(C, ...)``."""
        return F.pad(input, self.padding, self._mode)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return str(self.padding)


class _ConstantPad(_Pad):
    """Padding with a value."""

    _mode = "constant"

    def __init__(self, padding: Union[int, Sequence[int]], value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Any) -> Any:
        """``(N, C, ...)`` or ``(C, ...)``."""
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return f"padding={self.padding}, value={self.value}"


class CircularPad1d(_Pad):
    """Padding of ``(N, C, L)`` with the other end."""

    _axes = 1
    _mode = "circular"


class CircularPad2d(_Pad):
    """Padding of ``(N, C, H, W)`` with the other end."""

    _axes = 2
    _mode = "circular"


class CircularPad3d(_Pad):
    """Padding of ``(N, C, D, H, W)`` with the other end."""

    _axes = 3
    _mode = "circular"


class ConstantPad1d(_ConstantPad):
    """Padding of ``(N, C, L)`` with a value."""

    _axes = 1


class ConstantPad2d(_ConstantPad):
    """Padding of ``(N, C, H, W)`` with a value."""

    _axes = 2


class ConstantPad3d(_ConstantPad):
    """Padding of ``(N, C, D, H, W)`` with a value."""

    _axes = 3


class ReflectionPad1d(_Pad):
    """Padding of ``(N, C, L)`` with a mirror."""

    _axes = 1
    _mode = "reflect"


class ReflectionPad2d(_Pad):
    """Padding of ``(N, C, H, W)`` with a mirror."""

    _axes = 2
    _mode = "reflect"


class ReflectionPad3d(_Pad):
    """Padding of ``(N, C, D, H, W)`` with a mirror."""

    _axes = 3
    _mode = "reflect"


class ReplicationPad1d(_Pad):
    """Padding of ``(N, C, L)`` with the nearest element."""

    _axes = 1
    _mode = "replicate"


class ReplicationPad2d(_Pad):
    """Padding of ``(N, C, H, W)`` with the nearest element."""

    _axes = 2
    _mode = "replicate"


class ReplicationPad3d(_Pad):
    """Padding of ``(N, C, D, H, W)`` with the nearest element."""

    _axes = 3
    _mode = "replicate"


class ZeroPad1d(_Pad):
    """Padding of ``(N, C, L)`` with zeros."""

    _axes = 1
    _mode = "constant"


class ZeroPad2d(_Pad):
    """Padding of ``(N, C, H, W)`` with zeros."""

    _axes = 2
    _mode = "constant"


class ZeroPad3d(_Pad):
    """Padding of ``(N, C, D, H, W)`` with zeros."""

    _axes = 3
    _mode = "constant"
