"""What a process of a store of several processes counts, as text for Prometheus on a port, if asked for.

``MIXGRAD_METRICS_PORT`` is the port of the scheduler; servers have the ones after it, then workers, each by
its number. They listen on loopback, or at ``MIXGRAD_METRICS_HOST``.
"""

from __future__ import annotations

import math
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable

import numpy as np

__all__ = ["CountedRule", "CountedStore", "port_of", "start"]

_HOST, _PORT = "MIXGRAD_METRICS_HOST", "MIXGRAD_METRICS_PORT"
_CLIENT_SECONDS = 5.0


def port_of(first: int, role: str, number: int, servers: int) -> int:
    """The port of a process.

    >>> from mixgrad.kvstore._metrics import port_of
    >>> [port_of(9100, *one, 2) for one in (("scheduler", 0), ("server", 1), ("worker", 0))]
    [9100, 9102, 9103]
    """
    places = {"scheduler": 0, "server": 1 + number, "worker": 1 + servers + number}
    return first + places[role]


def _bytes_of(array: Any) -> int:
    return int(math.prod(array.shape) * np.dtype(array.dtype).itemsize)


class _Counts:
    """Numbers of this process by name; one of them per process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._totals: Counter[str] = Counter()
        self._by_key: Counter[Any] = Counter()
        self._begin = time.monotonic()
        self.is_listening = False

    def add(self, **more: float) -> None:
        with self._lock:
            for name, value in more.items():
                self._totals[name] += value  # type: ignore[assignment]

    def updated(self, keys: Iterable[Any]) -> None:
        with self._lock:
            self._by_key.update(keys)

    def text(self, role: str, number: int) -> str:
        """The page, in Prometheus' text format."""
        with self._lock:
            numbers: dict[str, float] = {f"{name}_total": value for name, value in self._totals.items()}
            numbers["keys"] = len(self._by_key)
            numbers["rounds"] = max(self._by_key.values(), default=0)
        numbers["uptime_seconds"] = round(time.monotonic() - self._begin, 3)
        for name in ("WORKER", "SERVER"):
            numbers[f"{name.lower()}s"] = int(os.environ.get(f"DMLC_NUM_{name}", "0"))
        labels = f'{{role="{role}",number="{number}"}}'
        lines = []
        for name, value in sorted(numbers.items()):
            kind = "counter" if name.endswith("_total") else "gauge"
            lines.append(f"# TYPE mixgrad_{name} {kind}\nmixgrad_{name}{labels} {value:g}\n")
        return "".join(lines)


_counts = _Counts()


class CountedStore:
    """A store of the core whose calls are counted."""

    def __init__(self, store: Any) -> None:
        self._inner = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def _pushed(self, keys: list[Any], values: list[Any]) -> None:
        _counts.updated(set(keys))
        _counts.add(pushes=len(set(keys)), pushed_bytes=sum(map(_bytes_of, dict(zip(keys, values)).values())))

    def _pulled(self, keys: list[Any], outs: list[Any]) -> None:
        _counts.add(pulls=len(keys), pulled_bytes=sum(map(_bytes_of, outs)))

    def push(self, keys: list[Any], values: list[Any], priority: int) -> None:
        self._inner.push(keys, values, priority)
        self._pushed(keys, values)

    def pull(self, keys: list[Any], outs: list[Any], priority: int) -> None:
        self._inner.pull(keys, outs, priority)
        self._pulled(keys, outs)

    def push_pull(
        self, keys: list[Any], values: list[Any], out_keys: list[Any], outs: list[Any], priority: int
    ) -> None:
        self._inner.push_pull(keys, values, out_keys, outs, priority)
        self._pushed(keys, values)
        self._pulled(out_keys, outs)


class CountedRule:
    """A server's rule whose updates are counted."""

    def __init__(self, rule: Any) -> None:
        self._rule = rule

    def update(self, key: Any, received: Any, stored: Any) -> None:
        self._rule.update(key, received, stored)
        _counts.updated([key])
        _counts.add(updates=1, updated_bytes=_bytes_of(stored))

    def save(self) -> bytes:
        data: bytes = self._rule.save()
        return data


def _page(role: str, number: int) -> type[BaseHTTPRequestHandler]:
    class Page(BaseHTTPRequestHandler):
        timeout = _CLIENT_SECONDS

        def do_GET(self) -> None:
            body = _counts.text(role, number).encode()
            is_there = self.path in ("/", "/metrics")
            self.send_response(200 if is_there else 404)
            self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
            self.send_header("Content-Length", str(len(body) if is_there else 0))
            self.end_headers()
            if is_there:
                self.wfile.write(body)

        def log_message(self, format: str, *words: Any) -> None:
            """Nothing: who asks is of no interest on the training's error output."""

    return Page


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True


def start(role: str, number: Callable[[], int]) -> bool:
    """Listen, if the environment asks for it; whether there is something to count."""
    first = os.environ.get(_PORT)
    if not first:
        return False
    if _counts.is_listening:
        return True
    try:
        own = number()
        port = port_of(int(first), role, own, int(os.environ.get("DMLC_NUM_SERVER", "0")))
        listener = _Listener((os.environ.get(_HOST, "127.0.0.1"), port), _page(role, own))
    except (OSError, OverflowError, ValueError) as error:
        # Nobody's training ends because nobody can look at it.
        print(f"mixgrad: {role}: no numbers at the port of {_PORT}={first}: {error}", file=sys.stderr)
        return False
    threading.Thread(target=listener.serve_forever, name="mixgrad metrics", daemon=True).start()
    _counts.is_listening = True
    return True
