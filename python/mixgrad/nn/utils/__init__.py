"""What is done with parameters, gradients and sequences (``nn.utils``, PyTorch's name)."""

from typing import TYPE_CHECKING

from ... import _hints
from ..spectral_norm import remove_spectral_norm, spectral_norm
from ..weight_norm import remove_weight_norm, weight_norm
from . import rnn
from .fusion import fuse_conv_bn_eval, fuse_linear_bn_eval
from .gradients import clip_grad_norm_, clip_grad_value_, clip_grads_with_norm_, get_total_norm
from .vectors import parameters_to_vector, vector_to_parameters

__all__ = [
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "fuse_conv_bn_eval",
    "fuse_linear_bn_eval",
    "get_total_norm",
    "parameters_to_vector",
    "remove_spectral_norm",
    "remove_weight_norm",
    "rnn",
    "spectral_norm",
    "vector_to_parameters",
    "weight_norm",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
