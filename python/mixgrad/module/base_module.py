"""What every module does, and the training loop built on it."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator, Mapping, Sequence
from inspect import signature
from typing import Any, Optional

import numpy as np

from .. import _words
from .. import metric as metrics
from .. import ndarray as nd
from .._hints import add_foreign_names, refuse_arguments
from .._progress import EpochReport
from .._repr import option_names, shapes_text
from .._training.callbacks import BatchEndParam, call_all, check_callbacks
from .._training.checkpoint import params_from, params_with_kinds
from ..base import RefusedValueError, extents
from ..initializer import Uniform
from ..io import DataBatch, DataDesc, DataIter
from ..io.base import need_iterator
from ..ndarray import NDArray
from ..symbol import Symbol
from .arrays import batches_of, is_array, labels_second
from .executor_group import is_parted

__all__ = ["BaseModule", "check_input_names", "parse_data_desc"]

DEFAULT_PARAMS = (("learning_rate", 0.01),)


def check_input_names(symbol: Any, names: Sequence[str], kind: str, needed: bool) -> None:
    """Refuse names that are no arguments of the graph, or warn of them."""
    if not isinstance(symbol, Symbol):
        raise TypeError(f"[Module] symbol is {type(symbol).__name__}; expected Symbol")
    arguments = symbol.list_arguments()
    params = ("_weight", "_bias", "_gamma", "_beta")
    for name in names:
        if name in arguments:
            continue
        likely = [argument for argument in arguments if not argument.endswith(params)]
        message = (
            f"[Module] {kind}_names={list(names)!r}: the graph has no argument {name!r}; inputs seem to be "
            f"{', '.join(likely)}"
        )
        if needed:
            raise ValueError(message)
        warnings.warn(message, stacklevel=3)


def _described(shapes: Any, what: str) -> list[DataDesc]:
    if isinstance(shapes, str) or not hasattr(shapes, "__iter__"):
        raise TypeError(f"[Module] {what} is {type(shapes).__name__}; expected a list of DataDesc or pairs")
    described = []
    for item in shapes.items() if isinstance(shapes, Mapping) else shapes:
        if not isinstance(item, DataDesc):
            if not isinstance(item, (list, tuple)) or not 2 <= len(item) <= 4 or not isinstance(item[0], str):
                raise TypeError(f"[Module] {what} has {item!r:.60}; expected a name and a shape")
            item = DataDesc(item[0], extents(item[1], f"Module {what}"), *item[2:])
        described.append(item)
    return described


def parse_data_desc(
    data_names: Sequence[str],
    label_names: Sequence[str],
    data_shapes: Any,
    label_shapes: Any,
    for_training: bool = False,
) -> tuple[list[DataDesc], Optional[list[DataDesc]]]:
    """Return descriptions; names of data must be those expected.

    Other labels are warned of, and in training their absence.
    """
    data = _described(data_shapes, "data_shapes")
    label = None if label_shapes is None else _described(label_shapes, "label_shapes")
    for kind, wanted, given in (("data", data_names, data), ("label", label_names, label or [])):
        names = [desc.name for desc in given]
        absent = kind == "label" and label is None and not for_training
        if absent or sorted(wanted) == sorted(names):
            continue
        message = (
            f"[Module] {kind}_shapes name {names}; expected {list(wanted)}, the {kind}_names of the module"
        )
        if kind == "data":
            raise ValueError(message)
        warnings.warn(message, stacklevel=3)
    return data, label


class BaseModule:
    """Base of all modules: what the training loop needs, and the loop.

    A subclass gives ``data_names``, ``output_names``, ``data_shapes``, ``label_shapes``, ``output_shapes``,
    ``bind``, ``init_params``, ``get_params``, ``init_optimizer``, ``forward``, ``backward``, ``update``,
    ``get_outputs``, ``get_input_grads`` and ``update_metric``.

    Attributes
    ----------
    binded : bool
        Whether shapes and memory are there.
    for_training, inputs_need_grad : bool
        For what it was bound.
    params_initialized, optimizer_initialized : bool
        Whether parameters have values, and a rule to change them.
    """

    def __init__(self, logger: Any = logging) -> None:
        self.logger = logger
        self.binded = False
        self.for_training = False
        self.inputs_need_grad = False
        self.params_initialized = False
        self.optimizer_initialized = False
        self._symbol: Any = None

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name not in _FOREIGN]

    def __repr__(self) -> str:
        state = []
        if self.binded:
            label = shapes_text(self.label_shapes)
            state = [f"data {shapes_text(self.data_shapes)}", *([f"label {label}"] if label else [])]
        state.append("parameters initialized" if self.params_initialized else "no parameters yet")
        optimizer = getattr(self, "_optimizer", None)
        state += [repr(optimizer)] if optimizer is not None else []
        return f"<{type(self).__name__} {'' if self.binded else 'not bound, '}{'; '.join(state)}>"

    # What a subclass defines.

    def _absent(self, what: str) -> NotImplementedError:
        return NotImplementedError(f"[{type(self).__name__}] this module does not define {what}")

    def _need(self, what: str, params: bool = True, optimizer: bool = False) -> None:
        """Refuse a call that comes too early."""
        missing = "bind" if not self.binded else ""
        if not missing and params and not self.params_initialized:
            missing = "init_params"
        if not missing and optimizer and not self.optimizer_initialized:
            missing = "init_optimizer"
        if missing:
            fitted = ", or fit, which does" if missing in ("bind", "init_params") else ""
            raise RefusedValueError(f"[{type(self).__name__}.{what}] call {missing} first{fitted}")

    @property
    def data_names(self) -> list[str]:
        """Names of the data."""
        raise self._absent("data_names")

    @property
    def output_names(self) -> list[str]:
        """Names of the outputs."""
        raise self._absent("output_names")

    @property
    def data_shapes(self) -> Any:
        """Names and shapes of the data."""
        raise self._absent("data_shapes")

    @property
    def label_shapes(self) -> Any:
        """Names and shapes of the labels, or None."""
        raise self._absent("label_shapes")

    @property
    def output_shapes(self) -> Any:
        """Names and shapes of the outputs."""
        raise self._absent("output_shapes")

    @property
    def symbol(self) -> Any:
        """The graph, where there is one."""
        return self._symbol

    def get_params(self) -> tuple[dict[str, NDArray], dict[str, NDArray]]:
        """Return ``(arg_params, aux_params)``, on the host."""
        raise self._absent("get_params")

    def init_params(
        self,
        initializer: Any = Uniform(0.01),  # noqa: B008
        arg_params: Any = None,
        aux_params: Any = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Give parameters their values: those handed over, others by the initialiser."""
        raise self._absent("init_params")

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
        """Take shapes and memory."""
        raise self._absent("bind")

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = DEFAULT_PARAMS,
        force_init: bool = False,
    ) -> None:
        """Install the rule that changes parameters."""
        raise self._absent("init_optimizer")

    def forward(self, data_batch: Any, is_train: Optional[bool] = None) -> None:
        """Compute the outputs of a batch."""
        raise self._absent("forward")

    def backward(self, out_grads: Any = None) -> None:
        """Compute gradients of the batch that was run last."""
        raise self._absent("backward")

    def update(self) -> None:
        """Change the parameters by the gradients."""
        raise self._absent("update")

    def get_outputs(self, merge_multi_context: bool = True) -> Any:
        """Return the outputs of the last batch."""
        raise self._absent("get_outputs")

    def get_input_grads(self, merge_multi_context: bool = True) -> Any:
        """Return the gradients of the data of the last batch."""
        raise self._absent("get_input_grads")

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Update a metric with the outputs of the last batch."""
        raise self._absent("update_metric")

    def install_monitor(self, mon: Any) -> None:
        """Let a monitor watch this module."""
        raise self._absent("install_monitor")

    # What follows from it.

    def set_params(
        self,
        arg_params: Any,
        aux_params: Any,
        allow_missing: bool = False,
        force_init: bool = True,
        allow_extra: bool = False,
    ) -> None:
        """Replace parameters by those handed over."""
        self.init_params(
            initializer=None,
            arg_params=arg_params,
            aux_params=aux_params,
            allow_missing=allow_missing,
            force_init=force_init,
            allow_extra=allow_extra,
        )

    def save_params(self, fname: str) -> None:
        """Write all parameters to a file, which appears complete or not at all."""
        nd.save(fname, params_with_kinds(*self.get_params()))

    def load_params(self, fname: str) -> None:
        """Replace parameters by those of a file."""
        self.set_params(*params_from(fname, strict=True))

    def get_states(self, merge_multi_context: bool = True) -> Any:
        """Return the states: inputs that no batch brings."""
        self._need("get_states")
        return []

    def set_states(self, states: Any = None, value: Any = None) -> None:
        """Set the states from arrays or to one number."""
        self._need("set_states")
        if states or value:
            raise ValueError(f"[{type(self).__name__}.set_states] this module has no states")

    def prepare(self, data_batch: Any, sparse_row_id_fn: Any = None) -> None:
        """Get ready for a batch that comes next."""
        if sparse_row_id_fn is not None:
            warnings.warn(
                f"[{type(self).__name__}.prepare] sparse_row_id_fn has no effect: no parameter is row-sparse",
                stacklevel=2,
            )

    def forward_backward(self, data_batch: Any) -> None:
        """Run a batch forward and backward."""
        self.forward(data_batch, is_train=True)
        self.backward()

    def _begin_epoch(self, epoch: int, train_data: Any) -> None:
        """What a subclass does before the batches of an epoch."""

    def _update_metric_of(self, eval_metric: Any, batch: Any) -> None:
        if is_parted(batch):
            self.update_metric(eval_metric, [part.label for part in batch], pre_sliced=True)
        else:
            self.update_metric(eval_metric, batch.label)

    @labels_second
    def score(
        self,
        eval_data: Any,
        eval_metric: Any = "acc",
        num_batch: Optional[int] = None,
        batch_end_callback: Any = None,
        score_end_callback: Any = None,
        reset: bool = True,
        epoch: int = 0,
        sparse_row_id_fn: Any = None,
    ) -> list[tuple[str, Any]]:
        """Return the names and values of a metric over an iterator.

        Parameters
        ----------
        eval_data : DataIter, or pair of arrays
            Batches with labels, or examples and their labels; ``score(X, y)`` gives the accuracy, and
            ``score(X, y, "ce")`` another metric.
        eval_metric : EvalMetric, or what ``mx.metric.create`` takes
            The metric.
        num_batch : int, optional
            At most so many batches.
        batch_end_callback, score_end_callback : function or list of functions
            Called with a ``BatchEndParam`` after each batch, and at the end.
        reset : bool
            Whether the iterator starts again first.
        epoch : int
            What callbacks are told.
        """
        self._need("score")
        if is_array(eval_data) and is_array(eval_metric):  # given by name
            eval_data, eval_metric = (eval_data, eval_metric), "acc"
        check_callbacks("score", batch_end_callback=batch_end_callback, score_end_callback=score_end_callback)
        eval_data = self._batches("score", "eval_data", eval_data, None)
        if reset:
            eval_data.reset()
        metric = metrics.create(eval_metric)
        metric.reset()
        count = 0
        for nbatch, batch in enumerate(eval_data):
            if nbatch == num_batch:
                break
            self.prepare(batch, sparse_row_id_fn=sparse_row_id_fn)
            self.forward(batch, is_train=False)
            self._update_metric_of(metric, batch)
            call_all(
                batch_end_callback,
                BatchEndParam(epoch=epoch, nbatch=nbatch, eval_metric=metric, locals=locals()),
            )
            count += 1
        call_all(
            score_end_callback,
            BatchEndParam(epoch=epoch, nbatch=count, eval_metric=metric, locals=locals()),
        )
        pairs: list[tuple[str, Any]] = metric.get_name_value()
        return pairs

    def _batches(self, who: str, what: str, data: Any, labels: Any, train: bool = False) -> Any:
        """The iterator over what a user gave: itself, or one over arrays and their labels."""
        if isinstance(data, tuple) and len(data) == 2 and is_array(data[0]):
            data, labels = data
        if is_array(data):
            names = (self.data_names, getattr(self, "label_names", None) or [])
            return batches_of(who, what, data, labels, names, train)
        need_iterator(data, who, what)
        return data

    def iter_predict(
        self,
        eval_data: DataIter,
        num_batch: Optional[int] = None,
        reset: bool = True,
        sparse_row_id_fn: Any = None,
    ) -> Iterator[tuple[list[NDArray], int, Any]]:
        """Give ``(outputs, number, batch)`` for each batch, without the examples that only fill it."""
        self._need("iter_predict")
        need_iterator(eval_data, "iter_predict", "eval_data")
        if reset:
            eval_data.reset()
        for nbatch, batch in enumerate(eval_data):
            if nbatch == num_batch:
                break
            self.prepare(batch, sparse_row_id_fn=sparse_row_id_fn)
            self.forward(batch, is_train=False)
            pad = batch.pad or 0
            yield [out[0 : out.shape[0] - pad] for out in self.get_outputs()], nbatch, batch

    def predict(
        self,
        eval_data: Any,
        num_batch: Optional[int] = None,
        merge_batches: bool = True,
        reset: bool = True,
        always_output_list: bool = False,
        sparse_row_id_fn: Any = None,
    ) -> Any:
        """Return the outputs for an iterator or an array.

        Parameters
        ----------
        eval_data : DataIter, NDArray, numpy.ndarray or lists of numbers
            An array is run as one batch.
        num_batch : int, optional
            At most so many batches.
        merge_batches : bool
            Whether batches are put together; otherwise a list of the outputs of each batch is returned.
        reset : bool
            Whether the iterator starts again first.
        always_output_list : bool
            Whether a single output is returned in a list too.
        """
        self._need("predict")
        if isinstance(eval_data, (NDArray, np.ndarray)) or (
            isinstance(eval_data, list) and is_array(eval_data)
        ):
            if not isinstance(eval_data, NDArray):
                eval_data = nd.array(eval_data)
            self.forward(DataBatch([eval_data]), is_train=False)
            return self.get_outputs()[0]
        if not isinstance(eval_data, DataIter):
            raise TypeError(
                f"[predict] eval_data is {type(eval_data).__name__}; expected a DataIter or an array"
            )
        batches = [
            [out.copy() for out in outputs]
            for outputs, _, _ in self.iter_predict(eval_data, num_batch, reset, sparse_row_id_fn)
        ]
        if not batches or not merge_batches:
            return batches
        if len({len(outputs) for outputs in batches}) > 1:
            raise ValueError("[predict] batches differ in their number of outputs, use merge_batches=False")
        joined = [nd.concat(*parts, dim=0) if len(parts) > 1 else parts[0] for parts in zip(*batches)]
        return joined[0] if len(joined) == 1 and not always_output_list else joined

    def fit(
        self,
        train_data: Any,
        eval_data: Any = None,
        eval_metric: Any = "acc",
        epoch_end_callback: Any = None,
        batch_end_callback: Any = None,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = DEFAULT_PARAMS,
        eval_end_callback: Any = None,
        eval_batch_end_callback: Any = None,
        initializer: Any = Uniform(0.01),  # noqa: B008
        arg_params: Any = None,
        aux_params: Any = None,
        allow_missing: bool = False,
        force_rebind: bool = False,
        force_init: bool = False,
        begin_epoch: int = 0,
        num_epoch: Optional[int] = None,
        validation_metric: Any = None,
        monitor: Any = None,
        sparse_row_id_fn: Any = None,
        update_in_graph: bool = False,
        **unknown: Any,
    ) -> None:
        """Train.

        What an epoch gave is logged at level INFO; where no logging is set up at all, it is a line on
        standard error.

        Parameters
        ----------
        train_data, eval_data : DataIter, or pair of arrays
            Batches to train on, and to measure by after each epoch; or examples and their labels.
            ``fit(X, y)`` trains on two arrays, in batches of at most 128 and in random order.
        eval_metric, validation_metric : EvalMetric, or what ``mx.metric.create`` takes
            What is measured in training and on ``eval_data``; by default the same.
        epoch_end_callback : function or list of functions
            Called with ``(epoch, symbol, arg_params, aux_params)``.
        batch_end_callback, eval_end_callback, eval_batch_end_callback : function or list of functions
            Called with a ``BatchEndParam``.
        kvstore, optimizer, optimizer_params
            See :meth:`init_optimizer`.
        initializer, arg_params, aux_params, allow_missing, force_init
            See :meth:`init_params`.
        force_rebind : bool
            Whether to bind again.
        begin_epoch, num_epoch : int
            Epochs from ``begin_epoch`` until before ``num_epoch`` are run.
        monitor : Monitor, optional
            Watches the network.
        update_in_graph : bool
            See :meth:`Module.init_optimizer`.
        """
        if unknown:
            known = option_names(type(self), BaseModule, "fit")
            refuse_arguments(f"{type(self).__name__}.fit", unknown, known, _words.FIT)
        if num_epoch is None:
            raise ValueError("[fit] num_epoch is None; expected a number of epochs")
        for what, epoch in (("begin_epoch", begin_epoch), ("num_epoch", num_epoch)):
            if not isinstance(epoch, (int, np.integer)):
                raise TypeError(
                    f"[fit] {what} is {type(epoch).__name__}: {epoch!r:.60}; expected a whole number"
                )
        check_callbacks(
            "fit",
            epoch_end_callback=epoch_end_callback,
            batch_end_callback=batch_end_callback,
            eval_end_callback=eval_end_callback,
            eval_batch_end_callback=eval_batch_end_callback,
        )
        if is_array(train_data):
            if isinstance(eval_metric, tuple) and all(map(is_array, eval_metric)):
                raise TypeError(
                    "[fit] eval_metric is a tuple of arrays; expected fit((X, y), (X_val, y_val))"
                )
            train_data, eval_data = (train_data, eval_data), None
        train_data = self._batches("fit", "train_data", train_data, None, train=True)
        if eval_data is not None:
            eval_data = self._batches("fit", "eval_data", eval_data, None)
        self.bind(
            train_data.provide_data, train_data.provide_label, for_training=True, force_rebind=force_rebind
        )
        if monitor is not None:
            self.install_monitor(monitor)
        if force_init or not self.params_initialized or arg_params or aux_params:
            self.init_params(initializer, arg_params, aux_params, allow_missing, force_init)
        where = {"update_in_graph": True} if update_in_graph else {}
        if where and "update_in_graph" not in signature(self.init_optimizer).parameters:
            raise ValueError(
                f"[{type(self).__name__}.fit] update_in_graph=True is for Module and BucketingModule"
            )
        self.init_optimizer(kvstore=kvstore, optimizer=optimizer, optimizer_params=optimizer_params, **where)
        validation_metric = eval_metric if validation_metric is None else validation_metric
        metric = metrics.create(eval_metric)

        for epoch in range(begin_epoch, num_epoch):
            report = EpochReport(self.logger, epoch)
            self._begin_epoch(epoch, train_data)
            metric.reset()
            totals: list[tuple[str, Any]] = []
            batches = iter(train_data)
            following = next(batches, None)
            if following is None:
                raise ValueError("[fit] train_data gives no batch")
            nbatch = 0
            while following is not None:
                batch = following
                if monitor is not None:
                    monitor.tic()
                self.forward_backward(batch)
                self.update()
                self._update_metric_of(metric, batch)
                report.count(train_data, batch)
                following = next(batches, None)
                if following is not None:
                    self.prepare(following, sparse_row_id_fn=sparse_row_id_fn)
                if monitor is not None:
                    monitor.toc_print()
                if following is None:  # before callbacks, which may reset it
                    totals = metric.get_global_name_value()
                call_all(
                    batch_end_callback,
                    BatchEndParam(epoch=epoch, nbatch=nbatch, eval_metric=metric, locals=locals()),
                )
                nbatch += 1

            for name, value in totals:
                report.add("Train-%s=%f", name, value)
            report.add_time()
            # States that each device moved by itself become the same everywhere.
            now_args, now_auxs = self.get_params()
            for array in (*(now_args or {}).values(), *(now_auxs or {}).values()):
                array.wait_to_read()  # a batch that failed is told of here, not where weights are used next
            self.set_params(now_args, now_auxs)
            call_all(epoch_end_callback, epoch, self.symbol, now_args, now_auxs)
            if eval_data is not None:
                scores = self.score(
                    eval_data,
                    validation_metric,
                    score_end_callback=eval_end_callback,
                    batch_end_callback=eval_batch_end_callback,
                    epoch=epoch,
                )
                for name, value in scores:
                    report.add("Validation-%s=%f", name, value)
            report.close()
            train_data.reset()


_FOREIGN = add_foreign_names(BaseModule, _words.MODEL)


def batch_descriptions(batch: Any, old_data: Sequence[DataDesc], old_label: Any) -> tuple[Any, Any]:
    """Describe a batch whose shapes are not those bound: its own descriptions, or the old ones resized."""
    if getattr(batch, "provide_data", None):
        data = batch.provide_data
    else:
        data = [DataDesc(d.name, x.shape, d.dtype, d.layout) for d, x in zip(old_data, batch.data)]
    if getattr(batch, "provide_label", None):
        label = batch.provide_label
    elif getattr(batch, "label", None) and old_label:
        label = [DataDesc(d.name, x.shape, d.dtype, d.layout) for d, x in zip(old_label, batch.label)]
    else:
        label = None
    return data, label
