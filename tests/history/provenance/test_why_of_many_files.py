"""Where words stand that came with one commit of many files."""

from __future__ import annotations

from clawgit.history.provenance.why import find_why


def test_each_of_the_lines_that_are_meant_has_the_file_in_which_it_came(room) -> None:
    """Mutant: the look at the files of a commit ends at the first that has one of the lines."""
    places = {"red": "notes/a.md", "old": "notes/b.md", "new": "notes/c.md"}
    room.change({path: f"The {name} car is at the house.\n" for name, path in places.items()})

    for name, path in places.items():
        why = find_why(room.history, f"The {name} car is at the house.", room.now.date())
        assert (why.wordings[0].path, why.place) == (path, f"{path}:1")
    why = find_why(room.history, "car is at the house", room.now.date())
    assert (why.words, why.wordings[0].path) == ("The new car is at the house.", "notes/c.md")
    assert [each.words for each in why.others] == [
        f"The {name} car is at the house." for name in ("old", "red")
    ]


def test_words_between_which_a_note_stands_are_found_where_they_came(room) -> None:
    """Mutant: only a text that has the longest of the words as it is said is looked into."""
    room.change({"notes/tea.md": "Tea is unusually<!-- m:aaaaaa -->green today.\n"})

    why = find_why(room.history, "Tea is unusuallygreen today.", room.now.date())

    assert why.wordings[0].path == "notes/tea.md"
