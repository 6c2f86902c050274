"""Names, argument order and defaults of every operator that has a case.

`write` asks real MXNet (from tests/: python -m parity.signatures, with an interpreter that has mxnet) and
keeps the answer in signatures.json; `problems` holds mixgrad against it.
"""

from __future__ import annotations

import ast
import ctypes
import inspect
import json
import re
import sys
from pathlib import Path
from typing import Any

from .cases import CASES
from .runner import Missing, find

FILE = Path(__file__).with_name("signatures.json")

# Aliases that belong to other front ends of MXNet.
FOREIGN = re.compile(r"^(_np|_sparse_|_backward|_contrib)")
# Switches of MXNet's GPU and sparse code, or spellings its Python layer adds.
IGNORED = {"cudnn_tune", "cudnn_off", "workspace", "forward_stype", "lazy_update", "sparse_grad", "num_args",
           "is_int", "num_weights", "min_calib_range", "max_calib_range", "ctx", "__layout__"}  # fmt: skip


def _text(pointer: Any) -> str:
    return pointer.value.decode() if pointer.value else ""


def _describe(library: Any, handle: ctypes.c_void_p) -> tuple[str, list[tuple[str, str]]]:
    """Canonical name of an operator, and the name and type text of each argument."""
    name, doc, key, returns = (ctypes.c_char_p() for _ in range(4))
    count = ctypes.c_uint()
    names, types, docs = (ctypes.POINTER(ctypes.c_char_p)() for _ in range(3))
    library.MXSymbolGetAtomicSymbolInfo(
        handle, *(ctypes.byref(x) for x in (name, doc, count, names, types, docs, key, returns))
    )
    return _text(name), [(names[i].decode(), types[i].decode()) for i in range(count.value)]


def write() -> None:
    """Ask MXNet."""
    import mxnet as mx

    library = mx.base._LIB
    count, listed = ctypes.c_uint(), ctypes.POINTER(ctypes.c_char_p)()
    library.MXListAllOpNames(ctypes.byref(count), ctypes.byref(listed))
    groups: dict[int, list[str]] = {}
    for i in range(count.value):
        handle = ctypes.c_void_p()
        library.NNGetOpHandle(listed[i], ctypes.byref(handle))
        groups.setdefault(handle.value or 0, []).append(listed[i].decode())
    covered = {case.op for case in CASES}
    found: dict[str, Any] = {}
    for address, names in groups.items():
        if not covered & set(names):
            continue
        canonical, arguments = _describe(library, ctypes.c_void_p(address))
        inputs = [name for name, kind in arguments if "NDArray" in kind]
        params = []
        for name, kind in arguments:
            if "NDArray" in kind or name in IGNORED:
                continue
            default = re.search(r"default=(.*)$", kind)
            params.append([name, default.group(1).strip("'") if default else None])
        if FOREIGN.match(canonical):
            canonical = next((n for n in names if not FOREIGN.match(n)), canonical)
        aliases = sorted(n for n in names if not FOREIGN.match(n) and n != canonical)
        found[canonical] = {"aliases": aliases, "inputs": inputs, "params": params}
    # MXNet describes it with the arguments of _arange, which it does not take.
    found.pop("_linspace", None)
    # Likewise with those of Concat; it has axis in place of dim.
    found.pop("_npi_concatenate", None)
    lines = [f"{json.dumps(name)}: {json.dumps(found[name])}" for name in sorted(found)]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{len(found)} operators, {sum(1 + len(v['aliases']) for v in found.values())} names")


def _same(ours: Any, theirs: str) -> bool:
    """Whether a Python default means what MXNet's text says."""
    if theirs in ("", "None", "[]", "()"):
        return ours in (None, "", (), inspect.Parameter.empty) or ours == []
    try:
        value = ast.literal_eval(theirs)
    except (ValueError, SyntaxError):
        return bool(str(ours) == theirs)
    value = tuple(value) if isinstance(value, list) else value
    if isinstance(ours, (bool, int, float)) and isinstance(value, (int, float)):
        return abs(float(ours) - value) <= 1e-6 * max(1.0, abs(value))
    return bool(ours == value or (ours is None and value == -1))


def problems(mx: Any, name: str, expected: dict[str, Any]) -> list[str]:
    """Ways in which one operator's names, arguments or defaults differ from MXNet's."""
    found = []
    for alias in (name, *expected["aliases"]):
        try:
            call = find(mx, alias)
        except Missing:
            found.append(f"{alias} is missing")
            continue
        if alias != name:
            continue
        ours = dict(inspect.signature(call).parameters)
        many = any(p.kind is p.VAR_POSITIONAL for p in ours.values())  # their number follows from the inputs
        if many:
            wanted = [p for p, _ in expected["params"]]
        else:
            wanted = [*expected["inputs"], *(p for p, _ in expected["params"])]
        order = [p for p in ours if p in wanted]
        if order != wanted:
            found.append(f"arguments {order} instead of {wanted}")
        for param, default in expected["params"]:
            if many and param.startswith("num_") and ours[param].default is None:
                continue
            if param in ours and default is not None and not _same(ours[param].default, default):
                found.append(f"{param}={ours[param].default!r} instead of {default}")
    return found


if __name__ == "__main__":
    write()
    sys.exit(0)
