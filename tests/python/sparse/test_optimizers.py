"""Optimisers with row_sparse gradients: rows alone where the rule is lazy, else what dense gradients do."""

from __future__ import annotations

import warnings
from typing import Any, Callable

import numpy as np
import pytest

import mixgrad as mx

ROWS, COLUMNS = 7, 3
TOUCHED = ([1, 3], [0, 1, 5], [], [4, 3], [6])
STORAGE = ("default", "row_sparse")
Arrays = list[np.ndarray]


def weight_values() -> np.ndarray:
    return np.random.RandomState(1).randn(ROWS, COLUMNS)


def gradients() -> list[tuple[list[int], np.ndarray]]:
    random = np.random.RandomState(2)
    return [(sorted(rows), random.randn(len(rows), COLUMNS)) for rows in TOUCHED]


def row_sparse(rows: list[int], values: np.ndarray, dtype: str = "float32") -> Any:
    return mx.nd.sparse.row_sparse_array((values.astype(dtype), rows), shape=(ROWS, COLUMNS), dtype=dtype)


def trained(
    optimizer: Any, stype: str, dense_gradients: bool = False, dtype: str = "float32"
) -> tuple[Any, Any]:
    """The weight and the updater after a few gradients."""
    updater = mx.optimizer.get_updater(optimizer)
    weight = mx.nd.array(weight_values(), dtype=dtype).tostype(stype)
    for rows, values in gradients():
        gradient = row_sparse(rows, values, dtype)
        updater(0, gradient.tostype("default") if dense_gradients else gradient, weight)
    assert weight.stype == stype and np.dtype(weight.dtype) == dtype
    return weight, updater


def flat(state: Any) -> Arrays:
    if state is None:
        return []
    if isinstance(state, (tuple, list)):
        return [array for part in state for array in flat(part)]
    return [state.asnumpy()]


def stypes(state: Any) -> list[str]:
    if state is None:
        return []
    if isinstance(state, (tuple, list)):
        return [stype for part in state for stype in stypes(part)]
    return [state.stype]


# What happens to the rows of a gradient: (weight, gradient, states, count) change in place.


def sgd(momentum: float, wd: float = 0.0, clip: float = np.inf, lr: float = 0.1) -> Callable[..., None]:
    def step(w: np.ndarray, g: np.ndarray, states: Arrays, t: int) -> None:
        g = np.clip(g, -clip, clip) + wd * w
        states[0][:] = momentum * states[0] - lr * g
        w += states[0]

    return step


def adam(wd: float = 0.0, lr: float = 0.1) -> Callable[..., None]:
    def step(w: np.ndarray, g: np.ndarray, states: Arrays, t: int) -> None:
        g = g + wd * w
        states[0][:] = 0.9 * states[0] + 0.1 * g
        states[1][:] = 0.999 * states[1] + 0.001 * g * g
        rate = lr * np.sqrt(1 - 0.999**t) / (1 - 0.9**t)
        w -= rate * states[0] / (np.sqrt(states[1]) + 1e-8)

    return step


def ftrl(wd: float = 0.0, lr: float = 0.1, l1: float = 0.01) -> Callable[..., None]:
    def step(w: np.ndarray, g: np.ndarray, states: Arrays, t: int) -> None:
        z, n = states
        z += g - (np.sqrt(n + g * g) - np.sqrt(n)) * w / lr
        n += g * g
        w[:] = (np.sign(z) * l1 - z) / ((1 + np.sqrt(n)) / lr + wd) * (abs(z) > l1)

    return step


def adagrad(w: np.ndarray, g: np.ndarray, states: Arrays, t: int) -> None:
    states[0] += g * g
    w -= 0.1 * g / np.sqrt(states[0] + 1e-7)


def group_adagrad(w: np.ndarray, g: np.ndarray, states: Arrays, t: int) -> None:
    states[0] += (g * g).mean(axis=1, keepdims=True)
    w -= 0.1 * g / np.sqrt(states[0] + 1e-5)


def by_rows(step: Callable[..., None], widths: list[int]) -> tuple[np.ndarray, Arrays]:
    w = weight_values()
    states = [np.zeros((ROWS, width)) for width in widths]
    for t, (rows, values) in enumerate(gradients(), start=1):
        part, kept = w[rows], [state[rows] for state in states]
        step(part, values, kept, t)
        w[rows] = part
        for state, new in zip(states, kept):
            state[rows] = new
    return w, states


LAZY: dict[str, tuple[dict[str, Any], Callable[..., None], list[int]]] = {
    "sgd": ({"momentum": 0.9}, sgd(0.9), [COLUMNS]),
    "sgd with decay": ({"momentum": 0.9, "wd": 0.1, "clip_gradient": 0.5}, sgd(0.9, 0.1, 0.5), [COLUMNS]),
    "adam": ({}, adam(), [COLUMNS] * 2),
    "adam with decay": ({"wd": 0.1}, adam(0.1), [COLUMNS] * 2),
    "adagrad": ({}, adagrad, [COLUMNS]),
    "groupadagrad": ({}, group_adagrad, [1]),
    "ftrl": ({"wd": 0.1}, ftrl(0.1), [COLUMNS] * 2),
}


@pytest.mark.parametrize("stype", STORAGE)
@pytest.mark.parametrize("case", LAZY)
def test_lazy_rules_change_the_rows_of_the_gradient_alone(case: str, stype: str) -> None:
    if case == "ftrl" and stype == "default":
        pytest.skip("changes all rows")
    options, step, widths = LAZY[case]
    weight, updater = trained(mx.optimizer.create(case.split()[0], learning_rate=0.1, **options), stype)
    expected, states = by_rows(step, widths)
    np.testing.assert_allclose(weight.asnumpy(), expected, rtol=1e-5, atol=1e-5)
    for found, wanted in zip(flat(updater.states[0]), states):
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)
    assert set(stypes(updater.states[0])) == {stype}


@pytest.mark.parametrize("stype", STORAGE)
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("sgd", {"momentum": 0.9, "wd": 0.1, "lazy_update": False}),
        ("adam", {"wd": 0.1, "lazy_update": False}),
        ("adagrad", {"wd": 0.1}),
        ("nag", {"momentum": 0.9}),
        ("signum", {}),
        ("rmsprop", {}),
        ("rmsprop", {"centered": True}),
        ("adadelta", {}),
        ("adamax", {}),
        ("nadam", {}),
        ("ftml", {}),
        ("dcasgd", {"momentum": 0.9}),
        ("lamb", {}),
        ("lars", {"momentum": 0.9}),
        ("lbsgd", {}),
        ("adamw", {"wd": 0.1}),
        ("lans", {}),
        ("sgld", {}),
    ],
)
def test_other_rules_do_what_they_do_for_dense_gradients(
    name: str, options: dict[str, Any], stype: str
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        mx.random.seed(3)
        weight, updater = trained(mx.optimizer.create(name, learning_rate=0.1, **options), stype)
        mx.random.seed(3)
        wanted, other = trained(mx.optimizer.create(name, learning_rate=0.1, **options), "default", True)
    np.testing.assert_allclose(weight.asnumpy(), wanted.asnumpy(), rtol=1e-5, atol=1e-5)
    for found, state in zip(flat(updater.states[0]), flat(other.states[0])):
        np.testing.assert_allclose(found, state, rtol=1e-5, atol=1e-5)


def test_ftrl_changes_every_row_of_a_dense_weight() -> None:
    weight, _ = trained(mx.optimizer.create("ftrl"), "default")
    wanted, _ = trained(mx.optimizer.create("ftrl"), "default", True)
    np.testing.assert_allclose(weight.asnumpy(), wanted.asnumpy(), rtol=1e-5, atol=1e-6)
    assert (weight.asnumpy()[2] == 0).all()


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("sgd", {"momentum": 0.9}, ["row_sparse"]),
        ("sgd", {"momentum": 0.9, "lazy_update": False}, ["default"]),
        ("adam", {}, ["row_sparse"] * 2),
        ("adam", {"lazy_update": False}, ["default"] * 2),
        ("ftrl", {}, ["row_sparse"] * 2),
        ("adagrad", {}, ["row_sparse"]),
        ("groupadagrad", {}, ["row_sparse"]),
        ("rmsprop", {}, ["row_sparse"]),
        ("rmsprop", {"centered": True}, ["row_sparse"] * 3),
        ("signum", {}, ["row_sparse"]),
        ("lamb", {}, ["row_sparse"] * 2),
        ("nag", {"momentum": 0.9}, ["default"]),
        ("adadelta", {}, ["default"] * 2),
        ("nadam", {}, ["default"] * 2),
        ("dcasgd", {}, ["row_sparse"]),
    ],
)
def test_states_of_row_sparse_weights_are_stored_as_mxnet_stores_them(
    name: str, options: dict[str, Any], expected: list[str]
) -> None:
    weight = mx.nd.ones((ROWS, COLUMNS)).tostype("row_sparse")
    optimizer = mx.optimizer.create(name, **options)
    assert stypes(optimizer.create_state(0, weight)) == expected
    dense = stypes(optimizer.create_state(0, weight.tostype("default")))
    assert dense == ["default"] * len(expected)


@pytest.mark.parametrize("stype", STORAGE)
@pytest.mark.parametrize("name", ["sgd", "adam"])
def test_half_precision_with_a_master_in_float32(name: str, stype: str) -> None:
    optimizer = mx.optimizer.create(name, learning_rate=0.1, multi_precision=True)
    weight, _ = trained(optimizer, stype, dtype="float16")
    wanted, _ = trained(mx.optimizer.create(name, learning_rate=0.1), stype)
    np.testing.assert_allclose(weight.asnumpy(), wanted.asnumpy(), rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("name", ["sgd", "adam", "adagrad", "ftrl", "groupadagrad", "lamb", "rmsprop"])
def test_states_that_were_saved_go_on(name: str) -> None:
    first = mx.optimizer.create(name, learning_rate=0.1, **({"momentum": 0.9} if name == "sgd" else {}))
    weight, updater = trained(first, "row_sparse")
    other = mx.optimizer.get_updater(mx.optimizer.create(name))
    other.set_states(updater.get_states(dump_optimizer=True))
    copy = weight.copy()
    gradient = row_sparse([2, 4], np.ones((2, COLUMNS)))
    updater(0, gradient, weight)
    other(0, gradient, copy)
    assert np.array_equal(weight.asnumpy(), copy.asnumpy())
    assert stypes(other.states[0]) == stypes(updater.states[0]) and "row_sparse" in stypes(other.states[0])


@pytest.mark.parametrize(
    "rows", [[1, 1], [-1, 2], [0, 7], [2, 1]], ids=["twice", "below", "beyond", "descending"]
)
def test_damaged_rows_of_states_are_refused(rows: list[int]) -> None:
    state = row_sparse([0, 1], np.ones((2, COLUMNS)))
    updater = mx.optimizer.get_updater(mx.optimizer.create("test"))
    updater.states = {0: state}
    saved = updater.get_states()
    assert saved.endswith(np.array([0, 1]).tobytes())
    with pytest.raises(ValueError, match="damaged header"):
        updater.set_states(saved[:-16] + np.array(rows).tobytes())


def test_several_weights_at_once_sparse_and_dense() -> None:
    for name in ("sgd", "adam"):
        updater = mx.optimizer.get_updater(mx.optimizer.create(name, learning_rate=0.1))
        weights = [mx.nd.ones((ROWS, COLUMNS)).tostype(stype) for stype in (*STORAGE, "default")]
        gradient = row_sparse([1], np.ones((1, COLUMNS)))
        updater([0, 1, 2], [gradient, gradient, gradient.tostype("default")], weights)
        for weight in weights:
            assert np.array_equal(weight.asnumpy()[0], np.ones(COLUMNS))
            np.testing.assert_allclose(weight.asnumpy()[1], 0.9, rtol=1e-5)


def test_a_copy_of_a_weight_keeps_its_values() -> None:
    weight = mx.nd.ones((ROWS, COLUMNS)).tostype("row_sparse")
    copy, other = weight.copy(), mx.nd.sparse.zeros("row_sparse", (ROWS, COLUMNS))
    weight.copyto(other)
    mx.optimizer.get_updater(mx.optimizer.create("sgd"))(0, row_sparse([0], np.ones((1, COLUMNS))), weight)
    assert (weight.asnumpy()[0] != 1).all()
    assert (copy.asnumpy() == 1).all() and (other.asnumpy() == 1).all()


def test_rules_of_users_may_compute_in_place() -> None:
    class Plain(mx.optimizer.Optimizer):
        def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
            weight -= 0.5 * grad

    for stype in STORAGE:
        weight = mx.nd.ones((ROWS, COLUMNS)).tostype(stype)
        mx.optimizer.get_updater(Plain())(0, row_sparse([2], np.ones((1, COLUMNS))), weight)
        assert weight.stype == stype
        assert weight.asnumpy()[:, 0].tolist() == [1, 1, 0.5, 1, 1, 1, 1]


@pytest.mark.parametrize("stype", STORAGE)
@pytest.mark.parametrize("name", ["sgd", "adam", "adagrad", "groupadagrad"])
def test_wrong_gradients_are_errors_that_change_nothing(name: str, stype: str) -> None:
    bad = {
        "another shape": mx.nd.sparse.row_sparse_array((np.ones((1, COLUMNS), "f"), [8]), shape=(9, COLUMNS)),
        "a row outside": row_sparse([ROWS], np.ones((1, COLUMNS))),
        "a row below 0": row_sparse([-1], np.ones((1, COLUMNS))),
        "another dtype": row_sparse([1], np.ones((1, COLUMNS)), "float64"),
        "csr": mx.nd.ones((ROWS, COLUMNS + 1)).tostype("csr"),
    }
    for what, gradient in bad.items():
        weight = mx.nd.ones((ROWS, COLUMNS)).tostype(stype)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            with pytest.raises((mx.base.MXNetError, ValueError, TypeError, IndexError)):
                mx.optimizer.get_updater(mx.optimizer.create(name))(0, gradient, weight)
                pytest.fail(what)
        assert (weight.asnumpy() == 1).all(), what


@pytest.mark.parametrize("stype", STORAGE)
@pytest.mark.parametrize("name", ["ftrl", "lamb", "rmsprop"])
def test_a_row_outside_is_an_error_where_the_gradient_becomes_dense(name: str, stype: str) -> None:
    weight = mx.nd.ones((ROWS, COLUMNS)).tostype(stype)
    updater = mx.optimizer.get_updater(mx.optimizer.create(name))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        with pytest.raises(IndexError):
            updater(0, row_sparse([ROWS], np.ones((1, COLUMNS))), weight)
            weight.asnumpy()


def test_sparse_weights_are_not_updated_inside_of_graphs() -> None:
    weight = mx.nd.ones((ROWS, COLUMNS)).tostype("row_sparse")
    assert mx.optimizer.SGD().graph_step(weight, None) is None
    with pytest.raises(ValueError, match="storage type row_sparse"):
        mx.optimizer.SGD().check_graph_steps([0], [weight])
