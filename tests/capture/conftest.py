"""Message stores to test with: SQLite in a folder, and a real PostgreSQL where that is installed."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from postgres_server import HAS_POSTGRES

from clawgit.capture.messages.incoming_message import Rules, take_down
from clawgit.capture.messages.message import ChatMessage, IncomingMessage
from clawgit.capture.messages.message_store import MessageStore
from clawgit.capture.messages.sqlite_messages import MESSAGES, SqliteMessages

if TYPE_CHECKING:
    from collections.abc import Iterator

if HAS_POSTGRES:
    from clawgit.capture.messages.postgres_messages import PostgresMessages

NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)
RULES = Rules(operator_ids=("ada",))
STORES = ["sqlite", *(["postgres"] if HAS_POSTGRES else [])]
collect_ignore = [] if HAS_POSTGRES else ["messages/test_postgres_messages.py"]


@dataclass
class Opener:
    """Opens the same store again and again, as processes do."""

    kind: str
    place: str
    workspace: str = field(default_factory=lambda: f"ws-{secrets.token_hex(6)}")

    def database(self) -> SqliteMessages | PostgresMessages:
        if self.kind == "sqlite":
            return SqliteMessages(Path(self.place), NOW)
        return PostgresMessages(self.place, NOW)

    def open(self) -> MessageStore:
        return MessageStore(self.database(), self.workspace)


@pytest.fixture(params=STORES)
def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    """Return a way to open one new store, of each kind."""
    if request.param == "sqlite":
        return Opener("sqlite", str(tmp_path / MESSAGES))
    return Opener("postgres", request.getfixturevalue("postgres_url"))


@pytest.fixture
def store(opener: Opener) -> Iterator[MessageStore]:
    """Return one new store, of each kind."""
    opened = opener.open()
    yield opened
    opened.close()


def message(text: str, **told: object) -> ChatMessage:
    """Return a message of Ada's, who is the operator, as it is kept."""
    heard = IncomingMessage(
        **{"role": "user", "sender": "ada", "sent_at": NOW, "message_id": text, "text": text} | told
    )  # type: ignore[arg-type]
    kept = take_down(heard, RULES, max(NOW, heard.sent_at or NOW))
    assert isinstance(kept, ChatMessage), kept
    return kept


@pytest.fixture
def said():
    """Return what makes messages."""
    return message
