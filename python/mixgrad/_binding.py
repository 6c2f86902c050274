"""From symbols and arrays to executors: what :meth:`Symbol.bind` and :meth:`Symbol.simple_bind` do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

import numpy as np

from . import _core
from . import ndarray as nd
from ._hints import near
from .base import (
    STORAGE_TYPES,
    DTypeLike,
    NotFoundError,
    ShapeError,
    dtype_number,
    extents,
    grad_req_number,
    grad_reqs_of,
    numpy_type,
    storage_number,
)
from .context import Context, chosen_context
from .executor import _ARGUMENTS, _AUXILIARY, _GRADIENTS, Arrays, Executor, Requests
from .ndarray import NDArray

if TYPE_CHECKING:
    from .symbol import Symbol

__all__ = ["bind", "simple_bind"]

Groups = Mapping[str, Union[Context, str]]

_FLOAT32_IF_OPEN = -2  # as a dtype given to infer()


def _ordered(what: str, arrays: Arrays, names: list[str], allow_missing: bool) -> list[Optional[NDArray]]:
    if isinstance(arrays, Mapping):
        missing = [name for name in names if name not in arrays]
        if missing and not allow_missing:
            raise NotFoundError(f"[bind] {what} lacks {', '.join(missing)}; it has {', '.join(arrays)}")
        found = [arrays.get(name) for name in names]
    else:
        if not isinstance(arrays, (list, tuple)):
            raise TypeError(
                f"[bind] {what} is {type(arrays).__name__}; expected a list of NDArray or a dict by name"
            )
        found = list(arrays)
        if len(found) != len(names):
            raise ValueError(
                f"[bind] {what} has {len(found)} arrays; expected {len(names)}: {', '.join(names)}"
            )
    for name, array in zip(names, found):
        if not isinstance(array, NDArray) and not (allow_missing and array is None):
            raise TypeError(f"[bind] {what} has {type(array).__name__} for {name}; expected NDArray")
    return found


class _Places(NamedTuple):
    """Where groups of nodes are: devices of this process, or of the workers of a store."""

    groups: list[tuple[str, tuple[int, int]]]
    store: Optional[_core.KVStore] = None
    workers: Sequence[int] = ()  # with a store: whose device a group's is

    def devices(self, symbol: Symbol, device: Context, part: int, count: int) -> list[Context]:
        """Where the arguments, or the states, lie."""
        if not self.groups:
            return [device] * count
        found = _core.place(symbol._handle, device.numbers, self.groups, part, count)
        return [Context(Context.devtype2str[kind], number) for kind, number in found]

    def ranks(self, symbol: Symbol, part: int, names: list[str]) -> dict[str, int]:
        """Which worker has each argument, or state: 0 without a group. Nothing without a store."""
        if self.store is None:
            return {}
        kind, _ = Context("cpu", 0).numbers
        groups = [(name, (kind, rank)) for (name, _), rank in zip(self.groups, self.workers)]
        found = _core.place(symbol._handle, (kind, 0), groups, part, len(names))
        return {name: rank for name, (_, rank) in zip(names, found)}


def _places(group2ctx: Optional[Groups]) -> _Places:
    if not group2ctx:
        return _Places([])
    if not isinstance(group2ctx, Mapping):
        raise TypeError(f"[bind] group2ctx is {type(group2ctx).__name__}; expected a dict of Context by name")
    groups, workers = [], []
    for name, given in group2ctx.items():
        worker, ctx = _of_worker(name, given) if isinstance(given, str) else (None, given)
        if not isinstance(ctx, Context):
            raise TypeError(
                f"[bind] group2ctx has {type(ctx).__name__} for {name}; expected a Context, or text such as "
                "'worker:1/cpu(0)'"
            )
        groups.append((name, ctx.numbers))
        workers.append(worker)
    if all(worker is None for worker in workers):
        return _Places(groups)
    ranks = [worker for worker in workers if worker is not None]
    if len(ranks) != len(workers):
        raise ValueError(
            f"[bind] group2ctx has {group2ctx}; expected a worker's device for all groups, such as "
            "'worker:0/cpu(0)', or for none"
        )
    from .kvstore._worker import open_collective

    return _Places(groups, open_collective("bind")._core_store, ranks)


def _of_worker(name: str, given: str) -> tuple[int, Context]:
    """What 'worker:1/cpu(0)' says."""
    found = re.fullmatch(r"worker:(\d{1,9})/(\w+?)(?:\((\d{1,9})\))?", given, re.ASCII)
    if not found:
        raise ValueError(
            f"[bind] group2ctx has {given!r:.60} for {name}; expected a Context, or a worker's device such "
            "as 'worker:1/cpu(0)'"
        )
    return int(found[1]), Context(found[2], int(found[3] or 0))


def _requests(grad_req: Requests, names: list[str]) -> list[int]:
    return [grad_req_number(word, "bind") for word in grad_reqs_of(grad_req, names, "bind")]


def bind(
    symbol: Symbol,
    ctx: Optional[Context],
    args: Arrays,
    args_grad: Optional[Arrays],
    grad_req: Requests,
    aux_states: Optional[Arrays],
    group2ctx: Optional[Groups],
    shared_exec: Optional[Executor],
) -> Executor:
    """See :meth:`Symbol.bind`."""
    names, states = symbol.list_arguments(), symbol.list_auxiliary_states()
    device = chosen_context(ctx, "bind")
    gradients = [None] * len(names) if args_grad is None else _ordered("args_grad", args_grad, names, True)
    arrays = (
        _ordered("args", args, names, False),
        gradients,
        _ordered("aux_states", aux_states or [], states, False),
    )
    requests = _requests(grad_req, names)
    names_of = (names, states)
    # What has no array has no gradient, whoever has the argument.
    requests = [request if gradient is not None else 0 for request, gradient in zip(requests, arrays[1])]
    return _bound(symbol, device, names_of, arrays, grad_req, requests, _places(group2ctx), shared_exec)


def _bound(
    symbol: Symbol,
    device: Context,
    names: tuple[list[str], list[str]],
    arrays: tuple[list[Any], list[Any], list[Any]],
    grad_req: Requests,
    requests: list[int],
    places: _Places,
    shared_exec: Optional[Executor],
    inference: Optional[_core.InferenceHandle] = None,
) -> Executor:
    """An executor over arguments, their gradients, and auxiliary states."""
    arguments, gradients, states = arrays
    handle = _core.ExecutorHandle(
        symbol._handle,
        arguments,
        gradients,
        requests,
        states,
        device.numbers,
        shared_exec._handle if shared_exec else None,
        places.groups,
        inference,
        places.store,
        places.workers,
    )
    made = Executor(handle, symbol, device, grad_req, names)
    if places.store is not None:
        made._rank = places.store.rank
        made.arg_workers = places.ranks(symbol, _ARGUMENTS, names[0])
        made.aux_workers = places.ranks(symbol, _AUXILIARY, names[1])
    return made


def simple_bind(
    symbol: Symbol,
    ctx: Optional[Context],
    grad_req: Requests,
    type_dict: Optional[Mapping[str, DTypeLike]],
    stype_dict: Optional[Mapping[str, str]],
    group2ctx: Optional[Groups],
    shared_arg_names: Optional[Sequence[str]],
    shared_exec: Optional[Executor],
    shared_buffer: Optional[dict[str, NDArray]],
    shapes: Mapping[str, Sequence[int]],
) -> Executor:
    """See :meth:`Symbol.simple_bind`."""
    device = chosen_context(ctx, "simple_bind")
    arguments, states, inference = _inferred(symbol, shapes, type_dict or {})
    stored = [(name, storage_number(stype, "simple_bind")) for name, stype in (stype_dict or {}).items()]
    kinds = {
        part: [STORAGE_TYPES[k] for k in inference.storages(part, count, stored)]
        for part, count in (
            (_ARGUMENTS, len(arguments)),
            (_GRADIENTS, len(arguments)),
            (_AUXILIARY, len(states)),
        )
    }
    requests = _requests(grad_req, [name for name, _, _ in arguments])
    places = _places(group2ctx)
    names = ([name for name, _, _ in arguments], [name for name, _, _ in states])
    arg_devices = places.devices(symbol, device, _ARGUMENTS, len(arguments))
    aux_devices = places.devices(symbol, device, _AUXILIARY, len(states))
    # What another worker has takes no memory here, unless somebody writes it; and its gradient has no array.
    rank = None if places.store is None else places.store.rank
    elsewhere = {
        name
        for part, listed in zip((_ARGUMENTS, _AUXILIARY), names)
        for name, worker in places.ranks(symbol, part, listed).items()
        if worker != rank
    }
    lend = _Lender(shared_arg_names, shared_exec, shared_buffer, elsewhere)
    bound = [
        lend.argument(*one, ctx, stype) for one, ctx, stype in zip(arguments, arg_devices, kinds[_ARGUMENTS])
    ]
    gradients = [
        lend.gradient(*one, ctx, stype) if request and one[0] not in elsewhere else None
        for one, ctx, stype, request in zip(arguments, arg_devices, kinds[_GRADIENTS], requests)
    ]
    auxiliaries = [
        lend.state(*one, ctx, stype) for one, ctx, stype in zip(states, aux_devices, kinds[_AUXILIARY])
    ]
    arrays = (bound, gradients, auxiliaries)
    return _bound(symbol, device, names, arrays, grad_req, requests, places, shared_exec, inference)


Variable = tuple[str, tuple[int, ...], Any]  # name, shape, dtype


def _of_graph(symbol: Symbol, shapes: Mapping[str, Any]) -> Mapping[str, Any]:
    """The shapes without words that are neither shapes nor arguments of the graph; MXNet takes any."""
    words = [name for name, given in shapes.items() if given is None or isinstance(given, (str, bool, dict))]
    if not words:
        return shapes
    known = {*symbol.list_arguments(), *symbol.list_auxiliary_states()}
    return {name: given for name, given in shapes.items() if name not in words or name in known}


def _inferred(
    symbol: Symbol, shapes: Mapping[str, Sequence[int]], dtypes: Mapping[str, DTypeLike]
) -> tuple[list[Variable], list[Variable], _core.InferenceHandle]:
    shapes = _of_graph(symbol, shapes)
    # float32 where nothing says otherwise: first of the arguments named, from which the others follow.
    names = list(dict.fromkeys([*shapes, *dtypes]))
    sizes = [extents(shapes[name], name) if name in shapes else None for name in names]
    given = [dtype_number(dtypes[name]) if name in dtypes else _FLOAT32_IF_OPEN for name in names]
    inference = symbol._handle.infer_arrays(names, sizes, given)
    arguments, states = inference.part(_ARGUMENTS), inference.part(_AUXILIARY)
    if not inference.has_shapes() or not inference.has_dtypes():
        unknown = [
            name
            for name, shape, dtype in zip(*arguments)
            if shape is None or min(shape, default=0) < 0 or dtype < 0
        ]
        strangers = [
            f"; no argument is called {n!r}{near(n, arguments[0])}" for n in names if n not in arguments[0]
        ]
        raise ShapeError(
            f"[simple_bind] shapes or dtypes of {', '.join(unknown) or 'inner values'} do not follow from "
            f"{dict(shapes)}; give them too{''.join(strangers[:1])}"
        )

    def listed(part: tuple[list[str], list[Optional[tuple[int, ...]]], list[int]]) -> list[Variable]:
        return [(name, tuple(shape or ()), numpy_type(dtype)) for name, shape, dtype in zip(*part)]

    return listed(arguments), listed(states), inference


class _Lender:
    """Arrays of a new executor: taken from another one where they fit, else made."""

    def __init__(
        self,
        names: Optional[Sequence[str]],
        executor: Optional[Executor],
        buffer: Optional[dict[str, NDArray]],
        elsewhere: Set[str],
    ) -> None:
        if executor is not None and not isinstance(executor, Executor):
            raise TypeError(f"[bind] shared_exec is {type(executor).__name__}; expected an Executor")
        self.names = set(names or ())
        self.args = executor.arg_dict if executor else {}
        self.grads = executor.grad_dict if executor else {}
        self.states = executor.aux_dict if executor else {}
        self.buffer = buffer
        self.elsewhere = elsewhere

    def _made(self, name: str, shape: tuple[int, ...], dtype: Any, ctx: Context, stype: str) -> NDArray:
        if name in self.elsewhere and stype == "default":
            return _core.create_later(shape, dtype_number(dtype), ctx.numbers)
        return nd.zeros(shape, ctx=ctx, dtype=dtype, stype=stype)

    def argument(
        self, name: str, shape: tuple[int, ...], dtype: Any, ctx: Context, stype: str = "default"
    ) -> NDArray:
        if name in self.names and name in self.args:
            return self._shared(name, self.args[name], shape, dtype, stype)
        if stype != "default":
            return self._made(name, shape, dtype, ctx, stype)
        if name not in self.names and self.buffer is not None:
            kept = self.buffer.get(name)
            size = int(np.prod(shape))
            if kept is not None and kept.dtype == dtype and kept.size >= size:
                return kept if kept.shape == shape else kept.reshape((-1,))[:size].reshape(shape)
            self.buffer[name] = made = self._made(name, shape, dtype, ctx, stype)
            return made
        return self._made(name, shape, dtype, ctx, stype)

    def gradient(
        self, name: str, shape: tuple[int, ...], dtype: Any, ctx: Context, stype: str = "default"
    ) -> NDArray:
        kept = self.grads.get(name) if name in self.names else None
        return nd.zeros(shape, ctx=ctx, dtype=dtype, stype=stype) if kept is None else kept

    def state(
        self, name: str, shape: tuple[int, ...], dtype: Any, ctx: Context, stype: str = "default"
    ) -> NDArray:
        kept = self.states.get(name)
        if kept is not None and kept.shape == shape and kept.dtype == dtype and kept.stype == stype:
            return kept
        return self._made(name, shape, dtype, ctx, stype)

    @staticmethod
    def _shared(name: str, array: NDArray, shape: tuple[int, ...], dtype: Any, stype: str) -> NDArray:
        if array.shape != shape or array.dtype != dtype or array.stype != stype:
            raise ShapeError(
                f"[simple_bind] {name} is {array.shape} {array.dtype} {array.stype} in shared_exec; this "
                f"graph needs {shape} {np.dtype(dtype)} {stype}"
            )
        return array
