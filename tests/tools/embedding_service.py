"""A real service for embeddings on this machine that answers as it is told: well, slowly, wrongly, not at all."""

from __future__ import annotations

import hashlib
import json
import re
import socket
import threading
from collections import deque
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


SAY_NOTHING = frozenset(
    [
        "the",
        "is",
        "a",
        "of",
        "to",
        "do",
        "i",
        "what",
        "how",
        "who",
        "in",
        "on",
        "with",
        "did",
        "when",
        "which",
        "for",
        "all",
        "at",
        "and",
        "does",
    ]
)


def meaning(text: str, dimension: int = 64, same: dict[str, str] | None = None) -> list[float]:
    """Return a row that two texts share in so far as they share words; ``same`` maps a word to its synonym."""
    row = [0.0] * dimension
    for word in re.findall(r"\w+", text.lower()):
        if word in SAY_NOTHING:
            continue
        digest = hashlib.sha256((same or {}).get(word, word).encode()).digest()
        row[digest[0] % dimension] += 1.0 if digest[1] % 2 else -1.0
    return row


@dataclass
class Script:
    """What the service does with the next requests; without an entry, it answers well."""

    url: str = ""
    dimension: int = 64
    same: dict[str, str] = field(default_factory=dict)
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    next: deque[Any] = field(default_factory=deque)
    always: Any = None
    stopped: threading.Event = field(default_factory=threading.Event)

    def texts(self) -> list[str]:
        return [text for request in self.requests for text in request["body"]["input"]]

    def rows(self, body: Any, dimension: int = 0) -> list[list[float]]:
        return [meaning(text, dimension or self.dimension, self.same) for text in body["input"]]

    def good(self, to: BaseHTTPRequestHandler, body: Any, dimension: int = 0) -> None:
        rows = self.rows(body, dimension)
        if to.path.endswith("/api/embed"):
            self.send(to, {"embeddings": rows})
        else:
            items = [{"index": n, "embedding": row} for n, row in enumerate(rows)]
            self.send(to, {"data": items[::-1]})  # the order is in the index

    def send(self, to: BaseHTTPRequestHandler, said: Any, status: int = 200, **headers: str) -> None:
        data = said if isinstance(said, bytes) else json.dumps(said).encode()
        to.send_response(status)
        to.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            to.send_header(name.replace("_", "-"), value)
        to.end_headers()
        to.wfile.write(data)

    def status(self, code: int, said: Any = b"", **headers: str) -> Any:
        return lambda to, _: self.send(to, said, code, **headers)

    def raw(self, said: Any) -> Any:
        return lambda to, _: self.send(to, said)

    def slow(self) -> Any:
        """Say nothing until the test is over."""
        return lambda *_: self.stopped.wait()

    def drip(self) -> Any:
        """Send one byte after the other until the test is over."""

        def answer(to: BaseHTTPRequestHandler, _: Any) -> None:
            to.send_response(200)
            to.send_header("Content-Length", "1000000")
            to.end_headers()
            while not self.stopped.wait(0.02):
                to.wfile.write(b" ")
                to.wfile.flush()

        return answer

    def drop(self, to: BaseHTTPRequestHandler, _: Any) -> None:
        to.connection.shutdown(socket.SHUT_RDWR)

    def half(self, to: BaseHTTPRequestHandler, body: Any) -> None:
        """Promise more than is sent."""
        data = json.dumps({"data": [], "embeddings": self.rows(body)}).encode()
        to.send_response(200)
        to.send_header("Content-Length", str(len(data)))
        to.end_headers()
        to.wfile.write(data[: len(data) // 2])
        to.wfile.flush()
        to.connection.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def service() -> Iterator[Script]:
    """Return the script of a service that runs for the length of the test."""
    script = Script()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.do_POST()

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"] or 0)) or b"{}")
            script.requests.append({"path": self.path, "body": body})
            script.headers.append(dict(self.headers))
            answer = script.next.popleft() if script.next else script.always or script.good
            try:
                answer(self, body)
            except (BrokenPipeError, ConnectionResetError):
                return

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    script.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield script
    script.stopped.set()
    server.shutdown()
    server.server_close()
    thread.join()
