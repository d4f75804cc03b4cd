"""`1 yes 2 no`: answers to numbered questions, and clawgit's own lines in an agent's turn. Pure and light: it reads each message."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.control_characters import folded

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST: Final = 120  # characters of an answer
YES: Final = frozenset(("yes", "ja", "是", "是的", "sí", "si", "네", "oui", "sim", "sì"))
NO: Final = frozenset(("no", "nein", "不", "不是", "아니", "아니요", "non", "não"))
_WORDS: Final = "|".join(sorted(YES | NO, key=len, reverse=True))
_PAIR: Final = rf"(\d{{1,2}})[\W_]*({_WORDS})(?![^\W\d_])"
_ONE = lazy_pattern(_PAIR)
_ALL = lazy_pattern(rf"[\W_]*(?:{_PAIR}[\W_]*)+")
_BARE = lazy_pattern(rf"[\W_]*(?:{_PAIR}|({_WORDS})(?![^\W\d_]))")
# Text after clawgit's own line.
_HOW = lazy_pattern(r"\s*[(]answer \W?\d{1,2} yes\W? or \W?\d{1,2} no\W?[)]$")
_ITEM = lazy_pattern(r"[\s>*_`•\-]*(\d{1,2})[.)*_`]*\s+(.*?)[\s*_`]*")
_OTHER_NUMBER = lazy_pattern(r"\W*\d{1,3}(?:[.):、．]|\s(?!.*[:：]\s*$))")
_OTHER_QUESTION = lazy_pattern(r"[?？؟]|^\W*[a-hA-H][.)]\s|(?i:\b(?:(?:shall|should) i|soll ich)\b)")
# Explains a yes: `yes keeps it as it is`; `ja`, 是 and `si` are in too many sentences.
_OTHER_YES = lazy_pattern(r"(?i)\b(?:yes|sí|oui)\b|\bja\b\W*(?:/|oder\b)|\bmit ja\b")


def answers_in(text: str) -> dict[int, bool]:
    """Return the answers of a message by number; empty unless the whole message is answers, one to each number."""
    if not 0 < len(text) <= LONGEST:
        return {}
    plain = unicodedata.normalize("NFKC", text).casefold()
    if _ALL.fullmatch(plain) is None:
        return {}
    pairs = [(int(number), word in YES) for number, word in _ONE.findall(plain)]
    answers = dict(pairs)
    if len(answers) < len(pairs):
        return {}
    return answers


def how_to_answer(number: int) -> str:
    """Return the instruction at the end of a question."""
    return f'(answer "{number} yes" or "{number} no")'


def begins_as_answer(text: str) -> bool:
    """Say whether a message begins with a yes or a no without a number: it may mean a question."""
    return _BARE.match(unicodedata.normalize("NFKC", text[:LONGEST]).casefold()) is not None


def lines_in(turn: str, lines: Iterable[str]) -> tuple[frozenset[str], bool]:
    """Return which of clawgit's lines are in an agent's turn word for word, and whether it has other questions or numbers."""
    ours = frozenset(lines)
    shown = []
    asks_more = False
    for each in turn.splitlines():
        item = _ITEM.fullmatch(_HOW.sub("", folded(each).rstrip(" *_`")))
        if item is not None and f"{item[1]} {item[2]}" in ours:
            shown.append(f"{item[1]} {item[2]}")
            continue
        unnumbered = _ONE.sub(" ", unicodedata.normalize("NFKC", each).casefold())  # without `1 yes 2 no`
        if _OTHER_NUMBER.match(each) or _OTHER_QUESTION.search(each) or _OTHER_YES.search(unnumbered):
            asks_more = True
    return frozenset(shown), asks_more
