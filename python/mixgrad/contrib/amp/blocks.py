"""Gluon's blocks in mixed precision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from ...base import RefusedTypeError
from ...gluon.block import HybridBlock, SymbolBlock
from .amp import Condition, convert_model

__all__ = ["convert_hybrid_block"]


def convert_hybrid_block(
    block: HybridBlock,
    target_dtype: Any = "float16",
    target_dtype_ops: Optional[Sequence[str]] = None,
    fp32_ops: Optional[Sequence[str]] = None,
    conditional_fp32_ops: Optional[Sequence[Condition]] = None,
    excluded_sym_names: Optional[Sequence[str]] = None,
    ctx: Any = None,
    cast_optional_params: bool = False,
) -> SymbolBlock:
    """The graph of a hybridised block, converted as by :func:`convert_model`, with parameters of its own.

    Parameters
    ----------
    block : HybridBlock
        Hybridised, and run once.
    target_dtype, target_dtype_ops, fp32_ops, conditional_fp32_ops
        See :func:`convert_symbol`.
    excluded_sym_names, cast_optional_params
        See :func:`convert_symbol`.
    ctx : Context or list of Context, optional
        Devices of the result; by default those of the block.

    Raises
    ------
    RuntimeError
        The block has no graph yet.

    Examples
    --------
    >>> import mixgrad as mx
    >>> net = mx.gluon.nn.Dense(2, in_units=3, prefix="out_")
    >>> net.initialize()
    >>> net.hybridize()
    >>> y = net(mx.nd.ones((1, 3)))
    >>> half = mx.contrib.amp.convert_hybrid_block(net, cast_optional_params=True)
    >>> half.params["out_weight"].data().dtype
    <class 'numpy.float16'>
    """
    if not isinstance(block, HybridBlock):
        raise RefusedTypeError(
            f"[convert_hybrid_block] block is {type(block).__name__}; expected HybridBlock"
        )
    if not block._cached_graph:
        raise RuntimeError(
            "[convert_hybrid_block] there is no graph yet: first call hybridize(), then run the block once"
        )
    inputs, outputs = block._cached_graph
    params = block.collect_params()
    states = set(outputs.list_auxiliary_states())
    arrays = {name: one._reduce() for name, one in params.items() if name in outputs.list_inputs()}
    made, arguments, auxiliaries = convert_model(
        outputs,
        {name: array for name, array in arrays.items() if name not in states},
        {name: array for name, array in arrays.items() if name in states},
        target_dtype,
        target_dtype_ops,
        fp32_ops,
        conditional_fp32_ops,
        excluded_sym_names,
        cast_optional_params,
    )
    converted = SymbolBlock(made, inputs)
    devices = params.list_ctx() if ctx is None else ctx
    for name, array in {**arguments, **auxiliaries}.items():
        converted.params.get(name)._load_init(array, devices, cast_dtype=True, dtype_source="saved")
    return converted
