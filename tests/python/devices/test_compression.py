"""Compressed gradients of a store of one process, against a description of each format in NumPy."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import numpy.typing as npt
import pytest

import mixgrad as mx

Floats = npt.NDArray[np.float32]


def two_bit(x: Floats, threshold: float = 0.5) -> Floats:
    t = np.float32(threshold)
    return np.where(x >= t, t, np.where(x <= -t, -t, np.float32(0)))


def one_bit(x: Floats, threshold: float | None = None) -> Floats:
    t = np.float32(np.abs(x).astype("float64").mean() if threshold is None else threshold)
    return np.where(x >= 0, t, -t)


def half(x: Floats) -> Floats:
    return np.clip(x, -65504, 65504).astype("float16").astype("float32")


def brain(x: Floats) -> Floats:
    bits = x.view("uint32").astype("uint64")
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return rounded.astype("uint32").view("float32")


def largest(x: Floats, ratio: float = 0.01) -> Floats:
    count = max(1, int(np.ceil(ratio * x.size)))
    order = np.argsort(-np.abs(x.ravel()), kind="stable")[:count]
    sent = np.zeros(x.size, "float32")
    sent[order] = x.ravel()[order]
    return sent.reshape(x.shape)


KINDS: list[tuple[dict[str, Any], Callable[[Floats], Floats]]] = [
    ({"type": "2bit"}, two_bit),
    ({"type": "2bit", "threshold": 0.13}, lambda x: two_bit(x, 0.13)),
    ({"type": "2bit", "threshold": "0.25"}, lambda x: two_bit(x, 0.25)),
    ({"type": "1bit", "threshold": 0.3}, lambda x: one_bit(x, 0.3)),
    ({"type": "fp16"}, half),
    ({"type": "bf16"}, brain),
    ({"type": "topk"}, largest),
    ({"type": "topk", "ratio": 0.2}, lambda x: largest(x, 0.2)),
]


@pytest.mark.parametrize(("params", "sends"), KINDS, ids=[str(list(p.values())) for p, _ in KINDS])
@pytest.mark.parametrize("shape", [(5,), (37, 29), (1,), (0, 3)])
def test_what_arrives_and_what_is_kept(
    params: dict[str, Any], sends: Callable[[Floats], Floats], shape: tuple[int, ...]
) -> None:
    if 0 in shape and params["type"] == "topk":
        sends = np.copy
    random = np.random.default_rng(4)
    store = mx.kv.create("device")
    store.set_gradient_compression(params)
    store.init("w", mx.nd.zeros(shape))
    devices = [mx.cpu(0), mx.cpu(1), mx.cpu(2)]
    kept = [np.zeros(shape, "float32") for _ in devices]
    total = [np.zeros(shape) for _ in devices]
    arrived = [np.zeros(shape) for _ in devices]
    out = mx.nd.empty(shape)
    for step in range(6):
        gradients = [random.normal(size=shape).astype("float32") for _ in devices]
        store.push("w", [mx.nd.array(g, ctx) for g, ctx in zip(gradients, devices)])
        store.pull("w", out=out)
        expected = np.zeros(shape, "float32")
        for i, gradient in enumerate(gradients):
            x = kept[i] + gradient
            sent = sends(x)
            kept[i] = x - sent
            expected = expected + sent if i else sent
            total[i] += gradient
            arrived[i] += sent
        np.testing.assert_array_equal(out.asnumpy(), expected, err_msg=f"step {step}")
    for i in range(len(devices)):
        np.testing.assert_allclose(arrived[i] + kept[i], total[i], rtol=1e-5, atol=1e-5)


def test_a_threshold_that_is_not_given_is_the_mean() -> None:
    store = mx.kv.create("device")
    store.set_gradient_compression({"type": "1bit"})
    gradient = np.array([1, -3, 0, 2, -4], "float32")
    store.init("w", mx.nd.zeros((5,)))
    out = mx.nd.empty((5,))
    store.pushpull("w", mx.nd.array(gradient), out=out)
    assert out.asnumpy().tolist() == [2, -2, 2, 2, -2]


def test_it_can_be_changed_and_ended_and_owes_what_it_kept() -> None:
    store = mx.kv.create("device")
    store.init("w", mx.nd.zeros((2,)))
    out = mx.nd.empty((2,))
    store.set_gradient_compression({"type": "2bit", "threshold": 1})
    store.pushpull("w", mx.nd.array([0.75, 2.0]), out=out)
    assert out.asnumpy().tolist() == [0, 1]
    store.set_gradient_compression({"type": "2bit", "threshold": 0.5})
    store.pushpull("w", mx.nd.array([0.0, 0.0]), out=out)
    assert out.asnumpy().tolist() == [0.5, 0.5]
    store.set_gradient_compression({"type": "none"})
    store.pushpull("w", mx.nd.array([0.1, 0.25]), out=out)
    assert out.asnumpy().tolist() == pytest.approx([0.1, 0.25])


def test_updates_on_the_store_see_what_was_sent() -> None:
    store = mx.kv.create("device")
    store.set_gradient_compression({"type": "2bit", "threshold": 0.5})
    store.init("w", mx.nd.zeros((2,)))
    store.set_optimizer(mx.optimizer.SGD(learning_rate=1.0))
    out = mx.nd.empty((2,))
    for _ in range(3):
        store.pushpull("w", mx.nd.array([0.25, -0.75]), out=out)
    assert out.asnumpy().tolist() == [-0.5, 1.5]


def test_a_trainer_reaches_it() -> None:
    weight = mx.gluon.Parameter("w", shape=(3,), init="zeros")
    weight.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
    params = {"type": "2bit", "threshold": 0.5}
    trainer = mx.gluon.Trainer(
        {"w": weight}, "sgd", {"learning_rate": 1.0}, kvstore="device", compression_params=params
    )
    with mx.autograd.record():
        losses = [(w * mx.nd.array([0.25, 0.6, -2], w.context)).sum() for w in weight.list_data()]
    for loss in losses:
        loss.backward()
    trainer.step(1)
    assert weight.data(mx.cpu(1)).asnumpy().tolist() == [0, -1, 1]


def test_a_module_reaches_it() -> None:
    data = mx.sym.Variable("data")
    output = mx.sym.MakeLoss(mx.sym.broadcast_mul(data, mx.sym.Variable("w", shape=(1, 3))))
    params = {"type": "2bit", "threshold": 0.5}
    module = mx.mod.Module(
        output, label_names=None, context=[mx.cpu(0), mx.cpu(1)], compression_params=params
    )
    module.bind([("data", (2, 3))])
    module.init_params(arg_params={"w": mx.nd.zeros((1, 3))}, initializer=None)
    module.init_optimizer("device", "sgd", {"learning_rate": 1.0, "rescale_grad": 1.0})
    module.forward_backward(mx.io.DataBatch([mx.nd.array([[0.25, 0.6, -2], [0.25, 0.4, 0.5]])], None))
    module.update()
    assert module.get_params()[0]["w"].asnumpy().tolist() == [[0, -0.5, 0]]


@pytest.mark.parametrize(
    ("params", "error", "match"),
    [
        ({"type": "3bit"}, ValueError, "'3bit' of compression is not known; expected none, 2bit"),
        ({"threshold": 0.5}, ValueError, "has no type"),
        ({"type": "2bit", "threshold": 0}, ValueError, "threshold is 0; expected more than 0"),
        ({"type": "2bit", "threshold": -1}, ValueError, "threshold is -1"),
        ({"type": "2bit", "threshold": "much"}, ValueError, "threshold is 'much'; expected a number"),
        ({"type": "2bit", "bits": 2}, ValueError, "no parameter 'bits'"),
        ({"type": "topk", "ratio": 2}, ValueError, "ratio is 2; expected more than 0 and at most 1"),
        ({"type": "fp16", "threshold": 1}, ValueError, "compression 'fp16' has no threshold"),
        (3, TypeError, "expected a dict"),
    ],
)
def test_refusals_say_what_is_wrong(params: Any, error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        mx.kv.create("device").set_gradient_compression(params)


def test_a_store_whose_gradients_do_not_travel_refuses() -> None:
    with pytest.raises(mx.base.UnsupportedError, match="'local' gradients do not travel"):
        mx.kv.create("local").set_gradient_compression({"type": "2bit"})


@pytest.mark.parametrize("gradient", ["float64", "float16", "row_sparse"])
def test_what_cannot_be_compressed_is_refused_before_anything_is_done(gradient: str) -> None:
    store = mx.kv.create("device")
    store.init(["w", "x"], [mx.nd.ones((2, 2)), mx.nd.ones((2, 2))])
    store.set_gradient_compression({"type": "2bit"})
    given = mx.nd.ones((2, 2))
    given = given.tostype(gradient) if gradient == "row_sparse" else given.astype(gradient)
    with pytest.raises(mx.base.UnsupportedError, match=r"key 'x'.*2bit, threshold 0\.5.*dense float32"):
        store.push(["w", "x"], [mx.nd.ones((2, 2)) * 3, given])
    out = mx.nd.empty((2, 2))
    store.pull("w", out=out)
    assert (out.asnumpy() == 1).all()
