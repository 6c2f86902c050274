"""Operators as methods of symbols. Written by tools/generate_ops.py: do not edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .functions import call_method as _call

if TYPE_CHECKING:
    from .symbol import Symbol


class GeneratedMethods:
    """Those that arrays have, too, and that are nothing but an operator's call."""

    __slots__ = ()

    def abs(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.abs`."""
        return _call("abs", self, args, kwargs)

    def arccos(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.arccos`."""
        return _call("arccos", self, args, kwargs)

    def arccosh(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.arccosh`."""
        return _call("arccosh", self, args, kwargs)

    def arcsin(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.arcsin`."""
        return _call("arcsin", self, args, kwargs)

    def arcsinh(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.arcsinh`."""
        return _call("arcsinh", self, args, kwargs)

    def arctan(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.arctan`."""
        return _call("arctan", self, args, kwargs)

    def arctanh(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.arctanh`."""
        return _call("arctanh", self, args, kwargs)

    def argmax(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.argmax`."""
        return _call("argmax", self, args, kwargs)

    def argmax_channel(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.argmax_channel`."""
        return _call("argmax_channel", self, args, kwargs)

    def argmin(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.argmin`."""
        return _call("argmin", self, args, kwargs)

    def argsort(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.argsort`."""
        return _call("argsort", self, args, kwargs)

    def broadcast_axes(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.broadcast_axes`."""
        return _call("broadcast_axes", self, args, kwargs)

    def broadcast_like(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.broadcast_like`."""
        return _call("broadcast_like", self, args, kwargs)

    def broadcast_to(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.broadcast_to`."""
        return _call("broadcast_to", self, args, kwargs)

    def cbrt(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.cbrt`."""
        return _call("cbrt", self, args, kwargs)

    def ceil(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.ceil`."""
        return _call("ceil", self, args, kwargs)

    def clip(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.clip`."""
        return _call("clip", self, args, kwargs)

    def cos(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.cos`."""
        return _call("cos", self, args, kwargs)

    def cosh(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.cosh`."""
        return _call("cosh", self, args, kwargs)

    def degrees(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.degrees`."""
        return _call("degrees", self, args, kwargs)

    def depth_to_space(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.depth_to_space`."""
        return _call("depth_to_space", self, args, kwargs)

    def diag(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.diag`."""
        return _call("diag", self, args, kwargs)

    def exp(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.exp`."""
        return _call("exp", self, args, kwargs)

    def expand_dims(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.expand_dims`."""
        return _call("expand_dims", self, args, kwargs)

    def expm1(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.expm1`."""
        return _call("expm1", self, args, kwargs)

    def fix(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.fix`."""
        return _call("fix", self, args, kwargs)

    def flatten(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.flatten`."""
        return _call("flatten", self, args, kwargs)

    def flip(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.flip`."""
        return _call("flip", self, args, kwargs)

    def floor(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.floor`."""
        return _call("floor", self, args, kwargs)

    def log(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.log`."""
        return _call("log", self, args, kwargs)

    def log10(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.log10`."""
        return _call("log10", self, args, kwargs)

    def log1p(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.log1p`."""
        return _call("log1p", self, args, kwargs)

    def log2(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.log2`."""
        return _call("log2", self, args, kwargs)

    def log_softmax(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.log_softmax`."""
        return _call("log_softmax", self, args, kwargs)

    def max(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.max`."""
        return _call("max", self, args, kwargs)

    def mean(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.mean`."""
        return _call("mean", self, args, kwargs)

    def min(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.min`."""
        return _call("min", self, args, kwargs)

    def nanprod(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.nanprod`."""
        return _call("nanprod", self, args, kwargs)

    def nansum(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.nansum`."""
        return _call("nansum", self, args, kwargs)

    def norm(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.norm`."""
        return _call("norm", self, args, kwargs)

    def one_hot(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.one_hot`."""
        return _call("one_hot", self, args, kwargs)

    def ones_like(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.ones_like`."""
        return _call("ones_like", self, args, kwargs)

    def pad(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.pad`."""
        return _call("pad", self, args, kwargs)

    def pick(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.pick`."""
        return _call("pick", self, args, kwargs)

    def prod(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.prod`."""
        return _call("prod", self, args, kwargs)

    def radians(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.radians`."""
        return _call("radians", self, args, kwargs)

    def rcbrt(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.rcbrt`."""
        return _call("rcbrt", self, args, kwargs)

    def reciprocal(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.reciprocal`."""
        return _call("reciprocal", self, args, kwargs)

    def relu(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.relu`."""
        return _call("relu", self, args, kwargs)

    def repeat(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.repeat`."""
        return _call("repeat", self, args, kwargs)

    def reshape_like(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.reshape_like`."""
        return _call("reshape_like", self, args, kwargs)

    def rint(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.rint`."""
        return _call("rint", self, args, kwargs)

    def round(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.round`."""
        return _call("round", self, args, kwargs)

    def rsqrt(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.rsqrt`."""
        return _call("rsqrt", self, args, kwargs)

    def shape_array(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.shape_array`."""
        return _call("shape_array", self, args, kwargs)

    def sigmoid(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.sigmoid`."""
        return _call("sigmoid", self, args, kwargs)

    def sign(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.sign`."""
        return _call("sign", self, args, kwargs)

    def sin(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.sin`."""
        return _call("sin", self, args, kwargs)

    def sinh(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.sinh`."""
        return _call("sinh", self, args, kwargs)

    def size_array(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.size_array`."""
        return _call("size_array", self, args, kwargs)

    def slice(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.slice`."""
        return _call("slice", self, args, kwargs)

    def slice_axis(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.slice_axis`."""
        return _call("slice_axis", self, args, kwargs)

    def slice_like(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.slice_like`."""
        return _call("slice_like", self, args, kwargs)

    def softmax(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.softmax`."""
        return _call("softmax", self, args, kwargs)

    def softmin(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.softmin`."""
        return _call("softmin", self, args, kwargs)

    def sort(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.sort`."""
        return _call("sort", self, args, kwargs)

    def space_to_depth(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.space_to_depth`."""
        return _call("space_to_depth", self, args, kwargs)

    def split(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.split`."""
        return _call("split", self, args, kwargs)

    def sqrt(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.sqrt`."""
        return _call("sqrt", self, args, kwargs)

    def square(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.square`."""
        return _call("square", self, args, kwargs)

    def squeeze(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.squeeze`."""
        return _call("squeeze", self, args, kwargs)

    def sum(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.sum`."""
        return _call("sum", self, args, kwargs)

    def swapaxes(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.swapaxes`."""
        return _call("swapaxes", self, args, kwargs)

    def take(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.take`."""
        return _call("take", self, args, kwargs)

    def tan(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.tan`."""
        return _call("tan", self, args, kwargs)

    def tanh(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.tanh`."""
        return _call("tanh", self, args, kwargs)

    def tile(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.tile`."""
        return _call("tile", self, args, kwargs)

    def topk(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.topk`."""
        return _call("topk", self, args, kwargs)

    def transpose(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.transpose`."""
        return _call("transpose", self, args, kwargs)

    def trunc(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.trunc`."""
        return _call("trunc", self, args, kwargs)

    def zeros_like(self: Any, *args: Any, **kwargs: Any) -> Symbol:
        """See :func:`mixgrad.sym.zeros_like`."""
        return _call("zeros_like", self, args, kwargs)
