"""The entries of the rendered logs: a set keyed by op, so that no merge, rebase or pick changes it."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.authorship.actors import OPERATOR, UNKNOWN
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.control_characters import folded

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from clawgit.history.reading.foreign_changes import FileChange
    from clawgit.history.reading.git_log import LoggedChange
    from clawgit.history.reading.reachability import Reached
    from clawgit.workspace.settings.settings import Settings

LOSS = "Clawgit-Loss"
_MARKUP = lazy_pattern(r"<(?=[A-Za-z!/?])")
LEFT_OUT_LINE = "  - left out of this branch when its history was rewritten"


class Said(NamedTuple):
    """What a commit did that its message does not say by itself; ``anyway``: it is told of although that is nothing."""

    changes: tuple[FileChange, ...] = ()
    anyway: bool = False

    @property
    def is_worth_telling(self) -> bool:
        """Say whether somebody outside of clawgit who did that is told of."""
        return self.anyway or bool(self.changes)


class ViewEntry(NamedTuple):
    """One change as a rendered log shows it: nothing in it but what a rebase leaves as it is.

    ``changes`` is what a commit without an op of its own changed, ``losses`` what it says that left and why.
    ``left_out``: only a pinned earlier tip still has it.
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


def entry_set(
    told: Reached, ways: Mapping[str, tuple[str, ...]], read: Callable[[LoggedChange], Said]
) -> list[ViewEntry]:
    """Return the entries, newest first; of one op, as it was told first.

    ``read``: what a commit did, asked only of those whose own words are not enough. ``ways``: commit of the
    branch → the left-out ones that it only replaces. They stay as they were told, and it has no entry unless
    clawgit made it: a squash has the op of any change in it.
    """
    changes = (*told.past, *told.branch)
    ops = owned_ops(changes, read)
    standing = {name for way in ways.values() for name in way} | {change.commit_id for change in told.branch}
    found: dict[str, ViewEntry] = {}
    keys = set()
    for change in changes:
        op = ops.get(change.commit_id)
        if change.commit_id in ways and not (op and change.is_original):
            continue
        said = read(change) if op is None else Said()
        if op is None and not said.is_worth_telling:
            continue
        key = op or outside_key(change, said)
        found.setdefault(key, _entry(change, key, op, said))
        if change.commit_id in standing:
            keys.add(key)
    marked = (entry._replace(left_out=entry.key not in keys) for entry in found.values())
    return sorted(marked, key=lambda entry: (entry.at, entry.key), reverse=True)


def outside_key(logged: LoggedChange, said: Said) -> str:
    """Return a name for what is outside of clawgit, of what survives a rebase: author date, subject, what was said."""
    losses = (loss.encode("utf-8", "replace") for loss in logged.trailers.all(LOSS))
    told = (logged.moment.isoformat().encode(), logged.summary.encode("utf-8", "surrogatepass"))
    parts = (*told, *(change.said for change in said.changes), *losses)
    return "outside-" + sha256(b"\0".join(parts)).hexdigest()[:20]


def _entry(logged: LoggedChange, key: str, op: str | None, said: Said) -> ViewEntry:
    """Return the entry that a commit tells of; who copied an op is nobody that clawgit knows."""
    copied = op is None and logged.op is not None and logged.actor != OPERATOR
    return ViewEntry(
        key,
        logged.moment,
        UNKNOWN if copied else logged.actor,
        logged.summary,
        logged.reason,
        op,
        logged.evidence,
        said.changes,
        logged.trailers.all(LOSS),
    )


def local(at: datetime, settings: Settings) -> datetime:
    """Return ``at`` in the workspace's zone; where none is set, as whoever made the commit wrote it."""
    return at.astimezone(settings.time_zone) if settings.timezone else at


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


def newest_of(entries: Sequence[ViewEntry]) -> list[str]:
    """Return when the newest entry was made and the keys of all made then; nothing where their zones differ."""
    newest = list(takewhile(lambda entry: entry.at == entries[0].at, entries))
    written = {entry.at.isoformat() for entry in newest}
    return [*written, *(entry.key for entry in newest)] if len(written) == 1 else []


def put_in(lines: list[str], newest: Sequence[str], entry: ViewEntry, settings: Settings) -> list[str] | None:
    """Put an entry where it belongs at the top of a rendered log's ``lines``; return what is newest then.

    ``newest`` is what `newest_of` said of the log's entries. None, and the lines as they were, where the entry is
    outside of clawgit, is there already or belongs further down.
    """
    at, *keys = newest or [""]
    made = entry.at.isoformat()
    if not at or entry.op is None or _op_line(entry.op) in lines:
        return None
    if made != at:
        if entry.at <= datetime.fromisoformat(at):
            return None
        keys = []
    keys = sorted([*keys, entry.key], reverse=True)
    _put_before(lines, keys.index(entry.key), local(entry.at, settings), entry)
    return [made, *keys]


def _put_before(lines: list[str], place: int, when: datetime, entry: ViewEntry) -> None:
    """Put an entry below ``place`` others of its day, the log's last one or a new one."""
    told = _lines(entry, f"{when:%H:%M}")
    at = next(number for number, line in enumerate(lines) if line.startswith("## "))
    if lines[at] != f"## {when.date()}":
        lines[at:at] = [f"## {when.date()}", "", *told, ""]
        return
    at += 2
    for _ in range(place):
        at += 1
        while lines[at].startswith("  "):
            at += 1
    lines[at:at] = told


def _lines(entry: ViewEntry, clock: str) -> Iterator[str]:
    outside = "" if entry.op else ", outside clawgit"
    yield f"- {clock} **{entry.actor}**{outside}: {plain(entry.summary)}"
    if entry.reason:
        yield f"  - why: {plain(entry.reason)}"
    yield from (f"  - evidence: {plain(item)}" for item in entry.evidence)
    yield from (f"  - {change_line(change)}" for change in entry.changes)
    yield from (f"  - left: {plain(loss)}" for loss in entry.losses)
    if entry.left_out:
        yield LEFT_OUT_LINE
    if entry.op:
        yield _op_line(entry.op)


def _op_line(op: str) -> str:
    return f"  - op: {plain(op)}"


def change_line(change: FileChange) -> str:
    """Return in words how many lines came and left, and under which headings."""
    under = f", under {', '.join(map(plain, change.sections))}" if change.sections else ""
    if not change.came and not change.left:
        return f"{change.path}: lines moved"
    return f"{change.path}: +{len(change.came)} -{len(change.left)} lines{under}"


def plain(text: str) -> str:
    """Return foreign text as one line of Markdown in which no tag and no comment begins."""
    return _MARKUP.sub("&lt;", folded(text))


def owned_ops(changes: Iterable[LoggedChange], did: Callable[[LoggedChange], Hashable]) -> dict[str, str]:
    """Return commit → op, for every commit that tells of the change which has the op.

    That is the first one by its committer's date (one that is as it was made before one that was rebased), and
    those that say and did the same under the same author's name and date, as a rebase or a pick leaves them.
    All other commits with that op are outside of clawgit.
    """
    groups: dict[str, list[LoggedChange]] = {}
    for change in changes:
        if change.op is not None:
            groups.setdefault(change.op, []).append(change)
    owned: dict[str, str] = {}
    for op, group in groups.items():
        owner, *others = sorted(group, key=lambda change: (not change.is_original, change.committed_at))
        same = [each for each in others if _is_told_again(each, owner) and did(each) == did(owner)]
        owned |= dict.fromkeys((each.commit_id for each in (owner, *same)), op)
    return owned


def _is_told_again(change: LoggedChange, owner: LoggedChange) -> bool:
    return (change.author, change.at, change.trailers) == (owner.author, owner.at, owner.trailers)
