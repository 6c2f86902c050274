#!/usr/bin/env python3
"""Writes python/mixgrad/ops.py, the methods of symbols and docs/operators.md from the operator registry.

python tools/generate_ops.py            write the file
python tools/generate_ops.py --check    fail if the committed file differs
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import keyword
import re
import sys
import sysconfig
import textwrap
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
MODULE = ROOT / "python" / "mixgrad" / "ops.py"
SYMBOL_METHODS = ROOT / "python" / "mixgrad" / "symbol" / "_methods.py"
PAGE = ROOT / "docs" / "operators.md"

# Operators that arrays also have as methods, as in MXNet.
METHODS = """
abs arccos arccosh arcsin arcsinh arctan arctanh argmax argmax_channel argmin argsort broadcast_axes
broadcast_like broadcast_to cbrt ceil clip cos cosh degrees depth_to_space diag exp expand_dims expm1 fix
flatten flip floor log log10 log1p log2 log_softmax max mean min nanprod nansum norm one_hot ones_like
pad pick prod radians rcbrt reciprocal relu repeat reshape_like rint round rsqrt shape_array sigmoid sign
sin sinh size_array slice slice_axis slice_like softmax softmin sort space_to_depth split split_v2 sqrt
square squeeze sum swapaxes take tan tanh tile topk transpose trunc zeros_like
""".split()  # noqa: SIM905 - a list this long reads better as text

# Operators whose parameters the program defines: their functions are written by hand.
BY_HAND = {"Custom"}

HEADER = '''"""Operators on arrays and symbols. Written by tools/generate_ops.py: do not edit.

Every function takes arrays first and parameters after them, or symbols in place of the arrays: then it gives
a symbol. ``out`` names an array (or a list of arrays) that receives the result; ``name`` names the node of a
symbol and is unused on arrays.
"""

# mypy: disable-error-code="no-any-return"
# ruff: noqa: A001, A002, E501, N802, N803, N816
from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, NoReturn, Optional, TypeVar, Union

from ._core import Op as _Op
from ._core import call as _call
from ._core import op_function as _op_function
from ._device import on_device as _on_device

if TYPE_CHECKING:
    from .ndarray.ndarray import NDArray

_Out = Optional[Any]
_Ints = Union[int, Sequence[int]]
_Bounds = Union[int, Sequence[Optional[int]]]
_Reals = Union[float, Sequence[float]]
_F = TypeVar("_F", bound=Callable[..., Any])
_A = TypeVar("_A")


def _of(op: _Op) -> Callable[[_F], _F]:
    """Calls with arrays go to the operator at once; the function below gets all others."""
    return partial(_op_function, op)
'''

TYPES = {
    "bool": "bool",
    "int": "int",
    "float": "float",
    "str": "str",
    "dtype": "Any",
    "tuple of int": "_Ints",
    "tuple of float": "_Reals",
    "tuple of int or None": "_Bounds",
}


def annotation(kind: str, nullable: bool) -> str:
    optional = kind.startswith("optional ") or nullable
    base = kind.removeprefix("optional ")
    hint = "str" if base.startswith("{") else TYPES[base]
    return f"Optional[{hint}]" if optional and hint != "Any" else hint


def python_name(name: str) -> str:
    return name + "_" if keyword.iskeyword(name) else name


def wrapped(text: str, indent: str) -> str:
    return textwrap.fill(text, width=110, initial_indent=indent, subsequent_indent=indent) if text else ""


def signature_parts(op: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Arguments for arrays and for parameters."""
    arrays: list[str] = []
    # Distributions of NumPy's namespace may be given numbers alone.
    least = 0 if op["has"]["random"] and op["name"].startswith("_npi_") else 1
    optional_from = least if op["has"]["optional_inputs"] else len(op["inputs"])
    if op["has"]["variadic"]:
        arrays.append(f"*{op['inputs'][0]['name']}: NDArray")
    else:
        for i, port in enumerate(op["inputs"]):
            arrays.append(
                f"{port['name']}: " + ("NDArray" if i < optional_from else "Optional[NDArray] = None")
            )
    params: list[str] = []
    must_default = any(part.endswith("= None") for part in arrays) or op["has"]["variadic"]
    for p in op["params"]:
        if p["name"] == op["has"].get("count_field"):
            params.append(f"{p['name']}: Optional[int] = None")
            must_default = True
        elif p["required"]:
            # After an optional array Python needs a default; None makes the library say what is missing.
            params.append(
                f"{p['name']}: {annotation(p['type'], must_default)}" + (" = None" if must_default else "")
            )
        else:
            default = p["default"]
            ast.literal_eval(default)
            params.append(f"{p['name']}: {annotation(p['type'], default == 'None')} = {default}")
            must_default = True
    required = [x for x in params if "=" not in x]
    return arrays, required + [x for x in params if "=" in x]


def value_expression(op: dict[str, Any], param: dict[str, Any]) -> str:
    if param["name"] == op["has"].get("count_field"):
        return f"len({op['inputs'][0]['name']}) if {param['name']} is None else {param['name']}"
    if param["name"] == "ctx":
        return "None if ctx is None else str(ctx)" if param["default"] == "None" else "str(ctx)"
    return str(param["name"])


def docstring(op: dict[str, Any]) -> str:
    lines = [wrapped(op["doc"], "    ").lstrip() or op["name"]]
    ports = op["inputs"][:1] if op["has"]["variadic"] else op["inputs"]
    rows = [(p["name"], "NDArray", p["doc"]) for p in ports]
    rows += [(p["name"], p["type"], p["doc"]) for p in op["params"]]
    if rows:
        lines += ["", "    Parameters", "    ----------"]
        for name, kind, doc in rows:
            lines.append(f"    {name} : {kind}")
            if doc:
                lines.append(wrapped(doc, "        "))
    if op["origin"]:
        lines += ["", "    Notes", "    -----", wrapped(f"Source: {op['origin']}.", "    ")]
    return "\n".join(lines).replace("\\", "\\\\")


def tuple_of(parts: list[str]) -> str:
    return "(" + ", ".join(parts) + ("," if len(parts) == 1 else "") + ")"


def result_type(op: dict[str, Any]) -> str:
    return "NDArray" if op["has"]["single_output"] else "Any"


def function(op: dict[str, Any]) -> str:
    name = op["python"]
    result = result_type(op)
    arrays, params = signature_parts(op)
    star = [] if op["has"]["variadic"] else ["*"]
    # `out` and `name` may be given by keyword only; any other keyword is refused, with the nearest parameter.
    last = ["out: _Out = None", "name: Optional[str] = None", "**words: NoReturn"]
    args = arrays + params + star + last
    if not arrays and not params:
        args = ["*", *last]
    inputs = op["inputs"][0]["name"] if op["has"]["variadic"] else tuple_of([p["name"] for p in op["inputs"]])
    values = tuple_of([value_expression(op, p) for p in op["params"]])
    call = f"_call(_op_{name}, {inputs}, out, {values}, name, words)"
    # Each argument on a line of its own when the signature is long.
    one_line = f"def {name}({', '.join(args)}) -> {result}:"
    many_lines = f"def {name}(\n    " + ",\n    ".join(args) + f",\n) -> {result}:"
    head = one_line if len(one_line) <= 110 else many_lines
    body = f"    return {call}"
    if any(p["name"] == "ctx" for p in op["params"]) and not op["inputs"]:
        body = f"    with _on_device(ctx):\n        return {call}"
    if op["has"]["variadic"]:
        first = op["inputs"][0]["name"]
        unpack = f"    if len({first}) == 1 and isinstance({first}[0], (list, tuple)):\n"
        unpack += f"        {first} = tuple({first}[0])\n"
        body = unpack + body
    head = f'_op_{name} = _Op("{op["name"]}")\n\n\n@_of(_op_{name})\n{head}'
    return f'{head}\n    """{docstring(op)}\n    """\n{body}\n'


def method(op: dict[str, Any], name: str) -> str:
    _, params = signature_parts(op)
    arrays = [f"{p['name']}: NDArray" for p in op["inputs"][1:]]
    if op["has"]["optional_inputs"]:
        arrays = [a.replace(": NDArray", ": Optional[NDArray] = None") for a in arrays]
    inputs = tuple_of(["self", *[p["name"] for p in op["inputs"][1:]]])
    values = tuple_of([value_expression(op, p) for p in op["params"]])
    result = result_type(op)
    own = result == "NDArray"  # an array of the class of this one
    result = "_A" if own else result
    args = [
        "self: _A" if own else "self: Any",
        *arrays,
        *params,
        "*",
        "out: _Out = None",
        "**words: NoReturn",
    ]
    one_line = f"    def {name}({', '.join(args)}) -> {result}:"
    head = (
        one_line
        if len(one_line) <= 110
        else f"    def {name}(\n        " + ",\n        ".join(args) + f",\n    ) -> {result}:"
    )
    body = f"return _call(_op_{op['python']}, {inputs}, out, {values}, None, words)"
    head = f"    @_of(_op_{op['python']})\n{head}"
    return f'{head}\n        """See :func:`mixgrad.nd.{op["python"]}`."""\n        {body}\n'


def generate(core: Any) -> str:
    ops = [core.describe_op(i) for i in range(core.op_count())]
    ops = [op for op in ops if op["name"] not in BY_HAND]
    by_name: dict[str, dict[str, Any]] = {}
    for op in ops:
        op["python"] = python_name(op["name"])
        for alias in [op["name"], *op["aliases"]]:
            by_name[alias] = op
    parts = [HEADER]
    aliases: list[str] = []
    for op in ops:
        parts.append(function(op))
        for alias in op["aliases"]:
            if re.fullmatch(r"[A-Za-z_]\w*", alias):
                aliases.append(f"{python_name(alias)} = {op['python']}")
    parts.append("# Other names of the same operators.\n" + "\n".join(sorted(aliases)) + "\n")
    methods = [method(by_name[m], m) for m in METHODS if m in by_name and by_name[m]["inputs"]]
    parts.append(
        'class ArrayMethods:\n    """Operators as methods of arrays."""\n\n    __slots__ = ()\n\n'
        + "\n".join(methods)
    )
    names = [python_name(n) for n in sorted(by_name) if re.fullmatch(r"[A-Za-z_]\w*", n)]
    public = "".join(f'    "{n}",\n' for n in names if not n.startswith("_"))
    internal = "".join(f'    "{n}",\n' for n in names if n.startswith("_"))
    parts.append(f"# Names and aliases of all operators.\n__all__ = [\n{public}]\n")
    parts.append(f"NAMES: tuple[str, ...] = (\n    *__all__,\n{internal})\n")
    parts.append(SECOND_NAMES)
    return "\n\n".join(parts)


SECOND_NAMES = '''def __getattr__(name: str) -> Any:
    """MXNet's second names of operators that take sparse arrays: ``_sparse_X`` is ``X``."""
    plain = name[len("_sparse_") :] if name.startswith("_sparse_") else ""
    if plain in NAMES:
        return globals()[plain]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
'''


SYMBOL_HEADER = '''"""Operators as methods of symbols. Written by tools/generate_ops.py: do not edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .functions import call_method as _call

if TYPE_CHECKING:
    from .symbol import Symbol


class GeneratedMethods:
    """Those that arrays have, too, and that are nothing but an operator's call."""

    __slots__ = ()
'''


def generate_symbol_methods(core: Any) -> str:
    ops = [core.describe_op(i) for i in range(core.op_count())]
    with_inputs = {name for op in ops if op["inputs"] for name in [op["name"], *op["aliases"]]}
    parts = [SYMBOL_HEADER]
    for name in METHODS:
        if name not in with_inputs:
            continue
        parts.append(
            f"    def {name}(self: Any, *args: Any, **kwargs: Any) -> Symbol:\n"
            f'        """See :func:`mixgrad.sym.{name}`."""\n'
            f'        return _call("{name}", self, args, kwargs)\n'
        )
    return "\n".join(parts)


PAGE_HEADER = """# Operators

Written by `tools/generate_ops.py` from the operator registry: do not edit. `mx.nd.<name>` applies an operator
to arrays; names that begin with an underscore serve Python's operators, indexing and files.

Gradient: *any* order, *first* order only, *zero* (piecewise constant), or none.

| operator | arguments | gradient | what it computes |
|---|---|---|---|
"""


def gradient_word(has: dict[str, Any]) -> str:
    if has["zero_gradient"]:
        return "zero"
    if not has["gradient"]:
        return ""
    return "any" if has["second_order"] else "first"


def page_row(op: dict[str, Any]) -> str:
    count = op["has"].get("count_field")
    star = "*" if op["has"]["variadic"] else ""
    ports = op["inputs"][:1] if op["has"]["variadic"] else op["inputs"]
    arguments = [f"**{star}{p['name']}**" for p in ports]
    arguments += [
        p["name"] if p["required"] else f"{p['name']}={p['default']}"
        for p in op["params"]
        if p["name"] != count
    ]
    names = f"`{op['name']}`" + (
        " (" + ", ".join(f"`{a}`" for a in op["aliases"]) + ")" if op["aliases"] else ""
    )
    cells = (names, ", ".join(arguments), gradient_word(op["has"]), op["doc"])
    return "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in cells) + " |\n"


def generate_page(core: Any) -> str:
    return PAGE_HEADER + "".join(page_row(core.describe_op(i)) for i in range(core.op_count()))


def load_core(build: str | None) -> Any:
    """The extension from a build folder or the installed package, without the rest of the package."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    if build:
        path = Path(build) / f"_core{suffix}"
    else:
        spec = importlib.util.find_spec("mixgrad")
        if spec is None or not spec.submodule_search_locations:
            sys.exit("generate_ops: mixgrad is not installed; pass --build build/release")
        path = Path(next(iter(spec.submodule_search_locations))) / f"_core{suffix}"
    spec = importlib.util.spec_from_file_location("mixgrad._core", path)
    if spec is None or spec.loader is None:
        sys.exit(f"generate_ops: cannot load {path}")
    core = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(core)
    return core


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="fail if the committed file differs")
    parser.add_argument("--build", help="folder that holds _core; the installed package otherwise")
    args = parser.parse_args()
    core = load_core(args.build)
    texts = {
        MODULE: generate(core),
        SYMBOL_METHODS: generate_symbol_methods(core),
        PAGE: generate_page(core),
    }
    stale = [p for p, text in texts.items() if not p.exists() or p.read_text(encoding="utf-8") != text]
    if args.check:
        for path in stale:
            name = path.relative_to(ROOT)
            print(f"{name} does not match the registry; run: make generate", file=sys.stderr)
        return 1 if stale else 0
    for path in stale:
        temporary = path.with_suffix(".tmp")
        temporary.write_text(texts[path], encoding="utf-8")
        temporary.replace(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
