"""The operator registry as the writers of wrappers see it."""

from __future__ import annotations

import ast
import re
import textwrap
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Param:
    name: str
    kind: str  # "bool", "int", "float", "str", "dtype", "ints", "floats"
    optional: bool  # None is a value of its own
    choices: tuple[str, ...]
    doc: str
    required: bool
    default: str  # as Python prints it


@dataclass(frozen=True)
class Op:
    name: str  # an identifier without a leading underscore
    registered: str
    doc: str
    origin: str
    inputs: tuple[tuple[str, str], ...]  # name, doc
    params: tuple[Param, ...]
    variadic: bool
    single_output: bool
    required_inputs: int


_KINDS = {"tuple of int": "ints", "tuple of int or None": "ints", "tuple of float": "floats"}


def _param(described: dict[str, Any]) -> Param:
    text = described["type"]
    base = text.removeprefix("optional ")
    choices = tuple(sorted(ast.literal_eval(base))) if base.startswith("{") else ()
    return Param(
        name=described["name"],
        kind="str" if choices else _KINDS.get(base, base),
        optional=text.startswith("optional ") or described["default"] == "None",
        choices=choices,
        doc=described["doc"],
        required=described["required"],
        default=described["default"],
    )


def operators(core: Any) -> list[Op]:
    """All operators that have a name for people, in order of that name."""
    found = []
    for index in range(core.op_count()):
        described = core.describe_op(index)
        names = [n for n in (described["name"], *described["aliases"]) if re.fullmatch(r"[A-Za-z]\w*", n)]
        if not names:
            continue
        has = described["has"]
        inputs = tuple((p["name"], p["doc"]) for p in described["inputs"])
        found.append(
            Op(
                name=names[0],
                registered=described["name"],
                doc=described["doc"],
                origin=described["origin"],
                inputs=inputs[:1] if has["variadic"] else inputs,
                params=tuple(_param(p) for p in described["params"] if p["name"] != has.get("count_field")),
                variadic=has["variadic"],
                single_output=has["single_output"],
                required_inputs=1 if has["optional_inputs"] else len(inputs),
            )
        )
    return sorted(found, key=lambda op: op.name)


def camel(name: str) -> str:
    """`sgd_mom_update` as `SgdMomUpdate`; `FullyConnected` stays."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_") if part)


def comment(text: str, prefix: str, width: int = 110) -> str:
    """Text as lines that begin with a prefix."""
    lines = textwrap.wrap(text, width - len(prefix), break_long_words=False, break_on_hyphens=False)
    return "".join(f"{prefix}{line}\n" for line in lines)


def described(param: Param) -> str:
    """What a parameter means, with its choices and default, in one paragraph."""
    parts = [param.doc.rstrip(".") + "." if param.doc else ""]
    if param.choices:
        parts.append("One of " + ", ".join(f'"{choice}"' for choice in param.choices) + ".")
    if not param.required:
        parts.append(f"Default: {param.default}.")
    return " ".join(part for part in parts if part)
