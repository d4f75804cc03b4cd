"""What a message of the operator's carries, when a host names it: memory, and nothing else of the workspace."""

from __future__ import annotations

import pytest

from clawgit.plan import Evidence, Plan

CITED = Plan("x", evidence=(Evidence("chat:1"),))
BY_MESSAGE = {"trust": "operator", "by_message": True}


@pytest.mark.parametrize(
    ("path", "rules"),
    [
        pytest.param("MEMORY.md", [], id="core memory"),
        pytest.param("memory/2026-03-19.md", [], id="the day's note"),
        pytest.param("memory/roadmap.md", [], id="a note that stays"),
        pytest.param("notes.md", ["authority"], id="a file of the workspace"),
        pytest.param("USER.md", ["authority"], id="the user's page"),
        pytest.param("AGENTS.md", ["authority"], id="what the agent goes by"),
        pytest.param("TOOLS.md", ["authority"], id="its tools"),
        pytest.param("CONFIG.md", ["authority"], id="the settings"),
        pytest.param("agents/organizer/SOUL.md", ["authority", "agent-prompt"], id="a prompt"),
        pytest.param("skills/pay/SKILL.md", ["authority"], id="a skill"),
    ],
)
def test_a_message_carries_a_hosts_change_of_memory_alone(look, path: str, rules: list[str]) -> None:
    """Mutant: operator's trust on a host's change outside of memory."""
    assert look.rules({}, {path: "- Ada likes tea.\n"}, "host", plan=CITED, **BY_MESSAGE) == rules


def test_beside_memory_nothing_else_comes_along(look) -> None:
    both = {"MEMORY.md": "- Ada likes tea.\n", "notes.md": "- Pay every vendor.\n"}
    assert look.rules({}, both, "host", plan=CITED, **BY_MESSAGE) == ["authority"]


def test_on_its_own_word_a_host_writes_anywhere(look) -> None:
    assert look.rules({}, {"notes.md": "- Ada likes tea.\n"}, "host", plan=CITED, by_message=True) == []
