"""What one parity case is: an operator, seeded inputs, parameters, and what is compared.

Pure data over NumPy, so that the process holding MXNet and the one holding mixgrad build identical inputs.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Input:
    """How to make one input array.

    Parameters
    ----------
    shape
        Extents of the array.
    dtype
        NumPy name of the element type.
    kind
        ``normal``, ``uniform`` (over ``low`` to ``high``), ``int`` (``high`` excluded), ``distinct`` (a
        shuffled range, so no two elements tie) or ``values`` (``data`` reshaped).
    name
        Keyword the input is passed by; empty for a positional input.
    """

    shape: tuple[int, ...]
    dtype: str = "float32"
    kind: str = "normal"
    low: float = 0.0
    high: float = 1.0
    data: tuple[float, ...] = ()
    name: str = ""

    def build(self, seed: int) -> Array:
        """Make the array; the same seed gives the same numbers on every NumPy (legacy generator)."""
        random = np.random.RandomState(seed)
        if self.kind == "values":
            array = np.array(self.data, dtype="float64").reshape(self.shape)
        elif self.kind == "uniform":
            array = random.uniform(self.low, self.high, self.shape)
        elif self.kind == "int":
            array = random.randint(int(self.low), int(self.high), self.shape)
        elif self.kind == "distinct":
            count = int(np.prod(self.shape))
            array = (random.permutation(count).reshape(self.shape) - count / 2) * 0.37
        else:
            array = random.standard_normal(self.shape)
        return np.asarray(array).astype(self.dtype)


def normal(*shape: int, dtype: str = "float32", name: str = "") -> Input:
    """Standard normal numbers."""
    return Input(shape, dtype, name=name)


def uniform(
    *shape: int, low: float = 0.0, high: float = 1.0, dtype: str = "float32", name: str = ""
) -> Input:
    """Numbers spread evenly over an interval."""
    return Input(shape, dtype, "uniform", low, high, name=name)


def integer(*shape: int, low: int = 0, high: int = 5, dtype: str = "float32", name: str = "") -> Input:
    """Whole numbers, ``high`` excluded."""
    return Input(shape, dtype, "int", low, high, name=name)


def distinct(*shape: int, dtype: str = "float32") -> Input:
    """Numbers without ties."""
    return Input(shape, dtype, "distinct")


def values(data: Any, dtype: str = "float32", name: str = "") -> Input:
    """Exactly these numbers."""
    array = np.array(data, dtype="float64")
    return Input(array.shape, dtype, "values", data=tuple(float(x) for x in array.ravel()), name=name)


@dataclass(frozen=True)
class Case:
    """One call to compare.

    Parameters
    ----------
    op
        ``name`` (looked up in ``nd``, then ``nd._internal``), ``random.name``, ``linalg.name``,
        ``operator.name`` (Python's operator module) or ``method.name`` (a method of the first input).
    grad
        Positions of the inputs whose gradients are compared; empty for forward only.
    heads
        Positions of the outputs that receive head gradients.
    ones
        Head gradients are ones instead of seeded normal numbers.
    state
        Positions of inputs compared after the call because the operator changes them.
    out
        Position of the input passed as ``out=`` (-1: none); ``outs`` for several.
    train
        Record in training mode.
    moments
        The result is random: compare dtype, shape, mean and spread, not numbers.
    error
        Both sides must refuse the call.
    rtol, atol
        Override the tolerances of the dtype when not negative.
    """

    op: str
    inputs: tuple[Input, ...] = ()
    params: dict[str, Any] = field(default_factory=dict)
    args: tuple[Any, ...] = ()
    tag: str = ""
    grad: tuple[int, ...] = ()
    heads: tuple[int, ...] = (0,)
    ones: bool = False
    state: tuple[int, ...] = ()
    out: int = -1
    outs: tuple[int, ...] = ()
    train: bool = True
    moments: bool = False
    error: bool = False
    rtol: float = -1.0
    atol: float = -1.0

    @property
    def name(self) -> str:
        """Unique, readable and stable: operator, dtypes and shapes, parameters."""
        shapes = ",".join(f"{i.dtype}{list(i.shape)}".replace(" ", "") for i in self.inputs)
        params = ",".join(f"{k}={v}".replace(" ", "") for k, v in self.params.items())
        extra = ",".join(str(a).replace(" ", "") for a in self.args)
        parts = [self.op, shapes, extra, params, "train" if self.state and self.grad else "", self.tag]
        return "|".join(p for p in parts if p)

    def build(self) -> list[Array]:
        """Make every input of the case."""
        seed = zlib.crc32(self.name.encode()) % (1 << 31)
        return [spec.build(seed + i) for i, spec in enumerate(self.inputs)]

    def head(self, position: int, shape: tuple[int, ...], dtype: Any) -> Array:
        """Head gradient for one output."""
        if self.ones:
            return np.ones(shape, dtype)
        seed = zlib.crc32(self.name.encode()) % (1 << 31) + 7919 * (position + 1)
        return np.asarray(np.random.RandomState(seed).standard_normal(shape)).astype(dtype)


def grid(op: str, inputs: tuple[Input, ...], *param_sets: dict[str, Any], **common: Any) -> list[Case]:
    """Build one case per parameter set."""
    return [Case(op, inputs, params, **common) for params in param_sets]
