"""What scripts of MXNet 1.9.1 read from symbols and scopes by names that it keeps for itself."""

from __future__ import annotations

import pickle
import threading

import pytest

import mixgrad as mx

sym = mx.sym


def test_variables_of_a_layer_have_its_parameters_and_attributes() -> None:
    data = sym.var("data", attr={"mood": "angry"})
    net = sym.Convolution(
        data, name="conv", kernel=(1, 1), num_filter=1, attr={"__mood__": "so so"}, lr_mult=1
    )
    own = {"kernel": "(1, 1)", "num_filter": "1", "__mood__": "so so", "__lr_mult__": "1", "lr_mult": "1"}
    wanted = {"data": {"mood": "angry"}, "conv_weight": own, "conv_bias": own, "conv": own}
    assert net.attr_dict() == wanted
    for copy in (sym.load_json(net.tojson()), pickle.loads(pickle.dumps(net))):
        assert copy.attr_dict() == wanted and copy.tojson() == net.tojson()
    shapes, _, _ = net.infer_shape(data=(2, 3, 4, 4))
    assert shapes == [(2, 3, 4, 4), (1, 3, 1, 1), (1,)]


def test_parameters_of_an_open_input_do_not_describe_it() -> None:
    net = sym.Reshape(shape=(2, 3), name="r") + sym.Cast(dtype="float16", name="c")
    assert net.attr_dict()["r_data"] == {"shape": "(2, 3)"}
    shapes, outputs, _ = net.infer_shape(r_data=(6,), c_data=(2, 3))
    assert shapes == [(6,), (2, 3)] and outputs == [(2, 3)]


def test_scopes_of_a_thread() -> None:
    seen = []

    def other() -> None:
        seen.append(mx.AttrScope._current.value._attr)
        seen.append(mx.name.NameManager._current.value.get(None, "hello"))
        seen.append(mx.Context._default_ctx.value)

    with mx.AttrScope(x="1"), mx.name.NameManager() as names, mx.cpu(3):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert mx.AttrScope._current.value._attr == {"x": "1"}
        assert mx.name.NameManager._current.value is names
        assert mx.Context._default_ctx.value == mx.cpu(3)
    assert seen == [{}, "hello0", mx.cpu(0)]


def test_operator_on_new_variables() -> None:
    inputs = [sym.var(name) for name in ("data", "p", "h0", "h1")]
    net = sym.RNN(*inputs, state_size=10, num_layers=2, bidirectional=True, state_outputs=True, mode="lstm")
    alone = net._gen_atomic_symbol()
    assert len(alone) == 3 and len(alone.list_arguments()) == 4
    assert alone.list_attr() == net.list_attr()


def test_repeated_names_are_told_by_plots() -> None:
    net = sym.FullyConnected(sym.var("data"), name="fc", num_hidden=8)
    net = sym.FullyConnected(net, name="fc", num_hidden=3)
    with pytest.warns(UserWarning, match="multiple variables with the same name in your graph.*fc_bias"):
        mx.viz.plot_network(net, shape={"data": (10, 20)})


def test_optimisers_of_variance_reduction_have_names() -> None:
    import mixgrad.contrib.svrg_optimization.svrg_optimizer as svrg

    made = mx.optimizer.create("_SVRGOptimizer", default_optimizer="sgd", learning_rate=0.5)
    assert isinstance(made, svrg._SVRGOptimizer) and isinstance(made.aux_opt, svrg._AssignmentOptimizer)
    assert made.default_opt.lr == 0.5
