"""Cells one on top of the other."""

from __future__ import annotations

from typing import Any, Optional

from ..parameter import ParameterDict
from ..utils import _indent
from .bidirectional import BidirectionalCell
from .cell import HybridRecurrentCell, RecurrentCell, Unrolled, begun, states_of
from .sequences import arranged

__all__ = ["HybridSequentialRNNCell", "SequentialRNNCell"]


class _Stack(RecurrentCell):
    """What both containers share."""

    def add(self, cell: RecurrentCell) -> None:
        """Put a cell on top."""
        self.register_child(cell)

    def __repr__(self) -> str:
        lines = [f"({key}): {_indent(repr(cell), 2)}" for key, cell in self._children.items()]
        return "\n".join([f"{type(self).__name__}(", *lines, ")"])

    def __getitem__(self, i: Any) -> Any:
        return list(self._children.values())[i]

    def __len__(self) -> int:
        return len(self._children)

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return shape and layout of the states of all cells."""
        return states_of(self._children.values(), batch_size)

    def begin_state(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Return the states of all cells before the first step, as :meth:`RecurrentCell.begin_state`."""
        self._check_unmodified()
        return [state for cell in self._children.values() for state in cell.begin_state(*args, **kwargs)]  # type: ignore[attr-defined]

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Optional[list[Any]] = None,
        layout: str = "NTC",
        merge_outputs: Optional[bool] = None,
        valid_length: Any = None,
    ) -> Unrolled:
        """Run the cells over a sequence, one after another, as :meth:`RecurrentCell.unroll`."""
        self.reset()
        sequence = arranged(length, inputs, layout, None, type(self).__name__)
        begin = begun(self, begin_state, sequence)
        values, states = sequence.values, []
        cells: list[Any] = list(self._children.values())
        for i, cell in enumerate(cells):
            own, begin = begin[: len(cell.state_info())], begin[len(cell.state_info()) :]
            merge = merge_outputs if i == len(cells) - 1 else None
            values, after = cell.unroll(length, values, own, layout, merge, valid_length)
            states += after
        return values, states

    def _step(self, inputs: Any, states: Any) -> Any:
        after = []
        for cell in self._children.values():
            if isinstance(cell, BidirectionalCell):
                raise NotImplementedError(
                    f"[{type(self).__name__}] a BidirectionalCell makes no single steps; use unroll"
                )
            count = len(cell.state_info())  # type: ignore[attr-defined]
            inputs, own = cell(inputs, states[:count])
            states = states[count:]
            after += own
        return inputs, after


class SequentialRNNCell(_Stack):
    """Cells one on top of the other.

    Parameters
    ----------
    prefix : str, optional
        What the names of parameters begin with.
    params : ParameterDict, optional
        Parameters that the cells share.

    Examples
    --------
    >>> import mixgrad as mx
    >>> stack = mx.gluon.rnn.SequentialRNNCell()
    >>> stack.add(mx.gluon.rnn.LSTMCell(4))
    >>> stack.add(mx.gluon.rnn.GRUCell(3))
    >>> stack.initialize()
    >>> outputs, states = stack.unroll(5, mx.nd.ones((2, 5, 6)), merge_outputs=True)
    >>> outputs.shape, len(states)
    ((2, 5, 3), 3)
    """

    def __init__(self, prefix: Optional[str] = None, params: Optional[ParameterDict] = None) -> None:
        super().__init__(prefix=prefix, params=params)

    def forward(self, inputs: Any, states: Any) -> Any:
        """Make one step, as :meth:`RecurrentCell.forward`."""
        return self._step(inputs, states)


class HybridSequentialRNNCell(_Stack, HybridRecurrentCell):
    """Cells one on top of the other, which also run on symbols and as graphs.

    Parameters
    ----------
    prefix : str, optional
        What the names of parameters begin with.
    params : ParameterDict, optional
        Parameters that the cells share.
    """

    def __init__(self, prefix: Optional[str] = None, params: Optional[ParameterDict] = None) -> None:
        super().__init__(prefix=prefix, params=params)

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> Any:
        """One step."""
        return self._step(inputs, states)
