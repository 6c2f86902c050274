"""Checkpoints, callbacks and the monitor: files that are whole, what is refused, what is watched."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx


class Graph:
    """Saves like a Symbol."""

    def save(self, path: str, remove_amp_cast: bool) -> None:
        Path(path).write_text(str(remove_amp_cast))


def test_checkpoints_come_back(tmp_path: Path) -> None:
    prefix = str(tmp_path / "net")
    weight, mean = mx.nd.array([1.0, 2.0], ctx=mx.cpu(1)), mx.nd.array([3], dtype="float64")
    mx.model.save_checkpoint(prefix, 7, Graph(), {"w": weight}, {"a:b": mean}, remove_amp_cast=False)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["net-0007.params", "net-symbol.json"]
    assert (tmp_path / "net-symbol.json").read_text() == "False"
    args, auxs = mx.model.load_params(prefix, 7)
    assert args["w"].asnumpy().tolist() == [1, 2] and args["w"].context == mx.cpu(0)
    assert auxs["a:b"].dtype == np.float64


def test_checkpoints_with_their_graph(tmp_path: Path) -> None:
    prefix = str(tmp_path / "net")
    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=2, name="fc")
    mx.model.save_checkpoint(prefix, 1, net, {"fc_weight": mx.nd.ones((2, 3))}, {})
    symbol, args, auxs = mx.model.load_checkpoint(prefix, 1)
    assert symbol.tojson() == net.tojson() and list(args) == ["fc_weight"] and auxs == {}
    (tmp_path / "net-symbol.json").write_text("{")
    with pytest.raises(mx.MXNetError):
        mx.model.load_checkpoint(prefix, 1)
    (tmp_path / "net-symbol.json").unlink()
    with pytest.raises(FileNotFoundError):
        mx.model.load_checkpoint(prefix, 1)


def test_the_last_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "a-0003.params",
        "a-0012.params",
        "a-12345.params.tmp",
        "b-0099.params",
        "a-x.params",
        "a-0013.states",
    ):
        (tmp_path / name).touch()
    assert mx.model.last_checkpoint(str(tmp_path / "a")) == 12
    assert mx.model.last_checkpoint(str(tmp_path / "none" / "a")) is None
    monkeypatch.chdir(tmp_path)
    assert mx.model.last_checkpoint("b") == 99


def test_files_without_names_are_refused(tmp_path: Path, caplog: Any) -> None:
    mx.nd.save(tmp_path / "x-0001.params", [mx.nd.ones((1,))])
    with pytest.raises(ValueError, match="without names"):
        mx.model.load_params(str(tmp_path / "x"), 1)
    mx.nd.save(tmp_path / "x-0002.params", {})
    assert mx.model.load_params(str(tmp_path / "x"), 2) == ({}, {}) and "is empty" in caplog.text
    with pytest.raises(FileNotFoundError):
        mx.model.load_params(str(tmp_path / "x"), 3)
    mx.nd.save(tmp_path / "x-0004.params", {"arg:w": mx.nd.ones((1,)), "other": mx.nd.ones((1,))})
    assert list(mx.model.load_params(str(tmp_path / "x"), 4)[0]) == ["w"]


SAVING = """
import sys, mixgrad as mx
prefix, n = sys.argv[1], 0
print("ready", flush=True)
while True:
    n += 1
    w, m = mx.nd.full((200, 1000), n), mx.nd.full((1000,), n)
    mx.model.save_checkpoint(prefix, 1, None, {"w": w}, {"m": m})
"""


def test_a_kill_leaves_the_last_good_checkpoint(tmp_path: Path) -> None:
    prefix = str(tmp_path / "net")
    rng = np.random.RandomState(0)
    for _ in range(6):
        with subprocess.Popen([sys.executable, "-c", SAVING, prefix], stdout=subprocess.PIPE) as child:
            assert child.stdout is not None and child.stdout.readline() == b"ready\n"
            try:
                child.wait(0.01 + 0.1 * rng.rand())
            except subprocess.TimeoutExpired:
                os.kill(child.pid, signal.SIGKILL)
        if mx.model.last_checkpoint(prefix) is None:
            continue
        args, auxs = mx.model.load_params(prefix, 1)
        value = auxs["m"].asnumpy()[0]
        assert value > 0 and (args["w"].asnumpy() == value).all() and (auxs["m"].asnumpy() == value).all()


# The store and the devices.


def test_choosing_a_store(monkeypatch: pytest.MonkeyPatch) -> None:
    from mixgrad._training.update import choose_kvstore

    small = {"w": mx.nd.ones((2,))}
    assert choose_kvstore("local", 1, small) == (None, False)
    assert choose_kvstore(None, 2, small) == (None, False)
    for name in ("local", "device"):
        store, update = choose_kvstore(name, 2, small)
        assert store is not None and store.type == name and update
    given = mx.kv.create("device")
    assert choose_kvstore(given, 1, small) == (given, True)
    monkeypatch.setenv("MXNET_UPDATE_ON_KVSTORE", "0")
    assert choose_kvstore(given, 1, small) == (given, False)
    with pytest.raises(TypeError, match="got int"):
        choose_kvstore(3, 2, small)
    monkeypatch.delenv("DMLC_ROLE", raising=False)
    with pytest.raises(ValueError, match="DMLC_ROLE"):
        choose_kvstore("dist_sync", 1, small)


# Callbacks.


def test_speed_of_no_time(caplog: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: 5.0)
    meter = mx.callback.Speedometer(1, 1)
    with caplog.at_level(logging.INFO):
        for nbatch in range(2):
            meter(mx.model.BatchEndParam(0, nbatch, None, None))
    assert "inf samples/sec" in caplog.text


def test_validation_metrics_without_metric() -> None:
    mx.callback.LogValidationMetricsCallback()(mx.model.BatchEndParam(0, 0, None, None))


# Monitor.


class Executor:
    def __init__(self) -> None:
        self.arg_dict = {"data": mx.nd.ones((2,)), "fc_weight": mx.nd.full((2, 2), 3.0)}
        self.aux_dict = {"mean": mx.nd.full((1,), 4.0)}
        self.callback: Any = None

    def set_monitor_callback(self, callback: Any, monitor_all: bool = False) -> None:
        self.callback, self.all = callback, monitor_all

    def forward(self) -> None:
        self.callback("fc_output", mx.nd.full((4,), 2.0))


def test_monitor_collects_every_interval() -> None:
    monitor, executor = mx.monitor.Monitor(2, sort=True, monitor_all=True), Executor()
    monitor.install(executor)
    assert executor.all
    seen = []
    for _ in range(4):
        monitor.tic()
        executor.forward()
        seen.append(monitor.toc())
    assert [len(s) for s in seen] == [4, 0, 4, 0]
    assert seen[0] == [
        (1, "data", "1.0\t"),
        (1, "fc_output", "2.0\t"),
        (1, "fc_weight", "3.0\t"),
        (1, "mean", "4.0\t"),
    ]
    assert seen[2][0][0] == 3


def test_monitor_with_a_statistic_and_a_pattern(caplog: Any) -> None:
    monitor = mx.mon.Monitor(1, lambda x: [x.min(), x], pattern=".*(weight|output)")
    executor = Executor()
    monitor.install(executor)
    monitor.tic()
    executor.forward()
    with caplog.at_level(logging.INFO):
        monitor.toc_print()
    assert "fc_output" in caplog.text and "[2. 2. 2. 2.]" in caplog.text and "data" not in caplog.text
    wrong = mx.mon.Monitor(1, lambda x: 3)  # type: ignore[arg-type,return-value]
    wrong.install(executor)
    wrong.tic()
    with pytest.raises(TypeError, match="gave int for 'data'"):
        wrong.toc()
