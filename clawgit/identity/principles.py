"""SOUL.md as principles: each paragraph, list item and quoted rule by itself, under its headings."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from clawgit.text.comparing.similarity import words
from clawgit.text.markdown.blocks import blocks
from clawgit.text.markdown.sections import without_trailing_comment

_SPOKEN = frozenset({"p", "fence", "code_block"})


class Principle(NamedTuple):
    """One thing that the text says of its agent; ``line`` counts from 1."""

    section: tuple[str, ...]
    text: str
    line: int

    @property
    def words(self) -> tuple[str, ...]:
        """Return its words, lower-cased: what a change of it is measured in."""
        return _words(self.text)


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(words(text))


def read_principles(text: bytes) -> list[Principle]:
    """Return the principles in their order; headings, front matter, comments and rules are none."""
    found = []
    for block in blocks(text):
        if block.kind in _SPOKEN:
            said = " ".join(without_trailing_comment(line) for line in block.content.strip().splitlines())
            found.append(Principle(block.section, said.strip(), block.first + 1))
    return [principle for principle in found if principle.words]
