"""What the guards ask of the settings, as the whole check found it: noted, so that most commits need not read CONFIG.md.

The note names what it rests on: the commit, the user's home and the trust store. It counts as long as no commit since
touched CONFIG.md or claimed another, and the store is as it was; else the whole check looks, and notes again.
"""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from clawgit import __version__
from clawgit.history.git.trees import Tree
from clawgit.workspace.layout import CONFIG
from clawgit.workspace.safe_files import FileContent, write_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from clawgit.history.git.objects import Objects
    from clawgit.history.git.repository import History

NOTE = "hook-settings"
MOST_COMMITS = 64  # between the note and the tip
_HOMES = ("XDG_CONFIG_HOME", "HOME")
_CLAIMS = "clawgit-claims"


class NotedSettings(NamedTuple):
    """The settings that guards ask for; no secret is allowed, for whatever is found is looked at once more."""

    max_file_bytes: int
    max_commit_bytes: int
    soul_policy: str
    soul_max_tokens: int
    secrets_allowed: tuple[str, ...] = ()


STRICTEST = NotedSettings(65_536, 1024, "locked", 0)  # the least that CONFIG.md can say


def note_settings(
    history: History, commit_id: str | None, trust: Path, environment: Mapping[str, str]
) -> None:
    """Note the settings in force at ``commit_id``; where there is no room, nothing is noted."""
    if commit_id is None:
        return
    had = history.settings
    values = (had.max_file_bytes, had.max_commit_bytes, had.soul_policy, had.soul_max_tokens)
    lines = (*_basis(str(trust), environment), commit_id, *map(str, values))
    if _read(history.state) != list(lines):
        with suppress(OSError):
            text = "\n".join(lines).encode("utf-8", "surrogateescape")
            write_file(history.state, NOTE, FileContent(text), fsync=False)


def noted_settings(
    state: str, objects: Objects, head: str, environment: Mapping[str, str]
) -> NotedSettings | None:
    """Return the settings in force at ``head``, None where the note does not tell."""
    noted = _read(state)
    if len(noted) != 10 or noted[:5] != list(_basis(noted[3], environment)):
        return None
    commit_id, file_bytes, commit_bytes, policy, tokens = noted[5:]
    if not _says_the_same(objects, head, commit_id):
        return None
    try:
        return NotedSettings(int(file_bytes), int(commit_bytes), policy, int(tokens))
    except ValueError:
        return None


def _says_the_same(objects: Objects, head: str, noted: str) -> bool:
    """Say whether nothing from ``noted`` up to ``head`` could have changed which settings are in force."""
    config = Tree(objects, objects.commit(head).tree_id).entry(CONFIG)
    for commit in islice(objects.first_parents(head), MOST_COMMITS):
        if Tree(objects, commit.tree_id).entry(CONFIG) != config:
            return False
        if commit.commit_id == noted:
            return True
        if _CLAIMS in commit.message.lower():
            return False
    return False


def _basis(trust: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the lines that name what the settings in force depend on, beside the history."""
    return (__version__, *(environment.get(name, "") for name in _HOMES), trust, _stamp(trust))


def _stamp(path: str) -> str:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return "-"
    return f"{found.st_ino} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_mode} {found.st_uid}"


def _read(state: Path | str) -> list[str]:
    try:
        with open(os.path.join(state, NOTE), encoding="utf-8", errors="surrogateescape") as file:
            return file.read().split("\n")
    except OSError:
        return []
