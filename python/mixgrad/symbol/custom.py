"""Operators written in Python, applied to symbols."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional

from .base import SymbolBase
from .functions import apply
from .symbol import Symbol

__all__ = ["Custom"]


def Custom(
    *args: Symbol,
    op_type: str,
    name: Optional[str] = None,
    attr: Optional[Mapping[str, str]] = None,
    **kwargs: Any,
) -> Symbol:
    """An operator written in Python, by the name that :func:`mixgrad.operator.register` filed it under.

    Parameters
    ----------
    args : Symbol
        Arguments, then auxiliary states, in the operator's order. By keyword they go by its names. Those left
        out become variables.
    op_type : str
        The name.
    name : str
        Of the node.
    attr : dict of str to str
        Attributes of the node.
    kwargs
        Symbols are arguments; everything else goes to the operator's ``CustomOpProp`` as text.

    Notes
    -----
    Source: MXNet Custom.
    """
    if not isinstance(op_type, str):
        raise TypeError(f"[Custom] op_type is {type(op_type).__name__}; expected str")
    inputs: list[tuple[Optional[str], SymbolBase]] = []
    params: list[tuple[str, Any]] = [("op_type", op_type)]
    for i, value in enumerate(args):
        if not isinstance(value, SymbolBase):
            raise TypeError(f"[Custom] input {i} is {type(value).__name__}; expected Symbol")
        inputs.append((None, value))
    for key, value in kwargs.items():
        if key == "out" and value is None:
            continue
        if isinstance(value, SymbolBase):
            inputs.append((key, value))
        else:
            params.append((key, str(value)))
    return apply("Custom", inputs, params, name, attr, "custom")
