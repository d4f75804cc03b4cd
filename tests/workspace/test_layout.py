from __future__ import annotations

import pytest

from clawgit.memory.entries.tiers import DERIVED_PATHS, IDENTITY_FILES, STANDING_FILES, holds_entries
from clawgit.workspace.layout import (
    AGENT_NAMES,
    BOOTSTRAP,
    DIRECTORIES,
    FORMAT_VERSION,
    MANIFEST,
    NEW_WORKSPACE_SIGNS,
)

OWNERS = {
    "SOUL.md": "soul-keeper",
    "USER.md": "operator",
    "MEMORY.md": "memory-miner",
    "CONFIG.md": "operator",
    "CORRECTIONS.md": "recall-validator",
    "CONFLICTS.md": "conflict-detector",
    "CHANGELOG.md": "soul-keeper",
    "COMPACTION_LOG.md": "memory-compactor",
}


def paths(kind: str) -> set[str]:
    return {entry.path for entry in MANIFEST if entry.kind == kind}


@pytest.mark.parametrize(("path", "owner"), OWNERS.items(), ids=list(OWNERS))
def test_every_known_file_has_its_owner_and_a_purpose(path: str, owner: str) -> None:
    (entry,) = [entry for entry in MANIFEST if entry.path == path]
    assert entry.owner == owner
    assert entry.purpose.endswith(".")


def test_no_path_stands_there_twice() -> None:
    assert len({entry.path for entry in MANIFEST}) == len(MANIFEST)


def test_owners_are_the_operator_the_host_or_an_agent() -> None:
    assert {entry.owner for entry in MANIFEST} <= {"operator", "host", *AGENT_NAMES}


def test_the_manifest_agrees_with_the_tiers() -> None:
    assert paths("identity") == IDENTITY_FILES
    assert paths("standing") | {BOOTSTRAP} == STANDING_FILES
    assert paths("derived") == set(DERIVED_PATHS)
    assert all(holds_entries(path) for path in paths("memory"))


def test_every_agent_has_a_folder_with_its_prompt() -> None:
    assert len(AGENT_NAMES) == 8
    assert paths("prompt") == {f"agents/{name}/SOUL.md" for name in AGENT_NAMES}
    assert {f"agents/{name}" for name in AGENT_NAMES} <= set(DIRECTORIES)


@pytest.mark.parametrize(
    "folder",
    [
        "memory",
        "Archive/Chronicles",
        "Archive/Daily",
        "Archive/Corrections",
        "SOUL_HISTORY",
        "agents/memory-miner",
    ],
)
def test_a_new_workspace_has_the_documented_folders(folder: str) -> None:
    assert folder in DIRECTORIES


def test_the_signs_of_an_old_workspace_are_the_documented_ones() -> None:
    assert set(NEW_WORKSPACE_SIGNS) == {"SOUL.md", "IDENTITY.md", "USER.md", "MEMORY.md", "memory", ".git"}


def test_the_format_is_the_second() -> None:
    """What a host wrote on his message counts as understood from this one on, which an earlier clawgit does not know."""
    assert FORMAT_VERSION == 2
