"""Plain cells over images of one, two and three axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from ...parameter import ParameterDict
from .conv_cell import DOC, ConvCell, Extents

__all__ = ["Conv1DRNNCell", "Conv2DRNNCell", "Conv3DRNNCell"]


class _ConvRNNCell(ConvCell):
    def _alias(self) -> str:
        return "conv_rnn"

    def _combined(self, F: Any, i2h: Any, h2h: Any, states: Any, step: str) -> Any:
        total = F.elemwise_add(i2h, h2h, name=f"{step}plus0")
        output = self._get_activation(F, total, self._activation, name=f"{step}out")
        return output, [output]


class Conv1DRNNCell(_ConvRNNCell):
    __doc__ = DOC.format(what="A plain cell", dims=1)
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


class Conv2DRNNCell(_ConvRNNCell):
    __doc__ = DOC.format(what="A plain cell", dims=2)
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


class Conv3DRNNCell(_ConvRNNCell):
    __doc__ = DOC.format(what="A plain cell", dims=3)
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
