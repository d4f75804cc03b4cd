"""Messages for a question, by words or days, with the turns before and after."""

from __future__ import annotations

import math
from itertools import chain, groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from clawgit.capture.messages.message import COLUMNS, ChatMessage, message_of, stored_terms, written_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from clawgit.capture.messages.postgres_messages import PostgresMessages
    from clawgit.capture.messages.sqlite_messages import SqliteMessages

    Database = SqliteMessages | PostgresMessages

POOL = 100  # matches, the best first
BEFORE, AFTER = 2, 2  # messages read around a match
EACH, COUNTED = 1000, 10_000  # of a word in more messages, which says little, only the latest are read
OF_DAYS = 100  # messages per question from the days that it names
# Channel and session are compared later: searching the next message of a session could scan the whole table.
_TALK = "b.workspace = h.workspace AND b.conversation = h.conversation"
_NEAR = f"""
    SELECT number FROM (SELECT b.number FROM messages b WHERE {_TALK} AND (b.sent_at, b.number) <= (h.sent_at, h.number)
                         ORDER BY b.sent_at DESC, b.number DESC LIMIT {1 + BEFORE}) AS before
    UNION ALL
    SELECT number FROM (SELECT b.number FROM messages b WHERE {_TALK} AND (b.sent_at, b.number) > (h.sent_at, h.number)
                         ORDER BY b.sent_at, b.number LIMIT {AFTER}) AS behind
    """


class Looked(NamedTuple):
    """A query: index words, a span of days whose messages match by date alone, and the oldest time."""

    words: Sequence[str]
    days: tuple[datetime, datetime] | None = None
    oldest: datetime | None = None
    limit: int = POOL
    session: str | None = None

    def admits(self, message: ChatMessage) -> bool:
        if message.is_vetoed or self.session not in (None, message.session):
            return False
        return self.oldest is None or message.sent_at >= self.oldest


class MessageMatches(NamedTuple):
    """Messages to rank: the matches, best first, and all in sequence."""

    matches: tuple[ChatMessage, ...] = ()
    runs: tuple[tuple[ChatMessage, ...], ...] = ()
    seen: Mapping[str, int] = {}
    messages: int = 0


def candidates(database: Database, workspace: str, looked: Looked) -> MessageMatches:
    """Return the messages that may answer; of a very frequent word the latest, and those with all words."""
    many = database.count(workspace, COUNTED)
    holders = {}
    for term in stored_terms(looked.words):
        holders[term] = _of_session(database, workspace, looked, database.holding(workspace, [term], EACH))
    seen = {term: len(numbers) for term, numbers in holders.items()}
    common = [term for term, count in seen.items() if count == EACH]
    together = database.holding(workspace, common, EACH) if len(common) > 1 else []
    matches = _best(holders, dict.fromkeys(together, common), many)[: looked.limit]
    on_days: Sequence[int] = ()
    if looked.days is not None:
        first, last = map(written_time, looked.days)
        of_days = """
            SELECT number FROM messages WHERE workspace = :workspace AND sent_at >= :first AND sent_at < :last
             ORDER BY sent_at DESC, number DESC LIMIT :limit
            """
        values = {"workspace": workspace, "first": first, "last": last, "limit": OF_DAYS}
        sent = list(chain.from_iterable(database.rows(of_days, values)))
        on_days = _of_session(database, workspace, looked, sent)
    numbers = dict.fromkeys((*matches, *on_days))
    if not numbers:
        return MessageMatches(seen=seen, messages=many)
    near: dict[int, list[int]] = {}
    messages: dict[int, ChatMessage] = {}
    columns = ", ".join(f"n.{name}" for name in COLUMNS.split(", "))
    sql = f"""
        SELECT h.number, n.number, {columns}
          FROM (SELECT * FROM messages WHERE {database.here} AND number IN ({", ".join(map(str, numbers))})) AS h
               {database.with_near.format(near=_NEAR)}
         ORDER BY h.number, n.sent_at, n.number
        """
    for hit, number, *row in database.rows(sql, {"workspace": workspace}):
        if number not in messages:
            messages[number] = message_of(tuple(row))
        if looked.admits(messages[number]):
            near.setdefault(hit, []).append(number)
    shown = {number: messages[number] for number in chain.from_iterable(near.values())}
    return MessageMatches(
        matches=tuple(shown[number] for number in numbers if number in shown),
        runs=tuple(tuple(shown[number] for number in run) for run in _runs(near.values(), shown)),
        seen=seen,
        messages=many,
    )


def _of_session(database: Database, workspace: str, looked: Looked, numbers: Sequence[int]) -> Sequence[int]:
    if looked.session is None or not numbers:
        return numbers
    sql = f"""
        SELECT number FROM messages WHERE {database.here} AND session = :session
           AND number IN ({", ".join(map(str, numbers))}) ORDER BY number DESC
        """
    values = {"workspace": workspace, "session": looked.session}
    return list(chain.from_iterable(database.rows(sql, values)))


def _best(
    holders: Mapping[str, Sequence[int]], together: Mapping[int, Sequence[str]], many: int
) -> list[int]:
    worth = {term: math.log1p(many / max(1, len(numbers))) for term, numbers in holders.items()}
    scores = {number: sum(map(worth.__getitem__, terms)) for number, terms in together.items()}
    for term, numbers in holders.items():
        for number in numbers:
            if number not in together or term not in together[number]:
                scores[number] = scores.get(number, 0.0) + worth[term]
    return sorted(scores, key=lambda number: (-scores[number], -number))


def _runs(near: Iterable[list[int]], messages: Mapping[int, ChatMessage]) -> Iterator[list[int]]:
    follows = {pair for around in near for pair in pairwise(around)}

    def talk(number: int) -> tuple[str, str, str]:
        message = messages[number]
        return message.channel, message.conversation, message.session

    ordered = sorted(messages, key=lambda number: (talk(number), messages[number].sent_at, number))
    for _, of_talk in groupby(ordered, key=talk):
        run: list[int] = []
        for number in of_talk:
            if run and (run[-1], number) not in follows:
                yield run
                run = []
            run.append(number)
        yield run
