"""Who speaks with a connection's token: that host, about that workspace, and nobody else."""

from __future__ import annotations

import os

import pytest

from clawgit.workspace.user.connections import Connection, connections_folder, read_token, write_connection
from clawgit.workspace.user.user_file import user_config_dir


@pytest.fixture
def running(start_service):
    return start_service()


@pytest.fixture
def token(room, own_home) -> str:
    folder = connections_folder(user_config_dir(os.environ, own_home))
    write_connection(folder, Connection("codex", "codex", room.root))
    return read_token(folder, "codex") or ""


def brought(running, token: str, **more: object):
    return running.client().ask("message.in", token=token, text="I like tea.", **more)


@pytest.mark.parametrize(
    ("told", "trust"),
    [
        pytest.param({"proved": "operator"}, "operator", id="the host proved that it was the operator"),
        pytest.param(
            {"proved": "operator", "external": True}, "external", id="of a text that is not his own"
        ),
        pytest.param({"proved": "other", "sender": "9"}, "external", id="of somebody else"),
        pytest.param({"sender": "4242"}, "external", id="of nobody"),
        pytest.param({"proved": "operator", "role": "assistant"}, "host", id="the answer is the host's"),
    ],
)
def test_a_message_counts_as_what_the_host_proved_of_its_sender(running, token, told, trust: str) -> None:
    """Mutant: whatever a connection brings is the operator's."""
    assert brought(running, token, **told)["result"]["trust"] == trust


def test_operator_ids_say_whose_a_message_is_that_a_connection_brings(running, room, token) -> None:
    room.write("CONFIG.md", '---\noperator_ids: ["telegram:4242"]\n---\n')
    room.keep("operator")

    his = brought(running, token, channel="telegram", sender="4242")["result"]
    proved = brought(running, token, channel="telegram", sender="4242", proved="other", id="2")["result"]

    assert (his["trust"], proved["trust"]) == ("operator", "external")


def test_nobody_proves_anything_without_a_connection(running) -> None:
    said = running.client().ask(
        "message.in", workspace="main", actor="host", text="I like tea.", proved="operator"
    )
    assert "connection" in said["error"]["message"]


@pytest.mark.parametrize(
    ("told", "words"),
    [
        pytest.param({"actor": "operator"}, "never the operator's", id="as the operator"),
        pytest.param({"workspace": "/elsewhere"}, "alone", id="about another workspace"),
        pytest.param({"token": "codex.wrong"}, "no connection", id="with another token"),
    ],
)
def test_a_token_gives_no_more_than_its_connection_has(running, token, told, words: str) -> None:
    asked = {"token": token, "text": "I like tea.", **told}
    assert words in running.client().ask("message.in", **asked)["error"]["message"]


def test_what_a_connection_does_is_the_hosts(running, room, token) -> None:
    said = running.client().ask("memory.add", token=token, text="Ada prefers tea.")

    assert said["result"]["path"] == "memory/learned.md"
    assert room.git("log", "-1", "--format=%(trailers:key=Clawgit-Actor,valueonly)") == "host"


def test_a_connection_cannot_correct_by_its_own_word(running, token) -> None:
    assert "error" in running.client().ask("correct", token=token, old="tea", new="coffee")
