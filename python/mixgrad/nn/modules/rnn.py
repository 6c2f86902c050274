"""Recurrent layers: all steps, layers and directions in one operator."""

from __future__ import annotations

import math
from typing import Any, Optional

from ... import autograd, ops
from ... import numpy as np
from ...base import DTypeLike, InvalidArgumentError, ShapeError
from .. import init
from ..diagnosis import refuse_shape
from ..module import Module
from ..parameter import Parameter
from ..sequences import PackedSequence
from .linear import made

__all__ = ["GRU", "LSTM", "RNN"]

_GATES = {"rnn_tanh": 1, "rnn_relu": 1, "lstm": 4, "gru": 3}


class _Recurrent(Module):
    """What recurrent layers have in common.

    Parameters
    ----------
    input_size, hidden_size : int
        Features of each step, and of the state.
    num_layers : int
        Layers on top of each other.
    bias : bool
        Whether there are biases.
    batch_first : bool
        Whether inputs and outputs are ``(N, L, ...)`` instead of ``(L, N, ...)``.
    dropout : float
        Between layers, in training.
    bidirectional : bool
        Whether half of the features come from the end.
    device, dtype
        Of the parameters.
    """

    mode: str

    def _make(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int,
        bias: bool,
        batch_first: bool,
        dropout: float,
        bidirectional: bool,
        proj_size: int,
        device: Any,
        dtype: DTypeLike,
    ) -> None:
        if num_layers < 1 or hidden_size < 1 or not 0 <= proj_size < hidden_size or not 0 <= dropout <= 1:
            raise InvalidArgumentError(
                f"[{type(self).__name__}] num_layers {num_layers}, hidden_size {hidden_size}, "
                f"proj_size {proj_size}, dropout {dropout}; "
                "expected one layer and feature, a smaller projection, a probability"
            )
        self.mode, self.input_size, self.hidden_size, self.num_layers = (
            mode,
            input_size,
            hidden_size,
            num_layers,
        )
        self.bias, self.batch_first, self.dropout = bias, batch_first, float(dropout)
        self.bidirectional, self.proj_size = bidirectional, proj_size
        rows = _GATES[mode] * hidden_size
        out = proj_size or hidden_size
        directions = 2 if bidirectional else 1
        self._order: list[list[str]] = []
        for layer in range(num_layers):
            for direction in range(directions):
                suffix = f"_l{layer}" + ("_reverse" if direction else "")
                width = input_size if layer == 0 else out * directions
                shapes: dict[str, tuple[int, ...]] = {"weight_ih": (rows, width), "weight_hh": (rows, out)}
                if bias:
                    shapes.update(bias_ih=(rows,), bias_hh=(rows,))
                if proj_size:
                    shapes["weight_hr"] = (proj_size, hidden_size)
                for name, shape in shapes.items():
                    self.register_parameter(name + suffix, made(shape, device, dtype))
                self._order.append([name + suffix for name in shapes])
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw all anew, between minus and plus the inverse root of ``hidden_size``."""
        bound = 1 / math.sqrt(self.hidden_size)
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    @property
    def all_weights(self) -> list[list[Parameter]]:
        """The parameters of each layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._order]

    def flatten_parameters(self) -> None:
        """Nothing: parameters are packed for each call."""

    def _packed(self) -> Any:
        """All parameters in one vector: weights of all layers, and then biases."""
        weights = [
            getattr(self, n).reshape(-1) for names in self._order for n in names if n.startswith("weight")
        ]
        if self.bias:
            biases = [getattr(self, n) for names in self._order for n in names if n.startswith("bias")]
        else:
            count = 2 * len(self._order) * _GATES[self.mode] * self.hidden_size
            biases = [np.zeros((count,), dtype=weights[0].dtype, ctx=weights[0].context)]
        return np.concatenate([*weights, *biases])

    def _check_inputs(self, input: Any, hx: Any = None) -> None:
        if hx is None:
            return
        if isinstance(input, PackedSequence):
            batch: tuple[int, ...] = (len(input.lengths()),)
        else:
            batch = () if input.ndim == 2 else (input.shape[0 if self.batch_first else 1],)
        names = ("h0", "c0") if self.mode == "lstm" else ("h0",)
        widths = (self.proj_size or self.hidden_size, self.hidden_size)
        states = hx if isinstance(hx, (tuple, list)) else (hx,)
        for name, state, width in zip(names, states, widths):
            shape = (len(self._order), *batch, width)
            if state.shape != shape:
                meaning = (
                    "num_layers * directions, batch, features"
                    if batch
                    else "num_layers * directions, features"
                )
                refuse_shape(type(self).__name__, name, state, f"{shape}: {meaning}")

    def forward(self, input: Any, hx: Any = None) -> Any:
        """Run over a sequence.

        Parameters
        ----------
        input : array or PackedSequence
            ``(L, N, input_size)``, ``(N, L, input_size)`` with ``batch_first``, or ``(L, input_size)``.
            Sequences of several lengths come from ``nn.utils.rnn.pack_sequence``.
        hx : array or tuple of arrays, optional
            First states, ``(num_layers * directions, N, features)``; of LSTM two; zeros by default.

        Returns
        -------
        tuple
            ``(output, states)``: the last layer's states of all steps, packed as the input is, and all
            layers' last ones.
        """
        if isinstance(input, PackedSequence):
            return self._over_packed(input, hx)
        if input.ndim not in (2, 3) or input.shape[-1] != self.input_size:
            raise ShapeError(
                f"[{type(self).__name__}] the input has the shape {input.shape}; expected two or three axes, "
                f"the last of {self.input_size}"
            )
        alone = input.ndim == 2
        x = input.reshape((input.shape[0], 1, input.shape[1])) if alone else input
        if self.batch_first and not alone:
            x = x.swapaxes(0, 1)
        states = None if hx is None else self._states(hx)
        if alone and states is not None:
            states = [one.reshape((one.shape[0], 1, one.shape[1])) for one in states]
        output, last = self._run(x, states)
        if alone:
            output, last = output.reshape(output.shape[::2]), [one.reshape(one.shape[::2]) for one in last]
        elif self.batch_first:
            output = output.swapaxes(0, 1)
        return output, (tuple(last) if self.mode == "lstm" else last[0])

    def _states(self, hx: Any) -> list[Any]:
        states = list(hx) if isinstance(hx, (tuple, list)) else [hx]
        wanted = 2 if self.mode == "lstm" else 1
        if len(states) != wanted:
            raise ShapeError(f"[{type(self).__name__}] got {len(states)} states; expected {wanted}")
        return states

    def _over_packed(self, input: PackedSequence, hx: Any) -> Any:
        """Run over the padded batch, where later steps change nothing."""
        if input.data.ndim != 2 or input.data.shape[-1] != self.input_size:
            raise ShapeError(
                f"[{type(self).__name__}] the packed data have the shape {input.data.shape}; expected two "
                f"axes, the last of {self.input_size}"
            )
        order, back = input.sorted_indices, input.back()
        states = None if hx is None else self._states(hx)
        if states is not None and order is not None:
            states = [np.take(one, order, axis=1) for one in states]
        lengths = np.array(input.lengths(), dtype="int64", ctx=input.data.context)
        output, last = self._run(input.batch(), states, lengths)
        if back is not None:
            last = [np.take(one, back, axis=1) for one in last]
        return input.like(output), (tuple(last) if self.mode == "lstm" else last[0])

    def _run(self, x: Any, states: Optional[list[Any]], lengths: Any = None) -> tuple[Any, list[Any]]:
        """Output and last states of ``(L, N, input_size)``."""
        if states is None:
            shape = (len(self._order), x.shape[1])
            states = [np.zeros((*shape, self.proj_size or self.hidden_size), dtype=x.dtype, ctx=x.context)]
            if self.mode == "lstm":
                states.append(np.zeros((*shape, self.hidden_size), dtype=x.dtype, ctx=x.context))
        words: dict[str, Any] = {
            "state_size": self.hidden_size,
            "num_layers": self.num_layers,
            "bidirectional": self.bidirectional,
            "mode": self.mode,
            "p": self.dropout,
            "state_outputs": True,
        }
        if self.proj_size:
            words["projection_size"] = self.proj_size
        if lengths is not None:
            words.update(sequence_length=lengths, use_sequence_length=True)
        run: Any = ops.RNN
        with autograd.train_mode() if self.training else autograd.predict_mode():
            output, *last = run(x, self._packed(), *states, **words)
        return output, last

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        text = f"{self.input_size}, {self.hidden_size}"
        if self.proj_size:
            text += f", proj_size={self.proj_size}"
        for name, usual in (("num_layers", 1), ("bias", True), ("batch_first", False), ("dropout", 0.0)):
            if getattr(self, name) != usual:
                text += f", {name}={getattr(self, name)}"
        return text + (", bidirectional=True" if self.bidirectional else "")


class RNN(_Recurrent):
    """``h = tanh(W_ih @ x + b_ih + W_hh @ h + b_hh)`` at each step, or with relu.

    Arguments are those of :class:`LSTM`, and ``nonlinearity``: 'tanh' or 'relu'.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device: Any = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__()
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"[RNN] nonlinearity is {nonlinearity!r}; expected 'tanh' or 'relu'")
        self.nonlinearity = nonlinearity
        mode = f"rnn_{nonlinearity}"
        sizes = (input_size, hidden_size, num_layers)
        self._make(mode, *sizes, bias, batch_first, dropout, bidirectional, 0, device, dtype)


class LSTM(_Recurrent):
    """Long short-term memory.

    Parameters
    ----------
    input_size, hidden_size : int
        Features of each step, and of the state.
    num_layers : int
        Layers on top of each other.
    bias : bool
        Whether there are biases.
    batch_first : bool
        Whether inputs and outputs are ``(N, L, ...)`` instead of ``(L, N, ...)``.
    dropout : float
        Between layers, in training.
    bidirectional : bool
        Whether half of the features come from the end.
    proj_size : int
        Features of the output, if fewer than those of the cell.
    device, dtype
        Of the parameters.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> output, (h, c) = nn.LSTM(10, 20, num_layers=2)(np.ones((5, 3, 10)))
    >>> output.shape, h.shape
    ((5, 3, 20), (2, 3, 20))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__()
        sizes = (input_size, hidden_size, num_layers)
        self._make("lstm", *sizes, bias, batch_first, dropout, bidirectional, proj_size, device, dtype)


class GRU(_Recurrent):
    """Gated recurrent units; arguments are those of :class:`LSTM`, but ``proj_size``."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device: Any = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__()
        sizes = (input_size, hidden_size, num_layers)
        self._make("gru", *sizes, bias, batch_first, dropout, bidirectional, 0, device, dtype)
