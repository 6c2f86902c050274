"""Optimisers against their rules in NumPy, their learning rates, mixed precision."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from training.optimizer_references import STEPS

import mixgrad as mx

opt = mx.optimizer

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("sgd", {}),
    ("sgd", {"momentum": 0.9}),
    ("ccsgd", {"momentum": 0.9}),
    ("nag", {}),
    ("nag", {"momentum": 0.9}),
    ("signum", {}),
    ("signum", {"momentum": 0.0}),
    ("signum", {"wd_lh": 0.1}),
    ("dcasgd", {}),
    ("dcasgd", {"momentum": 0.9, "lamda": 0.5}),
    ("adam", {}),
    ("adam", {"beta1": 0.5, "epsilon": 0.1}),
    ("adamax", {}),
    ("nadam", {"schedule_decay": 0.5}),
    ("ftml", {"beta1": 0.3, "epsilon": 0.1}),
    ("adagrad", {"eps": 0.1}),
    ("groupadagrad", {}),
    ("adadelta", {"rho": 0.5, "epsilon": 0.1}),
    ("rmsprop", {}),
    ("rmsprop", {"centered": True, "gamma1": 0.5, "gamma2": 0.3}),
    ("rmsprop", {"clip_weights": 0.5}),
    ("ftrl", {"lamda1": 0.5, "beta": 2}),
    ("lars", {"eta": 0.5, "eps": 0.3}),
    ("lars", {"momentum": 0.9, "eta": 0.5}),
    ("lars", {"momentum": 0.9, "eta": 0.5, "momentum_correction": False}),
    ("lamb", {}),
    ("lamb", {"lower_bound": 1.0, "upper_bound": 2.0}),
    ("lamb", {"bias_correction": False}),
    ("adamw", {}),
    ("adamw", {"correct_bias": False, "epsilon": 0.1}),
    ("lans", {}),
    ("lans", {"lower_bound": 1.0, "upper_bound": 2.0, "beta1": 0.5}),
    ("lbsgd", {"momentum": 0.9, "batch_scale": 3, "warmup_epochs": 1, "updates_per_epoch": 4}),
    ("lbsgd", {"batch_scale": 2, "warmup_strategy": "power2", "warmup_epochs": 1}),
    ("lbsgd", {"batch_scale": 2, "warmup_strategy": "sqrt", "begin_epoch": 1, "warmup_epochs": 2}),
    ("lbsgd", {"batch_scale": 2, "warmup_strategy": "lars", "momentum": 0.5}),
]
COMMON = [
    {"wd": wd, "clip_gradient": clip, "rescale_grad": rescale}
    for wd, clip, rescale in itertools.product([0.0, 0.1], [None, 0.7], [1.0, 0.3])
]
NAMES = {0: "fc_weight", 1: "fc2_weight"}


def trained(name: str, options: dict[str, Any], dtype: str, steps: int = 6, **more: Any) -> Any:
    """Weights after some steps by the optimiser, and by the rule in NumPy."""
    optimizer = opt.create(name, param_idx2name=NAMES, **options, **more)
    updater = opt.get_updater(optimizer)
    rng = np.random.default_rng(3)
    weights = [mx.nd.array(rng.normal(size=s), dtype=dtype) for s in ((4, 3), (2, 5))]
    expected = [w.asnumpy().astype(np.float64) for w in weights]
    states: list[dict[str, Any]] = [{} for _ in weights]
    for t in range(1, steps + 1):
        for i, weight in enumerate(weights):
            grad = mx.nd.array(rng.normal(size=weight.shape) * 3, dtype=dtype)
            exact = grad.asnumpy().astype(np.float64)
            updater(i, grad, weight)
            lr, wd = optimizer._get_lr(i), optimizer._get_wd(i)
            expected[i] = STEPS[name](expected[i], exact, optimizer, lr, wd, t, states[i])
    return weights, expected


@pytest.mark.parametrize("common", COMMON, ids=str)
@pytest.mark.parametrize(("name", "options"), VARIANTS, ids=str)
def test_rules(name: str, options: dict[str, Any], common: dict[str, Any]) -> None:
    if name == "groupadagrad" and common["wd"]:
        common = {**common, "wd": 0.0}
    weights, expected = trained(name, options, "float32", learning_rate=0.1, **common)
    for weight, exact in zip(weights, expected):
        np.testing.assert_allclose(weight.asnumpy(), exact, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize(("name", "options"), VARIANTS, ids=str)
def test_mixed_precision(name: str, options: dict[str, Any]) -> None:
    weights, expected = trained(
        name, options, "float16", learning_rate=0.01, wd=0.0, rescale_grad=0.5, multi_precision=True
    )
    for weight, exact in zip(weights, expected):
        assert weight.dtype == np.float16
        np.testing.assert_allclose(weight.asnumpy(), exact, rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("name", ["sgd", "nag", "adam", "adagrad"])
def test_small_updates_survive_in_mixed_precision(name: str) -> None:
    optimizer = opt.create(name, learning_rate=1e-4, multi_precision=True)
    updater = opt.get_updater(optimizer)
    weight, grad = mx.nd.ones((2,), dtype="float16"), mx.nd.ones((2,), dtype="float16")
    for _ in range(100):
        updater(0, grad, weight)
    assert (weight.asnumpy() < 0.9999).all()


@pytest.mark.filterwarnings("ignore:.*accumulating in 16-bit:UserWarning")
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("name", sorted(opt.Optimizer.opt_registry))
def test_every_optimizer_steps_in_every_float_dtype(name: str, dtype: str) -> None:
    updater = opt.get_updater(opt.create(name))
    weight = mx.nd.ones((2, 3), dtype=dtype)
    for _ in range(2):
        updater("key", mx.nd.ones((2, 3), dtype=dtype), weight)
    assert weight.dtype == np.dtype(dtype)
    assert np.isfinite(weight.asnumpy()).all()


@pytest.mark.parametrize("name", sorted(opt.Optimizer.opt_registry))
def test_half_precision_without_a_master_copy_warns(name: str) -> None:
    with pytest.warns(UserWarning, match="multi_precision=True keeps a float32 copy"):
        opt.create(name).create_state_multi_precision(0, mx.nd.ones((2, 3), dtype="float16"))


def test_sgld_is_half_a_step_and_noise() -> None:
    mx.random.seed(5)
    weight = mx.nd.ones((100, 100))
    optimizer = opt.SGLD(learning_rate=0.25, wd=0.5, rescale_grad=2.0)
    optimizer.update(0, weight, mx.nd.ones((100, 100)), None)
    noise = weight.asnumpy() - (1 - 0.125 * (2 + 0.5))
    assert noise.mean() == pytest.approx(0, abs=0.02)
    assert noise.std() == pytest.approx(0.5, rel=0.02)


def test_weights_with_zero_norm_move_in_large_batch_optimizers() -> None:
    for name in ("lars", "lamb"):
        weight = mx.nd.zeros((3,))
        updater = opt.get_updater(opt.create(name, learning_rate=0.5))
        updater(0, mx.nd.ones((3,)), weight)
        np.testing.assert_allclose(weight.asnumpy(), -0.5, rtol=1e-4)
        updater(0, mx.nd.zeros((3,)), mx.nd.ones((3,)))
        assert np.isfinite(weight.asnumpy()).all()


def test_lars_leaves_the_rate_of_biases() -> None:
    lars = opt.LARS(learning_rate=0.5, param_idx2name={0: "bn_gamma", 1: "fc_bias"})
    for index in (0, 1):
        weight = mx.nd.ones((2,))
        lars.update(index, weight, mx.nd.ones((2,)), None)
        assert weight.asnumpy().tolist() == [0.5, 0.5]
    assert lars.wd_mult == {"bn_gamma": 0, "fc_bias": 0}


# Learning rates.


@pytest.mark.parametrize("name", ["sgd", "adam", "ftml", "rmsprop"])
def test_rules_follow_a_schedule(name: str) -> None:
    schedule = mx.lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.2)
    options = {"learning_rate": 0.2} if name in ("adam", "rmsprop") else {}
    extra = {"momentum": 0.9} if name == "sgd" else {}
    weights, expected = trained(name, {**options, **extra}, "float32", lr_scheduler=schedule)
    for weight, exact in zip(weights, expected):
        np.testing.assert_allclose(weight.asnumpy(), exact, rtol=2e-4, atol=2e-5)
    assert schedule.base_lr == 0.05


def test_lars_corrects_momentum_when_the_rate_changes() -> None:
    schedule = mx.lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.2)
    lars = opt.LARS(momentum=0.9, lr_scheduler=schedule, eta=0.5)
    weight, grad, state = mx.nd.ones((2,)), mx.nd.ones((2,)), mx.nd.zeros((2,))
    exact, store = np.ones(2), dict[str, Any]()
    for t in range(1, 6):
        lars.update(0, weight, grad, state)
        exact = STEPS["lars"](exact, np.ones(2), lars, schedule.base_lr, 0.0, t, store)
        np.testing.assert_allclose(weight.asnumpy(), exact, rtol=1e-5)


def test_learning_rate_and_schedule() -> None:
    sgd = opt.SGD(learning_rate=0.1)
    sgd.set_learning_rate(0.3)
    assert sgd.learning_rate == 0.3
    schedule = mx.lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.7)
    assert opt.SGD(lr_scheduler=schedule).learning_rate == 0.7
    both = opt.SGD(learning_rate=0.1, lr_scheduler=schedule)
    assert both.learning_rate == schedule.base_lr == 0.1
    with pytest.raises(UserWarning, match="belongs to the FactorScheduler and cannot be set to 3"):
        both.set_learning_rate(3)
    # The L1 optimiser's own default rate does not touch the schedule.
    schedule = mx.lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.7)
    assert opt.Ftrl(lr_scheduler=schedule).learning_rate == 0.7


def test_counts_of_updates() -> None:
    sgd = opt.SGD(begin_num_update=10)
    weight = mx.nd.ones((2,))
    for index in (0, 0, 1):
        sgd.update(index, weight, mx.nd.ones((2,)), None)
    assert sgd._index_update_count == {0: 12, 1: 11}
    assert sgd.num_update == 12
    sgd._set_current_context(1)
    sgd.update(0, weight, mx.nd.ones((2,)), None)
    assert sgd._all_index_update_counts == {0: {0: 12, 1: 11}, 1: {0: 11}}


def test_multipliers_by_name_index_and_parameter() -> None:
    names = {0: "a_weight", 1: "a_bias", 2: "b_gamma", 3: "b_beta"}
    sgd = opt.SGD(learning_rate=0.1, wd=0.01, param_idx2name=names)
    assert [sgd._get_wd(i) for i in range(4)] == [0.01, 0, 0.01, 0]
    sgd.set_lr_mult({"a_weight": 0.5, 1: 3.0})
    sgd.set_wd_mult({"b_gamma": 2.0, "a_bias": 1.0})
    assert sgd._get_lrs([0, 1, 2, 9]) == pytest.approx([0.05, 0.3, 0.1, 0.1])
    assert sgd._get_wds([0, 1, 2, 3]) == pytest.approx([0.01, 0.01, 0.02, 0])

    class Parameter:
        lr_mult, wd_mult = 0.25, 4.0

    sgd = opt.SGD(learning_rate=0.1, wd=0.01, param_idx2name=names, param_dict={1: Parameter()})
    assert (sgd._get_lr(1), sgd._get_wd(1)) == pytest.approx((0.025, 0.04))


def test_multipliers_of_a_symbol() -> None:
    class Symbol:
        def attr_dict(self) -> dict[str, dict[str, str]]:
            return {"a_weight": {"__lr_mult__": "0.3"}, "a_bias": {"__wd_mult__": "0.2"}, "other": {}}

        def list_arguments(self) -> list[str]:
            return ["data", "a_weight", "a_bias"]

    sgd = opt.SGD(learning_rate=1, wd=1, param_idx2name={0: "a_weight", 1: "a_bias"}, sym=Symbol())
    assert sgd._get_lrs([0, 1]) == [0.3, 1]
    assert sgd._get_wds([0, 1]) == [1, 0.2]


def test_multipliers_change_the_step() -> None:
    sgd = opt.SGD(learning_rate=0.5)
    sgd.set_lr_mult({7: 0.5})
    weight = mx.nd.ones((1,))
    sgd.update(7, weight, mx.nd.ones((1,)), None)
    assert weight.asscalar() == 0.75


# Making, registering, refusing.


def test_create_and_register() -> None:
    assert isinstance(opt.create("AdaM", learning_rate=3), opt.Adam)
    with pytest.raises(ValueError, match="unknown optimizer 'nope'; known: adadelta, adagrad, adam"):
        opt.create("nope")
    with pytest.raises(TypeError, match="expected a name, got int"):
        opt.create(3)
    with pytest.raises(TypeError, match="subclass of Optimizer"):
        opt.register(int)
    with pytest.raises(TypeError, match=r"\[SGD\] no argument is called 'foo'"):
        opt.SGD(foo=1)
    with pytest.raises(TypeError, match="must map indices to names, got list"):
        opt.SGD(param_idx2name=[1])
    original = opt.Optimizer.opt_registry["sgd"]
    try:
        with pytest.warns(UserWarning, match="'sgd' now means"):
            opt.register(type("SGD", (opt.Optimizer,), {}))
    finally:
        opt.Optimizer.opt_registry["sgd"] = original
    with pytest.raises(NotImplementedError, match="must define update"):
        opt.Optimizer().update(0, mx.nd.ones((1,)), mx.nd.ones((1,)), None)


def test_refusals_show_what_arrived() -> None:
    with pytest.raises(ValueError, match="got 'cubic'"):
        opt.LBSGD(warmup_strategy="cubic")
    with pytest.raises(ValueError, match="batch_scale is 0; expected at least 1"):
        opt.LBSGD(batch_scale=0)
    with pytest.raises(ValueError, match=r"must be a matrix, got shape \(3,\)"):
        opt.contrib.GroupAdaGrad().create_state(0, mx.nd.ones((3,)))
    with pytest.raises(ValueError, match=r"weight decay is not supported, got wd=0\.1"):
        group = opt.contrib.GroupAdaGrad(wd=0.1)
        group.update(0, mx.nd.ones((1, 1)), mx.nd.ones((1, 1)), mx.nd.zeros((1, 1)))
    updater = opt.get_updater(opt.SGD())
    with pytest.raises(ValueError, match="got 2 indices, 1 gradients and 2 weights"):
        updater([0, 1], [mx.nd.ones((1,))], [mx.nd.ones((1,))] * 2)


def test_updater_takes_lists() -> None:
    updater = opt.get_updater(opt.SGD(learning_rate=1.0, momentum=0.5))
    weights = [mx.nd.zeros((2,)), mx.nd.zeros((3,))]
    for _ in range(2):
        updater([0, "b"], [mx.nd.ones((2,)), mx.nd.ones((3,))], weights)
    assert [w.asnumpy().tolist() for w in weights] == [[-2.5] * 2, [-2.5] * 3]
    assert set(updater.states) == {0, "b"}


def test_minimises_a_quadratic() -> None:
    target = np.array([1.0, -2.0, 3.0])
    for name in ("sgd", "nag", "adam", "adamax", "nadam", "rmsprop", "adagrad", "ftml"):
        updater = opt.get_updater(opt.create(name, learning_rate=0.1))
        weight = mx.nd.zeros((3,))
        for _ in range(300):
            updater(0, 2 * (weight - mx.nd.array(target)), weight)
        error = float(np.abs(weight.asnumpy() - target).max())
        assert error < (1.5 if name == "adagrad" else 0.1), (name, error)
        assert not math.isnan(error)


@pytest.mark.parametrize("momentum", [0.0, 0.9])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_sgd_of_many_weights_equals_one_by_one(momentum: float, dtype: str) -> None:
    rng = np.random.RandomState(0)
    shapes = [(3, 4), (5,), (1,)] * 20
    start = [rng.randn(*shape) for shape in shapes]
    steps = [[rng.randn(*shape) for shape in shapes] for _ in range(3)]

    def run(together: bool) -> list[Any]:
        schedule = mx.lr_scheduler.FactorScheduler(1, 0.5)
        options = {"clip_gradient": 0.5, "wd": 0.1, "lr_scheduler": schedule, "multi_precision": True}
        optimizer = mx.optimizer.SGD(learning_rate=0.5, momentum=momentum, **options)
        optimizer.set_lr_mult({1: 0.5})
        update = mx.optimizer.get_updater(optimizer)
        weights = [mx.nd.array(w, dtype=dtype) for w in start]
        for step in steps:
            grads = [mx.nd.array(g, dtype=dtype) for g in step]
            if together:
                update(list(range(len(shapes))), grads, weights)
            else:
                for i, (grad, weight) in enumerate(zip(grads, weights)):
                    update(i, grad, weight)
        return [w.asnumpy() for w in weights]

    for a, b in zip(run(True), run(False)):
        np.testing.assert_array_equal(a, b)


def test_sgd_of_weights_of_several_dtypes_and_devices() -> None:
    update = mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=1.0))
    kinds = [("float32", 0), ("float64", 0), ("float32", 1)]
    weights = [mx.nd.ones((2,), ctx=mx.cpu(d), dtype=t) for t, d in kinds]
    update([0, 1, 2], [w * 0.5 for w in weights], weights)
    update([], [], [])
    assert [w.asnumpy().tolist() for w in weights] == [[0.5, 0.5]] * 3


def test_contrib_updates_take_numbers_and_lists() -> None:
    def arrays(dtype: str = "float32") -> list[mx.nd.NDArray]:
        return [mx.nd.array(x, dtype=dtype) for x in ([1, 2], [0.5, -1], [0.25, 0], [1, 0.5])]

    contrib, rates = mx.nd.contrib, {"lrs": (0.1,), "wds": (0.01,), "etas": (0.5,)}
    alone = arrays()
    contrib.adamw_update(*alone, 0.5, lr=0.1, eta=0.5, wd=0.01, out=alone[0])
    listed = [[x] for x in arrays()]
    contrib.multi_adamw_update(*listed, mx.nd.array([0.5]), **rates, out=listed[0])
    np.testing.assert_array_equal(listed[0][0].asnumpy(), alone[0].asnumpy())
    np.testing.assert_array_equal(listed[2][0].asnumpy(), alone[2].asnumpy())

    master = mx.nd.array([1, 2])
    half = [x.astype("float16") for x in arrays()[:2]] + arrays()[2:]
    contrib.mp_adamw_update(*half, master, 0.5, lr=0.1, eta=0.5, wd=0.01, out=half[0])
    np.testing.assert_allclose(master.asnumpy(), alone[0].asnumpy(), rtol=1e-6)
    half = [[x.astype("float16")] for x in arrays()[:2]] + [[x] for x in arrays()[2:]]
    again = [mx.nd.array([1, 2])]
    contrib.multi_mp_adamw_update(*half, again, 0.5, **rates, out=half[0])
    np.testing.assert_array_equal(again[0].asnumpy(), master.asnumpy())

    wide, narrow = [[x] for x in arrays()], [[x] for x in arrays()]
    contrib.multi_lamb_update(*wide, (3,), (0.1,), (0.01,), out=wide[0])
    narrow[:2] = [[x[0].astype("float16")] for x in narrow[:2]]
    masters = [mx.nd.array([1, 2])]
    contrib.multi_mp_lamb_update(*narrow, masters, (3,), (0.1,), (0.01,), out=narrow[0])
    np.testing.assert_allclose(masters[0].asnumpy(), wide[0][0].asnumpy(), rtol=1e-6)
    with pytest.raises(ValueError, match=r"lists of \[1, 2, 1, 1\] arrays; expected as many in each"):
        contrib.multi_lamb_update(wide[0], wide[1] * 2, wide[2], wide[3], (3,), (0.1,), (0.01,))
    assert {"adamw_update", "arange_like"} <= set(dir(contrib))


# Called directly with what cannot be.

RULES = sorted(set(mx.optimizer.Optimizer.opt_registry))


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("name", RULES)
def test_what_is_no_array_is_refused_before_anything_changes(name: str, mixed: bool) -> None:
    rule = mx.optimizer.create(name, multi_precision=mixed, param_idx2name={0: "fc_weight"})
    dtype = "float16" if mixed else "float32"
    weight, grad = mx.nd.ones((2, 3), dtype=dtype), mx.nd.ones((2, 3), dtype=dtype)
    state = rule.create_state_multi_precision(0, weight)
    update = rule.update_multi_precision if mixed else rule.update
    plain = np.ones((2, 3), dtype)
    who = rf"\[{type(rule).__name__}.update\] the %s of 'fc_weight' \(index 0\) is %s; expected NDArray"
    for call, what, kind in (
        (lambda: update(0, weight, None, state), "gradient", "NoneType"),
        (lambda: update(0, weight, plain, state), "gradient", "ndarray"),
        (lambda: update(0, plain, grad, state), "weight", "ndarray"),
        (lambda: update(0, None, grad, state), "weight", "NoneType"),
    ):
        with pytest.raises(TypeError, match=who % (what, kind)):
            call()
    wrong: list[Any] = [5, "text", (weight,) * 9]
    if isinstance(state, tuple):
        wrong += [None, weight] if not mixed or name not in ("sgd", "ccsgd", "nag", "lars", "lbsgd") else []
    elif name in ("adagrad", "groupadagrad", "test"):
        wrong += [None]
    for other in wrong:
        with pytest.raises(
            TypeError, match=r"\.update\] the state of 'fc_weight'.* is .*; expected .* as crea"
        ):
            update(0, weight, grad, other)
    assert (weight.asnumpy() == 1).all() and rule.num_update == 0


def test_states_of_what_is_no_array() -> None:
    with pytest.raises(TypeError, match="the weight is ndarray; expected NDArray"):
        mx.optimizer.Adam().create_state(0, np.ones(3))
    with pytest.raises(TypeError, match="the weight of index 0 is ndarray; expected NDArray"):
        mx.optimizer.get_updater(mx.optimizer.SGD())(0, mx.nd.ones((3,)), np.ones(3))
