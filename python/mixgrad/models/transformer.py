"""Transformer encoder."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import math
from typing import Optional

from .. import symbol as sym
from ..symbol import Symbol

__all__ = ["transformer_encoder"]


def transformer_encoder(
    seq_len: int,
    num_layers: int = 6,
    vocab_size: int = 30000,
    units: int = 512,
    hidden: int = 2048,
    num_heads: int = 8,
    dropout: float = 0.1,
    valid_length: bool = False,
) -> Symbol:
    """Embedded words plus positions, then layers of self-attention and two fully connected layers.

    A layer of the default sizes has 3,152,384 parameters, six 18,914,304; the embedding adds vocab_size *
    units. A layer multiplies and adds seq_len * (4 * units**2 + 2 * units * hidden) + 2 * seq_len**2 * units
    times per example. LayerNorm comes after each sum; positions are sines and cosines.

    Parameters
    ----------
    seq_len : int
        Words per example.
    num_layers, vocab_size, units, hidden, num_heads : int
        Layers; words; numbers per word; units of the first fully connected layer; heads, which divide
        ``units``.
    dropout : float
        Share of activations dropped before each sum and of attention weights in training; 0 adds no node.
    valid_length : bool
        Adds an input ``valid_length`` (batch,), float32: later words are not attended to.

    Returns
    -------
    Symbol
        Input ``data`` (batch, seq_len), float32 word numbers; output (batch, seq_len, units).

    Reference
    ---------
    Vaswani et al.: Attention is all you need, arXiv:1706.03762.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.models.transformer_encoder(16, num_layers=1).infer_shape(data=(4, 16))[1]
    [(4, 16, 512)]
    """
    if units % num_heads or units % 2:
        raise ValueError(
            f"[transformer_encoder] units is {units}, num_heads {num_heads}; "
            "expected even units that the heads divide"
        )
    net = sym.Embedding(sym.var("data"), input_dim=vocab_size, output_dim=units, name="word_embed")
    net = sym.broadcast_add(net * math.sqrt(units), _positions(seq_len, units), name="embed")
    net = _drop(net, dropout, "embed_drop")
    allowed = _allowed(seq_len) if valid_length else None
    for i in range(num_layers):
        name = f"layer{i}_"
        heads = _attention(net, seq_len, units, num_heads, dropout, allowed, name)
        net = _add_norm(net, heads, dropout, f"{name}attention_")
        wide = sym.FullyConnected(net, num_hidden=hidden, flatten=False, name=f"{name}ffn_1")
        wide = sym.Activation(wide, act_type="relu", name=f"{name}ffn_relu")
        wide = sym.FullyConnected(wide, num_hidden=units, flatten=False, name=f"{name}ffn_2")
        net = _add_norm(net, wide, dropout, f"{name}ffn_")
    return net


def _drop(net: Symbol, p: float, name: str) -> Symbol:
    return sym.Dropout(net, p=p, name=name) if p else net


def _positions(seq_len: int, units: int) -> Symbol:
    """(1, seq_len, units): sines in the first half of the numbers, cosines in the second."""
    position = sym.reshape(sym.arange(0, seq_len, name="position"), shape=(-1, 1))
    rate = sym.exp(sym.arange(0, units // 2, name="frequency") * (-2 * math.log(10000.0) / units))
    angle = sym.broadcast_mul(position, sym.reshape(rate, shape=(1, -1)), name="angle")
    return sym.expand_dims(sym.Concat(sym.sin(angle), sym.cos(angle), dim=1), axis=0, name="positions")


def _allowed(seq_len: int) -> Symbol:
    """(batch, 1, seq_len): 0 where a word may be attended to, -1e9 elsewhere."""
    length = sym.reshape(sym.var("valid_length"), shape=(-1, 1, 1))
    place = sym.reshape(sym.arange(0, seq_len, name="place"), shape=(1, 1, -1))
    return sym._internal._MulScalar(sym.broadcast_greater_equal(place, length), scalar=-1e9, name="allowed")


def _heads(net: Symbol, units: int, num_heads: int, name: str) -> Symbol:
    """(batch, seq_len, units) to (batch * heads, seq_len, units / heads)."""
    net = sym.FullyConnected(net, num_hidden=units, flatten=False, name=name)
    net = sym.reshape(net, shape=(0, 0, -4, num_heads, -1))
    return sym.reshape(sym.transpose(net, axes=(0, 2, 1, 3)), shape=(-3, 0, 0), name=f"{name}_heads")


def _attention(
    net: Symbol,
    seq_len: int,
    units: int,
    num_heads: int,
    dropout: float,
    allowed: Optional[Symbol],
    name: str,
) -> Symbol:
    query = _heads(net, units, num_heads, f"{name}query") / math.sqrt(units // num_heads)
    key = _heads(net, units, num_heads, f"{name}key")
    value = _heads(net, units, num_heads, f"{name}value")
    scores = sym.batch_dot(query, key, transpose_b=True, name=f"{name}scores")
    if allowed is not None:
        scores = sym.reshape(scores, shape=(-4, -1, num_heads, 0, 0))
        scores = sym.broadcast_add(scores, sym.expand_dims(allowed, axis=1))
        scores = sym.reshape(scores, shape=(-3, 0, 0))
    weights = _drop(sym.softmax(scores, axis=-1, name=f"{name}weights"), dropout, f"{name}weights_drop")
    mixed = sym.batch_dot(weights, value, name=f"{name}mixed")
    mixed = sym.transpose(sym.reshape(mixed, shape=(-4, -1, num_heads, 0, 0)), axes=(0, 2, 1, 3))
    mixed = sym.reshape(mixed, shape=(0, 0, -3))
    return sym.FullyConnected(mixed, num_hidden=units, flatten=False, name=f"{name}proj")


def _add_norm(net: Symbol, change: Symbol, dropout: float, prefix: str) -> Symbol:
    total = sym.elemwise_add(net, _drop(change, dropout, f"{prefix}drop"), name=f"{prefix}plus")
    return sym.LayerNorm(total, axis=-1, eps=1e-5, name=f"{prefix}norm")
