from __future__ import annotations

from clawgit.recall.search import search
from clawgit.recall.search_results import Query

MERGED = """# Memory

- My dog is Rex.
<<<<<<< HEAD
- The barn is grey.
||||||| base
=======
- The boat is grey.
>>>>>>> main
"""


def test_the_markers_of_a_merge_are_no_hits_and_the_file_is_named_once(room) -> None:
    """Mutants: `=======` is a part of a hit; the line above a marker is nobody's any more."""
    room.change({"MEMORY.md": "# Memory\n\n- My dog is Rex.\n"}, actor="operator")
    room.write("MEMORY.md", MERGED)

    found = search(room.history, Query("grey barn or boat, HEAD, main, base"), room.now)

    shown = "\n".join(hit.snippet for hit in found.results)
    assert "- The barn is grey." in shown
    assert "- The boat is grey." in shown
    assert not any(marker in shown for marker in ("<<<<<<<", "|||||||", "=======", ">>>>>>>"))
    assert [note for note in found.notes if "onflict" in note] == [
        "In conflict, so both sides of a merge are shown, one with no author yet: MEMORY.md."
    ]
    (dog,) = [hit for hit in search(room.history, Query("dog Rex"), room.now).results if "Rex" in hit.snippet]
    assert (dog.first, dog.trust) == (3, "operator")


def test_a_quotation_of_markers_and_a_heading_with_a_line_below_are_text(room) -> None:
    text = f"Grey\n=======\n\nHow it looks:\n\n```\n{MERGED}```\n"
    room.write("memory/git.md", text)

    found = search(room.history, Query("barn HEAD"), room.now)

    assert "<<<<<<< HEAD" in found.results[0].snippet
    assert not any("onflict" in note for note in found.notes)
