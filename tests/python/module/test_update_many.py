"""Updates of many weights in one call equal those one by one, to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mixgrad as mx

SHAPES = [(300, 257), (1,), (64,), (0, 3), (70001,)]
RULES: dict[str, Any] = {
    "sgd": lambda **kw: mx.optimizer.SGD(learning_rate=0.25, **kw),
    "momentum": lambda **kw: mx.optimizer.SGD(learning_rate=0.25, momentum=0.9, **kw),
    "adam": lambda **kw: mx.optimizer.Adam(learning_rate=0.01, **kw),
    "nag": lambda **kw: mx.optimizer.NAG(learning_rate=0.25, momentum=0.9, **kw),
}


def run(rule: str, dtype: str, together: bool, steps: int = 3, **options: Any) -> list[np.ndarray]:
    random = np.random.default_rng(1)
    names = {i: ("a_weight", "a_bias", "b_gamma", "c_weight", "d_weight")[i] for i in range(len(SHAPES))}
    optimizer = RULES[rule](wd=0.125, rescale_grad=0.5, param_idx2name=names, **options)
    optimizer.set_lr_mult({"b_gamma": 0.5})
    optimizer.set_wd_mult({"d_weight": 3.0})
    updater = mx.optimizer.get_updater(optimizer)
    weights = [mx.nd.array(np.asarray(random.standard_normal(s)), dtype=dtype) for s in SHAPES]
    for _ in range(steps):
        grads = [mx.nd.array(np.asarray(random.standard_normal(s)), dtype=dtype) for s in SHAPES]
        if together:
            updater(list(range(len(SHAPES))), grads, weights)
        else:
            for i, (grad, weight) in enumerate(zip(grads, weights)):
                updater(i, grad, weight)
    states = [state for i in range(len(SHAPES)) for state in flat(updater.states[i])]
    return [array.asnumpy() for array in (*weights, *states)]


def flat(state: Any) -> list[Any]:
    if isinstance(state, tuple):
        return [array for item in state for array in flat(item)]
    return [] if state is None else [state]


@pytest.mark.parametrize("clip", [None, 0.25])
@pytest.mark.parametrize(
    ("dtype", "mixed"), [("float32", False), ("float64", False), ("float16", True), ("float16", False)]
)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.filterwarnings("ignore:.*accumulating in 16-bit:UserWarning")
def test_together_equals_one_by_one(rule: str, dtype: str, mixed: bool, clip: Any) -> None:
    options = {"multi_precision": mixed, "clip_gradient": clip}
    together, single = run(rule, dtype, True, **options), run(rule, dtype, False, **options)
    assert len(together) == len(single)
    for a, b in zip(together, single):
        np.testing.assert_array_equal(a, b)


def test_weights_of_several_dtypes() -> None:
    for rule in RULES:
        results = []
        for together in (True, False):
            updater = mx.optimizer.get_updater(RULES[rule]())
            weights = [mx.nd.ones((5,), dtype=dtype) for dtype in ("float32", "float64")]
            grads = [weight * 0.5 for weight in weights]
            if together:
                updater([0, 1], grads, weights)
            else:
                for i in range(2):
                    updater(i, grads[i], weights[i])
            results.append([weight.asnumpy() for weight in weights])
        for a, b in zip(*results):
            np.testing.assert_array_equal(a, b)


def test_two_hundred_weights() -> None:
    weights = [mx.nd.ones((3,)) for _ in range(200)]
    updater = mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=0.5))
    updater(list(range(200)), [mx.nd.ones((3,)) for _ in range(200)], weights)
    assert all(weight.asnumpy().tolist() == [0.5] * 3 for weight in weights)


@pytest.mark.parametrize("rule", RULES)
def test_a_store_updates_what_one_call_pushes(rule: str) -> None:
    results = []
    for together in (True, False):
        kv: Any = mx.kv.create("local")
        keys = [f"k{i}" for i in range(3)]
        shapes = [(4, 5), (7,), (1,)]
        random = np.random.default_rng(2)
        kv.init(keys, [mx.nd.array(random.standard_normal(s)) for s in shapes])
        kv.set_optimizer(RULES[rule]())
        outs = [[mx.nd.empty(s), mx.nd.empty(s)] for s in shapes]
        for _ in range(3):
            grads = [[mx.nd.array(random.standard_normal(s)) for _ in range(2)] for s in shapes]
            if together:
                kv.pushpull(keys, grads, out=outs)
            else:
                for key, grad, out in zip(keys, grads, outs):
                    kv.pushpull(key, grad, out=out)
        kv.push(keys, [grad[0] for grad in grads])
        last = [mx.nd.empty(s) for s in shapes]
        kv.pull(keys, out=last)
        results.append([array.asnumpy() for pair in outs for array in pair] + [a.asnumpy() for a in last])
    for a, b in zip(*results):
        np.testing.assert_array_equal(a, b)


def test_two_hundred_weights_with_all_states() -> None:
    for rule in ("momentum", "adam"):
        results = []
        for together in (True, False):
            updater = mx.optimizer.get_updater(RULES[rule](multi_precision=True))
            weights = [mx.nd.ones((3,), dtype="float16") for _ in range(200)]
            grads = [mx.nd.ones((3,), dtype="float16") for _ in range(200)]
            if together:
                updater(list(range(200)), grads, weights)
            else:
                for i in range(200):
                    updater(i, grads[i], weights[i])
            results.append(np.concatenate([weight.asnumpy() for weight in weights]))
        np.testing.assert_array_equal(results[0], results[1])
