"""A port for the scheduler that nobody else is given meanwhile."""

from __future__ import annotations

import errno
import random
import socket
from types import TracebackType

__all__ = ["LASTING_PORTS", "HeldPort"]

LASTING_PORTS = range(20000, 32000)  # below those that systems give out by themselves


class HeldPort:
    """A free port, reserved until it is closed.

    The socket is bound and does not listen, with SO_REUSEADDR: the system gives the port to nobody who asks
    for any, and whoever binds it by its number with that option, as ZeroMQ does, gets it. So it can be named
    to a process that starts later, or again.

    With ``is_lasting`` the port is one that systems give to nobody who asks for any: it stays free, as far as
    one can know, when the process that holds it is killed.

    Examples
    --------
    >>> from mixgrad.distributed._port import HeldPort
    >>> with HeldPort("127.0.0.1") as port, HeldPort("127.0.0.1", is_lasting=True) as lasting:
    ...     port.number > 0, 20000 <= lasting.number < 32000
    (True, True)
    """

    def __init__(self, host: str, is_lasting: bool = False) -> None:
        # Numbers of the system's own generator: a program's seed must not make its trainings meet at a port.
        numbers = random.SystemRandom().sample(LASTING_PORTS, len(LASTING_PORTS)) if is_lasting else [0]
        for number in numbers:
            self._socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
            try:
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                self._socket.bind((host, number))
                self.number: int = self._socket.getsockname()[1]
                return
            except OSError as error:
                self._socket.close()
                if error.errno != errno.EADDRINUSE or number == numbers[-1]:
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
