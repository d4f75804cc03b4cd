"""pre-commit and pre-merge-commit look at what git is about to commit, and at nothing else.

Mutants seen to fail here: `.git/index` is read whatever GIT_INDEX_FILE says; the working tree is read; an amend is
compared with HEAD; what is only meant to be added counts as staged; HEAD's tree stands in where git noted none; the
settings are asked of the branch, where HEAD is on none.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from rounds import some

from clawgit.history.hooks.commit_checks import staged_tree

if TYPE_CHECKING:
    from pathlib import Path


class Stages:
    """What is staged, what stands in the folder, and how it is committed; BAD is refused where it would get in."""

    @staticmethod
    def the_index(ws, staged, other) -> tuple[str, ...]:
        ws.stage("notes.md", staged)
        ws.write("notes.md", other)
        return ("commit", "-m", "notes")

    @staticmethod
    def all_tracked_files(ws, staged, other) -> tuple[str, ...]:
        ws.append("USER.md", staged)
        ws.write("untracked.md", other)
        return ("commit", "-a", "-m", "user")

    @staticmethod
    def only_one_path(ws, staged, other) -> tuple[str, ...]:
        ws.stage("other.md", other)
        ws.append("USER.md", staged)
        return ("commit", "-o", "USER.md", "-m", "user")

    @staticmethod
    def one_path_and_the_index(ws, staged, other) -> tuple[str, ...]:
        ws.stage("notes.md", ws.GOOD)
        ws.append("USER.md", staged)
        ws.append("TOOLS.md", other)
        return ("commit", "-i", "USER.md", "-m", "user")

    @staticmethod
    def nothing_but_meant_to_be_added(ws, staged, other) -> tuple[str, ...]:
        ws.stage("notes.md", staged)
        ws.write("later.md", other)
        ws.must("add", "--intent-to-add", "later.md")
        return ("commit", "-m", "notes")

    @staticmethod
    def an_index_of_version_4(ws, staged, other) -> tuple[str, ...]:
        ws.must("update-index", "--index-version", "4")
        return Stages.nothing_but_meant_to_be_added(ws, staged, other)

    @staticmethod
    def an_amended_commit(ws, staged, other) -> tuple[str, ...]:
        ws.unchecked("notes.md", staged)
        ws.write("notes.md", other)
        return ("commit", "--amend", "-m", "amended")

    @staticmethod
    def what_an_amend_replaces(ws, staged, other) -> tuple[str, ...]:
        ws.unchecked("notes.md", other)
        ws.stage("notes.md", staged)
        return ("commit", "--amend", "--no-edit")

    @staticmethod
    def a_commit_off_any_branch(ws, staged, other) -> tuple[str, ...]:
        ws.must("checkout", "-q", "--detach")
        return Stages.the_index(ws, staged, other)

    @staticmethod
    def a_commit_amended_in_a_rebase(ws, staged, other) -> tuple[str, ...]:
        ws.unchecked("first.md", ws.GOOD)
        ws.unchecked("second.md", ws.GOOD)
        ws.must("rebase", "-i", "HEAD~2", GIT_SEQUENCE_EDITOR="sed -i 1s/pick/edit/")
        ws.stage("notes.md", staged)
        ws.write("notes.md", other)
        return ("commit", "--amend", "--no-edit")

    @staticmethod
    def a_pick_that_met_a_conflict(ws, staged, other) -> tuple[str, ...]:
        there = ws.unchecked("notes.md", "- one\n")
        ws.must("reset", "-q", "--hard", "HEAD~1")
        ws.unchecked("notes.md", "- two\n")
        ws.git("cherry-pick", there)
        ws.stage("notes.md", staged)
        ws.write("notes.md", other)
        return ("commit", "-m", "picked")

    @staticmethod
    def the_first_commit_of_a_branch(ws, staged, other) -> tuple[str, ...]:
        ws.must("checkout", "-q", "--orphan", "fresh")
        ws.stage("notes.md", staged)
        ws.write("notes.md", other)
        return ("commit", "-m", "first")

    @staticmethod
    def the_root_amended(ws, staged, other) -> tuple[str, ...]:
        ws.must("checkout", "-q", "--orphan", "fresh")
        ws.unchecked("notes.md", staged)
        ws.write("notes.md", other)
        return ("commit", "--amend", "--no-edit")

    @staticmethod
    def a_merge(ws, staged, other) -> tuple[str, ...]:
        ws.must("switch", "-q", "-c", "theirs")
        ws.unchecked("notes.md", staged)
        ws.must("switch", "-q", "main")
        ws.unchecked("other.md", ws.GOOD)
        ws.write("untracked.md", other)
        return ("merge", "--no-ff", "-m", "merge", "theirs")

    @staticmethod
    def a_merge_that_was_stopped(ws, staged, other) -> tuple[str, ...]:
        ws.must(*Stages.a_merge(ws, staged, other)[:2], "--no-commit", "theirs")
        return ("commit", "-m", "merge")

    @staticmethod
    def a_renamed_file(ws, staged, other) -> tuple[str, ...]:
        ws.must("mv", "USER.md", "ADA.md")
        ws.append("ADA.md", staged)
        ws.must("add", "ADA.md")
        ws.append("ADA.md", other)
        return ("commit", "-m", "renamed")


CASES = {name: case.__func__ for name, case in vars(Stages).items() if isinstance(case, staticmethod)}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("case", some(CASES, each=2))
def test_what_would_be_committed_is_refused_with_its_place(hooked, case) -> None:
    words = CASES[case](hooked, hooked.BAD, hooked.GOOD)
    before = hooked.head()

    done = hooked.git(*words)

    assert done.returncode != 0
    assert "clawgit: this commit was stopped." in done.stderr
    assert re.search(r"\.md:\d+: ", done.stderr)
    assert "Choose between the two sides" in done.stderr
    assert 'CLAWGIT_OVERRIDE="the reason"' in done.stderr
    assert hooked.head() == before


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", some(CASES, each=3))
def test_what_would_not_be_committed_is_nobodys_business(hooked, case) -> None:
    words = CASES[case](hooked, hooked.GOOD, hooked.BAD)

    done = hooked.git(*words)

    assert (done.returncode, done.stderr) == (0, done.stderr.replace("clawgit", ""))
    assert hooked.BAD.split("\n")[0] not in hooked.must("grep", "-h", "-e", ".", "HEAD")


@pytest.mark.rest
@pytest.mark.parametrize(
    ("answers", "code"), [("y\nq\n", 1), ("n\ny\n", 0)], ids=["the bad part", "the good part"]
)
def test_a_part_of_a_file_is_what_counts(hooked, answers, code) -> None:
    """`git commit -p` commits from an index of its own, made while the hook waits."""
    lines = [f"line {number}\n" for number in range(40)]
    hooked.unchecked("notes.md", "".join(lines))
    hooked.write("notes.md", hooked.BAD + "".join(lines) + hooked.GOOD)

    done = hooked.git("commit", "-p", "-m", "a part", stdin=answers)

    assert done.returncode == code, done.stderr
    assert ("was stopped" in done.stderr) is bool(code)


@pytest.mark.parametrize("version", ["2", "4"])
@pytest.mark.parametrize("noted", [True, False], ids=["git noted the tree", "git did not"])
def test_the_tree_is_the_one_that_git_makes(hooked, room, version, noted) -> None:
    hooked.must("update-index", "--index-version", version)
    hooked.write("a folder/深い/notes.md", hooked.GOOD)
    hooked.write("a folder/run.sh", "true\n")
    (hooked.root / "a folder/run.sh").chmod(0o755)
    hooked.must("rm", "-q", "--cached", "memory/learned.md")
    hooked.must("add", "a folder")
    tree = hooked.must("write-tree") if noted else ""
    hooked.write("later.md", hooked.BAD)
    hooked.must("add", "--intent-to-add", "later.md")

    found = staged_tree(room.history, hooked.root / ".git/index")

    assert found.tree_id == (tree or hooked.must("write-tree"))


def places(ws, outside: Path) -> dict[str, tuple[tuple[str, ...], Path, dict[str, str]]]:
    """Return ways of saying where the repository is: git's options, the folder, the environment."""
    git, root = str(ws.root / ".git"), str(ws.root)
    return {
        "from a folder below": ((), ws.root / "memory", {}),
        "-C": (("-C", root), outside, {}),
        "options": ((f"--git-dir={git}", f"--work-tree={root}"), outside, {}),
        "environment": ((), outside, {"GIT_DIR": git, "GIT_WORK_TREE": root}),
        "relative environment": ((), ws.root / "memory", {"GIT_DIR": "../.git", "GIT_WORK_TREE": ".."}),
        "another index": ((), ws.root, {"GIT_INDEX_FILE": str(outside / "index")}),
    }


WAYS = ("from a folder below", "-C", "options", "environment", "relative environment", "another index")


@pytest.mark.rest
@pytest.mark.parametrize("way", some(WAYS, each=3))
def test_it_works_wherever_git_is_told_to_work(hooked, tmp_path, way) -> None:
    options, at, environment = places(hooked, tmp_path)[way]
    if way == "another index":
        hooked.must("read-tree", "HEAD", **environment)
    before = (hooked.root / "USER.md").read_text()
    hooked.append("USER.md", hooked.BAD)
    refused = hooked.git(*options, "commit", "-a", "-m", "bad", at=at, **environment)
    hooked.write("USER.md", before + hooked.GOOD)
    passed = hooked.git(*options, "commit", "-a", "-m", "good", at=at, **environment)

    assert (refused.returncode, passed.returncode) == (1, 0), (refused.stderr, passed.stderr)
    assert "USER.md:" in refused.stderr
    assert passed.stderr == ""


@pytest.mark.rest
def test_a_linked_working_tree_is_its_own_workspace(hooked, tmp_path) -> None:
    linked = replace(hooked, root=tmp_path / "linked tree")
    hooked.must("worktree", "add", "-q", "-b", "side", str(linked.root))
    hooked.stage("notes.md", hooked.BAD)

    linked.stage("notes.md", hooked.GOOD)
    assert linked.git("commit", "-m", "good").returncode == 0
    linked.stage("notes.md", hooked.BAD)
    assert linked.git("commit", "-m", "bad").returncode == 1
    assert linked.must("show", "HEAD:notes.md") == hooked.GOOD.strip()


@pytest.mark.rest
def test_a_repository_that_lies_elsewhere_is_found(hooked, tmp_path) -> None:
    """`git init --separate-git-dir` moves it; `.git` is a file then."""
    hooked.must("init", "-q", "--separate-git-dir", str(tmp_path / "elsewhere.git"))
    hooked.stage("notes.md", hooked.BAD)

    done = hooked.git("commit", "-m", "bad")

    assert (done.returncode, "notes.md:1: " in done.stderr) == (1, True)


@pytest.mark.rest
def test_a_hook_that_stages_something_is_looked_at_afterwards(hooked) -> None:
    """Another program's hook goes first; git has not noted the tree that its index makes then."""
    theirs = hooked.root / ".git/hooks/pre-commit.before-clawgit"
    theirs.write_text("#!/bin/sh\ngit add late.md\n")
    theirs.chmod(0o755)
    hooked.write("late.md", hooked.BAD)
    hooked.stage("notes.md", hooked.GOOD)

    done = hooked.git("commit", "-m", "notes")

    assert (done.returncode, "late.md:1: " in done.stderr) == (1, True)


@pytest.mark.rest
def test_an_index_that_cannot_be_read_here_is_said_and_does_not_stop_git(hooked) -> None:
    hooked.must("update-index", "--split-index")
    hooked.stage("notes.md", hooked.BAD)

    done = hooked.git("commit", "-m", "split")

    assert done.returncode == 0
    assert "could not be checked" in done.stderr


@pytest.mark.rest
def test_a_reason_lets_it_through_and_stands_in_the_commit(hooked) -> None:
    hooked.stage("notes.md", hooked.BAD)

    done = hooked.git("commit", "-m", "A quotation.", CLAWGIT_OVERRIDE="It is  a quotation.")

    assert done.returncode == 0
    assert "notes.md:1: " in done.stderr
    assert (
        hooked.must("log", "-1", "--format=%(trailers)")
        == "Clawgit-Override: conflict-marker: It is a quotation."
    )
    amended = hooked.git("commit", "--amend", "--no-edit")
    assert (amended.returncode, amended.stderr) == (0, "")


@pytest.mark.rest
def test_a_second_reason_keeps_the_rules_of_the_first(hooked) -> None:
    hooked.stage("notes.md", hooked.BAD)
    hooked.must("commit", "-m", "A quotation.", CLAWGIT_OVERRIDE="It is one.")
    hooked.stage("key.md", f"- ghp_{'a1B2' * 9}\n")

    done = hooked.git("commit", "--amend", "--no-edit", CLAWGIT_OVERRIDE="A test key.")

    assert done.returncode == 0, done.stderr
    assert hooked.must("log", "-1", "--format=%(trailers:only)") == (
        "Clawgit-Override: conflict-marker, secret: A test key."
    )


@pytest.mark.rest
def test_a_reason_without_need_is_not_noted(hooked) -> None:
    hooked.stage("notes.md", hooked.GOOD)

    assert hooked.git("commit", "-m", "Fine.", CLAWGIT_OVERRIDE="just in case").returncode == 0
    assert hooked.must("log", "-1", "--format=%B") == "Fine."


def test_only_the_operator_gives_a_reason(hooked) -> None:
    hooked.stage("notes.md", hooked.BAD)

    done = hooked.git("commit", "-m", "x", CLAWGIT_OVERRIDE="I may", CLAWGIT_ACTOR="host")

    assert done.returncode == 1
    assert "only the operator" in done.stderr


@pytest.mark.parametrize("actor", ["somebody", ""])
def test_an_actor_that_nobody_is_is_refused(hooked, actor: str) -> None:
    hooked.stage("notes.md", hooked.GOOD)

    done = hooked.git("commit", "-m", "x", CLAWGIT_ACTOR=actor)

    assert (done.returncode, "is not an actor" in done.stderr) == (1, True)


@pytest.mark.rest
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows the command of another process")
def test_an_override_of_somebody_elses_lets_nothing_through_when_his_commit_is_amended(hooked) -> None:
    """Mutant: whoever wrote the trailer, it counts as the operator's."""
    hooked.stage("notes.md", hooked.BAD)
    forged = "A note.\n\nClawgit-Actor: host\nClawgit-Override: conflict-marker: I may"
    hooked.must("commit", "--no-verify", "-m", forged, "--author", "host <host@clawgit.invalid>")

    done = hooked.git("commit", "--amend", "--no-edit")

    assert done.returncode == 1
    assert "notes.md" in done.stderr


@pytest.mark.rest
def test_a_message_that_speaks_of_amending_amends_nothing(hooked) -> None:
    hooked.unchecked("notes.md", hooked.BAD)
    hooked.stage("other.md", hooked.GOOD)

    assert hooked.git("commit", "-m", "We should --amend this.").returncode == 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("path", ["memory/2026-03-19.md", "notes.md", "USER.md"])
def test_a_commit_that_takes_nothing_away_waits_for_no_reader_of_markdown(hooked, path) -> None:
    """Mutant: what parses Markdown is loaded with whatever may ask for it."""
    hooked.append(path, hooked.GOOD)
    hooked.must("add", "-f", path)
    command = [sys.executable, "-P", "-X", "importtime", "-m", "clawgit", "hooks", "run", "pre-commit"]
    done = subprocess.run(command, cwd=hooked.root, capture_output=True, check=True, text=True)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "clawgit.history.guards.check" in loaded
    assert "markdown_it" not in loaded
