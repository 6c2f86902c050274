"""Dropout between cells."""

from __future__ import annotations

from typing import Any, Optional

from .. import symbol as sym
from ..symbol import Symbol
from .base import BaseRNNCell, Output, RNNParams
from .sequences import arranged, time_axis

__all__ = ["DropoutCell"]


class DropoutCell(BaseRNNCell):
    """Sets a share of the inputs to 0 in training.

    Parameters
    ----------
    dropout : float
        The share.
    prefix : str
        Start of names.
    params : RNNParams, optional
        Taken for likeness with other cells; there are no weights.

    Examples
    --------
    >>> import mixgrad as mx
    >>> stack = mx.rnn.SequentialRNNCell()
    >>> stack.add(mx.rnn.RNNCell(4, prefix="a_"))
    >>> stack.add(mx.rnn.DropoutCell(0.3))
    >>> stack.unroll(2, mx.sym.var("data"), merge_outputs=True)[0].infer_shape(data=(1, 2, 3))[1]
    [(1, 2, 4)]
    """

    def __init__(self, dropout: float, prefix: str = "dropout_", params: Optional[RNNParams] = None) -> None:
        super().__init__(prefix, params)
        if isinstance(dropout, bool) or not isinstance(dropout, (int, float)) or not 0 <= dropout < 1:
            raise ValueError(f"[DropoutCell] dropout is {dropout!r}; expected a number in [0, 1)")
        self.dropout = dropout

    @property
    def state_info(self) -> list[dict[str, Any]]:
        return []

    def __call__(self, inputs: Any, states: Any) -> Output:
        return (sym.Dropout(inputs, p=self.dropout) if self.dropout > 0 else inputs), states

    def _unrolled(
        self, length: int, inputs: Any, states: list[Any], layout: str, merge: Optional[bool]
    ) -> Output:
        flow = arranged(inputs, length, time_axis(layout, "DropoutCell"), merge, "DropoutCell")
        if isinstance(flow, Symbol):
            return self(flow, [])
        return super()._unrolled(length, flow, states, layout, merge)
