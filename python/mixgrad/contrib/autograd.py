"""Gradients by the functions that MXNet had first (``mx.contrib.autograd``); cf. ``mx.autograd``."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Optional, Union

from .. import _core, _hints, autograd
from ..autograd import mark_variables
from ..ndarray import NDArray, zeros_like

__all__ = [
    "TrainingStateScope",
    "backward",
    "compute_gradient",
    "grad",
    "grad_and_loss",
    "mark_variables",
    "set_is_training",
    "test_section",
    "train_section",
]


def set_is_training(is_train: bool) -> bool:
    """Train and record from now on, or neither; returns whether training was in force."""
    _core.set_recording(bool(is_train))
    return _core.set_training(bool(is_train))


class TrainingStateScope:
    """Trains and records inside ``with``, or does neither.

    Parameters
    ----------
    enter_state : bool
        Which of the two.
    """

    def __init__(self, enter_state: bool) -> None:
        self._enter = bool(enter_state)
        self._before: list[tuple[bool, bool]] = []

    def __enter__(self) -> None:
        self._before.append((_core.set_recording(self._enter), _core.set_training(self._enter)))

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        recording, training = self._before.pop()
        _core.set_recording(recording)
        _core.set_training(training)


def train_section() -> TrainingStateScope:
    """A scope that trains and records.

    Examples
    --------
    >>> import mixgrad as mx
    >>> x, dx = mx.nd.ones((2,)), mx.nd.zeros((2,))
    >>> mx.contrib.autograd.mark_variables([x], [dx])
    >>> with mx.contrib.autograd.train_section():
    ...     y = x * 3
    >>> mx.contrib.autograd.backward([y])
    >>> dx.asnumpy()
    array([3., 3.], dtype=float32)
    """
    return TrainingStateScope(True)


def test_section() -> TrainingStateScope:
    """A scope inside another that neither trains nor records."""
    return TrainingStateScope(False)


def backward(
    outputs: Sequence[NDArray],
    out_grads: Optional[Sequence[Optional[NDArray]]] = None,
    retain_graph: bool = False,
) -> None:
    """Compute the gradients of marked variables.

    Parameters
    ----------
    outputs : list of NDArray
        What was computed from them.
    out_grads : list of NDArray or None, optional
        Gradients of the outputs; ones by default.
    retain_graph : bool
        Whether what was recorded is kept for another call.
    """
    if not isinstance(outputs, (list, tuple)):
        raise TypeError(
            f"[backward] outputs is {type(outputs).__name__}; expected a list or tuple of NDArray"
        )
    given = list(out_grads) if isinstance(out_grads, (list, tuple)) else None
    if given is not None and all(one is None for one in given):
        given = None
    autograd.backward(list(outputs), given, retain_graph)


def compute_gradient(outputs: Sequence[NDArray]) -> None:
    """As :func:`backward`."""
    backward(outputs)


Numbers = Union[int, Sequence[int], None]


def grad_and_loss(
    func: Callable[..., Any], argnum: Numbers = None
) -> Callable[..., tuple[list[NDArray], Any]]:
    """A function that returns the gradients of another one, and what that returns.

    Parameters
    ----------
    func : function
        Takes arrays and returns one or several.
    argnum : int or list of int, optional
        Which arguments have gradients; all by default.

    Examples
    --------
    >>> import mixgrad as mx
    >>> gradients, loss = mx.contrib.autograd.grad_and_loss(lambda x: x * x)(mx.nd.array([3.0]))
    >>> gradients[0].asscalar().item(), loss.asscalar().item()
    (6.0, 9.0)
    """

    @functools.wraps(func)
    def wrapped(*args: Any) -> tuple[list[NDArray], Any]:
        places = range(len(args)) if argnum is None else [argnum] if isinstance(argnum, int) else argnum
        variables = [args[place] for place in places]
        for place, variable in zip(places, variables):
            if not isinstance(variable, NDArray):
                raise TypeError(
                    f"[grad_and_loss] argument {place} is {type(variable).__name__}; expected NDArray, or "
                    "argnum to name the arguments that have gradients"
                )
        gradients = [zeros_like(variable) for variable in variables]
        mark_variables(variables, gradients)
        with train_section():
            outputs = func(*args)
        backward([outputs] if isinstance(outputs, NDArray) else outputs)
        return gradients, outputs

    return wrapped


def grad(func: Callable[..., Any], argnum: Numbers = None) -> Callable[..., list[NDArray]]:
    """A function that returns the gradients of another one; see :func:`grad_and_loss`."""
    with_loss = grad_and_loss(func, argnum)

    @functools.wraps(func)
    def wrapped(*args: Any) -> list[NDArray]:
        return with_loss(*args)[0]

    return wrapped


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
