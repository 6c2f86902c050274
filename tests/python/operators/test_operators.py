"""Every row of tests/python/cases/: values, gradients, second-order gradients and in-place calls."""

from __future__ import annotations

import ast
import importlib.util
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from opcase import FLOATS, Array, Case, Stored, draw

import mixgrad as mx
from mixgrad import _core

NUMBERS = {"float32": 0, "float64": 1, "float16": 2, "uint8": 3, "int32": 4, "int8": 5, "int64": 6, "bool": 7}
NUMBERS["bfloat16"] = 12
NAMES = {number: name for name, number in NUMBERS.items()}
CPU = (1, 0)
GRAD_WRITE = 1

# (relative, absolute), where a case asks for nothing else.
TOLERANCE = {
    "float64": (1e-9, 1e-11),
    "float32": (2e-5, 2e-6),
    "float16": (2e-3, 2e-3),
    "bfloat16": (1.6e-2, 1.6e-2),
}
MOST_ELEMENTS = 40  # of one input whose gradient is compared; from larger inputs that many are picked
MOST_FOR_SECOND_ORDER = 120  # of all inputs
# Of matrices that are symmetric: test_linalg.py. In float32 alone: test_random.py.
SECOND_ORDER_ELSEWHERE = {"_linalg_potrf", "_linalg_syevd", "_npi_eigh", "_npi_eigvalsh"}
SECOND_ORDER_ELSEWHERE |= {
    f"_npi_{name}"
    for name in ("exponential", "gumbel", "logistic", "pareto", "powerd", "rayleigh", "weibull")
}
# Gradients read averages that the call has moved, or nothing has one.
NO_SECOND_ORDER = {"IdentityAttachKLSparseReg", "_npi_where_scalar2"}


def load_cases() -> list[Case]:
    cases: list[Case] = []
    for path in sorted((Path(__file__).parents[1] / "cases").glob("*.py")):
        spec = importlib.util.spec_from_file_location(f"mixgrad_cases_{path.stem}", path)
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        cases.extend(module.CASES)
    seen: dict[str, int] = {}
    for case in cases:
        label = f"{case.op}-{case.id}" if case.id else case.op
        seen[label] = seen.get(label, 0) + 1
        case.id = label if seen[label] == 1 else f"{label}-{seen[label]}"
    return cases


CASES = load_cases()
by_case = pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])


class Operator:
    """An operator as the C header describes it."""

    def __init__(self, info: dict[str, Any]) -> None:
        self.info = info
        self.handle = _core.Op(info["name"])
        self.defaults = [(p["name"], p["required"], default_value(p["default"])) for p in info["params"]]
        self.mutates = [i for i, port in enumerate(info["inputs"]) if port["mutates"]]

    def __call__(self, inputs: list[Any], params: dict[str, Any], out: Any = None) -> list[Any]:
        unknown = set(params) - {name for name, _, _ in self.defaults}
        assert not unknown, f"{self.info['name']} has no parameters {unknown}"
        values = tuple(params.get(name, default) for name, _, default in self.defaults)
        result = _core.call(self.handle, tuple(inputs), out, values)
        return list(result) if isinstance(result, list) else [result]


def default_value(text: str) -> Any:
    try:
        return ast.literal_eval(text) if text else None
    except (ValueError, SyntaxError):
        return float(text) if text in ("inf", "-inf", "nan") else text


@cache
def operators() -> dict[str, Operator]:
    found = {}
    for i in range(_core.op_count()):
        operator = Operator(_core.describe_op(i))
        for name in [operator.info["name"], *operator.info["aliases"]]:
            found[name] = operator
    return found


def encode(values: Array, dtype: str) -> Any:
    """An array of that dtype."""
    values = np.asarray(values)
    if dtype == "bfloat16":
        bits = values.astype(np.float32).view(np.uint32)
        raw = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
        raw = np.where(np.isnan(values), np.uint16(0x7FC0), raw)
    elif dtype in FLOATS:
        with np.errstate(over="ignore"):
            raw = values.astype(dtype)
    else:
        raw = values.astype(np.int64).astype(dtype)
    raw = np.ascontiguousarray(raw).reshape(values.shape)
    if raw.size == 0:
        return _core.create(list(raw.shape), NUMBERS[dtype], CPU)
    return _core.create_from(raw.reshape(-1).view(np.uint8), list(raw.shape), NUMBERS[dtype], CPU)


def dense(array: Any) -> Any:
    """All its elements, where it stores a part of them."""
    return array.tostype("default") if array._storage else array


def decode(array: Any) -> Array:
    """The values, floats as float64 and integers as int64."""
    array = dense(array)
    name = NAMES[array._dtype_number]
    raw = np.empty(array.shape, np.uint16 if name == "bfloat16" else name)
    if raw.size:
        _core.copy_to(array, raw.reshape(-1).view(np.uint8))
    if name == "bfloat16":
        return (raw.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return raw.astype(np.float64 if name in FLOATS else np.int64)


class Run:
    """A case in one dtype: its inputs, as arrays and as the values these really hold."""

    def __init__(self, case: Case, dtype: str) -> None:
        if case.op not in operators():
            pytest.fail(f"no operator is called '{case.op}' in the installed package; run: make generate")
        self.case, self.dtype, self.operator = case, dtype, operators()[case.op]
        rng = np.random.default_rng(case.seed)
        self.values, self.dtypes = [], []
        self.stypes = [given.stype if isinstance(given, Stored) else "default" for given in case.inputs]
        for given in case.inputs:
            value, own = draw(given, rng, dtype)
            kept = decode(encode(value, own))
            self.values.append(kept.astype(np.int64) if value.dtype.kind == "i" else kept.astype(np.float64))
            self.dtypes.append(own)

    def arrays(self, values: list[Array] | None = None) -> list[Any]:
        values = self.values if values is None else values
        return [encode(v, d).tostype(s) for v, d, s in zip(values, self.dtypes, self.stypes)]

    def call(self, inputs: list[Any], out: Any = None) -> list[Any]:
        _core.seed(7)
        before = _core.set_training(self.case.training)
        try:
            return self.operator(inputs, self.case.params, out)
        finally:
            _core.set_training(before)

    def grad_inputs(self) -> list[int]:
        case = self.case
        if case.grad is False or not self.operator.info["has"]["gradient"] or case.fails:
            return []
        if not isinstance(case.grad, (bool, type(None))):
            return list(case.grad)
        mutates = [] if self.operator.info["has"]["variadic"] else self.operator.mutates
        return [
            i
            for i, v in enumerate(self.values)
            if self.dtypes[i] in FLOATS and v.dtype.kind == "f" and i not in mutates
        ]

    def recorded(self, inputs: list[Any], which: list[int]) -> list[Any]:
        for i in which:
            inputs[i]._attach_grad(None, GRAD_WRITE)
        before = _core.set_recording(True)
        try:
            return self.call(inputs)
        finally:
            _core.set_recording(before)

    def heads(self, outputs: list[Any]) -> list[Array | None]:
        """Weights of the outputs in the number whose gradient is taken; None for integer outputs."""
        rng = np.random.default_rng(1)
        heads: list[Array | None] = []
        for out in outputs:
            head = rng.uniform(0.5, 1.5, out.shape)
            heads.append(head if NAMES[out._dtype_number] in FLOATS else None)
        return heads

    def gradients(self, which: list[int], values: list[Array] | None = None) -> list[Array]:
        inputs = self.arrays(values)
        outputs = self.recorded(inputs, which)
        pairs = [
            (o, encode(h, NAMES[o._dtype_number]))
            for o, h in zip(outputs, self.heads(outputs))
            if h is not None
        ]
        found = _core.grad(
            [o for o, _ in pairs], [inputs[i] for i in which], [h for _, h in pairs], False, False
        )
        for i, gradient in zip(which, found):
            assert gradient.shape == inputs[i].shape, f"gradient of input {i} has shape {gradient.shape}"
            assert gradient._dtype_number == inputs[i]._dtype_number, (
                f"gradient of input {i} has another dtype"
            )
        return [decode(g) for g in found]

    def number(self, values: list[Array]) -> float:
        outputs = self.call(self.arrays(values))
        heads = self.heads(outputs)
        return float(sum(np.sum(decode(o) * h) for o, h in zip(outputs, heads) if h is not None))

    def differences(self, i: int, places: Array, number: Any) -> Array:
        """Central differences of number(values) by elements of input i."""
        slopes = []
        for place in places:
            step = (1e-5 if self.dtype == "float64" else 1e-2) * max(1.0, abs(self.values[i].flat[place]))
            ends = []
            for sign in (1, -1):
                moved = [v.copy() for v in self.values]
                moved[i].flat[place] += sign * step
                ends.append(number(moved))
            slopes.append((ends[0] - ends[1]) / (2 * step))
        return np.array(slopes)


def picked(size: int) -> Array:
    if size <= MOST_ELEMENTS:
        return np.arange(size)
    return np.random.default_rng(2).choice(size, MOST_ELEMENTS, replace=False)


def close(got: Array, expected: Array, rtol: float, atol: float, what: str) -> None:
    assert got.shape == expected.shape, f"{what}: shape {got.shape}, expected {expected.shape}"
    np.testing.assert_allclose(got, expected, rtol=rtol, atol=atol, err_msg=what, equal_nan=True)


def compare(case: Case, got: Any, expected: Any, what: str) -> None:
    name = NAMES[got._dtype_number]
    values, wanted = decode(got), np.asarray(expected)
    if name in FLOATS:
        rtol, atol = TOLERANCE[name]
        rtol *= 1 if case.rtol is None else case.rtol / TOLERANCE["float32"][0]
        atol *= 1 if case.atol is None else case.atol / TOLERANCE["float32"][1]
        if name == "float16":  # overflows in the reference too
            with np.errstate(over="ignore"):
                wanted = wanted.astype(np.float16)
        close(values, wanted.astype(np.float64), rtol, atol, what)
        return
    with np.errstate(invalid="ignore"):
        whole = np.trunc(wanted).astype(np.int64) if wanted.dtype.kind == "f" else wanted.astype(np.int64)
    close(values, whole.astype(name).astype(np.int64), 0, 0, what)


def listed(result: Any) -> list[Any]:
    return list(result) if isinstance(result, (tuple, list)) else [result]


@by_case
def test_values(case: Case) -> None:
    for dtype in case.dtypes:
        run = Run(case, dtype)
        inputs = run.arrays()
        if case.fails:
            with pytest.raises(mx.MXNetError) as caught:
                for out in run.call(inputs):
                    decode(out)
            assert case.fails in str(caught.value)
            continue
        outputs = run.call(inputs)
        with np.errstate(all="ignore"):
            if case.check:
                case.check([decode(o) for o in outputs], run.values)
            if case.ref:
                expected = listed(case.ref(*run.values, **case.params))
                assert len(outputs) == len(expected), f"{len(outputs)} outputs"
                for i, (out, want) in enumerate(zip(outputs, expected)):
                    compare(case, out, want, f"{case.op} {dtype} output {i}")
            if case.states:
                changed = listed(case.states(*run.values, **case.params))
                places = run.operator.mutates
                assert len(places) == len(changed)
                for i, want in zip(places, changed):
                    compare(case, inputs[i], want, f"{case.op} {dtype} state {i}")
        assert case.check or case.ref or case.states, "the case says nothing about the values"


def test_states_are_compared() -> None:
    """Every operator that writes states has a row that says what they become."""
    said = {case.op for case in CASES if case.states or case.check}
    writes = {case.op for case in CASES if not case.fails and operators()[case.op].mutates}
    assert sorted(writes - said) == []


@by_case
def test_gradient(case: Case) -> None:
    run = Run(case, "float64" if "float64" in case.dtypes else case.dtypes[0])
    which = run.grad_inputs()
    if not which or run.dtype not in FLOATS:
        pytest.skip("the case gives no gradient")
    found = run.gradients(which)
    if case.grad_ref:
        outputs = run.call(run.arrays())
        heads = run.heads(outputs)
        expected = listed(case.grad_ref(heads[0] if len(heads) == 1 else heads, *run.values, **case.params))
        for i, got, want in zip(which, found, expected):
            close(got, np.asarray(want), case.grad_rtol, case.grad_atol, f"gradient of input {i}")
        return
    loose = 1 if run.dtype == "float64" else 300
    for i, got in zip(which, found):
        places = picked(run.values[i].size)
        expected = run.differences(i, places, run.number)
        close(
            got.flat[places],
            expected,
            case.grad_rtol * loose,
            case.grad_atol * loose,
            f"gradient of input {i}",
        )


def has_second_order(operator: Operator) -> bool:
    """Whether it says so, and there is more to it than zeros."""
    return bool(operator.info["has"]["second_order"] and not operator.info["has"]["zero_gradient"])


def shows_second_order(run: Run) -> bool:
    """Whether the gradient's derivative can be held against differences."""
    return bool(
        run.grad_inputs()
        and run.case.second
        and has_second_order(run.operator)
        and "float64" in run.case.dtypes
        and sum(v.size for v in run.values) <= MOST_FOR_SECOND_ORDER
    )


@by_case
def test_second_order(case: Case) -> None:
    run = Run(case, "float64")
    if not shows_second_order(run):
        pytest.skip("the case gives no gradient of second order, is too large, or not of float64")
    which = run.grad_inputs()
    rng = np.random.default_rng(3)
    weights = [rng.uniform(0.5, 1.5, run.values[i].shape) for i in which]

    def number(values: list[Array]) -> float:
        return float(sum(np.sum(g * w) for g, w in zip(run.gradients(which, values), weights)))

    inputs = run.arrays()
    before = _core.set_recording(True)
    try:
        for i in which:
            inputs[i]._attach_grad(None, GRAD_WRITE)
        outputs = run.call(inputs)
        pairs = [
            (o, encode(h, NAMES[o._dtype_number]))
            for o, h in zip(outputs, run.heads(outputs))
            if h is not None
        ]
        first = _core.grad(
            [o for o, _ in pairs], [inputs[i] for i in which], [h for _, h in pairs], True, True
        )
        again = [(g, encode(w, "float64")) for g, w in zip(first, weights) if g._recorded]
        second = [np.zeros(run.values[i].shape) for i in which]
        if again:  # on the tape again: all that the gradient is made of has gradients of second order, too
            found = _core.grad(
                [g for g, _ in again], [inputs[i] for i in which], [w for _, w in again], True, True
            )
            second = [decode(g) for g in found]
    finally:
        _core.set_recording(before)
    for i, got in zip(which, second):
        places = picked(run.values[i].size)[:6]
        expected = run.differences(i, places, number)
        close(
            got.flat[places],
            expected,
            max(case.grad_rtol, 1e-4),
            max(case.grad_atol, 1e-5),
            f"second order of {i}",
        )


def test_every_second_order_is_compared() -> None:
    """Operators that claim gradients of any order have a case that shows the second one."""
    shown = {
        run.operator.info["name"]
        for run in (Run(case, "float64") for case in CASES if not case.fails)
        if shows_second_order(run)
    }
    claims = {op.info["name"] for op in operators().values() if has_second_order(op)}
    excused = SECOND_ORDER_ELSEWHERE | NO_SECOND_ORDER
    assert sorted(claims - shown - excused) == []
    assert sorted(excused & shown | excused - claims) == []


@by_case
def test_in_place(case: Case) -> None:
    """Given arrays receive what a plain call returns; pointwise operators may write over an input."""
    run = Run(case, case.dtypes[0])
    if case.fails or run.operator.mutates:
        pytest.skip("the case fails, or changes its inputs")
    plain = run.call(run.arrays())
    expected = [decode(o) for o in plain]
    into = [encode(np.full(o.shape, 3), NAMES[o._dtype_number]) for o in plain]
    for got, want in zip(run.call(run.arrays(), into), expected):
        np.testing.assert_array_equal(decode(got), want)
    for got, want in zip(into, expected):
        np.testing.assert_array_equal(decode(got), want)
    inputs = run.arrays()
    if not inputs or not run.operator.info["has"]["pointwise"]:
        return
    if inputs[0].shape == plain[0].shape and inputs[0]._dtype_number == plain[0]._dtype_number:
        run.call(inputs, inputs[0])
        np.testing.assert_array_equal(decode(inputs[0]), expected[0])


def test_every_operator_has_cases() -> None:
    covered = {operators()[case.op].info["name"] for case in CASES if case.op in operators()}
    missing = sorted(set(_core.op_names()) - covered)
    assert not missing, f"operators without cases: {', '.join(missing)}; write tests/python/cases/NAME.py"
