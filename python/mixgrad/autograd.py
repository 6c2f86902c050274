"""Recording what is computed on arrays, and gradients of it."""

from __future__ import annotations

import copy
import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

import numpy as np

from . import _core, _hints
from ._quick import quick as _quick
from .base import AutogradError, InvalidArgumentError, RefusedValueError, grad_req_number
from .ndarray import NDArray, array
from .ndarray._gradients import explain_backward

if TYPE_CHECKING:
    from .symbol import Symbol

__all__ = [
    "Function",
    "backward",
    "get_symbol",
    "grad",
    "gradcheck",
    "is_recording",
    "is_training",
    "mark_variables",
    "no_grad",
    "pause",
    "predict_mode",
    "record",
    "set_recording",
    "set_training",
    "train_mode",
]

Arrays = Union[NDArray, Sequence[NDArray]]


def is_recording() -> bool:
    """Whether this thread records operations for gradients."""
    return bool(_core.is_recording())


def is_training() -> bool:
    """Whether operators such as Dropout behave as in training on this thread."""
    return bool(_core.is_training())


def set_recording(is_recording: bool) -> bool:
    """Starts or stops recording on this thread; returns what it was."""
    return bool(_core.set_recording(bool(is_recording)))


def set_training(train_mode: bool) -> bool:
    """Chooses training or prediction behaviour on this thread; returns what it was."""
    return bool(_core.set_training(bool(train_mode)))


def _scoped(scope: _core.Scope, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that runs in a scope: what a scope as a decorator makes."""

    @functools.wraps(function)
    def scoped(*args: Any, **kwargs: Any) -> Any:
        with scope:
            return function(*args, **kwargs)

    return scoped


@_quick("record")
def record(train_mode: bool = True) -> _core.Scope:
    """A scope in which operations are recorded.

    Parameters
    ----------
    train_mode : bool
        Whether operators behave as in training.

    Examples
    --------
    >>> import mixgrad as mx
    >>> x = mx.nd.array([1.0, 2.0])
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = (x * x).sum()
    >>> y.backward()
    >>> x.grad.asnumpy()
    array([2., 4.], dtype=float32)
    """
    return _core.Scope(True, train_mode)


@_quick("pause")
def pause(train_mode: bool = False) -> _core.Scope:
    """A scope in which nothing is recorded."""
    return _core.Scope(False, train_mode)


def no_grad() -> _core.Scope:
    """A scope, or a decorator, in which nothing is recorded; training behaviour stays as it is."""
    return _core.Scope(False, None)


def train_mode() -> _core.Scope:
    """A scope in which operators behave as in training."""
    return _core.Scope(None, True)


def predict_mode() -> _core.Scope:
    """A scope in which operators behave as in prediction."""
    return _core.Scope(None, False)


def mark_variables(
    variables: Arrays, gradients: Arrays, grad_reqs: Union[str, Sequence[str]] = "write"
) -> None:
    """Makes arrays variables whose gradients go to given arrays.

    Parameters
    ----------
    variables, gradients : NDArray or list of NDArray
        Pairs of one shape and dtype.
    grad_reqs : str or list of str
        'write', 'add' or 'null', for all or for each.
    """
    variables = _arrays(variables, "mark_variables", "variables")
    gradients = _arrays(gradients, "mark_variables", "gradients")
    reqs = [grad_reqs] * len(variables) if isinstance(grad_reqs, str) else list(grad_reqs)
    if not len(variables) == len(gradients) == len(reqs):
        raise ValueError(
            f"[mark_variables] {len(variables)} variables, {len(gradients)} gradients, "
            f"{len(reqs)} grad_reqs; expected as many of each"
        )
    if len({id(g) for g in gradients}) != len(gradients):
        raise ValueError("[mark_variables] two variables have the same gradient array; expected one each")
    for variable, gradient, req in zip(variables, gradients, reqs):
        variable._attach_grad(gradient, grad_req_number(req, "mark_variables"))


def _arrays(given: Any, who: str, name: str, allow_none: bool = False) -> list[Any]:
    """One array, or a sequence of them, as a list."""
    items = [given] if isinstance(given, NDArray) else given
    if not isinstance(items, (list, tuple)):
        raise TypeError(f"[{who}] {name}: got {type(given).__name__}; expected an NDArray or a list of them")
    for place, item in enumerate(items):
        if not isinstance(item, NDArray) and not (allow_none and item is None):
            raise TypeError(f"[{who}] {name}: item {place} is {type(item).__name__}; expected an NDArray")
    return list(items)


def _listed(
    heads: Arrays, head_grads: Any, who: str
) -> tuple[list[NDArray], Optional[list[Optional[NDArray]]]]:
    listed = _arrays(heads, who, "heads")
    if head_grads is None:
        return listed, None
    grads = _arrays(head_grads, who, "head_grads", allow_none=True)
    if len(grads) != len(listed):
        raise RefusedValueError(
            f"[{who}] got {len(listed)} heads and {len(grads)} head_grads; expected as many"
        )
    return listed, grads


def backward(
    heads: Arrays,
    head_grads: Optional[Any] = None,
    retain_graph: bool = False,
    train_mode: bool = True,
    create_graph: bool = False,
) -> None:
    """Gradients of the heads with regard to all variables they were computed from, written to their ``grad``.

    Parameters
    ----------
    heads : NDArray or list of NDArray
        Recorded results.
    head_grads : NDArray or list, optional
        Weight of each head's elements; ones by default.
    retain_graph : bool
        Keep what was recorded for another backward pass.
    train_mode : bool
        Accepted for MXNet's sake; each gradient follows the mode in which its operator was recorded.
    create_graph : bool
        Record the backward pass itself.
    """
    listed, grads = _listed(heads, head_grads, "backward")
    if not listed:
        raise AutogradError("[backward] got no heads; expected at least one array that was recorded")
    try:
        _core.backward(listed, grads, bool(retain_graph or create_graph), bool(create_graph))
    except AutogradError as error:
        explain_backward(listed, error)
        raise


def grad(
    heads: Arrays,
    variables: Arrays,
    head_grads: Optional[Any] = None,
    retain_graph: Optional[bool] = None,
    create_graph: bool = False,
    train_mode: bool = True,
) -> list[NDArray]:
    """Gradients of the heads with regard to ``variables``, returned instead of written.

    Parameters
    ----------
    heads : NDArray or list of NDArray
        Recorded results.
    variables : NDArray or list of NDArray
        Variables, or recorded values in between.
    head_grads : NDArray or list, optional
        Weight of each head's elements; ones by default.
    retain_graph : bool, optional
        Keep what was recorded; by default as ``create_graph``.
    create_graph : bool
        Record the gradients themselves, for higher orders.

    Returns
    -------
    list of NDArray
        One per variable, also where ``variables`` is one array, as in MXNet.

    Examples
    --------
    >>> import mixgrad as mx
    >>> x = mx.nd.array([3.0])
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = x * x * x
    ...     first = mx.autograd.grad(y, x, create_graph=True)[0]
    >>> first.backward()
    >>> x.grad.asnumpy()
    array([18.], dtype=float32)
    """
    listed, grads = _listed(heads, head_grads, "grad")
    wanted = _arrays(variables, "grad", "variables")
    keep = create_graph if retain_graph is None else retain_graph
    found = _core.grad(listed, wanted, grads, bool(keep), bool(create_graph))
    return [one.as_np_ndarray() if x._is_np else one for one, x in zip(found, wanted)]


def get_symbol(x: NDArray) -> Symbol:
    """The recorded calls that led to an array, as a symbol.

    Parameters
    ----------
    x : NDArray
        A recorded result, before a backward pass lets go of what led to it.

    Returns
    -------
    Symbol
        Its arguments are called ``var0``, ``var1`` and so on: one for each variable, and one for each use of
        an array that was none.

    Examples
    --------
    >>> import mixgrad as mx
    >>> x = mx.nd.array([1, 2])
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = mx.nd.exp(x) * x
    >>> mx.autograd.get_symbol(y).list_arguments()
    ['var0']
    """
    from .symbol.base import symbol_of

    if not isinstance(x, NDArray):
        raise TypeError(f"[get_symbol] x is {type(x).__name__}; expected an NDArray")
    return symbol_of(_core.recorded_symbol(x))


class Function:
    """A function with a gradient of your own: subclass it and write ``forward`` and ``backward``.

    ``forward`` takes arrays and returns an array or a tuple of arrays; ``backward`` takes one gradient per
    output and returns
    one per input (or None for "no gradient"). An object whose call was recorded is copied
    (:func:`copy.copy`) for further calls, which MXNet refuses: each call keeps what it saved.

    Examples
    --------
    >>> import mixgrad as mx
    >>> class Double(mx.autograd.Function):
    ...     def forward(self, x):
    ...         return x * 2
    ...     def backward(self, dy):
    ...         return dy * 2
    >>> x = mx.nd.ones((2,))
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = Double()(x)
    >>> y.backward()
    >>> x.grad.asnumpy()
    array([2., 2.], dtype=float32)
    """

    def __init__(self) -> None:
        self._saved: tuple[NDArray, ...] = ()

    def save_for_backward(self, *args: NDArray) -> None:
        """Keeps arrays for ``backward``."""
        self._saved = args

    @property
    def saved_tensors(self) -> tuple[NDArray, ...]:
        """What :meth:`save_for_backward` kept."""
        return self._saved

    saved_arrays = saved_tensors

    def forward(self, *inputs: NDArray) -> Union[NDArray, Sequence[NDArray]]:
        """Computes the outputs; nothing in it is recorded."""
        raise NotImplementedError(f"[{type(self).__name__}] forward is not defined")

    def backward(self, *output_grads: NDArray) -> Union[NDArray, Sequence[Optional[NDArray]], None]:
        """Gradients of the inputs from those of the outputs."""
        raise NotImplementedError(f"[{type(self).__name__}] backward is not defined")

    def __call__(self, *inputs: NDArray) -> Any:
        """Applies ``forward`` and records it."""
        call = copy.copy(self) if self.__dict__.get("_recorded") else self
        with no_grad():
            outputs = call.forward(*inputs)
        if not _core.is_recording():
            return outputs
        self.__dict__["_recorded"] = True
        single = isinstance(outputs, NDArray)
        # New handles: an output that is one of the inputs must not become its own history.
        name = type(self).__name__
        made = [o.detach() for o in _arrays(outputs, name, "outputs of forward")]

        def run(gradients: list[NDArray]) -> list[Optional[NDArray]]:
            results = call.backward(*gradients)
            return [results] if results is None or isinstance(results, NDArray) else list(results)

        _core.record_custom(name, run, _arrays(inputs, name, "inputs"), made)
        return made[0] if single else tuple(made)


def gradcheck(
    function: Callable[..., Any],
    inputs: Arrays,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
) -> bool:
    """Compares recorded gradients with central finite differences.

    Parameters
    ----------
    function : callable
        Takes the inputs, returns an array or several; it must be deterministic.
    inputs : NDArray or list of NDArray
        Float arrays; float64 is advised, since differences lose half of the digits.
    eps : float
        Step of the differences.
    atol, rtol : float
        Tolerances of the comparison.
    raise_exception : bool
        Raise AssertionError with the worst place, or return False.

    Examples
    --------
    >>> import mixgrad as mx
    >>> x = mx.nd.array([0.5, 2.0], dtype="float64")
    >>> mx.autograd.gradcheck(lambda x: x.log() * x, x)
    True
    """
    listed = _arrays(inputs, "gradcheck", "inputs")
    if not callable(function):
        raise TypeError(f"[gradcheck] function is {type(function).__name__}; expected a callable")
    for name, value in {"eps": eps, "atol": atol, "rtol": rtol}.items():
        if not (value > 0 if name == "eps" else value >= 0):
            least = "more than 0" if name == "eps" else "at least 0"
            raise InvalidArgumentError(f"[gradcheck] {name} is {value!r}; expected {least}")
    values = [x.asnumpy().astype(np.float64) for x in listed]
    random = np.random.RandomState(0)
    weights: list[np.ndarray] = []

    def outputs_of(arrays: Sequence[NDArray]) -> list[NDArray]:
        return _arrays(function(*arrays), "gradcheck", "what the function returns")

    def weighted(points: Sequence[np.ndarray]) -> float:
        arrays = [array(p, ctx=x.context, dtype=x.dtype) for p, x in zip(points, listed)]
        with pause(train_mode=True):
            results = [o.asnumpy().astype(np.float64) for o in outputs_of(arrays)]
        return float(sum((w * r).sum() for w, r in zip(weights, results)))

    variables = [array(x, ctx=x.context, dtype=x.dtype) for x in listed]
    for variable in variables:
        variable.attach_grad()
    with record():
        results = outputs_of(variables)
    weights.extend(random.uniform(0.5, 1.5, size=r.shape) for r in results)
    backward(results, [array(w, ctx=r.context, dtype=r.dtype) for w, r in zip(weights, results)])
    for number, (variable, point) in enumerate(zip(variables, values)):
        expected = np.zeros_like(point)
        flat = point.reshape(-1)
        for i in range(flat.size):
            kept = flat[i]
            flat[i] = kept + eps
            above = weighted(values)
            flat[i] = kept - eps
            below = weighted(values)
            flat[i] = kept
            expected.reshape(-1)[i] = (above - below) / (2 * eps)
        assert variable.grad is not None  # attached above
        got = variable.grad.asnumpy().astype(np.float64)
        # What is no number, or infinite, agrees with nothing.
        wrong = ~(np.abs(got - expected) <= atol + rtol * np.abs(expected)) | ~np.isfinite(expected)
        if wrong.any():
            if not raise_exception:
                return False
            place = tuple(int(k) for k in np.argwhere(wrong)[0])
            raise AssertionError(
                f"[gradcheck] input {number}, element {place}: recorded gradient {got[place]:.6g}, "
                f"finite difference {expected[place]:.6g}"
            )
    return True


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
