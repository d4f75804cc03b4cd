"""SOUL.md as principles: each paragraph, list item and quoted rule by itself, under its headings; and how strongly each is worded."""

from __future__ import annotations

import re
from typing import NamedTuple

from clawgit.text.comparing.similarity import words
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.blocks import blocks
from clawgit.text.markdown.sections import without_trailing_comment
from clawgit.text.words.word_lists import words_in

_STRONG = words_in(
    "never always must mustn't only every nothing nobody ever strictly"
    " nie niemals immer muss müssen stets jamais toujours doit nunca siempre debe jamás"
)
_STRONG_INSIDE = lazy_pattern("绝不|決不|决不|从不|永远|必须|一定|禁止|절대|항상|반드시|決して|必ず|常に")
_DENYING = words_in(
    "never not no nothing nobody none avoid without mustn't cannot refuse refrain"
    " nie niemals nicht kein keine keinen ohne jamais pas sans nunca sin jamás"
)
_ANSWER = lazy_pattern(r"^\W*no[,.!] ", re.IGNORECASE)  # it answers what was said before
_DENYING_INSIDE = lazy_pattern("[不没沒别別勿莫禁]|避免|안 |않|말고|마세요|말 것|금지|없|ない|ません")
_SPOKEN = frozenset({"p", "fence", "code_block"})


class Force(NamedTuple):
    """The number of words that leave no exception, and of those that turn a statement round."""

    strong: int
    denials: int


def force_of(text: str) -> Force:
    """Return how strictly a principle speaks."""
    text = _ANSWER.sub("", text)
    said = words(text)
    strong = sum(word in _STRONG for word in said) + len(_STRONG_INSIDE.findall(text))
    denials = sum(word in _DENYING or word.endswith("n't") for word in said)
    return Force(strong, denials + len(_DENYING_INSIDE.findall(text)))


class Principle(NamedTuple):
    """One thing that the text says of its agent; ``line`` counts from 1."""

    section: tuple[str, ...]
    text: str
    line: int

    @property
    def words(self) -> tuple[str, ...]:
        """Return its words, lower-cased: what a change of it is measured in."""
        return tuple(words(self.text))


def read_principles(text: bytes) -> list[Principle]:
    """Return the principles in their order; headings, front matter, comments and rules are none."""
    found = []
    for block in blocks(text):
        if block.kind in _SPOKEN:
            said = " ".join(without_trailing_comment(line) for line in block.content.strip().splitlines())
            found.append(Principle(block.section, said.strip(), block.first + 1))
    return [principle for principle in found if principle.words]
