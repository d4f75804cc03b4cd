"""The messages of a workspace: which store has them, and what decides over a message."""

from __future__ import annotations

import os
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from clawgit.capture.messages.message_store import MessageStore
from clawgit.capture.messages.sqlite_messages import MESSAGES, SqliteMessages
from clawgit.history.git.storage_errors import storage_errors
from clawgit.workspace.clock_looks import may_delete
from clawgit.workspace.records.sqlite_files import made_aside

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from clawgit.capture.messages.database_protocol import Database
    from clawgit.history.git.repository import History

WORKSPACE_ID = "workspace"


@contextmanager
def open_messages(history: History, now: datetime) -> Iterator[MessageStore]:
    """Open the message store of the settings in force.

    Raises:
        RecordsError: It is damaged, of a newer clawgit, or cannot be written.
        StoreUnreachableError: Its server does not answer.
    """
    workspace = workspace_id(history)
    store = MessageStore(_database(history, now), workspace, oldest_kept(history, now))
    try:
        yield store
    finally:
        store.close()


def has_messages(history: History) -> bool:
    """Say whether there is a message store to read: looking for messages makes none."""
    return bool(history.settings.messages_url) or (history.state / MESSAGES).exists()


def message_files(history: History) -> tuple[Path, ...]:
    """Return the files that change where a message is kept, whether or not they are there; none where a server has them."""
    path = _file_of(history)
    return () if path is None else (path, path.with_name(f"{path.name}-wal"))


def oldest_kept(history: History, now: datetime) -> datetime | None:
    """Return the time before which messages are not kept, None if all are."""
    days = history.settings.message_retention_days
    return now - timedelta(days=days) if days else None


def forget_old(store: MessageStore, history: History, now: datetime) -> None:
    """Delete the messages that `message_retention_days` keeps no longer; none by a clock that jumped ahead."""
    oldest = oldest_kept(history, now)
    if oldest is not None and may_delete(history.state, now):
        store.forget_before(oldest, now)


def workspace_id(history: History) -> str:
    """Return the name of this workspace in message stores: made up once, kept beside the history, in every backup."""
    path = history.state / WORKSPACE_ID
    with storage_errors(history.state):
        try:
            return path.read_text("ascii").strip()
        except FileNotFoundError:
            _make_id(path)
            return path.read_text("ascii").strip()


def _make_id(path: Path) -> None:
    with made_aside(path) as aside, aside.open("w", encoding="ascii") as file:
        file.write(f"ws-{os.urandom(10).hex()}\n")
        file.flush()
        os.fsync(file.fileno())


def _database(history: History, now: datetime) -> Database:
    settings, path = history.settings, _file_of(history)
    if path is None:
        from clawgit.capture.messages.postgres_messages import PostgresMessages

        return PostgresMessages(settings.messages_url, now)
    return SqliteMessages(path, now, fsync=settings.fsync, wait_seconds=max(1, settings.lock_wait_seconds))


def _file_of(history: History) -> Path | None:
    url = history.settings.messages_url
    if not url:
        return history.state / MESSAGES
    return Path(unquote(urlsplit(url).path)) if url.startswith("sqlite:") else None
