"""Where arrays lie, and copies that go on beside other work."""

import gc
import warnings

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import nd


@pytest.fixture
def cards():
    with mx.test_utils.simulated_gpus(2) as cards:
        yield cards
        mx.nd.waitall()
        gc.collect()


def test_to(cards):
    x = nd.array([1.0, 2.0])
    for device in (*cards, mx.cpu(1)):
        y = x.to(device, non_blocking=True)
        assert y.context == device and y.to(device) is y
        np.testing.assert_array_equal(y.asnumpy(), [1, 2])
        z = y.to("cpu", "float64")
        assert z.context == mx.cpu() and z.dtype == np.float64
        assert x.to(z.to(device)).dtype == np.float64 and x.to(z.to(device)).context == device
    assert x.to("gpu(1)").context == cards[1]
    assert x.to(np.int32).dtype == np.int32 and x.to(dtype="float16").dtype == np.float16
    assert x.to() is x and x.to(copy=True) is not x
    assert mx.np.ones((2,)).to(cards[0]).context == cards[0]
    with pytest.raises(TypeError, match="dtypes 'float64' and 'float32'"):
        x.to("float64", "float32")
    with pytest.raises(TypeError, match="is no dtype"):
        x.to(3.5)


def test_to_is_recorded(cards):
    x = nd.array([1.0, 2.0])
    x.attach_grad()
    with mx.autograd.record():
        y = (x.to(cards[1]).to("float64") ** 2).sum()
    y.backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), [2, 4])


def test_the_current_device(cards):
    assert mx.Device is mx.Context and mx.current_device() == mx.cpu()
    with cards[1]:
        assert mx.current_device() == cards[1] and nd.zeros((1,)).context == cards[1]
        with mx.Device("cpu", 2):
            assert mx.np.ones(3).context == mx.cpu(2)
        assert nd.random.uniform(shape=(2,)).context == cards[1]
    assert nd.zeros((1,)).context == mx.cpu()


def test_copies_are_ordered_without_waiting(cards):
    """What is written after a copy began does not reach it."""
    source = nd.zeros((1 << 18,)).as_in_context(mx.cpu_pinned(0))
    copies = []
    for step in range(30):
        source[:] = step
        copies.append(source.to(cards[step % 2], non_blocking=True) + 1)
    for step, copy in enumerate(copies):
        assert copy[0].asscalar() == copy[-1].asscalar() == step + 1


@pytest.mark.parametrize("workers", [0, 2])
def test_pinned_batches(cards, workers):
    rows = np.arange(60, dtype="float32").reshape(12, 5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loader = mx.gluon.data.DataLoader(
            mx.gluon.data.ArrayDataset(rows, rows[:, 0]), 4, num_workers=workers, pin_memory=True
        )
        seen = []
        for x, y in loader:
            assert x.context == mx.cpu_pinned(0) == y.context
            seen.append(x.to(cards[1], non_blocking=True))
    np.testing.assert_array_equal(np.concatenate([x.asnumpy() for x in seen]), rows)


def test_pinned_batches_without_a_card():
    """Ordinary memory under the name, as in MXNet built for CPUs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (batch,) = mx.gluon.data.DataLoader(nd.ones((3, 2)), 3, pin_memory=True)
    assert batch.context == mx.cpu_pinned(0) and (batch + 1).sum().asscalar() == 12
    net = mx.gluon.nn.Dense(2, in_units=2)
    net.initialize()
    assert net(batch).shape == (3, 2)
