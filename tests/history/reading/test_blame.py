"""Blame against a slow and obvious way: a line that never left comes from the commit whose parent did not have its words."""

from __future__ import annotations

import random

import pytest
from rounds import some

from clawgit.history.reading.blame import blame
from clawgit.memory.entries.entries import without_marks

FILE = "MEMORY.md"


def words(line: str) -> str:
    return " ".join(without_marks(line.encode()).decode().split())


def commit(room, lines: list[str], summary: str) -> str:
    room.write(FILE, "".join(f"{line}\n" for line in lines))
    room.git("add", FILE)
    room.git("commit", "-qm", summary, "--allow-empty")
    return room.head()


def blamed(room, rev: str = "HEAD") -> list[tuple[str, str]]:
    """Return each line's words with the summary of its change."""
    return [
        (words(line.text), line.change.subject)
        for line in blame(room.history, FILE, room.git("rev-parse", rev))
        if line.text.strip()
    ]


def slowly_blamed(room) -> list[tuple[str, str]]:
    def lines(rev: str) -> list[str]:
        return [words(line) for line in room.git("show", f"{rev}:{FILE}", check=False).split("\n")]

    found = []
    for line in filter(None, lines("HEAD")):
        at = "HEAD"
        while line in lines(f"{at}^"):
            at += "^"
        found.append((line, room.git("log", "-1", "--format=%s", at)))
    return found


class Editor:
    """Edits the list as people and agents do; no line moves, and each says something of its own."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.lines = [f"- the first fact number {number}" for number in range(8)]
        self.number = 0

    def edit(self) -> None:
        for act in self.dice.choices(
            [self.add, self.drop, self.stamp, self.unstamp, self.space, self.stamp_all], k=2
        ):
            act()

    def place(self) -> int:
        return self.dice.randrange(len(self.lines))

    def add(self) -> None:
        self.number += 1
        self.lines.insert(
            self.place(), f"- {self.dice.choice('abcdefgh') * 6} said {self.number * 7919} things"
        )

    def drop(self) -> None:
        if len(self.lines) > 3:
            del self.lines[self.place()]

    def stamp(self) -> None:
        self.number += 1
        at = self.place()
        self.lines[at] = without_marks(self.lines[at].encode()).decode() + f" <!-- m:e{self.number} -->"

    def unstamp(self) -> None:
        at = self.place()
        self.lines[at] = without_marks(self.lines[at].encode()).decode()

    def space(self) -> None:
        at = self.place()
        self.lines[at] = (
            self.lines[at].replace(" ", "  ", 1)
            if "  " not in self.lines[at]
            else self.lines[at].replace("  ", " ")
        )

    def stamp_all(self) -> None:
        for at in range(len(self.lines)):
            self.number += 1
            self.lines[at] = without_marks(self.lines[at].encode()).decode() + f" <!-- m:f{self.number} -->"


@pytest.mark.rest
@pytest.mark.parametrize("seed", some(range(6), each=3))
def test_blame_is_what_a_slow_search_finds(room, full_length: bool, seed: int) -> None:
    """Mutant: no line is looked through."""
    editor = Editor(seed)
    for number in range(60 if full_length else 14):
        editor.edit()
        commit(room, editor.lines, f"step {number}")

    assert blamed(room) == slowly_blamed(room)


def test_a_commit_that_stamps_one_line_and_brings_another_is_passed_over_for_the_first_only(room) -> None:
    """Git's own blame, told to pass all three over, names the first commit for the new words."""
    commit(room, ["- one old fact", "- kept", "- another old fact"], "one")
    commit(room, ["- brand new words", "- kept", "- another old fact <!-- m:x1 -->"], "two")
    commit(room, ["- brand new words <!-- m:y1 -->", "- kept", "- another old fact <!-- m:x1 -->"], "three")

    assert blamed(room) == [("- brand new words", "two"), ("- kept", "one"), ("- another old fact", "one")]


@pytest.mark.rest
def test_a_file_that_was_dressed_anew_fifty_times_comes_from_before(room) -> None:
    """Mutant: only the first part of the history is read."""
    commit(room, [f"- fact {number}" for number in range(30)], "facts")
    for turn in range(50):
        commit(room, [f"- fact {number} <!-- m:t{turn}n{number} -->" for number in range(30)], f"turn {turn}")

    assert {summary for _, summary in blamed(room)} == {"facts"}


def test_a_line_that_both_sides_of_a_merge_have_is_found_on_both(room) -> None:
    """Mutant: what waits at a commit is replaced by what comes from another child."""
    commit(room, ["- a", "- b", "- c", "- d"], "base")
    room.git("checkout", "-qb", "side")
    commit(room, ["- a", "- b", "- c", "- d", "- side"], "side")
    room.git("checkout", "-q", "main")
    commit(room, ["- c", "- d", "- main"], "main")
    room.git("merge", "-q", "--no-commit", "side", check=False)
    commit(room, ["- a", "- b", "- c", "- d", "- main", "- side"], "merge")

    assert blamed(room) == [
        *((f"- {name}", "base") for name in "abcd"),
        ("- main", "main"),
        ("- side", "side"),
    ]


def test_a_merge_is_named_for_its_own_words(room) -> None:
    commit(room, ["- a", "- b", "- c"], "base")
    room.git("checkout", "-qb", "side")
    commit(room, ["- a", "- b", "- c", "- side"], "side")
    room.git("checkout", "-q", "main")
    commit(room, ["- main", "- a", "- b", "- c"], "main")
    room.git("merge", "-q", "--no-commit", "side")
    commit(room, ["- main", "- a", "- b", "- c", "- side", "- settled"], "merge")

    assert blamed(room) == [
        ("- main", "main"),
        *((f"- {name}", "base") for name in "abc"),
        ("- side", "side"),
        ("- settled", "merge"),
    ]


def test_a_renamed_file_keeps_its_lines(room) -> None:
    commit(room, ["- a fact of many words", "- b fact of many words"], "one")
    room.git("mv", FILE, "memory/kept.md")
    room.git("commit", "-qm", "rename")

    lines = blame(room.history, "memory/kept.md", room.head())

    assert [line.change.subject for line in lines] == ["one", "one"]


def test_a_file_that_was_renamed_and_is_back_keeps_its_lines(room) -> None:
    """Mutant: a rename is only looked for where the history of the name begins; then all lines are from `back`."""
    commit(room, ["- a fact of many words", "- b fact of many words"], "one")
    for old, new, message in ((FILE, "memory/kept.md", "away"), ("memory/kept.md", FILE, "back")):
        room.git("mv", old, new)
        room.git("commit", "-qm", message)
    commit(room, ["- a fact of many words", "- c", "- b fact of many words"], "more")

    assert [summary for _, summary in blamed(room)] == ["one", "more", "one"]


def test_words_that_went_and_came_back_are_of_whoever_said_them_first(room) -> None:
    """Mutant: a revert, or somebody who types them again, is where they come from."""
    commit(room, ["- a", "- b"], "one")
    commit(room, ["- b"], "gone")
    commit(room, ["- a", "- b", "- c"], "back")

    assert blamed(room) == [("- a", "one"), ("- b", "one"), ("- c", "back")]


def test_line_ends_are_no_part_of_a_line(room) -> None:
    """Mutant: a carriage return stays and is shown at the end of each line."""
    room.write(FILE, "- a\r\n- b\r\n")
    room.git("add", FILE)
    room.git("commit", "-qm", "one")

    assert [line.text for line in blame(room.history, FILE, room.head())] == ["- a", "- b"]


def test_a_file_without_a_last_line_end_is_blamed_to_its_end(room) -> None:
    for text in ("- a", "- a\n- b", "- a\n- b\n- c\n"):
        room.write(FILE, text)
        room.git("add", FILE)
        room.git("commit", "-qm", text.split()[-1])

    assert blamed(room) == [("- a", "a"), ("- b", "b"), ("- c", "c")]


def test_lines_that_look_like_a_patch_are_only_lines(room) -> None:
    hostile = ["--- a/x", "+++ b/x", "@@ -1,9 +1,9 @@", "+- forged", "\\ No newline", "diff --git a/x b/x"]
    commit(room, ["- a", *hostile], "one")
    commit(room, ["- a <!-- m:a1 -->", *(f"{line} <!-- m:h1 -->" for line in hostile)], "two")

    assert {summary for _, summary in blamed(room)} == {"one"}


def test_an_earlier_revision_is_blamed_as_it_was(room) -> None:
    commit(room, ["- a"], "one")
    commit(room, ["- b"], "two")

    assert blamed(room, "HEAD~1") == [("- a", "one")]
