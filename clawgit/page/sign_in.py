"""Sign-in to the page: a one-time code, and the session that it opens.

Codes and sessions are in memory only, as hashes: the end of the service ends them, too.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from dataclasses import dataclass, field
from time import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

CODE_SECONDS = 120.0
SESSION_SECONDS = 12 * 3600.0
MOST_SESSIONS = 64
_BYTES = 32


@dataclass
class ActionOutcome:
    """The outcome of an action for the next view: a sentence, the command that does the same, the commit to undo."""

    text: str
    command: str = ""
    undo: str = ""
    is_refusal: bool = False
    notes: tuple[str, ...] = ()
    # without a commit, the button that reverses it: verb, what, words
    way_back: tuple[str, str, str] | None = None


@dataclass
class PageSession:
    """The session of one browser."""

    until: float
    key: bytes = field(default_factory=lambda: secrets.token_bytes(_BYTES), repr=False)
    told: list[ActionOutcome] = field(default_factory=list)

    def take_told(self) -> list[ActionOutcome]:
        outcomes, self.told = self.told, []
        return outcomes


class SignIn:
    """The codes given out, and the sessions of browsers that used one."""

    def __init__(self, clock: Callable[[], float] = time) -> None:
        self._clock = clock
        self._alone = threading.Lock()
        self._codes: dict[str, tuple[float, str]] = {}
        self._sessions: dict[str, PageSession] = {}

    def new_code(self, leads_to: str) -> str:
        """Return a code that signs one browser in within two minutes, and leads it to a page."""
        code = secrets.token_urlsafe(_BYTES)
        with self._alone:
            self._forget_old()
            self._codes[_hashed(code)] = (self._clock() + CODE_SECONDS, leads_to)
        return code

    def redeem(self, code: str) -> tuple[str, str] | None:
        """Return a cookie's value and the page of the code; None if the code is unknown, old or used."""
        with self._alone:
            self._forget_old()
            given = self._codes.pop(_hashed(code), None)
            if given is None:
                return None
            if len(self._sessions) >= MOST_SESSIONS:
                self._sessions.pop(next(iter(self._sessions)))
            value = secrets.token_urlsafe(_BYTES)
            self._sessions[_hashed(value)] = PageSession(self._clock() + SESSION_SECONDS)
            return value, given[1]

    def session(self, cookie: str) -> PageSession | None:
        with self._alone:
            self._forget_old()
            return self._sessions.get(_hashed(cookie))

    def end(self, cookie: str) -> None:
        with self._alone:
            self._sessions.pop(_hashed(cookie), None)

    def revoke(self) -> int:
        """End all sessions and codes; return the number of sessions."""
        with self._alone:
            self._forget_old()
            count = len(self._sessions)
            self._sessions.clear()
            self._codes.clear()
            return count

    def _forget_old(self) -> None:
        now = self._clock()
        for name, (until, _) in list(self._codes.items()):
            if until <= now:
                del self._codes[name]
        for name, session in list(self._sessions.items()):
            if session.until <= now:
                del self._sessions[name]


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
