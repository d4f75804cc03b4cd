"""A service of the test's own, in a process of its own, with the times that the test wants."""

from __future__ import annotations

import http.client
import json
import multiprocessing
import os
import signal
import socket
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from clawgit.cli.app import App
from clawgit.cli.service.workings import service_workings
from clawgit.errors import ClawgitError
from clawgit.operations.status import folder_of, read_standing
from clawgit.runner.resident_runner import Times
from clawgit.service.daemon import REQUESTS, ResidentService
from clawgit.service.service_log import read_log
from clawgit.service.sockets import address_of
from clawgit.workspace.user.workspace_registry import register

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from multiprocessing.process import BaseProcess
    from pathlib import Path

    from clawgit.service.daemon import Workings

    Changed = Callable[[App, Workings], Workings]

FORK = multiprocessing.get_context("fork")
HANGS = 120  # seconds: less than what ends the test, which would leave the process behind
# Edits are not kept by themselves: a test that edits would race with it.
QUICK = Times(
    look=0.05, quiet=3600.0, reconcile=3600.0, retry=0.05, longest_retry=0.2, stale=3600.0, finish=60.0
)


def until(happened: Callable[[], object]) -> Any:
    """Wait for something, and return it; a test that waits in vain fails here."""
    limit = time.monotonic() + HANGS
    while not (found := happened()):
        if time.monotonic() > limit:
            raise TimeoutError(happened)
        time.sleep(0.01)
    return found


def line_with(said: Iterable[str], words: str) -> str:
    """Return the first line that holds the words; a program that ends without saying them fails the test."""
    for line in said:
        if words in line:
            return line
    raise AssertionError(f"It ended and did not say {words!r}.")


class Client:
    """A connection to the service's socket."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(HANGS)
        try:
            with address_of(path) as address:
                self.socket.connect(address)
        except OSError:
            self.socket.close()
            raise
        self._lines = self.socket.makefile("rb")

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def line(self) -> Any:
        """Return the next answer, None where the service has closed the connection."""
        said = self._lines.readline()
        return json.loads(said) if said else None

    def ask(self, method: str, **params: Any) -> Any:
        """Return the whole answer to a request."""
        request = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
        self.send(json.dumps(request).encode() + b"\n")
        return self.line()

    def close(self) -> None:
        self._lines.close()
        self.socket.close()


@dataclass
class Running:
    """The service, and what a test asks of it."""

    folder: Path
    process: BaseProcess
    clients: list[Client] = field(default_factory=list)

    @property
    def pid(self) -> int:
        assert self.process.pid is not None
        return self.process.pid

    @property
    def requests(self) -> Path:
        return self.folder / REQUESTS

    def client(self) -> Client:
        client = until(self._connected)
        self.clients.append(client)
        return client

    def _connected(self) -> Client | None:
        try:
            return Client(self.requests)
        except OSError:
            return None

    def told(self, kind: str) -> list[str]:
        """Return the sentences of one kind that were logged."""
        return [said["text"] for said in read_log(self.folder) if said["kind"] == kind]

    def http_address(self) -> str:
        """Return where it answers over HTTP, once it does."""
        standing = until(lambda: read_standing(self.folder))
        self.wait_for("http")
        return standing.http.removeprefix("http://")

    def wait_for(self, kind: str, words: str = "") -> str:
        """Wait until something of a kind is logged that holds the words."""
        return until(lambda: next((text for text in self.told(kind) if words in text), ""))

    def end(self, number: int = signal.SIGTERM) -> int | None:
        """Send a signal, wait for the end, and return the exit status."""
        os.kill(self.pid, number)
        self.process.join(HANGS)
        return self.process.exitcode


def as_they_are(_app: App, workings: Workings) -> Workings:
    """Change nothing of what the service works with."""
    return workings


@pytest.fixture
def start_service(room, tmp_path) -> Iterator[Callable[..., Running]]:
    """Return a function that starts a service that looks after the workspace."""
    running: list[Running] = []

    def start(
        times: Times = QUICK,
        *,
        registered: bool = True,
        http: int | None = None,
        changed: Changed = as_they_are,
    ) -> Running:
        app = App(dict(os.environ))
        if registered:
            register(app.registry_file, "main", room.root)
        process = FORK.Process(
            target=serve, args=(times, str(tmp_path / f"service-{len(running)}.out"), http, changed)
        )
        process.start()
        found = Running(folder_of(os.environ), process)
        running.append(found)
        until(lambda: not process.is_alive() or (read_standing(found.folder) and found.requests.exists()))
        return found

    yield start
    for each in running:
        for client in each.clients:
            client.close()
        if each.process.is_alive():
            each.end(signal.SIGKILL)


def serve(times: Times, out: str, http: int | None, changed: Changed = as_they_are) -> None:
    """Be the service; what it says goes to a file, its refusal to start is its exit status."""
    handle = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for number in (1, 2):
        os.dup2(handle, number)
    sys.stdout, sys.stderr = os.fdopen(1, "w", closefd=False), os.fdopen(2, "w", 1, closefd=False)
    app = App(dict(os.environ))
    workings = service_workings(app, [], http)._replace(warm_up=lambda _folder: None)
    try:
        ResidentService(folder_of(os.environ), changed(app, workings), lambda _event: None, times).run()
    except ClawgitError as error:
        sys.stderr.write(f"{error}\n")
        sys.stderr.flush()
        os._exit(int(error.exit_code))
    # then it ends as a program does: Python waits for its threads


def posted(
    address: str, headers: dict[str, str], body: bytes, path: str = "/rpc", method: str = "POST"
) -> tuple[int, bytes, dict[str, str]]:
    """Return status, body and headers of the answer; nothing is sent that is not given."""
    connection = http.client.HTTPConnection(address, timeout=60)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in {**headers, "Content-Length": str(len(body))}.items():
        connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    said = answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()}
    connection.close()
    return said


def right(address: str, token: str) -> dict[str, str]:
    return {"Host": address, "Authorization": f"Bearer {token}", "Content-Type": "application/json"}
