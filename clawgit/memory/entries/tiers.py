"""The tier of each workspace path, and what may be done with it. Paths are POSIX, relative."""

from __future__ import annotations

import re
from datetime import date, datetime
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from datetime import tzinfo

CORE = "MEMORY.md"
WAYS, TOOLS = "AGENTS.md", "TOOLS.md"  # lessons, and those about a tool
LEARNED = "memory/learned.md"
LEARNED_BEFORE = "memory/learned-"  # followed by a quarter
LESSONS = "memory/lessons.md"
AGENTS_FILES = (LEARNED, LESSONS)  # files for what a host remembers without a message
IDENTITY_FILES = frozenset({"SOUL.md", "IDENTITY.md"})
RITUAL = "BOOTSTRAP.md"  # of the first conversation, deleted after it
USER_FILE = "USER.md"
STANDING_FILES = frozenset({USER_FILE, "AGENTS.md", "TOOLS.md", "HEARTBEAT.md", RITUAL})
DERIVED_PATHS = ("CHANGELOG.md", "COMPACTION_LOG.md", "SOUL_HISTORY/")
_DERIVED_FOLDERS = tuple(path for path in DERIVED_PATHS if path.endswith("/"))
MEMORY_FILES = ("MEMORY.md", "memory.md")
CONFLICTS = "CONFLICTS.md"
MAY_HOLD = b"<!-- k:"  # missing in a CONFLICTS.md without conflicts
CORRECTIONS = "CORRECTIONS.md"
WRITTEN = "%Y-%m-%d %H:%M"  # a time in a ledger, in the workspace's zone
CORRECTIONS_BEFORE = "Archive/Corrections/"
_LEDGERS = frozenset({CORRECTIONS, CONFLICTS})
_BELOW_MEMORY = "memory/"
_ARCHIVES = ("memory/archive/", "Archive/")
RETIRED_ENTRIES = "Archive/Entries/"  # expired entries: on disk, found only by a deep search
DREAMS = "DREAMS.md"
_DREAMING = "memory/dreaming/"
WRITTEN_BY_OTHERS = ("memory/INDEX.md", "memory/structured/", DREAMS, _DREAMING)
INDEX, STRUCTURED = WRITTEN_BY_OTHERS[:2]
# Start of the organizer's listings.
EXPORT_MARK = b"<!-- clawgit: drawn up from the entries of memory"
_OF_A_PROFILE = lazy_pattern(r"users/[^/]+/USER\.md")
_NAMED = lazy_pattern(r"(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)", re.ASCII)
_DATED = lazy_pattern(r"(\d{4}-\d{2}-\d{2})(?!\d).*\.md", re.ASCII | re.DOTALL)


class Tier(Enum):
    """How close a file is to the agent's identity."""

    T0 = "T0"
    T1 = "T1"
    T2 = "T2"


def tier_of(path: str) -> Tier | None:
    """Return the tier of ``path``; None for standing files, settings, derived and foreign paths."""
    if path in IDENTITY_FILES:
        return Tier.T0
    if path in MEMORY_FILES or path in _LEDGERS:
        return Tier.T1
    if not path.endswith(".md") or any(part.startswith(".") or not part for part in path.split("/")):
        return None
    if path.startswith((*_ARCHIVES, _DREAMING)) or path == DREAMS:
        return Tier.T2
    if path.startswith(_BELOW_MEMORY):
        return Tier.T1 if date_of(path) is None else Tier.T2
    return None


def date_of(path: str) -> date | None:
    """Return the day that the file's name begins with (`2026-03-19.md`, `2026-03-19-api.md`), if it is a real one."""
    match = _DATED.fullmatch(path.rpartition("/")[2])
    return None if match is None else day_in(match[1])


def day_of_note(path: str) -> date | None:
    """Return the day of a dated note of memory, also of one in the archive; None for other files."""
    return date_of(path) if tier_of(path) is Tier.T2 else None


@lru_cache(maxsize=4096)
def is_of_session(path: str) -> bool:
    """Say whether ``path`` is a session's note (`memory/2026-03-19-api.md`), whose name and title say little about its lines."""
    is_below = path.startswith((_BELOW_MEMORY, *_ARCHIVES))
    return is_below and date_of(path) is not None and len(path.rpartition("/")[2]) > len("2026-03-19.md")


def day_in_name(path: str) -> date | None:
    """Return the first real day anywhere in the file's name (`visit-2026-03-19.txt`)."""
    for day in _NAMED.findall(path.rpartition("/")[2]):
        day_named = day_in(day)
        if day_named is not None:
            return day_named
    return None


def day_in(text: str) -> date | None:
    """Return ``text`` as a day (`2026-03-19`), if it is a real one."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def time_in(text: str, zone: tzinfo | None) -> datetime | None:
    """Return the time of a ledger's ``text`` (`2026-03-19 10:22`), which has no zone."""
    try:
        return datetime.strptime(text, WRITTEN).replace(tzinfo=zone)
    except ValueError:
        return None


def is_identity(path: str) -> bool:
    return path in IDENTITY_FILES


def is_standing(path: str) -> bool:
    """Say whether ``path`` is a standing file: no tier, not searched, under `soul_policy`."""
    return path in STANDING_FILES or _OF_A_PROFILE.fullmatch(path) is not None


def is_of_prompt(path: str) -> bool:
    return is_identity(path) or is_standing(path)


def is_derived(path: str) -> bool:
    """Say whether ``path`` is rendered from history and can be deleted any time."""
    return path in DERIVED_PATHS or path.startswith(_DERIVED_FOLDERS)


def is_correction_file(path: str) -> bool:
    return path == CORRECTIONS or (path.startswith(CORRECTIONS_BEFORE) and path.endswith(".md"))


def may_hold_corrections(path: str) -> bool:
    """Say whether ``path`` is a ledger or in an archive: the only places of corrections."""
    return path in _LEDGERS or path.startswith(_ARCHIVES)


def is_listing(path: str) -> bool:
    """Say whether ``path`` is for listings of entries, the organizer's or others."""
    return path == INDEX or path.startswith(STRUCTURED)


def is_export(path: str, data: bytes) -> bool:
    """Say whether a file is a listing by the organizer, a copy of other files' entries."""
    return is_listing(path) and data.startswith(EXPORT_MARK)


def holds_entries(path: str) -> bool:
    """Say whether the list items of ``path`` are entries with `m:` ids (the ledgers have ids of their own)."""
    return tier_of(path) is Tier.T1 and path not in _LEDGERS and not path.startswith(WRITTEN_BY_OTHERS)
