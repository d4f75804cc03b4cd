"""How entries and what corrects them look to other programs and to people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datetime import date

    from clawgit.memory.corrections.corrected_entries import KnownCorrection
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.memory.entry_states import EntryState


def entry_data(state: EntryState) -> dict[str, Any]:
    """Return an entry as other programs read it."""
    entry = state.entry
    return {
        "id": f"m:{entry.entry_id}" if entry.entry_id else None,
        "entry": entry.entry_id,
        "text": entry.text,
        "tag": entry.tag.value if entry.tag else None,
        "path": state.path,
        "line": entry.first + 1,
        "tier": state.tier.value,
        "source": state.source,
        "trust": state.trust,
        "confidence": state.confidence / 100,
        "since": state.since.isoformat(),
        "words_since": state.words_since.isoformat(),
        "last_mention": _day(state.last_mention),
        "mentions": state.mentions,
        "class": state.entry_class,
        "expires": _day(state.expires),
        "commit": state.commit_id,
        "evidence": list(state.evidence),
        "corrections": [known_data(known) for known in state.corrections],
    }


def correction_data(correction: Correction) -> dict[str, Any]:
    """Return a correction as other programs read it."""
    return {
        "id": f"x:{correction.correction_id}",
        "at": correction.at,
        "trigger": correction.trigger,
        "trigger_confidence": correction.trigger_confidence,
        "said": correction.said,
        "correct": correction.correct,
        "corrects": [f"m:{entry_id}" for entry_id in correction.corrects],
        "may_correct": [f"m:{entry_id}" for entry_id in correction.may_correct],
        "proposed": correction.proposed,
        "status": correction.status.value,
        "re_embedded": correction.re_embedded,
        "place": f"{correction.path}:{correction.first + 1}",
    }


def known_data(known: KnownCorrection) -> dict[str, Any]:
    """Return a correction with what history knows of it; ``holds`` says whether it counts."""
    return correction_data(known.correction) | {
        "holds": known.counts,
        "actor": known.actor,
        "commit": known.commit_id,
        "evidence": list(known.evidence),
    }


def entry_line(state: EntryState) -> str:
    """Return an entry on one line, with what corrects it behind its text."""
    from clawgit.memory.entries.statements import without_comments

    mark = f"m:{state.entry.entry_id}" if state.entry.entry_id else "-"
    holding = ", ".join(f"x:{known.correction.correction_id}" for known in state.corrections if known.counts)
    corrected = f"  [corrected: {holding}]" if holding else ""
    place, said = f"{state.path}:{state.entry.first + 1}", without_comments(state.entry.text)
    return f"{mark:<9} {state.confidence:>3}%  {state.trust:<8} {state.since}  {place}  {said}{corrected}"


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
