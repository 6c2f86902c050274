"""Operators written in Python: on arrays, in graphs, under jit, in threads, and when they fail."""

from __future__ import annotations

import gc
import json
import os
import threading
import time
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx


class Square(mx.operator.CustomOp):
    def forward(self, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
        self.assign(out_data[0], req[0], in_data[0] * in_data[0])

    def backward(self, req: Any, out_grad: Any, in_data: Any, out_data: Any, in_grad: Any, aux: Any) -> None:
        self.assign(in_grad[0], req[0], 2 * in_data[0] * out_grad[0])


@mx.operator.register("test_square")
class SquareProp(mx.operator.CustomOpProp):
    def create_operator(self, ctx: Any, in_shapes: Any, in_dtypes: Any) -> mx.operator.CustomOp:
        return Square()


def type_of(name: str, forward: Any, backward: Any = None, **methods: Any) -> None:
    """Registers a type whose operator has these functions of (op, ...)."""
    op = type(
        "Op", (mx.operator.CustomOp,), {"forward": forward, **({"backward": backward} if backward else {})}
    )
    methods.setdefault("create_operator", lambda self, ctx, shapes, dtypes: op())
    mx.operator.register(name)(type("Prop", (mx.operator.CustomOpProp,), methods))


def same(forward_result: Any) -> Any:
    def forward(op: Any, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
        op.assign(out_data[0], req[0], forward_result(in_data[0]))

    return forward


def test_arrays_and_gradients() -> None:
    x = mx.nd.array([1, 2, 3])
    x.attach_grad()
    with mx.autograd.record():
        y = mx.nd.Custom(x, op_type="test_square")
        z = mx.nd.Custom(y, op_type="test_square")
    z.backward()
    np.testing.assert_array_equal(z.asnumpy(), [1, 16, 81])
    np.testing.assert_array_equal(x.grad.asnumpy(), [4, 32, 108])
    assert not mx.autograd.is_recording()


@pytest.mark.parametrize("dtype", ["float16", "float64", "int32", "uint8", "bfloat16"])
def test_dtypes(dtype: str) -> None:
    x = mx.nd.array([1, 2, 3], dtype=dtype)
    y = mx.nd.Custom(x, op_type="test_square")
    assert y.dtype == x.dtype
    np.testing.assert_array_equal(y.astype("float32").asnumpy(), [1, 4, 9])


def test_graph_forward_and_backward() -> None:
    data = mx.sym.var("data")
    net = mx.sym.Custom(data=2 * data, op_type="test_square", name="square") + data
    assert net.list_arguments() == ["data"]
    executor = net.simple_bind(mx.cpu(), data=(2, 3))
    x = np.arange(6, dtype="float32").reshape(2, 3)
    for step in range(3):
        executor.forward(is_train=True, data=mx.nd.array(x + step))
        executor.backward(mx.nd.ones((2, 3)))
        np.testing.assert_allclose(executor.outputs[0].asnumpy(), 4 * (x + step) ** 2 + x + step)
        np.testing.assert_allclose(executor.grad_dict["data"].asnumpy(), 8 * (x + step) + 1)


def test_parameters_are_text_and_files_keep_them(tmp_path: Path) -> None:
    seen: list[dict[str, str]] = []

    def init(self: Any, **words: str) -> None:
        mx.operator.CustomOpProp.__init__(self)
        seen.append(words)

    type_of("test_words", same(lambda x: x + 1), __init__=init)
    mx.nd.Custom(mx.nd.ones((1,)), op_type="test_words", k=(1, 2), flag=True, rate=0.5).wait_to_read()
    assert seen == [{"k": "(1, 2)", "flag": "True", "rate": "0.5"}]
    net = mx.sym.Custom(mx.sym.var("x"), op_type="test_words", rate=2.5, name="c")
    net.save(str(tmp_path / "net.json"))
    again = mx.sym.load(str(tmp_path / "net.json"))
    assert seen[1:] == [{"rate": "2.5"}] * 2
    assert again.tojson() == net.tojson() and '"rate": "2.5"' in net.tojson()
    assert again.attr_dict()["c"]["rate"] == "2.5"
    assert again.eval(x=mx.nd.zeros((2,)))[0].asnumpy().tolist() == [1, 1]


def test_states_change_in_training_only() -> None:
    def forward(op: Any, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
        aux[0][:] += 1
        op.assign(out_data[0], req[0], in_data[0] + aux[0])

    def backward(
        op: Any, req: Any, out_grad: Any, in_data: Any, out_data: Any, in_grad: Any, aux: Any
    ) -> None:
        op.assign(in_grad[0], req[0], out_grad[0] * aux[0])

    type_of(
        "test_states",
        forward,
        backward,
        list_auxiliary_states=lambda self: ["count"],
        infer_shape=lambda self, shapes: (shapes, [shapes[0]], [(1,)]),
    )
    net = mx.sym.Custom(mx.sym.var("x"), op_type="test_states", name="c")
    assert net.list_arguments() == ["x"] and net.list_auxiliary_states() == ["c_count"]
    executor = net.simple_bind(mx.cpu(), x=(2,))
    for step in range(3):
        executor.forward(is_train=True)
        executor.backward(mx.nd.ones((2,)))
        assert executor.aux_dict["c_count"].asscalar() == step + 1
        np.testing.assert_array_equal(executor.grad_dict["x"].asnumpy(), [step + 1] * 2)
    executor.forward(is_train=False)
    assert executor.outputs[0].asnumpy().tolist() == [4, 4]
    assert executor.aux_dict["c_count"].asscalar() == 3
    count, x = mx.nd.zeros((1,)), mx.nd.zeros((2,))
    with mx.autograd.record():
        mx.nd.Custom(x, count, op_type="test_states").wait_to_read()
    assert count.asscalar() == 1


def test_operators_without_inputs_and_with_several_outputs() -> None:
    def forward(op: Any, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
        op.assign(out_data[0], req[0], 3)
        op.assign(out_data[1], req[1], np.array([1, 2]))

    type_of(
        "test_source",
        forward,
        list_arguments=lambda self: [],
        list_outputs=lambda self: ["a", "b"],
        infer_shape=lambda self, shapes: ([], [(2, 2), (2,)], []),
        infer_type=lambda self, types: ([], [np.float32, np.int64], []),
    )
    a, b = mx.nd.Custom(op_type="test_source")
    assert a.asnumpy().tolist() == [[3, 3], [3, 3]] and b.asnumpy().tolist() == [1, 2]
    assert b.dtype == np.int64
    net = mx.sym.Custom(op_type="test_source", name="s")
    assert net.list_outputs() == ["s_a", "s_b"]
    assert [o.shape for o in net.eval(ctx=mx.cpu())] == [(2, 2), (2,)]


def test_loss_needs_no_head_gradient() -> None:
    def backward(
        op: Any, req: Any, out_grad: Any, in_data: Any, out_data: Any, in_grad: Any, aux: Any
    ) -> None:
        op.assign(in_grad[0], req[0], out_data[0] - in_data[1])
        assert req[1] == "write"

    def init(self: Any) -> None:
        mx.operator.CustomOpProp.__init__(self, need_top_grad=False)

    type_of(
        "test_loss",
        same(lambda x: x),
        backward,
        __init__=init,
        list_arguments=lambda self: ["data", "label"],
        infer_shape=lambda self, shapes: ([shapes[0], shapes[0]], [shapes[0]], []),
    )
    net = mx.sym.Custom(mx.sym.var("data"), op_type="test_loss", name="loss")
    assert net.list_arguments() == ["data", "loss_label"]
    executor = net.simple_bind(mx.cpu(), data=(2,))
    executor.forward(is_train=True, data=mx.nd.array([3, 4]), loss_label=mx.nd.array([1, 1]))
    executor.backward()
    np.testing.assert_array_equal(executor.grad_dict["data"].asnumpy(), [2, 3])


def test_state_of_an_operator_belongs_to_its_call() -> None:
    def forward(op: Any, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
        op.factor = in_data[0].sum()
        op.assign(out_data[0], req[0], in_data[0] * op.factor)

    def backward(
        op: Any, req: Any, out_grad: Any, in_data: Any, out_data: Any, in_grad: Any, aux: Any
    ) -> None:
        op.assign(in_grad[0], req[0], op.factor.broadcast_to(in_data[0].shape))

    type_of("test_own", forward, backward)
    xs = [mx.nd.full((2,), value) for value in (1, 10, 100)]
    for x in xs:
        x.attach_grad()
    with mx.autograd.record():
        ys = [mx.nd.Custom(x, op_type="test_own") for x in xs]
    mx.autograd.backward(ys)
    assert [x.grad.asnumpy().tolist() for x in xs] == [[2, 2], [20, 20], [200, 200]]
    net = mx.sym.Custom(mx.sym.var("x"), op_type="test_own", name="own")
    executors = [net.bind(mx.cpu(), {"x": x}, {"x": mx.nd.zeros((2,))}) for x in xs]
    for executor in executors:
        executor.forward(is_train=True)
    for executor in reversed(executors):
        executor.backward(mx.nd.ones((2,)))
    assert [e.grad_dict["x"].asnumpy().tolist() for e in executors] == [[2, 2], [20, 20], [200, 200]]


def test_an_operator_ends_with_its_call() -> None:
    ended: list[weakref.ref[Any]] = []

    def create(self: Any, ctx: Any, shapes: Any, dtypes: Any) -> Any:
        op = Square()
        ended.append(weakref.ref(op))
        return op

    type_of("test_ends", same(lambda x: x), create_operator=create)
    x = mx.nd.ones((2,))
    x.attach_grad()
    with mx.autograd.record():
        y = mx.nd.Custom(x, op_type="test_ends")
    y.backward()
    net = mx.sym.Custom(mx.sym.var("x"), op_type="test_ends", name="e").bind(mx.cpu(), {"x": x})
    net.forward()
    del y, net
    mx.nd.waitall()
    gc.collect()
    assert [one() for one in ended] == [None, None]


def test_arrays_of_a_call_may_be_kept() -> None:
    kept: list[mx.nd.NDArray] = []

    def forward(op: Any, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
        kept.extend([in_data[0], out_data[0]])
        op.assign(out_data[0], req[0], in_data[0] + 1)

    type_of("test_keeps", forward)
    executor = mx.sym.Custom(mx.sym.var("x"), op_type="test_keeps").simple_bind(mx.cpu(), x=(3,))
    for step in range(3):
        executor.forward(x=mx.nd.full((3,), step))
        executor.outputs[0].wait_to_read()
    del executor
    assert [k.asnumpy()[0] for k in kept] == [0, 1, 1, 2, 2, 3]


@pytest.mark.parametrize("where", ["array", "graph"])
def test_errors_reach_the_reader(where: str) -> None:
    def fails(op: Any, *args: Any, **words: Any) -> None:
        raise RuntimeError("the well is dry")

    type_of("test_fails", fails)
    if where == "array":
        y = mx.nd.Custom(mx.nd.ones((2,)), op_type="test_fails")
    else:
        y = mx.sym.Custom(mx.sym.var("x"), op_type="test_fails").eval(x=mx.nd.ones((2,)))[0]
    with pytest.raises(mx.MXNetError, match=r"(?s)the well is dry.*test_custom\.py"):
        y.asnumpy()


def test_errors_of_backward_and_of_late_tasks() -> None:
    def backward(
        op: Any, req: Any, out_grad: Any, in_data: Any, out_data: Any, in_grad: Any, aux: Any
    ) -> None:
        op.assign(in_grad[0], req[0], mx.nd.linalg.potrf(-mx.nd.eye(2)))

    type_of("test_late", same(lambda x: x), backward)
    x = mx.nd.eye(2)
    x.attach_grad()
    with mx.autograd.record():
        y = mx.nd.Custom(x, op_type="test_late")
    with pytest.raises(mx.MXNetError, match="potrf"):
        y.backward()
        x.grad.asnumpy()


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "shapes": ({"infer_shape": lambda self, s: [s[0]]}, "expected lists for arguments, outputs and states"),
    "count": ({"infer_shape": lambda self, s: (s, [s[0], s[0]], [])}, "returns 2 of the outputs; expected 1"),
    "negative": ({"infer_shape": lambda self, s: (s, [(-5,)], [])}, "gives an extent of -5"),
    "rank": ({"infer_shape": lambda self, s: (s, [(1,) * 17], [])}, "rank 17; expected at most 16"),
    "raises": ({"infer_shape": lambda self, s: 1 / 0}, "ZeroDivisionError"),
    "dtype": ({"infer_type": lambda self, t: (t, ["nonsense"], [])}, "no dtype is called"),
    "operator": ({"create_operator": lambda self, *a: 3}, "create_operator returns int; expected CustomOp"),
    "names": ({"list_outputs": lambda self: ["a", "a"]}, "expected different names"),
    "types": ({"list_arguments": lambda self: [3]}, "expected a list of str"),
    "nothing": ({"list_outputs": lambda self: []}, "has no outputs; expected at least 1"),
}


@pytest.mark.parametrize("which", sorted(BAD))
def test_bad_properties(which: str) -> None:
    methods, message = BAD[which]
    type_of(f"test_bad_{which}", same(lambda x: x), **methods)
    with pytest.raises(mx.MXNetError, match=message):
        mx.nd.Custom(mx.nd.ones((2,)), op_type=f"test_bad_{which}").asnumpy()


def test_bad_calls() -> None:
    x = mx.nd.ones((2,))
    with pytest.raises(mx.MXNetError, match=r"no operator of type 'test_squar' .*test_square"):
        mx.nd.Custom(x, op_type="test_squar")
    with pytest.raises(mx.MXNetError, match="unexpected keyword argument 'depth'"):
        mx.nd.Custom(x, op_type="test_square", depth=3)
    with pytest.raises(mx.MXNetError, match="got 2 inputs; expected 1"):
        mx.nd.Custom(x, x, op_type="test_square")
    with pytest.raises(TypeError, match="given by name"):
        mx.nd.Custom(data=x, op_type="test_square")
    with pytest.raises(TypeError, match="expected NDArray"):
        mx.nd.Custom(3, op_type="test_square")
    with pytest.raises(TypeError, match="expected Symbol"):
        mx.sym.Custom(x, op_type="test_square")
    with pytest.raises(TypeError, match="subclass of CustomOpProp"):
        mx.operator.register("x")(int)  # type: ignore[type-var]
    with pytest.raises(ValueError, match="out has 2 arrays"):
        mx.nd.Custom(x, op_type="test_square", out=[x, x])
    with pytest.raises(mx.MXNetError, match="test_gone"):
        mx.sym.load_json(
            mx.sym.Custom(mx.sym.var("x"), op_type="test_square").tojson().replace("test_square", "test_gone")
        )


def test_out() -> None:
    x = mx.nd.array([2, 3])
    y = mx.nd.zeros((2,))
    assert mx.nd.Custom(x, op_type="test_square", out=y) is y
    np.testing.assert_array_equal(y.asnumpy(), [4, 9])


def test_jit() -> None:
    @mx.jit
    def net(x: Any) -> Any:
        return mx.nd.Custom(x + 1, op_type="test_square") * 2

    for value in (1.0, 2.0, 3.0):
        x = mx.nd.full((3,), value)
        x.attach_grad()
        with mx.autograd.record():
            y = net(x)
        y.backward()
        np.testing.assert_allclose(y.asnumpy(), [2 * (value + 1) ** 2] * 3)
        np.testing.assert_allclose(x.grad.asnumpy(), [4 * (value + 1)] * 3)


def test_threads() -> None:
    wrong: list[Any] = []

    def work(number: int) -> None:
        try:
            for i in range(50):
                x = mx.nd.full((20,), number * 100 + i)
                x.attach_grad()
                with mx.autograd.record():
                    y = mx.nd.Custom(mx.nd.Custom(x, op_type="test_square"), op_type="test_square")
                y.backward()
                got, want = x.grad.asnumpy(), 4.0 * (number * 100 + i) ** 3
                if not np.allclose(got, want):
                    wrong.append((number, i, got[0], want))
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_large_work_inside_and_beside() -> None:
    """Tasks that need the whole team run while the operator waits for them."""

    def forward(op: Any, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
        product = mx.nd.dot(in_data[0], in_data[0])
        product.wait_to_read()
        op.assign(out_data[0], req[0], mx.nd.dot(product, in_data[0]))

    type_of("test_large", forward)
    x = mx.nd.eye(500) * 2
    ys = [mx.nd.Custom(x, op_type="test_large") for _ in range(6)]
    beside = [mx.nd.dot(x, x) for _ in range(6)]
    net = mx.sym.dot(
        mx.sym.var("x"), mx.sym.Custom(mx.sym.dot(mx.sym.var("x"), mx.sym.var("x")), op_type="test_large")
    )
    executor = net.bind(mx.cpu(), {"x": x})
    executor.forward()
    for y in ys:
        assert y[3, 3].asscalar() == 8
    for y in beside:
        assert y[3, 3].asscalar() == 4
    assert executor.outputs[0][7, 7].asscalar() == 2 * 4**3


def test_recording_inside() -> None:
    """An operator may use the tape for its own gradient."""

    def backward(
        op: Any, req: Any, out_grad: Any, in_data: Any, out_data: Any, in_grad: Any, aux: Any
    ) -> None:
        x = in_data[0].copy()
        x.attach_grad()
        with mx.autograd.record():
            y = mx.nd.exp(x) * out_grad[0]
        y.backward()
        op.assign(in_grad[0], req[0], x.grad)

    type_of("test_tape", same(mx.nd.exp), backward)
    x = mx.nd.array([0.5, 1.0])
    x.attach_grad()
    with mx.autograd.record():
        y = 3 * mx.nd.Custom(x, op_type="test_tape")
    y.backward()
    np.testing.assert_allclose(x.grad.asnumpy(), 3 * np.exp([0.5, 1.0]), rtol=1e-6)


def test_module_trains_with_a_custom_softmax() -> None:
    class Softmax(mx.operator.CustomOp):
        def forward(self, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
            x = in_data[0].asnumpy()
            y = np.exp(x - x.max(axis=1, keepdims=True))
            self.assign(out_data[0], req[0], mx.nd.array(y / y.sum(axis=1, keepdims=True)))

        def backward(
            self, req: Any, out_grad: Any, in_data: Any, out_data: Any, in_grad: Any, aux: Any
        ) -> None:
            label, y = in_data[1].asnumpy().astype(int), out_data[0].asnumpy()
            y[np.arange(len(label)), label] -= 1.0
            self.assign(in_grad[0], req[0], mx.nd.array(y))

    def init(self: Any) -> None:
        mx.operator.CustomOpProp.__init__(self, need_top_grad=False)

    type_of(
        "test_softmax",
        None,
        __init__=init,
        list_arguments=lambda self: ["data", "label"],
        infer_shape=lambda self, s: ([s[0], (s[0][0],)], [s[0]], []),
        create_operator=lambda self, ctx, shapes, dtypes: Softmax(),
    )
    random = np.random.RandomState(3)
    x = random.normal(size=(200, 5)).astype("float32")
    label = (x[:, 0] > x[:, 1]).astype("float32")

    def fit(loss: Any) -> dict[str, np.ndarray]:
        net = loss(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc"))
        module = mx.mod.Module(net, label_names=["softmax_label"])
        start = {"fc_weight": mx.nd.ones((2, 5)) * 0.1, "fc_bias": mx.nd.zeros((2,))}
        module.fit(
            mx.io.NDArrayIter(x, label, 20, label_name="softmax_label"),
            num_epoch=3,
            arg_params=start,
            optimizer_params={"learning_rate": 0.1},
        )
        return {key: value.asnumpy() for key, value in module.get_params()[0].items()}

    mine = fit(lambda fc: mx.sym.Custom(fc, op_type="test_softmax", name="softmax"))
    usual = fit(lambda fc: mx.sym.SoftmaxOutput(fc, name="softmax"))
    for key, value in usual.items():
        np.testing.assert_allclose(mine[key], value, rtol=1e-4, atol=1e-6)


def test_old_operators() -> None:
    class OldSquare(mx.operator.NumpyOp):
        def forward(self, in_data: Any, out_data: Any) -> None:
            assert isinstance(in_data[0], np.ndarray)
            out_data[0][:] = in_data[0] ** 2

        def backward(self, out_grad: Any, in_data: Any, out_data: Any, in_grad: Any) -> None:
            in_grad[0][:] = 2 * in_data[0] * out_grad[0]

    class OldTwice(mx.operator.NDArrayOp):
        def forward(self, in_data: Any, out_data: Any) -> None:
            out_data[0][:] = in_data[0] * 2

        def backward(self, out_grad: Any, in_data: Any, out_data: Any, in_grad: Any) -> None:
            in_grad[0][:] = out_grad[0] * 2

    net = OldTwice()(OldSquare()(data=mx.sym.var("x"), name="sq"), name="tw")
    assert net.list_outputs() == ["tw_output"]
    executor = net.simple_bind(mx.cpu(), x=(3,))
    executor.forward(is_train=True, x=mx.nd.array([1, 2, 3]))
    executor.backward(mx.nd.ones((3,)))
    np.testing.assert_array_equal(executor.outputs[0].asnumpy(), [2, 8, 18])
    np.testing.assert_array_equal(executor.grad_dict["x"].asnumpy(), [4, 8, 12])


def test_registered_again() -> None:
    type_of("test_again", same(lambda x: x + 1))
    before = mx.sym.Custom(mx.sym.var("x"), op_type="test_again")
    type_of("test_again", same(lambda x: x + 2))
    after = mx.sym.Custom(mx.sym.var("x"), op_type="test_again")
    x = mx.nd.zeros((1,))
    assert [s.eval(x=x)[0].asscalar() for s in (before, after)] == [1, 2]


def test_inside_a_loop() -> None:
    data = mx.sym.var("data")
    outputs, _ = mx.sym.contrib.foreach(
        lambda x, s: (mx.sym.Custom(x + s[0], op_type="test_square"), [s[0] + 1]), data, [mx.sym.var("s")]
    )
    executor = outputs.simple_bind(mx.cpu(), data=(3, 2), s=(2,))
    executor.forward(is_train=True, data=mx.nd.ones((3, 2)), s=mx.nd.zeros((2,)))
    np.testing.assert_array_equal(executor.outputs[0].asnumpy()[:, 0], [1, 4, 9])
    executor.backward(mx.nd.ones((3, 2)))
    np.testing.assert_array_equal(executor.grad_dict["data"].asnumpy()[:, 0], [2, 4, 6])


def test_profile() -> None:
    x = mx.nd.ones((2,))
    x.attach_grad()
    mx.profiler.start()
    with mx.autograd.record():
        y = mx.nd.Custom(x, op_type="test_square")
    y.backward()
    mx.nd.waitall()
    mx.profiler.stop()
    times = json.loads(mx.profiler.dumps(format="json"))["Time"]
    inside = times["Custom Operator"]
    assert inside["test_square::pure_python"]["Count"] == inside["test_square::broadcast_mul"]["Count"] == 1
    assert "_backward_test_square::pure_python" in inside and "Custom" in times["operator"]


def test_functions_run_outside_of_the_calling_thread() -> None:
    """A lock that the caller holds and an operator wants is no deadlock, however often it has waited."""
    lock = threading.Lock()
    threads: set[int] = set()

    def forward(op: Any, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
        with lock:
            threads.add(threading.get_ident())
            op.assign(out_data[0], req[0], in_data[0] + 1)

    type_of("test_lock", forward)
    x = mx.nd.zeros((2,))
    net = mx.sym.Custom(mx.sym.var("x"), op_type="test_lock").bind(mx.cpu(), {"x": x})
    data = mx.sym.var("data")
    loop, _ = mx.sym.contrib.foreach(
        lambda x, s: (mx.sym.Custom(x, op_type="test_lock"), s), data, [mx.sym.var("s")]
    )
    loop = loop.bind(mx.cpu(), {"data": mx.nd.zeros((2, 2)), "s": x})
    for _ in range(20):
        mx.nd.Custom(x, op_type="test_lock").asnumpy()
    for _ in range(20):
        with lock:
            y = mx.nd.Custom(x, op_type="test_lock")
            net.forward()
            loop.forward()
        assert y.asnumpy()[0] == net.outputs[0].asnumpy()[0] == loop.outputs[0].asnumpy()[0, 0] == 1
    assert threading.get_ident() not in threads


@pytest.mark.parametrize("loop", ["foreach", "while_loop", "nested"])
def test_state_of_an_operator_belongs_to_its_step(loop: str) -> None:
    def forward(op: Any, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
        op.kept = in_data[0].copy()
        op.assign(out_data[0], req[0], in_data[0] * in_data[0])

    def backward(
        op: Any, req: Any, out_grad: Any, in_data: Any, out_data: Any, in_grad: Any, aux: Any
    ) -> None:
        op.assign(in_grad[0], req[0], 2 * op.kept * out_grad[0])

    type_of("test_steps", forward, backward)

    def square(x: Any) -> Any:
        return mx.sym.Custom(x, op_type="test_steps")

    data, start = mx.sym.var("data"), mx.sym.var("s")
    if loop == "foreach":
        out, _ = mx.sym.contrib.foreach(lambda x, s: (square(x), s), data, [start])
    elif loop == "nested":
        out, _ = mx.sym.contrib.foreach(
            lambda row, s: (mx.sym.contrib.foreach(lambda x, t: (square(x), t), row, s)[0], s), data, [start]
        )
    else:
        _, (out, _) = mx.sym.contrib.while_loop(
            lambda d, i: mx.sym.sum(i) < 2, lambda d, i: (d, [square(d), i + 1]), [data, start], 4
        )
    shape = {"foreach": (3, 1), "nested": (2, 3, 1), "while_loop": (3,)}[loop]
    x = np.arange(1, np.prod(shape) + 1, dtype="float32").reshape(shape)
    executor = out.simple_bind(mx.cpu(), data=shape, s=(1,))
    for _ in range(2):
        executor.forward(is_train=True, data=mx.nd.array(x), s=mx.nd.zeros((1,)))
        executor.backward(mx.nd.ones(executor.outputs[0].shape))
        want = 4 * x**3 if loop == "while_loop" else 2 * x
        np.testing.assert_allclose(executor.grad_dict["data"].asnumpy(), want)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork_waits_no_longer_than_the_operator() -> None:
    def forward(op: Any, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
        time.sleep(0.05)
        op.assign(out_data[0], req[0], in_data[0].asnumpy() + 1)

    type_of("test_fork", forward)
    x = mx.nd.zeros((2,))
    began = time.monotonic()
    y = mx.nd.Custom(x, op_type="test_fork")
    child = os.fork()
    if child == 0:
        os._exit(0 if mx.nd.Custom(x, op_type="test_fork").asnumpy()[0] == 1 else 1)
    assert os.waitpid(child, 0)[1] == 0 and time.monotonic() - began < 30
    assert y.asnumpy()[0] == 1


def test_names_of_outputs() -> None:
    type_of("test_prob", same(lambda x: x), list_outputs=lambda self: ["prob"])
    net = mx.sym.Custom(mx.sym.var("x"), op_type="test_prob", name="z")
    assert net.list_outputs() == ["z_prob"]
    assert net.get_internals()["z_prob"].list_outputs() == ["z_prob"]
    assert mx.sym.Custom(mx.sym.var("x"), op_type="test_square", name="z").list_outputs() == ["z_output"]


def test_dtypes_of_labels_are_their_own() -> None:
    def forward(op: Any, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
        op.assign(out_data[0], req[0], in_data[0] * in_data[1].astype(in_data[0].dtype))

    both: dict[str, Any] = {
        "list_arguments": lambda self: ["x", "y"],
        "infer_shape": lambda self, shapes: ([shapes[0]] * 2, [shapes[0]], []),
    }
    type_of("test_label", forward, **both)
    label = mx.nd.array([3, 4], dtype="int32")
    y = mx.nd.Custom(mx.nd.array([1, 2]), label, op_type="test_label")
    assert y.dtype == np.float32 and y.asnumpy().tolist() == [3, 8]
    type_of(
        "test_int", forward, infer_type=lambda self, types: ([types[0], np.int32], [types[0]], []), **both
    )
    net = mx.sym.Custom(mx.sym.var("x"), mx.sym.var("y"), op_type="test_int")
    executor = net.simple_bind(mx.cpu(), x=(2,), y=(2,), type_dict={"y": "int32"})
    assert [executor.arg_dict[name].dtype for name in "xy"] == [np.float32, np.int32]


def test_unknown_shapes_stay_unknown() -> None:
    type_of(
        "test_open",
        same(lambda x: x),
        list_arguments=lambda self: ["a", "b"],
        infer_shape=lambda self, shapes: (shapes, [shapes[0]], []),
    )
    w, b, c = (mx.sym.var(name) for name in "wbc")
    net = mx.sym.Group([mx.sym.Custom(w, b, op_type="test_open"), w + c])
    arguments, outputs, _ = net.infer_shape(b=(4, 5), c=(4, 5))
    assert outputs == [(4, 5), (4, 5)] and arguments == [(4, 5)] * 3
