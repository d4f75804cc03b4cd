"""One rule of triage: what it looks for in a sentence, what it means, and what speaks against it."""

from __future__ import annotations

from clawgit.understanding.patterns.compiled_patterns import Lazy
from clawgit.understanding.patterns.normalised_sentences import START

TYPE_CHECKING = False
if TYPE_CHECKING:
    from clawgit.understanding.patterns.normalised_sentences import Said

MEMORY, EXPLICIT, SOFT = "memory", "explicit", "soft"


class About:
    """What a rule is for, a message that it catches, and one that it leaves alone, though it looks like one."""

    __slots__ = ("but", "example", "why")

    def __init__(self, why: str, example: str, but: str = "") -> None:
        self.why, self.example, self.but = why, example, but


class Find:
    """Expressions for a sentence in small letters, looked for where a text holds one of the words that they need.

    ``needs`` are such words with ``|`` between them; each begins with a space or where a word begins.
    """

    __slots__ = ("looks", "needs")

    def __init__(self, needs: str, *looks: str) -> None:
        self.needs = [(_start_of(needed), needed) for needed in needs.split("|")]
        self.looks = Lazy(*looks)


class Rule:
    """A pattern with a name: what it means, what it looks for, and what speaks against a hit in the same sentence."""

    __slots__ = ("_unless", "about", "find", "name", "route")

    def __init__(self, name: str, route: str, about: About, find: Find, unless: tuple[str, ...] = ()) -> None:
        self.name, self.route, self.about = name, route, about
        self.find, self._unless = find, Lazy(*unless) if unless else None

    def is_in(self, said: Said) -> bool:
        """Say whether one of the sentences holds what is looked for, and nothing against it."""
        looked_at = set()
        for start, needed in self.find.needs:
            if start in said.starts:
                for sentence in said.holding(needed):
                    if sentence not in looked_at and self._holds(sentence):
                        return True
                    looked_at.add(sentence)
        return False

    def _holds(self, sentence: str) -> bool:
        if self.find.looks.now.search(sentence) is None:
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
