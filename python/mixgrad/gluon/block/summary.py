"""The table of a network's blocks that ``Block.summary`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...base import RefusedValueError
from ...ndarray import NDArray
from ..parameter import Parameter
from ..utils import HookHandle
from .structure import flatten, regroup

if TYPE_CHECKING:
    from .block import Block

__all__ = ["print_summary"]

_LINE = "{:>20}  {:>42} {:>15}"
_WIDTH = 80


class _Table:
    """Notes what each block gives, and how many numbers its parameters have."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, Any, int]] = []
        self.total = self.trainable = self.shared = 0
        self._seen: set[Parameter] = set()
        self._handles: list[HookHandle] = []

    def note(self, block: Block, inputs: Any, outputs: Any) -> None:
        """A hook of forward passes."""
        arrays, _ = flatten(outputs, "output")
        if not all(one is None or isinstance(one, NDArray) for one in arrays):
            return  # symbols, of which shapes are inferred
        count = 0
        for parameter in block.params.values():
            if parameter not in block._reg_params.values():
                continue
            size = int(parameter._check_and_get(parameter._data, list)[0].size)
            self.total += size
            self.trainable += size if parameter.grad_req != "null" else 0
            self.shared += size if parameter in self._seen else 0
            self._seen.add(parameter)
            count += size
        self.rows.append((f"{type(block).__name__}-{len(self.rows)}", shapes_of(outputs), count))

    def register(self, block: Block) -> None:
        """Watch a block, unless it only holds others."""
        from ..nn import HybridSequential, Sequential

        if not isinstance(block, (Sequential, HybridSequential)):
            self._handles.append(block.register_forward_hook(self.note))

    def detach(self) -> None:
        """Watch no longer."""
        for handle in self._handles:
            handle.detach()


def shapes_of(values: Any) -> Any:
    """Shapes in the structure of the arrays, without lists around one."""
    arrays, structure = flatten(values, "output")
    found = regroup((one.shape for one in arrays if one is not None), structure)
    while isinstance(found, list) and len(found) == 1:
        found = found[0]
    return found


def _refuse_graphs(block: Block) -> None:
    """An error if a block, or one inside it, runs as a graph."""
    from .hybrid_block import HybridBlock

    active: list[Block] = []
    block.apply(lambda one: active.append(one) if isinstance(one, HybridBlock) and one._active else None)
    if not active:
        return
    name = block.name
    what = repr(name) if block in active else f"{active[-1].name!r} in {name!r}"
    raise RefusedValueError(
        f"[summary] {what} is hybridised, so its children do not run one by one; call hybridize(False) of "
        f"{name!r} first, and hybridize again after it"
    )


def print_summary(block: Block, inputs: tuple[Any, ...]) -> None:
    """Run a block once and print the table of what it ran."""
    _refuse_graphs(block)
    table = _Table()
    table.rows.append(("Input", shapes_of(list(inputs)), 0))
    try:
        block.apply(table.register)
        block(*inputs)
    finally:
        table.detach()
    print("-" * _WIDTH)
    print(_LINE.format("Layer (type)", "Output Shape", "Param #"))
    print("=" * _WIDTH)
    for name, shape, count in table.rows:
        shown = ", ".join(str(one) for one in shape) if isinstance(shape, list) else str(shape)
        print(_LINE.format(name, shown, count))
    print("=" * _WIDTH)
    print("Parameters in forward computation graph, duplicate included")
    print(f"   Total params: {table.total}")
    print(f"   Trainable params: {table.trainable}")
    print(f"   Non-trainable params: {table.total - table.trainable}")
    print(f"Shared params in forward computation graph: {table.shared}")
    print(f"Unique parameters in model: {table.total - table.shared}")
    print("-" * _WIDTH)
