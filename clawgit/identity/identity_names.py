"""The names that USER.md and IDENTITY.md tell in their own lines: `- **Name:** Ada`. Pure."""

from __future__ import annotations

import re

from clawgit.text.comparing.similarity import words

_TOLD = re.compile(
    r"^[ \t]*[-*]?[ \t]*\**(?:name|how to address them|名字|姓名|이름)\**[ \t]*[:：]\**[ \t]*(?P<name>[^\n<(]{1,60})",
    re.IGNORECASE | re.MULTILINE,
)


def names_told(text: str) -> frozenset[str]:
    """Return the words of the names that a text tells, in small letters."""
    return frozenset(word for found in _TOLD.finditer(text) for word in words(found["name"]))
