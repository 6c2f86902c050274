"""Cells that change what another cell computes, and dropout between cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from numbers import Number
from typing import Any, Optional

from ... import ndarray as nd
from ...base import InvalidArgumentError
from ..parameter import ParameterDict
from .bidirectional import BidirectionalCell
from .cell import HybridRecurrentCell, RecurrentCell, Unrolled
from .sequences import arranged, is_merged, masked

__all__ = ["DropoutCell", "ModifierCell", "ResidualCell", "ZoneoutCell"]


class DropoutCell(HybridRecurrentCell):
    """Sets a part of its inputs to 0 while training; without states.

    Parameters
    ----------
    rate : float
        How likely a number becomes 0.
    axes : tuple of int
        Axes along which all become 0 together.
    prefix : str, optional
        What names begin with.
    params : ParameterDict, optional
        None are used.
    """

    def __init__(
        self,
        rate: float,
        axes: Sequence[int] = (),
        prefix: Optional[str] = None,
        params: Optional[ParameterDict] = None,
    ) -> None:
        super().__init__(prefix, params)
        if not isinstance(rate, Number):
            raise InvalidArgumentError(f"[DropoutCell] rate is {rate!r:.40}; expected a number")
        self._rate, self._axes = rate, axes

    def _alias(self) -> str:
        return "dropout"

    def __repr__(self) -> str:
        return f"{type(self).__name__}(rate={self._rate}, axes={self._axes})"

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return an empty list."""
        return []

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> Any:
        """One step, or the whole of a sequence."""
        if self._rate > 0:
            inputs = F.Dropout(inputs, p=self._rate, axes=self._axes, name=f"t{self._counter}_fwd")
        return inputs, states

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Optional[list[Any]] = None,
        layout: str = "NTC",
        merge_outputs: Optional[bool] = None,
        valid_length: Any = None,
    ) -> Unrolled:
        """Drop numbers of a sequence: of one array or symbol at once, of a list step by step."""
        self.reset()
        sequence = arranged(length, inputs, layout, merge_outputs, type(self).__name__)
        states = begin_state or []
        if is_merged(sequence.values):
            return self.hybrid_forward(sequence.F, sequence.values, states)[0], states
        return super().unroll(length, sequence.values, states, layout, merge_outputs, valid_length)


class ModifierCell(HybridRecurrentCell):
    """Base of cells that change another cell's steps. That cell is then no longer called by itself.

    Parameters
    ----------
    base_cell : RecurrentCell
        The cell that is changed; the parameters stay its own.
    """

    def __init__(self, base_cell: RecurrentCell) -> None:
        if not isinstance(base_cell, RecurrentCell):
            raise TypeError(
                f"[{type(self).__name__}] base_cell is {type(base_cell).__name__}; expected a RecurrentCell"
            )
        base_cell._check_unmodified()
        super().__init__(prefix=base_cell.prefix + self._alias(), params=None)
        base_cell._modified = True
        self.base_cell = base_cell

    @property
    def params(self) -> ParameterDict:
        """The parameters of the cell that is changed."""
        return self.base_cell.params

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_cell!r})"

    @contextmanager
    def _base(self) -> Iterator[RecurrentCell]:
        """The cell that is changed, which may be called meanwhile."""
        self.base_cell._modified = False
        try:
            yield self.base_cell
        finally:
            self.base_cell._modified = True

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return shape and layout of the states of the cell that is changed."""
        return self.base_cell.state_info(batch_size)

    def begin_state(
        self, batch_size: int = 0, func: Callable[..., Any] = nd.zeros, **kwargs: Any
    ) -> list[Any]:
        """Return the states of the cell that is changed before its first step."""
        self._check_unmodified()
        with self._base() as cell:
            return cell.begin_state(batch_size, func, **kwargs)

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> Any:
        """One step; subclasses define it."""
        raise NotImplementedError(f"[{type(self).__name__}] hybrid_forward is not defined")


class ZoneoutCell(ModifierCell):
    """Keeps a part of the outputs and states of the step before while training (Krueger et al. 2017).

    Parameters
    ----------
    base_cell : RecurrentCell
        The cell that is changed.
    zoneout_outputs, zoneout_states : float
        How likely a number of the output, or of a state, is that of the step before.
    """

    def __init__(
        self, base_cell: RecurrentCell, zoneout_outputs: float = 0.0, zoneout_states: float = 0.0
    ) -> None:
        inner = base_cell
        while isinstance(inner, ModifierCell):
            inner = inner.base_cell
        if isinstance(inner, BidirectionalCell):
            raise InvalidArgumentError(
                "[ZoneoutCell] a BidirectionalCell makes no single steps; change the cells in it instead"
            )
        super().__init__(base_cell)
        self._zoneout_outputs, self._zoneout_states = zoneout_outputs, zoneout_states
        self._prev_output: Any = None

    def _alias(self) -> str:
        return "zoneout"

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(p_out={self._zoneout_outputs}, p_state={self._zoneout_states}, "
            f"{self.base_cell!r})"
        )

    def hybridize(self, active: bool = True, *args: Any, **kwargs: Any) -> None:
        """Have the cell that is changed run as a graph; the output of the step before is none of its inputs,
        so this cell itself runs operator by operator."""
        self.base_cell.hybridize(active, *args, **kwargs)

    def reset(self) -> None:
        """Forget the output of the step before."""
        super().reset()
        self._prev_output = None

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> Any:
        """One step."""
        with self._base() as cell:
            output, after = cell(inputs, states)

        def chosen(p: float, new: Any, before: Any) -> Any:
            return F.where(F.Dropout(F.ones_like(new), p=p), new, before) if p else new

        before = F.zeros_like(output) if self._prev_output is None else self._prev_output
        output = chosen(self._zoneout_outputs, output, before)
        after = [chosen(self._zoneout_states, new, old) for new, old in zip(after, states)]
        self._prev_output = output
        return output, after


class ResidualCell(ModifierCell):
    """Adds the input to the output (He et al. 2016; Wu et al. 2016); both have one size.

    Parameters
    ----------
    base_cell : RecurrentCell
        The cell that is changed.
    """

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> Any:
        """One step."""
        with self._base() as cell:
            output, states = cell(inputs, states)
        return F.elemwise_add(output, inputs, name=f"t{self._counter}_fwd"), states

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
        self.reset()
        with self._base() as cell:
            outputs, states = cell.unroll(length, inputs, begin_state, layout, merge_outputs, valid_length)
        merge = is_merged(outputs) if merge_outputs is None else merge_outputs
        sequence = arranged(length, inputs, layout, merge, type(self).__name__)
        F, values = sequence.F, sequence.values
        if valid_length is not None:
            values = masked(F, values, length, valid_length, sequence.axis, merge)
        if merge:
            return F.elemwise_add(outputs, values), states
        return [F.elemwise_add(one, other) for one, other in zip(outputs, values)], states
