"""docs/moving.md, walked as it stands: its commands, from one home to another, and what must be there afterwards."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from postgres_server import HAS_POSTGRES
from tests_folder import TESTS

PAGE = (TESTS.parent / "docs/moving.md").read_text("utf-8")
OLD, NEW, SEND, FETCH = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)


class Machine:
    """A home folder of its own, with clawgit and git on its path."""

    def __init__(self, home: Path) -> None:
        self.home = home
        home.mkdir()
        (home / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n")

    def sh(self, script: str) -> str:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, "HOME": str(self.home), "PATH": path}
        done = subprocess.run(
            ["sh", "-e"],
            input=script,
            cwd=self.home,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def knows(self) -> dict[str, object]:
        """Return all that must be the same on both machines."""
        status = json.loads(self.sh("clawgit -w ~/agent status --json"))
        return {
            "messages": self.sh("clawgit -w ~/agent chat log --json"),
            "entries": self.sh("clawgit -w ~/agent memory list --json"),
            "references": self.sh("git -C ~/agent for-each-ref refs/clawgit/proposals refs/clawgit/rescue"),
            "files": self.sh("git -C ~/agent ls-tree -r HEAD"),
            "waits": [status["proposals"], status["rescued"], status["quarantined"], status["blocked"]],
        }


@pytest.fixture
def old(tmp_path) -> Machine:
    machine = Machine(tmp_path / "old")
    machine.sh(
        """
        clawgit init ~/agent
        clawgit -w ~/agent memory add "Chose REST over GraphQL for the Acme API." --tag decision
        clawgit -w ~/agent chat add --role user "The zebra is called Zoe."
        clawgit -w ~/agent hooks install
        echo "I am somebody else." > ~/agent/SOUL.md
        clawgit -w ~/agent keep
        git -C ~/agent restore SOUL.md
        git -C ~/agent update-ref refs/clawgit/rescue/0123456789abcdef \
            $(git -C ~/agent commit-tree -m rescued -p HEAD 'HEAD^{tree}')
        """
    )
    return machine


def carried(old: Machine, new: Path, *names: str) -> None:
    """Take the named things from one home to the other; the old machine is gone afterwards."""
    for name in names:
        (old.home / name).rename(new / name)
    shutil.rmtree(old.home)


@pytest.mark.rest
def test_the_page_moves_all_that_the_workspace_knows(old, tmp_path) -> None:
    old.sh(OLD)
    known = old.knows()
    new = Machine(tmp_path / "new")
    carried(old, new.home, "agent.git", "agent.backup")

    new.sh(NEW)

    assert new.knows() == known
    assert "Zoe" in str(known["messages"])
    assert len(str(known["references"]).splitlines()) == 2


@pytest.mark.long
def test_a_mirror_of_ones_own_moves_the_references(old, tmp_path) -> None:
    old.sh(OLD)
    old.sh(SEND)
    known = old.knows()
    new = Machine(tmp_path / "new")
    carried(old, new.home, "mirror.git", "agent.backup")

    new.sh(FETCH)

    assert new.knows() == known


@pytest.fixture(params=["sqlite", *(["postgres"] if HAS_POSTGRES else [])])
def shared_store(request, tmp_path) -> str:
    """Return the address of a message store that both machines reach."""
    if request.param == "sqlite":
        return f"sqlite://{tmp_path}/shared-messages.db"
    return str(request.getfixturevalue("postgres_url"))


def entries(machine: Machine) -> list[str]:
    listed = json.loads(machine.sh("clawgit -w ~/agent memory list --json"))
    return sorted(each["text"] for each in listed)


@pytest.mark.rest
def test_two_machines_on_one_message_store_each_learn_what_is_said(tmp_path, shared_store) -> None:
    """Mutants: the marks of one count for the other; a restored clone has the id of the first; it reads all again."""
    first, second = Machine(tmp_path / "first"), Machine(tmp_path / "second")
    first.sh(
        f"""
        clawgit init ~/agent
        clawgit -w ~/agent config set messages_url "{shared_store}"
        clawgit -w ~/agent chat add "Remember: the zebra is called Zoe."
        clawgit -w ~/agent run memory-miner
        """
    )
    first.sh(OLD)
    for name in ("agent.git", "agent.backup"):
        (first.home / name).rename(second.home / name)
    second.sh(NEW)
    both = first, second

    first.sh('clawgit -w ~/agent chat add "Our parrot is called Polly."')
    waiting = [json.loads(machine.sh("clawgit -w ~/agent chat log -n 1 --json")) for machine in both]
    for machine in both:
        machine.sh("clawgit -w ~/agent run memory-miner")
    first.sh('clawgit -w ~/agent chat add "No, the parrot is called Pepper, not Polly."')
    for machine in both:
        machine.sh("clawgit -w ~/agent run recall-validator")

    assert [[each["text"] for each in messages] for messages in waiting] == [
        ["Our parrot is called Polly."]
    ] * 2
    assert entries(first) == entries(second)
    assert [any(name in text for text in entries(second)) for name in ("Zoe", "Pepper", "Polly")] == [
        *(True, True, False)
    ]
