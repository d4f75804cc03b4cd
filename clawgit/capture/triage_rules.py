"""One rule of triage: what it looks for in a sentence, what it means, and what speaks against it."""

from __future__ import annotations

from clawgit.capture.triage_lazy import Lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from clawgit.capture.triage_words import Said

MEMORY, EXPLICIT, SOFT = "memory", "explicit", "soft"
START = 3


class Rule:
    """Patterns for a sentence in lower case; compiled when a text holds one of the words that they need.

    ``needs`` are such words with ``|`` between them. What is needed begins with a space or where a word begins, so that a text without such a word is passed over.
    """

    __slots__ = ("_looks", "_needs", "_unless", "name", "route")

    def __init__(
        self,
        name: str,
        route: str,
        needs: str,
        looks: tuple[str, ...],
        unless: tuple[str, ...] = (),
    ) -> None:
        self.name, self.route = name, route
        self._needs = [(_start_of(needed), needed) for needed in needs.split("|")]
        self._looks, self._unless = Lazy(*looks), Lazy(*unless) if unless else None

    def is_in(self, said: Said) -> bool:
        """Say whether one of the sentences holds what is looked for, and nothing against it."""
        looked_at = set()
        for start, needed in self._needs:
            if start in said.starts:
                for sentence in said.holding(needed):
                    if sentence not in looked_at and self._holds(sentence):
                        return True
                    looked_at.add(sentence)
        return False

    def _holds(self, sentence: str) -> bool:
        if self._looks.now.search(sentence) is None:
            return False
        return self._unless is None or self._unless.now.search(sentence) is None


def _start_of(needed: str) -> str:
    """Return the first letters of a word that a text must have, and nothing where that cannot be said."""
    start = needed[:START]
    letters = start.replace("'", "x")
    if not letters.isascii() or (letters.isalpha() and len(needed) < START):
        return ""
    while not letters.isalpha() and letters:
        letters = letters[:-1]
    return start[: len(letters)]
