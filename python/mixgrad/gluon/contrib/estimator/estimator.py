"""A training loop over data, network, loss and optimiser, with events."""

from __future__ import annotations

import copy
import logging
import sys
import warnings
from typing import TYPE_CHECKING, Any, Optional

from .... import _hints
from .... import initializer as _initializer
from .... import metric as _metric
from ...._progress import Bar
from ....base import RefusedValueError
from ....context import Context, cpu, gpu, num_gpus
from ...data import DataLoader
from ...loss import Loss
from ...parameter import DeferredInitializationError
from ...trainer import Trainer
from .batch_processor import BatchProcessor
from .event_handler import (
    BatchBegin,
    BatchEnd,
    EpochBegin,
    EpochEnd,
    GradientUpdateHandler,
    LoggingHandler,
    MetricHandler,
    StoppingHandler,
    TrainBegin,
    TrainEnd,
    ValidationHandler,
)
from .event_handler.base import check_event_handlers
from .utils import check_handler_metrics, check_metrics, metric_of_loss

__all__ = ["Estimator"]


class Estimator:
    """A training loop: ``Estimator(net, loss).fit(train_data, epochs=3)``.

    Parameters
    ----------
    net : Block
        The network.
    loss : Loss
        What is made small.
    train_metrics, val_metrics : EvalMetric or list of EvalMetric, optional
        Updated in training and validation; by default the loss, and the accuracy for
        ``SoftmaxCrossEntropyLoss``. In validation those of the training by default.
    initializer : Initializer, optional
        For a network that has not been initialised; ``Xavier()`` by default.
    trainer : Trainer, optional
        SGD with a rate of 0.001 by default, with a warning.
    context : Context or list of Context, optional
        Devices among which batches are shared; the first GPU or the CPU by default.
    val_net : Block, optional
        The network for validation, which shares its parameters.
    val_loss : Loss, optional
        The loss in validation.
    batch_processor : BatchProcessor, optional
        What is done with a batch.

    Examples
    --------
    >>> import mixgrad as mx
    >>> from mixgrad import gluon
    >>> from mixgrad.gluon.contrib.estimator import Estimator
    >>> data = gluon.data.ArrayDataset(mx.nd.random.uniform(shape=(32, 4)), mx.nd.zeros(32))
    >>> net = gluon.nn.Dense(2)
    >>> net.initialize()
    >>> trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.1})
    >>> estimator = Estimator(net, gluon.loss.SoftmaxCrossEntropyLoss(), trainer=trainer)
    >>> estimator.logger.setLevel("ERROR")
    >>> estimator.fit(gluon.data.DataLoader(data, batch_size=8), epochs=5)
    >>> estimator.train_metrics[0].get()
    ('training accuracy', 1.0)
    """

    logger: Any = None

    def __init__(
        self,
        net: Any,
        loss: Any,
        train_metrics: Any = None,
        val_metrics: Any = None,
        initializer: Any = None,
        trainer: Optional[Trainer] = None,
        context: Any = None,
        val_net: Any = None,
        val_loss: Any = None,
        batch_processor: Optional[BatchProcessor] = None,
    ) -> None:
        self.net = net
        self.loss = self._check_loss(loss)
        self.val_loss = self.loss if val_loss is None else self._check_loss(val_loss)
        self.val_net = net if val_net is None else val_net
        self._train_metrics = check_metrics(train_metrics)
        self._val_metrics = check_metrics(val_metrics)
        self._add_metrics()
        self.logger = logging.Logger("Estimator", logging.INFO)
        self.logger.addHandler(logging.StreamHandler(sys.stdout))
        self.context = self._check_context(context)
        self._initialize(initializer)
        self.trainer = self._check_trainer(trainer)
        self.batch_processor = self._check_batch_processor(batch_processor)
        self.max_epoch: Optional[int] = None
        self.max_batch: Optional[int] = None
        self.batch_axis = 0

    @property
    def train_metrics(self) -> list[Any]:
        """Metrics that are updated in training."""
        return self._train_metrics

    @property
    def val_metrics(self) -> list[Any]:
        """Metrics that are updated in validation."""
        return self._val_metrics

    @staticmethod
    def _check_loss(loss: Any) -> Any:
        if not isinstance(loss, Loss):
            raise ValueError(f"[Estimator] loss is {type(loss).__name__}; expected a Loss of gluon.loss")
        return loss

    @staticmethod
    def _check_context(context: Any) -> list[Context]:
        if context is None:
            return [gpu(0) if num_gpus() else cpu()]
        found = [context] if isinstance(context, Context) else context
        if not isinstance(found, list) or not found or not all(isinstance(one, Context) for one in found):
            raise ValueError(
                f"[Estimator] context is {context!r:.60}; expected a Context such as mx.cpu(), or a list"
            )
        gpus = num_gpus()
        for one in found:
            if one.device_type == "gpu" and one.device_id >= gpus:
                there = "".join(f", mx.gpu({i})" for i in range(gpus))
                raise RefusedValueError(
                    f"[Estimator] context is {one}, which is not available; expected mx.cpu(){there}"
                )
        return found

    @staticmethod
    def _check_batch_processor(processor: Any) -> Any:
        if processor is None:
            return BatchProcessor()
        for name in ("fit_batch", "evaluate_batch"):
            if not callable(getattr(processor, name, None)):
                raise ValueError(
                    f"[Estimator] batch_processor is {type(processor).__name__} without {name}()"
                )
        return processor

    def _check_trainer(self, trainer: Any) -> Trainer:
        if trainer is None:
            warnings.warn(
                "[Estimator] no trainer is given, so SGD with a learning rate of 0.001 is used", stacklevel=3
            )
            return Trainer(self.net.collect_params(), "sgd", {"learning_rate": 0.001})
        if not isinstance(trainer, Trainer):
            raise ValueError(f"[Estimator] trainer is {type(trainer).__name__}; expected a gluon.Trainer")
        return trainer

    def _is_initialized(self) -> bool:
        for parameter in self.net.collect_params().values():
            try:
                parameter.list_ctx()
            except (DeferredInitializationError, RuntimeError):
                return False
        return True

    def _initialize(self, initializer: Any) -> None:
        if not self._is_initialized():
            self.net.initialize(init=initializer or _initializer.Xavier(), ctx=self.context)
        elif initializer is not None:
            warnings.warn(
                "[Estimator] the network has been initialised, so the initializer is not used; "
                "net.initialize(init=..., force_reinit=True) would",
                stacklevel=3,
            )

    def _add_metrics(self) -> None:
        if not self._train_metrics:
            usual = metric_of_loss(self.loss)
            loss = _metric.Loss(self.loss.name.rstrip("0123456789"))
            self._train_metrics = [loss] if usual is None else [usual, loss]
        if not self._val_metrics:
            self._val_metrics = [copy.deepcopy(metric) for metric in self._train_metrics]
        for metrics, kind in ((self._train_metrics, "training"), (self._val_metrics, "validation")):
            for metric in metrics:
                if not metric.name.startswith(("training ", "validation ")):
                    metric.name = f"{kind} {metric.name}"
                elif kind == "validation" and metric.name.startswith("training "):
                    metric.name = f"validation {metric.name[len('training ') :]}"

    @staticmethod
    def _check_data(data: Any, what: str) -> None:
        if not isinstance(data, DataLoader):
            raise ValueError(
                f"[Estimator] {what} is {type(data).__name__}; expected a gluon.data.DataLoader, which takes "
                "arrays and datasets"
            )

    def evaluate(self, val_data: DataLoader, batch_axis: int = 0, event_handlers: Any = None) -> None:
        """Update ``val_metrics`` by one pass over data.

        Parameters
        ----------
        val_data : DataLoader
            Gives data and labels.
        batch_axis : int
            The axis of the batch.
        event_handlers : EventHandler or list of EventHandler, optional
            Called meanwhile.
        """
        self._check_data(val_data, "val_data")
        handlers = self._prepare_default_validation_handlers(event_handlers)
        _, epoch_begin, batch_begin, batch_end, epoch_end, _ = self._categorize_handlers(handlers)
        for handler in epoch_begin:
            handler.epoch_begin(self)
        for batch in val_data:
            for handler in batch_begin:
                handler.batch_begin(self, batch=batch)
            _, label, pred, loss = self.batch_processor.evaluate_batch(self, batch, batch_axis)
            for handler in batch_end:
                handler.batch_end(self, batch=batch, pred=pred, label=label, loss=loss)
        for handler in epoch_end:
            handler.epoch_end(self)

    def fit(
        self,
        train_data: DataLoader,
        val_data: Optional[DataLoader] = None,
        epochs: Optional[int] = None,
        event_handlers: Any = None,
        batches: Optional[int] = None,
        batch_axis: int = 0,
    ) -> None:
        """Train.

        Parameters
        ----------
        train_data : DataLoader
            Gives data and labels.
        val_data : DataLoader, optional
            Evaluated after each epoch.
        epochs, batches : int
            How long; one of the two.
        event_handlers : EventHandler or list of EventHandler, optional
            Beside those that update, measure, log and end the training, or instead of the same kind.
        batch_axis : int
            The axis of the batch.
        """
        self._check_data(train_data, "train_data")
        if bool(epochs) == bool(batches):
            raise ValueError(
                f"[Estimator] epochs is {epochs}, batches is {batches}; expected one of the two to be given"
            )
        self.max_epoch, self.max_batch, self.batch_axis = epochs, batches, batch_axis
        handlers = self._prepare_default_handlers(val_data, event_handlers)
        train_begin, epoch_begin, batch_begin, batch_end, epoch_end, train_end = self._categorize_handlers(
            handlers
        )
        for handler in train_begin:
            handler.train_begin(self)
        while True:
            for handler in epoch_begin:
                handler.epoch_begin(self)
            bar = None if self._logs_batches(handlers) else Bar(train_data, "training")
            for batch in train_data:
                for handler in batch_begin:
                    handler.batch_begin(self, batch=batch)
                _, label, pred, loss = self.batch_processor.fit_batch(self, batch, batch_axis)
                words = {"batch": batch, "pred": pred, "label": label, "loss": loss}
                if bar is not None:
                    bar.count()
                if True in [bool(handler.batch_end(self, **words)) for handler in batch_end]:
                    break
            if bar is not None:
                bar.close()
            if True in [bool(handler.epoch_end(self)) for handler in epoch_end]:
                break
        for handler in train_end:
            handler.train_end(self)

    @staticmethod
    def _logs_batches(handlers: list[Any]) -> bool:
        """Whether lines appear within epochs, beside which a bar would be in the way."""
        return any(isinstance(one, LoggingHandler) and one.log_interval != "epoch" for one in handlers)

    def _prepare_default_handlers(self, val_data: Any, event_handlers: Any) -> list[Any]:
        """The handlers that are given, those of kinds that are missing, by priority."""
        if val_data is not None:
            self._check_data(val_data, "val_data")
        given = check_event_handlers(event_handlers)
        defaults: list[Any] = [
            (StoppingHandler, lambda: StoppingHandler(self.max_epoch, self.max_batch)),
            (GradientUpdateHandler, GradientUpdateHandler),
            (MetricHandler, lambda: MetricHandler(self.train_metrics)),
            (LoggingHandler, lambda: LoggingHandler(metrics=self.train_metrics)),
        ]
        if val_data is not None:
            defaults.append((ValidationHandler, lambda: ValidationHandler(val_data, self.evaluate)))
        return self._with_defaults(given, defaults)

    def _prepare_default_validation_handlers(self, event_handlers: Any) -> list[Any]:
        given = check_event_handlers(event_handlers)
        defaults: list[Any] = [
            (MetricHandler, lambda: MetricHandler(self.val_metrics)),
            (LoggingHandler, lambda: LoggingHandler(metrics=self.val_metrics)),
        ]
        return self._with_defaults(given, defaults)

    def _with_defaults(self, given: list[Any], defaults: list[Any]) -> list[Any]:
        for handler in given:
            check_handler_metrics(handler, [*self.train_metrics, *self.val_metrics])
        handlers = list(given)
        for kind, make in defaults:
            if not any(isinstance(handler, kind) for handler in given):
                handlers.append(make())
        handlers.sort(key=lambda handler: getattr(handler, "priority", 0))
        return handlers

    @staticmethod
    def _categorize_handlers(event_handlers: list[Any]) -> tuple[list[Any], ...]:
        """Of each event, the handlers that it calls."""
        events = (TrainBegin, EpochBegin, BatchBegin, BatchEnd, EpochEnd, TrainEnd)
        return tuple([one for one in event_handlers if isinstance(one, event)] for event in events)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
