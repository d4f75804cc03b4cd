"""Orders for good as principles: which were given often enough, and how SOUL.md has them, in the operator's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.identity.principles import read_principles
from clawgit.text.comparing.similarity import facts_differ, likeness
from clawgit.text.markdown.lines import line_end, split_lines, without_end

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

SAME = 75  # likeness, of two wordings of one order
OFTEN_ENOUGH = 2
HEADING = "## What my operator asked of me"


class GivenOrder(NamedTuple):
    """An order as it was given once: the message, its words and what they say, the day, and if it corrected the agent."""

    evidence_id: str
    quote: str
    says: str
    on: date
    corrects: bool = False


class OrderedPrinciple(NamedTuple):
    """One order, as often as it was given, the last time last."""

    given: tuple[GivenOrder, ...]

    @property
    def quote(self) -> str:
        """Return it as it was given last."""
        return self.given[-1].quote

    @property
    def carries(self) -> bool:
        """Say whether it was given often enough to become a principle: in two messages, or once as a correction."""
        messages = {each.evidence_id for each in self.given}
        return len(messages) >= OFTEN_ENOUGH or any(each.corrects for each in self.given)

    @property
    def line(self) -> str:
        """Return the principle as SOUL.md has it."""
        days = " and ".join(sorted({each.on.isoformat() for each in self.given}))
        return f'- "{self.quote}" (asked on {days})'


def ordered_principles(given: Iterable[GivenOrder]) -> list[OrderedPrinciple]:
    """Return the orders, given in this order, each with every message that gave it."""
    groups: list[list[GivenOrder]] = []
    for each in given:
        same = next((group for group in groups if _is_same(group[-1].says, each.says)), None)
        if same is None:
            groups.append([each])
        else:
            same.append(each)
    return [OrderedPrinciple(tuple(group)) for group in groups]


def says_already(soul: bytes, order: OrderedPrinciple) -> bool:
    """Say whether the soul has the order, in these or other words."""
    return any(
        order.quote in principle.text or _is_same(principle.text, order.given[-1].says)
        for principle in read_principles(soul)
    )


def with_principles(soul: bytes, lines: Iterable[str]) -> bytes:
    """Return the soul with lines at the end of the section for them, which is made where there is none."""
    end = line_end(soul)
    before = split_lines(soul)
    texts = [without_end(line).rstrip() for line in before]
    new = [line.encode() + end for line in lines]
    if HEADING.encode() in texts:
        at = texts.index(HEADING.encode()) + 1
        while at < len(texts) and not texts[at].startswith(b"#"):
            at += 1
        while at and not texts[at - 1]:
            at -= 1
    else:
        at = len(before)
        while at and not texts[at - 1]:
            at -= 1
        new = [end, HEADING.encode() + end, end, *new]
    if at and before[at - 1] == texts[at - 1]:
        before[at - 1] += end
    return b"".join([*before[:at], *new, *before[at:]])


def _is_same(one: str, other: str) -> bool:
    return likeness(one, other) >= SAME and not facts_differ(one, other)
