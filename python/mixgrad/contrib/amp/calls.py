"""Functions of ``mx.nd`` and ``mx.sym`` that cast what they are given."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ... import _core
from ... import ndarray as nd
from ... import symbol as sym
from ...base import DTYPE_NAMES
from ...ndarray import NDArray
from ...symbol import Symbol
from ...symbol.functions import operator as _operator
from .convert import Precisions
from .loss_scaler import LossScaler

__all__ = ["Wrapped", "wrap"]

Function = Callable[..., Any]
_FLOATS = ("float16", "bfloat16", "float32")
# As they are without mixed precision: functions that cast call nothing that casts.
_nd_cast: Function = nd.amp_cast
_sym_cast: Any = _operator("amp_cast", "amp_cast")
_sym_multicast: Any = _operator("amp_multicast", "amp_multicast")
_LOSSES = ("SoftmaxOutput", "LinearRegressionOutput", "LogisticRegressionOutput", "MAERegressionOutput")


class Wrapped(list[tuple[Any, str, Any]]):
    """Functions that were replaced: module, name and what the module had itself, if anything."""

    def undo(self) -> None:
        """Put them back."""
        for module, name, before in reversed(self):
            if before is None:
                delattr(module, name)
            else:
                setattr(module, name, before)
        self.clear()


def _dtype(value: Any) -> str:
    return DTYPE_NAMES[value._dtype_number] if isinstance(value, NDArray) else ""


def _cast(value: Any, dtype: str) -> Any:
    if isinstance(value, Symbol):
        return _sym_cast(value, dtype=dtype)
    if _dtype(value) in _FLOATS and _dtype(value) != dtype:
        return _nd_cast(value, dtype=dtype)
    return value


def _in_place(kwargs: Mapping[str, Any], args: Sequence[Any]) -> bool:
    """Whether the result goes into an array that is read, whose dtype then stays."""
    out = kwargs.get("out")
    outs = out if isinstance(out, (list, tuple)) else () if out is None else (out,)
    given = {id(one) for one in (*args, *(one for name, one in kwargs.items() if name != "out"))}
    return any(id(one) in given for one in outs)


def _to(
    function: Function, dtype: str, full: Sequence[str], conditions: Sequence[tuple[str, Sequence[str]]]
) -> Function:
    """The function with its arrays and symbols cast, but those whose places or names are in ``full``."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if conditions and not any(kwargs.get(name) in values for name, values in conditions):
            return function(*args, **kwargs)
        if "out" in kwargs and _in_place(kwargs, args):
            return function(*args, **kwargs)
        given = [
            one if place < len(full) and full[place] else _cast(one, dtype) for place, one in enumerate(args)
        ]
        named = {
            name: one if name in full or name == "out" else _cast(one, dtype) for name, one in kwargs.items()
        }
        made = function(*given, **named)
        return _cast_variables(made, dtype, full) if isinstance(made, Symbol) else made

    return call


def _cast_variables(made: Symbol, dtype: str, full: Sequence[str]) -> Symbol:
    """A node with casts of the variables that it made itself, such as weights."""
    children, states = made.get_children(), set(made.list_auxiliary_states())
    if children is None:
        return made
    variables: dict[str, Any] = {
        str(child.name): _sym_cast(child, dtype=dtype)
        for place, child in enumerate(children)
        if child.get_children() is None
        and child.name not in states
        and not (place < len(full) and full[place])
    }
    return made(**variables) if variables else made


def _to_widest(function: Function, low: str) -> Function:
    """The function with all its arrays in float32 if one is."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if "out" in kwargs and _in_place(kwargs, args):
            return function(*args, **kwargs)
        values = [*args, *(one for name, one in kwargs.items() if name != "out")]
        symbols = [one for one in values if isinstance(one, Symbol)]
        if len(symbols) > 1:
            cast = iter(list(_sym_multicast(*symbols, num_outputs=len(symbols))))
            args = tuple(next(cast) if isinstance(one, Symbol) else one for one in args)
            kwargs = {name: next(cast) if isinstance(one, Symbol) else one for name, one in kwargs.items()}
        elif any(_dtype(one) == "float32" for one in values):
            args = tuple(_cast(one, "float32") if _dtype(one) == low else one for one in args)
            kwargs = {
                name: _cast(one, "float32") if name != "out" and _dtype(one) == low else one
                for name, one in kwargs.items()
            }
        return function(*args, **kwargs)

    return call


def _scaled(function: Function, scaler: LossScaler) -> Function:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        kwargs["grad_scale"] = kwargs.get("grad_scale", 1.0) * scaler.loss_scale
        return function(*args, **kwargs)

    return call


def _warned(function: Function) -> Function:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        logging.warning("AMP: %s has no loss scale in graphs", function.__name__)
        return function(*args, **kwargs)

    return call


def _as_they_are() -> set[str]:
    """Names that are never replaced: casts say what dtype they want, updates change what they are given."""
    described = [_core.describe_op(index) for index in range(_core.op_count())]
    return {"amp_cast", "amp_multicast"}.union(
        *(
            (one["name"], *one["aliases"])
            for one in described
            if any(port["mutates"] and not port["auxiliary"] for port in one["inputs"])
        )
    )


def wrap(
    lists: Precisions, dtype: str, full_params: Mapping[str, Sequence[str]], scaler: LossScaler
) -> Wrapped:
    """Puts functions that cast in the place of those that the lists name.

    Parameters
    ----------
    lists : Precisions
        What runs in which precision.
    dtype : str
        The low precision.
    full_params : dict of str to list of str
        Inputs that stay in float32, by operator.
    scaler : LossScaler
        The factor that losses on arrays take.
    """
    done = Wrapped()
    kept = _as_they_are()
    for module in (nd, sym):
        # Prefixes of operators, and the modules where they are called without.
        places = {
            "_contrib_": module.contrib,
            "_linalg_": module.linalg,
            "": module,
        }

        def replace(
            name: str, make: Callable[[Function], Function], places: Any = places, module: Any = module
        ) -> None:
            if name in kept:
                return
            prefix = next(one for one in places if name.startswith(one))
            short = name[len(prefix) :]
            targets = [places[prefix], module.op] if not prefix else [places[prefix]]
            function = getattr(targets[0], short, None)
            if function is None:
                return  # an operator that mixgrad lacks
            made = make(function)
            for target in targets:
                done.append((target, short, vars(target).get(short)))
                setattr(target, short, made)

        for name in sorted(lists.low):
            replace(name, partial(_to, dtype=dtype, full=full_params.get(name, ()), conditions=()))
        for name in sorted(lists.full):
            replace(name, partial(_to, dtype="float32", full=(), conditions=()))
        for name, conditions in sorted(lists.conditional.items()):
            replace(name, partial(_to, dtype="float32", full=(), conditions=conditions))
        for name in sorted(lists.widest):
            replace(name, partial(_to_widest, low=dtype))
        for name in _LOSSES:
            replace(name, partial(_scaled, scaler=scaler) if module is nd else _warned)
    return done
