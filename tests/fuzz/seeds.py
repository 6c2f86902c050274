"""Where fuzzing begins: a dictionary of the registry's names, and small files that reach every operator.

seeds.py FOLDER writes FOLDER/dictionary, FOLDER/symbol (a network for each operator, and the repository's),
FOLDER/params (files of arrays, safetensors too) and FOLDER/model (packed models); with --extremes also
FOLDER/extremes, networks for each parameter of each operator at the ends of its type. Names come from
python/mixgrad/ops.py, which is generated from the registry; nothing has to be built.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Optional

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "tests" / "data"

WORDS = """
nodes op name attrs attr param inputs arg_nodes node_row_ptr heads null backward_source_id mxnet_version
__shape__ __dtype__ __init__ __storage_type__ __lr_mult__ ctx_group subgraphs int float32 float16 float64
int8 int32 int64 uint8 bool True False None same valid full max avg sum lp NCHW NHWC NCW NCDHW data
weight bias gamma beta label arg: aux: dtype shape data_offsets __metadata__ F32 F16 BF16 F64 I8 I16 I32
I64 U8 BOOL MXGMODEL symbol weights labels input :scale
""".split()  # noqa: SIM905 - a list this long reads better as text
# Values of parameters by name, where those by type would not do.
VALUES = {
    "kernel": "(2, 2)",
    "stride": "(2, 2)",
    "pad": "(1, 1)",
    "dilate": "(2, 2)",
    "pad_width": "(0, 0, 0, 0, 1, 1, 1, 1)",
    "shape": "(-1, 2)",
    "newshape": "(-1, 2)",
    "size": "(2, 6)",
    "target_shape": "(4, 4)",
    "pooled_size": "(4, 4)",
    "nsize": "3",
    "axis": "1",
    "axis1": "0",
    "axis2": "1",
    "dim1": "0",
    "dim2": "1",
    "begin": "(0, 1)",
    "end": "(2, 3)",
    "step": "(1, 1)",
    "squeeze_axis": "False",
    "layout": "NCHW",
}
SHAPES = ((2, 6), (1, 4, 8, 8), (2, 4, 6))
# The ends of what parameters hold, each put in the place of one parameter.
INTEGERS = (2**63 - 1, -(2**63), 2**62, 2**31 - 1, -(2**31), 3, 0, -1)
REALS = ("inf", "-inf", "nan", "1e38", "-1e38", "1e-45", "0", "-1")
TUPLES = ("({0},)", "({0}, {0})", "(1, {0})", "({0}, 1, {0}, 1)", "(0, 0, 0, 0, {0}, 1, 1, {0})")
MAGICS = (0x112, 0xF993FAC8, 0xF993FAC9, 0xF993FACA)


class Operator:
    """Name, inputs and parameters of one function of ops.py."""

    def __init__(self, function: ast.FunctionDef, registered: str):
        self.name = registered
        self.variadic = function.args.vararg is not None
        self.inputs: list[str] = []
        self.fields: dict[str, str] = {}
        self.optional: set[str] = set()
        text = ast.get_docstring(function) or ""
        arguments = function.args.args
        first_default = len(arguments) - len(function.args.defaults)
        for place, argument in enumerate(arguments):
            kind = ast.unparse(argument.annotation) if argument.annotation else ""
            if "NDArray" in kind:
                if place < first_default:
                    self.inputs.append(argument.arg)
                continue
            if place >= first_default:
                self.optional.add(argument.arg)
            self.fields[argument.arg] = self.value(argument.arg, kind, text)

    @staticmethod
    def value(name: str, kind: str, text: str) -> str:
        if name in VALUES:
            return VALUES[name]
        choices = re.search(rf"^{name} : .*\{{'([^']+)'", text, re.MULTILINE)
        if choices:
            return choices[1]
        if "float" in kind or "_Reals" in kind:
            return "0.5"
        if "bool" in kind:
            return "True"
        if "_Ints" in kind or "_Bounds" in kind or "Sequence" in kind:
            return "(1,)"
        return "float32" if "dtype" in name else "2"

    def network(
        self, shape: Optional[tuple[int, ...]], *, everything: bool, changed: Optional[dict[str, str]] = None
    ) -> str:
        """One node; with a shape, all its inputs have it. `changed` are parameters to give other values."""
        inputs = self.inputs or (["data", "other"] if self.variadic else [])
        attrs = {key: value for key, value in self.fields.items() if everything or key not in self.optional}
        attrs.update(changed or {})
        if self.variadic:
            attrs["num_args"] = str(len(inputs))
        nodes: list[dict[str, object]] = [
            {"op": "null", "name": name, "attrs": {"__shape__": str(shape)} if shape else {}, "inputs": []}
            for name in inputs
        ]
        sources = [[i, 0, 0] for i in range(len(inputs))]
        nodes.append({"op": self.name, "name": "it", "attrs": attrs, "inputs": sources})
        graph = {
            "nodes": nodes,
            "arg_nodes": list(range(len(inputs))),
            "node_row_ptr": list(range(len(nodes) + 1)),
            "heads": [[len(inputs), 0, 0]],
            "attrs": {"mxnet_version": ["int", 10901]},
        }
        return json.dumps(graph)

    def extremes(self) -> Iterator[str]:
        """Networks in which one parameter lies at an end of its type."""
        for name, usual in self.fields.items():
            if usual.startswith("("):
                values = [form.format(number) for form in TUPLES for number in INTEGERS]
            elif re.fullmatch(r"[0-9.]+", usual):
                values = [*REALS, *map(str, INTEGERS)]
            else:
                continue
            for value in values:
                for shape in SHAPES[:2]:
                    for everything in (False, True):
                        yield self.network(shape, everything=everything, changed={name: value})


def operators() -> list[Operator]:
    tree = ast.parse((ROOT / "python" / "mixgrad" / "ops.py").read_text(encoding="utf-8"))
    found = []
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef):
            continue
        used = re.search(r"\b_op_(\w+)", ast.unparse(function))
        if used:
            found.append(Operator(function, used[1]))
    return found


def dictionary(known: list[Operator]) -> str:
    words = set(WORDS)
    for operator in known:
        words |= {operator.name, *operator.inputs, *operator.fields, *operator.fields.values()}
    lines = [f'"{word}"' for word in sorted(words) if word and '"' not in word and "\\" not in word]
    for magic in MAGICS:
        size = "<Q" if magic == MAGICS[0] else "<I"
        lines.append('"' + "".join(f"\\x{byte:02x}" for byte in struct.pack(size, magic)) + '"')
    return "\n".join(lines) + "\n"


def safetensors(dtypes: dict[str, int]) -> bytes:
    header: dict[str, object] = {"__metadata__": {"made": "by hand"}}
    at = 0
    for place, (dtype, size) in enumerate(dtypes.items()):
        header[f"arg:w{place}"] = {"dtype": dtype, "shape": [2, 3], "data_offsets": [at, at + 6 * size]}
        at += 6 * size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + bytes(range(at % 256)) + bytes(at - at % 256)


def main() -> None:
    out = Path(sys.argv[1])
    kept = Path(__file__).resolve().parent / "corpus"
    for kind in ("symbol", "params", "model"):
        folder = out / kind
        folder.mkdir(parents=True, exist_ok=True)
        for source in sorted((kept / kind).glob("*")):
            shutil.copy(source, folder)
    for source in sorted(DATA.glob("*/*-symbol.json")):
        shutil.copy(source, out / "symbol")
    for source in sorted(DATA.glob("*/*.params")):
        shutil.copy(source, out / "params")
    for source in sorted((DATA / "models").glob("*.mxg")):
        shutil.copy(source, out / "model")
    known = operators()
    for operator in known:
        for everything in [False, True] if operator.optional else [False]:
            for shape in (None, *SHAPES):
                end = f"{'_all' * everything}{'' if shape is None else len(shape)}"
                file = out / "symbol" / f"{operator.name}{end}.json"
                file.write_text(operator.network(shape, everything=everything))
    if "--extremes" in sys.argv:
        folder = out / "extremes"
        folder.mkdir(exist_ok=True)
        for operator in known:
            for place, text in enumerate(operator.extremes()):
                (folder / f"{operator.name}{place}.json").write_text(text)
    sizes = {"F32": 4, "F64": 8, "F16": 2, "BF16": 2, "U8": 1, "I8": 1, "I32": 4, "I64": 8, "BOOL": 1}
    (out / "params" / "all.safetensors").write_bytes(safetensors(sizes))
    (out / "dictionary").write_text(dictionary(known))


if __name__ == "__main__":
    main()
