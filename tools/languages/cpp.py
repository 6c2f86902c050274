"""languages/cpp/mixgrad/ops.hpp: one function template per operator, for arrays and for symbols."""

from __future__ import annotations

from languages.registry import Op, Param, camel, comment, described

_HEADER = """// Operators of mixgrad for C++17. Written by tools/generate_languages.py: do not edit.
//
// Every function serves arrays and symbols: op::relu(array) computes, op::relu(symbol) adds a node.
// Inputs that are left out are absent (arrays) or become variables (symbols). Options name what is not an
// array; their `name` is that of the node of a symbol.
#pragma once

#include "mixgrad/operator.hpp"

namespace mx {
namespace op {
"""

_KEYWORDS = frozenset({"and", "bool", "char", "default", "double", "float", "int", "not", "or", "register"})
_KEYWORDS |= {"switch", "template", "this", "typename", "union", "xor"}
_TYPES = {"bool": "bool", "int": "int64_t", "float": "double", "str": "std::string", "dtype": "DType"}
_TYPES |= {"ints": "Ints", "floats": "Reals"}


def _word(name: str) -> str:
    return name + "_" if name in _KEYWORDS else name


def _setter(owner: str, param: Param) -> str:
    kind = _TYPES[param.kind]
    value = "value" if kind in {"bool", "int64_t", "double", "DType"} else "std::move(value)"
    text = comment(described(param), "  /// ")
    return text + f'  {owner}& {_word(param.name)}({kind} value) {{ return set("{param.name}", {value}); }}\n'


def _options(op: Op, options: str) -> str:
    if not op.params:
        return f"using {options} = NoOptions;\n"
    text = f"/// Parameters of op::{_word(op.name)}.\n"
    text += f"class {options} : public Options<{options}> {{\n public:\n"
    return text + "".join(_setter(options, param) for param in op.params) + "};\n"


def _function(op: Op, options: str) -> str:
    name, result = _word(op.name), "Single<T>" if op.single_output else "Several<T>"
    inputs = [_word(word) for word, _ in op.inputs]
    text = _options(op, options) + comment(op.doc, "/// ")
    for word, (_, doc) in zip(inputs, op.inputs):
        text += comment(f"@param {word} {doc}", "/// ")
    text += comment(f"Source: {op.origin}." if op.origin else "", "/// ")
    if op.variadic:
        arguments, passed = [f"const std::vector<T>& {inputs[0]}"], inputs[0]
    else:
        arguments = [
            f"const {'Same<T>' if i else 'T'}& {w}{' = {}' if i else ''}" for i, w in enumerate(inputs)
        ]
        passed = "{" + ", ".join(inputs) + "}"
    arguments.append(f"const {options}& options = {{}}")
    text += "template <class T>\n" if inputs else "template <class T = NDArray>\n"
    head = f"{result} {name}("
    text += head + (",\n" + " " * len(head)).join(arguments) + ") {\n"
    text += f'  static const Operator self("{op.registered}");\n'
    text += f"  return self.{'apply_one' if op.single_output else 'apply'}<T>({passed}, options);\n}}\n"
    if not op.variadic and len(inputs) > 1:  # op::FullyConnected(data, options)
        text += f"template <class T>\n{result} {name}(const T& {inputs[0]}, const {options}& options) {{\n"
        text += f"  return {name}<T>({inputs[0]}" + ", {}" * (len(inputs) - 1) + ", options);\n}\n"
    return text


def write(ops: list[Op]) -> str:
    # MakeLoss and make_loss both exist: the options of the second get a digit.
    taken: dict[str, int] = {}
    texts = []
    for op in ops:
        number = taken[camel(op.name)] = taken.get(camel(op.name), 0) + 1
        texts.append(_function(op, f"{camel(op.name)}Options" + (str(number) if number > 1 else "")))
    return _HEADER + "\n" + "\n".join(texts) + "\n}  // namespace op\n}  // namespace mx\n"
