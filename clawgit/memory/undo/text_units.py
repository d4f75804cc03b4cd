"""A Markdown text as the units that a person means: headings, list items, corrections, conflicts, other blocks.

Lines that are none (blank ones, front matter) belong to no unit.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.memory.conflict_log import MARK, read_conflicts
from clawgit.memory.corrections.correction_log import is_correction_file, read_corrections
from clawgit.memory.entries.entry_marks import is_earlier_wording, mark_of, without_marks
from clawgit.memory.entries.tiers import CONFLICTS
from clawgit.text.comparing.alignment import common_runs
from clawgit.text.comparing.similarity import facts_differ, likeness
from clawgit.text.markdown.block_structure import list_items, trim_blank
from clawgit.text.markdown.blocks import HEADINGS, blocks
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

HEADING, ITEM, BLOCK, CORRECTION = "heading", "item", "block", "correction"
CONTRADICTION = "contradiction"
LIKE = 60
MOST_PAIRS = 10_000


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit and its own lines (0-based, end exclusive); ``unit_id`` is the id that it carries, if any.

    ``words`` are the same for two units that say the same, ids, white space and list markers aside.
    """

    kind: str
    first: int
    last: int
    words: bytes
    unit_id: str | None = None
    indent: int = 0


def read_units(data: bytes, path: str) -> list[Unit]:
    """Return the units of a text in the order of their lines; nested list items are units of their own."""
    lines = split_lines(data)
    ledger = list(_whole_blocks(data, lines, path))
    own = {number for unit in ledger for number in range(unit.first, unit.last)}
    others = [*_items(data, lines), *_blocks(data, lines)]
    return sorted([*ledger, *(unit for unit in others if unit.first not in own)], key=lambda unit: unit.first)


def pair_units(old: Sequence[Unit], new: Sequence[Unit]) -> dict[int, int]:
    """Say which unit of ``new`` each of ``old`` is, by number.

    By id, by words in their order, by words anywhere, headings by what is below them, then by likeness, and
    last what is alone in the place of another.
    """
    found = _by_id(old, new)
    taken = set(found.values())
    for pairs in (_in_order, _anywhere, _by_content, _alike, _in_place):
        _join(old, new, found, taken, pairs(old, new, found, taken))
    return found


def headings(units: Sequence[Unit]) -> list[int]:
    """Return for each unit the heading that it is under, -1 for none; a heading is under itself."""
    found: list[int] = []
    for at, unit in enumerate(units):
        found.append(at if unit.kind == HEADING else found[-1] if found else -1)
    return found


def _whole_blocks(data: bytes, lines: list[bytes], path: str) -> Iterable[Unit]:
    """Yield the corrections of a ledger, or the conflicts of CONFLICTS.md, each with all its lines."""
    found: list[tuple[str, str, int, int]] = []
    if is_correction_file(path):
        found = [(CORRECTION, each.correction_id, each.first, each.last) for each in read_corrections(data)]
    elif path == CONFLICTS:
        conflicts = read_conflicts(data)
        found = [(CONTRADICTION, MARK + each.conflict_id, each.first, each.last) for each in conflicts]
    for kind, unit_id, first, end in found:
        last = trim_blank(lines, first, end)
        yield Unit(kind, first, last, b" ".join(b"".join(lines[first:last]).split()), unit_id)


def _items(data: bytes, lines: list[bytes]) -> Iterable[Unit]:
    for item in list_items(data):
        own = lines[item.first : item.last]
        bare = [own[0][item.indent + item.marker_width :], *own[1:]]
        words = b"- " + _words(bare)
        yield Unit(ITEM, item.first, item.last, words, mark_of(own), item.indent)


def _blocks(data: bytes, lines: list[bytes]) -> Iterable[Unit]:
    for block in blocks(data):
        if not block.inside and block.last > block.first and block.kind != "list_item":
            kind = HEADING if block.kind in HEADINGS else BLOCK
            yield Unit(kind, block.first, block.last, _words(lines[block.first : block.last]))


def _words(lines: Iterable[bytes]) -> bytes:
    said = (without_marks(line) for line in lines if not is_earlier_wording(line))
    return b" ".join(b"".join(said).split())


def _by_id(old: Sequence[Unit], new: Sequence[Unit]) -> dict[int, int]:
    """Join what carries one id, where that occurs once in each."""
    first, second = (
        {key: at for key, at in places.items() if counts[key] == 1}
        for places, counts in map(_ids, (old, new))
    )
    return {at: second[key] for key, at in first.items() if key in second}


def _ids(units: Sequence[Unit]) -> tuple[dict[tuple[str, str], int], Counter[tuple[str, str]]]:
    keys = [(unit.kind, unit.unit_id) for unit in units]
    places = {(kind, key): at for at, (kind, key) in enumerate(keys) if key is not None}
    return places, Counter((kind, key) for kind, key in keys if key is not None)


def _in_order(old: Sequence[Unit], new: Sequence[Unit], *_: object) -> Iterable[tuple[int, int]]:
    first, second = ([unit.words.decode("utf-8", "surrogateescape") for unit in side] for side in (old, new))
    for run in common_runs(first, second):
        yield from ((run.old + step, run.new + step) for step in range(run.length))


def _anywhere(
    old: Sequence[Unit], new: Sequence[Unit], found: dict[int, int], taken: set[int]
) -> Iterable[tuple[int, int]]:
    waiting: dict[tuple[str, bytes], list[int]] = {}
    for to in reversed(range(len(new))):
        if to not in taken:
            waiting.setdefault((new[to].kind, new[to].words), []).append(to)
    for at, unit in enumerate(old):
        if at not in found and waiting.get((unit.kind, unit.words)):
            yield at, waiting[unit.kind, unit.words].pop()


def _by_content(
    old: Sequence[Unit], new: Sequence[Unit], found: dict[int, int], taken: set[int]
) -> Iterable[tuple[int, int]]:
    """Yield headings under which most of the same stands."""
    votes: Counter[tuple[int, int]] = Counter()
    above, over = headings(old), headings(new)
    for at, to in found.items():
        if above[at] not in found and over[to] not in taken:
            votes[above[at], over[to]] += 1
    yield from (pair for pair, _ in votes.most_common() if -1 not in pair)


def _in_place(
    old: Sequence[Unit], new: Sequence[Unit], found: dict[int, int], taken: set[int]
) -> Iterable[tuple[int, int]]:
    """Yield those that are in the same number and kinds between the same neighbours, in their order."""
    became = found | {-1: -1, len(old): len(new)}
    start = -1
    for at in range(len(old) + 1):
        if at not in became:
            continue
        gap, place = range(start + 1, at), range(became[start] + 1, became[at])
        pairs = list(zip(gap, place, strict=False))
        if len(gap) == len(place) and all(_may_be_one(old[one], new[to]) for one, to in pairs):
            yield from pairs
        start = at


def _alike(
    old: Sequence[Unit], new: Sequence[Unit], found: dict[int, int], taken: set[int]
) -> Iterable[tuple[int, int]]:
    """Yield what says nearly the same, the closest pairs first; other numbers or names are another statement."""
    gone = [at for at in range(len(old)) if at not in found]
    come = [to for to in range(len(new)) if to not in taken]
    if len(gone) * len(come) > MOST_PAIRS:
        return
    scored = [(-_likeness(old[at], new[to]), at, to) for at in gone for to in come]
    yield from ((at, to) for score, at, to in sorted(scored) if -score >= LIKE)


def _may_be_one(old: Unit, new: Unit) -> bool:
    return old.kind == new.kind and len({old.unit_id, new.unit_id} - {None}) < 2


def _likeness(old: Unit, new: Unit) -> int:
    if not _may_be_one(old, new):
        return 0
    words = old.words.decode("utf-8", "replace"), new.words.decode("utf-8", "replace")
    found = likeness(*words)
    return found if found >= LIKE and not facts_differ(*words) else 0


def _join(
    old: Sequence[Unit],
    new: Sequence[Unit],
    found: dict[int, int],
    taken: set[int],
    pairs: Iterable[tuple[int, int]],
) -> None:
    """Take those of ``pairs`` that are still free; two with different ids are not one."""
    for at, to in pairs:
        if at not in found and to not in taken and _may_be_one(old[at], new[to]):
            found[at] = to
            taken.add(to)
