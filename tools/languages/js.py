"""languages/js/lib/ops.js and ops.d.ts: what the operators are called and take, and their types."""

from __future__ import annotations

import json

from languages.registry import Op, camel, comment, described

_TYPES = {"bool": "boolean", "int": "number", "float": "number", "str": "string", "dtype": "DType"}
_TYPES |= {"ints": "Ints", "floats": "Floats"}
_KEYWORDS = frozenset({"in", "var", "function", "this", "new", "default"})

_TABLE_HEADER = """// Operators. Written by tools/generate_languages.py: do not edit.
//
// name: [registered name, inputs (-1: any number), one output, {parameter: kind}]
export const operators = {
"""

_TYPES_HEADER = """// Types of the operators. Written by tools/generate_languages.py: do not edit.
import type { DType, NDArray, Symbol } from "./index.js";

type Ints = number | readonly number[];
type Floats = number | readonly number[];

/** What every operator takes beside its parameters. */
export interface Options<T> {
  /** Of the node, on symbols. */
  name?: string;
  /** What is written in place of new arrays, on arrays. */
  out?: T | readonly T[];
}
"""

_OPERATORS_HEADER = """
/** Operators on T: inputs first, then an object of parameters. Inputs may be left out on symbols. */
interface Operators<T, Several> {
"""


def write_table(ops: list[Op]) -> str:
    lines = []
    for op in ops:
        params = {param.name: ("optional " if param.optional else "") + param.kind for param in op.params}
        row = [op.registered, -1 if op.variadic else len(op.inputs), op.single_output, params]
        lines.append(f"  {op.name}: {json.dumps(row, separators=(',', ':'))},\n")
    return _TABLE_HEADER + "".join(lines) + "};\n"


def _block(text: str, indent: str) -> str:
    return comment(text.replace("*/", "* /"), f"{indent} * ", 100)


def _options(op: Op, name: str) -> str:
    """An interface with the operator's parameters."""
    text = f"\nexport interface {name}<T> extends Options<T> {{\n"
    for param in op.params:
        text += "  /**\n" + _block(described(param), "  ") + "   */\n"
        choices = " | ".join(json.dumps(choice) for choice in param.choices)
        null = " | null" if param.optional else ""
        text += f"  {param.name}?: {(choices or _TYPES[param.kind]) + null};\n"
    return text + "}\n"


def _operator(op: Op, name: str) -> str:
    text = "  /**\n" + _block(op.doc, "  ")
    for word, doc in op.inputs:
        text += _block(f"@param {word} {doc}", "  ")
    text += "   */\n"
    options = f"{name}<T>" if op.params else "Options<T>"
    result = "T" if op.single_output else "Several"
    words = [word + "_" if word in _KEYWORDS else word for word, _ in op.inputs]
    if op.variadic:
        return text + f"  {op.name}({words[0]}: readonly T[], options?: {options}): {result};\n"
    if not words:
        return text + f"  {op.name}(options?: {options}): {result};\n"
    optional = "".join(f"{word}?: T | null, " for word in words[1:])
    text += f"  {op.name}({words[0]}: T, {optional}options?: {options}): {result};\n"
    if len(words) > 1:
        text += f"  {op.name}({words[0]}: T, options: {options}): {result};\n"
    return text


def write_types(ops: list[Op]) -> str:
    # MakeLoss and make_loss both exist: the options of the second get a digit.
    names: list[str] = []
    for op in ops:
        number = sum(name.rstrip("0123456789") == f"{camel(op.name)}Options" for name in names)
        names.append(f"{camel(op.name)}Options" + (str(number + 1) if number else ""))
    text = _TYPES_HEADER + "".join(_options(op, name) for op, name in zip(ops, names) if op.params)
    text += _OPERATORS_HEADER + "".join(_operator(op, name) for op, name in zip(ops, names))
    text += "}\n\nexport type ArrayOperators = Operators<NDArray, NDArray[]>;\n"
    return text + "export type SymbolOperators = Operators<Symbol, Symbol>;\n"
