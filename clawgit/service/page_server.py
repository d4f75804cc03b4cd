"""The web page's port and thread; its modules are loaded at the first request."""

from __future__ import annotations

import asyncio
import gc
import secrets
import select
import socket
import threading
from contextlib import suppress
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.errors import ClawgitError, ConfigurationError
from clawgit.page.sign_in import SignIn
from clawgit.service.http_server import check_packages, listening, make_server
from clawgit.service.service_log import Event
from clawgit.service.sockets import private_folder
from clawgit.workspace.safe_files import write_private

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from clawgit.page.page_answers import ServedPage

ADDRESS = "page.address"
LINK, REVOKE = "page.link", "page.revoke"  # what `clawgit page` asks the service
_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
_END_SECONDS = 5.0


class PageAddress(NamedTuple):
    """The name and the port of this account's page; both are kept."""

    name: str
    port: int

    @property
    def host(self) -> str:
        return f"{self.name}.localhost:{self.port}"


class PageServer:
    """Listens on the account's port of 127.0.0.1; ``tell`` gets the reason if it cannot."""

    def __init__(self, folder: Path, served: ServedPage, tell: Callable[[Event], None]) -> None:
        check_packages("The page", "page", "starlette", "uvicorn", "jinja2")
        self._served = served
        self._tell = tell
        self.sign_in = SignIn()
        private_folder(folder)
        path = folder / ADDRESS
        earlier = _read_address(path)
        try:
            listener = listening(earlier.port)
        except ConfigurationError:
            listener = listening(0)
        address = earlier._replace(port=listener.getsockname()[1])
        if address != earlier:
            write_private(path, f"{address.name} {address.port}\n")
        self._listener, self.address = listener, address
        self._wake, self._woken = socket.socketpair()
        self._server: Any = None
        self._thread = threading.Thread(target=self._stay, name="page", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def link(self, root: Path | None) -> str:
        """Return an address that signs one browser in, once, and opens a workspace."""
        leads_to = "/"
        if root is not None:
            by_root = {folder: name for name, folder in self._served.workspaces().items()}
            if root not in by_root:
                hint = f"`clawgit up {quote(str(root))}` registers it."
                raise ClawgitError(f"{root} is not registered, so the page does not show it.", hint=hint)
            if self._served.look(root).settings.page == "off":
                hint = "`clawgit config set page on` lets the page show it."
                raise ClawgitError("The setting `page` is off in this workspace.", hint=hint)
            if root != next(iter(by_root)):
                leads_to = f"/@{by_root[root]}/"
        return f"http://{self.address.host}/in/{self.sign_in.new_code(leads_to)}"

    def close(self) -> None:
        self.sign_in.revoke()
        if self._server is not None:
            self._server.force_exit = self._server.should_exit = True
        with suppress(OSError):
            self._wake.send(b".")
        if self._thread.is_alive():
            self._thread.join(_END_SECONDS)
        for each in (self._listener, self._wake, self._woken):
            each.close()

    def _stay(self) -> None:
        ready, _, _ = select.select([self._listener, self._woken], [], [])
        if self._woken in ready:
            return
        try:
            from clawgit.page.page_app import page_app

            gc.freeze()  # what is loaded stays: looking through it for garbage takes 50 ms of a visit now and then
            self._server = make_server(page_app(self._served, self.sign_in, self.address.host))
            asyncio.run(self._server.serve(sockets=[self._listener]))
        except Exception as error:  # noqa: BLE001 - the boundary of this thread: the service goes on without the page
            text = f"The page does not answer any more. {self._served.report_bug(error)}"
            self._tell(Event("failed", text))


def _read_address(path: Path) -> PageAddress:
    with suppress(OSError, ValueError):
        name, port = path.read_text("ascii").split()
        if set(name) <= set(_LETTERS) and 0 < int(port) < 65536:
            return PageAddress(name, int(port))
    return PageAddress("".join(map(secrets.choice, [_LETTERS] * 6)), 0)
