"""One principle put in, reworded or taken out of the soul, every other line as it is; and which one the operator ordered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from clawgit.identity.principles import force_of, read_principles
from clawgit.text.comparing.similarity import facts_differ, likeness, words
from clawgit.text.markdown.blocks import blocks
from clawgit.text.markdown.lines import line_end, split_lines, without_end

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from clawgit.identity.principles import Principle

ORDERS, LEARNED, SKILLS = (
    "## What my operator asked of me",
    "## What I have learned",
    "## What I can do",
)
_PREFIX = re.compile(rb"\s*(?:[-*+]\s+|\d+[.)]\s+|>\s*)?")
SAME = 75  # likeness, of two wordings of one order
OFTEN_ENOUGH = 2
OPPOSITE = 60  # likeness, of two orders of which one says the opposite of the other


class PrincipleEdit(NamedTuple):
    """What a principle says now (empty: a new one, below ``heading``) and what it should say (empty: it goes)."""

    old: str
    new: str
    heading: str = ORDERS


def with_edits(soul: bytes, edits: Iterable[PrincipleEdit]) -> bytes | None:
    """Return the soul with all edits, None where a principle that one of them is about is not there just once."""
    for edit in edits:
        after = _replaced(soul, edit) if edit.old else with_principles(soul, [edit.new], edit.heading)
        if after is None:
            return None
        soul = after
    return soul


def with_principles(soul: bytes, texts: Iterable[str], heading: str = ORDERS) -> bytes:
    """Return the soul with list items at the end of the section for them, which is made where there is none."""
    end = line_end(soul)
    before = split_lines(soul)
    lines = [without_end(line).rstrip() for line in before]
    new = [b"- " + text.encode() + end for text in texts]
    if heading.encode() in lines:
        at = lines.index(heading.encode()) + 1
        while at < len(lines) and not lines[at].startswith(b"#"):
            at += 1
        while at and not lines[at - 1]:
            at -= 1
    else:
        at = len(before)
        while at and not lines[at - 1]:
            at -= 1
        new = [*([end] if at else []), heading.encode() + end, end, *new]
    if at and before[at - 1] == lines[at - 1]:
        before[at - 1] += end
    return b"".join([*before[:at], *new, *before[at:]])


def _replaced(soul: bytes, edit: PrincipleEdit) -> bytes | None:
    wanted = tuple(words(edit.old))
    found = [each for each in read_principles(soul) if each.words == wanted]
    if len(found) != 1:
        return None
    first = found[0].line - 1
    last = max(block.last for block in blocks(soul) if block.first == first and block.kind != "bullet_list")
    lines = split_lines(soul)
    last = _end_of(lines, first, last)
    match = _PREFIX.match(lines[first])
    prefix = match.group() if match else b""
    new = [prefix + edit.new.encode() + line_end(soul)] if edit.new else []
    return b"".join([*lines[:first], *new, *lines[last:]])


def _end_of(lines: list[bytes], first: int, last: int) -> int:
    """Return where the principle's own lines end: at the next blank line or item."""
    at = first + 1
    while at < last and lines[at].strip() and not _PREFIX.match(lines[at]).group().strip():  # type: ignore[union-attr]
        at += 1
    return at


class GivenOrder(NamedTuple):
    """An order as it was given once: the message, its words and what they say, the day, and if it corrected the agent."""

    evidence_id: str
    quote: str
    says: str
    on: date
    corrects: bool = False
    is_plain: bool = True


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
        return len(messages) >= OFTEN_ENOUGH or (self.is_plain and self.corrects)

    @property
    def corrects(self) -> bool:
        """Say whether the operator corrected the agent by it."""
        return any(each.corrects for each in self.given)

    @property
    def is_plain(self) -> bool:
        """Say whether it is an order for sure; else the operator is asked."""
        return any(each.is_plain for each in self.given)

    @property
    def text(self) -> str:
        """Return the principle as SOUL.md has it."""
        days = " and ".join(sorted({each.on.isoformat() for each in self.given}))
        return f'"{self.quote}" (asked on {days})'


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
        order.quote in principle.text or _is_same(_spoken(principle.text), order.given[-1].says)
        for principle in read_principles(soul)
    )


def turned_round(soul: bytes, order: OrderedPrinciple) -> Principle | None:
    """Return the principle that an order says the opposite of, None where there is none."""
    says = order.given[-1].says
    alike = [
        (likeness(spoken, says), each)
        for each in read_principles(soul)
        if (spoken := _spoken(each.text)) and (force_of(spoken).denials - force_of(says).denials) % 2
    ]
    most, found = max(alike, key=lambda each: each[0], default=(0, None))
    return found if most >= OPPOSITE else None


def _spoken(text: str) -> str:
    return text[1:].partition('" (asked on ')[0] if text.startswith('"') else text


def _is_same(one: str, other: str) -> bool:
    return likeness(one, other) >= SAME and not facts_differ(one, other)
