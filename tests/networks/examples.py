"""Graphs in the manner of MXNet's example folder.

Each builder takes the library and gives a symbol, its inputs, and whether these are indices.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

Built = tuple[Any, dict[str, np.ndarray], bool]
Pictures = Callable[..., np.ndarray]

SIZES = ((0.1, 0.141), (0.2, 0.272), (0.37, 0.447), (0.54, 0.619))
RATIOS = ((1, 2, 0.5), (1, 2, 0.5, 3, 1 / 3), (1, 2, 0.5, 3, 1 / 3), (1, 2, 0.5))


def conv(mx: Any, x: Any, filters: int, name: str, size: int = 3, stride: int = 1) -> Any:
    pad = (size // 2, size // 2)
    x = mx.sym.Convolution(
        x, num_filter=filters, kernel=(size, size), stride=(stride, stride), pad=pad, name=name
    )
    return mx.sym.Activation(x, act_type="relu", name=f"{name}_relu")


def features(mx: Any, x: Any) -> Any:
    """An eighth of the picture's size."""
    x = conv(mx, conv(mx, x, 16, "conv1", stride=2), 24, "conv2")
    x = mx.sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="max", name="pool2")
    x = mx.sym.Pooling(
        conv(mx, x, 32, "conv3"),
        kernel=(2, 2),
        stride=(2, 2),
        pool_type="max",
        pooling_convention="full",
        name="pool3",
    )
    return conv(mx, x, 32, "conv4")


def boxes(count: int, size: int) -> np.ndarray:
    """Regions of the first picture."""
    random = np.random.RandomState(0)
    corners = np.sort(random.uniform(0, size - 8, (count, 2, 2)), axis=1).reshape(count, 4)
    return np.concatenate([np.zeros((count, 1)), corners], axis=1).astype(np.float32)


def single_shot(mx: Any, pictures: Pictures, trains: bool) -> Built:
    """SSD: boxes around four scales of features."""
    layers = [features(mx, mx.sym.Variable("data"))]
    for i in range(3):
        layers.append(conv(mx, conv(mx, layers[-1], 16, f"multi{i}_1", size=1), 32, f"multi{i}_2", stride=2))
    classes, places, anchors = [], [], []
    for i, (x, sizes, ratios) in enumerate(zip(layers, SIZES, RATIOS)):
        if i == 0:
            x = mx.sym.L2Normalization(x, mode="channel", name="norm")
            x = mx.sym.broadcast_mul(x, mx.sym.Variable("norm_gamma", shape=(1, 32, 1, 1)) * 20)
        count = len(sizes) + len(ratios) - 1
        for filters, parts, name in ((count * 21, classes, "cls"), (count * 4, places, "loc")):
            y = mx.sym.Convolution(x, num_filter=filters, kernel=(3, 3), pad=(1, 1), name=f"{name}{i}")
            parts.append(mx.sym.Flatten(mx.sym.transpose(y, axes=(0, 2, 3, 1))))
        prior = mx.sym.contrib.MultiBoxPrior(x, sizes=sizes, ratios=ratios, steps=(-1.0, -1.0))
        anchors.append(mx.sym.Flatten(prior))
    place = mx.sym.Concat(*places, dim=1)
    kind = mx.sym.transpose(mx.sym.Reshape(mx.sym.Concat(*classes, dim=1), shape=(0, -1, 21)), axes=(0, 2, 1))
    anchor = mx.sym.Reshape(mx.sym.Concat(*anchors, dim=1), shape=(0, -1, 4))
    inputs = {"data": pictures(2, 3, 128, 128)}
    detect = partial(mx.sym.contrib.MultiBoxDetection, nms_threshold=0.45, nms_topk=400)
    if not trains:
        return detect(mx.sym.SoftmaxActivation(kind, mode="channel"), place, anchor), inputs, False
    target = mx.sym.contrib.MultiBoxTarget(
        anchor,
        mx.sym.Variable("label"),
        kind,
        overlap_threshold=0.5,
        ignore_label=-1,
        negative_mining_ratio=3,
        negative_mining_thresh=0.5,
    )
    prob = mx.sym.SoftmaxOutput(
        kind, target[2], ignore_label=-1, use_ignore=True, multi_output=True, normalization="valid"
    )
    loss = mx.sym.smooth_l1(target[1] * (place - target[0]), scalar=1.0)
    loss = mx.sym.MakeLoss(loss, grad_scale=1.0, normalization="valid")
    found = mx.sym.MakeLoss(detect(prob, place, anchor), grad_scale=0)
    nothing = [-1.0] * 5
    label = [
        [[3, 0.1, 0.1, 0.5, 0.6], [7, 0.4, 0.3, 0.9, 0.8], nothing],
        [[1, 0.2, 0.5, 0.7, 0.95], nothing, nothing],
    ]
    inputs["label"] = np.array(label, np.float32)
    return mx.sym.Group([prob, loss, mx.sym.MakeLoss(target[2], grad_scale=0), found]), inputs, False


def proposals(mx: Any, x: Any) -> tuple[Any, Any]:
    x = conv(mx, x, 32, "rpn_conv")
    score = mx.sym.Convolution(x, kernel=(1, 1), num_filter=18, name="rpn_cls_score")
    return score, mx.sym.Convolution(x, kernel=(1, 1), num_filter=36, name="rpn_bbox_pred")


def regions(mx: Any, pictures: Pictures, batch: int) -> Built:
    """Faster R-CNN."""
    x = features(mx, mx.sym.Variable("data"))
    score, box = proposals(mx, x)
    prob = mx.sym.SoftmaxActivation(mx.sym.Reshape(score, shape=(0, 2, -1, 0)), mode="channel")
    propose = mx.sym.contrib.Proposal if batch == 1 else mx.sym.contrib.MultiProposal
    rois = propose(
        cls_prob=mx.sym.Reshape(prob, shape=(0, 18, -1, 0)),
        bbox_pred=box * 0.3,
        im_info=mx.sym.Variable("im_info"),
        feature_stride=8,
        scales=(2, 4, 8),
        ratios=(0.5, 1, 2),
        rpn_pre_nms_top_n=600,
        rpn_post_nms_top_n=50,
        threshold=0.7,
        rpn_min_size=8,
        name="rois",
    )
    x = mx.sym.ROIPooling(data=x, rois=rois, pooled_size=(7, 7), spatial_scale=0.125)
    x = mx.sym.Activation(
        mx.sym.FullyConnected(mx.sym.Flatten(x), num_hidden=64, name="fc6"), act_type="relu"
    )
    x = mx.sym.Dropout(x, p=0.5)
    kind = mx.sym.softmax(mx.sym.FullyConnected(x, num_hidden=21, name="cls_score"))
    place = mx.sym.FullyConnected(x, num_hidden=84, name="bbox_pred")
    outs = [
        rois,
        mx.sym.Reshape(kind, shape=(batch, -1, 21)),
        mx.sym.Reshape(place, shape=(batch, -1, 84)),
    ]
    info = np.array([[96, 128, 1.0]] * batch, np.float32)
    return mx.sym.Group(outs), {"data": pictures(batch, 3, 96, 128), "im_info": info}, False


def regions_trained(mx: Any, pictures: Pictures) -> Built:
    """Faster R-CNN's losses, with targets as inputs."""
    x = features(mx, mx.sym.Variable("data"))
    score, box = proposals(mx, x)
    score = mx.sym.SoftmaxOutput(
        mx.sym.Reshape(score, shape=(0, 2, -1, 0)),
        mx.sym.Variable("label"),
        multi_output=True,
        normalization="valid",
        use_ignore=True,
        ignore_label=-1,
    )
    box = mx.sym.smooth_l1(box - mx.sym.Variable("bbox_target"), scalar=3.0)
    box = mx.sym.MakeLoss(mx.sym.Variable("bbox_weight") * box, grad_scale=1 / 256)
    x = mx.sym.ROIPooling(x, mx.sym.Variable("rois"), pooled_size=(7, 7), spatial_scale=0.125)
    x = mx.sym.Activation(
        mx.sym.FullyConnected(mx.sym.Flatten(x), num_hidden=64, name="fc6"), act_type="relu"
    )
    kind = mx.sym.FullyConnected(x, num_hidden=21, name="cls_score")
    kind = mx.sym.SoftmaxOutput(kind, mx.sym.Variable("roi_label"), normalization="batch")
    place = mx.sym.FullyConnected(x, num_hidden=84, name="bbox_pred") - mx.sym.Variable("roi_target")
    loss = mx.sym.MakeLoss(mx.sym.smooth_l1(place, scalar=1.0), grad_scale=1 / 8)
    random = np.random.RandomState(0)
    inputs = {
        "data": pictures(1, 3, 96, 96),
        "rois": boxes(8, 96),
        "label": random.randint(-1, 2, (1, 9 * 12 * 12)),
        "bbox_target": random.randn(1, 36, 12, 12),
        "bbox_weight": random.randint(0, 2, (1, 36, 12, 12)),
        "roi_label": random.randint(0, 21, 8),
        "roi_target": random.randn(8, 84),
    }
    inputs = {k: v.astype(np.float32) for k, v in inputs.items()}
    return mx.sym.Group([score, box, kind, loss]), inputs, False


def deformable(mx: Any, pictures: Pictures) -> Built:
    """R-FCN with windows that move."""
    x = features(mx, mx.sym.Variable("data"))
    offset = mx.sym.Convolution(x, num_filter=36, kernel=(3, 3), pad=(1, 1), name="offset") * 0.2
    x = mx.sym.contrib.DeformableConvolution(
        x,
        offset,
        num_filter=32,
        kernel=(3, 3),
        pad=(1, 1),
        num_deformable_group=2,
        no_bias=True,
        name="moved",
    )
    x = mx.sym.Activation(x, act_type="relu")
    outs = []
    for name, channels in (("cls", 5), ("bbox", 8)):
        y = mx.sym.Convolution(x, num_filter=49 * channels, kernel=(1, 1), name=name)
        y = mx.sym.contrib.PSROIPooling(
            y,
            mx.sym.Variable("rois") if name == "cls" else outs[0].get_internals()["rois"],
            group_size=7,
            pooled_size=7,
            output_dim=channels,
            spatial_scale=0.125,
        )
        y = mx.sym.Pooling(y, pool_type="avg", global_pool=True, kernel=(7, 7))
        outs.append(mx.sym.Reshape(y, shape=(-1, channels)))
    inputs = {"data": pictures(1, 3, 96, 96), "rois": boxes(8, 96)}
    return mx.sym.Group([mx.sym.softmax(outs[0]), outs[1]]), inputs, False


def segmentation(mx: Any, pictures: Pictures) -> Built:
    """A fully convolutional network: deconvolutions, cut to the size of others."""
    data = mx.sym.Variable("data")
    x = features(mx, data)
    score = mx.sym.Convolution(x, kernel=(1, 1), num_filter=21, name="score")
    up = mx.sym.Deconvolution(
        score, kernel=(4, 4), stride=(2, 2), adj=(1, 1), num_filter=21, name="score2", no_bias=True
    )
    like = mx.sym.UpSampling(x, scale=2, sample_type="nearest", num_args=1)
    up = mx.sym.Crop(up, like, center_crop=True)
    up = mx.sym.Deconvolution(
        up, kernel=(8, 8), stride=(4, 4), num_filter=21, num_group=21, name="score4", no_bias=True
    )
    up = mx.sym.Crop(up, data, offset=(2, 2))
    label = mx.sym.Variable("softmax_label")
    out = mx.sym.SoftmaxOutput(up, label, multi_output=True, use_ignore=True, ignore_label=255)
    labels = np.random.RandomState(0).randint(0, 21, (1, 64, 72)).astype(np.float32)
    return out, {"data": pictures(1, 3, 64, 72), "softmax_label": labels}, False


def transformer_of_space(mx: Any, pictures: Pictures) -> Built:
    """Pictures are turned before they are classified."""
    data = mx.sym.Variable("data")
    place = mx.sym.FullyConnected(
        mx.sym.Flatten(conv(mx, data, 4, "loc", stride=4)), num_hidden=6, name="place"
    )
    x = mx.sym.SpatialTransformer(
        data, place * 0.3, target_shape=(28, 28), transform_type="affine", sampler_type="bilinear"
    )
    x = mx.sym.FullyConnected(mx.sym.Flatten(features(mx, x)), num_hidden=10, name="fc")
    inputs = {"data": pictures(2, 1, 28, 28), "softmax_label": np.array([1, 3], np.float32)}
    return mx.sym.SoftmaxOutput(x, mx.sym.Variable("softmax_label")), inputs, False


def pixels(mx: Any, pictures: Pictures) -> Built:
    """Operators of decoders, trackers and flow."""
    x, y = (conv(mx, mx.sym.Variable(name), 8, f"of_{name}", stride=2) for name in ("data", "other"))
    flow = mx.sym.Convolution(x, num_filter=2, kernel=(3, 3), pad=(1, 1), name="flow")
    outs = [
        mx.sym.Correlation(x, y, kernel_size=1, max_displacement=3, stride1=1, stride2=1, pad_size=3),
        mx.sym.UpSampling(x, scale=2, sample_type="bilinear", num_filter=8, name="up"),
        mx.sym.depth_to_space(x, block_size=2),
        mx.sym.BilinearSampler(x, mx.sym.GridGenerator(flow, transform_type="warp")),
        mx.sym.InstanceNorm(x, name="each"),
        mx.sym.LRN(x, nsize=5),
        mx.sym.GroupNorm(x, num_groups=4, name="groups"),
        mx.sym.pad(x, mode="reflect", pad_width=(0, 0, 0, 0, 2, 2, 1, 1)),
        mx.sym.Deconvolution(
            x,
            num_filter=6,
            kernel=(4, 4),
            stride=(2, 2),
            pad=(1, 1),
            num_group=2,
            no_bias=False,
            name="larger",
        ),
    ]
    return (
        mx.sym.Group(outs),
        {"data": pictures(1, 3, 32, 32), "other": pictures(1, 3, 32, 32, seed=4)},
        False,
    )


WORDS = np.random.RandomState(2).randint(0, 50, (4, 7)).astype(np.float32)


def cells(mx: Any, kind: str) -> Any:
    rnn = mx.rnn
    if kind == "both":
        return rnn.BidirectionalCell(rnn.LSTMCell(16, prefix="l_"), rnn.GRUCell(16, prefix="r_"))
    if kind == "residual":
        return rnn.ResidualCell(rnn.RNNCell(12, prefix="rnn_"))
    if kind in ("lstm", "gru"):
        return {"lstm": rnn.LSTMCell, "gru": rnn.GRUCell}[kind](16, prefix="cell_")
    mode, both = {"fused-lstm": ("lstm", False), "fused-gru": ("gru", True), "unfused": ("lstm", True)}[kind]
    cell = rnn.FusedRNNCell(16, num_layers=2, mode=mode, bidirectional=both, prefix="cell_")
    return cell.unfuse() if kind == "unfused" else cell


def language(mx: Any, _: Pictures, kind: str, attends: bool = False) -> Built:
    """The next word, by recurrent cells."""
    x = mx.sym.Embedding(mx.sym.Variable("data"), input_dim=50, output_dim=12, name="embed")
    x, _ = cells(mx, kind).unroll(7, inputs=x, merge_outputs=True, layout="NTC")
    if attends:
        weight = mx.sym.softmax(mx.sym.batch_dot(x, x, transpose_b=True) / 4.0, axis=-1)
        x = mx.sym.Concat(x, mx.sym.batch_dot(weight, x), dim=2)
    x = mx.sym.FullyConnected(mx.sym.Reshape(x, shape=(-3, 0)), num_hidden=50, name="pred")
    label = mx.sym.Reshape(mx.sym.Variable("softmax_label"), shape=(-1,))
    return mx.sym.SoftmaxOutput(x, label), {"data": WORDS, "softmax_label": np.roll(WORDS, -1, 1)}, True


def letters(mx: Any, pictures: Pictures) -> Built:
    """Texts in pictures: a recurrent layer over columns, and CTC loss."""
    x = conv(mx, conv(mx, mx.sym.Variable("data"), 8, "conv1", stride=2), 16, "conv2", stride=2)
    x = mx.sym.transpose(mx.sym.Reshape(x, shape=(0, -3, 0)), axes=(2, 0, 1))
    cell = mx.rnn.FusedRNNCell(24, mode="lstm", bidirectional=True, prefix="cell_")
    x, _ = cell.unroll(20, x, layout="TNC", merge_outputs=True)
    x = mx.sym.FullyConnected(mx.sym.Reshape(x, shape=(-3, 0)), num_hidden=11, name="pred")
    x = mx.sym.Reshape(x, shape=(20, -1, 11))
    loss = mx.sym.MakeLoss(mx.sym.contrib.ctc_loss(x, mx.sym.Variable("label")))
    label = np.array([[1, 2, 3, 0], [4, 4, 0, 0]], np.float32)
    outs = [loss, mx.sym.BlockGrad(mx.sym.softmax(x, axis=2))]
    return mx.sym.Group(outs), {"data": pictures(2, 1, 32, 80), "label": label}, False


def recurrent(mx: Any, _: Pictures, kind: str) -> Built:
    """A recurrent layer of Gluon, whose parameters are joined in the graph."""
    make = {
        "lstm": lambda rnn: rnn.LSTM(16, num_layers=2, bidirectional=True),
        "gru": lambda rnn: rnn.GRU(16, num_layers=2, bidirectional=True),
        "rnn": lambda rnn: rnn.RNN(16, num_layers=2, activation="tanh"),
        "projected": lambda rnn: rnn.LSTM(16, projection_size=8),
    }[kind]
    layer = make(mx.gluon.rnn)
    x = mx.sym.Embedding(mx.sym.Variable("data"), input_dim=50, output_dim=12, name="embed")
    x = layer(mx.sym.transpose(x, axes=(1, 0, 2)))
    return mx.sym.FullyConnected(x, num_hidden=9, flatten=False, name="pred"), {"data": WORDS}, True


def attention(mx: Any, _: Pictures) -> Built:
    """A layer of BERT, with projections that lie interleaved, and one that attends to itself."""
    units, heads = 32, 4
    sym, contrib = mx.sym, mx.sym.contrib
    data, valid = sym.Variable("data"), sym.Variable("valid")

    def dense(x: Any, name: str, size: int = units) -> Any:
        return sym.FullyConnected(x, num_hidden=size, flatten=False, name=name)

    steps = contrib.arange_like(data, axis=1)
    x = sym.Embedding(data, input_dim=50, output_dim=units, name="word")
    place = sym.Embedding(steps, input_dim=7, output_dim=units, name="place")
    x = sym.LayerNorm(sym.broadcast_add(x, sym.expand_dims(place, axis=0)), eps=1e-12, name="norm0")
    x = sym.transpose(x, axes=(1, 0, 2))
    mask = sym.broadcast_lesser(sym.reshape(steps, shape=(1, -1)), sym.reshape(valid, shape=(-1, 1)))
    mask = sym.reshape(sym.broadcast_axis(sym.expand_dims(mask, 1), axis=1, size=heads), shape=(-3, 0))
    qkv = dense(x, "qkv", 3 * units)
    score = contrib.interleaved_matmul_selfatt_qk(qkv, heads=heads)
    score = sym.softmax(sym.broadcast_add(score, (1 - sym.expand_dims(mask, 1)) * -1e4), axis=-1)
    y = contrib.interleaved_matmul_selfatt_valatt(qkv, score, heads=heads)
    x = sym.LayerNorm(x + dense(y, "proj"), name="norm1")
    y = sym.LeakyReLU(dense(x, "ffn1", 4 * units), act_type="gelu")
    x = sym.LayerNorm(x + dense(y, "ffn2"), name="norm2")
    keys = dense(x, "kv", 2 * units)
    score = sym.softmax(contrib.interleaved_matmul_encdec_qk(dense(x, "query"), keys, heads=heads), axis=-1)
    y = x + contrib.interleaved_matmul_encdec_valatt(keys, score, heads=heads)
    masked = sym.SequenceMask(y, sequence_length=valid, use_sequence_length=True)
    inputs = {"data": WORDS, "valid": np.array([7, 3, 5, 1], np.float32)}
    return sym.Group([masked, contrib.div_sqrt_dim(y)]), inputs, True


EXAMPLES: dict[str, Callable[[Any, Pictures], Built]] = {
    "example ssd": partial(single_shot, trains=False),
    "example ssd, training": partial(single_shot, trains=True),
    "example rcnn": partial(regions, batch=1),
    "example rcnn, batch": partial(regions, batch=2),
    "example rcnn, training": regions_trained,
    "example rfcn": deformable,
    "example fcn-xs": segmentation,
    "example spatial-transformer": transformer_of_space,
    "example pixels": pixels,
    "example ocr": letters,
    "example bert": attention,
    "example lstm, attention": partial(language, kind="lstm", attends=True),
}
EXAMPLES |= {
    f"example cell {kind}": partial(language, kind=kind)
    for kind in ("lstm", "gru", "both", "residual", "fused-lstm", "fused-gru", "unfused")
}
EXAMPLES |= {
    f"example gluon {kind}": partial(recurrent, kind=kind) for kind in ("lstm", "gru", "rnn", "projected")
}
