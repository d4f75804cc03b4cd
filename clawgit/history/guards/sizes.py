"""Sizes: memory is text, and every clone carries every byte for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.guards.finding import Finding, told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.guards.step import Step


def find_oversize(step: Step) -> Iterator[Finding]:
    """Find files and whole changes over the limits."""
    settings = step.settings
    total = 0
    for path in step.changed:
        size = len(step.new.read(path) or b"")
        total += size
        if step.is_oversize(path):
            yield Finding(
                "file-size",
                path,
                f"{told(path)} would have {size:,} bytes; the limit is {settings.max_file_bytes:,}.",
                "Split it, or raise max_file_bytes in CONFIG.md.",
            )
    if total > settings.max_commit_bytes:
        yield Finding(
            "commit-size",
            "",
            f"The change holds {total:,} bytes; the limit is {settings.max_commit_bytes:,}.",
            "Make it in parts, or raise max_commit_bytes in CONFIG.md.",
        )
