"""tools/amalgamate.py on small trees: each rule holds on a good tree and fails when it is violated."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import mixgrad as mx
from mixgrad import _core

TOOLS = Path(__file__).resolve().parents[3] / "tools"
TOOL = TOOLS / "amalgamate.py"

GOOD = {
    "include/mixgrad/mixgrad.h": "#ifndef MIXGRAD_H\n#define MIXGRAD_H\nint mg_answer(void);\n#endif\n",
    "cpp/base/shape.h": "#pragma once\n#include <vector>\nnamespace mixgrad { struct Shape { int n; }; }\n",
    "cpp/base/shape.cc": '#include "base/shape.h"\nnamespace mixgrad { namespace { int size(); } }\n',
    "cpp/engine/var.h": '#pragma once\n#include "base/shape.h"\n',
    "cpp/op/define.h": '#pragma once\n#include "base/shape.h"\n#define MG_SCALAR(x) x\n',
    "cpp/array/array.h": '#pragma once\n#include "engine/var.h"\n#include "op/define.h"\n',
    "cpp/ops/elementwise/exp.cc": (
        '#include "op/define.h"\nnamespace mixgrad::ops::exp {\nstruct Params {};\n'
        "}  // namespace mixgrad::ops::exp\n"
    ),
    "cpp/ops/elementwise/log.cc": (
        '#include "op/define.h"\nnamespace mixgrad::ops::log {\nstruct Params {};\n'
        'static const char* text = R"(\n#include "not/ours.h"\n)";\n'
        "#if MIXGRAD_OPENMP\n#include <omp.h>\n#endif\n"
        "#define MIXGRAD_X86 1\n#if MIXGRAD_X86\n#endif\n}  // namespace mixgrad::ops::log\n"
    ),
    "cpp/c_api/array.cc": (
        '#include "array/array.h"\n#include "mixgrad/mixgrad.h"\nint a() { return 42 + MIXGRAD_CUDA; }\n'
    ),
}


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def run(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(TOOL), "--root", str(root), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_good_tree_passes(tmp_path: Path) -> None:
    write(tmp_path, GOOD)
    done = run(tmp_path, "--check")
    assert (done.returncode, done.stdout) == (0, "")


def test_this_project_passes() -> None:
    done = run(TOOLS.parent, "--check")
    assert done.returncode == 0, done.stdout


# Each case: files laid over the good tree, then file:line and words of the finding that must appear.
BAD: dict[str, tuple[dict[str, str], str, str]] = {
    "points up": (
        {"cpp/base/a.h": '#pragma once\n#include "engine/var.h"\n'},
        "cpp/base/a.h:2",
        "points up or sideways",
    ),
    "sibling": (
        {"cpp/storage/a.h": '#pragma once\n#include "engine/var.h"\n'},
        "cpp/storage/a.h:2",
        "sideways",
    ),
    "graph takes array": (
        {"cpp/graph/a.h": '#pragma once\n#include "array/array.h"\n'},
        "cpp/graph/a.h:2",
        "sideways",
    ),
    "into ops": (
        {"cpp/ops/nn/conv.h": "#pragma once\n", "cpp/exec/a.h": '#pragma once\n#include "ops/nn/conv.h"\n'},
        "cpp/exec/a.h:2",
        "through the registry",
    ),
    "other family": (
        {
            "cpp/ops/linalg/product.h": "#pragma once\n",
            "cpp/ops/nn/conv.cc": '#include "ops/linalg/product.h"\nnamespace mixgrad::ops::conv {}\n',
        },
        "cpp/ops/nn/conv.cc:1",
        "another family",
    ),
    "public header below c_api": (
        {"cpp/exec/a.cc": '#include "mixgrad/mixgrad.h"\n'},
        "cpp/exec/a.cc:1",
        "only c_api/ includes",
    ),
    "relative spelling": (
        {"cpp/engine/a.h": '#pragma once\n#include "var.h"\n'},
        "cpp/engine/a.h:2",
        '"var.h" is no file under cpp/ or include/; write its path',
    ),
    "angle brackets": (
        {"cpp/engine/a.h": "#pragma once\n#include <engine/var.h>\n"},
        "cpp/engine/a.h:2",
        'write #include "engine/var.h"',
    ),
    "foreign in quotes": (
        {"cpp/base/a.h": '#pragma once\n#include "omp.h"\n'},
        "cpp/base/a.h:2",
        "write its path, or <omp.h>",
    ),
    "source included": (
        {"cpp/base/a.h": '#pragma once\n#include "base/shape.cc"\n'},
        "cpp/base/a.h:2",
        "is not a header",
    ),
    "no pragma once": ({"cpp/base/a.h": "int a();\n"}, "cpp/base/a.h:1", "#pragma once"),
    "pragma once in a comment": ({"cpp/base/a.h": "// #pragma once\n"}, "cpp/base/a.h:1", "#pragma once"),
    "include inside if": (
        {"cpp/engine/a.cc": '#if MIXGRAD_OPENMP\n#include "engine/var.h"\n#endif\n'},
        "cpp/engine/a.cc:2",
        "inside #if",
    ),
    "ifdef": ({"cpp/base/a.cc": "#ifdef MIXGRAD_ONEDNN\n#endif\n"}, "cpp/base/a.cc:1", "#if MIXGRAD_ONEDNN"),
    "ifndef": (
        {"cpp/base/a.cc": "#ifndef MIXGRAD_ONEDNN\n#endif\n"},
        "cpp/base/a.cc:1",
        "#if MIXGRAD_ONEDNN",
    ),
    "defined": (
        {"cpp/base/a.cc": "#if 1 && \\\n  defined(MIXGRAD_ONEDNN)\n#endif\n"},
        "cpp/base/a.cc:1",
        "always 0 or 1",
    ),
    "operator namespace": (
        {"cpp/ops/elementwise/sin.cc": "namespace mixgrad::ops::cos {}\n"},
        "cpp/ops/elementwise/sin.cc:1",
        "does not open namespace mixgrad::ops::sin",
    ),
    "using namespace": (
        {"cpp/base/a.cc": "namespace mixgrad {\nusing namespace std;\n}  // namespace mixgrad\n"},
        "cpp/base/a.cc:2",
        "`using namespace`",
    ),
    "end that is not marked": (
        {"cpp/base/a.cc": "namespace mixgrad {\nint a;\nint b;\n}\n"},
        "cpp/base/a.cc:1",
        "}  // namespace mixgrad",
    ),
    "too long": ({"cpp/base/a.cc": "int a;\n" * 701}, "cpp/base/a.cc:701", "has 701 lines"),
    "no floor": ({"cpp/misc/a.cc": "int a;\n"}, "cpp/misc/a.cc:1", "lies on no floor"),
    "circle": (
        {
            "cpp/base/a.h": '#pragma once\n#include "base/b.h"\n',
            "cpp/base/b.h": '#pragma once\n#include "base/a.h"\n',
        },
        "cpp/base/a.h:2",
        "cpp/base/a.h -> cpp/base/b.h -> cpp/base/a.h",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_violation_is_found(case: str, tmp_path: Path) -> None:
    files, place, words = BAD[case]
    write(tmp_path, {**GOOD, **files})
    done = run(tmp_path, "--check")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert len(lines) == 1, done.stdout
    assert lines[0].startswith(place + ": ")
    assert words in lines[0]
    assert "; " in lines[0] or ": #if" in lines[0], "a finding says how to mend it"


# Code that looks like a violation and is none.
FINE: dict[str, dict[str, str]] = {
    "using namespace in a function": {"cpp/base/a.cc": "void f() { using namespace std; }\n"},
    "in comments and strings": {
        "cpp/base/a.cc": (
            '// #include "engine/var.h"\n/* #ifdef MIXGRAD_X\n using namespace std; */\n'
            "const char* a = \"using namespace { /*\";\nchar b = '\"';\nint c = 1'000'000;\n"
        )
    },
    "shared header beside operators": {
        "cpp/ops/shape/pad.h": "#pragma once\n",
        "cpp/ops/shape/pad.cc": '#include "ops/shape/pad.h"\nnamespace mixgrad::ops::pad {}\n',
    },
}


@pytest.mark.parametrize("case", FINE)
def test_lookalike_passes(case: str, tmp_path: Path) -> None:
    write(tmp_path, {**GOOD, **FINE[case]})
    done = run(tmp_path, "--check")
    assert (done.returncode, done.stdout) == (0, "")


def test_order_is_the_same_for_the_same_files(tmp_path: Path) -> None:
    write(tmp_path / "a", GOOD)
    write(tmp_path / "b", dict(reversed(list(GOOD.items()))))
    first, second = run(tmp_path / "a", "--list"), run(tmp_path / "b", "--list")
    assert first.stdout == second.stdout
    order = first.stdout.split()
    assert sorted(order) == sorted(GOOD)
    assert (
        order.index("cpp/base/shape.h") < order.index("cpp/engine/var.h") < order.index("cpp/array/array.h")
    )
    assert order.index("cpp/array/array.h") < order.index("cpp/c_api/array.cc")


# A tree from which a profile keeps a part: one operator looks up another, and some functions nobody names.
PARTS = {
    "include/mixgrad/version.h": "#ifndef V\n#define V\n#endif\n",
    "include/mixgrad/mixgrad.h": (
        "#pragma once\n/* Kept. */\nMG_EXPORT int mg_kept(int a,\n  int b);\n"
        "/* Lost. */\nMG_EXPORT int mg_lost(void);\n"
    ),
    "cpp/base/used.h": "#pragma once\nnamespace mixgrad { int used(); int never(); }\n",
    "cpp/base/used.cc": '#include "base/used.h"\nnamespace mixgrad { int used() { return 1; } }\n',
    "cpp/base/never.cc": '#include "base/used.h"\nnamespace mixgrad { int never() { return 2; } }\n',
    "cpp/base/single_file/begin.inc": "// Headers.\n#include <vector>\n",
    **{f"cpp/base/single_file/{name}.inc": "" for name in ("cold_begin", "cold_end", "headers", "end")},
    "cpp/engine/engine.h": "#pragma once\n",
    "cpp/engine/serial.cc": '#include "engine/engine.h"\nnamespace mixgrad { int serial; }\n',
    "cpp/op/define.h": "#pragma once\n#include <vector>\n",
    "cpp/ops/elementwise/relu.cc": (
        '#include "op/define.h"\n#include <vector>\nnamespace mixgrad::ops::relu {\n'
        'const Op& op = Define<>("relu").kernel([] { find_op("clip"); });\n'
        "}  // namespace mixgrad::ops::relu\n"
    ),
    "cpp/ops/elementwise/clip.cc": (
        '#include "op/define.h"\nnamespace mixgrad::ops::clip {\n'
        'const Op& op = Define<>("clip").alias("Clip").grad([] { apply("exp"); });\n'
        'static const char* text = R"(\n#include "not/ours.h"\nnamespace mixgrad {\n)";\n'
        "}  // namespace mixgrad::ops::clip\n"
    ),
    "cpp/ops/elementwise/table.cc": (
        '#include "op/define.h"\nnamespace mixgrad::ops::table {\n'
        'const bool kRegistered = add("exp") && add("log");\n}  // namespace mixgrad::ops::table\n'
    ),
    "tools/amalgam_operators.txt": (
        "cpp/ops/elementwise/clip.cc: Clip clip\ncpp/ops/elementwise/relu.cc: relu\n"
        "cpp/ops/elementwise/table.cc: exp log\n"
    ),
    "cpp/c_api/predict.cc": (
        '#include "mixgrad/mixgrad.h"\n#include "base/used.h"\n#include "engine/engine.h"\n'
        'extern "C" {\nint mg_kept(int a, int b) {\n  return mixgrad::used() + a + b;\n}\n}\n'
    ),
}


def profile(root: Path, *arguments: str) -> tuple[str, str]:
    done = run(root, "--write", str(root / "out"), *arguments)
    assert done.returncode == 0, done.stderr
    return (root / "out/mixgrad-all.cc").read_text(), (root / "out/mixgrad-all.h").read_text()


def profile_of_project(folder: Path, *arguments: str) -> tuple[str, str]:
    done = run(TOOLS.parent, "--write", str(folder / "out"), *arguments)
    assert done.returncode == 0, done.stderr
    return (folder / "out/mixgrad-all.cc").read_text(), (folder / "out/mixgrad-all.h").read_text()


def model(root: Path, *operators: str) -> str:
    path = root / "m-symbol.json"
    path.write_text(json.dumps({"nodes": [{"op": name, "name": "n"} for name in ("null", *operators)]}))
    return str(path)


def test_profile_keeps_what_is_named(tmp_path: Path) -> None:
    write(tmp_path, PARTS)
    source, header = profile(tmp_path)
    assert "int used() { return 1; }" in source
    assert "return 2" not in source  # nothing brings never.cc
    assert "int serial" in source  # as engine.h has no file of its name alone
    assert source.count("#include <vector>") == 1
    assert '#include "not/ours.h"' in source  # inside a raw string: text, not a directive
    assert "#pragma once" not in source
    assert '"relu"' in source
    assert '"log"' in source
    assert "mg_kept" in header
    assert "/* Kept. */" in header
    assert "mg_lost" not in header
    assert "/* Lost. */" not in header
    assert source == profile(tmp_path)[0]


def test_namespace_is_the_files_own(tmp_path: Path) -> None:
    write(tmp_path, PARTS)
    source, _ = profile(tmp_path)
    assert "namespace {\nnamespace mixgrad { int used() { return 1; } }\n}" in source
    assert "namespace {\nnamespace mixgrad::ops::relu {" in source
    assert "}  // namespace mixgrad::ops::relu\n}" in source
    assert '\n#include "not/ours.h"\nnamespace mixgrad {\n' in source


def test_cut_to_a_model(tmp_path: Path) -> None:
    write(tmp_path, PARTS)
    source, _ = profile(tmp_path, "--model", model(tmp_path, "relu"))
    assert '"relu"' in source
    assert '"clip"' in source  # which relu looks up
    assert 'add("exp")' not in source  # which only a gradient asks for
    source, _ = profile(tmp_path, "--model", model(tmp_path, "log"))
    assert 'add("exp")' in source  # a file is taken whole
    assert '"relu"' not in source


def test_model_with_an_unknown_operator(tmp_path: Path) -> None:
    write(tmp_path, PARTS)
    done = run(tmp_path, "--write", str(tmp_path / "out"), "--model", model(tmp_path, "Foo"))
    assert done.returncode != 0
    assert "Foo" in done.stderr


def test_model_with_an_operator_of_training(tmp_path: Path) -> None:
    path = model(tmp_path, "relu", "khatri_rao")
    done = run(TOOLS.parent, "--write", str(tmp_path / "out"), "--model", path)
    assert done.returncode != 0
    assert "leaves out khatri_rao, which a model uses" in done.stderr
    assert not (tmp_path / "out").exists()
    source, _ = profile_of_project(tmp_path, "--model", path, "--profile", "train")
    assert '"khatri_rao"' in source


def test_fused_layers_bring_what_they_are_taken_apart_into(tmp_path: Path) -> None:
    path = model(tmp_path, "_sg_mkldnn_conv", "_contrib_box_nms")
    source, _ = profile_of_project(tmp_path, "--model", path)
    assert "cpp/graph/fused_layer.cc" in source and "_quantized_conv_block" in source and "box_nms" in source
    assert "MultiBoxDetection" not in source


def test_predict_functions_do_not_train(tmp_path: Path) -> None:
    arguments = ("--profile", "train", "--interface", "predict")
    done = run(TOOLS.parent, "--write", str(tmp_path / "out"), *arguments)
    assert done.returncode != 0
    assert "expected --interface all" in done.stderr


def test_profiles_of_this_project(tmp_path: Path) -> None:
    root = TOOLS.parent
    for name in ("predict", "predict-all", "train"):
        assert run(root, "--write", str(tmp_path / name), "--profile", name).returncode == 0
    predict, train = ((tmp_path / name / "mixgrad-all.cc").read_text() for name in ("predict", "train"))
    everything = (tmp_path / "predict-all/mixgrad-all.cc").read_text()
    assert "optimizer_sgd" not in predict + everything
    for path in ("cpp/ops/detection/box_nms.cc", "cpp/graph/fused_layer.cc"):
        assert path not in predict and path in everything
    assert "cpp/exec/tape/tape.cc" not in predict
    assert "optimizer_sgd" in train
    assert "mg_autograd_backward" in (tmp_path / "train/mixgrad-all.h").read_text()


def test_every_source_is_brought_by_something(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(TOOLS))
    sources = importlib.import_module("amalgam_sources").Tree(TOOLS.parent)
    profiles = importlib.import_module("amalgam_profiles")
    brought = {path for paths in profiles.ELSEWHERE.values() for path in paths}
    assert brought | profiles.ELSEWHERE.keys() <= sources.sources.keys()
    brought |= {*profiles.REGISTERED, *sources.operators.values()}
    stores = ("cpp/kvstore/collective/", "cpp/kvstore/distributed/", "cpp/kvstore/protocol/")
    left_out = ("cpp/c_api/", "cpp/io/", *stores, "cpp/net/", "cpp/onednn/")
    lost = [
        path
        for path in sources.sources
        if path.endswith(".cc") and path[:-3] + ".h" not in sources.sources and path not in brought
        if not path.startswith(left_out) and "profiler_dump" not in path
    ]
    assert not lost, "name it after its header, or enter it in ELSEWHERE of tools/amalgam_profiles.py"


# tests/cpp/op_files_test.cc holds the table against the registry of the same build.
def test_operators_of_the_table_are_those_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(TOOLS))
    operators = importlib.import_module("amalgam_sources").Tree(TOOLS.parent).operators
    assert set(_core.op_names()) <= set(operators)


def network(kind: str) -> mx.sym.Symbol:
    data = mx.sym.Variable("data")
    if kind == "layers":
        return mx.sym.Pooling(mx.sym.Convolution(data, kernel=(3, 3), num_filter=4), global_pool=True)
    if kind == "dense":
        return mx.sym.FullyConnected(data, num_hidden=4)
    outputs, _ = mx.sym.contrib.foreach(
        lambda item, state: (item + state, item * state), data, mx.sym.Variable("state")
    )
    return outputs


@pytest.mark.parametrize("kind", ["layers", "dense", "control flow"])
def test_file_cut_to_a_network_compiles(tmp_path: Path, kind: str) -> None:
    network(kind).save(str(tmp_path / "net-symbol.json"))
    source, _ = profile_of_project(tmp_path, "--model", str(tmp_path / "net-symbol.json"))
    assert "no-exceptions" not in source and "cfi_sections" not in source
    options = ("-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only")
    compiled = subprocess.run(
        ["g++", *options, str(tmp_path / "out/mixgrad-all.cc")], capture_output=True, text=True, check=False
    )
    assert compiled.returncode == 0, compiled.stderr[-4000:]


# The functions have names of their own for the linker, and programs call them by the ones they know.
def test_prefix_gives_the_linker_other_names(tmp_path: Path) -> None:
    network("layers").save(str(tmp_path / "net-symbol.json"))
    source, header = profile_of_project(
        tmp_path, "--model", str(tmp_path / "net-symbol.json"), "--prefix", "one_"
    )
    assert "#define MXPredCreate one_MXPredCreate\n" in header and header in source


# Each renames the same calls: of two in one source the second would be passed over, its functions unreached.
def test_a_source_includes_headers_of_one_prefix(tmp_path: Path) -> None:
    network("layers").save(str(tmp_path / "net-symbol.json"))
    for prefix in ("one_", "two_"):
        made = ["--model", str(tmp_path / "net-symbol.json"), "--prefix", prefix]
        done = run(TOOLS.parent, "--write", str(tmp_path / prefix), *made)
        assert done.returncode == 0, done.stderr
    for second, refused in (("one_", False), ("two_", True)):
        program = f'#include "one_/mixgrad-all.h"\n#include "{second}/mixgrad-all.h"\n'
        compiled = subprocess.run(
            ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-xc", "-"],
            input=program, cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert bool(compiled.returncode) == refused, compiled.stderr
        assert ("of another --prefix is included already" in compiled.stderr) == refused


REFUSED = {
    "missing": (["--model", "missing.json"], "cannot read --model .*missing.json: No such file"),
    "no JSON": (["--model", "text"], "text is no symbol file: .*line 1.*expected a -symbol.json"),
    "deep JSON": (["--model", "deep"], "deep is no symbol file: .*recursion.*expected a -symbol.json"),
    "no symbol": (
        ["--model", "list"],
        "list is no symbol file: it has no list of nodes; expected a -symbol.json",
    ),
    "no operators": (
        ["--model", "nodes"],
        "nodes is no symbol file: a node without.*; expected a -symbol.json",
    ),
    "a folder": (["--model", "."], "cannot read --model .*: Is a directory"),
    "prefix": (["--prefix", "1-"], "--prefix is '1-'; expected letters"),
    "root": (["--root", "."], "--root is .*, which has no folder cpp"),
}


@pytest.mark.parametrize("case", sorted(REFUSED))
def test_bad_arguments_are_refused_in_words(case: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no json")
    (tmp_path / "deep").write_text("[" * 100_000)
    (tmp_path / "list").write_text("[1]")
    (tmp_path / "nodes").write_text('{"nodes": [{"op": 1}]}')
    arguments, message = REFUSED[case]
    done = subprocess.run(
        [sys.executable, str(TOOL), "--write", "out", *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0 and "Traceback" not in done.stderr
    assert re.search(message, done.stderr), done.stderr
    assert not (tmp_path / "out").exists()


# A folder that cannot be written to leaves no half of the two files.
def test_unwritable_folder_is_refused_in_words(tmp_path: Path) -> None:
    network("layers").save(str(tmp_path / "net-symbol.json"))
    (tmp_path / "out").write_text("a file")
    done = subprocess.run(
        [sys.executable, str(TOOL), "--write", "out", "--model", "net-symbol.json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0 and "Traceback" not in done.stderr
    assert re.search("cannot write .*out.*: File exists", done.stderr), done.stderr


def layer(op: str, **fields: object) -> dict[str, object]:
    return {"op": op, "name": op, "attrs": {name: str(value) for name, value in fields.items()}}


WITH_BODY: dict[str, object] = {**layer("_gradient"), "subgraphs": [{"nodes": [layer("FullyConnected")]}]}


@pytest.mark.parametrize(
    ("nodes", "files", "all_loops"),
    [
        ([layer("Convolution", kernel=(5, 5)), layer("Activation")], {"conv_direct"}, False),
        ([layer("Convolution", kernel=(3, 3), stride=(1, 1))], {"conv_direct", "conv_winograd"}, False),
        ([layer("Convolution", kernel=(3, 3), stride=(2, 2))], {"conv_direct"}, False),
        (
            [layer("Convolution", kernel=(3, 3), num_group=8)],
            {"conv_direct", "conv_depthwise_plan", "chain", "conv_grouped", "conv_whole"},
            False,
        ),
        (
            [layer("Convolution", kernel=(5, 5), layout="NHWC")],
            {"conv_direct", "conv_grouped", "conv_whole"},
            False,
        ),
        (
            [layer("Convolution", kernel=(3, 3, 3))],
            {"conv_direct", "conv_grouped", "conv_whole"},
            False,
        ),
        (
            [layer("Convolution", kernel=(1, 1)), layer("exp")],
            {"conv_direct", "common", "fold", "fuse_pointwise"},
            False,
        ),
        ([layer("FullyConnected")], {"common", "fold", "fuse_pointwise"}, True),
        ([WITH_BODY, layer("FullyConnected")], {"common", "fold", "fuse_pointwise"}, True),
    ],
)
def test_networks_choose_files(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    nodes: list[dict[str, object]],
    files: set[str],
    all_loops: bool,
) -> None:
    monkeypatch.syspath_prepend(str(TOOLS))
    profiles = importlib.import_module("amalgam_profiles")
    path = tmp_path / "net-symbol.json"
    path.write_text(json.dumps({"nodes": [{"op": "null", "name": "data"}, *nodes]}), encoding="utf-8")
    uses = profiles.uses_of_models([path], False)
    assert {Path(name).stem for name in uses.files} == files
    assert uses.all_loops == all_loops
    assert set(uses.files) <= set(profiles.REGISTERED)


def test_bodies_of_control_flow_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(TOOLS))
    profiles = importlib.import_module("amalgam_profiles")
    inner = {"nodes": [layer("Convolution", kernel=(3, 3)), layer("tanh")]}
    outer = {"nodes": [layer("relu"), {**layer("_cond"), "subgraphs": [inner]}]}
    path = tmp_path / "net-symbol.json"
    foreach = {**layer("_foreach"), "subgraphs": [outer]}
    nodes = [{**layer("exp"), "subgraphs": None}, foreach]
    path.write_text(json.dumps({"nodes": nodes}), encoding="utf-8")
    uses = profiles.uses_of_models([path], False)
    assert uses.operators >= {"_foreach", "_cond", "relu", "Convolution", "_fused_convolution", "tanh"}
    assert "cpp/kernels/convolution/conv_winograd.cc" in uses.files
