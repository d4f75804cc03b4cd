"""A record that is written over the one before reads as it was written last.

Mutants seen to fail here: what was longer leaves its end; a link is followed.
"""

from __future__ import annotations

import pytest

from clawgit.workspace.safe_files import rewrite_record


def test_it_reads_as_it_was_written_last(tmp_path) -> None:
    for data in (b"first", b"a longer one", b"short", b""):
        rewrite_record(tmp_path, "record", data)

        assert (tmp_path / "record").read_bytes() == data


def test_a_link_in_its_place_is_not_followed(tmp_path) -> None:
    (tmp_path / "outside").write_text("stays")
    (tmp_path / "record").symlink_to(tmp_path / "outside")

    with pytest.raises(OSError, match="record"):
        rewrite_record(tmp_path, "record", b"x")

    assert (tmp_path / "outside").read_text() == "stays"
