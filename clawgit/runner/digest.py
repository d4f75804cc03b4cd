"""The digest: what changed since the last one, and what is pending for the operator, in one message; silent where nothing did."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from clawgit.errors import ClawgitError
from clawgit.history.guards.contents import RULE as SECRET
from clawgit.history.reading.git_log import read_changes
from clawgit.history.review.proposals import LAPSED, SUMMARY, lapsed_proposals
from clawgit.history.review.unreviewed import read_arrivals
from clawgit.history.review.working_tree_edits import AFTER_LOSS, read_open_edits
from clawgit.history.states import commit_at
from clawgit.pending.day_questions import DayQuestion, questions_of
from clawgit.pending.queue import SHOWN as SHOWN_ITEMS
from clawgit.pending.queue import Kind, kind_of, read_pending
from clawgit.runner.changed_news import Changed, found_by_runs, read_changed
from clawgit.runner.not_kept import heard_for_digest
from clawgit.runner.run_due_jobs import read_runner_status
from clawgit.runner.typed_lines import SHORT, News
from clawgit.text.safety.control_characters import begin_of, folded
from clawgit.text.safety.secrets import redact
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.workspace.records.record_tables import DigestNote
    from clawgit.workspace.settings.setting_types import Value


T = TypeVar("T")


FIRST = timedelta(days=7)  # that the first digest looks back, or to when the workspace was made
SHOWN = 20  # pieces of news in a section
MOST_LINKED = 3  # entries with words of his beside them
MOST_NAMED, NAME = 10, 120  # of the others, and characters of one
MOST_HEARD = 5  # sentences that were heard and not kept
LONGEST = 300  # characters of one


class Digest(NamedTuple):
    """What is told: the changes up to a commit, what is pending, each under the name by which it is known again, and what lapsed.

    ``spent`` says what models used for it, in words; ``heard`` is what was flagged in messages and not kept, ``leaked``
    are secrets in commits: both are told once. ``questions`` are those of the day, which are pending, too.
    """

    tip: str
    at: datetime
    changed: Changed
    waiting: Mapping[str, str]
    told_before: frozenset[str] = frozenset()
    spent: str = ""
    base: str | None = None
    lapsed: tuple[News, ...] = ()
    heard: Mapping[str, list[News]] = MappingProxyType({})
    leaked: Mapping[str, News] = MappingProxyType({})
    questions: tuple[DayQuestion, ...] = ()
    failed: Mapping[str, str] = MappingProxyType({})  # jobs, told once until they work again

    @property
    def is_news(self) -> bool:
        return bool(self.changed) or bool(self.lapsed) or not self.told_before.issuperset(self.names)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names by which the next digest knows what this one told."""
        return (*self.waiting, *self.heard, *self.leaked, *self.failed)

    @property
    def text(self) -> str:
        if not self.is_news:
            return ""
        changed = self.changed
        difference = "git log -p"
        if self.base:
            difference = f"git diff {self.base[:12]} {self.tip[:12]}"
        heard = [told for each in self._new(self.heard) for told in each]
        moved = _section("Moved", changed.moved, SHOWN, difference)
        lines = [f"# {self.at:%Y-%m-%d}: {self._title}"]
        lines += _section("Lost", self._pending(lost=True), SHOWN, "clawgit pending")
        if changed.is_rearranged:
            lines += moved
        lines += _section("Brought back", changed.back, SHOWN, "clawgit log")
        lines += _section("Learned", changed.learned, SHOWN, "clawgit log")
        lines += _section("Corrected", changed.corrected, SHOWN, "clawgit log")
        lines += _section("Linked: you said beside these", changed.linked, MOST_LINKED, "clawgit corrections")
        for each in changed.linked[MOST_LINKED:][:MOST_NAMED]:
            lines.append(f"  - {begin_of(_shortened(each.line), NAME)}")
        lines += _section("Asked", self._pending(lost=False), SHOWN_ITEMS, "clawgit pending")
        if not changed.is_rearranged:
            lines += moved
        lines += _section("Tidied", changed.tidied, SHOWN, "clawgit log")
        lines += _section("Changed about myself", changed.identity, SHOWN, "clawgit log")
        lines += _section("Dropped", changed.dropped, SHOWN, "clawgit log")
        lines += _section("Typed into the files", changed.typed, SHOWN, "clawgit log")
        lines += _section("Lapsed", self.lapsed, SHOWN, "clawgit log")
        lines += _section("Heard, not kept", heard, MOST_HEARD, "clawgit chat log --not-kept")
        lines += _section("Secrets in the history", self._new(self.leaked), SHOWN, "clawgit doctor")
        lines += _section("Jobs that failed", self._new(self.failed), SHOWN, "clawgit status")
        if self.spent:
            lines += ["", f"Models used {self.spent}."]
        return "\n".join(lines) + "\n"

    def _new(self, news: Mapping[str, T]) -> list[T]:
        return [each for name, each in news.items() if name not in self.told_before]

    def _pending(self, *, lost: bool) -> list[str]:
        lines = []
        for name, line in self.waiting.items():
            if lost is (kind_of(name) is Kind.LOSS):
                lines.append(line)
        return lines

    @property
    def _title(self) -> str:
        """Return the first line that a phone shows: what there is, by count."""
        sections: dict[str, Collection[object]] = {
            "lost": self._pending(lost=True),
            "learned": self.changed.learned,
            "corrected": self.changed.corrected,
            "linked": self.changed.linked,
            "about myself": self.changed.identity,
            "asked": self._pending(lost=False),
            "moved": self.changed.moved,
            "dropped": self.changed.dropped,
        }
        parts = [f"{len(news)} {what}" for what, news in sections.items() if news]
        if self.changed.typed_lines:
            parts.append(f"{self.changed.typed_lines} typed")
        return ", ".join(parts) or "what changed"


def read_digest(
    history: History, now: datetime, last: DigestNote | None, settings_waiting: Mapping[str, Value]
) -> Digest:
    """Return what changed since the last digest that arrived; without one, of a week."""
    if last is None:
        return read_since(history, now - FIRST, now, settings_waiting)
    digest = _read(history, now, last.tip, last.at, settings_waiting)
    return digest._replace(told_before=frozenset(last.waiting))


def read_since(
    history: History, since: datetime, now: datetime, settings_waiting: Mapping[str, Value]
) -> Digest:
    return _read(history, now, commit_at(history, since, now), since, settings_waiting)


def _read(
    history: History, now: datetime, base: str | None, since: datetime, settings_waiting: Mapping[str, Value]
) -> Digest:
    tip = history.tip().commit_id or ""
    changed = read_changed(history, base, tip) if tip and base != tip else Changed()
    questions = tuple(questions_of(history, now, in_talk=False))
    waiting = _waiting(history, now, settings_waiting, questions)
    lapsed = []
    for proposal in lapsed_proposals(history, since):
        lapsed.append(News(proposal.summary.removeprefix(SUMMARY), f"clawgit approve {proposal.proposal_id}"))
    reach = [tip, f"^{base}"] if base else [tip]
    for change in read_changes(history, f"--grep=^> {LAPSED}", *reach) if tip else ():
        lapsed.append(News(change.subject, f"clawgit undo {change.commit_id[:SHORT]}"))
    leaked: dict[str, News] = {}
    for each in read_arrivals(history).lasting:
        if each.rule == SECRET:
            commit = each.commit_id[:12]
            leaked[f"secret:{commit}:{each.path}"] = News(f"In {commit}: {each.sentence}", "clawgit doctor")
    digest = Digest(tip, now, changed, waiting, base=base, lapsed=tuple(lapsed), questions=questions)
    failed: dict[str, str] = {}
    for job in read_runner_status(history, now).jobs:
        if job.trouble:
            failed[f"job:{job.job}"] = job.trouble
    return digest._replace(heard=heard_for_digest(history, now), leaked=leaked, failed=failed)


def _waiting(
    history: History, now: datetime, settings: Mapping[str, Value], questions: Iterable[DayQuestion]
) -> dict[str, str]:
    """Return what needs a decision by the ids of the queue, each on a line with its answers: of questions those of the day."""
    pending = {each.item.item_id: f"{each.line} {each.item.answers}" for each in questions}
    for loss in read_open_edits(history, history.tip(), now).losses:
        pending[f"l-{loss.sentence}"] = f"{loss.sentence} → `{loss.way_out}` {AFTER_LOSS[loss.way_out]}"
    for item in read_pending(history, now, settings):
        if item.kind is not Kind.QUESTION:
            pending[item.item_id] = f"{_shortened(f'{item.item_id}: {item.line}')} → {item.answers}"
    if (history.state / RECORDS).exists():
        with open_records(history.state / RECORDS, now) as records:
            news = found_by_runs(records, now)
        pending |= {name: _line(each) for name, each in news.items()}
    return pending


def known_commit(history: History, last: DigestNote | None) -> DigestNote | None:
    """Return the last digest where its commit is still in the repository; without it, the next one looks back a day."""
    if last is not None and last.tip:
        with suppress(ClawgitError):
            history.tree_of(last.tip)
            return last
    return None


def _line(news: News) -> str:
    return f"{_shortened(news.line)} → `{news.command}`"


def _shortened(text: str) -> str:
    return begin_of(folded(redact(text)), LONGEST)


def _section(heading: str, news: Collection[News | str], most: int, rest: str) -> list[str]:
    if not news:
        return []
    lines = ["", f"## {heading}", ""]
    for each in list(news)[:most]:
        lines.append(f"- {each if isinstance(each, str) else _line(each)}")
    if len(news) > most:
        lines.append(f"- … and {len(news) - most} more: `{rest}`")
    return lines
