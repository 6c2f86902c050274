"""Functions on arrays that are written down as graphs and then run planned (``mx.jit``)."""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any, Union

from . import _core, _guards, autograd
from ._guards import constant
from .ndarray import NDArray

__all__ = ["jit"]

# Graphs of one function that are more than shapes alone explain.
_MANY = 1000
# Graphs of one signature that are kept, for modules as they were at other times.
_KEPT = 8
# How often one attribute of a module may have had another value before calls run without a graph.
_CHANGES = 16

Result = Union[NDArray, list[NDArray], tuple[NDArray, ...]]


def jit(fn: Callable[..., Result]) -> Callable[..., Any]:
    """``fn`` as a planned graph, made once for each combination of shapes, dtypes and other arguments.

    The function is called once per combination, without computing anything, to write down its operators;
    later calls run the graph. Arrays that it uses but does not take as arguments, such as weights, keep their
    identity: the graph reads what they hold when it runs. Gradients flow through the call to both; gradients
    of gradients do not.

    Attributes of ``mx.nn`` modules that the function read are looked at again once any module has changed:
    where one is another thing, the function is called anew, or an earlier graph serves that fits. Of a module
    it makes an object that has the module's attributes and methods, and the module itself in
    ``__wrapped__``.

    Parameters
    ----------
    fn : function or Module
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
    >>> net = mx.jit(mx.nn.Dropout(0.5))
    >>> net.eval()(mx.np.ones((2,)))
    array([1., 1.])
    """
    if not callable(fn):
        raise TypeError(f"[jit] got {type(fn).__name__}; expected a function")
    if type(fn) is PlannedModule:
        return fn
    modules = sys.modules.get(f"{__package__}.nn.module")
    if modules is not None and isinstance(fn, modules.Module):
        return PlannedModule(fn)
    graphs = _Graphs(fn)
    ready, signature_of = graphs.ready, _core.call_signature

    @functools.wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not kwargs:
            graph = ready.get(signature_of(args))  # no graph has the signature None
            if graph is not None:
                return graph(*args)
        return graphs.call(args, kwargs)

    return call


class PlannedModule:
    """A module whose calls run planned graphs; all else is the module's own."""

    __slots__ = ("__weakref__", "_graphs", "_module", "_ready")
    _graphs: _Graphs
    _module: Any
    _ready: dict[Any, Any]

    def __init__(self, module: Any) -> None:
        for name, value in (("_module", module), ("_graphs", _Graphs(module))):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_ready", self._graphs.ready)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the graph."""
        if not kwargs:
            graph = self._ready.get(_core.call_signature(args))
            if graph is not None:
                return graph(*args)
        return self._graphs.call(args, kwargs)

    @property
    def __wrapped__(self) -> Any:
        """The module."""
        return self._module

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """The module's class, so that it may stand where modules do."""
        return type(self._module)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._module, name)
        # train() and its like return the module: a chain of them shall not lose the graph.
        return _Returning(self, found) if name in _CHAINS else found

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._module, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._module, name)

    def __dir__(self) -> list[str]:
        return dir(self._module)

    def __repr__(self) -> str:
        return f"mx.jit({self._module!r})"

    def __reduce__(self) -> Any:
        return jit, (self._module,)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.__reduce__()

    # Of containers.

    def __bool__(self) -> bool:
        return bool(self._module)

    def __len__(self) -> int:
        return len(self._module)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._module)

    def __contains__(self, item: Any) -> bool:
        return item in self._module

    def __getitem__(self, key: Any) -> Any:
        return self._module[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._module[key] = value

    def __delitem__(self, key: Any) -> None:
        del self._module[key]


# Methods that return the module.
_CASTS = ("bfloat16", "cpu", "cuda", "double", "float", "half", "to", "type")
_CHAINS = frozenset(("apply", "eval", "requires_grad_", "train", *_CASTS))


class _Returning:
    """A method that returns the planned module where the module's own returns the module."""

    __slots__ = ("_method", "_planned")

    def __init__(self, planned: PlannedModule, method: Any) -> None:
        self._planned, self._method = planned, method

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        found = self._method(*args, **kwargs)
        return self._planned if found is self._planned._module else found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._method, name)

    def __repr__(self) -> str:
        return repr(self._method)


class _Graphs:
    """The graphs of one function, by signature: ``ready`` has those that hold until a module changes."""

    __slots__ = ("__weakref__", "_changes", "_count", "_fn", "_kept", "_plain", "_told", "ready")

    def __init__(self, fn: Callable[..., Result]) -> None:
        self._fn = fn
        self.ready: dict[Any, Any] = {}
        # The last used first. The function itself stands for a graph where there can be none.
        self._kept: dict[Any, list[tuple[Any, _guards.Guards]]] = {}
        self._changes: dict[Any, int] = {}
        self._count = 0
        self._plain = self._told = False

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call whose graph is not ready."""
        fn = self._fn
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
            graph = self.ready.get(signature)
        except TypeError as error:
            raise TypeError(
                f"[jit] an argument of {_name(fn)} is no array and no key of dictionaries: {error}; expected "
                "arrays, numbers, text or tuples of these"
            ) from None
        if graph is None:
            graph = fn if self._plain else self._graph(signature, args, kwargs)
        return fn(*args, **kwargs) if graph is fn else graph(*arrays)

    def _graph(self, signature: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """One that fits the modules as they are now; the function itself where calls run without one."""
        now = _guards.now()
        kept = self._kept.get(signature, [])
        causes = []
        for pair in kept:
            known, guards = pair
            broken = guards.broken()
            if broken is None:
                if pair is not kept[0]:
                    self._kept[signature] = [pair, *(one for one in kept if one is not pair)]
                guards.make_ready(self, signature, known, now)
                return known
            causes.append(broken)
        if causes and self._varies(signature, *causes[0]):
            return self._fn
        graph: Any = self._fn
        try:
            with _guards.reading() as reads:
                guards, now = reads.guards, _guards.now()
                graph = _trace(self._fn, args, kwargs, reads)
        except _guards.NoGraphError as error:
            if not self._told:
                self._told = True
                message = f"[jit] {_name(self._fn)} runs without a graph: {error}"
                warnings.warn(message, stacklevel=4)
        self._kept[signature] = [(graph, guards), *(one for one in kept if not one[1].is_gone())][:_KEPT]
        guards.make_ready(self, signature, graph, now)
        self._count += graph is not self._fn
        if self._count == _MANY:
            warnings.warn(
                f"[jit] {_name(self._fn)} has {_MANY} graphs, one for each value of its arguments; give what "
                "changes with each call as an array",
                stacklevel=4,
            )
        return graph

    def _varies(self, signature: Any, module: Any, name: str) -> bool:
        """Whether an attribute has changed too often; calls run without a graph from then on."""
        key = signature, id(module), name
        self._changes[key] = self._changes.get(key, 0) + 1
        if self._changes[key] < _CHANGES:
            return False
        self._plain = True
        self.ready.clear()
        self._kept.clear()
        warnings.warn(
            f"[jit] {_name(self._fn)} was written down {_CHANGES} times since {name!r} of "
            f"{type(module).__name__} had another value each time, and runs without a graph from now on; "
            "give what changes with each call as an argument, or as an array whose values change",
            stacklevel=5,
        )
        return True


def _name(fn: Any) -> str:
    return getattr(fn, "__name__", type(fn).__name__)


def _kind(value: Any) -> Any:
    return _core.call_signature((value,)) if isinstance(value, NDArray) else constant(value)


class _Moving:
    """A graph whose last outputs are what states, such as running means, and attributes are after a run."""

    __slots__ = ("_assigned", "_graph", "_many", "_states", "_visible")

    def __init__(self, graph: Any, visible: int, states: list[NDArray], assigned: Any, many: Any) -> None:
        self._graph, self._visible, self._many = graph, visible, many
        self._states, self._assigned = states, assigned

    def __call__(self, *arrays: NDArray) -> Any:
        found = self._graph(*arrays)
        rest = iter(found[self._visible :])
        before = _core.set_recording(False)
        try:
            for array in self._states:
                next(rest).copyto(array)
        finally:
            _core.set_recording(before)
        for (ref, name), value in zip(self._assigned, rest):
            _guards.assign(ref(), name, value)
        return found[0] if self._many is None else found[: self._visible]


def _trace(
    fn: Callable[..., Result],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    reads: _guards.Reads,
) -> Any:
    """The graph of a call, in which other arrays stand for the arguments: these may have other uses, too."""
    inputs: list[NDArray] = []

    def stand_in(value: Any) -> Any:
        if not isinstance(value, NDArray):
            return value
        inputs.append(_core.stand_in(value))
        return inputs[-1]

    given = [stand_in(value) for value in args]
    named = {name: stand_in(kwargs[name]) for name in sorted(kwargs)}
    # What pauses recording inside the function is told from a first call that is not recorded.
    recorded = _core.set_recording(True)
    trace = None
    try:
        trace = _core.trace_begin(inputs)
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
        assigned = reads.settle()
        states = reads.states.values()
        if not (assigned or states):
            return trace.end(outputs, many, reads.arrays())
        hidden = [value for _, value in states] + [value for _, _, value in assigned]
        graph = trace.end(outputs + hidden, many or list, reads.arrays())
        targets = [(ref, name) for ref, name, _ in assigned]
        return _Moving(graph, len(outputs), [array for array, _ in states], targets, many)
    finally:
        if trace is not None:
            trace.close()
        _core.set_recording(recorded)
