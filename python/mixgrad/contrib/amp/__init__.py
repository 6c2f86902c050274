"""Mixed precision: operators in float16 or bfloat16 where that is exact enough (``mx.contrib.amp``)."""

from typing import TYPE_CHECKING

from ... import _hints
from . import amp, lists, loss_scaler
from .amp import (
    convert_bucketing_module,
    convert_model,
    convert_symbol,
    init,
    init_trainer,
    list_conditional_fp32_ops,
    list_fp32_ops,
    list_loss_output_functions,
    list_lp16_fp32_ops,
    list_lp16_ops,
    list_lp16_use_fp32_params,
    list_widest_type_cast,
    scale_loss,
    unscale,
)
from .blocks import convert_hybrid_block

__all__ = [
    "amp",
    "convert_bucketing_module",
    "convert_hybrid_block",
    "convert_model",
    "convert_symbol",
    "init",
    "init_trainer",
    "list_conditional_fp32_ops",
    "list_fp32_ops",
    "list_loss_output_functions",
    "list_lp16_fp32_ops",
    "list_lp16_ops",
    "list_lp16_use_fp32_params",
    "list_widest_type_cast",
    "lists",
    "loss_scaler",
    "scale_loss",
    "unscale",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
