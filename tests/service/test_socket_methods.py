"""What the methods of the socket do, and for whom."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from running_service import until

ASKS = """
import json, socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
s.sendall(sys.argv[2].encode() + b"\\n")
print(s.makefile().readline())
"""
AS_CHILD = (
    "import subprocess, sys; sys.exit(subprocess.run([sys.executable, *sys.argv[1:]], env={}).returncode)"
)


@pytest.fixture
def running(start_service):
    return start_service()


def asked_elsewhere(running, request: dict[str, object], *before: str, **signs: str) -> dict[str, object]:
    """Return what a process of its own is answered, which has the signs of a host in its environment."""
    words = [sys.executable, "-c", *before, *(["-c"] if before else []), ASKS, str(running.requests)]
    done = subprocess.run(
        [*words, json.dumps({"jsonrpc": "2.0", "id": 1, **request})],
        capture_output=True,
        check=True,
        env={"PATH": os.environ["PATH"], **signs},
        text=True,
    )
    return json.loads(done.stdout)


def message(actor: str) -> dict[str, object]:
    return {"method": "message.in", "params": {"workspace": "main", "actor": actor, "text": "I like tea."}}


def test_a_message_of_the_operators_is_his(running) -> None:
    assert asked_elsewhere(running, message("operator"))["result"]["trust"] == "operator"


def test_a_message_that_a_host_brings_is_not(running) -> None:
    assert asked_elsewhere(running, message("host"))["result"]["trust"] != "operator"


@pytest.mark.rest
@pytest.mark.parametrize("above", [False, True], ids=["the process", "a process above it"])
def test_no_process_of_a_host_is_the_operator(running, above: bool) -> None:
    """Mutants: only the request is believed; only the client's own environment is looked at."""
    before = [AS_CHILD] if above else []

    said = asked_elsewhere(running, message("operator"), *before, CLAUDECODE="1")

    assert "CLAUDECODE" in said["error"]["message"]
    assert (
        running.client().ask("memory.search", workspace="main", actor="host", query="tea")["result"][
            "results"
        ]
        == []
    )


@pytest.mark.rest
def test_signs_in_the_services_own_environment_do_not_count(start_service, monkeypatch) -> None:
    monkeypatch.setenv("OPENCLAW_SHELL", "exec")
    running = start_service()
    monkeypatch.delenv("OPENCLAW_SHELL")

    assert asked_elsewhere(running, message("operator"))["result"]["trust"] == "operator"


@pytest.mark.rest
def test_what_is_added_is_found_and_read(running, room) -> None:
    client = running.client()
    here = {"workspace": str(room.root), "actor": "host"}

    added = client.ask("memory.add", **here, text="Ada prefers tea.")["result"]
    found = client.ask("memory.search", **here, query="what does Ada prefer")["result"]
    got = client.ask("memory.get", **here, path=added["path"])["result"]

    assert "Ada prefers tea." in found["results"][0]["snippet"]
    assert "Ada prefers tea." in got["text"]
    assert room.git("log", "-1", "--format=%(trailers:key=Clawgit-Actor,valueonly)") == "host"


@pytest.mark.rest
def test_a_context_is_assembled_and_its_receipt_kept(running, room) -> None:
    client, answers = running.client(), []

    def is_ready() -> bool:  # a first answer may not be ready in time
        answers.append(client.ask("context", workspace="main", actor="host", query="tea")["result"])
        return answers[-1]["receipt"] is not None

    until(is_ready)

    made = answers[-1]
    assert made["text"] == made["stable"]["text"] + made["recall"]["text"]
    assert "# SOUL.md" in made["stable"]["text"]


@pytest.mark.rest
def test_an_edit_is_the_hosts_at_the_end_of_its_turn(start_service, room) -> None:
    running = start_service()
    room.write("memory/a.md", "- Words.\n")

    said = running.client().ask("turn.end", workspace="main", actor="host")["result"]

    assert said["paths"] == ["memory/a.md"]
    assert room.git("log", "-1", "--format=%(trailers:key=Clawgit-Actor,valueonly)") == "host"


@pytest.mark.rest
def test_triage_goes_by_the_patterns_in_force(running, room) -> None:
    """Mutant: what was in force at the first question is for ever."""
    client, here = (
        running.client(),
        {"workspace": "main", "actor": "host", "text": "Ahoy, all hands on deck."},
    )
    assert client.ask("triage", **here)["result"]["custom"] == []
    assert client.ask("triage", **here)["result"]["custom"] == []

    room.write("CONFIG.md", "```yaml\nheartbeat_custom_patterns: [/ahoy/i -> sea]\n```\n")
    room.keep("operator")

    assert client.ask("triage", **here)["result"]["custom"] == ["sea"]
    assert client.ask("triage", **here)["result"]["custom"] == ["sea"]


def test_only_a_host_has_turns(running) -> None:
    assert "error" in running.client().ask("turn.end", workspace="main", actor="unknown")


def test_the_other_methods_answer_as_their_commands_do(running) -> None:
    client, here = running.client(), {"workspace": "main", "actor": "host"}

    assert client.ask("triage", **here, text="Don't forget: tea at four.")["result"]["miner"]
    assert client.ask("flush.plan", **here, tokens=190_000)["result"]["due"]
    assert client.ask("session.end", **here)["result"]["outcome"] == "nothing"
    status = client.ask("status", **here)
    assert "result" in status, status
    assert status["result"]["service"]["runs"]
    assert client.ask("health")["result"]["ok"]


@pytest.mark.rest
def test_what_a_host_corrects_without_a_message_waits_for_the_operator(running) -> None:
    """Mutant: it is in force."""
    client, host = running.client(), {"workspace": "main", "actor": "host"}
    client.ask("memory.add", **host, text="Ada prefers tea.")

    said = client.ask("correct", **host, old="Ada prefers tea.", new="Ada prefers coffee.")["result"]
    found = client.ask("memory.search", **host, query="what does Ada prefer")["result"]["results"]

    assert (said["outcome"], said["correct"], said["proposed"]) == ("asks", "", "Ada prefers coffee.")
    assert "Ada prefers tea." in found[0]["snippet"]
    assert "coffee" not in found[0]["snippet"]


@pytest.mark.parametrize("actor", ["host", "operator"])
def test_a_question_is_answered_by_no_method(running, actor: str) -> None:
    """Mutant: a question's id counts as words of an entry, and a message is cited for its answer."""
    client = running.client()
    message = client.ask("message.in", workspace="main", actor="operator", text="The review is on Thursday.")
    asked = {"old": "x:4f1c2a", "new": "The review is on Thursday.", "evidence": message["result"]["id"]}

    said = client.ask("correct", workspace="main", actor=actor, **asked)

    assert "answered by the operator alone" in said["error"]["message"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("method", ["approve", "trust", "keep", "undo", "soul.restore", "config.set", "run"])
def test_what_needs_the_operator_is_no_method(running, method: str) -> None:
    assert "no method" in running.client().ask(method, workspace="main", actor="operator")["error"]["message"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("method", "params", "words"),
    [
        ("memory.get", {}, "needs path"),
        ("memory.get", {"path": 7}, "needs path"),
        ("memory.search", {"query": "tea", "smart": True}, "no parameter 'smart'"),
        ("memory.search", {"query": "tea", "min_score": "much"}, "not a valid"),
        ("memory.search", {"query": "tea", "max_results": [1]}, "neither text"),
        ("message.in", {"text": "-"}, "no standard input"),
    ],
    ids=str,
)
def test_a_wrong_parameter_is_named(running, method: str, params: dict[str, object], words: str) -> None:
    assert words in running.client().ask(method, workspace="main", actor="host", **params)["error"]["message"]


@pytest.mark.parametrize("workspace", ["nobody", "/nowhere/at/all"])
def test_a_workspace_that_is_not_there_is_named(running, workspace: str) -> None:
    assert workspace in running.client().ask("status", workspace=workspace, actor="host")["error"]["message"]


@pytest.mark.rest
def test_a_request_without_an_id_is_done_and_not_answered(running) -> None:
    client = running.client()
    client.send(json.dumps({"jsonrpc": "2.0", **message("host")}).encode() + b"\n")

    found = client.ask("memory.search", workspace="main", actor="host", query="tea")

    assert found["id"] == 7
    assert len(found["result"]["results"]) == 1
