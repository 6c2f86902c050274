"""Symbols: outputs and gradients against expected ones, over dtypes and devices, and how long they take."""

# Tests seed NumPy's global generator (np.random.seed), so the helpers draw from it.
# ruff: noqa: NPY002

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, Callable

import numpy as np

from .. import ndarray as nd
from ..base import grad_reqs_of
from ..context import Context
from ..symbol import Symbol
from .compare import Tolerance, assert_almost_equal
from .environment import default_context
from .subject import Array, Location, named_values, subject_of, values

__all__ = [
    "check_speed",
    "check_symbol_consistency",
    "check_symbolic_backward",
    "check_symbolic_forward",
    "same_symbol_structure",
    "simple_forward",
]


def simple_forward(sym: Symbol, ctx: Context | None = None, is_train: bool = False, **inputs: Any) -> Any:
    """Return the outputs of a symbol as NumPy arrays, one array if there is one output.

    Parameters
    ----------
    sym : Symbol
        What runs.
    ctx : Context, optional
        Device.
    is_train : bool
        Whether in training mode.
    **inputs : numpy.ndarray or NDArray
        Its arguments by name.

    Examples
    --------
    >>> import mixgrad as mx
    >>> import numpy as np
    >>> mx.test_utils.simple_forward(mx.sym.square(mx.sym.var("x")), x=np.array([1.0, 3.0]))
    array([1., 9.], dtype=float32)
    """
    device = ctx or default_context()
    outputs = subject_of(sym, inputs).outputs(inputs_of(inputs), device, np.float32, is_train)
    return outputs[0] if len(outputs) == 1 else outputs


def inputs_of(given: Mapping[str, Any]) -> dict[str, Array]:
    """As NumPy arrays."""
    return {name: values(value) for name, value in given.items()}


def check_symbolic_forward(
    sym: Symbol,
    location: Location,
    expected: Location,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    aux_states: Location | None = None,
    ctx: Context | None = None,
    equal_nan: bool = False,
    dtype: Any = np.float32,
) -> list[nd.NDArray]:
    """Check the outputs of a symbol against expected ones; return them.

    Parameters
    ----------
    sym : Symbol
        What runs, not in training mode.
    location : list or dict of NDArray or numpy.ndarray
        Its arguments, in order or by name.
    expected : list or dict of NDArray or numpy.ndarray
        Outputs, in order or by name.
    rtol, atol : float or dict, optional
        Tolerances, by default those of the dtype.
    aux_states : list or dict of NDArray or numpy.ndarray, optional
        Auxiliary states; by default 0, and 1 for variances.
    ctx : Context, optional
        Device.
    equal_nan : bool
        Whether nan equals nan.
    dtype : dtype
        Of arguments and states; ``'asnumpy'`` keeps that of each.

    Examples
    --------
    >>> import mixgrad as mx
    >>> import numpy as np
    >>> net = mx.sym.var("a") * mx.sym.var("b")
    >>> outputs = mx.test_utils.check_symbolic_forward(net, [np.array([2]), np.array([3])], [np.array([6])])
    """
    subject = subject_of(sym, location, aux_states)
    outputs = subject.outputs(subject.inputs, ctx or default_context(), dtype, False)
    names = sym.list_outputs()
    wanted = named_values(expected, names, "check_symbolic_forward expected")
    for name, output in zip(names, outputs):
        if name in wanted:
            labels = (f"output '{name}'", "expected")
            assert_almost_equal(output, wanted[name], rtol, atol, labels, equal_nan)
    return [nd.array(output, dtype=output.dtype) for output in outputs]


def check_symbolic_backward(
    sym: Symbol,
    location: Location,
    out_grads: Any,
    expected: Location,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    aux_states: Location | None = None,
    grad_req: Any = "write",
    ctx: Context | None = None,
    grad_stypes: Any = None,
    equal_nan: bool = False,
    dtype: Any = np.float32,
) -> dict[str, nd.NDArray]:
    """Check the gradients of a symbol against expected ones; return them by name.

    Parameters
    ----------
    sym : Symbol
        What runs.
    location : list or dict of NDArray or numpy.ndarray
        Its arguments, in order or by name.
    out_grads : list or dict of NDArray or numpy.ndarray, or None
        Gradients of the outputs; None: 1 everywhere.
    expected : list or dict of NDArray or numpy.ndarray
        Gradients of the arguments, in order or by name.
    rtol, atol, aux_states, ctx, equal_nan, dtype
        See :func:`check_symbolic_forward`.
    grad_req : str, or list or dict of str
        ``'write'``, ``'add'`` (to random numbers) or ``'null'``, of all or of each.
    grad_stypes
        Only None and ``'default'`` exist.

    Examples
    --------
    >>> import mixgrad as mx
    >>> import numpy as np
    >>> one, two = np.array([1.0]), np.array([2.0])
    >>> net = mx.sym.var("a") * mx.sym.var("b")
    >>> found = mx.test_utils.check_symbolic_backward(net, [one, two], [one], {"a": two, "b": one})
    """
    if grad_stypes not in (None, "default"):
        raise ValueError(f"[check_symbolic_backward] grad_stypes is {grad_stypes!r}; only 'default' exists")
    subject = subject_of(sym, location, aux_states)
    arguments, outputs = sym.list_arguments(), sym.list_outputs()
    requests = dict(zip(arguments, grad_reqs_of(grad_req, arguments, "check_symbolic_backward")))
    wanted = named_values(expected, arguments, "check_symbolic_backward expected")
    starts = {
        name: np.random.normal(size=subject.inputs[name].shape)
        for name, request in requests.items()
        if request == "add"
    }

    def heads(found: list[Array]) -> list[Array]:
        if out_grads is None:
            return [np.ones(out.shape) for out in found]
        given = [out_grads] if isinstance(out_grads, (np.ndarray, nd.NDArray)) else out_grads
        if isinstance(given, (list, tuple)):
            given = given[: len(outputs)]  # executors leave out the rest, too
        named = named_values(given, outputs, "check_symbolic_backward out_grads")
        return [named[name] for name in outputs]

    device = ctx or default_context()
    _, gradients = subject.gradients(subject.inputs, requests, starts, heads, device, dtype, True)
    for name, value in wanted.items():
        request = requests.get(name, "null")
        if request != "null":
            added = starts[name].astype(gradients[name].dtype) if request == "add" else 0
            labels = (f"gradient of '{name}'", "expected")
            assert_almost_equal(gradients[name], value + added, rtol, atol, labels, equal_nan)
    return {name: nd.array(gradient, dtype=gradient.dtype) for name, gradient in gradients.items()}


def check_symbol_consistency(
    symbols: Sequence[Symbol],
    ctx_list: Sequence[Mapping[str, Any]],
    grad_req: Any,
    draw: Callable[[tuple[int, ...]], Array],
    given: tuple[Mapping[str, Any], Mapping[str, Any], Mapping[str, Any] | None],
    tolerances: tuple[Tolerance, Tolerance, bool, bool],
) -> dict[str, Array]:
    """Compare outputs and gradients of symbols, each bound as its entry of ``ctx_list`` says.

    ``given``: values of arguments and states, and the truth or None. ``tolerances``: rtol, atol, whether nan
    equals nan, whether differences are raised. See :func:`check_consistency`.
    """
    arguments, states, truth = given
    rtol, atol, equal_nan, raises = tolerances
    if len(symbols) != len(ctx_list):
        raise ValueError(
            f"[check_consistency] {len(symbols)} symbols for {len(ctx_list)} entries of ctx_list"
        )
    executors = [symbol.simple_bind(grad_req=grad_req, **entry) for symbol, entry in zip(symbols, ctx_list)]
    first = executors[0]
    numbers = {name: draw(array.shape) for name, array in first.arg_dict.items() if name not in arguments}
    numbers.update(inputs_of(arguments))
    # All see the same numbers: rounded to the least precise dtype first.
    kinds = [np.dtype(exe.outputs[0].dtype) for exe in executors]
    least = min(kinds, key=lambda kind: kind.itemsize)
    results = []
    for exe in executors:
        for name, array in exe.arg_dict.items():
            array[:] = nd.array(numbers[name].astype(least), ctx=array.context, dtype=array.dtype)
        for name, array in exe.aux_dict.items():
            array[:] = values(states[name]) if name in states else 0
        training = grad_req != "null"
        outputs = exe.forward(is_train=training)
        result = dict(zip(exe._symbol.list_outputs(), (values(out) for out in outputs)))
        if training:
            exe.backward([out.copy() for out in outputs])
            result.update(
                {f"grad_{name}": values(grad) for name, grad in exe.grad_dict.items() if grad is not None}
            )
        results.append(result)
    best = max(range(len(kinds)), key=lambda i: (kinds[i].itemsize, -i))
    right: dict[str, Array] = results[best] if truth is None else inputs_of(truth)
    for kind, result in zip(kinds, results):
        for name, value in result.items():
            if name not in right:
                continue
            try:
                assert_almost_equal(value, right[name], rtol, atol, (f"{name} in {kind}", "truth"), equal_nan)
            except AssertionError as error:
                if raises:
                    raise
                print(error)
    return right


def check_speed(
    sym: Symbol,
    location: Mapping[str, Any] | None = None,
    ctx: Context | None = None,
    N: int = 20,
    grad_req: str | None = None,
    typ: str = "whole",
    **kwargs: Any,
) -> float:
    """Return the seconds that one run of a symbol takes.

    Parameters
    ----------
    sym : Symbol
        What runs.
    location : dict of numpy.ndarray, optional
        Its arguments; by default random ones of the shapes in ``kwargs``.
    ctx : Context, optional
        Device.
    N : int
        Number of runs, after a first one that does not count.
    grad_req : str, optional
        Which gradients are computed; by default ``'write'``.
    typ : {'whole', 'forward'}
        Forward in training mode and backward, or forward alone.
    **kwargs
        Shapes, as of ``simple_bind``.
    """
    if typ not in ("whole", "forward"):
        raise ValueError(f"[check_speed] typ is {typ!r}; expected 'whole' or 'forward'")
    shapes = kwargs if location is None else {name: value.shape for name, value in location.items()}
    exe = sym.simple_bind(ctx or default_context(), grad_req=grad_req or "write", **shapes)
    for name, array in exe.arg_dict.items():
        array[:] = np.random.normal(size=array.shape) if location is None else location[name]

    def run() -> None:
        exe.forward(is_train=typ == "whole")
        if typ == "whole":
            exe.backward([out.copy() for out in exe.outputs])

    run()
    nd.waitall()
    began = time.perf_counter()
    for _ in range(N):
        run()
    nd.waitall()
    return (time.perf_counter() - began) / N


def same_symbol_structure(sym1: Symbol, sym2: Symbol) -> bool:
    """Whether two graphs have the same operators in the same places, whatever their names."""
    first, second = (json.loads(sym.tojson())["nodes"] for sym in (sym1, sym2))
    return len(first) == len(second) and all(
        a["op"] == b["op"] and a["inputs"] == b["inputs"] for a, b in zip(first, second)
    )
