"""Characters that command or hide: a file that says one thing to its reader and another to a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.guards.finding import Finding, told
from clawgit.text.safety.control_characters import find_control
from clawgit.text.safety.hidden_characters import find_hidden

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.guards.step import Step

CONTROL, HIDDEN = "control-character", "hidden-character"


def find_control_characters(step: Step) -> Iterator[Finding]:
    """Find control characters that a Markdown file or a file's name gains."""
    for path in step.added:
        if find_control(path):
            yield Finding(
                CONTROL,
                path,
                f"The file name {told(path)} contains control characters.",
                "Rename the file.",
            )
    for path, before, text in step.texts():
        found = find_control(text)
        if found and len(found) > len(find_control(before)):
            first = found[0]
            yield Finding(
                CONTROL,
                path,
                f"{told(path)} has the control character U+{first.codepoint:04X} in line {first.line}.",
                "Remove it; ordinary line ends and tabs are fine.",
                first.line,
            )


def find_hidden_characters(step: Step) -> Iterator[Finding]:
    """Find characters that are unseen or turn text around, where a Markdown file or a file's name gains them."""
    for path in step.added:
        if find_hidden(path):
            said = (
                f"The file name {told(path)} contains characters that are not seen, or that turn it around."
            )
            yield Finding(HIDDEN, path, said, "Rename the file.")
    for path, before, text in step.texts():
        lines, had = text.split("\n"), set(before.split("\n"))
        first = next((hidden for hidden in find_hidden(text) if lines[hidden.line - 1] not in had), None)
        if first is not None:
            yield Finding(
                HIDDEN,
                path,
                f"{told(path)} has the unseen character U+{first.codepoint:04X} in line {first.line}.",
                "Remove it: a model reads what you do not see.",
                first.line,
            )
