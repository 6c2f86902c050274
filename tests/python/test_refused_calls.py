"""Calls that are refused: the message says why, and the same objects work afterwards."""

from __future__ import annotations

import json
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
    with pytest.raises(mx.MXNetError, match="nothing has run"):  # the run broke off
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
    with pytest.raises(TypeError, match="train_data is list"):
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
