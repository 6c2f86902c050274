"""Operators of NumPy's namespace: linear algebra, products, statistics, random numbers, and of mx.npx."""

from __future__ import annotations

from typing import Any

from ..case import Case, Input, distinct, grid, integer, normal, uniform, values

WIDE = values([[2, 1, 0], [1, 3, 1]])
SQUARE = values([[[3, 0.4, -1], [0.7, 2, 0.5], [-0.2, 1, 4]], [[-2, 1, 0.3], [0.5, 3, -0.7], [1, 0.2, 5]]])
POSITIVE = values([[[4, 2, 0.6], [2, 5, 1], [0.6, 1, 3]], [[2, 0.5, 0.3], [0.5, 1, 0.1], [0.3, 0.1, 6]]])
ONE = values([[4, 2, 0.6], [2, 5, 1], [0.6, 1, 3]])


def _double(given: Input) -> Input:
    return Input(given.shape, "float64", given.kind, given.low, given.high, given.data)


def _matrices() -> list[Case]:
    cases: list[Case] = []
    for op in ("_npi_cholesky", "_npi_inv", "_npi_det", "_npi_slogdet"):
        data = POSITIVE if op == "_npi_cholesky" else SQUARE
        cases += [
            Case(op, (data,), grad=(0,), heads=(1,) if op == "_npi_slogdet" else (0,), rtol=2e-4, atol=1e-5),
            Case(op, (_double(data),)),
            Case(op, (ONE,), rtol=1e-4),
            Case(op, (_double(ONE),), rtol=1e-4),
            Case(op, (normal(2, 3),), error=True),
        ]
    cases += [
        Case("_npi_svd", (d,), rtol=1e-4, atol=1e-5)
        for d in (WIDE, _double(WIDE), ONE, _double(ONE), values([[3.0]]))
    ]
    cases += [
        Case("_npi_svd", (_double(WIDE),), grad=(0,), heads=(1,), tag="values"),
        Case("_npi_svd", (_double(WIDE),), grad=(0,), heads=(0, 2), tag="vectors", rtol=1e-5, atol=1e-7),
        Case("_npi_svd", (normal(3, 2),), error=True),
    ]
    for op in ("_npi_eigh", "_npi_eigvalsh"):
        cases += [Case(op, (d,), rtol=1e-4, atol=1e-5) for d in (ONE, _double(ONE), POSITIVE)]
        cases += [
            Case(op, (ONE,), {"UPLO": "U"}, rtol=1e-4, atol=1e-5),
            Case(op, (integer(1, 1, dtype="int32"),)),
            Case(op, (normal(2, 3),), error=True),
        ]
    triangular = values([[2, 1, 0.5], [0, 3, 1], [0, 0, 7]])
    for op in ("_npi_eigvals", "_npi_eig"):
        cases += [
            Case(op, (triangular,), rtol=1e-4, atol=1e-5),
            Case(op, (_double(triangular),)),
            Case(op, (values([[5.0]]),)),
            Case(op, (values([[2, 0], [0, 3]], dtype="int32"),)),
            Case(op, (values([[0, 1], [-1, 0]]),), error=True),
        ]
    cases += [
        Case("_npi_solve", (SQUARE, normal(2, 3, 2)), rtol=1e-4, atol=1e-5),
        Case("_npi_solve", (_double(SQUARE), normal(2, 3, 2, dtype="float64")), grad=(0, 1)),
        Case("_npi_solve", (SQUARE, normal(2, 3)), rtol=1e-4, atol=1e-5),
        Case("_npi_solve", (ONE, normal(3)), rtol=1e-4, atol=1e-5),
        Case("_npi_solve", (ONE, normal(3, 1)), grad=(0, 1), rtol=1e-4, atol=1e-5),
        Case("_npi_solve", (ONE, normal(2)), error=True),
    ]
    deficient = values([[1, 2], [2, 4]])
    for data in (WIDE, ONE, SQUARE, deficient, normal(2, 4, 3)):
        cases.append(Case("_npi_pinv_scalar_rcond", (data,), {"rcond": 1e-5}, rtol=2e-4, atol=1e-5))
    cases += [
        Case("_npi_pinv_scalar_rcond", (_double(ONE),), {"rcond": 1e-10, "hermitian": True}),
        Case("_npi_pinv", (WIDE, values(1e-5)), rtol=1e-4, atol=1e-5),
        Case("_npi_pinv", (SQUARE, values([1e-5, 1e-5])), rtol=1e-4, atol=1e-5),
        Case("_npi_pinv", (normal(4, 2), values(1e-5)), rtol=1e-4, atol=1e-5),
        Case("_npi_pinv", (_double(WIDE), values(1e-10, dtype="float64"))),
        Case("_npi_pinv", (deficient, values(1e-5)), rtol=1e-4, atol=1e-5),
    ]
    norms: list[dict[str, Any]] = [
        {"ord": 2, "axis": None, "flag": -2},
        {"ord": 2, "axis": None, "keepdims": True, "flag": -2},
        {"ord": 2, "axis": (0, 1), "flag": 1},
        {"ord": 1, "axis": (0, 1), "keepdims": True, "flag": 0},
        {"ord": -1, "axis": (0, 1), "flag": 0},
        {"ord": 2, "axis": (0, 1), "flag": 0},
        {"ord": -2, "axis": (0, 1), "flag": 0},
        {"ord": 2, "axis": (0, 1), "flag": 2},
        {"ord": 3, "axis": (1,), "flag": -1},
        {"ord": 1, "axis": (0,), "keepdims": True, "flag": -1},
        {"ord": 2, "axis": (1,), "flag": -1},
        {"ord": 0, "axis": (0,), "flag": -1},
    ]
    cases += grid("_npi_norm", (normal(3, 4),), *norms, rtol=1e-4, atol=1e-5)
    cases += grid("_npi_norm", (normal(3, 4),), *norms[:3], grad=(0,), rtol=1e-4, atol=1e-5, tag="grad")
    cases += [
        Case(
            "_npi_tensorinv",
            (normal(4, 6, 2, 3, 4, dtype="float64"),),
            {"ind": 2},
            grad=(0,),
            rtol=1e-6,
            atol=1e-7,
        ),
        Case("_npi_tensorinv", (normal(6, 2, 3),), {"ind": 1}, rtol=1e-3, atol=1e-4),
        Case("_npi_tensorinv", (normal(3, 3, dtype="float64"),), {"ind": 1}, grad=(0,)),
        Case("_npi_tensorinv", (normal(2, 3, 6, dtype="float64"),), {"ind": 2}),
        Case("_npi_tensorinv", (normal(2, 3, 4),), {"ind": 2}, error=True),
        Case("_npi_tensorsolve", (normal(2, 3, 6, dtype="float64"), normal(2, 3, dtype="float64"))),
        Case("_npi_tensorsolve", (normal(6, 2, 3, dtype="float64"), normal(6, dtype="float64")), rtol=1e-6),
        Case(
            "_npi_tensorsolve",
            (normal(2, 3, 2, 3, dtype="float64"), normal(2, 3, dtype="float64")),
            rtol=1e-6,
        ),
        Case(
            "_npi_tensorsolve",
            (normal(2, 6, 3, dtype="float64"), normal(2, 3, dtype="float64")),
            {"a_axes": (1,)},
            rtol=1e-6,
        ),
        Case(
            "_npi_tensorsolve",
            (normal(4, 4, dtype="float64"), normal(4, dtype="float64")),
            grad=(1,),
            rtol=1e-6,
        ),
    ]
    return cases


def _products() -> list[Case]:
    cases: list[Case] = []
    dots = [
        ((3,), (3,)),
        ((2, 3), (3,)),
        ((2, 3), (3, 4)),
        ((), (2, 3)),
        ((3,), (3, 2)),
        ((2, 4, 3), (5, 3, 2)),
        ((0,), (0,)),
    ]
    for a, b in dots:
        full = 0 not in a
        cases.append(
            Case("_np_dot", (normal(*a), normal(*b)), grad=(0, 1) if full else (), rtol=1e-4, atol=1e-5)
        )
    cases += [
        Case("_np_dot", (normal(2, 3, dtype="float64"), normal(3, 2, dtype="float64"))),
        Case("_np_dot", (normal(2, 3), normal(2, 3)), error=True),
    ]
    stacks = [
        ((3,), (3,)),
        ((3,), (3, 2)),
        ((2, 3), (3,)),
        ((2, 3), (3, 4)),
        ((2, 1, 3, 4), (5, 4, 2)),
        ((4, 2, 3), (3, 2)),
    ]
    for a, b in stacks:
        right = (
            (0, 1) if len(a) < 4 else ()
        )  # of stacks that broadcast MXNet's gradient is not the derivative
        cases.append(Case("_npi_matmul", (normal(*a), normal(*b)), grad=right, rtol=1e-4, atol=1e-5))
    cases += [
        Case("_npi_matmul", (normal(2, 3, dtype="float64"), normal(3, 2, dtype="float64"))),
        Case("_npi_matmul", (normal(2, 3), normal(2, 3)), error=True),
        Case("_npi_matmul", (normal(), normal(3)), error=True),
    ]
    cases += [
        Case(
            "_npi_tensordot_int_axes",
            (normal(2, 3, 4), normal(3, 4, 2)),
            {"axes": 2},
            grad=(0, 1),
            rtol=1e-4,
            atol=1e-5,
        ),
        Case("_npi_tensordot_int_axes", (normal(2), normal(3)), {"axes": 0}, grad=(0, 1)),
        Case(
            "_npi_tensordot_int_axes",
            (normal(2, 3), normal(3)),
            {"axes": 1},
            grad=(0, 1),
            rtol=1e-4,
            atol=1e-5,
        ),
        Case(
            "_npi_tensordot_int_axes",
            (normal(2, 3, dtype="float64"), normal(2, 3, dtype="float64")),
            {"axes": 2},
        ),
        Case("_npi_tensordot_int_axes", (normal(2, 3), normal(2, 3)), {"axes": 1}, error=True),
    ]
    pairs: list[dict[str, Any]] = [
        {"a_axes_summed": (1, 2), "b_axes_summed": (1, 0)},
        {"a_axes_summed": (2,), "b_axes_summed": (0,)},
        {"a_axes_summed": (0,), "b_axes_summed": (2,)},
        {"a_axes_summed": (-1,), "b_axes_summed": (0,)},
    ]
    cases += grid(
        "_npi_tensordot", (normal(2, 3, 4), normal(4, 3, 2)), *pairs, grad=(0, 1), rtol=1e-4, atol=1e-5
    )
    cases.append(Case("_npi_tensordot", (normal(2, 3), normal(4, 3)), pairs[1], error=True))
    sums: list[tuple[str, list[tuple[int, ...]]]] = [
        ("ij,jk", [(2, 3), (3, 4)]),
        ("ij,jk->ki", [(2, 3), (3, 4)]),
        ("ii", [(3, 3)]),
        ("ii->i", [(3, 3)]),
        ("ij->ji", [(2, 3)]),
        ("ij->", [(2, 3)]),
        ("bij,bjk->bik", [(2, 3, 4), (2, 4, 5)]),
        ("i,j->ij", [(2,), (3,)]),
        ("ij,ij->i", [(2, 3), (2, 3)]),
        ("...j,jk->...k", [(2, 3, 4), (4, 5)]),
        ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 2)]),
        ("ijk->kj", [(2, 3, 4)]),
        ("bhwi,bhwj->bij", [(2, 3, 2, 4), (2, 3, 2, 3)]),
    ]
    for subscripts, shapes in sums:
        params = {"subscripts": subscripts, "num_args": len(shapes)}
        inputs = tuple(normal(*s) for s in shapes)
        cases.append(
            Case("_npi_einsum", inputs, params, grad=tuple(range(len(shapes))), rtol=1e-4, atol=1e-5)
        )
    cases += [
        Case(
            "_npi_einsum",
            (integer(2, 3, dtype="int32"), integer(3, 2, dtype="int32")),
            {"subscripts": "ij,jk", "num_args": 2},
        ),
        Case("_npi_einsum", (normal(2, 3), normal(4, 2)), {"subscripts": "ij,jk", "num_args": 2}, error=True),
    ]
    return cases


def _statistics() -> list[Case]:
    cases: list[Case] = []
    modes = ("linear", "lower", "higher", "midpoint", "nearest")
    data = distinct(3, 4)
    cases += [Case("_npi_percentile", (data,), {"q_scalar": 30.0, "interpolation": m}) for m in modes]
    percentages = values([0, 25, 60, 100])
    axes: list[dict[str, Any]] = [
        {},
        {"axis": (0,)},
        {"axis": (1,), "keepdims": True},
        {"axis": (0, 1)},
        {"axis": (-1,)},
    ]
    cases += grid("_npi_percentile", (data, percentages), *axes)
    cases += [
        Case("_npi_percentile", (integer(2, 5, high=90, dtype=d), percentages), {"axis": (1,)})
        for d in ("int32", "int64", "uint8", "int8")
    ]
    cases += [
        Case("_npi_percentile", (normal(3, 4, dtype="float64"),), {"q_scalar": 50.0}),
        Case("_npi_percentile", (data,), {"q_scalar": 130.0}, error=True),
    ]
    cases += [
        Case("_npi_polyval", (normal(4), normal(2, 3)), grad=(0, 1), rtol=1e-4, atol=1e-5),
        Case("_npi_polyval", (normal(1), normal(3)), grad=(0, 1)),
        Case("_npi_polyval", (normal(3, dtype="float64"), normal(2, dtype="float64")), grad=(0, 1)),
        Case("_npi_polyval", (integer(3, dtype="int32"), integer(2, dtype="int32"))),
        Case("_npi_polyval", (normal(3), normal()), tag="0-d"),
        Case("_npi_polyval", (normal(3, 1), normal(2)), error=True),
    ]
    line, box = normal(5), normal(2, 3)
    cases += grid("_npi_delete", (line,), {"int_ind": 1}, {"int_ind": -1}, {"start": 0, "stop": 4, "step": 2})
    cases += grid(
        "_npi_delete",
        (box,),
        {"int_ind": 1, "axis": 1},
        {"start": 0, "stop": 2, "step": 1, "axis": 0},
        {"int_ind": 4},
    )
    cases += [
        Case("_npi_delete", (integer(5, dtype="int32"),), {"start": 3, "stop": 0, "step": -1}),
        Case("_npi_delete", (line,), {"int_ind": 9}, error=True),
    ]
    cases += [
        Case("_npi_insert_scalar", (line, normal(1)), {"int_ind": 1}),
        Case("_npi_insert_scalar", (line,), {"val": 5.0, "int_ind": -1}),
        Case("_npi_insert_scalar", (box, normal(2)), {"int_ind": 1, "axis": 1}),
        Case("_npi_insert_scalar", (integer(4, dtype="int32"),), {"val": 7.0, "int_ind": 2}),
        Case("_npi_insert_scalar", (line, normal(1)), {"int_ind": 9}, error=True),
        Case("_npi_insert_slice", (line, normal(2)), {"start": 0, "stop": 4, "step": 2}),
        Case("_npi_insert_slice", (line, normal(1)), {"start": 1, "stop": 4, "step": 1}),
        Case("_npi_insert_slice", (box, normal(2, 2)), {"start": 0, "stop": 2, "step": 1, "axis": 1}),
        Case(
            "_npi_insert_slice",
            (integer(4, dtype="int64"), integer(2, dtype="int64")),
            {"start": 1, "stop": 3, "step": 1},
        ),
        Case("_npi_insert_tensor", (line, normal(2), values([3, 1], dtype="int64"))),
        Case("_npi_insert_tensor", (line, normal(3), values([2, 2, 0], dtype="int64"))),
        Case("_npi_insert_tensor", (box, normal(2, 2), values([0, 2], dtype="int64")), {"axis": 1}),
        Case("_npi_insert_tensor", (line, values([2], dtype="int64")), {"val": 7.0}),
    ]
    return cases


def _random() -> list[Case]:
    many = (400, 500)
    two = {
        "normal": ("loc", "scale", 1.0, 2.0),
        "uniform": ("low", "high", 1.0, 3.0),
        "logistic": ("loc", "scale", 1.0, 2.0),
        "gumbel": ("loc", "scale", 1.0, 2.0),
        "gamma": ("shape", "scale", 3.0, 2.0),
    }
    cases: list[Case] = []
    first, second = uniform(500, low=0.5, high=1), uniform(400, 1, low=2, high=3)
    for name, (a, b, x, y) in two.items():
        op = "_npi_" + name
        params: dict[str, Any] = {a: x, b: y, "size": many}
        cases += [
            Case(op, (), params, moments=True),
            Case(op, (first, second), {a: None, b: None, "size": many}, moments=True),
            Case(op, (first, second), {a: None, b: None}, moments=True),
            Case(op, (first,), {a: None, b: y, "size": many}, moments=True),
            Case(op, (second,), {a: 0.5, b: None, "size": many}, moments=True),
        ]
        if name in ("normal", "uniform", "gamma"):
            cases += [Case(op, (), params | {"dtype": d}, moments=True) for d in ("float64", "float16")]
        if name in ("normal", "uniform"):
            cases += [
                Case(op + "_n", (first,), {a: None, b: y, "size": (400,)}, moments=True),
                Case(op + "_n", (), params, moments=True),
                Case(op + "_n", (first, second), {a: None, b: None, "size": (2,)}, moments=True),
                Case(op + "_n", (second,), {a: 0.5, b: None, "size": (300,)}, moments=True),
                Case(op + "_n", (first,), {a: None, b: y}, moments=True),
            ]
    for name, key, x in (
        ("exponential", "scale", 2.0),
        ("rayleigh", "scale", 2.0),
        ("weibull", "a", 2.0),
        ("pareto", "a", 7.0),
        ("powerd", "a", 2.0),
    ):
        op = "_npi_" + name
        given = uniform(500, low=6, high=8) if name == "pareto" else first
        cases += [
            Case(op, (), {key: x, "size": many}, moments=True),
            Case(op, (given,), {key: None, "size": many}, moments=True),
            Case(op, (), {key: x + 1, "size": (200000,)}, moments=True),
            Case(op, (uniform(400, 500, low=6, high=8),), {key: None}, moments=True),
            Case(op, (), {key: x, "size": (200, 1000)}, moments=True),
        ]
    chance = uniform(500)
    cases += [
        Case(
            "_npi_bernoulli", (), {"prob": 0.3, "logit": None, "is_logit": False, "size": many}, moments=True
        ),
        Case(
            "_npi_bernoulli",
            (chance,),
            {"prob": None, "logit": None, "is_logit": False, "size": many},
            moments=True,
        ),
        Case(
            "_npi_bernoulli", (), {"prob": None, "logit": 0.5, "is_logit": True, "size": many}, moments=True
        ),
        Case(
            "_npi_bernoulli",
            (chance,),
            {"prob": None, "logit": None, "is_logit": True, "size": many},
            moments=True,
        ),
        Case(
            "_npi_bernoulli",
            (),
            {"prob": 0.3, "logit": None, "is_logit": False, "size": many, "dtype": "int32"},
            moments=True,
        ),
    ]
    cases += [
        Case("_npi_multinomial", (), {"n": 1000, "pvals": (0.2, 0.5, 0.3), "size": (300,)}, moments=True),
        Case(
            "_npi_multinomial",
            (values([0.2, 0.5, 0.3], dtype="float64"),),
            {"n": 1000, "pvals": None, "size": (300,)},
            moments=True,
        ),
        Case("_npi_choice", (), {"a": 50, "size": (20000,)}, moments=True),
        Case("_npi_choice", (), {"a": 50, "size": (100, 200), "replace": True}, moments=True),
        Case("_npi_choice", (), {"a": 50, "size": (50,), "replace": False}, moments=True),
        Case("_npi_choice", (normal(50),), {"a": None, "size": (20000,)}, moments=True),
        Case(
            "_npi_choice",
            (values([0.1, 0.6, 0.3]),),
            {"a": 3, "size": (20000,), "weighted": True},
            moments=True,
        ),
    ]
    return cases


def _extension() -> list[Case]:
    cases: list[Case] = []
    for op in ("_npx_relu", "_npx_sigmoid", "_npx_erf", "_npx_gammaln", "_npx_gamma"):
        data = uniform(3, 4, low=0.5, high=3) if "gamma" in op else normal(3, 4)
        cases += [
            Case(op, (data,), grad=(0,), rtol=1e-4, atol=1e-5),
            Case(op, (uniform(low=0.5, high=1),), tag="0-d", rtol=1e-5),
            Case(op, (normal(0, 2),), tag="empty"),
        ]
    cases += [
        Case("_npx_one_hot", (integer(3, dtype="int64"),), {"depth": 5}),
        Case("_npx_pick", (normal(3, 4), integer(3, high=4)), {"axis": 1}, grad=(0,)),
        Case("_npx_topk", (distinct(3, 4),), {"k": 2}),
        Case("_npx_activation", (normal(3, 4),), {"act_type": "tanh"}, grad=(0,)),
        Case("_npx_leaky_relu", (normal(3, 4),), {"act_type": "leaky", "slope": 0.1}, grad=(0,)),
        Case("_npx_batch_flatten", (normal(2, 3, 4),), grad=(0,)),
        Case(
            "_npx_embedding", (integer(3, high=5), normal(5, 2)), {"input_dim": 5, "output_dim": 2}, grad=(1,)
        ),
        Case("_npx_arange_like", (normal(2, 3),), {"axis": 1}),
        Case(
            "_npx_sequence_mask", (normal(3, 2, 2), values([1, 2])), {"use_sequence_length": True}, grad=(0,)
        ),
        Case("_npx_smooth_l1", (normal(3, 4),), {"scalar": 1.5}, grad=(0,)),
        Case("_npx_reshape_like", (normal(2, 3), normal(3, 2)), grad=(0,)),
        Case("_npx_shape_array", (normal(2, 3),)),
        Case("_npx_gather_nd", (normal(3, 4), values([[0, 2], [1, 3]], dtype="int64")), grad=(0,)),
        Case("_npx_slice", (normal(3, 4),), {"begin": (0, 1), "end": (2, 4)}, grad=(0,)),
        Case("_npx_cast", (normal(3),), {"dtype": "int32"}),
        Case("_npx_softmax", (normal(3, 4),), {"axis": 0}, grad=(0,)),
        Case("_npx_log_softmax", (normal(3, 4),), grad=(0,)),
    ]
    return cases


CASES: list[Case] = [*_matrices(), *_products(), *_statistics(), *_random(), *_extension()]
