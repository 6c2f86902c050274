"""A worker's script for graphs over several workers: graph_worker.py WHAT FOLDER."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any, Optional

import numpy as np

import mixgrad as mx

if __package__:
    from .training_worker import data
else:  # a worker's script
    from training_worker import data

Groups = Optional[dict[str, Any]]


def groups_over(workers: int) -> dict[str, Any]:
    """Group i is of worker i, or of the last one."""
    return {f"g{i}": f"worker:{min(i, workers - 1)}/cpu(0)" for i in range(3)}


def perceptron() -> mx.sym.Symbol:
    """Three groups; the last one reads what the first two made."""
    with mx.AttrScope(ctx_group="g0"):
        first = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=48, name="fc0")
        first = mx.sym.Activation(first, act_type="relu")
    with mx.AttrScope(ctx_group="g1"):
        second = mx.sym.FullyConnected(first, num_hidden=48, name="fc1")
        second = mx.sym.Activation(mx.sym.BatchNorm(second, name="bn", fix_gamma=False), act_type="tanh")
    with mx.AttrScope(ctx_group="g2"):
        third = mx.sym.FullyConnected(second + first, num_hidden=10, name="fc2")
        return mx.sym.SoftmaxOutput(third, name="softmax")


def fitted(groups: Groups) -> dict[str, np.ndarray]:
    """Parameters, states of BatchNorm and accuracy after four epochs."""
    pictures, labels = data(640)
    batches = mx.io.NDArrayIter(pictures, labels, batch_size=32)
    model = mx.mod.Module(perceptron(), context=mx.cpu(), group2ctxs=groups)
    model.bind(batches.provide_data, batches.provide_label)
    mx.random.seed(3)
    model.init_params(mx.init.Xavier())
    model.fit(
        batches,
        num_epoch=4,
        kvstore=None,
        optimizer="sgd",
        optimizer_params={"learning_rate": 0.05, "momentum": 0.9, "wd": 1e-4},
    )
    arguments, states = model.get_params()
    found = {name: value.asnumpy() for name, value in {**arguments, **states}.items()}
    ((_, accuracy),) = model.score(batches, "acc")
    return {**found, "accuracy": np.array(accuracy)}


def fit(store: Any, folder: Path) -> None:
    np.savez(folder / f"{store.rank}", **fitted(groups_over(store.num_workers)))


def unrolled(groups: Groups, steps: int = 5) -> dict[str, np.ndarray]:
    """Two layers of LSTM, each of one group, and a sum over the steps: gradients after three of them."""
    layers = [mx.rnn.LSTMCell(12, prefix=f"l{i}_") for i in range(2)]
    values = [mx.sym.var(f"x{t}") for t in range(steps)]
    for i, layer in enumerate(layers):
        with mx.AttrScope(ctx_group=f"g{i}"):
            values, _ = layer.unroll(steps, values, layout="TNC", merge_outputs=False)
    with mx.AttrScope(ctx_group="g0"):
        total = mx.sym.MakeLoss(mx.sym.sum(mx.sym.add_n(*values)), name="loss")
    shapes = {f"x{t}": (4, 6) for t in range(steps)}
    shapes.update({name: (4, 12) for name in total.list_arguments() if "begin_state" in name})
    exe = total.simple_bind(mx.cpu(), group2ctx=groups, **shapes)
    numbers = np.random.default_rng(5)
    for name, array in exe.arg_dict.items():
        value = numbers.normal(0, 0.3, array.shape)
        if exe.grad_dict[name] is not None or name not in exe.arg_workers:
            array[:] = value
    for _ in range(3):
        exe.forward(is_train=True)
        exe.backward()
        for name, gradient in exe.grad_dict.items():
            if gradient is not None:
                exe.arg_dict[name] -= 0.1 * gradient
    exe.forward()
    found = exe.gather(exe._symbol.list_arguments())
    return {"loss": exe.outputs[0].asnumpy(), **{name: value.asnumpy() for name, value in found.items()}}


def lstm(store: Any, folder: Path) -> None:
    np.savez(folder / f"{store.rank}", **unrolled(groups_over(store.num_workers)))


def memory(store: Any, folder: Path) -> None:
    """Of a large layer of worker 1 the others have neither values nor gradients nor working memory."""
    with mx.AttrScope(ctx_group="g1"):
        wide = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=1 << 14, name="wide")
        net = mx.sym.sum(mx.sym.Activation(wide, act_type="relu"), axis=1)
    before = mx.memory_info(mx.cpu()).in_use
    exe = net.simple_bind(mx.cpu(), group2ctx=groups_over(2), data=(64, 1 << 10))
    for name, worker in exe.arg_workers.items():
        assert worker == 1, name
        if store.rank == 1:
            exe.arg_dict[name][:] = 0.01
    exe.forward(is_train=True)
    exe.backward(mx.nd.ones((64,)))
    mx.nd.waitall()
    np.savez(
        folder / f"{store.rank}",
        taken=mx.memory_info(mx.cpu()).in_use - before,
        planned=exe.planned_bytes()[0],
        out=exe.outputs[0].asnumpy(),
    )


def killed(store: Any, folder: Path) -> None:
    """Worker 1 ends in the middle; worker 0 says so."""
    exe = perceptron().simple_bind(mx.cpu(), group2ctx=groups_over(2), data=(8, 64))
    for step in range(1000):
        if step == 20 and store.rank == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        try:
            exe.forward(is_train=True)
            exe.backward()
            exe.outputs[0].wait_to_read()
        except mx.MXNetError as error:
            (folder / f"{store.rank}.txt").write_text(str(error), encoding="utf-8")
            raise
    raise AssertionError("worker 0 went on without worker 1")


def unequal(store: Any, folder: Path) -> None:
    """Workers whose graphs differ."""
    try:
        perceptron().simple_bind(mx.cpu(), group2ctx=groups_over(2), data=(8 + store.rank, 64))
    except mx.MXNetError as error:
        (folder / f"{store.rank}.txt").write_text(str(error), encoding="utf-8")


def handled(store: Any, folder: Path) -> None:
    """Arrays of another worker in the operators that users and monitors apply to all."""
    if store.rank == 0:  # names that are made up count further here
        mx.sym.Activation(mx.sym.identity(mx.sym.var("other")), act_type="relu")
    exe = perceptron().simple_bind(mx.cpu(), group2ctx=groups_over(2), data=(8, 64))
    for name, array in exe.arg_dict.items():
        if exe.arg_workers[name] != store.rank:
            assert exe.grad_dict[name] is None
            assert float((array * 2 + 1).sum().asscalar()) == array.size
            assert mx.nd.norm(array).asscalar() == 0
            array += 1
            assert float(array.mean().asscalar()) == 1
    larger = exe.reshape(partial_shaping=True, allow_up_sizing=True, data=(16, 64))
    assert float(larger.arg_dict["data"].sum().asscalar()) in (0, 8 * 64)
    larger.forward()
    assert larger.outputs[0].shape == (16, 10)
    for wrong in ("fc0_weight", 5):
        try:
            exe.gather(wrong)
        except TypeError as error:
            assert "expected a list of str" in str(error), error
        else:
            raise AssertionError(wrong)
    assert list(exe.gather(name for name in ("fc1_bias", "fc0_bias"))) == ["fc1_bias", "fc0_bias"]
    # What is left out of args_grad is frozen, on every worker.
    values = {name: mx.nd.ones(array.shape) * 0.1 for name, array in exe.arg_dict.items()}
    wanted = {name: mx.nd.zeros(values[name].shape) for name in ("fc1_weight", "fc2_weight")}
    states = {name: mx.nd.ones(array.shape) for name, array in exe.aux_dict.items()}
    part = perceptron().bind(mx.cpu(), values, wanted, "write", states, groups_over(2))
    part.forward(is_train=True)
    part.backward()
    for name, gradient in part.grad_dict.items():
        assert (gradient is None) == (name not in wanted)
    part.grad_dict["fc1_weight"].wait_to_read()
    batches = mx.io.NDArrayIter(np.ones((16, 64), "float32"), np.zeros(16, "float32"), batch_size=8)
    module = mx.mod.Module(perceptron(), group2ctxs=groups_over(2))
    module.fit(batches, num_epoch=1, kvstore=None, monitor=mx.mon.Monitor(1))
    if pid := os.fork():
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
    else:
        try:
            exe.forward()
        except mx.MXNetError as error:
            os._exit(7 if "of the process before a fork" in str(error) else 8)
        os._exit(9)
    store.barrier()


def refused(store: Any, folder: Path) -> None:
    """What is said of groups that do not fit."""
    net = perceptron()

    def told(call: Any, kind: type[Exception] = ValueError) -> str:
        try:
            call()
        except kind as error:
            return str(error)
        raise AssertionError("nothing was said")

    def bound(**groups: Any) -> Any:
        return net.simple_bind(mx.cpu(), group2ctx=groups, data=(8, 64))

    lines = [
        told(lambda: bound(g0="worker:2/cpu(0)"), IndexError),
        told(lambda: bound(g0="worker:x")),
        told(lambda: bound(g0="worker:0/cpu(0)", g1=mx.cpu(1))),
        told(lambda: bound(g0=7), TypeError),
    ]
    shapes = [("data", (8, 64))], [("softmax_label", (8,))]
    two = mx.mod.Module(net, context=[mx.cpu(0), mx.cpu(1)], group2ctxs=groups_over(2))
    lines.append(told(lambda: two.bind(*shapes)))
    one = mx.mod.Module(net, group2ctxs=groups_over(2))
    one.bind(*shapes)
    one.init_params()
    lines.append(told(lambda: one.init_optimizer(kvstore=store)))
    lines.append(told(lambda: one.init_optimizer(kvstore="dist_sync")))
    lines.append(told(lambda: one.init_optimizer(kvstore=None, update_in_graph=True)))
    sparse = mx.sym.dot(mx.sym.var("x", stype="csr"), mx.sym.var("w"))
    lines.append(
        told(
            lambda: sparse.simple_bind(mx.cpu(), group2ctx=groups_over(2), x=(3, 4), w=(4, 2)), mx.MXNetError
        )
    )
    store.barrier()
    (folder / f"{store.rank}.txt").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    globals()[sys.argv[1]](mx.kv.create("collective"), Path(sys.argv[2]))
