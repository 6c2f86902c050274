"""The planned graph of a hybridised block, and the arrays of its parameters."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, Optional

from ... import _core
from ...context import Context
from ...ndarray import CachedOp, NDArray
from ...symbol import Symbol
from ..parameter import Parameter, ParameterDict
from ..parameter.parameter import generation

__all__ = ["BlockGraph"]


class BlockGraph:
    """A symbol that is called with arrays of its inputs, then of its parameters.

    Parameters
    ----------
    name : str
        What messages call it.
    inputs : list of Symbol
        Variables of the inputs.
    outputs : Symbol
        What is computed.
    params : ParameterDict
        Where its other variables are found.
    inline_limit : int
        Graphs of at most this many operators are recorded operator by operator.
    """

    def __init__(
        self, name: str, inputs: Sequence[Symbol], outputs: Symbol, params: ParameterDict, inline_limit: int
    ) -> None:
        names = [str(one.name) for one in inputs]
        used = outputs.list_inputs()
        for one in names:
            if one not in used:
                warnings.warn(
                    f"[{name}] the input {one!r} is not used by any computation; is this intended?",
                    stacklevel=5,
                )
        self.parameters: list[Parameter] = []
        for one in used:
            if one in names:
                continue
            if one not in params:
                raise RuntimeError(f"[{name}] unknown input to HybridBlock: {one}")
            self.parameters.append(params[one])
        for one in params:
            if one not in used:
                warnings.warn(
                    f"[{name}] the parameter {one!r} is not used by any computation; is this intended?",
                    stacklevel=5,
                )
        self._outputs = outputs
        self._names = [*names, *(parameter.name for parameter in self.parameters)]
        many = list if len(outputs) > 1 else None
        self.run: Any = _core.graph_of_symbol(outputs._handle, self._names, many, name)
        self._watched: Optional[CachedOp] = None
        self._arrays: dict[tuple[int, int], tuple[NDArray, ...]] = {}
        self._arrays_at = -1

    def arrays_on(self, device: tuple[int, int]) -> Optional[tuple[NDArray, ...]]:
        """The parameters' arrays on a device, if they were bound and have not been replaced since."""
        return self._arrays.get(device) if self._arrays_at == generation.number else None

    def bind(self, context: Context) -> tuple[NDArray, ...]:
        """The parameters' arrays on a device, kept until they are replaced."""
        arrays = tuple(parameter.data(context) for parameter in self.parameters)
        if self._arrays_at != generation.number:
            self._arrays = {}
            self._arrays_at = generation.number
        self._arrays[context.numbers] = arrays
        return arrays

    def run_watched(
        self,
        callback: Callable[..., Any],
        monitor_all: bool,
        inputs: Sequence[NDArray],
        arrays: Sequence[NDArray],
    ) -> Any:
        """Run operator by operator, and show every result to a function."""
        if self._watched is None:
            self._watched = CachedOp(self._outputs)
        self._watched._register_op_hook(callback, monitor_all)
        given = dict(zip(self._names, [*inputs, *arrays]))
        return self._watched(*(given[name] for name in self._outputs.list_inputs()))
