"""Gradients against finite differences, and results compared over dtypes, devices and optimisers."""

# Tests seed NumPy's global generator (np.random.seed), so the helpers draw from it.
# ruff: noqa: NPY002

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Callable

import numpy as np

from .. import ndarray as nd
from ..context import Context
from ..executor import Executor
from ..ndarray import NDArray
from ..optimizer import Optimizer
from ..symbol import Symbol
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
from .sparse_arrays import rand_sparse_ndarray
from .subject import Array, BoundSubject, Function, Location, Subject, subject_of, values
from .symbolic import check_symbol_consistency

__all__ = ["check_consistency", "check_numeric_gradient", "compare_optimizer", "numeric_grad"]


def numeric_grad(
    executor: Executor | Callable[[Mapping[str, Array]], float],
    location: Mapping[str, Array],
    aux_states: Mapping[str, Array] | None = None,
    eps: float = 1e-4,
    use_forward_train: bool = True,
    dtype: Any = np.float32,
) -> dict[str, Array]:
    """Return the gradient of a function, or of the sum of an executor's outputs, by central differences.

    Parameters
    ----------
    executor : Executor or callable
        What runs; a function maps the inputs to a number.
    location : dict of str to numpy.ndarray
        Inputs of any shapes; each element costs two calls.
    aux_states : dict of str to numpy.ndarray, optional
        Auxiliary states of an executor before each run.
    eps : float
        Distance between the two points of a difference.
    use_forward_train : bool
        Whether an executor runs in training mode.
    dtype : dtype
        Of the executor's arrays.

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
    if isinstance(executor, Executor):
        function = _summed(executor, aux_states or {}, use_forward_train, dtype)
    else:
        function = executor
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


def _summed(
    exe: Executor, states: Mapping[str, Array], train: bool, dtype: Any
) -> Callable[[Mapping[str, Array]], float]:
    def run(inputs: Mapping[str, Array]) -> float:
        for arrays, given in ((exe.arg_dict, inputs), (exe.aux_dict, states)):
            for name, value in given.items():
                arrays[name][:] = nd.array(value, ctx=arrays[name].context, dtype=dtype)
        return float(sum(values(out).astype(np.float64).sum() for out in exe.forward(is_train=train)))

    return run


def check_numeric_gradient(
    sym: Symbol | Function,
    location: Location,
    aux_states: Location | None = None,
    numeric_eps: float | None = None,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    grad_nodes: Sequence[str | int] | Mapping[str, str] | None = None,
    use_forward_train: bool = True,
    ctx: Context | None = None,
    grad_stype_dict: Mapping[str, str] | None = None,
    dtype: Any = np.float32,
) -> None:
    """Check gradients of a symbol or of a function against finite differences.

    The outputs are multiplied by random numbers and added up, so one backward pass checks all of them.

    Parameters
    ----------
    sym : Symbol or callable
        A symbol, which runs in an executor, or a function of arrays that returns an array or a list of them
        and whose gradients are recorded. Computed the same way at every call.
    location : list or dict of NDArray or numpy.ndarray
        Its inputs, by position or by name.
    aux_states : list or dict of NDArray or numpy.ndarray, optional
        Auxiliary states of a symbol; by default 0, and 1 for variances.
    numeric_eps : float, optional
        Step of the differences (:func:`default_numeric_eps`).
    rtol, atol : float or dict, optional
        Tolerances, by default those of the dtype.
    grad_nodes : list of str or int, or dict of str to str, optional
        Which inputs to check, by default all; a dict gives ``'write'``, ``'add'`` or ``'null'`` for each.
    use_forward_train : bool
        Whether the differences are taken in training mode.
    ctx : Context, optional
        Device.
    grad_stype_dict : dict of str to str, optional
        Storage types of gradients of a symbol; dense by default.
    dtype : type
        Dtype of the inputs: float16, float32 or float64.

    Raises
    ------
    AssertionError
        Names the input, the place and both values.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.test_utils.check_numeric_gradient(lambda x, y: x * y, [mx.nd.ones((2, 2)), mx.nd.ones((2, 2))])
    >>> net = mx.sym.tanh(mx.sym.var("x"))
    >>> mx.test_utils.check_numeric_gradient(net, {"x": mx.nd.ones((2, 2))}, rtol=1e-2)
    """
    subject = subject_of(sym, location, aux_states)
    if isinstance(subject, BoundSubject):
        subject.grad_stypes = grad_stype_dict or {}
    elif grad_stype_dict:
        raise ValueError("[check_numeric_gradient] grad_stype_dict is for symbols; this is a function")
    device = ctx or default_context()
    kind = np.dtype(dtype)
    if kind.kind != "f":
        raise TypeError(f"[check_numeric_gradient] dtype must be float16, float32 or float64, got {kind}")
    inputs = {name: value.astype(kind) for name, value in subject.inputs.items()}
    requests = _requests(inputs, grad_nodes)
    starts = {
        name: np.random.normal(size=inputs[name].shape).astype(kind)
        for name, request in requests.items()
        if request == "add"
    }
    weights: list[Array] = []

    def weigh(outputs: list[Array]) -> list[Array]:
        weights.extend(np.random.uniform(0.5, 1.5, size=out.shape).astype(kind) for out in outputs)
        return weights

    _, recorded = subject.gradients(inputs, requests, starts, weigh, device, kind, use_forward_train)

    def scalar(moved: Mapping[str, Array]) -> float:
        results = subject.outputs({**inputs, **moved}, device, kind, use_forward_train)
        return float(sum((out.astype(np.float64) * w).sum() for out, w in zip(results, weights)))

    eps = default_numeric_eps()[kind] if numeric_eps is None else numeric_eps
    wanted = {name: inputs[name] for name, request in requests.items() if request != "null"}
    relative = get_tolerance(np.empty(0, kind), rtol, default_rtols())
    absolute = get_tolerance(np.empty(0, kind), atol, default_atols())
    for name, numeric in numeric_grad(scalar, wanted, eps=eps).items():
        gradient = recorded[name].astype(np.float64) - starts.get(name, 0.0)
        names = (f"recorded gradient of '{name}'", "finite differences")
        assert_almost_equal(gradient, numeric, relative, absolute, names, use_broadcast=False)


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


def check_consistency(
    sym: Symbol | Sequence[Symbol] | Function,
    ctx_list: Sequence[Mapping[str, Any]],
    scale: float = 1.0,
    grad_req: Any = "write",
    arg_params: Mapping[str, Any] | None = None,
    aux_params: Mapping[str, Any] | None = None,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    raise_on_err: bool = True,
    ground_truth: Mapping[str, Any] | None = None,
    equal_nan: bool = False,
    use_uniform: bool = False,
    rand_type: Any = np.float64,
    *,
    location: Location | None = None,
) -> Any:
    """Check that a symbol or function gives the same in several dtypes and on several devices.

    Parameters
    ----------
    sym : Symbol, list of Symbol, or callable
        A symbol, or one per entry of ``ctx_list``; or a function of arrays.
    ctx_list : list of dict
        What to compare. For symbols the arguments of ``simple_bind``: ``{"ctx": device, "data": shape,
        "type_dict": {"data": dtype}}``; for functions ``{"ctx": device, "dtype": dtype}``, each optional. The
        first entry with the most precise dtype is taken as the truth.
    scale : float
        Size of the random arguments of symbols.
    grad_req : str or dict
        Gradients that are compared too; ``'null'``: none.
    arg_params, aux_params : dict of str to NDArray or numpy.ndarray, optional
        Values of a symbol's arguments in place of random ones, and of its states in place of 0.
    rtol, atol : float or dict, optional
        Tolerances, by default those of the less precise dtype.
    raise_on_err : bool
        Whether a difference is an error; else it is printed.
    ground_truth : dict of str to numpy.ndarray, optional
        For symbols: what the truth is in place of an entry.
    equal_nan : bool
        Whether nan equals nan.
    use_uniform : bool
        Whether random arguments are uniform in ``scale * (-0.1, 0.1)``; else normal.
    rand_type : dtype
        Of the random arguments before they take a dtype.
    location : list or dict of NDArray or numpy.ndarray
        The inputs of a function, by position or by name.

    Returns
    -------
    dict of str to numpy.ndarray, or list of numpy.ndarray
        Outputs and gradients of the truth: by name for symbols, in order for functions.

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
    if isinstance(sym, (Symbol, list, tuple)):
        symbols = list(sym) if isinstance(sym, (list, tuple)) else [sym] * len(ctx_list)
        random = _random_arguments(scale, use_uniform, rand_type)
        tolerances = rtol, atol, equal_nan, raise_on_err
        given = arg_params or {}, aux_params or {}, ground_truth
        return check_symbol_consistency(symbols, ctx_list, grad_req, random, given, tolerances)
    if location is None:
        raise ValueError("[check_consistency] a function needs location, its inputs")
    return _check_function(subject_of(sym, location), ctx_list, grad_req, rtol, atol, equal_nan)


def _random_arguments(scale: float, use_uniform: bool, dtype: Any) -> Callable[[tuple[int, ...]], Array]:
    def draw(shape: tuple[int, ...]) -> Array:
        if use_uniform:
            return np.random.uniform(-0.1 * scale, 0.1 * scale, size=shape).astype(dtype)
        return np.random.normal(size=shape, scale=scale).astype(dtype)

    return draw


def _check_function(
    subject: Subject,
    ctx_list: Sequence[Mapping[str, Any]],
    grad_req: str,
    rtol: Tolerance,
    atol: Tolerance,
    equal_nan: bool,
) -> list[Array]:
    kinds = [np.dtype(entry.get("dtype", np.float32)) for entry in ctx_list]
    devices = [entry.get("ctx") or default_context() for entry in ctx_list]
    # All see the same numbers: rounded to the least precise dtype first.
    least = min(kinds, key=lambda kind: kind.itemsize)
    inputs = {
        name: value.astype(least) if value.dtype.kind == "f" else value
        for name, value in subject.inputs.items()
    }
    requests = {} if grad_req == "null" else dict.fromkeys(inputs, grad_req)
    weights: list[Array] = []

    def weigh(outputs: list[Array]) -> list[Array]:
        if not weights:  # the first run chooses for all
            weights.extend(np.random.uniform(0.5, 1.5, size=out.shape).astype(np.float16) for out in outputs)
        return weights

    results = []
    for kind, device in zip(kinds, devices):
        if requests:
            outputs, gradients = subject.gradients(inputs, requests, {}, weigh, device, kind, True)
        else:
            outputs, gradients = subject.outputs(inputs, device, kind, True), {}
        labelled = [(f"output {i}", out) for i, out in enumerate(outputs)]
        results.append(labelled + [(f"gradient of '{name}'", g) for name, g in gradients.items()])
    best = max(range(len(kinds)), key=lambda i: (kinds[i].itemsize, -i))
    for i, result in enumerate(results):
        for (label, value), (_, truth) in zip(result, results[best]):
            names = (f"{label} in {kinds[i]} on {devices[i]}", f"in {kinds[best]} on {devices[best]}")
            assert_almost_equal(value, truth, rtol, atol, names, equal_nan, use_broadcast=False)
    return [value for _, value in results[best]]


def compare_optimizer(
    opt1: Optimizer,
    opt2: Optimizer,
    shape: Any,
    dtype: Any,
    w_stype: str = "default",
    g_stype: str = "default",
    rtol: float = 1e-4,
    atol: float = 1e-5,
    compare_states: bool = True,
    ntensors: int = 1,
    *,
    steps: int = 1,
) -> None:
    """Check that two optimisers change equal weights equally.

    The first gets dense arrays, so it may be written with NumPy; the second those of ``w_stype`` and
    ``g_stype``.

    Parameters
    ----------
    opt1, opt2 : Optimizer
        The optimisers.
    shape : tuple of int, or list of them
        Shape of each weight.
    dtype : type
        Dtype of weights and gradients.
    w_stype, g_stype : {'default', 'row_sparse', 'csr'}
        Storage types of the second optimiser's weights and gradients.
    rtol, atol : float
        Tolerances.
    compare_states : bool
        Whether states must agree too.
    ntensors : int
        Number of weights where ``shape`` is a list.
    steps : int
        Number of updates of each weight.

    Examples
    --------
    >>> import mixgrad as mx
    >>> sgd = mx.optimizer.SGD
    >>> mx.test_utils.compare_optimizer(sgd(momentum=0.0), sgd(), (2, 3), "float32")
    """
    shapes = list(shape) if isinstance(shape, list) else [shape]
    if ntensors not in (1, len(shapes)):
        raise ValueError(f"[compare_optimizer] ntensors is {ntensors} for {len(shapes)} shapes")
    for index, one in enumerate(shapes):
        # All rows of a weight are stored, those of gradients at random.
        start = _drawn(one, dtype, w_stype, 1.0)
        weights = [_dense_copy(start), start.copy()]
        optimizers = (opt1, opt2)
        states = [opt.create_state_multi_precision(index, w) for opt, w in zip(optimizers, weights)]
        for _ in range(steps):
            grad = _drawn(one, dtype, g_stype, None)
            grads = _dense_copy(grad), grad.copy()
            for optimizer, weight, given, state in zip(optimizers, weights, grads, states):
                optimizer.update_multi_precision(index, weight, given, state)
            if compare_states:
                compare_ndarray_tuple(states[0], states[1], rtol, atol)
            assert_almost_equal(weights[0], weights[1], rtol, atol, ("weight of opt1", "weight of opt2"))


def _dense_copy(array: NDArray) -> NDArray:
    return array.copy() if array.stype == "default" else array.tostype("default")


def _drawn(shape: Sequence[int], dtype: Any, stype: str, density: float | None) -> NDArray:
    """An array of random numbers between -1 and 1."""
    if stype == "default":
        return nd.array(np.random.uniform(-1, 1, size=shape), ctx=default_context(), dtype=dtype)
    made: NDArray = rand_sparse_ndarray(
        shape, stype, density=density, dtype=dtype, modifier_func=lambda x: 2 * x - 1
    )[0]
    return made
