"""Two cells that run over a sequence in opposite directions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional

from ... import ndarray as nd
from .cell import HybridRecurrentCell, RecurrentCell, Unrolled, begun, states_of
from .sequences import arranged, is_merged, masked, reversed_steps

__all__ = ["BidirectionalCell"]


class BidirectionalCell(HybridRecurrentCell):
    """A cell from the first step to the last and one from the last to the first; outputs lie side by side.

    Parameters
    ----------
    l_cell, r_cell : RecurrentCell
        Forward and backward.
    output_prefix : str
        What the names of outputs begin with.

    Examples
    --------
    >>> import mixgrad as mx
    >>> cell = mx.gluon.rnn.BidirectionalCell(mx.gluon.rnn.GRUCell(3), mx.gluon.rnn.GRUCell(3))
    >>> cell.initialize()
    >>> lengths = mx.nd.array([4, 2])
    >>> outputs, states = cell.unroll(4, mx.nd.ones((2, 4, 5)), valid_length=lengths)
    >>> outputs.shape, float(outputs[1, 2:].norm().asscalar())
    ((2, 4, 6), 0.0)
    """

    def __init__(self, l_cell: RecurrentCell, r_cell: RecurrentCell, output_prefix: str = "bi_") -> None:
        super().__init__(prefix="", params=None)
        self.register_child(l_cell, "l_cell")
        self.register_child(r_cell, "r_cell")
        self._output_prefix = output_prefix

    def _both(self) -> tuple[Any, Any]:
        return self._children["l_cell"], self._children["r_cell"]

    def __repr__(self) -> str:
        forward, backward = self._both()
        return f"{type(self).__name__}(forward={forward!r}, backward={backward!r})"

    def __call__(self, inputs: Any, states: Any) -> Any:
        raise NotImplementedError(
            "[BidirectionalCell] a step backward needs all behind it, so there is no single one; use unroll"
        )

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return shape and layout of the states of both cells."""
        return states_of(self._both(), batch_size)

    def begin_state(
        self, batch_size: int = 0, func: Callable[..., Any] = nd.zeros, **kwargs: Any
    ) -> list[Any]:
        """Return the states of both cells before their first steps."""
        self._check_unmodified()
        return [state for cell in self._both() for state in cell.begin_state(batch_size, func, **kwargs)]

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Optional[list[Any]] = None,
        layout: str = "NTC",
        merge_outputs: Optional[bool] = None,
        valid_length: Any = None,
    ) -> Unrolled:
        """Run both cells over a sequence, as :meth:`RecurrentCell.unroll`."""
        self.reset()
        who = type(self).__name__
        steps = arranged(length, inputs, layout, False, who)
        F, axis = steps.F, steps.axis
        states = begun(self, begin_state, steps)
        forward, backward = self._both()
        count = len(forward.state_info())
        left, left_states = forward.unroll(
            length, steps.values, states[:count], layout, merge_outputs, valid_length
        )
        right, right_states = backward.unroll(
            length,
            reversed_steps(F, steps.values, valid_length),
            states[count:],
            layout,
            False,
            valid_length,
        )
        right = reversed_steps(F, right, valid_length)
        merge = is_merged(left) if merge_outputs is None else merge_outputs
        left = arranged(length, left, layout, merge, who).values
        right = arranged(length, right, layout, merge, who).values
        if merge:
            outputs = F.concat(left, right, dim=2, name=f"{self._output_prefix}out")
        else:
            outputs = [
                F.concat(one, other, dim=1, name=f"{self._output_prefix}t{i}")
                for i, (one, other) in enumerate(zip(left, right))
            ]
        if valid_length is not None:
            outputs = masked(F, outputs, length, valid_length, axis, merge)
        return outputs, left_states + right_states
