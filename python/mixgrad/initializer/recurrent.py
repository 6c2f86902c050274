"""Initialiser of the one array that holds all weights of fused recurrent layers."""

from __future__ import annotations

from typing import Any

from ..ndarray import NDArray
from .base import InitDesc, Initializer, create, register

__all__ = ["FusedRNN"]


@register
class FusedRNN(Initializer):
    """Fills every weight and bias inside the array ``parameters`` of an ``RNN`` by itself.

    Parameters
    ----------
    init : Initializer or str, optional
        What fills them, by names such as ``l0_i2h_f_weight``; None takes the initialiser of the whole model.
    num_hidden, num_layers, mode, bidirectional
        As of :class:`mixgrad.rnn.FusedRNNCell`.
    forget_bias : float
        What the input bias of an LSTM's forget gates and its state's begin with.

    Examples
    --------
    >>> import mixgrad as mx
    >>> x = mx.nd.ones((56,))  # 3 inputs, 2 units
    >>> mx.init.FusedRNN(mx.init.Zero(), 2, 1, "lstm")("parameters_weight", x)
    >>> int(x.sum().asscalar())  # two biases of two forget gates
    4
    """

    def __init__(
        self,
        init: Initializer | str | None,
        num_hidden: int,
        num_layers: int,
        mode: str,
        bidirectional: bool = False,
        forget_bias: float = 1.0,
    ) -> None:
        chosen: Any = create(init) if isinstance(init, str) else init
        super().__init__(
            init=None if chosen is None else chosen.dumps(),
            num_hidden=num_hidden,
            num_layers=num_layers,
            mode=mode,
            bidirectional=bidirectional,
            forget_bias=forget_bias,
        )
        self._init: Initializer | None = chosen
        self._layers = mode, num_layers, "lr" if bidirectional else "l"
        self._num_hidden = num_hidden
        self._forget_bias = forget_bias

    def _init_weight(self, name: str, arr: NDArray) -> None:
        from ..rnn.layout import num_inputs, parts

        fallback = self._init or getattr(name, "global_init", None)
        if fallback is None:
            raise ValueError(f"[FusedRNN] {name!r} has no initialiser: neither of its own nor of the model")
        num_input = num_inputs(arr.size, *self._layers, self._num_hidden)
        if num_input < 1:
            raise ValueError(
                f"[FusedRNN] {name!r} has {arr.size} elements, which fit no input of {self._layers[1]} "
                f"{self._layers[0]} layers of {self._num_hidden} units"
            )
        for part in parts(*self._layers, num_input, self._num_hidden):
            values = arr[part.begin : part.end].reshape(part.shape)
            if self._layers[0] == "lstm" and part.name.endswith("_f_bias"):
                values[:] = self._forget_bias
            else:
                fallback(InitDesc(part.name, global_init=getattr(name, "global_init", None)), values)
