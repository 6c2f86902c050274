"""Sums of four million floats: all, along the first axis, along the last."""

from __future__ import annotations

from typing import Any, Optional

from bench.arrays import setups_of
from bench.case import Case, Goal
from bench.inputs import uniform

SHAPE = (4000, 1000)
SIZE = SHAPE[0] * SHAPE[1]


def _case(name: str, title: str, axis: Optional[int]) -> Case:
    def mx_sum(mx: Any, a: Any) -> Any:
        return mx.nd.sum(a) if axis is None else mx.nd.sum(a, axis=axis)

    def torch_sum(torch: Any, a: Any) -> Any:
        return torch.sum(a) if axis is None else torch.sum(a, axis)

    results = 1 if axis is None else SHAPE[1 - axis]
    return Case(
        name,
        title,
        setups_of(lambda: [uniform(*SHAPE, low=0.0)], {"mx": mx_sum, "torch": torch_sum}),
        reads=4 * SIZE,
        writes=4 * results,
        flops=SIZE,
        goal=Goal(("torch", "torch_kept")),
    )


CASES = [
    _case("sum", "sum of (4000, 1000)", None),
    _case("sum_axis0", "sum of (4000, 1000) along axis 0", 0),
    _case("sum_axis1", "sum of (4000, 1000) along axis 1", 1),
]
