"""`why`: from a statement to the changes behind it, and on what it rests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.blame import blame
from clawgit.history.entry_ids import entry_files
from clawgit.history.entry_states import states_in
from clawgit.history.fold_history import renew_fold
from clawgit.history.fold_store import open_fold
from clawgit.history.log import LoggedChange, read_change
from clawgit.memory.entries import read_entries
from clawgit.memory.pieces import ENTRY, line_pieces
from clawgit.memory.states import moment_of
from clawgit.text.lines import split_lines
from clawgit.text.similarity import likeness

if TYPE_CHECKING:
    from datetime import date

    from clawgit.history.fold_store import FoldStore
    from clawgit.history.repository import History
    from clawgit.memory.fold import Origin
    from clawgit.memory.states import EntryState

CLOSE = 60
CERTAIN = 100
CONTAINED = 90


class WhyError(ClawgitError):
    """Nothing like that was ever said here."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How a statement read once, and the change that made it read so."""

    words: str
    change: LoggedChange


@dataclass(frozen=True, slots=True)
class Why:
    """A statement and what is behind it; ``state`` is None for what is no entry (any more).

    ``sure`` is how certainly this is what was asked for, of 100. The wordings are in the order of time.
    """

    words: str
    place: str
    sure: int
    trust: str
    wordings: tuple[Wording, ...]
    state: EntryState | None = None


def find_why(history: History, asked: str, on: date) -> Why:
    """Return what is behind an entry id, a line (PATH:LINE) or a text.

    Raises:
        WhyError: Nothing of that kind is known.
    """
    with open_fold(history.state) as store:
        renew_fold(history, store)
        states = states_in(history, store, on)
        place = _line_asked(asked)
        if place is not None:
            return _of_line(history, store, states, *place)
        found = _closest(states, asked)
        if found is not None:
            return _of_state(history, *found)
        return _of_words(history, store, asked)


def _line_asked(asked: str) -> tuple[str, int] | None:
    path, colon, number = asked.rpartition(":")
    is_line = bool(colon) and path.endswith(".md") and number.isascii() and number.isdigit()
    return (path, int(number)) if is_line else None


def _of_line(history: History, store: FoldStore, states: list[EntryState], path: str, number: int) -> Why:
    """Return what is behind one line: an entry's, remembered words, or any line that git knows."""
    for state in states:
        if state.path == path and state.entry.first < number <= state.entry.last:
            return _of_state(history, state, CERTAIN)
    tip = history.tip()
    data = tip.tree.read(path) or b""
    lines = split_lines(data)
    if not 0 < number <= len(lines):
        raise WhyError(
            f"There is no line {number} in {path}.", hint="Lines are counted from 1, as committed."
        )
    piece = line_pieces(data).get(number - 1)
    origin = store.origin(piece.key) if piece else None
    if piece is not None and origin is not None:
        return _of_origin(history, piece.words, origin, f"{path}:{number}", CERTAIN)
    blamed = blame(history, path, tip.commit_id or "")
    if number > len(blamed):
        raise WhyError(f"git counts fewer than {number} lines in {path}.", hint="Ask by its words instead.")
    found = blamed[number - 1]
    trust = "operator" if found.change.actor == "operator" else "host"
    return Why(found.text, f"{path}:{number}", CERTAIN, trust, (Wording(found.text, found.change),))


def _closest(states: list[EntryState], asked: str) -> tuple[EntryState, int] | None:
    """Return the entry that is meant, and how surely: by id, by its words, by a part of them, by likeness."""
    wanted = " ".join(asked.split())
    for state in states:
        if wanted.removeprefix("m:") == state.entry.entry_id or wanted == state.entry.text:
            return state, CERTAIN
    for state in states:
        if wanted and wanted.casefold() in state.entry.text.casefold():
            return state, CONTAINED
    scored = [(likeness(wanted, state.entry.text), -at) for at, state in enumerate(states)]
    best = max(scored, default=(0, 0))
    return (states[-best[1]], best[0]) if best[0] >= CLOSE else None


def _of_state(history: History, state: EntryState, sure: int) -> Why:
    """Follow an entry's id through its wordings; without an id, its words are all there is."""
    place = f"{state.path}:{state.entry.first + 1}"
    commits = dict.fromkeys(seen.commit_id for seen in state.seen if seen.kind == "words")
    commits.setdefault(state.commit_id)
    wordings = [
        Wording(_words_then(history, commit_id, state), read_change(history, commit_id))
        for commit_id in commits
        if commit_id
    ]
    wordings.sort(key=lambda wording: moment_of(wording.change.at))
    return Why(state.entry.text, place, sure, state.trust, tuple(wordings), state)


def _words_then(history: History, commit_id: str, state: EntryState) -> str:
    """Return how the entry read in a commit, by its id."""
    tree = history.tree_of(commit_id)
    for path in entry_files(tree):
        for entry in read_entries(tree.read(path) or b""):
            if entry.entry_id is not None and entry.entry_id == state.entry.entry_id:
                return entry.text
    return state.entry.text


def _of_words(history: History, store: FoldStore, asked: str) -> Why:
    """Return what is behind words that are no entry now: notes of a day, or what was taken out since."""
    words = " ".join(asked.split())
    for key in store.keys_like(words, 1):
        origin = store.origin(key)
        if origin is not None:
            found = key.removeprefix(ENTRY)
            return _of_origin(history, found, origin, "", CERTAIN if found == words else CONTAINED)
    raise WhyError(
        f"Nothing like {asked!r} is known.",
        hint="Name an entry (m:…), a line (MEMORY.md:12) or some of its words.",
    )


def _of_origin(history: History, words: str, origin: Origin, place: str, sure: int) -> Why:
    change = read_change(history, origin.commit_id)
    return Why(words, place, sure, origin.trust, (Wording(words, change),))
