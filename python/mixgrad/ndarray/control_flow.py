"""Loops and branches on arrays: ``mx.nd.contrib.foreach``, ``while_loop`` and ``cond``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional

from .. import ops as _ops
from .._nested import flatten, regroup
from ..base import InvalidArgumentError
from .creation import zeros
from .ndarray import NDArray

__all__ = ["cond", "foreach", "while_loop"]


def foreach(body: Callable[[Any, Any], tuple[Any, Any]], data: Any, init_states: Any) -> tuple[Any, Any]:
    """Runs a body for each slice of the data along the leading axis.

    Parameters
    ----------
    body : function
        Takes a slice of the data and the states; returns outputs and the next states.
    data : NDArray or list of NDArray
        What is looped over.
    init_states : NDArray or nested list of NDArray
        The first states.

    Returns
    -------
    tuple
        The outputs of all steps, stacked, and the last states.

    Examples
    --------
    >>> import mixgrad as mx
    >>> step = lambda x, states: (x + states[0], [x + states[0]])
    >>> out, states = mx.nd.contrib.foreach(step, mx.nd.array([1, 2, 3]), [mx.nd.zeros((1,))])
    >>> out.asnumpy().ravel()
    array([1., 3., 6.], dtype=float32)
    """
    slices, data_layout = flatten(data, NDArray, "[foreach] data")
    flatten(init_states, NDArray, "[foreach] init_states")
    if not slices:
        raise InvalidArgumentError("[foreach] data is empty; expected at least one array")
    lengths = {x.shape[0] if x.ndim else -1 for x in slices}
    if len(lengths) > 1 or -1 in lengths:
        shapes = [x.shape for x in slices]
        raise InvalidArgumentError(f"[foreach] data of shapes {shapes}; expected one leading extent")
    states = init_states
    steps: list[list[Any]] = []
    layout: Any = []
    for i in range(lengths.pop()):
        made = body(regroup([x[i] for x in slices], data_layout), states)
        if not isinstance(made, (list, tuple)) or len(made) != 2:
            raise TypeError(f"[foreach] the body returned {type(made).__name__}; expected outputs and states")
        outputs, states = made
        items, layout = flatten(outputs, NDArray, "[foreach] the body's output")
        steps.append(items)
    return regroup([_ops.stack(*parts) for parts in zip(*steps)], layout if steps else []), states


def while_loop(
    cond: Callable[..., NDArray],
    func: Callable[..., tuple[Any, Any]],
    loop_vars: Any,
    max_iterations: Optional[int] = None,
) -> tuple[Any, Any]:
    """Runs a body as long as a condition on the loop variables holds.

    Parameters
    ----------
    cond : function
        Takes the loop variables; returns an array of one number.
    func : function
        Takes the loop variables; returns outputs and the next variables.
    loop_vars : NDArray or list of NDArray
        First values of the variables.
    max_iterations : int
        The most steps; also the leading extent of the outputs.

    Returns
    -------
    tuple
        The outputs of all steps, stacked, with zeros after the last step; and the last variables.

    Examples
    --------
    >>> import mixgrad as mx
    >>> one = mx.nd.ones((1,))
    >>> out, last = mx.nd.contrib.while_loop(
    ...     lambda i, s: i <= 2, lambda i, s: ([i + s], [i + 1, s + i]), [one, one], max_iterations=3)
    >>> out[0].asnumpy().ravel()
    array([2., 4., 0.], dtype=float32)
    """
    if max_iterations is None:
        raise ValueError("[while_loop] max_iterations is not given; expected the most steps to take")
    single = isinstance(loop_vars, NDArray)
    variables = [loop_vars] if single else list(loop_vars)
    if not variables:
        raise ValueError("[while_loop] loop_vars is empty; expected at least one variable")
    steps: list[list[Any]] = []
    layout: Any = []
    while len(steps) < int(max_iterations) and cond(*variables).asscalar():
        outputs, following = func(*variables)
        outputs = [] if outputs is None else list(outputs) if isinstance(outputs, tuple) else outputs
        following = [] if following is None else following
        following = [following] if isinstance(following, NDArray) else list(following)
        if len(following) != len(variables):
            raise ValueError(
                f"[while_loop] func returned {len(following)} variables; expected {len(variables)}"
            )
        variables = following
        items, layout = flatten(outputs, NDArray, "[while_loop] the output")
        if steps and len(items) != len(steps[0]):
            raise ValueError(f"[while_loop] func returned {len(items)} outputs; before {len(steps[0])}")
        steps.append(items)
    stacked = []
    for parts in zip(*steps):
        rows = [part.expand_dims(0) for part in parts]
        missing = int(max_iterations) - len(steps)
        if missing:
            first = parts[0]
            rows.append(zeros((missing, *first.shape), ctx=first.context, dtype=first.dtype))
        stacked.append(_ops.concat(*rows, dim=0))
    return regroup(stacked, layout), variables[0] if single else variables


def cond(pred: Any, then_func: Callable[[], Any], else_func: Callable[[], Any]) -> Any:
    """Calls one of two functions, by whether a number is other than 0.

    Parameters
    ----------
    pred : NDArray or number
        The condition.
    then_func, else_func : function
        Without arguments.

    Examples
    --------
    >>> import mixgrad as mx
    >>> a = mx.nd.array([1])
    >>> mx.nd.contrib.cond(a < 5, lambda: a + 5, lambda: a - 5).asnumpy()
    array([6.], dtype=float32)
    """
    holds = pred.asscalar() if isinstance(pred, NDArray) else pred
    return then_func() if holds else else_func()
