"""The derived views: rendered from the history, never over another author's text, never committed.

CHANGELOG.md: each change of the soul. COMPACTION_LOG.md: what the memory-compactor did, and what left the workspace's
files and why. SOUL_HISTORY/: earlier texts of SOUL.md, byte for byte; retention thins copies, never commits.
Entries are keyed by op, so a merge, rebase or pick does not change them. views.json has the bytes that clawgit wrote,
and for which state of the history; without it, a view with other text counts as edited.
"""

from __future__ import annotations

import json
import re
import time
import unicodedata
from contextlib import suppress
from datetime import UTC, date, datetime
from hashlib import sha256
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import OPERATOR, UNKNOWN, silent_past
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.giving_way import SIGNAL
from clawgit.history.git.lock import only_holder
from clawgit.history.git.refs import PAST, QUARANTINE, pin_lost_tips
from clawgit.history.git.repository import History, refuse_odd_state
from clawgit.history.guards.finding import Finding
from clawgit.history.guards.quarantine import can_be_stored, put_into_quarantine
from clawgit.history.reading.git_log import MARKED, SOUL_FILES, file_changes, read_first_parents, read_reached
from clawgit.history.transaction.working_tree import Draft
from clawgit.plan import Plan
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.control_characters import folded
from clawgit.workspace import safe_files

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from clawgit.history.reading.git_log import FileLines, LoggedChange
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
    """The soul after a change or as a snapshot named it; no blob if there was no file."""

    at: datetime
    blob_id: str | None
    name: str


class ViewEntry(NamedTuple):
    """One change in a rendered log; ``left_out``: only a pinned earlier tip has it."""

    key: str
    at: datetime
    actor: str
    summary: str
    reason: str
    op: str | None
    evidence: tuple[str, ...]
    changes: tuple[FileLines, ...] = ()
    losses: tuple[str, ...] = ()
    left_out: bool = False


def read_changelog(history: History) -> list[ViewEntry]:
    touching = [change for change in read_reached(history, paths=SOUL_FILES) if change.files]
    return _entry_set(touching, lambda change: file_changes(history, change))


def _read_marked(history: History) -> list[LoggedChange]:
    words = ("--extended-regexp", "--regexp-ignore-case", f"--grep={MARKED}")
    return read_reached(history, *words, *silent_past(history))


def _soul_changes(history: History) -> list[SoulCopy]:
    """Return the soul after each change along first parents, oldest first, by author date."""
    changes = read_first_parents(history, SOUL)
    return [SoulCopy(change.moment, step.new, change.subject) for change in changes for step in change.files]


def _snapshots(history: History, marked: Sequence[LoggedChange]) -> list[SoulCopy]:
    """Return the soul of each snapshot, by author date; of several with one op, the first."""
    snapshots: dict[str, tuple[datetime, str, SoulCopy]] = {}
    ops = _owned_ops(marked, lambda _: None)
    for change in marked:
        name, key = change.snapshot, ops.get(change.commit_id) or _outside_key(change)
        if name is not None and key not in snapshots:
            entry = history.tree_of(change.commit_id).entry(SOUL)
            blob_id = entry.object_id if entry and not entry.is_folder else None
            snapshots[key] = (change.moment, key, SoulCopy(change.moment, blob_id, name))
    return [copy for _, _, copy in sorted(snapshots.values(), key=lambda item: item[:2])]


def _entry_set(
    changes: Sequence[LoggedChange], read: Callable[[LoggedChange], tuple[FileLines, ...]] | None
) -> list[ViewEntry]:
    """Return the entries, newest first; of several with one op, the first.

    ``read`` returns the lines that a commit changed, if its own words are not enough; one without changes is left out.
    """
    ops = _owned_ops(changes, read or (lambda _: None))
    entries: dict[str, ViewEntry] = {}
    keys = set()
    for change in changes:
        op = ops.get(change.commit_id)
        changed = read(change) if op is None and read is not None else ()
        if op is None and read is not None and not changed:
            continue
        key = op or _outside_key(change, changed)
        # a copied op proves no author
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
        if not change.left_out:
            keys.add(key)
    marked = (entry._replace(left_out=entry.key not in keys) for entry in entries.values())
    return sorted(marked, key=lambda entry: (entry.at, entry.key), reverse=True)


def _outside_key(logged: LoggedChange, changes: Iterable[FileLines] = ()) -> str:
    """Return a key for a commit of git's own that survives a rebase: author date, subject, changed text."""
    losses = (loss.encode("utf-8", "replace") for loss in logged.trailers.all(LOSS))
    head = (logged.moment.isoformat().encode(), logged.subject.encode("utf-8", "surrogatepass"))
    parts = (*head, *(change.said for change in changes), *losses)
    return "outside-" + sha256(b"\0".join(parts)).hexdigest()[:20]


def local(at: datetime, settings: Settings) -> datetime:
    """Return ``at`` in the workspace's zone; without one, as the commit's author wrote it."""
    if settings.timezone:
        return at.astimezone(settings.time_zone)
    return at


def render_log(name: str, entries: Iterable[ViewEntry], settings: Settings) -> bytes:
    """Return CHANGELOG.md or COMPACTION_LOG.md as Markdown, with a heading for each day."""
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
    if entry.op and entry.summary.startswith(FORGOTTEN):  # its words are what was to be forgotten
        files = dict.fromkeys(plain(loss.partition(": ")[0]) for loss in entry.losses)
        yield f"- {clock} **{entry.actor}**: {FORGOTTEN}{', '.join(files)}"
        yield f"  - op: {plain(entry.op)}"
        return
    yield f"- {clock} **{entry.actor}**{outside}: {plain(entry.summary)}"
    if entry.reason:
        yield f"  - why: {plain(entry.reason)}"
    yield from (f"  - evidence: {plain(item)}" for item in entry.evidence)
    for change in entry.changes:
        if change.came or change.left:
            yield f"  - {change.path}: +{len(change.came)} -{len(change.left)} lines"
        else:
            yield f"  - {change.path}: lines moved"
    yield from (f"  - left: {plain(loss)}" for loss in entry.losses)
    if entry.left_out:
        yield "  - left out of this branch when its history was rewritten"
    if entry.op:
        yield f"  - op: {plain(entry.op)}"


def plain(text: str) -> str:
    """Return foreign text as one line of Markdown, in which no tag or comment can begin."""
    return _MARKUP.sub("&lt;", folded(text))


def _owned_ops(changes: Iterable[LoggedChange], did: Callable[[LoggedChange], Hashable]) -> dict[str, str]:
    """Return commit → op for the first commit that has the op, and for its copies by a rebase or a pick."""
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
    """Return day → the soul at its end, for days that changed it and did not delete it."""
    copies: dict[date, SoulCopy] = {}
    for change in changes:
        copies[local(change.at, history.settings).date()] = change
    return {day: copy for day, copy in sorted(copies.items()) if copy.blob_id is not None}


def retained(days: Iterable[date], today: date, keep_days: int) -> set[date]:
    """Return the days to keep copies of: the last ``keep_days`` before ``today``, and the last of each earlier month."""
    days = set(days)
    oldest = date.fromordinal(max(1, today.toordinal() - keep_days))
    months = {(day.year, day.month): day for day in sorted(days) if day < oldest}
    return {day for day in days if day >= oldest} | set(months.values())


def all_copies(history: History) -> dict[str, SoulCopy]:
    """Return file name → copy for each change of the soul (by its minute) and each snapshot."""
    changes = named(history, _soul_changes(history), "%Y-%m-%dT%H%M")
    return changes | named(history, _snapshots(history, _read_marked(history)))


def named(history: History, copies: Iterable[SoulCopy], form: str = "%Y-%m-%d") -> dict[str, SoulCopy]:
    """Return file name → copy: date (in ``form``) and slug; the second with a name gets -2."""
    copies_by_name: dict[str, SoulCopy] = {}
    for copy in copies:
        if copy.blob_id is not None:
            stem = f"{local(copy.at, history.settings).strftime(form)}-{slug(copy.name)}"
            number = 1
            while (name := f"{stem}-{number}.md" if number > 1 else f"{stem}.md") in copies_by_name:
                number += 1
            copies_by_name[name] = copy
    return copies_by_name


def slug(text: str) -> str:
    """Return ``text`` for a file name: letters and digits of any script, joined by `-`."""
    words = re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", text).lower()).strip("-")
    return words[:_SLUG_LENGTH].strip("-") or "unnamed"


def text_of(history: History, copy: SoulCopy) -> bytes:
    if copy.blob_id is None:
        return b""
    return history.objects.blob(copy.blob_id)


FORGOTTEN = "forget: "  # begins the subject of a change that took out what was to be forgotten
LOOKED_AT = 64  # commits; with more, all is rendered
WAIT_SECONDS = 10.0  # after the latest hook, for a rebase or another writer to end
LOOK_SECONDS = 0.2
_MARKED = lazy_pattern(MARKED, re.IGNORECASE)
RULE = "derived-file"
VIEWS = "views"  # the record's name
MAX_VIEW_BYTES = 64 * 1024 * 1024


def render(history: History, now: datetime) -> dict[str, bytes]:
    """Return path → bytes of the views for ``now``'s day, without writing them."""
    settings = history.settings
    marked = _read_marked(history)
    losing = [each for each in marked if each.actor == COMPACTOR or each.trailers.all(LOSS)]
    days = daily(history, _soul_changes(history))
    stay = retained(days, local(now, settings).date(), settings.soul_history_retention_days)
    copies = {f"{day}.md": days[day] for day in stay} | named(history, _snapshots(history, marked))
    return {
        CHANGELOG: render_log(CHANGELOG, read_changelog(history), settings),
        COMPACTION_LOG: render_log(COMPACTION_LOG, _entry_set(losing, None), settings),
        **{SOUL_HISTORY + name: text_of(history, copy) for name, copy in sorted(copies.items())},
    }


def write_views(history: History, now: datetime) -> tuple[Finding, ...]:
    """Write the views that differ; a link, a special file and a tracked file stay. Callers hold the workspace lock."""
    basis = _basis(history, now)  # first, so that a commit that git makes meanwhile is rendered later
    files = render(history, now)
    before = read_state(history).written
    written = {path: [digest(data)] for path, data in files.items()}
    ours = {path: [*before.get(path, ()), *written.get(path, ())] for path in sorted({**before, **written})}
    # from here on a killed process leaves nothing that looks edited
    write_state(history, ViewState(None, ours))
    findings = _put_views(history, files, ours, now)
    write_state(history, ViewState(basis, written))
    return findings


def refresh_views(history: History, now: datetime, *, look: bool = False) -> tuple[Finding, ...]:
    """Renew the views after a change, with ``look`` after an edit, too; never fails, returns errors. Callers hold the lock."""
    try:
        state = read_state(history)
        basis = _basis(history, now)
        if not _reads_the_same(history, state.basis, basis) or (look and _is_edited(history, state)):
            return write_views(history, now)
        if basis != state.basis:
            write_state(history, state._replace(basis=basis))
    except (ClawgitError, pygit2.GitError, OSError) as error:
        return (_not_written(error),)
    return ()


def renew_views(history: History, now: datetime) -> tuple[Finding, ...]:
    """Write the views in any case, as `changelog` does; takes the workspace lock, and never fails."""
    try:
        with history.locked():
            pin_lost_tips(history)
            return write_views(history, now)
    except (ClawgitError, pygit2.GitError, OSError) as error:
        return (_not_written(error),)


def renew_until_current(opened: Callable[[], History]) -> None:
    """Renew the views after git's own commit until they show the tip; ``opened`` opens the repository for each look.

    One process does this at a time, and others leave it the work. An edited view is left to the next command.
    """
    is_mine = True
    while is_mine:
        history = opened()
        state = read_state(history)
        is_current = state.basis is not None and state.basis.tip == history.tip().commit_id
        if is_current or not state.written:  # a working tree without views needs no renewal
            return
        with only_holder(views_lock(history)) as handle:
            is_mine = handle is not None and _are_renewed(opened, history.state / SIGNAL)


def views_lock(history: History) -> Path:
    return history.own_record(VIEWS).with_suffix(".renewing")


def _basis(history: History, now: datetime) -> Basis:
    settings = history.settings
    shown = (settings.timezone, str(settings.soul_history_retention_days))
    day = local(now, settings).date().isoformat()
    return Basis(history.tip().commit_id, tuple(history.refs(PAST)), shown, day)


def _reads_the_same(history: History, before: Basis | None, basis: Basis) -> bool:
    """Say whether two bases certainly give the same views: no commit in between is shown."""
    if before is None or before._replace(tip=basis.tip) != basis:
        return False
    for count, commit in enumerate(history.objects.first_parents(basis.tip)):
        if commit.commit_id == before.tip:
            return True
        if count == LOOKED_AT or len(commit.parent_ids) != 1 or _MARKED.search(commit.message):
            return False
        parent, tree = history.around(commit)
        if any(tree.entry(path) != parent.entry(path) for path in SOUL_FILES):
            return False
    return before.tip == basis.tip


def _is_edited(history: History, state: ViewState) -> bool:
    """Say whether a view was edited or deleted; one that git tracks is not a view."""
    tree = history.tip().tree
    with suppress(ClawgitError):  # a link in a view's place was reported when the views were last written
        for path, digests in state.written.items():
            if tree.entry(path) is None:
                present = safe_files.read_file(history.root, path, at_most=MAX_VIEW_BYTES)
                if present is None or digest(present.data) not in digests:
                    return True
    return False


def _not_written(error: Exception) -> Finding:
    message = error.message if isinstance(error, ClawgitError) else str(error)
    sentence = f"The rendered files are not up to date: {message}"
    return Finding(RULE, CHANGELOG, sentence, "`clawgit changelog` tries again.")


def _are_renewed(opened: Callable[[], History], signal: Path) -> bool:
    """Renew the views when no other writer is at work; False if they are edited, or if it fails for too long.

    A look in the midst of git's own work can fail, and the process that git started at its end has left it to this one.
    """
    while True:
        with suppress(ClawgitError, pygit2.GitError, OSError):
            history = opened()
            refuse_odd_state(history)
            with history.locked(wait_seconds=0):
                if _is_edited(history, read_state(history)):
                    return False
                pin_lost_tips(history)
                if not refresh_views(history, datetime.now(UTC)):
                    return True
        # a rebase runs a hook for each commit, and one at its end
        if abs(time.time() - signal.stat().st_mtime) >= WAIT_SECONDS:
            return False
        time.sleep(LOOK_SECONDS)


class Basis(NamedTuple):
    """The input of a rendering."""

    tip: str | None
    past: tuple[str, ...]
    settings: tuple[str, ...]
    day: str


class ViewState(NamedTuple):
    """The basis (None during a write) and path → digests of the bytes that clawgit wrote."""

    basis: Basis | None = None
    written: Mapping[str, list[str]] = {}


def read_state(history: History) -> ViewState:
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
        data = json.loads(history.own_record(VIEWS).read_text("utf-8"))
        basis = None
        if data.get("basis") is not None:
            tip, past, settings, day = data["basis"]
            basis = Basis(tip, tuple(past), tuple(settings), day)
        return ViewState(basis, {str(path): list(digests) for path, digests in data["written"].items()})
    return ViewState()


def write_state(history: History, state: ViewState) -> None:
    name = history.own_record(VIEWS).name
    safe_files.rewrite_record(history.state, name, json.dumps(state._asdict()).encode())


def _put_views(
    history: History, files: Mapping[str, bytes], ours: Mapping[str, Collection[str]], now: datetime
) -> tuple[Finding, ...]:
    """Write each path of ``ours`` as in ``files``, or delete it; an edit is quarantined first."""
    tree = history.tip().tree
    findings = {}
    for folder in {path.rpartition("/")[0] for path in ours}:
        safe_files.remove_temporaries(history.root, f"{folder}/left".lstrip("/"))
    for path, digests in ours.items():
        finding = None
        if tree.entry(path) is None:
            finding = _put(history, path, files.get(path), digests, now)
        else:
            why = "is tracked by git, so it is not rendered: it would conflict in merges and reverts."
            way_out = f"`git rm --cached {quote(path)}` and a commit leave it to clawgit."
            finding = Finding(RULE, path, f"{path} {why}", way_out)
        if finding is not None:  # a link in place of a folder blocks all files below it
            findings[finding.way_out, path.partition("/")[0]] = finding
    return tuple(findings.values())


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def _put(
    history: History, path: str, content: bytes | None, digests: Collection[str], now: datetime
) -> Finding | None:
    finding = None
    try:
        present = safe_files.read_file(history.root, path, at_most=MAX_VIEW_BYTES, settled=True)
        if safe_files.data_of(present) == content:
            return None
        if present is not None and digest(present.data) not in digests:
            draft = Draft(history.tip().tree, {path: present})
            if not can_be_stored(draft):
                why = "had been edited and holds a secret, so it is neither kept nor rendered again."
                way_out = "Take out what should stay, then delete the file: `clawgit changelog` renders it."
                return Finding(RULE, path, f"{path} {why}", way_out)
            sentence = f"{path} had been edited, but it is rendered from the history; the edit is kept in quarantine."
            finding = Finding(RULE, path, sentence, "Put what should stay into a file of your own.")
            intent = Intent(new_op("view"), UNKNOWN, now)
            quarantine_id = put_into_quarantine(history, history.tip(), draft, [finding], intent, Plan(""))
            shows = f"`git show {QUARANTINE}{quarantine_id}:{path}` shows it."
            finding = finding._replace(way_out=f"{shows} {finding.way_out}")
        if content is None:
            safe_files.remove_file(history.root, path, fsync=False)
        else:
            safe_files.write_file(history.root, path, safe_files.FileContent(content), fsync=False)
    except (safe_files.UnsafePathError, safe_files.FileTooLargeError) as error:
        way_out = "Move it away, then `clawgit changelog` renders what is missing."
        return Finding(RULE, path, error.message, way_out)
    return finding
