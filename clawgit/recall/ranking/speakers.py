"""Who says a line, where a text is a conversation, and which of them the question names. Pure."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.words.terms import index_terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.recall.ranking.term_evidence import Asked, Held


_CHEERS = """
thanks wow congrats congratulations great awesome cool nice yeah yep glad proud amazing sounds sure absolutely definitely
totally haha hey hi hello bye luck
谢谢 多谢 哈哈 恭喜 你好 您好 加油 好的 再见 太好 감사 축하 안녕 대박 좋네 고마워
danke toll super hallo gluckwunsch merci bravo bonjour felicitations gracias genial hola obrigado obrigada parabens
"""


@cache
def _cheers() -> frozenset[str]:
    return frozenset(index_terms(_CHEERS).split())


def small_talk(held: Held) -> int:
    """Return how many different words of a line only greet, thank or cheer, besides those that are asked for."""
    said = _cheers().intersection(held.terms)
    return len(said.difference(held.found)) if said else 0


class Talk(NamedTuple):
    """The sections that are conversations, and the speakers that the question names."""

    sections: frozenset[int]
    named: frozenset[str]
    names: frozenset[str]  # the words of their names that the question holds
    bits: int  # its terms that are such words

    def besides(self, held: Held) -> frozenset[str]:
        """Return the words that say who speaks, and not what about, in the section of this line."""
        return self.names if held.line.section in self.sections else frozenset()

    def says(self, held: Held) -> bool:
        """Say whether the one speaker whom the question names says this line."""
        return len(self.named) == 1 and held.speaker in self.named and held.line.section in self.sections


def find_talk(asked: Asked, lines: Sequence[Held]) -> Talk:
    """Read lines of the form `Ada: …` as a conversation where two or more take turns.

    A list of properties (`- Router: …`) has that form as well, but there nobody speaks twice.
    """
    turns: dict[int, dict[str, int]] = {}
    for held in lines:
        if held.speaker:
            who = turns.setdefault(held.line.section, {})
            who[held.speaker] = who.get(held.speaker, 0) + 1
    talks = {section: who for section, who in turns.items() if len(who) > 1 and max(who.values()) > 1}
    speakers = {speaker for who in talks.values() for speaker in who}
    named = {speaker: asked.telling_words.intersection(speaker.split()) for speaker in speakers}
    names = frozenset(word for words in named.values() for word in words)
    return Talk(frozenset(talks), frozenset(filter(named.get, named)), names, asked.mask(names))
