"""Functions of ``mx.np`` that NumPy computes on copies of the values; gradients do not flow through them.

They wait for the values. Arrays in the results are those of ``mx.np``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as onp

from .. import _core
from ..autograd import is_recording
from .operands import delivered, from_numpy, is_recorded, plain, tensor

# As in MXNet; those that the installed NumPy lacks are left out.
_NAMES = [
    "allclose",
    "alltrue",
    "apply_along_axis",
    "apply_over_axes",
    "argpartition",
    "argwhere",
    "array_equal",
    "array_equiv",
    "choose",
    "compress",
    "corrcoef",
    "correlate",
    "count_nonzero",
    "cov",
    "digitize",
    "divmod",
    "extract",
    "flatnonzero",
    "float_power",
    "frexp",
    "heaviside",
    "histogram2d",
    "histogram_bin_edges",
    "histogramdd",
    "i0",
    "in1d",
    "interp",
    "intersect1d",
    "isclose",
    "isin",
    "ix_",
    "lexsort",
    "min_scalar_type",
    "mirr",
    "modf",
    "msort",
    "nanargmax",
    "nanargmin",
    "nancumprod",
    "nancumsum",
    "nanmax",
    "nanmedian",
    "nanmin",
    "nanpercentile",
    "nanprod",
    "nanquantile",
    "ndim",
    "npv",
    "partition",
    "piecewise",
    "packbits",
    "poly",
    "polyadd",
    "polydiv",
    "polyfit",
    "polyint",
    "polymul",
    "polysub",
    "positive",
    "ppmt",
    "promote_types",
    "ptp",
    "pv",
    "rate",
    "real",
    "result_type",
    "roots",
    "searchsorted",
    "select",
    "setdiff1d",
    "setxor1d",
    "signbit",
    "size",
    "spacing",
    "take_along_axis",
    "trapz",
    "tril_indices_from",
    "trim_zeros",
    "triu_indices_from",
    "union1d",
    "unpackbits",
    "unwrap",
    "vander",
]


def _context(value: Any) -> Any:
    """The device of the first array among arguments."""
    if isinstance(value, _core.NDArrayBase):
        return tensor(value).context
    if isinstance(value, (list, tuple)):
        return next(filter(None, map(_context, value)), None)
    return None


def through_numpy(function: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> Any:
    """What a function of NumPy gives for the values of arrays.

    Raises ``ValueError`` where a gradient would have to flow through it.
    """
    if is_recording() and (is_recorded(list(args)) or is_recorded(list(kwargs.values()))):
        raise ValueError(
            f"[{function.__name__}] NumPy computes it, and no gradient flows through; expected arrays that "
            "are not recorded, such as x.detach()"
        )
    out = kwargs.get("out")
    if isinstance(out, _core.NDArrayBase):
        words = {word: plain(value) for word, value in kwargs.items() if word != "out"}
        return delivered(from_numpy(_computed(function, args, words)), out)
    words = {word: plain(value) for word, value in kwargs.items()}
    return from_numpy(_computed(function, args, words), _context([*args, *kwargs.values()]))


def _computed(function: Callable[..., Any], args: Any, words: dict[str, Any]) -> Any:
    try:
        return function(*[plain(a) for a in args], **words)
    except Exception as error:
        if type(error) in (TypeError, ValueError, IndexError) and not str(error).startswith("["):
            raise type(error)(f"[{function.__name__}] {error}") from error
        raise


def wrapped(name: str, module: Any = onp, owner: str = "mixgrad.numpy") -> Callable[..., Any]:
    """A function of NumPy's as one of arrays."""
    original = getattr(module, name)

    def function(*args: Any, **kwargs: Any) -> Any:
        return through_numpy(original, args, kwargs)

    if not isinstance(original, onp.ufunc):
        functools.update_wrapper(function, original, ("__name__", "__qualname__"), ())
    function.__name__ = function.__qualname__ = name
    function.__module__ = owner
    function.__doc__ = (
        f"NumPy's ``{name}`` on copies of the values, which it waits for.\n\n    Arguments are NumPy's. "
        "Arrays in the result are those of ``mx.np``; no gradient flows through."
    )
    return function


_REPLACED: dict[str, Callable[..., Any]] = {
    "alltrue": onp.all,
    "in1d": lambda ar1, ar2, assume_unique=False, invert=False: onp.isin(
        onp.asarray(ar1).ravel(), ar2, assume_unique=assume_unique, invert=invert
    ),
    "msort": lambda a: onp.sort(a, axis=0),
    "trapz": lambda y, x=None, dx=1.0, axis=-1: onp.trapezoid(y, x, dx, axis),
}


def _made(name: str) -> Any:
    if hasattr(onp, name):
        return wrapped(name)

    def function(*args: Any, **kwargs: Any) -> Any:
        return through_numpy(_REPLACED[name], args, kwargs)

    function.__name__ = function.__qualname__ = name
    function.__module__ = "mixgrad.numpy"
    function.__doc__ = f"What NumPy 1 called ``{name}``, computed by NumPy on copies of the values."
    return function


__all__ = [name for name in _NAMES if hasattr(onp, name) or name in _REPLACED]

globals().update({name: _made(name) for name in __all__})
__all__ += ["rollaxis"]


def rollaxis(a: Any, axis: int, start: int = 0) -> Any:
    """See :func:`mixgrad.np.rollaxis`."""
    from .manipulation import rollaxis as own

    return own(a, axis, start)
