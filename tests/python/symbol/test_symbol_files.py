"""Symbol files against those of MXNet 1.9.1, and names and shapes against its own for the same networks."""

from __future__ import annotations

import importlib.util
import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx

DATA = Path(__file__).resolve().parents[2] / "data" / "symbols"
EXPECTED: dict[str, dict[str, Any]] = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))


def load_beside(name: str) -> Any:
    """A module that lies beside the files."""
    spec = importlib.util.spec_from_file_location(f"symbol_{name}", DATA / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NETWORKS: dict[str, Any] = dict(load_beside("networks").NETWORKS)
NUMBERS: dict[str, Any] = json.loads((DATA / "numbers.json").read_text(encoding="utf-8"))


def build(name: str) -> tuple[mx.Symbol, dict[str, tuple[int, ...]]]:
    with mx.name.NameManager():
        net, shapes = NETWORKS[name](mx)
    return net, shapes


def without_rows(text: str) -> str:
    """The file without node_row_ptr, which counts outputs of MXNet's kernels that no user sees."""
    return re.sub(r'  "node_row_ptr": \[[^]]*\], \n', "", text)


def check_same(net: mx.Symbol, name: str, shapes: dict[str, tuple[int, ...]]) -> None:
    wanted = EXPECTED[name]
    assert net.list_arguments() == wanted["arguments"]
    assert net.list_outputs() == wanted["outputs"]
    assert net.list_auxiliary_states() == wanted["states"]
    assert net.get_internals().list_outputs() == wanted["internals"]
    found = net.infer_shape_partial(**shapes)
    for part, key in zip(found, ("argument_shapes", "output_shapes", "state_shapes")):
        assert [list(shape) for shape in part] == wanted[key]


@pytest.mark.parametrize("name", sorted(NETWORKS))
def test_file_of_mxnet_is_read_and_written_back_unchanged(name: str) -> None:
    path = DATA / f"{name}-symbol.json"
    net = mx.sym.load(str(path))
    assert without_rows(net.tojson()) == without_rows(path.read_text(encoding="utf-8"))
    assert net.attr_dict() == EXPECTED[name]["attributes"]
    check_same(net, name, build(name)[1])


@pytest.mark.parametrize("name", sorted(NETWORKS))
def test_built_here_is_what_mxnet_builds(name: str) -> None:
    net, shapes = build(name)
    check_same(net, name, shapes)
    ours, theirs = (
        json.loads(net.tojson()),
        json.loads((DATA / f"{name}-symbol.json").read_text(encoding="utf-8")),
    )
    assert [n["op"] for n in ours["nodes"]] == [n["op"] for n in theirs["nodes"]]
    for a, b in zip(ours["nodes"], theirs["nodes"]):
        assert (a["name"], a["inputs"]) == (b["name"], b["inputs"])
        if a["op"] != "null":  # MXNet also copies a layer's parameters to its variables
            assert a.get("attrs", {}).keys() == b.get("attrs", {}).keys()
    for key in ("arg_nodes", "heads", "attrs"):
        assert ours[key] == theirs[key]


def test_save_and_load(tmp_path: Path) -> None:
    net, _ = build("residual")
    path = tmp_path / "net-symbol.json"
    net.save(str(path))
    assert mx.sym.load(str(path)).tojson() == net.tojson()
    assert os.listdir(tmp_path) == ["net-symbol.json"]
    with pytest.raises(FileNotFoundError):
        mx.sym.load(str(tmp_path / "none.json"))
    with pytest.raises(OSError):
        net.save(str(tmp_path / "no" / "folder.json"))


def test_unknown_names_in_files_are_named() -> None:
    text = build("mlp")[0].tojson()
    with pytest.raises(mx.base.NotFoundError, match=r"node 4 'relu1'.*Activation"):
        mx.sym.load_json(text.replace('"Activation"', '"Activatoin"'))
    with pytest.raises(mx.base.InvalidArgumentError, match=r"node 3 'fc1'.*num_hiden.*nearest: num_hidden"):
        mx.sym.load_json(text.replace('"num_hidden"', '"num_hiden"'))
    with pytest.raises(mx.base.FileFormatError, match="line 1"):
        mx.sym.load_json("{")
    with pytest.raises(TypeError):
        mx.sym.load_json(b"{}")  # type: ignore[arg-type]


def test_operators_without_parameters_take_any() -> None:
    """As MXNet, whose `zeros_like(x, dtype='float32')` writes the name into files."""
    graph = json.loads(mx.sym.zeros_like(mx.sym.var("x"), name="z").tojson())
    graph["nodes"][1]["attrs"] = {"dtype": "float64"}
    net = mx.sym.load_json(json.dumps(graph))
    assert net.infer_type(x="float32")[1] == [np.float32]
    assert net.attr_dict() == {"z": {"dtype": "float64"}}
    assert mx.sym.load_json(net.tojson()).attr_dict() == net.attr_dict()


def test_file_of_mxnet_08() -> None:
    net = mx.sym.load(str(DATA / "old_08-symbol.json"))
    assert net.list_arguments() == [
        "data",
        "conv_weight",
        "conv_bias",
        "bn_gamma",
        "bn_beta",
        "fc_weight",
        "fc_bias",
        "softmax_label",
    ]
    assert net.list_auxiliary_states() == ["bn_moving_mean", "bn_moving_var"]
    assert net.attr_dict()["conv_weight"]["__lr_mult__"] == "2.0"
    assert net.attr_dict()["fc"]["ctx_group"] == "dev2"
    shapes = dict(zip(net.list_arguments(), net.infer_shape(data=(4, 1, 12, 12))[0]))
    assert shapes["fc_weight"] == (10, 8 * 5 * 5)


def check_figures(found: Any, wanted: Any, where: str) -> None:
    if isinstance(wanted, dict):
        assert found.keys() == wanted.keys()
        for key in wanted:
            check_figures(found[key], wanted[key], f"{where} {key}")
    elif wanted and isinstance(wanted[0], list):
        assert len(found) == len(wanted)
        for i, (a, b) in enumerate(zip(found, wanted)):
            check_figures(a, b, f"{where} {i}")
    else:
        # Relative to the magnitudes of the whole array, which come second.
        scale = 1e-6 + wanted[1]
        assert np.allclose(found[:2], wanted[:2], rtol=0, atol=1e-4 * scale), where
        np.testing.assert_allclose(found[2:], wanted[2:], rtol=1e-3, atol=1e-6 + 1e-5 * scale, err_msg=where)


@pytest.mark.parametrize("name", sorted(NETWORKS))
def test_file_of_mxnet_computes_what_mxnet_computes(name: str) -> None:
    net = mx.sym.load(str(DATA / f"{name}-symbol.json"))
    found = load_beside("numbers_run").run(mx, name, net, build(name)[1])
    wanted = dict(NUMBERS[name])
    if name == "residual":  # moving averages move in the forward call here, in the backward one there
        found, wanted = ({k: v for k, v in d.items() if k != "states"} for d in (found, wanted))
    if name == "marked":  # MXNet's graph computes another gradient of prelu's slopes than its own call does
        for figures in (found, wanted):
            del figures["gradients"]["act_gamma"]
    check_figures(found, wanted, name)
