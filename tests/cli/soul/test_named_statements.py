"""`why`, `undo`, `correct` and `forget` take words, an id, a place and a commit."""

from __future__ import annotations

import pytest

from clawgit.operations.paths import looks_like_commit

LINE = "The vet is in Bath."


@pytest.fixture
def names(clawgit, room) -> dict[str, str]:
    """Return what a statement is called by."""
    clawgit("memory", "add", LINE, "--tag", "knowledge")
    lines = room.read("MEMORY.md").splitlines()
    (number,) = (at for at, line in enumerate(lines, start=1) if LINE in line)
    (entry,) = clawgit("memory", "list", "--json").data
    return {"words": LINE, "id": entry["id"], "place": f"MEMORY.md:{number}", "commit": room.head()[:12]}


KINDS = ("words", "id", "place", "commit")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", KINDS)
def test_why_takes_it(clawgit, names, kind: str) -> None:
    assert clawgit("why", names[kind], "--json").data["entry"]["id"] == names["id"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", KINDS)
def test_undo_takes_it(clawgit, names, room, kind: str) -> None:
    assert clawgit("undo", names[kind]).code == 0
    assert LINE not in room.read("MEMORY.md")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", KINDS)
def test_correct_takes_it(clawgit, names, room, kind: str) -> None:
    done = clawgit("correct", names[kind], "The vet is in Wells.")

    assert done.code == 0, done.err
    assert "The vet is in Wells." in room.read("MEMORY.md")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", KINDS)
def test_forget_takes_it(clawgit, names, room, kind: str) -> None:
    assert clawgit("forget", names[kind], "--yes").code == 0
    assert LINE not in room.read("MEMORY.md")


def test_a_commit_of_several_statements_names_them(clawgit, room) -> None:
    room.change({"MEMORY.md": "- The vet is in Bath.\n- The bin is green.\n"}, actor="operator")

    refused = clawgit("why", room.head()[:12])

    assert refused.code == 1
    assert "The vet is in Bath." in refused.err
    assert "The bin is green." in refused.err


def test_undo_by_words_that_are_only_like_a_line_changes_nothing(clawgit, names, room) -> None:
    before = room.head()

    refused = clawgit("undo", "the vet was in Bristol last year")

    assert refused.code == 1
    assert room.head() == before


def test_undo_by_words_takes_out_a_line_without_an_id(clawgit, room) -> None:
    room.change({"notes/flat.md": "# Flat\n\nLandlord: Smith\nBike: red\n"}, actor="operator")

    assert clawgit("undo", "landlord: smith").code == 0
    assert room.read("notes/flat.md") == "# Flat\n\nBike: red\n"


def test_what_a_correction_replaced_is_said_to_have_gone_with_it(clawgit, room) -> None:
    """Seen: the first commit, which brought the line, was named as what took it out, and its undo as the way back."""
    room.change({"MEMORY.md": "- Anna likes tea.\n"}, actor="operator")
    clawgit("correct", "Anna likes tea.", "Anna likes coffee.")

    assert f"({room.head()[:12]}); `clawgit undo {room.head()[:12]}` takes that commit back" in clawgit("why", "Anna likes tea").out  # fmt: skip
    assert clawgit("undo", room.head()[:12]).code == 0
    assert "Anna likes tea." in room.read("MEMORY.md")


@pytest.mark.parametrize("name", ["Anna likes coffee", "MEMORY.md:1"])
def test_undo_of_a_corrected_line_by_its_words_or_place_brings_back_what_it_said(clawgit, room, name: str) -> None:  # fmt: skip
    """Seen: the line went with both wordings, where the same undo of an edited line put the earlier words back."""
    room.change({"MEMORY.md": "- Anna likes tea.\n"}, actor="operator")
    clawgit("correct", "Anna likes tea.", "Anna likes coffee.")

    assert clawgit("undo", name).code == 0
    assert room.read("MEMORY.md").startswith("- Anna likes tea.")


def test_a_message_is_no_line_that_can_be_corrected(clawgit, room) -> None:
    """Seen: the words became an entry of their own, as a correction of `chat:...`."""
    clawgit("chat", "add", "hello there")
    before = room.head()

    assert clawgit("correct", "chat:5m0q7r2k1x9d3f8a", "Anna likes milk.").code == 2
    assert room.head() == before


def test_the_name_of_a_commit_may_be_of_digits_alone() -> None:
    """Seen once: `why 355490372058` knew nothing like it."""
    assert looks_like_commit("355490372058")
    assert not looks_like_commit("the vet")
