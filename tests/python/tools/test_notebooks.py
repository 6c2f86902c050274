"""What notebooks show: arrays, blocks, networks and learning curves in HTML and SVG."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.gluon import nn


class Reader(HTMLParser):
    """Texts of cells, and whether what is opened is closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    def of(self, tag: str) -> list[str]:
        return [text for one, text in self.texts if one == tag]


def test_arrays_are_tables() -> None:
    shown = Reader(mx.nd.array([[1, 2.5], [3, 1e-9]])._repr_html_())
    assert shown.of("td") == ["1", "2.5", "3", "1e-09"] and shown.of("code") == [
        "NDArray 2x2 float32 @cpu(0)"
    ]
    shown = Reader(mx.np.array([1, 2], dtype="int32")._repr_html_())
    assert shown.of("td") == ["1", "2"] and shown.of("code") == ["ndarray 2 int32 @cpu(0)"]
    shown = Reader(mx.nd.ones((2, 1), dtype="bfloat16")._repr_html_())
    assert shown.of("td") == ["1", "1"] and "bfloat16" in shown.of("code")[0]


def test_long_arrays_show_their_ends() -> None:
    shown = Reader(mx.nd.arange(100 * 50).reshape((100, 50))._repr_html_())
    cells = np.array(shown.of("td")).reshape(11, 13)
    assert (
        cells[0, 0] == "0"
        and cells[10, 12] == "4999"
        and (cells[5] == "…").all()
        and (cells[:, 6] == "…").all()
    )
    assert shown.of("th")[-1] == "99"


@pytest.mark.parametrize(
    "make", [lambda: mx.nd.ones((2, 2, 2)), lambda: mx.nd.zeros((0, 3)), lambda: mx.np.array(3.5)]
)
def test_others_are_text(make: Any) -> None:
    array = make()
    assert Reader(array._repr_html_()).of("pre") == [repr(array).strip()]


def test_sparse_arrays_stay_sparse() -> None:
    assert "CSRNDArray" in mx.nd.sparse.zeros("csr", (10**6, 10**6))._repr_html_()


def test_blocks_are_trees() -> None:
    shared = nn.Dense(4, in_units=4)
    net = nn.HybridSequential(prefix="net_")
    net.add(
        nn.Dense(4),
        shared,
        nn.Dense(4, in_units=4, params=shared.params),
        nn.HybridLambda(lambda F, x: x < 1),
    )
    shown = Reader(net._repr_html_())
    text = "".join(piece for _, piece in shown.texts)
    assert "net: 24 parameters, 1 of unknown shape" in text and "weight (4, 4)" in text
    assert len(shown.of("b")) == 5 and shown.of("b")[1] == "0: Dense(None -> 4, linear)"


def test_networks_are_drawings() -> None:
    net = mx.models.lenet()
    text = net._repr_html_()
    drawing = ET.fromstring(text[text.index("<svg") : text.index("</svg>") + 6])
    titles = [one.text or "" for one in drawing.iter("{http://www.w3.org/2000/svg}title")]
    operators = [node["op"] for node in json.loads(net.tojson())["nodes"] if node["op"] != "null"]
    assert sorted(title.split("(")[1][:-1] for title in titles if "(" in title) == sorted(operators)
    deep = mx.sym.var("x")
    for _ in range(700):
        deep = deep + 1
    assert "700 operators" in Reader(deep._repr_html_()).of("pre")[0]


def test_curves() -> None:
    plot = mx.viz.plot_curves(
        {"a<b": [3, 2, float("nan"), 1, 0.5], "c": [(10, 4)]}, title="x & y", y_label="loss"
    )
    drawing = ET.fromstring(plot._repr_svg_())
    space = "{http://www.w3.org/2000/svg}"
    (path,) = drawing.iter(space + "path")
    pieces = [re.findall(r"([\d.]+),([\d.]+)", piece) for piece in path.attrib["d"].split("M")[1:]]
    assert [len(piece) for piece in pieces] == [2, 2] and len(list(drawing.iter(space + "circle"))) == 1
    heights = [float(y) for piece in pieces for _, y in piece]
    assert heights == sorted(heights)  # values fall, so pixels from above grow
    steps = np.diff(heights)
    assert np.allclose(steps, steps[0] * np.array([1, 1, 0.5]), atol=0.2)
    words = [one.text for one in drawing.iter(space + "text")]
    assert {"x & y", "loss", "a<b: 0.5 at last", "c: 4 at last"} <= set(words)


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize(
    "values", [[], [3.0], [0, 0], [-1, 1], [1e-30, 1e30], [float("inf")], mx.nd.array([1, 2])]
)
def test_any_values_are_drawn(values: Any, log: bool) -> None:
    drawing = ET.fromstring(mx.viz.plot_curves({"x": values}, log=log).svg)
    for one in drawing.iter():
        assert not any("nan" in text or "inf" in text for text in one.attrib.values())


def test_curves_are_written_and_refused(tmp_path: Path) -> None:
    plot = mx.viz.plot_curves({"x": [1, 2]})
    assert Path(plot.save(tmp_path / "x.svg")).read_text() == plot.svg
    for wrong in ("ab", 3, [(1, 2, 3)]):
        with pytest.raises(TypeError, match="expected numbers, or pairs"):
            mx.viz.plot_curves({"x": wrong})


def test_history_of_a_training() -> None:
    history = mx.callback.History(frequent=2)
    data = mx.io.NDArrayIter(mx.nd.ones((24, 4)), mx.nd.zeros(24), batch_size=4)
    mx.mod.Module(mx.models.mlp(num_classes=2, hidden=())).fit(
        data,
        eval_data=data,
        num_epoch=2,
        batch_end_callback=history.train,
        eval_end_callback=history.validation,
    )
    assert [step for step, _ in history.curves["train-accuracy"]] == [2, 4, 6, 8, 10, 12]
    assert [step for step, _ in history.curves["validation-accuracy"]] == [6, 12]
    assert "train-accuracy" in history.plot().svg and repr(history).startswith("History of train-accuracy")
    with pytest.raises(ValueError, match="frequent"):
        mx.callback.History(0)
