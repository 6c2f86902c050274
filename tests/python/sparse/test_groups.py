"""Graphs with sparse arrays on several devices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mixgrad as mx


def network() -> Any:
    with mx.AttrScope(ctx_group="a"):
        data = mx.sym.var("data", stype="csr")
        weight = mx.sym.var("weight", stype="row_sparse")
    with mx.AttrScope(ctx_group="b"):
        wide = mx.sym.sparse.dot(data, weight, name="wide")  # both operands come from the other device
        scale = mx.sym.var("scale")
    with mx.AttrScope(ctx_group="a"):
        net = mx.sym.broadcast_mul(wide, scale)
        return mx.sym.BatchNorm(net, fix_gamma=False, name="norm")


def results(groups: Any) -> Any:
    rng = np.random.RandomState(0)
    dense = rng.normal(size=(6, 8)) * (rng.rand(6, 8) < 0.3)
    net = network()
    exe = net.simple_bind(
        mx.cpu(0), grad_req="write", group2ctx=groups, data=(6, 8), weight=(8, 3), scale=(1, 3)
    )
    exe.arg_dict["data"][:] = mx.nd.array(dense).tostype("csr")
    exe.arg_dict["weight"][:] = mx.nd.array(rng.normal(size=(8, 3))).tostype("row_sparse")
    exe.arg_dict["scale"][:] = mx.nd.array(rng.normal(size=(1, 3)))
    exe.arg_dict["norm_gamma"][:] = 1
    out = exe.forward(is_train=True)[0]
    exe.backward(mx.nd.array(rng.normal(size=(6, 3))))
    assert exe.grad_dict["weight"].stype == "row_sparse"
    if groups:
        assert exe.arg_dict["weight"].context == groups["a"] == exe.grad_dict["weight"].context
        assert exe.arg_dict["scale"].context == groups["b"]
    grads = {name: exe.grad_dict[name].asnumpy() for name in ("weight", "scale", "norm_gamma")}
    return out.asnumpy(), exe.aux_dict["norm_moving_mean"].asnumpy(), grads


def test_groups_of_devices_change_nothing() -> None:
    one = results(None)
    two = results({"a": mx.cpu(1), "b": mx.cpu(2)})
    assert np.abs(one[1]).max() > 0 and np.abs(one[2]["weight"]).max() > 0
    np.testing.assert_allclose(one[0], two[0], rtol=1e-5)
    np.testing.assert_allclose(one[1], two[1], rtol=1e-5)
    for name, grad in one[2].items():
        np.testing.assert_allclose(grad, two[2][name], rtol=1e-4, atol=1e-6, err_msg=name)


def test_states_elsewhere_are_refused() -> None:
    net = network()
    arguments = {
        "data": mx.nd.sparse.zeros("csr", (6, 8)),
        "weight": mx.nd.ones((8, 3)),
        "scale": mx.nd.ones((1, 3)),
    }
    arguments.update(norm_gamma=mx.nd.ones((3,)), norm_beta=mx.nd.ones((3,)))
    states = {"norm_moving_mean": mx.nd.zeros((3,), mx.cpu(2)), "norm_moving_var": mx.nd.ones((3,))}
    exe = net.bind(mx.cpu(0), arguments, aux_states=states)
    exe.forward()
    with pytest.raises(ValueError, match=r"'norm' runs on cpu\(0\) but writes 'norm_moving_mean'.*cpu\(2\)"):
        exe.forward(is_train=True)
