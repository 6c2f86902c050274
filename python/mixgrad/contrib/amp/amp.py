"""Mixed precision of graphs, of calls, and of losses."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional

from ... import _hints
from ...base import DTYPE_NAMES, DTypeError, InvalidArgumentError, dtype_number
from ...module import BucketingModule
from ...ndarray import NDArray
from ...symbol import Symbol
from .calls import Wrapped, wrap
from .convert import Precisions, with_casts
from .lists import symbol_bf16, symbol_fp16
from .loss_scaler import LossScaler

__all__ = [
    "LossScaler",
    "convert_bucketing_module",
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
    "scale_loss",
    "unscale",
]

Condition = tuple[str, str, list[str]]
Params = Mapping[str, NDArray]


def _low(target_dtype: Any, who: str) -> str:
    name = DTYPE_NAMES[dtype_number(target_dtype)]
    if name not in ("float16", "bfloat16"):
        raise DTypeError(f"[{who}] target_dtype is {name}; expected 'float16' or 'bfloat16'")
    return name


def list_lp16_ops(target_dtype: Any) -> list[str]:
    """Operators that run in low precision."""
    return symbol_fp16.FP16_FUNCS if _low(target_dtype, "amp") == "float16" else symbol_bf16.BF16_FUNCS


def list_fp32_ops(target_dtype: Any) -> list[str]:
    """Operators that run in float32."""
    return symbol_fp16.FP32_FUNCS if _low(target_dtype, "amp") == "float16" else symbol_bf16.FP32_FUNCS


def list_lp16_fp32_ops(target_dtype: Any) -> list[str]:
    """Operators that run in the precision of their inputs."""
    half = _low(target_dtype, "amp") == "float16"
    return symbol_fp16.FP16_FP32_FUNCS if half else symbol_bf16.BF16_FP32_FUNCS


def list_conditional_fp32_ops(target_dtype: Any) -> list[Condition]:
    """Operators that run in float32 for some values of a parameter: (operator, parameter, values)."""
    _low(target_dtype, "amp")
    return symbol_fp16.CONDITIONAL_FP32_FUNCS


def list_widest_type_cast(target_dtype: Any) -> list[str]:
    """Operators that run in the widest precision of their inputs."""
    half = _low(target_dtype, "amp") == "float16"
    return symbol_fp16.WIDEST_TYPE_CASTS if half else symbol_bf16.WIDEST_TYPE_CASTS


def list_loss_output_functions(target_dtype: Any) -> list[str]:
    """Losses whose gradients do not depend on those of their outputs."""
    _low(target_dtype, "amp")
    return symbol_fp16.LOSS_OUTPUT_FUNCTIONS


def list_lp16_use_fp32_params(target_dtype: Any) -> Optional[dict[str, list[str]]]:
    """Inputs that stay in float32, by operator; None for float16."""
    return None if _low(target_dtype, "amp") == "float16" else symbol_bf16.BF16_USE_FP32_PARAMS


def _precisions(
    dtype: str,
    target_dtype_ops: Optional[Sequence[str]],
    fp32_ops: Optional[Sequence[str]],
    conditional_fp32_ops: Optional[Sequence[Condition]],
    excluded_sym_names: Optional[Sequence[str]],
    who: str,
) -> Precisions:
    """The lists, of which those given replace the usual ones."""
    for what, given in (
        ("target_dtype_ops", target_dtype_ops),
        ("fp32_ops", fp32_ops),
        ("conditional_fp32_ops", conditional_fp32_ops),
        ("excluded_sym_names", excluded_sym_names),
    ):
        if given is not None and not isinstance(given, (list, tuple)):
            raise TypeError(f"[{who}] {what} is {type(given).__name__}; expected a list")
    usual = list_conditional_fp32_ops(dtype)
    conditions: dict[str, list[tuple[str, list[str]]]] = {}
    for one in usual if conditional_fp32_ops is None else conditional_fp32_ops:
        if len(one) != 3 or not isinstance(one[2], (list, tuple)):
            raise TypeError(
                f"[{who}] conditional_fp32_ops has {one!r:.80}; expected (operator, parameter, values)"
            )
        conditions.setdefault(one[0], []).append((one[1], list(one[2])))
    low = set(list_lp16_ops(dtype) if target_dtype_ops is None else target_dtype_ops)
    full = set(list_fp32_ops(dtype) if fp32_ops is None else fp32_ops)
    twice = (low & full) | (low & conditions.keys()) | (full & conditions.keys())
    if twice:
        raise InvalidArgumentError(
            f"[{who}] {', '.join(sorted(twice))} in two lists; expected one for each operator"
        )
    known = {*list_lp16_ops(dtype), *list_fp32_ops(dtype), *list_lp16_fp32_ops(dtype), *(c[0] for c in usual)}
    odd = (low | full | conditions.keys()) - known
    if odd:
        raise InvalidArgumentError(
            f"[{who}] {', '.join(sorted(odd))}: expected operators of list_lp16_ops, list_fp32_ops, "
            "list_lp16_fp32_ops or list_conditional_fp32_ops"
        )
    widest = set(list_widest_type_cast(dtype)) - low - full
    return Precisions(low, full, widest, conditions, set(excluded_sym_names or ()))


def convert_symbol(
    sym: Symbol,
    target_dtype: Any = "float16",
    target_dtype_ops: Optional[Sequence[str]] = None,
    fp32_ops: Optional[Sequence[str]] = None,
    conditional_fp32_ops: Optional[Sequence[Condition]] = None,
    excluded_sym_names: Optional[Sequence[str]] = None,
    data_names: Optional[Sequence[str]] = None,
    cast_optional_params: bool = False,
) -> Symbol:
    """A graph of float32 with casts, so that some of its operators run in low precision.

    Parameters
    ----------
    sym : Symbol
        The graph.
    target_dtype : str
        'float16' or 'bfloat16'.
    target_dtype_ops, fp32_ops : list of str, optional
        Operators that run in low precision, and in float32, in place of the usual lists.
    conditional_fp32_ops : list of (str, str, list of str), optional
        Operators that run in float32 where a parameter has one of some values.
    excluded_sym_names : list of str, optional
        Nodes that run in float32.
    data_names : list of str, optional
        Variables that are no parameters; by default all without a dtype.
    cast_optional_params : bool
        Whether parameters that are read in low precision alone have it from the start.

    Examples
    --------
    >>> import mixgrad as mx
    >>> net = mx.sym.exp(mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=2, name="fc"))
    >>> half = mx.contrib.amp.convert_symbol(net)
    >>> [name for name in half.get_internals().list_outputs() if "cast" in name][-1]
    'fc_output_amp_cast_float32_output'
    """
    if not isinstance(sym, Symbol):
        raise TypeError(f"[convert_symbol] sym is {type(sym).__name__}; expected Symbol")
    dtype = _low(target_dtype, "convert_symbol")
    lists = _precisions(
        dtype, target_dtype_ops, fp32_ops, conditional_fp32_ops, excluded_sym_names, "convert_symbol"
    )
    inputs, attributes = sym.list_inputs(), sym.attr_dict()
    if data_names is None:
        data_names = [name for name in inputs if "__dtype__" not in attributes.get(name, {})]
    return with_casts(sym, dtype, lists, set(inputs) - set(data_names), cast_optional_params)


def convert_model(
    sym: Symbol,
    arg_params: Params,
    aux_params: Params,
    target_dtype: Any = "float16",
    target_dtype_ops: Optional[Sequence[str]] = None,
    fp32_ops: Optional[Sequence[str]] = None,
    conditional_fp32_ops: Optional[Sequence[Condition]] = None,
    excluded_sym_names: Optional[Sequence[str]] = None,
    cast_optional_params: bool = False,
) -> tuple[Symbol, dict[str, NDArray], dict[str, NDArray]]:
    """As :func:`convert_symbol`, with the parameters in the dtypes that the graph wants.

    Parameters
    ----------
    sym : Symbol
        The graph.
    arg_params, aux_params : dict of str to NDArray
        Its parameters and auxiliary states, which stay as they are.
    target_dtype, target_dtype_ops, fp32_ops, conditional_fp32_ops
        See :func:`convert_symbol`.
    excluded_sym_names, cast_optional_params
        See :func:`convert_symbol`.

    Returns
    -------
    Symbol, dict, dict
        The graph, its parameters and its auxiliary states.
    """
    if not isinstance(sym, Symbol):
        raise TypeError(f"[convert_model] sym is {type(sym).__name__}; expected Symbol")
    for what, params in (("arg_params", arg_params), ("aux_params", aux_params)):
        if not isinstance(params, Mapping):
            raise TypeError(f"[convert_model] {what} is {type(params).__name__}; expected a dict of NDArray")
    data = [name for name in sym.list_inputs() if name not in arg_params and name not in aux_params]
    made = convert_symbol(
        sym,
        target_dtype,
        target_dtype_ops,
        fp32_ops,
        conditional_fp32_ops,
        excluded_sym_names,
        data,
        cast_optional_params,
    )
    attributes = made.attr_dict()

    def cast(params: Params) -> dict[str, NDArray]:
        numbers = {name: int(attributes.get(name, {}).get("__dtype__", -1)) for name in params}
        return {
            name: array.astype(DTYPE_NAMES[numbers[name]], copy=False) if numbers[name] >= 0 else array
            for name, array in params.items()
        }

    return made, cast(arg_params), cast(aux_params)


def convert_bucketing_module(
    bucketing_mod: BucketingModule,
    target_dtype: Any = "float16",
    target_dtype_ops: Optional[Sequence[str]] = None,
    fp32_ops: Optional[Sequence[str]] = None,
    conditional_fp32_ops: Optional[Sequence[Condition]] = None,
    excluded_sym_names: Optional[Sequence[str]] = None,
    cast_optional_params: bool = False,
) -> BucketingModule:
    """A module whose graphs are converted as by :func:`convert_model`.

    Parameters
    ----------
    bucketing_mod : BucketingModule
        A module whose parameters have values.
    target_dtype, target_dtype_ops, fp32_ops, conditional_fp32_ops
        See :func:`convert_symbol`.
    excluded_sym_names, cast_optional_params
        See :func:`convert_symbol`.
    """
    if not isinstance(bucketing_mod, BucketingModule):
        raise TypeError(
            f"[convert_bucketing_module] got {type(bucketing_mod).__name__}; expected BucketingModule"
        )
    if not bucketing_mod.params_initialized:
        raise ValueError(
            "[convert_bucketing_module] the parameters have no values; expected init_params first"
        )
    args, auxs = bucketing_mod.get_params()
    options = (target_dtype, target_dtype_ops, fp32_ops, conditional_fp32_ops, excluded_sym_names)
    made = {
        key: convert_model(module.symbol, args, auxs, *options, cast_optional_params)
        for key, module in bucketing_mod._buckets.items()
    }
    _, new_args, new_auxs = made[bucketing_mod._default_bucket_key]
    return BucketingModule.load_dict(
        {key: symbol for key, (symbol, _, _) in made.items()},
        sym_gen=bucketing_mod._sym_gen,
        arg_params=new_args,
        aux_params=new_auxs,
        default_bucket_key=bucketing_mod._default_bucket_key,
        **bucketing_mod._options,
    )


_wrapped: list[Wrapped] = []
_scalers: list[LossScaler] = []


def init(
    target_dtype: Any = "float16",
    target_precision_ops: Optional[Sequence[str]] = None,
    conditional_fp32_ops: Optional[Sequence[Condition]] = None,
    fp32_ops: Optional[Sequence[str]] = None,
) -> None:
    """Have functions of ``mx.nd`` and ``mx.sym`` cast what they are given, from now on.

    A second call does nothing. Operators as Python writes them (``+``), and methods, are as before.

    Parameters
    ----------
    target_dtype : str
        'float16' or 'bfloat16'.
    target_precision_ops, fp32_ops : list of str, optional
        Functions that run in low precision, and in float32, in place of the usual lists.
    conditional_fp32_ops : list of (str, str, list of str), optional
        Functions that run in float32 where a parameter has one of some values.
    """
    if _wrapped:
        return
    dtype = _low(target_dtype, "amp.init")
    lists = _precisions(dtype, target_precision_ops, fp32_ops, conditional_fp32_ops, None, "amp.init")
    scaler = LossScaler()
    _wrapped.append(wrap(lists, dtype, list_lp16_use_fp32_params(dtype) or {}, scaler))
    _scalers.append(scaler)
    logging.info("AMP: operators run in %s", dtype)


def _need_trainer(trainer: Any, who: str) -> None:
    if not _wrapped:
        raise RuntimeError(f"[{who}] mixed precision is off; expected amp.init() first")
    if not hasattr(trainer, "_scale") or not hasattr(trainer, "_params"):
        raise TypeError(f"[{who}] got {type(trainer).__name__}; expected a Gluon Trainer")


def init_trainer(optimizer_or_trainer: Any) -> None:
    """Give a Gluon trainer a factor of losses that keeps gradients in range."""
    _need_trainer(optimizer_or_trainer, "init_trainer")
    # The first trainer shares the factor with functions of losses.
    optimizer_or_trainer._amp_loss_scaler = _scalers.pop() if _scalers else LossScaler()
    optimizer_or_trainer._amp_original_scale = optimizer_or_trainer._scale


@contextlib.contextmanager
def scale_loss(loss: Any, optimizer_or_trainer: Any) -> Iterator[Any]:
    """A scope that gives losses times their factor, of a trainer that :func:`init_trainer` has seen."""
    scaler = getattr(optimizer_or_trainer, "_amp_loss_scaler", None)
    if scaler is None:
        raise RuntimeError("[scale_loss] the trainer has no factor of losses; expected init_trainer first")
    scale = scaler.loss_scale
    optimizer_or_trainer._scale = optimizer_or_trainer._amp_original_scale / scale
    yield [one * scale for one in loss] if isinstance(loss, (list, tuple)) else loss * scale


def unscale(optimizer_or_trainer: Any) -> None:
    """Take the factor of losses out of the gradients of a trainer, to look at them before its step."""
    _need_trainer(optimizer_or_trainer, "unscale")
    for one in optimizer_or_trainer._params:
        for gradient in one._grad or ():
            gradient[:] *= optimizer_or_trainer._scale
    optimizer_or_trainer._scale = 1.0


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
