"""Operators as functions of symbols: those of :mod:`mixgrad.ops`, where inputs may be left out and nodes have
names and attributes.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Optional

from .. import _core, _words, attribute
from .. import name as naming
from .. import ops as _ops
from .._hints import extra_parameters, parameter_hint
from ..base import InvalidArgumentError, NotFoundError, RefusedTypeError
from .base import SymbolBase, symbol_of

if TYPE_CHECKING:
    from .symbol import Symbol

NAMES: frozenset[str] = frozenset(_ops.NAMES)


class Description:
    """What calls of one operator need to know.

    Parameters
    ----------
    name : str
        Any of the operator's names that is a Python name.
    """

    def __init__(self, name: str) -> None:
        function = getattr(_ops, name)
        info = _described(_core_name(function))
        self.name: str = info["name"]
        self.doc: str = function.__doc__ or ""
        self.inputs: tuple[str, ...] = tuple(port["name"] for port in info["inputs"])
        self.variadic: bool = info["has"]["variadic"]
        self.defaults: dict[str, str] = {p["name"]: p["default"] for p in info["params"]}
        self.nullable: frozenset[str] = frozenset(
            p["name"] for p in info["params"] if p["type"].startswith("optional ")
        )
        self.params: tuple[str, ...] = tuple(self.defaults)
        given = inspect.signature(function).parameters.values()
        parameters = [p for p in given if p.kind is not inspect.Parameter.VAR_KEYWORD]
        self.required: frozenset[str] = frozenset(p.name for p in parameters if p.default is p.empty)
        self.positional: tuple[str, ...] = tuple(
            p.name for p in parameters if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        )


@cache
def _all_descriptions() -> dict[str, dict[str, Any]]:
    found = [_core.describe_op(i) for i in range(_core.op_count())]
    return {info["name"]: info for info in found}


def _described(name: str) -> dict[str, Any]:
    return _all_descriptions()[name]


def operator_described(name: str) -> Optional[dict[str, Any]]:
    """What the library says of an operator by the name that files have; None: it is a program's own."""
    return _all_descriptions().get(name)


def _core_name(function: Callable[..., Any]) -> str:
    handle = getattr(_ops, "_op_" + function.__name__)
    name: str = handle.name
    return name


@cache
def describe(name: str) -> Description:
    """The description of the operator of that name."""
    return Description(name)


def apply(
    op: str,
    inputs: Sequence[tuple[Optional[str], SymbolBase]],
    params: Sequence[tuple[str, Any]],
    name: Optional[str],
    attr: Optional[Mapping[str, str]],
    hint: str,
) -> Symbol:
    """The symbol of one operator on some inputs, with the name and attributes that scopes say."""
    scope = attribute.current().get(attr)
    for key, value in scope.items():
        if not isinstance(value, str):
            raise TypeError(f"[{op}] attribute {key} is {type(value).__name__}; expected str")
    if name is not None:
        naming.check_name(name, op)
    handle = _core.symbol_call(
        op,
        naming.current().get(name, hint),
        [key for key, _ in inputs],
        [symbol._handle for _, symbol in inputs],
        list(params),
        list(scope.items()),
    )
    made = symbol_of(handle)
    return made.as_np_ndarray() if any(symbol.is_np for _, symbol in inputs) else made


# Keywords that any operator takes, as attributes of its node (cpp/graph/symbol_call.cc).
_ATTRIBUTES = ("ctx_group", "lr_mult", "wd_mult", "force_mirroring", "mirror_stage", "profiler_scope")


def call(op: Description, hint: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Symbol:
    """Sorts the arguments of a call into inputs and parameters, and applies the operator."""
    name, attr = kwargs.pop("name", None), kwargs.pop("attr", None)
    kwargs.pop("out", None)
    inputs: list[tuple[Optional[str], SymbolBase]] = []
    params: list[tuple[str, Any]] = []

    def add_input(key: Optional[str], value: Any) -> None:
        if not isinstance(value, SymbolBase):
            place = key or f"input {len(inputs)}"
            raise RefusedTypeError(f"[{op.name}] {place} is {type(value).__name__}; expected Symbol")
        inputs.append((key, value))

    if op.variadic:
        if len(args) == 1 and isinstance(args[0], (list, tuple)):
            args = tuple(args[0])
        for value in args:
            add_input(None, value)
    else:
        if len(args) > len(op.positional):
            raise TypeError(f"[{op.name}] got {len(args)} arguments; expected at most {len(op.positional)}")
        for key, value in zip(op.positional, args):
            if key in kwargs:
                raise TypeError(f"[{op.name}] {key} is given twice")
            kwargs[key] = value
    for key, value in kwargs.items():
        if isinstance(value, SymbolBase) or (key in op.inputs and not op.variadic):
            # Of an operator with any number of inputs, symbols by keyword come in the order given. One
            # without inputs ignores them, as in MXNet, where mx.sym.random.randn(data=x) is written.
            if value is not None and (op.inputs or op.variadic):
                add_input(None if op.variadic else key, value)
        elif not op.defaults and key not in _ATTRIBUTES and not (key[:2] == key[-2:] == "__"):
            extra_parameters(op.name, {key: value})
        elif key in _words.PARAMETERS and key not in op.defaults:
            raise InvalidArgumentError(
                f"[{op.name}] no parameter is called {key!r}{parameter_hint(op.name, key)}"
            )
        elif key == "ctx" and value is not None:
            params.append((key, str(value)))
        elif value is not None or key in op.required or op.defaults.get(key) not in ("None", ""):
            params.append((key, value))
    return apply(op.name, inputs, params, name, attr, hint)


@cache
def operator(name: str, shown: str) -> Optional[Callable[..., Symbol]]:
    """The function of symbols for an operator, called ``shown`` in messages and automatic names."""
    if name not in NAMES and (not name.startswith("_sparse_") or not hasattr(_ops, name)):
        return None
    op = describe(name)
    hint = shown.lower()

    def function(*args: Any, **kwargs: Any) -> Symbol:
        return call(op, hint, args, kwargs)

    function.__name__ = function.__qualname__ = shown
    function.__module__ = "mixgrad.symbol"
    function.__doc__ = op.doc.replace(": NDArray", ": Symbol")
    return function


def internal(name: str) -> Callable[..., Symbol]:
    """The function of an operator that must exist."""
    found = operator(name, name)
    if found is None:
        raise NotFoundError(f"[symbol] no operator is called {name!r}")
    return found


def call_method(name: str, symbol: SymbolBase, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Symbol:
    """An operator as a method."""
    kwargs.pop("inplace", None)
    return internal(name)(symbol, *args, **kwargs)


def call_generated(
    name: str, inputs: tuple[Any, ...], out: Any, values: tuple[Any, ...], node_name: Optional[str]
) -> Symbol:
    """Where the functions of :mod:`mixgrad.ops` go when an input is a symbol."""
    op = describe(name)
    if out is not None:
        raise TypeError(f"[{name}] out is given with symbols; expected arrays")
    given: list[tuple[Optional[str], SymbolBase]] = []
    for i, value in enumerate(inputs):
        if value is None:
            continue
        if not isinstance(value, SymbolBase):
            raise TypeError(
                f"[{name}] input {i} is {type(value).__name__}, another a Symbol; expected one kind"
            )
        given.append((None if op.variadic else op.inputs[i], value))
    params = [
        (key, value)
        for key, value in zip(op.params, values)
        if repr(value) != op.defaults[key] and (value is not None or key in op.nullable)
    ]
    return apply(op.name, given, params, node_name, None, name.lower())


_core.set_symbol_class(SymbolBase, call_generated)
