"""The entries of the rendered logs: a set keyed by op, so that no merge, rebase or pick changes it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from clawgit.text.control import folded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import datetime

    from clawgit.history.log import LoggedChange
    from clawgit.history.outside import FileChange
    from clawgit.history.reach import Reached
    from clawgit.workspace.settings import Settings

_MARKUP = re.compile(r"<(?=[A-Za-z!/?])")
_LEFT_OUT = "left out of this branch when its history was rewritten"


@dataclass(frozen=True, slots=True)
class ViewEntry:
    """One change as a rendered log shows it: nothing in it but what a rebase leaves as it is.

    ``changes`` is what a commit without an op changed, ``losses`` what left and why. ``left_out``: only a
    pinned earlier tip still has it.
    """

    key: str
    at: datetime
    actor: str
    summary: str
    reason: str
    op: str | None
    evidence: tuple[str, ...]
    changes: tuple[FileChange, ...] = ()
    losses: tuple[str, ...] = ()
    left_out: bool = False


def entry_of(
    logged: LoggedChange, changes: tuple[FileChange, ...] = (), losses: tuple[str, ...] = ()
) -> ViewEntry:
    """Return the entry that a commit tells of."""
    told = (*(change.said for change in changes), *(loss.encode("utf-8", "replace") for loss in losses))
    return ViewEntry(
        key_of(logged, *told),
        logged.moment,
        logged.actor,
        logged.summary,
        logged.reason,
        logged.op,
        logged.evidence,
        changes,
        losses,
    )


def key_of(logged: LoggedChange, *said: bytes) -> str:
    """Return the op, or a name made of what survives a rebase: author date, subject and ``said``."""
    if logged.op is not None:
        return logged.op
    told = (logged.moment.isoformat().encode(), logged.summary.encode("utf-8", "surrogatepass"), *said)
    return "outside-" + sha256(b"\0".join(told)).hexdigest()[:20]


def entry_set(
    told: Reached, ways: Mapping[str, tuple[str, ...]], make: Callable[[LoggedChange], ViewEntry | None]
) -> list[ViewEntry]:
    """Return the entries, newest first; of one op, as it was told first.

    ``ways``: commit of the branch → the left-out ones that it only replaces. They stay as they were told,
    and it has no entry unless it has an op.
    """
    replaced = {name for way in ways.values() for name in way}
    ours = {change.commit_id for change in told.branch}
    found: dict[str, ViewEntry] = {}
    standing = set()
    for change in (*told.past, *told.branch):
        entry = None if change.op is None and change.commit_id in ways else make(change)
        if entry is None:
            continue
        found.setdefault(entry.key, entry)
        if change.commit_id in ours or change.commit_id in replaced:
            standing.add(entry.key)
    marked = (replace(entry, left_out=entry.key not in standing) for entry in found.values())
    return sorted(marked, key=lambda entry: (entry.at, entry.key), reverse=True)


def local(at: datetime, settings: Settings) -> datetime:
    """Return ``at`` in the workspace's zone; where none is set, as whoever made the commit wrote it."""
    return at.astimezone(ZoneInfo(settings.timezone)) if settings.timezone else at


def render_log(title: str, about: str, entries: Iterable[ViewEntry], settings: Settings) -> bytes:
    """Return a log as Markdown: a heading for each day, below it the changes."""
    lines = [f"# {title}", "", *about.split("\n")]
    day = None
    for entry in entries:
        when = local(entry.at, settings)
        if when.date() != day:
            day = when.date()
            lines += ["", f"## {day}", ""]
        lines += _lines(entry, f"{when:%H:%M}")
    if day is None:
        lines += ["", "Nothing yet."]
    return ("\n".join(lines) + "\n").encode()


def _lines(entry: ViewEntry, clock: str) -> Iterator[str]:
    outside = "" if entry.op else ", outside clawgit"
    yield f"- {clock} **{entry.actor}**{outside}: {plain(entry.summary)}"
    if entry.reason:
        yield f"  - why: {plain(entry.reason)}"
    yield from (f"  - evidence: {plain(item)}" for item in entry.evidence)
    yield from (f"  - {change_line(change)}" for change in entry.changes)
    yield from (f"  - left: {plain(loss)}" for loss in entry.losses)
    if entry.left_out:
        yield f"  - {_LEFT_OUT}"
    if entry.op:
        yield f"  - op: {plain(entry.op)}"


def change_line(change: FileChange) -> str:
    """Return in words how many lines came and left, and under which headings."""
    under = f", under {', '.join(map(plain, change.sections))}" if change.sections else ""
    if not change.came and not change.left:
        return f"{change.path}: lines moved"
    return f"{change.path}: +{len(change.came)} -{len(change.left)} lines{under}"


def plain(text: str) -> str:
    """Return foreign text as one line of Markdown in which no tag and no comment begins."""
    return _MARKUP.sub("&lt;", folded(text))
