"""A receipt of a context, or of hits: place and hash of each passage, and the text of passages outside the trees.

From it the context is rebuilt, byte by byte, from blobs, without another search.
"""

from __future__ import annotations

import hashlib
from datetime import timedelta
from functools import partial
from itertools import combinations, starmap
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.context.slots import HIT, HITS, SLOTS, Cut, Passage, SlotText, correction_passage
from clawgit.context.wanted_context import FOR_SEARCH, Context, FilledSlot, WantedContext, hash_of
from clawgit.errors import ClawgitError
from clawgit.history.git.objects import DamagedObjectError
from clawgit.memory.corrections.correction_log import read_corrections
from clawgit.memory.entries.entries import plain_lines
from clawgit.recall.model_lines import plain_lines_of
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact
from clawgit.workspace.records.record_tables import ReceiptNote
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from clawgit.history.git.repository import History

RECEIPT, CORRECTION = "r:", "x:"
MOST_QUERY = 500  # characters
MOST_CUTS = 200  # of one slot
MOST_TURNS = 100  # the newest, searched for two of the same session, part and host
_HASH = 16  # characters of a passage's hash
_FIELDS = ("kind", "path", "first", "last", "blob", "entry", "trust", "note", "since", "until", "why", "tag")
_fields_of = attrgetter(*_FIELDS)
EVERY_SLOT = (*SLOTS, HITS)
_BY_NAME = {slot.name: slot for slot in EVERY_SLOT}


class Rebuilt(NamedTuple):
    """A context rebuilt from its receipt; ``gone`` are places with text that left the repository."""

    stable: str
    recalled: str
    slots: tuple[SlotText, ...]
    gone: tuple[str, ...]
    is_same: bool


class SlotDiff(NamedTuple):
    """Passages that one slot lost and gained: place, text, and the reason (of losses, if known)."""

    name: str
    gone: tuple[tuple[str, str, str], ...]
    new: tuple[tuple[str, str, str], ...]


def keep_receipt(history: History, made: Context, request: WantedContext, now: datetime) -> Context:
    """Save the receipt of a context at the present tip, and return the context with its id."""
    note = receipt_of(made, request, now)
    days = history.settings.receipt_retention_days
    before = now - timedelta(days=days) if days else None
    path = history.state / RECORDS
    with open_records(path, now, fsync=history.settings.fsync, may_get_lost=True) as records:
        tip = history.checked_out_tip()
        if tip is not None:
            records.note_tip(*tip, now)
        records.receipts.put(note, forget_before=before)
    return made._replace(receipt=note.receipt_id)


def receipt_of(made: Context, request: WantedContext, now: datetime) -> ReceiptNote:
    facts = {
        "tree": made.tree_id,
        "commit": made.commit_id,
        "day": made.on.isoformat(),
        "counter": made.counter,
        "part": request.part,
        "host": request.host,
        "notes": list(made.notes),
        "questions": list(made.asked),
        "given": {"stable": len(made.stable), "recall": len(made.recalled)},
    }
    stable = _part(made, is_stable=True)
    recall = _part(made, is_stable=False)
    key = "\0".join((now.isoformat(), request.session, made.query, stable["hash"], recall["hash"]))
    name = RECEIPT + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    query = redact(folded(made.query))[:MOST_QUERY]
    return ReceiptNote(name, now, folded(request.session), query, made.tokens, facts, stable, recall)


def find_receipt(history: History, receipt_id: str, now: datetime) -> ReceiptNote:
    name = RECEIPT + receipt_id.removeprefix(RECEIPT)
    with open_records(history.state / RECORDS, now) as records:
        note = records.receipts.get(name)
    if note is None:
        sentence = f"There is no receipt {name}."
        raise ClawgitError(sentence, hint="`clawgit receipts list` shows the latest ones.")
    return note


def rebuild_context(history: History, note: ReceiptNote) -> Rebuilt:
    """Return the injected text, and whether every byte of it is the same."""
    texts: list[str] = []
    slots: list[SlotText] = []
    gone: dict[str, None] = {}
    is_same = True
    for part in (note.stable, note.recall):
        rebuilt = rebuilt_slots(history, part)
        passages = [passage for each in rebuilt for passage in each.passages]
        hashes = [passage[1] for each in part.get("slots", ()) for passage in each["passages"]]
        for passage, line_hash in zip(passages, hashes, strict=True):
            if hash_of(passage.shown)[:_HASH] != line_hash:
                gone[passage.place] = None
        text = part.get("opening", "") + "".join(map(attrgetter("text"), rebuilt))
        is_same = is_same and hash_of(text) == part.get("hash")
        texts.append(text)
        slots += rebuilt
    return Rebuilt(texts[0], texts[1], tuple(slots), tuple(gone), is_same)


def rebuilt_slots(history: History, part: dict[str, Any]) -> list[SlotText]:
    slots = []
    for each in part.get("slots", ()):
        if each["name"] in _BY_NAME:
            passages = tuple(starmap(partial(_rebuilt, history), each["passages"]))
            cuts = tuple(starmap(Cut, each["cut"]))
            slots.append(SlotText(_BY_NAME[each["name"]], passages, cuts, tuple(each["longer"])))
    return slots


def last_turns(history: History, session: str, now: datetime) -> tuple[ReceiptNote, ReceiptNote]:
    """Return the receipts of the last two turns with the same session, part and host, of one session if given."""
    with open_records(history.state / RECORDS, now) as records:
        notes = records.receipts.newest(limit=MOST_TURNS, session=session)
    for newer, older in combinations(notes, 2):
        if _kind(older) == _kind(newer) and newer.facts.get("part") != FOR_SEARCH:
            return older, newer
    sentence = "There are no two turns to compare yet."
    raise ClawgitError(sentence, hint="`clawgit receipts list` shows what was injected.")


def _kind(note: ReceiptNote) -> tuple[str, str, str]:
    return note.session, note.facts.get("part", ""), note.facts.get("host", "")


def diff_contexts(old: Iterable[SlotText], new: Iterable[SlotText]) -> list[SlotDiff]:
    """Return the slots that differ, by priority; moved passages are no difference."""
    before = {each.slot: each for each in old}
    after = {each.slot: each for each in new}
    diffs = []
    for slot in EVERY_SLOT:
        was = before.get(slot, SlotText(slot))
        now = after.get(slot, SlotText(slot))
        gone = tuple((each.place, each.shown, _why_gone(each, now)) for each in _only_in(was, now))
        come = tuple((each.place, each.shown, each.why or slot.why) for each in _only_in(now, was))
        if gone or come:
            diffs.append(SlotDiff(slot.name, gone, come))
    return diffs


def _only_in(here: SlotText, there: SlotText) -> Iterable[Passage]:
    texts = set(map(attrgetter("shown"), there.passages))
    return {each.shown: each for each in here.passages if each.shown not in texts}.values()


def _why_gone(passage: Passage, now: SlotText) -> str:
    """Return why a passage left a slot; in a changed file, the reason at its place may be another line's."""
    usual = "not about this message" if now.slot.is_bounded else "no longer there"
    for each in now.passages:
        if each.path == passage.path and each.blob != passage.blob:
            return usual
    return dict(now.cuts).get(passage.place, usual)


def _part(made: Context, *, is_stable: bool) -> dict[str, Any]:
    text = made.stable if is_stable else made.recalled
    part: dict[str, Any] = {"hash": hash_of(text), "opening": "", "slots": []}
    if not text:
        return part
    if not is_stable:
        part["opening"] = made.opening
    part["slots"] = [_slot(each) for each in made.slots if each.filled.slot.is_stable is is_stable]
    return part


def _slot(each: FilledSlot) -> dict[str, Any]:
    return {
        "name": each.name,
        "budget": each.budget,
        "wanted": each.wanted,
        "used": each.used,
        "longer": list(each.filled.longer),
        "passages": [
            ["" if passage.blob else passage.text, hash_of(passage.shown)[:_HASH], *_fields_of(passage)]
            for passage in each.filled.passages
        ],
        "cut": list(map(list, each.filled.cuts[:MOST_CUTS])),
    }


def _rebuilt(history: History, text: str, _hash: str, *fields: Any) -> Passage:
    passage = Passage(text, **dict(zip(_FIELDS, fields, strict=False)))  # earlier receipts have no reasons
    if not passage.blob:
        return passage
    try:
        data = history.objects.blob(passage.blob)
    except DamagedObjectError:
        return passage._replace(text="")
    if passage.kind == HIT:
        return passage._replace(text=hit_in(data, passage.first, passage.last))
    if not passage.entry.startswith(CORRECTION):
        return passage._replace(text=plain_lines(split_lines(data)[passage.first - 1 : passage.last]))
    name = passage.entry.removeprefix(CORRECTION)
    corrections = read_corrections(data, passage.path)
    own = (correction_passage(each).text for each in corrections if each.correction_id == name)
    return passage._replace(text=next(own, ""))


def hit_in(data: bytes, first: int, last: int) -> str:
    return "\n".join(plain_lines_of(plain_lines(split_lines(data)[first - 1 : last])))
