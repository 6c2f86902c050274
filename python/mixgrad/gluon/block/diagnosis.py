"""Which layer has refused its data, and what it expects; nothing here runs before an error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Optional

from ...base import DTYPE_NAMES, DTypeError, MXNetError, ShapeError, dtype_number
from ...nn.diagnosis import dtype_error, refuse_shape
from .structure import flatten

if TYPE_CHECKING:
    from ...symbol import Symbol
    from .hybrid_block import HybridBlock

__all__ = ["explain"]

_NODE = re.compile(r"at node '([^']*)'")


class _Given:
    """What is known of a layer's data in a graph: the value of a symbol, by arrays of its inputs."""

    def __init__(self, value: Symbol, arrays: dict[str, Any]) -> None:
        self._value, self._arrays = value, arrays

    @property
    def shape(self) -> tuple[int, ...]:
        shapes = {name: array.shape for name, array in self._arrays.items()}
        return tuple(self._value.infer_shape_partial(**shapes)[1][0])

    @property
    def dtype(self) -> Any:
        return self._value.infer_type(**{name: one.dtype for name, one in self._arrays.items()})[1][0]


def explain(block: HybridBlock, args: tuple[Any, ...], error: Exception) -> None:
    """Where a block failed: raises if one of our layers has got data that does not fit it."""
    cause = error if isinstance(error, MXNetError) else error.__cause__
    if not isinstance(cause, (ShapeError, DTypeError)) or getattr(cause, "_explained", False):
        return
    node = _NODE.search(str(cause))
    try:
        place = _place(block, args, node[1]) if node else (block, args[0])
        found = None if place is None else _misfit(place[0], place[1], cause)
    except Exception:  # another thing is wrong, which the first error says
        return
    if found is not None:
        found._explained = True  # type: ignore[attr-defined]
        raise found from cause


def _place(block: HybridBlock, args: tuple[Any, ...], node: str) -> Optional[tuple[HybridBlock, _Given]]:
    """The layer that a node of a block's graph is from, and its data, where the node computes with these."""
    inputs, outputs = block._cached_graph
    layers: list[Any] = []
    block.apply(layers.append)  # a block comes after those inside it
    owner = max((one for one in layers if node.startswith(one.prefix)), key=lambda one: len(one.prefix))
    data = outputs.get_internals()[f"{node}_output"].get_children()[0]
    while owner.prefix and data.name.startswith(owner.prefix):  # axes in another order
        before = data.get_children()
        if before is None or len(before) != 1:
            return None  # a result of the layer
        data = before[0]
    if node.endswith("h2h"):  # a state of the layer
        return None
    names = data.list_inputs()
    arrays = [one for one in flatten(args, "input")[0] if one is not None]
    given = {one.name: array for one, array in zip(inputs, arrays) if one.name in names}
    return owner, _Given(data, given)


def _misfit(layer: HybridBlock, data: Any, cause: Exception) -> Optional[Exception]:
    who = f"{type(layer).__name__} {layer.name!r}"
    if not type(layer).hybrid_forward.__module__.startswith("mixgrad.gluon."):
        return None
    if isinstance(cause, DTypeError):
        own = next((one.dtype for one in layer._reg_params.values()), None)
        given, ours = (None if one is None else DTYPE_NAMES[dtype_number(one)] for one in (data.dtype, own))
        return dtype_error(who, "data", given, ours, "x", "net") if given and ours and given != ours else None
    expected = layer._expects(tuple(data.shape)) if 0 not in data.shape else None
    try:
        if expected is not None:
            refuse_shape(who, "data", data, expected)
    except ShapeError as found:
        return found
    return None
