"""A question that a person can answer in a moment: whether an entry shall say a proposed line, because of his words. Pure."""

from __future__ import annotations

from collections import Counter
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from clawgit.text.comparing.similarity import facts_differ, words
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import ValueKind, values_in
from clawgit.text.comparing.word_diff import tokens
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.text.comparing.value_kinds import Value

LONGEST: Final = 240  # characters of a line that a person is asked about
SHORT: Final = 4  # words at the end of a line that are shown without it
LEAST_KEPT: Final = 3  # one in so many of the entry's telling words
_NO_STATEMENT = lazy_pattern(r"[?？:：,，;；…]$|^\W*$|\n")
_TEXTS = (ValueKind.NAME, ValueKind.LINK, ValueKind.MAIL, ValueKind.CODE)  # the others hold numbers


def is_askable(old: str, new: str, his_words: str) -> bool:
    """Say whether a person can answer: ``new`` is whole, differs, keeps each value or another of its kind, and what it brings is his."""
    if max(len(old), len(new)) > LONGEST or _NO_STATEMENT.search(folded(new)):
        return False
    going = _missing(old, new)
    is_equal = words(old) == words(new) and not facts_differ(old, new)
    is_fragment = 2 * len(words(new)) < len(words(old))
    if is_equal or is_fragment or _kinds(going) - _kinds(_missing(new, old)):
        return False
    about = subject(old).difference(*(subject(value.text) for value in going))
    return LEAST_KEPT * len(about & subject(new)) >= len(about) and _is_his(old, new, his_words)


def _is_his(old: str, new: str, his_words: str) -> bool:
    """Say whether each value that comes is in his words, and so is something telling: of what comes, else of the line."""
    his = subject(his_words) | frozenset(words(his_words))
    known = his | subject(old) | frozenset(words(old))
    if not all(known.issuperset(words(value.text)) for value in _missing(new, old)):
        return False
    fresh = subject(new) - subject(old)
    if fresh:
        return bool(fresh & his)
    return 2 * len(subject(new) & his) >= len(subject(new))


def _missing(here: str, there: str) -> list[Value]:
    others = Counter(value.text.casefold() for value in values_in(there))
    missing = []
    for value in values_in(here):
        if others[value.text.casefold()]:
            others[value.text.casefold()] -= 1
        else:
            missing.append(value)
    return missing


def _kinds(values: Iterable[Value]) -> Counter[ValueKind | None]:
    """Count values by kind; None is any kind of number."""
    kinds: Counter[ValueKind | None] = Counter()
    for value in values:
        is_text = value.kind in _TEXTS
        kinds[value.kind if is_text else None] += 1
    return kinds


def change_in_short(old: str, new: str) -> str:
    """Return what changes, such as `Board meetings: Zurich → Basel`; where that is more than one value, both lines whole."""
    before = _bare(old)
    after = _bare(new)
    if not before:
        return f"New: {after}"
    exchange = _exchange(before, after)
    if exchange is not None:
        first, going, coming, last = exchange
        about = _subject_in(first) or _subject_in(last)
        if about:
            return f"{about}: {going} → {coming}"
    return f"{before} → {after}"


def _exchange(before: str, after: str) -> tuple[str, str, str, str] | None:
    gone = _missing(before, after)
    came = _missing(after, before)
    if len(gone) == len(came) == 1:
        first, last = before[: gone[0].start], before[gone[0].end :]
        if f"{first}{came[0].text}{last}" == after:
            return first, gone[0].text, came[0].text, last
    if gone or came:
        return None
    same = takewhile(lambda pair: pair[0] == pair[1], zip(tokens(before), tokens(after), strict=False))
    head = "".join(token for token, _ in same)
    going = before[len(head) :].strip()
    coming = after[len(head) :].strip()
    if 0 < len(words(going)) <= SHORT and 0 < len(words(coming)) <= SHORT:
        return head, going, coming, ""
    return None


def _subject_in(text: str) -> str:
    """Return a piece of a line without the light words at its end, empty where it has no others."""
    parts = text.split()
    while parts and not subject(parts[-1]):
        parts.pop()
    return " ".join(parts)


def _bare(text: str) -> str:
    return redact(folded(text)).rstrip(" .。!！")
