"""Cases of operators: what to call, and what NumPy says about it.

A file of `tests/python/cases/` holds one table, `CASES`, per family. `test_operators.py` derives from each
row the values in every dtype, gradients by finite differences, second-order gradients and in-place calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Callable, Union

import numpy as np

FLOATS = ("float32", "float64", "float16", "bfloat16")
INTS = ("int32", "int64", "int8", "uint8")
ALL = FLOATS + INTS

Array = np.ndarray


@dataclass(frozen=True)
class Spec:
    """An input drawn at random.

    kind "float" is uniform in (low, high); "int" holds whole numbers from low to high, both included, and is
    given to `ref` as int64; "distinct" holds values between low and high of which no two are near.
    `dtype` fixes the type; otherwise the input has the dtype the case runs in.
    """

    shape: tuple[int, ...]
    low: float = -1.0
    high: float = 1.0
    kind: str = "float"
    dtype: str | None = None


@dataclass(frozen=True)
class Stored:
    """An input that stores only what is not zero in `values`: "csr" or "row_sparse"."""

    values: Array
    stype: str = "csr"

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape


# A tuple is Spec(tuple). An array is taken as it is: float64 values are converted to the dtype of the run,
# other types stay.
Input = Union[Spec, tuple[int, ...], Array, Stored]


@dataclass
class Case:
    """One call of an operator.

    ref(*inputs, **params) gives the expected output, or a tuple of them, in float64; integer results are
    truncated. For a random operator there is `check(outputs, inputs)`, which asserts. `states` gives the
    expected values of the inputs that the operator changes, in order. `grad` names the inputs whose gradient
    is checked: None is all of float type, False none. `grad_ref(head, *inputs, **params)` replaces finite
    differences for operators, such as losses, whose gradient is not the derivative. `fails` is text of the
    error that the call must give. Tolerances are those of float32; other dtypes scale them.
    """

    op: str
    inputs: Sequence[Input] = ()
    params: dict[str, Any] = field(default_factory=dict)
    ref: Callable[..., Any] | None = None
    grad: Sequence[int] | bool | None = None
    dtypes: Sequence[str] = FLOATS
    rtol: float | None = None
    atol: float | None = None
    id: str = ""
    check: Callable[[list[Array], list[Array]], None] | None = None
    states: Callable[..., Any] | None = None
    grad_ref: Callable[..., Any] | None = None
    grad_rtol: float = 1e-4
    grad_atol: float = 1e-6
    second: bool = True
    training: bool = False
    fails: str = ""
    seed: int = 0


def draw(given: Input, rng: np.random.Generator, dtype: str) -> tuple[Array, str]:
    """Values of an input for a run in `dtype`, as float64 or int64, and the dtype the array gets."""
    if isinstance(given, Stored):
        given = given.values
    if isinstance(given, np.ndarray):
        if given.dtype == np.float64:
            return given if dtype in FLOATS else np.trunc(given), dtype
        name = given.dtype.name
        return given.astype(np.float64 if name in FLOATS else np.int64), name
    spec = given if isinstance(given, Spec) else Spec(tuple(given))
    own = spec.dtype or dtype
    low, high = spec.low, spec.high
    if spec.kind == "int":
        if own in ("uint8", "bool"):
            low = max(low, 0)
        return rng.integers(int(low), int(high) + 1, spec.shape), own
    if spec.kind == "distinct":
        count = int(np.prod(spec.shape, dtype=np.int64))
        values = np.linspace(low, high, count) if own in FLOATS else low + np.arange(count)
        return rng.permutation(np.asarray(values, np.float64)).reshape(spec.shape), own
    if own in FLOATS:
        return rng.uniform(low, high, spec.shape), own
    if not isinstance(given, Spec):
        low, high = -5, 5
    if own in ("uint8", "bool"):
        low = max(low, 0)
    whole = rng.integers(int(np.ceil(low)), max(int(np.floor(high)), int(np.ceil(low))) + 1, spec.shape)
    return whole.astype(np.float64), own
