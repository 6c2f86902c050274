"""Language model of unrolled LSTM layers."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Callable, Optional

from .. import symbol as sym
from ..attribute import AttrScope
from ..rnn import LSTMCell
from ..symbol import Symbol

__all__ = ["lstm_language_model"]

SymGen = Callable[[int], tuple[Symbol, tuple[str, ...], tuple[str, ...]]]


def lstm_language_model(
    num_layers: int = 2,
    vocab_size: int = 10000,
    num_embed: int = 650,
    num_hidden: int = 650,
    dropout: float = 0.5,
    num_groups: Optional[int] = None,
) -> SymGen:
    """Predicts the next word at every step: embedding, LSTM layers, softmax over the vocabulary.

    The defaults are the medium network of Zaremba et al.: 19,780,400 parameters and 13,260,000 multiply-adds
    per word.

    Parameters
    ----------
    num_layers : int
        LSTM layers.
    vocab_size : int
        Number of words.
    num_embed, num_hidden : int
        Numbers per embedded word; units per layer.
    dropout : float
        Share of activations dropped before each layer and before the softmax in training; 0 adds no node.
    num_groups : int, optional
        Spreads the network over devices: the embedding is in ``ctx_group`` ``'embed'``, layer i in
        ``'layer<i % num_groups>'``, the rest in ``'decode'``; bind with ``group2ctx``. Steps of different
        layers then run at the same time.

    Returns
    -------
    callable
        ``sym_gen(seq_len)`` returns a symbol and the names of its data and labels, as ``BucketingModule``
        expects. Inputs ``data`` and ``softmax_label``, each (batch, seq_len), float32 word numbers; output
        ``softmax_output`` (batch * seq_len, vocab_size), example by example. States begin at 0. All lengths
        share the parameters.

    Reference
    ---------
    Hochreiter, Schmidhuber: Long short-term memory, 1997. Zaremba, Sutskever, Vinyals: Recurrent neural
    network regularization, arXiv:1409.2329.

    Examples
    --------
    >>> import mixgrad as mx
    >>> sym_gen = mx.models.lstm_language_model(num_layers=1, vocab_size=50, num_embed=8, num_hidden=8)
    >>> net, data_names, label_names = sym_gen(5)
    >>> net.infer_shape(data=(4, 5), softmax_label=(4, 5))[1]
    [(20, 50)]
    """
    if num_layers < 1:
        raise ValueError(f"[lstm_language_model] num_layers is {num_layers}; expected 1 or more")
    if num_groups is not None and num_groups < 1:
        raise ValueError(f"[lstm_language_model] num_groups is {num_groups}; expected 1 or more")

    def sym_gen(seq_len: int) -> tuple[Symbol, tuple[str, ...], tuple[str, ...]]:
        if seq_len < 1:
            raise ValueError(f"[lstm_language_model] seq_len is {seq_len}; expected 1 or more")
        with _group("embed", num_groups):
            words = sym.Embedding(sym.var("data"), input_dim=vocab_size, output_dim=num_embed, name="embed")
            steps = list(
                sym.SliceChannel(words, num_outputs=seq_len, axis=1, squeeze_axis=True, name="words")
            )
        for i in range(num_layers):
            with _group(f"layer{i % num_groups if num_groups else i}", num_groups):
                steps = _layer(steps, num_hidden, dropout, f"lstm_l{i}_")
        with _group("decode", num_groups):
            hidden = sym.stack(*steps, axis=1, name="hidden")
            hidden = sym.reshape(hidden, shape=(-1, num_hidden), name="hidden_rows")
            if dropout:
                hidden = sym.Dropout(hidden, p=dropout, name="hidden_drop")
            pred = sym.FullyConnected(hidden, num_hidden=vocab_size, name="pred")
            label = sym.reshape(sym.var("softmax_label"), shape=(-1,), name="label_rows")
            return sym.SoftmaxOutput(pred, label, name="softmax"), ("data",), ("softmax_label",)

    return sym_gen


def _group(name: str, num_groups: Optional[int]) -> AbstractContextManager[object]:
    return AttrScope(ctx_group=name) if num_groups else AttrScope()


def _layer(steps: list[Symbol], num_hidden: int, dropout: float, prefix: str) -> list[Symbol]:
    """One layer over all steps, each (batch, numbers); its outputs, each (batch, num_hidden)."""
    cell = LSTMCell(num_hidden, prefix)
    states = cell.begin_state()
    outputs = []
    for t, step in enumerate(steps):
        if dropout:
            step = sym.Dropout(step, p=dropout, name=f"{prefix}t{t}_drop")
        output, states = cell(step, states)
        outputs.append(output)
    return outputs
