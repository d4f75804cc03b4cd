"""Opens the message store of a workspace, and deletes what it keeps no longer."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

from clawgit.capture.messages.message import StoreUnreachableError
from clawgit.capture.messages.message_store import Clone, MessageStore
from clawgit.capture.messages.sqlite_messages import MESSAGES, SqliteMessages
from clawgit.errors import ConfigurationError, install_hint
from clawgit.history.git.repository import History, storage_errors
from clawgit.workspace.records.records import CLONE_ID, RECORDS, open_records
from clawgit.workspace.records.sqlite_files import made_aside
from clawgit.workspace.safe_files import FileContent, write_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clawgit.capture.messages.message_search import Database

WORKSPACE_ID = "workspace"
VETOED_FOR = timedelta(days=1)
T = TypeVar("T")
UNREACHABLE = "messages-unreachable"  # file with time and reason of the failure
BRIEF_SECONDS = 1.5
NOTED_SECONDS = 60.0


@contextmanager
def open_messages(history: History, now: datetime) -> Iterator[MessageStore]:
    workspace = workspace_id(history)
    clone = Clone(_own_id(history, CLONE_ID, "clone"), lambda: _settled_runs(history, now))
    with _noting_unreachable(history):
        settings = history.settings
        path = _file_of(history)
        database: Database
        if path is not None:
            database = SqliteMessages(
                path, now, fsync=settings.fsync, wait_seconds=max(1, settings.lock_wait_seconds)
            )
        else:
            refuse_password(settings.messages_url)
            try:
                from clawgit.capture.messages.postgres_messages import PostgresMessages
            except ImportError as error:
                raise ConfigurationError(
                    "messages_url names a PostgreSQL server, and psycopg is not installed.",
                    hint=f"{install_hint('postgres')} SQLite needs nothing: name no messages_url.",
                ) from error
            database = PostgresMessages(settings.messages_url, now)
        store = MessageStore(database, workspace, oldest_kept(history, now), clone)
        try:
            yield store
        finally:
            store.close()


def ask_briefly(history: History, now: datetime, question: Callable[[MessageStore], T]) -> T:
    """Return the store's answer, but wait at most a second or two for a server, and after a failure not for a minute."""

    def ask() -> T:
        with open_messages(history, now) as store:
            return question(store)

    if _file_of(history) is not None:
        return ask()
    why = unreachable_now(history)
    if why:
        raise StoreUnreachableError(f"{why} It is asked again within a minute.")
    with suppress(ImportError):  # import first, outside the time limit; if missing, the error comes below
        from clawgit.capture.messages import postgres_messages  # noqa: F401
    from clawgit.http_client import heard_within

    try:
        return heard_within(BRIEF_SECONDS, ask)
    except TimeoutError as error:
        late = StoreUnreachableError("The message store does not answer.")
        _note_unreachable(history, late)
        raise late from error


def unreachable_now(history: History) -> str:
    """Return why the server could not be reached within the last minute; empty if it could."""
    path = history.state / UNREACHABLE
    with suppress(OSError):
        if 0 <= time.time() - path.stat().st_mtime < NOTED_SECONDS:
            server, _, why = path.read_text("utf-8").partition("\n")
            if server == history.settings.messages_url:
                return why.strip()
    return ""


@contextmanager
def _noting_unreachable(history: History) -> Iterator[None]:
    path = history.state / UNREACHABLE
    was_noted = path.exists()
    try:
        yield
    except StoreUnreachableError as error:
        _note_unreachable(history, error)
        raise
    if was_noted:
        path.unlink(missing_ok=True)


def _note_unreachable(history: History, error: StoreUnreachableError) -> None:
    note = f"{history.settings.messages_url}\n{error.message}"
    with suppress(OSError):
        write_file(history.state, UNREACHABLE, FileContent(note.encode()), fsync=False)


def has_messages(history: History) -> bool:
    return bool(history.settings.messages_url) or (history.state / MESSAGES).exists()


def message_files(history: History) -> tuple[Path, ...]:
    """Return the files that change with a new message, existing or not; empty for a server."""
    path = _file_of(history)
    if path is None:
        return ()
    return (path, path.with_name(f"{path.name}-wal"))


def oldest_kept(history: History, now: datetime) -> datetime | None:
    """Return the time before which messages are not kept, None if all are."""
    days = history.settings.message_retention_days
    if days:
        return now - timedelta(days=days)
    return None


def forget_old(store: MessageStore, history: History, now: datetime) -> None:
    """Delete messages past `message_retention_days` (not if the clock jumped ahead), and vetoed ones after a day."""
    from clawgit.workspace.clock_looks import may_delete

    store.forget_vetoed(now - VETOED_FOR)
    oldest = oldest_kept(history, now)
    if oldest is not None and may_delete(history.state, now):
        store.forget_before(oldest, now)


def workspace_id(history: History) -> str:
    """Return the name of this workspace in message stores: random, kept beside the history and in every backup."""
    return _own_id(history, WORKSPACE_ID, "ws")


def _own_id(history: History, name: str, kind: str) -> str:
    path = history.state / name
    with storage_errors(history.state):
        try:
            return path.read_text("ascii").strip()
        except FileNotFoundError:
            with made_aside(path) as aside, aside.open("w", encoding="ascii") as file:
                file.write(f"{kind}-{os.urandom(10).hex()}\n")
                file.flush()
                os.fsync(file.fileno())
            return path.read_text("ascii").strip()


def _settled_runs(history: History, now: datetime) -> frozenset[str]:
    """Return the runs finished here, or in the clone whose records were restored here."""
    with open_records(history.state / RECORDS, now) as records:
        return records.settled_runs()


def refuse_password(url: str) -> None:
    """Refuse an address with a password: it would be in CONFIG.md and in git's history."""
    parts = urlsplit(url)
    if parts.password is not None or any("passw" in name.lower() for name, _ in parse_qsl(parts.query)):
        hint = "Take it out, change it at the server, and give the new one by PGPASSWORD or ~/.pgpass."
        raise ConfigurationError("messages_url has a password in it, so it is not used.", hint=hint)


def _file_of(history: History) -> Path | None:
    url = history.settings.messages_url
    if not url:
        return history.state / MESSAGES
    if url.startswith("sqlite:"):
        return Path(unquote(urlsplit(url).path))
    return None
