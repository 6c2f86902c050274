"""Optimiser states as bytes: round trips, MXNet's own files, and bytes made to do harm."""

from __future__ import annotations

import contextlib
import os
import pickle
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mixgrad as mx
from mixgrad.optimizer import state_file
from mixgrad.optimizer.updater import joined_states

opt = mx.optimizer
DATA = Path(__file__).resolve().parents[2] / "data" / "optimizer_states"


def trained(optimizer: Any, steps: int = 3, dtype: str = "float32") -> tuple[Any, list[Any]]:
    updater = opt.get_updater(optimizer)
    rng = np.random.default_rng(0)
    weights = [mx.nd.array(rng.normal(size=s), dtype=dtype) for s in ((2, 3), (4, 1))]
    train(updater, weights, steps, 1)
    return updater, weights


def train(updater: Any, weights: list[Any], steps: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        for index, weight in zip((0, "b"), weights):
            updater(index, mx.nd.array(rng.normal(size=weight.shape), dtype=weight.dtype), weight)


@pytest.mark.parametrize("dump_optimizer", [False, True])
@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("name", sorted(set(opt.Optimizer.opt_registry) - {"sgld", "test"}))
def test_training_goes_on_as_if_never_stopped(name: str, mixed: bool, dump_optimizer: bool) -> None:
    options: dict[str, Any] = {"multi_precision": mixed}
    if name in ("sgd", "nag", "lars", "dcasgd"):
        options["momentum"] = 0.9
    fresh = opt.create(name, **options)
    if dump_optimizer:
        options["lr_scheduler"] = mx.lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.1)
    updater, weights = trained(opt.create(name, **options), dtype="float16" if mixed else "float32")
    copies = [w.copy() for w in weights]
    saved = updater.get_states(dump_optimizer=dump_optimizer)
    again = opt.get_updater(fresh)
    again.set_states(saved)
    if dump_optimizer:
        assert again.optimizer.num_update == 3
    else:
        again.optimizer = updater.optimizer
        counts = dict(updater.optimizer._index_update_count)
    train(updater, weights, 2, 2)
    if not dump_optimizer:
        updater.optimizer._index_update_count.update(counts)
        if name in ("nadam", "lbsgd"):
            return  # parts of these live in the optimiser
    train(again, copies, 2, 2)
    for weight, copy in zip(weights, copies):
        np.testing.assert_array_equal(weight.asnumpy(), copy.asnumpy())


def test_optimizer_fields_come_back() -> None:
    schedule = mx.lr_scheduler.MultiFactorScheduler([2, 5], 0.5, base_lr=0.3)
    adam = opt.Adam(beta1=0.8, lr_scheduler=schedule, learning_rate=0.3, param_idx2name={0: "x_bias"}, wd=0.5)
    updater, _ = trained(adam, steps=4)
    other = opt.get_updater(opt.SGD())
    other.set_states(updater.get_states(dump_optimizer=True))
    back = other.optimizer
    assert isinstance(back, opt.Adam)
    left = {k: v for k, v in vars(back).items() if k != "lr_scheduler"}
    assert left == {k: v for k, v in vars(adam).items() if k != "lr_scheduler"}
    assert vars(back.lr_scheduler) == vars(schedule)
    assert back._index_update_count is back._all_index_update_counts[0]
    assert other.aggregate_updates is False


TREES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.integers() | st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=10,
)


@settings(max_examples=60, deadline=None)
@given(TREES)
def test_any_tree_comes_back(tree: Any) -> None:
    assert repr(state_file.load(state_file.dump(tree))) == repr(tree)


@pytest.mark.parametrize(
    "dtype", ["float16", "float32", "float64", "int8", "uint8", "int32", "int64", "bool"]
)
@pytest.mark.parametrize("shape", [(1,), (2, 3), (3, 1, 2)])
def test_arrays_come_back(dtype: str, shape: tuple[int, ...]) -> None:
    values = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    first, second = state_file.load(state_file.dump((mx.nd.array(values, dtype=dtype), values)))
    assert first.dtype == np.dtype(dtype)
    assert isinstance(second, np.ndarray)
    for back in (first.asnumpy(), second):
        np.testing.assert_array_equal(back, values)
        assert back.shape == shape


def test_equal_states_give_equal_bytes() -> None:
    assert trained(opt.Adam())[0].get_states(True) == trained(opt.Adam())[0].get_states(True)


def test_what_cannot_be_saved_is_named() -> None:
    updater = opt.get_updater(opt.SGD())
    updater.states[0] = object()
    with pytest.raises(TypeError, match="cannot save a object"):
        updater.get_states()


# Bytes that are not states. Whatever happens, the updater keeps what it had.


def refused(data: Any) -> str:
    updater, _ = trained(opt.SGD(momentum=0.9))
    before = dict(updater.states)
    with pytest.raises(ValueError) as caught:
        updater.set_states(data)
    assert updater.states == before
    return str(caught.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a states file: 0 bytes"),
        (b"hello world, hello world", "begin b'hello wo'"),
        ("text", "expected bytes, got str"),
        (struct.pack("<8sIQ", b"MGSTATES", 9, 0), "version 9 is not known"),
        (struct.pack("<8sIQ", b"MGSTATES", 1, 2**60), "cut short"),
        (struct.pack("<8sIQ", b"MGSTATES", 1, 2) + b"[]", "unexpected"),
        (struct.pack("<8sIQ", b"MGSTATES", 1, 2) + b"\xff\xff", "damaged header"),
        (state_file.dump([1, 2]), "expected states by index, got list"),
    ],
)
def test_other_bytes(data: Any, message: str) -> None:
    assert message in refused(data)


def header(text: str, arrays: bytes = b"") -> bytes:
    body = text.encode()
    return struct.pack("<8sIQ", b"MGSTATES", 1, len(body)) + body + arrays


ARRAY = '{"nd":{"dtype":"float32","stored":"%s","shape":%s,"at":%s}}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"dict":[[0,' + ARRAY % ("float32", "[1000000000000]", 0) + "]]}", "does not fit in 4 bytes"),
        ('{"dict":[[0,' + ARRAY % ("float32", "[1]", 9) + "]]}", "does not fit in 4 bytes"),
        ('{"dict":[[0,' + ARRAY % ("float32", "[-1]", 0) + "]]}", "bad shape"),
        ('{"dict":[[0,' + ARRAY % ("float32", "[1" + ",1" * 99 + "]", 0) + "]]}", "bad shape"),
        ('{"dict":[[0,' + ARRAY % ("object", "[1]", 0) + "]]}", "bad array"),
        ('{"dict":[[0,' + ARRAY % ("float64", "[0]", 0) + "]]}", "bad array"),
        ('{"dict":[[{"list":[]},1]]}', "cannot be a key"),
        ('{"dict":[[1]]}', "expected a pair"),
        ('{"dict":5}', "expected a pair, got 5"),
        ('{"float":"1e400"}', "not a number"),
        ('{"optimizer":["system",{"dict":[]}]}', "optimizer 'system', which is not registered"),
        ('{"schedule":["system",{"dict":[]}]}', "schedule 'system', which is not defined"),
        ('{"optimizer":["sgd",5]}', "expected a name and fields"),
        ('{"exec":"print(1)"}', "unexpected {'exec'"),
        ('{"list":' * 100000 + "1" + "}" * 100000, "nested too deeply"),
    ],
)
def test_damaged_headers(text: str, message: str) -> None:
    assert message in refused(header(text, b"\0\0\0\0"))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_bytes_give_states_or_value_errors(data: st.DataObject) -> None:
    good = bytearray(trained(opt.Adam(), steps=1)[0].get_states(True))
    for _ in range(data.draw(st.integers(1, 4))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(good)))
    with contextlib.suppress(ValueError):
        state_file.load(bytes(good[: cut or None]))


class Evil:
    def __init__(self, function: Any, *args: Any) -> None:
        self.call = (function, args)

    def __reduce__(self) -> Any:
        return self.call


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_hostile_pickles_run_nothing(tmp_path: Path, protocol: int) -> None:
    trace = tmp_path / "ran"
    hostile: list[Any] = [
        Evil(os.system, f"touch {trace}"),
        Evil(exec, f"open({str(trace)!r}, 'w')"),
        Evil(open, str(trace), "w"),
        Evil(getattr, mx.optimizer.SGD, "register"),
        Evil(bytearray, 10**15),
    ]
    for item in hostile:
        for state in (item, {0: item}, {0: (None, item)}):
            message = refused(pickle.dumps(state, protocol=protocol))
            assert "refused" in message or "unexpected content" in message, message
    assert not trace.exists()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x80\x02cos\nsystem\n(S'true'\ntR.", "asks for os.system"),
        (b"\x80\x02cmxnet.ndarray\nNDArray\n.", "unexpected content"),
        (b"\x80\x02}(K\x00cmxnet.x\nSystem\n)\x81}bu.", "optimizer 'System', which is not registered"),
        (b"\x80\x02\x82\x01.", "the pickle uses EXT1"),
        (b"\x80\x02Pabc\n.", "the pickle uses PERSID"),
        (b"\x80\x04r\xff\xff\xff\x7f.", "the pickle uses LONG_BINPUT"),
        (b"\x80\x02]" + b"(" * 5, "damaged pickle"),
        (pickle.dumps({0: {1, 2}}), "refused"),
        (pickle.dumps([1]), "expected states by index, got list"),
    ],
)
def test_hand_made_pickles(data: bytes, message: str) -> None:
    assert message in refused(data)


def test_a_pickle_cannot_change_the_reader() -> None:
    # BUILD on what find_class returned: (None, {"__doc__": "changed"}).
    for name in ("bytearray", "object"):
        data = b"\x80\x02cbuiltins\n" + name.encode() + b"\n(N}X\x07\x00\x00\x00__doc__X\x01\x00\x00\x00xstb."
        refused(data)
    assert "changed" not in (bytearray.__doc__ or "") and object.__doc__ != "x"


# Files that MXNet 1.9.1 wrote: Updater.get_states() after two steps on weights of ones, gradients of ones.


def test_states_pickled_by_mxnet() -> None:
    updater = opt.get_updater(opt.Adam())
    updater.set_states((DATA / "adam.states").read_bytes())
    mean, var = updater.states[3]
    np.testing.assert_allclose(mean.asnumpy(), [0.1, 0.1], rtol=1e-6)
    np.testing.assert_allclose(var.asnumpy(), [0.001, 0.001], rtol=1e-4)


def test_fields_that_mxnet_arranges_otherwise() -> None:
    shared = {"_all_index_update_counts": {0: {0: 2, 1: 2}}}
    nadam = state_file.make_optimizer("nadam", {**vars(opt.Nadam()), **shared, "m_schedule": 0.5})
    assert nadam.m_schedule == {0: 0.5, 1: 0.5}
    cumgrads = {0: {"cum_grad": mx.nd.ones((2,)), "num_cums": 3}, 1: {"cum_grad": 0, "num_cums": 2}}
    fields = {**vars(opt.LBSGD()), **shared, "cumgrads": cumgrads}
    del fields["num_cums"]
    lbsgd = state_file.make_optimizer("lbsgd", fields)
    assert lbsgd.num_cums == {0: 3, 1: 2}
    assert list(lbsgd.cumgrads) == [0]


def test_optimizer_pickled_by_mxnet() -> None:
    updater = opt.get_updater(opt.Adam())
    updater.set_states((DATA / "sgd_with_optimizer.states").read_bytes())
    assert isinstance(updater.optimizer, opt.SGD)
    assert updater.optimizer.momentum == 0.9
    assert updater.optimizer.num_update == 2
    assert updater.optimizer._index_update_count == {0: 2, "x": 2}
    assert updater.optimizer.lr_scheduler.step == [2, 5]
    assert set(updater.states) == {0, "x"}
    np.testing.assert_allclose(updater.states["x"].asnumpy(), np.full((2, 3), -0.019), rtol=1e-6)
    weight = mx.nd.ones((2, 3))
    updater("x", mx.nd.zeros((2, 3)), weight)
    np.testing.assert_allclose(weight.asnumpy(), 1 - 0.9 * 0.019, rtol=1e-6)


def test_counts_of_updates_go_on_after_loading() -> None:
    """A resumed run equals one that was not interrupted, also where rates depend on the number of updates."""

    def made() -> Any:
        schedule = mx.lr_scheduler.FactorScheduler(2, 0.5)
        return mx.optimizer.get_updater(mx.optimizer.Adam(learning_rate=0.1, lr_scheduler=schedule))

    def run(updater: Any, weight: Any, steps: int) -> None:
        for _ in range(steps):
            updater(0, mx.nd.ones((2,)), weight)

    whole, halves = mx.nd.ones((2,)), mx.nd.ones((2,))
    run(made(), whole, 6)
    first, second = made(), made()
    run(first, halves, 3)
    second.set_states(first.get_states())
    run(second, halves, 3)
    np.testing.assert_array_equal(halves.asnumpy(), whole.asnumpy())
    assert second.optimizer.num_update == 6


def test_counts_that_are_none_are_refused() -> None:
    from mixgrad.optimizer import state_file

    updater = mx.optimizer.get_updater(mx.optimizer.SGD())
    for counts in (3, {"num_update": 1}, {"num_update": 1, "_all_index_update_counts": {0: {0: "x"}}}):
        with pytest.raises(ValueError, match="counts of updates"):
            updater.set_states(state_file.dump(({}, counts)))


# States of something else: refused at load, or by the first update, which changes nothing then.


def states_of(optimizer: Any, shape: tuple[int, ...] = (2, 3), named: bool = True) -> bytes:
    """States after one update of weight 0, as a file with the optimiser's class or as older ones without."""
    updater = opt.get_updater(optimizer)
    updater(0, mx.nd.ones(shape), mx.nd.ones(shape))
    return updater.get_states() if named else state_file.dump(updater.states)


def test_states_name_their_optimizer() -> None:
    updater, _ = trained(opt.SGD(momentum=0.9))
    before = dict(updater.states)
    with pytest.raises(ValueError, match="states of the optimizer 'adam'; expected those of 'sgd'"):
        updater.set_states(states_of(opt.Adam()))
    assert updater.states == before and updater.optimizer.num_update == 3
    updater.set_states(states_of(opt.ccSGD(momentum=0.9)))  # the same rule
    with pytest.raises(ValueError, match=r"states of the optimizer '\[1\]'"):
        counts = {"num_update": 1, "_all_index_update_counts": {0: {}}, "optimizer": [1]}
        updater.set_states(state_file.dump(({}, counts)))


OTHERS: list[tuple[Any, bytes, str]] = [
    (opt.SGD, states_of(opt.SGD(momentum=0.9)), r"an array of shape \(2, 3\) for .*; expected None, as SGD"),
    (
        lambda **kw: opt.SGD(momentum=0.9, **kw),
        states_of(opt.SGD()),
        "hold None for .*; expected an array of",
    ),
    (
        opt.Adam,
        states_of(opt.SGD(momentum=0.9), named=False),
        r"an array of shape \(2, 3\) for .*; expected a tuple of 2 \(an array of shape \(2, 3\), an array",
    ),
    (opt.FTML, states_of(opt.Adam(), named=False), "a tuple of 2 .*; expected a tuple of 3 .*, as FTML"),
    (
        opt.Adam,
        states_of(opt.Adam(), (3, 2)),
        r"\(3, 2\)\) for .* as Adam keeps for a weight of shape \(2, 3\)",
    ),
    (
        opt.Adam,
        pickle.dumps({0: (1, 2)}),
        r"a tuple of 2 \(int, int\) for .*; expected a tuple of 2 \(an array",
    ),
]


@pytest.mark.parametrize(("make", "data", "message"), OTHERS)
def test_the_first_update_refuses_states_of_something_else(make: Any, data: bytes, message: str) -> None:
    updater = opt.get_updater(make(param_idx2name={0: "fc_weight"}))
    updater.set_states(data)
    weights = [mx.nd.ones((2, 3)), mx.nd.ones((2, 3))]
    counts = updater.optimizer.num_update
    for _ in range(2):
        with pytest.raises(ValueError, match=message) as caught:
            updater([1, 0], [mx.nd.ones((2, 3))] * 2, weights)
        assert "'fc_weight' (index 0)" in str(caught.value)
    assert all((weight.asnumpy() == 1).all() for weight in weights)
    assert updater.optimizer.num_update == counts


def a_module(optimizer: str, devices: int, outputs: int = 2, **options: Any) -> Any:
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=outputs, name="fc")
    net = mx.sym.SoftmaxOutput(net, name="softmax")
    mod = mx.mod.Module(net, context=[mx.cpu(i) for i in range(devices)])
    mod.bind([("data", (4, 3))], [("softmax_label", (4,))])
    mod.init_params()
    mod.init_optimizer(optimizer=optimizer, optimizer_params={"learning_rate": 0.1, **options})
    batch = mx.io.DataBatch([mx.nd.ones((4, 3))], [mx.nd.zeros((4,))])
    mod.forward_backward(batch)
    mod.update()
    return mod


@pytest.mark.parametrize("devices", [1, 2])
def test_modules_refuse_states_of_something_else(tmp_path: Path, devices: int) -> None:
    """With one device the module's updater holds the states, with two the store does."""
    path = str(tmp_path / "x.states")
    a_module("sgd", devices, momentum=0.9).save_optimizer_states(path)
    a_module("sgd", devices, momentum=0.5).load_optimizer_states(path)
    for other, message in (
        (a_module("adam", devices), "states of the optimizer 'sgd'; expected those of 'adam'"),
        (a_module("sgd", devices), r"an array of shape .* for .*'fc_(weight|bias)'.*; expected None, as SGD"),
        (a_module("sgd", devices, 5, momentum=0.9), r"shape \(2, 3\) for .*'fc_weight'.*of shape \(5, 3\)"),
    ):
        before = other.get_params()[0]["fc_weight"].asnumpy()
        with pytest.raises(ValueError, match=message):
            other.load_optimizer_states(path)
        np.testing.assert_array_equal(other.get_params()[0]["fc_weight"].asnumpy(), before)


def test_a_module_made_from_files_refuses_other_states(tmp_path: Path) -> None:
    prefix = str(tmp_path / "x")
    a_module("sgd", 1, momentum=0.9).save_checkpoint(prefix, 1, save_optimizer_states=True)
    mod = mx.mod.Module.load(prefix, 1, load_optimizer_states=True)
    mod.bind([("data", (4, 3))], [("softmax_label", (4,))])
    for _ in range(2):
        with pytest.raises(ValueError, match="states of the optimizer 'sgd'"):
            mod.init_optimizer(optimizer="adam")
        assert not mod.optimizer_initialized
    mod.init_optimizer(optimizer="sgd", optimizer_params={"momentum": 0.9})


@pytest.mark.parametrize("state", [5, 0.5, True, "text"])
def test_numbers_are_no_states(state: Any) -> None:
    for data in (pickle.dumps({0: state}, 2), state_file.dump({0: state})):
        assert "for index 0; expected None, an array or a tuple of arrays" in refused(data)


def test_states_of_users_classes_are_theirs() -> None:
    class History(opt.Optimizer):
        def create_state(self, index: Any, weight: Any) -> Any:
            return []

        def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
            state.append(grad.copy())
            weight -= 0.1 * grad

    class Renamed(opt.SGD):
        pass

    updater, _ = trained(History())
    again = opt.get_updater(History())
    again.set_states(updater.get_states())
    assert len(again.states[0]) == len(updater.states[0]) > 0
    updater, _ = trained(Renamed(momentum=0.9))
    opt.get_updater(opt.SGD(momentum=0.9)).set_states(updater.get_states())


@pytest.mark.parametrize("with_optimizer", [False, True])
def test_states_of_several_updaters_in_one(with_optimizer):
    """As stores whose workers own different weights write them."""

    def updater_of(*steps):
        updater = mx.optimizer.get_updater(mx.optimizer.Adam(learning_rate=0.1))
        for key in steps:
            updater(key, mx.nd.ones((3,)) * (key + 1), mx.nd.zeros((3,)))
        return updater

    parts = [updater_of(0, 0), updater_of(), updater_of(1, 1, 1)]
    joined = updater_of()
    joined.set_states(joined_states([part.get_states(with_optimizer) for part in parts]))
    whole = updater_of(0, 0, 1, 1, 1)
    assert joined.optimizer.num_update == 3
    for key in (0, 1):
        ends = []
        for updater in (joined, whole):
            weight = mx.nd.zeros((3,))
            updater(key, mx.nd.ones((3,)), weight)
            ends.append(weight.asnumpy().tolist())
        assert ends[0] == ends[1]
