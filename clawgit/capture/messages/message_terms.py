"""The words by which a message is found again: those of the search index, so that one question asks both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.text.words.terms import TOKENIZER, index_terms

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["TERMS_VERSION", "TOKENIZER", "asked_terms", "message_terms"]

TERMS_VERSION = 2
MOST_CHARACTERS = 64  # of a term: no word is longer, and PostgreSQL refuses to index what is much longer


def message_terms(sender: str, text: str) -> list[str]:
    """Return the terms of a message and its sender, each once, in reading order."""
    return asked_terms(index_terms(f"{sender} {text}").split())


def asked_terms(words: Iterable[str]) -> list[str]:
    """Return index words as a store keeps them, each once."""
    return list(dict.fromkeys(word[:MOST_CHARACTERS] for word in words))
