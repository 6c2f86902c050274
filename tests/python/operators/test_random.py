"""Distributions against SciPy, seeds, streams, and independence of threads and engines."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import pytest
from scipy import stats

import mixgrad as mx
from mixgrad import nd

COUNT = 40000
Array = np.ndarray


def values(array: Any) -> Array:
    return np.asarray(array.astype("float64").asnumpy())


@pytest.fixture(autouse=True)
def seeded() -> None:
    mx.random.seed(20)


# Parameters by name, the distribution, and the smallest acceptable p-value.
CONTINUOUS: list[tuple[str, dict[str, float], Any]] = [
    ("uniform", {"low": -2, "high": 5}, stats.uniform(-2, 7)),
    ("normal", {"loc": 1, "scale": 3}, stats.norm(1, 3)),
    ("exponential", {"scale": 4}, stats.expon(scale=4)),
    ("gamma", {"alpha": 2.5, "beta": 3}, stats.gamma(2.5, scale=3)),
    ("gamma", {"alpha": 0.3, "beta": 0.5}, stats.gamma(0.3, scale=0.5)),
    ("gamma", {"alpha": 40, "beta": 1}, stats.gamma(40)),
]
DISCRETE: list[tuple[str, dict[str, float], Any]] = [
    ("poisson", {"lam": 0.3}, stats.poisson(0.3)),
    ("poisson", {"lam": 6}, stats.poisson(6)),
    ("poisson", {"lam": 11}, stats.poisson(11)),
    ("poisson", {"lam": 250}, stats.poisson(250)),
    ("negative_binomial", {"k": 4, "p": 0.3}, stats.nbinom(4, 0.3)),
    ("generalized_negative_binomial", {"mu": 3, "alpha": 0.5}, stats.nbinom(2, 1 / (1 + 1.5))),
    ("generalized_negative_binomial", {"mu": 3, "alpha": 0}, stats.poisson(3)),
    ("randint", {"low": -3, "high": 9}, stats.randint(-3, 9)),
]


def fits(drawn: Array, distribution: Any) -> float:
    """p-value of a chi-square test over the likely outcomes, the rest put together."""
    low, high = int(distribution.ppf(0.001)), int(distribution.ppf(0.999))
    outcomes = np.arange(low, high + 1)
    expected = distribution.pmf(outcomes) * drawn.size
    counts = np.array([(drawn == k).sum() for k in outcomes], float)
    rest = drawn.size - expected.sum()
    if rest > 1:
        expected, counts = np.append(expected, rest), np.append(counts, drawn.size - counts.sum())
    else:
        assert counts.sum() == drawn.size
        expected *= counts.sum() / expected.sum()
    return float(stats.chisquare(counts, expected, sum_check=False).pvalue)


@pytest.mark.parametrize(("name", "params", "distribution"), CONTINUOUS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_continuous(name: str, params: dict[str, float], distribution: Any, dtype: str) -> None:
    draw = getattr(nd.random, name)
    assert stats.kstest(values(draw(**params, shape=COUNT, dtype=dtype)), distribution.cdf).pvalue > 1e-3
    arrays = {key: nd.array([value] * 3) for key, value in params.items()}
    rows = values(draw(**arrays, shape=COUNT // 2, dtype=dtype))
    assert rows.shape == (3, COUNT // 2)
    for row in rows:
        assert stats.kstest(row, distribution.cdf).pvalue > 1e-3


@pytest.mark.parametrize(("name", "params", "distribution"), DISCRETE)
def test_discrete(name: str, params: dict[str, float], distribution: Any) -> None:
    draw = getattr(nd.random, name)
    assert fits(values(draw(**params, shape=COUNT)), distribution) > 1e-3
    if name != "randint":
        arrays = {key: nd.array([value] * 2) for key, value in params.items()}
        for row in values(draw(**arrays, shape=COUNT)):
            assert fits(row, distribution) > 1e-3


def test_multinomial_and_shuffle() -> None:
    p = np.array([0.1, 0.2, 0.0, 0.3, 0.4])
    drawn = nd.random.multinomial(nd.array([p, p[::-1]]), shape=COUNT).asnumpy()
    for row, wanted in zip(drawn, (p, p[::-1])):
        counts = np.bincount(row, minlength=5)
        assert counts[wanted == 0].sum() == 0
        assert stats.chisquare(counts[wanted > 0], wanted[wanted > 0] * COUNT).pvalue > 1e-3
    orders = [tuple(nd.random.shuffle(nd.arange(3)).asnumpy().astype(int)) for _ in range(3000)]
    counts = np.unique(orders, axis=0, return_counts=True)[1]
    assert len(counts) == 6
    assert stats.chisquare(counts).pvalue > 1e-3
    assert (np.sort(nd.random.shuffle(nd.arange(5000)).asnumpy()) == np.arange(5000)).all()


@pytest.mark.parametrize("trials", [1, 20, 500, 10**6, 2**53])
def test_counts_of_outcomes(trials: int) -> None:
    """How often each of several outcomes comes: its count alone is binomial, and all add up."""
    chances = (0.2, 0.0, 0.5, 0.3)
    counts = nd._internal._npi_multinomial(n=trials, pvals=chances, size=(COUNT // 10,)).asnumpy()
    assert counts.dtype == np.int64 and (counts.sum(1) == trials).all() and (counts[:, 1] == 0).all()
    for outcome in (0, 2, 3):
        got, p = counts[:, outcome], chances[outcome]
        if trials <= 500:
            assert fits(got, stats.binom(trials, p)) > 1e-3
        else:  # normal, as near as can be seen
            deviations = (got - trials * p) / np.sqrt(trials * p * (1 - p))
            assert stats.kstest(deviations, stats.norm.cdf).pvalue > 1e-3
    few = nd._internal._npi_multinomial(n=trials, pvals=(1.0, 0.0)).asnumpy()
    assert few.tolist() == [trials, 0]


def test_randint_far_apart() -> None:
    wide = nd.random.randint(-(2**62), 2**62, shape=COUNT, dtype="int64").asnumpy()
    assert stats.kstest(wide / 2.0**63, stats.uniform(-0.5, 1).cdf).pvalue > 1e-3
    odd = nd.random.randint(
        0, 3 * 2**30, shape=COUNT, dtype="int64"
    ).asnumpy()  # most words are redrawn or kept
    assert stats.kstest(odd / (3 * 2.0**30), stats.uniform().cdf).pvalue > 1e-3


def everything() -> list[Array]:
    shape = (513, 77)
    arrays = [
        nd.random.uniform(shape=shape),
        nd.random.normal(shape=shape, dtype="float64"),
        nd.random.normal(shape=shape, dtype="float16"),
        nd.random.exponential(shape=shape),
        nd.random.gamma(0.7, 2, shape=shape),
        nd.random.poisson(12, shape=shape),
        nd.random.negative_binomial(3, 0.4, shape=shape),
        nd.random.randint(0, 1000, shape=shape),
        nd.random.normal(nd.arange(50), nd.ones(50), shape=1111),
        nd.random.multinomial(nd.ones((9, 10)) / 10, shape=5000),
        nd.random.shuffle(nd.arange(40000)),
    ]
    with mx.autograd.train_mode():
        arrays.append(nd.Dropout(nd.ones(shape), p=0.3))
    return [a.asnumpy() for a in arrays]


def test_same_numbers_whatever_runs_them() -> None:
    before = mx.engine.num_threads()
    expected = everything()
    try:
        for threads in (1, 2, 3):
            mx.engine.set_num_threads(threads)
            mx.random.seed(20)
            for got, want in zip(everything(), expected):
                np.testing.assert_array_equal(got, want)
    finally:
        mx.engine.set_num_threads(before)
    mx.random.seed(20)
    with mx.engine.serial():
        for got, want in zip(everything(), expected):
            np.testing.assert_array_equal(got, want)


def test_seeds_and_streams() -> None:
    first, second = (nd.random.uniform(shape=COUNT).asnumpy() for _ in range(2))
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.02
    mx.random.seed(20)
    assert (nd.random.uniform(shape=COUNT).asnumpy() == first).all()
    mx.random.seed(21)
    other = nd.random.uniform(shape=COUNT).asnumpy()
    assert abs(np.corrcoef(first, other)[0, 1]) < 0.02
    mx.random.seed(20)
    elsewhere = nd.random.uniform(shape=COUNT, ctx=mx.cpu(1)).asnumpy()
    assert abs(np.corrcoef(first, elsewhere)[0, 1]) < 0.02
    mx.random.seed(5, ctx=mx.cpu(1))
    assert (nd.random.uniform(shape=COUNT).asnumpy() == first).all()  # untouched: still seed 20, stream 0
    with pytest.raises(ValueError, match="expected an int"):
        mx.random.seed("7")  # type: ignore[arg-type]


def test_neighbours_are_independent() -> None:
    for draw in (nd.random.uniform, nd.random.normal, nd.random.exponential):
        x = draw(shape=200000).asnumpy()
        for lag in (1, 2, 16, 32, 64, 512):
            assert abs(np.corrcoef(x[:-lag], x[lag:])[0, 1]) < 0.012


def test_python_forms() -> None:
    assert nd.random.uniform().shape == (1,)
    assert nd.random.uniform(shape=()).shape == ()
    assert nd.random.uniform(shape=(0, 3)).shape == (0, 3)
    assert nd.random.randn(2, 3, loc=1).shape == (2, 3)
    assert nd.random.normal(nd.zeros((2, 3)), nd.ones((2, 3))).shape == (2, 3)
    assert nd.random.randint(0, 5).dtype == np.int32
    assert nd.random.normal(dtype=np.float16).dtype == np.float16
    assert nd.random.normal(dtype="bfloat16").dtype == mx.bfloat16
    assert nd.random.gamma_like(nd.zeros((4,)), alpha=2).shape == (4,)
    out = nd.zeros((3, 2), dtype="float64")
    nd.random.uniform(1, 2, out=out)
    assert (values(out) >= 1).all()
    assert nd.random.uniform(ctx=mx.cpu(1)).context == mx.cpu(1)
    assert mx.random.normal is nd.random.normal
    assert nd.uniform(low=1, high=2, shape=3).shape == (3,)
    with pytest.raises(ValueError, match="expected numbers, or all NDArrays"):
        nd.random.uniform(0, nd.ones(2))
    with pytest.raises(ValueError, match="scale must be at least 0"):
        nd.random.normal(0, -1).wait_to_read()
    wrong = [
        nd.random.normal(0, -1, shape=2),
        nd.random.randint(3, 1, shape=2),
    ]  # refused where they are read
    for draws in wrong:
        with pytest.raises(ValueError, match=r"scale must be|low must be"):
            draws.asnumpy()


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "float64"])
def test_uniform_stays_below_high(dtype: str) -> None:
    for low, high in ((0, 1), (1, 1 + 2**-5), (-1, 0), (1000, 1001), (-3.3, -3.2)):
        x = values(nd.random.uniform(low, high, shape=COUNT, dtype=dtype))
        assert x.max() < high


def test_bad_parameters_in_arrays_give_nan() -> None:
    def drawn(f: Callable[..., Any], *params: Any) -> list[bool]:
        return list(np.isnan(f(*[nd.array(p) for p in params]).asnumpy()))

    assert drawn(nd.random.poisson, [-1, 2, np.nan]) == [True, False, True]
    assert drawn(nd.random.gamma, [1, 0, 1], [1, 1, -1]) == [False, True, True]
    assert drawn(nd.random.normal, [0, 0], [-1, 1]) == [True, False]
    assert drawn(nd.random.uniform, [0, 2], [1, 1]) == [False, True]
    assert drawn(nd.random.negative_binomial, [1, 1], [0.5, 2]) == [False, True]


def test_dropout() -> None:
    x = nd.random.uniform(1, 2, shape=(300, 200))
    x.attach_grad()
    with mx.autograd.record():
        y = nd.Dropout(x, p=0.25)
    y.backward()
    out, gradient, data = y.asnumpy(), x.grad.asnumpy(), x.asnumpy()
    kept = out != 0
    assert stats.binomtest(int(kept.sum()), kept.size, 0.75).pvalue > 1e-3
    np.testing.assert_allclose(gradient, np.where(kept, 1 / 0.75, 0), rtol=1e-6)
    np.testing.assert_allclose(out, data * gradient, rtol=1e-6)
    np.testing.assert_array_equal(nd.Dropout(x, p=0.25).asnumpy(), data)
    with mx.autograd.record(train_mode=False):
        y = nd.Dropout(x, p=0.25)
    y.backward()
    assert (x.grad.asnumpy() == 1).all()
    with mx.autograd.train_mode():
        shared = nd.Dropout(x, p=0.5, axes=(0,)).asnumpy() != 0
    assert (shared == shared[:1]).all()
    assert 60 < shared[0].sum() < 140


# Second derivatives of the result y by its one parameter, or by the scale beside a location of 0.
SECOND: dict[str, Callable[[Array, Array], Array]] = {
    "exponential": lambda y, a: 0 * y,
    "rayleigh": lambda y, a: 0 * y,
    "logistic": lambda y, a: 0 * y,
    "gumbel": lambda y, a: 0 * y,
    "weibull": lambda y, a: y * np.log(y) * (np.log(y) + 2) / a**2,
    "powerd": lambda y, a: y * np.log(y) * (np.log(y) + 2) / a**2,
    "pareto": lambda y, a: (y + 1) * np.log1p(y) * (np.log1p(y) + 2) / a**2,
}


@pytest.mark.parametrize("name", SECOND)
def test_second_derivatives_by_parameters(name: str) -> None:
    a = nd.array(np.linspace(1.5, 3, 6))
    a.attach_grad()
    place = {"loc": 0.0} if name in ("logistic", "gumbel") else {}
    key = "a" if name in ("weibull", "powerd", "pareto") else "scale"
    with mx.autograd.record():
        y = getattr(nd._internal, f"_npi_{name}")(a, **place, **{key: None})
        slope = mx.autograd.grad(y, a, create_graph=True)[0]
    slope.backward()
    np.testing.assert_allclose(a.grad.asnumpy(), SECOND[name](values(y), values(a)), rtol=1e-4, atol=1e-5)
