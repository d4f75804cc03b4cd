"""What a summary of a conversation says of its topic, and under which name that is kept. Pure."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.memory.entries.topics import MOST_DECISIONS
from clawgit.text.markdown.blocks import HEADINGS, blocks
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_NAME = 60
MOST_STATUS = 500  # characters
# Keys such as `agent:main:cron:nightly` belong to a system's own sessions; `micronesia` is no `cron`.
_OF_SYSTEM = frozenset(
    ("boot", "cron", "healthcheck", "heartbeat", "hook", "memory", "probe", "subagent", "temp")
)
_DECISIONS = re.compile(r"(?i)(?:key |open |main |final )?decisions?\b|.*(?:决定|決定|决策|決策|결정)")
_STATUS = re.compile(
    r"(?i)(?:current |overall )?status\b|(?:open |pending |remaining )?to-?dos?\b|next steps?\b|.*(?:状态|狀態|待办|待辦|상태|할 일)"
)
_BEFORE_TITLE = re.compile(r"^[\W\d_]+")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,9}[.)])\s+(\S.*)")


@dataclass(frozen=True, slots=True)
class Summary:
    """What a summary says was decided, item by item, and how things stand."""

    decisions: tuple[str, ...] = ()
    status: str = ""


def topic_name(title: str) -> str:
    """Return a name for a file: small letters and digits of any script, parted by `-`; empty where there are none."""
    kept = "".join(map(_kept, unicodedata.normalize("NFKC", title).casefold()))
    return re.sub("-+", "-", kept).strip("-")[:LONGEST_NAME].strip("-")


def _kept(char: str) -> str:
    """Return a letter, a digit or a sign that belongs to one as it is, anything else as `-`."""
    return char if unicodedata.category(char)[0] in "LNM" else "-"


def is_of_system(session_key: str) -> bool:
    """Say whether a session is a system's own, by the whole words with which the parts of its key begin."""
    parts = re.split(r"[:/]", session_key.lower())
    return not _OF_SYSTEM.isdisjoint(re.split(r"[^0-9a-z]", part, maxsplit=1)[0] for part in parts)


def read_summary(text: str) -> Summary:
    """Return the items below headings about decisions, the latest ones, and what is below those about the status."""
    decisions: list[str] = []
    status: list[str] = []
    for kind, lines in _sections(text):
        if kind is _DECISIONS:
            decisions += [found[1].strip() for found in map(_ITEM.match, lines) if found]
        elif kind is _STATUS:
            status.append("\n".join(lines).strip())
    latest = tuple(dict.fromkeys(decisions))[-MOST_DECISIONS:]
    return Summary(latest, "\n".join(filter(None, status))[:MOST_STATUS].strip())


def _sections(text: str) -> Iterator[tuple[re.Pattern[str] | None, list[str]]]:
    """Yield what the heading of a section is about, or one above it, and the lines up to the next heading.

    A heading in code or in a quotation is none.
    """
    data = text.encode("utf-8", "replace")
    lines = [line.decode().rstrip() for line in split_lines(data)]
    headings = [block for block in blocks(data) if block.kind in HEADINGS and not block.inside]
    above: list[tuple[str, re.Pattern[str] | None]] = []
    for number, block in enumerate(headings):
        above = [each for each in above if each[0] < block.kind]
        title = _BEFORE_TITLE.sub("", block.content.strip().strip("*_: "))
        own = next((kind for kind in (_DECISIONS, _STATUS) if kind.match(title)), None)
        above.append((block.kind, own or (above[-1][1] if above else None)))
        end = headings[number + 1].first if number + 1 < len(headings) else len(lines)
        yield above[-1][1], lines[block.last : end]
