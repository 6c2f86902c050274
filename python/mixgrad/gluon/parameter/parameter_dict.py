"""Parameters by name, which blocks have and share."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import Any, Optional, Union

from ... import initializer
from ... import ndarray as nd
from ..._files import PathLike
from ...base import RefusedValueError, dtype_number
from ...context import Context
from ...ndarray import NDArray
from ..utils import _indent
from .constant import Constant
from .mismatch import refuse_list, refuse_names
from .parameter import Contexts, Parameter
from .sharing import share_parameters

__all__ = ["ParameterDict"]


class ParameterDict:
    """Parameters by name.

    Parameters
    ----------
    prefix : str
        What :meth:`get` puts before names.
    shared : ParameterDict, optional
        Where :meth:`get` looks for a parameter before it makes one.

    Examples
    --------
    >>> import mixgrad as mx
    >>> params = mx.gluon.ParameterDict("net_")
    >>> params.get("weight", shape=(2, 3))
    Parameter net_weight (shape=(2, 3), dtype=<class 'numpy.float32'>)
    >>> list(params.keys())
    ['net_weight']
    """

    def __init__(self, prefix: str = "", shared: Optional[ParameterDict] = None) -> None:
        self._prefix = prefix
        self._params: OrderedDict[str, Parameter] = OrderedDict()
        self._shared = shared

    def __repr__(self) -> str:
        lines = "\n".join(_indent(f"  {one}", 2) for one in self.values())
        return f"{self._prefix + ' ' if self._prefix else ''}(\n{lines}\n)"

    def __getitem__(self, key: str) -> Parameter:
        return self._params[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._params)

    def __contains__(self, key: object) -> bool:
        return key in self._params

    def items(self) -> ItemsView[str, Parameter]:
        """Names and parameters."""
        return self._params.items()

    def keys(self) -> KeysView[str]:
        """Names."""
        return self._params.keys()

    def values(self) -> ValuesView[Parameter]:
        """Parameters."""
        return self._params.values()

    @property
    def prefix(self) -> str:
        """What :meth:`get` puts before names."""
        return self._prefix

    def _get_impl(self, name: str) -> Optional[Parameter]:
        if name not in self._params and self._shared is not None and name in self._shared._params:
            self._params[name] = self._shared._params[name]
        return self._params.get(name)

    def get(self, name: str, **kwargs: Any) -> Parameter:
        """The parameter ``prefix + name``, made if neither this dictionary nor the shared one has it.

        Parameters
        ----------
        name : str
            Without the prefix.
        **kwargs
            Arguments of :class:`Parameter`. One that is there already must agree with them; what it does not
            know, such as an extent of its shape, it takes from them.
        """
        name = self._prefix + _text(name, "get")
        known = self._get_impl(name)
        if known is None:
            made = self._params[name] = Parameter(name, **kwargs)
            return made
        for key, value in kwargs.items():
            existing = getattr(known, key, None)
            if existing is None:
                setattr(known, key, value)
            elif not _agree(known, key, value, existing):
                raise RefusedValueError(
                    f"[ParameterDict.get] {name!r} is there with {key} {existing!r}; got {value!r}"
                )
        return known

    def get_constant(self, name: str, value: Any = None) -> Constant:
        """The constant ``prefix + name``, made of a value if it is not there.

        Parameters
        ----------
        name : str
            Without the prefix.
        value : array_like, optional
            Its value; one that is there already must be equal.
        """
        name = self._prefix + _text(name, "get_constant")
        known = self._get_impl(name)
        if known is None:
            if value is None:
                raise KeyError(f"[ParameterDict.get_constant] no constant is called {name!r}; give a value")
            made = self._params[name] = Constant(name, value)
            return made
        if not isinstance(known, Constant):
            raise RefusedValueError(f"[ParameterDict.get_constant] {name!r} is there and no constant")
        if value is not None:
            wanted = (value if isinstance(value, NDArray) else nd.array(value)).asnumpy()
            own = known.value.asnumpy()
            if wanted.shape != own.shape or not (wanted == own).all():
                raise RefusedValueError(f"[ParameterDict.get_constant] {name!r} is there with another value")
        return known

    def update(self, other: Union[ParameterDict, Mapping[str, Parameter]]) -> None:
        """Take all parameters of another dictionary; a name in both must stand for one parameter."""
        if not isinstance(other, (ParameterDict, Mapping)):
            raise TypeError(f"[ParameterDict.update] got {type(other).__name__}; expected a ParameterDict")
        for name, parameter in other.items():
            if self._params.setdefault(name, parameter) is not parameter:
                raise RefusedValueError(
                    f"[ParameterDict.update] both dictionaries have {name!r}, and not the same parameter"
                )

    # All at once.

    def initialize(
        self, init: Any = None, ctx: Contexts = None, verbose: bool = False, force_reinit: bool = False
    ) -> None:
        """Initialise all parameters.

        Parameters
        ----------
        init : Initializer, optional
            For parameters without an initialiser of their own; ``Uniform()`` by default.
        ctx : Context or list of Context, optional
            Devices.
        verbose : bool
            Log a line for each.
        force_reinit : bool
            Whether values that are there already are replaced.
        """
        chosen = initializer.create("uniform" if init is None else init)
        if isinstance(chosen, initializer.Load) and self and chosen.param.keys().isdisjoint(self):
            warnings.warn(
                f"[initialize] none of the parameters ({', '.join(list(self)[:2])}, ...) is among the loaded "
                f"arrays{chosen._known()}; files of save_parameters are for load_parameters",
                stacklevel=2,
            )
        if verbose:
            chosen.set_verbosity(verbose=verbose)
        for parameter in self.values():
            parameter.initialize(None, ctx, chosen, force_reinit=force_reinit)

    def share_memory(self, gradients: bool = False) -> ParameterDict:
        """Move all parameters into memory that other processes can have, too; see :meth:`Block.share_memory`.

        Parameters
        ----------
        gradients : bool
            Whether their gradients go there, too.
        """
        share_parameters(list(self.values()), gradients)
        return self

    def zero_grad(self) -> None:
        """Fill all gradients with zeros."""
        dense: dict[Context, list[NDArray]] = {}
        for parameter in self.values():
            if parameter._grad is None:
                continue
            if parameter.grad_stype != "default":
                parameter.zero_grad()
                continue
            for gradient in parameter.list_grad():
                dense.setdefault(gradient.context, []).append(gradient)
        for gradients in dense.values():
            nd.reset_arrays(*gradients, num_arrays=len(gradients))

    def reset_ctx(self, ctx: Contexts) -> None:
        """Move all parameters to other devices."""
        for parameter in self.values():
            parameter.reset_ctx(ctx)

    def list_ctx(self) -> list[Context]:
        """All devices that parameters are on."""
        found: dict[Context, None] = {}
        for parameter in self.values():
            found.update(dict.fromkeys(parameter.list_ctx()))
        return list(found)

    def setattr(self, name: str, value: Any) -> None:
        """Set an attribute of all parameters.

        >>> import mixgrad as mx
        >>> net = mx.gluon.nn.Dense(2, in_units=2)
        >>> net.collect_params().setattr("grad_req", "null")
        >>> net.weight.grad_req
        'null'
        """
        for parameter in self.values():
            setattr(parameter, name, value)

    # Files.

    def save(self, filename: PathLike, strip_prefix: str = "") -> None:
        """Write all parameters to a file, which real MXNet reads.

        Parameters
        ----------
        filename : str
            The file.
        strip_prefix : str
            What is left out of all names, which must begin with it.
        """
        arrays: dict[str, NDArray] = {}
        for parameter in self.values():
            if not parameter.name.startswith(strip_prefix):
                raise ValueError(
                    f"[ParameterDict.save] the prefix {strip_prefix!r} cannot be stripped from "
                    f"{parameter.name!r}, which does not begin with it; parameters that blocks share, or "
                    "children made outside name_scope(), are called differently"
                )
            arrays[parameter.name[len(strip_prefix) :]] = parameter._reduce()
        nd.save(filename, arrays)

    def load(
        self,
        filename: PathLike,
        ctx: Contexts = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        restore_prefix: str = "",
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Read parameters from a file.

        Parameters
        ----------
        filename : str
            What :meth:`save`, ``HybridBlock.export`` or MXNet wrote.
        ctx : Context or list of Context, optional
            Devices.
        allow_missing : bool
            Whether parameters that the file lacks stay as they are.
        ignore_extra : bool
            Whether arrays that are no parameters here are left out.
        restore_prefix : str
            What is put before all names of the file.
        cast_dtype : bool
            Whether dtypes may differ.
        dtype_source : {'current', 'saved'}
            Which of two dtypes is kept.
        """
        loaded = nd.load(filename)
        if not isinstance(loaded, dict):
            refuse_list("load", filename, loaded)
        self.load_dict(
            loaded, ctx, allow_missing, ignore_extra, restore_prefix, str(filename), cast_dtype, dtype_source
        )

    def load_dict(
        self,
        param_dict: Mapping[str, NDArray],
        ctx: Contexts = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        restore_prefix: str = "",
        filename: Optional[str] = None,
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """As :meth:`load`, from arrays by name; ``arg:`` and ``aux:`` before names are left out."""
        source = f"file {filename}" if filename else "param_dict"
        start = len(restore_prefix)
        for name in self.keys():
            if not name.startswith(restore_prefix):
                raise RefusedValueError(
                    f"[load] restore_prefix is {restore_prefix!r}, with which the parameter {name!r} does "
                    "not begin"
                )
        arrays = {
            restore_prefix + (name[4:] if name.startswith(("arg:", "aux:")) else name): array
            for name, array in param_dict.items()
        }
        if not allow_missing:
            for name in self.keys():
                if name not in arrays:
                    refuse_names("load", name, True, source, param_dict, self.keys(), self.prefix)
        for name, array in arrays.items():
            if name in self._params:
                self[name]._load_init(array, ctx, cast_dtype=cast_dtype, dtype_source=dtype_source)
            elif not ignore_extra:
                refuse_names("load", name[start:], False, source, param_dict, self.keys(), self.prefix)


def _text(name: Any, who: str) -> str:
    if not isinstance(name, str):
        raise TypeError(f"[ParameterDict.{who}] name is {name!r:.60}; expected text")
    return name


def _agree(known: Parameter, key: str, value: Any, existing: Any) -> bool:
    """Whether an argument says what the parameter knows already; unknown extents are completed by it."""
    if value is None or (key == "shape" and _merge_shapes(known, value)):
        return True
    if key == "dtype":
        return dtype_number(value) == dtype_number(existing)
    return bool(value == existing)


def _merge_shapes(known: Parameter, shape: Any) -> bool:
    """Complete the shape of a parameter by another one; False if they contradict each other."""
    existing = known.shape
    given = (shape,) if hasattr(shape, "__index__") else tuple(shape)
    if existing is None or len(given) != len(existing):
        return False
    merged = []
    for one, other in zip(given, existing):
        if one != other and one > 0 and other > 0:
            return False
        merged.append(other if one in (0, -1) else one)
    known._shape = tuple(merged)
    return True
