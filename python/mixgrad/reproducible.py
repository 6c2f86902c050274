"""Equal bits whatever the number of threads."""

from __future__ import annotations

from types import TracebackType

from . import _core

__all__ = ["deterministic", "is_deterministic"]


def is_deterministic() -> bool:
    """Whether only kernels run whose results have equal bits with any number of threads."""
    return bool(_core.deterministic())


class deterministic:
    """Chooses kernels whose results have equal bits with any number of threads, for the whole process.

    All of this library's own do, so nothing changes but where another library would compute: it is left out.
    The choice takes effect at once and stays; as a ``with`` statement's scope, until its end. Work under way
    ends first.

    Parameters
    ----------
    on : bool
        False lets other libraries compute again.

    Examples
    --------
    >>> import mixgrad as mx
    >>> with mx.deterministic(True):
    ...     mx.is_deterministic()
    True
    >>> mx.is_deterministic()
    False
    """

    def __init__(self, on: bool = True) -> None:
        self._before = _core.deterministic()
        _core.set_deterministic(int(bool(on)))

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _core.set_deterministic(self._before)
