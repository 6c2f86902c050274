"""Functions on arrays that are written down as graphs and then run planned (``mx.jit``)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Union

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
        if _core.trace_is_active():
            return fn(*args, **kwargs)
        names = sorted(kwargs)
        values = [*args, *(kwargs[name] for name in names)]
        key = (len(args), *names, *(_kind(v) for v in values), autograd.is_training())
        graph = graphs.get(key)
        if graph is None:
            graph = graphs[key] = _Graph(fn, args, kwargs, [v for v in values if isinstance(v, NDArray)])
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
        _core.trace_begin(inputs)
        try:
            result = fn(*args, **kwargs)
            self.kind: type = type(result)
            outputs = [result] if isinstance(result, NDArray) else list(result)
            for output in outputs:
                if not isinstance(output, NDArray):
                    raise TypeError(
                        f"[jit] {getattr(fn, '__name__', 'fn')} returned {type(output).__name__}; "
                        "expected NDArray, or a list or tuple of NDArray"
                    )
            handle, self.captured = _core.trace_end(outputs)
        finally:
            _core.trace_close()
        self.symbol = Symbol(handle)
        self.single = isinstance(result, NDArray)
        self.context = (inputs or self.captured or outputs)[0].context
        self.shapes = [(o.shape, o.dtype) for o in outputs]
        self.names = self.symbol.list_arguments()
        self.states = self.symbol.list_auxiliary_states()
        self.training = autograd.is_training()
        self.free: dict[bool, list[Any]] = {False: [], True: []}

    def __call__(self, inputs: list[NDArray]) -> Any:
        arrays = {f"input{i}": x for i, x in reversed(list(enumerate(inputs)))}
        arrays.update((f"captured{i}", x) for i, x in enumerate(self.captured))
        arguments = [arrays[name] for name in self.names]
        run = _Run(self, [arrays[name] for name in self.states])
        outputs = run(*arguments)
        if self.single:
            return outputs[0]
        return self.kind(outputs) if self.kind in (list, tuple) else list(outputs)

    def executor(self, arguments: Sequence[NDArray], states: Sequence[NDArray], gradients: bool) -> Any:
        free = self.free[gradients]
        if free:
            handle = free.pop()._handle
            for i, array in enumerate(arguments):
                handle.set_array(_ARGUMENTS, i, array)
            return _Lent(self, gradients, handle)
        made = bind(
            self.symbol,
            Context(self.context),
            list(arguments),
            [nd.empty(a.shape, ctx=a.context, dtype=a.dtype) for a in arguments] if gradients else None,
            "write" if gradients else "null",
            list(states),
            None,
            None,
        )
        return _Lent(self, gradients, made._handle)


class _Lent:
    """An executor in use; it is free again when nothing refers to this any more."""

    def __init__(self, graph: _Graph, gradients: bool, handle: _core.ExecutorHandle) -> None:
        self.graph = graph
        self.gradients = gradients
        self._handle = handle

    def give_back(self) -> None:
        self.graph.free[self.gradients].append(_Free(self._handle))


class _Free:
    def __init__(self, handle: _core.ExecutorHandle) -> None:
        self._handle = handle


class _Run(autograd.Function):
    """One call of a graph; its gradient runs the graph's backward part."""

    def __init__(self, graph: _Graph, states: list[NDArray]) -> None:
        super().__init__()
        self.graph = graph
        self.states = states
        self.gradients = autograd.is_recording()
        self.lent: Any = None

    def forward(self, *arguments: NDArray) -> list[NDArray]:
        lent = self.graph.executor(arguments, self.states, self.gradients)
        made = []
        for i, (shape, dtype) in enumerate(self.graph.shapes):
            output = nd.empty(shape, ctx=lent._handle.array(_OUTPUTS, i).context, dtype=dtype)
            lent._handle.set_array(_OUTPUTS, i, output)
            made.append(output)
        lent._handle.forward(self.graph.training)
        if self.gradients:
            self.lent = lent
        else:
            lent.give_back()
        return made

    def backward(self, *output_grads: NDArray) -> list[NDArray]:
        if self.lent is None:
            raise MXNetError("[jit] the gradient of this call was computed already; call the function again")
        handle = self.lent._handle
        made = []
        for i in range(len(self.graph.names)):
            old = handle.array(_GRADIENTS, i)
            assert old is not None
            gradient = nd.empty(old.shape, ctx=old.context, dtype=old.dtype)
            handle.set_array(_GRADIENTS, i, gradient)
            made.append(gradient)
        handle.backward(list(output_grads))
        self.lent.give_back()
        self.lent = None
        return made
