"""languages/r/R/ops.R: as in MXNet's R package, mx.nd.* for arrays and mx.symbol.* for symbols."""

from __future__ import annotations

import ast

from languages.registry import Op, Param, comment, described

_HEADER = """# Operators. Written by tools/generate_languages.py: do not edit.
#
# mx.nd.<operator> applies one to arrays, mx.symbol.<operator> makes a node of a graph. Shapes and axes in
# parameters are those of the library: the reverse of R's dimensions.
"""


def _value(text: str) -> str:
    """A default in R, for its documentation by the argument list."""
    value = ast.literal_eval(text)
    if value is None or value == ():
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, (tuple, list)):
        return "c(" + ", ".join(_value(repr(item)) for item in value) + ")"
    return repr(value)


def _names(op: Op) -> list[str]:
    inputs = {word for word, _ in op.inputs}
    return [
        param.name + "." if param.name in inputs | {"name", "if", "for"} else param.name
        for param in op.params
    ]


def _function(op: Op, prefix: str) -> str:
    symbol = prefix == "mx.symbol"
    inputs = [] if op.variadic else [word for word, _ in op.inputs]
    first_needed = 0 if symbol else op.required_inputs
    arguments = [word if i < max(first_needed, 1) else f"{word} = NULL" for i, word in enumerate(inputs)]
    if op.variadic:
        arguments = ["..."]
    names = _names(op)
    for name, param in zip(names, op.params):
        arguments.append(name if param.required and not op.variadic else f"{name} = {_default(param)}")
    if symbol:
        arguments.append("name = NULL")
    given = "mx.varargs(...)" if op.variadic else "list(" + ", ".join(inputs) + ")"
    params = ", ".join(f"{_quoted(param.name)} = {name}" for name, param in zip(names, op.params))
    kinds = "c(" + ", ".join(f'"{_kind(param)}"' for param in op.params) + ")" if op.params else "character()"
    call = f'mx.apply("{op.registered}", {given}, list({params}), {kinds}'
    if symbol:
        call = call.replace("mx.apply(", "mx.node(") + ", name)"
    else:
        call += f", {'TRUE' if op.single_output else 'FALSE'})"
    lines = comment(op.doc, "#' ")
    for word, doc in op.inputs:
        lines += comment(f"@param {word} {doc}", "#' ")
    for name, param in zip(names, op.params):
        lines += comment(f"@param {name} {described(param)}", "#' ")
    return f"{lines}{prefix}.{op.name} <- function({', '.join(arguments)}) {{\n  {call}\n}}\n"


def _quoted(name: str) -> str:
    return f"`{name}`"


def _default(param: Param) -> str:
    return "NULL" if param.required else _value(param.default)


def _kind(param: Param) -> str:
    return "optional " + param.kind if param.optional else param.kind


def write(ops: list[Op]) -> str:
    parts = [_HEADER]
    for op in ops:
        parts += [_function(op, "mx.nd"), _function(op, "mx.symbol")]
    return "\n".join(parts)
