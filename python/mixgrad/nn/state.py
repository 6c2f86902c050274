"""Parameters and buffers of modules as dictionaries, for files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union, cast

import numpy as onp

from .. import numpy as np
from .._hints import kind_name
from ..base import InvalidArgumentError
from ..ndarray import NDArray
from . import grad_mode, hooks
from .parameter import UninitializedParameter

if TYPE_CHECKING:
    from .module import Module

__all__ = ["LoadResult", "States", "mapped_state"]

_EXTRA = "_extra_state"


class LoadResult(NamedTuple):
    """What loading a state left out."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not (self.missing_keys or self.unexpected_keys):
            return "<All keys matched successfully>"
        return f"LoadResult(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"


class StateHooks:
    """Those of one module around its states, in the order of their registration."""

    def __init__(self) -> None:
        self.saving: hooks.Table = {}
        self.saved: hooks.Table = {}
        self.loading: hooks.Table = {}
        self.loaded: hooks.Table = {}


class States:
    """The part of :class:`Module` that gives its arrays as a dictionary, and takes them from one."""

    _state_hooks: Optional[StateHooks] = None

    def state_dict(self, prefix: str = "", keep_vars: bool = False) -> dict[str, Any]:
        """Parameters and persistent buffers by path; they share memory with the module.

        Parameters
        ----------
        prefix : str
            What the names begin with.
        keep_vars : bool
            Give the parameters themselves, and not arrays that are cut off from gradients.

        Examples
        --------
        >>> import mixgrad as mx
        >>> from mixgrad import nn
        >>> layer = nn.Linear(2, 1)
        >>> mx.nd.save("/tmp/layer.safetensors", layer.state_dict())
        >>> nn.Linear(2, 1).load_state_dict(mx.nd.load("/tmp/layer.safetensors"))
        <All keys matched successfully>
        """
        return _state_of(cast("Module", self), prefix, keep_vars, {})

    def load_state_dict(self, state_dict: Any, strict: bool = True, assign: bool = False) -> LoadResult:
        """Give parameters and buffers the values of a dictionary; nothing changes where it is refused.

        Parameters
        ----------
        state_dict : dict of str to array
            As :meth:`state_dict` gives it; NumPy's arrays are taken, too.
        strict : bool
            Whether missing and unexpected keys are an error; with hooks that run after loading, which may
            take keys off these lists, it comes after these.
        assign : bool
            Hold the arrays themselves, with their dtypes and devices, instead of copying their values.

        Returns
        -------
        LoadResult
            ``(missing_keys, unexpected_keys)``.

        Raises
        ------
        mixgrad.base.InvalidArgumentError
            Keys are missing or unexpected, or shapes differ; the message names all of them.
        """
        return _load_state(cast("Module", self), state_dict, strict, assign)

    def get_extra_state(self) -> Any:
        """What else belongs to the state of a module, under ``_extra_state``; subclasses define it.

        Files of ``mx.nd.save`` hold arrays; :mod:`pickle` writes any.

        Examples
        --------
        >>> from mixgrad import nn
        >>> class Counted(nn.Module):
        ...     calls = 0
        ...     def get_extra_state(self):
        ...         return {"calls": self.calls}
        ...     def set_extra_state(self, state):
        ...         self.calls = state["calls"]
        >>> module, other = Counted(), Counted()
        >>> module.calls = 3
        >>> other.load_state_dict(module.state_dict()), other.calls
        (<All keys matched successfully>, 3)
        """
        raise RuntimeError(f"[{type(self).__name__}] get_extra_state is not defined")

    def set_extra_state(self, state: Any) -> None:
        """Take what :meth:`get_extra_state` gave; subclasses that define that define this, too."""
        raise RuntimeError(f"[{type(self).__name__}] set_extra_state is not defined")

    def _stateful(self) -> StateHooks:
        if self._state_hooks is None:
            self.__dict__["_state_hooks"] = StateHooks()
        assert self._state_hooks is not None
        return self._state_hooks

    def _state_hook(self, table: hooks.Table, hook: Callable[..., Any]) -> hooks.RemovableHandle:
        return hooks.RemovableHandle(cast("Module", self), table, hook, False)

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> hooks.RemovableHandle:
        """Call ``hook(module, prefix, keep_vars)`` before :meth:`state_dict` looks at the module."""
        return self._state_hook(self._stateful().saving, hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> hooks.RemovableHandle:
        """Call ``hook(module, state_dict, prefix, local_metadata)`` when the module's entries are there.

        The dictionary is that of the whole network, as far as it goes; the hook may change it, and returns
        None. ``local_metadata`` is empty.

        Examples
        --------
        >>> from mixgrad import nn
        >>> layer = nn.Linear(2, 1)
        >>> def without_bias(module, state, prefix, metadata):
        ...     del state[prefix + "bias"]
        >>> handle = layer.register_state_dict_post_hook(without_bias)
        >>> list(nn.Sequential(layer).state_dict())
        ['0.weight']
        """
        return self._state_hook(self._stateful().saved, hook)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> hooks.RemovableHandle:
        """Call a function with a state before it is looked at, such as one that gives keys new names.

        ``hook(module, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys,
        error_msgs)`` may change the dictionary, a copy for all hooks together, and add to the lists;
        ``local_metadata`` is empty. Hooks of outer modules come first.

        Examples
        --------
        >>> from mixgrad import nn, np
        >>> layer = nn.Linear(2, 1, bias=False)
        >>> def renamed(module, state, prefix, *others):
        ...     state[prefix + "weight"] = state.pop(prefix + "kernel")
        >>> handle = layer.register_load_state_dict_pre_hook(renamed)
        >>> nn.Sequential(layer).load_state_dict({"0.kernel": np.ones((1, 2))})
        <All keys matched successfully>
        """
        return self._state_hook(self._stateful().loading, hook)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> hooks.RemovableHandle:
        """Call ``hook(module, incompatible_keys)`` when the values are there, of inner modules first.

        ``incompatible_keys`` is the :class:`LoadResult`, from whose lists the hook may take keys that are
        then no error; it returns None. Keys that are left are one after the values have changed.

        Examples
        --------
        >>> from mixgrad import nn
        >>> layer = nn.Linear(2, 1)
        >>> handle = layer.register_load_state_dict_post_hook(lambda module, keys: keys.missing_keys.clear())
        >>> layer.load_state_dict({})
        <All keys matched successfully>
        """
        return self._state_hook(self._stateful().loaded, hook)


def _hooks_of(part: Module, kind: str) -> list[Callable[..., Any]]:
    known = part._state_hooks
    return [] if known is None else [hook for hook, _ in list(getattr(known, kind).values())]


def _call(part: Module, kind: str, *args: Any) -> None:
    for hook in _hooks_of(part, kind):
        if hook(part, *args) is not None:
            raise TypeError(
                f"[{type(part).__name__}] a hook around a state returned something; expected None, "
                "and changes of what it is given"
            )


def _defines(part: Module, name: str) -> bool:
    return getattr(type(part), name) is not getattr(States, name)


def _arrays_of(part: Module, prefix: str, keep_vars: bool) -> Iterator[tuple[str, NDArray]]:
    """Parameters and persistent buffers of one module."""
    for name, value in part._parameters.items():
        if value is not None:
            yield prefix + name, value if keep_vars else value.detach()
    for name, buffer in part._buffers.items():
        if buffer is not None and name not in part._transient:
            yield prefix + name, buffer


def _state_of(part: Module, prefix: str, keep_vars: bool, found: dict[str, Any]) -> dict[str, Any]:
    """Parameters, persistent buffers and other state by path, in the order of modules."""
    _call(part, "saving", prefix, keep_vars)
    found.update(_arrays_of(part, prefix, keep_vars))
    if _defines(part, "get_extra_state"):
        found[prefix + _EXTRA] = part.get_extra_state()
    for name, module in part._modules.items():
        if module is not None:
            _state_of(module, f"{prefix}{name}.", keep_vars, found)
    _call(part, "saved", found, prefix, {})
    return found


def _load_state(module: Module, state: Any, strict: bool, assign: bool) -> LoadResult:
    """Copy values by path; all is checked before anything changes."""
    who = f"{type(module).__name__}.load_state_dict"
    if not isinstance(state, Mapping):
        raise TypeError(f"[{who}] got a {kind_name(state)}; expected a dictionary of arrays")
    parts = [
        (part, path + "." if path else "") for path, part in module.named_modules(remove_duplicate=False)
    ]
    state = dict(state)
    missing: list[str] = []
    unexpected: list[str] = []
    problems: list[str] = []
    for part, prefix in parts:
        _call(part, "loading", state, prefix, {}, strict, missing, unexpected, problems)
    own = {name: value for part, prefix in parts for name, value in _arrays_of(part, prefix, True)}
    extra = {prefix + _EXTRA: part for part, prefix in parts if _defines(part, "set_extra_state")}
    missing += [name for name in (*own, *extra) if name not in state]
    unexpected += [name for name in state if name not in own and name not in extra]
    values = {name: _array(who, name, state[name]) for name in own if name in state}
    # A number of the two kinds of arrays: (1,) in mx.nd is () in mx.np.
    problems += [
        f"{name!r} has the shape {values[name].shape} and is {own[name].shape} here"
        for name in values
        if not _is_open(module, name, own[name])
        and values[name].shape != own[name].shape
        and {values[name].shape, own[name].shape} != {(), (1,)}
    ]
    result = LoadResult(missing, unexpected)
    judged_later = any(_hooks_of(part, "loaded") for part, _ in parts)
    _refuse(who, result, strict and not judged_later, problems)
    with grad_mode.no_grad():
        for name, value in values.items():
            _give(module, name, own[name], value, assign)
    for name, part in extra.items():
        if name in state:
            part.set_extra_state(state[name])
    for part in _inner_first(module):
        _call(part, "loaded", result)
    _refuse(who, result, strict, [])
    return result


def _inner_first(module: Module) -> Iterator[Module]:
    for part in module._modules.values():
        if part is not None:
            yield from _inner_first(part)
    yield module


def _refuse(who: str, keys: LoadResult, strict: bool, others: list[str]) -> None:
    """Raise for keys, and for what else is wrong."""
    problems = [
        f"{what}: {', '.join(map(repr, names))}"
        for what, names in (("missing", keys.missing_keys), ("unexpected", keys.unexpected_keys))
        if strict and names
    ] + others
    if problems:
        raise InvalidArgumentError(f"[{who}] the state does not fit; " + "; ".join(problems))


def _give(module: Module, name: str, target: Any, value: Any, assign: bool) -> None:
    """Have the array at a path hold a value."""
    if isinstance(target, UninitializedParameter):
        target.materialize(value.shape)
    elif _is_open(module, name, target):
        _set(module, name, value if assign else value.to(target.context, target.dtype, copy=True))
        return
    if assign:
        path, _, attribute = name.rpartition(".")
        if attribute in module.get_submodule(path)._buffers:
            _set(module, name, value)
        else:
            target._replace(value.detach(), with_grad=False)
    elif value is not target:
        target[:] = value.reshape(target.shape).astype(target.dtype, copy=False)


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
