"""The base of all metrics, the metric made of others, and the registry."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from numbers import Real
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from .. import registry
from ..ndarray import NDArray

__all__ = ["CompositeEvalMetric", "EvalMetric", "alias", "check_label_shapes", "create", "register"]

Array = npt.NDArray[Any]
Arrays = Union[Sequence[Any], NDArray, Array]


def to_numpy(value: Any) -> Array:
    """Return the values of an NDArray (waiting for it), a NumPy array, a number or a list."""
    return value.asnumpy() if isinstance(value, NDArray) else np.asarray(value)


def check_label_shapes(labels: Any, preds: Any, wrap: bool = False, shape: bool = False) -> tuple[Any, Any]:
    """Check that labels and predictions belong together; return both.

    Parameters
    ----------
    labels, preds : list of arrays, or array
        What to compare.
    wrap : bool
        Put single arrays into lists before returning them.
    shape : bool
        Compare shapes instead of lengths.

    Raises
    ------
    ValueError
        They differ.
    """
    left, right = (labels.shape, preds.shape) if shape else (len(labels), len(preds))
    if left != right:
        what = "shape" if shape else "length"
        raise ValueError(f"[metric] labels and predictions differ in {what}: {left} and {right}")
    if wrap:
        labels = labels if isinstance(labels, (list, tuple)) else [labels]
        preds = preds if isinstance(preds, (list, tuple)) else [preds]
    return labels, preds


class EvalMetric:
    """Base of all metrics: a sum and a count, whose ratio is the value.

    A subclass defines ``update(labels, preds)`` and calls :meth:`add` in it.

    Parameters
    ----------
    name : str
        Name of the value.
    output_names : list of str, optional
        Predictions that :meth:`update_dict` takes, all by default.
    label_names : list of str, optional
        Labels that :meth:`update_dict` takes, all by default.
    **kwargs
        Further arguments of the subclass, for :meth:`get_config`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> class Largest(mx.metric.EvalMetric):
    ...     def update(self, labels, preds):
    ...         for pred in preds:
    ...             self.add(float(pred.max().asscalar()), 1)
    >>> metric = Largest("largest")
    >>> metric.update(None, [mx.nd.array([1, 5]), mx.nd.array([3, 2])])
    >>> metric.get()
    ('largest', 4.0)
    """

    num_inst: float
    sum_metric: float
    global_num_inst: float
    global_sum_metric: float

    def __init__(
        self,
        name: str,
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> None:
        self.name = str(name)
        self.output_names = output_names
        self.label_names = label_names
        # True once the global sums are kept; a subclass that adds to sum_metric itself has none.
        self._has_global_stats: bool = kwargs.pop("has_global_stats", False)
        self._kwargs = kwargs
        self.reset()

    def __repr__(self) -> str:
        values = (f"{n}={v:.6g}" if isinstance(v, Real) else f"{n}={v}" for n, v in self.get_name_value())
        return f"<{type(self).__name__} {' '.join(values)}>"

    def __str__(self) -> str:
        return f"EvalMetric: {dict(self.get_name_value())}"

    def get_config(self) -> dict[str, Any]:
        """Return the arguments from which :func:`create` makes an equal metric."""
        config = dict(self._kwargs)
        config.update(
            metric=type(self).__name__,
            name=self.name,
            output_names=self.output_names,
            label_names=self.label_names,
        )
        return config

    def update_dict(self, label: Mapping[str, Any], pred: Mapping[str, Any]) -> None:
        """Update from labels and predictions by name; ``KeyError`` if a wanted name is missing."""
        self.update(_picked(label, self.label_names, "label"), _picked(pred, self.output_names, "prediction"))

    def update(self, labels: Any, preds: Any) -> None:
        """Add the results of one batch.

        Parameters
        ----------
        labels, preds : list of NDArray or numpy.ndarray
            One entry per output.
        """
        raise NotImplementedError(f"[{type(self).__name__}] a metric must define update(labels, preds)")

    def add(self, total: float, count: float) -> None:
        """Add to the sums since ``reset_local`` and since ``reset``."""
        self._has_global_stats = True
        self.sum_metric += total
        self.num_inst += count
        self.global_sum_metric += total
        self.global_num_inst += count

    def reset(self) -> None:
        """Forget everything."""
        self.num_inst = 0
        self.sum_metric = 0.0
        self.global_num_inst = 0
        self.global_sum_metric = 0.0

    def reset_local(self) -> None:
        """Forget what :meth:`get` tells, and keep what :meth:`get_global` tells."""
        self.num_inst = 0
        self.sum_metric = 0.0

    def get(self) -> tuple[Any, Any]:
        """Return ``(name, value)`` since the last reset of any kind; nan before the first update."""
        return self.name, self._value(self.sum_metric, self.num_inst)

    def get_global(self) -> tuple[Any, Any]:
        """Return ``(name, value)`` since the last :meth:`reset`; nan before the first update."""
        if not self._has_global_stats:
            return self.get()
        return self.name, self._value(self.global_sum_metric, self.global_num_inst)

    def _value(self, total: float, count: float) -> float:
        return total / count if count else math.nan

    def get_name_value(self) -> list[tuple[str, float]]:
        """Return :meth:`get` as a list of pairs."""
        return _pairs(*self.get())

    def get_global_name_value(self) -> list[tuple[str, float]]:
        """Return :meth:`get_global` as a list of pairs."""
        return _pairs(*self.get_global())

    def _each(self, labels: Any, preds: Any) -> Iterator[tuple[Array, Array]]:
        """Yield labels and predictions of every output as NumPy arrays, after checking that they match."""
        labels, preds = check_label_shapes(*_lists(labels, preds))
        for label, pred in zip(labels, preds):
            yield to_numpy(label), to_numpy(pred)


register = registry.get_register_func(EvalMetric, "metric")
alias = registry.get_alias_func(EvalMetric, "metric")
_create_one = registry.get_create_func(EvalMetric, "metric")


def create(metric: Any, *args: Any, **kwargs: Any) -> EvalMetric:
    """Make a metric.

    Parameters
    ----------
    metric : str, EvalMetric, callable, dict, or list of these
        A registered name, an instance (returned as it is), a function ``f(label, pred)``, a configuration, or
        several of them for a :class:`CompositeEvalMetric`.
    *args, **kwargs
        Arguments of the class.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.metric.create("top_k_accuracy", top_k=3).name
    'top_k_accuracy_3'
    >>> mx.metric.create(["acc", "mse"]).get()[0]
    ['accuracy', 'mse']
    """
    if isinstance(metric, list):
        composite = CompositeEvalMetric()
        for item in metric:
            composite.add(create(item, *args, **kwargs))
        return composite
    if callable(metric) and not isinstance(metric, EvalMetric):
        from .custom import CustomMetric

        return CustomMetric(metric, *args, **kwargs)
    made: EvalMetric = _create_one(metric, *args, **kwargs)
    return made


@alias("composite")
@register
class CompositeEvalMetric(EvalMetric):
    """Several metrics as one.

    Parameters
    ----------
    metrics : list of EvalMetric or str, optional
        The metrics; more are added with :meth:`add`.
    name : str
        Name of the whole.
    output_names, label_names : list of str, optional
        What :meth:`update_dict` passes on.

    Examples
    --------
    >>> import mixgrad as mx
    >>> both = mx.metric.CompositeEvalMetric(["acc", "mae"])
    >>> both.update([mx.nd.array([0, 1])], [mx.nd.array([0, 0])])
    >>> both.get()
    (['accuracy', 'mae'], [0.5, 0.5])
    """

    def __init__(
        self,
        metrics: Sequence[Any] | None = None,
        name: str = "composite",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        self.metrics = [create(metric) for metric in metrics or ()]
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def add(self, metric: Any, count: Any = None) -> None:
        """Add a metric, or what :func:`create` makes one from."""
        if count is not None:
            raise TypeError(f"[CompositeEvalMetric] expected one metric, got {metric!r} and {count!r}")
        self.metrics.append(create(metric))

    def get_metric(self, index: int) -> EvalMetric:
        """Return the metric at a position; ``ValueError`` if there is none."""
        if not -len(self.metrics) <= index < len(self.metrics):
            raise ValueError(
                f"[CompositeEvalMetric] no metric at position {index}; there are {len(self.metrics)}"
            )
        return self.metrics[index]

    def update_dict(self, labels: Mapping[str, Any], preds: Mapping[str, Any]) -> None:
        if self.label_names is not None:
            labels = {name: labels[name] for name in self.label_names}
        if self.output_names is not None:
            preds = {name: preds[name] for name in self.output_names}
        for metric in self.metrics:
            metric.update_dict(labels, preds)

    def update(self, labels: Any, preds: Any) -> None:
        for metric in self.metrics:
            metric.update(labels, preds)

    def reset(self) -> None:
        for metric in self.metrics:
            metric.reset()

    def reset_local(self) -> None:
        for metric in self.metrics:
            metric.reset_local()

    def get(self) -> tuple[list[str], list[float]]:
        return _flat(metric.get_name_value() for metric in self.metrics)

    def get_global(self) -> tuple[list[str], list[float]]:
        return _flat(metric.get_global_name_value() for metric in self.metrics)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "metrics": [metric.get_config() for metric in self.metrics]}


def _pairs(names: Any, values: Any) -> list[tuple[str, float]]:
    names = names if isinstance(names, list) else [names]
    values = values if isinstance(values, list) else [values]
    return list(zip(names, values))


def _flat(lists: Iterator[list[tuple[str, float]]]) -> tuple[list[str], list[float]]:
    pairs = [pair for part in lists for pair in part]
    return [name for name, _ in pairs], [value for _, value in pairs]


def _picked(arrays: Mapping[str, Any], names: Sequence[str] | None, what: str) -> list[Any]:
    if names is None:
        return list(arrays.values())
    missing = [name for name in names if name not in arrays]
    if missing:
        raise KeyError(
            f"[metric] no {what} named {', '.join(missing)}; there are {', '.join(arrays) or 'none'}"
        )
    return [arrays[name] for name in names]


def _lists(labels: Any, preds: Any) -> tuple[Any, Any]:
    """Wrap single arrays into lists, so that nobody iterates over the rows of an array."""
    if not isinstance(labels, (list, tuple)):
        labels = [labels]
    if not isinstance(preds, (list, tuple)):
        preds = [preds]
    return labels, preds
