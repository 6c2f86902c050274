"""gluon.contrib.estimator: training, validation, handlers, checkpoints."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

import mixgrad as mx
from mixgrad import gluon
from mixgrad.gluon.contrib.estimator import (
    BatchEnd,
    CheckpointHandler,
    EarlyStoppingHandler,
    EpochEnd,
    Estimator,
    GradientUpdateHandler,
    LoggingHandler,
    MetricHandler,
    StoppingHandler,
    TrainBegin,
    ValidationHandler,
)


def loader(count: int = 20) -> gluon.data.DataLoader:
    x = mx.nd.random.uniform(-1, 1, shape=(count, 3))
    return gluon.data.DataLoader(gluon.data.ArrayDataset(x, x.sum(axis=1) > 0), batch_size=8)


def made(hybrid: bool = True, rate: float = 0.5, **words: Any) -> Estimator:
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(8, activation="relu"), gluon.nn.Dense(2))
    net.initialize(mx.init.Xavier())
    if hybrid:
        net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": rate, "momentum": 0.9})
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    return Estimator(net, loss, trainer=trainer, **words)


def test_training_and_validation(capsys: pytest.CaptureFixture[str]) -> None:
    estimator = made()
    estimator.fit(loader(64), val_data=loader(64), epochs=30)
    assert estimator.train_metrics[0].get()[1] > 0.9 and estimator.val_metrics[0].get()[1] > 0.85
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        "Training begin: using optimizer SGD with current learning rate 0.5000 ",
        "Train for 30 epochs.",
        "[Epoch 0] Begin, current learning rate: 0.5000",
    ]
    assert re.match(r"\[Epoch 29\] Finished in \d+\.\d+s, training accuracy: \d\.\d{4}, training", lines[-2])


def test_several_devices() -> None:
    devices = [mx.cpu(0), mx.cpu(1)]
    net = gluon.nn.Dense(2)
    net.initialize(ctx=devices)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    both = Estimator(net, gluon.loss.SoftmaxCrossEntropyLoss(), trainer=trainer, context=devices)
    both.fit(loader(16), epochs=2)
    assert (net.weight.data(mx.cpu(0)).asnumpy() == net.weight.data(mx.cpu(1)).asnumpy()).all()


def test_default_metrics_follow_the_loss() -> None:
    net = gluon.nn.Dense(2)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    names = {
        "SoftmaxCrossEntropyLoss": ["training accuracy", "training softmaxcrossentropyloss"],
        "L2Loss": ["training l2loss"],
        "HuberLoss": ["training huberloss"],
    }
    for kind, expected in names.items():
        estimator = Estimator(net, getattr(gluon.loss, kind)(), trainer=trainer)
        assert [metric.name for metric in estimator.train_metrics] == expected
        assert [m.name for m in estimator.val_metrics] == [
            n.replace("training", "validation") for n in expected
        ]


def test_order_of_handlers() -> None:
    estimator = made()
    stopping = EarlyStoppingHandler(monitor=estimator.val_metrics[1])
    handlers = estimator._prepare_default_handlers(None, [stopping])
    kinds = [GradientUpdateHandler, MetricHandler, EarlyStoppingHandler, StoppingHandler, LoggingHandler]
    assert [type(handler) for handler in handlers] == kinds
    with pytest.raises(ValueError, match="LoggingHandler refers to the metric 'rmse'"):
        estimator.fit(loader(), epochs=1, event_handlers=[LoggingHandler(metrics=mx.metric.RMSE())])


def test_lines_for_batches(capsys: pytest.CaptureFixture[str]) -> None:
    estimator = made()
    estimator.fit(loader(100), epochs=1, event_handlers=LoggingHandler(5, estimator.train_metrics))
    lines = re.findall(
        r"\[Epoch 0\]\[Batch (\d+)\]\[Samples (\d+)\] time/interval: ", capsys.readouterr().out
    )
    assert lines == [("0", "8"), ("5", "48"), ("10", "88")]


def test_batches_and_own_handlers() -> None:
    class Stop(TrainBegin, BatchEnd, EpochEnd):
        def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
            self.batches = self.epochs = 0

        def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool:
            assert kwargs["pred"][0].shape == (len(kwargs["batch"][0]), 2)
            self.batches += 1
            return self.batches == 5

        def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool:
            self.epochs += 1
            return self.batches == 5

    stop = Stop()
    made().fit(loader(), epochs=9, event_handlers=[stop])
    assert (stop.batches, stop.epochs) == (5, 2)
    estimator = made()
    estimator.fit(loader(), batches=4)
    assert estimator.trainer.optimizer.num_update == 4


def test_early_stopping() -> None:
    estimator = made(rate=0.0)
    stopping = EarlyStoppingHandler(estimator.train_metrics[1], patience=2, mode="min")
    estimator.fit(loader(), epochs=9, event_handlers=[stopping])
    assert (stopping.current_epoch, stopping.stopped_epoch) == (3, 2)
    with pytest.warns(UserWarning, match="more of"):
        EarlyStoppingHandler(estimator.train_metrics[0])
    with pytest.warns(RuntimeWarning, match="'best' is unknown"):
        EarlyStoppingHandler(estimator.train_metrics[1], mode="best")
    with pytest.raises(ValueError, match="monitor is str"):
        EarlyStoppingHandler("loss")


def test_validation_by_batches() -> None:
    estimator = made()
    calls: list[int] = []

    class Count(EpochEnd):
        def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool:
            calls.append(1)
            return False

    handler = ValidationHandler(
        loader(), estimator.evaluate, epoch_period=None, batch_period=2, event_handlers=Count()
    )
    estimator.fit(loader(), epochs=2, event_handlers=[handler])
    assert len(calls) == 3


def names_in(folder: Path, end: str = ".params") -> list[str]:
    return sorted(name for name in os.listdir(folder) if name.endswith(end))


def test_checkpoints(tmp_path: Path) -> None:
    estimator = made()
    handler = CheckpointHandler(
        tmp_path, "net", monitor=estimator.train_metrics[1], save_best=True, mode="min", max_checkpoints=2
    )
    estimator.fit(loader(), epochs=3, event_handlers=[handler])
    assert names_in(tmp_path) == ["net-best.params", "net-epoch1batch6.params", "net-epoch2batch9.params"]
    assert [n[:-7] for n in names_in(tmp_path, ".states")] == [n[:-7] for n in names_in(tmp_path)]
    assert mx.sym.load(str(tmp_path / "net-symbol.json")).list_arguments()[0] == "data"


def test_training_goes_on_from_a_checkpoint(tmp_path: Path) -> None:
    data = loader()
    straight, first, second = made(), made(), made()
    straight.net(mx.nd.ones((1, 3)))
    start = str(tmp_path / "start.params")
    straight.net.save_parameters(start)
    first.net.load_parameters(start)
    straight.fit(data, epochs=5)
    first.fit(data, epochs=2, event_handlers=[CheckpointHandler(tmp_path, "net")])
    handler = CheckpointHandler(tmp_path, "net", resume_from_checkpoint=True)
    second.fit(data, epochs=5, event_handlers=[handler])
    assert names_in(tmp_path)[-1] == "start.params" and "net-epoch4batch15.params" in names_in(tmp_path)
    for one, other in zip(straight.net.collect_params().values(), second.net.collect_params().values()):
        assert (one.data().asnumpy() == other.data().asnumpy()).all()
    with pytest.raises(ValueError, match="all the epochs"):
        made().fit(data, epochs=5, event_handlers=[handler])


def test_own_batches() -> None:
    class Pairs(gluon.contrib.estimator.BatchProcessor):
        def _get_data_and_label(self, batch: Any, ctx: Any, batch_axis: int = 0) -> Any:
            return [batch["x"]], [batch["y"]]

    x = mx.nd.random.uniform(shape=(8, 3))
    rows = [{"x": x[i], "y": i % 2} for i in range(8)]

    def batchify(rows: Any) -> Any:
        return {"x": mx.nd.stack(*[row["x"] for row in rows]), "y": mx.nd.array([row["y"] for row in rows])}

    data = gluon.data.DataLoader(rows, 4, batchify_fn=batchify, num_workers=1)
    estimator = made(batch_processor=Pairs())
    estimator.fit(data, epochs=1, event_handlers=LoggingHandler(metrics=estimator.train_metrics))
    assert estimator.train_metrics[0].num_inst == 8


def test_refusals() -> None:
    net = gluon.nn.Dense(2)
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    for words in (
        {"loss": 3},
        {"context": "cpu"},
        {"context": [mx.cpu(), 3]},
        {"trainer": "sgd"},
        {"batch_processor": 3},
        {"train_metrics": ["acc"]},
    ):
        with pytest.raises(ValueError, match="Estimator"):
            Estimator(**{"net": net, "loss": loss, "trainer": trainer, **words})  # type: ignore[arg-type]
    estimator = Estimator(net, loss, trainer=trainer)
    with pytest.raises(ValueError, match="one of the two"):
        estimator.fit(loader(), epochs=1, batches=1)
    with pytest.raises(ValueError, match="DataLoader"):
        estimator.fit([mx.nd.ones((2, 3))], epochs=1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="event_handlers"):
        estimator.fit(loader(), epochs=1, event_handlers=[3])
    absent = mx.gpu(mx.num_gpus())
    with pytest.raises(
        AssertionError, match=r"\[Estimator\] context is gpu\(\d+\), which is not available; e"
    ):
        Estimator(net, loss, trainer=trainer, context=[mx.cpu(), absent])
    with pytest.warns(UserWarning, match="no trainer"):
        Estimator(net, loss)
    with pytest.warns(UserWarning, match="has been initialised"):
        Estimator(net, loss, trainer=trainer, initializer=mx.init.Xavier())
    for interval in (0.5, "x", 0):
        with pytest.raises(ValueError, match="log_interval"):
            LoggingHandler(interval)  # type: ignore[arg-type]
