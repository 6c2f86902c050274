"""Layers of decoders, and an encoder and a decoder as one network."""

from __future__ import annotations

import copy
import math
from typing import Any, Callable, Optional, Union

from ... import numpy as np
from ...base import DTypeLike
from .. import init
from ..diagnosis import check_last, refuse_shape
from ..module import Module
from .containers import ModuleList
from .dropout import Dropout
from .linear import Linear
from .sample_normalization import LayerNorm
from .transformer import (
    MultiheadAttention,
    TransformerEncoder,
    TransformerEncoderLayer,
    activation_of,
    check_masks,
)

__all__ = ["Transformer", "TransformerDecoder", "TransformerDecoderLayer"]


def _check_pair(module: Module, layer: Any, tgt: Any, memory: Any, names: tuple[str, str]) -> None:
    """Raise unless both have the layer's features and one number of sequences."""
    features = layer.linear1.in_features
    check_last(module, names[0], tgt, features)
    check_last(module, names[1], memory, features)
    axis = 0 if layer.self_attn.batch_first else 1
    same = tgt.ndim == memory.ndim and (tgt.ndim != 3 or tgt.shape[axis] == memory.shape[axis])
    if not same:
        alike = "(L, E)" if tgt.ndim == 2 else f"{tgt.ndim} axes and {tgt.shape[axis]} on axis {axis}"
        refuse_shape(type(module).__name__, names[1], memory, f"{alike}, as {names[0]} {tgt.shape}")


class TransformerDecoderLayer(Module):
    """Attention to oneself, attention to an encoder's output, and two products (Vaswani et al. 2017).

    Each of the three is added to its input, and normalised after that, or before with ``norm_first``.

    Parameters
    ----------
    d_model, nhead : int
        Features, and heads that divide them.
    dim_feedforward : int
        Features between the two products.
    dropout : float
        In training.
    activation : {'relu', 'gelu'} or function
        Between the two products.
    layer_norm_eps : float
        Of the normalisations.
    batch_first : bool
        Whether arrays are ``(N, L, E)`` instead of ``(L, N, E)``.
    norm_first : bool
        Normalise before, and not after.
    bias : bool
        Whether there are biases.
    device, dtype
        Of the parameters.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> layer = nn.TransformerDecoderLayer(d_model=8, nhead=2, dim_feedforward=16)
    >>> tgt, memory = np.ones((5, 3, 8)), np.ones((7, 3, 8))
    >>> layer(tgt, memory, tgt_mask=nn.Transformer.generate_square_subsequent_mask(5)).shape
    (5, 3, 8)
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Union[str, Callable[[Any], Any]] = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__()

        def attention() -> MultiheadAttention:
            return MultiheadAttention(
                d_model, nhead, dropout, bias, batch_first=batch_first, device=device, dtype=dtype
            )

        def norm() -> LayerNorm:
            return LayerNorm(d_model, layer_norm_eps, True, bias, device, dtype)

        self.self_attn, self.multihead_attn = attention(), attention()
        self.linear1 = Linear(d_model, dim_feedforward, bias, device, dtype)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, device, dtype)
        self.norm_first = norm_first
        self.norm1, self.norm2, self.norm3 = norm(), norm(), norm()
        self.dropout1, self.dropout2, self.dropout3 = Dropout(dropout), Dropout(dropout), Dropout(dropout)
        self.activation = activation_of("TransformerDecoderLayer", activation)

    def _attended(self, attention: Any, x: Any, keys: Any, mask: Any, padding: Any, is_causal: bool) -> Any:
        return attention(x, keys, keys, padding, False, mask, is_causal=is_causal)[0]

    def _fed(self, x: Any) -> Any:
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))

    def _check_inputs(
        self,
        tgt: Any,
        memory: Any,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> None:
        _check_pair(self, self, tgt, memory, ("tgt", "memory"))
        who, own = "TransformerDecoderLayer", {"tgt_key_padding_mask": tgt_key_padding_mask}
        others = {"memory_mask": memory_mask, "memory_key_padding_mask": memory_key_padding_mask}
        check_masks(who, tgt, tgt, self.self_attn, tgt_mask=tgt_mask, **own)
        check_masks(who, tgt, memory, self.self_attn, **others)

    def forward(
        self,
        tgt: Any,
        memory: Any,
        tgt_mask: Optional[Any] = None,
        memory_mask: Optional[Any] = None,
        tgt_key_padding_mask: Optional[Any] = None,
        memory_key_padding_mask: Optional[Any] = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Any:
        """A sequence and what it attends to give one of the first one's shape.

        Parameters
        ----------
        tgt : array
            ``(T, N, E)``, ``(N, T, E)`` with ``batch_first``, or ``(T, E)``.
        memory : array
            ``(S, N, E)``, ``(N, S, E)`` or ``(S, E)``, as ``tgt``: the output of an encoder.
        tgt_mask, memory_mask : array, optional
            ``(T, T)`` and ``(T, S)``, or one for each head of each sequence, as in
            :class:`MultiheadAttention`.
        tgt_key_padding_mask, memory_key_padding_mask : array, optional
            ``(N, T)`` and ``(N, S)``; True, or what is added to scores, where a key does not count.
        tgt_is_causal, memory_is_causal : bool
            Said besides masks, which decide.
        """
        own = (tgt_mask, tgt_key_padding_mask, tgt_is_causal)
        other = (memory_mask, memory_key_padding_mask, memory_is_causal)
        x = tgt
        if self.norm_first:
            y = self.norm1(x)
            x = x + self.dropout1(self._attended(self.self_attn, y, y, *own))
            x = x + self.dropout2(self._attended(self.multihead_attn, self.norm2(x), memory, *other))
            return x + self._fed(self.norm3(x))
        x = self.norm1(x + self.dropout1(self._attended(self.self_attn, x, x, *own)))
        x = self.norm2(x + self.dropout2(self._attended(self.multihead_attn, x, memory, *other)))
        return self.norm3(x + self._fed(x))


class TransformerDecoder(Module):
    """Copies of a layer, one after another, which all attend to the same output of an encoder.

    Parameters
    ----------
    decoder_layer : Module
        What is copied, such as :class:`TransformerDecoderLayer`.
    num_layers : int
        How often.
    norm : Module, optional
        At the end.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> layer = nn.TransformerDecoderLayer(d_model=8, nhead=2, dim_feedforward=16, batch_first=True)
    >>> nn.TransformerDecoder(layer, num_layers=2)(np.ones((3, 5, 8)), np.ones((3, 7, 8))).shape
    (3, 5, 8)
    """

    def __init__(self, decoder_layer: Module, num_layers: int, norm: Optional[Module] = None) -> None:
        super().__init__()
        if num_layers < 0:
            raise ValueError(f"[TransformerDecoder] num_layers is {num_layers}; expected a count")
        self.layers = ModuleList(copy.deepcopy(decoder_layer) for _ in range(num_layers))
        self.num_layers = num_layers
        self.norm = norm

    def _check_inputs(self, tgt: Any, memory: Any, *args: Any, **kwargs: Any) -> None:
        layer = self.layers[0]
        if isinstance(layer, TransformerDecoderLayer):
            layer._check_inputs(tgt, memory, *args, **kwargs)

    def forward(
        self,
        tgt: Any,
        memory: Any,
        tgt_mask: Optional[Any] = None,
        memory_mask: Optional[Any] = None,
        tgt_key_padding_mask: Optional[Any] = None,
        memory_key_padding_mask: Optional[Any] = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Any:
        """A sequence gives one of the same shape; see :class:`TransformerDecoderLayer` for the arguments."""
        masks = (tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        for layer in self.layers:
            tgt = layer(tgt, memory, *masks, tgt_is_causal, memory_is_causal)
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Module):
    """An encoder and a decoder that attends to its output (Vaswani et al. 2017).

    Neither embeds, nor adds positions, nor predicts: the network around does. Parameters of two axes and more
    are drawn by :func:`mixgrad.nn.init.xavier_uniform_`.

    Parameters
    ----------
    d_model, nhead : int
        Features, and heads that divide them.
    num_encoder_layers, num_decoder_layers : int
        Layers of both parts.
    dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias, device, dtype
        As for :class:`TransformerDecoderLayer`.
    custom_encoder, custom_decoder : Module, optional
        In place of those that would be made; they are called with the same arguments.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> net = nn.Transformer(8, 2, 1, 1, dim_feedforward=16, batch_first=True)
    >>> mask = net.generate_square_subsequent_mask(4)
    >>> net(np.ones((3, 6, 8)), np.ones((3, 4, 8)), tgt_mask=mask).shape
    (3, 4, 8)
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Union[str, Callable[[Any], Any]] = "relu",
        custom_encoder: Optional[Any] = None,
        custom_decoder: Optional[Any] = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__()
        activation = activation_of("Transformer", activation)
        words = (dropout, activation, layer_norm_eps, batch_first, norm_first, bias, device, dtype)

        def stacked(stack: Any, kind: Any, count: int) -> Any:
            norm = LayerNorm(d_model, layer_norm_eps, True, bias, device, dtype)
            return stack(kind(d_model, nhead, dim_feedforward, *words), count, norm)

        self.encoder = custom_encoder or stacked(
            TransformerEncoder, TransformerEncoderLayer, num_encoder_layers
        )
        self.decoder = custom_decoder or stacked(
            TransformerDecoder, TransformerDecoderLayer, num_decoder_layers
        )
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first
        for parameter in self.parameters():
            if parameter.ndim > 1:
                init.xavier_uniform_(parameter)

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Any = None, dtype: DTypeLike = None) -> np.ndarray:
        """A mask that keeps places from seeing those behind them: minus infinity above the diagonal, else 0.

        Parameters
        ----------
        sz : int
            Places.
        device : Context, optional
            Where it lies.
        dtype : dtype, optional
            Of floats; float32 by default.

        Examples
        --------
        >>> from mixgrad import nn
        >>> nn.Transformer.generate_square_subsequent_mask(3)
        array([[  0., -inf, -inf],
               [  0.,   0., -inf],
               [  0.,   0.,   0.]])
        """
        ones = np.ones((sz, sz), dtype=dtype or "float32", ctx=device)
        return np.where(np.tril(ones) > 0, np.zeros_like(ones), np.full_like(ones, -math.inf))

    def _check_inputs(self, src: Any, tgt: Any, *args: Any, **kwargs: Any) -> None:
        for name, one in (("src", src), ("tgt", tgt)):
            check_last(self, name, one, self.d_model)
        axis = 0 if self.batch_first else 1
        if src.ndim != tgt.ndim or (src.ndim == 3 and src.shape[axis] != tgt.shape[axis]):
            refuse_shape(
                "Transformer", "tgt", tgt, f"as many sequences as src {src.shape} has, on axis {axis}"
            )

    def forward(
        self,
        src: Any,
        tgt: Any,
        src_mask: Optional[Any] = None,
        tgt_mask: Optional[Any] = None,
        memory_mask: Optional[Any] = None,
        src_key_padding_mask: Optional[Any] = None,
        tgt_key_padding_mask: Optional[Any] = None,
        memory_key_padding_mask: Optional[Any] = None,
        src_is_causal: bool = False,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Any:
        """Both sequences give one of the shape of ``tgt``.

        Parameters
        ----------
        src, tgt : array
            ``(S, N, E)`` and ``(T, N, E)``; ``(N, S, E)`` and ``(N, T, E)`` with ``batch_first``; or
            ``(S, E)`` and ``(T, E)``.
        src_mask, tgt_mask, memory_mask : array, optional
            ``(S, S)``, ``(T, T)`` and ``(T, S)``.
        src_key_padding_mask, tgt_key_padding_mask, memory_key_padding_mask : array, optional
            ``(N, S)``, ``(N, T)`` and ``(N, S)``.
        src_is_causal, tgt_is_causal, memory_is_causal : bool
            Said besides masks, which decide.
        """
        memory = self.encoder(src, src_mask, src_key_padding_mask, src_is_causal)
        masks = (tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        return self.decoder(tgt, memory, *masks, tgt_is_causal, memory_is_causal)
