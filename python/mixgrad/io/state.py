"""Positions of iterators as plain numbers and texts, which a checkpoint keeps."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ..base import InvalidArgumentError

__all__ = ["checked_state", "order_from", "order_text", "state_count", "state_list"]

Order = npt.NDArray[np.int64]


def checked_state(state: Any, who: str, same: Mapping[str, Any]) -> Mapping[str, Any]:
    """The state, once it is known to be one of such an iterator over such data.

    ``same`` has what must be equal in both: counts of examples, sizes of batches, seeds.
    """
    if not isinstance(state, Mapping):
        raise TypeError(f"[{who}] state is {type(state).__name__}; expected what state_dict() returned")
    if state.get("iterator") != who:
        raise InvalidArgumentError(
            f"[{who}] the state is one of {state.get('iterator')!r:.60}; expected {who!r}"
        )
    for key, value in same.items():
        if key not in state or state[key] != value:
            raise InvalidArgumentError(
                f"[{who}] the state has {key} {state.get(key)!r:.60}; this iterator has {value!r:.60}"
            )
    return state


def state_count(state: Mapping[str, Any], key: str, who: str, least: int = 0, most: int = 2**62) -> int:
    """A whole number of a state."""
    value = state.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InvalidArgumentError(f"[{who}] the state has {key} {value!r:.60}; expected {least} to {most}")
    return value


def state_list(state: Mapping[str, Any], key: str, who: str, count: int) -> list[int]:
    """A list of whole numbers below ``count`` of a state."""
    value = state.get(key)
    if not isinstance(value, (list, tuple)) or not all(
        isinstance(one, int) and not isinstance(one, bool) and 0 <= one < count for one in value
    ):
        raise InvalidArgumentError(
            f"[{who}] the state has {key} {value!r:.60}; expected numbers from 0 to {count - 1}"
        )
    return list(value)


def order_text(order: npt.NDArray[Any]) -> str:
    """An order of examples as text: its numbers as little-endian int32 (int64 from 2**31 on), in base 64."""
    kind = "<i4" if len(order) < 2**31 else "<i8"
    return base64.b64encode(order.astype(kind).tobytes()).decode("ascii")


def order_from(state: Mapping[Any, Any], key: Any, who: str, count: int) -> Order:
    """The order of ``count`` examples that a state holds as text."""
    text = state.get(key)
    kind = np.dtype("<i4" if count < 2**31 else "<i8")
    try:
        content = base64.b64decode(text if isinstance(text, str) else "?", validate=True)
    except (binascii.Error, ValueError):
        raise InvalidArgumentError(
            f"[{who}] the state has {key} {text!r:.60}; expected an order as text"
        ) from None
    order = np.frombuffer(content, kind).astype(np.int64) if len(content) == count * kind.itemsize else None
    if order is None or not np.array_equal(np.sort(order), np.arange(count)):
        raise InvalidArgumentError(f"[{who}] {key} of the state is no order of {count} examples")
    return order
