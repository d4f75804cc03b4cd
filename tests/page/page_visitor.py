"""Talking to the page as a browser does: with the headers that are given and no others."""

from __future__ import annotations

import http.client
import re
from dataclasses import dataclass, field
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from clawgit.cli.service.page_operations import served_by

if TYPE_CHECKING:
    from clawgit.page.page_answers import ServedPage
    from clawgit.service.page_server import PageServer

REHEARSED = {"CLAWGIT_NOW": "2026-03-19T10:22:00+00:00", "CLAWGIT_REHEARSE": "1"}
FORM = "application/x-www-form-urlencoded"


@dataclass
class Shown:
    """An answer of the page's."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    def token(self, verb: str, what: str) -> str:
        """Return what the form of one button bears."""
        pattern = rf'/do/{verb}"[^>]*>\s*<input type="hidden" name="what" value="([^"]*)"><input type="hidden" name="token" value="(\w+)"'
        for named, token in re.findall(pattern, self.text):
            if unescape(named) == what:
                return token
        raise AssertionError(f"There is no button {verb} for {what!r}.")


@dataclass
class Visitor:
    """Somebody who talks to the page of ``server`` as a browser does."""

    server: PageServer
    cookie: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def host(self) -> str:
        return self.server.address.host

    def ask(self, path: str, method: str = "GET", body: bytes = b"", **headers: str | None) -> Shown:
        """Ask for a path; a header that is None is left out."""
        given: dict[str, str | None] = {"Host": self.host, **self.headers}
        if self.cookie:
            given["Cookie"] = self.cookie
        if body or method == "POST":
            given["Content-Length"] = str(len(body))
        for name, value in headers.items():
            given[name.replace("_", "-").title()] = value
        connection = http.client.HTTPConnection("127.0.0.1", self.server.address.port, timeout=60)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in given.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        shown = Shown(
            answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        )
        connection.close()
        return shown

    def enter(self, link: str) -> Shown:
        """Open a link, and keep the cookie."""
        shown = self.ask(link.removeprefix(f"http://{self.host}"))
        self.cookie = shown.headers.get("set-cookie", "").partition(";")[0]
        return shown

    def post(self, path: str, fields: dict[str, str], **headers: str | None) -> Shown:
        """Send a form as a browser does from a page of our own."""
        own: dict[str, str | None] = {
            "content_type": FORM,
            "origin": f"http://{self.host}",
            "sec_fetch_site": "same-origin",
        }
        return self.ask(path, "POST", urlencode(fields).encode(), **(own | headers))

    def press(self, shown: Shown, verb: str, what: str, **fields: str) -> Shown:
        """Press a button of a page that was shown."""
        token = shown.token(verb, what)
        return self.post(f"/do/{verb}", {"what": what, "token": token, "back": "/", **fields})


def rehearsed(registry, *roots) -> ServedPage:
    """Return the page of some workspaces on the day of the tests."""
    return served_by(REHEARSED, registry, list(roots))
