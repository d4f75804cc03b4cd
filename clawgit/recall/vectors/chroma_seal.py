"""By what damage to Chroma's files is noticed: it answers from damaged files without a word, so they are sealed."""

from __future__ import annotations

import json
import zlib
from contextlib import suppress
from enum import Enum
from typing import TYPE_CHECKING, Any

from clawgit.workspace.rewritten_record import write_private

if TYPE_CHECKING:
    from pathlib import Path

MOST_KILLED = 2  # when so many owners in a row ended without closing it, the folder may have killed them
_SLICE = 1 << 20


class Trust(Enum):
    """What is known of a folder before it is opened."""

    SEALED = "sealed"  # as it was when it was closed
    OPEN = "open"  # its last owner was killed
    BROKEN = "broken"  # something else has written to it, or it has killed its owners


def seal(folder: Path) -> None:
    """Note how each file of a closed folder reads."""
    aside = _seal_of(folder).with_suffix(".new")
    write_private(aside, json.dumps(_sums(folder), sort_keys=True))
    aside.replace(_seal_of(folder))
    _unclean_of(folder).unlink(missing_ok=True)


def break_seal(folder: Path) -> Trust:
    """Say whether ``folder`` can be trusted, and take its seal away until it is closed again."""
    killed, trust = _killed(folder), Trust.OPEN
    if killed >= MOST_KILLED:
        trust = Trust.BROKEN
    with suppress(FileNotFoundError):
        text = _seal_of(folder).read_text("utf-8", "replace")
        _seal_of(folder).unlink()
        trust, killed = (Trust.SEALED, 0) if _read(text) == _sums(folder) else (Trust.BROKEN, 0)
    write_private(_unclean_of(folder), str(killed))
    return trust


def forget(folder: Path) -> None:
    """Remove what was noted about a folder that is gone."""
    for path in (_seal_of(folder), _unclean_of(folder)):
        path.unlink(missing_ok=True)


def _killed(folder: Path) -> int:
    """Return how many owners in a row have ended without closing the folder, the last one included."""
    try:
        return int(_unclean_of(folder).read_text("ascii", "replace")) + 1
    except (FileNotFoundError, ValueError):
        return 0


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _sums(folder: Path) -> dict[str, list[int]]:
    """Return size and checksum of every file (300 MB take 0.1 s)."""
    return {
        path.relative_to(folder).as_posix(): [path.stat().st_size, _sum(path)]
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _sum(path: Path) -> int:
    found = 0
    with path.open("rb") as file:
        while part := file.read(_SLICE):
            found = zlib.crc32(part, found)
    return found


def _seal_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.seal")


def _unclean_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.unclean")
