"""What `clawgit help WORDS` finds where WORDS name no command; apart, as it reads all pages of the documentation."""

from __future__ import annotations

import re
from collections import Counter
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.workspace.layout import data_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_COMMANDS, MOST_PAGES = 3, 2
_HEADING_WORTH = 10  # times that a text has the words
_LIST = "commands.md"
_OF_THE_CODE = "architecture.md"
_SECTION = re.compile(r"^(?=##+ )", re.MULTILINE)
_COMMAND = re.compile(r"^- `(clawgit [a-z -]+)`: (.+)$", re.MULTILINE)
_CALLED = re.compile(r"\bclawgit [a-z]+(?: [a-z]+)?")
_ENDING = re.compile(r"(?:ings?|ed|es|s|e)$")
_SHORTEST = 3  # letters that stay of a word


class Topic(NamedTuple):
    """Commands with the first sentence of their help, and pages with the heading of a section, the best first."""

    commands: list[tuple[str, str]]
    pages: list[tuple[str, str]]

    @property
    def data(self) -> dict[str, Any]:
        """Return it for a program."""
        data: dict[str, Any] = {"commands": [], "pages": []}
        for command, summary in self.commands:
            data["commands"].append({"command": command, "summary": summary})
        for path, heading in self.pages:
            data["pages"].append({"path": path, "heading": heading})
        return data


def find_topic(words: Sequence[str]) -> Topic:
    """Return what the documentation says of words in a row, in any of their forms."""
    stems = []
    for word in " ".join(words).split():
        stem = _ENDING.sub("", word)
        if len(stem) < _SHORTEST:
            stem = word
        stems.append(re.escape(stem))
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
    commands = []
    for command, worth in (*helps.most_common(), *named.most_common()):
        row = (command, summaries.get(command, ""))
        if worth and row[1] and row not in commands:
            commands.append(row)
    return Topic(commands[:MOST_COMMANDS], list(map(itemgetter(0), pages.most_common(MOST_PAGES))))


def _sections() -> Iterator[tuple[str, str, str]]:
    """Yield path, heading and text of each section; what is above the first heading has that of its page."""
    for page in sorted(data_folder("docs").glob("*.md")):
        if page.name == _OF_THE_CODE:
            continue
        for section in _SECTION.split(page.read_text("utf-8")):
            heading, _, text = section.partition("\n")
            yield str(page), heading.strip("# "), text
