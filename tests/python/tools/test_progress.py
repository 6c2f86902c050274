"""How training shows how far it is: bars on a terminal, lines elsewhere."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import struct
import subprocess
import sys
import termios

import pytest

from mixgrad import _progress

FIT = """
import mixgrad as mx
data = mx.io.NDArrayIter(mx.nd.ones((40, 4)), mx.nd.zeros(40), batch_size=4)
{setup}
mx.mod.Module(mx.models.mlp(num_classes=2, hidden=())).fit(data, num_epoch=2{options})
"""
LOOP = """
import mixgrad as mx
{setup}
metric = mx.metric.Accuracy()
data = mx.gluon.data.SimpleDataset(range(10))
for x in mx.callback.progress(mx.gluon.data.DataLoader(data, batch_size=4), "epoch 3", metric):
    metric.update([x], [x])
"""
ESTIMATOR = """
import mixgrad as mx
from mixgrad.gluon.contrib.estimator import Estimator, LoggingHandler
{setup}
net = mx.gluon.nn.Dense(2)
data = mx.gluon.data.DataLoader(mx.gluon.data.ArrayDataset(mx.nd.ones((40, 4)), mx.nd.zeros(40)), 4)
Estimator(net, mx.gluon.loss.SoftmaxCELoss()).fit(data, epochs=2{options})
"""


@pytest.mark.parametrize("with_tqdm", [False, True])
def test_a_line_is_written_whole(monkeypatch: pytest.MonkeyPatch, with_tqdm: bool) -> None:
    class Recorder(io.StringIO):
        def write(self, text: str) -> int:
            written.append(text)
            return len(text)

    written: list[str] = []
    if with_tqdm:
        pytest.importorskip("tqdm")
    else:
        monkeypatch.delitem(sys.modules, "tqdm", raising=False)
    monkeypatch.setattr(sys, "stderr", Recorder())
    _progress.show("Epoch[0]")
    assert [text for text in written if text] == ["Epoch[0]\n"]


def on_terminal(program: str) -> str:
    """What a program writes to standard error, which is a terminal."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    run = subprocess.Popen([sys.executable, "-c", program], stderr=theirs, stdout=subprocess.DEVNULL)
    os.close(theirs)
    found = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        found += piece
    os.close(ours)
    assert run.wait(60) == 0, found
    return found.decode()


def in_file(program: str) -> str:
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    return run.stderr


def test_fit_has_a_bar_on_a_terminal() -> None:
    pytest.importorskip("tqdm")
    shown = on_terminal(FIT.format(setup="", options=""))
    assert "Epoch[0]:" in shown and "/10 [" in shown
    lines = [line for line in shown.replace("\r", "\n").splitlines() if "Train-accuracy" in line]
    assert [line.split()[0] for line in lines] == ["Epoch[0]", "Epoch[1]"]


@pytest.mark.parametrize(
    "setup", ["import sys; sys.modules['tqdm'] = None", "import logging; logging.basicConfig()"]
)
def test_fit_has_no_bar_without_tqdm_or_with_logging(setup: str) -> None:
    shown = on_terminal(FIT.format(setup=setup, options=""))
    assert "/10 [" not in shown and shown.count("Epoch[") == (0 if "logging" in setup else 2)


def test_fit_has_lines_in_files() -> None:
    shown = in_file(FIT.format(setup="import tqdm", options=""))
    assert [line.split()[0] for line in shown.splitlines()] == ["Epoch[0]", "Epoch[1]"]


def test_lines_stand_above_the_bar() -> None:
    pytest.importorskip("tqdm")
    options = ", batch_end_callback=mx.callback.Speedometer(4, frequent=5)"
    pieces = on_terminal(FIT.format(setup="", options=options)).replace("\r", "\n").splitlines()
    lines = [piece for piece in pieces if "Speed" in piece and "Batch" in piece]
    assert len(lines) == 2 and all(line.startswith("Epoch[") and "it/s" not in line for line in lines)


def test_loops_have_a_line_and_a_bar() -> None:
    line = in_file(LOOP.format(setup=""))
    assert (
        line.startswith("epoch 3: 3 batches, ") and "batches/s, accuracy=" in line and line.count("\n") == 1
    )
    assert in_file(LOOP.format(setup="import logging; logging.basicConfig(level='INFO')")).startswith(
        "INFO:root:epoch 3: 3 batches"
    )
    pytest.importorskip("tqdm")
    shown = on_terminal(LOOP.format(setup=""))
    assert "/3 [" in shown and "epoch 3: 3 batches" in shown


def test_estimators_have_a_bar_unless_they_log_batches() -> None:
    pytest.importorskip("tqdm")
    assert "/10 [" in on_terminal(ESTIMATOR.format(setup="", options=""))
    options = ", event_handlers=LoggingHandler(log_interval=2)"
    assert "/10 [" not in on_terminal(ESTIMATOR.format(setup="", options=options))
    assert "/10 [" not in in_file(ESTIMATOR.format(setup="", options=""))
