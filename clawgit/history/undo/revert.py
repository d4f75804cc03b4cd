"""`soul revert` and `undo`: changes taken back while what came after them stays, in one new commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import Recorded, apply_plan, repeated
from clawgit.history.git.git_program import run_git
from clawgit.history.guards.check import check
from clawgit.history.provenance.correction_files import (
    refuse_withdrawal,
    standing_corrections,
    withdrawal_trailers,
)
from clawgit.history.provenance.fold_update import present_fold
from clawgit.history.reading.commit_batches import read_commits
from clawgit.history.review.commit_check import opened
from clawgit.history.transaction.drafts import Draft, changed_files
from clawgit.history.undo.take_back import Taken, Taking, paths_losing_words, take_back
from clawgit.memory.conflict_log import conflict_pieces
from clawgit.memory.entries.entry_marks import marks_in
from clawgit.memory.entries.tiers import CONFLICTS, is_identity, is_standing
from clawgit.memory.entry_states import NO_CLASS
from clawgit.plan import Plan
from clawgit.text.trailers import REVERTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.guards.finding import Finding
    from clawgit.text.markdown.merge_lines import Conflict


MOST_NAMED = 5
CLASS = "Clawgit-Class"


class RevertError(ClawgitError):
    """A change cannot be taken back."""


class RevertConflictError(RevertError):
    """What the change brought was changed again since; ``conflicts`` says where, and nothing was written.

    ``later`` are the corrections (`x:…`) and the commits that did so, as far as they are known.
    """

    def __init__(self, conflicts: dict[str, tuple[Conflict, ...]], later: Sequence[str] = ()) -> None:
        named = [f"{path} near line {found[0].line}" for path, found in conflicts.items()]
        more = [f"{len(named) - MOST_NAMED} more files"] if len(named) > MOST_NAMED else []
        places = ", ".join([*named[:MOST_NAMED], *more])
        lists = f"`clawgit soul log --file {next(iter(conflicts))}` lists them"
        first = " and ".join(f"`clawgit undo {each}`" for each in later[:MOST_NAMED]) or lists
        super().__init__(
            f"Later changes touch the same lines: {places}. Nothing was written.",
            hint=f"Take the later change back first ({first}), or edit the file and commit that yourself.",
        )
        self.conflicts = conflicts


def revert_changes(
    history: History, taking: Taking, reason: str, intent: Intent, preview: Taken | None = None
) -> Recorded:
    """Take back what ``taking`` names, in one change; ``preview`` is used if nothing moved since.

    Raises:
        RevertConflictError: Something was changed again since; nothing was written.
        RevertError: A merge, the first commit, a commit of another branch, or something that is no plain file.
    """
    before = repeated(history, intent)
    if before is not None:
        return before
    check_commits(history, taking.commits)

    def taken_from(tree: Tree) -> Taken:
        if preview is not None and preview.tree_id == tree.tree_id:
            taken = preview
        else:
            taken = take_back(history, tree, taking)
        _refuse(history, tree, taken, intent)
        return taken

    def plan(tree: Tree) -> Plan:
        taken = taken_from(tree)
        _opened_for(history, taken, intent, reason)
        return _plan(taking, taken, reason)

    tree = history.tip().tree
    taken = taken_from(tree)
    intent = _opened_for(history, taken, intent, reason)
    return apply_plan(history, plan, _declared(intent, tree, taking, taken))


def find_remarks(history: History, taking: Taking, taken: Taken, intent: Intent) -> tuple[Finding, ...]:
    """Return what the guards say to taking it back, before it is done."""
    tree = history.tip().tree
    intent = _declared(intent, tree, taking, taken)
    return check(tree, Draft(tree, taken.contents), intent, history.settings, plan=_plan(taking, taken, ""))


def check_commits(history: History, commits: Sequence[Commit]) -> None:
    """Refuse what is no change of its own, or not part of this branch.

    Raises:
        RevertError: Naming the first such commit.
    """
    for commit in commits:
        if len(commit.parent_ids) > 1:
            raise RevertError(
                f"{commit.commit_id[:12]} is a merge, so it is not one change.",
                hint=f"`git log {commit.commit_id[:12]}^..{commit.commit_id[:12]}` lists what it brought: "
                "take those back one by one.",
            )
        if not commit.parent_ids:
            raise RevertError(
                f"{commit.commit_id[:12]} ({commit.subject}) is where this history begins, so nothing was before it.",
                hint="Take back what came later, or remove files yourself and `clawgit keep`.",
            )
    if not commits:
        return
    names = [*(commit.commit_id for commit in commits), f"^{history.tip().commit_id}"]
    said = run_git(history, "rev-list", "--max-count=1", "--stdin", stdin="\n".join(names).encode())
    if said.stdout.strip() or said.returncode != 0:
        outside = said.stdout.decode().strip() or commits[0].commit_id
        raise RevertError(f"{outside[:12]} is not part of this branch.")


def _refuse(history: History, tree: Tree, taken: Taken, intent: Intent) -> None:
    if taken.refusals:
        raise RevertError(
            f"{taken.refusals[0]} Nothing was changed.",
            hint="Bring back a file that is gone first (`clawgit memory revive PATH`), or try `git revert COMMIT`.",
        )
    if taken.conflicts:
        later = [*_set_right(tree, taken.conflicts), *_answering(history, taken.conflicts)]
        raise RevertConflictError(taken.conflicts, later)
    refuse_withdrawal(taken.withdrawn, intent)


def _set_right(tree: Tree, conflicts: dict[str, tuple[Conflict, ...]]) -> list[str]:
    """Return the corrections of entries that stand in the way (`x:…`), the latest first."""
    lines = (line for found in conflicts.values() for conflict in found for line in conflict.ours)
    entries = marks_in(b"".join(lines))
    known = sorted(standing_corrections(tree).values(), key=lambda each: each.at, reverse=True)
    return [f"x:{each.correction_id}" for each in known if each.holds and entries.intersection(each.corrects)]


def _answering(history: History, conflicts: dict[str, tuple[Conflict, ...]]) -> list[str]:
    """Return the commits by which sections of CONFLICTS.md that stand in the way read as they do."""
    pieces = conflict_pieces(b"".join(line for found in conflicts.get(CONFLICTS, ()) for line in found.ours))
    tip = history.tip().commit_id
    if not pieces or tip is None:
        return []
    branch = {commit.commit_id for commit in read_commits(history, tip)}
    with present_fold(history) as store:
        rows = [(each, row) for each in pieces for row in store.seen(each.entry_id or "")]
    first: dict[str, str] = {}  # a later one may be an undo, and without that another answer would hold
    for piece, row in rows:
        if row.words == piece.words and row.commit_id in branch:
            first.setdefault(row.entry_id, row.commit_id[:12])
    return list(dict.fromkeys(first.values()))


def _opened_for(history: History, taken: Taken, intent: Intent, reason: str) -> Intent:
    """Return the intent, with the operator's override where a locked soul would be touched."""
    if any(is_identity(path) or is_standing(path) for path in taken.contents):
        return opened(history, intent, reason)
    return intent


def _declared(intent: Intent, tree: Tree, taking: Taking, taken: Taken) -> Intent:
    """Return the intent with a word about each file of which words go: they are what is taken back."""
    why = f"taken back: {taking.name}"
    return intent._replace(losses=dict.fromkeys(paths_losing_words(tree, taken.contents), why) or None)


def _plan(taking: Taking, taken: Taken, reason: str) -> Plan:
    edits = changed_files(taken.contents)
    names = [*(commit.commit_id for commit in taking.commits), *taking.marks]
    given = dict.fromkeys(
        said.partition(" ")[0] for commit in taking.commits for said in commit.trailers.all(CLASS)
    )
    classes = [(CLASS, f"{name} {NO_CLASS}") for name in given if not taking.of_soul]
    trailers = [(REVERTS, " ".join(names))] if (edits or classes) and names else []
    trailers += [*withdrawal_trailers(taken.withdrawn), *classes]
    return Plan(_summary(taking, taken), edits, reason, trailers=tuple(trailers), verbatim=True)


def _summary(taking: Taking, taken: Taken) -> str:
    """Return the first line; what is withdrawn comes first, since a long line is cut."""
    ids = ", ".join(f"x:{correction.correction_id}" for correction in taken.withdrawn)
    if not ids or taking.correction is not None:
        return f"{taking.verb}: {taking.name}{', withdrawn' * bool(ids)}"
    return f"{taking.verb}: {ids} withdrawn: {taking.name}"
