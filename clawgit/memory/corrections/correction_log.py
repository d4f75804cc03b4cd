"""CORRECTIONS.md and its archive: what the operator corrected, read from and written into Markdown."""

from __future__ import annotations

import re
from datetime import date
from enum import Enum
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.entries import Entry, is_earlier_wording, read_entries
from clawgit.memory.entries.tiers import CORRECTIONS, CORRECTIONS_BEFORE, day_in
from clawgit.text.comparing.similarity import common_runs
from clawgit.text.lazy_pattern import lazy_bytes_pattern, lazy_pattern
from clawgit.text.markdown.block_structure import (
    HEADINGS,
    blocks,
    blocks_of_lines,
    ends_open,
    front_matter_lines,
    list_items,
    rejoined,
    trim_blank,
)
from clawgit.text.markdown.lines import joined, line_end, split_lines, without_end, without_numbers
from clawgit.text.safety.control_characters import folded

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping


LEDGER, ARCHIVE = CORRECTIONS, CORRECTIONS_BEFORE
MAY_LINK = b"- status: linked"  # in a ledger; without it there are no links
BY_HAND = "by hand"  # the trigger of corrections made with a command
FEWEST_BYTES = 12  # of a statement that others are compared with
_HEADING = lazy_pattern(
    r"(?P<at>.*?)\s*<!--\s*x:(?P<id>[0-9a-z]+)(?:\s+re-embedded:(?P<done>true|false))?\s*-->\s*"
)
_ENTRY_ID = lazy_pattern(r"m:([0-9a-z]+)")
_MESSAGE_ID = lazy_pattern(r"chat:[0-9a-z]+")
_BEGINS = b"<!-- was"
_MONTH = lazy_pattern(r"\d{4}-(?:0[1-9]|1[0-2])")
_NO_MONTH = "undated"
_SAID_ONCE = ("trigger", "said", "before", "correct")
_ALWAYS = ("trigger", "trigger confidence", "correct", "corrects", "status")  # fields written even if empty
_STATUS = lazy_bytes_pattern(rb"[ \t]*[-*+][ \t]+status[ \t]*:", re.IGNORECASE)


def with_correction(data: bytes, old: bytes, was: Correction) -> bytes:
    """Return ``data`` with ``was`` as in ``old``, in its place or at the end; ``old`` unchanged where neither would be readable."""
    lines = split_lines(old)
    block = _ended(b"".join(lines[was.first : trim_blank(lines, was.first, was.last)]))
    text = _in_its_place(data, was.correction_id, block)
    if text is not None:
        return text
    text = _at_end(data, block)
    return text if was.correction_id in _ids(text) else old


def _in_its_place(data: bytes, correction_id: str, block: bytes) -> bytes | None:
    """Return ``data`` with a correction's lines replaced, None without that correction; blank lines below it stay."""
    lines = split_lines(data)
    for each in read_corrections(data):
        if each.correction_id == correction_id:
            last = trim_blank(lines, each.first, each.last)
            return b"".join([*lines[: each.first], block, *lines[last:]])
    return None


def _at_end(data: bytes, block: bytes) -> bytes:
    has_gap = not data.strip() or not split_lines(data)[-1].strip()
    return _ended(data) + (b"" if has_gap else line_end(data)) + block


def with_entry(data: bytes, old: bytes, entry: Entry) -> bytes:
    """Return ``data`` with the entry's lines of ``old`` in the place of its present ones, else between their former neighbours, as a block of its own; at the top where open code would swallow it."""
    lines = split_lines(data)
    before = split_lines(old)
    own = before[entry.first : entry.last]
    for present in read_entries(data):
        if present.entry_id == entry.entry_id:
            return rejoined([*lines[: present.first], *own, *lines[present.last :]], data, old)
    at = 0
    for run in common_runs(list(map(_ended, lines)), before):
        if run.new < entry.first:
            at = run.old + min(run.length, entry.first - run.new)
    for note in filter(is_earlier_wording, own):  # that the edit left without its line
        if note in lines[at:] and lines.count(note) >= before.count(note):
            del lines[lines.index(note, at)]
    for block in blocks_of_lines(b"".join(lines)):
        if block.first < at < block.last:
            at = block.last
    while at < len(lines) and lines[at].strip() and lines[at][:1].isspace():
        at += 1  # an item's nested lines stay below it
    if ends_open(b"".join(lines[:at])):
        at = front_matter_lines(data)
    return rejoined([*lines[:at], *own, *lines[at:]], data, old)


def _ended(data: bytes) -> bytes:
    return data + line_end(data) if data and without_end(data) == data else data


class Status(Enum):
    """The state of a correction."""

    LOGGED = "logged"  # said, but nothing in memory was wrong
    OPEN = "open"  # something is wrong, and what is right was not said
    APPLIED = "applied"  # the corrected entries have the right text
    UNDERSTOOD = "understood"  # a reading of the operator's words is in place: in force until a yes or no
    LINKED = "linked"  # the operator's words are shown beside an entry, and change nothing
    WITHDRAWN = "withdrawn"  # taken back by the operator; archived, and no longer in force


class Correction(NamedTuple):
    """One correction, and its lines (0-based, end exclusive, with blank lines below)."""

    correction_id: str
    at: str  # as written
    trigger: str = ""
    trigger_confidence: str = ""
    said: str = ""
    correct: str = ""
    corrects: tuple[str, ...] = ()  # ids without `m:`
    status: Status = Status.LOGGED
    re_embedded: bool = False
    path: str = LEDGER
    first: int = 0
    last: int = 0
    may_correct: tuple[str, ...] = ()  # of an open one: the likely entry
    proposed: str = ""  # its possible new text, said by no one yet
    evidence: tuple[str, ...] = ()  # the messages that it rests on (`chat:…`)
    beside: str = ""  # of a link: the file beside memory that has the line
    turn: str = ""  # the agent's turn before; without it, the field *said* has the old text

    @property
    def holds(self) -> bool:
        return self.status is not Status.WITHDRAWN and bool(self.correct)

    @property
    def said_fields(self) -> dict[str, str]:
        """Return the fields for the agent's turn and the entry's old text, a single one without a turn."""
        if not self.turn:
            return {"said": self.said}
        return {"said": self.turn, "before": self.said}

    @property
    def wrong(self) -> str:
        """Return the wrong text; empty if short enough to occur in other statements (`Ok.`)."""
        return self.said if self.holds and len(self.said.encode("utf-8", "replace")) >= FEWEST_BYTES else ""


def read_corrections(data: bytes, path: str = LEDGER) -> list[Correction]:
    """Return the corrections in order of their lines; of a duplicate id, the first."""
    return list(_read(data, path)[0]) if b"x:" in data else []


def mixed_up(data: bytes) -> tuple[int, ...]:
    """Return the lines (from 1) of headings with ambiguous fields below, as after a merge that kept both sides."""
    return _read(data, LEDGER)[1] if b"x:" in data else ()


@lru_cache(maxsize=64)  # one command reads the same ledger a dozen times
def _read(data: bytes, path: str) -> tuple[tuple[Correction, ...], tuple[int, ...]]:
    lines = split_lines(data)
    headings = [block for block in blocks(data) if block.kind in HEADINGS[:2] and not block.inside]
    ends = (*map(attrgetter("first"), headings[1:]), len(lines))
    items = list_items(data)
    corrections: dict[str, Correction] = {}
    mixed = []
    for block, end in zip(headings, ends, strict=False):
        match = _HEADING.fullmatch(block.content.strip())
        if match is None or block.kind != "h2":
            continue
        fields: dict[str, str] = {}  # `- key: value`, the first of each key
        has_two = False
        for item in items:
            if block.last <= item.first < end:
                text = b"".join(lines[item.first : item.last]).decode("utf-8", "surrogateescape")
                key, _, value = " ".join(text.split()).lstrip("-*+ ").partition(":")
                name = key.strip().lower()
                has_two = has_two or (name in _SAID_ONCE and name in fields)
                fields.setdefault(name, value.strip())
        if has_two or not fields:
            mixed.append(block.first + 1)
            continue
        corrections.setdefault(match["id"], _correction(match, fields, (path, block.first, end)))
    return tuple(corrections.values()), tuple(mixed)


def render_correction(correction: Correction, end: bytes = b"\n") -> bytes:
    """Return the lines of one correction; each text is put on one line, whatever it contains."""
    done = str(correction.re_embedded).lower()
    fields = {
        "trigger": correction.trigger,
        "trigger confidence": correction.trigger_confidence,
        **correction.said_fields,
        "correct": correction.correct,
        "corrects": ", ".join(map("m:{}".format, correction.corrects)),
        "status": correction.status.value,
        "may correct": ", ".join(map("m:{}".format, correction.may_correct)),
        "proposed": correction.proposed,
        "evidence": ", ".join(correction.evidence),
        "beside": correction.beside,
    }
    lines = [f"## {folded(correction.at)} <!-- x:{correction.correction_id} re-embedded:{done} -->", ""]
    for key, value in fields.items():
        if value or key in _ALWAYS:
            lines.append(f"- {key}: {folded(value)}".rstrip())
    return "\n".join([*lines, ""]).encode("utf-8", "surrogateescape").replace(b"\n", end)


def add_correction(data: bytes, correction: Correction) -> bytes:
    """Append ``correction``; all else stays byte for byte."""
    return _at_end(data, render_correction(correction, line_end(data)))


def replace_correction(data: bytes, correction: Correction) -> bytes:
    """Return ``data`` with the correction of that id replaced; blank lines below it stay."""
    block = render_correction(correction, line_end(data))
    return _in_its_place(data, correction.correction_id, block) or data


def move_corrections(ledger: bytes, archive: bytes, ids: Iterable[str]) -> tuple[bytes, bytes]:
    """Return the ledger without the corrections of those ids, and the archive with them."""
    moved_ids = frozenset(ids)
    gone = set[int]()
    for correction in read_corrections(ledger):
        if correction.correction_id in moved_ids:
            gone.update(range(correction.first, correction.last))
            archive = add_correction(archive, correction)
    return without_numbers(split_lines(ledger), gone), archive


def _correction(match: re.Match[str], fields: dict[str, str], place: tuple[str, int, int]) -> Correction:
    states = {status.value: status for status in Status}
    turn = fields.get("said", "")
    old = fields.get("before", "")
    if not old:
        turn, old = "", turn
    return Correction(
        match["id"],
        match["at"].strip(),
        fields.get("trigger", ""),
        fields.get("trigger confidence", ""),
        old,
        fields.get("correct", ""),
        tuple(_ENTRY_ID.findall(fields.get("corrects", ""))),
        states.get(fields.get("status", "").lower(), Status.LOGGED),
        match["done"] == "true",
        *place,
        may_correct=tuple(_ENTRY_ID.findall(fields.get("may correct", ""))),
        proposed=fields.get("proposed", ""),
        evidence=tuple(_MESSAGE_ID.findall(fields.get("evidence", ""))),
        beside=fields.get("beside", ""),
        turn=turn,
    )


def without_stale_wordings(
    data: bytes, corrections: Callable[[], Iterable[Correction]], *, before: date
) -> bytes:
    """Return ``data`` without the old wordings of entries corrected before a day; other comments stay."""
    if _BEGINS not in data:
        return data
    latest: dict[str, date] = {}
    for each in corrections():
        day = day_in(each.at[:10]) or date.max  # unknown date: it stays
        for entry_id in each.corrects:
            latest[entry_id] = max(latest.get(entry_id, date.min), day)
    lines = split_lines(data)
    stale: set[int] = set()
    for entry in read_entries(data):
        if entry.entry_id in latest and latest[entry.entry_id] < before:
            stale.update(at for at in range(entry.first, entry.last) if is_earlier_wording(lines[at]))
    return without_numbers(lines, stale)


def archive_of(correction: Correction) -> str:
    """Return the archive file of a correction: its present one, or that of its month."""
    if correction.path != LEDGER:
        return correction.path
    match = _MONTH.match(correction.at)
    return f"{ARCHIVE}{match[0] if match else _NO_MONTH}.md"


def standing(texts: Mapping[str, bytes]) -> dict[str, Correction]:
    """Return the corrections of all files by id; the ledger's version of a duplicate."""
    corrections: dict[str, Correction] = {}
    for path in sorted(texts, key=lambda name: (name != LEDGER, name)):
        for correction in read_corrections(texts[path], path):
            corrections.setdefault(correction.correction_id, correction)
    return corrections


def keep_corrections(
    old: Mapping[str, bytes], new: Mapping[str, bytes], taken: Collection[str]
) -> tuple[dict[str, bytes], tuple[Correction, ...]]:
    """Return ``new`` with all corrections of ``old``; withdrawn ones (``taken``, or missing in ``new``) are archived and returned."""
    texts = dict(new)
    before = standing(old)
    after = standing(new)
    withdrawn = [(each, old[each.path]) for key, each in before.items() if key not in after]
    for key in taken:
        if key in after and after[key].status is not Status.WITHDRAWN:
            withdrawn.append((after[key], new[after[key].path]))
    for correction, source in withdrawn:
        block = b"".join(_withdrawn(source, correction))
        texts[LEDGER] = without_corrections(texts.get(LEDGER, b""), {correction.correction_id})
        path = archive_of(correction)
        archive = texts.get(path, b"")
        texts[path] = _in_its_place(archive, correction.correction_id, block) or _at_end(archive, block)
    back = _ids(texts.get(LEDGER, b"")) - _ids(old.get(LEDGER, b""))
    for path in [path for path in texts if path != LEDGER]:
        texts[path] = without_corrections(texts[path], back)
    return texts, tuple(each for each, _ in withdrawn if each.status is not Status.WITHDRAWN)


def restored(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> tuple[Correction, ...]:
    """Return the corrections that are withdrawn in ``old`` and in force in ``new``."""
    before = standing(old)
    return tuple(
        each
        for key, each in standing(new).items()
        if each.status is not Status.WITHDRAWN and key in before and before[key].status is Status.WITHDRAWN
    )


def _withdrawn(text: bytes, correction: Correction) -> list[bytes]:
    """Return a correction's lines with status withdrawn; a missing status, or one not on its own line, is added on top."""
    lines = split_lines(text)
    end = line_end(text)
    own = lines[correction.first : trim_blank(lines, correction.first, correction.last)]
    own = split_lines(joined([*own, b""], end))
    status = b"- status: " + Status.WITHDRAWN.value.encode() + end
    for at in [number for number, line in enumerate(own) if _STATUS.match(line)][:1]:
        changed = [*own[:at], status, *own[at + 1 :]]
        if _is_withdrawn(changed):
            return changed
    changed = [own[0], end, status, *own[1:]]
    if _is_withdrawn(changed):
        return changed
    return split_lines(render_correction(correction._replace(status=Status.WITHDRAWN)))


def _is_withdrawn(lines: list[bytes]) -> bool:
    return list(map(attrgetter("status"), read_corrections(joined(lines)))) == [Status.WITHDRAWN]


def without_corrections(text: bytes, ids: Collection[str]) -> bytes:
    return move_corrections(text, b"", ids)[0] if ids else text


def _ids(text: bytes) -> set[str]:
    return set(map(attrgetter("correction_id"), read_corrections(text)))
