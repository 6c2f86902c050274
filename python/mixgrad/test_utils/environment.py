"""The surroundings of a test: device, environment variables, expected exceptions, repetition."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Iterator, Mapping
from typing import Any, Callable, TypeVar

from .. import _core
from ..context import Context, current_context, num_gpus

__all__ = [
    "assert_exception",
    "default_context",
    "environment",
    "list_gpus",
    "retry",
    "set_default_context",
    "simulated_gpus",
]

F = TypeVar("F", bound=Callable[..., Any])
_DEFAULT: list[Context] = []


def default_context() -> Context:
    """Return the device that the helpers of this module use: the one set, or else the current one."""
    return _DEFAULT[0] if _DEFAULT else current_context()


def set_default_context(ctx: Context | None) -> None:
    """Set the device that the helpers of this module use; None goes back to the current one.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.test_utils.set_default_context(mx.cpu(0))
    >>> mx.test_utils.default_context()
    cpu(0)
    >>> mx.test_utils.set_default_context(None)
    """
    _DEFAULT[:] = [] if ctx is None else [ctx]


def list_gpus() -> range:
    """Return the numbers of the GPUs that can be used."""
    return range(num_gpus())


@contextlib.contextmanager
def simulated_gpus(count: int, *, memory: int = 1 << 32, seed: int = 1) -> Iterator[list[Context]]:
    """Within the block ``mx.gpu(0)`` to ``mx.gpu(count - 1)`` are simulated cards.

    The block is given their contexts.

    They compute what the CPU computes, late and beside the host, in memory that the host cannot touch:
    programs for several devices are tested on a machine without any. Arrays on them must not be used after
    the block.

    Parameters
    ----------
    count : int
        How many, 0 to 16.
    memory : int
        Bytes of memory of each.
    seed : int
        Of the delays.

    Raises
    ------
    UnsupportedError
        Where the system cannot protect memory.

    Examples
    --------
    >>> import mixgrad as mx
    >>> with mx.test_utils.simulated_gpus(2) as gpus:
    ...     x = mx.nd.ones((2, 3), ctx=gpus[0])
    ...     print((x + x).as_in_context(gpus[1]).sum().asscalar())
    12.0
    """
    _core.device_simulate(count, memory, seed)
    try:
        yield [Context("gpu", i) for i in range(count)]
    finally:
        _core.device_simulate(0, memory, seed)


def assert_exception(
    f: Callable[..., Any], exception_type: type[BaseException], *args: Any, **kwargs: Any
) -> None:
    """Check that ``f(*args, **kwargs)`` raises ``exception_type``; other exceptions pass through.

    Examples
    --------
    >>> from mixgrad import test_utils
    >>> test_utils.assert_exception(int, ValueError, "x")
    """
    try:
        result = f(*args, **kwargs)
    except exception_type:
        return
    raise AssertionError(f"expected {exception_type.__name__}, but {f!r} returned {result!r}")


@contextlib.contextmanager
def environment(*args: Any) -> Iterator[None]:
    """Set environment variables inside a ``with`` block.

    Parameters
    ----------
    *args : str and str or None, or one mapping
        A name and its value, or a mapping of names to values; None removes the variable.

    Examples
    --------
    >>> import os
    >>> from mixgrad import test_utils
    >>> with test_utils.environment("MIXGRAD_EXAMPLE", "1"):
    ...     os.environ["MIXGRAD_EXAMPLE"]
    '1'
    >>> "MIXGRAD_EXAMPLE" in os.environ
    False
    """
    if len(args) == 1 and isinstance(args[0], Mapping):
        wanted = dict(args[0])
    elif len(args) == 2 and isinstance(args[0], str):
        wanted = {args[0]: args[1]}
    else:
        raise TypeError(f"[environment] expected a name and a value, or a mapping, got {args!r}")
    before = {name: os.environ.get(name) for name in wanted}
    try:
        _set(wanted)
        yield
    finally:
        _set(before)


def _set(variables: Mapping[str, str | None]) -> None:
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def retry(n: int) -> Callable[[F], F]:
    """Return a decorator for tests of random results: up to ``n`` attempts, of which one must pass.

    Only ``AssertionError`` leads to another attempt.
    """
    if n < 1:
        raise ValueError(f"[retry] expected at least 1 attempt, got {n}")

    def decorate(test: F) -> F:
        @functools.wraps(test)
        def attempts(*args: Any, **kwargs: Any) -> Any:
            for _ in range(n - 1):
                try:
                    return test(*args, **kwargs)
                except AssertionError:
                    continue
            return test(*args, **kwargs)

        return attempts  # type: ignore[return-value]

    return decorate
