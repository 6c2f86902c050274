"""Programs whose allocations are made to fail, one after the other.

A scenario is a function that prepares what it needs and returns another, which runs on that again and again
and gives the same arrays and bytes each time.
"""

from __future__ import annotations

import ctypes
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Union

import numpy as np

import mixgrad as mx

Result = list[Union[np.ndarray, bytes, str]]
Run = Callable[[], Result]

DATA = Path(__file__).resolve().parents[1] / "data"


def _numbers(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.RandomState(seed).uniform(-1, 1, shape).astype(np.float32)


def _network() -> mx.sym.Symbol:
    x = mx.sym.Variable("data")
    x = mx.sym.Convolution(x, num_filter=4, kernel=(3, 3), pad=(1, 1), name="conv")
    x = mx.sym.BatchNorm(x, name="norm", fix_gamma=False)
    x = mx.sym.Activation(x, act_type="relu", name="relu")
    x = mx.sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="max", name="pool")
    x = mx.sym.Dropout(x, p=0.25, name="drop")
    x = mx.sym.FullyConnected(mx.sym.Flatten(x), num_hidden=5, name="dense")
    return mx.sym.SoftmaxOutput(x, name="softmax")


_SHAPES = {"data": (2, 3, 6, 6), "softmax_label": (2,)}


def _bound() -> Any:
    exe = _network().simple_bind(mx.cpu(), **_SHAPES)
    for i, (_, array) in enumerate(sorted(exe.arg_dict.items())):
        array[:] = mx.nd.array(_numbers(*array.shape, seed=i))
    exe.arg_dict["softmax_label"][:] = mx.nd.array([1, 3])
    return exe


def eager() -> Run:
    a, b = mx.nd.array(_numbers(4, 5)), mx.nd.array(_numbers(5, 3, seed=1))
    big = mx.nd.array(_numbers(300, 300, seed=2))

    def run() -> Result:
        c = mx.nd.dot(a, b) * 2 + 1
        large = mx.nd.dot(big, big)
        parts = mx.nd.split(c, num_outputs=2, axis=0)
        joined = mx.nd.concat(*parts, dim=1)
        ordered = mx.nd.topk(a, k=2, ret_typ="both")
        total = mx.nd.add_n(*[mx.nd.sum(a) for _ in range(20)])
        made = [c, large, joined, *ordered, total, mx.nd.softmax(a), a.astype("float16"), a.sort(axis=0)]
        return [x.asnumpy() for x in made]

    return run


def random_numbers() -> Run:
    def run() -> Result:
        mx.random.seed(3)
        drawn = [mx.nd.random.uniform(shape=(3, 4)), mx.nd.random.normal(shape=(300,))]
        drawn.append(mx.nd.random.multinomial(mx.nd.array([0.2, 0.8]), shape=5))
        drawn.append(mx.nd.random.shuffle(mx.nd.arange(10)))
        return [x.asnumpy() for x in drawn]

    return run


def slices() -> Run:
    a = mx.nd.array(_numbers(6, 4))

    def run() -> Result:
        b = a.copy()
        b[1:3] = 7
        b[:, 1] = b[:, 2] * 2
        b[[0, 2], [1, 1]] = -1
        b[2] += a[3]
        picked = b[mx.nd.array([0, 5], dtype="int32")]
        view = b.reshape((-1, 2))[3:5]
        return [b.asnumpy(), picked.asnumpy(), view.asnumpy(), b[1:5:2].asnumpy(), a.T.asnumpy()]

    return run


def backward() -> Run:
    def run() -> Result:
        x, w = mx.nd.array(_numbers(4, 5)), mx.nd.array(_numbers(3, 5, seed=1))
        x.attach_grad()
        w.attach_grad()
        with mx.autograd.record():
            h = mx.nd.FullyConnected(x, w, no_bias=True, num_hidden=3)
            y = mx.nd.tanh(h) * mx.nd.sigmoid(h[0:4]) + h.reshape((2, 6)).reshape((4, 3))
            z = mx.nd.concat(y, y * 2, dim=0)
            loss = mx.nd.sum(z * z)
        loss.backward()
        return [loss.asnumpy(), x.grad.asnumpy(), w.grad.asnumpy()]

    return run


def long_tape() -> Run:
    def run() -> Result:
        x = mx.nd.array(_numbers(3))
        x.attach_grad()
        with mx.autograd.record():
            y = x
            for _ in range(40):
                y = y * 1.01 + x
            dropped = x
            for _ in range(40):
                dropped = dropped + 1
        del dropped  # destroyed from its end
        y.backward()
        return [x.grad.asnumpy()]

    return run


def gradient_requests() -> Run:
    def run() -> Result:
        x = mx.nd.array(_numbers(4, 5))
        x.attach_grad(grad_req="add")
        for _ in range(2):
            with mx.autograd.record():
                y = mx.nd.BatchNorm(
                    x, mx.nd.ones(5), mx.nd.zeros(5), mx.nd.zeros(5), mx.nd.ones(5), fix_gamma=False
                )
                z = mx.nd.softmax(y) * x
            z.backward(mx.nd.ones((4, 5)))
        return [x.grad.asnumpy()]

    return run


def second_order() -> Run:
    def run() -> Result:
        x = mx.nd.array(_numbers(3, 4))
        x.attach_grad()
        with mx.autograd.record():
            y = mx.nd.sin(x) * x * x
            first = mx.autograd.grad(y, x, create_graph=True, retain_graph=True)[0]
            z = (first * first).sum()
        z.backward()
        return [first.asnumpy(), x.grad.asnumpy()]

    return run


class _Sigmoid(mx.autograd.Function):
    def forward(self, x: Any) -> Any:
        y = 1 / (1 + mx.nd.exp(-x))
        self.save_for_backward(y)
        return y

    def backward(self, dy: Any) -> Any:
        (y,) = self.saved_tensors
        return dy * y * (1 - y)


def custom_function() -> Run:
    def run() -> Result:
        x = mx.nd.array(_numbers(3, 4))
        x.attach_grad()
        with mx.autograd.record():
            y = _Sigmoid()(x) * 2
        y.backward()
        return [y.asnumpy(), x.grad.asnumpy()]

    return run


def trace() -> Run:
    weight = mx.nd.array(_numbers(3, 4))

    def layer(x: Any) -> Any:
        return mx.nd.relu(mx.nd.dot(x, weight) + 1).reshape((-1,))

    def run() -> Result:
        x = mx.nd.array(_numbers(2, 3, seed=1))
        x.attach_grad()
        step = mx.jit(layer)
        with mx.autograd.record():
            y = step(x)
        y.backward()
        return [y.asnumpy(), x.grad.asnumpy(), step(x).asnumpy()]

    return run


def control_flow_eager() -> Run:
    def run() -> Result:
        x, h = mx.nd.array(_numbers(4, 3)), mx.nd.zeros((3,))
        out, last = mx.nd.contrib.foreach(lambda a, s: (a + s, a * s + 1), x, h)
        one = mx.nd.ones((1,))
        steps, _ = mx.nd.contrib.while_loop(
            lambda i, s: i <= 2, lambda i, s: ([i + s], [i + 1, s + i]), [one, one], max_iterations=3
        )
        chosen = mx.nd.contrib.cond(one.sum() > 0, lambda: one + 1, lambda: one - 1)
        return [out.asnumpy(), last.asnumpy(), steps[0].asnumpy(), chosen.asnumpy()]

    return run


def control_flow_symbol() -> Run:
    def body(x: Any, h: Any) -> Any:
        hidden = mx.sym.FullyConnected(x, num_hidden=3, name="i2h")
        hidden = mx.sym.tanh(hidden + mx.sym.FullyConnected(h, num_hidden=3, name="h2h"))
        return hidden, hidden

    def run() -> Result:
        with mx.name.NameManager():
            net = looped()
        net = mx.sym.load_json(net.tojson())
        exe = net.simple_bind(mx.cpu(), data=(4, 2, 5), state=(2, 3), i=(1,), s=(1,))
        for i, (_, array) in enumerate(sorted(exe.arg_dict.items())):
            array[:] = mx.nd.array(_numbers(*array.shape, seed=i))
        exe.forward(is_train=True)
        exe.backward()
        return [x.asnumpy() for x in (*exe.outputs, *exe.grad_arrays)]

    def looped() -> mx.sym.Symbol:
        out, last = mx.sym.contrib.foreach(body, mx.sym.var("data"), mx.sym.var("state"))
        steps, _ = mx.sym.contrib.while_loop(
            lambda i, s: i <= 2,
            lambda i, s: ([i + s], [i + 1, s + i]),
            [mx.sym.var("i"), mx.sym.var("s")],
            max_iterations=3,
        )
        chosen = mx.sym.contrib.cond(mx.sym.sum(last) > 100, lambda: last + 1, lambda: last - 1)
        return mx.sym.Group([mx.sym.MakeLoss(out), mx.sym.BlockGrad(steps[0]), mx.sym.BlockGrad(chosen)])

    return run


def symbol_build() -> Run:
    def run() -> Result:
        with mx.name.NameManager(), mx.AttrScope(__group__="a"):
            net = _network()
            two = mx.sym.Variable("two", shape=(2, 3), lr_mult=2.0)
            branches = mx.sym.SliceChannel(net + two, num_outputs=2, name="cut")
            both = mx.sym.Group([branches[0] * 2 - branches[1], net.get_internals()["relu_output"]])
            composed = both(data=mx.sym.Variable("renamed") + 1)
            for _ in range(8):
                composed = mx.sym.Group([composed[0] + 1, composed[1]])
            copy = composed.__copy__()
        lists = [*copy.list_arguments(), *copy.list_outputs(), *copy.list_auxiliary_states()]
        return [copy.tojson(), "\n".join(lists), copy.debug_str(), str(sorted(copy.attr_dict().items()))]

    return run


def infer() -> Run:
    net = _network()

    def run() -> Result:
        shapes = net.infer_shape(data=(2, 3, 6, 6))
        partial = net.infer_shape_partial(data=(0, 3, 6, 6))
        dtypes = net.infer_type(data="float32")
        return [str(shapes), str(partial), str(dtypes)]

    return run


def symbol_files() -> Run:
    net = _network()
    folder = tempfile.mkdtemp()

    def run() -> Result:
        path = os.path.join(folder, "net.json")
        net.save(path)
        again = mx.sym.load(path)
        old = mx.sym.load(str(DATA / "symbols" / "old_08-symbol.json"))
        return [again.tojson(), old.tojson(), Path(path).read_bytes()]

    return run


def array_files() -> Run:
    arrays = {"a": mx.nd.array(_numbers(3, 4)), "b": mx.nd.array(_numbers(100, seed=1)).astype("int8")}
    folder = tempfile.mkdtemp()

    def run() -> Result:
        results: Result = []
        for name in ("arrays.params", "arrays.safetensors"):
            path = os.path.join(folder, name)
            mx.nd.save(path, arrays)
            results.append(Path(path).read_bytes())
            results += [x.asnumpy() for _, x in sorted(mx.nd.load(path).items())]
        results += [x.asnumpy() for x in mx.nd.load(str(DATA / "params" / "mxnet_list.params"))]
        return results

    return run


def bind() -> Run:
    def run() -> Result:
        exe = _bound()
        exe.debug_str()
        exe.forward()
        other = exe.reshape(data=(1, 3, 6, 6), softmax_label=(1,))
        other.forward(is_train=False)
        return [exe.outputs[0].asnumpy(), other.outputs[0].asnumpy()]

    return run


def _trained(exe: Any) -> Result:
    mx.random.seed(1)
    exe.forward(is_train=True)
    exe.backward()
    return [
        exe.outputs[0].asnumpy(),
        *[g.asnumpy() for _, g in sorted(exe.grad_dict.items()) if g is not None],
    ]


def executor_training() -> Run:
    exe = _bound()
    return lambda: _trained(exe)


def executor_prediction() -> Run:
    exe = _bound()

    def run() -> Result:
        exe.forward(is_train=False)
        return [exe.outputs[0].asnumpy()]

    return run


def executor_first_runs() -> Run:
    """Planning, working memory and what kernels keep: the first run of an executor makes them."""

    def run() -> Result:
        exe = _bound()
        first = _trained(exe)
        exe.forward(is_train=False)
        return [*first, *[x.asnumpy() for _, x in sorted(exe.aux_dict.items())], exe.outputs[0].asnumpy()]

    return run


def executor_large() -> Run:
    """Segments that go to the workers, and kernels that divide their work."""
    net = mx.sym.Convolution(mx.sym.Variable("data"), num_filter=32, kernel=(3, 3), pad=(1, 1), name="a")
    net = mx.sym.BatchNorm(net, name="b")
    net = mx.sym.FullyConnected(mx.sym.relu(net), num_hidden=64, name="c")
    exe = mx.sym.MakeLoss(mx.sym.sum(net)).simple_bind(mx.cpu(), data=(8, 16, 16, 16))
    for i, (_, array) in enumerate(sorted(exe.arg_dict.items())):
        array[:] = mx.nd.array(_numbers(*array.shape, seed=i))
    return lambda: _trained(exe)


def monitor() -> Run:
    exe = _bound()

    def run() -> Result:
        seen: list[tuple[str, np.ndarray]] = []
        exe.set_monitor_callback(lambda name, x: seen.append((str(name), x.asnumpy())))
        try:
            result = _trained(exe)
        finally:
            exe.set_monitor_callback(None)
        return [*result, *[x for _, x in seen]]

    return run


def updates_in_graph() -> Run:
    exe = _bound()
    weights = [name for name in exe.arg_dict if name not in _SHAPES]
    states = {name: mx.nd.zeros_like(exe.arg_dict[name]) for name in weights}
    before = {name: exe.arg_dict[name].asnumpy() for name in weights}
    averages = [array.asnumpy() for array in exe.aux_arrays]

    def run() -> Result:
        for name in weights:
            exe.arg_dict[name][:] = before[name]
            states[name][:] = 0
        for array, value in zip(exe.aux_arrays, averages):
            array[:] = value
        exe.set_updates({n: ("sgd_mom_update", [states[n]], {"lr": 0.1, "momentum": 0.9}) for n in weights})
        exe.set_rates([0.2] * len(weights), [0.01] * len(weights))
        mx.random.seed(3)
        exe.forward(is_train=True, data=mx.nd.array(_numbers(2, 3, 6, 6, seed=9)))
        exe.backward()
        found: Result = [exe.arg_dict[name].asnumpy() for name in weights]
        exe.set_updates({})
        found += [array.asnumpy() for array in exe.grad_arrays if array is not None]
        return found

    return run


def optimizers() -> Run:
    def run() -> Result:
        results = []
        for name in ("sgd", "adam", "rmsprop", "lamb"):
            chosen = mx.optimizer.create(name, learning_rate=0.1, wd=0.01)
            updater = mx.optimizer.get_updater(chosen)
            weights = [mx.nd.array(_numbers(3, 4, seed=i)) for i in range(3)]
            for step in range(2):
                gradients = [mx.nd.array(_numbers(3, 4, seed=10 + i + step)) for i in range(3)]
                for i in range(3):
                    updater(i, gradients[i], weights[i])
            results += [w.asnumpy() for w in weights]
        return results

    return run


def kvstore() -> Run:
    def run() -> Result:
        store = mx.kv.create("local")
        store.init([3, 5], [mx.nd.ones((2, 3)), mx.nd.zeros((4,))])
        store.push(3, [mx.nd.array(_numbers(2, 3, seed=i)) for i in range(4)])
        summed = mx.nd.zeros((2, 3))
        store.pull(3, out=summed)
        store.set_optimizer(mx.optimizer.SGD(learning_rate=0.5))
        store.push(5, mx.nd.ones((4,)))
        updated = [mx.nd.zeros((4,)), mx.nd.zeros((4,))]
        store.pull(5, out=updated)
        return [summed.asnumpy(), *[x.asnumpy() for x in updated]]

    return run


def iterators() -> Run:
    folder = Path(tempfile.mkdtemp())
    (folder / "data.csv").write_text("\n".join(",".join(f"{i + j / 4}" for j in range(4)) for i in range(7)))

    def batches(source: Any) -> Iterator[np.ndarray]:
        for batch in source:
            yield from (x.asnumpy() for x in (*batch.data, *(batch.label or [])))

    def run() -> Result:
        held = mx.io.NDArrayIter(_numbers(7, 3), np.arange(7), batch_size=2, last_batch_handle="pad")
        text = mx.io.CSVIter(data_csv=str(folder / "data.csv"), data_shape=(4,), batch_size=3)
        ahead = mx.io.PrefetchingIter(mx.io.NDArrayIter(_numbers(5, 3), batch_size=2))
        return [*batches(held), *batches(text), *batches(ahead)]

    return run


def profiler() -> Run:
    path = Path(tempfile.mkdtemp()) / "trace.json"
    exe = _bound()

    def run() -> Result:
        mx.profiler.set_config(filename=str(path), profile_all=True)
        mx.profiler.set_state("run")
        try:
            result = _trained(exe)
        finally:
            mx.profiler.set_state("stop")
        mx.profiler.dump()
        assert path.stat().st_size > 0
        return result

    return run


def module_training() -> Run:
    def run() -> Result:
        mx.random.seed(2)
        np.random.seed(2)  # noqa: NPY002
        data = mx.io.NDArrayIter(
            _numbers(8, 3, 6, 6), np.arange(8) % 5, batch_size=4, label_name="softmax_label"
        )
        module = mx.mod.Module(_network())
        module.fit(data, num_epoch=1, optimizer="sgd", initializer=mx.init.Xavier(), eval_metric="acc")
        args, states = module.get_params()
        return [x.asnumpy() for _, x in sorted({**args, **states}.items())]

    return run


def dlpack() -> Run:
    def run() -> Result:
        a = mx.nd.array(_numbers(3, 4))
        again = mx.nd.from_dlpack(a.to_dlpack_for_read())
        from_numpy = mx.nd.array(np.arange(6.0).reshape(2, 3))
        return [again.asnumpy(), from_numpy.asnumpy()]

    return run


def predict_functions() -> Run:
    """MXNet's C functions, as a program that links the library calls them."""
    lib = ctypes.CDLL(str(Path(mx.__file__).parent / "libmixgrad.so"))
    lib.MXGetLastError.restype = ctypes.c_char_p
    text = (DATA / "predict" / "small-symbol.json").read_bytes()
    weights = (DATA / "predict" / "small.params").read_bytes()
    shape = (2, 3, 8, 8)

    def check(status: int) -> None:
        if status != 0:
            raise mx.MXNetError(lib.MXGetLastError().decode())

    def run() -> Result:
        handle = ctypes.c_void_p()
        keys, starts = (ctypes.c_char_p * 1)(b"data"), (ctypes.c_uint32 * 2)(0, len(shape))
        extents = (ctypes.c_uint32 * len(shape))(*shape)
        check(
            lib.MXPredCreate(
                text, weights, len(weights), 1, 0, 1, keys, starts, extents, ctypes.byref(handle)
            )
        )
        try:
            given = _numbers(*shape)
            pointer = given.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
            check(lib.MXPredSetInput(handle, b"data", pointer, given.size))
            check(lib.MXPredForward(handle))
            extent, ndim = ctypes.POINTER(ctypes.c_uint32)(), ctypes.c_uint32()
            check(lib.MXPredGetOutputShape(handle, 0, ctypes.byref(extent), ctypes.byref(ndim)))
            out = np.empty([extent[i] for i in range(ndim.value)], np.float32)
            check(
                lib.MXPredGetOutput(handle, 0, out.ctypes.data_as(ctypes.POINTER(ctypes.c_float)), out.size)
            )
        finally:
            lib.MXPredFree(handle)
        return [out]

    return run


def errors() -> Run:
    """Errors of the library itself, whose texts need memory, too."""

    def run() -> Result:
        texts = []
        for call in (
            lambda: mx.nd.zeros((2, 3)) + mx.nd.zeros((4, 5)),
            lambda: mx.nd.dot(mx.nd.zeros((2, 3)), mx.nd.zeros((2, 3))).asnumpy(),
            lambda: mx.sym.load_json("{"),
            lambda: mx.nd.load("/nowhere/at/all"),
            lambda: mx.nd.Activation(mx.nd.zeros(2), act_type="none of these"),
        ):
            try:
                call()
            except MemoryError:
                raise
            except (ValueError, RuntimeError) as error:
                texts.append(f"{type(error).__name__}: {error}")
        return ["\n".join(texts)]

    return run


SCENARIOS: dict[str, Callable[[], Run]] = {
    scenario.__name__: scenario
    for scenario in (
        eager, random_numbers, slices, backward, long_tape, gradient_requests, second_order, custom_function,
        trace, control_flow_eager, control_flow_symbol, symbol_build, infer, symbol_files, array_files, bind,
        executor_training, executor_prediction, executor_first_runs, executor_large, monitor, optimizers,
        kvstore, iterators, profiler, module_training, dlpack, predict_functions, errors, updates_in_graph,
    )
}  # fmt: skip
