"""After ``amp.init`` whole programs run: each in a process of its own, since it counts for the process."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.contrib import amp

LOW = {"float16": np.dtype("float16").type, "bfloat16": mx.base.bfloat16}


def symbols(dtype: str) -> None:
    """Every operator is called with symbols and with arrays of both dtypes: none calls itself for ever."""
    x, y = mx.sym.var("x"), mx.sym.var("y")
    arrays = [mx.nd.ones((2, 3)).astype(one) for one in ("float32", dtype)]
    modules = [(mx.sym, [(x,), (x, y)]), (mx.nd, [(one,) for one in arrays] + [(one, one) for one in arrays])]
    called = 0
    for module, inputs in modules:
        for place in (module, module.contrib, module.linalg, module.op):
            for name in mx.ops.NAMES:
                function = getattr(place, name.removeprefix("_contrib_").removeprefix("_linalg_"), None)
                for given in inputs if callable(function) else ():
                    try:
                        function(*given)
                        called += 1
                    except RecursionError:
                        raise
                    except Exception:  # wants other inputs
                        continue
    assert called > 1000
    net = mx.sym.FullyConnected(mx.sym.exp(x + 1), num_hidden=4, name="fc")
    made = net.simple_bind(mx.cpu(), x=(2, 3))
    assert made.forward()[0].dtype == LOW[dtype]
    assert mx.sym.amp_cast(x, dtype=dtype).get_children().list_outputs() == ["x"]


def module(dtype: str) -> None:
    x = mx.sym.var("data")
    net = mx.sym.FullyConnected(x, num_hidden=16, name="one")
    net = mx.sym.BatchNorm(mx.sym.Activation(net, act_type="relu"), name="norm")
    net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(net, num_hidden=3, name="two"), name="softmax")
    data = np.random.RandomState(0).normal(size=(120, 8)).astype("float32")
    label = data[:, :3].argmax(axis=1)
    mx.random.seed(3)
    mod = mx.mod.Module(net)
    batches = mx.io.NDArrayIter(data, label, 30)
    mod.fit(batches, num_epoch=30, optimizer="adam", optimizer_params={"learning_rate": 0.02})
    assert mod.score(batches, "acc")[0][1] > 0.9
    assert all(array.dtype == np.float32 for array in mod.get_params()[0].values())


def gluon(dtype: str) -> None:
    nn = mx.gluon.nn
    mx.random.seed(3)
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3, padding=1), nn.BatchNorm(), nn.Activation("relu"), nn.Dropout(0.1), nn.Flatten())
    net.add(nn.LayerNorm(), nn.Dense(3))
    net.initialize(mx.init.Xavier())
    data = mx.nd.random.normal(shape=(60, 1, 4, 4))
    label = data.reshape((60, -1))[:, :3].argmax(axis=1)
    loss_of = mx.gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = mx.gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.02})
    amp.init_trainer(trainer)
    for hybrid in (False, True):
        net.hybridize(hybrid)
        assert net(data).dtype == LOW[dtype]
        for _ in range(30):
            with mx.autograd.record():
                loss = loss_of(net(data), label)
                with amp.scale_loss(loss, trainer) as scaled:
                    mx.autograd.backward(scaled)
            trainer.step(60)
    assert loss.mean().asscalar() < 0.3
    half = amp.convert_hybrid_block(net, dtype)
    assert half(data).shape == (60, 3)


def arrays_of_np(dtype: str) -> None:
    mx.npx.set_np()
    for one in ("float32", dtype):
        x = mx.np.ones((2, 3)).astype(one)
        assert (mx.np.exp(x * 0) + x).sum().item() == 12 and mx.npx.softmax(x).dtype == x.dtype
        assert mx.np.dot(x, x.T).dtype == x.dtype
    net = mx.gluon.nn.Dense(4, in_units=3)
    net.initialize()
    for hybrid in (False, True):
        net.hybridize(hybrid)
        assert isinstance(net(mx.np.ones((2, 3))), mx.np.ndarray)
    symbol = mx.sym.var("x").as_np_ndarray()
    assert mx.sym.np.exp(symbol + 1).list_arguments() == ["x"]


def weights_of_16_bits(dtype: str) -> None:
    for name in ("sgd", "adam", "nag", "rmsprop", "lamb", "adagrad", "signum", "ftrl"):
        for multi_precision in (False, True):
            weight, grad = mx.nd.ones((3,)).astype(dtype), mx.nd.ones((3,)).astype(dtype)
            step = mx.optimizer.get_updater(
                mx.optimizer.create(name, learning_rate=0.1, multi_precision=multi_precision)
            )
            step(0, grad, weight)
            assert weight.dtype == LOW[dtype] and weight[0].astype("float32").asscalar() < 1, name
    momentum = mx.nd.zeros((3,)).astype(dtype)
    mx.nd.sgd_mom_update(weight, grad, momentum, lr=0.1, momentum=0.9)
    assert momentum.astype("float32").asnumpy().max() < 0  # the state itself was changed, not a copy


PROGRAMS = [symbols, module, gluon, arrays_of_np, weights_of_16_bits]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_programs_run(program: Any, dtype: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", __file__, program.__name__, dtype],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_second_init_replaces_nothing() -> None:
    amp.init("bfloat16")
    try:
        first = mx.nd.FullyConnected, mx.sym.FullyConnected
        for dtype in ("float16", "bfloat16"):
            amp.init(dtype)
        assert first == (mx.nd.FullyConnected, mx.sym.FullyConnected)
        wrapped = amp.amp._wrapped[0]
        places = [(id(place), name) for place, name, _ in wrapped if "Output" not in name]
        assert len(places) == len(set(places))  # none is inside another
    finally:
        amp.amp._wrapped.pop().undo()
        amp.amp._scalers.clear()


if __name__ == "__main__":
    amp.init(sys.argv[2])
    amp.init(sys.argv[2])
    globals()[sys.argv[1]](sys.argv[2])
