"""SOUL_HISTORY/: earlier texts of SOUL.md as files, byte for byte. Retention thins copies, never commits."""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.reading.git_log import read_first_parents
from clawgit.history.views.change_logs import Said, local, outside_key, owned_ops

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.history.reading.git_log import LoggedChange, Reached

SOUL = "SOUL.md"
SOUL_HISTORY = "SOUL_HISTORY/"
_SLUG_LENGTH = 48


class SoulCopy(NamedTuple):
    """The soul as it was after one change, or as a snapshot named it; no blob where there was no file."""

    at: datetime
    blob_id: str | None
    name: str


def read_soul_changes(history: History, told: Reached, ways: Mapping[str, tuple[str, ...]]) -> list[SoulCopy]:
    """Return the soul after each change along the branch's first parents, oldest first, by author date.

    Where a commit only replaces left-out changes, those are in its place.
    """
    past = {change.commit_id: change for change in told.past}

    def line() -> Iterator[LoggedChange]:
        for change in read_first_parents(history, SOUL):
            way = ways.get(change.commit_id, ())
            yield from (past[name] for name in way) if way else (change,)

    return copies_of(line())


def copies_of(changes: Iterable[LoggedChange]) -> list[SoulCopy]:
    """Return the soul after each of ``changes`` that touched it."""
    return [
        SoulCopy(change.moment, step.new, change.summary)
        for change in changes
        for step in change.files
        if step.path == SOUL
    ]


def read_snapshots(history: History, marked: Reached) -> list[SoulCopy]:
    """Return the soul as each snapshot named it, by author date; of one op, as it was made first."""
    found: dict[str, tuple[datetime, str, SoulCopy]] = {}
    changes = (*marked.past, *marked.branch)
    ops = owned_ops(changes, lambda _: None)
    for change in changes:
        name, key = change.snapshot, ops.get(change.commit_id) or outside_key(change, Said())
        if name is not None and key not in found:
            entry = history.tree_of(change.commit_id).entry(SOUL)
            copy = SoulCopy(change.moment, entry.object_id if entry and not entry.is_folder else None, name)
            found[key] = (change.moment, key, copy)
    return [copy for _, _, copy in sorted(found.values(), key=lambda item: item[:2])]


def daily(history: History, changes: Iterable[SoulCopy]) -> dict[date, SoulCopy]:
    """Return day → the soul at its end, for the days on which it changed and was still there."""
    found: dict[date, SoulCopy] = {}
    for change in changes:
        found[local(change.at, history.settings).date()] = change
    return {day: copy for day, copy in sorted(found.items()) if copy.blob_id is not None}


def retained(days: Iterable[date], today: date, keep_days: int) -> set[date]:
    """Return the days whose copies stay: the last ``keep_days`` before ``today``, and the last of each month before."""
    days = set(days)
    oldest = date.fromordinal(max(1, today.toordinal() - keep_days))
    months = {(day.year, day.month): day for day in sorted(days) if day < oldest}
    return {day for day in days if day >= oldest} | set(months.values())


def named(history: History, copies: Iterable[SoulCopy], form: str = "%Y-%m-%d") -> dict[str, SoulCopy]:
    """Return file name → copy: its date in ``form`` and a slug of its name; a second one of a name is -2."""
    found: dict[str, SoulCopy] = {}
    for copy in copies:
        if copy.blob_id is not None:
            stem = f"{local(copy.at, history.settings).strftime(form)}-{slug(copy.name)}"
            number = 1
            while (name := f"{stem}-{number}.md" if number > 1 else f"{stem}.md") in found:
                number += 1
            found[name] = copy
    return found


def slug(text: str) -> str:
    """Return ``text`` as a part of a file name: its letters and digits of any script, joined by `-`."""
    words = re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", text).lower()).strip("-")
    return words[:_SLUG_LENGTH].strip("-") or "unnamed"


def text_of(history: History, copy: SoulCopy) -> bytes:
    """Return the copy's bytes."""
    return b"" if copy.blob_id is None else history.objects.blob(copy.blob_id)
