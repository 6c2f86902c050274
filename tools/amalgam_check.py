"""The rules that let files of cpp/ be joined into one (tools/amalgamate.py --check)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from amalgam_sources import Source, Tree

MAX_LINES = 700

_LOW = {"base", "device", "containers"}
_OPERATOR = _LOW | {"kernels", "op", "launch", "kernel_source"}
_MIDDLE = _OPERATOR | {"storage", "engine"}
_HIGH = _MIDDLE | {"array", "files", "graph", "exec"}
# Floor -> the floors its files may include besides their own, in the order in which files are joined.
MAY_INCLUDE: dict[str, set[str]] = {
    "containers": set(),
    "base": {"containers"},
    "device": {"base", "containers"},
    **dict.fromkeys(("storage", "engine", "kernels"), _LOW),
    "op": _LOW | {"kernels"},
    **dict.fromkeys(("launch", "kernel_source"), _LOW | {"kernels", "op"}),
    "onednn": _LOW | {"kernels"},
    "array": _MIDDLE,
    "files": _MIDDLE | {"array"},
    **dict.fromkeys(("graph", "ops"), _OPERATOR),
    "exec": _MIDDLE | {"array", "files", "graph"},
    "net": _LOW | {"storage"},
    "kvstore": _HIGH | {"net"},
    "io": _HIGH,
    "c_api": _HIGH | {"net", "kvstore", "io", "mixgrad"},
}


@dataclass(frozen=True, order=True)
class Finding:
    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


def check(tree: Tree) -> list[Finding]:
    findings = list(_cycles(tree))
    for source in tree.sources.values():
        found = [*_includes(tree, source), *_whole_file(source), *_lines(source)]
        findings += [Finding(source.path, line, text) for line, text in found]
    return sorted(findings)


def _includes(tree: Tree, source: Source) -> Iterator[tuple[int, str]]:
    if source.floor != "mixgrad" and source.floor not in MAY_INCLUDE:
        yield 1, f"lies on no floor; move it into one of cpp/{{{','.join(MAY_INCLUDE)}}}"
        return
    for include in source.includes:
        target = tree.resolve(include)
        if not include.quoted:
            if target:
                text = f'<{include.path}> is a file of the project; write #include "{include.path}"'
                yield include.line, text
            continue
        if target is None:
            text = f'"{include.path}" is no file under cpp/ or include/; write its path, or <{include.path}>'
            yield include.line, text
            continue
        if include.conditional and source.floor != "mixgrad":
            text = f'"{include.path}" is included inside #if; move it out, and keep the #if around the code'
            yield include.line, text
        if problem := _points_wrong(source, target):
            yield include.line, f'"{include.path}" {problem}'


def _points_wrong(source: Source, target: Source) -> str:
    """Why this file may not include that one, or ""."""
    own, theirs = source.floor, target.floor
    if target.path.endswith(".cc"):
        return "is not a header; declare what is needed in a header"
    if theirs == "ops":
        if own == "ops" and os.path.dirname(target.path) in (os.path.dirname(source.path), "cpp/ops"):
            return ""
        return "belongs to operators of another family; reach operators by name, through the registry in op/"
    if theirs == own or theirs in MAY_INCLUDE.get(own, set()):
        return ""
    if theirs == "mixgrad":
        return "is the public header, which only c_api/ includes; use what lies under it"
    allowed = ", ".join(name for name in MAY_INCLUDE if name in MAY_INCLUDE.get(own, set())) or "nothing else"
    return f"points up or sideways: {own}/ may include {allowed}; move what is shared to a lower floor"


def _whole_file(source: Source) -> Iterator[tuple[int, str]]:
    lines = source.text.count("\n")
    public = source.floor == "mixgrad"
    if lines > MAX_LINES and not public:
        yield MAX_LINES + 1, f"has {lines} lines, and {MAX_LINES} are the limit; split it by noun"
    if source.path.endswith(".h"):
        first = source.directives[0] if source.directives else None
        guarded = public and first is not None and first.word == "ifndef"
        if not guarded and not any((d.word, d.rest) == ("pragma", "once") for d in source.directives):
            yield 1, "has no #pragma once; write it above the first include"
    if source.path.startswith("cpp/ops/") and source.path.endswith(".cc"):
        wanted = f"namespace mixgrad::ops::{source.path.split('/')[-1][:-3]}"
        if not any(line.split(" {")[0] == wanted for _, line in source.lines):
            yield 1, f"does not open {wanted}, in which an operator's file lives; name it after its file"


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    for line, text in source.lines:
        if text.startswith("using namespace") and source.path != "cpp/containers/std.h":
            yield line, "`using namespace` outside a function; name what is used: using a::b"
    if source.floor == "mixgrad":
        return
    opened = [line for line, text in source.lines if text.startswith("namespace mixgrad")]
    closed = [line for line, text in source.lines if closes_project(text)]
    if len(opened) != len(closed):
        line = (opened or closed)[-1]
        yield line, "has an end that is not marked; end it with `}  // namespace mixgrad...`, not indented"
    for directive in source.directives:
        words = f"{directive.word} {directive.rest}".replace("(", " ").replace(")", " ").split()
        for before, word in zip(words, words[1:]):
            if before in {"ifdef", "ifndef", "defined"} and word.startswith("MIXGRAD_"):
                yield directive.line, f"asks whether {word} is defined; it is always 0 or 1: #if {word}"


def closes_project(line: str) -> bool:
    """Whether a namespace mixgrad ends on the line, on which it may also have begun."""
    return line.startswith("}  // namespace mixgrad") or (
        line.startswith("namespace mixgrad") and line.count("{") == line.count("}")
    )


def _cycles(tree: Tree) -> Iterator[Finding]:
    """Headers that include one another in a circle have no order; the first such circle."""
    included = {path: [target.path for target in tree.included(s)] for path, s in tree.sources.items()}
    try:
        TopologicalSorter(included).prepare()
    except CycleError as error:
        circle = error.args[1][::-1]
        first, second = (tree.sources[path] for path in circle[:2])
        line = next(i.line for i in first.includes if tree.resolve(i) is second)
        text = f"includes itself by {' -> '.join(circle)}; move what they need into a header of its own"
        yield Finding(circle[0], line, text)
