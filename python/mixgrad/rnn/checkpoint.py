"""Checkpoints with a weight per gate, which fused and single cells can read."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional, Union

from ..model import load_checkpoint, save_checkpoint
from ..ndarray import NDArray
from .base import BaseRNNCell, Output, Weights

__all__ = ["do_rnn_checkpoint", "load_rnn_checkpoint", "rnn_unroll", "save_rnn_checkpoint"]

Cells = Union[BaseRNNCell, Sequence[BaseRNNCell]]


def _listed(cells: Cells) -> list[BaseRNNCell]:
    return [cells] if isinstance(cells, BaseRNNCell) else list(cells)


def save_rnn_checkpoint(
    cells: Cells,
    prefix: str,
    epoch: int,
    symbol: Any,
    arg_params: Mapping[str, NDArray],
    aux_params: Mapping[str, NDArray],
) -> None:
    """:func:`mixgrad.model.save_checkpoint` with the weights of the cells unpacked.

    Parameters
    ----------
    cells : BaseRNNCell or list of BaseRNNCell
        The cells of the network.
    prefix, epoch, symbol, arg_params, aux_params
        As of ``save_checkpoint``.

    Examples
    --------
    >>> import mixgrad as mx, os, tempfile
    >>> prefix = os.path.join(tempfile.mkdtemp(), "net")
    >>> fused = mx.rnn.FusedRNNCell(4, mode="gru", prefix="gru_")
    >>> mx.rnn.save_rnn_checkpoint(fused, prefix, 1, None, {"gru_parameters": mx.nd.ones((108,))}, {})
    >>> sorted(mx.model.load_params(prefix, 1)[0])[0]
    'gru_l0_h2h_o_bias'
    """
    arrays: Weights = dict(arg_params)
    for cell in _listed(cells):
        arrays = cell.unpack_weights(arrays)
    save_checkpoint(prefix, epoch, symbol, arrays, aux_params)


def load_rnn_checkpoint(cells: Cells, prefix: str, epoch: int) -> tuple[Any, Weights, Weights]:
    """Return ``(symbol, arg_params, aux_params)`` with the weights packed as the cells want them.

    Parameters
    ----------
    cells : BaseRNNCell or list of BaseRNNCell
        The cells of the network; single cells read what fused ones wrote.
    prefix, epoch
        As of :func:`mixgrad.model.load_checkpoint`.
    """
    symbol, arg_params, aux_params = load_checkpoint(prefix, epoch)
    for cell in _listed(cells):
        arg_params = cell.pack_weights(arg_params)
    return symbol, arg_params, aux_params


def do_rnn_checkpoint(cells: Cells, prefix: str, period: int = 1) -> Callable[..., None]:
    """Return an ``epoch_end_callback`` that calls :func:`save_rnn_checkpoint` every ``period`` epochs."""
    every = max(1, int(period))

    def save(epoch: int, sym: Any = None, arg: Any = None, aux: Any = None) -> None:
        if (epoch + 1) % every == 0:
            save_rnn_checkpoint(cells, prefix, epoch + 1, sym, arg, aux)

    return save


def rnn_unroll(
    cell: BaseRNNCell,
    length: int,
    inputs: Any = None,
    begin_state: Optional[list[Any]] = None,
    input_prefix: str = "",
    layout: str = "NTC",
) -> Output:
    """``cell.unroll``, as old scripts call it; ``inputs`` are ``<input_prefix>t<i>_data`` by default."""
    warnings.warn("rnn_unroll is deprecated; call cell.unroll", DeprecationWarning, stacklevel=2)
    if inputs is None:
        from .. import symbol as sym

        inputs = [sym.var(f"{input_prefix}t{i}_data") for i in range(length)]
    return cell.unroll(length, inputs, begin_state, layout)
