"""Modules that hold others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Union, overload

from ..module import Module
from ..parameter import Parameter

__all__ = ["ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Sequential"]


class _Numbered(Module):
    """Modules under the names 0, 1 and so on."""

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def _key(self, index: int) -> str:
        count = len(self._modules)
        if not -count <= index < count:
            raise IndexError(f"[{type(self).__name__}] index {index}; there are {count} modules")
        return list(self._modules)[index]

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Any: ...
    def __getitem__(self, index: Union[int, slice]) -> Any:
        if isinstance(index, slice):
            return self._of(list(self._modules.items())[index])
        return self._modules[self._key(index)]

    def _of(self, items: list[tuple[str, Any]]) -> Any:
        made = type(self)()
        for name, module in items:
            made.add_module(name, module)
        return made

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, self._key(index), module)

    def __delitem__(self, index: Union[int, slice]) -> None:
        chosen = list(self._modules)[index]
        gone = {chosen} if isinstance(chosen, str) else set(chosen)
        self._renew([module for name, module in self._modules.items() if name not in gone])

    def _renew(self, modules: Iterable[Any]) -> None:
        modules = list(modules)
        for name in list(self._modules):
            self._forget(name)
        for i, module in enumerate(modules):
            self.add_module(str(i), module)

    def append(self, module: Module) -> Any:
        """Add a module at the end; the container is returned."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Module]) -> Any:
        """Add modules at the end."""
        for module in modules:
            self.append(module)
        return self

    def insert(self, index: int, module: Module) -> Any:
        """Add a module before a place."""
        modules = list(self)
        modules.insert(index, module)
        self._renew(modules)
        return self

    def pop(self, index: int = -1) -> Module:
        """Take a module out."""
        found: Module = self[index]
        del self[index]
        return found


class Sequential(_Numbered):
    """Modules that run one after another.

    Parameters
    ----------
    *args
        Modules, or one dictionary of modules by name.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    >>> net(np.ones((1, 3))).shape, len(net)
    ((1, 2), 3)
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], Mapping):
            items: Iterable[tuple[str, Any]] = args[0].items()
        else:
            items = ((str(i), module) for i, module in enumerate(args))
        for name, module in items:
            self.add_module(name, module)

    def forward(self, input: Any) -> Any:
        """The output of the last module."""
        for module in self._modules.values():
            input = module(input)  # type: ignore[misc]
        return input


class ModuleList(_Numbered):
    """A list of modules, which it registers.

    Examples
    --------
    >>> from mixgrad import nn
    >>> layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])
    >>> len(list(layers.parameters()))
    6
    """

    def __init__(self, modules: Iterable[Module] = ()) -> None:
        super().__init__()
        self.extend(modules)

    def _of(self, items: list[tuple[str, Any]]) -> Any:
        return ModuleList(module for _, module in items)

    def __iadd__(self, modules: Iterable[Module]) -> Any:
        return self.extend(modules)

    def __repr__(self) -> str:
        """Modules in a row that look alike are one line."""
        runs: list[tuple[int, int, str]] = []
        for i, text in enumerate(map(repr, self)):
            if runs and runs[-1][2] == text:
                runs[-1] = (runs[-1][0], i, text)
            else:
                runs.append((i, i, text))
        if not runs:
            return f"{self._get_name()}()"
        lines = []
        for first, last, text in runs:
            line = f"({first}): {text}" if first == last else f"({first}-{last}): {last - first + 1} x {text}"
            lines.append("  " + line.replace("\n", "\n  "))
        return f"{self._get_name()}(\n" + "\n".join(lines) + "\n)"


class ModuleDict(Module):
    """Modules by name, which it registers."""

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        self.update(modules or {})

    def update(self, modules: Any) -> None:
        """Add the modules of a dictionary, or of pairs."""
        for name, module in modules.items() if hasattr(modules, "items") else modules:
            self[name] = module

    def __getitem__(self, name: str) -> Any:
        return self._modules[name]

    def __setitem__(self, name: str, module: Module) -> None:
        self.add_module(name, module)

    def __delitem__(self, name: str) -> None:
        del self._modules[name]
        self._forget(name)

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, name: object) -> bool:
        return name in self._modules

    def keys(self) -> Any:
        """The names."""
        return self._modules.keys()

    def values(self) -> Any:
        """The modules."""
        return self._modules.values()

    def items(self) -> Any:
        """Names and modules."""
        return self._modules.items()

    def pop(self, name: str) -> Module:
        """Take a module out."""
        found: Module = self[name]
        del self[name]
        return found


def _parameter(value: Any) -> Parameter:
    return value if isinstance(value, Parameter) else Parameter(value)


def _line(name: Any, value: Any) -> str:
    return f"({name}): Parameter containing: [{value.dtype} of shape {tuple(value.shape)}]"


class ParameterList(Module):
    """A list of parameters, which it registers; arrays become parameters."""

    def __init__(self, values: Iterable[Any] = ()) -> None:
        super().__init__()
        self.extend(values)

    def append(self, value: Any) -> ParameterList:
        """Add a parameter at the end."""
        self.register_parameter(str(len(self)), _parameter(value))
        return self

    def extend(self, values: Iterable[Any]) -> ParameterList:
        """Add parameters at the end."""
        for value in values:
            self.append(value)
        return self

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._parameters.values())

    def __getitem__(self, index: Union[int, slice]) -> Any:
        found = list(self._parameters.values())[index]
        return ParameterList(found) if isinstance(index, slice) else found  # type: ignore[arg-type]

    def __setitem__(self, index: int, value: Any) -> None:
        setattr(self, list(self._parameters)[index], _parameter(value))

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return "\n".join(_line(name, value) for name, value in self._parameters.items())


class ParameterDict(Module):
    """Parameters by name, which it registers; arrays become parameters."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self.update(parameters or {})

    def update(self, parameters: Any) -> None:
        """Add the parameters of a dictionary, or of pairs."""
        for name, value in parameters.items() if hasattr(parameters, "items") else parameters:
            self[name] = value

    def __getitem__(self, name: str) -> Any:
        return self._parameters[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self.register_parameter(name, _parameter(value))

    def __delitem__(self, name: str) -> None:
        del self._parameters[name]
        self._forget(name)

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[str]:
        return iter(self._parameters)

    def __contains__(self, name: object) -> bool:
        return name in self._parameters

    def keys(self) -> Any:
        """The names."""
        return self._parameters.keys()

    def values(self) -> Any:
        """The parameters."""
        return self._parameters.values()

    def items(self) -> Any:
        """Names and parameters."""
        return self._parameters.items()

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return "\n".join(_line(name, value) for name, value in self._parameters.items())
