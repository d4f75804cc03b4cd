from __future__ import annotations

from datetime import timedelta

import pytest

from clawgit.history.commit import apply_plan
from clawgit.history.intent import Intent
from clawgit.history.ops import new_op
from clawgit.plan import Edit, Evidence, Plan


@pytest.fixture
def told(room):
    """Let an entry be mined from a message, move to another file, and be reworded by the operator."""

    def change(
        summary: str, files: dict[str, str], *, actor: str = "memory-miner", evidence=(), reason: str = ""
    ):
        edits = tuple(Edit(path, text.encode()) for path, text in files.items())
        plan = Plan(summary, edits, reason, evidence)
        apply_plan(room.history, lambda _: plan, Intent(new_op(), actor, room.now))
        room.now += timedelta(days=1)

    line = "- The Acme API uses GraphQL. <!-- m:aaa111 -->\n"
    mined = (Evidence("msg:telegram:7", "we use GraphQL at Acme"),)
    change("mine: one fact", {"memory/learned.md": line}, evidence=mined, reason="Said in passing.")
    change("promote it", {"memory/learned.md": "", "memory/acme.md": line}, actor="organizer")
    change("correct it", {"memory/acme.md": line.replace("GraphQL", "REST")}, actor="operator")
    return room


@pytest.mark.parametrize(
    "asked", ["m:aaa111", "aaa111", "memory/acme.md:1", "The Acme API uses REST.", "acme api"]
)
def test_a_statement_is_followed_to_the_message_behind_it(clawgit, told, asked: str) -> None:
    data = clawgit("why", asked, "--json").data

    assert data["text"] == "The Acme API uses REST."
    assert data["place"] == "memory/acme.md:1"
    assert [each["actor"] for each in data["wordings"]] == ["memory-miner", "organizer", "operator"]
    assert data["wordings"][0]["text"] == "The Acme API uses GraphQL."
    assert data["wordings"][0]["evidence"] == ['msg:telegram:7 "we use GraphQL at Acme"']
    assert data["trust"] == "operator"


def test_a_text_found_by_likeness_says_how_sure_it_is(clawgit, told) -> None:
    data = clawgit("why", "the acme api uses rest now", "--json").data

    assert data["entry"]["entry"] == "aaa111"
    assert 0.6 <= data["sure"] < 1


def test_words_that_are_no_entry_any_more_are_still_explained(clawgit, told) -> None:
    data = clawgit("why", "uses GraphQL", "--json").data

    assert data["entry"] is None
    assert data["place"] == ""
    assert data["wordings"][0]["summary"] == "mine: one fact"


def test_a_line_of_the_soul_is_explained_by_its_change(clawgit, told) -> None:
    told.append("SOUL.md", "- Ask first.")
    number = len(told.read("SOUL.md").splitlines())

    data = clawgit("why", f"SOUL.md:{number}", "--json").data

    assert (data["text"], data["trust"]) == ("Ask first.", "host")


def test_it_is_readable(clawgit, told) -> None:
    out = clawgit("why", "m:aaa111").out

    assert "stands in memory/acme.md:1 as m:aaa111" in out
    assert "it read: The Acme API uses GraphQL." in out
    assert "why: Said in passing." in out
    assert 'evidence: msg:telegram:7 "we use GraphQL at Acme"' in out


@pytest.mark.parametrize("asked", ["something never said", "MEMORY.md:999", "no.md:1", "m:zzzzzz"])
def test_what_is_unknown_is_said_in_a_sentence(clawgit, told, asked: str) -> None:
    said = clawgit("why", asked)

    assert (said.code, said.out) == (1, "")


def test_memory_list_filters(clawgit, told) -> None:
    clawgit("memory", "add", "Tea.", "--tag", "knowledge")

    def listed(*words: str) -> list[str]:
        return [entry["text"] for entry in clawgit("memory", "list", "--json", *words).data]

    assert listed("--tag", "knowledge") == ["2026-03-19: Tea. #knowledge"]
    assert listed("--source", "host") == []
    assert len(listed("--trust", "operator")) == 2
    assert listed("--since", "2030-01-01") == []
    assert len(listed("--min-confidence", "0.95")) == 2
    assert len(listed("--tier", "T1")) == 2
    assert clawgit("memory", "list", "--min-confidence", "7").code == 2
