"""Control characters: a file that says one thing on a screen and another to a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.guards.finding import Finding, told
from clawgit.text.safety.control_characters import find_control

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.guards.step import Step


def find_control_characters(step: Step) -> Iterator[Finding]:
    """Find control characters that a Markdown file or a file's name gains."""
    for path in step.added:
        if find_control(path):
            yield Finding(
                "control-character",
                path,
                f"The file name {told(path)} contains control characters.",
                "Rename the file.",
            )
    for path, before, text in step.texts():
        found = find_control(text)
        if found and len(found) > len(find_control(before)):
            first = found[0]
            yield Finding(
                "control-character",
                path,
                f"{told(path)} has the control character U+{first.codepoint:04X} in line {first.line}.",
                "Remove it; ordinary line ends and tabs are fine.",
                first.line,
            )
