"""P20: whatever was done can be undone. Newest first, every file reads as before, byte for byte, in new commits."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.remember import remember
from clawgit.history.states import restore_soul
from clawgit.history.undo.undo import find_undoing, undo
from clawgit.memory.corrections.correction_log import LEDGER, Correction, Status, add_correction
from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.tiers import is_correction_file
from clawgit.plan import Edit, Plan

if TYPE_CHECKING:
    from collections.abc import Callable

FILES = ["MEMORY.md", "SOUL.md", "memory/topic.md", "memory/2026-03-19.md", "memory/2026-03-18-plan.md"]


class Doing:
    """Somebody's work on a workspace, by dice; each act leaves at least one commit."""

    def __init__(self, room, dice: random.Random) -> None:
        self.room, self.dice, self.number = room, dice, 0
        self.acts: list[Callable[[], object]] = [
            *[self.edit_lines] * 3,
            *[self.add_entry, self.edit_by_hand, self.commit_by_hand, self.change_mode, self.move_file],
            *[
                self.make_file,
                self.remove_file,
                self.put_soul_back,
                self.correct,
                self.mention,
                self.change_line_ends,
            ],
        ]

    def operator(self) -> Intent:
        return Intent(new_op(), "operator", self.room.now)

    def act(self) -> None:
        """Do something until there is a commit more."""
        head = self.room.head()
        while self.room.head() == head:
            self.number += 1
            self.dice.choice(self.acts)()

    def a_file(self) -> str:
        known = set(self.room.git("ls-files").split("\n"))
        return self.dice.choice([path for path in FILES if path in known])

    def edited(self, text: str) -> str:
        lines = text.splitlines(keepends=True)
        at = self.dice.randrange(len(lines) + 1)
        way = self.dice.choice(["append", "insert", "remove", "reword", "swap", "section"])
        if way == "append" or not lines:
            lines.append(f"- fact number {self.number}\n")
        elif way == "insert":
            lines.insert(at, f"- fact number {self.number}\n")
        elif way == "remove":
            del lines[at - 1]
        elif way == "reword":
            lines[at - 1] = f"- reworded in step {self.number}\n"
        elif way == "swap":
            lines.append(lines.pop(at - 1))
        else:
            lines += [f"\n## Section {self.number}\n", "\n", f"- fact number {self.number}\n"]
        return "".join(lines)

    def edit_lines(self) -> None:
        path = self.a_file()
        self.room.change(
            {path: self.edited(self.room.read(path))}, actor=self.dice.choice(["operator", "organizer"])
        )

    def add_entry(self) -> None:
        remember(self.room.history, f"Fact number {self.number}.", self.operator())

    def edit_by_hand(self) -> None:
        path = self.a_file()
        self.room.write(path, self.edited(self.room.read(path)))
        self.room.keep("operator")

    def commit_by_hand(self) -> None:
        path = self.a_file()
        self.room.write(path, self.edited(self.room.read(path)))
        self.room.git("commit", "-qam", f"by hand {self.number}", check=False)

    def change_mode(self) -> None:
        place = self.room.root / self.a_file()
        place.chmod(place.stat().st_mode ^ 0o111)
        self.room.keep("operator")

    def make_file(self) -> None:
        self.room.change({f"memory/new-{self.number}.md": "# New\n\n- a\n"})

    def move_file(self) -> None:
        path = self.dice.choice(FILES[2:])
        place = self.room.root / path
        other = f"Archive/Daily/{self.number}.md"
        if place.exists():
            self.room.change({path: None, other: self.room.read(path)})

    def remove_file(self) -> None:
        path = self.dice.choice(FILES[2:])
        if (self.room.root / path).exists():
            self.room.change({path: None})
        else:
            self.room.change({path: f"- made anew in step {self.number}\n"})

    def change_line_ends(self) -> None:
        path = self.a_file()
        text = self.room.read(path)
        self.room.change({path: text.replace("\r\n", "\n") if "\r\n" in text else text.replace("\n", "\r\n")})

    def put_soul_back(self) -> None:
        commit = self.dice.choice(self.room.git("log", "--format=%H", "--", "SOUL.md").split())
        restore_soul(
            self.room.history, self.room.history.objects.commit(commit), ("SOUL.md",), "x", self.operator()
        )

    def correct(self) -> None:
        """Set an entry right, as one change of the memory and the ledger."""
        text = self.room.read("MEMORY.md")
        entries = [entry for entry in read_entries(text.encode()) if entry.entry_id]
        if not entries:
            return
        entry = self.dice.choice(entries)
        lines = text.splitlines(keepends=True)
        lines[entry.first : entry.last] = [f"- right in step {self.number} <!-- m:{entry.entry_id} -->\n"]
        told = Correction(
            f"4f{self.number}",
            f"2026-0{self.number % 9 + 1}-01",
            corrects=(entry.entry_id,),
            status=Status.APPLIED,
        )
        ledger = add_correction(self.room.read(LEDGER).encode(), told)
        edits = (Edit("MEMORY.md", "".join(lines).encode()), Edit(LEDGER, ledger))
        apply_plan(self.room.history, lambda _: Plan("correct", edits), self.operator())

    def mention(self) -> None:
        plan = Plan("mention", trailers=(("Clawgit-Mention", "m:aa1111"),))
        apply_plan(self.room.history, lambda _: plan, self.operator())


def files(room) -> dict[str, str]:
    """Return the files of the last commit, without what only an undo puts there."""
    lines = room.git("ls-tree", "-r", "HEAD").splitlines()
    found = dict(reversed(line.split("\t")) for line in lines)
    return {path: entry for path, entry in found.items() if path == LEDGER or not is_correction_file(path)}


@pytest.mark.rest
def test_undone_newest_first_every_file_reads_as_before_and_there_again(room, full_length: bool) -> None:
    """Mutants: modes stay as they are; what comes back is stamped with ids: some step differs."""
    doing = Doing(room, random.Random(11))
    room.write("memory/topic.md", "- an old line without an id\n- another\n")
    room.keep("operator")
    states, made = [files(room)], []
    for _ in range(100 if full_length else 12):
        doing.act()
        made.append(room.head())
        states.append(files(room))

    undone = []
    for at in reversed(range(len(made))):
        undone.append(taken_back(doing, made[at]))
        assert files(room) == states[at], at
    for at in range(len(made)):
        taken_back(doing, undone.pop())
        assert files(room) == states[at + 1], at
    assert not [path for path in room.git("ls-files").split("\n") if path.startswith("Archive/Corrections/2")]
    assert room.git("status", "--porcelain") == ""
    assert room.git("fsck", "--strict") == ""


def taken_back(doing: Doing, commit_id: str) -> str:
    """Undo a commit; that is one more commit on top, unless it changed no file."""
    room = doing.room
    head = room.head()
    done = undo(room.history, find_undoing(room.history, commit_id), "", doing.operator())
    if done.commit_id is None:
        assert room.git("diff-tree", "-r", "--name-only", "--no-commit-id", commit_id) == ""
        return commit_id
    assert room.git("rev-parse", "HEAD~1") == head
    return done.commit_id
