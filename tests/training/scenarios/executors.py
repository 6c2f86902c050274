"""Executors: gradient requests, heads, shapes, watchers, states, names."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

TOLERANCE = 1e-4


def _conv_net(mx: Any) -> Any:
    x = mx.sym.Variable("data")
    x = mx.sym.Convolution(x, kernel=(3, 3), pad=(1, 1), num_filter=4, name="conv")
    x = mx.sym.BatchNorm(x, name="bn", fix_gamma=False)
    x = mx.sym.Activation(x, act_type="relu", name="relu")
    x = mx.sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="max", name="pool")
    x = mx.sym.FullyConnected(x, num_hidden=3, name="fc")
    return mx.sym.SoftmaxOutput(x, name="softmax")


def _fill(mx: Any, exe: Any, seed: int = 3) -> Any:
    rng = np.random.RandomState(seed)
    for name, array in sorted(exe.arg_dict.items()):
        label = name.endswith("label")
        array[:] = mx.nd.array(rng.randint(0, 3, array.shape) if label else rng.randn(*array.shape))
    for name, array in sorted(exe.aux_dict.items()):
        array[:] = mx.nd.array(rng.rand(*array.shape) + (0.5 if name.endswith("var") else 0))
    return exe


def _shown(arrays: Any) -> Any:
    if isinstance(arrays, dict):
        return {k: None if v is None else v.asnumpy().tolist() for k, v in arrays.items()}
    return [None if a is None else a.asnumpy().tolist() for a in arrays]


REQUESTS_CASES = ["write", "add", "null", "mixed", "list"]


def requests(mx: Any, case: str) -> Any:
    net = _conv_net(mx)
    names = net.list_arguments()
    given: Any = case
    if case == "mixed":
        given = {name: ("write", "add")[i % 2] for i, name in enumerate(names)} | {"data": "null"}
    if case == "list":
        given = ["null" if name in ("data", "softmax_label") else "write" for name in names]
    exe = _fill(mx, net.simple_bind(mx.cpu(), grad_req=given, data=(2, 1, 4, 4)))
    for array in exe.grad_arrays:
        if array is not None:
            array[:] = 0.5
    for _ in range(3):
        exe.forward(is_train=True)
        exe.backward()
    # MXNet does not write the label's gradient, and without any gradient it moves no averages.
    found = {k: v for k, v in exe.grad_dict.items() if k != "softmax_label"}
    return [_shown(found), _shown([] if case == "null" else exe.aux_arrays), _shown(exe.outputs)]


HEADS_CASES = ["list", "one", "dict"]


def heads(mx: Any, case: str) -> Any:
    x, w = mx.sym.Variable("x"), mx.sym.Variable("w")
    hidden = mx.sym.broadcast_mul(x, w, name="hidden")
    net = mx.sym.Group([mx.sym.tanh(hidden, name="a"), mx.sym.BlockGrad(hidden, name="b"), x, hidden])
    if case == "one":
        net = mx.sym.tanh(hidden, name="a")
    exe = _fill(mx, net.simple_bind(mx.cpu(), x=(2, 3), w=(1, 3)))
    outputs = exe.forward(is_train=True)
    grads = [mx.nd.array(np.full(o.shape, i + 1.0)) for i, o in enumerate(outputs)]
    if case == "dict":
        exe.backward(dict(zip(net.list_outputs(), grads)))
    else:
        exe.backward(grads[0] if case == "one" else grads)
    return [_shown(exe.grad_dict), _shown(exe.output_dict), net.list_outputs()]


def loss_beside_value(mx: Any) -> Any:
    x = mx.sym.Variable("x")
    value = mx.sym.square(x, name="value")
    loss = mx.sym.MakeLoss(mx.sym.sum(value, axis=1), grad_scale=0.5, name="loss")
    soft = mx.sym.SoftmaxOutput(x, name="softmax", grad_scale=2.0)
    exe = _fill(mx, mx.sym.Group([value, loss, soft]).simple_bind(mx.cpu(), x=(2, 3)))
    exe.forward(is_train=True)
    exe.backward([mx.nd.ones((2, 3)), mx.nd.zeros((2,)), mx.nd.zeros((2, 3))])
    return [_shown(exe.grad_dict), _shown(exe.outputs)]


def several_backwards_of_outputs_used_twice(mx: Any) -> Any:
    x = mx.sym.Variable("x")
    parts = mx.sym.SliceChannel(x, num_outputs=2, name="parts")
    net = mx.sym.Group(
        [
            mx.sym.elemwise_mul(parts[0], parts[1], name="product"),
            parts[0],
            mx.sym.Concat(parts[1], parts[0], dim=1, name="joined"),
        ]
    )
    exe = _fill(mx, net.simple_bind(mx.cpu(), grad_req="add", x=(2, 4)))
    exe.grad_dict["x"][:] = 1
    exe.forward(is_train=True)
    exe.backward([mx.nd.array(np.arange(o.size).reshape(o.shape)) for o in exe.outputs])
    return [_shown(exe.grad_dict), net.list_outputs()]


WATCHED_CASES = [(True, False), (True, True), (False, False), (False, True)]


def watched(mx: Any, case: Any) -> Any:
    training, everything = case
    exe = _fill(mx, _conv_net(mx).simple_bind(mx.cpu(), data=(2, 1, 4, 4)))
    seen: list[Any] = []

    def watch(name: Any, array: Any) -> None:
        if not hasattr(array, "asnumpy"):  # MXNet gives an address
            array = mx.nd.NDArray(ctypes.cast(array, ctypes.c_void_p), writable=False)
        text = name if isinstance(name, str) else name.decode()
        # Inputs without names in MXNet are called as the operator calls them.
        seen.append([text.replace("_input0", "_data"), float(np.abs(array.asnumpy()).sum())])

    exe.set_monitor_callback(watch, monitor_all=everything)
    exe.forward(is_train=training)
    hidden = ("bn_mean", "bn_var", "pool_workspace")  # which MXNet shows, too
    return [item for item in seen if item[0] not in hidden]


STATES_CASES = ["plain", "fixed", "global", "momentum"]


def states(mx: Any, case: str) -> Any:
    options = {
        "plain": {},
        "fixed": {"fix_gamma": True},
        "global": {"use_global_stats": True, "fix_gamma": False},
        "momentum": {"momentum": 0.3, "fix_gamma": False, "eps": 1e-2},
    }[case]
    net = mx.sym.BatchNorm(mx.sym.Variable("x"), name="bn", **options)
    exe = _fill(mx, net.simple_bind(mx.cpu(), x=(4, 3, 2)))
    found = []
    for training in (True, True, False):
        exe.forward(is_train=training)
        if training:
            exe.backward(mx.nd.array(np.arange(24).reshape(4, 3, 2)))
            found.append(_shown(exe.grad_dict))
        found.append([_shown(exe.outputs), _shown(exe.aux_dict)])
    return found


RESHAPED_CASES = ["smaller", "larger", "partial"]


def reshaped(mx: Any, case: str) -> Any:
    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=2, name="fc")
    exe = _fill(mx, net.simple_bind(mx.cpu(), data=(4, 3)))
    shape = {"smaller": (2, 3), "larger": (6, 3), "partial": (4, 2)}[case]
    other = exe.reshape(partial_shaping=case == "partial", allow_up_sizing=case != "smaller", data=shape)
    other.arg_dict["data"][:] = 1
    if case == "partial":
        other.arg_dict["fc_weight"][:] = 2
    other.forward(is_train=True)
    other.backward(mx.nd.ones((shape[0], 2)))
    shapes = {name: list(array.shape) for name, array in other.arg_dict.items()}
    return [shapes, _shown(other.outputs), _shown(other.grad_dict), _shown({"b": exe.arg_dict["fc_bias"]})]


def partial_shapes(mx: Any) -> Any:
    x = mx.sym.Variable("x")
    net = mx.sym.FullyConnected(mx.sym.Flatten(x), num_hidden=4, name="fc") + mx.sym.Variable("y")
    listed = []
    for given in ({"x": (2, 3, 4)}, {"x": (2, 3, 4), "y": (2, 4)}):
        arguments, outputs, _ = net.infer_shape_partial(**given)
        listed.append([[list(s) if s else [] for s in arguments], [list(s) if s else [] for s in outputs]])
    return listed


def names(mx: Any) -> Any:
    exe = _conv_net(mx).simple_bind(mx.cpu(), grad_req={"fc_weight": "write"}, data=(2, 1, 4, 4))
    return [
        list(exe.arg_dict),
        [k for k, v in exe.grad_dict.items() if v is not None],
        list(exe.aux_dict),
        list(exe.output_dict),
        [list(o.shape) for o in exe.outputs],
    ]


def copied_params(mx: Any) -> Any:
    exe = _fill(mx, _conv_net(mx).simple_bind(mx.cpu(), data=(2, 1, 4, 4)))
    exe.copy_params_from(
        {"fc_bias": mx.nd.array([1, 2, 3]), "unknown": mx.nd.ones((1,))},
        {"bn_moving_mean": mx.nd.array([4, 5, 6, 7])},
        allow_extra_params=True,
    )
    refused = False
    try:
        exe.copy_params_from({"unknown": mx.nd.ones((1,))})
    except ValueError:
        refused = True
    return [_shown({"b": exe.arg_dict["fc_bias"], "m": exe.aux_dict["bn_moving_mean"]}), refused]


def forward_with_values(mx: Any) -> Any:
    net = mx.sym.Variable("a") * 2 + mx.sym.Variable("b")
    exe = net.simple_bind(mx.cpu(), a=(2,), b=(2,))
    first = exe.forward(a=mx.nd.array([1, 2]), b=mx.nd.array([3, 4]))[0].asnumpy().tolist()
    second = exe.forward(is_train=True, b=mx.nd.array([5, 6]))[0].asnumpy().tolist()
    return [first, second, _shown(exe.arg_dict)]


def bound_in_part(mx: Any) -> Any:
    net = mx.sym.dot(mx.sym.Variable("a"), mx.sym.Variable("b"), name="dot")
    args = {"a": mx.nd.array([[1, 2], [3, 4]]), "b": mx.nd.array([[5, 6], [7, 8]])}
    grads = {"b": mx.nd.zeros((2, 2))}
    exe = net.bind(mx.cpu(), args, args_grad=grads, grad_req="write")
    exe.forward(is_train=True)
    exe.backward(mx.nd.array([[1, 0], [0, 1]]))
    return [_shown(grads), _shown(exe.grad_dict)]


MODE_CASES = [True, False]


def mode(mx: Any, case: bool) -> Any:
    """BatchNorm's gradient tells in which mode backward ran."""
    net = mx.sym.BatchNorm(mx.sym.Variable("x"), name="bn", fix_gamma=False)
    exe = _fill(mx, net.simple_bind(mx.cpu(), x=(4, 3)))
    exe.forward(is_train=case)
    exe.backward(mx.nd.array(np.arange(12).reshape(4, 3)), is_train=case)
    return [_shown(exe.outputs), _shown(exe.grad_dict)]


def shared_executor(mx: Any) -> Any:
    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=2, name="fc")
    one = _fill(mx, net.simple_bind(mx.cpu(), data=(4, 3)))
    two = net.bind(
        mx.cpu(),
        {**one.arg_dict, "data": mx.nd.ones((2, 3))},
        args_grad=one.grad_dict | {"data": mx.nd.zeros((2, 3))},
        shared_exec=one,
    )
    one.forward(is_train=True)
    first = _shown(one.outputs)
    two.forward(is_train=True)
    two.backward(mx.nd.ones((2, 2)))
    return [first, _shown(two.outputs), _shown({"w": one.grad_dict["fc_weight"]})]


def module_inputs(mx: Any) -> Any:
    """Gradients of inputs, requests that add, another shape, two outputs."""
    x = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=3, name="fc")
    net = mx.sym.Group([mx.sym.SoftmaxOutput(x, name="softmax"), mx.sym.BlockGrad(x, name="seen")])
    mod = mx.mod.Module(net)
    mod.bind([("data", (4, 2))], [("softmax_label", (4,))], inputs_need_grad=True, grad_req="add")
    rng = np.random.RandomState(2)
    args = {"fc_weight": mx.nd.array(rng.randn(3, 2)), "fc_bias": mx.nd.array(rng.randn(3))}
    mod.init_params(arg_params=args, aux_params={}, allow_missing=False)
    batch = mx.io.DataBatch([mx.nd.array(rng.randn(4, 2))], [mx.nd.array([0, 1, 2, 1])])
    found = []
    for _ in range(2):
        mod.forward(batch, is_train=True)
        mod.backward()
        found.append(_shown(mod.get_input_grads()))
    mod.reshape([("data", (2, 2))], [("softmax_label", (2,))])
    small = mx.io.DataBatch([mx.nd.ones((2, 2))], [mx.nd.array([0, 1])])
    mod.forward(small, is_train=False)
    found.append(_shown(mod.get_outputs()))
    found.append([[name, list(shape)] for name, shape in mod.output_shapes])
    return found
