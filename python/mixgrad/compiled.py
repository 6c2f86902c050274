"""Functions on arrays that are written down as graphs and then run planned (``mx.jit``)."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, Union

from . import _core, autograd
from .ndarray import NDArray

__all__ = ["jit"]

# Graphs of one function that are more than shapes alone explain.
_MANY = 1000

Result = Union[NDArray, list[NDArray], tuple[NDArray, ...]]


def jit(fn: Callable[..., Result]) -> Callable[..., Any]:
    """``fn`` as a planned graph, made once for each combination of shapes, dtypes and other arguments.

    The function is called once per combination, without computing anything, to write down its operators;
    later calls run the graph. Arrays that it uses but does not take as arguments, such as weights, keep their
    identity: the graph reads what they hold when it runs. Gradients flow through the call to both; gradients
    of gradients do not.

    Parameters
    ----------
    fn : function
        Takes arrays, and other arguments that can be dictionary keys; returns an array or a list or tuple of
        arrays. Inside it, values cannot be read (``asnumpy``, ``if x > 0``), and arrays made outside cannot
        be written.

    Examples
    --------
    >>> import mixgrad as mx
    >>> @mx.jit
    ... def gate(x, y):
    ...     return mx.nd.sigmoid(x) * y + 1
    >>> gate(mx.nd.zeros((2,)), mx.nd.ones((2,))).asnumpy()
    array([1.5, 1.5], dtype=float32)
    """
    if not callable(fn):
        raise TypeError(f"[jit] got {type(fn).__name__}; expected a function")
    graphs: dict[Any, _core.CachedGraph] = {}

    @functools.wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        signature: Any = None if kwargs else _core.call_signature(args)
        arrays = args
        if signature is None:
            if _core.trace_is_active():
                return fn(*args, **kwargs)
            names = sorted(kwargs)
            values = [*args, *(kwargs[name] for name in names)]
            signature = (len(args), *names, autograd.is_training(), *(_kind(value) for value in values))
            arrays = tuple(value for value in values if isinstance(value, NDArray))
        try:
            graph = graphs.get(signature)
        except TypeError as error:
            raise TypeError(
                f"[jit] an argument of {_name(fn)} is no array and no key of dictionaries: {error}; expected "
                "arrays, numbers, text or tuples of these"
            ) from None
        if graph is None:
            graph = graphs[signature] = _trace(fn, args, kwargs)
            if len(graphs) == _MANY:
                warnings.warn(
                    f"[jit] {_name(fn)} has {_MANY} graphs, one for each value of its arguments; give what "
                    "changes with each call as an array",
                    stacklevel=2,
                )
        return graph(*arrays)

    return call


def _name(fn: Any) -> str:
    return getattr(fn, "__name__", type(fn).__name__)


def _kind(value: Any) -> Any:
    return _core.call_signature((value,)) if isinstance(value, NDArray) else _constant(value)


def _constant(value: Any) -> Any:
    """What tells a value apart from those that compare equal; an array in a tuple equals itself alone."""
    if isinstance(value, tuple):
        return (type(value), *map(_constant, value))
    return (type(value), value.hex() if isinstance(value, float) else value)


def _trace(fn: Callable[..., Result], args: tuple[Any, ...], kwargs: dict[str, Any]) -> _core.CachedGraph:
    """The graph of a call, in which other arrays stand for the arguments: these may have other uses, too."""
    inputs: list[NDArray] = []

    def stand_in(value: Any) -> Any:
        if not isinstance(value, NDArray):
            return value
        inputs.append(_core.stand_in(value))
        return inputs[-1]

    given = [stand_in(value) for value in args]
    named = {name: stand_in(kwargs[name]) for name in sorted(kwargs)}
    trace = _core.trace_begin(inputs)
    try:
        result = fn(*given, **named)
        many = tuple if type(result) is tuple else list if isinstance(result, (list, tuple)) else None
        outputs = list(result) if isinstance(result, (list, tuple)) else [result]
        if not outputs:
            raise TypeError(f"[jit] {_name(fn)} returned no arrays; expected one at least")
        for output in outputs:
            if not isinstance(output, NDArray):
                raise TypeError(
                    f"[jit] {_name(fn)} returned {type(output).__name__}; "
                    "expected NDArray, or a list or tuple of NDArray"
                )
        return trace.end(outputs, many)
    finally:
        trace.close()
