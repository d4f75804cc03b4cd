"""The operator's patterns as the history has them in force; looked up once for each text of CONFIG.md."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from clawgit.capture.triage_cache import CACHE, cache_bytes, cached_patterns
from clawgit.errors import ClawgitError
from clawgit.understanding.triage.custom_patterns import read_patterns
from clawgit.workspace.layout import CONFIG
from clawgit.workspace.safe_files import FileContent, read_file, write_file

if TYPE_CHECKING:
    from clawgit.history.git.repository import History
    from clawgit.understanding.triage.custom_patterns import CustomPattern


def patterns_in_force(history: History) -> list[CustomPattern]:
    """Return the patterns of the settings in force, those that cannot be run included; cached where that may be."""
    patterns = read_patterns(history.settings.heartbeat_custom_patterns)
    # Without room for it, or without a branch, the next one looks again.
    with suppress(OSError, ClawgitError):
        content = read_file(history.root, CONFIG)
        here = b"" if content is None else content.data
        committed = history.tip().tree.read(CONFIG) or b""
        if here == committed and not _is_cached(history, patterns):
            write_file(history.state, CACHE, FileContent(cache_bytes(here, patterns)), fsync=False)
    return patterns


def _is_cached(history: History, patterns: list[CustomPattern]) -> bool:
    cached = cached_patterns(str(history.root), str(history.state))
    return cached is not None and [each.row for each in cached] == [each.row for each in patterns]
