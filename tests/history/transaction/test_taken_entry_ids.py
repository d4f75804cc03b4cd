from __future__ import annotations

from clawgit.history.git.trees import ids_beside
from clawgit.memory.entries.entries import read_entries


def test_ids_are_gathered_from_the_files_of_entries_only(room) -> None:
    room.write("memory/topic.md", "- one <!-- m:aaa111 -->\n")
    room.write("memory/2026-01-01.md", "- two <!-- m:bbb222 -->\n")
    room.write("MEMORY.md", "- three <!-- m:ccc333 -->\n")
    room.keep("operator")

    assert ids_beside(room.history.tip().tree, "MEMORY.md") == {"aaa111"}
    assert ids_beside(room.history.tip().tree, "memory/other.md") == {"aaa111", "ccc333"}


def test_the_same_words_in_two_files_get_two_ids(room) -> None:
    for path in ("memory/a.md", "memory/b.md"):
        room.change({path: "- the same words\n"}, op=f"op-{path}")
    room.append("memory/c.md", "- the same words", op="op-memory/a.md-again")

    ids = [
        read_entries(room.read(path).encode())[0].entry_id
        for path in ("memory/a.md", "memory/b.md", "memory/c.md")
    ]
    assert len(set(ids)) == 3
