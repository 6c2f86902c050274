"""DataParallel: training on several devices gives the parameters of one device with the whole batch."""

import gc
from typing import NamedTuple

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import nd
from mixgrad.gluon.utils import DataParallel

SIZES = (8, 8, 7, 2, 1, 5)  # of batches: even, ragged, fewer rows than devices


@pytest.fixture(params=[1, 2, 4])
def gpus(request):
    with mx.test_utils.simulated_gpus(request.param) as cards:
        yield cards
        mx.nd.waitall()
        gc.collect()


@pytest.fixture(scope="module")
def batches():
    rng = np.random.default_rng(0)
    return [(rng.standard_normal((n, 6)).astype("float32"), rng.integers(0, 3, n)) for n in SIZES]


def block():
    net = mx.gluon.nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(mx.gluon.nn.Dense(16, activation="tanh", in_units=6), mx.gluon.nn.Dense(3, in_units=16))
    net.initialize()
    rng = np.random.default_rng(1)
    for parameter in net.collect_params().values():
        parameter.set_data(nd.array(rng.standard_normal(parameter.shape)))
    return net


def trained_block(batches, devices, hybridize, grad_req="write", **trainer):
    net = block()
    net.collect_params().setattr("grad_req", grad_req)
    if hybridize:
        net.hybridize()
    run = DataParallel(net, devices) if devices else net
    place = devices[0] if devices else mx.cpu()
    options = {"learning_rate": 0.3, "momentum": 0.9}
    step = mx.gluon.Trainer(net.collect_params(), "sgd", options, kvstore="device", **trainer)
    loss_of = mx.gluon.loss.SoftmaxCrossEntropyLoss()
    for x, y in batches:
        with mx.autograd.record():
            loss = loss_of(run(nd.array(x)), nd.array(y, ctx=place))
        loss.backward()
        step.step(len(x))
        if grad_req == "add":
            net.collect_params().zero_grad()
    several = [[array.asnumpy() for array in one.list_data()] for one in net.collect_params().values()]
    for copies in several:
        for other in copies[1:]:
            np.testing.assert_array_equal(other, copies[0])
    return [copies[0] for copies in several]


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("update_on_kvstore", [None, True, False])
def test_a_block_and_its_trainer(gpus, batches, hybridize, update_on_kvstore):
    expected = trained_block(batches, None, False)
    got = trained_block(batches, gpus, hybridize, update_on_kvstore=update_on_kvstore)
    for a, b in zip(got, expected):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def test_gradients_that_add_up(gpus, batches):
    expected = trained_block(batches, None, False, "add")
    for a, b in zip(trained_block(batches, gpus, True, "add", update_on_kvstore=False), expected):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def test_split_and_load_by_hand(gpus, batches):
    """MXNet's way: one loss for each device."""
    batches = [batch for batch in batches if len(batch[0]) >= len(gpus)]
    expected = trained_block(batches, None, False)
    net = block()
    net.collect_params().reset_ctx(gpus)
    step = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.3, "momentum": 0.9})
    loss_of = mx.gluon.loss.SoftmaxCrossEntropyLoss()
    for x, y in batches:
        xs = mx.gluon.utils.split_and_load(x, gpus, even_split=False)
        ys = mx.gluon.utils.split_and_load(y, gpus, even_split=False)
        with mx.autograd.record():
            losses = [loss_of(net(a), b) for a, b in zip(xs, ys)]
        mx.autograd.backward(losses)
        step.step(len(x))
    for one, value in zip(net.collect_params().values(), expected):
        np.testing.assert_allclose(one.data(gpus[0]).asnumpy(), value, rtol=1e-5, atol=1e-6)


class Plain:
    """A network that is no block, as mx.nn has them."""

    def __init__(self, device=None):
        rng = np.random.default_rng(2)
        self.weight = nd.array(rng.standard_normal((3, 6)), ctx=device)
        self.bias = nd.array(rng.standard_normal(3), ctx=device)
        self.scale = nd.array([2.0], ctx=device)
        for one in self.parameters():
            one.attach_grad()
        self.training = True

    def parameters(self):
        return [self.weight, self.bias]

    def buffers(self):
        return [self.scale]

    def train(self, mode):
        self.training = mode

    def __call__(self, batch, factor=1):
        y = nd.FullyConnected(batch["x"], self.weight, self.bias, num_hidden=3)
        seen = nd.array([1.0 + self.training], ctx=y.context)
        return [nd.broadcast_mul(y * factor, self.scale * seen), {"sum": y.sum(axis=1)}]


def trained_plain(batches, devices):
    net = Plain(devices[0] if devices else None)
    run = DataParallel(net, devices) if devices else net
    values = []
    for x, y in batches:
        place = devices[0] if devices else mx.cpu()
        net.train(len(x) > 2)
        net.scale += 0.25
        with mx.autograd.record():
            scores, more = run({"x": nd.array(x, ctx=place)}, factor=2)
            loss = nd.softmax_cross_entropy(scores, nd.array(y, ctx=place)) + (more["sum"] ** 2).sum()
        loss.backward()
        assert scores.context == place and scores.shape == (len(x), 3)
        for one in net.parameters():
            one -= 0.01 * one.grad
        values.append(float(loss.asscalar()))
    return values + [one.asnumpy() for one in net.parameters()]


def test_a_network_with_parameters(gpus, batches):
    for a, b in zip(trained_plain(batches, gpus), trained_plain(batches, None)):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def test_where_outputs_go(gpus):
    net = block()
    parallel = DataParallel(net, gpus, output_device=mx.cpu())
    assert parallel(nd.ones((5, 6))).context == mx.cpu()
    assert DataParallel(net).devices == gpus
    turned = DataParallel(lambda x: x * 2, [gpus[-1]], dim=1)
    assert turned(nd.ones((2, 5))).context == gpus[-1]
    assert DataParallel(net, [gpus[0].device_id]).devices == [gpus[0]]


def test_what_is_refused():
    two = [mx.cpu(0), mx.cpu(1)]
    with pytest.raises(TypeError, match="parameters"):
        DataParallel(lambda x: x, two)
    with pytest.raises(RuntimeError, match="has not been initialized"):
        DataParallel(mx.gluon.nn.Dense(2, in_units=2), two)
    with pytest.raises(ValueError, match="each of them once"):
        DataParallel(block(), [mx.cpu(0), mx.cpu(0)])
    parallel = DataParallel(block(), two)
    with pytest.raises(ValueError, match=r"\[\] rows"):
        parallel(3)
    with pytest.raises(ValueError, match=r"\[4, 5\] rows"):
        parallel(nd.ones((4, 6)), nd.ones((5, 6)))
    with pytest.raises(ValueError, match=r"shape \(4, 6\) has no axis 5"):
        DataParallel(block(), two, dim=5)(nd.ones((4, 6)))
    with pytest.raises(TypeError, match="expected the number of an axis"):
        DataParallel(block(), two, dim="rows")
    with pytest.raises(TypeError, match="expected a Context"):
        DataParallel(block(), [object()])
    with pytest.raises(ValueError, match="a device is 'nowhere'"):
        DataParallel(block(), ["nowhere"])
    with pytest.raises(TypeError, match="which can be called"):
        DataParallel(None)


class Pair(NamedTuple):
    data: object
    factor: object


def test_named_tuples():
    parallel = DataParallel(PairNet(), [mx.cpu(0), mx.cpu(1)])
    found = parallel(Pair(mx.np.ones((5, 2)), 3))
    assert isinstance(found, Pair) and found.data.asnumpy().tolist() == [[3, 3]] * 5


class PairNet(mx.nn.Module):
    def forward(self, pair):
        return Pair(pair.data * pair.factor, pair.data)
