"""The entries of the present tip: the state of each from the fold, and its evidence."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.authorship.actors import actor_in, said_by
from clawgit.history.git.trees import Tree, entry_files
from clawgit.history.provenance.correction_files import NOWHERE, read_known_corrections, standing_corrections
from clawgit.history.provenance.trust_lookup import present_fold, renewed_fold
from clawgit.memory.corrections.corrected_entries import MARK, KnownCorrection, of_entry
from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.entries.entries import Entry, Tag, read_entries
from clawgit.memory.entries.tiers import Tier, tier_of
from clawgit.memory.entry_states import DAYS_OF_CLASS, ConfidencePolicy, EntryState, Past, When, state_of
from clawgit.memory.provenance.pieces import line_pieces, piece_of
from clawgit.memory.trust import OPERATOR
from clawgit.workspace.settings.setting_types import hundredths

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Set
    from datetime import date

    from clawgit.history.git.repository import History
    from clawgit.history.provenance.fold_store import FoldStore
    from clawgit.workspace.settings.settings import Settings


def list_states(history: History, on: date) -> list[EntryState]:
    with renewed_fold(history) as store:
        return states_in(history, store, on)


def states_below(
    history: History, paths: Collection[str], on: date, *, only: Collection[str] | None = None
) -> list[EntryState]:
    """Return the entries of these files at the tip (with ``only`` these ids) and their state on a day."""
    with present_fold(history) as store:
        return states_in(history, store, on, paths, only)


def states_of_text(
    history: History, path: str, data: bytes, on: date, lines: Collection[int]
) -> list[EntryState]:
    """Return the entries that begin on ``lines`` (from 1) of any text of ``path``, with their state on a day."""
    tier = tier_of(path)
    if tier is None:
        return []
    with present_fold(history) as store:
        corrections = read_known_corrections(history, store)
        entries = (entry for entry in read_entries(data) if entry.first + 1 in lines)
        state = partial(_state, history, store, corrections, place=(path, tier), when=_when(history, on))
        return list(map(state, entries))


def lifetimes_of(settings: Settings) -> dict[str, int | None]:
    """Return how many days an entry of each class lasts without a mention; None is for ever."""
    tasks = settings.lifetime_tasks_days or None
    return DAYS_OF_CLASS | {"tasks": tasks, "agents": settings.lifetime_agents_days or None}


def _when(history: History, on: date) -> When:
    settings = history.settings
    policy = ConfidencePolicy(
        settings.confidence_decay_interval_days,
        hundredths(settings.confidence_decay_amount),
        hundredths(settings.confidence_floor),
        hundredths(settings.confidence_boost_per_mention),
    )
    return When(on, policy, lifetimes_of(settings))


def states_in(
    history: History,
    store: FoldStore,
    on: date,
    paths: Collection[str] | None = None,
    only: Collection[str] | None = None,
) -> list[EntryState]:
    tree = history.tip().tree
    when = _when(history, on)
    corrections = read_known_corrections(history, store, only)
    states = []
    for path in entry_files(tree) if paths is None else paths:
        tier = tier_of(path)
        data = tree.read(path)
        if data is None or tier is None:
            continue
        for entry in read_entries(data):
            if only is None or entry.entry_id in only:
                states.append(_state(history, store, corrections, entry, (path, tier), when))
    return states


def with_wish(history: History, state: EntryState) -> EntryState:
    """Return a state that would end with its class, with whether the operator asked to remember it (no event) or brought its words back."""
    if state.expires is None:
        return state
    from clawgit.understanding.facts.keepable_sentences import kept_in  # noqa: PLC0415 - seldom: few entries have an end

    is_wanted = False
    for cited in state.evidence if state.entry.tag is not Tag.EVENT else ():
        quote = cited.partition(" ")[2].strip('"')
        is_wanted = is_wanted or any(map(attrgetter("is_ordered"), kept_in(quote)))
    earlier = set[str]()
    for each in state.seen:
        if each.words in earlier and not is_wanted:
            is_wanted = actor_in(history, history.objects.commit(each.commit_id)) == OPERATOR
        if each.words:
            earlier.add(each.words)
    return state._replace(is_wanted=is_wanted)


def _state(
    history: History,
    store: FoldStore,
    corrections: list[KnownCorrection],
    entry: Entry,
    place: tuple[str, Tier],
    when: When,
) -> EntryState:
    origin = store.origin(piece_of(entry).key) or NOWHERE
    seen = tuple(store.seen(entry.entry_id)) if entry.entry_id else ()
    state = state_of(entry, place, Past(origin, seen, of_entry(corrections, entry.entry_id)), when)
    return with_wish(history, state._replace(person=said_by(history, origin)))


class HistoryCitations(NamedTuple):
    """The messages and notes that history cites (`chat:…`, `note:…`), and those behind each entry's words and mentions.

    ``corrected``: messages that only corrections cite, and what these are about; not in ``every``.
    ``quotes``: what was quoted of each, except by links; empty words mean all of it.
    """

    every: frozenset[str]
    by_entry: Mapping[str, set[str]]
    corrected: Mapping[str, tuple[str, ...]]
    quotes: Mapping[str, Set[str]]


class NoteLine(NamedTuple):
    """A line of a note, counted from 1, and its trust."""

    path: str
    number: int
    words: str
    trust: str


def read_cited(history: History) -> HistoryCitations:
    """Return what the history cites; a correction, a question or a link leaves its message free for others."""
    with renewed_fold(history) as store:
        rows = store.said()
        lines = store.said(of_lines=True)
    corrected: dict[str, list[str]] = {}
    links: set[str] = set()  # rejected ones too
    of_corrections: set[tuple[str, str]] = set()  # (correction or corrected entry, message)
    for key, each in standing_corrections(history.tip().tree).items():
        is_rejected = each.status is Status.WITHDRAWN and not (each.proposed or each.correct)
        if each.status is Status.LINKED or is_rejected:
            links.add(f"{MARK}{key}")
        for item in each.evidence[:1]:
            about = corrected.setdefault(item, [])
            if each.status is not Status.LINKED:
                about.extend(filter(None, (each.said, each.correct, each.proposed)))
            of_corrections |= {(name, item) for name in (f"{MARK}{key}", *each.corrects)}
    by_entry: dict[str, set[str]] = {}
    every: set[str] = set()
    quotes: dict[str, set[str]] = {}
    for _, cited in lines:
        for item in cited.split("\n"):
            name, _, quote = item.partition(" ")
            if quote:  # the note of a session has no quote
                quotes.setdefault(name, set()).add(quote.strip('"'))
    for entry_id, cited in rows:
        names = by_entry.setdefault(entry_id, set())
        for item in filter(None, cited.split("\n")):
            name, _, quote = item.partition(" ")
            names.add(name)
            if entry_id not in links:
                quotes.setdefault(name, set()).add(quote.strip('"'))
            if (entry_id, name) not in of_corrections:
                every.add(name)
    only_corrected = {item: tuple(about) for item, about in corrected.items() if item not in every}
    return HistoryCitations(frozenset(every), by_entry, only_corrected, quotes)


def note_lines(history: History, tree: Tree, paths: list[str]) -> list[NoteLine]:
    """Return the lines of notes that are statements, each with its author's trust."""
    with renewed_fold(history) as store:
        lines = []
        for path in paths:
            for at, piece in sorted(line_pieces(tree.read(path) or b"").items()):
                trust = (store.origin(piece.key) or NOWHERE).trust
                lines.append(NoteLine(path, at + 1, piece.words, trust))
        return lines
