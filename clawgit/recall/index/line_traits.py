"""What the ranking wants to know of a line beside its terms, told from its text when it is indexed. Pure."""

from __future__ import annotations

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.terms import terms_of

# `Ada: …`, `- **Ada Lovelace**: …`, `[10:30] Ada: …`, `用户：…`
_SAID = lazy_pattern(
    r"[\s>*+-]*(?:[\[(]?\d{1,2}:\d{2}(?::\d{2})?[\])]?\s*[-–]?\s*)?[*_]{0,2}(?P<who>[^\W\d_][\w .'’-]{0,30}?)[*_]{0,2}(?:\s?\([^()]{1,20}\))?[*_]{0,2}(?::[*_]{0,2}\s|：)\s*\S"
)
_ASKS = lazy_pattern(r"[?？؟]\W*(?:[\[(（][^\[\]()（）]*[\])）]\s*)?\Z")
_MOST_WORDS = 3
ASKS = "?"


def traits_of(text: str) -> str:
    """Return the traits of a unit's text, packed: `?` if it ends in a question, then the terms of who says it.

    Opaque to the index, which stores it beside the terms and hands it to the ranking as `Line.traits`.
    """
    found = _SAID.match(text)
    speaker = terms_of(found["who"]) if found else []
    asks = ASKS if _ASKS.search(text, max(0, len(text) - 300)) else ""
    return asks + " ".join(speaker if len(speaker) <= _MOST_WORDS else [])
