"""Networks of 8 bits: those that MXNet wrote, and those made here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.contrib import quantization
from mixgrad.gluon import nn

DATA = Path(__file__).parents[2] / "data" / "quantized"
PARAMS = {"float": "float", "fused": "float", "channels": "float", "naive": "none", "none": "none"}
Params = dict[str, Any]


def load_params(name: str) -> tuple[Params, Params]:
    both = mx.nd.load(str(DATA / f"{name}.params"))
    parts: dict[str, Params] = {"arg": {}, "aux": {}}
    for key, value in both.items():
        parts[key[:3]][key[4:]] = value
    return parts["arg"], parts["aux"]


def run(symbol: Any, args: Params, states: Params, data: Any) -> np.ndarray:
    given = {k: v for k, v in args.items() if k in symbol.list_arguments()}
    executor = symbol.bind(mx.cpu(), {**given, "data": data}, aux_states=states, grad_req="null")
    return executor.forward()[0].asnumpy()


@pytest.mark.parametrize("name", PARAMS)
def test_mxnets_networks(name: str) -> None:
    """All elements agree to a tenth of a step of 8 bits: every number inside is the same."""
    answers = np.load(DATA / "answers.npz")
    args, states = load_params(PARAMS[name])
    out = run(mx.sym.load(str(DATA / f"{name}.json")), args, states, mx.nd.array(answers["data"]))
    np.testing.assert_allclose(out, answers[name], rtol=1e-4, atol=np.abs(answers[name]).max() / 2550)


def test_fused_network_has_the_names() -> None:
    plain, fused = (mx.sym.load(str(DATA / f"{name}.json")) for name in ("float", "fused"))
    assert fused.list_auxiliary_states() == plain.list_auxiliary_states()
    assert sorted(fused.list_arguments()) == sorted(plain.list_arguments())
    assert fused.list_outputs() == ["sg_mkldnn_fully_connected_1_output"]


def test_network_is_written_and_read() -> None:
    answers = np.load(DATA / "answers.npz")
    args, states = load_params("none")
    net = mx.sym.load_json(mx.sym.load(str(DATA / "naive.json")).tojson())
    out = run(net, args, states, mx.nd.array(answers["data"]))
    np.testing.assert_allclose(out, answers["naive"], atol=1e-5)


def test_weights_that_change_are_seen() -> None:
    answers = np.load(DATA / "answers.npz")
    args, states = load_params("none")
    net = mx.sym.load(str(DATA / "naive.json"))
    given = {k: v.copy() for k, v in args.items() if k in net.list_arguments()}
    given["data"] = mx.nd.array(answers["data"])
    executor = net.bind(mx.cpu(), given, aux_states=states, grad_req="null")
    before = [executor.forward()[0].asnumpy() for _ in range(3)]
    assert all((out == before[0]).all() for out in before)
    given["c2_weight"][:] = -given["c2_weight"]
    after = executor.forward()[0].asnumpy()
    fresh = run(net, given, states, given["data"])
    assert (after == fresh).all() and (after != before[0]).any()


def changed(change: Any) -> str:
    graph = json.loads((DATA / "naive.json").read_text())
    for node in graph["nodes"]:
        if node.get("subgraphs"):
            change(node)
    return json.dumps(graph)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda node: node.pop("subgraphs"), "expected one"),
        (lambda node: node["subgraphs"].append(node["subgraphs"][0]), "expected one"),
        (lambda node: node["inputs"].pop(), "inputs; expected"),
        (lambda node: node["inputs"].clear(), "inputs; expected"),
        (lambda node: node["subgraphs"][0].update(heads=[[0, 0, 0]]), "graph without"),
        (lambda node: node["subgraphs"][0].update(heads=[[0, 0, 0], [1, 0, 0]]), "expected one"),
        (lambda node: node["attrs"].update(min_calib_range="low"), "min_calib_range"),
    ],
)
def test_wrong_layers_are_refused(change: Any, message: str) -> None:
    with pytest.raises((mx.MXNetError, ValueError), match=message):
        mx.sym.load_json(changed(change))


def images(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Ten patterns under noise."""
    random = np.random.RandomState(0)
    patterns = random.randn(10, 1, 12, 12)
    label = random.randint(0, 10, count)
    return (patterns[label] + 1.8 * random.randn(count, 1, 12, 12)).astype(np.float32), label.astype(
        np.float32
    )


@pytest.fixture(scope="module")
def trained() -> tuple[Any, Params, Params, float]:
    """A network, its parameters and states, and the share of a thousand images that it knows."""
    mx.random.seed(1)
    net = mx.sym.Convolution(mx.sym.var("data"), num_filter=8, kernel=(3, 3), pad=(1, 1), name="c0")
    net = mx.sym.Activation(mx.sym.BatchNorm(net, fix_gamma=False, name="norm"), act_type="relu", name="r0")
    more = mx.sym.Convolution(net, num_filter=8, kernel=(3, 3), pad=(1, 1), name="c1")
    net = mx.sym.Activation(mx.sym.elemwise_add(more, net, name="sum"), act_type="relu", name="r1")
    net = mx.sym.Pooling(net, kernel=(2, 2), stride=(2, 2), name="pool")
    net = mx.sym.FullyConnected(mx.sym.Flatten(net, name="flat"), num_hidden=10, name="dense")
    net = mx.sym.SoftmaxOutput(net, name="softmax")
    x, label = images(3000)
    module = mx.mod.Module(net)
    train = mx.io.NDArrayIter(x[:2000], label[:2000], batch_size=100)
    module.fit(train, num_epoch=3, optimizer="adam", optimizer_params={"learning_rate": 0.003})
    args, states = module.get_params()
    return net, args, states, share(net, args, states)


def share(net: Any, args: Params, states: Params) -> float:
    x, label = images(3000)
    test = mx.io.NDArrayIter(x[2000:], label[2000:], batch_size=100)
    module = mx.mod.Module(net)
    module.bind(test.provide_data, test.provide_label, for_training=False)
    module.set_params(args, states)
    return float(module.score(test, "acc")[0][1])


def calibration() -> Any:
    x, label = images(3000)
    return mx.io.NDArrayIter(x[:300], label[:300], batch_size=100)


@pytest.mark.parametrize("mode", ["none", "naive", "entropy"])
@pytest.mark.parametrize("each", ["tensor-wise", "channel-wise"])
@pytest.mark.parametrize("where", ["smart", "full"])
def test_accuracy_stays(trained: Any, mode: str, each: str, where: str) -> None:
    net, args, states, before = trained
    made = quantization.quantize_model(
        net,
        args,
        states,
        calib_mode=mode,
        calib_data=calibration(),
        quantize_mode=where,
        quantize_granularity=each,
    )
    assert before > 0.9
    assert abs(share(*made) - before) <= 0.01


def test_graph_and_ranges_apart(trained: Any) -> None:
    net, args, states, before = trained
    graph, params, _, collector = quantization.quantize_graph(net, args, states, calib_mode="naive")
    assert params["c0_weight_quantize"].dtype == np.int8
    module = mx.mod.Module(net)
    data = calibration()
    module.bind(data.provide_data, data.provide_label, for_training=False)
    module.set_params(args, states)
    executor = net.simple_bind(mx.cpu(), grad_req="null", data=(100, 1, 12, 12))
    executor.copy_params_from(args, states)
    executor.set_monitor_callback(collector.collect, monitor_all=True)
    for batch in data:
        executor.forward(is_train=False, data=batch.data[0])
    assert {"data", "c0_output", "dense_output"} <= set(collector.min_max_dict)
    made = quantization.calib_graph(graph, args, states, collector, "naive")
    assert abs(share(*made) - before) <= 0.01


def test_layers_stay_float(trained: Any) -> None:
    net, args, states, _ = trained
    made, params, _ = quantization.quantize_model(
        net,
        args,
        states,
        calib_mode="none",
        excluded_sym_names=["c0"],
        excluded_op_names=["FullyConnected"],
    )
    assert "c0_weight" in params and "dense_weight" in params and "c1_weight_quantize" in params
    assert "quantized_c0_output" not in made.get_internals().list_outputs()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"calib_mode": "best"}, "calib_mode is 'best'"),
        ({"calib_mode": "naive"}, "expects a DataIter"),
        ({"calib_mode": "none", "quantized_dtype": "int4"}, "quantized_dtype is 'int4'"),
        ({"calib_mode": "none", "quantize_mode": "half"}, "quantize_mode is 'half'"),
        ({"calib_mode": "none", "quantize_granularity": "row"}, "quantize_granularity is 'row'"),
        ({"calib_mode": "none", "excluded_sym_names": "c0"}, "expected a list"),
    ],
)
def test_wrong_options(trained: Any, options: dict[str, Any], message: str) -> None:
    net, args, states, _ = trained
    with pytest.raises(ValueError, match=message):
        quantization.quantize_model(net, args, states, **options)


def test_histograms_grow() -> None:
    collector = quantization._LayerHistogramCollector(num_bins=5, include_layer=["a"])
    for values in ([0.0, 0.0], [1.0, -2.0, 0.5], [7.0], [0.1]):
        collector.collect("a", mx.nd.array(values))
    collector.collect("b", mx.nd.array([1]))
    counts, edges, low, high, threshold = collector.hist_dict["a"]
    assert list(collector.hist_dict) == ["a"]
    assert counts.sum() == 7 and len(counts) % 2 == 1 and len(edges) == len(counts) + 1
    assert (low, high) == (-2, 7) and threshold >= 7
    with pytest.raises(ValueError, match="NaN or infinite"):
        collector.collect("a", mx.nd.array([np.nan]))


def _float_block() -> tuple[Any, Any]:
    net = nn.HybridSequential(prefix="q_")
    with net.name_scope():
        net.add(nn.Conv2D(8, 3, in_channels=3), nn.BatchNorm(in_channels=8), nn.Activation("relu"))
        net.add(nn.MaxPool2D(), nn.Conv2D(4, 3, in_channels=8), nn.Flatten(), nn.Dense(3, in_units=64))
    net.initialize(mx.init.Xavier())
    return net, mx.nd.random.uniform(shape=(10, 3, 14, 14))


@pytest.mark.parametrize(
    "options",
    [
        {"data_shapes": [mx.io.DataDesc("data", (10, 3, 14, 14))]},
        {"data_shapes": [("data", (2, 3, 14, 14))]},
        {"calib_mode": "naive"},
        {"calib_mode": "entropy", "quantized_dtype": "int8"},
        {"calib_mode": "naive", "quantize_mode": "smart", "quantize_granularity": "channel-wise"},
    ],
)
def test_blocks_become_blocks(options: dict[str, Any], tmp_path: Path) -> None:
    mx.random.seed(5)
    net, x = _float_block()
    expected = net(x).asnumpy()
    if "calib_mode" in options:  # the last batch is smaller, and labels are left out
        pairs = mx.gluon.data.ArrayDataset(x, mx.nd.arange(10))
        options = {**options, "calib_data": mx.gluon.data.DataLoader(pairs, 4)}
    small = quantization.quantize_net_v2(net, **options)
    out = small(x).asnumpy()
    allowed = 0.1 if options.get("calib_mode") != "entropy" else 0.5  # of few numbers, which it cuts
    assert np.abs(out - expected).max() < allowed * np.abs(expected).max()
    if options.get("quantize_granularity") != "channel-wise":  # whose weights are made in each call
        assert {str(one.dtype) for one in small.collect_params().values()} >= {"<class 'numpy.int8'>"}
    small.hybridize()
    small(x)
    small.export(str(tmp_path / "small"))
    files = [str(tmp_path / "small-symbol.json"), ["data"], str(tmp_path / "small-0000.params")]
    again = mx.gluon.SymbolBlock.imports(*files)
    np.testing.assert_allclose(again(x).asnumpy(), out, atol=1e-5)


def test_layers_of_blocks_stay_float() -> None:
    net, x = _float_block()
    data = mx.io.NDArrayIter(x, None, 5)

    def names(**options: Any) -> str:
        small = quantization.quantize_net_v2(net, calib_data=data, calib_mode="naive", **options)
        return " ".join(small.collect_params())

    every = names()
    assert "dense0_weight_quantize" in every and "conv0_weight_quantize" in every
    assert "dense0_weight_quantize" not in names(exclude_layers_match=["dense"])
    assert "dense0_weight_quantize" not in names(exclude_layers=["q_dense0_fwd"])
    rest = names(exclude_operators=["Convolution"])
    assert "conv0_weight_quantize" not in rest and "dense0_weight_quantize" in rest
    with pytest.warns(UserWarning, match="quantize_net_v2 has all options"):
        quantization.quantize_net(net, calib_data=data, calib_mode="naive")
    for error, message, options in (
        (ValueError, "calib_data and data_shapes are None", {}),
        (ValueError, "'naive' expects batches", {"calib_mode": "naive", "data_shapes": [("data", x.shape)]}),
        (ValueError, "calib_mode is 'some'", {"calib_mode": "some", "calib_data": data}),
        (ValueError, "no batch", {"calib_data": [], "calib_mode": "naive"}),
    ):
        with pytest.raises(error, match=message):
            quantization.quantize_net_v2(net, **options)
    with pytest.raises(TypeError, match="network is Sequential; expected a HybridBlock"):
        quantization.quantize_net_v2(nn.Sequential(), data_shapes=[("data", (1, 2))])  # type: ignore[arg-type]


@pytest.mark.parametrize("described", [(2, 3), ("data", (2, 3)), mx.io.DataDesc("data", (2, 3)), 2, "data"])
def test_shapes_of_blocks(described: Any) -> None:
    net = mx.gluon.nn.HybridSequential()
    net.add(mx.gluon.nn.Dense(2))
    net.initialize()

    def small() -> Any:
        return quantization.quantize_net_v2(net, calib_mode="none", data_shapes=[described])

    if isinstance(described, tuple):
        assert small()(mx.nd.ones((2, 3))).shape == (2, 2)
        return
    with pytest.raises(TypeError, match=r"\[quantize_net\] data_shapes has .*; expected DataDesc"):
        small()
