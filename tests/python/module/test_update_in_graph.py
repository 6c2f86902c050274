"""Modules whose backward part takes the optimiser's steps: same bits, less memory."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import mixgrad as mx

OPTIMIZERS = [
    ("sgd", {"learning_rate": 0.1}),
    ("sgd", {"learning_rate": 0.1, "momentum": 0.9, "wd": 1e-3, "clip_gradient": 0.01}),
    ("nag", {"learning_rate": 0.1, "momentum": 0.9}),
    ("signum", {"learning_rate": 0.01, "wd_lh": 1e-3}),
    ("signum", {"learning_rate": 0.01, "momentum": 0.0}),
    ("adam", {"wd": 1e-3}),
    ("rmsprop", {}),
    ("rmsprop", {"centered": True, "clip_weights": 0.5}),
    ("ftrl", {}),
    ("sgd", {"momentum": 0.9, "lr_scheduler": mx.lr_scheduler.FactorScheduler(5, 0.5)}),
]


def net() -> mx.sym.Symbol:
    x = mx.sym.var("data")
    x = mx.sym.Activation(mx.sym.FullyConnected(x, num_hidden=16, name="fc1"), act_type="relu")
    tied = mx.sym.var("tied_weight", shape=(16, 16), lr_mult=2.0)
    x = mx.sym.dot(mx.sym.dot(x, tied), mx.sym.transpose(tied))
    x = mx.sym.BatchNorm(x, name="bn", fix_gamma=False)
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(x, num_hidden=4, name="fc2"), name="softmax")


def batches(size: int = 16) -> mx.io.NDArrayIter:
    rng = np.random.default_rng(0)
    data, label = rng.standard_normal((80, 6)).astype("float32"), rng.integers(0, 4, 80).astype("float32")
    return mx.io.NDArrayIter(data, label, size)


def module(
    in_graph: bool, optimizer: object = "sgd", options: object = (), **kwargs: object
) -> mx.mod.Module:
    mx.random.seed(5)
    np.random.seed(5)  # noqa: NPY002 - initializers draw from it
    made = mx.mod.Module(net(), **kwargs)
    data = batches()
    made.bind(data.provide_data, data.provide_label)
    made.init_params(mx.init.Xavier())
    made.init_optimizer(
        optimizer=optimizer, optimizer_params=copy.deepcopy(options), update_in_graph=in_graph
    )
    return made


def sharing(in_graph: bool) -> tuple[mx.mod.Module, mx.mod.Module]:
    """A module, and one for smaller batches that has its parameters and its optimizer."""
    made = module(in_graph, "adam", {"learning_rate": 0.01})
    small = mx.mod.Module(net())
    data = batches(8)
    small.bind(data.provide_data, data.provide_label, shared_module=made)
    return made, small


def train(made: mx.mod.Module, epochs: int = 2, size: int = 16) -> None:
    for _ in range(epochs):
        for batch in batches(size):
            made.forward_backward(batch)
            made.update()


def values(made: mx.mod.Module) -> dict[str, bytes]:
    arguments, states = made.get_params()
    return {name: array.asnumpy().tobytes() for name, array in {**arguments, **states}.items()}


@pytest.mark.parametrize("optimizer, options", OPTIMIZERS)
def test_same_bits(optimizer: str, options: dict) -> None:
    found = []
    for in_graph in (False, True):
        made = module(in_graph, optimizer, options)
        train(made)
        found.append((values(made), made._optimizer.num_update, made._updater.get_states()))
        assert all(g[0] is None for g in made._exec_group.grad_arrays) == in_graph
    assert found[0] == found[1]


def test_fit() -> None:
    found = []
    for in_graph in (False, True):
        mx.random.seed(5)
        np.random.seed(5)  # noqa: NPY002 - initializers draw from it
        made = mx.mod.Module(net())
        made.fit(batches(), num_epoch=2, optimizer="adam", update_in_graph=in_graph)
        found.append(values(made))
    assert found[0] == found[1]


def test_other_batch_sizes_and_back() -> None:
    found = []
    for in_graph in (False, True):
        made = module(in_graph, options={"momentum": 0.9})
        for size in (16, 8, 16, 20):
            train(made, 1, size)
        found.append(values(made))
    assert found[0] == found[1]


def test_options_that_change_on_the_way() -> None:
    found = []
    for in_graph in (False, True):
        made = module(in_graph, options={"momentum": 0.9, "learning_rate": 0.1})
        train(made, 1)
        made._optimizer.rescale_grad = 0.5
        made._optimizer.set_learning_rate(0.01)
        train(made, 1)
        made._optimizer.set_wd_mult({"fc1_weight": 2.0})
        made._optimizer.wd = 0.1
        made._optimizer.momentum = 0.5
        train(made, 1)
        found.append(values(made))
    assert found[0] == found[1]


def test_going_on_from_a_checkpoint(tmp_path) -> None:
    prefix = str(tmp_path / "net")
    whole = module(False, "adam")
    train(whole, 2)
    for first, second in ((True, True), (True, False), (False, True)):
        made = module(first, "adam")
        train(made, 1)
        made.save_checkpoint(prefix, 1, save_optimizer_states=True)
        again = mx.mod.Module.load(prefix, 1, load_optimizer_states=True)
        data = batches()
        again.bind(data.provide_data, data.provide_label)
        again.init_optimizer(optimizer="adam", optimizer_params={}, update_in_graph=second)
        train(again, 1)
        assert values(again) == values(whole)
        made.load_optimizer_states(prefix + "-0001.states")  # others, for the graph to go on with
        train(made, 1)
        assert values(made) == values(whole)


def test_bound_again_and_another_optimizer() -> None:
    found = []
    for in_graph in (False, True):
        made = module(in_graph)
        train(made, 1)
        data = batches(10)
        made.bind(data.provide_data, data.provide_label, force_rebind=True)
        train(made, 1, 10)
        made.init_optimizer(optimizer="adam", force_init=True, optimizer_params={"learning_rate": 0.01})
        train(made, 1, 10)
        assert all(g[0] is not None for g in made._exec_group.grad_arrays)
        found.append(values(made))
    assert found[0] == found[1]


def test_fixed_parameters_stay() -> None:
    made = module(True, fixed_param_names=["fc1_weight"])
    before = values(made)
    train(made, 1)
    after = values(made)
    assert before["fc1_weight"] == after["fc1_weight"]
    assert before["fc2_weight"] != after["fc2_weight"]


def test_buckets() -> None:
    found = []
    for in_graph in (False, True):
        mx.random.seed(5)
        np.random.seed(5)  # noqa: NPY002 - initializers draw from it

        def generate(length: int) -> tuple:
            x = mx.sym.sum(mx.sym.Embedding(mx.sym.var("data"), input_dim=7, output_dim=5, name="e"), axis=1)
            x = mx.sym.FullyConnected(x / length, num_hidden=3, name="fc")
            return mx.sym.SoftmaxOutput(x, name="softmax"), ("data",), ("softmax_label",)

        made = mx.mod.BucketingModule(generate, default_bucket_key=6)
        made.bind([("data", (4, 6))], [("softmax_label", (4,))])
        made.init_params(mx.init.Xavier())
        made.init_optimizer(optimizer="adam", optimizer_params={}, update_in_graph=in_graph)
        rng = np.random.default_rng(2)
        for length in (6, 3, 6, 4, 3):
            made.forward_backward(
                mx.io.DataBatch(
                    [mx.nd.array(rng.integers(0, 7, (4, length)))],
                    [mx.nd.array(rng.integers(0, 3, 4))],
                    bucket_key=length,
                    provide_data=[("data", (4, length))],
                    provide_label=[("softmax_label", (4,))],
                )
            )
            made.update()
        found.append({name: array.asnumpy().tobytes() for name, array in made.get_params()[0].items()})
    assert found[0] == found[1]


def test_options_that_change_before_the_first_step() -> None:
    made = module(True, options={"learning_rate": 0.1})
    before = values(made)
    made._optimizer.rescale_grad = 0.0
    train(made, 1)
    after = values(made)
    assert all(before[name] == after[name] for name in before if "moving" not in name)
    found = []
    for in_graph in (False, True):
        made = module(in_graph, options={"momentum": 0.9, "learning_rate": 0.1})
        train(made, 1)
        for momentum in (0.0, 0.9):  # without momentum its array stays as it is
            made._optimizer.momentum = momentum
            train(made, 1)
        data = batches(10)
        made.bind(data.provide_data, data.provide_label, force_rebind=True)
        made._optimizer.rescale_grad = 0.01
        train(made, 1, 10)
        found.append(values(made))
    assert found[0] == found[1]


def test_modules_that_share_an_optimizer_follow_its_states_and_options() -> None:
    found = []
    for in_graph in (False, True):
        made, small = sharing(in_graph)
        for one, size in ((made, 16), (small, 8)):
            train(one, 1, size)
        states = made._updater.get_states()
        train(small, 1, 8)
        made._updater.set_states(states)
        made._optimizer.rescale_grad *= 2
        for one, size in ((made, 16), (small, 8), (made, 16)):
            train(one, 1, size)
        found.append(values(made))
    assert found[0] == found[1]


def test_states_that_are_loaded_between_forward_and_backward(tmp_path) -> None:
    path = str(tmp_path / "net.states")
    found = []
    for in_graph in (False, True):
        made = module(in_graph, "adam", {"learning_rate": 0.01})
        train(made, 1)
        made.save_optimizer_states(path)
        train(made, 1)
        batch = next(batches())
        made.forward(batch, is_train=True)
        made.load_optimizer_states(path)
        made.backward()
        made.update()
        train(made, 1)
        found.append(values(made))
    assert found[0] == found[1]


def test_parameters_that_are_set_after_the_optimizer() -> None:
    """Masters of 16-bit weights are copies of what the weights are when the first step is taken."""
    found = []
    for in_graph in (False, True):
        x = mx.sym.FullyConnected(mx.sym.Cast(mx.sym.var("data"), dtype="float16"), num_hidden=4, name="fc")
        made = mx.mod.Module(mx.sym.SoftmaxOutput(mx.sym.Cast(x, dtype="float32"), name="softmax"))
        data = batches()
        made.bind(data.provide_data, data.provide_label)
        made.init_params(mx.init.Zero())
        made.init_optimizer(optimizer_params={"multi_precision": True}, update_in_graph=in_graph)
        ones = {name: mx.nd.ones_like(array) for name, array in made.get_params()[0].items()}
        made.set_params(ones, {})
        train(made, 1)
        found.append(values(made))
    assert found[0] == found[1]


def test_a_refused_backward_is_no_step() -> None:
    made = mx.mod.Module(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc"), label_names=None)
    made.bind([("data", (4, 3))])
    made.init_params(mx.init.One())
    made.init_optimizer(optimizer="adam", optimizer_params={"learning_rate": 0.1}, update_in_graph=True)
    batch = mx.io.DataBatch([mx.nd.ones((4, 3))], None)
    made.forward(batch, is_train=False)
    with pytest.raises(mx.MXNetError, match=r"no forward\(is_train=True\) since init_optimizer"):
        made.backward([mx.nd.ones((4, 2))])
    made.forward(batch, is_train=True)
    with pytest.raises(mx.MXNetError, match="must be given"):
        made.backward()
    with pytest.raises(mx.MXNetError, match="no backward since the last update"):
        made.update()
    assert made._optimizer.num_update == 0
    made.backward([mx.nd.ones((4, 2))])
    made.update()
    assert made._optimizer.num_update == 1
    assert np.allclose(made.get_params()[0]["fc_weight"].asnumpy(), 0.9, atol=1e-4)
    with pytest.raises(mx.MXNetError, match="call forward"):
        made.backward([mx.nd.ones((4, 2))])
    assert made._optimizer.num_update == 1


@pytest.mark.parametrize("before", ["train", "score"])
def test_outside_again_with_other_batch_sizes(before: str) -> None:
    found = []
    for in_graph in (False, True):
        made = module(in_graph, options={"momentum": 0.9})
        train(made, 1)
        if before == "train":
            train(made, 1, 8)
        else:
            made.score(batches(8), "acc")
        made.init_optimizer(optimizer="adam", force_init=True, optimizer_params={"learning_rate": 0.01})
        for size in (20, 16, 8):
            train(made, 1, size)
        made.init_optimizer(force_init=True, update_in_graph=in_graph, optimizer_params={"momentum": 0.5})
        for size in (20, 16, 8):
            train(made, 1, size)
        if in_graph:
            executors = [*made._exec_group._first_execs, *made._exec_group.execs]
            assert all(exe.grad_dict["fc1_weight"] is None for exe in executors)
        found.append(values(made))
    assert found[0] == found[1]


def test_borrowers_go_outside_too() -> None:
    found = []
    for in_graph in (False, True):
        made, small = sharing(in_graph)
        train(small, 1, 8)
        made.init_optimizer(force_init=True, optimizer_params={"learning_rate": 0.1})
        small.borrow_optimizer(made)
        train(small, 1, 8)
        train(made, 1)
        found.append(values(made))
    assert found[0] == found[1]


@pytest.mark.parametrize("optimizer", ["sgd", "nag", "signum"])
def test_momentum_that_is_switched_off_and_on(optimizer: str) -> None:
    found = []
    for in_graph in (False, True):
        x = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=4, no_bias=True, name="fc")
        made = mx.mod.Module(mx.sym.SoftmaxOutput(x, name="softmax"))
        data = batches()
        made.bind(data.provide_data, data.provide_label)
        mx.random.seed(5)
        made.init_params(mx.init.Xavier())
        options = {"momentum": 0.9, "learning_rate": 0.1}
        made.init_optimizer(optimizer=optimizer, optimizer_params=options, update_in_graph=in_graph)
        for momentum in (0.9, 0.0, 0.9):
            made._optimizer.momentum = momentum
            train(made, 1)
        found.append(values(made))
    assert found[0] == found[1]


def test_states_that_are_replaced_by_hand() -> None:
    found = []
    for in_graph in (False, True):
        made = module(in_graph, options={"momentum": 0.9})
        train(made, 1)
        for key, state in list(made._updater.states.items()):
            made._updater.states[key] = mx.nd.zeros_like(state)
        train(made, 1)
        made._updater.states.clear()
        made._updater.states_synced.clear()
        train(made, 1)
        found.append(values(made))
    assert found[0] == found[1]


def test_an_operator_that_changes_after_forward() -> None:
    made = module(True, options={"momentum": 0.9})
    train(made, 1)
    made.forward(next(batches()), is_train=True)
    made._optimizer.momentum = 0.0
    with pytest.raises(
        mx.MXNetError, match="became sgd_update after forward, which was to use sgd_mom_update"
    ):
        made.backward()
    train(made, 1)
    made._optimizer.update = lambda *args: None  # no class of its own, but a way of its own
    with pytest.raises(ValueError, match="update in a way of its own"):
        made.init_optimizer(optimizer=made._optimizer, force_init=True, update_in_graph=True)


def test_where_it_is_not_offered() -> None:
    made = mx.mod.SequentialModule().add(mx.mod.Module(net()), take_labels=True)
    with pytest.raises(ValueError, match="update_in_graph=True is for Module and BucketingModule"):
        made.fit(batches(), num_epoch=1, update_in_graph=True)
    outside = module(False)
    with pytest.raises(ValueError, match="updates outside the graph; expected force_init=True"):
        outside.fit(batches(), num_epoch=1, update_in_graph=True)


def test_steps_in_order() -> None:
    made = module(True)
    batch = next(batches())
    with pytest.raises(mx.MXNetError, match="no backward since the last update"):
        made.update()
    with pytest.raises(mx.MXNetError, match="nothing has run"):
        made.backward()
    assert made._optimizer.num_update == 0
    made.forward_backward(batch)
    made.update()
    with pytest.raises(mx.MXNetError, match="no backward since the last update"):
        made.update()
    assert made._optimizer.num_update == 1


class _TwiceAdam(mx.optimizer.Adam):
    """Two steps for one."""

    def update(self, index, weight, grad, state) -> None:
        super().update(index, weight, grad, state)
        super().update(index, weight, grad, state)


@pytest.mark.parametrize(
    "optimizer, why",
    [
        ("adadelta", "several"),
        ("lamb", "several"),
        ("ftml", "several"),
        (_TwiceAdam(rescale_grad=1 / 16), "update in a way of its own"),
    ],
)
def test_optimizers_of_several_operators_are_refused(optimizer: object, why: str) -> None:
    with pytest.raises(ValueError, match=f"{why}.*; expected SGD"):
        module(True, optimizer, {})
    made = module(True, "sgd", {})
    train(made, 1)
    with pytest.raises(ValueError, match=why):
        made.init_optimizer(optimizer=optimizer, force_init=True, optimizer_params={}, update_in_graph=True)
    train(made, 1)  # goes on with the one before
    assert type(made._optimizer) is mx.optimizer.SGD
    with pytest.raises(ValueError, match="way of its own"):
        module(True, "lbsgd", {})


def test_several_devices_are_refused() -> None:
    made = mx.mod.Module(net(), context=[mx.cpu(0), mx.cpu(1)])
    data = batches()
    made.bind(data.provide_data, data.provide_label)
    made.init_params()
    with pytest.raises(ValueError, match=r"cpu\(1\)\] and kvstore 'local'; expected one device and no"):
        made.init_optimizer(update_in_graph=True)
    made.init_optimizer()  # and goes on without
    train(made, 1)


def test_half_precision() -> None:
    found = []
    for in_graph in (False, True):
        x = mx.sym.Cast(mx.sym.var("data"), dtype="float16")
        x = mx.sym.FullyConnected(x, num_hidden=4, name="fc")
        made = mx.mod.Module(mx.sym.SoftmaxOutput(mx.sym.Cast(x, dtype="float32"), name="softmax"))
        data = batches()
        made.bind(data.provide_data, data.provide_label)
        mx.random.seed(5)
        made.init_params(mx.init.Xavier())
        options = {"momentum": 0.9, "multi_precision": True}
        made.init_optimizer(optimizer_params=options, update_in_graph=in_graph)
        train(made, 1)
        found.append(values(made))
        assert made.get_params()[0]["fc_weight"].dtype == np.float16
    assert found[0] == found[1]
    with pytest.raises(ValueError, match="mixed precision by several operators"):
        made.init_optimizer(
            optimizer="adam",
            optimizer_params={"multi_precision": True},
            force_init=True,
            update_in_graph=True,
        )
