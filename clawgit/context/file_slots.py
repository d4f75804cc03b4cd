"""The slots that are files: who the agent is, whom it serves, and what it must not forget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.context.assembly import read_passages, told_apart
from clawgit.context.context_passages import HEADING
from clawgit.context.slot_text import Cut, SlotText, fit
from clawgit.context.slots import IDENTITY, LONGTERM, OPERATOR
from clawgit.history.provenance.entries_at_tip import states_of_text
from clawgit.memory.entries.statements import parted, without_comments
from clawgit.memory.entries.tiers import MEMORY_FILES, WAYS
from clawgit.memory.expiry import is_over
from clawgit.text.words.terms import index_terms
from clawgit.text.words.token_pieces import count_pieces

if TYPE_CHECKING:
    from collections.abc import Collection

    from clawgit.context.assembly import Assembly, ReadFile
    from clawgit.memory.entry_states import EntryState

SOUL, IDENTITY_FILE, USER = "SOUL.md", "IDENTITY.md", "USER.md"
_UNKNOWN_CONFIDENCE = 50


def identity_slot(assembly: Assembly, left_out: Collection[str]) -> SlotText:
    """Return SOUL.md (no more than `soul_max_tokens` of it), IDENTITY.md and AGENTS.md; the last is cut first."""
    whole = SlotText(IDENTITY)
    for rank, path in enumerate((SOUL, IDENTITY_FILE, WAYS)):
        if path not in left_out:
            found = _file_slot(assembly, whole, path, rank)
            whole = found._replace(
                passages=(*whole.passages, *found.passages),
                cuts=(*whole.cuts, *found.cuts),
                longer=(*whole.longer, *found.longer),
                notes=(*whole.notes, *found.notes),
            )
    return whole


def operator_slot(assembly: Assembly, left_out: Collection[str]) -> SlotText:
    """Return USER.md."""
    return SlotText(OPERATOR) if USER in left_out else _file_slot(assembly, SlotText(OPERATOR), USER, 0)


def _file_slot(assembly: Assembly, slot: SlotText, path: str, rank: int) -> SlotText:
    read = read_passages(assembly, path)
    passages = tuple(each._replace(rank=(rank,)) for each in read.passages)
    longer = (path,) if read.part.is_cut else ()
    found = SlotText(slot.slot, passages, longer=longer, notes=read.notes)
    if path != SOUL:
        return found
    bare = found._replace(slot=slot.slot._replace(names_files=False), longer=())
    fitting = fit(bare, count_pieces, assembly.history.settings.soul_max_tokens)
    cuts = tuple(Cut(each.place, "over soul_max_tokens") for each in fitting.cuts)
    more = longer or ((path,) if cuts else ())
    return found._replace(passages=fitting.passages, cuts=cuts, longer=more)


def longterm_slot(assembly: Assembly, told: Collection[str]) -> SlotText:
    """Return MEMORY.md, the surest entries first into a slot that is too small.

    Left out is what does not hold, what ran out, and what ``told`` (corrections of the slot above) says already.
    """
    for path in MEMORY_FILES:
        read = read_passages(assembly, path, keep_end=True)
        if read.passages:
            return _longterm(assembly, path, read, {index_terms(each) for each in told})
    return SlotText(LONGTERM)


def _longterm(assembly: Assembly, path: str, read: ReadFile, told: Collection[str]) -> SlotText:
    states = states_of_text(assembly.history, path, read.part.data, assembly.on)
    by_line = {state.entry.first + 1 + read.part.offset: state for state in states}
    kept, cuts = told_apart(assembly, read)
    passages, gone = [], list(cuts)
    for each in kept:
        state = by_line.get(each.first)
        why = "" if each.kind == HEADING else _why_not(assembly, state, told)
        if why:
            gone.append(Cut(each.place, why))
        else:
            passages.append(each._replace(rank=_rank(state)))
    longer = (path,) if read.part.is_cut else ()
    return SlotText(LONGTERM, tuple(passages), tuple(gone), longer, read.notes)


def _why_not(assembly: Assembly, state: EntryState | None, told: Collection[str]) -> str:
    if state is None:
        return ""
    if is_over(state, assembly.on):
        return f"ran out on {state.expires}"
    said = index_terms(parted(without_comments(state.entry.text)).statement)
    return "said above, as a correction" if said in told else ""


def _rank(state: EntryState | None) -> tuple[float, ...]:
    """Return the surest first, then what was heard of last."""
    if state is None:
        return (-_UNKNOWN_CONFIDENCE, 0)
    last = max(state.words_since, state.last_mention or state.since)
    return (-state.confidence, -last.toordinal())
