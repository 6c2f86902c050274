"""Whether gradients are recorded, in PyTorch's habits: always, unless said otherwise."""

from __future__ import annotations

import functools
import inspect
import threading
from types import TracebackType
from typing import Any, Callable, Optional

from .. import _core

__all__ = ["enable_grad", "inference_mode", "is_grad_enabled", "no_grad", "set_grad_enabled"]


class _Threads(threading.local):
    """Which threads have decided whether they record."""

    decided = False


threads = _Threads()


def begin() -> None:
    """Record from now on in this thread, if it has never said what it wants.

    Inside scopes of ``mx.autograd.record()`` and ``pause()`` these hold until the outermost one ends.
    """
    if not threads.decided:
        threads.decided = True
        _core.begin_recording()


def _forget() -> None:
    """Record nothing, as a thread does that never said what it wants: what tests begin with."""
    threads.decided = False
    _core.set_recording(False)


def is_grad_enabled() -> bool:
    """Whether this thread records operations for gradients, or will from its first module or parameter on."""
    return bool(_core.is_recording()) or not threads.decided


class set_grad_enabled:
    """Start or stop recording in this thread, at once; as a scope, until its end.

    Parameters
    ----------
    mode : bool
        Whether to record.

    Examples
    --------
    >>> from mixgrad import nn
    >>> with nn.set_grad_enabled(False):
    ...     print(nn.is_grad_enabled())
    False
    """

    def __init__(self, mode: bool) -> None:
        begin()
        self._before = bool(_core.set_recording(bool(mode)))

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        _core.set_recording(self._before)


class _Mode:
    """A scope, or a decorator, that records or does not; it can be entered again inside itself."""

    _mode: bool

    def __init__(self) -> None:
        self._before: list[bool] = []

    def __enter__(self) -> None:
        begin()
        self._before.append(bool(_core.set_recording(self._mode)))

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        _core.set_recording(self._before.pop())

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def resumed(*args: Any, **kwargs: Any) -> Any:
                # The scope is that of the function's own steps, not of what runs between them.
                steps = function(*args, **kwargs)
                call, value = steps.send, None
                while True:
                    try:
                        with type(self)():
                            item = call(value)
                    except StopIteration as end:
                        return end.value
                    try:
                        call, value = steps.send, (yield item)
                    except GeneratorExit:
                        with type(self)():
                            steps.close()
                        raise
                    except BaseException as error:
                        call, value = steps.throw, error

            return resumed

        @functools.wraps(function)
        def scoped(*args: Any, **kwargs: Any) -> Any:
            with type(self)():  # one for each call, since threads may call at once
                return function(*args, **kwargs)

        return scoped


class no_grad(_Mode):
    """A scope, or a decorator, in which nothing is recorded.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> layer = nn.Linear(2, 1)
    >>> with nn.no_grad():
    ...     y = layer(np.ones((1, 2)))
    >>> y.requires_grad
    False
    """

    _mode = False


inference_mode = no_grad


class enable_grad(_Mode):
    """A scope, or a decorator, in which operations are recorded, also inside :class:`no_grad`.

    Examples
    --------
    >>> from mixgrad import nn
    >>> with nn.no_grad(), nn.enable_grad():
    ...     print(nn.is_grad_enabled())
    True
    """

    _mode = True
