"""Ranges of layers' outputs: collectors that watch them, and thresholds from histograms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Optional

import numpy as np

from ..context import Context
from ..io import DataIter
from ..ndarray import NDArray, array
from ..ndarray import contrib as nd_contrib
from ..symbol import Group, Symbol

Range = tuple[float, float]
# Counts, edges of bins, smallest and largest value, and the largest magnitude that the bins hold.
Histogram = tuple[Any, Any, float, float, float]


class LayerOutputMinMaxCollector:
    """Smallest and largest value of each layer's output.

    Parameters
    ----------
    quantized_dtype : str
        Kept for subclasses.
    include_layer : sequence of str
        Outputs that are watched, as in ``"conv0_output"``; None watches all that it is given.
    """

    def __init__(
        self, quantized_dtype: str = "int8", include_layer: Optional[Sequence[str]] = None, logger: Any = None
    ) -> None:
        self.min_max_dict: dict[str, Range] = {}
        self.quantized_dtype = quantized_dtype
        self.include_layer = include_layer
        self.logger = logger

    def collect(self, name: str, arr: NDArray) -> None:
        """Takes one more batch of an output."""
        if self.include_layer is not None and name not in self.include_layer:
            return
        values = arr.asnumpy()
        low, high = _extremes(values, name)
        before = self.min_max_dict.get(name, (low, high))
        self.min_max_dict[name] = (min(low, before[0]), max(high, before[1]))
        if self.logger:
            self.logger.debug("%s lies in %f ... %f", name, low, high)


class LayerHistogramCollector:
    """Histogram of each layer's output, in bins symmetric about 0.

    Parameters
    ----------
    num_bins : int
        Bins of the first batch, an odd number; later batches may need more.
    """

    def __init__(
        self, num_bins: int = 8001, include_layer: Optional[Sequence[str]] = None, logger: Any = None
    ) -> None:
        if num_bins < 3 or num_bins % 2 == 0:
            raise ValueError(f"[calibration] num_bins is {num_bins}; expected an odd number from 3 on")
        self.hist_dict: dict[str, Histogram] = {}
        self.num_bins = num_bins
        self.include_layer = include_layer
        self.logger = logger

    def collect(self, name: str, arr: NDArray) -> None:
        """Takes one more batch of an output."""
        if self.include_layer is not None and name not in self.include_layer:
            return
        values = arr.asnumpy()
        low, high = _extremes(values, name)
        threshold = max(abs(low), abs(high))
        if name in self.hist_dict:
            self.hist_dict[name] = combine_histogram(self.hist_dict[name], values, low, high, threshold)
        else:
            hist, edges = np.histogram(values, bins=self.num_bins, range=(-threshold, threshold))
            self.hist_dict[name] = (hist, edges, low, high, threshold)
        if self.logger:
            self.logger.debug("histogram of %s, shape %s", name, values.shape)


def _extremes(values: Any, name: str) -> Range:
    if values.size == 0 or not np.isfinite(values).all():
        what = "no element" if values.size == 0 else "NaN or infinite elements"
        raise ValueError(f"[calibration] {name} has {what}; expected finite numbers")
    return float(values.min()), float(values.max())


def combine_histogram(
    old_hist: Histogram, arr: Any, new_min: float, new_max: float, new_th: float
) -> Histogram:
    """A histogram with more values counted; it gets bins at both ends where they lie outside."""
    counts, edges, low, high, threshold = old_hist
    low, high = min(low, new_min), max(high, new_max)
    bins = len(counts)
    if new_th <= threshold or threshold == 0:
        inside = max(threshold, new_th)
        more, more_edges = np.histogram(arr, bins=bins, range=(-inside, inside))
        if threshold == 0 and new_th > 0:  # so far all was 0, the middle bin
            more[bins // 2] += counts.sum()
            return more, more_edges, low, high, new_th
        return counts + more, edges, low, high, threshold
    step = 2 * threshold / bins
    added = int((new_th - threshold) // step + 1)
    if added > 10_000_000:
        raise ValueError(
            f"[calibration] values reach {new_th} and {threshold} before; "
            "expected batches of about the same range"
        )
    threshold += added * step
    more, edges = np.histogram(arr, bins=bins + 2 * added, range=(-threshold, threshold))
    more[added : added + bins] += counts
    return more, edges, low, high, threshold


def optimal_threshold(
    hist_data: Histogram, quantized_dtype: str, num_quantized_bins: int = 255
) -> tuple[float, float, float, float]:
    """Smallest and largest value, the threshold of least divergence, and that divergence."""
    counts, edges, low, high, _ = hist_data
    if low >= 0 and quantized_dtype in ("auto", "uint8"):
        num_quantized_bins = 2 * num_quantized_bins + 1  # the negative half has no values
    threshold, divergence = nd_contrib.calibrate_entropy(
        array(counts, dtype="float32"),
        array(edges, dtype="float32"),
        num_quantized_bins=num_quantized_bins,
    )
    return low, high, float(threshold.asscalar()), float(divergence.asscalar())


def optimal_thresholds(
    hist_dict: dict[str, Histogram], quantized_dtype: str, num_quantized_bins: int = 255, logger: Any = None
) -> dict[str, Range]:
    """Ranges of all outputs by their histograms."""
    ranges: dict[str, Range] = {}
    for name, histogram in hist_dict.items():
        low, high, threshold, divergence = optimal_threshold(histogram, quantized_dtype, num_quantized_bins)
        unsigned = low >= 0 and quantized_dtype in ("auto", "uint8")
        ranges[name] = (0.0 if unsigned else -threshold, threshold)
        if logger:
            logger.debug("%s: %f ... %f, cut at %f, divergence %f", name, low, high, threshold, divergence)
    return ranges


def watch_outputs(
    sym: Symbol,
    params: Mapping[str, NDArray],
    data: DataIter,
    names: Sequence[str],
    collector: Any,
    ctx: Context,
    max_num_examples: Optional[int] = None,
) -> int:
    """Runs batches and gives outputs, by name, to ``collector.collect``; counts the examples."""
    internals = sym.get_internals()
    outputs = internals.list_outputs()
    inside = [name for name in names if name in outputs]
    described = {str(d.name): d for d in data.provide_data}
    group = Group([internals[name] for name in inside])
    needed = set(group.list_inputs())
    shapes: dict[str, Any] = {name: tuple(d.shape) for name, d in described.items() if name in needed}
    executor = group.simple_bind(ctx, grad_req="null", **shapes)
    given = {k: v for k, v in params.items() if k in needed}
    executor.copy_params_from(
        {k: v for k, v in given.items() if k in executor.arg_dict},
        {k: v for k, v in given.items() if k in executor.aux_dict},
    )
    examples = 0
    data.reset()
    for batch in data:
        arrays = dict(zip(described, batch.data))
        results = executor.forward(is_train=False, **{k: v for k, v in arrays.items() if k in shapes})
        for name, result in zip(inside, results):
            collector.collect(name, result)
        examples += int(data.batch_size)
        if max_num_examples is not None and examples >= max_num_examples:
            break
    if examples == 0:
        raise ValueError("[calibration] calib_data gives no batch; expected at least one")
    return examples
