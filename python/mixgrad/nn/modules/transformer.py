"""Attention with several heads, and the layers of encoders."""

from __future__ import annotations

import copy
import math
from typing import Any, Callable, Optional, Union

from ... import numpy as np
from ..._hints import kind_name
from ...base import DTypeError, DTypeLike, InvalidArgumentError, ShapeError, UnsupportedError
from ...ndarray import NDArray
from .. import functional as F
from .. import init
from ..diagnosis import check_last, refuse_shape
from ..functional.attention import attention_weights
from ..module import Module
from ..parameter import Parameter
from .containers import ModuleList
from .dropout import Dropout
from .linear import Linear, made
from .sample_normalization import LayerNorm

__all__ = ["MultiheadAttention", "TransformerEncoder", "TransformerEncoderLayer"]


def _additive(mask: Any, dtype: Any) -> Any:
    """A mask whose True means "not this key", as what is added to the scores."""
    if str(mask.dtype) != "bool":
        return mask
    shape = mask.shape
    lowest, zeros = (np.full(shape, value, dtype=dtype, ctx=mask.context) for value in (-math.inf, 0.0))
    return np.where(mask, lowest, zeros)


def check_masks(who: str, query: Any, key: Any, layer: Any, **masks: Any) -> None:
    """Raise for masks of attention that are not of the shape that queries and keys have.

    Parameters
    ----------
    who : str
        The layer.
    query, key : array
        Two axes, or three of which one is the batch's.
    layer : MultiheadAttention
        Says how many heads there are, and which axis is the batch's.
    **masks
        Masks by their names; in those of padding it says so.
    """
    alone = query.ndim == 2
    axis = 0 if alone or not layer.batch_first else 1
    length, keys = query.shape[axis], key.shape[axis]
    batch = 1 if alone else query.shape[1 - axis]
    for name, mask in masks.items():
        if mask is None:
            continue
        if not isinstance(mask, NDArray):
            raise TypeError(f"[{who}] {name} is {kind_name(mask)}; expected an array of bool or of floats")
        dtype = str(mask.dtype)
        if dtype != "bool" and "float" not in dtype:
            raise DTypeError(
                f"[{who}] {name} is {dtype}; expected bool, True where a key does not count, or "
                f"floats, which are added to scores: {name}.astype('bool')"
            )
        allowed: list[tuple[Any, str]]
        if "padding" in name:
            allowed = [((keys,) if alone else (batch, keys), "keys" if alone else "batch, keys")]
        else:
            heads = batch * layer.num_heads
            allowed = [
                ((length, keys), "queries, keys"),
                ((heads, length, keys), "batch * heads, queries, keys"),
            ]
        if mask.shape not in [shape for shape, _ in allowed]:
            expected = " or ".join(f"{shape} ({meaning})" for shape, meaning in allowed)
            raise ShapeError(f"[{who}] {name} has the shape {mask.shape}; expected {expected}")


class MultiheadAttention(Module):
    """Attention in several parts of the features at once (Vaswani et al. 2017).

    Parameters
    ----------
    embed_dim, num_heads : int
        Features, and the parts that divide them.
    dropout : float
        Of the attention's weights, in training.
    bias : bool
        Whether products have biases.
    add_bias_kv, add_zero_attn
        Not supported.
    kdim, vdim : int, optional
        Features of keys and values, where they are others.
    batch_first : bool
        Whether inputs and outputs are ``(N, L, E)`` instead of ``(L, N, E)``.
    device, dtype
        Of the parameters.
    """

    in_proj_weight: Optional[Parameter]
    in_proj_bias: Optional[Parameter]

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: Optional[int] = None,
        vdim: Optional[int] = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__()
        if num_heads < 1 or embed_dim % num_heads:
            raise InvalidArgumentError(
                f"[MultiheadAttention] {embed_dim} features; expected a multiple of {num_heads} heads"
            )
        if add_bias_kv or add_zero_attn:
            raise UnsupportedError("[MultiheadAttention] add_bias_kv and add_zero_attn are not supported")
        self.embed_dim, self.num_heads, self.dropout, self.batch_first = (
            embed_dim,
            num_heads,
            dropout,
            batch_first,
        )
        self.kdim, self.vdim, self.head_dim = kdim or embed_dim, vdim or embed_dim, embed_dim // num_heads
        same = self.kdim == self.vdim == embed_dim
        shapes = {"q": embed_dim, "k": self.kdim, "v": self.vdim}
        for name, width in shapes.items():
            parameter = None if same else made((embed_dim, width), device, dtype)
            self.register_parameter(f"{name}_proj_weight", parameter)
        self.register_parameter(
            "in_proj_weight", made((3 * embed_dim, embed_dim), device, dtype) if same else None
        )
        self.register_parameter("in_proj_bias", made((3 * embed_dim,), device, dtype) if bias else None)
        self.out_proj = Linear(embed_dim, embed_dim, bias, device, dtype)
        for name in ("in_proj_weight", "q_proj_weight", "k_proj_weight", "v_proj_weight"):
            if getattr(self, name) is not None:
                init.xavier_uniform_(getattr(self, name))
        if self.out_proj.bias is not None:
            init.zeros_(self.out_proj.bias)

    def _projected(self, number: int, name: str, x: Any) -> Any:
        size = self.embed_dim
        rows = slice(number * size, (number + 1) * size)
        weight = (
            getattr(self, f"{name}_proj_weight") if self.in_proj_weight is None else self.in_proj_weight[rows]
        )
        return F.linear(x, weight, None if self.in_proj_bias is None else self.in_proj_bias[rows])

    def _check_inputs(self, query: Any, key: Any, value: Any, *args: Any, **kwargs: Any) -> None:
        check_last(self, "query", query, self.embed_dim)
        check_last(self, "key", key, self.kdim)
        check_last(self, "value", value, self.vdim)
        if query.ndim not in (2, 3):
            order = "N, L" if self.batch_first else "L, N"
            refuse_shape(
                "MultiheadAttention", "query", query, f"({order}, {self.embed_dim}) or (L, {self.embed_dim})"
            )

    def forward(
        self,
        query: Any,
        key: Any,
        value: Any,
        key_padding_mask: Optional[Any] = None,
        need_weights: bool = True,
        attn_mask: Optional[Any] = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Any, Optional[Any]]:
        """Attend to keys.

        Parameters
        ----------
        query, key, value : array
            ``(L, N, E)``, ``(S, N, kdim)`` and ``(S, N, vdim)``, or batches first, or without a batch.
        key_padding_mask : array, optional
            ``(N, S)``; True, or what is added to scores, where a key does not count.
        need_weights, average_attn_weights : bool
            Whether weights are returned, and as their mean over heads.
        attn_mask : array, optional
            ``(L, S)`` or ``(N * heads, L, S)``; True where a key does not count, or what is added to scores.
        is_causal : bool
            Said besides a mask, which decides.

        Returns
        -------
        tuple
            ``(output, weights)``.
        """
        if is_causal and attn_mask is None:
            raise ValueError(
                "[MultiheadAttention] is_causal is True and attn_mask None; expected the mask, too"
            )
        if attn_mask is not None or key_padding_mask is not None:
            self._check_inputs(query, key, value)
            masks = {"attn_mask": attn_mask, "key_padding_mask": key_padding_mask}
            check_masks("MultiheadAttention", query, key, self, **masks)
        alone = query.ndim == 2
        if alone:
            query, key, value = (x.reshape((1, *x.shape)) for x in (query, key, value))
            if key_padding_mask is not None:
                key_padding_mask = key_padding_mask.reshape(1, -1)
        elif not self.batch_first:
            query, key, value = (x.swapaxes(0, 1) for x in (query, key, value))
        batch, length = query.shape[:2]
        heads = []
        for number, (name, x) in enumerate((("q", query), ("k", key), ("v", value))):
            x = self._projected(number, name, x)
            heads.append(x.reshape(batch, x.shape[1], self.num_heads, self.head_dim).transpose(0, 2, 1, 3))
        mask = None
        if attn_mask is not None:
            mask = _additive(attn_mask, query.dtype)
            if mask.ndim == 3:
                mask = mask.reshape(batch, self.num_heads, *mask.shape[1:])
        if key_padding_mask is not None:
            padding = _additive(key_padding_mask, query.dtype).reshape(batch, 1, 1, -1)
            mask = padding if mask is None else mask + padding
        weights = attention_weights(heads[0], heads[1], mask, False, None)
        weights = F.dropout(weights, self.dropout, self.training)
        found = np.matmul(weights, heads[2]).transpose(0, 2, 1, 3).reshape(batch, length, self.embed_dim)
        output = self.out_proj(found)
        shown = None
        if need_weights:
            shown = weights.mean(axis=1) if average_attn_weights else weights
        if alone:
            output = output.reshape(output.shape[1:])
            shown = None if shown is None else shown.reshape(shown.shape[1:])
        elif not self.batch_first:
            output = output.swapaxes(0, 1)
        return output, shown


def activation_of(who: str, activation: Union[str, Callable[[Any], Any]]) -> Callable[[Any], Any]:
    """The function that a name stands for.

    Parameters
    ----------
    who : str
        The layer.
    activation : {'relu', 'gelu'} or function
        What it was given.
    """
    known = {"relu": F.relu, "gelu": F.gelu}
    found = known.get(activation) if isinstance(activation, str) else activation
    if not callable(found):
        raise ValueError(f"[{who}] activation is {activation!r}; expected 'relu', 'gelu' or a function")
    return found


class TransformerEncoderLayer(Module):
    """Attention to oneself and two products, each with a sum and a normalisation (Vaswani et al. 2017).

    Parameters
    ----------
    d_model, nhead : int
        Features and heads.
    dim_feedforward : int
        Features between the two products.
    dropout : float
        In training.
    activation : {'relu', 'gelu'} or function
        Between the two products.
    layer_norm_eps : float
        Of the normalisations.
    batch_first : bool
        Whether inputs are ``(N, L, E)``.
    norm_first : bool
        Normalise before, and not after.
    bias : bool
        Whether there are biases.
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
        self.self_attn = MultiheadAttention(
            d_model, nhead, dropout, bias, batch_first=batch_first, device=device, dtype=dtype
        )
        self.linear1 = Linear(d_model, dim_feedforward, bias, device, dtype)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, device, dtype)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, layer_norm_eps, True, bias, device, dtype)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, True, bias, device, dtype)
        self.dropout1, self.dropout2 = Dropout(dropout), Dropout(dropout)
        self.activation = activation_of("TransformerEncoderLayer", activation)

    def _attended(self, x: Any, mask: Any, padding: Any, is_causal: bool) -> Any:
        found = self.self_attn(x, x, x, padding, False, mask, is_causal=is_causal)[0]
        return self.dropout1(found)

    def _fed(self, x: Any) -> Any:
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))

    def _check_inputs(
        self, src: Any, src_mask: Any = None, src_key_padding_mask: Any = None, is_causal: bool = False
    ) -> None:
        check_last(self, "src", src, self.linear1.in_features)
        masks = {"src_mask": src_mask, "src_key_padding_mask": src_key_padding_mask}
        check_masks("TransformerEncoderLayer", src, src, self.self_attn, **masks)

    def forward(
        self,
        src: Any,
        src_mask: Optional[Any] = None,
        src_key_padding_mask: Optional[Any] = None,
        is_causal: bool = False,
    ) -> Any:
        """A sequence gives one of the same shape; masks are those of :class:`MultiheadAttention`."""
        x = src
        if self.norm_first:
            x = x + self._attended(self.norm1(x), src_mask, src_key_padding_mask, is_causal)
            return x + self._fed(self.norm2(x))
        x = self.norm1(x + self._attended(x, src_mask, src_key_padding_mask, is_causal))
        return self.norm2(x + self._fed(x))


class TransformerEncoder(Module):
    """Copies of a layer, one after another.

    Parameters
    ----------
    encoder_layer : Module
        What is copied.
    num_layers : int
        How often.
    norm : Module, optional
        At the end.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> layer = nn.TransformerEncoderLayer(d_model=8, nhead=2, dim_feedforward=16)
    >>> nn.TransformerEncoder(layer, num_layers=3)(np.ones((5, 4, 8))).shape
    (5, 4, 8)
    """

    def __init__(self, encoder_layer: Module, num_layers: int, norm: Optional[Module] = None) -> None:
        super().__init__()
        if num_layers < 0:
            raise ValueError(f"[TransformerEncoder] num_layers is {num_layers}; expected a count")
        self.layers = ModuleList(copy.deepcopy(encoder_layer) for _ in range(num_layers))
        self.num_layers = num_layers
        self.norm = norm

    def _check_inputs(
        self, src: Any, mask: Any = None, src_key_padding_mask: Any = None, is_causal: bool = False
    ) -> None:
        layer = self.layers[0]
        if isinstance(layer, TransformerEncoderLayer):
            check_last(self, "src", src, layer.linear1.in_features)
            masks = {"mask": mask, "src_key_padding_mask": src_key_padding_mask}
            check_masks("TransformerEncoder", src, src, layer.self_attn, **masks)

    def forward(
        self,
        src: Any,
        mask: Optional[Any] = None,
        src_key_padding_mask: Optional[Any] = None,
        is_causal: bool = False,
    ) -> Any:
        """A sequence gives one of the same shape."""
        for layer in self.layers:
            src = layer(src, mask, src_key_padding_mask, is_causal)
        return src if self.norm is None else self.norm(src)
