"""Two corrections of one line, made side by side and merged by whoever: the line's present text says which one is in force.

Seen: after a merge by hand, search, context and tools told the losing one first. Mutants: a gone id is not followed; what a host puts back counts.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from clawgit.history.provenance.fold_store import followed
from clawgit.history.provenance.trust_lookup import corrections_held
from clawgit.memory.corrections.correction_log import read_corrections

if TYPE_CHECKING:
    from conftest import Room

LINE = "The invoice of Nora is due on {} June."
HEAD = "# MEMORY\n\n"


@pytest.fixture
def sides(room: Room, clawgit):
    """Return what corrects a line to 14 on main, and with each word of ``theirs`` to another day on a second branch."""

    def correct(*theirs: str, line: str = f"- {LINE.format(12)}", path: str = "MEMORY.md") -> list[str]:
        room.write(path, f"{HEAD}{line}\n")
        room.git("add", "--all")
        room.git("commit", "--quiet", "--message", "the line")
        room.git("checkout", "--quiet", "-b", "other")
        before = "12"
        for day in theirs:
            assert clawgit("correct", LINE.format(before), LINE.format(day)).code == 0
            before = day
        other = room.read("CORRECTIONS.md")
        room.git("checkout", "--quiet", "main")
        assert clawgit("correct", LINE.format(12), LINE.format(14), "--now", "2026-03-18").code == 0
        mine = room.read("CORRECTIONS.md")
        room.git("merge", "--no-commit", "other", check=False)
        room.write("CORRECTIONS.md", mine + "\n" + other[other.index("## ") :])
        return [room.shown(path, ref) for ref in ("main", "other")]

    return correct


def merged(room: Room, text: str, path: str = "MEMORY.md") -> None:
    room.write(path, text)
    room.git("add", "--all")
    room.git("commit", "--quiet", "--message", "merged")


def in_force(room: Room) -> set[str]:
    held = corrections_held(room.history, room.history.tip().tree)
    return {re.search(r"\d+", each.correct)[0] for each in held.values() if each.holds}


ENTRY = f"- 2026-01-02: {LINE.format(12)} <!-- m:aaaaaa -->"


@pytest.mark.parametrize("line", [f"- {LINE.format(12)}", ENTRY], ids=["an id from each side", "one id"])
@pytest.mark.parametrize(("kept", "day"), [(0, "14"), (1, "13")])
def test_the_one_that_the_line_says_is_in_force(room, clawgit, sides, line, kept, day) -> None:
    merged(room, sides("13", line=line)[kept])

    assert in_force(room) == {day}
    results = json.loads(clawgit("search", "when is the invoice of Nora due", "--json").out)["results"]
    assert LINE.format(day) in str(results[0])
    context = clawgit("context", "--query", "when is the invoice due").out
    assert context.count(" June.") == context.count(LINE.format(day)) > 0
    lost = re.findall(r"applied, not in force: .*\n    correct: .* (\d+) June", clawgit("corrections").out)
    assert [*lost, day] in (["13", "14"], ["14", "13"])
    name = re.search(r"x:(\w+) .*not in force", clawgit("corrections").out)[1]
    assert "applied, does not count" in clawgit("why", f"x:{name}").out
    assert clawgit("pending").out == "Nothing is pending.\n"


def test_it_stays_so_when_the_line_is_corrected_again(room, clawgit, sides) -> None:
    merged(room, sides("13", "15")[0])
    assert in_force(room) == {"14"}

    clawgit("correct", LINE.format(14), LINE.format(16))

    assert in_force(room) == {"14", "16"}
    assert "16" in clawgit("search", "invoice of Nora").out.splitlines()[1]


@pytest.mark.parametrize("actor", ["operator", "host"])
def test_his_own_later_edit_decides_too_and_a_hosts_does_not(room, sides, actor) -> None:
    mine, theirs = sides("13", line=ENTRY)
    merged(room, theirs)
    room.write("MEMORY.md", mine)
    room.keep(actor)

    assert in_force(room) == ({"14"} if actor == "operator" else {"13"})


def test_a_line_in_a_file_beside_memory_decides_as_well(room, clawgit, sides) -> None:
    merged(room, sides("13", path="projects/nora.md")[1], "projects/nora.md")

    assert in_force(room) == {"13"}
    assert LINE.format(13) in clawgit("search", "invoice of Nora").out.splitlines()[1]


def asked(clawgit) -> dict[str, str]:
    (item,) = json.loads(clawgit("pending", "--json").out)
    assert (item["entries"], item["actor"]) == (["m:aaaaaa"], None)  # nobody's agent asked it
    return item


def settled(clawgit, *command: str) -> str:
    """Answer with a command, and return what a search tells first; nothing may be asked any more."""
    assert clawgit(*command).code == 0
    assert clawgit("pending").out == "Nothing is pending.\n"
    return re.search(r"due on (\d+) June", clawgit("search", "invoice of Nora").out.splitlines()[1])[1]


@pytest.mark.rest
@pytest.mark.parametrize(
    ("answer", "day"),
    [
        pytest.param(("approve", "ID"), None, id="the one that it shows"),
        pytest.param(("approve", "ID", LINE.format(15)), "15", id="a third"),
        pytest.param(("reject", "ID"), "12", id="the line as it is"),
        pytest.param(("correct", "m:aaaaaa", LINE.format(13)), "13", id="without the id"),
    ],
)
def test_where_the_line_says_neither_he_is_asked(room, clawgit, sides, answer, day) -> None:
    """Seen: the id that `pending` shows could be neither approved nor rejected."""
    mine = sides("13", line=ENTRY)[0]
    merged(room, mine.replace("14", "12"))

    assert in_force(room) == {"13", "14"}
    item = asked(clawgit)
    assert LINE.format(13) in item["why"]
    assert LINE.format(14) in item["why"]
    assert "after a merge the line does not say so" in clawgit("status").out
    day = day or re.search(r"become .* (\d+) June", item["text"])[1]
    command = [item["id"] if part == "ID" else part for part in answer]
    assert settled(clawgit, *command) == day
    if "ID" in answer:
        assert clawgit("corrections").out.count("  applied") == (answer[0] == "approve")
    assert item["commands"][:2] == [f"clawgit approve {item['id']}", f"clawgit reject {item['id']}"]


@pytest.mark.parametrize(
    ("verb", "day"), [("approve", "13"), ("reject", "14")], ids=["the other one", "as it is"]
)
def test_where_an_agents_merge_chose_one_he_is_asked(room, clawgit, sides, verb, day) -> None:
    """Seen: the agent's choice was in force, and nobody said so."""
    room.write("MEMORY.md", sides("13", line=ENTRY)[0])
    room.git("add", "--all")
    room.git("commit", "--quiet", "--message", "merged\n\nClawgit-Actor: host")

    assert in_force(room) == {"13", "14"}
    item = asked(clawgit)
    assert item["text"] == f'Shall m:aaaaaa "{LINE.format(14)}" become "{LINE.format(13)}"?'
    assert settled(clawgit, verb, item["id"]) == day


def test_his_correction_after_an_agents_merge_is_the_answer(room, clawgit, sides) -> None:
    room.write("MEMORY.md", sides("13", line=ENTRY)[0])
    room.git("add", "--all")
    room.git("commit", "--quiet", "--message", "merged\n\nClawgit-Actor: host")

    assert clawgit("correct", "m:aaaaaa", LINE.format(16)).code == 0

    assert "13" not in in_force(room)
    assert clawgit("pending").out == "Nothing is pending.\n"


@pytest.mark.parametrize("left", ["", f"- {LINE.format(15)}\n"], ids=["forgotten", "a third text"])
def test_what_his_merge_left_out_with_its_id_leads_no_search(room, clawgit, sides, left) -> None:
    """Seen: each of the two led the searches until `undo x:ID`, and one of a forgotten line as well."""
    sides("13")
    merged(room, HEAD + left)

    assert in_force(room) == set()
    assert clawgit("pending").out == "Nothing is pending.\n"
    first = clawgit("search", "invoice of Nora").out.splitlines()[1]
    assert ("15" in first) is bool(left)
    assert "not in force" in clawgit("corrections").out


def test_two_parts_of_a_line_that_a_merge_put_together_are_both_in_force(room, clawgit, sides) -> None:
    line = "- Nora has room {}; the invoice of Nora is due on {} June. <!-- m:aaaaaa -->"
    merged(room, f"{HEAD}{line.format(4, 12)}\n")
    ledgers = []
    for branch, old, new in (("main", "room 4", "room 5"), ("other", "on 12 June", "on 13 June")):
        room.git("checkout", "--quiet", "-B", branch, "main~0" if branch == "main" else "main~1")
        assert clawgit("correct", old, new).code == 0
        ledgers.append(room.read("CORRECTIONS.md"))
    room.git("checkout", "--quiet", "main")
    room.git("merge", "--no-commit", "other", check=False)
    room.write("CORRECTIONS.md", ledgers[0] + "\n" + ledgers[1][ledgers[1].index("## ") :])
    merged(room, f"{HEAD}{line.format(5, 13)}\n")

    assert in_force(room) == {"5", "13"}
    assert clawgit("pending").out == "Nothing is pending.\n"


def test_in_one_line_of_history_the_later_one_is_in_force_and_the_earlier_one_still_names_old_words(
    room, clawgit
) -> None:
    merged(room, f"{HEAD}{ENTRY}\n")
    for old, new in ((12, 13), (13, 12), (12, 14)):
        clawgit("correct", LINE.format(old), LINE.format(new))

    assert "14" in in_force(room)
    assert len(read_corrections(room.read("CORRECTIONS.md").encode())) == 3
    assert LINE.format(14) in clawgit("search", "invoice of Nora").out.splitlines()[1]
    assert clawgit("pending").out == "Nothing is pending.\n"


@pytest.mark.rest
def test_a_line_that_was_corrected_often_is_followed_once(room, clawgit, monkeypatch) -> None:
    merged(room, f"{HEAD}{ENTRY}\n")
    for day in range(12, 20):
        assert clawgit("correct", LINE.format(day), LINE.format(day + 1)).code == 0
    asked = []
    monkeypatch.setattr(
        "clawgit.history.provenance.correction_files.followed",
        lambda store, words, name: asked.append(words) or followed(store, words, name),
    )

    assert "20" in in_force(room)
    assert len(asked) == 1


def test_one_that_a_merge_dropped_stays_so_when_its_words_came_and_went_again(room, clawgit, sides) -> None:
    """Seen: after `correct 13 14` and back, search told the dropped 14 first, and the context had both."""
    merged(room, sides("13")[1])

    for old, new in ((13, 14), (14, 13)):
        assert clawgit("correct", LINE.format(old), LINE.format(new)).code == 0

    assert LINE.format(13) in clawgit("search", "invoice of Nora").out.splitlines()[1]
    context = clawgit("context", "--query", "when is the invoice due").out
    assert LINE.format(13) in context
    assert LINE.format(14) not in context


def test_the_one_left_out_is_told_with_the_command_that_makes_it_again(room, clawgit, sides) -> None:
    """Seen: `status` and the digest listed both as corrections, each with its undo; nobody told the one who lost."""
    merged(room, sides("13", line=ENTRY)[0])

    change = "The invoice of Nora is due: 13 June → 14 June"
    way = f"`clawgit correct m:aaaaaa '{LINE.format(13)}'`"
    status = clawgit("status").out
    assert f"left out by a merge: {change}  (you) → to have it: {way}" in status
    assert "12 June → 13 June" not in status
    digest = clawgit("digest", "--since", "2026-03-01").out
    assert f"- {change} (left out by a merge) → {way}" in digest
    assert "12 June → 13 June" not in digest
    log = clawgit("log").out
    assert "left out    The invoice of Nora is due on [-13-]{+14+} June." in log
    assert f"→ to have it: {way}" in log

    assert clawgit("correct", "m:aaaaaa", LINE.format(13)).code == 0
    assert "left out by a merge" not in clawgit("status").out


def test_of_two_that_say_the_same_none_is_told_as_left_out(room, clawgit, sides) -> None:
    """Seen: "The lab opens at 9:00 → The lab opens at 9:00 (left out by a merge)"."""
    merged(room, sides("14")[0])

    assert "left out" not in clawgit("status").out + clawgit("log").out + clawgit("digest").out


def test_what_one_side_forgot_and_the_other_corrected_is_told_as_left_out(room, clawgit) -> None:
    room.write("MEMORY.md", f"{HEAD}{ENTRY}\n- Tea is at four.\n")
    room.git("add", "--all")
    room.git("commit", "--quiet", "--message", "the line")
    room.git("checkout", "--quiet", "-b", "other")
    assert clawgit("correct", LINE.format(12), LINE.format(13)).code == 0
    ledger = room.read("CORRECTIONS.md")
    room.git("checkout", "--quiet", "main")
    assert clawgit("forget", LINE.format(12), "--yes").code == 0
    forgotten = room.read("MEMORY.md")
    room.git("merge", "--no-commit", "other", check=False)
    room.write("CORRECTIONS.md", ledger)
    merged(room, forgotten)

    assert in_force(room) == set()
    assert clawgit("pending").out == "Nothing is pending.\n"
    assert f"`clawgit remember '{LINE.format(13)}'`" in clawgit("status").out
    assert not clawgit("search", "invoice of Nora").out.splitlines()[1].startswith(f"  > {LINE.format(13)}")
    assert "! In" not in clawgit("status").out


def test_a_host_that_removes_the_entry_before_a_merge_ends_no_correction(room, clawgit, sides) -> None:
    merged(room, f"{HEAD}{ENTRY}\n")
    assert clawgit("correct", LINE.format(12), LINE.format(13)).code == 0
    start = room.head()
    room.write("MEMORY.md", HEAD)
    room.git("commit", "--quiet", "--all", "--no-verify", "--message", "tidy\n\nClawgit-Actor: host")
    room.branch_off(start)
    room.git("merge", "--quiet", "--no-edit", "other")

    assert in_force(room) == {"13"}
