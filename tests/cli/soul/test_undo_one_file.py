"""`undo COMMIT PATH`: what a commit did to one file is taken back, and the rest of it stays."""

from __future__ import annotations


def test_one_file_of_a_commit_is_taken_back(clawgit, room) -> None:
    made = room.change({"notes/a.md": "- One.\n", "notes/b.md": "- Two.\n"}).commit_id

    shown = clawgit("undo", made[:10], "notes/a.md", "--dry-run", "--json").data
    assert shown["files"] == ["notes/a.md"]
    said = clawgit("undo", made[:10], "notes/a.md", "--reason", "Not that one.")

    assert not (room.root / "notes/a.md").exists()
    assert room.read("notes/b.md") == "- Two.\n"
    assert "What it did to notes/b.md stays" in said.err
    assert "> Not that one." in room.git("log", "-1", "--format=%B")


def test_the_other_file_can_be_taken_back_after_it_and_the_first_brought_back(clawgit, room) -> None:
    made = room.change({"notes/a.md": "- One.\n", "notes/b.md": "- Two.\n"}).commit_id
    clawgit("undo", made, "notes/a.md")
    first = room.head()

    rest = clawgit("undo", made, "--json").data
    back = clawgit("undo", first, "--json").data

    assert rest["files"] == ["notes/b.md"]
    assert back["files"] == ["notes/a.md"]
    assert room.read("notes/a.md") == "- One.\n"


def test_a_commit_of_which_one_file_was_taken_back_is_not_called_taken_back(clawgit, room) -> None:
    """Mutant: every change that names a commit as reverted took all of it back."""
    room.change({"notes/a.md": "- One.\n", "notes/b.md": "- Two.\n"})
    made = room.change({"notes/a.md": "- Six.\n", "notes/b.md": "- Ten.\n"}).commit_id
    clawgit("undo", made, "notes/a.md")
    room.change({"notes/b.md": "- Twelve.\n"})

    said = clawgit("undo", made).err

    assert "took it back already" not in said
    assert "Later changes touch the same lines: notes/b.md" in said


def test_a_file_that_the_commit_did_not_touch_is_answered_with_those_that_it_did(clawgit, room) -> None:
    made = room.change({"notes/a.md": "- One.\n", "notes/b.md": "- Two.\n"}).commit_id

    said = clawgit("undo", made[:12], "notes/c.md").err

    assert f"{made[:12]} (test: a change) changed nothing in notes/c.md" in said
    assert "notes/a.md, notes/b.md" in said


def test_only_of_a_commit_one_file_can_be_named(clawgit, room) -> None:
    said = clawgit("undo", "--source", "host", "tea", "MEMORY.md").err
    assert "Name one thing to undo" in said

    entry = clawgit("memory", "add", "Tea at four.", "--json").data["entry"]
    assert "no commit" in clawgit("undo", f"m:{entry}", "MEMORY.md").err


def test_without_a_name_the_newest_change_is_named_and_yes_is_no_error(clawgit, room) -> None:
    """Seen: "No such option '--yes'", and no command for what was done last."""
    newest = room.change({"notes/a.md": "- One.\n"}).commit_id[:12]

    for words in ((), ("--last",)):
        assert f"`clawgit undo {newest}`" in clawgit("undo", *words).err
    assert clawgit("undo", newest, "--yes").code == 0
    assert not (room.root / "notes/a.md").exists()


def test_a_correction_is_not_taken_back_in_one_of_its_files(clawgit, room) -> None:
    """Mutant: the entry has its old words again, and the correction is in force still."""
    clawgit("memory", "add", "Tea at four.", "--to", "MEMORY.md")
    clawgit("correct", "Tea at four.", "Tea at five.")
    made = room.head()

    done = clawgit("undo", made, "MEMORY.md")

    assert done.code == 1
    assert "`clawgit undo x:" in done.err
    assert room.head() == made
