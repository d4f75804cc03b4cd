"""`clawgit correct` and `corrections`: by hand, for good."""

from __future__ import annotations

import pytest

from clawgit.memory.corrections import read_corrections


@pytest.fixture
def remembering(clawgit, room):
    """Return a workspace that remembers three things."""
    room.write("MEMORY.md", "- The review is on Wednesday. #event <!-- m:aaaaaa -->\n- The standup is on Wednesday. <!-- m:bbbbbb -->\n- Ada drinks tea. <!-- m:cccccc -->\n")  # fmt: skip
    room.git("commit", "-qam", "memory")
    return room


def ledger(room):
    return read_corrections(room.read("CORRECTIONS.md").encode())


@pytest.mark.parametrize(
    ("words", "entry_id", "then"),
    [
        pytest.param(("tea", "coffee"), "cccccc", "Ada drinks coffee.", id="a part"),
        pytest.param(("Ada drinks tea.", "Ada drinks oolong."), "cccccc", "Ada drinks oolong.", id="a statement"),
        pytest.param(("Wednesday", "Thursday", "--entry", "m:aaaaaa"), "aaaaaa", "The review is on Thursday.", id="of one entry"),
        pytest.param(("It is on Monday.", "The review is on Friday.", "--entry", "aaaaaa"), "aaaaaa", "The review is on Friday.", id="whatever it said"),
    ],
)  # fmt: skip
def test_the_entry_says_what_is_right_and_search_brings_it_first(clawgit, remembering, words, entry_id: str, then: str) -> None:  # fmt: skip
    done = clawgit("correct", *words, "--json")

    assert (done.code, done.data["corrects"], done.data["re_embedded"]) == (0, [f"m:{entry_id}"], True)
    assert then in remembering.read("MEMORY.md")
    assert clawgit("memory", "search", then, "--json").data["results"][0]["entries"] == [done.data["id"]]
    assert ledger(remembering)[0].correct == then


@pytest.mark.parametrize(
    ("words", "why"),
    [
        pytest.param(("Wednesday", "Thursday"), "--entry", id="two say so"),
        pytest.param(("Saturday", "Thursday"), "No entry says", id="none says so"),
        pytest.param(("tea", "tea"), "what is right instead", id="the same"),
        pytest.param(("tea", " "), "what is right instead", id="nothing"),
        pytest.param(("tea", "coffee", "--entry", "m:zzzzzz"), "no entry", id="no such entry"),
        pytest.param(("x:4f1c", "coffee"), "no correction", id="no such correction"),
    ],
)  # fmt: skip
def test_what_cannot_be_told_is_refused_and_nothing_changes(clawgit, remembering, words, why: str) -> None:
    head = remembering.head()

    said = clawgit("correct", *words)

    assert said.code == 1
    assert why in said.err
    assert remembering.head() == head


def test_an_entry_that_cannot_say_it_is_not_said_to_read_so(clawgit, remembering) -> None:
    said = clawgit("correct", "tea", "<!-- tea")

    assert "it stands before m:cccccc" in said.err
    assert "reads so now" not in said.err
    assert "- Ada drinks tea. <!--" in remembering.read("MEMORY.md")


def test_only_the_operator_corrects(clawgit, remembering) -> None:
    said = clawgit("correct", "tea", "coffee", actor="host")

    assert said.code == 1
    assert "tea" in remembering.read("MEMORY.md")


def test_a_statement_that_nobody_remembers_is_kept_by_itself_once(clawgit, remembering) -> None:
    words = ("The office is in Berlin now.", "The office is in Hamburg now.")
    clawgit("correct", *words)
    head = remembering.head()

    again = clawgit("correct", *words)

    assert again.code == 0
    assert remembering.head() == head
    assert clawgit("memory", "search", "where is the office", "--json").data["results"][0]["snippet"].startswith("The office is in Hamburg")  # fmt: skip


def test_status_asks_what_is_right_until_it_is_said(clawgit, remembering) -> None:
    clawgit("chat", "add", "What timezone are you in?", "--role", "assistant", "--at", "2026-03-19T09:00")
    clawgit("chat", "add", "You forgot my timezone.")
    clawgit("run", "recall-validator")
    (asked,) = clawgit("status", "--json").data["open_corrections"]
    assert "You forgot my timezone." in clawgit("status").out
    assert clawgit("corrections", "--open", "--json").data == [asked]

    clawgit("correct", asked["id"], "Ada's timezone is Europe/Berlin.")

    assert clawgit("status", "--json").data["open_corrections"] == []
    first = clawgit("memory", "search", "which timezone", "--json").data["results"][0]
    assert first["snippet"].startswith("Ada's timezone is Europe/Berlin.")
    assert clawgit("correct", asked["id"], "Something else.").code == 1


def test_the_answer_to_an_open_one_sets_the_entry_right(clawgit, remembering) -> None:
    clawgit("chat", "add", "The review is on Wednesday.", "--role", "assistant", "--at", "2026-03-19T09:00")
    clawgit("chat", "add", "That's wrong.")
    clawgit("run", "recall-validator")
    (asked,) = clawgit("status", "--json").data["open_corrections"]

    done = clawgit("correct", asked["id"], "It's Friday.", "--json").data

    assert (done["id"], done["status"], done["corrects"]) == (asked["id"], "applied", ["m:aaaaaa"])
    assert "- The review is on Friday. #event <!-- m:aaaaaa -->" in remembering.read("MEMORY.md")
    assert [each.correct for each in ledger(remembering)] == ["The review is on Friday."]


def test_old_corrections_move_to_the_archive_and_count_on(clawgit, remembering) -> None:
    """Mutant: those that are not proven move, too."""
    clawgit("correct", "tea", "coffee")
    ledger_text = remembering.read("CORRECTIONS.md")
    remembering.write("CORRECTIONS.md", ledger_text + "\n## 2026-03-01 10:00 <!-- x:0pen re-embedded:false -->\n\n- trigger: Wrong.\n- status: open\n")  # fmt: skip
    remembering.git("commit", "-qam", "an open one")

    assert clawgit("corrections", "archive", "--now", "2026-03-25", "--json").data["moved"] == []
    moved = clawgit("corrections", "archive", "--now", "2026-04-15", "--json").data["moved"]

    assert len(moved) == 1
    assert [each.correction_id for each in ledger(remembering)] == ["0pen"]
    assert "coffee" in remembering.read("Archive/Corrections/2026-03.md")
    assert clawgit("memory", "search", "what does Ada drink", "--json").data["results"][0]["entries"] == [moved[0]["id"]]  # fmt: skip
    assert len(clawgit("corrections", "--json").data) == 1
    assert len(clawgit("corrections", "--all", "--json").data) == 2


def test_a_list_says_what_was_said_and_what_is_right(clawgit, remembering) -> None:
    clawgit("correct", "tea", "coffee")

    out = clawgit("corrections").out

    assert "correct: Ada drinks coffee." in out
    assert "said: Ada drinks tea." in out


def test_the_operators_undo_of_a_correction_by_hand(clawgit, remembering) -> None:
    before = remembering.read("MEMORY.md")
    done = clawgit("correct", "tea", "coffee", "--json").data

    clawgit("undo", done["id"])

    assert remembering.read("MEMORY.md") == before


def test_the_same_op_corrects_once(clawgit, remembering) -> None:
    first = clawgit("correct", "tea", "coffee", "--op", "fix-1", "--json").data
    again = clawgit("correct", "coffee", "water", "--op", "fix-1", "--json").data

    assert (first["outcome"], again["outcome"], again["commit"]) == ("applied", "repeated", first["commit"])
    assert "coffee" in remembering.read("MEMORY.md")
