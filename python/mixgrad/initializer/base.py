"""The base of all initialisers, the rules by which a name chooses a filling, and the registry."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any, Callable

import numpy as np

from .. import ndarray as nd
from .. import registry
from ..ndarray import NDArray

__all__ = ["InitDesc", "Initializer", "alias", "create", "register"]

_LOG = logging.getLogger(__name__)


class InitDesc(str):
    """The name of an array, with what a graph says about initialising it.

    Parameters
    ----------
    name : str
        Name of the array; the object is this string.
    attrs : mapping of str to str, optional
        Attributes of the variable; ``__init__`` holds an initialiser's text.
    global_init : Initializer, optional
        The initialiser of the whole model, for initialisers that delegate.

    Examples
    --------
    >>> import mixgrad as mx
    >>> desc = mx.init.InitDesc("state", {"__init__": mx.init.One().dumps()})
    >>> x = mx.nd.zeros((2,))
    >>> mx.init.Zero()(desc, x)
    >>> x.asnumpy().tolist()
    [1.0, 1.0]
    """

    attrs: dict[str, str]
    global_init: Initializer | None

    def __new__(
        cls, name: str, attrs: Mapping[str, str] | None = None, global_init: Initializer | None = None
    ) -> InitDesc:
        desc = super().__new__(cls, name)
        desc.attrs = dict(attrs or {})
        desc.global_init = global_init
        return desc


class Initializer:
    """Base of all initialisers.

    A subclass defines ``_init_weight(name, arr)``, and hands its arguments to ``Initializer.__init__`` by
    keyword so that :meth:`dumps` can write them.

    Examples
    --------
    >>> import mixgrad as mx
    >>> @mx.init.register
    ... class Seven(mx.init.Initializer):
    ...     def _init_weight(self, name, arr):
    ...         arr[:] = 7
    >>> x = mx.nd.zeros((2,))
    >>> mx.init.create("seven")("fc_weight", x)
    >>> x.asnumpy().tolist()
    [7.0, 7.0]
    """

    def __init__(self, **kwargs: Any) -> None:
        self._kwargs = kwargs
        self._verbose = False
        self._print_func: Callable[[NDArray], Any] = _root_mean_square

    def set_verbosity(
        self, verbose: bool = False, print_func: Callable[[NDArray], Any] | None = None
    ) -> Initializer:
        """Log one line per initialised array, at level INFO; return ``self``.

        Parameters
        ----------
        verbose : bool
            Whether to log.
        print_func : callable, optional
            Maps the filled array to what is shown; by default its root mean square.
        """
        self._verbose = verbose
        self._print_func = print_func or _root_mean_square
        return self

    def dumps(self) -> str:
        """Return the JSON text ``["name", {arguments}]``, which :func:`create` reads back."""
        return json.dumps([type(self).__name__.lower(), self._kwargs])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self._kwargs.items())})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Initializer) and type(self) is type(other) and self.dumps() == other.dumps()

    def __hash__(self) -> int:
        return hash(self.dumps())

    def __call__(self, desc: str, arr: NDArray) -> None:
        """Fill ``arr`` (any shape, in place) by the rule its name chooses.

        Raises
        ------
        TypeError
            ``desc`` is not a string.
        ValueError
            No rule matches the name.
        """
        if not isinstance(desc, str):
            raise TypeError(f"[{type(self).__name__}] the name must be a string, got {type(desc).__name__}")
        if isinstance(desc, InitDesc):
            if desc.global_init is None:
                desc.global_init = self
            text = desc.attrs.get("__init__", "")
            if text:
                create(text)._init_weight(desc, arr)
                self._verbose_print(desc, text, arr)
                return
            rules = _RULES
        else:
            rules = _PLAIN_NAME_RULES + _RULES
        for matches, method in rules:
            if matches(desc):
                getattr(self, method)(desc, arr)
                self._verbose_print(desc, method[len("_init_") :], arr)
                return
        self._init_default(desc, arr)

    def _verbose_print(self, desc: str, rule: str, arr: NDArray) -> None:
        if self._verbose:
            _LOG.info("Initialized %s as %s: %s", desc, rule, self._print_func(arr))

    def _init_weight(self, name: str, arr: NDArray) -> None:
        raise NotImplementedError(
            f"[{type(self).__name__}] defines no _init_weight, so it cannot initialise '{name}'"
        )

    def _init_quantized_weight(self, name: str, arr: NDArray) -> None:
        arr[:] = nd.random.randint(-127, 127, shape=arr.shape).astype("int8")

    def _init_bias(self, name: str, arr: NDArray) -> None:
        arr[:] = 0

    def _init_beta(self, name: str, arr: NDArray) -> None:
        arr[:] = 0

    def _init_gamma(self, name: str, arr: NDArray) -> None:
        arr[:] = 1

    def _init_zero(self, name: str, arr: NDArray) -> None:
        arr[:] = 0

    def _init_one(self, name: str, arr: NDArray) -> None:
        arr[:] = 1

    def _init_loc_bias(self, name: str, arr: NDArray) -> None:
        if arr.shape != (6,):
            raise ValueError(
                f"[{type(self).__name__}] '{name}' holds a 2x3 affine transform and must have shape (6,), "
                f"got {arr.shape}"
            )
        arr[:] = np.array([1, 0, 0, 0, 1, 0], dtype=np.float32)

    def _init_bilinear(self, name: str, arr: NDArray) -> None:
        create("bilinear")._init_weight(name, arr)

    def _init_default(self, name: str, arr: NDArray) -> None:
        raise ValueError(
            f"[{type(self).__name__}] no rule for the name '{name}' (shape {arr.shape}): it should end in "
            "weight, bias, gamma, beta, running_mean, running_var or the like; otherwise name an initialiser "
            "in the variable's init argument"
        )


register = registry.get_register_func(Initializer, "initializer")
alias = registry.get_alias_func(Initializer, "initializer")
create = registry.get_create_func(Initializer, "initializer")


def _ends(*suffixes: str) -> Callable[[str], bool]:
    return lambda name: name.endswith(suffixes)


# In order; the first match decides.
_RULES: tuple[tuple[Callable[[str], bool], str], ...] = (
    (_ends("weight"), "_init_weight"),
    (_ends("bias"), "_init_bias"),
    (_ends("gamma"), "_init_gamma"),
    (_ends("beta"), "_init_beta"),
    (_ends("min"), "_init_zero"),
    (_ends("max"), "_init_one"),
    (_ends("weight_quantize"), "_init_quantized_weight"),
    (_ends("bias_quantize"), "_init_zero"),
    (_ends("moving_mean", "running_mean", "moving_inv_var", "moving_avg"), "_init_zero"),
    (_ends("moving_var", "running_var"), "_init_one"),
)

# Scripts written for 0.x name such layers and pass a plain string.
_PLAIN_NAME_RULES: tuple[tuple[Callable[[str], bool], str], ...] = (
    (lambda name: name.startswith("upsampling"), "_init_bilinear"),
    (lambda name: name.startswith("stn_loc") and name.endswith("weight"), "_init_zero"),
    (lambda name: name.startswith("stn_loc") and name.endswith("bias"), "_init_loc_bias"),
)


def _root_mean_square(arr: NDArray) -> float:
    values = arr.asnumpy().astype(np.float64)
    return float(np.sqrt(np.mean(np.square(values)))) if values.size else 0.0
