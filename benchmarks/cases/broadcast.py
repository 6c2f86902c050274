"""Addition of a row and of a column to a matrix."""

from __future__ import annotations

from bench.arrays import setups_of
from bench.case import Case, Goal
from bench.inputs import uniform

SIDE = 2000
BYTES = 4 * SIDE * SIDE


def _case(name: str, title: str, *shape: int) -> Case:
    return Case(
        name,
        title,
        setups_of(
            lambda: [uniform(SIDE, SIDE, seed=1), uniform(*shape, seed=2)],
            # MXNet's own operator of this name is what its `+` calls for different shapes.
            {"mx": lambda mx, a, b: mx.nd.broadcast_add(a, b), "torch": lambda torch, a, b: a + b},
        ),
        reads=BYTES,
        writes=BYTES,
        flops=SIDE * SIDE,
        goal=Goal(("torch", "torch_kept")),
    )


CASES = [
    _case("broadcast_row", "(2000, 2000) + (1, 2000)", 1, SIDE),
    _case("broadcast_column", "(2000, 2000) + (2000, 1)", SIDE, 1),
]
