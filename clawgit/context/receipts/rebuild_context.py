"""A context from its receipt, byte by byte: from the blobs that its lines are in. Nothing is searched for again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.context.context_passages import plain_lines
from clawgit.context.note_slots import correction_passage
from clawgit.context.receipts.keep_receipt import hashes_of, slots_of
from clawgit.context.wanted_context import hash_of
from clawgit.history.git.objects import DamagedObjectError
from clawgit.memory.corrections.correction_log import read_corrections
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    from clawgit.context.context_passages import Passage
    from clawgit.context.slot_text import SlotText
    from clawgit.history.git.repository import History
    from clawgit.workspace.records.receipt_store import ReceiptNote

CORRECTION = "x:"


class Rebuilt(NamedTuple):
    """A context as its receipt gives it; ``gone`` are the places whose text is not in the repository any more."""

    stable: str
    recalled: str
    slots: tuple[SlotText, ...]
    gone: tuple[str, ...]
    is_same: bool


def rebuild_context(history: History, note: ReceiptNote) -> Rebuilt:
    """Return what was injected, and whether every byte of it is the same."""
    texts, slots, gone, same = [], [], [], True
    for part in (note.stable, note.recall):
        rebuilt = rebuilt_slots(history, part)
        passages = [passage for each in rebuilt for passage in each.passages]
        for passage, known in zip(passages, hashes_of(part), strict=True):
            if hash_of(passage.shown)[:16] != known:
                gone.append(passage.place)
        text = part.get("opening", "") + "".join(each.text for each in rebuilt)
        same = same and hash_of(text) == part.get("hash")
        texts.append(text)
        slots += rebuilt
    return Rebuilt(texts[0], texts[1], tuple(slots), tuple(dict.fromkeys(gone)), same)


def rebuilt_slots(history: History, part: dict[str, Any]) -> list[SlotText]:
    """Return the slots of a part of a receipt with their texts, as far as these are there."""
    return [_rebuilt(history, each) for each in slots_of(part)]


def _rebuilt(history: History, slot: SlotText) -> SlotText:
    return slot._replace(
        passages=tuple(
            each._replace(text=_text(history, each)) if each.blob else each for each in slot.passages
        )
    )


def _text(history: History, passage: Passage) -> str:
    """Return the text of a passage as its blob has it, empty where that is gone."""
    try:
        data = history.objects.blob(passage.blob)
    except DamagedObjectError:
        return ""
    if passage.entry.startswith(CORRECTION):
        found = read_corrections(data, passage.path)
        name = passage.entry.removeprefix(CORRECTION)
        return next((correction_passage(each).text for each in found if each.correction_id == name), "")
    return plain_lines(split_lines(data)[passage.first - 1 : passage.last])
