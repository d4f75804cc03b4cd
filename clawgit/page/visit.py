"""One request to the page: its workspace, its parameters, and the operations' answers."""

from __future__ import annotations

import hmac
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote

from clawgit.page.page_answers import PageAnswer, PageCall, ServedPage, asked
from clawgit.page.page_gate import SESSION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

    from clawgit.page.sign_in import PageSession


class NotShownError(Exception):
    """A view cannot be shown: the HTTP status, and a sentence."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


class Visit:
    """One look at a workspace: the parameters of the address, and the operations' answers."""

    is_static = True  # for a file: no address answers behind it, so it has no links and no buttons

    def __init__(
        self, served: ServedPage, name: str, root: Path, base: str, query: Mapping[str, str]
    ) -> None:
        self.name = name
        self.root = root
        self.base = base
        self._query = query
        self._answers: dict[PageCall, PageAnswer] = {}
        self.look = served.look(root)

    def __getitem__(self, name: str) -> str:
        """Return a parameter of the address, or `id` of its path; empty if missing."""
        return self._query.get(name, "").strip()

    @property
    def needs_key(self) -> bool:
        """Say whether an approval needs a touched key: then the page only shows the command."""
        return self.look.settings.approvals == "present"

    @property
    def place(self) -> str:
        home = Path.home()
        if self.root.is_relative_to(home):
            return f"~/{self.root.relative_to(home)}"
        return str(self.root)

    def answer(self, wish: PageCall) -> PageAnswer:
        """Return the answer to a call; within a view, each call is made once."""
        if wish not in self._answers:
            self._answers[wish] = self.look.ask(wish)
        return self._answers[wish]

    def data(self, name: str, otherwise: Any = None, **values: Any) -> Any:
        """Return the JSON of an operation; ``otherwise`` if it was refused."""
        answer = self.answer(asked(name, **values))
        if answer.problem or answer.data is None:
            return otherwise
        return answer.data

    def url(self, path: str, **query: str) -> str:
        given = []
        for name, value in query.items():
            if value:
                given.append(f"{name}={quote(value)}")
        return f"{self.base}{quote(path)}?{'&'.join(given)}".rstrip("?")


class SignedInVisit(Visit):
    """A request of a signed-in browser."""

    is_static = False

    def __init__(self, request: Request, served: ServedPage, name: str, root: Path) -> None:
        base = base_of(request)
        super().__init__(served, name, root, base, {**request.query_params, **request.path_params})
        self.session: PageSession = request.scope[SESSION]
        self.is_refresh = "x-refresh" in request.headers  # by page.js, which takes the rows and no frame
        path = quote(request.scope["path"], safe="/@").removeprefix(base)
        self.here = f"{path}?{request.url.query}".rstrip("?")
        self.json = f"{base}{path}.json?{request.url.query}".rstrip("?").replace("/.json", "/today.json")

    def token(self, form: str) -> str:
        return self.session.form_token(f"{self.base} {form}")

    def is_of_form(self, form: str, token: str) -> bool:
        return hmac.compare_digest(self.token(form).encode(), token.encode("utf-8", "replace"))


def base_of(request: Request) -> str:
    """Return the address prefix of a request's workspace: `/@NAME`, empty for the first one."""
    name = request.path_params.get("workspace", "")
    if not name:
        return ""
    return f"/@{quote(name)}"


async def read_form(request: Request) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    body = await request.body()
    for name, value in parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=200):
        fields.setdefault(name, []).append(value.replace("\r\n", "\n").strip())
    return fields
