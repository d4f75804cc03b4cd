from __future__ import annotations

import pytest


def test_add_remembers_a_statement_with_its_day_and_tag(clawgit, room) -> None:
    said = clawgit("memory", "add", "Chose REST over GraphQL.", "--tag", "decision", "--json")

    assert said.code == 0
    entry = said.data["entry"]
    assert f"- 2026-03-19: Chose REST over GraphQL. #decision <!-- m:{entry} -->\n" in room.read("MEMORY.md")
    assert said.data["commit"] == room.head()
    assert room.git("status", "--porcelain") == ""


def test_add_prints_the_commit_and_says_where(clawgit, room) -> None:
    said = clawgit("memory", "add", "Tea, not coffee.")

    assert said.out == room.head() + "\n"
    assert "Remembered in MEMORY.md: 2026-03-19: Tea, not coffee." in said.err


def test_the_same_statement_is_not_added_twice(clawgit, room) -> None:
    clawgit("memory", "add", "Tea.")
    before = room.head()

    said = clawgit("memory", "add", "Tea.")

    assert (said.code, said.out) == (0, "")
    assert "has this already" in said.err
    assert room.head() == before


def test_the_same_op_is_applied_once(clawgit, room) -> None:
    first = clawgit("memory", "add", "Tea.", "--op", "op-7")

    again = clawgit("--op", "op-7", "memory", "add", "Coffee.", "--json")

    assert again.data["outcome"] == "repeated"
    assert again.data["commit"] == first.out.strip()
    assert "Coffee" not in room.read("MEMORY.md")


def test_what_a_host_adds_goes_to_learned_and_never_to_memory(clawgit, room) -> None:
    clawgit("memory", "add", "The web says so.", actor="host")

    assert "The web says so." in room.read("memory/learned.md")
    assert clawgit("memory", "add", "x", "--to", "MEMORY.md", actor="host").code == 1
    assert room.actors()[0] == "host"


def test_a_daily_note_gets_the_line_without_an_id(clawgit, room) -> None:
    clawgit("memory", "add", "Standup moved.", "--to", "memory/2026-03-19.md")

    assert room.read("memory/2026-03-19.md") == "- 2026-03-19: Standup moved.\n"


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        pytest.param(["  "], 1, "no statement", id="empty"),
        pytest.param(["x <!-- m:forged -->"], 1, "cannot contain", id="a forged id"),
        pytest.param(["x", "--to", "SOUL.md"], 1, "no file of memories", id="the soul"),
        pytest.param(["x", "--to", "../x.md"], 1, "", id="outside"),
        pytest.param(["x", "--to", "memory/x.txt"], 1, "no file of memories", id="no Markdown"),
        pytest.param(["x", "--to", "CORRECTIONS.md"], 1, "no file of memories", id="corrections"),
        pytest.param(["x", "--tag", "nonsense"], 2, "nonsense", id="no such tag"),
        pytest.param([], 2, "TEXT", id="no text"),
    ],
)
def test_what_cannot_be_remembered_is_refused_with_a_sentence(clawgit, room, words, code, why) -> None:
    before = room.head()

    said = clawgit("memory", "add", *words)

    assert said.code == code
    assert why in said.err
    assert said.out == ""
    assert room.head() == before


def test_a_refusal_is_an_object_on_request(clawgit) -> None:
    said = clawgit("memory", "add", "x", "--to", "SOUL.md", "--json")

    assert said.data["exit"] == 1
    assert "no file of memories" in said.data["error"]


def test_new_lines_in_a_statement_become_one_line(clawgit, room) -> None:
    clawgit("memory", "add", "first\n\n# second\n- third")

    assert "- 2026-03-19: first # second - third <!-- m:" in room.read("MEMORY.md")
