"""What an edit from an older copy dropped is noticed, whoever keeps it, and asked about until it is answered."""

from __future__ import annotations

import pytest

from clawgit.history.git.repository import open_history
from clawgit.history.reconcile import reconcile

FIRST = "# Memory\n\n- 2026-03-01: The kitchen is green. <!-- m:aaaaa1 -->\n"
ADDED = (
    "- 2026-03-02: Eve likes quinces. <!-- m:bbbbb2 -->\n",
    "- 2026-03-03: Releases are on Thursdays. <!-- m:ccccc3 -->\n",
)
OWN = "- Ada asked for a shorter summary.\n"
RULE = "stale-rewrite"


def added(room, path: str) -> None:
    """Let clawgit add two entries to a file, one after the other."""
    room.change({path: FIRST})
    room.change({path: FIRST + ADDED[0]})
    room.change({path: FIRST + ADDED[0] + ADDED[1]})


def remarks(kept) -> list[tuple[str, str]]:
    return [(remark.path, remark.sentence) for remark in kept.remarks if remark.rule == RULE]


def offers(room) -> list[str]:
    history = open_history(room.root)
    return [each.path for each in reconcile(history, room.now, seconds=10).arrivals.open if each.rule == RULE]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", ["MEMORY.md", "memory/learned.md", "memory/2026-03-19.md"])
@pytest.mark.parametrize("actor", ["host", "unknown", "operator"])
def test_keep_says_how_many_entries_an_older_copy_dropped(room, path: str, actor: str) -> None:
    added(room, path)
    room.write(path, FIRST + OWN)

    kept = room.keep(actor)

    assert remarks(kept) == [
        (path, f"{path} was written from an older copy: 2 entries that were added since are gone.")
    ]
    assert room.read(path) == FIRST + OWN
    assert offers(room) == [path]


def test_an_edit_that_is_kept_before_a_change_is_noticed_too(room) -> None:
    added(room, "MEMORY.md")
    room.write("MEMORY.md", FIRST + OWN)

    done = room.change({"MEMORY.md": FIRST + OWN + "- Bo owns a boat. <!-- m:eeeee5 -->\n"})

    assert len(remarks(done.kept)) == 1
    assert offers(room) == ["MEMORY.md"]


def test_so_is_one_that_came_with_git(room) -> None:
    added(room, "MEMORY.md")
    room.write("MEMORY.md", FIRST + OWN)
    room.git("commit", "-qam", "notes")

    assert offers(room) == ["MEMORY.md"]


def test_what_its_author_wrote_into_the_file_was_read(room) -> None:
    """Mutant: an author's own edits count as unread."""
    room.change({"MEMORY.md": FIRST})
    room.write("MEMORY.md", FIRST + ADDED[0])
    room.keep("host")
    room.write("MEMORY.md", FIRST + OWN)

    assert remarks(room.keep("host")) == []


def test_what_went_to_another_file_with_the_same_edit_is_not_gone(room) -> None:
    added(room, "MEMORY.md")
    room.write("MEMORY.md", FIRST + OWN)
    room.write("memory/kitchen.md", ADDED[0] + ADDED[1])

    assert remarks(room.keep("host")) == []


@pytest.mark.rest
def test_the_offer_ends_when_the_entries_are_back_from_wherever(room) -> None:
    added(room, "MEMORY.md")
    room.write("MEMORY.md", FIRST + OWN)
    room.keep("host")
    assert offers(room) == ["MEMORY.md"]

    room.change({"MEMORY.md": FIRST + OWN + ADDED[0]})
    assert offers(room) == ["MEMORY.md"]
    room.change({"memory/learned.md": ADDED[1]})

    assert offers(room) == []
