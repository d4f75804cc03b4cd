"""Corrections: one outweighs a hundred inferences, so none is lost, altered or made by anybody but the operator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.history.actors import OPERATOR
from clawgit.history.guards.finding import Finding, told
from clawgit.memory.corrections import (
    ARCHIVE,
    LEDGER,
    Correction,
    Status,
    is_correction_file,
    read_corrections,
)
from clawgit.memory.entries import read_entries
from clawgit.memory.marks import marks_in
from clawgit.memory.tiers import holds_entries

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clawgit.history.guards.step import After, Before, Step
    from clawgit.memory.entries import Entry

LOST, ENTRY, FORGED = "correction", "corrected-entry", "forged-correction"
_MAKE_ONE = "`clawgit keep --as operator` if it is yours."
_WITHDRAW = (
    "The operator withdraws one by moving it to Archive/Corrections/ with the status withdrawn,"
    " or with `clawgit keep --as operator --override correction --reason …`."
)


@dataclass(frozen=True, slots=True)
class Dispute:
    """A correction that a step takes away (``now`` is None), alters, or makes up (``was`` is None)."""

    rule: str
    was: Correction | None
    now: Correction | None

    @property
    def correction(self) -> Correction:
        """Return the one that it is about, as it stands where it stands."""
        found = self.now or self.was
        assert found is not None
        return found


def disputes(step: Step) -> Iterator[Dispute]:
    """Yield the corrections that ``step`` may not treat as it does."""
    paths = [path for path in step.paths if is_correction_file(path)]
    had, have = _in(step.base, paths), _in(step.new, paths)
    if had.keys() != have.keys():  # moved between a changed and an unchanged file, maybe
        standing = _in(step.new, [path for path in _correction_files(step.base) if path not in paths])
        had, have = standing | had, standing | have
    by_operator = step.intent.actor == OPERATOR
    for correction_id, was in had.items():
        now = have.get(correction_id)
        if now is None or not (by_operator or _still_says(was, now)):
            yield Dispute(LOST, was, now)
    if not by_operator and step.intent.trust != OPERATOR:
        yield from (Dispute(FORGED, None, now) for name, now in have.items() if name not in had)


def find_lost_corrections(step: Step) -> Iterator[Finding]:
    """Find corrections that no file would hold any more, that would say something else, or that were made up."""
    for dispute in disputes(step):
        about = dispute.correction
        name = f"The correction x:{about.correction_id} of {told(about.path)}"
        if dispute.was is None:
            said, way_out = f"{name} does not rest on the operator's words.", _MAKE_ONE
        elif dispute.now is None:
            said, way_out = f"{name} would be lost.", _WITHDRAW
        else:
            said, way_out = f"{name} would say something else.", "Only the operator changes what one says."
        yield Finding(dispute.rule, about.path, said, way_out, about.first + 1)


@dataclass(frozen=True, slots=True)
class LostEntry:
    """An entry that a correction is about, and that no file would hold any more."""

    path: str
    mark: str
    entry: Entry | None


def lost_corrected_entries(step: Step) -> Iterator[LostEntry]:
    """Yield the entries that a correction of the old state is about and that ``step`` loses."""
    lost = {
        (path, mark)
        for path in filter(holds_entries, step.paths)
        for mark in marks_in(step.base.read(path) or b"") - marks_in(step.new.read(path) or b"")
    }
    if not lost:
        return
    corrected = _corrected(_in(step.base, _correction_files(step.base)).values())
    lost = {(path, mark) for path, mark in lost if mark in corrected}
    elsewhere = _marks_elsewhere(step) if lost else frozenset()
    for path, mark in sorted(lost):
        if mark not in elsewhere:
            entries = read_entries(step.base.read(path) or b"")
            yield LostEntry(path, mark, next((each for each in entries if each.entry_id == mark), None))


def find_lost_corrected_entries(step: Step) -> Iterator[Finding]:
    """Find entries that a correction is about and that no file would hold any more."""
    for lost in lost_corrected_entries(step):
        said = f"The entry m:{lost.mark} of {told(lost.path)}, which a correction is about, would be lost."
        line = None if lost.entry is None else lost.entry.first + 1
        yield Finding(ENTRY, lost.path, said, "Leave it where it is; the correction stands before it.", line)


def _in(state: Before | After, paths: Iterable[str]) -> dict[str, Correction]:
    """Return the corrections that ``paths`` hold, by id."""
    return {
        correction.correction_id: correction
        for path in paths
        for correction in read_corrections(state.read(path) or b"", path)
    }


def _correction_files(base: Before) -> list[str]:
    archived = (path for path, _ in base.files(ARCHIVE.rstrip("/")))
    return [LEDGER, *(path for path in archived if is_correction_file(path))]


def _still_says(was: Correction, now: Correction) -> bool:
    """Say whether what was filled in still reads so; an open one may be completed, and any be withdrawn never."""
    return (
        now.said == was.said
        and now.correct == (was.correct or now.correct)
        and set(was.corrects) <= set(now.corrects)
        and (now.status is Status.WITHDRAWN) == (was.status is Status.WITHDRAWN)
    )


def _corrected(corrections: Iterable[Correction]) -> frozenset[str]:
    holding = (each for each in corrections if each.status is not Status.WITHDRAWN)
    return frozenset(entry_id for each in holding for entry_id in each.corrects)


def _marks_elsewhere(step: Step) -> frozenset[str]:
    """Return the ids in every Markdown file that would be there."""
    texts = (step.new.read(path) or b"" for path in (*step.paths, *step.others()))
    return frozenset(mark for text in texts for mark in marks_in(text))
