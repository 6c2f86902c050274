"""Random numbers with parameters of every form, and their densities."""

from __future__ import annotations

from typing import Any

from ..case import Case, Input, normal, uniform, values

MANY = (20000,)
LIKE = normal(100, 200)

# Parameters: of one distribution for all elements, and of one for each row.
KINDS: dict[str, tuple[tuple[dict[str, Any], ...], tuple[tuple[float, ...], ...]]] = {
    "exponential": (({"lam": 0.5}, {"lam": 4}, {"lam": 1}), ((2,), (0.5,), (5,))),
    "gamma": (
        ({"alpha": 0.7, "beta": 2}, {"alpha": 5, "beta": 0.5}, {"alpha": 1, "beta": 1}),
        ((2, 3), (0.5, 1), (9, 0.1)),
    ),
    "poisson": (({"lam": 0.4}, {"lam": 12}, {"lam": 100}), ((4,), (0.3,), (60,))),
    "negative_binomial": (
        ({"k": 1, "p": 0.5}, {"k": 5, "p": 0.8}, {"k": 20, "p": 0.3}),
        ((3, 0.4), (1, 0.6), (10, 0.5)),
    ),
    "generalized_negative_binomial": (
        ({"mu": 1, "alpha": 0.5}, {"mu": 10, "alpha": 0.2}, {"mu": 3, "alpha": 1}),
        ((2, 0.3), (5, 1), (20, 0.1)),
    ),
    "normal": (
        ({"loc": 3, "scale": 0.5}, {"loc": -2, "scale": 4}, {"loc": 0, "scale": 1}),
        ((1, 2), (-3, 0.5), (0, 7)),
    ),
    "uniform": (
        ({"low": -1, "high": 0}, {"low": 5, "high": 9}, {"low": 0, "high": 100}),
        ((1, 4), (-5, 5), (0, 0.1)),
    ),
}


def _numbers() -> list[Case]:
    cases = []
    for name, (whole, rows) in KINDS.items():
        for params in whole:
            cases += [
                Case(f"_random_{name}", (), {**params, "shape": (100, 200)}, moments=True),
                Case(f"random.{name}_like", (LIKE,), params, moments=True),
            ]
        cases += [
            Case(f"_random_{name}", (), {**whole[0], "shape": MANY, "dtype": "float64"}, moments=True),
            Case(f"random.{name}_like", (LIKE,), moments=True, tag="standard"),
            Case(f"random.{name}_like", (normal(200, 100, dtype="float64"),), whole[0], moments=True),
        ]
        for row in rows:
            given = tuple(values([v]) for v in row)
            cases.append(Case(f"_sample_{name}", given, {"shape": MANY}, moments=True, tag=str(row)))
        wide = tuple(values([v], "float64") for v in rows[0])
        cases.append(Case(f"_sample_{name}", wide, {"shape": MANY, "dtype": "float64"}, moments=True))
        if len(rows[0]) == 2:
            cases.append(Case(f"_sample_{name}", (values([1, 2]), values([1])), {"shape": 3}, error=True))
    for low, high, dtype in ((0, 2, "int32"), (-100, 100, "int64"), (5, 6, "int32")):
        cases.append(
            Case(
                "_random_randint", (), {"low": low, "high": high, "dtype": dtype, "shape": MANY}, moments=True
            )
        )
    cases += [
        Case("_random_randint", (), {"low": 3, "high": 2, "shape": (2,)}, error=True),
        Case("_random_exponential", (), {"lam": -1.0, "shape": (2,)}, error=True),
        Case("_random_poisson", (), {"lam": -1.0, "shape": (2,)}, error=True),
    ]
    return cases


def _choices() -> list[Case]:
    shares = values([0.5, 0.25, 0.125, 0.125])
    cases = [
        Case("_sample_multinomial", (shares,), {"shape": MANY}, moments=True),
        Case("_sample_multinomial", (shares,), {"shape": MANY, "dtype": "float32"}, moments=True),
        Case("_sample_multinomial", (values([[1, 0], [0, 1], [0, 1]]),), {"shape": 4, "get_prob": True}),
        Case("_sample_multinomial", (values([[0, 0, 1]], "float64"),), {"shape": (), "dtype": "uint8"}),
    ]
    cases += [
        Case("_npi_multinomial", (), {"n": n, "pvals": shares, "size": (500,)}, moments=True)
        for n, shares in ((10, (0.5, 0.5)), (1, (0.1, 0.2, 0.7)), (1000, (1.0,)))
    ]
    cases.append(Case("_npi_multinomial", (), {"n": 5, "pvals": (0.9, 0.9), "size": (3,)}, error=True))
    # The order of rows is drawn, not what they hold.
    shuffled = (normal(2000, dtype="float64"), normal(50, 20), normal(1), values([2] * 8, "int32"))
    cases += [Case("_shuffle", (data,), moments=True) for data in shuffled]
    cases += [Case("_npi_shuffle", (normal(3000),), moments=True)]
    cases += [
        Case("_sample_unique_zipfian", (), {"range_max": n, "shape": (n_rows, many)}, moments=True, tag="all")
        for n, n_rows, many in ((4, 1, 4), (1, 2, 1), (10**6, 3000, 10), (10**5, 4000, 2), (10**7, 4000, 1))
    ]
    return cases


COUNTS = values([[0, 1, 4], [2, 3, 7]])
SAMPLE = uniform(2, 3, low=0.5, high=2)


def _double(given: Input) -> Input:
    return Input(given.shape, "float64", given.kind, given.low, given.high, given.data)


def _densities() -> list[Case]:
    one, other, chance = uniform(low=0.5, high=2), uniform(low=2.5, high=4), uniform(low=0.2, high=0.8)
    kinds: dict[str, tuple[Input, ...]] = {
        "uniform": (SAMPLE, one, other),
        "normal": (SAMPLE, one, one),
        "gamma": (SAMPLE, other, one),
        "exponential": (SAMPLE, one),
        "poisson": (COUNTS, one),
        "negative_binomial": (COUNTS, other, chance),
        "generalized_negative_binomial": (COUNTS, other, chance),
    }
    cases = []
    for name, (data, *rest) in kinds.items():
        shaped = [tuple(Input(s, g.dtype, g.kind, g.low, g.high) for g in rest) for s in ((1,), (2, 3))]
        flat = Input((1, 3), data.dtype, data.kind, data.low, data.high, data.data[:3])
        deep = Input((2, 3, 1), data.dtype, data.kind, data.low, data.high, data.data)
        for is_log in (False, True):
            for place, params in ((flat, shaped[0]), (deep, shaped[1])):
                given = tuple(_double(i) for i in (place, *params))
                cases.append(
                    Case(
                        f"random_pdf_{name}",
                        given,
                        {"is_log": is_log},
                        grad=tuple(range(len(given))),
                        rtol=1e-6,
                        atol=1e-9,
                    )
                )
        cases.append(Case(f"random_pdf_{name}", (data, *[normal(3) for _ in rest]), error=True))
    simplex = values([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]], "float64")
    cases += [
        Case("random_pdf_dirichlet", (simplex, uniform(3, low=1.5, high=3, dtype="float64"))),
        Case("random_pdf_dirichlet", (simplex, uniform(2, low=1.5, high=3, dtype="float64")), error=True),
    ]
    return cases


CASES = _numbers() + _choices() + _densities()
