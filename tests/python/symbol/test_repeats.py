"""The symbol of an executor without calls that stand twice."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import mixgrad as mx

A, B = mx.sym.var("a"), mx.sym.var("b")


def nodes(symbol: mx.sym.Symbol) -> list[str]:
    return [node["op"] for node in json.loads(symbol.tojson())["nodes"] if node["op"] != "null"]


def bound(net: mx.sym.Symbol) -> mx.executor.Executor:
    return net.simple_bind(mx.cpu(), **dict.fromkeys(net.list_arguments(), (2, 3)))


@pytest.mark.parametrize(
    ("net", "left"),
    [
        ((A + 1) + (A + 2), 3),
        ((A + B) * (A + B), 2),
        (((A + B) * B) + ((A + B) * B), 3),
        (mx.sym.Group([A * (A + 1), A * (A + 1)]), 3),
        (mx.sym.Group([mx.sym.exp(A), B, mx.sym.exp(A) + B]), 2),
        (mx.sym.Dropout(A) + mx.sym.Dropout(A), 3),
        (mx.sym.SliceChannel(A, num_outputs=3)[0] + mx.sym.SliceChannel(A, num_outputs=3)[2], 2),
        (mx.sym.sum(A, axis=0) * mx.sym.mean(A, axis=0) + mx.sym.sum(A, axis=0), 4),
    ],
)
def test_calls_left(net: mx.sym.Symbol, left: int) -> None:
    exe = bound(net)
    found = exe.get_optimized_symbol()
    assert len(nodes(found)) == left, nodes(found)
    assert found.list_arguments() == net.list_arguments()
    if "Dropout" not in nodes(net):
        values = {name: mx.nd.random.uniform(shape=(2, 3)) for name in net.list_arguments()}
        for ours, theirs in zip(bound(found).forward(**values), exe.forward(**values)):
            np.testing.assert_array_equal(ours.asnumpy(), theirs.asnumpy())


def test_states_are_not_shared() -> None:
    net = mx.sym.BatchNorm(A, name="x") + mx.sym.BatchNorm(A, name="y")
    exe = net.simple_bind(mx.cpu(), a=(2, 3))
    assert exe.get_optimized_symbol().list_auxiliary_states() == net.list_auxiliary_states()
    mean, var = mx.sym.var("mean"), mx.sym.var("var")
    gamma, beta = mx.sym.var("gamma"), mx.sym.var("beta")
    twice = [mx.sym.BatchNorm(A, gamma, beta, mean, var) for _ in range(2)]
    exe = mx.sym.Group(twice).simple_bind(mx.cpu(), a=(2, 3))
    assert nodes(exe.get_optimized_symbol()) == ["BatchNorm"] * 2


def test_switched_off() -> None:
    net = (A + B) * (A + B)
    with mx.passes.using("-common"):
        exe = bound(net)
    assert len(nodes(exe.get_optimized_symbol())) == 3
    script = """
import mixgrad as mx
a = mx.sym.var("a")
exe = (mx.sym.exp(a) + mx.sym.exp(a)).simple_bind(mx.cpu(), a=(2,))
assert "common" not in mx.passes.enabled() and "fold" in mx.passes.enabled()
assert len(exe.get_optimized_symbol().get_internals()) == 4
"""
    environment = {**os.environ, "MXNET_ELIMINATE_COMMON_EXPR": "0"}
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120, env=environment)
