"""Functions on arrays that are written down as graphs and then run planned (``mx.jit``)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Optional, Union

from . import _core, autograd
from . import ndarray as nd
from .base import MXNetError
from .context import Context
from .executor import _GRADIENTS, _OUTPUTS, bind
from .ndarray import NDArray
from .symbol.symbol import Symbol

__all__ = ["jit"]

Result = Union[NDArray, list[NDArray], tuple[NDArray, ...]]
_ARGUMENTS = 0


def jit(fn: Callable[..., Result]) -> Callable[..., Any]:
    """``fn`` as a planned graph, made once for each combination of shapes, dtypes and other arguments.

    The function is called once per combination, without computing anything, to write down its operators;
    later calls run the graph. Arrays that it uses but does not take as arguments, such as weights, keep their
    identity: the graph reads what they hold when it runs. Gradients flow through the call to both.

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
    graphs: dict[Any, _Graph] = {}

    @functools.wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        # Arrays alone, and no gradients: one step in C to the graph, one through it.
        signature = None if kwargs or _core.is_recording() else _core.call_signature(args)
        known = None if signature is None else graphs.get(signature)
        if known is not None:
            return known.predict(args)
        if _core.trace_is_active():
            return fn(*args, **kwargs)
        names = sorted(kwargs)
        values = [*args, *(kwargs[name] for name in names)]
        key = (len(args), *names, *(_kind(v) for v in values), autograd.is_training())
        graph = graphs.get(key)
        if graph is None:
            graph = graphs[key] = _Graph(fn, args, kwargs, [v for v in values if isinstance(v, NDArray)])
        if signature is not None:
            graphs[signature] = graph
        return graph([v for v in values if isinstance(v, NDArray)])

    return call


def _kind(value: Any) -> Any:
    if isinstance(value, NDArray):
        return ("array", value.shape, value._dtype_number, value._device)
    return (type(value), value)


class _Graph:
    """One combination of arguments: the graph, and executors that are free."""

    def __init__(
        self, fn: Callable[..., Result], args: Sequence[Any], kwargs: dict[str, Any], inputs: list[NDArray]
    ) -> None:
        trace = _core.trace_begin(inputs)
        try:
            result = fn(*args, **kwargs)
            self.kind: type = type(result)
            outputs = list(result) if isinstance(result, (list, tuple)) else [result]
            for output in outputs:
                if not isinstance(output, NDArray):
                    raise TypeError(
                        f"[jit] {getattr(fn, '__name__', 'fn')} returned {type(output).__name__}; "
                        "expected NDArray, or a list or tuple of NDArray"
                    )
            handle, self.captured = trace.end(outputs)
        finally:
            trace.close()
        self.symbol = Symbol(handle)
        self.single = isinstance(result, NDArray)
        self.context = (inputs or self.captured or outputs)[0].context
        self.shapes = [(o.shape, o.dtype) for o in outputs]
        self.names = self.symbol.list_arguments()
        self.states = self.symbol.list_auxiliary_states()
        self.training = autograd.is_training()
        self.free: dict[tuple[bool, ...], list[_Free]] = {}
        # Of each argument: its place among the inputs, or -1 for a captured array, which stays the same.
        self.places = tuple(
            int(name.removeprefix("input")) if name.startswith("input") else -1 for name in self.names
        )
        self.nothing_wanted = (False,) * len(self.names)

    def predict(self, inputs: tuple[NDArray, ...]) -> Any:
        """The results without a gradient, while nothing is recorded."""
        free = self.free.get(self.nothing_wanted)
        if not free:
            return self(list(inputs))
        lent = free.pop()
        outputs = lent._handle.run_with(inputs, self.places, len(self.shapes), self.training)
        free.append(lent)
        return self.results(outputs)

    def __call__(self, inputs: list[NDArray]) -> Any:
        arrays = {f"input{i}": x for i, x in reversed(list(enumerate(inputs)))}
        arrays.update((f"captured{i}", x) for i, x in enumerate(self.captured))
        arguments = [arrays[name] for name in self.names]
        run = _Run(self, [arrays[name] for name in self.states])
        return self.results(run(*arguments))

    def results(self, outputs: list[NDArray]) -> Any:
        """What the function returned, with these arrays."""
        if self.single:
            return outputs[0]
        return self.kind(outputs) if self.kind in (list, tuple) else list(outputs)

    def executor(
        self, arguments: Sequence[NDArray], states: Sequence[NDArray], wanted: tuple[bool, ...]
    ) -> _Lent:
        """A free executor, or a new one, that computes the gradients wanted."""
        free = self.free.get(wanted)
        if free:
            handle = free.pop()._handle
            for i, array in enumerate(arguments):
                handle.set_array(_ARGUMENTS, i, array)
            return _Lent(self, wanted, handle)
        pairs = list(zip(arguments, wanted))
        made = bind(
            self.symbol,
            Context(self.context),
            list(arguments),
            [nd.empty(a.shape, ctx=a.context, dtype=a.dtype) if w else None for a, w in pairs],
            ["write" if w else "null" for w in wanted],
            list(states),
            None,
            None,
        )
        return _Lent(self, wanted, made._handle)


class _Lent:
    """An executor in use; it is free again when nothing refers to this any more."""

    def __init__(self, graph: _Graph, wanted: tuple[bool, ...], handle: _core.ExecutorHandle) -> None:
        self.graph = graph
        self.wanted = wanted
        self._handle = handle

    def give_back(self) -> None:
        self.graph.free.setdefault(self.wanted, []).append(_Free(self._handle))


class _Free:
    def __init__(self, handle: _core.ExecutorHandle) -> None:
        self._handle = handle


class _Run(autograd.Function):
    """One call of a graph; its gradient runs the graph's backward part."""

    def __init__(self, graph: _Graph, states: list[NDArray]) -> None:
        super().__init__()
        self.graph = graph
        self.states = states
        self.recording = autograd.is_recording()
        self.lent: Optional[_Lent] = None

    def forward(self, *arguments: NDArray) -> list[NDArray]:
        wanted = tuple(self.recording and a._recorded for a in arguments)
        lent = self.graph.executor(arguments, self.states, wanted)
        made = []
        for i, (shape, dtype) in enumerate(self.graph.shapes):
            old = lent._handle.array(_OUTPUTS, i)
            assert old is not None
            output = nd.empty(shape, ctx=old.context, dtype=dtype)
            lent._handle.set_array(_OUTPUTS, i, output)
            made.append(output)
        lent._handle.forward(self.graph.training)
        if any(wanted):
            self.lent = lent
        else:
            lent.give_back()
        return made

    def backward(self, *output_grads: NDArray) -> list[Optional[NDArray]]:
        if self.lent is None:
            raise MXNetError("[jit] the gradient of this call was computed already; call the function again")
        handle = self.lent._handle
        made: list[Optional[NDArray]] = []
        for i, wanted in enumerate(self.lent.wanted):
            old = handle.array(_GRADIENTS, i) if wanted else None
            if old is None:
                made.append(None)
                continue
            gradient = nd.empty(old.shape, ctx=old.context, dtype=old.dtype)
            handle.set_array(_GRADIENTS, i, gradient)
            made.append(gradient)
        handle.backward(list(output_grads))
        self.lent.give_back()
        self.lent = None
        return made
