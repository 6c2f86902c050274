"""Densities at samples, against SciPy."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from opcase import Array, Case, Spec
from scipy import special, stats

Density = Callable[..., Array]


def over(density: Density) -> Callable[..., Array]:
    """The log density with parameters broadcast over the last axes of the sample."""

    def ref(sample: Array, *params: Array, is_log: bool = False) -> Array:
        wide = [p.reshape(p.shape + (1,) * (sample.ndim - p.ndim)) for p in params]
        log = density(sample, *wide)
        return log if is_log else np.exp(log)

    return ref


def generalized(x: Array, mu: Array, alpha: Array) -> Array:
    return negative_binomial(x, 1 / alpha, 1 / (mu * alpha + 1))


def negative_binomial(x: Array, k: Array, p: Array) -> Array:
    count = special.gammaln(x + k) - special.gammaln(x + 1) - special.gammaln(k)
    return count + k * np.log(p) + x * np.log(1 - p)


def dirichlet(sample: Array, alpha: Array, is_log: bool = False) -> Array:
    wide = alpha.reshape(*alpha.shape[:-1], *(1,) * (sample.ndim - alpha.ndim), alpha.shape[-1])
    log = (special.xlogy(wide - 1, sample) - special.gammaln(wide)).sum(-1) + special.gammaln(wide.sum(-1))
    log = np.atleast_1d(log)
    return log if is_log else np.exp(log)


SAMPLE = Spec((2, 3), 0.5, 2)
COUNTS = np.array([[0.0, 1, 4], [2, 3, 7]])
ONE, OTHER = Spec((2,), 0.5, 2), Spec((2,), 2.5, 4)
CHANCE = Spec((2,), 0.25, 0.75)
TABLE: list[tuple[str, Density, list[Any], Any]] = [
    ("uniform", lambda x, a, b: -np.log(b - a) + 0 * x, [SAMPLE, ONE, OTHER], None),
    ("normal", stats.norm.logpdf, [SAMPLE, ONE, ONE], None),
    ("gamma", lambda x, a, b: stats.gamma.logpdf(x, a, scale=1 / b), [SAMPLE, OTHER, ONE], None),
    ("exponential", lambda x, lam: np.log(lam) - lam * x, [SAMPLE, ONE], None),
    ("poisson", stats.poisson.logpmf, [COUNTS, ONE], (1,)),
    ("negative_binomial", negative_binomial, [COUNTS, OTHER, CHANCE], (1, 2)),
    ("generalized_negative_binomial", generalized, [COUNTS, OTHER, CHANCE], (1, 2)),
]
LOOSE: dict[str, Any] = {"rtol": 1e-4, "atol": 1e-5, "dtypes": ("float32", "float64", "float16")}
SIMPLEX = np.array([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]])
CASES = [
    *(
        Case(f"_random_pdf_{name}", inputs, {"is_log": is_log}, over(density), grad=grad, **LOOSE)
        for name, density, inputs, grad in TABLE
        for is_log in (False, True)
    ),
    Case("_random_pdf_normal", [(2, 3, 2, 2), (2, 3), Spec((2, 3), 0.5, 2)], {}, over(stats.norm.logpdf),
         **LOOSE),
    Case("_random_pdf_normal", [(3,), (3,), Spec((3,), 0.5, 2)], {}, over(stats.norm.logpdf), **LOOSE),
    Case("_random_pdf_normal", [(0, 3), (0,), (0,)], {}, lambda x, *_: x, **LOOSE, id="empty"),
    Case("_random_pdf_normal", [(2, 0), (2,), (2,)], {}, lambda x, *_: x, **LOOSE, id="no samples"),
    Case("_random_pdf_normal", [(2, 3), (3,), (3,)], fails="must begin with that of the parameters"),
    Case("_random_pdf_gamma", [np.array([[0.0, 1]]), np.array([1.0]), np.array([2.0])], {},
         lambda x, a, b: 2 * np.exp(-2 * x), grad=False, **LOOSE, id="at 0"),
    Case("_random_pdf_generalized_negative_binomial", [COUNTS[:1], np.array([2.0]), np.array([0.0])], {},
         lambda x, mu, a: stats.poisson.pmf(x, mu), grad=False, **LOOSE, id="no dispersion"),
    *(
        Case("_random_pdf_dirichlet", [sample, alpha], {"is_log": is_log}, dirichlet, **LOOSE)
        for sample, alpha in [
            (SIMPLEX, Spec((3,), 1.5, 3)),
            (SIMPLEX, Spec((2, 3), 1.5, 3)),
            (SIMPLEX[0], Spec((3,), 1.5, 3)),
            (np.array([[SIMPLEX, SIMPLEX[::-1]]] * 2), Spec((2, 3), 1.5, 3)),
        ]
        for is_log in (False, True)
    ),
    Case("_random_pdf_dirichlet", [(2, 3), (2,)], fails="need last axes of one extent"),
]  # fmt: skip
