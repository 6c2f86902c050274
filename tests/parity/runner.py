"""Run a case against any module that speaks MXNet's Python names; knows neither mxnet nor mixgrad."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Array, Case


class Missing(Exception):
    """The module under test has no such operator."""


# Modules of operators of NumPy's namespace, by their prefix.
NUMPY = {"_npi_": ("numpy", "_internal"), "_npx_": ("numpy_extension", "_op"), "_np_": ("numpy", "_op")}


def is_numpy(name: str) -> bool:
    """Whether an operator is of NumPy's namespace."""
    return name.startswith(tuple(NUMPY))


def find(mx: Any, name: str) -> Callable[..., Any]:
    """Look an operator up the way a user would spell it."""
    if name.startswith("operator."):
        return getattr(operator, name[len("operator.") :])  # type: ignore[no-any-return]
    if name.startswith("method."):
        return lambda data, *args, **params: getattr(data, name[len("method.") :])(*args, **params)
    spaces = [mx.nd]
    module, _, rest = name.partition(".")
    if is_numpy(name) and hasattr(mx.nd, "numpy"):  # real MXNet has them there, without their prefix
        prefix = name[: name.index("_", 1) + 1]
        home, inner = NUMPY[prefix]
        spaces, name = [getattr(getattr(mx.nd, home), inner)], name[len(prefix) :]
        return getattr(spaces[0], name)  # type: ignore[no-any-return]
    if module in ("random", "linalg", "contrib", "image", "sparse"):
        spaces, name = [getattr(mx.nd, module, None)], rest
    else:
        spaces += [getattr(mx.nd, space, None) for space in ("_internal", "op")]
    for space in spaces:
        if space is not None and hasattr(space, name):
            return getattr(space, name)  # type: ignore[no-any-return]
    raise Missing(name)


def _moments(array: Array) -> Array:
    wide = array.astype("float64")
    return np.array([wide.mean(), wide.std()])


def run(mx: Any, case: Case) -> dict[str, Array]:
    """Run one case; the result maps ``out0``, ``grad1``, ``state2``... to arrays.

    Raises whatever the module raises, and `Missing` when it has no such operator.
    """
    call = find(mx, case.op)
    if not is_numpy(case.op):
        return _run(mx, case, call, mx.nd.array)
    with mx.util.np_shape(True), mx.util.np_array(True):
        return _run(mx, case, call, mx.np.array if hasattr(mx, "np") else mx.nd.array)


def _run(mx: Any, case: Case, call: Callable[..., Any], array: Callable[..., Any]) -> dict[str, Array]:
    specs = case.inputs
    arrays = [array(a, dtype=a.dtype) for a in case.build()]
    positional = [a for a, spec in zip(arrays, specs) if not spec.name]
    params = dict(case.params) | {spec.name: a for a, spec in zip(arrays, specs) if spec.name}
    if case.out >= 0:
        params["out"] = arrays[case.out]
    if case.outs:
        params["out"] = [arrays[i] for i in case.outs]
    for i in case.grad:
        arrays[i].attach_grad()

    result: dict[str, Array] = {}
    if case.moments:
        mx.random.seed(11)
    if case.grad:
        with mx.autograd.record(train_mode=case.train):
            outputs = call(*positional, *case.args, **params)
        outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
        chosen = [outputs[i] for i in case.heads]
        heads = [array(case.head(i, o.shape, o.dtype), dtype=o.dtype) for i, o in zip(case.heads, chosen)]
        mx.autograd.backward(chosen, heads)
    else:
        outputs = call(*positional, *case.args, **params)
        outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
    for i, output in enumerate(outputs):
        value = output.asnumpy()
        result[f"out{i}"] = value
        if case.moments:
            result[f"out{i}"] = _moments(value)
            result[f"shape{i}"] = np.array(value.shape, "int64")
            result[f"dtype{i}"] = np.array(value.dtype.name)
    for i in case.grad:
        result[f"grad{i}"] = arrays[i].grad.asnumpy()
    for i in case.state:
        result[f"state{i}"] = arrays[i].asnumpy()
    return result
