"""Whole layers as one operator, ``RNN``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Optional

from .. import initializer
from .. import ndarray as nd
from .. import symbol as sym
from ..ndarray import NDArray
from .base import BaseRNNCell, Output, RNNParams, Weights
from .cells import GRUCell, LSTMCell, RNNCell
from .combined import BidirectionalCell, SequentialRNNCell
from .dropout import DropoutCell
from .layout import GATES, num_inputs, parts
from .sequences import arranged, as_sequence, time_axis

__all__ = ["FusedRNNCell"]


class FusedRNNCell(BaseRNNCell):
    """Layers of one kind over whole sequences as one operator; faster than a node per step.

    Its weights are one array, ``<prefix>parameters``, whose parts :meth:`unpack_weights` names as the cells
    of :meth:`unfuse` do, so a network trained with one can go on with the other.

    Parameters
    ----------
    num_hidden : int
        Units per layer and direction.
    num_layers : int
        Layers.
    mode : {'lstm', 'gru', 'rnn_tanh', 'rnn_relu'}
        Kind of cell.
    bidirectional : bool
        Whether every layer goes both ways; outputs are twice as wide.
    dropout : float
        Share of the values between layers that become 0 in training.
    get_next_state : bool
        Whether :meth:`unroll` returns the states after the last step.
    forget_bias : float
        The bias of an LSTM's forget gate begins with it.
    prefix : str, optional
        Start of names; by default ``<mode>_``.
    params : RNNParams, optional
        Weights shared with other cells.

    Examples
    --------
    >>> import mixgrad as mx
    >>> cell = mx.rnn.FusedRNNCell(10, num_layers=2, mode="lstm", prefix="lstm_")
    >>> outputs, _ = cell.unroll(3, mx.sym.var("data"), layout="TNC", merge_outputs=True)
    >>> outputs.infer_shape(data=(3, 4, 5))[1]
    [(3, 4, 10)]
    """

    def __init__(
        self,
        num_hidden: int,
        num_layers: int = 1,
        mode: str = "lstm",
        bidirectional: bool = False,
        dropout: float = 0.0,
        get_next_state: bool = False,
        forget_bias: float = 1.0,
        prefix: Optional[str] = None,
        params: Optional[RNNParams] = None,
    ) -> None:
        if mode not in GATES:
            raise ValueError(f"[FusedRNNCell] mode is {mode!r}; expected one of {sorted(GATES)}")
        super().__init__(f"{mode}_" if prefix is None else prefix, params)
        self._num_hidden = num_hidden
        self._num_layers = num_layers
        self._mode = mode
        self._bidirectional = bidirectional
        self._dropout = dropout
        self._get_next_state = get_next_state
        self._directions = "lr" if bidirectional else "l"
        init = initializer.FusedRNN(None, num_hidden, num_layers, mode, bidirectional, forget_bias)
        self._parameter = self.params.get("parameters", init=init)

    @property
    def state_info(self) -> list[dict[str, Any]]:
        shape = (len(self._directions) * self._num_layers, 0, self._num_hidden)
        return [{"shape": shape, "__layout__": "LNC"} for _ in range(1 + (self._mode == "lstm"))]

    @property
    def _gate_names(self) -> Sequence[str]:
        return GATES[self._mode]

    def unpack_weights(self, args: Mapping[str, NDArray]) -> Weights:
        unpacked = dict(args)
        name = f"{self._parameter.name}"
        if name not in unpacked:
            raise ValueError(f"[FusedRNNCell.unpack_weights] there is no array {name!r}")
        whole = unpacked.pop(name)
        layers = self._mode, self._num_layers, self._directions
        num_input = num_inputs(whole.size, *layers, self._num_hidden)
        if num_input < 1:
            raise ValueError(
                f"[FusedRNNCell.unpack_weights] {name!r} has {whole.size} elements, which fit no input of "
                f"{self._num_layers} {self._mode} layers of {self._num_hidden} units"
            )
        for part in parts(*layers, num_input, self._num_hidden):
            values = whole[part.begin : part.end].reshape(part.shape)
            unpacked[self._prefix + part.name] = values.copy()
        return unpacked

    def pack_weights(self, args: Mapping[str, NDArray]) -> Weights:
        packed = dict(args)
        first_name = f"{self._prefix}l0_i2h{self._gate_names[0]}_weight"
        first = packed.get(first_name)
        if first is None:
            raise ValueError(f"[FusedRNNCell.pack_weights] there is no array {first_name!r}")
        every = list(parts(self._mode, self._num_layers, self._directions, first.shape[1], self._num_hidden))
        missing = [part.name for part in every if self._prefix + part.name not in packed]
        if missing:
            raise ValueError(f"[FusedRNNCell.pack_weights] there is no array '{self._prefix}{missing[0]}'")
        whole = nd.zeros((every[-1].end,), ctx=first.context, dtype=first.dtype)
        for part in every:
            whole[part.begin : part.end] = packed.pop(self._prefix + part.name).reshape((-1,))
        packed[f"{self._parameter.name}"] = whole
        return packed

    def __call__(self, inputs: Any, states: Any) -> Output:
        raise NotImplementedError("[FusedRNNCell] makes no single steps; call unroll, or unfuse it")

    def _unrolled(
        self, length: int, inputs: Any, states: list[Any], layout: str, merge: Optional[bool]
    ) -> Output:
        axis = time_axis(layout, "FusedRNNCell")
        if axis > 1:
            raise ValueError(f"[FusedRNNCell] layout is {layout!r}; expected 'TNC' or 'NTC'")
        flow = as_sequence(inputs, axis)
        if axis == 1:
            flow = sym.swapaxes(flow, dim1=0, dim2=1)
        rnn = sym.RNN(
            flow,
            self._parameter,
            *states,
            state_size=self._num_hidden,
            num_layers=self._num_layers,
            bidirectional=self._bidirectional,
            p=self._dropout,
            state_outputs=self._get_next_state,
            mode=self._mode,
            name=f"{self._prefix}rnn",
        )
        after = [rnn[i + 1] for i in range(len(states))] if self._get_next_state else []
        for state in after:
            state._set_attr(__layout__="LNC")
        outputs = rnn[0] if self._get_next_state else rnn
        if axis == 1:
            outputs = sym.swapaxes(outputs, dim1=0, dim2=1)
        return arranged(outputs, length, axis, merge, "FusedRNNCell"), after

    def unfuse(self) -> SequentialRNNCell:
        """Return the same layers as single cells, which can make single steps."""
        stack = SequentialRNNCell()
        for i in range(self._num_layers):
            cell = self._single(f"{self._prefix}l{i}_")
            if self._bidirectional:
                back = self._single(f"{self._prefix}r{i}_")
                cell = BidirectionalCell(cell, back, output_prefix=f"{self._prefix}bi_l{i}_")
            stack.add(cell)
            if self._dropout > 0 and i != self._num_layers - 1:
                stack.add(DropoutCell(self._dropout, prefix=f"{self._prefix}_dropout{i}_"))
        return stack

    def _single(self, prefix: str) -> BaseRNNCell:
        if self._mode == "lstm":
            return LSTMCell(self._num_hidden, prefix)
        if self._mode == "gru":
            return GRUCell(self._num_hidden, prefix)
        return RNNCell(self._num_hidden, self._mode[len("rnn_") :], prefix)
