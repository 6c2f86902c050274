"""Small operations: what a call costs, on arrays of four floats."""

from __future__ import annotations

import importlib
from typing import Any, Callable

from bench.arrays import module_of, to_array
from bench.case import Call, Case, Goal, Setup
from bench.inputs import uniform

COUNT = 1000

Add = Callable[[Any, Any], Any]


def _arrays(key: str) -> tuple[Any, Any, Any]:
    module = importlib.import_module(module_of(key))
    return module, to_array(module, uniform(4, seed=1)), to_array(module, uniform(4, seed=2))


def _chain(a: Any, b: Any) -> Any:
    y = a
    for _ in range(COUNT):
        y = y + b
    return y


def _independent(a: Any, b: Any) -> Any:
    for _ in range(COUNT):
        y = a + b
    return y


def _plain(key: str, add: Add) -> Setup:
    def setup() -> Call:
        module, a, b = _arrays(key)

        def waiting() -> Any:
            y = add(a, b)
            if add is _chain:
                y.wait_to_read()
            else:
                module.nd.waitall()
            return y

        return waiting if module.__name__ in ("mixgrad", "mxnet") else lambda: add(a, b)

    return setup


def _numpy_names() -> Call:
    """By arrays of `mx.np`."""
    module: Any = importlib.import_module("mixgrad")
    a, b = (module.np.array(uniform(4, seed=seed)) for seed in (1, 2))

    def call() -> Any:
        y = _independent(a, b)
        module.nd.waitall()
        return y

    return call


def _recorded(key: str, add: Add) -> Setup:
    """The chain with its backward pass; independent operations without."""

    def mx_setup() -> Call:
        mx, a, b = _arrays(key)
        a.attach_grad()

        def call() -> Any:
            with mx.autograd.record():
                y = add(a, b)
            if add is not _chain:
                mx.nd.waitall()
                return y
            y.backward()
            a.grad.wait_to_read()
            return a.grad

        return call

    def torch_setup() -> Call:
        torch, a, b = _arrays(key)
        a.requires_grad_()
        ones = torch.ones(4)

        def call() -> Any:
            y = add(a, b)
            if add is not _chain:
                return y
            a.grad = None
            y.backward(ones)
            return a.grad

        return call

    return torch_setup if module_of(key) == "torch" else mx_setup


_PLAIN = ("mixgrad", "numpy", "torch", "mxnet", "mxnet_naive")
_RECORDED = ("mixgrad", "torch", "mxnet", "mxnet_naive")

CASES = [
    Case(
        "dispatch_chain",
        "y = y + b, 4 floats, 1,000 in a chain",
        {key: _plain(key, _chain) for key in _PLAIN},
        count=COUNT,
        unit="operation",
        goal=Goal(("torch",)),
    ),
    Case(
        "dispatch_independent",
        "a + b, 4 floats, independent",
        {key: _plain(key, _independent) for key in _PLAIN},
        count=COUNT,
        unit="operation",
        goal=Goal(("torch",)),
    ),
    Case(
        "numpy_plus",
        "a + b of mx.np, 4 floats; beside mx.nd",
        {"mixgrad": _numpy_names, "mixgrad_nd": _plain("mixgrad", _independent)},
        count=COUNT,
        unit="operation",
        goal=Goal(("mixgrad_nd",), ratio=1 / 1.2),
    ),
    Case(
        "dispatch_recorded_chain",
        "the chain, recorded, with its backward pass",
        {key: _recorded(key, _chain) for key in _RECORDED},
        count=COUNT,
        unit="operation",
        goal=Goal(("torch",)),
    ),
    Case(
        "dispatch_recorded_independent",
        "a + b, 4 floats, recorded, independent",
        {key: _recorded(key, _independent) for key in _RECORDED},
        count=COUNT,
        unit="operation",
        goal=Goal(("torch",)),
    ),
]
