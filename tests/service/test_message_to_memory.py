"""A message comes in by the socket, and a moment later what it corrects is in force: service and runner together."""

from __future__ import annotations

import signal

import pytest
from running_service import until

HERE = {"workspace": "main", "actor": "operator"}
SAID = "No, the review is on Thursday, not on Wednesday."


@pytest.fixture
def believed(room) -> None:
    room.write("MEMORY.md", "# MEMORY\n\n- 2026-03-18: The review is on Wednesday.\n")
    room.keep("operator")


def first_hit(client) -> str:
    found = client.ask("memory.search", **HERE, query="when is the review")["result"]["results"]
    return found[0]["path"] if found else ""


def test_a_correction_is_in_force_after_the_message(start_service, believed, monkeypatch) -> None:
    running = start_service()
    client = running.client()

    client.ask("message.in", **HERE, text=SAID)

    until(lambda: first_hit(client) == "CORRECTIONS.md")


@pytest.mark.rest
def test_a_message_that_the_program_keeps_is_dealt_with_too(start_service, believed, room, forked) -> None:
    running = start_service()

    assert forked(room.root, "chat", "add", SAID, CLAWGIT_NO_SERVICE="1").returncode == 0

    until(lambda: first_hit(running.client()) == "CORRECTIONS.md")


@pytest.mark.rest
def test_a_message_kept_before_a_kill_is_dealt_with_once_by_the_next_service(
    start_service, believed, room
) -> None:
    """Mutant: what waits is looked at only when something arrives."""
    running = start_service()
    running.client().ask("message.in", **HERE, text=SAID)
    running.end(signal.SIGKILL)

    again = start_service(registered=False)

    until(lambda: first_hit(again.client()) == "CORRECTIONS.md")
    changes = room.git("log", "--format=%(trailers:key=Clawgit-Actor,valueonly,separator=)").split()
    assert changes.count("recall-validator") == 1
    assert again.end() == 0


@pytest.mark.rest
def test_while_the_agents_are_paused_the_message_waits_and_is_not_lost(
    start_service, believed, room, forked
) -> None:
    forked(room.root, "pause")
    running = start_service()
    client = running.client()

    client.ask("message.in", **HERE, text=SAID)

    running.wait_for("runner-notice", "paused")
    assert first_hit(client) != "CORRECTIONS.md"
    forked(room.root, "resume")
    until(lambda: first_hit(client) == "CORRECTIONS.md")
