"""What a statement is about: its words, as the search index holds them, without those that every statement has."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from clawgit.text.words import stopwords
from clawgit.text.words.terms import Kind, pieces_of

if TYPE_CHECKING:
    from collections.abc import Iterator


@lru_cache(maxsize=4096)
def subject(text: str) -> frozenset[str]:
    """Return the terms of ``text`` that say something."""
    return frozenset(_terms(text))


def _terms(text: str) -> Iterator[str]:
    for piece in pieces_of(text):
        if piece.kind is Kind.RUN:
            for run in stopwords.without_breaks(piece.shown):
                yield from (part for found in pieces_of(run) for part in found.parts)
        elif piece.kind is Kind.HANGUL:
            if not stopwords.is_korean_stop(piece.shown):
                yield from piece.parts
        elif piece.shown.lower().replace("'", "").replace("’", "") not in stopwords.ENGLISH:
            yield piece.whole or piece.parts[0]
