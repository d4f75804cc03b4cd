"""How entries and what corrects them look to other programs and to people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clawgit.cli.app import picked
from clawgit.cli.change_output import change_data, commit_lines

if TYPE_CHECKING:
    from clawgit.agents.door.message_door import Passed
    from clawgit.memory.corrections.corrected_entries import KnownCorrection
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.memory.entry_states import EntryState
    from clawgit.operations.corrections import Corrected
    from clawgit.operations.memory import Added, ReadLines


def entry_data(state: EntryState) -> dict[str, Any]:
    """Return an entry as other programs read it."""
    entry = state.entry
    return {
        "id": f"m:{entry.entry_id}" if entry.entry_id else None,
        **picked(entry, "entry=entry_id text tag"),
        "path": state.path,
        "line": entry.first + 1,
        **picked(state, "tier source trust"),
        "confidence": state.confidence / 100,
        **picked(state, "since words_since last_mention mentions class=entry_class expires"),
        **picked(state, "commit=commit_id evidence"),
        "corrections": [known_data(known) for known in state.corrections],
    }


def correction_data(correction: Correction) -> dict[str, Any]:
    """Return a correction as other programs read it."""
    return {
        "id": f"x:{correction.correction_id}",
        **picked(correction, "at trigger trigger_confidence said correct"),
        "corrects": [f"m:{entry_id}" for entry_id in correction.corrects],
        "may_correct": [f"m:{entry_id}" for entry_id in correction.may_correct],
        **picked(correction, "proposed status re_embedded"),
        "place": f"{correction.path}:{correction.first + 1}",
    }


def known_data(known: KnownCorrection) -> dict[str, Any]:
    """Return a correction with what history knows of it; ``holds`` says whether it counts."""
    return correction_data(known.correction) | picked(known, "holds=counts actor commit=commit_id evidence")


def passed_data(passed: Passed) -> dict[str, Any]:
    """Return what became of a change that rests on a message, as other programs read it."""
    data: dict[str, Any] = change_data(passed.recorded) | {"outcome": passed.outcome}
    data |= correction_data(passed.correction) if passed.correction else {}
    if passed.added is not None:
        data |= {"path": passed.added.path, "entry": passed.added.entry_id}
    if passed.objection is not None:
        data["why"] = passed.objection.says
    return data


def added_data(answer: Added | Passed) -> dict[str, Any]:
    """Return what became of a statement, as other programs read it."""
    from clawgit.operations.memory import Added

    if not isinstance(answer, Added):
        return passed_data(answer)
    done = answer.done
    about = {"path": done.path, "entry": done.entry_id, "kind": answer.kind, "why": answer.why}
    return change_data(done.recorded) | about


def added_lines(answer: Added | Passed) -> list[str]:
    """Return the commit of a statement."""
    from clawgit.operations.memory import Added

    recorded = answer.done.recorded if isinstance(answer, Added) else answer.recorded
    return commit_lines(recorded)


def corrected_data(answer: Corrected | Passed) -> dict[str, Any]:
    """Return what became of a correction, as other programs read it."""
    from clawgit.operations.corrections import Corrected

    if not isinstance(answer, Corrected):
        return passed_data(answer)
    correction = answer.correction
    return change_data(answer.recorded) | (correction_data(correction) if correction else {})


def corrected_lines(answer: Corrected | Passed) -> list[str]:
    """Return the commit of a correction."""
    return commit_lines(answer.recorded)


def lines_data(read: ReadLines) -> dict[str, Any]:
    """Return lines that were read as other programs read them."""
    data = picked(read.got, "path from=first lines text")
    if read.message is None:
        return data
    from clawgit.cli.memory.search_output import saying_data

    return data | {"source": "chat", "message": saying_data(read.message)}


def lines_read(read: ReadLines) -> list[str]:
    """Return lines that were read, as one text."""
    return [read.got.text.removesuffix("\n")] if read.got.lines else []


def entry_line(state: EntryState) -> str:
    """Return an entry on one line, with what corrects it behind its text."""
    from clawgit.memory.entries.statements import without_comments

    mark = f"m:{state.entry.entry_id}" if state.entry.entry_id else "-"
    holding = ", ".join(f"x:{known.correction.correction_id}" for known in state.corrections if known.counts)
    corrected = f"  [corrected: {holding}]" if holding else ""
    place, said = f"{state.path}:{state.entry.first + 1}", without_comments(state.entry.text)
    return f"{mark:<9} {state.confidence:>3}%  {state.trust:<8} {state.since}  {place}  {said}{corrected}"
