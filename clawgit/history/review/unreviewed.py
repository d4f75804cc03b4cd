"""Others' changes to the soul that the operator has neither seen nor claimed."""

from __future__ import annotations

from contextlib import suppress
from itertools import filterfalse
from operator import methodcaller
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import HOST, OPERATOR, RUNNER, UNKNOWN, actor_in, authorship
from clawgit.history.authorship.intent import ADOPTION_OP, INIT_OP, NOTES_OP, form_is_open, ritual_is_open
from clawgit.text.trailers import REVERTS
from clawgit.workspace.safe_files import FileContent, write_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree


FORM = "IDENTITY.md"
SOUL_FILES = ("SOUL.md", FORM)
MARK = "u-"
NOTE = "unseen"
_ADOPTED = "adopted-"  # in the note: a commit of adopted files by an unknown author
_IS_ADOPTED = methodcaller("startswith", _ADOPTED)
_SHORT = 12
_FIRST = (INIT_OP, ADOPTION_OP, NOTES_OP)
CLAIMS = "Clawgit-Claims"
_SEEN = ("Clawgit-Proposal", CLAIMS, REVERTS, "Clawgit-Snapshot")


def unreviewed_id(commit_id: str) -> str:
    return MARK + commit_id[:_SHORT]


def unreviewed_commits(history: History) -> tuple[str, ...]:
    """Return the commits, oldest first, that the operator has not approved, reverted or named since."""
    return tuple(filterfalse(_IS_ADOPTED, _noted_commits(history)))


def unclaimed_commits(history: History) -> tuple[str, ...]:
    """Return the commits of an adopted folder's files by an unknown author that the operator did not claim."""
    names = filter(_IS_ADOPTED, _noted_commits(history))
    return tuple(name.removeprefix(_ADOPTED) for name in names)


def unseen_lines(history: History, path: str) -> frozenset[str]:
    """Return the lines of a file of the soul that an unknown author added and the operator has not seen."""
    lines: set[str] = set()
    for name in unreviewed_commits(history):
        commit = history.objects.commit(name)
        if actor_in(history, commit) == UNKNOWN:
            before, after = history.around(commit)
            lines |= _lines(after, path) - _lines(before, path)
    return frozenset(lines)


def _lines(tree: Tree, path: str) -> set[str]:
    text = (tree.read(path) or b"").decode("utf-8", "replace")
    return {line.strip() for line in text.splitlines()} - {""}


def _noted_commits(history: History) -> tuple[str, ...]:
    tip = history.tip().commit_id
    if tip is None:
        return ()
    words: list[str] = []
    with suppress(OSError, UnicodeDecodeError):
        words = (history.state / NOTE).read_text("ascii").split()
    noted, *commit_ids = words or [""]
    if noted == tip:
        return tuple(commit_ids)
    try:
        new = history.objects.line_from(tip, noted or None)
        if new is None:
            if noted and not history.objects.contains(tip, noted):
                noted, commit_ids = "", []  # the branch was rewritten
            new = _about_clawgit(history, tip, noted)
    except ClawgitError:
        commit_ids = []
        new = list(history.objects.first_parents(tip))
        if any(len(commit.parent_ids) > 1 for commit in new):
            raise
    listed = _listed(history, commit_ids, reversed(new))
    with suppress(OSError):
        note = "\n".join((tip, *listed)).encode()
        write_file(history.state, NOTE, FileContent(note), fsync=False)
    return tuple(listed)


def _about_clawgit(history: History, tip: str, noted: str) -> list[Commit]:
    """Return the commits since the noted one, newest first, without those that are never listed: git reads 50,000 in 0.7 s."""
    from clawgit.history.git.git_program import git_tokens  # noqa: PLC0415 - seldom: each command starts so

    unvouched = authorship(history).unvouched
    bounds = [f"^{noted}"] if noted else []
    commits = []
    for raw in git_tokens(history, "rev-list", "--topo-order", "--header", "--encoding=none", tip, *bounds):
        name = raw.partition(b"\n")[0].decode()
        if b"clawgit" in raw.lower() or name in unvouched:  # any other one is the operator's, and claims none
            commits.append(history.objects.commit(name))
    return commits


def _listed(history: History, commit_ids: list[str], new: Iterable[Commit]) -> list[str]:
    listed = list(commit_ids)
    authors = authorship(history)
    for commit in new:
        actor = authors.actor(commit)
        if actor == OPERATOR:
            if not listed or not any(key in commit.message for key in _SEEN):
                continue
            named = {word for key in _SEEN for value in commit.trailers.all(key) for word in value.split()}
            if CLAIMS in commit.message:
                from clawgit.history.authorship.rewritten import claimed_in  # noqa: PLC0415 - seldom: each command starts so

                named.update(claimed_in(history, commit))
            for name in (commit.trailers.first(REVERTS) or "").split():
                if name in listed and _is_soul_left(history, name, commit):
                    named.discard(name)
            if commit.trailers.first("Clawgit-Snapshot") is not None:  # the operator saw all of the soul
                listed = list(filter(_IS_ADOPTED, listed))
            listed = [
                name for name in listed if not named & {name.removeprefix(_ADOPTED), unreviewed_id(name)}
            ]
        elif _is_theirs(history, commit, actor):
            listed.append(commit.commit_id)
        elif actor == UNKNOWN and (commit.trailers.first("Clawgit-Op") or "").startswith(_FIRST):
            listed.append(_ADOPTED + commit.commit_id)
    return listed


def _is_soul_left(history: History, name: str, reverting: Commit) -> bool:
    """Say whether ``reverting``, an undo of other files of a commit, left what it did to the soul."""
    earlier, now = history.around(reverting)
    before, after = history.around(history.objects.commit(name))
    for path in SOUL_FILES:
        if before.entry(path) != after.entry(path) and now.entry(path) == earlier.entry(path):
            added = _lines(after, path) - _lines(before, path)
            if not added or added & _lines(now, path):
                return True
    return False


def _is_theirs(history: History, commit: Commit, actor: str) -> bool:
    """Say whether another author's commit changes the soul, apart from the adoption and the first conversation."""
    is_first = (commit.trailers.first("Clawgit-Op") or "").startswith(_FIRST)
    if not commit.parent_ids or is_first or actor not in (HOST, UNKNOWN, RUNNER):
        return False
    parent, *others = commit.parent_ids
    before, now = history.around(commit)
    sides = [before, *map(history.tree_of, others)]
    changed = [path for path in SOUL_FILES if all(now.entry(path) != side.entry(path) for side in sides)]
    if not changed or (actor == HOST and ritual_is_open(history, parent)):
        return False
    if actor != HOST or changed != [FORM] or not form_is_open(history, parent, commit.committed_at):
        return True
    from clawgit.identity.soul_policy import fills_blanks  # noqa: PLC0415 - seldom: each command starts so

    return not fills_blanks(before.read(FORM) or b"", now.read(FORM) or b"")
