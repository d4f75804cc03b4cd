"""All jobs in the order of their day: when each is due, and whether it has input.

This check takes a few milliseconds, starting an agent most of a second.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.history.git.refs import PROPOSALS, QUARANTINE
from clawgit.history.review.proposals import lapsed_proposals
from clawgit.pending.day_questions import questions_of
from clawgit.pending.queue import PendingKind
from clawgit.runner.due_slots import Timetable
from clawgit.workspace.clock_looks import noted_jump
from clawgit.workspace.records.record_tables import SlotState
from clawgit.workspace.settings.setting_types import parse_session_reset, parse_slot

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date, datetime

    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.workspace.records.records import Records
    from clawgit.workspace.settings.settings import Settings

VALIDATOR, MINER, DIGEST = "recall-validator", "memory-miner", "digest"
KEEPER, CONFLICTS = "soul-keeper", "conflict-detector"
COMPACTOR, REVIEW, HYGIENE = "memory-compactor", "promotion-review", "vector-hygiene"
SESSIONS = "session-end"
DECAY, ORGANIZER, LESSONS = "decay-engine", "organizer", "lessons-extractor"


class JobQuestion(NamedTuple):
    """The input of a job's check: workspace, records, time, and the tip at the end of its last slot."""

    history: History
    records: Records
    now: datetime
    seen: str

    @property
    def tip(self) -> str:
        return self.history.target(self.history.branch()) or ""


class Job(NamedTuple):
    """One job: its setting (None: it works off a queue at any time), its command, and the check for input.

    A job that writes waits while agents are paused or git is in the middle of something; one that ``moves`` by age also
    waits if the clock jumped ahead. With ``next_tells``, a late slot is not made up for: the next one reports the same.
    """

    name: str
    setting: Callable[[Settings], str] | None
    words: Callable[[date], tuple[str, ...]]
    has_input: Callable[[JobQuestion], bool]
    is_agent: bool = True
    writes: bool = True
    next_tells: bool = False
    moves: bool = False

    def is_off(self, settings: Settings) -> bool:
        return self.setting is not None and parse_slot(self.setting(settings)) is None

    def timetable(self, settings: Settings) -> Timetable | None:
        spec = None
        if self.setting is not None:
            spec = parse_slot(self.setting(settings))
        if spec is None:
            return None
        lateness = timedelta(hours=settings.max_lateness_hours)
        return Timetable(spec, settings.time_zone, lateness, next_tells=self.next_tells)


def _messages(asking: JobQuestion, ask: Callable[[MessageStore], Sequence[Any]]) -> Sequence[Any]:
    from clawgit.capture.messages.open_messages import ask_briefly, has_messages

    return ask_briefly(asking.history, asking.now, ask) if has_messages(asking.history) else ()


def _waits_for_validator(asking: JobQuestion) -> bool:
    cursor = int(asking.records.agent_cursors.of(VALIDATOR) or 0)
    return bool(_messages(asking, lambda store: store.to_validate(1) or store.own_since(cursor, 1)))


def _is_over(asking: JobQuestion) -> bool:
    """Say whether a session ended, by session_reset, since the last run; or whether a message must be deleted.

    The same job deletes messages that must not be remembered.
    """
    from clawgit.capture.messages.open_messages import VETOED_FOR
    from clawgit.capture.sessions.sessions import session_due

    now = asking.now
    vetoed = _messages(asking, lambda store: store.vetoed())
    if any(each.received_at < now - VETOED_FOR for each in vetoed):
        return True
    rule = parse_session_reset(asking.history.settings.session_reset)
    notes = asking.records.job_slots.of(SESSIONS, most=7).values()
    done = [note.started for note in notes if note.state is SlotState.DONE and note.started <= now]
    before = max(done, default=None)
    for last in _messages(asking, lambda store: store.last_spoken()):
        is_new = (
            before is None
            or last.received_at > before
            or not session_due(rule, last.sent_at, before.astimezone(now.tzinfo))
        )
        if is_new and session_due(rule, last.sent_at, now):
            return True
    return False


def _waits_for_miner(asking: JobQuestion) -> bool:
    return asking.tip != asking.seen or bool(_messages(asking, lambda store: store.to_mine(1)))


def _was_said(asking: JobQuestion) -> bool:
    """Say whether there are recent messages: a week of missed slots is made up for."""
    from clawgit.capture.messages.message import MessageQuery

    lately = MessageQuery(role="user", since=asking.now - timedelta(days=8), limit=1)
    return bool(_messages(asking, lambda store: store.log(lately)))


def _waits_for_keeper(asking: JobQuestion) -> bool:
    from clawgit.pending.queue import open_questions

    history = asking.history
    return bool(history.refs(PROPOSALS)) or bool(open_questions(history)) or _was_said(asking)


def _waits_for_compactor(asking: JobQuestion) -> bool:
    from clawgit.agents.compactor import has_work

    return has_work(asking.history, asking.now)


def _has_vectors(asking: JobQuestion) -> bool:
    from clawgit.recall.vector_search import has_rows

    return has_rows(asking.history)


def _waits_for_review(asking: JobQuestion) -> bool:
    from clawgit.agents.promotion import Review

    return bool(Review(asking.history, asking.now).input_id)


def _is_news(asking: JobQuestion) -> bool:
    from clawgit.runner.changed_news import found_by_runs
    from clawgit.runner.not_kept import heard_not_kept

    last = asking.records.digests.last_told(before=asking.now.date() + timedelta(days=1))
    if last is None or last.tip != asking.tip:
        return True
    waiting = {
        *(name.removeprefix(PROPOSALS) for name in asking.history.refs(PROPOSALS)),
        *(name.removeprefix(QUARANTINE) for name in asking.history.refs(QUARANTINE)),
        *found_by_runs(asking.records, asking.now),
        *heard_not_kept(asking.history, asking.now),
        *(each.item.item_id for each in questions_of(asking.history, asking.now, in_talk=False)),
    }
    if noted_jump(asking.history.state, asking.now):
        waiting.add(PendingKind.CLOCK.value)
    return not waiting <= set(last.waiting) or bool(lapsed_proposals(asking.history, last.at))


def _waits_for_lessons(asking: JobQuestion) -> bool:
    from clawgit.agents.lessons_extractor import waits_for_lessons

    return waits_for_lessons(asking.history, asking.records, asking.now)


def _agent(
    name: str,
    setting: Callable[[Settings], str],
    has_input: Callable[[JobQuestion], bool],
    *,
    moves: bool = False,
) -> Job:
    return Job(name, setting, lambda day: ("run", name, "--slot", day.isoformat()), has_input, moves=moves)


JOBS = (
    Job(VALIDATOR, None, lambda _: ("run", VALIDATOR), _waits_for_validator),
    Job(SESSIONS, None, lambda _: ("session", "end", "--due"), _is_over, is_agent=False),
    _agent(KEEPER, lambda settings: settings.cron_soul_keeper, _waits_for_keeper),
    _agent(COMPACTOR, lambda settings: settings.cron_compactor_weekly, _waits_for_compactor, moves=True),
    _agent(HYGIENE, lambda settings: settings.cron_vector_hygiene, _has_vectors, moves=True),
    _agent(DECAY, lambda settings: settings.cron_decay_engine, lambda asking: bool(asking.tip), moves=True),
    _agent(
        ORGANIZER,
        lambda settings: settings.cron_organizer,
        lambda asking: asking.tip != asking.seen,
        moves=True,
    ),
    _agent(LESSONS, lambda settings: settings.cron_lessons_extractor, _waits_for_lessons),
    _agent(MINER, lambda settings: settings.cron_memory_miner, _waits_for_miner),
    _agent(
        CONFLICTS,
        lambda settings: settings.cron_conflict_detector,
        lambda asking: asking.tip != asking.records.agent_cursors.of(CONFLICTS),
    ),
    Job(
        DIGEST,
        lambda settings: settings.cron_digest,
        lambda day: ("digest", "--send", day.isoformat()),
        _is_news,
        is_agent=False,
        writes=False,
        next_tells=True,
    ),
    _agent(REVIEW, lambda settings: settings.cron_promotion_review, _waits_for_review),
)
