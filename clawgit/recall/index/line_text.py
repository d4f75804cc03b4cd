"""What a single line of Markdown says, without knowing what stands around it. Pure."""

from __future__ import annotations

import re

from clawgit.recall.index.paragraphs import without_comments
from clawgit.text.markdown.lines import without_end

_MARKERS = re.compile(r"\s*(?:>\s*)*(?:#{1,6}\s+|(?:[-*+]|\d{1,9}[.)])\s+)?")
_FENCE = re.compile(r"\s*(?:```|~~~)")


def said_in(raw: bytes) -> str:
    """Return the words of a line, markers, comments and ids left out; empty where it says nothing."""
    text = without_end(raw).decode("utf-8", "replace").removeprefix("\ufeff")
    if _FENCE.match(text):
        return ""
    text = without_comments(text)
    found = _MARKERS.match(text)
    text = " ".join(text[found.end() if found else 0 :].strip().strip("|").split())
    return text if any(map(str.isalnum, text)) else ""
