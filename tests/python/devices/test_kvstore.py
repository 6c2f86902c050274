"""Key-value stores: sums over devices, updaters, keys, refusals, files of states, threads."""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx

KINDS = ["local", "device"]
SHAPE = (4, 3)


def filled(value: float, device: int = 0, shape: tuple[int, ...] = SHAPE, dtype: str = "float32") -> Any:
    return mx.nd.full(shape, value, ctx=mx.cpu(device), dtype=dtype)


def pulled(kv: Any, key: Any, shape: tuple[int, ...] = SHAPE, dtype: str = "float32") -> Any:
    out = mx.nd.empty(shape, dtype=dtype)
    kv.pull(key, out=out)
    return out.asnumpy()


@pytest.fixture(params=KINDS)
def kv(request: pytest.FixtureRequest) -> Any:
    return mx.kv.create(request.param)


def test_type_rank_and_workers(kv: Any) -> None:
    assert (kv.rank, kv.num_workers) == (0, 1)
    assert kv.type in KINDS and repr(kv) == f"KVStore('{kv.type}')"
    assert mx.kv.create("LOCAL").type == "local" and mx.kv.create().type == "local"
    kv.barrier()
    kv._barrier()


@pytest.mark.parametrize("key", [3, "weight"])
def test_one_key(kv: Any, key: Any) -> None:
    value = filled(2)
    kv.init(key, value)
    value[:] = 9  # the store has a copy
    assert (pulled(kv, key) == 2).all()
    kv.push(key, filled(8))
    assert (pulled(kv, key) == 8).all()


def test_a_pushed_array_may_change_afterwards(kv: Any) -> None:
    kv.init("w", filled(0))
    gradient = filled(1)
    kv.push("w", gradient)
    gradient += 5
    assert (pulled(kv, "w") == 1).all()


def test_values_of_several_devices_are_summed_and_spread(kv: Any) -> None:
    kv.init("w", filled(0))
    kv.push("w", [filled(d + 1, d) for d in range(4)])
    outs = [filled(0, d) for d in range(4)]
    kv.pull("w", out=outs)
    for d, out in enumerate(outs):
        assert out.context == mx.cpu(d) and (out.asnumpy() == 10).all()


def test_lists_of_keys_and_devices(kv: Any) -> None:
    keys = [5, 7, 9]
    kv.init(keys, [filled(0)] * 3)
    kv.push(keys, [[filled(k, 0), filled(k, 1)] for k in keys], priority=-1)
    outs = [[filled(0, 0), filled(0, 1)] for _ in keys]
    kv.pull(keys, out=outs, priority=-1)
    assert [[o.asnumpy()[0, 0] for o in row] for row in outs] == [[2 * k] * 2 for k in keys]
    kv.push(tuple(keys), tuple(filled(1) for _ in keys))
    assert (pulled(kv, 9) == 1).all()


def test_a_key_named_twice_in_a_list_is_summed(kv: Any) -> None:
    kv.init("w", filled(0))
    kv.push(["w", "w"], [filled(1), filled(2, 1)])
    assert (pulled(kv, "w") == 3).all()


def test_pushpull_and_broadcast(kv: Any) -> None:
    outs = [filled(0, 0), filled(0, 1)]
    kv.broadcast("w", filled(3), out=outs)
    assert all((o.asnumpy() == 3).all() for o in outs)
    values = [filled(1, 0), filled(2, 1)]
    kv.pushpull("w", values, out=outs)
    assert all((o.asnumpy() == 3).all() for o in outs) and (values[0].asnumpy() == 1).all()
    kv.pushpull("w", values)
    assert all((v.asnumpy() == 3).all() for v in values)


@pytest.mark.parametrize("dtype", ["float16", "float64", "bfloat16", "int32", "int64", "uint8"])
def test_dtypes(kv: Any, dtype: str) -> None:
    kv.init("w", filled(0, dtype=dtype))
    kv.push("w", [filled(3, d, dtype=dtype) for d in range(3)])
    out = mx.nd.empty(SHAPE)  # pulling converts
    kv.pull("w", out=out)
    assert (out.asnumpy() == 9).all()


def test_half_floats_are_rounded_once(kv: Any) -> None:
    kv.init("w", filled(0, dtype="float16"))
    values = [2048.0, 1.0, 1.0]  # one by one the ones would be lost
    kv.push("w", [filled(v, d, dtype="float16") for d, v in enumerate(values)])
    assert (pulled(kv, "w", dtype="float16") == 2050).all()


def test_updater_gets_sum_key_and_stored_value(kv: Any) -> None:
    seen: list[Any] = []

    def update(key: Any, received: Any, stored: Any) -> None:
        seen.append((key, received.context == stored.context))
        stored += 2 * received

    kv.init(["a", "b"], [filled(1), filled(10)])
    kv.set_updater(update)
    kv.push(["b", "a"], [[filled(1, 0), filled(1, 1)]] * 2)
    assert seen == [("b", True), ("a", True)]
    assert (pulled(kv, "a") == 5).all() and (pulled(kv, "b") == 14).all()
    kv.set_updater(None)
    kv.push("a", filled(7))
    assert (pulled(kv, "a") == 7).all()


def test_int_keys_reach_the_updater_as_ints() -> None:
    kv = mx.kv.create()
    seen: list[Any] = []
    kv._set_updater(lambda key, received, stored: seen.append(key))
    kv.init(2**40, filled(0))
    kv.push(2**40, filled(0))
    kv.push(np.int64(2**40), filled(0))
    assert seen == [2**40] * 2


def test_an_updater_that_raises_is_heard(kv: Any) -> None:
    class Odd(Exception):
        pass

    def update(key: Any, received: Any, stored: Any) -> None:
        raise Odd(key)

    kv.init("w", filled(1))
    kv.set_updater(update)
    for _ in range(2):
        with pytest.raises(Odd, match="w"):
            kv.push("w", filled(1))
    assert (pulled(kv, "w") == 1).all()


def test_an_updater_may_use_the_store(kv: Any) -> None:
    def update(key: Any, received: Any, stored: Any) -> None:
        other = mx.nd.empty(SHAPE, ctx=stored.context)
        kv.pull("b", out=other)
        stored += received + other

    kv.init(["a", "b"], [filled(1), filled(10)])
    kv.set_updater(update)
    kv.push("a", filled(100))
    assert (pulled(kv, "a") == 111).all()


def test_optimizer_on_the_store_equals_one_device() -> None:
    rng = np.random.RandomState(0)
    start = rng.randn(*SHAPE).astype("float32")
    steps = rng.randn(5, 2, *SHAPE).astype("float32")
    weight = mx.nd.array(start)
    updater = mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=0.1, momentum=0.9, wd=0.01))
    for a, b in steps:
        updater("w", mx.nd.array(a) + mx.nd.array(b), weight)
    for kind in KINDS:
        kv = mx.kv.create(kind)
        kv.init("w", mx.nd.array(start))
        kv.set_optimizer(mx.optimizer.SGD(learning_rate=0.1, momentum=0.9, wd=0.01))
        for a, b in steps:
            kv.push("w", [mx.nd.array(a, ctx=mx.cpu(0)), mx.nd.array(b, ctx=mx.cpu(1))])
        np.testing.assert_array_equal(pulled(kv, "w"), weight.asnumpy())


def test_states_travel_through_files(tmp_path: Path) -> None:
    def trained(steps: int, kv: Any) -> Any:
        for _ in range(steps):
            kv.push("w", filled(1))
        return pulled(kv, "w")

    def fresh(value: Any) -> Any:
        kv = mx.kv.create()
        kv.init("w", mx.nd.array(value))
        kv.set_optimizer(mx.optimizer.Adam(learning_rate=0.1))
        return kv

    whole = trained(6, fresh(np.zeros(SHAPE)))
    first = fresh(np.zeros(SHAPE))
    half = trained(3, first)
    path = tmp_path / "states"
    first.save_optimizer_states(path, dump_optimizer=True)
    second = fresh(half)
    second.load_optimizer_states(path)
    np.testing.assert_array_equal(trained(3, second), whole)
    assert [p.name for p in tmp_path.iterdir()] == ["states"]


def test_files_of_states_that_cannot_be(tmp_path: Path) -> None:
    kv = mx.kv.create()
    with pytest.raises(ValueError, match="no optimiser"):
        kv.save_optimizer_states(tmp_path / "x")
    kv.set_optimizer(mx.optimizer.SGD())
    with pytest.raises(mx.MXNetError, match="cannot create"):
        kv.save_optimizer_states(tmp_path / "none" / "x")
    with pytest.raises(FileNotFoundError):
        kv.load_optimizer_states(tmp_path / "x")
    (tmp_path / "bad").write_bytes(b"not states")
    with pytest.raises(ValueError, match="not a states file"):
        kv.load_optimizer_states(tmp_path / "bad")


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda kv: kv.init("w", filled(0)), ValueError, "has a value already"),
        (lambda kv: kv.init(["x", "x"], [filled(0)] * 2), ValueError, "has a value already"),
        (lambda kv: kv.init(3, filled(0)), ValueError, "all whole numbers or all text"),
        (lambda kv: kv.push("x", filled(0)), KeyError, "call init first"),
        (lambda kv: kv.pull("x", out=filled(0)), KeyError, "call init first"),
        (lambda kv: kv.push("w", filled(0, shape=(2,))), ValueError, r"shape \(4, 3\); got .* \(2,\)"),
        (lambda kv: kv.pull("w", out=filled(0, shape=(2,))), ValueError, r"shape \(4, 3\)"),
        (
            lambda kv: kv.push("w", [filled(0), filled(0, dtype="float64")]),
            TypeError,
            "float32 and float64; expected one dtype",
        ),
        (lambda kv: kv.push("w", 3), TypeError, "expected NDArray"),
        (lambda kv: kv.push(2.5, filled(0)), TypeError, "expected int or str"),
        (lambda kv: kv.push(["w", "x"], [filled(0)]), ValueError, "2 keys and 1 values"),
        (lambda kv: kv.push("a\0b", filled(0)), ValueError, "zero byte"),
        (lambda kv: kv.pull("w"), ValueError, "out is None"),
        (lambda kv: kv.set_updater(3), TypeError, "expected a function"),
        (lambda kv: kv.set_optimizer("sgd"), TypeError, "expected an Optimizer"),
        (lambda kv: kv.row_sparse_pull("w"), ValueError, "out is None"),
        (lambda kv: kv.row_sparse_pull("w", out=filled(0)), ValueError, "row_ids is None"),
        (lambda kv: kv.is_capable("sparse"), ValueError, "unknown capability"),
    ],
)
def test_refusals_name_what_arrived_and_change_nothing(kv: Any, call: Any, error: Any, match: str) -> None:
    kv.init("w", filled(1))
    with pytest.raises(error, match=match):
        call(kv)
    assert (pulled(kv, "w") == 1).all()
    assert kv.is_capable("optimizer")


@pytest.mark.parametrize("name", ["dist_sync", "dist_async", "dist_device_sync"])
def test_stores_between_machines_say_what_is_missing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DMLC_ROLE", raising=False)
    with pytest.raises(ValueError, match="needs DMLC_ROLE in the environment"):
        mx.kv.create(name)
    with pytest.raises(NotImplementedError, match="expected that type"):
        mx.kv.create("p3")


def test_other_names() -> None:
    with pytest.raises(NotImplementedError, match="library"):
        mx.kv.create("nccl")
    with pytest.raises(ValueError, match="unknown type 'nonsense'"):
        mx.kv.create("nonsense")
    with pytest.raises(TypeError):
        mx.kv.create(3)  # type: ignore[arg-type]


def test_base_class_says_what_is_absent() -> None:
    with pytest.raises(NotImplementedError, match="does not offer broadcast"):
        mx.kv.KVStoreBase().broadcast("a", None, None)


def test_a_failed_gradient_is_heard_where_it_is_read(kv: Any) -> None:
    kv.init("w", filled(0, shape=(2,)))
    bad = mx.nd.softmax_cross_entropy(mx.nd.ones((1, 3)), mx.nd.array([7.0]))  # fails when it runs
    kv.push("w", mx.nd.broadcast_to(bad, shape=(2,)))
    with pytest.raises(mx.MXNetError):
        pulled(kv, "w", (2,))
    kv.push("w", filled(4, shape=(2,)))
    assert (pulled(kv, "w", (2,)) == 4).all()
    with contextlib.suppress(mx.MXNetError):
        mx.waitall()


def test_threads_push_and_pull_at_once(kv: Any) -> None:
    keys = [f"k{i}" for i in range(4)]
    kv.init(keys, [filled(0) for _ in keys])

    def update(key: Any, received: Any, stored: Any) -> None:
        stored += received

    kv.set_updater(update)

    def work() -> None:
        for _ in range(25):
            kv.push(keys, [[filled(1, 0), filled(1, 1)] for _ in keys])
            pulled(kv, keys[0])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((pulled(kv, key) == 200).all() for key in keys)


def test_results_do_not_depend_on_the_engine() -> None:
    def run() -> Any:
        rng = np.random.RandomState(1)
        kv = mx.kv.create("device")
        kv.init([0, 1], [mx.nd.zeros((50, 50))] * 2)
        kv.set_optimizer(mx.optimizer.SGD(learning_rate=0.3, momentum=0.5))
        weights = [[mx.nd.zeros((50, 50), ctx=mx.cpu(d)) for d in range(3)] for _ in range(2)]
        for _ in range(5):
            noise = rng.randn(2, 3, 50, 50).astype("float32")
            grads = [
                [w * 0.1 + mx.nd.array(noise[k, d], ctx=mx.cpu(d)) for d, w in enumerate(weights[k])]
                for k in range(2)
            ]
            for k in range(2):
                kv.push(k, grads[k], priority=-k)
                kv.pull(k, out=weights[k], priority=-k)
        return [w.asnumpy() for row in weights for w in row]

    threaded = run()
    with mx.engine.serial():
        serial = run()
    for a, b in zip(threaded, serial):
        np.testing.assert_array_equal(a, b)


def test_a_store_without_memory() -> None:
    kv = mx.kv.create("teststore")
    outs = [filled(0, 0), filled(0, 1)]
    kv.broadcast("w", filled(3), out=outs)
    assert [one.asnumpy().max() for one in outs] == [3, 3]
    kv.pushpull("w", [filled(1, 0), filled(2, 1)], out=outs)
    assert [one.asnumpy().max() for one in outs] == [3, 3]
    kv.pushpull("w", outs)
    assert [one.asnumpy().min() for one in outs] == [6, 6]
    assert not type(kv).is_capable("optimizer") and type(mx.kv.create("local")).is_capable("optimizer")
    assert (kv.type, kv.rank, kv.num_workers) == ("teststore", 0, 1)
    with pytest.raises(ValueError, match="unknown capability"):
        kv.is_capable("sparse")
