"""Random operators: shape, range and moments; their distributions are compared in test_random.py."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from opcase import FLOATS, Array, Case, Spec

Check = Callable[[list[Array], list[Array]], None]
COUNT = 4000


def moments(
    shape: tuple[int, ...], mean: float, var: float, low: float = -np.inf, high: float = np.inf
) -> Check:
    """Shape, bounds, and mean and variance within five standard errors or so."""

    def check(outputs: list[Array], inputs: list[Array]) -> None:
        (out,) = outputs
        assert out.shape == shape
        if out.size == 0:
            return
        assert out.min() >= low and out.max() < high
        if out.size >= COUNT:
            assert abs(out.mean() - mean) < 5 * np.sqrt(var / out.size) + 0.01 * np.sqrt(var)
            assert 0.75 * var - 1e-6 < out.var() < 1.33 * var + 1e-6

    return check


# name, parameters, mean, variance, bounds
TABLE: list[tuple[str, dict[str, float], float, float, tuple[float, float]]] = [
    ("uniform", {"low": 2.0, "high": 3.0}, 2.5, 1 / 12, (2, 3)),
    ("normal", {"loc": 1.0, "scale": 2.0}, 1, 4, (-20, 20)),
    ("exponential", {"lam": 0.5}, 2, 4, (0, 100)),
    ("gamma", {"alpha": 2.0, "beta": 3.0}, 6, 18, (0, 200)),
    ("gamma", {"alpha": 0.5, "beta": 1.0}, 0.5, 0.5, (0, 100)),
    ("poisson", {"lam": 4.0}, 4, 4, (0, 60)),
    ("poisson", {"lam": 40.0}, 40, 40, (0, 200)),
    ("negative_binomial", {"k": 3, "p": 0.5}, 3, 6, (0, 200)),
    ("generalized_negative_binomial", {"mu": 2.0, "alpha": 0.25}, 2, 3, (0, 200)),
]


def drawn() -> list[Case]:
    cases = []
    for name, params, mean, var, bounds in TABLE:
        for shape in ((COUNT,), (3, 5), (0, 2), ()):
            given = {**params, "shape": shape}
            for dtype in FLOATS:
                cases.append(
                    Case(
                        f"_random_{name}",
                        [],
                        {**given, "dtype": dtype},
                        dtypes=("float32",),
                        check=moments(shape, mean, var, *bounds),
                        id=f"{dtype}_{len(shape)}d",
                    )
                )
        check = moments((20, 200), mean, var, *bounds)
        cases.append(Case(f"_random_{name}_like", [(20, 200)], params, check=check, grad=False))
        rows = [Spec((2, 2), value, value) for value in params.values()]
        for block in ((1000,), (50, 20), (0,), ()):
            check = moments((2, 2, *block), mean, var, *bounds)
            params_of = {"shape": block, "dtype": "float64"}
            cases.append(Case(f"_sample_{name}", rows, params_of, check=check, grad=False, id=f"{block}"))
        cases.append(
            Case(
                f"_sample_{name}",
                [(0,)] * len(params),
                {"shape": (3,)},
                check=moments((0, 3), 0, 1),
                id="none",
                grad=False,
            )
        )
    return cases


def refused() -> list[Case]:
    table: list[tuple[str, dict[str, Any], str]] = [
        ("_random_uniform", {"low": 1, "high": 0}, "low must not be above high; got low = 1, high = 0"),
        ("_random_normal", {"scale": -1}, "scale must be at least 0"),
        ("_random_exponential", {"lam": 0}, "lam must be above 0"),
        ("_random_gamma", {"alpha": 0}, "alpha and beta must be above 0"),
        ("_random_poisson", {"lam": -1}, "lam must be at least 0"),
        ("_random_negative_binomial", {"p": 2}, "p between 0 and 1"),
        ("_random_generalized_negative_binomial", {"mu": -2}, "mu and alpha must be at least 0"),
        ("_random_randint", {"low": 3, "high": 3}, "low must be below high"),
        ("_random_randint", {"low": 0, "high": 2**40}, "do not fit int32"),
        ("_random_uniform", {"dtype": "int32"}, "expected a float dtype"),
    ]
    return [Case(op, [], {**p, "shape": (2,)}, dtypes=("float32",), fails=text) for op, p, text in table]


def integers() -> list[Case]:
    cases = []
    for low, high, dtype in [
        (-3, 5, "int32"),
        (0, 1, "int32"),
        (-(2**31), 2**31, "int32"),
        (0, 2**40, "int64"),
    ]:
        params = {"low": low, "high": high, "shape": (COUNT,), "dtype": dtype}
        width = high - low
        check = moments((COUNT,), low + (width - 1) / 2, (float(width) ** 2 - 1) / 12 + 1e-9, low, high)
        cases.append(Case("_random_randint", [], params, dtypes=("float32",), check=check))
    empty = {"low": 0, "high": 2, "shape": (0,)}
    cases.append(Case("_random_randint", [], empty, dtypes=("float32",), check=moments((0,), 0, 1)))
    return cases


def one_hot_rows(index: int, shape: tuple[int, ...]) -> Callable[..., Array]:
    return lambda data, **params: np.full(shape, index)


def multinomial() -> list[Case]:
    sure = np.array([[0, 1.0, 0], [0, 1.0, 0]])

    def counted(outputs: list[Array], inputs: list[Array]) -> None:
        counts = np.bincount(outputs[0].ravel(), minlength=3) / outputs[0].size
        assert np.abs(counts - [0.25, 0, 0.75]).max() < 0.04 and counts[1] == 0
        np.testing.assert_allclose(outputs[1], np.log(inputs[0][outputs[0]]), rtol=1e-2)

    uneven = np.array([0.25, 0, 0.75])
    return [
        Case("_sample_multinomial", [sure], {"shape": (4,)}, one_hot_rows(1, (2, 4)), grad=False),
        Case("_sample_multinomial", [sure], {"dtype": "int64"}, one_hot_rows(1, (2,)), grad=False, id="one"),
        Case("_sample_multinomial", [sure[0]], {}, one_hot_rows(1, (1,)), grad=False, id="row"),
        Case("_sample_multinomial", [(0, 3)], {"shape": 2}, one_hot_rows(0, (0, 2)), grad=False, id="none"),
        Case(
            "_sample_multinomial", [uneven], {"shape": (COUNT,), "get_prob": True}, check=counted, grad=False
        ),
        Case("_sample_multinomial", [(2, 0)], {}, fails="no categories", id="empty"),
        Case(
            "_sample_multinomial",
            [np.array([[0.0, 0.25], [0.5, 0.0]])],
            {"shape": (3,), "get_prob": True},
            lambda data, **p: (np.array([[1] * 3, [0] * 3]), np.log([[0.25] * 3, [0.5] * 3])),
            grad_ref=lambda heads, data, **p: [
                np.array([[0, heads[1][0].sum() / 0.25], [heads[1][1].sum() / 0.5, 0]])
            ],
            id="gradient",
        ),
    ]


def shuffled(outputs: list[Array], inputs: list[Array]) -> None:
    out, data = outputs[0], inputs[0]
    assert out.shape == data.shape
    if data.ndim and len(data) > 5:
        assert (out != data).any()
    flat = [sorted(map(tuple, x.reshape(len(x), x[:1].size))) if x.ndim else x for x in (out, data)]
    np.testing.assert_array_equal(flat[0], flat[1])


def dropped(p: float, axes: tuple[int, ...] = ()) -> Check:
    def check(outputs: list[Array], inputs: list[Array]) -> None:
        out, data = outputs[0], inputs[0]
        kept = out != 0
        scale = 1 / (1 - p) if p < 1 else 0
        np.testing.assert_allclose(out, np.where(kept, data * scale, 0), rtol=0.02)
        if data.size >= COUNT and not axes:
            assert abs(kept.mean() - (1 - p)) < 0.05
        for axis in axes:
            assert (kept == kept.take([0], axis)).all()

    return check


LARGE = Spec((60, 70), 0.5, 1.5)
CASES = [
    *drawn(),
    *refused(),
    *integers(),
    *multinomial(),
    *[
        Case("_shuffle", [s], {}, check=shuffled, grad=False)
        for s in ((300,), (40, 3), (0, 3), (), (2000, 2, 2))
    ],
    Case("Dropout", [(3, 4)], {"p": 0.5}, lambda x, **p: x, id="predict"),
    Case("Dropout", [(0, 4)], {"p": 0.5}, lambda x, **p: x, training=True, id="empty"),
    Case("Dropout", [(3, 4)], {"p": 0.0}, lambda x, **p: x, training=True, id="none"),
    Case("Dropout", [(3, 4)], {"p": 1.0}, lambda x, **p: x * 0, training=True, id="all"),
    Case("Dropout", [LARGE], {"p": 0.25}, check=dropped(0.25), training=True),
    Case("Dropout", [LARGE], {"p": 0.25, "axes": (1,)}, check=dropped(0.25, (1,)), training=True),
    Case("Dropout", [LARGE], {"p": 0.7, "mode": "always"}, check=dropped(0.7)),
    Case("Dropout", [Spec((), 1, 2)], {"p": 0.5}, check=dropped(0.5), training=True, id="0d"),
    Case("Dropout", [(3,)], {"p": 1.5}, fails="[Dropout]", id="range"),
    Case("Dropout", [(3,)], {}, dtypes=("int32",), fails="[Dropout] expected a float dtype"),
]
