"""What a check runs: a function of arrays with recorded gradients, or a symbol in an executor."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Optional, Union

import numpy as np
import numpy.typing as npt

from .. import autograd
from .. import ndarray as nd
from ..context import Context
from ..ndarray import NDArray
from ..symbol import Symbol

__all__ = [
    "Array",
    "BoundSubject",
    "Function",
    "Location",
    "Subject",
    "bound_subject",
    "kind_of",
    "named_values",
    "subject_of",
    "values",
]

Array = npt.NDArray[Any]
Location = Union[Sequence[Any], Mapping[str, Any]]
Function = Callable[..., Any]
MakeWeights = Callable[[list[Array]], list[Array]]


def values(value: Any) -> Array:
    """As a NumPy array."""
    return value.asnumpy() if isinstance(value, NDArray) else np.asarray(value)


def named_values(given: Optional[Location], names: Sequence[str], who: str) -> dict[str, Array]:
    """Values by name: of a dict, or in order of ``names``."""
    if given is None:
        return {}
    if isinstance(given, Mapping):
        unknown = sorted(given.keys() - set(names))
        if unknown:
            raise ValueError(f"[{who}] there is no {unknown[0]!r}; there are {list(names)}")
        return {name: values(value) for name, value in given.items()}
    if len(given) != len(names):
        raise ValueError(f"[{who}] {len(given)} values for {list(names)}")
    return {name: values(value) for name, value in zip(names, given)}


def sparse_of(given: Optional[Location], names: Sequence[str]) -> dict[str, NDArray]:
    """The sparse arrays among values that are given by name or in order of ``names``."""
    named = given.items() if isinstance(given, Mapping) else zip(names, given or ())
    return {name: one for name, one in named if isinstance(one, NDArray) and one.stype != "default"}


class Subject(ABC):
    """Something with inputs by name that gives outputs and gradients."""

    inputs: dict[str, Array]

    @abstractmethod
    def outputs(self, inputs: Mapping[str, Array], ctx: Context, dtype: Any, train: bool) -> list[Array]:
        """Its outputs."""

    @abstractmethod
    def gradients(
        self,
        inputs: Mapping[str, Array],
        requests: Mapping[str, str],
        starts: Mapping[str, Array],
        weigh: MakeWeights,
        ctx: Context,
        dtype: Any,
        train: bool,
    ) -> tuple[list[Array], dict[str, Array]]:
        """Outputs, and gradients of the sum of outputs times ``weigh(outputs)``.

        ``requests`` says ``'write'``, ``'add'`` (to ``starts``) or ``'null'`` by input.
        """


class _Recorded(Subject):
    def __init__(self, function: Function, location: Location) -> None:
        self._function = function
        self._named = isinstance(location, Mapping)
        items = location.items() if isinstance(location, Mapping) else enumerate(location)
        self.inputs = {str(name): values(value) for name, value in items}

    def _call(self, arrays: Mapping[str, NDArray]) -> list[NDArray]:
        result = self._function(**arrays) if self._named else self._function(*arrays.values())
        return list(result) if isinstance(result, (list, tuple)) else [result]

    def outputs(self, inputs: Mapping[str, Array], ctx: Context, dtype: Any, train: bool) -> list[Array]:
        with autograd.pause(train_mode=train):
            return [values(out) for out in self._call(_placed(inputs, ctx, dtype))]

    def gradients(
        self,
        inputs: Mapping[str, Array],
        requests: Mapping[str, str],
        starts: Mapping[str, Array],
        weigh: MakeWeights,
        ctx: Context,
        dtype: Any,
        train: bool,
    ) -> tuple[list[Array], dict[str, Array]]:
        arrays = _placed(inputs, ctx, dtype)
        for name, request in requests.items():
            arrays[name].attach_grad(grad_req=request)
            gradient = arrays[name].grad
            if name in starts and gradient is not None:
                gradient[:] = nd.array(starts[name], ctx=ctx, dtype=gradient.dtype)
        with autograd.record(train_mode=train):
            outputs = self._call(arrays)
        found = [values(out) for out in outputs]
        heads = [nd.array(w, ctx=ctx, dtype=out.dtype) for w, out in zip(weigh(found), outputs)]
        autograd.backward(outputs, heads)
        return found, {name: values(arrays[name].grad) for name, r in requests.items() if r != "null"}


class BoundSubject(Subject):
    """A symbol in an executor."""

    def __init__(self, symbol: Symbol, location: Location, aux_states: Optional[Location]) -> None:
        self._symbol = symbol
        self.inputs = named_values(location, symbol.list_arguments(), "test_utils location")
        missing = [name for name in symbol.list_arguments() if name not in self.inputs]
        if missing:
            raise ValueError(f"[test_utils] location has no {missing[0]!r}")
        self._given = sparse_of(location, symbol.list_arguments())
        self._given.update(sparse_of(aux_states, symbol.list_auxiliary_states()))
        self._states = named_values(aux_states, symbol.list_auxiliary_states(), "test_utils aux_states")
        shapes = {name: value.shape for name, value in self.inputs.items()}
        for name, shape in zip(symbol.list_auxiliary_states(), symbol.infer_shape(**shapes)[2]):
            self._states.setdefault(name, np.ones(shape) if name.endswith("var") else np.zeros(shape))
        self.heads: list[NDArray] = []  # gradients of the outputs, as they are
        self.grad_stypes: Mapping[str, str] = {}  # storage types of gradients that are not dense
        self._kept: Any = None

    @property
    def executor(self) -> Any:
        """What ran last."""
        return self._kept[1]

    def _placed(self, inputs: Mapping[str, Array], ctx: Context, dtype: Any) -> dict[str, NDArray]:
        """As arrays, stored like those that were given for the symbol."""
        placed = _placed(inputs, ctx, dtype)
        for name, given in self._given.items():
            if name not in placed:
                continue
            if np.array_equal(values(given), values(placed[name])):
                placed[name] = given.astype(placed[name].dtype)  # with all that it stores
            else:
                placed[name] = placed[name].tostype(given.stype)
        return placed

    def _bind(
        self, inputs: Mapping[str, Array], requests: Mapping[str, str], ctx: Context, dtype: Any
    ) -> Any:
        """An executor over fresh states and these inputs; the one of the call before where it fits."""
        kinds = tuple(np.dtype(kind_of(value, dtype)).name for value in inputs.values())
        key = (ctx, kinds, tuple(sorted(requests.items())))
        args, states = self._placed(inputs, ctx, dtype), self._placed(self._states, ctx, dtype)
        if self._kept is None or self._kept[0] != key:
            grads = {
                name: nd.zeros(
                    args[name].shape, ctx, args[name].dtype, self.grad_stypes.get(name) or "default"
                )
                for name, value in args.items()
                if requests.get(name, "null") != "null"
            }
            every = {name: requests.get(name, "null") for name in args}
            self._kept = key, self._symbol.bind(ctx, args, grads, every, states)
        exe = self._kept[1]
        for arrays, given in ((exe.arg_dict, args), (exe.aux_dict, states)):
            for name, value in given.items():
                if arrays[name] is not value:
                    value.copyto(arrays[name])
        return exe

    def outputs(self, inputs: Mapping[str, Array], ctx: Context, dtype: Any, train: bool) -> list[Array]:
        return [values(out) for out in self._bind(inputs, {}, ctx, dtype).forward(is_train=train)]

    def gradients(
        self,
        inputs: Mapping[str, Array],
        requests: Mapping[str, str],
        starts: Mapping[str, Array],
        weigh: MakeWeights,
        ctx: Context,
        dtype: Any,
        train: bool,
    ) -> tuple[list[Array], dict[str, Array]]:
        exe = self._bind(inputs, requests, ctx, dtype)
        for name, start in starts.items():
            gradient = exe.grad_dict[name]
            gradient[:] = nd.array(start, ctx=ctx, dtype=gradient.dtype).tostype(gradient.stype)
        found = [values(out) for out in exe.forward(is_train=True)]
        heads = [nd.array(w, ctx=ctx, dtype=out.dtype) for w, out in zip(weigh(found), exe.outputs)]
        exe.backward(self.heads or heads)
        return found, {name: values(exe.grad_dict[name]) for name, r in requests.items() if r != "null"}


def kind_of(value: Array, dtype: Any) -> Any:
    """The dtype in which a value is used: ``dtype``, or with 'asnumpy' its own."""
    return value.dtype if isinstance(dtype, str) and dtype == "asnumpy" else dtype


def _placed(inputs: Mapping[str, Array], ctx: Context, dtype: Any) -> dict[str, NDArray]:
    return {name: nd.array(value, ctx=ctx, dtype=kind_of(value, dtype)) for name, value in inputs.items()}


def subject_of(function: Any, location: Location, aux_states: Optional[Location] = None) -> Subject:
    """A symbol bound to ``location``, or a function of arrays."""
    if isinstance(function, Symbol):
        return BoundSubject(function, location, aux_states)
    if not callable(function):
        kind = type(function).__name__
        raise TypeError(f"[test_utils] expected a symbol or a function of arrays, got {kind}")
    if aux_states is not None:
        raise ValueError("[test_utils] aux_states belong to symbols; this is a function")
    return _Recorded(function, location)


def bound_subject(who: str, sym: Any, location: Location, aux_states: Optional[Location]) -> BoundSubject:
    """The same of what must be a symbol."""
    if not isinstance(sym, Symbol):
        raise TypeError(f"[{who}] sym is {type(sym).__name__}; expected a Symbol")
    return BoundSubject(sym, location, aux_states)
