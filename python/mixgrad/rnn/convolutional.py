"""Cells over images: their products are convolutions (Shi et al. 2015, arXiv:1506.04214)."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Optional

from .. import symbol as sym
from ..symbol import Symbol
from .base import BaseRNNCell, Output, RNNParams
from .cells import gru_step, lstm_step, plain_step

__all__ = ["BaseConvRNNCell", "ConvGRUCell", "ConvLSTMCell", "ConvRNNCell"]

Pair = tuple[int, int]


class BaseConvRNNCell(BaseRNNCell):
    """Base of cells whose input and state go through a Convolution each, the input's giving the state's size.

    Parameters
    ----------
    input_shape : tuple of int
        Of one step: (batch, channels, height, width) in ``conv_layout``.
    num_hidden : int
        Channels of output and states.
    h2h_kernel, h2h_dilate : (int, int)
        Convolution of the state; odd kernels, padded so that the size stays.
    i2h_kernel, i2h_stride, i2h_pad, i2h_dilate : (int, int)
        Convolution of the input.
    i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer
        How the weights begin: an initialiser, its name, or None.
    activation : str or callable
        A name that ``Activation`` knows, or a function of a symbol.
    prefix : str
        Start of names.
    params : RNNParams, optional
        Weights shared with other cells.
    conv_layout : str
        Axes of the images.

    Examples
    --------
    >>> import mixgrad as mx
    >>> cell = mx.rnn.ConvLSTMCell(input_shape=(1, 3, 16, 16), num_hidden=8)
    >>> cell.state_shape
    [(0, 8, 16, 16), (0, 8, 16, 16)]
    """

    _num_states = 1
    _default_prefix = ""

    def __init__(
        self,
        input_shape: Sequence[int],
        num_hidden: int,
        h2h_kernel: Pair = (3, 3),
        h2h_dilate: Pair = (1, 1),
        i2h_kernel: Pair = (3, 3),
        i2h_stride: Pair = (1, 1),
        i2h_pad: Pair = (1, 1),
        i2h_dilate: Pair = (1, 1),
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        activation: Any = functools.partial(sym.LeakyReLU, act_type="leaky", slope=0.2),  # noqa: B008
        prefix: Optional[str] = None,
        params: Optional[RNNParams] = None,
        conv_layout: str = "NCHW",
    ) -> None:
        super().__init__(self._default_prefix if prefix is None else prefix, params)
        if any(extent % 2 == 0 for extent in h2h_kernel):
            raise ValueError(
                f"[{type(self).__name__}] h2h_kernel is {tuple(h2h_kernel)}; expected odd extents, so that "
                "the state keeps its size"
            )
        self._num_hidden = num_hidden
        self._activation = activation
        self._conv_layout = conv_layout
        self._i2h = {"kernel": i2h_kernel, "stride": i2h_stride, "pad": i2h_pad, "dilate": i2h_dilate}
        pad = tuple(d * (k - 1) // 2 for d, k in zip(h2h_dilate, h2h_kernel))
        self._h2h = {"kernel": h2h_kernel, "stride": (1, 1), "pad": pad, "dilate": h2h_dilate}
        image = sym.Convolution(sym.var("data"), num_filter=num_hidden, layout=conv_layout, **self._i2h)
        self._state_shape = (0, *image.infer_shape(data=tuple(input_shape))[1][0][1:])
        self._iW = self.params.get("i2h_weight", init=i2h_weight_initializer)
        self._hW = self.params.get("h2h_weight", init=h2h_weight_initializer)
        self._iB = self.params.get("i2h_bias", init=i2h_bias_initializer)
        self._hB = self.params.get("h2h_bias", init=h2h_bias_initializer)

    @property
    def state_info(self) -> list[dict[str, Any]]:
        return [
            {"shape": self._state_shape, "__layout__": self._conv_layout} for _ in range(self._num_states)
        ]

    @property
    def _gate_axis(self) -> int:
        return self._conv_layout.find("C")

    def _products(self, inputs: Symbol, state: Symbol, name: str) -> tuple[Symbol, Symbol]:
        """Images whose channels are those of all gates."""
        same: dict[str, Any] = {
            "num_filter": self._num_hidden * len(self._gate_names),
            "layout": self._conv_layout,
        }
        return (
            sym.Convolution(inputs, self._iW, self._iB, name=f"{name}i2h", **same, **self._i2h),
            sym.Convolution(state, self._hW, self._hB, name=f"{name}h2h", **same, **self._h2h),
        )


class ConvRNNCell(BaseConvRNNCell):
    """:class:`RNNCell` over images; see :class:`BaseConvRNNCell` for the parameters.

    Examples
    --------
    >>> import mixgrad as mx
    >>> cell = mx.rnn.ConvRNNCell(input_shape=(1, 3, 16, 16), num_hidden=8, i2h_stride=(2, 2))
    >>> cell.state_shape
    [(0, 8, 8, 8)]
    """

    _default_prefix = "ConvRNN_"

    @property
    def _gate_names(self) -> Sequence[str]:
        return ("",)

    def __call__(self, inputs: Any, states: Any) -> Output:
        name = self._name_step()
        return plain_step(self, self._activation, self._products(inputs, states[0], name), name)


class ConvLSTMCell(BaseConvRNNCell):
    """:class:`LSTMCell` over images; see :class:`BaseConvRNNCell` for the parameters.

    Examples
    --------
    >>> import mixgrad as mx
    >>> cell = mx.rnn.ConvLSTMCell(input_shape=(1, 3, 8, 8), num_hidden=4)
    >>> outputs, _ = cell.unroll(2, [mx.sym.var("a"), mx.sym.var("b")])
    >>> outputs[1].infer_shape(a=(5, 3, 8, 8), b=(5, 3, 8, 8))[1]
    [(5, 4, 8, 8)]
    """

    _num_states = 2
    _default_prefix = "ConvLSTM_"

    @property
    def _gate_names(self) -> Sequence[str]:
        return ("_i", "_f", "_c", "_o")

    def __call__(self, inputs: Any, states: Any) -> Output:
        name = self._name_step()
        i2h, h2h = self._products(inputs, states[0], name)
        return lstm_step(self, self._activation, i2h + h2h, states[1], name, self._gate_axis)


class ConvGRUCell(BaseConvRNNCell):
    """:class:`GRUCell` over images; see :class:`BaseConvRNNCell` for the parameters.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.rnn.ConvGRUCell(input_shape=(1, 3, 8, 8), num_hidden=4).state_shape
    [(0, 4, 8, 8)]
    """

    _default_prefix = "ConvGRU_"

    @property
    def _gate_names(self) -> Sequence[str]:
        return ("_r", "_z", "_o")

    def __call__(self, inputs: Any, states: Any) -> Output:
        name = self._name_step()
        i2h, h2h = self._products(inputs, states[0], name)
        return gru_step(self, self._activation, i2h, h2h, states[0], name, self._gate_axis)
