"""Gradients on arrays: recording, backward passes, higher orders, in-place changes, functions, memory."""

from __future__ import annotations

import gc
import threading

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import autograd


def variable(values, dtype="float64", grad_req="write"):
    x = mx.nd.array(np.asarray(values), dtype=dtype)
    x.attach_grad(grad_req)
    return x


def test_chain_rule_through_shared_values():
    x = variable([1.0, 2.0, 3.0])
    with autograd.record():
        y = x * x
        z = (y * x + y).sum()  # x^3 + x^2
    z.backward()
    np.testing.assert_allclose(x.grad.asnumpy(), 3 * np.array([1, 4, 9]) + 2 * np.array([1, 2, 3]))


def test_head_gradients_weigh_the_elements():
    x = variable([1.0, 2.0])
    with autograd.record():
        y = x * 3
    y.backward(mx.nd.array([10.0, 100.0], dtype="float64"))
    np.testing.assert_array_equal(x.grad.asnumpy(), [30.0, 300.0])


def test_several_heads():
    x = variable([2.0])
    with autograd.record():
        a, b = x * x, x * 5
    autograd.backward([a, b], [None, mx.nd.array([2.0], dtype="float64")])
    assert x.grad.asscalar() == 4.0 + 10.0


@pytest.mark.parametrize(("req", "expected"), [("write", 2.0), ("add", 6.0)])
def test_grad_req(req, expected):
    x = variable([1.0], grad_req=req)
    for _ in range(3):
        with autograd.record():
            y = x * 2
        y.backward()
    assert x.grad.asscalar() == expected


def test_grad_req_null_records_nothing():
    x = variable([1.0], grad_req="null")
    assert x.grad is None and not x.requires_grad
    with autograd.record():
        y = x * 2
    with pytest.raises(mx.MXNetError, match="attach_grad"):
        y.backward()


def test_grad_is_one_array_over_time():
    x = variable([1.0])
    kept = x.grad
    for k in (2, 3):
        with autograd.record():
            y = x * k
        y.backward()
        assert kept.asscalar() == k


def test_backward_frees_unless_retained():
    x = variable([3.0])
    with autograd.record():
        y = x * x
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.asscalar() == 6.0
    with pytest.raises(mx.MXNetError, match="retain_graph"):
        y.backward()


def test_pause_and_detach_leave_sub_graphs_out():
    x = variable([3.0])
    with autograd.record():
        y = x * x
        with autograd.pause():
            constant = x * 100
        z = y * constant + y.detach() * x
    z.backward()
    assert x.grad.asscalar() == 2 * 3 * 300 + 9


def test_no_grad_as_scope_and_decorator():
    x = variable([2.0])

    @mx.no_grad()
    def quiet(v):
        assert not autograd.is_recording()
        return v * v

    with autograd.record():
        assert autograd.is_recording() and autograd.is_training()
        y = quiet(x) * x
    assert not autograd.is_recording()
    y.backward()
    assert x.grad.asscalar() == 4.0


def test_requires_grad_property():
    x = mx.nd.ones((2,))
    assert not x.requires_grad
    x.requires_grad = True
    with autograd.record():
        y = (x * 2).sum()
    assert y.requires_grad
    y.backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), [2, 2])
    x.requires_grad = False
    assert x.grad is None


def test_modes_nest():
    with autograd.record(train_mode=False):
        assert not autograd.is_training()
        with autograd.train_mode():
            assert autograd.is_training() and autograd.is_recording()
        with autograd.predict_mode():
            assert not autograd.is_training()
        assert not autograd.is_training()
    assert not autograd.is_recording()


def test_scopes_restore_after_errors():
    with pytest.raises(KeyError), autograd.record():
        raise KeyError
    assert not autograd.is_recording() and not autograd.is_training()


def test_higher_orders():
    x = variable([0.7, -1.2])
    with autograd.record():
        y = (x**4).sum()
        (first,) = autograd.grad(y, x, create_graph=True)
        (second,) = autograd.grad(first.sum(), x, create_graph=True)
        third = second.sum()
    third.backward()
    v = x.asnumpy()
    np.testing.assert_allclose(first.asnumpy(), 4 * v**3)
    np.testing.assert_allclose(second.asnumpy(), 12 * v**2)
    np.testing.assert_allclose(x.grad.asnumpy(), 24 * v)


def test_gradient_penalty():
    w = variable([1.5])
    x = variable([2.0])
    with autograd.record():
        y = mx.nd.exp(w * x)
        (slope,) = autograd.grad(y, x, create_graph=True)
        penalty = (slope - 1) ** 2
    penalty.backward()
    e = np.exp(3.0)
    np.testing.assert_allclose(w.grad.asscalar(), 2 * (1.5 * e - 1) * (e + 1.5 * 2 * e), rtol=1e-12)


def test_grad_leaves_other_variables_alone():
    x, w = variable([2.0]), variable([3.0])
    with autograd.record():
        y = x * w
    (gx,) = autograd.grad([y], [x])
    assert gx.asscalar() == 3.0
    assert x.grad.asscalar() == 0.0 and w.grad.asscalar() == 0.0


def test_grad_of_values_in_between():
    x = variable([2.0])
    with autograd.record():
        y = x * x
        z = y * y
    assert autograd.grad(z, y, retain_graph=True)[0].asscalar() == 8.0
    assert autograd.grad(z, x)[0].asscalar() == 32.0


def test_unreached_variable_gets_zeros():
    x, w = variable([2.0]), variable([3.0, 4.0])
    with autograd.record():
        y = x * 2
    np.testing.assert_array_equal(autograd.grad(y, w)[0].asnumpy(), [0, 0])


def test_broadcast_gradients_sum_back():
    x, b = variable(np.ones((2, 3))), variable(np.ones((3,)))
    c = variable(np.ones((2, 1)))
    with autograd.record():
        y = ((x + b) * c).sum()
    y.backward()
    np.testing.assert_array_equal(b.grad.asnumpy(), [2, 2, 2])
    np.testing.assert_array_equal(c.grad.asnumpy(), [[6], [6]])


def test_piecewise_constant_operators_give_zero():
    x = variable([1.5, -0.5])
    with autograd.record():
        y = mx.nd.floor(x).sum()
    y.backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), [0, 0])


class TestInPlace:
    def test_change_of_a_needed_input_is_reported(self):
        x = variable([1.0, 2.0])
        with autograd.record():
            h = x * 2
            y = h * h
        h += 1
        with pytest.raises(mx.MXNetError, match=r"\[broadcast_mul\].*changed in place"):
            y.backward()

    def test_change_of_an_unneeded_value_is_fine(self):
        x = variable([1.0, 2.0])
        with autograd.record():
            h = x * 2
            y = h + 1
        h += 5
        y.backward()
        np.testing.assert_array_equal(x.grad.asnumpy(), [2, 2])

    def test_recorded_in_place_operator_is_part_of_the_graph(self):
        x = variable([1.0, 2.0])
        with autograd.record():
            y = x * 2
            y += x
            z = (y * 3).sum()
        z.backward()
        np.testing.assert_array_equal(x.grad.asnumpy(), [9, 9])

    def test_in_place_on_a_variable_while_recording_is_an_error(self):
        x = variable([1.0])
        with autograd.record(), pytest.raises(mx.MXNetError, match="in place into a variable"):
            x += 1
        assert x.asscalar() == 1.0

    def test_update_outside_recording(self):
        w = variable([1.0])
        for _ in range(3):
            with autograd.record():
                loss = (w * w).sum()
            loss.backward()
            w -= 0.25 * w.grad
        assert w.asscalar() == 0.125

    def test_write_through_a_recorded_view_is_refused(self):
        x = variable(np.ones((2, 2)))
        with autograd.record():
            y = x * 2
            flat = y.reshape(4)
            with pytest.raises(mx.MXNetError, match="recorded view"):
                flat += 1

    def test_overwriting_makes_a_constant(self):
        x = variable([1.0])
        with autograd.record():
            y = x * 2
            y[:] = 7
            z = y * x
        z.backward()
        assert x.grad.asscalar() == 7.0


def test_backward_of_nothing_is_an_error():
    with pytest.raises(mx.base.AutogradError, match="no heads"):
        autograd.backward([])


class TestFunction:
    class Cube(autograd.Function):
        def forward(self, x):
            self.save_for_backward(x)
            return x * x * x

        def backward(self, dy):
            (x,) = self.saved_tensors
            return dy * 3 * x * x

    def test_each_call_of_one_object_keeps_what_it_saved(self) -> None:
        class Square(autograd.Function):
            def forward(self, x: mx.nd.NDArray) -> mx.nd.NDArray:
                self.save_for_backward(x)
                return x * x

            def backward(self, dy: mx.nd.NDArray) -> mx.nd.NDArray:
                (x,) = self.saved_tensors
                return dy * 2 * x

        square = Square()
        a, b = mx.nd.array([1.0]), mx.nd.array([10.0])
        a.attach_grad()
        b.attach_grad()
        with autograd.record():
            y = square(a) + square(b)
        assert square(mx.nd.array([3.0])).asscalar() == 9
        y.backward()
        assert (a.grad.asscalar(), b.grad.asscalar()) == (2, 20)

    def test_forward_and_backward(self):
        x = variable([2.0])
        with autograd.record():
            y = self.Cube()(x) * 10
        y.backward()
        assert y.asscalar() == 80.0 and x.grad.asscalar() == 120.0

    def test_several_inputs_and_outputs(self):
        class SumAndProduct(autograd.Function):
            def forward(self, a, b):
                self.save_for_backward(a, b)
                return a + b, a * b

            def backward(self, ds, dp):
                a, b = self.saved_tensors
                return ds + dp * b, ds + dp * a

        a, b = variable([2.0]), variable([5.0])
        with autograd.record():
            s, p = SumAndProduct()(a, b)
            z = s * 3 + p
        z.backward()
        assert (a.grad.asscalar(), b.grad.asscalar()) == (8.0, 5.0)

    def test_unused_output_gets_zeros(self):
        class Two(autograd.Function):
            def forward(self, a):
                return a * 2, a * 3

            def backward(self, d1, d2):
                assert d2.asnumpy().sum() == 0
                return d1 * 2

        a = variable([1.0])
        with autograd.record():
            first, _ = Two()(a)
        first.backward()
        assert a.grad.asscalar() == 2.0

    def test_error_in_backward_reaches_the_caller(self):
        class Broken(autograd.Function):
            def forward(self, a):
                return a * 1

            def backward(self, dy):
                raise ZeroDivisionError("my own mistake")

        a = variable([1.0])
        with autograd.record():
            y = Broken()(a)
        with pytest.raises(ZeroDivisionError, match="my own mistake"):
            y.backward()

    def test_wrong_number_of_gradients(self):
        class Short(autograd.Function):
            def forward(self, a, b):
                return a + b

            def backward(self, dy):
                return dy

        a, b = variable([1.0]), variable([1.0])
        with autograd.record():
            y = Short()(a, b)
        with pytest.raises((ValueError, mx.MXNetError), match="returned 1 gradients; expected 2"):
            y.backward()

    def test_gradient_of_wrong_shape(self):
        class Wrong(autograd.Function):
            def forward(self, a):
                return a * 1

            def backward(self, dy):
                return mx.nd.zeros((7,), dtype="float64")

        a = variable([1.0, 2.0])
        with autograd.record():
            y = Wrong()(a)
        with pytest.raises(mx.MXNetError, match=r"\(7,\)"):
            y.backward()

    def test_higher_order_through_a_function(self):
        x = variable([2.0])
        with autograd.record():
            y = self.Cube()(x)
            (first,) = autograd.grad(y, x, create_graph=True)
        first.backward()
        assert first.asscalar() == 12.0

    def test_released_with_the_graph(self):
        alive = []

        class Tracked(autograd.Function):
            def __init__(self):
                super().__init__()
                alive.append(1)

            def __del__(self):
                alive.pop()

            def forward(self, a):
                return a * 1

            def backward(self, dy):
                return dy

        x = variable([1.0])
        with autograd.record():
            y = Tracked()(x)
        y.backward()
        gc.collect()
        assert not alive


def test_mark_variables():
    x, g = mx.nd.array([1.0, 2.0]), mx.nd.zeros((2,))
    autograd.mark_variables([x], [g])
    with autograd.record():
        y = x * x
    y.backward()
    np.testing.assert_array_equal(g.asnumpy(), [2, 4])


def test_mark_variables_checks_shapes():
    with pytest.raises(mx.MXNetError, match=r"\(2,\).*\(3,\)"):
        autograd.mark_variables([mx.nd.ones((2,))], [mx.nd.zeros((3,))])


def test_errors_name_what_is_wrong():
    x = mx.nd.ones((2,))
    with pytest.raises(mx.MXNetError, match="attach_grad"):
        x.backward()
    v = variable([1.0, 2.0])
    with autograd.record():
        y = v * 2
    with pytest.raises(mx.MXNetError, match=r"\(2,\).*\(1,\)"):
        y.backward(mx.nd.ones((1,), dtype="float64"))
    with pytest.raises(ValueError, match="grad_req"):
        x.attach_grad("always")


def test_gradcheck_accepts_and_rejects():
    x = mx.nd.array(np.linspace(0.5, 2, 5), dtype="float64")
    assert autograd.gradcheck(lambda v: (v.log() * v).sum(), x)

    class Wrong(autograd.Function):
        def forward(self, v):
            return v * v

        def backward(self, dy):
            return dy

    assert not autograd.gradcheck(Wrong(), x, raise_exception=False)
    with pytest.raises(AssertionError, match="input 0, element"):
        autograd.gradcheck(Wrong(), x)


def test_long_tapes_need_no_stack():
    x = variable([1.0])
    with autograd.record():
        y = x
        for _ in range(200_000):
            y = y + 0.5
    y.backward()
    assert x.grad.asscalar() == 1.0
    with autograd.record():
        y = x
        for _ in range(200_000):
            y = y + 0.5
    del y  # never walked: freed without recursion


def test_tape_memory_is_freed_as_backward_passes_it():
    device = mx.cpu(11)
    x = mx.nd.ones((256, 256), ctx=device)
    x.attach_grad()
    one = x.nbytes

    def run():
        with autograd.record():
            y = x
            for _ in range(50):
                y = mx.nd.exp(y * 0.01)
        mx.nd.waitall()
        mx.reset_peak_memory(device)
        y.backward()
        del y
        mx.nd.waitall()

    run()
    before = mx.memory_info(device).in_use
    run()
    info = mx.memory_info(device)
    assert info.in_use == before
    # 50 saved inputs and outputs at the start; the pass itself must not add more than a handful.
    assert info.peak <= before + 106 * one


def test_threads_record_independently():
    errors = []

    def work(k):
        try:
            x = variable([float(k)])
            for _ in range(200):
                with autograd.record():
                    y = x * x * k
                y.backward()
                assert x.grad.asscalar() == 2.0 * k * k
            assert not autograd.is_recording()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(1, 5)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors
