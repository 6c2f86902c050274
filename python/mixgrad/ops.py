"""Operators on arrays and symbols. Written by tools/generate_ops.py: do not edit.

Every function takes arrays first and parameters after them, or symbols in place of the arrays: then it gives
a symbol. ``out`` names an array (or a list of arrays) that receives the result; ``name`` names the node of a
symbol and is unused on arrays.
"""

# mypy: disable-error-code="no-any-return"
# ruff: noqa: A001, A002, E501, N802, N803, N816
from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, NoReturn, Optional, TypeVar, Union

from ._core import Op as _Op
from ._core import call as _call
from ._core import op_function as _op_function
from ._device import on_device as _on_device

if TYPE_CHECKING:
    from .ndarray.ndarray import NDArray

_Out = Optional[Any]
_Ints = Union[int, Sequence[int]]
_Bounds = Union[int, Sequence[Optional[int]]]
_Reals = Union[float, Sequence[float]]
_F = TypeVar("_F", bound=Callable[..., Any])
_A = TypeVar("_A")


def _of(op: _Op) -> Callable[[_F], _F]:
    """Calls with arrays go to the operator at once; the function below gets all others."""
    return partial(_op_function, op)


_op_Activation = _Op("Activation")


@_of(_op_Activation)
def Activation(
    data: NDArray,
    act_type: str,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The activation function named by act_type, element by element.

    Parameters
    ----------
    data : NDArray
        Any array.
    act_type : {'relu', 'sigmoid', 'tanh', 'softrelu', 'softsign', 'log_sigmoid'}
        Which function.

    Notes
    -----
    Source: MXNet Activation.
    """
    return _call(_op_Activation, (data,), out, (act_type,), name, words)


_op_BatchNorm = _Op("BatchNorm")


@_of(_op_BatchNorm)
def BatchNorm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    moving_mean: NDArray,
    moving_var: NDArray,
    eps: float = 0.001,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    axis: int = 1,
    cudnn_off: bool = False,
    min_calib_range: Optional[float] = None,
    max_calib_range: Optional[float] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Each channel shifted and scaled to mean 0 and variance 1, then times gamma plus beta. In training the
    statistics are those of the batch (its variance divides by the number of elements), and the moving
    averages move towards them in the same call; in prediction the moving averages serve.

    Parameters
    ----------
    data : NDArray
        Floats; axis 1, or `axis`, holds the channels.
    gamma : NDArray
        (C,): scale; taken as 1 while fix_gamma is set.
    beta : NDArray
        (C,): shift.
    moving_mean : NDArray
        (C,): moving average of means.
    moving_var : NDArray
        (C,): moving average of variances.
    eps : float
        Added to the variance.
    momentum : float
        Share of the old value in a moving average.
    fix_gamma : bool
        Takes gamma as 1 and gives it no gradient.
    use_global_stats : bool
        Normalises with the moving averages in training too, and leaves them.
    output_mean_var : bool
        Also gives mean and 1 / sqrt(variance + eps) per channel; they pass no gradient on.
    axis : int
        Axis of the channels.
    cudnn_off : bool
        Accepted for MXNet's sake; changes nothing.
    min_calib_range : optional float
        Accepted for MXNet's sake; changes nothing.
    max_calib_range : optional float
        Accepted for MXNet's sake; changes nothing.

    Notes
    -----
    Source: MXNet BatchNorm; https://arxiv.org/abs/1502.03167.
    """
    return _call(_op_BatchNorm, (data, gamma, beta, moving_mean, moving_var), out, (eps, momentum, fix_gamma, use_global_stats, output_mean_var, axis, cudnn_off, min_calib_range, max_calib_range), name, words)


_op_BilinearSampler = _Op("BilinearSampler")


@_of(_op_BilinearSampler)
def BilinearSampler(
    data: NDArray,
    grid: NDArray,
    cudnn_off: Optional[bool] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """(batch, channels, rows, columns): data at the positions of the grid, weighing the four pixels around each.
    What lies outside of the image counts as 0.

    Parameters
    ----------
    data : NDArray
        Images (batch, channels, height, width), float.
    grid : NDArray
        (batch, 2, rows, columns): x, then y; -1 is the first pixel of the axis and 1 the last.
    cudnn_off : optional bool
        Accepted for MXNet's scripts; has no effect.

    Notes
    -----
    Source: MXNet BilinearSampler; Jaderberg and others 2015.
    """
    return _call(_op_BilinearSampler, (data, grid), out, (cudnn_off,), name, words)


_op_BlockGrad = _Op("BlockGrad")


@_of(_op_BlockGrad)
def BlockGrad(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """A copy through which no gradient flows.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet BlockGrad.
    """
    return _call(_op_BlockGrad, (data,), out, (), name, words)


_op_CTCLoss = _Op("CTCLoss")


@_of(_op_CTCLoss)
def CTCLoss(
    data: NDArray,
    label: Optional[NDArray] = None,
    data_lengths: Optional[NDArray] = None,
    label_lengths: Optional[NDArray] = None,
    use_data_lengths: bool = False,
    use_label_lengths: bool = False,
    blank_label: str = 'first',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """(batch,): minus the logarithm of the probability that softmax of data gives the labels, with blanks
    between them and repetitions. 0, without a gradient, where the labels do not fit the steps.

    Parameters
    ----------
    data : NDArray
        (steps, batch, classes): scores, one class being the blank.
    label : NDArray
        (batch, labels): class numbers, padded. Receives no gradient.
    data_lengths : NDArray
        (batch,): steps that count. Receives no gradient.
    label_lengths : NDArray
        (batch,): labels that count. Receives no gradient.
    use_data_lengths : bool
        Whether data_lengths is given; else all steps count.
    use_label_lengths : bool
        Whether label_lengths is given; else labels end at the first padding.
    blank_label : {'first', 'last'}
        Which class is the blank. first: labels are 1 to C - 1, padding is 0; last: 0 to C - 2, and -1.

    Notes
    -----
    Source: MXNet CTCLoss; Graves and others 2006.
    """
    return _call(_op_CTCLoss, (data, label, data_lengths, label_lengths), out, (use_data_lengths, use_label_lengths, blank_label), name, words)


_op_Cast = _Op("Cast")


@_of(_op_Cast)
def Cast(
    data: NDArray,
    dtype: Any,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Changes the element type. Floats are truncated toward zero to integers; anything but 0 is true.

    Parameters
    ----------
    data : NDArray
        Any array.
    dtype : dtype
        Element type of the output.

    Notes
    -----
    Source: MXNet Cast.
    """
    return _call(_op_Cast, (data,), out, (dtype,), name, words)


_op_Concat = _Op("Concat")


@_of(_op_Concat)
def Concat(
    *data: NDArray,
    num_args: Optional[int] = None,
    dim: int = 1,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Joins arrays along an axis; their other extents agree.

    Parameters
    ----------
    data : NDArray
        Arrays of one dtype.
    num_args : int
        Number of inputs; 0 takes as many as are given.
    dim : int
        The axis along which they follow one another.

    Notes
    -----
    Source: MXNet Concat.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op_Concat, data, out, (len(data) if num_args is None else num_args, dim), name, words)


_op_Convolution = _Op("Convolution")


@_of(_op_Convolution)
def Convolution(
    data: NDArray,
    weight: Optional[NDArray] = None,
    bias: Optional[NDArray] = None,
    kernel: Optional[_Ints] = None,
    stride: _Ints = (),
    dilate: _Ints = (),
    pad: _Ints = (),
    num_filter: Optional[int] = None,
    num_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    cudnn_tune: Optional[str] = None,
    cudnn_off: bool = False,
    layout: Optional[str] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Sum of products of a window's weights with the input under it, at every place of the window. Data (n,
    channels, in...) gives (n, num_filter, out...), where an output extent is floor((in + 2 pad - dilate
    (kernel - 1) - 1) / stride) + 1.

    Parameters
    ----------
    data : NDArray
        Float array with one, two or three spatial axes.
    weight : NDArray
        (num_filter, channels / num_group, window...).
    bias : NDArray
        (num_filter,); absent with no_bias.
    kernel : tuple of int
        Extents of the window: (w,), (h, w) or (d, h, w).
    stride : tuple of int
        Steps of the window; empty means ones.
    dilate : tuple of int
        Distance of the input elements under neighbouring weights; empty means ones.
    pad : tuple of int
        Zeros added at both ends of each axis; empty means none.
    num_filter : int
        Channels of the output.
    num_group : int
        Groups of channels that are convolved apart.
    workspace : int
        Accepted and ignored.
    no_bias : bool
        Leave the bias out; the operator then has two inputs.
    cudnn_tune : optional {'fastest', 'limited_workspace', 'off'}
        Accepted and ignored.
    cudnn_off : bool
        Accepted and ignored.
    layout : optional {'NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC', 'NWC'}
        Order of axes; None is channels first. Channels-last weights are (num_filter, window..., channels).

    Notes
    -----
    Source: MXNet Convolution.
    """
    return _call(_op_Convolution, (data, weight, bias), out, (kernel, stride, dilate, pad, num_filter, num_group, workspace, no_bias, cudnn_tune, cudnn_off, layout), name, words)


_op_Correlation = _Op("Correlation")


@_of(_op_Correlation)
def Correlation(
    data1: NDArray,
    data2: NDArray,
    kernel_size: int = 1,
    max_displacement: int = 1,
    stride1: int = 1,
    stride2: int = 1,
    pad_size: int = 0,
    is_multiply: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """(batch, displacements, rows, columns): the mean over patch and channels of data1 times data2, or of their
    absolute difference, for every displacement of the patch in data2, rows first.

    Parameters
    ----------
    data1 : NDArray
        Images (batch, channels, height, width), float.
    data2 : NDArray
        Images of the same shape.
    kernel_size : int
        Extent of the square patches, odd.
    max_displacement : int
        Largest displacement, in pixels.
    stride1 : int
        Pixels between patches of data1.
    stride2 : int
        Pixels between displacements.
    pad_size : int
        Zeros around both images.
    is_multiply : bool
        Whether values are multiplied; else their absolute difference is taken.

    Notes
    -----
    Source: MXNet Correlation; Dosovitskiy and others 2015.
    """
    return _call(_op_Correlation, (data1, data2), out, (kernel_size, max_displacement, stride1, stride2, pad_size, is_multiply), name, words)


_op_Crop = _Op("Crop")


@_of(_op_Crop)
def Crop(
    *data: NDArray,
    num_args: Optional[int] = None,
    offset: _Ints = (0, 0),
    h_w: _Ints = (0, 0),
    center_crop: bool = False,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The window (batch, channels, h, w) of images at an offset or in the middle. Its size is h_w, or with two
    inputs the height and width of the second one, which passes no gradient on.

    Parameters
    ----------
    data : NDArray
        Images (batch, channels, height, width) of any dtype.
    num_args : int
        Number of inputs, 1 or 2; 0 takes as many as are given. With 2, the second one gives the size.
    offset : tuple of int
        First row and column of the window.
    h_w : tuple of int
        Height and width of the window; only with one input.
    center_crop : bool
        Put the window into the middle instead of at offset.

    Notes
    -----
    Source: MXNet Crop.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op_Crop, data, out, (len(data) if num_args is None else num_args, offset, h_w, center_crop), name, words)


_op_Deconvolution = _Op("Deconvolution")


@_of(_op_Deconvolution)
def Deconvolution(
    data: NDArray,
    weight: Optional[NDArray] = None,
    bias: Optional[NDArray] = None,
    kernel: Optional[_Ints] = None,
    stride: _Ints = (),
    dilate: _Ints = (),
    pad: _Ints = (),
    adj: _Ints = (),
    target_shape: _Ints = (),
    num_filter: Optional[int] = None,
    num_group: int = 1,
    workspace: int = 512,
    no_bias: bool = True,
    cudnn_tune: Optional[str] = None,
    cudnn_off: bool = False,
    layout: Optional[str] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Transpose of Convolution: every input element adds its multiple of the window to the output. An output
    extent is stride (in - 1) + dilate (kernel - 1) + 1 + adj - 2 pad.

    Parameters
    ----------
    data : NDArray
        Float array with one, two or three spatial axes.
    weight : NDArray
        (channels, num_filter / num_group, window...).
    bias : NDArray
        (num_filter,); absent with no_bias.
    kernel : tuple of int
        Extents of the window: (w,), (h, w) or (d, h, w).
    stride : tuple of int
        Steps of the window over the output; empty means ones.
    dilate : tuple of int
        Distance of the output elements under neighbouring weights; empty means ones.
    pad : tuple of int
        Elements cut from both ends of each output axis; empty means none.
    adj : tuple of int
        Elements added behind each output axis; less than stride. Empty means none.
    target_shape : tuple of int
        Spatial extents of the output; pad and adj then follow from it.
    num_filter : int
        Channels of the output.
    num_group : int
        Groups of channels that are convolved apart.
    workspace : int
        Accepted and ignored.
    no_bias : bool
        Leave the bias out; the operator then has two inputs.
    cudnn_tune : optional {'fastest', 'limited_workspace', 'off'}
        Accepted and ignored.
    cudnn_off : bool
        Accepted and ignored.
    layout : optional {'NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC', 'NWC'}
        Order of axes; None is channels first. Channels-last weights are (channels, window..., num_filter).

    Notes
    -----
    Source: MXNet Deconvolution.
    """
    return _call(_op_Deconvolution, (data, weight, bias), out, (kernel, stride, dilate, pad, adj, target_shape, num_filter, num_group, workspace, no_bias, cudnn_tune, cudnn_off, layout), name, words)


_op_Dropout = _Op("Dropout")


@_of(_op_Dropout)
def Dropout(
    data: NDArray,
    p: float = 0.5,
    mode: str = 'training',
    axes: _Ints = (),
    cudnn_off: Optional[bool] = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """While training, each element becomes 0 with probability p and is divided by 1 - p otherwise; when
    predicting, unless mode is 'always', the output is the input.

    Parameters
    ----------
    data : NDArray
        Any float array.
    p : float
        Part of the elements that become 0.
    mode : {'training', 'always'}
        Whether to drop also when predicting.
    axes : tuple of int
        Axes along which elements share one decision.
    cudnn_off : optional bool
        Accepted for MXNet's scripts; has no effect.

    Notes
    -----
    Source: MXNet Dropout; Srivastava and others 2014.
    """
    return _call(_op_Dropout, (data,), out, (p, mode, axes, cudnn_off), name, words)


_op_Embedding = _Op("Embedding")


@_of(_op_Embedding)
def Embedding(
    data: NDArray,
    weight: NDArray,
    input_dim: int,
    output_dim: int,
    dtype: Any = 'float32',
    sparse_grad: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The row of weight for every index: shape data.shape + (output_dim,). Indices outside are clipped.

    Parameters
    ----------
    data : NDArray
        Indices of any shape and dtype; fractions are cut off.
    weight : NDArray
        (input_dim, output_dim)
    input_dim : int
        Number of rows of weight.
    output_dim : int
        Extent of a row.
    dtype : dtype
        Dtype of weight where nothing else says it.
    sparse_grad : bool
        The gradient of weight is row_sparse.

    Notes
    -----
    Source: MXNet Embedding.
    """
    return _call(_op_Embedding, (data, weight), out, (input_dim, output_dim, dtype, sparse_grad), name, words)


_op_Flatten = _Op("Flatten")


@_of(_op_Flatten)
def Flatten(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Merges all axes but the first: (N, a, b, ...) becomes (N, a*b*...).

    Parameters
    ----------
    data : NDArray
        Any array; (N,) becomes (N, 1).

    Notes
    -----
    Source: MXNet Flatten.
    """
    return _call(_op_Flatten, (data,), out, (), name, words)


_op_FullyConnected = _Op("FullyConnected")


@_of(_op_FullyConnected)
def FullyConnected(
    data: NDArray,
    weight: Optional[NDArray] = None,
    bias: Optional[NDArray] = None,
    num_hidden: Optional[int] = None,
    no_bias: bool = False,
    flatten: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Product of every sample with the transposed weight, plus a bias: data (n, ...) and weight (num_hidden,
    depth) give (n, num_hidden).

    Parameters
    ----------
    data : NDArray
        Float array; the first axis counts samples.
    weight : NDArray
        (num_hidden, depth), where depth is the size of one sample.
    bias : NDArray
        (num_hidden,); absent with no_bias.
    num_hidden : int
        Extent of the last axis of the output.
    no_bias : bool
        Leave the bias out; the operator then has two inputs.
    flatten : bool
        Treat every sample as one row; otherwise only the last axis is multiplied.

    Notes
    -----
    Source: MXNet FullyConnected.
    """
    return _call(_op_FullyConnected, (data, weight, bias), out, (num_hidden, no_bias, flatten), name, words)


_op_GridGenerator = _Op("GridGenerator")


@_of(_op_GridGenerator)
def GridGenerator(
    data: NDArray,
    transform_type: str,
    target_shape: _Ints = (0, 0),
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Grid (batch, 2, height, width) of positions (x, y), where -1 and 1 are the first and the last pixel of an
    axis. affine multiplies 2 x 3 matrices by (x, y, 1) of every pixel; warp adds shifts, in pixels, to every
    pixel's own position.

    Parameters
    ----------
    data : NDArray
        affine: (batch, 6), the rows of the matrices. warp: (batch, 2, height, width).
    transform_type : {'affine', 'warp'}
        Whether data holds matrices or a shift in pixels for each position.
    target_shape : tuple of int
        Of affine: height and width of the grid.

    Notes
    -----
    Source: MXNet GridGenerator; Jaderberg and others 2015.
    """
    return _call(_op_GridGenerator, (data,), out, (transform_type, target_shape), name, words)


_op_GroupNorm = _Op("GroupNorm")


@_of(_op_GroupNorm)
def GroupNorm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    num_groups: int = 1,
    eps: float = 1e-05,
    output_mean_var: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Each group of neighbouring channels of each sample shifted and scaled to mean 0 and variance 1, then times
    gamma plus beta.

    Parameters
    ----------
    data : NDArray
        (N, C, ...), floats. Statistics are computed in float or double.
    gamma : NDArray
        (num_groups,): one per group.
    beta : NDArray
        (num_groups,): one per group.
    num_groups : int
        Groups into which the channels of axis 1 fall.
    eps : float
        Added to the variance.
    output_mean_var : bool
        Also gives mean and standard deviation (N, groups), sqrt(variance + eps); they pass no gradient on.

    Notes
    -----
    Source: MXNet GroupNorm; https://arxiv.org/abs/1803.08494.
    """
    return _call(_op_GroupNorm, (data, gamma, beta), out, (num_groups, eps, output_mean_var), name, words)


_op_IdentityAttachKLSparseReg = _Op("IdentityAttachKLSparseReg")


@_of(_op_IdentityAttachKLSparseReg)
def IdentityAttachKLSparseReg(
    data: NDArray,
    moving_avg: NDArray,
    sparseness_target: float = 0.1,
    penalty: float = 0.001,
    momentum: float = 0.9,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """A copy of activations between 0 and 1. In training, to the gradient comes the Kullback-Leibler
    divergence's between a target and each channel's moving average, times penalty: activations become sparse.

    Parameters
    ----------
    data : NDArray
        (batch, channels, ...), float.
    moving_avg : NDArray
        (channels,): moving average of means.
    sparseness_target : float
        The mean that is aimed at.
    penalty : float
        Factor of the added gradient.
    momentum : float
        Share of the old value in a moving average.

    Notes
    -----
    Source: MXNet IdentityAttachKLSparseReg.
    """
    return _call(_op_IdentityAttachKLSparseReg, (data, moving_avg), out, (sparseness_target, penalty, momentum), name, words)


_op_InstanceNorm = _Op("InstanceNorm")


@_of(_op_InstanceNorm)
def InstanceNorm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    eps: float = 0.001,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Each channel of each sample shifted and scaled to mean 0 and variance 1, then times gamma plus beta.

    Parameters
    ----------
    data : NDArray
        (N, C, ...), floats. Statistics are computed in float or double.
    gamma : NDArray
        (C,): one per channel.
    beta : NDArray
        (C,): one per channel.
    eps : float
        Added to the variance.

    Notes
    -----
    Source: MXNet InstanceNorm; https://arxiv.org/abs/1607.08022.
    """
    return _call(_op_InstanceNorm, (data, gamma, beta), out, (eps,), name, words)


_op_L2Normalization = _Op("L2Normalization")


@_of(_op_L2Normalization)
def L2Normalization(
    data: NDArray,
    eps: float = 1e-10,
    mode: str = 'instance',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Divides each vector by the square root of its sum of squares plus eps.

    Parameters
    ----------
    data : NDArray
        (N, ...) for mode instance, else (N, C, ...) with at least three axes.
    eps : float
        Added to the sum of squares.
    mode : {'channel', 'instance', 'spatial'}
        Which elements of (N, C, ...) form a vector: the channels of a position, a whole sample, or the
        positions of a channel.

    Notes
    -----
    Source: MXNet L2Normalization; ParseNet, https://arxiv.org/abs/1506.04579.
    """
    return _call(_op_L2Normalization, (data,), out, (eps, mode), name, words)


_op_LRN = _Op("LRN")


@_of(_op_LRN)
def LRN(
    data: NDArray,
    alpha: float = 0.0001,
    beta: float = 0.75,
    knorm: float = 2.0,
    nsize: Optional[int] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """x / (knorm + alpha / nsize * s)^beta, where s is the sum of squares over the nsize channels around x's.

    Parameters
    ----------
    data : NDArray
        (N, C, ...), floats.
    alpha : float
        Weight of the sum of squares.
    beta : float
        Exponent.
    knorm : float
        Constant beside the sum.
    nsize : int
        Channels of a window: the own one in the middle.

    Notes
    -----
    Source: MXNet LRN; ImageNet classification with deep convolutional neural networks (2012).
    """
    return _call(_op_LRN, (data,), out, (alpha, beta, knorm, nsize), name, words)


_op_LayerNorm = _Op("LayerNorm")


@_of(_op_LayerNorm)
def LayerNorm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    axis: int = -1,
    eps: float = 1e-05,
    output_mean_var: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Vectors along an axis, shifted and scaled to mean 0 and variance 1, then times gamma plus beta.

    Parameters
    ----------
    data : NDArray
        Floats, at least one axis. Statistics are computed in float or double.
    gamma : NDArray
        (extent of the axis,): scale.
    beta : NDArray
        (extent of the axis,): shift.
    axis : int
        Axis of the vectors.
    eps : float
        Added to the variance.
    output_mean_var : bool
        Also gives mean and standard deviation, sqrt(variance + eps); they pass no gradient on.

    Notes
    -----
    Source: MXNet LayerNorm; https://arxiv.org/abs/1607.06450.
    """
    return _call(_op_LayerNorm, (data, gamma, beta), out, (axis, eps, output_mean_var), name, words)


_op_LeakyReLU = _Op("LeakyReLU")


@_of(_op_LeakyReLU)
def LeakyReLU(
    data: NDArray,
    gamma: Optional[NDArray] = None,
    act_type: str = 'leaky',
    slope: float = 0.25,
    lower_bound: float = 0.125,
    upper_bound: float = 0.334,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """max(data, 0) plus something below 0: slope * data (leaky), gamma * data (prelu), slope * (e^data - 1)
    (elu), a scaled elu (selu), data times a random slope in training and the mean slope otherwise (rrelu), or
    data * Phi(data) with the normal distribution's Phi (gelu). rrelu also returns the factors it applied.

    Parameters
    ----------
    data : NDArray
        Any float array.
    gamma : NDArray
        Of prelu alone: one slope, one per channel (axis 1), or an array that broadcasts along data's first
        axes.
    act_type : {'elu', 'gelu', 'leaky', 'prelu', 'rrelu', 'selu'}
        Which function.
    slope : float
        Slope below 0 of leaky, scale below 0 of elu.
    lower_bound : float
        Smallest slope that rrelu draws.
    upper_bound : float
        Largest slope that rrelu draws.

    Notes
    -----
    Source: MXNet LeakyReLU.
    """
    return _call(_op_LeakyReLU, (data, gamma), out, (act_type, slope, lower_bound, upper_bound), name, words)


_op_LinearRegressionOutput = _Op("LinearRegressionOutput")


@_of(_op_LinearRegressionOutput)
def LinearRegressionOutput(
    data: NDArray,
    label: NDArray,
    grad_scale: float = 1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The input unchanged. Its gradient is (out - label) * grad_scale / outputs per row, whatever the gradient
    of the output: that of half the squared error.

    Parameters
    ----------
    data : NDArray
        (N, ...), floats.
    label : NDArray
        As many values, (N, ...). Receives no gradient.
    grad_scale : float
        Factor of the gradient.

    Notes
    -----
    Source: MXNet regression_output.
    """
    return _call(_op_LinearRegressionOutput, (data, label), out, (grad_scale,), name, words)


_op_LogisticRegressionOutput = _Op("LogisticRegressionOutput")


@_of(_op_LogisticRegressionOutput)
def LogisticRegressionOutput(
    data: NDArray,
    label: NDArray,
    grad_scale: float = 1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Sigmoid of the input. Its gradient is (out - label) * grad_scale / outputs per row, whatever the gradient
    of the output: that of the cross entropy.

    Parameters
    ----------
    data : NDArray
        (N, ...), floats.
    label : NDArray
        As many values, (N, ...). Receives no gradient.
    grad_scale : float
        Factor of the gradient.

    Notes
    -----
    Source: MXNet regression_output.
    """
    return _call(_op_LogisticRegressionOutput, (data, label), out, (grad_scale,), name, words)


_op_MAERegressionOutput = _Op("MAERegressionOutput")


@_of(_op_MAERegressionOutput)
def MAERegressionOutput(
    data: NDArray,
    label: NDArray,
    grad_scale: float = 1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The input unchanged. Its gradient is sign(out - label) * grad_scale / outputs per row, whatever the
    gradient of the output: that of the absolute error.

    Parameters
    ----------
    data : NDArray
        (N, ...), floats.
    label : NDArray
        As many values, (N, ...). Receives no gradient.
    grad_scale : float
        Factor of the gradient.

    Notes
    -----
    Source: MXNet regression_output.
    """
    return _call(_op_MAERegressionOutput, (data, label), out, (grad_scale,), name, words)


_op_MakeLoss = _Op("MakeLoss")


@_of(_op_MakeLoss)
def MakeLoss(
    data: NDArray,
    grad_scale: float = 1.0,
    valid_thresh: float = 0.0,
    normalization: str = 'null',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """A copy whose gradient is grad_scale, normalised as asked, whatever gradient arrives.

    Parameters
    ----------
    data : NDArray
        The loss.
    grad_scale : float
        The gradient of every element.
    valid_thresh : float
        Elements above it are valid.
    normalization : {'null', 'batch', 'valid'}
        Divide the gradient by nothing, by the extent of the first of several axes, or by the number of valid
        elements.

    Notes
    -----
    Source: MXNet MakeLoss.
    """
    return _call(_op_MakeLoss, (data,), out, (grad_scale, valid_thresh, normalization), name, words)


_op_Pad = _Op("Pad")


@_of(_op_Pad)
def Pad(
    data: NDArray,
    mode: str,
    pad_width: _Ints,
    constant_value: float = 0.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Adds margins around an array of any rank.

    Parameters
    ----------
    data : NDArray
        Any array.
    mode : {'constant', 'edge', 'reflect'}
        What the margin holds: one value, the nearest element, or a mirror image without the edge.
    pad_width : tuple of int
        Two margins per axis: before and after.
    constant_value : float
        The value of mode 'constant'.

    Notes
    -----
    Source: MXNet Pad.
    """
    return _call(_op_Pad, (data,), out, (mode, pad_width, constant_value), name, words)


_op_Pooling = _Op("Pooling")


@_of(_op_Pooling)
def Pooling(
    data: NDArray,
    kernel: _Ints = (),
    pool_type: str = 'max',
    global_pool: bool = False,
    cudnn_off: bool = False,
    pooling_convention: str = 'valid',
    stride: _Ints = (),
    pad: _Ints = (),
    p_value: Optional[int] = None,
    count_include_pad: Optional[bool] = None,
    layout: Optional[str] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """One value per place of a window that moves over the spatial axes: its largest element, mean, sum, or (sum
    of x^p)^(1/p). Padding never is the largest.

    Parameters
    ----------
    data : NDArray
        Float array with one, two or three spatial axes.
    kernel : tuple of int
        Extents of the window: (w,), (h, w) or (d, h, w).
    pool_type : {'avg', 'lp', 'max', 'sum'}
        What is taken of a window.
    global_pool : bool
        The window is the whole image; kernel, stride and pad are ignored.
    cudnn_off : bool
        Accepted and ignored.
    pooling_convention : {'full', 'same', 'valid'}
        Rounding of output extents: valid rounds down, full up, same gives ceil(in / stride).
    stride : tuple of int
        Steps of the window; empty means ones.
    pad : tuple of int
        Elements added at both ends of each axis; empty means none.
    p_value : optional int
        Power of the norm, 1, 2 or 3; for pool_type lp.
    count_include_pad : optional bool
        Whether avg also counts padding; None is True.
    layout : optional {'NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC', 'NWC'}
        Order of axes; None is channels first.

    Notes
    -----
    Source: MXNet Pooling.
    """
    return _call(_op_Pooling, (data,), out, (kernel, pool_type, global_pool, cudnn_off, pooling_convention, stride, pad, p_value, count_include_pad, layout), name, words)


_op_RNN = _Op("RNN")


@_of(_op_RNN)
def RNN(
    data: NDArray,
    parameters: Optional[NDArray] = None,
    state: Optional[NDArray] = None,
    state_cell: Optional[NDArray] = None,
    sequence_length: Optional[NDArray] = None,
    state_size: Optional[int] = None,
    num_layers: Optional[int] = None,
    bidirectional: bool = False,
    mode: Optional[str] = None,
    p: float = 0.0,
    state_outputs: bool = False,
    projection_size: Optional[int] = None,
    lstm_state_clip_min: Optional[float] = None,
    lstm_state_clip_max: Optional[float] = None,
    lstm_state_clip_nan: bool = False,
    use_sequence_length: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Layers of recurrent cells over whole sequences, in one or both directions: (steps, batch, directions *
    units), and with state_outputs the states (and cells) after the last step. The input's products of all
    steps are one matrix product.

    Parameters
    ----------
    data : NDArray
        (steps, batch, inputs), float.
    parameters : NDArray
        All weights, then all biases. Of every layer and direction: input weights (gates * units, inputs),
        state weights (gates * units, units), projection (size, units); then input and state biases. Gates are
        in, forget, new, out of the LSTM, and reset, update, new of the GRU.
    state : NDArray
        (layers * directions, batch, units): the states before the first step.
    state_cell : NDArray
        Of the LSTM: (layers * directions, batch, units), the cells before the first step.
    sequence_length : NDArray
        (batch,): steps that count. Later ones give 0 and leave the states. Receives no gradient.
    state_size : int
        Units of a layer and direction.
    num_layers : int
        Layers on top of one another.
    bidirectional : bool
        Also run every layer from the last step to the first.
    mode : {'rnn_relu', 'rnn_tanh', 'lstm', 'gru'}
        Kind of cell.
    p : float
        While training, part of the inputs of the layers above the first that become 0.
    state_outputs : bool
        Also give the states after the last step.
    projection_size : optional int
        Of the LSTM: extent to which a matrix takes the state after every step.
    lstm_state_clip_min : optional float
        Lower bound of the LSTM's cells; given together with the upper one.
    lstm_state_clip_max : optional float
        Upper bound of the LSTM's cells.
    lstm_state_clip_nan : bool
        With bounds: take NaN to the lower one.
    use_sequence_length : bool
        Whether sequence_length is given.

    Notes
    -----
    Source: MXNet RNN; Hochreiter and Schmidhuber 1997; Cho and others 2014.
    """
    return _call(_op_RNN, (data, parameters, state, state_cell, sequence_length), out, (state_size, num_layers, bidirectional, mode, p, state_outputs, projection_size, lstm_state_clip_min, lstm_state_clip_max, lstm_state_clip_nan, use_sequence_length), name, words)


_op_ROIPooling = _Op("ROIPooling")


@_of(_op_ROIPooling)
def ROIPooling(
    data: NDArray,
    rois: NDArray,
    pooled_size: _Ints,
    spatial_scale: float,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """(regions, channels, rows, columns): each region of an image is divided into a grid, and every cell gives
    the largest value in it, 0 where it lies outside of the image.

    Parameters
    ----------
    data : NDArray
        Images (batch, channels, height, width), float.
    rois : NDArray
        (regions, 5): the image's number, then left, top, right and bottom, all inclusive. A negative number
        gives zeros. Receives no gradient.
    pooled_size : tuple of int
        Rows and columns of the grid.
    spatial_scale : float
        Factor from the regions' coordinates to rows and columns of data.

    Notes
    -----
    Source: MXNet ROIPooling; Girshick 2015.
    """
    return _call(_op_ROIPooling, (data, rois), out, (pooled_size, spatial_scale), name, words)


_op_Reshape = _Op("Reshape")


@_of(_op_Reshape)
def Reshape(
    data: NDArray,
    shape: _Ints = (),
    reverse: bool = False,
    target_shape: _Ints = (),
    keep_highest: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The input's elements in order, in the shape that extents and codes ask for.

    Parameters
    ----------
    data : NDArray
        Any array.
    shape : tuple of int
        Extents or codes: 0 keeps an extent, -1 is inferred, -2 keeps the rest, -3 merges two, -4 splits one.
    reverse : bool
        Match the codes from the last axis.
    target_shape : tuple of int
        Older form of shape, in which 0 is inferred.
    keep_highest : bool
        Keep the first extent; only with target_shape.

    Notes
    -----
    Source: MXNet Reshape.
    """
    return _call(_op_Reshape, (data,), out, (shape, reverse, target_shape, keep_highest), name, words)


_op_SVMOutput = _Op("SVMOutput")


@_of(_op_SVMOutput)
def SVMOutput(
    data: NDArray,
    label: NDArray,
    margin: float = 1.0,
    regularization_coefficient: float = 1.0,
    use_linear: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The scores unchanged. Their gradient is that of the hinge loss of each class against the rest, whatever
    the gradient of the output.

    Parameters
    ----------
    data : NDArray
        (N, C), scores of C classes.
    label : NDArray
        (N,), class numbers. Receives no gradient.
    margin : float
        Distance from the border below which a score costs.
    regularization_coefficient : float
        Factor of the gradient.
    use_linear : bool
        Linear rather than squared hinge.

    Notes
    -----
    Source: MXNet SVMOutput; https://arxiv.org/abs/1306.0239.
    """
    return _call(_op_SVMOutput, (data, label), out, (margin, regularization_coefficient, use_linear), name, words)


_op_SequenceLast = _Op("SequenceLast")


@_of(_op_SequenceLast)
def SequenceLast(
    data: NDArray,
    sequence_length: Optional[NDArray] = None,
    use_sequence_length: bool = False,
    axis: int = 0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The last step of each sequence; a sequence of length 0 gives its first step.

    Parameters
    ----------
    data : NDArray
        (T, N, ...), or (N, T, ...) with axis 1.
    sequence_length : NDArray
        (N,); clipped to [0, T].
    use_sequence_length : bool
        Whether sequence_length is given; otherwise all sequences are whole.
    axis : int
        Axis of time, 0 or 1; the other one counts sequences.

    Notes
    -----
    Source: MXNet SequenceLast.
    """
    return _call(_op_SequenceLast, (data, sequence_length), out, (use_sequence_length, axis), name, words)


_op_SequenceMask = _Op("SequenceMask")


@_of(_op_SequenceMask)
def SequenceMask(
    data: NDArray,
    sequence_length: Optional[NDArray] = None,
    use_sequence_length: bool = False,
    value: float = 0.0,
    axis: int = 0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Sets every step behind the end of its sequence to a value.

    Parameters
    ----------
    data : NDArray
        (T, N, ...), or (N, T, ...) with axis 1.
    sequence_length : NDArray
        (N,); clipped to [0, T].
    use_sequence_length : bool
        Whether sequence_length is given; otherwise nothing is masked.
    value : float
        What masked elements become.
    axis : int
        Axis of time, 0 or 1; the other one counts sequences.

    Notes
    -----
    Source: MXNet SequenceMask.
    """
    return _call(_op_SequenceMask, (data, sequence_length), out, (use_sequence_length, value, axis), name, words)


_op_SequenceReverse = _Op("SequenceReverse")


@_of(_op_SequenceReverse)
def SequenceReverse(
    data: NDArray,
    sequence_length: Optional[NDArray] = None,
    use_sequence_length: bool = False,
    axis: int = 0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Reverses the steps of each sequence and leaves what lies behind its end.

    Parameters
    ----------
    data : NDArray
        (T, N, ...), or (N, T, ...) with axis 1.
    sequence_length : NDArray
        (N,); clipped to [0, T].
    use_sequence_length : bool
        Whether sequence_length is given; otherwise all sequences are whole.
    axis : int
        Axis of time, 0 or 1; the other one counts sequences.

    Notes
    -----
    Source: MXNet SequenceReverse.
    """
    return _call(_op_SequenceReverse, (data, sequence_length), out, (use_sequence_length, axis), name, words)


_op_SliceChannel = _Op("SliceChannel")


@_of(_op_SliceChannel)
def SliceChannel(
    data: NDArray,
    num_outputs: int,
    axis: int = 1,
    squeeze_axis: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Cuts an array along an axis into equal parts.

    Parameters
    ----------
    data : NDArray
        Any array with an extent that divides.
    num_outputs : int
        Number of equal parts.
    axis : int
        The axis that is cut.
    squeeze_axis : bool
        Drop the axis; each part must have extent 1.

    Notes
    -----
    Source: MXNet SliceChannel.
    """
    return _call(_op_SliceChannel, (data,), out, (num_outputs, axis, squeeze_axis), name, words)


_op_SoftmaxActivation = _Op("SoftmaxActivation")


@_of(_op_SoftmaxActivation)
def SoftmaxActivation(
    data: NDArray,
    mode: str = 'instance',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Softmax over the last axis, or over the channels of each position.

    Parameters
    ----------
    data : NDArray
        (N, C, ...), floats.
    mode : {'channel', 'instance'}
        instance: over the last axis; channel: over axis 1.

    Notes
    -----
    Source: MXNet SoftmaxActivation.
    """
    return _call(_op_SoftmaxActivation, (data,), out, (mode,), name, words)


_op_SoftmaxOutput = _Op("SoftmaxOutput")


@_of(_op_SoftmaxOutput)
def SoftmaxOutput(
    data: NDArray,
    label: NDArray,
    grad_scale: float = 1.0,
    ignore_label: float = -1.0,
    multi_output: bool = False,
    use_ignore: bool = False,
    preserve_shape: bool = False,
    normalization: str = 'null',
    out_grad: bool = False,
    smooth_alpha: float = 0.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Softmax whose gradient is softmax minus target: that of the cross entropy with the label. It ignores the
    gradient of its output unless out_grad is set, and has no second derivative.

    Parameters
    ----------
    data : NDArray
        (N, C) or (N, C, ...): scores of C classes. Without multi_output and preserve_shape the axes after the
        first form one vector.
    label : NDArray
        Class numbers, one per vector; or probabilities, of data's shape. Every class counts as wrong where
        the number is none of them. Receives no gradient.
    grad_scale : float
        Factor of the gradient.
    ignore_label : float
        Label that stands for no class; without gradient when use_ignore is set.
    multi_output : bool
        Softmax over axis 1, with a label per position.
    use_ignore : bool
        Whether ignore_label counts.
    preserve_shape : bool
        Softmax over the last axis.
    normalization : {'batch', 'null', 'valid'}
        The gradient is divided by the batch size, by nothing, or by the number of labels that count.
    out_grad : bool
        Multiplies the gradient by that of the output.
    smooth_alpha : float
        Share of the target spread evenly over the other classes; not with multi_output.

    Notes
    -----
    Source: MXNet SoftmaxOutput.
    """
    return _call(_op_SoftmaxOutput, (data, label), out, (grad_scale, ignore_label, multi_output, use_ignore, preserve_shape, normalization, out_grad, smooth_alpha), name, words)


_op_SpatialTransformer = _Op("SpatialTransformer")


@_of(_op_SpatialTransformer)
def SpatialTransformer(
    data: NDArray,
    loc: NDArray,
    target_shape: _Ints = (0, 0),
    transform_type: Optional[str] = None,
    sampler_type: Optional[str] = None,
    cudnn_off: Optional[bool] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """BilinearSampler of data at the grid that GridGenerator makes of the maps: (batch, channels, rows,
    columns).

    Parameters
    ----------
    data : NDArray
        Images (batch, channels, height, width), float.
    loc : NDArray
        (batch, 6): the rows of 2 x 3 matrices, from (x, y, 1) in the output to (x, y) in data.
    target_shape : tuple of int
        Height and width of the output.
    transform_type : {'affine'}
        Kind of map.
    sampler_type : {'bilinear'}
        Kind of interpolation.
    cudnn_off : optional bool
        Accepted for MXNet's scripts; has no effect.

    Notes
    -----
    Source: MXNet SpatialTransformer; Jaderberg and others 2015.
    """
    return _call(_op_SpatialTransformer, (data, loc), out, (target_shape, transform_type, sampler_type, cudnn_off), name, words)


_op_SwapAxis = _Op("SwapAxis")


@_of(_op_SwapAxis)
def SwapAxis(
    data: NDArray,
    dim1: int = 0,
    dim2: int = 0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Exchanges two axes.

    Parameters
    ----------
    data : NDArray
        Any array.
    dim1 : int
        One axis.
    dim2 : int
        The other axis.

    Notes
    -----
    Source: MXNet SwapAxis.
    """
    return _call(_op_SwapAxis, (data,), out, (dim1, dim2), name, words)


_op_UpSampling = _Op("UpSampling")


@_of(_op_UpSampling)
def UpSampling(
    *data: NDArray,
    scale: Optional[int] = None,
    num_filter: int = 0,
    sample_type: Optional[str] = None,
    multi_input_mode: str = 'concat',
    num_args: Optional[int] = None,
    workspace: int = 512,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Images (n, channels, height, width) enlarged `scale` times. nearest repeats pixels and takes any number of
    inputs, each enlarged to the size that the first one gets; bilinear is a Deconvolution per channel, with
    weights (channels, 1, k, k) as second input, k = 2 scale - scale % 2.

    Parameters
    ----------
    data : NDArray
        Images of a float dtype; for bilinear an image and the weights.
    scale : int
        Factor of both extents of the first input.
    num_filter : int
        Number of channels; only for bilinear.
    sample_type : {'bilinear', 'nearest'}
        Whether pixels are repeated, or spread by a window of weights.
    multi_input_mode : {'concat', 'sum'}
        What becomes of several inputs: their channels one after the other, or their sum.
    num_args : int
        Number of inputs; 0 takes as many as are given.
    workspace : int
        Accepted and ignored.

    Notes
    -----
    Source: MXNet UpSampling.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op_UpSampling, data, out, (scale, num_filter, sample_type, multi_input_mode, len(data) if num_args is None else num_args, workspace), name, words)


_op__adamw_update = _Op("_adamw_update")


@_of(_op__adamw_update)
def _adamw_update(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    rescale_grad: NDArray,
    lr: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    eta: Optional[float] = None,
    clip_gradient: float = -1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """AdamW: g = clip(rescale_grad * grad), mean = beta1 * mean + (1 - beta1) * g, var = beta2 * var + (1 -
    beta2) * g^2; the new weight is weight - eta * (lr * mean / (sqrt(var) + epsilon) + wd * weight).

    Parameters
    ----------
    weight : NDArray
        Weights, any float dtype.
    grad : NDArray
        Gradient, of the weight's shape.
    mean : NDArray
        First moment; changed in place.
    var : NDArray
        Second moment; changed in place.
    rescale_grad : NDArray
        One number, in float32: factor of the gradient, applied first. NaN, infinity or 0 skips the update.
    lr : float
        Learning rate.
    beta1 : float
        Part of the first moment that is kept.
    beta2 : float
        Part of the second moment that is kept.
    epsilon : float
        Added to the root of the second moment.
    wd : float
        Weight decay: its multiple of the weight is added to the step.
    eta : float
        Factor of the whole step, from a schedule.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.

    Notes
    -----
    Source: MXNet _adamw_update; Loshchilov and Hutter 2017.
    """
    return _call(_op__adamw_update, (weight, grad, mean, var, rescale_grad), out, (lr, beta1, beta2, epsilon, wd, eta, clip_gradient), name, words)


_op__arange = _Op("_arange")


@_of(_op__arange)
def _arange(
    start: float,
    stop: Optional[float] = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool = False,
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """start, start + step, ... up to stop, each number `repeat` times.

    Parameters
    ----------
    start : float
        First number; without stop, the end of a range from 0.
    stop : optional float
        End of the range, itself left out.
    step : float
        Distance of neighbours, not 0.
    repeat : int
        How often each number comes.
    infer_range : bool
        The length is that of the given output; start is the first number and stop is not used.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : dtype
        Element type.

    Notes
    -----
    Source: MXNet _arange.
    """
    with _on_device(ctx):
        return _call(_op__arange, (), out, (start, stop, step, repeat, infer_range, str(ctx), dtype), name, words)


_op__batch_norm_again = _Op("_batch_norm_again")


@_of(_op__batch_norm_again)
def _batch_norm_again(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    mean: NDArray,
    inverse: NDArray,
    fix_gamma: bool = True,
    axis: int = 1,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """BatchNorm of training with the statistics that a call on the same data has found. Graphs get it where the
    backward part computes values again; it has no gradient.

    Parameters
    ----------
    data : NDArray
        Floats; axis 1, or `axis`, holds the channels.
    gamma : NDArray
        (C,): scale; taken as 1 while fix_gamma is set.
    beta : NDArray
        (C,): shift.
    mean : NDArray
        (C,): BatchNorm's second output.
    inverse : NDArray
        (C,): its third, 1 / sqrt(variance + eps).
    fix_gamma : bool
        Takes gamma as 1.
    axis : int
        Axis of the channels.
    """
    return _call(_op__batch_norm_again, (data, gamma, beta, mean, inverse), out, (fix_gamma, axis), name, words)


_op__broadcast_to = _Op("_broadcast_to")


@_of(_op__broadcast_to)
def _broadcast_to(
    data: NDArray,
    shape: _Ints,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Repeats axes of extent 1 until the array has the shape.

    Parameters
    ----------
    data : NDArray
        As many axes as the shape; extents agree or are 1.
    shape : tuple of int
        Extents of the output.
    """
    return _call(_op__broadcast_to, (data,), out, (shape,), name, words)


_op__cond = _Op("_cond")


@_of(_op__cond)
def _cond(
    *data: NDArray,
    subgraph0: Optional[str] = None,
    subgraph1: Optional[str] = None,
    subgraph2: Optional[str] = None,
    num_args: Optional[int] = None,
    num_outputs: Optional[int] = None,
    cond_input_locs: Optional[_Reals] = None,
    then_input_locs: Optional[_Reals] = None,
    else_input_locs: Optional[_Reals] = None,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Computes one of two graphs, by whether a third gives a number other than 0. mx.sym.contrib.cond makes it.

    Parameters
    ----------
    data : NDArray
        What condition and branches read.
    subgraph0 : str
        The condition as JSON of a symbol.
    subgraph1 : str
        What is computed where it holds.
    subgraph2 : str
        What is computed where it does not.
    num_args : int
        Number of inputs, the three graphs included.
    num_outputs : int
        Number of outputs of either branch.
    cond_input_locs : tuple of float
        Which inputs the condition reads, in its order.
    then_input_locs : tuple of float
        Which inputs the first branch reads.
    else_input_locs : tuple of float
        Which inputs the second branch reads.

    Notes
    -----
    Source: MXNet _cond.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__cond, data, out, (subgraph0, subgraph1, subgraph2, num_args, num_outputs, cond_input_locs, then_input_locs, else_input_locs), name, words)


_op__contrib_AdaptiveAvgPooling2D = _Op("_contrib_AdaptiveAvgPooling2D")


@_of(_op__contrib_AdaptiveAvgPooling2D)
def _contrib_AdaptiveAvgPooling2D(
    data: NDArray,
    output_size: _Ints = (),
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Means over windows that cover the image, so many that the output has the size asked for.

    Parameters
    ----------
    data : NDArray
        (batch, channels, height, width).
    output_size : tuple of int
        Height and width of the output, one number for both; 1 when empty.

    Notes
    -----
    Source: MXNet _contrib_AdaptiveAvgPooling2D.
    """
    return _call(_op__contrib_AdaptiveAvgPooling2D, (data,), out, (output_size,), name, words)


_op__contrib_BatchNormWithReLU = _Op("_contrib_BatchNormWithReLU")


@_of(_op__contrib_BatchNormWithReLU)
def _contrib_BatchNormWithReLU(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    moving_mean: NDArray,
    moving_var: NDArray,
    eps: float = 0.001,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    axis: int = 1,
    cudnn_off: bool = False,
    min_calib_range: Optional[float] = None,
    max_calib_range: Optional[float] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """BatchNorm, and of its result what is above 0, 0 elsewhere.

    Parameters
    ----------
    data : NDArray
        Floats; axis 1, or `axis`, holds the channels.
    gamma : NDArray
        (C,): scale; taken as 1 while fix_gamma is set.
    beta : NDArray
        (C,): shift.
    moving_mean : NDArray
        (C,): moving average of means.
    moving_var : NDArray
        (C,): moving average of variances.
    eps : float
        Added to the variance.
    momentum : float
        Share of the old value in a moving average.
    fix_gamma : bool
        Takes gamma as 1 and gives it no gradient.
    use_global_stats : bool
        Normalises with the moving averages in training too, and leaves them.
    output_mean_var : bool
        Also gives mean and 1 / sqrt(variance + eps) per channel; they pass no gradient on.
    axis : int
        Axis of the channels.
    cudnn_off : bool
        Accepted for MXNet's sake; changes nothing.
    min_calib_range : optional float
        Accepted for MXNet's sake; changes nothing.
    max_calib_range : optional float
        Accepted for MXNet's sake; changes nothing.

    Notes
    -----
    Source: MXNet _contrib_BatchNormWithReLU.
    """
    return _call(_op__contrib_BatchNormWithReLU, (data, gamma, beta, moving_mean, moving_var), out, (eps, momentum, fix_gamma, use_global_stats, output_mean_var, axis, cudnn_off, min_calib_range, max_calib_range), name, words)


_op__contrib_BilinearResize2D = _Op("_contrib_BilinearResize2D")


@_of(_op__contrib_BilinearResize2D)
def _contrib_BilinearResize2D(
    data: NDArray,
    like: Optional[NDArray] = None,
    height: int = 1,
    width: int = 1,
    scale_height: Optional[float] = None,
    scale_width: Optional[float] = None,
    mode: str = 'size',
    align_corners: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Images of another size, by straight lines between neighbouring pixels.

    Parameters
    ----------
    data : NDArray
        (batch, channels, height, width).
    like : NDArray
        With mode 'like': images whose height and width are taken.
    height : int
        Height of the output, without scale.
    width : int
        Width of the output, without scale.
    scale_height : optional float
        Factor of the height.
    scale_width : optional float
        Factor of the width.
    mode : {'size', 'odd_scale', 'like', 'to_even_down', 'to_even_up', 'to_odd_down', 'to_odd_up'}
        'size' takes numbers or factors; 'odd_scale' factors that keep the first and last pixel of odd
        extents; 'like' the size of a second input; the others the next even or odd number.
    align_corners : bool
        Whether the middles of corner pixels stay in place, rather than the corners.

    Notes
    -----
    Source: MXNet _contrib_BilinearResize2D.
    """
    return _call(_op__contrib_BilinearResize2D, (data, like), out, (height, width, scale_height, scale_width, mode, align_corners), name, words)


_op__contrib_DeformableConvolution = _Op("_contrib_DeformableConvolution")


@_of(_op__contrib_DeformableConvolution)
def _contrib_DeformableConvolution(
    data: NDArray,
    offset: Optional[NDArray] = None,
    weight: Optional[NDArray] = None,
    bias: Optional[NDArray] = None,
    kernel: Optional[_Ints] = None,
    stride: _Ints = (),
    dilate: _Ints = (),
    pad: _Ints = (),
    num_filter: Optional[int] = None,
    num_group: int = 1,
    num_deformable_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    layout: Optional[str] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Convolution of images in which every value of a window is taken from a place moved by an offset, on
    straight lines between pixels; places outside of the image give 0.

    Parameters
    ----------
    data : NDArray
        Images (batch, channels, height, width), float.
    offset : NDArray
        (batch, deformable groups * rows * columns of the window * 2, out height, out width): how far down and
        how far right of its place in the window each value is taken.
    weight : NDArray
        (num_filter, channels / num_group, rows, columns).
    bias : NDArray
        (num_filter,); absent with no_bias.
    kernel : tuple of int
        Rows and columns of the window.
    stride : tuple of int
        Distance between windows; () is 1.
    dilate : tuple of int
        Distance between a window's elements; () is 1.
    pad : tuple of int
        Rows and columns added on either side; () is none.
    num_filter : int
        Channels of the output.
    num_group : int
        Groups of channels that are convolved apart.
    num_deformable_group : int
        Groups of channels that share offsets.
    workspace : int
        Accepted and ignored.
    no_bias : bool
        Leaves the bias away.
    layout : optional {'NCDHW', 'NCHW', 'NCW'}
        Order of axes: NCHW or None.

    Notes
    -----
    Source: MXNet _contrib_DeformableConvolution; Dai and others 2017.
    """
    return _call(_op__contrib_DeformableConvolution, (data, offset, weight, bias), out, (kernel, stride, dilate, pad, num_filter, num_group, num_deformable_group, workspace, no_bias, layout), name, words)


_op__contrib_DeformablePSROIPooling = _Op("_contrib_DeformablePSROIPooling")


@_of(_op__contrib_DeformablePSROIPooling)
def _contrib_DeformablePSROIPooling(
    data: NDArray,
    rois: Optional[NDArray] = None,
    trans: Optional[NDArray] = None,
    spatial_scale: Optional[float] = None,
    output_dim: Optional[int] = None,
    group_size: Optional[int] = None,
    pooled_size: Optional[int] = None,
    part_size: int = 0,
    sample_per_part: int = 1,
    trans_std: float = 0.0,
    no_trans: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """(regions, output_dim, pooled_size, pooled_size): each region of an image is divided into a grid, and every
    cell, moved by the offset of its part of the region, gives the mean of samples in the channel of data that
    belongs to its group. Samples outside of the image do not count.

    Parameters
    ----------
    data : NDArray
        Images (batch, output_dim * group_size * group_size, height, width), float.
    rois : NDArray
        (regions, 5): the image's number, then left, top, right and bottom, all inclusive. A negative number
        gives zeros. Receives no gradient.
    trans : NDArray
        (regions, 2 * classes, part_size, part_size): x and y of the offsets, for each class of output
        channels.
    spatial_scale : float
        Factor from the regions' coordinates to rows and columns of data.
    output_dim : int
        Channels of the output.
    group_size : int
        Rows and columns of groups of cells, each with channels of its own.
    pooled_size : int
        Rows and columns of the grid.
    part_size : int
        Rows and columns of parts of a region, each with an offset of its own; 0 means pooled_size.
    sample_per_part : int
        Samples along each side of a cell.
    trans_std : float
        Factor of the offsets, which are in sizes of the region.
    no_trans : bool
        There are no offsets, and no third input.

    Notes
    -----
    Source: MXNet _contrib_DeformablePSROIPooling; Dai et al. 2017.
    """
    return _call(_op__contrib_DeformablePSROIPooling, (data, rois, trans), out, (spatial_scale, output_dim, group_size, pooled_size, part_size, sample_per_part, trans_std, no_trans), name, words)


_op__contrib_ModulatedDeformableConvolution = _Op("_contrib_ModulatedDeformableConvolution")


@_of(_op__contrib_ModulatedDeformableConvolution)
def _contrib_ModulatedDeformableConvolution(
    data: NDArray,
    offset: Optional[NDArray] = None,
    mask: Optional[NDArray] = None,
    weight: Optional[NDArray] = None,
    bias: Optional[NDArray] = None,
    kernel: Optional[_Ints] = None,
    stride: _Ints = (),
    dilate: _Ints = (),
    pad: _Ints = (),
    num_filter: Optional[int] = None,
    num_group: int = 1,
    num_deformable_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    im2col_step: int = 64,
    layout: Optional[str] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """As _contrib_DeformableConvolution, with a factor for every value of a window; values sink to 0 over one
    pixel beyond the border.

    Parameters
    ----------
    data : NDArray
        Images (batch, channels, height, width), float.
    offset : NDArray
        (batch, deformable groups * rows * columns of the window * 2, out height, out width): how far down and
        how far right of its place in the window each value is taken.
    mask : NDArray
        (batch, deformable groups * rows * columns of the window, out height, out width): the factors.
    weight : NDArray
        (num_filter, channels / num_group, rows, columns).
    bias : NDArray
        (num_filter,); absent with no_bias.
    kernel : tuple of int
        Rows and columns of the window.
    stride : tuple of int
        Distance between windows; () is 1.
    dilate : tuple of int
        Distance between a window's elements; () is 1.
    pad : tuple of int
        Rows and columns added on either side; () is none.
    num_filter : int
        Channels of the output.
    num_group : int
        Groups of channels that are convolved apart.
    num_deformable_group : int
        Groups of channels that share offsets.
    workspace : int
        Accepted and ignored.
    no_bias : bool
        Leaves the bias away.
    im2col_step : int
        Accepted and ignored.
    layout : optional {'NCDHW', 'NCHW', 'NCW'}
        Order of axes: NCHW or None.

    Notes
    -----
    Source: MXNet _contrib_ModulatedDeformableConvolution; Zhu and others 2019.
    """
    return _call(_op__contrib_ModulatedDeformableConvolution, (data, offset, mask, weight, bias), out, (kernel, stride, dilate, pad, num_filter, num_group, num_deformable_group, workspace, no_bias, im2col_step, layout), name, words)


_op__contrib_MultiBoxDetection = _Op("_contrib_MultiBoxDetection")


@_of(_op__contrib_MultiBoxDetection)
def _contrib_MultiBoxDetection(
    cls_prob: NDArray,
    loc_pred: NDArray,
    anchor: NDArray,
    clip: bool = True,
    threshold: float = 0.01,
    background_id: int = 0,
    nms_threshold: float = 0.5,
    force_suppress: bool = False,
    variances: _Reals = (0.1, 0.1, 0.2, 0.2),
    nms_topk: int = -1,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """(batch, anchors, 6): rows (class, probability, left, top, right, bottom), the most probable first. The
    class is -1 for a box that a more probable one covers, and all of a row is for anchors that show only the
    background. Class 0 of the output is the first after the background.

    Parameters
    ----------
    cls_prob : NDArray
        (batch, classes, anchors), float: class 0 is the background.
    loc_pred : NDArray
        (batch, 4 * anchors): differences of boxes from anchors.
    anchor : NDArray
        (1, anchors, 4): left, top, right, bottom.
    clip : bool
        Ends boxes at the image's border.
    threshold : float
        The least probability of a detection.
    background_id : int
        Has no effect, as in MXNet: class 0 is the background.
    nms_threshold : float
        Intersection over union from which the less probable box goes; outside of (0, 1] all stay, in the
        order of anchors.
    force_suppress : bool
        Boxes of different classes suppress each other.
    variances : tuple of float
        Factors of the four differences from the anchor.
    nms_topk : int
        How many of the most probable take part; below 1 all.

    Notes
    -----
    Source: MXNet _contrib_MultiBoxDetection; Liu et al. 2016.
    """
    return _call(_op__contrib_MultiBoxDetection, (cls_prob, loc_pred, anchor), out, (clip, threshold, background_id, nms_threshold, force_suppress, variances, nms_topk), name, words)


_op__contrib_MultiBoxPrior = _Op("_contrib_MultiBoxPrior")


@_of(_op__contrib_MultiBoxPrior)
def _contrib_MultiBoxPrior(
    data: NDArray,
    sizes: _Reals = (1.0,),
    ratios: _Reals = (1.0,),
    clip: bool = False,
    steps: _Reals = (-1.0, -1.0),
    offsets: _Reals = (0.5, 0.5),
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """(1, boxes, 4): boxes (left, top, right, bottom), in parts of the image, around every place of it: row by
    row, and at each place first those of all sizes.

    Parameters
    ----------
    data : NDArray
        (batch, channels, height, width), float: only height, width and dtype matter.
    sizes : tuple of float
        Heights of boxes, as parts of the image's.
    ratios : tuple of float
        Width over height. The first one goes with every size, the others with the first size.
    clip : bool
        Ends boxes at the image's border.
    steps : tuple of float
        From one place to the next, down and right, as parts of the image; not above 0: places fill it.
    offsets : tuple of float
        Where in its step a place lies, down and right.

    Notes
    -----
    Source: MXNet _contrib_MultiBoxPrior; Liu et al. 2016.
    """
    return _call(_op__contrib_MultiBoxPrior, (data,), out, (sizes, ratios, clip, steps, offsets), name, words)


_op__contrib_MultiBoxTarget = _Op("_contrib_MultiBoxTarget")


@_of(_op__contrib_MultiBoxTarget)
def _contrib_MultiBoxTarget(
    anchor: NDArray,
    label: NDArray,
    cls_pred: NDArray,
    overlap_threshold: float = 0.5,
    ignore_label: float = -1.0,
    negative_mining_ratio: float = -1.0,
    negative_mining_thresh: float = 0.5,
    minimum_negative_samples: int = 0,
    variances: _Reals = (0.1, 0.1, 0.2, 0.2),
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """For each anchor, what to predict: the difference of its object's box from it, whether it has an object,
    and the class, which is 0 for the background and one more than the object's class. Each object goes to the
    anchor that overlaps it most, then to all that overlap it enough. Of images without objects no anchor
    counts.

    Parameters
    ----------
    anchor : NDArray
        (1, anchors, 4), float: left, top, right, bottom.
    label : NDArray
        (batch, objects, 5 or more): class, left, top, right, bottom; a row of -1 ends the objects.
    cls_pred : NDArray
        (batch, classes, anchors): scores before softmax.
    overlap_threshold : float
        Anchors whose overlap with an object is above this show it; not above 0: only the best one of each
        object does.
    ignore_label : float
        Class of anchors that do not count.
    negative_mining_ratio : float
        Above 0: how many anchors per positive one count as background, those first that look least like it;
        all others do not count.
    negative_mining_thresh : float
        Only anchors that overlap every object by less may count as background, when these are chosen.
    minimum_negative_samples : int
        Has no effect, as in MXNet on CPUs.
    variances : tuple of float
        Divisors of the four differences from the anchor.

    Notes
    -----
    Source: MXNet _contrib_MultiBoxTarget; Liu et al. 2016.
    """
    return _call(_op__contrib_MultiBoxTarget, (anchor, label, cls_pred), out, (overlap_threshold, ignore_label, negative_mining_ratio, negative_mining_thresh, minimum_negative_samples, variances), name, words)


_op__contrib_MultiProposal = _Op("_contrib_MultiProposal")


@_of(_op__contrib_MultiProposal)
def _contrib_MultiProposal(
    cls_prob: NDArray,
    bbox_pred: NDArray,
    im_info: NDArray,
    rpn_pre_nms_top_n: int = 6000,
    rpn_post_nms_top_n: int = 300,
    threshold: float = 0.7,
    rpn_min_size: int = 16,
    scales: _Reals = (4.0, 8.0, 16.0, 32.0),
    ratios: _Reals = (0.5, 1.0, 2.0),
    feature_stride: int = 16,
    output_score: bool = False,
    iou_loss: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """_contrib_Proposal for each image of a batch: (batch * rpn_post_nms_top_n, 5).

    Parameters
    ----------
    cls_prob : NDArray
        (batch, 2 * anchors, height, width), float: probabilities of the background, then of objects.
    bbox_pred : NDArray
        (batch, 4 * anchors, height, width): differences of regions from anchors.
    im_info : NDArray
        (batch, 3): height, width and scale of each image.
    rpn_pre_nms_top_n : int
        How many regions of highest score take part in suppression; below 1 all.
    rpn_post_nms_top_n : int
        How many regions come out, for each image. Where fewer are left, they repeat.
    threshold : float
        Intersection over union above which the region of lower score goes.
    rpn_min_size : int
        Regions of less height or width, in pixels before scaling, come last.
    scales : tuple of float
        Sizes of anchors.
    ratios : tuple of float
        Height over width of anchors.
    feature_stride : int
        Pixels of the image from place to place.
    output_score : bool
        The scores are a second output for users.
    iou_loss : bool
        bbox_pred holds differences of the four sides in pixels.

    Notes
    -----
    Source: MXNet _contrib_MultiProposal; Ren et al. 2015.
    """
    return _call(_op__contrib_MultiProposal, (cls_prob, bbox_pred, im_info), out, (rpn_pre_nms_top_n, rpn_post_nms_top_n, threshold, rpn_min_size, scales, ratios, feature_stride, output_score, iou_loss), name, words)


_op__contrib_PSROIPooling = _Op("_contrib_PSROIPooling")


@_of(_op__contrib_PSROIPooling)
def _contrib_PSROIPooling(
    data: NDArray,
    rois: NDArray,
    spatial_scale: float,
    output_dim: int,
    pooled_size: int,
    group_size: int = 0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """(regions, output_dim, pooled_size, pooled_size): each region of an image is divided into a grid, and every
    cell gives the mean of its pixels in the channel of data that belongs to its group, 0 where it lies
    outside of the image.

    Parameters
    ----------
    data : NDArray
        Images (batch, output_dim * group_size * group_size, height, width), float.
    rois : NDArray
        (regions, 5): the image's number, then left, top, right and bottom, all inclusive. A negative number
        gives zeros. Receives no gradient.
    spatial_scale : float
        Factor from the regions' coordinates to rows and columns of data.
    output_dim : int
        Channels of the output.
    pooled_size : int
        Rows and columns of the grid.
    group_size : int
        Rows and columns of groups of cells, each with channels of its own; 0 means pooled_size.

    Notes
    -----
    Source: MXNet _contrib_PSROIPooling; Dai et al. 2016.
    """
    return _call(_op__contrib_PSROIPooling, (data, rois), out, (spatial_scale, output_dim, pooled_size, group_size), name, words)


_op__contrib_Proposal = _Op("_contrib_Proposal")


@_of(_op__contrib_Proposal)
def _contrib_Proposal(
    cls_prob: NDArray,
    bbox_pred: NDArray,
    im_info: NDArray,
    rpn_pre_nms_top_n: int = 6000,
    rpn_post_nms_top_n: int = 300,
    threshold: float = 0.7,
    rpn_min_size: int = 16,
    scales: _Reals = (4.0, 8.0, 16.0, 32.0),
    ratios: _Reals = (0.5, 1.0, 2.0),
    feature_stride: int = 16,
    output_score: bool = False,
    iou_loss: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """(rpn_post_nms_top_n, 5): regions (image, left, top, right, bottom) of one image that a region proposal
    network gives the highest scores, without those that one of a higher score overlaps.

    Parameters
    ----------
    cls_prob : NDArray
        (batch, 2 * anchors, height, width), float: probabilities of the background, then of objects.
    bbox_pred : NDArray
        (batch, 4 * anchors, height, width): differences of regions from anchors.
    im_info : NDArray
        (batch, 3): height, width and scale of each image.
    rpn_pre_nms_top_n : int
        How many regions of highest score take part in suppression; below 1 all.
    rpn_post_nms_top_n : int
        How many regions come out, for each image. Where fewer are left, they repeat.
    threshold : float
        Intersection over union above which the region of lower score goes.
    rpn_min_size : int
        Regions of less height or width, in pixels before scaling, come last.
    scales : tuple of float
        Sizes of anchors.
    ratios : tuple of float
        Height over width of anchors.
    feature_stride : int
        Pixels of the image from place to place.
    output_score : bool
        The scores are a second output for users.
    iou_loss : bool
        bbox_pred holds differences of the four sides in pixels.

    Notes
    -----
    Source: MXNet _contrib_Proposal; Ren et al. 2015.
    """
    return _call(_op__contrib_Proposal, (cls_prob, bbox_pred, im_info), out, (rpn_pre_nms_top_n, rpn_post_nms_top_n, threshold, rpn_min_size, scales, ratios, feature_stride, output_score, iou_loss), name, words)


_op__contrib_ROIAlign = _Op("_contrib_ROIAlign")


@_of(_op__contrib_ROIAlign)
def _contrib_ROIAlign(
    data: NDArray,
    rois: NDArray,
    pooled_size: _Ints,
    spatial_scale: float,
    sample_ratio: int = -1,
    position_sensitive: bool = False,
    aligned: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """(regions, channels, rows, columns): each region of an image is divided into a grid, and every cell gives
    the mean of samples in it, which are interpolated between pixels. Samples more than a pixel outside of the
    image count as 0.

    Parameters
    ----------
    data : NDArray
        Images (batch, channels, height, width), float.
    rois : NDArray
        (regions, 5): the image's number, then left, top, right and bottom. A negative number gives zeros.
        Receives no gradient.
    pooled_size : tuple of int
        Rows and columns of the grid.
    spatial_scale : float
        Factor from the regions' coordinates to rows and columns of data.
    sample_ratio : int
        Samples along each side of a cell; below 1 about one per pixel.
    position_sensitive : bool
        Each cell has channels of its own: channel c of cell i is channel c * cells + i of data.
    aligned : bool
        Coordinates are those of pixels' centres, and small regions stay as small as they are.

    Notes
    -----
    Source: MXNet _contrib_ROIAlign; He et al. 2017.
    """
    return _call(_op__contrib_ROIAlign, (data, rois), out, (pooled_size, spatial_scale, sample_ratio, position_sensitive, aligned), name, words)


_op__contrib_RROIAlign = _Op("_contrib_RROIAlign")


@_of(_op__contrib_RROIAlign)
def _contrib_RROIAlign(
    data: NDArray,
    rois: NDArray,
    pooled_size: _Ints,
    spatial_scale: float,
    sampling_ratio: int = -1,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """(regions, channels, rows, columns): each turned region of an image is divided into a grid, and every cell
    gives the mean of samples in it, which are interpolated between pixels. Samples more than a pixel outside
    of the image count as 0.

    Parameters
    ----------
    data : NDArray
        Images (batch, channels, height, width), float.
    rois : NDArray
        (regions, 6): the image's number, x and y of the centre, width, height, and degrees counterclockwise.
        A negative number gives zeros. Receives no gradient.
    pooled_size : tuple of int
        Rows and columns of the grid.
    spatial_scale : float
        Factor from the regions' coordinates to rows and columns of data.
    sampling_ratio : int
        Samples along each side of a cell; below 1 about one per pixel.

    Notes
    -----
    Source: MXNet _contrib_RROIAlign; Ma et al. 2018.
    """
    return _call(_op__contrib_RROIAlign, (data, rois), out, (pooled_size, spatial_scale, sampling_ratio), name, words)


_op__contrib_SparseEmbedding = _Op("_contrib_SparseEmbedding")


@_of(_op__contrib_SparseEmbedding)
def _contrib_SparseEmbedding(
    data: NDArray,
    weight: NDArray,
    input_dim: int,
    output_dim: int,
    dtype: Any = 'float32',
    deterministic: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The row of weight for every index: shape data.shape + (output_dim,). Indices outside are clipped.

    Parameters
    ----------
    data : NDArray
        Indices of any shape and dtype; fractions are cut off.
    weight : NDArray
        (input_dim, output_dim)
    input_dim : int
        Number of rows of weight.
    output_dim : int
        Extent of a row.
    dtype : dtype
        Dtype of weight where nothing else says it.
    deterministic : bool
        Has no effect: gradients are always added in one order.

    Notes
    -----
    Source: MXNet Embedding.
    """
    return _call(_op__contrib_SparseEmbedding, (data, weight), out, (input_dim, output_dim, dtype, deterministic), name, words)


_op__contrib_SyncBatchNorm = _Op("_contrib_SyncBatchNorm")


@_of(_op__contrib_SyncBatchNorm)
def _contrib_SyncBatchNorm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    moving_mean: NDArray,
    moving_var: NDArray,
    eps: float = 0.001,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    ndev: int = 1,
    key: Optional[str] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """BatchNorm whose statistics are those of a batch on all devices. There is one: ndev above 1 is refused.

    Parameters
    ----------
    data : NDArray
        Floats; axis 1, or `axis`, holds the channels.
    gamma : NDArray
        (C,): scale; taken as 1 while fix_gamma is set.
    beta : NDArray
        (C,): shift.
    moving_mean : NDArray
        (C,): moving average of means.
    moving_var : NDArray
        (C,): moving average of variances.
    eps : float
        Added to the variance.
    momentum : float
        Share of the old value in a moving average.
    fix_gamma : bool
        Takes gamma as 1 and gives it no gradient.
    use_global_stats : bool
        Normalises with the moving averages in training too, and leaves them.
    output_mean_var : bool
        Also gives mean and variance per channel; they pass no gradient on.
    ndev : int
        Devices that share a batch; one.
    key : str
        Names the layer, so that devices find each other.

    Notes
    -----
    Source: MXNet _contrib_SyncBatchNorm; https://arxiv.org/abs/1803.08904.
    """
    return _call(_op__contrib_SyncBatchNorm, (data, gamma, beta, moving_mean, moving_var), out, (eps, momentum, fix_gamma, use_global_stats, output_mean_var, ndev, key), name, words)


_op__contrib_allclose = _Op("_contrib_allclose")


@_of(_op__contrib_allclose)
def _contrib_allclose(
    a: NDArray,
    b: NDArray,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where |a - b| <= atol + rtol |b| for all elements, else 0. Infinities are equal to themselves alone.

    Parameters
    ----------
    a : NDArray
        Any array.
    b : NDArray
        Of the same shape and dtype.
    rtol : float
        Tolerance as a part of the element of b.
    atol : float
        Tolerance that is added.
    equal_nan : bool
        Whether NaN equals NaN.

    Notes
    -----
    Source: MXNet _contrib_allclose.
    """
    return _call(_op__contrib_allclose, (a, b), out, (rtol, atol, equal_nan), name, words)


_op__contrib_arange_like = _Op("_contrib_arange_like")


@_of(_op__contrib_arange_like)
def _contrib_arange_like(
    data: NDArray,
    start: float = 0.0,
    step: float = 1.0,
    repeat: int = 1,
    ctx: str = '',
    axis: Optional[int] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """start, start + step, ..., each number `repeat` times, in the shape of data or in the length of one axis.

    Parameters
    ----------
    data : NDArray
        Gives shape and dtype.
    start : float
        First number.
    step : float
        Distance of neighbours.
    repeat : int
        How often each number comes.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    axis : optional int
        The axis whose extent is the length; by default all elements count.

    Notes
    -----
    Source: MXNet _contrib_arange_like.
    """
    return _call(_op__contrib_arange_like, (data,), out, (start, step, repeat, str(ctx), axis), name, words)


_op__contrib_bipartite_matching = _Op("_contrib_bipartite_matching")


@_of(_op__contrib_bipartite_matching)
def _contrib_bipartite_matching(
    data: NDArray,
    is_ascend: bool = False,
    threshold: Optional[float] = None,
    topk: int = -1,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Pairs each row with at most one column and each column with at most one row, going through the scores from
    the best on: the column of each row and the row of each column, -1 for none.

    Parameters
    ----------
    data : NDArray
        Scores (..., rows, columns), float. A NaN in the way of the order ends it.
    is_ascend : bool
        The smallest scores are the best.
    threshold : float
        A pair's score is above it, or below it with is_ascend.
    topk : int
        Ends with the first pair beyond this many, which still counts, as in MXNet; below 1 there is no limit.

    Notes
    -----
    Source: MXNet _contrib_bipartite_matching.
    """
    return _call(_op__contrib_bipartite_matching, (data,), out, (is_ascend, threshold, topk), name, words)


_op__contrib_box_decode = _Op("_contrib_box_decode")


@_of(_op__contrib_box_decode)
def _contrib_box_decode(
    data: NDArray,
    anchors: NDArray,
    std0: float = 1.0,
    std1: float = 1.0,
    std2: float = 1.0,
    std3: float = 1.0,
    clip: float = -1.0,
    format: str = 'center',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Boxes (left, top, right, bottom) from what a detector predicts for anchors.

    Parameters
    ----------
    data : NDArray
        (batch, anchors, 4), float: offsets of the centre in sizes of the anchor, logarithms of the ratios of
        sizes.
    anchors : NDArray
        (1, anchors, 4).
    std0 : float
        Factor of the first number.
    std1 : float
        Factor of the second number.
    std2 : float
        Factor of the third number.
    std3 : float
        Factor of the fourth number.
    clip : float
        Above 0: the most that the logarithms of sizes may be.
    format : {'corner', 'center'}
        What the four numbers of an anchor are.

    Notes
    -----
    Source: MXNet _contrib_box_decode; Ren et al. 2015.
    """
    return _call(_op__contrib_box_decode, (data, anchors), out, (std0, std1, std2, std3, clip, format), name, words)


_op__contrib_box_encode = _Op("_contrib_box_encode")


@_of(_op__contrib_box_encode)
def _contrib_box_encode(
    samples: NDArray,
    matches: NDArray,
    anchors: NDArray,
    refs: NDArray,
    means: NDArray,
    stds: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """What a detector learns to predict for each anchor: the difference of its box from the anchor, as offsets
    of the centre in sizes of the anchor and logarithms of the ratios of sizes, minus means, over stds.
    Anchors that are no positive samples get 0. The second output is 1 for positive samples, else 0.

    Parameters
    ----------
    samples : NDArray
        (batch, anchors), float: above 0.5 for positive samples.
    matches : NDArray
        (batch, anchors): which of refs belongs to each positive sample.
    anchors : NDArray
        (batch, anchors, 4): left, top, right, bottom.
    refs : NDArray
        (batch, boxes, 4): left, top, right, bottom.
    means : NDArray
        (4,).
    stds : NDArray
        (4,).

    Notes
    -----
    Source: MXNet _contrib_box_encode; Ren et al. 2015.
    """
    return _call(_op__contrib_box_encode, (samples, matches, anchors, refs, means, stds), out, (), name, words)


_op__contrib_box_iou = _Op("_contrib_box_iou")


@_of(_op__contrib_box_iou)
def _contrib_box_iou(
    lhs: NDArray,
    rhs: NDArray,
    format: str = 'corner',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Intersection over union of each box of lhs with each of rhs; 0 for boxes that share nothing.

    Parameters
    ----------
    lhs : NDArray
        (..., 4), float.
    rhs : NDArray
        (..., 4), of the same dtype.
    format : {'corner', 'center'}
        What the four numbers of a box are.

    Notes
    -----
    Source: MXNet _contrib_box_iou.
    """
    return _call(_op__contrib_box_iou, (lhs, rhs), out, (format,), name, words)


_op__contrib_box_nms = _Op("_contrib_box_nms")


@_of(_op__contrib_box_nms)
def _contrib_box_nms(
    data: NDArray,
    overlap_thresh: float = 0.5,
    valid_thresh: float = 0.0,
    topk: int = -1,
    coord_start: int = 2,
    score_index: int = 1,
    id_index: int = -1,
    background_id: int = -1,
    force_suppress: bool = False,
    in_format: str = 'corner',
    out_format: str = 'corner',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Rows of the highest scores first, without those whose box overlaps the box of a row before them; rows of
    -1 fill the rest. Equal scores keep their order.

    Parameters
    ----------
    data : NDArray
        (..., boxes, columns), float: each row holds a score, a box and what else belongs to it.
    overlap_thresh : float
        Intersection over union above which the box of lower score goes.
    valid_thresh : float
        Only rows of a higher score take part.
    topk : int
        How many rows of highest score take part; below 0 all. 0 changes nothing.
    coord_start : int
        Place of the first of the box's four numbers in a row.
    score_index : int
        Place of the score.
    id_index : int
        Place of the class; below 0 there is none.
    background_id : int
        Rows of this class take no part, where there is one.
    force_suppress : bool
        Boxes of different classes suppress each other.
    in_format : {'corner', 'center'}
        What the four numbers are.
    out_format : {'corner', 'center'}
        What they are in the output. Boxes whose first number is negative stay as they are, as in MXNet.

    Notes
    -----
    Source: MXNet _contrib_box_nms.
    """
    return _call(_op__contrib_box_nms, (data,), out, (overlap_thresh, valid_thresh, topk, coord_start, score_index, id_index, background_id, force_suppress, in_format, out_format), name, words)


_op__contrib_calibrate_entropy = _Op("_contrib_calibrate_entropy")


@_of(_op__contrib_calibrate_entropy)
def _contrib_calibrate_entropy(
    hist: NDArray,
    hist_edges: NDArray,
    num_quantized_bins: int = 255,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Where to cut values before they become 8-bit numbers: of all thresholds, the one whose histogram in
    num_quantized_bins bins has the least Kullback-Leibler divergence from the whole one.

    Parameters
    ----------
    hist : NDArray
        float32 (n,): counts in bins that are symmetric about 0; n is odd.
    hist_edges : NDArray
        float32 (n + 1,): where the bins begin and end.
    num_quantized_bins : int
        Bins that 8-bit numbers have.

    Notes
    -----
    Source: MXNet _contrib_calibrate_entropy; Migacz 2017, 8-bit inference with TensorRT.
    """
    return _call(_op__contrib_calibrate_entropy, (hist, hist_edges), out, (num_quantized_bins,), name, words)


_op__contrib_count_sketch = _Op("_contrib_count_sketch")


@_of(_op__contrib_count_sketch)
def _contrib_count_sketch(
    data: NDArray,
    h: NDArray,
    s: NDArray,
    out_dim: int,
    processing_batch_size: int = 32,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """out[..., h[i]] is the sum of s[i] * data[..., i] over all i with that h[i].

    Parameters
    ----------
    data : NDArray
        (rows, d) or (n, c, rows, d), float.
    h : NDArray
        (1, d): places from 0 to out_dim - 1; fractions are cut off. Receives no gradient.
    s : NDArray
        (1, d): signs, 1 or -1. Receives no gradient.
    out_dim : int
        Length of the new rows.
    processing_batch_size : int
        Accepted for MXNet's sake; changes nothing.

    Notes
    -----
    Source: MXNet _contrib_count_sketch; Charikar and others 2002.
    """
    return _call(_op__contrib_count_sketch, (data, h, s), out, (out_dim, processing_batch_size), name, words)


_op__contrib_dequantize = _Op("_contrib_dequantize")


@_of(_op__contrib_dequantize)
def _contrib_dequantize(
    data: NDArray,
    min_range: NDArray,
    max_range: NDArray,
    out_type: str = 'float32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """8 bits to floats: int8 times m / 127.5, uint8 times m / 255.5, where m is the larger magnitude of the
    range's ends.

    Parameters
    ----------
    data : NDArray
        int8 or uint8 of any shape.
    min_range : NDArray
        (1,): smallest value that occurs.
    max_range : NDArray
        (1,): largest value that occurs.
    out_type : {'float32'}
        Type of the output.

    Notes
    -----
    Source: MXNet _contrib_dequantize.
    """
    return _call(_op__contrib_dequantize, (data, min_range, max_range), out, (out_type,), name, words)


_op__contrib_dgl_adjacency = _Op("_contrib_dgl_adjacency")


@_of(_op__contrib_dgl_adjacency)
def _contrib_dgl_adjacency(
    data: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 in float32 for each edge of a graph.

    Parameters
    ----------
    data : NDArray
        A csr matrix.

    Notes
    -----
    Source: MXNet dgl_graph.
    """
    return _call(_op__contrib_dgl_adjacency, (data,), out, (), name, words)


_op__contrib_dgl_csr_neighbor_non_uniform_sample = _Op("_contrib_dgl_csr_neighbor_non_uniform_sample")


@_of(_op__contrib_dgl_csr_neighbor_non_uniform_sample)
def _contrib_dgl_csr_neighbor_non_uniform_sample(
    *data: NDArray,
    num_args: Optional[int] = None,
    num_hops: int = 1,
    num_neighbor: int = 2,
    max_num_vertices: int = 100,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """As dgl_csr_neighbor_uniform_sample, with neighbours drawn by the weights of vertices, which are the third
    group of outputs.

    Parameters
    ----------
    data : NDArray
        The graph, the weight of each vertex, and vectors of seeds, int64.
    num_args : int
        Number of inputs.
    num_hops : int
        How many edges away from the seeds vertices may lie.
    num_neighbor : int
        How many neighbours of each vertex are drawn.
    max_num_vertices : int
        How many vertices a sample has at most.

    Notes
    -----
    Source: MXNet dgl_graph.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__contrib_dgl_csr_neighbor_non_uniform_sample, data, out, (len(data) if num_args is None else num_args, num_hops, num_neighbor, max_num_vertices), name, words)


_op__contrib_dgl_csr_neighbor_uniform_sample = _Op("_contrib_dgl_csr_neighbor_uniform_sample")


@_of(_op__contrib_dgl_csr_neighbor_uniform_sample)
def _contrib_dgl_csr_neighbor_uniform_sample(
    *data: NDArray,
    num_args: Optional[int] = None,
    num_hops: int = 1,
    num_neighbor: int = 2,
    max_num_vertices: int = 100,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Parts of a graph: from the seeds on, some neighbours of every vertex, drawn evenly, and the edges to them.
    Outputs: the vertices in ascending order and last their number; their edges, a row per vertex; how many
    edges away from the seeds each was drawn. Places of vertices that are not there hold -1.

    Parameters
    ----------
    data : NDArray
        The graph, and vectors of seeds, int64.
    num_args : int
        Number of inputs.
    num_hops : int
        How many edges away from the seeds vertices may lie.
    num_neighbor : int
        How many neighbours of each vertex are drawn.
    max_num_vertices : int
        How many vertices a sample has at most.

    Notes
    -----
    Source: MXNet dgl_graph.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__contrib_dgl_csr_neighbor_uniform_sample, data, out, (len(data) if num_args is None else num_args, num_hops, num_neighbor, max_num_vertices), name, words)


_op__contrib_dgl_graph_compact = _Op("_contrib_dgl_graph_compact")


@_of(_op__contrib_dgl_graph_compact)
def _contrib_dgl_graph_compact(
    *data: NDArray,
    num_args: Optional[int] = None,
    return_mapping: Optional[bool] = None,
    graph_sizes: Optional[_Ints] = None,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Sampled graphs without the rows and columns of vertices that they do not have; edges are numbered from 0
    on, with return_mapping also as the graphs have them.

    Parameters
    ----------
    data : NDArray
        Graphs, and for each the vertices that a sample gave.
    num_args : int
        Number of inputs.
    return_mapping : bool
        Also give the graphs' own edges.
    graph_sizes : tuple of int
        How many vertices each graph has.

    Notes
    -----
    Source: MXNet dgl_graph.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__contrib_dgl_graph_compact, data, out, (len(data) if num_args is None else num_args, return_mapping, graph_sizes), name, words)


_op__contrib_dgl_subgraph = _Op("_contrib_dgl_subgraph")


@_of(_op__contrib_dgl_subgraph)
def _contrib_dgl_subgraph(
    *data: NDArray,
    num_args: Optional[int] = None,
    return_mapping: Optional[bool] = None,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """The edges among some vertices, numbered from 0 on; with return_mapping also as the graph has them.

    Parameters
    ----------
    data : NDArray
        The graph, and vectors of vertices in ascending order, int64.
    num_args : int
        Number of inputs.
    return_mapping : bool
        Also give the graph's own edges.

    Notes
    -----
    Source: MXNet dgl_graph.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__contrib_dgl_subgraph, data, out, (len(data) if num_args is None else num_args, return_mapping), name, words)


_op__contrib_div_sqrt_dim = _Op("_contrib_div_sqrt_dim")


@_of(_op__contrib_div_sqrt_dim)
def _contrib_div_sqrt_dim(
    data: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """data divided by the square root of its last extent.

    Parameters
    ----------
    data : NDArray
        Any float array.

    Notes
    -----
    Source: MXNet contrib.div_sqrt_dim.
    """
    return _call(_op__contrib_div_sqrt_dim, (data,), out, (), name, words)


_op__contrib_edge_id = _Op("_contrib_edge_id")


@_of(_op__contrib_edge_id)
def _contrib_edge_id(
    data: NDArray,
    u: NDArray,
    v: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The element in row u[i] and column v[i] of a graph, -1 where none is stored.

    Parameters
    ----------
    data : NDArray
        A csr matrix.
    u : NDArray
        A vector of rows.
    v : NDArray
        A vector of columns.

    Notes
    -----
    Source: MXNet dgl_graph.
    """
    return _call(_op__contrib_edge_id, (data, u, v), out, (), name, words)


_op__contrib_fft = _Op("_contrib_fft")


@_of(_op__contrib_fft)
def _contrib_fft(
    data: NDArray,
    compute_size: int = 128,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The Fourier transform of each row of real numbers: (real part, imaginary part) of every frequency, side by
    side.

    Parameters
    ----------
    data : NDArray
        (rows, d) or (n, c, rows, d), float.
    compute_size : int
        Accepted for MXNet's sake; changes nothing.

    Notes
    -----
    Source: MXNet _contrib_fft.
    """
    return _call(_op__contrib_fft, (data,), out, (compute_size,), name, words)


_op__contrib_getnnz = _Op("_contrib_getnnz")


@_of(_op__contrib_getnnz)
def _contrib_getnnz(
    data: NDArray,
    axis: Optional[int] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """How many elements a csr matrix stores, those that are zero among them.

    Parameters
    ----------
    data : NDArray
        A csr matrix.
    axis : optional int
        Count in every column (0) or every row (1); None: in the whole matrix.

    Notes
    -----
    Source: MXNet nnz.
    """
    return _call(_op__contrib_getnnz, (data,), out, (axis,), name, words)


_op__contrib_gradientmultiplier = _Op("_contrib_gradientmultiplier")


@_of(_op__contrib_gradientmultiplier)
def _contrib_gradientmultiplier(
    data: NDArray,
    scalar: float = 1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """A copy whose gradient is multiplied by a number.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        Factor of the gradient.

    Notes
    -----
    Source: MXNet contrib.gradientmultiplier.
    """
    return _call(_op__contrib_gradientmultiplier, (data,), out, (scalar,), name, words)


_op__contrib_group_adagrad_update = _Op("_contrib_group_adagrad_update")


@_of(_op__contrib_group_adagrad_update)
def _contrib_group_adagrad_update(
    weight: NDArray,
    grad: NDArray,
    history: NDArray,
    lr: float,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    epsilon: float = 1e-05,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """history += the mean of g^2 over each row, with g = clip(rescale_grad * grad); the new weight is weight -
    lr * g / sqrt(history + epsilon).

    Parameters
    ----------
    weight : NDArray
        (rows, columns), float.
    grad : NDArray
        Gradient, of the shape of weight.
    history : NDArray
        (rows, 1): accumulated mean squares; changed in place.
    lr : float
        Learning rate.
    rescale_grad : float
        Factor of the gradient.
    clip_gradient : float
        Bound of the gradient's absolute values; none unless above 0.
    epsilon : float
        Added to the history before its root is taken.

    Notes
    -----
    Source: MXNet _contrib_group_adagrad_update; Duchi and others 2011.
    """
    return _call(_op__contrib_group_adagrad_update, (weight, grad, history), out, (lr, rescale_grad, clip_gradient, epsilon), name, words)


_op__contrib_hawkesll = _Op("_contrib_hawkesll")


@_of(_op__contrib_hawkesll)
def _contrib_hawkesll(
    lda: NDArray,
    alpha: NDArray,
    beta: NDArray,
    state: NDArray,
    lags: NDArray,
    marks: NDArray,
    valid_length: NDArray,
    max_time: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """The log likelihood of each sample's events under Hawkes processes, one per mark, whose intensity is lda +
    alpha * beta * the sum of exp(-beta * time since) over earlier events of the mark; and the sums of
    exp(-beta * time since) at the end. Gradients reach lda, alpha and beta, from the likelihood.

    Parameters
    ----------
    lda : NDArray
        (samples, marks): background intensities.
    alpha : NDArray
        (marks,): branching ratios.
    beta : NDArray
        (marks,): decays.
    state : NDArray
        (samples, marks): sums at time 0. Receives no gradient.
    lags : NDArray
        (samples, events): time since the event before. Receives no gradient.
    marks : NDArray
        (samples, events): marks of events, whole numbers.
    valid_length : NDArray
        (samples,): events that count. Receives no gradient.
    max_time : NDArray
        (samples,): end of the observation. Receives no gradient.

    Notes
    -----
    Source: MXNet _contrib_hawkesll; Hawkes 1971.
    """
    return _call(_op__contrib_hawkesll, (lda, alpha, beta, state, lags, marks, valid_length, max_time), out, (), name, words)


_op__contrib_ifft = _Op("_contrib_ifft")


@_of(_op__contrib_ifft)
def _contrib_ifft(
    data: NDArray,
    compute_size: int = 128,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The real part of the inverse Fourier transform of each row of pairs (real part, imaginary part), not
    divided by the length.

    Parameters
    ----------
    data : NDArray
        (rows, 2 d) or (n, c, rows, 2 d), float.
    compute_size : int
        Accepted for MXNet's sake; changes nothing.

    Notes
    -----
    Source: MXNet _contrib_ifft.
    """
    return _call(_op__contrib_ifft, (data,), out, (compute_size,), name, words)


_op__contrib_index_array = _Op("_contrib_index_array")


@_of(_op__contrib_index_array)
def _contrib_index_array(
    data: NDArray,
    axes: Optional[_Ints] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """For each element its coordinates as int64, along a new last axis.

    Parameters
    ----------
    data : NDArray
        Any array; its elements are not read.
    axes : optional tuple of int
        Which coordinates, in order; None gives all.

    Notes
    -----
    Source: MXNet _contrib_index_array.
    """
    return _call(_op__contrib_index_array, (data,), out, (axes,), name, words)


_op__contrib_index_copy = _Op("_contrib_index_copy")


@_of(_op__contrib_index_copy)
def _contrib_index_copy(
    old_tensor: NDArray,
    index_vector: NDArray,
    new_tensor: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """old_tensor with row index_vector[i] replaced by new_tensor[i].

    Parameters
    ----------
    old_tensor : NDArray
        At least one axis.
    index_vector : NDArray
        (n,); negative ones count from the end, those outside fail.
    new_tensor : NDArray
        (n,) + old_tensor.shape[1:]

    Notes
    -----
    Source: MXNet _contrib_index_copy.
    """
    return _call(_op__contrib_index_copy, (old_tensor, index_vector, new_tensor), out, (), name, words)


_op__contrib_interleaved_matmul_encdec_qk = _Op("_contrib_interleaved_matmul_encdec_qk")


@_of(_op__contrib_interleaved_matmul_encdec_qk)
def _contrib_interleaved_matmul_encdec_qk(
    queries: NDArray,
    keys_values: NDArray,
    heads: int,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Products of queries of one sequence and keys of another, divided by the root of dim: (batch * heads,
    queries, keys).

    Parameters
    ----------
    queries : NDArray
        (queries, batch, heads * dim).
    keys_values : NDArray
        (keys, batch, heads * 2 * dim), of each head key and value.
    heads : int
        Number of heads.

    Notes
    -----
    Source: MXNet _contrib_interleaved_matmul_encdec_qk.
    """
    return _call(_op__contrib_interleaved_matmul_encdec_qk, (queries, keys_values), out, (heads,), name, words)


_op__contrib_interleaved_matmul_encdec_valatt = _Op("_contrib_interleaved_matmul_encdec_valatt")


@_of(_op__contrib_interleaved_matmul_encdec_valatt)
def _contrib_interleaved_matmul_encdec_valatt(
    keys_values: NDArray,
    attention: NDArray,
    heads: int,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Values of another sequence weighed by attention: (queries, batch, heads * dim).

    Parameters
    ----------
    keys_values : NDArray
        (keys, batch, heads * 2 * dim), of each head key and value.
    attention : NDArray
        (batch * heads, queries, keys).
    heads : int
        Number of heads.

    Notes
    -----
    Source: MXNet _contrib_interleaved_matmul_encdec_valatt.
    """
    return _call(_op__contrib_interleaved_matmul_encdec_valatt, (keys_values, attention), out, (heads,), name, words)


_op__contrib_interleaved_matmul_selfatt_qk = _Op("_contrib_interleaved_matmul_selfatt_qk")


@_of(_op__contrib_interleaved_matmul_selfatt_qk)
def _contrib_interleaved_matmul_selfatt_qk(
    queries_keys_values: NDArray,
    heads: int,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Products of queries and keys of one sequence, divided by the root of dim: (batch * heads, length, length).

    Parameters
    ----------
    queries_keys_values : NDArray
        (length, batch, heads * 3 * dim), of each head query, key and value.
    heads : int
        Number of heads.

    Notes
    -----
    Source: MXNet _contrib_interleaved_matmul_selfatt_qk.
    """
    return _call(_op__contrib_interleaved_matmul_selfatt_qk, (queries_keys_values,), out, (heads,), name, words)


_op__contrib_interleaved_matmul_selfatt_valatt = _Op("_contrib_interleaved_matmul_selfatt_valatt")


@_of(_op__contrib_interleaved_matmul_selfatt_valatt)
def _contrib_interleaved_matmul_selfatt_valatt(
    queries_keys_values: NDArray,
    attention: NDArray,
    heads: int,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Values of one sequence weighed by attention: (length, batch, heads * dim).

    Parameters
    ----------
    queries_keys_values : NDArray
        (length, batch, heads * 3 * dim), of each head query, key and value.
    attention : NDArray
        (batch * heads, length, length).
    heads : int
        Number of heads.

    Notes
    -----
    Source: MXNet _contrib_interleaved_matmul_selfatt_valatt.
    """
    return _call(_op__contrib_interleaved_matmul_selfatt_valatt, (queries_keys_values, attention), out, (heads,), name, words)


_op__contrib_isfinite = _Op("_contrib_isfinite")


@_of(_op__contrib_isfinite)
def _contrib_isfinite(
    data: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where data is neither infinite nor NaN, else 0.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet _contrib_isfinite.
    """
    return _call(_op__contrib_isfinite, (data,), out, (), name, words)


_op__contrib_isinf = _Op("_contrib_isinf")


@_of(_op__contrib_isinf)
def _contrib_isinf(
    data: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where data is infinite, else 0.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet _contrib_isinf.
    """
    return _call(_op__contrib_isinf, (data,), out, (), name, words)


_op__contrib_isnan = _Op("_contrib_isnan")


@_of(_op__contrib_isnan)
def _contrib_isnan(
    data: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where data is not a number, else 0.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet _contrib_isnan.
    """
    return _call(_op__contrib_isnan, (data,), out, (), name, words)


_op__contrib_quadratic = _Op("_contrib_quadratic")


@_of(_op__contrib_quadratic)
def _contrib_quadratic(
    data: NDArray,
    a: float = 0.0,
    b: float = 0.0,
    c: float = 0.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """a data^2 + b data + c.

    Parameters
    ----------
    data : NDArray
        Any array.
    a : float
        Factor of data^2.
    b : float
        Factor of data.
    c : float
        Constant.

    Notes
    -----
    Source: MXNet contrib.quadratic.
    """
    return _call(_op__contrib_quadratic, (data,), out, (a, b, c), name, words)


_op__contrib_quantize = _Op("_contrib_quantize")


@_of(_op__contrib_quantize)
def _contrib_quantize(
    data: NDArray,
    min_range: NDArray,
    max_range: NDArray,
    out_type: str = 'uint8',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Floats rounded to 8 bits: int8 gets data * 127 / m and uint8 data * 255 / m, where m is the larger
    magnitude of the range's ends. What lies outside saturates.

    Parameters
    ----------
    data : NDArray
        float32 of any shape.
    min_range : NDArray
        (1,): smallest value that occurs.
    max_range : NDArray
        (1,): largest value that occurs.
    out_type : {'auto', 'int8', 'uint8'}
        Type of the output: int8 or uint8.

    Notes
    -----
    Source: MXNet _contrib_quantize.
    """
    return _call(_op__contrib_quantize, (data, min_range, max_range), out, (out_type,), name, words)


_op__contrib_quantize_asym = _Op("_contrib_quantize_asym")


@_of(_op__contrib_quantize_asym)
def _contrib_quantize_asym(
    data: NDArray,
    min_calib_range: Optional[float] = None,
    max_calib_range: Optional[float] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Floats as uint8: data * scale + shift, rounded, where scale is 255 / (high - low) and shift brings high to
    255. What lies outside saturates.

    Parameters
    ----------
    data : NDArray
        float32 of any shape.
    min_calib_range : optional float
        Smallest value that occurs; without it, that of data.
    max_calib_range : optional float
        Largest value that occurs; without it, that of data.

    Notes
    -----
    Source: MXNet _contrib_quantize_asym.
    """
    return _call(_op__contrib_quantize_asym, (data,), out, (min_calib_range, max_calib_range), name, words)


_op__contrib_quantize_v2 = _Op("_contrib_quantize_v2")


@_of(_op__contrib_quantize_v2)
def _contrib_quantize_v2(
    data: NDArray,
    out_type: str = 'int8',
    min_calib_range: Optional[float] = None,
    max_calib_range: Optional[float] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Floats rounded to 8 bits: int8 gets data * 127.5 / m and uint8 data * 255.5 / m, where m is the largest
    magnitude in the range given, or in data. What lies outside saturates. 8-bit data passes.

    Parameters
    ----------
    data : NDArray
        float32, int8 or uint8 of any shape.
    out_type : {'auto', 'int8', 'uint8'}
        Type of the output; auto is uint8 where min_calib_range is given and not negative, else int8.
    min_calib_range : optional float
        Smallest value that occurs; without it, that of data.
    max_calib_range : optional float
        Largest value that occurs; without it, that of data.

    Notes
    -----
    Source: MXNet _contrib_quantize_v2.
    """
    return _call(_op__contrib_quantize_v2, (data,), out, (out_type, min_calib_range, max_calib_range), name, words)


_op__contrib_quantized_act = _Op("_contrib_quantized_act")


@_of(_op__contrib_quantized_act)
def _contrib_quantized_act(
    data: NDArray,
    min_data: NDArray,
    max_data: NDArray,
    act_type: str,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """max(data, 0) of an 8-bit array. The range stays.

    Parameters
    ----------
    data : NDArray
        int8 or uint8 of any shape.
    min_data : NDArray
        (1,): smallest value of data.
    max_data : NDArray
        (1,): largest value of data.
    act_type : {'relu', 'sigmoid', 'softrelu', 'softsign', 'tanh'}
        Which activation; 8-bit arrays have relu.

    Notes
    -----
    Source: MXNet _contrib_quantized_act.
    """
    return _call(_op__contrib_quantized_act, (data, min_data, max_data), out, (act_type,), name, words)


_op__contrib_quantized_batch_norm = _Op("_contrib_quantized_batch_norm")


@_of(_op__contrib_quantized_batch_norm)
def _contrib_quantized_batch_norm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    moving_mean: NDArray,
    moving_var: NDArray,
    min_data: NDArray,
    max_data: NDArray,
    eps: float = 0.0010000000474974513,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    axis: int = 1,
    cudnn_off: bool = False,
    min_calib_range: Optional[float] = None,
    max_calib_range: Optional[float] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """gamma (data - moving_mean) / sqrt(moving_var + eps) + beta of an 8-bit array, as int8 over the range
    given.

    Parameters
    ----------
    data : NDArray
        int8 or uint8 (n, channels, ...).
    gamma : NDArray
        float32 (channels,).
    beta : NDArray
        float32 (channels,).
    moving_mean : NDArray
        float32 (channels,).
    moving_var : NDArray
        float32 (channels,).
    min_data : NDArray
        (1,): smallest value of data.
    max_data : NDArray
        (1,): largest value of data.
    eps : float
        Added to the variance.
    momentum : float
        Accepted and ignored: the averages stay.
    fix_gamma : bool
        Accepted and ignored: gamma counts, as in MXNet.
    use_global_stats : bool
        Accepted and ignored: the moving averages are used.
    output_mean_var : bool
        Accepted and ignored.
    axis : int
        The axis of channels: 1.
    cudnn_off : bool
        Accepted and ignored.
    min_calib_range : optional float
        Smallest value of the output; must be given.
    max_calib_range : optional float
        Largest value of the output; must be given.

    Notes
    -----
    Source: MXNet _contrib_quantized_batch_norm.
    """
    return _call(_op__contrib_quantized_batch_norm, (data, gamma, beta, moving_mean, moving_var, min_data, max_data), out, (eps, momentum, fix_gamma, use_global_stats, output_mean_var, axis, cudnn_off, min_calib_range, max_calib_range), name, words)


_op__contrib_quantized_concat = _Op("_contrib_quantized_concat")


@_of(_op__contrib_quantized_concat)
def _contrib_quantized_concat(
    *data: NDArray,
    num_args: Optional[int] = None,
    dim: int = 1,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Joins 8-bit arrays along an axis, each brought to the range that holds all of theirs. After the arrays
    come their ranges: low and high of the first, low and high of the second, and so on. uint8 if all are,
    else int8.

    Parameters
    ----------
    data : NDArray
        The arrays, int8 or uint8, then for each two arrays (1,).
    num_args : int
        Number of arrays to join; three inputs each.
    dim : int
        The axis along which they follow one another.

    Notes
    -----
    Source: MXNet _contrib_quantized_concat.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__contrib_quantized_concat, data, out, (num_args, dim), name, words)


_op__contrib_quantized_conv = _Op("_contrib_quantized_conv")


@_of(_op__contrib_quantized_conv)
def _contrib_quantized_conv(
    data: NDArray,
    weight: Optional[NDArray] = None,
    bias: Optional[NDArray] = None,
    min_data: Optional[NDArray] = None,
    max_data: Optional[NDArray] = None,
    min_weight: Optional[NDArray] = None,
    max_weight: Optional[NDArray] = None,
    min_bias: Optional[NDArray] = None,
    max_bias: Optional[NDArray] = None,
    kernel: Optional[_Ints] = None,
    stride: _Ints = (),
    dilate: _Ints = (),
    pad: _Ints = (),
    num_filter: Optional[int] = None,
    num_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    cudnn_tune: Optional[str] = None,
    cudnn_off: bool = False,
    layout: Optional[str] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Convolution of 8-bit arrays. The output is int32, whose range is 2^31 times the product of what one step
    of data and of weight stand for. As in MXNet on processors, a step of unsigned data counts as one of 127,
    and its bias is added without being scaled.

    Parameters
    ----------
    data : NDArray
        int8 or uint8 (n, channels, in...).
    weight : NDArray
        int8 (num_filter, channels / num_group, window...).
    bias : NDArray
        int8 (num_filter,); absent with no_bias, as are the last two inputs.
    min_data : NDArray
        (1,): smallest value of data.
    max_data : NDArray
        (1,): largest value of data.
    min_weight : NDArray
        (1,): smallest value of weight.
    max_weight : NDArray
        (1,): largest value of weight.
    min_bias : NDArray
        (1,): smallest value of bias.
    max_bias : NDArray
        (1,): largest value of bias.
    kernel : tuple of int
        Extents of the window: (w,), (h, w) or (d, h, w).
    stride : tuple of int
        Steps of the window; empty means ones.
    dilate : tuple of int
        Distance of the input elements under neighbouring weights; empty means ones.
    pad : tuple of int
        Zeros added at both ends of each axis; empty means none.
    num_filter : int
        Channels of the output.
    num_group : int
        Groups of channels that are convolved apart.
    workspace : int
        Accepted and ignored.
    no_bias : bool
        Leave the bias and its range out.
    cudnn_tune : optional {'fastest', 'limited_workspace', 'off'}
        Accepted and ignored.
    cudnn_off : bool
        Accepted and ignored.
    layout : optional {'NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC', 'NWC'}
        Order of axes: None or channels first.

    Notes
    -----
    Source: MXNet _contrib_quantized_conv.
    """
    return _call(_op__contrib_quantized_conv, (data, weight, bias, min_data, max_data, min_weight, max_weight, min_bias, max_bias), out, (kernel, stride, dilate, pad, num_filter, num_group, workspace, no_bias, cudnn_tune, cudnn_off, layout), name, words)


_op__contrib_quantized_elemwise_add = _Op("_contrib_quantized_elemwise_add")


@_of(_op__contrib_quantized_elemwise_add)
def _contrib_quantized_elemwise_add(
    lhs: NDArray,
    rhs: NDArray,
    lhs_min: NDArray,
    lhs_max: NDArray,
    rhs_min: NDArray,
    rhs_max: NDArray,
    min_calib_range: Optional[float] = None,
    max_calib_range: Optional[float] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Sum of two 8-bit arrays of one shape. With a range for the output it has 8 bits, uint8 if both inputs are;
    else it is int32 over the sum of both magnitudes.

    Parameters
    ----------
    lhs : NDArray
        int8 or uint8 of any shape.
    rhs : NDArray
        int8 or uint8 of the same shape.
    lhs_min : NDArray
        (1,): smallest value of lhs.
    lhs_max : NDArray
        (1,): largest value of lhs.
    rhs_min : NDArray
        (1,): smallest value of rhs.
    rhs_max : NDArray
        (1,): largest value of rhs.
    min_calib_range : optional float
        Smallest value of the output; with it the output has 8 bits.
    max_calib_range : optional float
        Largest value of the output; with it the output has 8 bits.

    Notes
    -----
    Source: MXNet _contrib_quantized_elemwise_add.
    """
    return _call(_op__contrib_quantized_elemwise_add, (lhs, rhs, lhs_min, lhs_max, rhs_min, rhs_max), out, (min_calib_range, max_calib_range), name, words)


_op__contrib_quantized_elemwise_mul = _Op("_contrib_quantized_elemwise_mul")


@_of(_op__contrib_quantized_elemwise_mul)
def _contrib_quantized_elemwise_mul(
    lhs: NDArray,
    rhs: NDArray,
    lhs_min: NDArray,
    lhs_max: NDArray,
    rhs_min: NDArray,
    rhs_max: NDArray,
    min_calib_range: Optional[float] = None,
    max_calib_range: Optional[float] = None,
    enable_float_output: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Product of two int8 arrays of one shape: int32 over 2^31 times the product of both steps, or int8 over the
    range given, cut towards zero, or float32.

    Parameters
    ----------
    lhs : NDArray
        int8 of any shape.
    rhs : NDArray
        int8 of the same shape.
    lhs_min : NDArray
        (1,): smallest value of lhs.
    lhs_max : NDArray
        (1,): largest value of lhs.
    rhs_min : NDArray
        (1,): smallest value of rhs.
    rhs_max : NDArray
        (1,): largest value of rhs.
    min_calib_range : optional float
        Smallest value of the output; with it the output has 8 bits.
    max_calib_range : optional float
        Largest value of the output; with it the output has 8 bits.
    enable_float_output : bool
        The only output is float32.

    Notes
    -----
    Source: MXNet _contrib_quantized_elemwise_mul.
    """
    return _call(_op__contrib_quantized_elemwise_mul, (lhs, rhs, lhs_min, lhs_max, rhs_min, rhs_max), out, (min_calib_range, max_calib_range, enable_float_output), name, words)


_op__contrib_quantized_embedding = _Op("_contrib_quantized_embedding")


@_of(_op__contrib_quantized_embedding)
def _contrib_quantized_embedding(
    data: NDArray,
    weight: NDArray,
    min_weight: NDArray,
    max_weight: NDArray,
    input_dim: int,
    output_dim: int,
    dtype: Any = 'float32',
    sparse_grad: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Rows of an int8 table, whose range stays. An index outside gives the nearest row.

    Parameters
    ----------
    data : NDArray
        Indices of any shape and dtype.
    weight : NDArray
        int8 (input_dim, output_dim).
    min_weight : NDArray
        (1,): smallest value of weight.
    max_weight : NDArray
        (1,): largest value of weight.
    input_dim : int
        Rows of the table.
    output_dim : int
        Extent of a row.
    dtype : dtype
        Accepted and ignored: rows are int8.
    sparse_grad : bool
        Accepted and ignored: there is no gradient.

    Notes
    -----
    Source: MXNet _contrib_quantized_embedding.
    """
    return _call(_op__contrib_quantized_embedding, (data, weight, min_weight, max_weight), out, (input_dim, output_dim, dtype, sparse_grad), name, words)


_op__contrib_quantized_flatten = _Op("_contrib_quantized_flatten")


@_of(_op__contrib_quantized_flatten)
def _contrib_quantized_flatten(
    data: NDArray,
    min_data: NDArray,
    max_data: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """An 8-bit array as a matrix with one row per sample. The range stays.

    Parameters
    ----------
    data : NDArray
        int8 or uint8; the first axis counts samples.
    min_data : NDArray
        (1,): smallest value of data.
    max_data : NDArray
        (1,): largest value of data.

    Notes
    -----
    Source: MXNet _contrib_quantized_flatten.
    """
    return _call(_op__contrib_quantized_flatten, (data, min_data, max_data), out, (), name, words)


_op__contrib_quantized_fully_connected = _Op("_contrib_quantized_fully_connected")


@_of(_op__contrib_quantized_fully_connected)
def _contrib_quantized_fully_connected(
    data: NDArray,
    weight: Optional[NDArray] = None,
    bias: Optional[NDArray] = None,
    min_data: Optional[NDArray] = None,
    max_data: Optional[NDArray] = None,
    min_weight: Optional[NDArray] = None,
    max_weight: Optional[NDArray] = None,
    min_bias: Optional[NDArray] = None,
    max_bias: Optional[NDArray] = None,
    num_hidden: Optional[int] = None,
    no_bias: bool = False,
    flatten: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Product of every sample with the transposed weight, plus a bias, of 8-bit arrays. The output is int32,
    whose range is 2^31 times the product of what one step of data and of weight stand for.

    Parameters
    ----------
    data : NDArray
        int8 or uint8; the first axis counts samples.
    weight : NDArray
        int8 (num_hidden, depth), where depth is the size of one sample.
    bias : NDArray
        int8 (num_hidden,); absent with no_bias, as are the last two inputs.
    min_data : NDArray
        (1,): smallest value of data.
    max_data : NDArray
        (1,): largest value of data.
    min_weight : NDArray
        (1,): smallest value of weight.
    max_weight : NDArray
        (1,): largest value of weight.
    min_bias : NDArray
        (1,): smallest value of bias.
    max_bias : NDArray
        (1,): largest value of bias.
    num_hidden : int
        Extent of the last axis of the output.
    no_bias : bool
        Leave the bias and its range out.
    flatten : bool
        Treat every sample as one row; otherwise only the last axis is multiplied.

    Notes
    -----
    Source: MXNet _contrib_quantized_fully_connected.
    """
    return _call(_op__contrib_quantized_fully_connected, (data, weight, bias, min_data, max_data, min_weight, max_weight, min_bias, max_bias), out, (num_hidden, no_bias, flatten), name, words)


_op__contrib_quantized_pooling = _Op("_contrib_quantized_pooling")


@_of(_op__contrib_quantized_pooling)
def _contrib_quantized_pooling(
    data: NDArray,
    min_data: NDArray,
    max_data: NDArray,
    kernel: _Ints = (),
    pool_type: str = 'max',
    global_pool: bool = False,
    cudnn_off: bool = False,
    pooling_convention: str = 'valid',
    stride: _Ints = (),
    pad: _Ints = (),
    p_value: Optional[int] = None,
    count_include_pad: Optional[bool] = None,
    layout: Optional[str] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Largest element or mean of a window that moves over the spatial axes of an 8-bit array. Means are rounded
    to the nearest number; with count_include_pad all of a window counts, even what lies beyond the padding.
    The range stays.

    Parameters
    ----------
    data : NDArray
        int8 or uint8 with one, two or three spatial axes.
    min_data : NDArray
        (1,): smallest value of data.
    max_data : NDArray
        (1,): largest value of data.
    kernel : tuple of int
        Extents of the window: (w,), (h, w) or (d, h, w).
    pool_type : {'avg', 'lp', 'max', 'sum'}
        What is taken of a window: avg or max.
    global_pool : bool
        The window is the whole image; kernel, stride and pad are ignored.
    cudnn_off : bool
        Accepted and ignored.
    pooling_convention : {'full', 'same', 'valid'}
        Rounding of output extents: valid rounds down, full up, same gives ceil(in / stride).
    stride : tuple of int
        Steps of the window; empty means ones.
    pad : tuple of int
        Elements added at both ends of each axis; empty means none.
    p_value : optional int
        Accepted and ignored.
    count_include_pad : optional bool
        Whether avg also counts padding; None is True.
    layout : optional {'NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC', 'NWC'}
        Order of axes: None or channels first.

    Notes
    -----
    Source: MXNet _contrib_quantized_pooling.
    """
    return _call(_op__contrib_quantized_pooling, (data, min_data, max_data), out, (kernel, pool_type, global_pool, cudnn_off, pooling_convention, stride, pad, p_value, count_include_pad, layout), name, words)


_op__contrib_quantized_rnn = _Op("_contrib_quantized_rnn")


@_of(_op__contrib_quantized_rnn)
def _contrib_quantized_rnn(
    data: NDArray,
    parameters: NDArray,
    state: NDArray,
    state_cell: NDArray,
    data_scale: NDArray,
    data_shift: NDArray,
    state_size: int,
    num_layers: int,
    bidirectional: bool = False,
    mode: Optional[str] = None,
    p: float = 0.0,
    state_outputs: bool = False,
    projection_size: Optional[int] = None,
    lstm_state_clip_min: Optional[float] = None,
    lstm_state_clip_max: Optional[float] = None,
    lstm_state_clip_nan: bool = False,
    use_sequence_length: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """LSTM layers over whole sequences in 8 bits, for predictions: data, states and outputs of all steps as
    uint8 (value * data_scale + data_shift, rounded), weights as int8 with a scale per unit and gate, gates
    and cells in float32. Outputs are floats again. p has no meaning.

    Parameters
    ----------
    data : NDArray
        (steps, batch, inputs), uint8, as _contrib_quantize_asym gives it.
    parameters : NDArray
        As those of RNN with the mode lstm, float32.
    state : NDArray
        (layers * directions, batch, units): the states before the first step.
    state_cell : NDArray
        (layers * directions, batch, units): the cells before the first step.
    data_scale : NDArray
        (1,): what data was multiplied by.
    data_shift : NDArray
        (1,): what was added.
    state_size : int
        Units of a layer and direction.
    num_layers : int
        Layers on top of one another.
    bidirectional : bool
        Also run every layer from the last step to the first.
    mode : {'rnn_relu', 'rnn_tanh', 'lstm', 'gru'}
        Kind of cell.
    p : float
        While training, part of the inputs of the layers above the first that become 0.
    state_outputs : bool
        Also give the states after the last step.
    projection_size : optional int
        Of the LSTM: extent to which a matrix takes the state after every step.
    lstm_state_clip_min : optional float
        Lower bound of the LSTM's cells; given together with the upper one.
    lstm_state_clip_max : optional float
        Upper bound of the LSTM's cells.
    lstm_state_clip_nan : bool
        With bounds: take NaN to the lower one.
    use_sequence_length : bool
        Whether sequence_length is given.

    Notes
    -----
    Source: MXNet _contrib_quantized_rnn.
    """
    return _call(_op__contrib_quantized_rnn, (data, parameters, state, state_cell, data_scale, data_shift), out, (state_size, num_layers, bidirectional, mode, p, state_outputs, projection_size, lstm_state_clip_min, lstm_state_clip_max, lstm_state_clip_nan, use_sequence_length), name, words)


_op__contrib_requantize = _Op("_contrib_requantize")


@_of(_op__contrib_requantize)
def _contrib_requantize(
    data: NDArray,
    min_range: NDArray,
    max_range: NDArray,
    out_type: str = 'int8',
    min_calib_range: Optional[float] = None,
    max_calib_range: Optional[float] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Sums of 32 bits, whose range is the whole of int32, to 8 bits over a smaller range: the one given, or that
    of data.

    Parameters
    ----------
    data : NDArray
        int32 of any shape.
    min_range : NDArray
        (1,): what the smallest int32 stands for.
    max_range : NDArray
        (1,): what the largest int32 stands for.
    out_type : {'auto', 'int8', 'uint8'}
        Type of the output; auto is uint8 where min_calib_range is given and not negative, else int8.
    min_calib_range : optional float
        Smallest value that occurs; without it, that of data.
    max_calib_range : optional float
        Largest value that occurs; without it, that of data.

    Notes
    -----
    Source: MXNet _contrib_requantize.
    """
    return _call(_op__contrib_requantize, (data, min_range, max_range), out, (out_type, min_calib_range, max_calib_range), name, words)


_op__contrib_round_ste = _Op("_contrib_round_ste")


@_of(_op__contrib_round_ste)
def _contrib_round_ste(
    data: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Nearest integer, halves away from 0, with the gradient of the identity.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: Bengio et al. 2013, arXiv:1308.3432.
    """
    return _call(_op__contrib_round_ste, (data,), out, (), name, words)


_op__contrib_sign_ste = _Op("_contrib_sign_ste")


@_of(_op__contrib_sign_ste)
def _contrib_sign_ste(
    data: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Sign, with the gradient of the identity.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: Bengio et al. 2013, arXiv:1308.3432.
    """
    return _call(_op__contrib_sign_ste, (data,), out, (), name, words)


_op__copy = _Op("_copy")


@_of(_op__copy)
def _copy(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """A copy of the input.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet identity.
    """
    return _call(_op__copy, (data,), out, (), name, words)


_op__copyto = _Op("_copyto")


@_of(_op__copyto)
def _copyto(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Writes the input into another array, across devices and dtypes.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet _copyto.
    """
    return _call(_op__copyto, (data,), out, (), name, words)


_op__csr_dot = _Op("_csr_dot")


@_of(_op__csr_dot)
def _csr_dot(
    values: NDArray,
    indices: NDArray,
    starts: NDArray,
    dense: NDArray,
    columns: int,
    transpose: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The product of a csr matrix, or of its transpose, and a dense matrix.

    Parameters
    ----------
    values : NDArray
        The stored elements.
    indices : NDArray
        The column of each.
    starts : NDArray
        Of each row its first element, and after them their number.
    dense : NDArray
        A matrix.
    columns : int
        Columns of the csr matrix.
    transpose : bool
        Multiply by the transpose of the csr matrix.

    Notes
    -----
    Source: MXNet dot of a csr and a dense array.
    """
    return _call(_op__csr_dot, (values, indices, starts, dense), out, (columns, transpose), name, words)


_op__cvcopyMakeBorder = _Op("_cvcopyMakeBorder")


@_of(_op__cvcopyMakeBorder)
def _cvcopyMakeBorder(
    src: NDArray,
    top: int,
    bot: int,
    left: int,
    right: int,
    type: int = 0,
    value: float = 0.0,
    values: _Reals = (),
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """A picture with a border: of one colour, or of its own pixels again.

    Parameters
    ----------
    src : NDArray
        (height, width, channels), any dtype.
    top : int
        Rows above the picture.
    bot : int
        Rows below the picture.
    left : int
        Columns left of the picture.
    right : int
        Columns right of the picture.
    type : int
        0: a colour, 1: aaa|abc|ccc (the last pixel), 2: cba|abc|cba, 3: abc|abc|abc, 4: cb|abc|ba; plus 16
        means the same.
    value : float
        The number in every channel of the colour but the fourth of four, which is 0.
    values : tuple of float
        The colour, one number per channel; channels without one are 0.

    Notes
    -----
    Source: MXNet _cvcopyMakeBorder.
    """
    return _call(_op__cvcopyMakeBorder, (src,), out, (top, bot, left, right, type, value, values), name, words)


_op__cvimresize = _Op("_cvimresize")


@_of(_op__cvimresize)
def _cvimresize(
    src: NDArray,
    w: int,
    h: int,
    interp: int = 1,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """A picture of another size. Integer dtypes are rounded and saturate.

    Parameters
    ----------
    src : NDArray
        (height, width, channels), any dtype.
    w : int
        Columns of the result.
    h : int
        Rows of the result.
    interp : int
        0: nearest pixel, 1: straight lines, 2: cubic curves, 3: means of areas, 4: Lanczos' window of 8
        pixels.

    Notes
    -----
    Source: MXNet _cvimresize.
    """
    return _call(_op__cvimresize, (src,), out, (w, h, interp), name, words)


_op__div_scalar = _Op("_div_scalar")


@_of(_op__div_scalar)
def _div_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """data / scalar. Integers divide toward zero; an integer divided by 0 gives 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__div_scalar, (data,), out, (scalar, is_int), name, words)


_op__equal = _Op("_equal")


@_of(_op__equal)
def _equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where x == y, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand, of the same shape.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__equal, (lhs, rhs), out, (), name, words)


_op__equal_scalar = _Op("_equal_scalar")


@_of(_op__equal_scalar)
def _equal_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where data == scalar, else 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__equal_scalar, (data,), out, (scalar, is_int), name, words)


_op__eye = _Op("_eye")


@_of(_op__eye)
def _eye(
    N: int,
    M: int = 0,
    k: int = 0,
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """A matrix (N, M) with ones on diagonal k and zeros elsewhere.

    Parameters
    ----------
    N : int
        Rows.
    M : int
        Columns; 0 stands for as many as rows.
    k : int
        Which diagonal holds the ones: above 0 to the right of the main one.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : dtype
        Element type.

    Notes
    -----
    Source: MXNet _eye.
    """
    with _on_device(ctx):
        return _call(_op__eye, (), out, (N, M, k, str(ctx), dtype), name, words)


_op__floor_divide = _Op("_floor_divide")


@_of(_op__floor_divide)
def _floor_divide(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Quotient of two arrays, rounded down as by Python's //; an integer divided by 0 gives 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand, of the same shape.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__floor_divide, (lhs, rhs), out, (), name, words)


_op__floor_divide_scalar = _Op("_floor_divide_scalar")


@_of(_op__floor_divide_scalar)
def _floor_divide_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """data / scalar, rounded down; an integer divided by 0 gives 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__floor_divide_scalar, (data,), out, (scalar, is_int), name, words)


_op__fold_batch_norm = _Op("_fold_batch_norm")


@_of(_op__fold_batch_norm)
def _fold_batch_norm(
    gamma: NDArray,
    beta: Optional[NDArray] = None,
    moving_mean: Optional[NDArray] = None,
    moving_var: Optional[NDArray] = None,
    bias: Optional[NDArray] = None,
    eps: float = 0.001,
    fix_gamma: bool = True,
    no_bias: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """A factor for the weights of each filter, and a bias: with them a convolution gives what it and a batch
    normalisation by moving averages give.

    Parameters
    ----------
    gamma : NDArray
        float32 (num_filter,).
    beta : NDArray
        float32 (num_filter,).
    moving_mean : NDArray
        float32 (num_filter,).
    moving_var : NDArray
        float32 (num_filter,).
    bias : NDArray
        float32 (num_filter,): the convolution's; absent with no_bias.
    eps : float
        Added to the variance.
    fix_gamma : bool
        Gamma counts as 1.
    no_bias : bool
        The convolution has no bias.

    Notes
    -----
    Source: MXNet _sg_mkldnn_conv with with_bn.
    """
    return _call(_op__fold_batch_norm, (gamma, beta, moving_mean, moving_var, bias), out, (eps, fix_gamma, no_bias), name, words)


_op__foreach = _Op("_foreach")


@_of(_op__foreach)
def _foreach(
    *data: NDArray,
    subgraph0: Optional[str] = None,
    num_args: Optional[int] = None,
    num_outputs: Optional[int] = None,
    num_out_data: Optional[int] = None,
    in_state_locs: Optional[_Reals] = None,
    in_data_locs: Optional[_Reals] = None,
    remain_locs: Optional[_Reals] = None,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Runs a body for each slice of the data along their leading axis, handing states from step to step; gives
    the body's outputs stacked, then the last states. mx.sym.contrib.foreach makes it.

    Parameters
    ----------
    data : NDArray
        Data, first states, then what the body reads besides.
    subgraph0 : str
        The body as JSON of a symbol.
    num_args : int
        Number of inputs, the body included.
    num_outputs : int
        Number of outputs of the body.
    num_out_data : int
        How many of these are stacked; the others are the next states.
    in_state_locs : tuple of float
        Which inputs of the body are states.
    in_data_locs : tuple of float
        Which inputs of the body are slices of data.
    remain_locs : tuple of float
        Which inputs of the body stay what they are.

    Notes
    -----
    Source: MXNet _foreach.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__foreach, data, out, (subgraph0, num_args, num_outputs, num_out_data, in_state_locs, in_data_locs, remain_locs), name, words)


_op__full = _Op("_full")


@_of(_op__full)
def _full(
    shape: _Ints,
    ctx: str = '',
    dtype: Any = 'float32',
    value: Optional[float] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Array with one value everywhere.

    Parameters
    ----------
    shape : tuple of int
        Extents of the output; in a graph 0 or -1 is one that follows.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : dtype
        Element type.
    value : float
        Every element.
    """
    with _on_device(ctx):
        return _call(_op__full, (), out, (shape, str(ctx), dtype, value), name, words)


_op__fused_convolution = _Op("_fused_convolution")


@_of(_op__fused_convolution)
def _fused_convolution(
    *data: NDArray,
    kernel: Optional[_Ints] = None,
    stride: Optional[_Ints] = None,
    dilate: Optional[_Ints] = None,
    pad: Optional[_Ints] = None,
    num_filter: Optional[int] = None,
    num_group: int = 1,
    no_bias: bool = False,
    norm: bool = False,
    fix_gamma: bool = True,
    eps: float = 0.001,
    residual: bool = False,
    data_layout: str = 'plain',
    out_layout: str = 'plain',
    activation: str = 'none',
    low: float = 0.0,
    high: float = 0.0,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """activation(BatchNorm(Convolution(data, weight, bias)) + residual), float32, channels first, with
    BatchNorm's moving averages, for prediction: it has no gradient. Inputs in that order: data, weight, then
    those of bias, (gamma, beta, moving_mean, moving_var) and residual that there are. Graphs get it from the
    pass `fuse`; they keep the prepared weights until one of the parameters is written.

    Parameters
    ----------
    data : NDArray
        Data, weight and what the parameters ask for.
    kernel : tuple of int
        Extents of the window: (w,) or (h, w).
    stride : tuple of int
        Steps of the window.
    dilate : tuple of int
        Distance of the input elements under neighbouring weights.
    pad : tuple of int
        Zeros added at both ends of each axis.
    num_filter : int
        Channels of the output.
    num_group : int
        Groups of channels that are convolved apart.
    no_bias : bool
        There is no bias among the inputs.
    norm : bool
        gamma, beta, moving_mean and moving_var of a BatchNorm are inputs.
    fix_gamma : bool
        Takes gamma as 1.
    eps : float
        Added to the variance.
    residual : bool
        The last input is added before the activation.
    data_layout : {'plain', 'blocked'}
        blocked: data is (n, channels / 16 rounded up, in..., 16).
    out_layout : {'plain', 'blocked'}
        The same of output and residual.
    activation : {'none', 'clamp', 'leaky', 'sigmoid', 'hard_sigmoid', 'silu', 'hard_swish', 'tanh'}
        What is applied to every element at the end.
    low : float
        Lower bound of clamp; slope of leaky; slope of hard_sigmoid.
    high : float
        Upper bound of clamp; hard_sigmoid's value at 0.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__fused_convolution, data, out, (kernel, stride, dilate, pad, num_filter, num_group, no_bias, norm, fix_gamma, eps, residual, data_layout, out_layout, activation, low, high), name, words)


_op__fused_convolution_chain = _Op("_fused_convolution_chain")


@_of(_op__fused_convolution_chain)
def _fused_convolution_chain(
    *data: NDArray,
    kernel: Optional[_Ints] = None,
    stride: Optional[_Ints] = None,
    dilate: Optional[_Ints] = None,
    pad: Optional[_Ints] = None,
    num_expanded: Optional[int] = None,
    num_filter: Optional[int] = None,
    expand_kernel: _Ints = (),
    expand_stride: _Ints = (),
    expand_pad: _Ints = (),
    no_bias: bool = False,
    norm: bool = False,
    fix_gamma: bool = True,
    eps: float = 0.001,
    residual: bool = False,
    data_layout: str = 'blocked',
    inner: str = 'none',
    inner_low: float = 0.0,
    inner_high: float = 0.0,
    activation: str = 'none',
    low: float = 0.0,
    high: float = 0.0,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """A convolution, a depthwise one and a 1x1 one, each with its BatchNorm and activation, for prediction:
    float32, with two axes of positions; it has no gradient. Inputs: data, then for each convolution weight
    and those of bias, (gamma, beta, moving_mean, moving_var) that there are, then residual. Graphs get it
    from the pass `chain`; what lies between the convolutions is computed a few rows at a time and takes no
    memory.

    Parameters
    ----------
    data : NDArray
        Data, weights and what the parameters ask for.
    kernel : tuple of int
        Extents (h, w) of the depthwise convolution's window.
    stride : tuple of int
        Its steps.
    dilate : tuple of int
        Distance of the input elements under its neighbouring weights.
    pad : tuple of int
        Zeros added at both ends of each axis.
    num_expanded : int
        Channels of the depthwise convolution.
    num_filter : int
        Channels of the output.
    expand_kernel : tuple of int
        Window of the first convolution; empty: there is none.
    expand_stride : tuple of int
        Its steps.
    expand_pad : tuple of int
        Its zeros at both ends of each axis.
    no_bias : bool
        No convolution has a bias among the inputs.
    norm : bool
        Each convolution has gamma, beta, moving_mean and moving_var.
    fix_gamma : bool
        Takes each gamma as 1.
    eps : float
        Added to each variance.
    residual : bool
        The last input is added at the end.
    data_layout : {'plain', 'blocked'}
        blocked: data is (n, channels / 16 rounded up, h, w, 16), as residual and output are.
    inner : {'none', 'clamp', 'leaky', 'sigmoid', 'hard_sigmoid', 'silu', 'hard_swish', 'tanh'}
        What ends all convolutions but the last.
    inner_low : float
        As low, of inner.
    inner_high : float
        As high, of inner.
    activation : {'none', 'clamp', 'leaky', 'sigmoid', 'hard_sigmoid', 'silu', 'hard_swish', 'tanh'}
        What is applied to every element at the end.
    low : float
        Lower bound of clamp; slope of leaky; slope of hard_sigmoid.
    high : float
        Upper bound of clamp; hard_sigmoid's value at 0.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__fused_convolution_chain, data, out, (kernel, stride, dilate, pad, num_expanded, num_filter, expand_kernel, expand_stride, expand_pad, no_bias, norm, fix_gamma, eps, residual, data_layout, inner, inner_low, inner_high, activation, low, high), name, words)


_op__fused_fully_connected = _Op("_fused_fully_connected")


@_of(_op__fused_fully_connected)
def _fused_fully_connected(
    data: NDArray,
    weight: Optional[NDArray] = None,
    bias: Optional[NDArray] = None,
    num_hidden: Optional[int] = None,
    no_bias: bool = False,
    flatten: bool = True,
    activation: str = 'none',
    low: float = 0.0,
    high: float = 0.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """activation(FullyConnected(data, weight, bias)), float32. It has no gradient of its own: graphs with a
    backward part keep those of the two. Graphs get it from the pass `fuse`.

    Parameters
    ----------
    data : NDArray
        Float array; the first axis counts samples.
    weight : NDArray
        (num_hidden, depth), where depth is the size of one sample.
    bias : NDArray
        (num_hidden,); absent with no_bias.
    num_hidden : int
        Extent of the last axis of the output.
    no_bias : bool
        Leave the bias out; the operator then has two inputs.
    flatten : bool
        Treat every sample as one row; otherwise only the last axis is multiplied.
    activation : {'none', 'clamp', 'leaky', 'sigmoid', 'hard_sigmoid', 'silu', 'hard_swish', 'tanh'}
        What is applied to every element at the end.
    low : float
        Lower bound of clamp; slope of leaky; slope of hard_sigmoid.
    high : float
        Upper bound of clamp; hard_sigmoid's value at 0.
    """
    return _call(_op__fused_fully_connected, (data, weight, bias), out, (num_hidden, no_bias, flatten, activation, low, high), name, words)


_op__gradient = _Op("_gradient")


@_of(_op__gradient)
def _gradient(
    *data: NDArray,
    subgraph0: Optional[str] = None,
    num_args: Optional[int] = None,
    wrt: Optional[_Reals] = None,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """The gradients of a graph's outputs, each summed, with regard to some of its inputs; those of a loss are
    its own. Symbol.gradient makes it.

    Parameters
    ----------
    data : NDArray
        The inputs of the graph.
    subgraph0 : str
        The graph as JSON of a symbol.
    num_args : int
        Number of inputs, the graph included.
    wrt : tuple of float
        Which inputs' gradients it gives.

    Notes
    -----
    Source: MXNet Symbol.gradient.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__gradient, data, out, (subgraph0, num_args, wrt), name, words)


_op__greater = _Op("_greater")


@_of(_op__greater)
def _greater(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where x > y, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand, of the same shape.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__greater, (lhs, rhs), out, (), name, words)


_op__greater_equal = _Op("_greater_equal")


@_of(_op__greater_equal)
def _greater_equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where x >= y, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand, of the same shape.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__greater_equal, (lhs, rhs), out, (), name, words)


_op__greater_equal_scalar = _Op("_greater_equal_scalar")


@_of(_op__greater_equal_scalar)
def _greater_equal_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where data >= scalar, else 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__greater_equal_scalar, (data,), out, (scalar, is_int), name, words)


_op__greater_scalar = _Op("_greater_scalar")


@_of(_op__greater_scalar)
def _greater_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where data > scalar, else 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__greater_scalar, (data,), out, (scalar, is_int), name, words)


_op__histogram = _Op("_histogram")


@_of(_op__histogram)
def _histogram(
    data: NDArray,
    bins: Optional[NDArray] = None,
    bin_cnt: Optional[int] = None,
    range: Optional[_Reals] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """How many values lie in each bin, as int64, and the edges of the bins. A bin holds its lower end; the last
    one also the upper end. Values outside and NaN are not counted.

    Parameters
    ----------
    data : NDArray
        Any array.
    bins : NDArray
        Edges of the bins, ascending; only without bin_cnt.
    bin_cnt : optional int
        Number of equal bins; without it, bins gives the edges.
    range : optional tuple of float
        With bin_cnt: lower end of the first and upper end of the last bin.

    Notes
    -----
    Source: MXNet _histogram.
    """
    return _call(_op__histogram, (data, bins), out, (bin_cnt, range), name, words)


_op__hypot = _Op("_hypot")


@_of(_op__hypot)
def _hypot(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Length of the vector (x, y).

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand, of the same shape.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__hypot, (lhs, rhs), out, (), name, words)


_op__hypot_scalar = _Op("_hypot_scalar")


@_of(_op__hypot_scalar)
def _hypot_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Length of the vector (data, scalar).

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__hypot_scalar, (data,), out, (scalar, is_int), name, words)


_op__identity_with_attr_like_rhs = _Op("_identity_with_attr_like_rhs")


@_of(_op__identity_with_attr_like_rhs)
def _identity_with_attr_like_rhs(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """A copy of lhs, which is known to have the shape and dtype of rhs.

    Parameters
    ----------
    lhs : NDArray
        Any array.
    rhs : NDArray
        Only its shape and dtype count.

    Notes
    -----
    Source: MXNet _identity_with_attr_like_rhs.
    """
    return _call(_op__identity_with_attr_like_rhs, (lhs, rhs), out, (), name, words)


_op__image_adjust_lighting = _Op("_image_adjust_lighting")


@_of(_op__image_adjust_lighting)
def _image_adjust_lighting(
    data: NDArray,
    alpha: _Reals,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Red, green and blue shifted along the main directions of natural colours; pictures of one channel stay.

    Parameters
    ----------
    data : NDArray
        (height, width, channels) with 1 or 3 channels; integer dtypes saturate.
    alpha : tuple of float
        Amounts along the three main directions of colours.

    Notes
    -----
    Source: MXNet _image_adjust_lighting; Krizhevsky and others 2012.
    """
    return _call(_op__image_adjust_lighting, (data,), out, (alpha,), name, words)


_op__image_batch_norm = _Op("_image_batch_norm")


@_of(_op__image_batch_norm)
def _image_batch_norm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    moving_mean: NDArray,
    moving_var: NDArray,
    eps: float = 0.001,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    activation: str = 'none',
    low: float = 0.0,
    high: float = 0.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """activation(BatchNorm(data)) of a float32 image in blocks of 16 channels, (n, channels / 16, positions...,
    16). Graphs get it from the pass `layout` in training.

    Parameters
    ----------
    data : NDArray
        The image.
    gamma : NDArray
        (C,): scale; taken as 1 while fix_gamma is set.
    beta : NDArray
        (C,): shift.
    moving_mean : NDArray
        (C,): moving average of means.
    moving_var : NDArray
        (C,): moving average of variances.
    eps : float
        Added to the variance.
    momentum : float
        Share of the old value in a moving average.
    fix_gamma : bool
        Takes gamma as 1 and gives it no gradient.
    use_global_stats : bool
        Normalises with the moving averages in training too, and leaves them.
    activation : {'none', 'relu', 'clip'}
        What follows.
    low : float
        Smallest value of clip.
    high : float
        Largest value of clip.
    """
    return _call(_op__image_batch_norm, (data, gamma, beta, moving_mean, moving_var), out, (eps, momentum, fix_gamma, use_global_stats, activation, low, high), name, words)


_op__image_batch_norm_again = _Op("_image_batch_norm_again")


@_of(_op__image_batch_norm_again)
def _image_batch_norm_again(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    mean: NDArray,
    inverse: NDArray,
    fix_gamma: bool = True,
    activation: str = 'none',
    low: float = 0.0,
    high: float = 0.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """_image_batch_norm with the statistics that a call on the same data has found. Graphs get it where the
    backward part computes values again; it has no gradient.

    Parameters
    ----------
    data : NDArray
        The image.
    gamma : NDArray
        (C,): scale; taken as 1 while fix_gamma is set.
    beta : NDArray
        (C,): shift.
    mean : NDArray
        (C,): the second output of _image_batch_norm.
    inverse : NDArray
        (C,): its third, 1 / sqrt(variance + eps).
    fix_gamma : bool
        Takes gamma as 1.
    activation : {'none', 'relu', 'clip'}
        What follows.
    low : float
        Smallest value of clip.
    high : float
        Largest value of clip.
    """
    return _call(_op__image_batch_norm_again, (data, gamma, beta, mean, inverse), out, (fix_gamma, activation, low, high), name, words)


_op__image_convolution = _Op("_image_convolution")


@_of(_op__image_convolution)
def _image_convolution(
    data: NDArray,
    weight: Optional[NDArray] = None,
    bias: Optional[NDArray] = None,
    kernel: Optional[_Ints] = None,
    stride: Optional[_Ints] = None,
    dilate: Optional[_Ints] = None,
    pad: Optional[_Ints] = None,
    num_filter: Optional[int] = None,
    num_group: int = 1,
    no_bias: bool = False,
    data_layout: str = 'plain',
    out_layout: str = 'plain',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Convolution of float32 images whose layouts, plain or in blocks of 16 channels, the parameters name.
    Graphs get it from the pass `layout` in training.

    Parameters
    ----------
    data : NDArray
        The image.
    weight : NDArray
        (num_filter, channels / num_group, window...).
    bias : NDArray
        (num_filter,); absent with no_bias.
    kernel : tuple of int
        Extents of the window: (h, w).
    stride : tuple of int
        Steps of the window.
    dilate : tuple of int
        Distance of the input elements under neighbouring weights.
    pad : tuple of int
        Zeros added at both ends of each axis.
    num_filter : int
        Channels of the output.
    num_group : int
        Groups of channels that are convolved apart.
    no_bias : bool
        There is no bias among the inputs.
    data_layout : {'plain', 'blocked'}
        blocked: data is (n, channels / 16, in..., 16), a multiple of 16 channels.
    out_layout : {'plain', 'blocked'}
        The same of the output.
    """
    return _call(_op__image_convolution, (data, weight, bias), out, (kernel, stride, dilate, pad, num_filter, num_group, no_bias, data_layout, out_layout), name, words)


_op__image_crop = _Op("_image_crop")


@_of(_op__image_crop)
def _image_crop(
    data: NDArray,
    x: int,
    y: int,
    width: int,
    height: int,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The window of a picture, or of each picture of a batch.

    Parameters
    ----------
    data : NDArray
        (height, width, channels) or (batch, height, width, channels), any dtype.
    x : int
        First column of the window.
    y : int
        First row of the window.
    width : int
        Columns of the window.
    height : int
        Rows of the window.

    Notes
    -----
    Source: MXNet _image_crop.
    """
    return _call(_op__image_crop, (data,), out, (x, y, width, height), name, words)


_op__image_flip_left_right = _Op("_image_flip_left_right")


@_of(_op__image_flip_left_right)
def _image_flip_left_right(
    data: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The picture with its columns in reverse order.

    Parameters
    ----------
    data : NDArray
        (height, width, channels) with 1 or 3 channels, any dtype.

    Notes
    -----
    Source: MXNet _image_flip_left_right.
    """
    return _call(_op__image_flip_left_right, (data,), out, (), name, words)


_op__image_flip_top_bottom = _Op("_image_flip_top_bottom")


@_of(_op__image_flip_top_bottom)
def _image_flip_top_bottom(
    data: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The picture with its rows in reverse order.

    Parameters
    ----------
    data : NDArray
        (height, width, channels) with 1 or 3 channels, any dtype.

    Notes
    -----
    Source: MXNet _image_flip_top_bottom.
    """
    return _call(_op__image_flip_top_bottom, (data,), out, (), name, words)


_op__image_normalize = _Op("_image_normalize")


@_of(_op__image_normalize)
def _image_normalize(
    data: NDArray,
    mean: _Reals = (0.0, 0.0, 0.0, 0.0),
    std: _Reals = (1.0, 1.0, 1.0, 1.0),
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """(data - mean) / std for each channel; results of integer dtypes are cut off.

    Parameters
    ----------
    data : NDArray
        (channels, height, width), or a batch of them, with 1 or 3 channels.
    mean : tuple of float
        What is subtracted: one number, or one per channel.
    std : tuple of float
        What divides then: one number, or one per channel.

    Notes
    -----
    Source: MXNet _image_normalize.
    """
    return _call(_op__image_normalize, (data,), out, (mean, std), name, words)


_op__image_pooling = _Op("_image_pooling")


@_of(_op__image_pooling)
def _image_pooling(
    data: NDArray,
    kernel: _Ints = (),
    pool_type: str = 'max',
    global_pool: bool = False,
    cudnn_off: bool = False,
    pooling_convention: str = 'valid',
    stride: _Ints = (),
    pad: _Ints = (),
    p_value: Optional[int] = None,
    count_include_pad: Optional[bool] = None,
    layout: Optional[str] = None,
    out_layout: str = 'blocked',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Pooling of float32 images in blocks of 16 channels, (n, channels / 16, h, w, 16). Graphs get it from the
    pass `layout` in training.

    Parameters
    ----------
    data : NDArray
        The image.
    kernel : tuple of int
        Extents of the window: (w,), (h, w) or (d, h, w).
    pool_type : {'avg', 'lp', 'max', 'sum'}
        What is taken of a window.
    global_pool : bool
        The window is the whole image; kernel, stride and pad are ignored.
    cudnn_off : bool
        Accepted and ignored.
    pooling_convention : {'full', 'same', 'valid'}
        Rounding of output extents: valid rounds down, full up, same gives ceil(in / stride).
    stride : tuple of int
        Steps of the window; empty means ones.
    pad : tuple of int
        Elements added at both ends of each axis; empty means none.
    p_value : optional int
        Power of the norm, 1, 2 or 3; for pool_type lp.
    count_include_pad : optional bool
        Whether avg also counts padding; None is True.
    layout : optional {'NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC', 'NWC'}
        Order of axes; None is channels first.
    out_layout : {'plain', 'blocked'}
        plain: the output is a single pixel, whose order is the same, and has the plain shape.
    """
    return _call(_op__image_pooling, (data,), out, (kernel, pool_type, global_pool, cudnn_off, pooling_convention, stride, pad, p_value, count_include_pad, layout, out_layout), name, words)


_op__image_random_brightness = _Op("_image_random_brightness")


@_of(_op__image_random_brightness)
def _image_random_brightness(
    data: NDArray,
    min_factor: float,
    max_factor: float,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The picture times a factor drawn evenly from an interval. Gradients pass unchanged.

    Parameters
    ----------
    data : NDArray
        (height, width, channels) with 1 or 3 channels; integer dtypes saturate.
    min_factor : float
        Least factor.
    max_factor : float
        Greatest factor.

    Notes
    -----
    Source: MXNet _image_random_brightness.
    """
    return _call(_op__image_random_brightness, (data,), out, (min_factor, max_factor), name, words)


_op__image_random_color_jitter = _Op("_image_random_color_jitter")


@_of(_op__image_random_color_jitter)
def _image_random_color_jitter(
    data: NDArray,
    brightness: float,
    contrast: float,
    saturation: float,
    hue: float,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Brightness, contrast, saturation and hue changed by random amounts, in random order. Gradients pass
    unchanged.

    Parameters
    ----------
    data : NDArray
        (height, width, channels) with 1 or 3 channels; integer dtypes saturate.
    brightness : float
        The factor of brightness lies within 1 +- this.
    contrast : float
        The factor of contrast lies within 1 +- this.
    saturation : float
        The factor of saturation lies within 1 +- this.
    hue : float
        The hue turns by +- this part of a circle.

    Notes
    -----
    Source: MXNet _image_random_color_jitter.
    """
    return _call(_op__image_random_color_jitter, (data,), out, (brightness, contrast, saturation, hue), name, words)


_op__image_random_contrast = _Op("_image_random_contrast")


@_of(_op__image_random_contrast)
def _image_random_contrast(
    data: NDArray,
    min_factor: float,
    max_factor: float,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """factor * data + (1 - factor) * the picture's mean grey, with a factor drawn evenly from an interval.
    Gradients pass unchanged.

    Parameters
    ----------
    data : NDArray
        (height, width, channels) with 1 or 3 channels; integer dtypes saturate.
    min_factor : float
        Least factor.
    max_factor : float
        Greatest factor.

    Notes
    -----
    Source: MXNet _image_random_contrast.
    """
    return _call(_op__image_random_contrast, (data,), out, (min_factor, max_factor), name, words)


_op__image_random_flip_left_right = _Op("_image_random_flip_left_right")


@_of(_op__image_random_flip_left_right)
def _image_random_flip_left_right(
    data: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """The picture, its columns in reverse order in one of two calls.

    Parameters
    ----------
    data : NDArray
        (height, width, channels) with 1 or 3 channels, any dtype.

    Notes
    -----
    Source: MXNet _image_random_flip_left_right.
    """
    return _call(_op__image_random_flip_left_right, (data,), out, (), name, words)


_op__image_random_flip_top_bottom = _Op("_image_random_flip_top_bottom")


@_of(_op__image_random_flip_top_bottom)
def _image_random_flip_top_bottom(
    data: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """The picture, its rows in reverse order in one of two calls.

    Parameters
    ----------
    data : NDArray
        (height, width, channels) with 1 or 3 channels, any dtype.

    Notes
    -----
    Source: MXNet _image_random_flip_top_bottom.
    """
    return _call(_op__image_random_flip_top_bottom, (data,), out, (), name, words)


_op__image_random_hue = _Op("_image_random_hue")


@_of(_op__image_random_hue)
def _image_random_hue(
    data: NDArray,
    min_factor: float,
    max_factor: float,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The hue of every pixel turned by a part of the colour circle, drawn evenly from an interval; pictures of
    one channel stay. Gradients pass unchanged.

    Parameters
    ----------
    data : NDArray
        (height, width, channels) with 1 or 3 channels; integer dtypes saturate.
    min_factor : float
        Least factor.
    max_factor : float
        Greatest factor.

    Notes
    -----
    Source: MXNet _image_random_hue.
    """
    return _call(_op__image_random_hue, (data,), out, (min_factor, max_factor), name, words)


_op__image_random_lighting = _Op("_image_random_lighting")


@_of(_op__image_random_lighting)
def _image_random_lighting(
    data: NDArray,
    alpha_std: float = 0.05,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Red, green and blue shifted along the main directions of natural colours by normal random amounts;
    pictures of one channel stay.

    Parameters
    ----------
    data : NDArray
        (height, width, channels) with 1 or 3 channels; integer dtypes saturate.
    alpha_std : float
        Standard deviation of the three amounts.

    Notes
    -----
    Source: MXNet _image_random_lighting; Krizhevsky and others 2012.
    """
    return _call(_op__image_random_lighting, (data,), out, (alpha_std,), name, words)


_op__image_random_saturation = _Op("_image_random_saturation")


@_of(_op__image_random_saturation)
def _image_random_saturation(
    data: NDArray,
    min_factor: float,
    max_factor: float,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """factor * data + (1 - factor) * each pixel's grey, with a factor drawn evenly from an interval; pictures of
    one channel stay. Gradients pass unchanged.

    Parameters
    ----------
    data : NDArray
        (height, width, channels) with 1 or 3 channels; integer dtypes saturate.
    min_factor : float
        Least factor.
    max_factor : float
        Greatest factor.

    Notes
    -----
    Source: MXNet _image_random_saturation.
    """
    return _call(_op__image_random_saturation, (data,), out, (min_factor, max_factor), name, words)


_op__image_resize = _Op("_image_resize")


@_of(_op__image_resize)
def _image_resize(
    data: NDArray,
    size: _Ints = (),
    keep_ratio: bool = False,
    interp: int = 1,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """A picture, or a batch of pictures, of another size. Integer dtypes are rounded and saturate.

    Parameters
    ----------
    data : NDArray
        (height, width, channels) or (batch, height, width, channels).
    size : tuple of int
        (width, height), or one number for both.
    keep_ratio : bool
        With one number: it is the shorter side, and the other keeps the ratio.
    interp : int
        0: nearest pixel, 1: straight lines, 2: cubic curves, 3: means of areas, 4: Lanczos' window of 8
        pixels.

    Notes
    -----
    Source: MXNet _image_resize.
    """
    return _call(_op__image_resize, (data,), out, (size, keep_ratio, interp), name, words)


_op__image_to_tensor = _Op("_image_to_tensor")


@_of(_op__image_to_tensor)
def _image_to_tensor(
    data: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """(height, width, channels) with values from 0 to 255 as (channels, height, width) of float32 from 0 to 1;
    also batches.

    Parameters
    ----------
    data : NDArray
        A picture, or a batch (batch, height, width, channels), of any dtype.

    Notes
    -----
    Source: MXNet _image_to_tensor.
    """
    return _call(_op__image_to_tensor, (data,), out, (), name, words)


_op__index_add = _Op("_index_add")


@_of(_op__index_add)
def _index_add(
    *data: NDArray,
    num_args: Optional[int] = None,
    axes: Optional[_Ints] = None,
    mode: str = 'python',
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """lhs with rhs added to lhs[..., indices, ...]; where indices repeat, all values are added, in order. When
    the output is lhs itself, only the indexed places are written.

    Parameters
    ----------
    data : NDArray
        lhs, rhs (broadcasts to the selected elements), then one array of integers per entry of axes.
    num_args : int
        Number of inputs; 0 takes as many as are given.
    axes : tuple of int
        The indexed axes, ascending; one array of indices each.
    mode : {'python', 'clip', 'wrap', 'raise'}
        Indices outside the axis: negatives count from the end and others fail, are clipped, wrap around, or
        all fail.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__index_add, data, out, (len(data) if num_args is None else num_args, axes, mode), name, words)


_op__index_gather = _Op("_index_gather")


@_of(_op__index_gather)
def _index_gather(
    *data: NDArray,
    num_args: Optional[int] = None,
    axes: Optional[_Ints] = None,
    mode: str = 'python',
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """data[..., indices, ...] with NumPy's rules: arrays of indices broadcast together and their axes take the
    place of the indexed axes, or come first when those are not adjacent.

    Parameters
    ----------
    data : NDArray
        The array, then one array of integers per entry of axes.
    num_args : int
        Number of inputs; 0 takes as many as are given.
    axes : tuple of int
        The indexed axes, ascending; one array of indices each.
    mode : {'python', 'clip', 'wrap', 'raise'}
        Indices outside the axis: negatives count from the end and others fail, are clipped, wrap around, or
        all fail.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__index_gather, data, out, (len(data) if num_args is None else num_args, axes, mode), name, words)


_op__index_place = _Op("_index_place")


@_of(_op__index_place)
def _index_place(
    *data: NDArray,
    num_args: Optional[int] = None,
    axes: Optional[_Ints] = None,
    mode: str = 'python',
    shape: Optional[_Ints] = None,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Zeros of the given shape, to which data is added at the indexed places: the gradient of _index_gather.

    Parameters
    ----------
    data : NDArray
        The selected elements, then one array of integers per entry of axes.
    num_args : int
        Number of inputs; 0 takes as many as are given.
    axes : tuple of int
        The indexed axes, ascending; one array of indices each.
    mode : {'python', 'clip', 'wrap', 'raise'}
        Indices outside the axis: negatives count from the end and others fail, are clipped, wrap around, or
        all fail.
    shape : tuple of int
        Extents of the output.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__index_place, data, out, (len(data) if num_args is None else num_args, axes, mode, shape), name, words)


_op__index_put = _Op("_index_put")


@_of(_op__index_put)
def _index_put(
    *data: NDArray,
    num_args: Optional[int] = None,
    axes: Optional[_Ints] = None,
    mode: str = 'python',
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """lhs with lhs[..., indices, ...] = rhs; where indices repeat, the last value stays. When the output is lhs
    itself, only the indexed places are written. The gradient counts every repeated value of rhs.

    Parameters
    ----------
    data : NDArray
        lhs, rhs (broadcasts to the selected elements), then one array of integers per entry of axes.
    num_args : int
        Number of inputs; 0 takes as many as are given.
    axes : tuple of int
        The indexed axes, ascending; one array of indices each.
    mode : {'python', 'clip', 'wrap', 'raise'}
        Indices outside the axis: negatives count from the end and others fail, are clipped, wrap around, or
        all fail.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__index_put, data, out, (len(data) if num_args is None else num_args, axes, mode), name, words)


_op__lesser = _Op("_lesser")


@_of(_op__lesser)
def _lesser(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where x < y, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand, of the same shape.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__lesser, (lhs, rhs), out, (), name, words)


_op__lesser_equal = _Op("_lesser_equal")


@_of(_op__lesser_equal)
def _lesser_equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where x <= y, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand, of the same shape.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__lesser_equal, (lhs, rhs), out, (), name, words)


_op__lesser_equal_scalar = _Op("_lesser_equal_scalar")


@_of(_op__lesser_equal_scalar)
def _lesser_equal_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where data <= scalar, else 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__lesser_equal_scalar, (data,), out, (scalar, is_int), name, words)


_op__lesser_scalar = _Op("_lesser_scalar")


@_of(_op__lesser_scalar)
def _lesser_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where data < scalar, else 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__lesser_scalar, (data,), out, (scalar, is_int), name, words)


_op__linalg_adjugate = _Op("_linalg_adjugate")


@_of(_op__linalg_adjugate)
def _linalg_adjugate(
    A: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Adjugates of square matrices: determinant times inverse, which exists for singular matrices too. Its own
    gradient divides by the determinant.

    Parameters
    ----------
    A : NDArray
        (..., n, n), a float dtype.
    """
    return _call(_op__linalg_adjugate, (A,), out, (), name, words)


_op__linalg_det = _Op("_linalg_det")


@_of(_op__linalg_det)
def _linalg_det(A: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Determinants of square matrices.

    Parameters
    ----------
    A : NDArray
        (..., n, n), a float dtype.

    Notes
    -----
    Source: MXNet linalg_det.
    """
    return _call(_op__linalg_det, (A,), out, (), name, words)


_op__linalg_extractdiag = _Op("_linalg_extractdiag")


@_of(_op__linalg_extractdiag)
def _linalg_extractdiag(
    A: NDArray,
    offset: int = 0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """A diagonal of square matrices, as the last axis.

    Parameters
    ----------
    A : NDArray
        (..., n, n).
    offset : int
        Which diagonal: above 0 to the right of the main one.

    Notes
    -----
    Source: MXNet linalg_extractdiag.
    """
    return _call(_op__linalg_extractdiag, (A,), out, (offset,), name, words)


_op__linalg_extracttrian = _Op("_linalg_extracttrian")


@_of(_op__linalg_extracttrian)
def _linalg_extracttrian(
    A: NDArray,
    offset: int = 0,
    lower: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """A triangle of square matrices, as the last axis: a lower one row by row, an upper one column by column.

    Parameters
    ----------
    A : NDArray
        (..., n, n).
    offset : int
        Diagonal at which the triangle begins: above 0 an upper, below 0 a lower one.
    lower : bool
        Which triangle, when offset is 0.

    Notes
    -----
    Source: MXNet linalg_extracttrian.
    """
    return _call(_op__linalg_extracttrian, (A,), out, (offset, lower), name, words)


_op__linalg_gelqf = _Op("_linalg_gelqf")


@_of(_op__linalg_gelqf)
def _linalg_gelqf(A: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> Any:
    """LQ factorisation A = L Q: Q has orthonormal rows, L is lower triangular.

    Parameters
    ----------
    A : NDArray
        (..., m, n) with m at most n and full rank, a float dtype.

    Notes
    -----
    Source: MXNet linalg_gelqf; https://arxiv.org/abs/1710.08717.
    """
    return _call(_op__linalg_gelqf, (A,), out, (), name, words)


_op__linalg_gemm = _Op("_linalg_gemm")


@_of(_op__linalg_gemm)
def _linalg_gemm(
    A: NDArray,
    B: NDArray,
    C: NDArray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    beta: float = 1.0,
    axis: int = -2,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """alpha * op(A) op(B) + beta * C for stacks of matrices; all axes but those of rows and columns are equal.

    Parameters
    ----------
    A : NDArray
        Float array of at least two axes.
    B : NDArray
        Float array of the same dtype and number of axes.
    C : NDArray
        Of the shape of the result.
    transpose_a : bool
        Use the transposes of A.
    transpose_b : bool
        Use the transposes of B.
    alpha : float
        Factor of the product.
    beta : float
        Factor of C.
    axis : int
        Axis of the matrix rows; the columns are the last one.

    Notes
    -----
    Source: MXNet linalg_gemm.
    """
    return _call(_op__linalg_gemm, (A, B, C), out, (transpose_a, transpose_b, alpha, beta, axis), name, words)


_op__linalg_gemm2 = _Op("_linalg_gemm2")


@_of(_op__linalg_gemm2)
def _linalg_gemm2(
    A: NDArray,
    B: NDArray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    axis: int = -2,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """alpha * op(A) op(B) for stacks of matrices; all axes but those of rows and columns are equal.

    Parameters
    ----------
    A : NDArray
        Float array of at least two axes.
    B : NDArray
        Float array of the same dtype and number of axes.
    transpose_a : bool
        Use the transposes of A.
    transpose_b : bool
        Use the transposes of B.
    alpha : float
        Factor of the product.
    axis : int
        Axis of the matrix rows; the columns are the last one.

    Notes
    -----
    Source: MXNet linalg_gemm2.
    """
    return _call(_op__linalg_gemm2, (A, B), out, (transpose_a, transpose_b, alpha, axis), name, words)


_op__linalg_inverse = _Op("_linalg_inverse")


@_of(_op__linalg_inverse)
def _linalg_inverse(
    A: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Inverses of square matrices.

    Parameters
    ----------
    A : NDArray
        (..., n, n), a float dtype.

    Notes
    -----
    Source: MXNet linalg_inverse.
    """
    return _call(_op__linalg_inverse, (A,), out, (), name, words)


_op__linalg_makediag = _Op("_linalg_makediag")


@_of(_op__linalg_makediag)
def _linalg_makediag(
    A: NDArray,
    offset: int = 0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Square matrices with the given diagonal and zeros elsewhere.

    Parameters
    ----------
    A : NDArray
        (..., k), the items of a diagonal.
    offset : int
        Which diagonal: above 0 to the right of the main one.

    Notes
    -----
    Source: MXNet linalg_makediag.
    """
    return _call(_op__linalg_makediag, (A,), out, (offset,), name, words)


_op__linalg_maketrian = _Op("_linalg_maketrian")


@_of(_op__linalg_maketrian)
def _linalg_maketrian(
    A: NDArray,
    offset: int = 0,
    lower: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Square matrices with the given triangle and zeros elsewhere.

    Parameters
    ----------
    A : NDArray
        (..., k (k + 1) / 2), the items of a triangle.
    offset : int
        Diagonal at which the triangle begins: above 0 an upper, below 0 a lower one.
    lower : bool
        Which triangle, when offset is 0.

    Notes
    -----
    Source: MXNet linalg_maketrian.
    """
    return _call(_op__linalg_maketrian, (A,), out, (offset, lower), name, words)


_op__linalg_potrf = _Op("_linalg_potrf")


@_of(_op__linalg_potrf)
def _linalg_potrf(
    A: NDArray,
    lower: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Cholesky factors: lower triangular L with A = L L^T, or upper triangular U with A = U^T U. The gradient of
    A is symmetric.

    Parameters
    ----------
    A : NDArray
        (..., n, n) symmetric positive definite matrices of a float dtype.
    lower : bool
        Which triangle is used; the other is not read.

    Notes
    -----
    Source: MXNet linalg_potrf; https://arxiv.org/abs/1710.08717.
    """
    return _call(_op__linalg_potrf, (A,), out, (lower,), name, words)


_op__linalg_potri = _Op("_linalg_potri")


@_of(_op__linalg_potri)
def _linalg_potri(
    A: NDArray,
    lower: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The inverse of A = L L^T from its Cholesky factor L, or of A = U^T U from U.

    Parameters
    ----------
    A : NDArray
        (..., n, n) Cholesky factors of a float dtype.
    lower : bool
        Which triangle is used; the other is not read.

    Notes
    -----
    Source: MXNet linalg_potri; https://arxiv.org/abs/1710.08717.
    """
    return _call(_op__linalg_potri, (A,), out, (lower,), name, words)


_op__linalg_slogdet = _Op("_linalg_slogdet")


@_of(_op__linalg_slogdet)
def _linalg_slogdet(A: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> Any:
    """Signs of the determinants of square matrices and the logarithms of their sizes; 0 and -inf for singular
    matrices, whose gradient is 0.

    Parameters
    ----------
    A : NDArray
        (..., n, n), a float dtype.

    Notes
    -----
    Source: MXNet linalg_slogdet.
    """
    return _call(_op__linalg_slogdet, (A,), out, (), name, words)


_op__linalg_sumlogdiag = _Op("_linalg_sumlogdiag")


@_of(_op__linalg_sumlogdiag)
def _linalg_sumlogdiag(
    A: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Sums of the logarithms of the diagonals of square matrices.

    Parameters
    ----------
    A : NDArray
        (..., n, n), a float dtype.

    Notes
    -----
    Source: MXNet linalg_sumlogdiag.
    """
    return _call(_op__linalg_sumlogdiag, (A,), out, (), name, words)


_op__linalg_syevd = _Op("_linalg_syevd")


@_of(_op__linalg_syevd)
def _linalg_syevd(A: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> Any:
    """Eigenvalues L of symmetric matrices, in ascending order, and eigenvectors as the rows of U: A = U^T
    diag(L) U. Only the lower triangle is read; the gradient of A is symmetric.

    Parameters
    ----------
    A : NDArray
        (..., n, n) symmetric matrices of a float dtype.

    Notes
    -----
    Source: MXNet linalg_syevd; https://arxiv.org/abs/1710.08717.
    """
    return _call(_op__linalg_syevd, (A,), out, (), name, words)


_op__linalg_syrk = _Op("_linalg_syrk")


@_of(_op__linalg_syrk)
def _linalg_syrk(
    A: NDArray,
    transpose: bool = False,
    alpha: float = 1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """alpha * A A^T, or alpha * A^T A, for a stack of matrices.

    Parameters
    ----------
    A : NDArray
        (..., m, n), a float dtype.
    transpose : bool
        Transpose of A times A, instead of A times its transpose.
    alpha : float
        Factor of the product.

    Notes
    -----
    Source: MXNet linalg_syrk.
    """
    return _call(_op__linalg_syrk, (A,), out, (transpose, alpha), name, words)


_op__linalg_trmm = _Op("_linalg_trmm")


@_of(_op__linalg_trmm)
def _linalg_trmm(
    A: NDArray,
    B: NDArray,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """alpha * op(A) B, or alpha * B op(A), with triangular A.

    Parameters
    ----------
    A : NDArray
        (..., n, n) triangular matrices of a float dtype.
    B : NDArray
        (..., n, m), or (..., m, n) when A stands to the right.
    transpose : bool
        Use the transposes of A.
    rightside : bool
        A stands to the right.
    lower : bool
        Which triangle of A is used; the other is not read.
    alpha : float
        Factor of B.

    Notes
    -----
    Source: MXNet linalg_trmm.
    """
    return _call(_op__linalg_trmm, (A, B), out, (transpose, rightside, lower, alpha), name, words)


_op__linalg_trsm = _Op("_linalg_trsm")


@_of(_op__linalg_trsm)
def _linalg_trsm(
    A: NDArray,
    B: NDArray,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The solution X of op(A) X = alpha * B, or of X op(A) = alpha * B, with triangular A.

    Parameters
    ----------
    A : NDArray
        (..., n, n) triangular matrices of a float dtype.
    B : NDArray
        (..., n, m), or (..., m, n) when A stands to the right.
    transpose : bool
        Use the transposes of A.
    rightside : bool
        A stands to the right.
    lower : bool
        Which triangle of A is used; the other is not read.
    alpha : float
        Factor of B.

    Notes
    -----
    Source: MXNet linalg_trsm.
    """
    return _call(_op__linalg_trsm, (A, B), out, (transpose, rightside, lower, alpha), name, words)


_op__linspace = _Op("_linspace")


@_of(_op__linspace)
def _linspace(
    start: float,
    stop: Optional[float] = None,
    num: Optional[int] = None,
    endpoint: bool = True,
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """num evenly spaced numbers from start to stop.

    Parameters
    ----------
    start : float
        First number.
    stop : optional float
        Last number, or the one after it.
    num : int
        How many numbers.
    endpoint : bool
        Whether stop is the last number.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : dtype
        Element type.

    Notes
    -----
    Source: MXNet _linspace.
    """
    with _on_device(ctx):
        return _call(_op__linspace, (), out, (start, stop, num, endpoint, str(ctx), dtype), name, words)


_op__logical_and = _Op("_logical_and")


@_of(_op__logical_and)
def _logical_and(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where both are not 0, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand, of the same shape.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__logical_and, (lhs, rhs), out, (), name, words)


_op__logical_and_scalar = _Op("_logical_and_scalar")


@_of(_op__logical_and_scalar)
def _logical_and_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where data and scalar are both not 0, else 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__logical_and_scalar, (data,), out, (scalar, is_int), name, words)


_op__logical_or = _Op("_logical_or")


@_of(_op__logical_or)
def _logical_or(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where either is not 0, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand, of the same shape.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__logical_or, (lhs, rhs), out, (), name, words)


_op__logical_or_scalar = _Op("_logical_or_scalar")


@_of(_op__logical_or_scalar)
def _logical_or_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where data or scalar is not 0, else 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__logical_or_scalar, (data,), out, (scalar, is_int), name, words)


_op__logical_xor = _Op("_logical_xor")


@_of(_op__logical_xor)
def _logical_xor(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where exactly one is not 0, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand, of the same shape.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__logical_xor, (lhs, rhs), out, (), name, words)


_op__logical_xor_scalar = _Op("_logical_xor_scalar")


@_of(_op__logical_xor_scalar)
def _logical_xor_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where exactly one of data and scalar is not 0, else 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__logical_xor_scalar, (data,), out, (scalar, is_int), name, words)


_op__maximum = _Op("_maximum")


@_of(_op__maximum)
def _maximum(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Larger of two values.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand, of the same shape.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__maximum, (lhs, rhs), out, (), name, words)


_op__maximum_scalar = _Op("_maximum_scalar")


@_of(_op__maximum_scalar)
def _maximum_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Larger of data and scalar; NaN where either is NaN.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__maximum_scalar, (data,), out, (scalar, is_int), name, words)


_op__minimum = _Op("_minimum")


@_of(_op__minimum)
def _minimum(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Smaller of two values.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand, of the same shape.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__minimum, (lhs, rhs), out, (), name, words)


_op__minimum_scalar = _Op("_minimum_scalar")


@_of(_op__minimum_scalar)
def _minimum_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Smaller of data and scalar; NaN where either is NaN.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__minimum_scalar, (data,), out, (scalar, is_int), name, words)


_op__minus_scalar = _Op("_minus_scalar")


@_of(_op__minus_scalar)
def _minus_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """data - scalar.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__minus_scalar, (data,), out, (scalar, is_int), name, words)


_op__mod = _Op("_mod")


@_of(_op__mod)
def _mod(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Remainder with the sign of the divisor, as Python's %; a remainder by 0 is 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand, of the same shape.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__mod, (lhs, rhs), out, (), name, words)


_op__mod_scalar = _Op("_mod_scalar")


@_of(_op__mod_scalar)
def _mod_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Remainder of data by scalar with the sign of the scalar; by 0 it is 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__mod_scalar, (data,), out, (scalar, is_int), name, words)


_op__mp_adamw_update = _Op("_mp_adamw_update")


@_of(_op__mp_adamw_update)
def _mp_adamw_update(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    weight32: NDArray,
    rescale_grad: NDArray,
    lr: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    eta: Optional[float] = None,
    clip_gradient: float = -1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """_adamw_update in float32 on weight32; the output is it in the dtype of weight.

    Parameters
    ----------
    weight : NDArray
        Weights, any float dtype.
    grad : NDArray
        Gradient, of the weight's shape.
    mean : NDArray
        First moment; changed in place.
    var : NDArray
        Second moment; changed in place.
    weight32 : NDArray
        The weight in float32; updated in place.
    rescale_grad : NDArray
        One number, in float32: factor of the gradient, applied first. NaN, infinity or 0 skips the update.
    lr : float
        Learning rate.
    beta1 : float
        Part of the first moment that is kept.
    beta2 : float
        Part of the second moment that is kept.
    epsilon : float
        Added to the root of the second moment.
    wd : float
        Weight decay: its multiple of the weight is added to the step.
    eta : float
        Factor of the whole step, from a schedule.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.

    Notes
    -----
    Source: MXNet _mp_adamw_update.
    """
    return _call(_op__mp_adamw_update, (weight, grad, mean, var, weight32, rescale_grad), out, (lr, beta1, beta2, epsilon, wd, eta, clip_gradient), name, words)


_op__mul_scalar = _Op("_mul_scalar")


@_of(_op__mul_scalar)
def _mul_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """data * scalar.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__mul_scalar, (data,), out, (scalar, is_int), name, words)


_op__multi_adam_update = _Op("_multi_adam_update")


@_of(_op__multi_adam_update)
def _multi_adam_update(
    *data: NDArray,
    lrs: Optional[_Reals] = None,
    wds: Optional[_Reals] = None,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """adam_update of several weights.

    Parameters
    ----------
    data : NDArray
        For each weight in turn its weight, gradient and, as far as the operator has them, the states and then
        weight32; these are changed in place.
    lrs : tuple of float
        Learning rate of each weight.
    wds : tuple of float
        Weight decay of each weight.
    beta1 : float
        Part of the first moment that is kept.
    beta2 : float
        Part of the second moment that is kept.
    epsilon : float
        Added to the root of the second moment.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.
    num_weights : int
        Number of weights.

    Notes
    -----
    Source: Kingma and Ba 2014, arXiv:1412.6980.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__multi_adam_update, data, out, (lrs, wds, beta1, beta2, epsilon, rescale_grad, clip_gradient, num_weights), name, words)


_op__multi_adamw_update = _Op("_multi_adamw_update")


@_of(_op__multi_adamw_update)
def _multi_adamw_update(
    *data: NDArray,
    lrs: Optional[_Reals] = None,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wds: Optional[_Reals] = None,
    etas: Optional[_Reals] = None,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """_adamw_update of several weights.

    Parameters
    ----------
    data : NDArray
        For each weight in turn its weight, gradient, mean, var and, where the operator has it, weight32, the
        last of which are changed in place; after all of them one number, the factor of the gradients.
    lrs : tuple of float
        Learning rate of each weight.
    beta1 : float
        Part of the first moment that is kept.
    beta2 : float
        Part of the second moment that is kept.
    epsilon : float
        Added to the root of the second moment.
    wds : tuple of float
        Weight decay of each weight.
    etas : tuple of float
        Factor of the whole step of each weight.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.
    num_weights : int
        Number of weights.

    Notes
    -----
    Source: MXNet _multi_adamw_update.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__multi_adamw_update, data, out, (lrs, beta1, beta2, epsilon, wds, etas, clip_gradient, num_weights), name, words)


_op__multi_lamb_update = _Op("_multi_lamb_update")


@_of(_op__multi_lamb_update)
def _multi_lamb_update(
    *data: NDArray,
    learning_rates: Optional[_Reals] = None,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-06,
    wds: Optional[_Reals] = None,
    rescale_grad: float = 1.0,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    clip_gradient: float = -1.0,
    bias_correction: bool = True,
    step_count: Optional[_Ints] = None,
    num_tensors: int = 1,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """LAMB for several weights: lamb_update_phase1, the norms of weight and direction, and lamb_update_phase2 of
    each.

    Parameters
    ----------
    data : NDArray
        For each weight in turn its weight, gradient, mean, var and, where the operator has it, weight32, the
        last of which are changed in place.
    learning_rates : tuple of float
        Learning rate of each weight.
    beta1 : float
        Part of the first moment that is kept.
    beta2 : float
        Part of the second moment that is kept.
    epsilon : float
        Added to the root of the second moment.
    wds : tuple of float
        Weight decay of each weight.
    rescale_grad : float
        Factor of the gradient, applied first.
    lower_bound : float
        Least norm of a weight in its rate; a negative one does not bound.
    upper_bound : float
        Greatest norm of a weight in its rate; a negative one does not bound.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.
    bias_correction : bool
        Undo the start of the moments at 0.
    step_count : tuple of int
        How many updates each weight had, this one included.
    num_tensors : int
        Number of weights.

    Notes
    -----
    Source: MXNet _multi_lamb_update; You and others 2019.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__multi_lamb_update, data, out, (learning_rates, beta1, beta2, epsilon, wds, rescale_grad, lower_bound, upper_bound, clip_gradient, bias_correction, step_count, num_tensors), name, words)


_op__multi_mp_adam_update = _Op("_multi_mp_adam_update")


@_of(_op__multi_mp_adam_update)
def _multi_mp_adam_update(
    *data: NDArray,
    lrs: Optional[_Reals] = None,
    wds: Optional[_Reals] = None,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """adam_update of several 16-bit weights, each with its float32 master.

    Parameters
    ----------
    data : NDArray
        For each weight in turn its weight, gradient and, as far as the operator has them, the states and then
        weight32; these are changed in place.
    lrs : tuple of float
        Learning rate of each weight.
    wds : tuple of float
        Weight decay of each weight.
    beta1 : float
        Part of the first moment that is kept.
    beta2 : float
        Part of the second moment that is kept.
    epsilon : float
        Added to the root of the second moment.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.
    num_weights : int
        Number of weights.

    Notes
    -----
    Source: Kingma and Ba 2014, arXiv:1412.6980.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__multi_mp_adam_update, data, out, (lrs, wds, beta1, beta2, epsilon, rescale_grad, clip_gradient, num_weights), name, words)


_op__multi_mp_adamw_update = _Op("_multi_mp_adamw_update")


@_of(_op__multi_mp_adamw_update)
def _multi_mp_adamw_update(
    *data: NDArray,
    lrs: Optional[_Reals] = None,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wds: Optional[_Reals] = None,
    etas: Optional[_Reals] = None,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """_mp_adamw_update of several weights.

    Parameters
    ----------
    data : NDArray
        For each weight in turn its weight, gradient, mean, var and, where the operator has it, weight32, the
        last of which are changed in place; after all of them one number, the factor of the gradients.
    lrs : tuple of float
        Learning rate of each weight.
    beta1 : float
        Part of the first moment that is kept.
    beta2 : float
        Part of the second moment that is kept.
    epsilon : float
        Added to the root of the second moment.
    wds : tuple of float
        Weight decay of each weight.
    etas : tuple of float
        Factor of the whole step of each weight.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.
    num_weights : int
        Number of weights.

    Notes
    -----
    Source: MXNet _multi_mp_adamw_update.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__multi_mp_adamw_update, data, out, (lrs, beta1, beta2, epsilon, wds, etas, clip_gradient, num_weights), name, words)


_op__multi_mp_lamb_update = _Op("_multi_mp_lamb_update")


@_of(_op__multi_mp_lamb_update)
def _multi_mp_lamb_update(
    *data: NDArray,
    learning_rates: Optional[_Reals] = None,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-06,
    wds: Optional[_Reals] = None,
    rescale_grad: float = 1.0,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    clip_gradient: float = -1.0,
    bias_correction: bool = True,
    step_count: Optional[_Ints] = None,
    num_tensors: int = 1,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """_multi_lamb_update in float32 on weight32.

    Parameters
    ----------
    data : NDArray
        For each weight in turn its weight, gradient, mean, var and, where the operator has it, weight32, the
        last of which are changed in place.
    learning_rates : tuple of float
        Learning rate of each weight.
    beta1 : float
        Part of the first moment that is kept.
    beta2 : float
        Part of the second moment that is kept.
    epsilon : float
        Added to the root of the second moment.
    wds : tuple of float
        Weight decay of each weight.
    rescale_grad : float
        Factor of the gradient, applied first.
    lower_bound : float
        Least norm of a weight in its rate; a negative one does not bound.
    upper_bound : float
        Greatest norm of a weight in its rate; a negative one does not bound.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.
    bias_correction : bool
        Undo the start of the moments at 0.
    step_count : tuple of int
        How many updates each weight had, this one included.
    num_tensors : int
        Number of weights.

    Notes
    -----
    Source: MXNet _multi_mp_lamb_update.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__multi_mp_lamb_update, data, out, (learning_rates, beta1, beta2, epsilon, wds, rescale_grad, lower_bound, upper_bound, clip_gradient, bias_correction, step_count, num_tensors), name, words)


_op__not_equal = _Op("_not_equal")


@_of(_op__not_equal)
def _not_equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where x != y, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand, of the same shape.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__not_equal, (lhs, rhs), out, (), name, words)


_op__not_equal_scalar = _Op("_not_equal_scalar")


@_of(_op__not_equal_scalar)
def _not_equal_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where data != scalar, else 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__not_equal_scalar, (data,), out, (scalar, is_int), name, words)


_op__np_all = _Op("_np_all")


@_of(_op__np_all)
def _np_all(
    data: NDArray,
    axis: Optional[_Ints] = None,
    keepdims: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Whether all elements over axes differ from 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    axis : optional tuple of int
        Axis or axes to reduce; None means all, () none.
    keepdims : bool
        Keeps reduced axes, with extent 1.

    Notes
    -----
    Source: MXNet np_broadcast_reduce_op.
    """
    return _call(_op__np_all, (data,), out, (axis, keepdims), name, words)


_op__np_any = _Op("_np_any")


@_of(_op__np_any)
def _np_any(
    data: NDArray,
    axis: Optional[_Ints] = None,
    keepdims: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Whether any element over axes differs from 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    axis : optional tuple of int
        Axis or axes to reduce; None means all, () none.
    keepdims : bool
        Keeps reduced axes, with extent 1.

    Notes
    -----
    Source: MXNet np_broadcast_reduce_op.
    """
    return _call(_op__np_any, (data,), out, (axis, keepdims), name, words)


_op__np_atleast_1d = _Op("_np_atleast_1d")


@_of(_op__np_atleast_1d)
def _np_atleast_1d(
    *arys: NDArray,
    num_args: Optional[int] = None,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Arrays with at least one axis.

    Parameters
    ----------
    arys : NDArray
        Any arrays.
    num_args : int
        Number of inputs.

    Notes
    -----
    Source: MXNet np_matrix_op.
    """
    if len(arys) == 1 and isinstance(arys[0], (list, tuple)):
        arys = tuple(arys[0])
    return _call(_op__np_atleast_1d, arys, out, (len(arys) if num_args is None else num_args,), name, words)


_op__np_atleast_2d = _Op("_np_atleast_2d")


@_of(_op__np_atleast_2d)
def _np_atleast_2d(
    *arys: NDArray,
    num_args: Optional[int] = None,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Arrays with at least two axes.

    Parameters
    ----------
    arys : NDArray
        Any arrays.
    num_args : int
        Number of inputs.

    Notes
    -----
    Source: MXNet np_matrix_op.
    """
    if len(arys) == 1 and isinstance(arys[0], (list, tuple)):
        arys = tuple(arys[0])
    return _call(_op__np_atleast_2d, arys, out, (len(arys) if num_args is None else num_args,), name, words)


_op__np_atleast_3d = _Op("_np_atleast_3d")


@_of(_op__np_atleast_3d)
def _np_atleast_3d(
    *arys: NDArray,
    num_args: Optional[int] = None,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Arrays with at least three axes.

    Parameters
    ----------
    arys : NDArray
        Any arrays.
    num_args : int
        Number of inputs.

    Notes
    -----
    Source: MXNet np_matrix_op.
    """
    if len(arys) == 1 and isinstance(arys[0], (list, tuple)):
        arys = tuple(arys[0])
    return _call(_op__np_atleast_3d, arys, out, (len(arys) if num_args is None else num_args,), name, words)


_op__np_copy = _Op("_np_copy")


@_of(_op__np_copy)
def _np_copy(a: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """A copy of the input.

    Parameters
    ----------
    a : NDArray
        Any array.

    Notes
    -----
    Source: MXNet identity.
    """
    return _call(_op__np_copy, (a,), out, (), name, words)


_op__np_diag = _Op("_np_diag")


@_of(_op__np_diag)
def _np_diag(
    data: NDArray,
    k: int = 0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The k-th diagonal of a matrix, or the square matrix with a vector as that diagonal.

    Parameters
    ----------
    data : NDArray
        Any array.
    k : int
        Which diagonal: above the main one if positive, below it if negative.

    Notes
    -----
    Source: MXNet np_matrix_op.
    """
    return _call(_op__np_diag, (data,), out, (k,), name, words)


_op__np_diagflat = _Op("_np_diagflat")


@_of(_op__np_diagflat)
def _np_diagflat(
    data: NDArray,
    k: int = 0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The square matrix with the flattened input as diagonal.

    Parameters
    ----------
    data : NDArray
        Any array.
    k : int
        Which diagonal: above the main one if positive, below it if negative.

    Notes
    -----
    Source: MXNet np_matrix_op.
    """
    return _call(_op__np_diagflat, (data,), out, (k,), name, words)


_op__np_diagonal = _Op("_np_diagonal")


@_of(_op__np_diagonal)
def _np_diagonal(
    data: NDArray,
    offset: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Diagonals of matrices, as a new last axis.

    Parameters
    ----------
    data : NDArray
        Any array.
    offset : int
        Which diagonal: above the main one if positive.
    axis1 : int
        Axis of the matrices' rows.
    axis2 : int
        Axis of the matrices' columns.

    Notes
    -----
    Source: MXNet np_matrix_op.
    """
    return _call(_op__np_diagonal, (data,), out, (offset, axis1, axis2), name, words)


_op__np_dot = _Op("_np_dot")


@_of(_op__np_dot)
def _np_dot(
    a: NDArray,
    b: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Sum of products over the last axis of a and the last but one of b; a number multiplies.

    Parameters
    ----------
    a : NDArray
        Any array.
    b : NDArray
        Any array of that dtype.

    Notes
    -----
    Source: MXNet numpy tensordot.
    """
    return _call(_op__np_dot, (a, b), out, (), name, words)


_op__np_max = _Op("_np_max")


@_of(_op__np_max)
def _np_max(
    a: NDArray,
    axis: Optional[_Ints] = None,
    keepdims: bool = False,
    initial: Optional[float] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Largest element over axes; NaN if there is one.

    Parameters
    ----------
    a : NDArray
        Any array.
    axis : optional tuple of int
        Axis or axes to reduce; None means all, () none.
    keepdims : bool
        Keeps reduced axes, with extent 1.
    initial : optional float
        Not supported, as in MXNet: None.

    Notes
    -----
    Source: MXNet np_broadcast_reduce_op.
    """
    return _call(_op__np_max, (a,), out, (axis, keepdims, initial), name, words)


_op__np_min = _Op("_np_min")


@_of(_op__np_min)
def _np_min(
    a: NDArray,
    axis: Optional[_Ints] = None,
    keepdims: bool = False,
    initial: Optional[float] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Smallest element over axes; NaN if there is one.

    Parameters
    ----------
    a : NDArray
        Any array.
    axis : optional tuple of int
        Axis or axes to reduce; None means all, () none.
    keepdims : bool
        Keeps reduced axes, with extent 1.
    initial : optional float
        Not supported, as in MXNet: None.

    Notes
    -----
    Source: MXNet np_broadcast_reduce_op.
    """
    return _call(_op__np_min, (a,), out, (axis, keepdims, initial), name, words)


_op__np_moveaxis = _Op("_np_moveaxis")


@_of(_op__np_moveaxis)
def _np_moveaxis(
    a: NDArray,
    source: _Ints,
    destination: _Ints,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Moves axes; the others keep their order.

    Parameters
    ----------
    a : NDArray
        Any array.
    source : tuple of int
        Axes that move.
    destination : tuple of int
        Where each of them goes.

    Notes
    -----
    Source: MXNet np_matrix_op.
    """
    return _call(_op__np_moveaxis, (a,), out, (source, destination), name, words)


_op__np_prod = _Op("_np_prod")


@_of(_op__np_prod)
def _np_prod(
    a: NDArray,
    axis: Optional[_Ints] = None,
    dtype: Any = None,
    keepdims: bool = False,
    initial: Optional[float] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Product over axes.

    Parameters
    ----------
    a : NDArray
        Any array.
    axis : optional tuple of int
        Axis or axes to reduce; None means all, () none.
    dtype : optional dtype
        Element type of the output.
    keepdims : bool
        Keeps reduced axes, with extent 1.
    initial : optional float
        Not supported, as in MXNet: None.

    Notes
    -----
    Source: MXNet np_broadcast_reduce_op.
    """
    return _call(_op__np_prod, (a,), out, (axis, dtype, keepdims, initial), name, words)


_op__np_reshape = _Op("_np_reshape")


@_of(_op__np_reshape)
def _np_reshape(
    a: NDArray,
    newshape: _Ints,
    order: str = 'C',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The elements in order in another shape.

    Parameters
    ----------
    a : NDArray
        Any array.
    newshape : tuple of int
        Extents; one may be -1, which is inferred.
    order : str
        'C', row by row.

    Notes
    -----
    Source: MXNet np_matrix_op.
    """
    return _call(_op__np_reshape, (a,), out, (newshape, order), name, words)


_op__np_roll = _Op("_np_roll")


@_of(_op__np_roll)
def _np_roll(
    data: NDArray,
    shift: Optional[_Ints] = None,
    axis: Optional[_Ints] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Moves elements along axes; those that leave come in on the other side.

    Parameters
    ----------
    data : NDArray
        Any array.
    shift : optional tuple of int
        By how many places, for all axes or for each.
    axis : optional tuple of int
        Along which axes; None rolls the flattened array.

    Notes
    -----
    Source: MXNet np_matrix_op.
    """
    return _call(_op__np_roll, (data,), out, (shift, axis), name, words)


_op__np_squeeze = _Op("_np_squeeze")


@_of(_op__np_squeeze)
def _np_squeeze(
    a: NDArray,
    axis: Optional[_Ints] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Drops axes of extent 1.

    Parameters
    ----------
    a : NDArray
        Any array.
    axis : optional tuple of int
        Axes of extent 1 to drop; None means all of these.

    Notes
    -----
    Source: MXNet np_matrix_op.
    """
    return _call(_op__np_squeeze, (a,), out, (axis,), name, words)


_op__np_sum = _Op("_np_sum")


@_of(_op__np_sum)
def _np_sum(
    a: NDArray,
    axis: Optional[_Ints] = None,
    dtype: Any = None,
    keepdims: bool = False,
    initial: Optional[float] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Sum over axes; truths are counted in int64.

    Parameters
    ----------
    a : NDArray
        Any array.
    axis : optional tuple of int
        Axis or axes to reduce; None means all, () none.
    dtype : optional dtype
        Element type of the output.
    keepdims : bool
        Keeps reduced axes, with extent 1.
    initial : optional float
        Not supported, as in MXNet: None.

    Notes
    -----
    Source: MXNet np_broadcast_reduce_op.
    """
    return _call(_op__np_sum, (a,), out, (axis, dtype, keepdims, initial), name, words)


_op__np_trace = _Op("_np_trace")


@_of(_op__np_trace)
def _np_trace(
    data: NDArray,
    offset: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Sums of diagonals of matrices.

    Parameters
    ----------
    data : NDArray
        Any array.
    offset : int
        Which diagonal: above the main one if positive.
    axis1 : int
        Axis of the matrices' rows.
    axis2 : int
        Axis of the matrices' columns.

    Notes
    -----
    Source: MXNet np_matrix_op.
    """
    return _call(_op__np_trace, (data,), out, (offset, axis1, axis2), name, words)


_op__np_transpose = _Op("_np_transpose")


@_of(_op__np_transpose)
def _np_transpose(
    a: NDArray,
    axes: Optional[_Ints] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Permutes the axes.

    Parameters
    ----------
    a : NDArray
        Any array.
    axes : optional tuple of int
        Axis i of the output is axis axes[i] of the input; None reverses all.

    Notes
    -----
    Source: MXNet np_matrix_op.
    """
    return _call(_op__np_transpose, (a,), out, (axes,), name, words)


_op__npi_abs = _Op("_npi_abs")


@_of(_op__npi_abs)
def _npi_abs(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Absolute value.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet abs.
    """
    return _call(_op__npi_abs, (x,), out, (), name, words)


_op__npi_absolute = _Op("_npi_absolute")


@_of(_op__npi_absolute)
def _npi_absolute(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Absolute value.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet abs.
    """
    return _call(_op__npi_absolute, (x,), out, (), name, words)


_op__npi_add = _Op("_npi_add")


@_of(_op__npi_add)
def _npi_add(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Sum of two arrays.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__npi_add, (lhs, rhs), out, (), name, words)


_op__npi_arccos = _Op("_npi_arccos")


@_of(_op__npi_arccos)
def _npi_arccos(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Inverse cosine, in [0, pi]; NaN beyond 1.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet arccos.
    """
    return _call(_op__npi_arccos, (x,), out, (), name, words)


_op__npi_arccosh = _Op("_npi_arccosh")


@_of(_op__npi_arccosh)
def _npi_arccosh(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Inverse hyperbolic cosine; NaN below 1.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet arccosh.
    """
    return _call(_op__npi_arccosh, (x,), out, (), name, words)


_op__npi_arcsin = _Op("_npi_arcsin")


@_of(_op__npi_arcsin)
def _npi_arcsin(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Inverse sine, in [-pi/2, pi/2]; NaN beyond 1.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet arcsin.
    """
    return _call(_op__npi_arcsin, (x,), out, (), name, words)


_op__npi_arcsinh = _Op("_npi_arcsinh")


@_of(_op__npi_arcsinh)
def _npi_arcsinh(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Inverse hyperbolic sine.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet arcsinh.
    """
    return _call(_op__npi_arcsinh, (x,), out, (), name, words)


_op__npi_arctan = _Op("_npi_arctan")


@_of(_op__npi_arctan)
def _npi_arctan(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Inverse tangent, in (-pi/2, pi/2).

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet arctan.
    """
    return _call(_op__npi_arctan, (x,), out, (), name, words)


_op__npi_arctan2 = _Op("_npi_arctan2")


@_of(_op__npi_arctan2)
def _npi_arctan2(
    x1: NDArray,
    x2: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Angle of the point (x2, x1), in [-pi, pi].

    Parameters
    ----------
    x1 : NDArray
        First operand.
    x2 : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet numpy elemwise_broadcast_op.
    """
    return _call(_op__npi_arctan2, (x1, x2), out, (), name, words)


_op__npi_arctan2_scalar = _Op("_npi_arctan2_scalar")


@_of(_op__npi_arctan2_scalar)
def _npi_arctan2_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Angle of the point (scalar, data).

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet numpy elemwise_broadcast_op.
    """
    return _call(_op__npi_arctan2_scalar, (data,), out, (scalar, is_int), name, words)


_op__npi_arctanh = _Op("_npi_arctanh")


@_of(_op__npi_arctanh)
def _npi_arctanh(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Inverse hyperbolic tangent; NaN beyond 1.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet arctanh.
    """
    return _call(_op__npi_arctanh, (x,), out, (), name, words)


_op__npi_argmax = _Op("_npi_argmax")


@_of(_op__npi_argmax)
def _npi_argmax(
    data: NDArray,
    axis: Optional[int] = None,
    keepdims: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Place of the largest element along an axis: the first one, or the first NaN.

    Parameters
    ----------
    data : NDArray
        Any array. The places come in its dtype, which must be able to hold them.
    axis : optional int
        Axis to search; None searches the flattened array.
    keepdims : bool
        Keeps the searched axis, with extent 1.

    Notes
    -----
    Source: MXNet broadcast_reduce_op_index.
    """
    return _call(_op__npi_argmax, (data,), out, (axis, keepdims), name, words)


_op__npi_argmin = _Op("_npi_argmin")


@_of(_op__npi_argmin)
def _npi_argmin(
    data: NDArray,
    axis: Optional[int] = None,
    keepdims: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Place of the smallest element along an axis: the first one, or the first NaN.

    Parameters
    ----------
    data : NDArray
        Any array. The places come in its dtype, which must be able to hold them.
    axis : optional int
        Axis to search; None searches the flattened array.
    keepdims : bool
        Keeps the searched axis, with extent 1.

    Notes
    -----
    Source: MXNet broadcast_reduce_op_index.
    """
    return _call(_op__npi_argmin, (data,), out, (axis, keepdims), name, words)


_op__npi_around = _Op("_npi_around")


@_of(_op__npi_around)
def _npi_around(
    x: NDArray,
    decimals: int = 0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Rounded to so many decimals, halves to the even neighbour.

    Parameters
    ----------
    x : NDArray
        Any array of numbers.
    decimals : int
        Digits behind the point; below 0 tens, hundreds, ...

    Notes
    -----
    Source: MXNet _npi_around.
    """
    return _call(_op__npi_around, (x,), out, (decimals,), name, words)


_op__npi_average = _Op("_npi_average")


@_of(_op__npi_average)
def _npi_average(
    a: NDArray,
    weights: Optional[NDArray] = None,
    axis: Optional[_Ints] = None,
    returned: bool = False,
    weighted: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Average over axes, weighted or not, and the sum of the weights.

    Parameters
    ----------
    a : NDArray
        Any array of numbers.
    weights : NDArray
        Of the shape of a, or one for each place along the one axis.
    axis : optional tuple of int
        Axis or axes to average over; None means all.
    returned : bool
        Whether the sum of weights is given, too.
    weighted : bool
        Whether there are weights.

    Notes
    -----
    Source: MXNet _npi_average.
    """
    return _call(_op__npi_average, (a, weights), out, (axis, returned, weighted), name, words)


_op__npi_bernoulli = _Op("_npi_bernoulli")


@_of(_op__npi_bernoulli)
def _npi_bernoulli(
    input1: Optional[NDArray] = None,
    prob: Optional[float] = None,
    logit: Optional[float] = None,
    size: Optional[_Ints] = None,
    ctx: str = 'cpu',
    dtype: Any = 'float32',
    is_logit: Optional[bool] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 with a probability, else 0.

    Parameters
    ----------
    input1 : NDArray
        The first parameter that is no number.
    prob : optional float
        A number; None: an input holds numbers.
    logit : optional float
        A number; None: an input holds numbers.
    size : optional tuple of int
        Extents of the output; None means those of the parameters.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : dtype
        Element type.
    is_logit : bool
        Whether logit is given rather than prob.

    Notes
    -----
    Source: MXNet np_random.
    """
    return _call(_op__npi_bernoulli, (input1,), out, (prob, logit, size, str(ctx), dtype, is_logit), name, words)


_op__npi_bitwise_and = _Op("_npi_bitwise_and")


@_of(_op__npi_bitwise_and)
def _npi_bitwise_and(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Bits that both have.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet numpy elemwise_broadcast_op.
    """
    return _call(_op__npi_bitwise_and, (lhs, rhs), out, (), name, words)


_op__npi_bitwise_and_scalar = _Op("_npi_bitwise_and_scalar")


@_of(_op__npi_bitwise_and_scalar)
def _npi_bitwise_and_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Bits that data and a number have.

    Parameters
    ----------
    data : NDArray
        Integers or bool.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet numpy elemwise_broadcast_op_extended.
    """
    return _call(_op__npi_bitwise_and_scalar, (data,), out, (scalar, is_int), name, words)


_op__npi_bitwise_not = _Op("_npi_bitwise_not")


@_of(_op__npi_bitwise_not)
def _npi_bitwise_not(
    x: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """All bits the other way round; of bool the other truth.

    Parameters
    ----------
    x : NDArray
        Integers or bool.

    Notes
    -----
    Source: MXNet _npi_bitwise_not.
    """
    return _call(_op__npi_bitwise_not, (x,), out, (), name, words)


_op__npi_bitwise_or = _Op("_npi_bitwise_or")


@_of(_op__npi_bitwise_or)
def _npi_bitwise_or(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Bits that either has.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet numpy elemwise_broadcast_op.
    """
    return _call(_op__npi_bitwise_or, (lhs, rhs), out, (), name, words)


_op__npi_bitwise_or_scalar = _Op("_npi_bitwise_or_scalar")


@_of(_op__npi_bitwise_or_scalar)
def _npi_bitwise_or_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Bits that data or a number has.

    Parameters
    ----------
    data : NDArray
        Integers or bool.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet numpy elemwise_broadcast_op_extended.
    """
    return _call(_op__npi_bitwise_or_scalar, (data,), out, (scalar, is_int), name, words)


_op__npi_bitwise_xor = _Op("_npi_bitwise_xor")


@_of(_op__npi_bitwise_xor)
def _npi_bitwise_xor(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Bits that exactly one has.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet numpy elemwise_broadcast_op.
    """
    return _call(_op__npi_bitwise_xor, (lhs, rhs), out, (), name, words)


_op__npi_bitwise_xor_scalar = _Op("_npi_bitwise_xor_scalar")


@_of(_op__npi_bitwise_xor_scalar)
def _npi_bitwise_xor_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Bits that either data or a number has.

    Parameters
    ----------
    data : NDArray
        Integers or bool.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet numpy elemwise_broadcast_op_extended.
    """
    return _call(_op__npi_bitwise_xor_scalar, (data,), out, (scalar, is_int), name, words)


_op__npi_blackman = _Op("_npi_blackman")


@_of(_op__npi_blackman)
def _npi_blackman(
    M: Optional[int] = None,
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Blackman's window.

    Parameters
    ----------
    M : optional int
        How many numbers; below 1 none.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : dtype
        Element type.

    Notes
    -----
    Source: MXNet np_init_op.
    """
    with _on_device(ctx):
        return _call(_op__npi_blackman, (), out, (M, str(ctx), dtype), name, words)


_op__npi_boolean_mask_assign_scalar = _Op("_npi_boolean_mask_assign_scalar")


@_of(_op__npi_boolean_mask_assign_scalar)
def _npi_boolean_mask_assign_scalar(
    data: NDArray,
    mask: NDArray,
    value: float = 0.0,
    start_axis: int = 0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """data with one number where a mask holds.

    Parameters
    ----------
    data : NDArray
        Any array.
    mask : NDArray
        Of the extents of some neighbouring axes of data.
    value : float
        The number.
    start_axis : int
        The axis of data that the mask's first one belongs to.

    Notes
    -----
    Source: MXNet _npi_boolean_mask_assign_scalar.
    """
    return _call(_op__npi_boolean_mask_assign_scalar, (data, mask), out, (value, start_axis), name, words)


_op__npi_boolean_mask_assign_tensor = _Op("_npi_boolean_mask_assign_tensor")


@_of(_op__npi_boolean_mask_assign_tensor)
def _npi_boolean_mask_assign_tensor(
    data: NDArray,
    mask: NDArray,
    value: NDArray,
    start_axis: int = 0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """data with the elements of an array, one after another, where a mask holds.

    Parameters
    ----------
    data : NDArray
        Any array.
    mask : NDArray
        Of the extents of some neighbouring axes of data.
    value : NDArray
        Broadcasts to the places that the mask marks; of the dtype of data.
    start_axis : int
        The axis of data that the mask's first one belongs to.

    Notes
    -----
    Source: MXNet _npi_boolean_mask_assign_tensor.
    """
    return _call(_op__npi_boolean_mask_assign_tensor, (data, mask, value), out, (start_axis,), name, words)


_op__npi_broadcast_to = _Op("_npi_broadcast_to")


@_of(_op__npi_broadcast_to)
def _npi_broadcast_to(
    array: NDArray,
    shape: _Ints = (),
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Repeats axes of extent 1 up to a shape.

    Parameters
    ----------
    array : NDArray
        Any array.
    shape : tuple of int
        Extents of the output; -2 copies the extent at its place.

    Notes
    -----
    Source: MXNet np_matrix_op.
    """
    return _call(_op__npi_broadcast_to, (array,), out, (shape,), name, words)


_op__npi_cbrt = _Op("_npi_cbrt")


@_of(_op__npi_cbrt)
def _npi_cbrt(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Cube root.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet cbrt.
    """
    return _call(_op__npi_cbrt, (x,), out, (), name, words)


_op__npi_ceil = _Op("_npi_ceil")


@_of(_op__npi_ceil)
def _npi_ceil(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Smallest integer not below data.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet ceil.
    """
    return _call(_op__npi_ceil, (x,), out, (), name, words)


_op__npi_choice = _Op("_npi_choice")


@_of(_op__npi_choice)
def _npi_choice(
    input1: Optional[NDArray] = None,
    input2: Optional[NDArray] = None,
    a: Optional[int] = None,
    size: Optional[_Ints] = None,
    ctx: str = 'cpu',
    replace: bool = True,
    weighted: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Numbers drawn from those below a, or indices of an array, int64.

    Parameters
    ----------
    input1 : NDArray
        The array, or the probabilities where a is a number.
    input2 : NDArray
        The probabilities.
    a : optional int
        Numbers are drawn from 0 to a - 1; None: an input, by its first extent.
    size : tuple of int
        Extents of the output.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    replace : bool
        Whether a number may come again.
    weighted : bool
        Whether the last input holds probabilities.

    Notes
    -----
    Source: MXNet _npi_choice.
    """
    return _call(_op__npi_choice, (input1, input2), out, (a, size, str(ctx), replace, weighted), name, words)


_op__npi_column_stack = _Op("_npi_column_stack")


@_of(_op__npi_column_stack)
def _npi_column_stack(
    *data: NDArray,
    num_args: Optional[int] = None,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Columns beside one another; arrays of one axis are columns.

    Parameters
    ----------
    data : NDArray
        Any arrays.
    num_args : int
        Number of inputs.

    Notes
    -----
    Source: MXNet np_matrix_op.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__npi_column_stack, data, out, (len(data) if num_args is None else num_args,), name, words)


_op__npi_concatenate = _Op("_npi_concatenate")


@_of(_op__npi_concatenate)
def _npi_concatenate(
    *data: NDArray,
    num_args: Optional[int] = None,
    axis: Optional[int] = 0,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Arrays one after another along an axis.

    Parameters
    ----------
    data : NDArray
        Arrays of one shape but for the axis.
    num_args : int
        Number of inputs.
    axis : optional int
        Along which axis; None joins the flattened arrays.

    Notes
    -----
    Source: MXNet _npi_concatenate.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__npi_concatenate, data, out, (len(data) if num_args is None else num_args, axis), name, words)


_op__npi_copysign = _Op("_npi_copysign")


@_of(_op__npi_copysign)
def _npi_copysign(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The size of lhs with the sign of rhs.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet numpy elemwise_broadcast_op.
    """
    return _call(_op__npi_copysign, (lhs, rhs), out, (), name, words)


_op__npi_copysign_scalar = _Op("_npi_copysign_scalar")


@_of(_op__npi_copysign_scalar)
def _npi_copysign_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The size of data with the sign of a number.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet numpy elemwise_broadcast_op.
    """
    return _call(_op__npi_copysign_scalar, (data,), out, (scalar, is_int), name, words)


_op__npi_cos = _Op("_npi_cos")


@_of(_op__npi_cos)
def _npi_cos(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Cosine of an angle in radians.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet cos.
    """
    return _call(_op__npi_cos, (x,), out, (), name, words)


_op__npi_cosh = _Op("_npi_cosh")


@_of(_op__npi_cosh)
def _npi_cosh(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Hyperbolic cosine.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet cosh.
    """
    return _call(_op__npi_cosh, (x,), out, (), name, words)


_op__npi_degrees = _Op("_npi_degrees")


@_of(_op__npi_degrees)
def _npi_degrees(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Radians to degrees.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet degrees.
    """
    return _call(_op__npi_degrees, (x,), out, (), name, words)


_op__npi_delete = _Op("_npi_delete")


@_of(_op__npi_delete)
def _npi_delete(
    arr: NDArray,
    obj: Optional[NDArray] = None,
    start: Optional[int] = None,
    stop: Optional[int] = None,
    step: Optional[int] = None,
    int_ind: Optional[int] = None,
    axis: Optional[int] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """An array without one place or a slice of places along an axis.

    Parameters
    ----------
    arr : NDArray
        Any array.
    obj : NDArray
        Refused: places of an array make the shape depend on its elements.
    start : optional int
        Begin of a slice of places.
    stop : optional int
        End of it.
    step : optional int
        Step of it.
    int_ind : optional int
        One place.
    axis : optional int
        The axis; None means the flattened array.

    Notes
    -----
    Source: MXNet _npi_delete.
    """
    return _call(_op__npi_delete, (arr, obj), out, (start, stop, step, int_ind, axis), name, words)


_op__npi_det = _Op("_npi_det")


@_of(_op__npi_det)
def _npi_det(A: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Determinants of square matrices.

    Parameters
    ----------
    A : NDArray
        (..., m, n), a float dtype.

    Notes
    -----
    Source: MXNet numpy linalg.
    """
    return _call(_op__npi_det, (A,), out, (), name, words)


_op__npi_diag_indices_from = _Op("_npi_diag_indices_from")


@_of(_op__npi_diag_indices_from)
def _npi_diag_indices_from(
    data: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Coordinates of the main diagonal of an array of equal extents: (axes, extent).

    Parameters
    ----------
    data : NDArray
        At least two axes, of one extent.

    Notes
    -----
    Source: MXNet _npi_diag_indices_from.
    """
    return _call(_op__npi_diag_indices_from, (data,), out, (), name, words)


_op__npi_diff = _Op("_npi_diff")


@_of(_op__npi_diff)
def _npi_diff(
    a: NDArray,
    n: int = 1,
    axis: int = -1,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Differences of neighbours along an axis, taken n times.

    Parameters
    ----------
    a : NDArray
        Any array.
    n : int
        How often.
    axis : int
        Along which axis.

    Notes
    -----
    Source: MXNet _npi_diff.
    """
    return _call(_op__npi_diff, (a,), out, (n, axis), name, words)


_op__npi_dstack = _Op("_npi_dstack")


@_of(_op__npi_dstack)
def _npi_dstack(
    *data: NDArray,
    num_args: Optional[int] = None,
    dim: int = 1,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Arrays behind one another, along the third axis.

    Parameters
    ----------
    data : NDArray
        Any arrays.
    num_args : int
        Number of inputs.
    dim : int
        Not used.

    Notes
    -----
    Source: MXNet np_matrix_op.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__npi_dstack, data, out, (len(data) if num_args is None else num_args, dim), name, words)


_op__npi_ediff1d = _Op("_npi_ediff1d")


@_of(_op__npi_ediff1d)
def _npi_ediff1d(
    input1: NDArray,
    input2: Optional[NDArray] = None,
    input3: Optional[NDArray] = None,
    to_begin_arr_given: bool = False,
    to_end_arr_given: bool = False,
    to_begin_scalar: Optional[float] = None,
    to_end_scalar: Optional[float] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Differences of neighbours in the flattened array, with what comes before and behind.

    Parameters
    ----------
    input1 : NDArray
        Any array.
    input2 : NDArray
        What comes before, or behind where nothing is given to come before.
    input3 : NDArray
        What comes behind.
    to_begin_arr_given : bool
        An input holds what comes before.
    to_end_arr_given : bool
        An input holds what comes behind.
    to_begin_scalar : optional float
        A number that comes before.
    to_end_scalar : optional float
        A number that comes behind.

    Notes
    -----
    Source: MXNet _npi_ediff1d.
    """
    return _call(_op__npi_ediff1d, (input1, input2, input3), out, (to_begin_arr_given, to_end_arr_given, to_begin_scalar, to_end_scalar), name, words)


_op__npi_eig = _Op("_npi_eig")


@_of(_op__npi_eig)
def _npi_eig(A: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> Any:
    """Eigenvalues of square matrices, which must be real, and eigenvectors as columns.

    Parameters
    ----------
    A : NDArray
        (..., n, n)

    Notes
    -----
    Source: MXNet _npi_eig; Francis 1961.
    """
    return _call(_op__npi_eig, (A,), out, (), name, words)


_op__npi_eigh = _Op("_npi_eigh")


@_of(_op__npi_eigh)
def _npi_eigh(
    A: NDArray,
    UPLO: str = 'L',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Eigenvalues of symmetric matrices, ascending, and eigenvectors as columns.

    Parameters
    ----------
    A : NDArray
        (..., n, n)
    UPLO : str
        Which triangle is read: 'L' the lower, 'U' the upper one.

    Notes
    -----
    Source: MXNet _npi_eigh.
    """
    return _call(_op__npi_eigh, (A,), out, (UPLO,), name, words)


_op__npi_eigvals = _Op("_npi_eigvals")


@_of(_op__npi_eigvals)
def _npi_eigvals(A: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Eigenvalues of square matrices, which must be real.

    Parameters
    ----------
    A : NDArray
        (..., n, n)

    Notes
    -----
    Source: MXNet _npi_eigvals; Francis 1961.
    """
    return _call(_op__npi_eigvals, (A,), out, (), name, words)


_op__npi_eigvalsh = _Op("_npi_eigvalsh")


@_of(_op__npi_eigvalsh)
def _npi_eigvalsh(
    A: NDArray,
    UPLO: str = 'L',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Eigenvalues of symmetric matrices, ascending.

    Parameters
    ----------
    A : NDArray
        (..., m, n), a float dtype.
    UPLO : str
        Which triangle is read: 'L' the lower, 'U' the upper one.

    Notes
    -----
    Source: MXNet numpy linalg.
    """
    return _call(_op__npi_eigvalsh, (A,), out, (UPLO,), name, words)


_op__npi_einsum = _Op("_npi_einsum")


@_of(_op__npi_einsum)
def _npi_einsum(
    *data: NDArray,
    num_args: Optional[int] = None,
    subscripts: str = '',
    optimize: int = 0,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Sums of products by Einstein's convention.

    Parameters
    ----------
    data : NDArray
        Arrays of one dtype.
    num_args : int
        Number of inputs.
    subscripts : str
        A letter for each axis: 'ij,jk->ik'; '...' are all others.
    optimize : int
        Not used: products are taken from left to right.

    Notes
    -----
    Source: MXNet _npi_einsum.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__npi_einsum, data, out, (len(data) if num_args is None else num_args, subscripts, optimize), name, words)


_op__npi_equal = _Op("_npi_equal")


@_of(_op__npi_equal)
def _npi_equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where x == y, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__npi_equal, (lhs, rhs), out, (), name, words)


_op__npi_equal_scalar = _Op("_npi_equal_scalar")


@_of(_op__npi_equal_scalar)
def _npi_equal_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where data == scalar, else 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__npi_equal_scalar, (data,), out, (scalar, is_int), name, words)


_op__npi_exp = _Op("_npi_exp")


@_of(_op__npi_exp)
def _npi_exp(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """e^data.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet exp.
    """
    return _call(_op__npi_exp, (x,), out, (), name, words)


_op__npi_expm1 = _Op("_npi_expm1")


@_of(_op__npi_expm1)
def _npi_expm1(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """e^data - 1, exact near 0.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet expm1.
    """
    return _call(_op__npi_expm1, (x,), out, (), name, words)


_op__npi_exponential = _Op("_npi_exponential")


@_of(_op__npi_exponential)
def _npi_exponential(
    input1: Optional[NDArray] = None,
    scale: Optional[float] = 1.0,
    size: Optional[_Ints] = None,
    ctx: str = 'cpu',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Numbers of exponential distributions.

    Parameters
    ----------
    input1 : NDArray
        The first parameter that is no number.
    scale : optional float
        A number; None: an input holds numbers.
    size : optional tuple of int
        Extents of the output; None means those of the parameters.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.

    Notes
    -----
    Source: MXNet np_random.
    """
    return _call(_op__npi_exponential, (input1,), out, (scale, size, str(ctx)), name, words)


_op__npi_eye = _Op("_npi_eye")


@_of(_op__npi_eye)
def _npi_eye(
    N: int,
    M: Optional[int] = None,
    k: int = 0,
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """A matrix (N, M) with ones on diagonal k and zeros elsewhere.

    Parameters
    ----------
    N : int
        Rows.
    M : optional int
        Columns; None stands for as many as rows.
    k : int
        Which diagonal holds the ones: above 0 to the right of the main one.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : dtype
        Element type.

    Notes
    -----
    Source: MXNet np_init_op.
    """
    with _on_device(ctx):
        return _call(_op__npi_eye, (), out, (N, M, k, str(ctx), dtype), name, words)


_op__npi_fix = _Op("_npi_fix")


@_of(_op__npi_fix)
def _npi_fix(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Integer part: rounded toward 0.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet fix.
    """
    return _call(_op__npi_fix, (x,), out, (), name, words)


_op__npi_floor = _Op("_npi_floor")


@_of(_op__npi_floor)
def _npi_floor(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Largest integer not above data.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet floor.
    """
    return _call(_op__npi_floor, (x,), out, (), name, words)


_op__npi_full_like = _Op("_npi_full_like")


@_of(_op__npi_full_like)
def _npi_full_like(
    a: NDArray,
    fill_value: float,
    ctx: str = '',
    dtype: Any = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """One value everywhere, in the shape of an array.

    Parameters
    ----------
    a : NDArray
        Gives the shape, and the dtype if no other is asked for.
    fill_value : float
        Every element.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : optional dtype
        Element type; None is that of the input.

    Notes
    -----
    Source: MXNet _npi_full_like.
    """
    return _call(_op__npi_full_like, (a,), out, (fill_value, str(ctx), dtype), name, words)


_op__npi_gamma = _Op("_npi_gamma")


@_of(_op__npi_gamma)
def _npi_gamma(
    input1: Optional[NDArray] = None,
    input2: Optional[NDArray] = None,
    shape: Optional[float] = None,
    scale: Optional[float] = None,
    size: Optional[_Ints] = None,
    ctx: str = 'cpu',
    dtype: Any = 'float32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Numbers of gamma distributions.

    Parameters
    ----------
    input1 : NDArray
        The first parameter that is no number.
    input2 : NDArray
        The second one.
    shape : optional float
        A number; None: an input holds numbers.
    scale : optional float
        A number; None: an input holds numbers.
    size : optional tuple of int
        Extents of the output; None means those of the parameters.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : dtype
        Element type.

    Notes
    -----
    Source: MXNet np_random.
    """
    return _call(_op__npi_gamma, (input1, input2), out, (shape, scale, size, str(ctx), dtype), name, words)


_op__npi_greater = _Op("_npi_greater")


@_of(_op__npi_greater)
def _npi_greater(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where x > y, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__npi_greater, (lhs, rhs), out, (), name, words)


_op__npi_greater_equal = _Op("_npi_greater_equal")


@_of(_op__npi_greater_equal)
def _npi_greater_equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where x >= y, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__npi_greater_equal, (lhs, rhs), out, (), name, words)


_op__npi_greater_equal_scalar = _Op("_npi_greater_equal_scalar")


@_of(_op__npi_greater_equal_scalar)
def _npi_greater_equal_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where data >= scalar, else 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__npi_greater_equal_scalar, (data,), out, (scalar, is_int), name, words)


_op__npi_greater_scalar = _Op("_npi_greater_scalar")


@_of(_op__npi_greater_scalar)
def _npi_greater_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where data > scalar, else 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__npi_greater_scalar, (data,), out, (scalar, is_int), name, words)


_op__npi_gumbel = _Op("_npi_gumbel")


@_of(_op__npi_gumbel)
def _npi_gumbel(
    input1: Optional[NDArray] = None,
    input2: Optional[NDArray] = None,
    loc: Optional[float] = None,
    scale: Optional[float] = None,
    size: Optional[_Ints] = None,
    ctx: str = 'cpu',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Numbers of Gumbel's distributions.

    Parameters
    ----------
    input1 : NDArray
        The first parameter that is no number.
    input2 : NDArray
        The second one.
    loc : optional float
        A number; None: an input holds numbers.
    scale : optional float
        A number; None: an input holds numbers.
    size : optional tuple of int
        Extents of the output; None means those of the parameters.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.

    Notes
    -----
    Source: MXNet np_random.
    """
    return _call(_op__npi_gumbel, (input1, input2), out, (loc, scale, size, str(ctx)), name, words)


_op__npi_hamming = _Op("_npi_hamming")


@_of(_op__npi_hamming)
def _npi_hamming(
    M: Optional[int] = None,
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Hamming's window.

    Parameters
    ----------
    M : optional int
        How many numbers; below 1 none.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : dtype
        Element type.

    Notes
    -----
    Source: MXNet np_init_op.
    """
    with _on_device(ctx):
        return _call(_op__npi_hamming, (), out, (M, str(ctx), dtype), name, words)


_op__npi_hanning = _Op("_npi_hanning")


@_of(_op__npi_hanning)
def _npi_hanning(
    M: Optional[int] = None,
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Hann's window, 0 at its ends.

    Parameters
    ----------
    M : optional int
        How many numbers; below 1 none.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : dtype
        Element type.

    Notes
    -----
    Source: MXNet np_init_op.
    """
    with _on_device(ctx):
        return _call(_op__npi_hanning, (), out, (M, str(ctx), dtype), name, words)


_op__npi_hsplit = _Op("_npi_hsplit")


@_of(_op__npi_hsplit)
def _npi_hsplit(
    data: NDArray,
    indices: _Ints,
    axis: int = 1,
    squeeze_axis: bool = False,
    sections: int = 0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Cuts an array along its second axis, or its only one.

    Parameters
    ----------
    data : NDArray
        At least one axis.
    indices : tuple of int
        Where the parts begin, the first at 0.
    axis : int
        Not used: the second axis, or the only one.
    squeeze_axis : bool
        Drops the axis of parts of extent 1.
    sections : int
        Number of equal parts, instead of indices.

    Notes
    -----
    Source: MXNet _npi_hsplit.
    """
    return _call(_op__npi_hsplit, (data,), out, (indices, axis, squeeze_axis, sections), name, words)


_op__npi_hstack = _Op("_npi_hstack")


@_of(_op__npi_hstack)
def _npi_hstack(
    *data: NDArray,
    num_args: Optional[int] = None,
    dim: int = 1,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Arrays beside one another, along the second axis or the only one.

    Parameters
    ----------
    data : NDArray
        Any arrays.
    num_args : int
        Number of inputs.
    dim : int
        Not used.

    Notes
    -----
    Source: MXNet np_matrix_op.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__npi_hstack, data, out, (len(data) if num_args is None else num_args, dim), name, words)


_op__npi_hypot = _Op("_npi_hypot")


@_of(_op__npi_hypot)
def _npi_hypot(
    x1: NDArray,
    x2: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Length of the vector (x, y).

    Parameters
    ----------
    x1 : NDArray
        First operand.
    x2 : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__npi_hypot, (x1, x2), out, (), name, words)


_op__npi_identity = _Op("_npi_identity")


@_of(_op__npi_identity)
def _npi_identity(
    shape: _Ints = (),
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """A square matrix with ones on its diagonal and zeros elsewhere.

    Parameters
    ----------
    shape : tuple of int
        Extents of the output.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : dtype
        Element type.

    Notes
    -----
    Source: MXNet np_init_op.
    """
    with _on_device(ctx):
        return _call(_op__npi_identity, (), out, (shape, str(ctx), dtype), name, words)


_op__npi_indices = _Op("_npi_indices")


@_of(_op__npi_indices)
def _npi_indices(
    dimensions: _Ints,
    dtype: Any = 'int32',
    ctx: str = '',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The coordinates of a grid's places: (axes,) and the grid's extents.

    Parameters
    ----------
    dimensions : tuple of int
        Extents of the grid.
    dtype : dtype
        Element type.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.

    Notes
    -----
    Source: MXNet np_init_op.
    """
    with _on_device(ctx):
        return _call(_op__npi_indices, (), out, (dimensions, dtype, str(ctx)), name, words)


_op__npi_insert_scalar = _Op("_npi_insert_scalar")


@_of(_op__npi_insert_scalar)
def _npi_insert_scalar(
    arr: NDArray,
    values: Optional[NDArray] = None,
    val: Optional[float] = None,
    start: Optional[int] = None,
    stop: Optional[int] = None,
    step: Optional[int] = None,
    int_ind: Optional[int] = None,
    axis: Optional[int] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """An array with values before one place.

    Parameters
    ----------
    arr : NDArray
        Any array.
    values : NDArray
        Broadcasts to the places.
    val : optional float
        The number to put in, instead of an input.
    start : optional int
        Begin of a slice of places.
    stop : optional int
        End of it.
    step : optional int
        Step of it.
    int_ind : optional int
        One place.
    axis : optional int
        The axis; None means the flattened array.

    Notes
    -----
    Source: MXNet np_insert_op.
    """
    return _call(_op__npi_insert_scalar, (arr, values), out, (val, start, stop, step, int_ind, axis), name, words)


_op__npi_insert_slice = _Op("_npi_insert_slice")


@_of(_op__npi_insert_slice)
def _npi_insert_slice(
    arr: NDArray,
    values: Optional[NDArray] = None,
    val: Optional[float] = None,
    start: Optional[int] = None,
    stop: Optional[int] = None,
    step: Optional[int] = None,
    int_ind: Optional[int] = None,
    axis: Optional[int] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """An array with values before a slice of places.

    Parameters
    ----------
    arr : NDArray
        Any array.
    values : NDArray
        Broadcasts to the places.
    val : optional float
        The number to put in, instead of an input.
    start : optional int
        Begin of a slice of places.
    stop : optional int
        End of it.
    step : optional int
        Step of it.
    int_ind : optional int
        One place.
    axis : optional int
        The axis; None means the flattened array.

    Notes
    -----
    Source: MXNet np_insert_op.
    """
    return _call(_op__npi_insert_slice, (arr, values), out, (val, start, stop, step, int_ind, axis), name, words)


_op__npi_insert_tensor = _Op("_npi_insert_tensor")


@_of(_op__npi_insert_tensor)
def _npi_insert_tensor(
    arr: NDArray,
    values: Optional[NDArray] = None,
    obj: Optional[NDArray] = None,
    val: Optional[float] = None,
    start: Optional[int] = None,
    stop: Optional[int] = None,
    step: Optional[int] = None,
    int_ind: Optional[int] = None,
    axis: Optional[int] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """An array with values before places that another array holds.

    Parameters
    ----------
    arr : NDArray
        Any array.
    values : NDArray
        Broadcasts to the places.
    obj : NDArray
        Places, integers; without values the second input.
    val : optional float
        The number to put in, instead of an input.
    start : optional int
        Begin of a slice of places.
    stop : optional int
        End of it.
    step : optional int
        Step of it.
    int_ind : optional int
        One place.
    axis : optional int
        The axis; None means the flattened array.

    Notes
    -----
    Source: MXNet np_insert_op.
    """
    return _call(_op__npi_insert_tensor, (arr, values, obj), out, (val, start, stop, step, int_ind, axis), name, words)


_op__npi_isfinite = _Op("_npi_isfinite")


@_of(_op__npi_isfinite)
def _npi_isfinite(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """1 where data is neither infinite nor NaN, else 0.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet _contrib_isfinite.
    """
    return _call(_op__npi_isfinite, (x,), out, (), name, words)


_op__npi_isinf = _Op("_npi_isinf")


@_of(_op__npi_isinf)
def _npi_isinf(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """1 where data is infinite, else 0.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet _contrib_isinf.
    """
    return _call(_op__npi_isinf, (x,), out, (), name, words)


_op__npi_isnan = _Op("_npi_isnan")


@_of(_op__npi_isnan)
def _npi_isnan(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """1 where data is not a number, else 0.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet _contrib_isnan.
    """
    return _call(_op__npi_isnan, (x,), out, (), name, words)


_op__npi_isneginf = _Op("_npi_isneginf")


@_of(_op__npi_isneginf)
def _npi_isneginf(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Whether data is infinite and below 0.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet np_elemwise_unary_op.
    """
    return _call(_op__npi_isneginf, (x,), out, (), name, words)


_op__npi_isposinf = _Op("_npi_isposinf")


@_of(_op__npi_isposinf)
def _npi_isposinf(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Whether data is infinite and above 0.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet np_elemwise_unary_op.
    """
    return _call(_op__npi_isposinf, (x,), out, (), name, words)


_op__npi_lcm = _Op("_npi_lcm")


@_of(_op__npi_lcm)
def _npi_lcm(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Least common multiple.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet numpy elemwise_broadcast_op.
    """
    return _call(_op__npi_lcm, (lhs, rhs), out, (), name, words)


_op__npi_lcm_scalar = _Op("_npi_lcm_scalar")


@_of(_op__npi_lcm_scalar)
def _npi_lcm_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Least common multiple of data and a number.

    Parameters
    ----------
    data : NDArray
        Integers or bool.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet numpy elemwise_broadcast_op_extended.
    """
    return _call(_op__npi_lcm_scalar, (data,), out, (scalar, is_int), name, words)


_op__npi_ldexp = _Op("_npi_ldexp")


@_of(_op__npi_ldexp)
def _npi_ldexp(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """lhs times 2 to the power of rhs.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet numpy elemwise_broadcast_op.
    """
    return _call(_op__npi_ldexp, (lhs, rhs), out, (), name, words)


_op__npi_ldexp_scalar = _Op("_npi_ldexp_scalar")


@_of(_op__npi_ldexp_scalar)
def _npi_ldexp_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """data times 2 to the power of a number.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet numpy elemwise_broadcast_op.
    """
    return _call(_op__npi_ldexp_scalar, (data,), out, (scalar, is_int), name, words)


_op__npi_less = _Op("_npi_less")


@_of(_op__npi_less)
def _npi_less(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where x < y, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__npi_less, (lhs, rhs), out, (), name, words)


_op__npi_less_equal = _Op("_npi_less_equal")


@_of(_op__npi_less_equal)
def _npi_less_equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where x <= y, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__npi_less_equal, (lhs, rhs), out, (), name, words)


_op__npi_less_equal_scalar = _Op("_npi_less_equal_scalar")


@_of(_op__npi_less_equal_scalar)
def _npi_less_equal_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where data <= scalar, else 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__npi_less_equal_scalar, (data,), out, (scalar, is_int), name, words)


_op__npi_less_scalar = _Op("_npi_less_scalar")


@_of(_op__npi_less_scalar)
def _npi_less_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where data < scalar, else 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__npi_less_scalar, (data,), out, (scalar, is_int), name, words)


_op__npi_log = _Op("_npi_log")


@_of(_op__npi_log)
def _npi_log(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Natural logarithm.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet log.
    """
    return _call(_op__npi_log, (x,), out, (), name, words)


_op__npi_log10 = _Op("_npi_log10")


@_of(_op__npi_log10)
def _npi_log10(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Logarithm to base 10.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet log10.
    """
    return _call(_op__npi_log10, (x,), out, (), name, words)


_op__npi_log1p = _Op("_npi_log1p")


@_of(_op__npi_log1p)
def _npi_log1p(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """log(1 + data), exact near 0.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet log1p.
    """
    return _call(_op__npi_log1p, (x,), out, (), name, words)


_op__npi_log2 = _Op("_npi_log2")


@_of(_op__npi_log2)
def _npi_log2(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Logarithm to base 2.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet log2.
    """
    return _call(_op__npi_log2, (x,), out, (), name, words)


_op__npi_logical_not = _Op("_npi_logical_not")


@_of(_op__npi_logical_not)
def _npi_logical_not(
    x: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where data is 0, else 0.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet logical_not.
    """
    return _call(_op__npi_logical_not, (x,), out, (), name, words)


_op__npi_logistic = _Op("_npi_logistic")


@_of(_op__npi_logistic)
def _npi_logistic(
    input1: Optional[NDArray] = None,
    input2: Optional[NDArray] = None,
    loc: Optional[float] = None,
    scale: Optional[float] = None,
    size: Optional[_Ints] = None,
    ctx: str = 'cpu',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Numbers of logistic distributions.

    Parameters
    ----------
    input1 : NDArray
        The first parameter that is no number.
    input2 : NDArray
        The second one.
    loc : optional float
        A number; None: an input holds numbers.
    scale : optional float
        A number; None: an input holds numbers.
    size : optional tuple of int
        Extents of the output; None means those of the parameters.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.

    Notes
    -----
    Source: MXNet np_random.
    """
    return _call(_op__npi_logistic, (input1, input2), out, (loc, scale, size, str(ctx)), name, words)


_op__npi_logspace = _Op("_npi_logspace")


@_of(_op__npi_logspace)
def _npi_logspace(
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    base: float = 10.0,
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Powers whose exponents are evenly spaced.

    Parameters
    ----------
    start : float
        First exponent.
    stop : float
        Last exponent, or the one after it.
    num : int
        How many numbers.
    endpoint : bool
        Whether stop is the last exponent.
    base : float
        Base of the powers.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : dtype
        Element type.

    Notes
    -----
    Source: MXNet np_init_op.
    """
    with _on_device(ctx):
        return _call(_op__npi_logspace, (), out, (start, stop, num, endpoint, base, str(ctx), dtype), name, words)


_op__npi_matmul = _Op("_npi_matmul")


@_of(_op__npi_matmul)
def _npi_matmul(
    a: NDArray,
    b: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Products of stacks of matrices, which broadcast; arrays of one axis are vectors.

    Parameters
    ----------
    a : NDArray
        Any array.
    b : NDArray
        Any array of that dtype.

    Notes
    -----
    Source: MXNet numpy tensordot.
    """
    return _call(_op__npi_matmul, (a, b), out, (), name, words)


_op__npi_mean = _Op("_npi_mean")


@_of(_op__npi_mean)
def _npi_mean(
    a: NDArray,
    axis: Optional[_Ints] = None,
    dtype: Any = None,
    keepdims: bool = False,
    initial: Optional[float] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Arithmetic mean over axes, NaN of no elements; that of integers is float32.

    Parameters
    ----------
    a : NDArray
        Any array.
    axis : optional tuple of int
        Axis or axes to reduce; None means all, () none.
    dtype : optional dtype
        Element type of the output.
    keepdims : bool
        Keeps reduced axes, with extent 1.
    initial : optional float
        Not supported, as in MXNet: None.

    Notes
    -----
    Source: MXNet np_broadcast_reduce_op.
    """
    return _call(_op__npi_mean, (a,), out, (axis, dtype, keepdims, initial), name, words)


_op__npi_mod = _Op("_npi_mod")


@_of(_op__npi_mod)
def _npi_mod(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Remainder with the sign of the divisor, as Python's %; a remainder by 0 is 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__npi_mod, (lhs, rhs), out, (), name, words)


_op__npi_multinomial = _Op("_npi_multinomial")


@_of(_op__npi_multinomial)
def _npi_multinomial(
    a: Optional[NDArray] = None,
    n: Optional[int] = None,
    pvals: Optional[_Reals] = None,
    size: Optional[_Ints] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """How often each of several outcomes comes in n draws, int64.

    Parameters
    ----------
    a : NDArray
        Probabilities, one axis.
    n : int
        How often it is drawn.
    pvals : optional tuple of float
        Probabilities; None: an input holds them.
    size : optional tuple of int
        Extents before the last axis.

    Notes
    -----
    Source: MXNet _npi_multinomial.
    """
    return _call(_op__npi_multinomial, (a,), out, (n, pvals, size), name, words)


_op__npi_multiply = _Op("_npi_multiply")


@_of(_op__npi_multiply)
def _npi_multiply(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Product of two arrays, element by element.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__npi_multiply, (lhs, rhs), out, (), name, words)


_op__npi_nan_to_num = _Op("_npi_nan_to_num")


@_of(_op__npi_nan_to_num)
def _npi_nan_to_num(
    data: NDArray,
    copy: bool = True,
    nan: float = 0.0,
    posinf: Optional[float] = None,
    neginf: Optional[float] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Numbers in place of NaN and infinities.

    Parameters
    ----------
    data : NDArray
        Any array.
    copy : bool
        Not used: where the result goes says out.
    nan : float
        In place of NaN.
    posinf : optional float
        In place of infinity; None is the largest number of the dtype.
    neginf : optional float
        In place of its negative; None is the smallest number of the dtype.

    Notes
    -----
    Source: MXNet _npi_nan_to_num.
    """
    return _call(_op__npi_nan_to_num, (data,), out, (copy, nan, posinf, neginf), name, words)


_op__npi_negative = _Op("_npi_negative")


@_of(_op__npi_negative)
def _npi_negative(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """-data.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet negative.
    """
    return _call(_op__npi_negative, (x,), out, (), name, words)


_op__npi_norm = _Op("_npi_norm")


@_of(_op__npi_norm)
def _npi_norm(
    data: NDArray,
    ord: float = 2.0,
    axis: Optional[_Ints] = None,
    keepdims: bool = False,
    flag: int = -2,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Norms of vectors and matrices.

    Parameters
    ----------
    data : NDArray
        (..., m, n), a float dtype.
    ord : float
        Order of the norm.
    axis : optional tuple of int
        One axis of vectors or two of matrices; None means all.
    keepdims : bool
        Keeps reduced axes, with extent 1.
    flag : int
        What is asked for: 0 a norm of matrices by ord, 1 Frobenius, 2 the sum of singular values, -1 a norm
        of vectors by ord, -2 the length of all elements.

    Notes
    -----
    Source: MXNet numpy linalg.
    """
    return _call(_op__npi_norm, (data,), out, (ord, axis, keepdims, flag), name, words)


_op__npi_normal = _Op("_npi_normal")


@_of(_op__npi_normal)
def _npi_normal(
    input1: Optional[NDArray] = None,
    input2: Optional[NDArray] = None,
    loc: Optional[float] = None,
    scale: Optional[float] = None,
    size: Optional[_Ints] = None,
    ctx: str = 'cpu',
    dtype: Any = 'float32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Numbers of normal distributions.

    Parameters
    ----------
    input1 : NDArray
        The first parameter that is no number.
    input2 : NDArray
        The second one.
    loc : optional float
        A number; None: an input holds numbers.
    scale : optional float
        A number; None: an input holds numbers.
    size : optional tuple of int
        Extents of the output; None means those of the parameters.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : dtype
        Element type.

    Notes
    -----
    Source: MXNet np_random.
    """
    return _call(_op__npi_normal, (input1, input2), out, (loc, scale, size, str(ctx), dtype), name, words)


_op__npi_normal_n = _Op("_npi_normal_n")


@_of(_op__npi_normal_n)
def _npi_normal_n(
    input1: Optional[NDArray] = None,
    input2: Optional[NDArray] = None,
    loc: Optional[float] = None,
    scale: Optional[float] = None,
    size: Optional[_Ints] = None,
    ctx: str = 'cpu',
    dtype: Any = 'float32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Numbers of normal distributions: blocks of `size`, each of the parameters' shape.

    Parameters
    ----------
    input1 : NDArray
        The first parameter that is no number.
    input2 : NDArray
        The second one.
    loc : optional float
        A number; None: an input holds numbers.
    scale : optional float
        A number; None: an input holds numbers.
    size : optional tuple of int
        Extents of the output; None means those of the parameters.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : dtype
        Element type.

    Notes
    -----
    Source: MXNet np_random.
    """
    return _call(_op__npi_normal_n, (input1, input2), out, (loc, scale, size, str(ctx), dtype), name, words)


_op__npi_not_equal = _Op("_npi_not_equal")


@_of(_op__npi_not_equal)
def _npi_not_equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where x != y, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__npi_not_equal, (lhs, rhs), out, (), name, words)


_op__npi_not_equal_scalar = _Op("_npi_not_equal_scalar")


@_of(_op__npi_not_equal_scalar)
def _npi_not_equal_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where data != scalar, else 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__npi_not_equal_scalar, (data,), out, (scalar, is_int), name, words)


_op__npi_ones = _Op("_npi_ones")


@_of(_op__npi_ones)
def _npi_ones(
    shape: _Ints = (),
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Array of ones.

    Parameters
    ----------
    shape : tuple of int
        Extents of the output.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : dtype
        Element type.

    Notes
    -----
    Source: MXNet np_init_op.
    """
    with _on_device(ctx):
        return _call(_op__npi_ones, (), out, (shape, str(ctx), dtype), name, words)


_op__npi_pad = _Op("_npi_pad")


@_of(_op__npi_pad)
def _npi_pad(
    data: NDArray,
    pad_width: str,
    mode: str = 'constant',
    constant_value: float = 0.0,
    reflect_type: str = 'even',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Margins around an array.

    Parameters
    ----------
    data : NDArray
        Any array.
    pad_width : str
        ((before, after), ...), a pair for each axis, as text; one pair serves all axes.
    mode : {'constant', 'edge', 'reflect', 'symmetric', 'maximum', 'minimum'}
        What the margin holds: one value, the nearest element, a mirror image without or with the edge, or the
        extreme along the axis.
    constant_value : float
        The value of mode 'constant'.
    reflect_type : str
        'even'.

    Notes
    -----
    Source: MXNet _npi_pad.
    """
    return _call(_op__npi_pad, (data,), out, (pad_width, mode, constant_value, reflect_type), name, words)


_op__npi_pareto = _Op("_npi_pareto")


@_of(_op__npi_pareto)
def _npi_pareto(
    input1: Optional[NDArray] = None,
    a: Optional[float] = None,
    size: Optional[_Ints] = None,
    ctx: str = 'cpu',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Numbers of Pareto's distributions, from 0 on.

    Parameters
    ----------
    input1 : NDArray
        The first parameter that is no number.
    a : optional float
        A number; None: an input holds numbers.
    size : optional tuple of int
        Extents of the output; None means those of the parameters.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.

    Notes
    -----
    Source: MXNet np_random.
    """
    return _call(_op__npi_pareto, (input1,), out, (a, size, str(ctx)), name, words)


_op__npi_percentile = _Op("_npi_percentile")


@_of(_op__npi_percentile)
def _npi_percentile(
    a: NDArray,
    q: Optional[NDArray] = None,
    axis: Optional[_Ints] = None,
    interpolation: str = 'linear',
    keepdims: bool = False,
    q_scalar: Optional[float] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Values below which given percentages of the elements lie; of integers float32.

    Parameters
    ----------
    a : NDArray
        Any array of numbers.
    q : NDArray
        Percentages: a number or an array of one axis, which comes first in the output.
    axis : optional tuple of int
        Axis or axes to search; None means all.
    interpolation : {'linear', 'lower', 'higher', 'midpoint', 'nearest'}
        What lies between two elements.
    keepdims : bool
        Keeps searched axes, with extent 1.
    q_scalar : optional float
        The one percentage, instead of an input.

    Notes
    -----
    Source: MXNet _npi_percentile.
    """
    return _call(_op__npi_percentile, (a, q), out, (axis, interpolation, keepdims, q_scalar), name, words)


_op__npi_pinv = _Op("_npi_pinv")


@_of(_op__npi_pinv)
def _npi_pinv(
    A: NDArray,
    rcond: NDArray,
    hermitian: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Moore and Penrose's inverses.

    Parameters
    ----------
    A : NDArray
        (..., m, n), a float dtype.
    rcond : NDArray
        Singular values up to this part of the largest count as 0; broadcasts to the matrices.
    hermitian : bool
        Whether A is symmetric.

    Notes
    -----
    Source: MXNet numpy linalg.
    """
    return _call(_op__npi_pinv, (A, rcond), out, (hermitian,), name, words)


_op__npi_pinv_scalar_rcond = _Op("_npi_pinv_scalar_rcond")


@_of(_op__npi_pinv_scalar_rcond)
def _npi_pinv_scalar_rcond(
    A: NDArray,
    rcond: float = 1e-15,
    hermitian: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Moore and Penrose's inverses.

    Parameters
    ----------
    A : NDArray
        (..., m, n), a float dtype.
    rcond : float
        Singular values up to this part of the largest count as 0.
    hermitian : bool
        Whether A is symmetric.

    Notes
    -----
    Source: MXNet numpy linalg.
    """
    return _call(_op__npi_pinv_scalar_rcond, (A,), out, (rcond, hermitian), name, words)


_op__npi_polyval = _Op("_npi_polyval")


@_of(_op__npi_polyval)
def _npi_polyval(
    p: NDArray,
    x: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """A polynomial at given places; the first coefficient is that of the highest power.

    Parameters
    ----------
    p : NDArray
        Coefficients, one axis.
    x : NDArray
        Any array of that dtype.

    Notes
    -----
    Source: MXNet _npi_polyval; Horner's rule.
    """
    return _call(_op__npi_polyval, (p, x), out, (), name, words)


_op__npi_power = _Op("_npi_power")


@_of(_op__npi_power)
def _npi_power(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """First operand raised to the power of the second.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__npi_power, (lhs, rhs), out, (), name, words)


_op__npi_powerd = _Op("_npi_powerd")


@_of(_op__npi_powerd)
def _npi_powerd(
    input1: Optional[NDArray] = None,
    a: Optional[float] = None,
    size: Optional[_Ints] = None,
    ctx: str = 'cpu',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Numbers between 0 and 1 of density a x^(a - 1).

    Parameters
    ----------
    input1 : NDArray
        The first parameter that is no number.
    a : optional float
        A number; None: an input holds numbers.
    size : optional tuple of int
        Extents of the output; None means those of the parameters.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.

    Notes
    -----
    Source: MXNet np_random.
    """
    return _call(_op__npi_powerd, (input1,), out, (a, size, str(ctx)), name, words)


_op__npi_radians = _Op("_npi_radians")


@_of(_op__npi_radians)
def _npi_radians(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Degrees to radians.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet radians.
    """
    return _call(_op__npi_radians, (x,), out, (), name, words)


_op__npi_rarctan2_scalar = _Op("_npi_rarctan2_scalar")


@_of(_op__npi_rarctan2_scalar)
def _npi_rarctan2_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Angle of the point (data, scalar).

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet numpy elemwise_broadcast_op.
    """
    return _call(_op__npi_rarctan2_scalar, (data,), out, (scalar, is_int), name, words)


_op__npi_rayleigh = _Op("_npi_rayleigh")


@_of(_op__npi_rayleigh)
def _npi_rayleigh(
    input1: Optional[NDArray] = None,
    scale: Optional[float] = 1.0,
    size: Optional[_Ints] = None,
    ctx: str = 'cpu',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Numbers of Rayleigh's distributions.

    Parameters
    ----------
    input1 : NDArray
        The first parameter that is no number.
    scale : optional float
        A number; None: an input holds numbers.
    size : optional tuple of int
        Extents of the output; None means those of the parameters.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.

    Notes
    -----
    Source: MXNet np_random.
    """
    return _call(_op__npi_rayleigh, (input1,), out, (scale, size, str(ctx)), name, words)


_op__npi_rcopysign_scalar = _Op("_npi_rcopysign_scalar")


@_of(_op__npi_rcopysign_scalar)
def _npi_rcopysign_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The size of a number with the sign of data.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet numpy elemwise_broadcast_op.
    """
    return _call(_op__npi_rcopysign_scalar, (data,), out, (scalar, is_int), name, words)


_op__npi_reciprocal = _Op("_npi_reciprocal")


@_of(_op__npi_reciprocal)
def _npi_reciprocal(
    x: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 / data.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet reciprocal.
    """
    return _call(_op__npi_reciprocal, (x,), out, (), name, words)


_op__npi_rint = _Op("_npi_rint")


@_of(_op__npi_rint)
def _npi_rint(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Nearest integer; halves go down.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet rint.
    """
    return _call(_op__npi_rint, (x,), out, (), name, words)


_op__npi_rldexp_scalar = _Op("_npi_rldexp_scalar")


@_of(_op__npi_rldexp_scalar)
def _npi_rldexp_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """A number times 2 to the power of data.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet numpy elemwise_broadcast_op.
    """
    return _call(_op__npi_rldexp_scalar, (data,), out, (scalar, is_int), name, words)


_op__npi_rot90 = _Op("_npi_rot90")


@_of(_op__npi_rot90)
def _npi_rot90(
    data: NDArray,
    k: int = 1,
    axes: Optional[_Ints] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Turns a plane by quarters.

    Parameters
    ----------
    data : NDArray
        Any array.
    k : int
        How many quarter turns, from the first axis towards the second.
    axes : optional tuple of int
        The two axes of the plane; None means the first two.

    Notes
    -----
    Source: MXNet np_matrix_op.
    """
    return _call(_op__npi_rot90, (data,), out, (k, axes), name, words)


_op__npi_rtrue_divide_scalar = _Op("_npi_rtrue_divide_scalar")


@_of(_op__npi_rtrue_divide_scalar)
def _npi_rtrue_divide_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """scalar / data. Integers divide toward zero; an integer divided by 0 gives 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__npi_rtrue_divide_scalar, (data,), out, (scalar, is_int), name, words)


_op__npi_share_memory = _Op("_npi_share_memory")


@_of(_op__npi_share_memory)
def _npi_share_memory(
    a: NDArray,
    b: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Whether two arrays have memory in common.

    Parameters
    ----------
    a : NDArray
        Any array.
    b : NDArray
        Any array.

    Notes
    -----
    Source: MXNet _npi_share_memory.
    """
    return _call(_op__npi_share_memory, (a, b), out, (), name, words)


_op__npi_sign = _Op("_npi_sign")


@_of(_op__npi_sign)
def _npi_sign(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """-1, 0 or 1; 0 for NaN.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet sign.
    """
    return _call(_op__npi_sign, (x,), out, (), name, words)


_op__npi_sin = _Op("_npi_sin")


@_of(_op__npi_sin)
def _npi_sin(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Sine of an angle in radians.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet sin.
    """
    return _call(_op__npi_sin, (x,), out, (), name, words)


_op__npi_sinh = _Op("_npi_sinh")


@_of(_op__npi_sinh)
def _npi_sinh(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Hyperbolic sine.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet sinh.
    """
    return _call(_op__npi_sinh, (x,), out, (), name, words)


_op__npi_slogdet = _Op("_npi_slogdet")


@_of(_op__npi_slogdet)
def _npi_slogdet(A: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> Any:
    """Signs of determinants, and logarithms of their sizes.

    Parameters
    ----------
    A : NDArray
        (..., m, n), a float dtype.

    Notes
    -----
    Source: MXNet numpy linalg.
    """
    return _call(_op__npi_slogdet, (A,), out, (), name, words)


_op__npi_solve = _Op("_npi_solve")


@_of(_op__npi_solve)
def _npi_solve(
    A: NDArray,
    B: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """X of A X = B, for a matrix or a vector B.

    Parameters
    ----------
    A : NDArray
        (..., n, n), a float dtype.
    B : NDArray
        (..., n, m) or (..., n).

    Notes
    -----
    Source: MXNet _npi_solve.
    """
    return _call(_op__npi_solve, (A, B), out, (), name, words)


_op__npi_sqrt = _Op("_npi_sqrt")


@_of(_op__npi_sqrt)
def _npi_sqrt(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Square root; NaN below 0.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet sqrt.
    """
    return _call(_op__npi_sqrt, (x,), out, (), name, words)


_op__npi_square = _Op("_npi_square")


@_of(_op__npi_square)
def _npi_square(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """data * data.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet square.
    """
    return _call(_op__npi_square, (x,), out, (), name, words)


_op__npi_std = _Op("_npi_std")


@_of(_op__npi_std)
def _npi_std(
    a: NDArray,
    axis: Optional[_Ints] = None,
    dtype: Any = None,
    ddof: int = 0,
    keepdims: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Standard deviation over axes.

    Parameters
    ----------
    a : NDArray
        Any array.
    axis : optional tuple of int
        Axis or axes to reduce; None means all, () none.
    dtype : optional dtype
        Element type of the output; None is that of the input.
    ddof : int
        What the number of elements is lessened by before it divides.
    keepdims : bool
        Keeps reduced axes, with extent 1.

    Notes
    -----
    Source: MXNet np_broadcast_reduce_op.
    """
    return _call(_op__npi_std, (a,), out, (axis, dtype, ddof, keepdims), name, words)


_op__npi_subtract = _Op("_npi_subtract")


@_of(_op__npi_subtract)
def _npi_subtract(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Difference of two arrays.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__npi_subtract, (lhs, rhs), out, (), name, words)


_op__npi_svd = _Op("_npi_svd")


@_of(_op__npi_svd)
def _npi_svd(A: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> Any:
    """A = UT diag(L) V: UT orthogonal, V with orthonormal rows, L descending.

    Parameters
    ----------
    A : NDArray
        (..., m, n) with m at most n, a float dtype.

    Notes
    -----
    Source: MXNet _npi_svd; Hestenes 1958.
    """
    return _call(_op__npi_svd, (A,), out, (), name, words)


_op__npi_tan = _Op("_npi_tan")


@_of(_op__npi_tan)
def _npi_tan(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Tangent of an angle in radians.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet tan.
    """
    return _call(_op__npi_tan, (x,), out, (), name, words)


_op__npi_tanh = _Op("_npi_tanh")


@_of(_op__npi_tanh)
def _npi_tanh(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Hyperbolic tangent.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet tanh.
    """
    return _call(_op__npi_tanh, (x,), out, (), name, words)


_op__npi_tensordot = _Op("_npi_tensordot")


@_of(_op__npi_tensordot)
def _npi_tensordot(
    a: NDArray,
    b: NDArray,
    a_axes_summed: _Ints,
    b_axes_summed: _Ints,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Sum of products over pairs of axes.

    Parameters
    ----------
    a : NDArray
        Any array.
    b : NDArray
        Any array of that dtype.
    a_axes_summed : tuple of int
        Axes of a to sum over.
    b_axes_summed : tuple of int
        Those of b, in the same order.

    Notes
    -----
    Source: MXNet numpy tensordot.
    """
    return _call(_op__npi_tensordot, (a, b), out, (a_axes_summed, b_axes_summed), name, words)


_op__npi_tensordot_int_axes = _Op("_npi_tensordot_int_axes")


@_of(_op__npi_tensordot_int_axes)
def _npi_tensordot_int_axes(
    a: NDArray,
    b: NDArray,
    axes: int,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Sum of products over the last axes of a and the first of b.

    Parameters
    ----------
    a : NDArray
        Any array.
    b : NDArray
        Any array of that dtype.
    axes : int
        How many of the last axes of a and the first of b.

    Notes
    -----
    Source: MXNet numpy tensordot.
    """
    return _call(_op__npi_tensordot_int_axes, (a, b), out, (axes,), name, words)


_op__npi_tensorinv = _Op("_npi_tensorinv")


@_of(_op__npi_tensorinv)
def _npi_tensorinv(
    a: NDArray,
    ind: int = 2,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The inverse of an array seen as a matrix.

    Parameters
    ----------
    a : NDArray
        (..., m, n), a float dtype.
    ind : int
        How many axes are the rows.

    Notes
    -----
    Source: MXNet numpy linalg.
    """
    return _call(_op__npi_tensorinv, (a,), out, (ind,), name, words)


_op__npi_tensorsolve = _Op("_npi_tensorsolve")


@_of(_op__npi_tensorsolve)
def _npi_tensorsolve(
    a: NDArray,
    b: NDArray,
    a_axes: _Ints = (),
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """x of a x = b, with arrays seen as matrices.

    Parameters
    ----------
    a : NDArray
        (..., m, n), a float dtype.
    b : NDArray
        Any shape; its size squared is that of a.
    a_axes : tuple of int
        Axes of a that go behind the others first.

    Notes
    -----
    Source: MXNet numpy linalg.
    """
    return _call(_op__npi_tensorsolve, (a, b), out, (a_axes,), name, words)


_op__npi_tril = _Op("_npi_tril")


@_of(_op__npi_tril)
def _npi_tril(
    data: NDArray,
    k: int = 0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Matrices with zeros above a diagonal.

    Parameters
    ----------
    data : NDArray
        Any array.
    k : int
        Which diagonal: above the main one if positive, below it if negative.

    Notes
    -----
    Source: MXNet np_matrix_op.
    """
    return _call(_op__npi_tril, (data,), out, (k,), name, words)


_op__npi_true_divide = _Op("_npi_true_divide")


@_of(_op__npi_true_divide)
def _npi_true_divide(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Quotient of two arrays. Integers divide toward zero; an integer divided by 0 gives 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__npi_true_divide, (lhs, rhs), out, (), name, words)


_op__npi_true_divide_scalar = _Op("_npi_true_divide_scalar")


@_of(_op__npi_true_divide_scalar)
def _npi_true_divide_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """data / scalar. Integers divide toward zero; an integer divided by 0 gives 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__npi_true_divide_scalar, (data,), out, (scalar, is_int), name, words)


_op__npi_trunc = _Op("_npi_trunc")


@_of(_op__npi_trunc)
def _npi_trunc(x: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Integer part: rounded toward 0.

    Parameters
    ----------
    x : NDArray
        Any array.

    Notes
    -----
    Source: MXNet trunc.
    """
    return _call(_op__npi_trunc, (x,), out, (), name, words)


_op__npi_uniform = _Op("_npi_uniform")


@_of(_op__npi_uniform)
def _npi_uniform(
    input1: Optional[NDArray] = None,
    input2: Optional[NDArray] = None,
    low: Optional[float] = None,
    high: Optional[float] = None,
    size: Optional[_Ints] = None,
    ctx: str = 'cpu',
    dtype: Any = 'float32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Numbers spread evenly over [low, high).

    Parameters
    ----------
    input1 : NDArray
        The first parameter that is no number.
    input2 : NDArray
        The second one.
    low : optional float
        A number; None: an input holds numbers.
    high : optional float
        A number; None: an input holds numbers.
    size : optional tuple of int
        Extents of the output; None means those of the parameters.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : dtype
        Element type.

    Notes
    -----
    Source: MXNet np_random.
    """
    return _call(_op__npi_uniform, (input1, input2), out, (low, high, size, str(ctx), dtype), name, words)


_op__npi_uniform_n = _Op("_npi_uniform_n")


@_of(_op__npi_uniform_n)
def _npi_uniform_n(
    input1: Optional[NDArray] = None,
    input2: Optional[NDArray] = None,
    low: Optional[float] = None,
    high: Optional[float] = None,
    size: Optional[_Ints] = None,
    ctx: str = 'cpu',
    dtype: Any = 'float32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Numbers spread evenly over [low, high): blocks of `size`, each of the parameters' shape.

    Parameters
    ----------
    input1 : NDArray
        The first parameter that is no number.
    input2 : NDArray
        The second one.
    low : optional float
        A number; None: an input holds numbers.
    high : optional float
        A number; None: an input holds numbers.
    size : optional tuple of int
        Extents of the output; None means those of the parameters.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : dtype
        Element type.

    Notes
    -----
    Source: MXNet np_random.
    """
    return _call(_op__npi_uniform_n, (input1, input2), out, (low, high, size, str(ctx), dtype), name, words)


_op__npi_unravel_index = _Op("_npi_unravel_index")


@_of(_op__npi_unravel_index)
def _npi_unravel_index(
    data: NDArray,
    shape: _Ints = (),
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Coordinates of flat row-major indices: shape (number of axes,) + data.shape; an index outside the array
    fails.

    Parameters
    ----------
    data : NDArray
        Any shape.
    shape : tuple of int
        Extents of the array that is indexed; the first one may be -1.

    Notes
    -----
    Source: MXNet unravel_index.
    """
    return _call(_op__npi_unravel_index, (data,), out, (shape,), name, words)


_op__npi_var = _Op("_npi_var")


@_of(_op__npi_var)
def _npi_var(
    a: NDArray,
    axis: Optional[_Ints] = None,
    dtype: Any = None,
    ddof: int = 0,
    keepdims: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Variance over axes.

    Parameters
    ----------
    a : NDArray
        Any array.
    axis : optional tuple of int
        Axis or axes to reduce; None means all, () none.
    dtype : optional dtype
        Element type of the output; None is that of the input.
    ddof : int
        What the number of elements is lessened by before it divides.
    keepdims : bool
        Keeps reduced axes, with extent 1.

    Notes
    -----
    Source: MXNet np_broadcast_reduce_op.
    """
    return _call(_op__npi_var, (a,), out, (axis, dtype, ddof, keepdims), name, words)


_op__npi_vstack = _Op("_npi_vstack")


@_of(_op__npi_vstack)
def _npi_vstack(
    *data: NDArray,
    num_args: Optional[int] = None,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Arrays below one another; rows are arrays of one axis.

    Parameters
    ----------
    data : NDArray
        Any arrays.
    num_args : int
        Number of inputs.

    Notes
    -----
    Source: MXNet np_matrix_op.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__npi_vstack, data, out, (len(data) if num_args is None else num_args,), name, words)


_op__npi_weibull = _Op("_npi_weibull")


@_of(_op__npi_weibull)
def _npi_weibull(
    input1: Optional[NDArray] = None,
    a: Optional[float] = None,
    size: Optional[_Ints] = None,
    ctx: str = 'cpu',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Numbers of Weibull's distributions of scale 1.

    Parameters
    ----------
    input1 : NDArray
        The first parameter that is no number.
    a : optional float
        A number; None: an input holds numbers.
    size : optional tuple of int
        Extents of the output; None means those of the parameters.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.

    Notes
    -----
    Source: MXNet np_random.
    """
    return _call(_op__npi_weibull, (input1,), out, (a, size, str(ctx)), name, words)


_op__npi_where = _Op("_npi_where")


@_of(_op__npi_where)
def _npi_where(
    condition: NDArray,
    x: NDArray,
    y: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """x where the condition is not 0, elsewhere y.

    Parameters
    ----------
    condition : NDArray
        Any array; shapes broadcast.
    x : NDArray
        Any array.
    y : NDArray
        Any array of that dtype.

    Notes
    -----
    Source: MXNet _npi_where.
    """
    return _call(_op__npi_where, (condition, x, y), out, (), name, words)


_op__npi_where_lscalar = _Op("_npi_where_lscalar")


@_of(_op__npi_where_lscalar)
def _npi_where_lscalar(
    condition: NDArray,
    x: NDArray,
    scalar: float = 0.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """A number where the condition is not 0, elsewhere x.

    Parameters
    ----------
    condition : NDArray
        Any array; shapes broadcast.
    x : NDArray
        Any array.
    scalar : float
        The number.

    Notes
    -----
    Source: MXNet _npi_where_lscalar.
    """
    return _call(_op__npi_where_lscalar, (condition, x), out, (scalar,), name, words)


_op__npi_where_rscalar = _Op("_npi_where_rscalar")


@_of(_op__npi_where_rscalar)
def _npi_where_rscalar(
    condition: NDArray,
    y: NDArray,
    scalar: float = 0.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """y where the condition is not 0, elsewhere a number.

    Parameters
    ----------
    condition : NDArray
        Any array; shapes broadcast.
    y : NDArray
        Any array.
    scalar : float
        The number.

    Notes
    -----
    Source: MXNet _npi_where_rscalar.
    """
    return _call(_op__npi_where_rscalar, (condition, y), out, (scalar,), name, words)


_op__npi_where_scalar2 = _Op("_npi_where_scalar2")


@_of(_op__npi_where_scalar2)
def _npi_where_scalar2(
    condition: NDArray,
    x: float = 0.0,
    y: float = 0.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """One number where the condition is not 0, another elsewhere; float32.

    Parameters
    ----------
    condition : NDArray
        Any array.
    x : float
        Where the condition holds.
    y : float
        Elsewhere.

    Notes
    -----
    Source: MXNet _npi_where_scalar2.
    """
    return _call(_op__npi_where_scalar2, (condition,), out, (x, y), name, words)


_op__npi_zeros = _Op("_npi_zeros")


@_of(_op__npi_zeros)
def _npi_zeros(
    shape: _Ints = (),
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Array of zeros.

    Parameters
    ----------
    shape : tuple of int
        Extents of the output.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : dtype
        Element type.

    Notes
    -----
    Source: MXNet np_init_op.
    """
    with _on_device(ctx):
        return _call(_op__npi_zeros, (), out, (shape, str(ctx), dtype), name, words)


_op__npx_constraint_check = _Op("_npx_constraint_check")


@_of(_op__npx_constraint_check)
def _npx_constraint_check(
    input: NDArray,
    msg: str = 'Constraint violated.',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """True; an error unless all elements hold.

    Parameters
    ----------
    input : NDArray
        bool.
    msg : str
        What the error says.

    Notes
    -----
    Source: MXNet _npx_constraint_check.
    """
    return _call(_op__npx_constraint_check, (input,), out, (msg,), name, words)


_op__npx_reshape = _Op("_npx_reshape")


@_of(_op__npx_reshape)
def _npx_reshape(
    a: NDArray,
    newshape: _Ints,
    reverse: bool = False,
    order: str = 'C',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The elements in order in another shape, by codes.

    Parameters
    ----------
    a : NDArray
        Any array.
    newshape : tuple of int
        Extents. -1 is inferred, -2 copies the extent at its place, -3 skips an extent of 1, -4 copies all
        that remain, -5 is the product of two, -6 splits one into the next two.
    reverse : bool
        Matches extents from the right.
    order : str
        'C', row by row.

    Notes
    -----
    Source: MXNet np_matrix_op.
    """
    return _call(_op__npx_reshape, (a,), out, (newshape, reverse, order), name, words)


_op__onehot_encode = _Op("_onehot_encode")


@_of(_op__onehot_encode)
def _onehot_encode(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """An array of the shape and dtype of rhs, with 1 at the index of each row and 0 elsewhere; an index outside
    of the row gives zeros.

    Parameters
    ----------
    lhs : NDArray
        (rows,): indices; fractions are cut off.
    rhs : NDArray
        (rows, columns): gives the shape; its elements are not read.

    Notes
    -----
    Source: MXNet _onehot_encode.
    """
    return _call(_op__onehot_encode, (lhs, rhs), out, (), name, words)


_op__ones = _Op("_ones")


@_of(_op__ones)
def _ones(
    shape: _Ints = (),
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Array of ones.

    Parameters
    ----------
    shape : tuple of int
        Extents of the output; in a graph 0 or -1 is one that follows.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : dtype
        Element type.
    """
    with _on_device(ctx):
        return _call(_op__ones, (), out, (shape, str(ctx), dtype), name, words)


_op__pad_fold = _Op("_pad_fold")


@_of(_op__pad_fold)
def _pad_fold(
    data: NDArray,
    mode: str,
    pad_width: _Ints,
    constant_value: float = 0.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Adds every element of a padded array onto the element it was copied from and drops the margins of mode
    'constant': the gradient of Pad.

    Parameters
    ----------
    data : NDArray
        A padded array.
    mode : {'constant', 'edge', 'reflect'}
        What the margin holds: one value, the nearest element, or a mirror image without the edge.
    pad_width : tuple of int
        Two margins per axis: before and after.
    constant_value : float
        The value of mode 'constant'.
    """
    return _call(_op__pad_fold, (data,), out, (mode, pad_width, constant_value), name, words)


_op__pick_place = _Op("_pick_place")


@_of(_op__pick_place)
def _pick_place(
    data: NDArray,
    index: NDArray,
    axis: Optional[int] = -1,
    keepdims: bool = False,
    mode: str = 'clip',
    shape: Optional[_Ints] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Zeros of the given shape with data at the picked places: the gradient of pick.

    Parameters
    ----------
    data : NDArray
        One value per index.
    index : NDArray
        As of pick.
    axis : optional int
        The axis from which one element is taken; None takes one of the flattened array.
    keepdims : bool
        Keep the axis with extent 1.
    mode : {'clip', 'wrap'}
        Indices outside the axis are clipped or wrap around.
    shape : tuple of int
        Extents of the output.
    """
    return _call(_op__pick_place, (data, index), out, (axis, keepdims, mode, shape), name, words)


_op__place_along_axis = _Op("_place_along_axis")


@_of(_op__place_along_axis)
def _place_along_axis(
    data: NDArray,
    indices: NDArray,
    axis: Optional[int] = -1,
    shape: Optional[_Ints] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Zeros of the given shape, to which data is added where _take_along_axis would read.

    Parameters
    ----------
    data : NDArray
        The shape of indices.
    indices : NDArray
        The output's shape except along the axis.
    axis : optional int
        The indexed axis; None indexes the flattened output.
    shape : tuple of int
        Extents of the output.
    """
    return _call(_op__place_along_axis, (data, indices), out, (axis, shape), name, words)


_op__plus_scalar = _Op("_plus_scalar")


@_of(_op__plus_scalar)
def _plus_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """data + scalar.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__plus_scalar, (data,), out, (scalar, is_int), name, words)


_op__polygamma = _Op("_polygamma")


@_of(_op__polygamma)
def _polygamma(
    data: NDArray,
    n: int = 0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Derivative n of the digamma function, which is itself the logarithmic derivative of gamma.

    Parameters
    ----------
    data : NDArray
        Any array.
    n : int
        Order of the derivative.

    Notes
    -----
    Source: Abramowitz and Stegun 6.4.
    """
    return _call(_op__polygamma, (data,), out, (n,), name, words)


_op__pooling_places = _Op("_pooling_places")


@_of(_op__pooling_places)
def _pooling_places(
    data: NDArray,
    kernel: _Ints = (),
    pool_type: str = 'max',
    global_pool: bool = False,
    cudnn_off: bool = False,
    pooling_convention: str = 'valid',
    stride: _Ints = (),
    pad: _Ints = (),
    p_value: Optional[int] = None,
    count_include_pad: Optional[bool] = None,
    layout: Optional[str] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Where Pooling by max finds the largest elements: positions in the image, counted in row-major order.

    Parameters
    ----------
    data : NDArray
        Float array with one, two or three spatial axes.
    kernel : tuple of int
        Extents of the window: (w,), (h, w) or (d, h, w).
    pool_type : {'avg', 'lp', 'max', 'sum'}
        What is taken of a window.
    global_pool : bool
        The window is the whole image; kernel, stride and pad are ignored.
    cudnn_off : bool
        Accepted and ignored.
    pooling_convention : {'full', 'same', 'valid'}
        Rounding of output extents: valid rounds down, full up, same gives ceil(in / stride).
    stride : tuple of int
        Steps of the window; empty means ones.
    pad : tuple of int
        Elements added at both ends of each axis; empty means none.
    p_value : optional int
        Power of the norm, 1, 2 or 3; for pool_type lp.
    count_include_pad : optional bool
        Whether avg also counts padding; None is True.
    layout : optional {'NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC', 'NWC'}
        Order of axes; None is channels first.
    """
    return _call(_op__pooling_places, (data,), out, (kernel, pool_type, global_pool, cudnn_off, pooling_convention, stride, pad, p_value, count_include_pad, layout), name, words)


_op__pooling_spread = _Op("_pooling_spread")


@_of(_op__pooling_spread)
def _pooling_spread(
    data: NDArray,
    kernel: _Ints = (),
    pool_type: str = 'max',
    global_pool: bool = False,
    cudnn_off: bool = False,
    pooling_convention: str = 'valid',
    stride: _Ints = (),
    pad: _Ints = (),
    p_value: Optional[int] = None,
    count_include_pad: Optional[bool] = None,
    layout: Optional[str] = None,
    shape: Optional[_Ints] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Transpose of Pooling by avg or sum: every value is spread over its window in an array of the given shape.

    Parameters
    ----------
    data : NDArray
        Of the shape that Pooling gives for `shape`.
    kernel : tuple of int
        Extents of the window: (w,), (h, w) or (d, h, w).
    pool_type : {'avg', 'lp', 'max', 'sum'}
        What is taken of a window.
    global_pool : bool
        The window is the whole image; kernel, stride and pad are ignored.
    cudnn_off : bool
        Accepted and ignored.
    pooling_convention : {'full', 'same', 'valid'}
        Rounding of output extents: valid rounds down, full up, same gives ceil(in / stride).
    stride : tuple of int
        Steps of the window; empty means ones.
    pad : tuple of int
        Elements added at both ends of each axis; empty means none.
    p_value : optional int
        Power of the norm, 1, 2 or 3; for pool_type lp.
    count_include_pad : optional bool
        Whether avg also counts padding; None is True.
    layout : optional {'NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC', 'NWC'}
        Order of axes; None is channels first.
    shape : tuple of int
        Extents of what was pooled.
    """
    return _call(_op__pooling_spread, (data,), out, (kernel, pool_type, global_pool, cudnn_off, pooling_convention, stride, pad, p_value, count_include_pad, layout, shape), name, words)


_op__power = _Op("_power")


@_of(_op__power)
def _power(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """First operand raised to the power of the second.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand, of the same shape.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op__power, (lhs, rhs), out, (), name, words)


_op__power_scalar = _Op("_power_scalar")


@_of(_op__power_scalar)
def _power_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """data raised to the power of scalar.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__power_scalar, (data,), out, (scalar, is_int), name, words)


_op__quantized_conv_block = _Op("_quantized_conv_block")


@_of(_op__quantized_conv_block)
def _quantized_conv_block(
    *data: NDArray,
    kernel: Optional[_Ints] = None,
    stride: _Ints = (),
    dilate: _Ints = (),
    pad: _Ints = (),
    num_filter: Optional[int] = None,
    num_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    cudnn_tune: Optional[str] = None,
    cudnn_off: bool = False,
    layout: Optional[str] = None,
    scaled: bool = False,
    act: str = 'none',
    sum_act: str = 'none',
    act_low: float = 0.0,
    act_high: float = 6.0,
    with_sum: bool = False,
    enable_float_output: bool = False,
    min_calib_range: Optional[float] = None,
    max_calib_range: Optional[float] = None,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Convolution of an 8-bit array with float weights, which are rounded per filter if the output's range is
    known, then bias, activation, another array added and its activation. The output has 8 bits over the range
    given, or is int32, or float32. As in MXNet, a sum with an int8 array ends at 127 even as uint8.

    Parameters
    ----------
    data : NDArray
        data, weight, factor, bias, sum; then (1,) each: low and high of data, then of the sum.
    kernel : tuple of int
        Extents of the window: (w,), (h, w) or (d, h, w).
    stride : tuple of int
        Steps of the window; empty means ones.
    dilate : tuple of int
        Distance of the input elements under neighbouring weights; empty means ones.
    pad : tuple of int
        Zeros added at both ends of each axis; empty means none.
    num_filter : int
        Channels of the output.
    num_group : int
        Groups of channels that are convolved apart.
    workspace : int
        Accepted and ignored.
    no_bias : bool
        Leave the bias and its range out.
    cudnn_tune : optional {'fastest', 'limited_workspace', 'off'}
        Accepted and ignored.
    cudnn_off : bool
        Accepted and ignored.
    layout : optional {'NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC', 'NWC'}
        Order of axes: None or channels first.
    scaled : bool
        Weights are multiplied by a factor per filter, the input after them.
    act : {'none', 'relu', 'clip'}
        What follows the bias.
    sum_act : {'none', 'relu', 'clip'}
        What follows the sum.
    act_low : float
        Lower end of clip.
    act_high : float
        Upper end of clip.
    with_sum : bool
        Another array of the output's shape is added.
    enable_float_output : bool
        The only output is float32.
    min_calib_range : optional float
        Smallest value of the output, which then has 8 bits.
    max_calib_range : optional float
        Largest value of the output, which then has 8 bits.

    Notes
    -----
    Source: MXNet _sg_mkldnn_conv with quantized.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__quantized_conv_block, data, out, (kernel, stride, dilate, pad, num_filter, num_group, workspace, no_bias, cudnn_tune, cudnn_off, layout, scaled, act, sum_act, act_low, act_high, with_sum, enable_float_output, min_calib_range, max_calib_range), name, words)


_op__quantized_fully_connected_block = _Op("_quantized_fully_connected_block")


@_of(_op__quantized_fully_connected_block)
def _quantized_fully_connected_block(
    *data: NDArray,
    num_hidden: Optional[int] = None,
    no_bias: bool = False,
    flatten: bool = True,
    float_weight: bool = False,
    act: str = 'none',
    sum_act: str = 'none',
    act_low: float = 0.0,
    act_high: float = 6.0,
    with_sum: bool = False,
    enable_float_output: bool = False,
    min_calib_range: Optional[float] = None,
    max_calib_range: Optional[float] = None,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Product of every sample of an 8-bit array with the transposed weight, plus a bias and an activation. The
    output has 8 bits over the range given, or is int32, or float32.

    Parameters
    ----------
    data : NDArray
        data, weight, bias; then (1,) each: low and high of data and, of int8 ones, of weight and bias.
    num_hidden : int
        Extent of the last axis of the output.
    no_bias : bool
        Leave the bias out.
    flatten : bool
        Treat every sample as one row; otherwise only the last axis is multiplied.
    float_weight : bool
        Weight and bias are float32 and have no ranges.
    act : {'none', 'relu', 'clip'}
        What follows the bias.
    sum_act : {'none', 'relu', 'clip'}
        What follows the sum.
    act_low : float
        Lower end of clip.
    act_high : float
        Upper end of clip.
    with_sum : bool
        Another array of the output's shape is added.
    enable_float_output : bool
        The only output is float32.
    min_calib_range : optional float
        Smallest value of the output, which then has 8 bits.
    max_calib_range : optional float
        Largest value of the output, which then has 8 bits.

    Notes
    -----
    Source: MXNet _sg_mkldnn_fully_connected with quantized.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__quantized_fully_connected_block, data, out, (num_hidden, no_bias, flatten, float_weight, act, sum_act, act_low, act_high, with_sum, enable_float_output, min_calib_range, max_calib_range), name, words)


_op__random_exponential = _Op("_random_exponential")


@_of(_op__random_exponential)
def _random_exponential(
    lam: float = 1.0,
    shape: Optional[_Ints] = None,
    ctx: str = '',
    dtype: Any = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Numbers of the exponential distribution of rate lam.

    Parameters
    ----------
    lam : float
        Rate, the inverse of the mean.
    shape : optional tuple of int
        Extents of the output; by default those of the given output.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : optional dtype
        Element type, a float; by default that of the given output, else float32.

    Notes
    -----
    Source: MXNet _random_exponential.
    """
    with _on_device(ctx):
        return _call(_op__random_exponential, (), out, (lam, shape, str(ctx), dtype), name, words)


_op__random_exponential_like = _Op("_random_exponential_like")


@_of(_op__random_exponential_like)
def _random_exponential_like(
    data: NDArray,
    lam: float = 1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Numbers of the exponential distribution of rate lam.

    Parameters
    ----------
    data : NDArray
        Gives the output's shape and dtype.
    lam : float
        Rate, the inverse of the mean.

    Notes
    -----
    Source: MXNet _random_exponential_like.
    """
    return _call(_op__random_exponential_like, (data,), out, (lam,), name, words)


_op__random_gamma = _Op("_random_gamma")


@_of(_op__random_gamma)
def _random_gamma(
    alpha: float = 1.0,
    beta: float = 1.0,
    shape: Optional[_Ints] = None,
    ctx: str = '',
    dtype: Any = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Numbers of the gamma distribution of shape alpha and scale beta.

    Parameters
    ----------
    alpha : float
        Shape.
    beta : float
        Scale: the mean is alpha * beta.
    shape : optional tuple of int
        Extents of the output; by default those of the given output.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : optional dtype
        Element type, a float; by default that of the given output, else float32.

    Notes
    -----
    Source: MXNet _random_gamma.
    """
    with _on_device(ctx):
        return _call(_op__random_gamma, (), out, (alpha, beta, shape, str(ctx), dtype), name, words)


_op__random_gamma_like = _Op("_random_gamma_like")


@_of(_op__random_gamma_like)
def _random_gamma_like(
    data: NDArray,
    alpha: float = 1.0,
    beta: float = 1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Numbers of the gamma distribution of shape alpha and scale beta.

    Parameters
    ----------
    data : NDArray
        Gives the output's shape and dtype.
    alpha : float
        Shape.
    beta : float
        Scale: the mean is alpha * beta.

    Notes
    -----
    Source: MXNet _random_gamma_like.
    """
    return _call(_op__random_gamma_like, (data,), out, (alpha, beta), name, words)


_op__random_generalized_negative_binomial = _Op("_random_generalized_negative_binomial")


@_of(_op__random_generalized_negative_binomial)
def _random_generalized_negative_binomial(
    mu: float = 1.0,
    alpha: float = 1.0,
    shape: Optional[_Ints] = None,
    ctx: str = '',
    dtype: Any = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Counts of mean mu and variance mu + alpha * mu^2, as floats.

    Parameters
    ----------
    mu : float
        Mean.
    alpha : float
        Dispersion: the variance is mu + alpha * mu^2.
    shape : optional tuple of int
        Extents of the output; by default those of the given output.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : optional dtype
        Element type, a float; by default that of the given output, else float32.

    Notes
    -----
    Source: MXNet _random_generalized_negative_binomial.
    """
    with _on_device(ctx):
        return _call(_op__random_generalized_negative_binomial, (), out, (mu, alpha, shape, str(ctx), dtype), name, words)


_op__random_generalized_negative_binomial_like = _Op("_random_generalized_negative_binomial_like")


@_of(_op__random_generalized_negative_binomial_like)
def _random_generalized_negative_binomial_like(
    data: NDArray,
    mu: float = 1.0,
    alpha: float = 1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Counts of mean mu and variance mu + alpha * mu^2, as floats.

    Parameters
    ----------
    data : NDArray
        Gives the output's shape and dtype.
    mu : float
        Mean.
    alpha : float
        Dispersion: the variance is mu + alpha * mu^2.

    Notes
    -----
    Source: MXNet _random_generalized_negative_binomial_like.
    """
    return _call(_op__random_generalized_negative_binomial_like, (data,), out, (mu, alpha), name, words)


_op__random_negative_binomial = _Op("_random_negative_binomial")


@_of(_op__random_negative_binomial)
def _random_negative_binomial(
    k: float = 1.0,
    p: float = 1.0,
    shape: Optional[_Ints] = None,
    ctx: str = '',
    dtype: Any = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Failures before success number k, each trial succeeding with probability p, as floats.

    Parameters
    ----------
    k : float
        Successes to wait for.
    p : float
        Probability of success.
    shape : optional tuple of int
        Extents of the output; by default those of the given output.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : optional dtype
        Element type, a float; by default that of the given output, else float32.

    Notes
    -----
    Source: MXNet _random_negative_binomial.
    """
    with _on_device(ctx):
        return _call(_op__random_negative_binomial, (), out, (k, p, shape, str(ctx), dtype), name, words)


_op__random_negative_binomial_like = _Op("_random_negative_binomial_like")


@_of(_op__random_negative_binomial_like)
def _random_negative_binomial_like(
    data: NDArray,
    k: float = 1.0,
    p: float = 1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Failures before success number k, each trial succeeding with probability p, as floats.

    Parameters
    ----------
    data : NDArray
        Gives the output's shape and dtype.
    k : float
        Successes to wait for.
    p : float
        Probability of success.

    Notes
    -----
    Source: MXNet _random_negative_binomial_like.
    """
    return _call(_op__random_negative_binomial_like, (data,), out, (k, p), name, words)


_op__random_normal = _Op("_random_normal")


@_of(_op__random_normal)
def _random_normal(
    loc: float = 0.0,
    scale: float = 1.0,
    shape: Optional[_Ints] = None,
    ctx: str = '',
    dtype: Any = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Numbers of the normal distribution.

    Parameters
    ----------
    loc : float
        Mean.
    scale : float
        Standard deviation.
    shape : optional tuple of int
        Extents of the output; by default those of the given output.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : optional dtype
        Element type, a float; by default that of the given output, else float32.

    Notes
    -----
    Source: MXNet _random_normal.
    """
    with _on_device(ctx):
        return _call(_op__random_normal, (), out, (loc, scale, shape, str(ctx), dtype), name, words)


_op__random_normal_like = _Op("_random_normal_like")


@_of(_op__random_normal_like)
def _random_normal_like(
    data: NDArray,
    loc: float = 0.0,
    scale: float = 1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Numbers of the normal distribution.

    Parameters
    ----------
    data : NDArray
        Gives the output's shape and dtype.
    loc : float
        Mean.
    scale : float
        Standard deviation.

    Notes
    -----
    Source: MXNet _random_normal_like.
    """
    return _call(_op__random_normal_like, (data,), out, (loc, scale), name, words)


_op__random_pdf_dirichlet = _Op("_random_pdf_dirichlet")


@_of(_op__random_pdf_dirichlet)
def _random_pdf_dirichlet(
    sample: NDArray,
    alpha: NDArray,
    is_log: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Density of the Dirichlet distribution at vectors along the last axis.

    Parameters
    ----------
    sample : NDArray
        (s..., m..., k): vectors that sum to 1. A float dtype.
    alpha : NDArray
        (s..., k): concentrations.
    is_log : bool
        Whether to give the logarithm of the density.

    Notes
    -----
    Source: MXNet _random_pdf_dirichlet.
    """
    return _call(_op__random_pdf_dirichlet, (sample, alpha), out, (is_log,), name, words)


_op__random_pdf_exponential = _Op("_random_pdf_exponential")


@_of(_op__random_pdf_exponential)
def _random_pdf_exponential(
    sample: NDArray,
    lam: NDArray,
    is_log: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Density of the exponential distribution, wherever the samples lie.

    Parameters
    ----------
    sample : NDArray
        Samples; their shape begins with that of the parameters. A float dtype.
    lam : NDArray
        Rates.
    is_log : bool
        Whether to give the logarithm of the density.

    Notes
    -----
    Source: MXNet _random_pdf_exponential.
    """
    return _call(_op__random_pdf_exponential, (sample, lam), out, (is_log,), name, words)


_op__random_pdf_gamma = _Op("_random_pdf_gamma")


@_of(_op__random_pdf_gamma)
def _random_pdf_gamma(
    sample: NDArray,
    alpha: NDArray,
    beta: NDArray,
    is_log: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Density of the gamma distribution, here of rate beta: the mean is alpha / beta.

    Parameters
    ----------
    sample : NDArray
        Samples; their shape begins with that of the parameters. A float dtype.
    alpha : NDArray
        Shapes.
    beta : NDArray
        Rates, the inverse of the scales that samplers take.
    is_log : bool
        Whether to give the logarithm of the density.

    Notes
    -----
    Source: MXNet _random_pdf_gamma.
    """
    return _call(_op__random_pdf_gamma, (sample, alpha, beta), out, (is_log,), name, words)


_op__random_pdf_generalized_negative_binomial = _Op("_random_pdf_generalized_negative_binomial")


@_of(_op__random_pdf_generalized_negative_binomial)
def _random_pdf_generalized_negative_binomial(
    sample: NDArray,
    mu: NDArray,
    alpha: NDArray,
    is_log: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Probability of a count of mean mu and variance mu + alpha * mu^2; its gradient by the count is 0.

    Parameters
    ----------
    sample : NDArray
        Samples; their shape begins with that of the parameters. A float dtype.
    mu : NDArray
        Means.
    alpha : NDArray
        Dispersions.
    is_log : bool
        Whether to give the logarithm of the density.

    Notes
    -----
    Source: MXNet _random_pdf_generalized_negative_binomial.
    """
    return _call(_op__random_pdf_generalized_negative_binomial, (sample, mu, alpha), out, (is_log,), name, words)


_op__random_pdf_negative_binomial = _Op("_random_pdf_negative_binomial")


@_of(_op__random_pdf_negative_binomial)
def _random_pdf_negative_binomial(
    sample: NDArray,
    k: NDArray,
    p: NDArray,
    is_log: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Probability of so many failures before success number k; its gradient by the count is 0.

    Parameters
    ----------
    sample : NDArray
        Samples; their shape begins with that of the parameters. A float dtype.
    k : NDArray
        Successes to wait for.
    p : NDArray
        Probabilities of success.
    is_log : bool
        Whether to give the logarithm of the density.

    Notes
    -----
    Source: MXNet _random_pdf_negative_binomial.
    """
    return _call(_op__random_pdf_negative_binomial, (sample, k, p), out, (is_log,), name, words)


_op__random_pdf_normal = _Op("_random_pdf_normal")


@_of(_op__random_pdf_normal)
def _random_pdf_normal(
    sample: NDArray,
    mu: NDArray,
    sigma: NDArray,
    is_log: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Density of the normal distribution.

    Parameters
    ----------
    sample : NDArray
        Samples; their shape begins with that of the parameters. A float dtype.
    mu : NDArray
        Means.
    sigma : NDArray
        Standard deviations.
    is_log : bool
        Whether to give the logarithm of the density.

    Notes
    -----
    Source: MXNet _random_pdf_normal.
    """
    return _call(_op__random_pdf_normal, (sample, mu, sigma), out, (is_log,), name, words)


_op__random_pdf_poisson = _Op("_random_pdf_poisson")


@_of(_op__random_pdf_poisson)
def _random_pdf_poisson(
    sample: NDArray,
    lam: NDArray,
    is_log: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Probability of a count under the Poisson distribution; its gradient by the count is 0.

    Parameters
    ----------
    sample : NDArray
        Samples; their shape begins with that of the parameters. A float dtype.
    lam : NDArray
        Means.
    is_log : bool
        Whether to give the logarithm of the density.

    Notes
    -----
    Source: MXNet _random_pdf_poisson.
    """
    return _call(_op__random_pdf_poisson, (sample, lam), out, (is_log,), name, words)


_op__random_pdf_uniform = _Op("_random_pdf_uniform")


@_of(_op__random_pdf_uniform)
def _random_pdf_uniform(
    sample: NDArray,
    low: NDArray,
    high: NDArray,
    is_log: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Density 1 / (high - low), wherever the samples lie.

    Parameters
    ----------
    sample : NDArray
        Samples; their shape begins with that of the parameters. A float dtype.
    low : NDArray
        Ends of the intervals.
    high : NDArray
        The other ends.
    is_log : bool
        Whether to give the logarithm of the density.

    Notes
    -----
    Source: MXNet _random_pdf_uniform.
    """
    return _call(_op__random_pdf_uniform, (sample, low, high), out, (is_log,), name, words)


_op__random_poisson = _Op("_random_poisson")


@_of(_op__random_poisson)
def _random_poisson(
    lam: float = 1.0,
    shape: Optional[_Ints] = None,
    ctx: str = '',
    dtype: Any = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Counts of the Poisson distribution of mean lam, as floats.

    Parameters
    ----------
    lam : float
        Mean.
    shape : optional tuple of int
        Extents of the output; by default those of the given output.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : optional dtype
        Element type, a float; by default that of the given output, else float32.

    Notes
    -----
    Source: MXNet _random_poisson.
    """
    with _on_device(ctx):
        return _call(_op__random_poisson, (), out, (lam, shape, str(ctx), dtype), name, words)


_op__random_poisson_like = _Op("_random_poisson_like")


@_of(_op__random_poisson_like)
def _random_poisson_like(
    data: NDArray,
    lam: float = 1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Counts of the Poisson distribution of mean lam, as floats.

    Parameters
    ----------
    data : NDArray
        Gives the output's shape and dtype.
    lam : float
        Mean.

    Notes
    -----
    Source: MXNet _random_poisson_like.
    """
    return _call(_op__random_poisson_like, (data,), out, (lam,), name, words)


_op__random_randint = _Op("_random_randint")


@_of(_op__random_randint)
def _random_randint(
    low: int,
    high: int,
    shape: Optional[_Ints] = None,
    ctx: str = '',
    dtype: Any = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Whole numbers spread evenly over [low, high).

    Parameters
    ----------
    low : int
        Least number.
    high : int
        The number after the greatest.
    shape : optional tuple of int
        Extents of the output; by default those of the given output.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : optional dtype
        int32 or int64; by default that of the given output, else int32.

    Notes
    -----
    Source: MXNet _random_randint.
    """
    with _on_device(ctx):
        return _call(_op__random_randint, (), out, (low, high, shape, str(ctx), dtype), name, words)


_op__random_uniform = _Op("_random_uniform")


@_of(_op__random_uniform)
def _random_uniform(
    low: float = 0.0,
    high: float = 1.0,
    shape: Optional[_Ints] = None,
    ctx: str = '',
    dtype: Any = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Numbers spread evenly over [low, high).

    Parameters
    ----------
    low : float
        Least value.
    high : float
        End of the interval, itself never drawn.
    shape : optional tuple of int
        Extents of the output; by default those of the given output.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : optional dtype
        Element type, a float; by default that of the given output, else float32.

    Notes
    -----
    Source: MXNet _random_uniform.
    """
    with _on_device(ctx):
        return _call(_op__random_uniform, (), out, (low, high, shape, str(ctx), dtype), name, words)


_op__random_uniform_like = _Op("_random_uniform_like")


@_of(_op__random_uniform_like)
def _random_uniform_like(
    data: NDArray,
    low: float = 0.0,
    high: float = 1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Numbers spread evenly over [low, high).

    Parameters
    ----------
    data : NDArray
        Gives the output's shape and dtype.
    low : float
        Least value.
    high : float
        End of the interval, itself never drawn.

    Notes
    -----
    Source: MXNet _random_uniform_like.
    """
    return _call(_op__random_uniform_like, (data,), out, (low, high), name, words)


_op__ravel_multi_index = _Op("_ravel_multi_index")


@_of(_op__ravel_multi_index)
def _ravel_multi_index(
    data: NDArray,
    shape: _Ints = (),
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Row-major flat index of each column of coordinates; not checked against the extents.

    Parameters
    ----------
    data : NDArray
        (number of axes, ...)
    shape : tuple of int
        Extents of the array that is indexed; the first one may be -1.

    Notes
    -----
    Source: MXNet ravel_multi_index.
    """
    return _call(_op__ravel_multi_index, (data,), out, (shape,), name, words)


_op__rdiv_scalar = _Op("_rdiv_scalar")


@_of(_op__rdiv_scalar)
def _rdiv_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """scalar / data. Integers divide toward zero; an integer divided by 0 gives 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__rdiv_scalar, (data,), out, (scalar, is_int), name, words)


_op__reshape_to = _Op("_reshape_to")


@_of(_op__reshape_to)
def _reshape_to(
    data: NDArray,
    shape: _Ints,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The input's elements in order, in another shape.

    Parameters
    ----------
    data : NDArray
        Any array of as many elements.
    shape : tuple of int
        Extents of the output, without codes.
    """
    return _call(_op__reshape_to, (data,), out, (shape,), name, words)


_op__rfloor_divide_scalar = _Op("_rfloor_divide_scalar")


@_of(_op__rfloor_divide_scalar)
def _rfloor_divide_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """scalar / data, rounded down; an integer divided by 0 gives 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__rfloor_divide_scalar, (data,), out, (scalar, is_int), name, words)


_op__rminus_scalar = _Op("_rminus_scalar")


@_of(_op__rminus_scalar)
def _rminus_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """scalar - data.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__rminus_scalar, (data,), out, (scalar, is_int), name, words)


_op__rmod_scalar = _Op("_rmod_scalar")


@_of(_op__rmod_scalar)
def _rmod_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Remainder of scalar by data with the sign of data; by 0 it is 0.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__rmod_scalar, (data,), out, (scalar, is_int), name, words)


_op__rnn_param_concat = _Op("_rnn_param_concat")


@_of(_op__rnn_param_concat)
def _rnn_param_concat(
    *data: NDArray,
    num_args: Optional[int] = None,
    dim: int = 1,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Joins the weights and biases of a recurrent layer into the parameters of RNN. In graphs, RNN and the parts
    that are known tell the extents of those that are not: the number of features.

    Parameters
    ----------
    data : NDArray
        Arrays of one dtype.
    num_args : int
        Number of inputs; 0 takes as many as are given.
    dim : int
        The axis along which they follow one another.

    Notes
    -----
    Source: MXNet _rnn_param_concat.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__rnn_param_concat, data, out, (len(data) if num_args is None else num_args, dim), name, words)


_op__rpower_scalar = _Op("_rpower_scalar")


@_of(_op__rpower_scalar)
def _rpower_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """scalar raised to the power of data.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The number. It takes the type of the elements first.
    is_int : bool
        Whether integers stay integers; if not, integer arrays give float64 results.

    Notes
    -----
    Source: MXNet elemwise_binary_scalar_op.
    """
    return _call(_op__rpower_scalar, (data,), out, (scalar, is_int), name, words)


_op__sample_exponential = _Op("_sample_exponential")


@_of(_op__sample_exponential)
def _sample_exponential(
    lam: NDArray,
    shape: _Ints = (),
    dtype: Any = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Numbers of exponential distributions. The output has the parameters' shape followed by `shape`; parameters
    outside their range give NaN.

    Parameters
    ----------
    lam : NDArray
        Rates, the inverse of the means.
    shape : tuple of int
        Extents of the block that each element of the parameters gives.
    dtype : optional dtype
        Element type, a float; by default that of the given output, else float32.

    Notes
    -----
    Source: MXNet _sample_exponential.
    """
    return _call(_op__sample_exponential, (lam,), out, (shape, dtype), name, words)


_op__sample_gamma = _Op("_sample_gamma")


@_of(_op__sample_gamma)
def _sample_gamma(
    alpha: NDArray,
    beta: NDArray,
    shape: _Ints = (),
    dtype: Any = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Numbers of gamma distributions. The output has the parameters' shape followed by `shape`; parameters
    outside their range give NaN.

    Parameters
    ----------
    alpha : NDArray
        Shapes.
    beta : NDArray
        Scales, of the shape of alpha: the mean is alpha * beta.
    shape : tuple of int
        Extents of the block that each element of the parameters gives.
    dtype : optional dtype
        Element type, a float; by default that of the given output, else float32.

    Notes
    -----
    Source: MXNet _sample_gamma.
    """
    return _call(_op__sample_gamma, (alpha, beta), out, (shape, dtype), name, words)


_op__sample_generalized_negative_binomial = _Op("_sample_generalized_negative_binomial")


@_of(_op__sample_generalized_negative_binomial)
def _sample_generalized_negative_binomial(
    mu: NDArray,
    alpha: NDArray,
    shape: _Ints = (),
    dtype: Any = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Counts of mean mu and variance mu + alpha * mu^2, as floats. The output has the parameters' shape followed
    by `shape`; parameters outside their range give NaN.

    Parameters
    ----------
    mu : NDArray
        Means.
    alpha : NDArray
        Dispersions, of the shape of mu.
    shape : tuple of int
        Extents of the block that each element of the parameters gives.
    dtype : optional dtype
        Element type, a float; by default that of the given output, else float32.

    Notes
    -----
    Source: MXNet _sample_generalized_negative_binomial.
    """
    return _call(_op__sample_generalized_negative_binomial, (mu, alpha), out, (shape, dtype), name, words)


_op__sample_multinomial = _Op("_sample_multinomial")


@_of(_op__sample_multinomial)
def _sample_multinomial(
    data: NDArray,
    shape: _Ints = (),
    get_prob: bool = False,
    dtype: Any = 'int32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Indices drawn with the probabilities in each row of data, of shape data.shape[:-1] + shape; with get_prob
    also the logarithms of their probabilities, through which the gradient flows.

    Parameters
    ----------
    data : NDArray
        Probabilities (..., k) of k categories, each row summing to 1; float.
    shape : tuple of int
        Extents of the draws of one row; by default a single draw.
    get_prob : bool
        Also give the logarithm of each drawn index's probability.
    dtype : dtype
        Element type of the indices.

    Notes
    -----
    Source: MXNet _sample_multinomial.
    """
    return _call(_op__sample_multinomial, (data,), out, (shape, get_prob, dtype), name, words)


_op__sample_negative_binomial = _Op("_sample_negative_binomial")


@_of(_op__sample_negative_binomial)
def _sample_negative_binomial(
    k: NDArray,
    p: NDArray,
    shape: _Ints = (),
    dtype: Any = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Failures before success number k, as floats. The output has the parameters' shape followed by `shape`;
    parameters outside their range give NaN.

    Parameters
    ----------
    k : NDArray
        Successes to wait for.
    p : NDArray
        Probabilities of success, of the shape of k.
    shape : tuple of int
        Extents of the block that each element of the parameters gives.
    dtype : optional dtype
        Element type, a float; by default that of the given output, else float32.

    Notes
    -----
    Source: MXNet _sample_negative_binomial.
    """
    return _call(_op__sample_negative_binomial, (k, p), out, (shape, dtype), name, words)


_op__sample_normal = _Op("_sample_normal")


@_of(_op__sample_normal)
def _sample_normal(
    mu: NDArray,
    sigma: NDArray,
    shape: _Ints = (),
    dtype: Any = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Numbers of normal distributions. The output has the parameters' shape followed by `shape`; parameters
    outside their range give NaN.

    Parameters
    ----------
    mu : NDArray
        Means.
    sigma : NDArray
        Standard deviations, of the shape of mu.
    shape : tuple of int
        Extents of the block that each element of the parameters gives.
    dtype : optional dtype
        Element type, a float; by default that of the given output, else float32.

    Notes
    -----
    Source: MXNet _sample_normal.
    """
    return _call(_op__sample_normal, (mu, sigma), out, (shape, dtype), name, words)


_op__sample_poisson = _Op("_sample_poisson")


@_of(_op__sample_poisson)
def _sample_poisson(
    lam: NDArray,
    shape: _Ints = (),
    dtype: Any = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Counts of Poisson distributions, as floats. The output has the parameters' shape followed by `shape`;
    parameters outside their range give NaN.

    Parameters
    ----------
    lam : NDArray
        Means.
    shape : tuple of int
        Extents of the block that each element of the parameters gives.
    dtype : optional dtype
        Element type, a float; by default that of the given output, else float32.

    Notes
    -----
    Source: MXNet _sample_poisson.
    """
    return _call(_op__sample_poisson, (lam,), out, (shape, dtype), name, words)


_op__sample_uniform = _Op("_sample_uniform")


@_of(_op__sample_uniform)
def _sample_uniform(
    low: NDArray,
    high: NDArray,
    shape: _Ints = (),
    dtype: Any = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Numbers spread evenly over [low, high). The output has the parameters' shape followed by `shape`;
    parameters outside their range give NaN.

    Parameters
    ----------
    low : NDArray
        Least values.
    high : NDArray
        Ends of the intervals, of the shape of low.
    shape : tuple of int
        Extents of the block that each element of the parameters gives.
    dtype : optional dtype
        Element type, a float; by default that of the given output, else float32.

    Notes
    -----
    Source: MXNet _sample_uniform.
    """
    return _call(_op__sample_uniform, (low, high), out, (shape, dtype), name, words)


_op__sample_unique_zipfian = _Op("_sample_unique_zipfian")


@_of(_op__sample_unique_zipfian)
def _sample_unique_zipfian(
    range_max: int,
    shape: _Ints = (),
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Different classes per row, drawn with probability log((c + 2) / (c + 1)) / log(range_max + 1), and how
    many draws each row took.

    Parameters
    ----------
    range_max : int
        Number of classes.
    shape : tuple of int
        (batch, classes drawn for each).

    Notes
    -----
    Source: MXNet _sample_unique_zipfian.
    """
    return _call(_op__sample_unique_zipfian, (), out, (range_max, shape), name, words)


_op__scatter_elemwise_div = _Op("_scatter_elemwise_div")


@_of(_op__scatter_elemwise_div)
def _scatter_elemwise_div(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """lhs / rhs where lhs stores elements.

    Parameters
    ----------
    lhs : NDArray
        Numbers to divide.
    rhs : NDArray
        Divisors, of the same shape.

    Notes
    -----
    Source: MXNet elemwise_scatter_op.
    """
    return _call(_op__scatter_elemwise_div, (lhs, rhs), out, (), name, words)


_op__scatter_minus_scalar = _Op("_scatter_minus_scalar")


@_of(_op__scatter_minus_scalar)
def _scatter_minus_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """data - scalar where data stores elements.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The second operand.
    is_int : bool
        Accepted and ignored: the result has the dtype of data.

    Notes
    -----
    Source: MXNet elemwise_scatter_op.
    """
    return _call(_op__scatter_minus_scalar, (data,), out, (scalar, is_int), name, words)


_op__scatter_nd_add = _Op("_scatter_nd_add")


@_of(_op__scatter_nd_add)
def _scatter_nd_add(
    data: NDArray,
    indices: NDArray,
    shape: _Ints,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Zeros of the given shape, to which data is added at the indexed places: the gradient of gather_nd.

    Parameters
    ----------
    data : NDArray
        indices.shape[1:] + shape[M:]
    indices : NDArray
        (M, ...); any dtype, fractions are cut off.
    shape : tuple of int
        Extents of the array that is indexed.
    """
    return _call(_op__scatter_nd_add, (data, indices), out, (shape,), name, words)


_op__scatter_plus_scalar = _Op("_scatter_plus_scalar")


@_of(_op__scatter_plus_scalar)
def _scatter_plus_scalar(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """data + scalar where data stores elements.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The second operand.
    is_int : bool
        Accepted and ignored: the result has the dtype of data.

    Notes
    -----
    Source: MXNet elemwise_scatter_op.
    """
    return _call(_op__scatter_plus_scalar, (data,), out, (scalar, is_int), name, words)


_op__scatter_set_nd = _Op("_scatter_set_nd")


@_of(_op__scatter_set_nd)
def _scatter_set_nd(
    lhs: NDArray,
    rhs: NDArray,
    indices: NDArray,
    shape: _Ints,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """lhs with rhs at the indexed places. When the output is lhs itself, only those are written.

    Parameters
    ----------
    lhs : NDArray
        Any array.
    rhs : NDArray
        indices.shape[1:] + lhs.shape[M:]
    indices : NDArray
        (M, ...); any dtype, fractions are cut off.
    shape : tuple of int
        Extents of the array that is indexed.

    Notes
    -----
    Source: MXNet _scatter_set_nd.
    """
    return _call(_op__scatter_set_nd, (lhs, rhs, indices), out, (shape,), name, words)


_op__sequence_last_place = _Op("_sequence_last_place")


@_of(_op__sequence_last_place)
def _sequence_last_place(
    data: NDArray,
    sequence_length: Optional[NDArray] = None,
    use_sequence_length: bool = False,
    axis: int = 0,
    shape: Optional[_Ints] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Zeros with data at the last step of each sequence: the gradient of SequenceLast.

    Parameters
    ----------
    data : NDArray
        (N, ...)
    sequence_length : NDArray
        (N,); clipped to [0, T].
    use_sequence_length : bool
        As of SequenceLast.
    axis : int
        Axis of time.
    shape : tuple of int
        Extents of the output.
    """
    return _call(_op__sequence_last_place, (data, sequence_length), out, (use_sequence_length, axis, shape), name, words)


_op__set_value = _Op("_set_value")


@_of(_op__set_value)
def _set_value(
    src: float = 0.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """One value everywhere in the given output.

    Parameters
    ----------
    src : float
        Every element.

    Notes
    -----
    Source: MXNet _set_value.
    """
    return _call(_op__set_value, (), out, (src,), name, words)


_op__sg_mkldnn_selfatt_qk = _Op("_sg_mkldnn_selfatt_qk")


@_of(_op__sg_mkldnn_selfatt_qk)
def _sg_mkldnn_selfatt_qk(
    queries_keys_values: NDArray,
    heads: int,
    quantized: bool = False,
    enable_float_output: bool = False,
    min_calib_range: Optional[float] = None,
    max_calib_range: Optional[float] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Products of queries and keys of one sequence, divided by the root of dim: (batch * heads, length, length).

    Parameters
    ----------
    queries_keys_values : NDArray
        (length, batch, heads * 3 * dim), of each head query, key and value.
    heads : int
        Number of heads.
    quantized : bool
        Must be false.
    enable_float_output : bool
        Accepted and ignored.
    min_calib_range : optional float
        Accepted and ignored.
    max_calib_range : optional float
        Accepted and ignored.

    Notes
    -----
    Source: MXNet _sg_mkldnn_selfatt_qk.
    """
    return _call(_op__sg_mkldnn_selfatt_qk, (queries_keys_values,), out, (heads, quantized, enable_float_output, min_calib_range, max_calib_range), name, words)


_op__sg_mkldnn_selfatt_valatt = _Op("_sg_mkldnn_selfatt_valatt")


@_of(_op__sg_mkldnn_selfatt_valatt)
def _sg_mkldnn_selfatt_valatt(
    queries_keys_values: NDArray,
    attention: NDArray,
    heads: int,
    quantized: bool = False,
    enable_float_output: bool = False,
    min_calib_range: Optional[float] = None,
    max_calib_range: Optional[float] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Values of one sequence weighed by attention: (length, batch, heads * dim).

    Parameters
    ----------
    queries_keys_values : NDArray
        (length, batch, heads * 3 * dim), of each head query, key and value.
    attention : NDArray
        (batch * heads, length, length).
    heads : int
        Number of heads.
    quantized : bool
        Must be false.
    enable_float_output : bool
        Accepted and ignored.
    min_calib_range : optional float
        Accepted and ignored.
    max_calib_range : optional float
        Accepted and ignored.

    Notes
    -----
    Source: MXNet _sg_mkldnn_selfatt_valatt.
    """
    return _call(_op__sg_mkldnn_selfatt_valatt, (queries_keys_values, attention), out, (heads, quantized, enable_float_output, min_calib_range, max_calib_range), name, words)


_op__shuffle = _Op("_shuffle")


@_of(_op__shuffle)
def _shuffle(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """The parts of data along its first axis, in random order; each part stays as it is.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet _shuffle.
    """
    return _call(_op__shuffle, (data,), out, (), name, words)


_op__slice_assign = _Op("_slice_assign")


@_of(_op__slice_assign)
def _slice_assign(
    lhs: NDArray,
    rhs: NDArray,
    begin: _Bounds,
    end: _Bounds,
    step: _Bounds = (),
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """lhs with a box replaced by rhs. When the output is lhs itself, only the box is written.

    Parameters
    ----------
    lhs : NDArray
        Any array.
    rhs : NDArray
        The box's shape.
    begin : tuple of int or None
        First index per leading axis; None is the first in the direction of step.
    end : tuple of int or None
        Index after the last per leading axis; None goes to the end.
    step : tuple of int or None
        Distance per leading axis; None is 1, negative walks backwards.

    Notes
    -----
    Source: MXNet _slice_assign.
    """
    return _call(_op__slice_assign, (lhs, rhs), out, (begin, end, step), name, words)


_op__slice_assign_scalar = _Op("_slice_assign_scalar")


@_of(_op__slice_assign_scalar)
def _slice_assign_scalar(
    data: NDArray,
    scalar: float = 0.0,
    begin: Optional[_Bounds] = None,
    end: Optional[_Bounds] = None,
    step: _Bounds = (),
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """data with a box set to one value. When the output is data itself, only the box is written.

    Parameters
    ----------
    data : NDArray
        Any array.
    scalar : float
        The value, converted to the array's dtype.
    begin : tuple of int or None
        First index per leading axis; None is the first in the direction of step.
    end : tuple of int or None
        Index after the last per leading axis; None goes to the end.
    step : tuple of int or None
        Distance per leading axis; None is 1, negative walks backwards.

    Notes
    -----
    Source: MXNet _slice_assign_scalar.
    """
    return _call(_op__slice_assign_scalar, (data,), out, (scalar, begin, end, step), name, words)


_op__sparse_adagrad_update = _Op("_sparse_adagrad_update")


@_of(_op__sparse_adagrad_update)
def _sparse_adagrad_update(
    weight: NDArray,
    grad: NDArray,
    history: NDArray,
    lr: float,
    epsilon: float = 1e-07,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """history += g^2 with g = clip(rescale_grad * grad); the new weight is weight - lr * (g / sqrt(history +
    epsilon) + wd * weight).

    Parameters
    ----------
    weight : NDArray
        Weights, any float dtype.
    grad : NDArray
        Gradient, of the weight's shape.
    history : NDArray
        Accumulated square of the gradient; changed in place.
    lr : float
        Learning rate.
    epsilon : float
        Added under the root.
    wd : float
        Weight decay: its multiple of the weight is added to the step.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.

    Notes
    -----
    Source: MXNet _sparse_adagrad_update; Duchi and others 2011.
    """
    return _call(_op__sparse_adagrad_update, (weight, grad, history), out, (lr, epsilon, wd, rescale_grad, clip_gradient), name, words)


_op__sparse_retain = _Op("_sparse_retain")


@_of(_op__sparse_retain)
def _sparse_retain(
    data: NDArray,
    indices: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The named rows of an array; all others are zero.

    Parameters
    ----------
    data : NDArray
        At least one axis.
    indices : NDArray
        Numbers of rows; repeated ones count once.

    Notes
    -----
    Source: MXNet sparse_retain.
    """
    return _call(_op__sparse_retain, (data, indices), out, (), name, words)


_op__split_v2 = _Op("_split_v2")


@_of(_op__split_v2)
def _split_v2(
    data: NDArray,
    indices: _Ints,
    axis: int = 1,
    squeeze_axis: bool = False,
    sections: int = 0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Cuts an array along an axis at given places, or into equal sections.

    Parameters
    ----------
    data : NDArray
        Any array.
    indices : tuple of int
        Where each part begins; the last one reaches to the end.
    axis : int
        The axis that is cut.
    squeeze_axis : bool
        Drop the axis; each part must have extent 1.
    sections : int
        Number of equal parts; 0 uses indices.

    Notes
    -----
    Source: MXNet _split_v2.
    """
    return _call(_op__split_v2, (data,), out, (indices, axis, squeeze_axis, sections), name, words)


_op__square_sum = _Op("_square_sum")


@_of(_op__square_sum)
def _square_sum(
    data: NDArray,
    axis: Optional[_Ints] = None,
    keepdims: bool = False,
    exclude: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Sum of squares over axes.

    Parameters
    ----------
    data : NDArray
        Any array. Integers are joined in int64 and wrap to the input's dtype.
    axis : optional tuple of int
        Axis or axes to reduce; None and () mean all.
    keepdims : bool
        Keeps reduced axes, with extent 1.
    exclude : bool
        Reduces all axes but those in `axis`.

    Notes
    -----
    Source: MXNet broadcast_reduce_op.
    """
    return _call(_op__square_sum, (data,), out, (axis, keepdims, exclude), name, words)


_op__strided_slice = _Op("_strided_slice")


@_of(_op__strided_slice)
def _strided_slice(
    data: NDArray,
    begin: _Ints,
    step: _Ints,
    size: _Ints,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """out[i] = data[begin + i * step], for as many i per axis as size says.

    Parameters
    ----------
    data : NDArray
        Any array.
    begin : tuple of int
        First index per axis.
    step : tuple of int
        Distance between indices per axis; may be negative.
    size : tuple of int
        Number of indices per axis.
    """
    return _call(_op__strided_slice, (data,), out, (begin, step, size), name, words)


_op__strided_slice_assign = _Op("_strided_slice_assign")


@_of(_op__strided_slice_assign)
def _strided_slice_assign(
    lhs: NDArray,
    rhs: NDArray,
    begin: _Ints,
    step: _Ints,
    size: _Ints,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """lhs, in which lhs[begin + i * step] = rhs[i]. When the output is lhs itself, only the region is written.

    Parameters
    ----------
    lhs : NDArray
        Any array.
    rhs : NDArray
        Broadcasts to size.
    begin : tuple of int
        First index per axis.
    step : tuple of int
        Distance between indices per axis; may be negative.
    size : tuple of int
        Number of indices per axis.
    """
    return _call(_op__strided_slice_assign, (lhs, rhs), out, (begin, step, size), name, words)


_op__strided_slice_assign_scalar = _Op("_strided_slice_assign_scalar")


@_of(_op__strided_slice_assign_scalar)
def _strided_slice_assign_scalar(
    data: NDArray,
    begin: _Ints,
    step: _Ints,
    size: _Ints,
    scalar: float = 0.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """data, in which data[begin + i * step] = scalar. When the output is data itself, only the region is
    written.

    Parameters
    ----------
    data : NDArray
        Any array.
    begin : tuple of int
        First index per axis.
    step : tuple of int
        Distance between indices per axis; may be negative.
    size : tuple of int
        Number of indices per axis.
    scalar : float
        The value, converted to the array's dtype.
    """
    return _call(_op__strided_slice_assign_scalar, (data,), out, (begin, step, size, scalar), name, words)


_op__strided_slice_place = _Op("_strided_slice_place")


@_of(_op__strided_slice_place)
def _strided_slice_place(
    data: NDArray,
    begin: _Ints,
    step: _Ints,
    shape: _Ints,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Zeros of the given shape, in which out[begin + i * step] = data[i]: the gradient of _strided_slice.

    Parameters
    ----------
    data : NDArray
        As many axes as the shape.
    begin : tuple of int
        First index per axis.
    step : tuple of int
        Distance between indices per axis; may be negative.
    shape : tuple of int
        Extents of the output.
    """
    return _call(_op__strided_slice_place, (data,), out, (begin, step, shape), name, words)


_op__take_along_axis = _Op("_take_along_axis")


@_of(_op__take_along_axis)
def _take_along_axis(
    data: NDArray,
    indices: NDArray,
    axis: Optional[int] = -1,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """out[i, ..., j, ..., k] = data[i, ..., indices[i, ..., j, ..., k], ..., k].

    Parameters
    ----------
    data : NDArray
        Any array.
    indices : NDArray
        data's shape except along the axis.
    axis : optional int
        The indexed axis; None indexes the flattened array.
    """
    return _call(_op__take_along_axis, (data, indices), out, (axis,), name, words)


_op__to_blocked = _Op("_to_blocked")


@_of(_op__to_blocked)
def _to_blocked(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """An image (n, channels, positions...) in blocks of 16 channels: (n, channels / 16 rounded up, positions...,
    16), zeros behind the last channel. float32; for prediction, without gradient.

    Parameters
    ----------
    data : NDArray
        The plain image.
    """
    return _call(_op__to_blocked, (data,), out, (), name, words)


_op__to_plain = _Op("_to_plain")


@_of(_op__to_plain)
def _to_plain(
    data: NDArray,
    channels: int,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The plain image that _to_blocked had. float32; for prediction, without gradient.

    Parameters
    ----------
    data : NDArray
        (n, blocks, positions..., 16).
    channels : int
        Channels of the plain image.
    """
    return _call(_op__to_plain, (data,), out, (channels,), name, words)


_op__unravel_index = _Op("_unravel_index")


@_of(_op__unravel_index)
def _unravel_index(
    data: NDArray,
    shape: _Ints = (),
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Coordinates of flat row-major indices: shape (number of axes,) + data.shape. What exceeds the array stays
    in the first coordinate.

    Parameters
    ----------
    data : NDArray
        Any shape.
    shape : tuple of int
        Extents of the array that is indexed; the first one may be -1.

    Notes
    -----
    Source: MXNet unravel_index.
    """
    return _call(_op__unravel_index, (data,), out, (shape,), name, words)


_op__while_loop = _Op("_while_loop")


@_of(_op__while_loop)
def _while_loop(
    *data: NDArray,
    subgraph0: Optional[str] = None,
    subgraph1: Optional[str] = None,
    num_args: Optional[int] = None,
    num_outputs: Optional[int] = None,
    num_out_data: Optional[int] = None,
    max_iterations: Optional[int] = None,
    cond_input_locs: Optional[_Reals] = None,
    func_input_locs: Optional[_Reals] = None,
    func_var_locs: Optional[_Reals] = None,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Runs a body as long as a condition holds; gives the body's outputs stacked, with zeros for steps not
    taken, then the last loop variables. mx.sym.contrib.while_loop makes it.

    Parameters
    ----------
    data : NDArray
        What condition and body read: first values of loop variables, and the rest.
    subgraph0 : str
        The condition as JSON of a symbol.
    subgraph1 : str
        The body as JSON of a symbol.
    num_args : int
        Number of inputs, condition and body included.
    num_outputs : int
        Number of outputs of the body.
    num_out_data : int
        How many of these are stacked; the others are the next loop variables.
    max_iterations : int
        The most steps it takes.
    cond_input_locs : tuple of float
        Which inputs the condition reads, in its order.
    func_input_locs : tuple of float
        Which inputs the body reads, in its order.
    func_var_locs : tuple of float
        Which inputs of the body are loop variables.

    Notes
    -----
    Source: MXNet _while_loop.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op__while_loop, data, out, (subgraph0, subgraph1, num_args, num_outputs, num_out_data, max_iterations, cond_input_locs, func_input_locs, func_var_locs), name, words)


_op__zeros = _Op("_zeros")


@_of(_op__zeros)
def _zeros(
    shape: _Ints = (),
    ctx: str = '',
    dtype: Any = 'float32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Array of zeros.

    Parameters
    ----------
    shape : tuple of int
        Extents of the output; in a graph 0 or -1 is one that follows.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : dtype
        Element type.
    """
    with _on_device(ctx):
        return _call(_op__zeros, (), out, (shape, str(ctx), dtype), name, words)


_op__zeros_without_dtype = _Op("_zeros_without_dtype")


@_of(_op__zeros_without_dtype)
def _zeros_without_dtype(
    shape: _Ints = (),
    ctx: str = '',
    dtype: int = -1,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Array of zeros whose element type may follow from where it is used.

    Parameters
    ----------
    shape : tuple of int
        Extents of the output.
    ctx : str
        Device such as 'cpu(0)'; only stored in files, calls use the current device.
    dtype : int
        Number of the element type; -1: that of the given output, else float32.

    Notes
    -----
    Source: MXNet _zeros_without_dtype.
    """
    with _on_device(ctx):
        return _call(_op__zeros_without_dtype, (), out, (shape, str(ctx), dtype), name, words)


_op_abs = _Op("abs")


@_of(_op_abs)
def abs(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Absolute value.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet abs.
    """
    return _call(_op_abs, (data,), out, (), name, words)


_op_adam_update = _Op("adam_update")


@_of(_op_adam_update)
def adam_update(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    lr: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Adam without bias correction (scale lr for that): g = clip(rescale_grad * grad + wd * weight), mean =
    beta1 * mean + (1 - beta1) * g, var = beta2 * var + (1 - beta2) * g^2; the new weight is weight - lr *
    mean / (sqrt(var) + epsilon).

    Parameters
    ----------
    weight : NDArray
        Weights, any float dtype.
    grad : NDArray
        Gradient, of the weight's shape.
    mean : NDArray
        First moment; changed in place.
    var : NDArray
        Second moment; changed in place.
    lr : float
        Learning rate.
    beta1 : float
        Part of the first moment that is kept.
    beta2 : float
        Part of the second moment that is kept.
    epsilon : float
        Added to the root of the second moment.
    wd : float
        Weight decay: its multiple of the weight is added to the gradient.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.
    lazy_update : bool
        Accepted for MXNet's sparse gradients; has no effect.

    Notes
    -----
    Source: MXNet adam_update; Kingma and Ba 2014.
    """
    return _call(_op_adam_update, (weight, grad, mean, var), out, (lr, beta1, beta2, epsilon, wd, rescale_grad, clip_gradient, lazy_update), name, words)


_op_add_n = _Op("add_n")


@_of(_op_add_n)
def add_n(
    *args: NDArray,
    num_args: Optional[int] = None,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Sum of any number of arrays of one shape and dtype.

    Parameters
    ----------
    args : NDArray
        The arrays.
    num_args : int
        Number of arrays; 0 takes as many as are given.

    Notes
    -----
    Source: MXNet add_n.
    """
    if len(args) == 1 and isinstance(args[0], (list, tuple)):
        args = tuple(args[0])
    return _call(_op_add_n, args, out, (len(args) if num_args is None else num_args,), name, words)


_op_all_finite = _Op("all_finite")


@_of(_op_all_finite)
def all_finite(
    data: NDArray,
    init_output: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 if no element is infinite or NaN, else 0; float32 of shape (1,).

    Parameters
    ----------
    data : NDArray
        Any array.
    init_output : bool
        False keeps a 0 that the given output holds, so that several calls add up.

    Notes
    -----
    Source: MXNet all_finite.
    """
    return _call(_op_all_finite, (data,), out, (init_output,), name, words)


_op_amp_cast = _Op("amp_cast")


@_of(_op_amp_cast)
def amp_cast(
    data: NDArray,
    dtype: Any,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Changes the element type of floats; arrays of float64 and of integers are copied.

    Parameters
    ----------
    data : NDArray
        Any array.
    dtype : dtype
        Element type of the output.

    Notes
    -----
    Source: MXNet amp_cast.
    """
    return _call(_op_amp_cast, (data,), out, (dtype,), name, words)


_op_amp_multicast = _Op("amp_multicast")


@_of(_op_amp_multicast)
def amp_multicast(
    *data: NDArray,
    num_outputs: Optional[int] = None,
    cast_narrow: bool = False,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Brings floats of several types to the widest type among them; arrays of float64 and of integers are
    copied.

    Parameters
    ----------
    data : NDArray
        Arrays of any shapes.
    num_outputs : int
        Number of arrays.
    cast_narrow : bool
        Take the narrowest float type instead of the widest.

    Notes
    -----
    Source: MXNet amp_multicast.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op_amp_multicast, data, out, (len(data) if num_outputs is None else num_outputs, cast_narrow), name, words)


_op_arccos = _Op("arccos")


@_of(_op_arccos)
def arccos(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Inverse cosine, in [0, pi]; NaN beyond 1.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet arccos.
    """
    return _call(_op_arccos, (data,), out, (), name, words)


_op_arccosh = _Op("arccosh")


@_of(_op_arccosh)
def arccosh(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Inverse hyperbolic cosine; NaN below 1.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet arccosh.
    """
    return _call(_op_arccosh, (data,), out, (), name, words)


_op_arcsin = _Op("arcsin")


@_of(_op_arcsin)
def arcsin(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Inverse sine, in [-pi/2, pi/2]; NaN beyond 1.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet arcsin.
    """
    return _call(_op_arcsin, (data,), out, (), name, words)


_op_arcsinh = _Op("arcsinh")


@_of(_op_arcsinh)
def arcsinh(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Inverse hyperbolic sine.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet arcsinh.
    """
    return _call(_op_arcsinh, (data,), out, (), name, words)


_op_arctan = _Op("arctan")


@_of(_op_arctan)
def arctan(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Inverse tangent, in (-pi/2, pi/2).

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet arctan.
    """
    return _call(_op_arctan, (data,), out, (), name, words)


_op_arctanh = _Op("arctanh")


@_of(_op_arctanh)
def arctanh(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Inverse hyperbolic tangent; NaN beyond 1.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet arctanh.
    """
    return _call(_op_arctanh, (data,), out, (), name, words)


_op_argmax = _Op("argmax")


@_of(_op_argmax)
def argmax(
    data: NDArray,
    axis: Optional[int] = None,
    keepdims: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Place of the largest element along an axis: the first one, or the first NaN.

    Parameters
    ----------
    data : NDArray
        Any array. The places come in its dtype, which must be able to hold them.
    axis : optional int
        Axis to search; None searches the flattened array.
    keepdims : bool
        Keeps the searched axis, with extent 1.

    Notes
    -----
    Source: MXNet broadcast_reduce_op_index.
    """
    return _call(_op_argmax, (data,), out, (axis, keepdims), name, words)


_op_argmax_channel = _Op("argmax_channel")


@_of(_op_argmax_channel)
def argmax_channel(
    data: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Place of the largest element along axis 1: classes from an array of scores (N, C, ...).

    Parameters
    ----------
    data : NDArray
        Scores, at least two axes.

    Notes
    -----
    Source: MXNet argmax_channel.
    """
    return _call(_op_argmax_channel, (data,), out, (), name, words)


_op_argmin = _Op("argmin")


@_of(_op_argmin)
def argmin(
    data: NDArray,
    axis: Optional[int] = None,
    keepdims: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Place of the smallest element along an axis: the first one, or the first NaN.

    Parameters
    ----------
    data : NDArray
        Any array. The places come in its dtype, which must be able to hold them.
    axis : optional int
        Axis to search; None searches the flattened array.
    keepdims : bool
        Keeps the searched axis, with extent 1.

    Notes
    -----
    Source: MXNet broadcast_reduce_op_index.
    """
    return _call(_op_argmin, (data,), out, (axis, keepdims), name, words)


_op_argsort = _Op("argsort")


@_of(_op_argsort)
def argsort(
    data: NDArray,
    axis: Optional[int] = -1,
    is_ascend: bool = True,
    dtype: Any = 'float32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Indices that sort along an axis. Equal elements keep their order; NaN counts as larger than all.

    Parameters
    ----------
    data : NDArray
        Any array.
    axis : optional int
        The sorted axis; None sorts the flattened array.
    is_ascend : bool
        Smallest first.
    dtype : dtype
        Element type of the indices.

    Notes
    -----
    Source: MXNet argsort.
    """
    return _call(_op_argsort, (data,), out, (axis, is_ascend, dtype), name, words)


_op_batch_dot = _Op("batch_dot")


@_of(_op_batch_dot)
def batch_dot(
    lhs: NDArray,
    rhs: NDArray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: Optional[str] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Matrix products over the last two axes; all leading axes are equal.

    Parameters
    ----------
    lhs : NDArray
        Float array of at least two axes.
    rhs : NDArray
        Float array of the same dtype and number of axes.
    transpose_a : bool
        Use the transposes of lhs.
    transpose_b : bool
        Use the transposes of rhs.
    forward_stype : optional {'csr', 'default', 'row_sparse'}
        Accepted and ignored: results are dense.

    Notes
    -----
    Source: MXNet batch_dot.
    """
    return _call(_op_batch_dot, (lhs, rhs), out, (transpose_a, transpose_b, forward_stype), name, words)


_op_batch_take = _Op("batch_take")


@_of(_op_batch_take)
def batch_take(
    a: NDArray,
    indices: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """out[i] = a[i, indices[i]]; indices outside are clipped.

    Parameters
    ----------
    a : NDArray
        (N, C)
    indices : NDArray
        (N,)

    Notes
    -----
    Source: MXNet batch_take.
    """
    return _call(_op_batch_take, (a, indices), out, (), name, words)


_op_broadcast_add = _Op("broadcast_add")


@_of(_op_broadcast_add)
def broadcast_add(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Sum of two arrays.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_broadcast_add, (lhs, rhs), out, (), name, words)


_op_broadcast_axis = _Op("broadcast_axis")


@_of(_op_broadcast_axis)
def broadcast_axis(
    data: NDArray,
    axis: _Ints = (),
    size: _Ints = (),
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Repeats axes of extent 1 up to the given sizes.

    Parameters
    ----------
    data : NDArray
        Any array.
    axis : tuple of int
        Axes of extent 1.
    size : tuple of int
        The extents they get.

    Notes
    -----
    Source: MXNet broadcast_axis.
    """
    return _call(_op_broadcast_axis, (data,), out, (axis, size), name, words)


_op_broadcast_div = _Op("broadcast_div")


@_of(_op_broadcast_div)
def broadcast_div(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Quotient of two arrays. Integers divide toward zero; an integer divided by 0 gives 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_broadcast_div, (lhs, rhs), out, (), name, words)


_op_broadcast_equal = _Op("broadcast_equal")


@_of(_op_broadcast_equal)
def broadcast_equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where x == y, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_broadcast_equal, (lhs, rhs), out, (), name, words)


_op_broadcast_floor_divide = _Op("broadcast_floor_divide")


@_of(_op_broadcast_floor_divide)
def broadcast_floor_divide(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Quotient of two arrays, rounded down as by Python's //; an integer divided by 0 gives 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_broadcast_floor_divide, (lhs, rhs), out, (), name, words)


_op_broadcast_greater = _Op("broadcast_greater")


@_of(_op_broadcast_greater)
def broadcast_greater(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where x > y, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_broadcast_greater, (lhs, rhs), out, (), name, words)


_op_broadcast_greater_equal = _Op("broadcast_greater_equal")


@_of(_op_broadcast_greater_equal)
def broadcast_greater_equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where x >= y, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_broadcast_greater_equal, (lhs, rhs), out, (), name, words)


_op_broadcast_hypot = _Op("broadcast_hypot")


@_of(_op_broadcast_hypot)
def broadcast_hypot(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Length of the vector (x, y).

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_broadcast_hypot, (lhs, rhs), out, (), name, words)


_op_broadcast_lesser = _Op("broadcast_lesser")


@_of(_op_broadcast_lesser)
def broadcast_lesser(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where x < y, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_broadcast_lesser, (lhs, rhs), out, (), name, words)


_op_broadcast_lesser_equal = _Op("broadcast_lesser_equal")


@_of(_op_broadcast_lesser_equal)
def broadcast_lesser_equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where x <= y, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_broadcast_lesser_equal, (lhs, rhs), out, (), name, words)


_op_broadcast_like = _Op("broadcast_like")


@_of(_op_broadcast_like)
def broadcast_like(
    lhs: NDArray,
    rhs: NDArray,
    lhs_axes: Optional[_Ints] = None,
    rhs_axes: Optional[_Ints] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Repeats axes of extent 1 of lhs until they have rhs's extents, on all axes or on pairs of axes.

    Parameters
    ----------
    lhs : NDArray
        The elements.
    rhs : NDArray
        Gives extents; its elements are not read.
    lhs_axes : optional tuple of int
        Axes of lhs that grow; None is all.
    rhs_axes : optional tuple of int
        Axes of rhs whose extents they take.

    Notes
    -----
    Source: MXNet broadcast_like.
    """
    return _call(_op_broadcast_like, (lhs, rhs), out, (lhs_axes, rhs_axes), name, words)


_op_broadcast_logical_and = _Op("broadcast_logical_and")


@_of(_op_broadcast_logical_and)
def broadcast_logical_and(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where both are not 0, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_broadcast_logical_and, (lhs, rhs), out, (), name, words)


_op_broadcast_logical_or = _Op("broadcast_logical_or")


@_of(_op_broadcast_logical_or)
def broadcast_logical_or(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where either is not 0, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_broadcast_logical_or, (lhs, rhs), out, (), name, words)


_op_broadcast_logical_xor = _Op("broadcast_logical_xor")


@_of(_op_broadcast_logical_xor)
def broadcast_logical_xor(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where exactly one is not 0, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_broadcast_logical_xor, (lhs, rhs), out, (), name, words)


_op_broadcast_maximum = _Op("broadcast_maximum")


@_of(_op_broadcast_maximum)
def broadcast_maximum(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Larger of two values.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_broadcast_maximum, (lhs, rhs), out, (), name, words)


_op_broadcast_minimum = _Op("broadcast_minimum")


@_of(_op_broadcast_minimum)
def broadcast_minimum(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Smaller of two values.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_broadcast_minimum, (lhs, rhs), out, (), name, words)


_op_broadcast_mod = _Op("broadcast_mod")


@_of(_op_broadcast_mod)
def broadcast_mod(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Remainder with the sign of the divisor, as Python's %; a remainder by 0 is 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_broadcast_mod, (lhs, rhs), out, (), name, words)


_op_broadcast_mul = _Op("broadcast_mul")


@_of(_op_broadcast_mul)
def broadcast_mul(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Product of two arrays, element by element.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_broadcast_mul, (lhs, rhs), out, (), name, words)


_op_broadcast_not_equal = _Op("broadcast_not_equal")


@_of(_op_broadcast_not_equal)
def broadcast_not_equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 where x != y, else 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_broadcast_not_equal, (lhs, rhs), out, (), name, words)


_op_broadcast_power = _Op("broadcast_power")


@_of(_op_broadcast_power)
def broadcast_power(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """First operand raised to the power of the second.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_broadcast_power, (lhs, rhs), out, (), name, words)


_op_broadcast_sub = _Op("broadcast_sub")


@_of(_op_broadcast_sub)
def broadcast_sub(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Difference of two arrays.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand; shapes broadcast as in NumPy.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_broadcast_sub, (lhs, rhs), out, (), name, words)


_op_broadcast_to = _Op("broadcast_to")


@_of(_op_broadcast_to)
def broadcast_to(
    data: NDArray,
    shape: _Ints = (),
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Repeats axes of extent 1 until the array has the shape.

    Parameters
    ----------
    data : NDArray
        Extents agree with the shape or are 1; missing leading axes count as 1.
    shape : tuple of int
        Extents of the output; 0 keeps the input's extent.

    Notes
    -----
    Source: MXNet broadcast_to.
    """
    return _call(_op_broadcast_to, (data,), out, (shape,), name, words)


_op_cast_storage = _Op("cast_storage")


@_of(_op_cast_storage)
def cast_storage(
    data: NDArray,
    stype: str,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The same elements in another storage type: a part of them stored (row_sparse, csr) or all.

    Parameters
    ----------
    data : NDArray
        At least one axis; two for csr.
    stype : {'default', 'row_sparse', 'csr'}
        Storage type of the result.

    Notes
    -----
    Source: MXNet cast_storage.
    """
    return _call(_op_cast_storage, (data,), out, (stype,), name, words)


_op_cbrt = _Op("cbrt")


@_of(_op_cbrt)
def cbrt(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Cube root.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet cbrt.
    """
    return _call(_op_cbrt, (data,), out, (), name, words)


_op_ceil = _Op("ceil")


@_of(_op_ceil)
def ceil(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Smallest integer not below data.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet ceil.
    """
    return _call(_op_ceil, (data,), out, (), name, words)


_op_clip = _Op("clip")


@_of(_op_clip)
def clip(
    data: NDArray,
    a_min: float,
    a_max: float,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Values below a_min become a_min, values above a_max become a_max; NaN stays.

    Parameters
    ----------
    data : NDArray
        Any array.
    a_min : float
        Smallest value of the output.
    a_max : float
        Largest value of the output.

    Notes
    -----
    Source: MXNet clip.
    """
    return _call(_op_clip, (data,), out, (a_min, a_max), name, words)


_op_col2im = _Op("col2im")


@_of(_op_col2im)
def col2im(
    data: NDArray,
    output_size: _Ints,
    kernel: _Ints,
    stride: _Ints = (),
    dilate: _Ints = (),
    pad: _Ints = (),
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Adds columns to the places of their windows: the adjoint of im2col, not its inverse.

    Parameters
    ----------
    data : NDArray
        (N, C * window size, number of windows)
    output_size : tuple of int
        Spatial extents of the output.
    kernel : tuple of int
        Extents of the window: (w,), (h, w) or (d, h, w).
    stride : tuple of int
        Distance between windows; () is 1.
    dilate : tuple of int
        Distance between a window's elements; () is 1.
    pad : tuple of int
        Zeros assumed on either side; () is none.

    Notes
    -----
    Source: MXNet col2im.
    """
    return _call(_op_col2im, (data,), out, (output_size, kernel, stride, dilate, pad), name, words)


_op_cos = _Op("cos")


@_of(_op_cos)
def cos(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Cosine of an angle in radians.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet cos.
    """
    return _call(_op_cos, (data,), out, (), name, words)


_op_cosh = _Op("cosh")


@_of(_op_cosh)
def cosh(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Hyperbolic cosine.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet cosh.
    """
    return _call(_op_cosh, (data,), out, (), name, words)


_op_cumsum = _Op("cumsum")


@_of(_op_cumsum)
def cumsum(
    a: NDArray,
    axis: Optional[int] = None,
    dtype: Any = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Running sums along an axis. Those of float16 are rounded at each step.

    Parameters
    ----------
    a : NDArray
        Any array.
    axis : optional int
        Axis to sum along; None sums along the flattened array.
    dtype : optional dtype
        Element type of the output, in which the elements are summed; None is that of the input.

    Notes
    -----
    Source: MXNet cumsum.
    """
    return _call(_op_cumsum, (a,), out, (axis, dtype), name, words)


_op_degrees = _Op("degrees")


@_of(_op_degrees)
def degrees(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Radians to degrees.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet degrees.
    """
    return _call(_op_degrees, (data,), out, (), name, words)


_op_depth_to_space = _Op("depth_to_space")


@_of(_op_depth_to_space)
def depth_to_space(
    data: NDArray,
    block_size: int,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Spreads channels over space: (N, b*b*C, H, W) becomes (N, C, H*b, W*b), where channel (i*b + j)*C + c
    fills row i and column j of each block.

    Parameters
    ----------
    data : NDArray
        (N, b*b*C, H, W)
    block_size : int
        Side b of the square blocks.

    Notes
    -----
    Source: MXNet depth_to_space.
    """
    return _call(_op_depth_to_space, (data,), out, (block_size,), name, words)


_op_diag = _Op("diag")


@_of(_op_diag)
def diag(
    data: NDArray,
    k: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The k-th diagonal of the matrices along two axes, as a new last axis; of a 1-d array the square matrix
    with that diagonal and zeros elsewhere.

    Parameters
    ----------
    data : NDArray
        At least one axis.
    k : int
        Which diagonal: above the main one if positive, below it if negative.
    axis1 : int
        Axis of the matrices' rows.
    axis2 : int
        Axis of the matrices' columns.

    Notes
    -----
    Source: MXNet diag.
    """
    return _call(_op_diag, (data,), out, (k, axis1, axis2), name, words)


_op_dot = _Op("dot")


@_of(_op_dot)
def dot(
    lhs: NDArray,
    rhs: NDArray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: Optional[str] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Sum of products over the last axis of lhs and the first axis of rhs; the other axes follow one another,
    those of lhs first. Two vectors give shape (1,).

    Parameters
    ----------
    lhs : NDArray
        Float array of at least one axis.
    rhs : NDArray
        Float array of the same dtype.
    transpose_a : bool
        Contract the first axis of lhs instead of its last.
    transpose_b : bool
        Contract the last axis of rhs instead of its first.
    forward_stype : optional {'csr', 'default', 'row_sparse'}
        Storage type of the result where an operand is sparse.

    Notes
    -----
    Source: MXNet dot.
    """
    return _call(_op_dot, (lhs, rhs), out, (transpose_a, transpose_b, forward_stype), name, words)


_op_elemwise_add = _Op("elemwise_add")


@_of(_op_elemwise_add)
def elemwise_add(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Sum of two arrays.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand, of the same shape.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_elemwise_add, (lhs, rhs), out, (), name, words)


_op_elemwise_div = _Op("elemwise_div")


@_of(_op_elemwise_div)
def elemwise_div(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Quotient of two arrays. Integers divide toward zero; an integer divided by 0 gives 0.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand, of the same shape.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_elemwise_div, (lhs, rhs), out, (), name, words)


_op_elemwise_mul = _Op("elemwise_mul")


@_of(_op_elemwise_mul)
def elemwise_mul(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Product of two arrays, element by element.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand, of the same shape.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_elemwise_mul, (lhs, rhs), out, (), name, words)


_op_elemwise_sub = _Op("elemwise_sub")


@_of(_op_elemwise_sub)
def elemwise_sub(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Difference of two arrays.

    Parameters
    ----------
    lhs : NDArray
        First operand.
    rhs : NDArray
        Second operand, of the same shape.

    Notes
    -----
    Source: MXNet elemwise_binary_op and elemwise_binary_broadcast_op.
    """
    return _call(_op_elemwise_sub, (lhs, rhs), out, (), name, words)


_op_erf = _Op("erf")


@_of(_op_erf)
def erf(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Error function.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet erf.
    """
    return _call(_op_erf, (data,), out, (), name, words)


_op_erfinv = _Op("erfinv")


@_of(_op_erfinv)
def erfinv(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Inverse of the error function.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet erfinv.
    """
    return _call(_op_erfinv, (data,), out, (), name, words)


_op_exp = _Op("exp")


@_of(_op_exp)
def exp(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """e^data.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet exp.
    """
    return _call(_op_exp, (data,), out, (), name, words)


_op_expand_dims = _Op("expand_dims")


@_of(_op_expand_dims)
def expand_dims(
    data: NDArray,
    axis: int,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Inserts an axis of extent 1.

    Parameters
    ----------
    data : NDArray
        Any array.
    axis : int
        Where the new axis of extent 1 comes to lie.

    Notes
    -----
    Source: MXNet expand_dims.
    """
    return _call(_op_expand_dims, (data,), out, (axis,), name, words)


_op_expm1 = _Op("expm1")


@_of(_op_expm1)
def expm1(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """e^data - 1, exact near 0.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet expm1.
    """
    return _call(_op_expm1, (data,), out, (), name, words)


_op_fill_element_0index = _Op("fill_element_0index")


@_of(_op_fill_element_0index)
def fill_element_0index(
    lhs: NDArray,
    mhs: NDArray,
    rhs: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """lhs with one element of each row replaced; an index outside of the row replaces none.

    Parameters
    ----------
    lhs : NDArray
        (rows, columns).
    mhs : NDArray
        (rows,): the new elements.
    rhs : NDArray
        (rows,): their columns; fractions are cut off.

    Notes
    -----
    Source: MXNet fill_element_0index.
    """
    return _call(_op_fill_element_0index, (lhs, mhs, rhs), out, (), name, words)


_op_fix = _Op("fix")


@_of(_op_fix)
def fix(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Integer part: rounded toward 0.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet fix.
    """
    return _call(_op_fix, (data,), out, (), name, words)


_op_floor = _Op("floor")


@_of(_op_floor)
def floor(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Largest integer not above data.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet floor.
    """
    return _call(_op_floor, (data,), out, (), name, words)


_op_ftml_update = _Op("ftml_update")


@_of(_op_ftml_update)
def ftml_update(
    weight: NDArray,
    grad: NDArray,
    d: NDArray,
    v: NDArray,
    z: NDArray,
    lr: float,
    beta1: float = 0.6,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    t: Optional[int] = None,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_grad: float = -1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Follow the moving leader: v is the second moment of g = clip(rescale_grad * grad + wd * weight), d the
    inverse of a step size, z accumulates; the new weight is -z / d.

    Parameters
    ----------
    weight : NDArray
        Weights, any float dtype.
    grad : NDArray
        Gradient, of the weight's shape.
    d : NDArray
        Inverse step size; changed in place.
    v : NDArray
        Second moment; changed in place.
    z : NDArray
        Accumulated gradient; changed in place.
    lr : float
        Learning rate.
    beta1 : float
        Part of the first moment that is kept.
    beta2 : float
        Part of the second moment that is kept.
    epsilon : float
        Added to the root of the second moment.
    t : int
        How many updates there were, this one included.
    wd : float
        Weight decay: its multiple of the weight is added to the gradient.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_grad : float
        The gradient is bounded to plus and minus this; a negative value does not bound.

    Notes
    -----
    Source: MXNet ftml_update; Zheng and Kwok 2017.
    """
    return _call(_op_ftml_update, (weight, grad, d, v, z), out, (lr, beta1, beta2, epsilon, t, wd, rescale_grad, clip_grad), name, words)


_op_ftrl_update = _Op("ftrl_update")


@_of(_op_ftrl_update)
def ftrl_update(
    weight: NDArray,
    grad: NDArray,
    z: NDArray,
    n: NDArray,
    lr: float,
    lamda1: float = 0.01,
    beta: float = 1.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Follow the regularised leader: with g = clip(rescale_grad * grad), n sums g^2 and z sums g minus what the
    weight accounts for; weights whose |z| is at most lamda1 become 0.

    Parameters
    ----------
    weight : NDArray
        Weights, any float dtype.
    grad : NDArray
        Gradient, of the weight's shape.
    z : NDArray
        Accumulated gradient; changed in place.
    n : NDArray
        Accumulated square of the gradient; changed in place.
    lr : float
        Learning rate.
    lamda1 : float
        Weight of the sum of absolute values: what keeps weights at 0.
    beta : float
        Added to the root of n.
    wd : float
        Weight of the sum of squares.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.

    Notes
    -----
    Source: MXNet ftrl_update; McMahan and others 2013.
    """
    return _call(_op_ftrl_update, (weight, grad, z, n), out, (lr, lamda1, beta, wd, rescale_grad, clip_gradient), name, words)


_op_gamma = _Op("gamma")


@_of(_op_gamma)
def gamma(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Gamma function.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet gamma.
    """
    return _call(_op_gamma, (data,), out, (), name, words)


_op_gammaln = _Op("gammaln")


@_of(_op_gammaln)
def gammaln(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Logarithm of the absolute value of the gamma function.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet gammaln.
    """
    return _call(_op_gammaln, (data,), out, (), name, words)


_op_gather_nd = _Op("gather_nd")


@_of(_op_gather_nd)
def gather_nd(
    data: NDArray,
    indices: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Slices data[indices[0], ..., indices[M-1]]: shape indices.shape[1:] + data.shape[M:]. Negative indices
    count from the end.

    Parameters
    ----------
    data : NDArray
        At least M axes.
    indices : NDArray
        (M, ...); any dtype, fractions are cut off.

    Notes
    -----
    Source: MXNet gather_nd.
    """
    return _call(_op_gather_nd, (data, indices), out, (), name, words)


_op_hard_sigmoid = _Op("hard_sigmoid")


@_of(_op_hard_sigmoid)
def hard_sigmoid(
    data: NDArray,
    alpha: float = 0.2,
    beta: float = 0.5,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """alpha * data + beta, held between 0 and 1.

    Parameters
    ----------
    data : NDArray
        Any array.
    alpha : float
        Slope.
    beta : float
        Value at 0.

    Notes
    -----
    Source: MXNet hard_sigmoid.
    """
    return _call(_op_hard_sigmoid, (data,), out, (alpha, beta), name, words)


_op_im2col = _Op("im2col")


@_of(_op_im2col)
def im2col(
    data: NDArray,
    kernel: _Ints,
    stride: _Ints = (),
    dilate: _Ints = (),
    pad: _Ints = (),
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The windows of each image as columns: (N, C, ...) becomes (N, C * window size, number of windows).

    Parameters
    ----------
    data : NDArray
        (N, C, w), (N, C, h, w) or (N, C, d, h, w)
    kernel : tuple of int
        Extents of the window: (w,), (h, w) or (d, h, w).
    stride : tuple of int
        Distance between windows; () is 1.
    dilate : tuple of int
        Distance between a window's elements; () is 1.
    pad : tuple of int
        Zeros assumed on either side; () is none.

    Notes
    -----
    Source: MXNet im2col.
    """
    return _call(_op_im2col, (data,), out, (kernel, stride, dilate, pad), name, words)


_op_khatri_rao = _Op("khatri_rao")


@_of(_op_khatri_rao)
def khatri_rao(*args: NDArray, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """(product of all rows, columns): column k is the Kronecker product of the columns k of all matrices.

    Parameters
    ----------
    args : NDArray
        Matrices (rows, columns) with the same number of columns; at most 15.

    Notes
    -----
    Source: MXNet khatri_rao.
    """
    if len(args) == 1 and isinstance(args[0], (list, tuple)):
        args = tuple(args[0])
    return _call(_op_khatri_rao, args, out, (), name, words)


_op_lamb_update_phase1 = _Op("lamb_update_phase1")


@_of(_op_lamb_update_phase1)
def lamb_update_phase1(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-06,
    t: Optional[int] = None,
    bias_correction: bool = True,
    wd: Optional[float] = None,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """First half of LAMB: the moments of clip(rescale_grad * grad) and the direction mean / (sqrt(var) +
    epsilon) + wd * weight.

    Parameters
    ----------
    weight : NDArray
        Weights, any float dtype.
    grad : NDArray
        Gradient, of the weight's shape.
    mean : NDArray
        First moment; changed in place.
    var : NDArray
        Second moment; changed in place.
    beta1 : float
        Part of the first moment that is kept.
    beta2 : float
        Part of the second moment that is kept.
    epsilon : float
        Added to the root of the second moment.
    t : int
        How many updates there were, this one included.
    bias_correction : bool
        Undo the start of the moments at 0.
    wd : float
        Weight decay: its multiple of the weight is added to the step.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.

    Notes
    -----
    Source: MXNet lamb_update_phase1; You and others 2019.
    """
    return _call(_op_lamb_update_phase1, (weight, grad, mean, var), out, (beta1, beta2, epsilon, t, bias_correction, wd, rescale_grad, clip_gradient), name, words)


_op_lamb_update_phase2 = _Op("lamb_update_phase2")


@_of(_op_lamb_update_phase2)
def lamb_update_phase2(
    weight: NDArray,
    g: NDArray,
    r1: NDArray,
    r2: NDArray,
    lr: float,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Second half of LAMB: weight - lr * (r1 / r2) * g, with the bounded norm r1; the ratio is 1 where a norm is
    0.

    Parameters
    ----------
    weight : NDArray
        Weights, any float dtype.
    g : NDArray
        The direction from lamb_update_phase1.
    r1 : NDArray
        Norm of the weight, one element.
    r2 : NDArray
        Norm of g, one element.
    lr : float
        Learning rate.
    lower_bound : float
        Least value of r1; a negative one does not bound.
    upper_bound : float
        Greatest value of r1; a negative one does not bound.

    Notes
    -----
    Source: MXNet lamb_update_phase2.
    """
    return _call(_op_lamb_update_phase2, (weight, g, r1, r2), out, (lr, lower_bound, upper_bound), name, words)


_op_log = _Op("log")


@_of(_op_log)
def log(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Natural logarithm.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet log.
    """
    return _call(_op_log, (data,), out, (), name, words)


_op_log10 = _Op("log10")


@_of(_op_log10)
def log10(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Logarithm to base 10.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet log10.
    """
    return _call(_op_log10, (data,), out, (), name, words)


_op_log1p = _Op("log1p")


@_of(_op_log1p)
def log1p(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """log(1 + data), exact near 0.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet log1p.
    """
    return _call(_op_log1p, (data,), out, (), name, words)


_op_log2 = _Op("log2")


@_of(_op_log2)
def log2(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Logarithm to base 2.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet log2.
    """
    return _call(_op_log2, (data,), out, (), name, words)


_op_log_sigmoid = _Op("log_sigmoid")


@_of(_op_log_sigmoid)
def log_sigmoid(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """log(sigmoid(data)).

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet log_sigmoid.
    """
    return _call(_op_log_sigmoid, (data,), out, (), name, words)


_op_log_softmax = _Op("log_softmax")


@_of(_op_log_softmax)
def log_softmax(
    data: NDArray,
    axis: int = -1,
    temperature: Optional[float] = None,
    dtype: Any = None,
    use_length: Optional[bool] = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Logarithm of the softmax, exact also where the softmax is almost 0.

    Parameters
    ----------
    data : NDArray
        Floats. A vector of nothing but -inf gives NaN.
    axis : int
        Axis along which the outputs sum to 1.
    temperature : optional float
        The input is divided by it; None is 1.
    dtype : optional dtype
        Element type of the output, a float; None is that of the input.
    use_length : optional bool
        Takes `length`, the number of elements of each vector that count.

    Notes
    -----
    Source: MXNet softmax.
    """
    return _call(_op_log_softmax, (data,), out, (axis, temperature, dtype, use_length), name, words)


_op_logical_not = _Op("logical_not")


@_of(_op_logical_not)
def logical_not(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """1 where data is 0, else 0.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet logical_not.
    """
    return _call(_op_logical_not, (data,), out, (), name, words)


_op_make_loss = _Op("make_loss")


@_of(_op_make_loss)
def make_loss(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """A copy whose gradient is 1, whatever gradient arrives.

    Parameters
    ----------
    data : NDArray
        The loss.

    Notes
    -----
    Source: MXNet make_loss.
    """
    return _call(_op_make_loss, (data,), out, (), name, words)


_op_max = _Op("max")


@_of(_op_max)
def max(
    data: NDArray,
    axis: Optional[_Ints] = None,
    keepdims: bool = False,
    exclude: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Largest element over axes; NaN if there is one. Every tied element receives the gradient.

    Parameters
    ----------
    data : NDArray
        Any array. Integers are joined in int64 and wrap to the input's dtype.
    axis : optional tuple of int
        Axis or axes to reduce; None and () mean all.
    keepdims : bool
        Keeps reduced axes, with extent 1.
    exclude : bool
        Reduces all axes but those in `axis`.

    Notes
    -----
    Source: MXNet broadcast_reduce_op.
    """
    return _call(_op_max, (data,), out, (axis, keepdims, exclude), name, words)


_op_mean = _Op("mean")


@_of(_op_mean)
def mean(
    data: NDArray,
    axis: Optional[_Ints] = None,
    keepdims: bool = False,
    exclude: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Arithmetic mean over axes; that of integers is truncated toward zero.

    Parameters
    ----------
    data : NDArray
        Any array. Integers are joined in int64 and wrap to the input's dtype.
    axis : optional tuple of int
        Axis or axes to reduce; None and () mean all.
    keepdims : bool
        Keeps reduced axes, with extent 1.
    exclude : bool
        Reduces all axes but those in `axis`.

    Notes
    -----
    Source: MXNet broadcast_reduce_op.
    """
    return _call(_op_mean, (data,), out, (axis, keepdims, exclude), name, words)


_op_min = _Op("min")


@_of(_op_min)
def min(
    data: NDArray,
    axis: Optional[_Ints] = None,
    keepdims: bool = False,
    exclude: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Smallest element over axes; NaN if there is one. Every tied element receives the gradient.

    Parameters
    ----------
    data : NDArray
        Any array. Integers are joined in int64 and wrap to the input's dtype.
    axis : optional tuple of int
        Axis or axes to reduce; None and () mean all.
    keepdims : bool
        Keeps reduced axes, with extent 1.
    exclude : bool
        Reduces all axes but those in `axis`.

    Notes
    -----
    Source: MXNet broadcast_reduce_op.
    """
    return _call(_op_min, (data,), out, (axis, keepdims, exclude), name, words)


_op_mish = _Op("mish")


@_of(_op_mish)
def mish(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """data * tanh(log(1 + e^data)).

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: Misra 2019, arXiv:1908.08681.
    """
    return _call(_op_mish, (data,), out, (), name, words)


_op_moments = _Op("moments")


@_of(_op_moments)
def moments(
    data: NDArray,
    axes: Optional[_Ints] = None,
    keepdims: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Mean and variance over axes; the variance divides by the number of elements.

    Parameters
    ----------
    data : NDArray
        Floats.
    axes : optional tuple of int
        Axes to reduce; None means all.
    keepdims : bool
        Keeps reduced axes, with extent 1.

    Notes
    -----
    Source: MXNet moments.
    """
    return _call(_op_moments, (data,), out, (axes, keepdims), name, words)


_op_mp_lamb_update_phase1 = _Op("mp_lamb_update_phase1")


@_of(_op_mp_lamb_update_phase1)
def mp_lamb_update_phase1(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    weight32: NDArray,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-06,
    t: Optional[int] = None,
    bias_correction: bool = True,
    wd: Optional[float] = None,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """lamb_update_phase1 in float32 from weight32; the direction is float32.

    Parameters
    ----------
    weight : NDArray
        Weights, any float dtype.
    grad : NDArray
        Gradient, of the weight's shape.
    mean : NDArray
        First moment; changed in place.
    var : NDArray
        Second moment; changed in place.
    weight32 : NDArray
        The weight in float32.
    beta1 : float
        Part of the first moment that is kept.
    beta2 : float
        Part of the second moment that is kept.
    epsilon : float
        Added to the root of the second moment.
    t : int
        How many updates there were, this one included.
    bias_correction : bool
        Undo the start of the moments at 0.
    wd : float
        Weight decay: its multiple of the weight is added to the step.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.

    Notes
    -----
    Source: MXNet mp_lamb_update_phase1.
    """
    return _call(_op_mp_lamb_update_phase1, (weight, grad, mean, var, weight32), out, (beta1, beta2, epsilon, t, bias_correction, wd, rescale_grad, clip_gradient), name, words)


_op_mp_lamb_update_phase2 = _Op("mp_lamb_update_phase2")


@_of(_op_mp_lamb_update_phase2)
def mp_lamb_update_phase2(
    weight: NDArray,
    g: NDArray,
    r1: NDArray,
    r2: NDArray,
    weight32: NDArray,
    lr: float,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """lamb_update_phase2 in float32 on weight32; the output is weight32 in the dtype of weight.

    Parameters
    ----------
    weight : NDArray
        Weights, any float dtype.
    g : NDArray
        The direction from mp_lamb_update_phase1, float32.
    r1 : NDArray
        Norm of the weight, one element, float32.
    r2 : NDArray
        Norm of g, one element, float32.
    weight32 : NDArray
        The weight in float32; updated in place.
    lr : float
        Learning rate.
    lower_bound : float
        Least value of r1; a negative one does not bound.
    upper_bound : float
        Greatest value of r1; a negative one does not bound.

    Notes
    -----
    Source: MXNet mp_lamb_update_phase2.
    """
    return _call(_op_mp_lamb_update_phase2, (weight, g, r1, r2, weight32), out, (lr, lower_bound, upper_bound), name, words)


_op_mp_nag_mom_update = _Op("mp_nag_mom_update")


@_of(_op_mp_nag_mom_update)
def mp_nag_mom_update(
    weight: NDArray,
    grad: NDArray,
    mom: NDArray,
    weight32: NDArray,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """nag_mom_update in float32 on weight32; the output is weight32 in the dtype of weight.

    Parameters
    ----------
    weight : NDArray
        Weights, any float dtype.
    grad : NDArray
        Gradient, of the weight's shape.
    mom : NDArray
        The last step; changed in place.
    weight32 : NDArray
        The weight in float32; updated in place.
    lr : float
        Learning rate.
    momentum : float
        Part of the last step that is kept.
    wd : float
        Weight decay: its multiple of the weight is added to the gradient.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.

    Notes
    -----
    Source: MXNet mp_nag_mom_update.
    """
    return _call(_op_mp_nag_mom_update, (weight, grad, mom, weight32), out, (lr, momentum, wd, rescale_grad, clip_gradient), name, words)


_op_mp_sgd_mom_update = _Op("mp_sgd_mom_update")


@_of(_op_mp_sgd_mom_update)
def mp_sgd_mom_update(
    weight: NDArray,
    grad: NDArray,
    mom: NDArray,
    weight32: NDArray,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """sgd_mom_update in float32 on weight32; the output is weight32 in the dtype of weight.

    Parameters
    ----------
    weight : NDArray
        Weights, any float dtype.
    grad : NDArray
        Gradient, of the weight's shape.
    mom : NDArray
        The last step; changed in place.
    weight32 : NDArray
        The weight in float32; updated in place.
    lr : float
        Learning rate.
    momentum : float
        Part of the last step that is kept.
    wd : float
        Weight decay: its multiple of the weight is added to the gradient.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.
    lazy_update : bool
        Accepted for MXNet's sparse gradients; has no effect.

    Notes
    -----
    Source: MXNet mp_sgd_mom_update.
    """
    return _call(_op_mp_sgd_mom_update, (weight, grad, mom, weight32), out, (lr, momentum, wd, rescale_grad, clip_gradient, lazy_update), name, words)


_op_mp_sgd_update = _Op("mp_sgd_update")


@_of(_op_mp_sgd_update)
def mp_sgd_update(
    weight: NDArray,
    grad: NDArray,
    weight32: NDArray,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """sgd_update in float32 on weight32; the output is weight32 in the dtype of weight.

    Parameters
    ----------
    weight : NDArray
        Weights, any float dtype.
    grad : NDArray
        Gradient, of the weight's shape.
    weight32 : NDArray
        The weight in float32; updated in place.
    lr : float
        Learning rate.
    wd : float
        Weight decay: its multiple of the weight is added to the gradient.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.
    lazy_update : bool
        Accepted for MXNet's sparse gradients; has no effect.

    Notes
    -----
    Source: MXNet mp_sgd_update.
    """
    return _call(_op_mp_sgd_update, (weight, grad, weight32), out, (lr, wd, rescale_grad, clip_gradient, lazy_update), name, words)


_op_multi_all_finite = _Op("multi_all_finite")


@_of(_op_multi_all_finite)
def multi_all_finite(
    *data: NDArray,
    num_arrays: Optional[int] = None,
    init_output: bool = True,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """1 if no element of any array is infinite or NaN, else 0; float32 of shape (1,).

    Parameters
    ----------
    data : NDArray
        Arrays of any shape and dtype.
    num_arrays : int
        Number of arrays.
    init_output : bool
        False keeps a 0 that the given output holds, so that several calls add up.

    Notes
    -----
    Source: MXNet multi_all_finite.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op_multi_all_finite, data, out, (len(data) if num_arrays is None else num_arrays, init_output), name, words)


_op_multi_lars = _Op("multi_lars")


@_of(_op_multi_lars)
def multi_lars(
    lrs: NDArray,
    weights_sum_sq: NDArray,
    grads_sum_sq: NDArray,
    wds: NDArray,
    eta: float,
    eps: float,
    rescale_grad: float = 1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Rate of each layer: with the norms w and g of weight and scaled gradient, lr * eta * w / (g + wd * w +
    eps) where both are above 0, else lr.

    Parameters
    ----------
    lrs : NDArray
        Learning rate of each layer.
    weights_sum_sq : NDArray
        Sum of squares of each weight.
    grads_sum_sq : NDArray
        Sum of squares of each gradient.
    wds : NDArray
        Weight decay of each layer.
    eta : float
        Factor of the rates.
    eps : float
        Added to the divisor.
    rescale_grad : float
        Factor of the gradients.

    Notes
    -----
    Source: MXNet multi_lars; You and others 2017.
    """
    return _call(_op_multi_lars, (lrs, weights_sum_sq, grads_sum_sq, wds), out, (eta, eps, rescale_grad), name, words)


_op_multi_mp_sgd_mom_update = _Op("multi_mp_sgd_mom_update")


@_of(_op_multi_mp_sgd_mom_update)
def multi_mp_sgd_mom_update(
    *data: NDArray,
    lrs: Optional[_Reals] = None,
    wds: Optional[_Reals] = None,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """mp_sgd_mom_update of several weights.

    Parameters
    ----------
    data : NDArray
        For each weight in turn its weight, gradient and, as far as the operator has them, the states and then
        weight32; these are changed in place.
    lrs : tuple of float
        Learning rate of each weight.
    wds : tuple of float
        Weight decay of each weight.
    momentum : float
        Part of the last step that is kept.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.
    num_weights : int
        Number of weights.

    Notes
    -----
    Source: MXNet multi_mp_sgd_mom_update.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op_multi_mp_sgd_mom_update, data, out, (lrs, wds, momentum, rescale_grad, clip_gradient, num_weights), name, words)


_op_multi_mp_sgd_update = _Op("multi_mp_sgd_update")


@_of(_op_multi_mp_sgd_update)
def multi_mp_sgd_update(
    *data: NDArray,
    lrs: Optional[_Reals] = None,
    wds: Optional[_Reals] = None,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """mp_sgd_update of several weights.

    Parameters
    ----------
    data : NDArray
        For each weight in turn its weight, gradient and, as far as the operator has them, the states and then
        weight32; these are changed in place.
    lrs : tuple of float
        Learning rate of each weight.
    wds : tuple of float
        Weight decay of each weight.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.
    num_weights : int
        Number of weights.

    Notes
    -----
    Source: MXNet multi_mp_sgd_update.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op_multi_mp_sgd_update, data, out, (lrs, wds, rescale_grad, clip_gradient, num_weights), name, words)


_op_multi_sgd_mom_update = _Op("multi_sgd_mom_update")


@_of(_op_multi_sgd_mom_update)
def multi_sgd_mom_update(
    *data: NDArray,
    lrs: Optional[_Reals] = None,
    wds: Optional[_Reals] = None,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """sgd_mom_update of several weights.

    Parameters
    ----------
    data : NDArray
        For each weight in turn its weight, gradient and, as far as the operator has them, the states and then
        weight32; these are changed in place.
    lrs : tuple of float
        Learning rate of each weight.
    wds : tuple of float
        Weight decay of each weight.
    momentum : float
        Part of the last step that is kept.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.
    num_weights : int
        Number of weights.

    Notes
    -----
    Source: MXNet multi_sgd_mom_update.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op_multi_sgd_mom_update, data, out, (lrs, wds, momentum, rescale_grad, clip_gradient, num_weights), name, words)


_op_multi_sgd_update = _Op("multi_sgd_update")


@_of(_op_multi_sgd_update)
def multi_sgd_update(
    *data: NDArray,
    lrs: Optional[_Reals] = None,
    wds: Optional[_Reals] = None,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """sgd_update of several weights.

    Parameters
    ----------
    data : NDArray
        For each weight in turn its weight, gradient and, as far as the operator has them, the states and then
        weight32; these are changed in place.
    lrs : tuple of float
        Learning rate of each weight.
    wds : tuple of float
        Weight decay of each weight.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.
    num_weights : int
        Number of weights.

    Notes
    -----
    Source: MXNet multi_sgd_update.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op_multi_sgd_update, data, out, (lrs, wds, rescale_grad, clip_gradient, num_weights), name, words)


_op_multi_sum_sq = _Op("multi_sum_sq")


@_of(_op_multi_sum_sq)
def multi_sum_sq(
    *data: NDArray,
    num_arrays: Optional[int] = None,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Sum of squares of each array, as a float32 array of num_arrays elements.

    Parameters
    ----------
    data : NDArray
        Arrays of any shape and dtype.
    num_arrays : int
        Number of arrays.

    Notes
    -----
    Source: MXNet multi_sum_sq.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op_multi_sum_sq, data, out, (len(data) if num_arrays is None else num_arrays,), name, words)


_op_nag_mom_update = _Op("nag_mom_update")


@_of(_op_nag_mom_update)
def nag_mom_update(
    weight: NDArray,
    grad: NDArray,
    mom: NDArray,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Nesterov's momentum: with m0 the old mom, mom = momentum * m0 - lr * (clip(rescale_grad * grad) + wd *
    weight); the new weight is weight - momentum * m0 + (1 + momentum) * mom.

    Parameters
    ----------
    weight : NDArray
        Weights, any float dtype.
    grad : NDArray
        Gradient, of the weight's shape.
    mom : NDArray
        The last step; changed in place.
    lr : float
        Learning rate.
    momentum : float
        Part of the last step that is kept.
    wd : float
        Weight decay: its multiple of the weight is added to the gradient.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.

    Notes
    -----
    Source: MXNet nag_mom_update.
    """
    return _call(_op_nag_mom_update, (weight, grad, mom), out, (lr, momentum, wd, rescale_grad, clip_gradient), name, words)


_op_nanprod = _Op("nanprod")


@_of(_op_nanprod)
def nanprod(
    data: NDArray,
    axis: Optional[_Ints] = None,
    keepdims: bool = False,
    exclude: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Product over axes, NaN counting as 1.

    Parameters
    ----------
    data : NDArray
        Any array. Integers are joined in int64 and wrap to the input's dtype.
    axis : optional tuple of int
        Axis or axes to reduce; None and () mean all.
    keepdims : bool
        Keeps reduced axes, with extent 1.
    exclude : bool
        Reduces all axes but those in `axis`.

    Notes
    -----
    Source: MXNet broadcast_reduce_op.
    """
    return _call(_op_nanprod, (data,), out, (axis, keepdims, exclude), name, words)


_op_nansum = _Op("nansum")


@_of(_op_nansum)
def nansum(
    data: NDArray,
    axis: Optional[_Ints] = None,
    keepdims: bool = False,
    exclude: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Sum over axes, NaN counting as 0.

    Parameters
    ----------
    data : NDArray
        Any array. Integers are joined in int64 and wrap to the input's dtype.
    axis : optional tuple of int
        Axis or axes to reduce; None and () mean all.
    keepdims : bool
        Keeps reduced axes, with extent 1.
    exclude : bool
        Reduces all axes but those in `axis`.

    Notes
    -----
    Source: MXNet broadcast_reduce_op.
    """
    return _call(_op_nansum, (data,), out, (axis, keepdims, exclude), name, words)


_op_negative = _Op("negative")


@_of(_op_negative)
def negative(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """-data.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet negative.
    """
    return _call(_op_negative, (data,), out, (), name, words)


_op_norm = _Op("norm")


@_of(_op_norm)
def norm(
    data: NDArray,
    ord: int = 2,
    axis: Optional[_Ints] = None,
    out_dtype: Any = None,
    keepdims: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Norm over axes: the sum of absolute values or the Euclidean length.

    Parameters
    ----------
    data : NDArray
        Any array.
    ord : int
        1: sum of absolute values; 2: root of the sum of squares.
    axis : optional tuple of int
        Axis or axes to reduce; None and () mean all.
    out_dtype : optional dtype
        Element type of the output; None is that of the input.
    keepdims : bool
        Keeps reduced axes, with extent 1.

    Notes
    -----
    Source: MXNet norm.
    """
    return _call(_op_norm, (data,), out, (ord, axis, out_dtype, keepdims), name, words)


_op_one_hot = _Op("one_hot")


@_of(_op_one_hot)
def one_hot(
    indices: NDArray,
    depth: int,
    on_value: float = 1.0,
    off_value: float = 0.0,
    dtype: Any = 'float32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """A new last axis with on_value at each index and off_value elsewhere; an index outside gives only
    off_value.

    Parameters
    ----------
    indices : NDArray
        Any shape and dtype; fractions are cut off.
    depth : int
        Extent of the new last axis.
    on_value : float
        Value at the index.
    off_value : float
        Value elsewhere.
    dtype : dtype
        Element type of the output.

    Notes
    -----
    Source: MXNet one_hot.
    """
    return _call(_op_one_hot, (indices,), out, (depth, on_value, off_value, dtype), name, words)


_op_ones_like = _Op("ones_like")


@_of(_op_ones_like)
def ones_like(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Ones with the shape and dtype of the input.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet ones_like.
    """
    return _call(_op_ones_like, (data,), out, (), name, words)


_op_pick = _Op("pick")


@_of(_op_pick)
def pick(
    data: NDArray,
    index: NDArray,
    axis: Optional[int] = -1,
    keepdims: bool = False,
    mode: str = 'clip',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """One element along an axis for every place of the others, by index.

    Parameters
    ----------
    data : NDArray
        Any array.
    index : NDArray
        data's shape without the axis, or with extent 1 there; any dtype, fractions are cut off.
    axis : optional int
        The axis from which one element is taken; None takes one of the flattened array.
    keepdims : bool
        Keep the axis with extent 1.
    mode : {'clip', 'wrap'}
        Indices outside the axis are clipped or wrap around.

    Notes
    -----
    Source: MXNet pick.
    """
    return _call(_op_pick, (data, index), out, (axis, keepdims, mode), name, words)


_op_preloaded_multi_mp_sgd_mom_update = _Op("preloaded_multi_mp_sgd_mom_update")


@_of(_op_preloaded_multi_mp_sgd_mom_update)
def preloaded_multi_mp_sgd_mom_update(
    *data: NDArray,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """mp_sgd_mom_update of several weights; the last two inputs are the learning rates and the weight decays,
    float32.

    Parameters
    ----------
    data : NDArray
        For each weight in turn its weight, gradient and, as far as the operator has them, the states and then
        weight32; these are changed in place.
    momentum : float
        Part of the last step that is kept.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.
    num_weights : int
        Number of weights.

    Notes
    -----
    Source: MXNet preloaded_multi_mp_sgd_mom_update.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op_preloaded_multi_mp_sgd_mom_update, data, out, (momentum, rescale_grad, clip_gradient, num_weights), name, words)


_op_preloaded_multi_mp_sgd_update = _Op("preloaded_multi_mp_sgd_update")


@_of(_op_preloaded_multi_mp_sgd_update)
def preloaded_multi_mp_sgd_update(
    *data: NDArray,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """mp_sgd_update of several weights; the last two inputs are the learning rates and the weight decays,
    float32.

    Parameters
    ----------
    data : NDArray
        For each weight in turn its weight, gradient and, as far as the operator has them, the states and then
        weight32; these are changed in place.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.
    num_weights : int
        Number of weights.

    Notes
    -----
    Source: MXNet preloaded_multi_mp_sgd_update.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op_preloaded_multi_mp_sgd_update, data, out, (rescale_grad, clip_gradient, num_weights), name, words)


_op_preloaded_multi_sgd_mom_update = _Op("preloaded_multi_sgd_mom_update")


@_of(_op_preloaded_multi_sgd_mom_update)
def preloaded_multi_sgd_mom_update(
    *data: NDArray,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """sgd_mom_update of several weights; the last two inputs are the learning rates and the weight decays,
    float32.

    Parameters
    ----------
    data : NDArray
        For each weight in turn its weight, gradient and, as far as the operator has them, the states and then
        weight32; these are changed in place.
    momentum : float
        Part of the last step that is kept.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.
    num_weights : int
        Number of weights.

    Notes
    -----
    Source: MXNet preloaded_multi_sgd_mom_update.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op_preloaded_multi_sgd_mom_update, data, out, (momentum, rescale_grad, clip_gradient, num_weights), name, words)


_op_preloaded_multi_sgd_update = _Op("preloaded_multi_sgd_update")


@_of(_op_preloaded_multi_sgd_update)
def preloaded_multi_sgd_update(
    *data: NDArray,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """sgd_update of several weights; the last two inputs are the learning rates and the weight decays, float32.

    Parameters
    ----------
    data : NDArray
        For each weight in turn its weight, gradient and, as far as the operator has them, the states and then
        weight32; these are changed in place.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.
    num_weights : int
        Number of weights.

    Notes
    -----
    Source: MXNet preloaded_multi_sgd_update.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op_preloaded_multi_sgd_update, data, out, (rescale_grad, clip_gradient, num_weights), name, words)


_op_prod = _Op("prod")


@_of(_op_prod)
def prod(
    data: NDArray,
    axis: Optional[_Ints] = None,
    keepdims: bool = False,
    exclude: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Product over axes.

    Parameters
    ----------
    data : NDArray
        Any array. Integers are joined in int64 and wrap to the input's dtype.
    axis : optional tuple of int
        Axis or axes to reduce; None and () mean all.
    keepdims : bool
        Keeps reduced axes, with extent 1.
    exclude : bool
        Reduces all axes but those in `axis`.

    Notes
    -----
    Source: MXNet broadcast_reduce_op.
    """
    return _call(_op_prod, (data,), out, (axis, keepdims, exclude), name, words)


_op_radians = _Op("radians")


@_of(_op_radians)
def radians(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Degrees to radians.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet radians.
    """
    return _call(_op_radians, (data,), out, (), name, words)


_op_rcbrt = _Op("rcbrt")


@_of(_op_rcbrt)
def rcbrt(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """1 / cbrt(data).

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet rcbrt.
    """
    return _call(_op_rcbrt, (data,), out, (), name, words)


_op_reciprocal = _Op("reciprocal")


@_of(_op_reciprocal)
def reciprocal(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """1 / data.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet reciprocal.
    """
    return _call(_op_reciprocal, (data,), out, (), name, words)


_op_relu = _Op("relu")


@_of(_op_relu)
def relu(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """max(data, 0).

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet relu.
    """
    return _call(_op_relu, (data,), out, (), name, words)


_op_repeat = _Op("repeat")


@_of(_op_repeat)
def repeat(
    data: NDArray,
    repeats: int,
    axis: Optional[int] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Repeats each element in place, along an axis or in the flattened array.

    Parameters
    ----------
    data : NDArray
        Any array.
    repeats : int
        How often each element occurs.
    axis : optional int
        Along which axis; None takes the flattened array.

    Notes
    -----
    Source: MXNet repeat.
    """
    return _call(_op_repeat, (data,), out, (repeats, axis), name, words)


_op_reshape_like = _Op("reshape_like")


@_of(_op_reshape_like)
def reshape_like(
    lhs: NDArray,
    rhs: NDArray,
    lhs_begin: Optional[int] = None,
    lhs_end: Optional[int] = None,
    rhs_begin: Optional[int] = None,
    rhs_end: Optional[int] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """lhs in the shape of rhs; with ranges, only axes [lhs_begin, lhs_end) turn into rhs's axes [rhs_begin,
    rhs_end).

    Parameters
    ----------
    lhs : NDArray
        The elements.
    rhs : NDArray
        Gives extents; its elements are not read.
    lhs_begin : optional int
        First axis of lhs that is replaced; None is 0.
    lhs_end : optional int
        Axis of lhs where replacing ends; None is its rank.
    rhs_begin : optional int
        First axis of rhs that is taken; None is 0.
    rhs_end : optional int
        Axis of rhs where taking ends; None is its rank.

    Notes
    -----
    Source: MXNet reshape_like.
    """
    return _call(_op_reshape_like, (lhs, rhs), out, (lhs_begin, lhs_end, rhs_begin, rhs_end), name, words)


_op_reverse = _Op("reverse")


@_of(_op_reverse)
def reverse(
    data: NDArray,
    axis: _Ints,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Reverses the order of elements along axes.

    Parameters
    ----------
    data : NDArray
        Any array.
    axis : tuple of int
        Axes to reverse.

    Notes
    -----
    Source: MXNet reverse.
    """
    return _call(_op_reverse, (data,), out, (axis,), name, words)


_op_rint = _Op("rint")


@_of(_op_rint)
def rint(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Nearest integer; halves go down.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet rint.
    """
    return _call(_op_rint, (data,), out, (), name, words)


_op_rmsprop_update = _Op("rmsprop_update")


@_of(_op_rmsprop_update)
def rmsprop_update(
    weight: NDArray,
    grad: NDArray,
    n: NDArray,
    lr: float,
    gamma1: float = 0.95,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    clip_weights: float = -1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """g = clip(rescale_grad * grad + wd * weight), n = gamma1 * n + (1 - gamma1) * g^2; the new weight is weight
    - lr * g / sqrt(n + epsilon).

    Parameters
    ----------
    weight : NDArray
        Weights, any float dtype.
    grad : NDArray
        Gradient, of the weight's shape.
    n : NDArray
        Averaged square of the gradient; changed in place.
    lr : float
        Learning rate.
    gamma1 : float
        Part of the averaged square that is kept.
    epsilon : float
        Added under the root.
    wd : float
        Weight decay: its multiple of the weight is added to the gradient.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.
    clip_weights : float
        New weights are bounded to plus and minus this; a negative value does not bound.

    Notes
    -----
    Source: MXNet rmsprop_update; Tieleman and Hinton 2012.
    """
    return _call(_op_rmsprop_update, (weight, grad, n), out, (lr, gamma1, epsilon, wd, rescale_grad, clip_gradient, clip_weights), name, words)


_op_rmspropalex_update = _Op("rmspropalex_update")


@_of(_op_rmspropalex_update)
def rmspropalex_update(
    weight: NDArray,
    grad: NDArray,
    n: NDArray,
    g: NDArray,
    delta: NDArray,
    lr: float,
    gamma1: float = 0.95,
    gamma2: float = 0.9,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    clip_weights: float = -1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """RMSProp around the mean, with momentum: n and g average the squares and the gradients, delta = gamma2 *
    delta - lr * grad / sqrt(n - g^2 + epsilon); the new weight is weight + delta.

    Parameters
    ----------
    weight : NDArray
        Weights, any float dtype.
    grad : NDArray
        Gradient, of the weight's shape.
    n : NDArray
        Averaged square of the gradient; changed in place.
    g : NDArray
        Averaged gradient; changed in place.
    delta : NDArray
        The last step; changed in place.
    lr : float
        Learning rate.
    gamma1 : float
        Part of the averages that is kept.
    gamma2 : float
        Part of the last step that is kept.
    epsilon : float
        Added under the root.
    wd : float
        Weight decay: its multiple of the weight is added to the gradient.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.
    clip_weights : float
        New weights are bounded to plus and minus this; a negative value does not bound.

    Notes
    -----
    Source: MXNet rmspropalex_update; Graves 2013.
    """
    return _call(_op_rmspropalex_update, (weight, grad, n, g, delta), out, (lr, gamma1, gamma2, epsilon, wd, rescale_grad, clip_gradient, clip_weights), name, words)


_op_round = _Op("round")


@_of(_op_round)
def round(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Nearest integer; halves go away from 0.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet round.
    """
    return _call(_op_round, (data,), out, (), name, words)


_op_rsqrt = _Op("rsqrt")


@_of(_op_rsqrt)
def rsqrt(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """1 / sqrt(data).

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet rsqrt.
    """
    return _call(_op_rsqrt, (data,), out, (), name, words)


_op_scatter_nd = _Op("scatter_nd")


@_of(_op_scatter_nd)
def scatter_nd(
    data: NDArray,
    indices: NDArray,
    shape: _Ints,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Zeros of the given shape with data at the indexed places; where indices repeat, the last slice stays. The
    gradient counts every repeated slice.

    Parameters
    ----------
    data : NDArray
        indices.shape[1:] + shape[M:]
    indices : NDArray
        (M, ...); any dtype, fractions are cut off.
    shape : tuple of int
        Extents of the array that is indexed.

    Notes
    -----
    Source: MXNet scatter_nd.
    """
    return _call(_op_scatter_nd, (data, indices), out, (shape,), name, words)


_op_sgd_mom_update = _Op("sgd_mom_update")


@_of(_op_sgd_mom_update)
def sgd_mom_update(
    weight: NDArray,
    grad: NDArray,
    mom: NDArray,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """mom = momentum * mom - lr * (clip(rescale_grad * grad) + wd * weight); the new weight is weight + mom.

    Parameters
    ----------
    weight : NDArray
        Weights, any float dtype.
    grad : NDArray
        Gradient, of the weight's shape.
    mom : NDArray
        The last step; changed in place.
    lr : float
        Learning rate.
    momentum : float
        Part of the last step that is kept.
    wd : float
        Weight decay: its multiple of the weight is added to the gradient.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.
    lazy_update : bool
        Accepted for MXNet's sparse gradients; has no effect.

    Notes
    -----
    Source: MXNet sgd_mom_update.
    """
    return _call(_op_sgd_mom_update, (weight, grad, mom), out, (lr, momentum, wd, rescale_grad, clip_gradient, lazy_update), name, words)


_op_sgd_update = _Op("sgd_update")


@_of(_op_sgd_update)
def sgd_update(
    weight: NDArray,
    grad: NDArray,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Step against the gradient: weight - lr * (clip(rescale_grad * grad) + wd * weight).

    Parameters
    ----------
    weight : NDArray
        Weights, any float dtype.
    grad : NDArray
        Gradient, of the weight's shape.
    lr : float
        Learning rate.
    wd : float
        Weight decay: its multiple of the weight is added to the gradient.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.
    lazy_update : bool
        Accepted for MXNet's sparse gradients; has no effect.

    Notes
    -----
    Source: MXNet sgd_update.
    """
    return _call(_op_sgd_update, (weight, grad), out, (lr, wd, rescale_grad, clip_gradient, lazy_update), name, words)


_op_shape_array = _Op("shape_array")


@_of(_op_shape_array)
def shape_array(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """The extents of an array as int64.

    Parameters
    ----------
    data : NDArray
        Any array; its elements are not read.

    Notes
    -----
    Source: MXNet shape_array.
    """
    return _call(_op_shape_array, (data,), out, (), name, words)


_op_sigmoid = _Op("sigmoid")


@_of(_op_sigmoid)
def sigmoid(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """1 / (1 + e^-data).

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet sigmoid.
    """
    return _call(_op_sigmoid, (data,), out, (), name, words)


_op_sign = _Op("sign")


@_of(_op_sign)
def sign(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """-1, 0 or 1; 0 for NaN.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet sign.
    """
    return _call(_op_sign, (data,), out, (), name, words)


_op_signsgd_update = _Op("signsgd_update")


@_of(_op_signsgd_update)
def signsgd_update(
    weight: NDArray,
    grad: NDArray,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Step by the gradient's sign: (1 - lr * wd) * weight - lr * sign(grad).

    Parameters
    ----------
    weight : NDArray
        Weights, any float dtype.
    grad : NDArray
        Gradient, of the weight's shape.
    lr : float
        Learning rate.
    wd : float
        Weight decay: lr times this part of the weight is taken off.
    rescale_grad : float
        Accepted; changes no sign.
    clip_gradient : float
        Accepted; changes no sign.

    Notes
    -----
    Source: MXNet signsgd_update.
    """
    return _call(_op_signsgd_update, (weight, grad), out, (lr, wd, rescale_grad, clip_gradient), name, words)


_op_signum_update = _Op("signum_update")


@_of(_op_signum_update)
def signum_update(
    weight: NDArray,
    grad: NDArray,
    mom: NDArray,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    wd_lh: float = 0.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Step by the sign of an averaged gradient: mom = momentum * mom - (1 - momentum) * (clip(rescale_grad *
    grad) + wd * weight); the new weight is (1 - lr * wd_lh) * weight + lr * sign(mom).

    Parameters
    ----------
    weight : NDArray
        Weights, any float dtype.
    grad : NDArray
        Gradient, of the weight's shape.
    mom : NDArray
        Averaged negative gradient; changed in place.
    lr : float
        Learning rate.
    momentum : float
        Part of the averaged gradient that is kept.
    wd : float
        Weight decay: its multiple of the weight is added to the gradient.
    rescale_grad : float
        Factor of the gradient, applied first.
    clip_gradient : float
        The gradient is bounded to plus and minus this; a negative value does not bound.
    wd_lh : float
        Decay of the weight itself, apart from the gradient.

    Notes
    -----
    Source: MXNet signum_update.
    """
    return _call(_op_signum_update, (weight, grad, mom), out, (lr, momentum, wd, rescale_grad, clip_gradient, wd_lh), name, words)


_op_sin = _Op("sin")


@_of(_op_sin)
def sin(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Sine of an angle in radians.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet sin.
    """
    return _call(_op_sin, (data,), out, (), name, words)


_op_sinh = _Op("sinh")


@_of(_op_sinh)
def sinh(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Hyperbolic sine.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet sinh.
    """
    return _call(_op_sinh, (data,), out, (), name, words)


_op_size_array = _Op("size_array")


@_of(_op_size_array)
def size_array(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """The number of elements of an array as int64, shape (1,).

    Parameters
    ----------
    data : NDArray
        Any array; its elements are not read.

    Notes
    -----
    Source: MXNet size_array.
    """
    return _call(_op_size_array, (data,), out, (), name, words)


_op_slice = _Op("slice")


@_of(_op_slice)
def slice(
    data: NDArray,
    begin: _Bounds,
    end: _Bounds,
    step: _Bounds = (),
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """A box of the array: begin, end and step per leading axis, with Python's rules for None and negatives.

    Parameters
    ----------
    data : NDArray
        Any array.
    begin : tuple of int or None
        First index per leading axis; None is the first in the direction of step.
    end : tuple of int or None
        Index after the last per leading axis; None goes to the end.
    step : tuple of int or None
        Distance per leading axis; None is 1, negative walks backwards.

    Notes
    -----
    Source: MXNet slice.
    """
    return _call(_op_slice, (data,), out, (begin, end, step), name, words)


_op_slice_axis = _Op("slice_axis")


@_of(_op_slice_axis)
def slice_axis(
    data: NDArray,
    axis: int,
    begin: int,
    end: Optional[int],
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Elements [begin, end) along one axis.

    Parameters
    ----------
    data : NDArray
        Any array.
    axis : int
        The axis.
    begin : int
        First index; negative counts from the end.
    end : optional int
        Index after the last; None is the extent.

    Notes
    -----
    Source: MXNet slice_axis.
    """
    return _call(_op_slice_axis, (data,), out, (axis, begin, end), name, words)


_op_slice_like = _Op("slice_like")


@_of(_op_slice_like)
def slice_like(
    data: NDArray,
    shape_like: NDArray,
    axes: _Ints = (),
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The leading part of data that has shape_like's extents, on all axes or on some.

    Parameters
    ----------
    data : NDArray
        Any array.
    shape_like : NDArray
        Gives extents; its elements are not read.
    axes : tuple of int
        Axes to cut; () cuts all.

    Notes
    -----
    Source: MXNet slice_like.
    """
    return _call(_op_slice_like, (data, shape_like), out, (axes,), name, words)


_op_smooth_l1 = _Op("smooth_l1")


@_of(_op_smooth_l1)
def smooth_l1(
    data: NDArray,
    scalar: float = 1.0,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Huber's loss: with s = scalar^2, s x^2 / 2 where |x| < 1 / s, |x| - 1 / (2 s) elsewhere.

    Parameters
    ----------
    data : NDArray
        Any float array.
    scalar : float
        Sigma: the parabola ends at |x| = 1 / sigma^2.

    Notes
    -----
    Source: MXNet smooth_l1.
    """
    return _call(_op_smooth_l1, (data,), out, (scalar,), name, words)


_op_softmax = _Op("softmax")


@_of(_op_softmax)
def softmax(
    data: NDArray,
    length: Optional[NDArray] = None,
    axis: int = -1,
    temperature: Optional[float] = None,
    dtype: Any = None,
    use_length: Optional[bool] = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """exp(x / temperature) along an axis, divided by its sum. Elements from `length` on are 0.

    Parameters
    ----------
    data : NDArray
        Floats. A vector of nothing but -inf gives NaN.
    length : NDArray
        Integers, of data's shape without the axis; with use_length=True.
    axis : int
        Axis along which the outputs sum to 1.
    temperature : optional float
        The input is divided by it; None is 1.
    dtype : optional dtype
        Element type of the output, a float; None is that of the input.
    use_length : optional bool
        Takes `length`, the number of elements of each vector that count.

    Notes
    -----
    Source: MXNet softmax.
    """
    return _call(_op_softmax, (data, length), out, (axis, temperature, dtype, use_length), name, words)


_op_softmax_cross_entropy = _Op("softmax_cross_entropy")


@_of(_op_softmax_cross_entropy)
def softmax_cross_entropy(
    data: NDArray,
    label: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Sum over rows of -log(softmax(data)[label]). The label receives no gradient.

    Parameters
    ----------
    data : NDArray
        (N, C), scores of C classes.
    label : NDArray
        (N,), class numbers from 0 to C - 1.

    Notes
    -----
    Source: MXNet softmax_cross_entropy.
    """
    return _call(_op_softmax_cross_entropy, (data, label), out, (), name, words)


_op_softmin = _Op("softmin")


@_of(_op_softmin)
def softmin(
    data: NDArray,
    axis: int = -1,
    temperature: Optional[float] = None,
    dtype: Any = None,
    use_length: Optional[bool] = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """The softmax of -x.

    Parameters
    ----------
    data : NDArray
        Floats. A vector of nothing but -inf gives NaN.
    axis : int
        Axis along which the outputs sum to 1.
    temperature : optional float
        The input is divided by it; None is 1.
    dtype : optional dtype
        Element type of the output, a float; None is that of the input.
    use_length : optional bool
        Takes `length`, the number of elements of each vector that count.

    Notes
    -----
    Source: MXNet softmax.
    """
    return _call(_op_softmin, (data,), out, (axis, temperature, dtype, use_length), name, words)


_op_softrelu = _Op("softrelu")


@_of(_op_softrelu)
def softrelu(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """log(1 + e^data), a smooth relu.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet softrelu.
    """
    return _call(_op_softrelu, (data,), out, (), name, words)


_op_softsign = _Op("softsign")


@_of(_op_softsign)
def softsign(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """data / (1 + |data|).

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet softsign.
    """
    return _call(_op_softsign, (data,), out, (), name, words)


_op_sort = _Op("sort")


@_of(_op_sort)
def sort(
    data: NDArray,
    axis: Optional[int] = -1,
    is_ascend: bool = True,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """Sorted along an axis. Equal elements keep their order; NaN counts as larger than all.

    Parameters
    ----------
    data : NDArray
        Any array.
    axis : optional int
        The sorted axis; None sorts the flattened array.
    is_ascend : bool
        Smallest first.

    Notes
    -----
    Source: MXNet sort.
    """
    return _call(_op_sort, (data,), out, (axis, is_ascend), name, words)


_op_space_to_depth = _Op("space_to_depth")


@_of(_op_space_to_depth)
def space_to_depth(
    data: NDArray,
    block_size: int,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Stacks blocks of space as channels; the inverse of depth_to_space.

    Parameters
    ----------
    data : NDArray
        (N, C, H*b, W*b)
    block_size : int
        Side b of the square blocks.

    Notes
    -----
    Source: MXNet space_to_depth.
    """
    return _call(_op_space_to_depth, (data,), out, (block_size,), name, words)


_op_sqrt = _Op("sqrt")


@_of(_op_sqrt)
def sqrt(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Square root; NaN below 0.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet sqrt.
    """
    return _call(_op_sqrt, (data,), out, (), name, words)


_op_square = _Op("square")


@_of(_op_square)
def square(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """data * data.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet square.
    """
    return _call(_op_square, (data,), out, (), name, words)


_op_squeeze = _Op("squeeze")


@_of(_op_squeeze)
def squeeze(
    data: NDArray,
    axis: Optional[_Ints] = None,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Drops axes of extent 1; an array that consists of such axes keeps one.

    Parameters
    ----------
    data : NDArray
        Any array.
    axis : optional tuple of int
        Axes of extent 1 to drop; None drops all of them.

    Notes
    -----
    Source: MXNet squeeze.
    """
    return _call(_op_squeeze, (data,), out, (axis,), name, words)


_op_stack = _Op("stack")


@_of(_op_stack)
def stack(
    *data: NDArray,
    axis: int = 0,
    num_args: Optional[int] = None,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Joins arrays of one shape along a new axis.

    Parameters
    ----------
    data : NDArray
        Arrays of one shape and dtype.
    axis : int
        Where the new axis comes to lie in the output.
    num_args : int
        Number of inputs; 0 takes as many as are given.

    Notes
    -----
    Source: MXNet stack.
    """
    if len(data) == 1 and isinstance(data[0], (list, tuple)):
        data = tuple(data[0])
    return _call(_op_stack, data, out, (axis, len(data) if num_args is None else num_args), name, words)


_op_sum = _Op("sum")


@_of(_op_sum)
def sum(
    data: NDArray,
    axis: Optional[_Ints] = None,
    keepdims: bool = False,
    exclude: bool = False,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Sum over axes. The error of a float sum does not grow with its length.

    Parameters
    ----------
    data : NDArray
        Any array. Integers are joined in int64 and wrap to the input's dtype.
    axis : optional tuple of int
        Axis or axes to reduce; None and () mean all.
    keepdims : bool
        Keeps reduced axes, with extent 1.
    exclude : bool
        Reduces all axes but those in `axis`.

    Notes
    -----
    Source: MXNet broadcast_reduce_op.
    """
    return _call(_op_sum, (data,), out, (axis, keepdims, exclude), name, words)


_op_take = _Op("take")


@_of(_op_take)
def take(
    a: NDArray,
    indices: NDArray,
    axis: int = 0,
    mode: str = 'clip',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Slices of a at the indices along an axis: shape a[:axis] + indices.shape + a[axis+1:].

    Parameters
    ----------
    a : NDArray
        At least one axis.
    indices : NDArray
        Any shape and dtype; fractions are cut off.
    axis : int
        The indexed axis.
    mode : {'clip', 'raise', 'wrap'}
        Indices outside the axis are clipped, fail, or wrap around.

    Notes
    -----
    Source: MXNet take.
    """
    return _call(_op_take, (a, indices), out, (axis, mode), name, words)


_op_tan = _Op("tan")


@_of(_op_tan)
def tan(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Tangent of an angle in radians.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet tan.
    """
    return _call(_op_tan, (data,), out, (), name, words)


_op_tanh = _Op("tanh")


@_of(_op_tanh)
def tanh(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Hyperbolic tangent.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet tanh.
    """
    return _call(_op_tanh, (data,), out, (), name, words)


_op_tile = _Op("tile")


@_of(_op_tile)
def tile(
    data: NDArray,
    reps: _Ints,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Lays copies of the whole array side by side along axes.

    Parameters
    ----------
    data : NDArray
        Any array; missing leading axes count as 1.
    reps : tuple of int
        Repetitions per axis, aligned with the last; missing ones are 1.

    Notes
    -----
    Source: MXNet tile.
    """
    return _call(_op_tile, (data,), out, (reps,), name, words)


_op_topk = _Op("topk")


@_of(_op_topk)
def topk(
    data: NDArray,
    axis: Optional[int] = -1,
    k: int = 1,
    ret_typ: str = 'indices',
    is_ascend: bool = False,
    dtype: Any = 'float32',
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> Any:
    """The k largest (or smallest) elements along an axis, in order, as values, indices or a mask. Of equal
    elements the first ones are taken.

    Parameters
    ----------
    data : NDArray
        Any array.
    axis : optional int
        The axis; None takes the flattened array.
    k : int
        How many elements; below 1 all.
    ret_typ : {'value', 'indices', 'mask', 'both'}
        The elements, their indices, 1 where an element is among them, or elements and indices.
    is_ascend : bool
        The smallest instead of the largest.
    dtype : dtype
        Element type of the indices.

    Notes
    -----
    Source: MXNet topk.
    """
    return _call(_op_topk, (data,), out, (axis, k, ret_typ, is_ascend, dtype), name, words)


_op_transpose = _Op("transpose")


@_of(_op_transpose)
def transpose(
    data: NDArray,
    axes: _Ints = (),
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Permutes the axes.

    Parameters
    ----------
    data : NDArray
        Any array.
    axes : tuple of int
        Axis i of the output is axis axes[i] of the input; () reverses all.

    Notes
    -----
    Source: MXNet transpose.
    """
    return _call(_op_transpose, (data,), out, (axes,), name, words)


_op_trunc = _Op("trunc")


@_of(_op_trunc)
def trunc(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Integer part: rounded toward 0.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet trunc.
    """
    return _call(_op_trunc, (data,), out, (), name, words)


_op_where = _Op("where")


@_of(_op_where)
def where(
    condition: NDArray,
    x: NDArray,
    y: NDArray,
    *,
    out: _Out = None,
    name: Optional[str] = None,
    **words: NoReturn,
) -> NDArray:
    """Elements of x where condition is not 0, of y elsewhere. Shapes broadcast as in NumPy; a condition with one
    axis, as long as the first axis of x and y, selects rows.

    Parameters
    ----------
    condition : NDArray
        Any dtype.
    x : NDArray
        Taken where the condition is not 0.
    y : NDArray
        Taken where it is 0; of the dtype of x.

    Notes
    -----
    Source: MXNet where.
    """
    return _call(_op_where, (condition, x, y), out, (), name, words)


_op_zeros_like = _Op("zeros_like")


@_of(_op_zeros_like)
def zeros_like(data: NDArray, *, out: _Out = None, name: Optional[str] = None, **words: NoReturn) -> NDArray:
    """Zeros with the shape and dtype of the input.

    Parameters
    ----------
    data : NDArray
        Any array.

    Notes
    -----
    Source: MXNet zeros_like.
    """
    return _call(_op_zeros_like, (data,), out, (), name, words)


# Other names of the same operators.
BatchNorm_v1 = BatchNorm
Convolution_v1 = Convolution
ElementWiseSum = add_n
Pooling_v1 = Pooling
Softmax = SoftmaxOutput
SparseEmbedding = _contrib_SparseEmbedding
_CrossDeviceCopy = _copyto
_Div = elemwise_div
_DivScalar = _div_scalar
_Equal = _equal
_EqualScalar = _equal_scalar
_Greater = _greater
_GreaterEqualScalar = _greater_equal_scalar
_GreaterScalar = _greater_scalar
_Greater_Equal = _greater_equal
_Hypot = _hypot
_HypotScalar = _hypot_scalar
_Lesser = _lesser
_LesserEqualScalar = _lesser_equal_scalar
_LesserScalar = _lesser_scalar
_Lesser_Equal = _lesser_equal
_LogicalAndScalar = _logical_and_scalar
_LogicalOrScalar = _logical_or_scalar
_LogicalXorScalar = _logical_xor_scalar
_Logical_And = _logical_and
_Logical_Or = _logical_or
_Logical_Xor = _logical_xor
_Maximum = _maximum
_MaximumScalar = _maximum_scalar
_Minimum = _minimum
_MinimumScalar = _minimum_scalar
_Minus = elemwise_sub
_MinusScalar = _minus_scalar
_Mod = _mod
_ModScalar = _mod_scalar
_Mul = elemwise_mul
_MulScalar = _mul_scalar
_NotEqualScalar = _not_equal_scalar
_Not_Equal = _not_equal
_Plus = elemwise_add
_PlusScalar = _plus_scalar
_Power = _power
_PowerScalar = _power_scalar
_RDivScalar = _rdiv_scalar
_RMinusScalar = _rminus_scalar
_RModScalar = _rmod_scalar
_RPowerScalar = _rpower_scalar
_add = elemwise_add
_contrib_CTCLoss = CTCLoss
_contrib_box_non_maximum_suppression = _contrib_box_nms
_contrib_ctc_loss = CTCLoss
_crop_assign = _slice_assign
_crop_assign_scalar = _slice_assign_scalar
_div = elemwise_div
_grad_add = elemwise_add
_minus = elemwise_sub
_mul = elemwise_mul
_np_amax = _np_max
_np_amin = _np_min
_np_cumsum = cumsum
_np_product = _np_prod
_np_repeat = repeat
_np_sometrue = _np_any
_npi_add_scalar = _plus_scalar
_npi_arange = _arange
_npi_argsort = argsort
_npi_cast = Cast
_npi_cholesky = _linalg_potrf
_npi_clip = clip
_npi_copyto = _copyto
_npi_cvimresize = _cvimresize
_npi_dsplit = _split_v2
_npi_expand_dims = expand_dims
_npi_flip = reverse
_npi_full = _full
_npi_gather_nd = gather_nd
_npi_histogram = _histogram
_npi_hypot_scalar = _hypot_scalar
_npi_inv = _linalg_inverse
_npi_linspace = _linspace
_npi_maximum = broadcast_maximum
_npi_maximum_scalar = _maximum_scalar
_npi_minimum = broadcast_minimum
_npi_minimum_scalar = _minimum_scalar
_npi_mod_scalar = _mod_scalar
_npi_multiply_scalar = _mul_scalar
_npi_power_scalar = _power_scalar
_npi_random_randint = _random_randint
_npi_reshape = _npx_reshape
_npi_rmod_scalar = _rmod_scalar
_npi_rnn_param_concat = _rnn_param_concat
_npi_rpower_scalar = _rpower_scalar
_npi_rsubtract_scalar = _rminus_scalar
_npi_scatter_set_nd = _scatter_set_nd
_npi_shuffle = _shuffle
_npi_slice = slice
_npi_slice_assign = _slice_assign
_npi_slice_assign_scalar = _slice_assign_scalar
_npi_sort = sort
_npi_split = _split_v2
_npi_stack = stack
_npi_subtract_scalar = _minus_scalar
_npi_swapaxes = SwapAxis
_npi_take = take
_npi_tile = tile
_npx__image_adjust_lighting = _image_adjust_lighting
_npx__image_crop = _image_crop
_npx__image_flip_left_right = _image_flip_left_right
_npx__image_flip_top_bottom = _image_flip_top_bottom
_npx__image_normalize = _image_normalize
_npx__image_random_brightness = _image_random_brightness
_npx__image_random_color_jitter = _image_random_color_jitter
_npx__image_random_contrast = _image_random_contrast
_npx__image_random_flip_left_right = _image_random_flip_left_right
_npx__image_random_flip_top_bottom = _image_random_flip_top_bottom
_npx__image_random_hue = _image_random_hue
_npx__image_random_lighting = _image_random_lighting
_npx__image_random_saturation = _image_random_saturation
_npx__image_resize = _image_resize
_npx__image_to_tensor = _image_to_tensor
_npx_activation = Activation
_npx_arange_like = _contrib_arange_like
_npx_batch_dot = batch_dot
_npx_batch_flatten = Flatten
_npx_batch_norm = BatchNorm
_npx_cast = Cast
_npx_convolution = Convolution
_npx_deconvolution = Deconvolution
_npx_dropout = Dropout
_npx_embedding = Embedding
_npx_erf = erf
_npx_erfinv = erfinv
_npx_fully_connected = FullyConnected
_npx_gamma = gamma
_npx_gammaln = gammaln
_npx_gather_nd = gather_nd
_npx_layer_norm = LayerNorm
_npx_leaky_relu = LeakyReLU
_npx_log_softmax = log_softmax
_npx_multibox_detection = _contrib_MultiBoxDetection
_npx_multibox_prior = _contrib_MultiBoxPrior
_npx_multibox_target = _contrib_MultiBoxTarget
_npx_one_hot = one_hot
_npx_pick = pick
_npx_pooling = Pooling
_npx_relu = relu
_npx_reshape_like = reshape_like
_npx_rnn = RNN
_npx_roi_pooling = ROIPooling
_npx_sequence_mask = SequenceMask
_npx_shape_array = shape_array
_npx_sigmoid = sigmoid
_npx_slice = slice
_npx_smooth_l1 = smooth_l1
_npx_softmax = softmax
_npx_topk = topk
_plus = elemwise_add
_sparse_Embedding = Embedding
_sparse_FullyConnected = FullyConnected
_sparse_LinearRegressionOutput = LinearRegressionOutput
_sparse_LogisticRegressionOutput = LogisticRegressionOutput
_sparse_MAERegressionOutput = MAERegressionOutput
_sparse_adam_update = adam_update
_sparse_cast_storage = cast_storage
_sparse_dot = dot
_sparse_ftrl_update = ftrl_update
_sparse_mean = mean
_sparse_norm = norm
_sparse_sgd_mom_update = sgd_mom_update
_sparse_sgd_update = sgd_update
_sparse_sum = sum
_sub = elemwise_sub
adagrad_update = _sparse_adagrad_update
broadcast_axes = broadcast_axis
broadcast_minus = broadcast_sub
broadcast_plus = broadcast_add
cast = Cast
choose_element_0index = pick
concat = Concat
crop = slice
ctc_loss = CTCLoss
flatten = Flatten
flip = reverse
identity = _copy
linalg_adjugate = _linalg_adjugate
linalg_det = _linalg_det
linalg_extractdiag = _linalg_extractdiag
linalg_extracttrian = _linalg_extracttrian
linalg_gelqf = _linalg_gelqf
linalg_gemm = _linalg_gemm
linalg_gemm2 = _linalg_gemm2
linalg_inverse = _linalg_inverse
linalg_makediag = _linalg_makediag
linalg_maketrian = _linalg_maketrian
linalg_potrf = _linalg_potrf
linalg_potri = _linalg_potri
linalg_slogdet = _linalg_slogdet
linalg_sumlogdiag = _linalg_sumlogdiag
linalg_syrk = _linalg_syrk
linalg_trmm = _linalg_trmm
linalg_trsm = _linalg_trsm
max_axis = max
min_axis = min
normal = _random_normal
pad = Pad
random_exponential = _random_exponential
random_gamma = _random_gamma
random_generalized_negative_binomial = _random_generalized_negative_binomial
random_negative_binomial = _random_negative_binomial
random_normal = _random_normal
random_pdf_dirichlet = _random_pdf_dirichlet
random_pdf_exponential = _random_pdf_exponential
random_pdf_gamma = _random_pdf_gamma
random_pdf_generalized_negative_binomial = _random_pdf_generalized_negative_binomial
random_pdf_negative_binomial = _random_pdf_negative_binomial
random_pdf_normal = _random_pdf_normal
random_pdf_poisson = _random_pdf_poisson
random_pdf_uniform = _random_pdf_uniform
random_poisson = _random_poisson
random_randint = _random_randint
random_uniform = _random_uniform
ravel_multi_index = _ravel_multi_index
reshape = Reshape
sample_exponential = _sample_exponential
sample_gamma = _sample_gamma
sample_generalized_negative_binomial = _sample_generalized_negative_binomial
sample_multinomial = _sample_multinomial
sample_negative_binomial = _sample_negative_binomial
sample_normal = _sample_normal
sample_poisson = _sample_poisson
sample_uniform = _sample_uniform
shuffle = _shuffle
split = SliceChannel
stop_gradient = BlockGrad
sum_axis = sum
swapaxes = SwapAxis
uniform = _random_uniform
unravel_index = _unravel_index


class ArrayMethods:
    """Operators as methods of arrays."""

    __slots__ = ()

    @_of(_op_abs)
    def abs(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.abs`."""
        return _call(_op_abs, (self,), out, (), None, words)

    @_of(_op_arccos)
    def arccos(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.arccos`."""
        return _call(_op_arccos, (self,), out, (), None, words)

    @_of(_op_arccosh)
    def arccosh(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.arccosh`."""
        return _call(_op_arccosh, (self,), out, (), None, words)

    @_of(_op_arcsin)
    def arcsin(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.arcsin`."""
        return _call(_op_arcsin, (self,), out, (), None, words)

    @_of(_op_arcsinh)
    def arcsinh(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.arcsinh`."""
        return _call(_op_arcsinh, (self,), out, (), None, words)

    @_of(_op_arctan)
    def arctan(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.arctan`."""
        return _call(_op_arctan, (self,), out, (), None, words)

    @_of(_op_arctanh)
    def arctanh(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.arctanh`."""
        return _call(_op_arctanh, (self,), out, (), None, words)

    @_of(_op_argmax)
    def argmax(
        self: _A,
        axis: Optional[int] = None,
        keepdims: bool = False,
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.argmax`."""
        return _call(_op_argmax, (self,), out, (axis, keepdims), None, words)

    @_of(_op_argmax_channel)
    def argmax_channel(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.argmax_channel`."""
        return _call(_op_argmax_channel, (self,), out, (), None, words)

    @_of(_op_argmin)
    def argmin(
        self: _A,
        axis: Optional[int] = None,
        keepdims: bool = False,
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.argmin`."""
        return _call(_op_argmin, (self,), out, (axis, keepdims), None, words)

    @_of(_op_argsort)
    def argsort(
        self: _A,
        axis: Optional[int] = -1,
        is_ascend: bool = True,
        dtype: Any = 'float32',
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.argsort`."""
        return _call(_op_argsort, (self,), out, (axis, is_ascend, dtype), None, words)

    @_of(_op_broadcast_axis)
    def broadcast_axes(
        self: _A,
        axis: _Ints = (),
        size: _Ints = (),
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.broadcast_axis`."""
        return _call(_op_broadcast_axis, (self,), out, (axis, size), None, words)

    @_of(_op_broadcast_like)
    def broadcast_like(
        self: _A,
        rhs: NDArray,
        lhs_axes: Optional[_Ints] = None,
        rhs_axes: Optional[_Ints] = None,
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.broadcast_like`."""
        return _call(_op_broadcast_like, (self, rhs), out, (lhs_axes, rhs_axes), None, words)

    @_of(_op_broadcast_to)
    def broadcast_to(self: _A, shape: _Ints = (), *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.broadcast_to`."""
        return _call(_op_broadcast_to, (self,), out, (shape,), None, words)

    @_of(_op_cbrt)
    def cbrt(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.cbrt`."""
        return _call(_op_cbrt, (self,), out, (), None, words)

    @_of(_op_ceil)
    def ceil(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.ceil`."""
        return _call(_op_ceil, (self,), out, (), None, words)

    @_of(_op_clip)
    def clip(self: _A, a_min: float, a_max: float, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.clip`."""
        return _call(_op_clip, (self,), out, (a_min, a_max), None, words)

    @_of(_op_cos)
    def cos(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.cos`."""
        return _call(_op_cos, (self,), out, (), None, words)

    @_of(_op_cosh)
    def cosh(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.cosh`."""
        return _call(_op_cosh, (self,), out, (), None, words)

    @_of(_op_degrees)
    def degrees(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.degrees`."""
        return _call(_op_degrees, (self,), out, (), None, words)

    @_of(_op_depth_to_space)
    def depth_to_space(self: _A, block_size: int, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.depth_to_space`."""
        return _call(_op_depth_to_space, (self,), out, (block_size,), None, words)

    @_of(_op_diag)
    def diag(
        self: _A,
        k: int = 0,
        axis1: int = 0,
        axis2: int = 1,
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.diag`."""
        return _call(_op_diag, (self,), out, (k, axis1, axis2), None, words)

    @_of(_op_exp)
    def exp(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.exp`."""
        return _call(_op_exp, (self,), out, (), None, words)

    @_of(_op_expand_dims)
    def expand_dims(self: _A, axis: int, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.expand_dims`."""
        return _call(_op_expand_dims, (self,), out, (axis,), None, words)

    @_of(_op_expm1)
    def expm1(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.expm1`."""
        return _call(_op_expm1, (self,), out, (), None, words)

    @_of(_op_fix)
    def fix(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.fix`."""
        return _call(_op_fix, (self,), out, (), None, words)

    @_of(_op_Flatten)
    def flatten(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.Flatten`."""
        return _call(_op_Flatten, (self,), out, (), None, words)

    @_of(_op_reverse)
    def flip(self: _A, axis: _Ints, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.reverse`."""
        return _call(_op_reverse, (self,), out, (axis,), None, words)

    @_of(_op_floor)
    def floor(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.floor`."""
        return _call(_op_floor, (self,), out, (), None, words)

    @_of(_op_log)
    def log(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.log`."""
        return _call(_op_log, (self,), out, (), None, words)

    @_of(_op_log10)
    def log10(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.log10`."""
        return _call(_op_log10, (self,), out, (), None, words)

    @_of(_op_log1p)
    def log1p(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.log1p`."""
        return _call(_op_log1p, (self,), out, (), None, words)

    @_of(_op_log2)
    def log2(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.log2`."""
        return _call(_op_log2, (self,), out, (), None, words)

    @_of(_op_log_softmax)
    def log_softmax(
        self: _A,
        axis: int = -1,
        temperature: Optional[float] = None,
        dtype: Any = None,
        use_length: Optional[bool] = False,
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.log_softmax`."""
        return _call(_op_log_softmax, (self,), out, (axis, temperature, dtype, use_length), None, words)

    @_of(_op_max)
    def max(
        self: _A,
        axis: Optional[_Ints] = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.max`."""
        return _call(_op_max, (self,), out, (axis, keepdims, exclude), None, words)

    @_of(_op_mean)
    def mean(
        self: _A,
        axis: Optional[_Ints] = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.mean`."""
        return _call(_op_mean, (self,), out, (axis, keepdims, exclude), None, words)

    @_of(_op_min)
    def min(
        self: _A,
        axis: Optional[_Ints] = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.min`."""
        return _call(_op_min, (self,), out, (axis, keepdims, exclude), None, words)

    @_of(_op_nanprod)
    def nanprod(
        self: _A,
        axis: Optional[_Ints] = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.nanprod`."""
        return _call(_op_nanprod, (self,), out, (axis, keepdims, exclude), None, words)

    @_of(_op_nansum)
    def nansum(
        self: _A,
        axis: Optional[_Ints] = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.nansum`."""
        return _call(_op_nansum, (self,), out, (axis, keepdims, exclude), None, words)

    @_of(_op_norm)
    def norm(
        self: _A,
        ord: int = 2,
        axis: Optional[_Ints] = None,
        out_dtype: Any = None,
        keepdims: bool = False,
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.norm`."""
        return _call(_op_norm, (self,), out, (ord, axis, out_dtype, keepdims), None, words)

    @_of(_op_one_hot)
    def one_hot(
        self: _A,
        depth: int,
        on_value: float = 1.0,
        off_value: float = 0.0,
        dtype: Any = 'float32',
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.one_hot`."""
        return _call(_op_one_hot, (self,), out, (depth, on_value, off_value, dtype), None, words)

    @_of(_op_ones_like)
    def ones_like(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.ones_like`."""
        return _call(_op_ones_like, (self,), out, (), None, words)

    @_of(_op_Pad)
    def pad(
        self: _A,
        mode: str,
        pad_width: _Ints,
        constant_value: float = 0.0,
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.Pad`."""
        return _call(_op_Pad, (self,), out, (mode, pad_width, constant_value), None, words)

    @_of(_op_pick)
    def pick(
        self: _A,
        index: NDArray,
        axis: Optional[int] = -1,
        keepdims: bool = False,
        mode: str = 'clip',
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.pick`."""
        return _call(_op_pick, (self, index), out, (axis, keepdims, mode), None, words)

    @_of(_op_prod)
    def prod(
        self: _A,
        axis: Optional[_Ints] = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.prod`."""
        return _call(_op_prod, (self,), out, (axis, keepdims, exclude), None, words)

    @_of(_op_radians)
    def radians(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.radians`."""
        return _call(_op_radians, (self,), out, (), None, words)

    @_of(_op_rcbrt)
    def rcbrt(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.rcbrt`."""
        return _call(_op_rcbrt, (self,), out, (), None, words)

    @_of(_op_reciprocal)
    def reciprocal(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.reciprocal`."""
        return _call(_op_reciprocal, (self,), out, (), None, words)

    @_of(_op_relu)
    def relu(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.relu`."""
        return _call(_op_relu, (self,), out, (), None, words)

    @_of(_op_repeat)
    def repeat(
        self: _A,
        repeats: int,
        axis: Optional[int] = None,
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.repeat`."""
        return _call(_op_repeat, (self,), out, (repeats, axis), None, words)

    @_of(_op_reshape_like)
    def reshape_like(
        self: _A,
        rhs: NDArray,
        lhs_begin: Optional[int] = None,
        lhs_end: Optional[int] = None,
        rhs_begin: Optional[int] = None,
        rhs_end: Optional[int] = None,
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.reshape_like`."""
        return _call(_op_reshape_like, (self, rhs), out, (lhs_begin, lhs_end, rhs_begin, rhs_end), None, words)

    @_of(_op_rint)
    def rint(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.rint`."""
        return _call(_op_rint, (self,), out, (), None, words)

    @_of(_op_round)
    def round(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.round`."""
        return _call(_op_round, (self,), out, (), None, words)

    @_of(_op_rsqrt)
    def rsqrt(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.rsqrt`."""
        return _call(_op_rsqrt, (self,), out, (), None, words)

    @_of(_op_shape_array)
    def shape_array(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.shape_array`."""
        return _call(_op_shape_array, (self,), out, (), None, words)

    @_of(_op_sigmoid)
    def sigmoid(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.sigmoid`."""
        return _call(_op_sigmoid, (self,), out, (), None, words)

    @_of(_op_sign)
    def sign(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.sign`."""
        return _call(_op_sign, (self,), out, (), None, words)

    @_of(_op_sin)
    def sin(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.sin`."""
        return _call(_op_sin, (self,), out, (), None, words)

    @_of(_op_sinh)
    def sinh(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.sinh`."""
        return _call(_op_sinh, (self,), out, (), None, words)

    @_of(_op_size_array)
    def size_array(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.size_array`."""
        return _call(_op_size_array, (self,), out, (), None, words)

    @_of(_op_slice)
    def slice(
        self: _A,
        begin: _Bounds,
        end: _Bounds,
        step: _Bounds = (),
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.slice`."""
        return _call(_op_slice, (self,), out, (begin, end, step), None, words)

    @_of(_op_slice_axis)
    def slice_axis(
        self: _A,
        axis: int,
        begin: int,
        end: Optional[int],
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.slice_axis`."""
        return _call(_op_slice_axis, (self,), out, (axis, begin, end), None, words)

    @_of(_op_slice_like)
    def slice_like(
        self: _A,
        shape_like: NDArray,
        axes: _Ints = (),
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.slice_like`."""
        return _call(_op_slice_like, (self, shape_like), out, (axes,), None, words)

    @_of(_op_softmax)
    def softmax(
        self: _A,
        length: Optional[NDArray] = None,
        axis: int = -1,
        temperature: Optional[float] = None,
        dtype: Any = None,
        use_length: Optional[bool] = False,
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.softmax`."""
        return _call(_op_softmax, (self, length), out, (axis, temperature, dtype, use_length), None, words)

    @_of(_op_softmin)
    def softmin(
        self: _A,
        axis: int = -1,
        temperature: Optional[float] = None,
        dtype: Any = None,
        use_length: Optional[bool] = False,
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.softmin`."""
        return _call(_op_softmin, (self,), out, (axis, temperature, dtype, use_length), None, words)

    @_of(_op_sort)
    def sort(
        self: Any,
        axis: Optional[int] = -1,
        is_ascend: bool = True,
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> Any:
        """See :func:`mixgrad.nd.sort`."""
        return _call(_op_sort, (self,), out, (axis, is_ascend), None, words)

    @_of(_op_space_to_depth)
    def space_to_depth(self: _A, block_size: int, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.space_to_depth`."""
        return _call(_op_space_to_depth, (self,), out, (block_size,), None, words)

    @_of(_op_SliceChannel)
    def split(
        self: Any,
        num_outputs: int,
        axis: int = 1,
        squeeze_axis: bool = False,
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> Any:
        """See :func:`mixgrad.nd.SliceChannel`."""
        return _call(_op_SliceChannel, (self,), out, (num_outputs, axis, squeeze_axis), None, words)

    @_of(_op_sqrt)
    def sqrt(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.sqrt`."""
        return _call(_op_sqrt, (self,), out, (), None, words)

    @_of(_op_square)
    def square(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.square`."""
        return _call(_op_square, (self,), out, (), None, words)

    @_of(_op_squeeze)
    def squeeze(self: _A, axis: Optional[_Ints] = None, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.squeeze`."""
        return _call(_op_squeeze, (self,), out, (axis,), None, words)

    @_of(_op_sum)
    def sum(
        self: _A,
        axis: Optional[_Ints] = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.sum`."""
        return _call(_op_sum, (self,), out, (axis, keepdims, exclude), None, words)

    @_of(_op_SwapAxis)
    def swapaxes(self: _A, dim1: int = 0, dim2: int = 0, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.SwapAxis`."""
        return _call(_op_SwapAxis, (self,), out, (dim1, dim2), None, words)

    @_of(_op_take)
    def take(
        self: _A,
        indices: NDArray,
        axis: int = 0,
        mode: str = 'clip',
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> _A:
        """See :func:`mixgrad.nd.take`."""
        return _call(_op_take, (self, indices), out, (axis, mode), None, words)

    @_of(_op_tan)
    def tan(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.tan`."""
        return _call(_op_tan, (self,), out, (), None, words)

    @_of(_op_tanh)
    def tanh(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.tanh`."""
        return _call(_op_tanh, (self,), out, (), None, words)

    @_of(_op_tile)
    def tile(self: _A, reps: _Ints, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.tile`."""
        return _call(_op_tile, (self,), out, (reps,), None, words)

    @_of(_op_topk)
    def topk(
        self: Any,
        axis: Optional[int] = -1,
        k: int = 1,
        ret_typ: str = 'indices',
        is_ascend: bool = False,
        dtype: Any = 'float32',
        *,
        out: _Out = None,
        **words: NoReturn,
    ) -> Any:
        """See :func:`mixgrad.nd.topk`."""
        return _call(_op_topk, (self,), out, (axis, k, ret_typ, is_ascend, dtype), None, words)

    @_of(_op_transpose)
    def transpose(self: _A, axes: _Ints = (), *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.transpose`."""
        return _call(_op_transpose, (self,), out, (axes,), None, words)

    @_of(_op_trunc)
    def trunc(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.trunc`."""
        return _call(_op_trunc, (self,), out, (), None, words)

    @_of(_op_zeros_like)
    def zeros_like(self: _A, *, out: _Out = None, **words: NoReturn) -> _A:
        """See :func:`mixgrad.nd.zeros_like`."""
        return _call(_op_zeros_like, (self,), out, (), None, words)


# Names and aliases of all operators.
__all__ = [
    "Activation",
    "BatchNorm",
    "BatchNorm_v1",
    "BilinearSampler",
    "BlockGrad",
    "CTCLoss",
    "Cast",
    "Concat",
    "Convolution",
    "Convolution_v1",
    "Correlation",
    "Crop",
    "Deconvolution",
    "Dropout",
    "ElementWiseSum",
    "Embedding",
    "Flatten",
    "FullyConnected",
    "GridGenerator",
    "GroupNorm",
    "IdentityAttachKLSparseReg",
    "InstanceNorm",
    "L2Normalization",
    "LRN",
    "LayerNorm",
    "LeakyReLU",
    "LinearRegressionOutput",
    "LogisticRegressionOutput",
    "MAERegressionOutput",
    "MakeLoss",
    "Pad",
    "Pooling",
    "Pooling_v1",
    "RNN",
    "ROIPooling",
    "Reshape",
    "SVMOutput",
    "SequenceLast",
    "SequenceMask",
    "SequenceReverse",
    "SliceChannel",
    "Softmax",
    "SoftmaxActivation",
    "SoftmaxOutput",
    "SparseEmbedding",
    "SpatialTransformer",
    "SwapAxis",
    "UpSampling",
    "abs",
    "adagrad_update",
    "adam_update",
    "add_n",
    "all_finite",
    "amp_cast",
    "amp_multicast",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctanh",
    "argmax",
    "argmax_channel",
    "argmin",
    "argsort",
    "batch_dot",
    "batch_take",
    "broadcast_add",
    "broadcast_axes",
    "broadcast_axis",
    "broadcast_div",
    "broadcast_equal",
    "broadcast_floor_divide",
    "broadcast_greater",
    "broadcast_greater_equal",
    "broadcast_hypot",
    "broadcast_lesser",
    "broadcast_lesser_equal",
    "broadcast_like",
    "broadcast_logical_and",
    "broadcast_logical_or",
    "broadcast_logical_xor",
    "broadcast_maximum",
    "broadcast_minimum",
    "broadcast_minus",
    "broadcast_mod",
    "broadcast_mul",
    "broadcast_not_equal",
    "broadcast_plus",
    "broadcast_power",
    "broadcast_sub",
    "broadcast_to",
    "cast",
    "cast_storage",
    "cbrt",
    "ceil",
    "choose_element_0index",
    "clip",
    "col2im",
    "concat",
    "cos",
    "cosh",
    "crop",
    "ctc_loss",
    "cumsum",
    "degrees",
    "depth_to_space",
    "diag",
    "dot",
    "elemwise_add",
    "elemwise_div",
    "elemwise_mul",
    "elemwise_sub",
    "erf",
    "erfinv",
    "exp",
    "expand_dims",
    "expm1",
    "fill_element_0index",
    "fix",
    "flatten",
    "flip",
    "floor",
    "ftml_update",
    "ftrl_update",
    "gamma",
    "gammaln",
    "gather_nd",
    "hard_sigmoid",
    "identity",
    "im2col",
    "khatri_rao",
    "lamb_update_phase1",
    "lamb_update_phase2",
    "linalg_adjugate",
    "linalg_det",
    "linalg_extractdiag",
    "linalg_extracttrian",
    "linalg_gelqf",
    "linalg_gemm",
    "linalg_gemm2",
    "linalg_inverse",
    "linalg_makediag",
    "linalg_maketrian",
    "linalg_potrf",
    "linalg_potri",
    "linalg_slogdet",
    "linalg_sumlogdiag",
    "linalg_syrk",
    "linalg_trmm",
    "linalg_trsm",
    "log",
    "log10",
    "log1p",
    "log2",
    "log_sigmoid",
    "log_softmax",
    "logical_not",
    "make_loss",
    "max",
    "max_axis",
    "mean",
    "min",
    "min_axis",
    "mish",
    "moments",
    "mp_lamb_update_phase1",
    "mp_lamb_update_phase2",
    "mp_nag_mom_update",
    "mp_sgd_mom_update",
    "mp_sgd_update",
    "multi_all_finite",
    "multi_lars",
    "multi_mp_sgd_mom_update",
    "multi_mp_sgd_update",
    "multi_sgd_mom_update",
    "multi_sgd_update",
    "multi_sum_sq",
    "nag_mom_update",
    "nanprod",
    "nansum",
    "negative",
    "norm",
    "normal",
    "one_hot",
    "ones_like",
    "pad",
    "pick",
    "preloaded_multi_mp_sgd_mom_update",
    "preloaded_multi_mp_sgd_update",
    "preloaded_multi_sgd_mom_update",
    "preloaded_multi_sgd_update",
    "prod",
    "radians",
    "random_exponential",
    "random_gamma",
    "random_generalized_negative_binomial",
    "random_negative_binomial",
    "random_normal",
    "random_pdf_dirichlet",
    "random_pdf_exponential",
    "random_pdf_gamma",
    "random_pdf_generalized_negative_binomial",
    "random_pdf_negative_binomial",
    "random_pdf_normal",
    "random_pdf_poisson",
    "random_pdf_uniform",
    "random_poisson",
    "random_randint",
    "random_uniform",
    "ravel_multi_index",
    "rcbrt",
    "reciprocal",
    "relu",
    "repeat",
    "reshape",
    "reshape_like",
    "reverse",
    "rint",
    "rmsprop_update",
    "rmspropalex_update",
    "round",
    "rsqrt",
    "sample_exponential",
    "sample_gamma",
    "sample_generalized_negative_binomial",
    "sample_multinomial",
    "sample_negative_binomial",
    "sample_normal",
    "sample_poisson",
    "sample_uniform",
    "scatter_nd",
    "sgd_mom_update",
    "sgd_update",
    "shape_array",
    "shuffle",
    "sigmoid",
    "sign",
    "signsgd_update",
    "signum_update",
    "sin",
    "sinh",
    "size_array",
    "slice",
    "slice_axis",
    "slice_like",
    "smooth_l1",
    "softmax",
    "softmax_cross_entropy",
    "softmin",
    "softrelu",
    "softsign",
    "sort",
    "space_to_depth",
    "split",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "stop_gradient",
    "sum",
    "sum_axis",
    "swapaxes",
    "take",
    "tan",
    "tanh",
    "tile",
    "topk",
    "transpose",
    "trunc",
    "uniform",
    "unravel_index",
    "where",
    "zeros_like",
]


NAMES: tuple[str, ...] = (
    *__all__,
    "_CrossDeviceCopy",
    "_Div",
    "_DivScalar",
    "_Equal",
    "_EqualScalar",
    "_Greater",
    "_GreaterEqualScalar",
    "_GreaterScalar",
    "_Greater_Equal",
    "_Hypot",
    "_HypotScalar",
    "_Lesser",
    "_LesserEqualScalar",
    "_LesserScalar",
    "_Lesser_Equal",
    "_LogicalAndScalar",
    "_LogicalOrScalar",
    "_LogicalXorScalar",
    "_Logical_And",
    "_Logical_Or",
    "_Logical_Xor",
    "_Maximum",
    "_MaximumScalar",
    "_Minimum",
    "_MinimumScalar",
    "_Minus",
    "_MinusScalar",
    "_Mod",
    "_ModScalar",
    "_Mul",
    "_MulScalar",
    "_NotEqualScalar",
    "_Not_Equal",
    "_Plus",
    "_PlusScalar",
    "_Power",
    "_PowerScalar",
    "_RDivScalar",
    "_RMinusScalar",
    "_RModScalar",
    "_RPowerScalar",
    "_adamw_update",
    "_add",
    "_arange",
    "_batch_norm_again",
    "_broadcast_to",
    "_cond",
    "_contrib_AdaptiveAvgPooling2D",
    "_contrib_BatchNormWithReLU",
    "_contrib_BilinearResize2D",
    "_contrib_CTCLoss",
    "_contrib_DeformableConvolution",
    "_contrib_DeformablePSROIPooling",
    "_contrib_ModulatedDeformableConvolution",
    "_contrib_MultiBoxDetection",
    "_contrib_MultiBoxPrior",
    "_contrib_MultiBoxTarget",
    "_contrib_MultiProposal",
    "_contrib_PSROIPooling",
    "_contrib_Proposal",
    "_contrib_ROIAlign",
    "_contrib_RROIAlign",
    "_contrib_SparseEmbedding",
    "_contrib_SyncBatchNorm",
    "_contrib_allclose",
    "_contrib_arange_like",
    "_contrib_bipartite_matching",
    "_contrib_box_decode",
    "_contrib_box_encode",
    "_contrib_box_iou",
    "_contrib_box_nms",
    "_contrib_box_non_maximum_suppression",
    "_contrib_calibrate_entropy",
    "_contrib_count_sketch",
    "_contrib_ctc_loss",
    "_contrib_dequantize",
    "_contrib_dgl_adjacency",
    "_contrib_dgl_csr_neighbor_non_uniform_sample",
    "_contrib_dgl_csr_neighbor_uniform_sample",
    "_contrib_dgl_graph_compact",
    "_contrib_dgl_subgraph",
    "_contrib_div_sqrt_dim",
    "_contrib_edge_id",
    "_contrib_fft",
    "_contrib_getnnz",
    "_contrib_gradientmultiplier",
    "_contrib_group_adagrad_update",
    "_contrib_hawkesll",
    "_contrib_ifft",
    "_contrib_index_array",
    "_contrib_index_copy",
    "_contrib_interleaved_matmul_encdec_qk",
    "_contrib_interleaved_matmul_encdec_valatt",
    "_contrib_interleaved_matmul_selfatt_qk",
    "_contrib_interleaved_matmul_selfatt_valatt",
    "_contrib_isfinite",
    "_contrib_isinf",
    "_contrib_isnan",
    "_contrib_quadratic",
    "_contrib_quantize",
    "_contrib_quantize_asym",
    "_contrib_quantize_v2",
    "_contrib_quantized_act",
    "_contrib_quantized_batch_norm",
    "_contrib_quantized_concat",
    "_contrib_quantized_conv",
    "_contrib_quantized_elemwise_add",
    "_contrib_quantized_elemwise_mul",
    "_contrib_quantized_embedding",
    "_contrib_quantized_flatten",
    "_contrib_quantized_fully_connected",
    "_contrib_quantized_pooling",
    "_contrib_quantized_rnn",
    "_contrib_requantize",
    "_contrib_round_ste",
    "_contrib_sign_ste",
    "_copy",
    "_copyto",
    "_crop_assign",
    "_crop_assign_scalar",
    "_csr_dot",
    "_cvcopyMakeBorder",
    "_cvimresize",
    "_div",
    "_div_scalar",
    "_equal",
    "_equal_scalar",
    "_eye",
    "_floor_divide",
    "_floor_divide_scalar",
    "_fold_batch_norm",
    "_foreach",
    "_full",
    "_fused_convolution",
    "_fused_convolution_chain",
    "_fused_fully_connected",
    "_grad_add",
    "_gradient",
    "_greater",
    "_greater_equal",
    "_greater_equal_scalar",
    "_greater_scalar",
    "_histogram",
    "_hypot",
    "_hypot_scalar",
    "_identity_with_attr_like_rhs",
    "_image_adjust_lighting",
    "_image_batch_norm",
    "_image_batch_norm_again",
    "_image_convolution",
    "_image_crop",
    "_image_flip_left_right",
    "_image_flip_top_bottom",
    "_image_normalize",
    "_image_pooling",
    "_image_random_brightness",
    "_image_random_color_jitter",
    "_image_random_contrast",
    "_image_random_flip_left_right",
    "_image_random_flip_top_bottom",
    "_image_random_hue",
    "_image_random_lighting",
    "_image_random_saturation",
    "_image_resize",
    "_image_to_tensor",
    "_index_add",
    "_index_gather",
    "_index_place",
    "_index_put",
    "_lesser",
    "_lesser_equal",
    "_lesser_equal_scalar",
    "_lesser_scalar",
    "_linalg_adjugate",
    "_linalg_det",
    "_linalg_extractdiag",
    "_linalg_extracttrian",
    "_linalg_gelqf",
    "_linalg_gemm",
    "_linalg_gemm2",
    "_linalg_inverse",
    "_linalg_makediag",
    "_linalg_maketrian",
    "_linalg_potrf",
    "_linalg_potri",
    "_linalg_slogdet",
    "_linalg_sumlogdiag",
    "_linalg_syevd",
    "_linalg_syrk",
    "_linalg_trmm",
    "_linalg_trsm",
    "_linspace",
    "_logical_and",
    "_logical_and_scalar",
    "_logical_or",
    "_logical_or_scalar",
    "_logical_xor",
    "_logical_xor_scalar",
    "_maximum",
    "_maximum_scalar",
    "_minimum",
    "_minimum_scalar",
    "_minus",
    "_minus_scalar",
    "_mod",
    "_mod_scalar",
    "_mp_adamw_update",
    "_mul",
    "_mul_scalar",
    "_multi_adam_update",
    "_multi_adamw_update",
    "_multi_lamb_update",
    "_multi_mp_adam_update",
    "_multi_mp_adamw_update",
    "_multi_mp_lamb_update",
    "_not_equal",
    "_not_equal_scalar",
    "_np_all",
    "_np_amax",
    "_np_amin",
    "_np_any",
    "_np_atleast_1d",
    "_np_atleast_2d",
    "_np_atleast_3d",
    "_np_copy",
    "_np_cumsum",
    "_np_diag",
    "_np_diagflat",
    "_np_diagonal",
    "_np_dot",
    "_np_max",
    "_np_min",
    "_np_moveaxis",
    "_np_prod",
    "_np_product",
    "_np_repeat",
    "_np_reshape",
    "_np_roll",
    "_np_sometrue",
    "_np_squeeze",
    "_np_sum",
    "_np_trace",
    "_np_transpose",
    "_npi_abs",
    "_npi_absolute",
    "_npi_add",
    "_npi_add_scalar",
    "_npi_arange",
    "_npi_arccos",
    "_npi_arccosh",
    "_npi_arcsin",
    "_npi_arcsinh",
    "_npi_arctan",
    "_npi_arctan2",
    "_npi_arctan2_scalar",
    "_npi_arctanh",
    "_npi_argmax",
    "_npi_argmin",
    "_npi_argsort",
    "_npi_around",
    "_npi_average",
    "_npi_bernoulli",
    "_npi_bitwise_and",
    "_npi_bitwise_and_scalar",
    "_npi_bitwise_not",
    "_npi_bitwise_or",
    "_npi_bitwise_or_scalar",
    "_npi_bitwise_xor",
    "_npi_bitwise_xor_scalar",
    "_npi_blackman",
    "_npi_boolean_mask_assign_scalar",
    "_npi_boolean_mask_assign_tensor",
    "_npi_broadcast_to",
    "_npi_cast",
    "_npi_cbrt",
    "_npi_ceil",
    "_npi_choice",
    "_npi_cholesky",
    "_npi_clip",
    "_npi_column_stack",
    "_npi_concatenate",
    "_npi_copysign",
    "_npi_copysign_scalar",
    "_npi_copyto",
    "_npi_cos",
    "_npi_cosh",
    "_npi_cvimresize",
    "_npi_degrees",
    "_npi_delete",
    "_npi_det",
    "_npi_diag_indices_from",
    "_npi_diff",
    "_npi_dsplit",
    "_npi_dstack",
    "_npi_ediff1d",
    "_npi_eig",
    "_npi_eigh",
    "_npi_eigvals",
    "_npi_eigvalsh",
    "_npi_einsum",
    "_npi_equal",
    "_npi_equal_scalar",
    "_npi_exp",
    "_npi_expand_dims",
    "_npi_expm1",
    "_npi_exponential",
    "_npi_eye",
    "_npi_fix",
    "_npi_flip",
    "_npi_floor",
    "_npi_full",
    "_npi_full_like",
    "_npi_gamma",
    "_npi_gather_nd",
    "_npi_greater",
    "_npi_greater_equal",
    "_npi_greater_equal_scalar",
    "_npi_greater_scalar",
    "_npi_gumbel",
    "_npi_hamming",
    "_npi_hanning",
    "_npi_histogram",
    "_npi_hsplit",
    "_npi_hstack",
    "_npi_hypot",
    "_npi_hypot_scalar",
    "_npi_identity",
    "_npi_indices",
    "_npi_insert_scalar",
    "_npi_insert_slice",
    "_npi_insert_tensor",
    "_npi_inv",
    "_npi_isfinite",
    "_npi_isinf",
    "_npi_isnan",
    "_npi_isneginf",
    "_npi_isposinf",
    "_npi_lcm",
    "_npi_lcm_scalar",
    "_npi_ldexp",
    "_npi_ldexp_scalar",
    "_npi_less",
    "_npi_less_equal",
    "_npi_less_equal_scalar",
    "_npi_less_scalar",
    "_npi_linspace",
    "_npi_log",
    "_npi_log10",
    "_npi_log1p",
    "_npi_log2",
    "_npi_logical_not",
    "_npi_logistic",
    "_npi_logspace",
    "_npi_matmul",
    "_npi_maximum",
    "_npi_maximum_scalar",
    "_npi_mean",
    "_npi_minimum",
    "_npi_minimum_scalar",
    "_npi_mod",
    "_npi_mod_scalar",
    "_npi_multinomial",
    "_npi_multiply",
    "_npi_multiply_scalar",
    "_npi_nan_to_num",
    "_npi_negative",
    "_npi_norm",
    "_npi_normal",
    "_npi_normal_n",
    "_npi_not_equal",
    "_npi_not_equal_scalar",
    "_npi_ones",
    "_npi_pad",
    "_npi_pareto",
    "_npi_percentile",
    "_npi_pinv",
    "_npi_pinv_scalar_rcond",
    "_npi_polyval",
    "_npi_power",
    "_npi_power_scalar",
    "_npi_powerd",
    "_npi_radians",
    "_npi_random_randint",
    "_npi_rarctan2_scalar",
    "_npi_rayleigh",
    "_npi_rcopysign_scalar",
    "_npi_reciprocal",
    "_npi_reshape",
    "_npi_rint",
    "_npi_rldexp_scalar",
    "_npi_rmod_scalar",
    "_npi_rnn_param_concat",
    "_npi_rot90",
    "_npi_rpower_scalar",
    "_npi_rsubtract_scalar",
    "_npi_rtrue_divide_scalar",
    "_npi_scatter_set_nd",
    "_npi_share_memory",
    "_npi_shuffle",
    "_npi_sign",
    "_npi_sin",
    "_npi_sinh",
    "_npi_slice",
    "_npi_slice_assign",
    "_npi_slice_assign_scalar",
    "_npi_slogdet",
    "_npi_solve",
    "_npi_sort",
    "_npi_split",
    "_npi_sqrt",
    "_npi_square",
    "_npi_stack",
    "_npi_std",
    "_npi_subtract",
    "_npi_subtract_scalar",
    "_npi_svd",
    "_npi_swapaxes",
    "_npi_take",
    "_npi_tan",
    "_npi_tanh",
    "_npi_tensordot",
    "_npi_tensordot_int_axes",
    "_npi_tensorinv",
    "_npi_tensorsolve",
    "_npi_tile",
    "_npi_tril",
    "_npi_true_divide",
    "_npi_true_divide_scalar",
    "_npi_trunc",
    "_npi_uniform",
    "_npi_uniform_n",
    "_npi_unravel_index",
    "_npi_var",
    "_npi_vstack",
    "_npi_weibull",
    "_npi_where",
    "_npi_where_lscalar",
    "_npi_where_rscalar",
    "_npi_where_scalar2",
    "_npi_zeros",
    "_npx__image_adjust_lighting",
    "_npx__image_crop",
    "_npx__image_flip_left_right",
    "_npx__image_flip_top_bottom",
    "_npx__image_normalize",
    "_npx__image_random_brightness",
    "_npx__image_random_color_jitter",
    "_npx__image_random_contrast",
    "_npx__image_random_flip_left_right",
    "_npx__image_random_flip_top_bottom",
    "_npx__image_random_hue",
    "_npx__image_random_lighting",
    "_npx__image_random_saturation",
    "_npx__image_resize",
    "_npx__image_to_tensor",
    "_npx_activation",
    "_npx_arange_like",
    "_npx_batch_dot",
    "_npx_batch_flatten",
    "_npx_batch_norm",
    "_npx_cast",
    "_npx_constraint_check",
    "_npx_convolution",
    "_npx_deconvolution",
    "_npx_dropout",
    "_npx_embedding",
    "_npx_erf",
    "_npx_erfinv",
    "_npx_fully_connected",
    "_npx_gamma",
    "_npx_gammaln",
    "_npx_gather_nd",
    "_npx_layer_norm",
    "_npx_leaky_relu",
    "_npx_log_softmax",
    "_npx_multibox_detection",
    "_npx_multibox_prior",
    "_npx_multibox_target",
    "_npx_one_hot",
    "_npx_pick",
    "_npx_pooling",
    "_npx_relu",
    "_npx_reshape",
    "_npx_reshape_like",
    "_npx_rnn",
    "_npx_roi_pooling",
    "_npx_sequence_mask",
    "_npx_shape_array",
    "_npx_sigmoid",
    "_npx_slice",
    "_npx_smooth_l1",
    "_npx_softmax",
    "_npx_topk",
    "_onehot_encode",
    "_ones",
    "_pad_fold",
    "_pick_place",
    "_place_along_axis",
    "_plus",
    "_plus_scalar",
    "_polygamma",
    "_pooling_places",
    "_pooling_spread",
    "_power",
    "_power_scalar",
    "_quantized_conv_block",
    "_quantized_fully_connected_block",
    "_random_exponential",
    "_random_exponential_like",
    "_random_gamma",
    "_random_gamma_like",
    "_random_generalized_negative_binomial",
    "_random_generalized_negative_binomial_like",
    "_random_negative_binomial",
    "_random_negative_binomial_like",
    "_random_normal",
    "_random_normal_like",
    "_random_pdf_dirichlet",
    "_random_pdf_exponential",
    "_random_pdf_gamma",
    "_random_pdf_generalized_negative_binomial",
    "_random_pdf_negative_binomial",
    "_random_pdf_normal",
    "_random_pdf_poisson",
    "_random_pdf_uniform",
    "_random_poisson",
    "_random_poisson_like",
    "_random_randint",
    "_random_uniform",
    "_random_uniform_like",
    "_ravel_multi_index",
    "_rdiv_scalar",
    "_reshape_to",
    "_rfloor_divide_scalar",
    "_rminus_scalar",
    "_rmod_scalar",
    "_rnn_param_concat",
    "_rpower_scalar",
    "_sample_exponential",
    "_sample_gamma",
    "_sample_generalized_negative_binomial",
    "_sample_multinomial",
    "_sample_negative_binomial",
    "_sample_normal",
    "_sample_poisson",
    "_sample_uniform",
    "_sample_unique_zipfian",
    "_scatter_elemwise_div",
    "_scatter_minus_scalar",
    "_scatter_nd_add",
    "_scatter_plus_scalar",
    "_scatter_set_nd",
    "_sequence_last_place",
    "_set_value",
    "_sg_mkldnn_selfatt_qk",
    "_sg_mkldnn_selfatt_valatt",
    "_shuffle",
    "_slice_assign",
    "_slice_assign_scalar",
    "_sparse_Embedding",
    "_sparse_FullyConnected",
    "_sparse_LinearRegressionOutput",
    "_sparse_LogisticRegressionOutput",
    "_sparse_MAERegressionOutput",
    "_sparse_adagrad_update",
    "_sparse_adam_update",
    "_sparse_cast_storage",
    "_sparse_dot",
    "_sparse_ftrl_update",
    "_sparse_mean",
    "_sparse_norm",
    "_sparse_retain",
    "_sparse_sgd_mom_update",
    "_sparse_sgd_update",
    "_sparse_sum",
    "_split_v2",
    "_square_sum",
    "_strided_slice",
    "_strided_slice_assign",
    "_strided_slice_assign_scalar",
    "_strided_slice_place",
    "_sub",
    "_take_along_axis",
    "_to_blocked",
    "_to_plain",
    "_unravel_index",
    "_while_loop",
    "_zeros",
    "_zeros_without_dtype",
)


def __getattr__(name: str) -> Any:
    """MXNet's second names of operators that take sparse arrays: ``_sparse_X`` is ``X``."""
    plain = name[len("_sparse_") :] if name.startswith("_sparse_") else ""
    if plain in NAMES:
        return globals()[plain]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
