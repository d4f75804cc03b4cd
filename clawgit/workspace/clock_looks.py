"""Whether the clock jumped ahead since the last look at a workspace; moves and deletions by age then wait for the operator.

While the machine runs or sleeps, its steady clock shows whether time really passed. After a restart it cannot: then
only a leap of more than a month counts, so that a machine which was off for some weeks catches up by itself.
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from clawgit.workspace.safe_files import rewrite_record

FILE = "clock.json"
JUMP = timedelta(days=1)
MOST_OFF = timedelta(days=30)  # the longest time that a machine counts as off
SETTLING = 600.0  # seconds after a start, in which many machines do not know the time yet
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class Steady(NamedTuple):
    """Seconds of a clock that never steps, and the machine's start that it counts from."""

    boot: str
    seconds: float


class _Look(NamedTuple):
    """A look at a workspace: its time, and what is wrong with the clock since; ``steady`` is None in a rehearsal."""

    at: datetime
    steady: Steady | None
    jump: str


def read_steady() -> Steady | None:
    """Return the machine's steady clock, None on a system without ids of its starts."""
    if sys.platform == "darwin":
        return None
    with suppress(OSError):
        return Steady(_BOOT_ID.read_text("ascii").strip(), time.clock_gettime(time.CLOCK_BOOTTIME))
    return None


def clock_jump(state: Path, now: datetime, steady: Steady | None) -> str:
    """Return a sentence on what is wrong with the clock, empty if it can be trusted; ``state`` is clawgit's folder."""
    last = _last_look(state)
    if last is None:
        return ""
    passed = _passed(last.steady, steady)
    ahead = now - last.at - (passed or timedelta(0))
    if ahead <= (MOST_OFF if passed is None else JUMP):
        return ""
    text = (
        f"The clock is {ahead.days} days ahead of the last look at this workspace ({last.at:%Y-%m-%d %H:%M})."
    )
    return f"{text} Until you say that it is right, nothing is moved, merged, archived or deleted by age."


def noted_jump(state: Path, now: datetime) -> str:
    """Return the sentence that the runner noted, empty if the clock went back since."""
    last = _last_look(state)
    return last.jump if last is not None and now - last.at > JUMP else ""


def may_delete(state: Path, now: datetime) -> bool:
    """Say whether data may be deleted by its age, since the clock did not jump."""
    return not noted_jump(state, now) and not clock_jump(state, now, None)


def note_clock(state: Path, now: datetime, steady: Steady | None) -> str:
    """Note this look at a workspace, and return a sentence if the clock jumped since the last one."""
    jump = clock_jump(state, now, steady)
    last = _last_look(state)
    if jump and last is not None:
        _write(state, last.at, last.steady, jump)
        return jump
    # later looks are not compared with a time in a machine's first minutes, nor with one long before the last look
    is_settled = steady is None or steady.seconds >= SETTLING
    is_known = last is None or _passed(last.steady, steady) is not None
    if is_known or (last is not None and is_settled and now >= last.at - JUMP):
        believe_clock(state, now, steady)
    return jump


def believe_clock(state: Path, now: datetime, steady: Steady | None) -> None:
    """Note that the clock is right ``now``, whatever was noted before."""
    _write(state, now, steady, "")


def _write(state: Path, at: datetime, steady: Steady | None, jump: str) -> None:
    boot, seconds = steady or ("", 0.0)
    data = {"at": at.isoformat(timespec="seconds"), "boot": boot, "steady": seconds, "jump": jump}
    rewrite_record(state, FILE, json.dumps(data).encode())


def _passed(before: Steady | None, steady: Steady | None) -> timedelta | None:
    if before is None or steady is None or before.boot != steady.boot:
        return None
    return timedelta(seconds=steady.seconds - before.seconds)


def _last_look(state: Path) -> _Look | None:
    with suppress(OSError, ValueError, KeyError, TypeError):
        data = json.loads((state / FILE).read_text("utf-8"))
        boot = str(data["boot"])
        seconds = float(data["steady"])
        at = datetime.fromisoformat(data["at"])
        if at.tzinfo is not None:
            return _Look(at, Steady(boot, seconds) if boot else None, str(data["jump"]))
    return None
