"""Messages in PostgreSQL, for many workspaces and machines: psycopg 3, its own schema, numbered migrations.

Passwords come from libpq's sources (PGPASSWORD, ~/.pgpass, a service file), never from the address. All waits are limited:
the server cancels a statement after `ANSWER_SECONDS`, and TCP notices a dead machine in about that time. A frozen
server does neither, so the connection is cut here a little later.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import psycopg
from psycopg import pq

from clawgit.capture.messages.message import EARLIER_STEPS, SHARED, StoreUnreachableError
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.workspace.records.sqlite_files import BusyStoreError, RecordsError, refuse_newer_step

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

T = TypeVar("T")
CONNECT_SECONDS = 10
ANSWER_SECONDS = 10
CUT_LATER = 2  # seconds after the server's own limit
LOCK_SECONDS = ANSWER_SECONDS - 2
LOOK_SECONDS = 1.0
TCP: dict[str, Any] = {
    "tcp_user_timeout": ANSWER_SECONDS * 1000,
    "keepalives": 1,
    "keepalives_idle": ANSWER_SECONDS // 2,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}
SCHEMA = "clawgit"
AGAIN_SECONDS = 10.0  # for the restart of a server
MIGRATION_SECONDS = 1800
SESSION = {
    "search_path": SCHEMA,
    "synchronous_commit": "on",  # acknowledged writes are on disk, whatever the server's default
    "plan_cache_mode": "force_custom_plan",  # rare words use the index, frequent ones the latest messages
    "enable_seqscan": "off",  # every query has its index
    "lock_timeout": f"'{LOCK_SECONDS}s'",
}
_NAMED = lazy_pattern(r"(?<![:\w]):([a-z][a-z0-9_]*)")
# Steps count from 1. Never change a released one; add the next at the end.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE messages (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, workspace text NOT NULL, id text NOT NULL,
            channel text NOT NULL, conversation text NOT NULL, message_id text NOT NULL, session text NOT NULL,
            role text NOT NULL CHECK (role IN ('user', 'assistant', 'tool', 'system')), sender text NOT NULL,
            is_operator boolean NOT NULL, trust text NOT NULL CHECK (trust IN ('operator', 'host', 'external')),
            text text NOT NULL, sent_at text NOT NULL, received_at text NOT NULL, signal text NOT NULL,
            priority integer NOT NULL, validator text, feed bigint,
            UNIQUE (workspace, channel, conversation, message_id), UNIQUE (workspace, id), UNIQUE (workspace, feed),
            CHECK ((trust = 'operator') = is_operator)
        )
        """,
        "CREATE INDEX messages_unseen ON messages (workspace, number) WHERE feed IS NULL",
        "CREATE TABLE feeds (workspace text PRIMARY KEY, last bigint NOT NULL)",
        """
        CREATE TABLE imports (workspace text NOT NULL, source text NOT NULL, bytes_read bigint NOT NULL,
            lines_read bigint NOT NULL, mark text NOT NULL, chain text NOT NULL, PRIMARY KEY (workspace, source))
        """,
        """
        CREATE TABLE said (number bigint PRIMARY KEY REFERENCES messages ON DELETE CASCADE, workspace text NOT NULL,
            terms text[] NOT NULL)
        """,
        "CREATE INDEX said_terms ON said USING gin (terms)",
        "CREATE INDEX said_latest ON said (workspace, number)",
        """
        CREATE TABLE imported (workspace text NOT NULL, source text NOT NULL, id text NOT NULL,
            PRIMARY KEY (workspace, source, id),
            FOREIGN KEY (workspace, id) REFERENCES messages (workspace, id) ON DELETE CASCADE)
        """,
        """
        CREATE TABLE marks (number bigint NOT NULL REFERENCES messages ON DELETE CASCADE, clone text NOT NULL,
            mined_in text, read_in text, validated_in text, PRIMARY KEY (number, clone))
        """,
        *SHARED,
    ),
    *((),) * EARLIER_STEPS,
)


class WatchedConnection(psycopg.Connection[Any]):
    """A connection that is cut if the server does not answer in time."""

    was_cut = False
    patience: float = ANSWER_SECONDS
    _asked_at: float | None = None
    _watched = False

    def wait(self, *arguments: Any, **named: Any) -> Any:
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
                with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(self.fileno())) as ours:
                    ours.shutdown(socket.SHUT_RDWR)
                return


class PostgresMessages:
    """An open connection to the message store of many workspaces."""

    here = "workspace = :workspace"
    with_near = "CROSS JOIN LATERAL ({near}) AS near JOIN messages n ON n.number = near.number"
    feed = "feed"  # numbers are given before the commit, so they are not in order of commits

    def __init__(self, url: str, now: datetime) -> None:
        self._url = url
        self._db: WatchedConnection | None = None
        self._set_up: object = None  # the connection that has the session settings
        self._patience = ANSWER_SECONDS
        try:
            self._migrate(now)
        except BaseException:
            self.close()
            raise

    def rows(self, sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows; outside a transaction, retry after a lost connection."""
        if self._db is not None and self._db.info.transaction_status == pq.TransactionStatus.INTRANS:
            return self._run(sql, values)
        return self._again(lambda: self._run(sql, values))

    def transact(self, work: Callable[[], T]) -> T:
        """Run ``work`` in one transaction; retry all of it after a lost connection."""

        def once() -> T:
            with self._make_ready().transaction():
                return work()

        return self._again(once)

    def number_new(self, workspace: str) -> None:
        """Give each committed message its place in the feed; serialised, so that uncommitted ones come later."""
        here: dict[str, Any] = {"workspace": workspace}

        def work() -> None:
            self.rows("INSERT INTO feeds VALUES (:workspace, 0) ON CONFLICT DO NOTHING", here)
            ((last,),) = self.rows("SELECT last FROM feeds WHERE workspace = :workspace FOR UPDATE", here)
            numbered = self.rows(
                """
                UPDATE messages SET feed = :last + fresh.place
                  FROM (SELECT number, row_number() OVER (ORDER BY number) AS place
                          FROM messages WHERE workspace = :workspace AND feed IS NULL) AS fresh
                 WHERE messages.number = fresh.number RETURNING 1
                """,
                {**here, "last": last},
            )
            sql = "UPDATE feeds SET last = :last WHERE workspace = :workspace"
            self.rows(sql, {**here, "last": last + len(numbered)})

        if self.rows("SELECT 1 FROM messages WHERE workspace = :workspace AND feed IS NULL LIMIT 1", here):
            self.transact(work)

    def index(self, number: int, workspace: str, terms: Sequence[str]) -> None:
        self.rows(
            "INSERT INTO said (number, workspace, terms) VALUES (:number, :workspace, :terms)",
            {"number": number, "workspace": workspace, "terms": list(terms)},
        )

    def unindex(self, number: int, terms: Sequence[str]) -> None:
        self.rows("DELETE FROM said WHERE number = :number", {"number": number})

    def erase_terms(self) -> None:
        """Do nothing: the server cleans up its files."""

    def empty_log(self) -> None:
        """Do nothing: the log is the server's."""

    def holding(self, workspace: str, terms: Sequence[str], limit: int) -> list[int]:
        sql = """
            SELECT number FROM said WHERE workspace = :workspace AND terms @> :terms
             ORDER BY number DESC LIMIT :limit
            """
        rows = self.rows(sql, {"workspace": workspace, "terms": list(terms), "limit": limit})
        return [number for (number,) in rows]

    def count(self, workspace: str, limit: int) -> int:
        sql = "SELECT COUNT(*) FROM (SELECT 1 FROM said WHERE workspace = :workspace LIMIT :limit) AS counted"
        return int(self.rows(sql, {"workspace": workspace, "limit": limit})[0][0])

    def close(self) -> None:
        if self._db is not None:
            with suppress(psycopg.Error):
                self._db.close()

    def _make_ready(self) -> WatchedConnection:
        if self._db is None or self._db.closed:
            self._db = WatchedConnection.connect(
                self._url, autocommit=True, connect_timeout=CONNECT_SECONDS, **TCP
            )
            self._set_up = None
        if self._set_up is not self._db:
            self._db.patience = self._patience
            session = SESSION | {"statement_timeout": f"'{self._patience}s'"}
            self._db.execute("; ".join(f"SET {name} TO {value}" for name, value in session.items()))
            self._set_up = self._db
        return self._db

    def _again(self, work: Callable[[], T]) -> T:
        """Run ``work``; after a lost connection or during a restart, retry on a new one until `AGAIN_SECONDS` pass."""
        deadline = time.monotonic() + AGAIN_SECONDS
        pause = 0.05
        # Reason of the failure before; one lost while connecting is not a refusal.
        kept_out = ""
        while True:
            was_connected = self._db is not None and not self._db.closed
            try:
                self._make_ready()
                return work()
            except psycopg.errors.LockNotAvailable as error:
                raise BusyStoreError("the message store") from error
            except (psycopg.OperationalError, psycopg.InterfaceError) as error:
                if is_silent(error, self._db):
                    self.close()
                    raise self._unreachable("does not answer") from error
                why = "" if was_connected else keeps_out(error, self._url)
                if time.monotonic() > deadline or (why and why == kept_out):
                    raise self._unreachable(why or "is not there: no server answers") from error
                kept_out = why
            except psycopg.Error as error:
                says = str(error).strip().split("\n")[0].rstrip(".") or type(error).__name__
                raise RecordsError(f"The message store refuses this ({says}).") from error
            self.close()
            time.sleep(pause)
            pause = min(1.0, 2 * pause)

    def _run(self, sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        assert self._db is not None  # set by `_again`
        cursor = self._db.execute(_NAMED.sub(r"%(\1)s", sql), values)
        if cursor.description is None:
            return []
        return cursor.fetchall()

    def _migrate(self, now: datetime) -> None:
        """Apply the missing steps with their records in one transaction, one process at a time."""
        if self._again(self._step) == len(MIGRATIONS):
            return
        self._patience, self._set_up = MIGRATION_SECONDS, None
        note = "INSERT INTO migrations VALUES (:number, :at)"

        def work() -> None:
            self._run("SELECT pg_advisory_xact_lock(hashtext('clawgit migrations'))", {})
            self._run(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}", {})
            self._run(
                "CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY, applied_at text)", {}
            )
            for number in range(self._step(), len(MIGRATIONS)):
                for statement in MIGRATIONS[number]:
                    self._run(statement, {})
                self._run(note, {"number": number + 1, "at": now.isoformat()})

        self.transact(work)
        self._patience, self._set_up = ANSWER_SECONDS, None

    def _step(self) -> int:
        if self._run("SELECT to_regclass(:name)", {"name": f"{SCHEMA}.migrations"})[0][0] is None:
            return 0
        number = int(self._run("SELECT COALESCE(MAX(number), 0) FROM migrations", {})[0][0])
        refuse_newer_step("The message store", number, len(MIGRATIONS))
        return number

    def _unreachable(self, why: str) -> StoreUnreachableError:
        return StoreUnreachableError(
            f"The message store at {urlsplit(self._url).hostname or 'this machine'} {why}.",
            hint="Check messages_url, the server, and PGPASSWORD or ~/.pgpass.",
        )


def is_silent(error: psycopg.Error, db: WatchedConnection | None) -> bool:
    """Say whether the server is there without answering: an immediate retry would only wait twice."""
    silent = (psycopg.errors.ConnectionTimeout, psycopg.errors.QueryCanceled)
    return isinstance(error, silent) or (db is not None and db.was_cut)


def keeps_out(error: psycopg.Error, url: str) -> str:
    """Return why a running server refuses this address; empty if no server is ready."""
    connection = error.pgconn
    if connection is not None and connection.needs_password:
        return "asks for a password, and none is given"
    ready = pq.PGconn.ping(f"{url}{'&' if '?' in url else '?'}connect_timeout=2".encode())
    if ready == pq.Ping.NO_ATTEMPT:
        return "has an address that cannot be used"
    if ready != pq.Ping.OK:
        return ""
    if connection is not None and connection.used_password:
        return "does not take this user and password"
    return "does not take this user, or has no such database"
