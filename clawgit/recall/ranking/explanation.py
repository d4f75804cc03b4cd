"""The parts of a score, in words a person understands. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.recall.ranking.term_evidence import Asked, Held


class Parts(NamedTuple):
    """What an order is the sum of."""

    words: float
    around: float
    section: float
    heading: float = 0.0
    phrase: float = 0.0
    speaker: float = 0.0
    date: float = 0.0
    time: float = 0.0
    asks: float = 0.0
    small_talk: float = 0.0
    file: float = 0.0


class Part(NamedTuple):
    """One part of a score, in words a person understands."""

    name: str  # a field of `Parts`
    value: float
    words: str


_SAID = {
    "around": "lines beside it hold words of the question",
    "section": "its section speaks of it",
    "heading": "a heading above it, the file's name or what is before its colon holds words of the question",
    "phrase": "words follow one another as in the question",
    "file": "other lines of its file hold words of the question",
    "asks": "it asks, rather than tells",
    "small_talk": "it greets, thanks or cheers",
    "time": "it tells a time, and the question asks for one",
}


def explained(asked: Asked, held: Held, parts: Parts, besides: int) -> tuple[Part, ...]:
    """Return the parts that count, the greatest first; terms ``besides`` (bits) count elsewhere."""
    named = ((name, value) for name, value in parts._asdict().items() if round(value, 2))
    return tuple(
        Part(name, round(value, 2), _words(asked, held, name, held.mask & ~besides))
        for name, value in sorted(named, key=lambda item: -abs(item[1]))
    )


def _words(asked: Asked, held: Held, name: str, mask: int) -> str:
    if name == "words":
        return f"it holds {', '.join(_found(asked, mask))}"
    if name == "speaker":
        return f"{held.speaker} says it"
    if name == "date":
        return f"it is of {held.line.on}"
    return _SAID[name]


def _found(asked: Asked, mask: int) -> Iterator[str]:
    shown: dict[str, float] = {}
    for at, term in enumerate(asked.question.terms):
        if mask >> at & 1:
            shown[term.shown] = shown.get(term.shown, 0.0) + asked.worth[at]
    rarest = max(asked.worth)
    for word, worth in sorted(shown.items(), key=lambda item: -item[1]):
        yield f"“{word}”" + (" (rare)" if worth > 0.8 * rarest and len(asked.worth) > 1 else "")
