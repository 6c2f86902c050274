"""Blocks and parameters that several processes train."""

import multiprocessing
import os

import numpy as np
import pytest
from process_work import METHODS, one_step

import mixgrad as mx
from mixgrad import nd

pytestmark = [
    pytest.mark.skipif(not os.path.exists("/proc/self/maps"), reason="shared memory is Linux's"),
    pytest.mark.usefixtures("nothing_stays"),
]


def block():
    net = mx.gluon.nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(
            mx.gluon.nn.Dense(4, in_units=3),
            mx.gluon.nn.BatchNorm(in_channels=4),
            mx.gluon.nn.Dense(1, in_units=4),
        )
    net.initialize()
    return net


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("gradients", [False, True])
def test_a_step_elsewhere(method, gradients):
    net = block()
    start = {name: one.data().asnumpy() for name, one in net.collect_params().items()}
    assert net.share_memory(gradients) is net
    context = multiprocessing.get_context(method)
    ours, theirs = context.Pipe()
    child = context.Process(target=one_step, args=(net, theirs), daemon=True)
    child.start()
    values, gradient = ours.recv()
    child.join()
    for name, one in net.collect_params().items():
        np.testing.assert_array_equal(one.data().asnumpy(), values[name])
        if "gamma" not in name:
            assert (one.data().asnumpy() != start[name]).any()  # running means, too
    assert gradient.any()
    assert net[0].weight.grad().asnumpy().any() == gradients
    if gradients:
        np.testing.assert_array_equal(net[0].weight.grad().asnumpy(), gradient)


def test_one_segment_for_all():
    """A large network costs one descriptor."""
    net = mx.gluon.nn.HybridSequential()
    for _ in range(300):
        net.add(mx.gluon.nn.Dense(2))
    net.initialize()
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(mx.gluon.parameter.DeferredInitializationError, match="run a batch first"):
        net.share_memory()
    net(nd.ones((1, 3))).wait_to_read()
    net.share_memory()
    assert len(os.listdir("/proc/self/fd")) <= before + 1


def test_what_a_pipe_sends():
    net = block()
    net.share_memory()
    ours, theirs = multiprocessing.Pipe()
    ours.send((net, net[0].weight, net.collect_params()))
    other, weight, params = theirs.recv()
    other[0].weight.set_data(nd.full((4, 3), 5))
    nd.waitall()
    for one in (net[0].weight, weight, params["net_dense0_weight"]):
        assert (one.data().asnumpy() == 5).all()
    for one in (net, other):  # each with gradients of its own
        with mx.autograd.record():
            loss = one(nd.arange(6).reshape((2, 3))).sum() * (2 if one is net else 3)
        loss.backward()
        assert type(one[0].weight.data()) is nd.NDArray
    twice, thrice = net[2].bias.grad().asnumpy(), other[2].bias.grad().asnumpy()
    assert twice.tolist() == [4] and thrice.tolist() == [6]


def test_networks_of_numpys_arrays():
    with mx.util.np_shape(True), mx.util.np_array(True):
        net = mx.gluon.nn.Dense(2, in_units=3)
        net.initialize()
        net.share_memory()
        ours, theirs = multiprocessing.Pipe()
        ours.send(net)
        other = theirs.recv()
        assert isinstance(other.weight.data(), mx.np.ndarray)
        other.weight.set_data(mx.np.ones((2, 3)))
        assert net(mx.np.ones((1, 3))).asnumpy().tolist() == [[3, 3]]
