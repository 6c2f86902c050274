"""Cells of one layer: plain, LSTM, GRU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from .. import initializer
from .. import symbol as sym
from ..symbol import Symbol
from .base import BaseRNNCell, Output, RNNParams

__all__ = ["GRUCell", "LSTMCell", "RNNCell", "gru_step", "lstm_step", "plain_step"]


class _DenseCell(BaseRNNCell):
    """A cell whose input and state go through a FullyConnected layer each."""

    _num_states = 1

    def __init__(
        self, num_hidden: int, prefix: str, params: Optional[RNNParams], i2h_bias_init: Any = None
    ) -> None:
        super().__init__(prefix, params)
        self._num_hidden = num_hidden
        bias = {} if i2h_bias_init is None else {"init": i2h_bias_init}
        self._iW = self.params.get("i2h_weight")
        self._iB = self.params.get("i2h_bias", **bias)
        self._hW = self.params.get("h2h_weight")
        self._hB = self.params.get("h2h_bias")

    @property
    def state_info(self) -> list[dict[str, Any]]:
        return [{"shape": (0, self._num_hidden), "__layout__": "NC"} for _ in range(self._num_states)]

    def _products(self, inputs: Symbol, state: Symbol, name: str) -> tuple[Symbol, Symbol]:
        """Both (batch, gates * num_hidden)."""
        units = self._num_hidden * len(self._gate_names)
        return (
            sym.FullyConnected(inputs, self._iW, self._iB, num_hidden=units, name=f"{name}i2h"),
            sym.FullyConnected(state, self._hW, self._hB, num_hidden=units, name=f"{name}h2h"),
        )


class RNNCell(_DenseCell):
    """``output = activation(i2h(input) + h2h(output before))``.

    Parameters
    ----------
    num_hidden : int
        Units.
    activation : str or callable
        ``"tanh"``, ``"relu"``, ... or a function of a symbol.
    prefix : str
        Start of names.
    params : RNNParams, optional
        Weights shared with other cells.

    Examples
    --------
    >>> import mixgrad as mx
    >>> cell = mx.rnn.RNNCell(8, prefix="rnn_")
    >>> output, states = cell(mx.sym.var("x"), cell.begin_state())
    >>> output.list_arguments()
    ['x', 'rnn_i2h_weight', 'rnn_i2h_bias', 'rnn_h2h_weight', 'rnn_h2h_bias']
    """

    def __init__(
        self,
        num_hidden: int,
        activation: Any = "tanh",
        prefix: str = "rnn_",
        params: Optional[RNNParams] = None,
    ) -> None:
        super().__init__(num_hidden, prefix, params)
        self._activation = activation

    @property
    def _gate_names(self) -> Sequence[str]:
        return ("",)

    def __call__(self, inputs: Any, states: Any) -> Output:
        name = self._name_step()
        return plain_step(self, self._activation, self._products(inputs, states[0], name), name)


class LSTMCell(_DenseCell):
    """Long short-term memory (Hochreiter and Schmidhuber 1997); states are the output and the memory.

    Parameters
    ----------
    num_hidden : int
        Units.
    prefix : str
        Start of names.
    params : RNNParams, optional
        Weights shared with other cells.
    forget_bias : float
        The bias of the forget gate begins with it.

    Examples
    --------
    >>> import mixgrad as mx
    >>> cell = mx.rnn.LSTMCell(8)
    >>> cell.state_shape
    [(0, 8), (0, 8)]
    """

    _num_states = 2

    def __init__(
        self,
        num_hidden: int,
        prefix: str = "lstm_",
        params: Optional[RNNParams] = None,
        forget_bias: float = 1.0,
    ) -> None:
        super().__init__(num_hidden, prefix, params, initializer.LSTMBias(forget_bias=forget_bias))

    @property
    def _gate_names(self) -> Sequence[str]:
        return ("_i", "_f", "_c", "_o")

    def __call__(self, inputs: Any, states: Any) -> Output:
        name = self._name_step()
        i2h, h2h = self._products(inputs, states[0], name)
        return lstm_step(self, "tanh", i2h + h2h, states[1], name)


class GRUCell(_DenseCell):
    """Gated recurrent unit (Cho et al. 2014), with the reset gate behind the product as cuDNN has it.

    Parameters
    ----------
    num_hidden : int
        Units.
    prefix : str
        Start of names.
    params : RNNParams, optional
        Weights shared with other cells.

    Examples
    --------
    >>> import mixgrad as mx
    >>> outputs, _ = mx.rnn.GRUCell(8).unroll(2, [mx.sym.var("a"), mx.sym.var("b")])
    >>> len(outputs)
    2
    """

    def __init__(self, num_hidden: int, prefix: str = "gru_", params: Optional[RNNParams] = None) -> None:
        super().__init__(num_hidden, prefix, params)

    @property
    def _gate_names(self) -> Sequence[str]:
        return ("_r", "_z", "_o")

    def __call__(self, inputs: Any, states: Any) -> Output:
        name = self._name_step()
        i2h, h2h = self._products(inputs, states[0], f"{name}_")
        return gru_step(self, "tanh", i2h, h2h, states[0], name)


def plain_step(cell: BaseRNNCell, activation: Any, products: tuple[Symbol, Symbol], name: str) -> Output:
    """Output and state from the products of input and state."""
    output = cell._get_activation(products[0] + products[1], activation, name=f"{name}out")
    return output, [output]


def lstm_step(
    cell: BaseRNNCell, activation: Any, gates: Symbol, memory: Symbol, name: str, axis: int = 1
) -> Output:
    """Output and states from the sum of both products, whose gates lie along ``axis``."""
    parts = sym.SliceChannel(gates, num_outputs=4, axis=axis, name=f"{name}slice")
    enter = sym.Activation(parts[0], act_type="sigmoid", name=f"{name}i")
    keep = sym.Activation(parts[1], act_type="sigmoid", name=f"{name}f")
    new = cell._get_activation(parts[2], activation, name=f"{name}c")
    leave = sym.Activation(parts[3], act_type="sigmoid", name=f"{name}o")
    memory = sym.elemwise_add(keep * memory, enter * new, name=f"{name}state")
    output = sym.elemwise_mul(leave, cell._get_activation(memory, activation), name=f"{name}out")
    return output, [output, memory]


def gru_step(
    cell: BaseRNNCell, activation: Any, i2h: Symbol, h2h: Symbol, before: Symbol, name: str, axis: int = 1
) -> Output:
    """Output and state from both products, whose gates lie along ``axis``."""
    ours = sym.SliceChannel(i2h, num_outputs=3, axis=axis, name=f"{name}_i2h_slice")
    theirs = sym.SliceChannel(h2h, num_outputs=3, axis=axis, name=f"{name}_h2h_slice")
    reset = sym.Activation(ours[0] + theirs[0], act_type="sigmoid", name=f"{name}_r_act")
    update = sym.Activation(ours[1] + theirs[1], act_type="sigmoid", name=f"{name}_z_act")
    new = cell._get_activation(ours[2] + reset * theirs[2], activation, name=f"{name}_h_act")
    output = sym.elemwise_add((1.0 - update) * new, update * before, name=f"{name}out")
    return output, [output]
