"""The transaction under each change, from the finished commit to its acknowledgement.

After a crash, an interrupted change is finished, or dropped with its commit kept aside.
"""

from __future__ import annotations

import random
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import (
    HOST,
    OPERATOR,
    UNKNOWN,
    author_of,
    connected_hosts,
    person_here,
    vouched_word,
)
from clawgit.history.authorship.commit_messages import KEEP_OP, check_message, message_of, note_own
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git import refs
from clawgit.history.git.leftovers import Staging, remove_old_leftovers
from clawgit.history.git.lock import POLL_SECONDS, WorkspaceBusyError, left_autostash, pruning_process
from clawgit.history.git.objects import Commit, DamagedObjectError
from clawgit.history.git.refs import delete_ref, intent_ref, move_branch, remember_tip, set_ref
from clawgit.history.git.repository import History, RepositoryStateError, Tip, refuse_odd_state
from clawgit.history.transaction import pack_writing
from clawgit.history.transaction.staging import (
    HeldStaging,
    follow,
    hold_staging,
    is_damaged,
    refuse_conflicts,
)
from clawgit.history.transaction.working_tree import Draft, FileMove, SettledFiles, moves, put_files, readable
from clawgit.workspace.safe_files import FileInUseError, remove_temporaries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.transaction.pack_writing import StoredObjects
    from clawgit.plan import Plan


TRIES = 20
_NEXT_SETTLES = "The next command that writes settles it."
Done = TypeVar("Done")


class HistoryMovedError(ClawgitError):
    """Another writer committed meanwhile; the files are unchanged and the change can be repeated."""


class UnsettledError(ClawgitError):
    """The change could neither be made nor reverted, since the disk failed; the next writer settles it."""


class Change(NamedTuple):
    """A draft with the content of its commit."""

    draft: Draft
    plan: Plan
    intent: Intent

    @property
    def keeps(self) -> bool:
        """Say whether the files are as in the draft already, since another author wrote them."""
        return self.intent.op.startswith(KEEP_OP)


def record_change(history: History, tip: Tip, change: Change) -> str:
    """Make ``change`` on ``tip`` and return its commit id; callers hold the workspace lock.

    Raises:
        HistoryMovedError: The branch or a file moved; nothing of the change is left.
        RepositoryStateError: A rebase or the like has begun; nothing of the change is left.
        UnsettledError: The disk failed in the middle and went on failing, or did so in the change before.
        OSError, GitError: The disk is full or failing; nothing of the change is left.
    """
    if history.target(intent_ref(tip.branch)) is not None:
        sentence = "The change before this one is not settled, so this one was not begun."
        raise UnsettledError(sentence, hint=_NEXT_SETTLES)
    commit_id, stored = _unreferenced(history, tip, change)
    try:
        _carry_out(history, tip, commit_id, stored, change)
    finally:
        stored.let_go()
    pack_writing.join_packs_if_time(history)
    return commit_id


def _unreferenced(history: History, tip: Tip, change: Change) -> tuple[str, StoredObjects]:
    objects = pack_writing.NewObjects(history.folder / "objects", fsync=history.settings.fsync)
    tree_id = change.draft.store(objects)
    word = ""
    if connected_hosts(history) or "Clawgit-Connected" in dict(change.plan.trailers):
        word = vouched_word(tip.commit_id, tree_id)
    not_before = 0 if tip.commit_id is None else history.objects.commit(tip.commit_id).git_date
    person = ""
    actor = change.intent.actor
    if actor in (HOST, UNKNOWN) or (actor != OPERATOR and change.plan.cites_message):
        person = person_here(history)
    message, trailers = message_of(
        change.plan, change.intent, not_before=not_before, word=word, person=person
    )
    who = author_of(history, change.intent.actor).signature(change.intent.now, not_before=not_before)
    parents: Sequence[str] = [] if tip.commit_id is None else [tip.commit_id]
    made = pack_writing.commit_bytes(tree_id, parents, who, message)
    if change.intent.sign is not None:
        made = pack_writing.with_signature(made, change.intent.sign(made))
    commit_id = objects.write(pack_writing.COMMIT, made)
    stored = objects.store()
    try:
        check_message(history.repo, commit_id, trailers)
    except BaseException:
        stored.let_go()
        raise
    return commit_id, stored


def _carry_out(history: History, tip: Tip, commit_id: str, stored: StoredObjects, change: Change) -> None:
    intent = intent_ref(tip.branch)
    new = change.draft
    paths = new.changed_paths()
    begun: list[str] = []
    try:
        set_ref(history, intent, commit_id)
        _refuse_pruned(stored)
        staging = hold_staging(history)
    except BaseException:
        with _taking_back():
            delete_ref(history, intent)
        raise
    try:
        _refuse_moved(history, tip)
        staging.fill(tip.tree, new, paths)
        if not change.keeps:
            put_files(history, moves(paths, known_trees=[tip.tree], target=new), begun=begun)
        _refuse_moved(history, tip)
        _move(history, tip, commit_id)
    except BaseException as error:
        with _taking_back():
            if (
                history.target(tip.branch) != commit_id
            ):  # else interrupted right behind the move: recovery finishes it
                put_files(history, moves(begun, known_trees=[new], target=tip.tree))
                staging.release()
                delete_ref(history, intent)
        if isinstance(error, FileInUseError):
            raise HistoryMovedError(error.message, hint=error.hint) from error
        raise
    history.made.append(commit_id)
    _outlive_gc(history, tip, commit_id, stored, change)
    with suppress(OSError):  # the change is made; if HEAD is unreadable, recovery does the rest
        is_checked_out = False
        with suppress(RepositoryStateError):
            is_checked_out = history.branch() == tip.branch
        if is_checked_out:
            _finish(history, staging, tip, commit_id)
        else:
            _leave(history, staging, (tip, commit_id), moves(begun, known_trees=[new], target=tip.tree))


@contextmanager
def _taking_back() -> Iterator[None]:
    """Raise UnsettledError if the reversal fails too; the intent stays, and recovery continues from it."""
    try:
        yield
    except (OSError, pygit2.GitError, ClawgitError) as error:
        sentence = f"The change was interrupted, and taking it back failed too ({str(error).rstrip('.')})."
        raise UnsettledError(sentence, hint=_NEXT_SETTLES) from error


def _refuse_moved(history: History, tip: Tip) -> None:
    """Check again under git's lock: its last holder may have begun a rebase, switched or committed.

    `git checkout` releases that lock before it moves HEAD, so one check is not enough. `git commit` releases it before its
    hooks run, and fails if HEAD has moved since.
    """
    refuse_odd_state(history)
    is_moved = history.branch() != tip.branch or history.target(tip.branch) != tip.commit_id
    if is_moved or history.courtesy.is_due():
        raise _moved()


def _outlive_gc(history: History, tip: Tip, commit_id: str, stored: StoredObjects, change: Change) -> None:
    """Write again what a pruning deleted that began before the branch moved, until it is over."""
    deadline = time.monotonic() + history.settings.lock_wait_seconds
    while True:
        goes_on = pruning_process(history.folder)
        is_whole = stored.are_there()
        if is_whole and not goes_on:
            return
        if not is_whole:
            with suppress(OSError, pygit2.GitError, ClawgitError):  # one failure must not end the loop
                # a view of the objects without a cache
                places = (history.root, history.folder, history.git_folder)
                again = History(*places, is_ordinary=history.is_ordinary)
                again.settings = history.settings
                _unreferenced(again, tip, change)
        if time.monotonic() > deadline:
            break
        time.sleep(POLL_SECONDS)
    if stored.are_there():
        return
    if tip.commit_id is not None:
        move_branch(history, tip.branch, commit_id, tip.commit_id)
        history.made.remove(commit_id)
    sentence = "git took away what was just written, and it could not be written again."
    raise UnsettledError(sentence, hint=_NEXT_SETTLES)


def _refuse_pruned(stored: StoredObjects) -> None:
    if not stored.are_there():
        raise HistoryMovedError("git took away what was just written.", hint="Try again.")


def _move(history: History, tip: Tip, commit_id: str) -> None:
    if not move_branch(history, tip.branch, tip.commit_id, commit_id):
        raise _moved()


def _moved() -> HistoryMovedError:
    return HistoryMovedError("Someone committed meanwhile.", hint="Try again.")


def _finish(history: History, staging: HeldStaging, tip: Tip, commit_id: str) -> None:
    """Publish the staging, note the new tip and delete the intent, which until then keeps the author known after a reset.

    The change is made once the branch has moved: recovery finishes what fails from here on. A staging that could not be
    published stays locked until then, since a commit of it would revert the change; and the intent stays, so no other
    change is made before.
    """
    with suppress(OSError, pygit2.GitError):
        staging.publish()
        try:
            _forget_intent(history, tip, commit_id)
        finally:
            staging.release()


def _leave(history: History, staging: HeldStaging, made: tuple[Tip, str], back: Iterable[FileMove]) -> None:
    """End a change if another branch was checked out meanwhile: its text does not belong into those files."""
    with suppress(OSError, pygit2.GitError, ClawgitError):
        try:
            put_files(history, back)
            _forget_intent(history, *made)
        finally:
            staging.release()


def _forget_intent(history: History, tip: Tip, commit_id: str) -> None:
    remember_tip(history, tip.branch, commit_id)
    delete_ref(history, intent_ref(tip.branch))
    note_own(history, commit_id)


def until_settled(history: History, step: Callable[[], Done]) -> Done:
    """Run ``step`` until no other writer interferes; each try starts from the new tip, once git is quiet."""
    for attempt in range(TRIES):
        history.courtesy.wait()
        try:
            return step()
        except HistoryMovedError:
            time.sleep(random.uniform(0, 0.01 * (attempt + 1)))
    raise WorkspaceBusyError("The branch kept moving, so nothing was changed.", hint="Try again.")


def recover(history: History) -> list[str]:
    """Bring the workspace to a state in which a change can be made; return what was done.

    Callers hold the workspace lock, so the writer of an intent is dead.

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
    if history.tip().commit_id is not None and is_damaged(history):
        follow(history, history.tip().tree, history.tip().tree, ())
        done.append("git's index was empty or damaged. It was rebuilt from the last commit.")
    pinned = refs.pin_lost_tips(history)
    done.extend(f"History was rewritten; what it left out is kept as {name}." for name in pinned)
    return done


def _is_pruned(history: History, name: str, commit_id: str) -> bool:
    """Say whether a `git gc --prune=now` deleted a part of the intent; its text in the files is then an unknown author's edit."""
    try:
        old, made = history.around(history.objects.commit(commit_id))
        for path in made.changed(old):
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
        title = "An interrupted change was finished"
        refs.remember_tip(history, branch, intent.commit_id)
        note_own(history, intent.commit_id)
        is_in_tip = history.objects.contains(history.tip().commit_id, intent.commit_id)
        _settle_files(history, intent, finishes=is_in_tip)
    else:
        title = "An interrupted change was dropped, since the branch went on without it"
        refs.pin(history, refs.RESCUE, intent.commit_id)
        _settle_files(history, intent, finishes=False)
    refs.delete_ref(history, name)
    return f"{title}: {intent.subject} ({intent.commit_id[:12]})."


def _settle_files(history: History, intent: Commit, *, finishes: bool) -> None:
    """Finish the intent in files and staging, or revert it there, unless the tip has the same file.

    A reverted file is restored as before the intent, not as in the tip: a later move of the branch left it alone or changed
    it. An edit on top of the intent's bytes keeps its own additions.
    """
    tip = history.tip().tree
    old, made = history.around(intent)
    paths = [path for path in made.changed(old) if readable(history, path)]
    for path in paths:
        remove_temporaries(history.root, path)
    if finishes:
        before, after = old, tip
    else:
        paths = [path for path in paths if tip.entry(path) != made.entry(path)]
        before, after = made, old
    # an intent that committed another author's edits: these files must not move, nor need their old texts be whole
    if not (intent.trailers.first("Clawgit-Op") or "").startswith(KEEP_OP):
        SettledFiles(history).wait(paths, old, made, tip)
        if finishes:
            ways = moves(paths, known_trees=[old, made], target=tip)
        else:
            ways = moves(paths, known_trees=[made], target=old, settled=[old, tip])
        put_files(history, ways)
    follow(history, before, after, paths)


def _is_elsewhere(history: History, branch: str) -> bool:
    heads = [history.folder / "HEAD", *history.folder.glob("worktrees/*/HEAD")]
    return any(
        head.read_text("utf-8", "replace").strip() == f"ref: {branch}"
        for head in heads
        if head.is_file() and head.parent != history.git_folder
    )


def pin_autostash(history: History) -> None:
    """Pin such edits: until `git rebase --quit`, the next `git gc` could delete them."""
    commit_id = left_autostash(history.git_folder)
    if commit_id and history.objects.has_commit(commit_id):
        refs.pin(history, refs.RESCUE, commit_id)
