"""Cells around another cell: zoneout, residual connections."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Mapping
from typing import Any, Optional

from .. import symbol as sym
from ..ndarray import NDArray
from ..symbol import Symbol
from .base import BaseRNNCell, Output, RNNParams, Weights
from .combined import BidirectionalCell
from .fused import FusedRNNCell
from .sequences import arranged, time_axis

__all__ = ["ModifierCell", "ResidualCell", "ZoneoutCell"]


class ModifierCell(BaseRNNCell, ABC):
    """Base of cells around another cell, which is not called by itself any more.

    Parameters
    ----------
    base_cell : BaseRNNCell
        The cell inside.
    """

    def __init__(self, base_cell: BaseRNNCell) -> None:
        super().__init__()
        base_cell._modified = True
        self.base_cell = base_cell
        self._cells = [base_cell]

    @property
    def params(self) -> RNNParams:
        self._own_params = False
        return self.base_cell.params

    @property
    def state_info(self) -> list[dict[str, Any]]:
        return self.base_cell.state_info

    def begin_state(self, init_sym: Callable[..., Symbol] = sym.zeros, **kwargs: Any) -> list[Any]:  # type: ignore[override]
        self._check_unmodified()
        self.base_cell._modified = False
        try:
            return self.base_cell.begin_state(func=init_sym, **kwargs)
        finally:
            self.base_cell._modified = True

    def unpack_weights(self, args: Mapping[str, NDArray]) -> Weights:
        return self.base_cell.unpack_weights(args)

    def pack_weights(self, args: Mapping[str, NDArray]) -> Weights:
        return self.base_cell.pack_weights(args)


class ZoneoutCell(ModifierCell):
    """In training a share of outputs and states keeps the value of the step before (arXiv:1606.01305).

    Parameters
    ----------
    base_cell : BaseRNNCell
        A cell that makes single steps.
    zoneout_outputs, zoneout_states : float
        The shares.

    Examples
    --------
    >>> import mixgrad as mx
    >>> cell = mx.rnn.ZoneoutCell(mx.rnn.RNNCell(4), zoneout_outputs=0.5)
    >>> cell.unroll(2, mx.sym.var("data"), merge_outputs=True)[0].infer_shape(data=(1, 2, 3))[1]
    [(1, 2, 4)]
    """

    def __init__(
        self, base_cell: BaseRNNCell, zoneout_outputs: float = 0.0, zoneout_states: float = 0.0
    ) -> None:
        if isinstance(base_cell, (FusedRNNCell, BidirectionalCell)):
            raise ValueError(
                f"[ZoneoutCell] base_cell is a {type(base_cell).__name__}, which makes no single steps; "
                "unfuse it, or put ZoneoutCell around the cells inside"
            )
        self.prev_output: Optional[Symbol] = None
        super().__init__(base_cell)
        self.zoneout_outputs = zoneout_outputs
        self.zoneout_states = zoneout_states

    def reset(self) -> None:
        super().reset()
        self.prev_output = None

    def __call__(self, inputs: Any, states: Any) -> Output:
        output, after = self.base_cell(inputs, states)
        if self.zoneout_outputs:
            before = sym.zeros_like(output) if self.prev_output is None else self.prev_output
            output = _mixed(self.zoneout_outputs, output, before)
        if self.zoneout_states:
            after = [_mixed(self.zoneout_states, new, old) for new, old in zip(after, states)]
        self.prev_output = output
        return output, after


class ResidualCell(ModifierCell):
    """Adds the input to the output (arXiv:1609.08144).

    Parameters
    ----------
    base_cell : BaseRNNCell
        A cell whose outputs have the shape of its inputs.

    Examples
    --------
    >>> import mixgrad as mx
    >>> cell = mx.rnn.ResidualCell(mx.rnn.GRUCell(3))
    >>> cell.unroll(2, mx.sym.var("data"), merge_outputs=True)[0].infer_shape(data=(1, 2, 3))[1]
    [(1, 2, 3)]
    """

    def __call__(self, inputs: Any, states: Any) -> Output:
        output, after = self.base_cell(inputs, states)
        return _plus(output, inputs), after

    def _unrolled(
        self, length: int, inputs: Any, states: list[Any], layout: str, merge: Optional[bool]
    ) -> Output:
        self.base_cell._modified = False
        try:
            outputs, states = self.base_cell.unroll(length, inputs, states, layout, merge)
        finally:
            self.base_cell._modified = True
        merged = isinstance(outputs, Symbol)
        flow = arranged(inputs, length, time_axis(layout, "ResidualCell"), merged, "ResidualCell")
        if merged:
            return _plus(outputs, flow), states
        return [_plus(output, step) for output, step in zip(outputs, flow)], states


def _plus(output: Symbol, inputs: Symbol) -> Symbol:
    total: Symbol = sym.elemwise_add(output, inputs, name=f"{output.name}_plus_residual")
    return total


def _mixed(share: float, new: Symbol, old: Symbol) -> Symbol:
    """``new``, but ``old`` for a random share of the elements."""
    mixed: Symbol = sym.where(sym.Dropout(sym.ones_like(new), p=share), new, old)
    return mixed
