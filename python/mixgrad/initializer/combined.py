"""Initialisers made of others: by the pattern of a name, or from saved arrays."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Union

from .. import ndarray as nd
from .._patterns import compiled
from ..base import RefusedTypeError, RefusedValueError
from ..ndarray import NDArray
from .base import InitDesc, Initializer, create, register

__all__ = ["Load", "Mixed"]

_LOG = logging.getLogger(__name__)

# What may stand where an initialiser is expected by Mixed and Load.
_Filler = Union[Initializer, Callable[[str, NDArray], None]]


def _fill(filler: Any, name: str, arr: NDArray) -> None:
    """Fill an array as a weight, whatever its name says: the way of a parameter's own initialiser."""
    if isinstance(filler, Initializer):
        filler._init_weight(name, arr)
    else:
        filler(name, arr)


@register
class Mixed(Initializer):
    """Choose an initialiser by regular expression; the first pattern found in the name decides.

    Variables and Gluon's parameters that have an initialiser of their own, such as the zeros of a bias in
    ``nn.Dense``, keep to it.

    Parameters
    ----------
    patterns : sequence of str
        Regular expressions, searched from the start of the name.
    initializers : sequence of Initializer
        One for each pattern, or the name of one.

    Examples
    --------
    >>> import mixgrad as mx
    >>> init = mx.init.Mixed(["bias", ".*"], [mx.init.Zero(), mx.init.One()])
    >>> x = mx.nd.zeros((2,))
    >>> init("fc_weight", x)
    >>> x.asnumpy().tolist()
    [1.0, 1.0]
    """

    def __init__(self, patterns: Sequence[str], initializers: Sequence[_Filler]) -> None:
        if len(patterns) != len(initializers):
            raise RefusedValueError(
                f"[Mixed] expected one initialiser per pattern, got {len(patterns)} patterns and "
                f"{len(initializers)} initialisers"
            )
        super().__init__()
        made = [create(init) if isinstance(init, (str, dict)) else init for init in initializers]
        for init in made:
            if not callable(init) or isinstance(init, type):
                raise RefusedTypeError(
                    f"[Mixed] got {init!r:.60}; expected an initialiser, such as mx.init.Zero()"
                )
        self.map = [(compiled(pattern, "Mixed"), init) for pattern, init in zip(patterns, made)]

    def set_verbosity(
        self, verbose: bool = False, print_func: Callable[[NDArray], Any] | None = None
    ) -> Mixed:
        """As of :class:`Initializer`, for all of them."""
        super().set_verbosity(verbose, print_func)
        for _, init in self.map:
            if isinstance(init, Initializer):
                init.set_verbosity(verbose, print_func)
        return self

    def dumps(self) -> str:
        """Return JSON text, which :func:`create` reads back."""
        described = [json.loads(init.dumps()) for _, init in self.map if isinstance(init, Initializer)]
        if len(described) < len(self.map):
            raise RefusedTypeError("[Mixed] has functions, for which there is no text; expected initialisers")
        patterns = [pattern.pattern for pattern, _ in self.map]
        texts = [json.dumps(one) for one in described]
        return json.dumps(["mixed", {"patterns": patterns, "initializers": texts}])

    def __repr__(self) -> str:
        return f"Mixed({', '.join(f'{pattern.pattern!r}: {init!r}' for pattern, init in self.map)})"

    def _chosen(self, name: str) -> Any:
        return next((init for pattern, init in self.map if pattern.match(name)), None)

    def _unmatched(self, name: str) -> ValueError:
        patterns = ", ".join(repr(pattern.pattern) for pattern, _ in self.map)
        return ValueError(
            f"[Mixed] '{name}' matches none of {patterns}; a last pattern '.*' matches every name"
        )

    def __call__(self, name: str, arr: NDArray) -> None:
        """Fill ``arr`` with the first initialiser whose pattern matches; ``ValueError`` if none does."""
        own = name.attrs.get("__init__") if isinstance(name, InitDesc) else None
        init = self._chosen(name)
        if init is None and own not in (None, "", self):
            init = create(own)
        if init is None:
            raise self._unmatched(name)
        init(name, arr)

    def _init_weight(self, name: str, arr: NDArray) -> None:
        init = self._chosen(name)
        if init is None:
            raise self._unmatched(name)
        _fill(init, name, arr)


@register
class Load(Initializer):
    """Copy arrays from a file or a dict by name, and leave the rest to another initialiser.

    In Gluon the names are those of ``net.collect_params()``; files of ``save_parameters`` have others, and
    are for ``load_parameters``.

    Parameters
    ----------
    param : str or dict of str to NDArray
        A ``.params`` file, or its arrays; the prefixes ``arg:`` and ``aux:`` are dropped.
    default_init : Initializer, optional
        Fills arrays that are not in ``param``; without it their names are an error.
    verbose : bool
        Log where each array came from, at level INFO.

    Examples
    --------
    >>> import mixgrad as mx
    >>> init = mx.init.Load({"arg:fc_weight": mx.nd.ones((2,))}, default_init=mx.init.Zero())
    >>> x = mx.nd.zeros((2,))
    >>> init("fc_weight", x)
    >>> x.asnumpy().tolist()
    [1.0, 1.0]
    """

    def __init__(
        self,
        param: str | Mapping[str, NDArray],
        default_init: _Filler | None = None,
        verbose: bool = False,
    ) -> None:
        super().__init__()
        arrays: Any = nd.load(param) if isinstance(param, str) else param
        if not isinstance(arrays, Mapping):
            raise TypeError(f"[Load] expected arrays with names, got {type(arrays).__name__}")
        self.param: dict[str, NDArray] = {}
        for name, arr in arrays.items():
            self.param[name[4:] if name.startswith(("arg:", "aux:")) else name] = arr
        self.default_init = default_init
        self.verbose = verbose

    def dumps(self) -> str:
        """There is no text for arrays: an error."""
        raise RefusedTypeError("[Load] has arrays, for which there is no text; expected another initialiser")

    def __repr__(self) -> str:
        return f"Load({len(self.param)} arrays, default_init={self.default_init!r})"

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __call__(self, name: str, arr: NDArray) -> None:
        """Fill ``arr``; ``ValueError`` when shapes differ or the name is unknown and there is no default."""
        self._take(name, arr, lambda init: init(name, arr))

    def _init_weight(self, name: str, arr: NDArray) -> None:
        self._take(name, arr, lambda init: _fill(init, name, arr))

    def _take(self, name: str, arr: NDArray, use: Callable[[_Filler], None]) -> None:
        """Copy the array of that name, or have the other initialiser used."""
        source = self.param.get(name)
        if source is not None:
            if source.shape != arr.shape:
                raise RefusedValueError(
                    f"[Load] '{name}' has shape {arr.shape} but was saved with {source.shape}"
                )
            arr[:] = source
        elif self.default_init is not None:
            use(self.default_init)
        else:
            raise RefusedValueError(
                f"[Load] '{name}' is not among the loaded arrays and there is no default_init{self._known()}"
            )
        if self.verbose:
            _LOG.info("Initialized %s by %s", name, "loading" if source is not None else "default")

    def _known(self) -> str:
        """What the arrays are called, as the end of a message."""
        names = sorted(self.param)
        listed = f"; there are {', '.join(names[:4])}" if names else "; there are none"
        return listed + (f" and {len(names) - 4} more" if len(names) > 4 else "")
