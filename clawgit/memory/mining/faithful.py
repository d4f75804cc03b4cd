"""Whether a sentence that was made out of a message still says what the message does. Pure.

What cannot be told from the words is let through; what is found here turns a meaning round or puts somebody into it.
"""

from __future__ import annotations

import re

from clawgit.memory.mining.dedupe import RELATING
from clawgit.memory.statements import sentences_of
from clawgit.text.similarity import words
from clawgit.text.stopwords import ENGLISH

LINKS = ("](", "://", "<")
SHORTEST_STEM = (
    3  # letters in which two forms of a word agree: `chose`, `choose` do not, `decided`, `decision` do
)

_NOT = re.compile(
    r"(?i)\b(?:not|no|never|nobody|nothing|none|neither|without|cannot)\b|n['’]t\b|[不没沒别別未无無]|않|아니|없|못"
)
_CLAUSE = re.compile(r"[,;:，；：]|\bbut\b")
_SUBJECT = re.compile(r"(?P<who>[A-Z]\w+)(?:['’]s\b| (?:[a-z]+s|will|had|can|and)\b)")
_NOBODY = frozenset(["team", "project", "company", "somebody", "someone"])
_OPERATOR = "user"


def is_turned(statement: str, quote: str, text: str) -> bool:
    """Say whether a statement has a `not` that a message lacks, or lacks one that stands before its words there.

    So is one that has the two sides of a word in the other order: `tea over coffee`, `coffee over tea`.
    """
    sides = _sides(quote)
    if any((after, word, before) in sides for before, word, after in _sides(statement)):
        return True
    if _NOT.search(statement):
        return _NOT.search(text) is None
    around = (each for each in sentences_of(text) if quote in each or each in quote)
    telling = set(words(statement)) - ENGLISH - {_OPERATOR}
    return any(
        2 * len(telling.intersection(words(clause[found.end() :]))) >= len(telling) > 0
        for sentence in around
        for clause in _CLAUSE.split(sentence)
        if (found := _NOT.search(clause))
    )


def _sides(text: str) -> set[tuple[str, str, str]]:
    """Return the words that relate two others, each with the telling word before and behind it."""
    told = [word for word in words(text) if word in RELATING or word not in ENGLISH]
    triples = zip(told, told[1:], told[2:], strict=False)
    return {(before, word, after) for before, word, after in triples if word in RELATING and before != after}


def invented_subject(statement: str, text: str, *, is_operators: bool) -> str:
    """Return who does something in a statement and is not named in the message, empty if nobody; `User` is the operator."""
    found = _SUBJECT.match(statement)
    who = found["who"].casefold() if found else ""
    if not who or who in ENGLISH or who in _NOBODY or (who == _OPERATOR and is_operators):
        return ""
    return "" if any(word[:SHORTEST_STEM] == who[:SHORTEST_STEM] for word in words(text)) else who


def has_invented_link(statement: str, text: str, *, is_operators: bool) -> bool:
    """Say whether a link stands in a statement that its message lacks; nobody else's links are brought into memory."""
    linked = [word for word in statement.split() if any(sign in word for sign in LINKS)]
    return bool(linked) and not (is_operators and all(word in text for word in linked))
