"""Decoders and whole transformers: masks, refusals, gradients; ``test_layers.py`` compares their numbers."""

from __future__ import annotations

from typing import Any

import numpy as onp
import pytest

import mixgrad as mx
from mixgrad import nn, np

MASK = nn.Transformer.generate_square_subsequent_mask


def net(**words: Any) -> Any:
    return nn.Transformer(8, 2, 1, 1, 16, dropout=0.0, batch_first=True, **words)


def test_the_causal_mask_hides_what_comes_later() -> None:
    model = net()
    src = np.random.normal(size=(2, 5, 8))
    tgt = onp.random.RandomState(3).normal(size=(2, 4, 8)).astype("float32")
    changed = tgt.copy()
    changed[:, 3] += 1
    one, two = (
        model(src, np.array(x), tgt_mask=MASK(4), tgt_is_causal=True).asnumpy() for x in (tgt, changed)
    )
    onp.testing.assert_allclose(one[:, :3], two[:, :3], atol=1e-6)
    assert abs(one[:, 3] - two[:, 3]).max() > 1e-3
    hidden = np.array(onp.triu(onp.ones((4, 4), dtype=bool), 1), dtype="bool")
    onp.testing.assert_allclose(model(src, np.array(tgt), tgt_mask=hidden).asnumpy(), one, atol=1e-6)


def test_the_mask_itself() -> None:
    mask = MASK(3, dtype="float64")
    assert str(mask.dtype) == "float64"
    assert (mask.asnumpy() == onp.triu(onp.full((3, 3), -onp.inf), 1)).all()


def test_ones_own_encoder_and_decoder() -> None:
    class Encoder(nn.Module):
        def forward(self, src: Any, mask: Any, padding: Any, is_causal: bool) -> Any:
            return src * 2

    decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16, 0.0, batch_first=True), 2)
    model = net(custom_encoder=Encoder(), custom_decoder=decoder)
    assert model.decoder is decoder
    src, tgt = np.random.normal(size=(2, 5, 8)), np.random.normal(size=(2, 4, 8))
    assert abs(model(src, tgt) - decoder(tgt, src * 2)).max().item() < 1e-6
    for one in decoder.parameters():  # drawn anew, also where they were made before
        bound = (6 / sum(one.shape)) ** 0.5 if one.ndim == 2 else 1
        assert abs(one).max().item() <= bound + 1e-6


def test_gradients_and_planned_graphs() -> None:
    layer = nn.TransformerDecoderLayer(4, 2, 6, 0.0, "gelu").double()
    tgt, memory = (nn.Parameter(np.random.normal(size=(n, 2, 4), dtype="float64")) for n in (3, 2))
    assert nn.gradcheck(lambda x, y: layer(x, y, MASK(3, dtype="float64")), (tgt, memory))
    planned = mx.jit(layer)
    assert abs(planned(tgt, memory) - layer(tgt, memory)).max().item() < 1e-10


def test_dropout_is_drawn_in_training_alone() -> None:
    layer = nn.TransformerDecoderLayer(8, 2, 16, dropout=0.5)
    x, y = np.ones((3, 2, 8)), np.ones((4, 2, 8))
    assert abs(layer(x, y) - layer(x, y)).max().item() > 0
    layer.eval()
    assert abs(layer(x, y) - layer(x, y)).max().item() == 0


@pytest.mark.parametrize(
    ("shapes", "words", "text"),
    [
        (((2, 5, 8), (3, 4, 8)), {}, r"\[Transformer\] the tgt has .*; expected as many sequences"),
        (((2, 5, 8), (2, 4, 7)), {}, r"the tgt has the shape \(2, 4, 7\); expected \(\.\.\., 8\)"),
        (((2, 5, 8), (4, 8)), {}, "the tgt has the shape"),
        (((2, 5, 8), (2, 4, 8)), {"tgt_mask": (4, 5)}, r"tgt_mask has the shape \(4, 5\); expected \(4, 4\)"),
        (((2, 5, 8), (2, 4, 8)), {"memory_mask": (4, 4)}, r"memory_mask .* expected \(4, 5\)"),
        (((2, 5, 8), (2, 4, 8)), {"memory_key_padding_mask": (2, 4)}, r"padding_mask .* expected \(2, 5\)"),
    ],
)
def test_shapes_that_do_not_fit(shapes: Any, words: Any, text: str) -> None:
    masks = {name: np.zeros(shape) for name, shape in words.items()}
    with pytest.raises(ValueError, match=text):
        net()(*map(np.zeros, shapes), **masks)


def test_decoders_say_what_does_not_fit() -> None:
    layer = nn.TransformerDecoderLayer(8, 2, 16)
    with pytest.raises(ValueError, match=r"\[TransformerDecoderLayer\] the memory .* as tgt \(5, 3, 8\)"):
        layer(np.ones((5, 3, 8)), np.ones((5, 2, 8)))
    with pytest.raises(ValueError, match="is_causal is True and attn_mask None"):
        layer(np.ones((5, 3, 8)), np.ones((5, 3, 8)), tgt_is_causal=True)
    for make in (nn.TransformerDecoderLayer, nn.TransformerEncoderLayer, nn.Transformer):
        with pytest.raises(ValueError, match=r"activation is 'tanh'; expected 'relu', 'gelu'"):
            make(8, 2, activation="tanh")
    with pytest.raises(ValueError, match="expected a multiple of 3 heads"):
        nn.TransformerDecoderLayer(8, 3)


def test_sequences_of_padding_alone_leave_the_others_gradients() -> None:
    padding = np.array([[0, 0, 0], [1, 1, 1]], dtype="bool")
    x = np.random.normal(size=(2, 3, 8))
    layer = nn.TransformerDecoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
    for loss in (lambda y: y[0].sum(), lambda y: (y * y).sum()):
        layer.zero_grad()
        y = layer(x, x, tgt_key_padding_mask=padding, memory_key_padding_mask=padding)
        loss(y).backward()
        assert onp.isfinite(y.detach().asnumpy()).all()
        for parameter in layer.parameters():
            assert onp.isfinite(parameter.grad.asnumpy()).all()
    allowed = np.array([[True, True], [False, False]])
    y = nn.functional.scaled_dot_product_attention(np.ones((2, 4)), np.ones((2, 4)), np.ones((2, 3)), allowed)
    assert y.tolist() == [[1, 1, 1], [0, 0, 0]]


def test_counts_of_layers() -> None:
    with pytest.raises(ValueError, match=r"\[TransformerDecoder\] num_layers is -1"):
        nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 1, 4), -1)
    with pytest.raises(ValueError, match=r"\[TransformerEncoder\] num_layers is -1"):
        nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 1, 4), -1)
