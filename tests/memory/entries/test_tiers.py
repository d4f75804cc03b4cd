"""Every path has one place."""

from __future__ import annotations

from datetime import date

import pytest

from clawgit.memory.entries.tiers import (
    Tier,
    date_of,
    holds_entries,
    is_derived,
    is_identity,
    is_standing,
    tier_of,
)


@pytest.mark.parametrize(
    ("path", "tier", "holds"),
    [
        ("SOUL.md", Tier.T0, False),
        ("IDENTITY.md", Tier.T0, False),
        ("MEMORY.md", Tier.T1, True),
        ("memory.md", Tier.T1, True),
        ("CORRECTIONS.md", Tier.T1, False),
        ("CONFLICTS.md", Tier.T1, False),
        ("memory/learned.md", Tier.T1, True),
        ("memory/projects/roadmap.md", Tier.T1, True),
        ("memory/INDEX.md", Tier.T1, False),
        ("memory/structured/people.md", Tier.T1, False),
        ("memory/2026-02-30.md", Tier.T1, True),
        ("memory/2026-03-190.md", Tier.T1, True),
        ("memory/2026-03-19.md", Tier.T2, False),
        ("memory/2026-03-19-api-design.md", Tier.T2, False),
        ("memory/archive/2026-Q1.md", Tier.T2, False),
        ("Archive/Chronicles/2026-March.md", Tier.T2, False),
        ("Archive/Daily/2026/03/2026-03-19.md", Tier.T2, False),
        ("DREAMS.md", Tier.T2, False),
        ("memory/dreaming/light.md", Tier.T2, False),
        ("USER.md", None, False),
        ("AGENTS.md", None, False),
        ("BOOTSTRAP.md", None, False),
        ("CONFIG.md", None, False),
        ("CHANGELOG.md", None, False),
        ("SOUL_HISTORY/2026-03-19.md", None, False),
        ("agents/soul-keeper/SOUL.md", None, False),
        ("memory/notes.txt", None, False),
        ("memory/notes.MD", None, False),
        ("memory/.trash/notes.md", None, False),
        ("memory/../SOUL.md", None, False),
        ("notes.md", None, False),
        ("", None, False),
    ],
)
def test_a_path_has_one_tier(path: str, tier: Tier | None, holds: bool) -> None:
    assert tier_of(path) is tier
    assert holds_entries(path) is holds


def test_a_dated_file_says_its_day() -> None:
    assert date_of("memory/2026-03-19-api.md") == date(2026, 3, 19)
    assert date_of("memory/roadmap.md") is None


@pytest.mark.parametrize(
    ("path", "derived"),
    [
        ("CHANGELOG.md", True),
        ("COMPACTION_LOG.md", True),
        ("SOUL_HISTORY/a.md", True),
        ("SOUL_HISTORY", False),
        ("memory/CHANGELOG.md", False),
    ],
)
def test_derived_paths(path: str, derived: bool) -> None:
    assert is_derived(path) is derived


def test_identity_and_standing_files_are_the_workspaces_own() -> None:
    assert is_identity("SOUL.md")
    assert not is_identity("agents/soul-keeper/SOUL.md")
    assert is_standing("USER.md")
    assert not is_standing("CONFIG.md")
    assert not is_standing("SOUL.md")


@pytest.mark.parametrize(
    ("path", "standing"),
    [
        ("USER.md", True),
        ("HEARTBEAT.md", True),
        ("users/ada/USER.md", True),
        ("users/USER.md", False),
        ("users/ada/old/USER.md", False),
        ("users/ada/NOTES.md", False),
        ("SOUL.md", False),
    ],
)
def test_the_files_of_a_profile_stand_like_those_of_the_folder_itself(path: str, standing: bool) -> None:
    assert is_standing(path) is standing
