"""The corrections in force, and the notes of the last days."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from clawgit.capture.sessions.session_text import one_safe_line, session_of_note
from clawgit.context.assembly import read_passages, told_apart
from clawgit.context.audience import GROUP, scope_of
from clawgit.context.context_passages import ITEM, Passage
from clawgit.context.slot_text import Cut, SlotText
from clawgit.context.slots import CORRECTIONS, RECENT
from clawgit.memory.corrections.correction_log import LEDGER
from clawgit.memory.entries.tiers import date_of
from clawgit.text.safety.control_characters import folded

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from clawgit.context.assembly import Assembly
    from clawgit.memory.corrections.correction_log import Correction

NOTES = "memory"


def corrections_slot(assembly: Assembly) -> SlotText:
    """Return the corrections of CORRECTIONS.md that are in force: not yet proven first, then the newest."""
    entry = assembly.tree.entry(LEDGER)
    blob = "" if entry is None else entry.object_id
    standing = [each for each in assembly.corrections.values() if each.path == LEDGER]
    in_force = [each for each in standing if each.holds]
    in_order = ORDERS[assembly.history.settings.correction_overflow_strategy]
    passages = [
        correction_passage(each)._replace(blob=blob, rank=(place,))
        for place, each in enumerate(in_order(_latest(in_force)))
    ]
    kept = {each.entry for each in passages}
    cuts = (
        Cut(f"x:{each.correction_id}", "corrected again since")
        for each in in_force
        if f"x:{each.correction_id}" not in kept
    )
    return SlotText(CORRECTIONS, tuple(passages), tuple(cuts))


def correction_passage(correction: Correction) -> Passage:
    """Return what a correction says is right; what was said before is never told."""
    said = f"- {correction.at[:10]}: {folded(correction.correct)}"
    return Passage(
        said,
        ITEM,
        correction.path,
        correction.first + 1,
        correction.last,
        entry=f"x:{correction.correction_id}",
    )


def by_urgency(corrections: Iterable[Correction]) -> list[Correction]:
    """Return corrections not yet proven first, then the newest."""
    newest = sorted(corrections, key=lambda each: (each.at, each.correction_id), reverse=True)
    return sorted(newest, key=lambda each: each.re_embedded)


ORDERS = {"prioritize_unverified": by_urgency}  # by `correction_overflow_strategy`


def _latest(corrections: Iterable[Correction]) -> list[Correction]:
    """Return corrections without those whose entries were all corrected again."""
    found = sorted(corrections, key=lambda each: each.at)
    last = {entry_id: each.correction_id for each in found for entry_id in each.corrects}
    return [
        each
        for each in found
        if not each.corrects or any(last[entry_id] == each.correction_id for entry_id in each.corrects)
    ]


def recent_slot(assembly: Assembly, *, group: str | None = None) -> SlotText:
    """Return the dated notes of the last `memory_retention_hours`, whole days; the latest go first into a small slot.

    For a ``group``, a session's key, only the notes of that session.
    """
    whole = SlotText(RECENT)
    for path, day in _recent_files(assembly):
        if group is not None and not is_note_of(assembly.tree.read(path) or b"", group):
            continue
        read = read_passages(assembly, path, keep_end=True)
        kept, cuts = told_apart(assembly, read, to_strangers=group is not None)
        ranked = (each._replace(rank=(-day.toordinal(), -each.first)) for each in kept)
        whole = whole._replace(
            passages=(*whole.passages, *ranked), cuts=(*whole.cuts, *cuts), notes=(*whole.notes, *read.notes)
        )
    return whole


def _recent_files(assembly: Assembly) -> list[tuple[str, date]]:
    days = -(-assembly.history.settings.memory_retention_hours // 24)
    first = assembly.on - timedelta(days=days)
    dated = ((f"{NOTES}/{name}", date_of(name)) for name in assembly.tree.names(NOTES))
    found = [(path, day) for path, day in dated if day is not None and first <= day <= assembly.on]
    return sorted(found, key=lambda each: (each[1], each[0]))


def is_note_of(data: bytes, session: str) -> bool:
    """Say whether a file is what was said in a group; a private session's key can be another talk's as well."""
    return scope_of(session) == GROUP and session_of_note(data) == one_safe_line(session)
