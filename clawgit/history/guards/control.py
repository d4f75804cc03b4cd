"""Control characters: a file that says one thing on a screen and another to a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.guards.finding import Finding
from clawgit.text.control import find_control, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.guards.finding import After, Before
    from clawgit.history.intent import Intent
    from clawgit.workspace.settings import Settings


def find_control_characters(
    base: Before, new: After, intent: Intent, settings: Settings
) -> Iterator[Finding]:
    """Find control characters that a Markdown file or a file's name gains."""
    del intent, settings
    for path in new.changed_paths():
        if base.entry(path) is None and find_control(path):
            yield Finding(
                "control-character",
                path,
                f"The file name {shown(path)} contains control characters.",
                "Rename the file.",
            )
        yield from _in_text(base, new, path)


def _in_text(base: Before, new: After, path: str) -> Iterator[Finding]:
    data = new.read(path)
    if data is None or not path.endswith(".md"):
        return
    found = find_control(data.decode("utf-8", "replace"))
    if found and len(found) > len(find_control((base.read(path) or b"").decode("utf-8", "replace"))):
        first = found[0]
        yield Finding(
            "control-character",
            path,
            f"{shown(path)} has the control character U+{first.codepoint:04X} in line {first.line}.",
            "Remove it; ordinary line ends and tabs are fine.",
            first.line,
        )
