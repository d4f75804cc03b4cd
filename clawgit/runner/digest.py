"""The digest: what changed since the last one, and what is pending for the operator, in one message; silent where nothing did."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.conflict_detector.conflict_detector import waiting
from clawgit.errors import ClawgitError
from clawgit.history.authorship.bootstrap_ritual import INIT_OP
from clawgit.history.git.refs import PROPOSALS, QUARANTINE
from clawgit.history.guards.quarantine import list_quarantine
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.review.proposals import list_proposals
from clawgit.history.review.unreviewed import unreviewed_commits
from clawgit.history.states.revisions import RevisionError
from clawgit.history.states.soul_drift import drift_alarm
from clawgit.history.states.tip_at_time import as_of
from clawgit.memory.corrections.correction_log import Status
from clawgit.runner.digest_news import CLOCK, Changed, News, flagged, read_changed, reviewed
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact
from clawgit.workspace.clock_looks import CLOCK_IS_RIGHT, noted_jump
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.workspace.records.digests import DigestNote

FIRST = timedelta(days=1)  # that the first digest looks back
SHOWN = 20  # pieces of news in a section
LONGEST = 300  # characters of one
_HEADINGS = ("Learned", "Corrected", "Changed about myself", "Dropped")


class Digest(NamedTuple):
    """What is told: the changes up to a commit, and what is pending, each under the name by which it is known again.

    ``spent`` says what models used for it, in words.
    """

    tip: str
    at: datetime
    changed: Changed
    waiting: Mapping[str, News]
    told_before: frozenset[str] = frozenset()
    spent: str = ""

    @property
    def is_news(self) -> bool:
        """Say whether there is something that was not told before."""
        return bool(self.changed) or not self.told_before.issuperset(self.waiting)

    @property
    def text(self) -> str:
        """Return the message, empty where nothing is new."""
        if not self.is_news:
            return ""
        sections = [
            *zip(_HEADINGS, self.changed, strict=True),
            ("Needs your decision", self.waiting.values()),
        ]
        lines = [f"# {self.at:%Y-%m-%d}: what I learned"]
        for heading, news in sections:
            lines += _section(heading, list(news))
        lines += ["", f"Models used {self.spent}."] if self.spent else []
        return "\n".join(lines) + "\n"


def read_digest(
    history: History, now: datetime, last: DigestNote | None, settings_waiting: Iterable[str]
) -> Digest:
    """Return what changed since the last digest that arrived; without one, since a day ago."""
    tip = history.tip().commit_id or ""
    base = last.tip if last is not None else _commit_at(history, now - FIRST, now)
    told = frozenset(last.waiting) if last is not None else frozenset()
    return Digest(tip, now, _changed(history, base, tip), _waiting(history, now, settings_waiting), told)


def read_since(history: History, since: datetime, now: datetime, settings_waiting: Iterable[str]) -> Digest:
    """Return what changed since a time."""
    tip = history.tip().commit_id or ""
    changed = _changed(history, _commit_at(history, since, now), tip)
    return Digest(tip, now, changed, _waiting(history, now, settings_waiting))


def _waiting(history: History, now: datetime, settings: Iterable[str]) -> dict[str, News]:
    if not (history.state / RECORDS).exists():
        return waiting_news(history, settings)
    jump = noted_jump(history.state, now)
    clock = {CLOCK: News(jump, CLOCK_IS_RIGHT)} if jump else {}
    with open_records(history.state / RECORDS, now) as records:
        return clock | waiting_news(history, settings) | reviewed(records, now) | flagged(records, now)


def waiting_news(history: History, settings: Iterable[str]) -> dict[str, News]:
    """Return what is pending for the operator, with the command that answers it."""
    found = {
        PROPOSALS + each.proposal_id: News(
            f"An edit of {', '.join(each.paths)} by the {each.actor}.",
            f"clawgit soul pending {each.proposal_id}",
        )
        for each in (list_proposals(history) if history.refs(PROPOSALS) else ())
    }
    for name in unreviewed_commits(history):
        commit = history.objects.commit(name)
        said = f"Added to the soul, and you have not seen it: {commit.subject}"
        found[f"unreviewed:{name}"] = News(said, f"clawgit soul approve u-{name[:12]}")
    for held in list_quarantine(history) if history.refs(QUARANTINE) else ():
        name = QUARANTINE + held.quarantine_id
        found[name] = News(f"Refused: {held.summary}", f"clawgit quarantine show {held.quarantine_id}")
    for key, each in standing_corrections(history.tip().tree).items():
        if each.status is Status.OPEN:
            said = f"What is right? You said: {each.trigger or each.said}"
            found[f"x:{key}"] = News(said, f'clawgit correct x:{key} "…"')
    for conflict in waiting(history, history.tip().tree):
        both = f"{conflict.a.statement} – or: {conflict.b.statement}"
        command = f"clawgit conflicts resolve k:{conflict.conflict_id} --keep A|B|both"
        found[f"k:{conflict.conflict_id}"] = News(f"Which one holds? {both}", command)
    for setting in settings:
        found[f"setting:{setting}"] = News(f"A new value of {setting}.", f"clawgit trust {setting}")
    alarm = drift_alarm(history)
    if alarm:
        found["drift"] = News(alarm, "clawgit soul drift")
    return found


def _changed(history: History, base: str | None, tip: str) -> Changed:
    return read_changed(history, base, tip) if tip and base != tip else Changed()


def _commit_at(history: History, moment: datetime, now: datetime) -> str | None:
    """Return the commit at which the workspace stood then, or became one later; None before its history."""
    for commit in history.objects.first_parents(history.tip().commit_id):
        if commit.committed_at <= moment.timestamp():
            break
        if (commit.trailers.first("Clawgit-Op") or "").startswith(INIT_OP):
            return commit.commit_id
    with suppress(RevisionError):
        return as_of(history, moment, now).commit.commit_id
    return None


def known_commit(history: History, last: DigestNote | None) -> DigestNote | None:
    """Return the last digest where its commit is still in the repository; without it, the next one looks back a day."""
    if last is None or not last.tip:
        return None
    try:
        history.tree_of(last.tip)
    except ClawgitError:
        return None
    return last


def _section(heading: str, news: list[News]) -> list[str]:
    if not news:
        return []
    lines = ["", f"## {heading}", ""]
    lines += [f"- {folded(redact(each.text))[:LONGEST]} → `{each.command}`" for each in news[:SHOWN]]
    if len(news) > SHOWN:
        lines.append(f"- … and {len(news) - SHOWN} more: `clawgit status`, `git log`")
    return lines
