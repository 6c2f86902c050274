"""Functions of one array."""

from __future__ import annotations

import math
from typing import Any, Callable

import numpy as np
from opcase import ALL, FLOATS, INTS, Array, Case, Spec

vectorized: Any = np.vectorize


def sigmoid(x: Array) -> Array:
    return np.where(x < 0, np.exp(x) / (1 + np.exp(x)), 1 / (1 + np.exp(-x)))


def softplus(x: Array) -> Array:
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def half_down(x: Array) -> Array:
    return np.ceil(x - 0.5)


def half_away(x: Array) -> Array:
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


def gammaln(x: Array) -> Array:
    return vectorized(math.lgamma, otypes=[float])(x)


def gamma(x: Array) -> Array:
    return vectorized(math.gamma, otypes=[float])(x)


def erf(x: Array) -> Array:
    return vectorized(math.erf, otypes=[float])(x)


def digamma(x: Array, n: int = 0) -> Array:
    step = 1e-4
    ends = [gammaln(x + k * step) for k in (-2, -1, 1, 2)]
    return (ends[0] - 8 * ends[1] + 8 * ends[2] - ends[3]) / (12 * step)


def inverse_erf(x: Array) -> Array:
    low, high = np.full(x.shape, -7.0), np.full(x.shape, 7.0)
    for _ in range(80):
        middle = (low + high) / 2
        below = erf(middle) < x
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    outside = np.where(np.abs(x) == 1, np.copysign(np.inf, x), np.nan)
    return np.where(np.abs(x) < 1, (low + high) / 2, outside)


def gelu(x: Array) -> Array:
    return 0.5 * x * (1 + erf(x / np.sqrt(2)))


Ref = Callable[..., Array]

# Operator, reference, and the interval its inputs come from.
SMOOTH: list[tuple[str, Ref, float, float]] = [
    ("exp", np.exp, -3, 3),
    ("expm1", np.expm1, -3, 3),
    ("log", np.log, 0.2, 5),
    ("log2", np.log2, 0.2, 5),
    ("log10", np.log10, 0.2, 5),
    ("log1p", np.log1p, -0.7, 5),
    ("sinh", np.sinh, -3, 3),
    ("cosh", np.cosh, -3, 3),
    ("tanh", np.tanh, -3, 3),
    ("arcsinh", np.arcsinh, -5, 5),
    ("arccosh", np.arccosh, 1.5, 5),
    ("arctanh", np.arctanh, -0.8, 0.8),
    ("sin", np.sin, -6, 6),
    ("cos", np.cos, -6, 6),
    ("tan", np.tan, -1.2, 1.2),
    ("arcsin", np.arcsin, -0.9, 0.9),
    ("arccos", np.arccos, -0.9, 0.9),
    ("arctan", np.arctan, -4, 4),
    ("degrees", np.degrees, -3, 3),
    ("radians", np.radians, -180, 180),
    ("square", np.square, -3, 3),
    ("sqrt", np.sqrt, 0.2, 5),
    ("rsqrt", lambda x: 1 / np.sqrt(x), 0.2, 5),
    ("cbrt", np.cbrt, 0.2, 5),
    ("rcbrt", lambda x: 1 / np.cbrt(x), 0.2, 5),
    ("reciprocal", lambda x: 1 / x, 0.3, 5),
    ("negative", np.negative, -3, 3),
    ("abs", np.abs, 0.2, 3),
    ("erf", erf, -2, 2),
    ("gamma", gamma, 0.5, 4),
    ("gammaln", gammaln, 0.5, 6),
    ("relu", lambda x: np.maximum(x, 0), -3, 3),
    ("sigmoid", sigmoid, -6, 6),
    ("softrelu", softplus, -6, 6),
    ("log_sigmoid", lambda x: -softplus(-x), -6, 6),
    ("softsign", lambda x: x / (1 + np.abs(x)), -3, 3),
    ("mish", lambda x: x * np.tanh(softplus(x)), -4, 4),
    ("_contrib_div_sqrt_dim", lambda x: x / np.sqrt(x.shape[-1] if x.ndim else 1), -3, 3),
]

# Piecewise constant.
STEPS: list[tuple[str, Ref]] = [
    ("sign", np.sign),
    ("rint", half_down),
    ("round", half_away),
    ("ceil", np.ceil),
    ("floor", np.floor),
    ("trunc", np.trunc),
    ("fix", np.trunc),
    ("logical_not", np.logical_not),
    ("_contrib_isnan", np.isnan),
    ("_contrib_isinf", np.isinf),
    ("_contrib_isfinite", np.isfinite),
]

EXACT_INTS = {"negative", "abs", "square", "relu"}
INT_CASES = {
    "exp": (0, 4),
    "sqrt": (0, 9),
    "log": (1, 9),
    "sigmoid": (-3, 3),
    "reciprocal": (1, 3),
    "sin": (-2, 2),
}


def table() -> list[Case]:
    cases = []
    for op, ref, low, high in SMOOTH:
        cases.append(Case(op, [Spec((3, 5), low, high)], ref=ref, dtypes=FLOATS))
        cases.append(Case(op, [Spec((), low, high)], ref=ref, dtypes=("float32", "float64"), id="0d"))
        cases.append(Case(op, [Spec((2, 0), low, high)], ref=ref, dtypes=("float32", "float16"), id="empty"))
        large = Spec((70, 513), low, high)
        cases.append(Case(op, [large], ref=ref, dtypes=("float32", "bfloat16"), grad=False, id="large"))
        if op in EXACT_INTS:
            cases.append(Case(op, [Spec((9,), -9, 9)], ref=ref, dtypes=INTS, id="ints"))
        if op in INT_CASES:
            cases.append(Case(op, [Spec((9,), *INT_CASES[op])], ref=ref, dtypes=INTS, id="ints"))
    steps = np.array([-2.5, -1.5, -1.2, -0.5, -0.2, 0, 0.3, 0.5, 1.5, 2.5, 8388609.0, np.inf, -np.inf])
    for op, ref in STEPS:
        values = steps[:-3] if "is" not in op else np.append(steps, np.nan)
        dtypes = ALL if "is" not in op else FLOATS
        cases.append(Case(op, [values], ref=ref, dtypes=dtypes, grad=False))
        cases.append(Case(op, [Spec((3, 4), 1.6, 1.9)], ref=ref, id="gradient"))
        cases.append(Case(op, [steps], ref=ref, dtypes=("float32", "float64"), grad=False, id="wide"))
        cases.append(Case(op, [(0,)], ref=ref, dtypes=("float32", "int64"), id="empty"))
    return cases


POLES, BESIDE_0 = np.array([0.0, -1, -7]), np.array([-1e-12, 1e-12])  # of digamma


def polygamma(x: Array, n: int = 0) -> Array:
    total = np.zeros_like(x)
    for k in range(20000):
        total += 1 / (x + k) ** (n + 1)
    # The rest of the sum, by its integral.
    rest = 1 / (n * (x + 20000 - 0.5) ** n)
    return (-1) ** (n + 1) * math.factorial(n) * (total + rest)


def hard_sigmoid(x: Array, alpha: float = 0.2, beta: float = 0.5) -> Array:
    return np.clip(alpha * x + beta, 0, 1)


ACTIVATIONS: dict[str, Ref] = {
    "relu": lambda x: np.maximum(x, 0),
    "sigmoid": sigmoid,
    "tanh": np.tanh,
    "softrelu": softplus,
    "softsign": lambda x: x / (1 + np.abs(x)),
    "log_sigmoid": lambda x: -softplus(-x),
}
SELU = (1.0507009873554805, 1.6732632423543772)


def leaky(x: Array, *rest: Array, act_type: str = "leaky", slope: float = 0.25, **bounds: float) -> Any:
    if act_type == "leaky":
        return np.where(x > 0, x, slope * x)
    if act_type == "elu":
        return np.where(x > 0, x, slope * np.expm1(x))
    if act_type == "selu":
        return SELU[0] * np.where(x > 0, x, SELU[1] * np.expm1(x))
    if act_type == "gelu":
        return gelu(x)
    if act_type == "prelu":
        gamma = rest[0]
        if gamma.ndim > 1:
            return np.where(x > 0, x, x * gamma.reshape(gamma.shape + (1,) * (x.ndim - gamma.ndim)))
        return np.where(x > 0, x, x * (gamma.reshape((1, -1) + (1,) * (x.ndim - 2)) if x.ndim > 1 else gamma))
    factor = np.where(x > 0, 1, (bounds.get("lower_bound", 0.125) + bounds.get("upper_bound", 0.334)) / 2)
    return x * factor, factor


def check_random_leak(outputs: list[Array], inputs: list[Array]) -> None:
    x, (y, factors) = inputs[0], outputs
    np.testing.assert_allclose(y, x * factors, rtol=1e-5)
    below = factors[x <= 0]
    assert np.all(factors[x > 0] == 1)
    assert 0.1249 < below.min() < 0.13
    assert 0.33 < below.max() < 0.3341
    assert abs(below.mean() - 0.2295) < 0.003


# At points, where no difference quotient crosses the corner at 0.
SIDES = np.array([[-3.0, -1.5, -0.25, 0.5], [0.25, 1.0, 2.0, -0.75]])
IMAGES = Spec((2, 3, 4), 0.1, 1.0)

CASES = [
    *table(),
    Case("sin", [Spec((700,), -1e8, 1e8)], ref=np.sin, dtypes=("float32", "float64"), grad=False, id="far"),
    Case(
        "cos", [np.array([1e22, -3e10, 5.0, np.inf])], ref=np.cos, dtypes=("float64",), grad=False, id="far"
    ),
    Case("erfinv", [Spec((3, 5), -0.95, 0.95)], ref=inverse_erf),
    Case("erfinv", [np.array([-1.0, 1.0, 0.0, 2.0])], ref=inverse_erf, grad=False, id="ends"),
    Case("erfinv", [(0,)], ref=lambda x: x, id="empty"),
    Case("_polygamma", [POLES], {"n": 0}, lambda x, n: np.full_like(x, np.inf), grad=False, id="poles"),
    Case(
        "_polygamma",
        [BESIDE_0],
        {"n": 0},
        lambda x, n: -1 / x,
        rtol=1e-6,
        grad=False,
        dtypes=("float64", "float32"),
        id="beside_0",
    ),
    Case(
        "_polygamma",
        [BESIDE_0],
        {"n": 1},
        lambda x, n: x**-2,
        rtol=1e-6,
        grad=False,
        dtypes=("float64", "float32"),
        id="beside_0_1",
    ),
    Case("_polygamma", [Spec((7,), 0.3, 9)], {"n": 0}, digamma, rtol=1e-4, dtypes=("float32",), grad=False),
    Case(
        "_polygamma", [Spec((7,), 0.3, 9)], {"n": 2}, polygamma, dtypes=("float64", "float32"), rtol=1, id="2"
    ),
    Case(
        "_polygamma", [Spec((7,), -3.7, -3.3)], {"n": 0}, digamma, rtol=1e-4, dtypes=("float32",), id="below"
    ),
    Case(
        "_polygamma", [Spec((3,), -3.7, -3.3)], {"n": 1}, polygamma, rtol=1, dtypes=("float64",), id="below_1"
    ),
    Case("hard_sigmoid", [np.array([-9.0, -2, -0.5, 0, 0.75, 2.2, 9])], ref=hard_sigmoid),
    Case("hard_sigmoid", [Spec((3, 4), -0.9, 0.9)], {"alpha": 0.5, "beta": 0.25}, hard_sigmoid, id="other"),
    *[
        Case("Activation", [SIDES], {"act_type": name}, lambda x, act_type: ACTIVATIONS[act_type](x), id=name)
        for name in ACTIVATIONS
    ],
    Case("Activation", [SIDES], {"act_type": "swish"}, fails="relu", id="unknown"),
    *[
        Case("LeakyReLU", [SIDES], {"act_type": n}, leaky, id=n)
        for n in ("leaky", "elu", "selu", "gelu", "rrelu")
    ],
    Case("LeakyReLU", [SIDES], {"slope": 0.5}, leaky, id="slope"),
    Case("LeakyReLU", [IMAGES, Spec((3,), 0.1, 0.5)], {"act_type": "prelu"}, leaky, id="prelu_above"),
    Case(
        "LeakyReLU",
        [Spec((2, 3, 4), -1, -0.1), Spec((3,), 0.1, 0.5)],
        {"act_type": "prelu"},
        leaky,
        id="prelu",
    ),
    Case("LeakyReLU", [SIDES, Spec((1,), 0.1, 0.5)], {"act_type": "prelu"}, leaky, id="prelu_one"),
    Case("LeakyReLU", [SIDES[0], Spec((4,), 0.1, 0.5)], {"act_type": "prelu"}, leaky, id="prelu_vector"),
    Case("LeakyReLU", [SIDES, Spec((3,), 0.1, 0.5)], {"act_type": "prelu"}, fails="gamma", id="prelu_shape"),
    *[
        Case("LeakyReLU", [data, Spec(shape, 0.1, 0.5)], {"act_type": "prelu"}, leaky, id=f"prelu_{name}")
        for name, data, shape in (
            ("each", SIDES, (2, 4)),
            ("rows", SIDES, (2, 1)),
            ("columns", SIDES, (1, 4)),
            ("first_axes", Spec((2, 3, 4, 5), -1, -0.1), (2, 3)),
            ("middle", Spec((2, 3, 40, 5), -1, -0.1), (1, 3, 40)),
            ("no_rows", (0, 3), (1, 3)),
        )
    ],
    *[
        Case(
            "LeakyReLU",
            [SIDES, Spec(shape, 0.1, 0.5)],
            {"act_type": "prelu"},
            fails="gamma",
            id=f"prelu_{name}",
        )
        for name, shape in (("swapped", (4, 2)), ("deep", (2, 4, 1)), ("none", (0, 4)))
    ],
    Case(
        "LeakyReLU",
        [Spec((200, 100), -1, 1)],
        {"act_type": "rrelu"},
        check=check_random_leak,
        training=True,
        dtypes=("float32", "float64"),
        id="rrelu_training",
    ),
    Case("LeakyReLU", [(0, 3)], {"act_type": "gelu"}, lambda x, act_type: x, id="empty"),
    Case(
        "_contrib_quadratic",
        [(3, 4)],
        {"a": 2.0, "b": -1.0, "c": 0.5},
        lambda x, a, b, c: a * x * x + b * x + c,
    ),
    Case(
        "_contrib_gradientmultiplier",
        [(3, 4)],
        {"scalar": 3.0},
        lambda x, scalar: x,
        grad_ref=lambda head, x, scalar: head * scalar,
    ),
    Case("_contrib_round_ste", [(3, 4)], ref=half_away, grad_ref=lambda head, x: head),
    Case("_contrib_sign_ste", [(3, 4)], ref=np.sign, grad_ref=lambda head, x: head),
]
