"""What ``load_state_dict`` checks of options and states before it changes anything."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any, NamedTuple, Optional

import numpy as onp

from .. import numpy as np
from ..base import InvalidArgumentError
from ..ndarray import NDArray

__all__ = [
    "Names",
    "as_array",
    "as_number",
    "as_whole",
    "checked_groups",
    "checked_schedule",
    "checked_states",
]


class Names(NamedTuple):
    """What the state of a parameter must hold and may hold, and which of these are numbers, not arrays."""

    needed: Set[str]
    possible: Set[str] = frozenset()
    numbers: Set[str] = frozenset()


def checked_groups(who: str, state_dict: Any, own: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The options of the groups as they are to be, with the numbers of parameters in ``"params"``.

    Raises
    ------
    InvalidArgumentError
        Other groups than the optimiser's, or an option of another kind than its own.
    """
    if not isinstance(state_dict, Mapping) or not {"state", "param_groups"} <= state_dict.keys():
        raise InvalidArgumentError(
            f"[{who}] got a {type(state_dict).__name__}; expected a dictionary with 'state' and "
            "'param_groups', as state_dict() gives it"
        )
    groups, states = state_dict["param_groups"], state_dict["state"]
    if not isinstance(groups, (list, tuple)) or not isinstance(states, Mapping):
        raise InvalidArgumentError(
            f"[{who}] 'param_groups' is a {type(groups).__name__} and 'state' a {type(states).__name__}; "
            "expected a list and a dictionary"
        )
    for group in groups:
        if not isinstance(group, Mapping) or not isinstance(group.get("params"), (list, tuple)):
            raise InvalidArgumentError(
                f"[{who}] a group is {group!r:.80}; expected a dictionary with the numbers of its parameters "
                "as 'params'"
            )
    sizes, expected = ([len(group["params"]) for group in some] for some in (groups, own))
    if sizes != expected:
        raise InvalidArgumentError(f"[{who}] the groups have {sizes} parameters; expected {expected}")
    checked = []
    for group, have in zip(groups, own):
        for name, value in group.items():
            if name != "params" and name in have and not _alike(value, have[name]):
                raise InvalidArgumentError(
                    f"[{who}] option {name!r} is {value!r:.60}; expected one such as {have[name]!r:.60}"
                )
        checked.append({**have, **group})
    return checked


def _alike(value: Any, own: Any) -> bool:
    """Whether a value may stand where the optimiser's own one does: a flag, finite numbers."""
    if isinstance(own, bool):
        return isinstance(value, (bool, onp.bool_, int)) and value in (0, 1)
    if isinstance(own, (tuple, list)):
        return (
            isinstance(value, (tuple, list))
            and len(value) == len(own)
            and all(_alike(one, other) for one, other in zip(value, own))
        )
    if isinstance(own, (int, float)):
        number = hasattr(value, "__float__") and not isinstance(value, str) and onp.ndim(value) == 0
        return bool(number and float(value) == float(value))
    return True


def checked_states(
    who: str, states: Mapping[Any, Any], numbered: dict[Any, tuple[Any, Optional[Names]]]
) -> dict[Any, dict[str, Any]]:
    """What is kept of each parameter, by parameter, in its dtype and on its device.

    Parameters
    ----------
    who : str
    states : dict
        By number of the parameter.
    numbered : dict
        Of each number the parameter, and the names of its state.
    """
    unknown = [number for number in states if number not in numbered]
    if unknown:
        raise InvalidArgumentError(
            f"[{who}] 'state' has a parameter {unknown[0]!r:.40}; the groups have {list(numbered)}"
        )
    found: dict[Any, dict[str, Any]] = {}
    for number, (param, names) in numbered.items():
        kept = states.get(number)
        if kept is None:
            continue
        if not isinstance(kept, Mapping):
            raise InvalidArgumentError(
                f"[{who}] the state of parameter {number} is a {type(kept).__name__}; expected a dictionary"
            )
        if kept:
            found[param] = _checked_state(who, number, kept, param, names)
    return found


def _checked_state(
    who: str, number: Any, kept: Mapping[str, Any], param: Any, names: Optional[Names]
) -> dict[str, Any]:
    if names is not None:
        needed, possible = names.needed, names.possible
        absent, more = sorted(needed - kept.keys()), sorted(set(map(str, kept)) - needed - possible)
        if absent or more:
            wrong = f"lacks {absent}" if absent else f"has {more}"
            raise InvalidArgumentError(
                f"[{who}] the state of parameter {number} {wrong}; expected {sorted(needed) or 'nothing'}"
                + (f", with or without {sorted(possible)}" if possible else "")
            )
    taken: dict[str, Any] = {}
    for name, value in kept.items():
        where = f"[{who}] {name!r} of parameter {number}"
        if name == "step":
            taken[name] = as_whole(where, value)
            continue
        if names is not None and name in names.numbers:
            taken[name] = as_number(where, value)
            continue
        if names is not None and value is not None:
            taken[name] = as_array(where, value, param.shape, param)
            continue
        is_array = isinstance(value, NDArray) or hasattr(value, "__array__")
        if is_array and len(value.shape):
            taken[name] = as_array(where, value, param.shape, param)
        else:
            taken[name] = _own(where, value, param) if is_array else value
    return taken


def as_whole(where: str, value: Any) -> int:
    """A count."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = -1.0
    if not 0 <= number < 2**53 or number != int(number):
        raise InvalidArgumentError(f"{where} is {value!r:.60}; expected a whole number from 0 on")
    return int(number)


def as_number(where: str, value: Any) -> float:
    """A number, also one of an array without axes."""
    if not _alike(value, 1.0):
        raise InvalidArgumentError(f"{where} is {value!r:.60}; expected a number")
    return float(value)


def as_array(where: str, value: Any, shape: tuple[int, ...], param: Any) -> Any:
    """A copy of an array of that shape in the parameter's dtype, on its device."""
    if not isinstance(value, NDArray) and not hasattr(value, "__array__"):
        raise InvalidArgumentError(f"{where} is a {type(value).__name__}; expected an array")
    if tuple(value.shape) != shape:
        raise InvalidArgumentError(f"{where} is {tuple(value.shape)}; expected {shape}")
    return _own(where, value, param)


def _own(where: str, value: Any, param: Any) -> Any:
    """A copy of the array as the parameter's dtype, on its device."""
    if isinstance(value, NDArray):
        return value.as_np_ndarray().astype(param.dtype).as_in_context(param.context)
    values = onp.asarray(value)
    if values.dtype.kind not in "fiub" and values.dtype.name != "bfloat16":
        raise InvalidArgumentError(f"{where} has dtype {values.dtype}; expected numbers")
    return np.array(values, dtype=param.dtype, ctx=param.context)


def checked_schedule(who: str, state_dict: Any, own: Mapping[str, Any]) -> dict[str, Any]:
    """What ``state_dict()`` of such a schedule gave; private names of another program are left out."""
    if not isinstance(state_dict, Mapping):
        raise InvalidArgumentError(f"[{who}] got a {type(state_dict).__name__}; expected a dictionary")
    absent = [name for name in own if name not in state_dict]
    more = [name for name in state_dict if name not in own and not str(name).startswith("_")]
    if absent or more:
        wrong = f"lacks {absent}" if absent else f"has {more}"
        raise InvalidArgumentError(f"[{who}] the dictionary {wrong}; expected {list(own)}")
    for name, value in own.items():
        given = state_dict[name]
        if isinstance(value, (bool, int, float)) and not _alike(given, value):
            raise InvalidArgumentError(f"[{who}] {name!r} is {given!r:.60}; expected a number")
        if isinstance(value, list) and not isinstance(given, (list, tuple)):
            raise InvalidArgumentError(f"[{who}] {name!r} is {given!r:.60}; expected a list")
    return {name: state_dict[name] for name in own}
