"""Metrics that average what a model or a function computes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable

from .base import Array, EvalMetric, _lists, check_label_shapes, register, to_numpy

__all__ = ["Caffe", "CustomMetric", "Loss", "Torch", "np"]

Function = Callable[[Array, Array], Any]


@register
class Loss(EvalMetric):
    """Mean of all numbers among the predictions, which are losses; labels are not used.

    Parameters
    ----------
    name, output_names, label_names
        See :class:`EvalMetric`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> loss = mx.metric.Loss()
    >>> loss.update(None, [mx.nd.array([1, 2, 6])])
    >>> loss.get()
    ('loss', 3.0)
    """

    def __init__(
        self,
        name: str = "loss",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def update(self, labels: Any, preds: Any) -> None:
        for pred in preds if isinstance(preds, (list, tuple)) else [preds]:
            values = to_numpy(pred)
            self.add(float(values.sum()), values.size)


@register
class Torch(Loss):
    """:class:`Loss` under the name ``torch``, for losses computed by Torch.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.metric.Torch().name
    'torch'
    """

    def __init__(
        self,
        name: str = "torch",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names)


@register
class Caffe(Loss):
    """:class:`Loss` under the name ``caffe``, for losses computed by Caffe.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.metric.Caffe().name
    'caffe'
    """

    def __init__(
        self,
        name: str = "caffe",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names)


@register
class CustomMetric(EvalMetric):
    """Mean of a function of label and prediction.

    Parameters
    ----------
    feval : callable
        ``feval(label, pred)`` gets NumPy arrays and returns a number, or ``(sum, count)``.
    name : str, optional
        The function's name by default.
    allow_extra_outputs : bool
        Whether there may be more predictions than labels; the additional ones are left out.
    output_names, label_names : list of str, optional
        See :class:`EvalMetric`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> def bias(label, pred):
    ...     return float((pred - label).mean())
    >>> metric = mx.metric.CustomMetric(bias)
    >>> metric.update([mx.nd.array([1, 2])], [mx.nd.array([2, 4])])
    >>> metric.get()
    ('bias', 1.5)
    """

    def __init__(
        self,
        feval: Function,
        name: str | None = None,
        allow_extra_outputs: bool = False,
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        if not callable(feval):
            raise TypeError(f"[CustomMetric] feval is {type(feval).__name__}; expected a function")
        if name is None:
            name = str(getattr(feval, "__name__", type(feval).__name__))
            if "<" in name:
                name = f"custom({name})"
        super().__init__(name, output_names, label_names, has_global_stats=True)
        self._feval = feval
        self._allow_extra_outputs = allow_extra_outputs

    def update(self, labels: Any, preds: Any) -> None:
        labels, preds = _lists(labels, preds)
        if not self._allow_extra_outputs:
            check_label_shapes(labels, preds)
        for label, pred in zip(labels, preds):
            result = self._feval(to_numpy(label), to_numpy(pred))
            if isinstance(result, tuple):
                self.add(*result)
            else:
                self.add(result, 1)

    def get_config(self) -> dict[str, Any]:
        raise NotImplementedError("[CustomMetric] a metric made from a function has no configuration")


def np(numpy_feval: Function, name: str | None = None, allow_extra_outputs: bool = False) -> CustomMetric:
    """Make a metric from a function of NumPy arrays.

    Parameters
    ----------
    numpy_feval : callable
        See :class:`CustomMetric`.
    name : str, optional
        The function's name by default.
    allow_extra_outputs : bool
        Whether there may be more predictions than labels.

    Examples
    --------
    >>> import mixgrad as mx
    >>> metric = mx.metric.np(lambda label, pred: float(abs(label - pred).max()), name="worst")
    >>> metric.update([mx.nd.array([1, 2])], [mx.nd.array([2, 4])])
    >>> metric.get()
    ('worst', 2.0)
    """

    if not callable(numpy_feval):
        raise TypeError(f"[metric.np] numpy_feval is {type(numpy_feval).__name__}; expected a function")

    def feval(label: Array, pred: Array) -> Any:
        return numpy_feval(label, pred)

    feval.__name__ = str(getattr(numpy_feval, "__name__", type(numpy_feval).__name__))
    return CustomMetric(feval, name, allow_extra_outputs)
