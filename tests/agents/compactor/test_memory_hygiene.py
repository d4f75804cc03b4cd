"""MEMORY.md and the ledger are kept short: what goes, what never goes, and the way back for all of it."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest
from tests_folder import TESTS

from clawgit.agents.compactor import MemoryCompactor, has_work
from clawgit.agents.door.correction_plans import correct, old_corrections
from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.undo.undo import find_undoing, undo
from clawgit.memory.entries.statements import parted
from clawgit.plan import Edit, Evidence, Plan
from clawgit.workspace.records.records import RECORDS, RunOutcome, open_records

CORE = "MEMORY.md"
VECTORS = json.loads((TESTS / "vectors" / "compactor.json").read_text("utf-8"))
TODAY = date.fromisoformat(VECTORS["now"][:10])
PARAMETERS = VECTORS["parameters"]


def remember(room, *lines: str) -> None:
    """Let the miner remember lines on the operator's words."""
    text = room.read(CORE) + "".join(f"- {line}\n" for line in lines)
    intent = Intent(new_op(), "memory-miner", room.now, trust="operator")
    quote = " ".join(parted(each).statement for each in lines)
    evidence = (Evidence("chat:0", quote),)
    plan = Plan("mine: lines", (Edit(CORE, text.encode()),), evidence=evidence)
    apply_plan(room.history, lambda _: plan, intent)


def compact(room, **later: int):
    room.now += timedelta(**later)
    return MemoryCompactor.run_round(room.history, room.now)


@pytest.fixture
def remembering(room):
    """Return a workspace in which the miner remembered a fact and the operator wrote one himself."""
    room.change({CORE: "# MEMORY\n"}, actor="operator")
    remember(
        room, "2026-03-19: The NAS is in the cellar. #knowledge", "2026-03-19: The car is red. #knowledge"
    )
    room.change({CORE: room.read(CORE) + "\n- Ada likes tea.\n"}, actor="operator")
    room.now += timedelta(hours=1)
    return room


def test_what_nobody_came_back_to_goes_after_a_long_time_and_is_named(remembering) -> None:
    """An operator's 95 % are below 30 % after 420 days."""
    before = remembering.read(CORE)
    compact(remembering, days=400)
    assert remembering.read(CORE) == before

    (report,) = compact(remembering, days=40)

    assert "The NAS is in the cellar." not in remembering.read(CORE)
    assert "Ada likes tea." in remembering.read(CORE)
    assert "not mentioned for 440 days" in report.note.reason
    log = remembering.read("COMPACTION_LOG.md")
    assert "left: MEMORY.md: m:" in log
    assert "clawgit memory revive m:" in log


@pytest.mark.rest
def test_what_went_is_found_deep_and_comes_back(remembering, clawgit) -> None:
    before = remembering.read(CORE)
    reports = compact(remembering, days=440)
    while reports[0].note.outcome is RunOutcome.APPLIED and "The car is red." in remembering.read(CORE):
        reports = compact(remembering, days=7)
    later = {"CLAWGIT_NOW": (remembering.now + timedelta(minutes=5)).isoformat()}

    deep = clawgit("memory", "search", "where is the NAS", "--deep", "--json", environment=later).data
    assert any("cellar" in each["snippet"] for each in deep["results"])
    with open_records(remembering.history.state / RECORDS, remembering.now) as records:
        applied = [run for run in records.runs(limit=10) if run.outcome is RunOutcome.APPLIED]
    for run in applied:
        undo(
            remembering.history,
            find_undoing(remembering.history, run.run_id),
            "",
            Intent(new_op(), "operator", remembering.now),
        )
    assert remembering.read(CORE) == before


@pytest.mark.rest
def test_a_second_run_of_the_day_takes_no_more(remembering) -> None:
    compact(remembering, days=500)
    compact(remembering)
    head = remembering.head()

    (report,) = compact(remembering)

    assert report.note.reason == "There was nothing to work on."
    assert remembering.head() == head
    assert not has_work(remembering.history, remembering.now)


@pytest.mark.rest
def test_what_was_brought_back_stays(remembering) -> None:
    """Mutant: what the operator took back is done again a week later."""
    remember(remembering, "2026-03-20: The NAS is in the cellar! #knowledge")
    twice = remembering.read(CORE)
    for later in (1, 440):
        (report, *_) = compact(remembering, days=later)
        undoing = find_undoing(remembering.history, report.note.run_id)
        undo(remembering.history, undoing, "", by_operator(remembering))
    assert remembering.read(CORE) == twice

    compact(remembering, days=7)
    compact(remembering, days=7)

    assert remembering.read(CORE).count("The NAS is in the cellar") == 2


def test_of_two_lines_that_say_the_same_one_stays(remembering) -> None:
    remember(remembering, "2026-03-20: The NAS is in the cellar! #knowledge")

    (report,) = compact(remembering)

    assert remembering.read(CORE).count("The NAS is in the cellar") == 1
    assert "2026-03-19: The NAS is in the cellar." in remembering.read(CORE)
    assert "says what m:" in report.note.reason


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("2026-03-20: The NAS is not in the cellar. #knowledge", id="a not"),
        pytest.param("2026-03-20: The NAS in room 2 is in the cellar. #knowledge", id="a number"),
        pytest.param("2026-03-20: The car is blue. #knowledge", id="another value"),
    ],
)
def test_lines_that_differ_in_what_counts_both_stay(remembering, line: str) -> None:
    remember(remembering, line)
    before = remembering.read(CORE)

    compact(remembering)

    assert remembering.read(CORE) == before


def test_events_of_two_days_are_two(remembering) -> None:
    remember(
        remembering, "2026-03-19: The roof was mended. #event", "2026-03-25: The roof was mended. #event"
    )
    before = remembering.read(CORE)

    compact(remembering)

    assert remembering.read(CORE) == before


def by_operator(room) -> Intent:
    return Intent(new_op(), "operator", room.now)


@pytest.mark.rest
def test_what_a_correction_is_about_never_goes_and_its_old_words_do(remembering) -> None:
    correct(remembering.history, "The car is red.", "The car is blue.", by_operator(remembering))
    assert "<!-- was: " in remembering.read(CORE)
    compact(remembering, days=6)
    assert "<!-- was: " in remembering.read(CORE)

    compact(remembering, days=2)
    assert "<!-- was: " not in remembering.read(CORE)
    compact(remembering, days=1000)

    assert "The car is blue." in remembering.read(CORE)


@pytest.mark.rest
def test_a_proven_correction_moves_and_still_wins(remembering, clawgit) -> None:
    done = correct(remembering.history, "The car is red.", "The car is blue.", by_operator(remembering))
    assert done.correction is not None
    name = done.correction.correction_id
    compact(remembering, days=13)
    assert standing_corrections(remembering.history.tip().tree)[name].path == "CORRECTIONS.md"

    compact(remembering, days=2)

    moved = standing_corrections(remembering.history.tip().tree)[name]
    assert moved.path.startswith("Archive/Corrections/")
    assert moved.holds
    later = {"CLAWGIT_NOW": (remembering.now + timedelta(minutes=5)).isoformat()}
    found = clawgit("memory", "search", "which colour has the car", "--json", environment=later).data[
        "results"
    ][0]
    assert "The car is blue." in found["snippet"]


def test_a_correction_that_is_not_proven_stays(remembering) -> None:
    done = correct(remembering.history, "The car is red.", "The car is blue.", by_operator(remembering))
    assert done.correction is not None
    ledger = remembering.read("CORRECTIONS.md").replace("re-embedded:true", "re-embedded:false")
    remembering.change({"CORRECTIONS.md": ledger}, actor="operator")

    compact(remembering, days=40)

    assert f"x:{done.correction.correction_id}" in remembering.read("CORRECTIONS.md")


def test_an_entry_with_items_below_it_stays(remembering) -> None:
    remember(remembering, "2026-03-19: The shed: #knowledge", "  - has a red door\n  - has no window")

    compact(remembering, days=800)

    assert "The shed:" in remembering.read(CORE)


@pytest.mark.parametrize(
    "case", [c for c in VECTORS["corrections_cases"] if "age_days" in c], ids=lambda case: case["id"]
)
def test_corrections_of_the_vectors(case: dict, room) -> None:
    """At exactly 14 days one moves. That an archived one still wins is in the tests of the agent."""
    day = TODAY - timedelta(days=case["age_days"])
    proven = str(case["re_embedded"]).lower()
    ledger = (
        f"## {day} 10:00 <!-- x:4f1c re-embedded:{proven} -->\n\n- said: a\n- correct: b\n- status: applied\n"
    )
    room.change({"CORRECTIONS.md": ledger}, actor="operator")

    moved = old_corrections(
        room.history, room.history.tip().tree, TODAY, PARAMETERS["correction_archive_days"]
    )

    assert bool(moved) is (case["action"] is None or case["action"].startswith("move"))


@pytest.mark.parametrize(
    ("age_days", "lines", "moves"),
    [
        pytest.param(59, "- correct: b\n- status: applied\n", False, id="a proof may still come"),
        pytest.param(60, "- correct: b\n- status: applied\n", True, id="no proof came"),
        pytest.param(14, "- correct: b\n- status: withdrawn\n", True, id="withdrawn"),
        pytest.param(400, "- status: open\n", False, id="a question"),
        pytest.param(400, "- status: linked\n- said: The dog is called Rex.\n", False, id="a link that stands"),
        pytest.param(14, "- status: linked\n- said: The dog is called Ben.\n", True, id="a link to what no entry says"),
    ],
)  # fmt: skip
def test_what_is_settled_is_archived_after_its_days(age_days, lines, moves, room) -> None:
    """Mutants: what was never proven stays for ever; a link goes while its entry still says it."""
    heading = f"## {TODAY - timedelta(days=age_days)} 10:00 <!-- x:4f1c re-embedded:false -->"
    files = {"CORRECTIONS.md": f"{heading}\n\n- trigger: a\n{lines}", CORE: "- The dog is called Rex.\n"}
    room.change(files, actor="operator")

    moved = old_corrections(room.history, room.history.tip().tree, TODAY, 14)

    assert bool(moved) is moves


def test_of_three_links_of_an_entry_the_oldest_is_archived(room) -> None:
    head = "## {} 10:00 <!-- x:4f1{} re-embedded:false -->\n\n- trigger: a\n- said: The dog is called Rex.\n- status: linked\n\n"
    days = [TODAY - timedelta(days=ago) for ago in (400, 300, 200)]
    ledger = "".join(head.format(day, number) for number, day in enumerate(days))
    room.change({"CORRECTIONS.md": ledger, CORE: "- The dog is called Rex.\n"}, actor="operator")

    moved = old_corrections(room.history, room.history.tip().tree, TODAY, 14)

    assert [each.correction_id for each in moved] == ["4f10"]
