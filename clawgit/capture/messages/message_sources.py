"""What messages come from: a channel, a conversation, a session, a sender, an imported file."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Final, NamedTuple

from clawgit.plan import MESSAGE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clawgit.capture.messages.database_protocol import Database

CHANNEL, CONVERSATION, SESSION, SENDER, FILE = KINDS = (
    "channel",
    "conversation",
    "session",
    "sender",
    "file",
)
_IN_A_CHANNEL: Final = (CONVERSATION, SESSION, SENDER)


class MessageSource(NamedTuple):
    """One thing that messages come from; ``channel`` is the one in which it has that name."""

    kind: str
    name: str
    channel: str = ""

    @property
    def word(self) -> str:
        """Return what names it and nothing else, as in ``sender:telegram/4242``."""
        return f"{self.kind}:{self.channel}/{self.name}" if self.channel else f"{self.kind}:{self.name}"


def find_sources(database: Database, workspace: str, word: str) -> Iterator[MessageSource]:
    """Yield everything of that name that messages come from; a kind before it (``sender:4242``) says which it is."""
    kind, colon, name = word.partition(":")
    kinds = (kind,) if colon and kind in KINDS else KINDS
    values = {"workspace": workspace, "name": name if colon and kind in KINDS else word}
    if CHANNEL in kinds:
        sql = "SELECT DISTINCT channel FROM messages WHERE workspace = :workspace AND LOWER(channel) = LOWER(:name)"
        yield from (MessageSource(CHANNEL, row[0]) for row in database.rows(sql, values))
    for each in (each for each in _IN_A_CHANNEL if each in kinds):
        sql = f"""
            SELECT DISTINCT channel, {each} FROM messages WHERE workspace = :workspace AND {each} <> ''
               AND LOWER(:name) IN (LOWER({each}), LOWER(channel || '/' || {each}), LOWER(channel || ':' || {each}))
             ORDER BY channel, {each}
            """
        yield from (MessageSource(each, row[1], row[0]) for row in database.rows(sql, values))
    if FILE in kinds:
        files = imported_files(database, workspace)
        yield from (MessageSource(FILE, path) for path in files if _is_called(path, values["name"]))


def imported_files(database: Database, workspace: str) -> list[str]:
    """Return the transcripts that were read, by their paths."""
    sql = "SELECT source FROM imports WHERE workspace = :workspace ORDER BY source"
    return [row[0] for row in database.rows(sql, {"workspace": workspace})]


def citations_of(database: Database, workspace: str, source: MessageSource) -> frozenset[str]:
    """Return how the messages of a source are cited (``chat:7k2x…``)."""
    values = {"workspace": workspace, "name": source.name, "channel": source.channel}
    if source.kind == FILE:
        sql = "SELECT id FROM imported WHERE workspace = :workspace AND source = :name"
    else:
        sql = f"SELECT id FROM messages WHERE workspace = :workspace AND {source.kind} = :name"
        sql += " AND channel = :channel" if source.channel else ""
    return frozenset(f"{MESSAGE}{row[0]}" for row in database.rows(sql, values))


def note_file(database: Database, workspace: str, source: str, chat_ids: Sequence[str]) -> None:
    """Note that messages are in an imported file, also those that were kept before; part of a transaction."""
    sql = """
        INSERT INTO imported (workspace, source, id) VALUES (:workspace, :source, :id) ON CONFLICT DO NOTHING
        """
    for chat_id in chat_ids:
        database.rows(sql, {"workspace": workspace, "source": source, "id": chat_id})


def _is_called(path: str, name: str) -> bool:
    """Say whether somebody who writes ``name`` may mean this file: by its path or by the end of it."""
    wanted = PurePath(name).parts
    return bool(wanted) and PurePath(path).parts[-len(wanted) :] == wanted
