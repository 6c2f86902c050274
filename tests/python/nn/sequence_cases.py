"""Sequences, norms and fused layers, for PyTorch (``tests/data/nn/make_sequences.py``) and for us."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Numbers = Callable[[Any], Any]

# A recurrent layer, the lengths of its sequences, and whether they need not be sorted.
RECURRENT: dict[str, tuple[str, list[int], bool]] = {
    "rnn": ("nn.RNN(3, 4)", [4, 2, 1], False),
    "rnn of relu, unsorted": ("nn.RNN(3, 4, nonlinearity='relu', num_layers=2)", [1, 3, 2], True),
    "lstm": ("nn.LSTM(3, 4)", [4, 2, 2], False),
    "lstm, both ways, unsorted": ("nn.LSTM(3, 4, num_layers=2, bidirectional=True)", [2, 5, 1, 5], True),
    "lstm with projection": ("nn.LSTM(3, 4, proj_size=2, bidirectional=True)", [1, 2], True),
    "gru": ("nn.GRU(3, 4, bidirectional=True, batch_first=True)", [5, 3, 1], False),
    "gru without bias, unsorted": ("nn.GRU(3, 4, bias=False, num_layers=2)", [3, 1, 4], True),
    "of one length": ("nn.GRU(3, 4, bidirectional=True)", [3, 3], False),
}

# A layer, its normalisation, and the shape of an input.
FUSED: dict[str, tuple[str, str, tuple[int, ...]]] = {
    "conv1d": ("nn.Conv1d(2, 3, 2)", "nn.BatchNorm1d(3)", (2, 2, 5)),
    "conv2d without bias": ("nn.Conv2d(4, 6, 2, groups=2, bias=False)", "nn.BatchNorm2d(6)", (2, 4, 3, 3)),
    "conv3d, not affine": ("nn.Conv3d(1, 2, 2)", "nn.BatchNorm3d(2, affine=False)", (1, 1, 3, 3, 3)),
    "transposed": ("nn.ConvTranspose2d(2, 3, 2)", "nn.BatchNorm2d(3, eps=0.1)", (2, 2, 3, 3)),
    "linear": ("nn.Linear(2, 3)", "nn.BatchNorm1d(3)", (4, 2)),
}


def ramp(*shape: int) -> np.ndarray:
    """Numbers that differ."""
    return np.sin(np.arange(1, int(np.prod(shape)) + 1) * 1.7).reshape(shape).astype(np.float32)


def fill(layer: Any, tensor: Numbers) -> Any:
    """The layer with numbers that are known."""
    state = {}
    for place, (key, value) in enumerate(layer.state_dict().items()):
        if key != "num_batches_tracked":
            state[key] = tensor(ramp(*value.shape, place + 1)[..., place] / 2)
    if "running_var" in state:
        state["running_var"] = state["running_var"] ** 2 + 0.5
    layer.load_state_dict(state, strict=False)
    return layer


def recurrent(name: str, nn: Any, tensor: Numbers, numbers: Numbers) -> dict[str, Any]:
    """Outputs, states and gradients of packed sequences, with first states and without."""
    source, lengths, unsorted = RECURRENT[name]
    layer = fill(eval(source, {"nn": nn}), tensor)
    found: dict[str, Any] = {}
    for has_states in (False, True):
        inputs = [tensor(ramp(length, 3) * (place + 1)) for place, length in enumerate(lengths)]
        for one in inputs:
            one.requires_grad = True
        layer.zero_grad()
        packed = nn.utils.rnn.pack_sequence(inputs, enforce_sorted=not unsorted)
        words = []
        if has_states:
            _, last = layer(packed)
            states = last if isinstance(last, tuple) else (last,)
            first = tuple(tensor(ramp(*one.shape)) for one in states)
            words = [first if isinstance(last, tuple) else first[0]]
        output, last = layer(packed, *words)
        states = last if isinstance(last, tuple) else (last,)
        padded, counts = nn.utils.rnn.pad_packed_sequence(output, padding_value=9.0, total_length=6)
        ((output.data**2).sum() + (states[0] ** 3).sum()).backward()
        key = "with states" if has_states else "from zero"
        found[key] = {
            "packed": numbers(output.data),
            "sizes": numbers(output.batch_sizes),
            "padded": numbers(padded),
            "lengths": numbers(counts),
            **{f"state {i}": numbers(one) for i, one in enumerate(states)},
            **{f"gradient of input {i}": numbers(one.grad) for i, one in enumerate(inputs)},
            **{f"gradient of {key}": numbers(one.grad) for key, one in layer.named_parameters()},
        }
    return found


def fused(name: str, nn: Any, tensor: Numbers, numbers: Numbers) -> dict[str, Any]:
    """Output, weight and bias of the fused layer."""
    source, norm, shape = FUSED[name]
    layer = fill(eval(source, {"nn": nn}), tensor).eval()
    behind = fill(eval(norm, {"nn": nn}), tensor).eval()
    if name == "linear":
        one = nn.utils.fuse_linear_bn_eval(layer, behind)
    else:
        one = nn.utils.fuse_conv_bn_eval(layer, behind, "Transpose" in source)
    assert one is not layer and not one.training
    x = tensor(ramp(*shape))
    found = {"output": one(x), "apart": behind(layer(x)), "weight": one.weight, "bias": one.bias}
    return {key: numbers(value) for key, value in found.items()}


def plain(name: str, nn: Any, tensor: Numbers, numbers: Numbers) -> dict[str, Any]:
    """Padding and packing without a layer."""
    rnn = nn.utils.rnn
    found: dict[str, Any] = {}
    sequences = [tensor(ramp(length, 2)) for length in (2, 4, 1)]
    for side in ("left", "right"):
        for first in (False, True):
            found[f"{side} {first}"] = numbers(rnn.pad_sequence(sequences, first, -1.0, side))
    padded = rnn.pad_sequence(sequences, batch_first=True)
    lengths = tensor(np.array([2, 4, 1]))
    packed = rnn.pack_padded_sequence(padded, lengths, batch_first=True, enforce_sorted=False)
    for key, value in zip(packed._fields, packed):
        found[key] = numbers(value)
    again, counts = rnn.pad_packed_sequence(packed, batch_first=True, padding_value=7.0)
    found.update({"again": numbers(again), "counts": numbers(counts)})
    for place, one in enumerate(rnn.unpack_sequence(packed)):
        found[f"unpacked {place}"] = numbers(one)
    for place, one in enumerate(rnn.unpad_sequence(padded, lengths, batch_first=True)):
        found[f"unpadded {place}"] = numbers(one)
    return found


def norms(name: str, nn: Any, tensor: Numbers, numbers: Numbers) -> dict[str, Any]:
    """Norms of gradients, and gradients that are clipped."""
    found: dict[str, Any] = {}
    for kind in (1.0, 2.0, 3.0, float("inf")):
        arrays = [
            nn.Parameter(tensor(ramp(3, 2) * 5)),
            nn.Parameter(tensor(ramp(4))),
            nn.Parameter(tensor(ramp(1))),
        ]
        for place, one in enumerate(arrays[:2]):
            one.grad = tensor(ramp(*one.shape) * (place + 2))
        norm = nn.utils.get_total_norm([one.grad for one in arrays[:2]], kind)
        found[f"norm {kind}"] = numbers(norm)
        nn.utils.clip_grads_with_norm_(arrays, 1.5, norm)
        found.update({f"clipped {kind} {place}": numbers(one.grad) for place, one in enumerate(arrays[:2])})
        nn.utils.clip_grads_with_norm_(arrays, 1e3, norm)
        found.update({f"again {kind} {place}": numbers(one.grad) for place, one in enumerate(arrays[:2])})
    found["of none"] = numbers(nn.utils.get_total_norm([]))
    return found


CASES: dict[str, tuple[Callable[..., dict[str, Any]], str]] = {
    **{f"recurrent|{name}": (recurrent, name) for name in RECURRENT},
    **{f"fused|{name}": (fused, name) for name in FUSED},
    "sequences": (plain, ""),
    "norms": (norms, ""),
}
