"""Four million random floats."""

from __future__ import annotations

from bench.arrays import setups_of
from bench.case import Case, Goal

SIZE = 4_000_000

CASES = [
    Case(
        "random_uniform",
        "uniform, 4M floats",
        setups_of(
            list,
            {
                "mx": lambda mx: mx.nd.random.uniform(0, 1, shape=(SIZE,)),
                "torch": lambda torch: torch.rand(SIZE),
            },
        ),
        writes=4 * SIZE,
        goal=Goal(("torch", "torch_kept")),
        tolerance=None,
    ),
    Case(
        "random_normal",
        "normal, 4M floats",
        setups_of(
            list,
            {
                "mx": lambda mx: mx.nd.random.normal(0, 1, shape=(SIZE,)),
                "torch": lambda torch: torch.randn(SIZE),
            },
        ),
        writes=4 * SIZE,
        goal=Goal(("torch", "torch_kept")),
        tolerance=None,
    ),
]
