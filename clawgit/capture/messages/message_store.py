"""The message store: one set of operations, over SQLite or PostgreSQL."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from itertools import chain
from operator import attrgetter
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clawgit.capture.messages.message import (
    COLUMNS,
    MARKS,
    ChatMessage,
    ImportPoint,
    StoreOutcome,
    message_of,
    message_terms,
    values_of,
    written_time,
)
from clawgit.capture.messages.message_search import POOL, Looked, MessageMatches, candidates
from clawgit.memory.trust import OPERATOR
from clawgit.plan import MESSAGE
from clawgit.workspace.records.sqlite_files import RecordsError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from clawgit.capture.messages.message import MessageQuery, Row, SignalNote
    from clawgit.capture.messages.message_search import Database

_RUNS_AT_ONCE = 500
_WITH_MARKS = "messages JOIN marks ON marks.number = messages.number"
_KNOWN_NOW = "INSERT INTO clones VALUES (:workspace, :clone) ON CONFLICT DO NOTHING"
_OTHERS = "marks.clone <> :clone AND messages.workspace = :workspace"
# characters of a message, and number of messages, compared by their beginning
_BEGINNING, _MOST_ALIKE = 20, 500
_NUMBER = "SELECT number FROM messages WHERE workspace = :workspace AND id = :id"
_KEPT = "priority >= 0"  # vetoed messages are in no answer
_UNREAD = f"mined_in IS NULL AND read_in IS NULL AND {_KEPT}"
_MARKED = f"""(SELECT m.*, {MARKS} FROM messages AS m
    LEFT JOIN marks ON marks.number = m.number AND marks.clone = :clone) AS messages"""
_MOST_VETOED = 1000
_IN_A_CHANNEL = ("conversation", "session", "sender")
_KINDS = ("channel", *_IN_A_CHANNEL, "file")  # kinds of sources of messages


class Clone(NamedTuple):
    """A clone of a workspace by its id, and a function that returns its finished runs."""

    clone_id: str = ""
    runs: Callable[[], Collection[str]] = tuple


NO_CLONE: Final = Clone()


class Stats(NamedTuple):
    """Counts of a workspace's store."""

    messages: int
    first: datetime | None
    last: datetime | None
    by_role: Mapping[str, int]
    by_channel: Mapping[str, int]
    by_trust: Mapping[str, int]
    to_mine: int
    flagged: int
    to_validate: int


class MessageStore:
    """The messages of one workspace; each clone has its own marks, and none until it needs one."""

    def __init__(
        self, database: Database, workspace: str, oldest: datetime | None = None, clone: Clone = NO_CLONE
    ) -> None:
        self._db, self._workspace, self._oldest = database, workspace, oldest
        self._clone, self._is_settled = clone, not clone.clone_id

    def add(
        self,
        messages: Iterable[ChatMessage],
        *,
        claim: bool = False,
        point: ImportPoint | None = None,
        forgets: bool = True,
    ) -> list[StoreOutcome]:
        """Keep messages, and how far their transcript was read, in one transaction; on disk when this returns.

        Messages that an order asks to forget are vetoed like the order, and deleted with it (``forgets``: False if others
        listen). An existing message is unchanged; only a ``claim`` makes one with equal text the operator's.
        """
        from clawgit.understanding.evidence.orders_to_forget import to_forget

        every = list(messages)

        def work() -> list[StoreOutcome]:
            added = [self._add(message, claim=claim) for message in every]
            for at, message in enumerate(every):
                is_order = message.is_operator and (message.is_vetoed or to_forget(message.text))
                if forgets and is_order and not self._is_taken_back(message, added[at]):
                    added[at] = added[at]._replace(forgotten=self._keep_out(message))
            if point is not None:
                self._db.rows(
                    """
                    INSERT INTO imports (workspace, source, bytes_read, lines_read, mark, chain)
                    VALUES (:workspace, :source, :read, :lines, :mark, :chain)
                    ON CONFLICT (workspace, source) DO UPDATE SET bytes_read = excluded.bytes_read,
                           lines_read = excluded.lines_read, mark = excluded.mark, chain = excluded.chain
                    """,
                    {"workspace": self._workspace, **point._asdict()},
                )
                sql = "INSERT INTO imported (workspace, source, id) VALUES (:workspace, :source, :id) ON CONFLICT DO NOTHING"
                for each in added:
                    self._rows(sql, source=point.source, id=each.chat_id)
            return added

        return self._db.transact(work)

    def get(self, chat_id: str) -> ChatMessage | None:
        """Return the message with this id, also a vetoed one."""
        message = self._kept_as(chat_id)
        if message is not None and self._oldest is not None and message.sent_at < self._oldest:
            return None
        return message

    def get_each(self, chat_ids: Iterable[str]) -> list[ChatMessage]:
        """Return the messages with these ids, as `get` does, oldest first."""
        names = _named("id", dict.fromkeys(chat_ids))
        if not names:
            return []
        by_id = {}
        for each in self._select(f"id IN (:{', :'.join(names)})", names, "number", len(names)):
            if self._oldest is None or each.sent_at >= self._oldest:
                by_id[each.chat_id] = each
        return list(filter(None, map(by_id.get, names.values())))

    def conversations_with(self, channel: str, message_id: str) -> list[str]:
        sql = "SELECT conversation FROM messages WHERE workspace = :workspace AND channel = :channel AND message_id = :own"
        return self._column(sql, channel=channel, own=message_id)

    def count_in(self, channel: str, conversation: str) -> int:
        sql = "SELECT COUNT(*) FROM messages WHERE workspace = :workspace AND channel = :channel AND conversation = :talk"
        return int(self._rows(sql, channel=channel, talk=conversation)[0][0])

    def log(self, query: MessageQuery) -> list[ChatMessage]:
        conditions = [
            "TRUE" if query.vetoed else f"+{_KEPT}"
        ]  # without the plus the miner's index is read whole
        values: dict[str, str] = {}
        for name in ("channel", "conversation", "session", "role"):
            value = query._asdict()[name]
            if value:
                conditions.append(f"{name} = :{name}")
                values[name] = value
        if query.since:
            conditions.append("sent_at >= :since")
            values["since"] = written_time(query.since)
        if query.until:
            conditions.append("sent_at < :until")
            values["until"] = written_time(query.until)
        if query.flagged:
            conditions.append(
                "priority > 0 AND sent_at > ''"
            )  # with both, the index of flagged ones has the order
        return self._select(" AND ".join(conditions), values, "sent_at DESC, number DESC", query.limit)[::-1]

    def last_spoken(self, since: datetime | None = None) -> list[ChatMessage]:
        """Return the last turn of a user or assistant in each session of each conversation, latest first.

        ``since``: only of what was said or received since then.
        """
        lately, values = "TRUE", {}
        if since is not None:
            lately = "(sent_at >= :since OR received_at >= :since)"
            values["since"] = written_time(since)
        sql = f"""
            SELECT {COLUMNS} FROM (
                SELECT {COLUMNS}, number, row_number() OVER (
                       PARTITION BY channel, conversation, session ORDER BY sent_at DESC, number DESC) AS place
                  FROM messages
                 WHERE workspace = :workspace AND role IN ('user', 'assistant') AND +{_KEPT} AND {lately}) AS spoken
             WHERE place = 1 ORDER BY sent_at DESC, number DESC
            """
        return list(map(message_of, self._rows(sql, **values)))

    def since(self, cursor: int, limit: int = 1000) -> tuple[list[ChatMessage], int]:
        """Return messages that became known after ``cursor``, and the next cursor; each message once, also after a late commit."""
        self._db.number_new(self._workspace)
        feed = self._db.feed
        sql = f"""
            SELECT {feed}, {COLUMNS}, {MARKS} FROM {_MARKED}
             WHERE {self._db.here} AND {feed} > :cursor AND {_KEPT} ORDER BY {feed} LIMIT :limit
            """
        rows = self._rows(sql, clone=self._marked_by(), cursor=cursor, limit=limit)
        return [message_of(row[1:]) for row in rows], rows[-1][0] if rows else cursor

    def candidates(
        self,
        words: Sequence[str],
        days: tuple[datetime, datetime] | None = None,
        limit: int = POOL,
        session: str | None = None,
    ) -> MessageMatches:
        """Return messages with any of the index words or in a span of time, and those around them."""
        return candidates(self._db, self._workspace, Looked(words, days, self._oldest, limit, session))

    def to_mine(self, limit: int = 200) -> list[ChatMessage]:
        """Return messages that no miner has read: flagged ones first, then by arrival."""
        return self._select(_UNREAD, {}, "priority DESC, number", limit)

    def left_by_rules(self, since: datetime, limit: int = 200) -> list[ChatMessage]:
        """Return messages received since then without a result by rules and not read by a model, oldest first."""
        condition = f"mined_in IS NULL AND read_in IS NOT NULL AND received_at >= :since AND {_KEPT}"
        return self._select(condition, {"since": written_time(since)}, "received_at, number", limit)

    def read_since(self, since: datetime, limit: int = 500) -> list[ChatMessage]:
        """Return the latest messages received since then that a miner read, with or without result, newest first."""
        condition = f"(mined_in IS NOT NULL OR read_in IS NOT NULL) AND received_at >= :since AND {_KEPT}"
        return self._select(condition, {"since": written_time(since)}, "received_at DESC, number DESC", limit)

    def beginning_with(self, texts: Collection[str]) -> list[ChatMessage]:
        """Return the user's messages that begin like one of the texts; each text is one line."""
        begins = _named("begin", [text[:_BEGINNING] for text in texts])
        if not begins:
            return []
        condition = f"role = 'user' AND {_KEPT} AND replace(substr(text, 1, {_BEGINNING}), :line, ' ') IN (:{', :'.join(begins)})"
        return self._select(condition, {"line": "\n", **begins}, "number", _MOST_ALIKE)

    def to_validate(self, limit: int = 50) -> list[ChatMessage]:
        return self._select("validator IS NOT NULL AND validated_in IS NULL", {}, "validator, number", limit)

    def own_since(self, cursor: int, limit: int) -> list[str]:
        """Return the ids of the operator's messages that became known after a cursor of `since`."""
        self._db.number_new(self._workspace)
        sql = f"""
            SELECT id FROM messages WHERE {self._db.here} AND {self._db.feed} > :cursor
               AND role = 'user' AND trust = 'operator' AND {_KEPT} LIMIT :limit
            """
        return self._column(sql, cursor=cursor, limit=limit)

    def mark_mined(self, chat_ids: Iterable[str], run_id: str) -> int:
        """Mark messages as done by a run of the miner; the first mark stays. Return how many were new."""
        return self._mark("mined_in", chat_ids, run_id)

    def mark_read(self, chat_ids: Iterable[str], run_id: str) -> int:
        """Mark messages as read by the miner's rules without a result; the first mark stays."""
        return self._mark("read_in", chat_ids, run_id)

    def mark_validated(self, chat_ids: Iterable[str], run_id: str) -> int:
        """Mark messages as read by a run of the validator; the first mark stays. Return how many were new."""
        return self._mark("validated_in", chat_ids, run_id)

    def forget_before(self, moment: datetime, now: datetime) -> int:
        """Delete messages sent before ``moment``, a thousand in a transaction."""
        gone = self._forget("sent_at < :before", {"before": written_time(moment)})
        times = {"before": written_time(moment), "now": written_time(now)}
        return gone + self._forget("sent_at > :now AND received_at < :before", times)

    def vetoed(self) -> list[ChatMessage]:
        return self._select("priority < 0", {}, "received_at DESC", _MOST_VETOED)

    def forget_vetoed(self, moment: datetime) -> int:
        return self._forget("priority < 0 AND received_at < :before", {"before": written_time(moment)})

    def import_point(self, source: str) -> ImportPoint:
        sql = "SELECT source, bytes_read, lines_read, mark, chain FROM imports WHERE workspace = :workspace AND source = :source"
        rows = self._rows(sql, source=source)
        if rows:
            return ImportPoint(*rows[0])
        return ImportPoint(source)

    def imported_files(self) -> list[str]:
        sql = "SELECT source FROM imports WHERE workspace = :workspace ORDER BY source"
        return self._column(sql)

    def sources_called(self, word: str) -> dict[str, frozenset[str]]:
        """Return the channels, conversations, sessions, senders and files of a name (``sender:4242``: of that kind), with citations."""
        kind, colon, name = word.partition(":")
        kinds: Sequence[str] = _KINDS
        if colon and kind in _KINDS:
            kinds = (kind,)
        else:
            name = word
        sources: dict[str, frozenset[str]] = {}
        if "channel" in kinds:
            sql = "SELECT DISTINCT channel FROM messages WHERE workspace = :workspace AND LOWER(channel) = LOWER(:name)"
            for (own,) in self._rows(sql, name=name):
                sources[f"channel:{own}"] = self._citations("messages", "channel = :own", own=own)
        for each in (each for each in _IN_A_CHANNEL if each in kinds):
            sql = f"""
                SELECT DISTINCT channel, {each} FROM messages WHERE workspace = :workspace AND {each} <> ''
                   AND LOWER(:name) IN (LOWER({each}), LOWER(channel || '/' || {each}), LOWER(channel || ':' || {each}))
                 ORDER BY channel, {each}
                """
            for channel, own in self._rows(sql, name=name):
                full_name = f"{each}:{channel}/{own}" if channel else f"{each}:{own}"
                condition = f"{each} = :own" + (" AND channel = :channel" if channel else "")
                sources[full_name] = self._citations("messages", condition, own=own, channel=channel)
        if "file" in kinds:
            parts = PurePath(name).parts
            for path in self.imported_files():
                if parts and PurePath(path).parts[-len(parts) :] == parts:
                    sources[f"file:{path}"] = self._citations("imported", "source = :path", path=path)
        return sources

    def stats(self) -> Stats:
        ((count, first, last, unmined, flagged, waiting),) = self._db.rows(
            f"""
            SELECT COUNT(*), MIN(sent_at), MAX(sent_at), COUNT(CASE WHEN {_UNREAD} THEN 1 END),
                   COUNT(CASE WHEN {_UNREAD} AND priority > 0 THEN 1 END),
                   COUNT(CASE WHEN validator IS NOT NULL AND validated_in IS NULL THEN 1 END)
              FROM {_MARKED} WHERE workspace = :workspace
            """,
            {"workspace": self._workspace, "clone": self._marked_by()},
        )
        return Stats(
            messages=count,
            first=None if first is None else datetime.fromisoformat(first),
            last=None if last is None else datetime.fromisoformat(last),
            by_role=self._count("role"),
            by_channel=self._count("channel"),
            by_trust=self._count("trust"),
            to_mine=unmined,
            flagged=flagged,
            to_validate=waiting,
        )

    def count_unread(self) -> int:
        sql = f"SELECT COUNT(*) FROM {_MARKED} WHERE workspace = :workspace AND {_UNREAD}"
        ((count,),) = self._db.rows(sql, {"workspace": self._workspace, "clone": self._marked_by()})
        return int(count)

    def close(self) -> None:
        self._db.close()

    def _add(self, message: ChatMessage, *, claim: bool) -> StoreOutcome:
        if message.role == "assistant":
            sql = """
                SELECT priority FROM messages
                 WHERE workspace = :workspace AND channel = :channel AND conversation = :conversation
                       AND session = :session AND role = 'user' AND sent_at <= :sent_at
                 ORDER BY sent_at DESC, number DESC LIMIT 1
                """
            prompts = self._db.rows(sql, values_of(message) | {"workspace": self._workspace})
            if prompts and prompts[0][0] < 0:
                message = message.vetoed()
        values = values_of(message) | {"workspace": self._workspace, "id": message.chat_id}
        new = self._db.rows(
            f"""
            INSERT INTO messages (workspace, id, {COLUMNS}, priority, validator)
            VALUES (:workspace, :id, :{COLUMNS.replace(", ", ", :")}, :priority, :validator)
            ON CONFLICT (workspace, channel, conversation, message_id) DO NOTHING RETURNING number
            """,
            values,
        )
        if new:
            self._db.index(new[0][0], self._workspace, message_terms(message.sender, message.text))
            return StoreOutcome(message.chat_id, "stored")
        there = self._kept_as(message.chat_id)
        is_anothers = there is not None and there.trust != OPERATOR and there.text != message.text
        if message.trust == OPERATOR and is_anothers:
            return self._add(message.set_apart(), claim=claim)
        claimed = claim and message.trust == OPERATOR and self._claim(values)
        return StoreOutcome(message.chat_id, "claimed" if claimed else "repeated")

    def _is_taken_back(self, order: ChatMessage, outcome: StoreOutcome) -> bool:
        """Say whether an order that comes again was taken back by `let_in_again`."""
        there = self._kept_as(outcome.chat_id)
        return there is not None and there.text != order.text

    def _keep_out(self, order: ChatMessage) -> tuple[ChatMessage, ...]:
        """Veto the messages that an order to forget takes back, so that the order need not be evaluated again."""
        from clawgit.capture.messages.forgotten_messages import forgotten_by

        forgotten = tuple(forgotten_by(self, order))
        for each in forgotten:
            self._change(each.vetoed()._replace(received_at=order.received_at))
        return forgotten

    def kept_out_by(self, order: ChatMessage) -> list[ChatMessage]:
        from clawgit.capture.messages.forgotten_messages import forgotten_by

        forgotten = filter(attrgetter("is_vetoed"), forgotten_by(self, order, vetoed=True))
        return [each for each in forgotten if each.received_at == order.received_at]

    def let_in_again(
        self, order: ChatMessage, signal_of: Callable[[ChatMessage], SignalNote]
    ) -> list[ChatMessage]:
        """Undo `_keep_out` while the messages are there, and leave of the order what forgets nothing."""

        def work() -> list[ChatMessage]:
            back = self.kept_out_by(order)
            for each in back:
                self._change(each._replace(signal=signal_of(each)))
            self._settle(order)
            return back

        return self._db.transact(work)

    def _change(self, message: ChatMessage) -> None:
        sql = """
            UPDATE messages SET text = :text, signal = :signal, priority = :priority, validator = :validator,
                   received_at = :received_at WHERE workspace = :workspace AND id = :id
            """
        self._db.rows(sql, values_of(message) | {"workspace": self._workspace, "id": message.chat_id})

    def _claim(self, values: Mapping[str, Any]) -> bool:
        """Make someone's message the operator's; it counts as received now, and is read again."""
        sql = """
            UPDATE messages SET is_operator = :is_operator, trust = :trust, signal = :signal, priority = :priority,
                   validator = :validator, received_at = :received_at
             WHERE workspace = :workspace AND id = :id AND role = 'user' AND trust <> :trust RETURNING number
            """
        claimed = self._db.rows(sql, values)
        for (number,) in claimed:
            self._db.rows("DELETE FROM marks WHERE number = :number", {"number": number})
        return bool(claimed)

    def _forget(self, condition: str, times: Mapping[str, str]) -> int:
        if not self._select(condition, times, "sent_at", 1):
            return 0
        gone = 0
        while some := self._db.transact(lambda: self._forget_some(condition, times)):
            gone += some
        self._db.empty_log()
        return gone

    def _forget_some(self, condition: str, times: Mapping[str, str]) -> int:
        """Delete up to a thousand messages; a turn that would now take back another message than before takes back nothing."""
        from clawgit.capture.messages.forgotten_messages import taken_back, takings_behind

        gone = self._select(condition, times, "sent_at", 1000)
        takings = takings_behind(self, filter(attrgetter("is_vetoed"), gone))
        for each in gone:
            self._db.rows("DELETE FROM messages WHERE number = :number", {"number": self._unindex(each)})
        others = []
        for turn, taken in takings:
            if turn not in gone and taken_back(self, turn) != taken:
                others.append(turn)
        for turn in others:
            self._settle(turn)
        if gone and not self._select(condition, times, "sent_at", 1):
            self._db.erase_terms()
        return len(gone)

    def _settle(self, order: ChatMessage) -> None:
        """Leave of an order to forget, or of words that take back, what asks for nothing."""
        from clawgit.capture.messages.forgotten_messages import without_forgetting

        settled = order._replace(text=without_forgetting(order.text))
        self._db.index(self._unindex(order), self._workspace, message_terms(order.sender, settled.text))
        self._change(settled)

    def _unindex(self, message: ChatMessage) -> int:
        ((number,),) = self._rows(_NUMBER, id=message.chat_id)
        self._db.unindex(number, message_terms(message.sender, message.text))
        return int(number)

    def _mark(self, column: str, chat_ids: Iterable[str], run_id: str) -> int:
        clone = self._marked_by()
        sql = f"""
            INSERT INTO marks (number, clone, {column})
            SELECT number, :clone, :run FROM messages WHERE workspace = :workspace AND id = :id
                ON CONFLICT (number, clone) DO UPDATE SET {column} = excluded.{column}
             WHERE marks.{column} IS NULL RETURNING number
            """
        every = list(chat_ids)

        def work() -> int:
            self._rows(_KNOWN_NOW, clone=clone)
            return sum(len(self._rows(sql, clone=clone, id=chat_id, run=run_id)) for chat_id in every)

        return self._db.transact(work)

    def _marked_by(self) -> str:
        clone = self._clone.clone_id
        if not self._is_settled:
            self._is_settled = True
            is_known = "SELECT 1 FROM clones WHERE workspace = :workspace AND clone = :clone"
            of_others = f"SELECT 1 FROM {_WITH_MARKS} WHERE {_OTHERS} LIMIT 1"
            with suppress(RecordsError):  # read-only access sees no marks
                if not self._rows(is_known, clone=clone) and self._rows(of_others, clone=clone):
                    runs = frozenset(self._clone.runs())
                    self._db.transact(lambda: self._take_over(runs))
        return clone

    def _take_over(self, settled: Collection[str]) -> None:
        clone = self._clone.clone_id
        for column in MARKS.split(", "):
            sql = f"SELECT DISTINCT {column} FROM {_WITH_MARKS} WHERE {_OTHERS} AND {column} IS NOT NULL"
            runs = list(filter(settled.__contains__, self._column(sql, clone=clone)))
            for start in range(0, len(runs), _RUNS_AT_ONCE):
                names = _named("run", runs[start : start + _RUNS_AT_ONCE])
                sql = f"""
                    INSERT INTO marks (number, clone, {column})
                    SELECT marks.number, :clone, MIN({column}) FROM {_WITH_MARKS}
                     WHERE {_OTHERS} AND {column} IN (:{", :".join(names)})
                     GROUP BY marks.number
                        ON CONFLICT (number, clone) DO UPDATE SET {column} = excluded.{column}
                    """
                self._rows(sql, clone=clone, **names)
        self._rows(_KNOWN_NOW, clone=clone)

    def _rows(self, sql: str, **values: object) -> list[Row]:
        return self._db.rows(sql, {"workspace": self._workspace, **values})

    def _column(self, sql: str, **values: object) -> list[str]:
        return list(chain.from_iterable(self._rows(sql, **values)))

    def _select(self, condition: str, values: Mapping[str, Any], order: str, limit: int) -> list[ChatMessage]:
        sql = f"""
            SELECT {COLUMNS}, {MARKS} FROM {_MARKED}
             WHERE workspace = :workspace AND {condition} ORDER BY {order} LIMIT :limit
            """
        rows = self._rows(sql, **values, clone=self._marked_by(), limit=limit)
        return list(map(message_of, rows))

    def _kept_as(self, chat_id: str) -> ChatMessage | None:
        return next(iter(self._select("id = :id", {"id": chat_id}, "number", 1)), None)

    def _citations(self, table: str, condition: str, **values: str) -> frozenset[str]:
        sql = f"SELECT id FROM {table} WHERE workspace = :workspace AND {condition}"
        return frozenset(MESSAGE + name for name in self._column(sql, **values))

    def _count(self, column: str) -> dict[str, int]:
        sql = f"SELECT {column}, COUNT(*) FROM messages WHERE workspace = :workspace GROUP BY {column} ORDER BY {column}"
        return dict(self._rows(sql))


def _named(name: str, values: Iterable[str]) -> dict[str, str]:
    return {f"{name}{number}": value for number, value in enumerate(values)}
