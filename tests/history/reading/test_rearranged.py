"""What moved, was merged and went between two states, by count and place."""

from __future__ import annotations

import re

import pytest

from clawgit.history.guards.check import lost_files
from clawgit.history.reading.rearranged import read_moves

ROWS = [f"- Shelf {number} holds box {number * 7}.\n" for number in range(60)]
SECTION = "\n| what | where |\n|---|---|\n\n```\nleft\n```\n\n"
TWO, MANY = "".join(ROWS[:2]), "".join(ROWS)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("before", "after", "sentences", "is_large"),
    [
        pytest.param(
            {"memory/2026-02-01-vet.md": "We saw the vet.\n"},
            {
                "memory/2026-02-01-vet.md": None,
                "Archive/Daily/2026/02/2026-02-01-vet.md": "We saw the vet.\n",
            },
            ["1 note moved from memory/2026-02-01-vet.md to Archive/Daily/"],
            False,
            id="a file",
        ),
        pytest.param(
            {"MEMORY.md": f"# M\n{TWO}"},
            {"MEMORY.md": "# M\n", "memory/house.md": f"# House\n{TWO}"},
            ["2 lines moved from MEMORY.md to memory/house.md"],
            False,
            id="lines",
        ),
        pytest.param(
            {"MEMORY.md": f"# M\n{MANY}"},
            {
                "MEMORY.md": "# M\n",
                "memory/house.md": "".join(ROWS[:40]),
                "memory/van.md": "".join(ROWS[40:]),
            },
            ["60 lines moved from MEMORY.md to 2 files in memory/"],
            True,
            id="many lines to two files",
        ),
        pytest.param(
            {"MEMORY.md": f"{TWO}{ROWS[0]}"},
            {"MEMORY.md": TWO},
            ["1 line of MEMORY.md merged with equal lines"],
            False,
            id="a repetition",
        ),
        pytest.param(
            {"MEMORY.md": f"# M\n{SECTION}{ROWS[0]}\n## Shed\n{SECTION}{ROWS[1]}"},
            {"MEMORY.md": f"# M\n{SECTION}{ROWS[0]}"},
            ["1 line removed from MEMORY.md"],
            False,
            id="a section with a table's head and a fence that another section has",
        ),
        pytest.param(
            {"MEMORY.md": TWO},
            {"MEMORY.md": ROWS[0]},
            ["1 line removed from MEMORY.md"],
            False,
            id="a removal",
        ),
        pytest.param(
            {"MEMORY.md": "- The van is red. <!-- m:aaaaaa -->\n"},
            {"MEMORY.md": "- The van is blue. <!-- m:aaaaaa -->\n"},
            [],
            False,
            id="a rewording",
        ),
        pytest.param({"MEMORY.md": TWO}, {"MEMORY.md": MANY}, [], False, id="additions"),
        pytest.param(
            {"memory/2026-03-01.md": TWO}, {"MEMORY.md": TWO}, [], False, id="promoted: the note stays"
        ),
        pytest.param(
            {f"memory/2026-02-{day:02}.md": "# Day\n" for day in range(1, 26)},
            {f"memory/2026-02-{day:02}.md": None for day in range(1, 26)}
            | {f"Archive/Daily/2026/02/2026-02-{day:02}.md": "# Day\n" for day in range(1, 26)},
            ["25 daily notes moved from memory/ to Archive/Daily/"],
            True,
            id="notes that are equal",
        ),
        pytest.param(
            {"MEMORY.md": TWO},
            {"memory/structured/other.md": TWO, "memory/INDEX.md": TWO},
            [],
            False,
            id="listings",
        ),
        pytest.param(
            {"notes/a.txt": TWO}, {"notes/a.txt": None, "notes/b.txt": TWO}, [], False, id="no memory"
        ),
    ],
)
def test_moves_are_read_from_two_trees(room, before, after, sentences, is_large) -> None:
    base = room.change(before).commit_id
    tip = room.change(after, actor="organizer").commit_id

    moves = read_moves(room.history, base, tip, lost_files)

    assert [each.sentence for each in moves.moves] == sentences
    assert {each.command for each in moves.moves} <= {f"clawgit undo {tip[:12]}"}
    assert moves.is_large is is_large


@pytest.mark.parametrize(
    ("old", "new", "removed"),
    [
        pytest.param("holds box 7", "is empty", [], id="changed"),
        pytest.param(".*box 7.*\n", "", ["1 line removed from memory/house.md"], id="removed"),
    ],
)
def test_a_line_that_was_moved_before_it_changed_counts_as_moved(room, old, new, removed) -> None:
    """Seen: "dropped: 5 lines removed from MEMORY.md" for five moved lines that were corrected in their new file."""
    base = room.change({"MEMORY.md": f"# M\n{TWO}"}).commit_id
    room.change({"MEMORY.md": "# M\n", "memory/house.md": TWO}, actor="organizer")
    tip = room.change({"memory/house.md": re.sub(old, new, room.read("memory/house.md"))}).commit_id

    moves = read_moves(room.history, base, tip, lost_files).moves

    assert {each.sentence for each in moves} == {*removed, "2 lines moved from MEMORY.md to memory/house.md"}


def test_what_moved_and_came_back_is_no_move(room) -> None:
    base = room.change({"MEMORY.md": f"# M\n{TWO}"}).commit_id
    room.change({"MEMORY.md": "# M\n", "memory/house.md": TWO})
    tip = room.change({"MEMORY.md": f"# M\n{TWO}", "memory/house.md": None}).commit_id

    assert read_moves(room.history, base, tip, lost_files).moves == ()


def test_what_the_operator_took_back_himself_is_no_news(room) -> None:
    """Mutant: nine lines for one undo of his, one a month."""
    room.change({"MEMORY.md": f"# M\n{TWO}"})
    base = room.change({"MEMORY.md": "# M\n", "memory/house.md": TWO}, actor="organizer").commit_id
    tip = room.change({"MEMORY.md": f"# M\n{TWO}", "memory/house.md": None}, actor="operator").commit_id

    assert read_moves(room.history, base, tip, lost_files).moves == ()


def test_what_a_night_moved_and_made_is_no_news_once_it_is_undone_with_an_earlier_one(room) -> None:
    """Mutant: `255 daily notes moved`, with the undo of what is undone."""
    note, place = "memory/2026-02-01.md", "Archive/Daily/2026/02/2026-02-01.md"
    chronicle = "Archive/Chronicles/2026-February.md"
    room.change({"MEMORY.md": f"# M\n{TWO}", note: "We saw the vet.\n"})
    base = room.change({"MEMORY.md": "# M\n", "memory/house.md": TWO}, actor="organizer").commit_id
    told = room.change({chronicle: "The vet.\n"}, actor="memory-compactor").commit_id
    moved = room.change({note: None, place: "We saw the vet.\n"}, actor="memory-compactor").commit_id
    back = {"MEMORY.md": f"# M\n{TWO}", "memory/house.md": None, note: "We saw the vet.\n"}
    back |= {place: None, chronicle: None}
    undo = room.change(back, actor="operator", reverts=f"{moved} {told} {base}").commit_id

    assert read_moves(room.history, base, undo, lost_files).moves == ()

    again = {path: None if text else "We saw the vet.\n" for path, text in back.items()}
    again |= {"MEMORY.md": "# M\n", "memory/house.md": TWO}
    redone = room.change(again, actor="operator", reverts=undo).commit_id
    (move,) = read_moves(room.history, base, redone, lost_files).moves
    assert move.command == f"clawgit undo {moved[:12]}"


def test_lines_that_a_job_and_the_operator_moved_are_taken_back_by_the_jobs_change(room) -> None:
    """Mutant: `git log --stat`, which takes nothing back."""
    base = room.change({"MEMORY.md": f"# M\n{TWO}- Three.\n"}).commit_id
    job = room.change({"MEMORY.md": "# M\n- Three.\n", "memory/house.md": TWO}, actor="organizer").commit_id
    moved = {"MEMORY.md": "# M\n", "memory/house.md": f"{TWO}- Three.\n"}
    tip = room.change(moved, actor="operator").commit_id

    assert [each.command for each in read_moves(room.history, base, tip, lost_files).moves] == [
        f"clawgit undo {job[:12]}"
    ]
