"""Where mixgrad differs from MXNet 1.9.1 on purpose; docs/from-mxnet.md lists the same rows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """One intended difference.

    Parameters
    ----------
    topic
        What it is about.
    mxnet, mixgrad
        What each of the two does.
    reason
        Why mixgrad differs.
    cases
        Patterns (`fnmatch`) over case names that it excuses; none where MXNet has no result to compare with.
    """

    topic: str
    mxnet: str
    mixgrad: str
    reason: str
    cases: tuple[str, ...] = ()


DIFFERENCES: tuple[Difference, ...] = (
    Difference(
        "integer division by 0",
        "the process dies",
        "the result is 0, as for the remainder",
        "a number in the data must not end a program",
    ),
    Difference(
        "`nag_mom_update` with `out=weight`, `mp_nag_mom_update`",
        "weight decay in the new momentum comes from the new weight; from the old one in `nag_mom_update` "
        "with another `out`",
        "from the old weight everywhere",
        "where the result goes must not change it",
        ("nag_mom_update|*momentum=0.9", "mp_nag_mom_update|*momentum=0.9", "mp_nag_mom_update|*wd=*"),
    ),
    Difference(
        "`mp_lamb_update_phase2`",
        "`weight32` keeps its old value",
        "`weight32` receives the new weight",
        "the weight in float32 is the one that trains",
    ),
    Difference(
        "gradient of `LeakyReLU(act_type='selu')`",
        "is not the derivative (0.175 at -1.946, where the slope is 0.251)",
        "the derivative",
        "finite differences say so",
        ("LeakyReLU|*act_type=selu*",),
    ),
    Difference(
        "gradient of `SoftmaxActivation` in three or more axes",
        "along axis 1, where the output is along the last axis",
        "along the last axis",
        "finite differences say so",
        ("SoftmaxActivation|float32?2,3,2,2?",),
    ),
    Difference(
        "gradients of gradients of `arcsinh` and `arccosh`, and of any by the head gradient that was given",
        "have the wrong sign; 0",
        "the derivatives",
        "finite differences say so",
    ),
    Difference(
        "gradients of `_npi_var`, `_npi_std`, `_np_atleast_1d` to `3d`",
        "0",
        "the derivative",
        "it exists",
    ),
    Difference(
        "gradients of `_npi_rot90` by odd turns, `_npi_rarctan2_scalar`, `_npi_where_lscalar`, "
        "`_npi_where_rscalar`, `_npi_matmul` of stacks that broadcast",
        "are not the derivative",
        "the derivative",
        "finite differences say so",
    ),
    Difference(
        "`_np_prod` of no elements",
        "0",
        "1",
        "as in NumPy",
    ),
    Difference(
        "`_npi_mean` of no elements",
        "0",
        "NaN",
        "as in NumPy, and as `_npi_var` has it in both",
        ("_npi_mean|*empty*",),
    ),
    Difference(
        "`_npi_degrees`, `_npi_radians` and gradients of `_npi_ldexp`, `_npi_rldexp_scalar` in float64",
        "right to about 8 digits",
        "right to float64",
        "constants are held in float64",
        (
            "_npi_degrees|float64*",
            "_npi_radians|float64*",
            "_npi_ldexp|float64*",
            "_npi_rldexp_scalar|float64*",
        ),
    ),
    Difference(
        "gradients of `gamma` and `gammaln` in float64",
        "right to about 7 digits",
        "right to float64",
        "digamma is computed in double precision",
        ("gamma|float64*", "gammaln|float64*"),
    ),
    Difference(
        "`SoftmaxOutput(out_grad=True)`",
        "multiplies the gradient by the operator's own output",
        "by the gradient of the output",
        "that is what it documents",
        ("SoftmaxOutput|*out_grad=True*",),
    ),
    Difference(
        "`BatchNorm(fix_gamma=True)`",
        "overwrites the array `gamma` with ones",
        "takes `gamma` as 1 and leaves the array",
        "a call must not change what it only reads",
    ),
    Difference(
        "moving averages of `BatchNorm`",
        "move in the backward pass on the CPU, so that those of frozen layers "
        '(`grad_req="null"` up to them) stay while the layers behind them train; with cuDNN in the '
        "forward call",
        "move in the forward call in training, but for a batch without elements; "
        "`use_global_stats=True`, or features computed outside `autograd.record()`, keep them",
        "a forward call alone already has the statistics",
    ),
    Difference(
        "gradient of `prod` and `norm` at 0",
        "NaN",
        "the product of the other elements; 0",
        "the derivative exists; training must not end in NaN",
    ),
    Difference(
        "labels of `softmax_cross_entropy` outside the classes",
        "read memory of other rows",
        "an error that names the row",
        "indices in the data must not read foreign memory",
    ),
    Difference(
        "gradient of `linalg.det` at a singular matrix",
        "0",
        "the derivative (the adjugate, transposed)",
        "it exists",
        ("linalg_det|*|singular",),
    ),
    Difference(
        "`GridGenerator` with one row or column",
        "NaN or infinity",
        "the middle, 0",
        "a division by 0 must not reach the network",
        ("GridGenerator|*target_shape=(1,3)", "GridGenerator|float32[[]2,2,3,1]|*"),
    ),
    Difference(
        "regions of `ROIPooling` on an image that is not there",
        "read foreign memory",
        "an error that names the region",
        "indices in the data must not read foreign memory",
    ),
    Difference(
        "regions of `contrib.ROIAlign`, `PSROIPooling`, `DeformablePSROIPooling`, "
        "`RROIAlign` on an image that is not there",
        "read foreign memory; where the image's number is negative, `ROIAlign` on a CPU leaves in its output "
        "what lay there (graphs of Faster and Mask R-CNN add such rows for regions of other scales)",
        "an error that names the region; zeros where the image's number is negative",
        "indices in the data must not read foreign memory",
    ),
    Difference(
        "`matches` of `contrib.box_encode` outside of `refs`",
        "read foreign memory",
        "an error that names the sample, where it is a positive one",
        "indices in the data must not read foreign memory",
    ),
    Difference(
        "`contrib.ROIAlign(aligned=True)` of a region without a size, "
        "`contrib.MultiProposal` of an image larger than its feature map",
        "end the process",
        "an error",
        "bad data must not end a program",
    ),
    Difference(
        "`contrib.quantized_rnn`",
        "refused on processors with VNNI; on others sums saturate in 16 bits; layers above the first of "
        "another width, or of two directions, are rounded by scales of other layers",
        "any processor, exact sums, each layer's own scale (the first layer's where all are of one width and "
        "direction, as in MXNet)",
        "layers of 8 bits run on every processor",
    ),
    Difference(
        "gradient of `contrib.RROIAlign`",
        "none",
        "that of `data`",
        "it exists",
    ),
    Difference(
        "`contrib.MultiBoxPrior`, `MultiBoxDetection`, `MultiBoxTarget`, `Proposal`, "
        "`MultiProposal` in dtypes other than float32",
        "refused",
        "computed",
        "half types work everywhere",
    ),
    Difference(
        "boxes with a NaN in `contrib.box_nms(in_format='center')`",
        "are suppressed or not, by the order of operands in a comparison",
        "overlap nothing, as with `corner`",
        "one rule for both formats",
    ),
    Difference(
        "gradient of `RNN(mode='rnn_tanh')`, `rnn_relu` with three or more layers",
        "of the input weights of the layers in the middle is not the derivative",
        "the derivative",
        "finite differences say so",
        ("RNN|*mode=rnn_*num_layers=3*",),
    ),
    Difference(
        "`use_sequence_length`, `lstm_state_clip_min` and `_max` of `RNN` on a CPU",
        "ignored",
        "as on a GPU: steps behind the end give 0 and leave the states, cells are bounded",
        "an option must not be dropped silently",
    ),
    Difference(
        "`RNN` in float16 and bfloat16 on a CPU",
        "refused",
        "computed in float32",
        "half types work everywhere",
    ),
    Difference(
        "labels and lengths of `CTCLoss` outside of their ranges",
        "read and write foreign memory",
        "an error that names the place",
        "indices in the data must not reach foreign memory",
    ),
    Difference(
        "gradient of `CTCLoss` where the labels do not fit the steps",
        "memory that was never written",
        "0, as the loss",
        "training must not learn from garbage",
    ),
    Difference(
        "`image.random_saturation` of colours",
        "each pixel's grey is 0.114 times its blue",
        "grey is 0.299 red + 0.587 green + 0.114 blue, as in `image.random_contrast`",
        "a mistake: a later channel replaces the sum",
        ("image.random_saturation|float32?4,5,3?*",),
    ),
    Difference(
        "`image.flip_left_right` of an odd width, `image.flip_top_bottom` of an odd height",
        "the middle column or row is never written",
        "all elements are",
        "memory that was never written must not be seen",
    ),
    Difference(
        "`image.*` that leave a picture as it is: hue and lighting of one channel, jitter of 0",
        "the output is never written",
        "a copy",
        "memory that was never written must not be seen",
    ),
    Difference(
        "gradients of `image.to_tensor`, `image.resize` and flips",
        "errors, or what arrives from above, not flipped",
        "the derivatives",
        "they exist",
    ),
    Difference(
        "`image.crop` with negative `x` or `y`",
        "reads foreign memory",
        "an error",
        "numbers given by a user must not reach foreign memory",
    ),
    Difference(
        "`_sample_unique_zipfian`",
        "rounds what it draws: class 1 is likelier than 0",
        "the documented probabilities, log((c + 2) / (c + 1)) / log(range_max + 1)",
        "as in `contrib.rand_zipfian`",
        ("_sample_unique_zipfian|range_max=4*",),
    ),
    Difference(
        "`unravel_index` of arrays of two or more axes",
        "all but the numbers of as many elements as the first axis has are lost, or come from foreign memory",
        "an axis of numbers in front of the array's shape",
        "as `numpy.unravel_index`",
        ("unravel_index|float32?2,2?|*",),
    ),
    Difference(
        "`_contrib_quantized_elemwise_mul` with a range that is too small for the products",
        "8-bit results wrap",
        "saturate",
        "a large product must not become a small one",
    ),
    Difference(
        "`contrib.fft`, `ifft`, `count_sketch`, `group_adagrad_update`; gradients with a mask of offsets",
        "only on a GPU",
        "on every device",
        "they are defined there",
    ),
    Difference(
        "`contrib.boolean_mask` along other axes",
        "refused",
        "computed",
        "nothing forbids it",
    ),
    Difference(
        "`_contrib_quantized_conv` of int8 data, of groups, and over one axis",
        "refused on a CPU",
        "computed, with the bias in the output's steps",
        "networks of signed data need no second model",
    ),
    Difference(
        "`_contrib_quantized_conv` of uint8 data",
        "the range of int8 data, and a bias that is not scaled",
        "the same",
        "models give what they gave",
    ),
    Difference(
        "`_contrib_quantized_act` of uint8 data",
        "the bytes as int8",
        "uint8",
        "200 must not become -56",
    ),
    Difference(
        "`_contrib_quantized_elemwise_add` of an int8 and a uint8 array",
        "int32 sums that are wrong by up to the range; 8-bit ones by a step",
        "the sum",
        "a sum must be one",
    ),
    Difference(
        "`_contrib_quantized_batch_norm` with a large `eps`",
        "counts `eps` twice",
        "once, as `BatchNorm`",
        "",
    ),
    Difference(
        "`_contrib_requantize` of data that hold -2^31",
        "the magnitude becomes negative and the signs turn round",
        "counts it as 2^31",
        "",
    ),
    Difference(
        "`_contrib_quantized_fully_connected` with a bias beyond int32",
        "any number",
        "saturates",
        "",
    ),
    Difference(
        "`_contrib_calibrate_entropy` of an even number of bins, or of too few",
        "reads foreign memory or fails to get memory",
        "an error",
        "a wrong histogram must not end a program",
    ),
    Difference(
        "`clip` in a layer that MXNet fused in 8 bits, without a known range",
        "clips sums of 32 bits at its bounds",
        "clips the values",
        "the bounds are values",
    ),
    Difference(
        "`_sg_mkldnn_conv`, `_sg_mkldnn_fully_connected` in files",
        "operators",
        "read as the operators inside, or as `_quantized_conv_block` and the like, which new files hold",
        "the planner fuses what it finds by itself",
    ),
)

# MXNet operators that have cases but no counterpart in mixgrad.
NOT_PROVIDED: tuple[str, ...] = ()
