"""A statement without its dress: the same words, however they are emphasised, quoted, spelled or ended."""

from __future__ import annotations

import re
import unicodedata

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.readable_text import legible

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
_END = lazy_pattern(r"(?<=\w)[.!]+(?=\s|\Z)")


def plain_words(text: str) -> str:
    """Return what stays of a statement when only its looks change; other letters, numbers or words are others."""
    if not text.isascii():
        text = legible(unicodedata.normalize("NFC", text)).text
    text = _ESCAPED.sub("", _TAG.sub("", text)).translate(_SIGNS)
    return " ".join(_END.sub("", _EMPHASIS.sub("", text)).casefold().split())
