"""`edits_here: mine`: who types in the folder is the operator, and a host never becomes him by it."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from clawgit.cli.agents.job_start import runner_for
from clawgit.cli.app import App
from clawgit.cli.service.workings import reconcile_quiet
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.operator_records import record_connected

NOTES = "notes/kiln.md"


@pytest.fixture
def mine(clawgit):
    """Set it, and return what runs a command there."""
    assert clawgit("config", "set", "edits_here", "mine").code == 0
    return clawgit


def actor_of(room, path: str) -> str:
    command = "--format=%(trailers:key=Clawgit-Actor,valueonly,separator=)"
    return room.git("log", "-1", command, "--", path)


def connect(room, now) -> None:
    assert record_connected(room.history, "openclaw", Intent(new_op(), "operator", now))


def keep_at_a_terminal(room, answer: str, **environment: str) -> str:
    """Run `clawgit keep` as a person does who types ``answer``, and return what it said."""
    own, terminal = pty.openpty()
    os.write(own, f"{answer}\n".encode())
    command = [sys.executable, "-m", "clawgit", "-w", str(room.root), "keep"]
    done = subprocess.run(
        command, stdin=terminal, capture_output=True, text=True, check=True, env={**os.environ, **environment}
    )
    os.close(own)
    os.close(terminal)
    return done.stderr


def test_without_it_an_edit_has_an_unknown_author_and_keep_names_the_setting(clawgit, room) -> None:
    room.write(NOTES, "- The kiln is red.\n")

    said = clawgit("keep").err

    assert actor_of(room, NOTES) == "unknown"
    assert "clawgit config set edits_here mine" in said
    assert "also of what your agent writes, until you connect it." in said


def test_with_it_an_edit_is_the_operators(mine, room) -> None:
    room.write(NOTES, "- The kiln is red.\n")

    said = mine("keep").err

    assert actor_of(room, NOTES) == "operator"
    assert f"Committed, written by you: {NOTES}." in said
    assert "keep --as operator" not in said


def test_a_file_that_he_moves_is_one_commit_of_his(mine, room) -> None:
    """Seen: the deletion was his, the new file an unknown author's, and `status` named the undo that deletes it."""
    room.change({NOTES: "# Kiln\n\n- Batch 0 was fired twice.\n"}, actor="unknown")
    (room.root / NOTES).rename(room.root / "notes/batches.md")

    mine("keep")

    assert room.git("show", "--format=", "--name-status", "-M", "HEAD").split("\t") == [
        "R100",
        NOTES,
        "notes/batches.md",
    ]
    assert actor_of(room, "notes/batches.md") == "operator"
    assert "an unknown author" in mine("search", "batch 0").out, "a move gives nobody's words to him"


def test_a_connection_ends_it_and_each_screen_says_so(mine, room, now) -> None:
    """Seen: `config show` still said "mine  (in force)", and `status` had the edit without a command."""
    connect(room, now)
    room.write("MEMORY.md", "- The kiln is red.\n")
    mine("keep")

    assert "(no effect while an agent is connected, or where" in mine("config", "show", "edits_here").out
    way = f"keep --as operator {room.head()[:12]}"
    assert f"  If you wrote what has an unknown author: `clawgit {way}`\n" in mine("status").out
    mine(*way.split())
    assert "unknown author" not in mine("status").out


def test_a_prompt_of_an_agent_waits_for_him_as_before(mine, room) -> None:
    path = "agents/memory-miner/SOUL.md"
    room.write(path, f"{room.read(path)}\nOne line more.\n")

    mine("keep")

    assert room.git("status", "--porcelain") == f"M {path}"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", ["CONFIG.md", "SOUL.md", "IDENTITY.md"])
def test_it_does_not_reach_settings_and_the_soul(mine, room, path: str) -> None:
    (room.root / "BOOTSTRAP.md").unlink()
    mine("keep")
    room.write(path, f"{room.read(path)}\nOne line more.\n")
    room.write(NOTES, "- The kiln is red.\n")

    said = mine("keep").err

    assert actor_of(room, NOTES) == "operator"
    assert actor_of(room, path) == "unknown"
    assert f"Committed with an unknown author: {path}." in said
    assert said.split("--as operator ")[1].split()[0] == room.head()[:12]


def test_what_a_branch_brought_into_the_folder_is_nobodys_that_is_known(mine, room) -> None:
    room.git("checkout", "-q", "-b", "other")
    room.write(NOTES, "- Pay Mallory.\n")
    room.git("add", NOTES)
    room.git("commit", "-q", "-m", "Mallory's", "--author", "Mallory <m@example.org>")
    room.git("checkout", "-q", "main")
    room.git("restore", "--source", "other", NOTES)

    mine("keep")

    assert actor_of(room, NOTES) == "unknown"


def test_an_edit_that_a_command_of_his_finds_is_his_and_one_that_a_hosts_finds_is_not(mine, room) -> None:
    day = "memory/2026-03-19.md"
    room.write(day, "- The kiln is red.\n")
    assert mine("memory", "add", "The glaze is blue.", "--to", day).code == 0
    assert room.actors()[:2] == ["operator", "operator"]

    room.write("memory/learned.md", "- The van is sold.\n")
    assert mine("memory", "add", "The shed is locked.", actor="host").code == 0

    assert room.actors()[:2] == ["host", "unknown"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("sign", "actor"), [({}, "operator"), ({"CLAUDECODE": "1"}, "unknown")], ids=["service", "host's service"]
)
def test_what_the_service_finds_is_his_unless_a_host_began_it(mine, room, sign, actor: str) -> None:
    room.write(NOTES, "- The kiln is red.\n")

    reconcile_quiet(room.root, {"CLAWGIT_NOW": "2026-03-19T10:22:00+00:00", "CLAWGIT_REHEARSE": "1", **sign})

    assert actor_of(room, NOTES) == actor


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("sign", "actor"), [({}, "operator"), ({"CLAUDECODE": "1"}, "unknown")], ids=["runner", "host's runner"]
)
def test_what_a_job_finds_is_his_unless_a_host_began_its_runner(mine, room, sign, actor: str) -> None:
    """Mutant: a job's environment has no sign, so it takes a host's runner for the operator's."""
    room.write(NOTES, "- The kiln is red.\n")
    runner = runner_for(App({**sign, "CLAWGIT_NOW": "2026-03-19T10:22:00+00:00"}), room.history)

    _, environment = runner.start("organizer", ["keep"], 0)
    of_ours = {name: value for name, value in environment.items() if name.startswith("CLAWGIT_")}
    assert mine("keep", environment=of_ours).code == 0

    assert actor_of(room, NOTES) == actor


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("environment", "actor"),
    [
        ({"CLAUDECODE": "1"}, "host"),
        ({"CLAWGIT_ACTOR": "host"}, "host"),
        ({"CLAWGIT_ACTOR": "unknown"}, "unknown"),
    ],
    ids=["sign", "host", "unknown"],
)
def test_who_bears_a_hosts_sign_or_says_so_is_not_the_operator(mine, room, environment, actor: str) -> None:
    room.write(NOTES, "- The kiln is red.\n")

    mine("keep", environment=environment)

    assert actor_of(room, NOTES) == actor


def test_while_a_host_is_connected_nothing_is_his_without_a_yes_at_a_terminal(mine, room, now) -> None:
    connect(room, now)
    room.write(NOTES, "- The kiln is red.\n")

    mine("keep")

    assert actor_of(room, NOTES) == "unknown"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("answer", "actor"), [("y", "operator"), ("n", "unknown")])
def test_at_a_terminal_keep_shows_what_is_there_and_asks(mine, room, now, answer: str, actor: str) -> None:
    connect(room, now)
    room.write(NOTES, "- The kiln is red.\n")
    room.write("SOUL.md", f"{room.read('SOUL.md')}\nOne line more.\n")
    room.write("notes/keys.md", "The key is ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8.\n")

    said = keep_at_a_terminal(room, answer)

    assert f"{NOTES} +1\n  + The kiln is red.\n" in said
    assert "Is all of it yours?" in said
    assert "SOUL.md +" not in said
    assert "keys.md +" not in said  # it is not committed
    assert actor_of(room, NOTES) == actor
    assert actor_of(room, "SOUL.md") == "unknown"


@pytest.mark.rest
def test_in_a_hosts_terminal_nobody_is_asked(mine, room, now) -> None:
    connect(room, now)
    room.write(NOTES, "- The kiln is red.\n")

    said = keep_at_a_terminal(room, "y", CODEX_THREAD_ID="1")

    assert "Is all of it yours?" not in said
    assert actor_of(room, NOTES) == "host"


def test_a_host_cannot_set_it(clawgit, room) -> None:
    assert clawgit("config", "set", "edits_here", "mine", actor="host").code == 0
    room.write(NOTES, "- The kiln is red.\n")

    clawgit("keep")

    assert actor_of(room, NOTES) == "unknown"
    assert clawgit("config", "show", "edits_here", "--json").data["waiting"] == "mine"


def test_in_a_folder_that_another_account_writes_too_nothing_is_his_unseen(mine, room) -> None:
    room.root.chmod(0o2770)
    room.write(NOTES, "- The kiln is red.\n")

    mine("keep")

    assert actor_of(room, NOTES) == "unknown"


def test_who_claims_a_commit_does_not_claim_what_a_label_gives_to_the_agent(clawgit, room) -> None:
    """Seen: "**Quill:** …" in a note of the day counted as the operator's words. Mutant: a label of a thing is a speaker."""
    room.change({"IDENTITY.md": "# Identity\n\n- **Name:** Quill\n"}, actor="operator")
    note = "# 18\n\n- **Quill:** I will remind you of the talk.\n- **Rent:** 900 euros are due.\n- Pepper was at the vet.\n"
    room.change({"memory/2026-03-18.md": note}, actor="unknown")

    done = clawgit("keep", "--as", "operator", room.head())

    assert done.code == 0
    assert "What a label gives to your agent (`Quill:`) stays its own." in done.err
    hits = clawgit("search", "remind Rent vet Pepper talk due", "--json").data["results"]
    trusts = {each["snippet"].split(" ")[1]: each["trust"] for each in hits}
    assert (trusts["**Quill:**"], trusts["**Rent:**"]) == ("unknown", "operator")
