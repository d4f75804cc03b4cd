"""Texts that were put into a message from elsewhere, recognised by their size. Pure.

Whoever talks to an agent writes a few sentences, and lists of what is his. What is longer is material: a page, a prompt, a
story. What counts of it is what is labelled, and what is asked for in its first and last line.
"""

from __future__ import annotations

from clawgit.memory.entries.statements import sentences_of
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.understanding.forms.sentence_forms import MARKS, ORDERED

MOST_LINES = 12  # of a message that somebody writes himself
FEW_LINES = 3  # and that rules understand, too
LONGEST_LINE = 170  # characters, on an average
LONGEST_LIST = 12  # lines, below one that ends in a colon
_MOST_READ = 240  # characters of a line: an entry is no longer

_ITEM = lazy_pattern(
    r"(?:[-*–][ \t]+|[•·✔✓☑▪◦□]|\[[ xX]?\]|\(?\d{1,2}[.)、．](?!\d)|[①-⑳]|[一二三四五六七八九十]{1,2}、)[ \t]*(?=\S)"
)
_PUT_OUT = lazy_pattern(
    r"(?m)^[ \t]{0,8}(?:(?:[\w.-]+@[\w.-]+[:~ ][^\n$]{0,40})?[$❯][ \t]+[a-z./~]|>>> |PS [A-Z]:\\|[A-Z]:\\[^\n>]{0,60}>|Traceback \("
    r"|(?:\[?[\d:T.,/ -]{5,30}Z?\]?[ \t]+|[a-z]{2,10}[ \t]+)?\[?(?:WARN|WARNING|ERROR|ERR!|INFO|DEBUG|FATAL|TRACE)\b|\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,3})?[ \t]*-->)"
)


def without_pages(text: str, most_lines: int = MOST_LINES) -> str:
    """Return a message up to what a program printed; of a long one, what is labelled and what is asked for."""
    if "\n" not in text and len(text) <= most_lines * LONGEST_LINE:
        return text
    printed = _PUT_OUT.search(text) if "\n" in text else None
    lines = [line for line in (text[: printed.start()] if printed else text).splitlines() if line.strip()]
    if _is_talk(lines, most_lines):
        return "\n".join(lines)
    last = _asked(lines[-1]) if len(lines) > 1 else ()
    return "\n".join((*_asked(lines[0]), *filter(_is_labelled, lines[1:-1]), *last))


def _is_talk(lines: list[str], most_lines: int) -> bool:
    if sum(map(len, lines)) > most_lines * LONGEST_LINE:
        return False
    if len(lines) <= most_lines:
        return True
    return len(lines) <= LONGEST_LIST and lines[0].rstrip().endswith((":", "："))


def _is_labelled(line: str) -> bool:
    """Say whether a line says of itself that it is a decision or a lesson."""
    said = _ITEM.sub("", line.strip()[:_MOST_READ], count=1)
    return any(form.match(said) for tag, form in MARKS.items() if tag is not None)


def _asked(line: str) -> tuple[str, ...]:
    """Return what of the first or last line of a long message is labelled, or is to be remembered."""
    said = sentences_of(line) if len(line) > _MOST_READ else (line,)
    edges = dict.fromkeys((*said[:1], *said[-1:]))
    is_note = (form.match for form in MARKS.values())
    matches = (*is_note, ORDERED.search)
    return tuple(
        each for each in edges if any(match(_ITEM.sub("", each.strip(), count=1)) for match in matches)
    )
