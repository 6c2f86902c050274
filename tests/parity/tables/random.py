"""Random operators: dtype, shape, mean and spread."""

from __future__ import annotations

from typing import Any

from ..case import Case, Input, normal, uniform, values

MANY = (20000,)

PUBLIC: tuple[tuple[str, dict[str, Any]], ...] = (
    ("random.uniform", {}),
    ("random.uniform", {"low": -1, "high": 3}),
    ("random.normal", {}),
    ("random.normal", {"loc": 1, "scale": 2}),
    ("random.exponential", {"scale": 2}),
    ("random.gamma", {"alpha": 2, "beta": 3}),
    ("random.gamma", {"alpha": 0.5, "beta": 1}),
    ("random.poisson", {"lam": 4}),
    ("random.poisson", {"lam": 40}),
    ("random.negative_binomial", {"k": 3, "p": 0.4}),
    ("random.generalized_negative_binomial", {"mu": 2, "alpha": 0.3}),
    ("random.randint", {"low": 0, "high": 5}),
    ("random.randint", {"low": -3, "high": 3, "dtype": "int64"}),
    ("random.uniform", {"dtype": "float64"}),
    ("random.normal", {"dtype": "float16"}),
    ("_random_exponential", {"lam": 2}),
    ("_random_gamma", {"alpha": 2}),
    ("_random_uniform", {"low": 2, "high": 4}),
    ("_random_normal", {"loc": -1}),
    ("_random_poisson", {"lam": 3}),
    ("random_uniform", {}),
    ("uniform", {"high": 2}),
    ("normal", {"scale": 3}),
    ("random_randint", {"low": 2, "high": 9}),
)

# Parameters as arrays; only one row, so that the spread of the whole result is that of the distribution.
SAMPLED: tuple[tuple[str, tuple[Input, ...]], ...] = (
    ("sample_uniform", (values([1]), values([4]))),
    ("sample_normal", (values([1]), values([2]))),
    ("sample_exponential", (values([2]),)),
    ("sample_gamma", (values([2]), values([3]))),
    ("sample_poisson", (values([4]),)),
    ("sample_negative_binomial", (values([3]), values([0.4]))),
    ("sample_generalized_negative_binomial", (values([2]), values([0.3]))),
    ("random.uniform", (values([1]), values([4]))),
    ("random.exponential", (values([2]),)),
)

CASES = [Case(op, params={**params, "shape": MANY}, moments=True) for op, params in PUBLIC]
CASES += [Case(op, inputs, {"shape": MANY}, moments=True) for op, inputs in SAMPLED]
CASES += [
    Case("random.multinomial", (values([0.1, 0.2, 0.3, 0.4]),), {"shape": MANY}, moments=True),
    Case("random.multinomial", (values([[0, 1], [1, 0]]),), {"shape": 3}),
    Case("sample_multinomial", (values([[0, 0, 1]]),), {"shape": (2, 2)}),
    Case("random.shuffle", (normal(2000),), moments=True),
    Case("random.uniform_like", (normal(100, 200),), moments=True),
    Case("random.normal_like", (normal(100, 200),), moments=True),
]

COUNTS, ONE, OTHER = values([[0, 1, 4], [2, 3, 7]]), uniform(2, low=0.5, high=2), uniform(2, low=2.5, high=4)
SAMPLE, CHANCE = uniform(2, 3, low=0.5, high=2), uniform(2, low=0.25, high=0.75)
SIMPLEX = values([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]])
DENSITIES: tuple[tuple[str, tuple[Input, ...]], ...] = (
    ("uniform", (SAMPLE, ONE, OTHER)),
    ("normal", (SAMPLE, ONE, ONE)),
    ("gamma", (SAMPLE, OTHER, ONE)),
    ("exponential", (SAMPLE, ONE)),
    ("poisson", (COUNTS, ONE)),
    ("negative_binomial", (COUNTS, OTHER, CHANCE)),
    ("generalized_negative_binomial", (COUNTS, OTHER, CHANCE)),
    ("dirichlet", (SIMPLEX, uniform(3, low=1.5, high=3))),
    ("dirichlet", (SIMPLEX, uniform(2, 3, low=1.5, high=3))),
)
CASES += [
    Case(
        f"random_pdf_{name}", inputs, {"is_log": is_log}, grad=tuple(range(len(inputs))), rtol=1e-4, atol=1e-5
    )
    for name, inputs in DENSITIES
    for is_log in (False, True)
]
