"""Mixed precision: casts in graphs, in models and in calls, and factors of losses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.contrib import amp


def network() -> Any:
    data = mx.sym.var("data")
    first = mx.sym.Convolution(data, kernel=(3, 3), num_filter=4, name="conv")
    relu = mx.sym.Activation(mx.sym.BatchNorm(first, name="bn"), act_type="relu", name="act")
    second = mx.sym.Convolution(relu, kernel=(1, 1), num_filter=4, no_bias=True, name="conv2")
    flat = mx.sym.FullyConnected(mx.sym.tanh(second + relu, name="tanh"), num_hidden=3, name="fc")
    return mx.sym.SoftmaxOutput(flat, name="softmax")


def params(net: Any, **shapes: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    random = np.random.RandomState(0)
    arg_shapes, _, aux_shapes = net.infer_shape(**shapes)
    args = {
        name: mx.nd.array(random.normal(0, 0.2, shape))
        for name, shape in zip(net.list_arguments(), arg_shapes)
        if name not in ("data", "softmax_label")
    }
    ones = dict(zip(net.list_auxiliary_states(), map(mx.nd.ones, aux_shapes)))
    return args, ones


def nodes(net: Any, op: str) -> dict[str, Any]:
    return {
        node["name"]: node
        for node in json.loads(net.tojson(remove_amp_cast=False))["nodes"]
        if node["op"] == op
    }


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("early", [False, True])
def test_converted_models_compute_the_same(dtype: str, early: bool) -> None:
    net = network()
    args, auxs = params(net, data=(2, 3, 8, 8))
    made, new_args, new_auxs = amp.convert_model(net, args, auxs, dtype, cast_optional_params=early)
    data = mx.nd.array(np.random.RandomState(1).normal(size=(2, 3, 8, 8)))

    def outputs(symbol: Any, weights: Any, states: Any) -> Any:
        inputs = {"data": data, "softmax_label": mx.nd.zeros((2,)), **weights}
        return symbol.bind(mx.cpu(), inputs, aux_states=states).forward()[0]

    wanted, found = outputs(net, args, auxs), outputs(made, new_args, new_auxs)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found.asnumpy(), wanted.asnumpy(), atol=2e-2 if dtype == "bfloat16" else 2e-3)
    assert (new_args["conv_weight"].dtype != np.float32) == early
    assert new_args["bn_gamma"].dtype == np.float32 and new_auxs["bn_moving_mean"].dtype == np.float32
    assert args["conv_weight"].dtype == np.float32


def test_one_cast_serves_all_and_outputs_are_float32() -> None:
    casts = nodes(amp.convert_symbol(network()), "amp_cast")
    assert [name for name in casts if name.startswith("data")] == ["data_amp_cast_float16"]
    assert casts["fc_output_amp_cast_float32"]["attrs"]["dtype"] == "float32"


def test_lists_of_ones_own_and_excluded_nodes() -> None:
    data = mx.sym.var("x")
    net = mx.sym.exp(mx.sym.FullyConnected(data, num_hidden=2, name="fc"), name="exp")
    assert not nodes(amp.convert_symbol(net, excluded_sym_names=["fc"]), "amp_cast")
    assert not nodes(amp.convert_symbol(net, target_dtype_ops=[]), "amp_cast")
    assert "exp_output_amp_cast_float32" in nodes(
        amp.convert_symbol(net, target_dtype_ops=["exp"], fp32_ops=[]), "amp_cast"
    )


def test_conditional_and_widest_operators() -> None:
    low = mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=2, name="fc")
    soft = mx.sym.Activation(low, act_type="softrelu", name="soft")
    assert "fc_output_amp_cast_float32" in nodes(amp.convert_symbol(soft), "amp_cast")
    both = amp.convert_symbol(mx.sym.concat(low, mx.sym.var("y"), name="both"))
    assert nodes(both, "amp_multicast")["fc_output_amp_multicast"]["attrs"] == {"num_outputs": "2"}
    mixed = amp.convert_symbol(mx.sym.elemwise_add(low, mx.sym.exp(low, name="exp")))
    assert not nodes(mixed, "amp_multicast")
    assert list(nodes(mixed, "amp_cast"))[-1] == "fc_output_amp_cast_float32"


def test_graphs_are_saved_without_casts(tmp_path: Any) -> None:
    net = network()
    made = amp.convert_symbol(net)
    file = tmp_path / "net-symbol.json"
    made.save(file)
    for symbol in (mx.sym.load(file), mx.sym.load_json(made.tojson())):
        assert not nodes(symbol, "amp_cast")
        assert symbol.list_arguments() == net.list_arguments()
        assert symbol.list_outputs() == net.list_outputs()
    made.save(file, remove_amp_cast=False)
    assert nodes(mx.sym.load(file), "amp_cast")


def test_bucketing_modules_are_converted() -> None:
    def graph(length: int) -> tuple[Any, list[str], list[str]]:
        net = mx.sym.sum(
            mx.sym.Embedding(mx.sym.var("data"), input_dim=9, output_dim=4, name="embed"), axis=1
        )
        net = mx.sym.FullyConnected(net, num_hidden=3, name="fc")
        return mx.sym.SoftmaxOutput(net, name="softmax"), ["data"], ["softmax_label"]

    module = mx.mod.BucketingModule(graph, 5)
    module.bind([("data", (2, 5))], [("softmax_label", (2,))])
    with pytest.raises(ValueError, match="init_params"):
        amp.convert_bucketing_module(module)
    module.init_params()
    made = amp.convert_bucketing_module(module, cast_optional_params=True)
    made.bind([("data", (2, 5))], [("softmax_label", (2,))], for_training=False)
    batch = mx.io.DataBatch(
        [mx.nd.ones((2, 5))],
        [mx.nd.zeros((2,))],
        bucket_key=5,
        provide_data=[("data", (2, 5))],
        provide_label=[("softmax_label", (2,))],
    )
    module.forward(batch, is_train=False)
    made.forward(batch, is_train=False)
    np.testing.assert_allclose(made.get_outputs()[0].asnumpy(), module.get_outputs()[0].asnumpy(), atol=1e-3)


@pytest.fixture
def half() -> Iterator[None]:
    amp.init("float16")
    try:
        yield
    finally:
        amp.amp._wrapped.pop().undo()
        amp.amp._scalers.clear()


def test_calls_cast_what_they_are_given(half: None) -> None:
    x, weight = mx.nd.ones((2, 3)), mx.nd.ones((4, 3))
    made = mx.nd.FullyConnected(x, weight, num_hidden=4, no_bias=True)
    assert made.dtype == np.float16
    assert mx.nd.exp(made).dtype == np.float32
    assert mx.nd.Activation(made, act_type="softrelu").dtype == np.float32
    assert mx.nd.Activation(made, act_type="relu").dtype == np.float16
    assert mx.nd.broadcast_add(made, mx.nd.ones((1, 4))).dtype == np.float32
    symbol = mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=4, name="fc")
    executor = symbol.simple_bind(mx.cpu(), x=(2, 3))
    assert [array.dtype for array in executor.arg_arrays] == [np.float32] * 3
    assert executor.forward()[0].dtype == np.float16


def test_functions_come_back(half: None) -> None:
    amp.init("bfloat16")  # a second call does nothing
    assert len(amp.amp._wrapped) == 1
    before = mx.nd.FullyConnected
    amp.amp._wrapped[0].undo()
    assert mx.nd.FullyConnected is not before
    x, weight = mx.nd.ones((2, 3)), mx.nd.ones((4, 3))
    assert mx.nd.FullyConnected(x, weight, num_hidden=4, no_bias=True).dtype == np.float32


class Trainer:
    """What a trainer has that mixed precision looks at."""

    def __init__(self, *params: Any) -> None:
        self._params = params
        self._scale = 0.5


class Param:
    def __init__(self, gradient: Any) -> None:
        self._grad = [gradient]


def test_losses_and_gradients_are_scaled(half: None) -> None:
    param = Param(mx.nd.array([4.0]))
    trainer: Any = Trainer(param)
    with pytest.raises(RuntimeError, match="init_trainer"), amp.scale_loss(mx.nd.ones((1,)), trainer):
        pass
    amp.init_trainer(trainer)
    with amp.scale_loss([mx.nd.ones((1,))], trainer) as scaled:
        assert scaled[0].asscalar() == 2.0**16
    assert trainer._scale == 0.5 / 2**16
    amp.unscale(trainer)
    assert param._grad[0].asscalar() == 4 * 0.5 / 2**16 and trainer._scale == 1


def test_overflow_halves_the_factor() -> None:
    scaler = amp.amp.LossScaler()
    good, bad = Param(mx.nd.ones((2,))), Param(mx.nd.array([1, np.inf]))
    assert not scaler.has_overflow([good]) and scaler.has_overflow([good, bad])
    assert not scaler.has_overflow([good]) and scaler.loss_scale == 2.0**15
    scaler._scale_seq_len = 2
    assert [scaler.has_overflow([good]) or scaler.loss_scale for _ in range(3)] == [2.0**15, 2.0**16, 2.0**16]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target_dtype": "int8"}, "expected 'float16' or 'bfloat16'"),
        ({"fp32_ops": ["Convolution"]}, "Convolution in two lists"),
        ({"target_dtype_ops": ["nothing"]}, "nothing: expected operators of"),
        ({"target_dtype_ops": "relu"}, "is str; expected a list"),
        ({"conditional_fp32_ops": [("relu", "x", "y")]}, "expected \\(operator, parameter, values\\)"),
    ],
)
def test_refusals(options: Any, message: str) -> None:
    with pytest.raises((mx.MXNetError, TypeError), match=message):
        amp.convert_symbol(network(), **options)


def test_trainers_are_those_of_gluon(half: None) -> None:
    with pytest.raises(TypeError, match="expected a Gluon Trainer"):
        amp.init_trainer(mx.optimizer.SGD())
