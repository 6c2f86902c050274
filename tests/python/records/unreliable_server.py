"""An HTTP server on loopback that fails, stalls or cuts some of its answers short."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Server(ThreadingHTTPServer):
    """Serves ``content`` by ranges. Every ``every``-th answer to a request for bytes goes wrong, in turn:
    status 503, a stall, and half of the bytes."""

    daemon_threads = True

    def __init__(
        self, content: bytes, every: int = 10, kinds: tuple[str, ...] = ("fail", "stall", "cut")
    ) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.content, self.every, self.kinds = content, every, kinds
        self.lock = threading.Lock()
        self.requests = 0
        self.ranges: list[tuple[int, int]] = []
        self.went_wrong: list[str] = []
        self.closed = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/data.rec"

    def fate(self, begin: int, end: int) -> str:
        with self.lock:
            self.requests += 1
            self.ranges.append((begin, end))
            if not self.every or self.requests % self.every:
                return "answer"
            fate = self.kinds[len(self.went_wrong) % len(self.kinds)]
            self.went_wrong.append(fate)
            return fate

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that go away are no news."""


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        if self.path != "/data.rec":
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.server.content)))
        self.send_header("Accept-Ranges", "bytes")
        self.end_headers()

    def do_GET(self) -> None:
        if self.path != "/data.rec":
            self.send_error(404)
            return
        size = len(self.server.content)
        span = self.headers.get("Range")
        begin, last = (
            (int(x or size - 1) for x in span.removeprefix("bytes=").split("-")) if span else (0, size - 1)
        )
        end = min(last + 1, size)
        fate = self.server.fate(begin, end)
        if fate == "fail":
            self.send_error(503)
            return
        if fate == "stall":
            self.server.closed.wait(30)
            self.close_connection = True
            return
        self.send_response(206 if span else 200)
        self.send_header("Content-Length", str(end - begin))
        if span:
            self.send_header("Content-Range", f"bytes {begin}-{end - 1}/{size}")
        self.end_headers()
        content = self.server.content[begin:end]
        self.wfile.write(content[: len(content) // 2] if fate == "cut" else content)
        if fate == "cut":
            self.close_connection = True

    def log_message(self, format: str, *arguments: Any) -> None:
        """Nothing is printed."""


@contextmanager
def serve(content: bytes, **options: Any) -> Iterator[Server]:
    server = Server(content, **options)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closed.set()
        server.shutdown()
        server.server_close()
        thread.join(10)
        time.sleep(0)
