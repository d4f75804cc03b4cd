"""The rendered logs, as the history tells them: sets of entries keyed by op, so that no merge, rebase or pick changes them.

CHANGELOG.md: every change of who the agent is. COMPACTION_LOG.md: what the memory-compactor did, and what left the
workspace's files and why. SOUL_HISTORY/: earlier texts of SOUL.md, byte for byte; retention thins copies, never commits.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.authorship.actors import OPERATOR, UNKNOWN
from clawgit.history.reading.git_log import MARKED, SOUL_FILES, Reached, read_first_parents, read_reached
from clawgit.history.reading.line_steps import file_changes
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.control_characters import folded

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.history.reading.git_log import LoggedChange
    from clawgit.history.reading.line_steps import FileChange
    from clawgit.workspace.settings.settings import Settings

CHANGELOG = "CHANGELOG.md"
COMPACTION_LOG = "COMPACTION_LOG.md"
COMPACTOR = "memory-compactor"
_HEADS = {
    CHANGELOG: """\
# Changelog

How SOUL.md and IDENTITY.md changed, newest first. Rendered by clawgit from the history: an edit made here does
not last. `clawgit changelog` renews it, `clawgit soul log` names the commits.
""",
    COMPACTION_LOG: """\
# Compaction log

What was archived or removed, newest first: the memory-compactor's changes, and every loss that a change declared.
Rendered by clawgit from the history: an edit made here does not last. Each text is still in the history.
""",
}
LOSS = "Clawgit-Loss"
_MARKUP = lazy_pattern(r"<(?=[A-Za-z!/?])")
SOUL = "SOUL.md"
SOUL_HISTORY = "SOUL_HISTORY/"
_SLUG_LENGTH = 48


class SoulCopy(NamedTuple):
    """The soul as it was after one change, or as a snapshot named it; no blob where there was no file."""

    at: datetime
    blob_id: str | None
    name: str


class ViewEntry(NamedTuple):
    """One change as a rendered log shows it; ``left_out``: only a pinned earlier tip has it."""

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


def read_changelog(history: History) -> list[ViewEntry]:
    return ToldHistory(history).changelog()


class ToldHistory:
    """What the commits of the branch and of pinned earlier tips tell of; git is asked once for each kind of them."""

    def __init__(self, history: History) -> None:
        self._history = history

    @cached_property
    def _soul(self) -> Reached:
        return read_reached(self._history, paths=SOUL_FILES)

    @cached_property
    def _marked(self) -> Reached:
        return read_reached(self._history, "--extended-regexp", "--regexp-ignore-case", f"--grep={MARKED}")

    def changelog(self) -> list[ViewEntry]:
        touching = _those(self._soul, lambda change: bool(change.files))
        return _entry_set(touching, lambda change: file_changes(self._history, change))

    def compactions(self) -> list[ViewEntry]:
        told = _those(
            self._marked, lambda change: change.actor == COMPACTOR or bool(change.trailers.all(LOSS))
        )
        return _entry_set(told, None)

    def soul_changes(self) -> list[SoulCopy]:
        """Return the soul after each change along the branch's first parents, oldest first, by author date."""
        copies = []
        for change in read_first_parents(self._history, SOUL):
            for step in change.files:
                copies.append(SoulCopy(change.moment, step.new, change.subject))
        return copies

    def snapshots(self) -> list[SoulCopy]:
        """Return the soul as each snapshot named it, by author date; of one op, as it was made first."""
        found: dict[str, tuple[datetime, str, SoulCopy]] = {}
        changes = (*self._marked.past, *self._marked.branch)
        ops = _owned_ops(changes, lambda _: None)
        for change in changes:
            name, key = change.snapshot, ops.get(change.commit_id) or _outside_key(change)
            if name is not None and key not in found:
                entry = self._history.tree_of(change.commit_id).entry(SOUL)
                blob_id = entry.object_id if entry and not entry.is_folder else None
                found[key] = (change.moment, key, SoulCopy(change.moment, blob_id, name))
        return [copy for _, _, copy in sorted(found.values(), key=lambda item: item[:2])]


def _those(reached: Reached, are_told: Callable[[LoggedChange], bool]) -> Reached:
    return Reached(tuple(filter(are_told, reached.branch)), tuple(filter(are_told, reached.past)))


def _entry_set(
    told: Reached, read: Callable[[LoggedChange], tuple[FileChange, ...]] | None
) -> list[ViewEntry]:
    """Return the entries, newest first; of one op, as it was told first.

    ``read`` says what a commit changed, and is asked only where its own words are not enough; one that changed nothing is not told of.
    """
    changes = (*told.past, *told.branch)
    ops = _owned_ops(changes, read or (lambda _: None))
    standing = {change.commit_id for change in told.branch}
    entries: dict[str, ViewEntry] = {}
    keys = set()
    for change in changes:
        op = ops.get(change.commit_id)
        changed = read(change) if op is None and read is not None else ()
        if op is None and read is not None and not changed:
            continue
        key = op or _outside_key(change, changed)
        # who copied an op is nobody that clawgit knows
        copied = op is None and change.op is not None and change.actor != OPERATOR
        entry = ViewEntry(
            key,
            change.moment,
            UNKNOWN if copied else change.actor,
            change.subject,
            change.reason,
            op,
            change.evidence,
            changed,
            change.trailers.all(LOSS),
        )
        entries.setdefault(key, entry)
        if change.commit_id in standing:
            keys.add(key)
    marked = (entry._replace(left_out=entry.key not in keys) for entry in entries.values())
    return sorted(marked, key=lambda entry: (entry.at, entry.key), reverse=True)


def _outside_key(logged: LoggedChange, changes: Iterable[FileChange] = ()) -> str:
    """Return a name for what is outside of clawgit, of what survives a rebase: author date, subject, what was said."""
    losses = (loss.encode("utf-8", "replace") for loss in logged.trailers.all(LOSS))
    told = (logged.moment.isoformat().encode(), logged.subject.encode("utf-8", "surrogatepass"))
    parts = (*told, *(change.said for change in changes), *losses)
    return "outside-" + sha256(b"\0".join(parts)).hexdigest()[:20]


def local(at: datetime, settings: Settings) -> datetime:
    """Return ``at`` in the workspace's zone; where none is set, as whoever made the commit wrote it."""
    if settings.timezone:
        return at.astimezone(settings.time_zone)
    return at


def render_log(name: str, entries: Iterable[ViewEntry], settings: Settings) -> bytes:
    """Return CHANGELOG.md or COMPACTION_LOG.md as Markdown: a heading for each day, below it the changes."""
    lines = _HEADS[name].rstrip("\n").split("\n")
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
    for change in entry.changes:
        under = f", under {', '.join(map(plain, change.sections))}" if change.sections else ""
        if change.came or change.left:
            yield f"  - {change.path}: +{len(change.came)} -{len(change.left)} lines{under}"
        else:
            yield f"  - {change.path}: lines moved"
    yield from (f"  - left: {plain(loss)}" for loss in entry.losses)
    if entry.left_out:
        yield "  - left out of this branch when its history was rewritten"
    if entry.op:
        yield f"  - op: {plain(entry.op)}"


def plain(text: str) -> str:
    """Return foreign text as one line of Markdown in which no tag and no comment begins."""
    return _MARKUP.sub("&lt;", folded(text))


def _owned_ops(changes: Iterable[LoggedChange], did: Callable[[LoggedChange], Hashable]) -> dict[str, str]:
    """Return commit → op, for the first commit that has the op, and for its copies by a rebase or a pick."""
    groups: dict[str, list[LoggedChange]] = {}
    for change in changes:
        if change.op is not None:
            groups.setdefault(change.op, []).append(change)
    owned: dict[str, str] = {}
    for op, group in groups.items():
        owner, *others = sorted(group, key=lambda change: (not change.one_hand, change.committed_at))
        owned[owner.commit_id] = op
        for each in others:
            same = (each.author, each.at, each.trailers) == (owner.author, owner.at, owner.trailers)
            if same and did(each) == did(owner):
                owned[each.commit_id] = op
    return owned


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
    if copy.blob_id is None:
        return b""
    return history.objects.blob(copy.blob_id)
