"""Hooks of modules: functions that are called around forward and in the backward pass."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Optional

from .. import _core, _guards
from .._hints import kind_name
from ..ndarray import NDArray

if TYPE_CHECKING:
    from .module import Module

__all__ = ["Hooks", "RemovableHandle"]

_numbers = itertools.count()
Table = dict[int, tuple[Callable[..., Any], bool]]


class Hooks:
    """Those of one module, in the order of their registration."""

    def __init__(self) -> None:
        self.before: Table = {}
        self.after: Table = {}
        self.backward: Table = {}

    def __bool__(self) -> bool:
        return bool(self.before or self.after or self.backward)

    def _all(self) -> Iterator[tuple[Callable[..., Any], bool]]:
        return itertools.chain(self.before.values(), self.after.values(), self.backward.values())

    def _hook_numbers(self) -> list[list[int]]:
        """What tells graphs of mx.jit whether these are the hooks they were written down with."""
        return [list(self.before), list(self.after), list(self.backward)]

    def call(self, module: Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run forward and all hooks around it."""
        if not all(getattr(hook, "in_graphs", False) for hook, _ in self._all()):
            _guards.refuse(f"{type(module).__name__} has hooks, which a graph would not call")
        for hook, with_kwargs in list(self.before.values()):
            result = hook(module, args, kwargs) if with_kwargs else hook(module, args)
            if result is None:
                continue
            if with_kwargs:
                args, kwargs = result
            else:
                args = result if isinstance(result, tuple) else (result,)
        watch = (
            _Watch(module, list(self.backward.values())) if self.backward and _core.is_recording() else None
        )
        if watch:
            args = watch.inputs(args)
        output = module.forward(*args, **kwargs)
        for hook, with_kwargs in list(self.after.values()):
            result = hook(module, args, kwargs, output) if with_kwargs else hook(module, args, output)
            if result is not None:
                output = result
        return watch.outputs(output) if watch else output


class RemovableHandle:
    """A hook that is registered; :meth:`remove` ends that, as does the end of a ``with`` block."""

    def __init__(self, module: Module, table: Table, hook: Callable[..., Any], with_kwargs: bool) -> None:
        if not callable(hook):
            raise TypeError(f"[{type(module).__name__}] the hook is a {kind_name(hook)}; expected a function")
        self._module, self._table, self.id = module, table, next(_numbers)
        table[self.id] = (hook, with_kwargs)
        _guards.changed()

    def remove(self) -> None:
        """The hook is called no longer."""
        self._table.pop(self.id, None)
        if self._module._hooks is not None and not self._module._hooks:
            self._module.__dict__.pop("_hooks", None)
        _guards.changed()

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()


class _Watch:
    """Identities around one call of a module, through which its gradients pass."""

    def __init__(self, module: Module, hooks: Sequence[tuple[Callable[..., Any], bool]]) -> None:
        self._module, self._hooks = module, hooks
        self._grad_output: Optional[tuple[Any, ...]] = None
        self._has_inputs = False

    def _behind(
        self, values: Sequence[Any], run: Callable[[list[int], list[NDArray]], Sequence[Any]]
    ) -> tuple[list[Any], bool]:
        """The values, with arrays that are recorded behind an identity; whether there are any."""
        places = [i for i, one in enumerate(values) if isinstance(one, NDArray) and one._recorded]
        found = list(values)
        if places:
            given = [values[i] for i in places]
            made = [one.detach() for one in given]
            name = f"backward hook of {type(self._module).__name__}"

            def call(gradients: list[NDArray]) -> Sequence[Any]:
                kinds = zip(made, gradients)
                return run(places, [one.as_np_ndarray() if like._is_np else one for like, one in kinds])

            _core.record_custom(name, call, given, made)
            for place, one in zip(places, made):
                found[place] = one
        return found, bool(places)

    def inputs(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Arguments whose gradients the hooks see."""

        def run(places: list[int], gradients: list[NDArray]) -> Sequence[Any]:
            full: list[Optional[NDArray]] = [None] * len(args)
            for place, gradient in zip(places, gradients):
                full[place] = gradient
            replaced = self._call(tuple(full))
            return [replaced[place] for place in places]

        found, self._has_inputs = self._behind(args, run)
        return tuple(found)

    def outputs(self, output: Any) -> Any:
        """The output, one array or several, whose gradients the hooks see."""

        def run(places: list[int], gradients: list[NDArray]) -> Sequence[Any]:
            self._grad_output = tuple(gradients)
            if not self._has_inputs:
                self._call((None,))
            return gradients

        if isinstance(output, (list, tuple)):
            return type(output)(self._behind(output, run)[0])
        return self._behind([output], run)[0][0]

    def _call(self, grad_input: tuple[Any, ...]) -> tuple[Any, ...]:
        assert self._grad_output is not None  # the pass comes from the outputs
        for hook, _ in self._hooks:
            result = hook(self._module, grad_input, self._grad_output)
            if result is not None:
                grad_input = result if isinstance(result, tuple) else (result,)
        return grad_input
