"""`undo` of a change of which a part was taken back before, and of a line by its words."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

FILES = ("SOUL.md", "notes/recipe.md")
RECIPE = "# Bread\n\nBake 24 minutes.\nUse 500 g flour.\n"


@pytest.fixture
def edited(room):
    """Return the bytes of two files, and the operator's one commit that changes both."""
    room.change({"notes/recipe.md": RECIPE})
    before = list(map(room.read, FILES))
    room.write("SOUL.md", before[0] + "Be brief.\n")
    room.write("notes/recipe.md", RECIPE.replace("24", "44"))
    room.git("commit", "-qam", "longer, and brief")
    return before, room.head()


STEPS = {
    "soul": ("soul", "revert", "{made}", "--reason", "x"),
    "words": ("undo", "Bake 44 minutes."),
    "rest": ("undo", "{made}"),
}


@pytest.mark.rest
@pytest.mark.parametrize(
    "order", [("soul", "words", "rest"), ("soul", "rest"), ("words", "soul"), ("words", "rest")], ids="-".join
)
def test_part_by_part_the_files_read_as_before_to_the_byte(clawgit, room, edited, order) -> None:
    """Seen: the words of a recipe were deleted instead of set back, and the rest of the change could not be undone any more.

    Mutants: a line that replaced another goes; a revert of SOUL.md alone counts as one of the whole change.
    """
    before, made = edited

    for step in order:
        done = clawgit(*(word.format(made=made) for word in STEPS[step]))
        assert done.code == 0, done.err

    assert list(map(room.read, FILES)) == before


@pytest.mark.rest
def test_a_line_that_reads_otherwise_by_now_is_said_and_nothing_is_changed(clawgit, room, edited) -> None:
    room.change({"notes/recipe.md": RECIPE.replace("24", "50")})
    head = room.head()

    said = clawgit("undo", "Bake 44 minutes.")

    assert said.code == 1
    assert room.head() == head
    assert "may mean" in said.err


@pytest.mark.rest
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta"]), min_size=1, max_size=5, unique=True),
    data=st.data(),
)
def test_a_rewording_undone_by_its_words_gives_the_bytes_before(clawgit, room, lines, data) -> None:
    """Mutants: an item loses its marker; the line's end is lost; of several reworded lines another one comes back."""
    form = data.draw(
        st.sampled_from(["{} takes {} minutes.", "- {} takes {} minutes.", "  * {} takes {} minutes."])
    )
    end = data.draw(st.sampled_from(["\n", "\r\n"]))
    count = data.draw(st.integers(1, len(lines)))
    before = "".join(form.format(word, 24) + end for word in lines)
    then = [form.format(word, 44 if at < count else 24) for at, word in enumerate(lines)]
    room.change({"notes/recipe.md": before})
    room.change({"notes/recipe.md": "".join(line + end for line in then)})
    for word in lines[:count]:
        done = clawgit("undo", f"{word} takes 44 minutes.")
        assert done.code == 0, done.err

    assert room.read("notes/recipe.md") == before


@pytest.mark.rest
def test_a_line_that_only_moved_brings_nothing_back_in_its_place(clawgit, room) -> None:
    """Mutant: what stood where it came to comes back, and is in two files then."""
    room.change({"notes/recipe.md": "- Use 500 g flour.\n", "notes/other.md": "- Bake 44 minutes.\n"})
    room.change({"notes/recipe.md": "- Bake 44 minutes.\n", "notes/other.md": "- Use 500 g flour.\n"})

    done = clawgit("undo", "notes/recipe.md:1")

    assert done.code == 0, done.err
    assert "Use 500 g flour." not in room.read("notes/recipe.md")


@pytest.mark.parametrize("mark", ["", " <!-- m:aaaaaa -->"])
def test_undo_of_a_line_that_a_job_moved_takes_back_what_its_words_changed(clawgit, room, mark) -> None:
    """Seen: the line was out of memory, and the answer said "changes memory/knowledge.md"."""
    old = f"- Nora keeps the spare key on shelf 4.{mark}\n"
    new = old.replace("shelf 4", "shelf 14")
    added = "- Ida swims in the lake.\n"
    other = "- Emil sings.\n"
    room.change({"MEMORY.md": old + other + added, "memory/knowledge.md": other}, actor="operator")
    room.change({"MEMORY.md": new + other + added}, actor="host")
    room.change({"MEMORY.md": other, "memory/knowledge.md": other + new + added}, actor="organizer")
    room.change({"memory/tools.md": new + added, "memory/knowledge.md": other}, actor="organizer")

    shown = clawgit("undo", "Nora keeps the spare key on shelf 14", "--dry-run").err
    done = clawgit("undo", "Nora keeps the spare key on shelf 14")

    assert "What it replaced comes back: Nora keeps the spare key on shelf 4." in shown
    assert (done.code, re.findall("shelf [0-9]+", room.read("memory/tools.md"))) == (0, ["shelf 4"])
    assert "Nora" not in room.read("MEMORY.md")
    gone = clawgit("undo", "Ida swims in the lake")
    assert (gone.code, "Ida" in room.read("memory/tools.md")) == (0, False)
    assert "The line goes: it came beside others, and replaced none." in gone.err
