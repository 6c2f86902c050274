"""Symbols: composition, names, attributes, inference, operators."""

from __future__ import annotations

import copy
import pickle
import threading
from typing import Any

import numpy as np
import pytest

import mixgrad as mx


def mlp() -> mx.Symbol:
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=8, name="fc1")
    net = mx.sym.Activation(net, act_type="relu", name="relu1")
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(net, num_hidden=3, name="fc2"), name="softmax")


def test_lists_and_parts() -> None:
    net = mlp()
    assert net.list_arguments() == [
        "data",
        "fc1_weight",
        "fc1_bias",
        "fc2_weight",
        "fc2_bias",
        "softmax_label",
    ]
    assert net.list_outputs() == ["softmax_output"]
    assert net.list_auxiliary_states() == []
    assert net.list_inputs() == net.list_arguments()
    assert net.name == "softmax"
    assert repr(net) == "<Symbol softmax>"
    inner = net.get_internals()
    assert inner["fc1_output"].list_arguments() == ["data", "fc1_weight", "fc1_bias"]
    assert len(inner) == len(inner.list_outputs()) == 10
    children = net.get_children()
    assert children is not None
    assert children.list_outputs() == ["fc2_output", "softmax_label"]
    assert mx.sym.var("x").get_children() is None


def test_indexing() -> None:
    parts = mx.sym.SliceChannel(mx.sym.var("x"), num_outputs=3, name="parts")
    assert parts.list_outputs() == ["parts_output0", "parts_output1", "parts_output2"]
    assert [p.list_outputs()[0] for p in parts] == parts.list_outputs()
    assert parts["parts_output1"].list_outputs() == parts[1].list_outputs() == parts[-2].list_outputs()
    assert parts[1:].list_outputs() == ["parts_output1", "parts_output2"]
    for bad, error in ((3, IndexError), ("parts", ValueError), (1.5, TypeError)):
        with pytest.raises(error):
            parts[bad]  # type: ignore[index]
    with pytest.raises(ValueError, match="has 3 outputs"):
        mx.sym.relu(parts)


def test_one_visible_output_of_several_is_numbered() -> None:
    x = mx.sym.Variable("x")
    assert mx.sym.contrib.box_nms(x, name="kept").list_outputs() == ["kept_output0"]
    assert mx.sym.topk(x, ret_typ="value", name="most").list_outputs() == ["most_output0"]
    assert mx.sym.topk(x, name="place").list_outputs() == ["place_output"]
    assert mx.sym.BatchNorm(x, name="norm").list_outputs() == ["norm_output"]


def test_groups() -> None:
    a, b = mx.sym.var("a"), mx.sym.var("b")
    group = mx.sym.Group([a + b, mx.sym.SliceChannel(a, num_outputs=2, name="s")])
    assert group.name is None
    assert len(group) == 3
    assert group.list_arguments() == ["a", "b"]
    assert "group" in repr(group)
    for bad in ([], [1], None):
        with pytest.raises(TypeError):
            mx.sym.Group(bad)  # type: ignore[arg-type]


def test_composition_by_keyword_and_call() -> None:
    top = mx.sym.FullyConnected(num_hidden=3, name="fc2")
    assert top.list_arguments() == ["fc2_data", "fc2_weight", "fc2_bias"]
    below = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=8, name="fc1")
    whole = top(fc2_data=below, name="whole")
    assert whole.list_arguments() == ["data", "fc1_weight", "fc1_bias", "fc2_weight", "fc2_bias"]
    assert whole.name == "whole"
    assert top.list_arguments() == ["fc2_data", "fc2_weight", "fc2_bias"]
    assert top(below).list_arguments() == whole.list_arguments()
    with pytest.raises(ValueError, match="nearest: fc2_data"):
        top(fc2_dat=below)
    with pytest.raises(TypeError):
        top(1)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        top(below, fc2_data=below)


def test_inputs_by_keyword() -> None:
    weight = mx.sym.var("shared")
    net = mx.sym.FullyConnected(data=mx.sym.var("x"), weight=weight, num_hidden=4, no_bias=True, name="fc")
    assert net.list_arguments() == ["x", "shared"]
    joined = mx.sym.Concat(mx.sym.var("a"), mx.sym.var("b"), dim=0)
    assert joined.attr("num_args") == "2"
    assert mx.sym.concat(*[mx.sym.var("a"), mx.sym.var("b")]).list_arguments() == ["a", "b"]
    assert mx.sym.stack([mx.sym.var("a"), mx.sym.var("b")]).list_arguments() == ["a", "b"]
    with pytest.raises(TypeError, match="expected Symbol"):
        mx.sym.FullyConnected(mx.nd.ones((2, 2)), num_hidden=2)
    with pytest.raises(ValueError, match="nearest: num_hidden"):
        mx.sym.FullyConnected(mx.sym.var("x"), num_hiden=2)
    with pytest.raises(ValueError, match="num_hidden"):
        mx.sym.FullyConnected(mx.sym.var("x"))


def test_one_function_serves_arrays_and_symbols() -> None:
    x = mx.sym.var("x")
    net = mx.nd.FullyConnected(x, num_hidden=4, no_bias=True, name="fc")
    assert net.list_arguments() == ["x", "fc_weight"]
    assert net.list_attr() == {"num_hidden": "4", "no_bias": "True"}
    assert mx.nd.relu(mx.nd.array([-1.0, 2.0])).asnumpy().tolist() == [0.0, 2.0]
    assert isinstance(mx.nd.add_n(x, x), mx.Symbol)
    with pytest.raises(TypeError, match="another a Symbol"):
        mx.nd.elemwise_add(x, mx.nd.ones((2,)))
    with pytest.raises(TypeError, match="expected NDArray"):
        mx.nd.relu(3)  # type: ignore[arg-type]


def test_automatic_names() -> None:
    x = mx.sym.var("x")
    with mx.name.NameManager():
        assert [mx.sym.relu(x).name, mx.sym.relu(x).name, (x + 1).name] == ["relu0", "relu1", "_plusscalar0"]
        with mx.name.Prefix("net_"):
            assert mx.sym.relu(x).name == "net_relu0"
            assert mx.sym.relu(x, name="own").name == "net_own"
        assert mx.sym.relu(x).name == "relu2"
        assert (
            mx.sym.contrib.quadratic(x).name == "quadratic0" if hasattr(mx.sym.contrib, "quadratic") else True
        )

    class Loud(mx.name.NameManager):
        def get(self, name: Any, hint: str) -> str:
            return super().get(name, hint).upper()

    with Loud() as manager:
        assert mx.sym.relu(x).name == "RELU0"
        assert mx.name.NameManager.current is manager


def test_names_and_scopes_belong_to_threads() -> None:
    names: list[Any] = []

    def work() -> None:
        names.append(mx.sym.relu(mx.sym.var("x")).attr("ctx_group"))

    with mx.AttrScope(ctx_group="here"):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert names == [None]


def test_attributes() -> None:
    with mx.AttrScope(ctx_group="dev1", __note__="outer"):
        data = mx.sym.var("data", lr_mult=2)
        with mx.AttrScope(__note__="inner"):
            net = mx.sym.FullyConnected(data, num_hidden=3, name="fc", attr={"__own__": "1"})
    assert data.attr("lr_mult") == data.attr("__lr_mult__") == "2"
    assert data.attr("__note__") == "outer"
    assert net.list_attr() == {
        "num_hidden": "3",
        "__ctx_group__": "dev1",
        "ctx_group": "dev1",
        "__note__": "inner",
        "__own__": "1",
    }
    assert net.attr_dict()["fc_weight"]["ctx_group"] == "dev1"
    assert net.attr("none") is None
    net._set_attr(lr_mult=3, __more__="x")
    assert net.attr("__lr_mult__") == "3"
    assert mx.sym.FullyConnected(data, num_hidden=3, lr_mult=0.5).attr("lr_mult") == "0.5"
    with pytest.raises(ValueError, match="__mood__"):
        net._set_attr(mood="angry")
    with pytest.raises(ValueError, match="AttrScope"):
        mx.AttrScope(ctx_group=1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="group"):
        mx.sym.Group([net, data]).attr("x")


def test_variables() -> None:
    x = mx.sym.Variable("x", shape=(2, 0), dtype="float16", init=mx.init.One(), wd_mult=0.0, __note__="n")
    assert x.attr("__shape__") == "(2, 0)"
    assert x.attr("__dtype__") == "2"
    assert x.attr("__init__") == mx.init.One().dumps()
    assert x.attr("wd_mult") == "0.0"
    assert x.infer_type()[1] == [np.float16]
    assert mx.sym.var("x", stype="csr").attr("__storage_type__") == "2"
    for bad in ({"name": 3}, {"name": "x", "stype": "ragged"}, {"name": "x", "mood": "angry"}, {"name": ""}):
        with pytest.raises((TypeError, ValueError, mx.MXNetError)):
            mx.sym.var(**bad)  # type: ignore[arg-type]


def test_infer_shape() -> None:
    net = mlp()
    arguments, outputs, states = net.infer_shape(data=(5, 7))
    assert arguments == [(5, 7), (8, 7), (8,), (3, 8), (3,), (5,)]
    assert (outputs, states) == ([(5, 3)], [])
    assert net.infer_shape((5, 7)) == net.infer_shape(data=(5, 7))
    assert net.infer_shape_partial(data=(0, 7))[0][:3] == [(0, 7), (8, 7), (8,)]
    assert net.infer_shape_partial()[0][0] == ()
    with pytest.warns(UserWarning, match="data"):
        assert net.infer_shape() == (None, None, None)
    with pytest.raises(mx.base.ShapeError, match=r"fc1.*path from the inputs: data \(5, 7\) -> 'fc1'"):
        net.infer_shape(data=(5, 7), fc1_weight=(8, 9))
    with pytest.raises(mx.base.NotFoundError, match="nearest: fc1_weight"):
        net.infer_shape(fc1_wight=(8, 9))
    for bad in ({"data": 5}, {"data": ("a",)}, {"data": (-3,)}):
        with pytest.raises((TypeError, ValueError)):
            net.infer_shape(**bad)


def test_infer_shape_backwards() -> None:
    a, b = mx.sym.var("a"), mx.sym.var("b")
    net = mx.sym.relu(a) + b
    assert net.infer_shape(b=(2, 3))[0] == [(2, 3), (2, 3)]
    bn = mx.sym.BatchNorm(a, name="bn")
    assert bn.infer_shape(a=(2, 3, 4))[2] == [(3,), (3,)]


def test_infer_type() -> None:
    net = mlp()
    assert net.infer_type(data="float64")[0] == [np.float64] * 6
    assert net.infer_type(np.float16)[1] == [np.float16]
    with pytest.warns(UserWarning, match="data"):
        assert net.infer_type() == (None, None, None)
    assert net.infer_type_partial()[0] == [None] * 6
    with pytest.raises(TypeError, match="fc1"):
        net.infer_type(data="float32", fc1_weight="float64")


def test_operators_overloaded() -> None:
    a, b = mx.sym.var("a"), mx.sym.var("b")
    with mx.name.NameManager():
        made = [a + b, a - b, a * b, a / b, a % b, a**b, a > b, a >= b, a < b, a <= b, a == b, a != b]
        names = ["plus", "minus", "mul", "div", "mod", "power", "greater", "greater_equal", "lesser"]
        names += ["lesser_equal", "equal", "not_equal"]
        assert [s.name for s in made] == [f"_{n}0" for n in names]
        scalars = [a + 1, 1 + a, a - 1, 1 - a, a * 2, 2 / a, a % 2, 3 % a, a**2, 2**a, -a]
        assert all(s.list_arguments() == ["a"] for s in scalars)
        assert (1 - a).attr("scalar") == "1"
        assert abs(a).name == "abs0"
    with pytest.raises(mx.base.NotImplementedForSymbol, match=r"\[bool\] arrays have this"):
        bool(a)
    with pytest.raises(
        mx.base.NotImplementedForSymbol, match=r"\[\+=\] arrays have this.*Symbol; symbols have not"
    ):
        a += b
    for name in ("asnumpy", "asscalar", "backward", "copy", "detach", "wait_to_read"):
        with pytest.raises(mx.base.NotImplementedForSymbol, match=rf"\[{name}\].*when it is bound"):
            getattr(a, name)()
    with pytest.raises(TypeError):
        a + "x"
    assert {a: 1}[a] == 1


def test_fluent_methods() -> None:
    x = mx.sym.var("x", shape=(2, 6))
    net = x.reshape((3, 4)).sum(axis=1, keepdims=True).astype("float64").exp()
    assert net.infer_shape()[1] == [(3, 1)]
    assert x.reshape(3, -1).infer_shape()[1] == [(3, 4)]
    assert x.split(num_outputs=2, axis=1).list_outputs()[1].endswith("_output1")
    assert x.relu(name="own").name == "own"
    assert x.transpose().infer_shape()[1] == [(6, 2)]
    with pytest.raises(AttributeError):
        x.no_such_operator  # noqa: B018
    for name in (
        "norm",
        "log_softmax",
        "slice_axis",
        "topk",
        "broadcast_to",
        "clip",
        "expand_dims",
        "one_hot",
    ):
        assert callable(getattr(x, name))


def test_creation() -> None:
    made = {
        mx.sym.zeros((2, 3)): (2, 3),
        mx.sym.ones(4, dtype="int32"): (4,),
        mx.sym.full((2,), 3): (2,),
        mx.sym.eye(3): (3, 3),
        mx.sym.arange(2, 8, 2): (3,),
        mx.sym.arange(5): (5,),
        mx.sym.linspace(0, 1, 7): (7,),
        mx.sym.random.uniform(0, 1, shape=(2, 2)): (2, 2),
        mx.sym.random.normal(shape=3): (3,),
        mx.sym.random.randn(2, 3): (2, 3),
        mx.sym.random.randint(0, 5, shape=(4,)): (4,),
        mx.sym.split_v2(mx.sym.zeros((4, 2)), 2)[0]: (2, 2),
        mx.sym.split_v2(mx.sym.zeros((5, 2)), (1, 3))[2]: (2, 2),
    }
    for symbol, shape in made.items():
        assert symbol.infer_shape()[1] == [shape]
    a = mx.sym.var("a", shape=(2,))
    assert mx.sym.random.uniform(a, a, shape=3).infer_shape()[1] == [(2, 3)]
    assert mx.sym.maximum(a, 1).list_arguments() == mx.sym.minimum(1, a).list_arguments() == ["a"]
    assert (mx.sym.maximum(1, 2), mx.sym.power(2, 3)) == (2, 8)
    assert mx.sym.hypot(a, a).infer_shape()[1] == [(2,)]


def test_namespaces() -> None:
    assert "FullyConnected" in dir(mx.sym)
    assert mx.sym.op.FullyConnected.__name__ == "FullyConnected"
    assert mx.sym._internal._plus_scalar(mx.sym.var("x"), scalar=1).list_arguments() == ["x"]
    assert isinstance(dir(mx.sym.contrib), list)
    for module in (mx.sym, mx.sym.contrib, mx.sym.linalg, mx.sym.image, mx.sym.op, mx.sym.random):
        with pytest.raises(AttributeError):
            module.no_such_thing  # noqa: B018
    assert "weight" in (mx.sym.FullyConnected.__doc__ or "")


def test_copies_and_pickles() -> None:
    net = mlp()
    for other in (copy.copy(net), copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        assert other.tojson() == net.tojson()
        assert other is not net
    changed = copy.copy(net)
    changed._set_attr(__note__="x")
    assert net.attr("__note__") is None


def test_debug_str() -> None:
    text = mlp().debug_str()
    assert "Op:FullyConnected, Name=fc1" in text
    assert "arg[1]=fc1_weight(0)" in text
    assert "Variable:data" in text


def test_long_chain() -> None:
    net = mx.sym.var("x", shape=(2,))
    for _ in range(3000):
        net = net + 1
    assert net.infer_shape()[1] == [(2,)]
    assert mx.sym.load_json(net.tojson()).tojson() == net.tojson()


def test_every_operator_has_a_documented_function() -> None:
    for name in dir(mx.sym.op):
        assert getattr(mx.sym, name).__doc__, name


def test_upsampling_makes_its_weight() -> None:
    x = mx.sym.var("x")
    up = mx.sym.UpSampling(x, scale=2, sample_type="bilinear", num_filter=3, num_args=1, name="up")
    assert up.list_arguments() == ["x", "up_weight"]
    assert up.infer_shape(x=(1, 3, 4, 5)) == ([(1, 3, 4, 5), (3, 1, 4, 4)], [(1, 3, 8, 10)], [])
    joined = mx.sym.UpSampling(x, mx.sym.var("y"), scale=2, sample_type="nearest", num_args=2)
    assert joined.list_arguments() == ["x", "y"]


def test_zeros_of_unknown_extent() -> None:
    # As recurrent cells of MXNet begin: the batch is a 0 that follows from elsewhere.
    state = mx.sym.zeros((0, 4)) + mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=4, name="fc")
    assert state.infer_shape(x=(3, 2))[1] == [(3, 4)]


def test_numbers_are_written_as_python_writes_them() -> None:
    x = mx.sym.var("x")
    for value in (2, 2.5, 40.0, 1e-5, 1e20, -0.125, 100000.0):
        assert (x + value).attr("scalar") == repr(value)
    node = mx.sym.Convolution(x, kernel=[3, 3], num_filter=np.int64(4), no_bias=True, layout=None)
    assert node.list_attr() == {"kernel": "(3, 3)", "num_filter": "4", "no_bias": "True"}
    assert mx.sym.cast(x, dtype=np.float16).attr("dtype") == "float16"


def test_shapes_flow_where_the_batch_is_not_known() -> None:
    net = mx.sym.Convolution(mx.sym.var("data"), kernel=(3, 3), num_filter=4, name="conv")
    parts = mx.sym.SliceChannel(net, num_outputs=2, name="parts")
    net = mx.sym.Concat(parts[0], mx.sym.Pad(parts[1], mode="constant", pad_width=(0,) * 8), dim=1)
    net = mx.sym.mean(mx.sym.broadcast_mul(net, mx.sym.ones((1, 4, 1, 1))), axis=3)
    net = mx.sym.FullyConnected(mx.sym.reshape(net, shape=(0, -1)), num_hidden=5, name="fc")
    arguments, outputs, _ = net.infer_shape_partial(data=(0, 3, 8, 8))
    assert dict(zip(net.list_arguments(), arguments))["fc_weight"] == (5, 24)
    assert outputs == [(0, 5)]
    assert net.infer_shape(data=(2, 3, 8, 8))[1] == [(2, 5)]


def test_functions_of_contrib_and_sparse() -> None:
    sampled, of_true, of_sampled = mx.sym.contrib.rand_zipfian(mx.sym.var("c"), 5, 10)
    drawn, _, counts = (s.eval(c=mx.nd.array([3, 1]))[0] for s in (sampled, sampled, of_sampled))
    assert drawn.shape == counts.shape == (5,)
    assert drawn.asnumpy().max() < 10
    wanted = 5 * np.log(np.array([5 / 4, 3 / 2])) / np.log(11)
    np.testing.assert_allclose(of_true.eval(c=mx.nd.array([3, 1]))[0].asnumpy(), wanted, rtol=1e-6)
    parts = [mx.sym.var(name) for name in ("weight", "grad", "mean", "var", "weight32")]
    step = mx.sym.contrib.mp_adamw_update(*parts, rescale_grad=2.0, lr=0.1, eta=1.0)
    assert step.list_arguments() == ["weight", "grad"]
    assert step.list_auxiliary_states() == ["mean", "var", "weight32"]
    assert mx.sym.sparse.relu(mx.sym.var("x"), name="r").list_outputs() == ["r_output"]


def test_none_for_a_parameter_that_must_be_given() -> None:
    net = mx.sym.slice_axis(mx.sym.var("x"), axis=1, begin=1, end=None)
    assert net.infer_shape(x=(2, 5))[1] == [(2, 4)]
    assert net.attr("end") == "None"


def test_second_names_of_operators_for_sparse_arrays() -> None:
    text = mx.sym.relu(mx.sym.var("x"), name="r").tojson()
    net = mx.sym.load_json(text.replace('"relu"', '"_sparse_relu"'))
    assert net.eval(x=mx.nd.array([-1, 2]))[0].asnumpy().tolist() == [0, 2]
    with pytest.raises(mx.MXNetError, match="_sparse_nothing"):
        mx.sym.load_json(text.replace('"relu"', '"_sparse_nothing"'))


def test_graphs_inside_graphs_and_backends_by_name() -> None:
    a, b = mx.sym.var("a"), mx.sym.var("b")
    inner = (a * b + 1).tojson()
    outer = mx.sym._internal._CachedOp(mx.sym.var("x"), mx.sym.var("y"), subgraph=inner) * 2
    assert outer.list_arguments() == ["x", "y"]
    assert outer.eval(x=mx.nd.array([2]), y=mx.nd.array([3]))[0].asscalar() == 14
    with pytest.raises(ValueError, match="1 inputs; expected 2: a, b"):
        mx.sym._internal._CachedOp(a, subgraph=inner)
    assert (
        outer.optimize_for("MKLDNN").tojson() == outer.get_backend_symbol("MKLDNN").tojson() == outer.tojson()
    )
    with pytest.warns(UserWarning, match="no backend is called 'mine'"):
        outer.optimize_for("mine")
    with pytest.raises(mx.MXNetError, match="no backend is called 'mine'"):
        outer.get_backend_symbol("mine")
    assert mx.sym.relu(a, name="act").attr("name") == "act" and a.attr("nope") is None
