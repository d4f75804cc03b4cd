"""`why`: from a statement to the changes behind it, and on what it rests."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.provenance.corrections_in_force import read_known_corrections
from clawgit.history.provenance.entries_at_tip import states_in
from clawgit.history.provenance.fold_store import open_fold
from clawgit.history.provenance.fold_update import renew_fold
from clawgit.history.provenance.wordings import Wording, path_in, wordings_of
from clawgit.history.reading.blame import blame
from clawgit.history.reading.git_log import read_named
from clawgit.history.reading.line_at import CommittedLine, committed_line
from clawgit.history.transaction.taken_entry_ids import near_marks
from clawgit.memory.corrections.corrected_entries import MARK
from clawgit.memory.entries.statement_lookup import (
    BY_WORDS,
    CERTAIN,
    MOST_OTHERS,
    UNSURE,
    Meant,
    which_is_meant,
)
from clawgit.memory.entries.tiers import MEMORY_FILES
from clawgit.memory.provenance.pieces import CORRECTION, ENTRY, FORMS, line_pieces, piece_of, storable
from clawgit.memory.trust import LOWEST

if TYPE_CHECKING:
    from datetime import date

    from clawgit.history.git.repository import History
    from clawgit.history.provenance.fold_store import FoldStore
    from clawgit.memory.corrections.corrected_entries import KnownCorrection
    from clawgit.memory.entry_states import EntryState

BY_ID, BY_PLACE = "its id", "its place"


class WhyError(ClawgitError):
    """Nothing like that was ever said here."""


@dataclass(frozen=True, slots=True)
class Alike:
    """Another statement that may be the one that was asked for."""

    words: str
    place: str
    entry_id: str | None


@dataclass(frozen=True, slots=True)
class Why:
    """A statement and what is behind it; ``state`` is None for what is no entry (any more).

    ``sure`` is how certainly this is what was asked for, of 100, ``by`` how it was found, ``others`` what
    is as good. The wordings are in the order of time; ``corrected`` are the entries that a correction names.
    """

    words: str
    place: str
    trust: str
    wordings: tuple[Wording, ...]
    sure: int = CERTAIN
    by: str = BY_ID
    note: str = ""
    others: tuple[Alike, ...] = ()
    state: EntryState | None = None
    corrections: tuple[KnownCorrection, ...] = ()
    corrected: tuple[EntryState, ...] = ()


def find_why(history: History, asked: str, on: date) -> Why:
    """Return what is behind an entry or a correction (by its id), or a text.

    Raises:
        WhyError: Nothing of that kind is known.
    """
    with open_fold(history.state) as store:
        renew_fold(history, store)
        return _Asking(history, store, on).word(asked)


def find_why_line(history: History, path: str, number: int, on: date) -> Why:
    """Return what is behind a line (from 1) of a file as it stands in the folder.

    Raises:
        LineError: There is no such line, or it is not committed yet.
    """
    line = committed_line(history, path, number)
    with open_fold(history.state) as store:
        renew_fold(history, store)
        return replace(_Asking(history, store, on).line(line), by=BY_PLACE, note=line.note)


class _Asking:
    """One question: the store, and everything that stands in the workspace now."""

    def __init__(self, history: History, store: FoldStore, on: date) -> None:
        self._history, self._store = history, store
        self._states = states_in(history, store, on)

    def word(self, asked: str) -> Why:
        """Answer for an id or a text."""
        name = storable(asked.strip())
        found = self._of_correction(name.removeprefix(MARK)) if name.startswith(MARK) else self._of_id(name)
        found = found or self._of_text(name)
        if found is None:
            raise WhyError(f"Nothing like {asked!r} is known.", hint=self._hint(name))
        return found

    def line(self, line: CommittedLine) -> Why:
        """Answer for one line: an entry's, a correction's, remembered words, or any line that git knows."""
        for state in self._states:
            if state.path == line.path and state.entry.first < line.number <= state.entry.last:
                return self._of_state(state)
        for known in read_known_corrections(self._history, self._store):
            correction = known.correction
            if correction.path == line.path and correction.first < line.number <= correction.last:
                return self._correction(known)
        data = self._history.tip().tree.read(line.path) or b""
        piece = line_pieces(data).get(line.number - 1)
        place = f"{line.path}:{line.number}"
        if piece is None:  # an empty line
            return self._blamed(line, place)
        found = self._of_key(piece.key, place, piece.entry_id)
        return found or replace(self._blamed(line, place), trust=LOWEST)

    def _hint(self, name: str) -> str:
        """Return what else to ask: ids that begin so, else how to ask."""
        near = near_marks(self._history.tip().tree, name)
        if near:
            return f"Did you mean {' or '.join(near)}?"
        return (
            "Name an entry (m:…), a correction (x:…), a line (MEMORY.md:12) or some of its words. `clawgit memory search`"
            " forgives typing errors."
        )

    def _of_id(self, name: str) -> Why | None:
        entry_id = name.removeprefix("m:")
        for state in self._states:
            if entry_id == state.entry.entry_id:
                return self._of_state(state)
        gone = self._store.last_words(entry_id) if entry_id else None
        return None if gone is None else self._of_key(ENTRY + gone, "", entry_id)

    def _of_text(self, asked: str) -> Why | None:
        texts = [state.entry.text for state in self._states]
        meant = which_is_meant(asked, texts)
        if meant is None or meant.by in UNSURE:
            return self._of_words(asked) or (self._of_meant(meant) if meant else None)
        return self._of_meant(meant)

    def _of_meant(self, meant: Meant) -> Why:
        found = self._of_state(self._states[meant.number])
        others = tuple(_alike(self._states[number]) for number in meant.others)
        return replace(found, sure=meant.sure, by=meant.by, others=others)

    def _of_state(self, state: EntryState) -> Why:
        words = piece_of(state.entry).words
        wordings = wordings_of(self._history, self._store, words, state.entry.entry_id or "")
        place = f"{state.path}:{state.entry.first + 1}"
        return Why(words, place, state.trust, wordings, state=state, corrections=state.corrections)

    def _of_words(self, asked: str) -> Why | None:
        """Answer for words that are no entry now: notes of a day, or what was taken out since."""
        keys = self._store.keys_like(" ".join(asked.split()), MOST_OTHERS + 1)
        texts = [_without_form(key) for key in keys]
        meant = which_is_meant(asked, texts)
        found = None if meant is None else self._of_key(keys[meant.number], "", None)
        if meant is None or found is None:
            return None
        others = tuple(Alike(texts[number], "", None) for number in meant.others)
        return replace(found, sure=meant.sure, by=meant.by, others=others)

    def _of_key(self, key: str, place: str, entry_id: str | None) -> Why | None:
        origin = self._store.origin(key)
        if origin is None:
            return None
        words = _without_form(key)
        if key.startswith(ENTRY):
            name = entry_id or self._store.id_of(words)
            wordings = wordings_of(self._history, self._store, words, name)
        else:
            change = read_named(self._history, [origin.commit_id], with_files=True)[origin.commit_id]
            wordings = (Wording(words, path_in(self._history, change, key), change, change.evidence),)
        return Why(words, place or self._place(key, wordings[-1].path), origin.trust, wordings, by=BY_WORDS)

    def _place(self, key: str, path: str) -> str:
        """Return where a piece stands: in the file that it came into, else in that to which it moved; empty if nowhere."""
        tree = self._history.tip().tree
        said = _without_form(key).encode("utf-8", "replace")
        for name in dict.fromkeys((path, *MEMORY_FILES, *(name for name, _ in tree.files(below="memory")))):
            data = tree.read(name) or b"" if name.endswith(".md") else b""
            lines = line_pieces(data) if said in data or (name == path and data) else {}
            found = next((at for at, piece in sorted(lines.items()) if piece.key == key), None)
            if found is not None:
                return f"{name}:{found + 1}"
        return ""

    def _of_correction(self, correction_id: str) -> Why | None:
        for known in read_known_corrections(self._history, self._store):
            if known.correction.correction_id == correction_id:
                return self._correction(known)
        return None

    def _correction(self, known: KnownCorrection) -> Why:
        correction = known.correction
        rows = self._store.seen(MARK + correction.correction_id)
        changes = read_named(self._history, [row.commit_id for row in rows])
        words = correction.correct or correction.said
        made = ((row.path, changes[row.commit_id]) for row in rows)
        wordings = tuple(Wording(words, path, change, change.evidence) for path, change in made)
        corrected = tuple(state for state in self._states if state.entry.entry_id in correction.corrects)
        origin = self._store.origin(CORRECTION + rows[-1].words) if rows else None
        place = f"{correction.path}:{correction.first + 1}"
        trust = origin.trust if origin else LOWEST
        return Why(words, place, trust, wordings, corrections=(known,), corrected=corrected)

    def _blamed(self, line: CommittedLine, place: str) -> Why:
        blamed = blame(self._history, line.path, self._history.tip().commit_id or "")
        if line.number > len(blamed):
            raise WhyError(
                f"git counts fewer than {line.number} lines in {line.path}.", hint="Ask by its words."
            )
        found = blamed[line.number - 1]
        trust = "operator" if found.change.actor == "operator" else "host"
        wording = Wording(found.text, line.path, found.change, found.change.evidence)
        return Why(found.text, place, trust, (wording,))


def _without_form(key: str) -> str:
    form = next((form for form in FORMS if form and key.startswith(form)), "")
    return key.removeprefix(form)


def _alike(state: EntryState) -> Alike:
    return Alike(state.entry.text, f"{state.path}:{state.entry.first + 1}", state.entry.entry_id)
