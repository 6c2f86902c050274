"""What layers over whole sequences share: parameters, states, the call of the operator ``RNN``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Optional

from ... import ndarray as nd
from ... import symbol as sym
from ...base import DTypeLike, InvalidArgumentError, ShapeError
from ...ndarray import NDArray
from ...symbol import Symbol
from ..block import HybridBlock
from ..parameter import Parameter
from .bidirectional import BidirectionalCell
from .cell import make_state
from .cells import GRUCell, LSTMCell, RNNCell
from .containers import HybridSequentialRNNCell
from .modifiers import DropoutCell

__all__ = ["_RNNLayer"]

_GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}
_NAME = re.compile(r"(l|r)(\d+)_(i2h|h2h|h2r)_(weight|bias)\Z")


class _RNNLayer(HybridBlock):
    """What the layers share."""

    def __init__(
        self,
        hidden_size: int,
        num_layers: int,
        layout: str,
        dropout: float,
        bidirectional: bool,
        input_size: int,
        i2h_weight_initializer: Any,
        h2h_weight_initializer: Any,
        i2h_bias_initializer: Any,
        h2h_bias_initializer: Any,
        mode: str,
        projection_size: Optional[int],
        h2r_weight_initializer: Any,
        lstm_state_clip_min: Optional[float],
        lstm_state_clip_max: Optional[float],
        lstm_state_clip_nan: bool,
        dtype: DTypeLike,
        use_sequence_length: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if layout not in ("TNC", "NTC"):
            raise InvalidArgumentError(
                f"[{type(self).__name__}] layout is {layout!r:.40}; expected 'TNC' or 'NTC'"
            )
        self._hidden_size, self._num_layers = hidden_size, num_layers
        self._projection_size = projection_size or None
        self._mode, self._layout, self._dropout = mode, layout, dropout
        self._dir = 2 if bidirectional else 1
        self._input_size = input_size
        self._i2h_weight_initializer = i2h_weight_initializer
        self._h2h_weight_initializer = h2h_weight_initializer
        self._i2h_bias_initializer = i2h_bias_initializer
        self._h2h_bias_initializer = h2h_bias_initializer
        self._h2r_weight_initializer = h2r_weight_initializer
        self._lstm_state_clip_min = lstm_state_clip_min
        self._lstm_state_clip_max = lstm_state_clip_max
        self._lstm_state_clip_nan = lstm_state_clip_nan
        self._dtype, self._use_sequence_length = dtype, use_sequence_length
        self._gates = _GATES[mode]
        self._register()

    @property
    def _out_size(self) -> int:
        """Numbers that a layer and direction gives for a step."""
        return self._projection_size or self._hidden_size

    def _register(self) -> None:
        units, inputs = self._gates * self._hidden_size, self._input_size
        for i in range(self._num_layers):
            for side in ("l", "r")[: self._dir]:
                self._add(f"{side}{i}_i2h_weight", (units, inputs), self._i2h_weight_initializer)
                self._add(f"{side}{i}_h2h_weight", (units, self._out_size), self._h2h_weight_initializer)
                self._add(f"{side}{i}_i2h_bias", (units,), self._i2h_bias_initializer)
                self._add(f"{side}{i}_h2h_bias", (units,), self._h2h_bias_initializer)
                if self._projection_size:
                    shape = (self._projection_size, self._hidden_size)
                    self._add(f"{side}{i}_h2r_weight", shape, self._h2r_weight_initializer)
            inputs = self._out_size * self._dir

    def _add(self, name: str, shape: tuple[int, ...], init: Any) -> None:
        made = self.params.get(name, shape=shape, init=init, allow_deferred_init=True, dtype=self._dtype)
        setattr(self, name, made)

    def _expects(self, shape: tuple[int, ...]) -> Optional[str]:
        inputs = (self._reg_params["l0_i2h_weight"].shape or (0, 0))[1]
        fits = not inputs or len(shape) != 3 or shape[2] == inputs  # of axes it has spoken itself
        return None if fits else f"({', '.join(self._layout[:2])}, {inputs}), as layout={self._layout!r}"

    def __repr__(self) -> str:
        units, inputs = self._reg_params["l0_i2h_weight"].shape or (0, 0)
        parts = [f"{inputs if inputs > 0 else None} -> {units // self._gates}", self._layout]
        if self._num_layers != 1:
            parts.append(f"num_layers={self._num_layers}")
        if self._dropout != 0:
            parts.append(f"dropout={self._dropout}")
        if self._dir == 2:
            parts.append("bidirectional")
        return f"{type(self).__name__}({', '.join(parts)})"

    def _collect_params_with_prefix(self, prefix: str = "") -> dict[str, Parameter]:
        """Parameters by the names that the cells of :meth:`_unfuse` would have, as files do."""
        start = prefix + "." if prefix else ""

        def key(name: str) -> str:
            match = _NAME.match(name)
            assert match is not None
            side, layer, group, kind = match.groups()
            cell = f"{side}_cell." if self._dir == 2 else ""
            return f"{start}_unfused.{layer}.{cell}{group}_{kind}"

        found = {key(name): parameter for name, parameter in self._reg_params.items() if _NAME.match(name)}
        for name, child in self._children.items():
            found.update(child._collect_params_with_prefix(start + name))
        return found

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return shape, layout and dtype of each state: (layers * directions, batch, units)."""
        raise NotImplementedError(f"[{type(self).__name__}] state_info is not defined")

    def _state_info(self, batch_size: int, *sizes: int) -> list[dict[str, Any]]:
        rows = self._num_layers * self._dir
        return [
            {"shape": (rows, batch_size, size), "__layout__": "LNC", "dtype": self._dtype} for size in sizes
        ]

    def cast(self, dtype: DTypeLike) -> None:
        """Cast all parameters, and the states that begin sequences, to another dtype."""
        super().cast(dtype)
        self._dtype = dtype

    def begin_state(
        self, batch_size: int = 0, func: Callable[..., Any] = nd.zeros, **kwargs: Any
    ) -> list[Any]:
        """Return the states before the first step.

        Parameters
        ----------
        batch_size : int
            Examples of a batch; 0 where symbols find it out.
        func : callable
            Makes a state of its shape: ``mx.nd.zeros``, ``mx.sym.zeros``, ``mx.sym.var``, ...
        **kwargs
            Further arguments of ``func``, such as ``ctx``.
        """
        return [
            make_state(func, f"{self.prefix}h0_{i}", {**info, **kwargs})
            for i, info in enumerate(self.state_info(batch_size))
        ]

    def _unfuse(self) -> HybridSequentialRNNCell:
        """The same network of cells, which share the parameters."""
        if self._projection_size:
            raise InvalidArgumentError(f"[{type(self).__name__}] no cells match a projection")
        kinds: dict[str, Any] = {"rnn_relu": RNNCell, "rnn_tanh": RNNCell, "lstm": LSTMCell, "gru": GRUCell}
        words: dict[str, Any] = {
            "i2h_weight_initializer": self._i2h_weight_initializer,
            "h2h_weight_initializer": self._h2h_weight_initializer,
            "i2h_bias_initializer": self._i2h_bias_initializer,
            "h2h_bias_initializer": self._h2h_bias_initializer,
        }
        if self._mode.startswith("rnn"):
            words["activation"] = self._mode[len("rnn_") :]
        stack = HybridSequentialRNNCell(prefix=self.prefix, params=self.params)
        inputs = self._input_size
        with stack.name_scope():
            for i in range(self._num_layers):
                cells = [
                    kinds[self._mode](self._hidden_size, input_size=inputs, prefix=f"{side}{i}_", **words)
                    for side in ("l", "r")[: self._dir]
                ]
                stack.add(BidirectionalCell(*cells) if self._dir == 2 else cells[0])
                if self._dropout > 0 and i != self._num_layers - 1:
                    stack.add(DropoutCell(self._dropout))
                inputs = self._hidden_size * self._dir
        return stack

    def _check_axes(self, inputs: NDArray) -> None:
        if inputs.ndim != 3:
            raise ShapeError(
                f"[{type(self).__name__}] inputs have shape {inputs.shape}; expected the axes {self._layout}"
            )

    def infer_shape(self, inputs: Any, *args: Any) -> None:
        """Give the weights of the first layer the number of inputs."""
        if not isinstance(inputs, NDArray):
            super().infer_shape(inputs, *args)
            return
        self._check_axes(inputs)
        for side in ("l", "r")[: self._dir]:
            weight = getattr(self, f"{side}0_i2h_weight")
            weight.shape = (weight.shape[0], inputs.shape[2])

    def __call__(  # type: ignore[override]
        self, inputs: Any, states: Any = None, sequence_length: Any = None, **kwargs: Any
    ) -> Any:
        """Run the layers over a sequence.

        Parameters
        ----------
        inputs : NDArray or Symbol
            In the layout ``TNC`` or ``NTC``.
        states : list, optional
            Before the first step; zeros by default.
        sequence_length : NDArray or Symbol, optional
            Steps of each example, (batch,), where ``use_sequence_length`` was asked for.

        Returns
        -------
        outputs : NDArray or Symbol
            In the layout.
        states : list
            After the last step, only where ``states`` were given.
        """
        given = states is not None
        if states is None:
            if isinstance(inputs, NDArray):
                batch_size = inputs.shape[self._layout.index("N")]
                states = self.begin_state(batch_size, ctx=inputs.context, dtype=inputs.dtype)
            else:
                states = self.begin_state(0, func=sym.zeros)
        elif isinstance(states, (NDArray, Symbol)):
            states = [states]
        if self._use_sequence_length != (sequence_length is not None):
            raise InvalidArgumentError(
                f"[{type(self).__name__}] use_sequence_length is {self._use_sequence_length}, "
                f"and sequence_length is {'missing' if sequence_length is None else 'given'}"
            )
        lengths = () if sequence_length is None else (sequence_length,)
        outputs, after = super().__call__(inputs, states, *lengths, **kwargs)
        return (outputs, after) if given else outputs

    def hybrid_forward(  # type: ignore[override]
        self, F: Any, inputs: Any, states: Any, sequence_length: Any = None, **kwargs: Any
    ) -> Any:
        """Outputs and states of a sequence."""
        if F is nd:
            self._check_axes(inputs)
            batch_size = inputs.shape[self._layout.index("N")]
            expected = [info["shape"] for info in self.state_info(batch_size)]
            if [state.shape for state in states] != expected:
                raise ShapeError(
                    f"[{type(self).__name__}] states have shapes {[state.shape for state in states]}; "
                    f"expected {expected}"
                )
        if self._layout == "NTC":
            inputs = F.swapaxes(inputs, dim1=0, dim2=1)
        sides = [f"{side}{i}" for i in range(self._num_layers) for side in ("l", "r")[: self._dir]]
        groups = ("i2h", "h2h", "h2r") if self._projection_size else ("i2h", "h2h")
        names = [f"{side}_{group}_weight" for side in sides for group in groups]
        names += [f"{side}_{group}_bias" for side in sides for group in ("i2h", "h2h")]
        parameters = F._internal._rnn_param_concat(*(kwargs[name].reshape(-1) for name in names), dim=0)
        words = {} if sequence_length is None else {"sequence_length": sequence_length}
        outputs, *after = F.RNN(
            inputs,
            parameters,
            *states,
            **words,
            use_sequence_length=self._use_sequence_length,
            state_size=self._hidden_size,
            projection_size=self._projection_size,
            num_layers=self._num_layers,
            bidirectional=self._dir == 2,
            p=self._dropout,
            state_outputs=True,
            mode=self._mode,
            lstm_state_clip_min=self._lstm_state_clip_min,
            lstm_state_clip_max=self._lstm_state_clip_max,
            lstm_state_clip_nan=self._lstm_state_clip_nan,
        )
        if self._layout == "NTC":
            outputs = F.swapaxes(outputs, dim1=0, dim2=1)
        return outputs, after
