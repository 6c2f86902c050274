"""Calls that are refused: the message says why, and the same objects work afterwards."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx


def network() -> mx.sym.Symbol:
    return mx.sym.SoftmaxOutput(
        mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc"), name="softmax"
    )


def product() -> mx.executor.Executor:
    exe = (mx.sym.exp(mx.sym.var("a")) * mx.sym.var("b")).simple_bind(mx.cpu(), a=(2,), b=(2,))
    exe.arg_dict["b"][:] = 3
    return exe


def test_no_copies() -> None:
    """A number of copies that was computed as 0 does not make data disappear; NumPy's semantics take it."""
    x, s = mx.nd.arange(6).reshape((2, 3)), mx.sym.var("x")
    for reps in (0, (1, 0, 2), [0, 2], np.int64(0)):
        for call in (lambda r: mx.nd.tile(x, r), x.tile, lambda r: mx.sym.tile(s, reps=r), s.tile):
            with pytest.raises(mx.base.ShapeError, match=r"^\[tile\] reps \(.*\) hold 0"):
                call(reps)
        expected = np.tile(x.asnumpy(), reps).shape
        with mx.np_shape():
            assert mx.nd.tile(x, reps).shape == x.tile(reps).shape == expected
            assert mx.sym.tile(s, reps).eval(x=x)[0].shape == s.tile(reps).eval(x=x)[0].shape == expected
        assert mx.np.tile(x.as_np_ndarray(), reps).shape == x.as_np_ndarray().tile(reps).shape == expected
    assert mx.nd.tile(mx.nd.zeros((0, 3)), (2, 2)).shape == (0, 6)


def runs(exe: mx.executor.Executor) -> None:
    """Forward and backward give what they must."""
    out = exe.forward(is_train=True)[0].asnumpy()
    exe.backward(mx.nd.ones((2,)))
    np.testing.assert_allclose(out, [3, 3])
    np.testing.assert_allclose(exe.grad_dict["b"].asnumpy(), [1, 1])


@pytest.mark.parametrize("again", ["forward", "backward", "unset", "replace"])
def test_watcher_that_calls_its_executor(again: str) -> None:
    exe = product()
    exe.forward(is_train=True)
    calls = {
        "forward": lambda: exe.forward(is_train=True),
        "backward": lambda: exe.backward(mx.nd.ones((2,))),
        "unset": lambda: exe.set_monitor_callback(None),
        "replace": lambda: exe.set_monitor_callback(print),
    }
    exe.set_monitor_callback(lambda name, array: calls[again]())
    with pytest.raises(mx.MXNetError, match="called by the watcher of this executor"):
        exe.forward(is_train=True)
    with pytest.raises(
        mx.MXNetError, match="called by the watcher of this executor"
    ):  # it runs forward again
        exe.backward(mx.nd.ones((2,)))
    exe.set_monitor_callback(None)
    runs(exe)


def test_errors_of_a_run_end_with_it() -> None:
    exe = mx.sym.linalg.potrf(mx.sym.var("a")).simple_bind(mx.cpu(), a=(2, 2))
    with pytest.raises(mx.MXNetError, match="positive definite"):
        exe.forward(is_train=True, a=mx.nd.array([[-1, 0], [0, -1]]))[0].asnumpy()
    exe.backward(mx.nd.ones((2, 2)))  # of values that do not exist
    with pytest.raises(mx.MXNetError, match="positive definite"):
        exe.grad_arrays[0].asnumpy()
    out = exe.forward(is_train=True, a=mx.nd.array([[4, 0], [0, 16]]))[0]
    exe.backward(mx.nd.array([[1, 0], [0, 1]]))
    np.testing.assert_allclose(out.asnumpy(), [[2, 0], [0, 4]])
    np.testing.assert_allclose(exe.grad_arrays[0].asnumpy(), [[0.25, 0], [0, 0.125]])


def test_arguments_of_binding() -> None:
    symbol, one = mx.sym.var("a") * mx.sym.var("b"), mx.nd.ones((2,))
    for arguments, message in (
        ({"args": None}, "args is NoneType"),
        ({"args": [one, one], "grad_req": 3}, "grad_req is int"),
        ({"args": [one, one], "group2ctx": 3}, "group2ctx is int"),
        ({"args": [one, one], "aux_states": 3}, "aux_states is int"),
    ):
        with pytest.raises(TypeError, match=message):
            symbol.bind(mx.cpu(), **arguments)
    with pytest.raises(TypeError, match="shared_exec is int"):
        symbol.simple_bind(mx.cpu(), a=(2,), b=(2,), shared_exec=3)


def test_copied_parameters_and_callbacks() -> None:
    exe = product()
    for params, message in ((3, "arguments are int"), ({"b": np.ones(2)}, "'b' is ndarray")):
        with pytest.raises(TypeError, match=message):
            exe.copy_params_from(params)
    with pytest.raises(TypeError, match="callback is int"):
        exe.set_monitor_callback(3)
    runs(exe)


def test_names() -> None:
    a = mx.sym.var("a")
    for name in ("a\0b", "a\udc80"):
        with pytest.raises(ValueError, match="half a character"):
            mx.sym.var(name)
        with pytest.raises(ValueError, match=r"\[relu\].*half a character"):
            mx.sym.relu(a, name=name)
    with pytest.raises(TypeError, match=r"\[relu\] name is int"):
        mx.sym.relu(a, name=3)
    with pytest.raises(TypeError, match="name is int"):
        mx.name.Prefix(3)
    written = json.loads(mx.sym.relu(a, name="r").tojson())
    written["nodes"][0]["name"] = "a\0b"
    with pytest.raises(mx.MXNetError, match="zero character"):
        mx.sym.load_json(json.dumps(written))
    with pytest.raises(TypeError, match="init is int"):
        mx.sym.var("a", init=3)
    with pytest.raises(TypeError, match=r"\[Group\] symbols is Symbol"):
        mx.sym.Group(a)


def test_scopes_left_twice() -> None:
    for scope in (mx.AttrScope(group="1"), mx.name.Prefix("p_")):
        with pytest.raises(RuntimeError, match="without having been entered"):
            scope.__exit__(None, None, None)
        with scope:
            pass
    assert mx.sym.relu(mx.sym.var("a"), name="r").name == "r"


def test_checkpoint_of_other_names(tmp_path: Path) -> None:
    mx.nd.save(tmp_path / "x-0001.params", {"w": mx.nd.ones((1,))})
    with pytest.raises(mx.MXNetError, match="arrays, such as 'w'; expected names"):
        mx.model.load_params(str(tmp_path / "x"), 1)


def test_modules() -> None:
    def make(**arguments: Any) -> mx.mod.Module:
        return mx.mod.Module(network(), **arguments)

    for context in ("cpu", [], [mx.cpu(), 3]):
        with pytest.raises(TypeError, match=r"\[Module\] context"):
            make(context=context)
    with pytest.raises(TypeError, match="symbol is NoneType"):
        mx.mod.Module(None)
    with pytest.raises(TypeError, match="expected fit\\(X, y\\)"):
        make().fit([1], num_epoch=1)
    with pytest.raises(ValueError, match="interval is 0"):
        mx.mon.Monitor(0)
    module = make()
    module.bind([("data", (4, 5))], [("softmax_label", (4,))])
    module.init_params()
    with pytest.raises(TypeError, match="a batch holds ndarray"):
        module.forward(mx.io.DataBatch([np.ones((4, 5))], [np.ones(4)]))
    module.forward(mx.io.DataBatch([mx.nd.ones((4, 5))], [mx.nd.ones((4,))]), is_train=True)
    module.backward()
    assert module.get_outputs()[0].shape == (4, 3)


def test_batch_after_a_refused_one() -> None:
    module = mx.mod.Module(network())
    module.bind([("data", (4, 5))], [("softmax_label", (4,))])
    module.init_params()

    def batch(data: tuple[int, ...], label: int) -> mx.io.DataBatch:
        return mx.io.DataBatch([mx.nd.ones(data)], [mx.nd.ones((label,))])

    module.forward(batch((1, 5), 1))
    for refused, message in ((batch((4, 5), 9), "batch of 9"), (batch((4, 7), 4), "need 'fc_weight'")):
        with pytest.raises(ValueError, match=message):
            module.forward(refused)
        assert module.data_shapes[0].shape == (1, 5)
        module.forward(batch((4, 5), 4))
        assert module.get_outputs()[0].shape == (4, 3)
        module.forward(batch((1, 5), 1))
        assert module.get_outputs()[0].shape == (1, 3)


def test_empty_push() -> None:
    store = mx.kv.create("local")
    store.init("a", mx.nd.ones((2,)))
    with pytest.raises(ValueError, match="'a' is an empty list"):
        store.push("a", [])


def test_callbacks() -> None:
    with pytest.raises(ValueError, match="frequent is 0"):
        mx.callback.Speedometer(4, 0)
    with pytest.raises(ValueError, match="total is 0"):
        mx.callback.ProgressBar(0)


def module() -> mx.mod.Module:
    mod = mx.mod.Module(network())
    mod.bind([("data", (2, 4))], [("softmax_label", (2,))])
    return mod


def store() -> mx.kv.KVStore:
    kv = mx.kv.create("local")
    kv.init(1, mx.nd.ones((2,)))
    return kv


ones = mx.nd.ones((2,))
WRONG: dict[str, tuple[Any, type[Exception], str]] = {
    "attr": (lambda: network().attr(3), TypeError, r"\[symbol.attr\] the key is int: 3; expected text"),
    "Group": (lambda: mx.sym.Group(3), TypeError, "expected a list of at least one Symbol"),
    "bind ctx": (lambda: network().bind(None, None), TypeError, r"\[bind\] args is NoneType"),
    "score": (lambda: ready().score(3, "acc"), TypeError, r"\[score\] eval_data is int; expected a DataIter"),
    "iter_predict": (
        lambda: list(ready().iter_predict(3)),
        TypeError,
        "eval_data is int; expected a DataIter",
    ),
    "fit": (lambda: ready().fit([1], num_epoch=1), TypeError, "expected fit\\(X, y\\)"),
    "fit eval": (lambda: ready().fit(batches(), 3, num_epoch=1), TypeError, "eval_data is int"),
    "epochs": (lambda: ready().fit(batches(), num_epoch="a"), TypeError, "num_epoch is str: 'a'"),
    "forward": (lambda: ready().forward(3), TypeError, "data_batch is int; expected a DataBatch"),
    "initializer": (
        lambda: module().init_params(3),
        TypeError,
        "initializer is int; expected an Initializer",
    ),
    "arg_params": (lambda: module().set_params(3, None), TypeError, "arg_params is int; expected a dict"),
    "options": (lambda: ready().init_optimizer(optimizer_params=3), TypeError, "optimizer_params is 3"),
    "shapes": (lambda: mx.mod.Module(network()).bind(3), TypeError, "data_shapes is int; expected a list"),
    "shape": (lambda: mx.mod.Module(network()).bind([("data", "a")]), TypeError, "got the shape 'a'"),
    "pair": (lambda: mx.mod.Module(network()).bind(["data"]), TypeError, "expected a name and a shape"),
    "add": (lambda: mx.mod.SequentialModule().add(3), TypeError, "module is int; expected a BaseModule"),
    "sym_gen": (lambda: mx.mod.BucketingModule(3, 10), TypeError, "sym_gen is int; expected a function"),
    "priority": (
        lambda: store().push(1, ones, priority="x"),
        TypeError,
        r"\[kvstore.push\] the priority 'x' is",
    ),
    "float": (
        lambda: store().pull(1, ones, priority=1.5),
        TypeError,
        "the priority 1.5 is float; expected int",
    ),
    "large": (lambda: store().pushpull(1, ones, priority=2**31), ValueError, "at most 31 bits"),
    "key": (lambda: store().push(2**63, ones), ValueError, "the key 9223372036854775808 does not fit"),
    "ResizeIter": (lambda: mx.io.ResizeIter(3, 4), TypeError, "data_iter is int; expected a DataIter"),
    "PrefetchingIter": (lambda: mx.io.PrefetchingIter(3), TypeError, "iters is int; expected a DataIter"),
    "batches": (lambda: batches(10**9), ValueError, "for 4 examples, at most 1048576"),
    "batch": (lambda: batches(1.5), TypeError, "batch_size is float: 1.5; expected a whole number"),
    "schedule": (lambda: mx.lr_scheduler.FactorScheduler("a"), TypeError, "step must be a number of updates"),
    "monitor": (lambda: mx.mon.Monitor("a"), TypeError, "interval is str; expected a number of batches"),
    "no data": (
        lambda: ready().forward(mx.io.DataBatch(None)),
        TypeError,
        "data is NoneType; expected a list",
    ),
    "no work": (
        lambda: work(context=[mx.cpu(0), mx.cpu(1)], work_load_list=[0, 0]),
        ValueError,
        "not all 0",
    ),
    "work nan": (
        lambda: work(context=[mx.cpu(0), mx.cpu(1)], work_load_list=[float("nan"), 1]),
        ValueError,
        r"\[Module\] work_load_list",
    ),
    "watcher": (lambda: ready().install_monitor(3), TypeError, r"\[install_monitor\] mon is int"),
    "borrow": (lambda: ready().borrow_optimizer(3), TypeError, "shared_module is int; expected a Module"),
    "Monitor": (lambda: mx.mon.Monitor(1, pattern="("), ValueError, r"\[Monitor\] the pattern '\('"),
    "Mixed": (lambda: mx.init.Mixed(["("], [mx.init.One()]), ValueError, r"\[Mixed\] the pattern"),
    "Mixed type": (
        lambda: mx.init.Mixed([3], [mx.init.One()]),
        TypeError,
        "the pattern is int; expected text",
    ),
    "Xavier": (lambda: mx.init.Xavier(magnitude=-1), ValueError, r"\[Xavier\] magnitude is -1"),
    "Xavier nan": (
        lambda: mx.init.Xavier(magnitude=float("nan")),
        ValueError,
        r"\[Xavier\] magnitude is nan",
    ),
    "deep options": (
        lambda: mx.init.create("[" * 5000),
        ValueError,
        r"\[initializer.create\] not valid JSON",
    ),
    "scope": (
        lambda: mx.autograd.record().__exit__(None, None, None),
        RuntimeError,
        "without having been entered",
    ),
    "sections": (
        lambda: mx.nd.split_v2(mx.nd.ones((4,)), 0),
        ValueError,
        r"\[split_v2\] .* expected at least 1",
    ),
    "symbol sections": (lambda: mx.sym.split_v2(mx.sym.var("a"), 0), ValueError, r"expected at least 1"),
    "full": (lambda: mx.nd.full((2,), 2**2000), TypeError, r"\[array\] cannot make an array of int"),
    "jit": (lambda: mx.jit(lambda x: 3)(ones), TypeError, r"\[jit\] <lambda> returned int"),
    "foreach": (
        lambda: mx.nd.contrib.foreach(lambda x, s: 3, ones, []),
        TypeError,
        r"\[foreach\] the body returned int; expected outputs and states",
    ),
    "factor": (
        lambda: mx.lr_scheduler.FactorScheduler(1, factor=float("nan")),
        ValueError,
        "factor must be at least 0, got nan",
    ),
    "factor text": (lambda: mx.lr_scheduler.FactorScheduler(1, factor="a"), TypeError, "factor is 'a'"),
    "steps": (lambda: mx.lr_scheduler.MultiFactorScheduler([1, "x"]), TypeError, "a list of update numbers"),
    "early update": (
        lambda: mx.lr_scheduler.CosineScheduler(10)(-5),
        ValueError,
        "update -5; expected at least 0",
    ),
}


def work(**arguments: Any) -> mx.mod.Module:
    return mx.mod.Module(network(), **arguments)


def batches(size: Any = 2) -> mx.io.NDArrayIter:
    return mx.io.NDArrayIter(np.zeros((4, 4)), np.zeros(4), size)


def ready() -> mx.mod.Module:
    mod = module()
    mod.init_params()
    return mod


@pytest.mark.parametrize("case", sorted(WRONG))
def test_arguments_of_training_code(case: str) -> None:
    call, error, message = WRONG[case]
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("round_batch", [True, False])
def test_batches_of_files_that_no_memory_holds(round_batch: bool, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("1,2\n3,4\n")
    with pytest.raises(ValueError, match=r"\[CSVIter\] batch_size=1000000000; expected at least 1"):
        mx.io.CSVIter(data_csv=path, data_shape=(2,), batch_size=10**9, round_batch=round_batch)
    path.write_text("1 0:2\n0 1:4\n")
    with pytest.raises(ValueError, match=r"\[LibSVMIter\] batch_size=1000000000"):
        mx.io.LibSVMIter(data_libsvm=path, data_shape=(2,), batch_size=10**9)
    assert batches(1000).next().data[0].shape == (1000, 4)  # small ones may repeat examples


def test_rows_of_files_of_more_values_than_there_are_numbers(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("1,2\n")
    with pytest.raises(mx.base.ShapeError, match=r"\[CSVIter\] shape .* fewer values"):
        mx.io.CSVIter(data_csv=path, data_shape=(2**40, 2**40), batch_size=1)


def test_weights_without_elements() -> None:
    mx.init.Bilinear()("up_weight", mx.nd.ones((1, 1, 0, 0)))


def test_late_updates_take_no_time() -> None:
    """The rate's changes up to an update are not counted one by one."""
    assert mx.lr_scheduler.FactorScheduler(1, factor=0.5)(2**62) == 1e-8
    slow = mx.lr_scheduler.FactorScheduler(2, factor=1 - 1e-12, base_lr=1.0)
    assert slow(10**12 + 1) == pytest.approx(np.exp(-0.5), rel=1e-3)
    assert slow.count == 10**12
    jumped = mx.lr_scheduler.FactorScheduler(3, factor=0.9999, base_lr=1.0)
    walked = mx.lr_scheduler.FactorScheduler(3, factor=0.9999, base_lr=1.0)
    for update in range(1, 45001):
        rate = walked(update)
    assert jumped(45000) == pytest.approx(rate, rel=1e-9)
    assert jumped.count == walked.count


def test_packed_files_that_hold_far_more_than_they_say(tmp_path: Path) -> None:
    images, labels, rows = (tmp_path / name for name in ("images.gz", "labels.gz", "rows.csv.gz"))
    with gzip.open(images, "wb") as file:
        file.write(bytes([0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2]) + bytes(40_000_000))
    with gzip.open(labels, "wb") as file:
        file.write(bytes([0, 0, 8, 1, 0, 0, 0, 1, 7]))
    with gzip.open(rows, "wb") as file:
        file.write(bytes(40_000_000))
    tracemalloc.start()
    try:
        with pytest.raises(mx.base.FileFormatError, match="which is 4 bytes; it holds at least 5"):
            mx.io.MNISTIter(image=images, label=labels, batch_size=1)
        with pytest.raises(mx.base.FileFormatError, match="begins with 4096 zero bytes"):
            mx.io.CSVIter(data_csv=rows, data_shape=(2,), batch_size=1)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_arguments_that_operators_do_not_take_are_errors_of_both_kinds() -> None:
    a = mx.nd.ones((2, 2))
    for call, text in (
        (lambda: mx.nd.dot(a), r"\[dot\] missing 1 required positional argument: 'rhs'"),
        (mx.nd.relu, r"\[relu\] missing 1 required"),
        (lambda: mx.nd.relu(a, a, a), r"\[relu\] takes 1 positional argument but 3"),
        (lambda: mx.nd.sparse.retain(a, mood=3), r"\[_sparse_retain\] missing 1"),
        (lambda: mx.nd.Activation(a, act_typ="relu", act_type="relu"), r"\[Activation\].*'act_typ'"),
    ):
        for kind in (TypeError, mx.MXNetError):
            with pytest.raises(kind, match=text):
                call()
