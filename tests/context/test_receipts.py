"""Receipts: what was injected is rebuilt byte by byte, and what is gone is named."""

from __future__ import annotations

from datetime import timedelta

import pytest

from clawgit.context.assemble_context import assemble_context
from clawgit.context.receipts import (
    diff_contexts,
    find_receipt,
    keep_receipt,
    rebuild_context,
    receipt_of,
)
from clawgit.context.wanted_context import WantedContext
from clawgit.errors import ClawgitError
from clawgit.workspace.records.records import RECORDS, open_records

TODAY = "memory/2026-03-19.md"
WANTED = WantedContext("when do we deploy the api", session="agent:main:main")
KEY = "ghp_" + "a1B2c3D4e5" * 3 + "F6g7H8"


@pytest.fixture
def lived(room, clawgit):
    """Return a workspace in which every kind of passage is told."""
    room.write("MEMORY.md", "# Memory\n\n- 2026-01-20: The API is REST. #decision <!-- m:aaaaaa -->\n- Ada drinks tea. <!-- m:bbbbbb -->\n")  # fmt: skip
    room.write("memory/2026-02-01.md", "# Then\n\nWe deploy the API on Fridays, at noon.\n" + "A sentence about the API. " * 100)  # fmt: skip
    room.git("add", "-A")
    room.git("commit", "-qm", "memory")
    room.append(TODAY, "- The build was slow.", actor="host")
    clawgit("correct", "m:aaaaaa", "The API is GraphQL.")
    room.write("memory/2026-02-02.md", f"- We deploy the API by hand, with {KEY}.\n")  # in no commit
    return room


def kept(room, wanted: WantedContext = WANTED):
    made = keep_receipt(room.history, assemble_context(room.history, wanted, room.now), wanted, room.now)
    return made, find_receipt(room.history, made.receipt, room.now)


@pytest.mark.parametrize("part", ["", "stable", "recall"])
def test_a_context_is_rebuilt_from_its_receipt(lived, part: str) -> None:
    """Mutants: leave out where a sentence was cut; keep no text of what is in no commit."""
    made, note = kept(lived, WANTED._replace(part=part))

    rebuilt = rebuild_context(lived.history, note)

    assert (rebuilt.stable, rebuilt.recalled) == (made.stable, made.recalled)
    assert rebuilt.is_same
    assert rebuilt.gone == ()
    assert "by hand" in rebuilt.recalled or part == "stable"


@pytest.mark.rest
def test_it_is_the_same_when_memory_has_changed_since(lived) -> None:
    made, note = kept(lived)
    lived.change({"MEMORY.md": "# Memory\n", TODAY: "- Other words.\n"}, actor="operator")

    assert rebuild_context(lived.history, note).recalled == made.recalled


@pytest.mark.rest
def test_what_is_in_no_commit_is_told_and_kept_without_secrets(lived) -> None:
    made, note = kept(lived)

    assert KEY not in made.text
    assert KEY not in str(note)


@pytest.mark.rest
def test_a_blob_that_is_gone_is_named(lived) -> None:
    _, note = kept(lived)
    slot = next(each for each in note.recall["slots"] if each["name"] == "recent")
    slot["passages"][0][6] = "0" * 40

    rebuilt = rebuild_context(lived.history, note)

    assert not rebuilt.is_same
    assert rebuilt.gone == (f"{TODAY}:1",)


@pytest.mark.rest
def test_two_contexts_differ_by_what_came_and_went(lived) -> None:
    before = assemble_context(lived.history, WANTED, lived.now)
    lived.append(TODAY, "- The build is fast.", actor="operator")
    after = assemble_context(lived.history, WANTED, lived.now)

    (found,) = diff_contexts(*([each.filled for each in made.slots] for made in (before, after)))

    assert (found.name, found.gone) == ("recent", ())
    assert found.new == ((f"{TODAY}:2", "- The build is fast.", "said on 2026-03-19"),)


def test_a_line_that_went_from_a_changed_file_is_not_given_the_reason_of_the_line_in_its_place(
    room, clawgit
) -> None:
    """Mutant: "The dog is called Rex." went since it is said above."""
    for line in ("Ada drinks tea.", "The dog is called Rex."):
        clawgit("memory", "add", line, "--to", "MEMORY.md")
    before = assemble_context(room.history, WANTED, room.now)
    clawgit("correct", "The dog is called Rex.", "The dog is called Max.")
    after = assemble_context(room.history, WANTED, room.now)

    slots = diff_contexts([each.filled for each in before.slots], [each.filled for each in after.slots])
    (gone,) = next(each.gone for each in slots if each.name == "longterm")

    assert "Rex" in gone[1]
    assert gone[2] == "no longer there"


@pytest.mark.rest
def test_old_receipts_are_forgotten_and_their_parts_with_them(lived) -> None:
    _, note = kept(lived)
    with open_records(lived.history.state / RECORDS, lived.now) as records:
        for number in range(64):
            later = note._replace(
                receipt_id=f"r:{number}", made_at=lived.now + timedelta(days=2), stable={"n": number}
            )
            records.receipts.put(later, forget_before=lived.now + timedelta(days=1))

    with pytest.raises(ClawgitError, match="no receipt"):
        find_receipt(lived.history, note.receipt_id, lived.now)
    assert find_receipt(lived.history, "r:1", lived.now).stable == {"n": 1}


def test_a_receipt_of_an_earlier_version_is_rebuilt(room) -> None:
    """Mutant: each passage has to have the reason why it is in."""
    room.append(TODAY, "- The build was slow.", actor="host")
    made = assemble_context(room.history, WANTED, room.now)
    note = receipt_of(made, WANTED, room.now)
    for part in (note.stable, note.recall):
        for slot in part["slots"]:
            slot["passages"] = [passage[:-1] for passage in slot["passages"]]

    rebuilt = rebuild_context(room.history, note)

    assert rebuilt.is_same
    assert rebuilt.recalled == made.recalled
