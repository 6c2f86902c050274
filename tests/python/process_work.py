"""What the tests in processes/ run in other processes, which have to find it by its name."""

import os
import signal
import time

import mixgrad as mx
from mixgrad import nd

METHODS = ("fork", "forkserver", "spawn")


def segments():
    """Shared memory that this process maps or has open."""
    with open("/proc/self/maps") as file:
        found = [line for line in file if "memfd:mixgrad" in line]
    for fd in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink(f"/proc/self/fd/{fd}")
        except OSError:
            continue
        if "memfd:mixgrad" in target:
            found.append(target)
    return found


def add_and_answer(inbox, outbox):
    for array in iter(inbox.get, None):
        array += 1
        array.wait_to_read()
        outbox.put((array, array.is_shared(), array.context))
    outbox.put(os.getpid())


def fill(array, value, ready):
    array[:] = value
    array.wait_to_read()
    ready.send(array.is_shared())


def make_and_wait(pipe):
    pipe.send([nd.full((1 << 18,), i).share_memory_() for i in range(3)])
    signal.pause()


def one_step(net, pipe):
    net.hybridize()
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1.0})
    with mx.autograd.record():
        loss = (net(nd.ones((4, 3))) ** 2).sum() + net(nd.arange(12).reshape((4, 3))).sum()
    loss.backward()
    trainer.step(4)
    values = {name: one.data().asnumpy() for name, one in net.collect_params().items()}
    pipe.send((values, net[0].weight.grad().asnumpy()))


def square(number, more=0):
    return number * number + more


def fail(number):
    if number == 1:
        raise KeyError("the second")
    time.sleep(100)


def leave(number):
    if number == 1:
        os._exit(3)
    time.sleep(100)


def count_up(number, counts, pids):
    pids[number] = os.getpid()
    pids.wait_to_read()
    while True:
        counts[number] += 1
        counts.wait_to_read()
        time.sleep(0.001)


def count_to(number, counts, last):
    for _ in range(last):
        counts[number : number + 1] += 1
        counts.wait_to_read()
        time.sleep(0.001)
    return counts


def program(pipe):
    pids = nd.zeros((3,), dtype="int32").share_memory_()
    counts = nd.zeros((3,)).share_memory_()
    pipe.send(pids)
    mx.processes.run(count_up, (counts, pids), 3)
