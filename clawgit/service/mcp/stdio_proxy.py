"""`clawgit mcp`: a line for a client's line over stdin and stdout, with the service behind it.

A client waits a moment for a server and then goes on without it. So this process imports Python's own modules alone,
answers what it can, and asks the service for the rest, which it starts if need be. Only the protocol goes to stdout.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from clawgit.client import connected, reply_of, service_folder
from clawgit.errors import ExitCode
from clawgit.service.mcp.protocol import NO_JSON, McpSession, ServiceCall, refusal
from clawgit.text.strict_json import strict_json

if TYPE_CHECKING:
    from collections.abc import Mapping

REQUESTS: Final = "requests.sock"
START_SECONDS: Final = 60.0  # that the service has to start
ANSWER_SECONDS: Final = 60.0
LONGEST_LINE: Final = 4 * 1024 * 1024
_STAYS: Final = b"clawgit's service was started, and stays when this ends; `clawgit down` ends it.\n"
OF_A_SESSION = ("memory.search", "memory.get", "context")  # in a group they answer from what was said there


class Proxy:
    """Answers the client at the other end of ``output``; ``speaker`` are the parameters that say who asks the service."""

    def __init__(
        self,
        session: McpSession,
        speaker: Mapping[str, str],
        environment: Mapping[str, str],
        output: BinaryIO,
    ) -> None:
        self._session = session
        self._speaker = speaker
        self._environment = environment
        self._output = output
        self._writing = threading.Lock()
        self._starting = threading.Lock()
        self._started: StartedService | None = None
        self._asked: set[threading.Thread] = set()

    def serve(self, lines: BinaryIO) -> None:
        for line in iter(lambda: lines.readline(LONGEST_LINE), b""):
            if line.strip():
                self._take(line)
        for each in list(self._asked):
            each.join()

    def _take(self, line: bytes) -> None:
        try:
            message = strict_json(line)
        except (ValueError, RecursionError):
            self._say(refusal(None, NO_JSON, "This line is no JSON."))
            return
        for each in message if isinstance(message, list) and message else [message]:
            taken = self._session.take(each)
            if isinstance(taken, ServiceCall):
                thread = threading.Thread(target=self._ask, args=(taken,), daemon=True)
                self._asked.add(thread)
                thread.start()
            elif taken is not None:
                self._say(taken)

    def _ask(self, call: ServiceCall) -> None:
        params = {**call.params, **self._speaker}
        session = self._environment.get("CLAWGIT_SESSION")
        if session and call.method in OF_A_SESSION:
            params["session"] = session
        request = {"jsonrpc": "2.0", "id": 1, "method": call.method, "params": params}
        try:
            line = json.dumps(request).encode() + b"\n"
            with closing(self._connection()) as connection:
                reply = json.loads(reply_of(connection, line, ANSWER_SECONDS))
        except (OSError, ValueError) as error:
            data = {"hint": "Go on without memory, and tell your operator: `clawgit up`."}
            reply = {"error": {"message": f"clawgit's service did not answer ({error}).", "data": data}}
        self._say(call.answer(reply))
        self._asked.discard(threading.current_thread())

    def _connection(self) -> Any:
        path = f"{service_folder(self._environment)}/{REQUESTS}"
        with suppress(OSError):
            return connected(path)
        with self._starting:
            if self._started is None:
                self._started = StartedService(self._environment)
                with suppress(OSError):
                    os.write(2, _STAYS)
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until and not self._started.has_failed:
            with suppress(OSError):
                return connected(path)
            time.sleep(0.05)
        raise OSError(f"it does not start: {self._started.complaint()}")

    def _say(self, message: Mapping[str, Any]) -> None:
        data = json.dumps(message, ensure_ascii=True).encode() + b"\n"
        with self._writing, suppress(OSError, ValueError):
            self._output.write(data)
            self._output.flush()


class StartedService:
    """The account's service, started to outlive this process; a second service refuses to run."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        import subprocess
        from tempfile import mkstemp

        # The host's signs do not belong to the service.
        signs = ("CLAUDE", "CODEX_", "OPENCLAW", "CLAWGIT_")
        self._complaint, name = mkstemp()  # a pipe would end the service's messages with this process
        os.unlink(name)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "clawgit", "up"],
            cwd="/",
            env={name: value for name, value in environment.items() if not name.startswith(signs)},
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._complaint,
        )

    @property
    def has_failed(self) -> bool:
        """Say whether it ended, for another reason than a running service."""
        return self._process.poll() not in (None, ExitCode.BUSY)

    def complaint(self) -> str:
        lines = os.pread(self._complaint, 1 << 20, 0).decode("utf-8", "replace").split("\n")
        return next(filter(None, map(str.strip, reversed(lines))), "it says nothing")


def serve_stdio(speaker: Mapping[str, str], tools: str, environment: Mapping[str, str]) -> int:
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # other output would break the protocol
    Proxy(McpSession(tools), speaker, environment, output).serve(sys.stdin.buffer)
    return 0
