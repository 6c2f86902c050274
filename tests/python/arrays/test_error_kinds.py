"""Refusals are of the kinds that MXNet 1.9.1 raises, so that scripts which catch those go on."""

from __future__ import annotations

from typing import Any, Callable

import pytest

import mixgrad as mx

nd, sym = mx.nd, mx.sym


def heads() -> None:
    x = nd.ones((2,))
    x.attach_grad()
    with mx.autograd.record():
        y = x * 2
    mx.autograd.backward([y, y], head_grads=[nd.ones((2,))])


CASES: list[tuple[type[Exception], Callable[[], Any]]] = [
    (AssertionError, lambda: nd.random.uniform(0, "a")),
    (AssertionError, lambda: nd.random.normal(nd.zeros((2,)), 1)),
    (AssertionError, lambda: sym.random.normal(sym.var("a"), 1)),
    (AssertionError, lambda: mx.lr_scheduler.MultiFactorScheduler(1)),
    (AssertionError, lambda: mx.lr_scheduler.PolyScheduler(1.5)),  # type: ignore[arg-type]
    (AssertionError, lambda: mx.lr_scheduler.FactorScheduler(1, warmup_steps=1.5)),  # type: ignore[arg-type]
    (AssertionError, lambda: mx.metric.create("no such metric")),
    (AssertionError, lambda: mx.metric.TopKAccuracy(top_k=1)),
    (
        AssertionError,
        lambda: mx.metric.CrossEntropy().update([nd.array([0, 1])], [nd.array([[0.9, 0.1]])]),
    ),
    (AssertionError, lambda: mx.init.Mixed(["bias"], [mx.init.Zero(), mx.init.One()])),
    (AssertionError, lambda: mx.init.Load({"x": nd.ones((3,))})("x", nd.ones((2,)))),
    (AssertionError, lambda: mx.init.Load({"x": nd.ones((3,))})("y", nd.ones((2,)))),
    (AssertionError, heads),
    (AssertionError, lambda: mx.kv.create().init([5, 7], [nd.ones((2,))])),
    (AssertionError, lambda: mx.kv.create().init({}, nd.ones((2,)))),  # type: ignore[arg-type]
    (AssertionError, lambda: mx.kv.create().save_optimizer_states("never")),
    (AssertionError, lambda: mx.kv.create().load_optimizer_states("never")),
    (AssertionError, lambda: mx.profiler.dumps(format="xml")),
    (AssertionError, lambda: mx.profiler.dumps(sort_by="name")),
    (AssertionError, lambda: sym.concat(1, 2)),
    (AssertionError, lambda: nd.ones((2, 3)).reshape()),
    (AssertionError, lambda: mx.io.DataBatch(nd.ones((2,)))),  # type: ignore[arg-type]
    (AssertionError, lambda: mx.io.NDArrayIter([])),
    (AssertionError, lambda: mx.io.NDArrayIter(None)),
    (KeyError, lambda: mx.Context("foo")),
    (KeyError, lambda: mx.profiler.set_state("foo")),
    (KeyError, lambda: mx.autograd.mark_variables([nd.ones((2,))], [nd.ones((2,))], grad_reqs="foo")),
    (ValueError, lambda: nd.ones((2,))["a"]),
    (ValueError, lambda: nd.ones((2,))[1.5]),
    (ValueError, lambda: nd.ones((2,)).__setitem__(1.5, 1)),
    (ValueError, lambda: nd.save("never", 1)),  # type: ignore[arg-type]
    (ValueError, lambda: sym.var("a", attr={"b": 1})),  # type: ignore[dict-item]
    (ValueError, lambda: sym.var("a").eval(b=nd.ones((2,)))),
    (TypeError, lambda: nd.ones((2,)).__iadd__("a")),
    (TypeError, lambda: nd.ones((2,)).__imul__("a")),
]


@pytest.mark.parametrize(("kind", "call"), CASES)
def test_kind(kind: type[Exception], call: Callable[[], Any]) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value)[0] in "[u"  # "[function] ...", or Python's "unsupported operand"


def test_text_beside_an_array_in_place() -> None:
    x = nd.ones((2,))
    with pytest.raises(TypeError):
        x += "a"
    with pytest.raises(TypeError):
        x *= [1, 2]
    assert isinstance(x, nd.NDArray)

    class Other:
        def __radd__(self, array: Any) -> str:
            return "mine"

    x += Other()
    assert x == "mine"


def module() -> Any:
    net = sym.FullyConnected(sym.var("data"), num_hidden=3, name="fc")
    return mx.mod.Module(net, label_names=None)


def bound(**options: Any) -> Any:
    made = module()
    made.bind([("data", (4, 2))], **options)
    return made


EARLY: list[Callable[[], Any]] = [
    lambda: module().data_shapes,
    lambda: module().init_params(),
    lambda: module().forward(mx.io.DataBatch([nd.ones((4, 2))])),
    lambda: module().get_params(),
    lambda: bound().init_optimizer(),
    lambda: bound().get_input_grads(),
    lambda: (made := bound(), made.init_params(), made.update()),
    lambda: (made := bound(for_training=False), made.init_params(), made.backward([nd.ones((4, 3))])),
    lambda: mx.mod.SequentialModule().add(module(), foo=1),
    lambda: nd.contrib.foreach(lambda d, s: (d, s), 1, nd.zeros((1,))),
    lambda: sym.contrib.while_loop(lambda i: i <= 5, lambda i: ([i], [i]), [1], max_iterations=3),
    lambda: mx.rnn.encode_sentences([["a", "z"]], vocab={"a": 1}),
    lambda: mx.image.ImageIter(2, (3, 10, 10)),
    lambda: mx.image.CreateAugmenter((3, 10, 10), rand_resize=True),
    lambda: nd.multiply("a", nd.ones((1,))),
]


@pytest.mark.parametrize("call", EARLY)
def test_what_comes_too_early_or_is_no_array(call: Callable[[], Any]) -> None:
    with pytest.raises(AssertionError, match=r"^\["):
        call()
