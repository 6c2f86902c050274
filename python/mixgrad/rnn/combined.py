"""Cells made of cells: one after the other, and both directions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional

from .. import symbol as sym
from ..ndarray import NDArray
from ..symbol import Symbol
from .base import BaseRNNCell, Output, RNNParams, Weights
from .sequences import as_steps, time_axis

__all__ = ["BidirectionalCell", "SequentialRNNCell"]


class _ManyCells(BaseRNNCell):
    """Several cells whose states stand one after the other."""

    def __init__(self, params: Optional[RNNParams]) -> None:
        super().__init__("", params)
        self._override_cell_params = params is not None

    def _adopt(self, cell: BaseRNNCell) -> None:
        self._cells.append(cell)
        if self._override_cell_params:
            if not cell._own_params:
                raise ValueError(
                    f"[{type(self).__name__}] params given to it and to a {type(cell).__name__} inside; "
                    "expected one of both"
                )
            cell.params._params.update(self.params._params)
        self.params._params.update(cell.params._params)

    @property
    def state_info(self) -> list[dict[str, Any]]:
        return [info for cell in self._cells for info in cell.state_info]

    def begin_state(self, **kwargs: Any) -> list[Any]:  # type: ignore[override]
        self._check_unmodified()
        return [state for cell in self._cells for state in cell.begin_state(**kwargs)]

    def unpack_weights(self, args: Mapping[str, NDArray]) -> Weights:
        arrays = dict(args)
        for cell in self._cells:
            arrays = cell.unpack_weights(arrays)
        return arrays

    def pack_weights(self, args: Mapping[str, NDArray]) -> Weights:
        arrays = dict(args)
        for cell in self._cells:
            arrays = cell.pack_weights(arrays)
        return arrays

    def _shares(self, states: list[Any]) -> list[list[Any]]:
        """The states of every cell."""
        shares, at = [], 0
        for cell in self._cells:
            count = len(cell.state_info)
            shares.append(states[at : at + count])
            at += count
        return shares


class SequentialRNNCell(_ManyCells):
    """Cells one after the other: the output of each is the input of the next.

    Parameters
    ----------
    params : RNNParams, optional
        Weights shared with other cells.

    Examples
    --------
    >>> import mixgrad as mx
    >>> stack = mx.rnn.SequentialRNNCell()
    >>> for i in range(2):
    ...     stack.add(mx.rnn.LSTMCell(10, prefix=f"lstm_l{i}_"))
    >>> outputs, states = stack.unroll(3, mx.sym.var("data"), merge_outputs=True)
    >>> outputs.infer_shape(data=(4, 3, 5))[1], len(states)
    ([(4, 3, 10)], 4)
    """

    def __init__(self, params: Optional[RNNParams] = None) -> None:
        super().__init__(params)

    def add(self, cell: BaseRNNCell) -> None:
        """Append a cell."""
        self._adopt(cell)

    def __call__(self, inputs: Any, states: Any) -> Output:
        self._counter += 1
        after: list[Any] = []
        for cell, own in zip(self._cells, self._shares(states)):
            inputs, own = cell(inputs, own)
            after += own
        return inputs, after

    def _unrolled(
        self, length: int, inputs: Any, states: list[Any], layout: str, merge: Optional[bool]
    ) -> Output:
        after: list[Any] = []
        for i, (cell, own) in enumerate(zip(self._cells, self._shares(states))):
            last = i + 1 == len(self._cells)
            inputs, own = cell.unroll(length, inputs, own, layout, merge if last else None)
            after += own
        return inputs, after


class BidirectionalCell(_ManyCells):
    """One cell from the first step to the last, another back; outputs of both are joined.

    Parameters
    ----------
    l_cell, r_cell : BaseRNNCell
        Forward and backward.
    params : RNNParams, optional
        Weights shared with other cells.
    output_prefix : str
        Start of the names of the joined outputs.

    Examples
    --------
    >>> import mixgrad as mx
    >>> cell = mx.rnn.BidirectionalCell(mx.rnn.GRUCell(4, "l_"), mx.rnn.GRUCell(4, "r_"))
    >>> outputs, _ = cell.unroll(3, mx.sym.var("data"), merge_outputs=True)
    >>> outputs.infer_shape(data=(2, 3, 5))[1]
    [(2, 3, 8)]
    """

    def __init__(
        self,
        l_cell: BaseRNNCell,
        r_cell: BaseRNNCell,
        params: Optional[RNNParams] = None,
        output_prefix: str = "bi_",
    ) -> None:
        super().__init__(params)
        self._output_prefix = output_prefix
        self._adopt(l_cell)
        self._adopt(r_cell)

    def __call__(self, inputs: Any, states: Any) -> Output:
        raise NotImplementedError(
            "[BidirectionalCell] the way back begins with the last step, so no single step can be made; "
            "call unroll"
        )

    def _unrolled(
        self, length: int, inputs: Any, states: list[Any], layout: str, merge: Optional[bool]
    ) -> Output:
        who, axis = type(self).__name__, time_axis(layout, type(self).__name__)
        steps = as_steps(inputs, length, axis, who)
        left, right = self._cells
        ahead, back = self._shares(states)
        forth, ahead = left.unroll(length, steps, ahead, layout, merge)
        other, back = right.unroll(length, steps[::-1], back, layout, merge)
        if merge is None:
            merge = isinstance(forth, Symbol) and isinstance(other, Symbol)
        name = self._output_prefix
        if merge:
            joined: Any = sym.Concat(forth, sym.reverse(other, axis=axis), dim=2, name=f"{name}out")
        else:
            pairs = zip(as_steps(forth, length, axis, who), as_steps(other, length, axis, who)[::-1])
            joined = [sym.Concat(a, b, dim=1, name=f"{name}t{i}") for i, (a, b) in enumerate(pairs)]
        return joined, [ahead, back]
