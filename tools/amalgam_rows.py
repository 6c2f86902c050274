"""Leaves out of an operator's source file the operators that are not wanted.

Operators are registered by statements: `const Op& op = Define<P>("name")...;` in a namespace, or rows inside
`const bool kRegistered = [] { ... }();`. A row that begins with a variable, `Define<> tanh = unary_op("x")`,
takes the statements that go on with it (`tanh.grad(...).done();`) along.
"""

from __future__ import annotations

import re

from cpp_scan import Source

_NAME = re.compile(r'"([A-Za-z_]\w*)"')
_REGISTERED = re.compile(r'(?:\bDefine<[^"();]*>(?:\s+\w+)?|\balias)\(\s*"([A-Za-z_]\w*)"')
_DEFINED = re.compile(r'\bDefine<[^"();]*>\(\s*"')
_LOOKUP = re.compile(r'\b(?:apply|find_op|find_op_or_null)\(\s*"[A-Za-z_]\w*"')
_TOP = re.compile(r"^const Op& (\w+) =", re.MULTILINE)
_ROWS = re.compile(r"^const bool kRegistered = \[\] \{", re.MULTILINE)
_VARIABLE = re.compile(r"\s*Define<[^=;]*>\s+(\w+)\s*=")


def shaken(source: Source, wanted: set[str], known: set[str]) -> Source:
    """The file with the rows of wanted operators only; `known` holds the names of all operators."""
    code, text = source.code, source.text
    dropped: list[tuple[int, int]] = []
    for match in _TOP.finditer(code):
        end = _statement_end(code, match.start(), len(code))
        used = len(re.findall(rf"\b{match.group(1)}\b", code)) > 1
        if not used and _unwanted(text[match.start() : end], wanted, known):
            dropped.append((match.start(), end))
    for match in _ROWS.finditer(code):
        dropped += _rows(code, text, match.end(), wanted, known)
    if not dropped:
        return source
    for start, end in sorted(dropped, reverse=True):
        text = text[:start] + text[end:]
    return Source(source.path, text)


def _rows(code: str, text: str, start: int, wanted: set[str], known: set[str]) -> list[tuple[int, int]]:
    stop = _block_end(code, start)
    dropped: list[tuple[int, int]] = []
    variables: dict[str, bool] = {}  # of rows, and whether the row is left out
    while start < stop:
        end = _statement_end(code, start, stop)
        row = text[start:end]
        follows = re.match(r"\s*(\w+)\s*\.", code[start:end])
        variable = _VARIABLE.match(code[start:end])
        if follows and follows.group(1) in variables:
            unwanted = variables[follows.group(1)]
        else:
            unwanted = _unwanted(row, wanted, known)
            if variable:
                variables[variable.group(1)] = unwanted
        if unwanted:
            dropped.append((start, end))
        start = end
    return dropped


def _unwanted(row: str, wanted: set[str], known: set[str]) -> bool:
    # A row whose first name a function takes, or several variables, says no more of what it registers.
    named = _REGISTERED.findall(row) if _DEFINED.search(row) else _NAME.findall(_LOOKUP.sub("", row))
    names = set(named) & known
    return bool(names) and not names & wanted


def _statement_end(code: str, start: int, stop: int) -> int:
    """After the semicolon that ends the statement at `start`, or after the block that does."""
    depth = 0
    for at in range(start, stop):
        if code[at] in "({[":
            depth += 1
        elif code[at] in ")}]":
            depth -= 1
        elif code[at] == ";" and depth == 0:
            return at + 1
    return stop


def _block_end(code: str, start: int) -> int:
    """The place of the brace that closes the block whose inside begins at `start`."""
    depth = 1
    for at in range(start, len(code)):
        depth += (code[at] == "{") - (code[at] == "}")
        if depth == 0:
            return at
    return len(code)
