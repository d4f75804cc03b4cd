"""Whatever the account's umask: what clawgit keeps for itself is for this account alone."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from clawgit.operations.caller import bug_report

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

COMMANDS = (
    ("init", "{root}"),
    ("hooks", "install"),
    ("memory", "add", "The vet is in Bath.", "--to", "MEMORY.md"),
    ("chat", "add", "No, the vet is in Wells.", "--id", "1"),
    ("run", "recall-validator"),
    ("memory", "search", "where is the vet"),
    ("memory", "list"),
    ("why", "The vet is in Bath."),
    ("context",),
    ("triage", "Remember: rent is due on the 1st."),
    ("session", "end"),
    ("soul", "snapshot", "-m", "first"),
    ("digest", "--send", "2026-03-19"),
    ("pause", "a holiday"),
    ("status",),
    ("doctor",),
    ("connect", "codex"),
    ("workspaces", "list"),
    ("config", "set", "soul_max_tokens", "900"),
    ("trust", "soul_max_tokens"),
    ("backup", "{home}/records.backup"),
    ("runner", "status"),
)


@pytest.fixture(params=[0o000, 0o022], ids=oct)
def umask(request) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def open_files(*folders: Path) -> list[str]:
    """Return the files in these folders that others may read or write."""
    found = (path for folder in folders for path in folder.rglob("*") if not path.is_symlink())
    return sorted(str(path) for path in found if path.is_file() and stat.S_IMODE(path.stat().st_mode) & 0o077)


@pytest.mark.sampled(2)
def test_no_file_of_clawgits_own_is_for_others(umask, clawgit, own_home, tmp_path) -> None:
    """Mutant: a file is written as any program writes one, and the folder above it is all that keeps others out."""
    root = tmp_path / "new"
    (own_home / ".codex").mkdir()
    for words in COMMANDS:
        named = [word.format(root=root, home=own_home) for word in words]
        done = clawgit(*named, environment={"CLAWGIT_WORKSPACE": str(root), "HOME": str(own_home)})
        assert done.code in (0, 1), (words, done.err)
        clawgit("status", environment={"CLAWGIT_WORKSPACE": str(root), "CODEX_THREAD_ID": "1"})
    bug_report(ValueError("a bug"))

    ours = (
        root / ".git/clawgit",
        own_home / ".cache/clawgit",
        own_home / ".config/clawgit",
        own_home / ".local",
    )
    kept = [path for path in open_files(*ours) if "/view.git/" not in path]  # git's own, and empty
    assert kept == []
    assert not (own_home / "records.backup").stat().st_mode & 0o077
