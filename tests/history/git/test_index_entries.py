"""An index that is none any more is named so, whatever its bytes make of it."""

from __future__ import annotations

import pytest

from clawgit.history.git.index_entries import DamagedIndexError, UnusualIndexError, read_index
from clawgit.history.workspace_status import is_clean


@pytest.mark.parametrize("version", [2, 4])
def test_an_index_cut_anywhere_is_unreadable_where_no_checksum_says_so(room, version: int) -> None:
    """`index.skipHash` writes zeros in the place of the checksum. Mutant: what the parser meets comes through."""
    room.write("memory/x.md", "- x\n")
    room.keep()
    room.git("update-index", f"--index-version={version}", "--force-write-index")
    index = room.root / ".git/index"
    data = index.read_bytes()
    found = set()

    for length in range(len(data) - 20):
        index.write_bytes(data[:length] + bytes(20))
        try:
            read_index(index.read_bytes())
        except (DamagedIndexError, UnusualIndexError):
            found.add(is_clean(room.history, room.history.tip()))

    assert found == {False}
