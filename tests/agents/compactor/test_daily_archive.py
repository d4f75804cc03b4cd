"""Old notes are told of and moved, and nothing of them is lost: whoever wrote beside them, and whatever ends the run."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import time
from datetime import timedelta

import pytest

from clawgit.agents.compactor import Chronicler, MemoryCompactor, aged_notes, has_work
from clawgit.agents.run_agent import Means, run_agent
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.git.repository import open_history
from clawgit.history.undo.undo import find_undoing, undo
from clawgit.workspace.records.records import RECORDS, RunOutcome, open_records

OLD_PLACES = {
    "memory/2026-01-05.md": "Archive/Daily/2026/01/2026-01-05.md",
    "memory/2026-01-06-api-design.md": "Archive/Daily/2026/01/2026-01-06-api-design.md",
    "memory/2026-02-02.md": "Archive/Daily/2026/02/2026-02-02.md",
}


def files(room) -> dict[str, str]:
    """Return the committed files with what they say, settings and prompts left out."""
    tree = room.history.tip().tree
    return {path: entry.object_id for path, entry in tree.files() if path.startswith(("memory/", "Archive/"))}


def outcomes(reports) -> list[str]:
    return [each.note.outcome.value for each in reports]


@pytest.mark.rest
def test_old_notes_move_byte_for_byte_once_a_committed_chronicle_tells_of_them(aged) -> None:
    before = files(aged)

    reports = aged.compact()

    after = files(aged)
    assert outcomes(reports) == ["applied", "applied"]
    assert [after[new] for new in OLD_PLACES.values()] == [before[old] for old in OLD_PLACES]
    assert not OLD_PLACES.keys() & after.keys()
    assert {"memory/2026-03-18.md", "memory/2026-03-19.md"} <= after.keys()
    told, moved = (each.note.commit_id for each in reports)
    assert aged.git("show", "--name-only", "--format=", told).split() == [
        "Archive/Chronicles/2026-February.md",
        "Archive/Chronicles/2026-January.md",
    ]
    assert aged.git("rev-parse", f"{moved}^") == told
    assert "Chose REST over GraphQL, decided by Ada. #decision" in aged.read(
        "Archive/Chronicles/2026-January.md"
    )
    assert "决定使用REST而非GraphQL" in aged.read("Archive/Chronicles/2026-January.md")


@pytest.mark.rest
def test_a_second_run_changes_nothing_and_says_so(aged) -> None:
    aged.compact()
    head = aged.head()

    (report,) = aged.compact()

    assert (report.note.outcome, report.note.reason) == (RunOutcome.NOTHING, "There was nothing to work on.")
    assert aged.head() == head
    assert not has_work(aged.history, aged.now)


def test_a_dry_run_writes_nothing_and_shows_what_a_run_does(aged) -> None:
    before = aged.head()

    told, moved = MemoryCompactor.rehearse_round(aged.history, aged.now)

    assert told.planned.plan is not None
    assert moved.planned.plan is not None
    assert aged.head() == before
    assert [each.planned.plan and each.planned.plan.paths for each in aged.compact()] == [
        told.planned.plan.paths,
        moved.planned.plan.paths,
    ]


def test_to_ask_what_may_move_no_chronicle_is_written(aged) -> None:
    """Mutant: each line of each old note is scored, to say how many notes would move."""
    told, moved = MemoryCompactor.rehearse_round(aged.history, aged.now)

    (asked,) = MemoryCompactor.rehearse_round(aged.history, aged.now, Means(only_moves=True))

    assert asked.planned.plan is not None
    assert moved.planned.plan is not None
    assert told.planned.plan is not None
    assert asked.planned.plan.paths == moved.planned.plan.paths


@pytest.mark.rest
def test_what_the_compactor_did_can_be_taken_back_run_by_run(aged) -> None:
    before = files(aged)
    told, moved = aged.compact()

    for each in (moved, told):
        undoing = find_undoing(aged.history, each.note.run_id)
        undo(aged.history, undoing, "", Intent(new_op("undo"), "operator", aged.now))

    assert files(aged) == before


def test_a_chronicle_without_its_move_is_not_written_twice(aged) -> None:
    """As a kill between the two leaves it. Mutant: the second run tells of the same notes again."""
    notes = aged_notes(aged.history, aged.now)
    with open_records(aged.history.state / RECORDS, aged.now) as records:
        run_agent(aged.history, records, Chronicler(aged.history, aged.now, tuple(notes)), aged.now)
    chronicle = aged.read("Archive/Chronicles/2026-January.md")

    (report,) = aged.compact()

    assert report.note.outcome is RunOutcome.APPLIED
    assert aged.read("Archive/Chronicles/2026-January.md") == chronicle
    assert files(aged).keys() >= set(OLD_PLACES.values())


@pytest.mark.parametrize("milliseconds", [0, 5, 15, 40, 120])
def test_a_run_that_is_killed_ends_as_one_that_was_not(aged, tmp_path, milliseconds: int) -> None:
    """Whenever the kill comes: before, between or after the two changes."""
    twin = tmp_path / "twin"
    shutil.copytree(aged.root, twin, symlinks=True)
    MemoryCompactor.run_round(open_history(twin), aged.now)
    wanted = open_history(twin).tip().tree.tree_id
    process = multiprocessing.get_context("fork").Process(
        target=MemoryCompactor.run_round, args=(open_history(aged.root), aged.now)
    )
    process.start()
    while process.is_alive() and not (aged.root / "Archive/Chronicles/2026-January.md").exists():
        time.sleep(0.001)
    time.sleep(milliseconds / 1000)
    if process.is_alive() and process.pid is not None:
        os.kill(process.pid, signal.SIGKILL)
    process.join()

    again = open_history(aged.root)
    MemoryCompactor.run_round(again, aged.now)

    assert again.tip().tree.tree_id == wanted
    assert aged.git("status", "--porcelain") == ""


def test_a_note_that_somebody_is_editing_keeps_the_edit(aged) -> None:
    """The edit is kept under its own name first; the note moves with it, then or at the next run."""
    aged.write(
        "memory/2026-02-02.md", "# 2026-02-02\n\nThe trip to Oslo was confirmed for 8 March.\nAnd paid.\n"
    )

    aged.compact()
    aged.compact()

    place = OLD_PLACES["memory/2026-02-02.md"]
    assert "And paid." in aged.read(place)
    assert aged.actors().count("unknown") == 1


def test_another_text_at_its_place_in_the_archive_stays(aged) -> None:
    aged.change({"Archive/Daily/2026/01/2026-01-05.md": "my own notes\n"}, actor="operator")

    aged.compact()

    assert aged.read("Archive/Daily/2026/01/2026-01-05.md") == "my own notes\n"
    assert "Chose REST" in aged.read("Archive/Daily/2026/01/2026-01-05-2.md")


@pytest.mark.rest
def test_a_second_note_of_a_day_that_was_archived_is_told_of_too(aged) -> None:
    """Seen before: the day counted as told, and the note was archived untold."""
    aged.compact()
    aged.change(
        {"memory/2026-01-05.md": "# 2026-01-05\n\n- Chose Oslo for the office. #decision\n"}, actor="host"
    )
    aged.now += timedelta(days=7)

    reports = aged.compact()

    assert outcomes(reports) == ["applied", "applied"]
    assert "Chose Oslo" in aged.read("Archive/Daily/2026/01/2026-01-05-2.md")
    assert "Chose Oslo" in aged.read("Archive/Chronicles/2026-January.md")


def test_a_chronicle_of_the_operator_s_own_grows_below_his_words(aged) -> None:
    own = "# January\n\nWe were tired.\n"
    aged.change({"Archive/Chronicles/2026-January.md": own}, actor="operator")

    aged.compact()

    assert aged.read("Archive/Chronicles/2026-January.md").startswith(own)
    assert "Chose REST" in aged.read("Archive/Chronicles/2026-January.md")


def test_a_chronicle_that_cannot_grow_holds_back_its_month_and_no_other(aged) -> None:
    aged.change({"Archive/Chronicles/2026-January.md": "```\nopen\n"}, actor="operator")

    reports = aged.compact()

    assert "Close it first" not in reports[0].note.reason
    assert "open code block" in reports[0].note.reason
    assert "memory/2026-01-05.md" in files(aged)
    assert OLD_PLACES["memory/2026-02-02.md"] in files(aged)


def test_links_are_neither_followed_nor_moved(aged, tmp_path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("secret of another folder\n")
    (aged.root / "memory/2026-01-07.md").symlink_to(outside)
    aged.git("add", "memory/2026-01-07.md")
    aged.git("commit", "-qnm", "a link")

    aged.compact()

    assert (aged.root / "memory/2026-01-07.md").is_symlink()
    assert "another folder" not in aged.read("Archive/Chronicles/2026-January.md")


def test_an_archive_that_is_a_link_is_not_written_through(aged, tmp_path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.rmtree(aged.root / "Archive")
    (aged.root / "Archive").symlink_to(elsewhere)
    aged.git("add", "-A")
    aged.git("commit", "-qnm", "a link")

    reports = aged.compact()

    assert list(elsewhere.iterdir()) == []
    assert OLD_PLACES.keys() <= files(aged).keys()
    assert all(each.note.outcome in (RunOutcome.NOTHING, RunOutcome.REFUSED) for each in reports)


def test_a_note_that_no_guard_lets_move_stays_and_the_others_go(aged) -> None:
    """Mutant: one hidden character keeps every note from the archive, for ever."""
    aged.change({"memory/2026-01-09.md": "# 2026-01-09\n\nhid\u202eden\n"}, actor="host")

    reports = aged.compact()

    assert "memory/2026-01-09.md" in files(aged)
    assert files(aged).keys() >= set(OLD_PLACES.values())
    assert "memory/2026-01-09.md stays" in reports[-1].note.reason


def test_what_moved_is_found_and_says_where_it_comes_from(aged, clawgit) -> None:
    aged.compact()
    later = {"CLAWGIT_NOW": (aged.now + timedelta(hours=1)).isoformat()}

    found = clawgit("memory", "search", "trip to Oslo", "--json", environment=later).data
    why = clawgit("why", f"{OLD_PLACES['memory/2026-02-02.md']}:3", environment=later)

    assert any(each["path"] == OLD_PLACES["memory/2026-02-02.md"] for each in found["results"])
    assert "in: memory/2026-02-02.md" in why.out


def test_every_move_is_in_the_compaction_log_with_the_way_back(aged) -> None:
    aged.compact()

    log = aged.read("COMPACTION_LOG.md")

    assert "3 daily notes moved to Archive/Daily" in log
    assert "`clawgit undo` of this run moves them back" in log


def test_the_tokens_of_words_from_outside_are_not_raised_by_a_chronicle(aged) -> None:
    """What somebody else's notes say is in the chronicle the compactor's word at most."""
    aged.compact()

    assert (
        aged.git("log", "-1", "--format=%(trailers:key=Clawgit-Trust,valueonly)", "HEAD~1").strip() == "host"
    )


def test_a_link_to_a_note_that_moved_is_still_read(aged, clawgit) -> None:
    before = clawgit("memory", "get", "memory/2026-02-02.md", "--from", "3", "--json").data
    aged.compact()

    after = clawgit("memory", "get", "memory/2026-02-02.md", "--from", "3", "--json").data

    assert after == before | {"path": OLD_PLACES["memory/2026-02-02.md"]}
    assert clawgit("memory", "get", "memory/2026-02-03.md", "--json").data["text"] == ""


@pytest.mark.rest
def test_what_was_taken_back_is_not_done_again(aged) -> None:
    """Mutant: the next note that comes of age takes the others along."""
    before = files(aged)
    told, moved = aged.compact()
    for each in (moved, told):
        undoing = find_undoing(aged.history, each.note.run_id)
        undo(aged.history, undoing, "", Intent(new_op("undo"), "operator", aged.now))
    assert files(aged) == before
    aged.now += timedelta(days=31)

    aged.compact()

    after = files(aged)
    assert OLD_PLACES.keys() <= after.keys()
    assert "Archive/Daily/2026/03/2026-03-18.md" in after
