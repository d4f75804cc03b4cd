"""The note of an ended session, clawgit's and OpenClaw's: what of it is about the session, who says a line, and what no person does. Pure."""

from __future__ import annotations

import re

from clawgit.text.lazy_pattern import lazy_bytes_pattern, lazy_pattern

TITLE, SOURCE, MESSAGES = "# Session: ", "- source: ", "- messages: "
USER, ASSISTANT = "user", "assistant"
TOLD_BY_MACHINES = frozenset(("tool", "system"))
_ABOUT = lazy_bytes_pattern(
    rb"\s*(?:- (?:\*\*)?(?:time|ended|source|messages|session (?:key|id))(?:\*\*)?:.*)?", re.IGNORECASE
)
_SPEAKER = lazy_pattern(rf"(?:[-*+] )?({USER}|{ASSISTANT}|{'|'.join(sorted(TOLD_BY_MACHINES))}): ")

_MARKS = "-*+ "  # of items
_OUTPUT = lazy_pattern(
    r"(?:\$ |>>> |Traceback \(|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d|\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL)\b[]: ]"
    r"|(?i:(?:tool|stdout|stderr|output|exit (?:code|status))\b ?[:=\d])|[{[]\s*[\"{[]|\s+at \S+\(|\d+ (?:passed|failed)\b"
    r"|\S.*?(?: {3,}|\t+)\S.*?(?: {3,}|\t+)\S)"  # columns: nobody types two such gaps in a line
)


def lines_about(data: bytes) -> int:
    """Return with how many lines a session's note tells of the session alone, 0 where a file is no such note."""
    if not data.startswith(TITLE.encode()):
        return 0
    number = 1
    for line in data.split(b"\n")[1:]:
        if not _ABOUT.fullmatch(line.rstrip()):
            break
        number += 1
    return number


def speaker_of(line: str) -> str:
    """Return the role that says a line of a note, empty where none does."""
    found = _SPEAKER.match(line)
    return found[1] if found else ""


def words_of(line: str) -> str:
    """Return a line of a note without who says it."""
    found = _SPEAKER.match(line)
    return line[found.end() :] if found else line


def is_output(line: str) -> bool:
    """Say whether a program printed a line."""
    return bool(_OUTPUT.match(line.strip().lstrip(_MARKS)))
