"""Hits that a model was told leave a receipt as a context does, and what it says of them again is nothing new."""

from __future__ import annotations

import pytest
from session_hooks import ATTENDED, SESSION, connect_hosts, prompt, told

from clawgit.service.mcp import protocol
from clawgit.service.mcp.tool_table import TOOLS

NOTE = "# Notes\n\n- Decided: the backups go to Lisbon every night.\n- The gate code of the depot is 4471.\n"
ECHO = "Decision: the backups go to Lisbon every night."


@pytest.fixture
def ask(room, own_home, start_service):
    """Return a function that hands on a prompt as Claude Code's hook does, and returns what its model is told."""
    folder = connect_hosts(room, own_home)
    room.change({"memory/2026-01-10.md": NOTE}, actor="host")
    running = start_service()

    def ask(text: str, turn: str) -> str:
        said = told(running, folder, prompt(text, turn), **ATTENDED)
        return said.get("hookSpecificOutput", {}).get("additionalContext", "")

    ask.running, ask.folder = running, folder
    return ask


def receipts(clawgit) -> list[dict[str, object]]:
    return clawgit("receipts", "list", "--json").data


def test_hits_for_a_prompt_leave_a_receipt_and_a_first_prompt_leaves_that_of_its_context(
    ask, room, clawgit
) -> None:
    """Mutants: hits leave none; those that the context stands in for leave one, too."""
    ask("Good morning, what is the gate code of the depot?", "t1")
    assert [each["part"] for each in receipts(clawgit)] == [""]

    given = ask("Where do the backups go every night?", "t2")
    receipt, _ = receipts(clawgit)
    shown = clawgit("receipts", "show", receipt["receipt"], "--json").data

    assert (receipt["part"], receipt["session"], receipt["host"]) == ("message", SESSION, "claude-code")
    assert shown["text"] in given
    assert "[memory/2026-01-10.md:3] Decided: the backups go to Lisbon every night." in shown["text"]
    assert [line["place"] for slot in shown["slots"] for line in slot["lines"]] == ["memory/2026-01-10.md:3"]
    assert "tokens, hits for a message" in clawgit("receipts", "list").out

    room.change({"memory/2026-01-10.md": "# Notes\n"}, actor="operator")
    assert clawgit("receipts", "verify", receipt["receipt"]).out.endswith("the same\n")


def test_a_search_of_the_model_leaves_a_receipt_of_what_it_is_shown(ask, clawgit) -> None:
    """Mutant: the hit that only says that there is more was told, too; an operator's search was told to a model."""
    tool = next(each for each in TOOLS if each["name"] == "memory_search")
    asking = protocol.tool_ask(tool, {"query": "backups depot", "maxResults": 1})
    said = ask.running.client().ask(asking.method, workspace="main", actor="host", **asking.params)
    text = asking.shown(said["result"])["content"][0]["text"]
    clawgit("memory", "search", "backups depot")

    (receipt,) = receipts(clawgit)
    shown = clawgit("receipts", "show", receipt["receipt"], "--json").data

    assert receipt["part"] == "search"
    assert shown["text"].count("\n") == 1
    assert text.startswith(shown["text"])
