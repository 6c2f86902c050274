"""Sequences of several lengths, norms and fused layers, by ``tests/data/nn/make_sequences.py``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import nn

from .sequence_cases import CASES, ramp

RECORDED = json.loads((Path(__file__).resolve().parents[2] / "data" / "nn" / "sequences.json").read_text())
rnn = nn.utils.rnn


def tensor(values: np.ndarray) -> Any:
    return mx.np.array(values, dtype=values.dtype)


def compare(found: dict[str, Any], recorded: dict[str, Any]) -> None:
    assert found.keys() == recorded.keys()
    for key, expected in recorded.items():
        if isinstance(expected, dict):
            compare(found[key], expected)
        else:
            np.testing.assert_allclose(found[key], expected, rtol=1e-5, atol=1e-5, err_msg=key)
            assert np.shape(found[key]) == np.shape(expected)


@pytest.mark.parametrize("name", CASES)
def test_as_recorded(name: str) -> None:
    function, case = CASES[name]
    compare(function(case, nn, tensor, lambda one: one.asnumpy()), RECORDED[name])


@pytest.mark.parametrize("dtype", ["float16", "float64"])
def test_dtypes_of_packed_sequences(dtype: str) -> None:
    layer = nn.GRU(2, 3, bidirectional=True, dtype=dtype)
    sequences = [tensor(ramp(length, 2).astype(dtype)) for length in (3, 1)]
    output, last = layer(rnn.pack_sequence(sequences))
    assert str(output.data.dtype) == str(last.dtype) == dtype
    for place, one in enumerate(rnn.unpack_sequence(output)):
        alone, state = layer(sequences[place])
        np.testing.assert_allclose(one.asnumpy(), alone.asnumpy(), rtol=1e-3, atol=1e-3)
        np.testing.assert_allclose(last[:, place].asnumpy(), state.asnumpy(), rtol=1e-3, atol=1e-3)


def test_packed_sequences_of_ones_own() -> None:
    """Layers between take ``data``, and the rest is handed on."""
    packed = rnn.pack_sequence([tensor(ramp(2, 3)), tensor(ramp(3, 3))], enforce_sorted=False)
    linear, layer = nn.Linear(3, 2), nn.LSTM(2, 4)
    again = rnn.PackedSequence(linear(packed.data), *packed[1:])
    output, (h, _) = layer(again)
    (h * h).sum().backward()
    assert (
        packed.to(mx.cpu()).data is packed.data
        and rnn.PackedSequence(X, [3]).to("cpu").sorted_indices is None
    )
    assert output.unsorted_indices is packed.unsorted_indices and linear.weight.grad.shape == (2, 3)
    with pytest.raises(ValueError, match=r"\[PackedSequence\] batch_sizes are \[2, 2\] of 5 steps; expected"):
        layer(rnn.PackedSequence(again.data, [2, 2]))


def test_a_fused_transposed_convolution_of_groups() -> None:
    layer, norm = nn.ConvTranspose1d(4, 6, 2, groups=2).eval(), nn.BatchNorm1d(6).eval()
    norm.running_mean[:] = tensor(ramp(6))
    norm.running_var[:] = tensor(ramp(6) ** 2 + 1)
    x = tensor(ramp(2, 4, 3))
    fused = nn.utils.fuse_conv_bn_eval(layer, norm, transpose=True)
    np.testing.assert_allclose(fused(x).asnumpy(), norm(layer(x)).asnumpy(), rtol=1e-5, atol=1e-6)
    assert fused.weight.requires_grad and layer.weight is not fused.weight


def test_packed_sequences_are_no_graphs() -> None:
    packed = rnn.pack_sequence([tensor(ramp(3, 2)), tensor(ramp(1, 2))])
    with pytest.raises(TypeError, match="GRU returned PackedSequence"):
        mx.jit(nn.GRU(2, 3))(packed)


X = mx.np.array(ramp(3, 2, 2))
WRONG: list[tuple[Any, Any, str]] = [
    (lambda: rnn.pad_sequence([]), ValueError, r"\[pad_sequence\] got no sequences; expected one at least"),
    (lambda: rnn.pad_sequence(3), TypeError, r"\[pad_sequence\] got a int; expected a list of arrays"),
    (lambda: rnn.pad_sequence([X, 3]), TypeError, r"\[pad_sequence\] got a int in the list; expected arrays"),
    (
        lambda: rnn.pad_sequence([X, X[0]]),
        ValueError,
        r"shapes \[\(3, 2, 2\), \(2, 2\)\]; expected shapes that differ in the first",
    ),
    (
        lambda: rnn.pad_sequence([X, X.astype("float64")]),
        TypeError,
        r"\[pad_sequence\] got float32 and float64; expected one dtype",
    ),
    (
        lambda: rnn.pad_sequence([X], padding_side="up"),
        ValueError,
        "padding_side is 'up'; expected 'right' or",
    ),
    (
        lambda: rnn.unpad_sequence(X[0, 0], [1]),
        ValueError,
        r"\[unpad_sequence\] got the shape \(2,\); expected",
    ),
    (lambda: rnn.unpad_sequence(X, [1]), ValueError, r"lengths are \[1\]; expected 2 numbers from 0 to 3"),
    (lambda: rnn.unpad_sequence(X, [1.5, 1]), ValueError, r"lengths is \[1.5, 1\]; expected whole numbers"),
    (
        lambda: rnn.pack_padded_sequence([X], [1]),
        ValueError,
        r"\[pack_padded_sequence\] got a list; expected",
    ),
    (lambda: rnn.pack_padded_sequence(X, [3, 0]), ValueError, r"\[3, 0\]; expected 2 numbers from 1 to 3"),
    (lambda: rnn.pack_padded_sequence(X, [4, 1]), ValueError, r"\[4, 1\]; expected 2 numbers from 1 to 3"),
    (lambda: rnn.pack_padded_sequence(X, [1, 2]), ValueError, "the longest first, or enforce_sorted=False"),
    (lambda: rnn.pad_packed_sequence(X), TypeError, r"got a ndarray; expected a PackedSequence"),
    (
        lambda: rnn.pad_packed_sequence(rnn.pack_padded_sequence(X, [3, 1]), total_length=2),
        ValueError,
        "total_length is 2 and the longest sequence 3; expected as much",
    ),
    (
        lambda: nn.GRU(3, 2)(rnn.pack_padded_sequence(X, [3, 1])),
        ValueError,
        r"\[GRU\] the packed data have the shape \(4, 2\); expected two axes, the last of 3",
    ),
    (
        lambda: nn.GRU(2, 2)(rnn.pack_padded_sequence(X, [3, 1]), mx.np.ones((1, 3, 2))),
        ValueError,
        r"\[GRU\] the h0 has the shape \(1, 3, 2\); expected \(1, 2, 2\)",
    ),
    (
        lambda: nn.LSTM(2, 2)(rnn.pack_padded_sequence(X, [3, 1]), mx.np.ones((1, 2, 2))),
        ValueError,
        r"\[LSTM\] got 1 states; expected 2",
    ),
    (
        lambda: nn.utils.get_total_norm([X], norm_type=0),
        ValueError,
        r"\[get_total_norm\] norm_type is 0; expected a norm of a kind above 0",
    ),
    (lambda: nn.utils.get_total_norm([3]), TypeError, r"\[get_total_norm\] got a int; expected arrays"),
    (
        lambda: nn.utils.get_total_norm([X / 0], error_if_nonfinite=True),
        FloatingPointError,
        r"\[get_total_norm\] the norm of the arrays is ",
    ),
    (lambda: nn.utils.clip_grads_with_norm_([X], -1, 1.0), ValueError, "max_norm is -1; expected a norm of"),
    (
        lambda: nn.utils.clip_grads_with_norm_([X], 1, mx.np.ones(2)),
        ValueError,
        r"total_norm has the shape \(2,\); expected \(\)",
    ),
    (
        lambda: nn.utils.fuse_conv_bn_eval(nn.Conv1d(1, 1, 1), nn.BatchNorm1d(1)),
        ValueError,
        r"\[fuse_conv_bn_eval\] a layer is in training; expected both after eval\(\)",
    ),
    (
        lambda: nn.utils.fuse_conv_bn_eval(nn.Conv1d(1, 1, 1).eval(), nn.BatchNorm1d(2).eval()),
        ValueError,
        "the layer gives 1 features and the normalisation takes 2; expected as many",
    ),
    (
        lambda: nn.utils.fuse_conv_bn_eval(nn.Conv1d(1, 1, 1).eval(), nn.GroupNorm(1, 1).eval()),
        ValueError,
        "the normalisation is GroupNorm; expected one of batches, with running values",
    ),
    (
        lambda: nn.utils.fuse_conv_bn_eval(nn.ConvTranspose1d(1, 1, 1).eval(), nn.BatchNorm1d(1).eval()),
        ValueError,
        "transpose is False and the layer ConvTranspose1d; expected a convolution",
    ),
    (
        lambda: nn.utils.fuse_linear_bn_eval(nn.Conv1d(1, 1, 1).eval(), nn.BatchNorm1d(1).eval()),
        ValueError,
        r"\[fuse_linear_bn_eval\] the layer is Conv1d; expected a linear layer",
    ),
]


@pytest.mark.parametrize(("call", "kind", "message"), WRONG)
def test_wrong_arguments(call: Any, kind: Any, message: str) -> None:
    with pytest.raises(kind, match=message):
        call()


def test_the_order_follows_from_how_it_was_sorted() -> None:
    rnn = nn.utils.rnn
    given = rnn.pack_sequence([mx.np.ones((2, 1)), 2 * mx.np.ones((3, 1))], enforce_sorted=False)
    made = rnn.PackedSequence(given.data, given.batch_sizes, given.sorted_indices)
    for one in (given, made):
        padded, lengths = rnn.pad_packed_sequence(one)
        assert lengths.tolist() == [2, 3] and padded[0, :, 0].tolist() == [1, 2]
    layer = nn.GRU(1, 2)
    np.testing.assert_array_equal(layer(given)[1].asnumpy(), layer(made)[1].asnumpy())
    with pytest.raises(ValueError, match="a batch of no sequences"):
        rnn.pack_padded_sequence(mx.np.zeros((3, 0, 2)), mx.np.zeros((0,), dtype="int64"))
