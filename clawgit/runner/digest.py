"""The digest: what changed since the last one, and what is pending for the operator, in one message; silent where nothing did."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.conflict_detector.conflict_detector import waiting
from clawgit.errors import ClawgitError
from clawgit.history.decide_proposal import pending_edits
from clawgit.history.git.refs import PROPOSALS, QUARANTINE
from clawgit.history.guards.quarantine import list_quarantine
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.review.unchecked_arrivals import read_arrivals
from clawgit.history.states.soul_drift import drift_alarm
from clawgit.history.states.tip_at_time import commit_at
from clawgit.history.unreviewed_additions import list_unreviewed
from clawgit.memory.corrections.correction_log import Correction, Status
from clawgit.runner.digest_news import CLOCK, SHORT, Changed, News, flagged, read_changed, reviewed
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact
from clawgit.workspace.clock_looks import CLOCK_IS_RIGHT, noted_jump
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from clawgit.history.decide_proposal import PendingEdit
    from clawgit.history.git.repository import History
    from clawgit.workspace.records.digests import DigestNote

FIRST = timedelta(days=1)  # that the first digest looks back
SHOWN = 20  # pieces of news in a section
LONGEST = 300  # characters of one
_PENDING = "Needs your decision"


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
    base: str | None = None

    @property
    def is_news(self) -> bool:
        """Say whether there is something that was not told before."""
        return bool(self.changed) or not self.told_before.issuperset(self.waiting)

    @property
    def text(self) -> str:
        """Return the message, empty where nothing is new."""
        if not self.is_news:
            return ""
        changed = self.changed
        sections: list[tuple[str, Iterable[News]]] = [
            ("Learned", changed.learned),
            ("Corrected", changed.corrected),
            ("Changed about myself", changed.identity),
            ("Dropped", changed.dropped),
            ("Typed into the files", changed.typed),
            (_PENDING, self.waiting.values()),
        ]
        sections.insert(0 if changed.is_rearranged else 4, ("Moved and merged", changed.moved))
        lines = [f"# {self.at:%Y-%m-%d}: what I learned"]
        for heading, news in sections:
            rest = "clawgit status" if heading == _PENDING else self._difference
            lines += _section(heading, list(news), rest)
        lines += ["", f"Models used {self.spent}."] if self.spent else []
        return "\n".join(lines) + "\n"

    @property
    def _difference(self) -> str:
        """Return the command that shows all that changed."""
        return f"git diff {self.base[:12]} {self.tip[:12]}" if self.base else "git log -p"


def read_digest(
    history: History, now: datetime, last: DigestNote | None, settings_waiting: Iterable[str]
) -> Digest:
    """Return what changed since the last digest that arrived; without one, since a day ago."""
    tip = history.tip().commit_id or ""
    base = last.tip if last is not None else commit_at(history, now - FIRST, now)
    told = frozenset(last.waiting) if last is not None else frozenset()
    waiting = _waiting(history, now, settings_waiting)
    return Digest(tip, now, _changed(history, base, tip), waiting, told, base=base)


def read_since(history: History, since: datetime, now: datetime, settings_waiting: Iterable[str]) -> Digest:
    """Return what changed since a time."""
    tip = history.tip().commit_id or ""
    base = commit_at(history, since, now)
    waiting = _waiting(history, now, settings_waiting)
    return Digest(tip, now, _changed(history, base, tip), waiting, base=base)


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
        PROPOSALS + each.proposal.proposal_id: News(
            f"{', '.join(each.proposal.paths)}, by the {each.proposal.actor}: {_lines_of(each)}",
            f"clawgit soul pending {each.proposal.proposal_id}",
        )
        for each in (pending_edits(history) if history.refs(PROPOSALS) else ())
    }
    for addition in list_unreviewed(history):
        change = addition.change
        words = " ".join(f"+ {line}" for line in addition.added) or change.summary
        found[f"unreviewed:{change.commit_id}"] = News(
            f"Added to the soul by the {change.actor}, and you have not seen it: {words}",
            f"clawgit soul approve {addition.proposal_id}",
        )
    for held in list_quarantine(history) if history.refs(QUARANTINE) else ():
        name = QUARANTINE + held.quarantine_id
        found[name] = News(f"Refused: {held.summary}", f"clawgit quarantine show {held.quarantine_id}")
    for key, each in standing_corrections(history.tip().tree).items():
        if each.status is Status.OPEN:
            found[f"x:{key}"] = _question(key, each)
    for conflict in waiting(history, history.tip().tree):
        both = f"{conflict.a.statement} – or: {conflict.b.statement}"
        command = f"clawgit conflicts resolve k:{conflict.conflict_id} --keep A|B|both"
        found[f"k:{conflict.conflict_id}"] = News(f"Which one holds? {both}", command)
    for setting in settings:
        found[f"setting:{setting}"] = News(f"A new value of {setting}.", f"clawgit trust {setting}")
    for offer in (each for each in read_arrivals(history).open if each.is_offer):
        short = offer.commit_id[:SHORT]
        found[f"stale:{offer.commit_id}:{offer.path}"] = News(
            offer.sentence, f"clawgit memory revive {short}"
        )
    alarm = drift_alarm(history)
    if alarm:
        found["drift"] = News(alarm, "clawgit soul drift")
    return found


def _question(correction_id: str, open_correction: Correction) -> News:
    words = (
        f"You wrote: {open_correction.trigger}" if open_correction.trigger else "No words of yours say so."
    )
    command = f"clawgit correct x:{correction_id}"
    if open_correction.proposed:
        change = f'"{open_correction.said}" become "{open_correction.proposed}"'
        return News(f"Shall {change}? {words}", f"{command} --yes|--no")
    about = f' of "{open_correction.said}"' if open_correction.said else ""
    return News(f"What is right{about}? {words}", f'{command} "…"')


def _lines_of(pending: PendingEdit) -> str:
    """Return the lines that a proposal takes out and brings, on one line."""
    if pending.is_stale:
        return "later changes touch the same lines"
    lines = []
    for each in pending.pieces:
        for sign, texts in (("-", each.piece.gone), ("+", each.piece.come)):
            plain = (text.decode("utf-8", "replace").strip() for text in texts)
            lines += [f"{sign} {text}" for text in plain if text]
    return " ".join(lines)


def _changed(history: History, base: str | None, tip: str) -> Changed:
    return read_changed(history, base, tip) if tip and base != tip else Changed()


def known_commit(history: History, last: DigestNote | None) -> DigestNote | None:
    """Return the last digest where its commit is still in the repository; without it, the next one looks back a day."""
    if last is None or not last.tip:
        return None
    try:
        history.tree_of(last.tip)
    except ClawgitError:
        return None
    return last


def _section(heading: str, news: list[News], rest: str) -> list[str]:
    if not news:
        return []
    lines = ["", f"## {heading}", ""]
    lines += [f"- {folded(redact(each.text))[:LONGEST]} → `{each.command}`" for each in news[:SHOWN]]
    if len(news) > SHOWN:
        lines.append(f"- … and {len(news) - SHOWN} more: `{rest}`")
    return lines
