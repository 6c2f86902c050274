"""Calls of planned graphs beside calls on arrays: gradients, states, threads, devices, refusals."""

from __future__ import annotations

import os
import threading
from typing import Any, Callable

import numpy as np
import pytest

import mixgrad as mx

Function = Callable[..., Any]

UNARY: list[Function] = [mx.nd.tanh, mx.nd.sigmoid, mx.nd.square, lambda x: x * 0.5 + 1, lambda x: -x]
BINARY: list[Function] = [
    lambda x, y: x + y,
    lambda x, y: x * y,
    lambda x, y: x - 2 * y,
    mx.nd.maximum,
    lambda x, y: mx.nd.dot(x, y, transpose_b=True).mean(axis=1, keepdims=True) * x,
]


def random_function(rng: np.random.RandomState, captured: Any) -> Function:
    """Some operators on two arrays, a captured one and what came before; one output or several."""
    steps = [[rng.randint(n) for n in (2, 5, 100, 100)] for _ in range(rng.randint(1, 9))]
    several = rng.randint(3)

    def fn(x: Any, y: Any) -> Any:
        values = [x, y, captured]
        for binary, which, first, second in steps:
            a, b = values[first % len(values)], values[second % len(values)]
            values.append(BINARY[which](a, b) if binary else UNARY[which](a))
        return values[-1] if several == 0 else (values[-1], values[-1 - several])

    return fn


def run(
    fn: Function, anchor: Any, inputs: list[Any], variables: list[Any], head_grads: list[Any]
) -> list[np.ndarray]:
    """Outputs and gradients; the anchor puts every output on the tape."""
    with mx.autograd.record():
        out = fn(*inputs)
        outputs = list(out) if isinstance(out, (list, tuple)) else [out]
        used = [o * anchor for o in outputs]
    mx.autograd.backward(used, head_grads[: len(used)])
    return [o.asnumpy() for o in outputs] + [v.grad.asnumpy() for v in variables]


@pytest.mark.parametrize("seed", range(40))
def test_random_functions_equal_calls_on_arrays(seed: int) -> None:
    rng = np.random.RandomState(seed)
    x, y, w = (mx.nd.array(rng.uniform(-1, 1, (3, 4))) for _ in range(3))
    fn = random_function(rng, w)
    compiled = mx.jit(fn)
    requests = [("write", "add", "null")[i] for i in rng.randint(0, 3, 3)]
    for _ in range(3):
        results = []
        for one in (fn, compiled):
            variables = []
            for array, request in zip((x, y, w), requests):
                array.attach_grad(request)
                if request != "null":
                    array.grad[:] = 3
                    variables.append(array)
            if not variables:
                x.attach_grad()
                variables.append(x)
            anchor = mx.nd.ones((3, 4))
            anchor.attach_grad()
            grads = [mx.nd.array(np.full((3, 4), 0.5 + i)) for i in range(2)]
            results.append(run(one, anchor, [x, y], variables, grads))
        for a, b in zip(*results):
            np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-6)
        x[:] = mx.nd.array(rng.uniform(-1, 1, (3, 4)))


def test_an_array_may_be_given_twice_or_captured_too() -> None:
    product = mx.jit(lambda x, y: x * y)
    a, b = mx.nd.array([2, 3]), mx.nd.array([5, 7])
    np.testing.assert_array_equal(product(a, a).asnumpy(), [4, 9])
    np.testing.assert_array_equal(product(a, b).asnumpy(), [10, 21])
    scaled = mx.jit(lambda x: x * a)
    np.testing.assert_array_equal(scaled(a).asnumpy(), [4, 9])
    np.testing.assert_array_equal(scaled(b).asnumpy(), [10, 21])
    a.attach_grad()
    with mx.autograd.record():
        y = product(a, a)
    y.backward()
    np.testing.assert_array_equal(a.grad.asnumpy(), [4, 6])


def test_outputs_that_are_inputs_or_each_other() -> None:
    def fn(x: Any, y: Any) -> Any:
        z = x + y
        return x, z, z, z.reshape((4,)), y

    x, y = mx.nd.ones((2, 2)), mx.nd.ones((2, 2)) * 2
    x.attach_grad()
    with mx.autograd.record():
        outputs = mx.jit(fn)(x, y)
    assert isinstance(outputs, tuple)
    for out, value in zip(outputs, (1, 3, 3, 3, 2)):
        assert (out.asnumpy() == value).all()
        assert not any(out._shares_memory(other) for other in (x, y))
    outputs[1][:] = 0  # the others have memory of their own
    assert (outputs[2].asnumpy() == 3).all() and (outputs[3].asnumpy() == 3).all()
    mx.autograd.backward(list(outputs))
    np.testing.assert_array_equal(x.grad.asnumpy(), np.full((2, 2), 4))


@pytest.mark.parametrize("order", ["first", "last"])
def test_many_calls_may_wait_for_their_gradients(order: str) -> None:
    w = mx.nd.array([[1, 2], [3, 4]])
    w.attach_grad()
    step = mx.jit(lambda x: mx.nd.tanh(mx.nd.dot(x, w)))
    inputs = [mx.nd.array(np.full((3, 2), i / 8)) for i in range(8)]
    for _ in range(2):
        with mx.autograd.record():
            outputs = [step(x) for x in inputs]
            chained = step(step(step(inputs[0])))
        for i in range(8) if order == "first" else reversed(range(8)):
            outputs[i].backward()
            got = w.grad.asnumpy()
            with mx.autograd.record():
                expected = mx.nd.tanh(mx.nd.dot(inputs[i], w))
            expected.backward()
            np.testing.assert_allclose(got, w.grad.asnumpy(), rtol=1e-5, atol=1e-6)
        chained.backward()
        got = w.grad.asnumpy()
        with mx.autograd.record():
            y = inputs[0]
            for _ in range(3):
                y = mx.nd.tanh(mx.nd.dot(y, w))
        y.backward()
        np.testing.assert_allclose(got, w.grad.asnumpy(), rtol=1e-5, atol=1e-6)


def batch_norm(x: Any, gamma: Any, beta: Any, mean: Any, var: Any) -> Any:
    return mx.nd.BatchNorm(x, gamma, beta, mean, var, fix_gamma=False, momentum=0.5, eps=1e-3)


def test_states_are_written_while_training_only() -> None:
    x = mx.nd.array(np.random.RandomState(0).uniform(-1, 3, (6, 3)))

    def states() -> list[Any]:
        return [mx.nd.ones((3,)), mx.nd.zeros((3,)), mx.nd.zeros((3,)), mx.nd.ones((3,))]

    results = []
    for captured in (None, True, False):
        held = states()
        held[0].attach_grad()
        compiled = mx.jit(batch_norm) if captured is False else mx.jit(lambda x, h=held: batch_norm(x, *h))
        fn: Function = batch_norm if captured is None else compiled
        given = [x] if captured else [x, *held]
        with mx.autograd.record():
            first, second = fn(*given), fn(*given)  # two runs of the same states are open
            total = first + 2 * second
        total.backward()
        predicted = fn(*given)
        moved = [held[2].asnumpy(), held[3].asnumpy()]
        results.append([first.asnumpy(), predicted.asnumpy(), held[0].grad.asnumpy(), *moved])
    assert not (results[0][3] == 0).any()
    for other in results[1:]:
        for a, b in zip(results[0], other):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def test_changes_between_forward_and_backward_are_found() -> None:
    w = mx.nd.array([1, 2])
    x = mx.nd.array([3, 4])
    for array in (w, x):
        array.attach_grad()
    product = mx.jit(lambda a: a * w)
    for changed in (w, x):
        with mx.autograd.record():
            y = product(x)
        changed += 1
        with pytest.raises(mx.MXNetError, match=r"\[jit\] the gradient needs '\w+', but it was changed"):
            y.backward()
    total = mx.jit(lambda a: a + w)
    with mx.autograd.record():
        y = total(x)
    w += 1  # which the gradient does not need
    y.backward()
    np.testing.assert_array_equal(w.grad.asnumpy(), [1, 1])
    exponential = mx.jit(mx.nd.exp)
    with mx.autograd.record():
        y = exponential(x)
    y[:] = 0
    with pytest.raises(mx.MXNetError, match="needs output 0"):
        y.backward()


def test_a_graph_that_is_kept_gives_its_gradient_again() -> None:
    w, mean, var = mx.nd.array([1, 2, 3]), mx.nd.zeros((3,)), mx.nd.ones((3,))
    w.attach_grad()
    x = mx.nd.array(np.random.RandomState(1).uniform(-1, 1, (8, 3)))

    @mx.jit
    def fn(x: Any) -> Any:
        return batch_norm(mx.nd.Dropout(x * w, p=0.5), w, w, mean, var)

    head = mx.nd.array(np.random.RandomState(2).uniform(-1, 1, (8, 3)))
    with mx.autograd.record():
        y = fn(x)
    values, moved = y.asnumpy(), mean.asnumpy()
    found = []
    for kept in (True, True, False):
        y.backward(head, retain_graph=kept)
        found.append(w.grad.asnumpy())
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])
    np.testing.assert_array_equal(y.asnumpy(), values)
    np.testing.assert_array_equal(mean.asnumpy(), moved)
    with pytest.raises(mx.MXNetError, match="freed by an earlier backward"):
        y.backward(head)
    with mx.autograd.record():
        y = fn(x)
    y.backward(head, retain_graph=True)
    x += 1
    with pytest.raises(mx.MXNetError, match="changed in place"):
        y.backward(head)
    with mx.autograd.record(train_mode=False):  # reads the states
        y = fn(x)
    y.backward(head, retain_graph=True)
    y.backward(head, retain_graph=True)
    mean += 1
    with pytest.raises(mx.MXNetError, match="needs 'captured1', but it was changed in place"):
        y.backward(head)


def test_gradients_of_gradients_are_refused() -> None:
    x = mx.nd.array([1, 2])
    x.attach_grad()
    cube = mx.jit(lambda x: x * x * x)
    with mx.autograd.record():
        y = cube(x)
        with pytest.raises(mx.MXNetError, match=r"\[jit\].*create_graph=True cannot pass through it"):
            mx.autograd.grad([y], [x], create_graph=True)
        y = cube(x)
    y.backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), [3, 12])


def test_recording_predictions_leaves_outputs_alone() -> None:
    x = mx.nd.array([0.0, 1.0])
    x.attach_grad()
    fn = mx.jit(lambda x: mx.nd.Dropout(mx.nd.sin(x), p=0.5) * 2)
    with mx.autograd.record(train_mode=False):
        y = fn(x)
    np.testing.assert_allclose(y.asnumpy(), 2 * np.sin([0, 1]), rtol=1e-6)
    y[:] = 7
    y.backward()
    np.testing.assert_allclose(x.grad.asnumpy(), 2 * np.cos([0, 1]), rtol=1e-6)
    np.testing.assert_array_equal(y.asnumpy(), [7, 7])


def test_threads_call_and_go_back_at_once() -> None:
    w = mx.nd.array(np.random.RandomState(3).uniform(-1, 1, (16, 16)))
    fn = mx.jit(lambda x, v: mx.nd.tanh(mx.nd.dot(x, v)) + mx.nd.dot(x, w))
    failures: list[BaseException] = []

    def work(seed: int) -> None:
        try:
            rng = np.random.RandomState(seed)
            for _ in range(30):
                x = mx.nd.array(rng.uniform(-1, 1, (4 + seed % 2, 16)))
                v = mx.nd.array(rng.uniform(-1, 1, (16, 16)))
                v.attach_grad()
                with mx.autograd.record():
                    y = fn(x, v)
                plain = fn(x, v)
                y.backward()
                inner = np.tanh(x.asnumpy() @ v.asnumpy())
                expected = x.asnumpy().T @ (1 - inner**2)
                np.testing.assert_allclose(v.grad.asnumpy(), expected, rtol=1e-3, atol=1e-4)
                np.testing.assert_array_equal(plain.asnumpy(), y.asnumpy())
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures[0]


def test_large_calls_in_a_row_do_not_meet() -> None:
    """A graph of one operator has no working memory that would keep its runs apart."""
    fn = mx.jit(lambda x: x * 3)
    inputs = [mx.nd.full((1 << 20,), i) for i in range(6)]
    for _ in range(10):
        outputs = [fn(x) for x in inputs]
        for i, out in enumerate(outputs):
            assert (out.asnumpy() == 3 * i).all()


def test_simulated_devices() -> None:
    rng = np.random.RandomState(5)
    with mx.test_utils.simulated_gpus(2):
        fn = mx.jit(lambda x, w: mx.nd.tanh(mx.nd.dot(x, w)) * 2)
        for ctx in (mx.gpu(0), mx.cpu(), mx.gpu(1)):
            x, w = (mx.nd.array(rng.uniform(-1, 1, (5, 5)), ctx=ctx) for _ in range(2))
            w.attach_grad()
            with mx.autograd.record():
                y = [fn(x, w), fn(x * 2, w)]
            assert y[0].context == ctx
            mx.autograd.backward(y)
            got = w.grad.asnumpy()
            assert w.grad.context == ctx
            with mx.autograd.record():
                y = [mx.nd.tanh(mx.nd.dot(a, w)) * 2 for a in (x, x * 2)]
            mx.autograd.backward(y)
            np.testing.assert_allclose(got, w.grad.asnumpy(), rtol=1e-4, atol=1e-5)


def test_failures_leave_the_graph_usable() -> None:
    x = mx.nd.ones((2, 2))
    x.attach_grad()
    inverse = mx.jit(lambda x: mx.nd.linalg.potrf(x) + 0)
    with mx.autograd.record():
        y = inverse(-x)
    with pytest.raises(mx.MXNetError):
        y.asnumpy()
    good = mx.nd.array([[2, 1], [1, 2]])
    expected = mx.nd.linalg.potrf(good).asnumpy()
    for _ in range(2):
        np.testing.assert_allclose(inverse(good).asnumpy(), expected, rtol=1e-6)
    with pytest.raises((mx.MXNetError, ValueError)):
        mx.jit(mx.nd.dot)(mx.nd.ones((2, 3)), mx.nd.ones((2, 3)))
    assert mx.nd.ones((2,)).asnumpy().sum() == 2


def test_shapes_without_elements() -> None:
    x = mx.nd.ones((2, 3))
    assert mx.jit(lambda x: mx.nd.concat(x, mx.nd.zeros((0, 3)), dim=0))(x).shape == (2, 3)
    assert mx.jit(lambda x: mx.nd.zeros((0, 3)))(x).shape == (0, 3)
    assert mx.jit(lambda x: x[0:0] * 2)(x).shape == (0, 3)


def test_calls_inside_of_calls() -> None:
    inner = mx.jit(lambda x: mx.nd.exp(x) * 2)
    outer = mx.jit(lambda x: inner(x) + inner(x * 0))
    x = mx.nd.array([1, 2])
    inner(x)  # has a graph of its own
    x.attach_grad()
    with mx.autograd.record():
        y = outer(x)
    y.backward()
    np.testing.assert_allclose(x.grad.asnumpy(), 2 * np.exp([1, 2]), rtol=1e-6)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_goes_on() -> None:
    w = mx.nd.array([[2, 0], [0, 2]])
    w.attach_grad()
    fn = mx.jit(lambda x: mx.nd.dot(x, w) + 1)
    x = mx.nd.ones((2, 2))
    with mx.autograd.record():
        y = fn(x)
    y.wait_to_read()
    child = os.fork()
    if child == 0:
        ok = False
        try:
            y.backward()
            ok = (w.grad.asnumpy() == 2).all() and (fn(x).asnumpy() == 3).all()
        finally:
            os._exit(0 if ok else 1)
    assert os.waitpid(child, 0)[1] == 0
    y.backward()
    assert (w.grad.asnumpy() == 2).all()


def test_nothing_is_kept_of_a_call_that_is_over() -> None:
    fn = mx.jit(lambda x: mx.nd.sqrt(x) + 1)
    fn(mx.nd.ones((1 << 18,))).wait_to_read()
    mx.nd.waitall()
    before = mx.memory.memory_info().in_use
    for _ in range(3):
        x = mx.nd.ones((1 << 18,))
        fn(x).wait_to_read()
        del x
        mx.nd.waitall()
        assert mx.memory.memory_info().in_use == before
