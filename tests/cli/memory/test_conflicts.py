"""`clawgit conflicts`: what waits, both texts, the operator's answer, and taking it back."""

from __future__ import annotations

import pytest

OLD, NEW = "The staging server listens on port 8443.", "The staging server listens on port 9443."


@pytest.fixture
def conflict(clawgit, lived_once) -> str:
    """Return the id of a conflict that waits for the operator."""

    def life() -> None:
        for text in (OLD, NEW):
            assert clawgit("memory", "add", text, "--tag", "knowledge", "--to", "MEMORY.md").code == 0
        (run,) = clawgit("run", "conflict-detector", "--json").data
        assert run["outcome"] == "applied"

    lived_once("conflict", life)
    (found,) = clawgit("conflicts", "list", "--json").data
    return found["id"]


@pytest.mark.rest
def test_what_waits_is_listed_and_counted(clawgit, conflict) -> None:
    (shown,) = clawgit("status", "--json").data["open_conflicts"]

    assert (shown["id"], {shown["a"]["text"], shown["b"]["text"]}) == (conflict, {OLD, NEW})
    assert f"clawgit approve {conflict} A|B|both" in clawgit("status").out
    logged = next(line for line in clawgit("log").out.splitlines() if conflict in line)
    assert f"{OLD} against {NEW}" in logged or f"{NEW} against {OLD}" in logged
    assert f"clawgit approve {conflict}" in clawgit("digest", "--since", "2026-03-18").out
    shown = clawgit("conflicts", "show", conflict).out
    assert all(words in shown for words in (OLD, NEW, "less than 30 days apart", "8443 / 9443"))


def test_a_search_marks_both_sides_until_it_is_decided(clawgit, conflict) -> None:
    """Mutants: two lines that contradict each other are handed over as if both were true; against what is not said."""
    ask = ("memory", "search", "port of the staging server", "--source", "memory")

    hits = clawgit(*ask, "--json").data["results"]

    assert {line for hit in hits for line in (OLD, NEW) if line in hit["snippet"]} == {OLD, NEW}
    for note in (hits[0]["note"], clawgit(*ask).out):
        for other in (OLD, NEW):
            assert (
                f'disputed, ask before you rely on it; against it, 2026-03-19: "{other}", {conflict}' in note
            )
    clawgit("approve", conflict, "B")
    assert "disputed" not in clawgit(*ask).out


def test_where_one_side_is_forgotten_the_other_is_not_disputed_and_its_words_are_not_told(
    clawgit, conflict
) -> None:
    """Mutant: what he forgot is quoted against the line that stays."""
    assert clawgit("forget", OLD, "--yes").code == 0

    for told in (clawgit("search", "port of the staging server"), clawgit("context", "--part", "stable")):
        assert NEW in told.out
        assert OLD not in told.out
        assert "disputed" not in told.out


@pytest.mark.parametrize(("keep", "loser"), [("A", "b"), ("B", "a")])
def test_an_answer_marks_the_other_one_and_waits_no_more(
    room, clawgit, conflict, keep: str, loser: str
) -> None:
    (answer,) = clawgit("approve", conflict, keep, "--reason", "Measured.", "--json").data
    done = clawgit("conflicts", "show", conflict, "--json").data

    assert (answer["kind"], answer["answer"], answer["outcome"]) == ("conflict", "yes", "applied")
    assert (done["outcome"], done["superseded"], done["reason"]) == (
        f"{keep.lower()} holds",
        done[loser]["entry"],
        "Measured.",
    )
    marked = [line for line in room.read("MEMORY.md").split("\n") if "superseded" in line]
    assert [done[loser]["text"] in line for line in marked] == [True]
    assert clawgit("conflicts", "list", "--json").data == []
    assert clawgit("status", "--json").data["open_conflicts"] == []
    assert "- reason: Measured." in room.read("CONFLICTS.md")


@pytest.mark.parametrize(
    ("was", "becomes"),
    [("outcome: b holds", "outcome: a holds"), ("- a: m:", "* a: m:")],
    ids=["another outcome", "no list any more"],
)
def test_a_conflict_that_somebody_else_rewrote_is_asked_again(
    room, clawgit, conflict, was: str, becomes: str
) -> None:
    """Mutant: it is in no list, both entries count, and no command knows its id."""
    clawgit("approve", conflict, "B", "--reason", "Measured.")
    room.change({"CONFLICTS.md": room.read("CONFLICTS.md").replace(was, becomes)}, actor="host")

    (again,) = clawgit("conflicts", "list", "--json").data

    assert (again["id"], again["outcome"], again["a"]["text"]) == (conflict, "open", OLD)
    assert clawgit("approve", conflict, "b").code == 0
    (decided,) = clawgit("conflicts", "list", "--all", "--json").data
    assert decided["outcome"] == "b holds"
    assert clawgit("conflicts", "list", "--json").data == []


def test_what_is_over_is_not_decided(room, clawgit, conflict) -> None:
    """Mutant: an entry that nobody has any more is said to hold."""
    (found,) = clawgit("conflicts", "list", "--json").data
    clawgit("undo", found["a"]["entry"])
    head = room.head()

    refused = clawgit("approve", conflict, "A")

    assert (refused.code, room.head()) == (1, head)
    assert f"{conflict} is over: one of its entries is gone" in refused.err


def test_the_digest_tells_of_a_conflict_that_was_decided(room, clawgit, conflict) -> None:
    clawgit("approve", conflict, "B")

    told = clawgit("digest", "--since", "2026-03-18").out

    otherwise = f"`clawgit approve {conflict} A|B|both`"
    assert f"- {NEW} (instead of: {OLD}) (you) → {otherwise}" in told
    assert "Needs your decision" not in told


def test_both_may_hold_and_the_pair_is_not_raised_again(room, clawgit, conflict) -> None:
    assert clawgit("approve", conflict, "both").code == 0
    clawgit("memory", "add", "The door is green.", "--to", "MEMORY.md")
    for path in (room.root / ".git/clawgit").glob("records.db*"):
        path.unlink()  # with the cursor in it: everything is compared again

    clawgit("run", "conflict-detector")

    (only,) = clawgit("conflicts", "list", "--all", "--json").data
    assert (only["outcome"], only["superseded"]) == ("both hold", None)
    assert "superseded" not in room.read("MEMORY.md")


@pytest.mark.rest
def test_an_answer_is_taken_back_by_its_commit_and_the_find_by_its_run(room, clawgit, conflict) -> None:
    asked = room.read("MEMORY.md"), room.read("CONFLICTS.md")
    (run,) = clawgit("runs", "--agent", "conflict-detector", "--json").data
    before = room.shown("MEMORY.md", f"{run['commit']}~"), room.shown("CONFLICTS.md", f"{run['commit']}~")
    commit = clawgit("approve", conflict, "B", "--json").data[0]["commit"]

    assert clawgit("undo", commit).code == 0
    assert (room.read("MEMORY.md"), room.read("CONFLICTS.md")) == asked
    assert [each["id"] for each in clawgit("conflicts", "list", "--json").data] == [conflict]

    assert clawgit("undo", run["run"]).code == 0
    assert (room.read("MEMORY.md"), room.read("CONFLICTS.md")) == before
    assert clawgit("conflicts", "list", "--all", "--json").data == []


@pytest.mark.rest
@pytest.mark.parametrize("later", [False, True], ids=["answered last", "another conflict found since"])
def test_a_find_is_taken_back_after_its_answer_only(room, clawgit, conflict, later: bool) -> None:
    """Mutant: with sections read line by line, the answer's lines stay behind without what they answer."""
    (run,) = clawgit("runs", "--agent", "conflict-detector", "--json").data
    answer = clawgit("approve", conflict, "B", "--reason", "why", "--json").data[0]["commit"]
    if later:
        for state in ("enabled", "disabled"):
            clawgit(
                "memory",
                "add",
                f"The backups of Apollo are {state}.",
                "--tag",
                "knowledge",
                "--to",
                "MEMORY.md",
            )
        assert clawgit("run", "conflict-detector").code == 0
    files = room.read("MEMORY.md"), room.read("CONFLICTS.md")
    assert files[1].count("- a: m:") == 1 + later

    refused = clawgit("undo", run["run"])

    assert refused.code == 1
    assert (
        "Take the later change back first (`clawgit soul log --file CONFLICTS.md` lists them)" in refused.err
    )
    assert answer in [
        row["commit"] for row in clawgit("soul", "log", "--file", "CONFLICTS.md", "--json").data
    ]
    assert (room.read("MEMORY.md"), room.read("CONFLICTS.md")) == files

    assert [clawgit("undo", word).code for word in (answer, run["run"])] == [0, 0]
    assert room.read("CONFLICTS.md").count("## ") == room.read("CONFLICTS.md").count("- a: m:") == later
    assert "superseded" not in room.read("MEMORY.md")


def test_only_the_operator_answers(room, clawgit, conflict) -> None:
    tip = room.head()

    refused = clawgit("approve", conflict, "B", actor="host")

    assert (refused.code, room.head()) == (1, tip)
    assert "only you can" in refused.err


def test_an_unknown_conflict_is_named(clawgit, conflict) -> None:
    missing = clawgit("approve", "k:nothing", "B")

    assert missing.code == 1
    assert "There is no conflict k:nothing." in missing.err


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_an_entry_that_lost_several_conflicts_is_superseded_while_one_of_them_holds(
    clawgit, gone: int
) -> None:
    """Mutant: of several conflicts the last one alone counts, and with its winner the others are forgotten."""
    said = [f"The Draco port is {port}." for port in (8443, 9443, 7443)]
    for day, text in enumerate(said, 17):
        on = {"CLAWGIT_NOW": f"2026-03-{day}T10:22:00+00:00"}
        added = clawgit("memory", "add", text, "--tag", "knowledge", "--to", "MEMORY.md", environment=on)
        assert added.code == 0
    clawgit("run", "conflict-detector")
    found = clawgit("conflicts", "list", "--json").data
    entries = {side["text"]: side["entry"] for each in found for side in (each["a"], each["b"])}
    for each in found:
        assert clawgit("approve", each["id"], "B").code == 0
    assert clawgit("undo", entries[said[gone]]).code == 0

    snippets = [
        each["snippet"] for each in clawgit("memory", "search", "Draco port", "--json").data["results"]
    ]

    older, newer = (text for text in said if text != said[gone])
    assert [newer in each for each in snippets] == [True]
    assert older not in snippets[0]


def test_what_is_superseded_was_not_so_in_an_earlier_search(room, clawgit, conflict) -> None:
    clawgit("approve", conflict, "B")

    (first, *others) = clawgit("memory", "search", "staging server port", "--json").data["results"]

    assert NEW in first["snippet"]
    assert not any(OLD in each["snippet"] for each in others)
