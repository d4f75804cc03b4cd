"""Characters that hide or command: found in files, shown as escapes, kept out of one-line texts."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from clawgit.text.lazy_pattern import lazy_pattern

_CONTROL = lazy_pattern(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_LINE_END = lazy_pattern(r"\r\n|\n|\r")
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
# Letters and marks that print as nothing; their categories say Lo and Mn.
_UNSEEN_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
_TAGS_AND_SELECTORS = range(0xE0000, 0xE1000)
# Persian and Indic spelling and most family emoji need them, and they move no other character.
_JOINERS = "\u200c\u200d"


class ControlCharacter(NamedTuple):
    """A control character and its line, counted from 1."""

    line: int
    codepoint: int


def find_control(text: str) -> list[ControlCharacter]:
    r"""Return every control character (C0, DEL, C1) but \n, \t and \r, in the order of the text."""
    found: list[ControlCharacter] = []
    ends = _LINE_END.finditer(text)
    end = next(ends, None)
    line = 1
    for match in _CONTROL.finditer(text):
        while end is not None and end.start() < match.start():
            line += 1
            end = next(ends, None)
        found.append(ControlCharacter(line, ord(match.group())))
    return found


def shown(text: str, *, keep_newlines: bool = True) -> str:
    r"""Return ``text`` as a terminal may print it: what is unseen or commands is written as ``\u{1b}``; for eyes only."""
    lines = text.replace("\r\n", "\n").split("\n")
    safe = [line if _is_plain(line) else "".join(map(_escaped, line)) for line in lines]
    return ("\n" if keep_newlines else r"\u{a}").join(safe)


def folded(text: str) -> str:
    """Return ``text`` on one line, unseen characters dropped, joiners kept; a lone surrogate becomes U+FFFD."""
    if _is_plain(text):
        return " ".join(text.split())
    return " ".join("".join(map(_kept, text)).split())


def one_line(text: str) -> str:
    """Return ``text`` fit for a commit's subject or an author's name: as `folded`, without joiners, < and >."""
    return " ".join(re.sub(f"[<>{_JOINERS}]", "", folded(text)).split())


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()


def is_unseen(char: str) -> bool:
    """Say whether ``char`` hides, reorders or commands: categories Cc, Cf, Cs, Co, Zl, Zp, tags, fillers."""
    return (
        unicodedata.category(char) in _UNSEEN_CATEGORIES
        or char in _UNSEEN_LETTERS
        or ord(char) in _TAGS_AND_SELECTORS
    )


@lru_cache(maxsize=8192)
def _escaped(char: str) -> str:
    return f"\\u{{{ord(char):x}}}" if char != "\t" and is_unseen(char) else char


@lru_cache(maxsize=8192)
def _kept(char: str) -> str:
    if char.isspace():
        return " "
    if unicodedata.category(char) == "Cs":
        return "\ufffd"
    return char if char in _JOINERS or not is_unseen(char) else ""
