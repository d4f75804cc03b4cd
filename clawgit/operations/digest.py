"""The digest: the changes since the last one and what is pending, in one message; none if there is nothing.

Its delivery is noted before it goes out and again when it has arrived, at most once a day.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import urllib.error
import urllib.request
from contextlib import suppress
from datetime import date, datetime, timedelta
from functools import partial
from itertools import chain, filterfalse
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from urllib.parse import urlsplit

from clawgit.agents.external_handler import call_handler
from clawgit.agents.models.model import spent_words
from clawgit.capture.messages.open_messages import workspace_id
from clawgit.context.longterm_slot import important_first
from clawgit.errors import ClawgitError
from clawgit.history.git.repository import History, storage_errors
from clawgit.history.guards.contents import HELD_WHOLE
from clawgit.history.guards.contents import RULE as SECRET
from clawgit.history.provenance.statement_changes import left_by_rewrites
from clawgit.history.reading.changed_words import exchanged_lines
from clawgit.history.reading.git_log import read_changes
from clawgit.history.review.arrivals import read_arrivals
from clawgit.history.review.proposals import LAPSED, lapsed_proposals
from clawgit.history.review.working_tree_edits import AFTER_LOSS, read_open_edits
from clawgit.history.states import commit_at
from clawgit.http_client import opener_for
from clawgit.memory.entries.entries import lines_saying
from clawgit.memory.entries.own_section import LEAD
from clawgit.operations.changed_news import SHORT, Changed, News, found_by_runs, read_changed
from clawgit.operations.not_kept import TO_LET_IN, heard_for_digest
from clawgit.pending.day_questions import MOST as MOST_ASKED
from clawgit.pending.day_questions import DayQuestion, note_shown, others_of, questions_of
from clawgit.pending.queue import Pending, PendingKind, kind_of, read_pending
from clawgit.runner.run_due_jobs import read_runner_status
from clawgit.text.safety.control_characters import begin_of, counted, few, folded
from clawgit.text.safety.secrets import redact
from clawgit.workspace.records.record_tables import DigestNote, DigestState
from clawgit.workspace.records.records import RECORDS, Records, open_records
from clawgit.workspace.safe_files import FileContent, write_file
from clawgit.workspace.settings.setting_types import Value, argv_of
from clawgit.workspace.settings.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from clawgit.history.guards.finding import Finding

T = TypeVar("T")


FIRST = timedelta(days=7)  # that the first digest looks back, or to when the workspace was made
SHOWN, MOST = 5, 12  # pieces of news in a section: of a morning, on a phone, and of a time that was asked for
MOST_LINKED = 3  # entries with the operator's words beside them
LONGEST, BRIEF, QUOTE = 300, 140, 70  # characters of what is asked, of other news, and of whose it is
OF_SHOWN = 80  # characters of what the command shows whole
_REMEMBER = "clawgit remember "
_SAY_IT_AGAIN = (_REMEMBER, "clawgit correct ")  # commands with the sentence that they are behind
UNDO, APPROVE, SHOW = "clawgit undo", "clawgit approve", "clawgit pending show"
# what the last lines say of the word before an id
WAYS = {
    UNDO: "undo: `clawgit undo ID`",
    APPROVE: "answer: `clawgit approve ID` or `clawgit reject ID`",
    SHOW: "show: `clawgit pending show ID`",
}


class Digest(NamedTuple):
    """The changes up to a commit, and what is pending, each under a name for the next digest, and what lapsed."""

    tip: str
    at: datetime
    changed: Changed
    waiting: Mapping[str, str]
    told_before: frozenset[str] = frozenset()
    spent: str = ""  # by models, in words
    base: str | None = None
    lapsed: tuple[News, ...] = ()
    # reported once: flagged messages that were not kept, secrets in commits, files that one keeps out
    heard: Mapping[str, list[News]] = MappingProxyType({})
    leaked: Mapping[str, News] = MappingProxyType({})
    held: Mapping[str, list[str]] = MappingProxyType({})
    questions: tuple[DayQuestion, ...] = ()  # of the day; they are pending, too
    hidden: frozenset[str] = frozenset()  # pending items that the digest leaves out
    failed: Mapping[str, str] = MappingProxyType({})  # jobs, reported once until they work again
    noticed: Mapping[str, News] = MappingProxyType({})  # by jobs, for him to look at
    most: int = SHOWN

    @property
    def is_news(self) -> bool:
        return bool(self.changed) or bool(self.lapsed) or not self.told_before.issuperset(self.names)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of what this digest reports, for the next one."""
        return (*self.waiting, *self.heard, *self.leaked, *self.held, *self.failed, *self.noticed)

    @property
    def text(self) -> str:
        if not self.is_news:
            return ""
        changed = self.changed
        most = self.most
        difference = f"git diff {self.base[:12]} {self.tip[:12]}" if self.base else "git log -p"
        moved = _section("Moved", changed.moved, most, difference)
        losses = important_first(changed.dropped, attrgetter("text"))
        dropped = _section("Dropped", losses, most, "clawgit log")
        lines = [f"# {self.at:%Y-%m-%d}: {self._title}"]
        lines += _section("Lost", self._pending(lost=True), most, "clawgit pending")
        if changed.is_rearranged:
            lines += moved + dropped
            moved = dropped = []
        lines += _section("Said otherwise since", changed.against, len(changed.against), "")
        lines += _section("Learned", important_first(self._learned, attrgetter("text")), most, "clawgit log")
        lines += _section("Corrected", changed.corrected[::-1], most, "clawgit log")
        beside = changed.linked[:MOST_LINKED]
        lines += _section("Later words beside a line: answer if you like", beside, MOST_LINKED, "")
        lines += self._asked
        lines += moved
        lines += _section("Taken back", [*changed.taken_back, *self._kept_out], most, "clawgit log")
        lines += _section("Changed about myself", changed.identity, most, "clawgit log")
        lines += dropped
        lines += _section("Typed into the files", changed.typed, most, "clawgit log")
        lines += _section("Brought back", changed.back, most, "clawgit log")
        lines += _section("Changed in your files", changed.files, most, "clawgit log")
        lines += _section("Noticed", self._new(self.noticed), most, "clawgit runs --all")
        lines += _section("Lapsed", self.lapsed, most, "clawgit log")
        lines += self._unkept
        lines += _section("Secrets in the history", self._new(self.leaked), most, "clawgit doctor")
        lines += _section("Kept out of git for a key", self._held, most, "clawgit status")
        lines += _section("Jobs that failed", self._new(self.failed), most, "clawgit status")
        ends = self._ends("\n".join(lines))
        if ends:
            lines += ["", *ends]
        return "\n".join(lines) + "\n"

    def _ends(self, rows: str) -> list[str]:
        """Return the last lines: counts of what has no row, and the commands behind the words in ``rows``."""
        ends = []
        more = len(self.changed.linked[MOST_LINKED:]) + self.changed.beside
        if more:
            count = counted(more, "other message")
            ends.append(f"Beside a line: {count} (`clawgit pending`).")
        if self.spent:
            ends.append(self.spent)
        ends += [way for way in WAYS.values() if f" → {way.partition(':')[0]} " in rows]
        if self._unkept:
            ends.append("heard: `clawgit pending`")
        return ends

    def _new(self, news: Mapping[str, T]) -> list[T]:
        return [each for name, each in news.items() if name not in self.told_before]

    @property
    def _learned(self) -> list[News]:
        """Return the learned entries; if an entry is also a question, with the answers to it."""
        learned = list(self.changed.learned)
        for number, each in enumerate(learned):
            mark = _id_in(each)
            if mark in self.waiting:
                learned[number] = each._replace(command=f"{APPROVE} {mark}")
        return learned

    @property
    def _held(self) -> list[str]:
        places = list(chain.from_iterable(self._new(self.held)))
        if not places:
            return []
        row = f"{places[0]} looks like a key. {HELD_WHOLE}"
        if len(places) > 1:
            row += f" The same for {few(places[1:], MOST_LINKED)}."
        return [f"{row} → `clawgit doctor`"]

    @property
    def _unkept(self) -> list[str]:
        """Return what was not kept, without what a line above quotes: first what needs him, which is never counted only."""
        changed = self.changed
        above = (*changed.learned, *changed.corrected, *changed.against, *changed.linked[:MOST_LINKED])
        quoted = "\n".join(map(folded, map(attrgetter("quote"), above)))
        needing: dict[str, News] = {}  # by its words: he may have said it twice
        others: dict[str, News] = {}
        for news in chain.from_iterable(self._new(self.heard)):
            if folded(news.text) in quoted or news.command.startswith(TO_LET_IN):
                continue
            row = news
            if news.command.startswith(_SAY_IT_AGAIN):
                row = news._replace(command="")
            rows = others if news.command.startswith(_REMEMBER) else needing
            rows.setdefault(folded(news.text).casefold(), row)
        most = max(self.most - 2, len(needing))
        return _section("Heard, not kept", list((needing | others).values()), most, "")

    @property
    def _kept_out(self) -> list[News]:
        """Return the orders to forget that took messages out of search."""
        rows = chain.from_iterable(self._new(self.heard))
        return list(filter(lambda news: news.command.startswith(TO_LET_IN), rows))

    @property
    def _asked(self) -> list[str]:
        rows = self._pending(lost=False)
        kinds = list(map(kind_of, self.hidden))
        tidying = kinds.count(PendingKind.REARRANGEMENT)
        counts = []
        if len(kinds) > tidying:
            counts.append(counted(len(kinds) - tidying, f"{'more' if rows else 'open'} question"))
        if tidying:
            counts.append(f"{counted(tidying, 'question')} about tidying")
        if counts:
            rows.append(f"{' and '.join(counts)}: `clawgit pending`")
        return _section("Asked", rows, len(rows), "")

    def _pending(self, *, lost: bool) -> list[str]:
        passed = self.hidden.union(map(_id_in, self.changed.learned))
        rows = {name: row for name, row in self.waiting.items() if name not in passed}
        return [row for name, row in rows.items() if lost is (kind_of(name) is PendingKind.LOSS)]

    @property
    def _title(self) -> str:
        """Return the first line, which a phone shows: counts by section."""
        sections: dict[str, Collection[object]] = {
            "lost": self._pending(lost=True),
            "said otherwise": self.changed.against,
            "learned": self.changed.learned,
            "corrected": self.changed.corrected,
            "with later words beside": range(len(self.changed.linked) + self.changed.beside),
            "about myself": self.changed.identity,
            "asked": self._pending(lost=False),
            "moved": self.changed.moved,
            "dropped": self.changed.dropped,
            "in your files": self.changed.files,
            "kept out for a key": self._new(self.held),
        }
        parts = [f"{len(news)} {what}" for what, news in sections.items() if news]
        if self.changed.typed_lines:
            parts.append(f"{self.changed.typed_lines} typed")
        return ", ".join(parts) or "what changed"


def read_digest(
    history: History, now: datetime, last: DigestNote | None, settings_waiting: Mapping[str, Value]
) -> Digest:
    """Return the changes since the last digest that arrived; without one, of a week."""
    if last is None:
        return read_since(history, now - FIRST, now, settings_waiting)._replace(most=SHOWN)
    return _read(history, now, last.tip, last.at, settings_waiting, frozenset(last.waiting))


def read_since(
    history: History, since: datetime, now: datetime, settings_waiting: Mapping[str, Value]
) -> Digest:
    digest = _read(history, now, commit_at(history, since, now), since, settings_waiting)
    return digest._replace(most=MOST)


def _read(
    history: History,
    now: datetime,
    base: str | None,
    since: datetime,
    settings_waiting: Mapping[str, Value],
    told_before: frozenset[str] = frozenset(),
) -> Digest:
    tip = history.tip().commit_id or ""
    for newest in history.objects.first_parents(tip or None):
        tip = newest.commit_id
        is_ours = newest.one_hand and newest.trailers.first("Clawgit-Op") is not None
        if newest.commit_id == base or not is_ours or newest.committed_at <= now.timestamp():
            break  # later commits of clawgit are not news of a past day
    changed = read_changed(history, base, tip, left_by_rewrites(history, since)) if tip else Changed()
    questions = tuple(questions_of(history, now, in_talk=False))
    items = list(map(partial(_with_first_lost, history), read_pending(history, now, settings_waiting)))
    edits = read_open_edits(history, history.tip(), now)
    waiting = _waiting(items, questions, edits.losses)
    lines = " ".join(map(attrgetter("line"), questions))
    linked = filterfalse(lambda each: each.text in lines, changed.linked)  # asked below
    changed = changed._replace(linked=tuple(linked))
    learned = set(map(_id_in, changed.learned))
    others = []
    hidden = set()
    for item in items:
        if not (item.is_link or item.kind is PendingKind.LOSS or item.item_id in learned):
            hidden.add(item.item_id)
            if item.kind is not PendingKind.QUESTION:
                others.append(item)
    questions += tuple(others_of(history, now, others, MOST_ASKED - len(questions)))
    hidden.difference_update(map(attrgetter("item.item_id"), questions))
    lapsed = []
    for proposal in lapsed_proposals(history, since):
        lapsed.append(News(proposal.summary, f"clawgit approve {proposal.parked_id}"))
    reach = [tip, f"^{base}"] if base else [tip]
    for change in read_changes(history, f"--grep=^> {LAPSED}", *reach) if tip else ():
        lapsed.append(News(change.subject, f"clawgit undo {change.commit_id[:SHORT]}"))
    leaked: dict[str, News] = {}
    for arrival in read_arrivals(history).lasting:
        if arrival.rule == SECRET:
            news = News(f"In {arrival.commit_id[:12]}: {arrival.sentence}", "clawgit doctor")
            leaked[f"secret:{arrival.commit_id[:12]}:{arrival.path}:{arrival.line}"] = news
    digest = Digest(tip, now, changed, waiting, told_before, base=base, lapsed=tuple(lapsed))
    jobs = read_runner_status(history, now).jobs
    failed = {f"job:{job.job}": job.trouble for job in jobs if job.trouble}
    heard = heard_for_digest(history, now)
    digest = digest._replace(questions=questions, hidden=frozenset(hidden), heard=heard, leaked=leaked)
    return digest._replace(held=_keys_in(edits.held), failed=failed, noticed=_noticed(history, now))


def _keys_in(findings: Iterable[Finding]) -> dict[str, list[str]]:
    places: dict[str, list[str]] = {}
    for each in findings:
        if each.rule == SECRET:
            place = f"{each.path}:{each.line or ''}".removesuffix(":")
            places.setdefault(f"held:{each.path}", []).append(place)
    return places


def _noticed(history: History, now: datetime) -> dict[str, News]:
    if not (history.state / RECORDS).exists():
        return {}
    with open_records(history.state / RECORDS, now) as records:
        return found_by_runs(history, records, now)


def _waiting(
    items: Iterable[Pending], questions: Iterable[DayQuestion], losses: Iterable[Finding]
) -> dict[str, str]:
    """Return what needs a decision by id, each with its answers; of the questions, only those of the day."""
    pending: dict[str, str] = {}
    for each in questions:
        pending[each.item.item_id] = _asked_row(each.line, each.item)
    for loss in losses:
        pending[f"l-{loss.sentence}"] = f"{loss.sentence} → `{loss.way_out}` {AFTER_LOSS[loss.way_out]}"
    for item in items:
        if item.kind is not PendingKind.QUESTION:
            pending[item.item_id] = _asked_row(item.line, item)
    return pending


def _with_first_lost(history: History, item: Pending) -> Pending:
    """Return an item; of lost text with the first line of it that none took the place of, and no pointer to another file."""
    if item.kind is PendingKind.LOSS:
        base, made = history.around(history.objects.commit(item.commit_id))
        for path in item.files:
            replaced = ""
            for old, new in exchanged_lines(base, made, path):
                if new:
                    replaced += f"{old}\n"
            for line in lines_saying([base.read(path) or b""]) - lines_saying([made.read(path) or b""]):
                text = line.decode("utf-8", "replace")
                if not (text.startswith(LEAD) or f"{text}\n" in replaced):
                    return item._replace(why=f'The first line: "{text}"')
    return item


def known_commit(history: History, last: DigestNote | None) -> DigestNote | None:
    """Return the last digest if its commit is in the repository; without it, the next one covers a day."""
    if last is not None and last.tip:
        with suppress(ClawgitError):
            history.tree_of(last.tip)
            return last
    return None


def _id_in(news: News) -> str:
    return news.command.rpartition(" ")[2]


def _asked_row(text: str, item: Pending) -> str:
    """Return a question with all its words and commands; a cut one is shown, and not answered."""
    row = _shortened(text, LONGEST)
    is_yes_or_no = item.commands == (f"{APPROVE} {item.item_id}", f"clawgit reject {item.item_id}")
    if is_yes_or_no and len(row) <= LONGEST:
        return f"{row} → answer {item.item_id}"
    if item.kind is PendingKind.LOSS:
        return f"{row} → undo {item.commit_id[:SHORT]}, or → answer {item.item_id}"
    if len(row) > LONGEST or len(item.commands) > 1:
        return f"{row} → show {item.item_id}"
    return f"{row} → `{item.commands[0]}`"


def _line(news: News) -> str:
    """Return a row of news: what is asked keeps all its words, or it is shown and not answered."""
    verb, _, name = news.command.rpartition(" ")
    if verb.startswith(f"{UNDO} ") and " -" not in news.command:  # a commit, and one file of it
        verb, name = UNDO, news.command.removeprefix(f"{UNDO} ")
    most = {APPROVE: LONGEST, SHOW: OF_SHOWN}.get(verb, BRIEF)
    row = _shortened(news.text, most)
    if verb == APPROVE and len(row) > most:
        verb = SHOW
    if news.source:
        row += f" ({_shortened(news.source, QUOTE)})"
    if verb in WAYS:
        return f"{row} → {WAYS[verb].partition(':')[0]} {name}"
    if news.command:
        row += f" → `{news.command}`"
    return row


def _shortened(text: str, most: int) -> str:
    return begin_of(folded(redact(text)), most)


def _section(heading: str, news: Collection[News | str], most: int, rest: str) -> list[str]:
    if not news:
        return []
    shown = list(news)
    if len(shown) > most + 1:  # else the row with the count would take the place of the one left out
        shown = shown[:most]
    rows = [each if isinstance(each, str) else _line(each) for each in shown]
    lines = [f"## {heading}", *map("- {}".format, rows)]
    if len(news) > len(shown):
        more = f"- … and {len(news) - len(shown)} more"
        if rest:
            more += f": `{rest}`"
        lines.append(more)
    return lines


FOLDER = "digests"
CHANNEL = "digest_channel"
PROGRAM_SECONDS, WEBHOOK_SECONDS = 60.0, 30
SIGNATURE, IDENTITY = "Clawgit-Signature", "Idempotency-Key"
MOST_SENT = 7_500  # characters for a program or a webhook


class DeliveryError(ClawgitError):
    """A digest did not arrive; ``is_certain`` is False if it may have arrived."""

    def __init__(self, message: str, *, is_certain: bool = True) -> None:
        super().__init__(message)
        self.is_certain = is_certain


def deliver_digest(
    history: History, day: date, now: datetime, settings_waiting: Mapping[str, Value], key: str
) -> DigestNote:
    """Deliver the digest of a day by `digest_channel`, once: not again if it went out or may have.

    After a certain failure, the same text is tried again. ``key`` signs what a webhook gets.
    """
    with open_records(history.state / RECORDS, now) as records:
        before = records.digests.of(day)
        if before is not None:
            was_cut_off = before.state is DigestState.SENDING and before.channel == "file"  # no harm twice
            if before.state is not DigestState.FAILED and not was_cut_off:
                return before
        note = before or _made(history, day, now, settings_waiting, records)
        channel = history.settings.digest_channel
        if note.text and channel != "off":
            note = note._replace(channel=channel, state=DigestState.SENDING)
        if not records.digests.begin(note, before=before):
            return records.digests.of(day) or note
        if note.state is not DigestState.SENDING:
            return note
        try:
            _send(history, note, key)
        except ClawgitError as error:
            if not isinstance(error, DeliveryError) or error.is_certain:
                records.digests.note(note._replace(state=DigestState.FAILED))
            raise
        records.digests.note(note._replace(state=DigestState.SENT))
        return note._replace(state=DigestState.SENT)


def _made(
    history: History, day: date, now: datetime, settings_waiting: Mapping[str, Value], records: Records
) -> DigestNote:
    last = known_commit(history, records.digests.last_told(before=day))
    digest = read_digest(history, now, last, settings_waiting)
    tokens = records.model_calls.tokens_since(now - FIRST if last is None else last.at)
    if tokens:
        digest = digest._replace(spent=f"Models used {spent_words(tokens, history.settings.model_price)}.")
    channel = history.settings.digest_channel
    if digest.text and channel != "off":
        note_shown(history, digest.questions, now, in_talk=False)
    return DigestNote(day, now, digest.tip, digest.names, channel, DigestState.SILENT, digest.text)


def cut_to(text: str, most: int) -> str:
    """Return a digest of so many characters at most, and a line that says so: with its last lines, which have the commands."""
    if len(text) <= most:
        return text
    rows, gap, ends = text.rpartition("\n\n")
    if not gap:
        rows, ends = text, ""
    end = rows.rindex("\n", 0, most - len(ends))
    return f"{rows[:end]}\n\n… `clawgit digest` shows all of it.\n{ends}"


def _send(history: History, note: DigestNote, key: str) -> None:
    word, _, where = note.channel.partition(" ")
    if word == "file":
        with storage_errors(history.state):
            (history.state / FOLDER).mkdir(mode=0o700, exist_ok=True)  # for this account alone
            write_file(history.state, f"{FOLDER}/{note.day}.md", FileContent(note.text.encode()))
        return
    name = f"{workspace_id(history)}-{note.day}"
    payload = {"digest": name, "day": note.day.isoformat(), "text": cut_to(note.text, MOST_SENT)}
    if word == "webhook":
        _post(where, key, payload)
        return
    argv = argv_of(SETTINGS[CHANNEL], note.channel)
    done = call_handler((str(history.root / argv[0]), *argv[1:]), payload, history.root, PROGRAM_SECONDS)
    if done.code != 0:
        raise DeliveryError(f"The digest did not arrive. {done.told()}")


def _post(url: str, key: str, message: Mapping[str, str]) -> None:
    """Post a message as JSON, once, signed if there is a key; without following redirects."""
    data = json.dumps(message, ensure_ascii=True).encode()
    headers = {"Content-Type": "application/json", "User-Agent": "clawgit", IDENTITY: message["digest"]}
    if key:
        signature = hmac.new(key.encode(), data, hashlib.sha256).hexdigest()
        headers[SIGNATURE] = f"sha256={signature}"
    request = urllib.request.Request(url, data, headers, method="POST")
    place = urlsplit(url).netloc.rpartition("@")[2]
    try:
        with opener_for(url).open(request, timeout=WEBHOOK_SECONDS) as answer:
            answer.read(1024)
    except urllib.error.HTTPError as error:
        with error:
            raise DeliveryError(f"{place} refused the digest (status {error.code}).") from error
    except urllib.error.URLError as error:  # no connection: nothing was sent
        certain = not isinstance(error.reason, TimeoutError)
        raise DeliveryError(f"{place} cannot be reached ({error.reason}).", is_certain=certain) from error
    except (OSError, http.client.HTTPException) as error:
        text = f"{place} did not answer; the digest may have arrived."
        raise DeliveryError(text, is_certain=False) from error
