"""Tables and pictures of networks."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import mixgrad as mx
from mixgrad.visualization import network
from mixgrad.visualization.layout import Edge, lay_out
from mixgrad.visualization.memory import read_plan

IMAGES = {"data": (2, 3, 64, 64)}


def texts(svg: str) -> list[str]:
    return [e.text or "" for e in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("name", ["lenet", "resnet-18", "resnet-18-v2", "inception-bn"])
def test_summary_counts_parameters(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    entry = mx.models.CATALOG[name]
    mx.viz.print_summary(entry.symbol(), shape=entry.shapes)
    lines = capsys.readouterr().out.splitlines()
    assert f"Total params: {entry.parameters}" in lines
    assert max(map(len, lines)) == 120


def test_summary_rows(capsys: pytest.CaptureFixture[str]) -> None:
    data = mx.sym.var("data")
    left = mx.sym.FullyConnected(data, num_hidden=3, name="left")
    right = mx.sym.FullyConnected(data, mx.sym.var("left_weight2"), num_hidden=3, no_bias=True, name="right")
    mx.viz.print_summary(left + right, shape={"data": (4, 5)}, line_length=80, positions=[30, 50, 60, 80])
    out = capsys.readouterr().out.splitlines()
    assert out[1] == "Layer (type)                  Output Shape        Param #   Previous Layer"
    assert out[5].split() == ["left(FullyConnected)", "3", "18", "data"]
    assert out[7].split() == ["right(FullyConnected)", "3", "15", "data"]
    assert out[9].split()[1:] == ["3", "0", "left"]
    assert out[10].split() == ["right"]
    mx.viz.print_summary(left)
    out = capsys.readouterr().out.splitlines()
    assert out[5].split() == ["left(FullyConnected)", "?", "data"]
    assert out[-2] == "Total params: ?, which shape={'data': (1, ...)} gives"
    mx.viz.print_summary(mx.sym.FullyConnected(mx.sym.var("data", shape=(4, 5)), num_hidden=3))
    assert "Total params: 18" in capsys.readouterr().out
    mx.viz.print_summary(mx.sym.relu(data))
    assert "Total params: 0" in capsys.readouterr().out


def test_shared_weights_count_once(capsys: pytest.CaptureFixture[str]) -> None:
    weight = mx.sym.var("w")
    net = mx.sym.var("data")
    for i in range(3):
        net = mx.sym.FullyConnected(net, weight, num_hidden=4, no_bias=True, name=f"fc{i}")
    mx.viz.print_summary(net, shape={"data": (2, 4)})
    assert "Total params: 16" in capsys.readouterr().out


def test_graphviz_source() -> None:
    plot = mx.viz.plot_network(mx.models.lenet(), title="net", shape={"data": (1, 1, 28, 28)})
    assert plot.source.startswith('digraph "net" {\n\t"data" [shape="oval"')
    assert '"conv1" -> "data" [dir=back arrowtail=open label="1x28x28"];' in plot.source
    assert 'label="Convolution\\n5x5/1, 20"' in plot.source
    assert "conv1_weight" not in plot.source
    bare = mx.viz.plot_network(mx.models.lenet(), hide_weights=False, node_attrs={"shape": "diamond"})
    assert '"conv1_weight" [shape="diamond"' in bare.source
    assert 'label=""' in bare.source


@pytest.mark.parametrize("name", ["mlp", "resnet-50-v2", "densenet-121", "inception-v3", "squeezenet-1.1"])
def test_drawing(name: str) -> None:
    entry = mx.models.CATALOG[name]
    plot = mx.viz.plot_network(entry.symbol(), title="a<b", shape=entry.shapes)
    assert plot._repr_svg_() == plot.svg
    shown = texts(plot.svg)
    assert shown[0] == "a<b"
    assert "softmax" in shown and "softmax_label" in shown


def test_layout_keeps_order_and_room() -> None:
    nodes = list(range(40))
    edges = [Edge(i // 3, i) for i in range(1, 40)] + [Edge(0, 39), Edge(5, 39)]
    layout = lay_out(nodes, edges)
    rows: dict[int, list[float]] = {}
    for column, row in layout.place.values():
        rows.setdefault(row, []).append(column)
    for columns in rows.values():
        columns.sort()
        assert all(b - a >= 0.999 for a, b in zip(columns, columns[1:]))
    for edge, route in layout.route.items():
        assert route[0] == layout.place[edge.source] and route[-1] == layout.place[edge.target]
        assert [row for _, row in route] == list(range(route[0][1], route[-1][1] + 1))


def test_chain_is_straight() -> None:
    layout = lay_out([0, 1, 2, 4, 3], [Edge(0, 1), Edge(1, 2), Edge(2, 3), Edge(0, 3), Edge(4, 3)], {4})
    assert {round(layout.place[i][0], 2) for i in range(4)} == {round(layout.place[0][0], 2)}


def test_render(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plot = mx.viz.plot_network(mx.models.mlp(), title="mlp")
    monkeypatch.setattr(network.shutil, "which", lambda name: None)
    written = plot.render(tmp_path / "mlp.gv", format="svg")
    assert Path(written).read_text(encoding="utf-8") == plot.svg
    assert (tmp_path / "mlp.gv").read_text(encoding="utf-8") == plot.source
    with pytest.raises(mx.MXNetError, match="dot"):
        plot.render(tmp_path / "mlp.gv")


def test_memory_plan() -> None:
    executor = mx.models.resnet(18, num_classes=10).simple_bind(mx.cpu(), grad_req="write", **IMAGES)
    (arena,) = read_plan(executor.debug_str())
    assert arena.alive <= arena.planned <= arena.unshared
    assert arena.buffers and max(buffer.end for buffer in arena.buffers) == arena.planned
    svg = mx.viz.plot_memory_plan(executor, title="ResNet-18")
    assert texts(svg)[0] == "ResNet-18"
    assert svg.count("<rect") == len(arena.buffers) + 1
    assert {"forward", "backward", "kept for the backward part", "backward part"} <= set(texts(svg))
    assert "computed again" not in texts(svg)
    assert mx.viz.plot_memory_plan(executor, "ResNet-18", device="cpu(0)") == svg
    with pytest.raises(ValueError, match="gpu"):
        mx.viz.plot_memory_plan(executor, device="gpu(0)")


def test_refusals() -> None:
    with pytest.raises(TypeError, match="print_summary"):
        mx.viz.print_summary(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="plot_network"):
        mx.viz.plot_network("x")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="plot_memory_plan"):
        mx.viz.plot_memory_plan("x")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="four"):
        mx.viz.print_summary(mx.models.mlp(), positions=[1.0])
