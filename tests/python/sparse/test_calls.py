"""Sparse arrays made of other things, and operators on them, as in scripts for MXNet."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mixgrad import autograd, nd

ROWS = np.array([[0, 0], [1, 2], [0, 0], [3, 4], [0, 0]], "float32")


def test_scipys_elements_that_meet_are_summed() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.csr_matrix(([1, 2, 3, 4, 5], [2, 0, 2, 1, 1], [0, 3, 3, 5]), shape=(3, 3))
    for made in (nd.array(matrix), nd.sparse.array(matrix), nd.sparse.csr_matrix(matrix, dtype="float64")):
        assert made.stype == "csr"
        assert made.data.asnumpy().tolist() == [2, 4, 9]
        assert made.indices.asnumpy().tolist() == [0, 2, 1]
        assert made.indptr.asnumpy().tolist() == [0, 2, 2, 3]
    assert matrix.nnz == 5  # as it was


@pytest.mark.parametrize("dtype", ["float64", "float16", "int32", "uint8"])
@pytest.mark.parametrize("make", [nd.sparse.csr_matrix, nd.sparse.row_sparse_array])
def test_dtype_of_what_a_sparse_array_is_made_of(make: Any, dtype: str) -> None:
    assert make(np.ones((2, 3), dtype)).dtype == np.dtype(dtype)
    assert make(nd.ones((2, 3), dtype=dtype)).dtype == np.dtype(dtype)
    assert make(np.ones((2, 3), dtype).tolist()).dtype == np.float32
    assert make(np.ones((2, 3), dtype), dtype="float32").dtype == np.float32


@pytest.mark.parametrize(
    ("op", "options"),
    [
        (nd.sparse.Embedding, {"sparse_grad": True}),
        (nd.contrib.SparseEmbedding, {}),
        (nd.contrib.SparseEmbedding, {"deterministic": True}),
    ],
)
def test_rows_of_a_table_that_are_not_stored_are_zero(op: Any, options: dict[str, Any]) -> None:
    weight, numbers = nd.array(ROWS).tostype("row_sparse"), nd.array([[3, 0], [1, 3]])
    weight.attach_grad()
    with autograd.record():
        out = op(numbers, weight, input_dim=5, output_dim=2, **options)
    out.backward()
    assert out.asnumpy().tolist() == ROWS[[[3, 0], [1, 3]]].tolist()
    assert weight.grad.stype == "row_sparse"
    assert weight.grad.asnumpy()[:, 0].tolist() == [1, 1, 0, 2, 0]
    nothing = nd.sparse.zeros("row_sparse", (5, 2))
    assert not op(numbers, nothing, input_dim=5, output_dim=2, **options).asnumpy().any()
    for outside in (5, -1):
        with pytest.raises(IndexError, match=f"row {outside} of a row_sparse weight of 5 rows"):
            op(nd.array([0, outside]), weight, input_dim=5, output_dim=2, **options)


def test_quadratic_of_csr_is_csr_without_a_constant() -> None:
    matrix = nd.array(ROWS).tostype("csr")
    for c, stype in ((0.0, "csr"), (1.5, "default")):
        matrix.attach_grad()
        with autograd.record():
            out = nd.contrib.quadratic(matrix, a=2.0, b=3.0, c=c)
        out.backward()
        assert out.stype == stype
        np.testing.assert_allclose(out.asnumpy(), 2 * ROWS**2 + 3 * ROWS + c)
        np.testing.assert_allclose(matrix.grad.asnumpy(), 4 * ROWS + 3)


@pytest.mark.parametrize(
    ("columns", "starts", "text"),
    [
        ([0, 5, 1], [0, 1, 3], "column 5"),
        ([0, 1, 2], [0, 3, 1], "row"),
        ([0, 2, 1], [0, 1, 3], "column 1 follows 2 in row 1; expected growing"),
        ([1, 1, 0], [0, 2, 3], "column 1 follows 1 in row 0"),
    ],
)
def test_format_of_csr(columns: list[int], starts: list[int], text: str) -> None:
    matrix = nd.sparse.csr_matrix(([1, 2, 3], columns, starts), shape=(2, 3))
    matrix.check_format(full_check=False)
    with pytest.raises(IndexError, match=text):
        matrix.check_format()
    for fine in (([1, 2, 3], [1, 0, 2], [0, 1, 3]), ([1, 2, 3], [0, 1, 2], [0, 0, 3])):
        nd.sparse.csr_matrix(fine, shape=(2, 3)).check_format()
    nd.sparse.zeros("csr", (2, 3)).check_format()
