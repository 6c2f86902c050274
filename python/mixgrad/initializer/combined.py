"""Initialisers made of others: by the pattern of a name, or from saved arrays."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Union

from .. import ndarray as nd
from .._patterns import compiled
from ..base import RefusedValueError
from ..ndarray import NDArray
from .base import Initializer

__all__ = ["Load", "Mixed"]

_LOG = logging.getLogger(__name__)

# What may stand where an initialiser is expected by Mixed and Load.
_Filler = Union[Initializer, Callable[[str, NDArray], None]]


class Mixed:
    """Choose an initialiser by regular expression; the first pattern found in the name decides.

    Parameters
    ----------
    patterns : sequence of str
        Regular expressions, searched from the start of the name.
    initializers : sequence of Initializer
        One for each pattern.

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
        self.map = [(compiled(pattern, "Mixed"), init) for pattern, init in zip(patterns, initializers)]

    def __call__(self, name: str, arr: NDArray) -> None:
        """Fill ``arr`` with the first initialiser whose pattern matches; ``ValueError`` if none does."""
        for pattern, init in self.map:
            if pattern.match(name):
                init(name, arr)
                return
        patterns = ", ".join(repr(pattern.pattern) for pattern, _ in self.map)
        raise ValueError(
            f"[Mixed] '{name}' matches none of {patterns}; a last pattern '.*' matches every name"
        )


class Load:
    """Copy arrays from a file or a dict by name, and leave the rest to another initialiser.

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
        arrays: Any = nd.load(param) if isinstance(param, str) else param
        if not isinstance(arrays, Mapping):
            raise TypeError(f"[Load] expected arrays with names, got {type(arrays).__name__}")
        self.param: dict[str, NDArray] = {}
        for name, arr in arrays.items():
            self.param[name[4:] if name.startswith(("arg:", "aux:")) else name] = arr
        self.default_init = default_init
        self.verbose = verbose

    def __call__(self, name: str, arr: NDArray) -> None:
        """Fill ``arr``; ``ValueError`` when shapes differ or the name is unknown and there is no default."""
        source = self.param.get(name)
        if source is not None:
            if source.shape != arr.shape:
                raise RefusedValueError(
                    f"[Load] '{name}' has shape {arr.shape} but was saved with {source.shape}"
                )
            arr[:] = source
        elif self.default_init is not None:
            self.default_init(name, arr)
        else:
            raise RefusedValueError(
                f"[Load] '{name}' is not among the loaded arrays and there is no default_init"
            )
        if self.verbose:
            _LOG.info("Initialized %s by %s", name, "loading" if source is not None else "default")
