"""Parameters and buffers of modules as dictionaries, for files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Union

import numpy as onp

from .. import numpy as np
from .._hints import kind_name
from ..base import InvalidArgumentError
from ..ndarray import NDArray
from . import grad_mode
from .parameter import UninitializedParameter

if TYPE_CHECKING:
    from .module import Module

__all__ = ["LoadResult", "load_state", "mapped_state", "state_of"]


class LoadResult(NamedTuple):
    """What loading a state left out."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not (self.missing_keys or self.unexpected_keys):
            return "<All keys matched successfully>"
        return f"LoadResult(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"


def state_of(module: Module, prefix: str = "", keep_vars: bool = False) -> dict[str, NDArray]:
    """Parameters and persistent buffers by path, in the order of modules."""
    found: dict[str, NDArray] = {}
    for path, part in module.named_modules(remove_duplicate=False):
        start = prefix + (path + "." if path else "")
        for name, value in part._parameters.items():
            if value is not None:
                found[start + name] = value if keep_vars else value.detach()
        for name, buffer in part._buffers.items():
            if buffer is not None and name not in part._transient:
                found[start + name] = buffer
    return found


def load_state(module: Module, state: Any, strict: bool, assign: bool) -> LoadResult:
    """Copy values by path; all is checked before anything changes."""
    who = f"{type(module).__name__}.load_state_dict"
    if not isinstance(state, Mapping):
        raise TypeError(f"[{who}] got a {kind_name(state)}; expected a dictionary of arrays")
    own = state_of(module, keep_vars=True)
    missing = [name for name in own if name not in state]
    unexpected = [name for name in state if name not in own]
    values = {name: _array(who, name, state[name]) for name in own if name in state}
    # A number of the two kinds of arrays: (1,) in mx.nd is () in mx.np.
    wrong = [
        f"{name!r} has the shape {values[name].shape} and is {own[name].shape} here"
        for name in values
        if not _is_open(module, name, own[name])
        and values[name].shape != own[name].shape
        and {values[name].shape, own[name].shape} != {(), (1,)}
    ]
    problems = []
    if strict and missing:
        problems.append(f"missing: {', '.join(map(repr, missing))}")
    if strict and unexpected:
        problems.append(f"unexpected: {', '.join(map(repr, unexpected))}")
    problems += wrong
    if problems:
        raise InvalidArgumentError(f"[{who}] the state does not fit; " + "; ".join(problems))
    with grad_mode.no_grad():
        for name, value in values.items():
            target = own[name]
            if isinstance(target, UninitializedParameter):
                target.materialize(value.shape)
            elif _is_open(module, name, target):
                kept = value if assign else value.to(target.context, target.dtype, copy=True)
                _set(module, name, kept)
                continue
            if assign:
                path, _, attribute = name.rpartition(".")
                if attribute in module.get_submodule(path)._buffers:
                    _set(module, name, value)
                else:
                    target._replace(value.detach(), with_grad=False)  # type: ignore[attr-defined]
            elif value is not target:
                target[:] = value.reshape(target.shape).astype(target.dtype, copy=False)
    return LoadResult(missing, unexpected)


def _is_open(module: Module, name: str, value: NDArray) -> bool:
    """Whether an array of a lazy layer has no shape yet."""
    return value.shape == (0,) and module.get_submodule(name.rpartition(".")[0])._lazy


def _set(module: Module, name: str, value: NDArray) -> None:
    path, _, attribute = name.rpartition(".")
    setattr(module.get_submodule(path), attribute, value)


def _array(who: str, name: str, value: Any) -> Any:
    if isinstance(value, NDArray):
        return value.as_np_ndarray()
    if isinstance(value, onp.ndarray):
        return np.array(value, dtype=value.dtype)
    raise TypeError(f"[{who}] {name!r} is a {kind_name(value)}; expected an array")


Names = Union[Mapping[str, str], Callable[[str], Any], None]


def mapped_state(
    state: Mapping[str, NDArray],
    names: Names = None,
    transposed: Union[Iterable[str], Callable[[str], bool]] = (),
) -> dict[str, NDArray]:
    """A state under other names, for a network whose layers are called or stored otherwise.

    Parameters
    ----------
    state : dict of str to array
        Such as ``mx.nd.load("weights.safetensors")``.
    names : dict or function, optional
        The new name of each; a name that the dictionary lacks stays, and one for which the function returns
        None is left out.
    transposed : names or function
        Which arrays, by their new names, have their first two axes exchanged.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> state = {"dense/kernel": np.zeros((3, 2)), "dense/bias": np.zeros((2,))}
    >>> names = {"dense/kernel": "weight", "dense/bias": "bias"}
    >>> found = nn.mapped_state(state, names, transposed=["weight"])
    >>> nn.Linear(3, 2).load_state_dict(found)
    <All keys matched successfully>
    """
    rename = names if callable(names) else (lambda name: (names or {}).get(name, name))
    if callable(transposed):
        is_transposed = transposed
    else:
        chosen = set(transposed)
        is_transposed = chosen.__contains__
    found: dict[str, NDArray] = {}
    origin: dict[str, str] = {}
    for name, value in state.items():
        new = rename(name)
        if new is None:
            continue
        if new in found:
            raise InvalidArgumentError(f"[mapped_state] {origin[new]!r} and {name!r} are both called {new!r}")
        found[new] = value.swapaxes(0, 1) if is_transposed(new) else value
        origin[new] = name
    if not callable(transposed) and not chosen <= found.keys():
        absent = ", ".join(map(repr, sorted(chosen - found.keys())))
        raise InvalidArgumentError(f"[mapped_state] there is nothing called {absent} to transpose")
    return found
