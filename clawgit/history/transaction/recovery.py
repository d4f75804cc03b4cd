"""After a crash: finish the change that was being made, or drop it and keep its commit aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.authorship.op_lookup import KEEP_OP, note_own
from clawgit.history.git import refs
from clawgit.history.git.leftovers import Staging, remove_old_leftovers
from clawgit.history.git.lock import left_autostash
from clawgit.history.git.objects import DamagedObjectError
from clawgit.history.git.repository import refuse_odd_state
from clawgit.history.transaction.staging import follow, is_damaged, refuse_conflicts
from clawgit.history.transaction.working_tree import SettledFiles, moves, put_files, readable
from clawgit.workspace.safe_files import remove_temporaries

if TYPE_CHECKING:
    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree


def recover(history: History) -> list[str]:
    """Bring the workspace to a state from which a change can be made; say what was done.

    Callers hold the workspace lock, so whoever left an intent is dead.

    Raises:
        RepositoryStateError: A merge, a rebase or the like is going on; nothing was changed.
        FileInUseError: Another program went on writing a file of an interrupted change, which waits.
    """
    pin_autostash(history)
    refuse_odd_state(history)
    refuse_conflicts(history)
    refs.remove_leftover_locks(history)
    remove_old_leftovers(history)
    staging = Staging.of(history)
    done = []
    intents = history.refs(refs.INTENT)
    if intents or staging.ours.exists() or staging.is_ours():
        staging.release_leftover()
    for name, commit_id in intents.items():
        if _is_elsewhere(history, refs.branch_of(name)):
            continue
        if _is_pruned(history, name, commit_id):
            refs.delete_ref(history, name)
            done.append(f"An interrupted change was dropped, since git had pruned it ({commit_id[:12]}).")
        else:
            done.append(_settle(history, name, history.objects.commit(commit_id)))
    if history.tip().commit_id is not None and is_damaged(staging):
        follow(history, history.tip().tree, history.tip().tree, ())
        done.append("git's index was empty or damaged. It was rebuilt from the last commit.")
    pinned = refs.pin_lost_tips(history)
    done.extend(f"History was rewritten; what it left out is kept as {name}." for name in pinned)
    return done


def _is_pruned(history: History, name: str, commit_id: str) -> bool:
    """Say whether a `git gc --prune=now` took a part of the intent; what of it is in the files counts as an unknown author's edit."""
    try:
        intent = history.objects.commit(commit_id)
        made = history.tree_of(commit_id)
        for path in made.changed(history.tree_of(intent.first_parent)):
            made.read(path)
    except DamagedObjectError:
        return not history.objects.contains(history.target(refs.branch_of(name)), commit_id)
    return False


def _settle(history: History, name: str, intent: Commit) -> str:
    branch = refs.branch_of(name)
    refs.remove_leftover_lock(history, branch, intent.commit_id)
    parent = intent.first_parent
    tip = history.target(branch)
    forward = tip == parent and refs.move_branch(history, branch, parent, intent.commit_id)
    if forward or history.objects.contains(history.target(branch), intent.commit_id):
        said = "An interrupted change was finished"
        refs.remember_tip(history, branch, intent.commit_id)
        note_own(history, intent.commit_id)
        if history.objects.contains(history.tip().commit_id, intent.commit_id):
            _finish(history, intent, history.tree_of(parent))
        else:
            _withdraw(history, intent)
    else:
        said = "An interrupted change was dropped, since the branch went on without it"
        refs.pin(history, refs.RESCUE, intent.commit_id)
        _withdraw(history, intent)
    refs.delete_ref(history, name)
    return f"{said}: {intent.subject} ({intent.commit_id[:12]})."


def _finish(history: History, intent: Commit, old: Tree) -> None:
    tip = history.tip()
    made = history.tree_of(intent.commit_id)
    paths = _paths(history, made, old)
    if not _only_kept(intent):
        SettledFiles(history).wait(paths, old, made, tip.tree)
        put_files(history, moves(paths, known=[old, made], target=tip.tree))
    follow(history, old, tip.tree, paths)


def _withdraw(history: History, intent: Commit) -> None:
    """Take what the intent wrote back out of files and staging, unless the tip has it all the same.

    Each file comes back as it was before: whoever moved the branch meanwhile left it so, or changed it.
    An edit on top of the intent's bytes keeps what it added.
    """
    tip = history.tip()
    made = history.tree_of(intent.commit_id)
    old = history.tree_of(intent.first_parent)
    paths = [path for path in _paths(history, made, old) if tip.tree.entry(path) != made.entry(path)]
    if not _only_kept(intent):
        SettledFiles(history).wait(paths, old, made, tip.tree)
        put_files(history, moves(paths, known=[made], target=old, settled=[old, tip.tree]))
    follow(history, made, old, paths)


def _only_kept(intent: Commit) -> bool:
    """Say whether the intent committed what somebody else had written: the files are not ours to move."""
    return (intent.trailers.first("Clawgit-Op") or "").startswith(KEEP_OP)


def _paths(history: History, made: Tree, old: Tree) -> list[str]:
    paths = [path for path in made.changed(old) if readable(history, path)]
    for path in paths:
        remove_temporaries(history.root, path)
    return paths


def _is_elsewhere(history: History, branch: str) -> bool:
    heads = [history.folder / "HEAD", *history.folder.glob("worktrees/*/HEAD")]
    return any(
        head.read_text("utf-8", "replace").strip() == f"ref: {branch}"
        for head in heads
        if head.is_file() and head.parent != history.git_folder
    )


def pin_autostash(history: History) -> None:
    """Keep such edits reachable: until `git rebase --quit`, the next `git gc` could take them away."""
    commit_id = left_autostash(history.git_folder)
    if commit_id and history.objects.has_commit(commit_id):
        refs.pin(history, refs.RESCUE, commit_id)
