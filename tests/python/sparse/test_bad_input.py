"""Sparse arrays whose indices do not fit, of odd extents, in threads, recorded: a result or an error."""

from __future__ import annotations

import copy
import pickle
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import autograd, nd

X = np.float32([[0, 1, 0], [2, 0, 3], [0, 0, 0], [4, 0, 0]])
LEAST, MOST = -(2**63), 2**63 - 1
pytestmark = pytest.mark.filterwarnings("ignore:.*is not written for inputs of storage types")


def csr(columns: Any, starts: Any) -> mx.nd.NDArray:
    parts = np.float32([1, 2, 3]), np.array(columns), np.array(starts)
    return nd.sparse.csr_matrix(parts, shape=(4, 3))


def rows(numbers: Any) -> mx.nd.NDArray:
    values = np.arange(1, 3 * len(numbers) + 1).reshape(-1, 3)
    return nd.sparse.row_sparse_array((np.float32(values), np.array(numbers)), shape=(4, 3))


def stored(stype: str, dense: Any = X, **how: Any) -> mx.nd.NDArray:
    return nd.array(dense, **how).tostype(stype)


BAD: dict[str, Callable[[], mx.nd.NDArray]] = {
    "starts fall": lambda: csr([0, 1, 2], [0, 2, 1, 3, 3]),
    "a start below 0": lambda: csr([0, 1, 2], [0, -5, 1, 3, 3]),
    "a start beyond the elements": lambda: csr([0, 1, 2], [0, 1, 99, 3, 3]),
    "the last start too small": lambda: csr([0, 1, 2], [0, 1, 2, 2, 2]),
    "the first start not 0": lambda: csr([0, 1, 2], [1, 1, 2, 3, 3]),
    "the least and the most": lambda: csr([0, 1, 2], [0, LEAST, MOST, 3, 3]),
    "a column too large": lambda: csr([0, 1, 3], [0, 1, 2, 3, 3]),
    "a column below 0": lambda: csr([0, -1, 2], [0, 1, 2, 3, 3]),
    "the least column": lambda: csr([0, LEAST, 2], [0, 1, 2, 3, 3]),
    "the largest column": lambda: csr([0, MOST, 2], [0, 1, 2, 3, 3]),
    "a row too large": lambda: rows([4]),
    "a row below 0": lambda: rows([-1]),
    "the largest row": lambda: rows([MOST, 1]),
}
ONES = np.ones((4, 3), np.float32)
CALLS: dict[str, Callable[[Any], Any]] = {
    "asnumpy": lambda x: x,
    "check_format": mx.nd.sparse.BaseSparseNDArray.check_format,
    "tostype": lambda x: x.tostype("csr" if x.stype == "row_sparse" else "row_sparse"),
    "x + x": lambda x: x + x,
    "x + dense": lambda x: x + nd.array(ONES),
    "x * dense": lambda x: x * nd.array(ONES),
    "abs": nd.abs,
    "add_n": lambda x: nd.add_n(x, x, x),
    "sum": lambda x: nd.sum(x, axis=1),
    "mean": lambda x: nd.mean(x, axis=0),
    "square_sum": lambda x: nd._internal._square_sum(x, axis=1, keepdims=True),
    "dot": lambda x: nd.dot(x, nd.ones((3, 2))),
    "dot transposed": lambda x: nd.dot(x, nd.ones((4, 2)), transpose_a=True),
    "dot transposed to dense": lambda x: nd.dot(
        x, nd.ones((4, 20)), transpose_a=True, forward_stype="default"
    ),
    "dot of a vector": lambda x: nd.dot(x, nd.ones(3)),
    "dot from the left": lambda x: nd.dot(nd.ones((2, 4)), x),
    "dot from the left, transposed": lambda x: nd.dot(nd.ones((2, 3)), x, transpose_b=True),
    "dot with rows": lambda x: nd.dot(x, stored("row_sparse", ONES[:3])),
    "dot transposed with rows": lambda x: nd.dot(x, stored("row_sparse"), transpose_a=True),
    "take": lambda x: nd.take(x, nd.array([0, 3, 1])),
    "concat": lambda x: nd.concat(x, x, dim=0),
    "where": lambda x: nd.where(x, nd.array(ONES), nd.array(ONES)),
    "clip": lambda x: nd.clip(x, -1, 1),
    "broadcast_mul": lambda x: nd.broadcast_mul(x, nd.ones((1, 3))),
    "sgd_mom_update": lambda x: nd.sgd_mom_update(nd.array(ONES), x, nd.zeros((4, 3)), lr=1, momentum=0.9),
    "copy": copy.deepcopy,
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    "out": lambda x: nd.abs(x, out=nd.zeros((4, 3))),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("bad", BAD)
def test_indices_that_do_not_fit(bad: str, call: str) -> None:
    x = BAD[bad]()
    with pytest.raises(IndexError):
        made = CALLS[call](x)
        if made is not None:
            made.asnumpy()


def test_rows_stored_twice_are_refused_by_the_check_and_add_up() -> None:
    for numbers in ([1, 1], [3, 1]):
        x = rows(numbers)
        with pytest.raises(IndexError, match="follows"):
            x.check_format()
        dense = np.zeros((4, 3), np.float32)
        np.add.at(dense, numbers, np.float32([[1, 2, 3], [4, 5, 6]]))
        for made in (x, x * 1, x.copy(), nd.dot(x, nd.array(np.eye(3)))):
            np.testing.assert_array_equal(made.asnumpy(), dense)


@pytest.mark.parametrize("width", [1, 20, 90])
def test_a_failure_reaches_who_reads(width: int) -> None:
    bad = BAD["a column too large"]()
    for transposed in (False, True):
        factor = nd.ones((4 if transposed else 3, width))
        made = nd.dot(bad, factor, transpose_a=transposed, forward_stype="default")
        for read in ((made * 2).asnumpy, made.wait_to_read, made.asnumpy):
            with pytest.raises(IndexError, match=r"element 2 of a csr matrix lies in column 3 of 3"):
                read()


@pytest.mark.parametrize("stype", ["csr", "row_sparse"])
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_extents_of_0(stype: str, shape: tuple[int, int]) -> None:
    x = nd.sparse.zeros(stype, shape)
    dense = np.zeros(shape, np.float32)
    for made, expected in (
        (x, dense),
        (x + x, dense),
        (nd.abs(x), dense),
        (x * 2, dense),
        (x.copy(), dense),
        (pickle.loads(pickle.dumps(x)), dense),
        (x.astype("float64"), dense),
        (nd.add_n(x, x), dense),
        (nd.sum(x, axis=0), dense.sum(0)),
        (nd.sum(x, axis=1), dense.sum(1)),
        (nd.dot(x, nd.ones((shape[1], 2))), np.zeros((shape[0], 2))),
        (nd.dot(x, nd.ones((shape[0], 2)), transpose_a=True), np.zeros((shape[1], 2))),
        (nd.dot(x, nd.ones((shape[1], 0))), np.zeros((shape[0], 0))),
        (nd.concat(x, x, dim=0), np.concatenate([dense, dense])),
        (x.tostype("csr" if stype == "row_sparse" else "row_sparse"), dense),
    ):
        assert made.shape == expected.shape
        np.testing.assert_array_equal(made.asnumpy(), expected)
    x.check_format()


def test_extents_that_memory_cannot_hold() -> None:
    for stype, shape in (
        ("csr", (2**62, 3)),
        ("csr", (MOST, 0)),
        ("row_sparse", (MOST,)),
        ("csr", (2**31, 2**32)),
    ):
        for dtype in ("float32", "uint8"):
            with pytest.raises(mx.base.ShapeError, match="asks for more bytes"):
                nd.sparse.zeros(stype, shape, dtype=dtype)
    tall = nd.sparse.row_sparse_array((np.float32([[1, 2]]), np.array([2**40])), shape=(2**41, 2))
    assert (tall + tall * 2).data.asnumpy().tolist() == [[3, 6]]
    assert nd.sparse.retain(tall, nd.array([2**40], dtype="int64")).indices.asnumpy().tolist() == [2**40]
    assert nd.norm(tall).asscalar() == pytest.approx(5**0.5)
    with pytest.raises(mx.base.MXNetError, match="no room"):
        tall.tostype("default").wait_to_read()


def test_parts_are_copies() -> None:
    for stype in ("csr", "row_sparse"):
        x = stored(stype)
        kept = x.copy()
        x.data[:] = 9
        x.indices[:] = 2**40
        if stype == "csr":
            x.indptr[:] = -1
        x.check_format()
        np.testing.assert_array_equal(x.asnumpy(), X)
        values, numbers = nd.ones((2, 3)), nd.array([0, 1], dtype="int64")
        given = nd.sparse.row_sparse_array((values, numbers), shape=(4, 3))
        nd.sgd_update(given, given, lr=1, out=given)
        values[:] = 5
        numbers[:] = 77
        assert not given.asnumpy().any()
        np.testing.assert_array_equal(kept.asnumpy(), X)


@pytest.mark.parametrize("stype", ["csr", "row_sparse"])
def test_outputs_that_do_not_fit(stype: str) -> None:
    x = stored(stype)
    for out in ("default", "csr", "row_sparse"):
        with pytest.raises(mx.base.ShapeError, match=r"\[abs\].*\(3, 3\).*\(4, 3\)"):
            nd.abs(x, out=stored(out, np.ones((3, 3))))
        with pytest.raises(mx.base.DTypeError, match=r"\[abs\].*float64.*float32"):
            nd.abs(x, out=stored(out, np.ones((4, 3)), dtype="float64"))
        for device in (mx.cpu(0), mx.cpu(1)):  # which share the host's memory
            into = stored(out, ONES, ctx=device)
            nd.abs(x, out=into)
            assert into.stype == out and into.context == device
            np.testing.assert_array_equal(into.asnumpy(), X)
    for call in (lambda y: x + y, lambda y: x * y, lambda y: nd.add_n(x, y)):
        with pytest.raises(mx.base.DTypeError):
            call(stored(stype, dtype="float64"))
    with pytest.raises(mx.base.DTypeError):
        nd.dot(x, nd.ones((3, 2), dtype="float64")).asnumpy()


@pytest.mark.parametrize("stype", ["csr", "row_sparse"])
def test_written_in_place_while_gradients_are_recorded(stype: str) -> None:
    x = stored(stype)
    x.attach_grad()

    def variable_times_2() -> None:
        nonlocal x
        x *= 2

    for write in (
        lambda: x.__setitem__(slice(None), stored(stype)),
        lambda: stored(stype).copyto(x),
        lambda: nd.abs(x, out=x),
        variable_times_2,
    ):
        with (
            autograd.record(),
            pytest.raises(mx.base.MXNetError, match="variable whose gradient is being recorded"),
        ):
            write()
    with autograd.record():  # what is overwritten leads to x no longer
        y = nd.square(x)
        y[:] = stored(stype)
    with pytest.raises(mx.base.MXNetError, match="not computed from variables"):
        y.backward()
    for convert in (lambda a: a, lambda a: a.tostype("default")):
        with autograd.record():
            y = stored(stype, ONES)
            y[:] = convert(nd.square(x))
            z = y * 3
        z.backward()
        np.testing.assert_array_equal(x.grad.asnumpy(), 6 * X)
    with autograd.record():
        y = nd.square(x)
        y *= 3
    y.backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), 6 * X)
    with autograd.record():
        y = nd.square(x)
        z = nd.square(y)
    y[:] = stored(stype, ONES)  # the pass goes by what y was
    x[:] = stored(stype, ONES)
    z.backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), 4 * X**3)


@pytest.mark.parametrize("stype", ["csr", "row_sparse"])
def test_other_threads_write_what_is_read(stype: str) -> None:
    """Every reader sees one of the values that were written, never a mixture."""
    rng = np.random.default_rng(3)
    pool = [stored(stype, rng.random((60, 20)) * (rng.random((60, 1)) < 0.5) * 4**i) for i in range(6)]
    sums = np.array([array.asnumpy().sum() for array in pool])
    x, found, end = pool[0].copy(), [], time.monotonic() + 1.0

    def write() -> None:
        i = 0
        while time.monotonic() < end:
            i += 1
            x[:] = pool[i % len(pool)]

    def read(total: Callable[[], Any]) -> Callable[[], None]:
        def run() -> None:
            while time.monotonic() < end and not found:
                try:
                    seen = float(total())
                    if abs(sums - seen).min() > 1e-3 * abs(seen):
                        found.append(f"{seen} is none of {sums}")
                except Exception as error:
                    found.append(repr(error))

        return run

    ones = nd.ones((20, 2))
    threads = [threading.Thread(target=write)] + [
        threading.Thread(target=read(total))
        for total in (
            lambda: x.asnumpy().sum(),
            lambda: (x + x).asnumpy().sum() / 2,
            lambda: nd.dot(x, ones).asnumpy().sum() / 2,
            lambda: pickle.loads(pickle.dumps(x)).asnumpy().sum(),
            lambda: nd.dot(x, nd.ones((60, 2)), transpose_a=True).asnumpy().sum() / 2,
        )
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not found


@pytest.mark.parametrize("density", [0.001, 0.02, 0.5])
@pytest.mark.parametrize("width", [1, 5, 16, 40, 64, 100])
def test_transposed_products_by_every_way(density: float, width: int) -> None:
    """In place, by strips of columns and by blocks of rows; the number of threads changes nothing."""
    rng = np.random.default_rng(width)
    dense = rng.standard_normal((700, 300)) * (rng.random((700, 300)) < density)
    factor = rng.standard_normal((700, width)).astype(np.float32)
    x = nd.array(dense).tostype("csr")
    dense = dense.astype(np.float32).astype(np.float64)
    made, before = [], mx.engine.num_threads()
    try:
        for threads in (1, 2, 7):
            mx.engine.set_num_threads(threads)
            for result in ("default", "row_sparse"):
                made.append(nd.dot(x, nd.array(factor), transpose_a=True, forward_stype=result))
                assert made[-1].stype == result
                if result == "row_sparse":
                    used = np.flatnonzero(dense.any(axis=0))
                    np.testing.assert_array_equal(made[-1].indices.asnumpy(), used)
            mx.nd.waitall()
    finally:
        mx.engine.set_num_threads(before)
    np.testing.assert_allclose(made[0].asnumpy(), dense.T @ factor, rtol=1e-4, atol=1e-4)
    for other in made[1:]:
        np.testing.assert_array_equal(other.asnumpy(), made[0].asnumpy())
