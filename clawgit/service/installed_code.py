"""Whether the code that runs is the one that is installed."""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

_PACKAGE = Path(__file__).parents[1]


def code_stamp() -> int:
    """Return a number that changes when a module of clawgit is replaced, added or removed."""
    total = 0
    for path in sorted(_PACKAGE.rglob("*.py")):
        try:
            state = path.stat()
        except OSError:
            continue
        total = crc32(f"{path}:{state.st_mtime_ns}:{state.st_size}".encode(), total)
    return total
