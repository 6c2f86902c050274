"""What cells over images share: parameters, shapes of states, both convolutions of a step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

from ....base import InvalidArgumentError
from ...parameter import ParameterDict
from ...rnn import HybridRecurrentCell

__all__ = ["DOC", "ConvCell", "Extents"]

Extents = Union[int, Sequence[int]]
DOC = """{what} over images of {dims} axes (Shi et al. 2015).

    Parameters
    ----------
    input_shape : tuple of int
        Of one step without the batch, in ``conv_layout``; 0 channels: the first call tells.
    hidden_channels : int
        Channels of output and states.
    i2h_kernel, h2h_kernel : int or tuple of int
        Windows of the convolutions of input and state; odd ones of the state, which keeps its size.
    i2h_pad : int or tuple of int
        Border of the input.
    i2h_dilate, h2h_dilate : int or tuple of int
        Distance of the windows' places.
    i2h_weight_initializer, h2h_weight_initializer : Initializer, optional
        For the weights.
    i2h_bias_initializer, h2h_bias_initializer : Initializer
        For the biases.
    conv_layout : str
        Axes of the images.
    activation : str or Block
        Of the values.
    prefix : str, optional
        What the names of its parameters begin with.
    params : ParameterDict, optional
        Parameters that it shares instead of making its own.
    """


class ConvCell(HybridRecurrentCell):
    """What all cells over images share."""

    _gates = 1
    _num_states = 1
    _dims = 0

    def __init__(
        self,
        input_shape: Sequence[int],
        hidden_channels: int,
        i2h_kernel: Extents,
        h2h_kernel: Extents,
        i2h_pad: Extents,
        i2h_dilate: Extents,
        h2h_dilate: Extents,
        inits: tuple[Any, Any, Any, Any],
        conv_layout: str,
        activation: Any,
        prefix: Optional[str],
        params: Optional[ParameterDict],
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._input_shape, self._hidden_channels = tuple(input_shape), hidden_channels
        self._conv_layout, self._activation = conv_layout, activation
        self._channel_axis = conv_layout.find("C")
        i2h_kernel, h2h_kernel = self._each(i2h_kernel, "i2h_kernel"), self._each(h2h_kernel, "h2h_kernel")
        if any(extent % 2 == 0 for extent in h2h_kernel):
            raise InvalidArgumentError(
                f"[{type(self).__name__}] h2h_kernel is {h2h_kernel}; expected odd extents, so that the "
                "state keeps its size"
            )
        pad, dilate = self._each(i2h_pad, "i2h_pad"), self._each(i2h_dilate, "i2h_dilate")
        h2h_dilates = self._each(h2h_dilate, "h2h_dilate")
        same = tuple(d * (k - 1) // 2 for d, k in zip(h2h_dilates, h2h_kernel))
        self._i2h = {"kernel": i2h_kernel, "pad": pad, "dilate": dilate, "stride": (1,) * self._dims}
        self._h2h = {"kernel": h2h_kernel, "pad": same, "dilate": h2h_dilates, "stride": (1,) * self._dims}
        at = self._channel_axis - 1  # of a shape without the batch
        channels = self._input_shape[at]
        sizes = self._input_shape[:at] + self._input_shape[at + 1 :]
        extents = tuple((size + 2 * p - d * (k - 1)) for size, p, d, k in zip(sizes, pad, dilate, i2h_kernel))
        self._state_shape = (*extents[:at], hidden_channels, *extents[at:])
        units = self._gates * hidden_channels

        def weight(inputs: int, kernel: tuple[int, ...]) -> tuple[int, ...]:
            return (units, *kernel[:at], inputs, *kernel[at:])

        shapes = {
            "i2h_weight": weight(channels, i2h_kernel),
            "h2h_weight": weight(hidden_channels, h2h_kernel),
            "i2h_bias": (units,),
            "h2h_bias": (units,),
        }
        for (name, shape), init in zip(shapes.items(), inits):
            setattr(self, name, self.params.get(name, shape=shape, init=init, allow_deferred_init=True))

    def _each(self, value: Extents, name: str) -> tuple[int, ...]:
        each = (value,) * self._dims if isinstance(value, int) else tuple(value)
        if len(each) != self._dims:
            raise InvalidArgumentError(
                f"[{type(self).__name__}] {name} is {value}; expected a number, or {self._dims} of them"
            )
        return each

    def __repr__(self) -> str:
        shape: Any = self._reg_params["i2h_weight"].shape
        inputs = shape[self._channel_axis] if shape[self._channel_axis] > 0 else None
        return f"{type(self).__name__}({inputs} -> {shape[0]}, {self._activation}, {self._conv_layout})"

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return shape and layout of each state: an image of ``hidden_channels``."""
        info = {"shape": (batch_size, *self._state_shape), "__layout__": self._conv_layout}
        return [dict(info) for _ in range(self._num_states)]

    def hybrid_forward(
        self,
        F: Any,
        inputs: Any,
        states: Any,
        i2h_weight: Any,
        h2h_weight: Any,
        i2h_bias: Any,
        h2h_bias: Any,
    ) -> Any:
        """One step."""
        step = f"t{self._counter}_"
        same: dict[str, Any] = {
            "num_filter": self._gates * self._hidden_channels,
            "layout": self._conv_layout,
        }
        i2h = F.Convolution(inputs, i2h_weight, i2h_bias, name=f"{step}i2h", **same, **self._i2h)
        h2h = F.Convolution(states[0], h2h_weight, h2h_bias, name=f"{step}h2h", **same, **self._h2h)
        return self._combined(F, i2h, h2h, states, step)

    def _combined(self, F: Any, i2h: Any, h2h: Any, states: Any, step: str) -> Any:
        """Output and states of a step, from both convolutions."""
        raise NotImplementedError(f"[{type(self).__name__}] _combined is not defined")
