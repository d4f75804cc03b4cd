"""All jobs in the order of their day: when each is due, and whether it has input.

A slot is a date in the workspace's zone; it begins at the job's time of day. A moved time or another zone never runs
a job twice for one date. Of missed slots, the newest runs and the older ones are skipped.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.history.git.refs import PROPOSALS
from clawgit.workspace.records.record_tables import SlotNote, SlotState
from clawgit.workspace.settings.setting_types import SlotSpec, parse_session_reset, parse_slot

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History
    from clawgit.workspace.records.records import Records
    from clawgit.workspace.settings.settings import Settings

VALIDATOR, MINER, DIGEST = "recall-validator", "memory-miner", "digest"
KEEPER, CONFLICTS = "soul-keeper", "conflict-detector"
COMPACTOR, REVIEW, HYGIENE = "memory-compactor", "promotion-review", "vector-hygiene"
SESSIONS = "session-end"
DECAY, ORGANIZER, LESSONS = "decay-engine", "organizer", "lessons-extractor"
ATTEMPTS = 3
PAUSES = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=25))
# The pause until a queue is tried again after its last attempt: new input is waiting there, too.
QUEUE_AGAIN = timedelta(hours=1)
MOST_SKIPPED = 60  # that are noted after one downtime: of a year, the last two months
_DAY = timedelta(days=1)
_WEEK = timedelta(weeks=1)
_LATER = "A later run did its work."
_NEXT_TELLS = "It was late, and the next one tells the same."


class Timetable(NamedTuple):
    """The times of a job: the time of day, the zone (None is the machine's own), and how late it may run.

    With ``next_tells``, the next slot reports what a missed one would have: from the next day on, a missed slot is left
    out if the next is nearer, so that no report comes at night that the morning's would repeat.
    """

    spec: SlotSpec
    zone: tzinfo | None
    max_lateness: timedelta
    next_tells: bool = False

    @property
    def interval(self) -> timedelta:
        return _DAY if self.spec.weekday is None else _WEEK

    def begins(self, day: date) -> datetime:
        """Return the begin of a slot in UTC.

        A time that clocks skip is moved forward; of a time that comes twice, the first counts.
        """
        local = datetime(day.year, day.month, day.day, self.spec.hour, self.spec.minute, tzinfo=self.zone)
        begins = local.astimezone(UTC)
        # Python moves a skipped time back
        if self.zone is None and begins.astimezone().replace(tzinfo=None) != local:
            return local.replace(fold=1).astimezone(UTC)
        return begins

    def last(self, now: datetime) -> date:
        # tomorrow's slot can have begun where clocks go back over midnight
        day = self._newest(now.astimezone(self.zone).date() + _DAY)
        while self.begins(day) > now:
            day -= self.interval
        return day

    def next(self, now: datetime) -> date:
        return self.last(now) + self.interval

    def between(self, after: date, before: date) -> list[date]:
        """Return the slots between two dates, oldest first, at most the newest MOST_SKIPPED."""
        days: list[date] = []
        day = self._newest(before - _DAY)
        while day > after and len(days) < MOST_SKIPPED:
            days.append(day)
            day -= self.interval
        return days[::-1]

    def why_late(self, day: date, now: datetime) -> str:
        """Return why a begun slot is too late to run; empty if it is not."""
        begins = self.begins(day)
        if now - begins > self.max_lateness:
            return f"It could not run within {round(self.max_lateness.total_seconds() / 3600)} hours."
        is_over = now.astimezone(self.zone).date() > begins.astimezone(self.zone).date()
        if self.next_tells and is_over and self.begins(self.next(now)) - now < now - begins:
            return _NEXT_TELLS
        return ""

    def _newest(self, day: date) -> date:
        if self.spec.weekday is None:
            return day
        return day - timedelta((day.weekday() - self.spec.weekday) % 7)


class Due(NamedTuple):
    """The slot to run now, if any, and its attempt; and the slots to skip, with reasons."""

    day: date | None = None
    attempt: int = 0
    skipped: tuple[tuple[date, str], ...] = ()
    before: date | None = None  # of a new job: the slot up to which nothing is made up for


def due_now(
    table: Timetable, now: datetime, noted: Mapping[date, SlotNote], since: datetime | None = None
) -> Due:
    """Return what is due, given the notes of the job's slots; for a new job, what began after ``since``.

    Slots that have not begun are ignored: the clock was ahead when they ran. So are skips dated ahead.
    """
    newest = table.last(now)
    begun = []
    for day, slot in noted.items():
        if day <= newest and not (slot.state is SlotState.SKIPPED and slot.started > now):
            begun.append(day)
    if not begun:
        if since is None or table.begins(newest) <= since:
            return Due(before=newest)
        begun.append(newest - table.interval)
    note = noted[newest] if newest in begun else None
    if note is not None and note.state is not SlotState.SKIPPED and not is_open(note):
        return Due()
    missed = table.between(max(begun), newest)
    why_late = table.why_late(newest, now)
    if why_late:
        if note is not None and not is_open(note):
            return Due()
        return Due(skipped=tuple((day, why_late) for day in (*missed, newest)))
    if note is None or note.state is SlotState.SKIPPED:
        return Due(newest, 1, tuple((day, _LATER) for day in missed))
    if now >= next_try(note, now):
        return Due(newest, note.attempt + 1)
    return Due()


def due_of_queue(now: datetime, noted: Mapping[date, SlotNote]) -> Due:
    """Return what is due for a job with a queue: today's slot, again and again."""
    note = noted.get(now.date())
    if note is None or not (is_open(note) or is_given_up(note)):
        return Due(now.date(), 1)
    if now >= next_try(note, now):
        return Due(now.date(), note.attempt + 1)
    return Due()


def is_open(note: SlotNote) -> bool:
    """Say whether a slot failed or was cut off, with another attempt left."""
    return note.state in (SlotState.STARTED, SlotState.FAILED) and note.attempt < ATTEMPTS


def is_given_up(note: SlotNote) -> bool:
    """Say whether every attempt at a slot failed or was cut off."""
    return note.state in (SlotState.STARTED, SlotState.FAILED) and note.attempt >= ATTEMPTS


def next_try(note: SlotNote, now: datetime) -> datetime:
    """Return the time of the next attempt at a slot that failed or was cut off; after the last attempt only for a queue.

    It is now if the last attempt is dated ahead, if a runner handed the slot back, or if the first attempt was cut off,
    which is not the job's fault.
    """
    last = note.ended or note.started
    is_cut_off = note.state is SlotState.STARTED and note.attempt <= 1
    if last > now or note.attempt == 0 or is_cut_off:
        return now
    if note.attempt < ATTEMPTS:
        return last + PAUSES[note.attempt - 1]
    return last + QUEUE_AGAIN


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
    """One job: its setting (None: it works off a queue at any time), its command, and the check for input."""

    name: str
    setting: Callable[[Settings], str] | None
    words: Callable[[date], tuple[str, ...]]
    has_input: Callable[[JobQuestion], bool]
    is_agent: bool = True
    writes: bool = True  # it waits while agents are paused or git is in the middle of something
    next_tells: bool = False  # a late slot is not made up for: the next one reports the same
    moves: bool = False  # by age: it waits, too, if the clock jumped ahead

    def is_off(self, settings: Settings) -> bool:
        return self.setting is not None and parse_slot(self.setting(settings)) is None

    def timetable(self, settings: Settings) -> Timetable | None:
        spec = self.setting and parse_slot(self.setting(settings))
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
    lately = None
    if before is not None:
        lately = before - _WEEK - _DAY  # no session idles for more than a week: older ones were over by then
    for last in _messages(asking, lambda store: store.last_spoken(lately)):
        was_due = before is not None and session_due(rule, last.sent_at, before.astimezone(now.tzinfo))
        is_new = before is None or last.received_at > before or not was_due
        if is_new and session_due(rule, last.sent_at, now):
            return True
    return False


def _waits_for_miner(asking: JobQuestion) -> bool:
    return asking.tip != asking.seen or bool(_messages(asking, lambda store: store.to_mine(1)))


def _waits_for_keeper(asking: JobQuestion) -> bool:
    from clawgit.capture.messages.message import MessageQuery
    from clawgit.pending.queue import open_questions

    if asking.history.refs(PROPOSALS) or open_questions(asking.history):
        return True
    # a week of missed slots is made up for
    lately = MessageQuery(role="user", since=asking.now - timedelta(days=8), limit=1)
    return bool(_messages(asking, lambda store: store.log(lately)))


def _waits_for_compactor(asking: JobQuestion) -> bool:
    from clawgit.agents.compactor import has_work

    return has_work(asking.history, asking.now)


def _has_vectors(asking: JobQuestion) -> bool:
    from clawgit.recall.vector_search import has_rows

    return has_rows(asking.history)


def _waits_for_review(asking: JobQuestion) -> bool:
    from clawgit.agents.promotion import Review

    return bool(Review(asking.history, asking.now).input_id)


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
        lambda asking: bool(asking.tip),
        is_agent=False,
        writes=False,
        next_tells=True,
    ),
    _agent(REVIEW, lambda settings: settings.cron_promotion_review, _waits_for_review),
)
