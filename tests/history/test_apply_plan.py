from __future__ import annotations

import pytest

from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent, pause, resume
from clawgit.history.git.repository import open_history
from clawgit.history.guards.check import GuardError
from clawgit.plan import Edit, Evidence, Plan


def test_a_change_is_one_commit_with_its_trailers(room) -> None:
    before = room.head()

    done = room.change({"memory/a.md": "hello\n"}, op="op-1")

    assert room.git("rev-parse", "HEAD^") == before
    assert room.head() == done.commit_id
    assert room.git("log", "-1", "--format=%an <%ae>") == "memory-miner <memory-miner@clawgit.invalid>"
    assert room.git("log", "-1", "--format=%(trailers:key=Clawgit-Op,valueonly)").strip() == "op-1"
    assert room.read("memory/a.md") == "hello\n"
    assert room.git("status", "--porcelain") == ""


def test_an_unborn_branch_gets_its_first_commit(tmp_path, now, room) -> None:
    room.git("checkout", "--orphan", "fresh")
    room.git("rm", "-rfq", ".")

    done = room.change({"memory/a.md": "first\n"})

    assert room.git("rev-list", "--count", "HEAD") == "1"
    assert room.head() == done.commit_id


def test_the_same_op_is_applied_once(room) -> None:
    first = room.append("memory/a.md", "one", op="op-same")

    again = room.append("memory/a.md", "one", op="op-same")

    assert again.outcome == "repeated"
    assert again.commit_id == first.commit_id
    assert room.read("memory/a.md") == "one\n"


def test_the_same_op_is_found_by_another_process(room) -> None:
    first = room.append("memory/a.md", "one", op="op-same")
    room.history = open_history(room.root)

    assert room.append("memory/a.md", "one", op="op-same").commit_id == first.commit_id


def test_a_plan_that_changes_nothing_makes_no_commit(room) -> None:
    room.change({"memory/a.md": "hello\n"})
    before = room.head()

    assert room.change({"memory/a.md": "hello\n"}).outcome == "nothing"
    assert room.head() == before


def test_a_file_can_go_and_its_empty_folder_leaves_the_tree(room) -> None:
    room.change({"memory/deep/a.md": "hello\n"})

    room.change({"memory/deep/a.md": None}, actor="operator")

    assert room.git("ls-tree", "-r", "--name-only", "HEAD", "memory/deep") == ""
    assert not (room.root / "memory/deep/a.md").exists()
    assert room.git("status", "--porcelain") == ""


def test_what_the_operator_staged_stays_staged_and_out_of_the_commit(room) -> None:
    room.write("draft.md", "draft\n")
    room.git("add", "draft.md")

    done = room.change({"memory/a.md": "hello\n"})

    assert room.git("show", "--name-only", "--format=", done.commit_id or "") == "memory/a.md"
    assert room.git("diff", "--cached", "--name-only") == "draft.md"


def test_a_staged_edit_of_the_same_file_stays_staged(room) -> None:
    room.change({"memory/a.md": "one\n"})
    room.write("memory/a.md", "one\nstaged\n")
    room.git("add", "memory/a.md")
    room.write("memory/a.md", "one\nstaged\nunstaged\n")

    room.append("memory/a.md", "agent's")

    assert room.git("show", ":memory/a.md") == "one\nstaged"
    assert room.read("memory/a.md") == "one\nstaged\nunstaged\nagent's\n"


def test_an_uncommitted_edit_of_the_same_file_is_kept_first_under_its_own_name(room) -> None:
    room.change({"memory/a.md": "one\n"})
    room.write("memory/a.md", "one\nby hand\n")

    room.append("memory/a.md", "agent's")

    assert room.actors()[:2] == ["memory-miner", "unknown"]
    assert room.shown("memory/a.md", "HEAD^") == "one\nby hand\n"
    assert room.shown("memory/a.md") == "one\nby hand\nagent's\n"


def test_what_is_kept_first_inherits_nothing_of_the_plan(room, now) -> None:
    """Mutant: an edit by an unknown author rests on the operator's words, because the agent's plan does."""
    room.change({"memory/a.md": "one\n"})
    room.write("memory/a.md", "one\nby hand\n")
    evidence = (Evidence("chat:abcd", "He said so."),)
    intent = Intent(
        new_op(),
        "memory-miner",
        now,
        run="run-7",
        slot="miner 2026-03-19",
        trust="operator",
        losses={"memory/a.md": "It may go."},
    )

    apply_plan(
        room.history,
        lambda _: Plan("x", (Edit("memory/a.md", b"one\nby hand\nand more\n"),), evidence=evidence),
        intent,
    )

    kept = room.git("log", "-1", "HEAD^", "--format=%(trailers:unfold)").splitlines()
    assert [line for line in kept if not line.startswith("Clawgit-Op: ")] == [
        "Clawgit-Actor: unknown",
        "Clawgit-Trust: host",
    ]
    assert "Clawgit-Trust: operator" in room.git("log", "-1")


def test_uncommitted_edits_of_other_files_are_left_alone(room) -> None:
    room.write("USER.md", "edited\n")

    room.change({"memory/a.md": "hello\n"})

    assert room.git("status", "--porcelain") == "M USER.md"


def test_new_entries_are_stamped_and_old_lines_stay_as_they_are(room) -> None:
    room.write("memory/topic.md", "- an old line without an id\n")
    room.keep()

    room.append("memory/topic.md", "- a new one")

    old, new = room.read("memory/topic.md").splitlines()
    assert old == "- an old line without an id"
    assert new.startswith("- a new one <!-- m:")


@pytest.mark.parametrize(
    ("path", "why"),
    [
        pytest.param("../outside.md", "inside the workspace", id="out of the workspace"),
        pytest.param("/etc/passwd.md", "inside the workspace", id="absolute"),
        pytest.param(".git/config", "inside the workspace", id="git's own"),
        pytest.param("memory/.GIT/x.md", "inside the workspace", id="git's own in capitals"),
        pytest.param("CHANGELOG.md", "rendered from history", id="derived"),
        pytest.param("secrets.md", "ignored by git", id="ignored"),
    ],
)
def test_a_plan_cannot_write_there(room, path: str, why: str) -> None:
    before = room.head()

    with pytest.raises(ClawgitError, match=why):
        room.change({path: "x\n"})

    assert room.head() == before
    assert room.git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        pytest.param("<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n", "conflict-marker", id="conflict markers"),
        pytest.param("bell\x07\n", "control-character", id="control character"),
        pytest.param("x" * (1024 * 1024 + 1), "file-size", id="too large"),
    ],
)
def test_a_guard_refuses_before_anything_is_touched(room, text: str, rule: str) -> None:
    before = room.head()

    with pytest.raises(GuardError) as refusal:
        room.change({"memory/a.md": text})

    assert [finding.rule for finding in refusal.value.findings] == [rule]
    assert room.head() == before
    assert room.git("status", "--porcelain", "--ignored", "memory") == ""


def test_an_agent_does_not_write_while_paused_but_the_operator_does(room, now) -> None:
    pause(room.history, "a reason", now)

    with pytest.raises(ClawgitError, match="a reason"):
        room.change({"memory/a.md": "x\n"})

    assert room.change({"memory/a.md": "x\n"}, actor="operator").outcome == "applied"
    resume(room.history)
    assert room.change({"memory/b.md": "x\n"}).outcome == "applied"


def test_a_commit_is_never_dated_before_its_parent(room, now) -> None:
    room.change({"memory/a.md": "x\n"})
    room.now = now.replace(year=2020)

    room.change({"memory/b.md": "x\n"})

    dates = room.git("log", "-2", "--format=%ct").split()
    assert dates[0] >= dates[1]


def test_a_linked_working_tree_is_written_where_it_lies(room, tmp_path) -> None:
    room.git("worktree", "add", "-b", "other", str(tmp_path / "linked"))
    room.root, room.history = tmp_path / "linked", open_history(tmp_path / "linked")

    room.change({"memory/a.md": "x\n"})

    assert room.git("status", "--porcelain") == ""
    assert room.git("log", "-1", "--format=%D") == "HEAD -> other"
    assert (tmp_path / "linked/memory/a.md").exists()
    assert not (tmp_path / "workspace/memory/a.md").exists()


def test_a_history_that_was_reset_stays_reachable(room) -> None:
    lost = room.change({"memory/a.md": "x\n"}).commit_id
    room.git("reset", "--hard", "HEAD^")

    room.change({"memory/b.md": "x\n"})

    assert room.git("for-each-ref", "--format=%(objectname)", "refs/clawgit/past/") == lost


def test_a_plan_can_change_who_may_run_a_file(room) -> None:
    """Mutant: comparing bytes alone, the file keeps its old mode and the next `keep` commits that as somebody's edit."""
    room.write("tool.sh", "true\n")
    room.keep("operator")

    def plan(_):
        return Plan("x", (Edit("tool.sh", b"true\n", executable=True),))

    apply_plan(room.history, plan, Intent(new_op(), "operator", room.now))

    assert room.git("ls-files", "-s", "tool.sh").startswith("100755")
    assert (room.root / "tool.sh").stat().st_mode & 0o111
    assert room.git("status", "--porcelain") == ""


def test_a_mode_that_somebody_gave_a_file_meanwhile_stays_with_it(room) -> None:
    room.change({"tool.sh": "true\n"})
    (room.root / "tool.sh").chmod(0o755)

    room.change({"tool.sh": "false\n"})

    assert room.git("ls-files", "-s", "tool.sh").startswith("100755")
    assert (room.root / "tool.sh").stat().st_mode & 0o111
