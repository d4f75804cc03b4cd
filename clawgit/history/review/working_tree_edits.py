"""Edits in the working tree that are not in git, found by content, never by date."""

from __future__ import annotations

from functools import partial
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.authorship.actors import UNKNOWN
from clawgit.history.authorship.intent import Intent, ritual_is_open
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.objects import TreeEntry
from clawgit.history.git.repository import History, RepositoryStateError, Tip
from clawgit.history.git.trees import EXECUTABLE, FILE
from clawgit.history.guards.check import check, check_cut
from clawgit.history.guards.finding import Finding, Severity, told
from clawgit.history.transaction.staging import StagedConflictsError, refuse_unusual
from clawgit.history.transaction.working_tree import Draft, SettledFiles, entry_of, folders_above
from clawgit.memory.entries.tiers import is_identity, is_standing
from clawgit.text.safety.secrets import redact_path
from clawgit.workspace.layout import MANIFEST
from clawgit.workspace.safe_files import (
    TEMPORARY_PREFIX,
    FileContent,
    FileInUseError,
    FileTooLargeError,
    UnsafePathError,
    read_file,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime


IN_USE = "file-in-use"


class WorkEdit(NamedTuple):
    """One file that differs from the tip; ``content`` is None if it was deleted."""

    path: str
    content: FileContent | None


class WorkEdits(NamedTuple):
    """The edits that can be kept, what blocks the others, and what is staged (see `all_edits`)."""

    edits: tuple[WorkEdit, ...]
    problems: tuple[Finding, ...]
    staged: tuple[str, ...] = ()


def edits_of(
    history: History, tip: Tip, paths: Iterable[str], settled: SettledFiles | None = None
) -> WorkEdits:
    """Return how ``paths`` differ from the tip; to commit them, give ``settled``, which waits for their writers."""
    edits: list[WorkEdit] = []
    problems: list[Finding] = []
    for path in paths:
        entry = tip.tree.entry(path)
        if entry is not None and entry.mode not in (FILE, EXECUTABLE):
            continue
        try:
            if settled is None:
                content = read_file(history.root, path, at_most=history.settings.max_file_bytes)
            else:
                content = settled.read(path, tip.tree)
        except (FileInUseError, FileTooLargeError, UnsafePathError) as error:
            problems.append(_problem(path, error))
            continue
        if entry_of(content) != entry:
            edits.append(WorkEdit(path, content))
    # A folder in a file's place: its files wait too.
    barred = {problem.where for problem in problems}
    free = (edit for edit in edits if barred.isdisjoint(folders_above(edit.path)))
    return WorkEdits(tuple(free), tuple(problems))


def refuse_in_use(edits: WorkEdits) -> None:
    for problem in edits.problems:
        if problem.rule == IN_USE:
            raise FileInUseError(problem.where)


def _problem(path: str, error: FileInUseError | FileTooLargeError | UnsafePathError) -> Finding:
    rule = "unsafe-path"
    way_out = error.hint or "It is not committed. Put a plain file in its place, or list it in .gitignore."
    if isinstance(error, FileInUseError):
        rule, way_out = IN_USE, "`clawgit keep` again when it is done."
    elif isinstance(error, FileTooLargeError):
        rule = "file-size"
        way_out = "It is not committed. Move it out of the workspace, list it in .gitignore, or raise max_file_bytes."
    return Finding(rule, redact_path(path), error.message.replace(path, told(path)), way_out, place=path)


def all_edits(
    history: History, tip: Tip, settled: SettledFiles | None = None, *, staged_too: bool = False
) -> WorkEdits:
    """Return how the working tree differs from the tip, without ignored files.

    A file with staged changes is not an edit, unless ``staged_too``: its author is about to commit it, and the rest of its
    edits with it or later. ``staged`` names these files.
    """
    tip.tree.check_folders()  # before libgit2 reads them
    in_folder, in_staging = _flags()
    flags_wanted = in_folder | in_staging if staged_too else in_folder
    paths: set[str] = set()
    staged: list[str] = []
    for path, flags in sorted(_status(history).items()):
        name = path.rstrip("/").rpartition("/")[2]
        if flags & in_staging:
            staged.append(path)
            if not staged_too:
                continue
        if flags & flags_wanted and not name.startswith(TEMPORARY_PREFIX):
            paths.add(path.rstrip("/"))
    return edits_of(history, tip, sorted(paths), settled)._replace(staged=tuple(staged))


def staged_paths(history: History) -> tuple[str, ...]:
    _, in_staging = _flags()
    return tuple(sorted(path for path, flags in _status(history).items() if flags & in_staging))


def staged_entries(history: History, paths: Iterable[str]) -> dict[str, TreeEntry | None]:
    entries: dict[str, TreeEntry | None] = dict.fromkeys(paths)
    if not entries:
        return {}
    index = history.repo.index
    index.read()
    for path in entries:
        if path in index:
            entries[path] = TreeEntry(str(index[path].id), int(index[path].mode))
    return entries


def ignored_memories(history: History) -> list[str]:
    names = {entry.path for entry in MANIFEST if entry.kind not in ("derived", "ignore")}
    notes = (history.root / "memory").rglob("*.md")
    names.update(path.relative_to(history.root).as_posix() for path in notes)
    tree = history.tip().tree
    ignored = []
    for name in sorted(names):
        is_new = (history.root / name).is_file() and tree.entry(name) is None
        if is_new and history.repo.path_is_ignored(name):
            ignored.append(name)
    return ignored


def _flags() -> tuple[int, int]:
    flag = pygit2.enums.FileStatus
    in_folder = flag.WT_NEW | flag.WT_MODIFIED | flag.WT_DELETED | flag.WT_TYPECHANGE | flag.WT_UNREADABLE
    in_staging = flag.INDEX_NEW | flag.INDEX_MODIFIED | flag.INDEX_DELETED | flag.INDEX_TYPECHANGE
    return in_folder, in_staging


def _status(history: History) -> dict[str, int]:
    try:
        return history.repo.status(untracked_files="all", ignored=False)
    except pygit2.GitError as error:
        refuse_unusual(history)
        sentence = f"git's staging cannot be read: {str(error).rstrip('.')}."
        raise RepositoryStateError(sentence, hint="`clawgit doctor --fix` rebuilds a damaged one.") from error


_HOLDS = (Severity.REFUSE, Severity.HOLD, Severity.PROPOSE)


class JudgedEdits(NamedTuple):
    """The edits that go on, findings that hold back the others, repairs for later, remarks, and proposals made of edits."""

    edits: tuple[WorkEdit, ...]
    held: tuple[Finding, ...] = ()
    to_mend: tuple[Finding, ...] = ()
    remarks: tuple[Finding, ...] = ()
    proposals: tuple[str, ...] = ()


def hold_back(history: History, tip: Tip, edits: Iterable[WorkEdit], intent: Intent) -> JudgedEdits:
    """Split the edits; those that go on were checked together, as one step without the others."""
    left = tuple(edits)
    problems = tuple[Finding, ...]()
    while True:
        findings = check(tip.tree, Draft(tip.tree, dict(left)), intent, history.settings)
        holding = tuple(finding for finding in findings if finding.severity in _HOLDS and finding.path)
        if not holding:
            break
        problems += holding
        stopped = {finding.where for finding in holding}
        left = tuple(edit for edit in left if edit.path not in stopped)
    to_mend = tuple(finding for finding in findings if finding.severity is Severity.MEND)
    remarks = tuple(finding for finding in findings if finding.severity is Severity.REMARK)
    return JudgedEdits(left, problems, to_mend, remarks)


class OpenEdits(NamedTuple):
    """The edits, what is staged and held back, and the files that edits cut short, checked as an unknown author's."""

    edits: tuple[str, ...] = ()
    staged: tuple[str, ...] = ()
    held: tuple[Finding, ...] = ()
    losses: tuple[Finding, ...] = ()


def _with_drop(tip: Tip, finding: Finding) -> Finding:
    """Return a finding about an edit of the soul or of standing orders with what takes it out of the folder, too."""
    if not (is_identity(finding.where) or is_standing(finding.where)):
        return finding
    verb = "git restore"
    if tip.tree.entry(finding.where) is None:
        verb = "rm"
    drop = f"The folder has it, so your agent reads it now: `{verb} {quote(finding.where)}` drops it."
    return finding._replace(way_out=f"{finding.way_out} {drop}")


KEEPING, UNSTAGING = "clawgit keep", "git reset"  # neither changes a file of the folder
AFTER_LOSS = {
    KEEPING: "commits what is there and asks whether the rest comes back.",
    UNSTAGING: "takes that out of what your next `git commit` commits; the folder stays as it is.",
}


def read_open_edits(history: History, tip: Tip, now: datetime) -> OpenEdits:
    """Return how the folder differs from the tip; a StagedConflictsError if the staging holds both sides of a merge."""
    edits = all_edits(history, tip)
    if history.repo.index.conflicts is not None:
        raise StagedConflictsError
    intent = Intent("status", UNKNOWN, now, soul_is_open=ritual_is_open(history, tip.commit_id))
    checked = hold_back(history, tip, edits.edits, intent)
    contents = dict(checked.edits)
    for path, staged in staged_entries(history, edits.staged).items():  # checked by their staged text
        if path.endswith(".md") and tip.tree.entry(path) is not None:
            contents[path] = None
            if staged is not None and staged.mode in (FILE, EXECUTABLE):
                contents[path] = FileContent(history.objects.blob(staged.object_id))
    draft = Draft(tip.tree, contents)
    losses = []
    for finding in check_cut(tip.tree, draft, intent, history.settings):
        way_out = KEEPING
        if finding.where in edits.staged:
            way_out = UNSTAGING
        losses.append(finding._replace(way_out=way_out))
    return OpenEdits(
        tuple(map(redact_path, dict(edits.edits))),
        tuple(map(redact_path, edits.staged)),
        (*edits.problems, *map(partial(_with_drop, tip), checked.held)),
        tuple(losses),
    )
