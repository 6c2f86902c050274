"""A symbol as a function of arrays (``mx.nd.CachedOp``)."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Optional

from .. import ops as _ops
from .._watched_names import UNNAMED
from ..base import InvalidArgumentError, UnsupportedError
from ..compiled import jit
from .ndarray import NDArray

__all__ = ["CachedOp"]

_OPERATORS = frozenset(_ops.NAMES)
Hook = Callable[[str, str, NDArray], None]


def _input_labels(op: str, count: int) -> list[str]:
    """What watchers call the inputs of an operator."""
    found = _description(op)
    if op in UNNAMED:
        return [f"input{place}" for place in range(count)]
    return [f"arg{place}" for place in range(count)] if found.variadic else list(found.inputs[:count])


@cache
def _description(op: str) -> Any:
    from ..symbol.functions import describe

    return describe(op)


@cache
def _parameters(op: str) -> frozenset[str]:
    return frozenset(inspect.signature(getattr(_ops, op)).parameters)


class CachedOp:
    """Runs a symbol's graph on arrays, planned as by ``mx.jit`` for each combination of shapes and dtypes.

    Gradients flow through a call. Auxiliary states, such as averages of ``BatchNorm``, change in training.

    Parameters
    ----------
    sym : Symbol
        The graph. Arrays are given in the order of its ``list_inputs()``.
    flags : list of (str, value)
        MXNet's options of memory, such as ``("static_alloc", True)``: memory is always planned.

    Examples
    --------
    >>> import mixgrad as mx
    >>> op = mx.nd.CachedOp(mx.sym.var("a") * 2 + mx.sym.var("b"))
    >>> op(mx.nd.array([1, 2]), mx.nd.array([10, 20])).asnumpy()
    array([12., 24.], dtype=float32)
    """

    def __init__(self, sym: Any, flags: Sequence[tuple[str, Any]] = ()) -> None:
        if not hasattr(sym, "list_inputs"):
            raise TypeError(f"[CachedOp] sym is {type(sym).__name__}; expected Symbol")
        for flag in flags:
            if not isinstance(flag, (tuple, list)) or len(flag) != 2:
                raise TypeError(f"[CachedOp] flags has {flag!r:.60}; expected pairs of a name and a value")
        self._names: list[str] = sym.list_inputs()
        graph = json.loads(sym.tojson(remove_amp_cast=False))
        self._nodes = [
            (
                node["op"],
                node["name"],
                _options(node),
                [(source, place) for source, place, *_ in node["inputs"]],
            )
            for node in graph["nodes"]
        ]
        self._heads = [(source, place) for source, place, *_ in graph["heads"]]
        self._hook: Optional[Hook] = None
        self._hook_inputs = False
        self._planned = jit(self._run)

    def _run(self, *arrays: NDArray) -> Any:
        """Calls the operators one after the other."""
        given = iter(arrays)
        made: list[list[NDArray]] = []
        for op, name, options, sources in self._nodes:
            if op == "null":
                made.append([next(given)])
                continue
            inputs = [_output(made, self._nodes, *source) for source in sources]
            if self._hook is not None and self._hook_inputs:
                for label, array in zip(_input_labels(op, len(inputs)), inputs):
                    self._hook(f"{name}_{label}", op, array)
            found = getattr(_ops, op)(*inputs, **options)
            made.append(list(found) if isinstance(found, (list, tuple)) else [found])
            if self._hook is not None:
                for place, array in enumerate(made[-1]):
                    self._hook(f"{name}_output{place if len(made[-1]) > 1 else ''}", op, array)
        outputs = [_output(made, self._nodes, *head) for head in self._heads]
        return outputs if len(outputs) > 1 else outputs[0]

    def __call__(self, *args: NDArray, out: Any = None) -> Any:
        """Runs the graph.

        Parameters
        ----------
        *args : NDArray
            One for each of ``list_inputs()``.
        out : NDArray or list of NDArray, optional
            Where the results go.

        Returns
        -------
        NDArray or list of NDArray
            A list where the symbol has several outputs.
        """
        if len(args) != len(self._names):
            raise InvalidArgumentError(
                f"[CachedOp] got {len(args)} arrays; expected {len(self._names)}: {', '.join(self._names)}"
            )
        for name, array in zip(self._names, args):
            if not isinstance(array, NDArray):
                raise TypeError(f"[CachedOp] {name} is {type(array).__name__}; expected NDArray")
        result = self._planned(*args) if self._hook is None else self._run(*args)
        if out is None:
            return result
        results = result if isinstance(result, list) else [result]
        targets = list(out) if isinstance(out, (list, tuple)) else [out]
        if len(targets) != len(results):
            raise InvalidArgumentError(f"[CachedOp] out has {len(targets)} arrays; expected {len(results)}")
        for target, one in zip(targets, results):
            one.copyto(target)
        return out

    def _register_op_hook(self, callback: Optional[Hook], monitor_all: bool = False) -> None:
        """Calls a function with a name, the operator and the array of every result; None stops that.

        The graph then runs operator by operator.
        """
        self._hook, self._hook_inputs = callback, bool(monitor_all)


def _options(node: dict[str, Any]) -> dict[str, str]:
    op = node["op"]
    if op == "null":
        return {}
    if node.get("subgraphs") or op not in _OPERATORS:
        raise UnsupportedError(
            f"[CachedOp] the node {node['name']!r} is of the operator {op}, which no function of mx.nd is; "
            "expected a symbol of other operators, or bind to run it"
        )
    known = _parameters(op)
    return {key: value for key, value in (node.get("attrs") or {}).items() if key in known}


def _output(made: list[list[NDArray]], nodes: list[Any], source: int, place: int) -> NDArray:
    if place >= len(made[source]):
        raise UnsupportedError(
            f"[CachedOp] output {place} of the node {nodes[source][1]!r} is used; the function "
            f"mx.nd.{nodes[source][0]} gives {len(made[source])}"
        )
    return made[source][place]
