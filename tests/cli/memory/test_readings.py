"""Readings at the command line: listed and explained with the operator's words; his yes makes them his, his no takes them back."""

from __future__ import annotations

import pytest
from readings_made import NEW, OLD, WITH_LINK, WITH_QUOTE, correct, line, link, write

YOURS = WITH_QUOTE.replace("the operator's words", "your words")


@pytest.fixture
def read(room):
    """Return a workspace with an entry that was corrected by a reading."""
    room.now = room.now.replace(day=8)
    correct(room)
    return room


def test_a_list_and_an_explanation_show_his_words(clawgit, read) -> None:
    (entry,) = clawgit("memory", "list", "--trust", "understood", "--json").data

    assert (entry["beside"], entry["confidence"]) == (WITH_QUOTE, 0.8)
    assert f"{NEW}  ({YOURS})" in clawgit("memory", "list").out
    assert clawgit("why", "m:aaa111", "--json").data["beside"] == WITH_QUOTE
    assert clawgit("why", "m:aaa111").out.splitlines()[2] == f"  ({YOURS})"


def test_a_search_shows_his_words(clawgit, read) -> None:
    found = clawgit("memory", "search", "board meetings", "--json").data["results"]

    assert {tuple(each["beside"]) for each in found} == {(WITH_QUOTE,)}
    his = clawgit("memory", "search", "board meetings").out.splitlines()
    agents = clawgit("memory", "search", "board meetings", actor="host").out.splitlines()
    assert (f"    ({YOURS})" in his, f"    ({WITH_QUOTE})" in agents) == (True, True)


def test_a_newer_reading_ends_the_one_before(clawgit, read) -> None:
    """Seen: search and context had Basel as in force beside Rome."""
    chat = clawgit("chat", "add", "nah, they moved the whole board thing to Rome", "--json").data["id"]
    clawgit("correct", "m:aaa111", "Board meetings are in Rome.", "--evidence", chat, actor="host")
    found = clawgit("memory", "search", "where are the board meetings", "--json").data["results"]

    assert "in Rome" in read.read("MEMORY.md")
    assert [
        each["snippet"] for each in found if "are in Basel" in each["snippet"].partition("instead of")[0]
    ] == []
    assert "are in Basel" not in clawgit("context", "--query", "where are the board meetings").out


def test_a_list_shows_what_he_said_beside_a_line(clawgit, room) -> None:
    write(room, line(OLD), actor="operator")
    link(room)

    assert f"{OLD}  ({WITH_LINK.replace('the operator', 'you')})" in clawgit("memory", "list").out


@pytest.mark.parametrize("name", ["x:4f1c", "m:aaa111"])
def test_his_yes_makes_a_reading_his_own_word(clawgit, read, name: str) -> None:
    assert "understood -->" in read.read("MEMORY.md")

    assert clawgit("approve", name).code == 0

    (entry,) = clawgit("memory", "list", "--json").data
    assert (entry["text"], entry["trust"], entry["confidence"], entry["beside"]) == (NEW, "operator", 1.0, "")
    assert read.read("MEMORY.md").splitlines()[0] == line(NEW).rstrip()
    assert "status: applied" in read.read("CORRECTIONS.md")


@pytest.mark.parametrize("name", ["x:4f1c", "m:aaa111"])
def test_his_no_takes_a_reading_back(clawgit, read, name: str) -> None:
    assert clawgit("reject", name).code == 0

    (entry,) = clawgit("memory", "list", "--json").data
    assert (entry["text"], entry["trust"]) == (OLD, "operator")


def test_nobody_is_asked_about_a_reading_and_a_host_answers_nothing(clawgit, read) -> None:
    assert clawgit("pending", "--json").data == []
    assert clawgit("approve", "m:aaa111", actor="host").code != 0
    assert clawgit("approve", "m:zzz999").code != 0
