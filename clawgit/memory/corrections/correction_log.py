"""CORRECTIONS.md and its archive: what the operator corrected, read from and written into Markdown."""

from __future__ import annotations

from datetime import date
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.entry_marks import is_earlier_wording
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.block_structure import list_items, trim_blank
from clawgit.text.markdown.blocks import HEADINGS, blocks
from clawgit.text.markdown.lines import line_end, split_lines, without_end
from clawgit.text.safety.control_characters import folded

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable

    from clawgit.memory.entries.entries import Entry

LEDGER = "CORRECTIONS.md"
ARCHIVE = "Archive/Corrections/"
_HEADING = lazy_pattern(
    r"(?P<at>.*?)\s*<!--\s*x:(?P<id>[0-9a-z]+)(?:\s+re-embedded:(?P<done>true|false))?\s*-->\s*"
)
_ENTRY_ID = lazy_pattern(r"m:([0-9a-z]+)")
_MESSAGE_ID = lazy_pattern(r"chat:[0-9a-z]+")
_BEGINS = b"<!-- was"


def with_correction(data: bytes, old: bytes, was: Correction) -> bytes:
    """Return ``data`` with the correction ``was`` reading as in ``old``: in its place if it is there, else at the end.

    Where neither can be read (an open code fence hides what follows), ``old`` is returned whole.
    """
    block = _block(old, was)
    lines = split_lines(data)
    now = _find(data, was.correction_id)
    if now is not None:
        last = trim_blank(lines, now.first, now.last)
        return b"".join([*lines[: now.first], *block, *lines[last:]])
    gap = line_end(data) if data.strip() and lines[-1].strip() else b""
    text = _ended(data) + gap + b"".join(block)
    return old if _find(text, was.correction_id) is None else text


def without_correction(data: bytes, correction_id: str) -> bytes:
    """Return ``data`` without the correction of that id."""
    lines = split_lines(data)
    now = _find(data, correction_id)
    if now is not None:
        del lines[now.first : now.last]
    return b"".join(lines)


def _find(data: bytes, correction_id: str) -> Correction | None:
    return next((each for each in read_corrections(data) if each.correction_id == correction_id), None)


def with_entry(data: bytes, old: bytes, entry: Entry) -> bytes:
    """Return ``data`` with the entry's lines of ``old``, behind the nearest line that is still before them."""
    lines = split_lines(data)
    before = split_lines(old)
    place = {line: number + 1 for number, line in enumerate(lines) if line.strip()}
    at = next((place[line] for line in reversed(before[: entry.first]) if line in place), len(lines))
    added = [_ended(line) for line in before[entry.first : entry.last]]
    return b"".join([*map(_ended, lines[:at]), *added, *lines[at:]])


def _block(old: bytes, was: Correction) -> list[bytes]:
    lines = split_lines(old)
    last = trim_blank(lines, was.first, was.last)
    return [*lines[was.first : last - 1], _ended(lines[last - 1])]


def _ended(data: bytes) -> bytes:
    return data + line_end(data) if data and without_end(data) == data else data


class Status(Enum):
    """How far a correction has come."""

    LOGGED = "logged"  # said, but nothing in memory was wrong
    OPEN = "open"  # something is wrong, and what is right was not said
    APPLIED = "applied"  # the entries it corrects read right
    WITHDRAWN = "withdrawn"  # taken back by the operator; archived, and no longer in force


class Correction(NamedTuple):
    """One correction; ``corrects`` are entry ids without `m:`; ``at`` is its time as written.

    Of an open one, ``may_correct`` is the entry that it is likely about, and ``proposed`` what that would say: nobody said
    so yet. ``evidence`` are the messages that it rests on (`chat:…`). ``path`` and the lines (0-based, end exclusive, its blank lines included) say where it was read.
    """

    correction_id: str
    at: str
    trigger: str = ""
    trigger_confidence: str = ""
    said: str = ""
    correct: str = ""
    corrects: tuple[str, ...] = ()
    status: Status = Status.LOGGED
    re_embedded: bool = False
    path: str = LEDGER
    first: int = 0
    last: int = 0
    may_correct: tuple[str, ...] = ()
    proposed: str = ""
    evidence: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Say whether it is in force: known, right, and not withdrawn."""
        return self.status is not Status.WITHDRAWN and bool(self.correct)


def is_correction_file(path: str) -> bool:
    """Say whether corrections are kept at ``path``."""
    return path == LEDGER or (path.startswith(ARCHIVE) and path.endswith(".md"))


def read_corrections(data: bytes, path: str = LEDGER) -> list[Correction]:
    """Return the corrections in the order of their lines; an id that occurs twice counts where it occurs first."""
    return list(_read(data, path)) if b"x:" in data else []


@lru_cache(maxsize=64)  # one command reads the same ledger a dozen times
def _read(data: bytes, path: str) -> tuple[Correction, ...]:
    lines = split_lines(data)
    headings = [block for block in blocks(data) if block.kind in HEADINGS[:2] and not block.inside]
    ends = (*(block.first for block in headings[1:]), len(lines))
    items = [(item.first, _item_text(lines[item.first : item.last])) for item in list_items(data)]
    found: dict[str, Correction] = {}
    for block, end in zip(headings, ends, strict=False):
        match = _HEADING.fullmatch(block.content.strip())
        if match is None or block.kind != "h2":
            continue
        fields = _fields(text for first, text in items if block.last <= first < end)
        found.setdefault(match["id"], _correction(match, fields, (path, block.first, end)))
    return tuple(found.values())


def render_correction(correction: Correction, end: bytes = b"\n") -> bytes:
    """Return the lines of one correction, whatever its texts contain: each is one line of its own."""
    done = str(correction.re_embedded).lower()
    fields = {
        "trigger": correction.trigger,
        "trigger confidence": correction.trigger_confidence,
        "said": correction.said,
        "correct": correction.correct,
        "corrects": ", ".join(f"m:{entry_id}" for entry_id in correction.corrects),
        "status": correction.status.value,
    }
    asked = {
        "may correct": ", ".join(f"m:{entry_id}" for entry_id in correction.may_correct),
        "proposed": correction.proposed,
        "evidence": ", ".join(correction.evidence),
    }
    fields |= {key: value for key, value in asked.items() if value}
    head = f"## {folded(correction.at)} <!-- x:{correction.correction_id} re-embedded:{done} -->"
    items = (f"- {key}: {folded(value)}".rstrip() for key, value in fields.items())
    return end.join(line.encode("utf-8", "surrogateescape") for line in (head, "", *items)) + end


def add_correction(data: bytes, correction: Correction) -> bytes:
    """Return ``data`` with ``correction`` at its end; all else stays byte for byte."""
    end = line_end(data)
    if data and not data.endswith((b"\n", b"\r")):
        data += end
    gap = end if data.strip() and split_lines(data)[-1].strip() else b""
    return data + gap + render_correction(correction, end)


def replace_correction(data: bytes, correction: Correction) -> bytes:
    """Return ``data`` with the correction of that id as ``correction`` now says; its blank lines stay."""
    lines = split_lines(data)
    for old in read_corrections(data):
        if old.correction_id == correction.correction_id:
            last = trim_blank(lines, old.first, old.last)
            new = render_correction(correction, line_end(data))
            return b"".join([*lines[: old.first], new, *lines[last:]])
    return data


def move_corrections(ledger: bytes, archive: bytes, ids: Iterable[str]) -> tuple[bytes, bytes]:
    """Return the ledger without the corrections of those ids, and the archive with them."""
    wanted = frozenset(ids)
    lines = split_lines(ledger)
    for correction in reversed([each for each in read_corrections(ledger) if each.correction_id in wanted]):
        del lines[correction.first : correction.last]
    for correction in read_corrections(ledger):
        if correction.correction_id in wanted:
            archive = add_correction(archive, correction)
    return b"".join(lines), archive


def _item_text(lines: list[bytes]) -> str:
    text = b"".join(lines).decode("utf-8", "surrogateescape")
    return " ".join(text.split())


def _fields(texts: Iterable[str]) -> dict[str, str]:
    """Return what the list items say: `- key: value`, the first of each key."""
    fields: dict[str, str] = {}
    for text in texts:
        key, _, value = text.lstrip("-*+ ").partition(":")
        fields.setdefault(key.strip().lower(), value.strip())
    return fields


def _correction(match: re.Match[str], fields: dict[str, str], place: tuple[str, int, int]) -> Correction:
    states = {status.value: status for status in Status}
    return Correction(
        match["id"],
        match["at"].strip(),
        fields.get("trigger", ""),
        fields.get("trigger confidence", ""),
        fields.get("said", ""),
        fields.get("correct", ""),
        tuple(_ENTRY_ID.findall(fields.get("corrects", ""))),
        states.get(fields.get("status", "").lower(), Status.LOGGED),
        match["done"] == "true",
        *place,
        may_correct=tuple(_ENTRY_ID.findall(fields.get("may correct", ""))),
        proposed=fields.get("proposed", ""),
        evidence=tuple(_MESSAGE_ID.findall(fields.get("evidence", ""))),
    )


def without_stale_wordings(
    data: bytes, corrections: Callable[[], Iterable[Correction]], *, before: date
) -> bytes:
    """Return ``data`` without the old words of entries that were all corrected before the day ``before``.

    Words below an entry that no correction names are somebody else's comment, and stay.
    """
    if _BEGINS not in data:
        return data
    latest: dict[str, date] = {}
    for each in corrections():
        for entry_id in each.corrects:
            latest[entry_id] = max(latest.get(entry_id, date.min), _day(each))
    lines = split_lines(data)
    stale = {
        at
        for entry in read_entries(data)
        if entry.entry_id in latest and latest[entry.entry_id] < before
        for at in range(entry.first, entry.last)
        if is_earlier_wording(lines[at])
    }
    return b"".join(line for at, line in enumerate(lines) if at not in stale)


def _day(correction: Correction) -> date:
    try:
        return date.fromisoformat(correction.at[:10])
    except ValueError:
        return date.max  # nobody knows when: it stays
