"""Cells of long short-term memory over images of one, two and three axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from ...parameter import ParameterDict
from ...rnn.cells import lstm_step
from .conv_cell import DOC, ConvCell, Extents

__all__ = ["Conv1DLSTMCell", "Conv2DLSTMCell", "Conv3DLSTMCell"]


class _ConvLSTMCell(ConvCell):
    _gates = 4
    _num_states = 2

    def _alias(self) -> str:
        return "conv_lstm"

    def _combined(self, F: Any, i2h: Any, h2h: Any, states: Any, step: str) -> Any:
        total = F.elemwise_add(i2h, h2h, name=f"{step}plus0")
        output, memory = lstm_step(
            self, F, total, states[1], self._activation, "sigmoid", step, self._channel_axis
        )
        return output, [output, memory]


class Conv1DLSTMCell(_ConvLSTMCell):
    __doc__ = DOC.format(what="A cell of long short-term memory", dims=1)
    _dims = 1

    def __init__(
        self,
        input_shape: Sequence[int],
        hidden_channels: int,
        i2h_kernel: Extents,
        h2h_kernel: Extents,
        i2h_pad: Extents = (0,),
        i2h_dilate: Extents = (1,),
        h2h_dilate: Extents = (1,),
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        conv_layout: str = "NCW",
        activation: Any = "tanh",
        prefix: Optional[str] = None,
        params: Optional[ParameterDict] = None,
    ) -> None:
        inits = (i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer)
        super().__init__(
            input_shape,
            hidden_channels,
            i2h_kernel,
            h2h_kernel,
            i2h_pad,
            i2h_dilate,
            h2h_dilate,
            inits,
            conv_layout,
            activation,
            prefix,
            params,
        )


class Conv2DLSTMCell(_ConvLSTMCell):
    __doc__ = DOC.format(what="A cell of long short-term memory", dims=2)
    _dims = 2

    def __init__(
        self,
        input_shape: Sequence[int],
        hidden_channels: int,
        i2h_kernel: Extents,
        h2h_kernel: Extents,
        i2h_pad: Extents = (0, 0),
        i2h_dilate: Extents = (1, 1),
        h2h_dilate: Extents = (1, 1),
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        conv_layout: str = "NCHW",
        activation: Any = "tanh",
        prefix: Optional[str] = None,
        params: Optional[ParameterDict] = None,
    ) -> None:
        inits = (i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer)
        super().__init__(
            input_shape,
            hidden_channels,
            i2h_kernel,
            h2h_kernel,
            i2h_pad,
            i2h_dilate,
            h2h_dilate,
            inits,
            conv_layout,
            activation,
            prefix,
            params,
        )


class Conv3DLSTMCell(_ConvLSTMCell):
    __doc__ = DOC.format(what="A cell of long short-term memory", dims=3)
    _dims = 3

    def __init__(
        self,
        input_shape: Sequence[int],
        hidden_channels: int,
        i2h_kernel: Extents,
        h2h_kernel: Extents,
        i2h_pad: Extents = (0, 0, 0),
        i2h_dilate: Extents = (1, 1, 1),
        h2h_dilate: Extents = (1, 1, 1),
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        conv_layout: str = "NCDHW",
        activation: Any = "tanh",
        prefix: Optional[str] = None,
        params: Optional[ParameterDict] = None,
    ) -> None:
        inits = (i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer)
        super().__init__(
            input_shape,
            hidden_channels,
            i2h_kernel,
            h2h_kernel,
            i2h_pad,
            i2h_dilate,
            h2h_dilate,
            inits,
            conv_layout,
            activation,
            prefix,
            params,
        )
