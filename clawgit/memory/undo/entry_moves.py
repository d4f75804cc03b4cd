"""One entry taken out of a text, or given its earlier words, wherever it is."""

from __future__ import annotations

from clawgit.memory.entries.entries import read_entries
from clawgit.memory.undo.text_units import ITEM, pair_units
from clawgit.memory.undo.unit_steps import TextUnits, indented
from clawgit.text.markdown.merge_lines import Conflict, Woven


def without_entry(data: bytes, entry_id: str, path: str) -> tuple[bytes, tuple[str, ...]]:
    """Return ``data`` without the entry and what is within it, and the words of the latter."""
    text = TextUnits.of(data, path)
    inner: list[str] = []
    for at in text.places(entry_id):
        text.instead[at] = []
        for below in range(at + 1, len(text.units)):
            unit = text.units[below]
            if unit.kind != ITEM or unit.indent <= text.units[at].indent:
                break
            text.instead[below] = []
            inner.append(unit.words.decode("utf-8", "replace"))
    return text.text(), tuple(inner)


def with_earlier_words(present: bytes, entry_id: str, before: bytes, made: bytes) -> Woven:
    """Return ``present`` with what a change from ``before`` to ``made`` did to the entry in another file taken back.

    Its words of before, or no entry where that knows none; a conflict where it was reworded since.
    """
    old, new, now = (TextUnits.of(data, "") for data in (before, made, present))
    was, became, stands = (text.places(entry_id) for text in (old, new, now))
    if became and not was:  # the change gave it its id
        pairs = pair_units(old.units, new.units)
        was = [at for at, to in pairs.items() if to == became[0]]
    for at in stands:
        words = now.units[at].words
        back = old.own(was[0]) if was else []
        if became and words == new.units[became[0]].words:
            now.instead[at] = indented(back, old.units[was[0]].indent if was else 0, now.units[at].indent)
        elif not was or words != old.units[was[0]].words:
            return Woven(present, (Conflict(now.units[at].first + 1, (), tuple(now.own(at)), tuple(back)),))
    return Woven(now.text())


def words_of(data: bytes, entry_id: str) -> str | None:
    """Return what an entry says, None where the text does not have it."""
    return next((entry.text for entry in read_entries(data) if entry.entry_id == entry_id), None)
