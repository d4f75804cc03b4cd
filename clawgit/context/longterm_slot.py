"""The slot of MEMORY.md: its true lines, the important ones first if it is too long; and the file for a host.

First come the operator's own words about safety and his standing orders, then answers to the question, then
the surest lines. A host puts such files into its prompt raw, with ids and old wordings, cuts a long file in
its middle, or drops a whole file for one line. `read_host_file` returns the file for the host's room:
corrected, with the operator's words beside readings, unvouched text fenced as data, a long file shortened as
the slot is.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from clawgit.context.assembly import (
    TOO_LONG,
    fence_of,
    open_assembly,
    read_passages,
    told_apart,
)
from clawgit.context.file_slots import titles_of
from clawgit.context.slots import (
    HEADING,
    LONGTERM,
    MOST_CHARACTERS,
    Cut,
    Passage,
    SlotText,
    below_headings,
    fit,
    passages_in,
)
from clawgit.history.provenance.entries_at_tip import states_of_text
from clawgit.memory.entries.tiers import MEMORY_FILES
from clawgit.memory.entry_states import is_over
from clawgit.memory.trust import HOST, OPERATOR, UNDERSTOOD
from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import datetime

    from clawgit.context.assembly import Assembly, ReadFile
    from clawgit.history.git.repository import History
    from clawgit.recall.search_results import Result

T = TypeVar("T")

_SAFETY, _STANDING_ORDER, _OTHER = range(3)  # the order of lines where not all fit
MOST_READ = 1_000_000  # characters of MEMORY.md: the most important line can be anywhere
PINNED = 300  # tokens
STANDING = "your own word on safety, or a standing order"
# Words for what harms somebody if it is forgotten.
_HARM = lazy_pattern(
    r"(?i)\b(?:al+erg\w+|alérgic\w+|ana(?:ph|f)yla\w+|epi-?pen|intoleran\w+|unverträglich\w*|co?eliac|diabet\w+|epilep\w+|asthma\w*"
    r"|insulin\w*|warfarin|blood thinners?|blutverdünner|pacemakers?|pregnan\w+|schwanger\w*|embarazada|enceinte"
    r"|emergenc\w+|notfall\w*|urgence\w*"
    r"|(?:can't|cannot|may not) (?:have|eat|drink|take))\b"
    r"|过敏|過敏|不能吃|알레르기"
)
# Words of standing orders and permissions.
_ORDER = lazy_pattern(
    r"(?i)\b(?:never|always|under no circumstances|must(?:n't| not)|not without|(?:not|n't) allowed|without asking|needs? [\w.]+'s? (?:yes|approval|ok)"
    r"|only (?:[\w.'-]+ ){1,4}(?:may|can|(?:is|are) allowed)|(?:nobody|no one)(?: else)? (?:but|except|may|is allowed)"
    r"|nie|niemals|immer|auf keinen fall|nur mit|darf (?:nicht|kein\w*)|nur (?:[\w.-]+ ){1,3}(?:darf|dürfen)|(?:darf|dürfen) nur|niemand (?:außer|darf)"
    r"|jamais|toujours|nunca|siempre|jamás|en ningún caso|s[oó]lo (?:[\w.-]+ ){1,3}(?:puede|pueden)|seule?s? (?:[\w.-]+ ){1,3}(?:peut|peuvent))\b"
    r"|\A[-*+] (?:\d{4}-\d\d-\d\d: )?(?:please )?(?:do not|don't)\b"
    r"|绝不|絕不|永远|永遠|从不|從不|千万|一定要|必须|必須|禁止|只有|절대|항상|반드시|금지"
)
# Hosts' names for a file's author; a host leaves a file of the last kind out.
OWNER, AGENT, UNTRUSTED = "owner", "agent", "untrusted"
_IN_PART = (
    "({}, {} of its {} pieces: your operator's words on safety first, then the surest and newest."
    " `memory_search` finds the rest.)\n\n"
)
ELIGIBLE: Final = (OPERATOR, UNDERSTOOD, HOST)


class LongtermEntry(NamedTuple):
    """The state of an entry of MEMORY.md: why it expired (empty if it did not), its confidence."""

    trust: str
    over: str
    rank: tuple[float, ...]
    why: str


_NO_ENTRY = LongtermEntry("", "", (-50, 0, 0), "")


def longterm_slot(assembly: Assembly, hits: Iterable[Result] = ()) -> SlotText:
    """Return MEMORY.md, ranked for a slot that is too small.

    Untrue and expired lines are left out. ``hits`` are the search results for the question.
    """
    for path in MEMORY_FILES:
        whole = read_passages(assembly, path, keep_end=True, most=MOST_READ)
        if whole.passages:
            about: dict[int, Result] = {}
            for hit in hits:
                line = hit.standing or hit  # where a correction stands by now
                if line.path == path:
                    shown = line._replace(later=hit.later)
                    about.update(dict.fromkeys(range(line.first, line.last + 1), shown))
            read = _shortlist(whole, about.keys(), MOST_CHARACTERS)
            if not read.passages:
                return SlotText(LONGTERM, notes=(TOO_LONG.format(path),))
            return _longterm(assembly, read, about)
    return SlotText(LONGTERM)


def _shortlist(whole: ReadFile, about: AbstractSet[int], most: int) -> ReadFile:
    """Return of a file of more than ``most`` characters the likely important parts: hits, safety, standing orders, and its end.

    Reading author and confidence of a thousand lines takes too long.
    """
    if len(whole.part.data) <= most:
        return whole
    standing = _standing(whole.part.data)
    by_worth: dict[int, None] = {}
    for at, each in enumerate(whole.passages):
        if each.first - whole.part.offset in standing or not about.isdisjoint(each.lines):
            by_worth[at] = None
    by_worth |= dict.fromkeys(reversed(range(len(whole.passages))))
    taken: dict[int, Passage] = {}
    left = most
    for at in by_worth:
        size = len(whole.passages[at].text)
        if size <= left:
            left -= size
            taken[at] = whole.passages[at]
    part = whole.part._replace(is_cut=True)
    return whole._replace(passages=below_headings(whole.passages, taken), part=part)


@lru_cache(maxsize=64)
def _standing(data: bytes) -> dict[int, int]:
    """Return the first lines (from 1) with words of safety or standing orders, by any author, and the rank of each."""
    ranks = {each.first: _rank_of(each.text) for each in passages_in(data)}
    return {line: rank for line, rank in ranks.items() if rank != _OTHER}


def _rank_of(text: str) -> int:
    if _HARM.search(text):
        return _SAFETY
    if _ORDER.search(text):
        return _STANDING_ORDER
    return _OTHER


def important_first(items: Sequence[T], text_of: Callable[[T], str]) -> list[T]:
    """Return items for a short list by their texts: safety first, then standing orders, then those that are not of the form of most."""
    words_of = {text: set(text.split()) for text in map(text_of, items)}
    counts = Counter(chain.from_iterable(words_of.values()))

    def order(item: T) -> tuple[int, bool]:
        text = text_of(item)
        common = sum(2 * counts[word] > len(words_of) for word in words_of[text])
        return _rank_of(f"- {text}"), 2 * common >= len(words_of[text])

    return sorted(items, key=order)


def _longterm(assembly: Assembly, read: ReadFile, about: Mapping[int, Result]) -> SlotText:
    path = read.passages[0].path
    by_line = _entries(assembly, read)
    own = _own_standing(read, by_line)
    holding, cuts = told_apart(assembly, read)
    passages: list[Passage] = []
    gone = list(cuts)
    for each in holding:
        entry = by_line.get(each.first, _NO_ENTRY)
        if each.kind == HEADING and f"{each.text} ".startswith(titles_of(path)):
            continue  # its name is above it already
        if entry.over:
            gone.append(Cut(each.place, entry.over))
        else:
            hits = list(dict.fromkeys(filter(None, map(about.get, each.lines))))
            score = max(map(attrgetter("score"), hits), default=0.0)
            why = f"about this message ({score:.2f})" if score else entry.why
            notes = [each.note]
            for hit in hits:
                if hit.best in each.lines:
                    notes += hit.later
            note = "; ".join(dict.fromkeys(filter(None, notes)))
            passages.append(each._replace(rank=(-score, *entry.rank), why=why, note=note))
    pinned = _pinned(assembly, passages, own)
    behind = _behind_each(passages)
    for at, each in enumerate(passages):
        is_pinned = each.first in pinned
        passages[at] = each._replace(rank=(not is_pinned, *each.rank, behind[at]))
        if is_pinned:
            passages[at] = passages[at]._replace(why=STANDING)
    longer = (path,) if read.part.is_cut else ()
    return SlotText(LONGTERM, tuple(passages), tuple(gone), longer, read.notes)


def _own_standing(read: ReadFile, by_line: Mapping[int, LongtermEntry]) -> dict[int, int]:
    """Return the operator's own lines on safety and standing orders, and readings of them, with their ranks."""
    standing = _standing(read.part.data)
    own: dict[int, int] = {}
    for line, entry in by_line.items():
        rank = standing.get(line - read.part.offset)
        if rank is not None and entry.trust in (OPERATOR, UNDERSTOOD):
            own[line] = rank
    return own


def _behind_each(passages: Sequence[Passage]) -> list[int]:
    """Return how many passages follow each in its section, which grows at its end: so all sections are shortened alike."""
    behind: list[int] = []
    number = 0
    for each in reversed(passages):
        number = 0 if each.kind == HEADING else number + 1
        behind.append(number)
    return behind[::-1]


def _pinned(assembly: Assembly, passages: Iterable[Passage], own: Mapping[int, int]) -> set[int]:
    """Return the operator's ``own`` standing lines to put first, up to the pinned limit: safety before orders."""
    pinned: set[int] = set()
    left = PINNED
    candidates = filter(lambda passage: passage.first in own, passages)
    for each in sorted(candidates, key=lambda passage: (own[passage.first], passage.rank, passage.first)):
        left -= assembly.counter.count(f"{each.shown}\n")
        if left < 0:
            break
        pinned.add(each.first)
    return pinned


def _entries(assembly: Assembly, read: ReadFile) -> dict[int, LongtermEntry]:
    by_line = {each.first: _NO_ENTRY for each in read.passages}
    if not by_line:
        return {}
    path = read.passages[0].path
    lines = {line - read.part.offset for line in by_line}
    for state in states_of_text(assembly.history, path, read.part.data, assembly.on, lines):
        over = f"ran out on {state.expires}" if is_over(state, assembly.on) else ""
        last = max(state.words_since, state.last_mention or state.since)
        rank = (-state.confidence, -state.mentions, -last.toordinal())
        why = f"{state.confidence} % sure, mentions: {state.mentions}"
        line = state.entry.first + 1 + read.part.offset
        by_line[line] = LongtermEntry(state.trust, over, rank, why)
    return by_line


class HostFile(NamedTuple):
    """A file at the tip: its author as a whole, its text for the prompt, and its unvouched passages."""

    origin: str
    text: str
    data: bytes
    doubtful: tuple[Passage, ...] = ()

    def gained(self, before: bytes) -> bool:
        """Say whether an unvouched passage is new since an earlier text of the file."""
        earlier = set(map(attrgetter("text"), passages_in(before)))
        return not earlier.issuperset(map(attrgetter("text"), self.doubtful))


def read_host_file(
    history: History, path: str, now: datetime, room: int = MOST_CHARACTERS
) -> HostFile | None:
    """Return a file of the tip for a prompt with ``room`` characters for it; None if no commit has it."""
    tip = history.tip()
    with open_assembly(history, tip.tree, now) as assembly:
        whole = read_passages(assembly, path, keep_end=True, most=MOST_READ)
        data = tip.tree.read(path)
        if data is None:
            return None
        read = _shortlist(whole, frozenset(), max(0, 2 * room))
        holding, _ = told_apart(assembly, read, to_strangers=True)
        shown = []
        for each in holding:
            if each.trust == fence_of(HOST):
                shown.append(each._replace(trust=""))  # hosts trust it as their agent's words
            else:
                shown.append(each)
        slot = SlotText(LONGTERM._replace(names_files=False), tuple(shown))
        text = slot.text
        if read.part.is_cut or host_characters(text) > room:
            text = _in_part(assembly, whole, read, slot, room)
        origin, doubtful = _whose(assembly, whole)
        if whole.part.is_cut:
            origin = UNTRUSTED  # the rest was not checked
        return HostFile(origin, text, data, doubtful)


def host_characters(text: str) -> int:
    """Count the characters as JavaScript hosts do: one outside the basic plane is two."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _in_part(assembly: Assembly, whole: ReadFile, read: ReadFile, slot: SlotText, room: int) -> str:
    """Return as much of a file as fits, with a note on the share; empty if the note does not fit."""
    if not whole.passages:
        return ""
    by_line = _entries(assembly, read)
    own = _own_standing(read, by_line)
    ranked: list[Passage] = []
    for each, behind in zip(slot.passages, _behind_each(slot.passages), strict=True):
        entry = by_line.get(each.first, _NO_ENTRY)
        rank = own.get(each.first, _OTHER)
        ranked.append(each._replace(rank=(rank, *entry.rank, behind)))
    pieces = _pieces(whole.passages)
    path = whole.passages[0].path
    head = _IN_PART.format(path, pieces, pieces)
    if host_characters(head) > room:
        return ""
    fitted = fit(slot._replace(passages=tuple(ranked)), host_characters, room - host_characters(head))
    shown = fitted._replace(longer=())
    return _IN_PART.format(path, _pieces(shown.passages), pieces) + shown.text


def _pieces(passages: Iterable[Passage]) -> int:
    return sum(each.kind != HEADING for each in passages)


def _whose(assembly: Assembly, read: ReadFile) -> tuple[str, tuple[Passage, ...]]:
    """Return the author of a file as a whole, and the passages neither the operator's nor the agent's own."""
    origin = OWNER
    doubtful = []
    for each in read.passages:
        first, last = each.first - read.part.offset, each.last - read.part.offset
        trust = assembly.trusts.of_lines(read.part.data, first, last)
        if trust not in ELIGIBLE and each.kind != HEADING:
            doubtful.append(each)
        if trust not in ELIGIBLE:
            origin = UNTRUSTED
        elif trust != OPERATOR and origin == OWNER:
            origin = AGENT
    return origin, tuple(doubtful)
