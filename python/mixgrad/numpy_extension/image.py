"""Pictures as arrays of ``mx.np`` (``mx.npx.image``): operators, and what ``mx.image`` has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..numpy.operands import tensor
from ..numpy.operators import operators as _ops

_OPERATORS = tuple(
    name.removeprefix("_npx__image_") for name in _ops.NAMES if name.startswith("_npx__image_")
)


def _operator(name: str) -> Callable[..., Any]:
    function = getattr(_ops, "_npx__image_" + name)

    def call(data: Any, *args: Any, **kwargs: Any) -> Any:
        return function(tensor(data), *args, **kwargs)

    call.__name__ = call.__qualname__ = name
    call.__module__ = __name__
    call.__doc__ = (function.__doc__ or "").replace(": NDArray", ": mx.np.ndarray")
    return call


globals().update({name: _operator(name) for name in _OPERATORS})
__all__ = list(_OPERATORS)


def __getattr__(name: str) -> Any:
    """Functions and classes of :mod:`mixgrad.image`."""
    from .. import image

    return getattr(image, name)
