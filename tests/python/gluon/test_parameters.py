"""Parameters: shapes that are not known yet, devices, dtypes, sharing, refusals."""

from __future__ import annotations

import copy
import pickle
from typing import Any, Callable

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.gluon import Constant, DeferredInitializationError, Parameter, ParameterDict, nn

CPUS = [mx.cpu(0), mx.cpu(1)]


def ready(**options: Any) -> Parameter:
    made = Parameter("w", **{"shape": (2, 3), **options})
    made.initialize(ctx=CPUS, default_init=mx.init.One())
    return made


VALUES: dict[str, tuple[Callable[[], Any], Any]] = {
    "repr": (
        lambda: repr(Parameter("w", shape=(2, 0))),
        "Parameter w (shape=(2, 0), dtype=<class 'numpy.float32'>)",
    ),
    "repr of a constant": (
        lambda: repr(Constant("c", [1, 2])),
        "Constant c (shape=(2,), dtype=<class 'numpy.float32'>)",
    ),
    "one number as shape": (lambda: Parameter("w", shape=3).shape, (3,)),
    "contexts": (lambda: ready().list_ctx(), CPUS),
    "data of a device": (lambda: ready().data(mx.cpu(1)).context, mx.cpu(1)),
    "data of the current device": (lambda: ready().data().context, mx.cpu(0)),
    "pinned memory is the host's": (lambda: ready().data(mx.Context("cpu_pinned", 1)).context, mx.cpu(1)),
    "gradients": (lambda: [g.shape for g in ready().list_grad()], [(2, 3)] * 2),
    "gradients of a dtype": (lambda: ready(dtype="float64").grad(mx.cpu(1)).dtype, np.float64),
    "no gradients": (lambda: ready(grad_req="null")._grad, None),
    "not differentiable": (lambda: ready(differentiable=False).grad_req, "null"),
    "sparse gradient": (lambda: ready(grad_stype="row_sparse").grad(mx.cpu(0)).stype, "row_sparse"),
    "init of its own": (lambda: ready(init="zeros").data(mx.cpu(0)).asnumpy().tolist(), [[0, 0, 0]] * 2),
    "variable": (lambda: ready(lr_mult=2).var().attr("lr_mult"), "2"),
    "variable is one": (lambda: (lambda p: p.var() is p.var())(ready()), True),
    "constant": (lambda: Constant("c", mx.nd.array([1, 2], dtype="int32")).dtype, np.int32),
}


@pytest.mark.parametrize("case", VALUES)
def test_values(case: str) -> None:
    run, expected = VALUES[case]
    assert run() == expected


def not_ready(**options: Any) -> Parameter:
    return Parameter("w", **{"shape": (2, 3), **options})


def waiting() -> Parameter:
    made = Parameter("w", shape=(2, 0), allow_deferred_init=True)
    made.initialize()
    return made


REFUSALS: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "not initialised": (lambda: not_ready().data(), RuntimeError, "'w' has not been initialized"),
    "waiting": (lambda: waiting().data(), DeferredInitializationError, r"its shape \(2, 0\) becomes known"),
    "gradient while waiting": (
        lambda: waiting().grad(),
        DeferredInitializationError,
        "not been initialized yet",
    ),
    "unknown shape": (lambda: not_ready(shape=(2, 0)).initialize(), ValueError, r"invalid shape \(2, 0\)"),
    "no shape": (lambda: not_ready(shape=None).initialize(), ValueError, "invalid shape None"),
    "other device": (lambda: ready().data(mx.cpu(5)), RuntimeError, r"not on cpu\(5\)"),
    "no gradient": (lambda: ready(grad_req="null").grad(mx.cpu(0)), RuntimeError, "grad_req is 'null'"),
    "grad_req": (lambda: not_ready(grad_req="sum"), AssertionError, "grad_req of 'w' is 'sum'"),
    "stype": (lambda: not_ready(stype="dense"), AssertionError, "stype of 'w' is 'dense'"),
    "grad_stype": (lambda: not_ready(grad_stype="dense"), AssertionError, "grad_stype of 'w'"),
    "data of a sparse one": (lambda: not_ready(stype="row_sparse").data(), RuntimeError, "row_sparse_data"),
    "list of a sparse one": (lambda: not_ready(stype="row_sparse").list_data(), RuntimeError, "row_sparse"),
    "rows of a dense one": (lambda: ready().row_sparse_data(mx.nd.zeros(1)), RuntimeError, "data\\(\\)"),
    "rows without a trainer": (
        lambda: not_ready(stype="row_sparse").row_sparse_data(mx.nd.zeros(1)),
        RuntimeError,
        "Trainer",
    ),
    "rows that are no array": (
        lambda: not_ready(stype="row_sparse").row_sparse_data(1),
        AttributeError,
        "context",
    ),
    "shape": (lambda: setattr(ready(), "shape", (3, 2)), AssertionError, r"\(3, 2\) is incompatible"),
    "values of another shape": (lambda: ready().set_data(mx.nd.ones((3, 2))), AssertionError, "incompatible"),
    "values too early": (lambda: not_ready().set_data(mx.nd.ones((2, 3))), AssertionError, "not been init"),
    "devices too early": (lambda: not_ready().list_ctx(), RuntimeError, "not been initialized"),
    "moved too early": (lambda: not_ready().reset_ctx(mx.cpu()), ValueError, "on no device"),
    "constant is not there": (lambda: ParameterDict("n_").get_constant("c"), KeyError, "'n_c'; give a value"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refusals(case: str) -> None:
    run, error, message = REFUSALS[case]
    with pytest.raises(error, match=message):
        run()


def test_what_waits_gets_its_values_with_its_shape() -> None:
    parameter = waiting()
    assert parameter.list_ctx() == [mx.cpu(0)]
    parameter.set_data(mx.nd.full((2, 4), 3))
    parameter._finish_deferred_init()
    assert parameter.data().asnumpy().tolist() == [[3] * 4] * 2
    moved = waiting()
    moved.reset_ctx(CPUS)
    moved.shape = (2, 5)
    moved._finish_deferred_init()
    assert moved.list_ctx() == CPUS and moved.data(mx.cpu(1)).shape == (2, 5)


def test_values_go_to_all_devices_and_are_averaged() -> None:
    parameter = ready()
    parameter.set_data(mx.nd.full((2, 3), 2))
    assert [array.sum().asscalar() for array in parameter.list_data()] == [12, 12]
    parameter.data(mx.cpu(1))[:] = 4
    parameter.reset_ctx([mx.cpu(2)])
    assert parameter.data().context == mx.cpu(2) and parameter.data().asnumpy().mean() == 3
    with pytest.raises(RuntimeError, match="not on"):
        parameter.data(mx.cpu(1))


def test_requests_of_gradients_change() -> None:
    parameter = ready()
    arrays = parameter.list_data()
    parameter.grad_req = "null"
    assert parameter._grad is None and not parameter.list_data()[0]._variable
    parameter.grad_req = "add"
    assert all(array._variable for array in parameter.list_data())
    for _ in range(2):
        with mx.autograd.record():
            loss = (parameter.data(mx.cpu(0)) * 3).sum()
        loss.backward()
    assert parameter.grad(mx.cpu(0)).asnumpy().tolist() == [[6] * 3] * 2
    parameter.zero_grad()
    assert parameter.grad(mx.cpu(0)).asnumpy().any() == np.False_
    assert arrays[0].shape == (2, 3)
    parameter.cast("float16")
    assert parameter.data(mx.cpu(1)).dtype == parameter.grad(mx.cpu(1)).dtype == np.float16
    parameter.dtype = "float64"
    assert parameter.dtype == "float64" and parameter.data(mx.cpu(1)).dtype == np.float64


def test_initialising_twice_warns() -> None:
    parameter = ready()
    with pytest.warns(UserWarning, match="already initialized"):
        parameter.initialize(mx.init.Zero())
    assert parameter.data(mx.cpu(0)).asnumpy().all()
    parameter.initialize(mx.init.Zero(), ctx=mx.cpu(1), force_reinit=True)
    assert parameter.list_ctx() == [mx.cpu(1)] and not parameter.data().asnumpy().any()


def test_constants_do_not_change() -> None:
    constant = Constant("c", [[1, 2], [3, 4]])
    constant.initialize(default_init=mx.init.Zero())
    assert constant.data().asnumpy().tolist() == [[1, 2], [3, 4]] and constant.grad_req == "null"
    with pytest.warns(UserWarning, match="as of all constants"):
        constant.grad_req = "write"
    assert constant.grad_req == "null"


def test_dictionaries_share() -> None:
    shared = ParameterDict("net_")
    weight = shared.get("w", shape=(2, 0), dtype="float32")
    params = ParameterDict("net_", shared)
    assert params.get("w", shape=(0, 3)) is weight and weight.shape == (2, 3)
    assert params.get("b", shape=(1,)) is not None and "net_b" not in shared
    assert list(params) == ["net_w", "net_b"] and "net_w" in params and params["net_b"].name == "net_b"
    assert params.get("w", dtype=np.float32) is weight
    for options, message in (
        ({"shape": (4, 3)}, "shape"), ({"dtype": "float16"}, "dtype"), ({"lr_mult": 2.0}, "lr_mult"),
    ):  # fmt: skip
        with pytest.raises(AssertionError, match=f"'net_w' is there with {message}"):
            params.get("w", **options)
    constant = params.get_constant("c", [1, 2])
    assert params.get_constant("c", [1, 2]) is constant
    for name, value, message in (("c", [1, 3], "another value"), ("w", [1], "no constant")):
        with pytest.raises(AssertionError, match=message):
            params.get_constant(name, value)
    other = ParameterDict("net_")
    other.get("w", shape=(2, 3))
    with pytest.raises(AssertionError, match="both dictionaries have 'net_w'"):
        params.update(other)
    assert repr(ParameterDict("a_")) == "a_ (\n\n)"
    assert str(shared).splitlines() == ["net_ (", f"  {weight!r}", ")"]


def test_all_at_once() -> None:
    net = nn.Dense(2, in_units=3, prefix="net_")
    params = net.collect_params()
    params.initialize(mx.init.One(), ctx=CPUS)
    assert params.list_ctx() == CPUS
    for context in CPUS:
        with mx.autograd.record():
            loss = net(mx.nd.ones((1, 3), ctx=context)).sum()
        loss.backward()
    assert all(gradient.asnumpy().all() for gradient in net.weight.list_grad())
    params.zero_grad()
    assert not any(gradient.asnumpy().any() for one in params.values() for gradient in one.list_grad())
    params.setattr("lr_mult", 3)
    assert net.weight.lr_mult == net.bias.lr_mult == 3
    params.reset_ctx(mx.cpu(1))
    assert net(mx.nd.ones((1, 3), ctx=mx.cpu(1))).context == mx.cpu(1)


def test_blocks_see_arrays_that_are_replaced() -> None:
    for hybrid in (False, True):
        net = nn.Dense(1, in_units=2, use_bias=False)
        net.initialize(mx.init.One())
        if hybrid:
            net.hybridize()
        x = mx.nd.ones((1, 2))
        assert net(x).asscalar() == 2
        net.weight.set_data(mx.nd.full((1, 2), 2))
        assert net(x).asscalar() == 4
        net.initialize(mx.init.Zero(), force_reinit=True)
        assert net(x).asscalar() == 0
        net.cast("float64")
        assert net(x.astype("float64")).dtype == np.float64
        net.collect_params().reset_ctx(mx.cpu(1))
        assert net(mx.nd.ones((1, 2), ctx=mx.cpu(1), dtype="float64")).context == mx.cpu(1)
        with pytest.raises(RuntimeError, match="not on"):
            net(x.astype("float64"))
        net.weight.grad_req = "null"
        assert net(mx.nd.ones((1, 2), ctx=mx.cpu(1), dtype="float64")).shape == (1, 1)


@pytest.mark.parametrize("hybrid", [False, True])
@pytest.mark.parametrize("make", [copy.deepcopy, lambda net: pickle.loads(pickle.dumps(net))])
def test_blocks_are_copied_whole(make: Callable[[Any], Any], hybrid: bool) -> None:
    net = nn.HybridSequential()
    net.add(nn.Dense(1, in_units=2), nn.BatchNorm(in_channels=1))
    net.initialize(mx.init.One())
    net.hybridize(hybrid)
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd")
    x = mx.nd.ones((1, 2))
    expected = net(x).asscalar()
    twin = make(net)
    assert twin(x).asscalar() == expected and twin[0].weight._trainer is None is not trainer
    net[0].weight.set_data(mx.nd.zeros((1, 2)))
    assert twin(x).asscalar() == expected != net(x).asscalar()
    own = mx.gluon.Trainer(twin.collect_params(), "sgd", {"learning_rate": 1.0})
    with mx.autograd.record(train_mode=False):
        loss = twin(x)
    loss.backward()
    own.step(1)
    assert twin[0].weight.data().asnumpy().max() < 0.01 and twin(x).asscalar() != expected


def test_initializers_of_users_get_the_arrays_in_force() -> None:
    kinds = []

    class Mine(mx.init.Initializer):
        def _init_weight(self, name: str, data: Any) -> None:
            kinds.append(type(data))
            data[:] = 3
            data *= data >= 3

    for choose in (mx.util.np_array, mx.util.np_shape):
        with choose(True):
            net = nn.Dense(1, in_units=2)
            net.initialize(Mine())
            assert (net.weight.data().asnumpy() == 3).all()
    assert kinds == [mx.np.ndarray, mx.nd.NDArray]
