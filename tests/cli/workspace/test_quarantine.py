from __future__ import annotations

import pytest

from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.guards.check import GuardError
from clawgit.plan import Edit, Plan

MARKERS = "<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n"


@pytest.fixture
def refused(room) -> str:
    """Return the id of an agent's plan that a guard refused."""
    plan = Plan("organizer: facts", (Edit("memory/facts.md", MARKERS.encode()),))
    with pytest.raises(GuardError) as error:
        apply_plan(room.history, lambda _: plan, Intent(new_op(), "organizer", room.now))
    return error.value.quarantine_id


def test_list_and_show_say_what_was_refused_and_why(clawgit, refused: str) -> None:
    listed = clawgit("quarantine", "list").out
    shown = clawgit("quarantine", "show", refused).out

    assert listed.startswith(f"{refused}  quarantine, by the organizer, since 2026-03-19\n")
    assert "organizer: facts?" in listed
    assert "why: conflict-marker memory/facts.md:1: " in shown
    assert "=======" in shown


def test_list_and_show_give_json(clawgit, refused: str) -> None:
    (item,) = clawgit("quarantine", "list", "--json").data

    assert item == clawgit("quarantine", "show", refused, "--json").data
    assert {key: item[key] for key in ("id", "actor", "at", "summary", "paths")} == {
        "id": refused,
        "actor": "organizer",
        "at": "2026-03-19T10:22:00+00:00",
        "summary": "organizer: facts",
        "paths": ["memory/facts.md"],
    }


def test_an_empty_quarantine_says_so(clawgit) -> None:
    assert clawgit("quarantine", "list").out == "Nothing is pending.\n"
    assert clawgit("quarantine", "show", "q-none").code == 1


def test_status_counts_and_names_the_way_on(clawgit, refused: str) -> None:
    assert (
        f"? {refused}: Shall the change be made that a guard refused: organizer: facts?"
        in clawgit("status").out
    )
    assert clawgit("status", "--json").data["quarantined"] == 1


def test_apply_goes_through_the_guards_and_can_be_overridden_with_a_reason(
    clawgit, room, refused: str
) -> None:
    stopped = clawgit("approve", refused)
    assert stopped.code == 1
    assert f'`clawgit approve {refused} --override conflict-marker --reason "…"`' in stopped.err
    assert clawgit("approve", refused, "--override", "conflict-marker").code == 1

    done = clawgit("approve", refused, "--override", "conflict-marker", "--reason", "A quotation.")

    assert done.code == 0
    assert "You overrode that" in done.err
    assert room.read("memory/facts.md") == MARKERS
    assert (
        room.git("log", "-1", "--format=%(trailers:key=Clawgit-Override,valueonly)")
        == "conflict-marker: A quotation."
    )
    assert clawgit("quarantine", "list", "--json").data == []


def test_drop_needs_a_yes(clawgit, refused: str) -> None:
    assert clawgit("reject", refused).code == 1
    assert len(clawgit("quarantine", "list", "--json").data) == 1

    assert clawgit("reject", refused, "--yes").code == 0
    assert clawgit("quarantine", "list", "--json").data == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize("words", [("approve",), ("reject", "--yes")])
def test_only_the_operator_applies_and_drops(clawgit, refused: str, words: tuple[str, ...]) -> None:
    said = clawgit(words[0], refused, *words[1:], actor="host")

    assert said.code == 1
    assert "only you can" in said.err
    assert len(clawgit("quarantine", "list", "--json").data) == 1


def test_keep_overrides_a_rule_with_a_reason_and_says_which(clawgit, room) -> None:
    room.write("memory/a.md", MARKERS)
    room.write("memory/b.md", "- password: tiger777\n")
    assert clawgit("keep", "--as", "operator").code == 0
    assert room.git("status", "--porcelain").split() == ["??", "memory/a.md", "??", "memory/b.md"]

    said = clawgit("keep", "--as", "operator", "--override", "conflict-marker", "--reason", "A quotation.")

    assert "memory/a.md has the markers" in said.err
    assert room.git("status", "--porcelain") == "?? memory/b.md"
    assert (
        room.git("log", "-1", "--format=%(trailers:key=Clawgit-Override,valueonly)")
        == "conflict-marker: A quotation."
    )


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "words",
    [
        ("--as", "operator", "--override", "secret"),
        ("--override", "secret", "--reason", "Mine."),
        ("--as", "host", "--override", "secret", "--reason", "Mine."),
        ("--as", "operator", "--override", "unsafe-path", "--reason", "Mine."),
        ("--as", "operator", "--override", "nonsense", "--reason", "Mine."),
    ],
)
def test_an_override_needs_the_operator_a_reason_and_a_rule_that_can_be_broken(clawgit, room, words) -> None:
    room.write("memory/b.md", "- password: tiger777\n")
    before = room.head()

    assert clawgit("keep", *words).code == 1
    assert room.head() == before


def test_keep_and_status_name_a_secret_without_telling_it(clawgit, room) -> None:
    room.write("memory/a.md", "- password: tiger777\n")
    room.write("memory/password=tiger777.md", "- words\n")

    said = [clawgit(*words) for words in (("keep",), ("status",), ("status", "--json"), ("keep", "--json"))]

    assert all("tiger777" not in each.out + each.err for each in said)
    assert "Not committed, looks like a key: memory/a.md:1 and" in said[0].err
    assert "clawgit: allow REASON" in clawgit("doctor").err
    assert {item["rule"] for item in said[2].data["held"]} == {"secret"}


def test_a_reason_with_a_secret_is_refused(clawgit, room) -> None:
    room.write("memory/a.md", "- words\n")

    said = clawgit("keep", "--reason", "the password is tiger777")

    assert said.code == 1
    assert "tiger777" not in said.out + said.err
    assert room.git("status", "--porcelain") == "?? memory/a.md"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("words", ["password: tiger777", "The wifi password is tiger777"])
@pytest.mark.parametrize("actor", ["operator", "host"])
def test_a_secret_that_was_never_written_is_told_as_that(clawgit, room, actor, words) -> None:
    """Mutant: the model reads how to get past the guard."""
    said = clawgit("memory", "add", words, environment={"CLAWGIT_ACTOR": actor})

    assert said.code == 1
    assert "Nothing was written. Keep it in a password manager, and remember where it is." in said.err
    assert "It is not committed" not in said.err
    assert ("clawgit: allow REASON" in said.err) == ("keep --as" in said.err) == (actor == "operator")
