"""Cells of one layer: plain, LSTM, GRU."""

from __future__ import annotations

from typing import Any, Optional

from ..parameter import ParameterDict
from .cell import HybridRecurrentCell

__all__ = ["GRUCell", "LSTMCell", "RNNCell", "gru_step", "lstm_step"]


class _DenseCell(HybridRecurrentCell):
    """A cell whose input and state go through a product with weights each."""

    _gates = 1
    _num_states = 1

    def __init__(
        self,
        hidden_size: int,
        input_size: int,
        inits: tuple[Any, Any, Any, Any],
        prefix: Optional[str],
        params: Optional[ParameterDict],
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._hidden_size, self._input_size = hidden_size, input_size
        units = self._gates * hidden_size
        shapes = {
            "i2h_weight": (units, input_size),
            "h2h_weight": (units, hidden_size),
            "i2h_bias": (units,),
            "h2h_bias": (units,),
        }
        for (name, shape), init in zip(shapes.items(), inits):
            setattr(self, name, self.params.get(name, shape=shape, init=init, allow_deferred_init=True))

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return shape and layout of each state: (batch, units)."""
        return [
            {"shape": (batch_size, self._hidden_size), "__layout__": "NC"} for _ in range(self._num_states)
        ]

    def _expects(self, shape: tuple[int, ...]) -> Optional[str]:
        inputs = (self._reg_params["i2h_weight"].shape or (0, 0))[1]
        return None if not inputs or shape[1:] == (inputs,) else f"(batch, {inputs})"

    def __repr__(self) -> str:
        units, inputs = self._reg_params["i2h_weight"].shape or (0, 0)
        return f"{type(self).__name__}({inputs if inputs > 0 else None} -> {units}{self._more_repr()})"

    def _more_repr(self) -> str:
        return ""

    def _products(
        self, F: Any, inputs: Any, state: Any, weights: tuple[Any, Any, Any, Any], step: str
    ) -> Any:
        """Of the input and of the state with their weights, (batch, gates * units) each."""
        units = self._gates * self._hidden_size
        i2h_weight, h2h_weight, i2h_bias, h2h_bias = weights
        return (
            F.FullyConnected(inputs, i2h_weight, i2h_bias, num_hidden=units, name=f"{step}i2h"),
            F.FullyConnected(state, h2h_weight, h2h_bias, num_hidden=units, name=f"{step}h2h"),
        )


class RNNCell(_DenseCell):
    """``output = activation(i2h(input) + h2h(output before))``.

    Parameters
    ----------
    hidden_size : int
        Units.
    activation : str or Block
        ``"tanh"``, ``"relu"``, ...
    i2h_weight_initializer, h2h_weight_initializer : Initializer, optional
        For the weights.
    i2h_bias_initializer, h2h_bias_initializer : Initializer
        For the biases.
    input_size : int
        Numbers of an input; 0: the first call tells.
    prefix : str, optional
        What the names of its parameters begin with.
    params : ParameterDict, optional
        Parameters that it shares instead of making its own.

    Examples
    --------
    >>> import mixgrad as mx
    >>> cell = mx.gluon.rnn.RNNCell(3)
    >>> cell.initialize()
    >>> output, states = cell(mx.nd.ones((2, 4)), cell.begin_state(batch_size=2))
    >>> output.shape
    (2, 3)
    """

    def __init__(
        self,
        hidden_size: int,
        activation: Any = "tanh",
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        prefix: Optional[str] = None,
        params: Optional[ParameterDict] = None,
    ) -> None:
        inits = (i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer)
        super().__init__(hidden_size, input_size, inits, prefix, params)
        self._activation = activation

    def _alias(self) -> str:
        return "rnn"

    def _more_repr(self) -> str:
        return f", {self._activation}"

    def hybrid_forward(
        self,
        F: Any,
        inputs: Any,
        states: Any,
        i2h_weight: Any,
        h2h_weight: Any,
        i2h_bias: Any,
        h2h_bias: Any,
    ) -> Any:
        """One step."""
        step = f"t{self._counter}_"
        weights = (i2h_weight, h2h_weight, i2h_bias, h2h_bias)
        i2h, h2h = self._products(F, inputs, states[0], weights, step)
        total = F.elemwise_add(i2h, h2h, name=f"{step}plus0")
        output = self._get_activation(F, total, self._activation, name=f"{step}out")
        return output, [output]


class LSTMCell(_DenseCell):
    """Long short-term memory (Hochreiter and Schmidhuber 1997); states are the output and the memory.

    Parameters
    ----------
    hidden_size : int
        Units.
    i2h_weight_initializer, h2h_weight_initializer : Initializer, optional
        For the weights, whose gates are input, forget, new and output.
    i2h_bias_initializer, h2h_bias_initializer : Initializer
        For the biases; ``mx.init.LSTMBias`` gives the forget gate one.
    input_size : int
        Numbers of an input; 0: the first call tells.
    prefix : str, optional
        What the names of its parameters begin with.
    params : ParameterDict, optional
        Parameters that it shares instead of making its own.
    activation, recurrent_activation : str or Block
        Of the new values and the memory, and of the gates.
    """

    _gates = 4
    _num_states = 2

    def __init__(
        self,
        hidden_size: int,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        prefix: Optional[str] = None,
        params: Optional[ParameterDict] = None,
        activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid",
    ) -> None:
        inits = (i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer)
        super().__init__(hidden_size, input_size, inits, prefix, params)
        self._activation, self._recurrent_activation = activation, recurrent_activation

    def _alias(self) -> str:
        return "lstm"

    def hybrid_forward(
        self,
        F: Any,
        inputs: Any,
        states: Any,
        i2h_weight: Any,
        h2h_weight: Any,
        i2h_bias: Any,
        h2h_bias: Any,
    ) -> Any:
        """One step."""
        step = f"t{self._counter}_"
        weights = (i2h_weight, h2h_weight, i2h_bias, h2h_bias)
        i2h, h2h = self._products(F, inputs, states[0], weights, step)
        total = F.elemwise_add(i2h, h2h, name=f"{step}plus0")
        output, memory = lstm_step(
            self, F, total, states[1], self._activation, self._recurrent_activation, step
        )
        return output, [output, memory]


class GRUCell(_DenseCell):
    """Gated recurrent unit (Cho et al. 2014), with the reset gate behind the product as cuDNN has it.

    Parameters
    ----------
    hidden_size : int
        Units.
    i2h_weight_initializer, h2h_weight_initializer : Initializer, optional
        For the weights, whose gates are reset, update and new.
    i2h_bias_initializer, h2h_bias_initializer : Initializer
        For the biases.
    input_size : int
        Numbers of an input; 0: the first call tells.
    prefix : str, optional
        What the names of its parameters begin with.
    params : ParameterDict, optional
        Parameters that it shares instead of making its own.
    """

    _gates = 3

    def __init__(
        self,
        hidden_size: int,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        prefix: Optional[str] = None,
        params: Optional[ParameterDict] = None,
    ) -> None:
        inits = (i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer)
        super().__init__(hidden_size, input_size, inits, prefix, params)

    def _alias(self) -> str:
        return "gru"

    def hybrid_forward(
        self,
        F: Any,
        inputs: Any,
        states: Any,
        i2h_weight: Any,
        h2h_weight: Any,
        i2h_bias: Any,
        h2h_bias: Any,
    ) -> Any:
        """One step."""
        step, before = f"t{self._counter}_", states[0]
        weights = (i2h_weight, h2h_weight, i2h_bias, h2h_bias)
        i2h, h2h = self._products(F, inputs, before, weights, step)
        output = gru_step(self, F, i2h, h2h, before, "tanh", step)
        return output, [output]


def lstm_step(
    cell: HybridRecurrentCell,
    F: Any,
    total: Any,
    memory: Any,
    act: Any,
    gate: Any,
    step: str,
    axis: int = 1,
    out: str = "out",
) -> tuple[Any, Any]:
    """Output and memory of an LSTM's step.

    Parameters
    ----------
    cell : RecurrentCell
        Whose step it is.
    F : module
        ``mx.nd`` or ``mx.sym``.
    total : NDArray or Symbol
        Products of input and state, added; gates lie one after another along ``axis``.
    memory : NDArray or Symbol
        Of the step before.
    act, gate : str or Block
        Activations of values and of gates.
    step : str
        What the names of nodes begin with.
    axis : int
        Of the gates.
    out : str
        Name of the output.
    """
    gates = F.SliceChannel(total, num_outputs=4, axis=axis, name=f"{step}slice")
    in_gate = cell._get_activation(F, gates[0], gate, name=f"{step}i")
    forget_gate = cell._get_activation(F, gates[1], gate, name=f"{step}f")
    new = cell._get_activation(F, gates[2], act, name=f"{step}c")
    out_gate = cell._get_activation(F, gates[3], gate, name=f"{step}o")
    kept = F.elemwise_mul(forget_gate, memory, name=f"{step}mul0")
    memory = F.elemwise_add(kept, F.elemwise_mul(in_gate, new, name=f"{step}mul1"), name=f"{step}state")
    shown = cell._get_activation(F, memory, act, name=f"{step}activation0")
    return F.elemwise_mul(out_gate, shown, name=f"{step}{out}"), memory


def gru_step(
    cell: HybridRecurrentCell, F: Any, i2h: Any, h2h: Any, before: Any, act: Any, step: str, axis: int = 1
) -> Any:
    """Output of a GRU's step, from products of input and state; as :func:`lstm_step`."""
    i2h_r, i2h_z, i2h_n = F.SliceChannel(i2h, num_outputs=3, axis=axis, name=f"{step}i2h_slice")
    h2h_r, h2h_z, h2h_n = F.SliceChannel(h2h, num_outputs=3, axis=axis, name=f"{step}h2h_slice")
    reset = F.Activation(
        F.elemwise_add(i2h_r, h2h_r, name=f"{step}plus0"), act_type="sigmoid", name=f"{step}r_act"
    )
    update = F.Activation(
        F.elemwise_add(i2h_z, h2h_z, name=f"{step}plus1"), act_type="sigmoid", name=f"{step}z_act"
    )
    kept = F.elemwise_mul(reset, h2h_n, name=f"{step}mul0")
    total = F.elemwise_add(i2h_n, kept, name=f"{step}plus2")
    new = cell._get_activation(F, total, act, name=f"{step}h_act")
    ones = F.ones_like(update, name=f"{step}ones_like0")
    rest = F.elemwise_sub(ones, update, name=f"{step}minus0")
    return F.elemwise_add(
        F.elemwise_mul(rest, new, name=f"{step}mul1"),
        F.elemwise_mul(update, before, name=f"{step}mul20"),
        name=f"{step}out",
    )
