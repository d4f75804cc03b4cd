"""An entry with its history; whether it has expired, and its move into a month's archive."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.corrections.corrected_entries import KnownCorrection, set_right
from clawgit.memory.entries.entries import Entry, is_alone, read_entries
from clawgit.memory.entries.statements import last_day
from clawgit.memory.entries.tiers import RETIRED_ENTRIES, Tier
from clawgit.memory.provenance.pieces import Origin, Seen, piece_of
from clawgit.memory.trust import LOWEST, OPERATOR, UNDERSTOOD, UNHEARD
from clawgit.text.markdown.lines import split_lines, without_end, without_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence


# Confidence in hundredths: 0.6 - 6 x 0.05 is below 0.3 in floats, and a job would drop an entry a month early.
OPERATOR_SAID = 95
READ = 80  # the operator's words as read by another
CORRECTED = 100
INFERRED = 60
FULL = 100
# Days after the last mention; None is for ever.
DAYS_OF_CLASS: dict[str, int | None] = {"personal": None, "tasks": 7, "agents": 30, "system": None}
_BASES = {OPERATOR: OPERATOR_SAID, UNDERSTOOD: READ}
NO_CLASS = "none"  # the class was removed


class ConfidencePolicy(NamedTuple):
    """The settings that confidence follows; amounts are hundredths."""

    interval_days: int = 30
    amount: int = 5
    floor: int = 20
    boost: int = 5


class ConfidenceStep(NamedTuple):
    """The confidence after an event on a day."""

    on: date
    what: str
    confidence: int


class When(NamedTuple):
    """The day of evaluation, and the settings about time."""

    on: date
    confidence: ConfidencePolicy = ConfidencePolicy()
    lifetimes: Mapping[str, int | None] = DAYS_OF_CLASS


def expiry_of(
    entry_class: str | None, last_seen: date, lifetimes: Mapping[str, int | None] = DAYS_OF_CLASS
) -> date | None:
    days = lifetimes.get(entry_class or "")
    return None if days is None else last_seen + timedelta(days=days)


class EntryState(NamedTuple):
    """One statement with its place, date, author, grounds and confidence."""

    entry: Entry
    path: str
    tier: Tier
    source: str
    trust: str
    commit_id: str
    since: date
    words_since: date
    seen: tuple[Seen, ...]
    steps: tuple[ConfidenceStep, ...]
    corrections: tuple[KnownCorrection, ...] = ()
    lifetimes: Mapping[str, int | None] = DAYS_OF_CLASS
    person: str = ""  # by `said_by`
    is_wanted: bool = False  # the operator asked to remember it, or brought its words back

    @property
    def mark(self) -> str:
        return f"m:{self.entry.entry_id}"

    @property
    def confidence(self) -> int:
        return self.steps[-1].confidence

    @property
    def mentions(self) -> int:
        return len(_days(self.seen, "mention"))

    @property
    def last_mention(self) -> date | None:
        return max(_days(self.seen, "mention"), default=None)

    @property
    def evidence(self) -> tuple[str, ...]:
        """Return the evidence of the entry's wordings and mentions, oldest first, each once."""
        citations: dict[str, None] = {}
        for seen in self.seen:
            if seen.kind != "class":
                citations.update((line, None) for line in seen.said.split("\n") if line)
        return tuple(citations)

    @property
    def entry_class(self) -> str | None:
        """Return its latest class; None also if that was removed."""
        given = [seen.said for seen in self.seen if seen.kind == "class"]
        return given[-1] if given and given[-1] != NO_CLASS else None

    @property
    def was_classed(self) -> bool:
        return any(seen.kind == "class" for seen in self.seen)

    @property
    def expires(self) -> date | None:
        """Return its last day: the one in its text, else by its class from the last wording or mention; none for what jobs must keep."""
        own = last_day(self.entry.text)
        if own is not None or is_the_operators(self) or self.is_wanted:
            return own
        first_wordings = {seen.words: seen for seen in reversed(self.seen) if seen.kind == "words"}
        days = [*_days(first_wordings.values(), "words"), *_days(self.seen, "mention")]
        return expiry_of(self.entry_class, max(days, default=self.since), self.lifetimes)


def _days(seen: Iterable[Seen], kind: str) -> list[date]:
    return [day_of(each.at) for each in seen if each.kind == kind]


class Past(NamedTuple):
    """An entry's history: the origin of its words, events of its id, corrections of it."""

    origin: Origin
    seen: tuple[Seen, ...]
    corrections: tuple[KnownCorrection, ...]


def state_of(entry: Entry, place: tuple[str, Tier], past: Past, when: When) -> EntryState:
    """Return the state of ``entry`` on a day.

    Its date is that of its words or of its id's first appearance, since a rewording keeps the age. What an
    applied correction changed is as sure as the correction, unless its words are a reading, a host's or from outside.
    """
    origin, seen = past.origin, past.seen
    carried = _days(seen, "words")
    first = min([*carried, *([day_of(origin.at)] if origin.commit_id or not carried else [])])
    by_correction = any(each.counts and each.commit_id == origin.commit_id for each in past.corrections)
    may_be = origin.trust not in (LOWEST, UNDERSTOOD) and (origin.actor not in UNHEARD or by_correction)
    righted = set_right(piece_of(entry).words, past.corrections, seen) if may_be else None
    if righted is not None:
        what = f"corrected by x:{righted.correction.correction_id}"
        steps = [ConfidenceStep(day_of(origin.at), what, CORRECTED)]
    else:
        base = _BASES.get(origin.trust, INFERRED)
        steps = confidence_steps(base, first, _days(seen, "mention"), when.on, when.confidence)
    path, tier = place
    return EntryState(
        entry,
        path,
        tier,
        source=origin.actor,
        trust=origin.trust,
        commit_id=origin.commit_id,
        since=first,
        words_since=day_of(origin.at),
        seen=seen,
        steps=tuple(steps),
        corrections=past.corrections,
        lifetimes=when.lifetimes,
    )


def day_of(at: str) -> date:
    """Return the day of a commit's date, in the zone that it was written in."""
    try:
        return datetime.fromisoformat(at).date()
    except ValueError:  # git can store dates that a calendar does not have
        return date.min


def is_the_operators(state: EntryState) -> bool:
    """Say whether jobs must keep an entry: the operator wrote, corrected or restored it, or the author is unknown."""
    is_corrected = any(map(attrgetter("counts"), state.corrections))
    return state.source in (OPERATOR, "unknown") or is_corrected or came_back(state)


def came_back(state: EntryState) -> bool:
    """Say whether an entry was archived once, and brought back."""
    return any(seen.path.startswith(RETIRED_ENTRIES) for seen in state.seen)


def is_over(state: EntryState, on: date, *, open_until: date | None = None) -> bool:
    """Say whether an entry has expired: its own last day, or that of its class and the days it names; never without an id."""
    last = state.expires
    if last is None or state.entry.entry_id is None:
        return False
    if last_day(state.entry.text) is not None:
        return on > last
    return on > max(last, open_until or last)


def archive_path(on: date) -> str:
    return f"{RETIRED_ENTRIES}{on:%Y-%m}.md"


def retire(
    read: Callable[[str], bytes | None], leaving: Iterable[tuple[str, str]], on: date, why: str
) -> tuple[dict[str, bytes], list[str]]:
    """Return the files without the ``leaving`` entries (path and id), the archive with them, and their ids."""
    texts: dict[str, bytes] = {}
    items: list[tuple[str, bytes]] = []  # one id may be in two files
    ids_by_path: dict[str, set[str]] = {}
    for path, entry_id in leaving:
        ids_by_path.setdefault(path, set()).add(entry_id)
    for path, ids in ids_by_path.items():
        data, taken = take_out(read(path) or b"", ids)
        if taken:
            texts[path] = data
            items += taken.items()
    if items:
        path = archive_path(on)
        texts[path] = with_retired(read(path) or b"", [data for _, data in items], on, why)
    return texts, list(dict.fromkeys(name for name, _ in items))


def take_out(data: bytes, entry_ids: Collection[str]) -> tuple[bytes, dict[str, bytes]]:
    """Return ``data`` without these entries, and their lines by id; one with nested lines, or whose id another entry has too, stays."""
    lines = split_lines(data)
    entries = read_entries(data)
    holders = Counter(map(attrgetter("entry_id"), entries))
    items: dict[str, bytes] = {}
    gone: set[int] = set()
    for entry in entries:
        name = entry.entry_id
        if name in entry_ids and holders[name] == 1 and is_alone(entry, lines):
            items[str(name)] = b"".join(lines[entry.first : entry.last])
            gone.update(range(entry.first, entry.last))
    return without_numbers(lines, gone), items


def with_retired(data: bytes, items: Sequence[bytes], on: date, why: str) -> bytes:
    """Return the archive with more entries below a heading, without duplicates."""
    data = data or f"# Entries that left memory, {on:%Y-%m}\n".encode()
    there = set(map(without_end, split_lines(data)))
    new = [each for each in items if without_end(split_lines(each)[0]) not in there]
    if not new:
        return data
    data = data if data.endswith((b"\n", b"\r")) else data + b"\n"
    whole = b"".join(each if each.endswith((b"\n", b"\r")) else each + b"\n" for each in new)
    return data + f"\n## {on.isoformat()}: {why}\n\n".encode() + whole


def confidence_steps(
    base: int, since: date, mentions: Sequence[date], on: date, policy: ConfidencePolicy
) -> list[ConfidenceStep]:
    """Return the history of the confidence up to ``on``.

    It sinks by whole intervals since the last mention, down to the floor; a mention first applies that, then
    adds. A correction's is constant. Later days and a clock that went back change nothing.
    """
    steps = [ConfidenceStep(since, "introduced", base)]
    if base >= CORRECTED:
        return steps
    last = since
    for day in sorted(mentions):
        if last <= day <= on:
            settled = _decayed(steps[-1].confidence, last, day, policy)
            steps.append(ConfidenceStep(day, "mentioned", min(FULL, settled + policy.boost)))
            last = day
    left = _decayed(steps[-1].confidence, last, on, policy)
    if left != steps[-1].confidence:
        steps.append(ConfidenceStep(on, "not mentioned since", left))
    return steps


def _decayed(confidence: int, since: date, on: date, policy: ConfidencePolicy) -> int:
    idle = max(0, (on - since).days) // policy.interval_days
    return max(min(policy.floor, confidence), confidence - idle * policy.amount)
