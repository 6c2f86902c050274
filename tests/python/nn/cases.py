"""Layers and losses that PyTorch and mixgrad compute alike: for ``tests/data/nn/make.py`` and the tests.

Each case is what makes the module (an expression over ``nn``, ``x`` being what makes an array of NumPy's),
the shapes of its inputs, and whether it is in training. Numbers come from the name, so that files hold
results alone.
"""

from __future__ import annotations

import zlib
from typing import Any, NamedTuple, Union

import numpy as np


class Case(NamedTuple):
    """One module and its inputs."""

    make: str
    # Shapes of float inputs; (high, shape) of integers below ``high``; arrays themselves.
    inputs: tuple[Any, ...]
    training: bool = True
    # Arguments of the call that are no arrays.
    words: dict[str, Any] = {}  # noqa: RUF012
    # Inputs lie between these.
    low: float = -1.0
    high: float = 1.0
    # The first input is logarithms of probabilities, along the last axis.
    is_log: bool = False


class Integers(NamedTuple):
    """An input of integers."""

    high: int
    shape: tuple[int, ...]


def sign(*shape: int) -> np.ndarray:
    """1 and -1 in turn."""
    return np.where(np.arange(int(np.prod(shape))) % 3, 1.0, -1.0).reshape(shape).astype(np.float32)


S, P2, V3 = (3, 5), (2, 4, 6, 7), (2, 4, 5, 6, 4)
SEQ = (5, 3, 4)

CASES: dict[str, Case] = {
    "linear": Case("nn.Linear(5, 4)", (S,)),
    "linear of three axes": Case("nn.Linear(4, 2, bias=False)", (SEQ,)),
    "bilinear": Case("nn.Bilinear(5, 4, 3)", ((3, 5), (3, 4))),
    "embedding": Case("nn.Embedding(7, 3)", (Integers(7, (2, 4)),)),
    "embedding with padding": Case("nn.Embedding(7, 3, padding_idx=2)", (Integers(7, (3, 4)),)),
    "embedding_bag": Case("nn.EmbeddingBag(7, 3)", (Integers(7, (2, 4)),)),
    "embedding_bag by offsets": Case(
        "nn.EmbeddingBag(7, 3, padding_idx=2)", (np.array([1, 2, 4, 5, 4, 2, 2]), np.array([0, 3, 3, 5]))
    ),
    "embedding_bag, largest": Case(
        "nn.EmbeddingBag(7, 3, mode='max')", (np.array([1, 1, 4, 5, 4, 2, 6]), np.array([0, 3, 3]))
    ),
    "embedding_bag, largest, padded": Case(
        "nn.EmbeddingBag(7, 3, mode='max', padding_idx=-1)", (np.array([[1, 1, 4], [6, 6, 6], [6, 2, 0]]),)
    ),
    "embedding_bag, weighted": Case(
        "nn.EmbeddingBag(7, 3, mode='sum', include_last_offset=True)",
        (np.array([1, 2, 4, 5, 4]), np.array([0, 0, 2, 5]), (5,)),
    ),
    "embedding_bag, weighted rows": Case(
        "nn.EmbeddingBag(7, 3, mode='sum')", (Integers(7, (2, 4)), None, (2, 4))
    ),
    "flatten": Case("nn.Flatten()", (P2,)),
    "unflatten": Case("nn.Unflatten(1, (2, 2))", (P2,)),
    "conv1d": Case("nn.Conv1d(4, 6, 3, padding=1)", ((2, 4, 9),)),
    "conv2d": Case("nn.Conv2d(4, 6, 3)", (P2,)),
    "conv2d with all": Case(
        "nn.Conv2d(4, 6, (3, 2), stride=(2, 1), padding=(1, 2), dilation=(1, 2), groups=2)", (P2,)
    ),
    "conv2d same": Case("nn.Conv2d(4, 3, (3, 4), padding='same')", (P2,)),
    "conv2d reflected": Case("nn.Conv2d(4, 3, 3, padding=1, padding_mode='reflect', bias=False)", (P2,)),
    "conv2d circular": Case("nn.Conv2d(4, 3, 3, padding=(2, 1), padding_mode='circular')", (P2,)),
    "conv2d of one": Case("nn.Conv2d(4, 3, 3)", ((4, 6, 7),)),
    "conv3d": Case("nn.Conv3d(4, 2, 3, padding=1)", (V3,)),
    "conv_transpose1d": Case(
        "nn.ConvTranspose1d(4, 3, 3, stride=2, padding=1, output_padding=1)", ((2, 4, 6),)
    ),
    "conv_transpose2d": Case(
        "nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1, groups=2)", (P2,)
    ),
    "conv_transpose2d dilated": Case("nn.ConvTranspose2d(4, 3, 3, dilation=2, bias=False)", (P2,)),
    "conv_transpose3d": Case("nn.ConvTranspose3d(4, 2, 2, stride=2)", ((1, 4, 3, 2, 3),)),
    "unfold": Case("nn.Unfold((2, 3), padding=1, stride=2)", (P2,)),
    "fold": Case("nn.Fold((5, 6), (2, 3))", ((2, 12, 16),)),
    "max_pool1d": Case("nn.MaxPool1d(3, stride=2)", ((2, 4, 9),)),
    "max_pool2d": Case("nn.MaxPool2d(3, stride=2, padding=1)", (P2,)),
    "max_pool2d with a last window": Case("nn.MaxPool2d(2, ceil_mode=True)", (P2,)),
    "max_pool2d without one in the padding": Case(
        "nn.MaxPool2d(2, stride=3, padding=1, ceil_mode=True)", (P2,)
    ),
    "max_pool3d": Case("nn.MaxPool3d(2)", (V3,)),
    "max_pool1d with indices": Case("nn.MaxPool1d(3, 2, 1, return_indices=True)", ((2, 9),)),
    "max_pool2d with indices": Case("nn.MaxPool2d(2, 3, 1, return_indices=True, ceil_mode=True)", (P2,)),
    "max_pool3d with indices": Case("nn.MaxPool3d(2, return_indices=True)", (V3,)),
    "max_unpool1d": Case("nn.MaxUnpool1d(2)", ((2, 3), np.array([[0, 3, 4], [1, 2, 5]]))),
    "max_unpool2d": Case(
        "nn.MaxUnpool2d(3, stride=2, padding=1)",
        ((1, 2, 2, 2), np.array([[[[0, 2], [6, 8]], [[3, 4], [7, 5]]]])),
        words={"output_size": (4, 3)},
    ),
    "max_unpool3d": Case("nn.MaxUnpool3d(2)", ((1, 1, 2, 1, 1), np.array([[[[[3]], [[4]]]]]))),
    "avg_pool1d": Case("nn.AvgPool1d(3, stride=2, padding=1)", ((2, 4, 9),)),
    "avg_pool2d": Case("nn.AvgPool2d(3, stride=2, padding=1)", (P2,)),
    "avg_pool2d without padding": Case(
        "nn.AvgPool2d(3, stride=2, padding=1, count_include_pad=False)", (P2,)
    ),
    "avg_pool2d with a last window": Case("nn.AvgPool2d(3, stride=2, padding=1, ceil_mode=True)", (P2,)),
    "avg_pool2d with a divisor": Case("nn.AvgPool2d(2, divisor_override=3)", (P2,)),
    "avg_pool3d": Case("nn.AvgPool3d(2)", (V3,)),
    "lp_pool2d": Case("nn.LPPool2d(2, 2)", (P2,)),
    "lp_pool2d with a last window": Case("nn.LPPool2d(2, 4, ceil_mode=True)", (P2,), low=0.1),
    "lp_pool3d": Case("nn.LPPool3d(3, 2, stride=1)", ((1, 2, 3, 4, 3),), low=0.1),
    "adaptive_avg_pool1d": Case("nn.AdaptiveAvgPool1d(4)", ((2, 4, 9),)),
    "adaptive_avg_pool2d": Case("nn.AdaptiveAvgPool2d((4, 3))", (P2,)),
    "adaptive_avg_pool2d to one": Case("nn.AdaptiveAvgPool2d(1)", (P2,)),
    "adaptive_avg_pool2d that divides": Case("nn.AdaptiveAvgPool2d((3, 7))", (P2,)),
    "adaptive_avg_pool3d": Case("nn.AdaptiveAvgPool3d((2, None, 3))", (V3,)),
    "adaptive_max_pool1d": Case("nn.AdaptiveMaxPool1d(3)", ((2, 4, 9),)),
    "adaptive_max_pool2d": Case("nn.AdaptiveMaxPool2d((4, 3))", (P2,)),
    "adaptive_max_pool3d": Case("nn.AdaptiveMaxPool3d(2)", (V3,)),
    "batch_norm1d": Case("nn.BatchNorm1d(5)", (S,)),
    "batch_norm1d of sequences": Case("nn.BatchNorm1d(4, momentum=0.3, eps=1e-3)", ((2, 4, 9),)),
    "batch_norm2d": Case("nn.BatchNorm2d(4)", (P2,)),
    "batch_norm2d in prediction": Case("nn.BatchNorm2d(4)", (P2,), False),
    "batch_norm2d without weights": Case("nn.BatchNorm2d(4, affine=False)", (P2,)),
    "batch_norm2d without weights in prediction": Case("nn.BatchNorm2d(4, affine=False)", (P2,), False),
    "batch_norm2d without running values": Case("nn.BatchNorm2d(4, track_running_stats=False)", (P2,), False),
    "batch_norm2d of all batches": Case("nn.BatchNorm2d(4, momentum=None)", (P2,)),
    "batch_norm3d": Case("nn.BatchNorm3d(4)", (V3,)),
    "layer_norm": Case("nn.LayerNorm(5)", (S,)),
    "layer_norm of two axes": Case("nn.LayerNorm((6, 7))", (P2,)),
    "layer_norm without weights": Case("nn.LayerNorm(7, elementwise_affine=False)", (P2,)),
    "rms_norm": Case("nn.RMSNorm(7)", (P2,)),
    "group_norm": Case("nn.GroupNorm(2, 4)", (P2,)),
    "instance_norm1d": Case("nn.InstanceNorm1d(4, affine=True)", ((2, 4, 9),)),
    "instance_norm2d": Case("nn.InstanceNorm2d(4)", (P2,)),
    "instance_norm2d with running values": Case("nn.InstanceNorm2d(4, track_running_stats=True)", (P2,)),
    "instance_norm2d in prediction": Case("nn.InstanceNorm2d(4, track_running_stats=True)", (P2,), False),
    "instance_norm3d": Case("nn.InstanceNorm3d(4)", (V3,)),
    "local_response_norm": Case("nn.LocalResponseNorm(3, alpha=0.5)", (P2,)),
    "dropout in prediction": Case("nn.Dropout(0.3)", (S,), False),
    "relu": Case("nn.ReLU()", (S,)),
    "relu6": Case("nn.ReLU6()", (S,), low=-8, high=8),
    "leaky_relu": Case("nn.LeakyReLU(0.2)", (S,)),
    "rrelu in prediction": Case("nn.RReLU()", (S,), False),
    "prelu": Case("nn.PReLU()", (P2,)),
    "prelu by channel": Case("nn.PReLU(4)", (P2,)),
    "elu": Case("nn.ELU(0.7)", (S,)),
    "celu": Case("nn.CELU(0.7)", (S,)),
    "selu": Case("nn.SELU()", (S,)),
    "gelu": Case("nn.GELU()", (S,), low=-3, high=3),
    "gelu by tanh": Case("nn.GELU('tanh')", (S,), low=-3, high=3),
    "sigmoid": Case("nn.Sigmoid()", (S,)),
    "tanh": Case("nn.Tanh()", (S,)),
    "softplus": Case("nn.Softplus(beta=2, threshold=3)", (S,), low=-5, high=5),
    "softsign": Case("nn.Softsign()", (S,)),
    "hardtanh": Case("nn.Hardtanh(-0.5, 0.3)", (S,)),
    "hardsigmoid": Case("nn.Hardsigmoid()", (S,), low=-5, high=5),
    "hardswish": Case("nn.Hardswish()", (S,), low=-5, high=5),
    "hardshrink": Case("nn.Hardshrink()", (S,)),
    "softshrink": Case("nn.Softshrink()", (S,)),
    "tanhshrink": Case("nn.Tanhshrink()", (S,)),
    "threshold": Case("nn.Threshold(0.1, 20)", (S,)),
    "logsigmoid": Case("nn.LogSigmoid()", (S,)),
    "silu": Case("nn.SiLU()", (S,)),
    "mish": Case("nn.Mish()", (S,)),
    "glu": Case("nn.GLU(1)", (P2,)),
    "softmax": Case("nn.Softmax(dim=1)", (S,)),
    "softmin": Case("nn.Softmin(dim=0)", (S,)),
    "log_softmax": Case("nn.LogSoftmax(dim=-1)", (S,)),
    "softmax2d": Case("nn.Softmax2d()", (P2,)),
    "zero_pad2d": Case("nn.ZeroPad2d((1, 2, 0, 1))", (P2,)),
    "constant_pad1d": Case("nn.ConstantPad1d(2, 3.5)", ((2, 4, 9),)),
    "reflection_pad2d": Case("nn.ReflectionPad2d((1, 2, 3, 0))", (P2,)),
    "replication_pad3d": Case("nn.ReplicationPad3d(1)", ((1, 2, 3, 2, 3),)),
    "circular_pad2d": Case("nn.CircularPad2d((1, 2, 3, 0))", (P2,)),
    "upsample nearest": Case("nn.Upsample(scale_factor=2)", (P2,)),
    "upsample to a size": Case("nn.Upsample(size=(9, 5))", (P2,)),
    "upsample linear": Case("nn.Upsample(scale_factor=1.5, mode='linear')", ((2, 4, 9),)),
    "upsample bilinear": Case("nn.Upsample(size=(9, 10), mode='bilinear')", (P2,)),
    "upsample bilinear with corners": Case(
        "nn.Upsample(scale_factor=2, mode='bilinear', align_corners=True)", (P2,)
    ),
    "upsample trilinear": Case("nn.Upsample(scale_factor=2, mode='trilinear')", ((1, 2, 3, 2, 3),)),
    "pixel_shuffle": Case("nn.PixelShuffle(2)", (P2,)),
    "pixel_unshuffle": Case("nn.PixelUnshuffle(2)", ((2, 3, 4, 6),)),
    "channel_shuffle": Case("nn.ChannelShuffle(2)", (P2,)),
    "cosine_similarity": Case("nn.CosineSimilarity()", (S, S)),
    "pairwise_distance": Case("nn.PairwiseDistance()", (S, S)),
    "rnn": Case("nn.RNN(4, 6)", (SEQ,)),
    "rnn relu": Case("nn.RNN(4, 6, nonlinearity='relu', batch_first=True)", (SEQ,)),
    "lstm": Case("nn.LSTM(4, 6, num_layers=2, bidirectional=True)", (SEQ,)),
    "lstm with a state": Case("nn.LSTM(4, 6)", (SEQ, ((1, 3, 6), (1, 3, 6)))),
    "lstm without biases": Case("nn.LSTM(4, 6, bias=False)", (SEQ,)),
    "lstm of one": Case("nn.LSTM(4, 6)", ((5, 4),)),
    "lstm with projection": Case("nn.LSTM(4, 6, num_layers=2, proj_size=3)", (SEQ,)),
    "gru": Case("nn.GRU(4, 6, num_layers=2, batch_first=True)", (SEQ,)),
    "gru both ways": Case("nn.GRU(4, 6, bidirectional=True)", (SEQ, (2, 3, 6))),
    "rnn_cell": Case("nn.RNNCell(4, 6)", ((3, 4), (3, 6))),
    "lstm_cell": Case("nn.LSTMCell(4, 6)", ((3, 4), ((3, 6), (3, 6)))),
    "gru_cell": Case("nn.GRUCell(4, 6)", ((3, 4), (3, 6))),
    "attention": Case("nn.MultiheadAttention(8, 2)", ((5, 3, 8), (4, 3, 8), (4, 3, 8))),
    "attention of other keys": Case(
        "nn.MultiheadAttention(8, 2, kdim=5, vdim=6, batch_first=True)", ((3, 5, 8), (3, 4, 5), (3, 4, 6))
    ),
    "attention with masks": Case(
        "nn.MultiheadAttention(8, 2, bias=False)",
        ((4, 2, 8), (4, 2, 8), (4, 2, 8)),
        words={
            "attn_mask": np.triu(np.ones((4, 4), dtype=bool), 1),
            "key_padding_mask": np.array([[False, False, False, True], [False] * 4]),
            "average_attn_weights": False,
        },
    ),
    "encoder layer": Case("nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0)", ((5, 3, 8),)),
    "encoder layer, norms first": Case(
        "nn.TransformerEncoderLayer(8, 2, 16, 0.0, 'gelu', batch_first=True, norm_first=True)", ((3, 5, 8),)
    ),
    "encoder": Case(
        "nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0), 2, nn.LayerNorm(8))",
        ((5, 3, 8),),
    ),
    "decoder layer": Case(
        "nn.TransformerDecoderLayer(8, 2, 16, dropout=0.0)",
        ((5, 3, 8), (4, 3, 8)),
        words={
            "tgt_mask": np.triu(np.full((5, 5), -np.inf, dtype=np.float32), 1),
            "memory_mask": np.arange(20).reshape(5, 4) % 3 == 1,
            "memory_key_padding_mask": np.array(
                [[False, False, False, True], [False] * 4, [True] + [False] * 3]
            ),
        },
    ),
    "decoder layer, norms first": Case(
        "nn.TransformerDecoderLayer(8, 2, 16, 0.0, 'gelu', batch_first=True, norm_first=True, bias=False)",
        ((3, 5, 8), (3, 4, 8)),
    ),
    "decoder": Case(
        "nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 12, dropout=0.0), 2, nn.LayerNorm(8))",
        ((5, 8), (4, 8)),
    ),
    "transformer": Case(
        "nn.Transformer(8, 2, 1, 2, 12, dropout=0.0, batch_first=True)",
        ((2, 5, 8), (2, 3, 8)),
        words={
            "tgt_mask": np.triu(np.ones((3, 3), dtype=bool), 1),
            "src_key_padding_mask": np.array([[False] * 5, [False, False, False, True, True]]),
            "tgt_key_padding_mask": np.array([[False] * 3, [False, False, True]]),
        },
    ),
    "network": Case(
        "nn.Sequential(nn.Conv2d(4, 3, 3), nn.BatchNorm2d(3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), "
        "nn.Linear(12, 2))",
        ((3, 4, 6, 7),),
    ),
    # Losses.
    "l1_loss": Case("nn.L1Loss()", (S, S)),
    "mse_loss": Case("nn.MSELoss(reduction='sum')", (S, S)),
    "smooth_l1_loss": Case("nn.SmoothL1Loss(beta=0.5)", (S, S)),
    "huber_loss": Case("nn.HuberLoss(delta=0.5)", (S, S)),
    "bce_loss": Case("nn.BCELoss()", (S, S), low=0.05, high=0.95),
    "bce_loss with a weight": Case(
        "nn.BCELoss(x([1, 2, 3, 4, 5]), reduction='none')", (S, S), low=0.05, high=0.95
    ),
    "bce_with_logits_loss": Case("nn.BCEWithLogitsLoss()", (S, S), low=0.0, high=1.0),
    "bce_with_logits_loss with weights": Case(
        "nn.BCEWithLogitsLoss(x([1, 2, 3, 4, 5]), pos_weight=x([5, 1, 2, 1, 1]))", (S, S), low=0.0, high=1.0
    ),
    "kl_div_loss": Case("nn.KLDivLoss(reduction='batchmean')", (S, S), low=0.1, high=1.0),
    "kl_div_loss of logarithms": Case("nn.KLDivLoss(log_target=True)", (S, S)),
    "poisson_nll_loss": Case(
        "nn.PoissonNLLLoss(full=True)", (S, np.arange(15.0, dtype=np.float32).reshape(3, 5))
    ),
    "gaussian_nll_loss": Case("nn.GaussianNLLLoss(full=True)", (S, S, S), low=0.1, high=1.0),
    "hinge_embedding_loss": Case("nn.HingeEmbeddingLoss(margin=0.7)", (S, sign(3, 5))),
    "soft_margin_loss": Case("nn.SoftMarginLoss()", (S, sign(3, 5))),
    "margin_ranking_loss": Case("nn.MarginRankingLoss(0.2)", ((6,), (6,), sign(6))),
    "cosine_embedding_loss": Case("nn.CosineEmbeddingLoss(0.1)", (S, S, sign(3))),
    "triplet_margin_loss": Case("nn.TripletMarginLoss()", (S, S, S)),
    "triplet_margin_loss swapped": Case("nn.TripletMarginLoss(p=1, swap=True)", (S, S, S)),
    "nll_loss": Case("nn.NLLLoss()", (S, Integers(5, (3,)))),
    "nll_loss with weights": Case("nn.NLLLoss(x([1, 2, 3, 4, 5]), ignore_index=2)", (S, np.array([2, 0, 4]))),
    "cross_entropy": Case("nn.CrossEntropyLoss()", (S, Integers(5, (3,)))),
    "cross_entropy of pictures": Case("nn.CrossEntropyLoss(reduction='none')", (P2, Integers(4, (2, 6, 7)))),
    "cross_entropy with all": Case(
        "nn.CrossEntropyLoss(x([1, 2, 3, 4, 5]), ignore_index=-1, label_smoothing=0.1)",
        (S, np.array([3, 0, -1])),
    ),
    "cross_entropy of probabilities": Case(
        "nn.CrossEntropyLoss(label_smoothing=0.1)", (S, S), low=0.0, high=0.4
    ),
    "multi_margin_loss": Case("nn.MultiMarginLoss(p=2)", (S, Integers(5, (3,)))),
    "multilabel_soft_margin_loss": Case("nn.MultiLabelSoftMarginLoss()", (S, S), low=0.0, high=1.0),
    "multilabel_margin_loss": Case(
        "nn.MultiLabelMarginLoss()", (S, np.array([[3, 0, -1, 1, 2], [-1] * 5, [4, 4, 2, 0, 1]]))
    ),
    "multilabel_margin_loss of one": Case(
        "nn.MultiLabelMarginLoss(reduction='sum')", ((5,), np.array([1, -1, 0, 0, 0]))
    ),
    "triplet_margin_with_distance_loss": Case("nn.TripletMarginWithDistanceLoss(swap=True)", (S, S, S)),
    "triplet_margin_with_distance_loss of a module": Case(
        "nn.TripletMarginWithDistanceLoss(distance_function=nn.PairwiseDistance(1), margin=0.5)",
        (S, S, S),
    ),
    "ctc_loss": Case(
        "nn.CTCLoss()",
        ((6, 2, 4), np.array([[1, 2, 3], [2, 2, 1]]), np.array([6, 5]), np.array([3, 2])),
        is_log=True,
    ),
}

Nested = Union[np.ndarray, tuple[Any, ...]]


def random_of(name: str) -> np.random.RandomState:
    """Numbers that follow from a name."""
    return np.random.RandomState(zlib.crc32(name.encode()))


def parameters_of(name: str, shapes: dict[str, tuple[int, ...]]) -> dict[str, np.ndarray]:
    """Values for parameters and buffers, in the order of their names."""
    random = random_of(name + " parameters")
    found = {}
    for key in sorted(shapes):
        low = 0.5 if key.endswith("running_var") else -0.5
        found[key] = random.uniform(low, low + 1, size=shapes[key]).astype(np.float32)
    return found


def inputs_of(name: str) -> list[Nested]:
    """The inputs of a case: float32, and int64."""
    case, random = CASES[name], random_of(name)

    def made(spec: Any) -> Any:
        if spec is None:
            return None
        if isinstance(spec, np.ndarray):
            return spec
        if isinstance(spec, Integers):
            return random.randint(0, spec.high, size=spec.shape)
        if isinstance(spec[0], tuple):
            return tuple(made(one) for one in spec)
        return random.uniform(case.low, case.high, size=spec).astype(np.float32)

    inputs = [made(spec) for spec in case.inputs]
    if case.is_log:
        inputs[0] -= np.log(np.exp(inputs[0]).sum(axis=-1, keepdims=True))
    return inputs


def flat(values: Any, kind: type) -> list[Any]:
    """All arrays of a nested tuple, without None."""
    if isinstance(values, kind):
        return [values]
    return [one for part in values if part is not None for one in flat(part, kind)]


def weight_of(number: int, shape: tuple[int, ...]) -> np.ndarray:
    """The weights of an output's elements in the sum whose gradients are compared."""
    return random_of(f"output {number}").uniform(0.5, 1.5, size=shape).astype(np.float32)
