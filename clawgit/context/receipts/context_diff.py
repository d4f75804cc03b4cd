"""What differs between two contexts, slot by slot."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.context.slots import SLOTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.context.slot_text import SlotText


class SlotDiff(NamedTuple):
    """What one slot lost and gained: each passage with its place."""

    name: str
    gone: tuple[tuple[str, str], ...]
    new: tuple[tuple[str, str], ...]


def diff_contexts(old: Iterable[SlotText], new: Iterable[SlotText]) -> list[SlotDiff]:
    """Return the slots that differ, by priority; what only moved is no difference."""
    before, after = ({each.slot.name: _told(each) for each in slots} for slots in (old, new))
    found = []
    for slot in SLOTS:
        was, now = before.get(slot.name, {}), after.get(slot.name, {})
        gone = tuple((place, text) for text, place in was.items() if text not in now)
        come = tuple((place, text) for text, place in now.items() if text not in was)
        if gone or come:
            found.append(SlotDiff(slot.name, gone, come))
    return found


def _told(slot: SlotText) -> dict[str, str]:
    return {each.shown: each.place for each in slot.passages}
