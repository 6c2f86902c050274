"""Arrays that share memory: outputs that are inputs, overlapping views, gradients, nested backward passes."""

from __future__ import annotations

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import autograd, nd

SIZES = [4, 300]  # below and above the blocks of every kernel


def square(n: int, seed: int = 0) -> np.ndarray:
    return np.random.RandomState(seed).uniform(-1, 1, (n, n)).astype(np.float32)


UNARY = {
    "transpose": lambda x, out: nd.transpose(x, out=out),
    "swapaxes": lambda x, out: nd.swapaxes(x, dim1=0, dim2=1, out=out),
    "flip0": lambda x, out: nd.flip(x, axis=0, out=out),
    "flip1": lambda x, out: nd.flip(x, axis=1, out=out),
    "sort": lambda x, out: nd.sort(x, axis=-1, out=out),
    "sort0": lambda x, out: nd.sort(x, axis=0, out=out),
    "softmax": lambda x, out: nd.softmax(x, out=out),
    "log_softmax": lambda x, out: nd.log_softmax(x, axis=0, out=out),
    "cumsum": lambda x, out: nd.cumsum(x, axis=1, out=out),
    "l2": lambda x, out: nd.L2Normalization(x, out=out),
    "exp": lambda x, out: nd.exp(x, out=out),
    "slice": lambda x, out: nd.slice(x, begin=(None, None), end=(None, None), step=(-1, -1), out=out),
    "dot": lambda x, out: nd.dot(x, x, out=out),
    "dot_t": lambda x, out: nd.dot(x, x, transpose_b=True, out=out),
    "fc": lambda x, out: nd.FullyConnected(x, x, num_hidden=x.shape[0], no_bias=True, out=out),
    "row": lambda x, out: nd.broadcast_add(x, x[0:1], out=out),
    "column": lambda x, out: nd.broadcast_mul(x, x[:, 0:1], out=out),
    "take": lambda x, out: nd.take(x, nd.arange(x.shape[0] - 1, -1, -1), out=out),
}


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", UNARY)
def test_output_that_is_the_input(name: str, n: int) -> None:
    values = square(n)
    expected = UNARY[name](nd.array(values), None).asnumpy()
    x = nd.array(values)
    got = UNARY[name](x, x)
    assert got is x
    np.testing.assert_array_equal(x.asnumpy(), expected)


@pytest.mark.parametrize("n", SIZES)
def test_overlapping_views(n: int) -> None:
    values = square(n)
    x = nd.array(values)
    nd.elemwise_add(x[:-1], x[:-1], out=x[1:])
    expected = values.copy()
    expected[1:] = values[:-1] * 2
    np.testing.assert_array_equal(x.asnumpy(), expected)
    x = nd.array(values)
    y = x[1:]
    y += x[:-1]
    expected = values.copy()
    expected[1:] = values[1:] + values[:-1]
    np.testing.assert_array_equal(x.asnumpy(), expected)


def test_recorded_output_that_is_an_input() -> None:
    x = nd.array(square(5), dtype="float64")
    x.attach_grad()
    weights = nd.array(square(5, seed=1), dtype="float64")
    with autograd.record():
        y = x * 2
        nd.transpose(y, out=y)
    y.backward(weights)
    np.testing.assert_allclose(x.grad.asnumpy(), 2 * weights.asnumpy().T)
    with autograd.record():
        y = x * 2
        nd.dot(y, y, out=y)  # its gradient needs the values it has just overwritten
    with pytest.raises(mx.MXNetError, match=r"\[dot\].*changed in place"):
        y.backward()


def test_memory_written_twice_is_refused() -> None:
    z = nd.zeros((2, 2))
    with pytest.raises(mx.MXNetError, match="share memory"):
        nd.split(nd.ones((2, 4)), num_outputs=2, axis=1, out=[z, z])
    w, g, s = nd.ones((3,)), nd.ones((3,)), nd.zeros((3,))
    with pytest.raises(mx.MXNetError, match="share memory"):
        nd.adam_update(w, g, s, s, lr=0.1, out=w)
    with pytest.raises(mx.MXNetError, match="share memory"):
        nd.sgd_mom_update(w, g, w, lr=0.1, out=w)
    nd.sgd_mom_update(w, g, s, lr=0.1, out=w)
    np.testing.assert_allclose(w.asnumpy(), 0.9, rtol=1e-6)


def test_number_of_outputs_is_checked() -> None:
    a, b = nd.ones((3,)), nd.ones((3,))
    with pytest.raises(ValueError, match="out has 2 arrays; expected 1"):
        nd.exp(a, out=[a, b])
    with pytest.raises(ValueError, match="out has 0 arrays"):
        nd.exp(a, out=[])


def variables(*values: float) -> list[nd.NDArray]:
    made = [nd.array([v, v]) for v in values]
    for x in made:
        x.attach_grad()
    return made


def test_gradients_have_memory_of_their_own() -> None:
    x, z = variables(1, 2)
    with autograd.record():
        y = x + z
    head = nd.ones((2,))
    gx, gz = autograd.grad(y, [x, z], head_grads=head, retain_graph=True)
    gx[:] = 7
    assert gz.asnumpy().tolist() == [1, 1] and head.asnumpy().tolist() == [1, 1]
    first, again = autograd.grad(y, [x, x], retain_graph=True)
    first[:] = 7
    assert again.asnumpy().tolist() == [1, 1]
    y.backward(head, create_graph=True)
    x.grad[:] = 7
    assert z.grad.asnumpy().tolist() == [1, 1] and head.asnumpy().tolist() == [1, 1]


def test_backward_inside_a_backward() -> None:
    class Inner(autograd.Function):
        def forward(self, v: nd.NDArray) -> nd.NDArray:
            self.v = v
            return v * 2

        def backward(self, dy: nd.NDArray) -> nd.NDArray:
            with autograd.record():
                side = (self.v * 10).sum()
            side.backward()
            return dy * 2

    (x,) = variables(1)
    with autograd.record():
        y = Inner()(x) + x
    y.backward()
    assert x.grad.asnumpy().tolist() == [3, 3]


def test_endless_nesting_is_an_error() -> None:
    class Endless(autograd.Function):
        def forward(self, v: nd.NDArray) -> nd.NDArray:
            return v * 1

        def backward(self, dy: nd.NDArray) -> nd.NDArray:
            heads[0].backward(retain_graph=True)
            return dy

    (x,) = variables(1)
    with autograd.record():
        heads = [Endless()(x)]
    with pytest.raises(mx.MXNetError, match="nested"):
        heads[0].backward()


def test_writes_through_a_view_without_history() -> None:
    (x,) = variables(1)
    with autograd.record():
        y = x * 2
    for view in (y.reshape((2, 1)), y.detach(), y[0:1]):
        with autograd.record(), pytest.raises(mx.MXNetError, match="view"):
            view[:] = 5
    assert y.asnumpy().tolist() == [2, 2]


def test_shared_gradient_arrays_are_refused() -> None:
    a, b, g = nd.ones((2,)), nd.ones((2,)), nd.zeros((2,))
    with pytest.raises(ValueError, match="same gradient"):
        autograd.mark_variables([a, b], [g, g])


def test_numbers_beyond_every_double() -> None:
    x = nd.array([1.0])
    assert (x + 10**400).asscalar() == np.inf and (x > 10**400).asscalar() == 0
    powers = nd.array([3, 2, -1], dtype="int64") ** nd.array([39, -1, 3], dtype="int64")
    assert powers.asnumpy().tolist() == [3**39, 0, -1]


def test_dlpack_to_itself_is_the_same_memory() -> None:
    x = nd.zeros((3,))
    y = nd.from_dlpack(x)
    y += 1
    assert x.asnumpy().tolist() == [1, 1, 1] and x._version == y._version
