"""A message in small letters, sentence by sentence, as the rules look at it."""

from __future__ import annotations

from bisect import bisect_right

from clawgit.understanding.patterns.compiled_patterns import Lazy
from clawgit.understanding.patterns.normalise import BLANK, in_small
from clawgit.understanding.patterns.own_words import without_foreign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

START = 3  # letters of a word by which a rule knows that it may be there
SHORT = 24  # characters of a sentence that is read together with the next one
VERY_SHORT = 14  # and with the one before it
LONG, NEAR = 240, 120  # characters of a stretch without an end, and of each side where two are read together
_ENDS = (".", "!", "?", "。", ")", '"', "'")
# It begins with one set of characters, and not with a choice, so that a search skips all others at once.
_END = Lazy(r"""[.!?。](?:(?<=。)|[.!?]*['")\]]*(?=\s|$))""")
_OPENING = Lazy(r"[^\w*]*")


class Said:
    """The sender's own words in lower case, sentence by sentence."""

    __slots__ = ("_contexts", "_held", "_places", "_sentences", "everything", "starts")

    def __init__(self, text: str) -> None:
        lines = [" ".join(line.split()) for line in in_small(without_foreign(text)).splitlines()]
        self.everything = " ".join(line for line in lines if line)
        self.starts = {"", *(word[:START] for word in set(self.everything.translate(BLANK).split()))}
        self._places: list[int] = []
        self._contexts: dict[int, tuple[str, ...]] = {}
        self._held: dict[str, tuple[str, ...]] = {}
        self._sentences: dict[int, str] = {}
        at = 0
        for line in lines:
            self._places += [at + start for start in _sentences(line)]
            at += len(line) + 1 if line else 0

    def holding(self, words: str) -> tuple[str, ...]:
        """Return every sentence that holds the words; one that belongs together with a neighbour also with that."""
        known = self._held.get(words)
        if known is None:
            known = self._held[words] = tuple(self._looked_for(words))
        return known

    def _looked_for(self, words: str) -> Iterator[str]:
        at = self.everything.find(words)
        while at >= 0:
            number = bisect_right(self._places, at)
            for context in self._around(number - 1):
                if words in context:
                    yield context
            if number >= len(self._places):
                return
            at = self.everything.find(words, self._places[number])

    def _around(self, number: int) -> tuple[str, ...]:
        """Return one sentence, and it together with the one before and the one after it."""
        known = self._contexts.get(number)
        if known is None:
            before, here, after = (
                self._sentence(number - 1),
                self._sentence(number),
                self._sentence(number + 1),
            )
            found = (here, _together(before, here), _together(here, after))
            known = self._contexts[number] = tuple([context for context in found if context])
        return known

    def _sentence(self, number: int) -> str:
        known = self._sentences.get(number)
        if known is None:
            known = self._sentences[number] = self._read(number)
        return known

    def _read(self, number: int) -> str:
        if not 0 <= number < len(self._places):
            return ""
        start = self._places[number]
        end = self._places[number + 1] if number + 1 < len(self._places) else len(self.everything)
        return _unmarked(self.everything[start:end].strip())


def _sentences(line: str) -> list[int]:
    """Return where the sentences of a line begin; a stretch without an end is taken in pieces."""
    starts = [0, *(mark.end() for mark in _END.now.finditer(line))]
    found: list[int] = []
    for start, end in zip(starts, [*starts[1:], len(line)], strict=True):
        if start < end:
            found += range(start, end, LONG)
    return found


def _together(one: str, other: str) -> str:
    """Return two sentences as one if they may be: the first is short or has no end, or the second says but a word."""
    if not one or not other or one.endswith("?"):
        return ""
    if one.endswith(_ENDS) and len(one) > SHORT and len(other) > VERY_SHORT:
        return ""
    return f"{one[-NEAR:]} {other[:NEAR]}"


def _unmarked(sentence: str) -> str:
    """Return a sentence from its first word on; a star may say that the word sets something right."""
    if sentence[:1].isalnum():
        return sentence
    first = _OPENING.now.match(sentence)
    return sentence[first.end() :] if first else sentence
