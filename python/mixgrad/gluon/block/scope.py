"""Names and prefixes of blocks: what ``with block.name_scope():`` puts in force."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Any, Optional

from ... import name as naming
from ..parameter import ParameterDict

__all__ = ["_BlockScope"]


class _Current(threading.local):
    value: Optional[_BlockScope] = None


class _BlockScope:
    """The names of the children of one block; each thread has its own scope in force.

    Parameters
    ----------
    block : Block
        Whose prefix names inside the scope begin with.
    """

    _current = _Current()

    def __init__(self, block: Any) -> None:
        self._block = block
        self._counter: dict[str, int] = {}
        self._before: list[Optional[_BlockScope]] = []

    @staticmethod
    def create(
        prefix: Optional[str], params: Optional[ParameterDict], hint: str
    ) -> tuple[str, ParameterDict]:
        """The prefix of a new block, and the dictionary of its parameters.

        Parameters
        ----------
        prefix : str, optional
            Its own prefix; ``hint`` and a number by default.
        params : ParameterDict, optional
            Parameters to share.
        hint : str
            What blocks of its kind are called.
        """
        if prefix is not None and not isinstance(prefix, str):
            raise TypeError(f"[Block] prefix is {prefix!r:.60}; expected text")
        if params is not None and not isinstance(params, ParameterDict):
            raise TypeError(f"[Block] params is {type(params).__name__}; expected a ParameterDict")
        scope = _BlockScope._current.value
        if scope is None:
            if prefix is None:
                prefix = naming.current().get(None, hint) + "_"
            made = ParameterDict(prefix) if params is None else ParameterDict(params.prefix, params)
            return prefix, made
        if prefix is None:
            number = scope._counter.get(hint, 0)
            scope._counter[hint] = number + 1
            prefix = f"{hint}{number}_"
        if params is None:
            parent = scope._block.params
            made = ParameterDict(parent.prefix + prefix, parent._shared)
        else:
            made = ParameterDict(params.prefix, params)
        return scope._block.prefix + prefix, made

    def __enter__(self) -> _BlockScope:
        if not self._block._empty_prefix:
            self._before.append(self._current.value)
            self._current.value = self
            self._names = naming.Prefix(self._block.prefix)
            self._names.__enter__()
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if not self._block._empty_prefix:
            self._names.__exit__(kind, value, trace)
            self._current.value = self._before.pop()
