"""The types and defaults of operators' parameters in the words of MXNet 1.9.1."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Mapping
from typing import Any

import numpy as np

__all__ = ["argument_type"]

_WORDS = {
    "bool": "boolean",
    "dtype": "dtype",
    "float": "float",
    "int": "int",
    "str": "string",
    "tuple of float": "tuple of <float>",
    "tuple of int": "Shape(tuple)",
    "tuple of int or None": "Shape(tuple)",
    "optional bool": "boolean or None",
    "optional dtype": "dtype or None",
    "optional float": "float or None",
    "optional int": "int or None",
    "optional tuple of float": "tuple of <float>",
    "optional tuple of int": "Shape or None",
}

# Choices that are not in MXNet 1.9.1.
_ADDED = {"Activation": {"log_sigmoid"}}


def argument_type(op: str, param: Mapping[str, Any]) -> str:
    """The type of a parameter of the operator ``op``, and its default or that it is required.

    Examples
    --------
    >>> from mixgrad._argument_types import argument_type
    >>> argument_type("LRN", {"type": "float", "required": False, "default": "0.0001"})
    'float, optional, default=9.99999975e-05'
    >>> argument_type("sum", {"type": "bool", "required": False, "default": "False"})
    'boolean, optional, default=0'
    """
    written = param["type"]
    choices = re.fullmatch(r"(?:optional )?\{(.*)\}", written)
    if choices:
        named = set(re.findall(r"'([^']*)'", choices[1])) - _ADDED.get(op, set())
        none = ["None"] if written.startswith("optional") else []
        words = "{" + ", ".join([*none, *map(repr, sorted(named))]) + "}"
        return f"{words}, required" if param["required"] else f"{words},optional, default={_quoted(param)}"
    words = _WORDS.get(written, written)
    return f"{words}, required" if param["required"] else f"{words}, optional, default={_default(param)}"


def _quoted(param: Mapping[str, Any]) -> str:
    return "'" + str(param["default"]).strip("'") + "'"


def _default(param: Mapping[str, Any]) -> str:
    text, kind = str(param["default"]), param["type"]
    if "int" in kind and "tuple" not in kind:
        return _quoted(param)
    if "bool" in kind and text != "None":
        return str(int(text == "True"))
    if kind.endswith("float") and text != "None":
        value = literal_eval(text)
        return _number(value) if isinstance(value, (int, float)) else _numbers(value)
    if "tuple" in kind and text != "None":
        return _numbers(literal_eval(text))
    return text


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{float(np.float32(value)):.9g}"


def _numbers(values: tuple[float, ...]) -> str:
    return "[" + ",".join(_number(value) for value in values) + "]"
