"""The lines of a Markdown file that say something: what a file lost, and what came, is counted in them."""

from __future__ import annotations

import re
from collections import Counter

from clawgit.memory.entries.entry_marks import without_marks
from clawgit.text.markdown.lines import split_lines

_SAYS_NOTHING = re.compile(rb"[^A-Za-z0-9\x80-\xff]*|#{1,6} .*|<!--.*-->")


def said_lines(data: bytes) -> Counter[bytes]:
    """Return the lines without ids and spare white space; headings and comments are left out."""
    lines = (b" ".join(without_marks(line).split()) for line in split_lines(data))
    return Counter(line for line in lines if not _SAYS_NOTHING.fullmatch(line))
