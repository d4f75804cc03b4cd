"""The time at which git, as a person runs it, dates commits."""

from __future__ import annotations

import pytest


@pytest.fixture
def gits_clock(own_home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a person commit on the day before; clawgit does not look at this."""
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2026-03-18T12:00:00+00:00")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-03-18T12:00:00+00:00")
