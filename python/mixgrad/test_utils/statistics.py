"""Whether random numbers have the distribution that they should have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable, Union

import numpy as np
import numpy.typing as npt

__all__ = ["chi_square_check", "gen_buckets_probs_with_ppf", "mean_check", "var_check", "verify_generator"]

Buckets = Union[Sequence[float], Sequence[tuple[float, float]]]
Generator = Callable[[int], Any]
Counts = npt.NDArray[np.int64]


def gen_buckets_probs_with_ppf(
    ppf: Callable[[float], float], nbuckets: int
) -> tuple[list[tuple[float, float]], list[float]]:
    """Intervals of equal probability, from the inverse of a distribution function.

    Parameters
    ----------
    ppf : function
        Gives the value below which a share of all numbers lies.
    nbuckets : int
        How many intervals.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.test_utils.gen_buckets_probs_with_ppf(lambda share: 10 * share, 2)
    ([(0.0, 5.0), (5.0, 10.0)], [0.5, 0.5])
    """
    if nbuckets < 1:
        raise ValueError(f"[gen_buckets_probs_with_ppf] nbuckets is {nbuckets}; expected 1 or more")
    edges = [ppf(i / nbuckets) for i in range(nbuckets + 1)]
    return list(zip(edges[:-1], edges[1:])), [1.0 / nbuckets] * nbuckets


def _counted(samples: Any, buckets: Buckets) -> Counts:
    values = np.asarray(samples).reshape(-1)
    if not isinstance(buckets[0], (list, tuple)):
        return np.array([(values == bucket).sum() for bucket in buckets], np.int64)
    edges = np.array(buckets, np.float32).reshape(-1)
    if (np.diff(edges) < 0).any():
        raise ValueError(f"[chi_square_check] buckets are {buckets!r:.200}; expected intervals that ascend")
    places = np.searchsorted(edges, values, side="right")
    return np.array([(places // 2 == i).sum() for i in range(len(buckets))], np.int64)


def chi_square_check(
    generator: Generator, buckets: Buckets, probs: Sequence[float], nsamples: int = 1000000
) -> tuple[float, Counts, Counts]:
    """The chi-square test of a generator; it needs SciPy.

    Parameters
    ----------
    generator : function
        Gives as many numbers as it is asked for.
    buckets : list
        Intervals (low, high) in ascending order, or all values that occur.
    probs : list of float
        Their probabilities.
    nsamples : int
        How many numbers are drawn.

    Returns
    -------
    float, numpy.ndarray, numpy.ndarray
        The p value, what was counted, and what was expected.
    """
    from scipy import stats

    if not buckets or len(buckets) != len(probs):
        raise ValueError(f"[chi_square_check] {len(buckets)} buckets, {len(probs)} probs; expected one each")
    counted = _counted(generator(nsamples), buckets)
    expected = (nsamples * np.asarray(probs, np.float64)).astype(np.int64)
    used = expected > 0
    statistic = ((counted[used] - expected[used]) ** 2 / expected[used]).sum()
    return float(stats.chi2.sf(statistic, len(buckets) - 1)), counted, expected


def verify_generator(
    generator: Generator,
    buckets: Buckets,
    probs: Sequence[float],
    nsamples: int = 1000000,
    nrepeat: int = 5,
    success_rate: float = 0.2,
    alpha: float = 0.05,
) -> list[float]:
    """Raises unless a generator passes enough of several chi-square tests; returns their p values.

    Parameters
    ----------
    generator, buckets, probs, nsamples
        See :func:`chi_square_check`.
    nrepeat : int
        How many tests.
    success_rate : float
        The share of them that has to pass.
    alpha : float
        The p value above which one passes.
    """
    found = [chi_square_check(generator, buckets, probs, nsamples) for _ in range(nrepeat)]
    values = [value for value, _, _ in found]
    if sum(value > alpha for value in values) < nrepeat * success_rate:
        raise AssertionError(
            f"[verify_generator] p values {values}; counted {[list(one) for _, one, _ in found]}, expected "
            f"{list(found[0][2])} in the buckets {buckets!r:.200}"
        )
    return values


def mean_check(generator: Generator, mu: float, sigma: float, nsamples: int = 1000000) -> bool:
    """Whether the mean of random numbers is within three standard errors of ``mu``."""
    error = 3 * sigma / np.sqrt(nsamples)
    return bool(abs(np.asarray(generator(nsamples)).mean() - mu) < error)


def var_check(generator: Generator, sigma: float, nsamples: int = 1000000) -> bool:
    """Whether the variance of normal numbers is within three standard errors of ``sigma`` squared."""
    error = 3 * np.sqrt(2 * sigma**4 / (nsamples - 1))
    return bool(abs(np.asarray(generator(nsamples)).var(ddof=1) - sigma**2) < error)
