"""Parameters that no caller can mean: a message that names the operator and what is wrong, never a crash."""

from __future__ import annotations

import json
import time
from typing import Any

import numpy as np
import pytest

import mixgrad as mx

NAN, INF = float("nan"), float("inf")
B31, B63, M63 = 2**31 - 1, 2**63 - 1, -(2**63)
ERRORS = (TypeError, ValueError, IndexError, MemoryError, mx.MXNetError)

# Operator, inputs (a shape, of ones, or a list of values), parameters, what the message begins with.
OPERATORS: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("Activation", [(2,)], {"act_type": "nope"}, "[Activation] parameter 'act_type' got 'nope';"),
    ("add_n", [], {}, "[add_n] got 0 inputs; expected"),
    ("amp_multicast", [], {"num_outputs": 0}, "[amp_multicast] parameter 'num_outputs' got 0;"),
    ("amp_multicast", [(2,)], {"num_outputs": 5}, "[amp_multicast] got 1 inputs; expected"),
    ("argmax", [(0, 3)], {"axis": 0}, "[argmax] an axis without elements"),
    ("argmax", [(0, 3)], {}, "[argmax] an axis without elements"),
    ("argmax", [(3, 3)], {"axis": 5}, "[argmax] axis 5 is outside"),
    ("argmin", [(3, 0)], {"axis": 1}, "[argmin] an axis without elements"),
    ("batch_dot", [(2, 2, 2), (3, 2, 2)], {}, "[batch_dot] axis 0 differs; stacks"),
    ("BatchNorm", [(2, 3), (3,), (3,), (3,), (3,)], {"axis": 9}, "[BatchNorm] axis 9 is outside"),
    ("BatchNorm", [(2, 3), (4,), (3,), (3,), (3,)], {}, "[BatchNorm] gamma has shape (4,);"),
    ("BatchNorm", [(2, 3), (3,), (3,), (3,), (3,)], {"eps": -5}, "[BatchNorm] parameter 'eps' got -5;"),
    ("broadcast_add", [(2, 3), (3, 2)], {}, "[broadcast_add] shapes (2, 3) and"),
    ("broadcast_axis", [(2, 1)], {"axis": (1, 1), "size": (2, 3)}, "[broadcast_axis] axis 1 has extent"),
    ("broadcast_axis", [(2, 1)], {"axis": (1,), "size": (2, 3)}, "[broadcast_axis] axis (1,) and size"),
    ("broadcast_axis", [(2, 1)], {"axis": 0, "size": 4}, "[broadcast_axis] axis 0 has extent"),
    (
        "broadcast_like",
        [(1, 1), (3, 3)],
        {"lhs_axes": (0,), "rhs_axes": (9,)},
        "[broadcast_like] axis 9 is outside",
    ),
    (
        "broadcast_like",
        [(1, 1), (3, 3)],
        {"lhs_axes": (), "rhs_axes": ()},
        "[broadcast_like] lhs_axes () and rhs_axes",
    ),
    ("broadcast_to", [(2, 1)], {"shape": (2, B63)}, "[broadcast_to] shape (2, 9223372036854775807) asks"),
    ("broadcast_to", [(2, 1)], {"shape": (2,)}, "[broadcast_to] cannot broadcast to (2,):"),
    ("cast", [(2,)], {"dtype": "nope"}, "[dtype] no dtype is called"),
    (
        "col2im",
        [(1, 4, 9)],
        {"output_size": (4, 4), "kernel": (2, 2), "stride": (0, 0)},
        "[col2im] kernel (2, 2), stride",
    ),
    ("col2im", [(1, 4, 9)], {"output_size": (0, 0), "kernel": (2, 2)}, "[col2im] kernel (2, 2), stride"),
    ("col2im", [(1, 4, 9)], {"output_size": (-4, 4), "kernel": (2, 2)}, "[col2im] kernel (2, 2), stride"),
    ("Concat", [], {"num_args": 0}, "[Concat] got 0 inputs; expected"),
    ("concat", [], {}, "[Concat] got 0 inputs; expected"),
    ("concat", [(2, 2)], {"dim": 5}, "[Concat] axis 5 is outside"),
    ("concat", [(2, 2), (2, 2)], {"dim": -9}, "[Concat] axis -9 is outside"),
    (
        "contrib.AdaptiveAvgPooling2D",
        [(1, 1, 4, 4)],
        {"output_size": 0},
        "[_contrib_AdaptiveAvgPooling2D] parameter 'output_size'",
    ),
    (
        "contrib.AdaptiveAvgPooling2D",
        [(1, 1, 4, 4)],
        {"output_size": (-1, 2)},
        "[_contrib_AdaptiveAvgPooling2D] parameter 'output_size'",
    ),
    (
        "contrib.AdaptiveAvgPooling2D",
        [(1, 1, 4, 4)],
        {"output_size": (2**30, 2**30)},
        "[storage] cpu(0) has no room",
    ),
    ("contrib.arange_like", [(3,)], {"repeat": 0}, "[_contrib_arange_like] parameter 'repeat' got 0;"),
    ("contrib.arange_like", [(3,)], {"axis": 7}, "[_contrib_arange_like] axis 7 is outside"),
    (
        "contrib.BilinearResize2D",
        [(1, 1, 4, 4)],
        {"height": 0, "width": 0},
        "[_contrib_BilinearResize2D] parameter 'height' got 0;",
    ),
    (
        "contrib.BilinearResize2D",
        [(1, 1, 4, 4)],
        {"height": B31, "width": B31},
        "[_contrib_BilinearResize2D] parameter 'height' got",
    ),
    (
        "contrib.BilinearResize2D",
        [(1, 1, 4, 4)],
        {"scale_height": NAN, "scale_width": 1e30},
        "[_contrib_BilinearResize2D] a scale is nan;",
    ),
    (
        "contrib.box_nms",
        [(2, 6)],
        {"coord_start": B31, "score_index": B31},
        f"[_contrib_box_nms] coord_start is {B31};",
    ),
    ("contrib.box_nms", [(2, 6)], {"topk": B63}, "[_contrib_box_nms] parameter 'topk' got"),
    (
        "contrib.DeformablePSROIPooling",
        [(1, 1, 2, 2), [[0, 0, 0, 1, 1]]],
        {"spatial_scale": 1, "output_dim": B31, "group_size": B31, "pooled_size": 1, "no_trans": True},
        "[_contrib_DeformablePSROIPooling] more channels",
    ),
    ("contrib.index_array", [(3, 2)], {"axes": (9,)}, "[_contrib_index_array] axis 9 is outside"),
    ("contrib.index_copy", [(3, 2), [9], (1, 2)], {}, "[_contrib_index_copy] index 9 at position"),
    (
        "contrib.interleaved_matmul_selfatt_qk",
        [(2, 3, 12)],
        {"heads": 0},
        "[_contrib_interleaved_matmul_selfatt_qk] parameter",
    ),
    (
        "contrib.interleaved_matmul_selfatt_qk",
        [(2, 3, 12)],
        {"heads": 5},
        "[_contrib_interleaved_matmul_selfatt_qk] expected",
    ),
    (
        "contrib.interleaved_matmul_selfatt_valatt",
        [(2, 3, 12), (1, 1, 1)],
        {"heads": 4},
        "[_contrib_interleaved_matmul_selfatt_valatt] expected",
    ),
    (
        "contrib.MultiBoxPrior",
        [(1, 1, 2, 2)],
        {"steps": (NAN,)},
        "[_contrib_MultiBoxPrior] steps has 1",
    ),
    (
        "contrib.Proposal",
        [(1, 2, 1, 1), (1, 4, 1, 1), [[16, 16, 1]]],
        {"scales": (1,), "ratios": (1,), "rpn_post_nms_top_n": M63},
        "[_contrib_Proposal] parameter 'rpn_post_nms_top_n' got",
    ),
    (
        "contrib.PSROIPooling",
        [(1, 1, 2, 2), [[0, 0, 0, 1, 1]]],
        {"spatial_scale": 1, "output_dim": B31, "pooled_size": B31},
        "[_contrib_PSROIPooling] more channels",
    ),
    (
        "contrib.ROIAlign",
        [(1, 1, 2, 2), [[0, 0, 0, 1, 1]]],
        {"pooled_size": (B63, B63), "spatial_scale": 1},
        "[_contrib_ROIAlign] pooled_size is",
    ),
    (
        "contrib.ROIAlign",
        [(1, 1, 2, 2), [[0, 0, 0, 1, 1]]],
        {"pooled_size": (1, 1), "spatial_scale": 1, "sample_ratio": B31},
        "[_contrib_ROIAlign] parameter 'sample_ratio' got",
    ),
    (
        "contrib.RROIAlign",
        [(1, 1, 2, 2), [[0, 0, 0, 1e30, 1, 0]]],
        {"pooled_size": (1, 1), "spatial_scale": 1},
        "[_contrib_RROIAlign] region 0 is",
    ),
    (
        "Convolution",
        [(1, 1, 4, 4), (1, 1, 3, 3)],
        {"kernel": (3, 3), "num_filter": 1, "no_bias": True, "stride": (0, 0)},
        "[Convolution] stride is (0, 0);",
    ),
    (
        "Convolution",
        [(1, 1, 4, 4), (1, 1, 3, 3)],
        {"kernel": (3, 3), "num_filter": 1, "no_bias": True, "stride": (-1, 1)},
        "[Convolution] stride is (?, 1);",
    ),
    (
        "Convolution",
        [(1, 1, 4, 4), (1, 1, 3, 3)],
        {"kernel": (3, 3), "num_filter": 1, "no_bias": True, "dilate": (0, 0)},
        "[Convolution] dilate is (0, 0);",
    ),
    (
        "Convolution",
        [(1, 1, 4, 4), (1, 1, 3, 3)],
        {"kernel": (3, 3), "num_filter": 1, "no_bias": True, "dilate": (B31, 1)},
        "[Convolution] dilate is (2147483647, 1);",
    ),
    (
        "Convolution",
        [(1, 1, 4, 4), (1, 1, 3, 3)],
        {"kernel": (3, 3), "num_filter": 1, "no_bias": True, "pad": (B31, B31)},
        "[Convolution] pad is (2147483647, 2147483647);",
    ),
    (
        "Convolution",
        [(1, 1, 4, 4), (1, 1, 3, 3)],
        {"kernel": (3, 3), "num_filter": 1, "no_bias": True, "pad": (B63, B63)},
        "[Convolution] pad is (9223372036854775807,",
    ),
    (
        "Convolution",
        [(1, 1, 4, 4), (1, 1, 3, 3)],
        {"kernel": (3, 3), "num_filter": 1, "no_bias": True, "pad": (2**62, 2**62)},
        "[Convolution] pad is (4611686018427387904,",
    ),
    (
        "Convolution",
        [(1, 1, 4, 4), (1, 1, 3, 3)],
        {"kernel": (3, 3), "num_filter": 1, "no_bias": True, "pad": (2**40, 0), "stride": (2**40, 1)},
        "[Convolution] stride is (1099511627776, 1);",
    ),
    (
        "Convolution",
        [(1, 1, 4, 4), (1, 1, 3, 3)],
        {"kernel": (3, 3), "num_filter": 1, "no_bias": True, "stride": (B63, B63)},
        "[Convolution] stride is (9223372036854775807,",
    ),
    (
        "Convolution",
        [(1, 1, 4, 4), (1, 1, 3, 3)],
        {"kernel": (3, 3), "num_filter": 1, "no_bias": True, "pad": (-1, 0)},
        "[Convolution] pad is (?, 0);",
    ),
    (
        "Convolution",
        [(1, 1, 4, 4), (1, 1, 3, 3)],
        {"kernel": (3, 3), "num_filter": 1, "no_bias": True, "num_group": 0},
        "[Convolution] parameter 'num_group' got 0;",
    ),
    (
        "Convolution",
        [(1, 1, 4, 4), (1, 1, 3, 3)],
        {"kernel": (3, 3), "num_filter": 1, "no_bias": True, "num_group": -1},
        "[Convolution] parameter 'num_group' got -1;",
    ),
    (
        "Convolution",
        [(1, 1, 4, 4), (1, 1, 3, 3)],
        {"kernel": (3, 3), "num_filter": 1, "no_bias": True, "num_group": B31},
        "expected int >= 1 and <= 1073741824",
    ),
    (
        "Convolution",
        [(1, 1, 4, 4), (1, 1, 5, 5)],
        {"kernel": (5, 5), "num_filter": 1, "no_bias": True},
        "[Convolution] the kernel covers 5",
    ),
    (
        "Correlation",
        [(1, 1, 4, 4), (1, 1, 4, 4)],
        {"kernel_size": 0, "max_displacement": 1, "stride1": 1, "stride2": 1},
        "[Correlation] parameter 'kernel_size' got 0;",
    ),
    (
        "Correlation",
        [(1, 1, 4, 4), (1, 1, 4, 4)],
        {"kernel_size": 1, "max_displacement": 1, "stride1": 0, "stride2": 1},
        "[Correlation] parameter 'stride1' got 0;",
    ),
    (
        "Correlation",
        [(1, 1, 4, 4), (1, 1, 4, 4)],
        {"kernel_size": 1, "max_displacement": 1, "stride1": 1, "stride2": 0},
        "[Correlation] parameter 'stride2' got 0;",
    ),
    ("Crop", [(1, 1, 4, 4)], {"offset": (9, 9), "h_w": (2, 2), "num_args": 1}, "[Crop] the window takes 2"),
    (
        "Crop",
        [(1, 1, 4, 4)],
        {"offset": (-1, 0), "h_w": (2, 2), "num_args": 1},
        "[Crop] parameter 'offset' got (-1,",
    ),
    (
        "Crop",
        [(1, 1, 4, 4)],
        {"offset": (2**31 - 1, 2**31 - 1), "h_w": (2, 2), "num_args": 1},
        "[Crop] the window takes 2",
    ),
    ("CTCLoss", [(4, 1, 3), [[9, 1]]], {}, "[CTCLoss] label 9 at (0,"),
    ("CTCLoss", [(4, 1, 3), [[-9, NAN]]], {}, "[CTCLoss] label -9 at (0,"),
    ("CTCLoss", [(1, 1, 3), [[1, 1, 1, 1]]], {}, "[CTCLoss] labels of up to"),
    ("cumsum", [(2, 2)], {"axis": 9}, "[cumsum] axis 9 is outside"),
    (
        "Deconvolution",
        [(1, 1, 4, 4), (1, 1, 3, 3)],
        {"kernel": (3, 3), "num_filter": 1, "stride": (0, 0)},
        "[Deconvolution] stride is (0, 0);",
    ),
    (
        "Deconvolution",
        [(1, 1, 4, 4), (1, 1, 3, 3)],
        {"kernel": (3, 3), "num_filter": 1, "stride": (B31, B31)},
        "[Deconvolution] stride is (2147483647, 2147483647);",
    ),
    (
        "Deconvolution",
        [(1, 1, 4, 4), (1, 1, 3, 3)],
        {"kernel": (3, 3), "num_filter": 1, "stride": (2**62, 2**62)},
        "[Deconvolution] stride is (4611686018427387904,",
    ),
    (
        "Deconvolution",
        [(1, 1, 4, 4), (1, 1, 3, 3)],
        {"kernel": (3, 3), "num_filter": 1, "pad": (100, 100)},
        "[Deconvolution] pad (100, 100) leaves",
    ),
    (
        "Deconvolution",
        [(1, 1, 4, 4), (1, 1, 3, 3)],
        {"kernel": (3, 3), "num_filter": 1, "pad": (3, 3)},
        "[Deconvolution] pad (3, 3) leaves",
    ),
    (
        "Deconvolution",
        [(1, 1, 4, 4), (1, 1, 3, 3)],
        {"kernel": (3, 3), "num_filter": 1, "adj": (-1, -1)},
        "[Deconvolution] adj is (?, ?);",
    ),
    (
        "Deconvolution",
        [(1, 1, 4, 4), (1, 1, 3, 3)],
        {"kernel": (3, 3), "num_filter": 1, "adj": (50, 50), "stride": (2, 2)},
        "[Deconvolution] adj is (50, 50);",
    ),
    (
        "Deconvolution",
        [(1, 1, 4, 4), (1, 1, 3, 3)],
        {"kernel": (3, 3), "num_filter": 1, "target_shape": (1, 1)},
        "[Deconvolution] adj is (1, 1);",
    ),
    (
        "Deconvolution",
        [(1, 1, 4, 4), (1, 1, 3, 3)],
        {"kernel": (3, 3), "num_filter": 1, "target_shape": (B31, B31)},
        "[Deconvolution] target_shape (2147483647, 2147483647) is",
    ),
    ("depth_to_space", [(1, 4, 2, 2)], {"block_size": 0}, "[depth_to_space] parameter 'block_size' got 0;"),
    ("depth_to_space", [(1, 4, 2, 2)], {"block_size": -2}, "[depth_to_space] parameter 'block_size' got -2;"),
    (
        "depth_to_space",
        [(1, 4, 2, 2)],
        {"block_size": B31},
        "[depth_to_space] parameter 'block_size' got 2147483647;",
    ),
    ("diag", [(3,)], {"k": B31}, "[diag] shape (2147483650, 2147483650) asks"),
    ("diag", [(3,)], {"k": 2**62}, "[diag] shape (4611686018427387907, 4611686018427387907)"),
    ("diag", [(3, 3)], {"axis1": 0, "axis2": 0}, "[diag] axis1 0 and axis2"),
    ("dot", [(2, 3), (2, 3)], {}, "[dot] the last axis of"),
    ("dot", [(), (2,)], {}, "[dot] both operands need at"),
    ("Dropout", [(3,)], {"p": 2}, "[Dropout] parameter 'p' got 2;"),
    ("Dropout", [(3,)], {"p": NAN}, "[Dropout] parameter 'p' got nan;"),
    ("Dropout", [(3,)], {"p": -1, "mode": "always"}, "[Dropout] parameter 'p' got -1;"),
    ("ElementWiseSum", [], {}, "[add_n] got 0 inputs; expected"),
    (
        "Embedding",
        [[0, 9], (0, 2)],
        {"input_dim": 0, "output_dim": 2},
        "[Embedding] parameter 'input_dim' got 0;",
    ),
    (
        "Embedding",
        [[0], (3, 0)],
        {"input_dim": 3, "output_dim": 0},
        "[Embedding] parameter 'output_dim' got 0;",
    ),
    ("Embedding", [[0], (3, 2)], {"input_dim": 30, "output_dim": 2}, "[Embedding] weight has shape (3,"),
    ("expand_dims", [(2,)], {"axis": 9}, "[expand_dims] axis 9 is outside"),
    ("expand_dims", [(2,)], {"axis": -9}, "[expand_dims] axis -9 is outside"),
    ("flip", [(2, 3)], {"axis": 9}, "[reverse] axis 9 is outside"),
    (
        "FullyConnected",
        [(2, 3), (0, 3)],
        {"num_hidden": 0, "no_bias": True},
        "[FullyConnected] parameter 'num_hidden' got 0;",
    ),
    (
        "FullyConnected",
        [(2, 3), (4, 3)],
        {"num_hidden": -4, "no_bias": True},
        "[FullyConnected] parameter 'num_hidden' got -4;",
    ),
    (
        "FullyConnected",
        [(), (4, 1)],
        {"num_hidden": 4, "no_bias": True},
        "[FullyConnected] data needs at least",
    ),
    ("gather_nd", [(3, 2), [[9], [0]]], {}, "[gather_nd] index 9 at position"),
    ("gather_nd", [(3, 2), [[-9], [0]]], {}, "[gather_nd] index -9 at position"),
    (
        "GridGenerator",
        [(1, 6)],
        {"transform_type": "affine", "target_shape": (0, 0)},
        "[GridGenerator] target_shape is (0, 0);",
    ),
    (
        "GridGenerator",
        [(1, 6)],
        {"transform_type": "affine", "target_shape": (-1, 4)},
        "[GridGenerator] parameter 'target_shape' got (-1,",
    ),
    (
        "GridGenerator",
        [(1, 6)],
        {"transform_type": "affine", "target_shape": (2**31 - 1, 2**31 - 1)},
        "[GridGenerator] shape (1, 2, 2147483647,",
    ),
    ("GroupNorm", [(2, 4, 3), (4,), (4,)], {"num_groups": 0}, "[GroupNorm] parameter 'num_groups' got 0;"),
    ("GroupNorm", [(2, 4, 3), (4,), (4,)], {"num_groups": 3}, "[GroupNorm] num_groups is 3, which"),
    ("GroupNorm", [(2, 4, 3), (4,), (4,)], {"num_groups": -2}, "[GroupNorm] parameter 'num_groups' got -2;"),
    ("histogram", [[NAN, INF, 1]], {"bins": 5}, "[_histogram] with bin_cnt, expected a"),
    ("histogram", [(3,), []], {}, "[_histogram] bins must be a"),
    ("histogram", [(3,), [1]], {}, "[_histogram] bins must be a"),
    ("im2col", [(1, 1, 4, 4)], {"kernel": (9, 9)}, "[im2col] kernel (9, 9), stride"),
    ("im2col", [(1, 1, 4, 4)], {"kernel": (2, 2), "stride": (0, 0)}, "[im2col] kernel (2, 2), stride"),
    (
        "im2col",
        [(1, 1, 4, 4)],
        {"kernel": (2, 2), "pad": (2**31 - 1, 2**31 - 1)},
        "[im2col] kernel (2, 2) and",
    ),
    ("InstanceNorm", [(2, 3), (3,), (3,)], {}, "[InstanceNorm] data needs at least"),
    ("khatri_rao", [], {}, "[khatri_rao] got 0 inputs; expected"),
    ("khatri_rao", [(2, 3), (2, 2)], {}, "[khatri_rao] arg1 has shape (2,"),
    ("L2Normalization", [(2, 3)], {"mode": "channel"}, "[L2Normalization] data needs at least"),
    (
        "lamb_update_phase1",
        [(2,), (2,), (2,), (2,)],
        {"beta1": 0.9, "beta2": 0.9, "epsilon": 0, "t": 0, "wd": 0},
        "[lamb_update_phase1] parameter 't' got 0;",
    ),
    ("LayerNorm", [(2, 3), (3,), (3,)], {"axis": 9}, "[LayerNorm] axis 9 is outside"),
    ("LeakyReLU", [(2, 3)], {"act_type": "nope"}, "[LeakyReLU] parameter 'act_type' got 'nope';"),
    (
        "linalg.extractdiag",
        [(2, 2)],
        {"offset": B31},
        "[_linalg_extractdiag] offset 2147483647 lies outside;",
    ),
    ("linalg.extracttrian", [(2, 2)], {"offset": 9}, "[_linalg_extracttrian] offset 9 lies outside;"),
    (
        "linalg.extracttrian",
        [(2, 2)],
        {"offset": -(2**31)},
        "[_linalg_extracttrian] offset -2147483648 lies outside;",
    ),
    ("linalg.gelqf", [(3, 2)], {}, "[_linalg_gelqf] expected at most as"),
    ("linalg.makediag", [(2,)], {"offset": B31}, "[_linalg_makediag] shape (2147483649, 2147483649) asks"),
    ("linalg.makediag", [(2,)], {"offset": -(2**31)}, "[_linalg_makediag] offset -2147483648 is too"),
    ("linalg.maketrian", [(4,)], {}, "[_linalg_maketrian] the last axis has"),
    ("linalg.maketrian", [(3,)], {"offset": B31}, "[_linalg_maketrian] shape (2147483649, 2147483649) asks"),
    ("linalg.potrf", [(2, 3)], {}, "[_linalg_potrf] expected square matrices as"),
    ("LinearRegressionOutput", [(2, 3), (2, 2)], {}, "[LinearRegressionOutput] label must have as"),
    ("LRN", [(1, 3, 2, 2)], {"nsize": 0}, "[LRN] parameter 'nsize' got 0;"),
    ("LRN", [(1, 3, 2, 2)], {"nsize": 2}, "[LRN] nsize is 2, expected"),
    ("LRN", [(1, 3, 2, 2)], {"nsize": -3}, "[LRN] parameter 'nsize' got -3;"),
    ("max", [(0, 3)], {"axis": 0}, "[max] an axis without elements"),
    ("min", [(0, 3)], {}, "[min] an axis without elements"),
    ("moments", [(2, 3)], {"axes": (0, 0)}, "[moments] axis (0, 0) names"),
    ("moments", [(2, 3)], {"axes": (9,)}, "[moments] axis 9 is outside"),
    ("multi_all_finite", [(2,)], {"num_arrays": 9}, "[multi_all_finite] got 1 inputs; expected"),
    ("multi_all_finite", [], {"num_arrays": 0}, "[multi_all_finite] parameter 'num_arrays' got 0;"),
    (
        "multi_sgd_update",
        [(2,), (2,)],
        {"lrs": (0.1,), "wds": (0, 0), "num_weights": 1},
        "[multi_sgd_update] got 1 lrs and",
    ),
    (
        "multi_sgd_update",
        [(2,), (2,)],
        {"lrs": (), "wds": (), "num_weights": 0},
        "[multi_sgd_update] parameter 'num_weights' got 0;",
    ),
    (
        "multi_sgd_update",
        [],
        {"lrs": (), "wds": (), "num_weights": 0},
        "[multi_sgd_update] parameter 'num_weights' got 0;",
    ),
    ("multi_sum_sq", [(2,)], {"num_arrays": 0}, "[multi_sum_sq] parameter 'num_arrays' got 0;"),
    ("multi_sum_sq", [], {"num_arrays": 0}, "[multi_sum_sq] parameter 'num_arrays' got 0;"),
    ("norm", [(2, 2)], {"ord": 0}, "[norm] parameter 'ord' got 0;"),
    ("norm", [(2, 2)], {"ord": 3}, "[norm] parameter 'ord' got 3;"),
    ("norm", [(2, 2)], {"ord": 2, "axis": (0, 0)}, "[norm] axis (0, 0) names"),
    ("one_hot", [[0, 5, -1, NAN]], {"depth": -1}, "[one_hot] parameter 'depth' got -1;"),
    ("one_hot", [[0]], {"depth": B63}, "[one_hot] shape (1, 9223372036854775807) asks"),
    (
        "pad",
        [(1, 1, 2, 2)],
        {"mode": "constant", "pad_width": (0, 0, 0, 0, -1, 0, 0, 0)},
        "[Pad] margins -1 and 0",
    ),
    (
        "pad",
        [(1, 1, 2, 2)],
        {"mode": "reflect", "pad_width": (0, 0, 0, 0, 2, 2, 2, 2)},
        "[Pad] margins 2 and 2",
    ),
    ("pad", [(1, 1, 0, 2)], {"mode": "edge", "pad_width": (0, 0, 0, 0, 1, 1, 1, 1)}, "[Pad] margins 1 and 1"),
    ("pick", [(3, 0), [0, 0, 0]], {}, "[pick] nothing to pick from"),
    ("pick", [(3, 0), [0, 0, 0]], {"mode": "wrap"}, "[pick] nothing to pick from"),
    ("pick", [(3, 2), [0, 9]], {}, "[pick] expected index shape (3,)"),
    ("Pooling", [(1, 1, 4, 4)], {"kernel": (0, 0)}, "[Pooling] kernel is (0, 0);"),
    ("Pooling", [(1, 1, 4, 4)], {"kernel": (-1, 2)}, "[Pooling] kernel is (?, 2);"),
    ("Pooling", [(1, 1, 4, 4)], {"kernel": (2, 2), "stride": (0, 0)}, "[Pooling] stride is (0, 0);"),
    ("Pooling", [(1, 1, 4, 4)], {"kernel": (2, 2), "stride": (-2, 1)}, "[Pooling] stride is (?, 1);"),
    ("Pooling", [(1, 1, 4, 4)], {"kernel": (5, 5)}, "[Pooling] kernel (5, 5) is"),
    (
        "Pooling",
        [(1, 1, 4, 4)],
        {"kernel": (5, 5), "pooling_convention": "full"},
        "[Pooling] kernel (5, 5) is",
    ),
    (
        "Pooling",
        [(1, 1, 4, 4)],
        {"kernel": (2, 2), "pad": (B31, B31)},
        "[Pooling] pad is (2147483647, 2147483647);",
    ),
    (
        "Pooling",
        [(1, 1, 4, 4)],
        {"kernel": (B63, B63), "pad": (B63, B63)},
        "[Pooling] kernel is (9223372036854775807,",
    ),
    (
        "Pooling",
        [(1, 1, 4, 4)],
        {"kernel": (2, 2), "stride": (B63, B63), "pooling_convention": "full"},
        "[Pooling] stride is (9223372036854775807,",
    ),
    (
        "preloaded_multi_sgd_update",
        [(2,), (2,), (1,), (0,)],
        {"num_weights": 1},
        "[preloaded_multi_sgd_update] arg3 has shape (0,);",
    ),
    ("ravel_multi_index", [[[1], [2]]], {"shape": (0, 0)}, "[_ravel_multi_index] shape (0, 0) must"),
    ("ravel_multi_index", [[[1], [2]]], {"shape": (3,)}, "[_ravel_multi_index] expected a row per"),
    ("repeat", [(2,)], {"repeats": -1}, "[repeat] parameter 'repeats' got -1;"),
    ("repeat", [(2,)], {"repeats": 2**62}, "[repeat] extent 2 repeated 4611686018427387904"),
    ("repeat", [(2,)], {"repeats": B63}, "[repeat] extent 2 repeated 9223372036854775807"),
    ("reshape", [(2, 3)], {"shape": (-1, -1)}, "[Reshape] shape (2, 3) cannot"),
    ("reshape", [(2, 3)], {"shape": (0, 0, 0)}, "[Reshape] shape (2, 3) cannot"),
    ("reshape", [(2, 3)], {"shape": (-4,)}, "[Reshape] shape (2, 3) cannot"),
    (
        "RNN",
        [(2, 1, 3), (1000,), (1, 1, 4)],
        {"state_size": 4, "num_layers": 1, "mode": "rnn_tanh"},
        "[RNN] parameters has shape (1000,);",
    ),
    (
        "RNN",
        [(2, 1, 3), (36,), (1, 1, 4)],
        {"state_size": 4, "num_layers": 0, "mode": "rnn_tanh"},
        "[RNN] parameter 'num_layers' got 0;",
    ),
    (
        "RNN",
        [(2, 1, 3), (36,), (1, 1, 4)],
        {"state_size": 0, "num_layers": 1, "mode": "rnn_tanh"},
        "[RNN] parameter 'state_size' got 0;",
    ),
    (
        "ROIPooling",
        [(1, 1, 4, 4), [[9, 0, 0, 3, 3]]],
        {"pooled_size": (2, 2), "spatial_scale": 1},
        "[ROIPooling] region 0 lies on",
    ),
    (
        "ROIPooling",
        [(1, 1, 4, 4), [[NAN, 0, 0, 3, 3]]],
        {"pooled_size": (2, 2), "spatial_scale": 1},
        "[ROIPooling] region 0 lies on",
    ),
    (
        "ROIPooling",
        [(1, 1, 4, 4), [[0, 0, 0, 3, 3]]],
        {"pooled_size": (0, 0), "spatial_scale": 1},
        "[ROIPooling] parameter 'pooled_size' got (0,",
    ),
    ("scatter_nd", [(1,), [[9], [0]]], {"shape": (3, 2)}, "[scatter_nd] index 9 at position"),
    ("scatter_nd", [(1,), [[0], [0]]], {"shape": (-3, 2)}, "[scatter_nd] shape (?, 2) and"),
    ("scatter_nd", [(1,), [[0], [0]]], {"shape": ()}, "[scatter_nd] indices (2, 1) name"),
    ("SequenceLast", [(0, 2)], {}, "[SequenceLast] sequences without steps have"),
    (
        "SequenceMask",
        [(3, 2), [1]],
        {"use_sequence_length": True},
        "[SequenceMask] sequence_length has shape (1,);",
    ),
    ("SequenceMask", [(3, 2)], {"axis": 5}, "[SequenceMask] parameter 'axis' got 5;"),
    ("sgd_mom_update", [(2,), (2,), (3,)], {"lr": 0.1}, "[sgd_mom_update] weight has shape (2,);"),
    ("sgd_update", [(2,), (3,)], {"lr": 0.1}, "[sgd_update] weight has shape (2,);"),
    ("slice", [(4, 4)], {"begin": (0,), "end": (4,), "step": (0,)}, "[slice] step 0 on axis"),
    ("slice", [(4, 4)], {"begin": (0, 0, 0), "end": (1, 1, 1)}, "[slice] 3 begins, 3 ends"),
    ("slice_axis", [(4, 4)], {"axis": 0, "begin": 3, "end": 1}, "[slice_axis] begin 3 and end"),
    ("slice_axis", [(4, 4)], {"axis": 7, "begin": 0, "end": 1}, "[slice_axis] axis 7 is outside"),
    (
        "slice_axis",
        [(4, 4)],
        {"axis": 0, "begin": M63, "end": B63},
        "[slice_axis] begin -9223372036854775808 and end",
    ),
    ("slice_like", [(4, 4), (9, 9)], {}, "[slice_like] axis 0 of shape"),
    ("slice_like", [(4, 4), (2,)], {"axes": (1,)}, "[slice_like] axis 1 is outside"),
    ("slice_like", [(4, 4), (2, 2)], {"axes": (-5,)}, "[slice_like] axis -5 is outside"),
    ("SliceChannel", [(4, 4)], {"num_outputs": 0}, "[SliceChannel] parameter 'num_outputs' got 0;"),
    ("SliceChannel", [(4, 4)], {"num_outputs": -1}, "[SliceChannel] parameter 'num_outputs' got -1;"),
    (
        "SliceChannel",
        [(4, 4)],
        {"num_outputs": B31},
        "[SliceChannel] parameter 'num_outputs' got 2147483647;",
    ),
    (
        "SliceChannel",
        [(4, 0)],
        {"num_outputs": 100000000},
        "[SliceChannel] parameter 'num_outputs' got 100000000;",
    ),
    ("SliceChannel", [(4, 3)], {"num_outputs": 3, "axis": 7}, "[SliceChannel] axis 7 is outside"),
    ("SliceChannel", [(4, 3)], {"num_outputs": 3, "axis": -3}, "[SliceChannel] axis -3 is outside"),
    ("SliceChannel", [()], {"num_outputs": 1}, "[SliceChannel] axis 1 is outside"),
    ("softmax", [(2, 3)], {"axis": 9}, "[softmax] axis 9 is outside"),
    ("softmax_cross_entropy", [(2, 3), [9, -1]], {}, "[softmax_cross_entropy] label 9 of row"),
    ("softmax_cross_entropy", [(2, 3), [NAN, INF]], {}, "[softmax_cross_entropy] label nan of row"),
    ("softmax_cross_entropy", [(2, 0), [0, 0]], {}, "[softmax_cross_entropy] label 0 of row"),
    ("sort", [(2,)], {"axis": 4}, "[sort] axis 4 is outside"),
    ("space_to_depth", [(1, 4, 2, 2)], {"block_size": 0}, "[space_to_depth] parameter 'block_size' got 0;"),
    ("space_to_depth", [(1, 4, 2, 2)], {"block_size": 3}, "[space_to_depth] expected (N, C, H,"),
    (
        "SpatialTransformer",
        [(1, 1, 4, 4), (1, 6)],
        {"transform_type": "affine", "sampler_type": "bilinear", "target_shape": (0, 0)},
        "[SpatialTransformer] target_shape is (0, 0);",
    ),
    ("squeeze", [(2, 1)], {"axis": 0}, "[squeeze] axis 0 has extent"),
    ("squeeze", [(1,)], {"axis": 9}, "[squeeze] axis 9 is outside"),
    ("stack", [], {}, "[stack] got 0 inputs; expected"),
    ("stack", [(2,)], {"axis": 9}, "[stack] axis 9 is outside"),
    ("stack", [(2,)], {"axis": -9}, "[stack] axis -9 is outside"),
    ("sum", [(2, 3)], {"axis": (0, 0)}, "[sum] axis (0, 0) names"),
    ("sum", [(2, 3)], {"axis": (0, -2)}, "[sum] axis (0, ?) names"),
    ("sum", [(2, 3)], {"axis": 9}, "[sum] axis 9 is outside"),
    ("swapaxes", [(2, 3)], {"dim1": 0, "dim2": 9}, "[SwapAxis] axis 9 is outside"),
    ("SwapAxis", [(2, 3)], {"dim1": -9, "dim2": 0}, "[SwapAxis] axis -9 is outside"),
    ("take", [(0, 3), [0]], {}, "[take] index 0 at position"),
    ("take", [(0, 3), [0]], {"mode": "wrap"}, "[take] index 0 at position"),
    ("take", [(3, 2), [-1, 5]], {"mode": "raise"}, "[take] index -1 at position"),
    ("tile", [(2,)], {"reps": (-1,)}, "[tile] reps (?,) must not"),
    ("tile", [(2,)], {"reps": (2**40, 2**40)}, "[tile] shape (1099511627776, 2199023255552) asks"),
    ("tile", [(2,)], {"reps": (B63, 2)}, "[tile] shape (9223372036854775807, 4) asks"),
    ("topk", [(2, 3)], {"k": 9}, "[topk] k = 9 of"),
    ("topk", [(2, 3)], {"k": B31}, "[topk] k = 2147483647 of"),
    ("topk", [(2, 0)], {"k": 1}, "[topk] k = 1 of"),
    ("transpose", [(2, 3)], {"axes": (0, 0)}, "[transpose] axes (0, 0) name"),
    ("transpose", [(2, 3)], {"axes": (0,)}, "[transpose] axes (0,) for an"),
    ("transpose", [(2, 3)], {"axes": (0, 5)}, "[transpose] axis 5 is outside"),
    ("unravel_index", [[7]], {"shape": (0, 0)}, "[_unravel_index] shape (0, 0) must"),
    ("unravel_index", [[7]], {"shape": ()}, "[_unravel_index] shape () must have"),
    (
        "UpSampling",
        [(1, 1, 2, 2)],
        {"scale": 0, "sample_type": "nearest"},
        "[UpSampling] parameter 'scale' got 0;",
    ),
    (
        "UpSampling",
        [(1, 1, 2, 2)],
        {"scale": -1, "sample_type": "nearest"},
        "[UpSampling] parameter 'scale' got -1;",
    ),
    (
        "UpSampling",
        [(1, 1, 2, 2)],
        {"scale": B31, "sample_type": "nearest"},
        "[UpSampling] parameter 'scale' got 2147483647;",
    ),
    (
        "Deconvolution",
        [(1, 2, 3, 4), (2, 4, 3, 3)],
        {"kernel": (3, 3), "num_filter": 4, "no_bias": True, "target_shape": (1, -(2**63))},
        "[Deconvolution] target_shape has extent -9223372036854775808; expected 0 to",
    ),
    (
        "Deconvolution",
        [(0, 2, 3, 2**40), (2, 4, 3, 3)],
        {"kernel": (3, 3), "num_filter": 4, "no_bias": True, "stride": (2, 2**30)},
        "[Deconvolution] spatial axis 1 has extent 1099511627776; expected at most",
    ),
    (
        "Convolution",
        [(0, 2, 3, 2**40), (4, 2, 3, 3)],
        {"kernel": (3, 3), "num_filter": 4, "no_bias": True, "pad": (1, 1)},
        "[Convolution] spatial axis 1 has extent 1099511627776; expected at most",
    ),
    (
        "Pooling",
        [(0, 2, 2**40, 3)],
        {"kernel": (3, 2), "pad": (1, 0)},
        "[Pooling] spatial axis 0 has extent 1099511627776; expected at most",
    ),
]


def test_sequences_without_elements_take_no_time() -> None:
    steps, lengths = mx.nd.zeros((2**31 - 1, 3, 0)), mx.nd.ones((3,))
    begun = time.perf_counter()
    for op in (mx.nd.SequenceReverse, mx.nd.SequenceMask, mx.nd.SequenceLast):
        op(steps, lengths, use_sequence_length=True).wait_to_read()
    none = [mx.nd.zeros((2**31 - 1, 0, 3)), mx.nd.ones((60,)), mx.nd.ones((4, 0, 2))]
    for array in none:
        array.attach_grad()
    with mx.autograd.record():
        y = mx.nd.RNN(*none, mode="rnn_relu", state_size=2, num_layers=2, bidirectional=True)
    y.backward()
    assert not none[1].grad.asnumpy().any()
    assert time.perf_counter() - begun < 30


def given(what: Any) -> mx.nd.NDArray:
    return mx.nd.ones(what) if isinstance(what, tuple) else mx.nd.array(what)


@pytest.mark.parametrize("number", range(len(OPERATORS)), ids=lambda i: f"{i}-{OPERATORS[i][0]}")
def test_operators(number: int) -> None:
    name, inputs, params, message = OPERATORS[number]
    call: Any = mx.nd
    for part in name.split("."):
        call = getattr(call, part)
    with pytest.raises(ERRORS) as caught:
        made = call(*map(given, inputs), **params)
        for array in made if isinstance(made, list) else [made]:
            array.wait_to_read()  # what only the values show
    assert not isinstance(caught.value, mx.base.InternalError)
    assert message in str(caught.value)


def written(op: str, **params: str) -> str:
    """A graph file of one operator on a variable."""
    nodes = [
        {"op": "null", "name": "x", "inputs": []},
        {"op": op, "name": "y", "inputs": [[0, 0, 0]], "attrs": params},
    ]
    return json.dumps({"nodes": nodes, "arg_nodes": [0], "heads": [[1, 0, 0]]})


@pytest.mark.parametrize(
    ("op", "name", "value"),
    [
        ("FullyConnected", "num_hidden", "9" * 400),
        ("FullyConnected", "num_hidden", str(2**63)),
        ("FullyConnected", "num_hidden", f"{2**63}L"),
        ("one_hot", "depth", "-" + "9" * 30),
        ("reshape", "shape", f"(2, {2**64})"),
        ("slice_axis", "axis", str(2**70)),
    ],
)
def test_whole_numbers_of_files_that_do_not_fit(op: str, name: str, value: str) -> None:
    others = {"begin": "0", "end": "1"} if op == "slice_axis" else {}
    with pytest.raises(mx.MXNetError, match=f"'{name}' got"):
        mx.sym.load_json(written(op, **{name: value}, **others))


def test_whole_numbers_of_files_for_reals() -> None:
    large = mx.sym.load_json(written("_plus_scalar", scalar="1" + "0" * 30))
    exe = large.simple_bind(mx.cpu(), x=(1,))
    np.testing.assert_allclose(exe.forward()[0].asnumpy(), [1e30], rtol=1e-6)
    variable = {"op": "null", "name": "x", "inputs": [], "attrs": {"__shape__": f"({2**65},)"}}
    graph = {"nodes": [variable], "arg_nodes": [0], "heads": [[0, 0, 0]]}
    with pytest.raises(mx.MXNetError, match="__shape__"):
        mx.sym.load_json(json.dumps(graph)).infer_shape()
