"""What a host or somebody unknown added to the soul, and the operator has not seen yet."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import HOST, OPERATOR, UNKNOWN
from clawgit.history.authorship.bootstrap_ritual import ADOPTION_OP, INIT_OP, ritual_is_open
from clawgit.history.reading.git_log import SOUL_FILES, read_changes
from clawgit.history.reading.reachability import OLDEST_FIRST, read_first_parents
from clawgit.text.trailers import REVERTS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from clawgit.history.git.repository import History
    from clawgit.history.reading.git_log import LoggedChange

MARK = "u-"
NOTE = "unreviewed"
_SHORT = 12
_SEEN = ("Clawgit-Proposal", "Clawgit-Claims", REVERTS, "Clawgit-Snapshot")


def unreviewed_id(commit_id: str) -> str:
    """Return the id by which `soul approve` and `soul reject` take it."""
    return MARK + commit_id[:_SHORT]


def unreviewed_commits(history: History) -> tuple[str, ...]:
    """Return the commits, the oldest first, that the operator neither approved nor took back.

    A snapshot of his says that he saw what was there. What was looked at before is noted, so that this costs a look at
    what is new.
    """
    tip, path = history.tip().commit_id, history.state / NOTE
    if tip is None:
        return ()
    noted, *known = _read(path)
    if noted == tip:
        return tuple(known)
    if noted and not history.objects.contains(tip, noted):
        noted, known = "", []
    listed = _without_seen(history, tip, noted, [*known, *_came(history, noted)])
    _write(path, [tip, *listed])
    return tuple(listed)


def _came(history: History, since: str) -> Iterable[str]:
    """Yield the changes of the soul by others since a commit, apart from the adoption and the first conversation."""
    for change in read_first_parents(history, *SOUL_FILES, since=since or None):
        op, parents = change.trailers.first("Clawgit-Op") or "", change.parent_ids
        is_theirs = change.actor in (HOST, UNKNOWN) and len(parents) == 1
        is_first = op.startswith((INIT_OP, ADOPTION_OP))
        if is_theirs and not is_first and not _is_first_talk(history, change):
            yield change.commit_id


def _is_first_talk(history: History, change: LoggedChange) -> bool:
    return change.actor == HOST and ritual_is_open(history, change.parent_ids[0])


def _without_seen(history: History, tip: str, since: str, listed: list[str]) -> list[str]:
    if not listed:
        return []
    named = tuple(f"--grep=^{key}: " for key in _SEEN)
    after = (f"^{since}",) if since else ()
    for change in read_changes(history, *OLDEST_FIRST, *named, tip, *after):
        if change.actor == OPERATOR:
            seen = set(_named(change))
            snapshot = change.snapshot is not None
            listed = [
                name
                for name in listed
                if not (name in seen or unreviewed_id(name) in seen)
                and not (snapshot and history.objects.contains(change.commit_id, name))
            ]
    return listed


def _named(change: LoggedChange) -> Iterable[str]:
    for key in _SEEN[:3]:
        for value in change.trailers.all(key):
            yield from value.split()


def _read(path: Path) -> list[str]:
    try:
        return path.read_text("ascii").split() or [""]
    except (OSError, UnicodeDecodeError):
        return [""]


def _write(path: Path, words: list[str]) -> None:
    """Note what was found; without room it is looked for again."""
    aside = path.with_name(f"{NOTE}.{os.getpid()}.new")
    with suppress(OSError):
        aside.write_text("\n".join(words), "ascii")
        aside.replace(path)
