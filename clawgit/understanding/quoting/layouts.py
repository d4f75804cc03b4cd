"""How the lines of a message are laid out: blocks between empty lines, items, labels, what is said of oneself. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from clawgit.text.markdown.dialogue_blocks import LABELS, label_of
from clawgit.understanding.forms.sentence_forms import ALWAYS, MARKS

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_READ = 240  # letters of a line: a rule is no longer

_NUMBER = r"(?:\(?\d{1,2}[.)、．](?!\d)|[①-⑳]|[一二三四五六七八九十]{1,2}、)"
ITEM = re.compile(rf"(?:[-*–][ \t]+|[•·✔✓☑▪◦□]|\[[ xX]?\]|{_NUMBER}|\(?[a-dA-D][.)])[ \t]*(?=\S)")
STOP = re.compile(r"[.!?…。！？][\"”」』)]?$")
# Who writes so speaks of himself, or to somebody.
_SINGULAR = r"(?:i|i['’](?:m|ve|d|ll)|my)\b|我(?!们|們)|(?:저는|나는|난|전|저도|나도|내가|제가|제|내)(?=\s)"
_HIS = re.compile(_SINGULAR, re.IGNORECASE)
_OWN = re.compile(
    rf"(?:{_SINGULAR}|(?:we|we['’]\w+|our|let['’]s|please|you|your)\b|我们|我們|咱|请|請|你|(?:우리|저희)(?=\s|는|가))",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Layout:
    """The lines of a message without the space around them, and the blocks that they make."""

    lines: Sequence[str]

    @cached_property
    def blocks(self) -> list[range]:
        """Return what stands between empty lines, as numbers of lines."""
        found: list[range] = []
        for at, line in enumerate(self.lines):
            if line and found and found[-1].stop == at:
                found[-1] = range(found[-1].start, at + 1)
            elif line:
                found.append(range(at, at + 1))
        return found

    def of(self, block: range) -> Sequence[str]:
        """Return the lines of a block."""
        return self.lines[block.start : block.stop]

    def found(self, form: re.Pattern[str]) -> list[int]:
        """Return the lines that begin as a form says."""
        return [at for at, line in enumerate(self.lines) if form.match(line)]


def is_his(said: str) -> bool:
    """Say whether a line begins with the first person, of one alone."""
    return _HIS.match(said.lstrip()) is not None


def is_own(said: str) -> bool:
    """Say whether a line is said of oneself or to somebody, has a label of a memory, or is a rule."""
    bare = said.lstrip()[:MOST_READ]
    return any(form.match(bare) for form in (_OWN, *MARKS.values())) or ALWAYS.search(bare) is not None


def is_labelled(line: str) -> bool:
    """Say whether a line has a label that is not known, and what follows is not said of oneself."""
    label = label_of(line)
    value = line.partition(":")[2] or line.partition("：")[2]
    return bool(label) and label not in LABELS and not is_own(label) and not is_own(value)
