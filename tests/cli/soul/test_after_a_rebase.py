"""`status`, `log`, `why` and `undo` after `git pull --rebase` on a second machine's commit, with no host connected.

Mutants seen to fail here: what is news begins at git's date of init's commit; a row of the original is what was before
its copy; a plain commit's copy is listed beside it; `undo`, `why` or `log --entry` do not look for the copy of a commit.
"""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

STAGING = "The staging host is pg-stage-2."
ADA = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")


class Machine:
    """A folder that was adopted and not pushed since, its remote, and the commands of a morning."""

    def __init__(self, clawgit, folder: Path) -> None:
        self._clawgit = clawgit
        self.root = folder / "here"
        self.remote = folder / "remote"
        self._minute = 0
        self.root.mkdir()
        self.git("init", "-q", "-b", "main")
        self.write("MEMORY.md", "# Memory\n\n- The babysitter is 12 euro an hour.\n")
        self.write("notes.md", "# Notes\n\n- Lunch with Femke.\n")
        self.commit("The first words")
        self.git("clone", "-q", "--bare", str(self.root), str(self.remote))
        self.git("remote", "add", "origin", str(self.remote))
        self.git("fetch", "-q")
        self.git("branch", "-q", "-u", "origin/main")
        assert self.run("init", "--trust", "operator", str(self.root)).code == 0

    def _now(self) -> str:
        self._minute += 1
        return f"2026-03-19T10:{self._minute:02}:00+00:00"

    def run(self, *words: str, at: Path | None = None):
        folder = str(at or self.root)
        return self._clawgit(*words, environment={"CLAWGIT_WORKSPACE": folder, "CLAWGIT_NOW": self._now()})

    def say(self, *words: str) -> str:
        done = self.run(*words)
        assert done.code == 0, done.err
        return done.out + done.err

    def git(self, *words: str, at: Path | None = None) -> str:
        dates = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), self._now())
        done = subprocess.run(
            ["git", *ADA, *words],
            cwd=at or self.root,
            capture_output=True,
            check=True,
            text=True,
            env={**os.environ, **dates},
        )
        return done.stdout.strip()

    def write(self, path: str, text: str, root: Path | None = None) -> None:
        ((root or self.root) / path).write_text(text)

    def commit(self, message: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", message)

    def pull(self, text: str = "- Of the other machine.\n", path: str = "other.md") -> None:
        """Rebase this machine's commits onto one that the other machine pushed."""
        other = self.remote.with_name("other")
        self.git("clone", "-q", str(self.remote), str(other))
        (other / path).parent.mkdir(exist_ok=True)
        self.write(path, text, other)
        self.git("add", "-A", at=other)
        self.git("commit", "-qm", "Of the other machine", at=other)
        self.git("push", "-q", at=other)
        self.git("-c", "core.hooksPath=/dev/null", "pull", "-q", "--rebase")
        self.run("log")  # the first command says that the history was rewritten

    def verbs(self) -> list[tuple[str, str]]:
        rows = self.run("log", "--json").data["rows"]
        return [(row["verb"], row["words"]) for row in rows if row["words"]]

    def head(self) -> str:
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def machine(clawgit, tmp_path: Path) -> Machine:
    folder = tmp_path / "two machines"
    folder.mkdir()
    return Machine(clawgit, folder)


def test_status_and_log_say_the_same_as_before(machine) -> None:
    machine.say("remember", STAGING)
    machine.say("correct", "The babysitter is 12 euro an hour.", "The babysitter is 13 euro an hour.")
    machine.say("correct", "notes.md:3", "Lunch with Floor.")
    (machine.root / "notes.md").write_text("# Notes\n\n- Lunch with Floor.\n- The dentist is on Monday.\n")
    machine.commit("A note")
    before, verbs = machine.say("status").splitlines(), machine.verbs()
    machine.pull()

    after = machine.say("status").splitlines()
    assert before[1:] == [line for line in after[1:] if "other.md" not in line]
    assert f"  learned: {STAGING}  (you" in "\n".join(after)
    assert "  corrected: The babysitter: 12 euro → 13 euro  (you) → `clawgit undo x:" in "\n".join(after)
    assert verbs == [row for row in machine.verbs() if "other.md" not in row[1]]
    assert verbs[0][0] == "edited"


def test_after_a_conflict_both_machines_have_the_same_correction_in_force(machine) -> None:
    """Seen: at one commit, 20 in force on the machine that pulled, first in its searches and its prompts, beside the line with 22."""
    line = "The babysitter is {} euro an hour."
    machine.git("push", "-q")
    other = machine.remote.with_name("other")
    machine.git("clone", "-q", str(machine.remote), str(other))
    for name, root in (("Ada", machine.root), ("Ben", other)):
        machine.git("config", "user.name", name, at=root)
        machine.git("config", "user.email", f"{name.lower()}@example.org", at=root)
    machine.run("init", str(other))
    machine.run("chat", "add", line.format("20").replace(".", ", not 12 euro."), at=other)
    machine.git("push", "-q", at=other)
    machine.run("chat", "add", line.format("22").replace(".", ", not 12 euro."))
    mine = (machine.root / "CORRECTIONS.md").read_text()
    with pytest.raises(subprocess.CalledProcessError):
        machine.git("pull", "-q", "--rebase")
    machine.git("checkout", "--theirs", "MEMORY.md")
    machine.write("CORRECTIONS.md", (other / "CORRECTIONS.md").read_text() + "\n" + mine[mine.index("## ") :])
    machine.git("add", "-A")
    machine.git("-c", "core.editor=true", "-c", "core.hooksPath=/dev/null", "rebase", "--continue")
    machine.git("-c", "core.hooksPath=/dev/null", "push", "-q")
    machine.git("pull", "-q", at=other)

    for root in (machine.root, other):
        assert line.format("22") in (root / "MEMORY.md").read_text()
        listed = machine.run("corrections", at=root).out
        assert re.findall(r"applied, not in force.*\n    correct: (.*)", listed) == [line.format("20")]
        assert line.format("20") not in machine.run("context", "--query", "babysitter", at=root).out
        first = machine.run("search", "babysitter euro", at=root).out.splitlines()[1]
        assert line.format("22") in first
    theirs = machine.run("search", "babysitter euro", at=other).out
    assert "Ada, as understood" in theirs
    assert "(Ada's words, 19 March: " in theirs


@pytest.mark.rest
def test_what_the_other_machine_wrote_after_init_was_not_there_before(machine) -> None:
    """Mutant: the workspace began at git's date of init's commit."""
    machine.pull("- Of the other machine.\n", "memory/theirs.md")

    assert ("remembered", "Of the other machine.") in machine.verbs()


def test_the_hash_of_a_rewritten_commit_leads_to_its_copy(machine) -> None:
    machine.say("remember", STAGING)
    old = machine.head()[:12]
    machine.pull()
    new = machine.head()[:12]

    assert machine.say("log", "--entry", old) == machine.say("log", "--entry", STAGING)
    assert f"({new})" in machine.say("why", old)
    assert f"({old})" not in machine.say("why", old)
    assert f"{new}  remember: " in machine.say("undo", old)
    assert STAGING not in (machine.root / "MEMORY.md").read_text()


@pytest.mark.rest
def test_a_commit_whose_copy_needed_other_lines_is_taken_back_by_its_hash(machine) -> None:
    machine.say("remember", STAGING)
    machine.write("other.md", "- Mine.\n")
    machine.commit("Of this machine")
    old = machine.head()[:12]
    with pytest.raises(subprocess.CalledProcessError):
        machine.pull()
    machine.write("other.md", "- Of the other machine, and mine.\n")
    machine.git("add", "-A")
    machine.git("-c", "core.hooksPath=/dev/null", "-c", "core.editor=true", "rebase", "--continue")

    assert machine.say("why", old).startswith("Of the other machine, and mine.\n")
    assert f"{machine.head()[:12]}  Of this machine" in machine.say("undo", old)
    assert (machine.root / "other.md").read_text() == "- Of the other machine.\n"


@pytest.mark.rest
def test_the_hash_of_a_commit_that_nothing_repeats_is_refused_with_the_reason(machine) -> None:
    machine.say("remember", STAGING)
    old = machine.head()[:12]
    machine.git("reset", "-q", "--hard", "HEAD~1")
    done = machine.run("undo", old)

    assert done.code == 1
    assert "git gives a commit another id" in machine.run("undo", f"{old[:8]}ffff").err
    assert f"{old} (remember: {STAGING}) is not part of this branch, and no commit here has" in done.err


@pytest.mark.rest
def test_soul_revert_takes_back_the_copy(machine) -> None:
    soul = machine.root / "SOUL.md"
    soul.write_text(soul.read_text().replace("No flattery", "Some flattery"))
    machine.commit("A softer soul")
    old = machine.head()[:12]
    machine.pull()

    machine.say("soul", "revert", old, "--reason", "Too soft.")
    assert "No flattery" in soul.read_text()
