"""Two agents of one OpenClaw, each with a workspace of its own: each is told of its own memory, and talks into that alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from openclaw_host import NEWEST, OWNER, OpenClawHost, installed_versions, openclaw_host
from running_service import until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

COLLEAGUE = 4343  # whose messages the second agent answers
FLAT, OFFICE = "The rent of the flat is due on the 1st.", "The rent of the office is due on the 9th."
QUESTION, OTHER = "When is the rent of the flat due?", "When is the rent of the office due?"


def with_second_agent(settings: dict, version: str, first: Path, second: Path) -> dict:
    """Return OpenClaw's settings with an agent that answers the colleague."""
    agents = {"main": {"default": True, "workspace": str(first)}, "work": {"workspace": str(second)}}
    listed = [{"id": name, **each} for name, each in agents.items()]
    added = {"entries": agents} if version == NEWEST else {"list": listed}
    peer = {"kind": "direct", "id": str(COLLEAGUE)}
    bindings = [
        {"agentId": "work", "match": {"channel": "telegram", "peer": peer}},
        {"agentId": "main", "match": {"channel": "telegram"}},
    ]
    owners = {"ownerAllowFrom": [f"telegram:{OWNER}", f"telegram:{COLLEAGUE}"]}
    return settings | {"agents": settings["agents"] | added, "bindings": bindings, "commands": owners}


@pytest.fixture(params=installed_versions())
def host(request, tmp_path) -> Iterator[OpenClawHost]:
    """Return an OpenClaw with two agents, whose second workspace nobody made one of clawgit's yet."""
    with openclaw_host(request.param, tmp_path) as host:
        work = host.place / "work"
        work.mkdir()
        (work / "MEMORY.md").write_text(f"# Memory\n\n- {OFFICE}\n")
        host.config.write_text(
            json.dumps(with_second_agent(host.settings, host.version, host.workspace, work))
        )
        host.clawgit("memory", "add", FLAT, "--to", "MEMORY.md")
        yield host


def test_each_agent_is_told_of_its_own_workspace_and_talks_into_that_alone(host) -> None:
    before = host.settings
    connected = host.clawgit("connect", "openclaw", "--yes")
    host.wait_longer()
    host.start_service()
    host.start_gateway()
    host.say(QUESTION)
    host.say(OTHER, who=COLLEAGUE)
    work = ("-w", str(host.place / "work"))
    said = lambda *where: [  # noqa: E731
        (each["trust"], each["text"]) for each in host.clawgit(*where, "chat", "log", "--json").data
    ]
    until(lambda: len(said()) >= 2 and len(said(*work)) >= 2)
    asked = [json.dumps(each["messages"]) for each in host.asked()]
    of_first, of_second = [[each for each in asked if words in each] for words in (QUESTION, OTHER)]
    host.end_gateway()
    left = host.clawgit("disconnect", "openclaw")

    assert f"agent work has its workspace at {work[1]}" in connected.err
    assert said() == [("operator", QUESTION), ("host", "Understood.")]
    assert said(*work) == [("operator", OTHER), ("host", "Understood.")]
    assert of_first
    assert of_second
    assert all("<clawgit_context>" in each and FLAT in each and OFFICE not in each for each in of_first)
    assert all("<clawgit_context>" in each and OFFICE in each and FLAT not in each for each in of_second)
    assert left.code == 0
    assert "clawgit" not in json.dumps(host.settings)
    assert all(host.settings[name] == before[name] for name in ("channels", "commands", "gateway", "models"))
