"""Commits that came without clawgit are found by the next command, once, whichever way they came.

Mutants seen to fail here: only the tip is compared; the cursor is not moved; a finding is told again; what was mended
stays open; a merge repeats what its side brought; the deadline is not looked at; a lost cursor means that nothing is read;
a reason for one rule is one for all.
"""

from __future__ import annotations

import json
import subprocess
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from clawgit.errors import ClawgitError
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.git.lock import WorkspaceBusyError
from clawgit.history.git.repository import open_history
from clawgit.history.reconcile import accept_commit, mark_told, reconcile
from clawgit.history.review.arrivals import read_arrivals
from clawgit.workspace.records.records import RECORDS, open_records

BAD = "<<<<<<< ours\n- tea\n=======\n- coffee\n>>>>>>> theirs\n"
NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)
AT_LENGTH = 60.0


def caught_up(room, *, seconds: float = AT_LENGTH):
    return reconcile(open_history(room.root), NOW, seconds=seconds).arrivals


def commit(room, path: str, text: str, *arguments: str) -> str:
    room.write(path, text)
    room.git("add", path)
    room.git("commit", "-q", "-m", f"about {path}", *arguments)
    return room.head()


def git(room, *arguments: str, stdin: str = "") -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=room.root, input=stdin, capture_output=True, check=True, text=True
    )
    return done.stdout.strip()


class Ways:
    """How a commit that holds BAD comes into the branch; each returns it."""

    @staticmethod
    def a_plain_commit(room) -> str:
        return commit(room, "notes.md", BAD)

    @staticmethod
    def a_revert(room) -> str:
        commit(room, "notes.md", BAD, "--amend")  # under the name of the first commit, which clawgit made
        commit(room, "notes.md", "fine\n")
        caught_up(room)
        room.git("revert", "--no-edit", "HEAD")
        return room.head()

    @staticmethod
    def an_amend(room) -> str:
        commit(room, "notes.md", "fine\n")
        caught_up(room)
        return commit(room, "notes.md", BAD, "--amend")

    @staticmethod
    def a_fast_forward(room) -> str:
        room.git("switch", "-q", "-c", "theirs")
        made = commit(room, "notes.md", BAD)
        room.git("switch", "-q", "main")
        caught_up(room)
        room.git("merge", "-q", "--ff-only", "theirs")
        return made

    @staticmethod
    def a_merge(room) -> str:
        room.git("switch", "-q", "-c", "theirs")
        made = commit(room, "notes.md", BAD)
        room.git("switch", "-q", "main")
        commit(room, "other.md", "other\n")
        caught_up(room)
        room.git("merge", "-q", "--no-ff", "-m", "merge", "theirs")
        return made

    @staticmethod
    def the_merge_itself(room) -> str:
        room.git("switch", "-q", "-c", "theirs")
        commit(room, "theirs.md", "theirs\n")
        room.git("switch", "-q", "main")
        commit(room, "other.md", "other\n")
        room.git("merge", "-q", "--no-commit", "--no-ff", "theirs")
        return commit(room, "notes.md", BAD)

    @staticmethod
    def a_rebase(room) -> str:
        room.git("switch", "-q", "-c", "theirs")
        commit(room, "notes.md", BAD)
        room.git("switch", "-q", "main")
        commit(room, "other.md", "other\n")
        caught_up(room)
        room.git("switch", "-q", "theirs")
        room.git("rebase", "-q", "main")
        return room.head()

    @staticmethod
    def a_pull(room) -> str:
        elsewhere = replace(room, root=room.root.parent / "clone")
        git(room, "clone", "-q", ".", str(elsewhere.root))
        made = commit(elsewhere, "notes.md", BAD)
        room.git("pull", "-q", "--ff-only", str(elsewhere.root), "main")
        return made

    @staticmethod
    def plumbing(room) -> str:
        blob = git(room, "hash-object", "-w", "--stdin", stdin=BAD)
        room.git("update-index", "--add", "--cacheinfo", f"100644,{blob},notes.md")
        made = room.git("commit-tree", room.git("write-tree"), "-p", "HEAD", "-m", "by hand")
        room.git("update-ref", "refs/heads/main", made)
        return made

    @staticmethod
    def among_others(room) -> str:
        commit(room, "a.md", "a\n")
        made = commit(room, "notes.md", BAD)
        commit(room, "b.md", "b\n")
        return made


WAYS = {name: way.__func__ for name, way in vars(Ways).items() if isinstance(way, staticmethod)}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("way", WAYS)
def test_whichever_way_it_came_it_is_found_once(room, way) -> None:
    made = WAYS[way](room)

    (arrival,) = caught_up(room).open

    assert (arrival.commit_id, arrival.rule, arrival.path, arrival.line) == (
        made,
        "conflict-marker",
        "notes.md",
        1,
    )
    assert arrival.actor == "operator"


def test_doing_it_again_changes_nothing(room) -> None:
    commit(room, "notes.md", BAD)
    caught_up(room)
    before = (room.root / ".git/clawgit/arrivals.json").read_bytes()

    caught_up(room)

    assert (room.root / ".git/clawgit/arrivals.json").read_bytes() == before


def test_clawgits_own_changes_are_nothing_new(room) -> None:
    for number in range(3):
        room.change({f"memory/{number}.md": "x\n"})
    room.write("memory/by-hand.md", "x\n")
    room.keep()

    assert caught_up(room).found == ()


def test_what_the_guards_have_let_through_is_not_looked_at_again(room) -> None:
    """A remark on an edit that was kept was said when it was kept."""
    room.write("memory/odd.md", "\x07\n")
    assert room.keep("host").remarks

    assert caught_up(room).found == ()
    (room.root / ".git/clawgit/own-commits").unlink()
    (room.root / ".git/clawgit/arrivals.json").unlink()
    assert [arrival.rule for arrival in caught_up(room).open] == ["control-character"]


def test_only_the_latest_own_commits_are_remembered(room) -> None:
    note = room.root / ".git/clawgit/own-commits"
    note.write_text("".join(f"{number:040}\n" for number in range(4000)))

    made = room.change({"memory/a.md": "a\n"}).commit_id

    assert note.read_text().splitlines()[-1] == made
    assert len(note.read_text().splitlines()) == 2000


def test_a_commit_that_only_says_it_is_an_agents_is_nobodys(room) -> None:
    message = "x\n\nClawgit-Op: op-forged\nClawgit-Actor: memory-miner"
    room.write("notes.md", BAD)
    room.git("add", "notes.md")
    room.git("commit", "-q", "-m", message)

    assert caught_up(room).open[0].actor == "unknown"


def test_what_was_shown_is_not_new_and_still_open(room) -> None:
    commit(room, "notes.md", BAD)
    found = caught_up(room)
    assert len(found.new) == 1

    mark_told(room.history, found)
    commit(room, "other.md", "other\n")
    found = caught_up(room)

    assert (len(found.new), len(found.open)) == (0, 1)


def _mend(room, made: str) -> None:
    commit(room, "notes.md", "fine\n")


def _remove(room, made: str) -> None:
    room.git("rm", "-q", "notes.md")
    room.git("commit", "-q", "-m", "gone")


def _amend_away(room, made: str) -> None:
    commit(room, "notes.md", "fine\n", "--amend")


def _drop(room, made: str) -> None:
    room.git("reset", "-q", "--hard", "HEAD~1")


def _accept(room, made: str) -> None:
    accept_commit(room.history, made[:10], "A quotation.", Intent(new_op(), "operator", NOW))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("way_out", [_mend, _remove, _amend_away, _drop, _accept])
def test_a_way_out_closes_it(room, way_out) -> None:
    made = commit(room, "notes.md", BAD)
    caught_up(room)

    way_out(room, made)

    assert caught_up(room).open == ()


def test_a_message_that_was_amended_is_closed(room) -> None:
    commit(room, "notes.md", "fine\n", "-m", BAD)
    assert [arrival.path for arrival in caught_up(room).open] == ["the commit message"]
    commit(room, "other.md", "fine\n")
    assert len(caught_up(room).open) == 1

    room.git("reset", "-q", "--soft", "HEAD~2")
    room.git("commit", "-q", "-m", "fine")

    assert caught_up(room).open == ()


def test_an_edit_beside_it_closes_nothing(room) -> None:
    commit(room, "notes.md", BAD)
    caught_up(room)

    commit(room, "notes.md", "more\n" + BAD)

    assert len(caught_up(room).open) == 1


def test_only_the_operator_accepts_and_only_what_is_there(room) -> None:
    made = commit(room, "notes.md", BAD)
    caught_up(room)
    intent = Intent(new_op(), "host", NOW)
    with suppress(ClawgitError):
        accept_commit(room.history, made, "It says so.", intent)

    assert len(caught_up(room).open) == 1
    for name in ("", "abcdef", room.git("rev-parse", f"{made}~1")):
        with pytest.raises(ClawgitError, match="Nothing is open about a commit"):
            accept_commit(room.history, name, "x", intent)


@pytest.mark.parametrize(
    "who",
    [
        pytest.param(("Clawgit-Actor: host",), id="a host"),
        pytest.param(("Clawgit-Actor: organizer",), id="who says to be an agent"),
    ],
)
@pytest.mark.parametrize("where", ["in the commit itself", "in a later one"])
def test_an_override_that_is_not_the_operators_accepts_nothing(
    room, who: tuple[str, ...], where: str
) -> None:
    """Mutants: anybody's `Clawgit-Override` accepts what was found in a commit, or lets it through."""
    room.write("notes.md", BAD)
    room.git("add", "notes.md")
    if where == "in a later one":
        made = commit(room, "notes.md", BAD)
        caught_up(room)
        said = f"{made} It says so."
    else:
        said = "conflict-marker: A quotation."
    message = "\n".join((*who, f"Clawgit-Override: {said}"))
    room.git("commit", "-q", "--allow-empty", "-m", "x", "-m", message)

    assert "conflict-marker" in [arrival.rule for arrival in caught_up(room).open]


def test_a_commit_with_a_reason_was_let_through(room) -> None:
    room.write("notes.md", BAD)
    room.git("add", "notes.md")
    room.git("commit", "-q", "-m", "x\n\nClawgit-Override: conflict-marker: A quotation.")

    assert caught_up(room).open == ()


def test_a_reason_is_one_for_the_rule_that_it_names(room) -> None:
    room.write("notes.md", BAD)
    room.git("add", "notes.md")
    room.git("commit", "-q", "-m", "x\n\nClawgit-Override: loss: It was old.")

    assert [arrival.rule for arrival in caught_up(room).open] == ["conflict-marker"]


@pytest.mark.rest
def test_many_commits_are_read_bit_by_bit_and_counted(room) -> None:
    made = commit(room, "notes.md", BAD)
    for number in range(9):
        room.git("commit", "-q", "--allow-empty", "-m", str(number))

    counts = [caught_up(room, seconds=0).unread for _ in range(10)]

    assert counts == list(range(9, -1, -1))
    assert [arrival.commit_id for arrival in caught_up(room).open] == [made]


@pytest.mark.rest
def test_ten_thousand_commits_hold_no_command_up(room, full_length) -> None:
    """A pull of so many: each command gives them its share of time, and no more."""
    count = 10_000 if full_length else 300
    stream = [
        "commit refs/heads/main\ncommitter A <a@b.c> 1774000000 +0000\ndata 1\nx\nfrom refs/heads/main^0\n\n"
    ]
    stream += [
        f"commit refs/heads/main\ncommitter A <a@b.c> {1774000000 + number} +0000\ndata 1\nx\n"
        f"M 100644 inline memory/{number // 100}/{number}.md\ndata {len(str(number)) + 1}\n{number}\n\n"
        for number in range(count)
    ]
    git(room, "fast-import", "--quiet", stdin="".join(stream))
    room.git("reset", "-q", "--hard")

    first = caught_up(room, seconds=0)

    assert len(_read(room, first)) == 1
    assert first.unread == count
    while caught_up(room, seconds=5).unread:
        pass
    assert caught_up(room).found == ()


def _read(room, arrivals) -> list[str]:
    """Return the commits that were looked at since clawgit began here."""
    begin = room.git("log", "--format=%H", "--grep=^Clawgit-Op: ").split()[-1]
    return room.git("rev-list", *arrivals.examined, f"^{begin}").split()


def test_a_lost_note_is_made_again_from_the_beginning(room) -> None:
    commit(room, "notes.md", BAD)
    room.change({"memory/a.md": "a\n"})
    before = caught_up(room)
    assert len(before.open) == 1
    (room.root / ".git/clawgit/arrivals.json").write_text("{")

    assert caught_up(room) == before


def test_what_stood_there_at_adoption_is_not_looked_at(tmp_path, room, now) -> None:
    from clawgit.history.adopt import adopt  # noqa: PLC0415 - only here

    old = replace(room, root=tmp_path / "old")
    old.root.mkdir()
    old.git("init", "-q", "-b", "main")
    commit(old, "notes.md", BAD)
    adopt(old.root, now)

    assert caught_up(old).found == ()


# --- what follows ---


def test_the_rendered_files_follow_a_plain_commit(room) -> None:
    commit(room, "SOUL.md", "I am kind.\n")
    assert "about SOUL.md" not in room.read("CHANGELOG.md")

    caught_up(room)

    assert "about SOUL.md" in room.read("CHANGELOG.md")


def test_the_tip_is_noted_and_rewritten_history_pinned(room) -> None:
    made = commit(room, "notes.md", "x\n")
    caught_up(room)
    commit(room, "notes.md", "y\n", "--amend")

    notes = reconcile(open_history(room.root), NOW, seconds=AT_LENGTH).notes

    assert notes == (f"History was rewritten; what it left out is kept as refs/clawgit/past/{made[:16]}.",)
    with open_records(room.root / ".git/clawgit" / RECORDS, NOW) as records:
        assert records.note_tip("refs/heads/main", room.head(), NOW) is False


# --- when it cannot be ---


def test_nothing_is_done_in_the_middle_of_something(room) -> None:
    commit(room, "notes.md", BAD)
    room.git("checkout", "-q", "--detach")

    assert caught_up(room).tip is None
    assert not (room.root / ".git/clawgit/arrivals.json").exists()


def test_whoever_holds_the_workspace_is_not_waited_for(room) -> None:
    commit(room, "notes.md", BAD)
    other = open_history(room.root)
    room.history.settings = room.history.settings._replace(lock_wait_seconds=3600)

    with other.locked(), pytest.raises(WorkspaceBusyError):
        reconcile(room.history, NOW, seconds=AT_LENGTH)


def test_a_damaged_commit_leaves_it_unread(room) -> None:
    commit(room, "notes.md", "x\n")
    tree = room.git("rev-parse", "HEAD:notes.md")
    path = room.root / ".git/objects" / tree[:2] / tree[2:]
    path.chmod(0o644)
    path.write_bytes(b"")

    with pytest.raises(Exception, match="damaged or missing"):
        caught_up(room)

    assert read_arrivals(room.history).tip is None


def test_a_linked_working_tree_has_its_own_branch_to_read(room, tmp_path) -> None:
    room.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    linked = replace(room, root=tmp_path / "linked")
    commit(linked, "notes.md", BAD)
    commit(room, "other.md", BAD)

    assert [arrival.path for arrival in caught_up(linked).open] == ["notes.md"]
    assert [arrival.path for arrival in caught_up(room).open] == ["other.md"]
    assert json.loads((room.root / ".git/clawgit/arrivals.json").read_text())["tip"] == room.head()
