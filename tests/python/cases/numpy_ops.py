"""Operators of NumPy's namespace, against NumPy itself."""

from __future__ import annotations

import re
from typing import Any, Callable

import numpy as np
from opcase import FLOATS, Array, Case, Spec

Given = dict[str, Any]
F64 = ("float64", "float32")
WHOLE = Spec((3, 4), 1, 9, kind="int")
INTS = ("int32", "int64")


def rows(op: str, ref: Callable[..., Any], *calls: tuple[list[Any], Given], **common: Any) -> list[Case]:
    """A case for each list of inputs and parameters."""
    return [
        Case(op, inputs, params, ref, id=f"{i}-{'-'.join(params)}", **common)
        for i, (inputs, params) in enumerate(calls)
    ]


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """Without the parameters, which the function does not take."""
    return lambda *arrays, **params: function(*arrays)


def half_down(x: Array) -> Array:
    return np.ceil(x - 0.5)


def unary() -> list[Case]:
    cases: list[Case] = []
    table: list[tuple[str, Callable[..., Any], float, float]] = [
        ("abs", np.abs, -2, 2),
        ("absolute", np.abs, -2, 2),
        ("arccos", np.arccos, -0.9, 0.9),
        ("arccosh", np.arccosh, 1.2, 3),
        ("arcsin", np.arcsin, -0.9, 0.9),
        ("arcsinh", np.arcsinh, -2, 2),
        ("arctan", np.arctan, -2, 2),
        ("arctanh", np.arctanh, -0.8, 0.8),
        ("cbrt", np.cbrt, 0.5, 2),
        ("cos", np.cos, -2, 2),
        ("cosh", np.cosh, -2, 2),
        ("degrees", np.degrees, -2, 2),
        ("exp", np.exp, -2, 2),
        ("expm1", np.expm1, -2, 2),
        ("log", np.log, 0.5, 2),
        ("log10", np.log10, 0.5, 2),
        ("log1p", np.log1p, 0.5, 2),
        ("log2", np.log2, 0.5, 2),
        ("negative", np.negative, -2, 2),
        ("radians", np.radians, -2, 2),
        ("reciprocal", np.reciprocal, 0.5, 2),
        ("sin", np.sin, -2, 2),
        ("sinh", np.sinh, -2, 2),
        ("sqrt", np.sqrt, 0.5, 2),
        ("square", np.square, -2, 2),
        ("tan", np.tan, -1, 1),
        ("tanh", np.tanh, -2, 2),
    ]
    for name, function, low, high in table:
        calls = [([Spec(shape, low, high)], Given()) for shape in ((3, 4), (), (0, 2))]
        cases += rows(f"_npi_{name}", function, *calls, dtypes=FLOATS[:3])
    steps = {"ceil": np.ceil, "fix": np.fix, "floor": np.floor, "sign": np.sign, "trunc": np.trunc}
    for name, step in (*steps.items(), ("rint", half_down)):
        cases += rows(f"_npi_{name}", step, *[([Spec(s, -5, 5)], Given()) for s in ((3, 4), ())], grad=False)
    odd = np.array([np.nan, np.inf, -np.inf, 0, 2])
    truths: dict[str, Callable[..., Any]] = {
        "isfinite": np.isfinite,
        "isinf": np.isinf,
        "isnan": np.isnan,
        "isposinf": np.isposinf,
        "isneginf": np.isneginf,
        "logical_not": np.logical_not,
    }
    for name, truth in truths.items():
        cases += rows(f"_npi_{name}", truth, ([odd], {}), ([()], {}), grad=False)
    cases += rows("_npi_bitwise_not", np.bitwise_not, ([WHOLE], {}), dtypes=INTS)
    cases += rows("_npi_around", np.around, ([Spec((9,), -5, 5)], {"decimals": 2}), dtypes=F64, grad=False)
    cases += rows("_npi_nan_to_num", np.nan_to_num, ([(2, 3)], {}))
    cases += rows("_npi_nan_to_num", np.nan_to_num, ([odd], {"posinf": 5.0, "neginf": -5.0}), grad=False)
    cases += rows("_np_copy", np.copy, ([(2, 3)], {}), ([()], {}))
    return cases


def binary() -> list[Case]:
    cases: list[Case] = []
    smooth: dict[str, Callable[..., Any]] = {
        "add": np.add,
        "subtract": np.subtract,
        "multiply": np.multiply,
        "true_divide": np.true_divide,
        "power": np.power,
        "arctan2": np.arctan2,
        "hypot": np.hypot,
        "copysign": np.copysign,
        "ldexp": lambda x, y: x * 2.0**y,
    }
    for name, function in smooth.items():
        shapes: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((2, 3), (2, 3)), ((2, 1), (3,)), ((), (2,))]
        calls = [([Spec(a, 0.5, 2), Spec(b, 0.5, 2)], Given()) for a, b in shapes]
        cases += rows(f"_npi_{name}", function, *calls, dtypes=FLOATS[:3])
    cases += rows("_npi_mod", np.mod, ([Spec((3, 4), 3.1, 3.4), Spec((4,), 1.1, 1.4)], {}), dtypes=F64)
    whole: list[Any] = [WHOLE, Spec((4,), 1, 9, kind="int")]
    for function in (np.lcm, np.bitwise_and, np.bitwise_or, np.bitwise_xor):
        cases += rows(f"_npi_{function.__name__}", function, (whole, {}), dtypes=INTS)
    compared: tuple[np.ufunc, ...] = (
        np.equal,
        np.not_equal,
        np.greater,
        np.greater_equal,
        np.less,
        np.less_equal,
    )
    for function in compared:
        cases += rows(f"_npi_{function.__name__}", function, (whole, {}), dtypes=(*INTS, *F64), grad=False)
        one = {"scalar": 4.0}
        cases += rows(
            f"_npi_{function.__name__}_scalar",
            lambda x, scalar, f=function: f(x, scalar),
            ([WHOLE], one),
            dtypes=(*INTS, *F64),
            grad=False,
        )
    scalar: dict[str, Callable[..., Any]] = {
        "true_divide": lambda x, s: x / s,
        "rtrue_divide": lambda x, s: s / x,
        "arctan2": np.arctan2,
        "rarctan2": lambda x, s: np.arctan2(s, x),
        "copysign": np.copysign,
        "rcopysign": lambda x, s: np.copysign(s, x),
        "ldexp": lambda x, s: x * 2.0**s,
        "rldexp": lambda x, s: s * 2.0**x,
    }
    for name, function in scalar.items():
        ref = lambda x, scalar, f=function: f(x, scalar)  # noqa: E731
        calls = [([Spec(s, 0.5, 2)], {"scalar": 1.5}) for s in ((2, 3), ())]
        cases += rows(f"_npi_{name}_scalar", ref, *calls, dtypes=FLOATS[:3])
    for function in (np.lcm, np.bitwise_and, np.bitwise_or, np.bitwise_xor):
        ref = lambda x, scalar, f=function: f(x, int(scalar))  # noqa: E731
        cases += rows(f"_npi_{function.__name__}_scalar", ref, ([WHOLE], {"scalar": 6.0}), dtypes=INTS)
        name, truth, one = f"_npi_{function.__name__}_scalar", np.array([True, False]), {"scalar": 1.0}
        cases.append(Case(name, [truth], {"scalar": 6.0}, ref, dtypes=("int64",), id="truth"))
        cases.append(Case(name, [truth], one, lambda x, scalar, r=ref: r(x, scalar) != 0, dtypes=("bool",)))
        cases.append(
            Case(name, [WHOLE], {"scalar": 2.5}, dtypes=INTS, fails="expected a whole number", id="half")
        )
    return cases


def reductions() -> list[Case]:
    cases: list[Case] = []
    axes: list[Given] = [{}, {"axis": (1,)}, {"axis": (0, 1), "keepdims": True}, {"axis": (-1, 0)}]
    table: dict[str, Callable[..., Any]] = {
        "_np_sum": np.sum,
        "_np_prod": np.prod,
        "_npi_mean": np.mean,
        "_npi_var": np.var,
        "_npi_std": np.std,
        "_np_max": np.max,
        "_np_min": np.min,
    }
    for op, function in table.items():
        kind = "distinct" if op in ("_np_max", "_np_min") else "float"
        data = Spec((3, 4, 2), 0.5, 3, kind=kind)
        cases += rows(op, function, *[([data], a) for a in axes], dtypes=F64, rtol=2e-5)
        cases += rows(op, function, ([()], {}), dtypes=F64, grad=op not in ("_npi_std",))
    cases += rows("_npi_var", np.var, ([(4, 3)], {"axis": (0,), "ddof": 1}), dtypes=F64)
    cases += rows("_np_prod", np.prod, ([np.array([[1.0, 0, 3], [0, 2, 0]])], {"axis": (1,)}), dtypes=F64)
    cases.append(Case("_np_max", [(0, 3)], fails="no elements", id="empty"))
    cases.append(Case("_np_sum", [(2, 3)], {"initial": 1.0}, fails="initial", id="initial"))
    for op, truth in (("_np_all", np.all), ("_np_any", np.any)):
        data = Spec((3, 4), 0, 1, kind="int")
        cases += rows(op, truth, *[([data], a) for a in axes], ([(0,)], {}), dtypes=F64, grad=False)
    for op, search in (("_npi_argmax", np.argmax), ("_npi_argmin", np.argmin)):
        data = Spec((3, 4), -2, 2, kind="distinct")
        calls = [([data], a) for a in (Given(), {"axis": 1}, {"axis": 0, "keepdims": True})]
        cases += rows(op, search, *calls, dtypes=F64, grad=False)

    def average(a: Array, w: Array, axis: Any = None) -> tuple[Array, Array]:
        return np.average(a, axis, w), np.asarray(np.sum(w, axis))

    weights = Spec((3, 4), 0.5, 2)
    params: list[Given] = [{"returned": True}, {"returned": True, "axis": (1,)}]
    ref = lambda a, w, returned, axis=None: average(a, w, axis)  # noqa: E731
    cases += rows("_npi_average", ref, *[([(3, 4), weights], p) for p in params], dtypes=F64)
    return cases


def shapes() -> list[Case]:
    cases: list[Case] = []
    box = (2, 3, 4)
    newshape = lambda x, newshape: x.reshape(2, 12)  # noqa: E731
    cases += rows(
        "_npx_reshape", newshape, *[([box], {"newshape": c}) for c in ((-2, -1), (-2, -5), (2, 12))]
    )
    cases += rows("_np_reshape", lambda x, newshape: x.reshape(newshape), ([box], {"newshape": (6, -1)}))
    cases.append(Case("_np_reshape", [box], {"newshape": (7, -1)}, fails="as many elements", id="bad"))
    cases.append(
        Case("_npx_reshape", [box], {"newshape": (-3, -4)}, fails="expected its extent to be 1", id="bad")
    )
    cases += rows("_np_squeeze", np.squeeze, ([(1, 3, 1)], {}), ([(1, 3, 1)], {"axis": (0,)}))
    cases += rows("_np_transpose", np.transpose, ([box], {}), ([box], {"axes": (1, 0, 2)}), ([()], {}))
    cases += rows("_np_moveaxis", np.moveaxis, ([box], {"source": (0, 1), "destination": (-1, 0)}))
    cases += rows(
        "_np_roll",
        lambda x, shift, axis=None: np.roll(x, shift if axis else shift[0], axis),
        ([box], {"shift": (5,)}),
        ([box], {"shift": (1, -2), "axis": (0, 2)}),
    )
    cases += rows("_npi_rot90", np.rot90, *[([box], {"k": k, "axes": (0, 2)}) for k in (0, 1, 2, 3)])
    turned = {"offset": 1, "axis1": 2, "axis2": 0}
    cases += rows("_np_diagonal", np.diagonal, ([box], {}), ([box], turned))
    cases += rows("_np_trace", np.trace, ([box], {}), ([box], turned))
    cases += rows(
        "_np_diag", np.diag, ([(3,)], {}), ([(3,)], {"k": -2}), ([(3, 4)], {}), ([(3, 4)], {"k": 1})
    )
    cases += rows("_np_diag", np.diag, ([(3, 4)], {"k": 9}), ([(0, 4)], {}))
    cases += [
        Case("_np_diag", [shape], fails="expected one axis or two", id=f"{len(shape)}d")
        for shape in ((), (2, 3, 4), (2, 3, 4, 5))
    ]
    cases += [
        Case("_np_squeeze", [(1, 3, 1)], {"axis": axis}, fails="is named twice", id=f"twice_{i}")
        for i, axis in enumerate([(0, 0), (0, -3)])
    ]
    cases += rows("_np_diagflat", np.diagflat, ([(2, 2)], {"k": 1}), ([(3,)], {"k": -1}))
    cases += rows("_npi_tril", np.tril, ([(3, 4)], {"k": 1}), ([(2, 3, 3)], {"k": -1}))
    cases += rows(
        "_npi_broadcast_to", np.broadcast_to, ([(3, 1)], {"shape": (2, 3, 4)}), ([()], {"shape": (2,)})
    )
    cases.append(Case("_npi_broadcast_to", [(3,)], {"shape": (4,)}, fails="no broadcast", id="bad"))
    pair = [(2,), (2, 3)]
    for axes, function in ((1, np.atleast_1d), (2, np.atleast_2d), (3, np.atleast_3d)):
        both = lambda *a, num_args, f=function: tuple(f(x) for x in a)  # noqa: E731
        cases += rows(f"_np_atleast_{axes}d", both, ([*pair], {"num_args": 2}))
    joins: dict[str, Callable[..., Any]] = {
        "vstack": np.vstack,
        "hstack": np.hstack,
        "dstack": np.dstack,
        "column_stack": np.column_stack,
        "concatenate": np.concatenate,
    }
    for name, join in joins.items():
        ref = lambda *a, num_args, f=join: f(a)  # noqa: E731
        cases += rows(
            f"_npi_{name}", ref, ([(2, 3), (2, 3)], {"num_args": 2}), ([(2,), (2,)], {"num_args": 2})
        )
    cases += rows(
        "_npi_hsplit",
        lambda x, indices, sections=0: tuple(np.hsplit(x, sections or indices[1:])),
        ([(2, 4)], {"indices": (0, 1, 3)}),
        ([(4,)], {"indices": (), "sections": 2}),
    )
    cases += rows("_npi_diff", np.diff, ([(3, 5)], {}), ([(3, 5)], {"n": 2, "axis": 0}), ([(3,)], {"n": 4}))
    cases += rows(
        "_npi_ediff1d",
        lambda x, begin, to_begin_arr_given, to_end_scalar: np.ediff1d(x, to_end_scalar, begin),
        ([(2, 3), (2,)], {"to_begin_arr_given": True, "to_end_scalar": 2.0}),
    )
    modes = ("edge", "reflect", "symmetric", "maximum", "minimum")
    margins = {"pad_width": ((1, 2), (0, 2))}
    calls: list[tuple[list[Any], Given]] = [
        ([Spec((3, 4), -2, 2, kind="distinct")], margins | {"mode": m}) for m in modes
    ]
    cases += rows("_npi_pad", np.pad, *calls, dtypes=F64)
    cases += rows(
        "_npi_pad",
        lambda x, pad_width, constant_value: np.pad(x, pad_width, constant_values=constant_value),
        ([(3, 4)], margins | {"constant_value": 1.5}),
        dtypes=F64,
    )
    return cases


def creation() -> list[Case]:
    once = {"dtypes": ("float32",)}
    cases: list[Case] = []
    for op, make in (("_npi_zeros", np.zeros), ("_npi_ones", np.ones)):
        cases += rows(op, make, *[([], {"shape": s}) for s in ((2, 3), (), (0, 2))], **once)
    cases += rows("_npi_identity", lambda shape: np.eye(*shape), ([], {"shape": (3, 3)}), **once)
    cases += rows("_npi_eye", np.eye, ([], {"N": 2, "M": 4, "k": 1}), ([], {"N": 3}), **once)
    cases += rows("_npi_logspace", np.logspace, ([], {"start": 0.0, "stop": 2.0, "num": 5}), **once)
    cases += rows("_npi_indices", np.indices, ([], {"dimensions": (2, 3)}), **once)
    for name, window in (("hanning", np.hanning), ("hamming", np.hamming), ("blackman", np.blackman)):
        cases += rows(f"_npi_{name}", window, *[([], {"M": m}) for m in (0, 1, 8)], **once, atol=1e-6)
    cases += rows("_npi_full_like", np.full_like, ([(2, 3)], {"fill_value": 3.0}), grad=False)
    cases += rows(
        "_npi_diag_indices_from", lambda x: np.array(np.diag_indices_from(x)), ([(3, 3)], {}), grad=False
    )
    return cases


def choices() -> list[Case]:
    cases: list[Case] = []
    mask = np.array([[1, 0, 1], [0, 0, 1]], dtype=np.int32)
    marks = np.array([True, False, True])
    number = {"scalar": 1.5}
    cases += rows("_npi_where", np.where, ([mask, (2, 3), (3,)], {}), ([mask, (), (2, 1)], {}))
    cases += rows("_npi_where_lscalar", lambda c, x, scalar: np.where(c, scalar, x), ([mask, (2, 3)], number))
    cases += rows(
        "_npi_where_rscalar", lambda c, x, scalar: np.where(c != 0, x, scalar), ([mask, (2, 1)], number)
    )
    two = {"x": 1.5, "y": 2.0}
    cases += rows(
        "_npi_where_scalar2", lambda c, x, y: np.where(c != 0, x, y), ([mask], two), dtypes=("float32",)
    )

    def assigned(x: Array, m: Array, value: Any = None, start_axis: int = 0, **other: Any) -> Array:
        y = x.copy()
        y[m.astype(bool)] = other.get("number", value)
        return y

    cases += rows("_npi_boolean_mask_assign_scalar", assigned, ([(3, 2), marks], {"value": 2.0}), grad=False)
    cases += rows(
        "_npi_boolean_mask_assign_tensor",
        assigned,
        ([(3, 2), marks, (2, 2)], {}),
        ([(3, 2), marks, (2,)], {}),
        grad=False,
    )
    cases.append(
        Case("_npi_boolean_mask_assign_tensor", [(3,), marks, (3,)], fails="value has shape", id="bad")
    )
    cases.append(
        Case("_npx_reshape", [(2, 3)], {"newshape": (5, 2**62)}, fails="as many elements", id="overflow")
    )
    far = {"start_axis": 2**31 - 1}
    cases.append(Case("_npi_boolean_mask_assign_tensor", [(3,), marks, (2,)], far, fails="not fit", id="far"))
    cases += rows("_npi_share_memory", lambda a, b: np.array(False), ([(2,), (2,)], {}), grad=False)
    cases += rows("_npx_constraint_check", lambda x: np.array(True), ([np.array([True, True])], {}))
    cases.append(Case("_npx_constraint_check", [marks], {"msg": "not so"}, fails="not so", id="bad"))
    cases += rows(
        "_npi_delete",
        lambda x, int_ind, axis: np.delete(x, [int_ind], axis),
        ([(2, 3)], {"int_ind": 1, "axis": 1}),
        grad=False,
    )
    cases += rows(
        "_npi_delete",
        lambda x, start, stop, step: np.delete(x, slice(start, stop, step)),
        ([(5,)], {"start": 0, "stop": 4, "step": 2}),
        grad=False,
    )
    cases.append(Case("_npi_delete", [(3,)], {"int_ind": 7}, fails="place 7", id="bad"))
    cases += rows(
        "_npi_insert_scalar",
        lambda x, v, int_ind, axis: np.insert(x, int_ind, v, axis),
        ([(2, 3), (2,)], {"int_ind": 1, "axis": 1}),
        ([(2, 3), (0, 3)], {"int_ind": 2, "axis": 0}),
        grad=False,
    )
    cases += rows(
        "_npi_insert_slice",
        lambda x, v, start, stop, step: np.insert(x, slice(start, stop, step), v),
        ([(5,), (2,)], {"start": 0, "stop": 4, "step": 2}),
        grad=False,
    )
    cases += rows(
        "_npi_insert_tensor",
        lambda x, v, at, axis: np.insert(x, at, v, axis),
        ([(2, 3), (2, 2), np.array([2, 0])], {"axis": 1}),
        grad=False,
    )
    cases.append(Case("_npi_insert_tensor", [(3,), (1,), np.array([9])], fails="place 9", id="bad"))
    percentages = np.array([0.0, 30, 100])
    for mode in ("linear", "lower", "higher", "midpoint", "nearest"):
        ref = lambda a, q, interpolation, axis=None: np.percentile(a, q, axis, method=interpolation)  # noqa: E731
        cases += rows(
            "_npi_percentile",
            ref,
            ([(3, 4), percentages], {"interpolation": mode}),
            ([(3, 4), percentages], {"interpolation": mode, "axis": (0,)}),
            grad=False,
            dtypes=F64,
        )
    cases.append(Case("_npi_percentile", [(3,)], {"q_scalar": 101.0}, fails="percentages", id="bad"))
    twice = {"q_scalar": 50.0, "axis": (1, -2)}
    cases.append(Case("_npi_percentile", [(2, 3, 4)], twice, fails="is named twice", id="twice"))
    cases += rows("_npi_polyval", np.polyval, ([(4,), (2, 3)], {}), ([(1,), ()], {}))
    return cases


def well(*shape: int) -> Array:
    """Matrices far from singular."""
    return np.random.default_rng(3).normal(size=shape) * 0.3 + np.eye(shape[-2], shape[-1]) * 3


def algebra() -> list[Case]:
    cases: list[Case] = []
    one, stack, wide = well(3, 3), well(2, 3, 3), well(2, 4)
    fine: Given = {"dtypes": F64, "rtol": 2e-5}
    cases += rows("_npi_det", np.linalg.det, ([one], {}), ([stack], {}), **fine)
    cases += rows("_npi_slogdet", lambda a: tuple(np.linalg.slogdet(a)), ([one], {}), ([stack], {}), **fine)
    cases += rows(
        "_npi_solve",
        np.linalg.solve,
        ([one, (3, 2)], {}),
        ([one, (3,)], {}),
        ([stack, (2, 3, 1)], {}),
        **fine,
    )
    cases.append(Case("_npi_solve", [np.zeros((2, 2)), (2,)], fails="singular", id="singular"))

    def signed(a: Array) -> tuple[Array, ...]:
        u, values, v = np.linalg.svd(a, full_matrices=False)
        places = np.abs(u).argmax(-2)
        sign = np.sign(np.take_along_axis(u, places[..., None, :], -2))[..., 0, :]
        return u * sign[..., None, :], values, v * sign[..., :, None]

    cases += rows("_npi_svd", signed, ([wide], {}), ([one], {}), ([stack], {}), **fine)

    def largest_positive(a: Array) -> tuple[Array, Array]:
        values, v = np.linalg.eigh(a)
        places = np.abs(v).argmax(-2)
        return values, v * np.sign(np.take_along_axis(v, places[..., None, :], -2))

    symmetric = one + one.T
    by_lower = lambda a, f: f(np.tril(a) + np.tril(a, -1).T)  # noqa: E731
    cases += rows("_npi_eigh", lambda a: by_lower(a, largest_positive), ([symmetric], {}), **fine, grad=False)
    cases += rows(
        "_npi_eigvalsh", lambda a: by_lower(a, np.linalg.eigvalsh), ([symmetric], {}), **fine, grad=False
    )
    triangle = np.array([[2, 1, 0.5], [0, 3, 1], [0, 0, 7]])
    cases += rows("_npi_eigvals", np.linalg.eigvals, ([triangle], {}), **fine, grad=False)

    def reconstructed(outputs: list[Array], inputs: list[Array]) -> None:
        (values, vectors), (a,) = outputs, inputs
        np.testing.assert_allclose(a @ vectors, vectors * values[..., None, :], rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=-2), 1, rtol=1e-5)
        np.testing.assert_allclose(np.sort(values), np.sort(np.linalg.eigvals(a).real), rtol=1e-4)

    for i, a in enumerate((triangle, well(2, 6, 6) + np.diag(np.arange(6) * 4), one + one.T, np.eye(4))):
        cases.append(Case("_npi_eig", [a], check=reconstructed, dtypes=F64, grad=False, id=str(i)))
    cases.append(Case("_npi_eig", [np.array([[0, 1.0], [-1, 0]])], fails="not real", id="complex"))
    cut = np.linalg.pinv
    for a in (wide, wide.T, one):
        cases.append(Case("_npi_pinv_scalar_rcond", [a], {"rcond": 1e-6}, cut, **fine, id=str(a.shape)))
    cases += rows("_npi_pinv", np.linalg.pinv, ([wide, np.array(1e-6)], {}), **fine, grad=[0])

    def norm(x: Array, ord: float, axis: Any, flag: int) -> Any:
        names: dict[int, Any] = {1: "fro", 2: "nuc"}
        return np.linalg.norm(x, names.get(flag, ord), axis[0] if len(axis) == 1 else axis)

    orders: list[tuple[float, Any, int]] = [
        (2, (0, 1), 1),
        (2, (0, 1), 2),
        (1, (0, 1), 0),
        (-2, (0, 1), 0),
        (3, (1,), -1),
        (2, (0,), -1),
    ]
    cases += rows(
        "_npi_norm",
        norm,
        *[([wide], {"ord": o, "axis": a, "flag": f}) for o, a, f in orders],
        **fine,
    )
    cases += rows("_npi_tensorinv", np.linalg.tensorinv, ([well(6, 6).reshape(2, 3, 6)], {"ind": 2}), **fine)
    cases += rows(
        "_npi_tensorsolve", np.linalg.tensorsolve, ([well(6, 6).reshape(2, 3, 6), (2, 3)], {}), **fine
    )
    cases += rows(
        "_np_dot",
        np.dot,
        ([(2, 3), (3, 4)], {}),
        ([(3,), (3,)], {}),
        ([(), (2, 3)], {}),
        ([(2, 4, 3), (2, 3, 2)], {}),
        dtypes=F64,
    )
    cases += rows(
        "_npi_matmul",
        np.matmul,
        ([(2, 1, 3, 4), (2, 4, 2)], {}),
        ([(3,), (3, 2)], {}),
        ([(0, 3), (3, 2)], {}),
        dtypes=F64,
    )
    cases.append(Case("_npi_matmul", [(2, 3), (2, 3)], fails="to be equal", id="bad"))
    cases += rows(
        "_npi_tensordot",
        lambda a, b, a_axes_summed, b_axes_summed: np.tensordot(a, b, (a_axes_summed, b_axes_summed)),
        ([(2, 3, 4), (4, 3, 2)], {"a_axes_summed": (1, 2), "b_axes_summed": (1, 0)}),
        dtypes=F64,
    )
    cases += rows(
        "_npi_tensordot_int_axes",
        np.tensordot,
        ([(2, 3), (3, 2)], {"axes": 1}),
        ([(2,), (3,)], {"axes": 0}),
        dtypes=F64,
    )
    sums: list[tuple[str, list[Any]]] = [
        ("ij,jk", [(2, 3), (3, 4)]),
        ("ii->i", [(3, 3)]),
        ("...ij,jk->k...", [(2, 2, 3), (3, 4)]),
        ("ij,ik,il->jkl", [(2, 3), (2, 2), (2, 2)]),
    ]
    for subscripts, inputs in sums:
        ref = lambda *a, subscripts, num_args: np.einsum(subscripts, *a)  # noqa: E731
        params = {"subscripts": subscripts, "num_args": len(inputs)}
        cases.append(Case("_npi_einsum", inputs, params, ref, dtypes=F64, id=re.sub(r"\W+", "_", subscripts)))
    cases.append(
        Case(
            "_npi_einsum",
            [(2, 3)],
            {"subscripts": "i", "num_args": 1},
            fails="a letter for each axis",
            id="bad",
        )
    )
    return cases


def moments(
    shape: tuple[int, ...], mean: float, deviation: float
) -> Callable[[list[Array], list[Array]], None]:
    def check(outputs: list[Array], inputs: list[Array]) -> None:
        out = outputs[0]
        assert out.shape == shape
        assert abs(out.mean() - mean) < 6 * deviation / np.sqrt(out.size)
        assert abs(out.std() - deviation) < 0.1 * deviation

    return check


def drawn() -> list[Case]:
    cases: list[Case] = []
    size = (40, 250)
    table: list[tuple[str, Given, float, float]] = [
        ("normal", {"loc": 1.0, "scale": 2.0}, 1, 2),
        ("normal_n", {"loc": 1.0, "scale": 2.0}, 1, 2),
        ("uniform", {"low": 1.0, "high": 3.0}, 2, np.sqrt(1 / 3)),
        ("uniform_n", {"low": 1.0, "high": 3.0}, 2, np.sqrt(1 / 3)),
        ("logistic", {"loc": 1.0, "scale": 2.0}, 1, 2 * np.pi / np.sqrt(3)),
        ("gumbel", {"loc": 1.0, "scale": 2.0}, 1 + 2 * np.euler_gamma, 2 * np.pi / np.sqrt(6)),
        ("gamma", {"shape": 3.0, "scale": 2.0}, 6, np.sqrt(12)),
        ("exponential", {"scale": 2.0}, 2, 2),
        ("rayleigh", {"scale": 2.0}, 2 * np.sqrt(np.pi / 2), 2 * np.sqrt(2 - np.pi / 2)),
        ("weibull", {"a": 1.0}, 1, 1),
        ("pareto", {"a": 9.0}, 1 / 8, np.sqrt(9 / 7) / 8),
        ("powerd", {"a": 2.0}, 2 / 3, np.sqrt(1 / 18)),
        ("bernoulli", {"prob": 0.3, "logit": None, "is_logit": False}, 0.3, np.sqrt(0.21)),
        ("choice", {"a": 10}, 4.5, np.sqrt(99 / 12)),
    ]
    for name, params, mean, deviation in table:
        given = {**params, "size": size}
        cases.append(
            Case(f"_npi_{name}", [], given, dtypes=("float32",), check=moments(size, mean, deviation))
        )

    # Gradients reach parameters that are arrays: as the same numbers are drawn, differences show them.
    def shaped(outputs: list[Array], inputs: list[Array]) -> None:
        assert outputs[0].shape == (2, 3)

    two, one = [Spec((2, 1), 0.5, 1), Spec((3,), 1.5, 3)], [Spec((2, 3), 1.5, 3)]
    for name, params, *_ in table[:-3]:
        if name == "gamma":
            continue
        none: Given = dict.fromkeys(params)
        typed = name.startswith(("normal", "uniform"))
        dtype = "float64" if typed else "float32"
        given = none | ({"dtype": dtype} if typed else {})
        common: dict[str, Any] = {"dtypes": (dtype,), "check": shaped, "id": "arrays"}
        cases.append(Case(f"_npi_{name}", two if len(params) == 2 else one, given, **common))

    def counts(outputs: list[Array], inputs: list[Array]) -> None:
        assert outputs[0].shape == (4, 3) and (outputs[0].sum(-1) == 100).all()

    params = {"n": 100, "pvals": (0.2, 0.5, 0.3), "size": (4,)}
    cases.append(Case("_npi_multinomial", [], params, dtypes=("float32",), check=counts))
    cases.append(
        Case(
            "_npi_choice", [], {"a": 3, "size": (4,), "replace": False}, fails="without replacement", id="few"
        )
    )
    thirds, half, all_zero = np.full(3, 0.3), np.array([0.5, 0.5, 0.0]), np.zeros(3)
    for id, chances, more, said in (
        ("sum", thirds, {}, "sum to 0.9; expected 1"),
        ("zero", all_zero, {}, "the probabilities are 0"),
        ("negative", np.array([1.5, -0.5, 0.0]), {}, "a probability is -0.5"),
        ("nan", np.array([0.5, np.nan, 0.5]), {}, "a probability is nan"),
        ("sum_once", thirds, {"replace": False}, "sum to 0.9; expected 1"),
        ("few_possible", half, {"replace": False, "size": (3,)}, "2 probabilities above 0 for 3"),
    ):
        given = {"a": 3, "size": (2,), "weighted": True, **more}
        cases.append(
            Case("_npi_choice", [chances], given, dtypes=("float64",), fails=said, id=f"chances_{id}")
        )
    for id, a, size, said in (("huge", 2**63 - 1, (4,), "at most"), ("bytes", 9, (2, 2**62), "more bytes")):
        cases.append(Case("_npi_choice", [], {"a": a, "size": size, "replace": False}, fails=said, id=id))
    return cases


CASES: list[Case] = [
    *unary(),
    *binary(),
    *reductions(),
    *shapes(),
    *creation(),
    *choices(),
    *algebra(),
    *drawn(),
]
