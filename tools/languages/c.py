"""languages/c/mixgrad_ops.h: for each operator its parameters, a function on arrays and one on symbols."""

from __future__ import annotations

import textwrap

from languages.registry import Op, comment, described

_HEADER = """/* Operators of mixgrad for C99. Written by tools/generate_languages.py: do not edit.
 *
 * mx_NAME computes on arrays, mx_NAME_node makes a node of a graph. Inputs that are NULL are absent (arrays)
 * or become variables (symbols). Outputs: *out NULL receives a new array, another *out is written in place.
 * Parameters that are not set keep their defaults; options may be NULL. */
#ifndef MIXGRAD_OPS_H
#define MIXGRAD_OPS_H

#include "mixgrad_calls.h"

"""
_MAKERS = {"bool": "MX_BOOL", "int": "MX_INT", "float": "MX_REAL", "str": "MX_TEXT", "dtype": "MX_TEXT"}
_MAKERS |= {"ints": "MX_TUPLE of MX_INT", "floats": "MX_TUPLE of MX_REAL"}
_KEYWORDS = frozenset({"auto", "default", "double", "float", "int", "long", "register", "short", "signed"})


def _names(word: str, texts: list[str]) -> str:
    """A constant with these texts, on as many lines as it takes."""
    joined = ", ".join(f'"{text}"' for text in texts)
    line = f"  static const char* const {word}[] = {{{joined}}};"
    if len(line) <= 110:
        return line + "\n"
    wrapped = textwrap.wrap(joined, 104, break_long_words=False, break_on_hyphens=False)
    return f"  static const char* const {word}[] = {{\n" + "".join(f"      {w}\n" for w in wrapped) + "  };\n"


def _word(name: str) -> str:
    return name + "_" if name in _KEYWORDS else name


def _comment(text: str, indent: str = "") -> str:
    body = comment(text.replace("*/", "* /").replace("/*", "/ *"), f"{indent} * ", 106)
    return f"{indent}/*" + body[len(indent) + 2 :].rstrip("\n") + " */\n"


def _options(op: Op) -> str:
    text = f"typedef struct mx_{op.name}_options {{\n"
    for param in op.params:
        text += _comment(f"{_MAKERS[param.kind]}. {described(param)}", "  ")
        text += f"  mg_value {_word(param.name)};\n"
    return text + f"}} mx_{op.name}_options;\n"


def _arguments(op: Op, handle: str) -> tuple[list[str], str, str]:
    """Declarations of a function's inputs, how many they are, and where they are."""
    if op.variadic:
        return ["int32_t count", f"{handle} const* {_word(op.inputs[0][0])}"], "count", _word(op.inputs[0][0])
    words = [_word(word) for word, _ in op.inputs]
    if not words:
        return [], "0", "NULL"
    return [f"{handle} {word}" for word in words], str(len(words)), "inputs"


def _function(op: Op, node: bool) -> str:
    handle = "const mg_symbol*" if node else "mg_array*"
    arguments, count, given = _arguments(op, handle)
    arguments.append(f"const mx_{op.name}_options* options" if op.params else "const void* options")
    if node:
        arguments += ["const char* name", "mg_symbol** out"]
    else:
        arguments += (
            ["mg_array** out"] if op.single_output else ["int32_t* num_outputs", "mg_array** outputs"]
        )
    head = f"static inline mg_status mx_{op.name}{'_node' if node else ''}("
    text = head + (",\n" + " " * len(head)).join(arguments) + ") {\n"
    if given == "inputs":
        words = ", ".join(_word(word) for word, _ in op.inputs)
        text += f"  {handle} const inputs[] = {{{words}}};\n"
    named = node and not op.variadic and bool(op.inputs)
    if named:
        text += _names("words", [word for word, _ in op.inputs])
    if op.params:
        text += _names("names", [param.name for param in op.params])
    else:
        text += "  (void)options;\n"
    params = f"{len(op.params)}, names, (const mg_value*)options" if op.params else "0, NULL, NULL"
    if node:
        text += (
            f'  return mx_node("{op.registered}", name, {count}, {"words" if named else "NULL"}, {given}, '
        )
        return text + f"{params}, out);\n}}\n"
    if op.single_output:
        text += "  int32_t one = 1;\n"
    outputs = "&one, out" if op.single_output else "num_outputs, outputs"
    return text + f'  return mx_call("{op.registered}", {count}, {given}, {params}, {outputs});\n}}\n'


def write(ops: list[Op]) -> str:
    text = _HEADER
    for op in ops:
        if op.params:
            text += _options(op)
        about = [op.doc, *(f"{word}: {doc}" for word, doc in op.inputs)]
        text += _comment(" ".join(about)) + _function(op, node=False) + _function(op, node=True) + "\n"
    return text + "#endif\n"
