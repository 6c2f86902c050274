"""Stores with row_sparse values: sums, whole pulls, pulls of rows, updates, errors and threads."""

from __future__ import annotations

import threading
import warnings
from typing import Any, Callable

import numpy as np
import pytest

import mixgrad as mx

SHAPE = (6, 2)
sparse = mx.nd.sparse


@pytest.fixture(params=["local", "device"])
def kv(request: Any) -> Any:
    return mx.kv.create(request.param)


def rows_of(rows: list[int], value: float = 1, device: int = 0, dtype: str = "float32") -> Any:
    values = np.full((len(rows), SHAPE[1]), value, dtype)
    return sparse.row_sparse_array((values, rows), shape=SHAPE, ctx=mx.cpu(device), dtype=dtype)


def counted() -> Any:
    """Row i is (2i, 2i + 1)."""
    return mx.nd.array(np.arange(12).reshape(SHAPE))


def empty(dtype: str = "float32", device: int = 0) -> Any:
    return sparse.zeros("row_sparse", SHAPE, ctx=mx.cpu(device), dtype=dtype)


def parts(array: Any) -> tuple[list[int], list[list[float]]]:
    assert array.stype == "row_sparse"
    return array.indices.asnumpy().tolist(), array.data.asnumpy().tolist()


def first_column(array: Any) -> list[float]:
    return array.asnumpy()[:, 0].tolist()


def pulled(kv: Any, out: Any, key: str = "w") -> Any:
    kv.pull(key, out=out, ignore_sparse=False)
    return out


def test_values_are_copied_and_pulled_in_any_storage_type(kv: Any) -> None:
    first = rows_of([1, 4], 3)
    kv.init("w", first)
    first[:] = 0
    assert parts(pulled(kv, empty())) == ([1, 4], [[3, 3], [3, 3]])
    assert first_column(pulled(kv, mx.nd.ones(SHAPE))) == [0, 3, 0, 0, 3, 0]
    assert parts(pulled(kv, empty("float64")))[0] == [1, 4]
    kv.init("d", counted())
    assert parts(pulled(kv, empty(), "d"))[0] == [0, 1, 2, 3, 4, 5]


def test_pulls_leave_row_sparse_arrays_as_they_are_unless_told_otherwise(kv: Any) -> None:
    kv.init(["w", "d"], [rows_of([1], 3), counted()])
    out, dense = rows_of([5], 7), mx.nd.zeros(SHAPE)
    with pytest.warns(UserWarning, match=r"kvstore.pull\] .* row_sparse .* key 'w'.*row_sparse_pull"):
        kv.pull(["w", "d"], out=[out, dense])
    assert parts(out) == ([5], [[7, 7]])
    assert np.array_equal(dense.asnumpy(), counted().asnumpy())
    with pytest.warns(UserWarning, match="kvstore.pushpull"):
        kv.pushpull("w", rows_of([2], 4), out=out)
    assert parts(out) == ([5], [[7, 7]]) and parts(pulled(kv, empty())) == ([2], [[4, 4]])
    with pytest.warns(UserWarning, match="kvstore.broadcast"):
        kv.broadcast("x", rows_of([0], 2), out=out)
    assert parts(out) == ([5], [[7, 7]]) and parts(pulled(kv, empty(), "x")) == ([0], [[2, 2]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kv.pull("w", out=mx.nd.zeros(SHAPE))
        kv.pull("w", out=empty(), ignore_sparse=False)


@pytest.mark.parametrize("stored", ["default", "row_sparse"])
def test_pushes_replace_what_is_stored(kv: Any, stored: str) -> None:
    kv.init("w", mx.nd.ones(SHAPE).tostype(stored))
    for pushed, expected in (
        (rows_of([1], 5), [0, 5, 0, 0, 0, 0]),
        ([rows_of([1], 5), rows_of([1, 3])], [0, 6, 0, 1, 0, 0]),
        ([rows_of([4], 5), rows_of([3, 4], 1, 1), rows_of([], 1, 2)], [0, 0, 0, 1, 6, 0]),
        ([rows_of([]), rows_of([])], [0, 0, 0, 0, 0, 0]),
        ([rows_of([2]), mx.nd.ones(SHAPE) * 3], [3, 3, 4, 3, 3, 3]),
        ([mx.nd.ones(SHAPE) * 3, rows_of([2], 1, 1)], [3, 3, 4, 3, 3, 3]),
        (mx.nd.ones(SHAPE), [1, 1, 1, 1, 1, 1]),
    ):
        kv.push("w", pushed)
        assert first_column(pulled(kv, mx.nd.zeros(SHAPE))) == expected
        assert pulled(kv, empty()).stype == "row_sparse"


def test_rows_that_are_not_in_order_are_added_where_they_belong(kv: Any) -> None:
    kv.init("w", mx.nd.zeros(SHAPE))
    unordered = sparse.row_sparse_array((np.array([[3, 3], [1, 1]], "f"), [3, 1]), shape=SHAPE)
    kv.push("w", [unordered, rows_of([1, 2], 10)])
    assert first_column(pulled(kv, mx.nd.zeros(SHAPE))) == [0, 11, 10, 3, 0, 0]


@pytest.mark.parametrize("dtype", ["float64", "float16", "int32"])
def test_pushes_of_another_dtype_are_converted(kv: Any, dtype: str) -> None:
    kv.init(["w", "d"], [empty(), mx.nd.zeros(SHAPE)])
    kv.push("w", [rows_of([1], 5, 0, dtype), rows_of([1], 2, 1, dtype)])
    assert parts(pulled(kv, empty())) == ([1], [[7, 7]])
    kv.push("d", mx.nd.ones(SHAPE, dtype=dtype) * 7)
    assert first_column(pulled(kv, mx.nd.zeros(SHAPE), "d")) == [7] * 6
    kv.push("d", [mx.nd.ones(SHAPE, mx.cpu(i), dtype=dtype) for i in range(3)])
    assert first_column(pulled(kv, mx.nd.zeros(SHAPE), "d")) == [3] * 6
    kv.push("d", rows_of([2], 4, 0, dtype))
    assert first_column(pulled(kv, mx.nd.zeros(SHAPE), "d")) == [0, 0, 4, 0, 0, 0]
    received: list[str] = []
    kv.set_updater(lambda key, got, stored: received.append(np.dtype(got.dtype).name))
    kv.push("d", [mx.nd.ones(SHAPE, dtype=dtype)] * 2)
    kv.push("w", rows_of([1], 5, 0, dtype))
    assert received == [dtype, dtype]


@pytest.mark.parametrize("stored", ["default", "row_sparse"])
@pytest.mark.parametrize(
    "row_ids",
    [
        lambda: mx.nd.array([4, 1, 4, 1], dtype="int64"),
        lambda: mx.nd.array([1, 4], dtype="int32"),
        lambda: mx.nd.array([4, 1]),
        lambda: mx.nd.array([[4, 1], [1, 1]], dtype="float64"),
        lambda: [mx.nd.array([4, 1])],
    ],
)
def test_rows_are_pulled_once_and_in_order(kv: Any, stored: str, row_ids: Callable[[], Any]) -> None:
    kv.init("w", counted().tostype(stored))
    out = rows_of([0, 5], 9)
    kv.row_sparse_pull("w", out=out, row_ids=row_ids())
    assert parts(out) == ([1, 4], [[2, 3], [8, 9]])


def test_rows_that_are_not_stored_are_zeros(kv: Any) -> None:
    kv.init("w", rows_of([1, 2], 3))
    out = empty("float64", 1)
    kv.row_sparse_pull("w", out=out, row_ids=mx.nd.array([3, 1, 0]))
    assert parts(out) == ([0, 1, 3], [[0, 0], [3, 3], [0, 0]]) and out.context == mx.cpu(1)
    kv.row_sparse_pull("w", out=out, row_ids=mx.nd.array([], dtype="int64"))
    assert parts(out) == ([], [])
    kv.init("nothing", empty())
    kv.row_sparse_pull("nothing", out=out, row_ids=mx.nd.array([2]))
    assert parts(out) == ([2], [[0, 0]])


def test_rows_for_several_arrays_and_keys(kv: Any) -> None:
    kv.init(["a", "b"], [counted().tostype("row_sparse"), (counted() * 10).tostype("row_sparse")])
    outs = [empty(), empty(device=1)]
    kv.row_sparse_pull("a", out=outs, row_ids=[mx.nd.array([3]), mx.nd.array([1, 2])])
    assert [parts(out) for out in outs] == [([3], [[6, 7]]), ([1, 2], [[2, 3], [4, 5]])]
    kv.row_sparse_pull("a", out=outs, row_ids=mx.nd.array([5]))
    assert [parts(out) for out in outs] == [([5], [[10, 11]])] * 2
    kv.row_sparse_pull(["b", "a"], out=outs, row_ids=[mx.nd.array([1]), mx.nd.array([1])])
    assert [parts(out) for out in outs] == [([1], [[20, 30]]), ([1], [[2, 3]])]
    kv.row_sparse_pull(["a", "b"], out=[outs, [empty()]], row_ids=[[mx.nd.array([1])] * 2, mx.nd.array([1])])
    assert [parts(out) for out in outs] == [([1], [[2, 3]])] * 2


REFUSED: list[tuple[Callable[[Any], Any], type[Exception], str]] = [
    (lambda kv: kv.init("c", mx.nd.ones((2, 2)).tostype("csr")), mx.base.UnsupportedError, "'c': got .* csr"),
    (lambda kv: kv.push("w", mx.nd.ones(SHAPE).tostype("csr")), mx.base.UnsupportedError, "'w': got .* csr"),
    (lambda kv: pulled(kv, mx.nd.ones(SHAPE).tostype("csr")), mx.base.UnsupportedError, "csr"),
    (
        lambda kv: kv.push("w", [rows_of([1]), rows_of([1], dtype="float64")]),
        TypeError,
        "float32 and float64",
    ),
    (lambda kv: kv.push("w", sparse.zeros("row_sparse", (7, 2))), ValueError, r"\(6, 2\); got .* \(7, 2\)"),
    (lambda kv: kv.push("x", rows_of([1])), KeyError, "call init first"),
]
ROWS_REFUSED: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"row_ids": lambda: mx.nd.array([1, 6])}, IndexError, r"'w' has 6 rows; got row 6"),
    ({"row_ids": lambda: mx.nd.array([-1])}, IndexError, r"'w' has 6 rows; got row -1"),
    ({"row_ids": lambda: mx.nd.array([float("nan")])}, IndexError, r"'w' has 6 rows; got row"),
    ({"row_ids": lambda: None}, ValueError, "row_ids is None"),
    ({"row_ids": lambda: np.array([1])}, TypeError, "row_ids has ndarray"),
    ({"row_ids": lambda: [mx.nd.array([1])] * 2}, ValueError, "2 row_ids for 1 arrays"),
    ({"row_ids": lambda: rows_of([1])}, mx.base.UnsupportedError, "row_sparse"),
    ({"out": lambda: None}, ValueError, "out is None"),
    ({"out": lambda: mx.nd.zeros(SHAPE)}, mx.base.UnsupportedError, "a dense array; expected .* row_sparse"),
    ({"out": lambda: mx.nd.ones(SHAPE).tostype("csr")}, mx.base.UnsupportedError, "csr"),
    ({"out": lambda: sparse.zeros("row_sparse", (5, 2))}, ValueError, r"\(6, 2\); got .* \(5, 2\)"),
    ({"out": lambda: 3}, TypeError, "expected NDArray"),
]


@pytest.mark.parametrize(("call", "kind", "message"), REFUSED)
def test_what_a_store_cannot_hold_is_refused(
    kv: Any, call: Callable[[Any], Any], kind: type[Exception], message: str
) -> None:
    kv.init("w", rows_of([2], 3))
    with pytest.raises(kind, match=message):
        call(kv)
    assert parts(pulled(kv, empty())) == ([2], [[3, 3]])


@pytest.mark.parametrize(("given", "kind", "message"), ROWS_REFUSED)
def test_wrong_pulls_of_rows_change_nothing(
    kv: Any, given: dict[str, Any], kind: type[Exception], message: str
) -> None:
    kv.init("w", rows_of([2], 3))
    out = rows_of([5], 7)
    call = {"out": lambda: out, "row_ids": lambda: mx.nd.array([1])} | given
    with pytest.raises(kind, match=message):
        kv.row_sparse_pull("w", out=call["out"](), row_ids=call["row_ids"]())
    assert parts(out) == ([5], [[7, 7]]) and parts(pulled(kv, empty())) == ([2], [[3, 3]])


def test_updaters_get_the_sum_of_the_rows(kv: Any) -> None:
    seen: list[tuple[list[int], list[list[float]]]] = []

    def update(key: str, received: Any, stored: Any) -> None:
        seen.append(parts(received))
        stored += received

    kv.set_updater(update)
    kv.init("w", mx.nd.ones(SHAPE).tostype("row_sparse"))
    kv.push("w", [rows_of([1, 3]), rows_of([3], 4, 1)])
    kv.push("w", rows_of([]))
    assert seen == [([1, 3], [[1, 1], [5, 5]]), ([], [])]
    assert first_column(pulled(kv, mx.nd.zeros(SHAPE))) == [1, 2, 1, 6, 1, 1]


@pytest.mark.parametrize("stored", ["default", "row_sparse"])
@pytest.mark.parametrize("name", ["sgd", "adam", "adagrad", "ftrl", "rmsprop"])
@pytest.mark.filterwarnings("ignore:.*dense copies:UserWarning")
def test_optimizers_in_a_store_do_what_they_do_outside(kv: Any, name: str, stored: str) -> None:
    weight = mx.nd.ones(SHAPE).tostype(stored)
    kv.init(["w", "d"], [weight, mx.nd.ones(SHAPE)])
    kv.set_optimizer(mx.optimizer.create(name, learning_rate=0.1))
    updater = mx.optimizer.get_updater(mx.optimizer.create(name, learning_rate=0.1))
    for step in range(3):
        pieces = [rows_of([step, step + 2], 2), rows_of([step + 2], 1, 1)]
        kv.push(["w", "d"], [pieces, mx.nd.ones(SHAPE)])
        updater("w", mx.nd.add_n(pieces[0], pieces[1].as_in_context(mx.cpu(0))), weight)
    np.testing.assert_allclose(
        pulled(kv, mx.nd.zeros(SHAPE)).asnumpy(), weight.asnumpy(), rtol=1e-6, atol=1e-7
    )
    assert (pulled(kv, mx.nd.zeros(SHAPE), "d").asnumpy() != 1).all()


def test_states_of_row_sparse_weights_are_saved_and_loaded(kv: Any, tmp_path: Any) -> None:
    stores = [kv, mx.kv.create(kv.type)]
    for store in stores:
        store.init("w", mx.nd.ones(SHAPE).tostype("row_sparse"))
        store.set_optimizer(mx.optimizer.Adam(learning_rate=0.1))
    kv.push("w", rows_of([1, 2]))
    kv.save_optimizer_states(tmp_path / "states")
    stores[1].set_updater(None)
    stores[1].push("w", pulled(kv, empty()))
    stores[1].set_optimizer(mx.optimizer.Adam(learning_rate=0.1))
    stores[1].load_optimizer_states(tmp_path / "states")
    for store in stores:
        store.push("w", rows_of([2, 4]))
    assert np.array_equal(*(pulled(store, mx.nd.zeros(SHAPE)).asnumpy() for store in stores))


def test_extents_of_zero(kv: Any) -> None:
    for key, shape in (("a", (0, 3)), ("b", (3, 0))):
        kv.init(key, sparse.zeros("row_sparse", shape))
        kv.push(key, [sparse.zeros("row_sparse", shape), sparse.zeros("row_sparse", shape)])
        out = sparse.zeros("row_sparse", shape)
        kv.row_sparse_pull(key, out=out, row_ids=mx.nd.array([], dtype="int64"))
        assert out.shape == shape and pulled(kv, mx.nd.zeros(shape), key).shape == shape
    with pytest.raises(IndexError):
        kv.row_sparse_pull("a", out=sparse.zeros("row_sparse", (0, 3)), row_ids=mx.nd.array([0]))


def test_recording_is_not_disturbed(kv: Any) -> None:
    kv.init("w", mx.nd.ones(SHAPE).tostype("row_sparse"))
    out = empty()
    with mx.autograd.record():
        kv.push("w", [rows_of([1]), rows_of([2])])
        kv.row_sparse_pull("w", out=out, row_ids=mx.nd.array([1, 2]))
        assert mx.autograd.is_recording()
    assert parts(out)[0] == [1, 2]


def test_threads_push_and_pull_at_once(kv: Any) -> None:
    rows, threads, times = 50, 6, 40
    shape = (rows, 3)
    kv.init("w", sparse.zeros("row_sparse", shape))

    def add(key: str, received: Any, stored: Any) -> None:
        stored += received

    kv.set_updater(add)
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            out = sparse.zeros("row_sparse", shape)
            for i in range(times):
                at = sorted({(number * 7 + i) % rows, (number + i * 3) % rows})
                values = np.ones((len(at), 3), "f")
                kv.push("w", sparse.row_sparse_array((values, at), shape=shape))
                kv.row_sparse_pull("w", out=out, row_ids=mx.nd.array(at))
                assert out.indices.asnumpy().tolist() == at and (out.data.asnumpy() >= 1).all()
                kv.pull("w", out=mx.nd.zeros(shape))
        except BaseException as error:
            failures.append(error)

    running = [threading.Thread(target=work, args=(n,)) for n in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    assert not failures
    expected = np.zeros(rows)
    for number in range(threads):
        for i in range(times):
            expected[list({(number * 7 + i) % rows, (number + i * 3) % rows})] += 1
    assert np.array_equal(pulled(kv, mx.nd.zeros(shape)).asnumpy()[:, 0], expected)
