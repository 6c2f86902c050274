"""What all recurrent cells share: states, steps, unrolling."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional

from ... import ndarray as nd
from ...base import InvalidArgumentError
from ...ndarray import NDArray
from ..block import Block, HybridBlock
from ..parameter import ParameterDict
from .sequences import Arranged, arranged, masked

__all__ = ["HybridRecurrentCell", "RecurrentCell", "Unrolled", "begun", "make_state", "states_of"]

Unrolled = tuple[Any, list[Any]]


def make_state(func: Callable[..., Any], name: str, words: dict[str, Any]) -> Any:
    """A state that a function makes; those of ``mx.nd`` have no names and layouts."""
    if getattr(func, "__module__", "").startswith(("mixgrad.ndarray", "mixgrad.ops")):
        return func(**{key: value for key, value in words.items() if not key.startswith("__")})
    return func(name=name, **words)


class RecurrentCell(Block):
    """Base of recurrent cells. A call makes one step: ``output, states = cell(input, states)``.

    Parameters
    ----------
    prefix : str, optional
        What the names of its parameters begin with.
    params : ParameterDict, optional
        Parameters that it shares instead of making its own.

    Examples
    --------
    >>> import mixgrad as mx
    >>> cell = mx.gluon.rnn.LSTMCell(5)
    >>> cell.initialize()
    >>> outputs, states = cell.unroll(3, mx.nd.ones((2, 3, 4)), merge_outputs=True)
    >>> outputs.shape, [state.shape for state in states]
    ((2, 3, 5), [(2, 5), (2, 5)])
    """

    def __init__(self, prefix: Optional[str] = None, params: Optional[ParameterDict] = None) -> None:
        super().__init__(prefix=prefix, params=params)
        self._modified = False
        self.reset()

    def reset(self) -> None:
        """Forget what a cell keeps beside its states, and number steps from 0 again."""
        self._init_counter = -1
        self._counter = -1
        for cell in self._children.values():
            if isinstance(cell, RecurrentCell):
                cell.reset()

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return shape and layout of each state."""
        raise NotImplementedError(f"[{type(self).__name__}] state_info is not defined")

    def _check_unmodified(self) -> None:
        if self._modified:
            raise InvalidArgumentError(
                f"[{type(self).__name__}] another cell modifies this one; call that cell, such as ZoneoutCell"
            )

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
            Further arguments of ``func``, such as ``ctx`` and ``dtype``.
        """
        self._check_unmodified()
        states = []
        for info in self.state_info(batch_size):
            self._init_counter += 1
            name = f"{self._prefix}begin_state_{self._init_counter}"
            states.append(make_state(func, name, {**info, **kwargs}))
        return states

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Optional[list[Any]] = None,
        layout: str = "NTC",
        merge_outputs: Optional[bool] = None,
        valid_length: Any = None,
    ) -> Unrolled:
        """Run the cell over a sequence.

        Parameters
        ----------
        length : int
            Number of steps.
        inputs : NDArray, Symbol or list of them
            The sequence in ``layout``, or what each step takes, (batch, ...).
        begin_state : list, optional
            The states before the first step; zeros by default.
        layout : {'NTC', 'TNC'}
            Axes of the batch, the steps, the numbers.
        merge_outputs : bool, optional
            Whether outputs become one in ``layout`` (True) or a list (False); None: what is there.
        valid_length : NDArray or Symbol, optional
            Steps of each example, (batch,): outputs behind them are 0, states those after them.

        Returns
        -------
        outputs : NDArray, Symbol or list of them
            Of all steps.
        states : list
            After the last step.
        """
        self.reset()
        who = type(self).__name__
        steps = arranged(length, inputs, layout, False, who)
        states = begun(self, begin_state, steps)
        outputs, every = [], []
        for step in steps.values:
            output, states = self(step, states)
            outputs.append(output)
            every.append(states)
        if valid_length is None:
            return arranged(length, outputs, layout, merge_outputs, who).values, states
        states = [_last(steps.F, of_steps, valid_length) for of_steps in zip(*every)]
        whole = masked(steps.F, outputs, length, valid_length, steps.axis, True)
        return arranged(length, whole, layout, merge_outputs, who).values, states

    def _get_activation(self, F: Any, inputs: Any, activation: Any, **kwargs: Any) -> Any:
        """An activation by its name, block or function."""
        if isinstance(activation, str):
            return F.Activation(inputs, act_type=activation, **kwargs)
        return activation(inputs) if isinstance(activation, Block) else activation(inputs, **kwargs)

    def __call__(self, inputs: Any, states: Any) -> Any:
        self._counter += 1
        return super().__call__(inputs, states)

    def forward(self, inputs: Any, states: Any) -> Any:
        """Make one step.

        Parameters
        ----------
        inputs : NDArray or Symbol
            (batch, numbers).
        states : list
            Of the step before.

        Returns
        -------
        output : NDArray or Symbol
            (batch, units).
        states : list
            For the next step.
        """
        raise NotImplementedError(f"[{type(self).__name__}] forward is not defined")


class HybridRecurrentCell(RecurrentCell, HybridBlock):
    """Base of cells that also run on symbols and as graphs: a subclass defines ``hybrid_forward``."""

    def forward(self, inputs: Any, states: Any) -> Any:
        """Make one step, as :meth:`RecurrentCell.forward`."""
        return HybridBlock.forward(self, inputs, states)


def begun(cell: RecurrentCell, begin_state: Optional[list[Any]], inputs: Arranged) -> list[Any]:
    """The states before the first step: those that are given, or zeros like the inputs."""
    if begin_state is not None:
        return begin_state
    first = inputs.values if isinstance(inputs.values, NDArray) else inputs.values[0]
    if isinstance(first, NDArray):
        return cell.begin_state(inputs.batch_size, func=nd.zeros, ctx=first.context, dtype=first.dtype)
    return cell.begin_state(0, func=inputs.F.zeros)


def states_of(cells: Any, batch_size: int) -> list[dict[str, Any]]:
    """The states of several cells, one cell's after another's."""
    return [info for cell in cells for info in cell.state_info(batch_size)]


def _last(F: Any, steps: Any, valid_length: Any) -> Any:
    """Of each example, what the step has that is its last."""
    return F.SequenceLast(
        F.stack(*steps, axis=0), sequence_length=valid_length, use_sequence_length=True, axis=0
    )
