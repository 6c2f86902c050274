"""Modules and FeedForward: refusals, files, interrupted runs. Their numbers are held to MXNet elsewhere."""

from __future__ import annotations

import argparse
import importlib.util
import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from training import interrupted

import mixgrad as mx

SHAPES = ([("data", (8, 5))], [("softmax_label", (8,))])


def net(hidden: int = 4) -> Any:
    x = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=hidden, name="fc1")
    x = mx.sym.BatchNorm(mx.sym.Activation(x, act_type="relu"), name="bn")
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(x, num_hidden=3, name="fc2"), name="softmax")


def data(rows: int = 40, **options: Any) -> Any:
    rng = np.random.RandomState(0)
    x = rng.randn(rows, 5)
    return mx.io.NDArrayIter(x, x[:, :3].argmax(1), 8, **options)


def bound(devices: int = 1, **options: Any) -> Any:
    mod = mx.mod.Module(net(), context=[mx.cpu(i) for i in range(devices)], **options)
    mod.bind(*SHAPES)
    return mod


def ready(devices: int = 1) -> Any:
    mod = bound(devices)
    mod.init_params(mx.init.Xavier())
    mod.init_optimizer(optimizer="adam", kvstore="device")
    return mod


def steps(mod: Any, count: int) -> None:
    batches = data()
    for _ in range(count):
        mod.forward_backward(batches.next())
        mod.update()


def params(mod: Any) -> dict[str, Any]:
    return {name: value.asnumpy() for part in mod.get_params() for name, value in part.items()}


def same(a: dict[str, Any], b: dict[str, Any]) -> bool:
    return sorted(a) == sorted(b) and all((a[name] == b[name]).all() for name in a)


# Refusals.


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda m: m.forward(None), "call bind first"),
        (lambda m: (m.bind(*SHAPES), m.forward(None)), "call init_params first"),
        (lambda m: (m.bind(*SHAPES), m.init_params(), m.update()), "call init_optimizer first"),
        (lambda m: m.get_params(), "call init_params first"),
        (lambda m: m.data_shapes, "call bind first"),
        (lambda m: m.init_params(), "call bind first"),
        (lambda m: m.bind([("x", (8, 5))], SHAPES[1]), r"data_shapes name \['x'\]; expected \['data'\]"),
        (lambda m: m.bind([("data", (8, 5))], [("softmax_label", (7,))]), "a batch of 7; expected 8"),
        (lambda m: m.bind(*SHAPES, grad_req=3), "expected str, list or dict"),
        (lambda m: m.bind(*SHAPES, grad_req=["write"]), "1 entries for"),
        (lambda m: m.bind(*SHAPES, for_training=False, inputs_need_grad=True), "needs for_training"),
        (lambda m: (m.bind(*SHAPES), m.init_params(arg_params={})), "'bn_beta' is missing"),
        (lambda m: m.fit(data()), "num_epoch is None"),
        (
            lambda m: (m.bind(*SHAPES), m.init_params(), m.init_optimizer(optimizer=3)),
            "init_optimizer. optimizer is int",
        ),
        (lambda m: (m.bind(*SHAPES), m.init_params(), m.predict([None])), "expected a DataIter"),
        (lambda m: (m.bind(*SHAPES), m.init_params(), m.get_input_grads()), "inputs_need_grad"),
        (lambda m: (m.bind(*SHAPES), m.init_params(), m.set_states()), "states or value"),
    ],
)
def test_refusals_say_what_to_do(call: Any, match: str) -> None:
    with pytest.raises((ValueError, TypeError), match=match):
        call(mx.mod.Module(net()))


def test_names_that_the_graph_has_not() -> None:
    with pytest.raises(ValueError, match="no argument 'x'; inputs seem to be data, softmax_label"):
        mx.mod.Module(net(), data_names=["x"])
    with pytest.warns(UserWarning, match="no argument 'label'"):
        mx.mod.Module(net(), label_names=["label"])
    with pytest.raises(ValueError, match="fixed_param_names"):
        mx.mod.Module(net(), fixed_param_names=["fc9_weight"])


def test_a_batch_too_small_for_the_devices() -> None:
    with pytest.raises(ValueError, match="2 examples over 3 devices"):
        mx.mod.Module(net(), context=[mx.cpu(i) for i in range(3)]).bind(
            [("data", (2, 5))], [("softmax_label", (2,))]
        )
    with pytest.raises(ValueError, match="expected 2 entries"):
        mx.mod.Module(net(), context=[mx.cpu(0), mx.cpu(1)], work_load_list=[1])


def test_groups_of_nodes_on_devices() -> None:
    with mx.AttrScope(ctx_group="first"):
        x = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=4, name="fc1")
    with mx.AttrScope(ctx_group="last"):
        out = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(x, num_hidden=3, name="fc2"), name="softmax")
    whole = mx.mod.Module(out)
    parted = mx.mod.Module(
        out,
        context=[mx.cpu(0), mx.cpu(2)],
        group2ctxs={"first": [mx.cpu(0), mx.cpu(2)], "last": [mx.cpu(1), mx.cpu(3)]},
    )
    for mod in (whole, parted):
        mod.bind(*SHAPES)
    whole.init_params(mx.init.Xavier())
    parted.init_params(arg_params=whole.get_params()[0], aux_params={})
    weights = [e.arg_dict["fc2_weight"].context for e in parted._exec_group.execs]
    assert weights == [mx.cpu(1), mx.cpu(3)]
    for mod in (whole, parted):
        mod.init_optimizer(kvstore="device", optimizer_params={"learning_rate": 0.1, "momentum": 0.9})
        steps(mod, 4)
    for name, value in params(whole).items():
        np.testing.assert_allclose(params(parted)[name], value, rtol=1e-4, atol=1e-6)


def test_groups_that_do_not_fit_the_devices() -> None:
    with pytest.raises(ValueError, match="2 entries for 1"):
        bound(group2ctxs=[{}, {}])
    with pytest.raises(ValueError, match="expected 1 or 2"):
        bound(2, group2ctxs={"a": [mx.cpu(i) for i in range(3)]})
    with pytest.raises(TypeError, match="expected a dict"):
        bound(group2ctxs=3)


def test_unequal_shares_of_the_work() -> None:
    mod = mx.mod.Module(net(), context=[mx.cpu(0), mx.cpu(1)], work_load_list=[1, 3])
    mod.bind(*SHAPES)
    mod.init_params()
    mod.forward(data().next(), is_train=False)
    parts = mod.get_outputs(merge_multi_context=False)[0]
    assert [(p.shape[0], p.context) for p in parts] == [(2, mx.cpu(0)), (6, mx.cpu(1))]


def test_an_optimizer_with_another_scale_is_warned_of() -> None:
    mod = bound()
    mod.init_params()
    with pytest.warns(UserWarning, match="Is this intended"):
        mod.init_optimizer(optimizer=mx.optimizer.SGD())
    mod.init_optimizer(optimizer="adam")  # ignored
    assert isinstance(mod._optimizer, mx.optimizer.SGD)
    mod.init_optimizer(optimizer="adam", force_init=True)
    assert isinstance(mod._optimizer, mx.optimizer.Adam)


def test_params_handed_over() -> None:
    mod = bound()
    mod.init_params()
    args, auxs = mod.get_params()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mod.set_params({**args, "extra": mx.nd.ones((1,))}, auxs)  # left out, as in MXNet
    with pytest.raises(ValueError, match="missing"):
        mod.set_params({}, auxs)
    some = {"fc1_bias": mx.nd.full((4,), 7)}
    mod.set_params(some, {}, allow_missing=True)
    assert params(mod)["fc1_bias"].tolist() == [7] * 4
    with pytest.raises(ValueError):
        mod.set_params({"extra": mx.nd.ones((1,))}, {}, allow_missing=True)
    mod.set_params({"extra": mx.nd.ones((1,))}, {}, allow_missing=True, allow_extra=True)
    with pytest.warns(UserWarning, match="ignored"):
        mod.init_params()


def test_binding_again_keeps_what_was_learnt() -> None:
    mod = ready()
    steps(mod, 3)
    before = params(mod)
    steps(mod, 1)
    after = params(mod)
    assert not same(before, after)
    mod.bind([("data", (3, 5))], [("softmax_label", (3,))], force_rebind=True, for_training=False)
    assert same(params(mod), after)
    assert mod.predict(np.zeros((3, 5))).shape == (3, 3)


def test_batches_of_other_shapes() -> None:
    mod = ready()
    mod.forward(mx.io.DataBatch([mx.nd.ones((3, 5))]), is_train=False)  # without labels
    assert mod.get_outputs()[0].shape == (3, 3) and mod.data_shapes[0].shape == (3, 5)
    steps(mod, 2)
    with pytest.raises(ValueError, match="fc1_weight"):
        mod.forward(mx.io.DataBatch([mx.nd.ones((8, 4))]), is_train=False)


def test_fixed_parameters_stay() -> None:
    mod = bound(fixed_param_names=["fc1_weight"])
    mod.init_params(mx.init.One())
    mod.init_optimizer()
    steps(mod, 3)
    assert (params(mod)["fc1_weight"] == 1).all() and not (params(mod)["fc2_weight"] == 1).all()


def test_a_list_of_batches_holds_one_per_device() -> None:
    whole, parts = ready(2), ready(2)
    parts.set_params(*whole.get_params())
    batch = data().next()
    whole.forward_backward(batch)
    halves = [mx.io.DataBatch([batch.data[0][s]], [batch.label[0][s]], 0) for s in (slice(0, 4), slice(4, 8))]
    parts.forward_backward(halves)
    np.testing.assert_array_equal(parts.get_outputs()[0].asnumpy(), whole.get_outputs()[0].asnumpy())
    metric = mx.metric.Accuracy()
    parts.update_metric(metric, [h.label for h in halves], pre_sliced=True)
    assert metric.num_inst == 8


# Files and interrupted runs.


@pytest.mark.parametrize("devices", [1, 2])
def test_a_resumed_module_equals_one_that_went_on(tmp_path: Path, devices: int) -> None:
    prefix = str(tmp_path / "net")
    mod = ready(devices)
    steps(mod, 3)
    mod.save_checkpoint(prefix, 3, save_optimizer_states=True)
    names = ["net-0003.params", "net-0003.states", "net-symbol.json"]
    assert sorted(p.name for p in tmp_path.iterdir()) == names
    mod.set_params(*mod.get_params())  # as fit does after an epoch: states become those of all devices
    steps(mod, 3)
    again = mx.mod.Module.load(
        prefix, 3, load_optimizer_states=True, context=[mx.cpu(i) for i in range(devices)]
    )
    again.bind(*SHAPES)
    again.init_optimizer(optimizer="adam", kvstore="device")
    steps(again, 3)
    assert same(params(again), params(mod))


def test_params_files(tmp_path: Path) -> None:
    mod, other = ready(), ready()
    path = str(tmp_path / "p")
    mod.save_params(path)
    other.load_params(path)
    assert same(params(mod), params(other))
    mx.nd.save(path, {"w": mx.nd.ones((1,))})
    with pytest.raises(ValueError, match="expected arg:<name>"):
        other.load_params(path)


def bucket(length: int) -> Any:
    x = mx.sym.mean(mx.sym.Variable("data"), axis=1)
    out = mx.sym.FullyConnected(x, num_hidden=3, name="fc")
    return mx.sym.SoftmaxOutput(out, name="softmax"), ("data",), ("softmax_label",)


def bucket_batch(length: int) -> Any:
    rng = np.random.RandomState(length)
    x, y = mx.nd.array(rng.randn(4, length, 2)), mx.nd.array(rng.randint(0, 3, 4))
    shapes = {"provide_data": [("data", x.shape)], "provide_label": [("softmax_label", (4,))]}
    return mx.io.DataBatch([x], [y], 0, bucket_key=length, **shapes)


def test_buckets_and_their_files(tmp_path: Path) -> None:
    mod = mx.mod.BucketingModule(bucket, 5)
    with pytest.raises(ValueError, match="call bind first"):
        mod.forward(bucket_batch(5))
    mod.bind(bucket_batch(5).provide_data, bucket_batch(5).provide_label)
    mod.init_params(mx.init.Xavier())
    mod.init_optimizer(optimizer="adam")
    for length in (5, 2, 3, 2):
        mod.forward_backward(bucket_batch(length))
        mod.update()
    prefix = str(tmp_path / "net")
    mod.save_checkpoint(prefix, 2, save_optimizer_states=True)
    again = mx.mod.BucketingModule.load(prefix, 2, bucket, 5)
    again.bind(bucket_batch(5).provide_data, bucket_batch(5).provide_label)
    again.init_optimizer(optimizer="adam")
    again.load_optimizer_states(f"{prefix}-0002.states")
    for one in (mod, again):
        for length in (3, 4):
            one.forward_backward(bucket_batch(length))
            one.update()
    assert same(params(mod), params(again))
    with pytest.raises(ValueError, match="no graph for the bucket 9"):
        mx.mod.BucketingModule.load(prefix, 2, bucket, 9)
    with pytest.raises(ValueError, match="default_bucket_key is None"):
        mx.mod.BucketingModule(bucket)


def test_chains_refuse_names_used_twice() -> None:
    part = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=5, name="fc")
    mod = mx.mod.SequentialModule()
    with pytest.raises(ValueError, match="call add first"):
        mod.bind(*SHAPES)
    mod.add(mx.mod.Module(part, label_names=None)).add(
        mx.mod.Module(part, label_names=None), auto_wiring=True
    )
    mod.bind(*SHAPES)
    with pytest.raises(ValueError, match="both have a parameter 'fc_weight'"):
        mod.init_params()
    with pytest.raises(ValueError, match="unknown option 'take_label'"):
        mod.add(mx.mod.Module(part, label_names=None), take_label=True)


def test_killed_training_ends_where_it_would_have(tmp_path: Path) -> None:
    whole = interrupted.run(tmp_path / "whole", interrupted.EPOCHS)
    rng = np.random.RandomState(0)
    kills = interrupted.run_with_kills(tmp_path / "torn", rng, most=4)
    assert kills > 0
    torn = interrupted.parameters(tmp_path / "torn")
    assert same(torn, whole)


# FeedForward.


def feedforward(**options: Any) -> Any:
    settings = {"num_epoch": 4, "learning_rate": 0.5, "numpy_batch_size": 8, "initializer": mx.init.Xavier()}
    return mx.model.FeedForward(net(), **{**settings, **options})


def arrays(rows: int = 80) -> Any:
    rng = np.random.RandomState(0)
    x = rng.randn(rows, 5).astype("float32")
    return x, x[:, :3].argmax(1)


def test_feedforward_learns_saves_and_goes_on(tmp_path: Path) -> None:
    x, y = arrays()
    model = feedforward(ctx=[mx.cpu(0), mx.cpu(1)])
    prefix = str(tmp_path / "net")
    model.fit(x, y, epoch_end_callback=mx.callback.do_checkpoint(prefix))
    assert model.score((x, y)) > 0.6  # 0.71 to 0.88 with other seeds; 0.33 by chance
    assert mx.model.last_checkpoint(prefix) == 4
    again = mx.model.FeedForward.load(prefix, 4, num_epoch=5, numpy_batch_size=8, learning_rate=0.1)
    np.testing.assert_array_equal(again.predict(x), model.predict(x))
    again.fit(x, y)
    again.save(prefix)
    assert mx.model.last_checkpoint(prefix) == 5
    copied = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copied.predict(mx.nd.array(x)), model.predict(x))


def test_feedforward_create_with_iterators_and_epochs_by_batches() -> None:
    seen: list[int] = []
    model = mx.model.FeedForward.create(
        net(),
        data(shuffle=True),
        num_epoch=2,
        epoch_size=7,
        eval_data=data(),
        eval_metric="ce",
        batch_end_callback=lambda param: seen.append(param.nbatch),
        optimizer=mx.optimizer.SGD(learning_rate=0.1, rescale_grad=1 / 8),
    )
    assert seen == [1, 2, 3, 4, 5, 6, 7] * 2
    outputs, examples, labels = model.predict(data(rows=20), return_data=True)
    assert outputs.shape == (20, 3) and examples.shape == (20, 5) and labels.shape == (20,)
    assert model.predict(data(rows=20), num_batch=1).shape == (8, 3)


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: feedforward().predict(np.zeros((2, 5))), "call fit first"),
        (lambda: feedforward().fit(np.zeros((2, 5))), "y is missing"),
        (lambda: feedforward().fit(np.zeros((2, 5)), np.zeros(3)), "one label per example"),
        (lambda: feedforward().fit(3), "expected a DataIter"),
        (lambda: feedforward(num_epoch=None).fit(*arrays()), "num_epoch is None"),
        (lambda: feedforward(optimizer=3).fit(*arrays()), "optimizer is int"),
        (lambda: feedforward().fit(*arrays(), eval_data=3), "pair of examples"),
        (lambda: feedforward().save("x"), "call fit first"),
        (lambda: mx.model.FeedForward(3), "expected a Symbol or a function"),
    ],
)
def test_feedforward_refusals(call: Any, match: str) -> None:
    with pytest.raises((ValueError, TypeError), match=match):
        call()


def test_feedforward_with_a_graph_per_bucket() -> None:
    class Buckets(mx.io.DataIter):
        default_bucket_key = 5
        provide_data, provide_label = [("data", (4, 5, 2))], [("softmax_label", (4,))]

        def __init__(self) -> None:
            super().__init__(4)
            self.reset()

        def reset(self) -> None:
            self.left = [5, 2, 3, 2]

        def next(self) -> mx.io.DataBatch:
            if not self.left:
                raise StopIteration
            return bucket_batch(self.left.pop(0))

    model = mx.model.FeedForward(lambda key: bucket(key)[0], num_epoch=2, learning_rate=0.1)
    model.fit(Buckets(), eval_data=Buckets())
    assert sorted(model.arg_params) == ["fc_bias", "fc_weight"]


# The example.


def load_example() -> Any:
    path = Path(__file__).parents[3] / "examples" / "train_digits.py"
    spec = importlib.util.spec_from_file_location("train_digits", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_example_learns_digits_on_two_devices(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    options = argparse.Namespace(
        network="mlp", mnist=None, devices=2, kv_store="device", batch_size=50, lr=0.1, seed=0
    )
    example = load_example()
    first = argparse.Namespace(**vars(options), epochs=2, prefix=str(tmp_path / "d"))
    example.train(first)
    assert example.train(argparse.Namespace(**{**vars(first), "epochs": 12})) > 0.93
    assert mx.model.last_checkpoint(str(tmp_path / "d")) == 12


def test_shapes_may_come_from_any_iterable() -> None:
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    mod = mx.mod.Module(net, label_names=None)
    mod.bind(zip(["data"], [(3, 4)]))
    assert mod.output_shapes == [("fc_output", (3, 2))]


def test_groups_that_share_parameters_share_inputs() -> None:
    # Pairs describe inputs, as in MXNet, and the arrays of inputs are lent to later groups.
    net = mx.sym.SoftmaxOutput(
        mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc"), name="softmax"
    )
    make = mx.mod.executor_group.DataParallelExecutorGroup
    places = [mx.cpu(0), mx.cpu(1)]

    def group(size: int, shared: Any = None) -> Any:
        pairs = [("data", (size, 3))], [("softmax_label", (size,))]
        names = ["fc_weight", "fc_bias"]
        return make(net, places, [1, 1], *pairs, names, True, False, shared_group=shared)

    large = group(8)
    small = group(4, large)
    assert small.data_shapes == [("data", (4, 3))] and small.slices == [slice(0, 2), slice(2, 4)]
    assert small.shared_data_arrays is large.shared_data_arrays
    assert sorted(large.shared_data_arrays[0]) == ["data", "softmax_label"]
    for i in range(2):
        lent = large.execs[i].arg_dict["data"]
        lent[:] = i + 1
        assert small.execs[i].arg_dict["data"].asnumpy().tolist() == [[i + 1.0] * 3] * 2
