"""Packed models and the mixgrad command."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import _core
from mixgrad.command import main


def _network() -> mx.sym.Symbol:
    x = mx.sym.Variable("data")
    x = mx.sym.Convolution(x, num_filter=6, kernel=(3, 3), pad=(1, 1), name="conv")
    x = mx.sym.BatchNorm(x, fix_gamma=False, name="bn")
    x = mx.sym.Activation(x, act_type="relu")
    x = mx.sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="max")
    x = mx.sym.FullyConnected(x, num_hidden=4, name="fc")
    return mx.sym.SoftmaxOutput(x, name="softmax")


def _params(net: mx.sym.Symbol) -> tuple[dict[str, mx.nd.NDArray], dict[str, mx.nd.NDArray]]:
    random = np.random.RandomState(3)
    shapes, _, states = net.infer_shape(data=(1, 1, 8, 8))
    args = {
        name: mx.nd.array(random.uniform(-1, 1, shape))
        for name, shape in zip(net.list_arguments(), shapes)
        if name not in ("data", "softmax_label")
    }
    aux = {
        name: mx.nd.array(random.uniform(0.5, 1, shape))
        for name, shape in zip(net.list_auxiliary_states(), states)
    }
    return args, aux


def _answer(net: mx.sym.Symbol, args: dict, aux: dict, data: np.ndarray) -> np.ndarray:
    model = mx.model.PackedModel(net, args, aux, mx.model.InputFormat("data", data.shape))
    return model.bind().forward(data=mx.nd.array(data))[0].asnumpy()


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    net = _network()
    mx.model.save_checkpoint(str(tmp_path / "net"), 7, net, *_params(net))
    (tmp_path / "labels.txt").write_text("zero\none\ntwo\nthree\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("weights, error", [("float32", 0.0), ("float16", 2e-3), ("int8", 4e-2)])
def test_weights_come_back(tmp_path: Path, weights: str, error: float) -> None:
    net = _network()
    args, aux = _params(net)
    path = tmp_path / "net.mxg"
    mx.model.save_packed(
        path, net, args, aux, mx.model.InputFormat("data", (1, 1, 8, 8)), ["a", "b", "c", "d"], weights
    )
    model = mx.model.load_packed(path)
    assert model.weights == weights and model.labels == ("a", "b", "c", "d")
    assert model.symbol.tojson() == net.tojson()
    for name, value in args.items():
        kept, given = model.arg_params[name].asnumpy(), value.asnumpy()
        if given.ndim < 2 or weights == "float32":
            assert np.array_equal(kept, given)
        elif weights == "float16":
            assert np.array_equal(kept, given.astype(np.float16).astype(np.float32))
        else:
            most = np.abs(given).reshape(len(given), -1).max(1)
            step = (most / 127).reshape(-1, *[1] * (given.ndim - 1))
            assert np.all(np.abs(kept - given) <= step / 2 * 1.0001)
    data = np.random.RandomState(1).uniform(0, 1, (1, 1, 8, 8)).astype(np.float32)
    difference = np.abs(
        _answer(model.symbol, model.arg_params, model.aux_params, data) - _answer(net, args, aux, data)
    )
    assert difference.max() <= error


def test_small_forms_are_small(tmp_path: Path) -> None:
    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=64, name="fc")
    args = {"fc_weight": mx.nd.ones((64, 1000)), "fc_bias": mx.nd.zeros((64,))}
    sizes = {}
    for weights in ("float32", "float16", "int8"):
        mx.model.save_packed(tmp_path / weights, net, args, {}, weights=weights)
        sizes[weights] = (tmp_path / weights).stat().st_size
    assert sizes["float16"] < 0.52 * sizes["float32"] and sizes["int8"] < 0.27 * sizes["float32"]


def test_zero_rows_and_empty_arrays(tmp_path: Path) -> None:
    net = mx.sym.Variable("data")
    given = np.array([[0, 0], [1e-42, -1e-42], [1, -0.5]], np.float32)
    mx.model.save_packed(
        tmp_path / "m", net, {"w": mx.nd.array(given), "e": mx.nd.zeros((0, 3))}, {}, weights="int8"
    )
    model = mx.model.load_packed(tmp_path / "m")
    assert np.allclose(model.arg_params["w"].asnumpy(), given, atol=1 / 254)
    assert model.arg_params["e"].shape == (0, 3)


@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_integers_refuse_what_is_not_finite(tmp_path: Path, bad: float) -> None:
    args = {"w": mx.nd.array(np.array([[1, bad]], np.float32))}
    with pytest.raises(mx.base.MXNetError, match="'arg:w' holds"):
        mx.model.save_packed(tmp_path / "m", mx.sym.Variable("data"), args, {}, weights="int8")
    assert not list(tmp_path.iterdir())


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    net = _network()
    path = tmp_path / "net.mxg"
    mx.model.save_packed(path, net, *_params(net), labels=["x"])
    good = path.read_bytes()
    random = np.random.RandomState(5)
    places = {
        0,
        8,
        12,
        16,
        24,
        32,
        64,
        72,
        80,
        88,
        len(good) - 1,
        *random.randint(0, len(good), 200).tolist(),
    }
    accepted = []
    for place in sorted(places):
        damaged = bytearray(good)
        damaged[place] ^= 1 << random.randint(8)
        path.write_bytes(bytes(damaged))
        try:
            mx.model.load_packed(path)
            accepted.append(place)
        except mx.base.MXNetError:
            pass
    # Only bytes between sections mean nothing.
    assert all(good[place] == 0 for place in accepted) and len(accepted) < 0.1 * len(places)
    for size in (0, 7, 63, 64, 200, len(good) - 1):
        path.write_bytes(good[:size])
        with pytest.raises(mx.base.MXNetError):
            mx.model.load_packed(path)
    path.write_bytes(good + b"\0")
    with pytest.raises(mx.base.FileFormatError, match="was written with"):
        mx.model.load_packed(path)


def test_later_versions_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "m"
    mx.model.save_packed(path, mx.sym.Variable("data"), {}, {})
    content = bytearray(path.read_bytes())
    content[8] = 2
    path.write_bytes(bytes(content))
    with pytest.raises(mx.base.FileFormatError, match="has version 2; this library reads version 1"):
        mx.model.load_packed(path)


def test_command_packs_runs_and_inspects(checkpoint: Path, capsys: pytest.CaptureFixture[str]) -> None:
    prefix, packed = str(checkpoint / "net"), str(checkpoint / "net.mxg")
    line = ["pack", prefix, "--input", "data=1,1,8,8", "--labels", str(checkpoint / "labels.txt")]
    assert main([*line, "--scale", "0.00392156862745098", "--weights", "float16"]) == 0
    assert "net.mxg" in capsys.readouterr().out
    pixels = np.random.RandomState(0).randint(0, 256, (8, 8)).astype(np.uint8)
    np.save(checkpoint / "digit.npy", pixels)
    assert main(["run", packed, str(checkpoint / "digit.npy"), "--top", "4"]) == 0
    rows = [row.split() for row in capsys.readouterr().out.splitlines()]
    net, args, aux = mx.model.load_checkpoint(prefix, 7)
    want = _answer(net, args, aux, (pixels / np.float32(255)).reshape(1, 1, 8, 8).astype(np.float32))[0]
    found = {label: float(score) for score, label in rows}
    labels = ("zero", "one", "two", "three")
    assert all(abs(found[label] - want[i]) < 2e-3 for i, label in enumerate(labels))
    assert [row[1] for row in rows] == [labels[i] for i in np.argsort(-want)]
    assert main(["inspect", packed]) == 0
    shown = capsys.readouterr().out
    assert "conv(Convolution)" in shown and "weights as float16" in shown and "working memory" in shown
    assert main(["bench", packed, "--seconds", "0.02"]) == 0
    assert "images per second" in capsys.readouterr().out
    for command, keys in (("inspect", {"arrays", "memory"}), ("bench", {"prediction_ms", "runs"})):
        seconds = ["--seconds", "0.02"] if command == "bench" else []
        assert main([command, packed, "--json", *seconds]) == 0
        assert keys <= set(json.loads(capsys.readouterr().out))
    assert main(["run", packed, str(checkpoint / "digit.npy"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["classes"][0]["label"] == rows[0][1]


def test_scores_that_are_no_numbers_are_null_in_json(
    checkpoint: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args, aux = _params(_network())
    args["fc_bias"][:] = float("nan")
    packed = str(checkpoint / "nan.mxg")
    mx.model.save_packed(packed, _network(), args, aux, mx.model.InputFormat("data", (1, 1, 8, 8)))
    np.save(checkpoint / "zeros.npy", np.zeros((1, 1, 8, 8), np.float32))
    assert main(["run", packed, str(checkpoint / "zeros.npy"), "--json"]) == 0

    def refuse(text: str) -> None:
        raise ValueError(f"{text} is not JSON")

    answer = json.loads(capsys.readouterr().out, parse_constant=refuse)
    assert [one["score"] for one in answer[0]["classes"]] == [None] * 4


def test_run_says_once_what_is_wrong_with_a_picture(
    checkpoint: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("PIL")
    packed = str(checkpoint / "net.mxg")
    assert main(["pack", str(checkpoint / "net"), "--input", "data=1,1,8,8"]) == 0
    for path, message in (
        (checkpoint, f"mixgrad: [run] '{checkpoint}' is not a regular file but a folder\n"),
        (checkpoint / "net-symbol.json", "': Pillow knows no such format of images\n"),
    ):
        assert main(["run", packed, str(path)]) == 1
        assert capsys.readouterr().err.endswith(message)


def test_command_decodes_images(checkpoint: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = pytest.importorskip("PIL.Image")
    assert main(["pack", str(checkpoint / "net"), "--input", "data=1,1,8,8", "--resize", "10"]) == 0
    image.fromarray(np.random.RandomState(2).randint(0, 256, (20, 30), dtype=np.uint8)).save(
        checkpoint / "x.png"
    )
    capsys.readouterr()
    assert main(["run", str(checkpoint / "net.mxg"), str(checkpoint / "x.png"), "--top", "2"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.parametrize(
    "line, message",
    [
        (["inspect", "no-such.mxg"], "cannot open"),
        (["pack", "no-such", "--input", "data=1"], "no-such-symbol.json"),
        (["run", "no-such.mxg", "x.png"], "cannot open"),
    ],
)
def test_command_says_what_is_wrong(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    line: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(line) == 1
    assert message in capsys.readouterr().err


# What pack is asked for that cannot be, and what it says. The file that was there stays.
NOT_PACKED = {
    "input without a batch": (["--input", "data=1,8,8"], "the network does not take .*; at node 'conv'"),
    "input of another name": (["--input", "image=1,1,8,8"], "has no input 'image'"),
    "weights of another shape": (["--input", "data=1,1,16,16"], "'fc_weight' has shape"),
    "labels": (["--input", "data=1,1,8,8", "--labels", "labels.txt"], "3 labels for 4 classes"),
    "labels in another code": (["--input", "data=1,1,8,8", "--labels", "latin.txt"], "is not UTF-8"),
    "extent nan": (["--input", "data=nan,1,8,8"], "expected such as data=1,3,224,224"),
    "mean nan": (["--input", "data=1,1,8,8", "--mean", "nan"], "mean is .*; expected 1 finite number"),
    "std 0": (["--input", "data=1,1,8,8", "--std", "0"], "std is .*; expected no zeros"),
    "resize": (["--input", "data=1,1,8,8", "--resize", "1000000"], "resize is 1000000; expected"),
    "colours": (
        ["--input", "data=1,1,8,8", "--channels", "rgb"],
        "expected a shape of images, of three channels",
    ),
    "its own input": (["--input", "data=1,1,8,8", "-o", "net-symbol.json"], "which is read"),
}


@pytest.mark.parametrize("case", sorted(NOT_PACKED))
def test_pack_looks_before_it_writes(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], case: str
) -> None:
    monkeypatch.chdir(checkpoint)
    (checkpoint / "labels.txt").write_text("a\nb\nc\n", encoding="utf-8")
    (checkpoint / "latin.txt").write_bytes(b"caf\xe9\n")
    assert main(["pack", "net", "--input", "data=1,1,8,8"]) == 0
    before = {path.name: path.read_bytes() for path in checkpoint.iterdir()}
    arguments, message = NOT_PACKED[case]
    capsys.readouterr()
    assert main(["pack", "net", *arguments]) == 1
    error = capsys.readouterr().err
    assert re.search(message, error), error
    assert {path.name: path.read_bytes() for path in checkpoint.iterdir()} == before


@pytest.mark.parametrize(
    "line",
    [
        ["bench", "net.mxg", "--batch", "0"],
        ["bench", "net.mxg", "--threads", "0"],
        ["bench", "net.mxg", "--seconds", "nan"],
        ["bench", "net.mxg", "--seconds", "-1"],
        ["run", "net.mxg", "x.npy", "--top", "0"],
        ["pack", "net", "--input", "data=1", "--epoch", "-1"],
    ],
)
def test_nonsense_values_are_refused(line: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(line)
    assert ended.value.code == 2
    assert re.search("argument --[a-z]+: .*; expected a", capsys.readouterr().err)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"mixgrad {mx.__version__}\n"


def _written(path: Path, section: Any, change: Any = None) -> Path:
    """A packed file whose section `input` and arrays are as given."""
    net = _network()
    args, aux = _params(net)
    arrays = {f"arg:{name}": value for name, value in args.items()}
    arrays.update({f"aux:{name}": value for name, value in aux.items()})
    if change:
        change(arrays)
    text = section if isinstance(section, str) else json.dumps(section)
    sections = [("symbol", net.tojson().encode()), ("input", text.encode())]
    _core.save_model(str(path), sections, list(arrays.values()), list(arrays), "float32")
    return path


GOOD: dict[str, Any] = {"name": "data", "shape": [1, 1, 8, 8]}
BAD_SECTIONS: dict[str, tuple[Any, str]] = {
    "name": ({**GOOD, "name": 5}, "name is 5; expected"),
    "no shape": ({"name": "data"}, "it lacks \\['shape'\\]"),
    "shape": ({**GOOD, "shape": "8"}, "shape is '8'; expected"),
    "extent": ({**GOOD, "shape": [1, 1, 8, 0.5]}, "shape is .*; expected"),
    "extent of truth": ({**GOOD, "shape": [1, 1, 8, True]}, "shape is .*; expected"),
    "extent below": ({**GOOD, "shape": [1, 1, 8, -8]}, "shape is .*; expected"),
    "resize": ({**GOOD, "resize": 1e300}, "resize is 1e\\+300; expected"),
    "channels": ({**GOOD, "channels": ["rgb"]}, "channels is .*; expected"),
    "scale": ({**GOOD, "scale": "1"}, "scale is '1'; expected"),
    "scale infinite": (
        '{"name": "data", "shape": [1, 1, 8, 8], "scale": Infinity}',
        "scale is inf; expected",
    ),
    "scale beyond floats": ({**GOOD, "scale": 10**400}, "scale is 1000.*; expected a finite number"),
    "resize of truth": ({**GOOD, "resize": True}, "resize is True; expected"),
    "mean": ({**GOOD, "mean": [[0]]}, "mean is .*; expected"),
    "deep": ("[" * 100_000, "cannot be read: .*"),
    "a list": ([1], "it is list; expected an object"),
}


@pytest.mark.parametrize("case", sorted(BAD_SECTIONS))
def test_sections_are_checked_against_a_schema(tmp_path: Path, case: str) -> None:
    section, message = BAD_SECTIONS[case]
    with pytest.raises(mx.base.FileFormatError, match=message):
        mx.model.load_packed(_written(tmp_path / "net.mxg", section))


def test_an_input_is_described_by_lists_arrays_and_numbers() -> None:
    wanted = mx.model.InputFormat("data", (1, 3), mean=(0.5,), std=(2.0, 2.0, 4.0))
    for shape in ([1, 3], np.array([1, 3]), (np.int64(1), 3)):
        made = mx.model.InputFormat("data", shape, mean=0.5, std=np.array([2.0, 2.0, 4.0]))
        assert made == wanted and [type(extent) for extent in made.shape] == [int, int]


def _rename(arrays: dict[str, Any], old: str, new: str) -> None:
    arrays[new] = arrays.pop(old)


BAD_ARRAYS: dict[str, tuple[Any, str]] = {
    "missing": (lambda arrays: arrays.pop("arg:fc_weight"), "there is no array arg:fc_weight; expected"),
    "marked aux": (
        lambda arrays: _rename(arrays, "arg:fc_weight", "aux:fc_weight"),
        "no array arg:fc_weight; there is aux:fc_weight",
    ),
    "state": (lambda arrays: arrays.pop("aux:bn_moving_var"), "there is no array aux:bn_moving_var"),
    "shape": (
        lambda arrays: arrays.update({"arg:fc_bias": mx.nd.zeros((5,))}),
        "'fc_bias' has shape \\(5,\\); expected \\(4,\\)",
    ),
}


@pytest.mark.parametrize("case", sorted(BAD_ARRAYS))
def test_arrays_are_checked_against_the_network(tmp_path: Path, case: str) -> None:
    change, message = BAD_ARRAYS[case]
    with pytest.raises(mx.base.FileFormatError, match=message):
        mx.model.load_packed(_written(tmp_path / "net.mxg", GOOD, change))


def test_inspect_shows_no_control_characters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net = mx.sym.relu(mx.sym.Variable("data"), name="layer\x1b[31m")
    path = tmp_path / "net.mxg"
    mx.model.save_packed(path, net, {}, {}, mx.model.InputFormat("data", (1, 3)), ["a\x07", "b", "c"])
    assert main(["inspect", str(path), "--plan"]) == 0
    shown = capsys.readouterr().out
    assert "layer\\x1b[31m" in shown and not set(shown) & set("\x1b\x07")


def test_command_ends_quietly_at_ctrl_c(checkpoint: Path) -> None:
    assert main(["pack", str(checkpoint / "net"), "--input", "data=1,1,8,8"]) == 0
    command = ["bench", str(checkpoint / "net.mxg")]
    program = (
        "import sys, time, mixgrad.command.bench as bench\n"
        "bench.act = lambda given: (print('there', flush=True), time.sleep(60))\n"
        f"sys.exit(__import__('mixgrad.command').command.main({command!r}))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline() == b"there\n"
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == b""
    assert process.returncode == 130


def test_command_says_that_its_output_is_closed(checkpoint: Path) -> None:
    assert main(["pack", str(checkpoint / "net"), "--input", "data=1,1,8,8"]) == 0
    command = ["sh", "-c", '"$0" -m mixgrad inspect "$1" >&-', sys.executable, str(checkpoint / "net.mxg")]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "mixgrad: [mixgrad] standard output is closed; expected it to be open\n"
    command[2] = '"$0" -m mixgrad bench --seconds 0.01 "$1" 2>&-'
    assert (
        "images per second" in subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    )


def test_command_ends_quietly_where_nobody_reads(checkpoint: Path) -> None:
    assert main(["pack", str(checkpoint / "net"), "--input", "data=1,1,8,8"]) == 0
    command = [sys.executable, "-m", "mixgrad", "inspect", str(checkpoint / "net.mxg"), "--plan"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_repr_is_short(tmp_path: Path) -> None:
    path = tmp_path / "m.mxg"
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    args = {"fc_weight": mx.nd.ones((2, 3)), "fc_bias": mx.nd.zeros((2,))}
    mx.model.save_packed(str(path), net, args, {}, labels=("a", "b"))
    said = repr(mx.model.load_packed(str(path)))
    assert said == "<PackedModel 8 numbers in 2 arrays as float32, no input named, 2 labels>"
