"""Networks of 8-bit numbers made of float ones: ``mx.contrib.quantization``.

``quantize_model`` gives a symbol and parameters. Its layers read and write int8; sums are exact in int32.
Ranges of what layers give are found by running batches (``calib_mode`` "naive" or "entropy") or in each call
("none").
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from .. import _hints
from ..context import Context, cpu
from ..io import DataIter
from ..ndarray import NDArray
from ..ndarray import load as nd_load
from ..symbol import Symbol
from ..symbol import load as sym_load
from ._calibration import (
    LayerHistogramCollector,
    LayerOutputMinMaxCollector,
    combine_histogram,
    optimal_threshold,
    optimal_thresholds,
    watch_outputs,
)
from ._quantized_block import quantize_net, quantize_net_v2
from ._quantized_graph import GraphQuantizer, quantized_params, set_ranges

__all__ = [
    "calib_graph",
    "combine_histogram",
    "quantize_graph",
    "quantize_model",
    "quantize_model_mkldnn",
    "quantize_net",
    "quantize_net_v2",
]

# Names that scripts of MXNet take from its module.
_LayerHistogramCollector = LayerHistogramCollector
_LayerOutputMinMaxCollector = LayerOutputMinMaxCollector
_get_optimal_threshold = optimal_threshold
_get_optimal_thresholds = optimal_thresholds
_calibrate_quantized_sym = set_ranges
_quantize_params = quantized_params

Params = Mapping[str, NDArray]
Quantized = tuple[Symbol, dict[str, NDArray], dict[str, NDArray]]


def _choice(name: str, value: Any, allowed: Sequence[Any]) -> None:
    if value not in allowed:
        raise ValueError(
            f"[quantization] {name} is {value!r}; expected one of {', '.join(map(repr, allowed))}"
        )


def _names(name: str, value: Optional[list[str]]) -> list[str]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise ValueError(f"[quantization] {name} is {type(value).__name__}; expected a list of names")
    return value


def _load_sym(sym: Union[str, Symbol], logger: Any = None) -> Symbol:
    if isinstance(sym, Symbol):
        return sym
    if not isinstance(sym, str):
        raise ValueError(f"[quantization] sym is {type(sym).__name__}; expected a Symbol or a file's name")
    return sym_load(sym)


def _load_params(params: Any, logger: Any = None) -> tuple[dict[str, NDArray], dict[str, NDArray]]:
    if isinstance(params, (tuple, list)) and len(params) == 2:
        return params[0], params[1]
    if not isinstance(params, str):
        raise ValueError(
            f"[quantization] params is {type(params).__name__}; expected two dicts or a file's name"
        )
    loaded = nd_load(params)
    if not isinstance(loaded, dict):
        raise ValueError(f"[quantization] {params} holds a list; expected arrays by name")
    parts: dict[str, dict[str, NDArray]] = {"arg": {}, "aux": {}}
    for key, value in loaded.items():
        kind, _, name = key.partition(":")
        if kind in parts:
            parts[kind][name] = value
    return parts["arg"], parts["aux"]


def _quantize_symbol(
    sym: Symbol,
    ctx: Optional[Context] = None,
    excluded_symbols: Optional[list[str]] = None,
    excluded_operators: Optional[list[str]] = None,
    offline_params: Optional[Sequence[str]] = None,
    quantized_dtype: str = "int8",
    quantize_mode: str = "smart",
    quantize_granularity: str = "tensor-wise",
    calibrated: bool = True,
) -> tuple[Symbol, list[str]]:
    """The graph in 8 bits, and the float graph's outputs whose ranges it asks for."""
    _choice("quantized_dtype", quantized_dtype, ("int8", "uint8", "auto"))
    _choice("quantize_mode", quantize_mode, ("full", "smart"))
    _choice("quantize_granularity", quantize_granularity, ("tensor-wise", "channel-wise"))
    quantizer = GraphQuantizer(
        sym,
        _names("excluded_sym_names", excluded_symbols),
        _names("excluded_op_names", excluded_operators),
        offline_params or (),
        quantize_mode == "smart",
        quantize_granularity == "channel-wise",
        calibrated,
    )
    return quantizer.run(), quantizer.layers


def quantize_model(
    sym: Union[str, Symbol],
    arg_params: Params,
    aux_params: Params,
    data_names: Sequence[str] = ("data",),
    label_names: Optional[Sequence[str]] = ("softmax_label",),
    ctx: Optional[Context] = None,
    excluded_sym_names: Optional[list[str]] = None,
    excluded_op_names: Optional[list[str]] = None,
    calib_mode: Optional[str] = "entropy",
    calib_data: Optional[DataIter] = None,
    num_calib_examples: Optional[int] = None,
    quantized_dtype: str = "int8",
    quantize_mode: str = "smart",
    quantize_granularity: str = "tensor-wise",
    logger: Any = None,
) -> Quantized:
    """A network of 8-bit layers, and its parameters, from a float one.

    Parameters
    ----------
    sym : Symbol or str
        The network, or the name of its file.
    arg_params, aux_params : dict
        Its parameters and states by name.
    data_names, label_names : sequence of str
        Taken for MXNet's sake: what ``calib_data`` provides has names.
    excluded_sym_names, excluded_op_names : list of str
        Names of layers, and operators, that stay float.
    calib_mode : str
        How ranges are found: "naive" takes the extremes of the batches, "entropy" cuts where the
        histogram loses least; with "none" each call finds its own, and batch normalisation stays float.
    calib_data : DataIter
        The batches.
    num_calib_examples : int
        At most so many examples, rounded up to batches.
    quantized_dtype : str
        "int8", "uint8" or "auto". Layers are int8 in all cases; with the last two, "entropy" takes
        ranges of one sign as such.
    quantize_mode : str
        "smart" leaves layers float that read floats and have no weights; "full" rounds for them.
    quantize_granularity : str
        "tensor-wise" gives a weight one range; "channel-wise" one per filter, if ranges are known.

    Returns
    -------
    tuple
        The symbol, its parameters and its states.

    Examples
    --------
    >>> import mixgrad as mx
    >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, no_bias=True, name="fc")
    >>> params = {"fc_weight": mx.nd.array([[1, 2], [3, -4]])}
    >>> data = mx.io.NDArrayIter(mx.nd.array([[1, 0.5], [-1, 0.25]]), batch_size=2)
    >>> qnet, qparams, _ = mx.contrib.quantization.quantize_model(
    ...     net, params, {}, calib_mode="naive", calib_data=data)
    >>> [str(qparams[name].dtype.__name__) for name in ("fc_weight_quantize", "fc_weight_quantize_min")]
    ['int8', 'float32']
    """
    net = _load_sym(sym)
    calibrates = calib_mode is not None and calib_mode != "none"
    _choice("calib_mode", calib_mode, (None, "none", "naive", "entropy"))
    if calibrates and not isinstance(calib_data, DataIter):
        raise ValueError(
            f"[quantization] calib_data is {type(calib_data).__name__}; "
            f"calib_mode {calib_mode!r} expects a DataIter"
        )
    qsym, layers = _quantize_symbol(
        net,
        ctx,
        excluded_sym_names,
        excluded_op_names,
        list(arg_params),
        quantized_dtype,
        quantize_mode,
        quantize_granularity,
        calibrates,
    )
    ranges: dict[str, tuple[float, float]] = {}
    if calibrates and calib_data is not None:
        collector = _collector(str(calib_mode), quantized_dtype, layers, logger)
        params = {**arg_params, **aux_params}
        examples = watch_outputs(net, params, calib_data, layers, collector, ctx or cpu(), num_calib_examples)
        if logger:
            logger.info("ranges of %d layers from %d examples", len(layers), examples)
        ranges = _ranges(collector, str(calib_mode), quantized_dtype, logger)
        qsym = set_ranges(qsym, ranges)
    return qsym, quantized_params(qsym, arg_params, ranges), dict(aux_params)


def quantize_model_mkldnn(
    sym: Union[str, Symbol], arg_params: Params, aux_params: Params, *args: Any, **kwargs: Any
) -> Quantized:
    """The same as `quantize_model`: there is one kind of 8-bit layer for processors."""
    return quantize_model(sym, arg_params, aux_params, *args, **kwargs)


def _collector(mode: str, quantized_dtype: str, layers: list[str], logger: Any) -> Any:
    if mode == "naive":
        return LayerOutputMinMaxCollector(quantized_dtype, layers, logger)
    return LayerHistogramCollector(include_layer=layers, logger=logger)


def _ranges(collector: Any, mode: str, quantized_dtype: str, logger: Any) -> dict[str, tuple[float, float]]:
    if mode == "entropy":
        return optimal_thresholds(collector.hist_dict, quantized_dtype, logger=logger)
    return dict(collector.min_max_dict)


def quantize_graph(
    sym: Union[str, Symbol],
    arg_params: Params,
    aux_params: Params,
    ctx: Optional[Context] = None,
    excluded_sym_names: Optional[list[str]] = None,
    excluded_op_names: Optional[list[str]] = None,
    calib_mode: Optional[str] = "entropy",
    quantized_dtype: str = "int8",
    quantize_mode: str = "full",
    quantize_granularity: str = "tensor-wise",
    LayerOutputCollector: Any = None,
    logger: Any = None,
) -> tuple[Symbol, dict[str, NDArray], dict[str, NDArray], Any]:
    """The first half of `quantize_model`: the graph without ranges, and a collector that is to find them.

    The collector's ``collect(name, array)`` takes what ``set_monitor_callback(..., monitor_all=True)`` of an
    executor gives while the float network runs; `calib_graph` then sets the ranges. With ``calib_mode``
    "customize" it is ``LayerOutputCollector``, whose ``min_max_dict`` is read.
    """
    _choice("calib_mode", calib_mode, (None, "none", "naive", "entropy", "customize"))
    calibrates = calib_mode is not None and calib_mode != "none"
    net = _load_sym(sym)
    qsym, layers = _quantize_symbol(
        net,
        ctx,
        excluded_sym_names,
        excluded_op_names,
        list(arg_params),
        quantized_dtype,
        quantize_mode,
        quantize_granularity,
        calibrates,
    )
    collector = None
    if calib_mode == "customize":
        if LayerOutputCollector is None:
            raise ValueError("[quantization] calib_mode 'customize' expects a LayerOutputCollector")
        collector = LayerOutputCollector
        collector.include_layer = layers
    elif calibrates:
        collector = _collector(str(calib_mode), quantized_dtype, layers, logger)
    return qsym, quantized_params(qsym, arg_params, {}), dict(aux_params), collector


def calib_graph(
    qsym: Symbol,
    arg_params: Params,
    aux_params: Params,
    collector: Any,
    calib_mode: str = "entropy",
    quantized_dtype: str = "int8",
    logger: Any = logging,
) -> Quantized:
    """The second half of `quantize_model`: sets the ranges that a collector has found.

    ``arg_params`` are those of the float network.
    """
    _choice("calib_mode", calib_mode, ("naive", "entropy", "customize"))
    ranges = _ranges(collector, calib_mode, quantized_dtype, logger)
    calibrated = set_ranges(qsym, ranges)
    return calibrated, quantized_params(calibrated, arg_params, ranges), dict(aux_params)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
