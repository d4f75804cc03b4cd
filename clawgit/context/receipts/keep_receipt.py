"""A receipt for a context: of every passage where it is and its hash, and the text of what no tree holds."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from clawgit.context.context_passages import Passage
from clawgit.context.slot_text import Cut, SlotText
from clawgit.context.slots import SLOTS
from clawgit.context.wanted_context import hash_of
from clawgit.errors import ClawgitError
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact
from clawgit.workspace.records.receipt_store import ReceiptNote
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.context.wanted_context import Context, FilledSlot, WantedContext
    from clawgit.history.git.repository import History

RECEIPT = "r:"
MOST_QUERY = 500  # characters
MOST_CUTS = 200  # of one slot
_FIELDS = ("kind", "path", "first", "last", "blob", "entry", "trust", "note", "since", "until")


class ReceiptError(ClawgitError):
    """There is no such receipt."""


def keep_receipt(history: History, made: Context, wanted: WantedContext, now: datetime) -> Context:
    """Keep the receipt of a context, and return the context with its id.

    Raises:
        RecordsError: It cannot be kept; the context is good all the same.
    """
    note = receipt_of(made, wanted, now)
    days = history.settings.receipt_retention_days
    before = now - timedelta(days=days) if days else None
    path = history.state / RECORDS
    with open_records(path, now, fsync=history.settings.fsync, may_get_lost=True) as records:
        records.receipts.put(note, forget_before=before)
    return made._replace(receipt=note.receipt_id)


def receipt_of(made: Context, wanted: WantedContext, now: datetime) -> ReceiptNote:
    """Return the receipt of a context."""
    facts = {
        "tree": made.tree_id,
        "commit": made.commit_id,
        "day": made.on.isoformat(),
        "counter": made.counter,
        "part": wanted.part,
        "host": wanted.host,
        "notes": list(made.notes),
    }
    stable, recall = (_part(made, is_stable=is_stable) for is_stable in (True, False))
    said = "\0".join((now.isoformat(), wanted.session, made.query, stable["hash"], recall["hash"]))
    name = RECEIPT + hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    query = redact(folded(made.query))[:MOST_QUERY]
    return ReceiptNote(name, now, folded(wanted.session), query, made.tokens, facts, stable, recall)


def find_receipt(history: History, receipt_id: str, now: datetime) -> ReceiptNote:
    """Return the receipt of that id, with `r:` or without.

    Raises:
        ReceiptError: There is none.
        RecordsError: The records cannot be read.
    """
    name = RECEIPT + receipt_id.removeprefix(RECEIPT)
    with open_records(history.state / RECORDS, now) as records:
        found = records.receipts.get(name)
    if found is None:
        raise ReceiptError(
            f"There is no receipt {name}.", hint="`clawgit receipts list` shows the latest ones."
        )
    return found


def slots_of(part: dict[str, Any]) -> list[SlotText]:
    """Return the slots of a part of a receipt; the texts that a tree holds are empty."""
    by_name = {slot.name: slot for slot in SLOTS}
    return [
        SlotText(
            by_name[each["name"]],
            tuple(
                Passage(text, **dict(zip(_FIELDS, fields, strict=True)))
                for text, _, *fields in each["passages"]
            ),
            tuple(Cut(*cut) for cut in each["cut"]),
            tuple(each["longer"]),
        )
        for each in part.get("slots", ())
        if each["name"] in by_name
    ]


def hashes_of(part: dict[str, Any]) -> list[str]:
    """Return the hash of each passage of a part of a receipt, in their order."""
    return [str(passage[1]) for each in part.get("slots", ()) for passage in each["passages"]]


def _part(made: Context, *, is_stable: bool) -> dict[str, Any]:
    text = made.stable if is_stable else made.recalled
    slots = [each for each in made.slots if each.filled.slot.is_stable is is_stable]
    return {
        "hash": hash_of(text),
        "opening": made.opening if text and not is_stable else "",
        "slots": [_slot(each) for each in slots] if text else [],
    }


def _slot(each: FilledSlot) -> dict[str, Any]:
    return {
        "name": each.name,
        "budget": each.budget,
        "wanted": each.wanted,
        "used": each.used,
        "longer": list(each.filled.longer),
        "passages": [_passage(passage) for passage in each.filled.passages],
        "cut": [list(cut) for cut in each.filled.cuts[:MOST_CUTS]],
    }


def _passage(each: Passage) -> list[Any]:
    """Return the text of a passage where no tree holds it, its hash, and where it is."""
    text = "" if each.blob else each.text
    return [text, hash_of(each.shown)[:16], *(getattr(each, name) for name in _FIELDS)]
