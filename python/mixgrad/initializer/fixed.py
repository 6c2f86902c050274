"""Initialisers that use no random numbers."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from .. import ndarray as nd
from ..ndarray import NDArray
from .base import Initializer, alias, register

__all__ = ["Bilinear", "Constant", "LSTMBias", "One", "Zero"]


@alias("zeros")
@register
class Zero(Initializer):
    """Fill weights with 0.

    Examples
    --------
    >>> import mixgrad as mx
    >>> x = mx.nd.ones((2,))
    >>> mx.init.Zero()("fc_weight", x)
    >>> x.asnumpy().tolist()
    [0.0, 0.0]
    """

    def __init__(self) -> None:
        super().__init__()

    def _init_weight(self, name: str, arr: NDArray) -> None:
        arr[:] = 0


@alias("ones")
@register
class One(Initializer):
    """Fill weights with 1.

    Examples
    --------
    >>> import mixgrad as mx
    >>> x = mx.nd.zeros((2,))
    >>> mx.init.One()("fc_weight", x)
    >>> x.asnumpy().tolist()
    [1.0, 1.0]
    """

    def __init__(self) -> None:
        super().__init__()

    def _init_weight(self, name: str, arr: NDArray) -> None:
        arr[:] = 1


@register
class Constant(Initializer):
    """Fill weights with one value, or with an array that broadcasts to their shape.

    Parameters
    ----------
    value : float, NDArray or numpy.ndarray
        The value.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.init.Constant(3).dumps()
    '["constant", {"value": 3}]'
    >>> x = mx.nd.zeros((2, 2))
    >>> mx.init.Constant(mx.nd.array([1, 2]))("fc_weight", x)
    >>> x.asnumpy().tolist()
    [[1.0, 2.0], [1.0, 2.0]]
    """

    def __init__(self, value: Any) -> None:
        super().__init__(value=value)
        self.value = value

    def _init_weight(self, name: str, arr: NDArray) -> None:
        arr[:] = nd.array(self.value) if isinstance(self.value, list) else self.value

    def dumps(self) -> str:
        value = self.value
        if isinstance(value, NDArray):
            value = value.asnumpy()
        if isinstance(value, (np.ndarray, np.generic)):
            value = value.tolist()
        return json.dumps(["constant", {"value": value}])


@register
class Bilinear(Initializer):
    """Weights that make a transposed convolution of shape ``(out, in, height, width)`` interpolate linearly.

    Examples
    --------
    >>> import mixgrad as mx
    >>> x = mx.nd.zeros((1, 1, 4, 4))
    >>> mx.init.Bilinear()("up_weight", x)
    >>> x.asnumpy()[0, 0, 1].tolist()
    [0.1875, 0.5625, 0.5625, 0.1875]
    """

    def __init__(self) -> None:
        super().__init__()

    def _init_weight(self, name: str, arr: NDArray) -> None:
        shape = arr.shape
        if len(shape) != 4:
            raise ValueError(f"[Bilinear] '{name}' must have shape (out, in, height, width), got {shape}")
        # Both axes share the width's scale: the published weights are defined for square kernels.
        if 0 in shape:
            return
        factor = math.ceil(shape[3] / 2.0)
        centre = (2 * factor - 1 - factor % 2) / (2.0 * factor)
        row = 1 - np.abs(np.arange(shape[2]) / factor - centre)
        column = 1 - np.abs(np.arange(shape[3]) / factor - centre)
        arr[:] = nd.array(np.broadcast_to(np.outer(row, column), shape).astype(np.float32))


@register
class LSTMBias(Initializer):
    """Biases of an LSTM cell: 0, and ``forget_bias`` for the forget gate, the second of the four quarters.

    Parameters
    ----------
    forget_bias : float
        Bias of the forget gate (Jozefowicz et al. 2015 recommend 1).

    Examples
    --------
    >>> import mixgrad as mx
    >>> desc = mx.init.InitDesc("lstm_bias", {"__init__": mx.init.LSTMBias(1.0).dumps()})
    >>> x = mx.nd.zeros((8,))
    >>> mx.init.Zero()(desc, x)
    >>> x.asnumpy().tolist()
    [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]
    """

    def __init__(self, forget_bias: float = 1.0) -> None:
        super().__init__(forget_bias=forget_bias)
        self.forget_bias = forget_bias

    def _init_weight(self, name: str, arr: NDArray) -> None:
        if not arr.shape or arr.shape[0] % 4:
            raise ValueError(f"[LSTMBias] '{name}' must hold four gates of equal size, got shape {arr.shape}")
        hidden = arr.shape[0] // 4
        arr[:] = 0
        arr[hidden : 2 * hidden] = self.forget_bias
