"""The transaction under every change: from the finished commit to the moment it is acknowledged."""

from __future__ import annotations

import random
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import author_of, vouched_word
from clawgit.history.authorship.commit_messages import check_message, message_of
from clawgit.history.authorship.op_lookup import KEEP_OP, note_own
from clawgit.history.authorship.vouching import connected_hosts
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.lock import POLL_SECONDS, WorkspaceBusyError, pruning_process
from clawgit.history.git.refs import delete_ref, intent_ref, move_branch, remember_tip, set_ref
from clawgit.history.git.repository import History, RepositoryStateError, refuse_odd_state
from clawgit.history.transaction.pack_writing import (
    COMMIT,
    NewObjects,
    commit_bytes,
    join_packs_if_time,
    with_signature,
)
from clawgit.history.transaction.staging import HeldStaging, hold_staging
from clawgit.history.transaction.working_tree import moves, put_files
from clawgit.workspace.safe_files import FileInUseError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import Tip
    from clawgit.history.transaction.drafts import Draft
    from clawgit.history.transaction.pack_writing import StoredObjects
    from clawgit.history.transaction.working_tree import Move
    from clawgit.plan import Plan

TRIES = 20
_NEXT_SETTLES = "The next command that writes settles it."
Done = TypeVar("Done")


class HistoryMovedError(ClawgitError):
    """Somebody else committed meanwhile; the files are as before and the change can be made again."""


class UnsettledError(ClawgitError):
    """The disk failed both ways: neither made nor taken back; the next writer settles it."""


class Change(NamedTuple):
    """A draft with everything that its commit will say."""

    draft: Draft
    plan: Plan
    intent: Intent

    @property
    def keeps(self) -> bool:
        """Say whether the files already read so, since somebody else wrote them."""
        return self.intent.op.startswith(KEEP_OP)


def record_change(history: History, tip: Tip, change: Change) -> str:
    """Make ``change`` on ``tip`` and return its commit id; callers hold the workspace lock.

    Raises:
        HistoryMovedError: The branch or a file moved; nothing of the change is left.
        RepositoryStateError: Somebody began a rebase or the like; nothing of the change is left.
        UnsettledError: The disk failed in the midst of it and went on failing, or did so in the change before.
        OSError, GitError: The disk is full or failing; nothing of the change is left.
    """
    if history.target(intent_ref(tip.branch)) is not None:
        raise UnsettledError(
            "The change before this one is not settled, so this one was not begun.", hint=_NEXT_SETTLES
        )
    made = _unreferenced(history, tip, change)
    try:
        _carry_out(history, tip, made, change)
    finally:
        made.stored.let_go()
    join_packs_if_time(history)
    return made.commit_id


class _Made(NamedTuple):
    """A commit that nothing names yet, and the objects that it needs."""

    commit_id: str
    stored: StoredObjects


def _unreferenced(history: History, tip: Tip, change: Change) -> _Made:
    objects = NewObjects(history.folder / "objects", history.objects, fsync=history.settings.fsync)
    tree_id = change.draft.store(objects)
    word = ""
    if connected_hosts(history) or any(key == "Clawgit-Connected" for key, _ in change.plan.trailers):
        word = vouched_word(tip.commit_id, tree_id)
    not_before = 0 if tip.commit_id is None else history.objects.commit(tip.commit_id).git_date
    message, trailers = message_of(change.plan, change.intent, not_before=not_before, word=word)
    who = author_of(history, change.intent.actor).signature(change.intent.now, not_before=not_before)
    parents: Sequence[str] = [] if tip.commit_id is None else [tip.commit_id]
    made = commit_bytes(tree_id, parents, who, message)
    sign = change.intent.sign
    commit_id = objects.write(COMMIT, made if sign is None else with_signature(made, sign(made)))
    stored = objects.store()
    try:
        check_message(history.repo, commit_id, trailers)
    except BaseException:
        stored.let_go()
        raise
    return _Made(commit_id, stored)


def _carry_out(history: History, tip: Tip, made: _Made, change: Change) -> None:
    commit_id, intent = made.commit_id, intent_ref(tip.branch)
    paths = change.draft.changed_paths()
    begun: list[str] = []
    try:
        set_ref(history, intent, commit_id)
        _refuse_pruned(made)
        new = history.tree_of(commit_id)
        staging = hold_staging(history)
    except BaseException:
        with _taking_back():
            delete_ref(history, intent)
        raise
    try:
        _refuse_moved(history, tip)
        staging.fill(tip.tree, new, paths)
        if not change.keeps:
            put_files(history, moves(paths, known=[tip.tree], target=new), begun=begun)
        _refuse_moved(history, tip)
        _move(history, tip, commit_id)
    except BaseException as error:
        with _taking_back():
            put_files(history, moves(begun, known=[new], target=tip.tree))
            staging.release()
            delete_ref(history, intent)
        if isinstance(error, FileInUseError):
            raise HistoryMovedError(error.message, hint=error.hint) from error
        raise
    history.made.append(commit_id)
    _outlive_pruning(history, tip, made, change)
    with suppress(OSError):  # the change is made; where HEAD cannot be read, recovery does the rest
        is_checked_out = False
        with suppress(RepositoryStateError):
            is_checked_out = history.branch() == tip.branch
        if is_checked_out:
            _finish(history, staging, tip, commit_id)
        else:
            _leave(history, staging, (tip, commit_id), moves(begun, known=[new], target=tip.tree))


@contextmanager
def _taking_back() -> Iterator[None]:
    """Say so where even the way back fails; the intent stays then, and recovery goes on from it."""
    try:
        yield
    except (OSError, pygit2.GitError, ClawgitError) as error:
        raise UnsettledError(
            f"The change was interrupted, and taking it back failed too ({str(error).rstrip('.')}).",
            hint=_NEXT_SETTLES,
        ) from error


def _refuse_moved(history: History, tip: Tip) -> None:
    """Look again, now that git's lock is held: whoever had it meanwhile may have begun a rebase, switched or committed.

    `git checkout` gives that lock back before it moves HEAD, so one look is not enough. `git commit` gives it back before
    its hooks run, and fails where HEAD is not what it was then.
    """
    refuse_odd_state(history)
    is_moved = history.branch() != tip.branch or history.target(tip.branch) != tip.commit_id
    if is_moved or history.courtesy.is_due():
        raise _moved()


def _outlive_pruning(history: History, tip: Tip, made: _Made, change: Change) -> None:
    """Write again what a pruning took away that began before the branch named it, until it is over."""
    deadline = time.monotonic() + history.settings.lock_wait_seconds
    while True:
        goes_on = pruning_process(history.folder)
        is_whole = made.stored.are_there()
        if is_whole and not goes_on:
            return
        if not is_whole:
            with suppress(OSError, pygit2.GitError, ClawgitError):  # one failure must not end the looking
                # a view of the objects that remembers nothing of what was there
                again = History(
                    history.root, history.folder, history.git_folder, is_ordinary=history.is_ordinary
                )
                again.settings = history.settings
                _unreferenced(again, tip, change)
        if time.monotonic() > deadline:
            break
        time.sleep(POLL_SECONDS)
    if not made.stored.are_there():
        _move_back(history, tip, made.commit_id)


def _move_back(history: History, tip: Tip, commit_id: str) -> None:
    if tip.commit_id is not None:
        move_branch(history, tip.branch, commit_id, tip.commit_id)
        history.made.remove(commit_id)
    raise UnsettledError(
        "git took away what was just written, and it could not be written again.", hint=_NEXT_SETTLES
    )


def _refuse_pruned(made: _Made) -> None:
    if not made.stored.are_there():
        raise HistoryMovedError("git took away what was just written.", hint="Try again.")


def _move(history: History, tip: Tip, commit_id: str) -> None:
    if not move_branch(history, tip.branch, tip.commit_id, commit_id):
        raise _moved()


def _moved() -> HistoryMovedError:
    return HistoryMovedError("Someone committed meanwhile.", hint="Try again.")


def _finish(history: History, staging: HeldStaging, tip: Tip, commit_id: str) -> None:
    """Publish the staging, note the new tip and forget the intent; until then a reset would hide whose words these are.

    The change stands once the branch has moved: what fails from here on is left to recovery. A staging that could not
    be published stays locked until then, since a commit of it would take the change out again; and since the intent
    stays too, nothing more is changed before it is settled.
    """
    with suppress(OSError, pygit2.GitError):
        staging.publish()
        try:
            _forget_intent(history, tip, commit_id)
        finally:
            staging.release()


def _leave(history: History, staging: HeldStaging, made: tuple[Tip, str], back: Iterable[Move]) -> None:
    """End a change whose branch is where it should be, while somebody checked out another one: its text is not for there."""
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
    """Run ``step`` until no other writer gets in between; each try starts from the new tip, once git is quiet."""
    for attempt in range(TRIES):
        history.courtesy.wait()
        try:
            return step()
        except HistoryMovedError:
            time.sleep(random.uniform(0, 0.01 * (attempt + 1)))
    raise WorkspaceBusyError("The branch kept moving, so nothing was changed.", hint="Try again.")
