"""Gradients against finite differences, and results compared over dtypes, devices and optimisers."""

# Tests seed NumPy's global generator (np.random.seed), so the helpers draw from it.
# ruff: noqa: NPY002

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Callable, Union

import numpy as np
import numpy.typing as npt

from .. import autograd
from .. import ndarray as nd
from ..context import Context
from ..ndarray import NDArray
from ..optimizer import Optimizer
from .compare import (
    Tolerance,
    assert_almost_equal,
    compare_ndarray_tuple,
    default_atols,
    default_numeric_eps,
    default_rtols,
    get_tolerance,
)
from .environment import default_context

__all__ = ["check_consistency", "check_numeric_gradient", "compare_optimizer", "numeric_grad"]

Array = npt.NDArray[Any]
Location = Union[Sequence[Any], Mapping[str, Any]]
Function = Callable[..., Any]


class _Call:
    """A function with named or positional inputs, made into a function of a dict of arrays."""

    def __init__(self, function: Function, location: Location) -> None:
        if not callable(function):
            raise TypeError(f"[test_utils] expected a function of arrays, got {type(function).__name__}")
        self._function = function
        self._named = isinstance(location, Mapping)
        items = location.items() if isinstance(location, Mapping) else enumerate(location)
        self.inputs = {str(name): _values(value) for name, value in items}

    def __call__(self, arrays: Mapping[str, NDArray]) -> list[NDArray]:
        result = self._function(**arrays) if self._named else self._function(*arrays.values())
        return list(result) if isinstance(result, (list, tuple)) else [result]


def _values(value: Any) -> Array:
    return value.asnumpy() if isinstance(value, NDArray) else np.asarray(value)


def numeric_grad(
    function: Callable[[Mapping[str, Array]], float], location: Mapping[str, Array], eps: float = 1e-4
) -> dict[str, Array]:
    """Return the gradient of a scalar function by central differences.

    Parameters
    ----------
    function : callable
        Maps the inputs to a number.
    location : dict of str to numpy.ndarray
        Inputs of any shapes; each element costs two calls.
    eps : float
        Distance between the two points of a difference.

    Returns
    -------
    dict of str to numpy.ndarray
        Gradients in float64, shaped like the inputs.

    Examples
    --------
    >>> import numpy as np
    >>> from mixgrad import test_utils
    >>> grads = test_utils.numeric_grad(lambda x: float((x["x"] ** 2).sum()), {"x": np.array([1.0, -2.0])})
    >>> grads["x"].round(6).tolist()
    [2.0, -4.0]
    """
    moved = {name: np.array(value) for name, value in location.items()}
    grads = {}
    for name, value in moved.items():
        grad = np.zeros(value.shape)
        for at in np.ndindex(*value.shape):
            before = value[at]
            value[at] = before + eps / 2
            upper, above = function(moved), float(value[at])
            value[at] = before - eps / 2
            lower, below = function(moved), float(value[at])
            value[at] = before
            # The two points as stored: in low precision their distance is not exactly eps.
            grad[at] = (upper - lower) / (above - below)
        grads[name] = grad
    return grads


def check_numeric_gradient(
    sym: Function,
    location: Location,
    *,
    numeric_eps: float | None = None,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    grad_nodes: Sequence[str | int] | Mapping[str, str] | None = None,
    use_forward_train: bool = True,
    ctx: Context | None = None,
    dtype: Any = np.float32,
) -> None:
    """Check recorded gradients of a function against finite differences.

    The outputs are multiplied by random numbers and added up, so one backward pass checks all of them.

    Parameters
    ----------
    sym : callable
        A function of arrays that returns an array or a list of them, computed the same way at every call.
    location : list or dict of NDArray or numpy.ndarray
        Its inputs, by position or by name.
    numeric_eps : float, optional
        Step of the differences (:func:`default_numeric_eps`).
    rtol, atol : float or dict, optional
        Tolerances, by default those of the dtype.
    grad_nodes : list of str or int, or dict of str to str, optional
        Which inputs to check, by default all; a dict gives ``'write'``, ``'add'`` or ``'null'`` for each.
    use_forward_train : bool
        Whether the function runs in training mode.
    ctx : Context, optional
        Device.
    dtype : type
        Dtype of the inputs: float32 or float64.

    Raises
    ------
    AssertionError
        Names the input, the place and both values.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.test_utils.check_numeric_gradient(lambda x, y: x * y, [mx.nd.ones((2, 2)), mx.nd.ones((2, 2))])
    """
    call = _Call(sym, location)
    device = ctx or default_context()
    kind = np.dtype(dtype)
    if kind.kind != "f" or kind.itemsize < 4:
        raise TypeError(f"[check_numeric_gradient] dtype must be float32 or float64, got {kind}")
    inputs = {name: value.astype(kind) for name, value in call.inputs.items()}
    requests = _requests(inputs, grad_nodes)

    arrays = _place(inputs, device, kind)
    starts = {}
    for name, request in requests.items():
        arrays[name].attach_grad(grad_req=request)
        if request == "add":
            starts[name] = np.random.normal(size=inputs[name].shape).astype(kind)
            arrays[name].grad[:] = nd.array(starts[name], ctx=device, dtype=kind)
    with autograd.record(train_mode=use_forward_train):
        outputs = call(arrays)
    weights = [np.random.uniform(0.5, 1.5, size=out.shape).astype(kind) for out in outputs]
    autograd.backward(outputs, [nd.array(w, ctx=device, dtype=kind) for w in weights])

    def scalar(moved: Mapping[str, Array]) -> float:
        placed = _place({**inputs, **moved}, device, kind)
        with autograd.pause(train_mode=use_forward_train):
            results = call(placed)
        return float(sum((_values(out).astype(np.float64) * w).sum() for out, w in zip(results, weights)))

    eps = default_numeric_eps()[kind] if numeric_eps is None else numeric_eps
    wanted = {name: inputs[name] for name, request in requests.items() if request != "null"}
    relative = get_tolerance(np.empty(0, kind), rtol, default_rtols())
    absolute = get_tolerance(np.empty(0, kind), atol, default_atols())
    for name, numeric in numeric_grad(scalar, wanted, eps).items():
        recorded = _values(arrays[name].grad).astype(np.float64) - starts.get(name, 0.0)
        names = (f"recorded gradient of '{name}'", "finite differences")
        assert_almost_equal(recorded, numeric, relative, absolute, names, use_broadcast=False)


def _requests(inputs: Mapping[str, Array], nodes: Any) -> dict[str, str]:
    if nodes is None:
        return dict.fromkeys(inputs, "write")
    chosen = (
        {str(k): v for k, v in nodes.items()}
        if isinstance(nodes, Mapping)
        else {str(n): "write" for n in nodes}
    )
    unknown = [name for name in chosen if name not in inputs]
    if unknown:
        raise ValueError(f"[check_numeric_gradient] no input named {unknown}; there are {list(inputs)}")
    return chosen


def _place(inputs: Mapping[str, Array], ctx: Context, dtype: Any) -> dict[str, NDArray]:
    return {name: nd.array(value, ctx=ctx, dtype=dtype) for name, value in inputs.items()}


def check_consistency(
    sym: Function,
    ctx_list: Sequence[Mapping[str, Any]],
    *,
    location: Location,
    grad_req: str = "write",
    rtol: Tolerance = None,
    atol: Tolerance = None,
    equal_nan: bool = False,
) -> list[Array]:
    """Check that a function gives the same outputs and gradients in several dtypes and on several devices.

    Parameters
    ----------
    sym : callable
        A function of arrays that returns an array or a list of them.
    ctx_list : list of dict
        What to compare: ``{"ctx": device, "dtype": dtype}``, each optional. The first entry with the most
        precise dtype is taken as the truth.
    location : list or dict of NDArray or numpy.ndarray
        The inputs, by position or by name.
    grad_req : {'write', 'null'}
        Whether gradients are compared too.
    rtol, atol : float or dict, optional
        Tolerances, by default those of the less precise dtype.
    equal_nan : bool
        Whether nan equals nan.

    Returns
    -------
    list of numpy.ndarray
        Outputs and then gradients of the truth.

    Examples
    --------
    >>> import mixgrad as mx
    >>> kinds = [{"dtype": "float32"}, {"dtype": "float64"}]
    >>> out, grad = mx.test_utils.check_consistency(lambda x: x * x, kinds, location=[mx.nd.ones((2,))])
    >>> out.tolist()
    [1.0, 1.0]
    """
    if not ctx_list:
        raise ValueError("[check_consistency] expected at least one entry in ctx_list")
    call = _Call(sym, location)
    kinds = [np.dtype(entry.get("dtype", np.float32)) for entry in ctx_list]
    devices = [entry.get("ctx") or default_context() for entry in ctx_list]
    # All see the same numbers: rounded to the least precise dtype first.
    least = min(kinds, key=lambda kind: kind.itemsize)
    inputs = {
        name: value.astype(least) if value.dtype.kind == "f" else value for name, value in call.inputs.items()
    }
    weights: list[Array] = []
    results = [_run(call, inputs, kind, device, grad_req, weights) for kind, device in zip(kinds, devices)]
    best = max(range(len(kinds)), key=lambda i: (kinds[i].itemsize, -i))
    for i, result in enumerate(results):
        for (label, value), (_, truth) in zip(result, results[best]):
            names = (f"{label} in {kinds[i]} on {devices[i]}", f"in {kinds[best]} on {devices[best]}")
            assert_almost_equal(value, truth, rtol, atol, names, equal_nan, use_broadcast=False)
    return [value for _, value in results[best]]


def _run(
    call: _Call, inputs: Mapping[str, Array], kind: Any, device: Context, grad_req: str, weights: list[Array]
) -> list[tuple[str, Array]]:
    """Outputs and gradients with labels; the first run chooses the weights of the outputs for all."""
    arrays = _place(inputs, device, kind)
    if grad_req != "null":
        for array in arrays.values():
            array.attach_grad(grad_req=grad_req)
    with autograd.record():
        outputs = call(arrays)
    if not weights:
        weights.extend(np.random.uniform(0.5, 1.5, size=out.shape).astype(np.float16) for out in outputs)
    labelled = [(f"output {i}", _values(out)) for i, out in enumerate(outputs)]
    if grad_req != "null":
        heads = [nd.array(w, ctx=device, dtype=out.dtype) for w, out in zip(weights, outputs)]
        autograd.backward(outputs, heads)
        labelled += [(f"gradient of '{name}'", _values(array.grad)) for name, array in arrays.items()]
    return labelled


def compare_optimizer(
    opt1: Optimizer,
    opt2: Optimizer,
    shape: Any,
    dtype: Any,
    *,
    rtol: float = 1e-4,
    atol: float = 1e-5,
    compare_states: bool = True,
    steps: int = 2,
) -> None:
    """Check that two optimisers change equal weights equally.

    Parameters
    ----------
    opt1, opt2 : Optimizer
        The optimisers.
    shape : tuple of int, or list of them
        Shape of each weight.
    dtype : type
        Dtype of weights and gradients.
    rtol, atol : float
        Tolerances.
    compare_states : bool
        Whether states must agree too.
    steps : int
        Number of updates of each weight.

    Examples
    --------
    >>> import mixgrad as mx
    >>> sgd = mx.optimizer.SGD
    >>> mx.test_utils.compare_optimizer(sgd(momentum=0.0), sgd(), (2, 3), "float32")
    """
    shapes = list(shape) if isinstance(shape, list) else [shape]
    for index, one in enumerate(shapes):
        start = nd.array(np.random.uniform(-1, 1, size=one), ctx=default_context(), dtype=dtype)
        weights = [start.copy(), start.copy()]
        optimizers = (opt1, opt2)
        states = [opt.create_state_multi_precision(index, w) for opt, w in zip(optimizers, weights)]
        for _ in range(steps):
            grad = nd.array(np.random.uniform(-1, 1, size=one), ctx=default_context(), dtype=dtype)
            for optimizer, weight, state in zip(optimizers, weights, states):
                optimizer.update_multi_precision(index, weight, grad.copy(), state)
            if compare_states:
                compare_ndarray_tuple(states[0], states[1], rtol, atol)
            assert_almost_equal(weights[0], weights[1], rtol, atol, ("weight of opt1", "weight of opt2"))
