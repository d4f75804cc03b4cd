"""MEMORY.md keeps its lines: the oldest go to files of their topic."""

from __future__ import annotations

from datetime import date, timedelta

from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.own_section import with_room
from clawgit.understanding.facts.routing import LEARNED

TAGS = ("event", "knowledge", "decision", "skill")


def memory(entries: int) -> bytes:
    day = date(2026, 1, 1)
    lines = [
        f"- {day + timedelta(days=number)}: Statement number {number} #{TAGS[number % 4]} <!-- m:aaa{number:03} -->\n"
        for number in range(entries)
    ]
    return ("# MEMORY\n\nOf Ada's.\n\n" + "".join(lines)).encode()


def test_a_file_with_room_stays_as_it_is() -> None:
    data = memory(150)

    assert with_room(data, {}.get).data == data


def test_nothing_is_lost_and_the_rest_is_found_by_a_link() -> None:
    data = memory(230)

    moved = with_room(data, {"memory/events.md": b"# Events\n\n- An old one. <!-- m:zzz -->\n"}.get)

    lines = moved.data.splitlines()
    assert len(lines) <= 152
    assert b"Of Ada's." in lines
    assert b"[events](memory/events.md) \xc2\xb7 [knowledge](memory/knowledge.md)" in moved.data
    before = [entry.entry_id for entry in read_entries(data)]
    after = [entry.entry_id for text in (moved.data, *moved.others.values()) for entry in read_entries(text)]
    assert sorted([*before, "zzz"]) == sorted(after)
    assert moved.others["memory/events.md"].startswith(
        b"# Events\n\n- An old one. <!-- m:zzz -->\n- 2026-01-01: "
    )


def test_the_second_time_the_links_stay_one_line() -> None:
    """Mutant: a line of links is added each time."""
    first = with_room(memory(230), {}.get)
    more = first.data + memory(290)[len(memory(210)) :]

    again = with_room(more, first.others.get)

    assert again.data.count(b"More: ") == 1
    assert again.data.count(b"](memory/") >= 2


def test_what_has_something_below_it_stays() -> None:
    data = memory(230).replace(b"<!-- m:aaa000 -->\n", b"<!-- m:aaa000 -->\n  - with a reason\n")

    assert b"with a reason" in with_room(data, {}.get).data


def test_what_others_said_has_more_room_and_moves_to_its_quarter() -> None:
    """Mutants: the room of MEMORY.md; to the topics, where the operator's word is."""
    assert with_room(memory(990), {}.get, LEARNED).data == memory(990)

    moved = with_room(memory(1010), {}.get, LEARNED)

    assert sorted(moved.others) == [f"memory/learned-2026-Q{quarter}.md" for quarter in (1, 2, 3)]
    assert b"More: [learned-2026-Q1](learned-2026-Q1.md) \xc2\xb7 " in moved.data
    after = [entry.entry_id for text in (moved.data, *moved.others.values()) for entry in read_entries(text)]
    assert sorted(after) == sorted(entry.entry_id for entry in read_entries(memory(1010)))


def test_in_a_file_that_is_too_long_without_them_new_lines_stay() -> None:
    """Mutants: what was remembered just now leaves at once, from 641 lines of the owner's; nothing ever leaves such a file."""
    own = "# MEMORY\n\n" + "".join(f"- The owner's line {number}.\n" for number in range(250))
    few, many = own.encode() + memory(3)[20:], own.encode() + memory(230)[20:]

    assert with_room(few, {}.get).data == few
    assert with_room(many, {}.get).entries == 80
