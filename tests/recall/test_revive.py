"""What was taken out of memory comes back as it was."""

from __future__ import annotations

import pytest

from clawgit.history.intent import Intent
from clawgit.history.ops import new_op
from clawgit.history.why import find_why
from clawgit.recall.revive import ReviveError, revive

DAY = "memory/2026-03-18.md"
ENTRY = "- 2026-03-01: Chose REST over GraphQL. #decision <!-- m:7k2x9d -->\n"


def back(room, what: str):
    return revive(room.history, what, Intent(new_op(), "operator", room.now))


def test_a_file_comes_back_byte_for_byte_as_it_read_last(room) -> None:
    text = "\ufeff# Day\r\n\r\n- quince  \r\n- no line end"
    room.change({DAY: "- first\n"})
    room.change({DAY: text})
    gone = room.change({DAY: None}).commit_id
    done = back(room, DAY)
    assert room.read(DAY) == text
    assert f"Clawgit-Evidence: {gone}" in room.git("log", "-1", "--format=%B")
    assert done.recorded.commit_id == room.head()


def test_a_file_that_was_left_behind_by_a_reset_comes_back(room) -> None:
    room.change({DAY: "- quince\n"})
    room.git("reset", "-q", "--hard", "HEAD~1")
    room.keep()
    back(room, DAY)
    assert room.read(DAY) == "- quince\n"


def test_an_entry_comes_back_with_its_id_and_whose_words_it_is(room) -> None:
    room.change({"MEMORY.md": f"# Memory\n\n- a\n{ENTRY}- b\n"}, actor="operator")
    room.change({"MEMORY.md": "# Memory\n\n- a\n- b\n"}, actor="memory-compactor")
    back(room, "m:7k2x9d")
    assert room.read("MEMORY.md").endswith(ENTRY)
    assert find_why(room.history, "m:7k2x9d", room.now.date()).trust == "operator"


def test_an_entry_comes_back_in_its_last_wording(room) -> None:
    room.change({"MEMORY.md": ENTRY}, actor="operator")
    room.change({"MEMORY.md": ENTRY.replace("REST", "gRPC")}, actor="operator")
    room.change({"MEMORY.md": None}, actor="operator")
    back(room, "m:7k2x9d")
    assert room.read("MEMORY.md") == ENTRY.replace("REST", "gRPC")


@pytest.mark.parametrize("what", [DAY, "m:7k2x9d", "memory/never.md", "m:never", "SOUL.md", "../x.md"])
def test_what_stands_there_or_never_did_is_refused(room, what: str) -> None:
    room.change({DAY: "- quince\n", "MEMORY.md": ENTRY}, actor="operator")
    head = room.head()
    with pytest.raises(ReviveError):
        back(room, what)
    assert room.head() == head
