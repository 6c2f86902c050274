"""Training through ``mx.mod`` and ``mx.model.FeedForward``: parameters, outputs, scores, lines in the log."""

from __future__ import annotations

import logging
import re
import warnings
from typing import Any

import numpy as np

from .callbacks import _logged

TOLERANCE = 2e-4


def _net(mx: Any, norm: bool = True) -> Any:
    x = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=6, name="fc1")
    if norm:
        x = mx.sym.BatchNorm(x, name="bn", fix_gamma=False, eps=1e-3)
    x = mx.sym.Activation(x, act_type="relu", name="act")
    x = mx.sym.FullyConnected(x, num_hidden=3, name="fc2")
    return mx.sym.SoftmaxOutput(x, name="softmax")


def _values(mx: Any, net: Any, **shapes: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Parameters that both packages get, and states."""
    rng = np.random.RandomState(5)
    arg_shapes, _, aux_shapes = net.infer_shape(**shapes)
    inputs = (*shapes, "softmax_label")
    args = {
        name: mx.nd.array(rng.randn(*shape) * 0.5)
        for name, shape in zip(net.list_arguments(), arg_shapes)
        if name not in inputs
    }
    auxs = {
        name: mx.nd.array(np.ones(shape) if name.endswith("var") else np.zeros(shape))
        for name, shape in zip(net.list_auxiliary_states(), aux_shapes)
    }
    return args, auxs


def _data(rows: int = 48) -> tuple[Any, Any]:
    rng = np.random.RandomState(1)
    x = rng.randn(rows, 5).astype("float32")
    return x, (x[:, :3] + 0.3 * rng.randn(rows, 3)).argmax(1).astype("float32")


def _iter(mx: Any, batch: int = 8, rows: int = 48, **options: Any) -> Any:
    return mx.io.NDArrayIter(*_data(rows), batch, **options)


def _lists(params: Any) -> Any:
    return [{name: value.asnumpy().tolist() for name, value in part.items()} for part in params]


def _contexts(mx: Any, count: int) -> Any:
    return [mx.cpu(i) for i in range(count)]


FIT_CASES = [
    (1, "local", "sgd"),
    (1, "none", "adam"),
    (2, "local", "sgd"),
    (2, "device", "sgd"),
    (2, "device", "adam"),
    (3, "none", "sgd"),
    (3, "local", "rmsprop"),
]


def fit(mx: Any, case: Any) -> Any:
    devices, kvstore, optimizer = case
    # A bias before a normalisation has no gradient but noise, which adaptive rates would enlarge.
    net = _net(mx, norm=optimizer == "sgd")
    args, auxs = _values(mx, net, data=(8, 5))
    mod = mx.mod.Module(net, context=_contexts(mx, devices))
    options = {"learning_rate": 0.1 if optimizer == "sgd" else 0.01, "wd": 0.01}
    if optimizer == "sgd":
        options["momentum"] = 0.9
    data = _iter(mx, 9 if devices == 3 else 8)
    lines = _logged(
        lambda: mod.fit(
            data,
            eval_data=_iter(mx, 9 if devices == 3 else 8, rows=27),
            eval_metric=["acc", "ce"],
            kvstore=None if kvstore == "none" else kvstore,
            optimizer=optimizer,
            optimizer_params=options,
            arg_params=args,
            aux_params=auxs,
            num_epoch=3,
        )
    )
    lines = [re.sub(r"=[\d.]+$", "=N", line) for line in lines if "already" not in line]
    scores = [[name, float(value)] for name, value in mod.score(data, ["acc", "ce"])]
    return [_lists(mod.get_params()), scores, mod.predict(data).asnumpy().tolist(), lines]


def by_hand(mx: Any) -> Any:
    """Steps, gradients of the data, other batch sizes, added gradients, fixed parameters."""
    net = _net(mx, norm=False)
    args, auxs = _values(mx, net, data=(8, 5))
    x, y = _data()
    out = []
    for devices in (1, 2):
        mod = mx.mod.Module(net, context=_contexts(mx, devices), fixed_param_names=["fc1_bias"])
        mod.bind([("data", (8, 5))], [("softmax_label", (8,))], inputs_need_grad=True)
        mod.init_params(arg_params=args, aux_params=auxs)
        mod.init_optimizer(optimizer="sgd", optimizer_params=(("learning_rate", 0.5),), kvstore="device")
        for begin, size in ((0, 8), (8, 8), (16, 4), (20, 12), (32, 8)):
            batch = mx.io.DataBatch(
                [mx.nd.array(x[begin : begin + size])], [mx.nd.array(y[begin : begin + size])], pad=0
            )
            mod.forward(batch, is_train=True)
            mod.backward()
            out.append(mod.get_outputs()[0].asnumpy().tolist())
            out.append(mod.get_input_grads()[0].asnumpy().tolist())
            out.append([[o.shape[0] for o in parts] for parts in mod.get_outputs(merge_multi_context=False)])
            mod.update()
        out.append(_lists(mod.get_params()))
        out.append([mod.data_names, mod.label_names, mod.output_names])
        out.append([list(shape) for _, shape in mod.output_shapes])
    return out


def added_gradients(mx: Any) -> Any:
    net = _net(mx, norm=False)
    args, auxs = _values(mx, net, data=(8, 5))
    mod = mx.mod.Module(net)
    mod.bind([("data", (8, 5))], [("softmax_label", (8,))], grad_req="add")
    mod.init_params(arg_params=args, aux_params=auxs)
    mod.init_optimizer(optimizer_params={"learning_rate": 0.1})
    for batch in _iter(mx, rows=16):
        mod.forward_backward(batch)
    mod.update()
    return _lists(mod.get_params())


def head_gradients(mx: Any) -> Any:
    """A module without loss gets the gradients of its outputs."""
    x, _ = _data()
    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=3, name="fc")
    args, auxs = _values(mx, net, data=(8, 5))
    mod = mx.mod.Module(net, label_names=None, context=_contexts(mx, 2))
    mod.bind([("data", (8, 5))], inputs_need_grad=True)
    mod.init_params(arg_params=args, aux_params=auxs)
    mod.init_optimizer(optimizer_params={"learning_rate": 0.1})
    mod.forward(mx.io.DataBatch([mx.nd.array(x[:8])]))
    mod.backward([mx.nd.array(np.arange(24).reshape(8, 3))])
    mod.update()
    return [mod.get_input_grads()[0].asnumpy().tolist(), _lists(mod.get_params())]


def predictions(mx: Any) -> Any:
    net = _net(mx)
    args, auxs = _values(mx, net, data=(8, 5))
    mod = mx.mod.Module(net, context=_contexts(mx, 2))
    mod.bind([("data", (8, 5))], [("softmax_label", (8,))], for_training=False)
    mod.set_params(args, auxs)
    data = _iter(mx, rows=21)
    out = [mod.predict(data).asnumpy().tolist()]
    out.append([[o.asnumpy().tolist() for o in batch] for batch in mod.predict(data, merge_batches=False)])
    out.append([o.shape[0] for o in mod.predict(data, num_batch=2, always_output_list=True)])
    out.append([[i, outputs[0].shape[0], batch.pad] for outputs, i, batch in mod.iter_predict(data)])
    seen: list[Any] = []

    def each(param: Any) -> None:
        seen.append([param.epoch, param.nbatch, float(param.eval_metric.get()[1])])

    mod.score(data, "acc", num_batch=2, batch_end_callback=each, score_end_callback=[each, each], epoch=4)
    return [out, seen]


def buckets(mx: Any) -> Any:
    def graph(length: int) -> Any:
        x = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=4, name="fc1", flatten=False)
        x = mx.sym.sum(mx.sym.Activation(x, act_type="tanh"), axis=1)
        x = mx.sym.FullyConnected(x, num_hidden=3)
        return mx.sym.SoftmaxOutput(x, name="softmax"), ("data",), ("softmax_label",)

    rng = np.random.RandomState(2)

    def batch(length: int) -> Any:
        data = mx.nd.array(rng.randn(6, length, 5))
        label = mx.nd.array(rng.randint(0, 3, 6))
        return mx.io.DataBatch(
            [data],
            [label],
            pad=0,
            bucket_key=length,
            provide_data=[("data", data.shape)],
            provide_label=[("softmax_label", (6,))],
        )

    out = []
    for devices in (1, 2):
        mod = mx.mod.BucketingModule(graph, default_bucket_key=7, context=_contexts(mx, devices))
        mod.bind([("data", (6, 7, 5))], [("softmax_label", (6,))])
        mod.init_params(mx.init.One())
        mod.init_optimizer(optimizer_params={"learning_rate": 0.05, "momentum": 0.5}, kvstore="device")
        metric = mx.metric.CrossEntropy()
        for length in (7, 3, 5, 3, 7, 2):
            current = batch(length)
            mod.prepare(current)
            mod.forward_backward(current)
            mod.update()
            mod.update_metric(metric, current.label)
        out.append([sorted(p.asnumpy().tolist() for p in mod.get_params()[0].values() if p.ndim == 1)])
        out.append([float(metric.get()[1]), mod.get_outputs()[0].asnumpy().tolist()])
    return out


def sequence(mx: Any) -> Any:
    first = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=4, name="fc1")
    last = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=3, name="fc2")
    out = []
    for python_loss in (False, True):
        mod = mx.mod.SequentialModule()
        mod.add(mx.mod.Module(first, label_names=None))
        if python_loss:

            def gradient(scores: Any, labels: Any) -> Any:
                exp = np.exp(scores.asnumpy())
                grad = exp / exp.sum(1, keepdims=True)
                grad[np.arange(len(grad)), labels.asnumpy().astype(int)] -= 1
                return grad

            mod.add(mx.mod.Module(last, label_names=None), auto_wiring=True)
            mod.add(mx.mod.PythonLossModule(grad_func=gradient), take_labels=True, auto_wiring=True)
        else:
            loss = mx.sym.SoftmaxOutput(last, name="softmax")
            mod.add(mx.mod.Module(loss), take_labels=True, auto_wiring=True)
        mod.bind([("data", (8, 5))], [("softmax_label", (8,))])
        args, _ = _values(mx, last, data=(8, 4))
        more, _ = _values(mx, first, data=(8, 5))
        mod.init_params(arg_params={**args, **more})
        mod.init_optimizer(optimizer_params={"learning_rate": 0.1, "rescale_grad": 1 / 8})
        metric = mx.metric.Accuracy()
        for batch in _iter(mx):
            mod.forward_backward(batch)
            mod.update()
            mod.update_metric(metric, batch.label)
        out.append([_lists(mod.get_params()), float(metric.get()[1])])
    return out


def states(mx: Any) -> Any:
    """An input that no batch brings."""
    state = mx.sym.Variable("state")
    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=3, name="fc") + state
    args, auxs = _values(mx, net, data=(8, 5), state=(8, 3))
    mod = mx.mod.Module(net, label_names=None, state_names=["state"], context=_contexts(mx, 2))
    mod.bind([("data", (8, 5))], for_training=False)
    mod.init_params(arg_params=args, aux_params=auxs)
    batch = mx.io.DataBatch([mx.nd.array(_data()[0][:8])])
    out = []
    for value in (0, 2.5):
        mod.set_states(value=value)
        mod.forward(batch)
        out.append(mod.get_outputs()[0].asnumpy().tolist())
    mod.set_states(states=[[mx.nd.ones((4, 3)), mx.nd.ones((4, 3)) * 2]])
    mod.forward(batch)
    out.append(mod.get_outputs()[0].asnumpy().tolist())
    out.append([[s.asnumpy().tolist() for s in row] for row in mod.get_states(merge_multi_context=False)])
    return out


def grouped(mx: Any) -> Any:
    """A network whose layers lie on two devices."""
    with mx.AttrScope(ctx_group="first"):
        x = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=6, name="fc1")
        x = mx.sym.Activation(x, act_type="tanh")
    with mx.AttrScope(ctx_group="last"):
        net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(x, num_hidden=3, name="fc2"), name="softmax")
    args, auxs = _values(mx, net, data=(8, 5))
    mod = mx.mod.Module(net, context=mx.cpu(0), group2ctxs={"first": mx.cpu(1), "last": [mx.cpu(2)]})
    mod.bind([("data", (8, 5))], [("softmax_label", (8,))], inputs_need_grad=True)
    mod.init_params(arg_params=args, aux_params=auxs)
    mod.init_optimizer(optimizer_params={"learning_rate": 0.5, "momentum": 0.9})
    out = []
    for batch in _iter(mx):
        mod.forward_backward(batch)
        mod.update()
        out.append([mod.get_outputs()[0].asnumpy().tolist(), mod.get_input_grads()[0].asnumpy().tolist()])
    return [out, _lists(mod.get_params())]


def monitored(mx: Any) -> Any:
    net = _net(mx, norm=False)
    args, auxs = _values(mx, net, data=(8, 5))
    mod = mx.mod.Module(net)
    mod.bind([("data", (8, 5))], [("softmax_label", (8,))])
    mon = mx.mon.Monitor(2, pattern=".*(output|weight)", sort=True)
    mod.install_monitor(mon)
    mod.init_params(arg_params=args, aux_params=auxs)
    out = []
    for batch in _iter(mx, rows=24):
        mon.tic()
        mod.forward(batch)
        out.append([[step, name, float(text.strip())] for step, name, text in mon.toc()])
    return out


FEEDFORWARD_CASES = [(1, "local"), (2, "local"), (2, "device")]


def feedforward(mx: Any, case: Any) -> Any:
    devices, kvstore = case
    net = _net(mx)
    args, auxs = _values(mx, net, data=(8, 5))
    np.random.seed(3)  # noqa: NPY002
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = mx.model.FeedForward(
            net,
            ctx=_contexts(mx, devices),
            num_epoch=3,
            numpy_batch_size=8,
            arg_params=args,
            aux_params=auxs,
            learning_rate=0.1,
            momentum=0.9,
        )
    x, y = _data()
    epochs: list[Any] = []
    lines = _logged(
        lambda: model.fit(
            x,
            y,
            eval_data=(x[:24], y[:24]),
            kvstore=kvstore,
            epoch_end_callback=lambda epoch, net, arg, aux: epochs.append([epoch, sorted(arg), sorted(aux)]),
            batch_end_callback=mx.callback.log_train_metric(3),
            logger=logging,
        )
    )
    lines = [re.sub(r"Time cost=.*", "Time cost=N", line) for line in lines if not line.startswith("Start")]
    score = float(model.score(_iter(mx)))
    predicted = model.predict(x)
    parts = model.predict(_iter(mx, rows=21), return_data=True)
    return [
        _lists([model.arg_params, model.aux_params]),
        score,
        predicted.tolist(),
        [part.tolist() for part in parts],
        epochs,
        lines,
    ]
