"""Softmax of four million floats in long and in short rows."""

from __future__ import annotations

from bench.arrays import setups_of
from bench.case import Case, Goal
from bench.inputs import uniform

SIZE = 4_000_000


def _case(columns: int) -> Case:
    return Case(
        f"softmax_{columns}",
        f"softmax of ({SIZE // columns}, {columns})",
        setups_of(
            lambda: [uniform(SIZE // columns, columns, low=-3.0, high=3.0)],
            {"mx": lambda mx, a: mx.nd.softmax(a), "torch": lambda torch, a: torch.softmax(a, -1)},
        ),
        reads=4 * SIZE,
        writes=4 * SIZE,
        goal=Goal(("torch", "torch_kept")),
    )


CASES = [_case(1000), _case(64)]
