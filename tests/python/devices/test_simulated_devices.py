"""Programs for several devices, on simulated cards: late streams, and memory that the host cannot touch."""

import gc
import os

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import nd

CARDS = (1, 2, 4)


@pytest.fixture(params=CARDS, ids=lambda n: f"{n}cards")
def gpus(request):
    with mx.test_utils.simulated_gpus(request.param, seed=request.param) as cards:
        yield cards
        nd.waitall()
        gc.collect()


@pytest.fixture
def pair():
    with mx.test_utils.simulated_gpus(2, seed=7) as cards:
        yield cards
        nd.waitall()
        gc.collect()


def same(a, b):
    np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())


def test_they_are_there_within_the_block_only():
    assert mx.context.num_gpus() == 0
    with mx.test_utils.simulated_gpus(3) as cards:
        assert mx.context.num_gpus() == 3 and [c.device_id for c in cards] == [0, 1, 2]
        with pytest.raises(mx.MXNetError, match=r"gpu\(2\)"):
            mx.nd.zeros((1,), ctx=mx.gpu(3))
    with pytest.raises(mx.MXNetError, match="CUDA"):
        mx.nd.zeros((1,), ctx=mx.gpu(0))
    with pytest.raises(mx.MXNetError, match="0 to 16"), mx.test_utils.simulated_gpus(17):
        pass


def test_arrays_and_operators(gpus):
    rng = np.random.default_rng(1)
    for ctx in gpus:
        host = nd.array(rng.standard_normal((7, 5)))
        x = host.as_in_context(ctx)
        assert x.context == ctx
        for f in (
            lambda a: a * 2 + 1,
            lambda a: nd.dot(a, a.T),
            lambda a: nd.softmax(a).sum(axis=1),
            lambda a: nd.concat(a, a[2:5], dim=0),
            lambda a: nd.topk(a, k=2, ret_typ="value"),
            lambda a: nd.LayerNorm(a, nd.ones((5,), ctx=a.context), nd.zeros((5,), ctx=a.context)),
            lambda a: a.astype("float64").reshape((5, 7)),
        ):
            same(f(x), f(host))
        x[1:3] = 4
        x[:, 2] = nd.arange(7, ctx=ctx)
        host[1:3] = 4
        host[:, 2] = nd.arange(7)
        same(x, host)
        assert float(x[1, 1]) == 4 and x[1, 1].asscalar() == 4


def test_copies_between_all_places(gpus):
    places = [mx.cpu(0), *gpus, mx.cpu(1)]
    value = np.arange(6, dtype="float32").reshape(2, 3)
    for a in places:
        for b in places:
            x = nd.array(value, ctx=a)
            y = nd.zeros((2, 3), ctx=b)
            for i in range(20):
                (x + i).copyto(y)
            same(y, nd.array(value + 19))
            z = nd.zeros((2, 3), ctx=b, dtype="float64")
            x.copyto(z)
            same(z, nd.array(value, dtype="float64"))
            part = nd.zeros((4, 3), ctx=b)
            x.copyto(part[1:3])
            same(part, nd.array(np.concatenate([value[:1] * 0, value, value[:1] * 0])))


def test_many_short_lived_arrays(gpus):
    """Memory goes to its next use only once streams are done with it."""
    for round_ in range(30):
        parts = [nd.full((64, 64), round_ + i, ctx=c) for i, c in enumerate(gpus)]
        for _ in range(10):
            parts = [
                (p * 0.5 + p * 0.5).as_in_context(gpus[(i + 1) % len(gpus)]) for i, p in enumerate(parts)
            ]
        sums = {round_ + i for i in range(len(gpus))}
        assert {float(p.mean().asscalar()) for p in parts} == sums


def test_operands_on_two_devices_are_refused(pair):
    a, b = (nd.ones((2,), ctx=c) for c in pair)
    with pytest.raises(mx.MXNetError, match=r"gpu\(0\).*gpu\(1\).*as_in_context"):
        a + b
    with pytest.raises(mx.MXNetError, match=r"as_in_context|one device"):
        nd.dot(nd.ones((2, 2)), nd.ones((2, 2), ctx=pair[0]))


def test_values_that_kernels_refuse(gpus):
    x = nd.arange(4, ctx=gpus[-1])
    bad = nd.array([7], ctx=gpus[-1])
    y = nd.take(x, bad, mode="raise")
    z = (y + 1) * 2
    with pytest.raises(mx.MXNetError, match="index 7"):
        z.asnumpy()
    with pytest.raises(mx.MXNetError, match="index 7"):
        z.as_in_context(mx.cpu()).wait_to_read()
    same(x + 1, nd.arange(1, 5))
    nd.waitall()
    nd.take(x, bad, mode="raise")
    with pytest.raises(mx.MXNetError, match="index 7"):
        nd.waitall()
    nd.waitall()


def test_no_room():
    with mx.test_utils.simulated_gpus(1, memory=1 << 25) as (card,):
        kept = nd.ones((1 << 20,), ctx=card)
        with pytest.raises(mx.MXNetError, match=r"gpu\(0\) has no room"):
            nd.ones((1 << 24,), ctx=card).wait_to_read()
        for _ in range(50):  # each takes what the one before it had
            kept = kept + nd.ones((1 << 20,), ctx=card)
        assert kept[:1].asscalar() == 51
        nd.waitall()


def test_autograd(gpus):
    rng = np.random.default_rng(3)
    value = rng.standard_normal((4, 3))
    for ctx in [mx.cpu(), *gpus]:
        x = nd.array(value, ctx=ctx)
        w = nd.array(value.T, ctx=ctx)
        for v in (x, w):
            v.attach_grad()
        with mx.autograd.record():
            y = nd.tanh(nd.dot(x, w)).sum() + (x * x).mean()
        y.backward()
        if ctx == mx.cpu():
            expected = [x.grad.asnumpy(), w.grad.asnumpy()]
            continue
        assert x.grad.context == ctx
        np.testing.assert_array_equal(x.grad.asnumpy(), expected[0])
        np.testing.assert_array_equal(w.grad.asnumpy(), expected[1])


@pytest.mark.parametrize("many", [False, True])
def test_gradients_lie_where_their_variables_do(pair, many):
    places = [mx.cpu(), *pair]
    for at in places:
        for other in places:
            x = nd.array([1.0, 2.0, 3.0], ctx=at)
            x.attach_grad("add" if many else "write")
            with mx.autograd.record():
                y = (x.as_in_context(other) * x.copyto(other)).sum()
                if many:
                    y = y + (x * 3).as_in_context(other).sum()
            y.backward()
            assert x.grad.context == at
            np.testing.assert_array_equal(x.grad.asnumpy(), [5, 7, 9] if many else [2, 4, 6])
    x = nd.array([1.0, 2.0], ctx=pair[0])
    x.attach_grad()
    with mx.autograd.record():
        y = (x.as_in_context(pair[1]) ** 3).as_in_context(mx.cpu())
        (slope,) = mx.autograd.grad([y], [x], create_graph=True)
        assert slope.context == pair[0]
        z = slope.sum()
    z.backward()
    assert x.grad.context == pair[0]
    np.testing.assert_array_equal(x.grad.asnumpy(), [6, 12])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("busy", [False, True])
def test_a_forked_child_goes_on_with_the_cards(gpus, busy):
    before = [nd.ones((50,), ctx=ctx) for ctx in gpus]
    for _ in range(30 if busy else 0):
        before = [a + 1 for a in before]
    child = os.fork()
    if child == 0:
        code = 1
        try:
            after = [(a * 2).as_in_context(gpus[0]) for a in before]
            code = 0 if all((a.asnumpy() == (62 if busy else 2)).all() for a in after) else 2
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert status == 0
    for a in before:
        assert (a.asnumpy() == (31 if busy else 1)).all()


def test_random_numbers(gpus):
    for ctx in gpus:
        drawn = []
        for _ in range(2):
            mx.random.seed(11, ctx=ctx)
            a = nd.random.normal(shape=(100,), ctx=ctx)
            with mx.autograd.train_mode():
                drawn.append((a, nd.Dropout(a, p=0.5), nd.random.shuffle(a)))
        for a, b in zip(*drawn):
            same(a, b)
        assert abs(float(drawn[0][0].mean().asscalar())) < 0.5
        assert sorted(drawn[0][2].asnumpy()) == sorted(drawn[0][0].asnumpy())


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        *((name, ()) for name in ("uniform", "normal", "gumbel", "exponential", "rayleigh", "logistic")),
        *((name, (2.0,)) for name in ("weibull", "pareto", "power", "gamma", "chisquare")),
        ("beta", (1.0, 2.0)),
        ("randint", (4,)),
        ("choice", (4,)),
        ("multinomial", (3, [0.5, 0.5])),
    ],
)
def test_random_numbers_of_mx_np_lie_where_they_shall(gpus, name, arguments):
    for ctx in gpus:
        assert getattr(mx.np.random, name)(*arguments, size=(2,), ctx=ctx).context == ctx


def net():
    x = mx.sym.Variable("data")
    x = mx.sym.Convolution(x, kernel=(3, 3), num_filter=4, name="conv")
    x = mx.sym.BatchNorm(x, name="norm")
    x = mx.sym.Activation(x, act_type="relu")
    x = mx.sym.FullyConnected(mx.sym.Flatten(x), num_hidden=5, name="full")
    return mx.sym.SoftmaxOutput(x, name="softmax")


def trained(contexts, kvstore, optimizer):
    mx.random.seed(3)
    rng = np.random.RandomState(3)
    np.random.seed(3)  # noqa: NPY002 - iterators and initializers draw from it
    data = mx.io.NDArrayIter(
        rng.rand(32, 2, 8, 8).astype("float32"), rng.randint(0, 5, 32).astype("float32"), 16
    )
    module = mx.mod.Module(net(), context=contexts)
    module.fit(
        data,
        num_epoch=2,
        kvstore=kvstore,
        optimizer=optimizer,
        optimizer_params={"learning_rate": 0.05},
        initializer=mx.init.Xavier(),
    )
    arguments, states = module.get_params()
    values = {**arguments, **states}
    return {k: v.asnumpy() for k, v in values.items()} | {"outputs": module.predict(data).asnumpy()}


@pytest.mark.parametrize("kvstore", ["local", "device", None])
@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_module(gpus, kvstore, optimizer):
    expected = trained([mx.cpu(i) for i in range(len(gpus))], kvstore, optimizer)
    got = trained(gpus, kvstore, optimizer)
    for name, value in expected.items():
        np.testing.assert_allclose(got[name], value, rtol=1e-5, atol=1e-6, err_msg=name)


def test_kvstore_device(gpus):
    for _ in range(20):
        store = mx.kv.create("device")
        store.set_optimizer(mx.optimizer.SGD(learning_rate=0.5, momentum=0.9))
        store.init(3, nd.ones((4, 5), ctx=gpus[0]))
        weight, momentum = 1.0, 0.0
        for step in range(3):
            store.push(3, [nd.full((4, 5), i + step, ctx=c) for i, c in enumerate(gpus)])
            outs = [nd.zeros((4, 5), ctx=c) for c in gpus]
            store.pull(3, outs)
            momentum = 0.9 * momentum - 0.5 * sum(i + step for i in range(len(gpus)))
            weight += momentum
        for out in outs:
            np.testing.assert_allclose(out.asnumpy(), weight, rtol=1e-5)


def test_executor_with_monitor_and_gradients(gpus):
    symbol = net()
    shapes = {"data": (4, 2, 8, 8), "softmax_label": (4,)}

    def run(ctx):
        executor = symbol.simple_bind(ctx=ctx, grad_req="add", **shapes)
        rng = np.random.RandomState(1)
        for array in executor.arg_arrays:
            array[:] = rng.rand(*array.shape)
        seen = []
        for _ in range(2):
            executor.forward(is_train=True)
            executor.backward()
        executor.set_monitor_callback(lambda name, value: seen.append((name, nd.array(value.asnumpy()))))
        executor.forward(is_train=False)
        return seen, executor.grad_dict, executor.outputs

    expected_seen, expected_gradients, expected_outputs = run(mx.cpu(gpus[-1].device_id))
    seen, gradients, outputs = run(gpus[-1])
    assert [name for name, _ in seen] == [name for name, _ in expected_seen]
    for (name, a), (_, b) in zip(seen, expected_seen):
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-5, atol=1e-6, err_msg=name)
    for name, gradient in gradients.items():
        np.testing.assert_allclose(
            gradient.asnumpy(), expected_gradients[name].asnumpy(), rtol=1e-4, atol=1e-5, err_msg=name
        )
    np.testing.assert_allclose(outputs[0].asnumpy(), expected_outputs[0].asnumpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("first_on_host", [False, True])
def test_model_parallel(pair, first_on_host):
    with mx.AttrScope(ctx_group="one"):
        x = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=6, name="a")
        x = mx.sym.tanh(x)
    with mx.AttrScope(ctx_group="two"):
        x = mx.sym.FullyConnected(x, num_hidden=4, name="b")
    with mx.AttrScope(ctx_group="one"):
        x = mx.sym.FullyConnected(x, num_hidden=3, name="c")

    def run(groups, ctx):
        executor = x.simple_bind(ctx=ctx, group2ctx=groups, data=(2, 5))
        rng = np.random.RandomState(2)
        for array in executor.arg_arrays:
            array[:] = rng.rand(*array.shape)
        executor.forward(is_train=True)
        executor.backward([nd.ones((2, 3), ctx=executor.outputs[0].context)])
        return [executor.outputs[0].asnumpy()] + [g.asnumpy() for g in executor.grad_arrays]

    expected = run({"one": mx.cpu(0), "two": mx.cpu(1)}, mx.cpu(0))
    one = mx.cpu(0) if first_on_host else pair[0]
    for _ in range(10):
        for a, b in zip(run({"one": one, "two": pair[1]}, one), expected):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def test_loops_inside_graphs(gpus):
    data = mx.sym.Variable("data")
    state = mx.sym.Variable("state")
    outs, last = mx.sym.contrib.foreach(lambda d, s: (d * s, s + d), data, state)
    symbol = mx.sym.Group([outs, last])
    results = []
    for ctx in (mx.cpu(), gpus[-1]):
        executor = symbol.simple_bind(ctx=ctx, data=(5, 3), state=(3,))
        executor.arg_dict["data"][:] = 1.5
        executor.arg_dict["state"][:] = 2
        executor.forward(is_train=True)
        executor.backward([nd.ones((5, 3), ctx=ctx), nd.ones((3,), ctx=ctx)])
        results.append([o.asnumpy() for o in (*executor.outputs, *executor.grad_arrays)])
    for a, b in zip(*results):
        np.testing.assert_array_equal(a, b)


def test_gradients_of_some_inputs(pair):
    """An input without a gradient of its own, in a fused backward kernel."""
    for ctx in (mx.cpu(), pair[1]):
        x, w = nd.ones((1, 2, 5, 5), ctx=ctx), nd.ones((3, 2, 3, 3), ctx=ctx)
        b = nd.ones((3,), ctx=ctx)
        x.attach_grad()
        with mx.autograd.record():
            y = nd.Convolution(x, w, b, kernel=(3, 3), num_filter=3).sum()
        y.backward()
        if ctx == mx.cpu():
            expected = x.grad.asnumpy()
        np.testing.assert_array_equal(x.grad.asnumpy(), expected)


def test_memory_that_nobody_wrote(pair):
    for ctx in pair:
        assert nd.empty((3, 2), ctx=ctx).as_in_context(mx.cpu()).shape == (3, 2)
        assert nd.empty((3, 2), ctx=mx.cpu()).as_in_context(ctx).asnumpy().shape == (3, 2)
        (nd.empty((3, 2), ctx=ctx) + 1).wait_to_read()


def test_graphs_that_go_before_their_streams_are_done(gpus):
    for i in range(30):
        symbol = mx.sym.Group([mx.sym.ones((200,)) * float(i), mx.sym.Variable("x") + 1, mx.sym.zeros((3,))])
        host = np.full((400,), i, "float32")
        executor = symbol.simple_bind(ctx=gpus[i % len(gpus)], x=(400,))
        executor.arg_dict["x"][:] = nd.array(host)
        outputs = executor.forward()
        del executor, symbol, host
        gc.collect()
        assert outputs[0].asnumpy()[7] == i and outputs[1].asnumpy()[3] == i + 1
        assert not outputs[2].asnumpy().any()


def test_what_a_card_has_read_is_the_hosts_again(pair):
    host = nd.ones((10,))
    host.as_in_context(pair[0]).wait_to_read()
    for _ in range(3):
        assert (host + 1).sum().asscalar() == 20
    host += 1
    assert host.sum().asscalar() == 20


def test_saved_and_loaded(pair, tmp_path):
    path = str(tmp_path / "x.params")
    nd.save(path, {"x": nd.arange(4, ctx=pair[1])})
    same(nd.load(path)["x"], nd.arange(4))


def test_emptying_the_cache_gives_back_what_streams_have_left(pair):
    card = pair[0]
    a = nd.ones((512, 512), ctx=card)
    for _ in range(5):
        b = nd.dot(a, a)
    del a, b
    nd.waitall()
    assert mx.memory.memory_info(card).in_use == 0
    card.empty_cache()
    assert mx.memory.memory_info(card).reserved == 0
