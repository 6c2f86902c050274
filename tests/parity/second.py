"""Gradients of gradients: the operators for which real MXNet 1.9.1 has them, and what they are.

`python -m parity.second` (from tests/, with an interpreter that has mxnet) asks MXNet for each operator with
the cases of cases.py and keeps what it gives in second.npz, of at most MOST cases for each operator.
"""

from __future__ import annotations

import os
import zlib
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from .case import Array, Case
from .cases import CASES
from .counts import first_names, registered
from .runner import find, is_numpy
from .store import load, save

FILE = Path(__file__).with_name("second.npz")
MOST, MOST_ASKED = 2, 8
FLOATS = ("float32", "float64")


def differentiable(case: Case) -> tuple[int, ...]:
    """Positions of the inputs whose gradients are differentiated; none where the case is of other things."""
    if (
        case.error
        or case.moments
        or case.out >= 0
        or case.outs
        or case.state
        or case.op.startswith("method.")
    ):
        return ()
    if case.grad:
        return tuple(i for i in case.grad if case.inputs[i].dtype in FLOATS)
    return tuple(i for i, given in enumerate(case.inputs) if given.dtype in FLOATS and not given.name)


def run(mx: Any, case: Case) -> dict[str, Array]:
    """Derivatives of a weighed sum of the case's gradients; none where these are 0."""
    if not is_numpy(case.op):
        return _run(mx, case, mx.nd.array, lambda a: a)
    with mx.util.np_shape(True), mx.util.np_array(True):
        if not hasattr(mx, "np"):
            return _run(mx, case, mx.nd.array, lambda a: a)
        return _run(mx, case, mx.np.array, lambda a: a.as_np_ndarray())


def _run(mx: Any, case: Case, array: Any, same: Any) -> dict[str, Array]:
    call, seed = find(mx, case.op), zlib.crc32(case.name.encode()) % (1 << 31)
    arrays = [array(a, dtype=a.dtype) for a in case.build()]
    given = [a for a, spec in zip(arrays, case.inputs) if not spec.name]
    params = dict(case.params) | {s.name: a for a, s in zip(arrays, case.inputs) if s.name}
    which = [arrays[i] for i in differentiable(case)]

    def outputs() -> list[Any]:
        made = call(*given, *case.args, **params)
        made = list(made) if isinstance(made, (list, tuple)) else [made]
        return [made[i] for i in case.heads]

    heads = [array(case.head(i, o.shape, o.dtype), dtype=o.dtype) for i, o in zip(case.heads, outputs())]
    for a in which:
        a.attach_grad()
    with mx.autograd.record(train_mode=case.train):
        first = mx.autograd.grad(outputs(), which, heads, create_graph=True, retain_graph=True)
        # What a gradient does not depend on is reached through the products with 0.
        total = sum(((a * 0).sum().astype("float64") for a in which), start=0)
        for i, gradient in enumerate(map(same, first)):
            weight = np.random.RandomState(seed + 31 * (i + 1)).standard_normal(gradient.shape)
            total = total + (gradient * array(weight, dtype=gradient.dtype)).sum().astype("float64")
    if not any(gradient.asnumpy().any() for gradient in first):
        return {}
    total.backward()
    return {f"second{i}": a.grad.asnumpy() for i, a in zip(differentiable(case), which)}


@cache
def by_operator() -> dict[str, list[Case]]:
    """The cases that may have gradients of gradients, by the first name of the operator."""
    first, found = first_names(), dict[str, list[Case]]()
    for case in CASES:
        name = registered(case.op, len(case.inputs))
        if name and differentiable(case):
            found.setdefault(first[name], []).append(case)
    return found


# Operators whose answers here differ on purpose, and why.
WRONG_SIGN = "MXNet's have the wrong sign"
NO_DERIVATIVE = "what MXNet calls the gradient is not the derivative"
DIFFERENCES = {
    "_sparse_arccosh": WRONG_SIGN,
    "_sparse_arcsinh": WRONG_SIGN,
    "_npi_arccosh": WRONG_SIGN,
    "_npi_arcsinh": WRONG_SIGN,
    "_contrib_MultiBoxTarget": NO_DERIVATIVE,
    "_image_resize": NO_DERIVATIVE,
}


def names() -> list[str]:
    """The operators that have gradients of gradients in MXNet, by the first of their names."""
    there = load(FILE)
    return [op for op, cases in by_operator().items() if any(case.name in there for case in cases)]


def problems(mx: Any, op: str) -> list[str]:
    """Cases of an operator whose gradients of gradients differ from MXNet's."""
    there, wrong = load(FILE), []
    for case in by_operator()[op]:
        if case.name not in there:
            continue
        try:
            ours = run(mx, case)
        except Exception as error:
            wrong.append(f"{case.name}: {error}")
            continue
        for key, theirs in there[case.name].items():
            close = 1e-3 if theirs.dtype == "float32" else 1e-6
            if key not in ours or not np.allclose(ours[key], theirs, close, close, equal_nan=True):
                wrong.append(f"{case.name}: {key} is {ours.get(key)}, not {theirs}")
    return wrong


def write() -> None:
    """Ask MXNet; each case has a process."""
    import mxnet as mx

    results: dict[str, dict[str, Array]] = {}
    with TemporaryDirectory() as folder:
        part = Path(folder) / "part.npz"
        for op, cases in by_operator().items():
            there = 0
            for case in sorted(cases, key=lambda c: not c.grad)[:MOST_ASKED]:
                child = os.fork()
                if child == 0:
                    try:
                        found = run(mx, case)
                        save(part, {case.name: found})
                    except Exception as error:
                        print(op, case.name, str(error).strip().splitlines()[-1][:150], sep=": ", flush=True)
                        os._exit(1)
                    os._exit(0 if found else 2)
                if os.waitpid(child, 0)[1] == 0:
                    results.update(load(part))
                    there += 1
                if there == MOST:
                    break
    save(FILE, results)
    print(f"{len(results)} cases, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    write()
