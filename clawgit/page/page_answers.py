"""A request to the page: its workspace and parameters, and the operations that it calls, with their cached answers."""

from __future__ import annotations

import hmac
import json
import os
import shlex
import threading
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.requests import Request

    from clawgit.page.sign_in import PageSession
    from clawgit.workspace.settings.settings import Settings

# Answers that take more than a few milliseconds are cached; some depend on commits alone.
OF_COMMITS = ("entries", "memory.list", "memory.status", "soul.blame", "undo")
OF_RECORDS_TOO = ("log", "why", "doctor", "soul.log")
_LOGS, _REFS, _RECORDS = ".git/logs", ".git/refs/heads", ".git/clawgit"
MOST_KEPT = 40
SESSION = "clawgit.session"
_OPTIONS = {"like": "all_like"}
_OPERANDS = frozenset(
    ["names", "what", "old", "new", "text", "words", "query", "revision", "receipt", "agent"]
)


class PageCall(NamedTuple):
    """An operation by the name of its command (`memory.list`), its values, and the commit ``of`` which alone it reports."""

    name: str
    values: tuple[tuple[str, Any], ...] = ()
    of: str = ""

    @property
    def line(self) -> str:
        words = ["clawgit", *self.name.split(".")]
        operands: list[str] = []
        for name, value in self.values:
            given = value if isinstance(value, tuple) else (value,)
            if name in _OPERANDS:
                operands += map(str, given)
                continue
            for each in given:
                option = f"--{_OPTIONS.get(name, name).replace('_', '-')}"
                words.append(option if each is True else f"{option}={each}")
        if any(each.startswith("-") for each in operands):
            words.append("--")
        return shlex.join([*words, *operands])


def asked(name: str, **values: Any) -> PageCall:
    """Return a call without its empty values."""
    return PageCall(name, tuple((key, value) for key, value in values.items() if value not in ("", None, ())))


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """The answer of an operation: its JSON, its notes, and the reason of a refusal."""

    data: Any = None
    notes: tuple[str, ...] = ()
    problem: str = ""

    @property
    def text(self) -> str:
        return json.dumps(self.data, ensure_ascii=True, indent=2) + "\n"


class PageLook(NamedTuple):
    """A workspace at the time of a request: settings in force, time, and functions that ask and act as the operator."""

    settings: Settings
    now: datetime
    ask: Callable[[PageCall], PageAnswer]
    do: Callable[[PageCall], PageAnswer]


class ServedPage(NamedTuple):
    """The parts of the page from higher layers."""

    look: Callable[[Path], PageLook]  # opens a workspace
    workspaces: Callable[[], Mapping[str, Path]]  # the folders by name
    report_bug: Callable[[Exception], str]  # stores a bug and returns its place


class KeptAnswers:
    """Caches slow answers until the history, the records or the day change."""

    def __init__(self) -> None:
        self._alone = threading.Lock()
        self._kept: OrderedDict[tuple[Path, PageCall], tuple[object, PageAnswer]] = OrderedDict()

    def answer(self, root: Path, wish: PageCall, ask: Callable[[PageCall], PageAnswer]) -> PageAnswer:
        places = [root / _LOGS, root / _REFS]
        if wish.name in OF_RECORDS_TOO:
            places.append(root / _RECORDS)
        elif wish.name not in OF_COMMITS and not wish.of:
            return ask(wish)
        state = wish.of or _state_of(*places)
        if state is None:
            return ask(wish)
        with self._alone:
            cached = self._kept.get((root, wish))
        if cached is not None and cached[0] == state:
            return cached[1]
        answer = ask(wish)
        with self._alone:
            self._kept[root, wish] = state, answer
            self._kept.move_to_end((root, wish))
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return answer


def _state_of(*places: Path) -> object | None:
    """Return a state that changes with a file in these folders, or with the day.

    None if a folder is elsewhere, as in a worktree of git's: then nothing is cached.
    """
    seen: list[tuple[str, int, int]] = []
    for place in places:
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    with suppress(FileNotFoundError):  # it went meanwhile
                        state = entry.stat()
                        seen.append((entry.name, state.st_mtime_ns, state.st_size))
        except OSError:
            return None
    return date.today(), sorted(seen)


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
        given = "&".join(f"{name}={quote(value)}" for name, value in query.items() if value)
        return f"{self.base}{quote(path)}?{given}".rstrip("?")


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
        """Return the token of one form of this session; no other form takes it."""
        words = f"{self.base} {form}".encode("utf-8", "surrogatepass")
        return hmac.new(self.session.key, words, sha256).hexdigest()

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
