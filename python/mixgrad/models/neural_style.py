"""Neural style: an image is changed until its features are those of two others."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import math
from collections.abc import Sequence

from .. import symbol as sym
from ..symbol import Group, Symbol
from .layers import data
from .vgg import vgg_features

__all__ = ["neural_style", "neural_style_features"]

STYLE = ("relu1_1", "relu2_1", "relu3_1", "relu4_1", "relu5_1")
CONTENT = ("relu4_2",)


def neural_style_features(
    height: int, width: int, style: Sequence[str] = STYLE, content: Sequence[str] = CONTENT
) -> Symbol:
    """What of an image is style, and what is content, as VGG-19 with average pooling sees it.

    Run it once on the image of the style and once on that of the content; its outputs are the targets of
    :func:`neural_style`.

    Parameters
    ----------
    height, width : int
        Size of the image.
    style, content : sequence of str
        Layers whose Gram matrices are the style, and whose activations are the content.

    Returns
    -------
    Symbol
        Inputs ``data`` (1, 3, height, width) float32 and VGG-19's weights ``conv1_1_weight``, ...; outputs
        ``gram_<layer>_output`` (channels, channels) of each style layer, divided by the number of elements of
        the activation, then ``feature_<layer>_output`` (1, channels, height', width') of each content layer.

    Examples
    --------
    >>> import mixgrad as mx
    >>> net = mx.models.neural_style_features(64, 64)
    >>> net.infer_shape(data=(1, 3, 64, 64))[1][-1]
    (1, 512, 8, 8)
    """
    grams, features = _parts(data(), height, width, style, content)
    return Group([*grams, *features])


def neural_style(
    height: int,
    width: int,
    style: Sequence[str] = STYLE,
    content: Sequence[str] = CONTENT,
    style_weight: float = 1.0,
    content_weight: float = 10.0,
    variation_weight: float = 0.0,
) -> Symbol:
    """The loss whose gradient in regard to ``data`` changes the image.

    The layers of VGG-19 up to conv5_1 have 12,944,960 parameters.

    Parameters
    ----------
    height, width : int
        Size of the image.
    style, content : sequence of str
        As in :func:`neural_style_features`.
    style_weight, content_weight, variation_weight : float
        Factors of the mean squared differences of Gram matrices and of activations, and of the mean squared
        difference of neighbouring pixels; 0 leaves a part out.

    Returns
    -------
    Symbol
        Inputs ``data`` (1, 3, height, width), float32, VGG-19's weights, and per layer
        ``target_gram_<layer>`` and ``target_feature_<layer>`` shaped like the outputs of
        :func:`neural_style_features`; output ``loss_output`` (1,).

    Reference
    ---------
    Gatys, Ecker, Bethge: A neural algorithm of artistic style, arXiv:1508.06576.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.models.neural_style(64, 64).infer_shape(data=(1, 3, 64, 64))[1]
    [(1,)]
    """
    image = data()
    grams, features = _parts(image, height, width, style, content)
    losses = []
    for kind, parts, layers, weight in (
        ("gram", grams, style, style_weight),
        ("feature", features, content, content_weight),
    ):
        for part, layer in zip(parts, layers):
            gap = sym.elemwise_sub(part, sym.var(f"target_{kind}_{layer}"), name=f"gap_{kind}_{layer}")
            if weight:
                losses.append(sym.mean(sym.square(gap)) * (weight / len(layers)))
    if variation_weight:
        for axis in (2, 3):
            first = sym.slice_axis(image, axis=axis, begin=0, end=-1)
            second = sym.slice_axis(image, axis=axis, begin=1, end=None)
            losses.append(sym.mean(sym.square(second - first)) * variation_weight)
    if not losses:
        raise ValueError("[neural_style] every weight is 0; expected at least one that is not")
    return sym.MakeLoss(sym.add_n(*losses, name="total"), name="loss")


def _parts(
    image: Symbol, height: int, width: int, style: Sequence[str], content: Sequence[str]
) -> tuple[list[Symbol], list[Symbol]]:
    inner = vgg_features(image, pool_type="avg", last_pool=False).get_internals()
    known = [name[: -len("_output")] for name in inner.list_outputs() if name.startswith("relu")]
    for layer in (*style, *content):
        if layer not in known:
            raise ValueError(f"[neural_style] no layer is called {layer!r}; expected one of {known}")
    grams = []
    shapes = dict(zip(inner.list_outputs(), inner.infer_shape(data=(1, 3, height, width))[1]))
    for layer in style:
        shape = shapes[f"{layer}_output"]
        rows = sym.reshape(inner[f"{layer}_output"], shape=(shape[1], -1), name=f"rows_{layer}")
        gram = sym.dot(rows, rows, transpose_b=True)
        grams.append(sym._internal._MulScalar(gram, scalar=1.0 / math.prod(shape), name=f"gram_{layer}"))
    features = [sym.identity(inner[f"{layer}_output"], name=f"feature_{layer}") for layer in content]
    return grams, features
