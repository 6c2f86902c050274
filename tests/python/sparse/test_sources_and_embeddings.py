"""What sparse arrays are made of, and embeddings of row_sparse tables."""

from __future__ import annotations

import numpy as np
import pytest

import mixgrad as mx


def test_names_for_symbols_are_those_for_arrays() -> None:
    assert {"abs", "broadcast_mul", "elemwise_add", "retain", "where", "zeros_like"} <= set(
        dir(mx.sym.sparse)
    )
    for name in dir(mx.sym.sparse):
        if not name.startswith("_"):
            assert callable(getattr(mx.sym.sparse, name))


@pytest.mark.parametrize("sparse_grad", [False, True])
def test_embeddings_of_rows_that_are_not_stored_are_zero(sparse_grad: bool) -> None:
    weight = mx.nd.sparse.row_sparse_array(([[1, 2], [3, 4]], [1, 4]), shape=(6, 2))
    weight.attach_grad(stype="row_sparse")
    with mx.autograd.record():
        out = mx.nd.Embedding(
            mx.nd.array([[4, 0], [5, 1]]), weight, input_dim=6, output_dim=2, sparse_grad=sparse_grad
        )
    assert out.asnumpy().tolist() == [[[3, 4], [0, 0]], [[0, 0], [1, 2]]]
    out.backward()
    assert weight.grad.stype == "row_sparse"
    assert weight.grad.asnumpy()[:, 0].tolist() == [1, 1, 0, 0, 1, 1]


def test_weights_that_begin_at_zero_train() -> None:
    data, weight = mx.sym.var("data"), mx.sym.var("weight", stype="row_sparse", init=mx.init.Zero())
    net = mx.sym.Embedding(data, weight, input_dim=6, output_dim=2, sparse_grad=True)
    model = mx.mod.Module(mx.sym.SoftmaxOutput(net, name="softmax"))
    words = np.arange(60) % 6
    it = mx.io.NDArrayIter(words, words % 2, 20)
    model.fit(it, num_epoch=5, optimizer_params={"learning_rate": 1.0})
    it.reset()
    assert model.score(it, "acc")[0][1] == 1


def test_dtypes_and_elements_of_sources() -> None:
    for dtype in (np.float64, np.float16, np.int32):
        dense = np.eye(3, dtype=dtype)
        for make in (mx.nd.sparse.csr_matrix, mx.nd.sparse.row_sparse_array):
            assert make(dense).dtype == dtype and make(dense.tolist()).dtype is np.float32
            assert make(mx.nd.array(dense, dtype=dtype)).dtype == dtype
            assert make(dense, dtype="float32").dtype == np.float32
    scipy = pytest.importorskip("scipy.sparse")
    matrix = scipy.csr_matrix(([1.0, 2, 3, 4], [2, 0, 2, 1], [0, 3, 4]), shape=(2, 3))
    for made in (mx.nd.sparse.array(matrix), mx.nd.array(matrix), mx.nd.sparse.csr_matrix(matrix)):
        assert made.dtype == np.float64
        assert made.data.asnumpy().tolist() == [2, 4, 4] and made.indices.asnumpy().tolist() == [0, 2, 1]
    assert matrix.nnz == 4  # as it was
