"""What a file must not hold: conflict markers, too many bytes, characters that command a terminal or hide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.history.guards.finding import Finding, told
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.control_characters import find_control
from clawgit.text.safety.hidden_characters import find_hidden

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.guards.finding import Step

_FENCES = (b"```", b"~~~")
CONTROL, HIDDEN = "control-character", "hidden-character"


def find_conflict_markers(step: Step) -> Iterator[Finding]:
    """Find conflicts that were not there before; markers inside a code fence are a quotation."""
    for path in step.paths:
        data = step.new.read(path)
        if data is None or b"<<<<<<<" not in data:
            continue
        found = conflicts_in(data)
        if len(found) > len(conflicts_in(step.base.read(path) or b"")):
            yield Finding(
                "conflict-marker",
                path,
                f"{told(path)} has the markers of an unfinished merge from line {found[-1]} on.",
                "Choose between the two sides, or put a quotation of markers into a code fence.",
                found[-1],
            )


def conflicts_in(data: bytes) -> list[int]:
    """Return the 1-based line at which each whole conflict starts: `<<<<<<<`, `=======`, `>>>>>>>`."""
    starts: list[int] = []
    fence = b""
    start, divided = 0, False
    for number, line in enumerate(split_lines(data), 1):
        fence = _fence_after(line, fence)
        if fence:
            start, divided = 0, False
        elif line.startswith(b"<<<<<<< "):
            start, divided = number, False
        elif start and line.rstrip(b"\r\n") == b"=======":
            divided = True
        elif divided and line.startswith(b">>>>>>> "):
            starts.append(start)
            start, divided = 0, False
    return starts


def _fence_after(line: bytes, fence: bytes) -> bytes:
    mark = line.lstrip(b" ")[:3]
    if mark not in _FENCES:
        return fence
    if not fence:
        return mark
    return b"" if mark == fence else fence


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
        lines = text.split("\n")
        had = set(before.split("\n"))
        first = next((hidden for hidden in find_hidden(text) if lines[hidden.line - 1] not in had), None)
        if first is not None:
            yield Finding(
                HIDDEN,
                path,
                f"{told(path)} has the unseen character U+{first.codepoint:04X} in line {first.line}.",
                "Remove it: a model reads what you do not see.",
                first.line,
            )
