"""A host writes an old copy of MEMORY.md back: what it dropped is asked about until it is back, or let go."""

from __future__ import annotations

import pytest

OWN = "- Ada asked for a shorter summary.\n"
SAID = "MEMORY.md was written from an older copy: 3 entries that were added since are gone."


@pytest.fixture
def dropped(clawgit, room) -> str:
    """Return the commit of a host's edit that dropped three acknowledged entries."""
    assert clawgit("memory", "add", "The kitchen is green.", "--tag", "knowledge").code == 0
    copy = room.read("MEMORY.md")
    for said in ("Releases are on Thursdays.", "Eve likes quinces.", "The bridge port is 8080."):
        assert clawgit("memory", "add", said, "--tag", "knowledge").code == 0
    room.write("MEMORY.md", copy + OWN)
    kept = clawgit("keep", actor="host")
    commit = room.head()
    assert f'{SAID} `clawgit undo {commit[:12]}` brings them back: "Releases are on Thursdays", …' in kept.err
    return commit


def offered(clawgit) -> list[bool]:
    """Say whether status, digest and doctor offer them."""
    told = clawgit("status"), clawgit("digest", "--since", "2026-03-18"), clawgit("doctor")
    return [SAID in each.out for each in told]


@pytest.mark.rest
def test_they_are_offered_until_they_are_back_with_their_ids_and_origin(clawgit, room, dropped) -> None:
    assert offered(clawgit) == offered(clawgit) == [True, True, True]
    before = room.git("show", f"{dropped}~1:MEMORY.md").splitlines()[-3:]

    back = clawgit("reject", f"l-{dropped[:12]}")

    assert "3 lines of MEMORY.md are back" in back.out + back.err
    assert room.read("MEMORY.md").splitlines()[-4:] == [OWN.rstrip(), *before]
    assert "based on: you" in clawgit("why", before[0].split()[-2]).out
    assert offered(clawgit) == [False, False, False]
    assert clawgit("reject", f"l-{dropped[:12]}").code == 1


@pytest.mark.rest
@pytest.mark.parametrize("words", [("approve", "l-{}"), ("doctor", "--accept", "{}", "--reason", "Wrong.")])
def test_or_until_they_are_let_go(clawgit, room, dropped, words) -> None:
    assert clawgit(*(word.format(dropped[:12]) for word in words)).code == 0

    assert offered(clawgit) == [False, False, False]
    assert room.read("MEMORY.md").endswith(OWN)


def test_a_host_does_not_bring_them_back_by_itself(clawgit, room, dropped) -> None:
    assert clawgit("reject", f"l-{dropped[:12]}", actor="host").code == 1
    assert room.head() == dropped


@pytest.mark.rest
def test_of_two_files_only_the_one_that_lacks_entries_is_written(clawgit, room) -> None:
    paths = ("MEMORY.md", "memory/learned.md")
    room.change({path: f"# {path}\n\n- It was {path}.\n" for path in paths})
    copies = {path: room.read(path) for path in paths}
    for number, path in enumerate(paths):
        room.change({path: copies[path] + f"- Room {number} is green. <!-- m:aaaaa{number} -->\n"})
        room.write(path, copies[path] + OWN)
    clawgit("keep", actor="host")
    dropped, back = room.head(), room.read("MEMORY.md") + "- Room 0 is green. <!-- m:aaaaa0 -->\n"
    room.change({"MEMORY.md": back})

    clawgit("reject", f"l-{dropped[:12]}")

    assert room.read("MEMORY.md") == back
    assert room.read("memory/learned.md").endswith(f"{OWN}- Room 1 is green. <!-- m:aaaaa1 -->\n")


def test_a_text_that_is_staged_and_older_than_what_was_committed_first_is_named(clawgit, room) -> None:
    """Seen: the next `git commit` took out what was remembered since, and brought back what was forgotten."""
    room.write("MEMORY.md", "# Memory\n\n- Anna likes tea.\n")
    room.git("add", "MEMORY.md")
    room.write("MEMORY.md", "# Memory\n\n- Anna likes tea.\n- Bo owns a boat.\n")

    told = clawgit("memory", "add", "Eve likes quinces.").err

    assert "MEMORY.md: an older text is staged." in told
    assert "staged" not in clawgit("memory", "add", "Eve likes plums.").err


def test_a_file_of_which_something_is_staged_is_left_to_its_commit(clawgit, room) -> None:
    """Seen: all of it was kept, and the `git commit` of what was staged took the rest out again."""
    room.write("notes/a.md", "One.\n")
    room.git("add", "notes/a.md")
    room.write("notes/a.md", "One.\nTwo.\n")
    room.write("notes/b.md", "Four.\n")

    assert "notes/a.md: something of it is staged" in clawgit("keep", "--as", "operator").err
    room.git("commit", "-qm", "one")
    assert room.git("show", "--format=", "HEAD", "--", "notes/a.md").count("\n+One.") == 1
    assert clawgit("keep", "--as", "operator").err.startswith("Committed, written by you: notes/a.md.")
    assert room.git("status", "--short") == ""
