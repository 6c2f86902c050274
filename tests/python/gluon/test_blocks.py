"""Blocks: names, parameters, running operator by operator and as graphs."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.gluon import DeferredInitializationError, contrib, nn

GRAPHS: dict[str, tuple[Any, tuple[int, ...]]] = {
    "dense": (lambda: nn.Dense(3, activation="tanh"), (2, 4)),
    "dense without bias": (lambda: nn.Dense(3, use_bias=False, flatten=False), (2, 3, 4)),
    "embedding": (lambda: nn.Embedding(5, 3), (2, 4)),
    "conv 1d": (lambda: nn.Conv1D(4, 3, padding=1), (2, 3, 8)),
    "conv 2d": (lambda: nn.Conv2D(4, 3, groups=2, activation="relu"), (2, 4, 8, 8)),
    "conv 3d": (lambda: nn.Conv3D(2, (1, 2, 3), strides=2), (1, 3, 4, 6, 8)),
    "conv 1d transposed": (lambda: nn.Conv1DTranspose(4, 3, strides=2, output_padding=1), (2, 3, 8)),
    "conv 2d transposed": (lambda: nn.Conv2DTranspose(4, 3, groups=2), (2, 4, 5, 5)),
    "conv 3d transposed": (lambda: nn.Conv3DTranspose(2, 2, strides=2), (1, 3, 2, 3, 4)),
    "max pool": (lambda: nn.MaxPool2D(3, 2, ceil_mode=True), (1, 2, 8, 8)),
    "average pool": (lambda: nn.AvgPool1D(3, 2, 1, count_include_pad=False), (1, 2, 8)),
    "global pool": (nn.GlobalAvgPool3D, (1, 2, 4, 5, 6)),
    "batch norm": (nn.BatchNorm, (4, 3, 5)),
    "batch norm with relu": (nn.BatchNormReLU, (4, 3, 5)),
    "batch norm of the last axis": (lambda: nn.BatchNorm(axis=-1, scale=False, center=False), (4, 5, 3)),
    "instance norm": (lambda: nn.InstanceNorm(scale=True), (4, 3, 5)),
    "instance norm of the last axis": (lambda: nn.InstanceNorm(axis=2), (4, 5, 3)),
    "layer norm": (nn.LayerNorm, (4, 3, 5)),
    "group norm": (lambda: nn.GroupNorm(2), (4, 6, 5)),
    "reflection pad": (lambda: nn.ReflectionPad2D(2), (1, 2, 4, 5)),
    "prelu": (lambda: nn.PReLU(in_channels=3), (4, 3, 5)),
    "leaky relu": (lambda: nn.LeakyReLU(0.1), (4, 3)),
    "elu": (lambda: nn.ELU(0.5), (4, 3)),
    "selu": (nn.SELU, (4, 3)),
    "gelu": (nn.GELU, (4, 3)),
    "swish": (lambda: nn.Swish(1.5), (4, 3)),
    "flatten": (nn.Flatten, (4, 3, 5)),
    "dropout of nothing": (lambda: nn.Dropout(0), (4, 3)),
    "lambda": (lambda: nn.HybridLambda("tanh"), (4, 3)),
}


def pass_of(net: Any, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """Output, gradient of the input and gradients of the parameters of a training pass."""
    x = mx.nd.array(values)
    x.attach_grad()
    with mx.autograd.record():
        y = net(x)
        loss = (y * y).sum()
    loss.backward()
    grads = {k: p.grad().asnumpy() for k, p in net.collect_params().items() if p.grad_req != "null"}
    return y.asnumpy(), x.grad.asnumpy(), grads


@pytest.mark.parametrize("case", GRAPHS)
def test_graphs_compute_what_operators_compute(case: str) -> None:
    make, shape = GRAPHS[case]
    values = np.random.RandomState(0).uniform(0.1, 3, shape).astype(np.float32)
    net = make()
    net.initialize(mx.init.Xavier() if len(shape) > 1 else None)
    if case == "embedding":
        values = values.round()
    one = pass_of(net, values)
    net.hybridize()
    for _ in range(2):
        other = pass_of(net, values)
        np.testing.assert_allclose(other[0], one[0], rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(other[1], one[1], rtol=1e-4, atol=1e-4)
        assert other[2].keys() == one[2].keys()
        for name, gradient in one[2].items():
            np.testing.assert_allclose(other[2][name], gradient, rtol=1e-4, atol=1e-4)


class Net(nn.HybridBlock):
    """Two layers and a parameter of its own."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.first = nn.Dense(4, activation="relu")
            self.second = nn.Dense(2)
            self.scale = self.params.get("scale", shape=(1,), init="ones")

    def hybrid_forward(self, F: Any, x: Any, scale: Any) -> Any:
        return F.broadcast_mul(self.second(self.first(x)), scale)


def test_names_follow_scopes() -> None:
    net = Net(prefix="net_")
    assert (net.name, net.prefix, net.first.prefix, net.second.name) == (
        "net",
        "net_",
        "net_dense0_",
        "net_dense1",
    )
    assert list(net.collect_params()) == [
        "net_scale", "net_dense0_weight", "net_dense0_bias", "net_dense1_weight", "net_dense1_bias",
    ]  # fmt: skip
    assert list(net.collect_params(".*dense1|.*scale")) == [
        "net_scale",
        "net_dense1_weight",
        "net_dense1_bias",
    ]
    assert list(net._collect_params_with_prefix()) == [
        "scale", "first.weight", "first.bias", "second.weight", "second.bias",
    ]  # fmt: skip
    with mx.name.NameManager():
        assert [nn.Dense(1).prefix, nn.Dense(1).prefix, Net().prefix] == ["dense0_", "dense1_", "net0_"]
        outside = nn.HybridSequential(prefix="")
        with outside.name_scope():
            outside.add(nn.Dense(1))
        assert outside[0].prefix == "dense2_"
    symbol = net(mx.sym.var("data"))
    assert symbol.list_arguments()[:3] == ["data", "net_dense0_weight", "net_dense0_bias"]
    assert "net_dense0_relu_fwd_output" in symbol.get_internals().list_outputs()


def test_scopes_are_of_threads() -> None:
    seen: list[str] = []
    outer = nn.HybridSequential(prefix="outer_")
    with outer.name_scope():
        thread = threading.Thread(target=lambda: seen.append(nn.Dense(1).prefix))
        thread.start()
        thread.join()
        seen.append(nn.Dense(1).prefix)
    assert not seen[0].startswith("outer_") and seen[1] == "outer_dense0_"


def test_parameters_are_shared() -> None:
    one = Net(prefix="one_")
    two = Net(prefix="two_", params=one.collect_params())
    one.initialize()
    x = mx.nd.ones((1, 3))
    assert (one(x) == two(x)).asnumpy().all() and two.first.weight is one.first.weight


# A call, and what is shown of it.
REPRS = r"""
Dense(3, in_units=4, activation='tanh') | Dense(4 -> 3, Activation(tanh))
Dropout(0.3) | Dropout(p = 0.3, axes=())
Embedding(3, 4) | Embedding(3 -> 4, float32)
Conv2D(3, 2, padding=1, in_channels=4) | Conv2D(4 -> 3, kernel_size=(2, 2), stride=(1, 1), padding=(1, 1))
Conv2D(3, 2, dilation=2, activation='relu') | Conv2D(None -> 3, kernel_size=(2, 2), stride=(1, 1), \
dilation=(2, 2), Activation(relu))
Conv1D(4, 3, groups=2, use_bias=False) | Conv1D(None -> 4, kernel_size=(3,), stride=(1,), groups=2, \
bias=False)
GlobalMaxPool1D() | GlobalMaxPool1D(size=(1,), stride=(1,), padding=(0,), ceil_mode=True, global_pool=True, \
pool_type=max, layout=NCW)
BatchNorm(scale=False) | BatchNorm(axis=1, eps=1e-05, momentum=0.9, fix_gamma=True, use_global_stats=False, \
in_channels=None)
LayerNorm() | LayerNorm(eps=1e-05, axis=-1, center=True, scale=True, in_channels=0)
GroupNorm(2) | GroupNorm(eps=1e-05, num_groups=2, center=True, scale=True)
PReLU() | PReLU(\n\n)
Lambda('tanh') | Lambda(tanh)
Flatten() | Flatten
PixelShuffle3D(2) | PixelShuffle3D((2, 2, 2))
Net() | Net(\n  (first): Dense(None -> 4, Activation(relu))\n  (second): Dense(None -> 2, linear)\n)
"""


@pytest.mark.parametrize("line", REPRS.replace("\\\n", "").strip().splitlines())
def test_reprs_are_those_of_mxnet(line: str) -> None:
    call, text = line.split(" | ")
    names = {**vars(contrib.nn), **vars(nn), "Net": Net}
    assert repr(eval(call, names)) == text.replace("\\n", "\n")


def test_shapes_follow_from_the_first_batch() -> None:
    for hybrid in (False, True):
        net = Net()
        net.initialize()
        if hybrid:
            net.hybridize()
        assert net.first.weight.shape == (4, 0)
        with pytest.raises(DeferredInitializationError):
            net.first.weight.data()
        assert net(mx.nd.ones((3, 5))).shape == (3, 2)
        assert net.first.weight.shape == (4, 5) and net.second.weight.shape == (2, 4)
    net = Net()
    net.initialize()
    net.infer_shape(mx.nd.ones((3, 7)))
    assert net.first.weight.shape == (4, 7)
    with pytest.raises(ValueError, match="deferred initialization failed"):
        net.first(mx.nd.ones((3, 8)))


class Pairs(nn.HybridBlock):
    """Takes a nested list and gives one."""

    def hybrid_forward(self, F: Any, x: Any, rest: Any = None) -> Any:
        if rest is None:
            return [x, [x + 1, x + 2]]
        y, (z,) = rest
        return [x + y, [F.broadcast_mul(y, z), F.split(x, num_outputs=2)]]


def flat(value: Any) -> Any:
    return [flat(one) for one in value] if isinstance(value, (list, tuple)) else value.asnumpy().tolist()


def test_inputs_and_outputs_are_nested() -> None:
    x, y, z = mx.nd.array([[1, 2]]), mx.nd.array([[3, 4]]), mx.nd.array([[2, 3]])
    plain, hybrid = Pairs(), Pairs()
    hybrid.hybridize()
    for _ in range(2):
        assert (
            flat(hybrid(x, [y, [z]])) == flat(plain(x, [y, [z]])) == [[[4, 6]], [[[6, 12]], [[[1]], [[2]]]]]
        )
    for other in ((x,), (x, [y, z]), (x, None)):
        with pytest.raises(ValueError, match=r"the graph was made for \[0, \[0, \[0\]\]\]"):
            hybrid(*other)
    hybrid.hybridize()
    assert flat(hybrid(x)) == flat(hybrid(x, None)) == flat(plain(x))


REFUSALS: dict[str, tuple[Any, type[Exception], str]] = {
    "no inputs": (lambda net: net(None, None), ValueError, "neither NDArray nor Symbol"),
    "NumPy's arrays": (
        lambda net: net(np.ones(2), np.ones(2)),
        ValueError,
        "neither .* expected one of the two; mx.nd.array makes an NDArray of NumPy's",
    ),
    "arrays and symbols": (lambda net: net(mx.nd.ones(2), mx.sym.var("y")), ValueError, "NDArray and Symbol"),
    "number": (lambda net: net(mx.nd.ones(2), 1), ValueError, "has int; expected NDArray"),
    "devices": (
        lambda net: net(mx.nd.ones(2), mx.nd.ones(2, ctx=mx.cpu(1))),
        ValueError,
        r"several devices: cpu\(0\), cpu\(1\)",
    ),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_what_graphs_refuse(case: str) -> None:
    run, error, message = REFUSALS[case]
    net = nn.HybridLambda(lambda F, x, y: x + y)
    net.hybridize()
    with pytest.raises(error, match=message):
        run(net)
    if case == "number":
        net.hybridize(False)
        assert run(net).asnumpy().tolist() == [2, 2]


def test_what_blocks_refuse() -> None:
    net = Net()
    with pytest.raises(TypeError, match="'first' is a Dense and cannot become a int"):
        net.first = 3
    net.first = nn.Dense(5)
    with pytest.raises(AssertionError, match="cannot be replaced by assignment"):
        net.scale = mx.gluon.Parameter("other", shape=(1,))
    with pytest.raises(ValueError, match="children of a HybridBlock must be HybridBlocks"):
        nn.HybridSequential().add(nn.Lambda("tanh"))
    with pytest.raises(NotImplementedError, match=r"\[Block\] forward is not defined"):
        nn.Block()(1)
    with pytest.raises(NotImplementedError, match=r"\[HybridBlock\] hybrid_forward is not defined"):
        nn.HybridBlock()(mx.nd.ones(1))
    net.held = [nn.Dense(1)]
    with pytest.warns(UserWarning, match="'held' is a container of blocks"):
        net.collect_params()
    with pytest.raises(ValueError, match="expected a name"):
        net.optimize_for(mx.nd.ones((1, 2)))
    with pytest.raises(mx.MXNetError, match="no backend is called 'nothing'; known are MKLDNN"):
        net.optimize_for(mx.nd.ones((1, 2)), backend="nothing")


def test_graphs_are_made_anew_when_blocks_change() -> None:
    net = nn.HybridSequential()
    net.add(nn.Dense(2, in_units=3))
    net.initialize()
    net.hybridize()
    x = mx.nd.ones((1, 3))
    assert net(x).shape == (1, 2)
    net.add(nn.Dense(5, in_units=2))
    net[1].initialize()
    assert net(x).shape == (1, 5)
    net.optimize_for(x, backend="MKLDNN", clear=True)
    assert net(x).shape == (1, 5)
    net.hybridize(False)
    assert net._active is False and net(x).shape == (1, 5)


def test_one_call_per_pass() -> None:
    """A hybridised network calls no operator by itself once it was written down."""
    calls: list[str] = []

    class Noted(nn.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            calls.append(F.__name__)
            return F.relu(x)

    net = nn.HybridSequential()
    net.add(Noted(), Noted())
    net.hybridize()
    for rows in (1, 2, 1):
        assert net(mx.nd.array([[-1, 2]] * rows)).asnumpy().tolist() == [[0, 2]] * rows
    assert calls == ["mixgrad.symbol"] * 2


def test_unused_inputs_and_parameters_warn() -> None:
    net = nn.HybridLambda(lambda F, x, y: x * 2)
    net.hybridize()
    with pytest.warns(UserWarning, match="input 'data1' is not used"):
        net(mx.nd.ones(1), mx.nd.ones(1))

    class Idle(nn.HybridBlock):
        def __init__(self) -> None:
            super().__init__(prefix="idle_")
            self.weight = self.params.get("weight", shape=(1,))

        def hybrid_forward(self, F: Any, x: Any, weight: Any) -> Any:
            return x * 2

    idle = Idle()
    idle.initialize()
    idle.hybridize()
    with pytest.warns(UserWarning, match="parameter 'idle_weight' is not used"):
        idle(mx.nd.ones(1))


def test_hooks() -> None:
    seen: list[Any] = []
    net = nn.Dense(1, in_units=2)
    net.initialize(mx.init.One())
    before = net.register_forward_pre_hook(lambda block, inputs: seen.append((block is net, len(inputs))))
    x = mx.nd.ones((1, 2))
    with net.register_forward_hook(lambda block, inputs, output: seen.append(output.asscalar())):
        net(x)
    before.detach()
    before.detach()
    net(x)
    assert seen == [(True, 1), 2.0]
    with pytest.raises(AssertionError, match="has a hook already"):
        handle = mx.gluon.utils.HookHandle()
        handle.attach(net._forward_hooks, print)
        handle.attach(net._forward_hooks, print)


def test_hooks_of_operators() -> None:
    net = Net(prefix="net_")
    net.initialize()
    seen: list[tuple[str, str]] = []
    net.register_op_hook(lambda name, op, array: seen.append((name, op)), monitor_all=True)
    net(mx.nd.ones((1, 2)))
    assert not seen
    net.hybridize()
    net(mx.nd.ones((1, 2)))
    assert seen[:6] == [
        ("net_dense0_fwd_data", "FullyConnected"),
        ("net_dense0_fwd_weight", "FullyConnected"),
        ("net_dense0_fwd_bias", "FullyConnected"),
        ("net_dense0_fwd_output", "FullyConnected"),
        ("net_dense0_relu_fwd_input0", "Activation"),
        ("net_dense0_relu_fwd_output", "Activation"),
    ]


SUMMARY = """
        Layer (type)                                Output Shape         Param #
================================================================================
               Input                                      (2, 3)               0
        Activation-1                                      (2, 4)               0
             Dense-2                                      (2, 4)              16
             Dense-3                                      (2, 2)              10
               Net-4                                      (2, 2)               1
================================================================================
Parameters in forward computation graph, duplicate included
   Total params: 27
   Trainable params: 27
   Non-trainable params: 0
Shared params in forward computation graph: 0
Unique parameters in model: 27
"""


def test_summaries(capsys: pytest.CaptureFixture[str]) -> None:
    net = Net()
    net.initialize()
    net.summary(mx.nd.ones((2, 3)))
    text = capsys.readouterr().out
    line = "-" * 80 + "\n"
    assert text == line + SUMMARY.lstrip("\n") + line
    assert not net._forward_hooks and not net.first._forward_hooks
    net.hybridize()
    with pytest.raises(AssertionError, match="is hybridised"):
        net.summary(mx.nd.ones((2, 3)))


def test_functions_over_all_blocks() -> None:
    names: list[str] = []
    net = nn.Sequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(1), nn.Dropout(0.5))
    assert net.apply(lambda block: names.append(block.name)) is net
    assert names == ["net_dense0", "net_dropout0", "net"]
    assert len(net) == 2 and net[-1] is net[1] and list(net) == [net[0], net[1]]
    assert [one.name for one in net[0:1]] == ["net_dense0"] and type(net[0:1]) is nn.Sequential
    with pytest.warns(UserWarning, match="HybridSequential"):
        net.hybridize()
    assert net[0]._active


def test_half_precision_leaves_statistics_in_float32() -> None:
    net = nn.HybridSequential()
    net.add(nn.Conv2D(2, 3), nn.BatchNorm())
    net.initialize()
    net.cast("float16")
    for hybrid in (False, True):
        net.hybridize(hybrid)
        assert net(mx.nd.ones((1, 1, 4, 4), dtype="float16")).dtype == np.float16
    assert net[0].weight.dtype == "float16" and net[1].running_var.dtype == "float32"


def test_states_move_in_training_alone() -> None:
    for hybrid in (False, True):
        net = nn.BatchNorm(momentum=0.5)
        net.initialize()
        net.hybridize(hybrid)
        x = mx.nd.array([[1], [3]])
        net(x)
        assert net.running_mean.data().asscalar() == 0
        with mx.autograd.record():
            net(x)
        assert net.running_mean.data().asscalar() == 1
        with mx.autograd.record(train_mode=False):
            net(x)
        assert net.running_mean.data().asscalar() == 1


def test_same_seed_same_dropout() -> None:
    answers = []
    for hybrid in (False, True):
        net = nn.Dropout(0.5)
        net.hybridize(hybrid)
        mx.random.seed(3)
        with mx.autograd.train_mode():
            answers.append(net(mx.nd.ones((4, 8))).asnumpy())
    np.testing.assert_array_equal(*answers)


def test_devices_have_graphs_and_parameters_of_their_own() -> None:
    contexts = [mx.cpu(0), mx.cpu(1)]
    net = Net()
    net.initialize(ctx=contexts)
    net.hybridize()
    for context in contexts * 2:
        assert net(mx.nd.ones((2, 3), ctx=context)).context == context
    np.testing.assert_array_equal(*(array.asnumpy() for array in net.first.weight.list_data()))


def test_graphs_run_in_threads() -> None:
    net = Net()
    net.initialize()
    net.hybridize()
    x = mx.nd.ones((2, 3))
    expected = net(x).asnumpy()
    results: list[Any] = []

    def run() -> None:
        for _ in range(20):
            results.append(net(x).asnumpy())

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 80 and all((one == expected).all() for one in results)


def test_blocks_of_symbols() -> None:
    x, y = mx.sym.var("x"), mx.sym.var("y")
    both = mx.gluon.SymbolBlock([x + y, x - y], [x, y])
    one, two = mx.nd.array([3]), mx.nd.array([1])
    assert flat(both(one, two)) == [[4], [2]] and repr(both).endswith(": 2 -> 2\n)")
    assert [s.list_arguments() for s in both(mx.sym.var("a"), y)] == [["a", "y"], ["a", "y"]]
    parts = mx.gluon.SymbolBlock(mx.sym.split(x, num_outputs=2), x)
    assert flat(parts(mx.nd.array([[1, 2]]))) == [[[1]], [[2]]]
    rest = mx.gluon.SymbolBlock(x * y, x)
    assert list(rest.collect_params()) == ["y"]
    for run, message in (
        (lambda: mx.gluon.SymbolBlock(x + y, [x + 1]), "is no variable"),
        (
            lambda: mx.gluon.SymbolBlock(x + mx.sym.var("w", stype="row_sparse"), x),
            "stored as a sparse array",
        ),
    ):
        with pytest.raises(AssertionError, match=message):
            run()
    with pytest.raises(ValueError, match=r"\[SymbolBlock\] .* as \[0\] .*; expected \[0, 0\], for x, y"):
        both(one)


def test_small_graphs_are_recorded_operator_by_operator() -> None:
    x = mx.nd.array([1, 2])
    x.attach_grad()
    net = nn.HybridLambda(lambda F, x: F.square(F.square(x)))
    for limit in (2, 1):
        net.hybridize(inline_limit=limit)
        with mx.autograd.record():
            (first,) = mx.autograd.grad(net(x).sum(), x, create_graph=limit == 2, retain_graph=True)
            total = first.sum()
        np.testing.assert_allclose(first.asnumpy(), [4, 32])
        if limit == 2:
            total.backward()
            np.testing.assert_allclose(x.grad.asnumpy(), [12, 48])
    with pytest.raises(mx.MXNetError, match="no gradient of second order"), mx.autograd.record():
        mx.autograd.grad(net(x).sum(), x, create_graph=True)
    net.hybridize(static_alloc=True)
    with pytest.raises(mx.MXNetError, match="no gradient of second order"), mx.autograd.record():
        mx.autograd.grad(net(x).sum(), x, create_graph=True)


def test_what_graphs_recorded_is_a_symbol() -> None:
    net = Net(prefix="net_")
    net.initialize()
    net.hybridize()
    x = mx.nd.ones((1, 3))
    x.attach_grad()
    with mx.autograd.record():
        y = net(x) * 2 + net(x)
    symbol = mx.autograd.get_symbol(y)
    operators = [name for name in symbol.get_internals().list_outputs() if "dense0_fwd" in name]
    assert operators == ["net_dense0_fwd_output"] * 2 and len(symbol.list_arguments()) == 6


def test_blocks_are_compared_with_themselves_as_graphs() -> None:
    check, x = mx.test_utils.check_gluon_hybridize_consistency, mx.nd.array([[1, 2, 3]])
    check(Net, [x])
    check(lambda prefix: nn.Dropout(0.5, prefix=prefix), [x], lambda value: value, test_grad=False)
    with pytest.raises(AssertionError, match="numpy_func"):
        check(lambda prefix: nn.Flatten(prefix=prefix), [x], lambda value: value + 1)

    class Odd(nn.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return x if F is mx.nd else x + 1

    with pytest.raises(AssertionError, match="the output as a graph"):
        check(Odd, [x])


def test_summaries_list_several_inputs_and_outputs(capsys: pytest.CaptureFixture[str]) -> None:
    class Both(mx.gluon.Block):
        def __init__(self) -> None:
            super().__init__()
            self.dense = nn.Dense(3)

        def forward(self, x: Any, y: Any) -> Any:
            return self.dense(x), y

    net = Both()
    net.initialize()
    net.summary(mx.nd.ones((2, 2)), mx.nd.ones((2, 5)))
    rows = [line.split(None, 1) for line in capsys.readouterr().out.splitlines()]
    assert ["Input", "(2, 2), (2, 5)               0"] in rows  # as MXNet prints it
    assert ["Both-2", "(2, 3), (2, 5)               0"] in rows
    assert ["Dense-1", "(2, 3)               9"] in rows
