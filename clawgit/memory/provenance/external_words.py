"""Words in another dress: the same statement however it looks, and words from outside split up, joined or reworded."""

from __future__ import annotations

import re
import unicodedata
from html import unescape
from typing import TYPE_CHECKING

from clawgit.text.comparing import fuzzy
from clawgit.text.comparing.similarity import likeness, words
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.readable_text import legible

if TYPE_CHECKING:
    from collections.abc import Sequence

_SIGNS = str.maketrans(
    dict.fromkeys("’‘ʼ‛`´", "'")
    | dict.fromkeys("‐‑‒–—―−", "-")
    | dict.fromkeys('"“”„‟«»‹›「」『』《》″')
    | {"。": ".", "…": "."}
)
_TAG = lazy_pattern(r"</?(?:b|i|em|strong|u|mark|code|small|span)(?:\s[^<>]*)?>", re.IGNORECASE)
_ESCAPED = lazy_pattern(r"\\(?=[!-/:-@\[-`{-~])")
# Between digits a star counts something; within a word an apostrophe and an underscore belong to it.
_EMPHASIS = lazy_pattern(r"(?<![\d*])\*+|\*+(?![\d*])|(?<!\w)['_]+|['_]+(?!\w)|(?<![^\W_])_+|_+(?![^\W_])")
_END = lazy_pattern(r"(?<=\S)[.!,;:]+(?=\s|\Z)")
# A box to tick and the day before a statement, the tags behind it: none of them says anything by itself.
_STAMP = lazy_pattern(r"\A(?:\[[ xX]\]\s+)?(?:\d{4}-\d\d-\d\d:\s+)?")
_TAGS = lazy_pattern(r"(?:\s+#\w[\w/-]*)+\Z")
_LINK = lazy_pattern(r"!?\[([^\[\]]+)\]\([^()\s]*\)")
_ADDRESS = lazy_pattern(r"<((?:https?://|mailto:)?[^<>\s]*[@:/][^<>\s]*)>")
_PLAIN_WORD = lazy_pattern(r"\w+")
REWORDED = 60
CONTAINED = 80
# Fewer words or letters are nobody's: "at the end of" proves nothing.
FEWEST_WORDS = 3
FEWEST_LETTERS = 12
SINGLE = 6  # of scripts in which each character is a word


def plain_words(text: str) -> str:
    """Return what stays of a statement when only its looks change; other letters, numbers or words are others."""
    if "&" in text:
        text = unescape(text)
    if not text.isascii():
        text = legible(unicodedata.normalize("NFC", text)).text
    text = _TAGS.sub("", _STAMP.sub("", text, count=1))
    text = _ADDRESS.sub(r"\1", _LINK.sub(r"\1", _TAG.sub("", text)))
    text = _ESCAPED.sub("", text).translate(_SIGNS)
    return "".join(_END.sub("", _EMPHASIS.sub("", text)).casefold().split())


def traces(text: str) -> set[tuple[str, ...]]:
    """Return what to look for others of its kind by: each three words that follow each other."""
    said = _PLAIN_WORD.findall(text.lower()) if text.isascii() else words(text)
    return set(zip(said, said[1:], said[2:], strict=False))


def made_of(new: str, old: str) -> bool:
    """Say whether ``new`` rewords ``old``, is a part of it or has a part that is most of it."""
    return likeness(new, old) >= REWORDED or _contained(words(new), words(old))


def _contained(first: Sequence[str], second: Sequence[str]) -> bool:
    shorter = min(first, second, key=len)
    telling = len("".join(shorter)) >= FEWEST_LETTERS or len(shorter) >= SINGLE
    return (
        len(shorter) >= FEWEST_WORDS
        and telling
        and fuzzy.fuzz.partial_ratio(tuple(first), tuple(second)) >= CONTAINED
    )
