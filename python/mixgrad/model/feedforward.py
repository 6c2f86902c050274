"""A model with the habits of scikit-learn: fit, predict, score."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Optional

import numpy as np

from .. import io
from .. import metric as metrics
from .. import ndarray as nd
from .._progress import EpochReport, note
from .._training.callbacks import BatchEndParam, call_all, check_callbacks
from .._training.checkpoint import load_checkpoint, save_checkpoint
from .._training.params import fill_params, need_shapes
from .._training.update import (
    choose_kvstore,
    gradient_scale,
    make_optimizer,
    make_updater,
    update_params,
)
from ..base import ShapeError
from ..callback import LogValidationMetricsCallback
from ..context import contexts_of
from ..initializer import Uniform
from ..io import DataDesc
from ..module.arrays import labels_second
from ..module.base_module import batch_descriptions
from ..module.executor_group import DataParallelExecutorGroup
from ..ndarray import NDArray

__all__ = ["FeedForward"]

Params = Optional[Mapping[str, NDArray]]


class FeedForward:
    """A network with one loss, trained on arrays or iterators, on one or several devices.

    Parameters
    ----------
    symbol : Symbol, or function
        The graph; a function gives the graph of a bucket key.
    ctx : Context or list of Context, optional
        Devices; several share each batch, prediction uses the first.
    num_epoch : int
        Epochs to train.
    epoch_size : int, optional
        Batches per epoch; by default one pass over the data.
    optimizer : str or Optimizer
        The rule.
    initializer : Initializer
        Makes the parameters that are not given.
    numpy_batch_size : int
        Batch size for arrays.
    arg_params, aux_params : dict of str to NDArray, optional
        Parameters to begin with.
    allow_extra_params : bool
        Whether these may hold arrays that the graph does not have.
    begin_epoch : int
        Number of the first epoch.
    **kwargs
        Options of the optimiser.

    Examples
    --------
    >>> import mixgrad as mx, numpy as np
    >>> net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=2, name="fc")
    >>> net = mx.sym.SoftmaxOutput(net, name="softmax")
    >>> points = np.random.RandomState(0).randn(200, 2).astype("float32")
    >>> model = mx.model.FeedForward(
    ...     net, ctx=[mx.cpu(0), mx.cpu(1)], num_epoch=5, numpy_batch_size=20, learning_rate=1.0
    ... )
    >>> model.fit(points, points[:, 0] > 0)
    >>> (model.predict(points).argmax(1) == (points[:, 0] > 0)).mean() > 0.95
    np.True_
    """

    def __init__(
        self,
        symbol: Any,
        ctx: Any = None,
        num_epoch: Optional[int] = None,
        epoch_size: Optional[int] = None,
        optimizer: Any = "sgd",
        initializer: Any = Uniform(0.01),  # noqa: B008
        numpy_batch_size: int = 128,
        arg_params: Params = None,
        aux_params: Params = None,
        allow_extra_params: bool = False,
        begin_epoch: int = 0,
        **kwargs: Any,
    ) -> None:
        from ..symbol import Symbol

        self.symbol: Any = symbol if isinstance(symbol, Symbol) else None
        self.sym_gen: Any = None if isinstance(symbol, Symbol) else symbol
        if self.sym_gen is not None and not callable(self.sym_gen):
            raise TypeError(
                f"[FeedForward] symbol is {type(symbol).__name__}; expected a Symbol or a function"
            )
        self.ctx = contexts_of(ctx, "FeedForward")
        self.num_epoch = num_epoch
        self.epoch_size = epoch_size
        self.optimizer = optimizer
        self.initializer = initializer
        self.numpy_batch_size = numpy_batch_size
        self.arg_params: Any = arg_params
        self.aux_params: Any = aux_params
        self.allow_extra_params = allow_extra_params
        self.begin_epoch = begin_epoch
        self.kwargs = dict(kwargs)
        self._pred_exec: Any = None
        if self.symbol is not None:
            self._check_arguments()

    def __repr__(self) -> str:
        net = "buckets" if self.symbol is None else ", ".join(self.symbol.list_outputs())
        state = "no parameters yet" if self.arg_params is None else f"{len(self.arg_params)} parameters"
        return f"<{type(self).__name__} {net}; {state}>"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_pred_exec": None}

    def _check_arguments(self) -> None:
        """Refuse a graph that names two inputs alike; leave out parameters it lacks, if that is allowed."""
        for what, names in (
            ("argument", self.symbol.list_arguments()),
            ("auxiliary state", self.symbol.list_auxiliary_states()),
        ):
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(
                    f"[FeedForward] the graph has more than one {what} called {', '.join(twice)}"
                )
        if self.allow_extra_params:
            args, auxs = set(self.symbol.list_arguments()), set(self.symbol.list_auxiliary_states())
            self.arg_params = {k: v for k, v in (self.arg_params or {}).items() if k in args} or None
            self.aux_params = {k: v for k, v in (self.aux_params or {}).items() if k in auxs} or None

    def _init_params(self, inputs: Sequence[Any], overwrite: bool = False) -> tuple[Any, Any, Any]:
        """Make the parameters for inputs of these shapes; return names of arguments, parameters, states."""
        descs = [x if isinstance(x, DataDesc) else DataDesc(*x) for x in inputs]
        names = self.symbol.list_arguments()
        used = [d for d in descs if d.name in names]
        arg_shapes, _, aux_shapes = self.symbol.infer_shape(**{d.name: d.shape for d in used})
        arg_types, _, aux_types = self.symbol.infer_type(**{d.name: d.dtype for d in used})
        aux_names = self.symbol.list_auxiliary_states()
        inputs_named = {d.name for d in descs}
        param_names = [name for name in names if name not in inputs_named]
        attributes = self.symbol.attr_dict()

        def made(all_names: Any, shapes: Any, types: Any, given: Params) -> dict[str, NDArray]:
            out = {
                name: nd.zeros(shape, dtype=dtype)
                for name, shape, dtype in zip(all_names, shapes, types)
                if name not in inputs_named
            }
            kept = {} if overwrite or given is None else given
            if self.initializer is None and not out.keys() <= kept.keys():
                raise TypeError("[FeedForward] initializer is None; expected an Initializer")
            fill_params(out.items(), kept, self.initializer, attributes, "FeedForward.fit", complete=False)
            return out

        self.arg_params = made(names, arg_shapes, arg_types, self.arg_params)
        self.aux_params = made(aux_names, aux_shapes, aux_types, self.aux_params)
        return names, param_names, aux_names

    # Data.

    def _init_iter(self, x: Any, y: Any, is_train: bool) -> io.DataIter:
        """The iterator over what ``fit``, ``predict`` or ``score`` was given."""
        if isinstance(x, io.DataIter):
            return x
        x, y = (np.asarray(one) if isinstance(one, list) else one for one in (x, y))
        if not isinstance(x, (np.ndarray, NDArray)):
            raise TypeError(
                f"[FeedForward] X is {type(x).__name__}; expected a DataIter, NDArray or numpy array"
            )
        if y is None:
            if is_train:
                raise ValueError("[FeedForward] y is missing; an array X needs its labels")
            y = np.zeros(x.shape[0])
        if not isinstance(y, (np.ndarray, NDArray)):
            raise TypeError(f"[FeedForward] y is {type(y).__name__}; expected an NDArray or numpy array")
        if len(y.shape) == 2 and y.shape[1] == 1:
            y = y.reshape((-1,))
        if len(y.shape) != 1 or y.shape[0] != x.shape[0]:
            raise ValueError(
                f"[FeedForward] X has shape {x.shape} and y {y.shape}; expected one label per example"
            )
        size = min(x.shape[0], self.numpy_batch_size)
        if is_train:
            return io.NDArrayIter(x, y, size, shuffle=True, last_batch_handle="roll_over")
        return io.NDArrayIter(x, y, size, shuffle=False)

    def _init_eval_iter(self, eval_data: Any) -> Optional[io.DataIter]:
        if eval_data is None or isinstance(eval_data, io.DataIter):
            return eval_data
        if not isinstance(eval_data, (tuple, list)) or len(eval_data) != 2 or eval_data[0] is None:
            raise TypeError("[FeedForward] eval_data must be a DataIter or a pair of examples and labels")
        if eval_data[1] is None and isinstance(eval_data[0], io.DataIter):
            return eval_data[0]
        examples, labels = eval_data
        return self._init_iter(examples, labels, is_train=True)

    # Prediction.

    def _predictor(self, data_shapes: Sequence[Any]) -> Any:
        """An executor for inputs of these shapes, on the first device, with the parameters of now."""
        if self.symbol is None or self.arg_params is None:
            raise ValueError("[FeedForward] there are no parameters; call fit first, or load a checkpoint")
        descs = [x if isinstance(x, DataDesc) else DataDesc(*x) for x in data_shapes]
        shapes = {d.name: tuple(d.shape) for d in descs}
        bound = self._pred_exec
        if bound is None or any(tuple(bound.arg_dict[n].shape) != s for n, s in shapes.items()):
            types = {name: value.dtype for name, value in self.arg_params.items()}
            types.update({d.name: d.dtype for d in descs})
            made = self.symbol.simple_bind(ctx=self.ctx[0], grad_req="null", type_dict=types, **shapes)
            inputs = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
            why = (
                f", which the network needs for {inputs}; expected the kind of inputs that it was trained on"
            )
            for given, arrays in ((self.arg_params, made.arg_dict), (self.aux_params, made.aux_dict)):
                bound = {name: array.shape for name, array in arrays.items()}
                need_shapes("FeedForward.predict", given or {}, bound, why)
            made.copy_params_from(self.arg_params, self.aux_params, allow_extra_params=True)
            self._pred_exec = made  # once it has its parameters
        return self._pred_exec

    def predict(
        self, X: Any, num_batch: Optional[int] = None, return_data: bool = False, reset: bool = True
    ) -> Any:
        """Return the outputs, as one NumPy array or a list of them.

        Parameters
        ----------
        X : DataIter, NDArray or numpy.ndarray
            The examples.
        num_batch : int, optional
            At most so many batches.
        return_data : bool
            Whether to return ``(outputs, data, labels)``.
        reset : bool
            Whether the iterator starts again first.
        """
        batches = self._init_iter(X, None, is_train=False)
        if reset:
            batches.reset()
        executor = self._predictor(batches.provide_data)
        names = [desc[0] for desc in batches.provide_data]
        kinds: tuple[list[list[Any]], ...] = ([], [], [])
        for i, batch in enumerate(batches):
            if i == num_batch:
                break
            _load(executor, names, batch)
            executor.forward(is_train=False)
            real = batches.batch_size - (batch.pad or 0)
            lists = (executor.outputs, batch.data, batch.label or []) if return_data else (executor.outputs,)
            for kind, arrays in zip(kinds, lists):
                kind.append([array[0:real].asnumpy() for array in arrays])
        if not kinds[0]:
            raise ValueError("[FeedForward.predict] X gives no batch")
        joined = [[np.concatenate(parts) for parts in zip(*kind)] for kind in kinds]
        single = [arrays[0] if len(arrays) == 1 else arrays for arrays in joined]
        return tuple(single) if return_data else single[0]

    @labels_second
    def score(
        self,
        X: Any,
        eval_metric: Any = "acc",
        num_batch: Optional[int] = None,
        batch_end_callback: Any = None,
        reset: bool = True,
    ) -> Any:
        """Return the value of a metric.

        Parameters
        ----------
        X : DataIter, or pair of examples and labels
            What is measured; ``score(X, y)`` of two arrays gives the accuracy.
        eval_metric : EvalMetric, or what ``mx.metric.create`` takes
            The metric.
        num_batch : int, optional
            At most so many batches.
        batch_end_callback : function or list of functions
            Called with a ``BatchEndParam``.
        reset : bool
            Whether the iterator starts again first.
        """
        examples, labels = X if isinstance(X, tuple) and len(X) == 2 else (X, None)
        if isinstance(eval_metric, (np.ndarray, NDArray)):
            labels, eval_metric = eval_metric, "acc"
        check_callbacks("FeedForward.score", batch_end_callback=batch_end_callback)
        metric = metrics.create(eval_metric)
        batches = self._init_iter(examples, labels, is_train=False)
        if reset:
            batches.reset()
        executor = self._predictor(batches.provide_data)
        names = [desc[0] for desc in batches.provide_data]
        for i, batch in enumerate(batches):
            if i == num_batch:
                break
            _load(executor, names, batch)
            executor.forward(is_train=False)
            metric.update(batch.label, executor.outputs)
            call_all(
                batch_end_callback, BatchEndParam(epoch=0, nbatch=i, eval_metric=metric, locals=locals())
            )
        return metric.get()[1]

    # Training.

    def fit(
        self,
        X: Any,
        y: Any = None,
        eval_data: Any = None,
        eval_metric: Any = "acc",
        epoch_end_callback: Any = None,
        batch_end_callback: Any = None,
        kvstore: Any = "local",
        logger: Any = None,
        work_load_list: Optional[Sequence[float]] = None,
        monitor: Any = None,
        eval_end_callback: Any = LogValidationMetricsCallback(),  # noqa: B008
        eval_batch_end_callback: Any = None,
    ) -> None:
        """Train.

        Parameters
        ----------
        X : DataIter, NDArray or numpy.ndarray
            The examples.
        y : NDArray or numpy.ndarray
            Labels of an array ``X``.
        eval_data : DataIter, or pair of arrays
            What is measured after each epoch.
        eval_metric : EvalMetric, or what ``mx.metric.create`` takes
            The metric.
        epoch_end_callback : function or list of functions
            Called with ``(epoch, symbol, arg_params, aux_params)``.
        batch_end_callback, eval_end_callback, eval_batch_end_callback : function or list of functions
            Called with a ``BatchEndParam``.
        kvstore : str, KVStore or None
            How devices share gradients.
        logger : Logger, optional
            Where progress is reported.
        work_load_list : list of float, optional
            Shares of the devices.
        monitor : Monitor, optional
            Watches the network.
        """
        if self.num_epoch is None:
            raise ValueError("[FeedForward.fit] num_epoch is None; expected a number of epochs")
        check_callbacks(
            "FeedForward.fit",
            epoch_end_callback=epoch_end_callback,
            batch_end_callback=batch_end_callback,
            eval_end_callback=eval_end_callback,
            eval_batch_end_callback=eval_batch_end_callback,
        )
        data = self._init_iter(X, y, is_train=True)
        measured = self._init_eval_iter(eval_data)
        if self.sym_gen is not None:
            self.symbol = self.sym_gen(data.default_bucket_key)  # type: ignore[attr-defined]
            self._check_arguments()
        self._pred_exec = None
        _, param_names, _ = self._init_params([*data.provide_data, *data.provide_label])
        metric = metrics.create(eval_metric)
        devices = len(self.ctx)
        store, update_on_kvstore = choose_kvstore(kvstore, devices, self.arg_params)
        options = {"rescale_grad": gradient_scale(data.batch_size, store), **self.kwargs}
        optimizer = make_optimizer(
            "FeedForward", self.optimizer, options, self.symbol, param_names, devices, update_on_kvstore
        )
        logger = logging if logger is None else logger
        replicas = _Replicas(self, data, param_names, work_load_list, monitor)
        updater = make_updater(optimizer, store, update_on_kvstore, replicas.current, self.arg_params)

        data.reset()
        for epoch in range(self.begin_epoch, self.num_epoch):
            report = EpochReport(logger, epoch)
            metric.reset()
            nbatch = 0
            while True:
                do_reset = True
                for batch in data:
                    if monitor is not None:
                        monitor.tic()
                    group = replicas.of(batch)
                    group.forward(batch, is_train=True)
                    group.backward()
                    update_params(group, updater, store)
                    if monitor is not None:
                        monitor.toc_print()
                    group.update_metric(metric, batch.label)
                    report.count(data, batch)
                    nbatch += 1
                    call_all(
                        batch_end_callback,
                        BatchEndParam(epoch=epoch, nbatch=nbatch, eval_metric=metric, locals=locals()),
                    )
                    if self.epoch_size is not None and nbatch >= self.epoch_size:
                        do_reset = False
                        break
                if do_reset:
                    note(logger, "Epoch[%d] Resetting Data Iterator", epoch)
                    data.reset()
                    if nbatch == 0:
                        raise ValueError("[FeedForward.fit] X gives no batch")
                if self.epoch_size is None or nbatch >= self.epoch_size:
                    break
            for name, value in metric.get_global_name_value():
                report.add_if_shown("Train-%s=%f", name, value)
            report.add_time()
            if epoch_end_callback or epoch + 1 == self.num_epoch:
                replicas.current.get_params(self.arg_params, self.aux_params)
            call_all(epoch_end_callback, epoch, self.symbol, self.arg_params, self.aux_params)
            if measured is not None:
                self._measure(epoch, replicas, measured, metric, eval_end_callback, eval_batch_end_callback)
                for name, value in metric.get_name_value():  # the callback logs them
                    report.add_if_shown("Validation-%s=%f", name, value)
            report.close()

    def _measure(
        self, epoch: int, replicas: _Replicas, batches: Any, metric: Any, at_end: Any, after_batch: Any
    ) -> None:
        """Run the validation data; the callbacks see the metric."""
        metric.reset()
        batches.reset()
        count = 0
        trained: dict[Any, tuple[Any, Any]] = {}  # the shapes of groups that go on with others here
        try:
            for i, batch in enumerate(batches):
                group = replicas.of(batch)
                if not group.fits(batch):
                    group.lists_of(batch, False, group.label_names)
                    trained.setdefault(group, (group.data_shapes, group.label_shapes))
                    data, label = batch_descriptions(batch, group.data_shapes, group.label_shapes)
                    group.reshape(_described(data), None if label is None else _described(label))
                group.forward(batch, is_train=False)
                group.update_metric(metric, batch.label)
                param = BatchEndParam(epoch=epoch, nbatch=i, eval_metric=metric, locals=locals())
                call_all(after_batch, param)
                count += 1
        finally:
            for group, shapes in trained.items():
                group.reshape(*shapes)
        call_all(at_end, BatchEndParam(epoch=epoch, nbatch=count, eval_metric=metric, locals=locals()))
        batches.reset()

    # Files.

    def save(self, prefix: str, epoch: Optional[int] = None, remove_amp_cast: bool = True) -> None:
        """Write a checkpoint, ``num_epoch`` by default; see :func:`mixgrad.model.save_checkpoint`."""
        number = self.num_epoch if epoch is None else epoch
        if number is None or self.arg_params is None:
            raise ValueError(
                "[FeedForward.save] epoch and parameters are needed; call fit first, or give an epoch"
            )
        save_checkpoint(prefix, number, self.symbol, self.arg_params, self.aux_params, remove_amp_cast)

    @staticmethod
    def load(prefix: str, epoch: int, ctx: Any = None, **kwargs: Any) -> FeedForward:
        """Make a model from a checkpoint; training goes on there. ``kwargs`` go to the constructor."""
        symbol, arg_params, aux_params = load_checkpoint(prefix, epoch)
        return FeedForward(
            symbol, ctx=ctx, arg_params=arg_params, aux_params=aux_params, begin_epoch=epoch, **kwargs
        )

    @staticmethod
    def create(
        symbol: Any,
        X: Any,
        y: Any = None,
        ctx: Any = None,
        num_epoch: Optional[int] = None,
        epoch_size: Optional[int] = None,
        optimizer: Any = "sgd",
        initializer: Any = Uniform(0.01),  # noqa: B008
        eval_data: Any = None,
        eval_metric: Any = "acc",
        epoch_end_callback: Any = None,
        batch_end_callback: Any = None,
        kvstore: Any = "local",
        logger: Any = None,
        work_load_list: Optional[Sequence[float]] = None,
        eval_end_callback: Any = LogValidationMetricsCallback(),  # noqa: B008
        eval_batch_end_callback: Any = None,
        **kwargs: Any,
    ) -> FeedForward:
        """Make a model and train it; see the constructor and :meth:`fit`."""
        model = FeedForward(
            symbol,
            ctx=ctx,
            num_epoch=num_epoch,
            epoch_size=epoch_size,
            optimizer=optimizer,
            initializer=initializer,
            **kwargs,
        )
        model.fit(
            X,
            y,
            eval_data=eval_data,
            eval_metric=eval_metric,
            epoch_end_callback=epoch_end_callback,
            batch_end_callback=batch_end_callback,
            kvstore=kvstore,
            logger=logger,
            work_load_list=work_load_list,
            eval_end_callback=eval_end_callback,
            eval_batch_end_callback=eval_batch_end_callback,
        )
        return model


def _described(shapes: Any) -> list[DataDesc]:
    return [x if isinstance(x, DataDesc) else DataDesc(*x) for x in shapes]


def _load(executor: Any, names: Sequence[str], batch: Any) -> None:
    """Copy the data of a batch into an executor, once all of it fits."""
    if len(batch.data) != len(names):
        raise ValueError(
            f"[FeedForward.predict] data of the batch has {len(batch.data)} arrays; expected {len(names)}: "
            f"{', '.join(names)}"
        )
    targets = [executor.arg_dict[name] for name in names]
    for name, array, target in zip(names, batch.data, targets):
        if array.shape != target.shape:
            raise ShapeError(
                f"[FeedForward.predict] {name!r} has shape {array.shape}; expected {target.shape}, as "
                "provide_data of the iterator says"
            )
    for array, target in zip(batch.data, targets):
        array.copyto(target)


class _Replicas:
    """The executors of a model in training: one group, or one per bucket."""

    def __init__(
        self,
        model: FeedForward,
        data: Any,
        param_names: Sequence[str],
        work_load_list: Optional[Sequence[float]],
        monitor: Any,
    ) -> None:
        self._model = model
        self._param_names = param_names
        self._loads = list(work_load_list or [1] * len(model.ctx))
        self._monitor = monitor
        self.current = self._made(model.symbol, data.provide_data, data.provide_label, None)
        self.current.set_params(model.arg_params, model.aux_params)
        self._default_key = getattr(data, "default_bucket_key", None)
        self._groups = {self._default_key: self.current}

    def _made(self, symbol: Any, data: Any, label: Any, shared: Any) -> DataParallelExecutorGroup:
        group = DataParallelExecutorGroup(
            symbol,
            self._model.ctx,
            self._loads,
            _described(data),
            _described(label),
            self._param_names,
            True,
            False,
            shared,
        )
        if self._monitor is not None:
            group.install_monitor(self._monitor)
        return group

    def of(self, batch: Any) -> DataParallelExecutorGroup:
        """The group that runs a batch; it becomes the current one."""
        if self._model.sym_gen is None:
            return self.current
        key = batch.bucket_key
        if key not in self._groups:
            symbol = self._model.sym_gen(key)
            shared = self._groups[self._default_key]
            self._groups[key] = self._made(symbol, batch.provide_data, batch.provide_label, shared)
        self.current = self._groups[key]
        return self.current
