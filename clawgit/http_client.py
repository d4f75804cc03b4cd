"""JSON over HTTP: it retries passing failures, reports the others, and shows no keys."""

from __future__ import annotations

import http.client
import ipaddress
import json
import random
import socket
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from clawgit.errors import ClawgitError
from clawgit.text.safety.control_characters import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_Heard = TypeVar("_Heard")

_MAX_BYTES = 64 * 1024 * 1024
_SLICE = 64 * 1024
_LONGEST_PAUSE = 30.0  # where the service does not say how long
_STREAM = "text/event-stream"
_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_KEY_REFUSED = frozenset({401, 403})


@dataclass(frozen=True, slots=True)
class Patience:
    """The time for an answer in all, the number of tries, and the first pause between two."""

    seconds: float
    tries: int = 5
    pause: float = 0.5


class ServiceError(ClawgitError):
    """A service did not answer properly; ``reached`` says that it may have worked on the question."""

    def __init__(self, message: str, *, hint: str = "", reached: bool = False) -> None:
        super().__init__(message, hint=hint)
        self.reached = reached


class RefusedError(ServiceError):
    """The service refused; ``status`` is HTTP's."""

    def __init__(self, message: str, status: int, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.status = status


class _PassingError(Exception):
    """A failure that may pass; ``after`` is the pause that the service asked for.

    ``is_told``: the service itself said so.
    """

    def __init__(
        self, what: str, after: float | None = None, *, reached: bool = True, is_told: bool = False
    ) -> None:
        super().__init__(what)
        self.after = after
        self.reached = reached
        self.is_told = is_told

    @property
    def hint(self) -> str:
        if not self.is_told:
            return "Is it running?"
        return f"It asks for a pause of {self.after:,.0f} seconds." if self.after else "Try again later."


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Refuses redirects: they would carry key and text to a place that the operator never named."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


@dataclass(slots=True)
class Service:
    """One service at one address; at most ``per_second`` requests leave for it in a second.

    ``key_hint`` says where a missing or wrong key comes from; ``headers`` are sent with every request. An answer
    of more than ``most_bytes`` is not read to its end.
    """

    url: str
    key: str = field(default="", repr=False)
    patience: Patience = field(default_factory=lambda: Patience(120))
    per_second: float = 10.0
    key_hint: str = ""
    key_header: str = "Authorization"
    headers: Mapping[str, str] = field(default_factory=dict)
    most_bytes: int = _MAX_BYTES
    _next: float = field(default=0.0, init=False)

    def post(self, path: str, body: Mapping[str, Any], *, began: float | None = None) -> Any:
        """Return the service's JSON answer to ``body``.

        ``began`` (of `time.monotonic`) is the start of the whole task: the patience is for all of it.
        """
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "clawgit"}
        headers.update(self.headers)
        if self.key:
            headers[self.key_header] = self.key
            if self.key_header == "Authorization":
                headers[self.key_header] = f"Bearer {self.key}"
        data = json.dumps(body, ensure_ascii=True).encode()
        request = urllib.request.Request(self.url.rstrip("/") + path, data, headers, method="POST")
        deadline = (time.monotonic() if began is None else began) + self.patience.seconds
        pause, reached = self.patience.pause, False
        for left in reversed(range(self.patience.tries)):
            try:
                # a socket's timeout does not end a service that sends headers byte by byte
                seconds = max(0.05, deadline - time.monotonic())
                return heard_within(seconds, lambda: self._ask(request, deadline))
            except (_PassingError, TimeoutError) as error:
                passing = error if isinstance(error, _PassingError) else _PassingError("it is too slow")
                reached = reached or passing.reached
                wait = passing.after or min(_LONGEST_PAUSE, pause * random.uniform(0.5, 1.0))
                if not left or time.monotonic() + wait >= deadline:
                    sentence = f"{self.place} gave no usable answer ({passing})."
                    raise ServiceError(sentence, hint=passing.hint, reached=reached) from error
            time.sleep(wait)
            pause *= 2
        raise AssertionError("the last try returns or raises")

    @property
    def place(self) -> str:
        """Return the service's host and port for messages."""
        return urlsplit(self.url).netloc.rpartition("@")[2]

    def _ask(self, request: urllib.request.Request, deadline: float) -> Any:
        now = time.monotonic()
        if now < self._next:
            time.sleep(self._next - now)
        self._next = max(now, self._next) + 1 / self.per_second
        opener = opener_for(self.url)
        left = max(0.05, deadline - time.monotonic())
        try:
            with opener.open(request, timeout=left) as answer:
                if answer.headers.get_content_type() == _STREAM:
                    sentence = f"{self.place} streams its answer, which it was not asked to do."
                    raise ServiceError(sentence, hint="Can it be set to answer at once?", reached=True)
                return json.loads(self._read(answer, deadline))
        except urllib.error.HTTPError as error:
            with error:
                raise self._said_no(error) from error
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            is_nobody = isinstance(reason, (ConnectionRefusedError, socket.gaierror))
            words = str(getattr(reason, "strerror", None) or str(reason) or type(reason).__name__)
            if isinstance(reason, TimeoutError):
                words = "it is too slow"
            raise _PassingError(self._harmless(words), reached=not is_nobody) from error
        except (ValueError, RecursionError) as error:
            raise _PassingError("it did not answer with JSON") from error

    def _said_no(self, error: urllib.error.HTTPError) -> Exception:
        if error.code in _PASSING:
            after = None
            with suppress(ValueError):
                after = max(0.0, float(error.headers.get("Retry-After", "")))
            return _PassingError(f"status {error.code}", after, reached=False, is_told=True)
        if error.code in _KEY_REFUSED:
            how = "refused the key" if self.key else "wants a key"
            sentence = f"{self.place} {how} (status {error.code})."
            return RefusedError(sentence, error.code, hint=self.key_hint)
        reason = ""
        with suppress(OSError, http.client.HTTPException, ValueError, RecursionError):
            words = self._harmless(_complaint(json.loads(error.read(_SLICE))))
            if words:
                reason = f": {words}"
        return RefusedError(f"{self.place} refused (status {error.code}{reason}).", error.code)

    def _harmless(self, text: str) -> str:
        return one_line(self.without_key(text))[:160]

    def without_key(self, text: str) -> str:
        """Return a text of the service without the key, which it may repeat."""
        return text.replace(self.key, "[key]") if self.key else text

    def complaint_in(self, answer: Any) -> str:
        """Return the error inside an answer that was not refused; empty if there is none."""
        return self._harmless(_complaint(answer)) if isinstance(answer, dict) and "error" in answer else ""

    def _read(self, answer: http.client.HTTPResponse, deadline: float) -> bytes:
        """Read an answer to its end; a slow one is cut off at the deadline."""
        parts: list[bytes] = []
        size = 0
        while part := answer.read1(_SLICE):
            parts.append(part)
            size += len(part)
            if size > self.most_bytes:
                sentence = f"{self.place} answers at too great length; nothing of that answer was used."
                raise ServiceError(sentence, reached=True)
            if time.monotonic() > deadline:
                raise _PassingError("it is too slow")
        return b"".join(parts)


def heard_within(seconds: float, ask: Callable[[], _Heard]) -> _Heard:
    """Return the result of ``ask``, asked on a thread; TimeoutError after ``seconds``, and the thread runs on."""
    heard: Future[_Heard] = Future()

    def listen() -> None:
        try:
            heard.set_result(ask())
        except BaseException as error:  # noqa: BLE001 - raised again where it is heard
            heard.set_exception(error)

    threading.Thread(target=listen, daemon=True).start()
    return heard.result(seconds)


def _complaint(body: Any) -> str:
    body = body.get("error", body) if isinstance(body, dict) else ""
    body = body.get("message", "") if isinstance(body, dict) else body
    return body if isinstance(body, str) else ""


def opener_for(url: str) -> urllib.request.OpenerDirector:
    """Return an opener that follows no redirect, and uses no proxy for this machine."""
    proxies: dict[str, str] | None = {} if is_here(url) else None
    return urllib.request.build_opener(_NoRedirects, urllib.request.ProxyHandler(proxies))


def is_here(url: str) -> bool:
    """Say whether a URL is on this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
