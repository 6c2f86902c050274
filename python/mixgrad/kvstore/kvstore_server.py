"""Servers and the scheduler of a store of several processes.

``python -m mixgrad.kvstore_server`` runs the one that ``DMLC_ROLE`` names, until all workers have left.
A script that imports mixgrad in a process with such a role becomes that server, as with MXNet: so one command
starts all processes, with different environments.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

from .. import _core
from ..ndarray import NDArray
from ..optimizer import Optimizer, Updater, get_updater, state_file
from . import _metrics, _trace, _zeromq

__all__ = ["KVStoreServer"]

_MAGIC = b"MGSTATES"
_ROLES = ("server", "scheduler")
# Set in a process that is about to be the server, which imports mixgrad as well.
_SERVING = "MIXGRAD_SERVING"


class _Rule:
    """An optimiser with the states of one stored value."""

    def __init__(self, updater: Updater) -> None:
        self._updater = updater

    def update(self, key: Any, received: NDArray, stored: NDArray) -> None:
        self._updater(key, received, stored)

    def save(self) -> bytes:
        return self._updater.get_states(dump_optimizer=True)


class _Rules:
    """Makes optimisers of data from workers and other servers; reading them runs nothing."""

    def __init__(self, is_counted: bool = False) -> None:
        self._is_counted = is_counted

    def check(self, data: bytes) -> None:
        self._read(data)

    def make(self, data: bytes) -> _Rule | _metrics.CountedRule:
        optimizer, has_states = self._read(data)
        updater = get_updater(optimizer)
        if has_states:
            updater.set_states(data)
        rule = _Rule(updater)
        return _metrics.CountedRule(rule) if self._is_counted else rule

    @staticmethod
    def _read(data: bytes) -> tuple[Optimizer, bool]:
        if not data.startswith(_MAGIC):
            raise ValueError(
                "[kvstore server] got data that are no optimiser; expected those of set_optimizer"
            )
        loaded = state_file.load(data)
        if isinstance(loaded, Optimizer):
            return loaded, False
        if isinstance(loaded, tuple) and len(loaded) == 2 and isinstance(loaded[1], Optimizer):
            return loaded[1], True
        raise ValueError(f"[kvstore server] got {type(loaded).__name__}; expected an optimiser")


class KVStoreServer:
    """The server that this process is.

    Parameters
    ----------
    kvstore : object, optional
        MXNet's scripts give a store here; it is not used.
    """

    def __init__(self, kvstore: Any = None) -> None:
        self.kvstore = kvstore

    def run(self) -> None:
        """Run until all workers have left.

        Raises
        ------
        ValueError
            ``DMLC_ROLE`` or another variable is missing or makes no sense.
        MXNetError
            The scheduler was not there in time, or the server cannot go on.
        """
        from ..distributed import replicas

        replicas.register()
        _zeromq.load()
        role, number = os.environ.get("DMLC_ROLE", ""), os.environ.get("MIXGRAD_NUMBER", "0")
        is_counted = role in _ROLES and _metrics.start(role, lambda: int(number))
        _trace.start()
        try:
            _core.kvstore_serve(_Rules(is_counted))
        finally:
            _trace.finish(role, int(number))


def _become_server() -> None:
    """Replaces this process, which is importing mixgrad with the role of a server, by that server.

    The new interpreter gets the flags and the ``sys.path`` of this one: it finds what a script here would
    find, this mixgrad first of all, and ``PYTHONPATH`` stays what it was for processes that it starts.
    """
    if os.environ.get("DMLC_ROLE") not in _ROLES or os.environ.get(_SERVING) or not sys.executable:
        return
    program = (
        f"import sys; sys.path[:] = {sys.path!r}; from mixgrad.kvstore_server import _main; sys.exit(_main())"
    )
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    flags = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
    command = [sys.executable, *flags, "-c", program]
    os.execve(sys.executable, command, {**os.environ, _SERVING: "1"})
