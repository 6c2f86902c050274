"""One step of a recurrent layer."""

from __future__ import annotations

import math
from typing import Any, Optional

from ... import numpy as np
from ... import ops
from ..._hints import kind_name
from ...base import DTypeLike
from .. import functional as F
from .. import init
from ..diagnosis import check_last, refuse_shape
from ..module import Module
from ..parameter import Parameter
from .linear import made

__all__ = ["GRUCell", "LSTMCell", "RNNCell"]


class _Cell(Module):
    """Two products: of the input and of the state."""

    weight_ih: Parameter
    weight_hh: Parameter
    bias_ih: Optional[Parameter]
    bias_hh: Optional[Parameter]
    _gates: int

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        rows = self._gates * hidden_size
        self.weight_ih = made((rows, input_size), device, dtype)
        self.weight_hh = made((rows, hidden_size), device, dtype)
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, made((rows,), device, dtype) if bias else None)
        bound = 1 / math.sqrt(hidden_size)
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def _check_inputs(self, input: Any, hx: Any = None) -> None:
        check_last(self, "input", input, self.input_size)
        self._check_states(input, hx)

    def _check_states(self, input: Any, hx: Any) -> None:
        """Raise for states that do not have a row for each of the input's."""
        shape = (*input.shape[:-1], self.hidden_size)
        for name, state in zip(("hx", "cx"), hx if isinstance(hx, (tuple, list)) else (hx,)):
            if state is not None and state.shape != shape:
                refuse_shape(type(self).__name__, name, state, str(shape))

    def _zeros(self, input: Any) -> Any:
        return np.zeros((*input.shape[:-1], self.hidden_size), dtype=input.dtype, ctx=input.context)

    def _products(self, input: Any, state: Any) -> tuple[Any, Any]:
        self._check_states(input, state)  # a state of one row would be broadcast
        return F.linear(input, self.weight_ih, self.bias_ih), F.linear(state, self.weight_hh, self.bias_hh)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return f"{self.input_size}, {self.hidden_size}" + ("" if self.bias else ", bias=False")


class RNNCell(_Cell):
    """``tanh(W_ih @ x + b_ih + W_hh @ h + b_hh)``, or with relu.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.RNNCell(10, 20)(np.ones((3, 10))).shape
    (3, 20)
    """

    _gates = 1

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: DTypeLike = None,
    ) -> None:
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"[RNNCell] nonlinearity is {nonlinearity!r}; expected 'tanh' or 'relu'")
        super().__init__(input_size, hidden_size, bias, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Any, hx: Optional[Any] = None) -> Any:
        """The next state, ``(N, hidden_size)``."""
        first, second = self._products(input, self._zeros(input) if hx is None else hx)
        return (ops.tanh if self.nonlinearity == "tanh" else ops.relu)(first + second)


class LSTMCell(_Cell):
    """One step of :class:`LSTM`."""

    _gates = 4

    def forward(self, input: Any, hx: Optional[Any] = None) -> tuple[Any, Any]:
        """The next state and memory, both ``(N, hidden_size)``."""
        if hx is None:
            hx = (self._zeros(input), self._zeros(input))
        if not isinstance(hx, (tuple, list)) or len(hx) != 2:
            raise TypeError(f"[LSTMCell] hx is a {kind_name(hx)}; expected a tuple of state and memory")
        state, memory = hx
        if memory.shape != state.shape:
            refuse_shape("LSTMCell", "cx", memory, f"{state.shape}, as hx")
        first, second = self._products(input, state)
        enter, forget, value, leave = np.split(first + second, 4, axis=-1)
        memory = ops.sigmoid(forget) * memory + ops.sigmoid(enter) * ops.tanh(value)
        return ops.sigmoid(leave) * ops.tanh(memory), memory


class GRUCell(_Cell):
    """One step of :class:`GRU`."""

    _gates = 3

    def forward(self, input: Any, hx: Optional[Any] = None) -> Any:
        """The next state, ``(N, hidden_size)``."""
        state = self._zeros(input) if hx is None else hx
        first, second = (np.split(one, 3, axis=-1) for one in self._products(input, state))
        reset, update = (ops.sigmoid(first[i] + second[i]) for i in range(2))
        value = ops.tanh(first[2] + reset * second[2])
        return value + update * (state - value)
