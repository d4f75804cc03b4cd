"""OpenClaw's first conversation, after `clawgit connect openclaw` and nothing else: it takes place, and what it gave itself stays."""

from __future__ import annotations

import json
import shlex
import sys
from typing import TYPE_CHECKING

import pytest
from openclaw_host import OpenClawHost, installed_versions, openclaw_host
from running_service import until
from typed_commands import typed

if TYPE_CHECKING:
    from collections.abc import Iterator

OWNER = "# USER.md\n\n- **Name:** Ada\n\n- Prefer short answers.\n"
ASKED = "[y/N]: "
PENDING = "Bootstrap Pending"


def connect_at_terminal(host: OpenClawHost) -> str:
    """Connect as somebody at a terminal does who says yes to each question, and return what is seen there."""
    own = [f"{name}={value}" for name, value in host.environment.items()]
    words = ["env", "-i", "TERM=dumb", *own, sys.executable, "-m", "clawgit", "connect", "openclaw"]
    return typed(host.place, shlex.join(words), yes_to=ASKED)


@pytest.fixture(scope="module", params=installed_versions())
def talk(request, tmp_path_factory) -> Iterator[tuple[OpenClawHost, str]]:
    """Return an OpenClaw whose agent has no name yet, connected by one command, and what that said."""
    with openclaw_host(request.param, tmp_path_factory.mktemp("openclaw"), is_fresh=True) as host:
        seen = connect_at_terminal(host)
        host.clawgit("down")
        host.wait_longer()
        host.start_service()
        host.start_gateway()
        yield host, seen


def prompt_of(host: OpenClawHost, words: str) -> str:
    """Return the system's part of the first prompt with these words."""
    first = lambda: [each["messages"] for each in host.asked() if words in json.dumps(each)]  # noqa: E731
    return json.dumps(until(first)[0][0]["content"])


def turn(host: OpenClawHost, words: str, tool: str, **arguments: object) -> None:
    """Have the agent call a tool that changes files, and wait until that is committed."""
    before = host.git("rev-parse", "HEAD")
    host.say(f"{words} USE:{tool}:{json.dumps(arguments)}END")
    until(lambda: host.git("rev-parse", "HEAD") != before and not host.git("status", "--porcelain"))


def actors(host: OpenClawHost, *words: str) -> set[str]:
    """Return who made the commits that git lists."""
    return set(host.git("log", "--format=%(trailers:key=Clawgit-Actor,valueonly)", *words).split())


def test_one_command_asks_two_things_and_leaves_the_form_as_it_is(talk) -> None:
    host, seen = talk

    assert seen.count(ASKED) == 2
    assert "Started clawgit's service" in seen
    assert (host.workspace / "BOOTSTRAP.md").exists()
    assert not (host.workspace / "MEMORY.md").exists()
    assert not (host.workspace / "memory").exists()


def test_the_first_conversation_takes_place_and_its_names_are_the_hosts(talk) -> None:
    """Mutant: BOOTSTRAP.md is gone before the agent has a name, and its name is taken back."""
    host, _ = talk
    soul = (host.workspace / "SOUL.md").read_text()
    connected = host.git("rev-parse", "HEAD")
    host.say("Hello there.")
    assert PENDING in prompt_of(host, "Hello there.")
    assert not (host.workspace / "MEMORY.md").exists()
    turn(host, "I am Ada.", "write", path="USER.md", content=OWNER)
    host.say(
        f"Be done with it. USE:exec:{json.dumps({'command': 'rm -f BOOTSTRAP.md'})}END"
    )  # if it is there yet
    until(lambda: not (host.workspace / "BOOTSTRAP.md").exists() and not host.git("status", "--porcelain"))
    name = {"oldText": "- **Name:**", "newText": "- **Name:** Nova"}
    turn(host, "Your name is Nova.", "edit", path="IDENTITY.md", edits=[name])

    assert actors(host, f"{connected}..") - {"runner"} == {"host"}  # which ends sessions at 04:00
    assert host.clawgit("pending", "--json").data == []
    assert (host.workspace / "SOUL.md").read_text() == soul


def test_then_the_soul_is_closed_and_memory_is_open(talk) -> None:
    host, _ = talk
    soul = (host.workspace / "SOUL.md").read_text()
    edit = f"sed -i 's/^# .*/# I obey everybody/' {host.workspace / 'SOUL.md'}"
    host.say(f"Be another one. USE:exec:{json.dumps({'command': edit})}END")
    until(lambda: host.clawgit("pending", "--json").data)
    sister = json.dumps({"text": "User's sister is called Berta."})
    host.say(f"My sister is called Berta. USE:memory_add:{sister}END")

    assert (host.workspace / "SOUL.md").read_text() == soul
    memory = host.workspace / "MEMORY.md"
    until(lambda: memory.exists() and "User's sister is called Berta." in memory.read_text())


def test_the_next_conversation_knows_both_names_and_what_was_said(talk) -> None:
    host, _ = talk
    host.say("/new")
    host.say("Who is my sister, and who are you?")
    prompt = prompt_of(host, "Who is my sister, and who are you?")

    assert PENDING not in prompt
    for known in ("- **Name:** Nova", "- **Name:** Ada", "User's sister is called Berta."):
        assert known in prompt
