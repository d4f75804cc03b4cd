"""A commit that was made and left between two commands of clawgit is found in git's own logs, and pinned."""

from __future__ import annotations

import json
import shutil

import pytest

from clawgit.history.git.refs import logs_grew
from clawgit.history.git.repository import open_history
from clawgit.history.reconcile import reconcile


def caught_up(room) -> tuple[str, ...]:
    return reconcile(open_history(room.root), room.now, seconds=10).notes


def commit(room, text: str, *options: str) -> str:
    room.write("notes.md", text)
    room.git("add", "notes.md")
    room.git("commit", "-q", "-m", f"about {text}", *options)
    return room.head()


def past(room) -> set[str]:
    return set(room.git("for-each-ref", "--format=%(objectname)", "refs/clawgit/past").split())


def resets(room) -> set[str]:
    left = set()
    for text in ("one", "two", "three"):
        left.add(commit(room, text))
        room.git("reset", "-q", "--hard", "HEAD~1")
    return left


def resets_and_another_branch(room) -> set[str]:
    left = resets(room)
    room.git("checkout", "-q", "-b", "other")
    commit(room, "elsewhere")
    return left


def amends(room) -> set[str]:
    left = {commit(room, "base"), commit(room, "one", "--amend"), commit(room, "two", "--amend")}
    commit(room, "three", "--amend")
    return left


def a_deleted_branch(room) -> set[str]:
    room.git("checkout", "-q", "-b", "other")
    commit(room, "one")
    left = {commit(room, "two")}
    room.git("checkout", "-q", "main")
    room.git("branch", "-q", "-D", "other")
    return left


def a_detached_head(room) -> set[str]:
    room.git("checkout", "-q", "--detach")
    left = {commit(room, "one")}
    room.git("checkout", "-q", "main")
    return left


def a_reset_of_more(room) -> set[str]:
    commit(room, "one")
    commit(room, "two")
    left = {commit(room, "three")}
    room.git("reset", "-q", "--hard", "HEAD~3")
    return left


def a_log_that_git_cut(room) -> set[str]:
    left = resets(room)
    log = room.root / ".git/logs/HEAD"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[-6:]))
    return left


def a_log_that_git_emptied(room) -> set[str]:
    room.git("reflog", "expire", "--expire=now", "--all")
    assert (room.root / ".git/logs/HEAD").read_bytes() == b""
    caught_up(room)
    return resets(room)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "leave",
    [
        resets,
        resets_and_another_branch,
        amends,
        a_deleted_branch,
        a_detached_head,
        a_reset_of_more,
        a_log_that_git_cut,
        a_log_that_git_emptied,
    ],
)
def test_tips_that_were_left_unseen_are_pinned_once(room, leave) -> None:
    caught_up(room)

    left = leave(room)
    notes = caught_up(room)

    assert past(room) == left
    assert len(notes) == len(left)
    assert all("is kept as refs/clawgit/past/" in note for note in notes)
    room.git("reflog", "expire", "--expire=now", "--all")
    room.git("gc", "-q", "--prune=now")
    assert all(room.git("cat-file", "-t", name) == "commit" for name in left)
    assert caught_up(room) == ()


def test_a_spoiled_note_is_made_anew(room) -> None:
    caught_up(room)
    record = room.root / ".git/clawgit/reflogs.json"
    record.write_text(json.dumps({name: ["x", None, 7] for name in json.loads(record.read_text())}))
    caught_up(room)

    left = resets(room)
    caught_up(room)

    assert past(room) == left


def test_without_a_log_there_is_nothing_to_read_again(room) -> None:
    """Mutant: a log that is gone counts as one that grew, at every command."""
    caught_up(room)
    shutil.rmtree(room.root / ".git/logs")
    caught_up(room)

    assert not logs_grew(open_history(room.root))


def rebased(room) -> None:
    room.git("checkout", "-q", "-b", "other")
    for text in ("one", "two", "three"):
        room.write(f"{text}.md", text)
        room.git("add", ".")
        room.git("commit", "-q", "-m", text)
    room.git("checkout", "-q", "main")
    commit(room, "base")
    room.git("rebase", "-q", "main", "other")


def test_of_a_rebase_only_the_old_tip_is_left(room) -> None:
    caught_up(room)
    before = past(room)

    rebased(room)
    old = room.git("rev-parse", "ORIG_HEAD")
    caught_up(room)

    assert past(room) - before == {old}


def test_what_a_branch_or_a_stash_has_is_not_pinned(room) -> None:
    caught_up(room)
    before = past(room)

    room.git("checkout", "-q", "-b", "other")
    commit(room, "one")
    room.write("notes.md", "later")
    room.git("stash", "-q")
    room.git("checkout", "-q", "main")
    room.change({"MEMORY.md": "# Memory\n\n- The kitchen is green.\n"})
    notes = caught_up(room)

    assert notes == ()
    assert past(room) == before


def test_what_was_left_before_clawgit_looked_stays_gits(room) -> None:
    (room.root / ".git/clawgit/reflogs.json").unlink(missing_ok=True)
    left = commit(room, "one")
    room.git("reset", "-q", "--hard", "HEAD~1")

    caught_up(room)

    assert left not in past(room)
