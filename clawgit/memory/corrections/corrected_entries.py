"""Which entries are corrected, and which have the corrected text; whoever changes a line of a correction is the origin of it all."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.corrections.correction_log import Correction, Status, read_corrections
from clawgit.memory.entries.entries import Entry, read_entries
from clawgit.memory.entries.statements import clauses_of, parted
from clawgit.memory.provenance.pieces import CORRECTION, Piece, Seen
from clawgit.memory.trust import OPERATOR, UNHEARD
from clawgit.text.comparing.similarity import is_close, words
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator


MARK = "x:"


class KnownCorrection(NamedTuple):
    """A correction and its commit; without ``is_heard`` (a host's or unknown, or overruled by the operator) it changes nothing; ``person`` who else made it."""

    correction: Correction
    commit_id: str
    actor: str
    evidence: tuple[str, ...]
    is_heard: bool
    person: str = ""

    @property
    def counts(self) -> bool:
        return self.is_heard and self.correction.status is not Status.WITHDRAWN


def as_held(correction: Correction, trust: str) -> Correction:
    """Return a correction as it counts: in force but not the operator's own word, it is understood."""
    if correction.holds and trust != OPERATOR:
        return correction._replace(status=Status.UNDERSTOOD)
    return correction


def is_read(correction: Correction) -> bool:
    """Say whether the correct text is not literally the operator's, judging by the quoted message."""
    from clawgit.memory.provenance.readings import is_reading

    olds = (correction.said, *clauses_of(correction.said))
    return all(is_reading(correction.correct, old, [correction.trigger]) for old in olds)


def correction_pieces(data: bytes, path: str) -> dict[Piece, Correction]:
    lines = split_lines(data)
    pieces = {}
    for each in read_corrections(data, path):
        block = b"".join(lines[each.first : each.last]).decode("utf-8", "replace")
        pieces[Piece(" ".join(block.split()), CORRECTION, MARK + each.correction_id)] = each
    return pieces


def is_heard(words: str, wordings: Iterable[tuple[str, str]]) -> bool:
    """Say whether words count, by the actors of all wordings, oldest first: an agent's if it is the first or changes one that does."""
    heard = True
    counts: dict[str, bool] = {}
    for wording, actor in wordings:
        may = actor == OPERATOR or (heard and actor not in UNHEARD)
        heard = counts.setdefault(wording, may)
    return counts.get(words, False)


def of_entry(corrections: Iterable[KnownCorrection], entry_id: str | None) -> tuple[KnownCorrection, ...]:
    """Return the corrections that name an entry, also withdrawn ones."""
    return tuple(
        each for each in corrections if entry_id is not None and entry_id in each.correction.corrects
    )


def set_right(
    text: str, corrections: Iterable[KnownCorrection], wordings: Iterable[Seen]
) -> KnownCorrection | None:
    """Return the applied correction that gave an entry its present text, by commit or by words."""
    commits = {seen.commit_id for seen in wordings if seen.words == text}
    applied = (each for each in corrections if each.counts and each.correction.status is Status.APPLIED)
    right = (each for each in applied if each.commit_id in commits or says(text, each.correction.correct))
    return next(right, None)


def says(text: str, statement: str) -> bool:
    """Say whether a text has the words of a statement in one row, or is close to it."""
    needle = " ".join(words(statement))
    return f" {needle} " in f" {' '.join(words(text))} " or is_close(text, statement)


def entries_set_back(
    old: bytes, new: bytes, corrections: Collection[Correction]
) -> Iterator[tuple[Entry, Correction]]:
    """Yield the entries that ``new`` changed against a correction, and the correction."""
    before = dict(map(attrgetter("entry_id", "text"), read_entries(old)))
    for entry in read_entries(new):
        was = before.get(entry.entry_id)
        if was is not None and entry.entry_id and entry.text != was:
            correction = changed_against(entry.entry_id, was, entry.text, corrections)
            if correction is not None:
                yield entry, correction


def changed_against(name: str, before: str, now: str, corrections: Iterable[Correction]) -> Correction | None:
    """Return an entry's latest correction that is carried out in ``before``, unless it is in ``now``, too."""
    latest = None
    for correction in sorted(corrections, key=attrgetter("at")):
        if correction.holds and name in correction.corrects and holds_words(before, correction.correct):
            latest = correction
    if latest is None or holds_words(now, latest.correct):
        return None
    return latest


def holds_words(text: str, correct: str) -> bool:
    return correct.casefold().rstrip(".。") in parted(text).statement.casefold()
