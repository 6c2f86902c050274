"""LSTM with a projection, one dropout mask for all steps, unrolling by a loop in the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from .... import _hints
from .... import ndarray as nd
from .... import symbol as sym
from ....base import InvalidArgumentError
from ....ndarray import NDArray
from ....symbol import Symbol
from ...parameter import ParameterDict
from ...rnn import BidirectionalCell, HybridRecurrentCell, ModifierCell, RecurrentCell
from ...rnn.cell import Unrolled
from ...rnn.cells import lstm_step
from ...rnn.sequences import arranged, time_axis

__all__ = ["LSTMPCell", "VariationalDropoutCell", "dynamic_unroll"]


class VariationalDropoutCell(ModifierCell):
    """Drops numbers of inputs, states and outputs by one mask for all steps (Gal and Ghahramani 2016).

    Parameters
    ----------
    base_cell : RecurrentCell
        The cell that is changed.
    drop_inputs, drop_states, drop_outputs : float
        How likely a number becomes 0 while training; of the states the first one is meant, the output.

    Examples
    --------
    >>> import mixgrad as mx
    >>> cell = mx.gluon.contrib.rnn.VariationalDropoutCell(mx.gluon.rnn.GRUCell(3), drop_inputs=0.2)
    >>> cell.initialize()
    >>> outputs, states = cell.unroll(4, mx.nd.ones((2, 4, 5)), merge_outputs=True)
    >>> outputs.shape
    (2, 4, 3)
    """

    def __init__(
        self,
        base_cell: RecurrentCell,
        drop_inputs: float = 0.0,
        drop_states: float = 0.0,
        drop_outputs: float = 0.0,
    ) -> None:
        if drop_states and _is_bidirectional(base_cell):
            raise InvalidArgumentError(
                "[VariationalDropoutCell] the states of a BidirectionalCell are its cells'; change those"
            )
        super().__init__(base_cell)
        self.drop_inputs, self.drop_states, self.drop_outputs = drop_inputs, drop_states, drop_outputs
        self._masks: dict[str, Any] = {}

    def _alias(self) -> str:
        return "vardrop"

    def __repr__(self) -> str:
        return f"{type(self).__name__}(p_out = {self.drop_outputs}, p_state = {self.drop_states})"

    def hybridize(self, active: bool = True, *args: Any, **kwargs: Any) -> None:
        """Have the cell that is changed run as a graph; masks are kept from step to step, so this cell itself
        runs operator by operator."""
        self.base_cell.hybridize(active, *args, **kwargs)

    def reset(self) -> None:
        """Forget the masks: the next step draws others."""
        super().reset()
        self._masks = {}

    def _dropped(self, F: Any, what: str, p: float, values: Any) -> Any:
        if not p:
            return values
        if what not in self._masks:
            self._masks[what] = F.Dropout(F.ones_like(values), p=p)
        return values * self._masks[what]

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> Any:
        """One step."""
        if self.drop_states:
            states = [self._dropped(F, "states", self.drop_states, states[0]), *states[1:]]
        inputs = self._dropped(F, "inputs", self.drop_inputs, inputs)
        with self._base() as cell:
            output, after = cell(inputs, states)
        return self._dropped(F, "outputs", self.drop_outputs, output), after

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Optional[list[Any]] = None,
        layout: str = "NTC",
        merge_outputs: Optional[bool] = None,
        valid_length: Any = None,
    ) -> Unrolled:
        """Run the cell over a sequence, as :meth:`RecurrentCell.unroll`."""
        if self.drop_states:
            return super().unroll(length, inputs, begin_state, layout, merge_outputs, valid_length)
        self.reset()
        who = type(self).__name__
        merge = True if self.drop_inputs else None
        sequence = arranged(length, inputs, layout, merge, who)
        F, axis, values = sequence.F, sequence.axis, sequence.values
        if self.drop_inputs:
            values = F.Dropout(values, p=self.drop_inputs, axes=(axis,))
        with self._base() as cell:
            outputs, states = cell.unroll(
                length,
                values,
                begin_state,
                layout,
                True if self.drop_outputs else merge_outputs,
                valid_length,
            )
        if self.drop_outputs:
            outputs = F.Dropout(outputs, p=self.drop_outputs, axes=(axis,))
            outputs = arranged(length, outputs, layout, merge_outputs, who).values
        return outputs, states


def _is_bidirectional(cell: Any) -> bool:
    if isinstance(cell, BidirectionalCell):
        return True
    return any(map(_is_bidirectional, cell._children.values()))


class LSTMPCell(HybridRecurrentCell):
    """LSTM whose output goes through a matrix (Sak et al. 2014); states are that and the memory.

    Parameters
    ----------
    hidden_size : int
        Units of the memory.
    projection_size : int
        Numbers of the output.
    i2h_weight_initializer, h2h_weight_initializer, h2r_weight_initializer : Initializer, optional
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
    >>> cell = mx.gluon.contrib.rnn.LSTMPCell(8, 3)
    >>> cell.initialize()
    >>> output, states = cell(mx.nd.ones((2, 5)), cell.begin_state(batch_size=2))
    >>> output.shape, states[1].shape
    ((2, 3), (2, 8))
    """

    def __init__(
        self,
        hidden_size: int,
        projection_size: int,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        h2r_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        prefix: Optional[str] = None,
        params: Optional[ParameterDict] = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._hidden_size, self._projection_size = hidden_size, projection_size
        for name, shape, init in (
            ("i2h_weight", (4 * hidden_size, input_size), i2h_weight_initializer),
            ("h2h_weight", (4 * hidden_size, projection_size), h2h_weight_initializer),
            ("h2r_weight", (projection_size, hidden_size), h2r_weight_initializer),
            ("i2h_bias", (4 * hidden_size,), i2h_bias_initializer),
            ("h2h_bias", (4 * hidden_size,), h2h_bias_initializer),
        ):
            setattr(self, name, self.params.get(name, shape=shape, init=init, allow_deferred_init=True))

    def _alias(self) -> str:
        return "lstmp"

    def __repr__(self) -> str:
        units, inputs = self._reg_params["i2h_weight"].shape or (0, 0)
        return f"{type(self).__name__}({inputs or None} -> {units} -> {self._projection_size})"

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return shape and layout of output and memory."""
        sizes = (self._projection_size, self._hidden_size)
        return [{"shape": (batch_size, size), "__layout__": "NC"} for size in sizes]

    def hybrid_forward(
        self,
        F: Any,
        inputs: Any,
        states: Any,
        i2h_weight: Any,
        h2h_weight: Any,
        h2r_weight: Any,
        i2h_bias: Any,
        h2h_bias: Any,
    ) -> Any:
        """One step."""
        step, units = f"t{self._counter}_", 4 * self._hidden_size
        i2h = F.FullyConnected(inputs, i2h_weight, i2h_bias, num_hidden=units, name=f"{step}i2h")
        h2h = F.FullyConnected(states[0], h2h_weight, h2h_bias, num_hidden=units, name=f"{step}h2h")
        total = F.elemwise_add(i2h, h2h, name=f"{step}plus0")
        hidden, memory = lstm_step(self, F, total, states[1], "tanh", "sigmoid", step, out="hidden")
        output = F.FullyConnected(
            hidden, h2r_weight, num_hidden=self._projection_size, no_bias=True, name=f"{step}out"
        )
        return output, [output, memory]


def dynamic_unroll(
    cell: RecurrentCell,
    inputs: Any,
    begin_state: Any,
    drop_inputs: float = 0,
    drop_outputs: float = 0,
    layout: str = "TNC",
    valid_length: Any = None,
) -> Unrolled:
    """Run a cell over a sequence by a loop in the graph (``contrib.foreach``); its length need not be known.

    Parameters
    ----------
    cell : HybridRecurrentCell
        Makes the steps; its parameters must have their shapes.
    inputs : NDArray or Symbol
        The sequence in ``layout``.
    begin_state : list
        The states before the first step.
    drop_inputs, drop_outputs : float
        How likely a number of inputs, or of outputs, is 0 in all steps while training.
    layout : {'TNC', 'NTC'}
        Axes of the batch, the steps, the numbers.
    valid_length : NDArray or Symbol, optional
        Steps of each example, (batch,): outputs behind them are 0, states those after them.

    Returns
    -------
    outputs : NDArray or Symbol
        In ``layout``.
    states : list
        After the last step.

    Examples
    --------
    >>> import mixgrad as mx
    >>> cell = mx.gluon.rnn.LSTMCell(3, input_size=4)
    >>> cell.initialize()
    >>> unroll = mx.gluon.contrib.rnn.rnn_cell.dynamic_unroll
    >>> outputs, states = unroll(cell, mx.nd.ones((5, 2, 4)), cell.begin_state(batch_size=2))
    >>> outputs.shape
    (5, 2, 3)
    """
    if not isinstance(inputs, (NDArray, Symbol)):
        raise TypeError(f"[dynamic_unroll] inputs is {type(inputs).__name__}; expected one array or symbol")
    F = nd if isinstance(inputs, NDArray) else sym
    axis, _ = time_axis(layout, "dynamic_unroll")
    if axis not in (0, 1):
        raise InvalidArgumentError(f"[dynamic_unroll] layout is {layout!r}; expected 'TNC' or 'NTC'")
    if axis == 1:
        inputs = F.swapaxes(inputs, dim1=0, dim2=1)
    if drop_inputs:
        inputs = F.Dropout(inputs, p=drop_inputs, axes=(0,))
    cell.reset()
    if valid_length is None:
        outputs, states = F.contrib.foreach(cell, inputs, begin_state)
    else:
        zeros = [F.zeros_like(state) for state in begin_state]

        def step(data: Any, carried: Any) -> Any:
            number, before, after = carried
            output, after = cell(data, after)
            here = F.broadcast_greater(valid_length, number)
            output = F.where(here, output, F.zeros_like(output))
            kept = [F.where(here, new, old) for new, old in zip(after, before)]
            return output, [number + 1, kept, after]

        outputs, carried = F.contrib.foreach(step, inputs, [F.zeros((1,)), zeros, begin_state])
        states = carried[1]
    if drop_outputs:
        outputs = F.Dropout(outputs, p=drop_outputs, axes=(0,))
    return (F.swapaxes(outputs, dim1=0, dim2=1) if axis == 1 else outputs), states


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
