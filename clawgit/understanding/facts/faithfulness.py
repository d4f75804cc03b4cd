"""Whether a sentence that was made out of a message still says what the message does. Pure.

What cannot be told from the words is let through; what is found here turns a meaning round or puts somebody into it.
"""

from __future__ import annotations

import re

from clawgit.memory.entries.statements import sentences_of
from clawgit.text.comparing.similarity import words
from clawgit.text.words.stopwords import ENGLISH
from clawgit.understanding.facts.same_statement import RELATING
from clawgit.understanding.quoting.quotations import without_quoted_words

LINKS = ("](", "://", "<", "www.")
SHORTEST_STEM = (
    3  # letters in which two forms of a word agree: `chose`, `choose` do not, `decided`, `decision` do
)

_NOT = re.compile(
    r"(?i)\b(?:not|no|never|nobody|nothing|none|neither|without|cannot)\b|n['’]t\b|[不没沒别別未无無]|않|아니|없|못"
)
# Words that turn a meaning round without a `not`, and words that make an order, a right or a danger out of a remark.
_TURNING = re.compile(
    r"(?i)\b(?:hardly|barely|scarcely|rarely|seldom|refus|stopp|quit|avoid|den(?:y|ie)|hat(?:es?|ed)\b|dislik|detest|except|former)"
    "|拒绝|拒絕|停止|讨厌|討厭|거부|중단|싫"
)
_LOADED = re.compile(
    r"(?i)\b(?:must|always|should|shall|obey|requir|forb[ia]d|allow|authori[sz]|permi(?:t|ss)|approv|trust|bypass|ignor|overrid|admin"
    "|root|sudo|soul|secret|allerg)|必须|必須|总是|總是|永远|반드시|항상|무조건"
)
_MARKS = frozenset("#@|`[]{}<>*_~\\")
_ADDRESSING = re.compile(r"(?i)\b(?:i|me|my|mine|myself|you|your|yours)\b|[你您]|당신")
_OURS = re.compile(r"(?i)\b(?:we|us|our|ours)\b|我们|我們|咱|우리|저희")
_DOTTED = re.compile(r"(?i)\S@\S|\w\.[a-z]{2,}")
_NUMBERS = dict(
    zip(
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
        map(str, range(2, 13)),
        strict=True,
    )
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


def invented_sense(statement: str, text: str) -> str:
    """Return what gives a statement a sense that its message lacks, empty if nothing is seen; ``text`` is the message."""
    said = text.casefold()
    if statement.endswith(("?", "？")) or _ADDRESSING.search(without_quoted_words(statement)):
        return "asks or speaks to somebody"
    if _OURS.search(statement) and not _OURS.search(text):
        return "speaks of several where one spoke"
    if not statement[:1].isalnum() and not statement.startswith(('"', "“", "'")):
        return "is no sentence"
    if _MARKS.intersection(statement) - set(text):
        return "has marks that the message lacks"
    loaded = [found.group().casefold() for found in _LOADED.finditer(statement)]
    if not (_NOT.search(text) or _TURNING.search(text)):
        loaded += [found.group().casefold() for found in _TURNING.finditer(statement)]
    numbers = (word for word in words(statement) if word in _NUMBERS and _NUMBERS[word] not in words(text))
    new = next((word for word in (*loaded, *numbers) if word not in said), "")
    return f"says {new!r}, which the message does not" if new else ""


def has_invented_link(statement: str, text: str, *, is_operators: bool) -> bool:
    """Say whether a link stands in a statement that its message lacks; nobody else's links are brought into memory."""
    linked = [word for word in statement.split() if any(sign in word for sign in LINKS)]
    dotted = (found.group() for word in statement.split() for found in _DOTTED.finditer(word))
    return (bool(linked) and not (is_operators and all(word in text for word in linked))) or any(
        address not in text for address in dotted
    )
