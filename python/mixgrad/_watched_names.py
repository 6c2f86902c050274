"""What watchers of executors call the inputs of operators that have no names for them in MXNet."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .symbol import Symbol

__all__ = ["UNNAMED", "renamed_inputs"]

# fmt: off
UNNAMED = frozenset([
    "Activation", "BlockGrad", "Cast", "Flatten", "Reshape", "SoftmaxActivation", "_copy", "_div_scalar",
    "_equal_scalar", "_greater_equal_scalar", "_greater_scalar", "_hypot_scalar", "_lesser_equal_scalar",
    "_lesser_scalar", "_logical_and_scalar", "_logical_or_scalar", "_logical_xor_scalar", "_maximum_scalar",
    "_minimum_scalar", "_minus_scalar", "_mod_scalar", "_mul_scalar", "_not_equal_scalar", "_plus_scalar",
    "_power_scalar", "_rdiv_scalar", "_rminus_scalar", "_rmod_scalar", "_rpower_scalar",
    "_sample_multinomial", "_scatter_minus_scalar", "_scatter_plus_scalar", "_slice_assign_scalar", "abs",
    "amp_cast", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "argmax", "argmax_channel",
    "argmin", "argsort", "broadcast_axis", "cbrt", "ceil", "clip", "cos", "cosh", "degrees", "erf",
    "erfinv", "exp", "expand_dims", "expm1", "fix", "floor", "gamma", "gammaln", "hard_sigmoid", "log",
    "log10", "log1p", "log2", "logical_not", "make_loss", "max", "mean", "min", "nanprod", "nansum",
    "negative", "norm", "ones_like", "prod", "radians", "rcbrt", "reciprocal", "relu", "rint", "round",
    "rsqrt", "shape_array", "sigmoid", "sign", "sin", "sinh", "size_array", "slice", "slice_axis",
    "smooth_l1", "softmin", "softsign", "sort", "sqrt", "square", "sum", "tan", "tanh", "topk", "transpose",
    "trunc", "zeros_like",
])
# fmt: on


def renamed_inputs(symbol: Symbol) -> dict[str, str]:
    """``relu1_data`` to ``relu1_input0`` and the like, but for names that variables have."""
    variables = set(symbol.list_inputs())
    nodes = [node["name"] for node in json.loads(symbol.tojson())["nodes"] if node["op"] in UNNAMED]
    return {f"{name}_data": f"{name}_input0" for name in nodes if f"{name}_data" not in variables}
