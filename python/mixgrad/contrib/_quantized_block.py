"""Blocks of 8-bit numbers made of Gluon's: ``quantize_net`` and ``quantize_net_v2``."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any, Optional

from .. import ndarray as nd
from ..context import Context, cpu
from ..io import DataBatch, DataDesc, DataIter
from ..ndarray import NDArray
from ._calibration import watch_outputs

if TYPE_CHECKING:
    from ..gluon import HybridBlock, SymbolBlock

__all__ = ["quantize_net", "quantize_net_v2"]


class _Batches(DataIter):
    """Batches of a DataIter or a DataLoader, by the names of a graph's inputs.

    All have the size of the first. Rows that the last one lacks repeat those it has, which leaves ranges as
    they are.
    """

    def __init__(
        self, source: Iterable[Any], names: Sequence[str], shapes: Sequence[tuple[int, ...]]
    ) -> None:
        super().__init__(shapes[0][0])
        self._source = source
        self.provide_data = [DataDesc(name, shape) for name, shape in zip(names, shapes)]
        self._arrays: Iterator[Any] = iter(())

    def reset(self) -> None:
        if isinstance(self._source, DataIter):
            self._source.reset()
        self._arrays = _arrays_of(self._source)

    def next(self) -> DataBatch:
        count = self.batch_size
        given = next(self._arrays)[: len(self.provide_data)]
        return DataBatch([_repeated(one, count) if one.shape[0] != count else one for one in given], None)


def _repeated(array: NDArray, count: int) -> NDArray:
    times = -(-count // array.shape[0])
    return nd.concat(*[array] * times, dim=0)[:count]


def _arrays_of(source: Iterable[Any]) -> Iterator[Sequence[NDArray]]:
    """The arrays of each batch; behind the data there may be labels."""
    for batch in source:
        if isinstance(batch, DataBatch):
            yield batch.data
        else:
            yield batch if isinstance(batch, (list, tuple)) else [batch]


def _shape_of(described: Any) -> tuple[int, ...]:
    """Of a DataDesc, of (name, shape), or given as such."""
    shape = getattr(described, "shape", described)
    if isinstance(shape, Sequence) and len(shape) > 1 and isinstance(shape[0], str):
        shape = shape[1]
    if not isinstance(shape, Sequence) or not all(isinstance(extent, Integral) for extent in shape):
        raise TypeError(
            f"[quantize_net] data_shapes has {described!r:.60}; expected DataDesc, (name, shape) or shapes"
        )
    return tuple(int(extent) for extent in shape)


def _shapes_of(data: Any, data_shapes: Any) -> list[tuple[int, ...]]:
    if data_shapes:
        return [_shape_of(one) for one in data_shapes]
    if data is None:
        raise ValueError("[quantize_net] calib_data and data_shapes are None; expected one of them")
    if isinstance(data, DataIter):
        return [tuple(one.shape) for one in data.provide_data]
    first = next(_arrays_of(data), None)
    if first is None:
        raise ValueError("[quantize_net] calib_data gives no batch; expected one at least")
    return [tuple(one.shape) for one in first]


def _run(network: HybridBlock, shapes: list[tuple[int, ...]], ctx: Context) -> None:
    """Has the network write its graph; of the shapes, those of labels are left out."""
    network.hybridize()
    for count in range(len(shapes), 0, -1):
        try:
            network(*(nd.zeros(shape, ctx=ctx) for shape in shapes[:count]))
            return
        except TypeError:
            if count == 1:
                raise


def quantize_net_v2(
    network: HybridBlock,
    quantized_dtype: str = "auto",
    quantize_mode: str = "full",
    quantize_granularity: str = "tensor-wise",
    exclude_layers: Optional[list[str]] = None,
    exclude_layers_match: Optional[list[str]] = None,
    exclude_operators: Optional[list[str]] = None,
    calib_data: Any = None,
    data_shapes: Any = None,
    calib_mode: str = "none",
    num_calib_examples: Optional[int] = None,
    ctx: Context = cpu(),  # noqa: B008
    LayerOutputCollector: Any = None,
    logger: Any = None,
) -> SymbolBlock:
    """A block of 8-bit layers, from a float one.

    Parameters
    ----------
    network : HybridBlock
        The network, with values in its parameters; it is hybridised.
    quantized_dtype, quantize_mode, quantize_granularity, num_calib_examples
        As for :func:`quantize_model`.
    exclude_layers : list of str
        Names of nodes that stay float, such as ``"dense0_fwd"``.
    exclude_layers_match : list of str
        Parts of such names.
    exclude_operators : list of str
        Names of operators that stay float.
    calib_data : DataIter or DataLoader
        Batches, by which ranges are found.
    data_shapes : list of DataDesc, or of pairs of a name and a shape
        Of the inputs, where ``calib_data`` is None.
    calib_mode : str
        "none", "naive", "entropy" or "customize"; the last asks ``LayerOutputCollector``.
    ctx : Context
        The device.

    Examples
    --------
    >>> import mixgrad as mx
    >>> net = mx.gluon.nn.Dense(2, in_units=3)
    >>> net.initialize(mx.init.One())
    >>> data = mx.gluon.data.DataLoader(mx.gluon.data.ArrayDataset(mx.nd.ones((4, 3)), mx.nd.zeros(4)), 2)
    >>> small = mx.contrib.quantization.quantize_net_v2(net, calib_data=data, calib_mode="naive")
    >>> small(mx.nd.ones((1, 3))).asnumpy().round(1)
    array([[3., 3.]], dtype=float32)
    """
    from ..gluon import HybridBlock, SymbolBlock
    from .quantization import calib_graph, quantize_graph

    if not isinstance(network, HybridBlock):
        raise TypeError(f"[quantize_net] network is {type(network).__name__}; expected a HybridBlock")
    calibrates = calib_mode is not None and calib_mode != "none"
    if calibrates and calib_data is None:
        raise ValueError(f"[quantize_net] calib_data is None; calib_mode {calib_mode!r} expects batches")
    shapes = _shapes_of(calib_data, data_shapes)
    _run(network, shapes, ctx)
    inputs, symbol = network._cached_graph
    found = {name: parameter._reduce() for name, parameter in network.collect_params().items()}
    states = {name: found[name] for name in symbol.list_auxiliary_states()}
    params = {name: found[name] for name in symbol.list_arguments() if name in found}
    nodes = [one.name for one in symbol.get_internals()]
    matched = [name for name in nodes if any(part in name for part in exclude_layers_match or ())]
    excluded = [*(exclude_layers or ()), *dict.fromkeys(matched)]
    if logger:
        logger.info("layers that stay float: %s", ", ".join(excluded) or "none")
    small, values, states, collector = quantize_graph(
        symbol,
        params,
        states,
        ctx,
        excluded,
        exclude_operators,
        calib_mode,
        quantized_dtype,
        quantize_mode,
        quantize_granularity,
        LayerOutputCollector,
        logger,
    )
    if calibrates:
        data = _Batches(calib_data, [one.name for one in inputs], shapes)
        everything = {**params, **states}
        watch_outputs(symbol, everything, data, collector.include_layer, collector, ctx, num_calib_examples)
        small, values, states = calib_graph(
            small, params, states, collector, calib_mode, quantized_dtype, logger
        )
    block = SymbolBlock(small, list(inputs))
    for name, parameter in block.collect_params().items():
        value = {**values, **states}[name]
        parameter._load_init(value, ctx, cast_dtype=True, dtype_source="saved")
    return block


def quantize_net(
    network: HybridBlock,
    quantized_dtype: str = "auto",
    quantize_mode: str = "full",
    exclude_layers: Optional[list[str]] = None,
    exclude_layers_match: Optional[list[str]] = None,
    exclude_operators: Optional[list[str]] = None,
    calib_data: Any = None,
    data_shapes: Any = None,
    calib_mode: str = "none",
    num_calib_examples: Optional[int] = None,
    ctx: Context = cpu(),  # noqa: B008
    logger: Any = None,
) -> SymbolBlock:
    """As :func:`quantize_net_v2`, which MXNet has in its place from 1.7 on; weights have one range each."""
    warnings.warn("quantize_net is an older name; quantize_net_v2 has all options", stacklevel=2)
    return quantize_net_v2(
        network,
        quantized_dtype,
        quantize_mode,
        "tensor-wise",
        exclude_layers,
        exclude_layers_match,
        exclude_operators,
        calib_data,
        data_shapes,
        calib_mode,
        num_calib_examples,
        ctx,
        logger=logger,
    )
