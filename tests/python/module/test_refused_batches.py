"""Batches, buckets and parameters that do not fit: refused by name, and nothing is half done."""

from __future__ import annotations

from collections import namedtuple
from pathlib import Path
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
            mod.forward(wrong, is_train=train)  # scripts look at outputs so
            with pytest.raises(ValueError, match=r"\[backward\] the last batch came without softmax_label"):
                mod.backward()
        mod.forward(wrong, is_train=False)  # predicting takes it, and shapes may change
        assert mod.get_outputs()[0].shape == (wrong.data[0].shape[0], 3)
        mod.forward(wrong, is_train=True)
        with pytest.raises(ValueError, match="came without softmax_label"):  # after binding without labels
            mod.backward()


def test_labels_that_nobody_bound_are_left_out() -> None:
    mod, straight = ready(), ready()
    straight.set_params(*mod.get_params())
    mod.forward_backward(Batch([x()], [y(), mx.nd.array([7, 8, 9, 10])]))
    straight.forward_backward(Batch([x()], [y()]))
    for one in (mod, straight):
        one.update()
    np.testing.assert_array_equal(weights(mod), weights(straight))


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
    out = mod.get_outputs()[0].asnumpy()
    mod.forward(Batch([x(), y(), x()], None), is_train=False)  # and so is data
    np.testing.assert_array_equal(mod.get_outputs()[0].asnumpy(), out)


@pytest.mark.parametrize(
    ("batch", "match"),
    [
        (Batch([], [y()]), r"\[forward\] data of the batch has 0 arrays; expected 1: data"),
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


def test_batches_of_anything_can_be_shown() -> None:
    assert repr(Batch([[1, 2]], [y()])) == "<DataBatch: data shapes: ['list'] label shapes: [(4,)]>"
    assert repr(Batch(None)) == "<DataBatch: data shapes: None label shapes: None>"


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
    mod.backward([x(4, 3)] * 2)  # what comes after the last output's is left out


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
    mod.forward(Batch([x()]), is_train=True)
    with pytest.raises(ValueError, match="came without softmax_label"):
        mod.backward()
    loss = mx.mod.PythonLossModule(grad_func=lambda scores, labels: scores - labels)
    loss.bind([("data", (2,))], [("softmax_label", (2,))])
    with pytest.raises(ValueError, match=r"\[PythonLossModule.forward\] the batch has no label"):
        loss.forward(Batch([y(2)]))


# Buckets.


def bucket(key: Any) -> Any:
    h = mx.sym.mean(mx.sym.Variable("data"), axis=1)
    if key == 2:
        h = mx.sym.FullyConnected(h, num_hidden=2, name="extra")
    if key == 4:
        h = mx.sym.BatchNorm(h, name="bn", fix_gamma=True)
    h = mx.sym.FullyConnected(h, num_hidden=3, name="fc")
    return {
        6: 5,
        7: (h, ("data",)),
        8: mx.sym.Group([h, h * 1, h * 2]),
    }.get(key, (mx.sym.SoftmaxOutput(h, name="softmax"), ("data",), "softmax_label"))


def bucket_batch(key: Any, **options: Any) -> Any:
    length = key if isinstance(key, int) else 5
    shapes = {"provide_data": [("data", (4, length, 2))], "provide_label": [("softmax_label", (4,))]}
    return Batch([x(4, length, 2)], [y()], 0, bucket_key=key, **{**shapes, **options})


@pytest.mark.parametrize(
    ("batch", "match"),
    [
        (bucket_batch(2), r"\[BucketingModule.switch_bucket\] bucket 2 has the parameter 'extra_weight'"),
        (bucket_batch(4), r"bucket 4 has the parameter 'bn_gamma', and the default bucket 5 has not"),
        (bucket_batch(6), r"sym_gen\(6\) returned int; expected symbol, data_names, label_names"),
        (bucket_batch(7), r"sym_gen\(7\) returned a tuple of 2; expected symbol"),
        (bucket_batch(8), r"sym_gen\(8\) returned Symbol; expected symbol"),
        (bucket_batch(3, provide_data=None), "the batch of bucket 3 has no provide_data"),
        (bucket_batch([5]), r"bucket_key is list: \[5\]; expected what a dict takes as key"),
        (3, "data_batch is int; expected a DataBatch with a bucket_key"),
    ],
)  # fmt: skip
def test_buckets_that_are_refused(batch: Any, match: str, tmp_path: Path) -> None:
    mod = mx.mod.BucketingModule(bucket, 5)
    mod.bind(bucket_batch(5).provide_data, bucket_batch(5).provide_label)
    mod.init_params(mx.init.Xavier())
    mod.init_optimizer()
    mod.forward_backward(bucket_batch(5))
    with pytest.raises((ValueError, TypeError), match=match):
        mod.forward(batch, is_train=True)
    with pytest.raises((ValueError, TypeError), match=match):
        mod.prepare(batch)
    with pytest.raises(mx.MXNetError, match="nothing has run"):
        mod.backward()
    mod.forward_backward(bucket_batch(5, provide_data=None))  # bound already
    mod.forward_backward(bucket_batch(3))
    mod.update()
    mod.save_checkpoint(str(tmp_path / "net"), 1)
    assert sorted(params(mod)) == ["fc_bias", "fc_weight"]


def test_a_default_bucket_that_is_no_key() -> None:
    with pytest.raises(TypeError, match=r"\[BucketingModule\] default_bucket_key is list: \[5\]"):
        mx.mod.BucketingModule(bucket, [5])


# Parameters of another network, or of other inputs.


def test_a_checkpoint_for_other_inputs(tmp_path: Path) -> None:
    prefix = str(tmp_path / "net")
    ready().save_checkpoint(prefix, 1)
    mod = mx.mod.Module.load(prefix, 1)
    with pytest.raises(
        ValueError, match=r"\[Module.bind\] parameter 'fc_weight' .*\(3, 5\); expected \(3, 6\)"
    ):
        mod.bind([("data", (4, 6))], [("softmax_label", (4,))])
    with pytest.raises(ValueError, match="call bind first"):  # no half of it: it would predict with zeros
        mod.forward(Batch([x(4, 6)], [y()]))
    mod.bind([("data", (4, 5))], [("softmax_label", (4,))])
    mod.forward(Batch([x()]), is_train=False)


@pytest.mark.parametrize("allow_missing", [False, True])
def test_parameters_of_another_shape(allow_missing: bool) -> None:
    mod = ready()
    before = params(mod)
    wrong = {"fc_bias": mx.nd.ones((3,)) * 9, "fc_weight": mx.nd.ones((7, 6))}
    with pytest.raises(ValueError, match=r"params\] parameter 'fc_weight' .*\(7, 6\); expected \(3, 5\)"):
        mod.set_params(wrong, {}, allow_missing=allow_missing)
    with pytest.raises(TypeError, match=r"params\] parameter 'fc_bias' is ndarray; expected NDArray"):
        mod.set_params({**wrong, "fc_bias": np.ones(3)}, {}, allow_missing=allow_missing)
    after = params(mod)
    assert all((before[name] == after[name]).all() for name in before)


def test_executors_take_all_parameters_or_none() -> None:
    exe = net().simple_bind(mx.cpu(), data=(4, 5))
    with pytest.raises(
        ValueError, match=r"\[copy_params_from\] argument 'fc_weight' .*\(7, 6\); expected \(3, 5\)"
    ):
        exe.copy_params_from({"fc_bias": mx.nd.ones((3,)), "fc_weight": mx.nd.ones((7, 6))})
    assert (exe.arg_dict["fc_bias"].asnumpy() == 0).all()
    with pytest.raises(ValueError, match="fc_bias has shape"):
        exe.forward(data=mx.nd.ones((4, 5)), fc_bias=mx.nd.ones((4,)))
    assert (exe.arg_dict["data"].asnumpy() == 0).all()
    exe.forward(is_train=True)
    with pytest.raises(TypeError, match=r"\[backward\] out_grads is int; expected an NDArray"):
        exe.backward(5)


def model() -> Any:
    made = mx.model.FeedForward(net(), num_epoch=1, numpy_batch_size=4)
    made.fit(np.ones((8, 5)), np.ones(8))
    return made


def test_feedforward_with_other_features() -> None:
    made = model()
    for _ in range(2):  # the second time as the first
        with pytest.raises(
            ValueError,
            match=r"\[FeedForward.predict\] parameter 'fc_weight' .*\(3, 5\); expected \(3, 6\).* data ",
        ):
            made.predict(np.ones((4, 6)))
    assert made.predict(np.ones((4, 5))).shape == (4, 3)
    with pytest.raises(
        ValueError, match=r"\[FeedForward.fit\] parameter 'fc_weight' .*\(3, 5\); expected \(3, 6\)"
    ):
        made.fit(np.ones((8, 6)), np.ones(8))


class Lying(mx.io.DataIter):
    """Its batches are not those that it announces."""

    provide_data, provide_label = [("data", (4, 5))], [("softmax_label", (4,))]

    def next(self) -> Any:
        return Batch([x(3, 5)], [y(3)])


def test_iterators_that_announce_another_shape() -> None:
    made = model()
    for call in (made.predict, made.score, mx.model.FeedForward(net(), num_epoch=1).fit):
        with pytest.raises(ValueError, match=r"'data' has shape \(3, 5\); expected \(4, 5\)"):
            call(Lying(4))


@pytest.mark.parametrize("devices", [1, 2])
def test_feedforward_measures_batches_of_another_size_whole(devices: int) -> None:
    made = mx.model.FeedForward(net(), ctx=[mx.cpu(i) for i in range(devices)], num_epoch=2)
    seen: list[Any] = []
    made.fit(
        mx.io.NDArrayIter(x(8, 5), y(8), 4),
        eval_data=mx.io.NDArrayIter(x(12, 5), y(12), 6),
        eval_end_callback=lambda param: seen.append(param.eval_metric.num_inst),
    )
    assert seen == [12, 12]


def test_fit_again_with_another_kind_of_labels() -> None:
    mod = mx.mod.Module(net())
    mod.fit(mx.io.NDArrayIter(np.ones((8, 5)), np.ones(8), 4), num_epoch=1)
    again = mx.io.NDArrayIter(np.ones((8, 5)), np.ones((8, 3)), 4)
    with pytest.raises(
        ValueError, match=r"'softmax_label' has shape \(4, 3\); expected \(4,\).*force_rebind=True"
    ):
        mod.fit(again, num_epoch=1)
    again = mx.io.NDArrayIter(np.ones((8, 6)), np.ones(8), 4)
    with pytest.raises(ValueError, match=r"need 'fc_weight' of shape \(3, 6\); the parameter has \(3, 5\)"):
        mod.fit(again, num_epoch=1)


# Arguments of the loops and files.


def test_epochs_that_are_no_numbers(tmp_path: Path) -> None:
    prefix = str(tmp_path / "ck")
    mod = ready()
    mod.save_checkpoint(prefix, 1)
    for wrong in ("x", None, 1.5):
        for call in (mx.model.load_checkpoint, mx.model.load_params, mx.mod.Module.load, mod.save_checkpoint):
            with pytest.raises(
                TypeError, match=r"_(checkpoint|params)\] epoch is .*; expected a whole number"
            ):
                call(prefix, wrong)
    with pytest.raises(TypeError, match=r"\[save_checkpoint\] epoch is str: 'x'; expected a whole number"):
        model().save(prefix, epoch="x")
    assert mx.model.load_checkpoint(prefix, np.int64(1))[0].list_outputs() == ["softmax_output"]


def test_callbacks_that_cannot_be_called() -> None:
    batches = mx.io.NDArrayIter(np.ones((8, 5)), np.ones(8), 4)
    seen: list[int] = []
    count = [lambda param: seen.append(param.nbatch), 5]
    for name in ("batch_end_callback", "epoch_end_callback", "eval_end_callback", "eval_batch_end_callback"):
        with pytest.raises(TypeError, match=rf"\[fit\] {name} is int: 5; expected a function"):
            mx.mod.Module(net()).fit(batches, num_epoch=1, **{name: count})
        with pytest.raises(TypeError, match=rf"\[FeedForward.fit\] {name} is int: 5; expected a function"):
            mx.model.FeedForward(net(), num_epoch=1).fit(batches, **{name: count})
    with pytest.raises(TypeError, match=r"\[score\] batch_end_callback is int: 5"):
        ready().score(batches, "acc", batch_end_callback=count)
    with pytest.raises(TypeError, match=r"\[FeedForward.score\] batch_end_callback is int: 5"):
        model().score(batches, batch_end_callback=count)
    assert not seen


def test_scores_of_two_arrays() -> None:
    examples, labels = np.random.RandomState(0).randn(8, 5), np.array([0, 1, 2, 0, 1, 2, 0, 1])
    mod, made = ready(), model()
    for who in (mod, made):
        accuracy, entropy = who.score((examples, labels), "acc"), who.score((examples, labels), "ce")
        assert accuracy != entropy
        assert who.score(examples, labels) == accuracy
        assert (
            who.score(examples, labels, "acc") == who.score(examples, labels, eval_metric="acc") == accuracy
        )
        assert who.score(examples, labels, "ce") == who.score(examples, labels, eval_metric="ce") == entropy
        assert who.score(examples, labels, None) == who.score(examples, labels, 3) == accuracy
    assert mod.score(eval_data=examples, eval_metric=labels) == mod.score((examples, labels), "acc")


def test_descriptions_and_metrics() -> None:
    for arguments, match in (
        (("x", 5), r"\[DataDesc\] shape is 5; expected a tuple"),
        (("x", "ab"), r"\[DataDesc\] got the shape 'ab'; expected whole numbers"),
        ((5, (1,)), r"\[DataDesc\] name is int: 5; expected text"),
    ):
        with pytest.raises(TypeError, match=match):
            mx.io.DataDesc(*arguments)
    assert mx.io.DataDesc("x", [np.int64(2), 3]).shape == [2, 3]
    with pytest.raises(TypeError, match=r"\[metric.np\] numpy_feval is int; expected a function"):
        mx.metric.np(5)
    with pytest.raises(TypeError, match=r"\[CustomMetric\] feval is int; expected a function"):
        mx.metric.CustomMetric(5)
