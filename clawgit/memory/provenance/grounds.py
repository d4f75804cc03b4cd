"""What makes a line the operator's own although somebody else wrote it: his sentence word for word, or one value that he names. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.memory.entries.statements import ASKED, parted, sentences_of
from clawgit.text.comparing.similarity import words
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import values_in
from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.text.comparing.value_kinds import Value

# How memory marks that the words are his: `User: "…"`; without quotation marks, a value in them was corrected.
_HIS = lazy_pattern(r'^User: (?P<mark>"?)(?P<words>.+)(?P=mark)$')


def own_words_of(statement: str) -> str:
    """Return what of a statement is said, without the mark that says who said it."""
    found = _HIS.match(statement)
    return statement if found is None else found["words"]


def is_reading(statement: str, old: str, quotes: Iterable[str]) -> bool:
    """Say whether none of the operator's sentences makes a statement his own, for which ``old`` gave way (empty: nothing)."""
    return not any(
        is_verbatim(statement, quote) or changes_one_value(old, statement, quote) for quote in quotes
    )


def is_verbatim(statement: str, quote: str) -> bool:
    """Say whether every sentence of a statement is a whole sentence of the quote, word for word."""
    own = own_words_of(parted(statement).statement)
    stated = [words(sentence) for sentence in sentences_of(own)]
    whole = [words(sentence) for sentence in sentences_of(quote)]
    return bool(stated) and all(sentence in whole for sentence in stated)


def changes_one_value(old: str, new: str, quote: str) -> bool:
    """Say whether a statement differs from an old one in one value, and the quote tells which: it names the new one and no other of its kind.

    Beside the new value the quote has the old one, or all that the statement is about.
    """
    if not old:
        return False
    before, after = parted(old).statement, parted(new).statement
    exchange = value_exchanged(before, after)
    if exchange is None:
        return False
    gone, came = exchange
    before = own_words_of(before)
    same_kind = {value.text.casefold() for value in values_in(quote) if value.kind is came.kind}
    if same_kind - {gone.text.casefold()} != {came.text.casefold()}:
        return False
    about = subject(ASKED.sub("", before, count=1)) - subject(gone.text)
    return gone.text.casefold() in same_kind or (bool(about) and about <= subject(quote))


def value_exchanged(before: str, after: str) -> tuple[Value, Value] | None:
    """Return the one value of a statement that gave way, and what came; None where anything else changed."""
    before, after = (own_words_of(text).rstrip(" .。") for text in (before, after))  # a full stop is no word
    there = values_in(before)
    here = values_in(after)
    came = [value for value in here if value.text not in {each.text for each in there}]
    gone = [value for value in there if value.text not in {each.text for each in here}]
    if len(came) != 1 or len(gone) != 1 or came[0].kind is not gone[0].kind:
        return None
    if before[: gone[0].start] + came[0].text + before[gone[0].end :] != after:
        return None
    return gone[0], came[0]
