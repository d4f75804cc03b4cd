"""Who may look at the page: a code that is good once, and the session that it opens.

Codes and sessions are in memory alone: the end of the service ends them, too. Of both only a hash is kept.
"""

from __future__ import annotations

import hashlib
import hmac
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
    """What an action did, for the next view: a sentence, the command that does the same, the commit to undo.

    Where it made no commit, ``way_back`` is the button that takes it back: verb, what, and its words.
    """

    text: str
    command: str = ""
    undo: str = ""
    is_refusal: bool = False
    notes: tuple[str, ...] = ()
    way_back: tuple[str, str, str] | None = None


@dataclass
class PageSession:
    """One browser that is signed in."""

    until: float
    key: bytes = field(default_factory=lambda: secrets.token_bytes(_BYTES), repr=False)
    told: list[ActionOutcome] = field(default_factory=list)

    def form_token(self, form: str) -> str:
        """Return what one form of this session must bear: it is worth nothing in another one."""
        return hmac.new(self.key, form.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()

    def take_told(self) -> list[ActionOutcome]:
        outcomes, self.told = self.told, []
        return outcomes


class SignIn:
    """Codes that were given out, and the sessions of the browsers that brought one back."""

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
        """Return the value of a cookie and the page that a code leads to; None if it is unknown, old or used."""
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
        """Sign every browser out, and take back every code; return how many sessions there were."""
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
