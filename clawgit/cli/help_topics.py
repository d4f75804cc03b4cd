"""What `clawgit help WORDS` finds where WORDS name no command; apart, as it reads all pages of the documentation."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from clawgit.workspace.layout import data_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_COMMANDS = 3
MOST_PAGES = 2
_HEADING_WORTH = 10  # times that a text has the words
_LIST = "commands.md"
_OF_THE_CODE = "architecture.md"
_SECTION = re.compile(r"^(?=##+ )", re.MULTILINE)
_COMMAND = re.compile(r"^- `(clawgit [a-z -]+)`: (.+)$", re.MULTILINE)
_CALLED = re.compile(r"\bclawgit [a-z]+(?: [a-z]+)?")
# Three letters stay of a word.
_ENDING = re.compile(r"(?<=\w{3})(?:ings?|ed|es|s|e)$")


def find_topic(words: Sequence[str]) -> list[str]:
    """Return lines on the commands and pages that have these words in a row, in any of their forms, the best first."""
    stems = []
    for word in " ".join(words).split():
        stems.append(re.escape(_ENDING.sub("", word)))
    phrase = re.compile(r"\b" + r"\w*\W+".join(stems), re.IGNORECASE)
    helps: Counter[str] = Counter()
    pages: Counter[tuple[str, str]] = Counter()
    named: Counter[str] = Counter()
    summaries: dict[str, str] = {}
    for path, heading, text in _sections():
        worth = len(phrase.findall(text)) + _HEADING_WORTH * len(phrase.findall(heading))
        if path.endswith(_LIST):
            summaries.update(_COMMAND.findall(text))
            helps[heading] += worth
        elif worth:
            pages[path, heading] += worth
            for command in _CALLED.findall(text):
                named[command] += worth
    lines: dict[str, None] = {}
    for command, worth in (*helps.most_common(), *named.most_common()):
        if worth and command in summaries and len(lines) < MOST_COMMANDS:
            lines[f"{command:<24}  {summaries[command]}"] = None
    for (path, heading), _ in pages.most_common(MOST_PAGES):
        lines[f"{path}: {heading}"] = None
    return list(lines)


def _sections() -> Iterator[tuple[str, str, str]]:
    """Yield path, heading and text of each section; what is above the first heading has that of its page."""
    for page in sorted(data_folder("docs").glob("*.md")):
        if page.name == _OF_THE_CODE:
            continue
        for section in _SECTION.split(page.read_text("utf-8")):
            heading, _, text = section.partition("\n")
            yield str(page), heading.strip("# "), text
