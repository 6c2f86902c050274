"""What all cells share: names, weights, states, the unrolled graph."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional

from .. import ndarray as nd
from .. import symbol as sym
from ..ndarray import NDArray
from ..symbol import Symbol
from .sequences import Inputs, arranged, as_steps, time_axis

__all__ = ["BaseRNNCell", "RNNParams"]

Weights = dict[str, NDArray]
Output = tuple[Any, list[Any]]


class RNNParams:
    """Variables by name, shared by the cells that are given it.

    Parameters
    ----------
    prefix : str
        Start of every name.

    Examples
    --------
    >>> import mixgrad as mx
    >>> params = mx.rnn.RNNParams("lstm_")
    >>> params.get("i2h_weight") is params.get("i2h_weight")
    True
    """

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self._params: dict[str, Symbol] = {}

    def get(self, name: str, **kwargs: Any) -> Symbol:
        """Return the variable ``prefix + name``; made by ``mx.sym.var(..., **kwargs)`` the first time."""
        name = self._prefix + name
        if name not in self._params:
            self._params[name] = sym.var(name, **kwargs)
        return self._params[name]


class BaseRNNCell(ABC):
    """Base of all cells. A subclass defines ``state_info`` and the call, which makes the graph of one step.

    Parameters
    ----------
    prefix : str
        Start of the names of nodes, and of weights if ``params`` is None.
    params : RNNParams, optional
        Weights shared with other cells.

    Examples
    --------
    >>> import mixgrad as mx
    >>> cell = mx.rnn.LSTMCell(10, prefix="lstm_")
    >>> outputs, states = cell.unroll(3, mx.sym.var("data"), merge_outputs=True)
    >>> outputs.infer_shape(data=(4, 3, 5))[1]
    [(4, 3, 10)]
    """

    _cells: list[BaseRNNCell]
    _num_hidden: int

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._prefix!r}>"

    def __init__(self, prefix: str = "", params: Optional[RNNParams] = None) -> None:
        self._own_params = params is None
        self._prefix = prefix
        self._params = RNNParams(prefix) if params is None else params
        self._modified = False
        self._cells = []
        self.reset()

    def reset(self) -> None:
        """Number steps and states from 0 again, for another graph."""
        self._init_counter = -1
        self._counter = -1
        for cell in self._cells:
            cell.reset()

    @abstractmethod
    def __call__(self, inputs: Any, states: Any) -> Output:
        """Make the graph of the next step.

        Parameters
        ----------
        inputs : Symbol
            (batch, numbers).
        states : list of Symbol
            Of the step before, or :meth:`begin_state`.

        Returns
        -------
        output : Symbol
            (batch, num_hidden).
        states : list of Symbol
            For the next step.
        """

    @property
    def params(self) -> RNNParams:
        """The weights. A cell whose weights were asked for shares them."""
        self._own_params = False
        return self._params

    @property
    @abstractmethod
    def state_info(self) -> list[dict[str, Any]]:
        """Shape and ``__layout__`` of every state; 0 stands for the batch."""

    @property
    def state_shape(self) -> list[tuple[int, ...]]:
        """Shapes of the states."""
        return [info["shape"] for info in self.state_info]

    @property
    def _gate_names(self) -> Sequence[str]:
        """Endings of the gates whose weights lie one after the other in the cell's arrays."""
        return ()

    def _name_step(self) -> str:
        """Start of the names of the next step's nodes."""
        self._counter += 1
        return f"{self._prefix}t{self._counter}_"

    def _check_unmodified(self) -> None:
        if self._modified:
            raise ValueError(
                f"[{type(self).__name__}] another cell modifies this one; call that cell, such as ZoneoutCell"
            )

    def begin_state(self, func: Callable[..., Symbol] = sym.zeros, **kwargs: Any) -> list[Any]:
        """Return the states before the first step.

        Parameters
        ----------
        func : callable
            Makes a state: ``mx.sym.zeros``, ``mx.sym.var`` for states that are fed, ...
        **kwargs
            Arguments of ``func`` beside name, shape and layout.
        """
        self._check_unmodified()
        states = []
        for info in self.state_info:
            self._init_counter += 1
            name = f"{self._prefix}begin_state_{self._init_counter}"
            states.append(func(name=name, **{**kwargs, **info}))
        return states

    def unpack_weights(self, args: Mapping[str, NDArray]) -> Weights:
        """Return the arrays with one array per gate in place of this cell's.

        Parameters
        ----------
        args : dict of str to NDArray
            Such as ``Module.get_params()[0]``.
        """
        unpacked = dict(args)
        if not self._gate_names:
            return unpacked
        count = self._num_hidden
        for group, kind in _GROUPS:
            whole = _taken(unpacked, f"{self._prefix}{group}_{kind}", "unpack_weights")
            for j, gate in enumerate(self._gate_names):
                part = whole[j * count : (j + 1) * count]
                unpacked[f"{self._prefix}{group}{gate}_{kind}"] = part.copy()
        return unpacked

    def pack_weights(self, args: Mapping[str, NDArray]) -> Weights:
        """Return the arrays with this cell's in place of one per gate; reverses :meth:`unpack_weights`."""
        packed = dict(args)
        if not self._gate_names:
            return packed
        for group, kind in _GROUPS:
            parts = [
                _taken(packed, f"{self._prefix}{group}{gate}_{kind}", "pack_weights")
                for gate in self._gate_names
            ]
            packed[f"{self._prefix}{group}_{kind}"] = nd.concatenate(parts)
        return packed

    def unroll(
        self,
        length: int,
        inputs: Optional[Inputs],
        begin_state: Optional[list[Any]] = None,
        layout: str = "NTC",
        merge_outputs: Optional[bool] = None,
    ) -> Output:
        """Make the graph of a whole sequence.

        Parameters
        ----------
        length : int
            Number of steps.
        inputs : Symbol or list of Symbol
            The sequence in ``layout``, or a symbol per step, each (batch, ...).
        begin_state : list of Symbol, optional
            The states before the first step; :meth:`begin_state` by default.
        layout : str
            ``"NTC"`` or ``"TNC"``: axes of the batch, the steps, the numbers.
        merge_outputs : bool, optional
            Whether outputs become one symbol in ``layout`` (True) or a list (False); None: what is there.

        Returns
        -------
        outputs : Symbol or list of Symbol
            Of all steps.
        states : list of Symbol
            After the last step.
        """
        self.reset()
        if inputs is None:
            raise ValueError(
                f"[{type(self).__name__}] inputs is None; expected a symbol, or a list with one per step"
            )
        states = self.begin_state() if begin_state is None else begin_state
        return self._unrolled(length, inputs, states, layout, merge_outputs)

    def _unrolled(
        self, length: int, inputs: Any, states: list[Any], layout: str, merge: Optional[bool]
    ) -> Output:
        who, axis = type(self).__name__, time_axis(layout, type(self).__name__)
        outputs = []
        for step in as_steps(inputs, length, axis, who):
            output, states = self(step, states)
            outputs.append(output)
        return arranged(outputs, length, axis, merge, who), states

    def _get_activation(self, inputs: Symbol, activation: Any, **kwargs: Any) -> Symbol:
        if isinstance(activation, str):
            activation = functools.partial(sym.Activation, act_type=activation)
        result: Symbol = activation(inputs, **kwargs)
        return result


_GROUPS = [(group, kind) for group in ("i2h", "h2h") for kind in ("weight", "bias")]


def _taken(arrays: Weights, name: str, who: str) -> NDArray:
    if name not in arrays:
        raise ValueError(f"[{who}] there is no array {name!r}; there are {sorted(arrays)}")
    return arrays.pop(name)
