"""Every operator that real MXNet registers, and what mixgrad has of it.

`write` asks real MXNet (from tests/: python -m parity.op_names, with an interpreter that has mxnet) and keeps
the answer in op_names.json; `page` is docs/mxnet-operators.md, made from that, the registry and LEFT_OUT
(python -m parity.op_names --page, with an interpreter that has mixgrad).
"""

from __future__ import annotations

import ctypes
import json
import re
import sys
from pathlib import Path

FILE = Path(__file__).with_name("op_names.json")
PAGE = Path(__file__).resolve().parents[2] / "docs" / "mxnet-operators.md"

HIDDEN = re.compile(r"_backward_|.*_backward$|_(contrib|npi|broadcast|split_v2)_backward")
NOT_YET = "not there yet"

# Names that mixgrad lacks, and why. The first pattern that fits the whole name counts.
LEFT_OUT: tuple[tuple[str, str], ...] = (
    (r"_sg_mkldnn_(conv|fully_connected)", "read from files as the layers that they hold"),
    (
        r"_CachedOp|_CachedOpThreadSafe|_CustomFunction|_NoGradient",
        "nodes that MXNet makes for itself; no file or script has them",
    ),
    (
        r"_NDArray|_Native",
        "old operators in Python are nodes of `Custom`: files have addresses of a process that is gone",
    ),
)

# What are functions of Python here.
FUNCTIONS = {"_contrib_boolean_mask": "mx.nd.contrib.boolean_mask", "reset_arrays": "mx.nd.reset_arrays"}
FUNCTIONS |= {
    f"_{name}": f"mx.nd._internal._{name}"
    for name in (
        "cvimdecode",
        "cvimread",
        "imdecode",
        "npi_cvimdecode",
        "npi_cvimread",
        "npi_bincount",
        "npi_boolean_mask",
        "npi_nonzero",
        "npi_unique",
        "npx_nonzero",
    )
}


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
    found = sorted(sorted(names) for names in groups.values())
    FILE.write_text(
        json.dumps([n for n in found if not HIDDEN.match(n[0])], indent=0) + "\n", encoding="utf-8"
    )


def groups() -> list[list[str]]:
    """The names of each operator but those that only gradients call."""
    listed: list[list[str]] = json.loads(FILE.read_text(encoding="utf-8"))
    return listed


def reason(name: str) -> str | None:
    """Why mixgrad lacks an operator of that name; None when nothing is said."""
    return next((why for pattern, why in LEFT_OUT if re.fullmatch(pattern, name)), None)


def known() -> dict[str, str]:
    """mixgrad's operators by each of their names."""
    from mixgrad import _core

    infos = [_core.describe_op(i) for i in range(_core.op_count())]
    named = {name: info["name"] for info in infos for name in [info["name"], *info["aliases"]]}
    second = [name for names in groups() for name in names if name.startswith("_sparse_")]
    plain = {name: name[len("_sparse_") :] for name in second}  # what the registry makes of names it lacks
    return {**FUNCTIONS, **{name: named[plain[name]] for name in second if plain[name] in named}, **named}


def problems() -> list[str]:
    """Names that mixgrad lacks without a reason, and reasons for names that it has."""
    have, wrong = known(), []
    used = set()
    for name in [name for names in groups() for name in names]:
        why = reason(name)
        if name in have:
            continue
        if why is None:
            wrong.append(f"{name} is neither registered nor in LEFT_OUT")
        used.add(why)
    wrong += [
        f"LEFT_OUT: no name that is missing fits {pattern}" for pattern, why in LEFT_OUT if why not in used
    ]
    return wrong


def page() -> str:
    """The page's text."""
    from .counts import counts  # which asks for the names
    from .second import names as differentiable_twice

    have, counted, twice = known(), counts(), set(differentiable_twice())
    lines = [
        "# MXNet's operators",
        "",
        "Written by `tests/parity/op_names.py` from the names that MXNet and mixgrad register: do not edit.",
        "Operators that only gradients call are left out. What the operators compute:",
        "[operators.md](operators.md).",
        "Cases are calls whose results by MXNet 1.9.1 are kept in `tests/parity`; mixgrad gives them, too.",
        "",
        "| MXNet 1.9.1 | here | cases | second gradients in MXNet |",
        "|---|---|---|---|",
    ]
    missing: dict[str, list[str]] = {}
    present = 0
    for names in groups():
        here = [name for name in names if name in have]
        for name in names:
            if name not in have:
                missing.setdefault(reason(name) or NOT_YET, []).append(name)
        if not here:
            continue
        present += 1
        shown = ", ".join(f"`{name}`" for name in here)
        lines.append(f"| {shown} | `{have[here[0]]}` | {counted[names[0]]} | {'yes' * (names[0] in twice)} |")
    lines[6:6] = [
        "",
        f"{present} of {len(groups())} operators are there; the names that are missing stand at the end.",
    ]
    lines += ["", "## What is missing", "", "| names | why |", "|---|---|"]
    for why, names in sorted(missing.items()):
        absent = " <!-- absent -->" if "mx." in why else ""
        lines.append(f"| {', '.join(f'`{name}`' for name in sorted(names))} | {why} |{absent}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if "--page" in sys.argv[1:]:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        write()
