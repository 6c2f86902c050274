"""Every operator's cases bound to a graph: the same outputs, states and gradients as calls on arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from test_operators import CASES, Run
from test_symbol_infer import Node, is_open

import mixgrad as mx
from mixgrad import _core

CHECKED = [c for c in CASES if not c.fails and c.inputs and not is_open(c) and c.dtypes[0] == "float32"]


def same(a: Any, b: Any) -> None:
    assert a.dtype == b.dtype
    np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("case", CHECKED, ids=lambda c: c.id)
def test_a_graph_gives_what_calls_give(case: Any) -> None:
    run = Run(case, "float32")
    info = run.operator.info
    eager, bound = run.arrays(), run.arrays()
    writes = set(run.operator.mutates)
    gradients = bool(info["has"]["gradient"]) and not writes - {3, 4} and case.grad is not False
    floats = [i for i, d in enumerate(run.dtypes) if d == "float32" and i not in writes]
    if gradients:
        for i in floats:
            eager[i].attach_grad()
    _core.seed(7)
    with mx.autograd.record(train_mode=gradients or case.training):
        outputs = run.operator(eager, case.params)
    symbol = mx.Symbol(Node(run).handle)
    by_name = {f"x{i}": array for i, array in enumerate(bound)}
    states = symbol.list_auxiliary_states()
    grads = {f"x{i}": mx.nd.zeros(bound[i].shape) for i in floats} if gradients else None
    executor = symbol.bind(
        mx.cpu(),
        {name: by_name[name] for name in symbol.list_arguments()},
        grads,
        dict.fromkeys(grads, "write") if grads else "null",
        {name: by_name[name] for name in states},
    )
    _core.seed(7)
    found = executor.forward(is_train=gradients or case.training)
    for a, b in zip(found, outputs):
        same(a, b)
    for name in states:
        same(by_name[name], eager[int(name[1:])])
    if not grads:
        return
    rng = np.random.default_rng(1)
    heads = [mx.nd.array(rng.uniform(0.5, 1.5, o.shape), dtype=o.dtype) for o in outputs]
    mx.autograd.backward(outputs, heads)
    executor.backward(heads)
    for i in floats:
        same(grads[f"x{i}"], eager[i].grad)
