"""The operator's words beside what memory says: those that a line is a reading of, and those that say something else since."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.provenance.trust_lookup import open_trusts
from clawgit.memory.corrections.corrected_entries import MARK, correction_pieces
from clawgit.memory.corrections.correction_log import LEDGER, Status
from clawgit.memory.entries.entry_marks import line_name
from clawgit.memory.entries.statements import parted
from clawgit.memory.provenance.pieces import ENTRY, storable
from clawgit.memory.trust import OPERATOR, UNDERSTOOD
from clawgit.plan import MESSAGE
from clawgit.text.safety.control_characters import folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clawgit.history.git.repository import History
    from clawgit.history.provenance.fold_store import FoldStore
    from clawgit.history.provenance.trust_lookup import TrustLookup
    from clawgit.memory.corrections.correction_log import Correction

MOST_QUOTED = 200  # characters
_MAY_LINK = b"- status: linked"


@contextmanager
def open_beside(history: History, on: date) -> Iterator[EvidenceBeside]:
    """Open what goes with the lines of the present tip."""
    with open_trusts(history) as trusts:
        yield EvidenceBeside(history, trusts, history.tip().tree.read(LEDGER) or b"", on)


class _Reading(NamedTuple):
    commit_id: str
    at: str
    evidence: tuple[str, ...] = ()
    before: str = ""


class EvidenceBeside:
    """What goes with the lines of a state of the workspace that has this ``ledger``, told on a day.

    Nothing is looked up for the operator's own lines while the ledger has no link.
    """

    def __init__(self, history: History, trusts: TrustLookup, ledger: bytes, on: date) -> None:
        self._history, self._trusts, self._ledger, self._on = history, trusts, ledger, on

    def of_line(self, text: str, entry: str, trust: str) -> str:
        """Return what is shown behind a line (with its entry's id, where it has one), empty for nothing."""
        said, notes = folded(text), []
        if trust != OPERATOR:
            notes.append(self._reading_note(said, entry.removeprefix("m:")))
        for each in self._links_of(said, entry):
            notes.append(f'the operator said on {self._day(each.at)}: "{_quoted(each.trigger)}"')
        return "; ".join(filter(None, notes))

    def of_correction(self, correction: Correction) -> str:
        """Return what is shown behind a correction that is only understood, empty for another."""
        if correction.status is not Status.UNDERSTOOD:
            return ""
        return self._read(correction.at, correction.trigger, correction.said, correction.correct)

    def _reading_note(self, said: str, entry_id: str) -> str:
        reading = self._reading_of(storable(said), entry_id)
        if reading is None:
            return ""
        for item in reading.evidence:
            name, _, quote = item.partition(" ")
            if name.startswith(MESSAGE) and quote:
                return self._read(reading.at, quote.strip('"'), reading.before, said)
        return self._read(reading.at, "", reading.before, said)

    def _read(self, at: str, quote: str, before: str, now: str) -> str:
        note = f"understood from the operator's message of {self._day(at)}"
        if quote:
            note = f'the operator\'s words, {self._day(at)}: "{_quoted(quote)}"'
        old, new = parted(before).statement, parted(now).statement
        if not old or old == new:
            return note
        from clawgit.memory.provenance.readings import value_exchanged

        exchange = value_exchanged(old, new)
        if exchange is not None:
            old = exchange[0].text
        return f"{note}; before: {_quoted(old)}"

    def _day(self, at: str) -> str:
        try:
            day = date.fromisoformat(at[:10])
        except ValueError:
            return "an unknown day"
        if day.year == self._on.year:
            return f"{day.day} {day:%B}"
        return f"{day.day} {day:%B %Y}"

    def _reading_of(self, words: str, entry_id: str) -> _Reading | None:
        reading = self._trusts.ask(lambda store: _reading_in(store, words, entry_id))
        if reading is None or reading.evidence:
            return reading
        trailers = self._history.objects.commit(
            reading.commit_id
        ).trailers  # wordings in dated notes are not kept
        lines = trailers.all("Clawgit-Line")
        cited = trailers.all("Clawgit-Evidence")
        own = [item for item in cited if line_name(words, item.partition(" ")[0]) in lines]
        return reading._replace(evidence=tuple(own or cited))

    def _links_of(self, said: str, entry: str) -> Iterable[Correction]:
        if not self._links:
            return ()
        from clawgit.memory.corrections.links import standing_links
        from clawgit.memory.corrections.write_correction import shortened

        statement = shortened(parted(said).statement)
        name = entry.removeprefix("m:")
        own = self._links.get(statement, [])
        own = [each for each in own if not each.may_correct or name in each.may_correct]
        return standing_links(own, {statement})

    @cached_property
    def _links(self) -> dict[str, list[Correction]]:
        """Return the links in force by what their entries say."""
        found: dict[str, list[Correction]] = {}
        if _MAY_LINK not in self._ledger:
            return found
        for piece, each in correction_pieces(self._ledger, LEDGER).items():
            if each.status is Status.LINKED and self._trusts.holds(MARK + each.correction_id, piece.words):
                found.setdefault(each.said, []).append(each)
        return found


def _reading_in(store: FoldStore, words: str, entry_id: str) -> _Reading | None:
    if entry_id:
        rows = [row for row in store.seen(entry_id) if row.kind == "words" and words in row.words]
    else:
        rows = [row for _, row in store.wordings("", words)]
    if rows:
        words = rows[-1].words
    origin = store.origin(ENTRY + words)
    if origin is None or origin.trust != UNDERSTOOD:
        return None
    row = next((row for row in rows if row.commit_id == origin.commit_id), None)
    if row is None:
        return _Reading(origin.commit_id, origin.at)
    return _Reading(row.commit_id, row.at, tuple(row.said.split("\n")), row.before)


def _quoted(text: str) -> str:
    from clawgit.text.safety.secrets import redact

    words = redact(folded(text))
    if len(words) <= MOST_QUOTED:
        return words
    return f"{words[:MOST_QUOTED].rstrip()}…"
