"""Operators and methods of sparse arrays against MXNet 1.9.1's answers in tests/parity/sparse.npz."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse
from parity import sparse
from parity.store import load

import mixgrad as mx
from mixgrad import _core

ANSWERS = load(sparse.FILE)
CALLS: dict[str, list[sparse.Call]] = {}
for _call in sparse.CALLS:
    if _call.name in ANSWERS:
        CALLS.setdefault(_call.op, []).append(_call)


@pytest.mark.parametrize("op", sorted(CALLS))
def test_as_mxnet(op: str) -> None:
    wrong = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for call in CALLS[op]:
            found = sparse.compared(sparse.answers(mx, [call])[call.name], ANSWERS[call.name])
            if found and not sparse.reason(call):
                wrong.append(f"{call.name}: {found}")
    assert not wrong, "\n".join(wrong)


def test_every_difference_differs() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert [p for p in sparse.problems(mx) if p.startswith("no difference")] == []


def matrix(rng: np.random.Generator, shape: tuple[int, int], dtype: str) -> tuple[np.ndarray, mx.nd.NDArray]:
    dense = rng.integers(-4, 5, shape) * (rng.random(shape) < 0.4)
    if dtype == "uint8":
        dense = abs(dense)
    array = mx.nd.array(dense, dtype=dtype)
    return dense, array.tostype("csr")


@pytest.mark.parametrize(
    "dtype", ["float32", "float64", "float16", "bfloat16", "int32", "int64", "int8", "uint8"]
)
@pytest.mark.parametrize("width", [None, 1, 2, 3, 4, 7, 8, 15, 16, 17, 64, 65, 80, 200])
def test_dot_of_any_dtype_and_width(dtype: str, width: int | None) -> None:
    """Every loop of the products: whole blocks, halves and single columns; None is a vector."""
    rng = np.random.default_rng(7)
    low = 0 if dtype == "uint8" else -3
    dense, stored = matrix(rng, (9, 13), dtype)
    for transposed, inner in ((False, 13), (True, 9)):
        factor = rng.integers(low, 4, inner if width is None else (inner, width))
        made = mx.nd.dot(stored, mx.nd.array(factor, dtype=dtype), transpose_a=transposed)
        expected = (dense.T if transposed else dense) @ factor
        assert made.dtype == stored.dtype
        if dtype in ("int8", "uint8"):
            expected = expected.astype(dtype)
        np.testing.assert_array_equal(made.astype("float64").asnumpy(), expected)
    left = rng.integers(low, 4, 9 if width is None else (width, 9))
    made = mx.nd.dot(mx.nd.array(left, dtype=dtype), stored)
    expected = left @ dense
    if dtype in ("int8", "uint8"):
        expected = expected.astype(dtype)
    np.testing.assert_array_equal(made.astype("float64").asnumpy(), expected)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("width", [1, 8, 33])
def test_dot_of_large_matrices_on_any_number_of_threads(threads: int, width: int) -> None:
    rng = np.random.default_rng(3)
    rows, columns, per_row = 3000, 2000, 20
    indices = rng.integers(0, columns, rows * per_row)  # unsorted, some twice
    values = rng.integers(-3, 4, indices.size).astype("float32")
    starts = np.arange(0, indices.size + 1, per_row)
    stored = mx.nd.sparse.csr_matrix((values, indices, starts), shape=(rows, columns))
    dense = np.zeros((rows, columns), "float32")
    np.add.at(dense, (np.repeat(np.arange(rows), per_row), indices), values)
    b = rng.integers(-3, 4, (columns, width)).astype("float32")
    c = rng.integers(-3, 4, (rows, width)).astype("float32")
    before = os.environ.get("OMP_NUM_THREADS")
    mx.util.set_num_threads(threads) if hasattr(mx.util, "set_num_threads") else None
    np.testing.assert_array_equal(mx.nd.dot(stored, mx.nd.array(b)).asnumpy(), dense @ b)
    made = mx.nd.dot(stored, mx.nd.array(c), transpose_a=True)
    np.testing.assert_array_equal(made.asnumpy(), dense.T @ c)
    assert os.environ.get("OMP_NUM_THREADS") == before


def test_transposed_product_with_few_columns_used() -> None:
    """Of a wide matrix only the columns in use are rows of the result."""
    wide = mx.nd.sparse.csr_matrix(
        (np.float32([1, 2, 3]), np.array([10**9, 5, 10**9]), np.array([0, 1, 3])), shape=(2, 2 * 10**9)
    )
    made = mx.nd.dot(wide, mx.nd.array([[1, 10], [100, 1000]]), transpose_a=True)
    assert made.stype == "row_sparse" and made.shape == (2 * 10**9, 2)
    assert made.indices.asnumpy().tolist() == [5, 10**9]
    assert made.data.asnumpy().tolist() == [[200, 2000], [301, 3010]]


@pytest.mark.parametrize("stype", ["csr", "row_sparse"])
def test_unsorted_and_repeated_elements(stype: str) -> None:
    if stype == "csr":
        x = mx.nd.sparse.csr_matrix(
            (np.float32([1, 2, 4, 8]), np.array([2, 0, 1, 1]), np.array([0, 2, 4])), shape=(2, 3)
        )
        dense = np.float32([[2, 0, 1], [0, 12, 0]])
    else:
        x = mx.nd.sparse.row_sparse_array((np.float32([[1, 2], [4, 8]]), np.array([2, 0])), shape=(3, 2))
        dense = np.float32([[4, 8], [0, 0], [1, 2]])
    np.testing.assert_array_equal(x.asnumpy(), dense)
    np.testing.assert_array_equal((x + x).asnumpy(), dense * 2)
    np.testing.assert_array_equal((x * 3).asnumpy(), dense * 3)
    if stype == "csr":
        np.testing.assert_array_equal(x[0:1].asnumpy(), dense[:1])
        np.testing.assert_array_equal(x.sum(axis=0).asnumpy(), dense.sum(0))
        np.testing.assert_array_equal(mx.nd.concat(x, x, dim=0).asnumpy(), np.concatenate([dense, dense]))


def test_arrays_from_scipy_and_numpy_keep_dtypes_and_add_what_is_stored_twice() -> None:
    parts = np.array([1.0, 2, 4, 8]), np.array([2, 0, 1, 1]), np.array([0, 2, 4])
    for make in (mx.nd.array, mx.nd.sparse.array, mx.nd.sparse.csr_matrix):
        made = make(scipy.sparse.csr_matrix(parts, shape=(2, 3)))
        assert made.stype == "csr" and made.dtype == np.float64
        assert [made.data.asnumpy().tolist(), made.indices.asnumpy().tolist()] == [[2, 1, 12], [0, 2, 1]]
    for make in (mx.nd.sparse.csr_matrix, mx.nd.sparse.row_sparse_array):
        assert make(np.ones((2, 2), np.int8)).dtype == np.int8
        assert (
            make([[1, 2]]).dtype == np.float32 and make(np.ones((2, 2)), dtype="float16").dtype == np.float16
        )


@pytest.mark.parametrize("stype", ["csr", "row_sparse"])
def test_whole_quotients_stay_sparse(stype: str) -> None:
    dense = np.array([[0, 5.0, 0], [0, 0, 0], [-5.0, 0, 2.0]], np.float32)
    x = mx.nd.array(dense).tostype(stype)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        quotient = x // 2
    assert quotient.stype == stype
    np.testing.assert_array_equal(quotient.asnumpy(), dense // 2)


def test_quadratic_and_sparse_embedding() -> None:
    dense = np.float32([[0, 2, 0], [3, 0, 0]])
    x = mx.nd.array(dense).tostype("csr")
    for c, expected in ((0, "csr"), (1, "default")):
        made = mx.nd.contrib.quadratic(x, a=2, b=3, c=c)
        assert made.stype == expected
        np.testing.assert_array_equal(made.asnumpy(), 2 * dense**2 + 3 * dense + c)
    w = mx.nd.ones((5, 2))
    w.attach_grad(stype="row_sparse")
    with mx.autograd.record():
        rows = mx.nd.contrib.SparseEmbedding(
            mx.nd.array([1, 3]), w, input_dim=5, output_dim=2, deterministic=True
        )
    rows.backward()
    assert w.grad.indices.asnumpy().tolist() == [1, 3]


def test_rows_named_by_a_sparse_array() -> None:
    x = mx.nd.array([[1, 2], [3, 4], [5, 6]]).tostype("row_sparse")
    x.attach_grad()
    at = mx.nd.array([0, 2], dtype="int64").tostype("row_sparse")
    with mx.autograd.record():
        kept = mx.nd.sparse.retain(x, at)
    kept.backward()
    assert kept.asnumpy().tolist() == [[1, 2], [0, 0], [5, 6]]
    assert x.grad.asnumpy().tolist() == [[1, 1], [0, 0], [1, 1]]


def test_names_of_the_modules() -> None:
    names = Path(__file__).parents[2] / "parity" / "sparse_names.txt"
    for name in names.read_text(encoding="utf-8").split():
        assert callable(getattr(mx.nd.sparse, name)), name
        assert callable(getattr(mx.sym.sparse, name)), name
        assert callable(getattr(mx.nd._internal, f"_sparse_{name}")), name
        assert callable(getattr(mx.sym._internal, f"_sparse_{name}")), name
        assert _core.Op(f"_sparse_{name}").name, name
    assert not hasattr(mx.nd._internal, "_sparse_nothing") and not hasattr(
        mx.sym._internal, "_sparse_nothing"
    )


def test_graphs_of_files_with_second_names() -> None:
    """What mx.sym.sparse saves in MXNet has the operators' second names."""
    x = mx.sym.Variable("x", stype="csr")
    plain = mx.sym.dot(mx.sym.abs(x), mx.sym.Variable("w")).tojson()
    text = plain.replace('"dot"', '"_sparse_dot"').replace('"abs"', '"_sparse_abs"')
    assert text.count('"op": "_sparse_') == 2
    made = mx.sym.load_json(text).eval(x=mx.nd.array([[-2, 0], [0, 3]]).tostype("csr"), w=mx.nd.ones((2, 2)))
    assert made[0].asnumpy().tolist() == [[2, 2], [3, 3]]
