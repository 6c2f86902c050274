"""Executors: results against recorded calls on arrays, and MXNet's interface."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mixgrad as mx


def mlp() -> mx.sym.Symbol:
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=16, name="fc1")
    net = mx.sym.Activation(net, act_type="relu", name="relu1")
    net = mx.sym.BatchNorm(net, fix_gamma=False, name="bn")
    net = mx.sym.FullyConnected(net, num_hidden=4, name="fc2")
    return mx.sym.SoftmaxOutput(net, name="softmax")


def filled(exe: mx.executor.Executor, seed: int = 0) -> mx.executor.Executor:
    rng = np.random.RandomState(seed)
    for name, array in exe.arg_dict.items():
        array[:] = rng.randint(0, 4, array.shape) if "label" in name else rng.uniform(-1, 1, array.shape)
    for name, array in exe.aux_dict.items():
        array[:] = 1.0 if "var" in name else 0.0
    return exe


def on_arrays(args: dict[str, Any], aux: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The network of :func:`mlp`, recorded."""
    weights = {name: value.copy() for name, value in args.items()}
    for weight in weights.values():
        weight.attach_grad()
    with mx.autograd.record():
        x = mx.nd.FullyConnected(weights["data"], weights["fc1_weight"], weights["fc1_bias"], num_hidden=16)
        x = mx.nd.Activation(x, act_type="relu")
        x = mx.nd.BatchNorm(
            x, weights["bn_gamma"], weights["bn_beta"], *(aux[n].copy() for n in aux), fix_gamma=False
        )
        x = mx.nd.FullyConnected(x, weights["fc2_weight"], weights["fc2_bias"], num_hidden=4)
        out = mx.nd.SoftmaxOutput(x, weights["softmax_label"])
    out.backward()
    return out, {name: weight.grad for name, weight in weights.items()}


def test_training_equals_recorded_calls() -> None:
    exe = filled(mlp().simple_bind(mx.cpu(), data=(8, 10)))
    expected, gradients = on_arrays(exe.arg_dict, exe.aux_dict)
    out = exe.forward(is_train=True)
    exe.backward()
    np.testing.assert_allclose(out[0].asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)
    for name, gradient in exe.grad_dict.items():
        np.testing.assert_allclose(gradient.asnumpy(), gradients[name].asnumpy(), rtol=1e-4, atol=1e-5)
    assert np.abs(exe.aux_dict["bn_moving_mean"].asnumpy()).sum() > 0


def test_imperative_updates_between_runs() -> None:
    exe = filled(mlp().simple_bind(mx.cpu(), data=(8, 10)))
    label = exe.arg_dict["softmax_label"].asnumpy().astype(int)
    losses = []
    for _ in range(40):
        prediction = exe.forward(is_train=True)[0]
        losses.append(-np.log(prediction.asnumpy()[np.arange(8), label]).mean())
        exe.backward()
        for name, weight in exe.arg_dict.items():
            if name not in ("data", "softmax_label"):
                weight -= 0.1 * exe.grad_dict[name]
    assert losses[-1] < 0.2 * losses[0]


@pytest.mark.parametrize("request_kind", ["write", "add", "null"])
def test_gradient_requests(request_kind: str) -> None:
    x = mx.sym.var("x")
    held = mx.nd.ones((3,))
    exe = mx.sym.square(x).bind(mx.cpu(), [mx.nd.array([1, 2, 3])], [held], request_kind)
    for _ in range(2):
        exe.forward(is_train=True)
        exe.backward(mx.nd.ones((3,)))
    expected = {"write": [2, 4, 6], "add": [5, 9, 13], "null": [1, 1, 1]}[request_kind]
    np.testing.assert_array_equal(held.asnumpy(), expected)


def test_requests_by_name_and_list() -> None:
    net = mx.sym.var("a") * mx.sym.var("b")
    exe = net.simple_bind(mx.cpu(), {"a": "write"}, a=(2,), b=(2,))
    assert exe.grad_dict["b"] is None and exe.grad_dict["a"].shape == (2,)
    exe = net.simple_bind(mx.cpu(), ["null", "add"], a=(2,), b=(2,))
    assert exe.grad_dict["a"] is None and exe.grad_dict["b"].shape == (2,)
    with pytest.raises(ValueError, match="'write', 'add' or 'null'"):
        net.simple_bind(mx.cpu(), "overwrite", a=(2,), b=(2,))
    with pytest.raises(ValueError, match="expected 2: a, b"):
        net.bind(mx.cpu(), [mx.nd.ones((2,))])
    with pytest.raises(mx.MXNetError, match="lacks b"):
        net.bind(mx.cpu(), {"a": mx.nd.ones((2,))})
    with pytest.raises(mx.base.ShapeError, match=r"b.*do not follow"):
        mx.sym.Group([mx.sym.var("a") + 1, mx.sym.var("b")]).simple_bind(mx.cpu(), a=(2,))


def test_forward_takes_values_by_name() -> None:
    exe = (mx.sym.var("a") + mx.sym.var("b")).simple_bind(mx.cpu(), a=(2,), b=(2,))
    out = exe.forward(a=mx.nd.array([1, 2]), b=np.array([3.0, 4.0]))
    np.testing.assert_array_equal(out[0].asnumpy(), [4, 6])
    with pytest.raises(TypeError, match="no argument is called 'c'"):
        exe.forward(c=mx.nd.ones((2,)))
    with pytest.raises(ValueError, match=r"\(3,\); it is bound to \(2,\)"):
        exe.forward(a=mx.nd.ones((3,)))


def test_dictionaries_and_copying_parameters() -> None:
    exe = mlp().simple_bind(mx.cpu(), data=(8, 10))
    assert list(exe.output_dict) == ["softmax_output"]
    assert list(exe.aux_dict) == ["bn_moving_mean", "bn_moving_var"]
    exe.copy_params_from(
        {"fc1_bias": mx.nd.ones((16,), dtype="float64")}, {"bn_moving_var": mx.nd.ones((16,))}
    )
    assert exe.arg_dict["fc1_bias"].asnumpy().sum() == 16
    assert exe.aux_dict["bn_moving_var"].asnumpy().sum() == 16
    with pytest.raises(ValueError, match="no argument called 'other'"):
        exe.copy_params_from({"other": mx.nd.ones((1,))})
    exe.copy_params_from({"other": mx.nd.ones((1,))}, allow_extra_params=True)


def test_reshape_shares_parameters() -> None:
    exe = filled(mlp().simple_bind(mx.cpu(), data=(8, 10)))
    half = exe.reshape(data=(4, 10), softmax_label=(4,))
    assert half.arg_dict["fc1_weight"]._shares_memory(exe.arg_dict["fc1_weight"])
    whole = exe.forward()[0].asnumpy()
    half.arg_dict["data"][:] = exe.arg_dict["data"][:4]
    np.testing.assert_allclose(half.forward()[0].asnumpy(), whole[:4], rtol=1e-6)
    with pytest.raises(mx.MXNetError, match="allow_up_sizing"):
        exe.reshape(data=(16, 10), softmax_label=(16,))
    assert exe.reshape(allow_up_sizing=True, data=(16, 10), softmax_label=(16,)).outputs[0].shape == (16, 4)


def test_shared_executor_lends_arrays() -> None:
    first = filled(mlp().simple_bind(mx.cpu(), data=(8, 10)))
    names = [name for name in first.arg_dict if name not in ("data", "softmax_label")]
    second = mlp().simple_bind(mx.cpu(), data=(2, 10), shared_arg_names=names, shared_exec=first)
    for name in names:
        assert second.arg_dict[name]._shares_memory(first.arg_dict[name])
        assert second.grad_dict[name]._shares_memory(first.grad_dict[name])
    assert second.aux_dict["bn_moving_var"]._shares_memory(first.aux_dict["bn_moving_var"])
    buffer: dict[str, mx.nd.NDArray] = {}
    large = mlp().simple_bind(
        mx.cpu(), data=(8, 10), shared_arg_names=names, shared_exec=first, shared_buffer=buffer
    )
    small = mlp().simple_bind(
        mx.cpu(), data=(4, 10), shared_arg_names=names, shared_exec=first, shared_buffer=buffer
    )
    assert sorted(buffer) == ["data", "softmax_label"]
    assert small.arg_dict["data"]._shares_memory(large.arg_dict["data"])


def test_monitor_sees_values_in_order() -> None:
    exe = filled(mlp().simple_bind(mx.cpu(), data=(8, 10)))
    seen: dict[str, Any] = {}
    exe.set_monitor_callback(seen.__setitem__)
    exe.forward()
    assert list(seen) == ["fc1_output", "relu1_output", "bn_output", "fc2_output", "softmax_output"]
    np.testing.assert_array_equal(seen["softmax_output"].asnumpy(), exe.outputs[0].asnumpy())
    exe.set_monitor_callback(seen.__setitem__, monitor_all=True)
    exe.forward()
    assert "fc1_weight" in seen
    # As in MXNet, where Activation and its like have no names for their inputs.
    assert "relu1_input0" in seen and "relu1_data" not in seen and "bn_data" in seen

    def fails(name: str, array: mx.nd.NDArray) -> None:
        raise KeyError(name)

    exe.set_monitor_callback(fails)
    with pytest.raises(KeyError, match="fc1_output"):
        exe.forward()
    exe.set_monitor_callback(None)
    exe.forward()


def test_monitor_sees_gradients_that_nobody_asked_for_as_zeros() -> None:
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    net = mx.sym.LinearRegressionOutput(net, name="out")
    wanted = {"fc_weight": "write", "fc_bias": "write", "data": "null", "out_label": "null"}
    exe = net.simple_bind(mx.cpu(), data=(2, 3), grad_req=wanted)
    for array in exe.arg_arrays:
        array[:] = 1
    seen: dict[str, Any] = {}
    exe.set_monitor_callback(seen.__setitem__)
    exe.forward(is_train=True)
    exe.backward()
    assert sorted(set(seen) - {"fc_output", "out_output"}) == [
        *(f"fc_backward_output{i}" for i in range(3)),
        *(f"out_backward_output{i}" for i in range(2)),
    ]
    assert seen["fc_backward_output0"].shape == (2, 3) and seen["out_backward_output1"].shape == (2, 2)
    for name in ("fc_backward_output0", "out_backward_output1"):
        assert not seen[name].asnumpy().any()
    assert seen["fc_backward_output1"].asnumpy().tolist() == exe.grad_dict["fc_weight"].asnumpy().tolist()


def test_planned_bytes_and_text() -> None:
    exe = mlp().simple_bind(mx.cpu(), data=(8, 10))
    planned, least = exe.planned_bytes()
    assert least <= planned <= 1.03 * least
    assert exe.planned_bytes(is_train=False)[0] < planned
    text = exe.debug_str()
    assert "Total 0 MB allocated" in text and "FullyConnected.backward" in text


def test_head_gradients_are_asked_for() -> None:
    exe = mx.sym.tanh(mx.sym.var("x")).simple_bind(mx.cpu(), x=(2,))
    exe.forward(is_train=True)
    with pytest.raises(mx.MXNetError, match="make_loss"):
        exe.backward()
    exe.backward(
        {"tanh0_output": mx.nd.ones((2,))}
        if exe.output_dict.get("tanh0_output") is not None
        else [mx.nd.ones((2,))]
    )
    np.testing.assert_allclose(exe.grad_arrays[0].asnumpy(), [1, 1])


def test_groups_run_on_their_devices() -> None:
    with mx.AttrScope(ctx_group="low"):
        hidden = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=8, name="fc1")
    with mx.AttrScope(ctx_group="high"):
        net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(hidden, num_hidden=4, name="fc2"), name="softmax")
    groups = {"low": mx.cpu(1), "high": mx.cpu(2)}
    exe = filled(net.simple_bind(mx.cpu(), data=(4, 5), group2ctx=groups))
    plain = filled(net.simple_bind(mx.cpu(), data=(4, 5)))
    places = {name: array.context for name, array in exe.arg_dict.items()}
    assert places["fc1_weight"] == mx.cpu(1) and places["fc2_weight"] == mx.cpu(2)
    assert exe.outputs[0].context == mx.cpu(2) and exe.grad_dict["fc1_weight"].context == mx.cpu(1)
    for bound in (exe, plain):
        bound.forward(is_train=True)
        bound.backward()
    for name, gradient in exe.grad_dict.items():
        np.testing.assert_array_equal(gradient.asnumpy(), plain.grad_dict[name].asnumpy())


def test_recomputing_changes_memory_and_nothing_else() -> None:
    net = mx.sym.var("data")
    for i in range(6):
        net = mx.sym.Convolution(net, num_filter=8, kernel=(3, 3), pad=(1, 1), name=f"conv{i}")
        net = mx.sym.BatchNorm(net, fix_gamma=False, name=f"bn{i}")
        net = mx.sym.Dropout(mx.sym.Activation(net, act_type="relu"), p=0.2)
    net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(net, num_hidden=5, name="fc"), name="softmax")
    results = {}
    try:
        for setting in ("off", "cheap", "least", "100KB"):
            mx.executor.set_recompute(setting)
            mx.random.seed(1)
            exe = filled(net.simple_bind(mx.cpu(), data=(4, 3, 8, 8)))
            exe.forward(is_train=True)
            exe.backward()
            arrays = [a.asnumpy() for a in exe.grad_arrays + exe.aux_arrays]
            results[setting] = (exe.planned_bytes()[0], arrays)
        with pytest.raises(ValueError, match="expected off, cheap, least, or a budget"):
            mx.executor.set_recompute("some")
    finally:
        mx.executor.set_recompute("off")
    for setting in ("cheap", "least", "100KB"):
        assert results[setting][0] < 0.6 * results["off"][0]
        for kept, again in zip(results["off"][1], results[setting][1]):
            np.testing.assert_array_equal(kept, again)


def test_mirror_attributes() -> None:
    """Nodes with force_mirroring are computed again; of others, segments end at those with mirror_stage."""

    def network(**attributes: str) -> mx.sym.Symbol:
        net = mx.sym.var("data")
        for i in range(8):
            net = mx.sym.FullyConnected(net, num_hidden=64, name=f"fc{i}")
            given = attributes if i % 2 else {}
            net = mx.sym.Activation(net, act_type="tanh", name=f"act{i}", attr=given or None)
        return mx.sym.MakeLoss(mx.sym.sum(net), name="loss")

    def again(net: mx.sym.Symbol, setting: str) -> list[str]:
        try:
            mx.executor.set_recompute(setting)
            text = net.simple_bind(mx.cpu(), data=(32, 64)).debug_str()
        finally:
            mx.executor.set_recompute("off")
        return [f"act{i}" for i in range(8) if f"act{i}_again" in text]

    assert again(network(), "off") == []
    assert again(network(force_mirroring="True"), "off") == ["act1", "act3", "act5", "act7"]
    assert {"act0", "act2", "act4", "act6"} <= set(again(network(mirror_stage="True"), "least"))


def test_outputs_before_a_forward_are_zeros() -> None:
    held = [mx.nd.full((2, 2), 777.0) for _ in range(64)]
    mx.nd.waitall()
    del held
    executor = (mx.sym.Variable("data") * 2).simple_bind(mx.cpu(), data=(2, 2))
    assert not executor.outputs[0].asnumpy().any()


def test_outputs_of_a_reshaped_executor_lie_in_the_old_ones() -> None:
    net = mx.sym.var("x") * 2
    exe = net.simple_bind(mx.cpu(), x=(5, 4), grad_req="null")
    exe.arg_dict["x"][:] = 1
    smaller = exe.reshape(x=(3, 4))
    smaller.forward()
    assert (smaller.outputs[0].asnumpy() == 2).all() and smaller.outputs[0].shape == (3, 4)
    assert (exe.outputs[0].asnumpy()[:3] == 2).all()
    assert (exe.forward()[0].asnumpy() == 2).all()
    larger = exe.reshape(allow_up_sizing=True, x=(6, 4))
    larger.arg_dict["x"][:] = 4
    assert (larger.forward()[0].asnumpy() == 8).all()
    assert (exe.outputs[0].asnumpy() == 2).all()  # what is larger has memory of its own
