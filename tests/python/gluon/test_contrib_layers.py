"""gluon.contrib: deformable convolutions, texts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.gluon import contrib, nn


@pytest.mark.parametrize("kind", ["DeformableConvolution", "ModulatedDeformableConvolution"])
@pytest.mark.parametrize("hybrid", [False, True])
def test_deformable_convolutions_begin_as_plain_ones(kind: str, hybrid: bool) -> None:
    """Distances are 0 at first, and weights of places 1."""
    layer = getattr(contrib.cnn, kind)(4, kernel_size=3, strides=2, padding=1, num_deformable_group=2)
    layer.initialize(mx.init.Xavier())
    if hybrid:
        layer.hybridize()
    x = mx.nd.random.normal(shape=(2, 6, 9, 8))
    y = layer(x)
    weight, bias = layer.deformable_conv_weight.data(), layer.deformable_conv_bias.data()
    plain = mx.nd.Convolution(x, weight, bias, kernel=(3, 3), stride=(2, 2), pad=(1, 1), num_filter=4)
    np.testing.assert_allclose(y.asnumpy(), plain.asnumpy(), atol=1e-5)
    with mx.autograd.record():
        loss = (layer(x) ** 2).sum()
    loss.backward()
    assert float(layer.offset_weight.grad().norm().asscalar()) > 0


def test_options_of_deformable_convolutions() -> None:
    net = nn.HybridSequential()
    make = contrib.cnn.DeformableConvolution
    net.add(
        make(10, kernel_size=(5, 1), num_deformable_group=5, in_channels=5),
        make(10, kernel_size=(3, 2), activation="relu", offset_use_bias=False, use_bias=False),
        make(12, kernel_size=(3, 2), use_bias=False, num_deformable_group=2, groups=2),
    )
    net.initialize()
    net.hybridize()
    assert net(mx.nd.random.uniform(shape=(2, 5, 20, 21))).shape == (2, 12, 12, 19)
    assert repr(net[1]).startswith(
        "DeformableConvolution(None -> 10, kernel_size=(3, 2), stride=(1, 1), bias=False"
    )
    assert list(make(4, prefix="d_").collect_params()) == [
        "d_offset_weight",
        "d_offset_bias",
        "d_deformable_conv_weight",
        "d_deformable_conv_bias",
    ]
    with pytest.raises(AssertionError, match="NCHW"):
        make(4, layout="NHWC")


def test_texts(tmp_path: Path) -> None:
    (tmp_path / "wiki.train.tokens").write_text(" \n a b c \n \n a a b \n c \n")
    (tmp_path / "wiki.valid.tokens").write_text("c b d a\n")
    train = contrib.data.text.WikiText2(str(tmp_path), seq_len=3)
    words = ["a", "b", "c", "<eos>", "a", "a", "b", "<eos>", "c", "<eos>"]
    assert len(train) == 3
    data, label = train[1]
    assert data.dtype == np.int32
    assert train.vocabulary.to_tokens(data.asnumpy().tolist()) == words[3:6]
    assert train.vocabulary.to_tokens(label.asnumpy().tolist()) == words[4:7]
    assert train.frequencies["a"] == 3
    valid = contrib.data.text.WikiText2(str(tmp_path), "validation", train.vocabulary, 2)
    assert valid.vocabulary.to_tokens(valid[1][0].asnumpy().tolist()) == ["<unk>", "a"]
    assert valid.frequencies["d"] == 1
    batches = mx.gluon.data.DataLoader(train, 2)
    assert [x.shape for x, _ in batches] == [(2, 3), (1, 3)]
    with pytest.raises(FileNotFoundError, match=r"wiki\.test\.tokens.*wikitext-103-v1\.zip"):
        contrib.data.text.WikiText103(str(tmp_path), "test")
    with pytest.raises(ValueError, match="segment is 'valid'"):
        contrib.data.text.WikiText2(str(tmp_path), "valid")
