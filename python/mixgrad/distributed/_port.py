"""A port for the scheduler that nobody else is given meanwhile."""

from __future__ import annotations

import socket
from types import TracebackType

__all__ = ["HeldPort"]


class HeldPort:
    """A free port, reserved until it is closed.

    The socket is bound and does not listen, with SO_REUSEADDR: the system gives the port to nobody who asks
    for any, and whoever binds it by its number with that option, as ZeroMQ does, gets it. So it can be named
    to a process that starts later, or again.

    Examples
    --------
    >>> from mixgrad.distributed._port import HeldPort
    >>> with HeldPort("127.0.0.1") as port:
    ...     port.number > 0
    True
    """

    def __init__(self, host: str) -> None:
        self._socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        try:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._socket.bind((host, 0))
            self.number: int = self._socket.getsockname()[1]
        except OSError:
            self._socket.close()
            raise

    def close(self) -> None:
        """Give it up; who listens there is not affected."""
        self._socket.close()

    def __enter__(self) -> HeldPort:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
