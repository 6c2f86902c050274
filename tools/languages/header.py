"""The C header as data: what a language that cannot include it needs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Argument:
    type: str  # as in C, without spaces around '*': "const char*const*"
    name: str


@dataclass(frozen=True)
class Function:
    name: str
    result: str
    arguments: tuple[Argument, ...]


@dataclass(frozen=True)
class Header:
    functions: tuple[Function, ...]
    handles: tuple[str, ...]  # incomplete structs
    constants: tuple[tuple[str, int], ...]


def _argument(text: str) -> Argument:
    match = re.fullmatch(r"(.*?)(\w+)", text.strip())
    if not match:
        raise ValueError(f"[header] cannot read the argument {text!r}")
    return Argument(re.sub(r"\s*\*\s*", "*", match[1]).strip(), match[2])


def _function(result: str, name: str, arguments: str) -> Function:
    callback = re.compile(r"(\w[\w ]*\**)\s*\(\*(\w+)\)\(([^)]*)\)")
    found: list[Argument] = []
    # A comma inside a function pointer's list does not part arguments.
    for part in re.split(r",(?![^()]*\))", arguments):
        if part.strip() == "void":
            continue
        pointer = callback.fullmatch(part.strip())
        if pointer:
            found.append(Argument(f"{pointer[1].strip()}(*)({pointer[3]})", pointer[2]))
        else:
            found.append(_argument(part))
    return Function(name, re.sub(r"\s*\*\s*", "*", result).strip(), tuple(found))


def read(path: Path) -> Header:
    """Parses a header written in the style of mixgrad.h."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
    functions = [
        _function(*match.groups())
        for match in re.finditer(r"MG_EXPORT\s+([\w ]+?[\s*]+)(mg_\w+)\(((?:[^()]|\([^()]*\))*)\);", text)
    ]
    if len(functions) != len(re.findall(r"^MG_EXPORT\b", text, flags=re.M)):
        raise ValueError(f"[header] {path}: some functions could not be read")
    handles = re.findall(r"typedef struct (mg_\w+) \1;", text)
    constants: list[tuple[str, int]] = []
    for body in re.findall(r"enum(?:\s+\w+)?\s*\{([^}]*)\}", text):
        constants += [(name, int(value)) for name, value in re.findall(r"(MG_\w+)\s*=\s*(-?\d+)", body)]
    return Header(tuple(functions), tuple(handles), tuple(constants))
