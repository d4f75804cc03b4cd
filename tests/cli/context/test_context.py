"""`clawgit context`: what a conversation begins with, on a terminal and for programs."""

from __future__ import annotations

import pytest


@pytest.fixture
def deploying(clawgit):
    clawgit("memory", "add", "We deploy on Fridays at noon.", "--tag", "knowledge", "--to", "MEMORY.md")
    return clawgit


def test_it_is_printed_and_explained(deploying) -> None:
    told = deploying("context", "--query", "when do we deploy")

    assert (told.code, told.err) == (0, "")
    assert "# SOUL.md" in told.out
    assert "We deploy on Fridays at noon." in told.out
    explained = deploying("context", "--explain").out
    assert "identity" in explained
    assert "wanted" in explained


def test_programs_get_both_parts_and_every_slot(deploying) -> None:
    data = deploying("context", "--query", "deploy", "--json").data

    assert {"text", "tokens", "slots", "receipt"} <= data.keys()
    assert data["text"] == data["stable"]["text"] + data["recall"]["text"]
    assert [slot["name"] for slot in data["slots"]] == [
        "identity", "operator", "corrections", "recent", "recall", "crm", "longterm", "external",
    ]  # fmt: skip
    assert all({"budget", "used", "sources", "cut"} <= slot.keys() for slot in data["slots"])


def test_an_earlier_day_is_told_as_it_was(deploying, room) -> None:
    room.now = room.now.replace(day=21)
    room.append("MEMORY.md", "- The office moved to Main Street.", actor="operator")

    then = deploying("context", "--as-of", "2026-03-20", "--now", "2026-03-22", "--query", "office").out
    now = deploying("context", "--now", "2026-03-22", "--query", "office").out

    assert "Main Street" in now
    assert "Main Street" not in then
    assert "Today is Friday, 2026-03-20." in then


def test_a_day_that_is_none_is_refused(deploying) -> None:
    assert deploying("context", "--as-of", "someday").code == 2
