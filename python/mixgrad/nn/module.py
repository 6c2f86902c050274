"""The base of all layers and networks in PyTorch's habits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Optional, TypeVar

from .. import _guards, _words
from .._calls import check_arguments
from .._hints import kind_name, near
from ..ndarray import NDArray
from . import grad_mode, hooks
from .buffer import Buffer
from .conversion import Conversions
from .diagnosis import explain
from .parameter import Parameter
from .state import States
from .variable import Volatile, call_volatile

__all__ = ["Module"]

Self = TypeVar("Self", bound="Module")


class Module(Conversions, States):
    """A layer, or a network made of others.

    A subclass calls ``super().__init__()``, assigns parameters and modules to attributes, which registers
    them, and defines :meth:`forward`.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> class Net(nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.hidden = nn.Linear(8, 20)
    ...         self.output = nn.Linear(20, 3)
    ...     def forward(self, x):
    ...         return self.output(nn.functional.relu(self.hidden(x)))
    >>> net = Net()
    >>> net(np.ones((4, 8))).shape
    (4, 3)
    >>> [name for name, _ in net.named_parameters()]
    ['hidden.weight', 'hidden.bias', 'output.weight', 'output.bias']
    >>> net
    Net(
      (hidden): Linear(in_features=8, out_features=20, bias=True)
      (output): Linear(in_features=20, out_features=3, bias=True)
    )
    """

    # Parameters, buffers and modules lie among the attributes, where forward finds them at once, and in a
    # dictionary of their kind, which knows their order.
    training: bool
    _parameters: dict[str, Optional[Parameter]]
    _buffers: dict[str, Optional[NDArray]]
    _modules: dict[str, Optional[Module]]
    _transient: set[str]
    _lazy = False  # whether shapes are not known before the first call
    _float_inputs = True  # of the dtype of the parameters, where there are any
    _hooks: Optional[hooks.Hooks] = None

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        check_arguments(cls, args, kwargs)
        return super().__new__(cls)

    def __init__(self) -> None:
        grad_mode.begin()
        _guards.made(self)
        self.__dict__.update(training=True, _parameters={}, _buffers={}, _modules={}, _transient=set())

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the module computes; subclasses define it."""
        raise NotImplementedError(f"[{type(self).__name__}] forward is not defined")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call :meth:`forward`, and the hooks around it."""
        if not grad_mode.threads.decided:
            grad_mode.begin()
        if args and type(args[0]) is Volatile:
            return call_volatile(self, args, kwargs)
        try:
            if self._hooks is None:
                return self.forward(*args, **kwargs)
            return self._hooks.call(self, args, kwargs)
        except (AttributeError, TypeError, ValueError) as error:
            explain(self, args, kwargs, error)
            raise

    def _check_inputs(self, *args: Any, **kwargs: Any) -> None:
        """Raise ``ShapeError`` for inputs of a wrong shape: called after :meth:`forward` has failed."""

    # Registering.

    def _registry(self, name: str, what: str) -> dict[str, Any]:
        found: Optional[dict[str, Any]] = self.__dict__.get(what)
        if found is None:
            raise AttributeError(
                f"[{type(self).__name__}] {name!r} comes before super().__init__(); call that first"
            )
        return found

    def _check_name(self, name: Any, what: str) -> None:
        if not isinstance(name, str):
            raise TypeError(f"[{type(self).__name__}] the name is a {kind_name(name)}; expected a str")
        if not name or "." in name:
            raise KeyError(
                f"[{type(self).__name__}] {name!r} cannot name a {what}; expected text without dots"
            )
        known = self.__dict__.get(f"_{what}s", {})
        if name not in known and (name in self.__dict__ or hasattr(type(self), name)):
            raise KeyError(f"[{type(self).__name__}] there is an attribute {name!r} already")

    def register_parameter(self, name: str, param: Optional[Parameter]) -> None:
        """Register a parameter, or None for one that is left out.

        Parameters
        ----------
        name : str
            The attribute.
        param : Parameter or None
            None keeps the attribute, and files do not have it.
        """
        self._registry(name, "_parameters")
        self._check_name(name, "parameter")
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"[{type(self).__name__}] the parameter {name!r} is a {kind_name(param)}; "
                "expected nn.Parameter or None"
            )
        self._parameters[name] = self.__dict__[name] = param
        _guards.wrote(self, name)

    def register_buffer(self, name: str, tensor: Optional[NDArray], persistent: bool = True) -> None:
        """Register an array that is no parameter, such as a running mean.

        Parameters
        ----------
        name : str
            The attribute.
        tensor : array or None
            Its value.
        persistent : bool
            Whether :meth:`state_dict` has it.
        """
        self._registry(name, "_buffers")
        self._check_name(name, "buffer")
        if tensor is not None and not isinstance(tensor, NDArray):
            raise TypeError(
                f"[{type(self).__name__}] the buffer {name!r} is a {kind_name(tensor)}; "
                "expected an array or None"
            )
        self._buffers[name] = self.__dict__[name] = tensor
        (self._transient.discard if persistent else self._transient.add)(name)
        _guards.wrote(self, name)

    def add_module(self, name: str, module: Optional[Module]) -> None:
        """Register a module under a name."""
        self._registry(name, "_modules")
        self._check_name(name, "module")
        if module is not None and not isinstance(module, Module):
            raise TypeError(
                f"[{type(self).__name__}] the module {name!r} is a {type(module).__name__}; "
                "expected nn.Module or None"
            )
        self._modules[name] = self.__dict__[name] = module
        _guards.wrote(self, name)

    register_module = add_module

    def __setattr__(self, name: str, value: Any) -> None:
        before = self.__dict__.get(name, _guards.ABSENT)
        self._set(name, value)
        if value is not before:
            _guards.wrote(self, name, before)

    def _set(self, name: str, value: Any) -> None:
        attributes = self.__dict__
        for kind, what in ((Parameter, "_parameters"), (Module, "_modules")):
            if isinstance(value, kind):
                registry = self._registry(name, what)
                if name not in registry:
                    self._forget(name)
                registry[name] = attributes[name] = value
                return
        if isinstance(value, Buffer) and name not in attributes.get("_parameters", {}):
            if name not in self._registry(name, "_buffers"):
                self._forget(name)
            self.register_buffer(name, value, value.persistent)
            return
        for what, wanted in (
            ("_parameters", "nn.Parameter"),
            ("_modules", "nn.Module"),
            ("_buffers", "an array"),
        ):
            registry = attributes.get(what, {})
            if name in registry:
                if value is not None and not (what == "_buffers" and isinstance(value, NDArray)):
                    raise TypeError(
                        f"[{type(self).__name__}] {name!r} cannot become a {kind_name(value)}; "
                        f"expected {wanted} or None"
                    )
                registry[name] = attributes[name] = value
                return
        object.__setattr__(self, name, value)

    if not TYPE_CHECKING:  # it would make every attribute known

        def __getattr__(self, name: str) -> Any:
            if hasattr(type(self), name):
                return object.__getattribute__(self, name)  # a property that failed: its own error
            hint = _words.NN_MODULE.get(name)
            end = f": {hint}" if hint else ""
            if not hint and not name.startswith("_"):
                end = near(name, [one for one in dir(self) if not one.startswith("_")])
            raise AttributeError(f"[{type(self).__name__}] there is no {name!r}{end}")

    def _forget(self, name: str) -> None:
        for what in ("_parameters", "_buffers", "_modules"):
            self.__dict__.get(what, {}).pop(name, None)
        self._transient.discard(name)
        self.__dict__.pop(name, None)
        _guards.wrote(self, name)

    def __delattr__(self, name: str) -> None:
        if name not in self.__dict__:
            object.__delattr__(self, name)
        self._forget(name)

    # Walking.

    def named_modules(
        self, memo: Optional[set[int]] = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """Each module with the path that leads to it, beginning with this one, whose path is empty."""
        memo = set() if memo is None else memo
        if remove_duplicate and id(self) in memo:
            return
        memo.add(id(self))
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(
                    memo, f"{prefix}.{name}" if prefix else name, remove_duplicate
                )

    def modules(self) -> Iterator[Module]:
        """Each module once, beginning with this one."""
        return (module for _, module in self.named_modules())

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The modules of this one alone, each once."""
        seen: set[int] = set()
        for name, module in self._modules.items():
            if module is not None and id(module) not in seen:
                seen.add(id(module))
                yield name, module

    def children(self) -> Iterator[Module]:
        """As :meth:`named_children`, without names."""
        return (module for _, module in self.named_children())

    def _named(self, what: str, prefix: str, recurse: bool, once: bool) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        modules = self.named_modules(prefix=prefix, remove_duplicate=once) if recurse else [(prefix, self)]
        for path, module in modules:
            for name, value in getattr(module, what).items():
                if value is None or (once and id(value) in seen):
                    continue
                seen.add(id(value))
                yield (f"{path}.{name}" if path else name), value

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Parameters of this module and, with ``recurse``, of all in it, by the paths that lead to them."""
        return self._named("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """As :meth:`named_parameters`, without names."""
        return (value for _, value in self.named_parameters(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, NDArray]]:
        """Buffers of this module and, with ``recurse``, of all in it."""
        return self._named("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[NDArray]:
        """As :meth:`named_buffers`, without names."""
        return (value for _, value in self.named_buffers(recurse=recurse))

    def get_submodule(self, target: str) -> Module:
        """The module at a path such as ``"layer1.0.conv"``; the empty one is this module."""
        module = self
        for name in target.split(".") if target else ():
            found = module._modules.get(name)
            if found is None:
                raise AttributeError(f"[{type(module).__name__}] there is no module {name!r} of {target!r}")
            module = found
        return module

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Put a module at a path, in the place of what is there.

        Parameters
        ----------
        target : str
            Such as ``"layer1.0.conv"``; all but the last name must be there.
        module : Module
            What lies there from then on.
        strict : bool
            Whether the last name must be there, too.

        Raises
        ------
        AttributeError
            The path leads nowhere, or with ``strict`` to no module.

        Examples
        --------
        >>> from mixgrad import nn
        >>> net = nn.Sequential(nn.Sequential(nn.Linear(2, 3), nn.ReLU()))
        >>> net.set_submodule("0.1", nn.GELU())
        >>> net[0][1]
        GELU(approximate='none')
        """
        if not isinstance(module, Module):
            raise TypeError(
                f"[{type(self).__name__}.set_submodule] got a {kind_name(module)}; expected nn.Module"
            )
        if not target:
            raise ValueError(f"[{type(self).__name__}.set_submodule] target is empty; expected a path")
        path, _, name = target.rpartition(".")
        owner = self.get_submodule(path)
        if strict:
            self.get_submodule(target)
        if name in owner._modules:
            setattr(owner, name, module)
        else:
            owner.add_module(name, module)

    def get_parameter(self, target: str) -> Parameter:
        """The parameter at a path."""
        path, _, name = target.rpartition(".")
        found = self.get_submodule(path)._parameters.get(name)
        if found is None:
            raise AttributeError(f"[{type(self).__name__}] there is no parameter {target!r}")
        return found

    def get_buffer(self, target: str) -> NDArray:
        """The buffer at a path."""
        path, _, name = target.rpartition(".")
        found = self.get_submodule(path)._buffers.get(name)
        if found is None:
            raise AttributeError(f"[{type(self).__name__}] there is no buffer {target!r}")
        return found

    # Changing.

    def apply(self: Self, fn: Callable[[Module], Any]) -> Self:
        """Call a function with each module in this one and then with it; it is returned."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def train(self: Self, mode: bool = True) -> Self:
        """Have this module and all in it behave as in training, or not."""
        if not isinstance(mode, bool):
            raise ValueError(f"[{type(self).__name__}.train] mode is {mode!r}; expected True or False")
        for module in self.modules():
            module.training = mode
        return self

    def eval(self: Self) -> Self:
        """Have this module and all in it behave as in prediction."""
        return self.train(False)

    def requires_grad_(self: Self, requires_grad: bool = True) -> Self:
        """Say whether gradients flow to its parameters: False freezes them."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients; ``set_to_none=False`` leaves zeros instead of None."""
        for parameter in self.parameters():
            parameter.zero_grad()
            if not set_to_none and parameter.requires_grad:
                parameter._fresh_grad = True

    # Hooks.

    def _hooked(self) -> hooks.Hooks:
        if self._hooks is None:
            self.__dict__["_hooks"] = hooks.Hooks()
        assert self._hooks is not None
        return self._hooks

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, with_kwargs: bool = False
    ) -> hooks.RemovableHandle:
        """Call ``hook(module, args)`` before forward; what it returns, if anything, replaces the arguments.

        With ``with_kwargs`` it is ``hook(module, args, kwargs)``, which returns both or None.
        """
        return hooks.RemovableHandle(self, self._hooked().before, hook, with_kwargs)

    def register_forward_hook(
        self, hook: Callable[..., Any], *, with_kwargs: bool = False
    ) -> hooks.RemovableHandle:
        """Call ``hook(module, args, output)`` after forward; what it returns replaces the output.

        With ``with_kwargs`` it is ``hook(module, args, kwargs, output)``.

        Examples
        --------
        >>> from mixgrad import nn, np
        >>> layer = nn.Linear(2, 3)
        >>> handle = layer.register_forward_hook(lambda module, args, output: print(output.shape))
        >>> _ = layer(np.ones((1, 2)))
        (1, 3)
        >>> handle.remove()
        """
        return hooks.RemovableHandle(self, self._hooked().after, hook, with_kwargs)

    def register_full_backward_hook(self, hook: Callable[..., Any]) -> hooks.RemovableHandle:
        """Call ``hook(module, grad_input, grad_output)`` when gradients of the inputs are known.

        What it returns, if anything, replaces ``grad_input``. Inputs without gradients have None; where none
        has any, the hook is called as soon as the gradients of the outputs are known.
        """
        return hooks.RemovableHandle(self, self._hooked().backward, hook, False)

    register_backward_hook = register_full_backward_hook

    # Showing.

    def extra_repr(self) -> str:
        """What ``repr`` shows in the parentheses; subclasses define it."""
        return ""

    def _get_name(self) -> str:
        return type(self).__name__

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        inner = [f"({name}): " + repr(module).replace("\n", "\n  ") for name, module in self._modules.items()]
        if not inner and len(lines) <= 1:
            return f"{self._get_name()}({extra})"
        return f"{self._get_name()}(\n  " + "\n  ".join(lines + inner) + "\n)"

    def __dir__(self) -> list[str]:
        return sorted(name for name in super().__dir__() if not name[:1].isdigit())

    # Copies: attributes that are registered are one object in both places.

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for what in ("_parameters", "_buffers", "_modules"):
            self.__dict__.update(state[what])
        _guards.changed()


_guards.watch(Module)
