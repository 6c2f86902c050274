"""Addresses of machines as numbers: ZeroMQ listens at no names."""

from __future__ import annotations

import socket

from ..base import InvalidArgumentError

__all__ = ["numeric"]


def numeric(host: str, who: str) -> str:
    """The first address of a host; ``who`` begins the error's message if it has none.

    >>> from mixgrad.distributed._address import numeric
    >>> numeric("127.0.0.1", "join")
    '127.0.0.1'
    """
    try:
        return str(socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0][4][0])
    except (OSError, UnicodeError) as error:
        raise InvalidArgumentError(f"[{who}] cannot find the address of {host!r}: {error}") from None
