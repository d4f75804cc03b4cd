"""OpenClaw itself, connected by `clawgit connect`, with a fake model provider and a fake Telegram: what is kept, and what its model reads."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from installed_clients import CLIENTS, HERE
from running_service import until

if TYPE_CHECKING:
    from pathlib import Path

NODE = CLIENTS / "node" / "node_modules" / "node" / "bin" / "node"
PROGRAM = str(CLIENTS / "openclaw" / "node_modules" / "openclaw" / "openclaw.mjs")
ALONE = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--net"]
MODELS = {
    "baseUrl": "http://127.0.0.1:18999/v1",
    "apiKey": "sk-fake",
    "api": "openai-completions",
    "models": [
        {
            "id": "echo",
            "name": "echo",
            "reasoning": False,
            "input": ["text"],
            "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
            "contextWindow": 64000,
            "maxTokens": 2048,
        }
    ],
}
TELEGRAM = {
    "enabled": True,
    "botToken": f"123456:{'F' * 35}",
    "apiRoot": "http://127.0.0.1:18998",
    "dmPolicy": "open",
    "allowFrom": ["*"],
    "groupPolicy": "open",
    "groups": {"*": {"requireMention": False}},
}
QUESTION = "When is the rent of the flat due?"
MEETING = "When is the meeting?"
STRANGER = 777
GROUP = -1001


def use(tool: str, **arguments: object) -> str:
    """Return words on which the fake model calls a tool."""
    return f"USE:{tool}:{json.dumps(arguments)}END"


@pytest.fixture
def config(own_home, room) -> Path:
    """Set OpenClaw up as its operator does, with this workspace."""
    folder = own_home / ".openclaw"
    folder.mkdir()
    agents = {"workspace": str(room.root), "model": {"primary": "fake/echo"}, "heartbeat": {"every": "0m"}}
    gateway = {"mode": "local", "port": 18790, "bind": "loopback", "auth": {"mode": "token", "token": "t0k"}}
    settings = {
        "gateway": gateway,
        "models": {"mode": "merge", "providers": {"fake": MODELS}},
        "agents": {"defaults": agents},
        "channels": {"telegram": TELEGRAM},
        "commands": {"ownerAllowFrom": ["telegram:4242"]},
    }
    (folder / "openclaw.json").write_text(json.dumps(settings))
    return folder / "openclaw.json"


@pytest.fixture
def run(clawgit, own_home, config, tmp_path):
    """Return a function that runs a command where OpenClaw's program is; that has no network."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "package.json").write_text('{"name": "openclaw", "version": "2026.9.6"}')
    (folder / "openclaw").write_text(f'#!/bin/sh\nexec {shlex.join([*ALONE, str(NODE), PROGRAM])} "$@"\n')
    (folder / "openclaw").chmod(0o755)
    path = os.pathsep.join([str(folder), os.environ["PATH"]])
    return lambda *words: clawgit(*words, environment={"HOME": str(own_home), "PATH": path})


@pytest.fixture
def patient(config):
    """Return a function that makes a turn wait longer for memory than it would: the machine may be busy."""

    def done() -> None:
        settings = json.loads(config.read_text())
        settings["plugins"]["entries"]["clawgit-memory"]["config"]["timeoutMs"] = 1500
        config.write_text(json.dumps(settings))

    return done


@pytest.fixture
def talk(tmp_path, own_home, run):
    """Return a function that does steps with a Gateway of their own, and returns what its model was asked."""

    def done(*steps: dict[str, object]) -> list[dict]:
        asked = tmp_path / "asked.jsonl"
        asked.unlink(missing_ok=True)
        wanted = {
            "node": str(NODE),
            "program": PROGRAM,
            "asked": str(asked),
            "log": str(tmp_path / "gateway.log"),
            "ready": "[gateway] ready",
            "steps": steps,
        }
        subprocess.run(
            [*ALONE, sys.executable, str(HERE / "openclaw_alone.py"), json.dumps(wanted)],
            check=True,
            capture_output=True,
            env={"HOME": str(own_home), "PATH": os.environ["PATH"]},
            timeout=280,
        )
        requests = [json.loads(line)["asked"] for line in asked.read_text().splitlines()]
        return [each for each in requests if "messages" in each]

    return done


def said(run) -> set[tuple[str, str, str]]:
    return {
        (each["role"], each["trust"], each["text"]) for each in run("chat", "log", "-n", "100", "--json").data
    }


def is_of_person(message: dict) -> bool:
    """OpenClaw puts a message of its own behind a person's, in the user's role, too."""
    return message["role"] == "user" and "BEGIN_OPENCLAW_INTERNAL" not in json.dumps(message)


def turns_of(asked: list[dict], words: str) -> list[list[dict]]:
    """Return for each request of the turn with these words its messages from the person's on; the first is the system's."""
    found = []
    for messages in (each["messages"] for each in asked):
        last = max((at for at, message in enumerate(messages) if is_of_person(message)), default=0)
        if words in json.dumps(messages[last]):
            found.append([messages[0], *messages[last:]])
    assert found, f"The model was never asked {words!r}."
    return found


def told(asked: list[dict], words: str) -> str:
    """Return what was injected into the first request of a turn."""
    system, mine = turns_of(asked, words)[0][:2]
    both = f"{json.dumps(system['content'])}\n{json.dumps(mine['content'])}"
    return "\n".join(re.findall(r"<clawgit_context>.*?</clawgit_context>", both))


def result_of(asked: list[dict], words: str) -> str:
    """Return what the tool answered that was called on the words."""
    results = [each for turn in turns_of(asked, words) for each in turn if each["role"] == "tool"]
    assert results, f"No tool was called on {words!r}."
    return json.dumps(results[-1]["content"])


def test_each_message_is_kept_once_with_its_trust_and_a_correction_holds_from_the_next_turn_on(
    run, talk, room, start_service, config, patient
) -> None:
    before = json.loads(config.read_text())
    run("memory", "add", "The rent of the flat is due on the 1st.", "--to", "MEMORY.md")
    run("memory", "add", "The meeting is on Wednesday.", "--to", "MEMORY.md")
    assert run("connect", "openclaw", "--yes").code == 0
    patient()
    start_service(registered=False)
    search = use("memory_search", query="rent of the flat")
    correct = use("memory_correct", wrong="The meeting is on Wednesday.", right="The meeting is on Thursday.")
    asked = talk(
        {"say": QUESTION},
        {"say": f"I like cake. {search}", "who": STRANGER},
        {"say": f"No, the meeting is on Thursday. {correct}"},
        {"say": MEETING},
        {"say": f"Run it. {use('exec', command='env | grep CLAWGIT; echo hello >> memory/a.md')}"},
        {"say": f"Group talk. {search}", "who": STRANGER, "chat": GROUP},
        {"say": f"Spawn. {use('sessions_spawn', task='Say hello.')}"},
        {"run": ["agent", "--agent", "main", "--message", "From the command line."]},
        {"say": "/new"},
        {"say": "Good night."},
    )
    until(lambda: any(text == "Good night." for _, _, text in said(run)))

    kept = said(run)
    assert "The rent of the flat is due on the 1st." in told(asked, QUESTION)
    assert told(asked, "I like cake.") == ""
    assert "Memory is for its owner" in result_of(asked, "I like cake.")
    assert "Memory is for its owner" in result_of(asked, "Group talk.")
    assert "CLAWGIT_ACTOR=host" in result_of(asked, "Run it.")
    assert "applied" in result_of(asked, "No, the meeting is on Thursday.")
    assert "The meeting is on Thursday." in told(asked, MEETING)
    assert ("user", "operator", QUESTION) in kept
    assert ("user", "external", f"I like cake. {search}") in kept
    assert ("user", "external", "From the command line.") in kept
    assert not any("Group talk." in text or "Subagent" in text or text == "/new" for _, _, text in kept)
    assert (
        room.git("log", "-1", "--format=%(trailers:key=Clawgit-Actor,valueonly)", "--", "memory/a.md")
        == "host"
    )
    assert run("disconnect", "openclaw").code == 0
    left = json.loads(config.read_text())
    assert {name: value for name, value in left.items() if name in before} == before
    assert "clawgit-memory" not in json.dumps(left)


def test_without_the_service_the_reply_comes_and_what_was_said_is_kept_later(
    run, talk, start_service, own_home
) -> None:
    assert run("connect", "openclaw", "--yes").code == 0
    asked = talk({"say": "Nobody listens now."})
    spool = own_home / ".openclaw" / "clawgit" / "spool.jsonl"
    assert "Nobody listens now." in spool.read_text()
    start_service(registered=False)
    talk({"say": "Somebody listens again."})
    until(lambda: len(said(run)) == 4)

    assert turns_of(asked, "Nobody listens now.")
    assert not spool.exists()
    assert ("user", "operator", "Nobody listens now.") in said(run)
