"""The transaction under every change: from the finished commit to the moment it is acknowledged."""

from __future__ import annotations

import random
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import author_of
from clawgit.history.authorship.commit_messages import GitReading, check_message, message_of
from clawgit.history.authorship.op_lookup import KEEP_OP
from clawgit.history.authorship.own_commits import note_own
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.lock import WorkspaceBusyError
from clawgit.history.git.refs import delete_ref, intent_ref, move_branch, set_ref
from clawgit.history.git.storage_errors import room_for
from clawgit.history.git.tips import remember_tip
from clawgit.history.transaction.staging import HeldStaging, hold_staging
from clawgit.history.transaction.working_tree import moves, put_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History, Tip
    from clawgit.history.transaction.drafts import Draft
    from clawgit.plan import Plan

TRIES = 20
Done = TypeVar("Done")


class HistoryMovedError(ClawgitError):
    """Somebody else committed meanwhile; the files are as before and the change can be made again."""


class UnsettledError(ClawgitError):
    """The disk failed both ways: neither made nor taken back; the next writer settles it."""


@dataclass(frozen=True, slots=True)
class Change:
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
        HistoryMovedError: The branch moved; nothing of the change is left.
        UnsettledError: The disk failed in the midst of it and went on failing.
        OSError, GitError: The disk is full or failing; nothing of the change is left.
    """
    commit_id = _unreferenced(history, tip, change)
    _carry_out(history, tip, commit_id, change)
    return commit_id


def _unreferenced(history: History, tip: Tip, change: Change) -> str:
    """Write the commit as an object that nothing names yet, read back by three parsers."""
    message, trailers = message_of(change.plan, change.intent)
    reading = GitReading(message)
    try:
        with room_for(history.folder, change.draft.size):
            tree_id = change.draft.store(history.repo, fsync=history.settings.fsync)
        not_before = 0 if tip.commit_id is None else history.objects.commit(tip.commit_id).committed_at
        who = author_of(history, change.intent.actor).signature(change.intent.now, not_before=not_before)
        parents: Sequence[str] = [] if tip.commit_id is None else [tip.commit_id]
        commit_id = str(history.repo.create_commit(None, who, who, message, tree_id, list(parents)))
        check_message(history.repo, commit_id, trailers, reading)
    finally:
        reading.close()
    return commit_id


def _carry_out(history: History, tip: Tip, commit_id: str, change: Change) -> None:
    intent = intent_ref(tip.branch)
    paths = change.draft.changed_paths()
    new = history.tree_of(commit_id)
    try:
        set_ref(history, intent, commit_id)
        staging = hold_staging(history)
    except BaseException:
        with _taking_back():
            delete_ref(history, intent)
        raise
    try:
        staging.fill(tip.tree, new, paths)
        if not change.keeps:
            put_files(history, moves(paths, known=[tip.tree], target=new))
        _move(history, tip, commit_id)
    except BaseException:
        with _taking_back():
            if not change.keeps:
                put_files(history, moves(paths, known=[new], target=tip.tree))
            staging.release()
            delete_ref(history, intent)
        raise
    _finish(history, staging, tip, commit_id)


@contextmanager
def _taking_back() -> Iterator[None]:
    """Say so where even the way back fails; the intent stays then, and recovery goes on from it."""
    try:
        yield
    except (OSError, pygit2.GitError, ClawgitError) as error:
        raise UnsettledError(
            f"The change was interrupted, and taking it back failed too ({str(error).rstrip('.')}).",
            hint="The next command that writes settles it.",
        ) from error


def _move(history: History, tip: Tip, commit_id: str) -> None:
    if not move_branch(history, tip.branch, tip.commit_id, commit_id):
        raise HistoryMovedError("Someone committed meanwhile.", hint="Try again.")


def _finish(history: History, staging: HeldStaging, tip: Tip, commit_id: str) -> None:
    """Publish the staging, note the new tip and forget the intent; until then a reset would hide whose words these are.

    The change stands once the branch has moved: what fails from here on is left to recovery. A staging that could not
    be published stays locked until then, since a commit of it would take the change out again.
    """
    with suppress(OSError, pygit2.GitError):
        staging.publish()
        try:
            remember_tip(history, tip.branch, commit_id)
            delete_ref(history, intent_ref(tip.branch))
            note_own(history, commit_id)
        finally:
            staging.release()


def until_settled(step: Callable[[], Done]) -> Done:
    """Run ``step`` until no other writer gets in between; each try starts from the new tip.

    Raises:
        WorkspaceBusyError: Somebody always did.
    """
    for attempt in range(TRIES):
        try:
            return step()
        except HistoryMovedError:
            time.sleep(random.uniform(0, 0.01 * (attempt + 1)))
    raise WorkspaceBusyError("The branch kept moving, so nothing was changed.", hint="Try again.")
