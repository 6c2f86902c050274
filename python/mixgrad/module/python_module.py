"""Modules written in Python: without parameters, often a loss at the end of a chain."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any, Callable, Optional

from .. import ndarray as nd
from .._progress import warn
from ..base import RefusedValueError
from ..initializer import Uniform
from ..io import DataDesc
from ..ndarray import NDArray
from .base_module import DEFAULT_PARAMS, BaseModule

__all__ = ["PythonLossModule", "PythonModule"]


class PythonModule(BaseModule):
    """Base of modules without parameters; a subclass gives ``forward``, ``backward`` and what they produce.

    Parameters
    ----------
    data_names, label_names, output_names : list of str
        Names of what goes in and comes out; ``label_names`` may be None.
    logger : Logger
        Where ``bind`` warns.
    """

    def __init__(
        self,
        data_names: Sequence[str],
        label_names: Optional[Sequence[str]],
        output_names: Sequence[str],
        logger: Any = logging,
    ) -> None:
        super().__init__(logger=logger)
        self._data_names = list(data_names)
        self._label_names = None if label_names is None else list(label_names)
        self._output_names = list(output_names)
        self._data_shapes: Any = None
        self._label_shapes: Any = None
        self._output_shapes: Any = None

    @property
    def data_names(self) -> list[str]:
        """Names of the data."""
        return self._data_names

    @property
    def output_names(self) -> list[str]:
        """Names of the outputs."""
        return self._output_names

    @property
    def data_shapes(self) -> Any:
        """Names and shapes of the data."""
        return self._data_shapes

    @property
    def label_shapes(self) -> Any:
        """Names and shapes of the labels, or None."""
        return self._label_shapes

    @property
    def output_shapes(self) -> Any:
        """Names and shapes of the outputs."""
        return self._output_shapes

    def get_params(self) -> tuple[dict[str, NDArray], dict[str, NDArray]]:
        """Return two empty dicts."""
        return {}, {}

    def init_params(
        self,
        initializer: Any = Uniform(0.01),  # noqa: B008
        arg_params: Any = None,
        aux_params: Any = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Nothing to do: there are no parameters."""
        self.params_initialized = True

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = DEFAULT_PARAMS,
        force_init: bool = False,
    ) -> None:
        """Nothing to do: there are no parameters."""
        self.optimizer_initialized = True

    def update(self) -> None:
        """Nothing to do: there are no parameters."""

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Update a metric with the outputs, if this module takes labels."""
        if self._label_shapes is None:
            return
        if pre_sliced:
            raise ValueError("[PythonModule.update_metric] labels cut per device are not supported")
        eval_metric.update(labels, self.get_outputs())

    def bind(
        self,
        data_shapes: Any,
        label_shapes: Any = None,
        for_training: bool = True,
        inputs_need_grad: bool = False,
        force_rebind: bool = False,
        shared_module: Any = None,
        grad_req: Any = "write",
    ) -> None:
        """Take shapes, whose names must be those of the constructor."""
        if self.binded and not force_rebind:
            warn(self.logger, "Already bound, ignoring bind()")
            return
        if grad_req != "write":
            raise ValueError(f"[PythonModule.bind] grad_req={grad_req!r}; only 'write' is supported")
        for kind, names, shapes in (
            ("data", self._data_names, data_shapes),
            ("label", self._label_names or [], label_shapes),
        ):
            given = [x[0] for x in shapes or []]
            if shapes is not None and given != names:
                raise ValueError(f"[PythonModule.bind] {kind}_shapes name {given}; expected {names}")
        self.for_training = for_training
        self.inputs_need_grad = inputs_need_grad
        self._data_shapes = [x if isinstance(x, DataDesc) else DataDesc(*x) for x in data_shapes]
        self._label_shapes = label_shapes
        self._output_shapes = self._compute_output_shapes()
        self.binded = True

    def _compute_output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Return names and shapes of the outputs, from ``data_shapes`` and ``label_shapes``."""
        raise self._absent("_compute_output_shapes")

    def install_monitor(self, mon: Any) -> None:
        """Nothing to watch: there is no executor."""


class PythonLossModule(PythonModule):
    """A loss whose gradient is a Python function; its output are the scores that come in.

    Parameters
    ----------
    name : str
        The output is called ``<name>_output``.
    data_names, label_names : list of str
        One name each.
    logger : Logger
        Where ``bind`` warns.
    grad_func : function, optional
        From scores and labels to their gradient; a subclass may define ``_backward_impl`` instead.

    Examples
    --------
    >>> import mixgrad as mx
    >>> loss = mx.mod.PythonLossModule(grad_func=lambda scores, labels: scores - labels)
    >>> loss.bind([("data", (2,))], [("softmax_label", (2,))])
    >>> loss.forward(mx.io.DataBatch([mx.nd.array([3, 5])], [mx.nd.array([1, 1])]))
    >>> loss.backward()
    >>> loss.get_input_grads()[0].asnumpy().tolist()
    [2.0, 4.0]
    """

    def __init__(
        self,
        name: str = "pyloss",
        data_names: Sequence[str] = ("data",),
        label_names: Sequence[str] = ("softmax_label",),
        logger: Any = logging,
        grad_func: Optional[Callable[[NDArray, NDArray], Any]] = None,
    ) -> None:
        super().__init__(data_names, label_names, [f"{name}_output"], logger=logger)
        if len(data_names) != 1 or len(label_names) != 1:
            raise ValueError(
                f"[PythonLossModule] data_names {list(data_names)} and label_names {list(label_names)}; "
                "expected one name each"
            )
        if grad_func is not None and not callable(grad_func):
            raise TypeError(
                f"[PythonLossModule] grad_func is {type(grad_func).__name__}; expected a function"
            )
        self._name = name
        self._grad_func = grad_func
        self._scores: Any = None
        self._labels: Any = None
        self._scores_grad: Any = None

    def _compute_output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        return [(f"{self._name}_output", self._data_shapes[0][1])]

    def forward(self, data_batch: Any, is_train: Optional[bool] = None) -> None:
        """Keep the scores, and in training the labels."""
        train = self.for_training if is_train is None else is_train
        if train and not data_batch.label:
            raise ValueError(
                f"[PythonLossModule.forward] the batch has no label; training needs {self._label_names}"
            )
        self._scores = data_batch.data[0]
        if train:
            self._labels = data_batch.label[0]

    def get_outputs(self, merge_multi_context: bool = True) -> list[NDArray]:
        """Return the scores."""
        return [self._scores]

    def backward(self, out_grads: Any = None) -> None:
        """Compute the gradient of the scores."""
        if out_grads is not None:
            raise ValueError("[PythonLossModule.backward] a loss takes no out_grads")
        if not self.for_training:
            raise RefusedValueError("[PythonLossModule.backward] it was bound for prediction")
        self._backward_impl()

    def _backward_impl(self) -> None:
        """Set ``_scores_grad`` from ``_scores`` and ``_labels``."""
        if self._grad_func is None:
            raise self._absent("grad_func")
        gradient = self._grad_func(self._scores, self._labels)
        self._scores_grad = gradient if isinstance(gradient, NDArray) else nd.array(gradient)

    def get_input_grads(self, merge_multi_context: bool = True) -> list[NDArray]:
        """Return the gradient of the scores."""
        return [self._scores_grad]
