"""`memory status`: what is searched, by tier, and how the index stands."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from itertools import filterfalse
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.memory.entries.tiers import IDENTITY_FILES, Tier, tier_of
from clawgit.recall.index.sealed_store import is_usable
from clawgit.recall.index.search_index import INDEX, open_index, renew_index, shape_of
from clawgit.recall.index.searched_files import is_closed, searched_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from clawgit.history.git.repository import History

_TITLES = {Tier.T0: "Soul", Tier.T1: "Core", Tier.T2: "Working"}
_LEDGERS = ("CONFLICTS.md",)


class IndexNotWrittenError(ClawgitError):
    """The index cannot be kept on disk."""


@dataclass(frozen=True, slots=True)
class RecallStatus:
    """How many files and lines are searched, which files cannot be, and at which commit the index was written.

    ``on_disk`` is False where every search has to make the index again.
    """

    files: int
    units: int
    tiers: dict[str, int]
    left_out: tuple[str, ...]
    cursor: str
    on_disk: bool


def tier_counts(root: Path) -> dict[str, int]:
    """Return how many files of each tier there are."""
    others = [path for path in (*IDENTITY_FILES, *_LEDGERS) if _is_plain_file(root / path)]
    tiers = [tier_of(path) for path in (*others, *filterfalse(is_closed, searched_files(root)))]
    return {tier.value: tiers.count(tier) for tier in Tier}


def tier_lines(counts: dict[str, int]) -> list[str]:
    """Return the counts as other programs expect to read them."""
    return [
        "Soul Memory Tiers:",
        *(f"  {tier.value} {title}: {counts[tier.value]} files" for tier, title in _TITLES.items()),
    ]


def read_recall_status(history: History) -> RecallStatus:
    """Bring the index up to date and say what state it is in."""
    with suppress(IndexNotWrittenError):
        write_index(history)
    with open_index(history) as index:
        counts = index.counts()
    usable = is_usable(history.state / INDEX, shape_of(history))
    return RecallStatus(
        counts.files, counts.units, tier_counts(history.root), counts.left_out, counts.cursor, usable
    )


def write_index(
    history: History,
    *,
    from_nothing: bool = False,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Bring the index on disk up to date, or make it again.

    Raises:
        IndexNotWrittenError: The folder is read-only, full, or kept busy.
    """
    try:
        renew_index(history, from_nothing=from_nothing, tell=tell)
    except (OSError, sqlite3.Error) as error:
        said = error.strerror if isinstance(error, OSError) else str(error)
        raise IndexNotWrittenError(
            f"The index cannot be written ({said}).",
            hint="Searches work without it, slower. Check the free space and who owns .git/clawgit.",
        ) from error


def _is_plain_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()
