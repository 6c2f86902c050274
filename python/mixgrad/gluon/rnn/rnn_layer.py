"""Layers of recurrent cells over whole sequences, by the operator ``RNN``: plain, LSTM, GRU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ... import _hints
from ...base import DTypeLike
from .sequence_layer import _RNNLayer

__all__ = ["GRU", "LSTM", "RNN"]


class RNN(_RNNLayer):
    """Layers of ``output = activation(i2h(input) + h2h(output before))``.

    Parameters
    ----------
    hidden_size : int
        Units of a layer and direction.
    num_layers : int
        Layers on top of one another.
    activation : {'relu', 'tanh'}
        What follows the sum.
    layout : {'TNC', 'NTC'}
        Axes of inputs and outputs: steps, batch, numbers.
    dropout : float
        While training, part of the inputs of the layers above the first that become 0.
    bidirectional : bool
        Whether each layer also runs from the last step to the first.
    i2h_weight_initializer, h2h_weight_initializer : Initializer, optional
        For the weights.
    i2h_bias_initializer, h2h_bias_initializer : Initializer
        For the biases.
    input_size : int
        Numbers of an input; 0: the first call tells.
    dtype : str
        Of the parameters.
    **kwargs
        ``prefix``, ``params``, and ``use_sequence_length`` for sequences of different lengths.

    Examples
    --------
    >>> import mixgrad as mx
    >>> layer = mx.gluon.rnn.RNN(10, num_layers=2)
    >>> layer.initialize()
    >>> layer(mx.nd.ones((5, 3, 4))).shape
    (5, 3, 10)
    >>> outputs, states = layer(mx.nd.ones((5, 3, 4)), layer.begin_state(batch_size=3))
    >>> states[0].shape
    (2, 3, 10)
    """

    def __init__(
        self,
        hidden_size: int,
        num_layers: int = 1,
        activation: str = "relu",
        layout: str = "TNC",
        dropout: float = 0,
        bidirectional: bool = False,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        dtype: DTypeLike = "float32",
        **kwargs: Any,
    ) -> None:
        if activation not in ("relu", "tanh"):
            raise ValueError(f"[RNN] activation is {activation!r:.40}; expected 'relu' or 'tanh'")
        super().__init__(
            hidden_size,
            num_layers,
            layout,
            dropout,
            bidirectional,
            input_size,
            i2h_weight_initializer,
            h2h_weight_initializer,
            i2h_bias_initializer,
            h2h_bias_initializer,
            f"rnn_{activation}",
            None,
            None,
            None,
            None,
            False,
            dtype,
            **kwargs,
        )

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return shape, layout and dtype of the state: (layers * directions, batch, units)."""
        return self._state_info(batch_size, self._hidden_size)


class LSTM(_RNNLayer):
    """Layers of long short-term memory (Hochreiter and Schmidhuber 1997).

    Parameters
    ----------
    hidden_size : int
        Units of a layer and direction.
    num_layers : int
        Layers on top of one another.
    layout : {'TNC', 'NTC'}
        Axes of inputs and outputs: steps, batch, numbers.
    dropout : float
        While training, part of the inputs of the layers above the first that become 0.
    bidirectional : bool
        Whether each layer also runs from the last step to the first.
    input_size : int
        Numbers of an input; 0: the first call tells.
    i2h_weight_initializer, h2h_weight_initializer : Initializer, optional
        For the weights, whose gates are input, forget, new and output.
    i2h_bias_initializer, h2h_bias_initializer : Initializer
        For the biases; ``mx.init.LSTMBias`` gives the forget gate one.
    projection_size : int, optional
        Extent to which a matrix takes the output of each step (Sak et al. 2014).
    h2r_weight_initializer : Initializer, optional
        For that matrix.
    state_clip_min, state_clip_max : float, optional
        Bounds of the memory, given together.
    state_clip_nan : bool
        With bounds: whether NaN becomes the lower one.
    dtype : str
        Of the parameters.
    **kwargs
        ``prefix``, ``params``, and ``use_sequence_length`` for sequences of different lengths.

    Examples
    --------
    >>> import mixgrad as mx
    >>> layer = mx.gluon.rnn.LSTM(10, bidirectional=True, layout="NTC", use_sequence_length=True)
    >>> layer.initialize()
    >>> outputs = layer(mx.nd.ones((2, 5, 4)), sequence_length=mx.nd.array([5, 3]))
    >>> outputs.shape, float(outputs[1, 3:].norm().asscalar())
    ((2, 5, 20), 0.0)
    """

    def __init__(
        self,
        hidden_size: int,
        num_layers: int = 1,
        layout: str = "TNC",
        dropout: float = 0,
        bidirectional: bool = False,
        input_size: int = 0,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        projection_size: Optional[int] = None,
        h2r_weight_initializer: Any = None,
        state_clip_min: Optional[float] = None,
        state_clip_max: Optional[float] = None,
        state_clip_nan: bool = False,
        dtype: DTypeLike = "float32",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            hidden_size,
            num_layers,
            layout,
            dropout,
            bidirectional,
            input_size,
            i2h_weight_initializer,
            h2h_weight_initializer,
            i2h_bias_initializer,
            h2h_bias_initializer,
            "lstm",
            projection_size,
            h2r_weight_initializer,
            state_clip_min,
            state_clip_max,
            state_clip_nan,
            dtype,
            **kwargs,
        )

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return shape, layout and dtype of output and memory: (layers * directions, batch, units)."""
        return self._state_info(batch_size, self._out_size, self._hidden_size)


class GRU(_RNNLayer):
    """Layers of gated recurrent units (Cho et al. 2014), with the reset gate behind the product.

    Parameters
    ----------
    hidden_size : int
        Units of a layer and direction.
    num_layers : int
        Layers on top of one another.
    layout : {'TNC', 'NTC'}
        Axes of inputs and outputs: steps, batch, numbers.
    dropout : float
        While training, part of the inputs of the layers above the first that become 0.
    bidirectional : bool
        Whether each layer also runs from the last step to the first.
    input_size : int
        Numbers of an input; 0: the first call tells.
    i2h_weight_initializer, h2h_weight_initializer : Initializer, optional
        For the weights, whose gates are reset, update and new.
    i2h_bias_initializer, h2h_bias_initializer : Initializer
        For the biases.
    dtype : str
        Of the parameters.
    **kwargs
        ``prefix``, ``params``, and ``use_sequence_length`` for sequences of different lengths.
    """

    def __init__(
        self,
        hidden_size: int,
        num_layers: int = 1,
        layout: str = "TNC",
        dropout: float = 0,
        bidirectional: bool = False,
        input_size: int = 0,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        dtype: DTypeLike = "float32",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            hidden_size,
            num_layers,
            layout,
            dropout,
            bidirectional,
            input_size,
            i2h_weight_initializer,
            h2h_weight_initializer,
            i2h_bias_initializer,
            h2h_bias_initializer,
            "gru",
            None,
            None,
            None,
            None,
            False,
            dtype,
            **kwargs,
        )

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return shape, layout and dtype of the state: (layers * directions, batch, units)."""
        return self._state_info(batch_size, self._hidden_size)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
