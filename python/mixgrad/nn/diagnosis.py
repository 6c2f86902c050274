"""Why one of our layers has refused its inputs; nothing here runs before an error."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import signature
from typing import TYPE_CHECKING, Any, NoReturn, Optional

from .._hints import kind_name
from ..base import DTypeError, ShapeError
from ..ndarray import NDArray
from .sequences import PackedSequence

if TYPE_CHECKING:
    from .module import Module

__all__ = ["check_last", "dtype_error", "explain", "refuse_shape"]

_CASTS = {"float64": "double", "float16": "half", "bfloat16": "bfloat16", "float32": "float"}


def refuse_shape(who: str, name: str, array: Any, expected: str) -> NoReturn:
    """Raise for an input of a wrong shape."""
    raise ShapeError(f"[{who}] the {name} has the shape {array.shape}; expected {expected}")


def dtype_error(who: str, name: str, dtype: str, own: str, variable: str, holder: str) -> DTypeError:
    """The error for an input of another dtype than the parameters, which a module or a net holds."""
    other = ""
    if dtype in _CASTS:
        other = f" or {holder}.cast({dtype!r})" if holder == "net" else f" or {holder}.{_CASTS[dtype]}()"
    return DTypeError(
        f"[{who}] the {name} is {dtype} and the {holder}'s parameters {own}; "
        f"write {variable}.astype({own!r}){other}"
    )


def check_last(module: Module, name: str, array: Any, *extents: int) -> None:
    """Raise unless the last extents are these."""
    if array.shape[-len(extents) :] != extents:
        refuse_shape(type(module).__name__, name, array, f"(..., {', '.join(map(str, extents))})")


def explain(module: Module, args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception) -> None:
    """Where one of our layers failed: raises if that is since an input is no array, or does not fit."""
    family, _, kind = type(module).forward.__module__.rpartition(".")
    if family != f"{__package__}.modules" or kind in ("containers", "parallel"):
        return
    # An outer layer may say more than an inner one has said; the first cause is enough.
    cause = error.__cause__ if getattr(error, "_explained", False) else error
    found = _not_an_array(module, args)
    if found is None and not (module._hooks is not None and module._hooks.before):
        found = _wrong_shape(module, args, kwargs) or _wrong_dtype(module, args, kwargs, error)
    if found is not None:
        found._explained = True  # type: ignore[attr-defined]
        raise found from cause


def _not_an_array(module: Module, args: tuple[Any, ...]) -> Optional[Exception]:
    for place, one in enumerate(args):
        number = isinstance(one, (int, float)) and not (place and isinstance(one, bool))
        values = number or isinstance(one, list) or hasattr(one, "__array__")
        if isinstance(one, NDArray) or not (values or one is None or isinstance(one, (str, dict))):
            continue
        if one is None and place:
            continue
        made = ", which mx.np.array makes of it" if values else ""
        return TypeError(
            f"[{type(module).__name__}] input {place} is {kind_name(one)}; expected an array{made}"
        )
    return None


def _wrong_shape(module: Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Optional[Exception]:
    try:
        module._check_inputs(*args, **kwargs)
    except ShapeError as found:
        return found
    except Exception:  # another thing is wrong, which the first error says
        return None
    return None


def _arrays(value: Any) -> Iterator[NDArray]:
    if isinstance(value, PackedSequence):
        yield value.data
    elif isinstance(value, NDArray):
        yield value
    elif isinstance(value, (tuple, list)):
        for one in value:
            yield from _arrays(one)


def _wrong_dtype(
    module: Module, args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception
) -> Optional[Exception]:
    own = next((str(one.dtype) for one in module._parameters.values() if one is not None), None)
    if own is None or not module._float_inputs:
        return None
    try:
        given = signature(module.forward).bind(*args, **kwargs).arguments
    except TypeError:
        return None
    for name, value in given.items():
        if name.endswith("mask"):  # added to scores
            continue
        for array in _arrays(value):
            dtype = str(array.dtype)
            wrong = isinstance(error, DTypeError) or "float" not in dtype
            if dtype in (own, "bool") or not wrong:
                continue
            variable = "x" if name in ("input", "src", "tgt") else name
            return dtype_error(type(module).__name__, name, dtype, own, variable, "module")
    return None
