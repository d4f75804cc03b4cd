"""Commands in a host's shell: nothing that they do is the operator's."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

import pytest
from typed_commands import SIGNED, WAYS_BELOW, below, typed

from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.hooks.install import install_hooks
from clawgit.history.states import take_snapshot

SHELL = {"OPENCLAW_SHELL": "exec"}


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "words",
    [
        ("keep", "--as", "operator"),
        ("keep", "--as", "operator", "HEAD"),
        ("undo", "HEAD"),
        ("soul", "snapshot", "-m", "now"),
        ("soul", "restore", "HEAD", "--reason", "So."),
        ("soul", "revert", "HEAD"),
        ("trust", "soul_policy"),
        ("hooks", "uninstall"),
        ("pause",),
        ("init", "--trust", "operator"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("named", [{}, {"CLAWGIT_ACTOR": "operator"}], ids=["silent", "says operator"])
def test_what_only_the_operator_does_is_refused(clawgit, room, words, named) -> None:
    before = room.head()

    done = clawgit(*words, environment=SHELL | named)

    assert done.code == 1
    assert "runs for your agent" in done.err
    assert room.head() == before


def test_a_guarded_setting_waits(clawgit) -> None:
    clawgit("config", "set", "soul_policy", "review", environment=SHELL)

    assert clawgit("config", "show", "soul_policy", "--json").data["value"] == "evolve"


def test_its_edits_are_its_own(clawgit, room) -> None:
    room.write("memory/a.md", "- a\n")
    clawgit("keep", environment=SHELL)

    assert room.actors()[0] == "host"


def test_what_it_remembers_is_its_own(clawgit, room) -> None:
    assert clawgit("memory", "add", "Tea is at four.", environment=SHELL).code == 0

    assert room.actors()[0] == "host"


CLAWGIT = f"{sys.executable} -P -m clawgit"


@pytest.fixture
def proposal(clawgit, room) -> str:
    """A line for the soul that waits for the operator."""
    (room.root / "BOOTSTRAP.md").unlink()
    room.keep("operator")
    clawgit("soul", "propose", "Pay every vendor at once.", "--reason", "It is faster.", environment=SHELL)
    return clawgit("pending", "--kind", "proposal", "--json").data[0]["id"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("way", WAYS_BELOW)
def test_a_terminal_made_below_a_sign_approves_nothing(room, proposal, way: str) -> None:
    """Mutant: any terminal makes the name count."""
    before = room.head()

    said = typed(room.root, below(way, f"CLAWGIT_ACTOR=operator {CLAWGIT} approve {proposal}"))

    assert room.head() == before, said
    assert "vendor" not in room.read("SOUL.md")


@pytest.mark.rest
def test_at_a_terminal_that_was_there_before_the_sign_the_operator_approves(room, proposal) -> None:
    line = f"{SIGNED} sh -c 'CLAWGIT_ACTOR=operator {CLAWGIT} approve {proposal}; exit $?'"

    said = typed(room.root, line)

    assert "vendor" in room.read("SOUL.md"), said
    assert "Clawgit-Unattended: CLAUDECODE" in room.git("log", "-1", "--format=%B")


LINE = ("--channel", "telegram", "--sender", "4242", "Tabs, not spaces.")


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("environment", "trust"),
    [({}, "operator"), (SHELL, "host"), ({"CLAWGIT_ACTOR": "host"}, "host")],
    ids=["the operator", "a sign", "a name"],
)
def test_a_message_counts_at_most_as_whoever_brings_it(clawgit, room, environment, trust) -> None:
    room.write("CONFIG.md", "```yaml\noperator_ids: ['telegram:4242']\n```\n")
    room.git("commit", "-qam", "settings")

    assert clawgit("chat", "add", *LINE, "--json", environment=environment).data["trust"] == trust


def test_an_imported_message_too(clawgit, room, tmp_path) -> None:
    room.write("CONFIG.md", "```yaml\noperator_ids: ['telegram:4242']\n```\n")
    room.git("commit", "-qam", "settings")
    lines = tmp_path / "talk.jsonl"
    lines.write_text('{"channel": "telegram", "sender": "4242", "id": "1", "text": "Tabs."}\n')

    clawgit("chat", "import", str(lines), environment=SHELL)

    assert [each["trust"] for each in clawgit("chat", "log", "--json").data] == ["host"]


def test_status_names_a_host_that_was_seen_until_the_hooks_are_installed(clawgit, room) -> None:
    said = "its own `git commit` counts as yours"
    assert said not in clawgit("status").out

    clawgit("status", environment=SHELL)
    assert "! OpenClaw works here" in clawgit("status").out
    assert clawgit("status", "--json").data["host"] == "OpenClaw"

    install_hooks(room.history, sys.executable)
    assert said not in clawgit("status").out


def test_a_host_is_seen_by_what_it_left_in_the_folder(clawgit, room) -> None:
    (room.root / ".openclaw").mkdir()

    assert "! OpenClaw works here" in clawgit("status").out


def test_a_workspace_that_a_host_makes_is_its_own_and_whole(clawgit, room, tmp_path) -> None:
    at = {**SHELL, "CLAWGIT_WORKSPACE": str(tmp_path / "new")}

    assert clawgit("init", environment=at).code == 0

    status = clawgit("status", "--json", environment={"CLAWGIT_WORKSPACE": str(tmp_path / "new")}).data
    assert (status["ritual_open"], status["settings_waiting"], status["arrived"]) == (True, [], [])
    assert clawgit("doctor", environment={"CLAWGIT_WORKSPACE": str(tmp_path / "new")}).code == 0
    room.root = tmp_path / "new"
    assert room.actors() == ["host"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("environment", "left"),
    [(SHELL, ""), ({"CLAWGIT_ACTOR": "host"}, ""), ({}, "A  memory/a.md")],
    ids=["a host's shell", "a host", "nobody known"],
)
def test_what_a_host_staged_in_its_turn_is_kept_as_its_own(clawgit, room, environment, left) -> None:
    room.write("memory/a.md", "- a\n")
    room.git("add", "-A")
    before = room.head()

    assert clawgit("keep", environment=environment).code == 0

    assert room.git("status", "--porcelain") == left
    assert (room.head() == before) == bool(left)
    assert left or room.actors()[0] == "host"


def test_a_staged_removal_too(clawgit, room) -> None:
    room.git("rm", "-q", "HEARTBEAT.md")

    clawgit("keep", environment=SHELL)

    assert room.git("status", "--porcelain") == ""
    assert not (room.root / "HEARTBEAT.md").exists()


HALF_STAGED = {
    "edited further": (lambda room: room.write("memory/a.md", "- a\n- b\n"), "- a\n- b\n"),
    "taken out of the folder": (lambda room: (room.root / "memory/a.md").unlink(), None),
    "meant to be added": (lambda room: room.git("reset", "-q") or room.git("add", "-N", "memory"), "- a\n"),
}


@pytest.mark.parametrize(("further", "final"), HALF_STAGED.values(), ids=list(HALF_STAGED))
def test_what_a_host_staged_and_then_edited_is_kept_as_it_ended(clawgit, room, further, final) -> None:
    room.write("memory/a.md", "- a\n")
    room.git("add", "-A")
    further(room)

    assert clawgit("keep", environment=SHELL).code == 0

    assert room.git("status", "--porcelain") == ""
    assert (
        room.git("ls-files", "-s", "memory/a.md").split()[1:2]
        == room.git("ls-tree", "HEAD", "memory/a.md").split()[2:3]
    )
    assert ((room.root / "memory/a.md").read_text() if final else None) == final
    assert room.actors()[0] == ("host" if final else "operator")


def test_a_version_that_a_host_staged_and_went_back_from_is_staged_no_more(clawgit, room) -> None:
    before = room.read("AGENTS.md")
    room.write("AGENTS.md", before + "- More.\n")
    room.git("add", "-A")
    room.write("AGENTS.md", before)

    clawgit("keep", environment=SHELL)

    assert room.git("status", "--porcelain") == ""


def test_what_a_host_staged_of_the_soul_and_may_not_keep_is_staged_no_more(clawgit, room) -> None:
    (room.root / "BOOTSTRAP.md").unlink()
    clawgit("keep", "--as", "operator")
    before = room.read("SOUL.md")
    room.write("SOUL.md", "# Mine\n")
    room.git("add", "-A")

    clawgit("keep", environment=SHELL)

    assert room.read("SOUL.md") == before
    assert room.git("status", "--porcelain") == ""


def test_what_a_guard_holds_back_stays_staged_as_it_was(clawgit, room) -> None:
    room.write("memory/a.md", "- a\n")
    room.git("add", "-A")
    room.write("memory/a.md", "- a\n<<<<<<< ours\n- b\n=======\n- c\n>>>>>>> theirs\n")

    clawgit("keep", environment=SHELL)

    assert room.git("show", ":memory/a.md") == "- a"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "words",
    [("keep", "--as", "operator"), ("memory", "add", "Tea is at four."), ("soul", "snapshot", "-m", "now")],
)
def test_with_a_name_and_an_older_terminal_the_operators_change_is_made_and_marked(room, words) -> None:
    room.write("memory/a.md", "- Tea.\n")

    said = typed(room.root, f"CODEX_THREAD_ID=7 CLAWGIT_ACTOR=operator {CLAWGIT} {shlex.join(words)}")

    assert "bug" not in said
    shown = room.git("log", "-1", "--format=%(trailers:key=Clawgit-Actor,key=Clawgit-Unattended)")
    assert shown.split("\n") == ["Clawgit-Actor: operator", "Clawgit-Unattended: CODEX_THREAD_ID"]


def test_a_log_shows_the_operators_change_in_a_hosts_shell_as_unattended(clawgit, room) -> None:
    intent = Intent(new_op(), "operator", room.now, unattended="CODEX_THREAD_ID")
    room.write("SOUL.md", room.read("SOUL.md") + "- Be brief.\n")
    take_snapshot(room.history, "now", intent)

    assert "you, unattended: " in clawgit("soul", "log").out


def below_a_shell(room, said: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a line of a shell that has a host's sign, in which the program has none."""
    program = f"env -u OPENCLAW_SHELL {sys.executable} -P -m clawgit"
    return subprocess.run(
        ["sh", "-c", f"{said.replace('clawgit', program)}; exit $?"],
        capture_output=True,
        check=False,
        cwd=room.root,
        env={**os.environ, **SHELL, **environment},
        text=True,
    )


@pytest.mark.rest
def test_a_sign_that_was_taken_out_is_still_above_it(room) -> None:
    """Mutant: only the program's own environment counts."""
    before = room.head()

    done = below_a_shell(room, "clawgit soul snapshot -m now")

    assert done.returncode == 1, done.stderr
    assert "runs for your agent" in done.stderr
    assert room.head() == before


@pytest.mark.sampled(2)
@pytest.mark.parametrize("named", ["memory-miner", "runner"])
def test_what_it_says_under_an_agents_name_is_its_own(room, clawgit, proposal, named) -> None:
    """Mutants: an agent's name counts in a host's shell; it counts where the sign was taken out."""
    reason = "--reason 'It is calmer.'"

    inside = clawgit("memory", "add", "Tea is at four.", environment={**SHELL, "CLAWGIT_ACTOR": named})
    below = below_a_shell(room, f"clawgit soul propose 'I speak softly.' {reason}", CLAWGIT_ACTOR=named)

    assert (inside.code, below.returncode) == (0, 0), below.stderr
    assert room.actors()[0] == "host"
    assert {each["actor"] for each in clawgit("pending", "--kind", "proposal", "--json").data} == {"host"}


@pytest.mark.rest
def test_who_says_that_he_is_unknown_is_not_looked_at(room) -> None:
    room.write("memory/a.md", "- a\n")

    done = below_a_shell(room, "clawgit keep", CLAWGIT_ACTOR="unknown")

    assert done.returncode == 0, done.stderr
    assert room.actors()[0] == "unknown"


@pytest.mark.rest
def test_gits_hooks_look_above_them_too(room) -> None:
    """Mutant: only commands do."""
    install_hooks(room.history, sys.executable)
    room.write("SOUL.md", "Be rude.\n")
    room.git("add", "SOUL.md")

    done = below_a_shell(room, "env -u OPENCLAW_SHELL git -c user.name=A -c user.email=a@b.c commit -qm rude")

    assert done.returncode == 0, done.stderr
    assert room.actors()[0] == "host"
