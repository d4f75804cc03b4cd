"""What one line of Markdown says: its words, its day, who says it, whether it asks. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.memory.entries.entry_marks import without_sources
from clawgit.memory.entries.tiers import date_of, day_in, day_in_name, tier_of
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.lines import without_end
from clawgit.text.words.terms import index_terms, terms_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date


_DAY = lazy_pattern(r"(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)")
_OWN = lazy_pattern(r"\W{0,3}(\d{4}-\d{2}-\d{2})(?!\d)")
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_MONTH = lazy_pattern(rf"(?<!\d)(\d{{4}})-({'|'.join(_MONTHS)})")
_NUMBERED = lazy_pattern(r"(?<!\d)(\d{4})-(?:(\d{2})|Q([1-4]))(?!\d)")
# `Ada: …`, `- **Ada Lovelace**: …`, `[10:30] Ada: …`, `用户：…`
_SAID = lazy_pattern(
    r"[\s>*+-]*(?:[\[(]?\d{1,2}:\d{2}(?::\d{2})?[\])]?\s*[-–]?\s*)?[*_]{0,2}(?P<who>[^\W\d_][\w .'’-]{0,30}?)[*_]{0,2}(?:\s?\([^()]{1,20}\))?[*_]{0,2}(?::[*_]{0,2}\s|：)\s*\S"
)
_ASKS = lazy_pattern(r"[?？؟]\W*(?:[\[(（][^\[\]()（）]*[\])）]\s*)?\Z")
_SLUG = lazy_pattern(r"^\d{4}-\d{2}-\d{2}[-_]?|\.(?:md|markdown|txt)$")
_MOST_WORDS = 3
ASKS = "?"
_MARKERS = lazy_pattern(r"\s*(?:>\s*)*(?:#{1,6}\s+|(?:[-*+]|\d{1,9}[.)])\s+)?")
_FENCE = lazy_pattern(r"\s*(?:```|~~~)")
WRAPPED_WIDTH = 40  # narrower text is not wrapped by an editor
# Between backticks it is an example.
_COMMENT_END = lazy_pattern(r"-->(?!`)")
# `Ada: …`, `**Ada** (10:30): …`, `[10:30] Ada: …`, `用户：…`
_BEGINS_TURN = lazy_pattern(
    r"\W{0,4}(?:\d{1,2}:\d{2}\W{1,3})?\w[\w .'&-]{0,30}(?:\W{0,2}\([^()]{1,30}\))?\W{0,2}(?::\W?\s|：)"
)
_ENDED = lazy_pattern(r"""[.!?。！？…][)\]"'”’」』*_`]*\Z|(?: {2}|\\)\Z""")


def own_day(text: str) -> date | None:
    """Return the date that a line begins with, as in `2026-01-20: Chose REST`."""
    found = _OWN.match(text) if "-" in text[4:8] else None  # behind the year
    return day_in(found[1]) if found else None


def section_day(path: str, titles: Sequence[str]) -> date | None:
    """Return the day of a section: the innermost heading's, else the file's (a month's first, a quarter's first)."""
    for title in reversed(titles):
        for found in _DAY.findall(title):
            day = day_in(found)
            if day is not None:
                return day
    named = date_of(path) if tier_of(path) else day_in_name(path)
    return named or _month_of(path.rpartition("/")[2])


def heading_terms(path: str, titles: Sequence[str] = ()) -> str:
    """Return the terms of what stands above a line: the words of its file's name, and the headings."""
    return index_terms(" ".join((_SLUG.sub("", path.rpartition("/")[2]), *titles)))


def _month_of(name: str) -> date | None:
    found = _MONTH.search(name)
    if found is not None:
        return day_in(f"{found[1]}-{_MONTHS.index(found[2]) + 1:02}-01")
    numbered = _NUMBERED.match(name)
    if numbered is None:
        return None
    month = int(numbered[2]) if numbered[2] else 3 * int(numbered[3]) - 2
    return day_in(f"{numbered[1]}-{month:02}-01")


def traits_of(text: str) -> str:
    """Return the traits of a unit's text, packed: `?` if it ends in a question, then the terms of who says it.

    Opaque to the index, which stores it beside the terms and hands it to the ranking as `Line.traits`.
    """
    found = _SAID.match(text) if ":" in text or "：" in text else None
    speaker = terms_of(found["who"]) if found else []
    end = text[-300:]
    asks = ASKS if ("?" in end or "？" in end or "؟" in end) and _ASKS.search(end) else ""
    return asks + " ".join(speaker if len(speaker) <= _MOST_WORDS else [])


def said_in(raw: bytes) -> str:
    """Return the words of a line, markers, comments and ids left out; empty where it says nothing."""
    text = without_end(raw).decode("utf-8", "replace").removeprefix("\ufeff")
    if _FENCE.match(text):
        return ""
    text = without_comments(text)
    found = _MARKERS.match(text)
    if found:
        text = text[found.end() :]
    text = " ".join(text.strip().strip("|").split())
    return text if any(map(str.isalnum, text)) else ""


def without_comments(text: str) -> str:
    """Return ``text`` without HTML comments and a host's notes; lines stay where they are, as does a comment that never ends."""
    if "<!--" not in text:
        return without_sources(text)
    kept: list[str] = []
    done = begin = 0
    while (begin := text.find("<!--", begin)) >= 0:
        if text[begin - 1 : begin] == "`":
            begin += 1
            continue
        end = _COMMENT_END.search(text, begin + 2)  # `<!-->` is one, too
        if end is None:
            break
        kept += [text[done:begin], "\n" * text.count("\n", begin, end.end())]
        done = begin = end.end()
    return without_sources("".join([*kept, text[done:]]))


def lines_apart(lines: list[str]) -> list[tuple[int, int]]:
    """Return the runs of lines that belong together, as begin and end.

    A line goes on with the one before if an editor wrapped it there: neither a sentence nor a hard break
    ends before it, it does not begin with who says it, and its first word had no room in the line before.
    """
    width = max(map(len, lines), default=0)
    runs: list[tuple[int, int]] = []
    begin = 0
    for at in range(1, len(lines)):
        if not _is_wrapped(lines[at - 1], lines[at], width):
            runs.append((begin, at))
            begin = at
    return [*runs, (begin, len(lines))] if lines else []


def _is_wrapped(before: str, line: str, width: int) -> bool:
    if width < WRAPPED_WIDTH or _ENDED.search(before) or _BEGINS_TURN.match(line):
        return False
    word = line.split(None, 1)[0] if line.strip() else ""
    if word[:1] > "\u2e7f":
        word = word[:1]  # written without spaces: one character would have had room
    return len(before.rstrip()) + 1 + len(word) > width
