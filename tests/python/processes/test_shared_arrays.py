"""Arrays that several processes have at once."""

import copy
import multiprocessing
import os
import pickle
import threading

import numpy as np
import pytest
from process_work import METHODS, add_and_answer, fill, make_and_wait, segments

import mixgrad as mx
from mixgrad import nd

pytestmark = [
    pytest.mark.skipif(not os.path.exists("/proc/self/maps"), reason="shared memory is Linux's"),
    pytest.mark.usefixtures("nothing_stays"),
]


@pytest.mark.parametrize("method", METHODS)
def test_queues_send_by_descriptor(method):
    context = multiprocessing.get_context(method)
    inbox, outbox = context.Queue(), context.Queue()
    child = context.Process(target=add_and_answer, args=(inbox, outbox), daemon=True)
    child.start()
    x = nd.arange(6).reshape((2, 3)).share_memory_()
    others = [nd.zeros((3,), ctx=mx.cpu_shared()), mx.np.ones((2, 2)).share_memory_()]
    others += [
        nd.ones((2,), dtype=dtype).share_memory_() for dtype in ("float16", "bfloat16", "int64", "uint8")
    ]
    for array in (x, *others, x[1]):
        before = array.asnumpy()
        inbox.put(array)
        answer, shared, place = outbox.get(timeout=60)
        assert shared and place == array.context and type(answer) is type(array)
        np.testing.assert_array_equal(array.asnumpy(), before + 1)  # the child wrote this memory
        assert answer is array  # that comes back, so that the engine orders what is done to it
        answer += 1
        np.testing.assert_array_equal(array.asnumpy(), before + 2)
    value = nd.zeros((2,))  # not shared: a copy
    inbox.put(value)
    answer, shared, _ = outbox.get(timeout=60)
    assert not shared and value.asnumpy().sum() == 0 and answer.asnumpy().sum() == 2
    inbox.put(None)
    assert outbox.get(timeout=60) == child.pid
    child.join()


@pytest.mark.parametrize("method", METHODS)
def test_arguments_of_a_process(method):
    context = multiprocessing.get_context(method)
    ours, theirs = context.Pipe()
    whole = nd.zeros((4, 1000)).share_memory_()
    child = context.Process(target=fill, args=(whole[2:3], 7, theirs), daemon=True)
    child.start()
    assert ours.recv()
    child.join()
    assert whole.asnumpy().sum(axis=1).tolist() == [0, 0, 7000, 0]


def test_a_message_holds_no_values():
    ours, theirs = multiprocessing.Pipe()
    x = nd.ones((1 << 20,)).share_memory_()
    ours.send((x, x[5:7], x.reshape((2, -1))))
    content = theirs.recv_bytes()
    assert len(content) < 2000
    again, part, shaped = pickle.loads(content)
    assert again is x and part.shape == (2,) and shaped.shape == (2, 1 << 19)
    part[:] = 3
    part.wait_to_read()
    assert x[4:8].asnumpy().tolist() == [1, 3, 3, 1]


def test_copies_are_the_owners_alone():
    x = nd.ones((3,)).share_memory_()
    for other in (
        pickle.loads(pickle.dumps(x)),
        copy.deepcopy(x),
        x.copy(),
        x * 1,
        x.as_in_context(mx.cpu(1)),
    ):
        assert not other.is_shared()
        other[:] = 5
    assert x.asnumpy().tolist() == [1, 1, 1]


def test_memory_moves_with_its_views_and_what_is_recorded():
    x = nd.arange(4)
    view = x.reshape((2, 2))
    x.attach_grad()
    for _ in range(20):
        x *= 1
    with mx.autograd.record():
        y = (x * x).sum()
    assert x.share_memory_() is x and view.is_shared() and not x.grad.is_shared()
    y.backward()
    assert x.grad.asnumpy().tolist() == [0, 2, 4, 6]
    view[1] = 9
    assert x.asnumpy().tolist() == [0, 1, 9, 9]
    x.grad.share_memory_()
    with mx.autograd.record():
        z = (x * 2).sum()
    z.backward()
    assert x.grad.is_shared() and x.grad.asnumpy().tolist() == [2, 2, 2, 2]
    assert nd.zeros((0, 3)).share_memory_().shape == (0, 3)
    never_written = nd.empty((3,)).share_memory_()
    never_written[:] = 1
    assert never_written.asnumpy().tolist() == [1, 1, 1]


def test_graphs_go_on_with_memory_that_moved():
    net = mx.gluon.nn.HybridSequential()
    net.add(mx.gluon.nn.Conv2D(4, 3, in_channels=2), mx.gluon.nn.Dense(3, in_units=4 * 36))
    net.initialize()
    net.hybridize(static_alloc=True)
    x = nd.random.uniform(shape=(2, 2, 8, 8))
    before = net(x).asnumpy()
    symbol = mx.sym.FullyConnected(mx.sym.var("x"), mx.sym.var("w"), no_bias=True, num_hidden=2)
    executor = symbol.bind(mx.cpu(), {"x": nd.ones((1, 3)), "w": nd.ones((2, 3))})
    assert executor.forward()[0].asnumpy().tolist() == [[3, 3]]
    net.share_memory()
    executor.arg_dict["w"].share_memory_()
    np.testing.assert_array_equal(net(x).asnumpy(), before)
    child = os.fork()
    if child == 0:
        try:
            for parameter in net.collect_params().values():
                parameter.set_data(parameter.data() * 0)
            executor.arg_dict["w"][:] = 2
            nd.waitall()
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert not net(x).asnumpy().any()
    assert executor.forward()[0].asnumpy().tolist() == [[6, 6]]


@pytest.mark.parametrize("method", METHODS)
def test_memory_outlives_its_maker_and_nobody_else(method):
    before = len(segments())
    context = multiprocessing.get_context(method)
    ours, theirs = context.Pipe()
    child = context.Process(target=make_and_wait, args=(theirs,), daemon=True)
    child.start()
    arrays = ours.recv()
    child.kill()
    child.join()
    assert [array.asnumpy()[-1] for array in arrays] == [0, 1, 2]
    assert len(segments()) > before
    arrays.clear()
    nd.waitall()
    assert len(segments()) == before


@pytest.mark.parametrize("busy", [False, True])
def test_a_fork_while_tasks_write(busy):
    """A child has the same memory, and an engine that works; also when other threads use it just then."""
    x = nd.zeros((1 << 16,)).share_memory_()
    stop = threading.Event()

    def work():
        other = nd.ones((1 << 16,))
        while not stop.is_set():
            other = nd.tanh(other) + 1
            other.wait_to_read()

    threads = [threading.Thread(target=work) for _ in range(2 if busy else 0)]
    for thread in threads:
        thread.start()
    for _ in range(50):
        x += 1
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if (x.asnumpy() == 50).all() else 2
            x += 1
            nd.waitall()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    stop.set()
    for thread in threads:
        thread.join()
    assert status == 0
    assert (x.asnumpy() == 51).all()


def get_gradient(inbox, outbox):
    weight = inbox.recv()
    with mx.autograd.record():
        loss = (weight * weight).sum()
    loss.backward()
    outbox.send((type(weight).__name__, weight.grad.asnumpy()))


def test_parameters_by_their_class():
    """Classes of arrays that are defined later go by descriptor, too, and stay variables if they can."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    child = context.Process(target=get_gradient, args=(theirs, theirs), daemon=True)
    child.start()
    weight = nd.arange(3)._as(Weight)
    weight.requires_grad_()
    ours.send(weight.share_memory_())
    name, gradient = ours.recv()
    child.join()
    assert name == "Weight" and gradient.tolist() == [0, 2, 4] and not weight.grad.asnumpy().any()


class Weight(nd.NDArray):
    __slots__ = ()

    def requires_grad_(self):
        self.attach_grad()
        return self


def test_what_is_refused():
    with pytest.raises(mx.base.UnsupportedError, match=r"csr.*tostype"):
        nd.ones((2, 2)).tostype("csr").share_memory_()
    wrapped = nd.from_numpy(np.ones(3, "float32"))
    with pytest.raises(mx.base.UnsupportedError, match=r"address .* was given out.*copy\(\)"):
        wrapped.share_memory_()
    assert wrapped.copy().share_memory_().is_shared()
    with mx.test_utils.simulated_gpus(1) as (card,):
        with pytest.raises(mx.base.UnsupportedError, match=r"gpu\(0\)"):
            nd.ones((2,), ctx=card).share_memory_()
        nd.waitall()


def test_shared_memory_is_a_device_too():
    x = nd.arange(3, ctx=mx.cpu_shared())
    y = nd.ones((3,)).as_in_context(mx.cpu_shared())
    assert (x + y).asnumpy().tolist() == [1, 2, 3] and x.is_shared() and y.context == mx.cpu_shared()
    assert mx.cpu(0) != mx.cpu_shared(0)
    with mx.cpu_shared():
        assert nd.zeros((2,)).is_shared()
