"""A letter that stands whole in a message, from its greeting to its signature: somebody's, given to be worked on. Pure."""

from __future__ import annotations

import re

LONGEST_SIGNATURE = 40
_GREETING = re.compile(r"[ \t]*(?:hi|hey|hello|dear)\b[^\n]{1,40}[,:!]?\s*\Z", re.IGNORECASE)
_CLOSING = re.compile(
    r"[ \t]*(?:all the best|best|best wishes|(?:best |kind |warm )?regards|cheers|sincerely|yours(?: truly)?|love|thanks)[,.!]?\s*\Z",
    re.IGNORECASE,
)


def without_letter(text: str) -> str:
    """Return a message without the first letter in it; one that is a letter itself is its sender's."""
    lines = text.splitlines(keepends=True)
    begin = next((at for at, line in enumerate(lines) if _GREETING.match(line)), None)
    if begin is None:
        return text
    end = next((at for at in range(begin + 1, len(lines) - 1) if _is_closed(lines, at)), None)
    around = "".join((*lines[:begin], *lines[end + 2 :])) if end is not None else ""
    return around if around.strip() else text


def _is_closed(lines: list[str], at: int) -> bool:
    """Say whether a line closes a letter: what stands below it is short, as a name is."""
    return _CLOSING.match(lines[at]) is not None and 0 < len(lines[at + 1].strip()) <= LONGEST_SIGNATURE
