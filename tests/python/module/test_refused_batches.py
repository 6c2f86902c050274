"""Batches, buckets and parameters that do not fit: refused by name, and nothing is half done."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
import pytest

import mixgrad as mx

Batch = mx.io.DataBatch


def net(hidden: int = 3, name: str = "fc") -> Any:
    x = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=hidden, name=name)
    return mx.sym.SoftmaxOutput(x, name="softmax")


def ready(devices: int = 1, features: int = 5, label: Any = (4,)) -> Any:
    mod = mx.mod.Module(net(), context=[mx.cpu(i) for i in range(devices)])
    mod.bind([("data", (4, features))], [("softmax_label", label)])
    mod.init_params(mx.init.Xavier())
    mod.init_optimizer(optimizer_params={"learning_rate": 0.5})
    return mod


def x(*shape: int) -> Any:
    return mx.nd.array(np.random.RandomState(0).randn(*(shape or (4, 5))))


def y(*shape: int) -> Any:
    return mx.nd.ones(shape or (4,))


def params(mod: Any) -> dict[str, Any]:
    return {name: value.asnumpy() for part in mod.get_params() for name, value in part.items()}


def weights(mod: Any) -> Any:
    return params(mod)["fc_weight"]


# Labels and counts.


@pytest.mark.parametrize("devices", [1, 2])
@pytest.mark.parametrize("label", [None, []])
def test_training_without_labels(devices: int, label: Any) -> None:
    mod = ready(devices)
    mod.forward_backward(Batch([x()], [y()]))
    for wrong in (Batch([x()], label), Batch([x(6, 5)], label)):
        for train in (True, None):
            with pytest.raises(ValueError, match=r"\[forward\] label .* 0 arrays; training needs softmax"):
                mod.forward(wrong, is_train=train)
        with pytest.raises(ValueError, match="nothing has run"):
            mod.backward()
        mod.forward(wrong, is_train=False)  # predicting takes it, and shapes may change
        assert mod.get_outputs()[0].shape == (wrong.data[0].shape[0], 3)
        with pytest.raises(ValueError, match="training needs softmax_label"):  # after binding without labels
            mod.forward(wrong, is_train=True)


def test_labels_after_predicting_without_in_the_same_shape() -> None:
    mod, straight = ready(), ready()
    straight.set_params(*mod.get_params())
    mod.forward(Batch([x(2, 5)]), is_train=False)
    for one in (mod, straight):
        one.forward_backward(Batch([x(2, 5)], [mx.nd.array([2, 1])]))
        one.update()
    np.testing.assert_array_equal(weights(mod), weights(straight))


def test_batches_that_are_no_databatch() -> None:
    mod = mx.mod.Module(net())
    mod.bind([("data", (4, 5))], for_training=False)
    mod.init_params()
    mod.forward(namedtuple("Batch", ["data"])([x()]), is_train=False)
    assert mod.get_outputs()[0].shape == (4, 3)
    mod.forward(Batch([x()], [y()]), is_train=False)  # labels that nothing is bound for are left out


@pytest.mark.parametrize(
    ("batch", "match"),
    [
        (Batch([x()] * 3, [y()]), r"\[forward\] data of the batch has 3 arrays; expected 1: data"),
        (Batch([], [y()]), r"\[forward\] data of the batch has 0 arrays; expected 1: data"),
        (Batch([x()], [y()] * 4), r"\[forward\] label of the batch has 4 arrays; expected 1: softmax_label"),
        (Batch([[1, 2]], [y()]), r"\[forward\] a batch holds list as 'data'; expected NDArray"),
        (Batch([x()], [3]), r"\[forward\] a batch holds int as 'softmax_label'; expected NDArray"),
        ([Batch([x()], [y()])] * 2, r"data_batch is a list of 2; expected 1"),
        ([], "data_batch is an empty list"),
    ],
)
@pytest.mark.parametrize("train", [True, False])
def test_counts_and_kinds(batch: Any, match: str, train: bool) -> None:
    mod = ready()
    with pytest.raises((ValueError, TypeError), match=match):
        mod.forward(batch, is_train=train)
    mod.forward_backward(Batch([x()], [y()]))


@pytest.mark.parametrize("devices", [1, 2])
def test_a_refused_batch_leaves_no_trace(devices: int) -> None:
    mod = ready(devices)
    good = Batch([x()], [y()])
    mod.forward_backward(good)
    before = mod._exec_group.execs[0].arg_dict["data"].asnumpy()
    with pytest.raises(ValueError, match=r"'softmax_label' has shape \(3,\); expected \(4,\).*force_rebind"):
        mod.forward(Batch([x() * 7], [y(3)]), is_train=True)
    np.testing.assert_array_equal(mod._exec_group.execs[0].arg_dict["data"].asnumpy(), before)
    with pytest.raises(mx.MXNetError, match="nothing has run"):
        mod.backward()
    mod.forward_backward(good)


def test_backward_before_forward_and_of_the_wrong_kind() -> None:
    mod = ready()
    with pytest.raises(mx.MXNetError, match="nothing has run"):
        mod.backward()
    mod.forward(Batch([x()], [y()]), is_train=True)
    with pytest.raises(TypeError, match=r"\[backward\] out_grads is int; expected an NDArray"):
        mod.backward(5)
    with pytest.raises(TypeError, match=r"\[backward\] out_grads is a list with int"):
        mod.backward([5])
    with pytest.raises(ValueError, match=r"\[backward\] out_grads has 2 arrays; expected 1: softmax_output"):
        mod.backward([x(4, 3)] * 2)
    mod.backward()


def test_chains() -> None:
    mod = mx.mod.SequentialModule()
    with pytest.raises(ValueError, match=r"\[SequentialModule.add\] module is this chain"):
        mod.add(mod)
    outer = mx.mod.SequentialModule().add(mod)
    with pytest.raises(ValueError, match=r"\[SequentialModule.add\] module is this chain"):
        mod.add(outer)
    first = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=5, name="first")
    mod.add(mx.mod.Module(first, label_names=None)).add(
        mx.mod.Module(net()), take_labels=True, auto_wiring=True
    )
    mod.bind([("data", (4, 5))], [("softmax_label", (4,))])
    mod.init_params()
    mod.forward_backward(Batch([x()], [y()]))
    with pytest.raises(ValueError, match="training needs softmax_label"):
        mod.forward(Batch([x()]), is_train=True)
    with pytest.raises(mx.MXNetError, match=r"\[SequentialModule.backward\] nothing has run"):
        mod.backward()
    loss = mx.mod.PythonLossModule(grad_func=lambda scores, labels: scores - labels)
    loss.bind([("data", (2,))], [("softmax_label", (2,))])
    with pytest.raises(ValueError, match=r"\[PythonLossModule.forward\] the batch has no label"):
        loss.forward(Batch([y(2)]))
