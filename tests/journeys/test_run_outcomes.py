"""How a run can end, as the installed program shows it: applied, nothing, proposed, refused, failed.

Behind the settings stands a real service that answers as it is told. No agent that can be run yet proposes anything: they
write memory, and only edits of the soul and the standing files wait for a yes. So the run that proposes is an agent's of the
test, through the function that all of them go through; what is said of it is the program's.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import redirect_stdout
from dataclasses import dataclass
from datetime import UTC, datetime
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest

from clawgit.agents.door.second_reader import Reading
from clawgit.agents.run_agent import Agent, Planned, run_agent
from clawgit.capture.messages.message import chat_id
from clawgit.cli.main import run as run_here
from clawgit.history.git.repository import open_history
from clawgit.operations.wiring.open_settings import bring_into_force
from clawgit.plan import Edit, Evidence, Plan
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.rest

NOON = "2026-03-19T12:00:00+00:00"
TEA = "I prefer tea over coffee."
HANGS = 120  # seconds
LIMIT = 65_536  # the least that max_file_bytes may be
MEMORY = {
    "do": "ADD",
    "statement": "User prefers tea over coffee.",
    "tag": "knowledge",
    "id": f"chat:{chat_id('cli', 'main', '1')}",
    "quote": "prefer tea over coffee",
}
SENTENCES = Reading(TEA, "", "", MEMORY["statement"]).sentences()
READ_AGAIN = {"choices": [{"number": "1", "sentence": f"1{'abcde'[SENTENCES.index(MEMORY['statement'])]}"}]}


@dataclass(frozen=True, slots=True)
class Program:
    """The installed program in a workspace of its own."""

    root: Path

    def environment(self) -> dict[str, str]:
        return {"CLAWGIT_WORKSPACE": str(self.root), "CLAWGIT_NOW": NOON}

    def start(self, *words: str) -> subprocess.Popen[str]:
        environment = {"HOME": os.environ["HOME"], "PATH": os.environ.get("PATH", os.defpath)}
        return subprocess.Popen(
            [sys.executable, "-m", "clawgit", *words],
            env=environment | self.environment(),
            text=True,
            stdout=-1,
            stderr=-1,
        )

    def run(self, *words: str) -> tuple[int, str]:
        started = self.start(*words)
        out, err = started.communicate()
        return started.returncode, out or err

    def told(self, *words: str) -> Any:
        """Run a command in this process: it asks what another process did, or prepares it."""
        with redirect_stdout(StringIO()) as out:
            code = run_here([*words, "--json"], self.environment())
        assert code == 0, out.getvalue()
        return json.loads(out.getvalue())

    def git(self, *words: str) -> str:
        done = subprocess.run(["git", *words], cwd=self.root, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def stands(self) -> dict[str, Any]:
        """Return of the status what a run may have changed."""
        names = ("commit", "uncommitted", "proposals", "quarantined", "interrupted", "blocked")
        status = self.told("status")
        return {name: status[name] for name in names}


@pytest.fixture
def program(tmp_path, ada, scripted) -> Program:
    """Return a workspace with a model in its settings, and a message that waits for the miner."""
    program = Program(tmp_path / "workspace")
    program.told("init", str(program.root))
    program.told("config", "set", "model", "openai:m")
    program.told("config", "set", "model_url", scripted.url)
    program.told("chat", "add", TEA, "--id", "1", "--at", "2026-03-19T09:00")
    return program


def shown(run: dict[str, Any]) -> dict[str, Any]:
    return {name: run[name] for name in ("outcome", "commit", "edits", "tokens", "reason")}


def test_applied(program, scripted) -> None:
    before = program.stands()
    scripted.says({"memories": [MEMORY]}, READ_AGAIN, tokens=321)

    code, _ = program.run("run", "memory-miner")

    (run,) = program.told("runs")
    assert code == 0
    assert shown(run) == {
        "outcome": "applied",
        "commit": program.git("rev-parse", "HEAD"),
        "edits": 1,
        "tokens": 2 * 321,
        "reason": "",
    }
    assert program.stands() == before | {"commit": run["commit"]}
    assert "User prefers tea over coffee." in program.git("show", "HEAD:MEMORY.md")


def test_nothing(program, scripted) -> None:
    before = program.stands()
    scripted.says({"memories": []}, tokens=55)

    code, _ = program.run("run", "memory-miner")

    (run,) = program.told("runs")
    assert code == 0
    assert shown(run) == {
        "outcome": "nothing",
        "commit": None,
        "edits": 0,
        "tokens": 55,
        "reason": "There was nothing to change.",
    }
    assert program.stands() == before
    assert program.run("run", "memory-miner") == (0, "The memory-miner has nothing to do.\n")


def test_applied_by_rules_since_the_answer_is_of_no_use(program, scripted) -> None:
    scripted.says({"memories": [MEMORY | {"quote": "never said"}]}, tokens=66)

    code, _ = program.run("run", "memory-miner")

    (run,) = program.told("runs")
    assert code == 0
    assert (run["outcome"], run["edits"], run["tokens"]) == ("applied", 1, 66)
    assert run["reason"].startswith("Refused of the model's answer: ")


def test_refused_by_a_guard(program, scripted) -> None:
    """Mutant: it ends the command as if it were done. What is too large is not kept."""
    program.told("config", "set", "max_file_bytes", str(LIMIT))
    path = program.root / "MEMORY.md"
    path.write_text(path.read_text("utf-8").ljust(LIMIT - 20, "x") + "\n", "utf-8")
    program.git("commit", "-qam", "a long page")
    before = program.stands()
    scripted.says({"memories": [MEMORY]}, READ_AGAIN, tokens=77)

    code, _ = program.run("run", "memory-miner")

    (run,) = program.told("runs")
    assert code == 1
    assert (run["outcome"], run["commit"], run["edits"], run["tokens"]) == ("refused", None, 0, 2 * 77)
    assert "the limit is 65,536" in run["reason"]
    assert program.stands() == before


def test_failed_since_somebody_interrupted_it(program, scripted) -> None:
    """Mutants: the run is not on record; its reason is the name of a class; what the question might have used stays set aside."""
    program.told("config", "set", "model_daily_tokens", "12000")  # one question of 8,000 and some fits
    before = program.stands()
    asked = threading.Event()
    scripted.says(lambda *_: asked.set() or scripted.service.stopped.wait())
    started = program.start("run", "memory-miner")
    assert asked.wait(HANGS)

    started.send_signal(signal.SIGINT)

    assert started.communicate()[0] == ""
    assert started.returncode == 130
    (run,) = program.told("runs")
    assert shown(run) == {
        "outcome": "failed",
        "commit": None,
        "edits": 0,
        "tokens": 0,
        "reason": "It was interrupted.",
    }
    assert program.stands() == before
    scripted.service.next.clear()
    scripted.says({"memories": [MEMORY]}, READ_AGAIN)
    ((outcome, tokens, reason),) = [(run["outcome"], run["tokens"], run["reason"]) for run in program.told("run", "memory-miner")]  # fmt: skip
    assert (outcome, tokens, reason) == ("applied", 200, "")


@dataclass(frozen=True, slots=True)
class Keeper(Agent):
    """An agent that would add to the soul."""

    name = "soul-keeper"
    input_id = "chat:1"
    trust = "operator"

    def plan(self, tree: Any) -> Planned:
        soul = (tree.read("SOUL.md") or b"") + b"\nTea first.\n"
        said = Evidence(MEMORY["id"], TEA)
        return Planned(Plan("soul: tea first", (Edit("SOUL.md", soul),), evidence=(said,)))


def test_proposed(program) -> None:
    program.told("config", "set", "soul_policy", "review")
    before = program.stands()
    history = open_history(program.root)
    bring_into_force(history, program.root / "nothing is trusted")
    now = datetime(2026, 3, 19, 12, tzinfo=UTC)

    with open_records(history.state / RECORDS, now) as records:
        run_agent(history, records, Keeper(tokens=88), now)

    (run,) = program.told("runs", "--agent", "soul-keeper")
    (proposal,) = program.told("status")["proposals"]
    assert shown(run) == {
        "outcome": "proposed",
        "commit": None,
        "edits": 0,
        "tokens": 88,
        "reason": f"It needs the operator's approval: proposal {proposal['id']}.",
    }
    assert program.stands() == before | {"proposals": [proposal]}
    assert (proposal["actor"], proposal["paths"]) == ("soul-keeper", ["SOUL.md"])
    status = program.run("status")[1]
    assert f"? {proposal['id']}: " in status
    assert f"(`clawgit approve {proposal['id']}`)" in status
    assert "all answers: `clawgit pending show ID`" in status
    answers = program.run("pending", "show", proposal["id"])[1]
    assert f"clawgit reject {proposal['id']}" in answers
