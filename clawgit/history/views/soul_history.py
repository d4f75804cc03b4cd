"""Earlier texts of SOUL.md as files, byte for byte: in SOUL_HISTORY/, where retention thins them, and by `soul export`."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.git.storage_errors import storage_errors
from clawgit.history.reading.reachability import read_first_parents
from clawgit.history.views.change_logs import (
    Said,
    local,
    outside_key,
    owned_ops,
    read_marked,
    read_soul_reached,
    replaced_ways,
)
from clawgit.workspace.safe_files import FileContent, read_file, write_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

    from clawgit.history.git.repository import History
    from clawgit.history.reading.git_log import LoggedChange
    from clawgit.history.reading.reachability import Reached

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
    oldest = oldest_daily(today, keep_days)
    months = {(day.year, day.month): day for day in sorted(days) if day < oldest}
    return {day for day in days if day >= oldest} | set(months.values())


def next_thinning(days: Iterable[date], today: date, keep_days: int) -> date:
    """Return the first day on which a copy may go that stays today."""
    oldest = oldest_daily(today, keep_days)
    return min((day + timedelta(keep_days + 1) for day in days if day >= oldest), default=date.max)


def oldest_daily(today: date, keep_days: int) -> date:
    """Return the first day from which every day's copy stays."""
    return date.fromordinal(max(1, today.toordinal() - keep_days))


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


class ExportError(ClawgitError):
    """The copies cannot be written there."""


def export_soul(history: History, folder: Path, since: date | None, until: date | None) -> list[str]:
    """Write every change (`2026-03-19T1022-what.md`) and snapshot (`2026-03-19-name.md`) of those days.

    Returns the names. A file that says so already stays; nothing is thinned.

    Raises:
        ExportError: ``folder`` is no place for them, or holds another file of such a name; nothing was written.
    """
    told = read_soul_reached(history)
    changes = read_soul_changes(history, told, replaced_ways(history, told))
    snapshots = read_snapshots(history, read_marked(history))

    def chosen(copies: Iterable[SoulCopy]) -> list[SoulCopy]:
        days = ((local(copy.at, history.settings).date(), copy) for copy in copies)
        return [copy for day, copy in days if (since or day) <= day <= (until or day)]

    copies = named(history, chosen(changes), "%Y-%m-%dT%H%M") | named(history, chosen(snapshots))
    texts = {name: text_of(history, copy) for name, copy in sorted(copies.items())}
    _write(history, folder, texts)
    return list(texts)


def _write(history: History, folder: Path, texts: dict[str, bytes]) -> None:
    if folder.resolve().is_relative_to(history.folder.resolve()) or (folder.exists() and not folder.is_dir()):
        raise ExportError(f"{folder} is no folder for copies of the soul.", hint="Give another folder.")
    with storage_errors(folder if folder.exists() else history.root):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        present = {name: read_file(folder, name) for name in texts}
        for name, found in present.items():
            if found is not None and found.data != texts[name]:
                raise ExportError(
                    f"{folder / name} exists and reads otherwise, so nothing was written.",
                    hint="Move it away, or give another folder.",
                )
        for name, text in texts.items():
            if present[name] is None:
                write_file(folder, name, FileContent(text))
