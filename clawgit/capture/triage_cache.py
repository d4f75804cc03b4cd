"""What triage needs to start without git, YAML and compiling: the operator's patterns in force, and ours compiled.

The cache contains the CONFIG.md it is valid for: comparing is faster than hashing. It is written only while that text is
the committed one, so with an uncommitted edit the patterns are looked up every time.
"""

from __future__ import annotations

import marshal
import os
from contextlib import suppress

from clawgit.text.lazy_pattern import MADE_BY, all_compiled, use_compiled
from clawgit.understanding.triage import triage_message  # noqa: F401 - with it, every expression is made
from clawgit.understanding.triage.custom_patterns import CustomPattern
from clawgit.workspace.foreign_files import open_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

CACHE = "triage.cache"
FORMAT = 2
# The last cache read: its CONFIG.md and the patterns' rows.
_held: list[tuple[bytes, bytes, list[tuple[Any, ...]]]] = []


def cached_patterns(root: str, state: str) -> list[CustomPattern] | None:
    """Return the patterns in force, also those that cannot run; None if the history must be read."""
    try:
        with open(os.path.join(state, CACHE), "rb") as file:
            data = file.read()
        here = b""
        with suppress(FileNotFoundError), open_regular(os.path.join(root, "CONFIG.md")) as file:
            here = file.read()
        if not _held or _held[0][0] != data:  # a service reads the same one for each message
            version, config, rows, made_by, compiled = marshal.loads(data)
            if version != FORMAT or not use_compiled(compiled, made_by):
                return None
            _held[:] = [(data, config, rows)]
        _, config, rows = _held[0]
        if config != here:
            return None
        return [CustomPattern(*row) for row in rows]
    except (OSError, EOFError, ValueError, TypeError):
        return None


def cache_bytes(config: bytes, patterns: Iterable[CustomPattern]) -> bytes:
    return marshal.dumps((FORMAT, config, [each.row for each in patterns], MADE_BY, all_compiled()))
