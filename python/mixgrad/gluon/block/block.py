"""The base of all layers and networks: children, parameters, names, files, hooks."""

from __future__ import annotations

import re
import warnings
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional

from ... import ndarray as nd
from ..._files import PathLike
from ...base import DTypeLike, RefusedValueError
from ...ndarray import NDArray
from ..parameter import Parameter, ParameterDict
from ..parameter.mismatch import refuse_list, refuse_names
from ..parameter.parameter import Contexts, generation
from ..utils import HookHandle, _indent
from .architecture import read_architecture, write_architecture
from .flags import children_told, known_flags
from .scope import _BlockScope
from .summary import print_summary

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Block"]

Hook = Callable[..., Any]


class Block:
    """A layer, or a network made of others, which are its children.

    A subclass makes parameters and children in its ``__init__``, inside ``self.name_scope()``, and defines
    :meth:`forward`. Blocks and parameters that are assigned to attributes are registered.

    Parameters
    ----------
    prefix : str, optional
        What the names of its parameters begin with; by default its class and a number.
    params : ParameterDict, optional
        Parameters that it shares instead of making its own.

    Examples
    --------
    >>> import mixgrad as mx
    >>> from mixgrad.gluon import nn
    >>> class Net(nn.Block):
    ...     def __init__(self, **kwargs):
    ...         super().__init__(**kwargs)
    ...         with self.name_scope():
    ...             self.hidden = nn.Dense(20)
    ...             self.output = nn.Dense(10)
    ...     def forward(self, x):
    ...         return self.output(mx.nd.relu(self.hidden(x)))
    >>> net = Net(prefix="net_")
    >>> net.initialize()
    >>> net(mx.nd.ones((4, 8))).shape
    (4, 10)
    >>> list(net.collect_params())
    ['net_dense0_weight', 'net_dense0_bias', 'net_dense1_weight', 'net_dense1_bias']
    """

    def __init__(self, prefix: Optional[str] = None, params: Optional[ParameterDict] = None) -> None:
        self._empty_prefix = prefix == ""
        self._prefix, self._params = _BlockScope.create(prefix, params, self._alias())
        self._name = self._prefix[:-1] if self._prefix.endswith("_") else self._prefix
        self._scope = _BlockScope(self)
        self._children: OrderedDict[str, Block] = OrderedDict()
        self._reg_params: dict[str, Parameter] = {}
        self._forward_hooks: OrderedDict[int, Hook] = OrderedDict()
        self._forward_pre_hooks: OrderedDict[int, Hook] = OrderedDict()

    def _alias(self) -> str:
        """What blocks of this class are called where they get a number."""
        return type(self).__name__.lower()

    def __repr__(self) -> str:
        lines = [
            f"  ({key}): {_indent(repr(value), 2)}"
            for key, value in self.__dict__.items()
            if isinstance(value, Block)
        ]
        text = "\n".join(lines)
        return f"{type(self).__name__}(\n{text}\n)"

    def _repr_html_(self) -> str:
        from ..._html import block_html

        return block_html(self)

    def __setattr__(self, name: str, value: Any) -> None:
        existing = self.__dict__.get(name)
        if isinstance(existing, (Parameter, Block)) and not isinstance(value, type(existing)):
            raise TypeError(
                f"[{type(self).__name__}] the attribute {name!r} is a {type(existing).__name__} and cannot "
                f"become a {type(value).__name__}"
            )
        if isinstance(value, Block):
            self.register_child(value, name)
        elif isinstance(value, Parameter):
            if self._reg_params.get(name, value) is not value:
                raise RefusedValueError(
                    f"[{type(self).__name__}] the parameter {name!r} cannot be replaced by assignment; "
                    "set_data gives it values, and params= shares those of another block"
                )
            self._reg_params[name] = value
            generation.number += 1
        super().__setattr__(name, value)

    # Names.

    @property
    def prefix(self) -> str:
        """What the names of its parameters begin with."""
        return self._prefix

    @property
    def name(self) -> str:
        """The prefix without the last underscore."""
        return self._name

    def name_scope(self) -> _BlockScope:
        """A scope for making children, whose prefixes then begin with this block's.

        >>> import mixgrad as mx
        >>> net = mx.gluon.nn.Sequential(prefix="net_")
        >>> with net.name_scope():
        ...     net.add(mx.gluon.nn.Dense(2))
        >>> net[0].prefix
        'net_dense0_'
        """
        return self._scope

    # Children and parameters.

    @property
    def params(self) -> ParameterDict:
        """The parameters of this block alone, without those of children."""
        return self._params

    def register_child(self, block: Block, name: Optional[str] = None) -> None:
        """Make a block a child, under a name or the next number."""
        self._children[str(len(self._children)) if name is None else name] = block

    def _check_container_with_block(self) -> None:
        """Warn of blocks in lists and dicts, which are no children."""
        children = set(map(id, self._children.values()))

        def holds_others(value: Any) -> bool:
            if isinstance(value, (list, tuple)):
                return any(holds_others(one) for one in value)
            if isinstance(value, dict):
                return any(holds_others(one) for one in value.values())
            return isinstance(value, Block) and id(value) not in children

        for name, value in self.__dict__.items():
            container = isinstance(value, (list, tuple, dict)) and name != "_children"
            if container and holds_others(value):
                warnings.warn(
                    f"[{type(self).__name__}] {name!r} is a container of blocks, which are no children of "
                    "this one, so their parameters are not found; register_child, Sequential or an "
                    "attribute of their own make them children",
                    stacklevel=3,
                )

    def collect_params(self, select: Optional[str] = None) -> ParameterDict:
        """Parameters of this block and all children.

        Parameters
        ----------
        select : str, optional
            A regular expression that names have to match from their start.

        Examples
        --------
        >>> import mixgrad as mx
        >>> net = mx.gluon.nn.Dense(2, prefix="out_")
        >>> list(net.collect_params(".*bias"))
        ['out_bias']
        """
        self._check_container_with_block()
        found = ParameterDict(self._params.prefix)
        if select is None:
            found.update(self.params)
        else:
            pattern = re.compile(select)
            found.update({name: value for name, value in self.params.items() if pattern.match(name)})
        for child in self._children.values():
            found.update(child.collect_params(select=select))
        return found

    def _collect_params_with_prefix(self, prefix: str = "") -> dict[str, Parameter]:
        """Parameters by the path of attributes that leads to them."""
        start = prefix + "." if prefix else ""
        found = {start + key: value for key, value in self._reg_params.items()}
        for name, child in self._children.items():
            found.update(child._collect_params_with_prefix(start + name))
        return found

    def initialize(
        self,
        init: Any = None,
        ctx: Contexts = None,
        verbose: bool = False,
        force_reinit: bool = False,
    ) -> None:
        """Initialise all parameters of this block and its children.

        Parameters
        ----------
        init : Initializer, optional
            For parameters without an initialiser of their own; ``Uniform()`` by default.
        ctx : Context or list of Context, optional
            Devices that get a copy each; the current one by default.
        verbose : bool
            Log a line for each.
        force_reinit : bool
            Whether values that are there already are replaced.
        """
        self.collect_params().initialize(init, ctx, verbose, force_reinit)

    def apply(self, fn: Callable[[Block], Any]) -> Block:
        """Call a function with every child and then with this block, which is returned."""
        if not callable(fn):
            raise TypeError(f"[Block.apply] fn is {fn!r:.60}; expected a function")
        for child in self._children.values():
            child.apply(fn)
        fn(self)
        return self

    def cast(self, dtype: DTypeLike) -> None:
        """Cast all parameters to another dtype."""
        for child in self._children.values():
            child.cast(dtype)
        for parameter in self.params.values():
            parameter.cast(dtype)

    def share_memory(self, gradients: bool = False) -> Self:
        """Move all parameters into memory that other processes can have, too, so that they train one network.

        Forked processes have the same parameters then, and :mod:`multiprocessing` sends the block, its
        parameters and their arrays by descriptor. What a process writes the others see, without any order.
        Each has its own gradients, as training in several processes wants it.

        Parameters
        ----------
        gradients : bool
            Whether the gradients go into shared memory, too: one process then sees those of another.

        Returns the block itself.

        Raises
        ------
        DeferredInitializationError
            A shape is not known yet; run a batch first.

        Source: PyTorch nn.Module.share_memory.

        Examples
        --------
        >>> import mixgrad as mx
        >>> net = mx.gluon.nn.Dense(2, in_units=3)
        >>> net.initialize()
        >>> net.share_memory().weight.data().is_shared(), net.weight.grad().is_shared()
        (True, False)
        """
        self.collect_params().share_memory(gradients)
        return self

    def hybridize(self, active: bool = True, **kwargs: Any) -> None:
        """Have all children that are :class:`HybridBlock` run as planned graphs.

        Parameters
        ----------
        active : bool
            Whether from now on, or no longer.
        **kwargs
            Options of :meth:`HybridBlock.hybridize`; a warning names others.
        """
        if "backend" not in kwargs:
            kwargs = known_flags(self, kwargs)
        with children_told():
            for child in self._children.values():
                child.hybridize(active, **kwargs)

    # Files.

    def save_parameters(self, filename: PathLike, deduplicate: bool = False) -> None:
        """Write all parameters to a file, by the path of attributes that leads to each.

        Parameters
        ----------
        filename : str
            The file; real MXNet reads it.
        deduplicate : bool
            Whether a parameter that is found in several places is written once.
        """
        found = self._collect_params_with_prefix()
        if deduplicate:
            last = {parameter: name for name, parameter in found.items()}
            found = {name: parameter for parameter, name in last.items()}
        nd.save(filename, {name: parameter._reduce() for name, parameter in found.items()})

    def save_params(self, filename: PathLike) -> None:
        """Write parameters by their names; MXNet keeps this for old scripts, as :meth:`save_parameters` is
        newer."""
        warnings.warn(
            "save_params is deprecated; please use save_parameters, whose names do not depend on prefixes",
            stacklevel=2,
        )
        try:
            self.collect_params().save(filename, strip_prefix=self.prefix)
        except ValueError as error:
            raise ValueError(f"{error}; save_parameters has no use for prefixes") from error

    def load_parameters(
        self,
        filename: PathLike,
        ctx: Contexts = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Read parameters from a file of :meth:`save_parameters`, ``ParameterDict.save`` or MXNet.

        Parameters
        ----------
        filename : str
            The file.
        ctx : Context or list of Context, optional
            Devices; by default those of the parameters, or the CPU.
        allow_missing : bool
            Whether parameters that the file lacks stay as they are.
        ignore_extra : bool
            Whether arrays that are no parameters here are left out.
        cast_dtype : bool
            Whether dtypes may differ.
        dtype_source : {'current', 'saved'}
            Which of two dtypes is kept.

        Raises
        ------
        AssertionError
            A parameter is missing.
        ValueError
            An array is no parameter here.
        """
        loaded: Any = nd.load(filename)
        if not isinstance(loaded, dict):
            refuse_list("load_parameters", filename, loaded)
        found = self._collect_params_with_prefix()
        if not loaded and not found:
            return
        if not any("." in name for name in loaded):  # by names with prefixes
            self.collect_params().load_dict(
                loaded,
                ctx,
                allow_missing,
                ignore_extra,
                self.prefix if _without_prefix(loaded, self.prefix) else "",
                str(filename),
                cast_dtype,
                dtype_source,
            )
            return
        if not allow_missing:
            names: dict[Parameter, list[str]] = {}
            for name, parameter in found.items():
                names.setdefault(parameter, []).append(name)
            for name, parameter in found.items():
                if not any(one in loaded for one in names[parameter]):
                    refuse_names("load_parameters", name, True, f"the file {filename!s}", loaded, found)
        for name, array in loaded.items():
            if name in found:
                found[name]._load_init(array, ctx, cast_dtype=cast_dtype, dtype_source=dtype_source)
            elif not ignore_extra:
                refuse_names("load_parameters", name, False, f"the file {filename!s}", loaded, found)

    def save(self, prefix: str) -> None:
        """Write names, graphs and parameters of all blocks, for :meth:`load` of the same class here or in
        MXNet.

        Parameters
        ----------
        prefix : str
            What the names begin with: ``prefix-model.json`` and ``prefix-model.params``.
        """
        write_architecture(self, f"{prefix}-model.json")
        self.save_parameters(f"{prefix}-model.params")

    def load(self, prefix: str) -> None:
        """Read what :meth:`save` or MXNet wrote of a block with the same children.

        Blocks and parameters get the names of the file, and those that were hybridised their graphs.

        Parameters
        ----------
        prefix : str
            What the names of the files begin with.
        """
        read_architecture(self, f"{prefix}-model.json")
        self.load_parameters(f"{prefix}-model.params")

    def load_params(
        self,
        filename: PathLike,
        ctx: Contexts = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
    ) -> None:
        """As :meth:`load_parameters`, the newer name."""
        warnings.warn("load_params is deprecated; please use load_parameters", stacklevel=2)
        self.load_parameters(filename, ctx, allow_missing, ignore_extra)

    # Hooks.

    def register_forward_pre_hook(self, hook: Callable[[Block, tuple[Any, ...]], Any]) -> HookHandle:
        """Have ``hook(block, inputs)`` called before each forward pass.

        Returns
        -------
        HookHandle
            Whose ``detach()`` takes it away.
        """
        handle = HookHandle()
        handle.attach(self._forward_pre_hooks, hook)
        return handle

    def register_forward_hook(self, hook: Callable[[Block, tuple[Any, ...], Any], Any]) -> HookHandle:
        """Have ``hook(block, inputs, output)`` called after each forward pass.

        Returns
        -------
        HookHandle
            Whose ``detach()`` takes it away.
        """
        handle = HookHandle()
        handle.attach(self._forward_hooks, hook)
        return handle

    def register_op_hook(
        self, callback: Callable[[str, str, NDArray], None], monitor_all: bool = False
    ) -> None:
        """Have a function called with every result of the operators of hybridised children.

        Parameters
        ----------
        callback : function
            Takes the name of the value, of the operator, and the array.
        monitor_all : bool
            Whether operators' inputs are shown, too.
        """
        for child in self._children.values():
            child.register_op_hook(callback, monitor_all)

    # Running.

    def __call__(self, *args: Any) -> Any:
        """The forward pass, with the hooks around it."""
        for hook in list(self._forward_pre_hooks.values()):
            hook(self, args)
        out = self.forward(*args)
        for hook in list(self._forward_hooks.values()):
            hook(self, args, out)
        return out

    def forward(self, *args: Any) -> Any:
        """What the block computes; subclasses define it.

        Parameters
        ----------
        *args : NDArray or nested lists of NDArray
            The inputs.
        """
        raise NotImplementedError(f"[{type(self).__name__}] forward is not defined")

    def summary(self, *inputs: Any) -> None:
        """Print a table of all blocks: shapes of their outputs and numbers of parameters.

        Parameters
        ----------
        *inputs : NDArray
            What the block is called with; parameters must be initialised.
        """
        print_summary(self, inputs)


def _without_prefix(loaded: dict[str, Any], prefix: str) -> bool:
    """Whether names of a file lack the prefix, as files of ``save_params`` do."""
    return not any(
        (name[4:] if name.startswith(("arg:", "aux:")) else name).startswith(prefix) for name in loaded
    )
