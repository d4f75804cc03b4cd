"""The jobs that are built, in the order of their day: when each is due, and whether there is anything for it to do.

Asking costs a few milliseconds, starting an agent most of a second.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.git.refs import PROPOSALS, QUARANTINE
from clawgit.runner.missed_slots import Timetable
from clawgit.workspace.records.job_slots import SlotState
from clawgit.workspace.settings.times_of_day import parse_session_reset, parse_slot_spec

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date, datetime
    from zoneinfo import ZoneInfo

    from clawgit.history.git.repository import History
    from clawgit.workspace.records.records import Records
    from clawgit.workspace.settings.settings import Settings

VALIDATOR, MINER, DIGEST = "recall-validator", "memory-miner", "digest"
SESSIONS = "session-end"


class Asking(NamedTuple):
    """What a job is asked about: the workspace and its records, the time, and the tip that its last slot ended at."""

    history: History
    records: Records
    now: datetime
    seen: str

    @property
    def tip(self) -> str:
        """Return the commit that is checked out, empty before the first one."""
        return self.history.target(self.history.branch()) or ""


class Job(NamedTuple):
    """One job: its setting (None: it works off a queue at any time), its command, and whether there is input.

    One that writes waits while the agents are paused or git is in the middle of something.
    """

    name: str
    setting: Callable[[Settings], str] | None
    words: Callable[[date], tuple[str, ...]]
    has_input: Callable[[Asking], bool]
    is_agent: bool = True
    writes: bool = True

    def timetable(self, settings: Settings) -> Timetable | None:
        """Return when it is due by the settings in force; None where it works off a queue."""
        if self.setting is None:
            return None
        lateness = timedelta(hours=settings.max_lateness_hours)
        return Timetable(parse_slot_spec(self.setting(settings)), zone_of(settings), lateness)


def zone_of(settings: Settings) -> ZoneInfo | None:
    """Return the zone in which days begin; None is the machine's own."""
    if not settings.timezone:
        return None
    from zoneinfo import ZoneInfo

    return ZoneInfo(settings.timezone)


def _waits_for_validator(asking: Asking) -> bool:
    from clawgit.capture.messages.open_messages import has_messages, open_messages

    if not has_messages(asking.history):
        return False
    with open_messages(asking.history, asking.now) as store:
        return bool(store.to_validate(1))


def _is_over(asking: Asking) -> bool:
    """Say whether a session came to its end, by session_reset, since the last time that sessions were ended."""
    from clawgit.capture.messages.open_messages import has_messages, open_messages
    from clawgit.capture.sessions.sessions import session_due

    if not has_messages(asking.history):
        return False
    rule, now = parse_session_reset(asking.history.settings.session_reset), asking.now
    notes = asking.records.job_slots.of(SESSIONS, most=7).values()
    before = max(
        (note.started for note in notes if note.state is SlotState.DONE and note.started <= now), default=None
    )
    with open_messages(asking.history, now) as store:
        for last in store.last_spoken():
            is_new = (
                before is None
                or last.received_at > before
                or not session_due(rule, last.sent_at, before.astimezone(now.tzinfo))
            )
            if is_new and session_due(rule, last.sent_at, now):
                return True
    return False


def _waits_for_miner(asking: Asking) -> bool:
    if asking.tip != asking.seen:
        return True
    from clawgit.capture.messages.open_messages import has_messages, open_messages

    if not has_messages(asking.history):
        return False
    with open_messages(asking.history, asking.now) as store:
        return bool(store.to_mine(1))


def _is_news(asking: Asking) -> bool:
    last = asking.records.digests.last_told(before=asking.now.date() + timedelta(days=1))
    if last is None or last.tip != asking.tip:
        return True
    waiting = {*asking.history.refs(PROPOSALS), *asking.history.refs(QUARANTINE)}
    return not waiting <= set(last.waiting)


JOBS = (
    Job(VALIDATOR, None, lambda _: ("run", VALIDATOR), _waits_for_validator),
    Job(SESSIONS, None, lambda _: ("session", "end", "--due"), _is_over, is_agent=False),
    Job(
        MINER,
        lambda settings: settings.cron_memory_miner,
        lambda day: ("run", MINER, "--slot", day.isoformat()),
        _waits_for_miner,
    ),
    Job(
        DIGEST,
        lambda settings: settings.cron_digest,
        lambda day: ("digest", "--send", day.isoformat()),
        _is_news,
        is_agent=False,
        writes=False,
    ),
)
