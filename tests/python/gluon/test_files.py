"""Files of parameters, graphs and trainers, written by real MXNet 1.9.1 (tests/data/gluon) and here."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.gluon import nn

DATA = Path(__file__).parents[2] / "data" / "gluon"
_spec = importlib.util.spec_from_file_location("gluon_networks", DATA / "networks.py")
assert _spec and _spec.loader
networks = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(networks)
ANSWERS = np.load(DATA / "answers.npz")
# docs/from-mxnet.md has them.
DIFFERENT = {"batch norm of the last axis/gamma", "selu/input"}
OPTIMIZERS: dict[str, dict[str, float]] = {
    "sgd": {"learning_rate": 0.1, "momentum": 0.9},
    "adam": {"learning_rate": 0.01},
}


def batch() -> tuple[Any, Any]:
    random = np.random.RandomState(1)
    return mx.nd.array(random.uniform(-1, 1, (6, 1, 8, 8))), mx.nd.array(random.randint(0, 3, 6))


def same(name: str, got: Any) -> None:
    if name in DIFFERENT:
        return
    np.testing.assert_allclose(got, ANSWERS[name], rtol=2e-4, atol=2e-5, err_msg=name)


@pytest.mark.parametrize("name", networks.layers(mx))
@pytest.mark.parametrize("hybrid", [False, True])
def test_layers_compute_what_mxnet_computes(name: str, hybrid: bool) -> None:
    everything = networks.layers(mx)
    number, (layer, shape) = list(everything).index(name), everything[name]
    values = np.random.RandomState(number).uniform(-2, 2, shape).astype(np.float32)
    x = mx.nd.array(np.abs(values).round() if name == "embedding" else values)
    layer.initialize()
    if hybrid:
        layer.hybridize()
    layer(x)
    networks.fill(mx, layer, number)
    x.attach_grad()
    with mx.autograd.record():
        y = layer(x)
        loss = (y * y * y).sum()
    loss.backward()
    same(f"{name}/output", y.asnumpy())
    if f"{name}/input" in ANSWERS:
        same(f"{name}/input", x.grad.asnumpy())
    for key, parameter in layer._collect_params_with_prefix().items():
        value = parameter.data() if parameter.grad_req == "null" else parameter.grad()
        same(f"{name}/{key}", value.asnumpy())


@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("hybrid", [False, True])
def test_training_takes_the_steps_of_mxnet(name: str, hybrid: bool) -> None:
    x, label = batch()
    net = networks.digits(mx)
    net.initialize()
    if hybrid:
        net.hybridize()
    net(x)
    networks.fill(mx, net, 7)
    trainer = mx.gluon.Trainer(net.collect_params(), name, OPTIMIZERS[name])
    same(f"{name}/losses", networks.train(mx, net, trainer, x, label, 4))
    same(f"{name}/later", networks.train(mx, net, trainer, x, label, 4))


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_states_of_mxnet_go_on(name: str) -> None:
    x, label = batch()
    net = networks.digits(mx)
    net.load_parameters(DATA / f"{name}.params")
    trainer = mx.gluon.Trainer(net.collect_params(), name, OPTIMIZERS[name])
    trainer.load_states(DATA / f"{name}.states")
    same(f"{name}/later", networks.train(mx, net, trainer, x, label, 4))


@pytest.mark.parametrize("store", [None, "device"])
def test_states_of_trainers_go_on(store: Any, tmp_path: Path) -> None:
    x, label = batch()
    losses = []
    for saved in (False, True):
        net = networks.digits(mx)
        net.load_parameters(DATA / "net.params", ctx=[mx.cpu(0), mx.cpu(1)] if store else None)
        make = [net.collect_params(), "sgd", OPTIMIZERS["sgd"], store]
        trainer = mx.gluon.Trainer(*make)
        parts = mx.gluon.utils.split_and_load(x, net.collect_params().list_ctx())
        labels = mx.gluon.utils.split_and_load(label, net.collect_params().list_ctx())
        loss_of = mx.gluon.loss.SoftmaxCrossEntropyLoss()
        for step in range(4):
            if step == 2 and saved:
                trainer.save_states(tmp_path / "trainer.states")
                trainer = mx.gluon.Trainer(*make)
                trainer.load_states(tmp_path / "trainer.states")
            with mx.autograd.record():
                found = [loss_of(net(one), truth) for one, truth in zip(parts, labels)]
            for loss in found:
                loss.backward()
            trainer.step(x.shape[0])
        losses.append(float(found[0].mean().asscalar()))
    assert losses[0] == losses[1]


def test_parameters_of_mxnet_are_read_and_written_to_the_byte(tmp_path: Path) -> None:
    x, _ = batch()
    net = networks.digits(mx)
    net.load_parameters(DATA / "net.params")
    same("net/output", net(x).asnumpy())
    net.save_parameters(tmp_path / "net.params")
    assert (tmp_path / "net.params").read_bytes() == (DATA / "net.params").read_bytes()
    net = networks.digits(mx)
    net.collect_params().load(DATA / "prefixed.params")
    same("net/output", net(x).asnumpy())
    net.collect_params().save(tmp_path / "prefixed.params")
    assert (tmp_path / "prefixed.params").read_bytes() == (DATA / "prefixed.params").read_bytes()


def test_what_is_exported_is_what_mxnet_exports(tmp_path: Path) -> None:
    x, _ = batch()
    net = networks.digits(mx)
    net.load_parameters(DATA / "net.params")
    with pytest.raises(RuntimeError, match="first call hybridize"):
        net.export(tmp_path / "exported")
    # As for MXNet's, whose shapes were not known when its graph was made.
    fresh = networks.digits(mx)
    fresh.initialize()
    fresh.hybridize()
    fresh(x)
    networks.fill(mx, fresh, 7)
    fresh.export(tmp_path / "exported", 3)
    name = "exported-0003.params"
    assert (tmp_path / name).read_bytes() == (DATA / name).read_bytes()
    ours, theirs = (json.loads((folder / "exported-symbol.json").read_text()) for folder in (tmp_path, DATA))
    for part in ("nodes", "arg_nodes", "heads"):
        assert ours[part] == theirs[part]


@pytest.mark.parametrize("hybrid", [False, True])
def test_exported_graphs_of_mxnet_are_blocks(hybrid: bool) -> None:
    x, _ = batch()
    files = str(DATA / "exported-symbol.json"), "data", str(DATA / "exported-0003.params")
    block = mx.gluon.SymbolBlock.imports(*files)
    if hybrid:
        block.hybridize()
    same("net/output", block(x).asnumpy())
    assert repr(block) == "SymbolBlock(\n<Symbol net_head_dense1_fwd> : 1 -> 1\n)"
    trainer = mx.gluon.Trainer(block.collect_params(), "sgd", OPTIMIZERS["sgd"])
    _, label = batch()
    same("sgd/losses", networks.train(mx, block, trainer, x, label, 4))
    again = mx.gluon.SymbolBlock.imports(files[0], ["data"])
    again.initialize(mx.init.Normal())
    assert again(x).shape == (6, 3)
    module = mx.mod.Module.load(str(DATA / "exported"), 3, label_names=None)
    module.bind([("data", x.shape)], for_training=False)
    module.forward(mx.io.DataBatch([x], None), is_train=False)
    same("net/output", module.get_outputs()[0].asnumpy())


REFUSALS = {
    "missing": (lambda net, file: net.load_parameters(file), AssertionError, "'0.bias' is missing"),
    "missing by name": (
        lambda net, file: net.collect_params().load(file), AssertionError, "is missing in file",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSALS)
def test_files_that_do_not_fit(case: str, tmp_path: Path) -> None:
    run, error, message = REFUSALS[case]
    file = tmp_path / "some.params"
    mx.nd.save(str(file), {"0.weight": mx.nd.ones((2, 3)), "1.weight": mx.nd.ones((1, 2))})
    net = nn.HybridSequential()
    net.add(nn.Dense(2, in_units=3))
    with pytest.raises(error, match=message):
        run(net, str(file))
    with pytest.raises(ValueError, match=r"'1\.weight' of the file .* is not present"):
        net.load_parameters(str(file), allow_missing=True)
    with pytest.raises(RuntimeError, match="has not been initialized"):
        net[0].bias.data()
    net.load_parameters(str(file), allow_missing=True, ignore_extra=True)
    assert net[0].weight.data().asnumpy().tolist() == [[1, 1, 1], [1, 1, 1]]
    other = nn.HybridSequential()
    other.add(nn.Dense(2, in_units=4))
    with pytest.raises(AssertionError, match=r"saved shape \(2, 3\) .* incompatible .* shape \(2, 4\)"):
        other.load_parameters(str(file), allow_missing=True, ignore_extra=True)
    half = nn.HybridSequential()
    half.add(nn.Dense(2, in_units=3, dtype="float16"))
    options = {"allow_missing": True, "ignore_extra": True}
    with pytest.raises(AssertionError, match=r"saved dtype .* is float32; expected float16"):
        half.load_parameters(str(file), **options)
    half.load_parameters(str(file), cast_dtype=True, **options)
    assert half[0].weight.data().dtype == np.float16
    half.load_parameters(str(file), cast_dtype=True, dtype_source="saved", **options)
    assert half[0].weight.data().dtype == np.float32


def test_shared_parameters_are_written_once(tmp_path: Path) -> None:
    def make() -> Any:
        net = nn.HybridSequential()
        net.add(nn.Dense(3, in_units=3))
        net.add(nn.Dense(3, in_units=3, params=net[0].params))
        return net

    net = make()
    net.initialize()
    net.save_parameters(tmp_path / "all.params")
    net.save_parameters(tmp_path / "once.params", deduplicate=True)
    assert sorted(mx.nd.load(str(tmp_path / "once.params"))) == ["1.bias", "1.weight"]
    assert len(mx.nd.load(str(tmp_path / "all.params"))) == 4
    other = make()
    other.load_parameters(tmp_path / "once.params")
    assert (other[0].weight.data() == net[0].weight.data()).asnumpy().all()


def test_old_names_of_functions_warn(tmp_path: Path) -> None:
    net = nn.Dense(2, in_units=3, prefix="net_")
    net.initialize()
    with pytest.warns(UserWarning, match="save_params is deprecated"):
        net.save_params(str(tmp_path / "old.params"))
    assert sorted(mx.nd.load(str(tmp_path / "old.params"))) == ["bias", "weight"]
    with pytest.warns(UserWarning, match="load_params is deprecated"):
        net.load_params(str(tmp_path / "old.params"))


def small(prefix: str) -> Any:
    net = nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        inner = nn.HybridSequential()
        with inner.name_scope():
            inner.add(nn.Dense(3, in_units=2))
        net.add(nn.Dense(2, in_units=4, activation="relu"), nn.BatchNorm(in_channels=2), inner)
    return net


@pytest.mark.parametrize("hybrid", [False, True])
def test_names_and_graphs_are_saved(hybrid: bool, tmp_path: Path) -> None:
    x = mx.nd.ones((1, 4))
    net = small("one_")
    net.initialize()
    net.hybridize(hybrid)
    expected = net(x).asnumpy()
    net.save(str(tmp_path / "net"))
    model = json.loads((tmp_path / "net-model.json").read_text())
    assert list(model) == ["hybridsequential0"] and model["hybridsequential0"]["orig_name"] == "one"
    assert model["hybridsequential0"]["children"]["one_dense0"] == "0"
    inner = model["hybridsequential0"]["hybridsequential4"]
    assert inner["dense5"] == {
        "orig_name": "one_hybridsequential0_dense0",
        "hybridized": False,  # as a part of the graph above
        "children": {},
    }
    assert ("symbol" in model["hybridsequential0"]) is hybrid
    other = small("two_")
    other.load(str(tmp_path / "net"))
    assert other.name == "one" and list(other.collect_params()) == list(net.collect_params())
    assert other._active is hybrid and bool(other._cached_graph) is hybrid
    np.testing.assert_array_equal(other(x).asnumpy(), expected)
    longer = small("three_")
    longer.add(nn.Dense(1))
    with pytest.raises(mx.MXNetError, match="has no child '3' of 'one'"):
        longer.load(str(tmp_path / "net"))
    assert longer.name == "three"
    (tmp_path / "bad-model.json").write_text("[1]")
    with pytest.raises(mx.MXNetError, match=r"is no file of Block\.save"):
        other.load(str(tmp_path / "bad"))


def _small(prefix: str | None = None) -> nn.HybridSequential:
    net = nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        net.add(nn.Dense(2, in_units=3), nn.BatchNorm(in_channels=2))
    return net


def test_files_of_other_networks_say_what_to_do(tmp_path: Path) -> None:
    net = _small("one_")
    net.initialize()
    net.hybridize()
    y = net(mx.nd.ones((1, 3))).asnumpy()
    net.export(str(tmp_path / "net"))
    symbol, weights = str(tmp_path / "net-symbol.json"), str(tmp_path / "net-0000.params")
    file = str(tmp_path / "net.params")
    net.save_parameters(file)
    again = _small("one_")
    again.load_parameters(weights)
    assert again(mx.nd.ones((1, 3))).asnumpy().tolist() == y.tolist()
    other = _small("two_")
    prefix = "the same prefix, which is 'one_' in the file and 'two_' here: make this one with prefix='one_'"
    for load in (other.load_parameters, other.collect_params().load):
        with pytest.raises(AssertionError, match=prefix) as caught:
            load(weights)
        assert "'arg:one_dense0_weight'" in str(caught.value)
        assert "SymbolBlock.imports reads with its -symbol.json" in str(caught.value)
    with pytest.raises(AssertionError, match=r"save_parameters wrote the file, which load_parameters of a"):
        mx.gluon.SymbolBlock.imports(symbol, ["data"], file)
    with pytest.raises(AssertionError, match=r"-symbol\.json has no variable 'x'.*parameter 'data' is miss"):
        mx.gluon.SymbolBlock.imports(symbol, ["x"], weights)
    outer = nn.HybridSequential()
    outer.add(net)
    outer.save_parameters(str(tmp_path / "outer.params"))
    with pytest.raises(AssertionError, match=r"a block that has this one as '0' wrote the file"):
        net.load_parameters(str(tmp_path / "outer.params"))
    wide = nn.HybridSequential()
    wide.add(nn.Dense(5, in_units=3))
    with pytest.raises(AssertionError, match=r"layers can then be replaced, as net\.output"):
        wide.load_parameters(file, ignore_extra=True)
    narrow = nn.HybridSequential()
    narrow.add(nn.Dense(2, in_units=3))
    with pytest.raises(ValueError, match=r"the file is of another network; ignore_extra=True leaves it"):
        narrow.load_parameters(file)
    mx.nd.save(file, [mx.nd.ones(2)])
    with pytest.raises(ValueError, match=r"holds 1 arrays without names; expected those of save_parameters"):
        net.load_parameters(file)
