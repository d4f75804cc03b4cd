"""A connection to PostgreSQL that waits for nobody without end: a server can be frozen, or its machine gone without a word.

The server gives up a statement after `ANSWER_SECONDS`, and TCP notices a dead machine in about that time. A server that
stands still does neither, so the connection is cut here a little later.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from contextlib import suppress
from typing import Any

import psycopg
from psycopg import pq

CONNECT_SECONDS = 10
ANSWER_SECONDS = 10
CUT_LATER = 2  # seconds: first it is the server's turn to give up
LOCK_SECONDS = ANSWER_SECONDS - 2
LOOK_SECONDS = 1.0
TCP: dict[str, Any] = {
    "tcp_user_timeout": ANSWER_SECONDS * 1000,
    "keepalives": 1,
    "keepalives_idle": ANSWER_SECONDS // 2,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}


class WatchedConnection(psycopg.Connection[Any]):
    """A connection that is cut where the server does not answer in time."""

    was_cut = False
    patience: float = ANSWER_SECONDS
    _asked_at: float | None = None
    _watched = False

    def wait(self, *arguments: Any, **named: Any) -> Any:
        """Wait for the server as psycopg does, but not for ever."""
        if not self._watched:
            self._watched = True
            threading.Thread(target=self._watch, name="message store", daemon=True).start()
        self._asked_at = time.monotonic()
        try:
            return super().wait(*arguments, **named)
        finally:
            self._asked_at = None

    def _watch(self) -> None:
        while not self.closed:
            time.sleep(LOOK_SECONDS)
            asked_at = self._asked_at
            if asked_at is not None and time.monotonic() - asked_at > self.patience + CUT_LATER:
                self.was_cut = True
                self._cut()
                return

    def _cut(self) -> None:
        with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(self.fileno())) as ours:
            ours.shutdown(socket.SHUT_RDWR)


def connect(url: str) -> WatchedConnection:
    """Connect within `CONNECT_SECONDS`.

    Raises:
        psycopg.Error: Nobody answers, or lets us in.
    """
    return WatchedConnection.connect(url, autocommit=True, connect_timeout=CONNECT_SECONDS, **TCP)


def is_silent(error: psycopg.Error, db: WatchedConnection | None) -> bool:
    """Say whether the server is there and gives no answer: asking at once again would be waiting twice."""
    silent = (psycopg.errors.ConnectionTimeout, psycopg.errors.QueryCanceled)
    return isinstance(error, silent) or (db is not None and db.was_cut)


def keeps_out(error: psycopg.Error, url: str) -> str:
    """Return why a server that is there lets nobody in with this address, empty where no server is ready."""
    asked = error.pgconn
    if asked is not None and asked.needs_password:
        return "asks for a password, and none is given"
    ready = pq.PGconn.ping(f"{url}{'&' if '?' in url else '?'}connect_timeout=2".encode())
    if ready == pq.Ping.NO_ATTEMPT:
        return "has an address that cannot be used"
    if ready != pq.Ping.OK:
        return ""
    if asked is not None and asked.used_password:
        return "does not take this user and password"
    return "does not take this user, or has no such database"
