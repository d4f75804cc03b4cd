"""A statement without its dress: the same words, however they are emphasised, linked, dated, spaced or ended."""

from __future__ import annotations

import re
import unicodedata
from html import unescape

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
_END = lazy_pattern(r"(?<=\S)[.!,;:]+(?=\s|\Z)")
# A box to tick and the day before a statement, the tags behind it: none of them says anything by itself.
_STAMP = lazy_pattern(r"\A(?:\[[ xX]\]\s+)?(?:\d{4}-\d\d-\d\d:\s+)?")
_TAGS = lazy_pattern(r"(?:\s+#\w[\w/-]*)+\Z")
_LINK = lazy_pattern(r"!?\[([^\[\]]+)\]\([^()\s]*\)")
_ADDRESS = lazy_pattern(r"<((?:https?://|mailto:)?[^<>\s]*[@:/][^<>\s]*)>")


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
