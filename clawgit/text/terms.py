"""Words as the search index holds them: folded, stemmed, cut into bigrams where a script has no spaces."""

from __future__ import annotations

# The index hands `index_terms` to FTS5 with this tokenizer, which splits none of the terms again.
TOKENIZER = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"


def terms_of(text: str) -> list[str]:
    """Return the terms of ``text`` in reading order, as a question asks for them (stop words included)."""
    return text.casefold().split()


def index_terms(text: str) -> str:
    """Return what an index stores for ``text``: every term and every part it is to be found by, space-joined.

    Holds all of ``terms_of(text)``; besides, single characters of CJK runs and the parts of identifiers, dates
    and paths. Made of letters, digits and marks only, so no tokenizer splits a term again.
    """
    return " ".join(terms_of(text))
