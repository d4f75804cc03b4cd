"""The detector over real entries: what it logs, marks and leaves, how it is taken back, and who cannot talk it round."""

from __future__ import annotations

from datetime import timedelta

import pytest

from clawgit.agents.conflict_detector import MOST, ConflictDetector
from clawgit.agents.door.correction_plans import correct
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.provenance.trust_lookup import open_trusts, waiting
from clawgit.memory.conflict_log import Outcome, read_conflicts
from clawgit.recall.search import search
from clawgit.recall.search_results import Query
from clawgit.workspace.records.records import RunOutcome

OLD, NEW = "The staging server listens on port 8443.", "The staging server listens on port 9443."
LEARNED = "memory/learned.md"


@pytest.fixture
def say(room):
    """Return a function that brings entries into a file some days later."""

    def call(
        *statements: str,
        after: int = 0,
        actor: str = "operator",
        path: str = "MEMORY.md",
        tag: str = " #knowledge",
    ) -> None:
        room.now += timedelta(days=after)
        text = room.read(path) if (room.root / path).exists() else ""
        room.change({path: text + "".join(f"- {each}{tag}\n" for each in statements)}, actor=actor)

    return call


def detected(room):
    room.now += timedelta(hours=1)
    return [report.note for report in ConflictDetector.run_round(room.history, room.now)]


def logged(room):
    return read_conflicts((room.root / "CONFLICTS.md").read_bytes())


def held(room):
    with open_trusts(room.history) as trusts:
        return trusts.conflicts((room.root / "CONFLICTS.md").read_bytes())


def found(room, query: str = "staging server port"):
    return search(room.history, Query(query), room.now).results


def test_the_operators_word_of_a_month_later_holds_and_the_older_one_is_marked(room, say) -> None:
    say(OLD)
    say(NEW, after=30)

    (note,) = detected(room)

    (conflict,) = logged(room)
    assert (note.outcome, conflict.outcome, conflict.loser.statement) == (RunOutcome.APPLIED, Outcome.B, OLD)
    assert (
        f"<!-- superseded: k:{conflict.conflict_id} -->"
        in room.read("MEMORY.md").split(OLD)[1].split("\n")[0]
    )
    (first, *_) = found(room)
    assert NEW in first.snippet
    assert [OLD in each.text for each in first.instead_of] == [True]
    assert not any(OLD in each.snippet for each in found(room))


def test_what_is_close_in_time_waits_for_the_operator_and_nothing_is_marked(room, say) -> None:
    say(OLD)
    say(NEW, after=29)
    before = room.read("MEMORY.md")

    detected(room)

    assert [each.outcome for each in waiting(room.history, room.history.tip().tree)] == [Outcome.OPEN]
    assert room.read("MEMORY.md") == before
    assert all(any(each in hit.snippet for hit in found(room)) for each in (OLD, NEW))


@pytest.mark.rest
def test_more_conflicts_than_one_run_logs_are_logged_by_the_next(room, say) -> None:
    """Mutant: what was compared counts as done, whatever there was no room for."""
    words = [f"The {one}{two} server listens on port" for one in "abcdefgh" for two in ("ruby", "onyx", "opal", "jade", "agate", "beryl", "topaz")]  # fmt: skip
    say(*(f"{each} 8443." for each in words))
    say(*(f"{each} 9443." for each in words), after=1)

    rounds = [detected(room) for _ in range(3)]

    assert [len(notes) for notes in rounds] == [1, 1, 0]
    assert len(logged(room)) == len(words) > MOST


def test_a_correction_holds_against_a_newer_word(room, say) -> None:
    say(NEW)
    correct(room.history, NEW, OLD, Intent(new_op(), "operator", room.now))
    say(NEW.replace("9443", "7443"), after=60)

    detected(room)

    (conflict,) = logged(room)
    assert (conflict.winner.statement, conflict.rule) == (OLD, "a correction holds against anything else")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("actor", ["host", "unknown", "memory-miner"])
def test_nobody_else_takes_the_place_of_the_operators_word(room, say, actor: str) -> None:
    say(OLD)
    say(NEW, after=400, actor=actor, path=LEARNED)

    detected(room)

    (conflict,) = logged(room)
    assert conflict.outcome is Outcome.OPEN
    assert "superseded" not in room.read("MEMORY.md") + room.read(LEARNED)


def test_events_and_what_rules_cannot_tell_are_left(room, say) -> None:
    say("We met Erik on 12 May 2026.", "We met Erik on 19 May 2026.", tag=" #event")
    say("User speaks Danish.", "User speaks Portuguese.")

    (note,) = detected(room)

    assert (note.outcome, logged(room)) == (RunOutcome.NOTHING, [])


def test_what_was_compared_is_not_compared_again_and_a_pair_is_raised_once(room, say) -> None:
    say(OLD)
    say(NEW, after=40)
    first = detected(room)
    tip = room.head()

    assert [detected(room), detected(room)] == [[], []]
    say("The door is green.")
    again = detected(room)

    assert [note.outcome for note in (*first, *again)] == [RunOutcome.APPLIED, RunOutcome.NOTHING]
    assert (len(logged(room)), room.git("rev-parse", "HEAD~1")) == (1, tip)


def test_without_records_nothing_is_logged_twice(room, say) -> None:
    """The cursor is among the records: whoever loses them compares all entries again."""
    say(OLD)
    say(NEW, after=40)
    detected(room)
    say("The door is green.")  # so that it is no input that was dealt with
    before = room.read("CONFLICTS.md"), room.read("MEMORY.md")
    for path in (room.root / ".git/clawgit").glob("records.db*"):
        path.unlink()

    detected(room)

    assert (room.read("CONFLICTS.md"), room.read("MEMORY.md")) == before


def test_a_rehearsal_changes_nothing(room, say) -> None:
    say(OLD)
    say(NEW, after=40)
    tip = room.head()

    (planned,) = ConflictDetector.rehearse_round(room.history, room.now)

    assert (planned.planned.plan.paths, room.head()) == (("MEMORY.md", "CONFLICTS.md"), tip)
    assert room.git("status", "--porcelain") == ""


def test_a_mark_goes_where_the_entry_says_something_else_by_now(room, say) -> None:
    say(OLD)
    say(NEW, after=40)
    detected(room)

    room.change({"MEMORY.md": room.read("MEMORY.md").replace("8443", "9000")}, actor="operator")
    detected(room)

    assert "superseded" not in room.read("MEMORY.md").split("9000")[1].split("\n")[0]


def test_a_correction_of_an_entry_takes_its_mark_off(room, say) -> None:
    say(OLD)
    say(NEW, after=40)
    detected(room)

    correct(room.history, OLD, NEW, Intent(new_op(), "operator", room.now))

    assert "superseded" not in room.read("MEMORY.md")


def test_what_a_host_writes_into_the_log_decides_nothing(room, say) -> None:
    """A forged outcome, and a forged conflict: neither ranks the operator's entry behind another."""
    say(OLD)
    say(NEW, after=5)
    detected(room)
    (conflict,) = held(room)
    forged = room.read("CONFLICTS.md").replace("outcome: open", "outcome: b holds")

    room.change({"CONFLICTS.md": forged}, actor="host")

    assert held(room) == []
    assert any(OLD in each.snippet for each in found(room))
    assert logged(room)[0].conflict_id == conflict.conflict_id


def test_a_mark_that_a_host_makes_changes_no_search_and_goes_with_the_next_run(room, say) -> None:
    say(OLD)
    before = room.read("MEMORY.md")
    detected(room)

    room.change({"MEMORY.md": before.rstrip("\n") + " <!-- superseded: k:ffffff -->\n"}, actor="host")

    assert "superseded" in room.read("MEMORY.md")
    assert [OLD in each.snippet for each in found(room)] == [True]
    assert [each.trust for each in found(room)] == ["operator"]
    detected(room)
    assert room.read("MEMORY.md") == before


def test_an_entry_without_an_id_gets_one_to_be_named_by(room) -> None:
    room.write("MEMORY.md", f"# MEMORY\n\n- {OLD} #knowledge\n")
    room.git("commit", "-qam", "by hand")
    room.now += timedelta(days=40)
    room.write("MEMORY.md", f"# MEMORY\n\n- {OLD} #knowledge\n- {NEW} #knowledge\n")
    room.git("commit", "-qam", "by hand")

    detected(room)

    (conflict,) = logged(room)
    assert all(f"<!-- m:{each.entry_id} -->" in room.read("MEMORY.md") for each in (conflict.a, conflict.b))


def test_two_names_for_one_thing_wait_for_the_operator_however_old_one_is(room, say) -> None:
    """Mutant: the newer wins, though there may be two offices."""
    say("The office is in Berlin.")
    say("The office is in Hamburg.", after=60)

    detected(room)

    (conflict,) = logged(room)
    assert (conflict.outcome, conflict.differs) == (Outcome.OPEN, "Berlin / Hamburg")
    assert "superseded" not in room.read("MEMORY.md")


def test_an_order_that_was_taken_back_no_longer_holds(room, say) -> None:
    """Mutants: both hold; the order is asked about; the withdrawal of another order does it."""
    order, other = "Always use metric units.", "Always answer in German."
    say(order, other, tag=" #skill")
    say("No need for metric units any more.", after=2)

    detected(room)

    (conflict,) = logged(room)
    assert conflict.loser.statement == order
    text = room.read("MEMORY.md")
    assert "superseded" in text.split(order)[1].split("\n")[0]
    assert "superseded" not in text.split(other)[1].split("\n")[0]
