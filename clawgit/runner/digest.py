"""The digest: what changed since the last one, and what is pending for the operator, in one message; silent where nothing did."""

from __future__ import annotations

import shlex
from datetime import timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.door.authorised_edits import is_his
from clawgit.capture.messages.open_messages import open_messages
from clawgit.errors import ClawgitError
from clawgit.history.provenance.entries_at_tip import read_cited
from clawgit.history.reading.git_log import read_changes
from clawgit.history.review.proposals import LAPSED, SUMMARY, lapsed_proposals
from clawgit.history.states.revisions import commit_at
from clawgit.pending.day_questions import DayQuestion, questions_of
from clawgit.pending.queue import SHOWN as SHOWN_ITEMS
from clawgit.pending.queue import Kind, read_pending
from clawgit.plan import MESSAGE
from clawgit.runner.digest_news import SHORT, Changed, News, flagged, read_changed, reviewed
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact
from clawgit.understanding.evidence.own_sentences import own_sentences
from clawgit.understanding.facts.keepable_sentences import told_of_himself
from clawgit.understanding.triage.triage_message import triage
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.workspace.records.record_tables import DigestNote
    from clawgit.workspace.settings.setting_types import Value

FIRST = timedelta(days=1)  # that the first digest looks back
SHOWN = 20  # pieces of news in a section
MOST_HEARD = 5  # sentences that were heard and not kept
HEARD = timedelta(days=3)  # that these are news
LONGEST = 300  # characters of one


class Digest(NamedTuple):
    """What is told: the changes up to a commit, what is pending, each under the name by which it is known again, and what lapsed.

    ``spent`` says what models used for it, in words; ``heard`` is what was flagged in messages and not kept. ``questions``
    are those of the day, which are pending, too.
    """

    tip: str
    at: datetime
    changed: Changed
    waiting: Mapping[str, str]
    told_before: frozenset[str] = frozenset()
    spent: str = ""
    base: str | None = None
    lapsed: tuple[News, ...] = ()
    heard: Mapping[str, News] = MappingProxyType({})
    questions: tuple[DayQuestion, ...] = ()

    @property
    def is_news(self) -> bool:
        """Say whether there is something that was not told before."""
        return bool(self.changed) or bool(self.lapsed) or not self.told_before.issuperset(self.names)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names by which the next digest knows what this one told."""
        return (*self.waiting, *self.heard)

    @property
    def text(self) -> str:
        """Return the message, empty where nothing is new."""
        if not self.is_news:
            return ""
        changed = self.changed
        moved = _section("Moved", list(map(_line, changed.moved)), SHOWN, self._difference)
        lines = [f"# {self.at:%Y-%m-%d}: {self._title}"]
        lines += moved if changed.is_rearranged else []
        lines += _section("Learned", list(map(_line, changed.learned)), SHOWN, "clawgit log")
        lines += _section("Corrected", list(map(_line, changed.corrected)), SHOWN, "clawgit log")
        lines += _section("Asked", list(self.waiting.values()), SHOWN_ITEMS, "clawgit pending")
        lines += [] if changed.is_rearranged else moved
        for heading, news in (
            ("Changed about myself", changed.identity),
            ("Dropped", changed.dropped),
            ("Typed into the files", changed.typed),
            ("Lapsed", self.lapsed),
        ):
            lines += _section(heading, list(map(_line, news)), SHOWN, "clawgit log")
        heard = [_line(each) for name, each in self.heard.items() if name not in self.told_before]
        lines += _section("Heard, not kept", heard, MOST_HEARD, "clawgit chat log --flagged")
        lines += ["", f"Models used {self.spent}."] if self.spent else []
        return "\n".join(lines) + "\n"

    @property
    def _title(self) -> str:
        """Return the first line that a phone shows: what there is, by count."""
        counts = {
            "learned": len(self.changed.learned),
            "corrected": len(self.changed.corrected) - self.changed.linked,
            "linked": self.changed.linked,
            "asked": len(self.waiting),
            "moved": len(self.changed.moved),
        }
        parts = []
        for what, count in counts.items():
            if count:
                parts.append(f"{count} {what}")
        return ", ".join(parts) or "what changed"

    @property
    def _difference(self) -> str:
        return f"git diff {self.base[:12]} {self.tip[:12]}" if self.base else "git log -p"


def read_digest(
    history: History, now: datetime, last: DigestNote | None, settings_waiting: Mapping[str, Value]
) -> Digest:
    """Return what changed since the last digest that arrived; without one, since a day ago."""
    if last is None:
        return read_since(history, now - FIRST, now, settings_waiting)
    digest = _read(history, now, last.tip, last.at, settings_waiting)
    return digest._replace(told_before=frozenset(last.waiting))


def read_since(
    history: History, since: datetime, now: datetime, settings_waiting: Mapping[str, Value]
) -> Digest:
    """Return what changed since a time."""
    return _read(history, now, commit_at(history, since, now), since, settings_waiting)


def _read(
    history: History, now: datetime, base: str | None, since: datetime, settings_waiting: Mapping[str, Value]
) -> Digest:
    tip = history.tip().commit_id or ""
    changed = read_changed(history, base, tip) if tip and base != tip else Changed()
    questions = tuple(questions_of(history, now, in_talk=False))
    waiting = _waiting(history, now, settings_waiting, questions)
    lapsed = _lapsed(history, base, since)
    heard = heard_not_kept(history, now)
    return Digest(tip, now, changed, waiting, base=base, lapsed=lapsed, heard=heard, questions=questions)


def _waiting(
    history: History, now: datetime, settings: Mapping[str, Value], questions: Iterable[DayQuestion]
) -> dict[str, str]:
    """Return what needs a decision by the ids of the queue, each on a line with its answers: of questions those of the day."""
    pending = {}
    for each in questions:
        pending[each.item.item_id] = f"{each.line} {each.item.answers}"
    for item in read_pending(history, now, settings):
        if item.kind is not Kind.QUESTION:
            pending[item.item_id] = f"{_shortened(f'{item.item_id}: {item.line}')} → {item.answers}"
    if (history.state / RECORDS).exists():
        with open_records(history.state / RECORDS, now) as records:
            news = reviewed(records, now) | flagged(records, now)
        pending |= {name: _line(each) for name, each in news.items()}
    return pending


def heard_not_kept(history: History, now: datetime) -> dict[str, News]:
    """Return what the operator said of himself or triage flagged, and rules did not keep, by message, the oldest first."""
    with open_messages(history, now) as store:
        left = []
        for each in store.left_by_rules(now - HEARD):
            if is_his(each) and (not each.signal.validator or each.validated_in):
                left.append(each)
    if not left:
        return {}
    cited = read_cited(history)
    flagged_news: dict[str, News] = {}
    told: dict[str, News] = {}
    for message in left:
        name = f"{MESSAGE}{message.chat_id}"
        if name in cited.every or name in cited.corrected:
            continue
        own = own_sentences(message.text)
        wanted = next((each for each in own if triage(each).miner), "")
        wrong = next((each for each in own if triage(each).validator), "")
        himself = told_of_himself(message.text)
        if wanted:
            flagged_news[name] = News(wanted, f"clawgit memory add {shlex.quote(wanted)}")
        elif wrong and not himself:
            flagged_news[name] = News(wrong, f'clawgit correct "WHAT IS WRONG" {shlex.quote(wrong)}')
        elif himself:
            told[name] = News(himself, f"clawgit memory add {shlex.quote(himself)}")
    return flagged_news | told  # of more than a digest shows, the flagged ones


def _lapsed(history: History, base: str | None, since: datetime) -> tuple[News, ...]:
    news = []
    for proposal in lapsed_proposals(history, since):
        news.append(News(proposal.summary.removeprefix(SUMMARY), f"clawgit approve {proposal.proposal_id}"))
    tip = history.tip().commit_id
    reach = [each for each in (tip, f"^{base}" if base else None) if each is not None]
    for change in read_changes(history, f"--grep=^> {LAPSED}", *reach) if tip else ():
        news.append(News(change.summary, f"clawgit undo {change.commit_id[:SHORT]}"))
    return tuple(news)


def known_commit(history: History, last: DigestNote | None) -> DigestNote | None:
    """Return the last digest where its commit is still in the repository; without it, the next one looks back a day."""
    if last is None or not last.tip:
        return None
    try:
        history.tree_of(last.tip)
    except ClawgitError:
        return None
    return last


def _line(news: News) -> str:
    return f"{_shortened(news.line)} → `{news.command}`"


def _shortened(text: str) -> str:
    return folded(redact(text))[:LONGEST]


def _section(heading: str, lines: list[str], most: int, rest: str) -> list[str]:
    if not lines:
        return []
    more = [f"- … and {len(lines) - most} more: `{rest}`"] if len(lines) > most else []
    return ["", f"## {heading}", "", *(f"- {line}" for line in lines[:most]), *more]
