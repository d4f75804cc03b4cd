"""Commits with dates that no calendar has: they are read, and stop no command."""

from __future__ import annotations

import pytest


@pytest.mark.sampled(2)
@pytest.mark.parametrize("date", ["@99999999999999 +0000", "@253402300800 +1400", "@0 +0000"])
def test_a_commit_of_an_absurd_date_stops_no_command(clawgit, room, monkeypatch, date) -> None:
    """Mutant: the seconds are made a date where they are read."""
    room.write("SOUL.md", "- Be kind.\n")
    room.git("add", "SOUL.md")
    monkeypatch.setenv("GIT_AUTHOR_DATE", date)
    monkeypatch.setenv("GIT_COMMITTER_DATE", date)
    room.git("commit", "-qm", "soul")

    codes = {
        words: clawgit(*words).code
        for words in (
            ("status",),
            ("soul", "log"),
            ("soul", "drift"),
            ("changelog",),
            ("why", "Be kind."),
            ("context",),
            ("memory", "list"),
            ("digest", "--since", "2026-03-18"),
            ("doctor",),
        )
    }

    assert 3 not in codes.values(), codes
