"""Which operators run in bfloat16, which in float32, and which in either (names of MXNet's lists)."""

from .... import ops as _ops
from .symbol_fp16 import CONDITIONAL_FP32_FUNCS, LOSS_OUTPUT_FUNCTIONS
from .symbol_fp16 import WIDEST_TYPE_CASTS as _WIDEST

__all__ = [
    "BF16_FP32_FUNCS",
    "BF16_FUNCS",
    "BF16_USE_FP32_PARAMS",
    "CONDITIONAL_FP32_FUNCS",
    "FP32_FUNCS",
    "LOSS_OUTPUT_FUNCTIONS",
    "WIDEST_TYPE_CASTS",
]

# Sums of many products.
BF16_FUNCS = ["Convolution", "FullyConnected"]

# Those that take either, and whose results follow.
_EITHER = """
abs _add BatchNorm BatchNormWithReLU clip Concat concat LRN Pooling relu shuffle _shuffle sqrt square tanh
"""
BF16_FP32_FUNCS = _EITHER.split()

# Inputs that stay in float32, by operator; an empty name is an input that does not.
BF16_USE_FP32_PARAMS = {
    name: ["", "gamma", "beta", "moving_mean", "moving_var"] for name in ("BatchNorm", "BatchNormWithReLU")
}

# Those whose inputs have to have one dtype: the widest of them.
WIDEST_TYPE_CASTS = [name for name in _WIDEST if name not in BF16_FP32_FUNCS]

_listed = {
    *BF16_FUNCS,
    *BF16_FP32_FUNCS,
    *WIDEST_TYPE_CASTS,
    *(name for name, _, _ in CONDITIONAL_FP32_FUNCS),
}

# All others.
FP32_FUNCS = sorted(set(_ops.NAMES) - _listed)
